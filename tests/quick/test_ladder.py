"""The ladder's theorems: proved and replayed, refused when their constants are too small, and true at random points."""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.checker import Refused
from certify.claims.certificate import decode, encode, replay
from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.ball import working_precision
from certify.exact.bessel import potential_difference, ratio, ratio_derivative
from certify.exact.debye import closed_form, ladder_potential_difference, ladder_ratio, ladder_ratio_derivative
from certify.exact.debye_polynomials import debye_polynomial, potential_polynomial
from certify.exact.expression import evaluate
from certify.exact.ladder import SYMBOLS, polynomial, potential_definitions, ratio_definitions
from certify.exact.number import exact
from certify.exact.peak import enclosure, equation, peak, point, value_squared
from certify.exact.positivity import Gap
from certify.exact.truth import Truth, less

CLAIMS = {id: entry.claim for id, entry in load().claims.items()}
ORDERS = range(9)
LADDER = {id: claim for id, claim in CLAIMS.items() if id.startswith(("ladder.", "score.uniform.", "ratio.derivative."))}


def order(id: str) -> int:
    """The n of a claim's id."""
    return int(next(part for part in id.split(".") if part.isdigit()))


def first(id: str) -> bool:
    """Whether the claim is one of those that are quickly replayed."""
    return order(id) <= (1 if "derivative" in id else 2)


# Proofs --------------------------------------------------------------------------------------------------------------


def test_every_order_is_claimed():
    for family in ("ladder.{}", "ladder.optimal.{}", "ladder.pointwise.{}", "score.uniform.{}", "ratio.derivative.{}"):
        assert {family.format(n) for n in ORDERS} <= set(CLAIMS)


@pytest.mark.parametrize("id", [id for id in LADDER if first(id)])
def test_the_first_orders_are_proved_and_replayed(id):
    settled = settle(LADDER[id], {}, {})
    assert settled.verdict.outcome is Outcome.PROVED, settled.verdict.summary
    assert settled.certificate is not None


@pytest.mark.parametrize("id", [pytest.param(id, marks=[pytest.mark.slow] * (order(id) > 5)) for id in LADDER if not first(id)])
def test_every_order_is_proved_and_the_middle_ones_are_replayed(id):
    claim = LADDER[id]
    verdict = claim.prove()
    assert verdict.outcome is Outcome.PROVED, verdict.summary
    if order(id) <= 4 or id == "ladder.8":
        replay(decode(encode(verdict.certificate)), claim)


def test_a_certificate_of_one_order_is_refused_for_another():
    certificate = CLAIMS["ladder.1"].prove().certificate
    with pytest.raises(Refused, match=r"a certificate of ladder\.1"):
        replay(decode(encode(certificate)), CLAIMS["ladder.2"])
    with pytest.raises(Refused, match="another theorem"):
        replay(decode(encode(certificate)), CLAIMS["ladder.1"], {"C": Fraction(1, 13)})


# Too small constants -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 8])
@pytest.mark.parametrize("scale", ["0.98", "0.999"])
def test_a_smaller_constant_is_refuted_at_a_point_confirmed_by_balls(n, scale):
    """The witness, recomputed from Arb's own Bessel functions."""
    C = CLAIMS[f"ladder.{n}"].constants["C"] * Fraction(scale)
    verdict = CLAIMS[f"ladder.{n}"].prove({"C": C})
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness
    with working_precision(600):
        nu, x = exact(verdict.witness["nu"]), exact(verdict.witness["x"])
        bessel = arb(x).bessel_i(arb(nu) + 1) / arb(x).bessel_i(arb(nu))
        scaled = abs(bessel - ladder_ratio(n, nu, x, 100)) * nu ** (n + 2)
        assert less(arb(exact(C)), scaled) is Truth.YES


