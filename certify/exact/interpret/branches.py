"""Programs without choices: on a box on which every choice has one outcome, the program that computes the same there.

|a| becomes a or −a, min and max one of their arguments, comparisons 1 or 0; exp(−|x|) I₀(x) is left for x > 0, and becomes its mirror image
for x < 0. What remains is analytic wherever it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from flint import arb, fmpq

from certify.exact.interpret.interval import INTERVAL, MOST_BOXES, Box, bisect, sides
from certify.exact.program import Builder, Program, ProgramError, Value
from certify.exact.truth import Truth, less, sign

CHOICES = ("abs", "sign", "min", "max", "select", "less", "less_equal", "equal", "i0e", "i1e")


Outcomes = tuple[int | None, ...]
"""For each node 1, −1 or 0 where it is a choice that is made, None where it is open; for other nodes 0."""

WAYS = {**dict.fromkeys(("abs", "i0e", "i1e"), (1, -1)), "sign": (1, 0, -1), **dict.fromkeys(CHOICES[2:8], (1, 0))}
"""The outcomes that there are; those of equal are "other" and "equal"."""


class OpenChoice(ProgramError):
    """A choice that an output needs, the node ``place``, has both outcomes on the box, or its value is not enclosed."""

    def __init__(self, place: int, op: str) -> None:
        super().__init__(f"node {place}: the outcome of {op} is open")
        self.place = place


def outcomes(program: Program, on: Box, error: Callable[[int, Outcomes], arb] | None = None) -> Outcomes:
    """The outcomes on the box. Where the program is computed with errors, ``error`` bounds that of a node, given the outcomes before it."""
    values = INTERVAL.nodes(program, sides(on))
    found: list[int | None] = []
    for node in program.nodes:
        if node.op in CHOICES:
            looked_at = node.args[:1] if node.op == "select" else node.args
            args = [values[a] if error is None else values[a] + error(a, tuple(found)) for a in looked_at]
            found.append(_outcome(node.op, args))
        else:
            found.append(0)
    return tuple(found)


def alternatives(program: Program, known: Outcomes, most: int) -> list[Program]:
    """The programs without choices, one for each way in which open choices may come out. Raises OpenChoice for more than ``most``."""
    found, stack, outputs = list[Program](), [known], tuple(range(len(program.outputs)))
    while stack:
        here = stack.pop()
        try:
            found.append(_without(program, here, outputs))
        except OpenChoice as error:
            if len(found) + len(stack) >= most:
                raise
            op = program.nodes[error.place].op
            stack += [(*here[: error.place], outcome, *here[error.place + 1 :]) for outcome in WAYS[op]]
    return found


def resolved(program: Program, on: Box, outputs: tuple[int, ...] | None = None) -> Program:
    """The program of some of the outputs (all unless given) without choices. Raises OpenChoice."""
    wanted = tuple(range(len(program.outputs))) if outputs is None else outputs
    if not any(node.op in CHOICES for node in program.nodes):
        return _without(program, (0,) * len(program.nodes), wanted)
    return _without(program, outcomes(program, on), wanted)


def _outcome(op: str, args: Sequence[arb]) -> int | None:
    """1, −1 or 0 for a choice by sign or comparison; None where it is open."""
    if op in ("abs", "sign", "i0e", "i1e", "equal"):
        return sign(args[0] - args[1] if op == "equal" else args[0])
    if op == "select":
        return _number(less(0, args[0]))
    if op == "less_equal":
        above = _number(less(args[1], args[0]))
        return None if above is None else 1 - above
    return _number(less(args[0], args[1]))


def _number(truth: Truth) -> int | None:
    return None if truth is Truth.UNKNOWN else int(truth is Truth.YES)


@lru_cache(maxsize=64)
def _without(program: Program, outcomes: Outcomes, outputs: tuple[int, ...]) -> Program:
    builder = Builder()
    needed = _needed(program, outcomes, [program.outputs[k] for k in outputs])
    places: dict[int, Value] = {}
    for place, node in enumerate(program.nodes):
        if node.op == "input":
            (places[place],) = builder.inputs(node.value)
        elif place in needed:
            outcome, args = outcomes[place], [places[a] for a in _arguments(program, outcomes, place)]
            places[place] = builder.node(node) if node.op == "constant" else _chosen(builder, node.op, outcome, args)
    return builder.program(*(places[program.outputs[k]] for k in outputs)).canonical()


def _needed(program: Program, outcomes: Outcomes, outputs: Sequence[int]) -> set[int]:
    """The nodes that the outputs need. Raises OpenChoice where one of them is an open choice."""
    found: set[int] = set()
    stack = list(outputs)
    while stack:
        place = stack.pop()
        if place in found:
            continue
        if outcomes[place] is None:
            raise OpenChoice(place, program.nodes[place].op)
        found.add(place)
        stack.extend(_arguments(program, outcomes, place))
    return found


def _arguments(program: Program, outcomes: Outcomes, place: int) -> tuple[int, ...]:
    """The arguments that count once the choice is made."""
    node, outcome = program.nodes[place], outcomes[place]
    if node.op == "select":
        return (node.args[1] if outcome else node.args[2],)
    if node.op in ("min", "max"):
        return (node.args[0] if (outcome == 1) == (node.op == "min") else node.args[1],)
    return () if node.op in ("sign", "less", "less_equal", "equal") else node.args


def _chosen(builder: Builder, op: str, outcome: int | None, args: list[Value]) -> Value:
    if op in ("select", "min", "max"):
        return args[0]
    if op in ("sign", "less", "less_equal"):
        return builder.constant(outcome or 0)
    if op == "equal":
        return builder.constant(int(outcome == 0))
    if op == "abs":
        return -args[0] if outcome == -1 else args[0]
    if op in ("i0e", "i1e") and outcome == -1:
        mirrored = builder.call(op, -args[0])
        return mirrored if op == "i0e" else -mirrored
    return builder.call(op, *args)


@dataclass(frozen=True)
class Pieces:
    """Boxes that cover a box with the programs that hold on them, and the boxes left on which a choice stays open."""

    closed: tuple[tuple[Box, Program], ...]
    open: tuple[Box, ...]


def pieces(program: Program, on: Box, narrowest: fmpq, most: int = MOST_BOXES) -> Pieces:
    """Bisect the box until the choices are made, or a side is narrower than ``narrowest``, or there are ``most`` boxes."""
    closed: list[tuple[Box, Program]] = []
    still_open: list[Box] = []
    stack = [on]
    while stack:
        here = stack.pop()
        try:
            closed.append((here, resolved(program, here)))
        except OpenChoice:
            narrow = max(high - low for low, high in here.values()) <= narrowest
            halves = [] if narrow or len(closed) + len(still_open) + len(stack) >= most else bisect(here)
            still_open += [] if halves else [here]
            stack += halves
    return Pieces(tuple(closed), tuple(still_open))
