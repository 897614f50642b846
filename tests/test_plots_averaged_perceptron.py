"""The figures of the chapter `averaged_perceptron` say what the package finds."""

import numpy as np

import olc
from olc.plots import averaged_perceptron as draw


def test_the_average_of_wandering_lines_errs_less_than_it_was_told():
    clean = olc.streams.separable(2, 0.15, 120, 2)
    noisy = olc.streams.flip_labels(clean, 0.15, 2)
    learner = olc.AveragedPerceptron(2)
    mistakes = olc.play(learner, noisy).mistakes
    error = np.mean(learner.classify(clean.X) != clean.y)
    assert error < 0.15
    assert f"made {mistakes} mistakes" in draw.wandering().alt
    assert f"average misclassifies {error:.0%} of the points" in draw.wandering().alt


def test_averaging_beats_the_last_hypothesis_under_noise():
    table = draw.noise(0.2, n=5, rounds=(100, 400), seeds=3).table
    assert (table["averaged"] < table["last"]).all()
    assert (table["voted"] < table["last"]).all()


def test_lifetimes_name_the_longest_survivor():
    stream = olc.streams.separable(5, 0.05, 300, seed=0)
    learner = olc.VotedPerceptron(5)
    olc.play(learner, stream)
    best = int(learner.lifetimes.argmax())
    wrong = np.mean(np.sign(stream.X @ learner.longest_survivor) != stream.y)
    text = draw.lifetimes(stream).alt
    assert f"number {best + 1}, was in use for {learner.lifetimes[best]:.0f}" in text
    assert f"errs on {wrong:.1%}" in text
