"""Gradient descent, EG and EG±, and their one loss bound."""

import copy
import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from helpers import assert_between, forecasts
from hypothesis import assume, given
from hypothesis import strategies as st

from olc import gradient
from olc.gradient import (
    ExponentiatedGradient,
    Forecaster,
    GradientDescent,
    SignedExponentiatedGradient,
    forecast,
)

# ------------------------------------------------------------------- the learners


@given(forecasts())
def test_exponentiated_gradient_is_a_loop_that_multiplies_and_normalises(game):
    X, y, _ = game
    getcontext().prec = 50
    learner = ExponentiatedGradient(X.shape[1], eta=0.5)
    predictions = forecast(learner, X, y).predictions
    w, said = [Decimal(1) / X.shape[1]] * X.shape[1], []
    for row, number in zip(X.tolist(), y.tolist(), strict=True):
        x = [Decimal(value) for value in row]
        said.append(sum(a * b for a, b in zip(w, x, strict=True)))
        residual = Decimal(number) - said[-1]
        w = [a * (residual * b / 2).exp() for a, b in zip(w, x, strict=True)]
        w = [a / sum(w) for a in w]
    np.testing.assert_allclose(predictions, [float(p) for p in said], atol=1e-14)
    np.testing.assert_allclose(learner.weights, [float(a) for a in w], rtol=1e-12)


@given(forecasts(), st.sampled_from([0.5, 1.0, 3.0]))
def test_eg_with_signs_is_eg_on_the_features_and_their_negatives(game, norm):
    X, y, _ = game
    n = X.shape[1]
    signed = SignedExponentiatedGradient(n, eta=0.3, norm=norm)
    doubled = ExponentiatedGradient(2 * n, eta=0.3)
    trace = forecast(signed, X, y)
    other = forecast(doubled, norm * np.hstack([X, -X]), y)
    np.testing.assert_allclose(trace.predictions, other.predictions, atol=1e-12)
    halves = np.split(doubled.weights, 2)
    expected = norm * (halves[0] - halves[1])
    np.testing.assert_allclose(signed.weights, expected, atol=1e-12)
    assert np.abs(signed.weights).sum() <= norm * (1 + 1e-12)


def test_gradient_descent_has_the_weights_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(0)
    X, y = random.normal(size=(50, 4)), random.normal(size=50)
    plain = {"penalty": None, "fit_intercept": False, "shuffle": False, "tol": None}
    steps = {"learning_rate": "constant", "eta0": 0.05, "max_iter": 1}
    peer = linear_model.SGDRegressor(**plain, **steps).fit(X, y)
    learner = GradientDescent(4, eta=0.05)
    forecast(learner, X, y)
    np.testing.assert_allclose(learner.weights, peer.coef_, rtol=1e-12)


def test_a_game_in_two_parts_is_the_game():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(30, 3)), random.normal(size=30)
    for learner in each(3):
        whole, parts, by_hand = (copy.deepcopy(learner) for _ in range(3))
        trace = forecast(whole, X, y)
        first, second = forecast(parts, X[:10], y[:10]), forecast(parts, X[10:], y[10:])
        said = np.concatenate([first.predictions, second.predictions])
        assert np.array_equal(trace.predictions, said)
        for x, number in zip(X, y, strict=True):
            by_hand.learn(x, number)
        assert np.array_equal(whole.state, by_hand.state)
        assert np.array_equal(whole.predict(X), X @ whole.weights)
        assert len(trace) == 30


def each(n, eta=0.05, norm=2):
    return [
        GradientDescent(n, eta=eta),
        ExponentiatedGradient(n, eta=eta),
        SignedExponentiatedGradient(n, eta=eta, norm=norm),
    ]


# ------------------------------------------------------------ the bound, the proof


@pytest.mark.parametrize("which", range(3))
@given(forecasts(), st.sampled_from([0.1, 0.5, 0.95]), st.sampled_from([1.0, 1.7]))
def test_theorem_and_proof_hold_for_all_three(which, game, share, room):
    X, y, u = game
    assume(X.any() and u.any())
    learner = each(len(u), norm=room * np.abs(u).sum())[which]  # u need not use all
    learner.eta = share / learner.radius(X) ** 2
    if isinstance(learner, ExponentiatedGradient):
        u = np.abs(u) / np.abs(u).sum()
    trace = forecast(learner, X, y)
    ledger, eta, radius = gradient.proof(trace, u), learner.eta, learner.radius(X)
    assert ledger.index.tolist() == list(range(1, len(trace) + 1))
    assert_between(ledger)
    np.testing.assert_allclose(ledger["residual"] ** 2, trace.losses)
    np.testing.assert_allclose((ledger["of_target"] ** 2).sum(), trace.loss_of(u))
    drop = ledger["progress"] - ledger["cost"]
    np.testing.assert_allclose(ledger["drop"], drop, atol=1e-12)
    most = (eta * ledger["residual"] * radius) ** 2 / 2
    assert (ledger["cost"] <= most + 1e-12).all()
    assert (ledger["drop"] >= ledger["guaranteed"] - 1e-12).all()
    assert trace.loss <= gradient.bound(trace, u) * (1 + 1e-9) + 1e-12
    if isinstance(learner, GradientDescent):  # its cost is known exactly
        cost = (eta * ledger["residual"]) ** 2 * np.square(X).sum(axis=1) / 2
        np.testing.assert_allclose(ledger["cost"], cost, atol=1e-12)
    if isinstance(learner, SignedExponentiatedGradient):
        start = learner.replaced().distance(u)
        assert start <= math.log(2 * len(u)) + 1e-12


