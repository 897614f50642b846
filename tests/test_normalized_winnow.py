"""Normalised Winnow: the panel, the theorem, its proof, and when they fail."""

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from olc import (
    NormalizedWinnow,
    Perceptron,
    Stream,
    WeightedMajority,
    adversaries,
    duel,
    geometry,
    perceptron,
    play,
    streams,
)
from olc import normalized_winnow as theory


def assert_proof_steps(trace):
    """Check every inequality of the proof at every mistake."""
    ledger, stream = theory.proof(trace), trace.stream
    eta, n = trace.before.eta, stream.n
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert_between(ledger)
    u = geometry.unit(stream.target, 1)
    delta = geometry.margin(u, stream.X, stream.y, p=1)
    radius = geometry.radius(stream.X, math.inf)
    assert (ledger.advantage >= eta * delta - 1e-9).all()
    assert (ledger.log_Z <= math.log(math.cosh(eta * radius)) + 1e-9).all()
    np.testing.assert_allclose(ledger["drop"], ledger.advantage - ledger.log_Z)
    assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()
    np.testing.assert_allclose(ledger.guaranteed, theory.least_drop(eta, delta, radius))
    if len(ledger):  # the start is ln N less the target's entropy
        start = math.log(n) + float(np.sum(u[u > 0] * np.log(u[u > 0])))
        first = ledger.iloc[0]
        assert first.potential + first["drop"] == pytest.approx(start, abs=1e-9)
    assert trace.mistakes <= theory.mistake_bound(n, delta, eta, radius) + 1e-9
    return ledger


# ------------------------------------------------------- the panel of experts


@given(st.integers(1, 30), st.sampled_from([1, 3, 5]), st.integers(0, 99))
def test_panel_has_margin_one_over_k_and_in_euclidean_length_one_over_root_nk(
    n, k, seed
):
    assume(k <= n)
    stream = streams.panel(n, k, 40, seed)
    delta = geometry.margin(stream.target, stream.X, stream.y, p=1)
    assert delta * k == pytest.approx(round(delta * k))  # a whole number over k
    assert delta >= 1 / k - 1e-12
    gamma = stream.margin / stream.radius
    assert gamma >= 1 / math.sqrt(n * k) - 1e-12


def test_bounds_of_the_panel_are_nk_and_2k_squared_ln_n():
    for n, k in ((100, 3), (1000, 15), (1024, 5)):
        assert perceptron.panel_bound(n, k) == n * k
        assert theory.panel_bound(n, k) == pytest.approx(2 * k**2 * math.log(n))
    assert round(theory.panel_bound(100, 3)) == 83 < 300
    assert round(theory.panel_bound(100, 11)) == 1114 > 1100  # no longer sparse


@pytest.mark.parametrize(("k", "n"), [(3, 17), (5, 36)])
def test_the_two_printed_bounds_cross_where_k_is_n_over_2_ln_n(k, n):
    assert round(theory.crossover(k)) == n
    assert k == pytest.approx(n / (2 * math.log(n)), rel=0.01)


def test_for_a_single_expert_the_printed_bound_of_winnow_is_always_below():
    assert all(theory.panel_bound(n, 1) < n for n in range(1, 2000))


@given(st.integers(2, 2000), st.sampled_from([1, 3, 5, 7, 9]))
def test_sharp_panel_bound_is_below_the_printed_one_and_below_nk(n, k):
    assume(k < n)
    sharp = theory.panel_bound(n, k, sharp=True)
    assert sharp <= theory.panel_bound(n, k)
    assert sharp <= n * k
    assert sharp == pytest.approx(math.log(n / k) / theory.divergence(1 / k))


@given(st.integers(3, 40), st.sampled_from([1, 3, 5]), st.integers(0, 99))
def test_theorem_and_every_step_of_its_proof_hold_on_panels(n, k, seed):
    assume(k <= n)
    stream = streams.panel(n, k, 300, seed)
    eta = theory.best_eta(1 / k) if k > 1 else 1.0
    trace = play(NormalizedWinnow(n, eta=eta), stream)
    assert_proof_steps(trace)
    assert trace.mistakes <= theory.panel_bound(n, k)
    assert trace.mistakes <= theory.mistake_bound(n, 1 / k, eta, spread=k) + 1e-9


