"""Interval evaluation and bisection, against polynomials whose signs are known."""

from fractions import Fraction

import pytest
from flint import arb

from certify.exact.expression import evaluate
from certify.exact.positivity import Gap, Tiling
from certify.exact.subdivision import power, prove
from certify.exact.truth import Truth, less


@pytest.mark.parametrize("form", ["1 + u", "(u - 1/2)**2 + 1/100", "u**3*v - u*v**3 + 1/2", "1/(1 + u) - 1/(3 + v)"])
def test_positive_forms_are_proved(form):
    assert isinstance(prove(form, ("u", "v")), Tiling)


@pytest.mark.parametrize("form", ["u - 1/100", "(u - 1/3)**2 - 1/1000", "1/2 - u**2", "1/10 - u*v", "u*v - 2"])
def test_a_false_form_is_not_proved_and_called_false_only_where_it_is(form):
    gap = prove(form, ("u", "v"))
    assert isinstance(gap, Gap)
    middle = {name: (low + high) / 2 for name, (low, high) in zip(("u", "v"), gap.box, strict=True)}
    assert not gap.false or evaluate(form, middle, Fraction) < 0


def test_a_form_that_is_negative_throughout_is_called_false():
    gap = prove("u*v - 2", ("u", "v"))
    assert isinstance(gap, Gap)
    assert gap.false


def test_a_zero_inside_is_neither_proved_nor_called_false():
    gap = prove("(3*u - 1)**2", ("u",))
    assert isinstance(gap, Gap)
    assert not gap.false


@pytest.mark.parametrize("n", range(1, 6))
def test_powers_are_powers_and_enclose(n):
    assert power(arb(3), n) == 3**n
    assert power(arb(0, 1), n).contains(arb(-1) ** n)
    assert less(abs(power(arb(0, 1), n)), 2) is Truth.YES
