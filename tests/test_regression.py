"""Forecasters and their losses; gradient descent, EG and EG±, and their loss bound."""

import copy
import itertools
import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import assume, given
from hypothesis import strategies as st

from olc import regression as theory
from olc.regression import (
    ExponentiatedGradient,
    Forecaster,
    GradientDescent,
    SignedExponentiatedGradient,
    absolute_loss,
    calibration,
    chance_ahead,
    days_to_lead,
    decompose,
    expected_loss,
    forecast,
    log_loss,
    square_loss,
)

chances = st.integers(1, 99).map(lambda percent: percent / 100)


# ------------------------------------------------------------- which forecaster


def test_one_rainy_day_favours_whoever_said_the_larger_number():
    for loss in (square_loss, log_loss, absolute_loss):
        assert loss(0.8, 1) < loss(0.7, 1)
        assert loss(0.7, 0) < loss(0.8, 0)
    assert chance_ahead(0.8, 0.7, truth=0.7, days=1) == pytest.approx(0.7)


@given(chances, chances)
def test_square_and_log_loss_are_least_for_the_truth(said, truth):
    square = expected_loss(square_loss, said, truth)
    assert square == pytest.approx(truth * (1 - truth) + (said - truth) ** 2)
    entropy = -truth * math.log(truth) - (1 - truth) * math.log(1 - truth)
    kl = truth * math.log(truth / said) + (1 - truth) * math.log(
        (1 - truth) / (1 - said)
    )
    assert expected_loss(log_loss, said, truth) == pytest.approx(entropy + kl)


@given(chances)
def test_absolute_loss_is_least_for_an_extreme_forecast(truth):
    said = np.linspace(0, 1, 101)
    best = said[np.argmin(expected_loss(absolute_loss, said, truth))]
    assert truth == 0.5 or best == round(truth)


def test_the_impossible_costs_nothing_that_is_expected_of_it():
    assert expected_loss(log_loss, 0.0, truth=0) == 0
    assert expected_loss(log_loss, 0.0, truth=0.1) == math.inf


@pytest.mark.parametrize("loss", [square_loss, log_loss])
@pytest.mark.parametrize(("said", "other"), [(0.7, 0.8), (0.8, 0.7), (0.2, 0.6)])
def test_the_chance_of_a_lead_is_that_of_all_weathers_that_give_one(loss, said, other):
    for truth, days in itertools.product((0.3, 0.7), (1, 3, 8)):
        total = 0.0
        for rain in itertools.product((0, 1), repeat=days):
            mine, theirs = loss(said, rain).sum(), loss(other, rain).sum()
            wet = sum(rain)
            chance = truth**wet * (1 - truth) ** (days - wet)
            total += chance * (mine < theirs - 1e-12)
        assert chance_ahead(said, other, truth, days, loss) == pytest.approx(total)


def test_a_tie_is_no_lead_even_where_rounding_hides_it():
    # 13 of 20 rainy days tie 0.6 and 0.7, though 20 times 0.65 is not 13 in binary
    ahead = chance_ahead(0.6, 0.7, 0.65, 20) + chance_ahead(0.7, 0.6, 0.65, 20)
    assert ahead == pytest.approx(1 - math.comb(20, 13) * 0.65**13 * 0.35**7)


def test_days_to_lead_is_the_last_day_below_the_chance_and_one_more():
    days = int(days_to_lead(0.7, 0.8, truth=0.7))
    after = chance_ahead(0.7, 0.8, 0.7, np.arange(days - 1, 3000))
    assert after[0] < 0.95 <= after[1:].min()
    assert days_to_lead(0.1, 0.9, truth=0.0) == 1


@given(chances, chances, chances, st.sampled_from([0.6, 0.95, 0.999]))
def test_exact_days_are_fewer_than_chernoffs_and_those_fewer_than_hoeffdings(
    said, other, truth, chance
):
    assume(abs(said - other) >= 0.03)
    edge = (other - truth) ** 2 - (said - truth) ** 2
    assume(edge <= 0 or edge >= 0.003)
    exact, chernoff, hoeffding = (
        days(said, other, truth, chance)
        for days in (days_to_lead, theory.chernoff_days, theory.hoeffding_days)
    )
    if edge <= 1e-12:
        assert exact == chernoff == hoeffding == math.inf
    else:
        assert exact <= math.ceil(chernoff)
        assert chernoff <= hoeffding * (1 + 1e-9)
        width = 2 * (said - other)
        expected = width**2 / (2 * edge**2) * -math.log1p(-chance)
        assert hoeffding == pytest.approx(expected)


