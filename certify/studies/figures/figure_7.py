"""Figure 7: coherence defects of ProCo at states of different kinds, FP64, M = 2ν.

The captured states are not public. Reconstructed ones stand in: a bank is made from the number n_j of unit features seen of each class
and a concentration of the class, with R_j² = ρ² + (1 − ρ²)/n_j for the mean resultant length, ρ = R_ν(κ*) (the expectation of claim
state.resultant over independent features), κ_j = pR_j/(1 − R_j²) and the public cap 1e5, which every class with a single feature gets.
Radii are r² = κ_j² + 2κ_j cos θ/τ + 1/τ², where cos θ is ρ for a query's own class and Gaussian of variance 1/p for others.

What carries over is judged: a first batch, in which classes have been seen once, has defects above 1e-6 at capped classes and only there,
and banks that have seen every class several times have none. How many there are depends on the captured state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from flint import arb
from numpy.typing import NDArray

from certify.exact.number import exact
from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.realizations.tensor.original import Original
from certify.studies.figures.drawing import BLUE, FLOOR, GREEN, GREY, ORANGE, PAGE, RED, canvas, label, title
from certify.studies.finite_start.coherence import at
from certify.studies.points import Point, at_most, decided
from certify.studies.states.reconstructed import CAP, LABEL, SEED
from certify.studies.tables.grid import order

CAPTION = "ProCo coherence defects depend on the visited state: the supplied radial rule against FP64 autodiff, at reconstructed states."
TEMPERATURE = 0.1
DIAGNOSTIC = exact("1e-6")
ROUNDING = exact("1e-13")
"""By which FP64 autodiff of Φ̃, absolute and of order 1, may differ from the exact defect: far below the diagnostic scale."""

CHUNK = 4096
PRINTED_SHARE = "23%"


@dataclass(frozen=True)
class Setting:
    """A bank with log-linear ``counts`` from the first class to the last, ``concentration`` κ*/ν, and so many queries.

    In a ``first`` batch the classes of the queries are all that was seen. Without queries the radii are the bank's κ.
    """

    panel: str
    name: str
    p: int
    classes: int
    counts: tuple[int, int]
    concentration: float
    queries: int = 0
    first: bool = False


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


@dataclass(frozen=True)
class Visited:
    """Radii of a state, the FP64 defects |g − Φ̃′| there, and which radii belong to capped classes."""

    setting: Setting
    radii: NDArray
    defects: NDArray
    capped: NDArray

    @property
    def share(self) -> float:
        """Of the radii with a defect above the diagnostic scale."""
        return float(np.mean(self.defects > float(DIAGNOSTIC)))


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


def visit(setting: Setting) -> Visited:
    """The radii of a setting and their defects."""
    random, nu = np.random.RandomState(SEED), order(setting.p)
    counts = np.geomspace(*setting.counts, setting.classes).round()
    labels = random.choice(setting.classes, setting.queries, p=counts / counts.sum())
    seen = np.bincount(labels, minlength=setting.classes) if setting.first else counts
    length = ClosedForm(nu).derivative(torch.tensor(setting.concentration * nu, dtype=torch.float64)).item()
    kappa, capped = bank(setting.p, length, seen)
    if not setting.queries:
        return Visited(setting, kappa, defects(nu, kappa), capped)
    cosines = random.standard_normal((setting.queries, setting.classes)) / np.sqrt(setting.p)
    cosines[np.arange(setting.queries), labels] = length
    radii = np.sqrt(kappa * kappa + 2 * kappa * cosines / TEMPERATURE + 1 / TEMPERATURE**2).ravel()
    return Visited(setting, radii, defects(nu, radii), np.broadcast_to(capped, cosines.shape).ravel())


def bank(p: int, length: float, counts: NDArray) -> tuple[NDArray, NDArray]:
    """κ_j, zero for classes not seen, and which are capped."""
    square = np.where(counts > 0, length**2 + (1 - length**2) / np.maximum(counts, 1), 0.0)
    free = p * np.sqrt(square) / np.where(square < 1, 1 - square, np.inf)
    capped = (square >= 1) | (free > CAP)
    return np.where(capped, float(CAP), free), capped


def defects(nu: int, radii: NDArray) -> NDArray:
    """|g − Φ̃′| by the supplied rule and by autodiff of the finite forward, in pieces that fit the cache."""
    supplied, own = Original(nu), ConsistentByAutograd(nu)
    pieces = torch.from_numpy(radii).split(CHUNK)
    return torch.cat([(supplied.derivative(x) - own.derivative(x)).abs() for x in pieces]).numpy()


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
        "share": visited.share,
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
    share = {"above": exact(visited.share), "capped": exact(float(np.mean(visited.capped)))}
    yield Point(place, "defects above 1e-6 are those of capped classes", decided(bool(np.array_equal(above, visited.capped))), share)


def _exact(visited: Visited, rank: int) -> arb:
    """The defect in balls."""
    return abs(at(order(visited.setting.p), float(visited.radii[rank])).residual)
