"""A torch function as a straight-line program over named inputs, with the derivative that its backward supplies.

The function is run once on fake tensors, which carry shapes and no numbers: whatever NumPy or the interpreter would compute from numbers
raises there, where tracing with real tensors would silently keep its result as a constant. The graph of forward and backward is lowered
by ``traced.lowering``. A trace counts only if it reproduces the function bit for bit at fresh inputs on both sides of every branch.
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

from certify.audit.traced import agreement
from certify.audit.traced.arrays import OF_A_VALUE
from certify.audit.traced.formats import dtype_of, look_at
from certify.audit.traced.lowering import Lowering, Untraceable
from certify.audit.traced.operations import RANDOM, apply, plain_name
from certify.exact.program import Builder, Program, Value

DECOMPOSED = (
    *("softplus", "silu", "mish", "hardshrink", "softshrink"),
    *("gelu", "gelu_backward", "elu", "elu_backward", "leaky_relu", "leaky_relu_backward", "hardtanh", "hardtanh_backward"),
    *("_softmax", "_softmax_backward_data", "_log_softmax", "_log_softmax_backward_data"),
)


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
    function: Callable[..., Any],
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
    points = agreement.points(program, others, domain, dtype)
    loose = bool(lowering.casts or lowering.composite)
    agreement.require(run, graph, program, points, others, dtype, loose)
    notes = [f"casts to {', '.join(sorted(lowering.casts))}"] if lowering.casts else []
    notes += [f"how torch fuses {', '.join(sorted(lowering.composite))}"] if lowering.composite else []
    return Trace(program, str(dtype).removeprefix("torch."), points, (*notes, "what the kernels round"))


def _with_derivative(function: Callable[..., Any]) -> Callable[..., Any]:
    """The value, and the derivative of the sum with respect to the first input, which is that of each element for elementwise functions."""

    def run(x: torch.Tensor, *others: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.enable_grad():
            leaf = x.detach().requires_grad_()
            value = function(leaf, *others)
            if not isinstance(value, torch.Tensor) or not value.requires_grad:
                raise Untraceable("the function returns no tensor that depends on its input with a gradient")
            return value.detach(), torch.autograd.grad(value.sum(), leaf)[0]

    return run


def _graph(run: Callable[..., Any], examples: list[torch.Tensor], decompositions: Any = None) -> GraphModule:
    """Forward and backward as one graph of ATen operations."""
    try:
        with torch._dynamo.config.patch(error_on_nested_fx_trace=False):
            return make_fx(run, decompositions, tracing_mode="fake", _allow_non_fake_inputs=True)(*examples)
    except Untraceable:
        raise
    except Exception as error:  # whatever the function's own code raises on fake tensors
        raise Untraceable(_reason(error)) from None


def _decompositions() -> dict[Any, Any]:
    """Those of torch, and of activations that are no core operations."""
    further = [getattr(torch.ops.aten, name) for name in DECOMPOSED]
    return {**core_aten_decompositions(), **get_decompositions(further)}


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
    name = target._schema.name.split("::")[1]
    try:
        look_at(lowering, plain_name(name), node)
        return apply(lowering, name, args, {**kwargs, "dtype": dtype_of(node)} if name in OF_A_VALUE else dict(kwargs))
    except Untraceable:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise Untraceable(f"operation {target} is not translated with these arguments: {error}") from None


def _single(builder: Builder, array: Any) -> Value:
    if not isinstance(array, np.ndarray) or array.size != 1:
        raise Untraceable("an output has other than one element: only elementwise functions are translated")
    element = array.reshape(-1)[0]
    return element if isinstance(element, Value) else builder.constant(element)
