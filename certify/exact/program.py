"""Straight-line programs: what a piece of numerical code computes, as data.

A program is a list of nodes, each an input, an exact rational constant or an operation on earlier nodes, and some of the nodes are its
outputs. It says which operations are done in which order, and nothing about how they round: the interpreters in ``exact.interpret`` run the
same program on floats, rationals, balls, intervals and Taylor series, or bound the rounding errors of all its operations.

    builder = Builder()
    x, nu = builder.inputs("x", "nu")
    program = builder.program(x / (nu + builder.call("hypot", x, nu)))

Equal nodes are shared, and a program's digest is that of its canonical form, so programs that differ in nothing but the order in which
independent operations were written, in the side on which a constant stands, in repetition, or in operations that no output needs have the
same digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

LEAVES = ("input", "constant")
# The operations and their number of arguments. select(c, a, b) is a where c > 0, else b; fma(a, b, c) is a b + c; less, less_equal and
# equal are 1 or 0, sign is 1, 0 or −1; i0e(x) = exp(−|x|) I₀(x), i1e(x) = exp(−|x|) I₁(x); lgamma is log|Γ|.
OPERATIONS = {
    **dict.fromkeys(("neg", "abs", "sign", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sigmoid"), 1),
    **dict.fromkeys(("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "lgamma", "digamma", "i0e", "i1e"), 1),
    **dict.fromkeys(("add", "sub", "mul", "div", "hypot", "pow", "min", "max", "less", "less_equal", "equal"), 2),
    **dict.fromkeys(("fma", "select"), 3),
}
# Operations whose results are floats already where their arguments are.
EXACT = ("neg", "abs", "sign", "min", "max", "less", "less_equal", "equal", "select")


class ProgramError(ValueError):
    """The data are no program, or an interpreter cannot run it; the message names the node or the operation."""


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An operation on earlier nodes; an input, ``value`` being its name; or a constant, ``value`` being "num" or "num/den"."""

    op: str
    args: tuple[int, ...] = ()
    value: str = ""


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nodes in the order of their evaluation, and which of them are the outputs. Raises ProgramError where the data are no program."""

    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]

    def __post_init__(self) -> None:
        for place, node in enumerate(self.nodes):
            _look_at(place, node)
        if len(set(self.inputs)) < len(self.inputs):
            raise ProgramError("two inputs have the same name")
        if not self.outputs or not all(0 <= output < len(self.nodes) for output in self.outputs):
            raise ProgramError("the outputs must be nodes of the program, one at least")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs, in the order in which they appear."""
        return tuple(node.value for node in self.nodes if node.op == "input")

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical form as JSON."""
        return "sha256:" + hashlib.sha256(msgspec.json.encode(self.canonical(), order="deterministic")).hexdigest()

    def canonical(self) -> Program:
        """The inputs, then the nodes that the outputs need, depth first from the first output, first arguments first.

        A constant comes second in a sum or product, which is the same to the last bit.
        """
        return Program(tuple(map(self._constant_last, self.nodes)), self.outputs)._renumbered()

    def _constant_last(self, node: Node) -> Node:
        constant = [self.nodes[argument].op == "constant" for argument in node.args]
        swapped = node.op in ("add", "mul") and constant == [True, False]
        return msgspec.structs.replace(node, args=node.args[::-1]) if swapped else node

    def _renumbered(self) -> Program:
        order = [place for place, node in enumerate(self.nodes) if node.op == "input"]
        order += [place for place in self._depth_first() if self.nodes[place].op != "input"]
        new = {old: place for place, old in enumerate(order)}
        nodes = (msgspec.structs.replace(self.nodes[old], args=tuple(new[a] for a in self.nodes[old].args)) for old in order)
        return Program(tuple(nodes), tuple(new[output] for output in self.outputs))

    def _depth_first(self) -> list[int]:
        """The nodes that the outputs need, each after its arguments."""
        found: dict[int, None] = {}
        stack = list(reversed(self.outputs))
        while stack:
            place = stack[-1]
            missing = [argument for argument in self.nodes[place].args if argument not in found]
            if not missing:
                found.setdefault(stack.pop())
            stack.extend(reversed(missing))
        return list(found)

    def rounded(self, bits: int = 53) -> Program:
        """The program with each constant replaced by the nearest number of so many bits, as a float literal is (exponents unbounded)."""
        builder = Builder()
        places: list[Value] = []
        for node in self.nodes:
            fixed = Node("constant", value=str(nearest(Fraction(node.value), bits))) if node.op == "constant" else node
            places.append(builder.node(msgspec.structs.replace(fixed, args=tuple(places[argument].place for argument in node.args))))
        return builder.program(*(places[output] for output in self.outputs))

    def arguments(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values, if they are those of the inputs. Raises ProgramError where one is missing or superfluous."""
        if set(values) != set(self.inputs):
            raise ProgramError(f"values of {', '.join(sorted(values)) or 'nothing'} given, of {', '.join(self.inputs)} needed")
        return values


