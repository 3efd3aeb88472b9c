"""Every rule of the running error analysis, against the exact function at both ends of what its operands stand for."""

import numpy as np
import pytest
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.studies.fidelity.arithmetic import EXACT
from certify.studies.fidelity.rounding import INHERITED, ROUNDINGS, Rounded

UFUNCS = {name: getattr(np, name) for name in ROUNDINGS if hasattr(np, name)}
BINARY = {name for name, ufunc in UFUNCS.items() if ufunc.nin == 2}
POSITIVE = {"sqrt", "log", "divide", "i0e"}  # operands whose sign decides
values = st.floats(1e-3, 30)
spreads = st.floats(0, 0.2)
signs = st.sampled_from([-1.0, 1.0])


def i0e():
    from scipy.special import i0e

    return i0e


def operands(name: str, drawn: list[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """(value, error) of each operand, within the function's domain."""
    scale = 1 / 45 if name == "log1p" else 1  # 1 + a > 0
    return [(scale * value if name in POSITIVE else scale * sign * value, scale * spread * value) for value, spread, sign in drawn]


@pytest.mark.parametrize("name", sorted(ROUNDINGS))
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(values, spreads, signs), min_size=2, max_size=2))
@example([(2.0, 0.2, 1.0), (3.0, 0.2, 1.0)])
@example([(2.0, 0.2, 1.0), (2.0, 0.2, -1.0)])
@example([(0.5, 0.2, -1.0), (0.5, 0.1, 1.0)])
def test_the_bound_covers_the_exact_function_at_both_ends(name, drawn):
    ufunc = UFUNCS.get(name) or i0e()
    given_ = operands(name, drawn)[: ufunc.nin]
    found = Rounded.apply(ufunc, *(Rounded(value, error) for value, error in given_))
    with working_precision(200):
        for towards in (-1, 1) if ufunc.nin == 1 else (-1, 1, -2, 2):
            directions = (towards, towards) if abs(towards) == 1 else (towards / 2, -towards / 2)
            ends = [arb(value) + arb(error) * d for (value, error), d in zip(given_, directions, strict=False)]
            distance = abs(arb(float(found.value)) - EXACT[name](*ends))
            assert less(arb(float(found.error)), distance) is not Truth.YES, (name, given_, towards)


def test_every_rule_is_tested():
    assert set(INHERITED) == set(ROUNDINGS) == set(EXACT)
    assert {name for name in ROUNDINGS if name not in UFUNCS} == {"i0e"}
