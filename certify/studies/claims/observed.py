"""Rounding theorems held against what is observed: no error above the bound, and errors nearly as large as the bound.

Of every order n the bound of the ratio is within a factor 1.04 of the largest error seen, that of the derivative within 1.5 in the full
profile (1.6 is asked for, as 10⁵ inputs show less). Bounds of differences are up to twice what is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict
from certify.exact.format import FORMATS
from proofs.rounding import derivative, difference, ratio

if TYPE_CHECKING:
    from certify.exact.rounding.theorem import Rounding
    from certify.studies.fidelity.observed import Observed

POINTS = {"quick": 10**5, "full": 10**7}
ORDERS_NU = (Fraction(3), Fraction(7, 2), Fraction(63), Fraction(255), Fraction(8191, 2))
SOURCE = "beyond the paper: observation of the claims rounding.ratio, rounding.derivative and rounding.difference"
HALF, NEARLY, CLOSE, NEAR = Fraction(1, 2), Fraction(101, 100), Fraction(3, 2), Fraction(8, 5)


def _ratio(n: int, k: Fraction) -> Rounding:
    return ratio.theorem(n, "", "", k, ratio.LEAST[n])


def _derivative(n: int, k: Fraction) -> Rounding:
    return derivative.theorem(n, "", k, derivative.LEAST[n])


def sampled(name: str, theorem: Callable[[int, Fraction], Rounding], form: str, bound: Fraction, factor: Fraction) -> Claim:
    """The claim ``rounding.observed.name.form``: random and adversarial inputs, for all orders n of the ladder."""

    @claim(
        f"rounding.observed.{name}.{form}",
        statement=r"\frac kf \le \max |\mathrm{fl}(f(x)) - f(x)|/u \le k\ \text{for every}\ n",
        domain=r"10^5\ (10^7\ \text{in the full profile})\ \text{inputs, random and adversarial},\ n = 0, \dots, 8,\ \nu \ge \nu_{\min}(n)",
        source=SOURCE,
        grade="sampled",
        constants={"k": bound, "factor": factor},
    )
    def observed(k: Fraction, factor: Fraction, profile: str, seed: int) -> Verdict:
        from certify.studies.fidelity.observed import observe

        points = POINTS[profile] // len(ratio.ORDERS)
        try:
            found = {str(n): observe(theorem(n, k), form, points, seed + n, k) for n in ratio.ORDERS}
        except ValueError as error:
            return Verdict.not_run(Reason.MISSING, str(error))
        return _of_orders(found, k, factor)

    return observed


def _of_orders(found: Mapping[str, Observed], k: Fraction, factor: Fraction) -> Verdict:
    """The verdict on the order n whose errors stay farthest below k, or on one that exceeds it; with a table of all."""
    table = {f"n = {n}": f"{each.largest:.4f} u; k is {float(k) / each.largest:.3f} times as large" for n, each in found.items()}
    wrong = [each for each in found.values() if each.violation is not None]
    least = min(wrong or found.values(), key=lambda each: each.largest)
    return _verdict(replace(least, errors=sum(each.errors for each in found.values())), k, factor, table)


def _verdict(found: Observed, k: Fraction, factor: Fraction, table: Mapping[str, str] | None = None) -> Verdict:
    facts = {"largest error": f"{found.largest:.6f}", "at": f"x = {found.x!r}, nu = {found.nu!r}", "inputs": found.errors, **(table or {})}
    if found.violation is not None:
        return Verdict.refuted(found.violation, f"an error above {float(k):.6g} u was seen", **facts)
    if found.largest * factor < k:
        summary = f"no error above {found.largest:.6f} u was seen, one of {float(k / factor):.6g} u is asked for"
        return Verdict.undecided(Reason.INEQUALITY_OPEN, summary, **facts)
    largest = "of every n the largest is at least" if table else "the largest is"
    return Verdict.sampled(f"no error above {float(k):.6g} u at {found.errors} inputs, {largest} {found.largest:.6f} u", **facts)


ratio_32 = sampled("ratio", _ratio, "binary32", ratio.SHARP, CLOSE)
ratio_64 = sampled("ratio", _ratio, "binary64", ratio.SHARP, CLOSE)
derivative_32 = sampled("derivative", _derivative, "binary32", derivative.SHARP, NEAR)
derivative_64 = sampled("derivative", _derivative, "binary64", derivative.SHARP, NEAR)


@claim(
    "rounding.observed.difference",
    statement=r"\frac1f \le \max |\mathrm{fl}(F_n(b) - F_n(a)) - (F_n(b) - F_n(a))|/(k\,u\,|s(b) - s(a)|) \le q",
    domain=r"\text{binary32, random and hill-climbed}\ a, b, \nu,\ n\ \text{and}\ k\ \text{as in rounding.difference}",
    source=SOURCE,
    grade="sampled",
    constants={"q": 1, "factor": "9/4"},
)
def differences(q: Fraction, factor: Fraction, profile: str, seed: int) -> Verdict:
    """About twice below k: 25 and more errors add up in the proof, each as if its result were just above a power of two."""
    from certify.exact.rounding.difference_violation import GENERATIONS, worst

    generations, shares, table = GENERATIONS if profile == "full" else 8, {}, {}
    for name, (n, nu_min, k) in difference.BOUNDS.items():
        found = max((worst(n, Fraction(nu_min), seed, generations, far) for far in (False, True)), key=lambda each: each.ratio)
        shares[name] = found.ratio / float(Fraction(k))
        where = f"a = {found.a}, b = {found.b}, nu = {found.nu}"
        table[f"n = {name}"] = f"{found.ratio:.4f} u; k = {k} is {1 / shares[name]:.3f} times as large; at {where}"
    most, least = max(shares.values()), min(shares.values())
    if most > q:
        return Verdict.refuted(table, f"an error of {most:.4f} times the bound was seen", **table)
    if least * float(factor) < 1:
        return Verdict.undecided(Reason.INEQUALITY_OPEN, f"no error above {least:.4f} of one of the bounds was seen", **table)
    return Verdict.sampled(f"the largest errors are between {least:.3f} and {most:.3f} of the bounds", **table)


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
        from certify.studies.fidelity.observed import NOTHING, stored

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
    from certify.studies.fidelity.observed import every

    found = every(_ratio(1, ratio.SHARP), 63.0, BINADES, k)
    return _verdict(found, k, Fraction(2))
