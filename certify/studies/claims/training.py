"""What training under different backward rules shows at every scale: run in small here, and held against the records.

Learned numbers are measurements of this machine, and no claim is about their size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from certify.claims.claim import claim
from certify.claims.exits import BadInput
from certify.claims.verdict import Reason, Verdict

if TYPE_CHECKING:
    from certify.studies.points import Point

STEPS = 42


@claim(
    "training.forks",
    statement=r"\text{Original and consistent recurrence: scores and losses equal bit for bit at 43 shared states, gradients that differ,}"
    r"\ \text{and branches of one start and one stream of batches that part}",
    domain=r"p = 128,\ \text{long-tailed handwritten digits, factor 100, 42 updates from a random and from a trained state}",
    source="Section 5.2, Figure 3, in small",
    grade="measured",
)
def forks(seed: int) -> Verdict:
    from certify.studies.figures.figure_3 import points
    from certify.training.forks import fork
    from certify.training.settings import Settings

    settings = Settings(steps=STEPS, seed=seed)
    return _verdict(lambda: points({"settings": settings.plain(), "runs": [{"seed": seed, **fork(settings)}]}), "forks in small")


@claim(
    "training.forks.record",
    statement=r"\text{The same at every fork of the records, which are as they were written}",
    domain=r"\text{reports/training/forks*.json: 1000 updates},\ p \in \{128, 512\}",
    source="Section 5.2, Figure 3, in small",
    grade="measured",
)
def forks_of_record() -> Verdict:
    from certify.studies.figures.figure_3 import study

    return _verdict(lambda: study()[1], "forks of record")


@claim(
    "training.arms.record",
    statement=r"\text{Means, deviations and paired tests are those of the runs recorded; arms of one seed and factor share their data}",
    domain=r"\text{reports/training/arms*.json: three arms, ten seeds, factors 10, 50, 100}",
    source="Section 5.5, Tables 1 and 8, in small",
    grade="measured",
)
def arms_of_record() -> Verdict:
    from certify.studies.figures.figure_training import study

    return _verdict(lambda: study()[1], "arms of record")


def _verdict(found: Callable[[], Iterable[Point]], summary: str) -> Verdict:
    """*not run* where data or records are not there."""
    from certify.studies.points import everywhere
    from certify.training.settings import Absent

    try:
        return everywhere(list(found()), summary, Verdict.measured)
    except Absent as error:
        return Verdict.not_run(Reason.MISSING, str(error))
    except BadInput as error:
        return Verdict.refuted({"record": str(error)}, str(error))
