"""The computed figures: data that hold, drawings of the data alone, reproducible bytes, and numbers found a second way."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
import torch

from certify.claims.exits import Exit
from certify.cli import main
from certify.exact.truth import Truth
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.original import Original
from certify.report.figures import render_figure
from certify.studies.figures import figure_2, figure_9
from certify.studies.figures.catalogue import COMPUTED, build
from certify.studies.states.visited import bank

mpl = pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def figures():
    return {id: build(id) for id in COMPUTED}


@pytest.fixture(scope="module")
def data(figures):
    """As a reader of the files has them."""
    return {id: json.loads(render_figure(figure, ())[f"figure-{id}.json"]) for id, figure in figures.items()}


@pytest.mark.parametrize("id", COMPUTED)
def test_every_relation_holds(figures, data, id):
    assert figures[id].points
    assert figures[id].holds is Truth.YES
    assert len(data[id]["relations"]) == len(figures[id].points)
    assert {relation["holds"] for relation in data[id]["relations"]} == {"yes"}


@pytest.mark.parametrize("id", COMPUTED)
def test_a_figure_is_drawn_from_the_file_beside_it(figures, data, id):
    """The same bytes, whatever the user's settings: nothing but the data enters."""
    drawn = render_figure(figures[id], ("svg",))[f"figure-{id}.svg"]
    with mpl.rc_context({"font.size": 20, "lines.linewidth": 7}):
        again = render_figure(replace(figures[id], data=data[id]), ("svg",))[f"figure-{id}.svg"]
    assert drawn == again
    ElementTree.fromstring(drawn)


@pytest.mark.parametrize("id", ["7", "9", "11"])
def test_reconstructed_states_are_labelled(data, id):
    assert "reconstructed state" in data[id]["state"]
    assert "reconstructed state" in data[id]["caption"]


