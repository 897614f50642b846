"""Adversaries: what they force, and that a target explains all that they say."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import olc
from olc import (
    BalancedWinnow,
    MarginPerceptron,
    NormalizedWinnow,
    Perceptron,
    PNormPerceptron,
    RandomizedWeightedMajority,
    ThresholdMarginWinnow,
    WeightedMajority,
    Winnow,
    WinnowR,
    adversaries,
    duel,
    halving,
    p_norm,
    perceptron,
    play,
    streams,
    winnow,
    winnow_r,
)
from olc.standard_optimal import littlestone_dimension
from olc.world.adversaries import Contrary


def reaches(X, u):
    """The labels of a disjunction."""
    return np.where(np.asarray(X) @ (np.asarray(u) > 0) >= 1, 1, -1)


# -------------------------------------------------------------------- experts


@pytest.mark.parametrize("points", [3, 7, 15])
def test_contrary_forces_the_bounds_of_both_learners_on_thresholds(points):
    table, size = halving.thresholds(points), points + 1
    bounds = {
        olc.Consistent: halving.consistent_bound(size),
        olc.Halving: halving.mistake_bound(size),
    }
    for kind, bound in bounds.items():
        trace = olc.duel(kind(size), Contrary(table), rounds=100)
        assert trace.mistakes == len(trace) == bound


@pytest.mark.parametrize(
    "learner", [olc.Halving(10), olc.Perceptron(10), olc.WeightedMajority(10, eta=0.5)]
)
def test_contrary_forces_the_dimension_on_any_learner_and_tells_no_lie(learner):
    table = halving.disjunctions(5, k=2)
    adversary = Contrary(table, worth=littlestone_dimension)
    trace = olc.duel(learner, adversary, rounds=100)
    assert trace.mistakes >= littlestone_dimension(table)
    assert adversary.target.sum() == 1
    assert (trace.stream.X @ adversary.target == trace.stream.y).all()


@given(st.integers(1, 30), st.sampled_from([0.1, 0.5, 0.9]))
def test_split_makes_every_round_a_mistake_with_little_more_than_half_wrong(n, eta):
    trace = duel(WeightedMajority(n, eta=eta), adversaries.Split(), rounds=60)
    assert trace.mistakes == 60
    for step in trace.replay():
        wrong = step.x != step.y
        before = (1 - eta) ** (step.learner.losses - wrong).astype(float)
        share = before[wrong].sum() / before.sum()
        assert share >= 0.5 - 1e-12
        if before.max() <= before.sum() / 2:
            assert share <= 0.5 + before.max() / before.sum() / 2 + 1e-12


def test_split_makes_two_experts_err_in_turn():
    trace = duel(WeightedMajority(2, eta=0.3), adversaries.Split(), rounds=100)
    assert (
        trace.mistakes == 100 == 2 * olc.weighted_majority.best_expert(trace.stream)[1]
    )


@given(st.integers(2, 9), st.integers(0, 6))
def test_one_by_one_lets_the_others_err_in_turn(n, best):
    learner = RandomizedWeightedMajority(n, eta=0.5)
    trace = duel(learner, adversaries.OneByOne(best), rounds=1000)
    wrong = np.append(np.zeros(best, int), 1 + np.arange(len(trace) - best) % (n - 1))
    assert (trace.stream.X.argmin(axis=1) == wrong).all()
    assert (trace.stream.X.sum(axis=1) == n - 2).all()
    shares = learner.weights / learner.weights.sum()
    assert shares[1:].sum() < 1e-6


@given(st.integers(0, 6), st.sampled_from([0.1, 1.0, 3.0, None]))
def test_literals_force_log_2n_mistakes_on_any_learner(log, eta):
    n = 2**log
    learner = Perceptron(n) if eta is None else BalancedWinnow(n, eta=eta)
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
    gaps = np.diff(trace.rounds, prepend=-1) - 1
    assert (gaps == wait - 1).all()
    assert len(stream) - 1 - trace.rounds[-1] == wait
    assert len(stream) == (game.mistakes + 1) * wait
    assert game.stream.target.sum() == 1
    assert (stream.X @ game.stream.target == stream.y).all()  # one is always right


# M/(N k) that the Perceptron was observed to reach for N = 8, 16, …, 1024; the
# adversary does no worse.
PANEL = {
    1: [1.0, 0.875, 1.0, 0.969, 0.984, 0.984, 0.992, 0.994],
    3: [0.833, 0.917, 0.938, 0.958, 0.974, 0.982, 0.988, 0.992],
    5: [0.7, 0.875, 0.925, 0.944, 0.969, 0.978, 0.985, 0.989],
}


@pytest.mark.parametrize("k", PANEL)
def test_panel_forces_nearly_nk_mistakes_on_the_perceptron(k):
    for log, ratio in enumerate(PANEL[k], start=3):
        n = 2**log
        trace = duel(Perceptron(n), adversaries.Panel(n, k), rounds=2 * n * k)
        assert len(trace) == trace.mistakes <= perceptron.panel_bound(n, k)
        assert trace.mistakes >= round(ratio * n * k)
        assert (trace.stream.X @ trace.stream.target == trace.stream.y).all()


@pytest.mark.parametrize(("n", "k"), [(8, 1), (64, 1), (64, 3), (32, 5), (256, 5)])
def test_panel_attains_nk_exactly(n, k):
    trace = duel(Perceptron(n), adversaries.Panel(n, k), rounds=2 * n * k)
    assert trace.mistakes == n * k == perceptron.panel_bound(n, k)
    ledger = perceptron.proof(trace)
    assert (ledger.cross == 0).all()  # every score was 0
    assert ledger.potential.iloc[-1] == pytest.approx(ledger.upper.iloc[-1])
    assert ledger.potential.iloc[-1] == pytest.approx(ledger.lower.iloc[-1])


@settings(max_examples=15)
@given(
    st.integers(1, 24),
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["Perceptron", "NormalizedWinnow", "BalancedWinnow"]),
    st.integers(0, 5),
)
def test_panel_always_errs_with_the_least_margin(n, k, name, seed):
    k = min(k, n - 1 + n % 2) or 1
    learner = {
        "Perceptron": Perceptron,
        "NormalizedWinnow": lambda n: NormalizedWinnow(n, eta=0.3),
        "BalancedWinnow": lambda n: BalancedWinnow(n, eta=0.3),
    }[name](n)
    adversary = adversaries.Panel(n, k, seed)
    trace = duel(learner, adversary, rounds=60)
    stream = trace.stream
    assert trace.mistakes == len(trace)
    assert set(np.unique(stream.X)) <= {-1, 1}
    assert (stream.y * (stream.X @ stream.target) == 1).all()
    if len(trace) < 60:  # it gave up because no example of least margin errs
        x = np.where(learner.weights > 0, -1.0, 1.0)
        heaviest = np.argsort(-learner.weights[:k])
        x[:k] = 1
        x[heaviest[: k // 2]] = -1
        assert learner.score(x) > 0


# Mistakes of the p-norm Perceptron that were observed; the adversary forces more.
P_NORM = {
    (1024, 3): {2: 3058, 2.5: 951, 3: 473, 4: 246, 6: 153, 8: 126, 10: 129, 13.9: 135}
    | {20: 180, 30: 252},
    (1024, 5): {10: 305},
    (64, 3): {2: 188, 4: 70, 6: 84},
}


@pytest.mark.parametrize(("n", "k"), P_NORM)
def test_panel_forces_most_of_the_bound_on_the_p_norm_perceptron(n, k):
    for p, observed in P_NORM[n, k].items():
        adversary = adversaries.Panel(n, k, tries=16 if p == 2 else 1)
        trace = duel(PNormPerceptron(n, p=p), adversary, rounds=4000)
        bound = p_norm.panel_bound(n, k, p)
        assert trace.mistakes == len(trace)
        assert observed - 1 <= trace.mistakes <= bound
        assert (trace.stream.y * (trace.stream.X @ trace.stream.target) == 1).all()
        if n == 1024:
            assert trace.mistakes > 0.8 * bound


def test_panel_with_more_tries_comes_no_less_close():
    few, many = (
        duel(Perceptron(16), adversaries.Panel(16, 3, tries=tries), 100).mistakes
        for tries in (1, 16)
    )
    assert few <= many <= 48


def test_split_says_whom_it_plays_against():
    for other in (Perceptron(4), RandomizedWeightedMajority(4, eta=0.5), Winnow(4)):
        with pytest.raises(TypeError, match=r"Split plays against .*not against"):
            duel(other, adversaries.Split(), rounds=3)
        assert other.rounds == 0


def test_panel_takes_odd_panels_only():
    with pytest.raises(ValueError, match="k = 4 is even"):
        adversaries.Panel(8, 4)
    with pytest.raises(ValueError, match="k = 9"):
        adversaries.Panel(8, 9)


# ----------------------------------------------------------------- halfspaces


@pytest.mark.parametrize(
    ("margin", "mistakes", "bound"),
    [(0.1, 100, 100), (0.05, 399, 400), (0.02, 2499, 2500)],
)
def test_minimal_margin_reaches_the_bound_in_three_dimensions(margin, mistakes, bound):
    trace = duel(Perceptron(3), adversaries.MinimalMargin(margin), rounds=3 * bound)
    assert trace.mistakes == len(trace) == mistakes
    assert round(1 / margin**2) == bound
    assert_thin(trace.stream, margin)


def assert_thin(stream, margin):
    """All points have length 1 and this margin, for the first unit vector."""
    assert (stream.y == 1).all()
    np.testing.assert_allclose((stream.X**2).sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_allclose(stream.X[:, 0], margin, rtol=1e-9)


@pytest.mark.parametrize("start", [1, 2, 5])
def test_minimal_margin_makes_the_perceptron_pay_for_a_start_behind(start):
    learner = Perceptron(3)
    learner.state = np.array([-start, 0.0, 0.0])
    trace = duel(learner, adversaries.MinimalMargin(0.1), rounds=1000)
    assert_thin(trace.stream, 0.1)
    bound = perceptron.mistake_bound(1, 0.1, start=start)
    assert bound == pytest.approx(100 + 20 * start)
    assert bound - 1.01 < trace.mistakes == len(trace) <= bound


@pytest.mark.parametrize("thickness", [0.5, 2, 5])
def test_minimal_margin_is_as_thin_for_the_margin_perceptron(thickness):
    learner = MarginPerceptron(3, thickness=thickness)
    trace = duel(learner, adversaries.MinimalMargin(0.1, thickness), rounds=2000)
    assert_thin(trace.stream, 0.1)
    bound = (1 + 2 * thickness) / 0.1**2
    assert 0.99 * bound < len(trace.updates) == len(trace) <= bound


def test_minimal_margin_starts_only_where_it_can_force_a_mistake():
    adversary, ahead = adversaries.MinimalMargin(0.5), Perceptron(3)
    assert adversary(ahead)[0][0] == 0.5
    ahead.state = np.array([1.0, 0.0, 0.0])
    assert adversary(ahead) is None
    with pytest.raises(ValueError, match="margin must lie"):
        adversaries.MinimalMargin(1)


def test_worst_order_of_a_pool_is_worse_than_a_chance_order():
    for seed in range(3):
        pool = streams.separable(6, 0.05, 400, seed)
        worst = duel(Perceptron(6), adversaries.WorstOrder(pool), rounds=5000)
        epochs = perceptron.batch(pool)
        assert epochs.updates < worst.mistakes == len(worst)
        assert worst.mistakes <= perceptron.mistake_bound(pool.radius, pool.margin)
        rows = {tuple(x) for x in pool.X}
        assert all(tuple(x) in rows for x in worst.stream.X)


@pytest.mark.parametrize("scale", [0.25, 0.5, 2, 4])  # powers of two round nothing
def test_worst_order_does_not_depend_on_the_scale_of_the_pool(scale):
    pool = streams.separable(10, 0.1, 500, seed=0)
    scaled = olc.Stream(scale * pool.X, pool.y, pool.target)
    one, other = (
        duel(Perceptron(10), adversaries.WorstOrder(points), rounds=1000)
        for points in (pool, scaled)
    )
    assert (scale * one.stream.X == other.stream.X).all()
    assert one.mistakes == other.mistakes


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
    adversary = adversaries.Cycle(n, k)
    learner = Perceptron(n + 1)
    trace = duel(learner, adversary, rounds=10_000)
    assert trace.mistakes == 2 * k * (n - k + 2) + 1
    assert (np.sign(trace.stream.X @ trace.stream.target) == trace.stream.y).all()
    assert (learner.predict(trace.stream.X) == trace.stream.y).all()
    assert len(np.unique(trace.stream.X, axis=0)) == k + 1


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


@pytest.mark.parametrize(
    ("n", "k", "mistakes"), [(64, 1, 224), (64, 3, 586), (64, 5, 923), (256, 3, 2601)]
)
def test_lengthen_forces_half_as_many_again_as_a_cycle(n, k, mistakes):
    learner = Perceptron(n + 1)
    trace = duel(learner, adversaries.Lengthen(n, k), rounds=5000)
    assert trace.mistakes == mistakes > 1.5 * (2 * k * (n - k + 2) + 1)
    assert mistakes > 0.67 * perceptron.disjunction_bound(n, k)
    assert 0 < -learner.weights[n] < 0.15 * learner.weights[0]  # a small bias


@pytest.mark.parametrize(("n", "k", "order"), [(8, 3, 1), (8, 3, 4), (16, 5, 8)])
def test_copies_in_orthogonal_blocks_multiply_the_mistakes(n, k, order):
    game = duel(Perceptron(n), adversaries.Panel(n, k), rounds=200)
    copied = adversaries.copies(game.stream, order)
    assert copied.X.dtype == np.int8
    assert copied.margin * k == pytest.approx(math.sqrt(k))  # a panel of k, as before
    assert set(np.unique(copied.X)) == {-1, 1}
    trace = play(Perceptron(order * n), copied)
    assert trace.mistakes == len(copied) == order * game.mistakes
    bare = olc.Stream(0.5 * game.stream.X, game.stream.y)
    assert adversaries.copies(bare, order).target is None
    assert play(Perceptron(order * n), adversaries.copies(bare, order)).mistakes == len(
        copied
    )


@pytest.mark.parametrize("order", [1, 2, 8, 64])
def test_rows_of_a_hadamard_matrix_are_orthogonal_signs(order):
    matrix = adversaries.hadamard(order).astype(int)
    assert (matrix @ matrix.T == order * np.eye(order)).all()
    assert (matrix[:, 0] == 1).all()


def test_worst_order_of_a_sparse_pool_is_that_of_the_dense_one():
    pool = streams.disjunction(6, 2, 40, seed=0)
    sparse = olc.Stream(csr_matrix(pool.X), pool.y, pool.target)
    one, other = (
        duel(Perceptron(6), adversaries.WorstOrder(points), rounds=20)
        for points in (pool, sparse)
    )
    assert (one.stream.X == other.stream.X).all()


def test_cycle_of_1024_variables_has_the_known_figures():
    trace = duel(Perceptron(1025), adversaries.Cycle(1024, 1), rounds=10_000)
    assert trace.mistakes == 2051
    found = []
    for k in (1, 3, 5):
        trace = duel(
            Winnow(1024), adversaries.Cycle(1024, k, bias=False), rounds=10_000
        )
        assert (reaches(trace.stream.X, trace.stream.target) == trace.stream.y).all()
        found.append(trace.mistakes)
    assert found == [0, 12, 30]


# --------------------------------------------------------------- disjunctions

ABOVE = math.nextafter(1024, math.inf)  # +1 only above 1024


@given(
    st.integers(0, 5),
    st.integers(0, 3),
    st.sampled_from([Winnow, Perceptron, WinnowR, lambda n: Winnow(n, eliminate=True)]),
)
def test_blocks_force_k_log_n_over_k_mistakes_on_any_learner(log_block, log_k, kind):
    n, k = 2 ** (log_block + log_k), 2**log_k
    trace = duel(kind(n), adversaries.Blocks(n, k), rounds=1000)
    assert trace.mistakes == len(trace) == k * log_block
    if len(trace):
        assert (reaches(trace.stream.X, trace.stream.target) == trace.stream.y).all()
        assert trace.stream.target.sum() == k


@pytest.mark.parametrize(
    ("log", "k", "mistakes"), [(10, 1, 28), (10, 3, 84), (10, 5, 140), (11, 5, 155)]
)
def test_disjunction_attains_the_bound_of_winnow(log, k, mistakes):
    n = 2**log
    trace = duel(Winnow(n), adversaries.Disjunction(n, k), rounds=1000)
    assert trace.mistakes == len(trace) == mistakes
    assert mistakes == winnow.mistake_bound(n, k) == 3 * k * log - 2 * k
    assert (reaches(trace.stream.X, trace.stream.target) == trace.stream.y).all()


@pytest.mark.parametrize("n", [500, 1000])
def test_disjunction_attains_the_bound_exactly_where_n_is_no_power_of_two(n):
    for k in (1, 3, 5):
        trace = duel(Winnow(n), adversaries.Disjunction(n, k), rounds=1000)
        assert trace.mistakes == winnow.mistake_bound(n, k)


@pytest.mark.parametrize(
    ("options", "missing"), [({"threshold": ABOVE}, 1), ({"eliminate": True}, 0)]
)
def test_disjunction_is_as_tight_for_the_other_rules(options, missing):
    for k in (1, 3):
        learner = Winnow(1024, **options)
        trace = duel(learner, adversaries.Disjunction(1024, k), rounds=1000)
        assert trace.mistakes == winnow.mistake_bound(1024, k, **options) - missing


@pytest.mark.parametrize("thickness", [64, 256, 768])
def test_disjunction_aims_at_both_thresholds(thickness):
    learner = ThresholdMarginWinnow(1024, thickness=thickness)
    trace = duel(learner, adversaries.Disjunction(1024, 3), rounds=1000)
    assert len(trace.updates) == len(trace)
    assert (reaches(trace.stream.X, np.arange(1024) < 3) == trace.stream.y).all()


@given(st.integers(1, 60), st.integers(1, 6), st.booleans(), st.booleans())
def test_disjunction_errs_in_every_round_for_the_factor_two(n, k, strict, eliminate):
    k = min(k, n)
    threshold = math.nextafter(n, math.inf) if strict else n
    learner = Winnow(n, threshold=threshold, eliminate=eliminate)
    trace = duel(learner, adversaries.Disjunction(n, k), rounds=500)
    assert trace.mistakes == len(trace) < 500
    if len(trace):
        assert (reaches(trace.stream.X, trace.stream.target) == trace.stream.y).all()


# ----------------------------------------------------------- drifting targets


def assert_explained(stream):
    """Every label is that of the target which stood when it was given."""
    starts = [start for start, _ in stream.drifts] + [len(stream)]
    for (start, u), stop in zip(stream.drifts, starts[1:], strict=True):
        assert (reaches(stream.X[start:stop], u) == stream.y[start:stop]).all()


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


@pytest.mark.parametrize(
    ("flips", "plain"), [(5, 14), (20, 29), (100, 109), (300, 309)]
)
def test_flip_makes_winnow_pay_for_every_flip_and_winnow_r_for_none(flips, plain):
    found = []
    for kind in (Winnow, WinnowR):
        trace = duel(kind(1024), adversaries.Flip(1024, flips), rounds=5000)
        found.append(winnow_r.late_mistakes(trace))
        assert trace.stream.additions == flips + 1
    assert found == [plain, 11]
    assert plain == flips - 1 + math.log2(1024)


@pytest.mark.parametrize(("n", "flips"), [(64, 20), (32, 30)])
def test_flip_with_many_victims_makes_winnow_pay_for_each_of_them(n, flips):
    found = {}
    for kind in (Winnow, WinnowR):
        trace = duel(kind(n), adversaries.Flip(n, flips, victims=n - 2), rounds=10_000)
        assert_explained(trace.stream)
        start = trace.stream.drifts[flips][0]
        found[kind] = int((trace.rounds >= start).sum())
    log = int(math.log2(n))
    assert found[Winnow] >= (n - 2) * (flips - 1 + log)
    assert found[WinnowR] == (n - 2) * (1 + log)


@pytest.mark.parametrize(("kind", "mistakes"), [(Winnow, 1283), (WinnowR, 95)])
def test_doubling_has_the_known_figures(kind, mistakes):
    trace = duel(kind(64), adversaries.Doubling(64, 8), rounds=10_000)
    assert trace.mistakes == mistakes
    assert_explained(trace.stream)


@pytest.mark.parametrize(("additions", "mistakes"), [(1, 46), (5, 255), (20, 1029)])
def test_floor_forces_most_of_the_bound_on_winnow_r(additions, mistakes):
    trace = duel(WinnowR(1024), adversaries.Floor(1024, additions), rounds=2000)
    assert trace.mistakes == len(trace) == mistakes
    assert trace.stream.additions == additions
    bound = winnow_r.sharp_bound(1024, additions)
    assert 0.85 < mistakes / bound < 0.96
    assert mistakes >= {1: 34, 5: 201, 20: 830}[additions]
    assert_explained(trace.stream)


def test_an_addition_more_costs_winnow_r_nearly_all_that_the_sharp_bound_allows():
    few, more = (
        duel(WinnowR(4096), adversaries.Floor(4096, additions), rounds=1000).mistakes
        for additions in (2, 3)
    )
    assert 5 * 12 + 4 - 1 <= more - few <= 5 * 12 + 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: adversaries.Literals(0), "n must be at least 1"),
        (lambda: adversaries.stalled(streams.xor(), 0), "wait must be at least 1"),
        (lambda: adversaries.OneByOne(-1), "best must be at least 0"),
        (lambda: adversaries.Flip(2, 1), "n must be at least 3"),
        (lambda: adversaries.Flip(8, 0), "flips must be at least 1"),
        (lambda: adversaries.Flip(8, 1, victims=7), "at most n - 2 = 6"),
        (lambda: adversaries.Doubling(8, 8), "must be below n = 8"),
        (lambda: adversaries.Floor(8, 0), "additions must be at least 1"),
        (lambda: adversaries.Disjunction(8, 9), "k = 9"),
        (lambda: adversaries.Blocks(8, 0), "k must be at least 1"),
        (lambda: adversaries.Cycle(3, 4), "k = 4"),
        (lambda: adversaries.Lengthen(3, 4), "k = 4"),
        (lambda: adversaries.plane(0), "q must be at least 1"),
        (lambda: adversaries.hadamard(6), "order = 6 is no power of two"),
        (lambda: adversaries.Panel(8, 3, tries=0), "tries must be at least 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "take", [adversaries.WorstOrder, lambda stream: adversaries.copies(stream, 2)]
)
def test_what_is_no_stream_is_refused(take):
    with pytest.raises(TypeError, match="give a Stream"):
        take([[1.0, 2.0]])
