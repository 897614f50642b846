"""The triangle: each mistake takes from the relative entropy what the proof says."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from lab_games import printed, states

import olc
from olc_book import labs

START = labs.lab("triangle").sent
REACHED = {"eta": 2.0, "sent": START + 4 * [[1, 1]]}


def drawn(seed):
    """Return a state with random opinions, of which the right ones change."""
    draw = np.random.default_rng(seed)
    sent = [[int(draw.integers(8)), 1 + t // 7 % 3] for t in range(20)]
    eta = round(float(draw.uniform(0.1, 2.5)), 2)
    return {"eta": eta, "sent": sent, "right": str(sent[-1][1])}


GAMES = [{}, REACHED, {"sent": []}, *map(drawn, range(12))]


@pytest.fixture(scope="module")
def games():
    return [*zip(GAMES, states("triangle", *GAMES), strict=True)]


def test_the_goal_can_be_reached_and_is_not_at_first(games):
    assert not games[0][1]["reached"]
    assert games[1][1]["reached"]


def test_a_small_rate_never_reaches_the_goal():
    # above one half an expert who is right is never contradicted again
    odds = np.exp(2 * 1.4)
    assert odds / (1 + odds) < 0.95
    steps = [[1, 1], [3, 1], [5, 1], [7, 1]]
    tried = [
        {"eta": 1.4, "sent": START + list(tail)}
        for tail in itertools.product(steps, repeat=4)
    ]
    assert not any(game["reached"] for game in states("triangle", *tried))


def test_what_is_copied_prints_what_the_page_says(games, capsys):
    for _, game in games:
        played, weights, left = printed(game["python"], capsys)
        made = olc.core.game.plural(game["mistakes"], "mistake")
        assert played.startswith(f"Trace({made} in ")
        assert game["says"].startswith(f"{made}, weights ")
        shares = re.search("weights ([^A-Z]+)\\. E", game["says"])[1].split(", ")
        found = [float(share) for share in weights.split()[1:]]
        assert [float(share) for share in shares] == pytest.approx(
            found, rel=0.05, abs=1e-4
        )
        assert f"at most {left.split()[1]} more" in game["says"]


def test_every_mistake_takes_what_the_proof_says():
    lab = labs.lab("triangle", sent=[*START, *8 * [[1, 1]]])
    counts = [
        labs.lab("triangle", sent=lab.sent[:t]).left for t in range(len(START), 13)
    ]
    assert counts[0] == 8
    learner = olc.NormalizedWinnow(3, eta=0.5)
    trace = olc.play(learner, lab.stream, record=True)
    entropies = -np.log(trace.weights[len(START) - 1 :, 0])
    drop = olc.normalized_winnow.least_drop(0.5, margin=1)
    assert (-np.diff(entropies) >= drop - 1e-9).all()
    assert len(entropies) - 1 <= counts[0]


def test_the_still_has_the_numbers_of_the_script(games):
    alt, game = olc.lab("triangle").still.alt, games[0][1]
    assert alt.startswith(f"{game['mistakes']} mistakes, weights ")
    assert re.search(r"at most (\d+) more", alt)[1] in game["says"]
