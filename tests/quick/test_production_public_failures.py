"""Points at which public implementations fail: the values of ``certify.vmf`` against enclosures by ``certify.exact``.

I_1(1.40625e9) is nan in SciPy 1.17.1, I_31(1.08e9) in several libraries; the scaled I_63 near 1.7261 is 0 in float32. The other points
of the same list are in the tests of the potential and of the densities.
"""

import math

import pytest
import torch
from flint import arb

from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.exact.number import exact
from certify.studies.production import exactly
from certify.vmf import accuracy, log_prob, ratio

POINTS = [(1, 1.40625e9, "1.0638460807867949e-5"), (31, 1.08e9, "1.2139422e-5"), (63, 1.7261, "8.4809925263952266e-93")]


def scaled(nu: int, x: float) -> arb:
    """e^{−x} I_ν(x), from certified differences of Φ_ν."""
    with working_precision(400):
        return (exactly.origin(nu) - exactly.deficit(nu, x)).exp() * arb(exact(x)) ** nu


@pytest.mark.parametrize(("nu", "x", "published"), POINTS)
def test_the_published_value_is_that_of_certify(nu, x, published):
    places = len(published.partition("e")[0].replace(".", ""))
    assert float(scaled(nu, x)) == pytest.approx(float(published), rel=10.0 ** (1 - min(places, 16)))


@pytest.mark.parametrize(("nu", "x"), [point[:2] for point in POINTS])
def test_the_logarithm_of_the_scaled_function(nu, x):
    """log(e^{−x} I_ν(x)) = ν log x − (ν+1) log 2π − log_prob(μ, μ, x): nothing of the size of x is subtracted."""
    mean = torch.eye(2 * nu + 2, dtype=torch.float64)[0]
    found = nu * math.log(x) - (nu + 1) * math.log(2 * math.pi) - float(log_prob(mean, mean, torch.tensor(x, dtype=torch.float64)))
    size = nu * abs(math.log(x)) + math.lgamma(nu + 1) + 2 * (nu + 1)
    assert found == pytest.approx(float(scaled(nu, x).log()), abs=64 * 2.0**-53 * size + 1e-12)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(("nu", "x"), [point[:2] for point in POINTS])
def test_the_ratio_in_both_formats(nu, x, dtype):
    point = torch.tensor(x, dtype=dtype)
    found = float(ratio(point, nu=nu))
    assert abs(float(exact(found) - bessel.ratio(nu, float(point)))) <= accuracy(dtype, nu=nu).total


def test_the_ratio_where_the_scaled_functions_underflow():
    """R_63 at the double nearest 1.7261."""
    assert float(bessel.ratio(63, 1.7261)) == pytest.approx(0.013482742560285447, rel=1e-15)
    found = float(ratio(torch.tensor(1.7261, dtype=torch.float32), nu=63))
    assert found == pytest.approx(0.013482742560285447, rel=1e-6)
