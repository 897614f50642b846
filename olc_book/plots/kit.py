"""What the figures of all chapters are drawn and told with, each thing in one way.

A chapter imports all of it, and with it numpy, pandas and the types of its arguments.

A chapter's figure of measurements is a table, `curves` of its columns and a sentence;
other words draw on axes that `panel` or `panels` opened, and leave the rest (labels,
limits, legend) to their caller, who may set what they have set otherwise.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from olc.core.check import Vector
from olc.core.game import Trace, plural
from olc.core.stream import Stream
from olc_book.plots._figure import *

# --- measurements -----------------------------------------------------------------


def medians(
    runs: pd.DataFrame,
    x: str,
    y: str | Sequence[str],
    *by: str,
    spread: tuple[float, float] = (0.25, 0.75),
    name: str = "",
    middle: str = "median",
    also: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the median of column y at every x, and two quantiles, low and high.

    `runs` has a row for every run, as `olc.sweep` returns it; a spread of (0, 1) is
    their range. The columns `by` become levels of the index, in the order in which
    their values appear. If y are several columns, one for each learner, the last of
    `by` is the level of their names. `name` is that of the middle column; the columns
    `also` come with their medians, and without a spread.

    >>> runs = pd.DataFrame({"N": [8, 8, 16, 16], "mistakes": [3, 5, 6, 10]})
    >>> medians(runs, "N", "mistakes", spread=(0, 1))
        low  median  high
    N
    8   3.0     4.0   5.0
    16  6.0     8.0  10.0
    """
    if not isinstance(y, str):
        runs, y = runs.melt([x, *by[:-1]], list(y), by[-1], "value"), "value"
    if by:
        part = functools.partial(
            medians, spread=spread, name=name, middle=middle, also=also
        )
        parts = runs.groupby(by[0], sort=False)
        found = {key: part(rows, x, y, *by[1:]) for key, rows in parts}
        return pd.concat(found, names=[by[0]])
    at = runs.groupby(x)
    low, high = map(at[y].quantile, spread)
    columns = {"low": low, name or middle: at[y].agg(middle), "high": high}
    return pd.DataFrame(columns | {column: at[column].agg(middle) for column in also})


#: The same with the mean of the runs.
means = functools.partial(medians, middle="mean")


def curves(
    table: pd.DataFrame,
    looks: Mapping[Any, Any],
    xlabel: str,
    ylabel: str,
    *,
    who: Any = None,
    by: str | None = None,
    whose: Mapping[Any, Any] | None = None,
    split: str | None = None,
    labels: Mapping[str, str] | None = None,
    shaded: str | None = None,
    size: tuple[float, float] = (WIDEST, 2.9),
    xticks: Iterable[float] | None = None,
    yticks: Iterable[float] | None = None,
    legend: Any = None,
    **limits: Any,
) -> list[Axes]:
    """Draw columns of a table, and nothing else, against the last level of its index.

    `looks` says which columns and how: as `look` knows the algorithm `who` ("random",
    "adversary", "bound" or None), or in a style of their own. The level `split` has a
    panel for each of its values, and `by` a line of each column for each of its; these
    are learners, and `whose` names the algorithm of those that are not called after
    one. A line is labelled by its column or, where there are several, the first column
    by the learner and no other; `labels` says it otherwise, with {} for the learner.
    The band between the columns low and high belongs to the column `shaded`, by default
    the first whose look is "random".

    `xlabel` and `ylabel` name the axes, with {} for the value of `split`; ticks make an
    axis logarithmic. The first panel has the legend, in the place `legend`; with
    legend="ends" the lines of every panel are named at their ends instead. All else
    goes to `Axes.set`.
    """
    named = dict.fromkeys(looks, "_") | {next(iter(looks)): "{}"} if by else {}
    named = named | dict(labels or {})
    if shaded is None and "low" in table:
        shaded = next((name for name, how in looks.items() if how == "random"), None)
    axes = []
    for value, part in groups(table, split):
        ax = panel(*size)
        for column, how in looks.items():
            how = how(value) if callable(how) else how
            for name, rows in groups(part, by):
                key = value if name is None else name
                style = _style((whose or {}).get(key, key) if who is None else who, how)
                if column == shaded and not rows["low"].equals(rows["high"]):
                    shade(ax, rows["low"], rows["high"], style["color"])
                label = named.get(column, column).format(key)
                ax.plot(rows.index, rows[column], **style, label=label)
        if xticks is not None:
            log_axis(ax, xticks)
        if yticks is not None:
            log_axis(ax, yticks, "y")
        ax.set(xlabel=xlabel.format(value), ylabel=ylabel.format(value), **limits)
        axes.append(ax)
    if legend == "ends":
        for ax in axes:
            name_ends(ax)
    elif legend:
        axes[0].legend(loc=legend)
    return axes


