"""The bound of a target's error on a box is not below an error that floats show in the box; hostile claim files are one line."""

import math
from fractions import Fraction

import pytest
import torch
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.audit.bounds.allowed import Allowed
from certify.audit.bounds.cover import Problem
from certify.audit.bounds.formula import formula
from certify.audit.bounds.verdict import PROFILE
from certify.cli import main
from certify.exact.ball import working_precision
from certify.exact.format import FORMATS
from certify.exact.interpret import ball, plain
from certify.exact.number import exact
from certify.exact.truth import Truth, less

LEAVES = st.sampled_from(["x", "y", "1", "0.1", "3", "pi"])
WAYS = st.sampled_from(["({} + {})", "({} - {})", "({}*{})", "max({}, {})", "min({}, {})", "({}/(4 + abs({})))"])
FUNCTIONS = st.sampled_from(
    ["exp(-abs({}))", "log1p(abs({}))", "tanh({})", "abs({})", "sqrt(1 + abs({}))", "sigmoid({})", "erf({})", "expm1(-abs({}))"]
)


def _grown(inner):
    return st.one_of(
        st.tuples(WAYS, inner, inner).map(lambda way: way[0].format(*way[1:])),
        st.tuples(FUNCTIONS, inner).map(lambda way: way[0].format(way[1])),
    )


EXPRESSIONS = st.recursive(LEAVES, _grown, max_leaves=6)
CENTRES = st.floats(-3, 3, allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS, EXPRESSIONS, CENTRES, CENTRES, st.integers(0, 50), st.sampled_from(["absolute", "ulp"]), st.booleans(), st.randoms())
def test_no_error_is_above_its_bound(target, reference, x, y, narrow, kind, same, random):
    """Targets that differ from their references by rounding only, or by more; at kinks and choices, too."""
    names = ("x", "y")
    program, true = formula(target, names), formula(target if same else reference, names)
    width = 2.0**-narrow
    box = {"x": (exact(x - width), exact(x + width)), "y": (exact(y), exact(y + width))}
    allowed = Allowed(fmpq(1), kind, FORMATS["binary64"])
    share = Problem(program, true, allowed, PROFILE).share(box)
    if share is None:
        return
    for _ in range(4):
        point = {"x": x + random.uniform(-1, 1) * width, "y": y + random.random() * width}
        if not all(low <= exact(point[name]) <= high for name, (low, high) in box.items()):
            continue
        (computed,) = plain.execute(
            program, {name: torch.tensor([at] * 8, dtype=torch.float64) for name, at in point.items()}, "float64", (torch,)
        )
        with working_precision(400):
            (value,) = ball.evaluate(true, point)
            for each in (float(computed.reshape(-1)[0]), float(computed.reshape(-1)[-1])):
                error = abs(arb(exact(each)) - value) / allowed.least(value)
                assert less(arb(share), error) is not Truth.YES, (target, reference, point, each)


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60),
    st.sampled_from(["id", "statement", "target", "reference", "domain", "bound", "grade", "error", "dtype", None]),
    st.booleans(),
)
def test_any_claim_file_is_listed_or_refused_in_one_line(tmp_path_factory, text, key, raw):
    whole = {
        "id": "'a.b'",
        "statement": "''",
        "target": "'torch:exp'",
        "reference": "'exp'",
        "domain": "{ x = [0, 1] }",
        "bound": "1",
    }
    if key is not None:
        whole[key] = text if raw else repr(text.encode("unicode_escape").decode().replace("\\", "").replace("'", ""))
    content = text if key is None else "\n".join(["[[claim]]", *(f"{name} = {value}" for name, value in whole.items())])
    file = tmp_path_factory.mktemp("claims") / "any.toml"
    file.write_text(content, errors="replace")
    assert main(["list", str(file)]) in (0, 4, 5)


@pytest.mark.parametrize("bound", ["0", "-1"])
def test_a_bound_that_nothing_meets(bound):
    program = formula("x", ("x",))
    problem = Problem(program, program, Allowed(exact(bound), "absolute", FORMATS["binary64"]), PROFILE)
    assert problem.share({"x": (fmpq(1), fmpq(2))}) is None


def test_the_unit_in_the_last_place_is_the_spacing_of_the_floats():
    with working_precision(200):
        for x in (1.0, 1.5, 2.0**-1022, 3e-310, 1e300):
            allowed = Allowed(fmpq(1), "ulp", FORMATS["binary64"])
            assert Fraction(str(allowed.least(arb(exact(x))).fmpq())) == Fraction(math.ulp(x))
