"""Figure 4: the relative coherence defect over concentration and depth, in balls: 13 × 5 × 4 conditions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import log2
from typing import Any

from flint import arb, fmpq

from certify.data.printed import load
from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.exact.number import exact, show
from certify.exact.truth import Truth, less
from certify.studies.figures.drawing import PAGE, PALE, SMALL, TINY, canvas, label, title
from certify.studies.finite_start.coherence import BITS, NEGLIGIBLE, Radius, at
from certify.studies.judgement import unit
from certify.studies.points import Point, at_most
from certify.studies.states.reconstructed import DIMENSION, HIGH, LOW, NU
from certify.studies.tables.grid import order

CAPTION = "Concentration and depth jointly determine coherence: log10 of the relative defect |g - Phi'|/|Phi'| of the finite start M."
DIMENSIONS = (128, 256, 512, 1024)
DEPTHS = (2, 3, 4, 6, 8)
CONCENTRATIONS = tuple(fmpq(2) ** k for k in range(-2, 11))
FLOOR = -16
"""log10 of the display floor."""

DIGITS = 60

Scan = dict[tuple[int, int, fmpq], Radius]


def study() -> tuple[dict[str, Any], list[Point]]:
    """The scan, and what the paper says of it."""
    scan = {(p, m, z): at(order(p), z * order(p), m * order(p)) for p, m, z in product(DIMENSIONS, DEPTHS, CONCENTRATIONS)}
    panels = [
        {"p": p, "log10_relative_defect": [[_log10(scan[p, m, z].relative) for z in CONCENTRATIONS] for m in DEPTHS]} for p in DIMENSIONS
    ]
    captured = {"p": DIMENSION, "M_over_nu": 2, "x_over_nu": [float(LOW), float(HIGH)]}
    data = {"x_over_nu": [float(z) for z in CONCENTRATIONS], "M_over_nu": list(DEPTHS), "log10_floor": FLOOR, "captured": captured}
    return {**data, "panels": panels}, [*_captured(), *(point for p in DIMENSIONS for point in _dimension(scan, p))]


def draw(data: dict[str, Any]) -> Any:
    """A panel a dimension; one cell a condition, pale where the defect is below the floor."""
    figure, panels = canvas(PAGE, 1.75, columns=len(data["panels"]), sharey=True)
    for axes, panel in zip(panels, data["panels"], strict=True):
        image = _panel(axes, data, panel)
    panels[0].set(ylabel="depth M/ν", yticks=[row + 0.5 for row in range(len(data["M_over_nu"]))], yticklabels=data["M_over_nu"])
    figure.supxlabel("concentration x/ν", fontsize=SMALL)
    bar = figure.colorbar(image, ax=panels, aspect=14, pad=0.01, ticks=(data["log10_floor"], -12, -8, -4, 0), extend="min")
    bar.ax.tick_params(labelsize=TINY, width=0.6, length=2)
    bar.set_label(r"$\log_{10}\;|g-\tilde{\Phi}'|\,/\,|\tilde{\Phi}'|$", fontsize=SMALL)
    bar.outline.set_linewidth(0.4)
    return figure


def _panel(axes: Any, data: dict[str, Any], panel: dict[str, Any]) -> Any:
    from matplotlib import colormaps

    floor, first, captured = data["log10_floor"], log2(data["x_over_nu"][0]), data["captured"]
    values = [[2 * floor if value is None else value for value in row] for row in panel["log10_relative_defect"]]
    colours = colormaps["magma_r"].with_extremes(under=PALE)
    image = axes.pcolormesh(values, vmin=floor, vmax=0, cmap=colours, edgecolors="white", linewidth=0.4)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xticks([log2(x) - first + 0.5 for x in (0.25, 4, 64, 1024)], ("¼", "4", "64", "1024"))
    if panel["p"] == captured["p"]:
        x, y = log2(sum(captured["x_over_nu"]) / 2) - first + 0.5, data["M_over_nu"].index(captured["M_over_nu"]) + 0.5
        axes.plot(x, y, "D", color="white", markeredgecolor="black", markersize=4.5)
        label(axes, x, y, "captured", "black", xytext=(-31, 0), ha="right")
    title(axes, f"p = {panel['p']}")
    return image


def _captured() -> Iterator[Point]:
    """The marker: the printed relative difference is one that the printed radii have."""
    printed = load().value("2", 2, "gradient_relative_l2")
    for end in (LOW, HIGH):
        value = at(NU, end * NU).relative
        near = at_most(abs(value - exact(printed)), unit(printed) / 2)
        yield Point(
            {"p": str(DIMENSION), "M/nu": "2", "x/nu": show(end)}, f"relative defect rounds to {printed}", near, {"relative": value}
        )


def _dimension(scan: Scan, p: int) -> Iterator[Point]:
    floor = fmpq(10) ** FLOOR
    for m in DEPTHS:
        first, last = (scan[p, m, z].relative for z in (CONCENTRATIONS[0], CONCENTRATIONS[-1]))
        at_depth = {"p": str(p), "M/nu": str(m)}
        yield Point(at_depth, "the defect at x/nu = 1/4 is below the floor", less(first, floor), {"relative": first})
        yield Point(at_depth, "the defect at x/nu = 1024 is above the floor", less(floor, last), {"relative": last})
    yield _deeper(scan, p)


def _deeper(scan: Scan, p: int) -> Point:
    """Some deeper start is closer in the ratio and farther in coherence."""
    for z, (m, deeper) in product(CONCENTRATIONS, pairwise(DEPTHS)):
        closer = less(_ratio_error(scan, p, deeper, z), _ratio_error(scan, p, m, z))
        farther = less(abs(scan[p, m, z].residual), abs(scan[p, deeper, z].residual))
        if closer is farther is Truth.YES:
            found = {f"M = {m} nu": abs(scan[p, m, z].residual), f"M = {deeper} nu": abs(scan[p, deeper, z].residual)}
            return Point({"p": str(p), "x/nu": show(z)}, "deeper: closer in the ratio, farther in coherence", Truth.YES, found)
    return Point({"p": str(p)}, "deeper: closer in the ratio, farther in coherence", Truth.NO)


def _ratio_error(scan: Scan, p: int, m: int, z: fmpq) -> arb:
    with working_precision(BITS):
        return abs(scan[p, m, z].ratio - bessel.ratio(order(p), z * order(p), DIGITS))


def _log10(value: arb) -> float | None:
    if less(value, NEGLIGIBLE) is not Truth.NO:
        return None
    with working_precision(BITS):
        return round(float(value.log() / arb(10).log()), 6)
