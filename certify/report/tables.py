"""The paper's tables as text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flint import arb, fmpq

from certify.exact.ball import accuracy, decimal_above
from certify.exact.number import show
from certify.report.ladder import LEGEND, ladder_data, ladder_grid, ladder_lines
from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.render import as_json
from certify.report.text import columns
from certify.studies.decimals import scientific
from certify.studies.judgement import Judgement, Value, figures
from certify.studies.tables.cell import Cell, Table

LATEX = str.maketrans({**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"})
EXACT_DIGITS = 100
SHORT = 40


def render_tables(tables: Sequence[Table], format: str) -> str:
    """The tables in one of ``FORMATS``. Raises ValueError for another format."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}: choose from {', '.join(FORMATS)}")
    return FORMATS[format](tables)


# JSON ---------------------------------------------------------------------------------------------------------------


def _json(tables: Sequence[Table]) -> str:
    return as_json({"tables": [table_data(table) for table in tables]})


def table_data(table: Table) -> dict[str, Any]:
    rows = [{table.key: key, "cells": {column: cell_data(row[column]) for column in table.columns}} for key, row in table.rows.items()]
    return {
        "table": table.id,
        "title": table.title,
        "conditions": dict(table.conditions),
        "rows": rows,
        "judgements": _tally(table),
        "contradicts": table.contradicts,
        **({"ladder": ladder_data(table)} if table.ladder else {}),
    }


def cell_data(cell: Cell) -> dict[str, Any]:
    """A cell as plain data: ``computed`` in all its ``digits`` proven digits; what a cell lacks is left out."""
    rounding, off_grid, bound = cell.rounding, cell.off_grid, cell.bound
    entries = {
        **_number_data(cell.value),
        "printed": cell.printed,
        "judgement": cell.judgement.value,
        "explanation": cell.explanation,
        "arithmetic": cell.arithmetic,
        **_place_data(cell, cell.x),
        "rounding": rounding
        and {
            "exact_arithmetic": scientific(rounding.exact_arithmetic, 10),
            "bound": decimal_above(rounding.bound, 3),
        },
        "off_grid": off_grid
        and {
            **_number_data(off_grid.value),
            **_place_data(cell, off_grid.x),
            "evaluations": off_grid.evaluations,
            "explanation": off_grid.why,
        },
        "bound": bound and {**_number_data(bound.value), "claim": bound.claim},
    }
    return {name: entry for name, entry in entries.items() if entry not in (None, "")}


def _number_data(value: Value) -> dict[str, Any]:
    if isinstance(value, str):
        return {"computed": value}
    digits = EXACT_DIGITS if isinstance(value, fmpq) else min(EXACT_DIGITS, accuracy(value))
    exact = show(value) if isinstance(value, fmpq) else ""
    found = {"computed": scientific(value, digits), "digits": digits}
    return found | ({"exact": exact} if 0 < len(exact) <= SHORT else {})


def _place_data(cell: Cell, x: float | None) -> dict[str, float]:
    return {} if x is None or cell.nu is None else {"x": x, "x_over_nu": x / cell.nu}


# CSV ----------------------------------------------------------------------------------------------------------------


def _csv(tables: Sequence[Table]) -> str:
    """One line a cell, then one a rung of the ladder."""
    stream = io.StringIO()
    names = ("table", "row", "column", "computed", "printed", "judgement", "arithmetic", "digits", "x_over_nu")
    extras = ("off_grid", "off_grid_x_over_nu", "bound", "explanation")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names + extras)
    for table in tables:
        for key, column, cell in table.cells():
            found = cell_data(cell)
            off_grid, bound = found.get("off_grid", {}), found.get("bound", {})
            line = [table.id, key, column, *(found.get(name, "") for name in names[3:])]
            extra = [off_grid.get("computed", ""), off_grid.get("x_over_nu", ""), bound.get("computed", "")]
            writer.writerow([*line, *extra, found.get("explanation", "")])
        writer.writerows([line.get(name, "") for name in names + extras] for line in ladder_lines(table))
    return stream.getvalue()


# Text, Markdown, LaTeX ----------------------------------------------------------------------------------------------


def _text(tables: Sequence[Table]) -> str:
    return "\n".join(map(_text_table, tables))


def _text_table(table: Table) -> str:
    head = f"Table {table.id}. {table.title}: computed (printed)" + (", off the grid @ x/ν" if searched(table) else "")
    grid = columns([[table.key, *table.columns], *_lines(table, _plain)])
    beside = ["", f"{LEGEND}:", *columns(ladder_grid(table))] if table.ladder else []
    return "\n".join([head, *grid, "", *notes(table), summary(table), *beside, ""])


