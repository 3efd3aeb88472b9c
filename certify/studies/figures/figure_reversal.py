"""The reversal: as p grows, a recurrence costs more and AR/FR costs the same, while its certificate tightens as p⁻³.

With the number of classes K at fixed B, time and memory of the structure-aware path grow as K, without a B×K×p term.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from certify.bench.summary import CLOSED, ORIGINAL
from certify.claims.exits import BadInput
from certify.exact.number import nearest_double
from certify.exact.selector import uniform
from certify.studies.timings.record import Classes, Dimension, Record, Times

CAPTION = "Cost and certified error against dimension; cost and memory against the number of classes."
PAPER = fmpq(1)


def data(records: Sequence[Record]) -> dict[str, Any]:
    """Measured times and memory, one entry a record, and the certified errors: the paper's ν⁻³ and the best constant's C·ν⁻³."""
    measured = [entry for record in records if (entry := _entry(record))["dimensions"] or entry["classes"]]
    if not measured:
        raise BadInput("figure reversal needs a record with its parts 'classes' and 'dimensions': certify bench -o FILE, then --bench FILE")
    dims = sorted({point["dim"] for entry in measured for point in entry["dimensions"]})
    certificates = [{"dim": dim, "paper": _bound(PAPER, dim), "best": _bound(uniform(1).constant, dim)} for dim in dims]
    return {"figure": "reversal", "caption": CAPTION, "measured": measured, "certified_error": certificates}


def draw(data: dict[str, Any]) -> Any:
    """Left: time and certified error against p. Right: time and memory against K."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_dimensions(left, data)
    _draw_classes(right, data["measured"])
    return figure


def _draw_dimensions(axes: Any, data: dict[str, Any]) -> None:
    for number, entry in enumerate(data["measured"]):
        for name, style in ((ORIGINAL, "o-"), (CLOSED, "s-")):
            points = [(point["dim"], point["ms"][name]) for point in entry["dimensions"] if name in point["ms"]]
            _plot_times(axes, points, style, f"C{number}", f"{name}, {entry['place']}")
    axes.set(xscale="log", yscale="log", xlabel="dimension p", ylabel="milliseconds, forward and backward of B×K elements")
    errors = axes.twinx()
    dims = [entry["dim"] for entry in data["certified_error"]]
    for key, style in (("paper", "--"), ("best", ":")):
        errors.plot(dims, [entry[key] for entry in data["certified_error"]], style, color="0.3", label=f"certified error of AR/FR, {key}")
    errors.set(yscale="log", ylabel="certified error of the ratio")
    _legend(axes, errors)


def _draw_classes(axes: Any, measured: Sequence[dict[str, Any]]) -> None:
    memory = axes.twinx()
    for number, entry in enumerate(measured):
        counts = [point["classes"] for point in entry["classes"]]
        points = [(point["classes"], point["ms"]) for point in entry["classes"]]
        _plot_times(axes, points, "s-", f"C{number}", f"time, {entry['place']}")
        memory.plot(counts, [point["peak_MiB"] for point in entry["classes"]], "^--", color=f"C{number}", label="peak increment")
    first = next((entry["classes"] for entry in measured if entry["classes"]), [])
    memory.plot([p["classes"] for p in first], [p["dense_MiB"] for p in first], ":", color="0.3", label="one B×K×p tensor")
    axes.set(xscale="log", yscale="log", xlabel="classes K", ylabel="milliseconds, structure-aware boundary")
    memory.set(yscale="log", ylabel="MiB")
    _legend(axes, memory)


def _plot_times(axes: Any, points: Sequence[tuple[int, dict[str, float]]], style: str, colour: str, label: str) -> None:
    """Medians, and bars from the least to the most."""
    at, times = zip(*points, strict=True)
    below = [value["median"] - value["least"] for value in times]
    above = [value["most"] - value["median"] for value in times]
    medians = [value["median"] for value in times]
    axes.errorbar(at, medians, yerr=[below, above], fmt=style, color=colour, label=label, markersize=4, elinewidth=0.8, capsize=2)


def _legend(axes: Any, other: Any) -> None:
    """Of both axes, above them."""
    parts = zip(axes.get_legend_handles_labels(), other.get_legend_handles_labels(), strict=True)
    handles, labels = (first + second for first, second in parts)
    axes.legend(handles, labels, fontsize=6, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))


def _entry(record: Record) -> dict[str, Any]:
    settings = record.settings
    return {
        "device": settings.device,
        "place": record.environment.device,
        "batch": settings.batch,
        "dim": settings.dim,
        "elements": settings.batch * settings.classes,
        "dimensions": [_dimension(point) for point in record.parts.dimensions.found or ()],
        "classes": [_classes(point) for point in record.parts.classes.found or ()],
    }


def _dimension(point: Dimension) -> dict[str, Any]:
    return {"dim": point.dim, "ms": {name: _times(times) for name, times in point.milliseconds.items()}}


def _classes(point: Classes) -> dict[str, Any]:
    sizes = {"peak_MiB": point.peak_bytes, "score_MiB": point.score_bytes, "dense_MiB": point.dense_bytes}
    return {"classes": point.classes, "ms": _times(point.milliseconds), **{name: size / (1 << 20) for name, size in sizes.items()}}


def _times(times: Times) -> dict[str, float]:
    return {"median": times.median, "least": times.least, "most": times.most}


def _bound(constant: fmpq, dim: int) -> float:
    """C·ν⁻³, for drawing."""
    return nearest_double(constant / (fmpq(dim, 2) - 1) ** 3)
