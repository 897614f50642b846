"""The figures of the chapter `winnow_r` say what the package finds."""

import pandas as pd
import pytest

import olc
from olc import adversaries, winnow_r
from olc.show.plots import winnow_r as draw

LEARNERS = {"Winnow": olc.Winnow, "Winnow-R": olc.WinnowR}


def test_every_addition_begins_a_stay_of_a_moving_target():
    stream = olc.streams.drifting_disjunction(12, 3, 70, 6, 4)
    figure = draw.moving_target(stream)
    stays = figure.table
    assert (stays["to round"] - stays["from round"]).sum() == 3 * 70
    assert len(stays) == stream.additions
    assert f"{stream.additions} variables are added" in figure.alt


@pytest.mark.parametrize(("kind", "lowest"), [(olc.Winnow, -5), (olc.WinnowR, -1)])
def test_the_victim_sinks_with_every_flip_unless_there_is_a_floor(kind, lowest):
    trace = olc.duel(kind(64), adversaries.Flip(64, flips=6), rounds=1000)
    figure = draw.victim(trace)
    assert figure.table["log₂ weight"].min() == lowest
    assert figure.table["log₂ weight"].iloc[-1] == 6
    assert f"2 to the power −{-lowest}," in figure.alt
    assert f"{winnow_r.late_mistakes(trace)} mistakes follow" in figure.alt


def test_the_separation_keeps_the_mistakes_of_both_games():
    rows = [(name, size) for name in LEARNERS for size in (2, 4)]
    flips = pd.DataFrame(rows, columns=["learner", "flips"]).assign(value=[5, 7, 3, 3])
    doubling = pd.DataFrame(rows, columns=["learner", "additions"])
    figure = draw.separation(flips, doubling.assign(mistakes=[9, 90, 8, 16]), n=8)
    assert figure.table.loc[("doubling", 4)].tolist() == [90, 16]
    assert figure.table.loc[("flips", 2)].tolist() == [5, 3]
    assert "Winnow makes 7 mistakes until" in figure.alt
    assert "Winnow-R 3; with 4 added variables" in figure.alt


def test_random_drift_shows_means_and_the_bound():
    rows = [(name, 3, seed) for name in LEARNERS for seed in range(2)]
    table = pd.DataFrame(rows, columns=["learner", "additions", "seed"])
    figure = draw.random_drift(table.assign(mistakes=[10, 20, 6, 8]), n=16)
    assert figure.table["mean"].tolist() == [15, 7]
    assert figure.table["high"].tolist() == [20, 8]
    assert f"its bound is {winnow_r.mistake_bound(16, 3)}." in figure.alt
