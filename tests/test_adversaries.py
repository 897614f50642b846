"""Adversaries: a target explains all that they say, and every round is a mistake.

How many mistakes each of them forces is in the tables of the chapter `tightness`.
"""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import olc
from olc import (
    Perceptron,
    Winnow,
    WinnowR,
    adversaries,
    duel,
    halving,
    perceptron,
    play,
    streams,
)
from olc.adversaries import Contrary
from olc.standard_optimal import littlestone_dimension


def reaches(X, u):
    """The labels of a disjunction."""
    return np.where(np.asarray(X) @ (np.asarray(u) > 0) >= 1, 1, -1)


def assert_explained(stream):
    """Every label is that of the target which stood when it was given."""
    drifts = stream.drifts or [(0, stream.target)]
    starts = [start for start, _ in drifts] + [len(stream)]
    for (start, u), stop in zip(drifts, starts[1:], strict=True):
        assert (reaches(stream.X[start:stop], u) == stream.y[start:stop]).all()


# -------------------------------------------------------------------- experts


@pytest.mark.parametrize(
    "learner", [olc.Halving(10), Perceptron(10), olc.WeightedMajority(10, eta=0.5)]
)
def test_contrary_forces_the_dimension_on_any_learner_and_tells_no_lie(learner):
    table = halving.disjunctions(5, k=2)
    adversary = Contrary(table, worth=littlestone_dimension)
    trace = duel(learner, adversary, rounds=100)
    assert trace.mistakes >= littlestone_dimension(table)
    assert adversary.target.sum() == 1
    assert (trace.stream.X @ adversary.target == trace.stream.y).all()


@given(st.integers(1, 30), st.sampled_from([0.1, 0.5, 0.9]))
def test_split_makes_every_round_a_mistake_with_little_more_than_half_wrong(n, eta):
    trace = duel(olc.WeightedMajority(n, eta=eta), adversaries.Split(), rounds=60)
    assert trace.mistakes == 60
    for step in trace.replay():
        wrong = step.x != step.y
        before = (1 - eta) ** (step.learner.losses - wrong).astype(float)
        share = before[wrong].sum() / before.sum()
        assert share >= 0.5 - 1e-12
        if before.max() <= before.sum() / 2:
            assert share <= 0.5 + before.max() / before.sum() / 2 + 1e-12


@given(st.integers(2, 9), st.integers(0, 6))
def test_one_by_one_lets_the_others_err_in_turn(n, best):
    learner = olc.RandomizedWeightedMajority(n, eta=0.5)
    trace = duel(learner, adversaries.OneByOne(best), rounds=1000)
    wrong = np.append(np.zeros(best, int), 1 + np.arange(len(trace) - best) % (n - 1))
    assert (trace.stream.X.argmin(axis=1) == wrong).all()
    assert (trace.stream.X.sum(axis=1) == n - 2).all()
    shares = learner.weights / learner.weights.sum()
    assert shares[1:].sum() < 1e-6


@given(st.integers(0, 6), st.sampled_from([0.1, 1.0, 3.0, None]))
def test_literals_force_log_2n_mistakes_on_any_learner(log, eta):
    n = 2**log
    learner = Perceptron(n) if eta is None else olc.BalancedWinnow(n, eta=eta)
    trace = duel(learner, adversaries.Literals(n), rounds=100)
    assert trace.mistakes == len(trace) == log + 1
    assert np.abs(trace.stream.target).sum() == 1
    assert (trace.stream.X @ trace.stream.target == trace.stream.y).all()


@pytest.mark.parametrize("wait", [1, 2, 58])
def test_stalled_lets_no_hypothesis_survive_before_the_end(wait):
    game = duel(olc.Consistent(8), Contrary(halving.singletons(8)), rounds=100)
    stream = adversaries.stalled(game.stream, wait)
    trace = play(olc.Consistent(8), stream)
    assert trace.mistakes == game.mistakes == 7
    gaps = np.diff(trace.mistake_rounds, prepend=-1) - 1
    assert (gaps == wait - 1).all()
    assert (
        len(stream) == (game.mistakes + 1) * wait == trace.mistake_rounds[-1] + 1 + wait
    )
    assert (stream.X @ game.stream.target == stream.y).all()  # one is always right


@pytest.mark.parametrize(("n", "k"), [(8, 1), (64, 3)])
def test_panel_makes_every_step_of_the_proof_an_equality(n, k):
    ledger = perceptron.proof(duel(Perceptron(n), adversaries.Panel(n, k), 2 * n * k))
    assert (ledger.cross == 0).all()  # every score was 0
    assert ledger.potential.iloc[-1] == pytest.approx(ledger.upper.iloc[-1])
    assert ledger.potential.iloc[-1] == pytest.approx(ledger.lower.iloc[-1])


