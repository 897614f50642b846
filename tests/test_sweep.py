"""Sweeps: one row a run, the same table however it is worked on, and no stray bar."""

import io
import re
import sys
from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
import tqdm
from hypothesis import given
from hypothesis import strategies as st

import olc


def product(n, k):
    return n * k


def noise(n, seed):
    return {"drawn": np.random.default_rng(seed).random() * n, "bits": n.bit_length()}


def game(learner, n, seed):
    return olc.play(learner(n), olc.streams.panel(n, 3, 200, seed))


# --- the table ----------------------------------------------------------------------


def test_a_number_becomes_a_row_and_the_last_setting_moves_fastest():
    table = olc.sweep(product, n=[4, 2], k=(1, 3))
    assert table.columns.tolist() == ["n", "k", "value"]
    assert table.values.tolist() == [[4, 1, 4], [4, 3, 12], [2, 1, 2], [2, 3, 6]]


def test_a_dict_becomes_columns_beside_settings_and_seed():
    table = olc.sweep(noise, n=[4], seeds=2)
    assert table.columns.tolist() == ["n", "seed", "drawn", "bits"]
    assert table["seed"].tolist() == [0, 1]
    assert table["drawn"].tolist() == [
        4 * np.random.default_rng(seed).random() for seed in (0, 1)
    ]


def test_a_trace_becomes_its_mistakes_and_rounds():
    table = olc.sweep(game, learner=olc.Perceptron, n=9, seeds=[5])
    played = game(olc.Perceptron, 9, 5)
    assert table.to_dict("records") == [
        {
            "learner": "Perceptron",
            "n": 9,
            "seed": 5,
            "mistakes": played.mistakes,
            "rounds": 200,
            "expected_mistakes": played.mistakes,
        }
    ]
    assert table.dtypes["mistakes"] == np.int64


def test_a_randomized_learner_has_its_expected_mistakes():
    def coins(seed):
        learner = olc.RandomizedWeightedMajority(4, eta=0.5, seed=seed)
        return olc.play(learner, olc.streams.experts(4, 50, seed))

    table = olc.sweep(coins, seeds=3)
    assert table["expected_mistakes"].tolist() == [
        coins(seed).expected_mistakes for seed in range(3)
    ]


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

    def run(setting):
        seen.append(setting)
        return 0

    assert olc.sweep(run, setting=given)["setting"].tolist() == expected
    assert seen == expected
    assert [type(value) for value in seen] == [type(value) for value in expected]


def test_a_dict_labels_its_values():
    table = olc.sweep(
        game,
        learner={
            "additive": olc.Perceptron,
            "multiplicative": lambda n: olc.NormalizedWinnow(n, eta=1 / 3),
            "half": partial(olc.NormalizedWinnow, eta=0.5),
        },
        n=[9],
        seeds=1,
    )
    assert table["learner"].tolist() == ["additive", "multiplicative", "half"]
    alone = game(partial(olc.NormalizedWinnow, eta=0.5), 9, 0)
    assert table["mistakes"].iloc[2] == alone.mistakes


def test_classes_functions_and_learners_label_themselves():
    things = [olc.Perceptron, product, olc.Perceptron(3)]
    table = olc.sweep(lambda thing: 1, thing=things)
    assert table["thing"].tolist() == ["Perceptron", "product", repr(things[2])]


def test_without_seeds_there_is_no_seed():
    assert olc.sweep(lambda: 3).to_dict("list") == {"value": [3]}


def test_seeds_are_a_number_of_them_or_their_list():
    run = lambda seed: seed  # noqa: E731
    assert olc.sweep(run, seeds=3)["seed"].tolist() == [0, 1, 2]
    assert olc.sweep(run, seeds=np.array([7, 5]))["seed"].tolist() == [7, 5]


def test_a_run_may_return_its_settings_again():
    table = olc.sweep(lambda n: {"n": n, "square": n * n}, n=[2, 3])
    assert table.to_dict("list") == {"n": [2, 3], "square": [4, 9]}
    rounds = olc.sweep(
        lambda rounds: olc.play(olc.Perceptron(2), olc.streams.xor(rounds)),
        rounds=[4, 8],
    )
    assert rounds["rounds"].tolist() == [4, 8]


def test_scalars_of_numpy_and_values_that_not_every_run_has_are_fine():
    def run(n):
        return {"mean": np.float32(n)} | ({"odd": np.array(True)} if n % 2 else {})

    table = olc.sweep(run, n=[1, 2])
    assert table["mean"].tolist() == [1.0, 2.0]
    assert table["odd"].iloc[0] is True
    assert pd.isna(table["odd"].iloc[1])


# --- the same table, however it is worked on ----------------------------------------


