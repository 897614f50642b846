"""The figures of the chapter `normalized_winnow` say what the package computes."""

import math

import numpy as np
import pytest

import olc
from olc import adversaries, streams
from olc import normalized_winnow as theory
from olc.show.plots import normalized_winnow as draw


def test_the_opinions_count_how_often_experts_are_right():
    stream = streams.panel(9, k=3, rounds=10, seed=0)
    right = np.equal(stream.X, stream.y[:, None]).mean(axis=0)
    figure = draw.opinions(stream)
    np.testing.assert_array_equal(figure.table["right"], right)
    members = right[figure.table["member"]]
    assert len(members) == 3
    assert f"{100 * members.min():.0f} % to {100 * members.max():.0f} %" in figure.alt


def test_the_chord_is_never_below_the_exponential_and_stands_at_cosh_over_zero():
    figure = draw.chord(0.5)
    table = figure.table
    assert (table["chord"] >= table["curve"] - 1e-12).all()
    assert table.loc[0, "chord"] == pytest.approx(math.cosh(0.5))
    assert f"cosh η = {math.cosh(0.5):.3f}" in figure.alt


@pytest.mark.parametrize(("eta", "says"), [(0.3, "the bound is"), (2.0, "no bound")])
def test_the_rate_has_a_bound_only_where_c_is_positive(eta, says):
    stream = streams.panel(63, 3, 200, seed=1)
    trace = olc.play(olc.NormalizedWinnow(63, eta=eta), stream, record=True)
    figure = draw.rate(trace)
    assert (theory.least_drop(eta, 1 / 3) > 0) == (says == "the bound is")
    assert says in figure.alt
    assert f"errs {trace.mistakes} times" in figure.alt
    share = trace.weights[:, stream.target > 0].sum(axis=1)
    assert figure.table["panel"].iloc[0] == pytest.approx(3 / 63)
    np.testing.assert_allclose(figure.table["panel"].iloc[1:], share)


def test_the_potentials_are_those_of_the_ledgers():
    learner = olc.NormalizedWinnow(16, eta=1 / 3)
    duel = olc.duel(learner, adversaries.Panel(16, k=3), rounds=100)
    ledger = theory.proof(duel)
    figure = draw.potentials({"adversary": ledger}, start=math.log(16 / 3))
    assert figure.table.loc["adversary", "potential"].equals(ledger["potential"])
    assert f"after {duel.mistakes} mistakes" in figure.alt


def run(n, k, seed, eta=None):
    learner = olc.NormalizedWinnow(n, eta=eta or 1 / k)
    return olc.play(learner, streams.panel(n, k, 100, seed))


def force(n, k, eta=None):
    learner = olc.NormalizedWinnow(n, eta=eta or 1 / k)
    return olc.duel(learner, adversaries.Panel(n, k, tries=1), 100)


@pytest.mark.parametrize(
    ("x", "grid"), [("n", {"n": [7, 15], "k": 3}), ("k", {"n": 15, "k": [3, 5]})]
)
def test_the_adversary_lies_between_chance_and_the_bound(x, grid):
    random, forced = olc.sweep(run, **grid, seeds=2), olc.sweep(force, **grid)
    table = draw.against(x, random, forced).table
    n, k = forced[["n", "k"]].iloc[-1]
    sharp = theory.mistake_bound(int(n), 1 / k, eta=1 / k, spread=int(k))
    assert table["bound"].iloc[-1] == pytest.approx(sharp)
    assert (table["random"] <= table["adversary"]).all()
    assert (table["adversary"] <= table["bound"]).all()


def test_the_adversary_never_stops_where_there_is_no_bound():
    grid = {"n": 9, "k": 3, "eta": [0.3, 0.9]}
    random, forced = olc.sweep(run, **grid, seeds=2), olc.sweep(force, **grid)
    figure = draw.against("eta", random, forced)
    assert figure.table.loc[0.3, "adversary"] <= figure.table.loc[0.3, "bound"]
    assert figure.table.loc[0.9, "bound"] == "∞"
    assert figure.table.loc[0.9, "adversary"] == 100
    assert "From η = 0.9 on there is no bound" in figure.alt
