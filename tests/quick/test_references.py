"""References by name: what is accepted, what is refused in one line, and what is said where they have no value."""

import pytest
import torch
from mpmath import mp

from certify.audit.auditor import audit
from certify.audit.bounds.formula import FUNCTIONS, formula
from certify.audit.outcome import Fidelity
from certify.audit.reference import Unnamed, reference
from certify.audit.slopes import derivatives
from certify.cli import main
from certify.exact.ball import working_precision
from certify.exact.interpret import ball


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sin", lambda x: mp.sin(x)),
        ("pi", lambda x: +mp.pi),
        ("e*x", lambda x: mp.e * x),
        ("x", lambda x: x),
        ("besseli(1, x)/besseli(0, x)", lambda x: mp.besseli(1, x) / mp.besseli(0, x)),
        ("gamma_hazard(3, x)", lambda x: x**2 * mp.exp(-x) / mp.gammainc(3, x)),
        ("1/3 + 0*x", lambda x: mp.mpf(1) / 3),
        ("(-1)/(-3) + 0*x", lambda x: mp.mpf(1) / 3),
        ("max(abs(-x), 1)", lambda x: max(x, 1)),
        ("log(1 + exp(exp(x)**9))", lambda x: mp.log1p(mp.exp(mp.exp(9 * x)))),
    ],
)
def test_what_is_accepted(text, value):
    function = reference(text)
    with mp.workdps(50):
        for x in map(mp.mpf, ("0.3", "4")):
            assert mp.almosteq(function(x), value(x), mp.mpf(10) ** -48)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nan", "neither mpmath"),
        ("inf", "neither mpmath"),
        ("dps", "neither mpmath"),
        ("x + inf", "inf stands for no number"),
        ("j*x", "j stands for no number"),
        ("sin + x", "sin stands for no number"),
        ("besseli", "gives no number: TypeError"),
        ("matrix(x)", "gives no number"),
        ("True*x", "not accepted as a number"),
        ("1j*x", "not accepted as a number"),
        ("x if x else 1", "IfExp"),
        ("(" * 10**5 + "x" + ")" * 10**5, "an expression in x"),
        ("exp(" * 3000 + "x" + ")" * 3000, "an expression in x"),
        ("\0", "an expression in x"),
        ("", "an expression in x"),
        ("+".join(["x"] * 2000), "at most 2000 characters"),
        ("-" * 1900 + "x", "RecursionError"),
        ("x**9**9**9", "beyond 2"),
        ("exp(exp(exp(exp(exp(x)))))", "beyond 2"),
        ("besseli(0, 10**10**10*x)", "beyond 2"),
        ("exp(x)(x)", "gives no number"),
        ("certify.audit.slopes:STEP", "not a function"),
        ("certify.audit.slopes:nothing", "nothing"),
        ("nowhere.py:f", "there is no file 'nowhere.py'"),
        ("nowhere.at.all:f", "cannot be imported"),
        ("math:sqrt + 1", "file.py:function"),
    ],
)
def test_what_is_refused_in_one_line(text, words):
    with pytest.raises(Unnamed, match=words) as refused:
        reference(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 700


def test_every_formula_is_a_reference_too():
    """What claims in TOML enclose, the auditor evaluates, under the same names."""
    values = {"besseli": "besseli(0, x)", "max": "max(x, 1)", "min": "min(x, 1)"}
    for name in FUNCTIONS:
        program = formula(values.get(name, f"{name}(x)"), ("x",))
        with mp.workdps(50), working_precision(200):
            value, (enclosed,) = reference(values.get(name, name))(mp.mpf("0.75")), ball.evaluate(program, {"x": "3/4"})
            assert abs(value - mp.mpf(enclosed.mid().str(45, radius=False))) < mp.mpf(10) ** -40


def test_a_function_of_a_file_is_given_exact_numbers(tmp_path, capsys):
    file = tmp_path / "truth.py"
    file.write_text("def square(n, x):\n    return n * x * x\n\ndef half(x):\n    return x / 2\n")
    assert reference(f"{file}:square(3, x)")(mp.mpf("0.5")) == mp.mpf("0.75")
    assert main(["audit", "torch:square", "--dtype", "float64", "--domain", "-1", "1", "-q", "--reference", f"{file}:square(1, x)"]) == 0
    assert main(["audit", "torch:square", "--dtype", "float64", "--domain", "-1", "1", "-q", "--reference", f"{file}:half"]) == 1
    assert "fidelity outside" in capsys.readouterr().out


def test_beyond_reach_there_is_no_value_and_elsewhere_there_is():
    tower = reference("exp(exp(exp(x)))")
    assert derivatives(tower, 1.0, 1) is not None
    assert derivatives(tower, 1e5, 1) is None


def test_a_large_power_is_a_number_of_a_few_digits():
    assert reference("9**9**9 + 0*x")(mp.mpf(1)) > mp.mpf(10) ** 300000000


def test_a_constant_is_the_truth_of_a_constant():
    assert audit(lambda x: 0 * x + torch.pi, (-1, 1), reference="pi", dtype="float64").fidelity.outcome is Fidelity.WITHIN
    assert audit(torch.sin, (-1, 1), reference="pi", dtype="float64").fidelity.outcome is Fidelity.OUTSIDE


def test_unknown_fidelity_says_why(capsys):
    command = ["audit", "torch:sin", "--dtype", "float64", "--domain", "-1", "1", "-q"]
    assert main([*command, "--reference", "log(-1 - x*x)"]) == 6
    assert "fidelity is unknown: the reference has no real value" in capsys.readouterr().out
    assert main(["audit", "torch:cumsum", "--arg", "dim=0", "--shape", "3", "-q", "--reference", "sin"]) == 6
    assert "fidelity is unknown: references are for functions of one variable" in capsys.readouterr().out


@pytest.mark.parametrize("x", [0.0, 1.0, -57845355.83771346, 1e8, 1e20, -1.7976930544991702e308, 1e-300])
def test_the_slope_of_an_oscillating_reference_is_its_derivative(x):
    """A step in proportion to x passes over whole periods."""
    value, first, second = derivatives(mp.sin, x, 1)
    with mp.workdps(400):
        assert mp.almosteq(value, mp.sin(x), mp.mpf(10) ** -40)
        assert abs(first - mp.cos(x)) < 1e-9
        assert abs(second + mp.sin(x)) < 1e-6


@pytest.mark.parametrize(("text", "x"), [("fabs(x - 3)", 3.0), ("fabs(x)**1.5", 0.0), ("floor(x)", 1.0), ("sqrt(x)", -1.0)])
def test_where_there_is_no_derivative(text, x):
    assert derivatives(reference(text), x, 1) is None


@pytest.mark.parametrize("x", [20.0, 38.0, -30.0])
def test_a_truth_is_none_where_its_text_cancels(x):
    """log Φ(x) is −Φ(−x) to first order; log(ncdf(x)) is zero to all digits from 16 on."""
    value, *_ = derivatives(reference("log_ndtr"), x, 1)
    with mp.workdps(1000):
        assert mp.almosteq(value, mp.log(mp.ncdf(mp.mpf(x))), mp.mpf(10) ** -25)
    assert (derivatives(reference("log(ncdf(x))"), x, 1) is None) == (x > 0)


@pytest.mark.parametrize(("text", "x"), [("cos(x)", 0.0), ("x**4", 0.0), ("(x-1)**4", 1.0), ("pi", 2.0)])
def test_where_the_derivative_vanishes(text, x):
    assert abs(derivatives(reference(text), x, 1)[1]) < 1e-15
