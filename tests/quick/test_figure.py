"""Table 7 and the figures from records of ``certify bench``: files, bytes, data beside them, and bad input."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest

from certify.bench import alone, limits, scaling, session, table
from certify.bench import structured as boundaries
from certify.bench.settings import Settings
from certify.claims.exits import Exit
from certify.cli import main
from certify.data.printed import load
from certify.exact.peak import enclosure
from certify.studies.tables.table_7 import REALIZATIONS

mpl = pytest.importorskip("matplotlib")
ALL = ("--format", "svg", "--format", "pdf", "--format", "png")


@pytest.fixture(scope="module")
def record():
    """A small run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "variants", lambda given: {"eager": lambda: boundaries.Structured(given)})
        patch.setattr(alone, "compiled", lambda realization: realization.difference)
        patch.setattr(scaling, "DIMENSIONS", (64, 128))
        patch.setattr(scaling, "CLASSES", (5, 50))
        patch.setattr(limits, "SQUARE", {"cpu": 64})
        return session.run(Settings(batch=4, classes=12, dim=16, warmups=0, repeats=2))


@pytest.fixture
def written(record, tmp_path):
    path = tmp_path / "record.json"
    path.write_text(session.dumps(record))
    return str(path)


# Figures ----------------------------------------------------------------------------------------------------------------


def draw(capsys, written, folder, *arguments):
    folder.mkdir(exist_ok=True)
    code = main(["figure", *arguments, "--bench", written, "-o", str(folder)])
    return code, capsys.readouterr()


def test_figures_are_drawn_with_their_data_beside(capsys, written, tmp_path):
    code, (out, err) = draw(capsys, written, tmp_path / "a", "6", "figure.reversal", *ALL)
    assert (code, err) == (Exit.HOLDS, "")
    names = [f"figure-{id}.{kind}" for id in ("6", "reversal") for kind in ("json", "svg", "pdf", "png")]
    assert out.split() == [str(tmp_path / "a" / name) for name in names]
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG", "json": b"{"}
    for name in names:
        assert (tmp_path / "a" / name).read_bytes().startswith(starts[name.rpartition(".")[2]])
    ElementTree.parse(tmp_path / "a" / "figure-6.svg")


def test_the_same_data_give_the_same_bytes(capsys, written, tmp_path):
    for folder in ("a", "b"):
        with mpl.rc_context({"font.size": 20, "lines.linewidth": 7} if folder == "b" else {}):
            draw(capsys, written, tmp_path / folder, "6", "reversal", *ALL)
    files = sorted((tmp_path / "a").iterdir())
    assert len(files) == 8
    assert all(file.read_bytes() == (tmp_path / "b" / file.name).read_bytes() for file in files)


def test_the_data_are_those_of_the_record(capsys, written, record, tmp_path):
    draw(capsys, written, tmp_path / "a", "6", "reversal")
    six = json.loads((tmp_path / "a" / "figure-6.json").read_text())
    times = {row["name"]: row["milliseconds"]["median"] for row in record["parts"]["table"]["found"]["rows"]}
    assert {point["name"]: point["ms"] for point in six["measured"][0]["points"]} == times
    assert [point["ms"] for point in six["printed"]] == [float(load().value("7", name, "runtime_ms")) for name in REALIZATIONS]
    assert six["not_run_here"] == ["cuda"]
    reversal = json.loads((tmp_path / "a" / "figure-reversal.json").read_text())
    assert [point["dim"] for point in reversal["measured"][0]["dimensions"]] == [64, 128]
    assert [point["classes"] for point in reversal["measured"][0]["classes"]] == [5, 50]
    for entry in reversal["certified_error"]:
        order = Fraction(entry["dim"] - 2, 2)
        assert entry["paper"] == float(1 / order**3)
        assert entry["best"] == float(enclosure(3, 5)[1] / order**3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["1"], "unknown figure '1': choose from 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, reversal, training"),
        (["6", "--format", "gif"], "gif"),
        (["6", "--bench", "no-such.json"], "cannot read"),
        (["reversal", "--bench", "EMPTY"], "needs a record"),
        (["6", "-o", "EMPTY/folder"], "cannot make the folder"),
    ],
)
def test_bad_input_is_one_line(capsys, monkeypatch, tmp_path, record, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "EMPTY").write_text(session.dumps({**record, "parts": {}}))
    assert main(["figure", *arguments]) == Exit.BAD_INPUT
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


# Table 7 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv"])
def test_table_7_shows_printed_and_measured(capsys, written, format):
    assert main(["table", "7", "--bench", written, "--format", format]) == Exit.HOLDS
    out, err = capsys.readouterr()
    assert err == ""
    for name in REALIZATIONS:
        assert load().value("7", name, "runtime_ms") in out
        assert out.count(name) >= 2
    assert "not run here" in out  # cuda


def test_table_7_as_data(capsys, written, record):
    assert main(["table", "3", "7", "--bench", written, "--format", "json"]) == Exit.HOLDS
    three, seven = json.loads(capsys.readouterr().out)["tables"]
    assert (three["table"], seven["table"], seven["contradicts"]) == ("3", "7", False)
    here, absent = seven["measurements"]
    assert [row["name"] for row in here["rows"]] == list(REALIZATIONS)
    rows = {row["name"]: row for row in record["parts"]["table"]["found"]["rows"]}
    assert all(row["milliseconds"][0] == rows[row["name"]]["milliseconds"]["median"] for row in here["rows"])
    assert (absent["device"], absent["rows"]) == ("cuda", [])


def test_without_a_record_nothing_is_invented(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["table", "7", "--format", "json"]) == Exit.HOLDS
    (seven,) = json.loads(capsys.readouterr().out)["tables"]
    assert [entry["rows"] for entry in seven["measurements"]] == [[], []]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"schema": "certify.bench/1"}', "not json", '{"schema": 3}'])
def test_files_that_are_no_records(capsys, tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    assert main(["table", "7", "--bench", str(path)]) == Exit.BAD_INPUT
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "not a record of certify bench" in err


def test_a_record_of_another_schema(capsys, tmp_path, record):
    path = tmp_path / "x.json"
    path.write_text(session.dumps({**record, "schema": "certify.bench/9"}))
    assert main(["table", "7", "--bench", str(path)]) == Exit.BAD_INPUT
    assert "certify.bench/1 is accepted" in capsys.readouterr().err
