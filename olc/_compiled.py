"""The kernels of the compiled gear: importing this module imports numba.

A kernel keeps a round only where rounding cannot change its outcome; every other round
goes back to the learner's own hooks. Written as ``not (… > …)``, a number that is not
finite is a doubt too.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np

from olc.learner import Thick, Threshold

EXACT = 2.0**53  #: sums of whole numbers below it are exact in any order
WIDEST = 100_000  #: features beyond which single precision says nothing
KINDS = ["real", "bits", "signs"]
REAL, BITS, SIGNS = range(3)


class Rule(NamedTuple):
    """What a kernel knows of a learner."""

    theta: float  #: the threshold θ
    tau: float  #: the thickness τ
    thick: bool  #: whether an update asks for τ, and not for a mistake
    at_threshold: bool  #: whether a score of θ is predicted +1
    features: int  #: what the entries must be
    rate: float  #: the size of a step
    adds: bool  #: whether an update adds a multiple of the row


def rule(learner: Any, adds: bool) -> Rule:
    """Read the rule off a learner."""
    thick = type(learner).wants_update is Thick.wants_update and learner.thickness > 0
    return Rule(
        float(learner.threshold),
        float(learner.thickness) if thick else 0.0,
        thick,
        type(learner).decide is Threshold.decide,
        KINDS.index(learner.features),
        float(learner.rate) if adds else 0.0,
        adds,
    )


def _jit(**options: Any) -> Any:
    """Compile, and keep the result where there is a folder for it."""

    def compiled(function):
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder can be written to
            return numba.njit(**options)(function)

    return compiled


# Sums may be taken in any order and with fused products, as the band below allows.
_freely = _jit(fastmath={"reassoc", "nsz", "contract"})
_in_any_order = _jit(fastmath={"reassoc", "nsz"})
_exactly = _jit()


@_freely
def _product(X, t, weights):
    """Return the inner product with row t, and the row's square length."""
    score = square = weights.dtype.type(0)
    for i in range(len(weights)):
        x = weights.dtype.type(X[t, i])
        score += x * weights[i]
        square += x * x
    return score, square


@_exactly
def _sparse_product(row, at, weights):
    """Return the inner product with a row, the sum of its sizes, the square length."""
    score = size = square = 0.0
    for i in range(len(at)):
        term = row[i] * weights[at[i]]
        score += term
        size += abs(term)
        square += float(row[i]) * row[i]
    return score, size, square


@_in_any_order
def _fits(row, square, features):
    """Whether every entry is a feature of this kind, as the door would have it."""
    bad = 0
    if features == REAL:
        if 1e-200 <= square <= 1e200:
            return True
        for i in range(len(row)):
            bad += (abs(row[i]) > 1e100) | ((square < 1e-200) & (row[i] != 0))
    elif features == BITS:
        for i in range(len(row)):
            bad += (row[i] != 0) & (row[i] != 1)
    else:
        for i in range(len(row)):
            bad += (row[i] != 1) & (row[i] != -1)
    return bad == 0


@_exactly
def _whole(row, weights):
    for i in range(len(row)):
        if not (row[i] == np.floor(row[i]) and weights[i] == np.floor(weights[i])):
            return False
    return True


@_exactly
def _certain(score, size, label, rule, rounding):
    """Whether an error of this share of the size changes nothing."""
    band = rounding * (size + abs(rule.theta) + rule.tau)
    above = score - rule.theta
    return abs(above) > band and (
        not rule.thick or abs(label * above - rule.tau) > band
    )


@_exactly
def _judge(score, label, rule):
    """Return the prediction, and whether to update."""
    above = score - rule.theta
    predicted = 0
    if above > 0 or (above == 0 and rule.at_threshold):
        predicted = 1
    elif above < 0:
        predicted = -1
    wants = label * above <= rule.tau if rule.thick else predicted != label
    return predicted, wants


@_freely
def _length(weights):
    square = 0.0
    for i in range(len(weights)):
        square += weights[i] * weights[i]
    return math.sqrt(square)


