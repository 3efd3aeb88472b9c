"""Sections 3 and 4 of ROUNDING.md once more, in rationals, of a program that the checker has read: what its sweeps are compared with."""

import itertools
import math
import operator
from collections import defaultdict
from fractions import Fraction

HALF, ONE = Fraction(1, 2), (Fraction(1), Fraction(1))


def hull(function, *intervals):
    """Of a function that is monotone in each argument."""
    values = [function(*corner) for corner in itertools.product(*intervals)]
    return min(values), max(values)


def product(a, b):
    return hull(operator.mul, a, b)


def power_of_two_up_to(number: Fraction, strictly: bool) -> Fraction:
    j = math.floor(math.log2(number)) if number else -200
    while Fraction(2) ** (j + 1) < number or (Fraction(2) ** (j + 1) == number and not strictly):
        j += 1
    while Fraction(2) ** j > number or (Fraction(2) ** j == number and strictly):
        j -= 1
    return Fraction(2) ** j


def error(ulps, size, degree, f, u):
    """The bound of a rounding error over s^degree, of results up to this size."""
    if ulps is None:
        return Fraction(0)
    binade = lambda number: power_of_two_up_to(number, ulps == HALF)  # noqa: E731
    if degree == 0:
        return 2 * ulps * u * binade(size)
    if degree in (1, -1) and f[0] > 0:
        largest, least = (1 / f[0], 1 / f[1]) if degree == 1 else (f[1], f[0])
        return min(2 * ulps * u * size, 2 * ulps * u * binade(size * largest) / least)
    return 2 * ulps * u * size


def operation(program, node, parts, caps, lengths, f, u):
    """The exact result, the cap of what is computed, the derivatives."""
    lifts = [product(ONE, ONE) if n == 0 else f if n == 1 else product(f, f) for n in node.lift or ()]
    match node.op:
        case "constant":
            return (node.value, node.value), None, []
        case "hypot":
            return ONE, None, [(Fraction(0), Fraction(1))] * 2
        case "squares":
            width = 2 * program.ulps["mul"] * u
            return (1 - width, 1 + width), None, [ONE, ONE]
        case "sqrt":
            low, high = (Fraction(math.isqrt(int(end * 4**100)), 2**100) for end in parts[0])
            return (low, high), None, [(1 / (2 * high), 1 / (2 * low))]
        case "add" | "sub":
            a, b = map(product, parts, lifts)
            if node.op == "add":
                return (a[0] + b[0], a[1] + b[1]), None, lifts
            cap = caps[0] if b[0] >= 0 and node.degree == 0 and node.ulps == HALF else None
            return (a[0] - b[1], a[1] - b[0]), cap, [lifts[0], (-lifts[1][1], -lifts[1][0])]
        case "mul":
            return product(product(*parts), lifts[0]), None, [product(part, lifts[0]) for part in parts[::-1]]
        case "div":
            inverse = 1 / parts[1][1], 1 / parts[1][0]
            value = product(parts[0], inverse)
            slope = product(value, (-inverse[1], -inverse[0]))
            return product(value, lifts[0]), 1 if node.capped else None, [product(inverse, lifts[0]), product(slope, lifts[0])]
    return lengths.get(node.op, (Fraction(0), Fraction(0))), None, []


def sweeps(program, x, t, eps, u):
    """The sum of sup|adjoint|*error, and the largest size of the output, without underflow."""
    f, swept, lengths = product(t, eps), [], {"x'": x, "nu": t}
    for node in program.nodes:
        (low, high), cap, factors = operation(
            program, node, [swept[a][0] for a in node.args], [swept[a][2] for a in node.args], lengths, f, u
        )
        size = max(-low, high if cap is None else min(high, cap))
        wide = error(node.ulps, size, node.degree or 0, f, u)
        keeps = node.ulps in (None, HALF)
        value = max(low - wide, 0) if keeps and low >= 0 else low - wide, min(high + wide, 0) if keeps and high <= 0 else high + wide
        swept.append((value, wide, cap, factors))
    adjoints, total = defaultdict(lambda: (Fraction(0), Fraction(0)), {program.output: ONE}), Fraction(0)
    for place in range(program.output, -1, -1):
        total += max(map(abs, adjoints[place])) * swept[place][1]
        for a, factor in zip(program.nodes[place].args, swept[place][3], strict=True):
            low, high = product(adjoints[place], factor)
            adjoints[a] = adjoints[a][0] + low, adjoints[a][1] + high
    (low, high), _, cap, _ = swept[program.output]
    return total, max(-low, high if cap is None else min(high, cap))
