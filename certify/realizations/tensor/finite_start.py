"""The finite-start recurrence in PyTorch, scaled so that no element overflows and none touches its neighbours.

With b_M = 1, b_{M+1} = 0, b_{j−1} = (2j/x) b_j + b_{j+1}, put b_j = 2^{M−j} (M!/j!) x^{j−M} p_j and y = x²:

    p_M = 1,  p_{M+1} = 0,  p_{j−1} = p_j + c_j y p_{j+1},  c_j = 1/(4j(j+1)),

polynomials in y with positive coefficients, p_{j−1} ≥ p_j ≥ 1, and all of them 1 at x = 0. Their derivatives q_j = dp_j/dy obey
q_{j−1} = q_j + c_j (y q_{j+1} + p_{j+1}), again without a subtraction. Then

    R̃ = b_{ν+1}/b_ν = x p_{ν+1} / (2(ν+1) p_ν),
    Φ̃ = log I₀ + log(p_ν/p_0) − ν log 2 − log ν!,
    Φ̃′ = I₁/I₀ + 2x (q_ν/p_ν − q_0/p_0).

Every sixteen steps, and at order ν, all is divided by the current p_j: sixteen factors below 1 + y/8, of which every other one
can be large, stay below 2^1024 while x ≤ 1e15. A step is one multiply-add for the value and two more for the derivative.
"""

from __future__ import annotations

from math import lgamma, log
from typing import NamedTuple

import torch
from torch import Tensor

LARGEST = 1e15
STEPS = 16
DOMAIN = "0 <= x <= 1e15"


class Sweep(NamedTuple):
    """Φ̃_{ν,M} without its constant, R̃_{ν,M}, and Φ̃′_{ν,M} if it was asked for."""

    potential: Tensor
    ratio: Tensor
    derivative: Tensor | None


class _State(NamedTuple):
    """p_j, p_{j+1} and, if the derivative is wanted, q_j, q_{j+1}, all over one factor."""

    p: Tensor
    p_above: Tensor
    q: Tensor | None
    q_above: Tensor | None


def constant(order: int) -> float:
    """What ``Sweep.potential`` leaves out of Φ̃: −ν log 2 − log ν!."""
    return -order * log(2) - lgamma(order + 1)


def sweep(order: int, start: int, x: Tensor, *, derivative: bool = False, in_place: bool = True) -> Sweep:
    """The recurrence from M = ``start`` ≥ ν = ``order`` ≥ 0 down to 0 at float64 x in [0, 1e15]; NaN elsewhere.

    ``in_place`` reuses the buffers, where x is a plain tensor; autograd and tracers need fresh ones, and find the same bits in them.
    """
    x = x * torch.where((x >= 0) & (x <= LARGEST), 1.0, torch.nan)
    y, in_place = x * x, in_place and type(x) is Tensor
    state, _ = _descend(_first(y, derivative), y, start, order, in_place)
    ratio = x * state.p_above / (2 * (order + 1))
    at_order = None if state.q is None else state.q.clone()
    last, factors = _descend(state, y, order, 0, in_place)
    i0e = torch.special.i0e(x)
    potential = i0e.log() + x.abs() - sum(factor.log() for factor in factors)
    if at_order is None or last.q is None:
        return Sweep(potential, ratio, None)
    return Sweep(potential, ratio, torch.special.i1e(x) / i0e + 2 * x * (at_order - last.q))


def _first(y: Tensor, derivative: bool) -> _State:
    one, zero = torch.ones_like(y), torch.zeros_like(y)
    return _State(one, zero, zero.clone(), zero.clone()) if derivative else _State(one, zero, None, None)


def _descend(state: _State, y: Tensor, top: int, bottom: int, in_place: bool) -> tuple[_State, list[Tensor]]:
    """From p_top to p_bottom = 1, and the factors that were taken out."""
    factors = []
    for j in range(top, bottom, -1):
        state = _step(state, y, 1 / (4 * j * (j + 1)), in_place)
        if (top - j) % STEPS == STEPS - 1 or j == bottom + 1:
            factors.append(state.p)
            state = _divided(state, in_place)
    return state, factors


def _step(state: _State, y: Tensor, c: float, in_place: bool) -> _State:
    p, p_above, q, q_above = state
    following = None
    if q is not None and q_above is not None:
        inner = torch.addcmul(p_above, y, q_above, out=q_above if in_place else None)
        following = torch.add(q, inner, alpha=c, out=inner if in_place else None)
    return _State(torch.addcmul(p, y, p_above, value=c, out=p_above if in_place else None), p, following, q)


def _divided(state: _State, in_place: bool) -> _State:
    """The state over p_j, which becomes one in a buffer of its own."""
    p, p_above, q, q_above = state
    divide = torch.Tensor.div_ if in_place else torch.Tensor.div
    if q is not None and q_above is not None:
        q, q_above = divide(q, p), divide(q_above, p)
    return _State(torch.ones_like(p), divide(p_above, p), q, q_above)
