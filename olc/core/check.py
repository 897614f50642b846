"""Arguments are checked at the door, in one sentence: what is wrong, and the remedy.

Where a number of features n is expected, 0 stands for any.
"""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

CHUNK = 1 << 18  #: elements read at a time: two megabytes of floats, which fit a cache
LARGEST = 1e100  #: the largest feature: no score of such features overflows
SHORTEST = 1e-100  #: the least length of a row that is not 0: no score vanishes
MOST = 10**300  #: the largest whole number

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
    if int(value) > MOST:
        raise ValueError(f"{name} must be at most 1e300, which fits a float")
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


def flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def seed(value: Any, name: str = "seed") -> Any:
    """Return a seed of random numbers: a whole number that is not negative."""
    if isinstance(value, np.random.Generator | np.random.SeedSequence):
        return value
    return count(value, name, least=0)


def seeds(value: Any) -> list[int]:
    """Return the seeds 0, 1, ... of so many runs, or those that are named."""
    if not isinstance(value, Iterable):
        return list(range(count(value, "seeds")))
    named = [count(each, "a seed", least=0) for each in value]
    if not named:
        raise ValueError("seeds is empty: give at least one value")
    return named


def callable_by(function: Any, name: str, arguments: list[str], remedy: str) -> None:
    """Check that a function can be called with these names, before it is called."""
    if not callable(function):
        wanted = " and ".join(arguments) or "the settings"
        raise TypeError(f"{name} must be a function of {wanted}, not {function!r}")
    try:
        signature = inspect.signature(function)
    except ValueError:  # some built-in functions do not say what they take
        return
    try:
        signature.bind(**dict.fromkeys(arguments))
    except TypeError as error:
        raise TypeError(
            f"{name_of(function, name)}{signature} cannot be called with {arguments} "
            f"({error}): {remedy}"
        ) from None


def name_of(function: Any, otherwise: str) -> str:
    """Return what a function is called, or another name if it has none."""
    name = getattr(function, "__name__", "<lambda>")
    return otherwise if name == "<lambda>" else name


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


def example(x: Any, n: int, features: str, name: str = "x") -> Vector:
    """Return one example of n features as floats: a copy, whatever happens to x."""
    array = numeric(x, name)
    if is_sparse(array):
        array = array.toarray()[0] if array.shape[0] == 1 else array
    if array.ndim != 1 or not array.shape[0] or (n and len(array) != n):
        raise ValueError(
            f"{name} has shape {array.shape}: give one vector"
            + (f" of n = {n} numbers" if n else " that is not empty")
        )
    rows(array[None], features, name=name)
    return np.array(array, dtype=np.float64, order="C")


def examples(X: Any, n: int, features: str) -> Vector:
    """Return one example x, or a block of rows X, as floats."""
    array = numeric(X, "X")
    if array.ndim == 1:
        return example(array, n, features)
    width(array, n)
    rows(array, features)
    return as_floats(array)


def stream(X: Any, y: Any) -> tuple[Any, NDArray[np.int8]]:
    """Return examples and labels that belong together; X is not copied."""
    X = table(X)
    labels = _one_a_row(numeric(y, "y"), X)
    wrong = np.flatnonzero((labels != 1) & (labels != -1))
    if len(wrong):
        row = wrong[0]
        raise ValueError(
            f"y[{row}] = {labels[row]}: labels are -1 and +1 (map 0 to -1)"
        )
    return X, labels.astype(np.int8, copy=False)


def classes(X: Any, y: Any, count: int) -> tuple[Any, NDArray[np.intp]]:
    """Return examples and their classes, which are numbered from 0."""
    X, remedy = table(X), "number the classes, np.unique(y, return_inverse=True)[1]"
    labels = _one_a_row(numeric(y, "y", remedy), X)
    wrong = np.flatnonzero(~np.isin(labels, np.arange(count)))
    if len(wrong):
        row = wrong[0]
        raise ValueError(
            f"y[{row}] = {labels[row]}: labels are 0 to {count - 1} for classes = "
            f"{count}; {remedy}"
        )
    return X, labels.astype(np.intp)


