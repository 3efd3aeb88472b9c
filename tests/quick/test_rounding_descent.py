"""Descents to small orders: their rounding theorems are proved and replayed, about the code that runs, and kept by what it computes."""

from fractions import Fraction
from itertools import product
from math import nextafter

import numpy as np
import pytest
import torch
from flint import arb, fmpq

from certify.claims.registry import load
from certify.claims.settle import Stored, resume, settle
from certify.claims.verdict import Outcome
from certify.exact import descent_program
from certify.exact.ball import working_precision
from certify.exact.debye import ladder_ratio
from certify.exact.rounding.ladder import PROFILES
from certify.exact.rounding.model import OFF
from certify.exact.truth import Truth, less
from certify.studies.production import shipped
from certify.studies.production.balls import balls
from certify.studies.production.reference import Reference
from certify.vmf import descent, kernel, plan
from certify.vmf.coefficients import SIGNIFICANT_BITS
from proofs.rounding import descent as proof

ENTRIES = load().claims
CLAIMS = {id: entry.claim for id, entry in ENTRIES.items() if id.startswith("rounding.descent")}
PROVED = ["rounding.descent", "rounding.descent.cuda", *(f"rounding.descent.{part}" for part in ("leading", "start", "step"))]
SHIPPED = ENTRIES["rounding.shipped.descent"].claim
CIRCUMSTANCES = {"profile": "quick", "seed": 0}
FORMATS = {torch.float64: "float64", torch.float32: "float32"}
MODULI = {False: torch.hypot, True: kernel.root_of_squares}


@pytest.mark.parametrize("id", PROVED)
def test_proved_and_replayed(id):
    settled = settle(CLAIMS[id], {}, CIRCUMSTANCES)
    assert settled.verdict.outcome is Outcome.PROVED, settled.verdict.summary
    assert settled.established is not None
    assert settled.certificate is not None
    name = next(iter(CLAIMS[id].constants))
    with pytest.raises(ValueError, match="another theorem"):
        resume(CLAIMS[id], {name: 2 * CLAIMS[id].constants[name]}, Stored(settled.certificate))


def test_the_programs_are_the_code_that_runs_and_the_plan_promises_no_more_than_is_proved():
    verdict = SHIPPED.prove()
    assert verdict.outcome is Outcome.ENCLOSED, verdict.summary


def test_another_code_or_promise_is_noticed(monkeypatch):
    monkeypatch.setattr(shipped, "STEPS", (1,))
    monkeypatch.setattr(descent, "_coefficients", lambda nu, steps: (2 * (nu + i) + 1 for i in range(steps, 0, -1)))
    verdict = SHIPPED.prove()
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    assert verdict.witness["kernel"] == "descent.ratio, 1 steps"
    monkeypatch.undo()
    monkeypatch.setitem(plan.ROUNDING, "cpu", Fraction(4))
    monkeypatch.setattr(plan, "START", Fraction(5))
    assert len(shipped.uncovered_descents()) == 2
    monkeypatch.setattr(proof, "MOST", 61)
    assert shipped.uncovered_descents()[-1] == "rounding.descent holds up to order 61, where A_8 may not suffice in torch.float64"
    monkeypatch.setattr(proof, "MOST", 62)
    assert len(shipped.uncovered_descents()) == 2


@pytest.mark.parametrize(("kind", "profiles"), [("", ("", "squares")), ("cuda", ("cuda", "cuda_compiled"))])
def test_the_standard_model_covers_the_profiles(kind, profiles):
    """A relative error is at most twice the bound in ulps; that of √(x x + ν ν) at most 2u where all operations are correctly rounded."""
    h, q = OFF[kind]
    for squares, group in map(PROFILES.__getitem__, profiles):
        for form, profile in product(("binary32", "binary64"), group):
            assert {2 * profile.bound(op, form) for op in ("add", "sub", "mul")} == {1}
            assert 2 * profile.bound("div", form) <= q
            root = 2 * profile.bound("sqrt", form) + 1 if squares else 2 * profile.bound("hypot", form)
            assert root <= h


def test_a_descent_takes_a_step():
    with pytest.raises(ValueError, match="steps = 0: a descent takes one step at least"):
        descent_program.ratio(0)


@pytest.mark.parametrize("dtype", FORMATS)
def test_the_plan_starts_where_the_claims_hold(dtype):
    starts = []
    for nu in (*range(0, 64, 7), *(Fraction(j, 3) for j in range(25))):
        request = plan.plan("ratio", dtype, nu, None, None, None)
        starts += [request.nu + request.steps] if request.steps else []
    assert len(starts) >= 8 if dtype == torch.float32 else len(starts) > 15
    assert proof.LEAST <= min(starts) <= max(starts) <= proof.MOST


