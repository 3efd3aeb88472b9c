"""What ``certify train`` found, as text, and Tables 1 and 8 in small in all formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

from certify.report.markdown import prose
from certify.report.markdown import table as markdown_table
from certify.report.text import columns
from certify.studies.tables.table_1 import TaskTable
from certify.training.forks import equal_everywhere


def forks_text(record: dict[str, Any]) -> str:
    """Gaps at the shared states and distances after separate updates; ranges over seeds."""
    settings, parts = record["settings"], [scale(record), ""]
    for number, start in enumerate(("random", "trained")):
        forks = [run["forks"][number] for run in record["runs"]]
        parts += [f"fork from a {start} state, {settings['steps']} updates, {len(forks[0]['probes'])} local probes", *_fork(forks), ""]
    return "\n".join(parts)


def _fork(forks: list[dict[str, Any]]) -> Iterator[str]:
    probes = [probe for fork in forks for probe in fork["probes"]]
    defect = max(probe["defect"][2] for probe in probes)
    radii = _range(probe["radius"][i] for probe in probes for i in (0, 2))
    yield f"  forward values of the recurrence's arms: {'' if equal_everywhere(forks) else 'NOT '}bitwise equal at every probe"
    yield f"  r/nu visited {radii}; relative defect of original up to {defect:.3g}"
    yield f"  classes at the cap of kappa: {_range(probe['capped'] for probe in probes)}"
    head = ("  against consistent", "feature gradient gap", "after rescaling", "one-step gradient residual")
    yield from columns([head, *(_gap(forks, rule) for rule in probes[0]["rules"])])
    yield from columns([("  distance from original", "parameters", "features"), *(_apart(forks, arm) for arm in probes[0]["apart"])])


def _gap(forks: list[dict[str, Any]], rule: str) -> tuple[str, str, str, str]:
    found = [probe["rules"][rule] for fork in forks for probe in fork["probes"]]
    gap, rescaled = (_range(each[name] for each in found) for name in ("feature_gap", "feature_gap_rescaled"))
    return f"  {rule}", gap, rescaled, _range(fork["replay"][rule]["gradient_residual"] for fork in forks)


def _apart(forks: list[dict[str, Any]], arm: str) -> tuple[str, ...]:
    found = [fork["probes"][-1]["apart"][arm] for fork in forks]
    name = "rounded, from consistent" if arm == "rounded" else arm
    return f"  {name}", *(_range(each[kind] for each in found) for kind in ("parameters", "features"))


def _range(values: Any) -> str:
    found = sorted(values)
    ends = [f"{value:.3g}" for value in (found[0], found[-1])]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def arms_text(record: dict[str, Any]) -> str:
    """Mean ± sd, and the paired test against *original*."""
    return "\n".join([scale(record), "", *columns(arms_grid(record)), "", NOTE, ""])


NOTE = (
    "mean ± sd over seeds, percent; against original: the mean paired difference with its 95 % interval (Student), and p of the paired"
    " t-test after Holm's correction for all tests here; 'noise' is a p of 0.05 or more."
)


def arms_grid(record: dict[str, Any], metrics: tuple[str, ...] = ("",)) -> list[tuple[str, ...]]:
    """A head, and a line for each factor and each metric whose name begins with one of ``metrics``."""
    arms = record["settings"]["arms"]
    others = [arm for arm in arms if "test" in record["compared"][0]["arms"][arm]]
    head = ("factor", "metric", *arms, *(f"{arm} − original" for arm in others))
    rows = [row for row in record["compared"] if row["metric"].startswith(metrics)]
    return [head, *(_cells(row, arms, others) for row in rows)]


def _cells(row: dict[str, Any], arms: list[str], others: list[str]) -> tuple[str, ...]:
    found = row["arms"]
    return str(row["factor"]), row["metric"], *(_mean(found[arm]) for arm in arms), *(_test(found[arm]["test"]) for arm in others)


def _mean(found: dict[str, Any]) -> str:
    return f"{found['mean']:.2f}" + ("" if found["sd"] is None else f" ± {found['sd']:.2f}")


def _test(test: dict[str, Any]) -> str:
    if test["p"] is None:
        return f"{test['difference']:+.2f}: {test['verdict']}"
    return f"{test['difference']:+.2f} ± {test['half_width']:.2f}, p = {test['adjusted']:.2g}: {test['verdict']}"


def scale(record: dict[str, Any]) -> str:
    """Data, host and seeds."""
    settings, data = record["settings"], record["runs"][0]["data"]
    sizes = f"{len(data['train'])} classes of {max(data['train'])} to {min(data['train'])} training images, {data['test']} test images"
    host = f"p = {settings['dim']}, {settings['features']} features, batch {settings['batch']}, {settings['steps']} updates"
    return f"{settings['data']}: {sizes}; {host}; seeds {', '.join(map(str, settings['seeds']))}"


def task_data(table: TaskTable) -> dict[str, Any]:
    """As plain data: means, deviations, values and tests."""
    shown = [
        {"settings": record["settings"], "rows": [row for row in record["compared"] if row["metric"].startswith(table.metrics)]}
        for record in table.records
    ]
    return {"table": table.id, "title": table.title, "note": NOTE, "records": shown}


def _text(table: TaskTable) -> str:
    parts = [f"Table {table.id}. {table.title}"]
    for record in table.records:
        parts += ["", scale(record), *columns(arms_grid(record, table.metrics))]
    return "\n".join([*parts, "", NOTE, ""])


def _markdown(table: TaskTable) -> str:
    parts = [f"### Table {table.id}. {table.title}"]
    for record in table.records:
        head, *rows = arms_grid(record, table.metrics)
        parts += ["", prose(scale(record)), "", markdown_table(head, rows)]
    return "\n".join([*parts, "", prose(NOTE), ""])


def _latex(table: TaskTable) -> str:
    parts = [f"% Table {table.id}. {table.title}"]
    for record in table.records:
        grid = [
            [cell.replace("±", r"$\pm$").replace("−", "$-$").replace("_", r"\_") for cell in line]
            for line in arms_grid(record, table.metrics)
        ]
        body = [" & ".join(line) + r" \\" for line in grid]
        frame = r"\begin{tabular}{ll" + "r" * (len(grid[0]) - 2) + "}"
        parts += [f"% {scale(record)}", frame, r"\hline", body[0], r"\hline", *body[1:], r"\hline", r"\end{tabular}"]
    return "\n".join([*parts, f"% {NOTE}", ""])


def _csv(table: TaskTable) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for record in table.records:
        head, *rows = arms_grid(record, table.metrics)
        writer.writerows([("data", "dim", "features", *head), *((*_key(record), *row) for row in rows)])
    return stream.getvalue()


def _key(record: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(record["settings"][name]) for name in ("data", "dim", "features"))


FORMATS: dict[str, Callable[[TaskTable], str]] = {"text": _text, "markdown": _markdown, "latex": _latex, "csv": _csv}
