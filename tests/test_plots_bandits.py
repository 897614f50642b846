"""The figures of `bandits` say what the package computes."""

import numpy as np
import pandas as pd
import pytest

from olc import Exp3, Exp3IX, bandits, play_bandit
from olc.show.plots import bandits as draw


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
    losses = bandits.turning_losses(400, turn=100)
    traces = {
        "Exp3": play_bandit(Exp3.tuned(2, 400), losses, seeds=8),
        "Exp3-IX": play_bandit(Exp3IX.tuned(2, 400), losses, seeds=8),
    }
    bound = float(np.median(traces["Exp3"].regret))
    figure = draw.fates(traces, {"Exp3": pd.Series([2.0, 5.0])}, bound)
    for name, trace in traces.items():
        row = figure.table.loc[name]
        assert row["mean"] == trace.regret.mean()
        assert row["above the bound"] == (trace.regret > bound).mean()
        assert f"{trace.regret.std():.0f} for {name}" in figure.alt
    assert f"end above {bound:.0f}" in figure.alt


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
