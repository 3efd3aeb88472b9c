"""From the paper's items to claims, with links to those of the report."""

from __future__ import annotations

from certify.claims.record import Report
from certify.claims.registry import load
from certify.report.html.supplement import Part
from certify.report.html.templates import render
from certify.report.paper import paper_data
from certify.studies.paper import trace


def part(report: Report, whole: bool) -> Part:
    """Every item where the report is of the ``whole`` paper, else those that its claims check."""
    known = {record.id for record in report.claims}
    found = trace([entry for id, entry in load().claims.items() if id in known], report, selected=not whole)
    return Part(render("paper.html", trace=found, known=known), paper_data(found, [])["items"])
