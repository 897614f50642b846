"""The figures of `randomized_weighted_majority` say what the package computes."""

import numpy as np
import pandas as pd
import pytest

from olc.show.plots import randomized_weighted_majority as draw


def test_the_majority_errs_at_twice_the_wrong_share():
    table = draw.chance().table
    assert (table["majority"] <= table["twice the share"]).all()
    assert table["twice the share"].tolist() == (2 * table["randomized"]).tolist()
    assert table.loc[0.5, "majority"].tolist() == [0, 1]


@pytest.fixture
def games():
    return pd.DataFrame(
        {
            "situation": ["adversary"] * 6,
            "learner": ["majority", "majority"] + ["randomized"] * 4,
            "T": [16, 64, 16, 16, 64, 64],
            "regret": [0.5, 0.5, 0.2, 0.4, 0.1, 0.2],
            "bound": [1.2, 1.1, 0.6, 0.6, 0.3, 0.3],
        }
    )


def test_the_headline_figure_keeps_mean_range_and_bound(games):
    figure = draw.no_regret(games)
    row = figure.table.loc[("adversary", "randomized", 16)]
    assert row.tolist() == pytest.approx([0.2, 0.3, 0.4, 0.6])
    assert "Adversary: after 64 rounds the regret per round is 0.500" in figure.alt
    assert "0.150 for the randomized learner" in figure.alt


def test_the_terms_of_the_bound_add_up():
    table = pd.DataFrame(
        {
            "situation": ["guessing"] * 2,
            "eta": [0.1, 0.5],
            "m": [40, 40],
            "regret": [5.0, 7.0],
        }
    )
    figure = draw.terms(table, n=16)
    kept = figure.table.loc["guessing"]
    assert kept["η m"].tolist() == [4, 20]
    assert kept["bound"].tolist() == pytest.approx(
        [4 + np.log(16) / 0.1, 20 + np.log(16) / 0.5]
    )
    assert "the regret is least, 5.0, at η = 0.1" in figure.alt
    assert "the bound, 25.5, at η = 0.5" in figure.alt


def test_the_choices_of_eta_say_which_rule_is_ahead_and_how_often():
    rules = ["0.3", "1/√T", "√(ln N/T)"]
    regrets = {16: [0.5, 0.1, 0.2], 64: [0.5, 0.2, 0.1], 256: [0.5, 0.01, 0.02]}
    table = pd.DataFrame(
        [
            {"rule": rule, "T": rounds, "regret": regret, "bound": 2 * regret}
            for rounds, row in regrets.items()
            for rule, regret in zip(rules, row, strict=True)
        ]
    )
    figure = draw.choices_of_eta(table)
    assert "After 256 rounds the regret per round is 0.500 with η = 0.3" in figure.alt
    assert "η = √(ln N/T) beats η = 1/√T at 1 of 3 lengths" in figure.alt
    assert figure.table.loc[64, ("bound", "1/√T")] == 0.4
