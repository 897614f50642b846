"""The figures of the chapter `balanced_winnow` say what the package computes."""

import math

import numpy as np
import pandas as pd
import pytest

import olc
from olc import balanced_winnow as theory
from olc import streams
from olc.show.plots import balanced_winnow as draw
from olc.world.adversaries import Panel


def test_the_contrarian_figure_counts_the_mistakes_and_those_of_the_second_half():
    stream = streams.signed_panel(13, k=3, rounds=200, seed=0)
    trace = olc.play(olc.BalancedWinnow(13, eta=1 / 3), stream)
    figure = draw.contrarian({"Balanced Winnow": trace})
    assert f"Balanced Winnow makes {trace.mistakes} mistakes" in figure.alt
    late = sum(trace.rounds >= 100)
    assert figure.table.loc["Balanced Winnow"].tolist() == [trace.mistakes, late]


@pytest.fixture
def game():
    stream = streams.signed_panel(6, k=3, rounds=100, seed=0)
    return olc.play(olc.BalancedWinnow(6, eta=1 / 3), stream)


def test_the_two_weights_start_equal_and_the_potential_at_its_sharp_value(game):
    figure = draw.two_weights(game, 0)
    assert (figure.table[["w⁺", "w⁻"]] == round(1 / 12, 4)).all(axis=None)
    assert f"the potential is {math.log(12 / 3):.2f}" in figure.alt


def test_the_two_weights_end_where_the_game_and_the_ledger_end(game):
    learner = olc.BalancedWinnow(6, eta=1 / 3)
    olc.play(learner, game.stream)
    figure = draw.two_weights(game, game.mistakes)
    assert figure.table["w⁺"].to_numpy() == pytest.approx(learner.halves[0], abs=1e-4)
    last = theory.proof(game)["potential"].iloc[-1]
    assert f"the potential is {last:.2f}" in figure.alt


def test_the_link_is_steeper_than_the_straight_line_far_out():
    figure = draw.link(0.5, others=9)
    ratio = np.sinh(4) / (np.cosh(4) + 9) / (4 / 10)
    assert f"{ratio:.1f} times" in figure.alt
    assert figure.table.loc[0.0].tolist() == [0, 0]


def test_balanced_winnow_stays_below_its_bound_and_above_normalised_winnow():
    forced = pd.DataFrame(
        {
            "n": n,
            "k": 3,
            "Balanced Winnow": olc.duel(
                olc.BalancedWinnow(n, eta=1 / 3), Panel(n, 3), 1000
            ).mistakes,
            "normalised Winnow": olc.duel(
                olc.NormalizedWinnow(n, eta=1 / 3), Panel(n, 3), 1000
            ).mistakes,
        }
        for n in (8, 16)
    )
    random = pd.DataFrame({"n": [8, 8, 16, 16], "Balanced Winnow": [4, 6, 9, 9]})
    figure = draw.scaling(random, forced)
    table = figure.table
    assert (table["Balanced Winnow"] <= table["Balanced Winnow, bound"]).all()
    assert (table["normalised Winnow"] < table["Balanced Winnow"]).all()
    assert table["random, median"].tolist() == [5, 9]
    assert table.loc[16, "Balanced Winnow, bound"] == round(18 * math.log(32), 1)
    assert f"forces {table.loc[16, 'Balanced Winnow']} mistakes" in figure.alt
