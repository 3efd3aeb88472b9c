"""The formal language of rounding theorems: a program, the function it computes, what is assumed of each operation, and the bound.

Evidence is a bisection: m = x/(ν+s) and the share of ε = 1/ν run over the unit square as x ≥ 0 and ν run over their ranges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import Literal, NamedTuple

from certify.exact.profile import Profile
from certify.exact.program import EXACT, LEAVES, Program
from certify.exact.theorem import Formal

FORMAT = "certify.rounding/1"
LONGEST = 30


class Range(Formal, frozen=True):
    """Exponents of two of a format: min(x, x_max) is computed with, and ν ≤ nu_max."""

    x_max: int
    nu_max: int


class Assumed(Formal, frozen=True):
    """Bounds in ulps of the exact result; the operations in ``monotone`` ("hypot") are never below the sizes of their arguments."""

    name: str
    ulps: dict[str, str]
    monotone: tuple[str, ...] = ()


class Rounding(Formal, frozen=True):
    """|computed − f| ≤ k·u·unit for every float x ≥ 0 and every float ν in the range, in each of the formats.

    f is the last definition of ``where``, in terms of x and ν. ``unit`` is 1 or 1/s, s = hypot(min(x, x_max), ν). ``largest``, if given,
    bounds the computed value.
    """

    program: Program
    where: dict[str, str]
    nu: str
    formats: dict[str, Range]
    profile: Assumed
    k: str
    unit: Literal["1", "1/s"] = "1"
    largest: str = ""


class Tiling(Formal, frozen=True):
    """A bisection of the unit square in preorder: −1 and −2 halve along m and along the share of ε, lower half first; 0 is a leaf."""

    tree: tuple[int, ...]


class Missed(NamedTuple):
    """Where the proof fails: intervals of m and of ε, the bound there, in the theorem's unit, and why it fails."""

    m: tuple[float, float]
    eps: tuple[float, float]
    bound: float
    why: str

    @property
    def cell(self) -> dict[str, str]:
        """The box as intervals of x/ν = 2m/(1 − m²) and of ν."""
        ratio = [2 * m / (1 - m * m) if m < 1 else inf for m in self.m]
        orders = [1 / eps if eps else inf for eps in reversed(self.eps)]
        return {name: f"[{low:.6g}, {high:.6g}]" for name, (low, high) in (("x/nu", ratio), ("nu", orders))}


class RoundingCertificate(Formal, frozen=True):
    """A claim's rounding theorem with its evidence. ``lemmas`` names what is cited; ``digest`` protects against accidents only."""

    claim: str
    theorem: Rounding
    proof: Tiling
    lemmas: tuple[str, ...]
    digest: str
    format: Literal["certify.rounding/1"] = FORMAT


RANGES = {"binary32": Range(x_max=60, nu_max=30), "binary64": Range(x_max=500, nu_max=400)}
"""Of the kernels: with these nothing overflows, 1/s is a normal number, and beyond x_max the functions hardly change."""


def assumed(program: Program, profiles: Sequence[Profile], formats: Iterable[str] = RANGES) -> Assumed:
    """What a theorem assumes of the program's operations if it is to hold under each of the profiles, in each of the formats.

    Raises ProfileError where a profile has no bound for one of them.
    """
    ops = sorted({node.op for node in program.nodes} - {*LEAVES, *EXACT})
    ulps = {op: max(profile.bound(op, form) for profile in profiles for form in formats) for op in ops}
    monotone = "hypot" in ulps and all(profile.hypot_monotone for profile in profiles)
    return Assumed(
        name=", ".join(profile.name for profile in profiles),
        ulps={op: str(bound) for op, bound in ulps.items()},
        monotone=("hypot",) if monotone else (),
    )


def brief(value: Fraction) -> str:
    """A number for a message, on one line."""
    text = str(value)
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}…{text[-8:]}"


def order_range(low: Fraction, high: Fraction | None = None) -> str:
    """The range of ν as text. Raises ValueError unless 2^−16 ≤ low ≤ 2^20 and low ≤ high, written in at most 30 characters."""
    if not (Fraction(1, 2**16) <= low <= 2**20 and (high is None or low <= high)):
        raise ValueError(f"nu_min = {brief(low)}: orders from 2^-16 to 2^20 are accepted, and nu_max not below nu_min")
    if len(str(low)) > LONGEST:
        raise ValueError(f"nu_min = {brief(low)}: a number of at most {LONGEST} characters is accepted")
    return f"[{low}, {'oo)' if high is None else f'{high}]'}"


def positive_bound(name: str, value: Fraction) -> str:
    """The bound as text. Raises ValueError unless 0 < value ≤ 2^60, written in at most 30 characters."""
    if not 0 < value <= 2**60:
        raise ValueError(f"{name} = {brief(value)}: a bound {name} > 0 is accepted, up to 2^60")
    if len(str(value)) > LONGEST:
        raise ValueError(f"{name} = {brief(value)}: a number of at most {LONGEST} characters is accepted")
    return str(value)


def order_ends(nu: str) -> tuple[Fraction, Fraction | None]:
    """The ends of a range of ν; None where it has no upper one."""
    low, high = nu.strip("[)]").split(", ")
    return Fraction(low), None if high == "oo" else Fraction(high)
