"""Figure 6: the trade-off between local runtime and memory, as printed (H100) and as measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from certify.data.printed import load
from certify.studies.tables.table_7 import build
from certify.studies.timings.record import Record

CAPTION = "Local runtime and memory of the realizations: printed (H100) and measured."
MARKERS = ("o", "s", "^", "D", "*")


def data(records: Sequence[Record]) -> dict[str, Any]:
    """A series for the paper and one a record: realization, milliseconds, MiB."""
    table = build(load(), records)
    printed = [{"name": name, "ms": float(ms), "MiB": float(size)} for name, (ms, size) in table.printed.items()]
    measured = [
        {"device": entry.device, "place": entry.place, "settings": entry.settings, "points": points}
        for entry in table.measurements
        if (points := [_point(row) for row in entry.rows if row.milliseconds and row.mebibytes])
    ]
    absent = [entry.device for entry in table.measurements if not entry.rows]
    return {"figure": "6", "caption": CAPTION, "printed": printed, "measured": measured, "not_run_here": absent}


def draw(data: dict[str, Any]) -> Any:
    """Both axes logarithmic; one colour a machine, one marker a realization."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    machines = [("printed, H100", data["printed"]), *((entry["place"], entry["points"]) for entry in data["measured"])]
    names = [point["name"] for point in data["printed"]]
    for number, (machine, points) in enumerate(machines):
        colour = f"C{number}"
        axes.plot([], [], "-", color=colour, label=machine)
        for point in points:
            axes.plot(point["ms"], point["MiB"], MARKERS[names.index(point["name"])], color=colour)
    for marker, name in zip(MARKERS, names, strict=True):
        axes.plot([], [], marker, color="0.4", label=name)
    axes.set(xscale="log", yscale="log", xlabel="milliseconds", ylabel="peak increment in MiB")
    axes.grid(True, which="major", linewidth=0.4, alpha=0.5)
    figure.legend(loc="outside right upper", fontsize=7, frameon=False)
    return figure


def _point(row: Any) -> dict[str, Any]:
    return {"name": row.name, "variant": row.variant, "ms": row.milliseconds[0], "MiB": row.mebibytes}
