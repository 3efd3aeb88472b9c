"""Each kind of result in each of the formats that its command offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from certify.claims.checking import Checked
from certify.claims.folder import encode_report
from certify.claims.record import Report, plain
from certify.claims.registry import Registered
from certify.report import text
from certify.report.markdown import markdown, markdown_list


def render_run(report: Report, format: str) -> str:
    """A run as ``text``, ``markdown`` or the JSON of ``report.json``."""
    match format:
        case "json":
            return encode_report(report).decode()
        case "markdown":
            return markdown(report)
    return text.run_table(report)


def render_list(entries: Sequence[Registered], format: str) -> str:
    """Claims as ``text``, ``markdown`` or ``json``."""
    match format:
        case "json":
            return as_json([_description(entry) for entry in entries])
        case "markdown":
            return markdown_list(entries)
    return text.claim_list(entries)


def render_checked(results: Iterable[Checked], format: str) -> str:
    """The checker's answers as ``text`` or ``json``."""
    return as_json(list(results)) if format == "json" else "".join(map(text.answer, results))


def _description(entry: Registered) -> dict[str, Any]:
    claim = entry.claim
    return {
        "id": claim.id,
        "grade": claim.grade.value,
        "statement": claim.statement,
        "domain": claim.domain,
        "source": claim.source,
        "in_words": claim.in_words,
        "constants": plain(claim.constants),
        "origin": entry.origin.name,
        "failure": claim.prove().summary if entry.trace is not None else None,
    }


def as_json(value: Any) -> str:
    """A value as the indented JSON that every command prints."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
