"""``certify table evaluators``: what stands in it, what it refuses, and that it can be wrong."""

import csv
import io
import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from flint import arb

from certify.cli import main
from certify.exact import bessel
from certify.realizations.cusf import Cusf
from certify.report.evaluators import FORMATS
from certify.report.every_table import render_all
from certify.studies.fidelity.evaluators import entries
from certify.studies.tables import table_evaluators
from certify.studies.tables.catalogue import build
from certify.studies.tables.grid import DIMENSIONS, concentrations, order
from certify.studies.tables.table_evaluators import EvaluatorTable, Row, _integral, _row

ENTRIES = {entry.name: entry for entry in entries()}
FAST = {name: entry for name, entry in ENTRIES.items() if not entry.slow and not entry.missing}


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    """Of the fast ones, without the search."""
    return {name: _row(entry, 30, False) for name, entry in FAST.items()}


@pytest.fixture(scope="module")
def table(rows) -> EvaluatorTable:
    missing = [Row(entry.name, "", entry.missing) for entry in ENTRIES.values() if entry.missing]
    return EvaluatorTable((*rows.values(), *missing), {"grid": "61 points"})


def test_the_evaluators_are_there():
    assert list(ENTRIES)[:3] == ["certify.vmf.ratio", "certify.vmf.ratio, order=1", "scipy.special.ive"]
    assert {
        "scipy.special._ufuncs._iv_ratio",
        "CUSF (NumPy)",
        "mpmath, 60 digits",
        "tensorflow_probability",
        "GSL, scaled",
    } <= ENTRIES.keys()


def test_certify_is_accurate_and_never_fails(rows):
    row = rows["certify.vmf.ratio"]
    assert float(row.on_grid.value) <= 4.125 * 2.0**-53
    assert row.failures == (0,) * len(DIMENSIONS)
    assert row.broken is None


def test_the_closed_form_has_the_error_of_table_5(rows):
    (cell,) = [build("5", search=False).rows[64]["AR/FR"]]
    assert float(rows["certify.vmf.ratio, order=1"].on_grid.value) == pytest.approx(float(cell.value), rel=1e-6)


def test_the_quotient_of_scaled_functions_underflows_from_p_256_on(rows):
    """Where ive(ν+1, x) or ive(ν, x) is below the doubles."""
    failures = rows["scipy.special.ive"].failures
    assert failures[:2] == (0, 0)
    assert all(a < b for a, b in pairwise(failures[1:]))


def test_an_error_is_that_of_its_place(rows):
    place = rows["CUSF (NumPy)"].on_grid
    value = float(Cusf(order(place.p)).derivative(np.array([place.x]))[0])
    assert abs(float(abs(arb(value) - bessel.ratio(order(place.p), place.x)) / place.value - 1)) < 1e-9


def test_coherence_of_a_potential_with_its_own_ratio(rows):
    assert rows["certify.vmf.ratio"].coherence < 1e-14
    assert rows["certify.vmf.ratio, order=1"].coherence < 1e-14
    assert rows["scipy.special._ufuncs._iv_ratio"].coherence is None


def test_incoherence_is_seen():
    """The potential of A_1 beside the ratio of A_8."""
    pair = replace(ENTRIES["certify.vmf.ratio"], rise=ENTRIES["certify.vmf.ratio, order=1"].rise)
    assert table_evaluators._coherence(pair) > 1e-7


def test_the_quadrature_is_exact_to_rounding():
    x = concentrations(64)
    found = _integral(lambda points: np.asarray(ENTRIES["certify.vmf.ratio"].ratio(31, points)), x)
    exact = [float(bessel.potential_difference(31, at, at + 1.0)) for at in x.tolist()]
    steps = (x + 1.0) - x
    assert np.max(np.abs(found - exact)[steps == 1]) < 1e-15


def test_an_evaluator_that_exceeds_its_promise_contradicts(table):
    entry = FAST["certify.vmf.ratio"]
    wrong = replace(entry, ratio=lambda nu, x: entry.ratio(nu, x) + 1e-15)
    row = _row(wrong, 30, False)
    assert row.broken == "p = 64"
    assert replace(table, rows=(row,)).contradicts
    assert not table.contradicts


def test_failures_are_counted_and_are_no_errors():
    entry = FAST["certify.vmf.ratio"]
    holes = replace(entry, ratio=lambda nu, x: np.where(x > nu, np.nan, entry.ratio(nu, x)), rise=None)
    row = _row(holes, 30, False)
    assert row.failures == (30,) * len(DIMENSIONS)
    assert float(row.on_grid.value) < 1e-15


def test_formats(table):
    for format in FORMATS:
        text = render_all([table], format)
        assert "certify.vmf.ratio" in text.replace(r"\_", "_")
        assert text.endswith("\n")
    lines = list(csv.reader(io.StringIO(render_all([table], "csv"))))
    assert {len(line) for line in lines} == {7}
    data = json.loads(render_all([table], "json"))["tables"][0]
    assert data["rows"][0]["failures"] == dict.fromkeys(map(str, DIMENSIONS), 0)
    assert all("missing" in row or row["ns_per_element"] > 0 for row in data["rows"])


def test_what_is_not_installed_is_not_run(table):
    for line in csv.DictReader(io.StringIO(render_all([table], "csv"))):
        if ENTRIES[line["evaluator"]].missing:
            assert line["max error on the grid"] == "not run"


def test_the_command_puts_it_beside_the_papers_tables(capsys, monkeypatch, table):
    monkeypatch.setattr(table_evaluators, "build", lambda printed, digits, search: table)
    assert main(["table", "evaluators", "3", "--no-search"]) == 0
    out = capsys.readouterr().out
    assert out.index("Table evaluators.") < out.index("Table 3.")
    assert main(["table", "nothing"]) == 4
    assert "evaluators" in capsys.readouterr().err
