"""Differences of the potential in floats: the program is the kernel's, its bound holds where it is computed, the claims say so."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb

from certify.checker import difference as checker
from certify.claims.certificate import decode, encode, replay
from certify.claims.verdict import Outcome
from certify.exact.ball import working_precision
from certify.exact.debye import ladder_potential_difference
from certify.exact.difference_program import difference
from certify.exact.format import FORMATS, Format
from certify.exact.interpret import ball
from certify.exact.interpret.plain import execute
from certify.exact.number import exact
from certify.exact.program import nearest
from certify.exact.rounding.difference_search import Problem
from certify.exact.rounding.difference_violation import worst
from certify.exact.truth import Truth, less
from certify.vmf import kernel
from proofs.rounding import difference as proof

ORDERS = range(9)
DTYPES = {"binary64": "float64", "binary32": "float32"}
HALF = Fraction(1, 2)


def points(form: Format, nu: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Pairs of floats: equal, zero, subnormal, next to each other, far apart, as large as is allowed."""
    top = form.largest / 4
    tiny = [Fraction(0), form.least_subnormal, 5 * form.least_subnormal, form.least_normal]
    sizes = [*tiny, nu / 2**30, nu / 8, nu, 3 * nu, 2**20 * nu, top / 2**9, top]
    near = [(x, nearest(x * (1 + 2**j * 2 * form.unit), form.bits)) for x in sizes[4:-1] for j in (0, 5)]
    return [*itertools.product(sizes, sizes), *near, *((b, a) for a, b in near)]


def root(x: Fraction, nu: Fraction) -> arb:
    return arb(exact(x * x + nu * nu)).sqrt()


