"""Rounding theorems of the ladder: proved, replayed, sharp, about the right functions, and observed."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from certify.claims.registry import load
from certify.claims.settle import Stored, resume, settle
from certify.claims.verdict import Outcome, Reason
from certify.exact.ball import working_precision
from certify.exact.debye import ladder_ratio, ladder_ratio_derivative
from certify.exact.interpret import ball
from certify.exact.ladder_program import in_format, ratio, slope
from certify.exact.rounding.confirmation import far_root, root
from certify.exact.rounding.function import value as function
from certify.exact.rounding.ladder import LENGTHS
from certify.studies.fidelity.observed import rounded, short_numbers
from proofs.rounding import derivative as derivatives
from proofs.rounding import ratio as ratios

ENTRIES = load().claims
CLAIMS = {id: entry.claim for id, entry in ENTRIES.items() if id.startswith("rounding.")}
OF_SMALL_ORDERS = [
    *(f"rounding.{family}.{n}{kind}" for family in ("ratio", "derivative") for n in (0, 1, 2) for kind in ("", ".squares")),
    *("rounding.ratio.1.half", "rounding.derivative.1.one", "rounding.ratio.1.cuda", "rounding.ratio.1.cuda_compiled", "rounding.ratio.8"),
]
CIRCUMSTANCES = {"profile": "quick", "seed": 0}


def test_every_order_has_its_claims():
    for n in range(9):
        assert {f"rounding.ratio.{n}", f"rounding.derivative.{n}", f"rounding.ratio.{n}.squares"} <= CLAIMS.keys()
    targets = {1: 1, 4: 2, 8: 5}  # k ≤ 4.1 from these orders on
    for n, nu in targets.items():
        assert CLAIMS[f"rounding.ratio.{n}"].constants["k"] <= Fraction(41, 10)
        assert CLAIMS[f"rounding.ratio.{n}"].constants["nu_min"] <= nu
    assert CLAIMS["rounding.ratio.1.half"].constants["k"] <= 9


@pytest.mark.parametrize("id", OF_SMALL_ORDERS)
def test_proved_and_replayed(id):
    settled = settle(CLAIMS[id], {}, CIRCUMSTANCES)
    assert settled.verdict.outcome is Outcome.PROVED, settled.verdict.summary
    assert settled.established is not None
    assert any("computed v" in line for line in settled.established.statements)
    assert settled.certificate is not None
    again = resume(CLAIMS[id], {}, Stored(settled.certificate))
    assert again.verdict.outcome is Outcome.PROVED
    with pytest.raises(ValueError, match="another theorem"):
        resume(CLAIMS[id], {"k": Fraction(50)}, Stored(settled.certificate))


@pytest.mark.parametrize(("id", "k"), [("rounding.ratio.1", "2"), ("rounding.derivative.1", "2"), ("rounding.ratio.1.half", "3")])
def test_a_small_k_is_refuted(id, k):
    verdict = settle(CLAIMS[id], {"k": Fraction(k)}, CIRCUMSTANCES).verdict
    assert verdict.outcome is Outcome.REFUTED, verdict.summary
    assert verdict.witness is not None
    assert {"format", "x", "nu", "computed"} <= verdict.witness.keys()


def test_a_k_between_is_undecided_with_a_box():
    verdict = settle(CLAIMS["rounding.ratio.1"], {"k": Fraction(401, 100)}, CIRCUMSTANCES).verdict
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.reason is Reason.INEQUALITY_OPEN
    assert verdict.box is not None
    assert set(verdict.box) == {"x/nu", "nu"}
    assert all(f"{name} in {side}" in verdict.summary for name, side in verdict.box.items())


@pytest.mark.parametrize("n", [0, 1, 4, 8])
@pytest.mark.parametrize("squares", [False, True])
def test_the_programs_are_the_functions(n, squares):
    """Against the ladder's own balls, which sum the polynomials b_k and not Q_k or P_k."""
    for nu, x in ((Fraction(7, 3), Fraction(1, 9)), (Fraction(63), Fraction(1000)), (Fraction(1, 2), Fraction(5))):
        with working_precision(300):
            values = {"x": ball.constant(x), "nu": ball.constant(nu), "x_max": arb(2) ** 60}
            for program, exact in ((ratio(n, squares), ladder_ratio), (slope(n, squares), ladder_ratio_derivative)):
                [found] = ball.evaluate(program, values)
                expected = exact(n, fmpq(nu.numerator, nu.denominator), fmpq(x.numerator, x.denominator), 40)
                assert abs(found - expected) < arb(10) ** -35 * (1 + abs(expected))


