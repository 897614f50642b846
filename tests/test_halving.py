"""Consistent, halving and the optimal algorithm: every game of small classes."""

import copy
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olc
from olc import Consistent, Halving, StandardOptimal, Stream, halving, play

tables = st.tuples(st.integers(1, 7), st.integers(1, 4)).flatmap(
    lambda shape: hnp.arrays(np.int8, shape, elements=st.sampled_from([-1, 1]))
)
learners = st.sampled_from([Consistent, Halving, StandardOptimal])


def make(kind, table):
    return kind(table) if kind is StandardOptimal else kind(len(table))


def worst_case(learner, table):
    """Play all realizable games; return the largest number of mistakes."""
    points = np.unique(table, axis=1).T

    @cache
    def value(alive):
        player = copy.copy(learner)
        most = 0
        for x in points:
            player.alive = np.array(alive)
            guess = int(player.predict(x))
            for label in (-1, 1):
                left = np.array(alive) & (x == label)
                if left.any() and tuple(left) != alive:
                    most = max(most, (guess != label) + value(tuple(left)))
        return most

    return value((True,) * len(table))


def minimax(table):
    """The value of the game: no deterministic learner promises fewer mistakes."""
    hypotheses = frozenset(map(tuple, table.tolist()))

    @cache
    def value(version):
        best = 0
        for i in range(table.shape[1]):
            plus = frozenset(h for h in version if h[i] > 0)
            minus = version - plus
            if plus and minus:
                says_plus = max(value(plus), 1 + value(minus))
                says_minus = max(1 + value(plus), value(minus))
                best = max(best, min(says_plus, says_minus))
        return best

    return value(hypotheses)


def realizable(table, seed, rounds=12):
    """A stream of random points, labelled by a random hypothesis."""
    random = np.random.default_rng(seed)
    points = random.integers(0, table.shape[1], rounds)
    return Stream(table.T[points], table[random.integers(len(table)), points])


# ---------------------------------------------------------------------- theorems


@given(tables)
def test_consistent_errs_at_most_h_minus_1_times_in_every_game(table):
    most = worst_case(Consistent(len(table)), table)
    assert most <= halving.consistent_bound(len(table))


@given(tables)
def test_halving_errs_at_most_log2_h_times_in_every_game(table):
    most = worst_case(Halving(len(table)), table)
    assert most <= halving.mistake_bound(len(table)) == int(math.log2(len(table)))


@given(tables)
def test_optimal_algorithm_errs_exactly_ldim_times_in_the_worst_game(table):
    dimension = halving.littlestone_dimension(table)
    assert worst_case(StandardOptimal(table), table) == dimension == minimax(table)
    assert dimension <= halving.mistake_bound(len(np.unique(table, axis=0)))


@given(tables, learners, st.integers(0, 2**32 - 1))
def test_ledger_holds_on_random_streams(table, kind, seed):
    stream = realizable(table, seed)
    trace = play(make(kind, table), stream)
    ledger = halving.proof(trace)
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert (ledger.lower <= ledger.potential).all()
    assert (ledger.potential <= ledger.upper).all()
    assert (ledger.alive >= 1).all()


@pytest.mark.parametrize("kind", [Consistent, Halving, StandardOptimal])
def test_ledger_holds_in_a_duel_and_starts_where_the_learner_stood(kind):
    table = halving.disjunctions(4, 2, at_most=True)
    learner = make(kind, table)
    learner.update(table[:, 3], -1)
    trace = olc.duel(learner, Contrary(table), 20)
    ledger = halving.proof(trace)
    assert len(ledger) > 1
    assert (ledger.lower <= ledger.potential).all()
    assert (ledger.potential <= ledger.upper).all()
    assert ledger.potential.iloc[-1] == ledger.lower.iloc[-1]


def test_ledger_of_all_functions_halves_to_the_digit():
    table = halving.all_functions(3)
    stream = Stream(table.T, table[-1])
    ledger = halving.proof(play(Halving(8), stream))
    assert ledger.alive.tolist() == ledger.potential.tolist() == [4, 2, 1]
    assert ledger.upper.tolist() == [4, 2, 1]
    assert ledger.lower.tolist() == [1, 1, 1]