def settings():
    return {
        "learner": {
            "Perceptron": olc.Perceptron,
            "Winnow": lambda n: olc.NormalizedWinnow(n, eta=1 / 3),
        },
        "n": [9, 15],
        "seeds": 3,
    }


@pytest.fixture(scope="module")
def alone():
    return olc.sweep(game, **settings())


def test_two_processes_give_the_same_table(alone):
    pd.testing.assert_frame_equal(olc.sweep(game, n_jobs=2, **settings()), alone)


def test_two_threads_give_the_same_table(alone):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        pd.testing.assert_frame_equal(olc.sweep(game, **settings()), alone)


def test_a_backend_from_outside_does_the_work(alone):
    from joblib._parallel_backends import MultiprocessingBackend, ThreadingBackend

    used = []

    class Cluster(ThreadingBackend):
        """One that gives back its results all at once, as Ray's does."""

        supports_return_generator = MultiprocessingBackend.supports_return_generator

        def configure(self, *arguments, **named):
            used.append(1)
            return super().configure(*arguments, **named)

    joblib.register_parallel_backend("cluster", Cluster)
    with joblib.parallel_config(backend="cluster", n_jobs=2):
        pd.testing.assert_frame_equal(olc.sweep(game, **settings()), alone)
    assert used


@given(st.permutations([9, 11, 15]), st.permutations(range(4)), st.booleans())
def test_the_order_of_the_grid_does_not_matter(sizes, seeds, turned):
    learner = {"learner": olc.Perceptron}
    named = {"n": sizes} | learner if turned else learner | {"n": sizes}
    table = olc.sweep(game, **named, seeds=seeds)
    usual = olc.sweep(game, learner=olc.Perceptron, n=[9, 11, 15], seeds=4)
    ordered = table[usual.columns].sort_values(["n", "seed"], ignore_index=True)
    pd.testing.assert_frame_equal(ordered, usual)


def test_every_run_gets_learners_as_they_were():
    learner = olc.Perceptron(9)

    def run(learner, seed):
        return olc.play(learner, olc.streams.panel(9, 3, 50, seed=0))

    table = olc.sweep(run, learner=[learner], seeds=3)
    assert table["mistakes"].nunique() == 1
    assert not learner.weights.any()


def test_a_stream_is_not_copied():
    whole = olc.streams.xor()
    table = olc.sweep(lambda stream: stream is whole, stream={"xor": whole})
    assert table["value"].tolist() == [True]


# --- what goes wrong ----------------------------------------------------------------


