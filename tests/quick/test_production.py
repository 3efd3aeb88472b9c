"""The claims ``production.*``: what they try, how they judge, and how long studies continue."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from certify.claims.verdict import Outcome, Reason
from certify.studies.claims import production
from certify.studies.production.catalogue import PRIMITIVES
from certify.studies.production.chunks import in_chunks
from certify.studies.production.conduct import Subject, dependent, incoherent, subjects, unsteady
from certify.studies.production.inputs import Source
from certify.studies.production.setting import Setting
from certify.studies.production.study import NOTHING, study
from certify.vmf.kernel import X_MAX

FEW = 700
BOUNDS = {name: Fraction(k) for name, (_, k, _) in production.STATEMENTS.items()}
CASES = [(name, form) for name, (_, _, forms) in production.STATEMENTS.items() for form in forms]
CLAIMS = production.declared()


def test_every_primitive_is_claimed_in_every_format_on_every_device():
    assert set(production.STATEMENTS) == set(PRIMITIVES)
    ids = {claim.id for claim in CLAIMS.values()}
    assert {f"production.{name}.{form}.{device}" for name, form in CASES for device in ("cpu", "cuda")} <= ids
    assert {claim.grade for claim in CLAIMS.values()} == {Outcome.SAMPLED}


@pytest.mark.parametrize(("name", "form"), CASES)
def test_a_primitive_stays_within_its_bound(name, form):
    outcome = study(PRIMITIVES[name], getattr(torch, form), "cpu", BOUNDS[name], FEW, 1)
    assert (outcome.failed, outcome.open) == (None, None)
    assert outcome.inputs == FEW
    assert outcome.by_arb >= 2 * len(PRIMITIVES[name].settings(getattr(torch, form)))


def test_a_study_is_deterministic_and_follows_the_seed():
    first, again, other = (study(PRIMITIVES["ratio"], torch.float32, "cpu", BOUNDS["ratio"], FEW, seed) for seed in (3, 3, 4))
    assert first == again != other


def test_a_claim_says_what_was_tried_and_shows_the_worst():
    verdict = CLAIMS["production_ratio_float32_cpu"].prove(profile="quick", seed=0)
    assert verdict.outcome is Outcome.SAMPLED
    assert verdict.facts["inputs"] == production.INPUTS
    assert {"nu", "x", "computed", "needs k"} <= verdict.facts["worst"].keys()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_a_device_that_is_absent_is_not_run():
    for claim in CLAIMS.values():
        if claim.id.endswith(".cuda"):
            verdict = claim.prove(profile="quick", seed=0)
            assert (verdict.outcome, verdict.reason) == (Outcome.NOT_RUN, Reason.MISSING)


def test_nothing_is_compiled_in_the_quick_profile():
    assert CLAIMS["production_compiled_float64_cpu"].prove(profile="quick", seed=0).reason is Reason.LONG


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_inputs_are_numbers_of_the_dtype_with_the_ends_of_the_domain(dtype):
    info = torch.finfo(dtype)
    source = Source(dtype, float(info.max), np.random.default_rng(0))
    found = source.arguments(63.0, 500)
    assert len(found) == 500
    assert np.array_equal(torch.from_numpy(found).to(dtype).double().numpy(), found)
    assert {0.0, float(info.smallest_normal), float(info.smallest_normal * info.eps), float(info.max), 63.0} <= set(found.tolist())
    clamp = X_MAX.get(dtype)
    assert clamp is None or {clamp, clamp * (1 + info.eps)} <= set(found.tolist())


def test_conduct_on_a_few():
    found = list(subjects("cpu", torch.float32, BOUNDS, primitives=[PRIMITIVES["ratio"], PRIMITIVES["slope"]]))
    assert {subject.setting.nu for subject in found} == {0.0, 31.0}
    assert [dependent(each) for each in found] == [None] * len(found)
    assert [unsteady(each) for each in found] == [None] * len(found)
    assert set(incoherent("cpu", torch.float32)) == {None}


def test_the_bound_between_two_results_is_twice_that_of_one():
    setting = Setting(31.0, torch.float64)
    subject = Subject(PRIMITIVES["ratio"], setting, (np.array([1.0, 50.0]),), "cpu", Fraction(4))
    found = subject.run(subject.arguments)
    assert subject.allowed(found) == pytest.approx(2 * (4 + 1 / 8) * 2.0**-53, rel=0.02)


def test_concentrations_may_differ_by_their_residuals_over_the_slope():
    """At p = 64 and r = 1/2: twice k u (1 + 50/63) κ, relatively to κ."""
    setting = Setting(31.0, torch.float64)
    subject = Subject(PRIMITIVES["inverse_ratio"], setting, (np.array([0.5]),), "cpu", Fraction(8))
    kappa = subject.run(subject.arguments)
    assert subject.allowed(kappa) / kappa == pytest.approx(2 * 8 * 2.0**-53 * (1 + 50 / 63), rel=1e-6)


class Interrupted(Exception):
    pass


def test_a_study_in_chunks_continues_where_it_was_interrupted(tmp_path):
    """The chunk in which it stopped is the only one computed twice, and a line that was cut off counts for nothing."""
    computed = []

    def compute(chunk: int, last: int) -> object:
        computed.append(chunk)
        if chunk == last:
            raise Interrupted
        return study(PRIMITIVES["ratio"], torch.float32, "cpu", BOUNDS["ratio"], 150, chunk)

    whole = in_chunks(("whole",), 4, lambda chunk: compute(chunk, -1), tmp_path)
    computed.clear()
    with pytest.raises(Interrupted):
        in_chunks(("key",), 4, lambda chunk: compute(chunk, 2), tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + b'{"chunk":3,"outc')
    assert in_chunks(("key",), 4, lambda chunk: compute(chunk, -1), tmp_path) == whole
    assert computed == [0, 1, 2, 2, 3]
    assert list(tmp_path.iterdir()) == []


def test_another_study_does_not_continue_it(tmp_path):
    with pytest.raises(Interrupted):
        in_chunks(("one",), 2, _fail_at_one, tmp_path)
    computed = []
    in_chunks(("other",), 2, lambda chunk: computed.append(chunk) or NOTHING, tmp_path)
    assert computed == [0, 1]


def _fail_at_one(chunk: int) -> object:
    if chunk:
        raise Interrupted
    return NOTHING