def _plain(cell: Cell) -> str:
    parts = [f"{shown(cell)} ({cell.printed})", *_verdict(cell)]
    if cell.off_grid and cell.nu:
        parts.append(f"{scientific(cell.off_grid.value, 3)} @ {cell.off_grid.x / cell.nu:.4g}")
        if cell.bound and not cell.bound.exceeded(cell.off_grid.value):
            parts.append(f"< {scientific(cell.bound.value, 3)}")
    return "  ".join(parts)


def _markdown(tables: Sequence[Table]) -> str:
    return "\n".join(map(_markdown_table, tables))


def _markdown_table(table: Table) -> str:
    grid = markdown_table((table.key, *table.columns), _lines(table, lambda cell: prose(_plain(cell))))
    title = f"### Table {table.id}. {table.title}"
    legend = "Computed (printed)" + ("; then the largest error off the grid @ x/ν" if searched(table) else "")
    remarks = [f"- {prose(note)}" for note in notes(table)]
    ladder = ladder_grid(table)
    beside = ["", f"{LEGEND}.", "", markdown_table(ladder[0], ladder[1:])] if ladder else []
    return "\n".join([title, "", f"{legend}.", "", grid, "", *remarks, "", summary(table), *beside, ""])


def _latex(tables: Sequence[Table]) -> str:
    return "\n".join(map(_latex_table, tables))


def _latex_table(table: Table) -> str:
    """A tabular whose cells read *computed (printed)*."""
    header = [name.replace("_", r"\_") for name in (table.key, *table.columns)]
    body = _tabular([header, *_lines(table, _typeset)])
    beside = [f"% {LEGEND}", *_tabular(ladder_grid(table, _power, "$<$"))] if table.ladder else []
    return "\n".join([f"% Table {table.id}: computed (printed). {summary(table)}", *body, *beside, ""])


def _tabular(rows: Sequence[Sequence[str]]) -> list[str]:
    header, *lines = (" & ".join(row) + r" \\" for row in rows)
    frame = r"\begin{tabular}{r" + "l" * (len(rows[0]) - 1) + "}"
    return [frame, r"\hline", header, r"\hline", *lines, r"\hline", r"\end{tabular}"]


def _typeset(cell: Cell) -> str:
    parts = [f"{_power(shown(cell))} ({_power(cell.printed)})", *_verdict(cell)]
    return r"\ ".join(parts)


def _power(text: str) -> str:
    mantissa, mark, exponent = text.partition("e")
    if mark and re.fullmatch(r"-?\d+", exponent):
        return rf"${mantissa}\times10^{{{exponent}}}$"
    return f"${text}$" if text in "+-" else text.translate(LATEX)


def _lines(table: Table, layout: Callable[[Cell], str]) -> list[list[str]]:
    return [[str(key), *(layout(row[column]) for column in table.columns)] for key, row in table.rows.items()]


def shown(cell: Cell) -> str:
    """The computed value to as many digits as are printed."""
    return cell.value if isinstance(cell.value, str) else scientific(cell.value, figures(cell.printed))


def _verdict(cell: Cell) -> list[str]:
    return [] if cell.judgement is Judgement.MATCHES else [cell.judgement.value]


def searched(table: Table) -> bool:
    """Whether errors were looked for between the grid points."""
    return any(cell.off_grid for _, _, cell in table.cells())


def notes(table: Table) -> Iterator[str]:
    """What explains cells that do not match, maxima that the search far exceeds, and digits that are rounding."""
    rows: dict[tuple[str, str], list[str]] = {}
    for key, column, cell in table.cells():
        if _verdict(cell) and cell.explanation:
            rows.setdefault((column, cell.explanation), []).append(str(key))
        if cell.off_grid and cell.off_grid.why:
            rows.setdefault((f"{column}, off the grid", cell.off_grid.why), []).append(str(key))
    yield from (f"{table.key} = {' and '.join(keys)}, {what}: {why}" for (what, why), keys in rows.items())
    for column in table.columns:
        found = [f"{table.key} = {key}: {margin}" for key, row in table.rows.items() if (margin := _margin(row[column]))]
        if found:
            yield f"{column}, digits decided by rounding; exact arithmetic gives, FP64 within: {', '.join(found)}"


def _margin(cell: Cell) -> str:
    """Exact arithmetic ± the bound on rounding, where rounding decides the digits."""
    rounding = cell.rounding
    if rounding is None or not isinstance(cell.value, arb) or not rounding.decides(cell.value, cell.printed):
        return ""
    return f"{scientific(rounding.exact_arithmetic, 3)} ± {decimal_above(rounding.bound, 3)}"


def _tally(table: Table) -> dict[str, int]:
    return dict(Counter(cell.judgement.value for _, _, cell in table.cells()))


def summary(table: Table) -> str:
    """How many cells had each judgement."""
    return ", ".join(f"{count} {judgement}" for judgement, count in _tally(table).items())


FORMATS: dict[str, Callable[[Sequence[Table]], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
    "json": _json,
}
