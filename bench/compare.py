"""Let linear classifiers learn the same texts and digits: `python -m bench.compare`.

Nothing is fetched. The texts are the docstrings of packages that the lock installs,
whose names are taken out; the class of a docstring is its package.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn import linear_model
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import olc
from bench.__main__ import machine
from olc.sklearn import OnlineClassifier

PAGE = Path(__file__).parent / "COMPARISON.md"
PASSES = 5
ORDERS = 5
BATCH = 50
PACKAGES = (  # about a thousand docstrings each
    "IPython", "docutils", "fontTools", "playwright", "prompt_toolkit", "pygments",
    "river", "sphinx",
)  # fmt: skip
NOTES = f"""\
Everybody learns the same three quarters of the examples and is scored on the rest. An
accuracy is the mean over {{splits}} such splits, with the standard deviation. Those who
learn online make {PASSES} passes, each in a new random order. All have the parameters
that they come with, unless the name says otherwise. The seconds are CPU time of
learning alone on one thread, in the quickest of the splits; dictionaries for river and
parsed lines for Vowpal Wabbit were made before.

The stream is one pass over the docstrings, hashed to 2^18 features: each batch of
{BATCH} is predicted, then learned. Its accuracies are means over {{orders}} random
orders, and its seconds are those of predicting and learning in the quickest order.
The table of measurements has the mean accuracy of five folds, without and with
`StandardScaler`. `make compare` writes these tables."""


class Data(NamedTuple):
    """A split: examples to learn and to be scored on, and their classes from 0 on."""

    X: Any
    y: Any
    new: Any
    answers: Any


#: Scikit-learn's Passive-Aggressive learner, by its new name.
PA: dict[str, Any] = {"learning_rate": "pa1", "eta0": 1.0, "penalty": None}

#: Learns a split, with this seed: returns the CPU seconds and the accuracy.
Run = Callable[[Data, int], tuple[float, float]]

# --- examples ---------------------------------------------------------------------


def docstrings(packages: tuple[str, ...] = PACKAGES) -> dict[str, str]:
    """Every docstring of eight words or more, without the names, and its package."""
    names = re.compile(rf"(?i)\b({'|'.join(packages)})\b")
    found: dict[str, str] = {}
    for package in packages:
        spec: Any = find_spec(package)
        for path in sorted(Path(spec.origin).parent.rglob("*.py")):
            if "tests" in path.parts:
                continue
            with warnings.catch_warnings(action="ignore"):  # of a doubtful escape
                nodes: list[Any] = [ast.parse(path.read_text(encoding="utf-8"))]
            for node in nodes:  # which grows
                kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
                nodes += [inner for inner in node.body if isinstance(inner, kinds)]
                words = (ast.get_docstring(node) or "").split()
                if len(words) >= 8:
                    found.setdefault(names.sub("", " ".join(words)), package)
    return found


def texts(splits: int) -> Iterator[Data]:
    """Docstrings as tf-idf of their words, for those that occur in three or more."""
    found = docstrings()
    y = np.unique([*found.values()], return_inverse=True)[1]
    for seed in range(splits):
        old, new, told, answers = train_test_split(
            [*found], y, test_size=0.25, stratify=y, random_state=seed
        )
        words = TfidfVectorizer(min_df=3)
        yield Data(words.fit_transform(old), told, words.transform(new), answers)


def digits(splits: int) -> Iterator[Data]:
    """The small pictures of digits that scikit-learn ships."""
    X, y = load_digits(return_X_y=True)
    for seed in range(splits):
        old, new, told, answers = train_test_split(
            X / 16, y, test_size=0.25, stratify=y, random_state=seed
        )
        yield Data(old, told, new, answers)


# --- contestants ------------------------------------------------------------------


def estimator(make: Callable[[int], Any], bits: bool = False) -> Run:
    """A scikit-learn classifier of this seed; on bits, it sees what is not 0."""

    def run(data: Data, seed: int) -> tuple[float, float]:
        old, new = (as_bits(X) if bits else X for X in (data.X, data.new))
        model, start = make(seed), time.process_time()
        model.fit(old, data.y)
        seconds = time.process_time() - start
        return seconds, model.score(new, data.answers)

    return run


def as_bits(X: Any) -> Any:
    """Which features are above one half, or there at all if most are not."""
    there = X != 0 if issparse(X) else np.greater(X, 0.5)
    return there.astype(np.int8)


def ours(learner: Any, bits: bool = False, **more: Any) -> Run:
    """A learner of the course, as `OnlineClassifier` plays it."""
    options = {"epochs": PASSES, "shuffle": True} | more
    return estimator(
        lambda seed: OnlineClassifier(learner, random_state=seed, **options), bits
    )


def theirs(kind: Any, **more: Any) -> Run:
    """A learner of scikit-learn that makes passes."""
    options = {"max_iter": PASSES, "tol": None} | more
    return estimator(lambda seed: kind(random_state=seed, **options))


def orders(rounds: int, seed: int) -> Iterator[int]:
    """The rows of all passes, each pass in a new order."""
    random = np.random.default_rng(seed)
    for _ in range(PASSES):
        yield from random.permutation(rounds).tolist()


def rows(X: Any) -> Iterator[tuple[list[int], list[float]]]:
    """The places and the values of what is not 0, row by row."""
    X = csr_array(X)
    for first, last in zip(X.indptr, X.indptr[1:], strict=False):
        yield X.indices[first:last].tolist(), X.data[first:last].tolist()


def river(data: Data, seed: int) -> tuple[float, float]:
    """River's Perceptron, one against all the others."""
    predict, learn = river_model()
    old, new = (dictionaries(X) for X in data[::2])
    labels = data.y.tolist()
    start = time.process_time()
    for t in orders(len(old), seed):
        learn(old[t], labels[t])
    seconds = time.process_time() - start
    return seconds, float(np.mean([predict(x) for x in new] == data.answers))


