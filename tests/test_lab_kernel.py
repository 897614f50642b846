"""The kernel: what a degree can tell apart, and the bound in its feature space."""

from __future__ import annotations

import re

import numpy as np
import pytest
from lab_games import printed, states

import olc
from olc.kernel_perceptron import Polynomial
from olc_book import labs

# Along a line a polynomial changes its sign at most as often as its degree says.
WAVE = {"points": [[-0.9, 0, 1], [-0.3, 0, -1], [0.3, 0, 1], [0.9, 0, -1]]}
KERNELS = ("1", "2", "3", "radial")


def laid(seed):
    """Return points of random labels, or of a ring."""
    draw = np.random.default_rng(seed)
    X = draw.integers(-110, 111, (int(draw.integers(3, 9)), 2)) / 100
    y = draw.choice([-1, 1], len(X)) if seed % 2 else np.where(X[:, 0] > 0.1, 1, -1)
    return [
        [float(a), float(b), int(label)] for (a, b), label in zip(X, y, strict=True)
    ]


GAMES = [{"kernel": kernel} for kernel in KERNELS]
GAMES += [WAVE | {"kernel": kernel} for kernel in KERNELS]
GAMES += [
    {"points": laid(seed), "kernel": KERNELS[seed % 4], "width": 0.3 + seed / 20}
    for seed in range(16)
]


@pytest.fixture(scope="module")
def games():
    return [*zip(GAMES, states("kernel", *GAMES), strict=True)]


def test_the_goal_can_be_reached_and_is_not_at_first(games):
    found = {given.get("kernel"): game for given, game in games[4:8]}
    assert not any(game["reached"] for _, game in games[:4])
    assert found["3"]["reached"]
    assert not found["2"]["reached"]


def test_what_reaches_the_goal_is_separable_by_degree_3_and_not_by_2():
    once = labs.lab("kernel", **WAVE).once
    assert olc.kernel_perceptron.margin(Polynomial(3, 1.0), once) > 0
    with pytest.raises(ValueError, match="not separable"):
        olc.kernel_perceptron.margin(Polynomial(2, 1.0), once)


def test_of_the_first_points_a_line_misjudges_some_and_a_circle_none(games):
    line, circle = games[0][1], games[1][1]
    assert not line["ended"]
    assert "there is no bound" in line["says"]
    assert circle["ended"]


def test_what_is_copied_prints_what_the_page_says(games, capsys):
    for _, game in games:
        played, bound = printed(game["python"], capsys)
        made = olc.core.game.plural(game["mistakes"], "mistake")
        assert f"Trace({made} in {game['rounds']} round" in played
        assert f": {made} in {game['rounds']} round" in game["says"]
        limit = float(bound.removeprefix("bound "))
        if np.isfinite(limit):  # the page may promise too little, by a hair
            assert limit == pytest.approx(game["bound"], rel=0.02)
            assert game["mistakes"] <= limit
        else:
            assert game["bound"] is None


def test_the_still_has_the_numbers_of_the_script(games):
    alt = olc.lab("kernel").still.alt
    assert re.search(rf"\b{games[0][1]['mistakes']} mistakes in", alt)
