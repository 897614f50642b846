"""The Perceptron: the worked example, the theorem, its proof, and when they fail."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, labelled, separable
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard
from scipy.sparse import csr_matrix
from sklearn.linear_model import Perceptron as SklearnPerceptron

import olc
from olc import Perceptron, Stream, adversaries, geometry, perceptron, play, streams

EXAMPLE = Stream(
    np.array([[1, 2], [2, 1], [-1, -1], [-1, 1]]), np.array([1, 1, -1, -1]), [1, 0]
)

ORDERS = list(itertools.permutations(range(4)))


rates = st.sampled_from([0.125, 0.5, 1.0, 3.0, 16.0])


def squared_bound(stream):
    """R²|u|²/(least y⟨u, x⟩)², exactly, for whole numbers."""
    X, u = stream.X.astype(object), stream.target.astype(int).astype(object)
    least = min(stream.y * (X @ u))
    return Fraction(max((X * X).sum(axis=1)) * (u @ u), least * least)


def started(start, rate=1.0):
    """A Perceptron whose first weights are these."""
    learner = Perceptron(len(start), rate=rate)
    learner.state = np.array(start, dtype=float)
    return learner


def assert_proof_steps(trace):
    """Check every inequality of the five-step proof at every mistake."""
    ledger, stream = perceptron.proof(trace), trace.stream
    assert len(ledger) == trace.mistakes
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert_between(ledger, scale=0.0)
    before, rate = trace.before.weights, trace.before.rate
    u = geometry.unit(stream.target)
    size = 1e-9 * (1 + ledger.potential.max()) if len(ledger) else 0
    assert (ledger.cross <= 0).all()
    assert (ledger.length <= (rate * stream.radius) ** 2 * (1 + 1e-9)).all()
    growth = np.diff(ledger.potential, prepend=before @ before)
    np.testing.assert_allclose(growth, ledger.cross + ledger.length, atol=size)
    lessons = np.diff(ledger.alignment, prepend=u @ before)
    assert (lessons >= rate * stream.margin - math.sqrt(size)).all()
    assert (ledger.alignment <= np.sqrt(ledger.potential) * (1 + 1e-9)).all()
    return ledger


# ------------------------------------------------------------- the worked example


def test_example_has_the_printed_trace():
    trace = play(Perceptron(2), EXAMPLE, record=True)
    assert trace.rounds.tolist() == [0, 3]
    assert trace.weights.tolist() == [[1, 2], [2, 1]]
    signed = EXAMPLE.y * (EXAMPLE.X @ [1, 2])
    assert signed.tolist() == [5, 4, 3, -1]


def test_example_started_at_the_second_point_is_done_after_one_update():
    trace = play(Perceptron(2), EXAMPLE[[1, 2, 3, 0]], record=True)
    assert trace.weights.tolist() == [[2, 1]]


def test_example_started_at_the_third_point_goes_through_1_1_to_2_0():
    trace = play(Perceptron(2), EXAMPLE[[2, 3, 0, 1]], record=True)
    assert trace.weights.tolist() == [[1, 1], [2, 0]]


# From 0 every point is a mistake; these are all the ways on from the first update.
WAYS = {
    (0, 3): [(1, 2), (2, 1)],
    (1,): [(2, 1)],
    (2, 3): [(1, 1), (2, 0)],
    (3, 0): [(1, -1), (2, 1)],
    (3, 2): [(1, -1), (2, 0)],
}


def test_example_has_five_ways_to_update_and_none_is_longer_than_two():
    found = {}

    def explore(weights, way, passed):
        wrong = [i for i in range(4) if EXAMPLE.y[i] * (EXAMPLE.X[i] @ weights) <= 0]
        if not wrong:
            found[way] = passed
        for i in wrong:
            after = weights + EXAMPLE.y[i] * EXAMPLE.X[i]
            explore(after, (*way, i), [*passed, tuple(after.tolist())])

    explore(np.zeros(2, dtype=int), (), [])
    assert found == WAYS


@pytest.mark.parametrize("order", ORDERS)
def test_example_in_every_visiting_order(order):
    trace = play(Perceptron(2), EXAMPLE[list(order) * 3], record=True)
    way = tuple(order[t % 4] for t in trace.rounds)
    assert trace.weights.tolist() == [list(w) for w in WAYS[way]]
    found = perceptron.batch(EXAMPLE[list(order)])
    assert found.converged
    assert found.updates == len(way) <= 2
    assert (EXAMPLE.y * (EXAMPLE.X @ found.weights) > 0).all()


def test_example_has_radius_root_5_margin_1_and_bound_5():
    gamma, u = geometry.maximal_margin(EXAMPLE)
    assert gamma == pytest.approx(1)
    assert u == pytest.approx([1, 0])
    assert perceptron.mistake_bound(EXAMPLE.radius, EXAMPLE.margin) == pytest.approx(5)


def test_example_goes_on_from_1_1_because_a_tie_is_a_mistake():
    # With sign(0) = -1 the weights (1, 1) would be consistent already.
    scores = EXAMPLE.X @ [1, 1]
    assert np.where(scores > 0, 1, -1).tolist() == EXAMPLE.y.tolist()
    assert play(started([1, 1]), EXAMPLE).rounds.tolist() == [3]


# --------------------------------------------------------- the theorem and its proof


@given(separable())
def test_mistakes_are_at_most_r2_over_gamma2(stream):
    mistakes = play(Perceptron(stream.n), stream).mistakes
    assert mistakes <= squared_bound(stream)
    assert perceptron.mistake_bound(stream.radius, stream.margin) == pytest.approx(
        float(squared_bound(stream))
    )


@given(separable(), rates, st.integers(0, 2**32 - 1))
def test_mistakes_from_other_weights_pay_for_the_way_back(stream, rate, seed):
    start = np.random.default_rng(seed).integers(-20, 20, stream.n)
    trace = play(started(start, rate), stream[np.tile(np.arange(len(stream)), 4)])
    length = float(np.linalg.norm(start))
    bound = perceptron.mistake_bound(stream.radius, stream.margin, length, rate)
    assert trace.mistakes <= bound * (1 + 1e-12)


@given(separable())
def test_after_r2_over_gamma2_passes_there_is_no_mistake_left(stream):
    passes = math.floor(squared_bound(stream)) + 1
    assume(passes < 500)
    assert perceptron.batch(stream, max_epochs=passes).converged


@given(separable(widths=(2, 2)))
def test_in_the_plane_half_of_the_bound_and_one_more_suffice(stream):
    cycled = stream[np.tile(np.arange(len(stream)), 10)]
    mistakes = play(Perceptron(2), cycled).mistakes
    assert mistakes <= squared_bound(stream) // 2 + 1


@given(separable(), rates, st.booleans(), st.integers(0, 2**32 - 1))
def test_ledger_holds_on_random_streams(stream, rate, moved, seed):
    random = np.random.default_rng(seed)
    start = random.integers(-9, 9, stream.n) if moved else np.zeros(stream.n)
    assert_proof_steps(play(started(start, rate), stream))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_ledger_holds_on_real_numbers(seed, rate):
    stream = streams.separable(7, 0.05, 400, seed=seed)
    start = np.random.default_rng(seed).normal(size=7)
    for first in (np.zeros(7), start):
        ledger = assert_proof_steps(play(started(first, rate), stream))
        length = float(np.linalg.norm(first))
        assert len(ledger) <= perceptron.mistake_bound(
            stream.radius, stream.margin, length, rate
        )


@pytest.mark.parametrize("seed", range(5))
def test_ledger_holds_with_a_bias_by_homogenising(seed):
    random = np.random.default_rng(seed)
    X, u, bias = random.uniform(-1, 1, (300, 3)), random.normal(size=3), 0.4
    X = X[abs(X @ u + bias) > 0.1]
    y = np.sign(X @ u + bias)
    lifted = Stream(geometry.homogenise(X), y, np.append(u, bias))
    assert_proof_steps(play(Perceptron(4), lifted))


@pytest.mark.parametrize(
    "adversary",
    [
        adversaries.MinimalMargin(0.1),
        adversaries.MinimalMargin(0.37),
        adversaries.Panel(16, 3),
        adversaries.Panel(33, 5),
        adversaries.WorstOrder(streams.separable(5, 0.1, 200, seed=0)),
    ],
    ids=lambda adversary: type(adversary).__name__,
)
def test_ledger_holds_in_a_duel(adversary):
    trace = olc.duel(Perceptron(len(adversary.target)), adversary, 2000)
    assert trace.mistakes == len(trace) > 3
    ledger = assert_proof_steps(trace)
    bound = perceptron.mistake_bound(trace.stream.radius, trace.stream.margin)
    assert len(ledger) <= bound * (1 + 1e-12)


def test_ledger_of_the_example_to_the_digit():
    ledger = perceptron.proof(play(Perceptron(2), EXAMPLE))
    assert ledger.index.tolist() == [1, 2]
    assert ledger.index.name == "mistake"
    assert ledger["round"].tolist() == [0, 3]
    assert ledger.cross.tolist() == [0, -2]
    assert ledger.length.tolist() == [5, 2]
    assert ledger.alignment.tolist() == [1, 2]
    assert ledger.lower.tolist() == [1, 4]
    assert ledger.potential.tolist() == [5, 5]
    assert ledger.upper.tolist() == pytest.approx([5, 10])


def test_ledger_of_a_game_that_goes_on_starts_where_it_stood():
    X = geometry.homogenise(np.array([[9.0], [11.0]]))
    learner, stream = Perceptron(2), Stream(X, [-1, 1], [1, -10])
    play(learner, stream)
    again = play(learner, stream)
    assert again.mistakes
    ledger = assert_proof_steps(again)
    assert ledger.upper.iloc[0] == pytest.approx(
        again.before.weights @ again.before.weights + stream.radius**2
    )


@given(separable())
def test_angle_to_the_target_shrinks_as_root_m_gamma_over_r(stream):
    ledger = perceptron.proof(play(Perceptron(stream.n), stream))
    cosine = ledger.alignment / np.sqrt(ledger.potential)
    least = np.sqrt(ledger.index) * stream.margin / stream.radius
    assert (cosine >= least * (1 - 1e-9)).all()


def test_weights_may_stop_far_from_the_target():
    # One update, margin .1 against length 1: the angle stays at 84 degrees.
    stream = Stream([[0.1, 1.0]], [1], [1, 0])
    ledger = perceptron.proof(play(Perceptron(2), stream))
    cosine = ledger.alignment / np.sqrt(ledger.potential)
    assert np.degrees(np.arccos(cosine)).tolist() == pytest.approx([84.29], abs=0.01)


@given(separable(), st.sampled_from([2.0**-10, 0.125, 4.0, 16.0]))
def test_from_zero_the_rate_changes_the_scale_alone(stream, rate):
    slow, plain = Perceptron(stream.n, rate=rate), Perceptron(stream.n)
    assert play(slow, stream).rounds.tolist() == play(plain, stream).rounds.tolist()
    assert (slow.weights == rate * plain.weights).all()


# ------------------------------------------------------------------ how tight it is


@pytest.mark.parametrize("n", [1, 2, 17])
def test_perceptron_makes_exactly_n_mistakes_on_a_basis(n):
    labels = np.random.default_rng(n).choice([-1, 1], n)
    stream = Stream(np.eye(n), labels, labels.astype(float))
    assert play(Perceptron(n), stream).mistakes == n
    assert perceptron.mistake_bound(1, stream.margin) == pytest.approx(n)


@pytest.mark.parametrize(("margin", "most"), [(0.1, 100), (0.05, 400), (0.02, 2500)])
def test_three_dimensions_reach_the_bound_up_to_one(margin, most):
    duel = olc.duel(Perceptron(3), adversaries.MinimalMargin(margin), most + 10)
    assert most - 1 <= duel.mistakes <= most
    assert perceptron.mistake_bound(1, margin) == pytest.approx(most)


@pytest.mark.parametrize(("square", "worst"), [(100, 51), (400, 201), (10_000, 5001)])
def test_the_plane_reaches_half_of_the_bound_and_one_more(square, worst):
    """Exactly, in coordinates ⟨w, x⟩ = p γ² + q s² with rational p and q."""
    gamma2 = Fraction(1, square)
    s2 = 1 - gamma2
    m = (s2 / gamma2 + 1) // 2
    beta = (m - 1) * gamma2 / s2  # in units of s
    first = 1 - beta if m % 2 else beta
    p = q = Fraction(0)
    points = itertools.chain([first], itertools.cycle([-1, 1]))
    mistakes = 0
    for c in points:
        if p * gamma2 + q * c * s2 > 0:
            break
        p, q, mistakes = p + 1, q + c, mistakes + 1
    assert mistakes == worst == square // 2 + 1


@pytest.mark.parametrize("n", [2, 8, 64])
def test_hadamard_rows_are_all_mistakes_and_the_bound_is_n(n):
    stream = Stream(hadamard(n), -np.ones(n), -hadamard(n).sum(axis=0))
    assert play(Perceptron(n), stream).mistakes == n
    assert perceptron.mistake_bound(stream.radius, stream.margin) == pytest.approx(n)


@pytest.mark.parametrize("n", [2, 4, 16, 64])
def test_mistakes_grow_with_the_radius_at_the_same_margin(n):
    # One set of notes says that M becomes smaller as R grows.
    rows = hadamard(n)
    stream = Stream(rows, rows[:, 0], np.eye(n)[0])
    assert stream.margin == 1
    assert stream.radius**2 == pytest.approx(n)
    assert play(Perceptron(n), stream).mistakes == n


def test_panel_of_experts_has_margin_one_over_root_nk():
    stream = streams.panel(9, 3, 2000, seed=1)
    assert stream.margin / stream.radius == pytest.approx(1 / math.sqrt(27))
    assert perceptron.panel_bound(9, 3) == 27
    assert perceptron.mistake_bound(stream.radius, stream.margin) == pytest.approx(27)
    assert play(Perceptron(9), stream).mistakes <= 27


@pytest.mark.parametrize(
    ("n", "k", "share"),
    [(8, 3, 0.833), (64, 3, 0.958), (64, 5, 0.944), (128, 1, 0.984)],
)
def test_panel_adversary_comes_near_to_nk(n, k, share):
    mistakes = olc.duel(Perceptron(n), adversaries.Panel(n, k), 2 * n * k).mistakes
    assert share - 0.001 <= mistakes / perceptron.panel_bound(n, k) <= 1


@pytest.mark.parametrize(("n", "k"), [(8, 1), (16, 3), (32, 5), (256, 2)])
def test_k_plus_1_examples_cycled_force_2k_times_n_minus_k_plus_2_mistakes_and_1(n, k):
    """A disjunction of k with a bias: all irrelevant bits, alone and with each r."""
    irrelevant = np.array([0] * k + [1] * (n - k) + [1])
    rows, labels = [], []
    for r in range(k):
        rows += [irrelevant, irrelevant + np.eye(n + 1, dtype=int)[r]]
        labels += [-1, 1]
    stream = Stream(np.array(rows), np.array(labels))
    found = perceptron.batch(stream)
    assert found.converged
    assert found.updates == 2 * k * (n - k + 2) + 1


# ------------------------------------------------- what each assumption is good for


def test_bound_needs_a_target_of_length_one():
    # Printed without ‖w*‖ = 1, R²/γ² shrinks at will as w* is scaled up.
    for scale in (1, 10, 100):
        u = np.array([scale, 0.0])
        printed = EXAMPLE.radius**2 / np.min(EXAMPLE.y * (EXAMPLE.X @ u)) ** 2
        assert (play(Perceptron(2), EXAMPLE).mistakes > printed) == (scale > 1)
        stream = Stream(EXAMPLE.X, EXAMPLE.y, u)
        assert perceptron.mistake_bound(stream.radius, stream.margin) == pytest.approx(
            5
        )
        assert_proof_steps(play(Perceptron(2), stream))


@pytest.mark.parametrize("n", [2, 16, 256])
def test_bound_fails_with_the_largest_entry_as_radius(n):
    stream = Stream(hadamard(n), -np.ones(n), -hadamard(n).sum(axis=0))
    largest = geometry.radius(stream.X, math.inf)
    printed = perceptron.mistake_bound(largest, stream.margin)
    assert play(Perceptron(n), stream).mistakes == n > printed == pytest.approx(1)


def test_bound_fails_for_a_negative_margin():
    stream = Stream(np.ones((1000, 1)), np.tile([1, -1], 500), [1])
    assert stream.margin == -1
    assert play(Perceptron(1), stream).mistakes == 1000 > 1**2 / stream.margin**2
    with pytest.raises(ValueError, match="margin must lie between 0"):
        perceptron.mistake_bound(stream.radius, stream.margin)


@pytest.mark.parametrize("far", [5, 50, 500])
def test_bound_from_zero_fails_for_other_first_weights(far):
    stream = Stream(np.tile([1.0, 0.0], (2000, 1)), np.ones(2000), [1, 0])
    trace = play(started([-far, 0]), stream)
    assert trace.mistakes == far + 1  # the tie at 0 is the last one
    assert trace.mistakes > perceptron.mistake_bound(1, 1) == 1
    assert trace.mistakes <= perceptron.mistake_bound(1, 1, start=far) == 1 + 2 * far


def test_bound_for_other_first_weights_to_the_digit():
    assert perceptron.mistake_bound(1, 0.5, start=3) == 4 + 2 * 3 / 0.5
    assert perceptron.mistake_bound(1, 0.5, start=3, rate=2) == 4 + 2 * 3 / (2 * 0.5)


def test_bound_for_other_first_weights_needs_the_rate():
    stream = Stream(np.ones((300, 1)), np.ones(300), [1])
    trace = play(started([-5], rate=0.1), stream)
    assert trace.mistakes > perceptron.mistake_bound(1, 1, start=5)
    assert trace.mistakes <= perceptron.mistake_bound(1, 1, start=5, rate=0.1)


@pytest.mark.parametrize(
    ("middle", "updates", "lifted", "shifted"),
    [(2, 10, 50, 5), (5, 47, 962, 11), (10, 202, 12322, 21), (20, 802, 177242, 41)],
)
def test_homogenising_changes_radius_and_margin(middle, updates, lifted, shifted):
    """Two points at distance 1 from a threshold in the middle."""
    X, y = np.array([[middle - 1.0], [middle + 1.0]]), np.array([-1, 1])
    naive = perceptron.mistake_bound(geometry.radius(X), 1)
    stream = Stream(geometry.homogenise(X), y, [1, -middle])
    found = perceptron.batch(stream)
    assert found.updates == updates > naive
    bound = perceptron.mistake_bound(stream.radius, stream.margin)
    assert found.updates <= bound == pytest.approx(lifted)
    # A constant as large as the points costs the least.
    assert perceptron.batch(geometry.homogenise(X, middle), y).updates == shifted


class Abstaining(Perceptron):
    """No update where the score is 0."""

    def wants_update(self, score, y):
        return y * score < 0


def test_bound_fails_for_a_learner_that_abstains_at_a_tie():
    trace = play(Abstaining(2), np.tile([1.0, 0.0], (1000, 1)), np.ones(1000))
    assert trace.mistakes == 1000 > perceptron.mistake_bound(1, 1)
    assert len(trace.updates) == 0


@pytest.mark.parametrize("at_zero", [1, -1])
@given(separable())
def test_bound_holds_whatever_is_predicted_at_a_tie(at_zero, stream):
    class Decided(Perceptron):
        def decide(self, score):
            return np.where(score == 0, at_zero, np.sign(score)).astype(np.int8)

    assert play(Decided(stream.n), stream).mistakes <= squared_bound(stream)


class Printed(Perceptron):
    """The update printed in one set of notes: with the predicted label, not y."""

    def decide(self, score):
        return np.where(score > 0, 1, -1).astype(np.int8)

    def update(self, x, y):
        super().update(x, int(self.decide(self.score(x))))


def test_bound_fails_for_an_update_with_the_predicted_label():
    learner, right = Printed(2), Perceptron(2)
    cycled = EXAMPLE[np.tile(np.arange(4), 1000)]
    assert play(learner, cycled).mistakes == 3000
    assert learner.weights.tolist() == [-4000, -4000]
    assert play(right, cycled).mistakes == 2
    assert right.weights.tolist() == [2, 1]


def test_target_that_is_no_separator_spoils_the_bound_but_not_the_ledger():
    # Assuming y⟨u, x⟩ ≤ γ, as one set of notes prints, bounds nothing.
    stream = Stream(np.ones((50, 1)), np.tile([1, -1], 25), [1])
    trace = play(Perceptron(1), stream)
    assert trace.mistakes == 50
    assert (stream.y * stream.X[:, 0] <= 1).all()
    assert_between(perceptron.proof(trace), scale=0.0)


# ------------------------------------------------------------------------- oracles


def exact(stream, rate, start):
    """Play in rational arithmetic, one number at a time."""
    weights, rounds = [Fraction(w) for w in start], []
    for t, (x, y) in enumerate(zip(stream.X.tolist(), stream.y.tolist(), strict=True)):
        score = sum(w * Fraction(v) for w, v in zip(weights, x, strict=True))
        if y * score <= 0:
            rounds.append(t)
            pairs = zip(weights, x, strict=True)
            weights = [w + Fraction(rate) * y * Fraction(v) for w, v in pairs]
    return rounds, weights


@given(labelled(), rates, st.integers(0, 2**32 - 1))
def test_play_agrees_with_rational_arithmetic(stream, rate, seed):
    start = np.random.default_rng(seed).integers(-8, 8, stream.n) / 4
    eighths = Stream(stream.X / 8, stream.y)
    learner = started(start, rate)
    rounds, weights = exact(eighths, rate, start)
    assert play(learner, eighths).rounds.tolist() == rounds
    assert [Fraction(w) for w in learner.weights] == weights


@pytest.mark.parametrize("epochs", [1, 3])
@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_weights_are_those_of_scikit_learn_bit_for_bit(epochs, rate, noise):
    clean = streams.separable(30, 0.02, 500, seed=epochs)
    stream = streams.flip_labels(clean, noise, seed=7)
    theirs = SklearnPerceptron(
        fit_intercept=False, shuffle=False, max_iter=epochs, tol=None, eta0=rate
    ).fit(stream.X, stream.y)
    learner = Perceptron(30, rate=rate)
    for _ in range(epochs):
        play(learner, stream)
    assert learner.weights.tobytes() == theirs.coef_[0].tobytes()


def test_weights_are_those_of_scikit_learn_from_other_first_weights():
    stream, start = streams.panel(15, 3, 300, seed=0), np.linspace(-4, 9, 15)
    theirs = SklearnPerceptron(
        fit_intercept=False, shuffle=False, max_iter=1, tol=None
    ).fit(stream.X, stream.y, coef_init=start[None])
    learner = started(start)
    play(learner, stream)
    assert learner.weights.tobytes() == theirs.coef_[0].tobytes()


@given(separable(widths=(2, 2)))
def test_batch_and_linear_program_agree_with_every_direction_of_the_plane(stream):
    """The best of many directions bounds the margin that the solver finds."""
    angles = np.linspace(0, 2 * np.pi, 3601)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    best = (stream.y[:, None] * (stream.X @ directions)).min(axis=0).max()
    gamma, u = geometry.maximal_margin(stream)
    assert gamma >= best - 1e-9
    assert gamma <= best + stream.radius * 0.001
    assert geometry.margin(u, stream.X, stream.y) == pytest.approx(gamma, abs=1e-7)
    assert geometry.separable(stream)


# --------------------------------------------------------------------------- batch


@settings(max_examples=25)
@given(labelled())
def test_batch_is_consistent_exactly_where_the_data_are_separable(stream):
    found = perceptron.batch(stream, max_epochs=60)
    assert found.separable == geometry.separable(stream)
    right = bool((stream.y * (stream.X @ found.weights) > 0).all())
    assert found.converged == right
    assert found.separable or not found.converged
    assert found.epochs == 60 or found.converged


def test_batch_reports_what_it_did():
    one = perceptron.batch([[1.0]], [1])
    assert str(one) == "consistent after 1 update in 2 passes"
    assert (one.updates, one.epochs, one.converged, one.separable) == (1, 2, True, True)
    none = perceptron.batch(np.empty((0, 3)), [])
    assert str(none) == "consistent after 0 updates in 1 pass"


def test_batch_sees_that_its_last_pass_was_enough():
    found = perceptron.batch(EXAMPLE, max_epochs=1)
    assert found.weights.tolist() == [2, 1]
    assert str(found) == "consistent after 2 updates in 1 pass"


def test_batch_says_that_more_passes_will_do():
    X, y = geometry.homogenise(np.array([[9.0], [11.0]])), [-1, 1]
    found = perceptron.batch(X, y, max_epochs=1)
    assert str(found) == (
        "not consistent after 2 updates in 1 pass: the data are separable, so more "
        "passes will do: raise max_epochs"
    )
    assert found.separable
    assert not found.converged


def test_batch_gives_up_after_1000_passes_unless_told():
    assert perceptron.batch(geometry.homogenise(streams.xor())).epochs == 1000


def test_batch_says_that_no_number_of_passes_will_do():
    found = perceptron.batch(geometry.homogenise(streams.xor()), max_epochs=50)
    assert not found.separable
    assert found.updates == 200
    assert str(found) == (
        "not consistent after 200 updates in 50 passes: no halfspace through the "
        "origin separates the data, so no number of passes will do (for one with a "
        "bias homogenise them)"
    )


def test_conjunction_is_separable_once_it_has_a_bias():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])
    assert not perceptron.batch(X, y, max_epochs=20).separable
    assert perceptron.batch(geometry.homogenise(X), y).converged


# ------------------------------------------------------------------------ exclusive or


def reachable(stream):
    """All weights that some order of updates reaches from 0."""
    rows = [tuple(row) for row in (stream.y[:, None] * stream.X).astype(int).tolist()]
    seen, todo = {(0, 0, 0)}, [(0, 0, 0)]
    while todo:
        weights = todo.pop()
        for row in rows:
            if sum(a * b for a, b in zip(weights, row, strict=True)) <= 0:
                after = tuple(a + b for a, b in zip(weights, row, strict=True))
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return seen


@pytest.mark.parametrize(
    ("signs", "count", "longest"), [(True, 15, 4), (False, 162, 29)]
)
def test_xor_reaches_finitely_many_weights_in_any_order(signs, count, longest):
    stream = geometry.homogenise(streams.xor(signs=signs))
    found = reachable(stream)
    assert found == adversaries.orbit(stream)
    assert len(found) == count
    assert max(sum(w * w for w in weights) for weights in found) == longest


@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("order", ORDERS)
def test_xor_cycles_with_all_four_wrong_after_at_most_two_epochs(signs, order):
    stream = geometry.homogenise(streams.xor(signs=signs))[list(order)]
    learner = Perceptron(3)
    for _ in range(2):
        play(learner, stream)
    weights = learner.weights
    for _ in range(3):
        assert play(learner, stream).mistakes == 4
        assert (learner.weights == weights).all()


@given(labelled(widths=(1, 2)))
def test_weights_of_whole_numbers_in_a_cycle_repeat_or_stop(stream):
    learner, seen = Perceptron(stream.n), set()
    for _ in range(3000):
        state = tuple(learner.weights)
        if state in seen:
            break
        seen.add(state)
        play(learner, stream)
    assert state in seen
    assert len(seen) < 3000


def test_weights_of_irrational_numbers_stay_bounded_and_never_repeat():
    """x = 1 (+) and x = √2 (-): the weights are a - b√2, compared exactly."""

    def positive(a, b):
        return (a > 0 and (b <= 0 or a * a > 2 * b * b)) or (
            b < 0 and a * a < 2 * b * b
        )

    a = b = 0
    seen = {(0, 0)}
    for t in range(4000):
        if t % 2 == 0 and not positive(a, b):
            a += 1
        elif t % 2 == 1 and (positive(a, b) or a == b == 0):
            b += 1
        else:
            continue
        assert (a, b) not in seen
        seen.add((a, b))
        assert abs(a - b * math.sqrt(2)) < 1.5
    assert len(seen) > 3000


# -------------------------------------------------------------- data that do not fit


noise_bounds = pytest.mark.parametrize(
    "noise_bound", [perceptron.agnostic_bound, perceptron.hinge_bound]
)


@noise_bounds
@given(labelled(), st.integers(0, 2**32 - 1), st.floats(0.05, 8))
def test_bounds_for_noise_hold_for_every_direction_and_margin(
    noise_bound, stream, seed, margin
):
    u = np.random.default_rng(seed).normal(size=stream.n)
    bound = noise_bound(stream.X, stream.y, u, margin)
    assert play(Perceptron(stream.n), stream).mistakes <= bound * (1 + 1e-9)


@noise_bounds
@pytest.mark.parametrize("seed", range(5))
def test_bounds_for_noise_hold_under_label_noise(noise_bound, seed):
    clean = streams.separable(6, 0.1, 300, seed=seed)
    stream = streams.flip_labels(clean, 0.1, seed=seed)
    mistakes = play(Perceptron(6), stream).mistakes
    bounds = [
        noise_bound(stream.X, stream.y, clean.target, margin)
        for margin in np.linspace(0.05, 5, 50)
    ]
    assert 0.1 * min(bounds) < mistakes <= min(bounds)


@noise_bounds
@given(separable())
def test_bounds_for_noise_are_r2_over_gamma2_where_the_target_separates(
    noise_bound, stream
):
    bound = noise_bound(stream.X, stream.y, stream.target, stream.margin * (1 - 1e-12))
    assert bound == pytest.approx(float(squared_bound(stream)), rel=1e-6)


@noise_bounds
def test_bounds_for_noise_are_for_one_pass_only(noise_bound):
    X, y = np.ones((2, 1)), np.array([1, -1])
    bound = noise_bound(X, y, [1], margin=1)
    learner = Perceptron(1)
    assert sum(play(learner, X, y).mistakes for _ in range(5)) == 10 > bound
    assert noise_bound(np.ones((10, 1)), np.tile(y, 5), [1], 1) >= 10


@given(labelled(), st.integers(0, 2**32 - 1), st.floats(0.05, 8))
def test_hinge_bound_solves_its_inequality(stream, seed, margin):
    u = geometry.unit(np.random.default_rng(seed).normal(size=stream.n))
    hinge = np.maximum(0, margin - stream.y * (stream.X @ u)).sum()
    bound = perceptron.hinge_bound(stream.X, stream.y, u, margin)
    ratio = stream.radius / margin
    assert bound == pytest.approx(hinge / margin + ratio * math.sqrt(bound))


def test_hinge_bound_is_far_below_the_squares_on_noisy_streams():
    found = {}
    for chance in (0.01, 0.1):
        clean = streams.separable(10, 0.2, 1000, seed=0)
        noisy = streams.flip_labels(clean, chance, seed=1)
        margins = np.linspace(0.1, 3, 60)
        for name in ("hinge_bound", "agnostic_bound"):
            bound = getattr(perceptron, name)
            found[name] = min(bound(noisy.X, noisy.y, clean.target, m) for m in margins)
        mistakes = play(Perceptron(10), noisy).mistakes
        assert mistakes <= found["hinge_bound"] < 0.75 * found["agnostic_bound"]


@pytest.mark.parametrize(("margin", "most"), [(0.2, 36), (0.1, 121), (0.05, 441)])
def test_one_wrong_label_costs_at_most_rho_plus_1_squared_and_nearly_that(margin, most):
    trace = olc.duel(Perceptron(3), adversaries.OneWrongLabel(margin), 1000)
    assert trace.mistakes == len(trace)
    stream = trace.stream
    scores = stream.y * (stream.X @ stream.target)
    assert (scores < 0).tolist() == [True] + [False] * (len(trace) - 1)
    assert scores[1:] == pytest.approx(margin)
    bound = perceptron.hinge_bound(stream.X, stream.y, stream.target, margin)
    assert bound == pytest.approx(most) == pytest.approx((1 / margin + 1) ** 2)
    assert most - 1 <= trace.mistakes <= most


@pytest.mark.parametrize("flipped", range(0, 200, 10))
def test_wherever_the_wrong_label_stands_the_bound_holds(flipped):
    clean = streams.separable(4, 0.1, 200, seed=1)
    y = clean.y.copy()
    y[flipped] *= -1
    mistakes = play(Perceptron(4), clean.X, y).mistakes
    ratio = clean.radius / clean.margin
    assert mistakes <= perceptron.hinge_bound(clean.X, y, clean.target, clean.margin)
    assert mistakes <= (ratio + 1) ** 2


def test_sparse_streams_have_the_same_bounds_proofs_and_passes():
    dense = streams.flip_labels(streams.separable(5, 0.1, 60, seed=0), 0.1, seed=0)
    dense = Stream(np.where(np.abs(dense.X) > 0.2, dense.X, 0), dense.y, dense.target)
    sparse = Stream(csr_matrix(dense.X), dense.y, dense.target)
    for bound in (perceptron.agnostic_bound, perceptron.hinge_bound):
        found = bound(sparse.X, sparse.y, sparse.target, 0.3)
        assert found == pytest.approx(bound(dense.X, dense.y, dense.target, 0.3))
    one, other = (
        perceptron.proof(play(Perceptron(5), stream)) for stream in (dense, sparse)
    )
    np.testing.assert_allclose(one, other)
    assert str(perceptron.batch(sparse, max_epochs=9)) == str(
        perceptron.batch(dense, max_epochs=9)
    )


@pytest.mark.parametrize(("margin", "most"), [(0.1, 51), (0.05, 201), (0.01, 5001)])
def test_plane_bound_is_half_of_the_bound_and_one_more(margin, most):
    assert perceptron.plane_bound(1, margin) == most
    assert perceptron.plane_bound(3, 3 * margin) == most
    assert perceptron.plane_bound(1, 1e-200) == math.inf


@pytest.mark.parametrize(("n", "k"), [(8, 1), (16, 3), (64, 2)])
def test_disjunction_bound_is_that_of_its_target(n, k):
    trace = olc.duel(Perceptron(n + 1), adversaries.Cycle(n, k), 10_000)
    stream = trace.stream
    bound = perceptron.mistake_bound(math.sqrt(n + 1), stream.margin)
    assert perceptron.disjunction_bound(n, k) == pytest.approx(bound)
    assert trace.mistakes <= bound


def test_settling_stops_at_the_first_quiet_pass_or_gives_up():
    learner = Perceptron(2)
    assert perceptron.settle(learner, EXAMPLE) == (2, 2, True)
    assert perceptron.settle(learner, EXAMPLE) == (0, 1, True)
    xor = geometry.homogenise(streams.xor())
    assert perceptron.settle(Perceptron(3), xor, max_epochs=5) == (20, 5, False)


# ----------------------------------------------------------------- at the door


def test_repr_shows_the_parameters():
    assert repr(Perceptron(3)) == "Perceptron(n=3, rate=1.0)"
    assert repr(Perceptron(2, rate=0.5)) == "Perceptron(n=2, rate=0.5)"


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Perceptron(0), ValueError, "^n must be at least 1"),
        (lambda: Perceptron(2, rate=0), ValueError, "^rate must lie between 1e-50"),
        (lambda: Perceptron(2, rate=1e300), ValueError, "^rate must lie"),
        (lambda: Perceptron(2, rate="1"), TypeError, "^rate must be a number"),
        (lambda: perceptron.mistake_bound(0, 1), ValueError, "^radius"),
        (lambda: perceptron.mistake_bound(1, 0), ValueError, "^margin"),
        (lambda: perceptron.mistake_bound(1, 1, -1), ValueError, "^start"),
        (lambda: perceptron.mistake_bound(1, 1, 1, 0), ValueError, "^rate"),
        (lambda: perceptron.panel_bound(3, 4), ValueError, "^k = 4"),
        (lambda: perceptron.batch([[1.0]], [1], 0), ValueError, "^max_epochs"),
        (lambda: perceptron.batch([[1.0]], [0]), ValueError, "map 0 to -1"),
        (
            lambda: perceptron.agnostic_bound([[1.0]], [1], [0.0], 1),
            ValueError,
            "no direction",
        ),
        (lambda: perceptron.hinge_bound([[1.0]], [1], [1.0], 0), ValueError, "^margin"),
        (lambda: perceptron.disjunction_bound(3, 4), ValueError, "^k = 4"),
    ],
)
def test_refuses(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_bound_of_tiny_margins_is_infinite_and_not_an_error():
    assert perceptron.mistake_bound(1e200, 1e-200) == math.inf
    assert perceptron.agnostic_bound([[1.0]], [1], [1.0], 1e-200) == math.inf
    assert perceptron.hinge_bound([[1e90]], [-1], [1.0], 1e-250) == math.inf


def test_panel_bound_names_what_is_wrong():
    with pytest.raises(ValueError, match=r"^n must"):
        perceptron.panel_bound(0, 1)
