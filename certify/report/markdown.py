"""A report as Markdown. What depends on the machine and the moment stands in the last two sections only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from certify.claims.record import STRENGTH, ClaimRecord, Environment, Evidence, Report, Run, reproduce
from certify.claims.registry import Registered
from certify.report.strength import strength

MARKUP = re.compile(r"[\\`*_\[\]$&~]|<(?=\S)")
FENCES = re.compile("`+")
TAG = re.compile("<(?=[A-Za-z/!?])")


def markdown(report: Report) -> str:
    """The whole page."""
    parts = [
        "# Report",
        f"A report is as strong as its weakest link. This one: **{strength(report)}**.",
        _overview(report.claims),
        *(_section(record, report.run) for record in report.claims),
        _run_section(report),
        environment_section(report.environment),
    ]
    return "\n\n".join(parts) + "\n"


def markdown_list(entries: Iterable[Registered]) -> str:
    """A table of claims: id, grade, source."""
    rows = [(f"`{entry.claim.id}`", entry.claim.grade.value, prose(entry.claim.source)) for entry in entries]
    return table(("claim", "grade", "source"), rows) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; bars within cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _overview(records: Sequence[ClaimRecord]) -> str:
    """The claims, weakest link first."""
    ordered = sorted(records, key=lambda record: (-STRENGTH[record.outcome], record.id))
    rows = [(record.outcome.value, f"`{record.label}`", record.grade.value, prose(record.source)) for record in ordered]
    return table(("outcome", "claim", "grade asked for", "source"), rows)


def _section(record: ClaimRecord, run: Run) -> str:
    reached = record.reached.value if record.reached is not None else "none"
    facts = [
        ("statement", _math(record.statement)),
        ("domain", _math(record.domain)),
        ("source", prose(record.source)),
        ("constants", _assignments(record.constants)),
        ("perturbed", ", ".join(record.perturbed)),
        ("grade", f"{record.grade.value} asked for, {reached} reached"),
        ("result", prose(record.summary)),
        ("in words, not checked by machine", prose(record.in_words)),
        ("reason", f"{record.explanation}; {record.remedy}" if record.reason else ""),
        ("witness", _assignments(record.witness)),
        ("box left undecided", _assignments(record.box)),
        ("facts", _assignments(record.facts)),
    ]
    lines = [f"- {name}: {text}" for name, text in facts if text]
    lines += _evidence(record.evidence) if record.evidence is not None else []
    lines += [f"- declared in {code(record.origin)}; check it again: {code(reproduce(record, run))}"]
    return "\n".join([f"## {record.outcome.value}: `{record.label}`", "", *lines])


def _evidence(evidence: Evidence) -> Iterator[str]:
    yield f"- certificate: `{evidence.digest}`, in which the independent checker re-established"
    yield from (f"  - {code(line)}" for line in evidence.established)
    yield from (f"- cited, not checked by machine: {prose(lemma)}" for lemma in evidence.lemmas)


def _run_section(report: Report) -> str:
    run = report.run
    rows = [(f"`{id}`", "–" if seconds is None else f"{seconds:.2f}") for id, seconds in run.seconds.items()]
    circumstances = f"profile {run.profile}, seed {run.seed}, {run.jobs} workers"
    lines = [
        f"{code(run.command)} ({circumstances}), {run.started} to {run.finished}.",
        f"Proofs kept from an earlier run, their certificates replayed: {', '.join(run.resumed) or 'none'}.",
        table(("claim", "seconds"), rows),
    ]
    return "\n\n".join(["## Times", *lines])


def environment_section(place: Environment) -> str:
    """Versions, commit and machine."""
    rows = [(name, number or "not installed") for name, number in place.versions.items()]
    state = {None: "", True: ", with uncommitted changes", False: ""}[place.dirty]
    rows += [
        ("commit", f"{place.commit}{state}" if place.commit else "not a checkout"),
        ("platform", place.platform),
        ("processor", f"{place.cpu}, {place.cores} cores"),
    ]
    return "## Environment\n\n" + table(("", ""), rows)


def _math(latex: str) -> str:
    """As a formula, in which nothing is a tag; as it stands where it brings dollar signs of its own."""
    return f"${TAG.sub('< ', latex)}$" if latex and "$" not in latex else prose(latex)


def _assignments(values: Mapping[str, Any] | None) -> str:
    return prose(", ".join(f"{name} = {value}" for name, value in (values or {}).items()))


def code(text: str) -> str:
    """Text between backticks, more of them than stand in a row within it."""
    fence = "`" * (max(map(len, FENCES.findall(text)), default=0) + 1)
    return f"{fence}{text}{fence}" if len(fence) == 1 else f"{fence} {text} {fence}"


def prose(text: str) -> str:
    """Text that Markdown shows as it is."""
    return MARKUP.sub(r"\\\g<0>", text)
