"""Certified mode within the audit: what is proved is told, what is not traced says why, and proofs find what sampling misses."""

import json

import numpy as np
import pytest
import torch

import certify
from certify.audit import auditor, proofs
from certify.audit.landmarks import landmarks
from certify.exact.interpret.defect import Kind

OPTIONS = {"domain": (-3.0, 3.0), "dtype": "float64"}


class Scaled(torch.autograd.Function):
    """sin with a derivative that is wrong by a quarter between two close thresholds, which stand nowhere as numbers."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        low = torch.exp(torch.zeros_like(x)) / 7
        wrong = (x > low) & (x < low + 2.0**-30)
        return g * torch.cos(x) * torch.where(wrong, torch.full_like(x, 1.25), torch.ones_like(x))


def clipped(x):
    """The finite start at ν = 3 in torch, its ratio clipped in the backward."""
    from certify.realizations.tensor.original import Original

    return Original(3).potential(x)


def test_what_is_proved_is_told():
    result = certify.audit(torch.tanh, **OPTIONS)
    assert result.mode == "certified"
    assert result.proofs is not None
    assert any(each.kind is Kind.AT_MOST for each in result.proofs.stretches)
    text = result.explain()
    assert "|defect| ≤ 3e-16 + 3e-16 |supplied| on" in text
    assert "enclosed" in text
    assert "what the kernels round not seen" in text
    record = json.loads(json.dumps(result.record(), allow_nan=False))["proofs"]
    assert {"low", "high", "kind", "bound", "boxes", "statement"} == set(record["stretches"][0])
    assert record["compared"]


def test_a_rational_function_is_exactly_coherent():
    result = certify.audit(lambda x: x / (1 + x * x), domain=(-1e9, 1e9), dtype="float64")
    assert [each.kind for each in result.proofs.stretches] == [Kind.IDENTICAL]
    assert "exactly" in result.explain()


def test_an_incoherent_recurrence_is_proved_incoherent():
    result = certify.audit(clipped, domain=(1.0, 1e3), dtype="float64")
    assert result.coherence.outcome == "incoherent"
    assert result.proofs.incoherent
    assert "proved incoherent" in result.explain()


def test_proofs_find_what_is_too_narrow_to_meet():
    result = certify.audit(Scaled.apply, **OPTIONS)
    assert result.coherence.outcome == "incoherent"
    assert 1 / 7 < result.witness.input < 1 / 7 + 2.0**-30


def test_sampling_alone_misses_it(monkeypatch):
    monkeypatch.setattr(auditor, "traced", lambda *arguments: "planted: no trace")
    result = certify.audit(Scaled.apply, **OPTIONS)
    assert result.coherence.outcome == "coherent"
    assert "numerical mode (planted: no trace)" in result.explain()


def test_a_proof_alone_suffices_for_a_contradiction(monkeypatch):
    """Without the branch points among the samples, the proved stretch still gives the witness."""
    monkeypatch.setattr(auditor, "thresholds", lambda *arguments: np.zeros(0))
    result = certify.audit(Scaled.apply, **OPTIONS)
    assert result.coherence.outcome == "incoherent"
    assert "proved incoherent" in result.witness.note


def test_rounding_of_constants_is_no_contradiction():
    class Typed(torch.autograd.Function):
        """erf with 2/√π in fourteen digits."""

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.erf(x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 1.1283791670955 * torch.exp(-x * x)

    assert certify.audit(Typed.apply, **OPTIONS).coherence.outcome == "coherent"


@pytest.mark.parametrize(
    ("fn", "reason"),
    [
        (lambda x: torch.from_numpy(np.cos(x.detach().numpy())) + x, "NumPy"),
        (lambda x: x + torch.floor(x), "floor of torch is not translated"),
        (lambda x: x * 2 if bool((x < 7).any()) else x * 3, "control flow"),
    ],
)
def test_why_only_the_numerical_mode(fn, reason):
    result = certify.audit(fn, domain=(-1.0, 1.0), dtype="float64")
    assert result.mode == "numerical"
    assert result.proofs is None
    assert reason in result.because
    assert reason in result.explain()


def test_a_small_budget_leaves_no_time_for_proofs():
    result = certify.audit(torch.sin, budget=0.2, **OPTIONS)
    assert result.mode == "numerical"
    assert "budget" in result.because


def test_defects_of_the_numbers_alone_leave_the_proof_of_the_rest():
    """ndtr vanishes far out, where the real numbers do not: no lower bound is tried for in vain."""
    result = certify.audit(torch.special.ndtr, domain=(-20.0, 5.0), dtype="float64")
    assert result.coherence.outcome == "incoherent"
    assert not result.proofs.incoherent


def test_second_order():
    result = certify.audit(lambda x: x**3 / (1 + x * x), order=2, **OPTIONS)
    assert (result.mode, result.coherence.outcome) == ("certified", "coherent")


def test_landmarks_are_the_numbers_in_the_code():
    limit = 0.7316

    class Gate(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.where(x > 12.75, x, 0.0)

        @staticmethod
        def backward(ctx, g):
            return g * limit

    assert {12.75, -12.75, limit} <= set(landmarks(Gate.apply))
    assert set(landmarks(lambda x: x.clamp(-2.5, 100))) == {2.5, -2.5, 100.0, -100.0}
    assert landmarks(torch.sin).size == 0


TURNING = {"inputs": torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64), "field": True}


def test_fields():
    turning = certify.audit(lambda x: x**3 + 1e-6 * torch.roll(x, 1), **TURNING)
    assert turning.coherence.outcome == "incoherent"
    assert "integral of the supplied gradient around" in turning.witness.note
    assert certify.audit(lambda x: torch.exp(x.sum()) + x, **TURNING).coherence.outcome == "coherent"
    with pytest.raises(ValueError, match="as many outputs"):
        certify.audit(lambda x: x[:2], **TURNING)
    with pytest.raises(ValueError, match="example tensors"):
        certify.audit(torch.sin, field=True)


def test_a_field_is_reproduced():
    result = certify.audit(lambda x: torch.stack([-x[1], x[0], x[2]]), **TURNING)
    lines = result.explain().split("reproduce:\n")[1].splitlines()[:3]
    shown = []
    space = {"torch": torch, "inputs": (TURNING["inputs"],), "fn": lambda x: torch.stack([-x[1], x[0], x[2]]), "print": shown.append}
    exec("\n".join(line.strip() for line in [*lines[:1], "g = fn", *lines[1:]]), space)
    assert abs(shown[0]).max() == pytest.approx(2)


def test_the_time_for_proofs_is_bounded(monkeypatch):
    monkeypatch.setattr(proofs, "SHARE", 0.05)
    result = certify.audit(torch.sin, dtype="float64")
    assert result.proofs.open
