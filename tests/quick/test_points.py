"""Relations at points, the verdict on them, and the claims that are made of them."""

import pytest
from flint import arb, fmpq, fmpz_poly

from certify.claims.registry import load
from certify.claims.verdict import Outcome, Reason
from certify.exact import recurrence
from certify.exact.ball import working_precision
from certify.exact.truth import Truth
from certify.studies.finite_start.high_concentration import clipped_defect, crossings, excess
from certify.studies.points import Point, at_most, everywhere

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.endswith(".exact")}


@pytest.mark.parametrize("id", sorted(CLAIMS))
def test_each_claim_is_enclosed(id):
    verdict = CLAIMS[id].prove()
    assert verdict.outcome is Outcome.ENCLOSED, verdict
    assert verdict.facts["relations"] > 90


def test_each_stands_beside_a_proof():
    claims = load().claims
    assert all(claims[id.removesuffix(".exact")].claim.grade is Outcome.PROVED for id in CLAIMS)


def point(holds: Truth, x: str = "1") -> Point:
    return Point({"x": x}, "a <= b", holds, {"a": fmpq(1, 3), "b": arb(2)})


def test_the_first_failure_is_the_witness():
    verdict = everywhere([point(Truth.YES), point(Truth.UNKNOWN, "2"), point(Truth.NO, "3"), point(Truth.NO, "4")], "")
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness == {"x": "3", "fails": "a <= b", "a": "3.33333333333333e-1", "b": "2e0"}


def test_an_undecided_point_is_no_success():
    verdict = everywhere([point(Truth.YES), point(Truth.UNKNOWN, "2"), point(Truth.UNKNOWN, "3")], "")
    assert (verdict.outcome, verdict.reason, verdict.box) == (Outcome.UNDECIDED, Reason.PRECISION, {"x": "2"})


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (fmpq(1), fmpq(1), Truth.YES),
        (fmpq(10**40 + 1), fmpq(10**40), Truth.NO),
        (0, fmpq(-1, 10**400), Truth.NO),
        (arb(1), 2, Truth.YES),
        (arb(2, 0.5), arb(1), Truth.NO),
        (arb(2, 0.5), 2, Truth.UNKNOWN),
        (arb("nan"), 2, Truth.UNKNOWN),
    ],
)
def test_at_most(a, b, expected):
    assert at_most(a, b) is expected


@pytest.mark.parametrize(("nu", "start"), [(1, 2), (3, 6), (2, 3), (4, 9), (9, 18)])
def test_crossings_are_those_that_a_sign_sequence_counts(nu, start):
    """Sturm's theorem, by SymPy, on the numerator of R̃ − 1 in another normalisation; and R̃ = 1 within the enclosures."""
    import sympy

    x = sympy.Symbol("x")
    above, here = sympy.Integer(0), sympy.Integer(1)
    for i in range(start, nu, -1):
        above, here = here, sympy.cancel(2 * i / x * here + above)
    numerator = sympy.Poly(sympy.fraction(sympy.together(above - here))[0], x)
    found = crossings(nu, start)
    assert numerator.count_roots(0) - (numerator.eval(0) == 0) == len(found)
    for root in found:
        assert (recurrence.ratio(nu, start, root) - 1).contains(0)


def test_even_steps_have_no_crossing():
    assert [crossings(nu, 2 * nu) for nu in (2, 4, 16)] == [[], [], []]


def test_isolated_real_roots_have_no_imaginary_part():
    """What ``crossings`` relies on."""
    roots = [root for root, _ in (fmpz_poly([-2, 0, 1]) * fmpz_poly([1, 0, 1])).complex_roots()]
    assert [root.imag.is_zero() for root in roots].count(True) == 2


@pytest.mark.parametrize("x", ["1/3", "12345678901234567", "1e300"])
def test_excess_is_exact_or_a_ball_around_the_exact_value(x):
    with working_precision(200):
        found = excess(3, 6, x)
    with working_precision(4000):
        assert arb(found).contains(arb(recurrence.excess(3, 6, x)))


@pytest.mark.parametrize("x", ["1/2", "40", "1e6"])
@pytest.mark.parametrize("nu", [3, 4])
def test_clipped_defect_is_its_definition(nu, x):
    with working_precision(300):
        d = clipped_defect(nu, 2 * nu, x)
        derivative = recurrence.enclose_derivative(nu, 2 * nu, x, 60)
        ratio = recurrence.ratio(nu, 2 * nu, x)
        assert d.overlaps((ratio if ratio < 1 else 1) - derivative)
