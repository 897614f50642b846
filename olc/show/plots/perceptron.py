"""Figures of the chapter `perceptron`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from olc import geometry, perceptron
from olc.core.game import Trace, recorded
from olc.show.plots._figure import GREY, PURPLE, Figure, look, panel, panels
from olc.show.plots._vocabulary import (
    arrow,
    band,
    boundary,
    legend_above,
    log_axis,
    plural,
    points,
)

if TYPE_CHECKING:
    from olc.core.learner import Vector

_OWN = look("Perceptron")
_BEFORE: dict[str, Any] = {"color": GREY, "linestyle": ":"}


def corrections(w: ArrayLike, examples: Sequence[tuple[ArrayLike, int]]) -> Figure:
    """Draw what a mistake on each of these examples does to the weights w."""
    old, axes, rows = np.asarray(w, dtype=float), panels(len(examples), 3.2, 3.2), []
    for ax, (example, y) in zip(axes, examples, strict=True):
        x = np.asarray(example, dtype=float)
        new = old + y * x
        points(ax, x[None, :], [y], reach=2.6)
        _step(ax, old, new)
        _name(ax, "w", old, (6, -4))
        sign = "+" if y > 0 else "−"
        _name(ax, f"w {sign} x", new, (6, 4 if y > 0 else -10))
        _name(ax, "x", x, (6, 2))
        rows.append([f"{y:+d}", y * old @ x, y * new @ x])
    table = pd.DataFrame(rows, columns=["y", "y⟨w, x⟩ before", "y⟨w, x⟩ after"])
    found = [
        f"For y = {y} the signed score goes from {before:.4g} to {after:.4g}."
        for y, before, after in rows
    ]
    return Figure(
        axes,
        alt=" ".join(found).replace("-", "−"),
        caption="A mistake on a positive example (circle, first panel) turns w towards "
        "it, a mistake on a negative one (square, second panel) away from it. Dotted: "
        "before; blue: after; purple: the correction y x.",
        table=table,
    )


def _step(ax: Axes, old: Vector, new: Vector) -> None:
    """Draw the line and the arrow of w before and after an update."""
    if np.any(old):
        boundary(ax, old, **_BEFORE)
        arrow(ax, old, color=GREY)
    boundary(ax, new, **_OWN)
    arrow(ax, new, old, color=PURPLE)
    arrow(ax, new, color=_OWN["color"])


def _name(ax: Axes, text: str, at: Vector, offset: tuple[float, float]) -> None:
    ax.annotate(text, (at[0], at[1]), offset, textcoords="offset points")


def squeeze(trace: Trace) -> Figure:
    """Draw Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M, mistake by mistake, to where the ends meet."""
    table = _chain(trace)
    radius, margin = trace.stream.radius, trace.stream.margin
    bound = perceptron.mistake_bound(radius, margin)
    ax = panel(height=3.1)
    _draw_chain(ax, table, radius, margin, 1.15 * bound)
    ax.axvline(bound, color=GREY, linewidth=1)
    ax.legend(loc="upper left")
    last = table.iloc[-1]
    holds = (np.diff(table.to_numpy(), axis=1) >= -1e-9).all(axis=1).sum() - 1
    return Figure(
        ax,
        alt=f"After {plural(trace.mistakes, 'mistake')} of at most {bound:.4g} the "
        f"alignment is {last['⟨u, w⟩']:.3g} and the length {last['‖w‖']:.3g}, between "
        f"Mγ = {last['Mγ']:.3g} and R√M = {last['R√M']:.3g}. The four are in this "
        f"order after {holds} of the {plural(trace.mistakes, 'mistake')}.",
        caption="Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M after every mistake. The straight line and "
        "the root meet at M = R²/γ² (vertical line): there the mistakes must end.",
        table=table,
    )


def _chain(trace: Trace) -> pd.DataFrame:
    """Return the four quantities of the proof, after 0, 1, … mistakes."""
    stream, weights = trace.stream, _path(trace)
    u, count = geometry.unit(stream.need_target()), np.arange(len(weights))
    columns = {
        "Mγ": stream.margin * count,
        "⟨u, w⟩": weights @ u,
        "‖w‖": np.linalg.norm(weights, axis=1),
        "R√M": stream.radius * np.sqrt(count),
    }
    return pd.DataFrame(columns, index=pd.Index(count, name="mistakes"))


def _path(trace: Trace) -> Vector:
    """Return the weights before the game and after every mistake."""
    after = recorded(trace).weights
    assert after is not None
    return np.vstack([trace.before.weights, after])


def _draw_chain(
    ax: Axes, table: pd.DataFrame, radius: float, margin: float, reach: float
) -> None:
    counts = np.linspace(0, reach, 60)
    dots = {"color": _OWN["color"], "linestyle": ":", "linewidth": 2.6}
    ax.plot(counts, radius * np.sqrt(counts), **look("upper"), label="R√M")
    ax.plot(table.index, table["‖w‖"], **_OWN, label="‖w‖")
    ax.plot(table.index, table["⟨u, w⟩"], **dots, label="⟨u, w⟩")
    ax.plot(counts, margin * counts, **look("lower"), label="Mγ")
    ax.set(xlabel="mistakes M", ylabel="length")


def replay(trace: Trace) -> Callable[[int], Figure]:
    """Return what `olc.widgets.replay` draws: a game in the plane and its proof."""
    stream, table, weights = trace.stream, _chain(trace), _path(trace)
    u, last = geometry.unit(stream.need_target()), len(trace.updates)
    reach = 1.12 * max(stream.radius, float(np.abs(weights).max()))

    def frame(step: int) -> Figure:
        plane, chain = panels(2, 3.5, 3.5)
        points(plane, stream.X, stream.y, reach)
        boundary(plane, u, **look("target"))
        _draw_chain(
            chain, table.loc[:step], stream.radius, stream.margin, len(trace.updates)
        )
        chain.legend(loc="upper left")
        found = "Before the first mistake the weights are 0 and predict nothing."
        if step:
            t, sign = int(trace.updates[step - 1]), "positive"
            sign = sign if stream.y[t] > 0 else "negative"
            plane.plot(*stream.X[t], **look("ring"))
            plane.plot(*weights[:step].T, color=_OWN["color"], marker=".", lw=0.6)
            _step(plane, weights[step - 1], weights[step])
            sizes = " ≤ ".join(
                f"{name} = {size:.3g}" for name, size in table.loc[step].items()
            )
            found = f"Mistake {step} of {last}, on a {sign} example. Now {sizes}."
        return Figure(
            [plane, chain],
            alt=found,
            caption="First, the example being corrected (ring), the correction "
            "(purple) added to w (blue), the line before (dotted) and after; dashed, "
            "the target. Second, the chain of inequalities so far.",
            table=table.loc[[step]],
        )

    return frame


def margin_effects(table: pd.DataFrame) -> Figure:
    """Draw mistakes against the margin: random order, worst order, an adversary.

    `table` is that of a sweep with columns margin, way ("random order", "worst order"
    or "adversary") and mistakes; the radius is 1.
    """
    ax = panel(height=3.2)
    ways = dict(tuple(table.groupby("way")))
    margins = np.sort(table["margin"].unique())
    bound = [perceptron.mistake_bound(1, margin) for margin in margins]
    ax.plot(margins, bound, **look("bound"), label="bound 1/γ²")
    by = "margin", "mistakes"
    forced = band(ax, ways["adversary"], *by, "adversary", **_FORCED)
    worst = ways["worst order"].groupby("margin")["mistakes"].median()
    ax.plot(worst, **look("Perceptron", "adversary") | _OPEN, label="worst order")
    drawn = band(ax, ways["random order"], *by, "random order", **_RANDOM)
    log_axis(ax, margins)
    log_axis(ax, [1, 10, 100, 1000], axis="y")
    ax.set(xlabel="margin γ, at R = 1", ylabel="mistakes")
    ax.legend()
    low = margins[0]
    medians = table.groupby(["margin", "way"])["mistakes"].median().unstack()
    return Figure(
        ax,
        alt=f"At γ = {low:g} the bound is {bound[0]:.4g}; the adversary forces "
        f"{forced['median'][low]:.4g}, a bad order {worst[low]:.4g}, and a "
        f"random order {drawn['median'][low]:.4g} in the median. At γ = "
        f"{margins[-1]:g} the bound is {bound[-1]:.4g} and the random median "
        f"{drawn['median'].iloc[-1]:.4g}.",
        caption="Mistakes against the margin, on logarithmic axes: 1,000 points of "
        "length 1 in ten dimensions in random order (line: median, band: 90 % of the "
        "seeds) and in a bad order, and points made up by an adversary.",
        table=medians.assign(bound=bound),
    )


_FORCED: dict[str, Any] = {"who": "Perceptron", "how": "adversary"}
_OPEN: dict[str, Any] = {"linestyle": ":", "markerfacecolor": "none"}
_RANDOM: dict[str, Any] = {"who": "Perceptron", "spread": (0.05, 0.95)}


def noise(table: pd.DataFrame) -> Figure:
    """Draw mistakes against label noise: measured, the target's, and two bounds.

    `table` is that of a sweep, with columns noise, mistakes, flipped, hinge and
    squares.
    """
    ax = panel(height=3.1)
    middle = table.groupby("noise")[
        ["flipped", "mistakes", "hinge", "squares"]
    ].median()
    ax.plot(middle["squares"], **look("bound"), label="bound by squares")
    hinge = look("Perceptron", "bound")
    ax.plot(middle["hinge"], **hinge, label="bound by hinge losses")
    band(ax, table, "noise", "mistakes", "Perceptron", spread=(0.05, 0.95))
    ax.plot(middle["flipped"], **look("target") | {"linestyle": ":"}, label="target u")
    ax.set(xlabel="share of wrong labels", ylabel="mistakes")
    ax.legend()
    last = middle.iloc[-1]
    return Figure(
        ax,
        alt=f"With {middle.index[-1]:.0%} wrong labels the Perceptron makes "
        f"{last['mistakes']:.0f} mistakes in the median and the target "
        f"{last['flipped']:.0f}; the hinge losses allow {last['hinge']:.0f} and their "
        f"squares {last['squares']:.0f}.",
        caption="One pass over 1,000 examples with wrong labels: the Perceptron's "
        "mistakes (median, and a band of 90 % of the seeds), the target's own, and the "
        "two bounds at their best γ.",
        table=middle,
    )


def final_margins(margins: ArrayLike, best: float) -> Figure:
    """Draw the margins of the classifiers that different orders end with."""
    shares, ax = np.asarray(margins) / best, panel(height=2.6)
    ax.hist(shares, bins=25, range=(0, 1), color=_OWN["color"])
    ax.axvline(1, **look("bound"), label="largest margin")
    ax.set(xlabel="margin of the last weights / largest margin", ylabel="orders")
    ax.locator_params(axis="y", integer=True)
    legend_above(ax, 1)
    return Figure(
        ax,
        alt=f"Over {len(shares)} orders the last weights have between "
        f"{shares.min():.0%} and {shares.max():.0%} of the largest margin, "
        f"{np.median(shares):.0%} in the median.",
        caption="The margin of the first consistent weights, as a share of the "
        "largest one (dashed), over many orders of the same points.",
        table=pd.Series(shares, name="share").describe().to_frame(),
    )
