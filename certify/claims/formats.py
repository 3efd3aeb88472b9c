"""The formats of certificates: for each the classes of its theorems and certificates, and its standalone checker.

A further format is an entry in ``FORMATS``; all else that is done with certificates goes through these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from certify.checker import checker, difference, rounding
from certify.checker.checker import Established, Refused
from certify.exact.rounding.difference import Difference, DifferenceCertificate
from certify.exact.rounding.theorem import Rounding, RoundingCertificate
from certify.exact.theorem import (
    Bound,
    Certificate,
    DifferenceBound,
    OneSided,
    OscillationBound,
    Theorem,
)

CITING = {
    **dict.fromkeys((OneSided, Bound), ("barrier",)),
    **dict.fromkeys((DifferenceBound, OscillationBound), ("barrier", "integration")),
}  # the rules of these statements that cite

AnyTheorem = Theorem | Rounding | Difference
AnyCertificate = Certificate | RoundingCertificate | DifferenceCertificate


class Format(NamedTuple):
    """``spell`` puts the plain data of a theorem in the checker's words; ``cited`` are the lemmas that its proofs cite."""

    theorem: type
    certificate: type
    checker: ModuleType
    spell: Callable[[dict[str, Any]], list[str]]
    cited: Callable[[Any], list[str]]

    @property
    def family(self) -> str:
        """What ``format`` begins with in every version."""
        return self.checker.FORMAT.partition("/")[0] + "/"


def _cited_by_statements(theorem: Theorem) -> list[str]:
    rules = dict.fromkeys(rule for statement in theorem.statements for rule in CITING.get(type(statement), ()))
    return [checker.LEMMAS[rule] for rule in rules]


FORMATS = (
    Format(
        Theorem,
        Certificate,
        checker,
        lambda data: [*checker.context(data), *map(checker.words, data["statements"])],
        _cited_by_statements,
    ),
    Format(
        Rounding,
        RoundingCertificate,
        rounding,
        lambda data: [*rounding.context(data), *rounding.words(data)],
        lambda theorem: rounding.cited(msgspec.to_builtins(theorem)),
    ),
    Format(Difference, DifferenceCertificate, difference, lambda data: list(difference.statements(data)), lambda theorem: []),
)
THEOREMS, CERTIFICATES = (tuple(getattr(each, kind) for each in FORMATS) for kind in ("theorem", "certificate"))


def format_of_data(data: Mapping[str, Any]) -> Format | None:
    """The format whose name the data carry, in whatever version."""
    return next((each for each in FORMATS if str(data.get("format")).startswith(each.family)), None)


def format_of_theorem(theorem: AnyTheorem) -> Format:
    return next(each for each in FORMATS if isinstance(theorem, each.theorem))


def check(data: Mapping[str, Any]) -> Established:
    """Have the checker of its format re-establish a certificate. Raises Refused."""
    found = format_of_data(data)
    if found is None:
        raise Refused(f"no format of a certificate: {data.get('format')!r}")
    try:
        return Established(*found.checker.check(dict(data)))
    except found.checker.Refused as error:
        raise Refused(str(error)) from None
