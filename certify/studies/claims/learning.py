r"""The guarantees learning.* evaluated at states: each bound is held against the actual error, which is enclosed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from flint import fmpq

from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.number import exact
from certify.studies.points import Point, at_most, everywhere

ORDERS = (0, 1, 4)
WANTED_LOSS, WANTED_GRADIENT = "1e-8", "1e-6"


@claim(
    "learning.stress",
    statement=r"\max_{i,j}|\hat q_j(f_i)-q_j(f_i)| \le \frac{C\max_i\|f_i\|}{\tau\nu^3} \le 4.00\cdot10^{-5},\quad"
    r" |\hat L - L| \le \frac{2C}{B}\sum_i\frac{\|f_i\|}{\tau\nu^3} \le 8.00\cdot10^{-5},\ C = 1",
    domain=r"\text{15 states: } p = 128,\ \tau = 0.1,\ B = 8,\ K \in \{10,100,500,1000,2000\},\ \text{prior ratios}\ 1, 100, 1000",
    source="Appendix E.3, Figure 8",
    grade="enclosed",
    constants={"C": 1},
)
def stress(C: Fraction) -> Verdict:
    return everywhere(_stress(exact(C)), "scores and losses stay below their certificates in all 15 configurations")


def _stress(C: fmpq) -> Iterator[Point]:
    from certify.data.printed import load
    from certify.studies.states.imbalance import configurations

    printed = load().tables["stress"]
    for each in configurations():
        at = {"classes": str(each.classes), "prior ratio": str(each.ratio)}
        rows = (
            ("score", each.score, C * each.score_bound, str(printed["score_bound"])),
            ("loss", each.loss, C * each.loss_bound, str(printed["mean_cross_entropy_bound"])),
        )
        for name, error, bound, text in rows:
            yield Point(at, f"{name} error <= its guarantee", at_most(error, bound), {"error": error, "guarantee": bound})
            yield Point(at, f"its guarantee <= {text}", at_most(bound, exact(text)), {"guarantee": bound})


@claim(
    "learning.states",
    statement=r"\text{score, loss, total variation and gradient errors of}\ F_n, A_n"
    r"\ \text{are at most}\ c\ \text{times their guarantees,}\ c = 1",
    domain=r"\text{every sample of the states that come with the package},\ n \in \{0, 1, 4\}",
    source="Appendices D.1 and D.8 and their sharper forms, claims learning.*; at points",
    grade="enclosed",
    constants={"c": 1},
)
def states(c: Fraction) -> Verdict:
    return everywhere(_states(exact(c)), "every actual error is below its guarantees, those of the paper and the sharper ones")


def _states(c: fmpq) -> Iterator[Point]:
    from certify.learning.assessment import formula_errors, needed
    from certify.learning.bounds import anywhere, here
    from certify.learning.committed import names, shipped
    from certify.learning.enclosure import enclose

    for name, n in product(names(), ORDERS):
        found = shipped(name)
        samples = [sample for view in enclose(found, needed(found.order, n)) for sample in view]
        for number, sample in enumerate(samples):
            at, errors = {"state": name, "sample": str(number), "n": str(n)}, formula_errors(sample, n)
            for where, bounds in (("anywhere", anywhere(sample, n)), ("here", here(sample, n))):
                for quantity in ("score", "loss", "variation", "gradient"):
                    error, bound = getattr(errors, quantity), c * getattr(bounds, quantity)
                    yield Point(at, f"{quantity} error <= guarantee {where}", at_most(error, bound), {"error": error, "guarantee": bound})


@claim(
    "learning.tolerance",
    statement=r"|R_\nu-\hat R| \le \varepsilon\ \text{guarantees}\ |\Delta L| \le 10^{-8},\ \|\Delta G_i\| \le 10^{-6},\ \text{and}"
    r"\ \varepsilon_{\text{confident}} \ge c\,\varepsilon_{\text{diffuse}},\ c = 10^4",
    domain=r"\text{the two states that come with the package};\ \varepsilon\ \text{as certify tolerance finds it}",
    source="beyond the paper: the inverse of Appendix D.8",
    grade="enclosed",
    constants={"c": 10**4},
)
def tolerances(c: Fraction) -> Verdict:
    return everywhere(_tolerances(exact(c)), "the tolerances found suffice, and a confident state's is orders of magnitude larger")


def _tolerances(c: fmpq) -> Iterator[Point]:
    from certify.learning.bounds import largest
    from certify.learning.committed import shipped
    from certify.learning.enclosure import enclose
    from certify.learning.tolerances import Wanted, mean_loss, primitive_tolerances, with_ratio_error

    wanted, found = Wanted(exact(WANTED_LOSS), exact(WANTED_GRADIENT)), {}
    for name in ("diffuse", "confident"):
        samples = [sample for view in enclose(shipped(name)) for sample in view]
        by = primitive_tolerances(samples, wanted)
        found[name] = min(by["loss"] or fmpq(0), by["gradient"] or fmpq(0))
        bounds = [with_ratio_error(sample, found[name]) for sample in samples]
        loss, gradient = mean_loss(bounds), largest([bound.gradient for bound in bounds])
        at = {"state": name, "tolerance": str(found[name])}
        yield Point(at, f"loss <= {WANTED_LOSS}", at_most(loss, exact(WANTED_LOSS)), {"loss": loss})
        yield Point(at, f"gradient <= {WANTED_GRADIENT}", at_most(gradient, exact(WANTED_GRADIENT)), {"gradient": gradient})
    yield Point({}, "c times the diffuse state's <= the confident one's", at_most(c * found["diffuse"], found["confident"]), found)