def river_model() -> tuple[Any, Any]:
    """How it predicts a dictionary, and how it learns one."""
    from river.linear_model import Perceptron
    from river.multiclass import OneVsRestClassifier

    model = OneVsRestClassifier(Perceptron())
    return model.predict_one, model.learn_one


def dictionaries(X: Any) -> list[dict[int, float]]:
    """Rows as river takes them."""
    return [dict(zip(*row, strict=True)) for row in rows(X)]


def vowpal_wabbit(data: Data, seed: int) -> tuple[float, float]:
    """Vowpal Wabbit's hinge loss, one against all the others."""
    space, labels = workspace(int(data.y.max()) + 1), data.y.tolist()
    old = parsed(space, data.X, labels)
    start = time.process_time()
    for t in orders(len(old), seed):
        space.learn(old[t])
    seconds = time.process_time() - start
    told = [space.predict(example) - 1 for example in parsed(space, data.new)]
    space.finish()
    return seconds, float(np.mean(told == data.answers))


def workspace(classes: int) -> Any:
    """Vowpal Wabbit for so many classes."""
    from vowpalwabbit import Workspace

    return Workspace(f"--oaa {classes} --loss_function hinge --quiet -b 20")


def parsed(space: Any, X: Any, labels: Any = None) -> list[Any]:
    """Rows as Vowpal Wabbit takes them; it counts classes from 1."""
    lines = (
        " ".join(f"{at}:{value:.6g}" for at, value in zip(*row, strict=True))
        for row in rows(X)
    )
    names = [""] * X.shape[0] if labels is None else [f"{y + 1} " for y in labels]
    pairs = zip(names, lines, strict=True)
    return [space.example(f"{name}| {line}") for name, line in pairs]


# --- a stream ---------------------------------------------------------------------


def batched(make: Callable[[int], Any]) -> Callable[[Any, Any, int], Any]:
    """A scikit-learn classifier that learns batch by batch: seconds and accuracy."""

    def run(X: Any, y: Any, seed: int) -> tuple[float, float]:
        model, right, classes = make(seed), 0, np.unique(y)
        order = np.random.default_rng(seed).permutation(len(y))
        X, y = X[order], y[order]
        start = time.process_time()
        for first in range(0, len(y), BATCH):
            part = slice(first, first + BATCH)
            if first:
                right += np.count_nonzero(model.predict(X[part]) == y[part])
            model.partial_fit(X[part], y[part], classes=classes)
        return time.process_time() - start, right / (len(y) - BATCH)

    return run


