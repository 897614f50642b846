"""The one kernel of the compiled backend: importing this module imports numba.

`X` holds dense rows, or the entries of CSR rows: those of row i are at ``ends[i]`` to
``ends[i + 1]``, in the columns `at`. Round t takes row t, or row ``order[t]`` if there
is an order. After its entries comes a last feature, the `bias`, unless that is 0. The
branches on ``ndim`` are taken at compile time.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: disable-error-code=call-arg

import llvmlite.ir as ir
import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from olc.core.learner import EPS

__all__ = ["scan"]

GRAIN = 2.0**20  #: sums of multiples of 1/GRAIN below 2³³ are exact in any order


def _jit(function):
    """Compile, and cache the machine code where there is a sound folder for it."""
    fresh = numba.njit(function)
    try:
        cached = numba.njit(cache=True)(function)
    except RuntimeError:  # no folder can be written to
        return fresh

    def call(*arguments):
        try:
            return cached(*arguments)
        except Exception:  # the cache is damaged, for nothing in a kernel raises
            return fresh(*arguments)

    return call


_inline = numba.njit(forceinline=True)  # as a call costs as much as a short row


@_inline
def _column(at, j):
    """Return the column of entry j, unsigned: no wrap-around is checked."""
    return j if at.ndim == 2 else np.uintp(at[j])


@numba.njit(forceinline=True, fastmath={"reassoc", "nsz"})
def _product(x, at, bias, weights):
    """Return Σ x w and Σ |x w|, summed in any order."""
    score = bias * weights[-1] if bias else 0.0
    size = abs(score)
    for j in range(len(x)):
        term = x[j] * weights[_column(at, j)]
        score += term
        size += abs(term)
    return score, size


@numba.njit
def _is_exact(x, at, bias, weights, size):
    """Return whether no order of summation rounds the score."""
    if bias and bias * weights[-1] * GRAIN % 1 != 0:
        return False
    for j in range(len(x)):
        term = x[j] * weights[_column(at, j)] * GRAIN
        if term != np.floor(term):  # which NaN is, too
            return False
    return size < 2.0**53 / GRAIN


@_inline
def _add(state, late, step, later, x, at, bias):
    """Add so many times the row to the state, and to what an average needs."""
    if bias:
        state[-1] += step * bias
        if len(late):
            late[-1] += later * bias
    for j in range(len(x)):
        i = _column(at, j)
        state[i] += step * x[j]
        if len(late):
            late[i] += later * x[j]


@intrinsic
def _prefetch(_, array, index):
    """Ask the memory for an entry of an array that will be needed soon."""

    def generate(context, builder, signature, given):
        entries = make_array(array)(context, builder, given[0]).data
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        entry = builder.bitcast(builder.gep(entries, given[1:]), byte)
        builder.call(prefetch, [entry, flag(0), flag(3), flag(1)])  # read, keep, data
        return context.get_dummy_value()

    return types.void(array, index), generate


@_jit
def scan(
    X, at, ends, order, bias, costs, y, predictions, updates, t, before,
    state, weights, table, late, theta, tau, tie, rate,
):  # fmt: skip
    """Go to the next round, from t on, that the learner's own hooks must see.

    Returns the round, and whether it is certainly an update. A round is certain if
    rounding, which Σ |x w| bounds, cannot change it; NaN and infinity are doubts, as
    ``not (… > …)`` holds for them. `tie` is the prediction at θ; τ < 0 means an update
    at mistakes only.

    A learner that adds multiples of its rows to the state has a `rate` and is updated
    here, with the rate times the round's cost if there are `costs`. Its weights are the
    state itself, or are looked up in a `table` by the whole number that the state is.
    `late` gathers the same multiples times the round, of which the game began with
    `before`, for an average.
    """
    unit, thick = EPS * (len(weights) + 4), max(tau, 0.0)
    for now in range(t, len(y)):
        row = order[now] if len(order) else now
        if X.ndim == 1 and now + 2 < len(order):  # no processor guesses that row
            soon = order[now + 2]
            for j in range(ends[soon], ends[soon + 1], 8):
                _prefetch(X, j)
                _prefetch(at, j)
        if X.ndim == 2:
            x, columns = X[row], X  # which stands for none
        else:
            first, last = ends[row], ends[row + 1]
            x, columns = X[first:last], at[first:last]
        score, size = _product(x, columns, bias, weights)
        above = score - theta
        margin = y[now] * above - thick
        doubt = unit * (size + abs(theta) + thick)
        if margin > doubt:
            continue
        far = min(abs(above), abs(margin)) > doubt
        if not (far or _is_exact(x, columns, bias, weights, size)):
            return now, False
        predicted = int(above > 0) - int(above < 0) + tie * int(above == 0)
        predictions[now] = predicted
        if (margin <= 0) if tau >= 0 else (predicted != y[now]):
            if rate == 0:
                return now, True
            label = costs[now] * y[now] if len(costs) else float(y[now])
            later = (before + now + 1) * rate * label
            _add(state, late, rate * label, later, x, columns, bias)
            if len(table):
                for j in range(len(x)):
                    i = _column(columns, j)
                    weights[i] = table[int(state[i])]
                if bias:
                    weights[-1] = table[int(state[-1])]
            updates[now] = True
    return len(y), False
