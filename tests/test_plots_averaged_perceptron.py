"""The figures of the chapter `averaged_perceptron` say what the package finds."""

import numpy as np
import pandas as pd
import pytest

import olc
from olc import streams
from olc.show.plots import averaged_perceptron as draw


def test_the_average_of_wandering_lines_errs_less_than_each_of_them():
    clean = streams.separable(2, 0.15, 120, seed=2)
    noisy = streams.flip_labels(clean, 0.15, seed=2)
    voted, averaged = olc.VotedPerceptron(2), olc.AveragedPerceptron(2)
    mistakes = olc.play(voted, noisy).mistakes
    olc.play(averaged, noisy)
    figure = draw.wandering(voted, noisy, clean)
    error = figure.table["error"]
    assert len(error) == 13
    assert error["average"] == np.mean(averaged.classify(clean.X) != clean.y)
    assert error["average"] < error.drop("average").min()
    assert error[mistakes] == pytest.approx(
        np.mean(voted.predict(clean.X) != clean.y), abs=0.0005
    )
    assert f"made {mistakes} mistakes in 120 rounds" in figure.alt


def test_held_out_errors_are_means_over_the_seeds():
    runs = pd.DataFrame(
        {
            "noise": [0, 0, 0.1, 0.1],
            "seed": [0, 1, 0, 1],
            "last": [0.1, 0.3, 0.4, 0.5],
            "longest survivor": [0.1, 0.1, 0.2, 0.2],
            "voted": [0.0, 0.1, 0.1, 0.1],
            "averaged": [0.0, 0.0, 0.1, 0.0],
        }
    )
    figure = draw.held_out(runs, "noise")
    assert figure.table.loc[0.1].to_dict() == {
        "last": 0.45,
        "longest survivor": 0.2,
        "voted": 0.1,
        "averaged": 0.05,
    }
    assert "Mean error with 10 % wrong labels: last 45.0 %" in figure.alt
    assert "longest survivor 20.0 %, voted 10.0 %" in figure.alt
    rounds = runs.rename(columns={"noise": "rounds"}).assign(rounds=20)
    assert "Mean error after 20 rounds: last" in draw.held_out(rounds, "rounds").alt


def test_lifetimes_are_judged_on_fresh_examples_and_leave_out_the_first_hypothesis():
    data = streams.separable(5, 0.05, 1300, seed=0)
    game, fresh = data[:300], data[300:]
    learner = olc.VotedPerceptron(5)
    mistakes = olc.play(learner, game).mistakes
    figure = draw.lifetimes(learner, fresh)
    assert figure.table.index.tolist() == list(range(2, mistakes + 2))
    best = int(figure.table["rounds in use"].idxmax())
    wrong = np.mean(np.sign(fresh.X @ learner.longest_survivor) != fresh.y)
    assert figure.table["error"][best] == pytest.approx(wrong, abs=5e-5)
    assert f"Hypothesis {best} lived longest" in figure.alt
    assert f"errs on {100 * wrong:.1f} % of fresh" in figure.alt
