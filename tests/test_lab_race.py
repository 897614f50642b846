"""The race: only a bad rate or a small game lets the Perceptron win; p has a best."""

from __future__ import annotations

import itertools
import re

import pytest
from lab_games import printed, states

import olc
from olc_book import labs

SPOILT = {"mode": "panel", "tune": 0.05}
BEST = {"mode": "norm", "along": 0.68}  # p near ln(N/k) + √(…)
GAMES = [
    {"mode": mode, "size": size, "k": k, "rounds": rounds, "seed": seed} | rate
    for (mode, rate), (size, k, rounds, seed) in itertools.product(
        [("panel", {"tune": 1}), ("panel", {"tune": 0.4}), ("panel", {"tune": 3.35}),
         ("norm", {"along": 0}), ("norm", {"along": 0.37}), ("norm", {"along": 1})],
        [(4, 1, 300, 1), (6.25, 3, 400, 7), (8.75, 9, 300, 21), (12, 5, 150, 4)],
    )
]  # fmt: skip


@pytest.mark.parametrize("goal", [SPOILT, BEST], ids=["panel", "norm"])
def test_the_goal_can_be_reached_and_is_not_at_first(goal):
    first, found = states("race", {"mode": goal["mode"]}, goal)
    assert not first["reached"]
    assert found["reached"]


def test_with_the_rate_of_the_theorem_the_perceptron_never_wins_a_large_game():
    given = [
        {"size": size, "k": k, "seed": seed, "rounds": rounds}
        for size in (6, 8, 10)
        for k in (1, 3, 5, 7, 9)
        for seed in (1, 2, 3)
        for rounds in (500, 1000)
    ]
    assert not any(game["reached"] for game in states("race", *given))


@pytest.fixture(scope="module")
def games():
    return [*zip(GAMES, states("race", *GAMES), strict=True)]


def test_what_is_copied_prints_what_the_page_says(games, capsys):
    for _, game in games:
        lines = printed(game["python"], capsys)
        told = re.findall(r"(\d+) (?:of at most (\d[\d.,]*\b)|with no)", game["says"])
        for line, (count, most) in zip(lines, told, strict=True):
            found, limit = re.match(r"(\d+) of at most (\S+) by", line).groups()
            assert found == count
            wanted = float(most.replace(",", "")) if most else float("inf")
            assert wanted == pytest.approx(float(limit), rel=5e-3)


def test_the_counts_are_below_the_bounds_and_those_of_olc(games):
    for given, game in games:
        lab = labs.lab("race", **given)
        lost = [olc.play(one, lab.stream).mistakes for one in lab.players.values()]
        assert lost == [game["first"], game["second"], game["third"]]
        for name, count in zip(lab.players, lost, strict=True):
            assert count <= lab.bounds[name]


@pytest.mark.parametrize("mode", ["panel", "norm"])
def test_the_still_says_what_the_script_says(mode):
    (game,) = states("race", {"mode": mode})
    numbers = re.findall(r"(\d+) of at", olc.lab("race", mode=mode).still.alt)
    assert [int(v) for v in numbers] == [game["first"], game["second"], game["third"]]
