"""Guarantees and tolerances: against their defining formulas, at states of extreme kinds, and from the command line."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from flint import arb, fmpq

from certify.cli import cli
from certify.exact.ball import working_precision
from certify.exact.errors import NotAccepted
from certify.exact.number import centre, exact
from certify.exact.truth import Truth, less
from certify.learning import assess, extremes, loss_change, mixture, shipped, state, tolerance
from certify.learning.bounds import anywhere, here, loss_bound, outward, score_bound, total_variation
from certify.learning.committed import FOLDER
from certify.learning.enclosure import enclose
from certify.learning.files import entries_of, save
from certify.learning.pairing import at_state
from certify.learning.tolerances import primitive_tolerances

QUANTITIES = ("score", "loss", "mean loss", "probability", "gradient")


def samples(found):
    return [sample for view in enclose(found) for sample in view]


@pytest.mark.parametrize("n", range(9))
def test_every_guarantee_holds_for_every_order_of_the_ladder(n):
    assessment = assess(mixture((5, 500), classes=5, samples=2), n)
    assert [row.name for row in assessment.rows] == list(QUANTITIES)
    assert assessment.holds is Truth.YES
    for row in assessment.rows:
        assert less(row.here, row.anywhere) is Truth.YES


@pytest.mark.parametrize("p", [3, 4, 5, 7, 64, 512])
def test_every_guarantee_holds_in_every_dimension(p):
    assert assess(mixture((1, 1000), classes=4, samples=2, dimension=p), 1).holds is Truth.YES


def test_degenerate_states_have_guarantees():
    """Features of length 0, classes of mean 0, a feature opposite to its class's κμ, unnormalised features under a cap."""
    base = {"counts": [1, 1], "labels": [0, 1], "temperature": 0.5, "means": np.array([[0.5, 0, 0, 0], [0, 0, 0, 0]])}
    opposite = np.array([[-4 / 3, 0, 0, 0], [0, 0, 0, 0]])  # κμ = 0.5·4/(1 − 1/4) = 8/3 along the first axis, f/τ nearly its opposite
    for found in (
        state({**base, "features": opposite}),
        state({**base, "features": 100 * np.ones((2, 4)), "means": 3 * np.ones((2, 4))}, cap="1e5"),
    ):
        assert assess(found, 1).holds is Truth.YES


def test_an_order_that_is_none_is_refused():
    for n in (-1, 9, True):
        with pytest.raises(ValueError, match="0 to 8"):
            assess(shipped("diffuse"), n)


def test_the_papers_guarantees_are_its_formulas():
    found = shipped("diffuse")
    (sample, *_), nu = samples(found), found.order
    bounds = anywhere(sample, 1)
    with working_precision(200):
        norm = sum((arb(float(x)) ** 2 for x in found.features[0, 0]), arb(0)).sqrt()
        delta = norm / exact(found.temperature) / nu**3
        half = (delta / 2).tanh()
        for bound, formula in (
            (bounds.score, delta),
            (bounds.loss, 2 * delta),
            (bounds.variation, half),
            (bounds.gradient, 2 * (half + 1 / nu**3) / exact(found.temperature)),
        ):
            assert less(abs(bound - formula), fmpq(1, 10**40)) is Truth.YES


def test_the_bound_of_the_loss_is_the_closed_form_where_all_errors_have_one_bound():
    with working_precision(200):
        masses, delta = [arb(fmpq(k, 10)) for k in (1, 2, 3, 4)], arb(fmpq(1, 7))
        found = loss_bound(masses, 2, [delta] * 4)
        assert less(abs(found - (1 + fmpq(7, 10) * ((2 * delta).exp() - 1)).log()), fmpq(1, 10**50)) is Truth.YES


