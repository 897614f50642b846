"""From scores to conditional probabilities: a curve through the scores of a game.

Chapter `multiclass`. A score that was taken before the learner had seen the example is
honest, if only about the hypothesis of that round; so no example has to be kept aside.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check, numerics
from olc.core.check import Vector
from olc.core.game import Trace, as_trace
from olc.core.learner import Linear, has
from olc.fast.play import FastState

__all__ = ["online_scores", "sigmoid", "softmax", "fit_sigmoid"]

STEPS = 100  #: of Newton's method, of which it needs about ten
ENOUGH = 1e-9  #: what is left to gain when the next step is the last one
LEAST = 1e-300  #: what is smaller is taken for 0


def online_scores(trace: Trace) -> Vector:
    """Return how far every score was beyond the threshold, before that round's update.

    >>> from olc import Perceptron, play
    >>> trace = play(Perceptron(1), [[1.0], [3.0], [-2.0]], [1, 1, 1])
    >>> online_scores(trace)
    array([ 0.,  3., -2.])
    """
    learner: Any = copy.deepcopy(as_trace(trace).before)
    stream, changed = trace.stream, set(trace.update_rounds.tolist())
    scores, first = np.empty(len(trace)), learner.rounds
    if not has(learner, Linear, "score"):
        for t, (x, y) in enumerate(stream.rounds()):
            learner.rounds = first + t
            scores[t] = learner.score(x) - learner.threshold
            if t in changed:
                learner.update(x, y)
        return scores
    fast = FastState(learner, stream)
    for t, y in enumerate(stream.y.tolist()):  # no vector of all features for a few
        at, values = stream.entries(t)
        scores[t] = fast.score(at, values) - learner.threshold
        if t in changed:
            fast.update(t, at, values, y)
    return scores


def sigmoid(scores: ArrayLike, slope: float = 1.0, offset: float = 0.0) -> Any:
    """Return 1/(1 + exp(-(slope · score + offset))), without overflow.

    >>> sigmoid([0.0, 2.0, -1000.0]).round(4)
    array([0.5   , 0.8808, 0.    ])
    """
    values, slope = _finite(scores), _size(slope, "slope")
    with np.errstate(over="ignore"):  # an infinite exponent is as good as a large one
        return (1 + np.tanh((slope * values + _size(offset, "offset")) / 2)) / 2


def softmax(scores: ArrayLike, slope: float = 1.0) -> Vector:
    """Return the distribution proportional to exp(slope · score), in every row.

    >>> softmax([[0.0, 0.0], [0.0, 2.0]]).round(4)
    array([[0.5   , 0.5   ],
           [0.1192, 0.8808]])
    """
    slope = _size(slope, "slope")
    values = math.copysign(0.5, slope) * _finite(scores, ": give one per class", 1)
    below = values - values.max(axis=-1, keepdims=True)  # no difference overflows
    with np.errstate(over="ignore"):
        return numerics.softmax(2 * abs(slope) * below, axis=-1)


def fit_sigmoid(scores: ArrayLike, y: ArrayLike) -> tuple[float, float]:
    r"""Return the slope and the offset of the likeliest rising sigmoid for labels ±1.

    Platt's (1999): the labels count as probabilities :math:`(N_+ + 1)/(N_+ + 2)` and
    :math:`1/(N_- + 2)` of +1 instead of 1 and 0, so that the slope stays finite where
    the scores tell the classes apart without a mistake. A slope is never negative: a
    higher score never means a lower probability.

    >>> slope, offset = fit_sigmoid([-2.0, -1.0, 1.0, 2.0], [-1, -1, 1, 1])
    >>> round(slope, 3), round(abs(offset), 3)
    (0.674, 0.0)
    """
    values = _finite(scores, ": give one score per round", 1, 1)
    positive = check.labels(values[:, None], y) > 0
    up, down = np.count_nonzero(positive), np.count_nonzero(~positive)
    targets = np.where(positive, (up + 1) / (up + 2), 1 / (down + 2))
    values, unit = _scaled(values)
    design = np.stack([values, np.ones_like(values)])

    def look(parameters: Vector, rows: Vector) -> tuple[Vector, Vector]:
        with np.errstate(over="ignore"):
            chances = 1 / (1 + np.exp(-(parameters @ rows)))
        return rows @ (chances - targets), (rows * (chances * (1 - chances))) @ rows.T

    slope, offset = _likeliest(partial(look, rows=design), 2)
    if slope < 0:  # worse than chance: the scores say nothing
        return 0.0, float(_likeliest(partial(look, rows=design[1:]), 1)[0])
    return float(slope / unit), float(offset)


def fit_softmax(scores: ArrayLike, y: ArrayLike) -> float:
    r"""Return the slope of the likeliest softmax for classes 0, 1, ..., K - 1.

    One slope for all classes never turns their order round: no class is likelier than
    the one with the highest score. A label counts as a probability
    :math:`(N_y + 1)/(N_y + K)`, as in `fit_sigmoid`.

    >>> round(fit_softmax([[1.0, 0.0, 0.0], [0.0, 3.0, 1.0]], [0, 1]), 3)
    0.318
    """
    values = _finite(scores, ": give one row of scores per round", 2, 2)
    classes = values.shape[1]
    labels = numbered(values, y, classes)
    counts = np.bincount(labels, minlength=classes)[labels, None]
    targets = np.where(np.arange(classes) == labels[:, None], counts + 1, 1)
    values, unit = _scaled(values)
    wanted = (targets / (counts + classes) * values).sum()
    columns = np.ascontiguousarray(values.T)

    def look(parameters: Vector) -> tuple[Vector, Vector]:
        chances = numerics.softmax(parameters[0] * columns)
        means = (chances * columns).sum(axis=0)
        spread = np.vdot(chances, np.square(columns - means))
        return np.array([means.sum() - wanted]), np.array([[spread]])

    # worse than chance: the scores say nothing
    return max(0.0, float(_likeliest(look, 1)[0] / unit))


def numbered(X: Any, y: Any, number: int) -> NDArray[np.intp]:
    """Return the classes of these rows, which are numbered from 0."""
    remedy = "number the classes, np.unique(y, return_inverse=True)[1]"
    named = check.one_per_row(y, X, remedy)
    if len(wrong := np.flatnonzero(~np.isin(named, np.arange(number)))):
        raise ValueError(
            f"y[{wrong[0]}] = {named[wrong[0]]}: labels are 0 to {number - 1} for "
            f"classes = {number}; {remedy}"
        )
    return named.astype(np.intp)


def _finite(scores: Any, shape: str = "", least: int = 0, most: int = 64) -> Any:
    """Return scores of so many dimensions as floats."""
    values = check.numeric(scores, "scores")
    values = values.toarray() if check.is_sparse(values) else values.astype(float)
    empty = least and most != 1 and values.shape[-1:] == (0,)
    if empty or not least <= values.ndim <= most:
        raise ValueError(f"scores has shape {values.shape}{shape}")
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite numbers")
    return values


_size = check.above(-math.inf)  # any finite number


def _scaled(values: Vector) -> tuple[Vector, float]:
    """Return values of size 1 at most and their unit, so that no slope overflows."""
    unit = float(np.abs(values).max(initial=0.0))
    unit = unit if unit > LEAST else 1.0
    return values / unit, unit


def _likeliest(look: Callable[[Vector], tuple[Vector, Vector]], size: int) -> Vector:
    """Return the parameters of the least loss, by Newton's method.

    `look` gives the slopes of the loss at some parameters, and its curvatures.
    """
    found = np.zeros(size)
    slopes, curves = look(found)
    for _ in range(STEPS):
        # a share of each curvature, however small: one large score must not hide others
        ridge = 1e-10 * np.diag(curves) + LEAST
        step = np.linalg.solve(curves + np.diag(ridge), slopes)
        gain = step @ slopes
        if gain <= ENOUGH:
            return found - step
        slopes, curves = look(found - step)
        while slopes @ step < -gain / 2:  # too far: the loss rises again
            step /= 2
            slopes, curves = look(found - step)
        found = found - step
    return found
