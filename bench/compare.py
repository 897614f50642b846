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
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split
from sklearn.svm import LinearSVC

import olc
from bench.__main__ import machine
from olc.sklearn import OnlineClassifier

PAGE = Path(__file__).parent / "COMPARISON.md"
PASSES = 5
PACKAGES = (  # about a thousand docstrings each
    "IPython", "docutils", "fontTools", "playwright", "prompt_toolkit", "pygments",
    "river", "sphinx",
)  # fmt: skip
NOTES = f"""\
`make compare` writes this page. Everybody learns the same three quarters of the
examples and is scored on the rest; the accuracy is the mean over {{splits}} such
splits, with the standard deviation. Those who learn online make {PASSES} passes, each
in a new random order, and have the parameters that they come with unless the name says
otherwise. CPU time of learning alone, in seconds, one thread, the best of the splits.
Dictionaries for river and parsed lines for Vowpal Wabbit were made before."""


class Data(NamedTuple):
    """A split: examples to learn and to be scored on, and their classes from 0 on."""

    X: Any
    y: Any
    new: Any
    answers: Any


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
    from river.linear_model import Perceptron
    from river.multiclass import OneVsRestClassifier

    old, new = ([dict(zip(*row, strict=True)) for row in rows(X)] for X in data[::2])
    labels, model = data.y.tolist(), OneVsRestClassifier(Perceptron())
    start = time.process_time()
    for t in orders(len(old), seed):
        model.learn_one(old[t], labels[t])
    seconds = time.process_time() - start
    told = [model.predict_one(x) for x in new]
    return seconds, float(np.mean(told == data.answers))


def vowpal_wabbit(data: Data, seed: int) -> tuple[float, float]:
    """Vowpal Wabbit's hinge loss, one against all the others."""
    from vowpalwabbit import Workspace

    space = Workspace(f"--oaa {data.y.max() + 1} --loss_function hinge --quiet -b 20")

    def line(row: tuple[list[int], list[float]], label: str) -> str:
        features = (f"{at}:{value:.6g}" for at, value in zip(*row, strict=True))
        return f"{label}| {' '.join(features)}"

    labels = [f"{label + 1} " for label in data.y]  # it counts from 1
    lines = map(line, rows(data.X), labels)
    old = [space.example(text) for text in lines]
    start = time.process_time()
    for t in orders(len(old), seed):
        space.learn(old[t])
    seconds = time.process_time() - start
    told = [space.predict(line(row, "")) - 1 for row in rows(data.new)]
    space.finish()
    return seconds, float(np.mean(told == data.answers))


def contestants() -> dict[str, Run]:
    """Everybody, by name; Vowpal Wabbit where it is installed."""
    sgd = linear_model.SGDClassifier
    named = {
        "olc AveragedPerceptron, the default": ours(None),
        "olc AveragedPerceptron, constraints": ours(None, multi_class="constraint"),
        "olc Perceptron": ours(olc.Perceptron),
        "olc MarginPerceptron, thickness 1": ours(olc.MarginPerceptron(1, thickness=1)),
        "olc PassiveAggressive, C = 1": ours(olc.PassiveAggressive(1, C=1)),
        "olc Winnow, α = 1.1, on bits": ours(olc.Winnow(1, alpha=1.1), bits=True),
        "scikit-learn Perceptron": theirs(linear_model.Perceptron),
        "scikit-learn SGDClassifier, hinge loss": theirs(sgd),
        "scikit-learn SGDClassifier, PA-I": theirs(
            sgd, learning_rate="pa1", eta0=1.0, penalty=None
        ),
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
    yield from ("", "| learner | accuracy | seconds |", "| --- | --- | --- |")
    found = {}
    for name, run in everybody.items():
        runs = [run(data, seed) for seed, data in enumerate(splits)]
        shares = [share for _, share in runs]
        found[name] = mean(shares), stdev(shares), min(runs)[0]
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
    lines = ["# Comparison", "", NOTES.format(splits=count), "", machine()]
    if not options.quick:
        lines += table("Docstrings", [*texts(count)], everybody)
    lines += table("Digits", [*digits(count)], everybody)
    options.output.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