@_in_any_order
def _add(X, t, step, weights, narrow):
    """Add a multiple of row t to the weights; return their length."""
    square = 0.0
    for i in range(len(weights)):
        weights[i] += step * X[t, i]
        square += weights[i] * weights[i]
    for i in range(len(narrow)):
        narrow[i] = weights[i]
    return math.sqrt(square)


@_exactly
def scan(rows, y, t, weights, narrow, rule, predictions, updates, count):
    """Go to the next round that is not certainly without an update.

    Returns the round, whether it is certain, and the count of updates; a learner that
    adds is updated here, and only a doubt ends its scan. `narrow` is room for the
    weights in single precision, for a first look at rows that are in it (or nothing).
    """
    (X,) = rows
    n, length = len(weights), _length(weights)
    fine, coarse = 2.3e-16 * (n + 4), 1.2e-7 * (n + 4)
    for i in range(len(narrow)):
        narrow[i] = weights[i]
    while t < len(y):
        label, sure = y[t], False
        if len(narrow) and 1e-15 < length < 1e30:
            score, square = _product(X, t, narrow)
            size = math.sqrt(square) * length
            # no square has vanished, no product underflows, and no sum overflows
            near = 1e-30 < square < 1e30 and 1e-30 < size < 1e37
            sure = near and _certain(score, size, label, rule, coarse)
        if not sure:
            score, square = _product(X, t, weights)
        if (rule.features or not sure) and not _fits(X[t], square, rule.features):
            return t, False, count
        if not sure:
            size = math.sqrt(square) * length
            exact = _certain(score, size, label, rule, fine)
            if not (exact or (size < EXACT and _whole(X[t], weights))):
                return t, False, count
        predicted, wants = _judge(score, label, rule)
        if wants:
            predictions[t] = predicted
            if not rule.adds:
                return t, True, count
            updates[count] = t
            count += 1
            length = _add(X, t, rule.rate * label, weights, narrow)
        t += 1
    return t, True, count


@_exactly
def scan_sparse(rows, y, t, weights, narrow, rule, predictions, updates, count):
    """The same over the active features of each row."""
    data, indices, indptr = rows
    while t < len(y):
        row, at = data[indptr[t] : indptr[t + 1]], indices[indptr[t] : indptr[t + 1]]
        label, fine = y[t], 2.3e-16 * (len(at) + 4)
        score, size, square = _sparse_product(row, at, weights)
        if not _fits(row, square, rule.features):
            return t, False, count
        exact = size == 0 or _certain(score, size, label, rule, fine)
        if not (exact or (size < EXACT and _whole(row, weights[at]))):
            return t, False, count
        predicted, wants = _judge(score, label, rule)
        if wants:
            predictions[t] = predicted
            if not rule.adds:
                return t, True, count
            updates[count] = t
            count += 1
            for i in range(len(at)):
                weights[at[i]] += rule.rate * label * row[i]
        t += 1
    return t, True, count


@_in_any_order
def vote(X, y, t, weights, losses, limit, beta, scores):
    """Score the rounds until the best expert's mistakes reach the limit.

    The weights are products of beta, as in the loop's table, and are rounded to its
    grid, where every sum is exact.
    """
    n, room, least = len(weights), 53, 0
    while (1 << (53 - room)) < n:
        room -= 1
    as_whole = weights.view(np.int64)  # which are in the same order
    while t < len(y) and least < limit:
        label, top = y[t], 0
        for i in range(n):
            top = max(top, as_whole[i])
        scale = 2.0 ** (room - ((top >> 52) - 1022))
        right = wrong = 0.0
        for i in range(n):
            grains = np.rint(weights[i] * scale)
            if X[t, i] == label:
                right += grains
            else:
                wrong += grains
                weights[i] *= beta
        for i in range(n):
            weights[i] = weights[i] if weights[i] > 1e-250 else 0.0
            losses[i] += X[t, i] != label
        least = losses[0]
        for i in range(n):
            least = min(least, losses[i])
        scores[t] = label * (right - wrong) / (right + wrong)
        t += 1
    return t
