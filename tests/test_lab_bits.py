"""The bits: both learners err as olc's do, within the bounds of their proofs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from lab_games import printed, states

import olc
from olc_book import labs
from olc_book.labs.bits import unpacked

MODES = ("winnow", "drift", "balanced")
CLIMB = {"mode": "drift", "target": 32}
REACHED = {
    "winnow": {
        "mode": "winnow",
        "sent": [[mask, 516] for mask in (
            64799, 62744, 60751, 36241, 57437, 36954, 43275, 33871, 49786, 41025, 51234,
            49369, 44907, 38242, 41833, 35489, 42248)],
    },
    "drift": CLIMB | {"sent": labs.lab("bits", mode="drift").sent + 10 * [[32, 32]]},
    "balanced": {
        "mode": "balanced",
        "sent": [[mask, 32] for mask in (49673, 60272, 7918, 5219, 57125)],
    },
}  # fmt: skip
PROOFS = {
    "winnow": olc.winnow.proof,
    "balanced": olc.balanced_winnow.proof,
}


def drawn(mode, seed):
    """Return a state with random bits, and targets where they move."""
    draw = np.random.default_rng(seed)
    masks = draw.integers(2**15 if mode == "winnow" else 0, 2**16, 40)
    targets = {"winnow": [516], "balanced": [32], "drift": [1, 2**9, 2**15]}[mode]
    aims = [targets[t // 14 % len(targets)] for t in range(41)]
    sent = [[int(mask), aim] for mask, aim in zip(masks, aims, strict=False)]
    return {"mode": mode, "sent": sent, "target": aims[-1]}


GAMES = [drawn(mode, seed) for mode in MODES for seed in range(12)]
GAMES += [*REACHED.values()]


@pytest.fixture(scope="module")
def games():
    return [*zip(GAMES, states("bits", *GAMES), strict=True)]


@pytest.mark.parametrize("mode", MODES)
def test_the_goal_can_be_reached_and_is_not_at_first(mode):
    first, goal = states("bits", {"mode": mode}, REACHED[mode])
    assert not first["reached"]
    assert goal["reached"]


def test_bits_that_are_drawn_do_not_reach_the_goal_of_winnow():
    start = [mask for mask, _ in labs.lab("bits").sent]
    for seed in range(50):
        fresh = np.random.default_rng(seed).random((200, 16)) < 0.3
        X = np.vstack([unpacked(start), fresh])
        X[:, 15] = 1
        y = np.where(X[:, [2, 9]].any(axis=1), 1, -1)
        assert olc.play(olc.Winnow(16), X, y).mistakes < 17


@pytest.mark.parametrize("mode", ["winnow", "balanced"])
def test_the_bits_that_are_shown_first_make_both_err(mode):
    lab = labs.lab("bits", mode=mode)
    before, after = states(
        "bits", lab.state, lab.state | {"sent": [*lab.sent, [lab.bits, lab.target]]}
    )
    for who in ("first", "second"):
        assert after[who] == before[who] + 1


def test_what_is_copied_prints_what_the_page_says(games, capsys):
    for given, game in games:
        *lines, bound = printed(game["python"], capsys)
        lost = [int(line.rsplit(" ", 1)[1]) for line in lines]
        assert lost == [game["first"], game["second"]]
        assert f"of at most {bound.removeprefix('bound ')};" in game["says"]
        assert lost[0] <= labs.lab("bits", **given).bound


def test_the_scores_of_the_bits_that_are_shown_are_those_of_the_learners(games):
    for given, game in games:
        lab = labs.lab("bits", **given)
        x = unpacked(lab.bits) * (2 if lab.mode == "balanced" else 1)
        said = re.findall(r"scores (−?[\d.,]+)", game["says"])
        for learner, score in zip(lab.players.values(), said, strict=True):
            olc.play(learner, lab.stream)
            found = learner.scores(x - (lab.mode == "balanced"))
            assert float(score.replace("−", "-")) == pytest.approx(found, rel=6e-3)


def test_the_potential_is_that_of_the_proof(games):
    for given, game in games:
        lab = labs.lab("bits", **given)
        learner, target = (
            next(iter(lab.players.values())),
            np.array([lab.target >> i & 1 for i in range(16)]),
        )
        trace = olc.play(learner, lab.stream)
        if lab.mode == "drift":
            up = int((lab.stream.y[trace.mistake_rounds] > 0).sum())
            down = trace.mistakes - up
            upper = 16 + 16 * up - olc.winnow_r.least_drop(16) * down
            held = learner.weights.sum()
        else:
            signed = -target if lab.mode == "balanced" else target
            rows = PROOFS[lab.mode](trace, signed).iloc[-1]
            held, upper = rows["potential"], rows["upper"]
        assert game["potential"] == pytest.approx(held)
        assert game["upper"] == pytest.approx(float(upper))
        assert held <= upper + 1e-9


def test_a_weight_below_the_floor_must_be_climbed_again():
    start = labs.lab("bits", mode="drift")
    rows = [
        CLIMB | {"sent": start.sent + times * [[32, 32]]} for times in (0, 5, 10, 11)
    ]
    found = [(game["first"], game["second"]) for game in states("bits", *rows)]
    assert found == [(14, 14), (19, 19), (19, 24), (19, 24)]


@pytest.mark.parametrize("mode", MODES)
def test_the_still_has_the_numbers_of_the_script(mode):
    (game,) = states("bits", {"mode": mode})
    counts = re.findall(r"has made (\d+) mistake", olc.lab("bits", mode=mode).still.alt)
    assert [int(count) for count in counts] == [game["first"], game["second"]]
