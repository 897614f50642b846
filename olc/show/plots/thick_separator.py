"""The figures of the chapter `thick_separator`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes

from olc import geometry, margin_perceptron
from olc.core.game import Stream, Trace
from olc.margin_perceptron import MarginPerceptron
from olc.show.plots._figure import GREY, Figure, look, panel, panels
from olc.show.plots._vocabulary import arrow, band, boundary, legend_above, points

_MEANS: dict[str, Any] = {"who": MarginPerceptron, "middle": "mean"}


def _thickness_axis(ax: Axes, values: Any) -> None:
    """Make the axis of τ logarithmic beyond its first value after 0."""
    marked = sorted(set(values))
    ax.set_xscale("symlog", linthresh=marked[1])
    ax.xaxis.set_major_locator(ticker.FixedLocator(marked))
    ax.xaxis.set_minor_locator(ticker.NullLocator())
    ax.set(xlabel="thickness τ")


def errors(table: pd.DataFrame) -> Figure:
    """Draw the errors on new examples against the thickness, a panel per data set.

    `table` has a row a run: `data`, `thickness` and `error`, in per cent.
    """
    axes = panels(table["data"].nunique())
    drawn, said = {}, []
    groups = table.groupby("data", sort=False)
    for ax, (data, runs) in zip(axes, groups, strict=True):
        drawn[data] = band(ax, runs, "thickness", "error", str(data), **_MEANS)
        _thickness_axis(ax, runs["thickness"])
        ax.set(ylabel=f"{data}: errors, %", ylim=(0, None))
        means = drawn[data]["mean"]
        said.append(
            f"{means.iloc[0]:.1f} % with τ = {means.index[0]:g} and "
            f"{means.min():.1f} % with τ = {means.idxmin():g} ({data})"
        )
    return Figure(
        axes,
        alt=f"Share of the new examples that are misclassified: {'; '.join(said)}.",
        caption="Errors of the margin Perceptron on examples that it was not trained "
        "on, against its thickness: mean, and the middle half of the runs.",
        table=pd.concat(drawn, names=["data"]),
    )


def slab(learner: MarginPerceptron, stream: Stream) -> Figure:
    """Draw the line that a margin Perceptron settled on, and its slab."""
    weights, tau = learner.weights, learner.thickness
    reached = geometry.margin(weights, stream.X, stream.y)
    best, _ = geometry.maximal_margin(stream)
    ax = panel(3.6, 3.5)
    points(ax, stream.X, stream.y, 1.15)
    style: dict[str, Any] = look(learner) | {"linestyle": "-"}
    boundary(ax, weights, **style)
    for side in (-tau, tau) if tau else ():
        boundary(ax, weights, side, color=GREY, linestyle="--", linewidth=1.2)
    legend_above(ax, 2)
    table = pd.DataFrame(
        {
            "thickness": [tau],
            "margin": [reached],
            "guaranteed": [margin_perceptron.final_margin(stream.radius, best, tau)],
            "largest": [best],
            "length of w": [float(np.linalg.norm(weights))],
        }
    )
    return Figure(
        ax,
        alt=f"With τ = {tau:g} the nearest example is {reached:.4f} from the line; the "
        f"largest possible margin is {best:.4f}.",
        caption="The line on which the margin Perceptron settles (solid) and the slab "
        "|⟨w, x⟩| ≤ τ (dashed) that no example may enter.",
        table=table,
    )


def width(table: pd.DataFrame) -> Figure:
    """Draw the reached margin and the updates against the thickness.

    `table` has a row a run: `thickness`, `share` of the largest margin, `updates`, and
    what the theorem guarantees of each, `guaranteed` and `bound`.
    """
    left, right = panels(2)
    drawn = {}
    for ax, what, limit in ((left, "share", "guaranteed"), (right, "updates", "bound")):
        drawn[what] = band(ax, table, "thickness", what, "measured", **_MEANS)["mean"]
        drawn[limit] = table.groupby("thickness")[limit].mean()
        line = look(MarginPerceptron, "bound")
        ax.plot(drawn[limit].index, drawn[limit], **line, label=limit)
        _thickness_axis(ax, table["thickness"])
        ax.legend()
    left.set(ylabel="share of the largest margin", ylim=(0, 1.05))
    right.set(ylabel="updates", yscale="log")
    share, updates = drawn["share"], drawn["updates"]
    return Figure(
        [left, right],
        alt=f"From τ = {share.index[0]:g} to τ = {share.index[-1]:g} the margin rises "
        f"from {share.iloc[0]:.0%} to {share.iloc[-1]:.0%} of the largest one, and the "
        f"updates from {updates.iloc[0]:.0f} to {updates.iloc[-1]:.0f}.",
        caption="Margin of the final weights, and number of updates, against the "
        "thickness: means over the data sets and, dashed, what the theorem says.",
        table=pd.DataFrame(drawn),
    )


def step(trace: Trace) -> Figure:
    """Draw the first threshold-relative step of a game in the plane of weights."""
    first = next(trace.replay())
    learner: Any = trace.before
    before, after = learner.weights, first.learner.weights
    goal = learner.threshold + first.y * learner.aim
    ax = panel(3.6, 3.3)
    style: dict[str, Any] = look("target") | {"linestyle": "-"}
    boundary(ax, first.x, -learner.threshold, **style)
    if learner.aim:
        boundary(ax, first.x, -goal, color=GREY, linestyle="--")
    arrow(ax, after, before, color=look(learner)["color"])
    ax.plot(*before, **look("negative"))
    ax.plot(*after, **look("positive"))
    ax.set(xlim=(-0.6, 1.8), ylim=(-0.6, 1.8), aspect="equal")
    ax.set(xlabel="w₁", ylabel="w₂")
    scores = [float(weights @ first.x) for weights in (before, after)]
    return Figure(
        ax,
        alt=f"With r = {learner.rate:g} the weights move to ({after[0]:.2f}, "
        f"{after[1]:.2f}) and the score from {scores[0]:.2f} to {scores[1]:.2f}; its "
        f"goal is {goal:.2f}.",
        caption="A step in the plane of weights, from the square to the circle, "
        "perpendicular to the line on which the score equals the threshold (solid).",
        table=pd.DataFrame(
            {"w₁": [before[0], after[0]], "w₂": [before[1], after[1]], "score": scores},
            pd.Index(["before", "after"], name="weights"),
        ),
    )
