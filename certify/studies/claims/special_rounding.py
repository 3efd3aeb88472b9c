r"""``certify.special`` as eager torch computes it on CPUs, within so many ulp at *every* float64 number of an interval.

The function is traced at a parameter for which the exact one is elementary, or I_0, and the interval is covered by boxes. On each, the
rounding errors of the program under the profile of the installed torch (claims profile.torch.*) and the distance of the program from the
exact function are bounded. ``addcmul`` and ``addcdiv`` are traced as their parts; a fused kernel rounds less often than they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict

POINTS, BOXES = 400, 4000
FUSED = "how torch fuses operations that were decomposed"
"""All that is unknown of the traces but what the profile says: here of addcmul and addcdiv."""


@dataclass(frozen=True)
class Enclosed:
    """A function of ``certify.special`` at one parameter, the same as a formula, and the interval."""

    name: str
    parameter: dict[str, str]
    formula: str
    statement: str
    low: str
    high: str
    ulps: str


RANGES = {
    "gamma_hazard.1": Enclosed(
        "gamma_hazard",
        {"a": "1/2"},
        "1/(sqrt(pi*x)*exp(x)*erfc(sqrt(x)))",
        r"h(x) = x^{-1/2}e^{-x}/\Gamma(\tfrac12,x)",
        "1/2",
        "8",
        "4",
    ),
    "gamma_hazard.2": Enclosed(
        "gamma_hazard",
        {"a": "5/2"},
        "1/(1 + 3/(2*x) + 3*sqrt(pi)*exp(x)*erfc(sqrt(x))/(4*x*sqrt(x)))",
        r"h(x) = x^{3/2}e^{-x}/\Gamma(\tfrac52,x)",
        "21/8",
        "64",
        "2",
    ),
    "log_kummer": Enclosed(
        "log_kummer",
        {"p": "2"},
        "x + log(i0e(x/2))",
        r"h(x) = \log M(\tfrac12,1,x) = \log(e^{x/2} I_0(\tfrac x2))",
        "1",
        "8",
        "6",
    ),
}


def enclosed(id: str, each: Enclosed) -> Claim:
    """The claim ``special.rounding.ID``."""

    @claim(
        f"special.rounding.{id}",
        statement=rf"|\mathrm{{fl}}(h(x)) - h(x)| \le k\ \mathrm{{ulp}}(h(x)),\quad {each.statement}",
        domain=rf"x \in [{each.low}, {each.high}],\ \text{{every float64 number}}",
        source="beyond the paper: the functions of certify.special on this machine",
        grade="enclosed",
        constants={"k": Fraction(each.ulps)},
    )
    def prove(seed: int, k: Fraction) -> Verdict:
        return study(each, k, seed)

    return prove


def study(each: Enclosed, k: Fraction, seed: int) -> Verdict:
    """*refuted* by a number with a larger error, *enclosed* by a cover of the interval, else *undecided*."""
    import torch

    from certify import special
    from certify.audit.bounds.allowed import Allowed
    from certify.audit.bounds.formula import formula
    from certify.audit.bounds.points import Search, witness
    from certify.audit.bounds.truth import truth
    from certify.exact.format import FORMATS
    from certify.exact.number import exact

    def function(x: Any) -> Any:
        return getattr(special, each.name)(x, **each.parameter)

    reference, box = formula(each.formula, ("x",)), {"x": (exact(each.low), exact(each.high))}
    allowed = Allowed(exact(k), "ulp", FORMATS["binary64"])
    search = Search(function, truth(reference, each.formula), allowed, box, torch.float64)
    found, count = search.worst(POINTS, seed)
    assert found is not None
    if search.violates(found):
        return Verdict.refuted(witness(search, found), f"the error is {found.size:.4g} times what is allowed")
    return _covered(function, reference, allowed, box, f"at {count} numbers the error is at most {found.size:.3g} of what is allowed")


def _covered(function: Any, reference: Any, allowed: Any, box: Any, sampled: str) -> Verdict:
    import torch
    from flint import arb

    from certify.audit.bounds.cover import Problem
    from certify.audit.bounds.points import float_of
    from certify.audit.bounds.verdict import OWN, PROFILE
    from certify.audit.traced.trace import trace
    from certify.exact.ball import decimal_above
    from certify.exact.number import show

    low, high = box["x"]
    traced = trace(function, ("x",), {}, (float_of(low), float_of(high)), torch.float64, derivative=False)
    if others := [each for each in traced.unseen[:-OWN] if each != FUSED]:
        return Verdict.undecided(Reason.INEQUALITY_OPEN, f"{sampled}; rounding errors are not known, because of {'; '.join(others)}")
    cover = Problem(traced.program, reference, allowed, PROFILE).cover(box, BOXES)
    if cover.open is not None:
        place = {name: f"[{show(a)}, {show(b)}]" for name, (a, b) in cover.open.items()}
        return Verdict.undecided(Reason.INEQUALITY_OPEN, f"{sampled}; on the box named nothing is shown", box=place)
    summary = f"for every float64 number of the domain the error is at most {decimal_above(arb(cover.share), 3)} of what is allowed"
    assumed = f"profile {PROFILE.name}: {PROFILE.source}; addcmul and addcdiv round as their parts do, or fused"
    return Verdict.enclosed(summary, boxes=cover.boxes, assumed=assumed, points=sampled)


globals().update({id.replace(".", "_"): enclosed(id, each) for id, each in RANGES.items()})
