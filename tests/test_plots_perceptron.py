"""The figures of the chapter on the Perceptron say what the package computes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import olc
from olc import adversaries, geometry, perceptron
from olc.plots import ledger_figure
from olc.plots import perceptron as draw

POINTS = olc.Stream(
    np.array([[1, 2], [2, 1], [-1, -1], [-1, 1]]),
    np.array([1, 1, -1, -1]),
    np.array([1, 0]),
)


@pytest.mark.parametrize("margin", [0.03, 0.3])
@pytest.mark.parametrize("radius", [0.5, 2.0])
def test_a_disc_has_the_margin_and_the_radius_asked_for(margin, radius):
    stream = draw.disc(margin, radius, rounds=20, seed=3)
    assert stream.margin == pytest.approx(margin)
    assert stream.radius == pytest.approx(radius)
    assert geometry.maximal_margin(stream)[0] == pytest.approx(margin)


def test_a_correction_raises_the_signed_score_by_the_squared_length():
    figure = draw.corrections([1.5, -0.5], [([-0.5, 2.0], +1), ([1.2, 1.4], -1)])
    assert "positive example y⟨w, x⟩ goes from -1.75 to 2.5." in figure.alt
    assert "negative example y⟨w, x⟩ goes from -1.1 to 2.3." in figure.alt
    assert len(figure.svgs) == 2


def test_paths_end_where_the_games_end():
    games = {
        "one": olc.play(olc.Perceptron(2), POINTS),
        "two": olc.play(olc.Perceptron(2), POINTS[[1, 0, 2, 3]]),
    }
    figure = draw.paths(games)
    assert "one: 2 mistakes, last weights (2, 1)" in figure.alt
    assert "two: 1 mistake, last weights (2, 1)" in figure.alt


def test_a_path_needs_no_target():
    game = olc.play(olc.Perceptron(2), POINTS.X, POINTS.y)
    assert "last weights (2, 1)" in draw.paths({"no target": game}).alt


def test_the_squeeze_names_mistakes_and_bound():
    trace = olc.duel(olc.Perceptron(3), adversaries.MinimalMargin(0.3), rounds=50)
    figure = draw.squeeze({"adversary": trace})
    assert "adversary: 11 of at most 11.11 mistakes" in figure.alt


def test_every_frame_of_the_replay_holds_the_inequalities_of_the_proof():
    trace = olc.play(olc.Perceptron(2), POINTS)
    frame = draw.replay(trace)
    assert "the weights are 0" in frame(0).alt
    assert frame(2).alt == (
        "Mistake 2 of 2, on a negative example in round 4. Now "
        "Mγ = 2 ≤ ⟨u, w⟩ = 2 ≤ ‖w‖ = 2.24 ≤ R√M = 3.16."
    )


def test_margin_effects_reads_its_numbers_from_the_table():
    columns = ["γ", "R", "bound", "adversary", "worst", "5%", "median", "95%"]
    rows = [
        [0.05, 1.0, 400, 399, 150, 20, 30, 40],
        [0.1, 1.0, 100, 100, 60, 10, 20, 30],
        [0.1, 4.0, 1600, 1599, 300, 40, 60, 80],
        [0.4, 4.0, 100, 100, 60, 10, 20, 30],
    ]
    games = [olc.play(olc.Perceptron(2), draw.disc(0.3, rounds=10))]
    figure = draw.margin_effects(pd.DataFrame(rows, columns=columns), games)
    assert "from 100 to 400; the adversary reaches 399" in figure.alt
    assert "rise from 20 to 60 as R grows" in figure.alt
    assert "they stay at 20" in figure.alt
    assert figure.table is not None
    assert len(figure.svgs) == 3


def test_only_the_ratio_of_margin_and_radius_matters():
    one, two = draw.margin_and_radius(0.2, 1.0), draw.margin_and_radius(0.4, 2.0)
    assert one.alt.partition(":")[2] == two.alt.partition(":")[2]
    bound = perceptron.mistake_bound(1, 0.2)
    assert f"R²/γ² is {bound:.4g}" in one.alt
    assert f"in the plane {math.floor(bound / 2 + 1e-9) + 1} is the most" in one.alt


def test_experts_gives_the_adversarys_share_of_the_bound():
    columns = ["k", "N", "bound", "adversary", "mean", "sd"]
    rows = [[1, 8, 8, 8, 6.0, 1.0], [1, 16, 16, 14, 11.0, 1.0]]
    figure = draw.experts(pd.DataFrame(rows, columns=columns))
    assert "between 88% and 100% of N·k" in figure.alt
    assert "cost 11 of 16" in figure.alt


def test_noise_compares_the_learner_with_the_target_and_the_bound():
    columns = ["noise", "target", "5%", "median", "95%", "bound"]
    rows = [[0.0, 0, 3, 4, 6, 11.0], [0.1, 99, 160, 185, 220, 417.0]]
    figure = draw.noise(pd.DataFrame(rows, columns=columns))
    assert "With 10% wrong labels the Perceptron makes 185" in figure.alt
    assert "the target 99" in figure.alt
    assert "allows 417" in figure.alt


def test_final_margins_are_shares_of_the_best():
    figure = draw.final_margins([0.02, 0.05, 0.1], best=0.1)
    assert "Over 3 orders" in figure.alt
    assert "between 20% and 100% of the largest margin, 50% in the median" in figure.alt


def test_cycles_counts_different_weights():
    figure = draw.cycles([[1, 0, 0], [0, 1, 0]] * 3, [0.0, 1.0, -0.5])
    assert "2 different weight vectors in 6 rounds" in figure.alt
    assert "takes 3 different values in 3 updates" in figure.alt


def test_a_ledger_figure_counts_the_mistakes_inside_the_envelopes():
    trace = olc.play(olc.Perceptron(2), POINTS)
    ledger = perceptron.proof(trace)
    figure = ledger_figure(ledger, "‖w‖²", "The potential between its envelopes.")
    assert "After 2 mistakes ‖w‖² is 5" in figure.alt
    assert "after 2 of the 2 mistakes" in figure.alt
    ledger.loc[2, "potential"] = 1000.0
    broken = ledger_figure(ledger, "‖w‖²", "The potential outside of its envelopes.")
    assert "after 1 of the 2 mistakes" in broken.alt
