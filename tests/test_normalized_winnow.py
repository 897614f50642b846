"""Normalised Winnow: the panel, the theorem, its proof, and when they fail."""

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import positive
from hypothesis import assume, given
from hypothesis import strategies as st

import olc
from olc import NormalizedWinnow, Stream, geometry, play, streams
from olc import normalized_winnow as theory

# ------------------------------------------------------- the panel of experts


def test_bounds_of_the_panel_are_nk_and_2k_squared_ln_n():
    for n, k in ((100, 3), (1000, 15), (1024, 5)):
        assert olc.perceptron.panel_bound(n, k) == n * k
        assert theory.panel_bound(n, k) == pytest.approx(2 * k**2 * math.log(n))
    assert round(theory.panel_bound(100, 3)) == 83 < 300
    assert round(theory.panel_bound(100, 11)) == 1114 > 1100  # no longer sparse
    assert all(theory.panel_bound(n, 1) < n for n in range(1, 2000))


@given(st.integers(2, 2000), st.sampled_from([1, 3, 5, 7, 9]))
def test_sharp_panel_bound_is_below_the_printed_one_and_below_nk(n, k):
    assume(k < n)
    sharp = theory.panel_bound(n, k, sharp=True)
    assert sharp <= theory.panel_bound(n, k)
    assert sharp <= n * k
    assert sharp == pytest.approx(math.log(n / k) / theory.divergence(1 / k))


@pytest.mark.parametrize(("k", "near"), [(3, 17), (5, 36), (7, None)])
def test_crossover_is_where_the_two_bounds_are_equal(k, near):
    n = theory.crossover(k)
    assert near in (round(n), None)
    assert k == pytest.approx(n / (2 * math.log(n)))
    assert theory.panel_bound(round(n) - 1, k) > (round(n) - 1) * k
    assert theory.panel_bound(round(n) + 1, k) < (round(n) + 1) * k
    assert theory.crossover(1) is None
    assert theory.crossover(k, scale=0.01 / k) is None


# ------------------------------------------------------------- the algorithm


@st.composite
def updates(draw):
    n = draw(st.integers(1, 6))
    signs = st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)
    return n, draw(st.lists(st.tuples(signs, st.sampled_from([-1, 1])), max_size=12))


@given(updates(), st.sampled_from([0.05, 0.5, 1.5]))
def test_an_update_is_that_of_weighted_majority_with_beta_e_to_minus_2_eta(game, eta):
    n, moves = game
    learner = NormalizedWinnow(n, eta=eta)
    majority = olc.WeightedMajority(n, eta=1 - math.exp(-2 * eta))
    for signs, y in moves:
        before, x = learner.weights, np.array(signs)
        learner.update(x, y)
        majority.update(x, y)
        shares = majority.weights / majority.weights.sum()
        np.testing.assert_allclose(learner.weights, shares, rtol=2e-9)
        # the corrected equation (9): w e^η / Z times 1 or β
        total = (before * np.exp(eta * y * x)).sum()
        factor = np.where(x == y, 1, math.exp(-2 * eta))
        expected = before * math.exp(eta) / total * factor
        np.testing.assert_allclose(learner.weights, expected, rtol=2e-9)


def slow_winnow(stream, ratio):
    """The algorithm with e^(2η) = ratio in exact arithmetic, on features ±1."""
    weights, wrong = [Fraction(1, stream.n)] * stream.n, []
    for t, (x, y) in enumerate(stream):
        score = sum(w * int(opinion) for w, opinion in zip(weights, x, strict=True))
        if y * score <= 0:
            wrong.append(t)
            right = [
                w * (ratio if o == y else 1) for w, o in zip(weights, x, strict=True)
            ]
            weights = [w / sum(right) for w in right]
    return wrong, weights


@given(st.integers(1, 9), st.integers(0, 99), st.sampled_from([2, 3, Fraction(3, 2)]))
def test_winnow_errs_where_exact_arithmetic_does(n, seed, ratio):
    stream = streams.panel(n, min(3, n - 1 + n % 2), 60, seed)
    learner = NormalizedWinnow(n, eta=math.log(ratio) / 2)
    trace = play(learner, stream)
    wrong, weights = slow_winnow(stream, Fraction(ratio))
    if (
        trace.mistake_rounds.tolist() != wrong
    ):  # a tie that rounding broke: no less a mistake
        first = min(set(wrong) ^ set(trace.mistake_rounds.tolist()))
        fresh = NormalizedWinnow(n, eta=math.log(ratio) / 2)
        play(fresh, stream[:first])
        assert abs(fresh.scores(stream.X[first])) < 1e-12
    else:
        np.testing.assert_allclose(learner.weights, [float(w) for w in weights], 1e-9)


