"""The adversary: halving errs three times, never four, and the games are olc's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from lab_games import printed, states

import olc
from olc_book import labs
from olc_book.labs.adversary import PANEL, forced

MODES = tuple(labs.told("adversary"))
EVEN = [[15, -1], [51, -1], [85, -1]]  # four against four, two, one


def rounds(adversary, rival, count):
    """Return what an adversary of the book plays, as the reader would."""
    stream = olc.duel(rival, adversary, rounds=count).stream
    masks = (stream.X > 0) @ (1 << np.arange(rival.n))
    return [[int(mask), int(y)] for mask, y in zip(masks, stream.y, strict=True)]


def attacked(mode, count, **more):
    """Return a state in which the adversary of the book has played so many rounds."""
    rival = olc.lab("adversary", mode=mode, **more).rival
    panel = mode == "force"
    cruel = olc.adversaries.Panel(rival.n, PANEL) if panel else olc.adversaries.Split()
    if mode == "randomized":
        rival = olc.WeightedMajority(8, eta=0.5)  # the same attack
    return {"mode": mode, "rounds": rounds(cruel, rival, count)} | more


REACHED = {
    "halving": {"mode": "halving", "rounds": EVEN},
    "weighted": attacked("weighted", 8),
    "randomized": attacked("randomized", 9),
    "force": attacked("force", 100),
}


@pytest.mark.parametrize("mode", MODES)
def test_the_goal_can_be_reached_and_is_not_at_first(mode):
    first, goal = states("adversary", {"mode": mode}, REACHED[mode])
    assert not first["reached"]
    assert goal["reached"]


@pytest.mark.parametrize("mode", MODES)
def test_denying_the_first_split_is_a_mistake(mode):
    first = olc.lab("adversary", mode=mode).state
    (now,) = states("adversary", {"mode": mode})
    (then,) = states(
        "adversary", {"mode": mode, "rounds": [[first["split"], now["denial"]]]}
    )
    assert then["M"] >= 0.5


def test_nobody_can_make_halving_err_a_fourth_time():
    # only how many are left counts: every way to leave fewer, down to the one
    chains = [
        [8, *left, 1]
        for k in range(7)
        for left in itertools.combinations(range(7, 1, -1), k)
    ]
    games = [
        {"rounds": [[(1 << left) - 1, 1] for left in chain[1:]]} for chain in chains
    ]
    found = states("adversary", *games)
    assert max(game["M"] for game in found) == 3
    assert sum(game["M"] == 3 for game in found) < len(found) / 2


def test_a_coin_is_hurt_half_as_much_by_the_same_attack():
    sure, coin = states(
        "adversary", attacked("weighted", 20), attacked("randomized", 20)
    )
    assert sure["M"] == 20
    assert coin["M"] == pytest.approx(10, rel=0.03)


def test_what_is_known_is_what_the_adversary_of_the_book_forces():
    table = [*itertools.product(["Perceptron", "NormalizedWinnow", "BalancedWinnow"],
                                range(4, 17))]  # fmt: skip
    given = [{"mode": "force", "learner": name, "n": n} for name, n in table]
    found = states("adversary", *given)
    assert [game["known"] for game in found] == [forced(*one) for one in table]


GAMES = [{"mode": mode} for mode in MODES] + [
    *REACHED.values(),
    attacked("weighted", 14, eta=0.3),
    attacked("force", 30, learner="BalancedWinnow", n=12),
    attacked("force", 30, learner="NormalizedWinnow", n=9),
]


def test_what_is_copied_prints_what_the_page_says(capsys):
    for given, game in zip(GAMES, states("adversary", *GAMES), strict=True):
        first, *lines = printed(game["python"], capsys)
        if given["mode"] == "randomized":
            assert float(first) == pytest.approx(game["M"])
        else:
            made = olc.core.game.plural(game["M"], "mistake")
            assert first.startswith(f"Trace({made} in ")
        numbers = dict(line.rsplit(" ", 1) for line in lines if "Trace" not in line)
        for name, key in (("bound", "bound"), ("best expert", "best")):
            if name in numbers:
                assert float(numbers[name]) == pytest.approx(game[key])
        assert "bound" in numbers


@pytest.mark.parametrize("mode", MODES)
def test_the_still_shows_what_can_be_forced(mode):
    (game,) = states(
        "adversary", REACHED["force"] if mode == "force" else {"mode": mode}
    )
    alt = olc.lab("adversary", mode=mode).still.alt
    assert alt.startswith(f"A good adversary makes {'' if mode != 'halving' else '3 '}")
    assert mode != "force" or f"{game['M']} mistakes" in alt
