"""One way to run an experiment: a grid of settings and seeds in, a table out."""

from __future__ import annotations

import copy
import inspect
import itertools
import numbers
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from olc.core import check
from olc.core.game import Trace
from olc.core.learner import Parametrised
from olc.core.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["sweep", "paired", "progress"]


def sweep(
    run: Callable[..., Any],
    /,
    *,
    seeds: int | Iterable[int] | None = None,
    n_jobs: int | None = None,
    **grid: Any,
) -> pd.DataFrame:
    """Run an experiment at every point of a grid, and return one row per run.

    Each setting is a list of values, a dict of labels and values, or a single value.
    `run` is called with one value of each, by name, and returns a number (column
    `value`), a dict of numbers, or a `Trace` (columns `mistakes`, `rounds` and
    `expected_mistakes`). With ``seeds=20`` every point is run with the seeds 0 to 19;
    an iterable names the seeds themselves.

    >>> import olc
    >>> def game(n, k, seed):
    ...     return olc.play(olc.Perceptron(n), olc.streams.panel(n, k, 500, seed))
    >>> table = sweep(game, n=[16, 64], k=[1, 3], seeds=2)
    >>> table[["n", "k", "seed", "mistakes"]]
        n  k  seed  mistakes
    0  16  1     0        10
    1  16  1     1        12
    2  16  3     0        26
    3  16  3     1        26
    4  64  1     0        40
    5  64  1     1        36
    6  64  3     0        77
    7  64  3     1        88

    Classes, functions and learners appear in the table under their own names, anything
    else under its label in a dict. All points meet the same seeds, so that different
    learners play on the same streams. pandas sums the table up:

    >>> def panel_of_three(learner, n, seed):
    ...     return olc.play(learner(n), olc.streams.panel(n, 3, 500, seed))
    >>> table = sweep(
    ...     panel_of_three,
    ...     learner={
    ...         "Perceptron": olc.Perceptron,
    ...         "Winnow": lambda n: olc.NormalizedWinnow(n, eta=1 / 3),
    ...     },
    ...     n=[15, 63],
    ...     seeds=range(20),
    ... )
    >>> table.groupby(["learner", "n"])["mistakes"].mean().unstack()
    n              15    63
    learner
    Perceptron  21.15  80.3
    Winnow      13.30  26.5

    ``.quantile([0.25, 0.5, 0.75])`` or ``.describe()`` give the spread over the seeds,
    and `paired` compares two learners seed by seed.

    `n_jobs` is joblib's: 2 runs two at a time, -1 uses all cores, and within
    ``joblib.parallel_config(backend="dask")`` (or "ray") a cluster does the work. The
    table is the same however many work on it, if `run` takes its randomness from
    `seed` and everything else from its arguments, which it gets as copies (but for
    streams, which nobody changes). A sweep that may be interrupted can be taken up
    again if `run` is cached: ``joblib.Memory("cache").cache(run)``.
    """
    pandas = check.optional_import("pandas", "tqdm")
    axes = {name: labelled(name, given) for name, given in grid.items()}
    if "seed" in axes:
        raise TypeError("seed is the name of the column of seeds: give seeds=…")
    if seeds is not None:
        axes["seed"] = labelled("seeds", check.seeds(seeds))
    remedy = "give a setting for every parameter, and seeds for seed"
    must_take(run, "run", list(axes), remedy)
    product = itertools.product(*(axis.items() for axis in axes.values()))
    points = [dict(zip(axes, point, strict=True)) for point in product]
    with progress(points, "runs", len(points)) as bar:
        if n_jobs is None:
            return pandas.DataFrame([_row(run, point) for point in bar])
        joblib = check.optional_import("joblib")
        jobs = (joblib.delayed(_far_away)(run, point) for point in bar)
        return pandas.DataFrame(joblib.Parallel(n_jobs=n_jobs)(jobs))


def paired(
    table: pd.DataFrame, one: str, other: str, *, by: str | Iterable[str] | None = None
) -> pd.DataFrame:
    """Return by how much one column exceeds the other, run by run.

    `table` is that of a sweep with seeds whose function lets rivals play the same
    stream and returns a number for each. There is a row for each of the settings, or
    for each value of those in `by`: the mean of the differences, its standard error
    (which takes the runs to be independent) and their number.

    >>> import olc
    >>> def rivals(n, seed):
    ...     stream = olc.streams.disjunction(n, 2, 500, seed)
    ...     return {kind.__name__: olc.play(kind(n), stream).mistakes
    ...             for kind in (olc.Winnow, olc.Perceptron)}
    >>> table = sweep(rivals, n=[16, 64], seeds=9)
    >>> paired(table, "Winnow", "Perceptron").round(2)
        difference  standard error  runs
    n
    16      -34.78            1.42     9
    64      -63.89            1.57     9
    >>> paired(table, "Winnow", "Perceptron", by=[]).round(2)
                         difference  standard error  runs
    Winnow − Perceptron      -49.33            3.68    18
    """
    names = list(table)
    for name in ("seed", one, other):
        if name not in names:
            raise ValueError(f"the table has no column {name!r}, it has {names}")
    settings = names[: names.index("seed")] if by is None else _values(by)
    gaps = table.assign(difference=table[one] - table[other])
    levels = settings or np.repeat(f"{one} − {other}", len(table))
    found = gaps.groupby(levels, sort=False)["difference"].agg(["mean", "sem", "count"])
    return found.set_axis(["difference", "standard error", "runs"], axis=1)


