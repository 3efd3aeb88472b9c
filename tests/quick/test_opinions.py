"""Second opinions: real provers where they are installed, stand-ins everywhere; the verdict is the same with and without them."""

import json
import os
import shutil
import stat
import subprocess
from fractions import Fraction

import pytest

from certify.claims import registry
from certify.claims.certificate import encode
from certify.cli import main
from certify.exact.program import Builder
from certify.studies.opinions import gappa, opinion, sollya
from certify.studies.opinions.opinion import Answer, ask

CLAIMS = {"gappa": "rounding.ratio.1.squares", "sollya": "ladder.optimal.1"}
WITH = ["--with", "gappa,sollya"]


@pytest.fixture(scope="module")
def data():
    """The plain data of a certificate that raises a question for each tool, and of one that raises none."""
    shipped = registry.load()
    found = {}
    for id in (*CLAIMS.values(), "identity.riccati", "rounding.ratio.1"):
        (entry,) = shipped.select([id])
        found[id] = json.loads(encode(entry.claim.prove().certificate))
    return found


@pytest.fixture
def folder(data, tmp_path):
    for id, each in data.items():
        (tmp_path / f"{id}.json").write_text(json.dumps(each))
    return tmp_path


@pytest.fixture
def stand_in(tmp_path_factory, monkeypatch):
    """Put shell scripts of these names, and nothing else, on the path."""

    def stand_in(**scripts: str) -> None:
        place = tmp_path_factory.mktemp("bin")
        for name, script in scripts.items():
            (place / name).write_text(f"#!/bin/sh\ncat > /dev/null 2>&1 || true\n{script}\n".replace("cat >", f"{shutil.which('cat')} >"))
            (place / name).chmod(stat.S_IRWXU)
        monkeypatch.setenv("PATH", os.fspath(place))

    return stand_in


def answers(capsys, *arguments: str) -> tuple[int, dict[str, str]]:
    code = main(["check", *arguments, *WITH, "--format", "json"])
    return code, {each["tool"]: each["answer"] for each in json.loads(capsys.readouterr().out)["second opinions"]}


def test_only_certificates_of_their_kind_raise_questions(data):
    asked = {id for id, each in data.items() if gappa.question(each) is not None}
    assert asked == {CLAIMS["gappa"]}  # a hypot, which is what the other rounding theorem has, is no operation of Gappa's
    assert {id for id, each in data.items() if sollya.question(each) is not None} == {CLAIMS["sollya"]}


@pytest.mark.skipif(shutil.which("gappa") is None, reason="gappa is not installed")
def test_gappa_confirms_the_bound_and_no_smaller_one(data):
    question = gappa.question(data[CLAIMS["gappa"]])
    assert ask("gappa", question, "").answer is Answer.CONFIRMS
    builder = Builder()
    x, nu, _ = builder.inputs("x", "nu", "x_max")
    program = builder.program(x / nu + x)  # up to 33, so off by 32 u at the addition
    for k, answer in ((40, Answer.CONFIRMS), (20, Answer.OPEN)):
        assert ask("gappa", question._replace(script=gappa.script(program, Fraction(k))), "").answer is answer


@pytest.mark.skipif(shutil.which("sollya") is None, reason="sollya is not installed")
def test_sollya_confirms_the_supremum_and_contradicts_a_digit(data):
    certificate = data[CLAIMS["sollya"]]
    assert ask("sollya", sollya.question(certificate), "").answer is Answer.CONFIRMS
    theorem = json.loads(json.dumps(certificate["theorem"]))
    (supremum,) = (each for each in theorem["statements"] if each["kind"] == "supremum")
    supremum["low"], supremum["high"] = supremum["high"], str(Fraction(supremum["high"]) + Fraction(1, 10**31))
    assert ask("sollya", sollya.question({**certificate, "theorem": theorem}), "").answer is Answer.CONTRADICTS


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        (("1 * 2^(-3)", "1 * 2^(-3)"), "exactly 1/8"),
        (("1", "2"), "between 100000000000000000e-17 and 200000000000000000e-17"),
        (("1 * 2^(-70)", "1025 * 2^(-80)"), "between 8470e-25 and 8479e-25"),
    ],
)
def test_the_ends_of_what_sollya_encloses_are_shown_apart(data, ends, shown):
    done = subprocess.CompletedProcess([], 0, "\n".join(ends), "")
    _, detail = sollya.question(data[CLAIMS["sollya"]]).read(done)
    assert detail == f"the square is {shown}"


def test_a_polynomial_with_words_in_it_is_not_handed_over(data):
    certificate = json.loads(json.dumps(data[CLAIMS["sollya"]]))
    certificate["theorem"]["where"]["b3"] = 'bashexecute("true")'
    assert sollya.question(certificate) is None


def test_without_the_tools_nothing_is_run_and_the_verdict_stands(folder, capsys, stand_in):
    stand_in()
    assert answers(capsys, str(folder)) == (0, {"gappa": "not run", "sollya": "not run"})
    assert main(["check", str(folder)]) == 0
    assert "second opinions" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("echo 'some properties were not satisfied' >&2; exit 1", "does not confirm"),
        ("kill -9 $$", "does not confirm"),
        ("echo 0; echo 1", "does not confirm"),
        ("echo '-1 * 2^(-3)'; echo '1 * 2^(-90)'", "contradicts"),
    ],
)
def test_whatever_the_tools_say_the_verdict_is_the_checkers(folder, capsys, stand_in, says, expected):
    stand_in(gappa=f"{says} >&2", sollya=says)
    code, said = answers(capsys, str(folder))
    assert code == 0
    assert said["sollya"] == expected
    assert said["gappa"] != "confirms"
    (changed,) = [file for file in folder.iterdir() if "optimal" in file.name]
    changed.write_text(changed.read_text().replace("834556", "834557"))
    stand_in(gappa="exit 0", sollya="exit 0")
    code, said = answers(capsys, str(folder))
    assert (code, said) == (1, {"gappa": "confirms"})  # what the checker refuses is not asked about


def test_a_tool_that_does_not_end_is_left(data, monkeypatch, stand_in):
    stand_in(sollya=f"exec {shutil.which('sleep')} 60")
    monkeypatch.setattr(opinion, "TIMEOUT", 0.3)
    said = ask("sollya", sollya.question(data[CLAIMS["sollya"]]), "")
    assert said.answer is Answer.NOT_RUN
    assert "timed out" in said.detail


def test_an_unknown_tool_is_one_line(folder, capsys):
    for names in ("coq", "", "gappa,coq"):
        assert main(["check", str(folder), "--with", names]) == 4
        assert "gappa, sollya are known" in capsys.readouterr().err


def test_the_text_says_that_nothing_depends_on_them(folder, capsys, stand_in):
    stand_in(gappa="exit 0")
    assert main(["check", str(folder / f"{CLAIMS['gappa']}.json"), "--with", "gappa"]) == 0
    out = capsys.readouterr().out
    assert "second opinions, on which nothing depends:\ngappa  confirms  rounding.ratio.1.squares" in out
    assert main(["check", str(folder / "identity.riccati.json"), *WITH]) == 0
    assert "none of the certificates raises a question" in capsys.readouterr().out
