"""The production claims can fail: faults that are planted in ``certify.vmf`` are refuted, with a witness."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

from certify.claims.verdict import Outcome
from certify.studies.claims import production
from certify.studies.claims import shipped as shipped_claims
from certify.studies.production import conduct, shipped
from certify.studies.production.catalogue import PRIMITIVES
from certify.studies.production.primitives import Primitive
from certify.studies.production.setting import Setting
from certify.studies.production.study import Broken, Trial, shrunk, study
from certify.vmf import kernel, plan
from certify.vmf.coefficients import nearest, table

FEW = 700
BOUNDS = {name: Fraction(k) for name, (_, k, _) in production.STATEMENTS.items()}
COMPUTED = [(name, form) for name in PRIMITIVES for form in ("float64", "float32")]


def refuted(primitive: Primitive, form: str, k: Fraction | None = None, inputs: int = FEW) -> dict:
    """The witness of a study that has to fail."""
    dtype, bound = getattr(torch, form), BOUNDS[primitive.name] if k is None else k
    verdict = production.verdict(primitive, dtype, "cpu", bound, study(primitive, dtype, "cpu", bound, inputs, 0))
    assert verdict.outcome is Outcome.REFUTED, verdict.summary
    assert {"nu", "x", "computed", "needs k"} <= verdict.witness.keys()
    return verdict.witness


@pytest.mark.parametrize(("name", "form"), COMPUTED)
def test_a_smaller_constant_is_refuted(name, form):
    assert float(refuted(PRIMITIVES[name], form, BOUNDS[name] / 40)["needs k"]) > BOUNDS[name] / 40


HALF = [(name, form) for name, (_, _, forms) in production.STATEMENTS.items() for form in forms if form in ("bfloat16", "float16")]


@pytest.mark.parametrize(("name", "form"), HALF)
def test_a_result_off_by_one_in_a_narrow_format_is_refuted(name, form):
    """In bfloat16 and float16 the rounding of the result is nearly all of the error: the next number is too far away."""
    primitive = PRIMITIVES[name]

    def call(setting, tensors):
        value = primitive.call(setting, tensors)
        return value * (1 + 1.01 * torch.finfo(value.dtype).eps)

    refuted(replace(primitive, call=call), form)


def perturbed(monkeypatch, change):
    """The kernels with other coefficients."""

    def changed(family, order, dtype):
        return tuple(tuple(change(k, i, c, dtype) for i, c in enumerate(row)) for k, row in enumerate(table(family, order, dtype)))

    monkeypatch.setattr(kernel, "table", changed)


@pytest.mark.parametrize(
    "name", ["ratio", "slope", "closed_form", "closed_form_slope", "closed_form_difference", "potential", "kl_uniform"]
)
def test_a_wrong_coefficient_is_refuted(monkeypatch, name):
    """The first coefficient of the second row, wrong in the tenth digit."""
    perturbed(
        monkeypatch, lambda k, i, c, dtype: c * (1 + 1e-10) if (k, i) == (0 if "diff" in name or name == "potential" else 1, 0) else c
    )
    refuted(PRIMITIVES[name], "float64")


@pytest.mark.parametrize("name", ["potential", "closed_form_difference", "potential_increment"])
def test_float32_constants_in_float64_are_refuted(monkeypatch, name):
    """Of the potential: those of the first rows of the ratio are dyadic, and float32 holds them exactly."""
    perturbed(monkeypatch, lambda k, i, c, dtype: nearest(Fraction(c), 24))
    refuted(PRIMITIVES[name], "float64")


def test_a_fault_in_one_binade_is_found_and_shrunk():
    """Wrong only for 100 ≤ x < 200 at p = 64: found among the inputs around the order, and shown at few digits."""
    primitive = PRIMITIVES["ratio"]

    def call(setting, tensors):
        value = primitive.call(setting, tensors)
        inside = (tensors[0] >= 100) & (tensors[0] < 200) & (setting.nu == 31)
        return torch.where(inside, value * (1 + 2.0**-49), value)

    witness = refuted(replace(primitive, call=call), "float64", inputs=4000)
    assert witness["nu"] == "31.0"
    assert witness["x"].startswith("100.0 ")


def test_a_failure_that_has_no_simple_neighbour_stays():
    primitive = PRIMITIVES["ratio"]
    point = 31.4159265358979

    def call(setting, tensors):
        return torch.where(tensors[0] == point, 0.75, primitive.call(setting, tensors))

    trial = Trial(replace(primitive, call=call), Setting(31.0, torch.float64), "cpu", BOUNDS["ratio"])
    outcome, _ = trial.tried((np.array([point]),), np.random.default_rng(0))
    assert shrunk(trial, outcome.failed).arguments == (point,)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_results_that_are_no_numbers_are_refuted(value):
    primitive = PRIMITIVES["potential"]
    call = lambda setting, tensors: torch.where(tensors[0] > 1e20, value, primitive.call(setting, tensors))  # noqa: E731
    assert refuted(replace(primitive, call=call), "float32")["computed"] == repr(value)


def test_a_wrong_reference_is_an_error_and_no_verdict():
    """Arrays of balls that are wrong are contradicted by Arb."""
    primitive = PRIMITIVES["ratio"]

    def judge(setting, arguments, found):
        judged = primitive.judge(setting, arguments, found)
        return replace(judged, error=judged.error + 2.0**-58)

    with pytest.raises(Broken):
        study(replace(primitive, judge=judge), torch.float64, "cpu", BOUNDS["ratio"], FEW, 0)


def subject(call=None, name="ratio") -> conduct.Subject:
    primitive = PRIMITIVES[name]
    given = replace(primitive, call=call) if call else primitive
    return next(conduct.subjects("cpu", torch.float64, BOUNDS, primitives=[given]))


def ratio(setting, tensors):
    return PRIMITIVES["ratio"].call(setting, tensors)


def test_dependence_on_neighbours_is_refuted():
    """A shift by 2^−60 of the mean of all elements."""
    call = lambda setting, tensors: ratio(setting, tensors) + 2.0**-52 * torch.nan_to_num(tensors[0], 0, 0).clamp(0, 1).mean()  # noqa: E731
    assert conduct.dependent(subject()) is None
    assert conduct.dependent(subject(call)).how == "other neighbours"


def test_dependence_on_the_shape_is_refuted():
    call = lambda setting, tensors: ratio(setting, tensors) * (1 + (2.0**-48 if len(tensors[0]) == 1 else 0))  # noqa: E731
    assert conduct.dependent(subject(call)).how == "alone"


def test_dependence_on_the_layout_is_refuted():
    call = lambda setting, tensors: ratio(setting, tensors) * (1 + (0 if tensors[0].is_contiguous() else 2.0**-48))  # noqa: E731
    assert conduct.dependent(subject(call)).how == "every second element of a buffer"


def test_other_bits_in_another_call_are_refuted():
    calls = []

    def call(setting, tensors):
        calls.append(0)
        return ratio(setting, tensors) * (1 + 2.0**-52 * (len(calls) == 3))

    assert conduct.unsteady(subject(call)).how == "again"


def test_incoherence_of_value_and_gradient_is_refuted(monkeypatch):
    """A ratio that is not the derivative which the potential's backward supplies."""
    genuine = conduct.vmf.ratio
    monkeypatch.setattr(conduct.vmf, "ratio", lambda x, **options: genuine(x, **options) * (1 + 2.0**-52))
    assert any(conduct.incoherent("cpu", torch.float64))


