"""The one comparison: three answers, none of them usable as a truth value."""

import pytest
from flint import arb, fmpq

from certify.exact.truth import Truth, less, positive, sign

NAN = arb("nan")


@pytest.mark.parametrize("truth", Truth)
def test_a_truth_has_no_truth_value(truth):
    with pytest.raises(TypeError, match="no truth value"):
        bool(truth)


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (1, 2, Truth.YES),
        (2, 1, Truth.NO),
        (1, 1, Truth.NO),
        (arb(0, 1), 2, Truth.YES),
        (2, arb(0, 1), Truth.NO),
        (arb(0, 1), 1, Truth.UNKNOWN),
        (1, arb(2, 1), Truth.UNKNOWN),
        (arb(3, 1), 1, Truth.NO),
        (arb(0, 1), arb(0, 1), Truth.UNKNOWN),
        (fmpq(1, 3), fmpq(1, 2), Truth.YES),
        (NAN, 1, Truth.UNKNOWN),
        (1, NAN, Truth.UNKNOWN),
        (NAN, NAN, Truth.UNKNOWN),
        (1, arb("0 +/- inf"), Truth.UNKNOWN),
        (1, arb.pos_inf(), Truth.YES),
    ],
)
def test_less(a, b, answer):
    assert less(a, b) is answer


def test_positive_and_sign():
    assert [positive(v) for v in (1, 0, -1, arb(0, 1), NAN)] == [
        Truth.YES, Truth.NO, Truth.NO, Truth.UNKNOWN, Truth.UNKNOWN,
    ]  # fmt: skip
    assert [sign(v) for v in (3, -fmpq(1, 3), 0, arb(2, 1), arb(0, 1), NAN)] == [1, -1, 0, 1, None, None]
