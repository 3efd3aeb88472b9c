"""Costs, from the records of ``certify bench``: Table 7, Figure 6 and the reversal.

A time is a measurement of its machine, and no claim is about the size of one: what is claimed are orders and growth, and that every row
was right before it was timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from certify.claims.claim import claim
from certify.claims.exits import BadInput
from certify.claims.verdict import Reason, Verdict

if TYPE_CHECKING:
    from certify.studies.points import Point
    from certify.studies.timings.record import Record

ABSENT = "there is no record in reports/bench: certify bench --device cpu -o reports/bench/FILE"


@claim(
    "table.7",
    statement=r"\text{Every row agreed with its own exact definition before it was timed; AR/FR is faster than each recurrence, the}"
    r"\ \text{structure-aware path faster than AR/FR and the smallest, and consistent recurrence takes more memory than the original}",
    domain=r"\text{the records in reports/bench}",
    source="Table 7, Figure 6",
    grade="measured",
)
def table_7() -> Verdict:
    from certify.studies.timings.costs import order

    return _verdict(order, "order of the costs")


@claim(
    "figure.reversal",
    statement=r"\text{From the smallest dimension to the largest the original recurrence grows more than 4 times as much as AR/FR;}"
    r"\ \text{the memory of the structure-aware path stays below a tenth of one}\ B \times K \times p\ \text{tensor}",
    domain=r"\text{the records in reports/bench:}\ p = 64, \dots, 4096,\ K = 10, \dots, 10^5",
    source="beyond the paper: the costs of Section 5.6 at other sizes",
    grade="measured",
)
def reversal() -> Verdict:
    from certify.studies.timings.costs import growth

    return _verdict(growth, "growth of the costs")


def _verdict(points: Callable[[Record], Iterable[Point]], summary: str) -> Verdict:
    """*not run* where no record has what it is about; *refuted* by a file that is no record."""
    from certify.studies.points import everywhere
    from certify.studies.timings.record import records

    try:
        found = [point for record in records(()) for point in points(record)]
    except BadInput as error:
        return Verdict.refuted({"record": str(error)}, str(error))
    return everywhere(found, summary, Verdict.measured) if found else Verdict.not_run(Reason.MISSING, ABSENT)
