"""What the Riccati claims cite and no checker checks, 0 < Y − σ < below and the equation itself, held against balls at points."""

import itertools

import pytest
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.expression import evaluate
from certify.exact.riccati_equation import solution
from certify.exact.riccati_witness import balls, points
from certify.exact.truth import Truth, less, positive
from proofs.riccati import erfcx, gamma, gamma_small, hazard, second_kind, watson

PROBLEMS = {
    "erfcx": (erfcx.PROBLEM, erfcx.reference),
    "gamma": (gamma.PROBLEM, gamma.reference),
    **{f"gamma.{name}": (shapes.problem, shapes.reference) for name, shapes in gamma_small.SHAPES.items()},
    "hazard": (hazard.HAZARD, hazard.reference),
    "hazard.convex": (hazard.SCALED, hazard.scaled),
    "second": (second_kind.problem(0), second_kind.reference),
    "watson": (watson.PROBLEM, watson.reference),
}
EVERY = {"erfcx": 1, "hazard": 1, "hazard.convex": 1}
STEP = fmpq(1, 2**100)


def remainder(problem, reference, point):
    return reference(point) - evaluate(problem.shift, balls(problem, point), arb)


def moved(problem, point, step):
    there = {**point, problem.variable: point[problem.variable] * (1 + step)}
    return {**there, problem.equation.variable: evaluate(problem.substitution, there, fmpq)}


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_the_trivial_bounds_hold(name):
    problem, reference = PROBLEMS[name]
    truths = []
    with working_precision(400):
        for point in itertools.islice(points(problem), 0, 1400, EVERY.get(name, 17)):
            y = remainder(problem, reference, point)
            truths += [positive(y), less(y, evaluate(problem.below, balls(problem, point), arb))]
    assert Truth.NO not in truths
    assert truths.count(Truth.YES) > len(truths) / 2


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_the_derived_equation_is_that_of_the_function(name):
    """The central difference quotient of Y − σ along ξ, against the equation in the certificate."""
    problem, reference = PROBLEMS[name]
    with working_precision(600):
        for point in itertools.islice(points(problem), 0, 700, EVERY.get(name, 61) * 7):
            up, down = (remainder(problem, reference, moved(problem, point, step)) for step in (STEP, -STEP))
            slope = (up - down) / (2 * STEP * point[problem.variable])
            symbols = {**balls(problem, point), problem.remainder: remainder(problem, reference, point)}
            wanted = evaluate(solution(problem).equation, symbols, arb)
            assert less(arb(fmpq(1, 10**12)) * (1 + abs(wanted)), abs(slope - wanted)) is not Truth.YES
            if slope.rel_accuracy_bits() > 60:
                assert less(abs(slope - wanted), arb(fmpq(1, 10**12)) * (1 + abs(wanted))) is Truth.YES
