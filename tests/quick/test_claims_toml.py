"""Claims as TOML: what is accepted, what is refused in one line, and what is shown of bounds of a function."""

from fractions import Fraction
from pathlib import Path

import pytest
import torch
from flint import arb, fmpq

from certify.audit.bounds.cover import Problem
from certify.audit.bounds.formula import NoFormula, formula
from certify.audit.bounds.verdict import PROFILE
from certify.claims.origin import file_origin
from certify.claims.verdict import Outcome, Reason
from certify.cli import main
from certify.exact.ball import working_precision
from certify.exact.format import FORMATS
from certify.exact.interpret import ball
from certify.exact.truth import Truth, less

pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit")

KERNELS = """
import torch

def softplus(x):
    return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))

def jumps(x):
    return torch.where(x > 3, x, torch.log1p(torch.exp(x)))

def cubic(x):
    return 1 + x * (1 + x * (0.5 + x / 6))

def beyond(x):
    return torch.where(x > 9, torch.sin(x), x * x)

def log_ndtr(x):
    return torch.special.log_ndtr(x)

def nothing(x):
    return x * 0

def half(x):
    return 0.5 + torch.round(x) / 4

def reduced(x):
    return x - x.mean()

def angle(x, nu):
    return x / (nu + torch.sqrt(x * x + nu * nu))

@torch.compile(backend="eager")
def compiled(x):
    return x * x

@torch.compile(backend="eager", dynamic=True)
def warmed(x):
    return x * x

with torch.no_grad():
    warmed(torch.ones(7, dtype=torch.float64)), warmed(torch.ones(700, dtype=torch.float64))

def flushing(x):
    torch.set_flush_denormal(True)
    return x * x

@torch.jit.script
def scripted(x):
    return x * x

def truth(x):
    from fractions import Fraction

    return x + Fraction(1, 2)
"""
CLAIM = {
    "id": '"own.softplus"',
    "statement": "'e'",
    "target": '"kernel.py:softplus"',
    "reference": '"log(1 + exp(x))"',
    "domain": "{ x = [-8, 8] }",
    "bound": "1e-14",
}


@pytest.fixture
def declare(tmp_path):
    """Write a claim file next to the kernels; keys are those of CLAIM but for the ones given, None leaves one out."""
    (tmp_path / "kernel.py").write_text(KERNELS)

    def declare(text: str | None = None, **keys: str | None) -> Path:
        lines = [f"{key} = {value}" for key, value in {**CLAIM, **keys}.items() if value is not None]
        file = tmp_path / "own.toml"
        file.write_text(text if text is not None else "\n".join(["[[claim]]", *lines]))
        return file

    return declare


@pytest.fixture
def prove(declare, monkeypatch):
    """The verdict on such a claim; ``bound`` overrides that of the file, as ``--set`` does."""

    def prove(bound: str | None = None, **keys: str | None):
        import sys

        origin = file_origin(str(declare(**keys)))
        monkeypatch.delitem(sys.modules, origin.module, raising=False)
        (claim,) = [value for name, value in vars(origin.load()).items() if name.startswith("own")]
        return claim.prove({"bound": Fraction(bound)} if bound else None, profile="quick", seed=0)

    return prove


def test_a_bound_is_enclosed_on_the_whole_domain_and_refuted_below_the_error(prove):
    verdict = prove()
    assert verdict.outcome is Outcome.ENCLOSED
    assert verdict.facts["boxes"] > 1
    refuted = prove("1e-16")
    assert refuted.outcome is Outcome.REFUTED
    x, computed, true = (Fraction(refuted.witness[name]) for name in ("x", "computed", "true"))
    assert abs(computed - true) > Fraction("1e-16")
    assert -8 <= x <= 8


@pytest.mark.parametrize(("bound", "outcome"), [("0.05", Outcome.ENCLOSED), ("0.048", Outcome.REFUTED)])
def test_a_jump_is_covered_by_both_of_its_programs(prove, bound, outcome):
    """The error jumps to log(1 + e⁻³) = 0.0485… at 3, where the choice changes."""
    keys = {"target": '"kernel.py:jumps"', "reference": '"softplus"', "domain": "{ x = [-2, 30] }"}
    assert prove(bound, **keys).outcome is outcome


