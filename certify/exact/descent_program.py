"""The floating-point program of ``certify.vmf.descent``: A_8 at order N = ν + m, and m steps of the recurrence in D_i = 1 − R_{ν+i}.

    D_m = (N + N(N/(s+x′)))/(N+s) + (y e)·S[Q],     h_i = c_i − x′ D_{i+1},  y_i = h_i + x′,  D_i = h_i/y_i,     R_ν = x′/y_0,

c_i = 2(ν + (i+1)), in the words of ``exact.ladder_program``, whose sum S this is, at N.
"""

from __future__ import annotations

from collections.abc import Mapping

from certify.exact import ladder_program
from certify.exact.ladder_program import INPUTS
from certify.exact.program import Builder, Program, Value

ORDER = 8
"""n of the A_n that descents start with."""


def terms(squares: bool = False) -> Program:
    """S for n = 8, the factor of y e in A_8."""
    program = ladder_program.ratio(ORDER, squares)
    difference = program.nodes[program.outputs[0]]
    product = program.nodes[difference.args[1]]
    return Program(program.nodes, (product.args[1],)).canonical()


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
    total = _embedded(builder, terms(squares), {"x": x, "nu": nu, "x_max": x_max})
    x = builder.call("min", x, x_max)
    s = builder.call("sqrt", x * x + nu * nu) if squares else builder.call("hypot", x, nu)
    e = 1 / s
    y = x * e
    return (nu + nu * (nu / (s + x))) / (nu + s) + (y * e) * total


def _embedded(builder: Builder, program: Program, inputs: Mapping[str, Value]) -> Value:
    """The output of the program, applied to these values."""
    found: list[Value] = []
    for node in program.nodes:
        if node.op == "input":
            found.append(inputs[node.value])
        elif node.op == "constant":
            found.append(builder.node(node))
        else:
            found.append(builder.call(node.op, *(found[place] for place in node.args)))
    return found[program.outputs[0]]