def test_the_function_of_the_derivative_is_the_derivative_of_the_ratio():
    where = {**LENGTHS, **derivatives.definitions(3)}
    assert list(where.items())[-2:] == [*list(ratios.ratio_definitions(3, "A").items())[-1:], ("B", "diff(A, x)")]
    nu, x, step = Fraction(7, 3), Fraction(5, 4), Fraction(1, 10**20)
    with working_precision(300):

        def ratio_at(x):
            values = map(ball.constant, (x, nu, x * x + nu * nu))
            return function({name: text for name, text in where.items() if name != "B"}, *_rooted(*values), arb)

        slope = function(where, *_rooted(*map(ball.constant, (x, nu, x * x + nu * nu))), arb)
        quotient = (ratio_at(x + step) - ratio_at(x - step)) / ball.constant(2 * step)
        assert abs(slope - quotient) < arb(10) ** -35


def _rooted(x, nu, square):
    return x, nu, square.sqrt()


def test_shipped_programs_have_floats_for_constants():
    shipped = in_format(ratio(8), 2**60, 24)
    assert shipped.inputs == ("x", "nu")
    for node in shipped.nodes:
        if node.op == "constant":
            assert Fraction(float(np.float32(float(Fraction(node.value))))) == Fraction(node.value)


def test_roots_are_rounded_correctly():
    random = np.random.default_rng(1)
    for value in random.random(200) * 2.0 ** random.integers(-40, 40, 200):
        exact = Fraction(float(value))
        assert root(exact, 53) == Fraction(float(np.sqrt(value)))
        near, far = root(exact, 24), far_root(exact, 24)
        assert min(near, far) ** 2 <= exact <= max(near, far) ** 2
    assert root(Fraction(9, 4), 24) == Fraction(3, 2)


def test_short_formats():
    assert len(short_numbers("bfloat16")) == 0x7F80
    assert short_numbers("float16")[-1] == 65504
    values = np.random.default_rng(2).random(1000).astype(np.float32)
    assert (rounded(values.astype(float), 11) == values.astype(np.float16).astype(float)).all()


@pytest.mark.parametrize("id", ["ratio.binary32", "ratio.binary64", "derivative.binary32", "derivative.binary64", "bfloat16", "float16"])
def test_observed(id):
    settled = settle(CLAIMS[f"rounding.observed.{id}"], {}, CIRCUMSTANCES)
    assert settled.verdict.outcome in (Outcome.SAMPLED, Outcome.NOT_RUN), settled.verdict.summary
    if settled.verdict.outcome is Outcome.SAMPLED and "." in id:
        assert {f"n = {n}" for n in range(9)} <= settled.verdict.facts.keys()
    if "k" in CLAIMS[f"rounding.observed.{id}"].constants and id.startswith("ratio"):
        smaller = settle(CLAIMS[f"rounding.observed.{id}"], {"k": Fraction(3)}, CIRCUMSTANCES)
        assert smaller.verdict.outcome is Outcome.REFUTED


def test_differences_observed(monkeypatch):
    """A bound that is too small is refuted; one that is far above what is seen is not called sharp."""
    from proofs.rounding import difference

    monkeypatch.setattr(difference, "BOUNDS", {"1": difference.BOUNDS["1"]})
    observed = CLAIMS["rounding.observed.difference"]
    settings = {}, {"q": Fraction(1, 3)}, {"factor": Fraction(1)}
    outcomes = [settle(observed, constants, CIRCUMSTANCES).verdict.outcome for constants in settings]
    assert outcomes == [Outcome.SAMPLED, Outcome.REFUTED, Outcome.UNDECIDED]