def test_units_in_the_last_place_and_single_precision(prove):
    assert prove("6", error='"ulp"', domain="{ x = [-90, 1] }", reference='"softplus"').outcome is Outcome.ENCLOSED
    assert prove("1", error='"ulp"').outcome is Outcome.REFUTED
    cubic = {"target": '"kernel.py:cubic"', "reference": '"exp"', "domain": "{ x = [-0.1, 0.1] }", "dtype": '"float32"'}
    assert prove("5e-6", **cubic).outcome is Outcome.ENCLOSED  # the cut series leaves x⁴/24 ≤ 4.17e-6
    assert prove("4e-6", **cubic).outcome is Outcome.REFUTED
    assert prove("5e-6", **cubic, error='"relative"').outcome is Outcome.ENCLOSED


def test_several_variables(prove):
    keys = {"target": '"kernel.py:angle"', "reference": '"x/(nu + sqrt(x*x + nu*nu))"', "domain": "{ x = [0, 9], nu = [1, 2] }"}
    assert prove(**keys).outcome is Outcome.ENCLOSED
    assert prove("1e-17", **keys).outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("target", "reference", "bound", "why"),
    [
        ("kernel.py:half", "x/4 + 1/2", "1/7", "round"),
        ("kernel.py:softplus", "arb.exp", "1e4", "no enclosures"),
        ("kernel.py:softplus", "kernel.py:truth", "9", "no enclosures"),
        ("kernel.py:softplus", "zeta(exp(exp(exp(x))))", "1e30", "no enclosures"),
        ("torch.nn.functional:softplus", "softplus", "1e-14", "fuses"),
        ("kernel.py:compiled", "x*x", "1e-13", "compiled"),
        ("kernel.py:warmed", "x*x", "1e-13", "compiled"),
        ("kernel.py:scripted", "x*x", "1e-13", "compiled"),
        ("kernel.py:flushing", "x*x", "1e-13", "flushed to zero"),
        ("torch:sin", "sin", "1e-15", "no bound for sin"),
    ],
)
def test_what_cannot_be_enclosed_is_sampled_and_says_why(prove, target, reference, bound, why):
    verdict = prove(bound, target=f'"{target}"', reference=f'"{reference}"')
    torch.set_flush_denormal(False)
    assert verdict.outcome is Outcome.SAMPLED
    assert why in verdict.summary.partition("not enclosed")[2]


def test_where_the_reference_has_no_value_nothing_is_compared(prove):
    """At 0, an end of the domain, 1/x has none."""
    assert prove("1e330", reference='"besselj(0, x)/x"', domain="{ x = [0, 1] }").outcome is Outcome.SAMPLED


def test_a_reference_whose_text_cancels_refutes_nothing(prove):
    """−Φ(−x) is relatively far from log Φ(x) as 50 digits have it, zero from 16 on."""
    keys = {"target": '"kernel.py:log_ndtr"', "domain": "{ x = [20, 30] }", "error": '"relative"'}
    assert prove("1e-9", **keys, reference='"log(ncdf(x)) + 0*zeta(x)"').reason is Reason.INEQUALITY_OPEN
    assert prove("1e-9", **keys, reference='"log1p(-ncdf(-x)) + 0*zeta(x)"').outcome is Outcome.SAMPLED


@pytest.mark.parametrize("error", ["absolute", "relative", "ulp"])
@pytest.mark.parametrize("further", ["", " + 0*zeta(x)"])
def test_references_far_beyond_the_format(prove, error, further):
    """e^(e^x) has millions of digits there, and 1/e^(e^x) is zero to as many places."""
    keys = {"domain": "{ x = [20, 30] }", "error": f'"{error}"'}
    assert prove("0.5", **keys, reference=f'"exp(exp(x)){further}"').reason is Reason.INEQUALITY_OPEN
    assert prove("0.5", **keys, reference=f'"exp(-exp(x)){further}"').outcome is Outcome.REFUTED
    assert prove("0.5", **keys, reference='"exp(-exp(x))"', target='"kernel.py:nothing"').outcome is not Outcome.REFUTED


def test_operations_beyond_the_domain_need_no_bound(prove):
    """Beyond 9 the kernel uses a sine, whose error no profile bounds."""
    keys = {"target": '"kernel.py:beyond"', "reference": '"max(sin(x)*0, x*x)"'}
    assert prove(**keys).outcome is Outcome.ENCLOSED
    assert "no bound for sin" in prove(**keys, domain="{ x = [8, 10] }", bound="200").summary