def one_by_one(which: str) -> Callable[[Any, Any, int], Any]:
    """River or Vowpal Wabbit on the same batches."""

    def run(X: Any, y: Any, seed: int) -> tuple[float, float]:
        if which == "river":
            (predict, learn), examples = river_model(), dictionaries(X)
            tests, labels = examples, y.tolist()
        else:
            space = workspace(int(y.max()) + 1)
            examples, tests = parsed(space, X, y.tolist()), parsed(space, X)
            labels = y.tolist()
        order, right = np.random.default_rng(seed).permutation(len(y)).tolist(), 0
        start = time.process_time()
        for first in range(0, len(y), BATCH):
            part = order[first : first + BATCH]
            if first and which == "river":
                right += sum(predict(tests[t]) == labels[t] for t in part)
            elif first:
                right += sum(space.predict(tests[t]) - 1 == labels[t] for t in part)
            for t in part:
                if which == "river":
                    learn(examples[t], labels[t])
                else:
                    space.learn(examples[t])
        return time.process_time() - start, right / (len(y) - BATCH)

    return run


def streamers() -> dict[str, Callable[[Any, Any, int], Any]]:
    """Everybody who learns from a stream."""
    sgd = linear_model.SGDClassifier
    models: dict[str, Callable[[int], Any]] = {
        "olc, the default": lambda seed: OnlineClassifier(),
        "olc AveragedPerceptron": lambda seed: OnlineClassifier(olc.AveragedPerceptron),
        "olc Perceptron": lambda seed: OnlineClassifier(olc.Perceptron),
        "olc PassiveAggressive, C = 1": lambda seed: OnlineClassifier(
            olc.PassiveAggressive(1, C=1)
        ),
        "scikit-learn Perceptron": lambda seed: linear_model.Perceptron(
            random_state=seed
        ),
        "scikit-learn SGDClassifier, hinge loss": lambda seed: sgd(random_state=seed),
        "scikit-learn SGDClassifier, averaged": lambda seed: sgd(
            average=True, random_state=seed
        ),
        "scikit-learn SGDClassifier, averaged, α = 10⁻⁶": lambda seed: sgd(
            average=True, alpha=1e-6, random_state=seed
        ),
        "scikit-learn SGDClassifier, PA-I": lambda seed: sgd(random_state=seed, **PA),
    }
    named = {name: batched(make) for name, make in models.items()}
    named["river Perceptron"] = one_by_one("river")
    if find_spec("vowpalwabbit"):
        named["Vowpal Wabbit, hinge loss"] = one_by_one("vw")
    return named


def stream_table(count: int) -> Iterator[str]:
    """The docstrings as a stream, in so many orders."""
    found = docstrings()
    X = HashingVectorizer(n_features=2**18).transform([*found])
    y = np.unique([*found.values()], return_inverse=True)[1]
    yield from ("", "## A stream of docstrings", "")
    yield f"{X.shape[0]:,} examples, {X.shape[1]:,} features, {y.max() + 1} classes."
    runs = {
        name: [run(X, y, seed) for seed in range(count)]
        for name, run in streamers().items()
    }
    yield from ranking(runs)


# --- measurements -----------------------------------------------------------------


