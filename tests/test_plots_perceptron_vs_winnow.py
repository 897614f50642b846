"""The figures of the chapter `perceptron_vs_winnow` say what the package computes."""

import math

import numpy as np
import pytest

from olc import adversaries, normalized_winnow, streams
from olc.game import duel, play
from olc.perceptron import Perceptron
from olc.plots import perceptron_vs_winnow as draw


def test_the_race_counts_the_mistakes_of_both_learners():
    stream = streams.panel(32, k=3, rounds=200, seed=0)
    alt = draw.race(stream, k=3).alt
    learner = normalized_winnow.NormalizedWinnow(32, eta=1 / 3)
    assert f"errs {play(Perceptron(32), stream).mistakes} times" in alt
    assert f"errs {play(learner, stream).mistakes} times" in alt


@pytest.mark.parametrize(("k", "n"), [(3, 17.0), (5, 35.8)])
def test_the_bounds_cross_where_the_notes_bounds_are_equal(k, n):
    crossing = draw.crossover(k)
    assert round(crossing, 1) == n
    assert crossing * k == pytest.approx(2 * k**2 * math.log(crossing))


def test_the_bounds_never_cross_for_a_single_expert():
    assert draw.crossover(1) is None


def test_the_sharp_bound_is_below_nk_for_every_panel():
    for n in range(1, 60):
        for k in range(1, n + 1):
            assert 2 * k**2 * math.log(n / k) <= 2 / math.e * n * k + 1e-9


def test_opinions_are_plus_or_minus_one_whatever_the_size():
    X = draw.opinions(7, 5, np.random.default_rng(0))
    assert X.shape == (5, 7)
    assert set(np.unique(X)) == {-1, 1}


def test_the_rows_of_a_hadamard_matrix_are_orthogonal():
    matrix = draw.hadamard(8).astype(int)
    assert (matrix @ matrix.T == 8 * np.eye(8)).all()
    assert (matrix[:, 0] == 1).all()


def test_orthogonal_copies_multiply_the_mistakes():
    single = duel(Perceptron(8), adversaries.Panel(8, 3), 1000).mistakes
    assert draw.worst_perceptron(32, 3, base=8) == 4 * single


def test_what_does_not_fill_a_block_of_copies_is_left_at_zero():
    assert draw.worst_perceptron(33, 3, base=8) == draw.worst_perceptron(32, 3, base=8)


def test_long_random_games_have_fewer_seeds():
    assert [draw.seeds_for(n) for n in (8, 512, 1024, 4096)] == [6, 4, 3, 2]


def test_nothing_measured_exceeds_its_bound():
    figure = draw.headline([8, 16], [1, 3])
    table = figure.table
    for how in ("adversary", "most"):
        assert (table[f"Perceptron: {how}"] <= table["Perceptron: Nk"]).all()
        assert (table[f"Winnow: {how}"] <= table["Winnow: sharp"] + 0.05).all()
    assert "cross at N = 17.0" in figure.alt


def test_the_short_table_shows_the_chosen_sizes_without_spread():
    table = draw.some_numbers([8, 16], [1, 3], shown=[16])
    assert table.index.tolist() == [(1, 16), (3, 16)]
    assert "least" not in table.columns.get_level_values(1)
    assert table.loc[(3, 16), ("Perceptron", "Nk")] == 48


def test_the_explorer_names_the_winner_of_each_comparison():
    alt = draw.who_wins(8, 5).alt
    assert "by the bounds the Perceptron" in alt
    assert "by the sharp bound Winnow" in alt


def test_sparse_examples_have_so_many_active_features_and_a_dense_target():
    stream = draw.sparse_examples(20, active=5, rounds=30, seed=0)
    assert (np.abs(stream.X).sum(axis=1) == 5).all()
    assert (np.abs(stream.target) == 1).all()


def test_both_bounds_of_a_panel_are_nk_and_a_logarithm():
    bounds = draw.both_bounds(streams.panel(16, k=3, rounds=200, seed=0))
    assert bounds["additive bound"] == pytest.approx(48)
    assert bounds["multiplicative bound"] == pytest.approx(18 * math.log(32))


def test_a_tiny_rate_makes_balanced_winnow_err_about_as_often_as_the_perceptron():
    games = {"dense target": [draw.sparse_examples(16, 3, 200, seed=0)]}
    table = draw.mistakes_against_rate(games, [1e-6, 2.0]).table
    first = table.iloc[0]
    assert abs(first["Balanced Winnow"] - first["Perceptron"]) <= 3


def test_disjunctions_stay_below_both_bounds():
    table = draw.disjunctions([16, 32], k=2, seeds=1).table
    assert (table["Winnow"] <= table["Winnow bound"]).all()
    assert (table["Perceptron"] <= table["Perceptron bound"]).all()
