"""Rounding theorems held against what is observed: no error above the bound, and errors nearly as large as the bound."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict
from certify.exact.format import FORMATS
from proofs.rounding import derivative, ratio

if TYPE_CHECKING:
    from certify.exact.rounding.theorem import Rounding
    from certify.studies.observed import Observed

POINTS = {"quick": 10**5, "full": 10**7}
ORDERS_NU = (Fraction(3), Fraction(7, 2), Fraction(63), Fraction(255), Fraction(8191, 2))
SOURCE = "beyond the paper: observation of the claims rounding.ratio and rounding.derivative"
HALF, NEARLY = Fraction(1, 2), Fraction(101, 100)


def _ratio(n: int, k: Fraction) -> Rounding:
    return ratio.theorem(n, "", "", k, ratio.LEAST[n])


def _derivative(n: int, k: Fraction) -> Rounding:
    return derivative.theorem(n, "", k, derivative.LEAST[n])


def sampled(name: str, theorem: Callable[[int, Fraction], Rounding], form: str, bound: Fraction, factor: Fraction) -> Claim:
    """The claim ``rounding.observed.name.form``: random and adversarial inputs, for all orders n of the ladder."""

    @claim(
        f"rounding.observed.{name}.{form}",
        statement=r"\frac kf \le \max |\mathrm{fl}(f(x)) - f(x)|/u \le k",
        domain=r"10^5\ (10^7\ \text{in the full profile})\ \text{inputs, random and adversarial},\ n = 0, \dots, 8,\ \nu \ge \nu_{\min}(n)",
        source=SOURCE,
        grade="sampled",
        constants={"k": bound, "factor": factor},
    )
    def observed(k: Fraction, factor: Fraction, profile: str, seed: int) -> Verdict:
        from certify.studies.observed import NOTHING, observe

        found = NOTHING
        try:
            for n in ratio.ORDERS:
                found = found.merged(observe(theorem(n, k), form, POINTS[profile] // len(ratio.ORDERS), seed + n, k))
        except ValueError as error:
            return Verdict.not_run(Reason.MISSING, str(error))
        return _verdict(found, k, factor)

    return observed


def _verdict(found: Observed, k: Fraction, factor: Fraction) -> Verdict:
    facts = {"largest error": f"{found.largest:.6f}", "at": f"x = {found.x!r}, nu = {found.nu!r}", "inputs": found.errors}
    if found.violation is not None:
        return Verdict.refuted(found.violation, f"an error above {float(k):.6g} u was seen", **facts)
    if found.largest * factor < k:
        summary = f"no error above {found.largest:.6f} u was seen, one of {float(k / factor):.6g} u is asked for"
        return Verdict.undecided(Reason.INEQUALITY_OPEN, summary, **facts)
    return Verdict.sampled(f"no error above {float(k):.6g} u at {found.errors} inputs, the largest is {found.largest:.6f} u", **facts)


ratio_32 = sampled("ratio", _ratio, "binary32", ratio.SHARP, Fraction(3, 2))
ratio_64 = sampled("ratio", _ratio, "binary64", ratio.SHARP, Fraction(3, 2))
derivative_32 = sampled("derivative", _derivative, "binary32", derivative.SIX, Fraction(5, 2))
derivative_64 = sampled("derivative", _derivative, "binary64", derivative.SIX, Fraction(5, 2))


def short(name: str) -> Claim:
    """The claim ``rounding.observed.name``: all inputs in a format that is computed with in binary32."""

    @claim(
        f"rounding.observed.{name}",
        statement=r"|\mathrm{fl}(A_n(x)) - A_n(x)| \le (\tfrac12 + k\,2^{-24}/u)\,u",
        domain=rf"\text{{every finite {name} number}}\ x \ge 0,\ n = 0, \dots, 8,\ \nu \in \{{3, \tfrac72, 63, 255, \tfrac{{8191}}2\}}",
        source=SOURCE,
        grade="sampled",
        constants={"k": ratio.SHARP},
    )
    def observed(k: Fraction) -> Verdict:
        from certify.studies.observed import NOTHING, stored

        found = NOTHING
        for n in ratio.ORDERS:
            for nu in ORDERS_NU:
                found = found.merged(stored(_ratio(n, ratio.SHARP), name, float(nu), k))
        return _verdict(found, HALF + k * Fraction(2) ** (FORMATS[name].bits - 24), NEARLY)

    return observed


BINADES = range(-12, 26)  # of x/ν

bfloat16 = short("bfloat16")
float16 = short("float16")


@claim(
    "rounding.observed.every",
    statement=r"|\mathrm{fl}(A_1(x)) - A_1(x)| \le k\,u",
    domain=r"\nu = 63,\ \text{every binary32 number}\ x\ \text{with}\ 2^{-12} \le x/\nu < 2^{26}",
    source=SOURCE,
    grade="sampled",
    constants={"k": ratio.SHARP},
    long=True,
)
def every_number(k: Fraction, profile: str) -> Verdict:
    if profile == "quick":
        return Verdict.not_run(Reason.LONG, f"{len(BINADES) << 23} numbers are left to --profile full")
    from certify.studies.observed import every

    found = every(_ratio(1, ratio.SHARP), 63.0, BINADES, k)
    return _verdict(found, k, Fraction(2))