@pytest.mark.parametrize(
    ("id", "constants"),
    [
        ("ratio.sharp", {"C": "0.0817"}),
        ("ratio.optimal", {"factor": "0.999"}),
        ("ratio.optimal", {"high": "0.0834"}),
        ("ratio.optimal", {"low": "0.0835"}),
        ("ladder.optimal.0", {"factor": "0.999"}),
        ("ratio.relative", {"C": "0.49"}),
        ("ratio.pointwise", {"C": "0.165"}),
        ("ratio.pointwise.31", {"c": "0.1225"}),
        ("ratio.pointwise.limit", {"K": "0.1"}),
        ("ladder.pointwise.1.10", {"C": "0.141"}),
        ("score.uniform", {"C": "0.245"}),
        ("score.uniform.1", {"C": "0.035"}),
        ("ratio.derivative.1", {"D": "0.49"}),
    ],
)
def test_perturbed_claims_are_refuted(id, constants):
    verdict = CLAIMS[id].prove({name: Fraction(value) for name, value in constants.items()})
    assert verdict.outcome is Outcome.REFUTED, verdict.summary


@pytest.mark.parametrize("id", [id for id in LADDER if id.startswith("ladder.pointwise.") and order(id) <= 3])
def test_two_per_cent_less_are_never_proved(id):
    verdict = LADDER[id].prove({"C": LADDER[id].constants["C"] * Fraction(98, 100)})
    assert verdict.outcome in (Outcome.REFUTED, Outcome.UNDECIDED)


def test_a_bound_that_no_range_was_named_for_is_not_proved_below_it():
    verdict = CLAIMS["ladder.pointwise.1.10"].prove({"nu_min": Fraction(1)})
    assert verdict.outcome is not Outcome.PROVED
    with pytest.raises(ValueError, match="nu_min = -1"):
        CLAIMS["ratio.sharp"].prove({"nu_min": Fraction(-1)})


# The definitions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", ORDERS)
def test_the_definitions_are_the_closed_forms(n):
    """A_n in t, w and ε against ``exact.closed_form``, at Pythagorean points."""
    for nu, x, s in ((3, 4, 5), (5, 12, 13), (8, 15, 17)):
        symbols = {"nu": fmpq(nu), "x": fmpq(x), "s": fmpq(s), "r": fmpq(s, nu)}
        for name, text in ({**SYMBOLS, **ratio_definitions(n)}).items():
            symbols[name] = symbols.get(name) or evaluate(text, symbols, fmpq)
        assert symbols["a"] == evaluate(closed_form(n).ratio, symbols, fmpq)


@pytest.mark.parametrize("n", ORDERS)
def test_potentials_are_logarithms_of_the_uniform_expansion(n):
    """exp Σ D_k ε^k = Σ U_k ε^k up to ε^n: k U_k = Σ j D_j U_{k−j}, with U_k from their own recursion (DLMF 10.41.9)."""
    for k in range(1, n + 1):
        terms = (j * potential_polynomial(j) * debye_polynomial(k - j) for j in range(1, k + 1))
        assert sum(terms, 0 * debye_polynomial(0)) == k * debye_polynomial(k)
        assert potential_definitions(n)[f"D{k}"] == polynomial(potential_polynomial(k))


@pytest.mark.parametrize("k", range(2, 12))
def test_peaks(k):
    """The peak is a zero of the integer polynomial, and no point of a fine grid exceeds it."""
    low, high = enclosure(k, 30)
    assert 0 < high - low <= Fraction(1, 10**28) * high
    assert low**2 < value_squared(k, point(k, 30)) < high**2
    grid = [value_squared(k, Fraction(j, 200)) for j in range(201)]
    assert max(grid) < high**2
    assert max(grid) > (Fraction(99, 100) * low) ** 2
    with working_precision(200):
        tau = peak(k).t ** 2
        assert abs(float(sum((c * tau**i for i, c in enumerate(equation(k).coeffs())), arb(0)))) < 1e-40


def test_the_constants_are_within_a_ten_thousandth_of_the_best():
    for n in ORDERS:
        low, _ = enclosure(n + 2, 30)
        assert low < CLAIMS[f"ladder.{n}"].constants["C"] < low * Fraction(10_001, 10_000)


