"""The figures of the chapter `online_game` say what the package computes."""

import numpy as np
import pandas as pd

import olc
from olc import halving
from olc.plots import online_game as draw
from olc.standard_optimal import littlestone_dimension

TABLE = halving.thresholds(7)


def contradict(learner):
    """Answer the opposite, at the point where most survivors would agree."""
    y = np.where(learner.predict(TABLE.T) > 0, -1, 1)
    left = (y == TABLE)[learner.alive].sum(axis=0)
    point = int(left.argmax())
    return (TABLE[:, point], int(y[point])) if left[point] else None


def game(kind):
    return olc.duel(kind(8), contradict, rounds=20)


def test_the_situation_names_how_many_hypotheses_are_left():
    points = [6, 0, 4, 2]
    stream = olc.Stream(TABLE[:, points].T, TABLE[2, points])
    left = int((stream.y[:, None] == stream.X).all(axis=0).sum())
    figure = draw.situation(stream, target=2)
    assert f"Of 8 hypotheses {left} agrees with all 4 labels" in figure.alt


def test_the_mistake_tree_is_as_deep_as_the_littlestone_dimension():
    figure = draw.mistake_tree(TABLE)
    depth = littlestone_dimension(TABLE)
    assert f"depth {depth}" in figure.alt
    assert f"its {2**depth} paths end at 8 different hypotheses" in figure.alt


def test_every_leaf_of_a_mistake_tree_is_another_hypothesis():
    figure = draw.mistake_tree(halving.singletons(5))
    assert "its 2 paths end at 2 different hypotheses of a class of 5" in figure.alt


def test_the_envelopes_end_where_the_ledgers_do():
    games = {"consistent": game(olc.Consistent), "halving": game(olc.Halving)}
    ledgers = {name: halving.proof(g) for name, g in games.items()}
    figure = draw.envelopes(ledgers)
    for name, ledger in ledgers.items():
        last = ledger.iloc[-1]
        assert f"{name}: |V| is {last['potential']:g} after {len(ledger)}" in figure.alt
    assert len(figure.svgs) == 2


def test_the_measured_figure_carries_its_numbers():
    columns = ["learner", "size", "least", "mean", "most", "worst", "bound"]
    rows = [["Halving", 4, 0, 1.0, 2, 2, 2], ["Halving", 8, 1, 1.5, 3, 3, 3]]
    results = pd.DataFrame(rows, columns=columns)
    figure = draw.measured(results)
    assert "With 8 thresholds Halving makes 3 mistakes against the opponent" in (
        figure.alt
    )
    assert figure.table.loc[("Halving", 8), "mean"] == 1.5


def test_the_version_space_is_followed_round_by_round():
    trace = game(olc.Halving)
    names = [str(h) for h in range(8)]
    assert "Before the first round: 8 of 8" in draw.version_space(trace, names, 0).alt
    right = trace.stream.y[:, None] == trace.stream.X
    after = int(right[:1].all(axis=0).sum())
    wrong = int(trace.predictions[0] != trace.stream.y[0])
    alt = draw.version_space(trace, names, 1).alt
    assert f"After round 1: {after} of 8 hypotheses left" in alt
    assert f"{wrong} mistakes made" in alt


def test_a_round_past_the_end_shows_the_end_of_the_game():
    trace = game(olc.Halving)
    names = [str(h) for h in range(8)]
    alt = draw.version_space(trace, names, 99).alt
    assert alt.startswith(f"The game ended after round {len(trace)}:")
    assert f"{trace.mistakes} mistakes made" in alt


def test_hypotheses_that_are_gone_are_drawn_without_a_name():
    trace = game(olc.Halving)
    names = [f"name{h}" for h in range(8)]
    first, last = (draw.version_space(trace, names, t) for t in (0, len(trace)))
    assert all(name in first.svgs[0] for name in names)
    gone = np.flatnonzero(
        ~(trace.stream.y[:-1, None] == trace.stream.X[:-1]).all(axis=0)
    )
    assert gone.size
    assert not any(f">name{h}<" in last.svgs[0] for h in gone)
