"""The figures of the chapter `standard_optimal` say what the package computes."""

import pandas as pd
import pytest

from olc import halving
from olc.show.plots import standard_optimal as draw
from olc.standard_optimal import littlestone_dimension

THRESHOLDS = halving.thresholds(7)


@pytest.mark.parametrize(
    "table", [THRESHOLDS, halving.singletons(5), halving.disjunctions(4, k=2)]
)
def test_a_mistake_tree_is_as_deep_as_the_littlestone_dimension(table):
    figure, depth = draw.mistake_tree(table), littlestone_dimension(table)
    assert f"A complete tree of depth {depth}" in figure.alt
    leaves = figure.table["hypothesis"]
    assert set(map(len, leaves.index)) == {depth}
    assert leaves.nunique() == len(leaves) == 2**depth


def test_the_tree_of_thresholds_is_a_binary_search():
    leaves = draw.mistake_tree(THRESHOLDS).table["hypothesis"]
    assert leaves["+++"] == 0
    assert leaves["−−−"] == 7
    assert leaves["−+−"] == 5


def test_the_figure_of_disjunctions_names_where_halving_is_worse():
    table = pd.DataFrame(
        {"optimal": [2, 2, 1, 0], "halving": [2, 3, 1, 0], "size": [2, 2.58, 2, 0]},
        index=pd.RangeIndex(1, 5, name="k"),
    )
    figure = draw.disjunctions(table)
    other = draw.disjunctions(table.assign(size=[3, 2.58, 2, 0]))
    assert "while log₂ |H| goes from 3 to 2" in other.alt
    assert "the dimension changes from 2 to 1, while log₂ |H| stays at 2" in figure.alt
    assert "halving makes more mistakes than the optimal algorithm at k = 2" in (
        figure.alt
    )
    assert "of 4 variables" in figure.caption
    assert figure.table.equals(table)
