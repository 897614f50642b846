"""The p-norm Perceptron: its link, its two ends, the theorem, and its proof."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import olc
from olc import PNormPerceptron, geometry, play, streams
from olc import p_norm as theory

ORDERS = st.sampled_from([2, 2.25, 3, 3.7, 6, 13.86, 30, 100])


def weights_of(state, p):
    """Return the weights that belong to a state."""
    learner = PNormPerceptron(len(state), p=p)
    learner.state = np.array(state, dtype=float)
    return learner.weights


def slow_weights(state, p):
    """The gradient of ½‖s‖ₚ², from its formula, in fifty digits."""
    with localcontext(prec=50, Emin=-(10**9), Emax=10**9):
        state, p = [Decimal(float(entry)) for entry in state], Decimal(float(p))
        length = sum(abs(entry) ** p for entry in state if entry) ** (1 / p)
        return [
            float((abs(entry) ** (p - 1) / length ** (p - 2)).copy_sign(entry))
            if entry
            else 0.0
            for entry in state
        ]


def half_square(state, p):
    return geometry.norm(state, p) ** 2 / 2


#: Numbers that are not too small to square.
ENTRIES = st.floats(-10, 10).map(lambda e: e if abs(e) > 1e-6 else 0.0)
STATES = st.lists(ENTRIES, min_size=1, max_size=8).map(np.array)


# -------------------------------------------------------------- the algorithm


@given(STATES, ORDERS)
def test_link_is_the_formula_in_fifty_digits(state, p):
    assume(state.any())
    expected = np.array(slow_weights(state, p))
    np.testing.assert_allclose(weights_of(state, p), expected, rtol=1e-9, atol=1e-290)
    assert weights_of(0 * state, p).tolist() == [0] * len(state)


@given(STATES, ORDERS)
def test_weights_and_state_have_dual_norms_that_are_equal(state, p):
    assume(state.any())
    weights, length = weights_of(state, p), geometry.norm(state, p)
    assert geometry.norm(weights, p / (p - 1)) == pytest.approx(length)
    assert weights @ state == pytest.approx(length**2)


def slow_game(stream, p):
    """Play with whole numbers and a whole p; return the mistakes and the near ties."""
    state, wrong, ties = [0] * stream.n, [], set()
    for t, (x, y) in enumerate(stream):
        signs = [int(entry) for entry in x]
        score = sum(
            s * abs(e) ** (p - 1) * (e > 0 or -1)
            for e, s in zip(state, signs, strict=True)
        )
        if abs(score) * 2**40 <= stream.n * max(map(abs, state)) ** (p - 1):
            ties.add(t)
        if y * score <= 0:
            wrong.append(t)
            state = [e + int(y) * s for e, s in zip(state, signs, strict=True)]
    return wrong, ties


@given(
    st.integers(1, 40), st.integers(0, 99), st.sampled_from([2, 3, 4, 7, 14, 30, 100])
)
def test_it_errs_where_whole_numbers_do(n, seed, p):
    stream = streams.panel(n, min(3, n - 1 + n % 2), 100, seed)
    found = play(PNormPerceptron(n, p=p), stream).mistake_rounds.tolist()
    wrong, ties = slow_game(stream, p)
    if found != wrong:  # a tie of unequal weights, or nearly one, that rounding broke
        assert min(set(wrong) ^ set(found)) in ties


def test_unequal_weights_of_the_text_are_told_apart():
    """Two, one and thirty: 2^13 outweighs 1^13, however small both are beside 30^13."""
    X = np.zeros((4, 1024))
    X[[0, 1, 2], [0, 1, 2]], X[3, 1:3] = [30, 2, 1], 1
    trace = play(PNormPerceptron(1024), X, [1, 1, -1, 1])
    assert trace.predictions.tolist() == [0, 0, 0, 1]


def test_p_is_next_to_2_ln_n_unless_it_is_given():
    orders = [PNormPerceptron(n).p for n in (1, 2, 3, 10, 64, 1024)]
    assert orders == [2, 2, 2, 5, 8, 14]
    assert PNormPerceptron(9).replaced(n=1024).p == 14
    assert PNormPerceptron(9, p=3).replaced(n=1024).p == 3
    own = PNormPerceptron(1000).p
    assert theory.panel_bound(1000, 3) == theory.panel_bound(1000, 3, own)


def test_many_rounds_at_p_100_are_safe():
    random = np.random.default_rng(0)
    X = random.choice(np.array([-1, 1], dtype=np.int8), (200_000, 3))
    learner, flips = PNormPerceptron(3, p=100), random.random(200_000) < 0.01
    trace = play(learner, X, np.where(flips, -X[:, 0], X[:, 0]))
    assert 2_000 < trace.mistakes < 6_000
    expected = slow_weights(learner.state, 100)
    np.testing.assert_allclose(learner.weights, expected, rtol=1e-9)


# ---------------------------------------------------------------- the theorem


@pytest.mark.parametrize("p", [2, 3, 10, 30])
def test_the_factor_p_minus_1_of_the_lemma_cannot_be_less(p):
    state, x = np.ones(2), np.array([1e-3, -1e-3])
    rise = half_square(state + x, p) - half_square(state, p)
    assert weights_of(state, p) @ x == pytest.approx(0)
    assert rise == pytest.approx((p - 1) * half_square(x, p), rel=1e-3)


@settings(max_examples=15)
@given(st.integers(3, 40), st.sampled_from([1, 3, 5]), st.integers(0, 99), ORDERS)
def test_theorem_holds_on_signed_panels(n, k, seed, p):
    assume(k <= n)
    trace = play(PNormPerceptron(n, p=p), streams.signed_panel(n, k, 300, seed))
    assert trace.mistakes <= theory.panel_bound(n, k, p)


@pytest.mark.parametrize(("n", "k", "p"), [(64, 3, 4), (64, 3, 8.3), (9, 9, 2)])
def test_panel_bound_is_the_mistake_bound_of_a_panel(n, k, p):
    u = np.arange(n) < k
    radius, size = geometry.norm(np.ones(n), p), geometry.norm(u, p / (p - 1))
    assert theory.panel_bound(n, k, p) == pytest.approx(
        theory.mistake_bound(radius, 1, p, target_norm=size)
    )


def test_bounds_are_those_of_the_perceptron_at_2_and_nearly_winnows_at_2_ln_n():
    for n, k in ((64, 3), (1024, 5), (10**6, 1)):
        assert theory.panel_bound(n, k, 2) == pytest.approx(n * k)
        most = math.e * olc.normalized_winnow.panel_bound(n, k)
        assert theory.panel_bound(n, k, 2 * math.log(n)) <= most
        assert theory.panel_bound(n, k) <= most


@given(st.integers(1, 5000), st.integers(1, 20))
def test_best_p_makes_the_panels_bound_smallest(n, k):
    assume(k <= n)
    grid = np.linspace(2, 40, 400)
    least = min(theory.panel_bound(n, k, p) for p in grid)
    best = theory.panel_bound(n, k, theory.best_p(n, k))
    assert best <= least * (1 + 1e-12)
    assert least <= best * 1.01
