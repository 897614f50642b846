"""Figures of the chapter `kernel_perceptron`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from olc import streams
from olc.game import Stream, play
from olc.kernel_perceptron import KernelPerceptron
from olc.learner import Learner
from olc.plots._figure import BLUE, GREEN, GREY, PURPLE, Figure, look, panel, panels
from olc.plots._game import draw_points

if TYPE_CHECKING:
    import pandas as pd

    from olc.kernel_perceptron import Kernel


def regions(learners: Mapping[str, Learner], stream: Stream) -> Figure:
    """Draw what each learner calls positive, and the examples that it keeps."""
    axes, found = panels(len(learners), 6.9 / max(2, len(learners)), 3.2), []
    for ax, (name, learner) in zip(axes, learners.items(), strict=True):
        _region(ax, learner, stream, 1.15 * float(np.abs(stream.X).max()))
        ax.set_title(name, loc="right", fontsize=10, pad=5)
        wrong = int((learner.predict(stream.X) != stream.y).sum())
        kept = len(learner.support) if isinstance(learner, KernelPerceptron) else 0
        keeps = f" and keeps {kept} examples" * bool(kept)
        found.append(f"{name}: gets {wrong} of {len(stream)} wrong{keeps}")
    return Figure(
        axes,
        alt="; ".join(found) + ".",
        caption="The region that each learner calls positive (shaded). The examples "
        "that it keeps, one for each mistake, are circled.",
    )


def _region(ax: Axes, learner: Learner, stream: Stream, reach: float) -> None:
    ticks = np.linspace(-reach, reach, 61)
    grid = np.array([[across, up] for up in ticks for across in ticks])
    scores = np.asarray(learner.score(grid)).reshape(61, 61)
    if np.abs(scores).max() < 1e-9:  # nothing but rounding: no region, no line
        scores = np.zeros_like(scores)
    if scores.max() > 0:
        ax.contourf(
            ticks,
            ticks,
            scores,
            levels=[0, scores.max() + 1],
            colors=[BLUE],
            alpha=0.13,
        )
    if scores.min() < 0 < scores.max():
        ax.contour(ticks, ticks, scores, levels=[0], colors=[GREEN], linewidths=1.6)
    draw_points(ax, stream.X, stream.y, reach)
    if isinstance(learner, KernelPerceptron) and len(learner.support):
        kept = learner.support
        ax.plot(*kept.T, "o", markersize=9, fillstyle="none", color=PURPLE, linewidth=0)


def xor_game(kernel: Kernel, rounds: int) -> Figure:
    """Draw exclusive or after some rounds with a kernel, and the length of its w."""
    last = 12
    learner, lengths, wrong = KernelPerceptron(kernel), [0.0], [0]
    game, shown = streams.xor(last), KernelPerceptron(kernel)
    for t in range(last):
        wrong.append(wrong[-1] + play(learner, game[[t]]).mistakes)
        lengths.append(float(learner.weights @ learner.score(learner.support)))
        if t + 1 == rounds:
            shown.support, shown.coefficients = learner.support, learner.weights
    plane, length = panels(2, 3.4, 3.2)
    _region(plane, shown, streams.xor(), reach=1.6)
    if rounds:
        x = game.X[rounds - 1]
        plane.plot(*x, "x", markersize=13, color=GREY, markeredgewidth=1.2)
    length.step(range(last + 1), lengths, color=GREY, where="post", linewidth=0.8)
    length.step(
        range(rounds + 1), lengths[: rounds + 1], **look("weights"), where="post"
    )
    length.set(xlabel="round", ylabel="‖w‖²", ylim=(-1, 36))
    length.locator_params(axis="x", integer=True)
    return Figure(
        [plane, length],
        alt=f"After {_count(rounds, 'round')}: {_count(wrong[rounds], 'mistake')}, "
        f"‖w‖² is {lengths[rounds]:.4g}. In {last} rounds this kernel makes "
        f"{wrong[-1]} mistakes.",
        caption="First, what is called positive (shaded), the examples kept (circled) "
        "and the present one (cross). Second, the squared length of w in feature "
        "space; thin, how it will go on.",
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def widths(table: pd.DataFrame) -> Figure:
    """Draw updates and the bound against the width of a radial kernel.

    `table` has columns width, low, median, high and bound.
    """
    ax, line = panel(), look("measured")
    ax.loglog(table["width"], table["bound"], **look("bound"), label="R²/γ²")
    ax.plot(table["width"], table["median"], **line, label="mistakes")
    band: dict[str, Any] = {"color": line["color"], "alpha": 0.25, "linewidth": 0}
    ax.fill_between(table["width"], table["low"], table["high"], **band)
    ax.set(xlabel="width of the kernel", ylabel="mistakes")
    ax.set_xticks([], minor=True)
    ax.set_xticks(table["width"], [f"{width:g}" for width in table["width"]])
    ax.legend(loc="upper center")
    best = table.iloc[int(table["median"].argmin())]
    first, last = table.iloc[0], table.iloc[-1]
    return Figure(
        ax,
        alt=f"The fewest mistakes, {best['median']:.0f}, come at width "
        f"{best['width']:g}; there are {first['median']:.0f} at {first['width']:g} and "
        f"{last['median']:.0f} at {last['width']:g}. The bound is never below.",
        caption="Mistakes until consistent against the width of the radial kernel "
        "(median, and all seeds in the band), and the bound in feature space.",
        table=table,
    )
