"""What is refused at a door, and in which words: one sentence with the remedy.

Ranges are declared once, for the parameters of a learner and for the assumptions of a
theorem (`assuming`): `above`, `at_least`, `whole`, `chance`, `flag`. Examples and
labels are checked where they come in. Where a number of features n is expected, 0
stands for any.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
import numbers
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["above", "at_least", "whole"]

Vector = NDArray[np.float64]
Range = Callable[[Any, str], Any]
P = ParamSpec("P")
R = TypeVar("R")

CHUNK = 1 << 18  #: elements read at a time: two megabytes of floats, which fit a cache

# ---------------------------------------------------------------------- numbers


def real(value: Any, name: str) -> float:
    """Return a number as a float; refuse what is none."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, not {value!r}")
    return float(value)


def above(low: float, high: float = math.inf) -> Range:
    """Return a check for a number strictly between `low` and `high`."""
    return _within(lambda size: low < size < high, f"lie between {low} and {high}")


def at_least(low: float) -> Range:
    """Return a check for a finite number that is at least `low`."""
    return _within(lambda size: low <= size < math.inf, f"be finite and at least {low}")


def _within(good: Callable[[float], bool], wanted: str) -> Range:
    def check(value: Any, name: str) -> float:
        if not good(size := real(value, name)):
            raise ValueError(f"{name} must {wanted}, not {value}")
        return size

    return check


def whole(least: int = 1) -> Range:
    """Return a check for a whole number that is at least `least`."""
    return lambda value, name: count(value, name, least)


