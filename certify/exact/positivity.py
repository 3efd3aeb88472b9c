"""Positivity of polynomials on the unit box, by Bernstein coefficients on a bisection tree.

A polynomial p(u, v) of degrees (k, l) has p = Σ b_ij C(k,i) u^i (1−u)^{k−i} C(l,j) v^j (1−v)^{l−j}, so p > 0 on [0,1]² if all
b_ij > 0, and the four corner coefficients are values of p. Halving the box and changing the basis are multiplications by
fixed integer matrices (Farouki, *The Bernstein polynomial basis: a centennial retrospective*, CAGD 29, 2012, §§ 4–5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from flint import fmpq_mpoly, fmpz_mat

MAX_DEPTH = 60
MAX_BOXES = 20_000

Box = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class Tiling:
    """A preorder bisection tree whose leaves name an alternative that is positive there; see :class:`certify.exact.theorem.Bernstein`."""

    tree: tuple[int, ...]


@dataclass(frozen=True)
class Gap:
    """The smallest box on which no alternative was shown positive.

    ``false`` says that some point of it makes every alternative ≤ 0: the inequality itself fails there, which need
    not refute the theorem that it was to prove.
    """

    box: Box
    false: bool


@cache
def to_bernstein_matrix(size: int) -> fmpz_mat:
    """L·(C(k,i)/C(n,i)), the integer matrix from the power basis to the Bernstein basis; L a positive integer."""
    n = size - 1
    scale = math.lcm(*(math.comb(n, i) for i in range(size)))
    return fmpz_mat([[math.comb(k, i) * (scale // math.comb(n, i)) for i in range(size)] for k in range(size)])


@cache
def halving_matrices(size: int) -> tuple[fmpz_mat, fmpz_mat]:
    """2^n times de Casteljau's matrices for the lower and the upper half."""
    n = size - 1
    lower = [[math.comb(k, i) << (n - k) if i <= k else 0 for i in range(size)] for k in range(size)]
    return fmpz_mat(lower), fmpz_mat([row[::-1] for row in lower[::-1]])


def coefficients(polynomial: fmpq_mpoly, variables: Sequence[str]) -> list[list[int]]:
    """Integer coefficients of u^i v^j at [i][j], a positive common denominator dropped; one or two variables.

    Raises ValueError for more variables.
    """
    if not 1 <= len(variables) <= 2:
        raise ValueError(f"positivity is proved in one or two variables, not in {len(variables)}: {', '.join(variables)}")
    terms = {tuple(map(int, monomial)): Fraction(int(c.p), int(c.q)) for monomial, c in polynomial.to_dict().items()}
    scale = math.lcm(1, *(c.denominator for c in terms.values()))
    content = math.gcd(*(int(c * scale) for c in terms.values())) or 1
    rows, columns = (1 + max((m[axis] for m in terms), default=0) if axis < len(variables) else 1 for axis in (0, 1))
    return [
        [int(terms.get((i, j)[: len(variables)], Fraction(0)) * scale) // content for j in range(columns)] for i in range(rows)
    ]


def prove(tables: Sequence[list[list[int]]], strict: bool = True) -> Tiling | Gap:
    """Tile the unit box so that on every leaf at least one of the polynomials is positive (nonnegative, unless ``strict``)."""
    boxes = [
        to_bernstein_matrix(len(t)) * fmpz_mat(t) * to_bernstein_matrix(len(t[0])).transpose() for t in tables
    ]
    tree: list[int] = []
    unit = (Fraction(0), Fraction(1))
    stack = [(boxes, (unit, unit))]
    while stack:
        boxes, box = stack.pop()
        label = next((k for k, b in enumerate(boxes) if all(c >= strict for c in b.entries())), None)
        if label is not None:
            tree.append(label)
            continue
        gap = Gap(box, false=False)
        if any(all(b[i, j] < strict for b, i, j in corners) for corners in _corners(boxes)):
            return Gap(box, false=True)
        axis = _widest(boxes, box)
        if len(tree) > MAX_BOXES or box[axis][1] - box[axis][0] < Fraction(1, 2**MAX_DEPTH):
            return gap
        tree.append(-1 - axis)
        stack += reversed(_halves(boxes, box, axis))
    return Tiling(tuple(tree))


def _corners(boxes: Sequence[fmpz_mat]) -> list[list[tuple[fmpz_mat, int, int]]]:
    return [[(b, i * (b.nrows() - 1), j * (b.ncols() - 1)) for b in boxes] for i in (0, 1) for j in (0, 1)]


def _widest(boxes: Sequence[fmpz_mat], box: Box) -> int:
    """The axis of larger width among those on which some polynomial depends; the first where they tie."""
    active = [axis for axis in (0, 1) if any((b.nrows(), b.ncols())[axis] > 1 for b in boxes)] or [0]
    return max(active, key=lambda axis: box[axis][1] - box[axis][0])


def _halves(boxes: Sequence[fmpz_mat], box: Box, axis: int) -> list[tuple[list[fmpz_mat], Box]]:
    low, high = box[axis]
    middle = (low + high) / 2
    parts = [(low, middle), (middle, high)]
    result = []
    for half, part in enumerate(parts):
        if axis == 0:
            pieces = [halving_matrices(b.nrows())[half] * b for b in boxes]
        else:
            pieces = [b * halving_matrices(b.ncols())[half].transpose() for b in boxes]
        result.append((pieces, (part, box[1]) if axis == 0 else (box[0], part)))
    return result
