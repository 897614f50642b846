"""The figures of the chapter `perceptron_vs_winnow` say what the package computes."""

import math

import pandas as pd
import pytest

import olc
from olc import streams
from olc.show.plots import perceptron_vs_winnow as draw
from olc.world.adversaries import Panel


def learners(n, k):
    return {
        "Perceptron": olc.Perceptron(n),
        "normalised Winnow": olc.NormalizedWinnow(n, eta=1 / k),
        "Balanced Winnow": olc.BalancedWinnow(n, eta=1 / k),
    }


def forced(n, k):
    return {
        name: olc.duel(learner, Panel(n, k), 10_000).mistakes
        for name, learner in learners(n, k).items()
    }


def random(n, k, seed):
    stream = streams.panel(n, k, 500, seed)
    return {
        name: olc.play(learner, stream).mistakes
        for name, learner in learners(n, k).items()
    }


def test_the_race_counts_mistakes_and_names_the_round_of_the_last_one():
    stream = streams.panel(33, k=3, rounds=200, seed=0)
    traces = {
        name: olc.play(learner, stream) for name, learner in learners(33, 3).items()
    }
    figure = draw.race(traces)
    for name, trace in traces.items():
        assert figure.table.loc[name, "mistakes"] == trace.mistakes
        assert figure.table.loc[name, "last in round"] == trace.rounds[-1] + 1
    assert f"makes {traces['Perceptron'].mistakes} mistakes" in figure.alt


@pytest.fixture(scope="module")
def verdict():
    grid = {"n": [9, 15], "k": [1, 3]}
    return draw.headline(olc.sweep(random, **grid, seeds=3), olc.sweep(forced, **grid))


def test_the_headline_has_the_three_bounds_of_a_panel(verdict):
    row = verdict.table.loc[(3, 15)]
    assert row["Perceptron", "bound"] == 45
    assert row["normalised Winnow", "bound"] == round(18 * math.log(15), 1)
    assert row["Balanced Winnow", "bound"] == round(18 * math.log(30), 1)


def test_nothing_in_the_headline_exceeds_its_bound(verdict):
    for name in learners(9, 1):
        numbers = verdict.table[name]
        assert (numbers["forced"] <= numbers["bound"]).all()
        assert (numbers["random"] <= numbers["bound"]).all()


def test_the_headline_shows_the_median_of_the_seeds(verdict):
    games = [random(15, 3, seed)["Perceptron"] for seed in range(3)]
    assert verdict.table.loc[(3, 15), ("Perceptron", "random")] == sorted(games)[1]


def test_the_headline_says_what_is_forced_at_the_largest_panel(verdict):
    assert "At N = 15 and k = 3 the adversary forces" in verdict.alt
    assert f"{forced(15, 3)['Perceptron']} on the Perceptron" in verdict.alt


def test_balanced_winnow_is_forced_beyond_the_perceptrons_bound_at_sixteen():
    table = pd.DataFrame([{"n": n, "k": 7, **forced(n, 7)} for n in (16, 48)])
    figure = draw.crossing(table.drop(columns="normalised Winnow"))
    numbers = figure.table
    assert numbers.loc[16, "Balanced Winnow"] == 117
    assert numbers["Nk"].tolist() == [112, 336]
    assert (numbers["Balanced Winnow"] <= numbers["Balanced Winnow's bound"]).all()
    assert "at N = 16 (117 against 112);" in figure.alt


def test_the_rates_keep_the_means_over_the_seeds():
    rows = [
        {"data": "sparse target", "eta": eta, "seed": seed, "Perceptron": 10 + seed}
        | {"Balanced Winnow": eta * 10 + seed}
        for eta in (0.1, 1.0)
        for seed in (0, 2)
    ]
    figure = draw.rates(pd.DataFrame(rows))
    table = figure.table.loc["sparse target"]
    assert table["Balanced Winnow"].tolist() == [2, 11]
    assert table["Perceptron"].tolist() == [11, 11]
    assert "Balanced Winnow 2 at η = 0.1, 11 at η = 1 and 2 at best" in figure.alt


def test_the_figure_of_irrelevant_features_says_how_far_the_errors_grow():
    rows = [
        {"data": "tumours", "extra": extra, "seed": seed}
        | {"Perceptron": 5 + extra / 10, "Balanced Winnow": 4 + seed}
        for extra in (0, 100)
        for seed in (0, 1)
    ]
    figure = draw.irrelevant(pd.DataFrame(rows))
    assert figure.table.loc[("tumours", 100), "Perceptron"] == 15
    assert "from 5.0 to 15.0 % for the Perceptron" in figure.alt
    assert "from 4.5 to 4.5 % for Balanced Winnow" in figure.alt
