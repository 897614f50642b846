"""What `olc.play` is compared with: other packages, plain loops, one product.

The loops are written as one would write them with numpy and some care: no check, no
record of the game, arrays in a form that makes every call cheap.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from olc import Stream

Array = NDArray[Any]

CHUNK = 1 << 19  # elements cast at a time: they stay in a cache


class Timed(NamedTuple):
    """A result that brings its own CPU time."""

    result: Any
    seconds: float


def product(X: Array, w: Array) -> None:
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


def floats(X: Array) -> Iterable[Array]:
    """The rows in double precision, cast chunk by chunk where they need a cast."""
    if X.dtype == np.float64:
        yield from X
        return
    rows = max(1, CHUNK // X.shape[1])
    for start in range(0, len(X), rows):
        yield from X[start : start + rows].astype(np.float64)


def perceptron_loop(X: Array, y: Array) -> Array:
    """The Perceptron, one round after the other."""
    w = np.zeros(X.shape[1])
    for x, label in zip(floats(X), y.tolist(), strict=True):
        if label * x.dot(w) <= 0:
            if label > 0:
                w += x
            else:
                w -= x
    return w


def normalized_winnow_loop(X: Array, y: Array, eta: float) -> Array:
    """Normalised Winnow, one round after the other."""
    w = np.full(X.shape[1], 1 / X.shape[1])
    for x, label in zip(floats(X), y.tolist(), strict=True):
        if label * x.dot(w) <= 0:
            w *= np.exp(eta * label * x)
            w /= w.sum()
    return w


def weighted_majority_loop(X: Array, y: Array, eta: float) -> int:
    """Weighted majority for opinions ±1, one round after the other.

    An expert who is right keeps its weight and one who is wrong keeps a share
    1 - eta: the factor is linear in the opinion, which spares a mask.
    """
    w, mistakes = np.ones(X.shape[1]), 0
    factors = {label: (1 - eta / 2, eta / 2 * label) for label in (-1, 1)}
    for t, (x, label) in enumerate(zip(X.astype(float), y.tolist(), strict=True)):
        mistakes += label * x.dot(w) <= 0
        middle, slope = factors[label]
        x *= slope
        x += middle
        w *= x
        if t % 256 == 255:
            w /= w.max()
    return mistakes


def many_loop(games: list[Stream]) -> Array:
    """The Perceptron on one stream after the other: mistakes of each game."""
    counts = []
    for game in games:
        w, mistakes = np.zeros(game.n), 0
        for x, label in zip(game.X.astype(float), game.y.tolist(), strict=True):
            if label * x.dot(w) <= 0:
                w += label * x
                mistakes += 1
        counts.append(mistakes)
    return np.array(counts)


def scikit_learn(X: Array, y: Array) -> Array:
    """One pass of scikit-learn's Perceptron, with the same rule and no intercept."""
    from sklearn.linear_model import Perceptron

    model = Perceptron(fit_intercept=False, shuffle=False, max_iter=1, tol=None)
    return np.asarray(model.fit(X, y).coef_[0])


def river(X: Array, y: Array) -> Timed:
    """Predict and learn with river's Perceptron; its intercept comes last.

    The dictionaries that it wants are made outside the measured time.
    """
    from river.linear_model import Perceptron

    model, seconds, names = Perceptron(), 0.0, list(range(X.shape[1]))
    for start in range(0, len(X), 500):
        rows = [
            dict(zip(names, x.tolist(), strict=True)) for x in X[start : start + 500]
        ]
        labels = (y[start : start + 500] > 0).tolist()
        begin = time.process_time()
        for x, label in zip(rows, labels, strict=True):
            model.predict_one(x)
            model.learn_one(x, label)
        seconds += time.process_time() - begin
    weights = [model.weights.get(name, 0.0) for name in names]
    return Timed(np.array([*weights, model.intercept]), seconds)


def agree(one: Any, other: Any) -> bool:
    """Whether two contestants found the same: weights, or numbers of mistakes."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    scale = float(np.abs(one).max(initial=0.0))
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=0, atol=1e-3 * scale + math.ulp(1))
    )
