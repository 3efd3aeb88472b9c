"""Whether a trace reproduces the function: at fresh inputs, on both sides of every branch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.fx import GraphModule

from certify.audit.traced.lowering import Untraceable
from certify.exact.interpret import plain
from certify.exact.program import Builder, Program, Value

Others = Mapping[str, Sequence[float]]
"""Values for the inputs after the first, by name."""
FRESH = 16
MOST_CHANGES, BISECTIONS = 64, 64
HALF_THE_DIGITS = 2.0**-12
LEAST, GREATEST = 1e-6, 1e6


def points(program: Program, others: Others, domain: tuple[float, float], dtype: torch.dtype) -> tuple[float, ...]:
    """Points of both signs all over the domain, and both sides of each point where a choice of the program changes.

    Raises Untraceable where there are too many of these.
    """
    low, high = domain
    sizes = np.geomspace(LEAST, GREATEST, 241)
    grid = np.concatenate([-sizes[::-1], [0.0], sizes, np.linspace(max(low, -GREATEST), min(high, GREATEST), 101)])
    grid = np.unique(grid[(grid >= low) & (grid <= high)])
    grid = np.unique(torch.tensor(grid, dtype=dtype).double().numpy())
    generator = np.random.default_rng(0)
    chosen = list(generator.choice(grid, min(FRESH, len(grid)), replace=False))
    chosen += _changes(program, others, grid, dtype)
    return tuple(sorted(set(map(float, chosen))))


def _changes(program: Program, others: Others, grid: Any, dtype: torch.dtype) -> list[float]:
    """For every choice the points next to each other where it changes, by bisection between those of the grid. Raises Untraceable."""
    conditions = _conditions(program)
    if not conditions.outputs[1:]:
        return []
    fixed = {name: values[0] for name, values in others.items()}

    def signs(x: Any) -> Any:
        values = _execute(conditions, {program.inputs[0]: x, **fixed}, dtype)
        return np.stack([np.sign(np.broadcast_to(value.double().numpy(), np.shape(x))) for value in values[1:]])

    found = signs(grid)
    places = [(index, place) for index, row in enumerate(found) for place in np.flatnonzero(row[1:] != row[:-1])[:4]]
    if len(places) > MOST_CHANGES:
        raise Untraceable(f"its choices change at more than {MOST_CHANGES} inputs")
    if not places:
        return []
    choice, place = np.array(places).T
    before, which = found[choice, place], np.arange(len(places))
    return _bisected(grid[place], grid[place + 1], lambda x: signs(x)[choice, which] == before, dtype)


def _bisected(left: Any, right: Any, as_left: Callable[[Any], Any], dtype: torch.dtype) -> list[float]:
    """Numbers of the format next to each other between which something changes that is as at the left end there."""
    for _ in range(BISECTIONS):
        middle = torch.tensor((left + right) / 2, dtype=dtype).double().numpy()
        same = as_left(middle)
        open = (middle != left) & (middle != right)
        left, right = np.where(open & same, middle, left), np.where(open & ~same, middle, right)
    return [*left, *right]


def _conditions(program: Program) -> Program:
    """The program whose outputs are the numbers on whose signs the choices of this one depend, after its own first output."""
    builder = Builder()
    places: list[Value] = []
    signs: list[Value] = []
    for node in program.nodes:
        args = [places[argument] for argument in node.args]
        leaf = builder.node(node) if not args else builder.call(node.op, *args)
        places.append(leaf)
        if node.op in ("min", "max", "less", "less_equal", "equal"):
            signs.append(builder.call("sub", *args))
        elif node.op in ("abs", "sign", "select"):
            signs.append(args[0])
    return builder.program(places[program.outputs[0]], *signs)


def _execute(program: Program, values: Mapping[str, Any], dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
    arguments = {name: torch.as_tensor(value, dtype=dtype) for name, value in values.items()}
    return plain.execute(program, arguments, str(dtype).removeprefix("torch."), (torch, torch.special))


def require(
    run: Callable[..., Any],
    graph: GraphModule,
    program: Program,
    points: Sequence[float],
    others: Others,
    dtype: torch.dtype,
    loose: bool,
) -> None:
    """Compare function, graph and program, this to half the digits if ``loose``, at every point. Raises Untraceable where they differ."""
    agree = _close if loose else _same
    for k, x in enumerate(points):
        values = [values[k % len(values)] for values in others.values()]
        tensors = [torch.tensor([x], dtype=dtype), *(torch.tensor(value, dtype=dtype) for value in values)]
        expected = run(*(tensor.clone() for tensor in tensors))
        with torch.no_grad():
            traced = graph(*(tensor.clone() for tensor in tensors))
        computed = _execute(program, dict(zip(program.inputs, tensors, strict=True)), dtype)
        for each, other, third in zip(expected, traced, computed, strict=True):
            if not _same(each, other):
                raise Untraceable(f"the graph gives another number than the function at {x!r}")
            if not agree(each, third):
                raise Untraceable(f"the program gives another number than the function at {x!r}")


def _same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether the numbers are the same, nan included."""
    a, b = (each.detach().double().reshape(-1) for each in (a, b))
    return bool(((a == b) | (a.isnan() & b.isnan())).all())


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether the numbers agree to half the digits of binary32: enough to tell a wrong translation from fused roundings."""
    return _same(a, b) or bool(torch.allclose(a.detach().double(), b.detach().double(), rtol=HALF_THE_DIGITS, atol=HALF_THE_DIGITS))
