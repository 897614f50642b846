"""The arms: Exp3 loses in the page what it loses in Python, on the same coins."""

from __future__ import annotations

import numpy as np
import pytest
from lab_games import printed, states

import olc
from olc.bandits import Exp3, regret_bound
from olc_book.labs.arms import ARMS, BAD, GOOD, ROUNDS

GOAL = {"pulls": [0, 1, 2, 3] + [2] * 56}  # look once, and stay with the right one
SEEDS = [1, 2, 3, 77, 4711, 9999]


def test_the_goal_can_be_reached_and_not_by_pulling_all_alike():
    first, goal, alike = states("arms", {}, GOAL, {"pulls": [0, 1, 2, 3] * 15})
    assert goal["reached"]
    assert not first["reached"]
    assert not alike["reached"]


def test_one_arm_is_better_and_any_may_be_it():
    means = np.array(
        [olc.lab("arms", seed=seed).losses.mean(0) for seed in range(1, 41)]
    )
    best = means.argmin(axis=1)
    assert set(best) == {*range(ARMS)}
    assert means.min(axis=1).mean() == pytest.approx(GOOD, abs=0.03)
    others = (means.sum() - means.min(axis=1).sum()) / (means.size - len(means))
    assert others == pytest.approx(BAD, abs=0.03)


def test_what_is_copied_prints_what_the_page_says(capsys):
    draw = np.random.default_rng(3)
    games = [{}, GOAL]
    games += [{"seed": seed, "pulls": draw.integers(4, size=ROUNDS).tolist()}
              for seed in SEEDS]  # fmt: skip
    for game in states("arms", *games):
        lines = printed(game["python"], capsys)
        keys = ["own", "best", "exp3", "bound"]
        numbers = [float(line.rsplit(" ", 1)[1]) for line in lines]
        assert numbers == pytest.approx([game[key] for key in keys])


def test_the_bound_is_that_of_exp3_at_its_best_rate():
    (game,) = states("arms", GOAL)
    assert game["bound"] == pytest.approx(
        regret_bound(Exp3.tuned(ARMS, ROUNDS), ROUNDS)
    )
    assert f"{game['exp3'] - game['best']:.1f}" in olc.lab("arms").still.alt
