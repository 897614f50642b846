"""The figures of the chapter `winnow` say what the package finds."""

import numpy as np

import olc
from olc.plots import winnow as draw


def test_the_situation_shows_as_many_positives_as_its_text_says():
    stream = olc.streams.disjunction(16, 2, 12, 3)
    assert f"{int((stream.y > 0).sum())} are positive" in draw.scale_of_weights().alt


def test_every_step_of_the_replay_names_the_total_weight_of_that_moment():
    stream = olc.streams.disjunction(32, 2, 300, seed=0)
    trace = olc.play(olc.Winnow(32, eliminate=True), stream, record=True)
    assert "total weight is 32 " in draw.weights_after(trace, 0).alt
    last = len(trace.updates)
    total = f"total weight is {trace.weights[-1].sum():.5g} "
    assert total in draw.weights_after(trace, last).alt


def test_scaling_puts_the_adversary_between_chance_and_the_bound():
    table = draw.scaling([16, 64], ks=[1, 2], rounds=200, seeds=3).table
    assert (table["random, most"] <= table["worst case"]).all()
    assert (table["worst case"] <= table["bound"]).all()


def test_elimination_suffers_more_from_noise_than_demotion():
    clean = olc.streams.disjunction(50, 2, 800, 1)
    noisy = olc.streams.flip_labels(clean, 0.05, 1)
    played = olc.play(olc.Winnow(50), noisy).predictions
    wrong = int(np.sum(played != clean.y))
    text = draw.noise(50, 2, 800, 0.05, 1).alt
    assert f"demotion errs {wrong} times" in text
    assert int(text.split("elimination ")[1].split()[0]) > wrong


def test_the_figure_of_the_factor_states_the_bound_at_its_factor():
    bound = olc.winnow.mistake_bound(64, 2, alpha=1.5)
    assert f"the bound is {bound} " in draw.factor(1.5, n=64, k=2, seeds=2).alt