class TwoPartError(Exception):
    """An error that pickle cannot bring back."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def fails(n, learner, seed):
    if n == 3 and seed == 1:
        raise TwoPartError("this", "that")
    return 0


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_names_the_run_that_made_it(n_jobs):
    words = "fails(n=3, learner='Winnow', seed=1) failed: TwoPartError: this and that"
    with pytest.raises(RuntimeError, match=re.escape(words)):
        olc.sweep(fails, n=[2, 3], learner={"Winnow": None}, seeds=2, n_jobs=n_jobs)


def test_an_interrupted_sweep_goes_on_where_it_stopped(tmp_path):
    done = tmp_path / "done"

    def run(n):
        if n == 3 and not done.exists():
            done.touch()
            raise KeyboardInterrupt
        with done.open("a") if done.exists() else io.StringIO() as log:
            log.write(f"{n} ")
        return n * n

    cached = joblib.Memory(tmp_path / "cache", verbose=0).cache(run)
    with pytest.raises(KeyboardInterrupt):
        olc.sweep(cached, n=[1, 2, 3, 4])
    assert olc.sweep(cached, n=[1, 2, 3, 4])["value"].tolist() == [1, 4, 9, 16]
    assert done.read_text() == "3 4 "


def refused(run=product, **settings):
    return lambda: olc.sweep(run, **settings)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (refused(None, n=1), TypeError, "run must be a function of"),
        (refused(n=[], k=1), ValueError, "n is empty: give at least one value"),
        (refused(n={}, k=1), ValueError, "n is empty: give at least one value"),
        (refused(n=[1, 2, 1], k=1), ValueError, "n has two values 1: give each once"),
        (refused(n={1, 2}, k=1), TypeError, "n is a set, which has no order"),
        (refused(n=[None], k=1), TypeError, "n holds None, which has no name .* dict"),
        (refused(n=[[1], [2]], k=1), TypeError, r"n holds \[1\], which has no name"),
        (refused(n=[lambda: 1], k=1), TypeError, "n holds <.*no name .* dict"),
        (refused(n=[partial(product)], k=1), TypeError, "n holds functools.partial"),
        (refused(n=[1]), TypeError, r"product\(n, k\) cannot be called with \['n'\]"),
        (
            refused(n=[1], k=2, m=3),
            TypeError,
            r"cannot be called with \['n', 'k', 'm'\] \(got an unexpected .* 'm'\)",
        ),
        (
            refused(noise, n=[1]),
            TypeError,
            r"missing a required argument: 'seed'\): .* seeds for seed",
        ),
        (refused(n=1, k=1, seeds=2), TypeError, "cannot be called with .*'seed'"),
        (refused(noise, n=1, seed=[1]), TypeError, "seed is the name .* seeds="),
        (refused(noise, n=1, seeds=0), ValueError, "seeds must be at least 1, not 0"),
        (refused(noise, n=1, seeds=True), TypeError, "seeds must be a whole number"),
        (refused(noise, n=1, seeds=[]), ValueError, "seeds is empty"),
        (refused(noise, n=1, seeds=[1, 1]), ValueError, "seeds has two values 1"),
        (refused(noise, n=1, seeds=[-1]), ValueError, "a seed must be at least 0"),
        (refused(noise, n=1, seeds="ab"), TypeError, "a seed must be a whole number"),
        (refused(n=1, k=1, n_jobs=0), ValueError, "n_jobs must be .*, not 0"),
        (refused(n=1, k=1, n_jobs=1.5), ValueError, "n_jobs must be a whole number"),
        (
            refused(lambda n: None, n=1),
            TypeError,
            r"run\(n=1\) returned None: return a number, a dict of numbers or a Trace",
        ),
        (
            refused(lambda n: {"all": np.arange(3)}, n=1),
            TypeError,
            r"run\(n=1\) returned all = array\(\[0, 1, 2\]\): return a number",
        ),
        (
            refused(lambda n: {"n": n + 1}, n=1),
            ValueError,
            r"run\(n=1\) returned n = 2, but n is a setting: give one .* another name",
        ),
    ],
)
def test_what_cannot_be_swept_is_refused_by_name(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_built_in_function_that_hides_its_parameters_is_called_all_the_same():
    assert olc.sweep(dict, n=[1, 2], k=3).values.tolist() == [[1, 3], [2, 3]]


@pytest.mark.parametrize("name", ["joblib", "pandas"])
def test_a_missing_package_says_what_to_install(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    words = f"{name} is missing: pip install 'olc[sweep]'"
    with pytest.raises(ImportError, match=re.escape(words)):
        olc.sweep(product, n=1, k=1)


# --- the bar ------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_person_at_a_terminal_sees_a_bar_that_goes_away(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    olc.sweep(product, n=[1, 2], k=[1, 2])
    assert re.search(r"runs: +0%.* 0/4 ", terminal.getvalue())
    assert terminal.getvalue().rsplit("\r")[-2].strip() == ""
    assert "\n" not in terminal.getvalue()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_bar_counts_all_runs(monkeypatch, n_jobs):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("tqdm.tqdm", partial(tqdm.tqdm, mininterval=0))
    with joblib.parallel_config(backend="threading", n_jobs=n_jobs):
        olc.sweep(product, n=[1, 2], k=[1, 2])
    assert re.search(r"100%.* 4/4 ", terminal.getvalue())


def test_a_person_at_a_notebook_sees_a_bar_that_leaves_nothing(notebook, capsys):
    olc.sweep(product, n=[1, 2], k=[1, 2])
    assert any(re.match(r"runs: +0%.* 0/4 ", line) for line in notebook.shown)
    assert notebook.shown[-1] == ""
    assert capsys.readouterr() == ("", "")


def test_a_bar_goes_away_when_the_sweep_breaks_off(notebook):
    with pytest.raises(RuntimeError, match="failed: TwoPartError"):
        olc.sweep(fails, n=[2, 3], learner="", seeds=2)
    assert notebook.shown[-1] == ""


@pytest.mark.parametrize("request_", [{"allow_stdin": False}, {}])
def test_a_program_that_stores_the_outputs_sees_no_bar(notebook, request_, capsys):
    notebook.request = request_
    olc.sweep(product, n=[1, 2], k=1)
    assert notebook.shown == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("stderr", [None, io.StringIO()])
def test_a_script_writes_no_bar(monkeypatch, stderr):
    monkeypatch.setattr(sys, "stderr", stderr)
    olc.sweep(product, n=[1, 2], k=1)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    olc.sweep(product, n=[1, 2], k=1)
    assert stderr is None or stderr.getvalue() == ""


def test_without_tqdm_there_is_no_bar_and_no_error(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert len(olc.sweep(product, n=[1, 2], k=1)) == 2
    assert terminal.getvalue() == ""
