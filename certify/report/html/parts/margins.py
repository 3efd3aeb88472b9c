"""The share of its bound that each error takes, over x/ν and ν: maps as SVG, one cell a point, darker where more is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from certify.report.html.mathml import html
from certify.report.html.supplement import Part
from certify.report.html.templates import render
from certify.studies import margin_map

LEFT, TOP, WIDE, HIGH = 34, 4, 10, 13
"""The frame and a cell, in units of the drawing."""

SCALE = ((247, 251, 255), (158, 202, 225), (49, 130, 189), (8, 48, 107))
"""One hue from light to dark: ColorBrewer's Blues."""


@dataclass(frozen=True)
class Map:
    """A panel: its drawing, its largest share and where, and the rows of its table."""

    claim: str
    order: int
    bound: Markup
    holds: str
    svg: Markup
    largest: str
    place: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def part(claims: Mapping[str, Mapping[str, str]]) -> Part:
    """A map for each of these claims, with their constants."""
    data = [panel.data() for panel in margin_map.build(claims)]
    return Part(render("margins.html", maps=list(map(heat_map, data))), data)


def heat_map(data: Mapping[str, Any]) -> Map:
    """The map of a panel of ``studies.margin_map``."""
    columns, orders, shares = data["x_over_nu"], data["nu"], data["share_at_most"]
    cells = [(float(shares[j][i]), i, j) for j in range(len(orders)) for i in range(len(columns))]
    _, i, j = max(cells)
    place = f"x/ν = {columns[i]}, ν = {orders[j]}"
    rows = tuple((nu, tuple(row)) for nu, row in zip(orders, shares, strict=True))
    svg = _svg(data, list(_cells(data)), f"{data['claim']}: share of the bound used; most, {shares[j][i]}, at {place}")
    return Map(data["claim"], data["order"], html(data["bound"]), data["holds"], svg, shares[j][i], place, tuple(columns), rows)


def colour(share: float) -> str:
    """Between white for nothing and dark for the whole bound."""
    at = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    low = min(int(at), len(SCALE) - 2)
    mixed = (round(a + (b - a) * (at - low)) for a, b in zip(SCALE[low], SCALE[low + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _cells(data: Mapping[str, Any]) -> Iterator[Markup]:
    """Orders upwards, concentrations to the right."""
    count = len(data["nu"])
    for j, (nu, row) in enumerate(zip(data["nu"], data["share_at_most"], strict=True)):
        for i, (z, share) in enumerate(zip(data["x_over_nu"], row, strict=True)):
            yield Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="{}"><title>{}</title></rect>').format(
                LEFT + i * WIDE, TOP + (count - 1 - j) * HIGH, WIDE, HIGH, colour(float(share)), f"ν = {nu}, x/ν = {z}: {share}"
            )


def _svg(data: Mapping[str, Any], cells: list[Markup], words: str) -> Markup:
    columns, orders = data["x_over_nu"], data["nu"]
    below = TOP + len(orders) * HIGH
    ticks = [_text(LEFT + (i + 0.5) * WIDE, below + 11, _power(z), "middle") for i, z in enumerate(columns) if i % 8 == 0]
    ticks += [_text(LEFT - 5, below - (j + 0.28) * HIGH, _fraction(nu), "end") for j, nu in enumerate(orders) if j % 2 == 1]
    ticks.append(_text(LEFT + len(columns) * WIDE / 2, below + 24, "x/ν", "middle"))
    ticks.append(_text(2, TOP + 8, "ν", "start"))
    box = f"0 0 {LEFT + len(columns) * WIDE + 2} {below + 28}"
    return Markup('<svg class="map" viewBox="{}" role="img" aria-label="{}">{}</svg>').format(box, words, Markup().join([*cells, *ticks]))


def _text(x: float, y: float, text: str | Markup, anchor: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(x, y, anchor, text)


def _power(text: str) -> Markup:
    """A power of two."""
    value = Fraction(text)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    return Markup('2<tspan dy="-3" font-size="6.5">{}</tspan>').format(str(exponent).replace("-", "−"))


def _fraction(text: str) -> str:
    return {"1/2": "½"}.get(text, text)
