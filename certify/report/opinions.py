"""Second opinions beside the checker's answers."""

from __future__ import annotations

from collections.abc import Sequence

from certify.claims.checking import Checked
from certify.report.render import as_json, render_checked
from certify.report.text import columns
from certify.studies.opinions.opinion import Opinion


def render(results: Sequence[Checked], opinions: Sequence[Opinion], format: str) -> str:
    """Both as ``text`` or ``json``."""
    if format == "json":
        return as_json({"certificates": list(results), "second opinions": list(opinions)})
    rows = [(each.tool, each.answer.value, each.claim, f"{each.seconds:.2f} s", f"{each.statement} ({each.detail})") for each in opinions]
    table = columns(rows) if rows else ["none of the certificates raises a question that these tools take"]
    return render_checked(results, format) + "\n".join(["", "second opinions, on which nothing depends:", *table, ""])
