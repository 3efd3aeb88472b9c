"""The sections of the page below the claims, from what the studies computed and recorded."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from markupsafe import Markup

from certify.report import costs, evaluators
from certify.report.html import audits
from certify.report.html.audits import Gallery
from certify.report.html.figures import Drawing
from certify.report.html.grid import Grid, cost_grids, evaluator_grid, judged_grid, ladder_grid_of, task_grids
from certify.report.html.heatmap import heat_map
from certify.report.html.supplement import Section
from certify.report.html.templates import render
from certify.report.paper import paper_data
from certify.report.tables import render_tables, table_data
from certify.report.training import FORMATS as TASK_FORMATS
from certify.report.training import task_data
from certify.studies.errata.erratum import Erratum, Evidence
from certify.studies.margin_map import Panel
from certify.studies.paper import Trace
from certify.studies.tables.cell import Table
from certify.studies.tables.table_1 import TaskTable
from certify.studies.tables.table_7 import CostTable
from certify.studies.tables.table_evaluators import EvaluatorTable


def tables(found: Sequence[Table]) -> Section:
    """The paper's tables: each cell as computed, as printed, and how the two compare."""
    grids = [grid for table in found for grid in (judged_grid(table), *ladder_grid_of(table))]
    files = {f"table-{table.id}.csv": render_tables([table], "csv") for table in found}
    return Section("tables", "Tables", _grids(grids), [table_data(table) for table in found], files)


def figures(found: Sequence[Drawing]) -> Section:
    """All figures, drawn from the data beside them."""
    files = {drawing.file: drawing.json for drawing in found}
    return Section("figures", "Figures", render("figures.html", drawings=found), files=files)


def margins(panels: Sequence[Panel]) -> Section:
    """The share of its bound that the error takes, over x/ν and ν."""
    data = [panel.data() for panel in panels]
    return Section("margins", "Margins", render("margins.html", maps=[heat_map(panel) for panel in data]), data)


def compared(table: EvaluatorTable) -> Section:
    """What there is to evaluate the ratio with."""
    return Section(
        "evaluators",
        "Evaluators",
        _grids([evaluator_grid(table)]),
        evaluators.evaluator_data(table),
        {"evaluators.csv": evaluators.FORMATS["csv"](table)},
    )


def audit(gallery: Gallery) -> Section:
    """The audits of record."""
    return Section("audit", "Audits", _grids(audits.grids(gallery)), gallery)


def bench(table: CostTable) -> Section:
    """What the realizations cost, with the floor of each row."""
    return Section("bench", "Bench", _grids(cost_grids(table)), costs.cost_data(table), {"bench.csv": costs.FORMATS["csv"](table)})


def training(table: TaskTable) -> Section:
    """What was recorded of training with each realization."""
    return Section("training", "Training", _grids(task_grids(table)), task_data(table), {"training.csv": TASK_FORMATS["csv"](table)})


def paper(trace: Trace, known: Collection[str]) -> Section:
    """From the paper's items to claims, those that are ``known`` with links."""
    return Section("paper", "Paper", render("paper.html", trace=trace, known=known), paper_data(trace, [])["items"])


def errata(corrections: Sequence[tuple[Erratum, Evidence]], known: Collection[str]) -> Section:
    """Statements that need correction, with evidence."""
    return Section("errata", "Errata", render("errata.html", corrections=corrections, known=known))


def _grids(grids: Sequence[Grid]) -> Markup:
    return render("grids.html", grids=grids)
