"""The figures of the chapter `weighted_majority` say what the package computes."""

import numpy as np
import pandas as pd
import pytest

import olc
from olc import weighted_majority as theory
from olc.show.plots import weighted_majority as draw


@pytest.fixture
def trace():
    stream = olc.streams.experts(4, rounds=30, seed=0, error=0.5, best=0.1)
    return olc.play(olc.WeightedMajority(4, eta=0.3), stream)


def test_the_race_names_and_keeps_the_mistakes_of_all(trace):
    figure = draw.race(trace)
    losses = theory.losses_over_time(trace.stream)[-1]
    assert f"the best of 4 experts has erred {losses.min():g} times" in figure.alt
    assert f"the worst {losses.max():g} times" in figure.alt
    assert f"the learner {trace.mistakes} times" in figure.alt
    assert figure.table["mistakes"].tolist() == [trace.mistakes, *losses]


def test_the_figure_against_eta_divides_by_the_mistakes_of_the_best_expert():
    table = pd.DataFrame(
        {
            "situation": ["random"] * 4 + ["adversary"] * 2,
            "eta": [0.1, 0.1, 0.5, 0.5, 0.1, 0.5],
            "mistakes": [8, 12, 12, 12, 20, 30],
            "best": [4, 4, 4, 4, 10, 10],
            "bound": [20.0, 24.0, 16.0, 16.0, 25.0, 35.0],
        }
    )
    figure = draw.against_eta(table)
    assert figure.table["median"].tolist() == [2.5, 3.0, 2.0, 3.0]
    assert figure.table["bound"].tolist() == [5.5, 4.0, 2.5, 3.5]
    assert "Random: M / m goes from 2.50 at η = 0.1 to 3.00 at η = 0.5" in figure.alt
    assert "least 2.00 at η = 0.1" in figure.alt


def test_progress_ends_with_the_share_of_the_best_expert(trace):
    weights = 0.7 ** theory.losses_over_time(trace.stream)[-1]
    best, least = theory.best_expert(trace.stream)
    share = weights[best] / weights.sum()
    figure = draw.progress(trace)
    (row,) = figure.table.to_dict("records")
    assert row["its share"] == pytest.approx(share)
    assert row["mistakes"] == trace.mistakes
    assert row["bound"] == theory.mistake_bound(4, least, 0.3)
    assert f"ends with {100 * share:.0f} % of the weight" in figure.alt
    assert f"{trace.mistakes - least} more" in figure.alt


def test_progress_says_when_the_vote_beats_every_expert():
    stream = olc.streams.experts(16, rounds=100, seed=0, error=0.3)
    trace = olc.play(olc.WeightedMajority(16, eta=0.05), stream)
    fewer = theory.best_expert(stream)[1] - trace.mistakes
    assert fewer > 0
    assert f"{fewer} fewer" in draw.progress(trace).alt


def test_shares_start_equal_and_are_those_of_the_learners_weights(trace):
    learner = olc.WeightedMajority(4, eta=0.3)
    olc.play(learner, trace.stream)
    share, best = draw.shares(trace.stream, eta=0.3)
    assert share[0].tolist() == [0.25] * 4
    assert share[-1] == pytest.approx(learner.weights / learner.weights.sum())
    assert best == learner.losses.argmin()


def test_a_pixel_is_worth_its_share_less_that_of_its_contrary():
    votes = olc.streams.experts(4, rounds=20, seed=0, error=[0.1, 0.9, 0.5, 0.5])
    both = olc.Stream(np.hstack([votes.X, -votes.X]), votes.y)
    figure = draw.pixels(both, eta=0.5)
    share, _ = draw.shares(both, eta=0.5)
    expected = (share[-1, :4] - share[-1, 4:]).reshape(2, 2)
    assert figure.table.to_numpy() == pytest.approx(expected.round(3))
    assert expected[0, 0] > 0 > expected[0, 1]
    assert "the heaviest is in row 0, column 0" in figure.alt