def test_what_the_weather_cannot_do_is_settled_on_the_first_day():
    assert theory.chernoff_days(0.2, 0.9, truth=0) == 0
    assert days_to_lead(0.2, 0.9, truth=0) == 1


def test_hoeffding_needs_two_over_the_squared_gap():
    for gap in (0.1, 0.05, 0.02):
        days = theory.hoeffding_days(0.5, 0.5 + gap, truth=0.5, chance=0.95)
        assert days == pytest.approx(2 / gap**2 * math.log(20))


# ------------------------------------------------------------------ calibration


@given(
    st.lists(
        st.tuples(st.integers(0, 10).map(lambda p: p / 10), st.sampled_from([0, 1])),
        min_size=1,
    )
)
def test_loss_is_calibration_less_sharpness_plus_uncertainty(days):
    said, rain = map(np.array, zip(*days, strict=True))
    parts = decompose(said, rain)
    rest = parts["calibration"] - parts["sharpness"] + parts["uncertainty"]
    assert parts["loss"] == pytest.approx(rest, abs=1e-12)
    assert parts["loss"] == pytest.approx(square_loss(said, rain).mean())
    table = calibration(said, rain)
    assert table["days"].sum() == len(days)
    for value, row in table.iterrows():
        assert row["rain"] == pytest.approx(rain[said == value].mean())


def test_the_climate_is_perfectly_calibrated_and_not_sharp_at_all():
    rain = np.array([1, 0, 0, 1])
    parts = decompose(np.full(4, 0.5), rain)
    assert parts["calibration"] == parts["sharpness"] == 0
    assert parts["loss"] == parts["uncertainty"] == 0.25


# ------------------------------------------------------------------- the learners

#: The rounds that the chapter follows by hand.
ROWS, NUMBERS = [[1, -1], [1, 0], [-1, -1]], [1, 1, -1]


def test_gradient_descent_reproduces_the_worked_example_in_fractions():
    learner = GradientDescent(2, eta=0.25)
    trace = forecast(learner, ROWS, NUMBERS)
    assert trace.predictions.tolist() == [0, 1 / 4, -3 / 16]
    assert learner.weights.tolist() == [41 / 64, -3 / 64]
    assert trace.loss == 1 + 9 / 16 + 169 / 256


def test_exponentiated_gradient_reproduces_the_worked_example():
    learner = ExponentiatedGradient(2, eta=math.log(3) / 2)
    trace = forecast(learner, ROWS, NUMBERS)
    share = 0.75 * 3 ** (1 / 8) / (0.75 * 3 ** (1 / 8) + 0.25)
    np.testing.assert_allclose(trace.predictions, [0, 0.75, -1], atol=1e-15)
    np.testing.assert_allclose(learner.weights, [share, 1 - share], rtol=1e-15)


numbers = st.integers(-8, 8).map(lambda value: value / 8)


@st.composite
def games(draw):
    n = draw(st.integers(1, 5))
    rows = st.lists(numbers, min_size=n, max_size=n)
    game = draw(st.lists(st.tuples(rows, numbers), min_size=1, max_size=12))
    X, y = zip(*game, strict=True)
    return np.array(X), np.array(y), np.array(draw(rows))


@given(games())
def test_gradient_descent_is_a_loop_in_exact_fractions(game):
    X, y, _ = game
    learner = GradientDescent(X.shape[1], eta=0.125)
    predictions = forecast(learner, X, y).predictions
    w, said = [Fraction(0)] * X.shape[1], []
    for row, number in zip(X.tolist(), y.tolist(), strict=True):
        x = [Fraction(value) for value in row]
        said.append(sum((a * b for a, b in zip(w, x, strict=True)), Fraction(0)))
        residual = Fraction(number) - said[-1]
        w = [a + residual * b / 8 for a, b in zip(w, x, strict=True)]
    np.testing.assert_allclose(predictions, [float(p) for p in said], atol=1e-14)
    np.testing.assert_allclose(learner.weights, [float(a) for a in w], atol=1e-14)


@given(games())
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


@given(games(), st.sampled_from([0.5, 1.0, 3.0]))
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
    peer = linear_model.SGDRegressor(
        penalty=None,
        learning_rate="constant",
        eta0=0.05,
        fit_intercept=False,
        shuffle=False,
        max_iter=1,
        tol=None,
    ).fit(X, y)
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
            by_hand.update(x, number)
        assert np.array_equal(whole.state, by_hand.state)
        assert np.array_equal(whole.predict(X), X @ whole.weights)
        assert len(trace) == 30


