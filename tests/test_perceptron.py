"""The Perceptron: the worked example, the theorem, its proof, and when they fail."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, labelled, separable
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard
from scipy.sparse import csr_matrix

import olc
from olc import Perceptron, Stream, adversaries, geometry, perceptron, play, streams

EXAMPLE = Stream([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1], [1, 0])
ORDERS = [list(order) for order in itertools.permutations(range(4))]
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


# ------------------------------------------------------------- the worked example

# From 0 every point is a mistake; these are all the ways on from the first update.
WAYS = {
    (0, 3): [[1, 2], [2, 1]],
    (1,): [[2, 1]],
    (2, 3): [[1, 1], [2, 0]],
    (3, 0): [[1, -1], [2, 1]],
    (3, 2): [[1, -1], [2, 0]],
}


def test_example_has_five_ways_to_update_and_ends_consistent_on_each():
    found = set()
    for order in ORDERS:
        trace = play(Perceptron(2), EXAMPLE[order * 3], record=True)
        way = tuple(order[t % 4] for t in trace.mistake_rounds)
        assert trace.weights.tolist() == WAYS[way]
        batch = perceptron.batch(EXAMPLE[order])
        assert batch.converged
        assert batch.updates == len(way) <= 2
        assert (EXAMPLE.y * (EXAMPLE.X @ batch.weights) > 0).all()
        found.add(way)
    assert found == set(WAYS)


def test_example_has_radius_root_5_margin_1_and_bound_5():
    gamma, u = geometry.maximal_margin(EXAMPLE)
    assert [gamma, *u] == pytest.approx([1, 1, 0])
    assert perceptron.mistake_bound(EXAMPLE.radius, EXAMPLE.margin) == 5


def test_example_goes_on_from_1_1_because_a_tie_is_a_mistake():
    # With sign(0) = -1 the weights (1, 1) would be consistent already.
    scores = EXAMPLE.X @ [1, 1]
    assert np.where(scores > 0, 1, -1).tolist() == EXAMPLE.y.tolist()
    assert play(started([1, 1]), EXAMPLE).mistake_rounds.tolist() == [3]


def test_ledger_of_the_example_to_the_digit():
    ledger = perceptron.proof(play(Perceptron(2), EXAMPLE))
    assert {name: column.tolist() for name, column in ledger.items()} == {
        "round": [0, 3],
        "cross": [0, -2],
        "length": [5, 2],
        "alignment": [1, 2],
        "lower": [1, 4],
        "potential": [5, 5],
        "upper": pytest.approx([5, 10]),
    }


# --------------------------------------------------------- the theorem and its proof


@given(separable())
def test_mistakes_are_at_most_r2_over_gamma2(stream):
    mistakes, bound = play(Perceptron(stream.n), stream).mistakes, squared_bound(stream)
    assert mistakes <= bound
    found = perceptron.mistake_bound(stream.radius, stream.margin)
    assert found == pytest.approx(float(bound))
    if bound < 500:
        passes = math.floor(bound) + 1
        assert perceptron.batch(stream, max_epochs=passes).converged


@given(separable(widths=(2, 2)))
def test_in_the_plane_half_of_the_bound_and_one_more_suffice(stream):
    cycled = stream[np.tile(np.arange(len(stream)), 10)]
    assert play(Perceptron(2), cycled).mistakes <= squared_bound(stream) // 2 + 1


@pytest.mark.parametrize(("far", "rate"), [(1, 1.0), (5, 1.0), (2, 0.5), (3, 4.0)])
def test_mistakes_from_weights_behind_pay_for_the_way_there_and_back(far, rate):
    """The adversary of points at right angles to the weights, from w₁ = -far · u."""
    learner = started([-far, 0, 0], rate)
    trace = olc.duel(learner, adversaries.MinimalMargin(0.1), 2000)
    bound = perceptron.mistake_bound(1, 0.1, start=far, rate=rate)
    assert bound == pytest.approx(100 + 2 * far / (rate * 0.1))
    assert bound - 1.01 < trace.mistakes == len(trace) <= bound
    assert_between(perceptron.proof(trace))


@given(separable(), st.sampled_from([2.0**-10, 0.125, 4.0, 16.0]))
def test_from_zero_the_rate_changes_the_scale_alone(stream, rate):
    slow, plain = Perceptron(stream.n, rate=rate), Perceptron(stream.n)
    assert (
        play(slow, stream).mistake_rounds.tolist()
        == play(plain, stream).mistake_rounds.tolist()
    )
    assert (slow.weights == rate * plain.weights).all()


def test_bounds_hold_to_the_last_bit_on_unit_vectors():
    """n mistakes, where R²/γ² is n: no last bit of a root may make it less."""
    for n in range(1, 40):
        labels = np.random.default_rng(n).choice([-1, 1], n)
        stream = Stream(np.eye(n), labels, labels.astype(float))
        assert play(Perceptron(n), stream).mistakes == n
        of_stream = stream.X, stream.y, stream.target, stream.margin
        for bound in (
            perceptron.mistake_bound(stream.radius, stream.margin),
            perceptron.agnostic_bound(*of_stream),
            perceptron.hinge_bound(*of_stream),
            olc.one_proof.mistake_bound(Perceptron(n), stream),
            olc.p_norm.mistake_bound(stream.radius, stream.margin, 2),
            olc.margin_perceptron.mistake_bound(stream.radius, stream.margin, 0),
        ):
            assert n <= bound == n


@pytest.mark.parametrize("n", [2, 16, 64])
def test_hadamard_rows_are_all_mistakes_and_the_largest_entry_is_no_radius(n):
    rows = hadamard(n)
    stream = Stream(rows, rows[:, 0], np.eye(n)[0])
    assert stream.margin == 1
    assert play(Perceptron(n), stream).mistakes == n
    assert perceptron.mistake_bound(stream.radius, 1) == n
    assert n > perceptron.mistake_bound(geometry.radius(rows, math.inf), 1) == 1


@pytest.mark.parametrize(("n", "k"), [(8, 1), (16, 3), (64, 2)])
def test_disjunction_bound_is_that_of_its_target(n, k):
    stream = olc.duel(Perceptron(n + 1), adversaries.Cycle(n, k), 10_000).stream
    bound = perceptron.mistake_bound(math.sqrt(n + 1), stream.margin)
    assert perceptron.disjunction_bound(n, k) == pytest.approx(bound)


# ------------------------------------------------- what each assumption is good for


def test_bound_needs_a_target_of_length_one():
    # Printed without ‖w*‖ = 1, R²/γ² shrinks at will as w* is scaled up.
    for scale in (1, 10, 100):
        u = np.array([scale, 0.0])
        printed = EXAMPLE.radius**2 / np.min(EXAMPLE.y * (EXAMPLE.X @ u)) ** 2
        assert (play(Perceptron(2), EXAMPLE).mistakes > printed) == (scale > 1)
        stream = Stream(EXAMPLE.X, EXAMPLE.y, u)
        assert perceptron.mistake_bound(stream.radius, stream.margin) == 5
        assert_between(perceptron.proof(play(Perceptron(2), stream)))


def test_bound_fails_for_a_negative_margin():
    stream = Stream(np.ones((1000, 1)), np.tile([1, -1], 500), [1])
    trace = play(Perceptron(1), stream)
    assert trace.mistakes == 1000 > 1**2 / stream.margin**2
    with pytest.raises(ValueError, match="margin must lie between 0"):
        perceptron.mistake_bound(stream.radius, stream.margin)
    assert_between(perceptron.proof(trace))  # which says nothing then


@pytest.mark.parametrize("far", [5, 50, 500])
def test_bound_from_zero_fails_for_other_first_weights(far):
    stream = Stream(np.tile([1.0, 0.0], (2000, 1)), np.ones(2000), [1, 0])
    trace = play(started([-far, 0]), stream)
    assert trace.mistakes == far + 1  # the tie at 0 is the last one
    assert trace.mistakes > perceptron.mistake_bound(1, 1) == 1
    assert trace.mistakes <= perceptron.mistake_bound(1, 1, start=far) == 1 + 2 * far


@pytest.mark.parametrize(
    ("middle", "updates", "lifted", "shifted"),
    [(2, 10, 50, 5), (5, 47, 962, 11), (10, 202, 12322, 21), (20, 802, 177242, 41)],
)
def test_homogenising_changes_radius_and_margin(middle, updates, lifted, shifted):
    """Two points at distance 1 from a threshold in the middle."""
    X, y = np.array([[middle - 1.0], [middle + 1.0]]), np.array([-1, 1])
    naive = perceptron.mistake_bound(geometry.radius(X), 1)
    stream = Stream(geometry.homogenise(X), y, [1, -middle])
    assert perceptron.batch(stream).updates == updates > naive
    bound = perceptron.mistake_bound(stream.radius, stream.margin)
    assert updates <= bound == pytest.approx(lifted)
    # A constant as large as the points costs the least: at most 4 R²/γ².
    assert perceptron.batch(geometry.homogenise(X, middle), y).updates == shifted
    assert shifted <= 4 * naive


def test_bound_fails_for_a_learner_that_abstains_at_a_tie():
    class Abstaining(Perceptron):
        def wants_update(self, score, y):
            return y * score < 0

    trace = play(Abstaining(2), np.tile([1.0, 0.0], (1000, 1)), np.ones(1000))
    assert trace.mistakes == 1000 > perceptron.mistake_bound(1, 1)
    assert len(trace.update_rounds) == 0


@pytest.mark.parametrize("at_zero", [1, -1])
@given(separable())
def test_bound_holds_whatever_is_predicted_at_a_tie(at_zero, stream):
    class Decided(Perceptron):
        def decide(self, score):
            return np.where(score == 0, at_zero, np.sign(score)).astype(np.int8)

    assert play(Decided(stream.n), stream).mistakes <= squared_bound(stream)


def test_bound_fails_for_an_update_with_the_predicted_label():
    class Printed(Perceptron):
        def decide(self, score):
            return np.where(score > 0, 1, -1).astype(np.int8)

        def update(self, x, y):
            super().update(x, int(self.decide(self.score(x))))

    learner, right = Printed(2), Perceptron(2)
    cycled = EXAMPLE[np.tile(np.arange(4), 1000)]
    assert play(learner, cycled).mistakes == 3000
    assert learner.weights.tolist() == [-4000, -4000]
    assert play(right, cycled).mistakes == 2


# ------------------------------------------------------------------------- oracles


@given(labelled(), rates, st.sampled_from([None, 0, 0.125, 2]), st.integers(0, 9999))
def test_play_agrees_with_rational_arithmetic(stream, rate, tau, seed):
    eighths, learner = Stream(stream.X / 8, stream.y), Perceptron(stream.n, rate=rate)
    if tau is not None:
        learner = olc.MarginPerceptron(stream.n, thickness=tau, rate=rate)
    learner.state = np.random.default_rng(seed).integers(-8, 8, stream.n) / 4
    weights, updates = [Fraction(w) for w in learner.state], []
    for t, (x, y) in enumerate(eighths):
        signed = [int(y) * Fraction(v) for v in x]
        if sum(w * v for w, v in zip(weights, signed, strict=True)) <= (tau or 0):
            updates.append(t)
            pairs = zip(weights, signed, strict=True)
            weights = [w + Fraction(rate) * v for w, v in pairs]
    assert play(learner, eighths).update_rounds.tolist() == updates
    assert [Fraction(w) for w in learner.weights] == weights


# --------------------------------------------------------------------------- batch


@settings(max_examples=25)
@given(labelled())
def test_batch_is_consistent_exactly_where_the_data_are_separable(stream):
    found = perceptron.batch(stream, max_epochs=60)
    assert found.separable == geometry.separable(stream)
    assert found.converged == (stream.y * (stream.X @ found.weights) > 0).all()
    assert found.separable or not found.converged
    assert found.epochs == 60 or found.converged


TWO_POINTS = Stream([[9.0, 1.0], [11.0, 1.0]], [-1, 1])


@pytest.mark.parametrize(
    ("data", "epochs", "separable", "said"),
    [
        (Stream([[1.0]], [1]), 9, True, "consistent after 1 update in 2 passes"),
        (Stream(np.empty((0, 3)), []), 9, True, "consistent after 0 updates in 1 pass"),
        (EXAMPLE, 1, True, "consistent after 2 updates in 1 pass"),  # the last was it
        (
            TWO_POINTS,
            1,
            True,
            "not consistent after 2 updates in 1 pass: the data are separable, so more "
            "passes will do: raise max_epochs",
        ),
        (
            geometry.homogenise(streams.xor()),
            50,
            False,
            "not consistent after 200 updates in 50 passes: no halfspace through the "
            "origin separates the data, so no number of passes will do (for one with a "
            "bias homogenise them)",
        ),
    ],
)
def test_batch_says_what_it_did(data, epochs, separable, said):
    found = perceptron.batch(data, max_epochs=epochs)
    assert str(found) == said
    assert found.separable == separable
    assert found.converged == said.startswith("consistent")


def test_batch_gives_up_after_1000_passes_unless_told():
    assert perceptron.batch(geometry.homogenise(streams.xor())).epochs == 1000


def test_settling_stops_at_the_first_quiet_pass_or_gives_up():
    learner = Perceptron(2)
    assert perceptron.until_converged(learner, EXAMPLE) == (2, 2, True)
    assert perceptron.until_converged(learner, EXAMPLE) == (0, 1, True)
    xor = geometry.homogenise(streams.xor())
    assert perceptron.until_converged(Perceptron(3), xor, max_epochs=5) == (
        20,
        5,
        False,
    )


# ------------------------------------------------------------------------ exclusive or


@pytest.mark.parametrize(
    ("signs", "count", "longest"), [(True, 15, 4), (False, 162, 29)]
)
def test_xor_reaches_finitely_many_weights_and_soon_cycles_in_any_order(
    signs, count, longest
):
    stream = geometry.homogenise(streams.xor(signs=signs))
    found = adversaries.orbit(stream)
    assert len(found) == count
    assert max(sum(w * w for w in weights) for weights in found) == longest
    for order in ORDERS:
        learner = Perceptron(3)
        for _ in range(2):
            play(learner, stream[order])
        weights = learner.weights
        assert play(learner, stream[order]).mistakes == 4
        assert (learner.weights == weights).all()


# -------------------------------------------------------------- data that do not fit


NOISE = [perceptron.hinge_bound, perceptron.agnostic_bound]
noise_bounds = pytest.mark.parametrize("noise_bound", NOISE)


@noise_bounds
@given(labelled(), st.integers(0, 2**32 - 1), st.floats(0.05, 8))
def test_bounds_for_noise_hold_for_every_direction_and_margin(
    noise_bound, stream, seed, margin
):
    u = np.random.default_rng(seed).normal(size=stream.n)
    bound = noise_bound(stream.X, stream.y, u, margin)
    assert play(Perceptron(stream.n), stream).mistakes <= bound


@noise_bounds
def test_bounds_for_noise_are_for_one_pass_only(noise_bound):
    X, y = np.ones((2, 1)), np.array([1, -1])
    learner = Perceptron(1)
    bound = noise_bound(X, y, [1], margin=1)
    assert sum(play(learner, X, y).mistakes for _ in range(5)) == 10 > bound
    assert noise_bound(np.ones((10, 1)), np.tile(y, 5), [1], 1) >= 10


@given(labelled(), st.integers(0, 2**32 - 1), st.floats(0.05, 8))
def test_bounds_for_noise_solve_their_inequalities(stream, seed, margin):
    u = geometry.unit(np.random.default_rng(seed).normal(size=stream.n))
    lacks = np.maximum(0, margin - stream.y * (stream.X @ u))
    of_stream, ratio = (stream.X, stream.y, u, margin), stream.radius / margin
    hinge, squares = (f(*of_stream) for f in NOISE)
    assert hinge == pytest.approx(lacks.sum() / margin + ratio * math.sqrt(hinge))
    root = ratio + math.sqrt((lacks**2).sum()) / margin
    assert squares == pytest.approx(root**2)


@pytest.mark.parametrize(
    ("margin", "wrong", "without"), [(0.2, 35, 18), (0.1, 120, 60), (0.05, 440, 220)]
)
def test_one_wrong_label_costs_all_but_one_of_the_mistakes(margin, wrong, without):
    """The same stream with the label set right, and with the example left out."""
    trace = olc.duel(Perceptron(3), adversaries.OneWrongLabel(margin), 1000)
    X, y = np.array(trace.stream.X), np.array(trace.stream.y)
    right = np.where(np.arange(len(y)) == 0, -y, y)
    games = [(X, y), (X, right), (X[1:], y[1:])]
    counts = [play(Perceptron(3), *game).mistakes for game in games]
    assert counts == [wrong, 1, without]


@given(separable(), st.integers(0, 2**32 - 1))
def test_bound_for_wrong_labels_holds_wherever_they_are(stream, seed):
    random = np.random.default_rng(seed)
    flips = random.random(len(stream)) < random.choice([0, 0.1, 0.5])
    game = Stream(stream.X, np.where(flips, -stream.y, stream.y), stream.target)
    bound = perceptron.wrong_labels_bound(stream.radius, stream.margin, flips.sum())
    assert play(Perceptron(stream.n), game).mistakes <= bound


@given(labelled(), st.integers(0, 2**32 - 1), st.floats(0.05, 8), st.integers(1, 9))
def test_mistakes_of_many_passes_are_bounded_by_the_last_weights(
    stream, seed, margin, passes
):
    u, learner = np.random.default_rng(seed).normal(size=stream.n), Perceptron(stream.n)
    mistakes = sum(play(learner, stream).mistakes for _ in range(passes))
    length = float(np.linalg.norm(learner.weights))
    of_stream = stream.X, stream.y, u, margin, passes
    assert mistakes <= perceptron.long_run_bound(*of_stream, length)
    # and so no direction has a margin above the length per mistake
    assert mistakes * geometry.margin(u, stream.X, stream.y) <= length * (1 + 1e-9)


@settings(max_examples=25)
@given(labelled(widths=(1, 2), largest=2))
def test_every_order_of_a_finite_set_reaches_finitely_many_weights(stream):
    assert len(adversaries.orbit(stream)) < 5000


@pytest.mark.parametrize("bits", [3, 4, 8])
def test_two_examples_of_so_many_bits_take_exponentially_many_updates(bits):
    q = 2**bits
    data = Stream([[q, 1], [1 - q, 1]], [1, 1])
    assert perceptron.batch(data).updates == 2 * q - 3
    gamma, _ = geometry.maximal_margin(data)
    assert perceptron.mistake_bound(data.radius, gamma) == pytest.approx(q**2 + 1)


def test_sparse_streams_have_the_same_bounds_and_passes():
    dense = streams.flip_labels(streams.separable(5, 0.1, 60, seed=0), 0.1, seed=0)
    X = np.where(np.abs(dense.X) > 0.2, dense.X, 0)
    for bound in NOISE:
        found = bound(csr_matrix(X), dense.y, dense.target, 0.3)
        assert found == pytest.approx(bound(X, dense.y, dense.target, 0.3))
    one, other = (
        perceptron.batch(rows, dense.y, max_epochs=9) for rows in (X, csr_matrix(X))
    )
    assert str(one) == str(other)
