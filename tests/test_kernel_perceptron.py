"""The kernel Perceptron: the same game in a feature space that is never built."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_between, labelled
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import coo_array

from olc import KernelPerceptron, Perceptron, Stream, geometry, play, streams
from olc import kernel_perceptron as kernels
from olc.kernel_perceptron import Polynomial, RadialBasis, gram, linear

XOR = streams.xor()


@st.composite
def quadratic(draw):
    """Whole numbers labelled by a quadratic form of (1, x), none on its edge."""
    n, rounds = draw(st.integers(1, 3)), draw(st.integers(1, 30))
    X = draw(hnp.arrays(np.int64, (rounds, n), elements=st.integers(-3, 3)))
    form = draw(hnp.arrays(np.int64, (n + 1) ** 2, elements=st.integers(-2, 2)))
    values = products(geometry.homogenise(X)) @ form
    assume(values.any())
    return Stream(X[values != 0], np.sign(values[values != 0]))


def products(X):
    """The feature space of (x·z)², built: all products of two features."""
    return np.einsum("ti,tj->tij", X, X).reshape(len(X), -1)


# ------------------------------------------------------------------- the same game


@given(labelled())
def test_linear_kernel_plays_the_perceptrons_game(stream):
    dual, plain = KernelPerceptron(linear), Perceptron(stream.n)
    one, other = play(dual, stream), play(plain, stream)
    assert one.predictions.tolist() == other.predictions.tolist()
    if one.mistakes:
        assert (dual.weights @ dual.support == plain.weights).all()
        assert (dual.scores(stream.X) == plain.scores(stream.X)).all()


@pytest.mark.parametrize("constant", [0, 1])
@given(labelled(widths=(1, 3), largest=3))
def test_square_kernel_plays_the_game_of_all_products(constant, stream):
    """(c + x·z)² multiplies the products of two of (x, c), or of x if c is 0."""
    X = geometry.homogenise(stream.X) if constant else stream.X
    built = Stream(products(X), stream.y)
    trace = play(KernelPerceptron(Polynomial(2, constant)), stream)
    assert (
        trace.mistake_rounds.tolist()
        == play(Perceptron(built.n), built).mistake_rounds.tolist()
    )


def test_support_is_the_mistakes_with_their_labels():
    stream = streams.separable(3, 0.1, 50, seed=0)
    learner = KernelPerceptron(RadialBasis(0.7))
    trace = play(learner, stream)
    assert (learner.support == stream.X[trace.mistake_rounds]).all()
    assert learner.weights.tolist() == stream.y[trace.mistake_rounds].tolist()
    kernel = RadialBasis(0.7)
    direct = kernel(stream.X, learner.support) @ learner.weights
    assert learner.scores(stream.X) == pytest.approx(direct)
    assert learner.scores(stream.X[3]) == pytest.approx(direct[3])


def test_fresh_learner_scores_zero_whatever_the_width():
    learner = KernelPerceptron()
    assert learner.scores([1.0, 2.0]) == 0
    assert learner.scores(np.ones((3, 5))).tolist() == [0, 0, 0]
    assert learner.learn([1, 2], -1) == 0
    assert learner.n == 2
    assert learner.predict([[1, 0], [-1, 0]]).tolist() == [-1, 1]
    with pytest.raises(ValueError, match="n = 2"):
        learner.predict([1.0])


def test_any_callable_is_a_kernel():
    def affine(A, B):
        return A @ B.T + 1

    stream = streams.panel(5, 3, 60, seed=0)
    lifted = geometry.homogenise(stream)
    rounds = play(KernelPerceptron(affine), stream).mistake_rounds.tolist()
    assert rounds == play(Perceptron(6), lifted).mistake_rounds.tolist()
    assert repr(KernelPerceptron(affine)) == "KernelPerceptron(kernel=affine)"
    assert repr(KernelPerceptron(Polynomial(3))) == (
        "KernelPerceptron(kernel=Polynomial(degree=3, constant=1.0))"
    )


# ----------------------------------------------------------------- exclusive or


def test_xor_is_learnt_by_the_square_kernel_in_every_order():
    for order in itertools.permutations(range(4)):
        trace = play(KernelPerceptron(Polynomial(2, 0)), XOR[list(order) * 3])
        assert trace.mistakes == 2


# -------------------------------------------------------- the theorem and its proof

KERNELS = [linear, Polynomial(2), Polynomial(3, 0.5), RadialBasis(1.0), RadialBasis(3)]


@given(quadratic(), st.sampled_from(KERNELS[1:]))
def test_ledger_and_bound_hold_where_the_kernel_separates(stream, kernel):
    gamma = kernels.margin(kernel, stream)
    radius = math.sqrt(gram(kernel, stream.X).max())
    assume(gamma > 1e-4 * radius)
    learner = KernelPerceptron(kernel)
    trace, again = play(learner, stream), play(learner, stream)
    for game in (trace, again):
        assert_between(kernels.proof(game))
    bound = kernels.mistake_bound(radius, gamma)
    assert trace.mistakes + again.mistakes <= bound * (1 + 1e-6)


@given(labelled(widths=(2, 2)))
def test_margin_of_the_linear_kernel_is_that_of_the_data(stream):
    if geometry.separable(stream):
        gamma, _ = geometry.maximal_margin(stream)
        assert kernels.margin(linear, stream) == pytest.approx(gamma)
    else:
        with pytest.raises(ValueError, match="not separable"):
            kernels.margin(linear, stream)


@given(quadratic())
def test_margin_of_a_quadratic_kernel_is_that_of_the_products(stream):
    built = Stream(products(geometry.homogenise(stream.X)), stream.y)
    expected, _ = geometry.maximal_margin(built)
    assert kernels.margin(Polynomial(2), stream) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("x", [[0, 1, 3], [0] * 3 + [1] + [0] * 12 + [3] + [0] * 4])
def test_margin_where_a_fast_solver_stops_too_early(x):
    # the nearest point of the hull is the image of 0, whose length is 1
    stream = Stream(np.array(x)[:, None], np.ones(len(x)))
    assert kernels.margin(Polynomial(2), stream) == pytest.approx(1)


# ---------------------------------------------------------------------- the kernels


@given(labelled(), st.sampled_from(KERNELS))
def test_kernels_are_symmetric_and_positive_semidefinite(stream, kernel):
    K = gram(kernel, stream.X)
    assert np.allclose(K, K.T)
    assert np.linalg.eigvalsh(K).min() >= -1e-9 * max(1, K.max()) * len(K)
    A, B = stream.X[:2].astype(float), stream.X.astype(float)
    assert kernel(A, B) == pytest.approx(K[:2])
    assert kernel(B, A) == pytest.approx(K[:, :2])


def test_radial_basis_is_one_at_distance_zero_and_a_bell_elsewhere():
    X = np.random.default_rng(0).normal(size=(6, 3)) * 100
    K = gram(RadialBasis(40), X)
    assert np.array_equal(gram(RadialBasis(40), coo_array(X)), K)
    assert (np.diag(K) == 1).all()
    pairs = np.linalg.norm(X[:, None] - X[None], axis=-1)
    assert np.allclose(K, np.exp(-(pairs**2) / (2 * 40**2)))


@given(st.integers(0, 2**32 - 1))
def test_radial_kernel_separates_any_labels_of_distinct_points(seed):
    random = np.random.default_rng(seed)
    points = random.permutation(np.array(list(np.ndindex(4, 4))))[:8]
    labels = random.choice([-1, 1], 8)
    assert kernels.margin(RadialBasis(0.7), Stream(points, labels)) > 0.01
    # where it is so narrow that all products vanish, the bound is no help
    narrow = kernels.margin(RadialBasis(0.1), Stream(points, labels))
    assert kernels.mistake_bound(1, narrow) == pytest.approx(8)


# ------------------------------------------------------------------- at the door


def test_a_learner_for_another_width_keeps_the_kernel_and_forgets_the_support():
    learner = KernelPerceptron(Polynomial(3))
    learner.learn([1.0, 2.0], 1)
    fresh = learner.replaced(n=7)
    assert fresh.kernel == Polynomial(3)
    assert len(fresh.support) == 0