def test_the_bound_of_the_total_variation_is_tanh_or_that_of_the_masses_there_are():
    with working_precision(200):
        delta = arb(fmpq(1, 100))
        even = total_variation([arb(fmpq(1, 2))] * 2, delta)
        sure = total_variation([arb(fmpq(1, 10**6)), 1 - arb(fmpq(1, 10**6))], delta)
        assert less(abs(even - (delta / 2).tanh()), fmpq(1, 10**50)) is Truth.YES
        mass, growth = fmpq(1, 10**6), (2 * delta).exp() - 1
        assert less(abs(sure - mass * (1 - mass) * growth / (1 + mass * growth)), fmpq(1, 10**50)) is Truth.YES


def test_the_bound_of_a_score_is_the_smallest_that_applies():
    """For κ and r far apart the oscillation is smaller than ν⁻³|r − κ|; for close ones the difference is."""
    with working_precision(200):
        nu = fmpq(255)
        far, near = (score_bound(1, nu, arb(1000), arb(end)) for end in (1010, fmpq(1001)))
        assert less(far, 10 / arb(nu) ** 3) is Truth.YES
        assert less(near, far) is Truth.YES
        assert less(score_bound(1, fmpq(1, 2), arb(1), arb(2)), 1) is Truth.YES


def test_outward_ends_are_short_and_outside():
    with working_precision(200):
        x = arb(2).sqrt()
        low, high = outward(x, x)
        assert less(low, x) is less(x, high) is Truth.YES
        assert high - low < fmpq(1, 10**11)
        assert max(low.height_bits(), high.height_bits()) < 60
        assert outward(arb(0), arb(0)) == (0, 0)


def test_predictions_with_a_tie_are_not_certified():
    means = np.array([[0.5, 0, 0, 0], [0, 0.5, 0, 0]])
    tie = state({"means": means, "counts": [1, 1], "features": np.full((1, 4), 0.5), "labels": [0], "temperature": 0.5})
    (sample,) = samples(tie)
    assert not anywhere(sample, 1).kept
    assert not here(sample, 1).kept
    assert assess(tie).kept.formula == 0
    assert primitive_tolerances([sample], tolerance(tie, loss=1).wanted)["predictions"] is None


def test_floats_that_are_not_finite_are_said_to_be_none(tmp_path):
    """float32 overflows at r² beyond 2^128; the guarantees do not."""
    found = state(
        {"means": np.eye(2, 4) / 2, "counts": [1, 1], "features": np.full((1, 4), 2.0**70), "labels": [0], "temperature": 2.0**-20}
    )
    assessment = assess(found)
    assert assessment.holds is Truth.YES
    assert not any(row.realized["float32"].is_finite() for row in assessment.rows)
    save(tmp_path / "a.npz", found)
    for arguments in (("state",), ("tolerance", "--loss", "1e-8")):
        assert "not finite" in run(arguments[0], tmp_path / "a.npz", *arguments[1:]).output


# Tolerances -----------------------------------------------------------------------------------------------------------


def test_two_states_whose_tolerances_differ_by_orders_of_magnitude():
    found = {name: tolerance(shipped(name), loss="1e-8", gradient="1e-6") for name in ("diffuse", "confident")}
    assert found["confident"].primitive > 10**4 * found["diffuse"].primitive
    assert found["confident"].order < found["diffuse"].order
    assert [choice.n for choice in found["confident"].choices] == [0, 0]
    float64, float32 = found["diffuse"].choices
    assert float64.n is not None
    assert float32.n is None
    assert less(float64.loss, exact("1e-8")) is less(exact("1e-8"), float32.loss) is Truth.YES


def test_a_tolerance_is_the_inverse_of_the_loss_where_all_radii_differ_alike():
    """With one class of mean 0 and one opposite pair, ε·d = ½ log1p(expm1(η)/Q) has a closed form."""
    found = state({"means": np.zeros((2, 4)), "counts": [3, 1], "features": np.full((1, 4), 0.5), "labels": [0], "temperature": 0.5})
    eps = tolerance(found, loss="1e-3").by["loss"]
    with working_precision(200):  # κ = 0 and r = ‖f‖/τ = 2 for both classes; equal scores, so that Q = 1/4
        closed = (1 + 4 * (arb(fmpq(1, 1000)).exp() - 1)).log() / 2 / 2
        assert less(abs(eps / closed - 1), fmpq(1, 100)) is Truth.YES
        assert less(eps, closed) is Truth.YES