def points(nu: float, dtype: torch.dtype, count: int) -> torch.Tensor:
    """All sizes, many where the error is largest, some just above powers of two, and the ends."""
    random = np.random.default_rng(int(64 * nu))
    x = np.concatenate(
        [
            (nu + 1) * np.exp2(random.uniform(-3, 8, count)),
            np.exp2(random.uniform(-140, 100, count // 10)),
            np.exp2(random.integers(-3, 9, count // 10)) * (1 + 2.0**-12 * random.random(count // 10)),
        ]
    )
    info, top = torch.finfo(dtype), kernel.X_MAX[dtype]
    ends = [0.0, info.smallest_normal, info.smallest_normal * info.eps, top, 2 * top, info.max]
    return torch.cat([torch.from_numpy(x), torch.tensor(ends, dtype=torch.float64)]).to(dtype)


def neighbours(x: torch.Tensor, errors: np.ndarray) -> torch.Tensor:
    """The floats next to those with the largest errors."""
    worst = x[torch.from_numpy(np.argsort(errors)[-20:].copy())]
    u = torch.finfo(x.dtype).eps / 2
    return torch.cat([worst * (1 + j * u) for j in range(-40, 41)])


def errors(name: str, x: torch.Tensor, nu: float, steps: int, modulus: kernel.Modulus) -> np.ndarray:
    """Upper bounds, in units of u."""
    found = getattr(descent, name)(x, torch.tensor(nu, dtype=x.dtype), descent_program.ORDER, steps, modulus)
    exact = getattr(Reference(nu, x.double().numpy(), FORMATS[x.dtype]), name)
    error = exact - balls(found.double().numpy())
    assert bool(error.known.all())
    return (np.abs(error.high + error.low) + error.radius) * 2.0 ** SIGNIFICANT_BITS[x.dtype]


@pytest.mark.parametrize("squares", MODULI)
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("nu", [0.0, 0.5, 1.0, 4.75, 7.5, 31.0, 56.0])
def test_what_is_computed_is_within_the_bounds(nu, dtype, squares):
    steps = plan.plan("ratio", dtype, nu, None, None, None).steps or 1
    constants, formula = CLAIMS["rounding.descent"].constants, proof.PASSED_ON * plan.SHARE
    for name, k in (("ratio", constants["k"]), ("complement", constants["rest"])):
        x = points(nu, dtype, 1000)
        seen = errors(name, x, nu, steps, MODULI[squares])
        close = errors(name, neighbours(x, seen), nu, steps, MODULI[squares])
        assert max(seen.max(), close.max()) <= float(k + formula)
        assert seen.max() > float(k) / 4


def coarse_hypot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Off by 6u, at every second place in the other direction; with its own error, as CUDA's may be."""
    found = torch.hypot(a, b)
    sign = 1 - 2 * (torch.arange(found.numel()) % 2)
    return found * (1 + 6 * sign * torch.finfo(found.dtype).eps / 2)


STARTS = [(torch.hypot, ""), (kernel.root_of_squares, ""), (coarse_hypot, "cuda")]


@pytest.mark.parametrize("nu", [6, 7, 17, 31, 57])
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize(("modulus", "kind"), STARTS)
def test_descents_start_accurately(nu, dtype, modulus, kind):
    x = (nu * torch.logspace(-4, 8, 100, dtype=torch.float64)).to(dtype)
    found = kernel.complement(x, torch.tensor(float(nu), dtype=dtype), descent_program.ORDER, modulus)
    with working_precision(200):
        for f, point in zip(found.tolist(), x.tolist(), strict=True):
            error = abs(f / (1 - ladder_ratio(descent_program.ORDER, nu, point, 60)) - 1)
            assert less(error, fmpq(proof.START[kind], 2 ** SIGNIFICANT_BITS[dtype])) is Truth.YES


def test_the_witness_against_a_small_k_is_confirmed_independently():
    """By Arb's own Bessel functions."""
    witness = CLAIMS["rounding.descent"].prove({"k": Fraction(2)}).witness
    assert witness is not None
    x, nu, computed = (Fraction(witness[name]) for name in ("x", "nu", "computed"))
    assert nextafter(float(np.float32(x)), 0) < x
    assert Fraction(float(np.float32(float(x)))) == x
    with working_precision(300):
        z, order, found = (arb(fmpq(each.numerator, each.denominator)) for each in (x, nu, computed))
        error = abs(z.bessel_i(order + 1) / z.bessel_i(order) - found)
        assert less(fmpq(2, 2**24), error) is Truth.YES
