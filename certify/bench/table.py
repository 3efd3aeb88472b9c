"""Table 7: the rows, each checked, then timed in interleaved rounds, with its memory and its floor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from torch import Tensor

from certify.bench import check, limits
from certify.bench.check import Error
from certify.bench.definitions import Evaluation, Expected, closed_form, expected
from certify.bench.dense import Dense
from certify.bench.evaluators import EVALUATORS
from certify.bench.limits import Rates, Work
from certify.bench.memory import peak_increment
from certify.bench.settings import Settings
from certify.bench.state import Inputs
from certify.bench.structured import Captured, Structured, variants
from certify.bench.timing import Bare, Times, interleaved
from certify.claims.text import one_line

STRUCTURED = "structure-aware AR/FR"
PRODUCTS = "matrix products"

Report = Callable[[str], None]


class Boundary(Protocol):
    """A row in execution."""

    def restore(self) -> None: ...

    def run(self) -> tuple[Tensor, Tensor]: ...

    def scores(self) -> Tensor: ...


@dataclass
class Row:
    """A row of the table; ``failure`` says why it is not timed."""

    name: str
    variant: str
    make: Callable[[], Boundary]
    definition: Evaluation
    work: Work
    execution: Boundary | None = None
    peak: int | None = None
    errors: list[Error] = field(default_factory=list)
    failure: str = ""


def rows(settings: Settings, inputs: Inputs) -> list[Row]:
    """The four dense rows, and the structure-aware one in each variant that the device offers."""
    found = []
    for evaluator in EVALUATORS:
        work = limits.dense(settings, limits.evaluator_operations(evaluator.operations, settings))
        make = lambda evaluator=evaluator: Dense(evaluator.make(settings.order), inputs)  # noqa: E731
        found.append(Row(evaluator.name, "eager", make, evaluator.definition, work))
    for name, make in variants(inputs).items():
        found.append(Row(STRUCTURED, name, make, closed_form, limits.structured(settings)))
    return found


def measure(settings: Settings, inputs: Inputs, report: Report) -> dict[str, Any]:
    """The whole table as plain data."""
    found = rows(settings, inputs)
    exact: dict[Evaluation, Expected] = {}
    for row in found:
        report(f"checking {row.name}, {row.variant}")
        _prepare(row, settings, inputs, exact)
    ready = {_key(row): row.execution for row in found if row.execution is not None and not row.failure}
    report("timing, in interleaved rounds")
    products = Structured(inputs).products
    times = interleaved({**ready, PRODUCTS: Bare(products)}, settings.device, settings.warmups, settings.repeats)
    rates = limits.measured_rates(settings)
    return {
        "rows": [_data(row, times.get(_key(row)), rates) for row in found],
        "products": times[PRODUCTS]._asdict(),
        "rates": rates._asdict(),
    }


def _prepare(row: Row, settings: Settings, inputs: Inputs, exact: dict[Evaluation, Expected]) -> None:
    """Make, run and check the row; whatever it raises is its failure, and touches no other row."""
    try:
        if row.definition not in exact:
            exact[row.definition] = expected(row.definition, inputs)
        execution = row.execution = row.make()
        row.peak = peak(execution, settings.device)
        execution.restore()
        scores = execution.scores()
        execution.restore()
        tolerance = _tolerance(row, settings, inputs, exact[row.definition])
        row.errors = check.boundary(execution.run, scores, exact[row.definition], tolerance, check.UNIT[settings.geometry])
        row.failure = check.failure(row.errors)
    except Exception as error:  # of code that may not run on this device
        row.failure = one_line(error)


def peak(execution: Boundary, device: str) -> int:
    """Of one warmed run; a graph's own capture is inside the boundary, as its allocations persist."""
    warmed = execution.inner if isinstance(execution, Captured) else execution
    warmed.restore()
    warmed.run()
    execution.restore()
    return peak_increment(execution.run, device)


def _tolerance(row: Row, settings: Settings, inputs: Inputs, exact: Expected) -> float:
    if row.name == STRUCTURED:
        return check.structured_tolerance(exact, inputs.features, settings.geometry)
    return check.dense_tolerance(exact, settings.geometry)


def _key(row: Row) -> str:
    return f"{row.name}, {row.variant}"


def _data(row: Row, times: Times | None, rates: Rates) -> dict[str, Any]:
    bandwidth = rates.bank_copy if row.name == STRUCTURED else rates.dense_copy
    return {
        "name": row.name,
        "variant": row.variant,
        "milliseconds": None if times is None else times._asdict(),
        "peak_bytes": row.peak,
        "checks": [error.data for error in row.errors],
        "failure": row.failure,
        "work": row.work._asdict(),
        "floor_milliseconds": limits.floor_milliseconds(row.work, rates, bandwidth),
    }
