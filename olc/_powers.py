"""Whole powers of a factor, from a table: the same bits on every machine."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

LOWEST = -math.inf  #: an exponent whose power is 0
LARGEST = 1e150  #: no power is larger, and no square of one overflows
LONGEST = 1 << 16  #: entries of a table that is worth its room


def powers(factor: float, exponents: NDArray[Any]) -> Vector:
    """Return factor ** exponents for whole exponents and a factor above 1.

    Powers too small for a float are 0, and too large ones stay at 1e150, so
    that neither infinities nor their differences appear.
    """
    log = math.log(factor)
    most, least = math.ceil(math.log(LARGEST) / log), int(746 / log) + 1
    within = np.clip(exponents, -least, most)
    if most + least > LONGEST:  # a factor near 1, whose powers need no table
        power = np.minimum(np.power(factor, within), LARGEST)
        return np.where(within > -least, power, 0.0)
    return np.asarray(_table(factor, most, least)[within.astype(np.intp) + least])


@lru_cache(maxsize=32)
def _table(factor: float, most: int, least: int) -> Vector:
    """Return 0, ..., factor^-1, 1, factor, ..., factor^most; 1 stands at `least`."""
    up = np.multiply.accumulate(np.full(most, factor))
    down = np.multiply.accumulate(np.full(least - 1, 1 / factor))
    return np.concatenate([[0.0], down[::-1], [1.0], np.minimum(up, LARGEST)])
