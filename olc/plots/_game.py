"""What several chapters draw: points in the plane, a ledger, a game step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from olc.plots._figure import Figure, look, panel, readable

if TYPE_CHECKING:
    import pandas as pd

    from olc.game import Stream, Trace
    from olc.learner import Vector


def replay_frame(trace: Trace, step: int) -> Figure:
    """Draw the game after `step` updates: the plane in 2-D, else the weights."""
    weights = _weights_after(trace, step)
    ax = panel(4.6, 4.0) if trace.stream.n == 2 else panel()
    if trace.stream.n == 2:
        _draw_plane(ax, trace.stream, weights)
        shown = ", ".join(f"{value:.4g}" for value in weights)
        finding = f"the weights are ({shown})"
        caption = (
            "Examples, the weight vector (arrow) and the line on which the score is "
            "zero; the ring marks the example just learnt from."
        )
    else:
        ax.vlines(np.arange(1, trace.stream.n + 1), 0, weights, **look("weights"))
        ax.set(xlabel="feature", ylabel="weight")
        finding = f"the largest weight is {weights.max():.4g}"
        caption = "The weight of every feature, update by update."
    if step == 0:
        return Figure(ax, alt=f"Before the game {finding}.", caption=caption)
    t = int(trace.updates[step - 1])
    if trace.stream.n == 2:
        x = trace.stream.X[t]
        ax.plot(x[0], x[1], "o", markersize=13, fillstyle="none", color="C3")
    alt = f"After update {step} of {len(trace.updates)}, in round {t + 1}, {finding}."
    return Figure(ax, alt=alt, caption=caption)


def _weights_after(trace: Trace, step: int) -> Vector:
    if step == 0:
        return trace.before.weights
    if trace.weights is not None:
        return np.asarray(trace.weights[step - 1])
    for number, update in enumerate(trace.replay(), start=1):
        if number == step:
            return np.asarray(update.learner.weights)
    raise ValueError(f"step {step} is past the last update, {len(trace.updates)}")


def _draw_plane(ax: Axes, stream: Stream, weights: Vector) -> None:
    for label, name, sign in ((1, "positive", "+1"), (-1, "negative", "−1")):
        rows = stream.X[stream.y == label]
        ax.plot(rows[:, 0], rows[:, 1], **look(name), label=f"y = {sign}")
    reach = 1.15 * max(1.0, float(np.abs(stream.X).max(initial=0)))
    length = float(np.hypot(*weights))
    if length > 0:
        unit = weights / length
        across, up = unit * min(length, reach)
        ax.plot(
            [-2 * reach * unit[1], 2 * reach * unit[1]],
            [2 * reach * unit[0], -2 * reach * unit[0]],
            **look("weights"),
        )
        ax.annotate("", (across, up), (0, 0), arrowprops={"arrowstyle": "->", **_ARROW})
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.legend(loc="lower right", bbox_to_anchor=(1.02, 0.98), ncols=2)


_ARROW = {"color": look("weights")["color"], "linewidth": 1.8}


# --- parts of pictures in the plane -------------------------------------------------


def draw_points(ax: Axes, X: Vector, y: ArrayLike, reach: float) -> None:
    """Draw labelled points of the plane, in a square of this reach around 0."""
    for label, name in ((1, "positive"), (-1, "negative")):
        rows = np.asarray(X, dtype=float)[np.asarray(y) == label]
        ax.plot(rows[:, 0], rows[:, 1], **look(name), markersize=4)
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.locator_params(nbins=4)


def draw_boundary(ax: Axes, w: Any, bias: float = 0.0, **style: Any) -> None:
    """Draw the line of the plane on which ⟨w, x⟩ + bias is 0."""
    across, up = (-bias * value / (w[0] ** 2 + w[1] ** 2) for value in w)
    ax.axline((across, up), (across - w[1], up + w[0]), **look("weights") | style)


def draw_arrow(ax: Axes, tip: Any, tail: Any = (0, 0), **style: Any) -> None:
    """Draw an arrow, by default with the look of a weight vector from 0."""
    arrow = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **_ARROW, **style}
    ax.annotate("", (tip[0], tip[1]), (tail[0], tail[1]), arrowprops=arrow)


# --- ledgers ------------------------------------------------------------------------


def ledger_figure(ledger: pd.DataFrame, potential: str, caption: str) -> Figure:
    """Draw a proof's potential between its two envelopes, update by update.

    `potential` names the quantity on the axis, such as ‖w‖².
    """
    ax = panel()
    now = {name: readable(ledger[name].iloc[-1]) for name in ledger}
    step = str(ledger.index.name)  # a mistake, or an update of a right prediction too
    ax.plot(ledger.index, ledger["upper"], **look("upper"), label="upper")
    style = look("potential") | {"marker": "o" if len(ledger) <= 60 else ""}
    ax.plot(ledger.index, ledger["potential"], **style, markersize=3, label=potential)
    ax.plot(ledger.index, ledger["lower"], **look("lower"), label="lower")
    ax.set(xlabel=step, ylabel=potential)
    ax.locator_params(axis="x", integer=True)
    ax.legend(loc="lower right", bbox_to_anchor=(1.02, 0.98), ncols=3)
    slack = 1e-9 * ledger["upper"].abs().max()
    inside = ledger["potential"].between(
        ledger["lower"] - slack, ledger["upper"] + slack
    )
    alt = (
        f"After {len(ledger)} {step}s {potential} is {now['potential']}, with the "
        f"lower envelope at {now['lower']} and the upper one at {now['upper']}; it "
        f"lies between them after {inside.sum()} of the {len(ledger)} {step}s."
    )
    return Figure(ax, alt=alt, caption=caption)
