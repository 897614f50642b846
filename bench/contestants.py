"""What `olc.play` is compared with: other packages, plain loops, one product.

The loops are written as one would write them with numpy and some care: no check, no
record of the game, arrays in a form that makes every call cheap.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import olc
from bench.timing import Timed
from olc import Stream
from olc.core.game import play_one_by_one

Array = NDArray[Any]

CHUNK = 1 << 19  # elements cast at a time: they stay in a cache


@contextmanager
def gear(name: str) -> Iterator[None]:
    """Play in this gear."""
    before = os.environ.get("OLC_GEAR", "")
    os.environ["OLC_GEAR"] = name
    try:
        yield
    finally:
        os.environ["OLC_GEAR"] = before


def play(how: str, make: Callable[[], Any], stream: Stream) -> Array:
    """Play with a new learner, in a gear or one by one, and return its weights."""
    learner = make()
    if how == "one by one":
        play_one_by_one(learner, stream)
    else:
        with gear(how):
            olc.play(learner, stream)
    return np.asarray(learner.weights)


def product(X: Any, w: Array) -> None:
    """One pass over the data: the limit. Small integers are cast chunk by chunk."""
    if X.dtype.kind == "f":
        X @ w
        return
    rows = max(1, CHUNK // X.shape[1])
    buffer = np.empty((rows, X.shape[1]), dtype=w.dtype)
    for start in range(0, len(X), rows):
        part = X[start : start + rows]
        np.copyto(buffer[: len(part)], part)
        buffer[: len(part)] @ w


def rounds(stream: Stream) -> Iterable[tuple[Array, int]]:
    """The examples in double precision, and labels of Python."""
    step = max(1, CHUNK // stream.n)
    for start in range(0, len(stream), step):
        rows = stream.X[start : start + step].astype(np.float64, copy=False)
        yield from zip(rows, stream.y[start : start + step].tolist(), strict=True)


def perceptron_loop(stream: Stream) -> Array:
    """The Perceptron, one round after the other."""
    w = np.zeros(stream.n)
    for x, label in rounds(stream):
        if label * x.dot(w) <= 0:
            w += label * x
    return w


def normalized_winnow_loop(stream: Stream, eta: float) -> Array:
    """Normalised Winnow, one round after the other."""
    state, w = np.zeros(stream.n), np.full(stream.n, 1 / stream.n)
    for x, label in rounds(stream):
        if label * x.dot(w) <= 0:
            state += eta * label * x
            w = np.exp(state - state.max())
            w /= w.sum()
    return w


def weighted_majority_loop(stream: Stream, eta: float) -> Array:
    """Weighted majority, one round after the other."""
    w, mistakes = np.ones(stream.n), 0
    for t, (x, label) in enumerate(rounds(stream)):
        mistakes += label * (x @ w) <= 0
        w[x != label] *= 1 - eta
        if t % 256 == 255:  # lest they vanish
            w /= w.max()
    return w


def scikit_learn(stream: Stream) -> Array:
    """One pass of scikit-learn's Perceptron, with the same rule and no intercept."""
    from sklearn.linear_model import Perceptron

    model = Perceptron(fit_intercept=False, shuffle=False, max_iter=1, tol=None)
    return np.asarray(model.fit(stream.X, stream.y).coef_[0])


def river(stream: Stream) -> Timed:
    """Predict and learn with river's Perceptron, whose intercept is held at 0.

    The dictionaries that it wants are made outside the measured time.
    """
    from river.linear_model import Perceptron
    from river.optim.schedulers import Constant

    model, seconds = Perceptron(), 0.0
    model.intercept_lr = Constant(0)
    for start in range(0, len(stream), 500):
        part = stream[start : start + 500]
        examples = list(zip(dictionaries(part.X), (part.y > 0).tolist(), strict=True))
        begin = time.process_time()
        for x, label in examples:
            model.predict_one(x)
            model.learn_one(x, label)
        seconds += time.process_time() - begin
    known = model.weights  # a copy at every look
    weights = [known.get(name, 0.0) for name in range(stream.n)]
    return Timed(np.array(weights), seconds)


def dictionaries(X: Any) -> Iterator[dict[int, float]]:
    """The rows, dense or sparse, as dictionaries."""
    if isinstance(X, np.ndarray):
        yield from (dict(enumerate(x.tolist())) for x in X)
    else:
        for start, stop in pairwise(X.indptr):
            names, values = X.indices[start:stop], X.data[start:stop]
            yield dict(zip(names.tolist(), values.tolist(), strict=True))


def vowpal_wabbit(stream: Stream, folder: Path) -> Callable[[], None]:
    """One pass of Vowpal Wabbit's gradient steps over a binary file of its own.

    Its loss is not the Perceptron's, so there is nothing to compare but the time.
    """
    from vowpalwabbit import Workspace

    data = folder / "stream.vw"
    with data.open("w", encoding="ascii") as file:
        for x, label in zip(dictionaries(stream.X), stream.y, strict=True):
            words = " ".join(f"{name}:{value:g}" for name, value in x.items())
            file.write(f"{label} | {words}\n")
    # it reads the text once, and from then on the binary file that it made of it
    data.with_suffix(".cache").unlink(missing_ok=True)
    options = (
        f"--data {data} --cache_file {data.with_suffix('.cache')} --quiet --noconstant "
        f"--bit_precision {stream.n.bit_length()} --sgd --power_t 0 --learning_rate 1 "
        "--loss_function hinge"
    )
    Workspace(options).finish()
    return lambda: Workspace(options).finish()


def agree(one: Any, other: Any) -> bool:
    """Whether two contestants found the same weights, but for their scale."""
    first, second = (np.ravel(w) / np.abs(w).max() for w in (one, other))
    return bool(np.allclose(first, second, rtol=0, atol=1e-3))
