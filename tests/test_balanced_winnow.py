"""Balanced Winnow: the doubled example, the theorem for signed targets, two forms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import olc
from olc import BalancedWinnow, Stream, ThresholdBalancedWinnow, balanced_winnow, play

# -------------------------------------------------------- the example of the notes


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8), st.integers(0, 99))
def test_doubling_keeps_them_always(u, seed):
    X = np.random.default_rng(seed).uniform(-1, 1, (4, len(u)))
    doubled, target = balanced_winnow.doubled(X), balanced_winnow.doubled_target(u)
    assert (target >= 0).all()
    np.testing.assert_allclose(doubled @ target, X @ u, atol=1e-9)
    assert target.sum() == pytest.approx(np.abs(u).sum())


# ------------------------------------------------------------------ the algorithm


@st.composite
def updates(draw):
    n = draw(st.integers(1, 5))
    row = st.lists(st.floats(-1, 1, width=32), min_size=n, max_size=n)
    return n, draw(st.lists(st.tuples(row, st.sampled_from([-1, 1])), max_size=12))


@given(updates(), st.sampled_from([0.1, 1.0, 3.0]))
def test_it_is_normalised_winnow_on_the_doubled_features(game, eta):
    n, moves = game
    learner, double = BalancedWinnow(n, eta=eta), olc.NormalizedWinnow(2 * n, eta=eta)
    summed = np.zeros(n)
    for row, y in moves:
        x = np.array(row)
        learner.update(x, y)
        double.update(balanced_winnow.doubled(x), y)
        summed += eta * y * x
        plus, minus = learner.halves
        np.testing.assert_allclose(np.append(plus, minus), double.weights, rtol=1e-9)
        np.testing.assert_allclose(learner.weights, plus - minus, rtol=1e-9, atol=1e-15)
        closed = np.sinh(summed) / np.cosh(summed).sum()
        np.testing.assert_allclose(learner.weights, closed, rtol=1e-9)
        assert plus.sum() + minus.sum() == pytest.approx(1)


def test_weights_neither_overflow_nor_vanish():
    learner, x = BalancedWinnow(3, eta=5), np.array([1, -1, 0])
    for _ in range(1000):
        learner.update(x, 1)
    assert learner.weights.tolist() == [0.5, -0.5, 0]
    for _ in range(1001):
        learner.update(x, -1)
    expected = math.sinh(5) / (2 * math.cosh(5) + 1)
    np.testing.assert_allclose(learner.weights, [-expected, expected, 0], 1e-9)


@pytest.mark.parametrize("eta", [1e-9, 1e-20])
def test_small_weights_keep_their_digits(eta):
    learner = BalancedWinnow(2, eta=eta)
    assert learner.learn([1, 0], 1) == 0
    assert learner.weights[0] == pytest.approx(eta / 2, rel=1e-9, abs=0)
    assert learner.predict([1, 0]) == 1


def test_unequal_weights_of_a_text_stay_apart_at_a_large_rate():
    stream = olc.text.stream("to", "two", seed=0)
    learner, counts = BalancedWinnow(stream.n, eta=5), np.zeros(stream.n, dtype=int)
    for _ in range(3):
        said, trace = [], play(learner, stream)
        for active, y, wrong in zip(
            np.split(stream.X.indices, stream.X.indptr[1:-1]),
            stream.y,
            trace.predictions != stream.y,
            strict=True,
        ):
            many = np.bincount(counts[active] + 20, minlength=41)
            net = many[21:] - many[19::-1]  # of each size, how many more are positive
            assert np.abs(net).max() < 70
            # sinh 5j is over 140 times sinh 5(j-1): the largest that is left decides
            said.append(np.sign(np.append(0, net[net != 0])[-1]))
            counts[active] += y * wrong
        assert trace.predictions.tolist() == said


# -------------------------------------------------------------------- the theorem


def signed_stream(n, rounds, seed, radius=1.0, margin=0.1):
    random = np.random.default_rng(seed)
    u = random.normal(size=n) * (random.random(n) < 0.6)
    u[random.integers(n)] -= 0.5
    X = random.uniform(-radius, radius, (rounds, n))
    X = X[np.abs(X @ u) > margin * radius * np.abs(u).sum()]
    return Stream(X, np.sign(X @ u).astype(int), u)


@given(
    st.integers(1, 10),
    st.integers(0, 9999),
    st.sampled_from([0.5, 1.0, 3.0]),
    st.sampled_from([0.3, 1.0, 1.7]),
)
def test_theorem_holds(n, seed, radius, factor):
    stream = signed_stream(n, 150, seed, radius)
    assume(len(stream))
    gamma = float((stream.y * (stream.X @ stream.target)).min())
    size, radius = np.abs(stream.target).sum(), olc.geometry.radius(stream.X, math.inf)
    eta = factor * gamma / (radius**2 * size)
    trace = play(BalancedWinnow(n, eta=eta), stream)
    bound = balanced_winnow.mistake_bound(n, gamma / size, eta, radius)
    assert trace.mistakes <= bound + 1e-9
    if factor == 1.0:
        simple = olc.normalized_winnow.simple_bound(2 * n, gamma / size, radius)
        assert bound <= simple + 1e-9


@pytest.mark.parametrize("k", [1, 3, 7, 11])
def test_crossover_is_where_2k_squared_ln_2n_over_k_meets_nk(k):
    n = balanced_winnow.crossover(k)
    assert n * k == pytest.approx(2 * k**2 * math.log(2 * n / k))
    assert n / k == pytest.approx(4.3066, abs=1e-4)


@given(st.integers(1, 500), st.integers(1, 9), st.floats(0.01, 1))
def test_bounds_are_those_of_normalised_winnow_on_twice_the_features(n, k, margin):
    assume(k <= 2 * n)
    single = olc.normalized_winnow.mistake_bound(2 * n, margin, 0.01, k=k)
    assert balanced_winnow.mistake_bound(n, margin, 0.01, k=k) == single
    if k <= n:
        for sharp in (False, True):
            single = olc.normalized_winnow.panel_bound(2 * n, k, sharp)
            assert balanced_winnow.panel_bound(n, k, sharp) == single


# ------------------------------------------------------------- the threshold form


@given(
    st.lists(st.sampled_from([-1, 1]), max_size=20), st.sampled_from([1.5, 2.0, 3.0])
)
def test_product_of_the_two_weights_never_changes(signs, alpha):
    learner = ThresholdBalancedWinnow(1, alpha=alpha, plus=3, minus=0.5)
    for y in signs:
        learner.update(np.ones(1), y)
        plus, minus = learner.halves
        assert plus * minus == pytest.approx(1.5)
        assert learner.weights == pytest.approx(plus - minus, rel=1e-9)


def test_threshold_form_learns_what_winnow_cannot():
    X = np.array(list(itertools.product([0, 1], repeat=3)))
    y = np.where((X[:, 0] == 1) & (X[:, 1] == 0), 1, -1)
    pool, labels = np.tile(X, (200, 1)), np.tile(y, 200)
    assert play(olc.Winnow(3), pool, labels).mistakes > 200
    learner = ThresholdBalancedWinnow(3)
    assert play(learner, pool, labels).mistakes < 30
    assert (learner.predict(X) == y).all()
    assert learner.weights[1] < 0


# ------------------------------------------------------------- a bound for every rate


def test_the_bound_for_every_rate_has_the_perceptron_at_one_end():
    bound = balanced_winnow.rate_bound
    for n, k in [(16, 3), (16, 7), (64, 5)]:
        assert bound(n, k, 1e-6) == pytest.approx(n * k, rel=1e-6)
        assert math.floor(bound(n, k, 3 / (2 * n * k))) <= n * k
        assert bound(n, k, 1 / k) <= 2 * k**2 * math.log(2 * n / k)
    # just below the rate without a bound the arguments of cosh are large
    assert 20_000 < bound(16, 7, 0.2895) < bound(16, 7, 0.29) == math.inf


@given(
    st.integers(3, 9),
    st.sampled_from([1, 3]),
    st.integers(0, 9999),
    st.sampled_from([0.01, 0.1, 0.3, 1.0]),
    st.booleans(),
)
def test_the_bound_for_every_rate_holds_on_signed_panels_and_so_does_its_ledger(
    n, k, seed, eta, opinions
):
    random = np.random.default_rng(seed)
    u = np.zeros(n)
    u[:k] = random.choice([-1, 1], k)
    X = random.choice([-1.0, 1.0], (200, n))
    if not opinions:  # other features will do, if the panel wins by 1 or more
        X[:, k:] = random.uniform(-1, 1, (200, n - k))
    stream = Stream(X, np.sign(X @ u), u)
    trace = play(BalancedWinnow(n, eta=eta), stream)
    assert trace.mistakes <= balanced_winnow.rate_bound(n, k, eta)
    found = balanced_winnow.rate_proof(trace)
    assert (found.cross <= 1e-12).all()
    assert (found.rise <= math.log(math.cosh(eta)) + 1e-9).all()
    assert (found.lower <= found.potential + 1e-9).all()
    assert (found.potential <= found.upper + 1e-9).all()
    count = found.index.to_numpy()
    least = np.log(n - k + k * np.cosh(eta * count / k))
    np.testing.assert_allclose(found.lower, least)
    np.testing.assert_allclose(found.upper, math.log(n) + count * np.log(np.cosh(eta)))
    s = X[trace.mistake_rounds].T @ stream.y[trace.mistake_rounds]
    assert found.potential.iloc[-1] == pytest.approx(np.log(np.cosh(eta * s).sum()))


@pytest.mark.parametrize("eta", [0.01, 0.1, 0.25, 0.5, 0.9])
def test_a_panel_of_one_attains_the_bound_for_every_rate_without_a_rest(eta):
    signs = [[1, 1], [1, -1]]
    mistakes = play(BalancedWinnow(2, eta=eta), signs, [1, 1]).mistakes
    assert mistakes == balanced_winnow.rate_bound(2, 1, eta) == 2.0
