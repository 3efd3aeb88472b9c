"""Figure 3: what one backward rule does to training, from records of ``certify train forks``.

Gradient gaps at shared states, where the forward values are one bit for bit, and distances after separate updates; beside them the same
for AR/FR and for the control, a derivative that is rounded to binary32.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from flint import arb

from certify.studies.figures.drawing import BLUE, GREEN, GREY, ORANGE, PAGE, PURPLE, RED, SKY, TINY, canvas, title
from certify.studies.points import Point, decided
from certify.training.forks import PROBES, equal_everywhere
from certify.training.record import records
from certify.training.rules import CONSISTENT, ORIGINAL, ROUNDED

CAPTION = (
    "Same-state gradient gaps become separate trajectories: gaps to the forward's own gradient at shared states, and distances from the"
    " original branch."
)
FAITHFUL = "faithful"
"""*original*, bit for bit, as long as none of the public code's defects is met."""

COLOURS = {ORIGINAL: BLUE, CONSISTENT: BLUE, "AR_1": ORANGE, ROUNDED: GREY}
FURTHER = (GREEN, RED, PURPLE, SKY)
WORDS = {ORIGINAL: "original and consistent", "AR_1": "AR/FR", ROUNDED: "control: consistent, rounded to binary32"}
STYLES = {"random": "-", "trained": "--"}
PANELS = {
    "gap": "gradient gap at a shared state",
    "parameters": "distance of parameters",
    "features": "distance of test features",
}


def study(files: tuple[str, ...] = ()) -> tuple[dict[str, Any], list[Point]]:
    """From the records named, or those of record. Raises BadInput where there are none, or one is not as it was written."""
    found = records("forks", files)
    return {"records": [_series(record) for record in found]}, [point for record in found for point in points(record)]


def points(record: dict[str, Any]) -> Iterator[Point]:
    """What does not depend on the scale of the experiment, at every fork of a record."""
    for run in record["runs"]:
        for fork in run["forks"]:
            at = {"p": str(record["settings"]["dim"]), "features": record["settings"]["features"], "seed": str(run["seed"])}
            yield from _of_fork({**at, "start": fork["start"]}, fork)


def _of_fork(at: dict[str, str], fork: dict[str, Any]) -> Iterator[Point]:
    probes = fork["probes"]
    gap = max(probe["rules"][ORIGINAL]["feature_gap"] for probe in probes)
    yield Point(at, f"there are {PROBES} probes, all branches at one state at the first", decided(_begins(probes)))
    yield Point(at, "scores and losses are equal bit for bit at every probe", decided(equal_everywhere([fork])))
    yield Point(at, "the gradients differ at a shared state", decided(gap > 0), {"largest gap": arb(gap)})
    for arm, distance in probes[-1]["apart"].items():
        if arm not in (ROUNDED, FAITHFUL):
            found = {f"distance of {kind}": arb(value) for kind, value in distance.items()}
            yield Point({**at, "arm": arm}, "the branch has left the original one", decided(min(distance.values()) > 0), found)


def _begins(probes: Sequence[dict[str, Any]]) -> bool:
    """Whether the number is right, and no branch is apart before the first update."""
    return len(probes) == PROBES and not any(value for distance in probes[0]["apart"].values() for value in distance.values())


def _series(record: dict[str, Any]) -> dict[str, Any]:
    """Curves over the updates: a list for each seed, by start and rule."""
    runs = record["runs"]
    forks = [[run["forks"][number] for run in runs] for number in range(len(runs[0]["forks"]))]
    return {"settings": record["settings"], "forks": [_curves(group) for group in forks]}


def _curves(forks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first = forks[0]["probes"]
    rules, arms = list(first[0]["rules"]), list(first[0]["apart"])

    def over(read: Any) -> list[list[float]]:
        return [[read(probe) for probe in fork["probes"]] for fork in forks]

    return {
        "start": forks[0]["start"],
        "step": [probe["step"] for probe in first],
        "gap": {rule: over(lambda probe, rule=rule: probe["rules"][rule]["feature_gap"]) for rule in rules},
        "parameters": {arm: over(lambda probe, arm=arm: probe["apart"][arm]["parameters"]) for arm in arms},
        "features": {arm: over(lambda probe, arm=arm: probe["apart"][arm]["features"]) for arm in arms},
        "radius": over(lambda probe: probe["radius"]),
    }


def draw(data: dict[str, Any]) -> Any:
    """A row a record; lines are medians over seeds, shades their range; the start by the line's style."""
    figure, axes = canvas(PAGE, 2.1 * len(data["records"]) + 0.4, len(PANELS), len(data["records"]))
    colours = _colours(data["records"])
    for row, record in enumerate(data["records"]):
        panels = axes[row * len(PANELS) : (row + 1) * len(PANELS)]
        for each, (kind, words) in zip(panels, PANELS.items(), strict=True):
            for fork in record["forks"]:
                for name, curves in fork[kind].items():
                    _draw_curves(each, fork, curves, colours[name])
            each.set(yscale="log", xlabel="updates", ylabel=words)
        title(panels[0], place(record["settings"]))
    _name(figure, axes[0], colours)
    return figure


def _colours(shown: Sequence[dict[str, Any]]) -> dict[str, str]:
    names = dict.fromkeys(name for record in shown for kind in PANELS for name in record["forks"][0][kind])
    others = [name for name in names if name not in COLOURS]
    return COLOURS | {name: FURTHER[number % len(FURTHER)] for number, name in enumerate(others)}


def _draw_curves(axes: Any, fork: dict[str, Any], curves: Sequence[Sequence[float]], colour: str) -> None:
    """Zeros, as before the first update, are left out."""
    values = np.array(curves)
    shown = (values > 0).all(0)
    steps, values = np.array(fork["step"])[shown], values[:, shown]
    axes.fill_between(steps, values.min(0), values.max(0), color=colour, alpha=0.12, lw=0)
    axes.plot(steps, np.median(values, 0), STYLES[fork["start"]], color=colour, lw=1)


def _name(figure: Any, axes: Any, colours: dict[str, str]) -> None:
    """Above all panels: rules by colour, starts by style."""
    for name, colour in colours.items():
        if name != CONSISTENT:
            axes.plot([], [], "-", color=colour, label=WORDS.get(name, name))
    for start, style in STYLES.items():
        axes.plot([], [], style, color="0.3", lw=1, label=f"{start} start")
    figure.legend(loc="outside upper center", ncols=3, fontsize=TINY, frameon=False)


def place(settings: dict[str, Any]) -> str:
    """Data, dimension, features and number of seeds."""
    seeds = len(settings["seeds"])
    return f"{settings['data']}, p = {settings['dim']}, {settings['features']} features, {seeds} seed{'s' * (seeds > 1)}"
