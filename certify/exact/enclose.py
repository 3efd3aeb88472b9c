"""All that is enclosed at one point: Bessel ratio and potential, AR/FR beside them, and the concentration of a mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flint import arb, fmpq

from certify.exact.ball import accuracy, ball, bits_for, decimal, working_precision
from certify.exact.bessel import concentration, potential_difference, ratio, ratio_derivative
from certify.exact.debye import ladder_potential_difference, ladder_ratio
from certify.exact.domain import DIGITS, decimal_digits, mean_resultant, nonnegative, order, positive
from certify.exact.errors import NotAccepted
from certify.exact.number import Number
from certify.exact.selector import choose as choose_order

CUBIC_FROM = fmpq(10, 9)
"""The order from which the cubic bounds hold (claims ratio.cubic and score.cubic)."""

GUARD_BITS = 64
At = Callable[[int], arb]


@dataclass(frozen=True)
class Quantity:
    """A real number enclosed by ``value``."""

    symbol: str
    definition: str
    value: arb


@dataclass(frozen=True)
class Enclosures:
    """The question, exactly as understood, and the quantities that answer it."""

    nu: fmpq
    x: fmpq | None
    to: fmpq | None
    resultant: fmpq | None
    choose: fmpq | None
    digits: int
    quantities: tuple[Quantity, ...]

    def decimals(self) -> dict[str, str]:
        """Each quantity in proven digits."""
        return {quantity.symbol: decimal(quantity.value, self.digits) for quantity in self.quantities}


def enclose(
    nu: Number | None = None,
    x: Number | None = None,
    *,
    p: Number | None = None,
    to: Number | None = None,
    resultant: Number | None = None,
    choose: Number | None = None,
    digits: int = 30,
) -> Enclosures:
    """Enclose, to so many digits, what belongs to the order ``nu`` (or the dimension ``p`` = 2ν + 2).

    At ``x``: R and R′, A_R and R − A_R. With ``to``: the differences of Φ and of F_R between ``x`` and there. With
    ``resultant``: the κ where R_ν(κ) is that. With ``choose``: the smallest order n of the ladder with |R − A_n| ≤ choose
    proved for all x ≥ 0, or at ``x``, or between ``x`` and ``to``. A_R and F_R need ν > 0; errors of theirs so small that
    1000 digits do not show them come as bounds. Raises ValueError for numbers out of range, for a tolerance that no
    certificate reaches, and where nothing is asked.
    """
    at, wanted = order(nu, p), decimal_digits(digits)
    point = None if x is None else nonnegative("x", x)
    end = None if to is None else nonnegative("to", to)
    mean = None if resultant is None else mean_resultant(resultant)
    tolerance = None if choose is None else positive("choose", choose)
    if point is None and ((mean is None and tolerance is None) or end is not None):
        raise NotAccepted("give x, resultant or choose; to needs x")
    quantities: list[Quantity] = []
    with working_precision(bits_for(wanted) + GUARD_BITS):
        if point is not None:
            quantities += _ratios(at, point, wanted)
        if point is not None and end is not None:
            quantities += _differences(at, point, end, wanted)
        if mean is not None:
            quantities.append(Quantity("κ", "R_ν(κ) = resultant", concentration(at, mean, wanted)))
        if tolerance is not None:
            quantities += _chosen(at, tolerance, point, end, wanted)
    return Enclosures(at, point, end, mean, tolerance, wanted, tuple(quantities))


def _ratios(nu: fmpq, x: fmpq, digits: int) -> Iterator[Quantity]:
    yield Quantity("R", "I_{ν+1}(x)/I_ν(x)", ratio(nu, x, digits))
    yield Quantity("R′", "dR/dx", ratio_derivative(nu, x, digits))
    if nu > 0:
        yield Quantity("A_R", "x/(ν+s) − x/(2s²) + x(4ν²−x²)/(8s⁵), s = √(ν²+x²)", ladder_ratio(1, nu, x, digits))
        error = _difference(lambda d: ratio(nu, x, d), lambda d: ladder_ratio(1, nu, x, d), digits)
        yield Quantity("R − A_R", "error of A_R", error)
    if nu >= CUBIC_FROM:
        yield Quantity("ν⁻³", "bound of |R − A_R| (ratio.cubic)", 1 / ball(nu) ** 3)


def _differences(nu: fmpq, a: fmpq, b: fmpq, digits: int) -> Iterator[Quantity]:
    yield Quantity("ΔΦ", "Φ(to) − Φ(x), Φ(x) = log I_ν(x) − ν log x", potential_difference(nu, a, b, digits))
    if nu > 0:
        yield Quantity("ΔF_R", "F_R(to) − F_R(x)", ladder_potential_difference(1, nu, a, b, digits))
        error = _difference(lambda d: potential_difference(nu, a, b, d), lambda d: ladder_potential_difference(1, nu, a, b, d), digits)
        yield Quantity("ΔΦ − ΔF_R", "error of ΔF_R", error)
    if nu >= CUBIC_FROM:
        yield Quantity("ν⁻³|to − x|", "bound of |ΔΦ − ΔF_R| (score.cubic)", arb(abs(b - a)) / ball(nu) ** 3)


def _chosen(nu: fmpq, tolerance: fmpq, x: fmpq | None, to: fmpq | None, digits: int) -> Iterator[Quantity]:
    low, high = (fmpq(0), None) if x is None else sorted((x, x if to is None else to))
    choice = choose_order(tolerance, nu=nu, low=low, high=high)
    n = choice.n
    yield Quantity("n", f"smallest order with a bound of |R − A_n| within choose ({choice.certificate.claim})", arb(n))
    yield Quantity(f"|R − A_{n}| ≤", f"that bound, {choice.certificate.formula}", choice.bound)
    if x is not None:
        yield Quantity(f"A_{n}", "closed form of that order", ladder_ratio(n, nu, x, digits))
        yield Quantity(f"R − A_{n}", "its error", _difference(lambda d: ratio(nu, x, d), lambda d: ladder_ratio(n, nu, x, d), digits))


def _difference(left: At, right: At, digits: int) -> arb:
    """left − right: each to more digits until the difference has those wanted, or to the most that there are."""
    value = arb.nan()
    for each in sorted({digits, min(2 * digits, DIGITS[-1]), DIGITS[-1]}):
        with working_precision(bits_for(each) + GUARD_BITS):
            value = left(each) - right(each)
        if accuracy(value) >= digits:
            break
    return value
