"""Numbers and names within text, set as they are written by hand."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\W_])(?![A-Za-z0-9_]))")
TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
FIGURES = 6
LONG = re.compile(r"(?<![\w.;#])\d{22,}(?![\w.])")
POWER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)e([+-]?\d+)\b")


def power(text: str | Markup) -> Markup:
    """Text with its numbers d.ddde−x as d.dd × 10⁻ˣ."""
    return Markup(POWER.sub(_power, str(escape(text))))


def _power(match: re.Match[str]) -> str:
    mantissa, exponent = match[1], int(match[2])
    return f"{mantissa}{TIMES}10<sup>{exponent}</sup>".replace("-", "−")


def short(text: str) -> Markup:
    """Text whose integers of many digits are written with powers of ten, each beside its digits."""
    return Markup(LONG.sub(_short, str(escape(text))))


def _short(match: re.Match[str]) -> str:
    digits, exponent = match[0], len(match[0]) - 1
    leading = digits[:FIGURES].rstrip("0")
    mantissa = f"{leading[0]}.{leading[1:]}" if leading[1:] else leading
    factor = "" if leading == "1" else f"{mantissa}{TIMES}"
    about = "≈ " if digits[FIGURES:].strip("0") else ""
    return f'<abbr title="{digits}">{about}{factor}10<sup>{exponent}</sup></abbr>'


def scripts(text: str) -> Markup:
    """Text with its subscripts and superscripts, as in R_ν and e^{−x}, set as such."""
    kinds = {"_": "sub", "^": "sup"}
    return Markup(SCRIPT.sub(lambda match: "<{0}>{1}</{0}>".format(kinds[match[1]], match[2] or match[3] or ""), str(escape(text))))
