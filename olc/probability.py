"""From scores to conditional probabilities: a curve through the scores of a game.

Chapter `spelling`. A score that was taken before the learner had seen the example is
honest: it is as good as one on fresh data, and none has to be kept aside.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.check import Vector
from olc.core.game import Trace

STEPS = 100  #: of Newton's method, of which it needs about ten
LEAST = 1e-10  #: the least second derivative of a round; its square is no gain


def online_scores(trace: Trace) -> Vector:
    """Return how far every score was beyond the threshold, before that round's update.

    >>> from olc import Perceptron, play
    >>> trace = play(Perceptron(1), [[1.0], [3.0], [-2.0]], [1, 1, 1])
    >>> online_scores(trace)
    array([ 0.,  3., -2.])
    """
    if not isinstance(trace, Trace):
        raise TypeError(f"trace must be that of a game, as play makes one, not {trace}")
    X, y = trace.stream.X, trace.stream.y
    moving, start = Moving(copy.deepcopy(trace.before), trace.stream.n), 0
    scores, updates = np.empty(len(trace)), set(trace.updates.tolist())

    def beyond(start: int, stop: int) -> Any:
        return moving.scores(X, start, stop) - moving.learner.threshold

    for t, (at, values) in enumerate(active(X) if updates else ()):
        if t in updates:
            scores[start : t + 1] = beyond(start, t + 1)
            moving.update(at, values, int(y[t]), t)
            start = t + 1
    if start < len(trace):
        scores[start:] = beyond(start, len(trace))
    return scores


def sigmoid(scores: ArrayLike, slope: float = 1.0, offset: float = 0.0) -> Any:
    """Return 1/(1 + exp(-(slope · score + offset))), without overflow.

    >>> sigmoid([0.0, 2.0, -1000.0]).round(4)
    array([0.5   , 0.8808, 0.    ])
    """
    values = _finite(scores)
    slope, offset = _size(slope, "slope"), _size(offset, "offset")
    with np.errstate(over="ignore"):  # an infinite exponent is as good as a large one
        return (1 + np.tanh((slope * values + offset) / 2)) / 2


def softmax(scores: ArrayLike, slope: float = 1.0) -> Vector:
    """Return the distribution proportional to exp(slope · score), in every row.

    >>> softmax([[0.0, 0.0], [0.0, 2.0]]).round(4)
    array([[0.5   , 0.5   ],
           [0.1192, 0.8808]])
    """
    slope = _size(slope, "slope")
    halves = math.copysign(0.5, slope) * _finite(scores)
    below = halves - halves.max(axis=-1, keepdims=True)  # no difference overflows
    with np.errstate(over="ignore"):
        powers = np.exp(2 * abs(slope) * below)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


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
    column = _finite(scores, ": give one score per round", ndim=1)[:, None]
    values, labels = check.stream(column, y)
    design = np.zeros((len(values), 2, 2))  # the exponents of -1 are 0
    design[:, 1, :1], design[:, 1, 1] = values, 1
    positive = (labels > 0).astype(np.intp)
    slope, offset = _likeliest(design, positive)
    if slope < 0:  # worse than chance: the scores say nothing
        return 0.0, _likeliest(design[:, :, 1:], positive)[0]
    return slope, offset


def fit_softmax(scores: ArrayLike, y: ArrayLike) -> float:
    r"""Return the slope of the likeliest softmax for classes 0, 1, ..., K - 1.

    One slope for all classes leaves their order as it is: the likeliest class is the
    one with the highest score. A label counts as a probability
    :math:`(N_y + 1)/(N_y + K)`, as in `fit_sigmoid`.

    >>> round(fit_softmax([[1.0, 0.0, 0.0], [0.0, 3.0, 1.0]], [0, 1]), 3)
    0.318
    """
    rows = _finite(scores, ": give one row of scores per round", ndim=2)
    values, labels = check.classes(rows, y, rows.shape[1])
    (slope,) = _likeliest(values[:, :, None], labels)
    return max(0.0, slope)  # worse than chance: the scores say nothing


def _finite(scores: ArrayLike, shape: str = "", ndim: int | None = None) -> Any:
    values = check.numeric(scores, "scores")
    values = values.toarray() if check.is_sparse(values) else values.astype(float)
    if ndim not in (None, values.ndim) or not np.isfinite(values).all():
        raise ValueError(f"scores must be finite numbers{shape}")
    return values


def _size(value: float, name: str) -> float:
    return check.above(-math.inf, math.inf)(value, name)


def _likeliest(design: Any, labels: Any) -> list[float]:
    """Return the parameters that make the labels likeliest, by Newton's method.

    The exponent of class k in round t is ``design[t, k] @ parameters``.
    """
    rounds, classes, size = design.shape
    unit = np.abs(design).max(axis=(0, 1), initial=0.0)
    unit = np.where(unit > LEAST**30, unit, 1.0)  # no slope overflows
    flat = (design / unit).reshape(-1, size)
    counts = np.bincount(labels, minlength=classes)[labels, None]
    right = np.arange(classes) == labels[:, None]
    targets = np.where(right, counts + 1, 1) / (counts + classes)

    def look(parameters: Vector) -> tuple[float, Vector]:
        """Return the negative logarithm of the likelihood, and the probabilities."""
        exponents = (flat @ parameters).reshape(rounds, classes)
        exponents -= exponents.max(axis=1, keepdims=True)
        totals = np.exp(exponents).sum(axis=1, keepdims=True)
        chances = np.exp(exponents) / totals
        return float((targets * (np.log(totals) - exponents)).sum()), chances

    found = np.zeros(size)
    loss, chances = look(found)
    for _ in range(STEPS):
        slopes = (chances - targets).ravel() @ flat
        weighted = (flat * chances.reshape(-1, 1)).reshape(rounds, classes, size)
        mean = weighted.sum(axis=1)
        curves = weighted.reshape(-1, size).T @ flat - mean.T @ mean
        step = np.linalg.solve(curves + LEAST * max(1, rounds) * np.eye(size), slopes)
        if step @ slopes <= LEAST * LEAST * rounds:  # what is left to gain
            break
        after, there = look(found - step)
        while after > loss:
            step /= 2
            after, there = look(found - step)
        found, loss, chances = found - step, after, there
    return [float(value) for value in found / unit]