def each(n, eta=0.05):
    return [
        GradientDescent(n, eta=eta),
        ExponentiatedGradient(n, eta=eta),
        SignedExponentiatedGradient(n, eta=eta, norm=2),
    ]


# ------------------------------------------------------------ the bound, the proof


def assert_proof_steps(trace, u):
    """Check every inequality of the proof in every round."""
    ledger, learner = theory.proof(trace, u), trace.before
    eta, radius = learner.eta, learner.radius(trace.X)
    assert ledger.index.tolist() == list(range(1, len(trace) + 1))
    assert_between(ledger)
    np.testing.assert_allclose(ledger["residual"] ** 2, trace.losses)
    np.testing.assert_allclose((ledger["of_target"] ** 2).sum(), trace.loss_of(u))
    np.testing.assert_allclose(
        ledger["drop"], ledger["progress"] - ledger["cost"], atol=1e-12
    )
    most = (eta * ledger["residual"] * radius) ** 2 / 2
    assert (ledger["cost"] <= most + 1e-12).all()
    assert (ledger["drop"] >= ledger["guaranteed"] - 1e-12).all()
    assert trace.loss <= theory.bound(trace, u) * (1 + 1e-9) + 1e-12
    return ledger


@given(games(), st.sampled_from([0.1, 0.5, 0.95]))
def test_theorem_and_proof_hold_for_gradient_descent(game, share):
    X, y, u = game
    assume(X.any())
    eta = share / np.square(X).sum(axis=1).max()
    trace = forecast(GradientDescent(X.shape[1], eta=eta), X, y)
    ledger = assert_proof_steps(trace, u)
    longest = np.square(X).sum(axis=1)
    cost = (eta * ledger["residual"]) ** 2 * longest / 2  # it is known exactly
    np.testing.assert_allclose(ledger["cost"], cost, atol=1e-12)


@given(games(), st.sampled_from([0.1, 0.5, 0.95]))
def test_theorem_and_proof_hold_for_exponentiated_gradient(game, share):
    X, y, u = game
    assume(X.any() and u.any())
    eta = share / np.abs(X).max() ** 2
    trace = forecast(ExponentiatedGradient(X.shape[1], eta=eta), X, y)
    assert_proof_steps(trace, np.abs(u) / np.abs(u).sum())


@given(games(), st.sampled_from([0.1, 0.5, 0.95]), st.sampled_from([1.0, 1.7]))
def test_theorem_and_proof_hold_for_eg_with_signs(game, share, room):
    X, y, u = game
    assume(X.any() and u.any())
    norm = room * np.abs(u).sum()  # u need not use all of it
    eta = share / (norm * np.abs(X).max()) ** 2
    trace = forecast(SignedExponentiatedGradient(len(u), eta=eta, norm=norm), X, y)
    assert_proof_steps(trace, u)
    assert trace.before.distance(u) <= math.log(2 * len(u)) + 1e-12


@given(st.floats(0, 100), st.floats(0.01, 100), st.floats(0.01, 100))
def test_no_rate_has_a_smaller_bound_than_the_best(loss, start, radius):
    least = theory.loss_bound(loss, start, radius)
    eta = theory.best_eta(loss, start, radius)
    if loss > 1e-9 * start * radius**2:
        assert theory.loss_bound(loss, start, radius, eta) == pytest.approx(least)
    for share in (0.01, 0.3, 0.9, 0.999):
        other = theory.loss_bound(loss, start, radius, share / radius**2)
        assert other >= least * (1 - 1e-9)


def test_the_bound_is_infinite_where_the_rate_is_too_large():
    assert theory.loss_bound(1, 1, 1, eta=1) == math.inf
    assert theory.loss_bound(0, 1, 1, eta=1.1) == math.inf
    assert theory.loss_bound(0, 1, 1, eta=1) == 2


def test_on_the_axes_the_bound_of_gradient_descent_is_attained():
    u = np.array([1.0, -2.0, 0.5])
    trace = forecast(GradientDescent(3, eta=1.0), np.eye(3), u)
    assert trace.loss == theory.bound(trace, u) == u @ u


