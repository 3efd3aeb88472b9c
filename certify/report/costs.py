"""Table 7 as text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.text import columns
from certify.studies.tables.table_7 import CostTable, Measured, Measurement

HEAD = ("realization", "printed ms", "printed MiB", "median ms", "min", "max", "MiB", "floor ms", "x floor", "variant")


def _text(table: CostTable) -> str:
    parts = [f"Table {table.id}. {table.title}: printed (H100) and measured"]
    for measurement in table.measurements:
        parts += ["", caption(measurement), *columns([HEAD, *lines_of(table, measurement)]), *notes_of(table, measurement)]
    return "\n".join([*parts, ""])


def _markdown(table: CostTable) -> str:
    parts = [f"### Table {table.id}. {table.title}", "", "Printed (H100) and measured."]
    for measurement in table.measurements:
        grid = markdown_table(HEAD, [[prose(cell) for cell in line] for line in lines_of(table, measurement)])
        notes = [f"- {prose(note)}" for note in notes_of(table, measurement)]
        parts += ["", prose(caption(measurement)), "", grid, "", *notes]
    return "\n".join([*parts, ""])


def _latex(table: CostTable) -> str:
    parts = [f"% Table {table.id}: printed (H100) and measured."]
    for measurement in table.measurements:
        body = [" & ".join(line) + r" \\" for line in (HEAD, *lines_of(table, measurement))]
        frame = r"\begin{tabular}{l" + "r" * (len(HEAD) - 2) + "l}"
        ratios = [f"% {note}" for note in notes_of(table, measurement)]
        parts += [f"% {caption(measurement)}", frame, r"\hline", body[0], r"\hline", *body[1:], r"\hline", r"\end{tabular}", *ratios]
    return "\n".join([*parts, ""])


def _csv(table: CostTable) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("device", *HEAD))
    for measurement in table.measurements:
        writer.writerows((measurement.place, *line) for line in lines_of(table, measurement))
    return stream.getvalue()


def cost_data(table: CostTable) -> dict[str, Any]:
    """As plain data, with what each ratio aims at and whether it is met."""
    measurements = [
        {**asdict(measurement), "ratios": [{**ratio._asdict(), "met": ratio.met} for ratio in measurement.ratios]}
        for measurement in table.measurements
    ]
    printed = {name: dict(zip(("runtime_ms", "peak_increment_MiB"), texts, strict=True)) for name, texts in table.printed.items()}
    head = {"table": table.id, "title": table.title, "contradicts": table.contradicts}
    return {**head, "printed": printed, "printed_ratios": table.printed_ratios, "measurements": measurements}


def caption(measurement: Measurement) -> str:
    """Where and under which settings."""
    return f"{measurement.device}: {measurement.place} ({measurement.settings})"


def lines_of(table: CostTable, measurement: Measurement) -> list[tuple[str, ...]]:
    """The cells under ``HEAD``."""
    rows = measurement.rows or tuple(Measured(name) for name in table.printed)
    return [(row.name, *table.printed[row.name], *_cells(row)) for row in rows]


def _cells(row: Measured) -> tuple[str, ...]:
    memory = "" if row.mebibytes is None else f"{row.mebibytes:.2f}"
    floor = "" if row.floor is None else f"{row.floor:.3g}"
    if row.milliseconds is None:
        return row.reason, "", "", memory, floor, "", row.variant
    median = row.milliseconds[0]
    times = [f"{value:.4g}" for value in row.milliseconds]
    return *times, memory, floor, f"{median / row.floor:.3g}" if row.floor else "", row.variant


def notes_of(table: CostTable, measurement: Measurement) -> list[str]:
    """Each measured ratio with the printed one, and the target where there is one; then what else there is to say."""
    notes = []
    for ratio in measurement.ratios:
        printed = f" (printed {table.printed_ratios[ratio.name]})" if ratio.name in table.printed_ratios else ""
        aim = "" if ratio.target is None else f"; target {'≥' if ratio.least else '≤'} {ratio.target:g} {'met' if ratio.met else 'not met'}"
        notes.append(f"{ratio.name} = {ratio.value:.3g}{printed}{aim}")
    return [*notes, *measurement.notes]


FORMATS: dict[str, Callable[[CostTable], str]] = {"text": _text, "markdown": _markdown, "latex": _latex, "csv": _csv}
