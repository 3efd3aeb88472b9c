"""A figure: SVG that matplotlib drew, put into the page under names that no other figure has, and its data."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from certify.exact.truth import Truth
from certify.report.figures import render_figure
from certify.report.html.supplement import Part
from certify.report.html.templates import render
from certify.studies.figures.catalogue import RECORDED, build
from certify.studies.timings.record import records

PROLOGUE = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
NAMED = re.compile(r'(\bid="|\bxlink:href="#|\bhref="#|url\(#)')
SIZE = re.compile(r'(<svg\b[^>]*?) width="([\d.]+)pt" height="[\d.]+pt"')
INDENTED = re.compile(r"\n\s+")
STYLE = re.compile(r'<style type="text/css">.*?</style>', re.DOTALL)


def part(id: str) -> Part:
    """The figure, computed or from the records in the current folder. Raises BadInput, one line, where these lack what it shows."""
    figure = build(id, records(()) if id in RECORDED else ())
    name = f"figure-{figure.id}"
    svg = render_figure(figure, ("svg",))[f"{name}.svg"].decode()
    failing = [f"{point.relation}: {point.holds.value}" for point in figure.points if point.holds is not Truth.YES]
    title = f"Figure {figure.id}" if figure.id.isdigit() else figure.id.capitalize()
    drawing = inline(svg, name, figure.caption)
    body = render("figure.html", figure=figure, anchor=name, title=title, drawing=drawing, failing=failing)
    return Part(body, files={f"{name}.json": figure.data})


def inline(svg: str, name: str, caption: str) -> Markup:
    """An SVG for the page: ids begin with ``name``, it has the width that was meant, and says what it shows."""
    bare = INDENTED.sub("\n", STYLE.sub("", PROLOGUE.sub("", svg)))
    named = NAMED.sub(rf"\g<1>{name}-", bare)
    sized = SIZE.sub(r'\g<1> style="width:\g<2>pt"', named)
    return Markup(sized.replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1))
