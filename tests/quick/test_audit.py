"""The auditor's interface: results, references, state, bad input, the command, assertions and the plugin."""

import json
import math
import random

import mpmath
import numpy as np
import pytest
import torch

import certify
from certify.audit.outcome import Coherence, Fidelity
from certify.audit.precision import PRECISIONS, effective, middle, precision
from certify.audit.reference import reference
from certify.audit.shrink import decimals
from certify.audit.slopes import derivatives
from certify.audit.stencil import CONFIRM, SCAN, slopes
from certify.cli import main
from certify.testing import assert_coherent, assert_faithful

pytest_plugins = ["pytester"]


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, g):
        return g * (torch.cos(ctx.saved_tensors[0]) + 1e-9)


def state():
    return (
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.get_rng_state().sum().item(),
        torch.get_num_threads(),
        np.random.get_state()[1].sum(),
        random.getstate()[1][:3],
        mpmath.mp.prec,
        np.geterr()["divide"],
    )


def meddling(x):
    torch.manual_seed(1)
    torch.set_default_dtype(torch.float64)
    np.random.seed(1)
    random.seed(1)
    mpmath.mp.dps = 99
    return torch.sin(x)


def test_global_state_is_restored_and_works_without_gradients():
    before = state()
    with torch.no_grad():
        certify.audit(meddling, domain=(-1, 1), dtype="float32")
    assert state() == before


def test_modules_are_not_modified():
    module = torch.nn.BatchNorm1d(3)
    before = {name: value.clone() for name, value in module.state_dict().items()}
    certify.audit(module, inputs=torch.randn(5, 3))
    assert all(torch.equal(value, before[name]) for name, value in module.state_dict().items())


def test_examples_are_not_modified():
    x = torch.randn(6, dtype=torch.float64)
    kept = x.clone()
    certify.audit(lambda x: (x.data.mul_(1.0), torch.softmax(x, 0))[1], inputs=x)
    assert torch.equal(x, kept)
    assert x.grad is None


def test_explanation_ends_with_lines_that_reproduce():
    result = certify.audit(Wrong.apply, domain=(-3, 3), dtype="float64")
    text = result.explain()
    lines = text.splitlines()
    start = lines.index("reproduce:")
    space = {"torch": torch, "fn": Wrong.apply, "print": lambda name, value: found.update({name: float(value.detach())})}
    found = {}
    for line in lines[start + 1 : start + 4]:
        exec(line.strip(), space)
    assert found["supplied"] == result.witness.supplied
    assert abs(found["realized"] - result.witness.realized) < 0.05


def test_outcomes_have_no_truth_value():
    with pytest.raises(TypeError, match="no truth value"):
        bool(Coherence.COHERENT)
    with pytest.raises(TypeError, match="no truth value"):
        bool(Fidelity.UNKNOWN)


def test_record_is_json():
    result = certify.audit(torch.special.i0e, domain=(-5, 5), dtype="float64", reference="i0e")
    data = json.loads(json.dumps(result.record(), allow_nan=False))
    assert data["coherence"]["outcome"] == "kink"
    assert data["coherence"]["kinks"][0]["x"] == 0


def test_budget_is_kept_and_said():
    def slow(x):
        import time

        time.sleep(0.02)
        return torch.exp(x)

    result = certify.audit(slow, domain=(-1, 1), dtype="float64", budget=0.2)
    assert "budget ended" in result.explain()
    assert result.seconds < 5


