"""Positivity of polynomials on the unit box, by Bernstein coefficients on a bisection tree.

A polynomial p(u, v) of degrees (k, l) has p = Σ b_ij C(k,i) u^i (1−u)^{k−i} C(l,j) v^j (1−v)^{l−j}, so p > 0 on [0,1]² if all
b_ij > 0, and the four corner coefficients are values of p; likewise in any number of variables. Halving the box and changing
the basis are multiplications by fixed integer matrices along an axis (Farouki, *The Bernstein polynomial basis: a centennial
retrospective*, CAGD 29, 2012, §§ 4–5).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from flint import fmpq, fmpq_mpoly, fmpz, fmpz_mat

MAX_DEPTH = 60
MAX_BOXES = 20_000
NEGLIGIBLE = 100  # an axis is not halved while another one has so many times its variation

Box = tuple[tuple[Fraction, Fraction], ...]
UNIT = (Fraction(0), Fraction(1))


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


@dataclass(frozen=True)
class BernsteinForm:
    """A polynomial's Bernstein coefficients on some box, times a positive integer; the last index runs fastest."""

    shape: tuple[int, ...]
    entries: list[fmpz]

    @classmethod
    def of(cls, table: list) -> BernsteinForm:
        """On the unit box, from nested lists of coefficients in the power basis."""
        shape, entries = [len(table)], table
        while isinstance(entries[0], list):
            shape.append(len(entries[0]))
            entries = list(itertools.chain.from_iterable(entries))
        form = cls(tuple(shape), entries)
        for axis, size in enumerate(shape):
            form = form.along(axis, to_bernstein_matrix(size))
        return form

    def along(self, axis: int, matrix: fmpz_mat) -> BernsteinForm:
        """Every line along the axis, multiplied by the matrix."""
        n, stride = self.shape[axis], math.prod(self.shape[axis + 1 :])
        if stride == 1:
            lines = fmpz_mat(len(self.entries) // n, n, self.entries)
            return BernsteinForm(self.shape, (lines * matrix.transpose()).entries())
        blocks = [self.entries[i : i + n * stride] for i in range(0, len(self.entries), n * stride)]
        products = [(matrix * fmpz_mat(n, stride, block)).entries() for block in blocks]
        return BernsteinForm(self.shape, list(itertools.chain.from_iterable(products)))

    def halves(self, axis: int) -> list[BernsteinForm]:
        """On the lower and on the upper half of the box."""
        return [self.along(axis, matrix) for matrix in halving_matrices(self.shape[axis])]

    def variation(self, axis: int) -> float:
        """The steepest slope of the control polygon along the axis, relative to the largest coefficient: a guide, not evidence."""
        n, stride = self.shape[axis], math.prod(self.shape[axis + 1 :])
        largest = max(abs(c) for c in self.entries)
        if n == 1 or largest == 0:
            return 0.0
        steps = (abs(b - a) for a, b in zip(self.entries, self.entries[stride:], strict=False))
        inside = (step for i, step in enumerate(steps) if i // stride % n < n - 1)
        return float(fmpq((n - 1) * max(inside), largest))

    def corners(self) -> Iterator[fmpz]:
        """Positive multiples of the values at the box's corners, in the same order for every form."""
        for corner in itertools.product(*((0, n - 1) for n in self.shape)):
            yield self.entries[sum(i * math.prod(self.shape[axis + 1 :]) for axis, i in enumerate(corner))]


def coefficients(polynomial: fmpq_mpoly, variables: Sequence[str]) -> list:
    """Integer coefficients as nested lists, that of u^i v^j… at [i][j]…, a positive common factor dropped."""
    terms = {tuple(map(int, monomial)): Fraction(int(c.p), int(c.q)) for monomial, c in polynomial.to_dict().items()}
    if any(any(monomial[len(variables) :]) for monomial in terms):
        raise ValueError(f"{polynomial} is not a polynomial in {', '.join(variables)}")
    terms = {monomial[: len(variables)]: c for monomial, c in terms.items()}
    scale = math.lcm(1, *(c.denominator for c in terms.values()))
    content = math.gcd(*(int(c * scale) for c in terms.values())) or 1
    shape = [1 + max((monomial[axis] for monomial in terms), default=0) for axis in range(len(variables))]

    def nested(monomial: tuple[int, ...]) -> Any:
        if len(monomial) < len(shape):
            return [nested((*monomial, i)) for i in range(shape[len(monomial)])]
        return int(terms.get(monomial, Fraction(0)) * scale) // content

    return nested(())


def prove(tables: Sequence[list], strict: bool = True) -> Tiling | Gap:
    """Tile the unit box so that on every leaf at least one of the polynomials is positive (nonnegative, unless ``strict``)."""
    forms = [BernsteinForm.of(table) for table in tables]
    tree: list[int] = []
    stack: list[tuple[list[BernsteinForm], Box]] = [(forms, (UNIT,) * len(forms[0].shape))]
    while stack:
        forms, box = stack.pop()
        label = next((k for k, form in enumerate(forms) if all(c >= strict for c in form.entries)), None)
        if label is not None:
            tree.append(label)
            continue
        if any(all(value < strict for value in values) for values in zip(*(f.corners() for f in forms), strict=True)):
            return Gap(box, false=True)
        axis = _axis(forms, box)
        if len(tree) > MAX_BOXES or box[axis][1] - box[axis][0] < Fraction(1, 2**MAX_DEPTH):
            return Gap(box, false=False)
        tree.append(-1 - axis)
        parts = zip(*(form.halves(axis) for form in forms), strict=True)
        stack += reversed([(list(half), part) for half, part in zip(parts, halves(box, axis), strict=True)])
    return Tiling(tuple(tree))


def _axis(forms: Sequence[BernsteinForm], box: Box) -> int:
    """The widest side of the box along which the forms still vary, by their control polygons; the first where they tie."""
    variation = [sum(form.variation(axis) for form in forms) for axis in range(len(box))]
    alive = [axis for axis, v in enumerate(variation) if v * NEGLIGIBLE >= max(variation)]
    return max(alive, key=lambda axis: box[axis][1] - box[axis][0])


def halves(box: Box, axis: int) -> tuple[Box, Box]:
    """The lower and the upper half."""
    low, high = box[axis]
    middle = (low + high) / 2
    return (*box[:axis], (low, middle), *box[axis + 1 :]), (*box[:axis], (middle, high), *box[axis + 1 :])
