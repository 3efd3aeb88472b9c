"""Enclosures in proven digits, in the formats of ``certify enclose``."""

from __future__ import annotations

from certify.exact.ball import decimal
from certify.exact.enclose import Enclosures
from certify.exact.number import brief, show
from certify.report.render import as_json
from certify.report.text import columns


def render_enclosures(enclosures: Enclosures, format: str) -> str:
    """As ``json``; or as ``text``: the question on one line, then symbol, definition and digits of each quantity."""
    exact = {name: getattr(enclosures, name) for name in ("nu", "x", "to", "resultant", "choose")}
    question = {name: value for name, value in exact.items() if value is not None}
    rows = [(entry.symbol, entry.definition, decimal(entry.value, enclosures.digits)) for entry in enclosures.quantities]
    if format == "json":
        quantities = [dict(zip(("symbol", "definition", "value"), row, strict=True)) for row in rows]
        numbers = {name: show(value) for name, value in question.items()}
        return as_json({**numbers, "digits": enclosures.digits, "quantities": quantities})
    asked = ", ".join(f"{name} = {brief(value)}" for name, value in question.items())
    return "\n".join([asked, *columns(rows), ""])
