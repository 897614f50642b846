"""Thick separators: updates, final margins, and the two rules as they were printed."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import assert_between
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olc
from olc import (
    MarginPerceptron,
    MarginWinnow,
    NormalizedWinnow,
    Perceptron,
    Stream,
    ThresholdMarginWinnow,
    ThresholdRelative,
    Winnow,
    adversaries,
    geometry,
    play,
    streams,
    thick_separator,
)
from olc.game import play_one_by_one

thicknesses = st.sampled_from([0, 0.5, 1, 4, 30])
rates = st.sampled_from([0.25, 1.0, 4.0])


@st.composite
def separable(draw):
    """Whole numbers labelled by a halfspace through the origin, none on its edge."""
    n, rounds = draw(st.integers(1, 4)), draw(st.integers(1, 20))
    u = draw(hnp.arrays(np.int64, n, elements=st.integers(-3, 3)))
    X = draw(hnp.arrays(np.int64, (rounds, n), elements=st.integers(-5, 5)))
    assume((X @ u).any())
    X = X[X @ u != 0]
    return Stream(X, np.sign(X @ u), u)


@st.composite
def spread(draw):
    """Numbers in [-1, 1] that a distribution u separates with some margin."""
    n, seed = draw(st.integers(2, 30)), draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    u = random.random(n) * (random.random(n) < 0.3)
    u[random.integers(n)] += 1
    u /= u.sum()
    X = random.uniform(-1, 1, (60, n))
    X = X[abs(X @ u) > 0.1]
    assume(len(X))
    return Stream(X, np.sign(X @ u), u)


def play_to_the_end(learner, stream, passes=2000):
    """Cycle until a pass changes nothing; return the number of updates."""
    updates = 0
    for _ in range(passes):
        now = len(play(learner, stream).updates)
        updates += now
        if not now:
            return updates
    raise AssertionError(f"still {now} updates in pass {passes}")


# --------------------------------------------------------------- margin Perceptron


@given(separable(), rates)
def test_without_thickness_it_is_the_perceptron(stream, rate):
    thick, plain = MarginPerceptron(stream.n, 0, rate), Perceptron(stream.n, rate)
    trace = play(thick, stream)
    assert trace.updates.tolist() == play(plain, stream).updates.tolist()
    assert trace.updates.tolist() == trace.rounds.tolist()
    assert (thick.weights == plain.weights).all()


@given(separable(), thicknesses, rates)
def test_updates_and_final_margin_keep_their_bounds(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness, rate)
    radius, margin = stream.radius, stream.margin
    bound = thick_separator.mistake_bound(radius, margin, thickness, rate)
    assume(bound < 3000)
    assert play_to_the_end(learner, stream) <= bound * (1 + 1e-9)
    reached = geometry.margin(learner.weights, stream.X, stream.y)
    least = thick_separator.final_margin(radius, margin, thickness, rate)
    assert reached > least * (1 - 1e-9)
    assert least < margin / 2


@given(separable(), thicknesses, rates)
def test_ledger_of_the_margin_perceptron_holds(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness, rate)
    for _ in range(2):
        trace = play(learner, stream)
        ledger = thick_separator.proof(trace, stream)
        assert ledger["round"].tolist() == trace.updates.tolist()
        assert ledger.index.name == "update"
        assert_between(ledger, scale=0.0)
        assert (ledger.cross <= 2 * rate * thickness).all()
        before = trace.before.weights
        growth = np.diff(ledger.potential, prepend=before @ before)
        assert growth == pytest.approx(ledger.cross + ledger.length)
        u = geometry.unit(stream.target)
        lessons = np.diff(ledger.alignment, prepend=u @ before)
        assert (lessons >= rate * stream.margin - 1e-6).all()


@given(separable(), thicknesses, rates)
def test_margin_perceptron_agrees_with_rational_arithmetic(stream, thickness, rate):
    learner = MarginPerceptron(stream.n, thickness / 8, rate)
    updates = play(learner, stream.X / 8, stream.y).updates.tolist()
    weights, expected = [Fraction(0)] * stream.n, []
    for t, (x, y) in enumerate(stream):
        features = [Fraction(int(value), 8) for value in x]
        score = sum(w * v for w, v in zip(weights, features, strict=True))
        if y * score <= Fraction(thickness) / 8:
            expected.append(t)
            step = Fraction(rate) * y
            weights = [w + step * v for w, v in zip(weights, features, strict=True)]
    assert updates == expected
    assert [Fraction(w) for w in learner.weights] == weights


class ThinnestMargin:
    """Points of length 1 and margin γ whose score is the thickness, or just below."""

    target = np.array([1.0, 0.0, 0.0])

    def __init__(self, margin):
        self.margin, self.across = margin, math.sqrt(1 - margin**2)

    def __call__(self, learner):
        first, *rest = learner.weights
        length = math.hypot(*rest)
        if length == 0:
            return np.array([self.margin, self.across, 0.0]), 1
        along = (learner.margin * (1 - 1e-12) - self.margin * first) / length
        if along < -self.across:
            return None
        along = min(along, self.across)
        aside = math.sqrt(self.across**2 - along**2)
        direction = np.array(rest) / length
        normal = np.array([-direction[1], direction[0]])
        return np.array([self.margin, *(along * direction + aside * normal)]), 1


@pytest.mark.parametrize(
    ("margin", "thickness", "updates", "reached"),
    [(0.2, 1.0, 73, 0.0679), (0.1, 0.5, 199, 0.0502), (0.1, 5.0, 1094, 0.0456)],
)
def test_both_bounds_are_nearly_reached(margin, thickness, updates, reached):
    learner = MarginPerceptron(3, thickness)
    trace = olc.duel(learner, ThinnestMargin(margin), 5000)
    bound = thick_separator.mistake_bound(1, margin, thickness)
    assert len(trace.updates) == len(trace) == updates > 0.97 * bound
    assert updates <= bound
    assert trace.mistakes == 1  # the other updates are thin margins
    final = geometry.margin(learner.weights, trace.stream.X, trace.stream.y)
    assert final == pytest.approx(reached, abs=0.0001)
    assert final > thick_separator.final_margin(1, margin, thickness)
    assert_between(thick_separator.proof(trace, trace.stream), scale=0.0)


def test_thickness_buys_up_to_half_of_the_best_margin_and_pays_in_updates():
    stream = streams.separable(5, 0.1, 100, seed=0)
    best, _ = geometry.maximal_margin(stream)
    shares, counts = [], []
    for thickness in (0, 0.5, 2, 10, 30):
        learner = MarginPerceptron(5, thickness)
        counts.append(play_to_the_end(learner, stream))
        reached = geometry.margin(learner.weights, stream.X, stream.y)
        shares.append(reached / best)
        least = thick_separator.final_margin(stream.radius, best, thickness)
        assert reached > least
    assert counts == sorted(counts)
    assert shares[0] < 0.5 < shares[-1]
    assert thick_separator.final_margin(1, best, 1e9) == pytest.approx(best / 2)


def test_perceptron_is_no_large_margin_classifier():
    # It is done after one update, with a margin of 0.01 where 0.71 is possible.
    stream = Stream(np.array([[1.0, 0.0], [0.01, 1.0]]), [1, 1])
    plain, thick = Perceptron(2), MarginPerceptron(2, margin=5)
    assert play_to_the_end(plain, stream) == 1
    play_to_the_end(thick, stream)
    best, _ = geometry.maximal_margin(stream)
    assert best == pytest.approx(0.71, abs=0.005)
    assert geometry.margin(plain.weights, stream.X, stream.y) == 0.01
    assert geometry.margin(thick.weights, stream.X, stream.y) > 0.9 * best


class PrintedPerceptron(Perceptron):
    """The rule as printed: promote if w·x > γ, demote if w·x < -γ; no label."""

    def _wants_update(self, score, y):
        return np.abs(score) > 0.1

    def _update(self, x, y):
        super()._update(x, int(np.sign(self._score(x))))


def test_thick_separator_as_printed_diverges_and_errs_in_half_of_the_rounds():
    X = np.tile([[1.0, 0.2], [1.0, -0.2]], (500, 1))
    y = np.tile([1, -1], 500)
    printed = PrintedPerceptron(2, start=[0.2, 0.0])
    assert play_one_by_one(printed, X, y).mistakes == 500
    assert np.linalg.norm(printed.weights) == pytest.approx(1000.2)
    mended = MarginPerceptron(2, margin=0.1)
    assert len(play(mended, X, y).updates) < 20
    stream = Stream(X, y, [0, 1])
    bound = thick_separator.mistake_bound(stream.radius, stream.margin, 0.1)
    assert len(play(MarginPerceptron(2, margin=0.1), stream).updates) <= bound


def test_mistakes_are_fewer_than_updates_and_counted_apart():
    trace = play(MarginPerceptron(1, margin=3), np.ones((9, 1)), np.ones(9))
    assert trace.rounds.tolist() == [0]
    assert trace.updates.tolist() == [0, 1, 2, 3]  # scores 0, 1, 2, 3


# ------------------------------------------------------------------- margin Winnow


def relative_entropy(p, q):
    """The relative entropy of two coins, term by term."""
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


@given(st.floats(0.01, 0.99), st.floats(0, 0.98), st.integers(2, 5000))
def test_winnow_bound_is_ln_n_over_a_divergence_and_below_the_simple_one(
    delta, share, n
):
    tau = share * delta
    eta = thick_separator.best_eta(delta, tau)
    assert eta == pytest.approx(math.atanh(delta) - math.atanh(tau))
    assert math.exp(2 * eta) == pytest.approx(
        (1 + delta) * (1 - tau) / ((1 - delta) * (1 + tau))
    )
    drop = relative_entropy((1 + delta) / 2, (1 + tau) / 2)
    assert thick_separator.thick_rate(eta, delta, tau) == pytest.approx(drop, rel=1e-6)
    bound = thick_separator.winnow_bound(n, delta, tau)
    assert bound == pytest.approx(math.log(n) / drop, rel=1e-6)
    assert bound <= 2 * math.log(n) / (delta - tau) ** 2 * (1 + 1e-6)
    for other in (0.8 * eta, 1.2 * eta):
        assert thick_separator.thick_rate(other, delta, tau) <= drop * (1 + 1e-6)


def test_winnow_bound_of_a_thin_margin_does_not_drown_in_rounding():
    # For small margins the divergence is (δ - τ)²/2.
    for delta, tau in ((1e-6, 0), (1e-9, 4e-10), (1e-12, 0)):
        assert thick_separator.winnow_bound(100, delta, tau) == pytest.approx(
            2 * math.log(100) / (delta - tau) ** 2, rel=1e-3
        )


@given(spread(), st.sampled_from([0, 0.5, 0.8]))
def test_updates_of_margin_winnow_keep_the_bound_and_leave_the_margin(stream, share):
    delta = geometry.margin(stream.target, stream.X, stream.y, p=1)
    thickness = share * delta
    eta = thick_separator.best_eta(delta, thickness)
    learner = MarginWinnow(stream.n, thickness, eta)
    updates = play_to_the_end(learner, stream)
    assert updates <= thick_separator.winnow_bound(stream.n, delta, thickness)
    assert geometry.margin(learner.weights, stream.X, stream.y, p=1) > thickness


@given(spread(), st.floats(0, 0.3), st.floats(0.01, 2), st.sampled_from([0.5, 1, 3]))
def test_ledger_of_margin_winnow_holds(stream, thickness, eta, scale):
    scaled = Stream(scale * stream.X, stream.y, 7 * stream.target)
    learner = MarginWinnow(stream.n, scale * thickness, eta)
    for _ in range(2):
        trace = play(learner, scaled)
        ledger = thick_separator.proof(trace, scaled)
        assert ledger["round"].tolist() == trace.updates.tolist()
        assert_between(ledger, scale=1 + math.log(stream.n))
        assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()
        change = -np.diff(ledger.potential)
        assert np.allclose(change, ledger["drop"][1:])
        largest = geometry.radius(scaled.X, math.inf)
        chord = math.cosh(eta * largest)
        chord += scale * thickness / largest * math.sinh(eta * largest)
        assert (ledger.log_Z <= math.log(chord) + 1e-9).all()
        assert np.allclose(ledger.advantage - ledger.log_Z, ledger["drop"])


@pytest.mark.parametrize(("n", "k"), [(64, 3), (128, 5)])
def test_ledger_of_margin_winnow_holds_in_a_duel(n, k):
    thickness = 0.3 / k
    eta = thick_separator.best_eta(1 / k, thickness)
    learner = MarginWinnow(n, thickness, eta)
    trace = olc.duel(learner, adversaries.Panel(n, k), 5000)
    assert len(trace) == trace.mistakes > 20
    assert_between(thick_separator.proof(trace, trace.stream), scale=1)
    bound = thick_separator.winnow_bound(n, 1 / k, thickness, spread=k)
    assert trace.mistakes <= bound < thick_separator.winnow_bound(n, 1 / k, thickness)


@given(spread(), st.floats(0.05, 2))
def test_without_thickness_it_is_normalised_winnow(stream, eta):
    thick, plain = MarginWinnow(stream.n, 0, eta), NormalizedWinnow(stream.n, eta)
    assert play(thick, stream).updates.tolist() == play(plain, stream).updates.tolist()
    assert (thick.weights == plain.weights).all()
    assert thick_separator.thick_rate(eta, 0.3, 0) == pytest.approx(
        olc.normalized_winnow.rate(eta, 0.3)
    )


def test_margin_winnow_never_rests_if_its_margin_is_above_that_of_the_data():
    stream = Stream(
        np.tile([[1.0, -0.2], [-0.2, 1.0]], (500, 1)), np.ones(1000), [1, 1]
    )
    delta = geometry.margin(stream.target, stream.X, stream.y, p=1)
    assert delta == pytest.approx(0.4)  # no distribution has more
    above = play(MarginWinnow(2, margin=0.5, eta=0.1), stream)
    assert len(above.updates) >= 500 > 2 * math.log(2) / (0.5 - 0.4) ** 2
    below = play(MarginWinnow(2, margin=0.3, eta=0.1), stream)
    assert len(below.updates) < 10
    with pytest.raises(ValueError, match="must be below the margin of the data"):
        thick_separator.best_eta(delta, 0.5)


def test_margin_winnow_needs_a_target_without_negative_weights():
    stream = Stream(-np.ones((100, 2)), np.ones(100), [-1, -1])
    trace = play(MarginWinnow(2, margin=0.1, eta=0.5), stream)
    assert trace.mistakes == 100 > thick_separator.winnow_bound(2, 0.99, 0.1)
    with pytest.raises(ValueError, match="negative weight"):
        thick_separator.proof(trace, stream)


# ------------------------------------------------------ Winnow with two thresholds


@given(st.integers(2, 60), st.integers(1, 4), st.floats(0, 0.9), st.integers(0, 10**6))
def test_updates_of_two_thresholds_keep_the_bound(n, k, share, seed):
    k = min(k, n)
    stream = streams.disjunction(n, k, 400, seed=seed, density=(seed % 7 + 1) / 10)
    learner = ThresholdMarginWinnow(n, margin=share * n)
    high, low = n * (1 + share), n * (1 - share)
    trace = play(learner, stream)
    assert len(trace.updates) <= thick_separator.threshold_winnow_bound(n, k, low, high)
    ledger = thick_separator.proof(trace, stream)
    assert_between(ledger, scale=0.0)
    up = k * math.ceil(math.log2(high))
    assert (ledger.most_promotions == up).all()
    assert (ledger.promotions <= up).all()
    assert (ledger.demotions <= 2 * n / low + 2 * ledger.promotions * high / low).all()
    assert (ledger.promotions + ledger.demotions == ledger.index).all()
    promoted = stream.y[trace.updates] > 0
    assert (ledger.score[promoted] < high).all()
    assert (ledger.score[~promoted] >= low).all()


@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
def test_ledger_of_two_thresholds_holds_for_other_factors(alpha):
    stream = streams.disjunction(30, 3, 2000, seed=1)
    learner = ThresholdMarginWinnow(30, margin=12, alpha=alpha, threshold=25)
    for _ in range(2):
        ledger = thick_separator.proof(play(learner, stream), stream)
        assert_between(ledger, scale=0.0)
        assert (ledger.promotions <= ledger.most_promotions).all()


class ThickDisjunction:
    """Promote the lightest relevant weight below θ + margin; demote what is above."""

    def __init__(self, n, k):
        self.n, self.k = n, k
        self.target = (np.arange(n) < k).astype(float)

    def __call__(self, learner):
        weights, x = learner.weights, np.zeros(self.n)
        high = learner.threshold + learner.margin
        low = learner.threshold - learner.margin
        order = self.k + np.argsort(-weights[self.k :], kind="stable")
        lightest = int(weights[: self.k].argmin())
        if weights[lightest] < high and weights[self.k :].sum() < 2 * high:
            x[lightest] = 1
            for i in order:
                x[i] = weights @ x + weights[i] < high
            return x, 1
        for i in order:
            if weights @ x < low:
                x[i] = 1
        return (x, -1) if weights @ x >= low else None


@pytest.mark.parametrize(("n", "k", "margin"), [(32, 1, 8), (64, 3, 16), (64, 2, 32)])
def test_two_thresholds_keep_the_bound_in_a_duel(n, k, margin):
    learner = ThresholdMarginWinnow(n, margin)
    trace = olc.duel(learner, ThickDisjunction(n, k), 5000)
    bound = thick_separator.threshold_winnow_bound(n, k, n - margin, n + margin)
    assert 0.3 * bound < len(trace.updates) == len(trace) <= bound
    ledger = thick_separator.proof(trace, trace.stream)
    assert_between(ledger, scale=0.0)
    assert ledger.promotions.max() == ledger.most_promotions.max()


def test_in_the_end_the_two_thresholds_keep_positive_and_negative_apart():
    stream = streams.disjunction(20, 2, 300, seed=3)
    learner = ThresholdMarginWinnow(20, margin=10)
    play_to_the_end(learner, stream)
    scores = learner.score(stream.X)
    assert scores[stream.y > 0].min() >= 30
    assert scores[stream.y < 0].max() < 10


@given(st.integers(0, 10**6))
def test_with_one_threshold_it_is_winnow(seed):
    stream = streams.disjunction(12, 2, 100, seed=seed)
    thick, plain = ThresholdMarginWinnow(12, margin=0), Winnow(12)
    assert play(thick, stream).rounds.tolist() == play(plain, stream).rounds.tolist()
    assert (thick.weights == plain.weights).all()


def test_two_thresholds_at_their_edges():
    """A sum of θ + margin is enough; one of θ - margin is too much."""
    learner = ThresholdMarginWinnow(8, margin=4, threshold=8)
    positive = [[1, 1, 1, 1, 1, 1, 0, 0]] * 3
    assert play(learner, positive, [1] * 3).updates.tolist() == [0]  # 6, then 12
    learner = ThresholdMarginWinnow(8, margin=4, threshold=8)
    trace = play(learner, [[1, 1, 1, 1, 0, 0, 0, 0]] * 3, [-1] * 3)
    assert trace.updates.tolist() == [0]  # 4, then 2
    assert trace.mistakes == 0


@pytest.mark.parametrize("margin", [1e-262, 1e-16, 0.1])
def test_two_thresholds_that_round_to_one_are_one(margin):
    """Where θ + margin is θ to a float, a sum of θ must not be promoted for ever."""
    learner = ThresholdMarginWinnow(2, margin=margin)
    trace = play(learner, [[1, 0]] * 9, [1] * 9)
    assert len(trace.updates) == math.ceil(math.log2(2 + margin))
    assert (
        trace.updates.tolist()
        == play_one_by_one(
            ThresholdMarginWinnow(2, margin=margin), [[1, 0]] * 9, [1] * 9
        ).updates.tolist()
    )


# ------------------------------------------------------------- threshold-relative

vectors = hnp.arrays(np.int64, 3, elements=st.integers(-9, 9))
steps = st.sampled_from([0.25, 0.5, 1.0, 1.5, 1.75])


@given(vectors, st.integers(-20, 20), steps, st.sampled_from([-1, 1]))
def test_step_leaves_one_minus_r_of_what_was_missing(x, threshold, rate, y):
    assume(x.any())
    learner = ThresholdRelative(3, threshold=threshold, rate=rate)
    learner.update([1, -2, 3], y)
    missing = threshold - learner.score(x)
    learner.update(x, y)
    assert threshold - learner.score(x) == pytest.approx((1 - rate) * missing, abs=1e-9)


@given(vectors, st.integers(-20, 20), st.integers(0, 2**32 - 1))
def test_full_step_is_the_orthogonal_projection_onto_the_plane(x, threshold, seed):
    assume(x.any())
    learner = ThresholdRelative(3, threshold=threshold)
    learner.update([2, 1, -1], 1)
    before = learner.weights
    learner.update(x, 1)
    after = learner.weights
    assert after @ x == pytest.approx(threshold, abs=1e-9)
    learner.update(x, 1)
    assert learner.weights == pytest.approx(after, abs=1e-9)  # a projection rests
    others = np.random.default_rng(seed).normal(size=(50, 3)) * 10
    on_plane = others + np.outer((threshold - others @ x) / (x @ x), x)
    distances = np.linalg.norm(on_plane - before, axis=1)
    assert np.linalg.norm(after - before) <= distances.min() + 1e-9


def test_update_as_printed_adds_a_number_and_misses_the_plane():
    # Printed without the vector x: the same number goes to every weight.
    weights, x, threshold = np.array([1.0, -1.0]), np.array([3.0, 1.0]), 0.7
    printed = weights + (threshold - weights @ x) / (x @ x)
    assert printed @ x != pytest.approx(threshold)
    mended = weights + (threshold - weights @ x) / (x @ x) * x
    assert mended @ x == pytest.approx(threshold)


@st.composite
def cleared(draw):
    """Points that some u keeps away from a threshold by at least `aim`."""
    n, seed = draw(st.integers(1, 5)), draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    u, threshold = 2 * random.normal(size=n), float(random.normal())
    X = random.uniform(-1, 1, (100, n))
    aim = draw(st.sampled_from([0.05, 0.2, 0.5]))
    X = X[abs(X @ u - threshold) >= aim]
    assume(len(X))
    return Stream(X, np.sign(X @ u - threshold), u), threshold, aim


@given(cleared(), steps)
def test_aiming_beyond_the_threshold_bounds_the_mistakes(game, rate):
    stream, threshold, aim = game
    learner = ThresholdRelative(stream.n, threshold, rate, aim)
    distance = float(np.linalg.norm(stream.target))
    bound = thick_separator.relative_bound(stream.radius, aim, distance, rate)
    total = 0
    for _ in range(3):
        trace = play(learner, stream)
        total += trace.mistakes
        ledger = thick_separator.proof(trace, stream)
        assert ledger["round"].tolist() == trace.rounds.tolist()
        assert_between(ledger, scale=distance**2)
        assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()
        least = rate * (2 - rate) * (aim / stream.radius) ** 2
        assert (ledger.guaranteed >= least * (1 - 1e-9)).all()
        assert (stream.y[trace.rounds] * ledger.missing >= aim * (1 - 1e-9)).all()
    assert total <= bound


@given(cleared(), steps)
def test_without_an_aim_the_distance_still_never_grows(game, rate):
    stream, threshold, _ = game
    trace = play(ThresholdRelative(stream.n, threshold, rate), stream)
    ledger = thick_separator.proof(trace, stream)
    assert_between(ledger, scale=float(stream.target @ stream.target))
    assert (ledger["drop"] >= ledger.guaranteed - 1e-9).all()


# Two positives; u = (2, 7) clears the threshold 1 by 1 and by 0.7.
ZIG_ZAG = Stream(np.tile([[1.0, 0.0], [-0.9, 0.5]], (30, 1)), np.ones(60), [2, 7])


def test_without_an_aim_it_zig_zags_for_ever():
    learner = ThresholdRelative(2, threshold=1)
    assert play(learner, ZIG_ZAG).mistakes == 60
    # The same in rational arithmetic, where no rounding can help.
    points = [(Fraction(1), Fraction(0)), (Fraction(-9, 10), Fraction(1, 2))]
    weights = (Fraction(0), Fraction(0))
    for t in range(60):
        x = points[t % 2]
        missing = 1 - sum(w * v for w, v in zip(weights, x, strict=True))
        assert missing > 0
        step = missing / sum(v * v for v in x)
        weights = tuple(w + step * v for w, v in zip(weights, x, strict=True))
    assert float(missing) == pytest.approx(7.78e-4, rel=0.01)
    assert learner.weights == pytest.approx([float(w) for w in weights])


def test_with_an_aim_the_zig_zag_ends():
    for aim in (0.1, 0.5, 0.7):
        trace = play(ThresholdRelative(2, threshold=1, aim=aim), ZIG_ZAG)
        distance = math.hypot(2, 7)
        bound = thick_separator.relative_bound(ZIG_ZAG.radius, aim, distance)
        assert trace.mistakes < 30
        assert trace.mistakes <= bound


def test_aim_above_every_clearance_never_rests():
    # Positive at 1, negative at 0.9, threshold 1: u clears it by 0.05 at most.
    stream = Stream(np.tile([[1.0], [0.9]], (500, 1)), np.tile([1, -1], 500), [1.05])
    trace = play(ThresholdRelative(1, threshold=1, aim=0.5), stream)
    assert trace.mistakes == 1000 > thick_separator.relative_bound(1, 0.5, 1.05)
    with pytest.raises(ValueError, match=r"clears the threshold by 0\.05 only"):
        thick_separator.proof(trace, stream)
    modest = play(ThresholdRelative(1, threshold=1, aim=0.05), stream)
    assert modest.mistakes <= thick_separator.relative_bound(1, 0.05, 1.05)
    assert modest.mistakes < 10


def test_at_threshold_zero_without_an_aim_it_never_moves():
    learner = ThresholdRelative(2)
    trace = play(learner, np.tile(np.eye(2), (50, 1)), np.tile([-1, 1], 50))
    assert learner.weights.tolist() == [0, 0]
    assert trace.mistakes == 50


def test_full_step_leaves_a_negative_on_the_threshold_and_wrong():
    learner = ThresholdRelative(1, threshold=1)
    learner.update([0.5], 1)
    assert learner.weights.tolist() == [2]
    assert play(learner, np.ones((100, 1)), -np.ones(100)).mistakes == 100
    assert learner.weights.tolist() == [1]


def test_example_of_length_zero_has_no_plane_to_step_to():
    learner = ThresholdRelative(2, threshold=1, aim=0.5)
    learner.update([0, 0], 1)
    assert learner.weights.tolist() == [0, 0]


def test_proof_of_zero_rows_or_zero_examples_is_empty():
    zeros = Stream(np.zeros((3, 2)), -np.ones(3), [1, 1])
    learner = ThresholdRelative(2, threshold=1, aim=0.5)
    assert len(thick_separator.proof(play(learner, zeros), zeros)) == 0
    none = Stream(np.empty((0, 2)), np.empty(0), [1, 1])
    assert len(thick_separator.proof(play(learner, none), none)) == 0


# ------------------------------------------------------------------ the fast engine


@given(separable(), st.sampled_from(["perceptron", "winnow", "relative"]), thicknesses)
def test_play_gives_the_trace_of_the_loop_at_the_edge_of_the_margin(
    stream, kind, thickness
):
    make = {
        "perceptron": lambda: MarginPerceptron(stream.n, thickness),
        "winnow": lambda: MarginWinnow(stream.n, thickness, eta=0.25),
        "relative": lambda: ThresholdRelative(stream.n, thickness, aim=0.25),
    }[kind]
    fast, slow = make(), make()
    one, other = play(fast, stream), play_one_by_one(slow, stream)
    assert one.updates.tolist() == other.updates.tolist()
    assert one.predictions.tolist() == other.predictions.tolist()
    assert (fast.weights == slow.weights).all()


def test_many_games_in_lockstep_are_the_same_games():
    games = [streams.separable(4, 0.05, 60, seed=seed) for seed in range(4)]
    for make in (
        lambda: MarginPerceptron(4, 0.5),
        lambda: MarginWinnow(4, 0.1, eta=0.5),
        lambda: ThresholdRelative(4, 0.2, rate=0.5, aim=0.1),
    ):
        for trace, game in zip(olc.play_many(make, games), games, strict=True):
            assert trace.updates.tolist() == play(make(), game).updates.tolist()


# --------------------------------------------------------------------- at the door


def test_repr_shows_the_parameters():
    assert repr(MarginPerceptron(2, 1)) == "MarginPerceptron(n=2, margin=1.0, rate=1.0)"
    assert repr(MarginWinnow(2, 0.1, 0.5)) == "MarginWinnow(n=2, margin=0.1, eta=0.5)"
    assert repr(ThresholdMarginWinnow(4, 1)) == (
        "ThresholdMarginWinnow(n=4, margin=1.0, alpha=2.0, threshold=4.0)"
    )
    assert repr(ThresholdRelative(2)) == (
        "ThresholdRelative(n=2, threshold=0.0, rate=1.0, aim=0.0)"
    )


bounds = thick_separator


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: MarginPerceptron(2, -1), ValueError, "^margin"),
        (lambda: MarginPerceptron(2, math.inf), ValueError, "^margin"),
        (lambda: MarginPerceptron(2, 1, rate=0), ValueError, "^rate"),
        (lambda: MarginWinnow(2, -0.1, 1), ValueError, "^margin"),
        (lambda: MarginWinnow(2, 0.1, 0), ValueError, "^eta"),
        (lambda: ThresholdMarginWinnow(4, 4), ValueError, "must be below threshold"),
        (lambda: ThresholdMarginWinnow(4, -1), ValueError, "^margin"),
        (lambda: ThresholdRelative(2, math.inf), ValueError, "^threshold"),
        (lambda: ThresholdRelative(2, rate=2), ValueError, "^rate"),
        (lambda: ThresholdRelative(2, aim=-1), ValueError, "^aim"),
        (lambda: bounds.mistake_bound(0, 1, 1), ValueError, "^radius"),
        (lambda: bounds.mistake_bound(1, 0, 1), ValueError, "^margin"),
        (lambda: bounds.mistake_bound(1, 1, -1), ValueError, "^thickness"),
        (lambda: bounds.mistake_bound(1, 1, 1, 0), ValueError, "^rate"),
        (lambda: bounds.final_margin(1, 0, 1), ValueError, "^margin"),
        (lambda: bounds.final_margin(1, 1, 1, 0), ValueError, "^rate"),
        (lambda: bounds.best_eta(1, 0), ValueError, "^margin"),
        (lambda: bounds.best_eta(0.5, -0.1), ValueError, "^thickness"),
        (lambda: bounds.best_eta(0.5, 0.5), ValueError, "below the margin"),
        (lambda: bounds.winnow_bound(4, 0.5, 0.1, spread=5), ValueError, "^k = 5"),
        (lambda: bounds.threshold_winnow_bound(4, 5, 1, 2), ValueError, "^k = 5"),
        (lambda: bounds.threshold_winnow_bound(4, 1, 0, 2), ValueError, "^low"),
        (lambda: bounds.threshold_winnow_bound(4, 1, 3, 2), ValueError, "^high"),
        (lambda: bounds.relative_bound(1, 0, 1), ValueError, "^aim"),
        (lambda: bounds.relative_bound(0, 1, 1), ValueError, "^radius"),
        (lambda: bounds.relative_bound(1, 1, -1), ValueError, "^distance"),
        (lambda: bounds.relative_bound(1, 1, 1, 2), ValueError, "^rate"),
    ],
)
def test_refuses(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_grid_of_bounds_is_consistent_at_its_corners():
    """Thickness 0 gives back the bounds of the thin separators."""
    for radius, margin in itertools.product((0.5, 3), (0.1, 0.4)):
        assert bounds.mistake_bound(radius, margin, 0) == pytest.approx(
            olc.perceptron.mistake_bound(radius, margin)
        )
        assert bounds.final_margin(radius, margin, 0) == 0
        assert bounds.winnow_bound(100, margin, 0) == pytest.approx(
            olc.normalized_winnow.mistake_bound(100, margin)
        )


def test_envelopes_of_two_thresholds_are_those_of_the_proof():
    stream = streams.disjunction(16, k=2, rounds=300, seed=3)
    trace = play(ThresholdMarginWinnow(16, margin=4, alpha=3.0), stream)
    ledger = thick_separator.proof(trace, stream)
    labels = stream.y[trace.updates]
    up, down = np.cumsum(labels > 0), np.cumsum(labels < 0)
    assert up[-1] > 3
    assert down[-1] > 1
    assert ledger.promotions.tolist() == up.tolist()
    assert ledger.demotions.tolist() == down.tolist()
    assert (ledger.most_promotions == 2 * 3).all()  # 3³ is the first power above 20
    np.testing.assert_allclose(ledger.upper, 16 + up * 2 * 20 - down * 12 * 2 / 3)
    np.testing.assert_allclose(ledger.lower, np.where(down, 12 / 3, 16))


def test_envelopes_of_the_threshold_relative_update_are_those_of_the_proof():
    stream = streams.separable(3, margin=0.2, rounds=200, seed=1)
    u, aim, rate = stream.target / stream.margin, 0.5, 0.7
    stream = Stream(stream.X, stream.y, u)
    learner = ThresholdRelative(3, aim=aim, rate=rate)
    learner.update(stream.X[0], stream.y[0])  # it need not start at 0
    start = float(np.sum((learner.weights - u) ** 2))
    trace = play(learner, stream)
    ledger = thick_separator.proof(trace, stream)
    count = np.arange(1, len(ledger) + 1)
    assert len(ledger) > 5
    fall = rate * (2 - rate) * (aim / stream.radius) ** 2
    np.testing.assert_allclose(ledger.upper, start - count * fall)
    np.testing.assert_allclose(
        ledger["drop"], -np.diff(ledger.potential, prepend=start), atol=1e-12
    )
    assert ledger.lower.tolist() == [0.0] * len(ledger)


def test_envelopes_of_margin_winnow_are_those_of_the_proof():
    stream = streams.panel(9, k=3, rounds=200, seed=1)
    stream = Stream(2.0 * stream.X, stream.y, stream.target)
    trace = play(MarginWinnow(9, margin=0.1, eta=0.2), stream)
    ledger = thick_separator.proof(trace, stream)
    drop = 0.2 * (2 / 3) - math.log(math.cosh(0.4) + 0.1 / 2 * math.sinh(0.4))
    count = np.arange(1, len(ledger) + 1)
    assert len(ledger) > 5
    np.testing.assert_allclose(ledger.upper, math.log(9 / 3) - count * drop)


def test_bounds_are_their_formulas():
    thick = thick_separator
    assert thick.final_margin(2, 0.5, 3, rate=1.0) == thick.final_margin(2, 0.5, 3)
    assert thick.final_margin(2, 0.5, 3) == pytest.approx(0.5 * 3 / (4 + 6))
    assert thick.threshold_winnow_bound(64, k=2, low=32, high=96) == 14 + 4 + 84
    assert thick.relative_bound(1, aim=0.5, distance=2, rate=0.5) == pytest.approx(
        16 / 0.75
    )
    with pytest.raises(ValueError, match=r"^n must"):
        thick.winnow_bound(0, 0.5, 0.25)
    with pytest.raises(ValueError, match=r"^n must"):
        thick.threshold_winnow_bound(0, 1, 1, 1)


def test_two_thresholds_lie_about_the_one_that_is_given():
    learner = ThresholdMarginWinnow(4, margin=1, threshold=3)
    assert learner.threshold == 3
    trace = play(learner, [[1, 0, 0, 0]] * 4, [1] * 4)
    assert trace.updates.tolist() == [0, 1]  # 1, 2, then 4 = 3 + 1 is enough


def test_a_score_at_the_margin_is_not_enough_for_margin_winnow():
    trace = play(MarginWinnow(2, margin=0.5, eta=0.1), [[1, 0]], [1])
    assert trace.mistakes == 0
    assert trace.updates.tolist() == [0]
