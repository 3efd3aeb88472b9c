"""Where a program over the reals, in one format, is not what torch computes: seen in the graph, not only at points.

Each function is x but in a window that no search meets, where torch computes something else than the translation alone would say.
"""

from fractions import Fraction

import pytest
import torch
from flint import fmpq

from certify.audit.bounds.allowed import Allowed
from certify.audit.bounds.cover import Problem
from certify.audit.bounds.formula import formula
from certify.audit.bounds.verdict import PROFILE
from certify.audit.traced.lowering import Untraceable
from certify.audit.traced.trace import trace
from certify.exact.format import FORMATS
from certify.exact.interpret import rounding
from certify.exact.number import exact
from certify.exact.program import Builder

CENTRE = 0.12345678911
WINDOW = {"x": (exact(CENTRE), exact(CENTRE) + fmpq(1, 2**40))}


def hidden(inside):
    def function(x):
        return torch.where((x - CENTRE) * (x - CENTRE) < 1e-18, inside(x), x)

    return function


def summed(x):
    large = torch.full_like(x, 1e16)
    return torch.stack([large, -large, *[x * 0] * 7, x, *[x * 0] * 30]).sum(0)


def summed_along_both(x):
    """In memory x stands beside 1e16, in the order of the axes it does not."""
    large = torch.full_like(x, 1e16)
    return torch.stack([torch.stack([large, x]), torch.stack([-large, x * 0])]).transpose(0, 1).sum((0, 1))


def view_of_a_transpose(x):
    table = (torch.stack([torch.cat([x, x]), torch.cat([x, x])]).t() + 1).t()
    table.view(-1).add_(1)
    return table[0, :1] - 2


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        (lambda x: x * (torch.full_like(x, 3, dtype=torch.float32) / torch.full_like(x, 7, dtype=torch.float32)) * 7 / 3, "float32"),
        (lambda x: x * (torch.tensor(3) / torch.tensor(7)) * 7 / 3, "float32"),
        (lambda x: x * (torch.tensor(200, dtype=torch.uint8) * 2) / 400, "uint8"),
        (lambda x: x * (~torch.tensor(5) + 1), "bitwise_not of numbers"),
        (lambda x: x + torch.zeros(1, dtype=torch.float32).fill_(0.1) - 0.1, "float32"),
        (lambda x: x + torch.zeros(1, dtype=torch.float32).copy_(x + 0.1).double() - 0.1 - x, "float32"),
        (lambda x: x * ((x > 0) + (x > 0)) / 2, "add of conditions"),
        (lambda x: torch.where(torch.logical_not(x - 5), x, x + 1), "logical_not of numbers"),
        (lambda x: torch.zeros_like(x, dtype=torch.bool).copy_(x - 5) + x, "copy of conditions"),
        (summed, "sums of several terms"),
        (summed_along_both, "sums of several terms"),
        (lambda x: torch.where(torch.tensor([2**53 + 1]) == 2.0**53, x + 1, x), "int64"),
        (lambda x: torch.where(torch.tensor([0.1], dtype=torch.float32) > 0.1, x, x + 1), "float32"),
        (view_of_a_transpose, "laid out otherwise"),
        (lambda x: torch.where(torch.signbit(x), x, x), "signbit of torch is not translated"),
    ],
)
def test_what_the_program_cannot_stand_for_is_seen(inside, reason):
    try:
        found = "; ".join(trace(hidden(inside), domain=(0.1, 0.9), derivative=False).unseen[:-1])
    except Untraceable as error:
        found = str(error)
    assert reason in found


@pytest.mark.parametrize(
    "inside",
    [
        lambda x: x + torch.full_like(x, 2.0**-600) * torch.full_like(x, 2.0**-600) * 2.0**1000 * 2.0**200 - 1,
        lambda x: 1 / (1 / x + torch.full_like(x, 2.0**600) * torch.full_like(x, 2.0**600) * 2.0**-1000 * 2.0**-250),
        lambda x: torch.where(torch.isinf(torch.exp(x * 1e4)), x + 1, x),
        lambda x: torch.where((x - 5).bool(), x + 1, x),
        lambda x: x + torch.empty_like(x),
        lambda x: x + torch.full((1,), 0.1) * torch.full_like(x, 1e9) - 1e8,
        lambda x: x + torch.scalar_tensor(0.1) * torch.full_like(x, 1e9) - 1e8,
        lambda x: x + torch.full_like(torch.zeros(1, dtype=torch.int64), 0.7) - 0.7,
    ],
)
def test_overflow_underflow_empty_tensors_numbers_as_conditions_and_constants_of_other_formats_count(inside):
    """In the window the error is about 1, or not bounded."""
    program, x = trace(hidden(inside), domain=(0.1, 0.9), derivative=False).program, formula("x", ("x",))
    share = Problem(program, x, Allowed(fmpq(1, 10), "absolute", FORMATS["binary64"]), PROFILE).share(WINDOW)
    assert share is None or share > 1


@pytest.mark.parametrize(
    "inside",
    [
        lambda x: x + 1 - ((1 + 2**-30) - torch.full_like(x, 1)) * 2.0**30,
        lambda x: torch.where(torch.full_like(x, 0.1) == 0.1, x + 1, x),
        lambda x: torch.where(torch.full_like(x, 0.1) > 0.1, x, x + 1),
    ],
)
def test_numbers_that_float32_does_not_have_are_rounded_before_anything_is_done_with_them(inside):
    program, x = trace(hidden(inside), domain=(0.1, 0.9), dtype=torch.float32, derivative=False).program, formula("x", ("x",))
    window = {"x": (exact(CENTRE) - fmpq(1, 2**40), exact(CENTRE) + fmpq(1, 2**40))}
    share = Problem(program, x, Allowed(fmpq(1, 10), "absolute", FORMATS["binary32"]), PROFILE).share(window)
    assert share is None or share > 1


@pytest.mark.parametrize(("value", "form"), [("1e-46", "binary32"), ("1e-40", "binary32"), ("1e-330", "binary64")])
def test_constants_below_the_normal_numbers_lose_digits(value, form):
    builder = Builder()
    number, spacing = Fraction(value), FORMATS[form].least_subnormal
    (found,) = rounding.bound(builder.program(builder.constant(number)), {}, PROFILE, form)
    assert found.error >= abs(round(number / spacing) * spacing - number) > 0
