"""What the figures share: sizes of a column, colours that colour-blind readers tell apart, and bare axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

COLUMN, PAGE = 3.4, 7.0
"""Widths in inches."""

BLUE, ORANGE, GREEN, RED, PURPLE, SKY, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#666666"
"""Okabe and Ito's, and a grey."""

PALE = "#EEEEEE"

SMALL, TINY = 7.5, 6.5
FLOOR = 1e-16
"""Smaller values share this one in logarithmic figures."""


def canvas(width: float, height: float, columns: int = 1, rows: int = 1, **options: Any) -> tuple[Any, list[Any]]:
    """A matplotlib Figure and its axes in reading order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, **options)
    axes = list(grid.flat)
    for each in axes:
        bare(each)
    return figure, axes


def bare(axes: Any) -> None:
    """No frame above and on the right, thin lines, small ticks."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_linewidth(0.6)
    axes.tick_params(labelsize=SMALL, width=0.6, length=2.5)
    axes.tick_params(which="minor", width=0.4, length=1.5)
    axes.xaxis.label.set_size(SMALL)
    axes.yaxis.label.set_size(SMALL)


def title(axes: Any, text: str) -> None:
    """At the upper left."""
    axes.set_title(text, loc="left", fontsize=SMALL + 0.5)


def label(axes: Any, x: float, y: float, text: str, colour: str, **options: Any) -> None:
    """Beside what it names, in its colour."""
    axes.annotate(text, (x, y), color=colour, fontsize=TINY, **{"xytext": (3, 0), "textcoords": "offset points", "va": "center", **options})


def floored(values: Sequence[float]) -> list[float]:
    """Values below ``FLOOR`` at it."""
    return [max(value, FLOOR) for value in values]


def distribution(axes: Any, values: Sequence[float], colour: str) -> None:
    """The share of values at most as large, of sorted ones."""
    axes.step(values, [(rank + 1) / len(values) for rank in range(len(values))], where="post", color=colour, lw=1.3)


def minus(value: float, digits: int = 2) -> str:
    """In fixed notation, with a true minus sign."""
    return f"{value:.{digits}f}".replace("-", "−")
