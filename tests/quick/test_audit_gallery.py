"""The gallery: what it says of realizations and kinds; its claims hold, and fail where they should."""

import json
from fractions import Fraction

import pytest
from flint import arb, fmpq

from certify.claims.verdict import Outcome
from certify.cli import main
from certify.report.gallery import data, render
from certify.studies import gallery
from certify.studies.claims import gallery as claims
from certify.studies.finite_start import clip


def entry(name, p=None):
    return next(each for each in gallery.entries() if name in each.name and p in (None, each.p))


def test_every_realization_and_kind_is_in_it():
    from certify.realizations.kinds import KINDS
    from certify.realizations.tensor.catalogue import REALIZATIONS

    assert {each.name for each in gallery.entries()} == {each.name for each in (*REALIZATIONS, *KINDS)}


def test_truths_are_derivatives():
    """The exact derivative of each quantity, by differences of the quantity itself at high precision."""
    import mpmath as mp

    x = 7.5
    quantities = {
        "log bessel": lambda v, z: mp.log(mp.besseli(v, z)),
        "scaled bessel": lambda v, z: mp.exp(-z) * mp.besseli(v, z),
        "log normalizer": lambda v, z: v * mp.log(z) - mp.log(mp.besseli(v, z)),
        "ratio": lambda v, z: mp.besseli(v + 1, z) / mp.besseli(v, z),
    }
    with mp.workdps(40):
        for quantity, f in quantities.items():
            found = gallery._derivative(quantity, 4.5)(x)
            assert abs(mp.mpf(found.str(25, radius=False)) - mp.diff(lambda z, f=f: f(mp.mpf("4.5"), z), x)) < 1e-18


def test_a_missing_exponent_is_a_defect_of_one_everywhere():
    row = gallery.row(entry("from the scaled Bessel"))
    assert row.coherence == "incoherent"
    assert row.starts == pytest.approx(1, abs=0.1)
    assert row.peak == pytest.approx(1, abs=1e-9)


def test_a_switch_between_coherent_formulas_is_a_kink_or_coherent():
    assert gallery.row(entry("switch at k = 100")).coherence in ("coherent", "kink")


@pytest.fixture(scope="module")
def clips():
    return list(clip.clips((64, 128)))


def test_clips_of_the_public_code(clips):
    """The onset is that of the raw ratio in exact rationals, and the peak what the audit finds."""
    from certify.exact import recurrence

    for each in clips:
        nu, near = each.nu, fmpq(1, 10**9)
        low, high = (recurrence.ratio(nu, 2 * nu, each.crossing * (1 + shift)) for shift in (-near, near))
        assert low < 1 < high
        assert abs(arb(fmpq(*each.measured.as_integer_ratio())) - each.exact) < 1e-11


def test_formats(clips):
    row = gallery.Row("name | with a bar", 128, "incoherent", ("also",), 1.5, 2.0, 0.25, 1.0, 0.75, 0.74)
    found = data([row, gallery.Row("coherent one", 128, "coherent", ())], clips)
    text = render(found, "text")
    assert "0.25" in text
    assert "43.1412" in text
    assert r"name \| with a bar" in render(found, "markdown")
    read = json.loads(render(found, "json"))
    assert read["audits"][0]["peak"] == 0.25
    assert [each["p"] for each in read["clips"]] == [64, 128]
    assert render(read, "markdown") == render(found, "markdown")


@pytest.mark.parametrize("words", [(), ("torch:sin", "--gallery"), ("torch:sin", "--format", "markdown")])
def test_the_command_wants_one_or_the_other(words, capsys):
    assert main(["audit", *words]) == 4
    assert capsys.readouterr().err.startswith("certify: ")


def test_claims_hold_and_fail(monkeypatch, clips):
    monkeypatch.setattr(clip, "clips", lambda: iter(clips))
    assert claims.clip.prove({"epsilon": Fraction(1, 10**11)}).outcome is Outcome.MEASURED
    refuted = claims.clip.prove({"epsilon": Fraction(1, 10**20)})
    assert refuted.outcome is Outcome.REFUTED
    assert {"fails", "nu", "M", "x"} <= refuted.witness.keys()


def test_certified_claims_hold_and_fail(monkeypatch):
    monkeypatch.setattr(claims, "CLIPPED", (4000.0, 4040.0))
    monkeypatch.setattr(claims, "CLOSED", (1.0, 1e3))
    assert claims.recurrence.prove({"c": Fraction(1, 1000)}).outcome is Outcome.ENCLOSED
    assert claims.closed.prove({"delta": Fraction(0)}).outcome is Outcome.ENCLOSED
    assert claims.closed.prove({"delta": Fraction(1, 10**12)}).outcome is Outcome.REFUTED
    monkeypatch.setattr(claims, "ATTEMPTS", 40)
    refuted = claims.recurrence.prove({"c": Fraction(1, 10)})
    assert refuted.outcome is Outcome.REFUTED
    assert Fraction(refuted.witness["x"]) > 4000
