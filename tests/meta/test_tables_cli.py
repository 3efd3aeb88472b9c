"""A perturbed printed digit: the command contradicts that cell and exits 1; the claims of the tables are refuted."""

import json
from dataclasses import replace

import pytest
from flint import fmpq

from certify.claims.verdict import Outcome
from certify.cli import main
from certify.data import printed as printed_module
from certify.studies.claims import tables as claims
from certify.studies.tables import catalogue as table_module
from certify.studies.tables.cell import Bound

PERTURBED = [
    ("3", 2, "raw_R", "1.021e4"),
    ("3", 0, "phase", "inverse"),
    ("5", 6, "AR/FR", "9.67e-12"),
    ("5", 0, "certificate", "3.35e-5"),
    ("6", 0, "log-Miller", "3.37e-4"),
    ("6", 4, "CUSF", "3.31e-10"),
]


def perturbed(table, row, column, text):
    """A copy of the printed values with one entry changed."""
    content = json.loads(json.dumps(dict(printed_module.load().tables)))
    entry = content[f"table{table}"]
    at = entry["columns"].index(column)
    assert entry["rows"][row][at] != text
    entry["rows"][row][at] = text
    return content


@pytest.mark.parametrize(("table", "row", "column", "text"), PERTURBED)
def test_the_command_contradicts_that_cell_only(capsys, tmp_path, table, row, column, text):
    path = tmp_path / "printed.json"
    path.write_text(json.dumps(perturbed(table, row, column, text)))
    assert main(["table", table, "--no-search", "--printed", str(path), "--format", "json"]) == 1
    [entry] = json.loads(capsys.readouterr().out)["tables"]
    assert entry["contradicts"]
    judged = [(number, name) for number, line in enumerate(entry["rows"]) for name, cell in line["cells"].items() if _bad(cell)]
    assert judged == [(row, column)]
    assert entry["rows"][row]["cells"][column]["printed"] == text


def _bad(cell):
    return cell["judgement"] == "contradicts"


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv"])
def test_every_format_shows_it(capsys, tmp_path, format):
    path = tmp_path / "printed.json"
    path.write_text(json.dumps(perturbed(*PERTURBED[0])))
    assert main(["table", "3", "--printed", str(path), "--format", format]) == 1
    assert capsys.readouterr().out.count("contradicts") >= 1


@pytest.mark.parametrize(("table", "row", "column", "text"), PERTURBED[1::2])
def test_the_claim_is_refuted_with_the_cell_as_witness(monkeypatch, table, row, column, text):
    content = printed_module.Printed(perturbed(table, row, column, text), "a perturbed copy")
    monkeypatch.setattr(table_module, "load", lambda _path: content)
    verdict = getattr(claims, f"table_{table}").prove(profile="quick")
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness["printed"] == text
    assert verdict.witness["at"].endswith(f", {column}")
    assert {"computed", "printed"} <= verdict.witness.keys()


def test_an_error_above_its_proved_bound_refutes_the_claim(monkeypatch):
    """In a cell that matches what is printed, and on a rung of the ladder."""
    table = real("5", search=False)
    cell, rung = table.rows[64]["AR/FR"], table.ladder[64][2]
    low = Bound("ratio.cubic", fmpq(1, 10**40))
    rows = {**table.rows, 64: {**table.rows[64], "AR/FR": replace(cell, bound=low)}}
    ladder = {**table.ladder, 64: (replace(rung, bound=low),)}
    for broken, place in ((replace(table, rows=rows), "p = 64, AR/FR"), (replace(table, ladder=ladder), f"p = 64, ladder n = {rung.n}")):
        monkeypatch.setattr(table_module, "build", lambda id, search, broken=broken: broken)
        verdict = claims.table_5.prove(profile="quick")
        assert verdict.outcome is Outcome.REFUTED
        assert verdict.witness["at"] == place
        assert {"computed", "bound"} <= verdict.witness.keys()


@pytest.mark.parametrize("table", ["3", "5", "6"])
def test_the_unperturbed_claim_holds_at_its_grade(table):
    claim = getattr(claims, f"table_{table}")
    assert claim.prove(profile="quick").outcome is claim.grade


def test_the_full_profile_searches(monkeypatch):
    asked = []
    monkeypatch.setattr(table_module, "build", lambda id, search: asked.append((id, search)) or real(id, search=False))
    for profile in ("quick", "full"):
        claims.table_5.prove(profile=profile)
    assert asked == [("5", False), ("5", True)]


real = table_module.build
