"""Tables of all kinds, each in the formats of its own module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from certify.report import costs, evaluators, special, training
from certify.report.render import as_json
from certify.report.tables import render_tables, table_data
from certify.studies.table_special import SpecialTable
from certify.studies.tables.cell import Table
from certify.studies.tables.table_1 import TaskTable
from certify.studies.tables.table_7 import CostTable
from certify.studies.tables.table_evaluators import EvaluatorTable

AnyTable = Table | CostTable | EvaluatorTable | SpecialTable | TaskTable

DATA: dict[type, Callable[[Any], dict[str, Any]]] = {
    Table: table_data,
    CostTable: costs.cost_data,
    EvaluatorTable: evaluators.evaluator_data,
    SpecialTable: special.special_data,
    TaskTable: training.task_data,
}
FORMATS: dict[type, dict[str, Callable[[Any], str]]] = {
    CostTable: costs.FORMATS,
    EvaluatorTable: evaluators.FORMATS,
    SpecialTable: special.FORMATS,
    TaskTable: training.FORMATS,
}


def render_all(tables: Sequence[AnyTable], format: str) -> str:
    """In the order given, in one of the formats of ``report.tables``."""
    if format == "json":
        return as_json({"tables": [DATA[type(table)](table) for table in tables]})
    return "\n".join(_of_one_kind(kind, list(group), format) for kind, group in groupby(tables, type))


def _of_one_kind(kind: type, tables: list[Any], format: str) -> str:
    return render_tables(tables, format) if kind is Table else "\n".join(FORMATS[kind][format](table) for table in tables)
