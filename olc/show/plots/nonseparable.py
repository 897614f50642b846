"""Figures of the chapter `nonseparable`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from olc.core.game import Trace, recorded
from olc.show.plots._figure import GREY, Figure, look, panel, panels

if TYPE_CHECKING:
    from olc.core.learner import Vector

_OWN = look("Perceptron")
_DOTS: dict[str, Any] = {"color": _OWN["color"], "linestyle": "none", "marker": "."}


def bounded(trace: Trace) -> Figure:
    """Draw the length of the weights, mistake by mistake, below R√M."""
    count = np.arange(1, len(trace.updates) + 1)
    lengths = np.linalg.norm(_weights(trace), axis=1)
    table = pd.DataFrame(
        {"‖w‖": lengths, "R√M": trace.stream.radius * np.sqrt(count)},
        index=pd.Index(count, name="mistakes"),
    )
    ax = panel()
    ax.plot(table["R√M"], **look("upper"), label="R√M")
    ax.plot(table["‖w‖"], **_OWN | {"linewidth": 0.8}, label="‖w‖")
    ax.set(xlabel="mistakes M", ylabel="length")
    ax.legend(loc="upper left")
    last = table.iloc[-1]
    shown = np.unique(np.geomspace(1, len(count), 12).round().astype(int))
    return Figure(
        ax,
        alt=f"In {len(count)} mistakes the weights are never longer than "
        f"{np.ceil(10 * lengths.max()) / 10:.1f}, while R√M has grown to "
        f"{last['R√M']:.0f}.",
        caption="The length of the weights on points that no line separates, in random "
        "order, beside the bound of the proof.",
        table=table.loc[shown],
    )


def cycles(xor: ArrayLike, wandering: ArrayLike) -> Figure:
    """Draw weights that repeat, one row a round, and a weight that never does."""
    weights, values = np.asarray(xor), np.asarray(wandering)
    period, wander = panels(2, 3.5, 2.8)
    lines = ("-", "-.", ":")
    for i, (line, offset) in enumerate(zip(lines, (0.06, 0, -0.06), strict=True)):
        style: dict[str, Any] = {"linestyle": line, "color": _OWN["color"]}
        rounds = np.arange(1, len(weights) + 1)
        period.step(rounds, weights[:, i] + offset, **style, label=f"w{'₁₂₃'[i]}")
    period.set(xlabel="round", ylabel="weights", ylim=(-1.6, 3.2))
    period.legend(ncols=3, loc="upper center")
    wander.plot(values, **_DOTS, markersize=2)
    wander.set(xlabel="update", ylabel="weight", ylim=(-1.8, 1.8))
    distinct = len(np.unique(weights, axis=0))
    table = pd.DataFrame(
        [
            ["exclusive or", len(weights), distinct],
            ["with √2", len(values), len(np.unique(values))],
        ],
        columns=["examples", "updates", "different weights"],
    )
    return Figure(
        [period, wander],
        alt=f"Exclusive or takes {distinct} different weight vectors in "
        f"{len(weights)} updates. With √2 the weight stays between "
        f"{values.min():.2f} and {values.max():.2f} and takes "
        f"{len(np.unique(values))} different values in {len(values)} updates.".replace(
            "-", "−"
        ),
        caption="First, exclusive or with a bias: the weights repeat every four "
        "rounds. Second, the examples 1 (positive) and √2 (negative): the weight stays "
        "bounded and is never the same twice.",
        table=table,
    )


def zigzag(trace: Trace) -> Figure:
    """Draw the path of the weights in the plane, in units of the margin and across."""
    stream = trace.stream
    path = np.vstack([trace.before.weights, _weights(trace)])
    ax = panel(height=3.2)
    ax.plot(path[:, 1], path[:, 0], **_OWN | {"marker": ".", "linewidth": 1})
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set(xlabel="across, w₂", ylabel="along the target, w₁")
    count = pd.Index(np.arange(len(path)), name="mistakes")
    table = pd.DataFrame(path, index=count, columns=["w₁", "w₂"])
    ratio = (stream.radius / stream.margin) ** 2
    return Figure(
        ax,
        alt=f"In {trace.mistakes} mistakes the weights climb to w₁ = "
        f"{path[-1, 0]:.4g}, from side to side between w₂ = {path[1:, 1].min():.4g} "
        f"and {path[1:, 1].max():.4g}; R²/γ² is {ratio:.4g}.".replace("-", "−"),
        caption="The path of the weights on the worst examples of the plane. Every "
        "step goes up by γ, the margin, and across to the other side.",
        table=table,
    )


def _weights(trace: Trace) -> Vector:
    after = recorded(trace).weights
    assert after is not None
    return after
