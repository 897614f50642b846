"""The figures of the chapter `online_game` say what the package computes."""

import numpy as np
import pandas as pd

import olc
from olc import halving
from olc.show.plots import online_game as draw
from olc.world.adversaries import Contrary

TABLE = halving.thresholds(7)


def game(kind):
    return olc.duel(kind(8), Contrary(TABLE), rounds=20)


def test_the_situation_names_the_hypothesis_that_is_left():
    points = [6, 0, 4, 2, 1]
    stream = olc.Stream(TABLE[:, points].T, TABLE[2, points])
    figure = draw.situation(stream, target=2)
    assert "Of 8 hypotheses only number 2 agrees with all 5 labels" in figure.alt
    assert figure.table["never wrong so far"].tolist() == [7, 6, 4, 2, 1]


def test_the_measured_figure_keeps_the_runs_the_duels_and_the_bounds():
    random = pd.DataFrame(
        {"learner": "Halving", "size": [4, 4, 8, 8], "mistakes": [0, 2, 1, 2]}
    )
    forced = pd.DataFrame({"learner": "Halving", "size": [4, 8], "mistakes": [2, 3]})
    figure = draw.measured(random, forced)
    assert figure.table.loc[("Halving", 8)].to_dict() == {
        "low": 1,
        "mean": 1.5,
        "high": 2,
        "adversary": 3,
        "bound": 3,
    }
    assert "With 8 hypotheses Halving makes 3 mistakes against the adversary" in (
        figure.alt
    )


def test_the_ledger_of_the_version_space_starts_with_the_whole_class():
    for kind, upper in (
        (olc.Consistent, [8, 7, 6, 5, 4, 3, 2, 1]),
        (olc.Halving, [8, 4, 2, 1]),
    ):
        table = draw.version_space(game(kind), 0).table
        assert table.index.tolist() == list(range(len(upper)))
        assert table["upper"].tolist() == upper
        assert table["potential"].iloc[0] == 8


def test_the_version_space_is_followed_round_by_round():
    trace = game(olc.Halving)
    alts = [draw.version_space(trace, t).alt for t in range(3)]
    left = np.logical_and.accumulate(trace.stream.y[:, None] == trace.stream.X, axis=0)
    assert "Before the first round, Halving has made 0 mistakes and has 8 of" in alts[0]
    for t in (1, 2):
        assert f"After round {t}, Halving has made {t} mistake" in alts[t]
        assert f"has {left[t - 1].sum()} of 8 hypotheses left" in alts[t]


def test_a_round_past_the_end_shows_the_end_of_the_game():
    trace = game(olc.Halving)
    alt = draw.version_space(trace, 99).alt
    assert alt.startswith(f"At the end of the game, after round {len(trace)}, Halving")
    assert f"has made {trace.mistakes} mistakes and has 1 of 8" in alt


def test_hypotheses_that_are_gone_are_drawn_without_a_name():
    trace = game(olc.Halving)
    first, last = (draw.version_space(trace, t) for t in (0, len(trace)))
    assert all(f">{h}<" in first.svgs[0] for h in range(8))
    right = trace.stream.y[:-1, None] == trace.stream.X[:-1]
    gone = np.flatnonzero(~right.all(axis=0))
    assert gone.size
    assert not any(f">{h}<" in last.svgs[0] for h in gone)
