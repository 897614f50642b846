"""The figures of the chapter on inseparable data say what the weights do."""

from __future__ import annotations

import numpy as np
import pytest

import olc
from olc import adversaries, geometry, streams
from olc.show.plots import nonseparable as draw


def test_the_weights_on_exclusive_or_are_no_longer_than_2():
    game = olc.play(olc.Perceptron(3), geometry.homogenise(streams.xor(40)))
    figure = draw.bounded(game)
    assert "In 40 mistakes the weights are never longer than 2.0" in figure.alt
    assert figure.table.loc[40, "R√M"] == pytest.approx(np.sqrt(3 * 40))
    assert figure.table["‖w‖"].max() == pytest.approx(2)


def test_cycles_counts_different_weights():
    figure = draw.cycles([[1, 0, 0], [0, 1, 0]] * 3, [0.0, 1.0, -0.5])
    assert figure.table["updates"].tolist() == [6, 3]
    assert figure.table["different weights"].tolist() == [2, 3]
    assert "2 different weight vectors in 6 updates" in figure.alt
    assert "stays between −0.50 and 1.00" in figure.alt


def test_the_zigzag_climbs_by_the_margin_and_changes_sides():
    game = olc.play(olc.Perceptron(2), adversaries.plane(10))
    table = draw.zigzag(game).table
    assert np.diff(table["w₁"]).tolist() == [10] * 51
    assert (np.diff(np.sign(table["w₂"][1:])) != 0).all()
    assert "In 51 mistakes the weights climb to w₁ = 510" in draw.zigzag(game).alt
