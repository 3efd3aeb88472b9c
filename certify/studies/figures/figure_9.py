"""Figure 9: the supplied update against the derivative of the same forward, on a slice of feature space through one query.

A reconstructed PATT state of ten classes; the first query is moved on a 25×25 grid along the two principal directions of the features,
class statistics fixed. Everything is FP64 on this machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from certify.exact.number import exact
from certify.learning.objective import Evaluation
from certify.learning.states import State
from certify.studies.figures.drawing import BLUE, GREY, ORANGE, PAGE, bare, distribution, label, title
from certify.studies.finite_start.backward_rules import bitwise_equal, evaluations, relative
from certify.studies.finite_start.coherence import at
from certify.studies.judgement import Judgement, judge_range
from certify.studies.points import Point, at_most, decided
from certify.studies.states.reconstructed import HIGH, LOW, NU, describe, patt
from certify.studies.tables.table_2 import measured

CAPTION = "A frozen PATT state exhibits mainly gradient-magnitude distortion: a slice through one query of a reconstructed state."
CLASSES, SIDE, ARROWS = 10, 25, 8
EXTENT = 3.0
"""Of the slice to each side, in standard deviations along its first direction, of features as long as the query."""

MAGNIFIED = 400
PRINTED_MEDIAN = "0.002561"
"""In the caption, as 0.2561 %."""

DIRECTIONAL = exact("1e-8")
"""Most that 1 − cos is."""


def study() -> tuple[dict[str, Any], list[Point]]:
    """Losses, both projected gradient fields, relative mismatch and 1 − cos at the 625 places."""
    found = patt(classes=CLASSES, views=1)
    directions, steps = principal_plane(found)
    supplied, own = evaluations(_slice(found, directions, steps))
    plane = torch.from_numpy(directions.T)
    b, a = (evaluation.gradients[0] @ plane for evaluation in (supplied, own))
    mismatch, turned = relative(b, a), one_minus_cosine(b, a)
    data = {
        "state": describe(found),
        "axis": steps.tolist(),
        "loss": own.losses[0].reshape(SIDE, SIDE).tolist(),
        "consistent": a.reshape(SIDE, SIDE, 2).tolist(),
        "supplied": b.reshape(SIDE, SIDE, 2).tolist(),
        "relative_mismatch": sorted(mismatch.tolist()),
        "one_minus_cosine": sorted(turned.tolist()),
    }
    return data, [*_points(supplied, own, mismatch, turned)]


def principal_plane(found: State) -> tuple[NDArray, NDArray]:
    """The two principal directions of the normalized features of the first view (2×p), and the steps along both (25).

    Features as they are vary most in length, along which nothing turns.
    """
    features = found.features[0].astype(np.float64)
    lengths = np.linalg.norm(features, axis=1)
    unit = features / lengths[:, None]
    _, sizes, directions = np.linalg.svd(unit - unit.mean(0), full_matrices=False)
    signs = np.sign(directions[:2].sum(1))
    extent = EXTENT * lengths[0] * sizes[0] / np.sqrt(len(features))
    return signs[:, None] * directions[:2], extent * np.linspace(-1, 1, SIDE)


def one_minus_cosine(a: Tensor, b: Tensor) -> Tensor:
    """Of the angle between vectors of the plane, without cancellation: sin²/(1 + cos)."""
    lengths = a.norm(dim=-1) * b.norm(dim=-1)
    sine = (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]) / lengths
    return sine.square() / (1 + (a * b).sum(-1) / lengths)


def draw(data: dict[str, Any]) -> Any:
    """Three fields over one surface, and two distributions."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(PAGE, 4.4), layout="constrained")
    top, bottom = np.asarray(figure.subfigures(2, 1, height_ratios=(1.55, 1)))
    fields = _fields(data)
    for axes, (name, field) in zip(top.subplots(1, 3, sharey=True), fields.items(), strict=True):
        _draw_field(axes, data, field)
        title(axes, name)
    left, right = bottom.subplots(1, 2, sharey=True)
    _draw_distribution(left, [100 * value for value in data["relative_mismatch"]], "(d) relative mismatch in per cent", BLUE)
    left.ticklabel_format(axis="x", useOffset=False)
    left.locator_params(axis="x", nbins=4)
    _draw_distribution(right, data["one_minus_cosine"], "(e) 1 − cos", ORANGE)
    right.set_xscale("log")
    return figure


def _fields(data: dict[str, Any]) -> dict[str, NDArray]:
    own, supplied = np.array(data["consistent"]), np.array(data["supplied"])
    return {"(a) finite forward": -own, "(b) supplied backward": -supplied, f"(c) difference × {MAGNIFIED}": MAGNIFIED * (own - supplied)}


def _draw_field(axes: Any, data: dict[str, Any], field: NDArray) -> None:
    x = np.array(data["axis"])
    bare(axes)
    axes.contour(x, x, data["loss"], levels=10, cmap="cividis", linewidths=0.7)
    inner = slice(2, SIDE - 1, (SIDE - 1) // ARROWS)
    longest = np.linalg.norm(np.array(data["consistent"])[inner, inner], axis=-1).max()
    parts = (field[inner, inner, i] / longest for i in (0, 1))
    axes.quiver(x[inner], x[inner], *parts, color="black", width=0.006, scale=ARROWS, pivot="mid")
    axes.set(xlabel="first principal direction", aspect="equal")
    if axes.get_subplotspec().is_first_col():
        axes.set_ylabel("second principal direction")


def _draw_distribution(axes: Any, values: list[float], name: str, colour: str) -> None:
    bare(axes)
    middle = median(values)
    distribution(axes, values, colour)
    axes.axvline(middle, color=GREY, lw=0.6)
    label(axes, middle, 0.1, f"median {middle:.4g}".replace("e-", "e−"), GREY)
    axes.set(ylabel="share of 625 places" if axes.get_subplotspec().is_first_col() else "", ylim=(0, 1.02))
    title(axes, name)


def _slice(found: State, directions: NDArray, steps: NDArray) -> State:
    """The first query at all places of the grid, rows along the second direction."""
    second, first = np.meshgrid(steps, steps, indexing="ij")
    moved = found.features[0, 0].astype(np.float64) + first.reshape(-1, 1) * directions[0] + second.reshape(-1, 1) * directions[1]
    labels = np.full(SIDE * SIDE, found.labels[0])
    return State(found.means, found.counts, moved[None], labels, found.temperature, found.priors, found.cap)


def _points(supplied: Evaluation, own: Evaluation, mismatch: Tensor, turned: Tensor) -> Iterator[Point]:
    places = {"places": str(SIDE * SIDE)}
    for name in ("scores", "losses"):
        yield Point(places, f"{name} agree bitwise", decided(bitwise_equal(getattr(supplied, name), getattr(own, name))))
    centre = measured(median(mismatch.tolist()))
    inside = judge_range(centre, PRINTED_MEDIAN, (at(NU, LOW * NU).relative, at(NU, HIGH * NU).relative)) is Judgement.IN_RANGE
    yield Point(places, "the median mismatch, and the printed one, are those of printed radii", decided(inside), {"median": centre})
    most = exact(turned.max().item())
    yield Point(places, "1 - cos < 1e-8: what differs is the length", at_most(most, DIRECTIONAL), {"1 - cos": most})
