"""The figures of the chapter `weighted_majority` say what the package computes."""

import numpy as np
import pandas as pd
import pytest

import olc
from olc import weighted_majority as theory
from olc.plots import weighted_majority as draw


@pytest.fixture
def trace():
    stream = olc.streams.experts(4, rounds=30, seed=0, error=0.5, best=0.1)
    return olc.play(olc.WeightedMajority(4, eta=0.3), stream)


def test_losses_are_counted_from_round_zero(trace):
    losses = draw.losses_over_time(trace.stream)
    assert losses.shape == (31, 4)
    assert not losses[0].any()
    assert losses[-1].min() == theory.best_expert(trace.stream)[1]


def test_the_race_names_the_mistakes_of_learner_and_best_expert(trace):
    figure = draw.race(trace)
    best = theory.best_expert(trace.stream)[1]
    assert f"the best of 4 experts has erred {best} times" in figure.alt
    assert f"the learner {trace.mistakes} times" in figure.alt


def test_the_simple_form_crosses_at_the_limit_that_the_bound_refuses():
    limit = theory.SIMPLE_ETA
    assert f"Up to η = {limit}" in draw.simple_form().alt
    assert theory.mistake_bound(2, 1, limit, simple=True) > 0
    with pytest.raises(ValueError, match="false for eta"):
        theory.mistake_bound(2, 1, limit + 1e-3, simple=True)


def test_the_figure_against_eta_finds_the_best_bound():
    table = pd.DataFrame(
        {
            "least": [1, 2],
            "mean": [3.0, 4.0],
            "most": [5, 6],
            "best": [2.0, 2.0],
            "bound": [20.0, 10.0],
            "forced": [9, 8],
            "forced bound": [10.0, 10.0],
        },
        index=pd.Index([0.1, 0.5], name="η"),
    )
    figure = draw.against_eta(table, n=4)
    assert "the bound is least, 10, at η = 0.5" in figure.alt
    assert "up to 90% of the bound" in figure.alt
    assert figure.table is table


def test_progress_ends_with_the_share_of_the_best_expert(trace):
    losses = draw.losses_over_time(trace.stream)[-1]
    weights = 0.7**losses
    best, least = theory.best_expert(trace.stream)
    share = weights[best] / weights.sum()
    figure = draw.progress(trace, eta=0.3)
    assert f"ends with {share:.0%} of the weight" in figure.alt
    assert f"{trace.mistakes - least} more" in figure.alt
    bound = theory.mistake_bound(4, least, 0.3)
    assert f"the bound is {bound:.0f}" in figure.alt


def test_shares_are_drawn_from_the_first_round_on(trace):
    share = np.full((3, 2), 0.5)
    ax = draw.panel()
    draw.draw_shares(ax, share, best=1)
    assert [len(line.get_xdata()) for line in ax.lines] == [3, 3]
