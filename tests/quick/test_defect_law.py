"""The defect's bounds and the start of clipping against the recurrence, and the second ratio against closed forms and Arb."""

from itertools import pairwise

import pytest
from flint import arb, fmpq

from certify.claims.registry import load
from certify.exact import recurrence, second_kind
from certify.exact.ball import working_precision
from certify.exact.bessel import potential_difference, ratio
from certify.exact.defect import ERROR, SECOND, Order, clip_start, defect
from certify.exact.number import exact, magnitude
from certify.exact.truth import Truth, less, sign

ORDERS = [(nu, start) for nu in range(1, 9) for start in sorted({nu, nu + 1, nu + 2, nu + 3, 2 * nu, 2 * nu + 1, 20, 21})]
ARGUMENTS = ["1/20", "1/3", "1", "3", "10", "31", "100", "1000", "12345", "1e5", "1e7"]
CLAIMS = load().claims


def computed(nu: int, start: int, x: fmpq, clipped: bool) -> arb:
    """d from the recurrence, at the working precision."""
    supplied = recurrence.ratio(nu, start, arb(x))
    return (supplied.min(arb(1)) if clipped else supplied) - recurrence.derivative(nu, start, arb(x))


@pytest.mark.parametrize("clipped", [True, False])
@pytest.mark.parametrize(("nu", "start"), ORDERS)
def test_the_defect_lies_between_its_bounds_and_has_its_sign(nu, start, clipped):
    with working_precision(1000):
        for x in map(exact, ARGUMENTS):
            low, high = defect(nu, start, x, clipped=clipped)
            d = computed(nu, start, x, clipped)
            assert less(low, d) is Truth.YES, x
            assert less(d, high) is Truth.YES, x
            assert sign(d) == (1 if (start - nu) % 2 else -1)


@pytest.mark.parametrize(("nu", "start"), [(31, 62), (31, 63), (32, 33), (63, 126), (511, 1022)])
@pytest.mark.parametrize("multiple", [8, 24, 392, 10**6])
def test_the_bounds_are_sharp_at_large_orders(nu, start, multiple):
    x = fmpq(multiple * nu)
    with working_precision(2000 + 8 * magnitude(x)):
        low, high = defect(nu, start, x)
        d = computed(nu, start, x, clipped=True)
        assert less(low, d) is Truth.YES
        assert less(d, high) is Truth.YES
        assert less(high - low, abs(d) / 25_000) is Truth.YES


def test_extreme_arguments_have_finite_bounds():
    for nu, start, x in [(1, 1, "1e-300"), (2, 4, "1e300"), (3, 3, "1e-20"), (255, 510, "1e-300"), (1, 2, "1e300")]:
        low, high = defect(nu, start, x)
        assert low.is_finite()
        assert high.is_finite()
        assert less(low, high) is Truth.YES


@pytest.mark.parametrize("i", [1, 2, 5, 31, 500])
@pytest.mark.parametrize("x", ["1/100", "1/2", "3", "100", "1e6"])
def test_the_parts_are_bounds(i, x):
    """R_i, K_{i−1}/K_i, 1/(I_iK_i) and the tail of log I_i, each held against Arb or the rigorous ratio."""
    with working_precision(400):
        point, order = exact(x), Order(i, exact(x))
        product = 1 / (arb(point).bessel_i(arb(i), scaled=True) * arb(point).bessel_k(arb(i), scaled=True))
        for value, (low, high) in (
            (ratio(i, point, 60), order.ratio),
            (second_kind.ratio(i, point, 60), order.second),
            (product, order.product),
        ):
            assert less(low, value) is Truth.YES
            assert less(value, high) is Truth.YES
        far = Order(i, point * 10**12)
        growth = potential_difference(i, point, far.x, 60) + i * (arb(far.x) / point).log()  # of log I_i
        error = growth - (far.s + far.potential() - order.s - order.potential())
        assert less(abs(error), ERROR / (2 * order.s**2)) is Truth.YES


@pytest.mark.parametrize(("nu", "start"), [(1, 2), (3, 6), (2, 5), (31, 62), (63, 126), (255, 510)])
def test_clipping_starts_where_the_ratio_is_one(nu, start):
    x = clip_start(nu, start, 40)
    with working_precision(400):
        for factor, expected in ((fmpq(10**30 - 1, 10**30), Truth.YES), (fmpq(10**30 + 1, 10**30), Truth.NO)):
            assert less(recurrence.ratio(nu, start, x * factor), 1) is expected


@pytest.mark.parametrize(("nu", "start"), [(1, 2), (4, 9), (31, 62)])
def test_the_raw_ratio_increases(nu, start):
    values = [recurrence.ratio(nu, start, fmpq(3) ** k if k >= 0 else fmpq(1, 3**-k)) for k in range(-6, 18)]
    assert all(a < b for a, b in pairwise(values))


def test_the_second_ratio_at_half_orders():
    """K_{3/2}/K_{1/2} = 1 + 1/x and K_{5/2}/K_{3/2} = (x² + 3x + 3)/(x(x + 1)) (DLMF 10.49.12)."""
    for x in map(exact, ("1/7", "2", "1e4")):
        assert second_kind.ratio("3/2", x, 50).overlaps(arb(x / (x + 1)))
        assert second_kind.ratio("5/2", x, 50).overlaps(arb(x * (x + 1) / (x * x + 3 * x + 3)))
        assert second_kind.difference_ratio("3/2", x, 50).overlaps(arb(1 / (2 * x + 1)))
    assert second_kind.difference_ratio("1/2", 3) == 0


@pytest.mark.parametrize("x", ["1e-30", "1e30"])
def test_the_second_ratio_keeps_its_digits(x):
    assert second_kind.difference_ratio("7/2", x, 100).rel_accuracy_bits() > 332


def test_constants_are_those_of_the_claims():
    relative, score = (CLAIMS[id].claim.constants for id in ("ratio.relative", "score.uniform"))
    assert exact(relative["C"]) == ERROR == 2 * exact(score["C"])
    assert max(relative["nu_min"], score["nu_min"]) <= 1
    second = CLAIMS["ratio.second"].claim.constants
    assert tuple(fmpq(c.numerator, c.denominator) for c in (second["lower"], second["upper"])) == SECOND


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: defect(0, 3, 1), "nu = 0: whole nu >= 1"),
        (lambda: defect("1/2", 3, 1), "nu = 1/2: whole nu >= 1"),
        (lambda: defect(3, 2, 1), "M = 2: whole M >= nu"),
        (lambda: defect(3, "7/2", 1), "M = 7/2: whole M"),
        (lambda: defect(3, 6, 0), "x = 0: x > 0"),
        (lambda: clip_start(2, 4), "odd M - nu only"),
        (lambda: second_kind.ratio("1/3", 1), "nu ≥ 1/2"),
        (lambda: second_kind.ratio(1, 0), "x > 0"),
        (lambda: second_kind.difference_ratio("x", 1), "'x' is not a number"),
    ],
)
def test_bad_arguments_are_named_on_one_line(call, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        call()
    assert "\n" not in str(refusal.value)
