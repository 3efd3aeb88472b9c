"""Numbers and names within text, set as they are written by hand."""

from __future__ import annotations

import re
from decimal import Decimal

from markupsafe import Markup, escape

SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\W_]|[-−]?\d+)(?![A-Za-z0-9_]))")
MINUS = re.compile(r"(?<![\w.-])-(?=[\d.])")
SIGNS = {"<=": "≤", ">=": "≥", "->": "→", "oo": "∞", "nu": "ν", "kappa": "κ", "tau": "τ", "delta": "δ", "epsilon": "ε"}
NAMES = "|".join(name for name in SIGNS if name.isalpha())
ASCII = re.compile(rf"<=|>=|->|(?<![A-Za-z0-9.])(?:{NAMES})(?![A-Za-z0-9])")
TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
EXACT = re.compile(r"(?<![\w.;#/])(\d+)(?:/(\d+))?(?![\w.])")
LONG, LONGEST, FIGURES = 22, 100_000, 8
POWER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)e([+-]?\d+)\b")


def power(text: str | Markup) -> Markup:
    """Text with its numbers d.ddde−x as d.dd × 10⁻ˣ, and its minus signs."""
    return Markup(MINUS.sub("−", POWER.sub(_power, str(escape(text)))))


def _power(match: re.Match[str]) -> str:
    mantissa, exponent = match[1], int(match[2])
    return f"{mantissa}{TIMES}10<sup>{exponent}</sup>".replace("-", "−")


def short(text: str) -> Markup:
    """Text whose integers and fractions of many digits are written to a few figures, each beside its digits."""
    return Markup(EXACT.sub(_short, str(escape(text))))


def _short(match: re.Match[str]) -> str:
    numerator, denominator = match[1], match[2]
    longest = max(len(numerator), len(denominator or ""))
    if not LONG <= longest <= LONGEST or (denominator or "1").strip("0") == "":
        return match[0]
    value = (Decimal(numerator) / Decimal(denominator or 1)).normalize()
    figures = power(f"{value:.{FIGURES}g}".replace("E", "e").replace("e+", "e"))
    about = "" if denominator is None and not numerator[FIGURES:].strip("0") else "≈ "
    return f'<abbr title="{match[0]}">{about}{figures.removeprefix(f"1{TIMES}")}</abbr>'


def formulas(text: str) -> Markup:
    """Text with formulas in ASCII, as in |R - A_R| <= 1/nu^3, set as they are written by hand."""
    signs = ASCII.sub(lambda match: SIGNS[match[0]], text).replace(" - ", " − ")
    return scripts(Markup(MINUS.sub("−", short(signs))))


def scripts(text: str) -> Markup:
    """Text with its subscripts and superscripts, as in R_ν and e^{−x}, set as such."""
    kinds = {"_": "sub", "^": "sup"}
    return Markup(SCRIPT.sub(lambda match: "<{0}>{1}</{0}>".format(kinds[match[1]], match[2] or match[3] or ""), str(escape(text))))
