"""Figures of the chapter `linear_classifiers`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon
from numpy.typing import ArrayLike

from olc.game import Stream
from olc.geometry import consistent_classifier, homogenise
from olc.plots._figure import BLUE, GREEN, GREY, PURPLE, Figure, look, panel, panels
from olc.plots._game import draw_arrow, draw_boundary, draw_points

if TYPE_CHECKING:
    import pandas as pd

    from olc.learner import Vector


def halfspaces(
    X: Vector, classifiers: Sequence[tuple[Sequence[float], float]]
) -> Figure:
    """Draw points as halfspaces (w, bias) classify them, one panel each."""
    axes, found = panels(len(classifiers), 3.4, 3.4), []
    for ax, (w, bias) in zip(axes, classifiers, strict=True):
        y = np.where(X @ w + bias > 0, 1, -1)
        draw_points(ax, X, y, reach=2.2)
        _shade(ax, w, bias)
        draw_boundary(ax, w, bias)
        length = math.hypot(*w)
        foot = -bias * np.asarray(w) / length**2
        draw_arrow(ax, foot + np.asarray(w) / length, foot)
        ax.plot(0, 0, "+", color=GREY, markersize=9)
        found.append(
            f"w = ({w[0]:g}, {w[1]:g}), b = {bias:g}: {np.sum(y > 0)} of {len(y)} "
            f"points are positive and the line passes 0 at a distance of "
            f"{abs(bias) / length:.3g}"
        )
    return Figure(
        axes,
        alt="; ".join(found) + ".",
        caption="The same points under several halfspaces. The arrow is the direction "
        "of w; the shaded side is positive; the cross is the origin.",
    )


def _shade(ax: Axes, w: Sequence[float], bias: float) -> None:
    reach = np.linspace(-4, 4, 60)
    x, y = np.meshgrid(reach, reach)
    ax.contourf(
        x, y, w[0] * x + w[1] * y + bias, levels=[0, 99], colors=[BLUE], alpha=0.1
    )


def threshold_unit(w: ArrayLike, x: ArrayLike, theta: float) -> Figure:
    """Draw a linear threshold unit at work, and the sign beside the sigmoid."""
    weights, inputs = np.asarray(w, dtype=float), np.asarray(x, dtype=float)
    score = float(weights @ inputs)
    unit, curve = panel(3.6, 3.0), panel(3.3, 3.0)
    unit.set(xlim=(0, 10), ylim=(0, 8), aspect="equal")
    unit.set_axis_off()
    heights = np.linspace(7, 1, len(weights))
    for i, height in enumerate(heights):
        unit.annotate(
            "", (5.1, 4), (1.5, height), arrowprops={"arrowstyle": "->", **_EDGE}
        )
        unit.text(0.9, height, f"{inputs[i]:g}", ha="center", va="center")
        along = 0.42
        unit.text(
            1.5 + 3.6 * along,
            height + (4 - height) * along + 0.35,
            f"{weights[i]:g}",
            ha="center",
            color=GREEN,
        )
    unit.add_patch(
        Circle((5.8, 4), 0.75, fill=False, color=_EDGE["color"], linewidth=1.5)
    )
    unit.text(5.8, 4, "Σ", ha="center", va="center", fontsize=14)
    unit.annotate("", (8.2, 4), (6.55, 4), arrowprops={"arrowstyle": "->", **_EDGE})
    unit.text(7.4, 4.3, f"{score:g}", ha="center", color=PURPLE)
    answer = "+1" if score >= theta else "−1"
    unit.text(8.4, 4, f"≥ {theta:g}?\n{answer}", va="center")
    values = np.linspace(-6, 6, 121)
    curve.plot(values, 1 / (1 + np.exp(-values)), **look("weights"), label="sigmoid")
    curve.step(values, values > 0, color=PURPLE, linestyle="--", label="step at 0")
    curve.axhline(0.5, **look("bound"), linewidth=1)
    curve.set(xlabel="score minus threshold", ylabel="output")
    curve.legend(loc="upper left")
    return Figure(
        [unit, curve],
        alt=f"Weights and inputs give the score {score:g}, which is "
        f"{'not below' if score >= theta else 'below'} the threshold {theta:g}: the "
        f"output is {answer}. The sigmoid exceeds ½ exactly where the step is 1.",
        caption="First: a linear threshold unit, with its inputs, its weights on the "
        "arrows into the sum and its score on the arrow out of it. Second: the sigmoid "
        "crosses ½ where the step jumps.",
    )


_EDGE: dict[str, Any] = {"color": GREY}


def lift(points: Sequence[float], y: Sequence[int], threshold: float) -> Figure:
    """Draw points of a line beside the same points lifted to height 1."""
    line, plane = panels(2, 3.5, 2.5)
    reach = 1.15 * max(points)
    for ax, height in ((line, 0.0), (plane, 1.0)):
        X = np.column_stack([points, np.full(len(points), height)])
        draw_points(ax, X, y, reach)
        ax.set(xlim=(-0.6, reach), ylim=(-0.6, 1.6), aspect="auto")
    line.axvline(threshold, **look("weights"))
    line.set(xlabel="x", ylabel="", yticks=[])
    draw_boundary(plane, (1, -threshold))
    plane.axhline(1, **look("bound"), linewidth=1)
    plane.plot(0, 0, "+", color=GREY, markersize=9)
    plane.set(xlabel="x", ylabel="constant feature")
    return Figure(
        [line, plane],
        alt=f"On the line a threshold at {threshold:g} separates {len(points)} points; "
        f"at height 1 a line through 0 does, with the slope 1/{threshold:g}.",
        caption="First: a halfspace of the line, with a threshold. Second: the same "
        "points with a constant feature 1, and a halfspace through the origin.",
    )


def constants(table: pd.DataFrame) -> Figure:
    """Draw updates and their bound against the constant that is appended.

    `table` has columns c, updates and bound.
    """
    ax = panel()
    ax.loglog(table["c"], table["bound"], **look("bound"), label="bound")
    ax.plot(table["c"], table["updates"], **look("measured"), label="updates")
    ax.set(xlabel="constant c", ylabel="updates")
    ax.legend()
    best = table.iloc[int(table["updates"].argmin())]
    one, beside = (table.iloc[i] for i in (table["c"] - 1).abs().argsort()[:2])
    return Figure(
        ax,
        alt=f"With c = {one['c']:.3g} the Perceptron needs {one['updates']:.0f} "
        f"updates, {beside['updates']:.0f} with c = {beside['c']:.3g}; the fewest, "
        f"{best['updates']:.0f}, come at c = {best['c']:.3g}. The bound is "
        f"{one['bound']:.0f} at c = {one['c']:.3g} and {best['bound']:.0f} at "
        f"c = {best['c']:.3g}.",
        caption="The price of a bias depends on the constant that is appended: too "
        "small or too large is expensive.",
        table=table,
    )


def turn(angle: float, bias: float) -> Figure:
    """Draw a line of this direction and bias, and its margin on two clouds."""
    stream = clouds()
    w = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    signed = stream.y * (stream.X @ w + bias)
    gamma, closest = float(signed.min()), stream.X[signed.argmin()]
    ax = panel(4.4, 4.0)
    draw_points(ax, stream.X, stream.y, reach=2.3)
    draw_boundary(ax, w, bias)
    draw_arrow(ax, w * (1 - bias), -bias * w)
    for side in (-1, 1):
        style: dict[str, Any] = {"color": GREY, "linestyle": ":", "linewidth": 1}
        draw_boundary(ax, w, bias + side * abs(gamma), **style)
    ax.plot(*closest, "o", markersize=12, fillstyle="none", color=PURPLE)
    wrong = int((signed <= 0).sum())
    count = f"{wrong} of {len(signed)} points {'is' if wrong == 1 else 'are'} wrong"
    verdict = count if wrong else f"all {len(signed)} points are right"
    place = f"At an angle of {angle:g}° and a bias of {bias:g}"
    return Figure(
        ax,
        alt=f"{place}, {verdict} and the margin is {gamma:.2f}.".replace("-", "−"),
        caption="A line of normal w and bias b. The ring marks the point with the "
        "least signed distance, the margin; the dotted lines lie that far off.",
    )


def clouds() -> Stream:
    """Return two clouds of points that a line with a bias separates."""
    random = np.random.default_rng(23)
    spread = random.normal(scale=0.38, size=(24, 2))
    y = np.tile([1, -1], 12)
    return Stream(spread + np.where(y[:, None] > 0, [1.1, 0.7], [-0.5, -0.4]), y)


def balls(exponents: Sequence[float]) -> Figure:
    """Draw the vectors of p-norm 1, for several p."""
    axes = panels(len(exponents), 1.7, 1.9)
    angles = np.linspace(0, 2 * math.pi, 361)
    circle, corners = np.column_stack([np.cos(angles), np.sin(angles)]), []
    for ax, p in zip(axes, exponents, strict=True):
        edge = circle / np.linalg.norm(circle, ord=p, axis=1)[:, None]
        ax.plot(*edge.T, **look("weights"))
        ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal")
        ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
        name = "∞" if math.isinf(p) else f"{p:g}"
        ax.set_title(f"p = {name}", loc="right", fontsize=10, pad=5)
        corners.append(f"{np.abs(edge).sum(axis=1).max() / 2:.3g} for p = {name}")
    return Figure(
        axes,
        alt="The balls grow with p: along the diagonal each coordinate reaches "
        + ", ".join(corners)
        + ".",
        caption="All vectors of the plane with p-norm 1: a diamond, a circle, and ever "
        "more of the square.",
    )


def higher_dimension(stream: Stream) -> Figure:
    """Draw exclusive or flat, and with x₁x₂ as a third coordinate."""
    flat, tall = panels(2, 3.5, 3.2)
    draw_points(flat, stream.X, stream.y, reach=1.7)
    product = stream.X[:, 0] * stream.X[:, 1]
    view = np.array([[1.0, 0.0], [0.45, 0.25], [0.0, 1.0]])  # oblique, from the front
    corners = np.array([[-1.6, -1.6], [1.6, -1.6], [1.6, 1.6], [-1.6, 1.6]]) @ view[:2]
    tall.add_patch(Polygon(corners, color=GREEN, alpha=0.18, linewidth=0))
    foot = np.asarray(stream.X, dtype=float) @ view[:2]
    top = foot + np.outer(product, view[2])
    for low, high in zip(foot, top, strict=True):
        tall.plot(*zip(low, high, strict=True), color=GREY, linestyle=":", linewidth=1)
    draw_points(tall, top, stream.y, reach=2.4)
    tall.set(ylim=(-2.2, 2.2), xticks=[], yticks=[], xlabel="", ylabel="x₁x₂ upwards")
    tall.grid(False)
    above = np.unique(stream.y[product > 0])
    side = "negative" if np.array_equal(above, [-1]) else "mixed"
    return Figure(
        [flat, tall],
        alt="In the plane the positive and the negative points of exclusive or lie on "
        f"crossing diagonals; with the product as height all points above the plane "
        f"are {side} and all below it have the other label.",
        caption="Exclusive or in two dimensions, where no line separates it, and with "
        "the product x₁x₂ as a third coordinate, where the plane x₁x₂ = 0 does.",
    )


def on_the_square(tables: Mapping[str, ArrayLike]) -> Figure:
    """Draw Boolean functions of two bits, given by their values at 00, 01, 10, 11."""
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    axes, found = panels(len(tables), 1.7, 1.9), []
    for ax, (name, values) in zip(axes, tables.items(), strict=True):
        y = np.where(np.asarray(values), 1, -1)
        draw_points(ax, corners, y, reach=1)
        w = consistent_classifier(homogenise(corners), y)
        if w is not None and w[:2].any():
            draw_boundary(ax, w[:2], w[2])
        ax.set(xlim=(-0.5, 1.5), ylim=(-0.5, 1.5), xticks=[0, 1], yticks=[0, 1])
        ax.set_title(name, loc="right", fontsize=10, pad=5)
        line = "no line" if w is None else "a line"
        found.append(
            f"{name} is true at {np.sum(y > 0)} of 4 corners, and {line} separates them"
        )
    return Figure(
        axes,
        alt="; ".join(found) + ".",
        caption="Boolean functions of two bits on the corners of a square: circles are "
        "true, squares false. A line is drawn where one separates them.",
    )
