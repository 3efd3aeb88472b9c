"""The walk over a program that the interpreters share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from certify.exact.program import Node, Program, ProgramError


class Interpreter(NamedTuple):
    """What the operations are, how a constant is understood, and the name for messages."""

    name: str
    operations: Mapping[str, Callable[..., Any]]
    constant: Callable[[Fraction], Any]

    def nodes(self, program: Program, values: Mapping[str, Any]) -> list[Any]:
        """The value of every node. Raises ProgramError for an operation that the interpreter does not know."""
        arguments, found = program.arguments(values), []
        for place, node in enumerate(program.nodes):
            found.append(self.value(place, node, found, arguments))
        return found

    def outputs(self, program: Program, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of the outputs. Raises ProgramError for an operation that the interpreter does not know."""
        found = self.nodes(program, values)
        return tuple(found[place] for place in program.outputs)

    def value(self, place: int, node: Node, found: Sequence[Any], arguments: Mapping[str, Any]) -> Any:
        """The value of one node, from those of the nodes before it."""
        if node.op == "input":
            return arguments[node.value]
        if node.op == "constant":
            return self.constant(Fraction(node.value))
        if node.op not in self.operations:
            raise ProgramError(f"node {place}: the {self.name} interpreter has no operation {node.op}")
        return self.operations[node.op](*(found[argument] for argument in node.args))
