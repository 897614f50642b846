"""The figure of the chapter `tightness` says what the games found."""

import pandas as pd
import pytest

from olc.show.plots import tightness as draw


def test_ratios_are_the_shares_of_the_bounds_in_the_order_of_the_table():
    table = pd.DataFrame(
        {
            "learner": ["Winnow", "Winnow", "Perceptron", "Perceptron"],
            "n": [8, 16, 8, 16],
            "mistakes": [3, 9, 6, 11],
            "bound": [4, 9, 8.0, 12.5],
        }
    )
    figure = draw.ratios(table)
    assert list(figure.table) == ["Winnow", "Perceptron"]
    assert figure.table.loc[8].tolist() == [0.75, 0.75]
    assert figure.table.loc[16].tolist() == pytest.approx([1, 0.88])
    assert "At N = 8 and 16" in figure.alt
    assert "75 % and 100 % (Winnow), 75 % and 88 % (Perceptron)" in figure.alt
