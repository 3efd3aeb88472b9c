"""The commands, called in this process."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from certify.claims import registry
from certify.claims.certificate import encode
from certify.cli import cli, main

PLANTED = Path(__file__).resolve().parent.parent / "planted"
HONEST, FAULTY = (str(PLANTED / f"{name}.py") for name in ("honest", "faulty"))


@pytest.fixture
def certify(capsys):
    """Run a command; its exit code, stdout and stderr."""

    def certify(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return certify


def one_line(err: str) -> bool:
    return err.startswith("certify: ") and err.count("\n") == 1 and err.endswith("\n")


@pytest.mark.parametrize("command", ["", *cli.commands])
def test_every_command_has_help(certify, command):
    code, out, err = certify(*filter(None, [command]), "--help")
    assert (code, err) == (0, "")
    assert "Usage: certify" in out
    options = re.findall(r"--[a-z]+-file|--[a-z]+-dir", out)
    assert options == {"": [], "init": [], "train": [], "run": ["--output-dir"], "figure": ["--output-dir"]}.get(command, ["--output-file"])


def documented(group=cli, name=()):
    """The commands, down to the last subcommand, by their words."""
    for word, command in group.commands.items():
        yield from documented(command, (*name, word)) if isinstance(command, click.Group) else [((*name, word), command)]


@pytest.mark.parametrize(("name", "command"), [pytest.param(*each, id=" ".join(each[0])) for each in documented()])
def test_the_examples_in_a_help_are_accepted(name, command):
    lines = re.findall(rf"certify {' '.join(name)}\b.*", command.epilog)
    assert lines
    for line in lines:
        words = shlex.split(line)[1 + len(name) :]
        command.make_context(name[-1], words, obj={"verbose": False, "command": line})


def test_the_commands_are_told_in_whole_sentences(certify):
    _, out, _ = certify("--help")
    assert "..." not in out.partition("Commands:")[2]


def test_version(certify):
    code, out, _ = certify("--version")
    assert code == 0
    assert out.startswith("certify ")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 4, "Missing command. Try certify --help."),
        (["table"], 4, "Try certify table --help."),
        (["--nonsense"], 4, "No such option"),
        (["nonsense"], 4, "No such command 'nonsense'"),
        (["run", "--jobs", "0"], 4, "--jobs"),
        (["run", "--profile", "slow"], 4, "slow"),
        (["run", "--seed", "-1"], 4, "--seed"),
        (["run", "--format", "xml"], 4, "xml"),
        (["run", "ratio.cubid"], 4, "close: ratio.cubic"),
        (["run", "no.such.py"], 4, "no such file"),
        (["run", "no.such.*"], 5, "no claim matches 'no.such.*'"),
        (["run", "ratio.cubic", "--set", "K=1"], 4, "it has C, nu_min"),
        (["run", "ratio.cubic", "--set", "C=one"], 4, "constant C: 'one' is not a number"),
        (["run", "ratio.cubic", "identity.riccati", "--set", "C=1"], 4, "claim identity.riccati has no constant 'C'"),
        (["run", "ratio.cubic", "-o", "/dev/null"], 4, "cannot make the folder"),
        (["list", "ratio.cubic", "-o", "/dev/null"], 4, "not a regular file"),
        (["explain"], 4, "Missing argument"),
        (["explain", "nothing"], 4, "unknown claim"),
        (["check"], 4, "Missing argument"),
        (["check", "missing.json"], 4, "cannot read 'missing.json'"),
        (["check", __file__], 5, "no certificate"),
        (["enclose", "--x", "1"], 4, "give the order nu or the dimension p"),
        (["enclose", "--nu", "1"], 4, "give x, resultant or choose"),
        (["enclose", "--nu", "-1", "--x", "1"], 4, "nu ≥ 0 is accepted"),
        (["enclose", "--p", "1", "--x", "1"], 4, "p ≥ 2 is accepted"),
        (["enclose", "--nu", "1", "--x", "one"], 4, "'one' is not a number"),
        (["enclose", "--nu", "1", "--x", "1", "--digits", "14"], 4, "15 to 1000"),
        (["enclose", "--nu", "1", "--resultant", "1"], 4, "resultant < 1"),
    ],
)
def test_bad_input_is_one_line_and_its_exit_code(certify, arguments, code, words):
    got, out, err = certify(*arguments)
    assert (got, out) == (code, "")
    assert one_line(err)
    assert words in err


@pytest.mark.parametrize(
    ("selectors", "code"),
    [
        ([f"{HONEST}::*"], 0),
        ([f"{HONEST}::*", f"{FAULTY}::planted.false"], 1),
        ([f"{FAULTY}::planted.raises"], 3),
        ([f"{FAULTY}::planted.open"], 6),
        ([f"{FAULTY}::planted.weak"], 6),
        ([f"{HONEST}::planted.absent"], 6),
    ],
)
def test_exit_codes_of_runs(certify, monkeypatch, selectors, code):
    from concurrent.futures import ThreadPoolExecutor

    from certify.report import run as module

    monkeypatch.setitem(module.run.__kwdefaults__, "pool", ThreadPoolExecutor)
    got, out, err = certify("run", "-q", *selectors)
    assert (got, err) == (code, "")
    assert "weakest link" in out or "nothing was run" in out


def test_an_unexpected_error_is_one_line(certify, monkeypatch):
    def fail(_):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(registry, "load", fail)
    code, out, err = certify("list")
    assert (code, out) == (3, "")
    assert one_line(err)
    assert "internal error: RuntimeError: two lines" in err
    assert "Traceback" in certify("list", "-v")[2]


def test_a_library_that_is_not_installed_is_named(certify, monkeypatch):
    def fail(_):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(registry, "load", fail)
    code, out, err = certify("list")
    assert (code, out) == (3, "")
    assert one_line(err)
    assert "the module 'torch', which is not installed" in err


def test_list_formats(certify):
    assert certify("list", "ratio.cubic")[1].split()[:2] == ["ratio.cubic", "proved"]
    [entry] = json.loads(certify("list", "ratio.cubic", "--format", "json")[1])
    assert (entry["id"], entry["constants"]) == ("ratio.cubic", {"C": "1", "nu_min": "10/9"})
    assert certify("list", "ratio.cubic", "--format", "markdown")[1].startswith("| claim | grade | source |\n| ---")


def test_list_shows_files_that_cannot_be_imported(certify, tmp_path):
    (tmp_path / "broken.py").write_text("1/0")
    code, out, _ = certify("list", str(tmp_path / "broken.py"))
    assert code == 3
    assert out.startswith("broken  error  ")
    [entry] = json.loads(certify("list", str(tmp_path / "broken.py"), "--format", "json")[1])
    assert "ZeroDivisionError" in entry["failure"]
    assert json.loads(certify("list", HONEST, "--format", "json")[1])[0]["failure"] is None


def test_explain(certify):
    code, out, _ = certify("explain", "ratio.cubic")
    assert code == 0
    for words in ("for every nu in [10/9, oo)", "comparison lemma", "Theorem 2", "nu_min = 10/9", "proofs.ratio.cubic"):
        assert words in out


@pytest.fixture(scope="module")
def riccati(tmp_path_factory):
    """A certificate file of ``identity.riccati``."""
    [entry] = registry.load().select(["identity.riccati"])
    file = tmp_path_factory.mktemp("certificates") / "riccati.json"
    file.write_bytes(encode(entry.claim.prove().certificate))
    return file


def test_check_accepts_a_certificate(certify, riccati):
    code, out, err = certify("check", str(riccati))
    assert (code, err) == (0, "")
    assert out.startswith(f"accepted  {riccati}: identity.riccati\n  ")
    [checked] = json.loads(certify("check", str(riccati), "--format", "json")[1])
    assert (checked["accepted"], checked["claim"], checked["refusal"]) == (True, "identity.riccati", None)
    assert checked["established"]


@pytest.mark.parametrize("options", [[], ["--standalone"]])
def test_check_refuses_a_certificate_that_was_changed(certify, riccati, tmp_path, options):
    changed = tmp_path / "changed.json"
    changed.write_text(riccati.read_text().replace("identity.riccati", "identity.derivative", 1))
    code, out, err = certify("check", str(changed), str(riccati), *options)
    assert (code, err) == (1, "")
    assert f"refused   {changed}: " in out
    assert f"accepted  {riccati}: " in out
    refused, accepted = sorted(json.loads(certify("check", str(changed), str(riccati), "--format", "json")[1]), key=lambda c: c["accepted"])
    assert (refused["accepted"], refused["established"], accepted["accepted"]) == (False, [], True)
    assert refused["refusal"]


def test_results_go_to_a_file_on_request(certify, tmp_path):
    expected = certify("list")[1]
    code, out, err = certify("list", "-o", str(tmp_path / "list.txt"))
    assert (code, out, err) == (0, "", "")
    assert (tmp_path / "list.txt").read_text() == expected


@pytest.mark.parametrize("words", [["--nu", "1e19999", "--x", "1"], ["--nu", "2", "--x", "1e-19999", "--to", "1e19999"]])
def test_whatever_number_is_accepted_is_answered(certify, words):
    code, out, err = certify("enclose", *words)
    assert (code, err) == (0, "")
    assert "ν⁻³" in out


@pytest.mark.parametrize(("nu", "proved"), [("1.1111", False), ("10/9", True), ("2", True)])
def test_enclose_shows_the_bound_where_it_is_proved(certify, nu, proved):
    out = certify("enclose", "--nu", nu, "--x", "1", "--to", "2")[1]
    assert ("ν⁻³ " in out, "ν⁻³|to − x|" in out) == (proved, proved)


def test_enclose(certify):
    question = ["enclose", "--nu", "255", "--x", "1e5", "--to", "1.1e5", "--resultant", "1/2", "--digits", "40"]
    code, out, _ = certify(*question)
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()[1:]] == [
        *("R", "R′", "A_R", "R − A_R", "ν⁻³"),
        *("ΔΦ", "ΔF_R", "ΔΦ − ΔF_R", "ν⁻³|to − x|", "κ"),
    ]
    data = json.loads(certify(*question, "--format", "json")[1])
    assert (data["nu"], data["to"], data["digits"]) == ("255", "110000", 40)
    assert certify("enclose", "--p", "512", *question[3:])[1] == out


@pytest.mark.parametrize("interval", [("2", "3"), ("3", "2")])
def test_enclosed_digits_are_those_of_mpmath(certify, interval):
    """Sixty digits against mpmath's own series, at more digits than asked for."""
    import mpmath

    x, to = interval
    arguments = ["enclose", "--nu", "7/2", "--x", x, "--to", to, "--digits", "60", "--format", "json"]
    found = {entry["symbol"]: entry["value"] for entry in json.loads(certify(*arguments)[1])["quantities"]}
    with mpmath.workdps(90):
        nu, a, b = mpmath.mpf(7) / 2, mpmath.mpf(x), mpmath.mpf(to)
        ratio = mpmath.besseli(nu + 1, a) / mpmath.besseli(nu, a)

        def potential(y):
            return mpmath.log(mpmath.besseli(nu, y)) - nu * mpmath.log(y)

        def candidate(y):
            s = mpmath.sqrt(nu**2 + y**2)
            return s - nu * mpmath.log(nu + s) - mpmath.log(s) / 2 + (3 * y**2 - 2 * nu**2) / (24 * s**3)

        expected = {
            "R": ratio,
            "R′": 1 - (2 * nu + 1) / a * ratio - ratio**2,
            "A_R": mpmath.diff(candidate, a, h=mpmath.mpf(10) ** -20),
            "ΔΦ": potential(b) - potential(a),
            "ΔF_R": candidate(b) - candidate(a),
        }
        for symbol, value in expected.items():
            digits = 15 if symbol == "A_R" else 60
            assert len(found[symbol].lstrip("-0.").replace(".", "")) >= 60, symbol
            assert abs(mpmath.mpf(found[symbol]) / value - 1) < mpmath.mpf(10) ** (1 - digits), symbol


def test_the_error_of_the_approximation_respects_the_bound(certify):
    for x in ("1/10", "1", "1e3", "1e9"):
        arguments = ["enclose", "--nu", "10/9", "--x", x, "--to", "5", "--format", "json"]
        found = {entry["symbol"]: float(entry["value"]) for entry in json.loads(certify(*arguments)[1])["quantities"]}
        assert abs(found["R − A_R"]) < found["ν⁻³"]
        assert abs(found["ΔΦ − ΔF_R"]) <= found["ν⁻³|to − x|"]


def test_a_file_that_cannot_be_used_is_no_internal_error(monkeypatch, capsys):
    def refuse(**_question):
        raise PermissionError(13, "Permission denied", "there/forks.json")

    monkeypatch.setattr("certify.exact.enclose.enclose", refuse)
    assert main(["enclose", "--nu", "1", "--x", "1"]) == 4
    assert capsys.readouterr().err == "certify: cannot use 'there/forks.json': Permission denied\n"
