"""Tables 2, 4 and geometry: what is judged at reconstructed states, and what is only shown."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from flint import arb, fmpq

from certify.data.printed import load
from certify.exact.ball import PrecisionError
from certify.learning.geometry import LAYOUTS, concentrations, radii, tensor
from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.realizations.tensor.original import Original
from certify.studies.finite_start.backward_rules import after_scaling, evaluations, relative
from certify.studies.finite_start.coherence import at
from certify.studies.judgement import Judgement, judge_range, rounds_to
from certify.studies.states.reconstructed import CAP, HIGH, LOW, NU, patt
from certify.studies.tables.catalogue import build

IDS = ("2", "4", "geometry")


@pytest.fixture(scope="module")
def tables():
    return {id: build(id, search=False) for id in IDS}


def test_each_judgement(tables):
    expected = {
        "2": {"max_score_delta": "matches", "loss_delta": "matches", "max_D_clip": "in range", "gradient_relative_l2": "in range"},
        "geometry": dict.fromkeys(("scores", "losses", "gradients"), "matches"),
    }
    for id, columns in expected.items():
        for _, column, cell in tables[id].cells():
            assert cell.judgement.value == columns.get(column, "not judged"), (id, column)
    found = [row["maximum_discrepancy"].judgement.value for row in tables["4"].rows.values()]
    assert found == ["not judged", "not judged", "in range", "in range"]


@pytest.mark.parametrize("id", IDS)
def test_nothing_contradicts_and_all_rows_are_there(tables, id):
    table, content = tables[id], load().tables[f"table{id}"]
    assert not table.contradicts
    assert [table.key, *table.columns] == content["columns"]
    assert list(table.rows) == [row[0] for row in content["rows"]]
    assert "reconstructed state" in table.title
    assert table.conditions["state"].startswith("reconstructed state: ")


def test_the_state_runs_over_the_printed_range():
    found = patt()
    x = torch.stack([radii(found, tensor(view, torch.float64), "factorized") for view in found.features]) / NU
    assert rounds_to(arb(x.min().item()), "392.35")
    assert rounds_to(arb(x.max().item()), "393.11")
    assert found.capped().all()
    assert torch.allclose(concentrations(found), torch.full((found.classes,), float(CAP), dtype=torch.float64))
    assert (found.dimension, found.views) == (512, 2)


def test_layouts_have_the_same_radii():
    found = patt(samples=8, views=1)
    expanded, factorized = (radii(found, tensor(found.features[0], torch.float64), layout) for layout in LAYOUTS)
    assert torch.allclose(expanded, factorized, rtol=1e-14)


def test_the_defect_in_balls_is_that_of_fp64_autodiff():
    x = torch.tensor([float(LOW.p) / float(LOW.q), float(HIGH.p) / float(HIGH.q)], dtype=torch.float64) * NU
    gaps = ConsistentByAutograd(NU).derivative(x) - Original(NU).derivative(x)
    for point, gap in zip(x.tolist(), gaps.tolist(), strict=True):
        assert float(at(NU, point).residual) == pytest.approx(gap, abs=1e-13)


def test_scores_of_table_4_against_the_closed_form_of_order_8(tables):
    """A second way: F_8 in FP64, whose rounding at r ~ 1e5 is far below the error of the finite potential."""
    found = patt(samples=16, views=6)
    kappa, gaps = concentrations(found), []
    for view in found.features:
        r = radii(found, tensor(view, torch.float64), "factorized")
        gaps.append((Original(NU).difference(kappa, r) - ClosedForm(NU, 8).difference(kappa.expand_as(r), r)).abs().max().item())
    cell = tables["4"].rows["finite-potential score"]["maximum_discrepancy"]
    assert float(cell.value) == pytest.approx(max(gaps), rel=1e-6)


def test_gradient_differences_are_those_of_the_radii():
    """Every ρ_j is nearly parallel to the common direction, and all ratios g/Φ̃′ are within those of the printed range."""
    supplied, own = evaluations(patt(samples=32, views=1))
    difference, rest = relative(supplied.gradients, own.gradients), after_scaling(supplied.gradients, own.gradients)
    assert float(at(NU, HIGH * NU).relative) * 0.999 < difference.min() <= difference.max() < float(at(NU, LOW * NU).relative) * 1.001
    assert (100 * rest < difference).all()


def test_after_scaling_leaves_nothing_of_multiples():
    a = torch.from_numpy(np.random.default_rng(3407).standard_normal((5, 7)))
    assert (after_scaling(1.25 * a, a) < 1e-15).all()
    assert torch.allclose(relative(1.25 * a, a), torch.full((5,), 0.25, dtype=torch.float64))


@pytest.mark.parametrize(
    ("value", "printed", "ends", "expected"),
    [
        ("2.553e-3", "2.55e-3", ("2.556e-3", "2.551e-3"), Judgement.IN_RANGE),  # the ends in any order
        ("2.5555e-3", "2.55e-3", ("2.551e-3", "2.556e-3"), Judgement.IN_RANGE),  # another radius has the printed digits
        ("2.553e-3", "2.54e-3", ("2.551e-3", "2.556e-3"), Judgement.CONTRADICTS),  # no radius has
        ("2.553e-3", "2.57e-3", ("2.551e-3", "2.556e-3"), Judgement.CONTRADICTS),
        ("2.557e-3", "2.55e-3", ("2.551e-3", "2.556e-3"), Judgement.CONTRADICTS),  # the value is not of the range
        ("2.550e-3", "2.55e-3", ("2.551e-3", "2.556e-3"), Judgement.CONTRADICTS),
    ],
)
def test_judge_range(value, printed, ends, expected):
    assert judge_range(arb(value), printed, (arb(ends[0]), arb(ends[1]))) is expected


def test_judge_range_does_not_guess():
    wide = arb(fmpq(2553, 10**6), fmpq(1, 10**4))
    with pytest.raises(PrecisionError, match="too wide"):
        judge_range(wide, "2.55e-3", (arb("2.551e-3"), arb("2.556e-3")))
    with pytest.raises(ValueError, match="not a decimal"):
        judge_range(arb(1), "one", (arb(0), arb(2)))
