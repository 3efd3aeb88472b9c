"""The tables refuse planted faults: perturbed print, wrong signs in a realization; and another platform is no fault."""

import json
from dataclasses import replace

import numpy as np
import pytest
from flint import arb, fmpq

from certify.data import printed as printed_module
from certify.exact.number import exact
from certify.realizations import closed_form, cusf, log_miller
from certify.studies.decimals import scientific
from certify.studies.fidelity import errors as fidelity
from certify.studies.fidelity.errors import FloatingPoint, largest
from certify.studies.judgement import Judgement, Rounding, judge, unit
from certify.studies.tables import table_5, table_6
from certify.studies.tables.catalogue import build
from certify.studies.tables.cell import Bound
from certify.studies.tables.grid import DIMENSIONS, concentrations, order

IDS = ("3", "5", "6")


@pytest.fixture(scope="module")
def tables():
    return {id: build(id, search=False) for id in IDS}


def perturbed(tmp_path, table, row, column, text):
    content = json.loads(json.dumps(dict(printed_module.load().tables)))
    content[f"table{table}"]["rows"][row][column] = text
    path = tmp_path / "printed.json"
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("table", "row", "column", "text", "place"),
    [
        ("3", 0, 2, "1.646e5", (63, "raw_R")),
        ("3", 1, 3, "+", (64, "sign")),
        ("3", 3, 7, "3.2e-9", (256, "relative_error")),
        ("5", 0, 1, "3.38e-12", (64, "CUSF")),
        ("5", 6, 2, "9.65e-12", (4096, "AR/FR")),
        ("5", 3, 3, "6.04e-8", (512, "certificate")),
        ("6", 5, 1, "2.12e-7", (2048, "log-Miller")),
        ("6", 6, 1, "9.25e-9", (4096, "log-Miller")),
    ],
)
def test_perturbed_print_contradicts(tmp_path, table, row, column, text, place):
    built = build(table, search=False, printed=perturbed(tmp_path, table, row, column, text))
    assert built.contradicts
    contradicted = [(key, name) for key, name, cell in built.cells() if cell.judgement is Judgement.CONTRADICTS]
    assert contradicted == [place]


def test_every_last_digit_is_held(tables):
    """One in the last printed digit, up or down, contradicts; only noise, within its bound, may say noise."""
    noise = set()
    for id, table in tables.items():
        for key, column, cell in table.cells():
            if isinstance(cell.value, str):
                continue
            rounding = cell.rounding and replace(cell.rounding, correctly_rounded=lambda cell=cell: cell.value)
            for step in (-1, 1):
                moved = exact(cell.printed) + step * unit(cell.printed)
                digits = -int(np.log10(float(unit(cell.printed))) - 0.5)
                text = f"{int(moved * fmpq(10) ** digits)}e{-digits}"
                judgement = judge(cell.value, text, rounding)
                assert judgement in (Judgement.CONTRADICTS, Judgement.NOISE), (id, key, column, text)
                if judgement is Judgement.NOISE:
                    noise.add((id, key, column))
    assert noise == {("5", 256, "CUSF"), ("6", 4096, "log-Miller")}


def rounding(ideal: str, bound: str, correct: str) -> Rounding:
    return Rounding(arb(ideal), arb(bound), lambda: arb(correct))


@pytest.mark.parametrize(
    ("value", "printed", "given", "expected"),
    [
        ("7.25", "7.25", rounding("7.56", "1.2", "7.25"), Judgement.MATCHES),
        ("7.29", "7.25", rounding("7.56", "1.2", "7.25"), Judgement.ROUNDS_DIFFERENTLY),
        ("7.29", "7.25", rounding("7.56", "1.2", "7.30"), Judgement.NOISE),
        ("7.29", "6.25", rounding("7.56", "1.2", "7.30"), Judgement.CONTRADICTS),  # beyond the bound
        ("7.29", "7.25", rounding("7.56", "4.0", "7.30"), Judgement.CONTRADICTS),  # a bound that excuses too much
        ("7.56", "7.25", rounding("7.5601", "1.2", "7.56"), Judgement.CONTRADICTS),  # rounding does not show
        ("7.29", "7.25", None, Judgement.CONTRADICTS),
    ],
)
def test_judgements(value, printed, given, expected):
    assert judge(arb(value), printed, given) is expected


def wrong_large_order(v, x):
    q = x * x / (v * v)
    return _right(v, x) + 0.5 * np.log1p(q)  # the sign of ¼ log(1+q) swapped


_right = cusf.FORMULAS["large order"]


def test_swapped_sign_in_cusf_is_seen(monkeypatch):
    monkeypatch.setitem(cusf.FORMULAS, "large order", wrong_large_order)
    assert {cell.judgement for row in table_5_rows() for name, cell in row.items() if name == "CUSF"} == {Judgement.CONTRADICTS}


