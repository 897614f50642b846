"""Winnow without the number of features: its bound, its proof, its adversary."""

import copy
import math

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from olc import Stream, Winnow, duel, play, winnow
from olc.adversaries import Sparse


@pytest.mark.parametrize(
    ("k", "b", "factor", "bound", "forced"),
    [(4, 64, 4, 106, 98), (1, 64, 4, 26, 21), (4, 16, 4, 76, 65), (4, 64, 2, 122, 111)],
)
def test_the_adversary_comes_near_the_bound(k, b, factor, bound, forced):
    n = 8192
    adversary = Sparse(n, k, active=b)
    trace = duel(Winnow(n, threshold=factor * b), adversary, rounds=1000)
    assert len(trace) == trace.mistakes
    assert forced <= trace.mistakes <= bound == winnow.sparse_bound(k, b, factor * b)
    assert np.count_nonzero(trace.stream.X, axis=1).max() <= b
    explained = np.where(trace.stream.X[:, :k].any(axis=1), 1, -1)
    assert np.array_equal(explained, trace.stream.y)
    ledger = winnow.sparse_proof(trace)
    assert_between(ledger)
    assert (ledger["promotions"] <= ledger["most_promotions"]).all()


@given(st.integers(1, 4), st.integers(1, 6), st.integers(1, 4), st.integers(0, 10**6))
def test_no_stream_of_sparse_bits_costs_more_than_the_bound(k, b, factor, seed):
    random, n = np.random.default_rng(seed), 12
    X = np.zeros((200, n))
    for x in X:
        x[random.choice(n, random.integers(b + 1), replace=False)] = 1
    y = np.where(X[:, :k].any(axis=1), 1, -1)
    theta = factor * b + random.random() + 1e-3
    stream = Stream(X, y, (np.arange(n) < k).astype(float))
    trace = play(Winnow(n, threshold=theta), stream)
    assert trace.mistakes <= winnow.sparse_bound(k, b, theta)
    assert_between(winnow.sparse_proof(trace))


def test_the_simple_form_is_an_upper_bound():
    for b in range(1, 200):
        for k in (1, 3, 10):
            simple = 11 / 3 * k * (math.ceil(math.log2(b)) + 2)
            assert winnow.sparse_bound(k, b, 4 * b) <= simple


def test_the_proof_refuses_a_game_that_its_theorem_is_not_about():
    X, u = np.eye(4)[[0, 1, 2, 3, 0]], [1, 0, 0, 0]
    right, wrong = [1, -1, -1, -1, 1], [1, -1, -1, 1, 1]
    play(taught := Winnow(4, threshold=2), X, right)
    for learner, y in [
        (Winnow(4, threshold=2, alpha=3), right),
        (Winnow(4, threshold=2, eliminate=True), right),
        (Winnow(4, threshold=1), right),
        (Winnow(4, threshold=2), wrong),
        (taught, right),
    ]:
        for rows in (X, csr_matrix(X)):
            trace = play(copy.deepcopy(learner), Stream(rows, y, u))
            with pytest.raises(ValueError, match="about a new learner of factor 2"):
                winnow.sparse_proof(trace)
    trace = play(Winnow(4, threshold=2), Stream(csr_matrix(X), right, u))
    assert len(winnow.sparse_proof(trace)) == trace.mistakes == 1
