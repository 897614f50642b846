"""The tree: Littlestone's dimension is reached, and nothing beyond it."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from lab_games import printed, states

import olc

KINDS = {"thresholds": 3, "singletons": 1, "pairs": 2}
GOAL = {"rounds": [[3, 1], [1, 1], [0, 1]]}
PAIRS = {"kind": "pairs", "rounds": [[0, 1], [1, 1]]}
GAMES = [{}, GOAL, PAIRS, {"kind": "singletons", "rounds": [[5, -1], [2, 1]]}]


def test_the_goal_can_be_reached_and_is_not_at_first():
    first, goal, pairs = states("tree", {}, GOAL, PAIRS)
    assert not first["reached"]
    assert goal["reached"]
    assert pairs["reached"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_questions_makes_it_err_more_often_than_the_dimension(kind):
    lab = olc.lab("tree", kind=kind)
    learner, table = olc.StandardOptimal(lab.table), lab.table

    @functools.cache
    def worst(alive):
        members, found = np.array(alive), 0
        for column in table.T:
            plus, minus = (members & (column == sign) for sign in (1, -1))
            if plus.any() and minus.any():
                score = learner.ldim(plus) - learner.ldim(minus)
                told = ((plus, score <= 0), (minus, score >= 0))
                for left, wrong in told:
                    found = max(found, worst(tuple(left.tolist())) + wrong)
        return found

    assert worst((True,) * len(table)) == lab.bound == KINDS[kind]


def test_dimensions_are_those_of_olc_at_every_point():
    for kind in KINDS:
        points = range(olc.lab("tree", kind=kind).table.shape[1])
        found = states("tree", *({"kind": kind, "point": point} for point in points))
        for point, game in zip(points, found, strict=True):
            lab = olc.lab("tree", kind=kind)
            learner, column = olc.StandardOptimal(lab.table), lab.table[:, point]
            plus, minus = (learner.ldim(column == sign) for sign in (1, -1))
            said = f"+1 leaves dimension {plus}, −1 leaves {minus}"
            assert said in game["says"]


def test_what_is_copied_prints_what_the_page_says(capsys):
    for game in states("tree", *GAMES):
        trace, left, bound = printed(game["python"], capsys)
        made = olc.core.game.plural(game["M"], "mistake")
        assert trace.startswith(f"Trace({made} in ")
        assert bound == f"bound {game['bound']}"
        assert f"of at most {game['bound']}" in game["says"]
        assert left.startswith("dimension left ")


def test_the_still_tells_the_dimension():
    assert "forced to 3 mistakes" in olc.lab("tree").still.alt
