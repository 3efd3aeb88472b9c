"""The prover's sweeps for differences of the potential: bounds of the rounding errors on many boxes at once, over u Δ.

Floats here only *propose* a bisection: what a certificate claims is established by the checker, in integers, by the same two sweeps. All
errors are relative. The forward sweep encloses what is computed, the reverse sweep adds up sup|v ∂out/∂v|·|δ_v| over the nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from certify.exact.program import LEAVES, Builder, Node, Program, Value, nearest, power_of_two
from certify.exact.rounding.difference import Difference
from certify.exact.rounding.scaling import CONSTANT, HALF
from certify.exact.rounding.sweep import Array, Interval
from certify.exact.rounding.units import GAP, LARGE, ORDER, SMALL, SUM, Cube, Quantity, Unit, cosine_to_sine

BITS = 24
U = 2.0**-BITS
RECIPROCALS = ((0, 0, 1, 0, 1), (0, 0, 1, 1, 1))
ARGUMENT = (1, 0, 1, 0, 1)
"""Δ/s₀, the unit of the arguments of the logarithms."""


def increasing(program: Program) -> Program:
    """The program for a < b, without its choices, over the inputs a, b and ν, in the same order: the checker sums in this order."""
    builder, values, chosen = Builder(), [], {"min": 0, "max": 1}
    for node in program.nodes:
        arguments = [values[a] for a in node.args]
        if node.op in chosen:
            values.append(sorted(arguments, key=lambda value: value.place)[chosen[node.op]])
        elif node.op == "less":
            values.append(arguments[0].place < arguments[1].place)
        elif node.op == "select":
            values.append(arguments[1] if arguments[0] else arguments[2])
        else:
            values.append(builder.node(Node(node.op, tuple(value.place for value in arguments), node.value)))
    output: Value = values[program.outputs[0]]
    return builder.program(output)


class DifferenceSweep:
    """The two sweeps of a theorem's program. Raises ValueError where the method does not apply, KeyError where the profile has no bound."""

    def __init__(self, theorem: Difference) -> None:
        self.program = increasing(theorem.program)
        self.ulps = {op: Fraction(text) for op, text in theorem.profile.ulps.items()}
        self.inputs = {node.value: place for place, node in enumerate(self.program.nodes) if node.op == "input"}
        self.errors = [self._error(node) for node in self.program.nodes]

    def bound(self, cube: Cube) -> Array:
        """Bounds of |computed − exact|/(u Δ), infinite where there is none."""
        with np.errstate(all="ignore"):
            found = _Swept(self, cube).bound()
        return np.where(np.isfinite(found), found, np.inf)

    def _error(self, node: Node) -> float:
        """The relative error of a node, in units of u."""
        if node.op == "constant":
            return 0.0 if nearest(value := Fraction(node.value), BITS) == value else float(2 * CONSTANT)
        factors = [Fraction(self.program.nodes[a].value) for a in node.args if self.program.nodes[a].op == "constant"]
        if node.op in ("input", "neg") or (node.op == "mul" and self.ulps["mul"] == HALF and any(map(power_of_two, factors))):
            return 0.0
        return float(2 * self.ulps[node.op])