def test_ledger_of_singletons_counts_down_to_the_digit():
    table = halving.singletons(4)
    stream = Stream(table.T[:3], table[3, :3])
    ledger = halving.proof(play(Consistent(4), stream))
    assert ledger.potential.tolist() == ledger.upper.tolist() == [3, 2, 1]
    optimal = halving.proof(play(StandardOptimal(table), stream))
    # It never errs while three are left; the last two tie.
    assert optimal["round"].tolist() == [2]
    assert optimal.potential.tolist() == optimal.upper.tolist() == [0]


# ---------------------------------------------------------------- how tight they are


class Contrary:
    """Show a point on which the version space splits; deny the prediction."""

    target = None

    def __init__(self, table):
        self.points = table.T

    def __call__(self, learner):
        splits = [x for x in self.points if len(set(x[learner.alive])) == 2]
        if not splits:
            return None
        guess = int(learner.predict(splits[0]))
        return splits[0], -guess if guess else 1


@pytest.mark.parametrize("n", [8, 64, 1024])
def test_consistent_errs_n_minus_1_times_on_singletons(n):
    table = halving.singletons(n)
    stream = Stream(table.T[:-1], -np.ones(n - 1))
    assert play(Consistent(n), stream).mistakes == n - 1 == halving.consistent_bound(n)
    assert play(Halving(n), stream).mistakes <= 1


@pytest.mark.parametrize("points", [1, 3, 6])
def test_halving_errs_at_every_point_of_all_functions(points):
    table = halving.all_functions(points)
    trace = olc.duel(Halving(len(table)), Contrary(table), 100)
    assert trace.mistakes == points == halving.mistake_bound(len(table))


class HardestPoint:
    """Show the point whose lighter side has the largest dimension; deny."""

    target = None

    def __init__(self, table):
        self.table = table

    def __call__(self, learner):
        version = self.table[learner.alive]
        sides = [
            min(
                halving.littlestone_dimension(version[version[:, i] > 0]),
                halving.littlestone_dimension(version[version[:, i] < 0]),
            )
            for i in range(version.shape[1])
        ]
        if max(sides) < 0:
            return None
        x = self.table[:, int(np.argmax(sides))]
        guess = int(learner.predict(x))
        return x, -guess if guess else 1


@pytest.mark.parametrize(
    "table",
    [
        halving.singletons(5),
        halving.thresholds(9),
        halving.all_functions(3),
        halving.disjunctions(4, 2),
        halving.disjunctions(4, 2, at_most=True),
    ],
    ids=["singletons", "thresholds", "all functions", "2 of 4", "at most 2 of 4"],
)
def test_optimal_algorithm_is_forced_to_err_ldim_times(table):
    trace = olc.duel(StandardOptimal(table), HardestPoint(table), 50)
    assert trace.mistakes == halving.littlestone_dimension(table)


def forced_mistakes(table, mistakes):
    """Find examples on which halving errs so often, all of them mistakes."""

    def search(version, left):
        if not left:
            return []
        for i in range(table.shape[1]):
            votes = table[version, i].sum()
            label = -1 if votes > 0 else 1
            side = version & (table[:, i] == label)
            if side.sum() >= 2 ** (left - 1):
                rest = search(side, left - 1)
                if rest is not None:
                    return [(i, label), *rest]
        return None

    return search(np.ones(len(table), dtype=bool), mistakes)


def test_halving_is_not_optimal_on_disjunctions_of_3_of_6():
    table = halving.disjunctions(6, 3)
    moves = forced_mistakes(table, 4)
    stream = Stream(table.T[[i for i, _ in moves]], [label for _, label in moves])
    assert play(Halving(20), stream).mistakes == 4
    assert halving.littlestone_dimension(table) == 3
    assert play(StandardOptimal(table), stream).mistakes <= 3


# ------------------------------------------------------------ Littlestone dimension