def test_another_program_than_the_certified_one_is_refuted(monkeypatch):
    """v(v c + d) + … in another order: the same function, and not the program of the theorem."""

    def other(coefficients, v):
        highest, *others = coefficients
        total = highest
        for c in others:
            total = c + total * v
        return total

    monkeypatch.setattr(kernel, "_horner", other)
    verdict = shipped_claims.verdict(2)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness["claim"].startswith("rounding.")


def test_a_wrong_coefficient_is_another_program(monkeypatch):
    perturbed(monkeypatch, lambda k, i, c, dtype: c * (1 + 2.0**-20) if (k, i) == (1, 0) else c)
    assert shipped_claims.verdict(1).outcome is Outcome.REFUTED


LESS = ({**plan.ROUNDING, device: Fraction(k)} for device, k in (("cpu", 4), ("cuda", 10)))


@pytest.mark.parametrize("change", [*({"ROUNDING": less} for less in LESS), {"LEAST": (Fraction(1, 4), *plan.LEAST[1:])}])
def test_a_plan_that_promises_more_is_refuted(monkeypatch, change):
    for name, value in change.items():
        monkeypatch.setattr(plan, name, value)
    assert shipped.uncovered(range(1))
    assert shipped_claims.verdict(0).outcome is Outcome.REFUTED
