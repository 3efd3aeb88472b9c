"""Tables of all kinds, each in the formats of its own module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any

from certify.report.render import as_json
from certify.report.tables import render_tables, table_data
from certify.studies.tables.cell import Table

if TYPE_CHECKING:
    from certify.studies.tables.table_1 import TaskTable
    from certify.studies.tables.table_7 import CostTable
    from certify.studies.tables.table_evaluators import EvaluatorTable
    from certify.studies.tables.table_special import SpecialTable

    AnyTable = Table | CostTable | EvaluatorTable | SpecialTable | TaskTable

OTHERS = {
    "CostTable": ("certify.report.costs", "cost_data"),
    "EvaluatorTable": ("certify.report.evaluators", "evaluator_data"),
    "SpecialTable": ("certify.report.special", "special_data"),
    "TaskTable": ("certify.report.training", "task_data"),
}
"""Of each kind the module, with its ``FORMATS``, and its function of plain data; these need torch, which ``Table`` does not."""


def render_all(tables: Sequence[AnyTable], format: str) -> str:
    """In the order given, in one of the formats of ``report.tables``."""
    if format == "json":
        return as_json({"tables": [_data(table) for table in tables]})
    return "\n".join(_of_one_kind(kind, list(group), format) for kind, group in groupby(tables, type))


def _data(table: AnyTable) -> dict[str, Any]:
    if isinstance(table, Table):
        return table_data(table)
    module, function = OTHERS[type(table).__name__]
    return getattr(import_module(module), function)(table)


def _of_one_kind(kind: type, tables: list[Any], format: str) -> str:
    if kind is Table:
        return render_tables(tables, format)
    formats: dict[str, Callable[[Any], str]] = import_module(OTHERS[kind.__name__][0]).FORMATS
    return "\n".join(formats[format](table) for table in tables)