# Rows: n = 2, 3, ...; columns: k = 1, 2, ...
EXACTLY = [
    [1, 0],
    [1, 1, 0],
    [2, 2, 1, 0],
    [2, 3, 2, 1, 0],
    [2, 3, 3, 2, 1, 0],
    [2, 4, 4, 3, 2, 1, 0],
    [3, 4, 5, 4, 3, 2, 1, 0],
]
AT_MOST = [
    [1, 2],
    [2, 2, 3],
    [2, 3, 3, 4],
    [2, 3, 4, 4, 5],
    [2, 4, 4, 5, 5, 6],
    [3, 4, 5, 5, 6, 6, 7],
    [3, 4, 5, 6, 6, 7, 7, 8],
]


@pytest.mark.parametrize("n", range(2, 9))
def test_ldim_of_disjunctions_of_exactly_k(n):
    found = [
        halving.littlestone_dimension(halving.disjunctions(n, k))
        for k in range(1, n + 1)
    ]
    assert found == EXACTLY[n - 2]
    # From n/2 on, elimination is the best: a mistake strikes out a variable.
    assert all(found[k - 1] == n - k for k in range(math.ceil(n / 2), n + 1))


@pytest.mark.parametrize("n", range(2, 9))
def test_ldim_of_disjunctions_of_at_most_k(n):
    found = [
        halving.littlestone_dimension(halving.disjunctions(n, k, at_most=True))
        for k in range(1, n + 1)
    ]
    assert found == AT_MOST[n - 2]


@pytest.mark.parametrize("n", range(2, 5))
def test_ldim_of_disjunctions_is_the_value_of_the_game(n):
    for k in range(1, n + 1):
        for at_most in (False, True):
            table = halving.disjunctions(n, k, at_most)
            assert halving.littlestone_dimension(table) == minimax(table)


@pytest.mark.parametrize("points", [1, 2, 4, 8, 16])
def test_ldim_of_singletons_is_1_and_of_thresholds_log2(points):
    singletons, thresholds = halving.singletons(points), halving.thresholds(points)
    assert halving.littlestone_dimension(singletons) == (points > 1)
    size = halving.mistake_bound(len(thresholds))
    assert (
        halving.littlestone_dimension(thresholds) == size == int(math.log2(points + 1))
    )


def test_ldim_of_all_functions_is_the_number_of_points():
    for points in (1, 2, 3, 4, 5):
        assert halving.littlestone_dimension(halving.all_functions(points)) == points


def test_ldim_of_no_hypothesis_is_minus_1_and_of_one_0():
    assert halving.littlestone_dimension(np.empty((0, 3))) == -1
    assert halving.littlestone_dimension([]) == -1
    assert halving.littlestone_dimension([[1, -1]]) == 0
    assert halving.littlestone_dimension([[1, -1], [1, -1]]) == 0


# --------------------------------------------------- what happens in right rounds


def test_halving_strikes_out_half_at_a_mistake_only():
    """The thresholds on 16 points, target 5: one set of notes says "each iteration"."""
    table = halving.thresholds(16)
    points = [15, 1, 14, 6, 4, 5]
    stream = Stream(table.T[points], table[5, points])
    learner, sizes = Halving(17), [17]
    trace = play(learner, stream)
    for step in trace.replay():
        sizes.append(int(step.learner.alive.sum()))
    assert sizes == [17, 16, 14, 13, 5, 2, 1]
    assert trace.rounds.tolist() == [3, 4, 5]  # the last one is a tie


@given(tables, st.integers(0, 2**32 - 1))
def test_halving_strikes_out_at_least_half_at_every_mistake(table, seed):
    stream = realizable(table, seed)
    trace = play(Halving(len(table)), stream)
    size = len(table)
    for step in trace.replay():
        left = int(step.learner.alive.sum())
        assert step.t not in trace.rounds or left <= size / 2
        size = left


@given(tables, learners, st.integers(0, 2**32 - 1))
def test_version_space_is_what_agrees_with_every_label(table, kind, seed):
    stream = realizable(table, seed)
    learner = make(kind, table)
    play(learner, stream)
    agree = (stream.y[:, None] == stream.X).all(axis=0)
    assert learner.weights.tolist() == agree.astype(float).tolist()