def table_5_rows():
    return table_5.build(printed_module.load(), search=False).rows.values()


def test_wrong_start_in_log_miller_is_seen(monkeypatch):
    class Deeper(log_miller.LogMiller):
        def _logarithms(self, x):
            above, here, kept = x * 0 - np.inf, x * 0, {}
            for i in range(2 * self.order + 1, -1, -1):
                if i in (0, self.order, self.order + 1):
                    kept[i] = here
                if i:
                    above, here = here, np.logaddexp(np.log(2.0 * i / x) + here, above)
            return kept

    monkeypatch.setattr(table_6, "COLUMNS", (table_6.Column("log-Miller", FloatingPoint(Deeper)),))
    built = table_6.build(printed_module.load(), search=False)
    assert {row["log-Miller"].judgement for p, row in built.rows.items() if p <= 1024} == {Judgement.CONTRADICTS}


def test_exceeded_bound_contradicts(tables):
    cell = tables["5"].rows[64]["AR/FR"]
    assert cell.judgement is Judgement.MATCHES
    assert not cell.contradicts
    assert replace(cell, bound=Bound("ratio.cubic", fmpq(1, 10**6))).contradicts


def test_a_rung_above_its_bound_contradicts(tables):
    table = tables["5"]
    assert not table.contradicts
    first, *others = table.ladder[64]
    for bound, contradicts in ((first.bound.value, False), (first.bound.value / 10**6, True)):
        rungs = (replace(first, bound=Bound(first.bound.claim, bound)), *others)
        assert replace(table, ladder={**table.ladder, 64: rungs}).contradicts is contradicts


def test_printed_values_enter_no_computed_cell(tmp_path, tables):
    path = perturbed(tmp_path, "5", 0, 1, "1.00e-1")
    cell = build("5", search=False, printed=path).rows[64]["CUSF"]
    original = tables["5"].rows[64]["CUSF"]
    assert (scientific(cell.value, 30), cell.x) == (scientific(original.value, 30), original.x)


@pytest.mark.parametrize(("module", "make"), [(table_5, cusf.Cusf), (table_6, cusf.Cusf), (table_6, log_miller.LogMiller)])
@pytest.mark.parametrize("p", [64, 1024])
def test_correctly_rounded_functions_give_the_printed_digits(module, make, p):
    """Whatever this platform's elementary functions are."""
    nu, subject, x = order(p), FloatingPoint(make), concentrations(p)
    residuals = subject.residuals(module.STUDY.quantity, nu, x, 60)
    found = subject.rounding(module.STUDY.quantity, nu, x, residuals, 60).correctly_rounded()
    printed = printed_module.load().value(module.ID, p, make.name)
    assert judge(found, printed) is Judgement.MATCHES


@pytest.mark.parametrize("ulps", [-8, -2, 2, 8])
def test_another_elementary_library_does_not_contradict(monkeypatch, ulps):
    """Logarithms some ulps off move digits of CUSF; they are traced to the platform, not held against the paper."""

    class Sloppy:
        def __getattr__(self, name):
            return getattr(np, name)

        @staticmethod
        def log(x):
            near = np.log(x)
            return near + ulps * np.spacing(np.abs(near)) if isinstance(x, np.ndarray | float) else near

    monkeypatch.setattr(cusf, "np", Sloppy())
    monkeypatch.setattr(table_6, "COLUMNS", (table_6.Column("CUSF", FloatingPoint(cusf.Cusf)),))
    built = table_6.build(printed_module.load(), search=False)
    found = {row["CUSF"].judgement for row in built.rows.values()}
    assert found == {Judgement.MATCHES, Judgement.ROUNDS_DIFFERENTLY}


@pytest.mark.parametrize("p", DIMENSIONS[:4])
def test_running_bound_holds_at_every_grid_point(p):
    """|FP64 − exact arithmetic| ≤ bound, for programs of several thousand roundings."""
    nu, x = order(p), concentrations(p)[::6]
    for make, quantity in (
        (cusf.Cusf, fidelity.ratio()),
        (cusf.Cusf, fidelity.unit_difference()),
        (log_miller.LogMiller, fidelity.unit_difference()),
    ):
        subject = FloatingPoint(make)
        for i in range(len(x)):
            point = x[i : i + 1]
            residuals = subject.residuals(quantity, nu, point, 60)
            found = subject.rounding(quantity, nu, point, residuals, 60)
            gap = abs(largest(residuals, 60)[1] - found.exact_arithmetic)
            assert float(gap) <= float(found.bound), (make, point)


def test_a_program_with_an_operation_that_has_no_rule_is_refused():
    subject, x = FloatingPoint(closed_form.ClosedForm), np.ones(1)
    residuals = subject.residuals(fidelity.ratio(), 31, x, 60)
    with pytest.raises(TypeError):
        subject.rounding(fidelity.ratio(), 31, x, residuals, 60)
