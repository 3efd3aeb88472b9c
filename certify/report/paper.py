"""The map from the paper to claims, and its errata, as text, Markdown and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from certify.claims.record import Environment
from certify.exact.truth import Truth
from certify.report.markdown import code, environment_section, prose, table
from certify.report.render import as_json
from certify.report.text import columns
from certify.studies.errata.erratum import Erratum, Evidence
from certify.studies.paper import NOT_YET, Found, Trace, Traced

Corrections = list[tuple[Erratum, Evidence]]

INTRODUCTION = (
    "Every theorem, displayed equation, table and figure of *Same Loss, Different Gradients*, in its order, with the claims that check it."
    " A *definition* needs no check, what is *cited* stands in the reference named, and *not yet* says that nothing here checks it."
)


def render_paper(trace: Trace, corrections: Corrections, format: str, command: str, place: Environment) -> str:
    """The map and the errata as ``markdown`` or ``json``; the map alone as ``text``."""
    match format:
        case "json":
            return json(trace, corrections)
        case "markdown":
            return markdown(trace, corrections, command, place)
    return text(trace)


def text(trace: Trace) -> str:
    """One line for each claim of each item."""
    lines = [line for traced in trace.items for line in _rows(traced)]
    beyond = [("beyond the paper" if i == 0 else "", "", *row) for i, row in enumerate(map(_claim, trace.beyond))]
    return "\n".join([*columns([*lines, *((*row, "") for row in beyond)]), "", _summary(trace), ""])


def json(trace: Trace, corrections: Corrections) -> str:
    """Items with their claims, claims beyond the paper, and errata with their evidence."""
    return as_json(paper_data(trace, corrections))


def paper_data(trace: Trace, corrections: Corrections) -> dict[str, Any]:
    """As plain data."""
    return {
        "items": [_item_data(traced) for traced in trace.items],
        "beyond": [msgspec.to_builtins(claim) for claim in trace.beyond],
        "errata": [erratum_data(*pair) for pair in corrections],
    }


def markdown(trace: Trace, corrections: Corrections, command: str, place: Environment) -> str:
    """The whole page, with the command that makes it again."""
    parts = ["# The paper, checked", INTRODUCTION, map_table(trace), f"{_summary(trace)}."]
    if trace.beyond:
        rows = [(f"`{claim.id}`", claim.grade, code(claim.file)) for claim in trace.beyond]
        parts += ["## Beyond the paper", table(("claim", "grade", "file"), rows)]
    parts += ["## Errata and completions", "Statements that need correction or completion. All numbers were computed for this page."]
    parts += [_section(number, *pair) for number, pair in enumerate(corrections, 1)]
    return "\n\n".join([*parts, environment_section(place), f"Made by {code(command)}."]) + "\n"


def map_table(trace: Trace) -> str:
    """The items and their claims as a Markdown table."""
    rows = []
    for traced in trace.items:
        for place, item, claim, grade, file, states in _rows(traced):
            rows.append((place, item, prose(states), f"`{claim}`" if claim else "", grade, code(file) if file else ""))
    return table(("place", "item", "states", "claim", "grade", "file"), rows)


def _rows(traced: Traced) -> Iterator[tuple[str, str, str, str, str, str]]:
    item = traced.item
    claims = [_claim(claim) for claim in traced.claims] or [("", item.status, "")]
    for number, claim in enumerate(claims):
        yield (item.place, item.item, *claim, item.states) if number == 0 else ("", "", *claim, "")


def _claim(claim: Found) -> tuple[str, str, str]:
    return claim.id, claim.grade, claim.file


def _summary(trace: Trace) -> str:
    counts = Counter(traced.item.status.partition(":")[0] for traced in trace.items if not traced.claims)
    claimed = len(trace.items) - counts.total()
    ordered = sorted(counts.items(), key=lambda pair: pair[0] == NOT_YET)
    return ", ".join([f"{len(trace.items)} items: with claims {claimed}", *(f"{status} {count}" for status, count in ordered)])


def _item_data(traced: Traced) -> dict[str, Any]:
    item, claims = traced.item, [msgspec.to_builtins(claim) for claim in traced.claims]
    data = {"place": item.place, "kind": item.kind, "item": item.item, "states": item.states, "claims": claims}
    return data if claims else {**data, "status": item.status}


def erratum_data(erratum: Erratum, evidence: Evidence) -> dict[str, Any]:
    return {
        "place": erratum.place,
        "printed": erratum.printed,
        "correction": erratum.correction,
        "claims": list(erratum.claims),
        "evidence": list(evidence.lines),
        "confirmed": evidence.confirmed.value,
    }


def _section(number: int, erratum: Erratum, evidence: Evidence) -> str:
    title = f"### {number}. {erratum.place}"
    doubt = [] if evidence.confirmed is Truth.YES else [f"- **the evidence does not confirm this: {evidence.confirmed.value}**"]
    claims = [f"- claims: {', '.join(f'`{id}`' for id in erratum.claims)}"] if erratum.claims else []
    lines = [f"- printed: {prose(erratum.printed)}", f"- holds: {prose(erratum.correction)}", *claims, "- evidence:"]
    return "\n".join([title, "", *lines, *(f"  - {prose(line)}" for line in evidence.lines), *doubt])