def progress(things: Iterable[Any], what: str, count: int) -> Any:
    """Return the things to loop over, with a progress bar after one second.

    There is none if the environment has TQDM_DISABLE.
    """
    # tqdm's bar for notebooks does not heed the switch by itself
    off, tqdm = bool(os.environ.get("TQDM_DISABLE")), check.optional_import("tqdm.auto")
    facts: Any = {"desc": what, "total": count, "delay": 1, "leave": False}
    return tqdm.tqdm(things, disable=off, **facts)


def must_take(function: Any, name: str, arguments: list[str], remedy: str) -> None:
    """Check that a function can be called with these names, before it is called."""
    try:
        inspect.signature(function).bind(**dict.fromkeys(arguments))
    except TypeError as error:
        wrong = f"{name} cannot be called with {arguments} ({error})"
        raise TypeError(f"{wrong}: {remedy}") from None


def labelled(name: str, given: Any) -> dict[Any, Any]:
    """Return the values of one setting by their labels, which the table shows."""
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = [(_label(name, value), value) for value in _values(given)]
    if not pairs:
        raise ValueError(f"{name} is empty: give at least one value")
    if len(axis := dict(pairs)) < len(pairs):
        labels = [label for label, _ in pairs]
        twice = next(label for label in labels if labels.count(label) > 1)
        remedy = "give each once, or a dict of labels and values that tells them apart"
        raise ValueError(f"{name} has two values {twice!r}: {remedy}")
    return axis


def _values(given: Any) -> list[Any]:
    if hasattr(given, "tolist"):  # an array or a Series: plain numbers do not overflow
        given = given.tolist()
    single = isinstance(given, str | Stream) or not isinstance(given, Iterable)
    return [given] if single else list(given)


def _label(name: str, value: Any) -> Any:
    """Return a value, or the name that stands for it in the table."""
    if isinstance(value, str | numbers.Number):
        return value
    if isinstance(value, Parametrised):
        return repr(value)
    label = getattr(value, "__name__", "<lambda>")
    if label == "<lambda>":
        nameless = f"{name} holds {_short(value)}, which has no name for the table"
        raise TypeError(f"{nameless}: give a dict of labels and values")
    return label


def _short(value: Any) -> str:
    """Return what a message says of a value that does not belong there."""
    return text if len(text := repr(value)) < 80 else f"a {type(value).__name__}"


def _row(run: Callable[..., Any], point: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    """Return the row of the table for one point of the grid: its labels, what it found.

    `run` gets copies of the values, which it may change.
    """
    labels = {name: label for name, (label, _) in point.items()}
    call = ", ".join(f"{name}={label!r}" for name, label in labels.items())
    call = f"{getattr(run, '__name__', 'run')}({call})".replace("<lambda>", "run", 1)
    given = {
        name: value if isinstance(value, Stream) else copy.deepcopy(value)
        for name, (_, value) in point.items()
    }
    try:
        found = run(**given)
    except Exception as error:
        raise RuntimeError(f"{call} failed: {type(error).__name__}: {error}") from error
    measured = _measured(found, call)
    for name, label in labels.items():
        if measured.setdefault(name, label) != label:
            both = (
                f"{call} returned {name} = {measured[name]!r}, but {name} is a setting"
            )
            raise ValueError(f"{both}: give one of the two another name")
    return labels | measured


def _far_away(run: Callable[..., Any], point: dict[str, Any]) -> dict[str, Any]:
    """Run one point in another process; return its row, or raise its error in words.

    The error itself may not survive the journey.
    """
    try:
        return _row(run, point)
    except Exception as error:
        words = str(error)
    raise RuntimeError(words)


def _measured(found: Any, call: str) -> dict[str, Any]:
    """Return what a run found, as columns."""
    if isinstance(found, Trace):
        return {
            "mistakes": found.mistakes,
            "rounds": len(found),
            "expected_mistakes": found.expected_mistakes,
        }
    values = dict(found) if isinstance(found, Mapping) else {"value": found}
    for name, value in values.items():
        if getattr(value, "ndim", None) == 0:
            values[name] = value = value.item()
        if not isinstance(value, str | numbers.Number):
            what = f"{name} = " * isinstance(found, Mapping) + _short(value)
            advice = "return a number, a dict of numbers or a Trace"
            if hasattr(value, "mistakes"):  # a game of several classes
                advice = "only a Trace has columns of its own, return trace.mistakes"
            raise TypeError(f"{call} returned {what}: {advice}")
    return values