def table(X: Any) -> Any:
    """Return examples, one in each row; they are not copied."""
    X = numeric(X, "X")
    if X.ndim != 2:
        remedy = (
            "np.empty((0, n)) for no round"
            if not X.size
            else "X.reshape(1, -1) for a single example"
            if X.ndim == 1
            else "X.reshape(len(X), -1) to make one row of each"
            if X.ndim > 2
            else "a table of numbers"
        )
        raise ValueError(
            f"X has {X.ndim} dimension{'s' * (X.ndim != 1)}: give one row per round, "
            f"{remedy}"
        )
    width(X, 0)
    return X


def _one_a_row(labels: Any, X: Any) -> NDArray[Any]:
    if is_sparse(labels):
        raise TypeError("y is a sparse matrix: pass y.toarray().ravel()")
    if labels.shape != (X.shape[0],):
        column = labels.shape == (X.shape[0], 1)
        raise ValueError(
            f"y has shape {labels.shape} and X has {X.shape[0]} rows: give one label a "
            f"row{', y.ravel()' if column else ''}"
        )
    return np.asarray(labels)


def numeric(values: Any, name: str, remedy: str = "") -> Any:
    """Return an array (or a CSR matrix) of real numbers, if possible the same one."""
    if hasattr(values, "tocsr"):
        return _csr(values, name)
    if hasattr(values, "filled"):
        raise TypeError(f"{name} is a masked array: pass {name}.filled(value)")
    _refuse_what_is_no_array(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} is not an array of numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        remedy = remedy or _numbers_of(array, name)
        raise TypeError(f"{name} has dtype {array.dtype}: {remedy}")
    return array


def _refuse_what_is_no_array(values: Any, name: str) -> None:
    if values is None:
        raise TypeError(f"{name} is None: give {_WANTED.get(name, 'numbers')}")
    if isinstance(values, dict):
        remedy = (
            "sklearn.feature_extraction.DictVectorizer makes rows of dicts"
            if name == "X"
            else f"pass list({name}.values())"
        )
        raise TypeError(
            f"{name} is a dict: give {_WANTED.get(name, 'numbers')}; {remedy}"
        )
    if isinstance(values, Iterator | set | frozenset):
        kind = type(values).__name__
        raise TypeError(
            f"{name} is a {kind}, which has no order of rows to go back to: "
            f"pass list({name})"
        )


_WANTED = {"X": "a table with one row per round", "y": "one label, -1 or +1, per round"}


def _numbers_of(array: NDArray[Any], name: str) -> str:
    """Say how an array of this kind might become one of numbers."""
    items = array.ravel()[:1].tolist()
    if array.dtype.kind in "US" or (items and isinstance(items[0], str)):
        if name == "y":
            return "labels are -1 and +1: np.where(y == positive_class, 1, -1)"
        return (
            "text must become numbers first, for example by "
            "sklearn.feature_extraction.text.CountVectorizer"
        )
    if items and isinstance(items[0], dict):
        return "sklearn.feature_extraction.DictVectorizer makes rows of dicts"
    return f"give real numbers, {name}.astype(float) if they are"


def is_sparse(X: Any) -> bool:
    """Say whether this is a SciPy CSR matrix, as `numeric` returns them."""
    return hasattr(X, "indptr")


def _csr(values: Any, name: str) -> Any:
    """Return a CSR matrix in which no entry stands twice."""
    matrix = values if values.format == "csr" else values.tocsr()
    if matrix.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} has dtype {matrix.dtype}: give real numbers, "
            f"{name}.astype(float) if they are"
        )
    if matrix.ndim != 2:
        raise ValueError(
            f"{name} is a sparse vector: give a sparse matrix with one row per round"
        )
    try:
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"{name} is no sound CSR matrix: {error}") from None
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def width(X: Any, n: int) -> None:
    """Check that a block has as many columns as the learner has weights."""
    if X.ndim != 2 or not X.shape[1] or n not in (0, X.shape[1]):
        raise ValueError(
            f"X has shape {X.shape}: give rows of "
            + (f"n = {n} features" if n else "at least one feature")
        )


