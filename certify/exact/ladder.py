"""The ladder A_n, F_n as definitions of a formal theorem, and the setting of its theorems: every order n ≥ 0 by the same words.

With ε = 1/ν, t = ν/s, w = x/s and the polynomials b_k, D_k of ``exact.debye_polynomials``,

    A_n = w·(1/(1+t) + Σ_{k=1}^{n+1} ε^k b_k(t)),      F_n = s − ν log(ν+s) − ½ log s + Σ_{k=1}^{n} ε^k D_k(t).

The polynomials are written out, each under a name of its own, so that a reader sees them and a checker evaluates them once a point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import fmpq_poly

from certify.exact.debye_polynomials import potential_polynomial, ratio_polynomial
from certify.exact.domain import ladder_order
from certify.exact.theorem import Chart
from certify.exact.uniform import chart

SYMBOLS = {"eps": "1/nu", "r": "sqrt(1 + (x/nu)**2)", "t": "1/r", "w": "x/s"}


def ladder_chart(nu_min: Fraction) -> Chart:
    """The chart of ``exact.uniform`` with r = s/ν, and so t, as a function of m alone."""
    uniform = chart(nu_min)
    return Chart(symbols=uniform.symbols, roots={**uniform.roots, "r": "(1 + m**2)/(1 - m**2)"})


def ratio_definitions(n: int, name: str = "a") -> dict[str, str]:
    """b_1 … b_{n+1} and A_n under ``name``, over ε, t and w. Raises ValueError unless 0 ≤ n ≤ 100."""
    names = [f"b{k}" for k in range(1, ladder_order(n) + 2)]
    polynomials = {symbol: polynomial(ratio_polynomial(k)) for k, symbol in enumerate(names, 1)}
    return polynomials | {name: f"w*(1/(1 + t) + {series(names)})"}


def alternating_definitions(n: int) -> dict[str, str]:
    """b_k with the sign (−1)^k, k = 1 … n + 1, and C = w Σ ε^k b_k, over ε, t and w."""
    signed = alternating("b", ratio_polynomial, ladder_order(n) + 1)
    return signed | {"C": f"w*({series(list(signed))})"}


def alternating(letter: str, polynomials: Callable[[int], fmpq_poly], last: int) -> dict[str, str]:
    """(−1)^k times the k-th polynomial, k = 1 … last, by the letter and k."""
    return {f"{letter}{k}": f"{'0 - ' if k % 2 else ''}({polynomial(polynomials(k))})" for k in range(1, last + 1)}


def potential_definitions(n: int, name: str = "F") -> dict[str, str]:
    """D_1 … D_n and F_n under ``name``, over ε and t. Raises ValueError unless 0 ≤ n ≤ 100."""
    names = [f"D{k}" for k in range(1, ladder_order(n) + 1)]
    polynomials = {symbol: polynomial(potential_polynomial(k)) for k, symbol in enumerate(names, 1)}
    return polynomials | {name: "s - nu*log(nu + s) - log(s)/2" + (f" + {series(names)}" if names else "")}


def polynomial(q: fmpq_poly, variable: str = "t") -> str:
    """A polynomial, over a common denominator, a power of the variable taken out.

    >>> polynomial(ratio_polynomial(3))
    '-t**3*(15*t**4 - 12*t**2 + 1)/8'
    """
    coefficients = [int(c) for c in q.numer().coeffs()]
    lowest = next(k for k, c in enumerate(coefficients) if c)
    sign = 1 if coefficients[-1] > 0 else -1
    terms = [_term(sign * c, k - lowest, variable) for k, c in enumerate(coefficients) if c]
    inner = " ".join(reversed(terms)).removeprefix("+ ")
    factors = [_power(lowest, variable), inner if len(terms) == 1 else f"({inner})"]
    product = "*".join(factor for factor in factors if factor not in ("", "1")) or "1"
    return f"{'-' if sign < 0 else ''}{product}" + (f"/{q.denom()}" if q.denom() != 1 else "")


def series(names: list[str]) -> str:
    """ε·(names[0] + ε·(names[1] + …))."""
    *others, text = names
    for name in reversed(others):
        text = f"({name} + eps*{text})"
    return f"eps*{text}"


def _term(coefficient: int, k: int, variable: str) -> str:
    size = [str(abs(coefficient))] if abs(coefficient) != 1 or k == 0 else []
    return f"{'-' if coefficient < 0 else '+'} " + "*".join([*size, *([_power(k, variable)] if k else [])])


def _power(k: int, variable: str) -> str:
    return "" if k == 0 else variable if k == 1 else f"{variable}**{k}"
