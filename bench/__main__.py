"""Let everyone learn the same examples, and write RESULTS.md."""

from __future__ import annotations

import argparse
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import Perceptron, SGDClassifier

import olc
from olc.core.game import play_one_by_one
from olc.sklearn import OnlineClassifier

RESULTS = Path(__file__).parent / "RESULTS.md"
NOTES = """\
`make bench` writes this page. CPU time in milliseconds, one BLAS thread; all who learn
the same examples take turns, to and fro, and the best of several turns counts. *play*
chooses its gear itself, *plain* has no compiler, the *loop* is `play_one_by_one`; *fit*
is `OnlineClassifier.fit` of a Perceptron, one pass and no intercept, like the others.
*default* is `OnlineClassifier()`, an averaged margin Perceptron, beside scikit-learn's
with five shuffled passes and an intercept; *default, Perceptron* has the latter's rule.
*stream* predicts and learns batch by batch on hashed features. A ratio says how many
times faster the first is than the second. Bold ones miss their target; a sign ≠ marks
those who found other weights."""


class Match(NamedTuple):
    """Two contestants: the first should be so many times faster."""

    one: str
    other: str
    target: float = 0.0


class Case(NamedTuple):
    """Contestants who learn the same examples, and who is compared with whom."""

    title: str
    contestants: dict[str, Callable[[], Any]]
    matches: list[Match]


# --- contestants ------------------------------------------------------------------


@contextmanager
def gear(name: str) -> Iterator[None]:
    """Play in this gear."""
    before = os.environ.get("OLC_GEAR", "")
    os.environ["OLC_GEAR"] = name
    try:
        yield
    finally:
        os.environ["OLC_GEAR"] = before


def play(
    stream: olc.Stream, kind: Any = olc.Perceptron, how: str = "", **more: Any
) -> Any:
    """The weights after a game, in the gear that it chooses or in this one."""
    learner = kind(stream.n, **more)
    with gear(how):
        olc.play(learner, stream)
    return learner.weights


def loop(stream: olc.Stream, kind: Any = olc.Perceptron, **more: Any) -> Any:
    """The weights after the loop of the book."""
    learner = kind(stream.n, **more)
    play_one_by_one(learner, stream)
    return learner.weights


def scikit_learn(stream: olc.Stream) -> Any:
    """The weights after one pass of scikit-learn's Perceptron, with the same rule."""
    model = Perceptron(fit_intercept=False, shuffle=False, max_iter=1, tol=None)
    return model.fit(stream.X, stream.y).coef_[0]


def fit(stream: olc.Stream, probabilities: bool = False) -> Any:
    """The weights after one pass of our estimator; perhaps with probabilities."""
    model = OnlineClassifier(
        olc.Perceptron,
        fit_intercept=False,
        epochs=1,
        shuffle=False,
        probability=probabilities,
    )
    return model.fit(stream.X, stream.y).coef_[0]


def averaged(passes: int = 5, shuffle: bool = True) -> Any:
    """Scikit-learn's averaged Perceptron."""
    rule: dict[str, Any] = {"loss": "perceptron", "average": True}
    return SGDClassifier(**rule, max_iter=passes, tol=None, shuffle=shuffle)


def progress(model: Any, stream: olc.Stream, size: int) -> None:
    """Predict each batch of four classes, then learn it."""
    y = np.arange(len(stream)) % 2 + (stream.y > 0) * 2
    for start in range(0, len(stream), size):
        rows = slice(start, start + size)
        if start:
            model.predict(stream.X[rows])
        model.partial_fit(stream.X[rows], y[rows], classes=range(4))


def river(stream: olc.Stream) -> Callable[[], Any]:
    """One pass of river's Perceptron, whose intercept is held at 0."""
    from river.linear_model import Perceptron
    from river.optim.schedulers import Constant

    rows = [dict(enumerate(x)) for x in stream.X.tolist()]
    labels = (stream.y > 0).tolist()

    def learn() -> Any:
        model = Perceptron()
        model.intercept_lr = Constant(0)
        for x, label in zip(rows, labels, strict=True):
            model.predict_one(x)
            model.learn_one(x, label)
        known = model.weights  # a copy at every look
        return np.array([known.get(name, 0.0) for name in range(stream.n)])

    return learn


# --- cases ------------------------------------------------------------------------