def test_the_command_writes_all_kinds(capsys, tmp_path):
    kinds = ("svg", "pdf", "png")
    assert main(["figure", "5", "figure.2", *(part for kind in kinds for part in ("--format", kind)), "-o", str(tmp_path)]) == Exit.HOLDS
    out, err = capsys.readouterr()
    assert (out.split(), err) == ([str(tmp_path / f"figure-{id}.{kind}") for id in ("5", "2") for kind in ("json", *kinds)], "")
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG", "json": b"{"}
    for file in tmp_path.iterdir():
        assert file.read_bytes().startswith(starts[file.suffix[1:]])


# Numbers found a second way --------------------------------------------------------------------------------------------


def test_figure_2_by_autograd(data):
    """The Jacobian of G by torch at every grid point of the mismatched field."""
    directions = torch.tensor([[0.0, 1.0], [-(3**0.5) / 2, -0.5], [3**0.5 / 2, -0.5]], dtype=torch.float64)
    for entry, factors in zip(data["2"]["fields"], (figure_2.MATCHED, figure_2.MISMATCHED), strict=True):
        scales = torch.tensor([int(m.p) / int(m.q) for m in factors], dtype=torch.float64)

        def field(f, scales=scales):
            return ((directions @ f).softmax(0) - 1 / 3) @ (scales[:, None] * directions)

        for i, j in ((0, 0), (5, 17), (12, 12), (24, 3)):
            f = torch.tensor([data["2"]["axis"][j], data["2"]["axis"][i]], dtype=torch.float64)
            jacobian = torch.func.jacrev(field)(f)
            assert entry["antisymmetry"][i][j] == pytest.approx((jacobian[0, 1] - jacobian[1, 0]).item(), abs=1e-14)
            assert entry["gradient"][i][j] == pytest.approx(field(f).tolist(), abs=1e-14)


def test_figure_4_by_fp64(data):
    found = data["4"]
    assert (len(found["x_over_nu"]), len(found["M_over_nu"]), len(found["panels"])) == (13, 5, 4)
    x_over_nu = torch.tensor(found["x_over_nu"], dtype=torch.float64)
    for panel in found["panels"][:2]:
        nu = panel["p"] // 2 - 1
        for depth, row in zip(found["M_over_nu"], panel["log10_relative_defect"], strict=True):
            own = Consistent(nu, depth * nu).derivative(x_over_nu * nu)
            defects = ((Original(nu, depth * nu).derivative(x_over_nu * nu) - own) / own).abs().tolist()
            for value, defect in zip(row, defects, strict=True):
                if value is None or value < -12:
                    assert defect < 1e-11
                else:
                    assert value == pytest.approx(np.log10(defect), abs=1e-3)


def test_figure_5_by_polyfit(data):
    p = np.array(data["5"]["p"])
    for entry in data["5"]["ladder"]:
        for key, x in (("slope_p", p), ("slope_nu", p / 2 - 1)):
            assert entry[key] == pytest.approx(np.polyfit(np.log(x), np.log(entry["largest_error"]), 1)[0], abs=1e-4)


def test_figure_7_has_the_papers_numbers_of_radii(data):
    states = data["7"]["states"]
    assert [state["radii"] for state in states] == [25600, 51200, 25600, 25600, 64000, 8142, 8142, 8142, 8142]
    assert states[0]["share"] == states[0]["capped"] > 0.1
    assert all(state["share"] == 0 for state in states[1:])


def test_the_bank_of_figure_7():
    kappa, capped = bank(128, 0.5, np.array([0, 1, 4, 10**9]))
    assert capped.tolist() == [False, True, False, False]
    square = 0.25 + 0.75 / 4
    assert kappa == pytest.approx([0, 1e5, 128 * square**0.5 / (1 - square), 128 * 0.5 / 0.75], rel=1e-8)


def test_figure_8_is_the_stress_test(data):
    found = data["8"]["configurations"]
    assert len(found) == 15
    assert all(entry["score_error"] < entry["score_bound"] <= 4.00e-5 for entry in found)
    assert all(entry["loss_error"] < entry["loss_bound"] <= 8.00e-5 for entry in found)


def test_figure_9_is_what_it_says(data):
    found = data["9"]
    own, supplied = (np.array(found[name]).reshape(-1, 2) for name in ("consistent", "supplied"))
    assert len(own) == 625
    mismatch = np.linalg.norm(supplied - own, axis=1) / np.linalg.norm(own, axis=1)
    assert np.sort(mismatch) == pytest.approx(found["relative_mismatch"], rel=1e-12)
    assert np.median(mismatch) == pytest.approx(0.00256, rel=1e-2)


def test_one_minus_cosine():
    angles = torch.tensor([0.0, 1e-9, 1e-4, 1.0], dtype=torch.float64)
    a = torch.stack([angles.cos(), angles.sin()], 1)
    b = torch.tensor([[3.0, 0.0]], dtype=torch.float64).expand(4, 2)
    assert figure_9.one_minus_cosine(a, b).tolist() == pytest.approx((2 * (angles / 2).sin() ** 2).tolist(), rel=1e-12)


def test_figure_10_has_29_ratios_and_nine_strengths(data):
    ratios, strengths = data["10"]["by_ratio"], data["10"]["by_strength"]
    assert (len(ratios), len(strengths)) == (29, 9)
    at_one = next(entry for entry in ratios if entry["kappa2/kappa1"] == "1")
    assert at_one["differentiated"] == pytest.approx(0, abs=1e-40)
    line = dict(zip(data["10"]["line"]["log2_ratio"], data["10"]["line"]["antisymmetry"], strict=True))
    for k, entry in zip(range(-14, 15), ratios, strict=True):
        assert line[k] == pytest.approx(entry["differentiated"], rel=1e-9, abs=1e-30)


def test_figure_11_has_130_conditions_and_256_queries(data):
    found = data["11"]
    assert [len(entry["points"]) for entry in found["defects"]] == [65, 65]
    assert len(found["relative_difference"]) == len(found["after_scaling"]) == 256
    for entry in found["defects"]:
        last = entry["points"][-1]
        assert last["x_over_nu"] == 1e5
        assert last["defect"] * last["x_over_nu"] * entry["nu"] == pytest.approx(entry["nu"] + 1.5, rel=1e-2)