def block(X: Any, n: int, features: str) -> None:
    """Check a whole block, a chunk at a time."""
    width(X, n)
    for start, part in chunks(X):
        rows(part, features, start)


def chunks(X: Any, size: int = 0) -> Iterator[tuple[int, Any]]:
    """Yield (first row, rows) of pieces that fit a cache."""
    count = X.shape[0]
    entries = X.nnz / max(1, count) if is_sparse(X) else X.shape[1]
    step = max(1, int((size or CHUNK) // max(1, entries)))
    for start in range(0, count, step):
        yield start, X[start : start + step]


def rows(X: Any, features: str, start: int = 0, name: str = "X") -> None:
    """Check that every entry is a feature that the learner can take."""
    if is_sparse(X):
        return _sparse_rows(X, features, start, name)
    if features == "real" and X.dtype == np.float64 and _surely_good(X):
        return None
    good = _good(X, features)
    if good is None or good.all():
        return _long_enough(X, features, start, name)
    row, column = (int(index[0]) for index in np.nonzero(~good))
    return _refuse(X[row, column], features, row + start, column, name)


def _sparse_rows(X: Any, features: str, start: int, name: str) -> None:
    if features == "signs" and X.nnz < X.shape[0] * X.shape[1]:
        return rows(X.toarray(), features, start, name)
    good = _good(X.data, features)
    if good is not None and not good.all():
        at = int(np.flatnonzero(~good)[0])
        row = int(np.searchsorted(X.indptr, at, side="right")) - 1
        _refuse(X.data[at], features, row + start, int(X.indices[at]), name)
    return _long_enough(X, features, start, name)


def _surely_good(X: Any) -> bool:
    """Say whether the lengths of the rows alone clear every entry: one pass."""
    squares = np.einsum("ij,ij->i", X, X)
    return bool(((squares >= SHORTEST**2) & (squares <= LARGEST**2)).all())


def _good(X: NDArray[Any], features: str) -> Any:
    """Return which entries are features of this kind; None if all must be."""
    if features == "bits":
        return (X == 0) | (X == 1)
    if features == "signs":
        return np.abs(X) == 1
    if X.dtype.kind != "f":
        return None
    return np.abs(X) <= min(LARGEST, float(np.finfo(X.dtype).max))


def _long_enough(X: Any, features: str, start: int, name: str) -> None:
    """Refuse a row that is so short that its products with the weights vanish."""
    if features != "real" or X.dtype.kind != "f" or X.dtype.itemsize <= 4:
        return
    if is_sparse(X):
        squares = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    else:
        squares = np.einsum("ij,ij->i", X, X)
    short = np.flatnonzero(squares < SHORTEST**2)  # rows of zeros among them
    if len(short) and len(found := (X[short] != 0).nonzero()[0]):
        where = f"row {short[found[0]] + start} of X" if name == "X" else name
        raise ValueError(
            f"{where} is shorter than {SHORTEST:g}: scale the examples up, "
            "X / np.abs(X).max()"
        )


def _refuse(value: Any, features: str, row: int, column: int, name: str) -> None:
    where = f"X[{row}, {column}]" if name == "X" else f"{name}[{column}]"
    raise ValueError(f"{where} = {value}: give {REMEDY[features]}")


def as_floats(X: Any) -> Vector:
    """Return float64 in memory order: the form in which a score is computed."""
    if is_sparse(X):
        X = X.toarray()
    return np.ascontiguousarray(X, dtype=np.float64)


def largest_norm(X: Any) -> float:
    """Return the largest Euclidean length of a row of finite numbers.

    A power of two scales the numbers, so that no square overflows or vanishes.
    """
    longest = 0.0
    for start, part in chunks(X):
        rows(part, "real", start)
        floats = part.astype(np.float64)
        scale = math.ldexp(1.0, math.frexp(float(abs(floats).max()))[1])
        floats /= scale
        if is_sparse(part):
            squares = floats.multiply(floats).sum(axis=1)
        else:
            squares = np.einsum("ij,ij->i", floats, floats)
        longest = max(longest, scale * math.sqrt(float(squares.max())))
    return longest