def name_ends(ax: Axes) -> None:
    """Write the label of every line at its end, in its colour, instead of a legend.

    Where names would lie on each other they are moved apart; a long one is broken.
    """
    style: dict[str, Any] = {"textcoords": "offset points", "va": "center", "size": 10}
    for line in list(ax.lines):
        x, y = (np.asarray(values, dtype=float) for values in line.get_data())
        known, name = np.flatnonzero(np.isfinite(y)), str(line.get_label())
        if len(known) and not name.startswith("_"):
            end, color = (x[known[-1]], y[known[-1]]), line.get_color()
            ax.annotate(name, end, (6, 0), **style, color=color, gid=END)


def note(ax: Axes, words: str, point: Any, place: tuple[float, float]) -> None:
    """Say in a few words what to see at a point; `place` is a share of the axes."""
    line = {"arrowstyle": "-", "color": GREY, "linewidth": 0.8, "shrinkB": 4}
    at: dict[str, Any] = {"textcoords": "axes fraction", "ha": "center", "size": 10}
    ax.annotate(words, point, place, **at, va="center", arrowprops=line)


def groups(table: Any, level: str | None) -> Iterable[tuple[Any, Any]]:
    """Return the values of a level and their rows, in the order of the table."""
    if level is None:
        return [(None, table)]
    parts = table.groupby(level=level, sort=False)
    return [(name, rows.droplevel(level)) for name, rows in parts]


def _style(who: Any, how: Any) -> dict[str, Any]:
    if how is None or isinstance(how, str):
        return look(who, how)
    return (look(who) if who is not None else {}) | how


def shade(
    ax: Axes, low: Any, high: Any, color: str, alpha: float = 0.2, **step: Any
) -> None:
    """Shade what lies between two columns."""
    style: dict[str, Any] = {"color": color, "alpha": alpha, "linewidth": 0}
    ax.fill_between(low.index, low, high, **style, **step)


def running(ax: Axes, trace: Trace, label: str, *, who: Any = None) -> None:
    """Draw the mistakes of a game so far, round by round."""
    last = trace.mistakes
    rounds = np.concatenate([[0], trace.mistake_rounds + 1, [len(trace)]])
    total = np.concatenate([np.arange(last + 1), [last]])
    style = look(trace.before if who is None else who)
    ax.plot(rounds, total, **style, drawstyle="steps-post", label=label)
    ax.set(xlabel="round", ylabel="mistakes so far")


def running_all(
    traces: Mapping[str, Trace],
    counts: Mapping[Any, Callable[[Trace], int]],
    *,
    whose: Mapping[str, Any] | None = None,
    height: float = 2.9,
    loc: Any = "best",
) -> tuple[Axes, pd.DataFrame]:
    """Draw the mistakes so far of several learners, and count what the table shall."""
    ax = panel(height=height)
    for name, trace in traces.items():
        running(ax, trace, name, who=(whose or {}).get(name))
    ax.legend(loc=loc)
    table = {
        column: {name: count(trace) for name, trace in traces.items()}
        for column, count in counts.items()
    }
    return ax, pd.DataFrame(table).rename_axis("learner")


def mistakes(trace: Trace) -> int:
    """Return the mistakes of a game: what every race counts."""
    return trace.mistakes


def log_axis(ax: Axes, values: Iterable[float], axis: str = "x") -> None:
    """Make an axis logarithmic, and mark these values on it and no others.

    If the first is 0, the axis is logarithmic beyond the second.
    """
    marked, side = [float(value) for value in values], getattr(ax, f"{axis}axis")
    beyond = {"value": "symlog", "linthresh": marked[1]} if marked[0] == 0 else {}
    getattr(ax, f"set_{axis}scale")(**{"value": "log"} | beyond)
    side.set_major_locator(ticker.FixedLocator(marked))
    side.set_minor_locator(ticker.NullLocator())


