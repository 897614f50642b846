"""The vocabulary of the figures: what several chapters draw, each in one way.

Every function draws on axes that `panel` or `panels` opened and leaves the rest
(labels, limits, legend) to its caller, who may set what it has set otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from olc.show.plots._figure import GREY, INK, look, readable

if TYPE_CHECKING:
    from olc.core.game import Trace
    from olc.core.learner import Vector

# --- measurements -----------------------------------------------------------------


def band(
    ax: Axes,
    table: pd.DataFrame,
    x: str,
    y: str,
    label: str,
    *,
    who: Any = None,
    how: str | None = "random",
    middle: str = "median",
    spread: tuple[float, float] = (0.25, 0.75),
) -> pd.DataFrame:
    """Draw column y against column x: a line, and a band over the seeds.

    `table` has a row for every run, as `olc.sweep` returns it. The line is the
    "median" or the "mean" of the runs at each x, and the band lies between two of
    their quantiles: (0, 1) spans them all. The look is that of the algorithm `who`
    (else of the one that the label names), as `look` knows it. Returns the numbers
    drawn.

    >>> from olc.show.plots import panel
    >>> runs = pd.DataFrame({"N": [8, 8, 16, 16], "mistakes": [3, 5, 6, 10]})
    >>> band(panel(), runs, "N", "mistakes", "Perceptron", spread=(0, 1))
        low  median  high
    N
    8   3.0     4.0   5.0
    16  6.0     8.0  10.0
    """
    runs = table.groupby(x)[y]
    low, high = spread
    drawn = pd.DataFrame(
        {
            "low": runs.quantile(low),
            middle: runs.agg(middle),
            "high": runs.quantile(high),
        }
    )
    style = look(label if who is None else who, how)
    if not drawn["low"].equals(drawn["high"]):
        shade: dict[str, Any] = {"color": style["color"], "alpha": 0.2, "linewidth": 0}
        ax.fill_between(drawn.index, drawn["low"], drawn["high"], **shade)
    ax.plot(drawn.index, drawn[middle], **style, label=label)
    return drawn


def bands(
    ax: Axes,
    table: pd.DataFrame,
    x: str,
    y: str,
    by: str = "learner",
    *,
    looks: Mapping[Any, Any] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Draw a `band` for every value of the column `by`, in the order of the table.

    The values name algorithms; `looks` says whose look a value has that names none.
    Returns the numbers drawn.
    """
    looks = looks or {}
    drawn = {
        name: band(ax, rows, x, y, str(name), who=looks.get(name, name), **options)
        for name, rows in table.groupby(by, sort=False)
    }
    return pd.concat(drawn, names=[by])


def running(ax: Axes, trace: Trace, label: str, *, who: Any = None) -> None:
    """Draw the mistakes of a game so far, round by round."""
    last = trace.mistakes
    rounds = np.concatenate([[0], trace.rounds + 1, [len(trace)]])
    total = np.concatenate([np.arange(last + 1), [last]])
    style = look(trace.before if who is None else who)
    ax.plot(rounds, total, **style, drawstyle="steps-post", label=label)
    ax.set(xlabel="round", ylabel="mistakes so far")


def bars(
    ax: Axes, values: Mapping[str, float], looks: Mapping[str, Any] | None = None
) -> None:
    """Draw a bar for every value, the first on top, with its name and its number.

    `looks` says by name which algorithm a bar belongs to.
    """
    looks = looks or {}
    for place, (name, value) in enumerate(values.items()):
        color = look(looks[name])["color"] if name in looks else GREY
        ax.barh(place, value, color=color, height=0.6)
        ax.annotate(
            readable(value),
            (value, place),
            (4, 0),
            textcoords="offset points",
            va="center",
        )
    ax.set_yticks(range(len(values)), list(values))
    ax.set(ylim=(len(values) - 0.5, -0.5))
    ax.margins(x=0.2)  # room for the numbers
    ax.grid(False, axis="y")


def log_axis(ax: Axes, values: Iterable[float], axis: str = "x") -> None:
    """Make an axis logarithmic, and mark these values on it and no others."""
    ax.set(**{f"{axis}scale": "log"})
    side = ax.xaxis if axis == "x" else ax.yaxis
    side.set_major_locator(ticker.FixedLocator([float(value) for value in values]))
    side.set_minor_locator(ticker.NullLocator())


def legend_above(ax: Axes, ncols: int) -> None:
    """Put the legend above the axes, where it covers nothing."""
    ax.legend(
        loc="lower right",
        bbox_to_anchor=(1.02, 0.98),
        ncols=ncols,
        columnspacing=1.2,
        handlelength=1.6,
    )


def legend_panel(ax: Axes, drawn: Sequence[Axes]) -> None:
    """Give the legend of these axes a panel of its own, where there are many lines."""
    named: dict[str, Any] = {}
    for other in drawn:
        for handle, label in zip(*other.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    ax.legend(list(named.values()), list(named), loc="center", labelspacing=0.9)
    ax.set_axis_off()


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
    ax.fill_between(
        ledger.index,
        ledger["lower"],
        ledger["upper"],
        color=GREY,
        alpha=0.12,
        linewidth=0,
    )
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


def stems(
    ax: Axes,
    values: ArrayLike,
    *,
    marked: Sequence[int] | Vector = (),
    who: Any = "weights",
) -> None:
    """Draw a stem for every weight; those `marked` (counted from 0) end in a circle."""
    heights = np.asarray(values, dtype=float)
    places, style = np.arange(1, len(heights) + 1), look(who) | {"linestyle": "-"}
    # One line with gaps is a tenth of the page that a path for every stem would be.
    gaps = np.full(len(heights), np.nan)
    line = np.column_stack([np.zeros(len(heights)), heights, gaps]).ravel()
    width = float(np.clip(120 / max(1, len(heights)), 1, 6))
    style |= {"linewidth": width, "solid_capstyle": "butt"}
    ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    ax.plot(np.repeat(places, 3), line, **style)
    chosen = np.asarray(marked, dtype=int)
    tips: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 6}
    ax.plot(places[chosen], heights[chosen], **tips, color=style["color"])
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


def plural(count: int, what: str) -> str:
    """Say how many there are.

    >>> plural(1, "mistake"), plural(3, "mistake")
    ('1 mistake', '3 mistakes')
    """
    return f"{count} {what}{'s' * (count != 1)}"
