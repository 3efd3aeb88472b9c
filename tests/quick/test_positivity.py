"""Bernstein positivity: against exact values, against another way to halve, and on inequalities that are false."""

import itertools
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.exact.positivity import BernsteinForm, Gap, Tiling, coefficients, prove
from certify.exact.rational import ring

NAMES = ("u", "v", "w")


def polynomial(text, variables=NAMES[:2]):
    context = ring(variables)
    return eval(text, {name: context.gen(i) for i, name in enumerate(variables)} | {"fmpq": fmpq})


def table(text, variables=NAMES[:2]):
    return coefficients(polynomial(text, variables), variables)


def value(entries, point) -> Any:
    """The polynomial of a nested table at a point, by its definition."""
    if not point:
        return entries
    return sum(value(part, point[1:]) * point[0] ** k for k, part in enumerate(entries))


def leaves(tree, dimension):
    """The boxes and labels of a preorder bisection tree."""
    stack, labels = [((Fraction(0), Fraction(1)),) * dimension], iter(tree)
    for label in labels:
        box = stack.pop()
        if label >= 0:
            yield box, label
            continue
        axis = -1 - label
        low, high = box[axis]
        halves = [(low, (low + high) / 2), ((low + high) / 2, high)]
        stack += [(*box[:axis], half, *box[axis + 1 :]) for half in reversed(halves)]
    assert not stack


def grid(box, steps=3):
    return itertools.product(*([low + (high - low) * Fraction(k, steps) for k in range(steps + 1)] for low, high in box))


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("1 + u - u**2", "u"),
        ("u**2 + v**2 - u*v + fmpq(1, 50)", "uv"),
        ("3*(u - fmpq(1, 3))**2 + (v - fmpq(2, 3))**4 + fmpq(1, 1000)", "uv"),
        ("u*v*w - u - v - w + fmpq(201, 100)", "uvw"),
    ],
)
def test_a_positive_polynomial_is_proved_and_the_leaves_tile_the_box(text, variables):
    entries = table(text, tuple(variables))
    tiling = prove([entries])
    assert isinstance(tiling, Tiling)
    boxes = [box for box, _ in leaves(tiling.tree, len(variables))]
    assert sum(prod(high - low for low, high in box) for box in boxes) == 1
    assert all(value(entries, point) > 0 for box in boxes for point in grid(box))


def test_one_of_several_alternatives_is_enough_and_each_leaf_names_one_that_holds():
    alternatives = [table("u - fmpq(1, 3)"), table("fmpq(1, 2) - u")]
    assert isinstance(prove(alternatives[:1]), Gap)
    tiling = prove(alternatives)
    assert isinstance(tiling, Tiling)
    for box, label in leaves(tiling.tree, 2):
        assert all(value(alternatives[label], point) > 0 for point in grid(box))


@pytest.mark.parametrize("text", ["u - fmpq(1, 3)", "(u - fmpq(1, 3))**2 + v**2 - fmpq(1, 10000)", "u - u + v - v"])
def test_a_false_inequality_is_called_false_on_a_box_where_it_fails(text):
    gap = prove([table(text)])
    assert isinstance(gap, Gap)
    assert gap.false
    assert any(value(table(text), corner) <= 0 for corner in itertools.product(*gap.box))


@pytest.mark.parametrize("strict", [True, False])
def test_a_double_zero_off_the_bisection_points_is_neither_proved_nor_called_false(strict):
    gap = prove([table("(u - fmpq(1, 3))**2", ("u",))], strict)
    assert isinstance(gap, Gap)
    assert not gap.false
    (low, high), *_ = gap.box
    assert low < Fraction(1, 3) < high


def test_a_zero_at_a_bisection_point_is_false_strictly_and_proved_otherwise():
    entries = table("(u - fmpq(1, 2))**2", ("u",))
    assert prove([entries], strict=True) == Gap(((Fraction(0), Fraction(1, 2)),), false=True)
    assert isinstance(prove([entries], strict=False), Tiling)


def test_an_axis_along_which_nothing_changes_is_not_halved():
    tiling = prove([table("(u - fmpq(1, 3))**2 + fmpq(1, 10**6) + fmpq(1, 10**9)*v")])
    assert isinstance(tiling, Tiling)
    assert -2 not in tiling.tree


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=4))
def test_halving_is_substitution(rows):
    """The form on a half box is that of the polynomial with u or v replaced by v/2 or (1 + v)/2, up to a positive factor."""
    u, v = (ring(NAMES[:2]).gen(i) for i in (0, 1))
    p = sum((c * u**i * v**j for i, row in enumerate(rows) for j, c in enumerate(row)), 0 * u)
    if p.is_zero():
        return
    form = BernsteinForm.of(rows)
    for axis, half in itertools.product((0, 1), (0, 1)):
        inner = [u, v]
        inner[axis] = (inner[axis] + half) / 2
        expected = BernsteinForm.of(padded(coefficients(p.compose(*inner), NAMES[:2]), form.shape)).entries
        assert parallel([int(c) for c in form.halves(axis)[half].entries], [int(c) for c in expected])


def padded(entries, shape):
    return [[(entries[i][j] if i < len(entries) and j < len(entries[0]) else 0) for j in range(shape[1])] for i in range(shape[0])]


def parallel(a, b):
    """Whether a = c·b with c > 0."""
    k = next(i for i, c in enumerate(b) if c)
    return a[k] * b[k] > 0 and all(x * b[k] == y * a[k] for x, y in zip(a, b, strict=True))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(-6, 9), min_size=3, max_size=3), min_size=3, max_size=3), st.randoms(use_true_random=False))
def test_the_answer_agrees_with_exact_values(rows, random):
    answer = prove([rows])
    if isinstance(answer, Tiling):
        points = [[Fraction(random.randrange(101), 100) for _ in range(2)] for _ in range(20)]
        assert all(value(rows, point) > 0 for point in points)
    elif answer.false:
        assert any(value(rows, point) <= 0 for point in itertools.product(*answer.box))


def test_coefficients_are_integers_without_a_common_factor():
    assert table("fmpq(2, 3)*u*v - fmpq(4, 5)") == [[-6, 0], [0, 5]]
    assert table("u**2", ("u", "v", "w")) == [[[0]], [[0]], [[1]]]