def computed(n: int, form: Format, nu: Fraction, a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    dtype = getattr(torch, DTYPES[form.name])
    tensors = (torch.tensor([float(x) for x in side], dtype=dtype) for side in (a, b))
    return [Fraction(value) for value in kernel.difference(*tensors, torch.tensor(float(nu), dtype=dtype), n).tolist()]


@pytest.mark.parametrize("n", ORDERS)
@pytest.mark.parametrize("form", DTYPES)
def test_the_program_is_the_kernel(n: int, form: str) -> None:
    random = np.random.default_rng(n)
    values = {name: torch.tensor(np.exp(3 * random.standard_normal(500))).to(getattr(torch, DTYPES[form])) for name in "ab"}
    values["nu"] = torch.tensor(3.25, dtype=getattr(torch, DTYPES[form]))
    (found,) = execute(difference(n).rounded(FORMATS[form].bits), values, DTYPES[form], (torch, torch.special))
    assert torch.equal(found, kernel.difference(values["a"], values["b"], values["nu"], n))


@pytest.mark.parametrize("n", ORDERS)
def test_the_program_is_the_difference(n: int) -> None:
    for a, b in itertools.product((Fraction(0), Fraction(1, 3), Fraction(7), Fraction(10**6)), repeat=2):
        with working_precision(300):
            (value,) = ball.evaluate(difference(n), {"a": a, "b": b, "nu": Fraction(5, 2)})
            assert value.overlaps(ladder_potential_difference(n, Fraction(5, 2), a, b, 60))
            assert value.rad() < 1e-60


EDGES = [("0", "1/2"), ("1", "2"), ("1", "12345/4"), ("1", "1048576"), ("1.half", "1/2"), ("3", "2"), ("8", "5")]


@pytest.mark.parametrize(("name", "order"), EDGES)
@pytest.mark.parametrize("form", DTYPES)
def test_the_bound_holds_at_the_edges(name: str, order: str, form: str) -> None:
    n, _, k = proof.BOUNDS[name]
    nu, number = Fraction(order), FORMATS[form]
    pairs = points(number, nu)
    values = computed(n, number, nu, [a for a, _ in pairs], [b for _, b in pairs])
    effect = exact((proof.UNDERFLOW["c"] + proof.UNDERFLOW["d"] * nu) * number.least_subnormal)
    with working_precision(3000):
        for (a, b), value in zip(pairs, values, strict=True):
            error = abs(exact(value) - ladder_potential_difference(n, nu, a, b, 40))
            bound = exact(Fraction(k) * number.unit) * abs(root(b, nu) - root(a, nu)) + effect
            assert a == b or less(bound, error) is Truth.NO, (a, b)
            assert a != b or value == 0


@pytest.mark.parametrize("name", proof.BOUNDS)
def test_no_float_is_found_above_the_bound(name: str) -> None:
    n, nu_min, k = proof.BOUNDS[name]
    found = worst(n, Fraction(nu_min), generations=8)
    assert 2 < found.ratio < Fraction(k)


def test_the_prover_and_the_checker_agree() -> None:
    statement = proof.theorem(2, Fraction(2), Fraction(10), Fraction(40), Fraction(3))
    claimed = decode(encode(proof.certify_difference("x", statement, proof.Bisection(tree=(0,)))))["theorem"]
    stated, problem = checker.Theorem(**claimed), Problem(statement)
    for box in itertools.product([(0, 1, 1), (1, 2, 1), (3, 4, 3)], [(0, 1, 2), (1, 2, 1)], [(0, 1, 0), (7, 8, 3)]):
        sides = np.array([[end / 2**depth for low, high, depth in box for end in (low, high)]])
        assert float(stated.error(box)) == pytest.approx(float(problem.bound(sides)[0]), rel=1e-6)


@pytest.mark.parametrize("name", ["0", "1"])
def test_claims_are_proved_and_replayed(name: str) -> None:
    claim = proof.bound(name)
    verdict = claim.prove()
    assert verdict.outcome is Outcome.PROVED
    assert verdict.certificate is not None
    established = replay(decode(encode(verdict.certificate)), claim)
    assert established.statements[-2].startswith("|computed")


def test_a_bound_below_what_is_observed_is_refuted() -> None:
    verdict = proof.bound("1").prove({"k": Fraction(4)})
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    a, b, nu, value = (Fraction(verdict.witness[name]) for name in ("a", "b", "nu", "computed"))
    with working_precision(400):
        error = abs(exact(value) - ladder_potential_difference(1, nu, a, b, 40))
        assert less(exact(4 * FORMATS["binary32"].unit) * (root(b, nu) - root(a, nu)), error) is Truth.YES


def test_a_bound_between_is_undecided_and_names_the_box() -> None:
    verdict = proof.bound("1").prove({"k": Fraction(19, 2)})
    assert verdict.outcome is Outcome.UNDECIDED


def test_orders_below_the_proof_are_refused() -> None:
    with pytest.raises(ValueError, match="orders from 1/8 on"):
        proof.bound("1").prove({"nu_min": Fraction(1, 10)})


def test_the_larger_base_fails() -> None:
    """As published, from the larger s: Δ/(ν+s) rounds to −1 and the logarithm is −∞."""
    nu, r, kappa = np.float32(1), np.float32(1), np.float32(2**30)
    s0, s1 = np.hypot(kappa, nu), np.hypot(r, nu)
    with np.errstate(divide="ignore"):
        assert np.log1p((s1 - s0) / (nu + s0)) == -np.inf
    (value,) = computed(1, FORMATS["binary32"], Fraction(1), [Fraction(2**30)], [Fraction(1)])
    assert abs(value + 2**30) < 100


def test_underflow_is_not_for_nothing() -> None:
    """Δ = b²/(2ν) is a normal number, Δ/(2ν) is not: the error is not a small multiple of uΔ, but within the bound for w."""
    form, nu = FORMATS["binary32"], Fraction(2**20)
    b = Fraction(2**-52 * 1.25)
    (value,) = computed(1, form, nu, [Fraction(0)], [b])
    with working_precision(3000):
        error = abs(exact(value) - ladder_potential_difference(1, nu, Fraction(0), b, 40))
        assert less(exact(100 * form.unit) * (root(b, nu) - arb(exact(nu))), error) is Truth.YES
        assert less(exact((40 + 3 * nu) * form.least_subnormal), error) is Truth.NO