def measured() -> Iterator[str]:
    """Three small data sets of measurements, raw and scaled."""
    models = {
        "olc, the default": OnlineClassifier(),
        "olc AveragedPerceptron": OnlineClassifier(olc.AveragedPerceptron),
        "scikit-learn Perceptron": linear_model.Perceptron(),
        "scikit-learn SGDClassifier, hinge loss": linear_model.SGDClassifier(
            random_state=0
        ),
        "scikit-learn LogisticRegression": linear_model.LogisticRegression(
            max_iter=10_000
        ),
    }
    loads = {"wine": load_wine, "breast cancer": load_breast_cancer, "iris": load_iris}
    heads = [f"{name}, {how}" for name in loads for how in ("raw", "scaled")]
    yield from ("", "## Measurements", "")
    yield f"| learner | {' | '.join(heads)} |"
    yield "| --- " * (len(heads) + 1) + "|"
    for name, model in models.items():
        shares = [
            cross_val_score(each, *load(return_X_y=True), cv=5).mean()
            for load in loads.values()
            for each in (model, make_pipeline(StandardScaler(), model))
        ]
        yield f"| {name} | {' | '.join(f'{share:.3f}' for share in shares)} |"


def contestants() -> dict[str, Run]:
    """Everybody, by name; Vowpal Wabbit where it is installed."""
    sgd = linear_model.SGDClassifier
    named = {
        "olc, the default": ours(None),
        "olc, the default, constraints": ours(None, multi_class="constraint"),
        "olc AveragedPerceptron": ours(olc.AveragedPerceptron),
        "olc Perceptron": ours(olc.Perceptron),
        "olc MarginPerceptron, thickness 1": ours(olc.MarginPerceptron(1, thickness=1)),
        "olc PassiveAggressive, C = 1": ours(olc.PassiveAggressive(1, C=1)),
        "olc Winnow, α = 1.1, on bits": ours(olc.Winnow(1, alpha=1.1), bits=True),
        "scikit-learn Perceptron": theirs(linear_model.Perceptron),
        "scikit-learn SGDClassifier, hinge loss": theirs(sgd),
        "scikit-learn SGDClassifier, averaged": theirs(sgd, average=True),
        "scikit-learn SGDClassifier, PA-I": theirs(sgd, **PA),
        "scikit-learn LinearSVC, to the end": estimator(
            lambda seed: LinearSVC(random_state=seed)
        ),
        "scikit-learn LogisticRegression, to the end": estimator(
            lambda seed: linear_model.LogisticRegression(max_iter=1000)
        ),
        "river Perceptron": river,
    }
    if find_spec("vowpalwabbit"):
        named["Vowpal Wabbit, hinge loss"] = vowpal_wabbit
    return named


# --- the page ---------------------------------------------------------------------


def table(title: str, splits: list[Data], everybody: dict[str, Run]) -> Iterator[str]:
    """One data set: everybody's accuracy and time, the most accurate first."""
    examples, n = splits[0].X.shape
    classes = int(splits[0].y.max()) + 1
    yield from ("", f"## {title}", "")
    yield f"{examples:,} examples to learn, {n:,} features, {classes} classes."
    yield from ranking(
        {
            name: [run(data, seed) for seed, data in enumerate(splits)]
            for name, run in everybody.items()
        }
    )


def ranking(runs: dict[str, list[tuple[float, float]]]) -> Iterator[str]:
    """Seconds and accuracies as a table, the most accurate first."""
    yield from ("", "| learner | accuracy | seconds |", "| --- | --- | --- |")
    found = {}
    for name, pairs in runs.items():
        shares = [share for _, share in pairs]
        found[name] = mean(shares), stdev(shares), min(pairs)[0]
        print(name, *found[name], file=sys.stderr, flush=True)
    for name, (share, spread, least) in sorted(found.items(), key=lambda x: -x[1][0]):
        yield f"| {name} | {share:.3f} ± {spread:.3f} | {least:.2f} |"


def main(arguments: list[str] | None = None) -> int:
    """Compare them, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare")
    parser.add_argument("--quick", action="store_true", help="a smoke test")
    parser.add_argument("--output", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    everybody, count = contestants(), 2 if options.quick else 3
    ours(None)(next(digits(1)), 0)  # what is compiled once is no part of learning
    lines = [
        "# Comparison",
        "",
        NOTES.format(splits=count, orders=ORDERS),
        "",
        machine(),
    ]
    if not options.quick:
        lines += table("Docstrings", [*texts(count)], everybody)
        lines += stream_table(ORDERS)
        lines += measured()
    lines += table("Digits", [*digits(count)], everybody)
    options.output.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
