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

EXACT = 2.0**53  #: sums of whole numbers below it are exact in any order
WIDEST = 100_000  #: features beyond which single precision says nothing

#: What a kernel has to check of every entry (what is no number shows in the score).
SIZE, BITS, SIGNS = range(3)
CHECKS = {"real": SIZE, "bits": BITS, "signs": SIGNS}


def _jit(**options: Any) -> Callable[[Any], Any]:
    """Compile, and keep the result where there is a folder for it."""

    def compiled(function: Any) -> Any:
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
    score = size = 0.0
    for i in range(len(at)):
        term = row[i] * weights[at[i]]
        score += term
        size += abs(term)
    return score, size


@_in_any_order
def _fits(row, check):
    """Whether every entry is a feature of this kind."""
    bad = 0
    for i in range(len(row)):
        if check == BITS:
            bad += (row[i] != 0) & (row[i] != 1)
        elif check == SIGNS:
            bad += (row[i] != 1) & (row[i] != -1)
        else:
            bad += abs(row[i]) > 1e100
    return bad == 0


@_exactly
def _whole(row, weights):
    for i in range(len(row)):
        if not (row[i] == np.floor(row[i]) and weights[i] == np.floor(weights[i])):
            return False
    return True


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
def _certain(score, size, label, theta, tau, thick, rounding):
    """Whether an error of this share of the size changes nothing."""
    band = rounding * (size + abs(theta) + tau)
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
    X, y, t, weights, narrow, theta, tau, thick, at_threshold, check, rate, adds,
    predictions, updates, count,
):  # fmt: skip
    """Go to the next round that is not certainly without an update.

    Returns the round, whether it is certain, and the count of updates; a learner that
    adds is updated here, and only a doubt ends its scan. `narrow` holds the weights in
    single precision for rows that are in it (or nothing), for a first look.
    """
    n, length = len(weights), _length(weights)
    fine, coarse = 2.3e-16 * (n + 4), 1.2e-7 * (n + 4)
    while t < len(y):
        label, sure = y[t], False
        if len(narrow):
            score, square = _product(X, t, narrow)
            # what is lost where single precision underflows counts as size
            size = math.sqrt(square) * (length + 1e-30 * n) + 1e-30 * n
            sure = square < 1e38 and _certain(
                score, size, label, theta, tau, thick, coarse
            )
        if not sure:
            score, square = _product(X, t, weights)
            size = math.sqrt(square) * length
            if check != SIZE or not 1e-200 <= square <= 1e200:
                if not _fits(X[t], check) or 0 < square < 1e-200 or not size < 1e300:
                    return t, False, count
            if not _certain(score, size, label, theta, tau, thick, fine):
                if not (size < EXACT and _whole(X[t], weights)):
                    return t, False, count
        predicted, wants = _judge(score, label, theta, tau, thick, at_threshold)
        if wants:
            predictions[t] = predicted
            if not adds:
                return t, True, count
            updates[count] = t
            count += 1
            length = _add(X, t, rate * label, weights, narrow)
        t += 1
    return t, True, count


@_exactly
def scan_sparse(
    data, indices, indptr, y, t, weights, theta, tau, thick, at_threshold, check,
    rate, adds, predictions, updates, count,
):  # fmt: skip
    """The same over the active features of each row."""
    while t < len(y):
        first, last, label = indptr[t], indptr[t + 1], y[t]
        row, at = data[first:last], indices[first:last]
        score, size = _sparse_product(row, at, weights)
        if not _fits(row, check):
            return t, False, count
        fine = 2.3e-16 * (len(at) + 4)
        if not _certain(score, size, label, theta, tau, thick, fine):
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
    room = 53
    while (1 << (53 - room)) < n:
        room -= 1
    as_whole = weights.view(np.int64)  # which are in the same order
    least = 0
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
        for i in range(n):
            losses[i] += X[t, i] != label
        least = losses[0]
        for i in range(n):
            least = min(least, losses[i])
        scores[t] = label * (right - wrong) / (right + wrong)
        t += 1
    return t