def test_elements_that_depend_on_each_other_are_no_function_of_x(prove):
    """Of one element, x − mean(x) is 0."""
    assert prove("1e-9", target='"kernel.py:reduced"', reference='"0*x"').outcome is Outcome.REFUTED


def test_a_domain_of_one_point(prove):
    assert prove(domain="{ x = [1, 1] }").outcome is Outcome.ENCLOSED


def test_what_stays_open_is_undecided_with_its_box(prove):
    """Relative to a true value that passes through zero, no bound holds on an interval around it."""
    keys = {"target": '"torch:expm1"', "reference": '"expm1"', "error": '"relative"', "bound": "1e-15"}
    verdict = prove(**keys)
    assert (verdict.outcome, verdict.reason) == (Outcome.UNDECIDED, Reason.INEQUALITY_OPEN)
    assert "x" in verdict.box
    assert prove(**keys, grade='"sampled"').outcome is Outcome.SAMPLED
    assert prove(reference='"log(0*x - 1)"').reason is Reason.INEQUALITY_OPEN  # no real value anywhere


def test_a_number_that_is_not_finite_refutes(prove):
    verdict = prove("1", target='"torch:exp"', reference='"x"', domain="{ x = [700, 800] }")
    assert verdict.outcome is Outcome.REFUTED


def test_a_choice_is_made_only_beyond_the_rounding_errors_of_what_it_compares():
    """u = (x·(1/3))·3 against x: computed, either may be larger, so that both branches count wherever they could be taken."""
    program = formula("max((x*(1/3))*3 - x, 0)", ("x",))
    problem = Problem(program, formula("0*x", ("x",)), _allowed("1e-15"), PROFILE)
    assert problem.cover({"x": (fmpq(1), fmpq(2))}, 100).open is None
    assert problem.share({"x": (fmpq(1), fmpq(2))}) > fmpq(1, 10)  # not zero, which the exact choice would leave


def _allowed(bound: str):
    from certify.audit.bounds.allowed import Allowed
    from certify.exact.number import exact

    return Allowed(exact(bound), "absolute", FORMATS["binary64"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1*x", lambda x: x / 10),
        ("pi*x - x**3", lambda x: arb.pi() * x - x * x * x),
        ("-softplus(-x)", lambda x: -(1 + (-x).exp()).log()),
        ("logsigmoid", lambda x: -(1 + (-x).exp()).log()),
        ("besseli(1, x)/besseli(0, x)", lambda x: x.bessel_i(arb(1)) / x.bessel_i(arb(0))),
        ("log_ndtr(x)", lambda x: ((-x / arb(2).sqrt()).erfc() / 2).log()),
        ("gelu", lambda x: x * (-x / arb(2).sqrt()).erfc() / 2),
        ("erfcx(x)", lambda x: (x * x).exp() * x.erfc()),
    ],
)
@pytest.mark.parametrize("x", ["3/2", "-7/3"])
def test_formulas_are_what_they_say(text, value, x):
    with working_precision(200):
        (found,) = ball.evaluate(formula(text, ("x",)), {"x": x})
        expected = value(arb(fmpq(*map(int, x.split("/")))))
        assert found.overlaps(expected)
        assert less(abs(found - expected), arb(fmpq(1, 2**150))) is Truth.YES


