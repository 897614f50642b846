"""Sweeps: one row per run, the same table however it is worked on, and no stray bar."""

import re
import sys
from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
import tqdm.auto
from helpers import run_alone

import olc
from olc.sweep import _far_away


def product(n, k):
    return n * k


def noise(n, seed):
    return {"drawn": np.random.default_rng(seed).random() * n, "bits": n.bit_length()}


def game(learner, n, seed):
    return olc.play(learner(n), olc.streams.panel(n, 3, 100, seed))


# ------------------------------------------------------------------ the table


def test_a_number_becomes_a_row_and_the_last_setting_moves_fastest():
    table = olc.sweep(product, n=[4, 2], k=(1, 3))
    assert table.columns.tolist() == ["n", "k", "value"]
    assert table.values.tolist() == [[4, 1, 4], [4, 3, 12], [2, 1, 2], [2, 3, 6]]
    assert olc.sweep(lambda: 3).to_dict("list") == {"value": [3]}


def test_a_dict_becomes_columns_beside_settings_and_seed():
    table = olc.sweep(noise, n=[4], seeds=2)
    assert table.columns.tolist() == ["n", "seed", "drawn", "bits"]
    assert table["seed"].tolist() == [0, 1]
    assert table["drawn"].tolist() == [noise(4, seed)["drawn"] for seed in (0, 1)]
    assert olc.sweep(noise, n=1, seeds=np.array([7, 5]))["seed"].tolist() == [7, 5]


def test_a_trace_becomes_its_mistakes_and_rounds():
    table = olc.sweep(game, learner=olc.Perceptron, n=9, seeds=[5])
    mistakes = game(olc.Perceptron, 9, 5).mistakes
    assert table.to_dict("list") == {
        "learner": ["Perceptron"], "n": [9], "seed": [5], "mistakes": [mistakes],
        "rounds": [100], "expected_mistakes": [mistakes],
    }  # fmt: skip
    assert table.dtypes["mistakes"] == np.int64

    def coins(seed):
        learner = olc.RandomizedWeightedMajority(4, eta=0.5, seed=seed)
        return olc.play(learner, olc.streams.experts(4, 50, seed))

    expected = olc.sweep(coins, seeds=2)["expected_mistakes"].tolist()
    assert expected == [coins(seed).expected_mistakes for seed in range(2)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (5, [5]),
        ("ab", ["ab"]),
        (range(3), [0, 1, 2]),
        ((2**i for i in range(3)), [1, 2, 4]),
        (np.array([1, 2]), [1, 2]),
        (np.array(3.5), [3.5]),
        (pd.Series([1.5, 2.5]), [1.5, 2.5]),
        ([True, False], [True, False]),
    ],
)
def test_a_setting_is_one_value_or_many(given, expected):
    seen = []
    table = olc.sweep(lambda setting: seen.append(setting) or 0, setting=given)
    assert table["setting"].tolist() == seen == expected
    assert [type(value) for value in seen] == [type(value) for value in expected]


def test_values_are_labelled_by_a_dict_or_by_themselves():
    half = partial(olc.NormalizedWinnow, eta=0.5)
    named = {"additive": olc.Perceptron, "half": half}
    table = olc.sweep(game, learner=named, n=[9], seeds=1)
    assert table["learner"].tolist() == ["additive", "half"]
    assert table["mistakes"].iloc[1] == game(half, 9, 0).mistakes
    things = [olc.Perceptron, product, olc.Perceptron(3), olc.Exp3(3, eta=0.1)]
    table = olc.sweep(lambda thing: 1, thing=things)
    assert table["thing"].tolist() == [
        "Perceptron", "product", "Perceptron(n=3, rate=1.0)", "Exp3(arms=3, eta=0.1)",
    ]  # fmt: skip


def test_a_run_may_return_its_settings_and_scalars_of_numpy():
    table = olc.sweep(lambda n: {"n": n, "half": np.float32(n / 2)}, n=[2, 3])
    assert table.to_dict("list") == {"n": [2, 3], "half": [1.0, 1.5]}


def test_every_run_gets_learners_as_they_were_and_the_stream_itself():
    learner, whole = olc.Perceptron(9), olc.streams.panel(9, 3, 50, seed=0)

    def run(learner, stream, seed):
        assert stream is whole
        return olc.play(learner, stream)

    table = olc.sweep(run, learner=[learner], stream={"panel": whole}, seeds=3)
    assert table["mistakes"].nunique() == 1
    assert not learner.weights.any()


