r"""The finite start's closed form, its remainders and its coherence defect at points, held against the recurrence itself.

The proofs (``proofs/recurrence/closed.py``, ``proofs/concentration/remainder.py``, ``proofs/defect``) hold for every order; here the
recurrence is run in rationals or balls, and beside it stand Bessel functions in balls, or the closed-form bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact import defect, recurrence
from certify.exact.ball import working_precision
from certify.exact.number import exact, magnitude, show
from certify.studies.finite_start.high_concentration import excess
from certify.studies.points import Point, at_most, everywhere

ORDERS = range(1, 9)
ARGUMENTS = ("1/20", "1/3", "1", "3", "31", "1000", "1e7")
BITS = 1200
NEAR = fmpq(1, 10**30)


@claim(
    "recurrence.closed.exact",
    statement=r"\tilde R_{\nu,M} = R_\nu\frac{1+\sigma_{\nu+1}\rho_{\nu+1}}{1+\sigma_\nu\rho_\nu},\quad"
    r" \frac{b_\nu}{b_0} = \frac{I_\nu(1+\sigma_\nu\rho_\nu)}{I_0(1+\sigma_0\rho_0)},\quad \rho_i = w\,\frac{I_NK_i}{K_NI_i},\ w = 1",
    domain=r"\nu \in \{1,\dots,8\},\ M \in \{\nu, \nu+1, \nu+2, 2\nu, 2\nu+1, 3\nu+1\},\ \tfrac1{20} \le x \le 10^7",
    source="beyond the paper, for the recurrence of Section 3.2 and Appendix D.4; at points",
    grade="enclosed",
    constants={"w": 1},
)
def closed(w: Fraction) -> Verdict:
    return everywhere(_closed(exact(w)), "ratio and forward of the finite start are those of the closed form")


def _closed(w: fmpq) -> Iterator[Point]:
    with working_precision(BITS):
        for nu, start, text in _places():
            x, at = exact(text), _place(nu, start, text)
            i, k = (_scaled(arb(x), kind, (0, nu, nu + 1, start + 1)) for kind in ("bessel_i", "bessel_k"))
            weight = {j: 1 + w * _sign(start - j) * i[start + 1] / k[start + 1] * k[j] / i[j] for j in (0, nu, nu + 1)}
            ratio = i[nu + 1] / i[nu] * weight[nu + 1] / weight[nu] - recurrence.ratio(nu, start, x)
            quotient = i[nu] * weight[nu] / (i[0] * weight[0]) / x**nu / recurrence.quotient(nu, start, x) - 1
            for name, value in (("closed R~ - R~", ratio), ("closed b_nu/b_0 / (b_nu/b_0) - 1", quotient)):
                yield Point(at, f"|{name}| <= 1e-30", at_most(abs(value), NEAR), {name: value})


def _scaled(x: arb, kind: str, orders: tuple[int, ...]) -> dict[int, arb]:
    """e^{−x} I_j or e^x K_j; only quotients of either are used."""
    return {j: getattr(x, kind)(arb(j), scaled=True) for j in orders}


def _sign(steps: int) -> int:
    return -1 if steps % 2 else 1


@claim(
    "concentration.remainder.exact",
    statement=r"\tilde\Phi_{\nu,M}' = R_0 - \tfrac cx + \tfrac{\Theta}{x^3},\ M-\nu\ \text{odd}:\ 0 \le \Theta \le P(\nu) - P(m)"
    r" + m\tfrac{(N^2-1)(N^2+3)}{6},\ P(n) = k\tfrac{n^2(2N^2+8-n^2)}{8},\ k = \tfrac23;\quad"
    r" M-\nu\ \text{even}:\ -m\tfrac{(N^2-4)(N^2+2)}{6} \le \Theta \le G(\nu) - G(m),\ G(n) = \tfrac{n^2(2N^2+2-n^2)}{4}",
    domain=r"\nu \in \{1,\dots,8\},\ M \in \{\nu, \nu+1, \nu+2, 2\nu, 2\nu+1, 3\nu+1\},\ \tfrac1{20} \le x \le 10^7",
    source="beyond the paper: explicit remainders in every parity case of Appendix D.5; at points",
    grade="enclosed",
    constants={"k": "2/3"},
)
def remainder(k: Fraction) -> Verdict:
    return everywhere(_remainder(exact(k)), "the forward's derivative lies within its remainders in closed form")


def _remainder(k: fmpq) -> Iterator[Point]:
    with working_precision(BITS):
        for nu, start, text in _places():
            x, at, (least, most) = exact(text), _place(nu, start, text), _theta(nu, start, k)
            c = nu + (start - nu) % 2 - start % 2
            theta = (excess(nu, start, x) + c / x) * x**3
            yield Point(at, "least <= Theta", at_most(least, theta), {"Theta": theta, "least": least})
            yield Point(at, "Theta <= greatest", at_most(theta, most), {"Theta": theta, "greatest": most})


def _theta(nu: int, start: int, k: fmpq) -> tuple[fmpq, fmpq]:
    N, odd = fmpq(start + 1), nu % 2
    if (start - nu) % 2:
        P = [k * n * n * (2 * N * N + 8 - n * n) / 8 for n in (odd, nu)]
        return fmpq(0), P[1] - P[0] + odd * (N * N - 1) * (N * N + 3) / 6
    G = [n * n * (2 * N * N + 2 - n * n) / 4 for n in (odd, nu)]
    return -odd * (N * N - 4) * (N * N + 2) / 6, G[1] - G[0]


@claim(
    "defect.law.exact",
    statement=r"d_- \le d \le d_+,\ \text{raw and clipped};\quad d_+ - d_- \le w\,|d|\ \text{for}\ \nu \ge 31,\ x \ge 8\nu,\ w = 10^{-4}",
    domain=r"\nu \in \{1,\dots,8\},\ M \in \{\nu, \nu+1, \nu+2, 2\nu, 2\nu+1, 3\nu+1\},\ \tfrac1{20} \le x \le 10^7;\quad"
    r" \nu \in \{31, 32, 63, 255\},\ M \in \{\nu+1, 2\nu, 2\nu+1\},\ \tfrac x\nu \in \{8, 24, 64, 392, 10^6\}",
    source="beyond the paper: the two-sided bounds of claim defect.law, at points",
    grade="enclosed",
    constants={"w": "1/10000"},
)
def law(w: Fraction) -> Verdict:
    return everywhere(_law(exact(w)), "the defect lies between its closed-form bounds, sharp for nu >= 31 and x >= 8 nu")


def _law(w: fmpq) -> Iterator[Point]:
    for nu, start, text in _places():
        yield from _between(nu, start, text)
    for nu in (31, 32, 63, 255):
        for start in (nu + 1, 2 * nu, 2 * nu + 1):
            for multiple in (8, 24, 64, 392, 10**6):
                yield from _between(nu, start, str(multiple * nu), w)


def _between(nu: int, start: int, text: str, w: fmpq | None = None) -> Iterator[Point]:
    x, at = exact(text), _place(nu, start, text)
    with working_precision(BITS + 8 * abs(magnitude(x))):
        supplied, slope = recurrence.ratio(nu, start, arb(x)), recurrence.derivative(nu, start, arb(x))
        for name, d, (low, high) in (
            ("raw", supplied - slope, defect.defect(nu, start, x, clipped=False)),
            ("clipped", supplied.min(arb(1)) - slope, defect.defect(nu, start, x)),
        ):
            yield Point(at, f"d- <= d, {name}", at_most(low, d), {"d-": low, "d": d})
            yield Point(at, f"d <= d+, {name}", at_most(d, high), {"d": d, "d+": high})
            if w is not None:
                yield Point(at, f"d+ - d- <= w |d|, {name}", at_most(high - low, w * abs(d)), {"d": d, "d+ - d-": high - low})


def _places() -> Iterator[tuple[int, int, str]]:
    for nu in ORDERS:
        for start in sorted({nu, nu + 1, nu + 2, 2 * nu, 2 * nu + 1, 3 * nu + 1}):
            yield from ((nu, start, x) for x in ARGUMENTS)


def _place(nu: int, start: int, x: str) -> dict[str, str]:
    return {"nu": str(nu), "M": str(start), "x": show(exact(x))}