def test_random_panels_cost_winnow_far_less_than_the_perceptron():
    for k, most in ((3, 124), (5, 346)):
        stream = streams.panel(1024, k, 20_000, seed=0)
        few = play(NormalizedWinnow(1024, eta=theory.best_eta(1 / k)), stream).mistakes
        many = play(Perceptron(1024), stream).mistakes
        assert few < most < many < 1024 * k
        assert few * 10 < many


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
    majority = WeightedMajority(n, eta=1 - math.exp(-2 * eta))
    for x, y in moves:
        before, signs = learner.weights, np.array(x)
        learner.update(x, y)
        majority.update(x, y)
        shares = majority.weights / majority.weights.sum()
        np.testing.assert_allclose(learner.weights, shares, rtol=1e-9)
        # the corrected equation (9): w e^η / Z times 1 or β
        total = (before * np.exp(eta * y * signs)).sum()
        factor = np.where(signs == y, 1, math.exp(-2 * eta))
        expected = before * math.exp(eta) / total * factor
        np.testing.assert_allclose(learner.weights, expected, rtol=1e-9)
        assert learner.weights.sum() == pytest.approx(1)


def test_equation_9_as_printed_does_not_normalise():
    weights, x, eta = np.array([0.5, 0.3, 0.2]), np.array([1, -1, 1]), 0.37
    total = (weights * np.exp(eta * x)).sum()
    printed = np.exp(eta * weights * x) / total * np.where(x == 1, 1, np.exp(-2 * eta))
    assert printed.sum() > 2


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
    if trace.rounds.tolist() != wrong:  # a tie that rounding broke: no less a mistake
        first = min(set(wrong) ^ set(trace.rounds.tolist()))
        fresh = NormalizedWinnow(n, eta=math.log(ratio) / 2)
        play(fresh, stream[:first])
        assert abs(fresh.score(stream.X[first])) < 1e-12
    else:
        np.testing.assert_allclose(learner.weights, [float(w) for w in weights])


def test_weights_start_uniform_and_stay_on_the_simplex():
    assert NormalizedWinnow(4, eta=1).weights.tolist() == [0.25] * 4
    trace = play(NormalizedWinnow(9, eta=0.3), streams.panel(9, 3, 100, 0), record=True)
    assert (trace.weights > 0).all()
    np.testing.assert_allclose(trace.weights.sum(axis=1), 1)


def test_weights_neither_overflow_nor_vanish():
    learner = NormalizedWinnow(3, eta=5)
    for _ in range(1000):
        learner.update([1, -1, 0], 1)
    assert learner.weights.tolist() == [1, 0, 0]
    for _ in range(1001):
        learner.update([-1, 1, 0], 1)
    weights = learner.weights
    assert weights.sum() == pytest.approx(1)
    assert weights[1] / weights[0] == pytest.approx(math.exp(10))


# --------------------------------------------------------------- the theorem


@st.composite
def separable(draw):
    """Real features and a target that is not negative, with some margin."""
    n, rounds = draw(st.integers(1, 12)), draw(st.integers(1, 150))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    radius = draw(st.sampled_from([0.5, 1.0, 3.0]))
    u = (
        random.random(n)
        * (random.random(n) < 0.5)
        * draw(st.sampled_from([0.2, 1, 10]))
    )
    u[random.integers(n)] += 0.1
    X = random.uniform(-radius, radius, (rounds, n))
    X = X[np.abs(X @ u) > 0.1 * radius * u.sum()]
    assume(len(X))
    return Stream(X, np.sign(X @ u), u)


@given(separable(), st.sampled_from([0.3, 1.0, 1.7]))
def test_theorem_and_every_step_of_its_proof_hold_on_random_streams(stream, factor):
    u, radius = stream.target, geometry.radius(stream.X, math.inf)
    gamma = float((stream.y * (stream.X @ u)).min())
    eta = factor * gamma / (radius**2 * u.sum())
    trace = play(NormalizedWinnow(stream.n, eta=eta), stream)
    assert_proof_steps(trace)
    options = {"radius": radius, "target_norm": u.sum()}
    bound = theory.mistake_bound(stream.n, gamma, eta, **options)
    assert trace.mistakes <= bound + 1e-9
    if factor == 1.0:  # η = γ/(R²‖u‖₁) already gives the simple bound
        assert bound <= theory.simple_bound(stream.n, gamma, **options) + 1e-9


@settings(max_examples=8)
@given(st.sampled_from([(9, 3), (16, 5), (65, 3)]), st.floats(0.3, 2))
def test_theorem_and_every_step_of_its_proof_hold_in_duels(size, factor):
    n, k = size
    learner = NormalizedWinnow(n, eta=factor * theory.best_eta(1 / k))
    trace = duel(learner, adversaries.Panel(n, k), rounds=100)
    assert trace.mistakes == len(trace)
    assert_proof_steps(trace)