def test_what_nothing_provides_is_said():
    small = mixture((5, 50), classes=3, samples=1, views=1)
    found = tolerance(small, loss="1e-40")
    assert found.order is None
    assert all(choice.n is None for choice in found.choices)
    assert tolerance(small, loss="1e-100").primitive is None
    assert tolerance(small, gradient=10**6).primitive == 1


@pytest.mark.parametrize(("wanted", "message"), [({}, "give the wanted"), ({"loss": 0}, "loss = 0"), ({"gradient": "x"}, "not a number")])
def test_no_wish_and_bad_ones_are_refused(wanted, message):
    with pytest.raises(ValueError, match=message):
        tolerance(shipped("diffuse"), **wanted)


def test_pairings_of_two_errors():
    """P_y = 1/2, others 1/3 and 1/6, errors log 2 and 0: sums 1/2 + 2/3 + 1/6 and 1/2 + 1/3 + 1/3."""
    with working_precision(200):
        value = centre(arb(2).log())
        low, high = extremes("1/2", ["1/6", "1/3"], [value, 0], own=0)
        assert less(abs(low - arb(fmpq(7, 6)).log()), fmpq(1, 10**50)) is Truth.YES
        assert less(abs(high - arb(fmpq(4, 3)).log()), fmpq(1, 10**50)) is Truth.YES
        assert loss_change("1/2", ["1/6", "1/3"], 0, [0, value]).overlaps(high)


def test_pairings_need_one_error_a_class():
    with pytest.raises(ValueError, match="2 errors were given, 3 are needed"):
        extremes(1, [1, 1], [0, 0])
    with pytest.raises(ValueError, match="mass 1 = 0"):
        extremes(1, [1, 0], [0, 0], own=0)


def test_the_pairing_at_a_state_has_its_change_between_the_extremes():
    found = at_state(shipped("diffuse"))
    assert less(found.actual, found.low) is not Truth.YES
    assert less(found.high, found.actual) is not Truth.YES


# Commands -------------------------------------------------------------------------------------------------------------


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), obj={"verbose": False, "command": "certify"}, standalone_mode=False)


def test_certify_state(tmp_path):
    path = tmp_path / "a.npz"
    save(path, mixture((5, 50), classes=3, samples=2))
    text, data = run("state", path), json.loads(run("state", path, "--format", "json", "--samples", 1).output)
    assert text.return_value == 0
    assert all(name in text.output for name in (*QUANTITIES, "predictions kept", "float32"))
    assert data["samples"] == 1
    assert data["holds"] == "yes"
    assert float(data["errors"]["score"]["actual"]["formula"]) < float(data["errors"]["score"]["guaranteed"]["here"])


def test_certify_tolerance():
    path = FOLDER / "confident.npz"
    data = json.loads(run("tolerance", path, "--loss", "1e-8", "--gradient", "1e-6", "--samples", 2, "--format", "json").output)
    assert exact(data["primitive_tolerance"]["all"]) == min(exact(data["primitive_tolerance"][name]) for name in ("loss", "gradient"))
    text = run("tolerance", path, "--loss", "1e-30", "--samples", 1)
    assert text.return_value == 1
    assert "none" in text.output


def test_classes_above_the_cap_are_counted(tmp_path):
    found = mixture((5, 50), classes=3, samples=2)
    np.savez(tmp_path / "a.npz", **{**entries_of(found), "means": 2 * found.means / np.linalg.norm(found.means, axis=1, keepdims=True)})
    refused = run("state", tmp_path / "a.npz").exception
    assert isinstance(refused, NotAccepted)
    assert "a.npz: means[0] has length 2" in str(refused)
    assert "--cap" in str(refused)
    assert "3 of 3 classes capped" in run("state", tmp_path / "a.npz", "--cap", "1e5").output
