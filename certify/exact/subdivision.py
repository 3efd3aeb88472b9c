"""Positivity on the unit box by interval evaluation in Arb balls and bisection: slower than Bernstein, and independent of it."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.expression import evaluate
from certify.exact.positivity import MAX_BOXES, MAX_DEPTH, UNIT, Box, Gap, Tiling, halves
from certify.exact.truth import Truth, less
from certify.exact.truth import positive as is_positive


def prove(form: str, variables: tuple[str, ...], precision: int = 128) -> Tiling | Gap:
    """Tile the unit box so that on every leaf the ball value of ``form``, an expression in the variables, is positive."""
    tree: list[int] = []
    stack: list[Box] = [(UNIT,) * len(variables)]
    with working_precision(precision):
        while stack:
            box = stack.pop()
            value = evaluate(form, dict(zip(variables, map(_ball, box), strict=True)), arb, power)
            if is_positive(value) is Truth.YES:
                tree.append(0)
                continue
            axis = max(range(len(box)), key=lambda a: box[a][1] - box[a][0])
            negative = less(value, 0) is Truth.YES
            if negative or len(tree) > MAX_BOXES or box[axis][1] - box[axis][0] < Fraction(1, 2**MAX_DEPTH):
                return Gap(box, false=negative)
            tree.append(-1 - axis)
            stack += reversed(halves(box, axis))
    return Tiling(tuple(tree))


def power(base: arb, n: int) -> arb:
    """base^n by multiplication: Arb's own power of a ball that contains zero is nan."""
    result = base
    for _ in range(n - 1):
        result = result * base
    return result


def _ball(side: tuple[Fraction, Fraction]) -> arb:
    low, high = (arb(fmpq(end.numerator, end.denominator)) for end in side)
    return low.union(high)
