"""The one kernel of the compiled backend: importing this module imports numba.

`X` holds dense rows, or the entries of CSR rows: those of row t are at ``ends[t]`` to
``ends[t + 1]``, in the columns `at`. The branch on ``X.ndim`` is taken at compile time.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from typing import Any

import numba
import numpy as np

GRAIN = 2.0**20  #: sums of multiples of 1/GRAIN below 2³³ are exact in any order
EPS = float(np.finfo(float).eps)


def _jit(function: Any) -> Any:
    """Compile, and cache the machine code where there is a sound folder for it."""
    try:
        compiled = numba.njit(cache=True)(function)
    except RuntimeError:  # no folder can be written to
        return numba.njit(function)

    def call(*arguments: Any) -> Any:
        nonlocal compiled
        try:
            return compiled(*arguments)
        except Exception:  # the cache is damaged, for nothing in a kernel raises
            compiled = numba.njit(function)
            return compiled(*arguments)

    return call


# Inlined, as a call costs as much as a short row.
_part: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}


@numba.njit(**_part)
def _row(X, ends, t):
    """Return where the entries of row t begin and end."""
    if X.ndim == 2:
        return 0, X.shape[1]
    else:
        return ends[t], ends[t + 1]


@numba.njit(**_part)
def _entry(X, at, t, j):
    """Return the column and the value of entry j of row t."""
    if X.ndim == 2:
        return j, X[t, j]
    else:  # unsigned, so that no wrap-around is checked
        return np.uintp(at[np.uintp(j)]), X[np.uintp(j)]


@numba.njit(**_part, fastmath={"reassoc", "nsz"})
def _product(X, at, ends, t, weights):
    """Return Σ x w and Σ |x w| of row t, summed in any order."""
    score = size = 0.0
    first, last = _row(X, ends, t)
    for j in range(first, last):
        i, x = _entry(X, at, t, j)
        term = x * weights[i]
        score += term
        size += abs(term)
    return score, size


@numba.njit(**_part | {"forceinline": False})
def _is_exact(X, at, ends, t, weights, size):
    """Return whether no order of summation rounds the score of row t."""
    first, last = _row(X, ends, t)
    for j in range(first, last):
        i, x = _entry(X, at, t, j)
        term = x * weights[i] * GRAIN
        if term != np.floor(term):  # which NaN is, too
            return False
    return size < 2.0**53 / GRAIN


@_jit
def scan(
    X, at, ends, y, t, state, weights, table, late, before, theta, tau, tie, rate,
    predictions, updates, count,
):  # fmt: skip
    """Go to the next round that the learner's own hooks must see.

    Returns the round, whether it is certainly an update, and the count of updates. A
    round is certain if rounding, which Σ |x w| bounds, cannot change it; NaN and
    infinity are doubts, as ``not (… > …)`` holds for them. `tie` is the prediction at
    θ; τ < 0 means an update at mistakes only.

    A learner that adds multiples of its rows to the state has a `rate` and is updated
    here. Its weights are the state itself, or are looked up in a `table` by the whole
    number that the state is, from the middle. `late` gathers the same multiples times
    the round, of which the game began with `before`, for an average.
    """
    middle = len(table) // 2
    unit = EPS * (len(weights) + 4)
    while t < len(y):
        score, size = _product(X, at, ends, t, weights)
        above = score - theta
        margin = y[t] * above - max(tau, 0.0)
        doubt = unit * (size + abs(theta) + max(tau, 0.0))
        if margin > doubt:
            t += 1
            continue
        if not min(abs(above), abs(margin)) > doubt and not (
            size == 0 or _is_exact(X, at, ends, t, weights, size)
        ):
            return t, False, count
        predicted = int(above > 0) - int(above < 0) + tie * int(above == 0)
        predictions[t] = predicted
        if (margin <= 0) if tau >= 0 else (predicted != y[t]):
            if rate == 0:
                return t, True, count
            step = rate * y[t]
            first, last = _row(X, ends, t)
            if table.size > 0:
                for j in range(first, last):
                    i, x = _entry(X, at, t, j)
                    place = state[i] + step * x + middle
                    if x != 0 and not (0 <= place < len(table)):
                        return t, True, count
            for j in range(first, last):
                i, x = _entry(X, at, t, j)
                state[i] += step * x
                if late.size > 0:
                    late[i] += (before + t + 1) * step * x
                if table.size > 0 and x != 0:
                    weights[i] = table[int(state[i]) + middle]
            updates[count] = t
            count += 1
        t += 1
    return t, False, count
