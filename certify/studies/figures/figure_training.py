"""The arms in training, from records of ``certify train arms``: accuracy over the updates, and paired differences at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from flint import arb

from certify.studies.figures.drawing import BLUE, GREEN, GREY, ORANGE, PAGE, TINY, canvas, title
from certify.studies.figures.figure_3 import place
from certify.studies.points import Point, decided
from certify.training.arms import METRICS, compare
from certify.training.record import records
from certify.training.rules import CONSISTENT, ORIGINAL

CAPTION = "Three arms of matched training: test accuracy over the updates, and differences from the original arm, seed by seed."
COLOURS = {ORIGINAL: BLUE, CONSISTENT: GREEN, "AR_1": ORANGE}


def study(files: tuple[str, ...] = ()) -> tuple[dict[str, Any], list[Point]]:
    """From the records named, or those of record. Raises BadInput where there are none, or one is not as it was written."""
    found = records("arms", files)
    return {"records": [_series(record) for record in found]}, [point for record in found for point in points(record)]


def points(record: dict[str, Any]) -> Iterator[Point]:
    """The table is what its runs give, and arms of one seed share their data."""
    at = {"p": str(record["settings"]["dim"]), "features": record["settings"]["features"]}
    kinds = {(run["factor"], run["seed"]) for run in record["runs"]}
    expected = len(kinds) * len(record["settings"]["arms"])
    yield Point(at, "every arm has a run for every seed and factor", decided(len(record["runs"]) == expected), {"runs": arb(expected)})
    if len(record["runs"]) != expected:
        return
    digests = {(run["factor"], run["seed"], run["data"]["sha256"]) for run in record["runs"]}
    yield Point(at, "arms of one seed and factor share their data", decided(len(kinds) == len(digests)))
    same = _shown(compare(record["runs"])) == _shown(record["compared"])
    yield Point(at, "means, deviations and tests are those of the runs", decided(same))


def _shown(compared: Sequence[dict[str, Any]]) -> list[Any]:
    """The table with its probabilities to six digits: the last ones are SciPy's and the platform's."""
    return [
        (row["factor"], row["metric"], arm, found["mean"], found["sd"], found["values"], *_rounded(found.get("test")))
        for row in compared
        for arm, found in sorted(row["arms"].items())
    ]


def _rounded(test: dict[str, Any] | None) -> tuple[Any, ...]:
    if test is None:
        return ()
    others = (None if test[name] is None else f"{test[name]:.6g}" for name in ("half_width", "p", "adjusted"))
    return test["difference"], *others, test["verdict"]


def _series(record: dict[str, Any]) -> dict[str, Any]:
    arms, factors = record["settings"]["arms"], record["settings"]["factors"]
    return {
        "settings": record["settings"],
        "curves": [_curve(record["runs"], factor, arm) for factor in factors for arm in arms],
        "compared": record["compared"],
    }


def _curve(runs: Sequence[dict[str, Any]], factor: int, arm: str) -> dict[str, Any]:
    """Steps, and a list of accuracies for each seed."""
    found = [run["curve"] for run in runs if (run["factor"], run["arm"]) == (factor, arm)]
    accuracy = [[point["accuracy"] for point in curve] for curve in found]
    return {"factor": factor, "arm": arm, "step": [point["step"] for point in found[0]], "accuracy": accuracy}


def draw(data: dict[str, Any]) -> Any:
    """A row a record: curves are means over seeds, a panel's dots are seeds and its bars their means."""
    figure, axes = canvas(PAGE, 3.0 * len(data["records"]), 2, len(data["records"]), width_ratios=[1, 1.6])
    for row, record in enumerate(data["records"]):
        left, right = axes[2 * row : 2 * row + 2]
        _draw_curves(left, record["curves"])
        _draw_differences(right, record)
        title(left, place(record["settings"]))
    return figure


def _draw_curves(axes: Any, curves: Sequence[dict[str, Any]]) -> None:
    styles = dict(zip(sorted({curve["factor"] for curve in curves}), ("-", "--", ":", "-."), strict=False))
    for curve in curves:
        colour, style = COLOURS.get(curve["arm"], GREY), styles.get(curve["factor"], "-")
        axes.plot(curve["step"], np.mean(curve["accuracy"], 0), style, color=colour, lw=0.9)
    for arm in dict.fromkeys(curve["arm"] for curve in curves):
        axes.plot([], [], "-", color=COLOURS.get(arm, GREY), label=arm)
    for factor, style in styles.items():
        axes.plot([], [], style, color="0.3", lw=0.9, label=f"factor {factor}")
    axes.legend(fontsize=TINY - 1, frameon=False, loc="lower right", ncols=2)
    axes.set(xlabel="updates", ylabel="test accuracy in percent")


def _draw_differences(axes: Any, record: dict[str, Any]) -> None:
    """The rows of the table from left to right; a ring where the test finds a difference."""
    rows = sorted(record["compared"], key=lambda row: (METRICS.index(row["metric"]), row["factor"]))
    names = []
    for middle, row in enumerate(rows):
        reference = np.array(row["arms"][ORIGINAL]["values"])
        others = [arm for arm in row["arms"] if arm != ORIGINAL]
        for number, arm in enumerate(others):
            found, x = row["arms"][arm], middle + 0.3 * (number - (len(others) - 1) / 2)
            differences, colour = np.array(found["values"]) - reference, COLOURS.get(arm, GREY)
            axes.plot(np.full(len(differences), x), differences, ".", color=colour, ms=2.5, alpha=0.6)
            axes.plot([x - 0.12, x + 0.12], [differences.mean()] * 2, color=colour, lw=1.4)
            if found["test"]["verdict"] == "difference":
                axes.plot(x, differences.mean(), "o", mfc="none", color="black", ms=7)
        names.append(f"{row['metric'].replace(', ', ' ').removesuffix(' classes').removesuffix(' pixels')}, {row['factor']}")
    axes.axhline(0, color="0.6", lw=0.6)
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=TINY - 1)
    axes.set(xlabel="metric, factor", ylabel="difference from original, points")
