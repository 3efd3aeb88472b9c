"""What of a recorded claim measures how strong it is, and in which sense: constants of bounds, and facts that its check found.

``Verdict.enclosed(..., margin="1/8")`` gives any claim the fact ``margin``, of which more is stronger. Constants of identities measure
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Any, NamedTuple

from certify.claims.record import ClaimRecord

LONGEST = 1000
"""Characters of a number, and its largest exponent."""


class Sense(Enum):
    LESS = "less is stronger"
    MORE = "more is stronger"


class Margin(NamedTuple):
    """An exact number of a claim, as it is written."""

    name: str
    text: str
    sense: Sense

    def against(self, before: Margin) -> int:
        """Positive where this is stronger, negative where it is weaker."""
        rise = Fraction(self.text) - Fraction(before.text)
        return (rise > 0) - (rise < 0) if self.sense is Sense.MORE else (rise < 0) - (rise > 0)


TWO_SIDED = ("riccati.gamma", "riccati.hazard", "riccati.watson")
"""Between B − lower·D and B − upper·D."""

BOUNDS = ("C", "c", "d", "D", "K", "k", "nu_min")
CONSTANTS: tuple[tuple[str, tuple[str, ...], Sense], ...] = (
    ("ladder.*", BOUNDS, Sense.LESS),
    ("ratio.*", BOUNDS, Sense.LESS),
    ("riccati.second.*", BOUNDS, Sense.LESS),
    ("rounding.*", BOUNDS, Sense.LESS),
    ("score.*", BOUNDS, Sense.LESS),
    ("production.*", BOUNDS, Sense.LESS),
    ("profile.*", BOUNDS, Sense.LESS),
    ("ladder.optimal.*", ("high", "rate"), Sense.LESS),
    ("ladder.optimal.*", ("low",), Sense.MORE),
    ("ratio.optimal", ("high", "rate"), Sense.LESS),
    ("ratio.optimal", ("low",), Sense.MORE),
    ("ratio.second", ("lower", "upper"), Sense.LESS),
    ("ratio.increasing", ("factor",), Sense.LESS),
    ("riccati.erfcx", ("U",), Sense.LESS),
    *((claim, ("lower",), Sense.LESS) for claim in TWO_SIDED),
    *((claim, ("upper",), Sense.MORE) for claim in TWO_SIDED),
    ("learning.s*", BOUNDS, Sense.LESS),
    ("learning.tolerance", ("c",), Sense.MORE),
    ("learning.cross_entropy", ("factor",), Sense.LESS),
    ("learning.gr*", ("factor",), Sense.LESS),
    ("learning.margin", ("factor",), Sense.LESS),
    ("learning.total_variation", ("scale",), Sense.LESS),
    ("defect.law.exact", ("w",), Sense.LESS),
)
FACTS: tuple[tuple[str, tuple[str, ...], Sense], ...] = (
    ("*", ("margin",), Sense.MORE),
    ("*", ("relations",), Sense.MORE),
    ("*", ("inputs",), Sense.MORE),
    ("*", ("cases",), Sense.MORE),
    ("table.*", ("matches",), Sense.MORE),
    ("rounding.shipped.*", ("kernels",), Sense.MORE),
    ("rounding.observed.*", ("largest error",), Sense.LESS),
    ("production.*", ("worst", "needs k"), Sense.LESS),
)


def margins(record: ClaimRecord) -> dict[str, Margin]:
    """By name; what is no number is none."""
    return {margin.name: margin for margin in _found(record)}


def _found(record: ClaimRecord) -> Iterator[Margin]:
    for pattern, names, sense in CONSTANTS:
        if fnmatchcase(record.id, pattern):
            yield from (Margin(name, record.constants[name], sense) for name in names if _is_number(record.constants.get(name)))
    for pattern, path, sense in FACTS:
        value = _at(record.facts, path) if fnmatchcase(record.id, pattern) else None
        if _is_number(value):
            yield Margin(path[-1], str(value), sense)


def _at(facts: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        facts = facts.get(name) if isinstance(facts, Mapping) else None
    return facts


def _is_number(value: Any) -> bool:
    """Whether it is written as one; an exponent that no arithmetic should be asked to reach is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)) > LONGEST:
        return False
    try:
        reachable = abs(int(str(value).lower().partition("e")[2] or 0)) <= LONGEST
        return reachable and Fraction(str(value)) is not None
    except (ValueError, ZeroDivisionError):
        return False
