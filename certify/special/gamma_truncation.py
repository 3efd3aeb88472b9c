"""How far so many steps of Legendre's continued fraction are from w (``gamma_tail``), by Arb.

With α = a − 1, b_k = x + 2k − α, c_k = (k+1)(α−k) and T_k = ∫_0^∞ e^{−xt} t^k (1+t)^{α−k} dt/k!, Kummer's U(k+1, a+1, x) (DLMF 13.4.4),

    w = T_1/T_0 = 1/t_1,    t_k = T_{k−1}/T_k = b_k + c_k/t_{k+1}    (DLMF 13.3.7).

t_k increases with x, and t_k ≥ k, since T_k/T_{k−1} is a mean of t/(1+t)/k. For t_{k+1}(1 + δ) in place of t_{k+1} one gets t_k(1 + δ′),
δ′ = −c_k/(t_k t_{k+1}) · δ/(1 + δ). The first, τ = x/2 + n + √(xn) in place of t_n, has |δ/(1 + δ)| = |1 − t_n/τ|. In each of ``CELLS``
cells the t_k are taken at the lower end, and t_n and τ at both; beyond them |1 − t_n/τ| ≤ 1, for t_n ≤ b_n + max(α − n, 0) ≤ 2τ.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less, sign
from certify.special.gamma_tail import quotient

CELL, CELLS = fmpq(3, 2), 12
"""The quotient of a cell's ends, and the number of cells."""
BITS = 1500
"""Every step from t_k to t_{k+1} loses some."""


def truncation(x: arb, a: arb, n: int) -> arb:
    """The bound of the relative error of n steps from x on, for a ≥ ½; 0 if c_k = 0 for some k < n."""
    if any(sign(a - k - 1) == 0 for k in range(1, n)):
        return arb(0)
    with working_precision(BITS):
        ends = [x * CELL**i for i in range(CELLS + 1)]
        quotients, starts = [_quotients(end, a, n) for end in ends], [end / 2 + n + (end * n).sqrt() for end in ends]
        cells = pairwise(zip(quotients, starts, strict=True))
        first = [*((1 - low[-1] / after).max(high[-1] / before - 1) for (low, before), (high, after) in cells), arb(1)]
        return reduce(arb.max, [_through(t, a, bound) for t, bound in zip(quotients, first, strict=True)])


def _quotients(x: arb, a: arb, n: int) -> list[arb]:
    """t_1, …, t_n."""
    t = [1 / quotient(x, a)]
    for k in range(1, n):
        t.append((k + 1) * (a - 1 - k) / (t[-1] - (x + 2 * k + 1 - a)))
    return t


def _through(t: list[arb], a: arb, bound: arb) -> arb:
    """Of t_1, from the bound of |δ/(1 + δ)| of t_n."""
    for k in reversed(range(1, len(t))):
        bound = of_reciprocal((k + 1) * abs(a - 1 - k) / (t[k - 1] * t[k]) * bound)
    return bound


def of_reciprocal(bound: arb) -> arb:
    """The bound of |δ/(1 + δ)|, the relative error of a reciprocal, from that of |δ|."""
    return bound / (1 - bound) if less(bound, 1) is Truth.YES else arb.pos_inf()
