"""The Perceptron: the worked example, the theorem, its proof, and when they fail."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, labelled, separable
from hypothesis import given, settings
from hypothesis import strategies as st
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


@pytest.mark.parametrize(("n", "k"), [(8, 1), (16, 3), (64, 2)])
def test_disjunction_bound_is_that_of_its_target(n, k):
    stream = olc.duel(Perceptron(n + 1), adversaries.Cycle(n, k), 10_000).stream
    bound = perceptron.mistake_bound(math.sqrt(n + 1), stream.margin)
    assert perceptron.disjunction_bound(n, k) == pytest.approx(bound)


# ------------------------------------------------- what each assumption is good for


def test_bound_fails_for_a_negative_margin():
    stream = Stream(np.ones((1000, 1)), np.tile([1, -1], 500), [1])
    trace = play(Perceptron(1), stream)
    assert trace.mistakes == 1000 > 1**2 / stream.margin**2
    with pytest.raises(ValueError, match="margin must lie between 0"):
        perceptron.mistake_bound(stream.radius, stream.margin)
    assert_between(perceptron.proof(trace))  # which says nothing then


@pytest.mark.parametrize("at_zero", [1, -1])
@given(separable())
def test_bound_holds_whatever_is_predicted_at_a_tie(at_zero, stream):
    class Decided(Perceptron):
        def decide(self, score):
            return np.where(score == 0, at_zero, np.sign(score)).astype(np.int8)

    assert play(Decided(stream.n), stream).mistakes <= squared_bound(stream)


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
