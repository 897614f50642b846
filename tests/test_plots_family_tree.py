"""The family tree draws every name and every step that it is given."""

from __future__ import annotations

import pandas as pd
import pytest

from olc.plots import family_tree as draw


def steps(*rows: list[object]) -> pd.DataFrame:
    table = pd.DataFrame(list(rows), columns=["step", "from", "to", "change"])
    return table.set_index("step")


def test_the_tree_has_a_box_for_every_name_and_an_arrow_for_every_step() -> None:
    figure = draw.tree(
        steps(
            [1, "Halving", "weighted majority", "keep some weight"],
            [2, "weighted majority", "Winnow", "update at mistakes"],
        )
    )
    assert figure.alt.startswith("3 names are joined by 2 arrows.")
    assert "2, from weighted majority to Winnow: update at mistakes." in figure.alt
    (svg,) = figure.svgs
    for name in ("Halving", "weighted majority", "Winnow", ">1<", ">2<"):
        assert name in svg


def test_a_name_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="Adaline has no place: choose from Halving"):
        draw.tree(steps([1, "Adaline", "Winnow", "another rule"]))
