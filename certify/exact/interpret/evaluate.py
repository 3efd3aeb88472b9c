"""The walk over a program that the interpreters share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from certify.exact.program import Program, ProgramError


def nodes(
    program: Program,
    values: Mapping[str, Any],
    operations: Mapping[str, Callable[..., Any]],
    constant: Callable[[Fraction], Any],
    interpreter: str,
) -> list[Any]:
    """The value of every node. Raises ProgramError for an operation that the interpreter does not know."""
    arguments, found = program.arguments(values), []
    for place, node in enumerate(program.nodes):
        if node.op == "input":
            found.append(arguments[node.value])
        elif node.op == "constant":
            found.append(constant(Fraction(node.value)))
        elif node.op in operations:
            found.append(operations[node.op](*(found[argument] for argument in node.args)))
        else:
            raise ProgramError(f"node {place}: the {interpreter} interpreter has no operation {node.op}")
    return found


def outputs(program: Program, found: Sequence[Any]) -> tuple[Any, ...]:
    """The values of the outputs among those of all nodes."""
    return tuple(found[place] for place in program.outputs)
