"""Figures in the page: SVG that matplotlib drew, put into the page under names that no other figure has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from certify.exact.truth import Truth
from certify.report.figures import render_figure
from certify.studies.figures.catalogue import Figure

PROLOGUE = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
NAMED = re.compile(r'(\bid="|\bxlink:href="#|\bhref="#|url\(#)')
SIZE = re.compile(r'(<svg\b[^>]*?) width="([\d.]+)pt" height="[\d.]+pt"')
STYLE = re.compile(r'<style type="text/css">.*?</style>', re.DOTALL)


@dataclass(frozen=True)
class Drawing:
    """A figure; ``holds`` where it is held against the paper, with the relations that do not."""

    id: str
    caption: str
    svg: Markup
    json: str
    relations: int
    holds: str
    failing: tuple[str, ...]

    @property
    def file(self) -> str:
        return f"figure-{self.id}.json"

    @property
    def title(self) -> str:
        return f"Figure {self.id}" if self.id[:1].isdigit() else self.id.capitalize()


def drawing(figure: Figure) -> Drawing:
    """A figure as the page shows it. Raises ValueError where matplotlib is not installed."""
    files = render_figure(figure, ("svg",))
    name = f"figure-{figure.id}"
    failing = tuple(f"{point.relation}: {point.holds.value}" for point in figure.points if point.holds is not Truth.YES)
    return Drawing(
        figure.id,
        figure.caption,
        inline(files[f"{name}.svg"].decode(), name, figure.caption),
        files[f"{name}.json"].decode(),
        len(figure.points),
        figure.holds.value,
        failing,
    )


def inline(svg: str, name: str, caption: str) -> Markup:
    """An SVG for the page: ids begin with ``name``, it has the width that was meant, and says what it shows."""
    bare = STYLE.sub("", PROLOGUE.sub("", svg))
    named = NAMED.sub(rf"\g<1>{name}-", bare)
    sized = SIZE.sub(r'\g<1> style="width:\g<2>pt"', named)
    return Markup(sized.replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1))
