"""Sums, shares, roots and powers whose rounding neither a bound nor a tie can feel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olc.core.check import Vector


def rounded(values: Vector, digits: int) -> Vector:
    """Return numbers to so many of their 53 binary digits, by Veltkamp's splitting.

    The powers of numpy differ in the last digits from one processor to the next.
    Without those a sum of a few numbers is exact, and a tie is one everywhere.

    >>> float(rounded(np.array(0.1), 32)).hex()
    '0x1.9999999a00000p-4'
    """
    top = values * (2.0 ** (53 - digits) + 1)
    return np.asarray(top - (top - values))


def shares(weights: Vector, axis: int = 0) -> Any:
    """Return the weights divided by their sum along the axis.

    The sum goes from the first to the last: how numpy takes one depends on the shape.

    >>> shares(np.array([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    return weights / weights.cumsum(axis=axis).take([-1], axis=axis)


def softmax(logs: Vector, axis: int = 0) -> Any:
    """Return the shares, which sum to 1 along the axis, in proportion to exp(logs).

    >>> softmax(np.log([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    powers = np.exp(logs - logs.max(axis=axis, keepdims=True))
    return shares(powers, axis)


def bisected(
    good: Callable[[float], bool], low: float, high: float
) -> tuple[float, float]:
    """Return the last number that is good and the next one, which is not.

    `low` must be good, and `high` must not.

    >>> bisected(lambda x: x < 2, 0.0, 3.0)
    (1.9999999999999998, 2.0)
    """
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if good(middle) else (low, middle)
    return low, high


def undo_rounding(bound: float) -> float:
    """Return a bound, or the whole number next to it if only rounding parts the two.

    >>> undo_rounding(2.9999999999999987), undo_rounding(2.9)
    (3.0, 2.9)
    """
    nearest = round(bound) if math.isfinite(bound) else bound
    return float(nearest if abs(bound - nearest) <= 1e-12 * abs(bound) else bound)


def solve_root_bound(ratio: float, losses: float) -> float:
    """Return the largest M with M ≤ losses + ratio·√M.

    >>> solve_root_bound(2, 3)
    9.0
    """
    return undo_rounding((ratio / 2 + math.sqrt(ratio**2 / 4 + losses)) ** 2)
