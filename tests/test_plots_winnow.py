"""The figures of the chapter `winnow` say what the package finds."""

import numpy as np
import pandas as pd
import pytest

import olc
from olc import adversaries, streams
from olc import winnow as theory
from olc.show.plots import winnow as draw


def test_the_situation_counts_the_examples_with_a_relevant_bit():
    stream = streams.disjunction(16, 2, 12, seed=3)
    figure = draw.situation(stream)
    hit = (stream.X[:, stream.target > 0] > 0).any(axis=1)
    assert figure.alt.startswith(f"{hit.sum()} of the 12 examples are positive")
    assert ((figure.table["y"] > 0) == hit).all()


def test_growth_shows_the_median_of_the_runs():
    runs = {"learner": "Winnow", "n": [8, 8, 8, 64], "mistakes": [1, 2, 9, 5]}
    figure = draw.growth(pd.DataFrame(runs), "n", "features", "A made-up table.")
    assert figure.table.loc[("Winnow", 8)].to_list() == [1, 2, 9]
    assert "from 2 to 5 (Winnow)" in figure.alt


@pytest.mark.parametrize("eliminate", [False, True])
def test_every_step_of_the_replay_has_the_weights_of_that_moment(eliminate):
    stream = streams.disjunction(32, 2, 300, seed=0)
    learner = olc.Winnow(32, eliminate=eliminate)
    trace = olc.play(learner, stream, record=True)
    first, last = (draw.moment(trace, step) for step in (0, trace.mistakes))
    assert (first.table["weight"] == 1).all()
    assert first.table["relevant"].sum() == 2
    np.testing.assert_array_equal(last.table["weight"], trace.weights[-1])


def test_scaling_puts_the_adversary_between_chance_and_the_bound():
    def run(n, k, seed):
        return olc.play(olc.Winnow(n), streams.disjunction(n, k, 200, seed))

    def force(n, k):
        return olc.duel(olc.Winnow(n), adversaries.Disjunction(n, k), 1000)

    sizes = {"n": [16, 64], "k": [1, 2]}
    random, forced = olc.sweep(run, seeds=3, **sizes), olc.sweep(force, **sizes)
    table = draw.scaling(random, forced).table
    assert table.loc[(2, 64), "bound"] == theory.mistake_bound(64, 2)
    assert table.loc[(2, 64), "any learner"] == 10
    assert (table["random"] <= table["adversary"]).all()
    assert (table["adversary"] <= table["bound"]).all()
