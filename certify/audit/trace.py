"""A torch function as a straight-line program over named inputs, with the derivative that its backward supplies.

The function is run once on fake tensors, which carry shapes and no numbers: whatever NumPy or the interpreter would compute from numbers
raises there, where tracing with real tensors would silently keep its result as a constant. The graph of forward and backward is lowered
by ``audit.lowering``. A trace counts only if it reproduces the function bit for bit at fresh inputs on both sides of every branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch._decomp import core_aten_decompositions, get_decompositions
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from certify.audit.lowering import RANDOM, Lowering, Untraceable
from certify.exact.interpret import plain
from certify.exact.program import Builder, Program, ProgramError, Value

Function = Callable[..., Any]
FRESH = 16
MOST_CHANGES, BISECTIONS = 64, 64
HALF_THE_DIGITS = 2.0**-12
LEAST, GREATEST = 1e-6, 1e6


@dataclass(frozen=True)
class Trace:
    """A program whose outputs are the value and, where asked for, the supplied derivative with respect to the first input.

    ``points`` are the inputs at which the program was compared with the function; ``unseen`` says what no statement about the program
    over the reals can see: casts, which are the identity there, and what torch's own kernels round.
    """

    program: Program
    dtype: str
    points: tuple[float, ...]
    unseen: tuple[str, ...]


def trace(
    function: Function,
    names: Sequence[str] = ("x",),
    fixed: Mapping[str, Sequence[float]] | None = None,
    domain: tuple[float, float] = (-math.inf, math.inf),
    dtype: torch.dtype = torch.float64,
    derivative: bool = True,
) -> Trace:
    """Translate ``function(x, …)``; x is a tensor of one element, each further input a tensor without dimensions.

    ``fixed`` gives for each further input some values at which the trace is compared with the function, x running over ``domain``.
    Raises Untraceable, one line, for random operations, control flow that depends on numbers, computations outside torch, operations that
    are not translated, and where the program does not reproduce the function: to the bit, or, behind casts and operations that torch
    computes in one go and the program in several, to half the digits.
    """
    others = {name: (fixed or {}).get(name, (1.0,)) for name in names[1:]}
    run = _with_derivative(function) if derivative else lambda *tensors: (function(*tensors),)
    examples = [torch.ones(1, dtype=dtype), *(torch.tensor(values[0], dtype=dtype) for values in others.values())]
    graph = _graph(run, examples)
    _refuse_random(graph)
    try:
        program, lowering = _lowered(graph, names, dtype)
    except Untraceable:
        program, lowering = _lowered(_graph(run, examples, _decompositions()), names, dtype)
        lowering.composite.add("operations that were decomposed")
    points = _fresh_points(program, others, domain, dtype)
    loose = bool(lowering.casts or lowering.composite)
    _guard(run, graph, program, points, others, dtype, _close if loose else _same)
    notes = [f"casts to {', '.join(sorted(lowering.casts))}"] if lowering.casts else []
    notes += [f"how torch fuses {', '.join(sorted(lowering.composite))}"] if lowering.composite else []
    return Trace(program, str(dtype).removeprefix("torch."), points, (*notes, "what the kernels round"))


def _with_derivative(function: Function) -> Function:
    """The value, and the derivative of the sum with respect to the first input, which is that of each element for elementwise functions."""

    def run(x: torch.Tensor, *others: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.enable_grad():
            leaf = x.detach().requires_grad_()
            value = function(leaf, *others)
            if not isinstance(value, torch.Tensor) or not value.requires_grad:
                raise Untraceable("the function returns no tensor that depends on its input with a gradient")
            return value.detach(), torch.autograd.grad(value.sum(), leaf)[0]

    return run


def _graph(run: Function, examples: list[torch.Tensor], decompositions: Any = None) -> GraphModule:
    """Forward and backward as one graph of ATen operations."""
    try:
        with torch._dynamo.config.patch(error_on_nested_fx_trace=False):
            return make_fx(run, decompositions, tracing_mode="fake", _allow_non_fake_inputs=True)(*examples)
    except Untraceable:
        raise
    except Exception as error:  # whatever the function's own code raises on fake tensors
        raise Untraceable(_reason(error)) from None


def _decompositions() -> dict[Any, Any]:
    aten = torch.ops.aten
    further = (
        aten.gelu,
        aten.elu,
        aten.leaky_relu,
        aten.hardtanh,
        aten._softmax,
        aten._log_softmax,
        aten.softplus,
        aten.silu,
        aten.mish,
        aten.hardshrink,
        aten.softshrink,
    )
    backward = (aten.gelu_backward, aten.elu_backward, aten.leaky_relu_backward, aten.hardtanh_backward, aten._softmax_backward_data)
    return {**core_aten_decompositions(), **get_decompositions([*further, *backward, aten._log_softmax_backward_data])}


def _refuse_random(graph: GraphModule) -> None:
    for node in graph.graph.nodes:
        name = str(getattr(node.target, "__name__", node.target))
        if node.op == "call_function" and any(word in name for word in RANDOM):
            raise Untraceable(f"{name} draws random numbers")


def _reason(error: Exception) -> str:
    text, kind = str(error), type(error).__name__
    if "DataDependent" in kind or "data-dependent" in text or "is_nonzero" in text or "_local_scalar_dense" in text:
        return "its control flow, or a Python number in it, depends on the tensors' numbers"
    if "numpy" in text.lower():
        return "it computes with NumPy, outside torch"
    first = next(iter(text.splitlines()), "")
    return f"it does not run on fake tensors: {kind}: {first[:120]}"


def _lowered(graph: GraphModule, names: Sequence[str], dtype: torch.dtype) -> tuple[Program, Lowering]:
    builder = Builder()
    lowering = Lowering(builder, dtype)
    found: dict[Node, Any] = {}
    inputs = dict(zip(names, builder.inputs(*names), strict=True))
    waiting = list(inputs.values())
    shapes = [(1,), *((),) * (len(names) - 1)]
    for node in graph.graph.nodes:
        if node.op == "placeholder":
            found[node] = np.full(shapes[len(inputs) - len(waiting)], waiting.pop(0), dtype=object)
        elif node.op == "get_attr":
            found[node] = lowering.constants(getattr(graph, str(node.target)))
        elif node.op == "call_function":
            found[node] = _called(lowering, node, found)
    (output,) = (node for node in graph.graph.nodes if node.op == "output")
    return builder.program(*(_single(builder, found[each]) for each in output.args[0])).canonical(), lowering


def _called(lowering: Lowering, node: Node, found: Mapping[Node, Any]) -> Any:
    target = node.target
    if not isinstance(target, torch._ops.OpOverload):
        raise Untraceable(f"operation {getattr(target, '__name__', target)} of Python is not translated")
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda each: found[each])
    try:
        return lowering.apply(target._schema.name.split("::")[1], args, dict(kwargs))
    except (TypeError, IndexError, ProgramError) as error:
        raise Untraceable(f"operation {target} is not translated with these arguments: {error}") from None


def _single(builder: Builder, array: Any) -> Value:
    if not isinstance(array, np.ndarray) or array.size != 1:
        raise Untraceable("an output has other than one element: only elementwise functions are translated")
    element = array.reshape(-1)[0]
    return element if isinstance(element, Value) else builder.constant(element)


def _fresh_points(
    program: Program, others: Mapping[str, Sequence[float]], domain: tuple[float, float], dtype: torch.dtype
) -> tuple[float, ...]:
    """Points of both signs all over the domain, and both sides of each point where a choice of the program changes."""
    low, high = domain
    sizes = np.geomspace(LEAST, GREATEST, 241)
    grid = np.concatenate([-sizes[::-1], [0.0], sizes, np.linspace(max(low, -GREATEST), min(high, GREATEST), 101)])
    grid = np.unique(grid[(grid >= low) & (grid <= high)])
    grid = np.unique(torch.tensor(grid, dtype=dtype).double().numpy())
    generator = np.random.default_rng(0)
    chosen = list(generator.choice(grid, min(FRESH, len(grid)), replace=False))
    chosen += _changes(program, others, grid, dtype)
    return tuple(sorted(set(map(float, chosen))))


def _changes(program: Program, others: Mapping[str, Sequence[float]], grid: Any, dtype: torch.dtype) -> list[float]:
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
    left, right, before = grid[place], grid[place + 1], found[choice, place]
    for _ in range(BISECTIONS):
        middle = torch.tensor((left + right) / 2, dtype=dtype).double().numpy()
        same = signs(middle)[choice, np.arange(len(places))] == before
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


def _guard(
    run: Function,
    graph: GraphModule,
    program: Program,
    points: Sequence[float],
    others: Mapping[str, Sequence[float]],
    dtype: torch.dtype,
    agree: Callable[[torch.Tensor, torch.Tensor], bool],
) -> None:
    """Compare function, graph and program at every point. Raises Untraceable where they differ."""
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