def test_without_noise_examples_of_one_length_cost_gradient_descent_nk():
    random = np.random.default_rng(0)
    X = random.choice([-1.0, 1.0], size=(2000, 32))
    u = np.r_[np.ones(3), np.zeros(29)]
    trace = forecast(GradientDescent(32, eta=1 / 32), X, X @ u)
    assert trace.loss == pytest.approx(32 * 3, rel=1e-9)


def test_each_of_the_two_wins_where_its_norms_are_small():
    random = np.random.default_rng(0)
    n, k = 256, 3
    X, u = (
        random.choice([-1.0, 1.0], size=(1500, n)),
        np.r_[np.ones(k), np.zeros(n - k)],
    )
    additive = forecast(GradientDescent(n, eta=1 / n), X, X @ u)
    signed = SignedExponentiatedGradient(n, eta=1 / k**2, norm=k)
    assert forecast(signed, X, X @ u).loss * 5 < additive.loss
    axes, dense = np.tile(np.eye(32), (100, 1)), random.choice([-1.0, 1.0], size=32)
    signed = SignedExponentiatedGradient(32, eta=1 / 32**2, norm=32)
    loss = forecast(signed, axes, axes @ dense).loss
    assert forecast(GradientDescent(32, eta=1), axes, axes @ dense).loss == 32
    assert loss > 10 * 32


def test_the_bound_fails_beyond_the_rate_of_the_theorem():
    # at η = 1.9/R² the weights swing from side to side
    X, y = np.ones((20, 1)), np.ones(20)
    wild = forecast(GradientDescent(1, eta=1.9), X, y).loss
    assert wild > theory.loss_bound(0, 0.5, 1)
    with pytest.raises(ValueError, match=r"eta times R² is 1.9: .* eta below 1"):
        theory.proof(forecast(GradientDescent(1, eta=1.9), X, y), [1])


def test_a_game_of_no_rounds_has_no_loss():
    trace = forecast(GradientDescent(2, eta=0.1), np.zeros((0, 2)), [])
    assert (trace.loss, len(trace)) == (0, 0)


# ------------------------------------------------------- long games, bad arguments


@pytest.mark.parametrize(
    "learner", each(2, eta=0.9), ids=lambda one: type(one).__name__
)
def test_long_games_with_extreme_numbers_stay_finite(learner):
    random = np.random.default_rng(0)
    X = random.choice([-1.0, 1.0], size=(20_000, 2))
    trace = forecast(learner, X, 1e100 * random.choice([-1.0, 1.0], size=20_000))
    assert np.isfinite(trace.predictions).all()
    assert np.isfinite(learner.weights).all()
    assert np.isfinite(trace.loss)


def test_a_learner_of_eg_takes_the_largest_numbers_there_are():
    learner = SignedExponentiatedGradient(2, eta=1e49, norm=1e19)
    for _ in range(100):
        learner.update([1e100, -1e100], -1e100)
    assert learner.weights.tolist() == [-5e18, 5e18]


def test_parameters_are_shown_and_checked():
    assert repr(GradientDescent(3, eta=0.5)) == "GradientDescent(n=3, eta=0.5)"
    shown = "SignedExponentiatedGradient(n=3, eta=0.5, norm=2.0)"
    assert repr(SignedExponentiatedGradient(3, eta=0.5, norm=2)) == shown
    for bad in ({"n": 0, "eta": 1}, {"n": 2, "eta": 0}, {"n": 2, "eta": -1}):
        with pytest.raises(ValueError, match=r"n must be|eta must lie"):
            GradientDescent(**bad)
    with pytest.raises(ValueError, match="norm must lie"):
        SignedExponentiatedGradient(2, eta=1, norm=0)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1, 2, 3]], [1], r"X has shape \(1, 3\): give rows of n = 2 features"),
        ([1, 2], [1], r"X has shape \(2,\)"),
        ([[1, 2]], [1, 2], r"y has shape \(2,\) and X has 1 rows: give one number"),
        ([[1, math.nan]], [1], r"X\[0, 1\] = nan"),
        ([[1, 2], [1, 1]], [1, math.inf], r"y\[1\] = inf: give finite numbers"),
        ([[1, 1], [3, 4]], [1, 1], r"squared length of row 1 of X is 2.5: .* 0.08"),
    ],
)
def test_a_bad_game_is_refused_before_anything_is_learnt(X, y, words):
    learner = GradientDescent(2, eta=0.1)
    with pytest.raises(ValueError, match=words):
        forecast(learner, X, y)
    assert not learner.state.any()