@pytest.mark.parametrize("n", range(1, 41))
def test_weights_that_are_the_first_ones_have_a_bound_of_their_own_loss(n):
    X, y = np.ones((2, n)), [1, 1]
    for kind, u in [
        (gradient.ExponentiatedGradient(n, eta=0.1), np.full(n, 1 / n)),
        (gradient.SignedExponentiatedGradient(n, eta=0.1, norm=1), np.zeros(n)),
        (gradient.GradientDescent(n, eta=0.9 / n), np.zeros(n)),
    ]:
        trace = gradient.forecast(kind, X, y)
        own = trace.loss_of(u) / (1 - trace.before.eta * trace.before.radius(X) ** 2)
        assert gradient.bound(trace, u) == pytest.approx(own, rel=1e-9, abs=1e-9)


@given(st.floats(0, 100), st.floats(0.01, 100), st.floats(0.01, 100))
def test_no_rate_has_a_smaller_bound_than_the_best(loss, start, radius):
    least = gradient.loss_bound(loss, start, radius)
    eta = gradient.best_eta(loss, start, radius)
    if loss > 1e-9 * start * radius**2:
        assert gradient.loss_bound(loss, start, radius, eta) == pytest.approx(least)
    for share in (0.01, 0.3, 0.9, 0.999):
        other = gradient.loss_bound(loss, start, radius, share / radius**2)
        assert other >= least * (1 - 1e-9)


def test_the_bound_is_infinite_where_the_rate_is_too_large():
    assert gradient.loss_bound(1, 1, 1, eta=1) == math.inf
    assert gradient.loss_bound(0, 1, 1, eta=1.1) == math.inf
    assert gradient.loss_bound(0, 1, 1, eta=1) == 2


def test_on_the_axes_the_bound_of_gradient_descent_is_attained():
    u = np.array([1.0, -2.0, 0.5])
    trace = forecast(GradientDescent(3, eta=1.0), np.eye(3), u)
    assert trace.loss == gradient.bound(trace, u) == u @ u


def test_without_noise_examples_of_one_length_cost_gradient_descent_nk():
    random = np.random.default_rng(0)
    X = random.choice([-1.0, 1.0], size=(2000, 32))
    u = np.r_[np.ones(3), np.zeros(29)]
    trace = forecast(GradientDescent(32, eta=1 / 32), X, X @ u)
    assert trace.loss == pytest.approx(32 * 3, rel=1e-9)


def test_the_bound_fails_beyond_the_rate_of_the_theorem():
    # at η = 1.9/R² the weights swing from side to side
    X, y = np.ones((20, 1)), np.ones(20)
    wild = forecast(GradientDescent(1, eta=1.9), X, y).loss
    assert wild > gradient.loss_bound(0, 0.5, 1)
    with pytest.raises(ValueError, match=r"eta times R² is 1.9: .* eta below 1"):
        gradient.proof(forecast(GradientDescent(1, eta=1.9), X, y), [1])


# ------------------------------------------------- learners with rules of their own


@pytest.mark.parametrize(
    ("kind", "hook", "rule"),
    [
        (GradientDescent, "link", lambda self, state: 0 * state),
        (ExponentiatedGradient, "step", lambda self, state, x, residual: state),
    ],
)
def test_no_bound_and_no_proof_is_about_a_hook_of_ones_own(kind, hook, rule):
    own = type("Own", (kind,), {hook: rule})(2, eta=0.5)
    trace = forecast(own, np.tile([1, 0], (200, 1)), np.ones(200))
    assert trace.loss >= 50 > gradient.loss_bound(0, 1, 1, 0.5)
    for theorem in (gradient.bound, gradient.proof):
        with pytest.raises(TypeError, match="Own plays by rules of its own"):
            theorem(trace, [1, 0])


class Breaking(GradientDescent):
    """It breaks off in round 3, after it has written something down."""

    seen = 0

    def step(self, w, x, residual):
        self.seen += 1
        if self.seen == 3:
            raise self.error
        return super().step(w, x, residual)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_a_game_that_breaks_off_leaves_the_learner_as_it_was(error):
    learner = Breaking(1, eta=0.5)
    learner.error = error
    learner.learn([1], 4)
    with pytest.raises(error):
        forecast(learner, np.ones((9, 1)), np.ones(9))
    assert (learner.weights.tolist(), learner.seen) == ([2], 1)
    assert learner.learn([1], 2) == 2


def test_examples_that_are_all_0_or_missing_teach_nothing_and_are_bounded():
    for rows in (np.zeros((2, 2)), np.zeros((0, 2))):
        trace = forecast(GradientDescent(2, eta=0.5), rows, np.ones(len(rows)))
        assert trace.loss == len(rows)
        assert gradient.bound(trace, [1, 0]) == len(rows) + 2


def test_a_forecaster_of_ones_own_must_say_how_it_steps():
    class Mine(Forecaster):
        def step(self, state, x, residual):
            return state + residual

    assert forecast(Mine(1), [[1], [1]], [3, 3]).predictions.tolist() == [0, 3]
    with pytest.raises(NotImplementedError, match="Forecaster must define step"):
        forecast(Forecaster(1), [[1]], [1])
