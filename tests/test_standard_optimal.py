"""The optimal algorithm, Littlestone's dimension, and the trees behind it."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from helpers import tables
from hypothesis import given
from hypothesis import strategies as st
from worst_games import worst_case

import olc
from olc import Halving, StandardOptimal, halving, play, standard_optimal
from olc.standard_optimal import littlestone_dimension


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


# ------------------------------------------------------------ Littlestone dimension


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


# ------------------------------------------------------- the worst case of halving


def stands_alone(table):
    """Whether each hypothesis is alone with its answer at some point."""
    apart = (table[:, None, :] != table[None, :, :]).sum(axis=1) == len(table) - 1
    return bool(apart.any(axis=1).all())


@given(tables)
def test_halving_errs_no_more_than_its_recursion_says(table):
    bound = standard_optimal.halving_bound(table)
    worst = worst_case(Halving(len(table)), table)
    assert littlestone_dimension(table) <= bound
    assert worst <= bound <= halving.mistake_bound(len(table))
    if stands_alone(table):
        assert worst == bound


@given(tables)
def test_recursion_is_exact_where_each_hypothesis_stands_alone(table):
    table = np.unique(table, axis=0)
    table = np.hstack([table, halving.singletons(len(table))])
    bound = standard_optimal.halving_bound(table)
    stream = standard_optimal.halving_stream(table)
    assert play(Halving(len(table)), stream).mistakes == bound
    assert worst_case(Halving(len(table)), table) == bound


# ------------------------------------------------------------- labels of any kind


@given(tables, st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_every_hypothesis_speaks_through_an_expert(table, asked):
    asked = [i % table.shape[1] for i in asked]
    voices = set(map(tuple, standard_optimal.experts(table, asked).T.tolist()))
    assert voices == set(map(tuple, table[:, asked].tolist()))


@given(tables, st.lists(st.integers(0, 3), min_size=4, max_size=8), st.data())
def test_regret_on_any_labels_is_bounded_by_the_dimension(table, asked, data):
    asked = [i % table.shape[1] for i in asked]
    rounds, signs = len(asked), st.sampled_from([-1, 1])
    labels = data.draw(st.lists(signs, min_size=rounds, max_size=rounds))
    dimension = littlestone_dimension(table)
    if dimension == 0:
        return
    votes = standard_optimal.experts(table, asked)
    sets = sum(math.comb(rounds, i) for i in range(dimension + 1))
    assert votes.shape[1] == sets
    rate = standard_optimal.agnostic_rate(dimension, rounds)
    learner = olc.RandomizedWeightedMajority(votes.shape[1], eta=rate)
    expected = play(learner, votes, labels).expected_mistakes
    best = (table[:, asked] != labels).sum(axis=1).min()
    bound = standard_optimal.agnostic_bound(dimension, rounds)
    assert expected <= best + bound + 1e-9


def test_agnostic_bound_to_the_digit():
    bound = standard_optimal.agnostic_bound
    assert round(bound(1, 400), 1) == 34.6
    assert round(bound(1, 2000), 1) == 87.2
    # and never more than √(½ d T ln(eT/d))
    for d, rounds in itertools.product(range(1, 6), (5, 20, 1000)):
        loose = math.sqrt(d * rounds / 2 * math.log(math.e * rounds / d))
        assert bound(d, rounds) <= loose


# ----------------------------------------------------------------- assumptions


def test_optimal_algorithm_takes_the_points_of_its_class_only():
    # Elsewhere Ldim says nothing: on this "point" both sides would be wrong.
    learner = StandardOptimal(halving.singletons(4))
    for call in (learner.predict, lambda x: learner.learn(x, 1)):
        with pytest.raises(ValueError, match="not a column of the table"):
            call([+1, +1, -1, -1])
    assert learner.alive.all()
