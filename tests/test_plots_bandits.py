"""The figures of `bandits` say what the package computes."""

import pandas as pd
import pytest

from olc import Exp3, Exp3IX, bandits
from olc.plots import bandits as draw


def test_the_rare_arm_is_estimated_as_the_package_says():
    rows = [
        {"learner": name, "chance": chance, "mean": mean, "deviation": deviation}
        for name, learner in (("Exp3", Exp3(2, eta=1)), ("Exp3-IX", Exp3IX(2, eta=0.1)))
        for chance in (0.01, 0.5)
        for mean, deviation in [bandits.moments(learner, 1, chance)]
    ]
    figure = draw.estimates(pd.DataFrame(rows))
    assert figure.table.loc[0.01, ("deviation", "Exp3")] == pytest.approx(99**0.5)
    assert "chance of 0.01: Exp3: mean 1, standard deviation 9.95" in figure.alt
    assert "Exp3-IX: mean 0.1667, standard deviation 1.658" in figure.alt


def test_the_fates_count_the_runs_above_the_bound():
    runs = pd.DataFrame(
        {"learner": ["Exp3"] * 4 + ["Exp3-IX"] * 4, "regret": [0, 0, 8, 8, 1, 1, 1, 1]}
    )
    draws = pd.DataFrame({"learner": ["Exp3"] * 2, "draw": [1, 2], "total": [2, 5]})
    figure = draw.fates(runs, draws, bound=5)
    assert figure.table.loc["Exp3", "above the bound"] == 0.5
    assert figure.table["mean"].tolist() == [4, 1]
    assert "is 5 for Exp3, 0 for Exp3-IX" in figure.alt
    assert "50% of Exp3, 0% of Exp3-IX end above 5" in figure.alt


def test_the_explorer_shows_the_mean_of_the_runs_and_the_bound():
    table = pd.DataFrame(
        {
            "learner": ["Exp3"] * 4,
            "round": [10, 20, 10, 20],
            "regret": [1.0, 2.0, 3.0, 6.0],
        }
    )
    figure = draw.over_time(table, bound=9)
    assert figure.table.loc[("Exp3", 20), "mean"] == 4
    assert "After 20 rounds the mean pseudo-regret is 4 for Exp3" in figure.alt
    assert "the bound of Exp3 is 9." in figure.alt
