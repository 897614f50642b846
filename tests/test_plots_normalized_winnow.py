"""The figures of the chapter `normalized_winnow` say what the package computes."""

import math

import numpy as np
import pytest

from olc import normalized_winnow as theory
from olc import streams
from olc.game import play
from olc.plots import normalized_winnow as draw


def test_the_opinions_count_how_often_panel_members_are_right():
    stream = streams.panel(9, k=3, rounds=10, seed=0)
    right = np.equal(stream.X, stream.y[:, None]).mean(axis=0)[stream.target > 0]
    figure = draw.opinions(stream)
    assert f"{right.min():.0%} to {right.max():.0%}" in figure.alt


def test_the_chord_stands_at_cosh_over_zero():
    assert f"cosh η = {math.cosh(0.5):.3f}" in draw.chord(0.5).alt


def test_the_chord_is_never_below_the_exponential():
    gap = float(draw.chord(1.0).alt.split("at most ")[1].split()[0])
    assert gap > 0


@pytest.mark.parametrize(("eta", "promise"), [(0.3, "the bound is"), (2.0, "no bound")])
def test_the_rate_explorer_promises_a_bound_only_where_c_is_positive(eta, promise):
    assert (theory.least_drop(eta, 1 / 3) > 0) == (promise == "the bound is")
    assert promise in draw.tuning(eta, k=3).alt


def test_the_rate_explorer_reports_the_mistakes_of_its_game():
    stream = streams.panel(64, 1, 1000, seed=1)
    mistakes = play(theory.NormalizedWinnow(64, eta=1.0), stream).mistakes
    assert f"errs {mistakes} times" in draw.tuning(1.0, k=1).alt


def test_the_adversary_never_beats_the_bound_and_never_stops_without_one():
    table = draw.mistakes_against_eta(8, 3, [0.3, 0.9], 50, seeds=2, cut=60).table
    assert table.loc[0.3, "worst case"] <= table.loc[0.3, "bound"]
    assert table.loc[0.9, "worst case"] == 60
    assert table.loc[0.9, "bound"] == "∞"


def test_the_scaling_table_holds_the_bounds_of_the_package():
    table = draw.scaling([8, 16], [3, 5], 50, seeds=2, n=8, k=3).table
    assert table.loc[(16, 3), "2k² ln N"] == pytest.approx(theory.panel_bound(16, 3))
    assert (table["worst case"] <= table["sharp"]).all()
    assert (table["most"] <= table["sharp"]).all()


def test_the_worst_case_grows_more_slowly_than_the_square_of_k():
    figure = draw.scaling([16, 32], [3, 7], 50, seeds=2, n=32, k=3)
    forced = figure.table["worst case"]
    assert "more slowly than k²" in figure.alt
    assert forced.loc[(32, 7)].max() < forced.loc[(32, 3)].min() * (7 / 3) ** 2
