r"""High concentration at points: the theorems of ``proofs/concentration``, evaluated in exact rationals and in balls.

Every bound is computed from the closed forms of its statement, in N = M + 1 and the index, and held against the recurrence itself:
R̃ and Φ̃′ − R_0 are rational numbers at rational x; where these have too many digits, and where R_0 enters, balls are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import fmpq

from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.exact.number import exact, show
from certify.studies.points import Point, at_most, everywhere

ORDERS = range(1, 65)
ARGUMENTS = ("1e-300", "1e-9", "1/3", "1", "30", "1e3", "1e6", "1e9", "1e20", "1e300")
DIGITS, BITS = 1000, 4000
"""At x = 10³⁰⁰ six hundred digits cancel in Θ and in x·d; the recurrence itself loses few (``exact.recurrence``)."""


@claim(
    "concentration.ratio.exact",
    statement=r"0 \le \tfrac{\tilde R_{\nu,M}}{x} - \tfrac{a}{N^2-\nu^2} \le \tfrac{B}{x^2}\ (M-\nu\ \text{odd}),\quad"
    r" 0 \le b\,(N^2-(\nu+1)^2) - x\tilde R_{\nu,M} \le \tfrac{D}{x^2}\ (M-\nu\ \text{even}),\quad a = 2,\ b = \tfrac12",
    domain=r"\nu \in \{1,\dots,64\},\ M \in \{\nu, \nu+1, \nu+2, 2\nu, 2\nu+1, 3\nu\},\ 10^{-300} \le x \le 10^{300},\ N = M+1",
    source="Appendix D.3.4, eqs. (26) and (27); at points",
    grade="enclosed",
    constants={"a": 2, "b": "1/2"},
)
def ratio(a: Fraction, b: Fraction) -> Verdict:
    return everywhere(_ratio(exact(a), exact(b)), "the finite-start ratio lies within its remainders")


def _ratio(a: fmpq, b: fmpq) -> Iterator[Point]:
    from certify.exact import recurrence

    for nu, start, text in _places():
        x, N, at = exact(text), start + 1, _place(nu, start, text)
        raw = recurrence.ratio(nu, start, x)
        if (start - nu) % 2:
            limit = a / (N**2 - nu**2)
            name, error, most = "R~/x - limit", raw / x - limit, limit * _delta(N, nu)
        else:
            limit = b * (N**2 - (nu + 1) ** 2)
            name, error, most = "limit - x R~", limit - raw * x, limit * _gamma(N, nu)
        yield Point(at, f"0 <= {name}", at_most(0, error), {name: error})
        yield Point(at, f"{name} <= remainder/x^2", at_most(error * x * x, most), {name: error, "remainder": most})


@claim(
    "concentration.potential.exact",
    statement=r"\tilde\Phi_{\nu,M}' = R_0 - \tfrac{c}{x} + \tfrac{\Theta}{x^3},\quad -\sum 2\delta_i \le \Theta \le \sum 2\gamma_i,\quad"
    r" |x(1 - \tilde\Phi') - (c + \tfrac12)| \le \tfrac3x + \tfrac{\Theta^*}{x^2},\quad"
    r" c = \nu + k\,[M-\nu\ \text{odd}] - m\,[M\ \text{odd}],\ k = m = 1",
    domain=r"\nu \in \{1,\dots,64\},\ M \in \{\nu, \nu+1, \nu+2, 2\nu, 2\nu+1, 3\nu\},\ 10^{-300} \le x \le 10^{300}",
    source="Appendix D.3.4, display 3, lines 3 and 4; at points",
    grade="enclosed",
    constants={"k": 1, "m": 1},
)
def potential(k: Fraction, m: Fraction) -> Verdict:
    summary = "the finite forward's derivative lies within its remainders in each parity case"
    return everywhere(_potential(exact(k), exact(m)), summary)


def _potential(k: fmpq, m: fmpq) -> Iterator[Point]:
    from certify.studies.finite_start.high_concentration import excess

    with working_precision(BITS):
        for nu, start, text in _places():
            x, at, (least, most) = exact(text), _place(nu, start, text), _theta(nu, start)
            c = nu + k * ((start - nu) % 2) - m * (start % 2)
            beyond = excess(nu, start, x)
            theta, scaled = (beyond + c / x) * x**3, x * (1 - bessel.ratio(0, x, DIGITS) - beyond)
            yield Point(at, "-sum 2 delta <= Theta", at_most(least, theta), {"Theta": theta, "least": least})
            yield Point(at, "Theta <= sum 2 gamma", at_most(theta, most), {"Theta": theta, "greatest": most})
            near = at_most(abs(scaled - (c + fmpq(1, 2))), 3 / x + max(-least, most) / x**2)
            yield Point(at, "|x (1 - Phi~') - (c + 1/2)| <= remainder", near, {"x (1 - Phi~')": scaled, "c": c})


@claim(
    "concentration.defect.exact",
    statement=r"\nu\ \text{odd},\ x \ge \tfrac{(\nu+1)(3\nu+1)}2:\ |x\,d - (\nu+h)| \le \tfrac3x + \tfrac{\Theta^*}{x^2};\quad"
    r" \nu\ \text{even}:\ |d + 1| \le \tfrac{\nu(3\nu+2)}{2x} + \tfrac{\nu+h-1}{x} + \tfrac{3}{x^2} + \tfrac{\Theta^*}{x^3},\quad"
    r" M = 2\nu,\ h = \tfrac32",
    domain=r"\nu \in \{1,\dots,64\},\ 10^{-300} \le x \le 10^{300};\ d = \min(\tilde R, 1) - \tilde\Phi'",
    source="Sections 3.2 and 5.3, Appendix E.5; at points, even nu beyond the paper",
    grade="enclosed",
    constants={"h": "3/2"},
)
def defect(h: Fraction) -> Verdict:
    return everywhere(_defect(exact(h)), "the clipped defect is (nu + 3/2)/x for odd nu and -1 for even nu, within its remainders")


def _defect(h: fmpq) -> Iterator[Point]:
    from certify.studies.finite_start.high_concentration import clipped_defect

    with working_precision(BITS):
        for nu in ORDERS:
            clips, theta = fmpq((nu + 1) * (3 * nu + 1), 2), max(map(abs, _theta(nu, 2 * nu)))
            for text in (*ARGUMENTS, show(clips), show(10 * clips)):
                x = exact(text)
                if nu % 2 and x < clips:
                    continue
                d = clipped_defect(nu, 2 * nu, x)
                if nu % 2:
                    name, error, most = "|x d - (nu + h)|", abs(x * d - (nu + h)), 3 / x + theta / x**2
                else:
                    most = (fmpq(nu * (3 * nu + 2), 2) + nu + h - 1) / x + 3 / x**2 + theta / x**3
                    name, error = "|d + 1|", abs(d + 1)
                yield Point(_place(nu, 2 * nu, text), f"{name} <= remainder", at_most(error, most), {name: error, "remainder": most})


@claim(
    "concentration.crossing.exact",
    statement=r"\#\{x > 0 : \tilde R_{\nu,2\nu}(x) = 1\} = n,\ \text{and there}\ 2(\nu+1) \le x \le u\,(N^2-\nu^2),"
    r"\quad n = 1,\ u = \tfrac12",
    domain=r"\nu \in \{1, 3, 5, \dots, 63\},\ N = 2\nu+1",
    source="Appendix D.3.4: the raw ratio crosses one for odd nu; exactly once, at these orders",
    grade="enclosed",
    constants={"n": 1, "u": "1/2"},
)
def crossing(n: Fraction, u: Fraction) -> Verdict:
    return everywhere(_crossing(exact(n), exact(u)), "the raw ratio crosses one once, and between the two bounds")


def _crossing(n: fmpq, u: fmpq) -> Iterator[Point]:
    from certify.studies.finite_start.high_concentration import crossings

    for nu in (order for order in ORDERS if order % 2):
        at, found = {"nu": str(nu), "M": str(2 * nu)}, crossings(nu, 2 * nu)
        count = fmpq(len(found))
        yield Point(at, "number of crossings = n", at_most(abs(count - n), fmpq(0)), {"crossings": count})
        for x in found:
            yield Point(at, "2 (nu+1) <= x", at_most(2 * (nu + 1), x), {"x": x})
            yield Point(at, "x <= u (N^2 - nu^2)", at_most(x, u * ((2 * nu + 1) ** 2 - nu**2)), {"x": x})


def _places() -> Iterator[tuple[int, int, str]]:
    """(ν, M, x): M = 2ν, and starts of either parity around it, above it and just above ν."""
    for nu in ORDERS:
        for start in sorted({nu, nu + 1, nu + 2, 2 * nu, 2 * nu + 1, 3 * nu}):
            yield from ((nu, start, x) for x in ARGUMENTS)


def _place(nu: int, start: int, x: str) -> dict[str, str]:
    return {"nu": str(nu), "M": str(start), "x": x}


def _theta(nu: int, start: int) -> tuple[fmpq, fmpq]:
    """The bounds −Σ 2δ_i (M − i odd) and Σ 2γ_i (M − i even), i < ν, of Θ."""
    below = sum((2 * _delta(start + 1, i) for i in range(nu) if (start - i) % 2), fmpq(0))
    above = sum((2 * _gamma(start + 1, i) for i in range(nu) if (start - i) % 2 == 0), fmpq(0))
    return -below, above


def _delta(N: int, i: int) -> fmpq:
    return fmpq((N**2 - (i + 2) ** 2) * (N**2 - i**2 - 2 * i + 2), 12)


def _gamma(N: int, i: int) -> fmpq:
    return fmpq((N**2 - (i - 1) ** 2) * (N**2 - i**2 + 3), 12)
