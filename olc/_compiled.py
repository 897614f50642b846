"""The kernels of the compiled gear: importing this module imports numba.

A kernel keeps a round only where rounding cannot change its outcome; every other round
goes back to the learner's own hooks. Written as ``not (… > …)``, a number that is not
finite is a doubt too.

`X` holds rows, or only their active features: then those of round t stand from
`ends[t]` on, and belong to the columns `at`. `bits` says that features must be bits.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

EXACT = 2.0**53  #: sums of whole numbers below it are exact in any order


def _jit(**options: Any) -> Any:
    """Compile, and keep the result where there is a folder for it."""

    def compiled(function):
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder can be written to
            return numba.njit(**options)(function)

    return compiled


# Only kernels are called from outside. Parts are inlined, as a call costs as much as a
# short row. Sums may be taken in any order and with fused products, as the band allows.
_kernel = _jit()
_in_any_order = _jit(fastmath={"reassoc", "nsz", "nnan"})
_part: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_rarely = numba.njit(**_part)
_exactly = numba.njit(**_part, forceinline=True)
_freely = numba.njit(**_part, forceinline=True, fastmath={"reassoc", "nsz", "contract"})


@_exactly
def _is_single(weights):
    return weights.itemsize == 4


@_exactly
def _entries(X, ends, t):
    """Return how many entries row t has."""
    if X.ndim == 2:
        return X.shape[1]
    else:  # only one of the two is compiled
        return ends[t + 1] - ends[t]


@_exactly
def _entry(X, at, ends, t, j):
    """Return the column of entry j of row t, and its value."""
    if X.ndim == 2:
        return j, X[t, j]
    else:
        return at[ends[t] + j], X[ends[t] + j]


@_rarely
def _is_exact(X, at, ends, t, weights):
    """Whether all terms of a score are whole numbers, or 0 for lack of a weight."""
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        whole = x == np.floor(x) and weights[i] == np.floor(weights[i])
        if not (whole or x == 0 or (weights[i] == 0 and abs(x) > 1e-60)):
            return False
    return True


@_freely
def _square(weights):
    square = 0.0
    for i in range(len(weights)):
        square += weights[i] * weights[i]
    return square


@_exactly
def _add(X, at, ends, t, step, weights, quick):
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        weights[i] += step * x
        if _is_single(quick):
            quick[i] = weights[i]


@_rarely
def _walk(X, at, ends, t, places, nexts, linked, weights, quick):
    """Move the active features to their next states, or none if one has no next."""
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        if x != 0 and (places[i] < 0 or nexts[places[i]] < 0):
            return False
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        if x != 0:
            places[i] = nexts[places[i]]
            weights[i] = linked[places[i]]
            if _is_single(quick):
                quick[i] = weights[i]
    return True


@_freely
def _look(X, at, ends, t, label, weights, length, bits, theta, tau):
    """Return the score of row t, |w|², |x|², the rounding unit, and if all is certain.

    The sums are taken in the precision of the weights. Where no `length` |w|² is known,
    that of the row's own columns will do.
    """
    score = odd = weights.dtype.type(0)  # odd shows what the door would refuse
    ww, entries = max(length, 0.0), _entries(X, ends, t)
    for j in range(entries):
        i, value = _entry(X, at, ends, t, j)
        x = weights.dtype.type(value)
        score += x * weights[i]
        odd += abs(x - x * x) if bits else x * x
        if X.ndim == 1 and length < 0:
            ww += weights[i] * weights[i]
    longest = float(len(weights)) if odd == 0 else np.inf  # a row of bits
    xx = longest if bits else np.float64(odd)  # float() would stay in single precision
    eps, most = (1.3e-7, 1e30) if _is_single(weights) else (2.3e-16, 1e120)
    unit = eps * (entries + 4)
    above = np.float64(score) - theta
    beyond = min(abs(above), abs(label * above - tau)) - unit * (abs(theta) + tau)
    fits = 1 / most < ww < most and 1 / most < xx < most
    sure = fits and beyond > 0 and beyond * beyond > unit * unit * ww * xx
    return np.float64(score), ww, xx, unit, sure


@_kernel
def scan(
    X, at, ends, y, t, weights, quick, places, nexts, linked, bits, theta, tau, tie,
    rate, predictions, updates, count,
):  # fmt: skip
    """Go to the next round that is not certainly without an update.

    Returns the round, whether it is certain, and the count of updates. `tie` is the
    prediction at θ, and τ is 0 for an update at mistakes only. `quick` has the first
    look: the weights, or room for them in single precision.

    Two kinds of learners are updated here, and only a doubt ends their scan: one that
    adds multiples of the rows has a `rate`; one whose features walk along a table of
    states has, for each feature, its place in it, and for each place the `nexts` after
    a negative and after a positive example, and the weight that is `linked` to it.
    """
    sparse = X.ndim == 1 and rate == 0  # then all weights are too many to measure
    length = -1.0 if sparse else _square(weights)
    if _is_single(quick):
        for i in range(len(weights)):
            quick[i] = weights[i]
    while t < len(y):
        score, ww, xx, unit, sure = _look(
            X, at, ends, t, y[t], quick, length, bits, theta, tau
        )
        if not sure and _is_single(quick):
            score, ww, xx, unit, sure = _look(
                X, at, ends, t, y[t], weights, length, bits, theta, tau
            )
        above = score - theta
        margin = y[t] * above - tau
        if sure and margin > 0:
            t += 1
            continue
        if not sure:
            small = xx <= 1e120 and ww * xx < EXACT * EXACT
            if not (small and _is_exact(X, at, ends, t, weights)):
                return t, False, count
        predicted = int(above > 0) - int(above < 0) + tie * int(above == 0)
        if margin <= 0 if tau > 0 else predicted != y[t]:
            predictions[t] = predicted
            if rate != 0:
                step = rate * y[t]
                _add(X, at, ends, t, step, weights, quick)
                # |w + s x|² = |w|² + 2 s⟨w, x⟩ + s²|x|², and what rounding may add
                added = step * (2 * score + step * xx)
                length += added + 2 * unit * (length + step * step * xx)
            elif len(linked) > 0 and _walk(
                X, at, ends, t, places, nexts[int(y[t] > 0)], linked, weights, quick
            ):
                length = length if sparse else _square(weights)
            else:
                return t, True, count
            updates[count] = t
            count += 1
        t += 1
    return t, True, count


@_in_any_order
def vote(X, y, t, weights, losses, limit, beta, scores):
    """Score the rounds until the best expert's mistakes reach the limit.

    The weights are products of beta, as in the loop's table, and are rounded to its
    grid, where every sum is exact.
    """
    n, room = len(weights), 53
    while (1 << (53 - room)) < n:
        room -= 1
    wrong = np.zeros(n, np.uint8)  # mistakes of a stretch: narrow sums are quick ones
    while t < len(y) and losses.min() < limit:  # it grows by at most 1 in a round
        stop = min(len(y), t + min(255, limit - losses.min()))
        while t < stop:
            label, top, right, total = y[t], 0.0, 0.0, 0.0
            for i in range(n):
                top = max(top, weights[i])
            scale = 2.0 ** (room - math.frexp(top)[1])
            for i in range(n):
                grains = np.rint(weights[i] * scale)
                total += grains
                right += grains if X[t, i] == label else 0.0
                weights[i] *= 1.0 if X[t, i] == label else beta
            for i in range(n):
                wrong[i] += X[t, i] != label
            scores[t] = label * (2 * right - total) / total
            t += 1
        for i in range(n):
            losses[i] += wrong[i]
            wrong[i] = 0
            weights[i] = weights[i] if weights[i] > 1e-250 else 0.0
    return t
