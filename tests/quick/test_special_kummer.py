"""The edges of log_kummer and the steps of watson_quotient: where the formulas meet, and that each is exact enough there."""

from fractions import Fraction

import pytest
import torch
from flint import arb

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.special import log_kummer, log_kummer_error, watson_quotient
from certify.special.kummer import _edge, laplace_error, series_error
from certify.special.watson import steps_to
from certify.studies.special.errors import right
from certify.studies.special.subjects import SUBJECTS


@pytest.mark.parametrize("p", ["2", "2.5", "7", "64", "1000", "10000"])
def test_the_error_of_the_formulas_is_below_an_eighth_of_a_unit(p):
    assert log_kummer_error(p=p) < Fraction(1, 2**56)


def test_a_sum_that_is_too_short_has_no_bound():
    """δ ≥ 1: nothing is known of a logarithm."""
    assert laplace_error(5.0, 57, 1).is_finite() is False
    assert less(arb(1) / 8, series_error(1.0, 42, 42, 41)) is Truth.YES


@pytest.mark.parametrize("p", [2, 10, 100])
@pytest.mark.parametrize("function", [log_kummer, watson_quotient])
def test_both_sides_of_the_edge(function, p):
    edge = float(_edge(p / 2))
    x = torch.tensor([edge, torch.nextafter(torch.tensor(edge).double(), torch.tensor(1e9).double())], dtype=torch.float64)
    (subject,) = (each for each in SUBJECTS if each.title == f"{function.__name__}, p = {p}")
    for at, value in zip(x.tolist(), function(x, p=p).tolist(), strict=True):
        exact = right(subject, at)[0]
        with working_precision(200):
            assert less(abs(arb(value) - exact), 6 * exact / 2**53) is Truth.YES


def test_a_step_fewer_is_too_few():
    """The product of the ratios of the median and b + k, in balls."""
    for b in (1.0, 5.0, 500.0):
        n = steps_to(b)
        median = b + n // 2
        with working_precision(100):
            gains = [abs(arb(b + k).log() - arb(median).log()) for k in range(n)]
            wanted = 53 * arb(2).log()
            assert less(wanted, sum(gains, arb(0)) + arb(1) / 10**9) is Truth.YES
            assert less(sum(gains[1:], arb(0)), wanted + gains[-1]) is Truth.YES
