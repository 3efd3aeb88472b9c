"""Figure 7: coherence defects of ProCo at states of different kinds, FP64, M = 2ν.

The captured states are not public; those of ``states.visited`` stand in. What carries over is judged: a first batch, in which classes
have been seen once, has defects above 1e-6 at capped classes and only there, and banks that have seen every class several times have
none. How many there are depends on the captured state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import arb

from certify.exact.number import exact
from certify.studies.figures.drawing import BLUE, FLOOR, GREEN, GREY, ORANGE, PAGE, RED, canvas, label, title
from certify.studies.finite_start.coherence import at
from certify.studies.points import Point, at_most, decided
from certify.studies.states.reconstructed import LABEL, SEED
from certify.studies.states.visited import TEMPERATURE, Setting, Visited, visit
from certify.studies.tables.grid import order

CAPTION = "ProCo coherence defects depend on the visited state: the supplied radial rule against FP64 autodiff, at reconstructed states."
DIAGNOSTIC = exact("1e-6")
ROUNDING = exact("1e-13")
"""By which FP64 autodiff of Φ̃, absolute and of order 1, may differ from the exact defect: far below the diagnostic scale."""

PRINTED_SHARE = "23%"


CIFAR, IMAGENET, INATURALIST = "(a) CIFAR queries", "(b) ImageNet queries", "(c) iNaturalist bank"
SETTINGS = (
    Setting(CIFAR, "first batch", 128, 100, (500, 5), 1.0, 256, first=True),
    Setting(CIFAR, "epoch 1", 128, 100, (500, 5), 1.0, 512),
    Setting(CIFAR, "epoch 100", 128, 100, (500, 5), 2.0, 256),
    Setting(CIFAR, "epoch 200", 128, 100, (500, 5), 3.0, 256),
    Setting(IMAGENET, "epoch 90", 1024, 1000, (1280, 5), 2.0, 64),
    Setting(INATURALIST, "epoch 1", 1024, 8142, (1000, 2), 0.5),
    Setting(INATURALIST, "epoch 10", 1024, 8142, (1000, 2), 1.0),
    Setting(INATURALIST, "epoch 50", 1024, 8142, (1000, 2), 2.0),
    Setting(INATURALIST, "epoch 90", 1024, 8142, (1000, 2), 3.0),
)


def study() -> tuple[dict[str, Any], list[Point]]:
    """Quartiles and extremes of every state's defects."""
    found = [visit(setting) for setting in SETTINGS]
    data = {
        "state": f"{LABEL}, tau = {TEMPERATURE}, cap 1e5, seed {SEED}",
        "floor": FLOOR,
        "diagnostic": float(DIAGNOSTIC),
        "printed_share_first_batch": PRINTED_SHARE,
        "states": [_summary(visited) for visited in found],
    }
    return data, [point for visited in found for point in _points(visited)]


def draw(data: dict[str, Any]) -> Any:
    """Boxes with quartiles, whiskers to the extremes; a panel a data set."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in data["states"]:
        groups.setdefault(entry["panel"], []).append(entry)
    widths = [len(entries) for entries in groups.values()]
    figure, panels = canvas(PAGE, 2.5, columns=len(groups), sharey=True, gridspec_kw={"width_ratios": [max(2, width) for width in widths]})
    for axes, colour, (name, entries) in zip(panels, (BLUE, ORANGE, GREEN), groups.items(), strict=True):
        _draw_panel(axes, data, entries, colour)
        title(axes, name)
    panels[0].set(yscale="log", ylabel=r"$|g-\tilde{\Phi}'|$", ylim=(3e-17, 1e-2))
    return figure


def _draw_panel(axes: Any, data: dict[str, Any], entries: list[dict[str, Any]], colour: str) -> None:
    boxes = [{key: max(entry[name], data["floor"]) for key, name in STATISTICS.items()} for entry in entries]
    thin = {"linewidth": 0.9, "color": colour}
    axes.bxp(
        boxes, showfliers=False, widths=0.5, boxprops=thin, whiskerprops=thin, capprops=thin, medianprops={"linewidth": 2, "color": colour}
    )
    axes.axhline(data["diagnostic"], color=RED, linestyle="--", linewidth=0.8)
    for place, entry in enumerate(entries, start=1):
        if entry["share"]:
            label(axes, place, 3e-5, f"{100 * entry['share']:.3g} % above", GREY, xytext=(4, 0))
        else:
            label(axes, place, 4e-6, "0 %", GREY, xytext=(0, 0), ha="center")
    axes.set_xticks(range(1, len(entries) + 1), [entry["name"].replace(" ", "\n", 1) for entry in entries])
    axes.set_xlabel(f"p = {entries[0]['p']}")


STATISTICS = {"whislo": "least", "q1": "quartile_1", "med": "median", "q3": "quartile_3", "whishi": "most"}


def _summary(visited: Visited) -> dict[str, Any]:
    setting, values = visited.setting, np.quantile(visited.defects, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return {
        "panel": setting.panel,
        "name": setting.name,
        "p": setting.p,
        "radii": len(visited.radii),
        "x_over_nu": [float(visited.radii.min()) / order(setting.p), float(visited.radii.max()) / order(setting.p)],
        **dict(zip(STATISTICS.values(), values, strict=True)),
        "share": visited.share_above(float(DIAGNOSTIC)),
        "capped": float(np.mean(visited.capped)),
    }


def _points(visited: Visited) -> Iterator[Point]:
    """FP64 against balls at four radii; above the diagnostic scale are the capped classes, and all of them."""
    setting, ranks = visited.setting, np.argsort(visited.radii, kind="stable")
    place = {"state": f"{setting.panel}, {setting.name}"}
    for rank in {int(ranks[0]), int(ranks[len(ranks) // 2]), int(ranks[-1]), int(visited.defects.argmax())}:
        gap = abs(_exact(visited, rank) - exact(float(visited.defects[rank])))
        yield Point(place, "FP64 agrees with balls within 1e-13", at_most(gap, ROUNDING), {"gap": gap})
    above = visited.defects > float(DIAGNOSTIC)
    share = {"above": exact(visited.share_above(float(DIAGNOSTIC))), "capped": exact(float(np.mean(visited.capped)))}
    yield Point(place, "defects above 1e-6 are those of capped classes", decided(bool(np.array_equal(above, visited.capped))), share)


def _exact(visited: Visited, rank: int) -> arb:
    """The defect in balls."""
    return abs(at(order(visited.setting.p), float(visited.radii[rank])).residual)
