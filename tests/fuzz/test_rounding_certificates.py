"""Rounding certificates, hostile and random: one line of refusal, never a traceback; and programs at random, exact against floats."""

import copy
import json
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker import rounding as checker
from certify.claims.certificate import certify_rounding
from certify.exact.rounding.confirmation import confirm
from certify.exact.rounding.execution import Execution
from certify.exact.rounding.search import Problem
from certify.exact.rounding.theorem import Missed
from proofs.rounding import ratio

STATEMENT = ratio.theorem(1, "", "1", Fraction(41, 10), Fraction(1))
OUTCOME = Problem(STATEMENT).prove()
assert not isinstance(OUTCOME, Missed)
DATA = json.loads(msgspec.json.encode(certify_rounding("x", STATEMENT, OUTCOME)))
EXECUTION = Execution(STATEMENT, "binary32")

TEXTS, NAMES = ("", "x", "1/0", "sqrt(x)", "[1, oo)", "é"), ("op", "args", "value", "x_max")
JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 400), st.floats(allow_nan=False), st.sampled_from(TEXTS)),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.sampled_from(NAMES), children, max_size=3),
    max_leaves=5,
)


def places(data, path=()):
    """The paths to all parts of a certificate."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


PATHS = [path for path in places(DATA) if path and path[0] != "digest"]


@given(st.sampled_from(PATHS), JUNK)
@settings(max_examples=300, deadline=None)
def test_junk_anywhere_is_refused_in_one_line(path, junk):
    data = copy.deepcopy(DATA)
    part = data
    for key in path[:-1]:
        part = part[key]
    if part[path[-1]] == junk and type(part[path[-1]]) is type(junk):
        return
    part[path[-1]] = junk
    data["digest"] = checker.digest(data)
    if type(junk) is str and junk.isascii() and path in (("claim",), ("theorem", "profile", "name")):
        return
    with pytest.raises(checker.Refused) as refused:
        checker.check(data)
    assert len(str(refused.value).splitlines()) <= 1


@given(st.integers(1, 2**24 - 1), st.integers(-40, 30), st.integers(2**23, 2**24 - 1), st.integers(-23, 20))
@settings(max_examples=100, deadline=None)
def test_numpy_computes_what_correct_rounding_does_where_its_hypot_is_correct(mantissa, exponent, order, power):
    import numpy as np

    x, nu = np.float32(mantissa) * np.float32(2.0**exponent), np.float32(order) * np.float32(2.0**power)
    exact = np.hypot(float(x), float(nu))
    if np.hypot(x, nu) != np.float32(exact):
        return
    confirmed = confirm(EXECUTION, Fraction(float(x)), Fraction(float(nu)))
    assert confirmed is not None
    assert float(EXECUTION.computed(np.array([x]), np.array([nu]))[0]) == confirmed.computed
    assert float(confirmed.error) <= 3.03
