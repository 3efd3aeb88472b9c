"""How the nodes of a program scale, and which of them round: what both sweeps need to know of the program itself.

A node of degree d is s^d times a function of t = ν/s and ε = 1/ν, up to rounding errors: 1 for x, ν, s, ν+s, 0 for numbers, −1 for 1/s.
A factor 1/s = tε makes degrees meet: in sums of different degrees, and in products that would fall below the degree of the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.exact.program import Node, ProgramError, nearest, power_of_two
from certify.exact.rounding.theorem import Rounding

HALF, CONSTANT = Fraction(1, 2), Fraction(501, 1000)
MOST = 8
DEGREES = {"1": 0, "1/s": -1}


@dataclass(frozen=True)
class Scaled:
    """A node: its operation, with ``x'`` for min(x, x_max) and ``squares`` for x′² + ν²; the powers of 1/s that its arguments get, or its
    product; its error in ulps, None where it is exact; whether its computed value is at most 1, as a quotient of floats a ≤ b.
    """

    op: str
    args: tuple[int, ...] = ()
    degree: int = 0
    lift: tuple[int, ...] = ()
    ulps: Fraction | None = None
    value: Fraction = Fraction(0)
    capped: bool = False


class Scaling:
    """The nodes of a theorem's program, scaled. Raises ProgramError, naming the node, where the method does not apply."""

    def __init__(self, theorem: Rounding, digits: int, power_of_two: bool) -> None:
        self.program, self.unit, self.digits = theorem.program, DEGREES[theorem.unit], digits
        self.ulps = {op: Fraction(text) for op, text in theorem.profile.ulps.items()}
        self.monotone = "hypot" in theorem.profile.monotone or self.ulps.get("hypot") == HALF
        self.power_of_two = power_of_two
        self.places: dict[str, int] = {}
        self.above: dict[int, frozenset[int]] = {}
        self.nodes: list[Scaled] = []
        for place, node in enumerate(self.program.nodes):
            self.nodes.append(self._scaled(place, node))
        self.output = self.program.outputs[0]
        if self.nodes[self.output].degree != self.unit:
            raise ProgramError(f"node {self.output}: the output does not scale as the bound {theorem.unit} does")

    def _scaled(self, place: int, node: Node) -> Scaled:
        rule = getattr(self, f"_{node.op}", None)
        if rule is None:
            raise ProgramError(f"node {place}: no rounding rule for {node.op}")
        try:
            return _within_range(place, rule(place, node))
        except KeyError as error:
            raise ProgramError(f"node {place}: the profile has no bound for {error.args[0]}") from None

    def _input(self, place: int, node: Node) -> Scaled:
        if node.value == "nu":
            self.places["nu"], self.above[place] = place, frozenset([place])
        return Scaled(node.value, degree=1)

    def _constant(self, place: int, node: Node) -> Scaled:
        value = Fraction(node.value)
        return Scaled("constant", value=value, ulps=None if nearest(value, self.digits) == value else CONSTANT)

    def _min(self, place: int, node: Node) -> Scaled:
        if [self.nodes[a].op for a in node.args] != ["x", "x_max"]:
            raise ProgramError(f"node {place}: min is for min(x, x_max)")
        self.places["x'"], self.above[place] = place, frozenset([place])
        return Scaled("x'", degree=1)

    def _hypot(self, place: int, node: Node) -> Scaled:
        self._root(place, set(node.args), self.monotone)
        return Scaled("hypot", node.args, 1, ulps=self.ulps["hypot"])

    def _sqrt(self, place: int, node: Node) -> Scaled:
        if self.nodes[node.args[0]].op != "squares":
            raise ProgramError(f"node {place}: sqrt is for the sum of the squares of min(x, x_max) and nu")
        self._root(place, set(self._lengths()), all(self.ulps[op] == HALF for op in ("mul", "add", "sqrt")))
        return Scaled("sqrt", node.args, 1, ulps=self.ulps["sqrt"])

    def _neg(self, place: int, node: Node) -> Scaled:
        return Scaled("neg", node.args, self.nodes[node.args[0]].degree)

    def _add(self, place: int, node: Node) -> Scaled:
        if self._squares(node):
            return Scaled("squares", node.args, 2, (0, 0), self.ulps["add"])
        if self.ulps["add"] == HALF and self.above.keys() >= set(node.args):
            self.above[place] = frozenset([place]).union(*(self.above[a] for a in node.args))
        return self._sum(node)

    def _sub(self, place: int, node: Node) -> Scaled:
        return self._sum(node)

    def _mul(self, place: int, node: Node) -> Scaled:
        degrees = [self.nodes[a].degree for a in node.args]
        degree = max(sum(degrees), self.unit)
        exact = self.ulps["mul"] == HALF and any(self._shifts(self.nodes[a]) for a in node.args)
        return Scaled("mul", node.args, degree, (degree - sum(degrees),), None if exact else self.ulps["mul"])

    def _div(self, place: int, node: Node) -> Scaled:
        above, below = (self.nodes[a] for a in node.args)
        natural = above.degree - below.degree
        degree = natural if above.op == "constant" and natural == -1 else max(natural, self.unit)
        capped = self.ulps["div"] == HALF and node.args[0] in self.above.get(node.args[1], ())
        return Scaled("div", node.args, degree, (degree - natural,), self.ulps["div"], capped=capped)

    def _sum(self, node: Node) -> Scaled:
        degrees = [self.nodes[a].degree for a in node.args]
        return Scaled(node.op, node.args, max(degrees), tuple(max(degrees) - d for d in degrees), self.ulps[node.op])

    def _root(self, place: int, lengths: set[int], dominates: bool) -> None:
        if lengths != set(self._lengths()) or len(lengths) != 2:
            raise ProgramError(f"node {place}: a root is one of min(x, x_max) and nu")
        self.above[place] = frozenset([place, *(lengths if dominates else ())])

    def _lengths(self) -> tuple[int, ...]:
        return tuple(self.places[name] for name in ("x'", "nu") if name in self.places)

    def _squares(self, node: Node) -> bool:
        parts = [self.nodes[a] for a in node.args]
        return all(p.op == "mul" and p.args[0] == p.args[1] for p in parts) and {p.args[0] for p in parts} == set(self._lengths())

    def _shifts(self, node: Scaled) -> bool:
        """Whether a product with it only changes the exponent."""
        if node.op == "nu":
            return self.power_of_two
        return node.op == "constant" and power_of_two(node.value)


def _within_range(place: int, node: Scaled) -> Scaled:
    """Raises ProgramError where a node scales too differently from numbers and lengths."""
    if not (-1 <= node.degree <= MOST and all(0 <= power <= 2 for power in node.lift)):
        raise ProgramError(f"node {place}: {node.op} scales like s^{node.degree - max(node.lift, default=0)}, too far from a number")
    return node
