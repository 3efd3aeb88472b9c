"""The probe of rounding profiles: it holds for what is installed, and sees a library that errs by more."""

from fractions import Fraction

import numpy as np
import pytest

from certify.claims.registry import load
from certify.claims.verdict import Outcome, Reason
from certify.exact.format import FORMATS
from certify.exact.profile import NUMPY, PROFILES, ProfileError
from certify.studies.profiles import environments as profile_environments
from certify.studies.profiles import probe as profiles
from certify.studies.profiles.environments import ENVIRONMENTS, PROBED
from certify.studies.profiles.probe import inputs, judge, probe

POINTS = 2000
CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith("profile.")}
BINARY64, BINARY32 = FORMATS["binary64"], FORMATS["binary32"]


def test_every_profile_of_an_environment_is_a_claim():
    assert set(CLAIMS) == {f"profile.{name}" for name in ENVIRONMENTS} == {f"profile.{name}" for name in PROFILES if name != "ieee"}


@pytest.mark.parametrize("name", ["numpy", "torch.eager.cpu.vector", "torch.eager.cpu.scalar"])
def test_the_installed_build_keeps_its_profile(name):
    worst, contradictions = probe(PROFILES[name], POINTS)
    assert not contradictions
    assert {each.form for each in worst} == {"binary64", "binary32"}
    assert all(0 < each.ulps <= PROFILES[name].bound(each.op, each.form) * (1 + Fraction(1, 10**6)) for each in worst if each.op != "sqrt")


def test_a_tighter_profile_is_refuted_by_an_input():
    verdict = CLAIMS["profile.numpy"].prove({"k": Fraction(1, 10)}, profile="quick", seed=0)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    assert {"operation", "arguments", "computed", "bound"} < set(verdict.witness)


def test_what_compiled_code_loses_has_no_bound():
    """exp(x) − 1 for expm1, and a polynomial of small absolute error for erf in binary32: no relative bound holds for tiny arguments."""
    compiled = PROFILES["torch.compiled.cpu"]
    assert "expm1" not in compiled.ulps["binary64"] | compiled.ulps["binary32"]
    assert "erf" not in compiled.ulps["binary32"]
    with pytest.raises(ProfileError, match="no bound for expm1 in binary64"):
        compiled.bound("expm1", "binary64")


@pytest.mark.parametrize("name", ["torch.eager.cuda", "torch.compiled.cuda"])
def test_an_absent_device_is_not_run(name):
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("a CUDA device is present")
    verdict = CLAIMS[f"profile.{name}"].prove(profile="quick", seed=0)
    assert (verdict.outcome, verdict.reason) == (Outcome.NOT_RUN, Reason.MISSING)


def test_inputs_are_fixed_by_the_seed_and_cover_the_format():
    x, y = inputs("hypot", "binary32", POINTS, 0)
    assert x.dtype == np.float32
    assert all(np.array_equal(a, b) for a, b in zip((x, y), inputs("hypot", "binary32", POINTS, 0), strict=True))
    assert not np.array_equal(x, inputs("hypot", "binary32", POINTS, 1)[0])
    assert 0 < np.abs(x).min() < 1e-38
    assert np.abs(x).max() > 1e36


@pytest.mark.parametrize("form", [BINARY64, BINARY32], ids=lambda form: form.name)
@pytest.mark.parametrize("op", PROBED)
def test_a_planted_error_is_found(op, form, monkeypatch):
    """One result among thousands moved by as many ulps as the bound, and one more."""
    arguments = inputs(op, form.name, POINTS, 3)
    with np.errstate(all="ignore"):
        computed = np.array(ENVIRONMENTS["numpy"](form.name)[op](*arguments))
    bound = Fraction(11)
    usable = np.flatnonzero(np.isfinite(computed) & (np.abs(computed) > 1e-30) & (np.abs(computed) < 1e30))
    place = usable[len(usable) // 2]
    assert judge(op, form, arguments, computed, Fraction(10**7))[1] is None
    computed[place] = computed[place] + np.spacing(computed[place]) * 10**8
    found = judge(op, form, arguments, computed, bound)[1]
    assert found is not None
    assert found.worst.arguments == tuple(float(each[place]) for each in arguments) or op == "erfc"


def test_a_library_with_a_flushed_or_missing_result_is_refuted(monkeypatch):
    real = ENVIRONMENTS["numpy"]

    def planted(form):
        table = dict(real(form))
        product = table["mul"]
        table["mul"] = lambda x, y: np.where(np.abs(product(x, y)) < np.finfo(x.dtype).tiny, 0, product(x, y))
        table["exp"] = lambda x: np.where(x > 80, np.nan, np.exp(x))
        table["hypot"] = lambda x, y: np.nextafter(np.hypot(x, y), 0)
        return table

    monkeypatch.setitem(profile_environments.ENVIRONMENTS, "numpy", planted)
    names = {(each.worst.op, each.what) for each in probe(NUMPY, POINTS)[1]}
    assert {("mul", "error in ulps"), ("exp", "error in ulps"), ("hypot", "hypot below its argument")} <= names


def test_the_screen_agrees_with_balls():
    """Where x87 or quadruple numbers stand in for exact values, the errors agree with those from balls to a hundredth of an ulp."""
    for op in ("exp", "log1p", "hypot", "div"):
        arguments = inputs(op, "binary64", 300, 5)
        with np.errstate(all="ignore"):
            computed = np.asarray(ENVIRONMENTS["numpy"]("binary64")[op](*arguments))
        screened = profiles._screened(op, BINARY64, arguments, computed)
        for place in np.flatnonzero((screened > 0) & np.isfinite(screened))[:100]:
            worst, _ = profiles._confirmed(op, BINARY64, [float(each[place]) for each in arguments], float(computed[place]))
            assert abs(worst.ulps - screened[place]) < 0.01


@pytest.mark.parametrize("form", ["binary64", "binary32"])
def test_reciprocals_are_correctly_rounded_quotients(form):
    """Kernels say ``reciprocal`` where theorems divide 1: the same number, in vector loops and out of them."""
    torch = pytest.importorskip("torch")
    mantissas = np.arange(2**23, dtype=np.int32) + (127 << 23)
    x = mantissas.view(np.float32) if form == "binary32" else 1 + np.random.default_rng(0).random(10**6)
    tensor = torch.from_numpy(x)
    scattered = torch.stack([tensor, tensor], dim=1).reshape(-1)[::2]
    expected = (1 / x.astype(np.float64)).astype(x.dtype)  # binary64 is more than twice as wide, so that rounding twice is rounding once
    for each in (tensor, scattered):
        assert np.array_equal(torch.reciprocal(each).numpy(), expected)
