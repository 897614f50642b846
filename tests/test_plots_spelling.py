"""The figures of the chapter `spelling` say what the package finds."""

import numpy as np
import pandas as pd
import pytest

import olc
from olc import text
from olc.show.plots import spelling as draw


def test_thresholds_name_the_best_one_and_the_last():
    table = pd.DataFrame(
        {
            "theta": [1, 10, 100] * 2,
            "learner": ["Winnow"] * 3 + ["Balanced Winnow"] * 3,
            "mistakes": [90, 20, 50, 10, 12, 30],
        }
    )
    figure = draw.thresholds(table, active=12, n=100)
    assert "about 12 active features" in figure.alt
    assert "Winnow errs 20 times at θ = 10 and 50 times at θ = 100" in figure.alt
    assert figure.table.loc[1].to_dict() == {"Winnow": 90, "Balanced Winnow": 10}


def test_the_race_counts_the_mistakes_so_far():
    data = text.stream("affect", "effect", seed=0)
    traces = {
        "Perceptron": olc.play(olc.Perceptron(data.n), data),
        "margin Winnow": olc.play(
            olc.BalancedMarginWinnow(data.n, alpha=1.1, thickness=4), data
        ),
    }
    figure = draw.race(traces)
    for name, trace in traces.items():
        early = int((trace.rounds < len(data) // 4).sum())
        assert figure.table.loc[name].tolist() == [early, trace.mistakes]
    fewest = min(traces, key=lambda name: traces[name].mistakes)
    assert f"{fewest} has made {traces[fewest].mistakes} mistakes" in figure.alt


def test_accuracies_are_means_over_the_splits_and_say_who_is_ahead():
    table = pd.DataFrame(
        {
            "words": ["a/b", "a/b", "c/d", "c/d"] * 2,
            "seed": [0, 1] * 4,
            "learner": ["margin Winnow"] * 4 + ["naive Bayes"] * 4,
            "accuracy": [0.9, 1.0, 0.8, 0.8, 0.9, 0.9, 0.7, 1.0],
        }
    )
    figure = draw.accuracies(table, ["margin Winnow", "naive Bayes"])
    assert figure.table.loc["c/d"].tolist() == [80.0, 85.0]
    assert figure.table.index.tolist() == ["a/b", "c/d"]
    assert "margin Winnow 87.5 %, naive Bayes 87.5 %" in figure.alt
    assert "Against naive Bayes, margin Winnow is ahead on 1 sets and behind on 1" in (
        figure.alt
    )


def test_noise_is_averaged_over_the_runs_of_each_kind():
    table = pd.DataFrame(
        {
            "kind": ["labels"] * 4 + ["features"] * 4,
            "chance": [0, 0, 0.3, 0.3] * 2,
            "learner": ["Perceptron"] * 8,
            "accuracy": [0.9, 1.0, 0.6, 0.7, 0.9, 1.0, 0.8, 0.8],
        }
    )
    figure = draw.noise(table)
    assert figure.table["Perceptron"].tolist() == [95.0, 65.0, 95.0, 80.0]
    assert "wrong labels: Perceptron 65 %; wrong features: Perceptron 80 %" in (
        figure.alt
    )


def test_reliable_probabilities_come_true_as_often_as_they_say():
    random = np.random.default_rng(0)
    chances = random.random(20_000)
    happened = random.random(20_000) < chances
    figure = draw.reliability(chances, happened)
    assert figure.table["sentences"].sum() == 20_000
    assert (figure.table["predicted"] - figure.table["came true"]).abs().max() < 0.03
    boastful = draw.reliability(np.where(chances > 0.5, 0.95, 0.05), happened)
    assert boastful.table["came true"].tolist() == pytest.approx([0.25, 0.75], abs=0.02)
    assert "0 of 2 bins are within two standard errors" in boastful.alt


def test_votes_are_the_weights_of_the_features_that_the_dictionary_knows():
    words = ("than", "then")
    learned = text.gap("More than enough", words)
    dictionary = text.Dictionary()
    X = dictionary.rows([text.features(learned)])
    learner = olc.BalancedMarginWinnow(X.shape[1], alpha=2, thickness=1)
    olc.play(learner, X, [1])
    figure = draw.votes(
        text.gap("Much more than that one", words), words, learner, dictionary
    )
    assert figure.table["weight"].to_dict() == {"_": 1.5, "more": 1.5, "more _": 1.5}
    assert "“Much more ____ that one”" in figure.alt
    assert "the score is 3.5 above the threshold" in figure.alt
    assert "so the guess is “than”, which is right" in figure.alt
    wrong = draw.votes(text.gap("More then enough", words), words, learner, dictionary)
    assert "so the guess is “than”, but it was “then”" in wrong.alt
