"""The Riccati prover as data: what it proves, refuses and refutes; every proof is replayed by the checker."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb, fmpq

from certify.claims.registry import load
from certify.claims.settle import settle
from certify.claims.verdict import Outcome
from certify.exact.ball import working_precision
from certify.exact.derivation import Derivation, Open
from certify.exact.expression import evaluate
from certify.exact.positivity import Gap
from certify.exact.riccati import establish
from certify.exact.riccati_equation import Equation, Problem, prove, solution, theorem
from certify.exact.riccati_positive import show
from certify.exact.riccati_terms import Refusal
from certify.exact.riccati_witness import counterexample, points
from certify.exact.theorem import Bound, Chart, Map, OneSided, Positive, Proof, Supremum
from certify.exact.truth import Truth, positive

EXAMPLE = Path(__file__).with_name("riccati_dawson.py")
TANH = Problem(
    equation=Equation(variable="x", quadratic="0 - 1", linear="0", constant="1"),
    variable="z",
    substitution="z",
    below="1",
    chart=Chart(symbols={"z": Map(map="odds", variable="v")}),
    is_="tanh",
    source="elementary",
    name="T",
)


def with_terms(**terms: str) -> Problem:
    return replace(TANH, equation=replace(TANH.equation, **terms))


def below(function: str) -> OneSided:
    return OneSided(solution="T", side="below", function=function)


@pytest.fixture(scope="module")
def dawson():
    return load([f"{EXAMPLE}::example.dawson"]).claims["example.dawson"].claim


def test_the_worked_example_is_proved_and_replayed(dawson):
    settled = settle(dawson, {}, {})
    assert settled.verdict.outcome is Outcome.PROVED
    assert settled.certificate is not None


@pytest.mark.parametrize("false", [{"c": "1"}, {"c": "199/100"}, {"d": "7/10"}])
def test_its_false_variants_are_refuted_by_a_witness(dawson, false):
    verdict = dawson.prove({name: Fraction(value) for name, value in false.items()})
    assert verdict.outcome is Outcome.REFUTED
    c, d = (Fraction(false.get(name, dawson.constants[name])) for name in "cd")
    with working_precision(300):
        x = arb(fmpq(*map(int, (*verdict.witness["x"].split("/"), "1")[:2])))
        value = (-x * x).exp() * x * (x * x).hypgeom_1f1(arb(1) / 2, arb(3) / 2)
        low, high = (x / (1 + arb(fmpq(k.numerator, k.denominator)) * x * x) for k in (c, d))
        assert Truth.YES in (positive(low - value), positive(value - high))


def test_the_derived_equation_is_the_substituted_one():
    """dT/dz for x = 1/z − z and y = T − σ, at a rational point, against the chain rule."""
    shifted = replace(TANH, substitution="1/z - z", shift="z/(1 + z)")
    z, y = fmpq(2, 3), fmpq(5, 7)
    found = evaluate(solution(shifted).equation, {"z": z, "T_0": y}, fmpq)
    sigma, speed, sigma_slope = z / (1 + z), -1 / z**2 - 1, 1 / (1 + z) ** 2
    assert found == (1 - (y + sigma) ** 2) * speed - sigma_slope


def test_a_bound_with_start_above_zero_needs_no_damping():
    assert isinstance(prove(TANH, Bound(solution="T", candidate="z/(1 + z)", radius="1/2")), Proof)


def test_a_false_bound_leaves_the_smallest_box_and_a_witness():
    wanted = below("z/(1 + z)")
    gap = prove(TANH, wanted)
    assert isinstance(gap, Gap)
    witness = counterexample(TANH, lambda point: arb(point["x"]).tanh(), wanted)(gap)
    assert witness is not None
    assert set(witness) == {"z", "x", "T", "T is to be below"}


def test_a_true_bound_that_the_barrier_misses_has_no_witness():
    """Nothing is refuted because a proof failed."""
    wanted = below("2*z")
    search = counterexample(TANH, lambda point: arb(point["x"]).tanh(), wanted)
    assert search(Gap(box=((Fraction(0), Fraction(1)),), false=True)) is None


def test_a_bound_that_starts_on_the_wrong_side_is_false_there():
    wanted = below("z - 1")
    gap = prove(TANH, wanted)
    assert isinstance(gap, Gap)
    assert counterexample(TANH, lambda point: arb(point["x"]).tanh(), wanted)(gap)


def test_points_are_in_the_domain():
    for point in list(points(TANH))[:50]:
        assert point["z"] > 0
        assert point["x"] == point["z"]


@pytest.mark.parametrize(
    ("problem", "wanted", "words"),
    [
        (with_terms(constant="log(x)"), below("2*z"), "the constant coefficient 'log(x)' is not rational"),
        (with_terms(linear="k*x"), below("2*z"), "unknown symbol k"),
        (TANH, below("z/(1 - z)"), "may have a pole in the range"),
        (TANH, below("1 + 1/z"), "no value at z = 0"),
        (replace(TANH, parameters={"a": "(0, oo)"}), below("z + a - 1"), "its distance from the solution is (a - 1)"),
        (with_terms(quadratic="1"), below("z"), "not > 0 by its form"),
        (replace(TANH, shift="1/(z - 2)"), below("1 + z"), "pole"),
        (TANH, below("z +"), "not rational"),
    ],
)
def test_refusals_name_the_term(problem, wanted, words):
    with pytest.raises(Refusal, match=".") as refused:
        prove(problem, wanted)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_parameter_that_may_vanish_is_refused():
    with pytest.raises(Refusal, match="parameter a"):
        replace(TANH, parameters={"a": "[0, oo)"})


def test_the_theorem_states_what_is_wanted():
    statement = theorem(replace(TANH, shift="z/(2 + z)"), below("1 + z"))
    assert statement.statements == (Positive(any_of=("(1 + z) - (T_0 + (z/(2 + z)))",)),)


def test_a_failed_attempt_leaves_no_steps():
    derivation = Derivation(theorem(TANH), TANH.chart)
    derivation.positive("1 + z")
    gap = derivation.attempt(lambda: derivation.positive("1 + z") + derivation.positive("z - 1"))
    assert isinstance(gap, Gap)
    assert len(derivation.steps) == 1


def test_a_residual_that_vanishes_in_a_corner_is_split():
    """1/a + z³ and more: no Bernstein form is positive where a → ∞ and z → 0, and a(z⁴ − z² + 1) z³ is not positive by its form."""
    problem = replace(
        TANH, parameters={"a": "[1, oo)"}, chart=Chart(symbols={"a": Map(map="reciprocal", variable="u"), **TANH.chart.symbols})
    )
    derivation = Derivation(theorem(problem), problem.chart)
    text = "1 + z + a*z**3*(z**4 - z**2 + 1)"
    assert isinstance(derivation.attempt(lambda: derivation.positive(text)), Gap)
    number = show(derivation, text, ())
    assert derivation.steps[number].statement == Positive(any_of=(text,))
    with pytest.raises(Open):
        show(derivation, "1 + z + a*z**3*(z**4 - 3*z**2 + 1)", ())


def test_only_bounds_inequalities_and_identities_are_established():
    derivation = Derivation(theorem(TANH), TANH.chart)
    with pytest.raises(TypeError, match="Supremum"):
        establish(derivation, Supremum(symbol="C", low="0", high="1"))


def test_a_vanishing_parameter_is_zero_at_the_points_tried():
    parts = {"parameters": {"eta": "(0, oo)"}, "chart": Chart(symbols={"eta": Map(map="odds", variable="e"), **TANH.chart.symbols})}
    assert {point["eta"] for point in points(replace(TANH, vanishing="eta", **parts))} == {0}
    assert len({point["eta"] for point in points(replace(TANH, **parts))}) > 9
