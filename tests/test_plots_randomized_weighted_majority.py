"""The figures of `randomized_weighted_majority` say what the package computes."""

import pandas as pd
import pytest

import olc
from olc import randomized_weighted_majority as theory
from olc.adversaries import Split
from olc.plots import randomized_weighted_majority as draw


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.setattr(draw, "LENGTHS", (16, 64))
    return {
        "opponent": draw.regret_table(opponent=True, n=4, seeds=3),
        "guessing": draw.regret_table(opponent=False, n=4, seeds=3),
    }


def test_the_majority_errs_at_twice_the_wrong_share():
    assert "twice that share" in draw.chance().alt


def test_the_simple_form_crosses_at_the_limit_that_the_bound_refuses():
    limit = theory.SIMPLE_ETA
    assert f"below 1 + η up to η = {limit}" in draw.simple_form().alt
    with pytest.raises(ValueError, match="false for eta"):
        theory.mistake_bound(2, 1, limit + 1e-3, simple=True)


def test_the_opponent_leaves_the_majority_half_and_more_of_regret(tables):
    table = tables["opponent"]
    assert (table["WMA mean"] >= 0.5).all()
    assert (table["WMA least"] == table["WMA most"]).all()


def test_the_randomized_form_plays_on_the_stream_of_the_opponent(tables):
    eta = theory.best_eta(4, 64)
    duel = olc.duel(olc.WeightedMajority(4, eta=eta), Split(), rounds=64)
    best = theory.best_expert(duel.stream)[1]
    coins = [
        olc.play(olc.RandomizedWeightedMajority(4, eta=eta, seed=seed), duel.stream)
        for seed in range(3)
    ]
    mean = sum(trace.mistakes - best for trace in coins) / 3 / 64
    row = tables["opponent"].loc[64]
    assert row["RWMA mean"] == pytest.approx(mean)
    assert row["WMA mean"] == pytest.approx((64 - best) / 64)
    assert row["η"] == eta


@pytest.mark.parametrize("situation", ["opponent", "guessing"])
def test_every_mean_regret_is_below_its_bound_and_within_its_range(tables, situation):
    table = tables[situation]
    for kind in ("WMA", "RWMA"):
        assert (table[f"{kind} mean"] <= table[f"{kind} bound"]).all()
        assert (table[f"{kind} least"] <= table[f"{kind} mean"]).all()
        assert (table[f"{kind} mean"] <= table[f"{kind} most"]).all()
    assert table["RWMA bound"][64] == theory.regret_bound(4, 64) / 64


def test_the_headline_figure_says_where_both_end_and_carries_the_numbers(tables):
    figure = draw.no_regret(tables, n=4)
    last = tables["opponent"].loc[64]
    assert "opponent: after 64 rounds" in figure.alt
    assert f"{last['WMA mean']:.3f} for weighted majority" in figure.alt
    assert f"{last['RWMA mean']:.4f} for the randomized form" in figure.alt
    assert figure.table.loc[("opponent", 64), "WMA mean"] == last["WMA mean"]


def test_the_choices_of_eta_end_with_their_regrets():
    rules = ["0.3", "1/√T", "√(ln N/T)"]
    table = pd.DataFrame(index=pd.Index([16, 64], name="T"))
    for place, name in enumerate(rules, start=1):
        table[name], table[f"{name} bound"] = [0.5, 0.1 * place], [0.9, 0.8]
    figure = draw.choices_of_eta(table)
    assert "after 64 rounds is 0.1000 with η = 0.3, 0.2000 with η = 1/√T" in figure.alt


def test_progress_adds_up_the_two_terms_of_the_bound():
    stream = olc.streams.experts(4, rounds=40, seed=0)
    trace = olc.play(olc.RandomizedWeightedMajority(4, eta=0.2), stream)
    bound = theory.mistake_bound(4, 0, 0.2, simple=True)
    best = theory.best_expert(stream)[1]
    figure = draw.progress(trace, eta=0.2)
    assert f"the expected regret is {theory.regret(trace):.1f}" in figure.alt
    total = f"{bound + 0.2 * best:.1f} = {0.2 * best:.1f} + {bound:.1f}"
    assert f"the bound is {total}" in figure.alt
