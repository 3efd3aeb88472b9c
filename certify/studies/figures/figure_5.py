"""Figure 5: the largest error of A_R on the grid of Table 5 against dimension, its slope, and the slopes of the whole ladder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import arb, fmpq

from certify.data.printed import load
from certify.exact.ball import decimal, working_precision
from certify.exact.selector import ORDERS
from certify.exact.truth import less
from certify.studies.figures.drawing import BLUE, COLUMN, GREY, RED, canvas, label, minus
from certify.studies.judgement import rounds_to
from certify.studies.points import Point, decided
from certify.studies.tables.cell import Rung
from certify.studies.tables.dimension_study import DIGITS, ladder
from certify.studies.tables.grid import DIMENSIONS, order
from certify.studies.tables.table_5 import STUDY

CAPTION = (
    "Cubic error decay: largest error of the ratio on 61 concentrations against dimension, its certificate, and the ladder's other orders."
)
Rungs = dict[int, tuple[Rung, ...]]

BITS = 256
SHOWN = 6
PAPER = 1
"""AR/FR is the ladder's order 1."""

CLOSE = fmpq(1, 50)
"""How far fitted slopes against ν may be from −(n+2): dimensions are finite."""


def study() -> tuple[dict[str, Any], list[Point]]:
    """Errors in balls; slopes by least squares through (log p, log error), and through (log ν, log error)."""
    rungs = ladder(STUDY, DIGITS)
    slopes = {n: (slope(rungs, n, "p"), slope(rungs, n, "nu")) for n in ORDERS}
    series = [_series(rungs, n, *slopes[n]) for n in ORDERS]
    data = {"p": list(DIMENSIONS), "certificate": [float(fmpq(1, order(p) ** 3)) for p in DIMENSIONS], "ladder": series}
    return {**data, "printed_slope": load().tables["figure5_slope"]}, [*_points(rungs, slopes)]


def slope(rungs: Rungs, n: int, against: str) -> arb:
    """Σ (x − x̄) y / Σ (x − x̄)² with x = log p or log ν and y = log of the largest error."""
    with working_precision(BITS):
        x = [arb(p if against == "p" else order(p)).log() for p in DIMENSIONS]
        y = [rungs[p][n].value.log() for p in DIMENSIONS]
        centre = sum(x, arb(0)) / len(x)
        above = sum(((a - centre) * b for a, b in zip(x, y, strict=True)), arb(0))
        return above / sum(((a - centre) * (a - centre) for a in x), arb(0))


def draw(data: dict[str, Any]) -> Any:
    """Both axes logarithmic; each line with its order and its slope against ν."""
    figure, (axes,) = canvas(COLUMN, 2.8)
    first, last = data["p"][0], data["p"][-1]
    for entry in data["ladder"]:
        paper = entry["n"] == PAPER
        colour = BLUE if paper else GREY
        axes.plot(data["p"], entry["largest_error"], "o-" if paper else "-", color=colour, lw=1.3 if paper else 0.6, ms=3)
        label(axes, last, entry["largest_error"][-1], f"n = {entry['n']}:  {minus(entry['slope_nu'])}", colour)
    axes.plot(data["p"], data["certificate"], color=RED, lw=1.3)
    label(axes, last, data["certificate"][-1], "certificate ν⁻³", RED, xytext=(3, 4))
    label(axes, last, data["ladder"][0]["largest_error"][-1], "slope in ν", GREY, xytext=(3, 10))
    paper, printed = data["ladder"][PAPER], data["printed_slope"].replace("-", "−")
    note = f"AR/FR (n = 1): slope in p\n{minus(paper['slope_p'])}, printed {printed}"
    label(axes, first, data["ladder"][-1]["largest_error"][-1], note, BLUE, xytext=(0, 6))
    axes.set(xscale="log", yscale="log", xlabel="dimension p", ylabel="largest |Aₙ − R| on the grid")
    axes.set_xticks(data["p"][::2], map(str, data["p"][::2]))
    axes.minorticks_off()
    return figure


def _series(rungs: Rungs, n: int, by_p: arb, by_nu: arb) -> dict[str, Any]:
    return {
        "n": n,
        "largest_error": [float(rungs[p][n].value) for p in DIMENSIONS],
        "bound": [float(rungs[p][n].bound.value) for p in DIMENSIONS],
        "slope_p": float(decimal(by_p, SHOWN)),
        "slope_nu": float(decimal(by_nu, SHOWN)),
    }


def _points(rungs: Rungs, slopes: dict[int, tuple[arb, arb]]) -> Iterator[Point]:
    printed, (by_p, _) = str(load().tables["figure5_slope"]), slopes[PAPER]
    yield Point({"n": str(PAPER)}, f"slope against p rounds to {printed}", decided(rounds_to(by_p, printed)), {"slope": by_p})
    for n, (_, by_nu) in slopes.items():
        yield Point({"n": str(n)}, "|slope against nu + n + 2| < 1/50", less(abs(by_nu + n + 2), CLOSE), {"slope": by_nu})
    for p in DIMENSIONS:
        for rung in rungs[p]:
            found = {"error": rung.value, "bound": rung.bound.value}
            yield Point({"p": str(p), "n": str(rung.n)}, "largest error < its bound", less(rung.value, rung.bound.value), found)
        value = rungs[p][PAPER].value
        yield Point({"p": str(p)}, "largest error of A_R < 1/nu^3", less(value, fmpq(1, order(p) ** 3)), {"error": value})
