"""Powers of a factor and of e: the same bits on every machine."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

LOWEST = -math.inf  #: an exponent whose power is 0
LARGEST = 1e150  #: no power is larger, and no square of one overflows
NEGLIGIBLE = 1e-250  #: a weight so far below the best one's is 0
LONGEST = 1 << 16  #: entries of a table that is worth its room


def powers(factor: float, exponents: NDArray[Any]) -> Vector:
    """Return factor ** exponents for whole exponents and a factor above 1.

    Powers too small for a float are 0, and too large ones stay at 1e150, so
    that neither infinities nor their differences appear.
    """
    most, least, table = _table(factor)
    within = np.maximum(exponents, -least)
    if table is None:
        power = np.minimum(np.power(factor, np.minimum(within, most)), LARGEST)
        return np.where(within > -least, power, 0.0)
    return table.take(within.astype(np.intp) + least, mode="clip")


@lru_cache(maxsize=32)
def _table(factor: float) -> tuple[int, int, Vector | None]:
    """Return the exponents' bounds and 0, ..., factor^-1, 1, ..., factor^most.

    1 stands at `least`. A factor near 1 has too many powers for a table.
    """
    log = math.log(factor)
    most, least = math.ceil(math.log(LARGEST) / log), int(746 / log) + 1
    if most + least > LONGEST:
        return most, least, None
    up = np.multiply.accumulate(np.full(most, factor))
    down = np.multiply.accumulate(np.full(least - 1, 1 / factor))
    table = np.concatenate([[0.0], down[::-1], [1.0], np.minimum(up, LARGEST)])
    return most, least, table


def spared(beta: float, losses: NDArray[Any]) -> tuple[Any, int]:
    """Return how many losses to forgive all experts, and after how many more again.

    The best expert's weight then stays between about 1e-200 and 1.
    """
    if losses.dtype.kind not in "iu":
        raise TypeError(
            f"state has dtype {losses.dtype}: experts' mistakes are counted, so let "
            "start return whole numbers, as np.zeros(n, dtype=int) does"
        )
    most = max(1, int(460 / max(-math.log(beta), 1e-16)))
    best = losses.min(axis=-1, keepdims=True)
    return best - best % most, most


def decayed(beta: float, losses: NDArray[Any]) -> Vector:
    """Return beta ** losses, by repeated products, in units that suit the best.

    Only beyond the longest table are they powers, which may differ in the last bit.
    """
    losses = losses - spared(beta, losses)[0]
    longest = int(losses.max())
    weights = _decay(beta, min(longest, LONGEST).bit_length())[
        np.minimum(losses, LONGEST)
    ]
    if longest <= LONGEST:
        return np.asarray(weights)
    far = beta ** losses.astype(float)
    return np.where(losses > LONGEST, np.where(far > NEGLIGIBLE, far, 0.0), weights)


@lru_cache(maxsize=32)
def _decay(beta: float, bits: int) -> Vector:
    """Return 1, beta, beta², ...: an entry for every number of so many bits."""
    table = np.multiply.accumulate(np.append(1.0, np.full((1 << bits) - 1, beta)))
    return np.where(table > NEGLIGIBLE, table, 0.0)


def on_a_grid(weights: Vector, rounded: np.ufunc = np.rint) -> Vector:
    """Round to multiples of a power of two, so coarse that no sum is rounded."""
    room = 53 - (weights.shape[-1] - 1).bit_length()
    scale = np.ldexp(1.0, room - np.frexp(weights.max(axis=-1, keepdims=True))[1])
    return np.asarray(rounded(weights * scale) / scale)


def power(base: Any, exponent: float) -> Any:
    """Return base ** exponent by products and square roots, for an exponent above 0.

    Every machine rounds these alike, which cannot be said of its powers.
    """
    whole, part = divmod(exponent, 1.0)
    result, factor, root = base**0, base, base
    sqrt: Any = math.sqrt if isinstance(base, float) else np.sqrt
    for bit in reversed(f"{int(whole):b}"):
        result = result * factor if bit == "1" else result
        factor = factor * factor
    while part:
        root, part = sqrt(root), 2 * part
        if part >= 1:
            result, part = result * root, part - 1
    return result


def exponentials(values: Vector) -> Vector:
    """Return e ** values for values of at most 0, to thirteen digits.

    Numpy's own may differ in the last bit from one processor to the next, which a long
    game with a bandit amplifies until another arm is drawn. Below e^-600 nothing falls:
    a weight never vanishes.
    """
    values = np.maximum(values, -600.0)
    twos = np.rint(values * (1 / _LOG_TWO))
    rest = values - twos * _LOG_TWO  # at most ½ ln 2 in size
    square = rest * rest  # Padé's approximation of degree 5
    even = (30.0 * square + 3360.0) * square + 30240.0
    odd = ((square + 420.0) * square + 15120.0) * rest
    return np.asarray((even + odd) / (even - odd) * _TWOS[twos.astype(np.intp)])


_LOG_TWO = 0.6931471805599453  # a constant: math.log may differ, too
# 2^-k at place -k: exact, and found sooner than numpy multiplies by powers of two.
_TWOS = np.ldexp(1.0, np.append(0, np.arange(-866, 0)))