@pytest.mark.parametrize("text", ["", "x +", "y", "open('f')", "x.real", "exp(x, x)", "besseli(2, x)", "'x'", "True*x", "__import__('os')"])
def test_what_is_no_formula(text):
    with pytest.raises(NoFormula):
        formula(text, ("x",))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"bund": "1"}, "unknown key 'bund'"),
        ({"bound": None}, "missing key 'bound'"),
        ({"bound": "[1]"}, "for the key 'bound'"),
        ({"bound": '"one"'}, "constant bound: 'one' is not a number"),
        ({"bound": "nan"}, "constant bound: 'nan' is not a number"),
        ({"id": '"Own"'}, "claim id 'Own'"),
        ({"id": "3"}, "for the key 'id'"),
        ({"target": '"softplus"'}, "key 'target'"),
        ({"target": None}, "exactly one of the keys"),
        ({"target": '"nowhere.py:softplus"'}, "key 'target': there is no file 'nowhere.py'"),
        ({"reference": '"nowhere.py:truth"'}, "key 'reference': there is no file 'nowhere.py'"),
        ({"reference": '"elephant(x)"'}, "reference 'elephant(x)': neither mpmath"),
        ({"reference": '"nan"'}, "reference 'nan(x)': neither mpmath"),
        ({"reference": '"x - inf"'}, "inf stands for no number"),
        ({"reference": '"besselk"'}, "gives no number"),
        ({"reference": '"x**9**9**9 + zeta(x)"'}, "beyond 2^"),
        ({"reference": f'"{"-" * 1900}x"'}, "RecursionError"),
        ({"reference": f'"{"x+" * 5000}x"'}, "at most 2000 characters"),
        ({"bound": "inf"}, "constant bound: 'inf' is not a number"),
        ({"domain": "{ x = [nan, 1] }"}, "key 'domain': x"),
        ({"domain": "{ x = [1] }"}, "for the key 'domain"),
        ({"domain": "{ x = [2, 1] }"}, "ends before it begins"),
        ({"domain": "{ x = [0, inf] }"}, "key 'domain': x"),
        ({"domain": "{ x = [0, 1e400] }"}, "beyond the numbers of binary64"),
        ({"domain": "{ x = [0, 1e40] }", "dtype": '"float32"'}, "beyond the numbers of binary32"),
        ({"domain": "{}"}, "1 to 3 variables"),
        ({"domain": "{ t = [0, 1] }", "reference": '"arb.exp"'}, "is called x"),
        ({"grade": '"proved"'}, "needs a certificate"),
        ({"grade": '"certain"'}, "grade 'certain'"),
        ({"error": '"percent"'}, "for the key 'error'"),
        ({"riccati": "{}"}, "exactly one of the keys"),
        ({key: None for key in CLAIM if key not in ("id", "statement")} | {"riccati": "{ name = 'Y' }"}, "missing key 'is'"),
    ],
)
def test_a_malformed_file_is_one_line_with_its_file_and_key(declare, capsys, keys, words):
    assert main(["list", str(declare(**keys))]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "own.toml" in err
    assert words in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x", "not TOML"),
        ("a = 1", "unknown key 'a'"),
        ("claim = 1", "two brackets"),
        ("claim = [1]", "claim 1: a table"),
        ("[claim]\nid = 'x'", "two brackets"),
        ("\n".join(2 * ["[[claim]]", *(f"{key} = {value}" for key, value in CLAIM.items())]), "two claims have the id 'own.softplus'"),
    ],
)
def test_a_file_that_holds_no_claims_is_one_line(declare, capsys, text, words):
    assert main(["list", str(declare(text))]) == 4
    assert words in capsys.readouterr().err


def test_a_file_without_claims_is_named_with_what_it_may_hold(declare, capsys, monkeypatch):
    monkeypatch.chdir(declare("").parent)
    Path("none.py").write_text("x = 1")
    for words in (["list", "own.toml"], ["run", "own.toml::own.softplus"]):
        assert main(words) == 5
        assert capsys.readouterr().err == "certify: claim file 'own.toml' declares no claim: tables [[claim]] are looked for\n"
    assert main(["explain", "none.py"]) == 5
    assert "claim file 'none.py' declares no claim: functions with @claim" in capsys.readouterr().err


def test_a_file_is_called_what_the_user_called_it(declare, capsys, monkeypatch):
    monkeypatch.chdir(declare("x").parent)
    assert main(["list", "./own.toml"]) == 4
    assert capsys.readouterr().err.startswith("certify: claim file './own.toml': not TOML")


def test_listing_runs_none_of_the_code_that_a_file_names(declare, capsys):
    file = declare()
    file.with_name("kernel.py").write_text("raise SystemExit('was run')")
    assert main(["list", str(file)]) == 0
    assert main(["explain", f"{file}::own.softplus"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "bound = 1/100000000000000" in out


def test_a_claim_file_is_run_by_the_command_and_reproduced_by_its_report(declare, tmp_path, capsys):
    file = declare()
    assert main(["run", str(file), "-q", "-j", "1", "--set", "bound=1e-17", "-o", str(tmp_path / "out")]) == 1
    assert "own.softplus [bound = 1/100000000000000000]" in capsys.readouterr().out
    assert f"{file}::own.softplus --set bound=1/1" in (tmp_path / "out" / "report.md").read_text()