def test_pointwise_constants_decrease_with_the_range():
    ids = sorted((id for id in LADDER if id.startswith("ladder.pointwise.")), key=order)
    for n in ORDERS:
        constants = [LADDER[id].constants for id in ids if order(id) == n]
        by_range = sorted((one["nu_min"], one["C"]) for one in constants)
        assert all(b[1] < a[1] for a, b in pairwise(by_range))


# The theorems at random points ---------------------------------------------------------------------------------------

DIGITS = 60
orders_nu = st.fractions(min_value=Fraction(1, 20), max_value=400, max_denominator=1000)
arguments = st.floats(min_value=-9, max_value=9).map(lambda e: Fraction(f"{2.0**e:.4e}"))
few = settings(max_examples=12, deadline=None)


def below(value: arb | fmpq, bound: arb | fmpq) -> bool:
    return less(value, bound) is Truth.YES


@few
@given(st.integers(0, 8), orders_nu, arguments)
def test_ratio_bounds_hold(n, nu, z):
    x = z * nu
    with working_precision(400):
        error = abs(ratio(nu, x, DIGITS) - ladder_ratio(n, nu, x, DIGITS))
        order, s = exact(nu), (arb(exact(nu * nu + x * x))).sqrt()
        assert below(error * order ** (n + 2), exact(enclosure(n + 2, 30)[1]))
        for id, claim in LADDER.items():
            if id.startswith(f"ladder.pointwise.{n}") and nu >= claim.constants["nu_min"]:
                assert below(error * s ** (n + 2), exact(claim.constants["C"]))
        for id, claim in CLAIMS.items():
            if n == 1 and id.startswith("ratio.pointwise") and "c" in claim.constants and nu >= claim.constants["nu_min"]:
                assert below(error * s**3, exact(claim.constants["C"]))
        if n == 1 and nu >= Fraction(1, 2):
            assert below(error * s**4 / exact(x), exact(CLAIMS["ratio.relative"].constants["C"]))


@few
@given(st.integers(0, 8), orders_nu, arguments)
def test_derivative_bounds_hold(n, nu, z):
    nu, x = nu + 10, z * nu
    with working_precision(400):
        error = abs(ratio_derivative(nu, x, DIGITS) - ladder_ratio_derivative(n, nu, x, DIGITS))
        assert below(error * exact(nu) ** (n + 3), exact(CLAIMS[f"ratio.derivative.{n}"].constants["D"]))


@few
@given(st.integers(0, 8), orders_nu, arguments, arguments)
def test_score_bounds_hold(n, nu, y, z):
    nu, kappa, r = nu + 31, y * nu, z * nu
    with working_precision(400):
        error = abs(potential_difference(nu, kappa, r, DIGITS) - ladder_potential_difference(n, nu, kappa, r, DIGITS))
        assert below(error * exact(nu) ** (n + 1), exact(CLAIMS[f"score.uniform.{n}"].constants["C"]))
        if n == 1 and kappa != r:
            gap = abs(1 / exact(nu * nu + kappa * kappa) - 1 / exact(nu * nu + r * r))
            assert below(error / gap, exact(CLAIMS["score.uniform"].constants["C"]))


@pytest.mark.parametrize("n", [0, 3])
def test_the_rate_of_the_best_constant(n):
    """At the peak's x, ν^{n+2}|R − A_n| lies between C* − c/ν and C*."""
    low, high = enclosure(n + 2, 30)
    m = point(n + 2, 30)
    rate = CLAIMS[f"ladder.optimal.{n}"].constants["rate"]
    for nu in (1, 7, 300):
        x = 2 * nu * m / (1 - m**2)
        with working_precision(400):
            scaled = abs(ratio(nu, x, DIGITS) - ladder_ratio(n, nu, x, DIGITS)) * nu ** (n + 2)
            assert below(exact(low - rate / nu), scaled)
            assert below(scaled, exact(high))


def test_optimal_needs_a_low_that_is_reached():
    from certify.exact.optimal import Optimal, constants

    wrong = Optimal(1, ratio_definitions(1), **{**constants(1), "low": Fraction(84, 1000)})
    assert isinstance(wrong.prove(), Gap)
