"""The kernels of the compiled gear: importing this module imports numba.

A kernel keeps a round only where rounding cannot change its outcome; every other round
goes back to the learner's own hooks. Written as ``not (… > …)``, a number that is not
finite is a doubt too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

EPSILON = float(np.finfo(float).eps)
TINIEST = 5e-324  #: what a product loses at most where it underflows
EXACT = 2.0**53  #: sums of whole numbers below it are exact in any order

#: What a kernel has to check of every entry, by the learner's features and whether
#: they are float64 (a number that is not finite shows in the score by itself).
NOTHING, SIZE, BITS, SIGNS = range(4)
CHECKS = {
    ("real", False): NOTHING,
    ("real", True): SIZE,
    ("bits", False): BITS,
    ("bits", True): BITS,
    ("signs", False): SIGNS,
    ("signs", True): SIGNS,
}


def _jit(**options: Any) -> Callable[[Any], Any]:
    """Compile, and keep the result where there is a folder for it."""

    def compiled(function: Any) -> Any:
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder can be written to
            return numba.njit(**options)(function)

    return compiled


# Sums may be taken in any order (the band below allows for it); no other liberty.
_in_any_order = _jit(fastmath={"reassoc", "nsz"})
_exactly = _jit()


@_in_any_order
def _product(row, weights):
    score = size = 0.0
    for i in range(len(weights)):
        term = row[i] * weights[i]
        score += term
        size += abs(term)
    return score, size


@_exactly
def _sparse_product(row, at, weights):
    score = size = 0.0
    for i in range(len(at)):
        term = row[i] * weights[at[i]]
        score += term
        size += abs(term)
    return score, size


@_in_any_order
def _fits(row, check):
    bad = 0
    if check == SIZE:
        for i in range(len(row)):
            size = abs(row[i])
            bad += (size > 1e100) | ((size < 1e-100) & (size > 0))
    elif check == BITS:
        for i in range(len(row)):
            bad += (row[i] != 0) & (row[i] != 1)
    elif check == SIGNS:
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
def _certain(score, size, label, theta, tau, thick, n):
    """Whether rounding changes neither the prediction nor the rule."""
    band = EPSILON * (n + 4) * (size + abs(theta) + tau) + TINIEST * n
    above = score - theta
    return abs(above) > band and (not thick or abs(label * above - tau) > band)


@_exactly
def _judge(score, label, theta, tau, thick, at_threshold):
    """Return the prediction, and whether to update."""
    above = score - theta
    predicted = 1 if above > 0 else -1 if above < 0 or at_threshold else 0
    if above == 0 and at_threshold:
        predicted = 1
    wants = label * above <= tau if thick else predicted != label
    return predicted, wants


@_exactly
def scan(
    X, y, t, weights, theta, tau, thick, at_threshold, check, rate, adds,
    predictions, updates, count,
):  # fmt: skip
    """Go to the next round that is not certainly without an update.

    Returns the round, whether it is certain, and the count of updates; a learner that
    adds is updated here, and only a doubt ends its scan.
    """
    n = len(weights)
    while t < len(y):
        row, label = X[t], y[t]
        score, size = _product(row, weights)
        if check and not _fits(row, check):
            return t, False, count
        if not _certain(score, size, label, theta, tau, thick, n):
            if not (size == 0 or (size < EXACT and _whole(row, weights))):
                return t, False, count
        predicted, wants = _judge(score, label, theta, tau, thick, at_threshold)
        if wants:
            predictions[t] = predicted
            if not adds:
                return t, True, count
            updates[count] = t
            count += 1
            step = rate * label
            for i in range(n):
                weights[i] += step * row[i]
        t += 1
    return t, True, count


@_exactly
def scan_sparse(
    data, indices, indptr, y, t, weights, theta, tau, thick, at_threshold, check,
    rate, adds, predictions, updates, count,
):  # fmt: skip
    """The same over the active features of each row."""
    n = len(weights)
    while t < len(y):
        first, last, label = indptr[t], indptr[t + 1], y[t]
        row, at = data[first:last], indices[first:last]
        score, size = _sparse_product(row, at, weights)
        if check and not _fits(row, check):
            return t, False, count
        if not _certain(score, size, label, theta, tau, thick, n):
            if not (size == 0 or (size < EXACT and _whole(row, weights[at]))):
                return t, False, count
        predicted, wants = _judge(score, label, theta, tau, thick, at_threshold)
        if wants:
            predictions[t] = predicted
            if not adds:
                return t, True, count
            updates[count] = t
            count += 1
            step = rate * label
            for i in range(len(at)):
                weights[at[i]] += step * row[i]
        t += 1
    return t, True, count


@_in_any_order
def vote(X, y, t, weights, losses, limit, beta, scores):
    """Score the rounds until the best expert's mistakes reach the limit.

    The weights are products of beta, as in the loop's table, and are rounded to its
    grid, where every sum is exact.
    """
    n = len(weights)
    bits = 0
    while (1 << bits) < n:
        bits += 1
    top = np.max(weights)
    while t < len(y):
        row, label = X[t], y[t]
        scale = 2.0 ** (53 - bits - math.frexp(top)[1])
        total = balance = top = 0.0
        least = limit
        for i in range(n):
            grains = np.rint(weights[i] * scale)
            total += grains
            balance += row[i] * grains
            wrong = row[i] != label
            weights[i] *= beta if wrong else 1.0
            losses[i] += wrong
            top = max(top, weights[i])
            least = min(least, losses[i])
        scores[t] = balance / total
        t += 1
        if least >= limit:
            break
    return t
