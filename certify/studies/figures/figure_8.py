"""Figure 8: score and loss errors of the stress test against the class count, below their certificates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from flint import arb

from certify.data.printed import load
from certify.exact.number import exact
from certify.exact.truth import less
from certify.studies.figures.drawing import BLUE, GREEN, GREY, ORANGE, PAGE, RED, canvas, label, title
from certify.studies.points import Point, at_most
from certify.studies.states.imbalance import COUNTS, RATIOS, Configuration, configurations

CAPTION = "Score and loss errors remain below their certificates as the class count varies: 15 fixed states, errors enclosed."
CLOSE = exact("1e-12")
COLOURS: dict[int, str] = dict(zip(RATIOS, (BLUE, ORANGE, GREEN), strict=True))


def study() -> tuple[dict[str, Any], list[Point]]:
    """Fifteen configurations: class counts and directions are ours, the paper states neither."""
    found = _found()
    entries = [
        {
            "classes": each.classes,
            "prior_ratio": each.ratio,
            "score_error": float(each.score),
            "loss_error": float(each.loss),
            "score_bound": float(each.score_bound),
            "loss_bound": float(each.loss_bound),
        }
        for each in found
    ]
    return {"configurations": entries}, [*_points(found)]


@cache
def _found() -> tuple[Configuration, ...]:
    return tuple(configurations())


def _points(found: tuple[Configuration, ...]) -> Iterator[Point]:
    printed = load().tables["stress"]
    scores: dict[int, arb] = {}
    for each in found:
        at = {"classes": str(each.classes), "prior ratio": str(each.ratio)}
        pairs = ((each.score, each.score_bound, printed["score_bound"]), (each.loss, each.loss_bound, printed["mean_cross_entropy_bound"]))
        for name, (error, bound, text) in zip(("score", "loss"), pairs, strict=True):
            yield Point(at, f"{name} error < its certificate", less(error, bound), {"error": error, "certificate": bound})
            yield Point(at, f"its certificate <= {text}", at_most(bound, exact(str(text))), {"certificate": bound})
        first = scores.setdefault(each.classes, each.score)
        same = at_most(abs(first - each.score), CLOSE)
        yield Point(at, "the largest score error does not depend on the priors within 1e-12", same, {"error": each.score})


def draw(data: dict[str, Any]) -> Any:
    """Class counts equally spaced; the certificates dashed."""
    figure, (left, right) = canvas(PAGE, 2.4, columns=2)
    _draw(left, data, "score", (RATIOS[0],))
    title(left, "(a) largest score error")
    label(left, 0, _of(data, RATIOS[0], "score_error")[0], "all three prior ratios", BLUE, xytext=(0, -8))
    _draw(right, data, "loss", RATIOS)
    title(right, "(b) mean cross-entropy error")
    for rank, ratio in enumerate(RATIOS):
        place = _of(data, ratio, "loss_error")[-1]
        label(right, len(COUNTS) - 1, place, f"prior ratio {ratio}", COLOURS[ratio], xytext=(5, 9 * (rank - 1)))
    return figure


def _draw(axes: Any, data: dict[str, Any], name: str, ratios: tuple[int, ...]) -> None:
    places = range(len(COUNTS))
    for ratio in ratios:
        axes.plot(places, _of(data, ratio, f"{name}_error"), "o-", color=COLOURS[ratio], lw=1.2, ms=3.5)
    bound = _of(data, RATIOS[0], f"{name}_bound")
    axes.plot(places, bound, "--", color=RED, lw=1.2)
    label(axes, 0, bound[0], f"certificate {bound[0]:.2e}".replace("e-0", "e−"), RED, xytext=(0, 6))
    axes.set(yscale="log", xlabel="classes", ylabel="absolute error", ylim=(1e-9, 2e-4), xlim=(-0.2, len(COUNTS) - 0.2))
    axes.set_xticks(places, map(str, COUNTS))
    axes.grid(axis="y", color=GREY, alpha=0.15, linewidth=0.5)


def _of(data: dict[str, Any], ratio: int, name: str) -> list[float]:
    return [entry[name] for entry in data["configurations"] if entry["prior_ratio"] == ratio]
