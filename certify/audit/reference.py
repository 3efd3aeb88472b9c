"""What is true: references by name or as callables on mpmath numbers.

A name is an expression in x over mpmath's functions and constants, ``besseli(0, x)*exp(-x)``; a function of Arb's, ``arb.lgamma``;
a common name such as ``sigmoid``; or any function ``package.module:function(63, x)`` or ``file.py:function`` that returns a ball, an
mpmath number, a fraction or a float for an exact x, a ``Fraction``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mp

from certify.audit.expression import COMMON, CONSTANTS, OF_PARAMETER, Unnamed, expression, parsed
from certify.audit.target import imported
from certify.claims.text import line

DIGITS = 50
LOST = mpmath.mpf(10) ** -25  # relatively, of a value that is known
UNDERFLOW = 324  # digits before those of the least double
Reference = Callable[[Any], Any]


def reference(named: str | Reference) -> Reference:
    """The reference as a callable. Raises ValueError, one line, for a name that is none."""
    if callable(named):
        return named
    text = str(named).strip()
    if ":" in text:
        home, _, call = text.rpartition(":")
        return _imported(home.strip(), call.strip())
    if text.startswith("arb."):
        return _arb(text.removeprefix("arb."))
    if text in COMMON:
        return COMMON[text]
    if text in OF_PARAMETER:
        raise Unnamed(f"reference {text!r}: it needs its parameter, as in {text}(3, x)")
    return expression(f"{text}(x)" if text.isidentifier() and text not in ("x", *CONSTANTS) else text)


def _imported(home: str, call: str) -> Reference:
    tree = parsed(call if "(" in call else f"{call}(x)")
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        raise Unnamed(f"reference {home}:{call}: use module:function(63, x) or file.py:function")
    try:
        function = getattr(imported(home), tree.func.id)
        arguments = [None if isinstance(a, ast.Name) and a.id == "x" else ast.literal_eval(a) for a in tree.args]
    except (AttributeError, ValueError) as error:
        raise Unnamed(f"reference {home}:{call}: {line(str(error))}") from None
    if not callable(function):
        raise Unnamed(f"reference {home}:{call}: {tree.func.id} is a {type(function).__name__}, not a function")
    return lambda x: _number(function(*(_exact(x) if a is None else a for a in arguments)))


def _arb(name: str) -> Reference:
    from flint import arb

    if not callable(getattr(arb, name, None)):
        raise Unnamed(f"reference arb.{name}: Arb has no function of that name")

    def evaluate(x: Any) -> Any:
        from flint import ctx

        bits, ctx.prec = ctx.prec, mp.prec + 100
        try:
            exact = _exact(x)
            return _number(getattr(arb(exact.numerator) / arb(exact.denominator), name)())
        finally:
            ctx.prec = bits

    return evaluate


def _exact(x: Any) -> Fraction:
    sign, mantissa, exponent, _ = mp.mpf(x)._mpf_
    return Fraction(-mantissa if sign else mantissa) * Fraction(2) ** exponent


def _number(value: Any) -> Any:
    """A ball by its midpoint, nan where it is wider than half of the digits; anything else as mpmath reads it."""
    if hasattr(value, "mid") and hasattr(value, "rad"):
        digits = value.str(mp.dps, radius=False)
        return mp.mpf(digits) if value.is_finite() and digits != "nan" else mp.nan
    return mp.mpmathify(value)


def real(truth: Reference, x: Any) -> Any:
    """The reference at x, at mpmath's working precision; None where it has no real value."""
    try:
        value = mp.mpmathify(truth(x))
    except Exception:
        return None
    if isinstance(value, mpmath.mpc):
        if value.imag != 0:
            return None
        value = value.real
    return value if mp.isfinite(value) else None


def known(truth: Reference, x: Any) -> Any:
    """``real``, and None where more digits show another value, beside 1 the least of doubles: the text loses too many there."""
    value = real(truth, x)
    if value is None:
        return None
    with mp.workdps(2 * mp.dps if value else mp.dps + UNDERFLOW):
        again = real(truth, x)
        return None if again is None or abs(again - value) > LOST * abs(again) else value
