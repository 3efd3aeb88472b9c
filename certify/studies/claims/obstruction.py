r"""The two-class construction of the softmax obstruction, enclosed at points; its formula is claim softmax.obstruction."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.ball import accuracy, decimal, working_precision
from certify.exact.number import exact, show
from certify.studies.judgement import unit
from certify.studies.points import Point, at_most, everywhere

DIGITS = 25
LEAST_DIGITS = 20
CLOSE = fmpq(1, 10**25)


@claim(
    "softmax.obstruction.pair",
    statement=r"J_{12}-J_{21} = \frac{\tilde\Phi'(\kappa_1)g(\kappa_2)-g(\kappa_1)\tilde\Phi'(\kappa_2)}{4\tau^2} = -1.93915\cdot 10^{-3},"
    r"\quad \kappa_1 = a\nu,\ \kappa_2 = b\nu,\ a = 64,\ b = 128",
    domain=r"\nu = 63,\ M = 126,\ \tau = 1,\ f = 0,\ K = 2,\ \mu_1 \perp \mu_2,\ \pi_1 = \pi_2",
    source="Appendix D.2, display 2",
    grade="enclosed",
    constants={"a": 64, "b": 128},
)
def pair(a: Fraction, b: Fraction) -> Verdict:
    from certify.data.printed import load
    from certify.studies.states.obstruction import NU, Pair

    printed = str(load().tables["two_class"]["J12-J21"])
    value = Pair(exact(a) * NU, exact(b) * NU).antisymmetry(digits=DIGITS)
    shown, half = decimal(value, LEAST_DIGITS), unit(printed) / 2
    near = Point(
        {"kappa1/nu": str(a), "kappa2/nu": str(b)}, f"|J12 - J21 - ({printed})| <= half a unit", at_most(abs(value - exact(printed)), half)
    )
    precise = Point({}, f"{LEAST_DIGITS} proven digits", at_most(LEAST_DIGITS, accuracy(value)))
    return everywhere([near, precise], f"J12 - J21 = {shown}, printed {printed}")


@claim(
    "softmax.obstruction.scan",
    statement=r"J_{12}-J_{21} = 0 \iff \kappa_2 = \kappa_1\ \text{among 29 ratios};"
    r"\quad J_{12}(\lambda)-J_{21}(\lambda) = c\lambda\,(J_{12}(1)-J_{21}(1)),"
    r"\ \|G_\lambda-G_0\| = c\lambda\|G_1-G_0\|,\ c = 1,\ \text{at nine}\ \lambda,\ \text{within}\ 10^{-25}",
    domain=r"\nu = 63,\ M = 126,\ \tau = 1,\ \kappa_1 = 64\nu,"
    r"\ \kappa_2/\kappa_1 \in \{2^{-14},\dots,2^{14}\},\ \lambda \in \{0,\tfrac18,\dots,1\}",
    source="Appendix E.5, Figure 10",
    grade="enclosed",
    constants={"c": 1},
)
def scan(c: Fraction) -> Verdict:
    return everywhere(
        _scan(exact(c)), "the antisymmetry vanishes at equal concentrations only, and is linear in the strength of the mismatch"
    )


def _scan(c: fmpq) -> Iterator[Point]:
    from certify.studies.states.obstruction import BITS, by_ratio, by_strength

    with working_precision(BITS):
        yield from _ratios(by_ratio())
        yield from _strengths(c, by_strength())


def _ratios(found: list[tuple[fmpq, arb]]) -> Iterator[Point]:
    for ratio, value in found:
        at = {"kappa2/kappa1": show(ratio)}
        if ratio == 1:
            yield Point(at, "J12 - J21 = 0", at_most(abs(value), fmpq(0)), {"J12 - J21": value})
        else:
            yield Point(at, "J12 - J21 < 0", at_most(value, -CLOSE), {"J12 - J21": value})


def _strengths(c: fmpq, found: list[tuple[fmpq, arb, arb]]) -> Iterator[Point]:
    *_, (_, whole_gap, whole) = found
    for strength, gap, value in found:
        at = {"lambda": show(strength)}
        yield Point(at, "antisymmetry linear", at_most(abs(value - c * strength * whole), CLOSE), {"J12 - J21": value})
        yield Point(at, "gradient gap linear", at_most(abs(gap - c * strength * whole_gap), CLOSE), {"gap": gap})
