"""What proofs write out by hand is what their statements define, in exact rational functions."""

from fractions import Fraction

import pytest

from certify.exact import finite_start
from certify.exact.coordinates import Coordinates
from certify.exact.theorem import Chart, Map, Theorem
from proofs.riccati import gamma, hazard, watson

SYMBOLS = ("r", "eta", "theta", "xi", "h", "x", "j", "d")
CHART = Chart(symbols={name: Map(map="itself", variable=f"{name}_") for name in SYMBOLS})
EXACT = Coordinates(Theorem(domain=dict.fromkeys(SYMBOLS, "(0, oo)"), statements=()), CHART)
B, OMEGA, X = f"({gamma.B})", f"({gamma.OMEGA})", f"({gamma.ARGUMENT})"
G, KAPPA = f"({watson.G})", f"({watson.PROBLEM.substitution})"
DELTA, GAMMA, N = f"({finite_start.DELTA})", f"({finite_start.GAMMA})", "(j + d + 1)"
ODD, EVEN = (f"({text})" for text in finite_start.limits())
SLOPE = "(h**2 - x*h)"  # h′, so that h″ = 2hh′ − h − xh′


def same(left: str, right: str) -> bool:
    return EXACT(f"{left} - ({right})").above.is_zero()


@pytest.mark.parametrize(
    ("written", "defined"),
    [
        (B, f"(1 + {OMEGA})/(1 + r**2*{OMEGA})"),
        (X, f"(1 + r**2*{OMEGA})/({OMEGA}*(1 + {OMEGA}))"),
        (gamma.D, f"({B}*{OMEGA} - diff({B}, eta)/diff({X}, eta))/({B} + {OMEGA})"),
        (watson.D, f"diff({G}, theta)/diff({KAPPA}, theta)/({G} + 1/(r*theta))"),
        (hazard.convex_wall(Fraction(1, 2)).function, "(3*(1/xi - xi) + (1/xi + xi))/4"),
        ("(1/xi + xi)**2", "(1/xi - xi)**2 + 4"),
        (DELTA, f"({N}**2 - (j + 2)**2)*({N}**2 - j**2 - 2*j + 2)/12"),
        (GAMMA, f"({N}**2 - (j - 1)**2)*({N}**2 - j**2 + 3)/12"),
        (f"{ODD}*{DELTA}", f"({N}**2 - (j + 2)**2)*({N}**2 - j**2 - 2*j + 2)/(6*({N}**2 - j**2))"),
        (f"{EVEN}*{GAMMA}", f"({N}**2 - (j + 1)**2)*({N}**2 - (j - 1)**2)*({N}**2 - j**2 + 3)/24"),
        (f"2*h*{SLOPE} - h - x*{SLOPE}", "h*((2*h - x)*(h - x) - 1)"),
    ],
)
def test_as_defined(written, defined):
    assert same(written, defined)


@pytest.mark.parametrize("part", [f"{gamma.D}*(1 + eta)", f"({gamma.D}) + eta**9"])
def test_another_one_is_noticed(part):
    assert not same(part, f"({B}*{OMEGA} - diff({B}, eta)/diff({X}, eta))/({B} + {OMEGA})")
