"""The realizations against certified references, and their common protocol."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from certify.exact import bessel, debye, recurrence
from certify.exact.ball import working_precision
from certify.realizations.closed_form import ClosedForm
from certify.realizations.cusf import Cusf, log_bessel_i, order_polynomials, regime
from certify.realizations.finite_start import FiniteStart
from certify.realizations.log_miller import LogMiller
from certify.realizations.protocol import Realization

REALIZATIONS: list[Realization] = [Cusf(31), LogMiller(31), FiniteStart(31), FiniteStart(31, 100), ClosedForm(31)]


def logarithm(v: float, x: float) -> float:
    with working_precision(300):
        return float(arb(x).bessel_i(arb(v), scaled=True).log() + arb(x))


@pytest.mark.parametrize("realization", REALIZATIONS, ids=lambda realization: realization.name)
def test_protocol(realization):
    x = np.array([[0.5, 31.0], [310.0, 31000.0]])
    assert realization.dtype == "float64"
    assert realization.domain
    assert realization.derivative(x).shape == realization.difference(x, x + 1).shape == realization.regime(x).shape
    alone = np.array([realization.derivative(point) for point in x.ravel()])
    assert realization.derivative(x).ravel() == pytest.approx(alone, rel=1e-14)
    assert realization.difference(x, x + 1) == pytest.approx(-realization.difference(x + 1, x))


@pytest.mark.parametrize("realization", REALIZATIONS, ids=lambda realization: realization.name)
def test_each_is_near_the_exact_values(realization):
    x = np.array([0.5, 31.0, 310.0])
    ratios = [float(bessel.ratio(31, point)) for point in x]
    differences = [float(bessel.potential_difference(31, point, point + 1)) for point in x]
    assert realization.derivative(x) == pytest.approx(ratios, abs=3e-2)
    assert realization.difference(x, x + 1) == pytest.approx(differences, abs=1e-3)


@pytest.mark.parametrize(
    ("v", "x", "name"),
    [
        (0.0, 0.5, "series"),
        (0.3, 25.0, "series"),
        (12.0, 3.0, "series"),
        (5.0, 19.7, "large order"),
        (12.7, 0.01, "large order"),
        (12.0, 30.5, "large argument"),
        (300.0, 60.0, "large order"),
        (60.0, 1e4, "large argument"),
        (2047.0, 1e-300, "large order"),
    ],
)
def test_cusf_regimes(v, x, name):
    assert regime(v, np.array(x)) == name
    assert float(log_bessel_i(v, np.array(x))) == pytest.approx(logarithm(v, x), rel=1e-11, abs=1e-13)


def test_cusf_outside_its_domain():
    x = np.array([-1.0, 0.0, np.nan])
    assert np.array_equal(log_bessel_i(0.0, x), [np.nan, 0.0, np.nan], equal_nan=True)
    assert np.array_equal(log_bessel_i(2.0, x), [np.nan, -np.inf, np.nan], equal_nan=True)
    assert np.isnan(log_bessel_i(-1.0, np.array([1.0]))).all()


def test_order_polynomials_are_those_of_the_handbook():
    """DLMF 10.41.10: u_1 = (3t − 5t³)/24, u_2 = (81t² − 462t⁴ + 385t⁶)/1152."""
    first, second = order_polynomials()[:2]
    assert list(reversed(first)) == [0, 3 / 24, 0, -5 / 24]
    assert list(reversed(second)) == [0, 0, 81 / 1152, 0, -462 / 1152, 0, 385 / 1152]


def test_log_miller_is_the_clipped_finite_start():
    """Exact: min(R̃_{ν,2ν}, 1) and Φ̃_{ν,2ν}."""
    x = [0.5, 63.0, 630.0, 63000.0]
    supplied = [min(float(recurrence.enclose_ratio(63, 126, point, 20)), 1.0) for point in x]
    differences = [float(recurrence.enclose_difference(63, 126, point, point + 1, 20)) for point in x]
    for realization in (LogMiller(63), FiniteStart(63)):
        assert realization.derivative(np.array(x)) == pytest.approx(supplied, rel=1e-13)
        assert realization.difference(np.array(x), np.array(x) + 1) == pytest.approx(differences, abs=1e-10)
        assert list(realization.regime(np.array(x))) == ["below the clip"] * 3 + ["clipped"]


@pytest.mark.parametrize("order", [0, -1, 2.5])
def test_log_miller_needs_a_whole_order(order):
    with pytest.raises(ValueError, match="whole order"):
        LogMiller(order)


@pytest.mark.parametrize("nu", [1.0, 31.0, 255.5])
@pytest.mark.parametrize(("a", "b"), [(1.0, 2.0), (0.0, 5.0), (1e-10, 1e10), (1e-10, 1e17), (1e300, 1e299), (30.0, 30.0000001)])
def test_closed_form_is_the_ladder_to_an_ulp_or_two(nu, a, b):
    """Also for r ≪ κ, where the form based at the larger s returns an infinity."""
    realization = ClosedForm(nu)
    for start, end in ((a, b), (b, a)):
        truth = float(debye.ladder_potential_difference(1, nu, start, end))
        assert realization.difference(np.array(start), np.array(end)) == pytest.approx(truth, rel=1e-15)
    assert realization.derivative(np.array(b)) == pytest.approx(float(debye.ladder_ratio(1, nu, b)), rel=1e-15)


def test_closed_form_uses_the_formula_of_the_paper():
    x, nu = Fraction(63 * 3, 4), Fraction(63)  # 3, 4, 5: s is rational
    s = nu * 5 / 4
    expected = x / (nu + s) - x / (2 * s**2) + x * (4 * nu**2 - x**2) / (8 * s**5)
    assert float(ClosedForm(63.0).derivative(np.array(float(x)))) == pytest.approx(float(expected), rel=1e-15)
