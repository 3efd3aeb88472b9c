"""R_ν(x) = I_{ν+1}(x)/I_ν(x) on tensors."""

from __future__ import annotations

from torch import Tensor

from certify.exact.number import Number
from certify.vmf import domain
from certify.vmf.plan import plan
from certify.vmf.primitive import realize


def ratio(
    x: Tensor,
    *,
    p: Number | None = None,
    nu: Number | None = None,
    order: int | None = None,
    tol: Number | None = None,
    validate_args: bool = False,
) -> Tensor:
    """R_ν(x) = I_{ν+1}(x)/I_ν(x) for x ≥ 0, the mean resultant length of the von Mises–Fisher distribution of concentration x.

    ``p`` ≥ 2 is the dimension, or ``nu`` = p/2 − 1 ≥ 0 the order. By default the error is that of rounding, at most about 4u for
    u = 2^−53 (float64) or 2^−24 (float32); float16 and bfloat16 are computed in float32 and rounded once more. ``order=n`` evaluates the
    closed form A_n, n = 0 … 8 (n = 1 is A_R), with |R_ν − A_n| < C_n ν^{−(n+2)} (claims ladder.n); where ν is too small for A_n to be
    evaluated well, R_ν to full accuracy. ``tol`` asks for the cheapest closed form with an error of at most tol, rounding included.

    The shape is that of x. x = 0 gives 0, x = inf gives 1, NaN and x < 0 give NaN, and ``validate_args`` refuses both. Raises ValueError
    for integer and complex tensors, for an order outside the domain or as a tensor, and for a tolerance that is not attainable.
    """
    compute = domain.format_of("x", x)
    if validate_args:
        domain.refuse_unless(lambda value: value >= 0, "x", x, "x >= 0 is accepted")
    return realize("ratio", x.to(compute), plan("ratio", compute, nu, p, order, tol)).to(x.dtype)
