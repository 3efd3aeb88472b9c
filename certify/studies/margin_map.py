"""How much of its proved bound the error R_ν − A_n takes over x/ν and ν, in balls: the margin that is left to each claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from flint import arb, fmpq

from certify.exact.ball import bits_for, decimal_above, working_precision
from certify.exact.bessel import ratio
from certify.exact.debye import ladder_ratio
from certify.exact.number import exact, show
from certify.exact.truth import Truth, less
from certify.studies.points import all_of

CONCENTRATIONS = tuple(step * fmpq(2) ** k for k in range(-8, 9) for step in (fmpq(1), fmpq(7, 5)))
"""x/ν, about two an octave."""

ORDERS = tuple(fmpq(2) ** k for k in range(-1, 12))
DIGITS = 90
"""Of R and A_n, which agree in up to 40."""

SHOWN = 4

Ends = tuple[arb, arb]
Bound = Callable[[dict[str, fmpq], fmpq, fmpq], Ends]


@dataclass(frozen=True)
class Panel:
    """``shares`` by ν and x/ν, the error in units of the claim's bound: an enclosure each, below 1 as the claim says."""

    claim: str
    n: int
    bound: str
    nu: tuple[fmpq, ...]
    shares: tuple[tuple[arb, ...], ...]

    @property
    def holds(self) -> Truth:
        """Whether every error is below its bound."""
        return all_of(less(share, 1) for row in self.shares for share in row)

    def data(self) -> dict[str, object]:
        """As plain data; shares are rounded up."""
        with working_precision(bits_for(DIGITS)):
            shares = [[decimal_above(share, SHOWN) for share in row] for row in self.shares]
        exacts = {"nu": [show(nu) for nu in self.nu], "x_over_nu": [show(z) for z in CONCENTRATIONS]}
        return {"claim": self.claim, "order": self.n, "bound": self.bound, **exacts, "share_at_most": shares, "holds": self.holds.value}


def build(claims: Mapping[str, Mapping[str, str]]) -> list[Panel]:
    """Of these claims, with their constants, the bounds of R_ν − A_n: those uniform in x, and those that decay with it."""
    with working_precision(bits_for(DIGITS)):
        return [_panel(id, n, words, bound, claims[id]) for id, (n, words, bound) in SUBJECTS.items() if id in claims]


def _panel(id: str, n: int, words: str, bound: Bound, texts: Mapping[str, str]) -> Panel:
    constants = {name: exact(text) for name, text in texts.items()}
    lowest = constants.get("nu_min", fmpq(0))
    orders = tuple(nu for nu in ORDERS if bool(nu >= lowest))
    shares = tuple(tuple(_share(bound(constants, nu, z * nu), _error(n, nu, z * nu)) for z in CONCENTRATIONS) for nu in orders)
    return Panel(id, n, words, orders, shares)


def _share(ends: Ends, error: arb) -> arb:
    """The error in units of the end on its side."""
    low, high = ends
    return error / low if less(error, 0) is Truth.YES else error / high


@cache
def _error(n: int, nu: fmpq, x: fmpq) -> arb:
    return ratio(nu, x, DIGITS) - ladder_ratio(n, nu, x, DIGITS)


def _power(exponent: int, constants: dict[str, fmpq], nu: fmpq, x: fmpq) -> Ends:
    high = arb(constants["C"]) / arb(nu) ** exponent
    return -high, high


def _pointwise(constants: dict[str, fmpq], nu: fmpq, x: fmpq) -> Ends:
    cube = arb(nu * nu + x * x).sqrt() ** 3
    return -constants["c"] / cube, constants["C"] / cube


def _relative(constants: dict[str, fmpq], nu: fmpq, x: fmpq) -> Ends:
    high = arb(constants["C"] * x / (nu * nu + x * x) ** 2)
    return -high, high


SUBJECTS: dict[str, tuple[int, str, Bound]] = {
    "ratio.cubic": (1, r"C\,\nu^{-3}", partial(_power, 3)),
    "ratio.sharp": (1, r"C\,\nu^{-3}", partial(_power, 3)),
    "ratio.pointwise": (1, r"-c\,s^{-3},\ C\,s^{-3}", _pointwise),
    "ratio.relative": (1, r"C\,x\,s^{-4}", _relative),
    **{f"ladder.{n}": (n, rf"C\,\nu^{{-{n + 2}}}", partial(_power, n + 2)) for n in (0, 2, 4, 8)},
}
"""By claim: the order n, the bound as the claim writes it, and its ends."""
