"""The difference of two reports as text, Markdown and JSON."""

from __future__ import annotations

from typing import Any

from certify.claims.text import clipped
from certify.report.diff import Change, Difference, Kind
from certify.report.markdown import prose, table
from certify.report.render import as_json
from certify.report.text import columns

LONGEST = 60
HEAD = ("", "claim", "what", "before", "after")


def render_difference(difference: Difference, format: str) -> str:
    """As ``text``, ``markdown`` or ``json``, where numbers are exact and nothing is shortened."""
    match format:
        case "json":
            return as_json(_data(difference))
        case "markdown":
            return _markdown(difference)
    rows = [*map(_row, difference.changes), *_places(difference)]
    return "\n".join([*(columns(rows) if rows else []), *([""] if rows else []), summary(difference), ""])


def summary(difference: Difference) -> str:
    """One line: how many differences of each kind, and the weakest links."""
    counts = [f"{len(found)} {kind.value}" for kind in Kind if (found := difference.of(kind))]
    links = ["nothing run" if report.weakest is None else report.weakest.value for report in difference.reports]
    link = f"weakest link {links[0]}" if links[0] == links[1] else f"weakest link {links[0]}, now {links[1]}"
    return "; ".join([", ".join(counts) or "no differences", f"{difference.same} claims the same", link])


def _row(change: Change) -> tuple[str, ...]:
    sense = f" ({change.sense.value})" if change.sense else ""
    return change.kind.value, change.claim, change.what + sense, f"{_shown(change.before)} → {_shown(change.after)}"


def _shown(text: str | None) -> str:
    return "absent" if text is None else clipped(text, LONGEST) or "none"


def _places(difference: Difference) -> list[tuple[str, ...]]:
    return [("environment", "", name, f"{a} → {b}") for name, (a, b) in difference.environment.items()]


def _markdown(difference: Difference) -> str:
    rows = [(*map(prose, row[:3]), *map(prose, row[3].split(" → "))) for row in map(_row, difference.changes)]
    places = [(name, prose(a), prose(b)) for name, (a, b) in difference.environment.items()]
    before, after = (prose(name) for name in difference.names)
    parts = ["# Difference", f"From {before} to {after}: **{summary(difference)}**."]
    parts += [table(HEAD, rows)] if rows else []
    parts += ["## Environment", table(("", "before", "after"), places)] if places else []
    return "\n\n".join(parts) + "\n"


def _data(difference: Difference) -> dict[str, Any]:
    return {
        "before": _side(difference, 0),
        "after": _side(difference, 1),
        "changes": [_change(change) for change in difference.changes],
        "environment": {name: {"before": a, "after": b} for name, (a, b) in difference.environment.items()},
        "same": difference.same,
    }


def _side(difference: Difference, at: int) -> dict[str, Any]:
    report = difference.reports[at]
    return {"file": difference.names[at], "weakest": report.weakest, "complete": report.complete, "counts": report.counts}


def _change(change: Change) -> dict[str, Any]:
    sense = {"sense": change.sense.value} if change.sense else {}
    return {"kind": change.kind, "claim": change.claim, "what": change.what, "before": change.before, "after": change.after, **sense}
