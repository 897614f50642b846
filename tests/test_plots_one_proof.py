"""The figures of the chapter `one_proof` say what the package computes."""

import numpy as np
import pandas as pd
import pytest

import olc
from olc import adversaries, one_proof, p_norm, streams
from olc.show.plots import one_proof as draw

PANEL = streams.panel(16, 3, 300, seed=0)


def test_the_links_are_compared_at_half_of_the_largest_entry():
    s = np.arange(5.0)
    shares = {f"p = {p}": (s / 4) ** (p - 1) for p in (2, 4)}
    figure = draw.links(pd.DataFrame(shares, index=s / 4))
    assert "0.5 of the largest has a weight of 0.5 (p = 2), 0.125 (p = 4)" in figure.alt


def run(n, k, p, seed):
    return olc.play(olc.PNormPerceptron(n, p=p), streams.panel(n, k, 100, seed))


def force(n, k, p):
    return olc.duel(olc.PNormPerceptron(n, p=p), adversaries.Panel(n, k), 400)


def winnow(n, k, seed):
    return olc.play(olc.NormalizedWinnow(n, eta=1 / k), streams.panel(n, k, 100, seed))


def test_the_slider_has_the_mistakes_of_its_own_n_and_k():
    grid, orders = {"n": [9, 16], "k": 3}, {"p": [2, 4]}
    random = olc.sweep(run, **grid, **orders, seeds=3)
    forced = olc.sweep(force, **grid, **orders)
    rivals = olc.sweep(winnow, **grid, seeds=3)
    learner = olc.PNormPerceptron(16, p=4)
    olc.play(learner, PANEL)
    figure = draw.slider(learner, PANEL.target, random, forced, rivals)
    table = figure.table
    assert table["bound"].tolist() == [
        48,
        pytest.approx(p_norm.panel_bound(16, 3, 4), 0.01),
    ]
    assert table.loc[2, "adversary"] == force(16, 3, 2).mistakes
    assert table.loc[4, "random"] == np.median(
        [run(16, 3, 4, s).mistakes for s in range(3)]
    )
    assert (table["random"] <= table["adversary"]).all()
    assert (table["adversary"] <= table["bound"]).all()
    sizes = np.abs(learner.weights)
    share = sizes[PANEL.target > 0].sum() / sizes.sum()
    assert f"ends with {100 * share:.0f} % of the weight" in figure.alt
    rival = np.median([winnow(16, 3, seed).mistakes for seed in range(3)])
    assert f"normalised Winnow makes {rival:.0f} on them" in figure.alt


def test_the_ledgers_are_those_of_the_games():
    found = {
        "Perceptron": one_proof.proof(olc.play(olc.Perceptron(16), PANEL)),
        "p-norm Perceptron": one_proof.proof(olc.play(olc.PNormPerceptron(16), PANEL)),
    }
    figure = draw.ledgers(found)
    for name, ledger in found.items():
        assert figure.table.loc[name, "potential"].equals(ledger["potential"])
        assert f"after {len(ledger)} mistakes" in figure.alt


def test_the_norms_say_which_p_is_best_for_which_data():
    table = pd.DataFrame(
        {
            "data": ["one", "one", "two", "two"],
            "p": [2, 8, 2, 8],
            "seed": 0,
            "mistakes": [90, 30, 40, 70],
            "bound": [900, 300, 400, 800],
        }
    )
    figure = draw.norms(table)
    assert "With one the fewest mistakes are 30 at p = 8" in figure.alt
    assert "With two the fewest mistakes are 40 at p = 2" in figure.alt
    assert figure.table.loc[("two", 8), "bound"] == 800


def test_the_noise_has_mean_mistakes_and_bounds():
    table = pd.DataFrame(
        {
            "learner": ["Perceptron"] * 4,
            "noise": [0, 0, 0.1, 0.1],
            "seed": [0, 1, 0, 1],
            "mistakes": [10, 20, 100, 140],
            "bound": [50.0, 50.0, 300.0, 340.0],
        }
    )
    figure = draw.noise(table)
    assert figure.table.loc[("Perceptron", 0.1)].tolist() == [120, 320]
    assert "With 10 % wrong labels" in figure.alt
    assert "Perceptron 120 of at most 320" in figure.alt
