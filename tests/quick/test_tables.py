"""Tables 3, 5 and 6: every cell from scratch, its judgement and its formats."""

import csv
import io
import json
from decimal import Decimal

import numpy as np
import pytest
from flint import arb, fmpq

from certify.data.printed import load
from certify.exact import bessel
from certify.exact.ball import PrecisionError
from certify.exact.number import centre, exact
from certify.exact.truth import Truth, less
from certify.report.tables import FORMATS, render_tables
from certify.studies.decimals import scientific
from certify.studies.judgement import Judgement, figures, judge, rounds_to, unit
from certify.studies.tables import table_3
from certify.studies.tables.catalogue import build
from certify.studies.tables.cell import Bound
from certify.studies.tables.grid import DIMENSIONS, concentrations, order

IDS = ("3", "5", "6")
"""Those whose cells are all judged; for the others see test_table_2_4."""


@pytest.fixture(scope="module")
def tables():
    return {id: build(id, search=False) for id in IDS}


@pytest.fixture(scope="module")
def searched():
    return {id: build(id, search=True) for id in ("5", "6")}


@pytest.mark.parametrize("id", IDS)
def test_every_cell_matches_what_is_printed(tables, id):
    judgements = {(key, column): cell.judgement for key, column, cell in tables[id].cells()}
    assert set(judgements.values()) == {Judgement.MATCHES}, judgements
    assert not tables[id].contradicts


@pytest.mark.parametrize("id", IDS)
def test_every_printed_row_and_column_is_there(tables, id):
    content = load().tables[f"table{id}"]
    table = tables[id]
    assert [table.key, *table.columns] == content["columns"]
    assert list(table.rows) == [row[0] for row in content["rows"]]


def test_floating_point_cells_are_within_their_bound_of_exact_arithmetic(tables):
    found = [cell for id in ("5", "6") for _, _, cell in tables[id].cells() if cell.rounding]
    assert len(found) == 3 * len(DIMENSIONS)
    for cell in found:
        assert less(cell.rounding.bound, abs(cell.value - cell.rounding.exact_arithmetic)) is Truth.NO


def test_the_known_case_of_log_miller(tables):
    """p = 4096: exact arithmetic gives 7.56e-9, FP64 rounding is bounded by less than half of the cell."""
    cell = tables["6"].rows[4096]["log-Miller"]
    assert scientific(cell.rounding.exact_arithmetic, 3) == "7.56e-9"
    assert less(2 * cell.rounding.bound, cell.value) is Truth.YES
    assert cell.rounding.decides(cell.value, cell.printed)
    assert "7.56e-9" in cell.explanation


def test_certified_cells_state_their_digits(tables):
    for text in (render_tables(list(tables.values()), "json"),):
        for table in json.loads(text)["tables"]:
            for row in table["rows"]:
                for cell in row["cells"].values():
                    assert {"computed", "printed", "judgement"} <= set(cell)
                    if "digits" in cell and "exact" not in cell:
                        assert len(Decimal(cell["computed"]).as_tuple().digits) <= cell["digits"]
                        assert cell["digits"] >= 40


def test_search_finds_no_less_than_the_grid_and_respects_the_theorem(searched):
    for table in searched.values():
        assert not table.contradicts
        for p, column, cell in table.cells():
            if column == "certificate":
                continue
            assert less(cell.off_grid.value, cell.value) is not Truth.YES
            assert cell.nu == order(p)
            if column == "AR/FR":
                assert not cell.bound.exceeded(cell.off_grid.value)


def test_search_finds_the_switch_of_cusf(searched):
    """log I_v switches formula where 0.5113 log x + 0.7939 = log v; the search, told nothing, ends at v = ν or ν + 1."""
    for p in DIMENSIONS:
        switches = [float(np.exp((np.log(v) - 0.7939) / 0.5113)) for v in (order(p), order(p) + 1)]
        for id, reach in (("5", 0), ("6", 1)):
            cell = searched[id].rows[p]["CUSF"]
            assert switches[0] - reach - 1e-3 <= cell.off_grid.x <= switches[1] * (1 + 1e-3)
            assert less(3 * cell.value, cell.off_grid.value) is Truth.YES
            assert f"{switches[0] / cell.nu:.6g}" in cell.off_grid.why


def test_grid_is_log_spaced_and_correctly_rounded():
    x = concentrations(128)
    assert len(x) == 61
    assert x[30] == 63
    assert x[0] == 0.063
    assert x[-1] == 63000
    assert np.allclose(np.diff(np.log10(x)), 0.1, rtol=1e-13)


@pytest.mark.parametrize("format", FORMATS)
def test_formats(tables, format):
    text = render_tables(list(tables.values()), format)
    for expected in ("3.37", "5.76", "7.25", "1.645"):
        assert expected in text
    assert text.endswith("\n")


