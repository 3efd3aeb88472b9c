"""How strong a report is: as strong as its weakest link."""

from __future__ import annotations

from certify.claims.record import Report
from certify.claims.verdict import Outcome


def weakest_ids(report: Report) -> list[str]:
    """The claims that are the weakest link."""
    return [record.id for record in report.claims if record.outcome is report.weakest]


def strength(report: Report) -> str:
    """One sentence: the weakest link, the counts, what no machine checks, and what is missing."""
    tally = ", ".join(f"{number} {outcome}" for outcome, number in report.counts.items())
    link = "nothing was run" if report.weakest is None else f"weakest link: {report.weakest.value}{_where(report)}"
    early = "" if report.complete else "; INTERRUPTED, this report is partial"
    return f"{link} ({tally}){_in_words(report)}{early}"


def _in_words(report: Report) -> str:
    """How many proofs have steps that no certificate carries."""
    number = sum(record.outcome is Outcome.PROVED and bool(record.in_words) for record in report.claims)
    return f"; {number} of the proved have steps in words, which no machine checks" if number else ""


def _where(report: Report) -> str:
    """Which claims, where it is not all of them that are the weakest link."""
    ids = weakest_ids(report)
    if len(ids) == len(report.claims):
        return ""
    return f", {', '.join(ids[:3])}{' …' if len(ids) > 3 else ''}"
