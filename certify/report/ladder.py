"""The ladder's errors and proved bounds that stand beside Tables 5 and 6, in the layouts of ``certify.report.tables``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flint import arb

from certify.exact.ball import accuracy, decimal_above, working_precision
from certify.exact.number import exact
from certify.studies.decimals import scientific
from certify.studies.tables.cell import Rung, Table

DIGITS, BITS = 3, 128
LEGEND = "Beside it, printed nowhere: the ladder's closed forms of order n, largest error on the grid < proved bound (claims ladder.n)"


def ladder_grid(table: Table, layout: Callable[[str], str] = str, less: str = "<") -> list[list[str]]:
    """A line for every n, a column for every key; nothing where the table has no ladder."""
    body = [[n, *(f"{layout(error)} {less} {layout(bound)}" for error, bound in pairs)] for n, pairs in ladder_pairs(table)]
    return [ladder_head(table), *body] if body else []


def ladder_head(table: Table) -> list[str]:
    return ["n", *(f"{table.key} = {key}" for key in table.ladder)]


def ladder_pairs(table: Table) -> list[tuple[str, list[tuple[str, str]]]]:
    """For every n the error and its bound, at each key."""
    lines = zip(*table.ladder.values(), strict=True)
    return [(str(line[0].n), [(scientific(rung.value, DIGITS), _bound(rung)) for rung in line]) for line in lines]


def ladder_data(table: Table) -> list[dict[str, Any]]:
    """Every rung as plain data, in all its proven digits."""
    return [{table.key: key, **_data(rung)} for key, row in table.ladder.items() for rung in row]


def ladder_lines(table: Table) -> Iterator[dict[str, Any]]:
    """Every rung in the columns of the CSV format."""
    for key, row in table.ladder.items():
        for rung in row:
            data = _data(rung)
            yield {"table": table.id, "row": key, "column": f"ladder n = {rung.n}", **data, "bound": data["bound"]["computed"]}


def _data(rung: Rung) -> dict[str, Any]:
    return {
        "n": rung.n,
        "computed": scientific(rung.value, accuracy(rung.value)),
        "digits": accuracy(rung.value),
        "arithmetic": "balls",
        "x": rung.x,
        "x_over_nu": rung.x / rung.nu,
        "bound": {"computed": _bound(rung), "claim": rung.bound.claim},
    }


def _bound(rung: Rung) -> str:
    with working_precision(BITS):
        return scientific(exact(decimal_above(arb(rung.bound.value), DIGITS)), DIGITS)
