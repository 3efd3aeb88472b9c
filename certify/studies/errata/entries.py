"""All errata: the finite start, the closed form, the tables."""

from __future__ import annotations

from collections.abc import Collection

from certify.studies.errata import closed_form, finite_start, tables
from certify.studies.errata.erratum import Erratum, Evidence

ERRATA: tuple[Erratum, ...] = (*finite_start.ERRATA, *closed_form.ERRATA, *tables.ERRATA)


def corrections(claims: Collection[str] | None = None) -> list[tuple[Erratum, Evidence]]:
    """The errata, or those that rest on any of these claims, each with its evidence, computed now."""
    chosen = [erratum for erratum in ERRATA if claims is None or set(erratum.claims) & set(claims)]
    return [(erratum, erratum.evidence()) for erratum in chosen]
