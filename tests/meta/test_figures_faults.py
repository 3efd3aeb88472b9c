"""Tables 2, 4, geometry and the figures refuse planted faults: perturbed print, wrong rules, wrong formulas, wrong states."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch
from flint import arb, fmpq

from certify.claims.exits import Exit
from certify.claims.registry import load as load_claims
from certify.claims.verdict import Outcome
from certify.cli import main
from certify.data import printed as printed_module
from certify.exact.truth import Truth
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.original import Original
from certify.studies.figures import catalogue as figure
from certify.studies.figures import figure_2, figure_4, figure_5, figure_7, figure_8, figure_9, figure_10, figure_11
from certify.studies.finite_start import backward_rules
from certify.studies.judgement import Judgement
from certify.studies.states import visited
from certify.studies.tables import table_4
from certify.studies.tables.catalogue import build

TABLES = ("2", "4", "geometry")


def perturbed(tmp_path, table, key, column, text):
    content = json.loads(json.dumps(dict(printed_module.load().tables)))
    entry = content[f"table{table}"]
    (row,) = (row for row in entry["rows"] if row[0] == key)
    row[entry["columns"].index(column)] = text
    path = tmp_path / "printed.json"
    path.write_text(json.dumps(content))
    return path


def contradicted(table):
    return [(key, column) for key, column, cell in table.cells() if cell.contradicts]


# Tables ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "key", "column", "text"),
    [
        ("2", 2, "max_score_delta", "1e-16"),
        ("2", 3, "loss_delta", "0.0"),
        ("2", 2, "max_D_clip", "2.54e-3"),
        ("2", 3, "max_D_clip", "2.57e-3"),
        ("2", 2, "gradient_relative_l2", "2.55e-3"),
        ("2", 3, "gradient_relative_l2", "2.57e-3"),
        ("4", "clipped backward radial factor", "maximum_discrepancy", "2.56e-3"),
        ("4", "clipped backward radial factor", "maximum_discrepancy", "2.54e-3"),
        ("4", "forward-backward coherence defect", "maximum_discrepancy", "2.54e-3"),
        ("4", "finite-potential score", "reference", "another score"),
        ("geometry", "FP32, expanded", "scores", "differ"),
        ("geometry", "FP64, factorized", "gradients", "identical"),
    ],
)
def test_perturbed_print_contradicts(tmp_path, table, key, column, text):
    built = build(table, printed=perturbed(tmp_path, table, key, column, text))
    assert contradicted(built) == [(key, column)]
    assert built.contradicts


@pytest.mark.parametrize(
    ("table", "key", "column"), [("2", 2, "gradient_max_delta"), ("4", "finite-potential score", "maximum_discrepancy")]
)
def test_digits_of_the_captured_state_are_not_judged(tmp_path, table, key, column):
    built = build(table, printed=perturbed(tmp_path, table, key, column, "9.99e9"))
    assert built.rows[key][column].judgement is Judgement.NOT_JUDGED
    assert not built.contradicts


class LastBit(Consistent):
    """Its forward differs in the last bit of the last element."""

    def value_and_slope(self, x):
        value, slope = super().value_and_slope(x)
        value[-1] = torch.nextafter(value[-1], torch.full_like(value[-1], torch.inf))
        return value, slope


class Same(Consistent):
    """A backward without the defect, in place of the supplied one."""


class Unclipped(Original):
    def value_and_slope(self, x):
        value, slope = super().value_and_slope(x)
        return value, torch.where(slope == 1, 1 + 1e-5, slope)


def test_a_forward_that_differs_in_the_last_bit_contradicts(monkeypatch):
    monkeypatch.setattr(backward_rules, "Consistent", LastBit)
    assert {column for _, column in contradicted(build("2"))} >= {"max_score_delta"}
    assert {column for _, column in contradicted(build("geometry"))} >= {"scores"}


def test_a_backward_without_defect_contradicts(monkeypatch):
    monkeypatch.setattr(backward_rules, "Original", Same)
    assert {column for _, column in contradicted(build("2"))} == {"gradient_relative_l2"}
    assert {column for _, column in contradicted(build("geometry"))} == {"gradients"}


def test_another_clip_contradicts(monkeypatch):
    monkeypatch.setattr(backward_rules, "Original", Unclipped)
    assert {column for _, column in contradicted(build("2"))} == {"gradient_relative_l2"}


def test_a_score_that_is_far_off_exceeds_the_proved_bound(monkeypatch):
    right = table_4.ladder(1)
    monkeypatch.setattr(table_4, "ladder", lambda n: lambda found, features: right(found, features) + 1e-4)
    built = build("4")
    assert contradicted(built) == [("AR/FR same-state score", "maximum_discrepancy")]


# Figures --------------------------------------------------------------------------------------------------------------


def failing(id):
    return {point.relation for point in figure.build(id).points if point.holds is Truth.NO}


def test_figure_2_refuses_a_field_without_rotation_and_a_wrong_formula(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(figure_2, "MISMATCHED", figure_2.MATCHED)
        assert failing("2") == {"mismatched: |J12 - J21| > 1/1000"}
    right = figure_2.antisymmetry
    monkeypatch.setattr(figure_2, "antisymmetry", lambda f, factors: -right(f, factors))
    assert failing("2") == {"the differentiated field agrees within 1e-30"}


def test_figure_4_refuses_another_start(monkeypatch):
    right = figure_4.at
    monkeypatch.setattr(figure_4, "at", lambda nu, x, start=None: right(nu, x, (2 * nu if start is None else start) + 1))
    assert "relative defect rounds to 2.56e-3" in failing("4")


def test_figure_4_refuses_depth_that_only_helps(monkeypatch):
    right = figure_4.at

    def helped(nu, x, start=None):
        found = right(nu, x, start)
        return replace(found, residual=found.residual / fmpq(10) ** (20 * ((start or 2 * nu) // nu)))

    monkeypatch.setattr(figure_4, "at", helped)
    assert "deeper: closer in the ratio, farther in coherence" in failing("4")


def test_figure_5_refuses_another_slope_and_errors_above_their_bounds(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(figure_5, "load", lambda: printed_with(figure5_slope="-3.00"))
        assert failing("5") == {"slope against p rounds to -3.00"}
    right = figure_5.ladder

    def larger(study, digits):
        return {p: tuple(replace(rung, value=rung.value * 10) for rung in rungs) for p, rungs in right(study, digits).items()}

    monkeypatch.setattr(figure_5, "ladder", larger)
    assert "largest error < its bound" in failing("5")


def test_figure_7_refuses_uncapped_defects_and_fp64_that_is_off(monkeypatch):
    some = figure_7.SETTINGS[:2]
    monkeypatch.setattr(figure_7, "SETTINGS", some)
    with monkeypatch.context() as patch:
        patch.setattr(visited, "Original", Shifted)
        assert failing("7") == {"FP64 agrees with balls within 1e-13"}
    with monkeypatch.context() as patch:
        patch.setattr(visited, "CAP", 400)
        assert "defects above 1e-6 are those of capped classes" in failing("7")


class Shifted(Original):
    def derivative(self, x):
        return super().derivative(x) + 1e-12


def test_figure_8_refuses_errors_above_certificates(monkeypatch):
    found = figure_8._found()
    with monkeypatch.context() as patch:
        patch.setattr(figure_8, "_found", lambda: tuple(replace(each, score=each.score * 100) for each in found))
        assert failing("8") == {"score error < its certificate"}
    with monkeypatch.context() as patch:
        patch.setattr(figure_8, "_found", lambda: (*found[:-1], replace(found[-1], score=found[-1].score + arb("1e-11"))))
        assert failing("8") == {"the largest score error does not depend on the priors within 1e-12"}
    monkeypatch.setattr(figure_8, "load", lambda: printed_with(stress={"score_bound": "3.99e-5", "mean_cross_entropy_bound": "8.00e-5"}))
    assert failing("8") == {"its certificate <= 3.99e-5"}


def test_figure_9_refuses_forwards_and_backwards_that_are_wrong(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(backward_rules, "Consistent", LastBit)
        assert "scores agree bitwise" in failing("9")
    with monkeypatch.context() as patch:
        patch.setattr(backward_rules, "Original", Same)
        assert "the median mismatch, and the printed one, are those of printed radii" in failing("9")
    monkeypatch.setattr(figure_9, "one_minus_cosine", lambda a, b: (a - b).norm(dim=-1))
    assert failing("9") == {"1 - cos < 1e-8: what differs is the length"}


def test_figure_10_refuses_a_wrong_formula_and_a_wrong_field(monkeypatch):
    with monkeypatch.context() as patch:
        right = figure_10.Pair.antisymmetry
        patch.setattr(figure_10.Pair, "antisymmetry", lambda self, *given, **named: right(self, *given, **named) * (1 + fmpq(1, 10**20)))
        found = failing("10")
        assert "the differentiated field has the predicted antisymmetry within 1e-40" in found
        assert "the field has the predicted antisymmetry within 1e-40" in found
    right = figure_10.Plane._supplied
    monkeypatch.setattr(figure_10.Plane, "_supplied", lambda self, r, strength: right(self, r, strength) * (1 + r / 10**9))
    found = failing("10")
    assert "the differentiated field rounds to -1.93915e-3" in found or "the field has the predicted gap within 1e-40" in found


def test_figure_11_refuses_another_asymptote_and_scaling_that_does_not_help(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(figure_11, "ORDERS", (64, 255))  # even orders tend to -1
        assert failing("11") == {"|x |D| - (nu + 3/2)| <= 3/x + Theta/x^2"}
    with monkeypatch.context() as patch:
        patch.setattr(figure_11, "after_scaling", backward_rules.relative)
        assert failing("11") == {"each at least 100 times smaller after scaling"}
    monkeypatch.setattr(figure_11, "evaluations", lambda found: [replaced(each) for each in backward_rules.evaluations(found)[1:] * 2])
    assert "relative differences are those of the printed radii" in failing("11")


def replaced(evaluation):
    """The consistent gradients, shifted so little that they still have a difference to scale away."""
    return evaluation._replace(gradients=evaluation.gradients + 1e-9 * torch.randn_like(evaluation.gradients))


def printed_with(**entries):
    found = printed_module.load()
    return replace(found, tables={**found.tables, **entries})


# Command and claims -----------------------------------------------------------------------------------------------------


def test_a_relation_that_fails_ends_with_1_and_says_which(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(figure_5, "load", lambda: printed_with(figure5_slope="-3.00"))
    assert main(["figure", "5", "-o", str(tmp_path)]) == Exit.REFUTED
    out, err = capsys.readouterr()
    assert len(out.split()) == 2
    assert "figure 5: slope against p rounds to -3.00: no" in err
    assert load_claims().claims["figure.5"].claim.prove().outcome is Outcome.REFUTED


def test_a_relation_left_open_ends_with_6(monkeypatch, tmp_path):
    right = figure_5.slope
    monkeypatch.setattr(figure_5, "slope", lambda rungs, n, against: right(rungs, n, against) + arb(0, fmpq(1, 10)) * (against == "nu"))
    assert main(["figure", "5", "-o", str(tmp_path)]) == Exit.UNDECIDED
    assert load_claims().claims["figure.5"].claim.prove().outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("id", TABLES)
def test_a_contradicted_table_is_a_refuted_claim(monkeypatch, id):
    monkeypatch.setattr(backward_rules, "Original", Same)
    monkeypatch.setattr(table_4, "largest_residual", lambda order, x: arb("2.6e-3"))
    assert load_claims().claims[f"table.{id}"].claim.prove().outcome is Outcome.REFUTED
