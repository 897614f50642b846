"""The figures of the chapter `balanced_winnow` say what the package computes."""

import math

import numpy as np
import pytest

from olc import balanced_winnow as theory
from olc.balanced_winnow import BalancedWinnow
from olc.game import play
from olc.plots import balanced_winnow as draw


def test_every_second_member_of_a_signed_panel_counts_reversed():
    stream = draw.signed_panel(12, k=3, rounds=40, seed=0)
    assert stream.target[stream.target != 0].tolist() == [1, -1, 1]
    assert (stream.y * (stream.X @ stream.target) >= 1).all()


def test_the_contrarian_figure_counts_the_mistakes_of_balanced_winnow():
    stream = draw.signed_panel(12, k=3, rounds=200, seed=0)
    mistakes = play(BalancedWinnow(12, eta=1 / 3), stream).mistakes
    assert (
        f"Balanced Winnow errs {mistakes} times" in draw.contrarian(stream, 1 / 3).alt
    )


@pytest.fixture
def game():
    stream = draw.signed_panel(6, k=3, rounds=100, seed=0)
    return play(BalancedWinnow(6, eta=1 / 3), stream)


def test_the_two_weights_start_equal_and_the_potential_at_its_sharp_value(game):
    alt = draw.two_weights(game, 0).alt
    assert f"{1 / 12:.2f} and {1 / 12:.2f}" in alt
    assert f"the potential is {math.log(12 / 3):.2f}" in alt


def test_the_two_weights_end_where_the_ledger_ends(game):
    last = theory.proof(game)["potential"].iloc[-1]
    assert f"the potential is {last:.2f}" in draw.two_weights(game, game.mistakes).alt


def test_the_link_is_steeper_than_the_straight_line_far_out():
    ratio = np.sinh(4) / (np.cosh(4) + 9) / (4 / 10)
    assert f"{ratio:.1f} times" in draw.link(0.5, others=9).alt


def test_balanced_winnow_stays_below_its_bound():
    table = draw.scaling([8, 16], k=3, rounds=60, seeds=2).table
    assert (table["Balanced, adversary"] <= table["2k² ln 2N"]).all()
    assert (table["most"] <= table["2k² ln 2N"]).all()
    assert table.loc[16, "2k² ln 2N"] == pytest.approx(
        theory.panel_bound(16, 3), abs=0.05
    )
