"""The figures of the chapter on the Perceptron say what the package computes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import olc
from olc import adversaries
from olc.show.plots import perceptron as draw

POINTS = olc.Stream(
    np.array([[1, 2], [2, 1], [-1, -1], [-1, 1]]),
    np.array([1, 1, -1, -1]),
    np.array([1, 0]),
)


def test_a_correction_raises_the_signed_score_by_the_squared_length():
    examples = [([-0.5, 2.0], +1), ([1.2, 1.4], -1)]
    figure = draw.corrections([1.5, -0.5], examples)
    before, after = (figure.table[f"y⟨w, x⟩ {when}"] for when in ("before", "after"))
    squares = [np.square(x).sum() for x, _ in examples]
    assert (after - before).tolist() == pytest.approx(squares)
    assert "For y = −1 the signed score goes from −1.1 to 2.3." in figure.alt
    assert len(figure.svgs) == 2


def test_the_squeeze_of_the_worst_game_has_no_room():
    trace = olc.duel(olc.Perceptron(3), adversaries.MinimalMargin(0.3), rounds=50)
    figure = draw.squeeze(trace)
    assert figure.table.index.tolist() == list(range(12))
    np.testing.assert_allclose(figure.table["⟨u, w⟩"], figure.table["Mγ"])
    np.testing.assert_allclose(figure.table["‖w‖"], figure.table["R√M"])
    assert "After 11 mistakes of at most 11.11" in figure.alt
    assert "in this order after 11 of the 11 mistakes" in figure.alt


def test_every_frame_of_the_replay_holds_the_inequalities_of_the_proof():
    trace = olc.play(olc.Perceptron(2), POINTS)
    frame = draw.replay(trace)
    assert "the weights are 0" in frame(0).alt
    assert frame(2).alt == (
        "Mistake 2 of 2, on a negative example. Now "
        "Mγ = 2 ≤ ⟨u, w⟩ = 2 ≤ ‖w‖ = 2.24 ≤ R√M = 3.16."
    )
    assert frame(2).table.loc[2].is_monotonic_increasing


def test_margin_effects_reads_its_numbers_from_the_table():
    rows = [
        [0.05, "adversary", 399],
        [0.05, "worst order", 150],
        [0.05, "random order", 30],
        [0.05, "random order", 40],
        [0.1, "adversary", 100],
        [0.1, "worst order", 60],
        [0.1, "random order", 20],
    ]
    table = pd.DataFrame(rows, columns=["margin", "way", "mistakes"])
    figure = draw.margin_effects(table)
    assert figure.table["bound"].round(9).tolist() == [400, 100]
    assert figure.table["random order"].tolist() == [35, 20]
    assert "the bound is 400; the adversary forces 399, a bad order 150" in figure.alt
    assert "a random order 35 in the median" in figure.alt


def test_noise_compares_the_learner_with_the_target_and_the_bounds():
    columns = ["noise", "mistakes", "flipped", "hinge", "squares"]
    rows = [
        [0.0, 4, 0, 11.0, 11.0],
        [0.1, 180, 95, 280.0, 430.0],
        [0.1, 190, 99, 300.0, 450.0],
    ]
    figure = draw.noise(pd.DataFrame(rows, columns=columns))
    assert "With 10 % wrong labels the Perceptron makes 185" in figure.alt
    assert "the target 97; the hinge losses allow 290 and their squares 440" in (
        figure.alt
    )
    assert figure.table.loc[0.1, "hinge"] == 290


def test_final_margins_are_shares_of_the_best():
    figure = draw.final_margins([0.02, 0.05, 0.1], best=0.1)
    assert "Over 3 orders" in figure.alt
    assert (
        "between 20 % and 100 % of the largest margin, 50 % in the median" in figure.alt
    )
    assert figure.table.loc["50%", "share"] == pytest.approx(0.5)
