"""Evaluators of other libraries: the right function is called, its failures are kept, and absence is said."""

import numpy as np
import pytest
from flint import arb

from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.realizations import libraries
from certify.realizations.libraries import EVALUATORS, Gsl, Missing, Mpmath, ScipyPrivateRatio, ScipyQuotient

X = np.array([[0.0627, 1.0, 63.0], [640.0, 6300.0, 1e5]])


@pytest.fixture(params=EVALUATORS, ids=lambda kind: kind.__name__)
def evaluator(request):
    found = request.param()
    if reason := found.missing():
        pytest.skip(reason)
    return found


def test_ratio(evaluator):
    exact = [[float(bessel.ratio(63, x)) for x in row] for row in X]
    assert evaluator.ratio(63, X) == pytest.approx(np.array(exact), abs=1e-9)
    assert evaluator.version()


def test_logarithm(evaluator):
    if not evaluator.has_logarithm:
        with pytest.raises(Missing, match="has no logarithm"):
            evaluator.log_bessel(63, X)
        return
    with working_precision(300):
        exact = [[float(arb(x).bessel_i(arb(63), scaled=True).log() + arb(x)) for x in row] for row in X]
    assert evaluator.log_bessel(63, X) == pytest.approx(np.array(exact), rel=1e-11)


def test_failures_are_kept():
    """ive underflows at ν = 511, x = 5; mpmath does not converge at ν = 2047, x = 20ν."""
    assert np.isnan(ScipyQuotient().ratio(511, np.array([5.0]))).all()
    assert np.isneginf(ScipyQuotient().log_bessel(511, np.array([5.0]))).all()
    assert np.isnan(Mpmath().log_bessel(2047, np.array([40940.0]))).all()


def test_arguments_that_are_refused(evaluator):
    with pytest.raises(ValueError, match="order -1: a finite nu >= 0"):
        evaluator.ratio(-1, X)
    with pytest.raises(ValueError, match="float64 array, not float32"):
        evaluator.ratio(63, X.astype(np.float32))
    with pytest.raises(ValueError, match="float64 array, not list"):
        evaluator.ratio(63, [1.0])


@pytest.mark.parametrize("kind", EVALUATORS, ids=lambda kind: kind.__name__)
def test_a_library_that_is_absent_says_so(kind, monkeypatch):
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    monkeypatch.setattr(libraries, "find_library", lambda name: None)
    with pytest.raises(Missing, match="is not installed"):
        kind().ratio(63, X)


def test_a_private_function_that_is_gone(monkeypatch):
    monkeypatch.setattr(ScipyPrivateRatio, "_function", staticmethod(lambda: None))
    assert "has no _iv_ratio" in (ScipyPrivateRatio().missing() or "")


def test_gsl_has_no_version_where_it_is_not_installed(monkeypatch):
    monkeypatch.setattr(libraries, "find_library", lambda name: None)
    assert Gsl().version() == "unknown"
