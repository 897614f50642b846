"""Whole powers of a factor, from a table: the same bits on every machine."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

LOWEST = -(1 << 40)  #: an exponent whose power is 0 for every factor


def powers(factor: float, exponents: NDArray[Any]) -> Vector:
    """Return factor ** exponents for whole exponents and a factor above 1.

    Powers too small for a float are 0, and too large ones stay at about 1e300, so
    that neither infinities nor their differences appear.
    """
    table, zero = _table(factor)
    index = np.clip(exponents, -zero, len(table) - 1 - zero).astype(np.intp) + zero
    return table[index]


@lru_cache(maxsize=32)
def _table(factor: float) -> tuple[Vector, int]:
    """Return 0, ..., factor^-1, 1, factor, ... and the place of 1."""
    most = int(690 / np.log(factor)) + 1
    up = np.multiply.accumulate(np.full(most, factor))
    down = np.multiply.accumulate(np.full(most + 60, 1 / factor))
    return np.concatenate([[0.0], down[::-1], [1.0], up]), len(down) + 1
