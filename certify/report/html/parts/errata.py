"""Statements that need correction, with evidence that is computed for the page."""

from __future__ import annotations

from collections.abc import Collection

from certify.report.html.supplement import Part
from certify.report.html.templates import render
from certify.report.paper import erratum_data
from certify.studies.errata.entries import ERRATA


def part(places: Collection[int], known: Collection[str]) -> Part:
    """The errata at these ``places`` of the list; claims that are ``known`` get links."""
    found = [(ERRATA[place], ERRATA[place].evidence()) for place in places]
    return Part(render("errata.html", corrections=found, known=known), [erratum_data(*pair) for pair in found])