def _look_at(place: int, node: Node) -> None:
    if node.op in LEAVES:
        if node.args or not node.value:
            raise ProgramError(f"node {place}: an {node.op} has a value and no arguments")
        if node.op == "constant" and not _lowest(node.value):
            raise ProgramError(f"node {place}: the constant {node.value} is not a rational in lowest terms")
        return
    if OPERATIONS.get(node.op) != len(node.args) or node.value:
        raise ProgramError(f"node {place}: no operation {node.op} on {len(node.args)} arguments")
    if not all(0 <= argument < place for argument in node.args):
        raise ProgramError(f"node {place}: the arguments of an operation are earlier nodes")


def nearest(value: Fraction, bits: int) -> Fraction:
    """The number m·2^e, |m| ≤ 2^bits, nearest to the value; of two equally near ones that with even m."""
    if value == 0:
        return value
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - bits + 1)
    return round(value / unit) * unit


def power_of_two(value: Fraction) -> bool:
    """Whether the value is ±2^k."""
    return value != 0 and nearest(value, 1) == value


def _lowest(text: str) -> bool:
    """Whether the text is a rational in lowest terms."""
    try:
        return str(Fraction(text)) == text
    except (ValueError, ZeroDivisionError):
        return False


class Value:
    """A node of a program that is being built; arithmetic on it adds nodes."""

    def __init__(self, builder: Builder, place: int) -> None:
        self.builder, self.place = builder, place

    def __add__(self, other: Value | Fraction | int) -> Value:
        return self.builder.call("add", self, other)

    def __radd__(self, other: Fraction | int) -> Value:
        return self.builder.call("add", other, self)

    def __sub__(self, other: Value | Fraction | int) -> Value:
        return self.builder.call("sub", self, other)

    def __rsub__(self, other: Fraction | int) -> Value:
        return self.builder.call("sub", other, self)

    def __mul__(self, other: Value | Fraction | int) -> Value:
        return self.builder.call("mul", self, other)

    def __rmul__(self, other: Fraction | int) -> Value:
        return self.builder.call("mul", other, self)

    def __truediv__(self, other: Value | Fraction | int) -> Value:
        return self.builder.call("div", self, other)

    def __rtruediv__(self, other: Fraction | int) -> Value:
        return self.builder.call("div", other, self)

    def __neg__(self) -> Value:
        return self.builder.call("neg", self)


class Builder:
    """Nodes so far, each once."""

    def __init__(self) -> None:
        self.places: dict[Node, int] = {}

    def inputs(self, *names: str) -> Iterator[Value]:
        """The inputs of these names, in this order."""
        return iter([self.node(Node("input", value=name)) for name in names])

    def constant(self, value: Fraction | int) -> Value:
        """An exact constant."""
        return self.node(Node("constant", value=str(Fraction(value))))

    def call(self, op: str, *arguments: Value | Fraction | int) -> Value:
        """The operation ``op`` of OPERATIONS on values and constants. Raises ProgramError for another one."""
        return self.node(Node(op, self._places(arguments)))

    def program(self, *outputs: Value | Fraction | int) -> Program:
        """The program so far, with these outputs; nodes that no output needs stay, as they are evaluated too."""
        places = self._places(outputs)
        return Program(tuple(self.places), places)

    def _places(self, values: Iterable[Value | Fraction | int]) -> tuple[int, ...]:
        return tuple((value if isinstance(value, Value) else self.constant(value)).place for value in values)

    def node(self, node: Node) -> Value:
        """The node, or the one there is that equals it. Raises ProgramError where it fits no program."""
        _look_at(len(self.places), node)
        return Value(self, self.places.setdefault(node, len(self.places)))
