"""The optimal algorithm, Littlestone's dimension, and the trees behind it."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from worst_games import worst_case

import olc
from olc import Halving, StandardOptimal, Stream, halving, play, standard_optimal
from olc.standard_optimal import littlestone_dimension

tables = st.tuples(st.integers(1, 7), st.integers(1, 4)).flatmap(
    lambda shape: hnp.arrays(np.int8, shape, elements=st.sampled_from([-1, 1]))
)


def minimax(table):
    """The value of the game: no deterministic learner has a smaller bound."""
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


# ---------------------------------------------------------------------- theorems


@given(tables)
def test_optimal_algorithm_errs_exactly_ldim_times_in_the_worst_game(table):
    dimension = littlestone_dimension(table)
    assert worst_case(StandardOptimal(table), table) == dimension == minimax(table)
    assert dimension <= halving.mistake_bound(len(np.unique(table, axis=0)))


def test_ledger_of_singletons_to_the_digit():
    table = halving.singletons(4)
    stream = Stream(table.T[:3], table[3, :3])
    ledger = standard_optimal.proof(play(StandardOptimal(table), stream))
    # It never errs while three are left; the last two tie.
    assert ledger["round"].tolist() == [2]
    assert ledger.potential.tolist() == ledger.upper.tolist() == [0]


@pytest.mark.parametrize(
    "table",
    [
        halving.singletons(5),
        halving.thresholds(9),
        halving.all_functions(3),
        halving.disjunctions(4, 2, at_most=True),
    ],
    ids=["singletons", "thresholds", "all functions", "at most 2 of 4"],
)
def test_optimal_algorithm_is_forced_to_err_ldim_times(table):
    adversary = olc.adversaries.Contrary(table, worth=littlestone_dimension)
    trace = olc.duel(StandardOptimal(table), adversary, 50)
    assert trace.mistakes == littlestone_dimension(table)


def test_halving_is_not_optimal_on_disjunctions_of_3_of_6():
    table = halving.disjunctions(6, 3)
    trace = olc.duel(Halving(20), olc.adversaries.Contrary(table), 20)
    assert trace.mistakes == 4
    assert littlestone_dimension(table) == 3
    assert play(StandardOptimal(table), trace.stream).mistakes <= 3


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
def test_ldim_of_disjunctions(n):
    exactly, at_most = (
        [
            littlestone_dimension(halving.disjunctions(n, k, wide))
            for k in range(1, n + 1)
        ]
        for wide in (False, True)
    )
    assert (exactly, at_most) == (EXACTLY[n - 2], AT_MOST[n - 2])
    # From n/2 on, elimination is the best: a mistake strikes out a variable.
    assert all(exactly[k - 1] == n - k for k in range(math.ceil(n / 2), n + 1))


def test_ldim_of_disjunctions_is_the_value_of_the_game():
    for n in range(2, 5):
        for k, at_most in itertools.product(range(1, n + 1), (False, True)):
            table = halving.disjunctions(n, k, at_most)
            assert littlestone_dimension(table) == minimax(table)


def test_ldim_of_the_classes_of_the_chapter():
    for points in (1, 2, 4, 8, 16):
        singletons, thresholds = halving.singletons(points), halving.thresholds(points)
        assert littlestone_dimension(singletons) == (points > 1)
        assert littlestone_dimension(thresholds) == int(math.log2(points + 1))
    for points in range(1, 6):
        assert littlestone_dimension(halving.all_functions(points)) == points


def test_ldim_of_no_hypothesis_is_minus_1_and_one_that_stands_twice_counts_once():
    assert littlestone_dimension(np.empty((0, 3))) == littlestone_dimension([]) == -1
    assert littlestone_dimension([[1, -1]]) == 0
    assert littlestone_dimension([[1, -1], [1, -1]]) == 0
    table = halving.singletons(3)
    assert littlestone_dimension(np.vstack([table, table])) == 1


# -------------------------------------------------------------- mistake trees


def leaves(table, tree, version):
    """Walk down a mistake tree; every leaf must agree with the labels on the way."""
    if isinstance(tree, int):
        assert version[tree]
        return [tree]
    point, left, right = tree
    minus = leaves(table, left, version & (table[:, point] < 0))
    return minus + leaves(table, right, version & (table[:, point] > 0))


@given(tables)
def test_mistake_tree_is_complete_and_as_deep_as_ldim(table):
    tree = standard_optimal.mistake_tree(table)
    found = leaves(table, tree, np.ones(len(table), dtype=bool))
    assert len(set(found)) == 2 ** littlestone_dimension(table)
    assert len(set(found)) == len(found)


# ----------------------------------------------------------------- assumptions


def test_optimal_algorithm_takes_the_points_of_its_class_only():
    # Elsewhere Ldim says nothing: on this "point" both sides would be wrong.
    learner = StandardOptimal(halving.singletons(4))
    for call in (learner.predict, lambda x: learner.learn(x, 1)):
        with pytest.raises(ValueError, match="not a column of the table"):
            call([+1, +1, -1, -1])
    assert learner.alive.all()


def test_parameters_are_the_table_alone():
    learner = StandardOptimal(halving.singletons(3))
    assert list(learner.get_params()) == ["table"]
    assert learner.n == 3
    assert repr(StandardOptimal([[1, -1]])).startswith("StandardOptimal(table=")
