"""Bounds of losses, probabilities and predictions against random logits and errors; pairings against all permutations."""

from fractions import Fraction
from itertools import permutations

import numpy as np
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.learning import extremes, loss_change, update
from certify.learning.bounds import loss_bound, total_variation

masses = st.fractions(min_value=Fraction(1, 10**6), max_value=1)
errors = st.fractions(min_value=-1, max_value=1, max_denominator=100)
BITS = 200


def ball(value):
    return arb(fmpq(value.numerator, value.denominator))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), count=st.integers(2, 6))
def test_losses_and_probabilities_stay_within_their_bounds(data, count):
    weights = data.draw(st.lists(masses, min_size=count, max_size=count))
    moves = data.draw(st.lists(errors, min_size=count, max_size=count))
    label = data.draw(st.integers(0, count - 1))
    with working_precision(BITS):
        total = sum(map(ball, weights), arb(0))
        before = [ball(w) / total for w in weights]
        moved = [p * ball(e).exp() for p, e in zip(before, moves, strict=True)]
        after = [m / sum(moved, arb(0)) for m in moved]
        bounds = [ball(abs(e)) for e in moves]
        change = abs((after[label] / before[label]).log())
        assert less(loss_bound(before, label, bounds), change) is not Truth.YES
        largest = ball(max(map(abs, moves)))
        variation = sum((abs(a - b) for a, b in zip(after, before, strict=True)), arb(0)) / 2
        assert less(total_variation(before, largest), variation) is not Truth.YES
        assert less((largest / 2).tanh(), total_variation(before, largest)) is not Truth.YES


@settings(max_examples=40, deadline=None)
@given(mass=masses, own=errors, data=st.data(), count=st.integers(1, 4))
def test_sorted_pairings_are_the_extremes_of_all(mass, own, data, count):
    others = data.draw(st.lists(masses, min_size=count, max_size=count))
    values = data.draw(st.lists(errors, min_size=count, max_size=count))
    low, high = extremes(mass, others, values, own)
    for order in permutations(values):
        change = loss_change(mass, others, own, order)
        assert less(change, low) is not Truth.YES
        assert less(high, change) is not Truth.YES
    ends = [loss_change(mass, others, own, order) for order in permutations(values)]
    assert any(low.overlaps(end) for end in ends)
    assert any(high.overlaps(end) for end in ends)


@settings(max_examples=30, deadline=None)
@given(mass=masses, data=st.data(), count=st.integers(1, 3))
def test_with_the_labels_error_among_them_too(mass, data, count):
    others = data.draw(st.lists(masses, min_size=count, max_size=count))
    values = data.draw(st.lists(errors, min_size=count + 1, max_size=count + 1))
    low, high = extremes(mass, others, values)
    changes = [loss_change(mass, others, own, rest) for own, *rest in permutations(values)]
    assert all(less(change, low) is not Truth.YES and less(high, change) is not Truth.YES for change in changes)
    assert any(low.overlaps(change) for change in changes)
    assert any(high.overlaps(change) for change in changes)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31), cuts=st.lists(st.integers(0, 30), max_size=4))
def test_batches_of_any_sizes_give_the_same_means(seed, cuts):
    random = np.random.RandomState(seed)
    features, labels = random.standard_normal((30, 3)), random.randint(0, 3, 30)
    means, counts = np.zeros((3, 3)), np.zeros(3, int)
    for part in np.split(np.arange(30), sorted(cuts)):
        means, counts = update(means, counts, features[part], labels[part])
    for j in range(3):
        members = features[labels == j]
        assert counts[j] == len(members)
        assert np.allclose(means[j], members.mean(0) if len(members) else 0, rtol=1e-12, atol=1e-12)
