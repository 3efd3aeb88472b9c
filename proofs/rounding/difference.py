r"""Differences of the potential in floating point: for every order n, all floats a, b and every float ν ≥ ν_min,

    |fl(F_n(b) − F_n(a)) − (F_n(b) − F_n(a))| ≤ k u |s(b) − s(a)| + (c + dν) w,        s(x) = √(x² + ν²),

in binary32 and binary64, u = 2⁻²⁴ and 2⁻⁵³. The error is relative to the natural scale Δ = |s(b) − s(a)| of the difference, however
close a and b are and however far apart. w is the most that underflow adds to the error of one operation. The program is that of
certify/exact/difference_program.py, the kernel that ``certify.vmf`` ships, in the order in which it is written there.

Proof.  Let lo ≤ hi be the smaller and the larger of a and b; F_n(b) − F_n(a) is ± the difference from lo to hi, and rounding does not
see the sign. Computed = the exact program with a relative error δ at each operation, so by the mean value theorem
|error| ≤ Σ sup|v ∂out/∂v|·|δ_v|, over enclosures of the computed values. In t = ν/s₀, q = s₀/s₁ and ε = 1/ν, which run over a compact
box, every node is a product of Δ, s₀, s₁, ν and a bounded number, and v ∂out/∂v is Δ times one. No logarithm is evaluated: with
z = Δ/(ν+s₀), or Δ/s₀, 1 + z is a quotient of such quantities, and 2z/(2+z) ≤ log(1+z) ≤ z(1 + 1/(1+z))/2. A bisection of the box shows
Σ ≤ k u Δ on each of its parts; underflow is a second sweep of the same kind. The checker finds out by itself which operations round,
does both sweeps in integers, and expands the program into polynomials in ν, s₀, s₁ to know that it computes F_n(b) − F_n(a) and no
other function.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from certify.claims.certificate import certify_difference
from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict
from certify.exact.debye_polynomials import potential_polynomial
from certify.exact.difference_program import difference
from certify.exact.profile import TORCH_COMPILED, TORCH_SCALAR, TORCH_VECTOR
from certify.exact.rounding.difference import Bisection, Difference
from certify.exact.rounding.difference_search import Problem
from certify.exact.rounding.difference_violation import violation
from certify.exact.rounding.theorem import assumed, order_range, positive_bound

LEAST_ORDER = Fraction(1, 8)
PROFILES = (TORCH_VECTOR, TORCH_SCALAR, TORCH_COMPILED)
UNDERFLOW = {"c": 40, "d": 3}
BOUNDS: Mapping[str, tuple[int, str, str]] = {
    "0": (0, "1/2", "15"),
    "1": (1, "2", "10"),
    "1.one": (1, "1", "37/2"),
    "1.half": (1, "1/2", "61"),
    "2": (2, "2", "10"),
    "3": (3, "2", "10"),
    "4": (4, "2", "21/2"),
    "5": (5, "3", "10"),
    "6": (6, "3", "10"),
    "7": (7, "4", "10"),
    "8": (8, "5", "10"),
}
"""n, ν_min and k by the end of the claim's id."""


def theorem(n: int, nu_min: Fraction, k: Fraction, c: Fraction, d: Fraction) -> Difference:
    """Raises ValueError for ν_min < 1/8 or > 2^20, and for bounds that are not positive."""
    if nu_min < LEAST_ORDER:
        raise ValueError(f"nu_min = {nu_min}: orders from {LEAST_ORDER} on are accepted")
    program = difference(n).canonical()
    return Difference(
        program=program,
        debye=tuple(_coefficients(rank) for rank in range(1, n + 1)),
        nu=order_range(nu_min),
        profile=assumed(program, PROFILES),
        k=positive_bound("k", k),
        underflow=(positive_bound("c", c), positive_bound("d", d)),
    )


def _coefficients(k: int) -> tuple[str, ...]:
    """Of D_k(t)/t^k, in powers of t²."""
    return tuple(str(c) for c in potential_polynomial(k).coeffs()[k::2])


def prove(name: str, n: int, nu_min: Fraction, k: Fraction, c: Fraction, d: Fraction) -> Verdict:
    statement = theorem(n, nu_min, k, c, d)
    found = Problem(statement).prove()
    if isinstance(found, Bisection):
        summary = f"the computed F_{n}(b) - F_{n}(a) is within {k} u |s(b) - s(a)|, for all floats a, b and every float nu >= {nu_min}"
        return Verdict.proved(certify_difference(f"rounding.difference.{name}", statement, found), summary)
    witness = violation(n, nu_min, k, (c, d))
    if witness is not None:
        return Verdict.refuted(witness, "fails at " + ", ".join(f"{name} = {value}" for name, value in witness.items()))
    box = {name: f"[{low:.6g}, {high:.6g}]" for name, (low, high) in (("nu/s0", found.t), ("s0/s1", found.q), ("1/nu", found.eps))}
    cell = ", ".join(f"{name} in {side}" for name, side in box.items())
    return Verdict.undecided(Reason.INEQUALITY_OPEN, f"in the cell {cell}: the bound found is {found.bound:.6g}", box=box)


def bound(name: str) -> Claim:
    """The claim ``rounding.difference.NAME``."""
    n, nu_min, k = BOUNDS[name]

    @claim(
        f"rounding.difference.{name}",
        statement=rf"|\mathrm{{fl}}(F_{n}(b) - F_{n}(a)) - (F_{n}(b) - F_{n}(a))| \le k\,u\,|s(b) - s(a)| + (c + d\nu)\,w",
        domain=r"a, b \in [0, \mathrm{max}/4],\ \nu \in [\nu_{\min}, \mathrm{max}/4]\ \text{floats, binary32 and binary64}",
        source="beyond the paper: Section 4.1's stable difference, from the smaller s as base, as the code computes it",
        in_words="the operations are within the profile's bounds, which claims profile.* test; the program is the one that runs",
        theorem=partial(theorem, n),
        constants={"nu_min": nu_min, "k": k, **UNDERFLOW},
    )
    def difference_bound(nu_min: Fraction, k: Fraction, c: Fraction, d: Fraction) -> Verdict:
        return prove(name, n, nu_min, k, c, d)

    return difference_bound


globals().update({f"difference_{name.replace('.', '_')}": bound(name) for name in BOUNDS})
