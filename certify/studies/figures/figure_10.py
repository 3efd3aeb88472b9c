"""Figure 10: the antisymmetry of the two-class construction against the concentration ratio, and against the strength of the mismatch.

The lines are the formulas of ``obstruction``; the circles come from the field itself, G(f) = Σ_j (p_j − 1[j=1]) w_j(f) in the plane of the
two directions, differentiated by central differences with step 2⁻¹⁰⁰ in balls: they are off by about the square of the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import log2
from typing import Any

from flint import arb, fmpq

from certify.data.printed import load
from certify.exact.ball import working_precision
from certify.exact.number import exact, show
from certify.studies.figures.drawing import BLUE, GREEN, ORANGE, PAGE, canvas, label, title
from certify.studies.judgement import rounds_to
from certify.studies.points import Point, at_most, decided
from certify.studies.states.obstruction import FIRST, NU, PRINTED, RATIOS, STRENGTHS, Pair
from certify.studies.states.plane import Plane

CAPTION = "Classwise mismatch controls the local Jacobian obstruction: formulas as lines, the differentiated field as circles."
BITS = 512
CLOSE = exact("1e-40")
DIGITS = 50
FINE = 12
STEPS = range(-14 * FINE, 14 * FINE + 1)
"""The line is drawn through 2^(k/FINE)."""


def study() -> tuple[dict[str, Any], list[Point]]:
    """29 ratios κ₂/κ₁ at κ₁ = 64ν, and nine strengths at κ₂ = 128ν."""
    with working_precision(BITS):
        ratios = [_at_ratio(ratio) for ratio in RATIOS]
        strengths = [_at_strength(strength) for strength in STRENGTHS]
        line = [float(_pair(fmpq(2) ** (k // FINE) * _root(k % FINE)).antisymmetry()) for k in STEPS]
        data = {
            "kappa1_over_nu": int(FIRST),
            "line": {"log2_ratio": [k / FINE for k in STEPS], "antisymmetry": line},
            "by_ratio": [{"kappa2/kappa1": show(ratio), **_floats(found)} for ratio, found in zip(RATIOS, ratios, strict=True)],
            "by_strength": [{"lambda": show(strength), **_floats(found)} for strength, found in zip(STRENGTHS, strengths, strict=True)],
        }
        return data, [*_points(ratios, strengths)]


def draw(data: dict[str, Any]) -> Any:
    """In thousandths."""
    figure, (left, right) = canvas(PAGE, 2.5, columns=2, gridspec_kw={"width_ratios": (1.35, 1)})
    _draw_ratios(left, data)
    _draw_strengths(right, data["by_strength"])
    return figure


def _draw_ratios(axes: Any, data: dict[str, Any]) -> None:
    axes.plot(data["line"]["log2_ratio"], _thousandths(data["line"]["antisymmetry"]), color=BLUE, lw=1)
    places = [log2(Fraction(entry["kappa2/kappa1"])) for entry in data["by_ratio"]]
    for name, colour in (("consistent", GREEN), ("differentiated", BLUE)):
        axes.plot(places, _thousandths([entry[name] for entry in data["by_ratio"]]), "o", color=colour, mfc="white", ms=3.2, mew=0.9)
    label(axes, places[-1], 0, "consistent backward", GREEN, xytext=(0, 8), ha="right")
    label(axes, places[-1], 1e3 * data["by_ratio"][-1]["predicted"], "supplied backward", BLUE, xytext=(0, 8), ha="right")
    axes.set(xlabel="concentration ratio κ₂/κ₁", ylabel="(J₁₂ − J₂₁) · 10³")
    axes.set_xticks((-14, -7, 0, 7, 14), ("2⁻¹⁴", "2⁻⁷", "1", "2⁷", "2¹⁴"))
    title(axes, "(a) 29 concentration ratios")


def _draw_strengths(axes: Any, entries: list[dict[str, Any]]) -> None:
    places = [float(Fraction(entry["lambda"])) for entry in entries]
    for name, text, colour in (("gap", "gradient gap ‖G_λ − G₀‖", ORANGE), ("antisymmetry", "|J₁₂ − J₂₁|", BLUE)):
        predicted, found = (_thousandths([abs(entry[key]) for entry in entries]) for key in (f"predicted_{name}", name))
        axes.plot(places, predicted, color=colour, lw=1)
        axes.plot(places, found, "o", color=colour, mfc="white", ms=3.2, mew=0.9)
        label(axes, places[5], found[5], text, colour, xytext=(-4, 6), ha="right")
    axes.set(xlabel="mismatch strength λ", ylabel="value · 10³", xlim=(0, 1.04), ylim=(0, None))
    title(axes, "(b) nine mismatch strengths")


def _points(ratios: list[dict[str, arb]], strengths: list[dict[str, arb]]) -> Iterator[Point]:
    for ratio, found in zip(RATIOS, ratios, strict=True):
        at = {"kappa2/kappa1": show(ratio)}
        gap = abs(found["differentiated"] - found["predicted"])
        yield Point(at, "the differentiated field has the predicted antisymmetry within 1e-40", at_most(gap, CLOSE), found)
        yield Point(at, "that of the consistent field is 0 within 1e-40", at_most(abs(found["consistent"]), CLOSE))
    for strength, found in zip(STRENGTHS, strengths, strict=True):
        for name in ("gap", "antisymmetry"):
            gap = abs(found[name] - found[f"predicted_{name}"])
            yield Point({"lambda": show(strength)}, f"the field has the predicted {name} within 1e-40", at_most(gap, CLOSE), found)
    value, printed = ratios[RATIOS.index(fmpq(2))]["differentiated"], str(load().tables["two_class"]["J12-J21"])
    yield Point(
        {"kappa2/kappa1": "2"}, f"the differentiated field rounds to {printed}", decided(rounds_to(value, printed)), {"J12 - J21": value}
    )


def _at_ratio(ratio: fmpq) -> dict[str, arb]:
    plane = Plane(_pair(ratio))
    found = {"differentiated": plane.antisymmetry(fmpq(1)), "consistent": plane.antisymmetry(fmpq(0))}
    return {"predicted": plane.pair.antisymmetry(digits=DIGITS), **found}


def _at_strength(strength: fmpq) -> dict[str, arb]:
    plane = Plane(PRINTED)
    predicted = {"predicted_gap": PRINTED.gradient_gap(strength), "predicted_antisymmetry": PRINTED.antisymmetry(strength, DIGITS)}
    return {**predicted, "gap": plane.gap(strength), "antisymmetry": plane.antisymmetry(strength)}


def _pair(ratio: fmpq) -> Pair:
    return Pair(FIRST * NU, ratio * FIRST * NU)


def _root(k: int) -> fmpq:
    """A rational number near 2^(k/FINE)."""
    return exact(f"{2 ** (k / FINE):.12f}")


def _floats(found: dict[str, arb]) -> dict[str, float]:
    return {name: float(value) for name, value in found.items()}


def _thousandths(values: Sequence[float]) -> list[float]:
    return [1e3 * value for value in values]