def dense(rounds: int, wrong: float) -> olc.Stream:
    """A hundred real features, and labels that are wrong this often."""
    right = olc.streams.separable(100, margin=0.05, rounds=rounds, seed=1)
    return olc.streams.flip_labels(right, wrong, seed=2)


def sparse(rounds: int, n: int = 10_000, active: int = 20) -> olc.Stream:
    """Ten thousand features, of which about twenty are active."""
    random = np.random.default_rng(1)
    places = random.integers(0, n, active * rounds, dtype=np.int32)
    ends = np.arange(0, places.size + 1, active, dtype=np.int32)
    X = csr_array((np.ones(places.size), places, ends), shape=(rounds, n))
    X.sum_duplicates()
    right = olc.Stream(X, np.where(X @ random.normal(size=n) > 0, 1, -1))
    return olc.streams.flip_labels(right, 0.1, seed=2)


def defaults(title: str, stream: olc.Stream) -> Iterator[Case]:
    """The estimator as it comes, and one pass of it with an intercept."""
    X, y = stream.X, stream.y
    averages, perceptron = "scikit-learn, averaged", "scikit-learn, Perceptron"
    for what, passes, shuffle in (("default", 5, True), ("one pass", 1, False)):
        options: dict[str, Any] = {"shuffle": shuffle}
        models = {
            what: OnlineClassifier(epochs=passes, **options),
            f"{what}, Perceptron": OnlineClassifier(
                olc.Perceptron, epochs=passes, **options
            ),
            averages: averaged(passes, shuffle),
            perceptron: Perceptron(max_iter=passes, tol=None, **options),
        }
        contestants = {
            name: partial(fitted, model, X, y) for name, model in models.items()
        }
        one, same_rule, *_ = models
        matches = [Match(one, averages, 1), Match(one, perceptron, 1)]
        yield Case(title, contestants, [*matches, Match(same_rule, perceptron, 1)])


def fitted(model: Any, X: Any, y: Any) -> None:
    """Fit a model; what it finds is its own."""
    model.fit(X, y)


def streaming(n: int, size: int, batches: int) -> Case:
    """Batches of hashed features, each predicted and then learned."""
    stream = sparse(size * batches, n, 60)
    contestants = {
        "stream": lambda: progress(OnlineClassifier(), stream, size),
        "scikit-learn": lambda: progress(averaged(), stream, size),
    }
    title = f"{batches} batches of {size} with 2^{n.bit_length() - 1} features"
    return Case(title, contestants, [Match("stream", "scikit-learn", 0.67)])


def small(n: int, wrong: float, rounds: int) -> Iterator[Case]:
    """Games as the book's pages play them, without a compiler."""
    parts = olc.streams.disjunction(n, min(n, 2), rounds, seed=1)
    stream = olc.streams.flip_labels(parts, wrong, seed=2)
    learners: list[tuple[Any, dict[str, float]]] = [
        (olc.Perceptron, {}),
        (olc.Winnow, {}),
        (olc.NormalizedWinnow, {"eta": 0.1}),
    ]
    for kind, more in learners:
        one, other = f"{kind.__name__}, plain", f"{kind.__name__}, loop"
        contestants = {
            one: partial(play, stream, kind, "plain", **more),
            other: partial(loop, stream, kind, **more),
        }
        title = f"{rounds:,} rounds, n = {n}, {wrong:.0%} of the labels wrong"
        yield Case(title, contestants, [Match(one, other, 1)])


def everyone(title: str, stream: olc.Stream, games: float, fits: float) -> Case:
    """Both ways to learn beside scikit-learn, and what probabilities and more cost."""
    contestants = {
        "play": lambda: play(stream),
        "plain": lambda: play(stream, how="plain"),
        "loop": lambda: loop(stream),
        "fit": lambda: fit(stream),
        "fit, probabilities": lambda: fit(stream, probabilities=True),
        "AveragedPerceptron": lambda: play(stream, olc.AveragedPerceptron),
        "MarginPerceptron": lambda: play(stream, olc.MarginPerceptron, thickness=0.1),
        "scikit-learn": lambda: scikit_learn(stream),
    }
    matches = [
        Match("play", "scikit-learn", games),
        Match("fit", "scikit-learn", fits),
        Match("fit, probabilities", "fit", 0.5),
        Match("AveragedPerceptron", "play", 0.8),
        Match("MarginPerceptron", "play", 0.8),
        Match("plain", "loop"),
    ]
    return Case(title, contestants, matches)


