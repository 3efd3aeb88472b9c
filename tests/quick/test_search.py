"""The search off the grid finds what was planted between the points."""

import numpy as np
import pytest

from certify.studies.fidelity.search import NARROWEST, largest

GRID = np.logspace(-3, 3, 61)


def test_smooth_maximum():
    peak = largest(lambda x: np.exp(-(np.log(x / 1.7) ** 2)), GRID)
    assert peak.value == pytest.approx(1, abs=1e-4)
    assert peak.x == pytest.approx(1.7, rel=2e-2)


@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-6])
def test_spike_hidden_at_a_jump(width):
    """A window far narrower than the grid's spacing, beside a step that the grid does see."""

    def function(x):
        return np.where(x < 7.3, 1e-3, np.where(x < 7.3 * (1 + width), 1.0, 2e-3))

    peak = largest(function, GRID)
    assert peak.value == 1
    assert 7.3 <= peak.x < 7.3 * (1 + width)


def test_guide_shows_a_jump_that_the_function_hides():
    """f(x) = g(x+1) − g(x) for a step g: f is zero but for one unit of x."""

    def step(x):
        return np.where(x < 345.6, 0.0, 1.0)

    def function(x):
        return np.abs(step(x + 1) - step(x))

    grid = 300 * GRID
    assert largest(function, grid).value == 0
    assert largest(function, grid, guide=step).value == 1


def test_budget_grid_and_determinism():
    seen = []

    def noise(x):
        seen.extend(x)
        return np.abs(np.sin(1e6 * x))

    first = largest(noise, GRID, budget=200)
    assert first.evaluations == len(seen) == 200
    assert set(GRID) <= set(seen)
    assert GRID[0] <= min(seen)
    assert max(seen) <= GRID[-1]
    assert largest(noise, GRID, budget=200) == first


def test_stops_when_nothing_promises_more():
    assert largest(lambda x: np.ones_like(x), GRID).evaluations == 2 * len(GRID) - 1
    steep = largest(lambda x: np.where(x < 2, 0.0, 1.0), GRID, budget=10_000)
    assert steep.evaluations < 2 * len(GRID) + 10 * -np.log2(NARROWEST)


@pytest.mark.parametrize(("grid", "budget"), [([1.0], 400), ([2.0, 1.0], 400), ([0.0, 1.0], 400), ([1.0, 2.0], 3)])
def test_bad_arguments(grid, budget):
    with pytest.raises(ValueError, match="the search needs"):
        largest(np.abs, np.array(grid), budget)