def test_csv_has_one_line_a_cell_and_a_rung(tables):
    rows = list(csv.DictReader(io.StringIO(render_tables(list(tables.values()), "csv"))))
    rungs = [row for row in rows if row["column"].startswith("ladder")]
    assert len(rungs) == 2 * 9 * len(DIMENSIONS)
    assert len(rows) == sum(len(list(table.cells())) for table in tables.values()) + len(rungs)
    assert {row["judgement"] for row in rows if row not in rungs} == {"matches"}
    assert {(row["printed"], row["judgement"]) for row in rungs} == {("", "")}


def test_the_ladder_stands_beside_and_below_its_bounds(tables):
    """At n = 1 it is AR/FR; every bound holds and is at most an eighth above the largest error at the 61 points."""
    assert not tables["3"].ladder
    for table in (tables["5"], tables["6"]):
        for p, rungs in table.ladder.items():
            assert [rung.n for rung in rungs] == list(range(9))
            assert rungs[1].value.overlaps(table.rows[p]["AR/FR"].value)
            for rung in rungs:
                assert not rung.bound.exceeded(rung.value)
                assert less(rung.bound.value, fmpq(9, 8) * rung.value) is Truth.YES


def test_the_ladder_at_p_64_is_near_5e_15(tables):
    entry = json.loads(render_tables([tables["5"]], "json"))["tables"][0]["ladder"][8]
    assert (entry["p"], entry["n"], entry["bound"]["claim"]) == (64, 8, "ladder.8")
    assert Decimal("4.9e-15") < Decimal(entry["computed"]) < Decimal(entry["bound"]["computed"]) < Decimal("5.5e-15")


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_formats_show_the_ladder_where_there_is_one(tables, format):
    assert "claims ladder.n" in render_tables([tables["5"]], format)
    assert "ladder" not in render_tables([tables["3"]], format)


def test_text_names_the_cells_that_rounding_decides(tables):
    text = render_tables([tables["6"]], "text")
    assert "log-Miller, digits decided by rounding" in text
    assert "p = 4096: 7.56e-9 ± 1.2" in text


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        ({"id": "9"}, "unknown table '9': choose from 2, 3, 4, 5"),
        ({"id": ""}, "unknown table"),
        ({"id": "5", "digits": 14}, "15 to 1000"),
        ({"id": "5", "digits": 1001}, "15 to 1000"),
    ],
)
def test_bad_requests_are_one_line(request_, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        build(**request_, search=False)
    assert "\n" not in str(refusal.value)


def test_unknown_format(tables):
    with pytest.raises(ValueError, match="unknown format 'pdf'"):
        render_tables(list(tables.values()), "pdf")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file"),
        ("{", "not a JSON file"),
        ("[1]", "not a JSON object"),
        ("{}", "no single value for table 3, row 63, column p"),
        ('{"table3": {"columns": ["nu", "p"], "rows": [[63, 128], [63, 128]]}}', "no single value"),
    ],
)
def test_bad_files_of_printed_values(tmp_path, content, complaint):
    path = tmp_path / "printed.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ValueError, match=complaint) as refusal:
        build("3", printed=path)
    assert "\n" not in str(refusal.value)


def test_the_sign_of_table_3_is_that_of_the_difference():
    """Not of the parity, with which it agrees in the paper's rows."""
    near = centre(bessel.ratio(63, table_3.X, 40))
    for raw, sign in ((fmpq(0), "-"), (fmpq(2), "+"), (near - fmpq(1, 10**30), "-"), (near + fmpq(1, 10**30), "+")):
        assert table_3._sign(raw, 63, 35) == sign
    assert table_3._sign(near, 63, 30) == "undecided"


@pytest.mark.parametrize(
    ("growth", "phase"), [("2.05", "linear"), ("0.45", "inverse"), ("1", "neither"), ("4", "neither"), ("0.25", "neither")]
)
def test_the_phase_of_table_3_is_how_the_ratio_responds(growth, phase):
    assert table_3._phase(exact(growth)) == phase


def test_rounding_to_printed_digits():
    assert rounds_to(fmpq(2385, 1000), "2.38")
    assert rounds_to(fmpq(2385, 1000), "2.39")
    assert not rounds_to(fmpq(23851, 10000), "2.38")
    assert rounds_to("linear", "linear")
    assert not rounds_to("linear", "inverse")
    assert unit("3.37e-12") == fmpq(1, 10**14)
    assert figures("4.00e-6") == 3
    with pytest.raises(ValueError, match="ask for more digits"):
        judge(arb("3.375", "0.001"), "3.37")
    with pytest.raises(ValueError, match="'nan' is not a finite decimal"):
        judge(fmpq(1), "nan")
    with pytest.raises(ValueError, match="'x' is not a decimal"):
        judge(fmpq(1), "x")


def test_a_value_that_balls_do_not_separate_from_its_bound_is_not_below_it():
    bound = Bound("ratio.cubic", fmpq(1, 8))
    assert not bound.exceeded(arb(1) / 9)
    assert bound.exceeded(arb(1) / 7)
    with pytest.raises(PrecisionError, match="ratio.cubic"):
        bound.exceeded(arb(0, 1))