@pytest.mark.parametrize(
    ("fn", "options", "message"),
    [
        (lambda x: x > 0, {}, "real floating-point"),
        (lambda x: x.sum(), {}, "give example tensors"),
        (lambda x: x.detach(), {}, "no derivative is supplied"),
        (lambda x: 3.0, {}, "returns a float"),
        (lambda x, y: x * y, {}, "more arguments"),
        (torch.sin, {"domain": (2, 1)}, "is empty"),
        (torch.sin, {"domain": (float("nan"), 1)}, "is empty"),
        (torch.sin, {"domain": (1, 1 + 1e-12), "dtype": "float32"}, "is empty"),
        *((torch.sin, {"domain": ends}, "two numbers") for ends in (3, (1,), (0, 1, 2), ("a", "b"), (0, 10**400))),
        (torch.sin, {"dtype": []}, "one at least"),
        (torch.sin, {"budget": "1"}, "greater than 0"),
        (torch.sin, {"reference": "exp(x)", "bound": "1"}, "finite relative error"),
        *((torch.sin, {"inputs": inputs}, "a list of arguments") for inputs in (5, "x", {"x": torch.ones(2)})),
        (torch.sin, {"dtype": "int32"}, "use one of"),
        (torch.sin, {"order": 3}, "1 and 2"),
        (torch.sin, {"budget": -1}, "greater than 0"),
        (torch.sin, {"reference": "exp(x)", "bound": math.nan}, "finite relative error"),
        (torch.sin, {"reference": "exp(x)", "bound": -1.0}, "finite relative error"),
        (torch.sin, {"reference": "exp(x)", "bound": math.inf}, "finite relative error"),
        (torch.sin, {"inputs": torch.empty(0)}, "without elements"),
        (torch.sin, {"declared": " "}, "name of the surrogate"),
        (torch.sin, {"reference": "frobnicate"}, "frobnicate"),
        (torch.sin, {"reference": "__import__('os')"}, "reference"),
        (torch.sin, {"reference": "arb.nothing"}, "Arb has no function"),
        (torch.sin, {"inputs": (torch.ones(2, dtype=torch.int64),)}, "floating-point tensor"),
        (3, {}, "not callable"),
        (lambda x: torch.ones(3) @ torch.ones(4), {}, "raises RuntimeError"),
    ],
)
def test_bad_input_is_one_line(fn, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        certify.audit(fn, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("fn", "name"), [(torch.sin, "sin"), (torch.nn.functional.silu, "silu"), (torch.nn.Tanh(), "Tanh")])
def test_functions_have_the_names_that_people_know(fn, name):
    assert certify.audit(fn, domain=(0, 1), dtype="float32", budget=0.1).target == name


def test_out_of_domain():
    assert certify.audit(torch.log, domain=(-3, -1)).coherence.outcome is Coherence.OUT_OF_DOMAIN


def test_noise_is_inconclusive():
    generator = np.random.default_rng(0)
    result = certify.audit(lambda x: x * 1e-9 + torch.as_tensor(generator.standard_normal(tuple(x.shape))).to(x.dtype), domain=(0, 1))
    assert result.coherence.outcome is Coherence.INCONCLUSIVE
    assert result.coherence.why is not None


@pytest.mark.parametrize("name", PRECISIONS)
def test_neighbours_in_every_format(name):
    format = precision(name)
    x = format.round(np.array([1.0, -3.5, 0.1, 1e4]))
    above = x + format.ulp(x)
    assert (format.round(above) == above).all()
    m = middle(x, above, format)
    assert ((m == x) | (m == above)).all()
    a, b = np.array([-1.0]), np.array([2.0])
    for _ in range(90):
        m = middle(a, b, format)
        a, b = np.where(m < 0.3, m, a), np.where(m < 0.3, b, m)
    assert (b - a)[0] <= 2 * format.ulp(np.array([0.3]))[0]


def test_effective_format():
    x = np.exp(np.random.default_rng(0).uniform(-5, 5, 500))
    assert effective(x, precision("float64")).name == "float64"
    assert effective(x.astype(np.float32).astype(float), precision("float64")).name == "float32"
    assert effective(np.round(x * 16) / 16, precision("float64")).name == "float64"


@pytest.mark.parametrize("stencil", [SCAN, CONFIRM], ids=["scan", "confirm"])
@pytest.mark.parametrize("side", ["both", "left", "right"])
def test_bars_cover_the_error(stencil, side):
    """Over smooth, rough and noisy functions the true derivative lies within twice the bar."""
    generator = np.random.default_rng(1)
    functions = [(np.exp, np.exp), (np.sin, np.cos), (np.tanh, lambda x: 1 / np.cosh(x) ** 2), (lambda x: x**9, lambda x: 9 * x**8)]
    for f, d in functions:
        for noise in (0.0, 1e-12, 1e-6):
            x, h = generator.uniform(0.2, 2, 400), 2.0 ** generator.uniform(-20, 1, 400)
            values = f(x[:, None] + h[:, None] * stencil.nodes) + noise * generator.standard_normal((400, stencil.nodes.size))
            found = slopes(stencil.rules[side], values, h, 4e-16 * np.abs(values).max(axis=1), np.full(400, 4e-16) / h)
            covered = np.abs(found.value - d(x)) <= 2 * found.bar
            assert covered.mean() > 0.985  # of noise above the floor, seven values tell only so much
            assert noise > 0 or covered.all()


def test_simplestdecimals_come_first():
    candidates = decimals(46689452.1787623)
    assert candidates[:2] == [5e7, 4e7]
    assert candidates[-1] == pytest.approx(46689452.1787623)


def test_decimals_of_a_reference_are_exact():
    """More digits than a float has, and an exponent that none has."""
    with mpmath.workdps(60):
        for text in ("0.1000000000000000000000001", "2.5e-400", "1_000.000_000_000_000_000_001"):
            assert reference(f"{text} * x")(mpmath.mpf(1)) == mpmath.mpf(text.replace("_", "")) != 0
        assert reference("0.1000000000000000000000001 * x")(mpmath.mpf(1)) != mpmath.mpf("0.1")


@pytest.mark.parametrize("name", ["erf", "besseli(0, x)", "arb.erf", "sigmoid", "certify.exact.bessel:ratio(63, x)", "exp(-x)*0.1"])
def test_references_agree_with_a_second_way(name):
    truth = reference(name)
    second = {
        "erf": mpmath.erf,
        "arb.erf": mpmath.erf,
        "besseli(0, x)": lambda x: mpmath.besseli(0, x),
        "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
        "certify.exact.bessel:ratio(63, x)": lambda x: mpmath.besseli(64, x) / mpmath.besseli(63, x),
        "exp(-x)*0.1": lambda x: mpmath.exp(-x) / 10,
    }[name]
    for x in (0.5, 3.0):
        value, slope, *_ = derivatives(truth, x, 1)
        with mpmath.workdps(30):
            assert abs(value - second(mpmath.mpf(x))) < 1e-25 * abs(value)
            assert abs(slope - mpmath.diff(second, x)) < 1e-12 * abs(slope)


def test_assertions():
    assert_coherent(torch.sin, domain=(-3, 3), dtype="float64")
    assert_coherent(torch.relu, domain=(-3, 3), dtype="float64")
    assert_faithful(torch.special.erf, "erf", domain=(-3, 3), dtype="float64")
    with pytest.raises(AssertionError, match="supplied derivative"):
        assert_coherent(Wrong.apply, domain=(-3, 3), dtype="float64")
    with pytest.raises(AssertionError, match="kink"):
        assert_coherent(torch.relu, kinks=False, domain=(-3, 3), dtype="float64")
    with pytest.raises(AssertionError, match="outside"):
        assert_faithful(torch.sigmoid, "sigmoid", domain=(-50, 50), dtype="float64")


FILE = """
import torch
def good(x, scale=1.0): return torch.exp(-x * x) * scale
def bad(x): return torch.special.erfcx(x)
def two(x, y): return x * y
def total(x): return x.sum()
print("noise on stdout")
"""


def command(tmp_path, capsys, *words):
    file = tmp_path / "audited.py"
    file.write_text(FILE)
    code = main(["audit", *(word.replace("FILE", str(file)) for word in words), "-q"])
    return code, capsys.readouterr()


def test_command(tmp_path, capsys):
    code, streams = command(tmp_path, capsys, "FILE:good", "--domain", "-2", "2", "--dtype", "float64", "--arg", "scale=2")
    assert code == 0
    assert "coherence coherent" in streams.out
    assert "noise" not in streams.out
    code, streams = command(tmp_path, capsys, "FILE:bad", "--domain", "-5", "1e9", "--dtype", "float64", "--format", "json")
    assert code == 1
    assert json.loads(streams.out)["coherence"]["outcome"] == "incoherent"
    code, streams = command(tmp_path, capsys, "torch.nn:LayerNorm", "--arg", "normalized_shape=4", "--shape", "2x4")
    assert code == 0
    code, streams = command(tmp_path, capsys, "torch:sigmoid", "--reference", "sigmoid", "--domain", "-50", "50", "--dtype", "float64")
    assert code == 1
    code, streams = command(tmp_path, capsys, "torch:log", "--domain", "-2", "-1")
    assert code == 6


@pytest.mark.parametrize(
    "words",
    [
        ("FILE:two",),
        ("FILE:total",),
        ("FILE:nothing",),
        ("FILE",),
        ("nowhere:f",),
        ("missing.py:f",),
        ("FILE:good", "--arg", "scale"),
        ("FILE:good", "--arg", "color=red"),
        ("FILE:good", "--domain", "1", "0"),
        ("FILE:good", "--domain", "a", "0"),
        ("FILE:good", "--shape", "3y"),
        ("FILE:good", "--dtype", "int8"),
        ("FILE:good", "--reference", "nothing"),
        ("torch.nn:Linear",),
        ("torch:Tensor",),
        ("torch:float64",),
    ],
)
def test_command_refuses_in_one_line(tmp_path, capsys, words):
    code, streams = command(tmp_path, capsys, *words)
    assert code == 4
    assert streams.out == ""
    assert streams.err.rstrip("\n").splitlines()[-1].startswith("certify: ")
    assert "Traceback" not in streams.err


CLAIMS = """
from certify import Verdict, claim

@claim("demo.sum", statement="1+1=2", domain="", source="school", grade="enclosed")
def sum_claim():
    return Verdict.enclosed("in integers")

@claim("demo.false", statement="1+1=3", domain="", source="nowhere", grade="enclosed")
def false_claim():
    return Verdict.refuted({"n": 1}, "fails")

@claim("demo.error", statement="?", domain="", source="nowhere", grade="enclosed")
def error_claim():
    raise RuntimeError("broken")
"""


def test_plugin_collects_claims(pytester, pytestconfig):
    """An installed plugin loads by its entry point; naming it again is an error of pytest's."""
    pytester.makepyfile(test_claims=CLAIMS)
    named = () if pytestconfig.pluginmanager.has_plugin("certify") else ("-p", "certify.pytest_plugin")
    result = pytester.runpytest_inprocess(*named, "-q")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*claim demo.false: refuted: fails*", "*n = 1*"])


JUMPING = {
    "atan2": (torch.atan2, (torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64))),
    "sign": (lambda x: torch.sign(x).sum(), torch.zeros(3, dtype=torch.float64)),
    "threshold": (lambda x: torch.where(x >= 1, x + 1, x).sum(), torch.tensor([1.0, 2.0])),
}
STEADY = {
    "steep": (lambda x: torch.tanh(1e9 * x).sum(), torch.zeros(3, dtype=torch.float64)),
    "cusp": (lambda x: x.abs().sqrt().sum(), torch.full((3,), 1e-3, dtype=torch.float64)),
    "beside": (torch.atan2, (torch.tensor(0.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64))),
}


@pytest.mark.parametrize("name", JUMPING)
def test_a_jump_at_the_input_is_named(name):
    fn, inputs = JUMPING[name]
    result = certify.audit(fn, inputs=inputs)
    assert result.coherence.outcome is Coherence.KINK
    assert "a jump of the forward at" in result.explain()


@pytest.mark.parametrize("name", STEADY)
def test_what_is_steep_is_no_jump(name):
    fn, inputs = STEADY[name]
    result = certify.audit(fn, inputs=inputs)
    assert not any(kink.jump for kink in result.coherence.kinks)


def test_jumps_in_the_domain_are_told():
    assert "jump near x = " in certify.audit(torch.floor, domain=(-2, 2), dtype="float32").explain()


def test_the_resolution_of_a_format_is_told():
    """Errors below it do not show; that of float16 is some percents."""
    found = {each.dtype: each for each in certify.audit(torch.tanh, domain=(-6, 6), dtype=["float32", "float16"]).evidence}
    assert 1e-6 < found["float32"].resolution < 1e-4
    assert 1e-2 < found["float16"].resolution < 0.2
    assert "the resolution of float16 here is" in certify.audit(torch.tanh, domain=(-6, 6), dtype="float16").explain()