@pytest.mark.parametrize(("k", "mistakes"), [(3, 99), (5, 258)])
def test_the_sharp_bound_is_nearly_attained(k, mistakes):
    learner = NormalizedWinnow(1024, eta=theory.best_eta(1 / k))
    trace = duel(learner, adversaries.Panel(1024, k), rounds=1000)
    assert trace.mistakes == mistakes
    sharp = theory.panel_bound(1024, k, sharp=True)
    assert 0.96 < mistakes / sharp < 0.98
    assert mistakes / theory.panel_bound(1024, k) < 0.8
    ledger = assert_proof_steps(trace)
    waste = float(ledger["drop"].sum() - ledger.guaranteed.sum())
    assert waste < 0.01 * ledger.guaranteed.sum()  # the drops are the guaranteed ones


def test_the_best_eta_makes_the_rate_largest_and_equal_to_the_divergence():
    for delta in (0.05, 0.3, 0.9):
        grid = np.linspace(1e-3, 5, 20_001)
        rates = [theory.least_drop(eta, delta) for eta in grid]
        best = theory.best_eta(delta)
        assert best == pytest.approx(grid[int(np.argmax(rates))], abs=1e-3)
        assert theory.least_drop(best, delta) == pytest.approx(theory.divergence(delta))
        assert theory.divergence(delta) >= delta**2 / 2
        assert theory.least_drop(delta, delta) >= delta**2 / 2  # no artanh is needed
        scaled = theory.best_eta(3 * delta, radius=3)
        assert theory.least_drop(scaled, 3 * delta, 3) == pytest.approx(
            theory.divergence(delta)
        )


@given(st.floats(0.01, 1), st.integers(2, 1000))
def test_best_bound_is_below_the_simple_one(delta, n):
    assert theory.mistake_bound(n, delta) <= theory.simple_bound(n, delta) + 1e-9


@pytest.mark.parametrize("k", [3, 5, 7])
def test_crossover_is_where_the_two_bounds_are_equal(k):
    n = theory.crossover(k)
    assert n * k == pytest.approx(2 * k**2 * math.log(n))
    assert theory.panel_bound(round(n) - 1, k) > (round(n) - 1) * k
    assert theory.panel_bound(round(n) + 1, k) < (round(n) + 1) * k
    assert theory.crossover(1) is None
    assert theory.crossover(k, scale=0.01 / k) is None


def test_divergence_has_the_printed_values():
    found = [round(1 / theory.divergence(1 / k), 3) for k in (3, 5, 7)]
    assert found == [17.658, 49.663, 97.665]
    assert theory.divergence(1) == pytest.approx(math.log(2))


def test_with_a_perfect_expert_and_a_large_eta_it_is_halving():
    assert theory.mistake_bound(1024, margin=1) == pytest.approx(10)
    for seed in range(5):
        stream = streams.panel(1024, 1, 500, seed)
        trace = play(NormalizedWinnow(1024, eta=40), stream)
        assert trace.mistakes <= 10


def test_bound_is_for_any_scale_of_the_target_and_the_features():
    plain = theory.mistake_bound(50, margin=0.2, eta=0.3)
    scaled = theory.mistake_bound(50, 0.2 * 7 * 3, 0.3 / 3, radius=3, target_norm=7)
    assert scaled == pytest.approx(plain)
    best = theory.mistake_bound(50, 0.2 * 7 * 3, radius=3, target_norm=7)
    assert best == pytest.approx(theory.mistake_bound(50, 0.2))
    assert theory.simple_bound(50, 0.2 * 7 * 3, 3, 7) == pytest.approx(
        theory.simple_bound(50, 0.2)
    )


# ----------------------------------------------- what fails without an assumption


def variant(stream, eta, every=False, predicted=False, start=None):
    """Play the printed variants of the algorithm; return the mistakes."""
    with np.errstate(divide="ignore"):
        state = np.zeros(stream.n) if start is None else np.log(start)
    mistakes = 0
    for x, y in stream:
        guess = 1 if theory.softmax(state) @ x >= 0 else -1
        mistakes += guess != y
        if every or guess != y:
            state = state + eta * (guess if predicted else y) * x
    return mistakes


def test_an_update_in_every_round_breaks_the_theorem():
    for rounds in (100, 1000):
        X = np.repeat([[1, 0.2], [-1, 0.2]], rounds, axis=0)
        stream = Stream(X, np.ones(2 * rounds), [0, 1])
        bound = theory.simple_bound(2, margin=0.2)
        assert play(NormalizedWinnow(2, eta=0.2), stream).mistakes == 7 < bound
        assert variant(stream, eta=0.2) == 7
        assert variant(stream, eta=0.2, every=True) == {100: 74, 1000: 674}[rounds]
        assert bound < 35