@settings(max_examples=15)
@given(
    st.integers(1, 24),
    st.sampled_from([1, 3, 5]),
    st.sampled_from([Perceptron, olc.NormalizedWinnow, olc.BalancedWinnow]),
    st.integers(0, 5),
)
def test_panel_always_errs_with_the_least_margin(n, k, kind, seed):
    k = min(k, n - 1 + n % 2) or 1
    learner = kind(n) if kind is Perceptron else kind(n, eta=0.3)
    trace = duel(learner, adversaries.Panel(n, k, seed=seed), rounds=60)
    stream = trace.stream
    assert trace.mistakes == len(trace)
    assert set(np.unique(stream.X)) <= {-1, 1}
    assert (stream.y * (stream.X @ stream.target) == 1).all()
    assert kind is not Perceptron or len(trace) <= perceptron.panel_bound(n, k)
    if len(trace) < 60:  # it gave up because no example of least margin errs
        x = np.where(learner.weights > 0, -1.0, 1.0)
        heaviest = np.argsort(-learner.weights[:k])
        x[:k] = 1
        x[heaviest[: k // 2]] = -1
        assert learner.score(x) > 0


def test_a_learner_that_does_not_fit_is_left_as_it_was():
    learner = Perceptron(4)
    with pytest.raises(TypeError, match="Split plays against"):
        duel(learner, adversaries.Split(), rounds=3)
    assert learner.rounds == 0
    assert duel(olc.KernelPerceptron(), adversaries.Blocks(4, 1), 9).mistakes == 2


# ----------------------------------------------------------------- halfspaces


@pytest.mark.parametrize("thickness", [0.5, 2, 5])
def test_minimal_margin_is_as_thin_for_the_margin_perceptron(thickness):
    learner = olc.MarginPerceptron(3, thickness=thickness)
    trace = duel(learner, adversaries.MinimalMargin(0.1, thickness), rounds=2000)
    assert (trace.stream.y == 1).all()
    np.testing.assert_allclose((trace.stream.X**2).sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_allclose(trace.stream.X[:, 0], 0.1, rtol=1e-9)
    bound = (1 + 2 * thickness) / 0.1**2
    assert 0.99 * bound < len(trace.update_rounds) == len(trace) <= bound


def test_minimal_margin_starts_only_where_it_can_force_a_mistake():
    adversary, ahead = adversaries.MinimalMargin(0.5), Perceptron(3)
    assert adversary(ahead)[0][0] == 0.5
    ahead.state = np.array([1.0, 0.0, 0.0])
    assert adversary(ahead) is None


def test_worst_order_depends_on_neither_the_scale_nor_the_form_of_the_pool():
    pool = streams.separable(10, 0.1, 500, seed=0)
    one = duel(Perceptron(10), adversaries.WorstOrder(pool), rounds=1000)
    for scale in (0.25, 4):  # powers of two round nothing
        for X in (scale * pool.X, csr_matrix(scale * pool.X)):
            scaled = adversaries.WorstOrder(olc.Stream(X, pool.y, pool.target))
            other = duel(Perceptron(10), scaled, rounds=1000)
            assert np.array_equal(scale * one.stream.X, other.stream.X)


@given(st.integers(1, 40))
@example(100)
def test_plane_forces_one_more_than_half_of_the_bound(q):
    stream = adversaries.plane(q)
    assert (stream.y == 1).all()
    assert (stream.X[:, 0] == q).all()  # the margin, for the first unit vector
    assert (stream.X**2).sum(axis=1).max() == q**2 * (q**2 + 1)
    trace = play(Perceptron(2), stream)
    assert trace.mistakes == len(stream) == (q**2 + 1) // 2 + 1


@given(st.integers(1, 25), st.integers(1, 6))
def test_cycle_makes_the_perceptron_err_exactly_so_often(n, k):
    k = min(k, n)
    learner = Perceptron(n + 1)
    trace = duel(learner, adversaries.Cycle(n, k), rounds=10_000)
    assert trace.mistakes == 2 * k * (n - k + 2) + 1
    assert (np.sign(trace.stream.X @ trace.stream.target) == trace.stream.y).all()
    assert (learner.predict(trace.stream.X) == trace.stream.y).all()
    assert len(np.unique(trace.stream.X, axis=0)) == k + 1


@settings(max_examples=20)
@given(st.integers(1, 25), st.integers(1, 6))
def test_lengthen_errs_with_the_least_margin_until_no_example_of_it_is_wrong(n, k):
    k = min(k, n)
    learner = Perceptron(n + 1)
    trace = duel(learner, adversaries.Lengthen(n, k), rounds=20_000)
    X, y = trace.stream.X, trace.stream.y
    assert trace.mistakes == len(trace) <= perceptron.disjunction_bound(n, k)
    assert set(np.unique(X)) <= {0, 1}
    assert (X[:, -1] == 1).all()
    assert (reaches(X[:, :n], np.arange(n) < k) == y).all()
    assert (X[:, :k].sum(axis=1) == (y > 0)).all()
    irrelevant, bias = learner.weights[k:n], learner.weights[n]
    assert bias + np.maximum(irrelevant, 0).sum() < 0
    assert learner.weights[:k].min() + bias + np.minimum(irrelevant, 0).sum() > 0


@pytest.mark.parametrize(("n", "k", "order"), [(8, 3, 1), (8, 3, 4), (16, 5, 8)])
def test_copies_in_orthogonal_blocks_multiply_the_mistakes(n, k, order):
    game = duel(Perceptron(n), adversaries.Panel(n, k), rounds=200)
    copied = adversaries.copies(game.stream, order)
    assert copied.X.dtype == np.int8
    assert copied.margin * k == pytest.approx(math.sqrt(k))  # a panel of k, as before
    assert set(np.unique(copied.X)) == {-1, 1}
    bare = adversaries.copies(olc.Stream(0.5 * game.stream.X, game.stream.y), order)
    assert bare.target is None
    for stream in (copied, bare):
        trace = play(Perceptron(order * n), stream)
        assert trace.mistakes == len(stream) == order * game.mistakes


@pytest.mark.parametrize("order", [1, 2, 8, 64])
def test_rows_of_a_hadamard_matrix_are_orthogonal_signs(order):
    matrix = adversaries.hadamard(order).astype(int)
    assert (matrix @ matrix.T == order * np.eye(order)).all()
    assert (matrix[:, 0] == 1).all()


# ------------------------------------------------- disjunctions, fixed and drifting


@given(
    st.integers(0, 5),
    st.integers(0, 3),
    st.sampled_from([Winnow, Perceptron, WinnowR, lambda n: Winnow(n, eliminate=True)]),
)
def test_blocks_force_k_log_n_over_k_mistakes_on_any_learner(log_block, log_k, kind):
    n, k = 2 ** (log_block + log_k), 2**log_k
    trace = duel(kind(n), adversaries.Blocks(n, k), rounds=1000)
    assert trace.mistakes == len(trace) == k * log_block
    assert_explained(trace.stream)
    assert trace.stream.target.sum() == k


@given(st.integers(1, 60), st.integers(1, 6), st.booleans(), st.booleans())
def test_disjunction_errs_in_every_round_for_the_factor_two(n, k, strict, eliminate):
    k = min(k, n)
    threshold = math.nextafter(n, math.inf) if strict else n
    learner = Winnow(n, threshold=threshold, eliminate=eliminate)
    trace = duel(learner, adversaries.Disjunction(n, k), rounds=500)
    assert trace.mistakes == len(trace) < 500
    assert_explained(trace.stream)


@settings(max_examples=25)
@given(
    st.sampled_from([adversaries.Floor, adversaries.Doubling, adversaries.Flip]),
    st.sampled_from([Winnow, WinnowR]),
    st.integers(3, 60),
    st.integers(1, 8),
)
def test_drifting_adversaries_explain_their_labels_and_err_in_every_round(
    kind, learner, n, times
):
    trace = duel(learner(n), kind(n, min(times, n - 1)), rounds=600)
    assert trace.mistakes == len(trace)
    assert trace.stream.drifts[0][0] == 0
    assert_explained(trace.stream)


def test_a_learner_that_has_played_before_may_be_dueled():
    learner = WinnowR(16)
    play(learner, streams.disjunction(16, 2, 30, seed=0))
    trace = duel(learner, adversaries.Floor(16, additions=3), rounds=500)
    assert trace.stream.drifts[0][0] == 0
    assert_explained(trace.stream)


def test_flip_with_many_victims_makes_winnow_pay_for_each_of_them():
    n, flips, found = 32, 30, {}
    for kind in (Winnow, WinnowR):
        trace = duel(kind(n), adversaries.Flip(n, flips, victims=n - 2), rounds=10_000)
        assert_explained(trace.stream)
        start = trace.stream.drifts[flips][0]
        found[kind] = int((trace.mistake_rounds >= start).sum())
    assert found[Winnow] >= (n - 2) * (flips - 1 + 5)
    assert found[WinnowR] == (n - 2) * (1 + 5)
