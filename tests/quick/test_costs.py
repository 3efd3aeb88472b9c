"""The claims on records of ``certify bench``: that of record satisfies them, and each relation is refuted by a record that is wrong."""

from __future__ import annotations

import copy
import json

import pytest

from certify.claims.registry import load
from certify.claims.verdict import Outcome, Reason
from certify.studies.timings.record import HOME

FILES = sorted(HOME.glob("*.json"))
CLAIMS = {id: load().claims[id].claim for id in ("table.7", "figure.reversal")}


@pytest.fixture
def verdict(monkeypatch, tmp_path):
    """The verdict of a claim on one record."""

    def verdict(id, record):
        monkeypatch.chdir(tmp_path)
        HOME.mkdir(parents=True, exist_ok=True)
        (HOME / "cpu.json").write_text(record if isinstance(record, str) else json.dumps(record))
        return CLAIMS[id].prove({})

    return verdict


@pytest.fixture
def record():
    return json.loads(FILES[0].read_text())


def row(record, name):
    return next(row for row in record["parts"]["table"]["found"]["rows"] if row["name"] == name and row["milliseconds"])


@pytest.mark.parametrize("id", CLAIMS)
def test_the_record_of_record_holds(id, record, verdict):
    assert verdict(id, record).outcome is Outcome.MEASURED


def slower(record):
    row(record, "AR/FR")["milliseconds"]["median"] = 1e9


def larger(record):
    for each in record["parts"]["table"]["found"]["rows"]:
        if each["name"] == "structure-aware AR/FR":
            each["peak_bytes"] = 10**12


def wrong(record):
    check = row(record, "consistent recurrence")["checks"][0]
    check["error"] = 2 * check["tolerance"]


def thrifty(record):
    row(record, "consistent recurrence")["peak_bytes"] = 10**8


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (slower, "AR/FR is faster than original recurrence"),
        (larger, "takes less memory than original recurrence"),
        (wrong, "agrees with its own exact definition"),
        (thrifty, "original recurrence takes less memory than consistent recurrence"),
    ],
)
def test_a_record_that_is_otherwise_refutes_table_7(record, verdict, spoil, said):
    spoil(record)
    found = verdict("table.7", record)
    assert found.outcome is Outcome.REFUTED
    assert said in found.witness["fails"]


def test_growth_that_is_otherwise_refutes_the_reversal(record, verdict):
    flat = copy.deepcopy(record)
    dimensions = flat["parts"]["dimensions"]["found"]
    dimensions[-1]["milliseconds"]["original recurrence"] = dimensions[0]["milliseconds"]["original recurrence"]
    assert "grows more than 4 times" in verdict("figure.reversal", flat).witness["fails"]
    dense = record["parts"]["classes"]["found"][-1]
    dense["peak_bytes"] = dense["dense_bytes"]
    assert "below a share" in verdict("figure.reversal", record).witness["fails"]


def test_what_is_missing_is_open_or_not_run(record, verdict):
    short = copy.deepcopy(record)
    row(short, "AR/FR")["milliseconds"] = None
    assert verdict("table.7", short).outcome is Outcome.UNDECIDED
    record["parts"] = {}
    assert verdict("figure.reversal", record).reason is Reason.MISSING
    assert verdict("table.7", "no record").outcome is Outcome.REFUTED