def count(value: Any, name: str, least: int = 1) -> int:
    """Return a whole number as an int; refuse one below `least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if int(value) < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return int(value)


seed = whole(0)  #: of random numbers


#: of anything random: a probability, 0 and 1 included
chance = _within(lambda size: 0 <= size <= 1, "lie between 0 and 1")


def flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def seeds(value: Any) -> list[int]:
    """Return the seeds 0, 1, ... of so many runs, or those that are named."""
    named = value if isinstance(value, Iterable) else range(count(value, "seeds"))
    if not (good := [seed(each, "a seed") for each in named]):
        raise ValueError("seeds is empty: give at least one value")
    return good


def subset(k: Any, n: int) -> int:
    """Return a number of relevant features, between 1 and n."""
    if count(k, "k") > n:
        raise ValueError(f"k = {k} relevant features are more than n = {n}: use k ≤ n")
    return int(k)


def assuming(**ranges: Range) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that checks a theorem's arguments by name, so that the body
    is its formula.

    Each name has its range. An argument whose default is None may be None. If n and k
    are both named, k must not exceed n. A name that the function does not have is
    skipped, so that several theorems can share one declaration.

    >>> @assuming(radius=above(0), margin=above(0))
    ... def ratio(radius, margin):
    ...     return radius / margin
    >>> ratio(3, margin=-1)
    Traceback (most recent call last):
    ValueError: margin must lie between 0 and inf, not -1
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        named = {name: ranges[name] for name in signature.parameters if name in ranges}

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for name, check in named.items():
                value = bound.arguments[name]
                if value is not None or signature.parameters[name].default is not None:
                    bound.arguments[name] = check(value, name)
            if "n" in named and "k" in named:
                subset(bound.arguments["k"], bound.arguments["n"])
            return function(*bound.args, **bound.kwargs)

        return checked

    return decorate


def optional_import(*modules: str) -> Any:
    """Import modules and return the first, or name the packages to install.

    >>> optional_import("math").sqrt(4)
    2.0
    >>> optional_import("no_such_package.part")
    Traceback (most recent call last):
    ModuleNotFoundError: no_such_package is missing: pip install no_such_package
    """
    try:
        first, *_ = map(importlib.import_module, modules)
    except ModuleNotFoundError as error:
        packages = dict.fromkeys(module.partition(".")[0] for module in modules)
        if error.name in packages:  # else it is there, and misses one itself
            known = " ".join(packages).replace("sklearn", "scikit-learn")
            error.msg = f"{error.name} is missing: pip install {known}"
        raise
    return first


# ----------------------------------------------------------------------- arrays


def is_sparse(X: Any) -> bool:
    """Return whether this is a SciPy CSR matrix, as `numeric` returns them."""
    return hasattr(X, "indptr")


def numeric(values: Any, name: str, remedy: str = "") -> Any:
    """Return an array or a CSR matrix of real numbers, a copy only if it must be."""
    if hasattr(values, "filled"):
        raise TypeError(f"{name} is a masked array: pass {name}.filled(value)")
    try:
        array = _csr(values) if hasattr(values, "tocsr") else np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} is not an array of numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        remedy = remedy or _NUMBERS.get(name, "give real numbers")
        raise TypeError(f"{name} has dtype {array.dtype}: {remedy}")
    if array.dtype.char == "g":  # a long double may be more than a float can be
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    return array


_RELABEL = "np.where(y == positive_class, 1, -1)"
_NUMBERS = {
    "X": "give real numbers; CountVectorizer makes them of text and DictVectorizer of "
    "rows of dicts (sklearn.feature_extraction)",
    "y": f"labels are -1 and +1: {_RELABEL}",
}


def _csr(values: Any) -> Any:
    """Return a valid CSR matrix; entries stored twice are added up."""
    matrix = values if values.format == "csr" else values.tocsr()
    matrix.check_format(full_check=True)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def as_rows(X: Any, n: int = 0) -> Any:
    """Return X, not copied; refuse what has not one row of n features per example."""
    X = numeric(X, "X")
    if X.ndim != 2 or not X.shape[1] or n not in (0, X.shape[1]):
        wanted = f"give one row of {f'n = {n} ' if n else ''}features per round"
        remedy = f"X.reshape({1 if X.ndim == 1 else 'len(X)'}, -1) if these are all"
        raise ValueError(f"X has shape {X.shape}: {wanted}, {remedy}")
    return X


def features(X: Any, kind: str, name: str = "X") -> None:
    """Refuse rows X unless all entries are of this kind: "real", "signs" or "bits"."""
    fits, remedy = _KINDS[kind]
    stored = is_sparse(X) and kind != "signs"  # its zeros are features
    for start, part in chunks(X.data[None] if stored else X):
        entries = part.toarray() if is_sparse(part) else part
        if (good := fits(entries)).all():
            continue
        row, column = divmod(at := int(good.argmin()), entries.shape[1])
        if stored:
            row, column = X.indptr.searchsorted(at, "right") - 1, X.indices[at]
        where = f"X[{start + row}, {column}]" if name == "X" else f"{name}[{column}]"
        raise ValueError(f"{where} = {entries.ravel()[at]}: give {remedy}")


_KINDS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "real": (np.isfinite, "finite numbers"),
    "signs": (lambda entries: np.abs(entries) == 1, "-1 and +1 only; map 0 to -1"),
    "bits": (
        lambda entries: (entries == 0) | (entries == 1),
        "0 and 1 only; map -1 to 0, or use a learner that takes real features",
    ),
}


def example(x: Any, n: int, kind: str = "real", name: str = "x") -> Vector:
    """Return a copy of one example as n floats; refuse what is not of this kind."""
    array = x if type(x) is np.ndarray and x.dtype == float else numeric(x, name)
    if hasattr(array, "toarray") and array.shape[:-1] in ((), (1,)):
        array = array.toarray().ravel()
    if array.ndim != 1 or not len(array) or n not in (0, len(array)):
        wanted = f" of n = {n} numbers" if n else " that is not empty"
        raise ValueError(f"{name} has shape {array.shape}: give one vector{wanted}")
    if kind != "real" or not np.isfinite(array).all():
        features(array[None], kind, name)
    return np.array(array, dtype=np.float64, order="C")


def label(value: Any) -> int:
    """Return a label, -1 or +1."""
    if real(value, "y") not in (-1, 1):
        raise ValueError(f"y must be -1 or +1, not {value!r}: map 0 to -1")
    return int(value)


def labels(X: Any, y: Any) -> NDArray[np.int8]:
    """Return y as int8, one label for each row of X; refuse all but -1 and +1."""
    signs = one_per_row(y, X)
    if len(wrong := np.flatnonzero((signs != 1) & (signs != -1))):
        value = signs[wrong[0]]
        remedy = "map 0 to -1" if value == 0 else _RELABEL
        raise ValueError(f"y[{wrong[0]}] = {value}: labels are -1 and +1 ({remedy})")
    return signs.astype(np.int8, copy=False)


def one_per_row(y: Any, X: Any, remedy: str = "") -> NDArray[Any]:
    """Return y as an array of numbers, one for each row of X; else refuse it."""
    values = numeric(y, "y", remedy)
    if is_sparse(values) or values.shape != (X.shape[0],):
        shapes = f"y has shape {values.shape} and X has {X.shape[0]} rows"
        raise ValueError(f"{shapes}: give one number per row, as y.ravel() does")
    return np.asarray(values)


def chunks(X: Any, size: int = CHUNK) -> Iterator[tuple[int, Any]]:
    """Yield (first, rows) for blocks of rows of X that fit a cache."""
    count, step = X.shape[0], rows_of(X, size)
    for start in range(0, count, step):  # SciPy would copy even all of the rows
        yield start, X if step >= count else X[start : start + step]


def rows_of(X: Any, size: int) -> int:
    """Return how many rows have so many entries: at least one."""
    entries = X.nnz / max(1, X.shape[0]) if is_sparse(X) else X.shape[1]
    return max(1, int(size // max(1, entries)))


def as_floats(X: Any) -> Vector:
    """Return X as a dense float64 array in C order, in which scores are computed."""
    return np.ascontiguousarray(X.toarray() if is_sparse(X) else X, dtype=np.float64)
