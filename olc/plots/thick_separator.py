"""The figures of the chapter `thick_separator`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from olc import geometry, margin_perceptron, streams
from olc.game import Stream, play
from olc.margin_perceptron import MarginPerceptron
from olc.plots._figure import GREY, Figure, look, panel, panels
from olc.plots._game import draw_arrow, draw_boundary, draw_points
from olc.threshold_relative import ThresholdRelative


@lru_cache(maxsize=4)
def _plane(margin: float, seed: int) -> Stream:
    return streams.separable(2, margin, 60, seed)


@lru_cache(maxsize=32)
def trained(thickness: float, margin: float, seed: int) -> tuple[MarginPerceptron, int]:
    """Cycle the margin Perceptron until a clean epoch; count its updates."""
    stream, learner = _plane(margin, seed), MarginPerceptron(2, thickness=thickness)
    updates = 0
    while changed := len(play(learner, stream).updates):
        updates += changed
    return learner, updates


def slab(thickness: float, margin: float = 0.1, seed: int = 36) -> Figure:
    """Draw the line that a margin Perceptron settles on, and its slab."""
    learner, updates = trained(thickness, margin, seed)
    stream, weights = _plane(margin, seed), learner.weights
    ax = panel(4.4, 4.2)
    draw_points(ax, np.asarray(stream.X), stream.y, 1.15)
    draw_boundary(ax, weights, linewidth=2.5)
    for side in (-thickness, thickness) if thickness else ():
        draw_boundary(ax, weights, side, color=GREY, linestyle="--", linewidth=1.2)
    reached = geometry.margin(weights, stream.X, stream.y)
    best, _ = geometry.maximal_margin(stream)
    promised = margin_perceptron.final_margin(stream.radius, best, thickness)
    return Figure(
        ax,
        alt=f"With thickness {thickness:g} the learner stops after {updates} "
        f"updates with margin {reached:.4f}; the theorem promises {promised:.4f} and "
        f"the best possible is {best:.4f}.",
        caption="The line on which the margin Perceptron settles (solid) and the slab "
        "|⟨w, x⟩| ≤ τ (dashed) that no example may enter.",
    )


def width(
    thicknesses: Sequence[float], margin: float = 0.1, n: int = 10, seeds: int = 5
) -> Figure:
    """Draw the reached margin and the updates against the thickness."""
    rows = []
    for thickness in thicknesses:
        for seed in range(seeds):
            stream = streams.separable(n, margin, 200, seed)
            learner, made = MarginPerceptron(n, thickness=thickness), 0
            while changed := len(play(learner, stream).updates):
                made += changed
            best, _ = geometry.maximal_margin(stream)
            rows.append(
                {
                    "thickness": thickness,
                    "share of the best margin": geometry.margin(
                        learner.weights, stream.X, stream.y
                    )
                    / best,
                    "promised": margin_perceptron.final_margin(1, best, thickness)
                    / best,
                    "updates": made,
                    "bound": margin_perceptron.mistake_bound(1, best, thickness),
                }
            )
    by_thickness = pd.DataFrame(rows).groupby("thickness")
    table, low, high = by_thickness.mean(), by_thickness.min(), by_thickness.max()
    left, right = panels(2)
    reached, updates = table["share of the best margin"], table["updates"]
    for ax, what in ((left, reached.name), (right, updates.name)):
        band = {"color": look("measured")["color"], "alpha": 0.25, "linewidth": 0}
        ax.fill_between(table.index, low[what], high[what], **band)
    left.plot(table.index, reached, **look("measured"), label="reached")
    left.plot(table.index, table["promised"], **look("bound"), label="promised")
    left.set(xlabel="thickness τ", ylabel="share of the best margin", xscale="symlog")
    left.set(ylim=(0, 1.05))
    right.plot(table.index, updates, **look("measured"), label="measured")
    right.plot(table.index, table["bound"], **look("bound"), label="bound")
    right.set(xlabel="thickness τ", ylabel="updates", xscale="symlog", yscale="log")
    left.legend()
    right.legend()
    return Figure(
        [left, right],
        alt=f"From thickness {table.index[0]:g} to {table.index[-1]:g} the margin "
        f"rises from {reached.iloc[0]:.0%} to {reached.iloc[-1]:.0%} of the best, at "
        f"the price of {updates.iloc[-1] / updates.iloc[0]:.0f} times as many updates.",
        caption="Margin of the final weights, and number of updates, "
        f"against the thickness; means over {seeds} data sets, which the bands span.",
        table=table,
    )


def step(rate: float, aim: float = 0.0) -> Figure:
    """Draw one threshold-relative step in the plane of weights."""
    x, threshold = np.array([1.0, 2.0]), 2.0
    learner = ThresholdRelative(2, threshold=threshold, rate=rate, aim=aim)
    before = learner.weights
    learner.update(x, 1)
    after = learner.weights
    ax = panel(4.4, 4.0)
    draw_boundary(ax, x, -threshold, linewidth=2)
    if aim:
        draw_boundary(ax, x, -threshold - aim, color=GREY, linestyle="--")
    draw_arrow(ax, after, before)
    ax.plot(*before, **look("negative"))
    ax.plot(*after, **look("positive"))
    ax.set(xlim=(-0.6, 1.8), ylim=(-0.6, 1.8), aspect="equal")
    ax.set(xlabel="w₁", ylabel="w₂")
    left = threshold + aim - float(after @ x)
    return Figure(
        ax,
        alt=f"With r = {rate:g} the weights move from (0, 0) to ({after[0]:.2f}, "
        f"{after[1]:.2f}); {left:+.2f} of the distance {threshold + aim:.2f} to the "
        "goal are left in the score.",
        caption="A step in the space of weights: from the square to the circle, at a "
        "right angle to the line on which the score equals the threshold (solid).",
    )
