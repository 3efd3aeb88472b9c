"""All errata: the finite start, the closed form, the tables."""

from __future__ import annotations

from certify.studies.errata import closed_form, finite_start, tables
from certify.studies.errata.erratum import Erratum

ERRATA: tuple[Erratum, ...] = (*finite_start.ERRATA, *closed_form.ERRATA, *tables.ERRATA)
