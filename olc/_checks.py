"""Arguments are checked at the door, in one sentence: what is wrong, and the remedy.

Where a number of features n is expected, 0 stands for any.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]

CHUNK = 1 << 18  #: elements read at a time: a megabyte of float32, which fits a cache
LARGEST = 1e100  #: the largest feature: no score of such features overflows

REMEDY = {
    "real": f"finite numbers of size at most {LARGEST:g}",
    "signs": "-1 and +1 only; map 0 to -1",
    "bits": "0 and 1 only; map -1 to 0, or use a learner that takes real features",
}


def count(value: Any, name: str, least: int = 1) -> int:
    """Return a whole number that is at least `least`."""
    whole = type(value) is int or isinstance(value, numbers.Integral)
    if not whole or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if int(value) < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return int(value)


def real(value: Any, name: str) -> float:
    """Return a number as a float; one that no float holds becomes infinite."""
    if type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def number(value: Any, name: str, low: float, high: float = math.inf) -> float:
    """Return a number strictly between `low` and `high`."""
    size = real(value, name)
    if not low < size < high:
        raise ValueError(f"{name} must lie between {low} and {high}, not {value}")
    return size


def at_least(value: Any, name: str, least: float) -> float:
    """Return a finite number that is at least `least`."""
    size = real(value, name)
    if not least <= size < math.inf:
        raise ValueError(f"{name} must be finite and at least {least}, not {value}")
    return size


def chance(value: Any, name: str) -> float:
    """Return a probability, 0 and 1 included."""
    size = real(value, name)
    if not 0 <= size <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, not {value}")
    return size


def subset_size(k: Any, n: int) -> int:
    """Return a number of relevant features, between 1 and n."""
    if count(k, "k") > n:
        raise ValueError(
            f"k = {k} relevant features do not fit into n = {n}: use k ≤ n"
        )
    return int(k)


def label(value: Any) -> int:
    """Return a label, -1 or +1."""
    sign = real(value, "y")
    if sign not in (-1, 1):
        raise ValueError(f"y must be -1 or +1, not {value!r}: map 0 to -1")
    return int(sign)


def example(x: ArrayLike, n: int, features: str, name: str = "x") -> Vector:
    """Return one example of n features as floats: a copy, whatever happens to x."""
    array = numeric(x, name)
    if array.ndim != 1 or not len(array) or (n and len(array) != n):
        raise ValueError(
            f"{name} has shape {array.shape}: give one vector"
            + (f" of n = {n} numbers" if n else " that is not empty")
        )
    rows(array[None], features, name=name)
    return np.array(array, dtype=np.float64, order="C")


def examples(X: ArrayLike, n: int, features: str) -> Vector:
    """Return one example x, or a block of rows X, as floats."""
    array = numeric(X, "X")
    if array.ndim == 1:
        return example(array, n, features)
    width(array, n)
    rows(array, features)
    return as_floats(array)


def stream(X: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """Return examples and labels that belong together; X is not copied."""
    X = numeric(X, "X")
    if X.ndim != 2:
        raise ValueError(
            f"X has {X.ndim} dimension{'s' * (X.ndim != 1)}: give one row per round, "
            "X.reshape(1, -1) for a single example"
        )
    width(X, 0)
    labels = numeric(y, "y")
    if labels.shape != (len(X),):
        raise ValueError(
            f"y has shape {labels.shape} and X has {len(X)} rows: give one label a row"
        )
    wrong = np.flatnonzero((labels != 1) & (labels != -1))
    if len(wrong):
        row = wrong[0]
        raise ValueError(
            f"y[{row}] = {labels[row]}: labels are -1 and +1 (map 0 to -1)"
        )
    return X, labels.astype(np.int8, copy=False)


def numeric(values: Any, name: str) -> NDArray[Any]:
    """Return an array of real numbers, without copying one that is there already."""
    if hasattr(values, "toarray"):
        raise TypeError(f"{name} is a sparse matrix: pass {name}.toarray()")
    if hasattr(values, "filled"):
        raise TypeError(f"{name} is a masked array: pass {name}.filled(value)")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} is not an array of numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} has dtype {array.dtype}: give real numbers, "
            f"{name}.astype(float) if they are"
        )
    return array


def width(X: NDArray[Any], n: int) -> None:
    """Check that a block has as many columns as the learner has weights."""
    if X.ndim != 2 or not X.shape[1] or n not in (0, X.shape[1]):
        raise ValueError(
            f"X has shape {X.shape}: give rows of "
            + (f"n = {n} features" if n else "at least one feature")
        )


def block(X: NDArray[Any], n: int, features: str) -> None:
    """Check a whole block, a chunk at a time."""
    width(X, n)
    for start, part in chunks(X):
        rows(part, features, start)


def chunks(X: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield (first row, rows) of pieces that fit a cache."""
    size = max(1, CHUNK // X.shape[1])
    for start in range(0, len(X), size):
        yield start, X[start : start + size]


def rows(X: NDArray[Any], features: str, start: int = 0, name: str = "X") -> None:
    """Check that every entry is a feature that the learner can take."""
    if features == "bits":
        good = (X == 0) | (X == 1)
    elif features == "signs":
        good = np.abs(X) == 1
    elif X.dtype.kind == "f":
        good = np.abs(X) <= min(LARGEST, float(np.finfo(X.dtype).max))
    else:
        return
    if good.all():
        return
    row, column = (int(index[0]) for index in np.nonzero(~good))
    where = f"X[{row + start}, {column}]" if name == "X" else f"{name}[{column}]"
    raise ValueError(f"{where} = {X[row, column]}: give {REMEDY[features]}")


def as_floats(x: NDArray[Any]) -> Vector:
    """Return float64 in memory order: the form in which a score is computed."""
    return np.ascontiguousarray(x, dtype=np.float64)


def largest_norm(X: NDArray[Any]) -> float:
    """Return the largest Euclidean length of a row of finite numbers.

    A power of two scales the numbers, so that no square overflows or vanishes.
    """
    longest = 0.0
    for start, part in chunks(X):
        rows(part, "real", start)
        floats = part.astype(np.float64)
        scale = math.ldexp(1.0, math.frexp(float(np.abs(floats).max()))[1])
        floats /= scale
        squares = np.einsum("ij,ij->i", floats, floats)
        longest = max(longest, scale * math.sqrt(float(squares.max())))
    return longest
