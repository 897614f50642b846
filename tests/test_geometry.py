"""Margins, norms and separability against oracles that share no code with them."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize
from scipy.sparse import csr_matrix

import olc
from olc import geometry

EXAMPLE = [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1]  # that of the notes


def points(seed, rounds, n, margin=None, most=5):
    """Return whole-numbered points; with a margin, on the right side of a plane."""
    random = np.random.default_rng(seed)
    X = random.integers(-most, most + 1, (rounds, n)).astype(float)
    y = random.choice([-1, 1], rounds)
    if margin is not None:
        u = random.normal(size=n)
        y = np.where(X @ u > 0, 1, -1)
        keep = np.abs(X @ u) > margin * np.linalg.norm(u)
        X, y = X[keep], y[keep]
    return X, y


# ------------------------------------------------------------------ norms


@given(st.integers(-150, 150), st.sampled_from([1, 2, 4, math.inf]))
def test_norms_of_large_and_small_numbers_are_as_right(exponent, p):
    x = np.array([3.0, -4.0, 1.0]) * 10.0**exponent
    expected = geometry.norm([3, -4, 1], p) * 10.0**exponent
    assert geometry.norm(x, p) == pytest.approx(expected, rel=1e-12, abs=0)
    assert geometry.norm(geometry.unit(x, p), p) == pytest.approx(1, rel=1e-12)


SPARSE = np.array([[3.0, 0, -4, 0], [0, 0, 0, 0], [0, -6, 0, 2]])


def test_sparse_examples_are_homogenised_and_separated_as_dense_ones():
    stream = olc.Stream(csr_matrix(SPARSE[[0, 2]]), [1, -1], [1, 0, 0, 0])
    lifted = geometry.homogenise(stream, 2)
    assert lifted.X.format == "csr"
    assert lifted.X.toarray().tolist() == [[3, 0, -4, 0, 2], [0, -6, 0, 2, 2]]
    assert geometry.separable(stream)
    gamma, u = geometry.maximal_margin(stream)
    same, v = geometry.maximal_margin(SPARSE[[0, 2]], [1, -1])
    assert gamma == same
    assert u.tolist() == v.tolist()
    opposed = olc.Stream(csr_matrix([[1, 0], [1, 0]]), [1, -1])
    assert not geometry.separable(opposed)


# ------------------------------------------------------------------ margins


def best_angle(X, y):
    """Return the largest margin in the plane, by looking in every direction."""
    signed = y[:, None] * X
    least, half_width = -math.inf, math.pi
    centre = 0.0
    for _ in range(12):
        angles = centre + np.linspace(-half_width, half_width, 721)
        margins = (signed @ np.array([np.cos(angles), np.sin(angles)])).min(axis=0)
        best = int(margins.argmax())
        least, centre, half_width = margins[best], angles[best], half_width / 90
    return least, np.array([math.cos(centre), math.sin(centre)])


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_no_direction_in_the_plane_has_a_larger_margin(seed, rounds):
    X, y = points(seed, rounds, 2)
    gamma, u = best_angle(X, y)
    if gamma > 1e-6:
        found, weights = geometry.maximal_margin(X, y)
        assert found == pytest.approx(gamma, rel=1e-9)
        assert weights == pytest.approx(u, abs=1e-6)
        assert geometry.margin(weights, X, y) == pytest.approx(found, rel=1e-9)
        assert geometry.separable(X, y)
    else:
        assert not geometry.separable(X, y)
        with pytest.raises(ValueError, match="not linearly separable"):
            geometry.maximal_margin(X, y)


@given(st.integers(0, 2**32), st.integers(1, 6), st.sampled_from([None, 0.0, 0.5]))
def test_the_two_solvers_agree_on_what_is_separable(seed, n, margin):
    X, y = points(seed, 12, n, margin)
    assume(len(X))
    weights = geometry.consistent_classifier(X, y)
    if weights is None:
        assert margin is None
        with pytest.raises(ValueError, match="homogenise them, or use a kernel"):
            geometry.maximal_margin(X, y)
        return
    assert (y * (X @ weights)).min() == pytest.approx(1, rel=1e-9)
    gamma, u = geometry.maximal_margin(X, y)
    assert gamma >= geometry.margin(weights, X, y) * (1 - 1e-9)
    assert np.linalg.norm(u) == pytest.approx(1, rel=1e-12)
    # no margin exceeds the distance of the hull of the y x from 0, and this one is it
    signed = y[:, None] * X
    hull = geometry._hull_coefficients(signed.T) @ signed
    assert np.linalg.norm(hull) == pytest.approx(gamma, rel=1e-7)
    assert geometry.margin(u, X, y) == pytest.approx(gamma, rel=1e-12)


def test_largest_margin_does_not_depend_on_the_fast_solver(monkeypatch):
    X, y = points(5, 60, 3, margin=0.5)
    gamma, u = geometry.maximal_margin(X, y)
    monkeypatch.setattr(optimize, "nnls", lambda A, b: (np.ones(A.shape[1]), 0.0))
    again, same = geometry.maximal_margin(X, y)
    assert again == pytest.approx(gamma)
    assert same == pytest.approx(u)


@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(-60, 60))
def test_the_scale_of_the_data_does_not_matter(seed, n, exponent):
    X, y = points(seed, 10, n, margin=0.3)
    assume(len(X))
    scale = 10.0**exponent
    gamma, u = geometry.maximal_margin(X, y)
    scaled, same = geometry.maximal_margin(X * scale, y)
    assert scaled == pytest.approx(gamma * scale, rel=1e-9, abs=0)
    assert same == pytest.approx(u, abs=1e-9)
    assert geometry.separable(X * scale, y)
    assert not geometry.separable(np.vstack([X, -X[:1]]) * scale, [*y, y[0]])


def test_one_tiny_violation_is_seen_by_both_solvers():
    X, y = points(3, 30, 4, margin=0.2)
    X, y = np.vstack([X, -1e-8 * X[:1]]), np.append(y, y[0])
    assert not geometry.separable(X, y)
    with pytest.raises(ValueError, match="not linearly separable"):
        geometry.maximal_margin(X, y)


@pytest.mark.parametrize("gamma", [0.5, 1e-2, 1e-4, 1e-6, 1e-8])
def test_thin_margins_are_found(gamma):
    # two of the closest points face each other, so the first axis is the best
    random = np.random.default_rng(2)
    X = np.column_stack([gamma * random.uniform(1, 3, 60), random.normal(size=(60, 3))])
    X[0], X[1] = [gamma, 1, 1, 1], [gamma, -1, -1, -1]
    found, u = geometry.maximal_margin(X, np.ones(60))
    assert found == pytest.approx(gamma, rel=1e-6)
    assert geometry.margin(u, X, np.ones(60)) == pytest.approx(found, rel=1e-6)
    assert u == pytest.approx([1, 0, 0, 0], abs=1e-6)


def test_an_example_at_zero_is_on_no_side():
    X, y = [[1, 1], [0, 0]], [1, 1]
    assert geometry.consistent_classifier(X, y) is None
    for data in (X, [[0, 0], [0, 0]]):
        with pytest.raises(ValueError, match="not linearly separable"):
            geometry.maximal_margin(data, y)


def test_an_unsolved_program_is_no_answer(monkeypatch):
    unsolved = optimize.OptimizeResult(
        status=4, message="numerical difficulties", x=None
    )
    monkeypatch.setattr(optimize, "linprog", lambda *_, **__: unsolved)
    with pytest.raises(RuntimeError, match="not solved: numerical difficulties"):
        geometry.separable(*EXAMPLE)


# ------------------------------------------------------------------ homogenising


@given(st.integers(0, 2**32), st.integers(1, 5), st.floats(0.1, 10), st.floats(-3, 3))
def test_a_bias_becomes_one_more_weight(seed, n, constant, bias):
    random = np.random.default_rng(seed)
    X, w = random.normal(size=(30, n)), random.normal(size=n)
    lifted = geometry.homogenise(X, constant)
    weights = np.append(w, bias / constant)
    assert lifted @ weights == pytest.approx(X @ w + bias, abs=1e-9)
    # R² grows by c², and the margin shrinks by √(1 + b²/(c|w|)²)
    radius = geometry.radius(X)
    grown = math.sqrt(radius**2 + constant**2)
    assert geometry.radius(lifted) == pytest.approx(grown, rel=1e-12)
    y = np.where(X @ w + bias > 0, 1, -1)
    affine = (y * (X @ w + bias)).min() / np.linalg.norm(w)
    shrunk = affine / math.sqrt(1 + (bias / constant) ** 2 / (w @ w))
    assert geometry.margin(weights, lifted, y) == pytest.approx(shrunk, rel=1e-6)


def test_a_stream_is_homogenised_with_its_targets():
    game = olc.streams.drifting_disjunction(6, 2, rounds=20, drifts=1, seed=0)
    lifted = geometry.homogenise(game)
    assert (np.column_stack([game.X, np.ones(20)]) == lifted.X).all()
    assert np.array_equal(lifted.y, game.y)
    assert lifted.target.tolist() == [*game.target, 0]
    for (start, u), (same, v) in zip(lifted.drifts, game.drifts, strict=True):
        assert (start, u.tolist()) == (same, [*v, 0])
    assert geometry.homogenise(olc.Stream([[1]], [1])).target is None