def legend_above(ax: Axes, ncols: int) -> None:
    """Put the legend above the axes, where it covers nothing."""
    place: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.02, 0.98)}
    ax.legend(**place, ncols=ncols, columnspacing=1.2, handlelength=1.6)


def situation_look(situation: Any) -> str:
    """Say how the games of a situation look: an adversary's, or random ones."""
    return "adversary" if situation == "adversary" else "random"


# --- proofs and weights -------------------------------------------------------------


def envelope(
    ax: Axes,
    ledger: pd.DataFrame,
    name: str,
    *,
    who: Any = "potential",
    start: float | None = None,
    now: int | None = None,
) -> None:
    """Draw a proof's potential between its two envelopes, update by update.

    `name` is that of the potential, such as ‖w‖²; it names the axis, and the legend
    has the envelopes only. `start` is its value before the first update. With `now`
    the line stops after so many updates, at a cross.
    """
    shade(ax, ledger["lower"], ledger["upper"], GREY, alpha=0.12)
    ax.plot(ledger.index, ledger["upper"], **look("upper"), label="upper")
    past = ledger["potential"].iloc[:now]
    if start is not None:
        past = pd.concat([pd.Series({0: start}), past])
    few = "o" if len(ledger) <= 60 else ""
    style = look(who) | {"marker": few, "markersize": 3}
    ax.plot(past.index, past, **style)
    ax.plot(ledger.index, ledger["lower"], **look("lower"), label="lower")
    if now is not None and len(past):
        here = look("mistake") | {"markersize": 9}
        ax.plot(past.index[-1], past.iloc[-1], **here)
    ax.set(xlabel=str(ledger.index.name), ylabel=name)
    ax.locator_params(axis="x", integer=True)


def envelopes(
    found: Mapping[str, pd.DataFrame],
    potential: Mapping[str, str] | str,
    *,
    size: tuple[float, float] = (3.5, 2.8),
    whose: Mapping[str, Any] | None = None,
    start: float | None = None,
) -> list[Axes]:
    """Draw the potentials of several games between their envelopes, a panel each."""
    axes = panels(len(found), *size)
    for ax, (name, ledger) in zip(axes, found.items(), strict=True):
        title = potential if isinstance(potential, str) else potential[name]
        envelope(ax, ledger, title, who=(whose or {}).get(name, name), start=start)
    return axes


def path(trace: Trace) -> Vector:
    """Return the weights before the game and after every update."""
    before: Any = trace.before
    return np.vstack([before.weights, np.asarray(trace.recorded().weights)])


def stems(ax: Axes, values: ArrayLike, *, who: Any = "weights") -> None:
    """Draw a stem for every weight."""
    heights = np.asarray(values, dtype=float)
    places, style = np.arange(1, len(heights) + 1), look(who) | {"linestyle": "-"}
    # One line with gaps is a tenth of the page that a path for every stem would be.
    gaps = np.full(len(heights), np.nan)
    line = np.column_stack([np.zeros(len(heights)), heights, gaps]).ravel()
    width = float(np.clip(120 / max(1, len(heights)), 1, 6))
    style |= {"linewidth": width, "solid_capstyle": "butt"}
    ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    ax.plot(np.repeat(places, 3), line, **style)
    ax.set(xlabel="feature", ylabel="weight", xlim=(0, len(heights) + 1))
    ax.locator_params(axis="x", integer=True)


# --- examples, and the plane --------------------------------------------------------


def examples(
    ax: Axes, X: ArrayLike, y: ArrayLike, relevant: Sequence[int] | Vector = ()
) -> None:
    """Draw examples as rows of marks: circles for +1 (or 1), squares for -1.

    The label stands at the end of its row, and the relevant columns are shaded.
    """
    rows, signs = _dense(X), np.asarray(y)
    for sign, name in ((1, "positive"), (-1, "negative")):
        place = np.argwhere(rows == sign) + 1
        ax.plot(place[:, 1], place[:, 0], **look(name))
    for column in relevant:
        ax.axvspan(column + 0.5, column + 1.5, color=INK, alpha=0.12, linewidth=0)
    width = rows.shape[1]
    for t, label in enumerate(signs, start=1):
        mark = "+" if label > 0 else "−"
        ax.text(width + 1.3, t, mark, ha="center", va="center")
    ax.set(xlabel="feature", ylabel="round", xlim=(0.3, width + 2))
    ax.set(ylim=(len(signs) + 0.7, 0.3))
    ax.locator_params(integer=True)
    ax.grid(False)