# ------------------------------------------------------------------ paired differences


def test_differences_are_taken_run_by_run_for_every_setting():
    rows = [(8, 0, 5, 1), (8, 1, 9, 8), (16, 2, 10, 11), (8, 2, 4, 6), (16, 0, 20, 15),
            (16, 1, 30, 22)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["n", "seed", "A", "B"])
    found = olc.paired(table, "A", "B")
    # at n = 8 the differences are 4, 1 and -2, at n = 16 they are -1, 5 and 8
    assert found.index.tolist() == [8, 16]
    assert found["difference"].tolist() == [1, 4]
    assert found["standard error"].tolist() == pytest.approx([3**0.5, 7**0.5])
    assert found["runs"].tolist() == [3, 3]
    (row,) = olc.paired(table, "A", "B", by=[]).to_dict("index").items()
    assert row[0] == "A − B"
    error = (np.var([4, 1, -2, 5, 8, -1], ddof=1) / 6) ** 0.5
    assert list(row[1].values()) == pytest.approx([2.5, error, 6])


# --------------------------------------------- the same table, however it is worked on

SETTINGS = {
    "learner": {
        "Perceptron": olc.Perceptron,
        "Winnow": lambda n: olc.NormalizedWinnow(n, eta=1 / 3),  # pickle takes none
    },
    "n": [9, 15],
    "seeds": 2,
}


class AllAtOnce(joblib._parallel_backends.ThreadingBackend):
    """A backend that gives back its results all at once, as Ray's does."""

    supports_return_generator = False


def test_processes_threads_and_clusters_give_the_same_table():
    alone = olc.sweep(game, **SETTINGS)
    assert len(alone) == 8
    pd.testing.assert_frame_equal(olc.sweep(game, n_jobs=2, **SETTINGS), alone)
    joblib.register_parallel_backend("all at once", AllAtOnce)
    for backend in ("threading", "all at once"):
        with joblib.parallel_config(backend=backend):
            table = olc.sweep(game, n_jobs=2, **SETTINGS)
        pd.testing.assert_frame_equal(table, alone)


def test_one_process_does_the_work_unless_more_are_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert len(olc.sweep(game, **SETTINGS)) == 8
    with pytest.raises(
        ModuleNotFoundError, match="joblib is missing: pip install jobl"
    ):
        olc.sweep(product, n=1, k=1, n_jobs=2)


# ------------------------------------------------------------------ what goes wrong


class TwoPartError(Exception):
    """An error that pickle cannot bring back."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def fails(n, learner, seed):
    if n == 3 and seed == 1:
        raise TwoPartError("this", "that")
    return 0


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_names_the_run_that_made_it(n_jobs):
    words = "fails(n=3, learner='Winnow', seed=1) failed: TwoPartError: this and that"
    with pytest.raises(RuntimeError, match=re.escape(words)):
        olc.sweep(fails, n=[2, 3], learner={"Winnow": None}, seeds=2, n_jobs=n_jobs)


def test_an_error_leaves_behind_what_pickle_cannot_bring_back():
    point = {"n": (3, 3), "learner": ("Winnow", None), "seed": (1, 1)}
    with pytest.raises(RuntimeError, match="TwoPartError") as found:
        _far_away(fails, point)
    assert found.value.__cause__ is found.value.__context__ is None  # Dask would hang


# ------------------------------------------------------------------ the bar


BAR = """
import sys, tqdm.auto, olc
sys.stderr, bar = sys.stdout, tqdm.auto.tqdm
def patient(*given, **named):
    assert (named["delay"], named["leave"]) == (1, False)
    return bar(*given, **named | {"delay": 0})
tqdm.auto.tqdm = patient
olc.sweep(lambda n: n, n=[1, 2])
"""


def test_a_bar_is_shown_unless_a_switch_leaves_it_out():
    assert "runs:" in run_alone(BAR, TQDM_DISABLE="")
    assert run_alone(BAR, TQDM_DISABLE="1") == []


def test_the_bar_of_many_jobs_is_closed_even_by_an_error(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    closed = []

    class Bar(tqdm.auto.tqdm):
        def close(self):
            closed.append(self.total)

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    with joblib.parallel_config(backend="threading"):
        olc.sweep(product, n=[1, 2], k=[1, 2], n_jobs=2)
        with pytest.raises(RuntimeError, match="fails") as kept:
            olc.sweep(fails, n=[3], learner={"": 1}, seeds=2, n_jobs=2)
        assert {*closed} == {4, 2}, kept
