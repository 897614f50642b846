"""Streams: what they keep, how they are cut, and their norms, radius and margin."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import olc
from olc.core.stream import Stream, as_stream
from olc.geometry import margin, norm, radius, unit


def test_a_stream_can_be_looped_over_and_cut():
    X, y = np.arange(12).reshape(4, 3), [1, -1, 1, 1]
    for rows in (X, sparse.csr_array(X)):
        whole = Stream(rows, y, target=[1, 2, 3])
        assert (len(whole), whole.n) == (4, 3)
        assert [(x.tolist(), label) for x, label in whole][1] == ([3, 4, 5], -1)
        assert all(x.dtype == rows.dtype for x, _ in whole)
        assert all(x.dtype == float for x, _ in whole.rounds())
        part = whole[1:3]
        assert [x.tolist() for x, _ in part] == X[1:3].tolist()
        assert part.y.tolist() == [-1, 1]
        assert part.target.tolist() == [1, 2, 3]
        assert [x.tolist() for x, _ in whole[[3, 0]]] == X[[3, 0]].tolist()
        assert whole[whole.y > 0].y.tolist() == [1, 1, 1]
        assert whole[::-1].row(0).tolist() == X[3].tolist()
    assert np.shares_memory(Stream(X, y)[1:3].X, X)
    with pytest.raises(ValueError, match="one row of features per round"):
        Stream(X, y)[2]


def test_a_stream_does_not_copy_its_examples_but_its_targets():
    X, u = np.ones((3, 2)), np.array([1.0, 2.0])
    kept = Stream(X, [1, 1, 1], u, drifts=[(0, u)])
    assert kept.X is X
    matrix = sparse.csr_array(X)
    assert Stream(matrix, [1, 1, 1]).X is matrix
    u[:] = 0
    assert kept.target.tolist() == kept.drifts[0][1].tolist() == [1, 2]
    assert as_stream(kept) is kept


def test_a_run_of_a_drifting_stream_drifts_as_the_whole_does():
    game = olc.streams.drifting_disjunction(20, 3, rounds=90, drifts=2, seed=0)
    assert [start for start, _ in game.drifts] == [0, 30, 60]
    cut = game[10:70]
    assert [start for start, _ in cut.drifts] == [0, 20, 50]
    assert cut.target.tolist() == game.target.tolist()
    for (start, u), stop in zip(cut.drifts, [20, 50, 60], strict=True):
        scores = cut.X[start:stop] @ u
        assert np.array_equal(cut.y[start:stop], np.where(scores >= 1, 1, -1))
    # a drift in the round after the last is none
    assert [start for start, _ in game[:30].drifts] == [0]
    assert game[:30].target.tolist() == game.drifts[0][1].tolist()
    assert [start for start, _ in game[30:61].drifts] == [0, 30]
    for mixed in (game[::-1], game[[1, 2]], game[::2]):
        assert mixed.target is None
        assert not mixed.drifts


@pytest.mark.parametrize("starts", [(3,), (0, 3, 1), (0, 2, 2), (0, 5), (0, 3, 9)])
def test_drifts_begin_with_round_0_and_go_on_in_order_before_the_end(starts):
    drifts = [(start, np.ones(1)) for start in starts]
    with pytest.raises(ValueError, match="begin with 0, each of them once"):
        Stream(np.ones((5, 1)), np.ones(5), [1], drifts=drifts)


def test_a_margin_needs_an_example_and_a_direction():
    for X, y, u in ([[[1], [1]], [1, 1], [0]], [np.ones((0, 1)), [], [1]]):
        with pytest.raises(ValueError, match="no margin: give at least one example"):
            _ = Stream(X, y, u).margin
    with pytest.raises(ValueError, match="this stream has no target"):
        _ = Stream(np.ones((2, 1)), [1, 1]).margin


def test_a_number_beyond_the_floats_is_refused_as_infinite():
    huge = np.array([["1e4000"]], dtype=np.longdouble)
    if not np.isfinite(huge).all():  # long doubles are doubles here
        return
    for call in (
        lambda: olc.play(olc.Perceptron(1), huge, [1]),
        lambda: olc.Perceptron(1).learn(huge[0], 1),
        lambda: olc.Perceptron(1).predict(huge),
    ):
        with pytest.raises(ValueError, match="= inf: give finite numbers"):
            call()


# ------------------------------------------------------------------ norms and margins

FORMS = [np.asarray, sparse.csr_array, np.asfortranarray]


@given(st.integers(0, 2**32), st.sampled_from([1, 1.5, 2, 3, 64, np.inf]))
def test_norms_and_margins_are_those_of_the_definition(seed, p):
    random = np.random.default_rng(seed)
    X = random.integers(-4, 5, (7, 3)) * random.choice([0.25, 1, 3])
    w, y = random.normal(size=3), random.choice([-1, 1], 7)
    sizes = np.abs(X)
    expected = sizes.max(1) if p == np.inf else (sizes**p).sum(1) ** (1 / p)
    length = np.linalg.norm(w, p)
    for form in FORMS:
        assert norm(form(X), p) == pytest.approx(expected, rel=1e-12)
        assert radius(form(X), p) == pytest.approx(expected.max(), rel=1e-12)
        least = min(label * (x @ w) for x, label in zip(X, y, strict=True)) / length
        assert margin(w, form(X), y, p) == pytest.approx(least, rel=1e-9)
    assert norm(X[0], p) == pytest.approx(expected[0], rel=1e-12)
    assert type(norm(X[0], p)) is float
    assert unit(w, p) == pytest.approx(w / length, rel=1e-12)


@given(st.integers(-150, 150), st.integers(0, 2**32))
def test_the_radius_neither_overflows_nor_vanishes(exponent, seed):
    X = np.random.default_rng(seed).normal(size=(7, 3)) * 10.0**exponent
    exact = max(sum(Fraction(float(a)) ** 2 for a in x) for x in X)
    for form in FORMS:
        found = Fraction(Stream(form(X), np.ones(7)).radius)
        assert abs(found**2 - exact) <= exact * Fraction(1, 10**12)


def test_radius_and_margin_of_a_stream():
    game = Stream([[3, 4], [0, -1]], [1, -1], target=[0, 2])
    assert (game.radius, game.margin) == (5.0, 1.0)
    assert Stream([[3, 4], [0, 1]], [1, -1], target=[0, 2]).margin == -1.0
    assert Stream(np.empty((0, 3)), []).radius == 0.0
    X = np.ones((300_000, 2), np.float32)  # more than a chunk
    X[-1] = [3, 4]
    assert radius(X) == 5.0


def test_the_type_does_not_change_a_norm():
    for form in FORMS:
        assert radius(form(np.array([[-128], [3]], np.int8))) == 128.0
        assert radius(form(np.array([[2**63, 0]], np.uint64)), 1) == 2.0**63
        assert norm(form(np.ones((2, 4), bool)), 1).tolist() == [4, 4]
    assert radius(np.full((1, 2), 60_000, np.float16), 1) == pytest.approx(
        2 * 6e4, 1e-3
    )
    assert norm(np.zeros(3)) == 0.0
    assert norm(np.empty((0, 3))).shape == (0,)
    assert norm([3, -4], 10**300) == norm([3, -4], np.inf) == 4


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_a_number_has_neither_radius_nor_margin(bad):
    X = np.ones((300_000, 2))
    X[299_999, 1] = bad
    broken = Stream(X, np.ones(len(X)), target=[1, 1])
    calls = [
        lambda: broken.radius,
        lambda: broken.margin,
        lambda: radius(sparse.csr_array(X), 1),
        lambda: margin([1, 1], X, np.ones(len(X)), np.inf),
        lambda: olc.play(olc.Perceptron(2), broken),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"X\[299999, 1\] = .*finite"):
            call()
    for call in (lambda: unit([1, bad]), lambda: margin([1, bad], [[1, 1]], [1])):
        with pytest.raises(ValueError, match=r"w\[1\] = .*finite"):
            call()
    assert not np.isfinite(norm([[1, 2], [bad, 1]])).all()
    assert norm([[3, 4], [bad, 1]])[0] == 5.0