def plane(
    ax: Axes,
    X: ArrayLike,
    y: ArrayLike,
    w: ArrayLike | None = None,
    bias: float = 0.0,
    *,
    margin: float = 0.0,
    who: Any = "weights",
    reach: float | None = None,
) -> None:
    """Draw labelled points, the line ⟨w, x⟩ + bias = 0 and the direction of w.

    The line has the look of the algorithm `who`; dotted lines run at the distance
    `margin` on either side of it.
    """
    reach = points(ax, X, y, reach)
    if w is None or not np.any(w):
        return
    normal, style = np.asarray(w, dtype=float), look(who)
    length = float(np.hypot(*normal))
    boundary(ax, normal, bias, **style | {"marker": ""})
    for side in (-margin, margin) if margin else ():
        dots: dict[str, Any] = {"color": GREY, "linestyle": ":", "linewidth": 1.2}
        boundary(ax, normal, bias + side * length, **dots)
    foot = -bias * normal / length**2
    tip = foot + normal / length * min(length, reach)
    arrow(ax, tip, foot, color=style["color"])


def points(
    ax: Axes, X: ArrayLike, y: ArrayLike, reach: float | None = None, size: float = 4
) -> float:
    """Draw labelled points of the plane, in a square of this reach around 0.

    Circles are positive, open squares negative. Returns the reach, by default a
    little more than the largest coordinate.
    """
    rows, signs = _dense(X), np.asarray(y)
    if reach is None:
        reach = 1.15 * float(np.abs(rows).max(initial=0)) or 1.0
    for sign, name, label in ((1, "positive", "+1"), (-1, "negative", "−1")):
        chosen = rows[signs == sign]
        style = look(name) | {"markersize": size}
        ax.plot(chosen[:, 0], chosen[:, 1], **style, label=f"y = {label}")
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.locator_params(nbins=4)
    return reach


def boundary(ax: Axes, w: Any, bias: float = 0.0, **style: Any) -> None:
    """Draw the line of the plane on which ⟨w, x⟩ + bias is 0; w = 0 has none."""
    square = w[0] ** 2 + w[1] ** 2
    if square > 0:
        across, up = (-bias * value / square for value in w)
        ax.axline((across, up), (across - w[1], up + w[0]), **look("weights") | style)


def arrow(ax: Axes, tip: Any, tail: Any = (0, 0), **style: Any) -> None:
    """Draw an arrow, by default with the look of a weight vector from 0."""
    drawn = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "linewidth": 1.8}
    drawn |= {"color": look("weights")["color"], **style}
    ax.annotate("", (tip[0], tip[1]), (tail[0], tail[1]), arrowprops=drawn)


def _dense(X: Any) -> Vector:
    rows = X.toarray() if hasattr(X, "toarray") else X
    return np.asarray(rows, dtype=float)


# --- sentences ----------------------------------------------------------------------


def sentences(found: Iterable[str]) -> str:
    """Return what was found, each with a capital and a full stop."""
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in found)


def listed(items: Iterable[str]) -> str:
    """Join what is said of several.

    >>> listed(["a tree"]), listed(["a tree", "a house", "the sky"])
    ('a tree', 'a tree, a house and the sky')
    """
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def number(value: float) -> str:
    """Write a number in a sentence: four digits, and two of what is very small.

    >>> number(2 / 3), number(0.0001221), number(1234.5)
    ('0.6667', '0.00012', '1234')
    """
    return f"{value:.2g}" if 0 < abs(value) < 1e-3 else readable(value)


def the(name: Any) -> str:
    """Give a learner the article that its name needs in a sentence.

    >>> the("Perceptron"), the("Winnow")
    ('the Perceptron', 'Winnow')
    """
    short = {"p-norm": "p-norm Perceptron", "averaged": "averaged Perceptron"}
    full = short.get(str(name), str(name))
    return f"the {full}" if full.endswith(("Perceptron", "SVM")) else full


def every(count: int, total: int, what: str) -> str:
    """Say how many of all there are, and no number twice.

    >>> every(3, 3, "mistake"), every(2, 3, "mistake")
    ('each of the 3 mistakes', '2 of the 3 mistakes')
    """
    said = "each" if count == total > 1 else count
    return f"{said} of the {plural(total, what)}"
