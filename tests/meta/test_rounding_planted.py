"""From the command line: a planted program, or a bound too small, fails; the cell and the float are named. Bad input is one line."""

import json
import re
from fractions import Fraction

import pytest

from certify.cli import main

HEAD = '''
from fractions import Fraction

import msgspec

from certify.claims.claim import claim
from certify.exact.profile import IEEE
from certify.exact.program import Builder
from certify.exact.rounding.theorem import assumed, order_range
from proofs.rounding import ratio


def planted(build, k="81/20"):
    builder = Builder()
    x, nu, x_max = builder.inputs("x", "nu", "x_max")
    x = builder.call("min", x, x_max)
    program = builder.program(build(x, nu, builder.call("hypot", x, nu)))
    return msgspec.structs.replace(ratio.theorem(1, "", "", Fraction(k), Fraction(1)), program=program)


def declared(id, build):
    @claim(id, statement="", domain="", source="planted", theorem=lambda: planted(build))
    def prove():
        return ratio.prove(id, planted(build), 1)

    return prove


def ladder(x, nu, s, slope):
    e = 1 / s
    y = x * e
    return x / (nu + s) - (y * e) * (e * ((y * y) * slope - Fraction(1, 2)) + Fraction(1, 2))
'''
PROGRAMS = {
    "right": "lambda x, nu, s: ladder(x, nu, s, Fraction(5, 8))",
    "naive": "lambda x, nu, s: x / (nu + s) - x / (2 * (s * s)) + x * (4 * (nu * nu) - x * x) / (8 * (s * s * s * s * s))",
    "float32": "lambda x, nu, s: ladder(x, nu, s, Fraction(5, 8) + Fraction(1, 2**24))",
    "float64": "lambda x, nu, s: ladder(x, nu, s, Fraction(5, 8) + Fraction(1, 2**60))",
}
CELL = r"in the cell x/nu in \[[\d.e+-]+, (?:inf|[\d.e+-]+)\], nu in \[[\d.e+-]+, (?:inf|[\d.e+-]+)\]: "


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    path = tmp_path_factory.mktemp("planted") / "planted.py"
    path.write_text(HEAD + "".join(f"\n{name} = declared('planted.{name}', {text})\n" for name, text in PROGRAMS.items()))
    return path


def run(capsys, *arguments):
    code = main(["run", *map(str, arguments), "--format", "json", "-q", "-j", "1"])
    output = capsys.readouterr()
    return code, json.loads(output.out)["claims"] if output.out else [], output.err


def test_planted_programs_fail_and_name_the_cell(capsys, planted):
    code, records, _ = run(capsys, planted)
    assert code == 1
    found = {record["id"].removeprefix("planted."): record for record in records}
    assert {name: record["outcome"] for name, record in found.items()} == {
        "right": "proved",
        "naive": "refuted",
        "float32": "refuted",
        "float64": "undecided",
    }
    assert re.search(CELL + r"node \d+, mul, scales like s\^3 and may overflow there", found["naive"]["summary"])
    for name in ("float32", "float64"):
        assert re.search(CELL + "the program is not the function: they differ at", found[name]["summary"])
    assert set(found["float64"]["box"]) == {"x/nu", "nu"}
    assert found["naive"]["witness"]["computed"] == "not finite"
    assert Fraction(found["float32"]["witness"]["error in u"]) > 10**6


BELOW = [("rounding.ratio.1", "37/10"), ("rounding.ratio.1.squares", "3"), ("rounding.derivative.1", "5/2")]


@pytest.mark.parametrize(("id", "k"), BELOW)
def test_a_bound_below_what_is_observed_is_refuted_by_a_float(capsys, id, k):
    code, [record], _ = run(capsys, id, "--set", f"k={k}")
    assert (code, record["outcome"]) == (1, "refuted")
    witness = record["witness"]
    assert witness["format"] in ("binary32", "binary64")
    unit = "error in u/s" if "derivative" in id else "error in u"
    assert Fraction(witness[unit]) > Fraction(k)
    assert f"x = {witness['x']}, nu = {witness['nu']}" in record["summary"]
    for name in ("x", "nu", "computed"):
        value = Fraction(witness[name])
        assert float(value) == value
    assert re.search(CELL + "the bound found is ", record["summary"])


def test_a_bound_that_is_not_proved_is_undecided_and_names_the_cell(capsys):
    code, [record], _ = run(capsys, "rounding.ratio.1", "--set", "k=401/100")
    assert (code, record["outcome"]) == (6, "undecided")
    assert re.search(CELL + r"the bound found is 4\.02", record["summary"])
    assert record["box"]["x/nu"].endswith("inf]")


def test_a_difference_that_is_not_proved_names_the_cell(capsys):
    code, [record], _ = run(capsys, "rounding.difference.1", "--set", "k=19/2")
    assert (code, record["outcome"]) == (6, "undecided")
    assert re.search(r"in the cell nu/s0 in \[.*\], s0/s1 in \[.*\], 1/nu in \[.*\]: the bound found is", record["summary"])


def test_a_difference_below_what_is_observed_is_refuted_by_floats(capsys):
    code, [record], _ = run(capsys, "rounding.difference.1", "--set", "k=4")
    assert (code, record["outcome"]) == (1, "refuted")
    assert {"format", "a", "b", "nu", "computed"} <= record["witness"].keys()


@pytest.mark.parametrize(
    ("id", "setting", "says"),
    [
        ("rounding.ratio.1", "nu_min=0", "nu_min = 0: orders from 2^-16 to 2^20 are accepted"),
        ("rounding.ratio.1", "nu_min=1/65537", "nu_min = 1/65537: orders from"),
        ("rounding.derivative.1", "nu_min=-1", "nu_min = -1: orders from"),
        ("rounding.ratio.1", "nu_min=2097152", "nu_min = 2097152: orders from"),
        ("rounding.ratio.1", "k=0", "k = 0: a bound k > 0 is accepted"),
        ("rounding.ratio.1", f"nu_min={10**30 + 1}/{10**30}", "a number of at most 30 characters is accepted"),
        ("rounding.ratio.1", f"k={10**30 + 1}/{10**30}", "a number of at most 30 characters is accepted"),
        ("rounding.ratio.1", "k=1e40", "a bound k > 0 is accepted, up to 2^60"),
        ("rounding.difference.1", "d=-1", "d = -1: a bound d > 0 is accepted"),
        ("rounding.difference.1", "nu_min=1/10", "nu_min = 1/10: orders from 1/8 on"),
        ("rounding.difference.1", "k=0", "k = 0: a bound k > 0 is accepted"),
        ("rounding.ratio.1", "x_max=3", "has no constant 'x_max': it has k, nu_min"),
    ],
)
def test_bad_input_is_one_line(capsys, id, setting, says):
    code, _, error = run(capsys, id, "--set", setting)
    assert code == 4
    assert says in error
    assert len(error.splitlines()) == 1


def test_a_profile_without_a_bound_names_the_operation(capsys, tmp_path):
    path = tmp_path / "profile.py"
    path.write_text(HEAD + "\nassumed(planted(" + PROGRAMS["right"] + ").program, [IEEE])\n")
    code, records, error = run(capsys, path)
    assert code != 0
    assert "profile ieee has no bound for hypot in binary32" in error + json.dumps(records)
