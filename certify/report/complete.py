"""All that the complete page shows beside the claims, computed for it: what belongs to the claims of the report, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from certify.claims.record import Report
from certify.claims.registry import load
from certify.report.html.supplement import Section, Supplement
from certify.training.settings import Absent

Say = Callable[[str], None]
MEASURED = {"table.5", "table.6"}
"""With these goes what was measured of the same realizations."""


def supplement(report: Report, say: Say) -> Supplement:
    """Sections in the order of the page; ``say`` is told what is being computed. Raises ValueError, one line, for what cannot be shown."""
    ids = {record.id for record in report.claims}
    return Supplement(tuple(_sections(report, ids, say)))


def _sections(report: Report, ids: set[str], say: Say) -> Iterator[Section]:
    from certify.report.html import audits, sections
    from certify.studies import margin_map
    from certify.studies.timings.record import records

    recorded = records(()) if ids & MEASURED else []
    trained = any(id.startswith("training.") for id in ids)
    if tables := _tables(ids, say):
        yield sections.tables(tables)
    if drawings := list(_drawings(ids, recorded, trained, say)):
        yield sections.figures(drawings)
    say("margins")
    if panels := margin_map.build(ids):
        yield sections.margins(panels)
    if recorded:
        say("evaluators")
        yield sections.compared(_table("evaluators"))
        if gallery := audits.load():
            yield sections.audit(gallery)
        yield sections.bench(_table("7", records=recorded))
    if trained:
        with suppress(Absent):
            yield sections.training(_table("8"))
    yield from _paper(report, ids, say)


def _tables(ids: set[str], say: Say) -> list[Any]:
    from certify.studies.tables.catalogue import IDS

    found = []
    for id in IDS:
        if f"table.{id}" in ids:
            say(f"table {id}")
            found.append(_table(id))
    return found


def _table(id: str, **options: Any) -> Any:
    return import_module("certify.studies.tables.catalogue").build(id, **options)


def _drawings(ids: set[str], recorded: Sequence[Any], trained: bool, say: Say) -> Iterator[Any]:
    """The figures of claims, and those of what is recorded."""
    from certify.report.html.figures import drawing
    from certify.studies.figures.catalogue import MODULES, RECORDED, TRAINED, build

    recorded_too = {id for id in RECORDED if recorded} | {id for id in TRAINED if trained}
    for id in MODULES:
        if f"figure.{id}" in ids or id in recorded_too:
            say(f"figure {id}")
            with suppress(Absent):
                yield drawing(build(id, recorded))


def _paper(report: Report, ids: set[str], say: Say) -> Iterator[Section]:
    """The map and the errata, where the report has claims of the paper."""
    from certify.report.html import sections
    from certify.studies.errata.entries import corrections
    from certify.studies.paper import items, trace

    entries = [entry for entry in load(()).select(()) if entry.claim.id in ids]
    if not {id for item in items() for id in item.claims} & ids:
        return
    say("errata")
    yield sections.paper(trace(entries, report), ids)
    if found := corrections(ids):
        yield sections.errata(found, ids)
