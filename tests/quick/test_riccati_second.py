"""The derivative of the ladder of K_{ν+1}/K_ν: its bound in balls, how near the limit its constants are, and where a barrier fails."""

from fractions import Fraction

import pytest
from flint import arb, fmpq

from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.ball import working_precision
from certify.exact.errors import NotAccepted
from certify.exact.expression import evaluate
from certify.exact.positivity import Gap
from certify.exact.riccati_witness import balls
from certify.exact.theorem import Positive
from certify.exact.truth import Truth, less, positive
from proofs.riccati import second_kind_derivative
from proofs.riccati.second_kind_derivative import CONSTANTS, LEAST, Derivative, reference, slope_polynomial

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith("riccati.second.derivative.")}
ORDERS = range(len(CONSTANTS))


def ball(text):
    number = Fraction(text)
    return arb(fmpq(number.numerator, number.denominator))


@pytest.mark.parametrize("n", [0, 1, 5, 8])
def test_it_is_proved_and_replayed(n):
    assert settle(CLAIMS[f"riccati.second.derivative.{n}"], {}, {}).verdict.outcome is Outcome.PROVED


@pytest.mark.parametrize("n", ORDERS)
def test_the_bounds_hold_in_balls(n):
    """Those of the statement, and what they say of the closed form relative to itself."""
    wanted = Derivative(n, Fraction(CONSTANTS[n]), LEAST[n])
    with working_precision(400):
        for nu in (fmpq(LEAST[n].numerator, LEAST[n].denominator), fmpq(7, 2), fmpq(32)):
            for x in (nu / 100, nu / 3, nu, 3 * nu, 100 * nu):
                symbols = balls(wanted.problem, {"nu": nu, "x": x, "xi": 1 / x})
                slope, t = symbols["dS"], symbols["t"]
                error = abs(reference({"nu": nu, "x": x}) - slope)
                assert less(error, evaluate(wanted.bound.radius, symbols, arb)) is Truth.YES
                assert positive(-slope * x * x - (nu - ball("3/16")) * (1 + t)) is Truth.YES
                assert positive(-slope * x * x - nu - ball("1/2") - (nu - ball("7/8")) * t) is Truth.YES


@pytest.mark.parametrize("n", ORDERS)
def test_the_constants_are_near_the_limit(n):
    """D is above |c_{n+2}(t)| (1−t²)/t³ at every t tried and at most 29 % above the largest of them."""
    values = [abs(slope_polynomial(n + 2)(t)) * (1 - t * t) / t**3 for t in (fmpq(k, 400) for k in range(1, 400))]
    D = fmpq(*Fraction(CONSTANTS[n]).as_integer_ratio())
    assert max(values) < D < max(values) * fmpq(129, 100)


def test_below_the_least_order_a_barrier_fails():
    assert isinstance(Derivative(5, Fraction(CONSTANTS[5]), Fraction(1)).prove(), Gap)


@pytest.mark.parametrize("factor", [Fraction(9, 10), Fraction(11, 10)])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_other_walls_leave_a_gap(n, factor, monkeypatch):
    """Nearer ones are no barriers, from farther ones the bound of the slope does not follow."""
    walls = [str(Fraction(wall) * factor) for wall in second_kind_derivative.WALLS]
    monkeypatch.setattr(second_kind_derivative, "WALLS", walls)
    assert isinstance(Derivative(n, Fraction(CONSTANTS[n]), LEAST[n]).prove(), Gap)


def test_the_slope_is_not_shown_to_be_larger_than_it_is(monkeypatch):
    stronger = Positive(any_of=("xi**2*(7*t/8 - 2/3) - (dS + nu*xi**2*(1 + t))",))
    monkeypatch.setattr(second_kind_derivative, "SIZE", stronger)
    assert isinstance(Derivative(1, Fraction(CONSTANTS[1]), LEAST[1]).prove(), Gap)


def test_a_smaller_constant_is_refuted_at_a_point():
    witness = CLAIMS["riccati.second.derivative.1"].prove({"D": Fraction(17, 100)}).witness
    assert witness is not None
    nu, x = (fmpq(*map(int, (*witness[name].split("/"), "1")[:2])) for name in ("nu", "x"))
    symbols = balls(Derivative(1, Fraction(1), Fraction(1)).problem, {"nu": nu, "x": x, "xi": 1 / x})
    with working_precision(300):
        error = abs(reference({"nu": nu, "x": x}) - symbols["dS"])
        s = (arb(x * x) + nu * nu).sqrt()
        assert less(ball("17/100") / (nu * x * x * s), error) is Truth.YES


@pytest.mark.parametrize("nu_min", [Fraction(1, 2), Fraction(0)])
def test_orders_where_the_facts_fail_are_refused(nu_min):
    with pytest.raises(NotAccepted, match="orders > 1/2"):
        second_kind_derivative.theorem(1, Fraction(1), nu_min)
