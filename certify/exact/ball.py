"""Arb balls: made from exact numbers, computed at a demanded accuracy, and shown with proven digits only."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from flint import arb, ctx, fmpq, fmpz

from certify.exact.errors import NotAccepted
from certify.exact.number import Number, exact, magnitude, pairs

_GUARD_BITS = (20, 100, 400, 1600, 6400, 25600)
_PRINTABLE = 10**6


class PrecisionError(NotAccepted):
    """The accuracy asked for was not reached; the message names the quantity and the digits."""


class working_precision:
    """Context in which python-flint rounds to ``bits`` bits; the former precision returns also after an exception."""

    __slots__ = ("bits", "former")

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.former = bits

    def __enter__(self) -> None:
        self.former = ctx.prec
        ctx.prec = self.bits

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        ctx.prec = self.former


def ball(value: Number) -> arb:
    """The number as a ball of the working precision."""
    return arb(exact(value))


def hypotenuse(a: fmpq, b: fmpq) -> arb:
    """√(a² + b²)."""
    return arb(a * a + b * b).sqrt()


def bits_for(digits: int) -> int:
    """Bits of relative accuracy that imply ``digits`` decimal digits."""
    return digits * 3322 // 1000 + 2


def accuracy(value: arb) -> int:
    """Proven decimal digits: a d with radius ≤ 10^−d·|midpoint|, 0 if there is no d > 0, huge for an exact ball."""
    return max(0, value.rel_accuracy_bits() * 30102 // 100000) if value.is_finite() else 0


def demand(compute: Callable[[int], arb], digits: int, name: Callable[[], str], loss: int = 0) -> arb:
    """An enclosure of ``digits`` correct digits: every point of it is within 10^−digits, relatively, of every other.

    ``compute`` gets the wanted bits of relative accuracy and returns some enclosure; it runs at a working precision
    that exceeds them by ``loss`` (the cancellation expected) and a guard that grows until the accuracy is reached.
    Raises PrecisionError when it never is.
    """
    bits, value = bits_for(digits), arb.nan()
    for guard in _GUARD_BITS:
        with working_precision(bits + loss + guard):
            value = compute(bits + guard // 2)
        if value.is_finite() and value.rel_accuracy_bits() > bits:
            return value
    last = f"the last enclosure was {decimal(value, 5)}" if value.is_finite() else "no enclosure was found"
    raise PrecisionError(f"{name()} was not determined to {digits} digits: {last}")


def decimal(value: arb, digits: int) -> str:
    """At most ``digits`` significant digits, all proven: every point of the ball rounds to the decimal shown.

    An exact ball whose decimal expansion fits is shown without trailing zeros; a ball in which no digit is proven is
    shown as ``±bound``. Raises ValueError for balls that are not finite or have exponents beyond ±10^6.
    """
    lower, upper = _ends(value)
    for shown in range(min(digits, accuracy(value) + 1), 0, -1):
        text = _written(lower, shown, _nearest)
        if text == _written(upper, shown, _nearest):
            return _shortened(text) if lower == upper and _ends_within(lower, shown) else text
    return f"±{_written(max(abs(lower), abs(upper)), 2, fmpq.ceil)}"


def decimal_above(value: arb, digits: int) -> str:
    """A decimal of ``digits`` significant digits that is ≥ every point of the ball."""
    return _written(_ends(value)[1], digits, fmpq.ceil)


def decimal_below(value: arb, digits: int) -> str:
    """A decimal of ``digits`` significant digits that is ≤ every point of the ball."""
    return _written(_ends(value)[0], digits, fmpq.floor)


def _ends(value: arb) -> tuple[fmpq, fmpq]:
    """The end points of a finite ball, exactly."""
    mid, rad = pairs(value)
    if max(abs(mid[1]), abs(rad[1])) > _PRINTABLE:
        raise NotAccepted(f"a ball with a binary exponent beyond ±{_PRINTABLE} is not written in decimals")
    centre, radius = (fmpq(mantissa) * fmpq(2) ** exponent for mantissa, exponent in (mid, rad))
    return centre - radius, centre + radius


def _nearest(value: fmpq) -> fmpz:
    return (value + fmpq(1, 2)).floor()


def _written(value: fmpq, digits: int, rounding: Callable[[fmpq], fmpz]) -> str:
    """``value`` rounded to ``digits`` significant digits."""
    if value == 0:
        return "0"
    exponent = _decade(abs(value))
    mantissa = rounding(value * fmpq(10) ** (digits - 1 - exponent))
    figures = str(abs(mantissa))
    exponent += len(figures) - digits
    return ("-" if value < 0 else "") + _layout(figures[:digits], exponent)


def _decade(value: fmpq) -> int:
    """The e with 10^e ≤ value < 10^(e+1)."""
    exponent = (magnitude(value) - 2) * 30103 // 100000
    while fmpq(10) ** (exponent + 1) <= value:
        exponent += 1
    return exponent


def _layout(figures: str, exponent: int) -> str:
    """d.ddd·10^exponent, positional where that adds few zeros before the digits and none after them."""
    if 0 <= exponent < len(figures):
        whole, part = figures[: exponent + 1], figures[exponent + 1 :]
    elif -4 <= exponent < 0:
        whole, part = "0", "0" * (-exponent - 1) + figures
    else:
        whole, part = figures[0], figures[1:]
    power = "" if -4 <= exponent < len(figures) else f"e{exponent}"
    return whole + (f".{part}" if part else "") + power


def _ends_within(value: fmpq, digits: int) -> bool:
    """Whether ``value`` has a decimal expansion of at most so many significant digits."""
    return value == 0 or (value * fmpq(10) ** (digits - 1 - _decade(abs(value)))).q == 1


def _shortened(text: str) -> str:
    """``text`` without its trailing zeros."""
    mantissa, mark, power = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + mark + power