class _Swept:
    """A program on a cube."""

    def __init__(self, sweep: DifferenceSweep, cube: Cube) -> None:
        self.nodes, self.inputs, self.errors, self.cube = sweep.program.nodes, sweep.inputs, list(sweep.errors), cube
        self.output = sweep.program.outputs[0]
        self.values: list[Quantity] = []
        self.slopes: dict[int, Quantity] = {}
        for place, node in enumerate(self.nodes):
            rule: Callable[..., Quantity] = getattr(self, f"_{node.op}")
            exact = rule(place, node)
            self.values.append(exact.spread(self.errors[place] * U))

    def bound(self) -> Array:
        total = 0.0 * self.cube.t.low
        uses: dict[int, list[tuple[Quantity, bool]]] = {self.output: [(self.cube.number(1.0), False)]}
        for place in range(self.output, -1, -1):
            node = self.nodes[place]
            if node.op == "input" or place not in uses:
                continue
            if self.errors[place]:
                own = self._sum([_from_zero(part) if fused else part for part, fused in uses[place]])
                total = total + self.cube.size(own * self.values[place]) * self.errors[place]
            if node.op in (*LEAVES, "hypot"):
                continue
            passed = self._sum([part for part, _ in uses[place]]).spread(self.errors[place] * U)
            for argument, partial in zip(node.args, self._partials(place, node), strict=True):
                fused = node.op in ("add", "sub") and self.nodes[argument].op == "mul"
                uses.setdefault(argument, []).append((passed * partial, fused))
        return total

    def _sum(self, parts: list[Quantity]) -> Quantity:
        first, *others = parts
        for other in others:
            first = self.cube.total(first, other)
        return first

    def _partials(self, place: int, node: Node) -> list[Quantity]:
        parts, one = [self.values[a] for a in node.args], self.cube.number(1.0)
        if node.op == "div":
            inverse = parts[1].reciprocal()
            return [inverse, -(self.values[place] * inverse)]
        return {"add": [one, one], "sub": [one, -one], "neg": [-one], "mul": parts[::-1], "log1p": [self.slopes.get(place, one)]}[node.op]

    def _of_both(self, node: Node) -> bool:
        return {self.inputs["a"], self.inputs["b"]} == set(node.args)

    def _input(self, place: int, node: Node) -> Quantity:
        cube = self.cube
        lengths = {"a": (SMALL, cosine_to_sine(cube.t)), "b": (LARGE, cosine_to_sine(cube.t * cube.q)), "nu": (ORDER, cube.one)}
        return Quantity(*lengths[node.value])

    def _constant(self, place: int, node: Node) -> Quantity:
        return self.cube.number(float(Fraction(node.value)))

    def _hypot(self, place: int, node: Node) -> Quantity:
        return self.cube.of(SMALL if self.inputs["a"] in node.args else LARGE)

    def _add(self, place: int, node: Node) -> Quantity:
        return self.cube.of(SUM) if self._of_both(node) else self.cube.total(*(self.values[a] for a in node.args))

    def _sub(self, place: int, node: Node) -> Quantity:
        if self._of_both(node):
            gap = Quantity(GAP, Interval(1 + self.cube.q.low, 1 + self.cube.q.high))
            return gap if node.args[0] == self.inputs["b"] else -gap
        a, b = (self.values[each] for each in node.args)
        return self.cube.total(a, -b)

    def _neg(self, place: int, node: Node) -> Quantity:
        return -self.values[node.args[0]]

    def _mul(self, place: int, node: Node) -> Quantity:
        a, b = (self.values[each] for each in node.args)
        return a * b

    def _div(self, place: int, node: Node) -> Quantity:
        a, b = (self.values[each] for each in node.args)
        found = a * b.reciprocal()
        if found.unit in RECIPROCALS:  # may be subnormal: see DIFFERENCE.md
            self.errors[place] *= 1.5
        return found

    def _log1p(self, place: int, node: Node) -> Quantity:
        """log(1 + z), z = Δ/s₀·g: as 1 + z = f/q with f = q + (1−q) g, the slope is q/f and 2/(2+z) ≤ log(1+z)/z ≤ (1 + q/f)/2."""
        (unit, (low, high)), (p, q) = self.values[node.args[0]], self.cube.q
        if unit != ARGUMENT:
            raise ValueError(f"node {place}: the argument of the logarithm is not the difference over something like s0")
        least, most = ([g + end * (1 - g) for end in (p, q)] for g in (low, high))
        slope: Unit = (0, 0, 0, 1, 0)
        self.slopes[place] = Quantity(slope, Interval(np.minimum(*least), np.maximum(*most)).reciprocal())
        below, above = 2 * p / (2 * p + (1 - p) * high), (1 + np.minimum(q / least[1], 1)) / 2
        return Quantity(unit, Interval(low * below, high * above))


def _from_zero(quantity: Quantity) -> Quantity:
    low, high = quantity.value
    return Quantity(quantity.unit, Interval(np.minimum(low, 0), np.maximum(high, 0)))
