"""Plain text for a terminal: the table of a run, lists and explanations of claims, the checker's answers."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Sequence

from certify.claims.certificate import cited, spell_out
from certify.claims.checking import Checked
from certify.claims.record import ClaimRecord, Report
from certify.claims.registry import Registered
from certify.claims.text import one_line
from certify.claims.verdict import Outcome
from certify.report.strength import strength


def run_table(report: Report) -> str:
    """One line a claim: outcome, id, seconds, summary; then how strong the report is."""
    rows = [_row(record, report.run.seconds[record.id]) for record in report.claims]
    return "\n".join([*columns(rows), "", strength(report), ""])


def _row(record: ClaimRecord, seconds: float | None) -> tuple[str, ...]:
    time = "" if seconds is None else f"{seconds:.2f} s"
    return record.outcome.value, record.label, time, record.summary


def claim_list(entries: Iterable[Registered]) -> str:
    """One line a claim: id, grade, source."""
    rows = [(entry.claim.id, *_grade_and_source(entry)) for entry in entries]
    return "\n".join([*columns(rows), ""])


def _grade_and_source(entry: Registered) -> tuple[str, str]:
    if entry.trace is not None:
        return Outcome.ERROR.value, entry.claim.prove().summary
    return entry.claim.grade.value, entry.claim.source


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells aligned; the last column is as long as it likes."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)][:-1]
    return ["  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() for row in rows]


def explanation(entry: Registered) -> str:
    """What a claim says, which formal theorem a certificate of it establishes, and how it is proved."""
    claim = entry.claim
    head = {
        "statement": claim.statement,
        "domain": claim.domain,
        "source": claim.source,
        "grade": claim.grade.value,
        "constants": ", ".join(f"{name} = {value}" for name, value in claim.constants.items()),
        "in words, not checked by machine": claim.in_words,
        "declared in": entry.origin.name,
    }
    lines = [claim.id, *columns([(f"  {name}", text) for name, text in head.items() if text])]
    return "\n".join([*lines, *_established(entry), *_method(entry), ""])


def _established(entry: Registered) -> list[str]:
    try:
        theorem = entry.claim.formal()
    except Exception as error:  # of the claim's own code
        return ["", f"Its formal theorem cannot be stated: {one_line(error)}."]
    if theorem is None:
        return ["", "No certificate: the claim declares no formal theorem."]
    lemmas = [f"cited, not checked by machine: {lemma}" for lemma in cited(theorem)]
    return ["", "A certificate establishes, for the independent checker:", *_indented([*spell_out(theorem), *lemmas])]


def _method(entry: Registered) -> list[str]:
    """How it is proved: in the words of the module and of the prover."""
    if entry.trace is not None:
        return ["", entry.claim.prove().summary]
    parts = inspect.getdoc(entry.origin.load()), inspect.getdoc(entry.claim.prover)
    return [line for part in parts if part for line in ("", *part.splitlines())]


def answer(checked: Checked) -> str:
    """The checker's words on one certificate."""
    if not checked.accepted:
        return f"refused   {checked.path}: {checked.refusal}\n"
    lines = [*checked.established, *(f"cited: {lemma}" for lemma in checked.lemmas)]
    return "\n".join([f"accepted  {checked.path}: {checked.claim}", *_indented(lines), ""])


def _indented(lines: Iterable[str]) -> list[str]:
    return textwrap.indent("\n".join(lines), "  ").splitlines()