def cases(rounds: int, games: int) -> Iterator[Case]:
    """Every case; they are made late, because streams are large."""
    for wrong in (0.01, 0.2, 0.5):
        title = f"{rounds:,} dense rows of 100, {wrong:.0%} of the labels wrong"
        yield everyone(title, dense(rounds, wrong), 3, 2)
    title = f"{rounds:,} CSR rows of 10,000, 20 active, 10% of the labels wrong"
    yield everyone(title, sparse(rounds), 1, 1)
    yield from defaults(f"{rounds:,} dense rows of 100", dense(rounds, 0.1))
    hashed = sparse(rounds, 2**18, 60)
    yield from defaults(f"{rounds:,} CSR rows of 2^18, 60 active", hashed)
    for n in (2**18, 2**20):
        for size in (50, 1):
            yield streaming(n, size, max(3, games // 10))
    for n in (2, 20, 64):
        for wrong in (0, 0.1, 0.3, 0.5):
            yield from small(n, wrong, rounds // 10)
    stream = dense(rounds, 0.01)
    contestants = {"play": lambda: play(stream), "river": river(stream)}
    title = f"{rounds:,} dense rows of 100, as dictionaries for river"
    yield Case(title, contestants, [Match("play", "river", 100)])
    short = [olc.streams.panel(64, 5, 200, seed=seed) for seed in range(games)]
    every = {
        "play": lambda: [play(stream) for stream in short],
        "compiled": lambda: [play(stream, how="compiled") for stream in short],
        "plain": lambda: [play(stream, how="plain") for stream in short],
        "loop": lambda: [loop(stream) for stream in short],
    }
    matches = [
        Match("play", "loop", 8),
        Match("compiled", "loop"),
        Match("plain", "loop"),
    ]
    yield Case(f"{games} games of 200 rounds, N = 64", every, matches)


# --- the page ---------------------------------------------------------------------


def take_turns(case: Case, turns: int) -> tuple[dict[str, float], set[str]]:
    """The best CPU seconds of each contestant, and who found other weights."""
    best = dict.fromkeys(case.contestants, math.inf)
    results: dict[str, Any] = {}
    order = list(case.contestants.items())
    for _ in range(turns):
        for name, run in order:
            start = time.process_time()
            results[name] = run()
            best[name] = min(best[name], time.process_time() - start)
        order.reverse()  # nobody always follows the one who empties the caches
    results = {name: found for name, found in results.items() if found is not None}
    first, *_ = results.values() or [None]
    plain = {name for name in results if not name.startswith(("Averaged", "Margin"))}
    other = {name for name in plain if not np.allclose(first, results[name])}
    return best, other


def rows(case: Case, best: dict[str, float], other: set[str]) -> Iterator[str]:
    """One row per match."""
    for one, two, target in case.matches:
        ratio = best[two] / best[one]
        cells = [
            f"{name}{' ≠' if name in other else ''} | {1000 * best[name]:.2f}"
            for name in (one, two)
        ]
        shown = f"{ratio:.2f} ×" if ratio >= target else f"**{ratio:.2f} ×**"
        cells += [shown, f"≥ {target:g} ×" if target else "–"]
        yield f"| {case.title} | {' | '.join(cells)} |"


def machine() -> str:
    """What it was measured with."""
    packages = "numpy", "numba", "scipy", "scikit-learn", "river"
    found = [f"Python {platform.python_version()}"]
    found += [f"{name} {version(name)}" for name in packages]
    busy = os.getloadavg()[1]
    rough = f" Other programs ran beside it (load {busy:.1f}), so times are rough."
    load = rough if busy > 1.5 else ""
    return f"Measured on {os.cpu_count()} cores with {', '.join(found)}.{load}"


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; it fails only if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke test")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    sizes, turns = ((300, 3), 1) if options.quick else ((20_000, 200), 7)
    lines = ["# Results", "", NOTES, "", machine(), ""]
    lines += ["| examples | one | ms | other | ms | ratio | target |"]
    lines += ["| --- | --- | --- | --- | --- | --- | --- |"]
    for case in cases(*sizes):
        for line in rows(case, *take_turns(case, turns)):
            lines.append(line)
            print(line, flush=True)
    options.output.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
