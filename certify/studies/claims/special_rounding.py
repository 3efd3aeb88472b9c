r"""``certify.special`` as eager torch computes it on CPUs, within so many ulp at *every* float64 number of an interval.

The function is traced at a parameter for which the exact one is elementary, or I_0, and the interval is covered by boxes. On each, the
rounding errors of the program under the profile of the installed torch (claims profile.torch.*) and the distance of the program from the
exact function are bounded. ``addcmul`` and ``addcdiv`` are traced as their parts; a fused kernel rounds less often than they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Verdict

FUSED = {"how torch fuses operations that were decomposed": "addcmul and addcdiv round as their parts do, or fused"}
"""All that is unknown of the traces but what the profile says, and why it says enough: what is decomposed is addcmul and addcdiv."""


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
    def prove(profile: str, seed: int, k: Fraction) -> Verdict:
        return study(each, k, profile, seed)

    return prove


def study(each: Enclosed, k: Fraction, profile: str, seed: int) -> Verdict:
    """*refuted* by a number with a larger error, *enclosed* by a cover of the interval, else *undecided*."""
    from certify import special
    from certify.audit.bounds.bound import Bound
    from certify.audit.bounds.formula import formula
    from certify.audit.bounds.verdict import judge
    from certify.exact.number import exact

    function, box = getattr(special, each.name), {"x": (exact(each.low), exact(each.high))}
    claimed = Bound(each.formula, formula(each.formula, ("x",)), box, "float64", "ulp", "enclosed", FUSED)
    return judge(lambda x: function(x, **each.parameter), claimed, exact(k), profile, seed)


globals().update({id.replace(".", "_"): enclosed(id, each) for id, each in RANGES.items()})
