"""Sollya on the supremum of a residual polynomial: low ≤ sup w|b| ≤ high.

Certificates of the best constants state a supremum over the whole axis of w b(t), w = √(1 − t²), where b is a polynomial: w b ε^m is the
leading term of the Riccati residual. (w b)² is a polynomial, whose supremum norm on [0, 1] Sollya's ``supnorm`` encloses.
"""

from __future__ import annotations

import re
import subprocess
from fractions import Fraction
from typing import Any

from certify.studies.opinions.opinion import Answer, Certificate, Question

ACCURACY, PRECISION = 160, 600  # bits
DIGITS = 17  # places at least
SUPREMUM = re.compile(r"sup\(w\*(b\d+), -w\*\1\)")
POLYNOMIAL = re.compile(r"[t0-9 +*/()-]+")  # no word that Sollya would take for a command
NUMBER = re.compile(r"(-?\d+)(?: \* 2\^\((-?\d+)\))?")


def question(certificate: Certificate) -> Question | None:
    """The question that a certificate raises; None where it states no such supremum."""
    theorem = certificate["theorem"]
    found = next((each for each in theorem.get("statements", ()) if each["kind"] == "supremum"), None)
    match = SUPREMUM.fullmatch(theorem["where"][found["symbol"]]) if found else None
    b = theorem["where"][match[1]] if match else ""
    if found is None or not POLYNOMIAL.fullmatch(b):
        return None
    low, high = (Fraction(found[end]) for end in ("low", "high"))
    statement = f"{found['low']} <= sup sqrt(1 - t**2)*|{b}| <= {found['high']} over t in [0, 1]"
    return Question(statement, script(b), lambda done: _read(done, low, high))


def script(polynomial: str) -> str:
    """The enclosure of the supremum of ((1 − t²) b(t)²), its ends as m·2^e."""
    b = polynomial.replace("**", "^").replace("t", "_x_")
    norm = f"supnorm((1 - _x_^2)*({b})^2, 0, [0;1], absolute, 2^(-{ACCURACY}))"
    return f"prec = {PRECISION}!;\ndisplay = powers!;\ns = {norm};\nprint(inf(s));\nprint(sup(s));\nquit;\n"


def _read(done: subprocess.CompletedProcess[str], low: Fraction, high: Fraction) -> tuple[Answer, str]:
    ends: list[Any] = [_number(text) for text in done.stdout.splitlines() if NUMBER.fullmatch(text.strip())]
    if done.returncode != 0 or len(ends) != 2:
        return Answer.OPEN, done.stderr or done.stdout or f"exit code {done.returncode}"
    least, most = ends
    detail = f"the square is {_between(least, most)}"
    if low**2 <= least and most <= high**2:
        return Answer.CONFIRMS, detail
    return (Answer.CONTRADICTS if most < low**2 or high**2 < least else Answer.OPEN), detail


def _between(least: Fraction, most: Fraction) -> str:
    """The interval, its ends rounded outward to as many digits as tell them apart."""
    if least == most:
        return f"exactly {least}"
    places = DIGITS
    while (low := least * 10**places // 1) == most * 10**places // 1:
        places += 1
    return f"between {low}e-{places} and {-(-most * 10**places // 1)}e-{places}"


def _number(text: str) -> Fraction:
    match = NUMBER.fullmatch(text.strip())
    assert match is not None
    return int(match[1]) * Fraction(2) ** int(match[2] or 0)