def test_weights_start_uniform_and_neither_overflow_nor_vanish():
    learner = NormalizedWinnow(4, eta=5)
    assert learner.weights.tolist() == [0.25] * 4
    for _ in range(1000):
        learner.update(np.array([1, -1, 0, 0]), 1)
    assert learner.weights.tolist() == [1, 0, 0, 0]
    for _ in range(1001):
        learner.update(np.array([-1, 1, 0, 0]), 1)
    assert learner.weights.sum() == pytest.approx(1, rel=1e-9)
    assert learner.weights[1] / learner.weights[0] == pytest.approx(math.exp(10))


# --------------------------------------------------------------- the theorem


@given(positive(radii=[0.5, 1.0, 3.0]), st.sampled_from([0.3, 1.0, 1.7]))
def test_theorem_holds(stream, factor):
    u, radius = stream.target, geometry.radius(stream.X, math.inf)
    gamma = float((stream.y * (stream.X @ u)).min())
    eta = factor * gamma / (radius**2 * u.sum())
    trace = play(NormalizedWinnow(stream.n, eta=eta), stream)
    margin = gamma / u.sum()
    bound = theory.mistake_bound(stream.n, margin, eta, radius)
    assert trace.mistakes <= bound + 1e-9
    if factor == 1.0:  # η = γ/(R²‖u‖₁) already gives the simple bound
        assert bound <= theory.simple_bound(stream.n, margin, radius) + 1e-9


def test_the_best_eta_makes_the_rate_largest_and_equal_to_the_divergence():
    for margin in (0.05, 0.3, 0.9):
        grid = np.linspace(1e-3, 5, 20_001)
        rates = grid * margin - np.log(np.cosh(grid))
        best = theory.best_eta(margin)
        assert best == pytest.approx(grid[int(np.argmax(rates))], abs=1e-3)
        assert theory.least_drop(best, margin) == pytest.approx(
            theory.divergence(margin)
        )
        assert theory.divergence(margin) >= margin**2 / 2
        assert theory.least_drop(margin, margin) >= margin**2 / 2  # no artanh is needed
        scaled = theory.best_eta(3 * margin, radius=3)
        assert theory.least_drop(scaled, 3 * margin, 3) == pytest.approx(
            theory.divergence(margin)
        )


def test_with_a_perfect_expert_and_a_large_eta_it_is_halving():
    assert theory.mistake_bound(1024, margin=1) == pytest.approx(10)
    assert theory.mistake_bound(8, 2, radius=2) == pytest.approx(3)
    rounded = 1 + 5e-13  # a margin that rounding has lifted above the radius
    assert theory.mistake_bound(8, rounded) == pytest.approx(3)
    for seed in range(5):
        stream = streams.panel(1024, 1, 500, seed)
        assert play(NormalizedWinnow(1024, eta=40), stream).mistakes <= 10


def test_bound_is_for_any_scale_of_the_features():
    plain = theory.mistake_bound(50, margin=0.2, eta=0.3)
    scaled = theory.mistake_bound(50, 0.2 * 3, 0.3 / 3, radius=3)
    assert scaled == pytest.approx(plain)
    best = theory.mistake_bound(50, 0.2 * 3, radius=3)
    assert best == pytest.approx(theory.mistake_bound(50, 0.2))
    simple = theory.simple_bound(50, 0.2 * 3, 3)
    assert simple == pytest.approx(theory.simple_bound(50, 0.2))


# ----------------------------------------------- what fails without an assumption


@pytest.mark.parametrize("n", [1, 2])
def test_a_negative_target_breaks_the_theorem(n):
    stream = Stream(np.ones((300, n)), -np.ones(300), -np.ones(n))
    trace = play(NormalizedWinnow(n, eta=0.5), stream)
    assert trace.mistakes == 300 > theory.mistake_bound(n, 1, 0.5)
    with pytest.raises(ValueError, match="use BalancedWinnow"):
        theory.proof(trace)
