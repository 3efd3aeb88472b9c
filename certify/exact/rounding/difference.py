"""The formal language of rounding theorems for differences of the potential, proportional to Δ = s₁ − s₀.

Evidence is a bisection: t = ν/s₀, q = s₀/s₁ and the share of ε = 1/ν run over the unit cube as 0 ≤ a ≤ b and ν run over their ranges.
"""

from __future__ import annotations

from typing import Literal

from certify.exact.program import Program
from certify.exact.rounding.theorem import Assumed
from certify.exact.theorem import Formal

FORMAT = "certify.rounding.difference/1"


class Difference(Formal, frozen=True):
    """|computed − (F(b) − F(a))| ≤ k·u·|s(b) − s(a)| + (c + dν)·w for all floats a, b in [0, max/4] and ν from ν_min to max/4, in
    binary32 and binary64, with s = √(x² + ν²) and F = s − ν log(ν+s) − ½ log s + Σ_k D_k(ν/s)/ν^k.

    ``debye`` gives D_k(t)/t^k as coefficients of the powers of t²; ``underflow`` is (c, d), and w is the most that underflow adds to the
    error of one operation. Where subnormal numbers are flushed, a, b and ν are at most max/8 and not subnormal.
    """

    program: Program
    debye: tuple[tuple[str, ...], ...]
    nu: str
    profile: Assumed
    k: str
    underflow: tuple[str, str]


class Bisection(Formal, frozen=True):
    """Of the unit cube, in preorder: −1, −2 and −3 halve along t, q and the share of ε, lower half first; 0 is a leaf."""

    tree: tuple[int, ...]


class DifferenceCertificate(Formal, frozen=True):
    """A claim's theorem with its evidence. ``lemmas`` is empty: nothing is cited; ``digest`` protects against accidents only."""

    claim: str
    theorem: Difference
    proof: Bisection
    lemmas: tuple[str, ...]
    digest: str
    format: Literal["certify.rounding.difference/1"] = FORMAT
