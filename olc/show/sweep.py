"""One way to run an experiment: a grid of settings and seeds in, a table out."""

from __future__ import annotations

import copy
import inspect
import itertools
import numbers
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from olc.core import check
from olc.core.game import Trace
from olc.core.learner import Parametrised
from olc.core.stream import Stream

if TYPE_CHECKING:
    import pandas as pd


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

    Classes, functions and learners stand in the table under their own names, anything
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

    ``.quantile([0.25, 0.5, 0.75])`` or ``.describe()`` give the spread over the seeds.

    `n_jobs` is joblib's: 2 runs two at a time, -1 uses all cores, and within
    ``joblib.parallel_config(backend="dask")`` (or "ray") a cluster does the work. The
    table is the same however many work on it, if `run` takes its randomness from
    `seed` and everything else from its arguments, which it gets as copies (but for
    streams, which nobody changes). A sweep that may be interrupted can be taken up
    again if `run` is cached: ``joblib.Memory("cache").cache(run)``.
    """
    pandas = check.need("pandas")
    axes = {name: _axis(name, given) for name, given in grid.items()}
    if "seed" in axes:
        raise TypeError("seed is the name of the column of seeds: give seeds=…")
    if seeds is not None:
        axes["seed"] = _axis("seeds", check.seeds(seeds))
    points = [
        dict(zip(axes, point, strict=True))
        for point in itertools.product(*axes.values())
    ]
    remedy = "give a setting for every parameter, and seeds for seed"
    must_take(run, "run", list(axes), remedy)
    bar = progress(points, "runs", len(points))
    if n_jobs is None:
        return pandas.DataFrame([_row(run, point) for point in bar])
    joblib = check.need("joblib")
    try:
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
    except ValueError:  # some backends, such as Ray's, return all results at once
        parallel = joblib.Parallel(n_jobs=n_jobs)
    rows = []
    with bar:
        for row in parallel(joblib.delayed(_far_away)(run, point) for point in points):
            if isinstance(row, str):
                raise RuntimeError(row)
            rows.append(row)
            bar.update()
    return pandas.DataFrame(rows)


def progress(things: Iterable[Any], what: str, count: int) -> Any:
    """Show a bar to who waits for more than a second, unless TQDM_DISABLE is set."""
    tqdm, off = check.need("tqdm.auto").tqdm, bool(os.environ.get("TQDM_DISABLE"))
    return tqdm(things, desc=what, total=count, delay=1, leave=False, disable=off)


def must_take(function: Any, name: str, arguments: list[str], remedy: str) -> None:
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
            f"{_name_of(function, name)}{signature} cannot be called with {arguments} "
            f"({error}): {remedy}"
        ) from None


def _name_of(function: Any, otherwise: str) -> str:
    name = getattr(function, "__name__", "<lambda>")
    return otherwise if name == "<lambda>" else name


class _Setting(NamedTuple):
    label: Any  #: what the table shows
    value: Any  #: what the run gets


def _axis(name: str, given: Any) -> list[_Setting]:
    """Return the values of one setting, each with its label."""
    if isinstance(given, set | frozenset):
        raise TypeError(f"{name} is a set, which has no order: give a list")
    if isinstance(given, Mapping):
        axis = [_Setting(*pair) for pair in given.items()]
    else:
        axis = [_Setting(_label(name, value), value) for value in _values(given)]
    if not axis:
        raise ValueError(f"{name} is empty: give at least one value")
    labels = [setting.label for setting in axis]
    for place, label in enumerate(labels):
        if label in labels[:place]:
            raise ValueError(
                f"{name} has two values {label!r}: give each once, or a dict of labels "
                "and values that tells them apart"
            )
    return axis


def _values(given: Any) -> list[Any]:
    if hasattr(given, "tolist"):  # an array or a Series: plain numbers do not overflow
        given = given.tolist()
    single = isinstance(given, str | Stream) or not isinstance(given, Iterable)
    return [given] if single else list(given)


def _label(name: str, value: Any) -> Any:
    """Return what stands for a value in the table."""
    if isinstance(value, str | numbers.Number):
        return value
    if isinstance(value, Parametrised):
        return repr(value)
    label = getattr(value, "__name__", "<lambda>")
    if label == "<lambda>":
        raise TypeError(
            f"{name} holds {_short(value)}, which has no name for the table: give a "
            "dict of labels and values"
        )
    return label


def _short(value: Any) -> str:
    """Return what a message says of a value that does not belong there."""
    return text if len(text := repr(value)) < 80 else f"a {type(value).__name__}"


def _row(run: Callable[..., Any], point: dict[str, _Setting]) -> dict[str, Any]:
    """Run one point of the grid, where the work is done."""
    labels = {name: setting.label for name, setting in point.items()}
    call = ", ".join(f"{name}={label!r}" for name, label in labels.items())
    call = f"{_name_of(run, 'run')}({call})"
    try:
        found = run(**{name: _own(setting.value) for name, setting in point.items()})
    except Exception as error:
        kind = type(error).__name__
        raise RuntimeError(f"{call} failed: {kind}: {error}") from error
    measured = _measured(found, call)
    for name in labels.keys() & measured.keys():
        if labels[name] != measured[name]:
            raise ValueError(
                f"{call} returned {name} = {measured[name]!r}, but {name} is a "
                "setting: give one of the two another name"
            )
    return labels | measured


def _far_away(run: Callable[..., Any], point: dict[str, _Setting]) -> Any:
    """Run one point, or return what went wrong: no exception has to travel back."""
    try:
        return _row(run, point)
    except Exception as error:
        return str(error)


def _own(value: Any) -> Any:
    """Return a value that the run may change, as a learner that plays does."""
    return value if isinstance(value, Stream) else copy.deepcopy(value)


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
        if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
            values[name] = value = value.item()
        if not isinstance(value, str | numbers.Number):
            what = f"{name} = " * isinstance(found, Mapping) + _short(value)
            raise TypeError(
                f"{call} returned {what}: return a number, a dict of numbers or a Trace"
            )
    return values