@given(tables, learners, st.integers(0, 2**32 - 1))
def test_block_of_points_is_predicted_as_one_by_one(table, kind, seed):
    learner = make(kind, table)
    play(learner, realizable(table, seed))
    together = learner.predict(table.T)
    assert together.tolist() == [int(learner.predict(x)) for x in table.T]
    assert together.dtype == np.int8


# ----------------------------------------------------------------- assumptions


@pytest.mark.parametrize("kind", [Consistent, Halving, StandardOptimal])
def test_refuses_a_stream_that_no_hypothesis_explains(kind):
    table = halving.singletons(3)
    learner = make(kind, table)
    stream = Stream(np.tile(table.T[0], (2, 1)), [1, -1])
    with pytest.raises(ValueError, match="not realizable by this class"):
        play(learner, stream)
    assert learner.alive.all()
    learner.update(table[:, 0], +1)
    with pytest.raises(ValueError, match="use WeightedMajority"):
        learner.update(table[:, 0], -1)
    assert learner.alive.tolist() == [True, False, False]


def test_optimal_algorithm_takes_the_points_of_its_class_only():
    # Elsewhere Ldim says nothing: on this "point" both sides would be wrong.
    learner = StandardOptimal(halving.singletons(4))
    for call in (learner.predict, lambda x: learner.update(x, 1)):
        with pytest.raises(ValueError, match="not a column of the table"):
            call([+1, +1, -1, -1])
    assert learner.alive.all()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Halving(0), ValueError, "^n must be at least 1"),
        (lambda: Halving(2).predict([0, 1]), ValueError, "map 0 to -1"),
        (lambda: StandardOptimal([1, -1]), ValueError, "one row per hypothesis"),
        (lambda: StandardOptimal([[0, 1]]), ValueError, "map 0 to -1"),
        (lambda: StandardOptimal(np.empty((0, 2))), ValueError, "shape"),
        (lambda: halving.littlestone_dimension([[2.0]]), ValueError, "-1 and"),
        (lambda: halving.mistake_bound(0), ValueError, "^size must be at least 1"),
        (lambda: halving.consistent_bound(1.5), TypeError, "whole number"),
        (lambda: halving.disjunctions(3, 4), ValueError, "^k = 4"),
        (lambda: halving.singletons(0), ValueError, "^points"),
        (lambda: halving.thresholds(0), ValueError, "^points"),
        (lambda: halving.all_functions(0), ValueError, "^points"),
    ],
)
def test_refuses(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_class_of_disjunctions_agrees_with_its_definition():
    table = halving.disjunctions(3, 2, at_most=True)
    subsets = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    for row, subset in zip(table, subsets, strict=True):
        for point, sign in enumerate(row):
            assert (sign == 1) == any(point >> i & 1 for i in subset)


@pytest.mark.parametrize(
    "make",
    [
        halving.singletons,
        halving.thresholds,
        halving.all_functions,
        lambda points: halving.disjunctions(points, 2),
    ],
)
def test_a_class_is_a_table_of_small_signs(make):
    table = make(3)
    assert table.dtype == np.int8
    assert set(np.unique(table)) == {-1, 1}
    assert len(np.unique(table, axis=0)) == len(table)


def test_disjunctions_are_told_apart_at_every_point_of_the_cube():
    assert halving.disjunctions(3, 2).shape[1] == 2**3


def test_a_hypothesis_that_stands_twice_counts_once():
    table = halving.singletons(3)
    twice = np.vstack([table, table])
    assert halving.littlestone_dimension(twice) == halving.littlestone_dimension(table)
    assert halving.littlestone_dimension(np.ones((4, 1), int)) == 0


def test_disjunctions_need_a_variable():
    with pytest.raises(ValueError, match=r"^n must"):
        halving.disjunctions(0, 1)


def test_consistent_bound_needs_a_hypothesis():
    with pytest.raises(ValueError, match=r"^size must"):
        halving.consistent_bound(0)