def test_an_update_with_the_predicted_label_breaks_the_theorem():
    stream = Stream(np.tile([1.0, -1.0], (500, 1)), -np.ones(500), [0, 1])
    bound = theory.mistake_bound(2, margin=1, eta=0.5)
    assert play(NormalizedWinnow(2, eta=0.5), stream).mistakes == 1 <= bound
    assert variant(stream, eta=0.5, every=True, predicted=True) == 500 > bound


@pytest.mark.parametrize("n", [1, 2])
def test_a_negative_target_breaks_the_theorem(n):
    stream = Stream(np.ones((300, n)), -np.ones(300), -np.ones(n))
    trace = play(NormalizedWinnow(n, eta=0.5), stream)
    assert trace.mistakes == 300 > theory.mistake_bound(n, 1, 0.5)
    with pytest.raises(ValueError, match="use balanced_winnow"):
        theory.proof(trace)


def test_a_start_without_the_relevant_feature_breaks_the_theorem():
    stream = Stream(np.tile([1.0, -1.0], (300, 1)), -np.ones(300), [0, 1])
    assert variant(stream, eta=0.5, start=np.array([1.0, 0.0])) == 300


def test_too_large_an_eta_has_no_bound():
    assert theory.least_drop(eta=1, margin=0.1) < 0
    assert theory.mistake_bound(64, margin=0.1, eta=1) == math.inf


def test_the_bound_as_garbled_in_print_is_false():
    stream = Stream(np.array([[1.0, -1.0], [-1.0, 1.0]]), [-1, 1], [0, 1])
    garbled = math.log(2) / (40 - (1 - math.log(2)))
    assert play(NormalizedWinnow(2, eta=40), stream).mistakes == 1 > garbled
    assert theory.mistake_bound(2, margin=1, eta=40) == pytest.approx(1)


def test_the_potential_without_the_factor_u_is_negative():
    u = np.array([0.7, 0.2, 0.05, 0.05])
    assert np.log(4 * u).sum() < 0 < (u * np.log(4 * u)).sum() < math.log(4)


# -------------------------------------------------------------------- the rest


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NormalizedWinnow(0, eta=1), "n must be at least 1"),
        (lambda: NormalizedWinnow(2, eta=0), "eta must lie"),
        (lambda: NormalizedWinnow(2, eta=1e300), "eta must lie"),
        (lambda: theory.best_eta(1), "margin must lie"),
        (lambda: theory.mistake_bound(9, 0), "margin must lie"),
        (lambda: theory.mistake_bound(9, 2), "which no target reaches"),
        (lambda: theory.mistake_bound(9, 0.1, eta=-1), "eta must lie"),
        (lambda: theory.mistake_bound(9, 0.1, radius=0), "radius must lie"),
        (lambda: theory.mistake_bound(9, 0.1, target_norm=0), "target_norm must lie"),
        (lambda: theory.mistake_bound(9, 0.1, spread=10), "k = 10"),
        (lambda: theory.mistake_bound(0, 0.1), "n must be at least 1"),
        (lambda: theory.simple_bound(9, 0), "margin must lie"),
        (lambda: theory.simple_bound(0, 0.1), "n must be at least 1"),
        (lambda: theory.panel_bound(3, 5), "k = 5"),
        (lambda: NormalizedWinnow(2, eta=1).update([1, math.nan], 1), "finite"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_margin_of_the_whole_radius_is_taken_in_spite_of_rounding():
    assert theory.mistake_bound(8, margin=1 + 1e-15) == pytest.approx(3)


def test_bounds_name_what_is_wrong():
    with pytest.raises(ValueError, match=r"^n must"):
        theory.panel_bound(0, 1)
    with pytest.raises(ValueError, match=r"^radius must"):
        theory.simple_bound(4, 0.5, radius=0)
    with pytest.raises(ValueError, match=r"^target_norm must"):
        theory.simple_bound(4, 0.5, target_norm=0)
    with pytest.raises(ValueError, match="target_norm = 6"):
        theory.mistake_bound(4, 7, radius=2, target_norm=3)


def test_a_margin_of_all_the_radius_has_a_bound():
    assert theory.mistake_bound(8, 2, radius=2) == pytest.approx(math.log2(8))
    rounded = 1 + 5e-13  # a margin that rounding has lifted above the radius
    assert theory.mistake_bound(8, rounded) == pytest.approx(math.log2(8))


def test_winnow_shows_its_rate():
    assert repr(NormalizedWinnow(2, eta=0.5)) == "NormalizedWinnow(n=2, eta=0.5)"
