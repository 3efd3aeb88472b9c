"""Figure 11: the clipped defect over concentration with its asymptote, and gradients before and after an overall scaling.

(a) in balls; (b) in FP64 at 256 queries of a reconstructed state, in the full 512-dimensional feature space.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.number import exact, show
from certify.studies.figures.drawing import BLUE, FLOOR, GREY, ORANGE, PAGE, canvas, distribution, floored, label, title
from certify.studies.finite_start.backward_rules import after_scaling, evaluations, relative
from certify.studies.finite_start.coherence import BITS, Radius, at
from certify.studies.points import Point, all_of, at_most, decided
from certify.studies.states.reconstructed import HIGH, LOW, NU, describe, patt

CAPTION = "Concentration and gradient scaling delimit the coherence defect: reconstructed state, r/nu in the printed range."
ORDERS = (63, 255)
CONDITIONS = 65
LEAST, MOST = exact("0.25"), exact("1e5")
SLACK = exact("1e-3")
"""Relative: a gradient sums several classes, whose radii differ, so that its difference may leave the range of single radii."""

SMALLER = 100
"""By at least this factor the best scaling of each query shrinks its difference."""

Scan = dict[int, list[tuple[fmpq, Radius]]]


def study() -> tuple[dict[str, Any], list[Point]]:
    """130 conditions; 256 queries."""
    scan = {nu: [(z, at(nu, z * nu)) for z in concentrations()] for nu in ORDERS}
    found = patt(views=1)
    supplied, own = (evaluation.gradients[0] for evaluation in evaluations(found))
    before, after = relative(supplied, own).tolist(), after_scaling(supplied, own).tolist()
    data = {
        "defects": [
            {"nu": nu, "clips_from": float(_clip(nu) / nu), "points": [_entry(*entry) for entry in entries]} for nu, entries in scan.items()
        ],
        "floor": FLOOR,
        "saved_range": [float(LOW), float(HIGH)],
        "state": describe(found),
        "relative_difference": sorted(before),
        "after_scaling": sorted(after),
    }
    return data, [*_asymptotes(scan), *_queries(before, after)]


def concentrations() -> list[fmpq]:
    """65 values of x/ν, log-spaced from 1/4 to 10⁵, to six digits."""
    with working_precision(BITS):
        step = (arb(MOST) / arb(LEAST)).log() / (CONDITIONS - 1)
        return [exact(f"{float(arb(LEAST) * (step * k).exp()):.5e}") for k in range(CONDITIONS)]


def draw(data: dict[str, Any]) -> Any:
    """Left logarithmic in both axes; right cumulative distributions."""
    figure, (left, right) = canvas(PAGE, 2.6, columns=2, gridspec_kw={"width_ratios": (1.25, 1)})
    for entry, colour in zip(data["defects"], (ORANGE, BLUE), strict=True):
        _draw_defects(left, entry, colour)
    left.axvspan(*data["saved_range"], color=GREY, lw=1.2, alpha=0.4)
    label(left, data["saved_range"][1], 1e-8, "printed\nquery range", GREY, xytext=(4, 0))
    left.set(xscale="log", yscale="log", xlabel="concentration x/ν", ylabel=r"$|D_{\mathrm{clip}}|$")
    title(left, "(a) clipped defect, dashed (ν + 3/2)/x")
    _draw_distributions(right, data)
    return figure


def _draw_defects(axes: Any, entry: dict[str, Any], colour: str) -> None:
    from matplotlib.ticker import LogLocator

    nu, points = entry["nu"], entry["points"]
    places = [point["x_over_nu"] for point in points]
    axes.plot(places, floored([point["defect"] for point in points]), "o-", color=colour, lw=1, ms=2)
    far = [place for place in places if place >= entry["clips_from"]]
    axes.plot(far, [(nu + 1.5) / (nu * place) for place in far], "--", color="black", lw=0.8, zorder=3)
    rising = next(point for point in points if point["defect"] > 1e-11)
    label(
        axes,
        rising["x_over_nu"],
        rising["defect"],
        f"ν = {nu}",
        colour,
        xytext=(-5, 0) if nu < NU else (6, -4),
        ha="right" if nu < NU else "left",
    )
    axes.yaxis.set_major_locator(LogLocator(numticks=6))


def _draw_distributions(axes: Any, data: dict[str, Any]) -> None:
    for name, text, colour, side in (
        ("relative_difference", "relative\ndifference", BLUE, "right"),
        ("after_scaling", "after optimal\nscaling", ORANGE, "left"),
    ):
        values = data[name]
        distribution(axes, values, colour)
        label(axes, values[len(values) // 2], 0.5, text, colour, xytext=(-5, 0) if side == "right" else (6, 0), ha=side)
    axes.set(xscale="log", xlabel="gradient difference, relative", ylabel="share of 256 queries", ylim=(0, 1.02), xlim=(5e-8, 1e-2))
    title(axes, "(b) removal of overall scaling")


def _asymptotes(scan: Scan) -> Iterator[Point]:
    """Beyond the clip within the remainder of claim concentration.defect."""
    for nu, entries in scan.items():
        theta = fmpq((nu + 1) * (13 * nu**3 + 11 * nu**2 + 11 * nu - 3), 4)
        for z, radius in entries:
            x = z * nu
            if x >= _clip(nu):
                with working_precision(BITS):
                    error, most = abs(x * abs(radius.residual) - (nu + fmpq(3, 2))), 3 / x + theta / x**2
                place = {"nu": str(nu), "x/nu": show(z)}
                yield Point(place, "|x |D| - (nu + 3/2)| <= 3/x + Theta/x^2", at_most(error, most), {"error": error, "remainder": most})
    yield Point(
        {"x/nu": f"{show(LOW)} to {show(HIGH)}"}, "the printed range is inside the scan", decided(bool(LEAST < LOW and HIGH < MOST))
    )


def _queries(before: list[float], after: list[float]) -> Iterator[Point]:
    """In FP64: every difference is among those that the printed radii have, and scaling removes most of each."""
    ends = at(NU, HIGH * NU).relative * (1 - SLACK), at(NU, LOW * NU).relative * (1 + SLACK)
    least, most = exact(min(before)), exact(max(before))
    queries = {"queries": str(len(before))}
    found = {"from": least, "to": most, "printed radii from": ends[0], "printed radii to": ends[1]}
    inside = all_of([at_most(ends[0], least), at_most(most, ends[1])])
    yield Point(queries, "relative differences are those of the printed radii", inside, found)
    shrunk = min(exact(difference) / exact(rest) for difference, rest in zip(before, after, strict=True))
    yield Point(queries, f"each at least {SMALLER} times smaller after scaling", at_most(SMALLER, shrunk), {"least factor": shrunk})


def _entry(z: fmpq, radius: Radius) -> dict[str, float]:
    return {"x_over_nu": float(z), "defect": float(abs(radius.residual))}


def _clip(nu: int) -> fmpq:
    """The x from which g = 1 (claim concentration.crossing)."""
    return fmpq((nu + 1) * (3 * nu + 1), 2)
