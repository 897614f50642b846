"""The forecast: two learners lose in the page what they lose in Python."""

from __future__ import annotations

import numpy as np
import pytest
from lab_games import printed, states

import olc
from olc_book.labs.forecast import DAYS

TRUTH = olc.lab("forecast").days[1]
GOAL = {"said": TRUTH.round(2).tolist()}
GAMES = [{}, GOAL, {"said": []}] + [
    {"seed": seed, "eta": eta, "said": (np.arange(days) / DAYS).tolist()}
    for seed, eta, days in ((1, 0.05, 15), (8, 1.9, 15), (9999, 1.0, 1), (77, 0.3, 7))
]


@pytest.mark.parametrize("seed", [olc.lab("forecast").seed, 11])  # of the two chapters
def test_the_goal_can_be_reached_by_a_good_eye_and_is_not_at_first(seed):
    # the best line, which a reader can only guess
    X, y = olc.lab("forecast", seed=seed).days
    line = (X[:, 0] @ y / (X[:, 0] @ X[:, 0]) * X[:, 0]).round(2).tolist()
    first, goal, seen, zeros = states(
        "forecast",
        *(
            {"seed": seed} | said
            for said in (
                {},
                {"said": y.round(2).tolist()},
                {"said": line},
                {"said": [0] * DAYS},
            )
        ),
    )
    assert goal["reached"]
    assert seen["reached"]
    assert not first["reached"]
    assert not zeros["reached"]


def test_what_is_copied_prints_what_the_page_says(capsys):
    for game in states("forecast", *GAMES):
        lines = [line.rsplit(" ", 1) for line in printed(game["python"], capsys)]
        found = {name: float(value) for name, value in lines}
        wanted = {
            "you": game["own"],
            "descent": game["descent"],
            "VAW": game["vaw"],
            "bound": game["bound"],
        }
        assert found == pytest.approx(wanted)


def test_the_bound_holds_and_a_long_step_does_worse_than_a_short_one():
    seeds = range(1, 31)
    short = states("forecast", *({"seed": s, "eta": 0.5, **GOAL} for s in seeds))
    long = states("forecast", *({"seed": s, "eta": 1.9, **GOAL} for s in seeds))
    assert all(game["vaw"] <= game["bound"] for game in short)
    assert sum(g["descent"] for g in short) < sum(g["descent"] for g in long)


def test_the_still_has_the_numbers_of_the_whole_game():
    (game,) = states("forecast", GOAL)
    alt = olc.lab("forecast").still.alt
    assert f"VAW loses {game['vaw']:.3g} and descent {game['descent']:.3g}" in alt
