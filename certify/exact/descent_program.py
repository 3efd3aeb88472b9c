"""The floating-point program of ``certify.vmf.descent``: A_8 at order N = ν + m, and m steps of the recurrence in D_i = 1 − R_{ν+i}.

    D_m = (N + N(N/(s+x′)))/(N+s) + (y e)·S[Q],     h_i = c_i − x′ D_{i+1},  y_i = h_i + x′,  D_i = h_i/y_i,     R_ν = x′/y_0,

c_i = 2(ν + (i+1)), in the words of ``exact.ladder_program``, whose sum S this is, at N.
"""

from __future__ import annotations

from certify.exact.ladder_program import INPUTS, double_horner, lengths, ratio_coefficients
from certify.exact.program import Builder, Program, Value

ORDER = 8
"""n of the A_n that descents start with."""


def terms(squares: bool = False) -> Program:
    """S for n = 8, the factor of y e in A_8."""
    builder = Builder()
    x, nu, x_max = builder.inputs(*INPUTS)
    x, _, e = lengths(builder, x, nu, x_max, squares)
    y = x * e
    return builder.program(double_horner(ratio_coefficients, ORDER, y * y, e)).canonical()


def ratio(steps: int, squares: bool = False) -> Program:
    """R_ν(x) by so many ``steps``. Raises ValueError unless there is one at least."""
    return _descent(steps, squares, complement=False)


def complement(steps: int, squares: bool = False) -> Program:
    """1 − R_ν(x) by so many ``steps``. Raises ValueError unless there is one at least."""
    return _descent(steps, squares, complement=True)


def _descent(steps: int, squares: bool, complement: bool) -> Program:
    if steps < 1:
        raise ValueError(f"steps = {steps}: a descent takes one step at least")
    builder = Builder()
    x, nu, x_max = builder.inputs(*INPUTS)
    x = y = builder.call("min", x, x_max)
    rest = _start(builder, x, nu + steps, x_max, squares)
    for i in range(steps, 0, -1):
        h = 2 * (nu + i) - x * rest
        y = h + x
        rest = h / y
    return builder.program(rest if complement else x / y)


def _start(builder: Builder, x: Value, nu: Value, x_max: Value, squares: bool) -> Value:
    """1 − A_8."""
    x, s, e = lengths(builder, x, nu, x_max, squares)
    y = x * e
    return (nu + nu * (nu / (s + x))) / (nu + s) + (y * e) * double_horner(ratio_coefficients, ORDER, y * y, e)
