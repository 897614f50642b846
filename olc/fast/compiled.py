"""The kernels of the compiled gear: importing this module imports numba.

A kernel keeps a round only where rounding cannot change its outcome; every other round
goes back to the learner's own hooks. Written as ``not (… > …)``, a number that is not
finite is a doubt too.

`X` holds rows, or only their active features: then those of round t stand from
`ends[t]` on, and belong to the columns `at`. `bits` says that features must be bits.
What is done if an argument is not None is compiled only then.
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
    else:  # without a sign, no place is taken for one that counts from the end
        place = np.uintp(ends[t] + j)
        return np.uintp(at[place]), X[place]


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
def _add(X, at, ends, t, step, weights, single):
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        weights[i] += step * x
        if single is not None:
            single[i] = weights[i]


@_rarely
def _walk(X, at, ends, t, places, nexts, linked, weights, single):
    """Move the active features to their next states, or none if one has no next."""
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        if x != 0 and (places[i] < 0 or nexts[places[i]] < 0):
            return False
    for j in range(_entries(X, ends, t)):
        i, x = _entry(X, at, ends, t, j)
        if x != 0:
            places[i] = int(nexts[places[i]])
            weights[i] = linked[places[i]]
            if single is not None:
                single[i] = weights[i]
    return True


@_exactly
def _rounding(weights):
    """Return by how much of |w||x| a score may be off, and the largest square for it.

    A square below the inverse of that counts as the inverse, lest products vanish.
    """
    eps, most = (1.3e-7, 1e30) if weights.itemsize == 4 else (2.3e-16, 1e120)
    return eps * (len(weights) + 4), most


@_exactly
def _doubts(weights, square, edge):
    """Return the square of the doubt in a score: its part for each of |x|², the rest.

    The score is rounded, and so is its distance from the `edge`: (a + b)² ≤ 2a² + 2b².
    """
    unit, most = _rounding(weights)
    square = max(square, 1 / most) if square <= most else np.inf
    return 2 * unit * unit * square, 2 * unit * unit * edge * edge


@_freely
def _look(X, at, ends, t, weights, doubts, edge, bits, alone):
    """Return the score of row t, |x|², and the square of the doubt in the score.

    Sums are taken in the precision of the weights. If the row stands `alone`, only
    the weights of its own columns count as |w|².
    """
    score = size = square = weights.dtype.type(0)
    for j in range(_entries(X, ends, t)):
        i, value = _entry(X, at, ends, t, j)
        x = weights.dtype.type(value)
        score += x * weights[i]
        size += abs(x - x * x) if bits else x * x
        if alone:
            square += weights[i] * weights[i]
    if alone:
        doubts = _doubts(weights, np.float64(square), edge)
    most = _rounding(weights)[1]
    if bits:
        xx = float(len(weights)) if size == 0 else np.inf  # the door refuses others
    else:  # in double precision, where float() would stay in single
        xx = max(np.float64(size), 1 / most) if size <= most else np.inf
    return np.float64(score), xx, doubts[0] * xx + doubts[1]


@_kernel
def scan(
    X, at, ends, y, t, weights, quick, single, places, table, bits, theta, tau, tie,
    rate, predictions, updates, count,
):  # fmt: skip
    """Go to the next round that is not certainly without an update.

    Returns the round, whether it is certain, and the count of updates. `tie` is the
    prediction at θ, and τ is 0 for an update at mistakes only. `quick` has the first
    look: the weights, or their copy in `single` precision if there is one.

    Two kinds of learners are updated here, and only a doubt ends their scan: one that
    adds multiples of the rows has a `rate`; one whose features walk along a `table` of
    states has, for each feature, its place in it, and for each place the next one after
    a negative and after a positive example, and its weight.
    """
    if single is not None:
        for i in range(len(weights)):
            single[i] = weights[i]
    alone = X.ndim == 1 and rate == 0  # then all weights are too many to measure
    edge, square = abs(theta) + tau, 1.0 if alone else _square(weights)
    doubts, unit = _doubts(quick, square, edge), _rounding(quick)[0]
    exact = 2 * (_rounding(weights)[0] * EXACT) ** 2
    while t < len(y):
        score, xx, doubt = _look(X, at, ends, t, quick, doubts, edge, bits, alone)
        above = score - theta
        margin = y[t] * above - tau
        if margin > 0 and margin * margin > doubt:
            t += 1
            continue
        nearest = min(abs(above), abs(margin))
        if single is not None and not nearest * nearest > doubt:
            wide = _doubts(weights, square, edge)
            score, xx, doubt = _look(X, at, ends, t, weights, wide, edge, bits, alone)
            above = score - theta
            margin = y[t] * above - tau
            nearest = min(abs(above), abs(margin))
        if not nearest * nearest > doubt and not (
            doubt < exact and _is_exact(X, at, ends, t, weights)
        ):
            return t, False, count
        predicted = int(above > 0) - int(above < 0) + tie * int(above == 0)
        if margin <= 0 if tau > 0 else predicted != y[t]:
            predictions[t] = predicted
            if rate != 0:
                step = rate * y[t]
                _add(X, at, ends, t, step, weights, single)
                # |w + s x|² = |w|² + 2 s⟨w, x⟩ + s²|x|², and what rounding may add
                added = step * (2 * score + step * xx)
                square += added + 2 * unit * (square + step * step * xx)
            elif table.size > 0 and _walk(
                X, at, ends, t, places, table[int(y[t] > 0)], table[2], weights, single
            ):
                square = square if alone else _square(weights)
            else:
                return t, True, count
            doubts = _doubts(quick, square, edge)
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
    n, room, least, top = len(weights), 53, 0.0, 0.0
    while (1 << (53 - room)) < n:
        room -= 1
    wrong = np.zeros(n, np.uint8)  # mistakes of a stretch: narrow sums are quick ones
    while t < len(y) and losses.min() < limit:  # it grows by at most 1 in a round
        stop = min(len(y), t + min(255, limit - losses.min()))
        while t < stop:
            label, right, total = y[t], 0.0, 0.0
            if not least > top / 2:  # the largest weight may have left its octave
                least = 0.0
                for i in range(n):
                    least = max(least, weights[i])
                top = 2.0 ** math.frexp(least)[1]
                scale = 2.0**room / top
            for i in range(n):
                grains = np.rint(weights[i] * scale)
                total += grains
                right += grains if X[t, i] == label else 0.0
                weights[i] *= 1.0 if X[t, i] == label else beta
            for i in range(n):
                wrong[i] += X[t, i] != label
            scores[t] = label * (2 * right - total) / total
            least *= beta
            t += 1
        for i in range(n):
            losses[i] += wrong[i]
            wrong[i] = 0
            weights[i] = weights[i] if weights[i] > 1e-250 else 0.0
    return t
