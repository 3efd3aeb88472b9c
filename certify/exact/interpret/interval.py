"""Arb intervals: enclosures of a program's outputs over boxes of inputs, and their sign by bisection.

Monotone functions are enclosed by their values at the end points, which keeps their width: Arb's Bessel functions lose nearly all digits on
wide balls (at 10 ± 0.1 one digit of exp(−x) I₀(x) is left). exp(−x) I₀(x) decreases for x ≥ 0 and I₁/I₀ increases there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact.interpret import ball
from certify.exact.interpret.evaluate import Interpreter
from certify.exact.number import Number, exact, magnitude
from certify.exact.program import Program, ProgramError
from certify.exact.truth import sign

MOST_BOXES = 10_000
Side = tuple[fmpq, fmpq]
Box = dict[str, Side]
"""For each input the end points of its interval."""


@dataclass(frozen=True)
class Answer:
    """What bisection found: a sign, or None and a box on which it is not decided; and the number of boxes looked at."""

    value: int | None
    boxes: int
    undecided: Box | None = None


def box(sides: Mapping[str, Number | tuple[Number, Number]]) -> Box:
    """Exact end points; one number stands for a side of no width. Raises ProgramError where the ends are exchanged."""
    found = {}
    for name, side in sides.items():
        low, high = map(exact, side if isinstance(side, tuple) else (side, side))
        if low > high:
            raise ProgramError(f"the interval of {name} ends before it begins")
        found[name] = (low, high)
    return found


def evaluate(program: Program, on: Box) -> tuple[arb, ...]:
    """Enclosures of the outputs on the box, without subdivision."""
    return INTERVAL.outputs(program, sides(on))


def sides(on: Box) -> dict[str, arb]:
    """The sides of the box as balls."""
    return {name: hull(*side) for name, side in on.items()}


def hull(low: fmpq, high: fmpq) -> arb:
    return arb(low) if low == high else arb(low).union(arb(high))


def proved_sign(program: Program, on: Box, output: int = 0, most: int = MOST_BOXES) -> Answer:
    """The sign of an output where it is the same on the whole box, found by bisection into ``most`` boxes at most."""
    found, stack, looked = None, [on], 0
    while stack:
        here, looked = stack.pop(), looked + 1
        known = sign(evaluate(program, here)[output])
        if known is not None and known == (found if found is not None else known):
            found = known
        elif known is not None or looked >= most or not (halves := bisect(here)):
            return Answer(None, looked, here)
        else:
            stack.extend(halves)
    return Answer(found, looked)


def bisect(on: Box) -> list[Box]:
    """The two halves of the box across its longest side, the lower one last; none where every side is a point."""
    name = max(on, key=lambda each: _length(on[each]))
    low, high = on[name]
    if low == high:
        return []
    middle = _middle(low, high)
    return [{**on, name: (middle, high)}, {**on, name: (low, middle)}]


def _length(side: Side) -> tuple[bool, fmpq]:
    """Relative to the greatest distance from zero, a side of no width being the shortest."""
    low, high = side
    return low < high, (high - low) / max(abs(low), abs(high), fmpq(1)) if low < high else fmpq(0)


def _middle(low: fmpq, high: fmpq) -> fmpq:
    """Zero where it lies inside; one if the interval goes on from zero beyond it; a power of two between ends far apart; the middle."""
    if low < 0 < high:
        return fmpq(0)
    if high <= 0:
        return -_middle(-high, -low)
    if low == 0:
        return min(high / 2, fmpq(1))
    return fmpq(2) ** ((magnitude(low) + magnitude(high)) // 2) if high >= 4 * low else (low + high) / 2


def increasing(function: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """A function that increases, or decreases, on the whole interval, from its values at the end points."""

    def apply(a: arb) -> arb:
        return function(a) if a.is_exact() else function(a.lower()).union(function(a.upper()))

    return apply


def bessel_quotient(a: arb) -> arb:
    """I₁/I₀, odd and increasing."""
    return increasing(lambda x: ball.bessel_i1e(x) / ball.bessel_i0e(x))(a)


def bessel_i0e(a: arb) -> arb:
    return increasing(ball.bessel_i0e)(ball.magnitude(a))


def bessel_i1e(a: arb) -> arb:
    return ball.bessel_i1e(a) if a.is_exact() else bessel_i0e(a) * bessel_quotient(a)


def lgamma(a: arb) -> arb:
    """log Γ for positive arguments: it is convex, so it lies above its tangents, and its greatest value is at an end."""
    ends = (a.lower(), a.upper())
    if a.is_exact() or sign(a) != 1:
        return ball.OPERATIONS["lgamma"](a)
    values, slopes = [end.lgamma() for end in ends], [end.digamma() for end in ends]
    if sign(slopes[0]) == 1 or sign(slopes[1]) == -1:
        return values[0].union(values[1])
    middle = a.mid()
    tangent = middle.lgamma() + middle.digamma() * (a - middle)
    return values[0].union(values[1]).union(tangent.lower().min(values[0].lower()))


def hypot(a: arb, b: arb) -> arb:
    """√(a² + b²), which increases in |a| and in |b|."""
    if a.is_exact() and b.is_exact():
        return ball.OPERATIONS["hypot"](a, b)
    ends = [(each.lower(), each.upper()) for each in (ball.magnitude(a), ball.magnitude(b))]
    low, high = (ball.OPERATIONS["hypot"](_clipped(x), _clipped(y)) for x, y in zip(*ends, strict=True))
    return low.union(high)


def _clipped(a: arb) -> arb:
    """The lower end of a magnitude, which rounding may have put below zero."""
    return a.max(arb(0))


def sqrt(a: arb) -> arb:
    return increasing(arb.sqrt)(a)


OPERATIONS: dict[str, Callable[..., arb]] = ball.OPERATIONS | {
    **{op: increasing(getattr(arb, op)) for op in ("rsqrt", "exp", "expm1", "log", "log1p", "erf", "erfc", "atan", "sinh", "tanh")},
    "sigmoid": increasing(ball.OPERATIONS["sigmoid"]),
    "digamma": lambda a: increasing(arb.digamma)(a) if sign(a) == 1 else a.digamma(),
    "cosh": lambda a: increasing(arb.cosh)(ball.magnitude(a)),
    "sqrt": sqrt,
    "hypot": hypot,
    "lgamma": lgamma,
    "i0e": bessel_i0e,
    "i1e": bessel_i1e,
}
INTERVAL = Interpreter("interval", OPERATIONS, ball.constant)
