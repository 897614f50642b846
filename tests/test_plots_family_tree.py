"""The family tree draws every name and every step that it is given."""

from __future__ import annotations

import pandas as pd
import pytest

from olc.show.plots import family_tree as draw


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
    assert figure.alt == (
        "Halving leads to weighted majority; weighted majority to Winnow."
    )
    (svg,) = figure.svgs
    for name in ("Halving", "weighted majority", "Winnow"):
        assert name in svg
    for change in ("1. keep some weight", "2. update at mistakes"):
        assert change in svg


def test_a_change_that_two_steps_share_is_written_once() -> None:
    figure = draw.tree(
        steps(
            [6, "Winnow", "online to batch", "average"],
            [6, "Perceptron", "online to batch", "average"],
            [4, "Perceptron", "SVM", "widen"],
        )
    )
    assert figure.alt == (
        "Winnow leads to averaging; the Perceptron to averaging and the SVM."
    )
    assert figure.svgs[0].count("6. average") == 1


def test_a_name_without_a_place_is_refused() -> None:
    with pytest.raises(ValueError, match="Adaline has no place: choose from Halving"):
        draw.tree(steps([1, "Adaline", "Winnow", "another rule"]))
