"""The worst order: one pick that is not greedy beats 58, and nobody knows 77."""

from __future__ import annotations

import re

import numpy as np
import pytest
from lab_games import printed, states
from test_exercises import ORDER

import olc
from olc import geometry
from olc_book import labs
from olc_book.labs.order import BEST, greedy, pool, table

# The seventh pick is another, and then the greedy rule goes on.
DEVIATED = [*greedy()[:6], 441]


def finished(order):
    """Return an order that is gone on with by the greedy rule, as the button does."""
    points = pool()
    yx = points.y[:, None] * points.X
    lesson = points.radius * (yx @ geometry.unit(points.target))
    shown = [i for i in range(1000) if i in {*BEST, *greedy()}]
    order, w = list(order), yx[order].sum(axis=0)
    while ((scores := yx[shown] @ w) <= 0).any():
        cost = scores - lesson[shown] * np.sqrt(len(order) + 1)
        order.append(shown[int(np.argmax(np.where(scores <= 0, cost, -np.inf)))])
        w = w + yx[order[-1]]
    return order


def test_the_goal_can_be_reached_and_is_not_by_greed():
    first, greed, best = states("order", {}, {"order": greedy()}, {"order": ORDER})
    assert not first["reached"]
    assert not greed["reached"]
    assert (greed["mistakes"], greed["left"]) == (58, 0)
    assert best["mistakes"] == 76
    assert best["reached"]


def test_one_pick_that_is_not_greedy_can_be_enough():
    order = finished(DEVIATED)
    (game,) = states("order", {"order": order})
    assert game["left"] == 0
    assert game["reached"]
    assert 58 < game["mistakes"] == len(order) < 76


def test_the_greedy_rule_of_the_page_is_that_of_the_adversary():
    given = [{"order": greedy()[:t]} for t in range(58)]
    found = [game["number"] for game in states("order", *given)]
    assert found == greedy()


def test_the_numbers_of_the_script_are_computed():
    text = (labs.FOLDER / "js" / "order.js").read_text("utf-8")
    made = re.search(r"\[GREEDY, BEST, BOUND, GAMMA\] = \[(.*?)\]", text)[1]
    counts, gamma = made.rsplit(", ", 1)
    assert counts == f"{len(greedy())}, {len(ORDER)}, {olc.lab('order').bound}"
    margin = geometry.maximal_margin(pool())[0]
    assert float(gamma) == pytest.approx(margin, rel=1e-12)
    assert {*BEST} == {*ORDER}
    assert (labs.FOLDER / "js" / "pool.js").read_text("utf-8") == table()


@pytest.mark.parametrize("order", [[], greedy()[:20], ORDER, [39, 39, 39, 51]])
def test_what_is_copied_prints_what_the_page_says(order, capsys):
    (game,) = states("order", {"order": order})
    played, bound = printed(game["python"], capsys)
    made = olc.core.game.plural(game["mistakes"], "mistake")
    assert played.startswith(f"Trace({made} in ")
    assert game["says"].startswith(f"{made}, and ")
    assert f"none more than {bound.removeprefix('bound ')}" in game["says"]


def test_the_still_has_the_numbers_of_the_greedy_order():
    alt = olc.lab("order").still.alt
    assert alt == "A greedy order makes 58 mistakes; 93 is the bound."