def test_bad_single_examples_are_refused_by_name():
    learner = GradientDescent(2, eta=0.1)
    with pytest.raises(ValueError, match=r"x has shape \(3,\)"):
        learner.update([1, 2, 3], 1)
    with pytest.raises(TypeError, match="y must be a number"):
        learner.update([1, 2], "1")
    with pytest.raises(ValueError, match="squared length of row 0"):
        learner.update([10, 0], 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: square_loss(1.2, 1), "said = 1.2: give 0 to 1"),
        (lambda: log_loss([0.1, math.nan], [1, 0]), r"said\[1\] = nan"),
        (lambda: square_loss(0.2, [[1], [2]]), r"rain\[1, 0\] = 2"),
        (lambda: chance_ahead(0.5, 0.5, 0.5, 3), "are both 0.5: give different"),
        (lambda: chance_ahead(0.5, 0.6, 0.5, 10**15), "days must be whole numbers"),
        (
            lambda: chance_ahead(0.5, 0.6, 0.5, 3, lambda said, rain: said),
            "by this loss 0.5 is no better than 0.6 in any weather",
        ),
        (lambda: chance_ahead(0.5, 0.6, 0.5, 0), "days must be whole numbers"),
        (lambda: chance_ahead(0.5, 0.6, 0.5, 1.5), "days must be whole numbers"),
        (lambda: chance_ahead(0.5, 1.0, 0.5, 1), "other must lie between 0 and 1"),
        (lambda: days_to_lead(0.5, 0.6, 1.5), "truth must lie"),
        (lambda: days_to_lead(0.5, 0.6, 0.5, chance=1), "chance must lie"),
        (lambda: days_to_lead(0.5, 0.5001, 0.5), "further apart"),
        (lambda: calibration([0.5], [1, 0]), r"said has shape \(1,\) and rain \(2,\)"),
        (lambda: decompose([], []), "one of each a day"),
        (lambda: log_loss([0.5, 0.2, 0.1], [1, 0]), r"said has shape \(3,\) and rain"),
        (lambda: theory.best_eta(1, 1, radius=1e-320), "radius must lie"),
        (lambda: ExponentiatedGradient(2, eta=1).distance([1, 1]), "distribution"),
        (lambda: ExponentiatedGradient(2, eta=1).distance([2, -1]), "distribution"),
        (
            lambda: SignedExponentiatedGradient(2, eta=1, norm=1).distance([1, -2]),
            "1-norm 3, more than norm = 1: give the learner a larger norm",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


class RunningMean(GradientDescent):
    """A forecaster with steps of its own, about which the theorem says nothing."""

    def step(self, state, x, residual):
        return state + 0.5 * residual * x


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: forecast(None, [[1]], [1]), "learner must be a forecaster, such as"),
        (lambda: forecast(GradientDescent, [[1]], [1]), r"\(call the class\)"),
        (lambda: theory.bound(None, [1]), "trace must be what forecast returns"),
        (lambda: theory.proof([1], [1]), "trace must be what forecast returns"),
        (lambda: expected_loss("square", 0.5, 0.5), "loss must be a function such as"),
        (lambda: chance_ahead(0.5, 0.6, 0.5, 3, None), "loss must be a function"),
        (
            lambda: theory.bound(forecast(RunningMean(1, eta=1), [[1]], [1]), [1]),
            r"RunningMean\(.*\) takes a step of its own: no bound",
        ),
    ],
)
def test_what_is_no_forecaster_no_game_and_no_loss_is_refused(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_examples_that_are_all_0_or_missing_teach_nothing_and_are_bounded():
    for rows in (np.zeros((2, 2)), np.zeros((0, 2))):
        trace = forecast(GradientDescent(2, eta=0.5), rows, np.ones(len(rows)))
        assert trace.loss == len(rows)
        assert theory.bound(trace, [1, 0]) == len(rows) + 2


def test_a_bound_beyond_all_floats_is_infinite():
    assert theory.loss_bound(1, 1, 1e300, eta=1) == math.inf
    assert theory.loss_bound(1, 1, 1e300) == math.inf
    assert theory.loss_bound(0, 1e308, 0) == 0


def test_a_forecaster_of_ones_own_must_say_how_it_works():
    mine = Forecaster(2, eta=0.1)
    for asked in (mine.link, mine.distance, mine.radius):
        with pytest.raises(NotImplementedError, match="Forecaster must define"):
            asked(None)
