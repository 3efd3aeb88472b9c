"""Time the rigorous references and the tables: ``python tests/speed.py``.

The grid of Tables 5 and 6: p = 64 … 4096, ν = p/2 − 1, 61 log-spaced x/ν in [1e-3, 1e3], 60 digits, one thread. Each
row is the median of the repeats with their least and greatest, per grid of 427 values. The last line is the quotient of
mpmath's time, once over the points at which its besseli converges, and the certified ratio's at the same points.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import mpmath
from flint import arb, fmpq
from mpmath.libmp import NoConvergence

from certify.exact.ball import bits_for, working_precision
from certify.exact.bessel import potential_difference, ratio, ratio_derivative
from certify.exact.debye import ladder_ratio
from certify.exact.number import exact
from certify.studies.tables.catalogue import build

REPEATS = 7
DIGITS = 60
ORDERS = [p // 2 - 1 for p in (64, 128, 256, 512, 1024, 2048, 4096)]
GRID = [(exact(nu), exact(nu * 10 ** (k / 10 - 3))) for nu in ORDERS for k in range(61)]
TARGET = 0.1
TIMES_FASTER = 20
TABLES = ("3", "5", "6")
TABLES_TARGET = 5.0


def by_arb(nu: fmpq, x: fmpq) -> arb:
    """The quotient of Arb's scaled Bessel functions, at the precision that the ratio has."""
    with working_precision(bits_for(DIGITS) + 20):
        argument = arb(x)
        return argument.bessel_i(arb(nu + 1), scaled=True) / argument.bessel_i(arb(nu), scaled=True)


ROWS: dict[str, Callable[[fmpq, fmpq], arb]] = {
    "ratio": lambda nu, x: ratio(nu, x, DIGITS),
    "arb.bessel_i quotient": by_arb,
    "ratio_derivative": lambda nu, x: ratio_derivative(nu, x, DIGITS),
    "potential_difference from nu": lambda nu, x: potential_difference(nu, nu, x, DIGITS),
    "ladder_ratio, n = 1": lambda nu, x: ladder_ratio(1, nu, x, DIGITS),
}


def timed(function: Callable[[fmpq, fmpq], arb]) -> float:
    start = perf_counter()
    for nu, x in GRID:
        function(nu, x)
    return perf_counter() - start


def by_mpmath(nu: fmpq, x: fmpq) -> float | None:
    """Seconds for the quotient of mpmath's Bessel functions; None where they do not converge."""
    order, argument = (mpmath.mpf(int(value.p)) / int(value.q) for value in (nu, x))
    start = perf_counter()
    try:
        mpmath.besseli(order + 1, argument) / mpmath.besseli(order, argument)
    except NoConvergence:
        return None
    return perf_counter() - start


def against_mpmath() -> None:
    with mpmath.workdps(DIGITS):
        seconds = {point: spent for point in GRID if (spent := by_mpmath(*point)) is not None}
    start = perf_counter()
    for nu, x in seconds:
        ratio(nu, x, DIGITS)
    certified, theirs = perf_counter() - start, sum(seconds.values())
    print(f"mpmath {mpmath.__version__} besseli quotient: {theirs:.3f} s at the {len(seconds)} of {len(GRID)} points where it converges;")
    print(f"the certified ratio is {theirs / certified:.0f} times faster there (target {TIMES_FASTER})")


def tables() -> None:
    start = perf_counter()
    for id in TABLES:
        build(id, search=False)
    print(f"tables {', '.join(TABLES)} without the search: {perf_counter() - start:.2f} s (target {TABLES_TARGET:.0f} s)")


def main() -> None:
    print(f"{len(GRID)} values of {DIGITS} digits, {REPEATS} repeats, one thread; target for the ratio {TARGET} s")
    print(f"{'':30} {'median s':>9} {'least':>9} {'greatest':>9} {'µs each':>9}")
    for name, function in ROWS.items():
        times = sorted(timed(function) for _ in range(REPEATS))
        middle = median(times)
        print(f"{name:30} {middle:9.4f} {times[0]:9.4f} {times[-1]:9.4f} {middle / len(GRID) * 1e6:9.1f}")
    against_mpmath()
    tables()


if __name__ == "__main__":
    main()
