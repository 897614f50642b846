"""The figures of the chapter `weighted_majority`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from olc import weighted_majority as theory
from olc.show.plots._figure import GREY, INK, Figure, look, panel, panels
from olc.show.plots._vocabulary import band, plural, running, sentences

if TYPE_CHECKING:
    from olc.core.game import Stream, Trace
    from olc.core.learner import Vector

# Experts are no algorithms: they are drawn in grey, and the best one in ink.
BEST: dict[str, Any] = {"color": INK, "linestyle": "-.", "linewidth": 1.4}
OTHERS: dict[str, Any] = {"color": GREY, "linestyle": "-", "linewidth": 0.7}


def race(trace: Trace) -> Figure:
    """Draw the mistakes of the learner and of every expert, round by round."""
    ax, losses = panel(height=3.2), theory.losses_over_time(trace.stream)
    best, least = theory.best_expert(trace.stream)
    others = np.arange(trace.stream.n) != best
    rounds = np.arange(len(losses))
    ax.plot(rounds, losses[:, others], **OTHERS)
    ax.plot([], [], **OTHERS, label="other experts")
    ax.plot(rounds, losses[:, best], **BEST, label="best expert")
    running(ax, trace, "learner")
    ax.legend()
    final = losses[-1].astype(int)
    names = [f"expert {number}" for number in range(1, len(final) + 1)]
    return Figure(
        ax,
        alt=f"After {len(trace)} rounds the best of {trace.stream.n} experts has erred "
        f"{least} times, the worst {final.max()} times, and the learner "
        f"{trace.mistakes} times.",
        caption="Mistakes so far of each expert and of weighted majority, which does "
        "not know who will turn out best.",
        table=pd.DataFrame(
            {"mistakes": [trace.mistakes, *final]},
            index=pd.Index(["learner", *names], name="who"),
        ),
    )


def against_eta(table: pd.DataFrame) -> Figure:
    """Draw mistakes per mistake of the best expert against η, a panel a situation.

    `table` has a row for every game: its `situation`, `eta`, `mistakes`, the mistakes
    of the `best` expert, and the `bound`.
    """
    runs = table.assign(
        ratio=table["mistakes"] / table["best"], limit=table["bound"] / table["best"]
    )
    situations = list(dict.fromkeys(runs["situation"]))
    axes, drawn, found = panels(len(situations), 2.9, 2.7), {}, []
    for ax, situation in zip(axes, situations, strict=True):
        rows = runs[runs["situation"] == situation]
        how = "adversary" if situation == "adversary" else "random"
        bound = rows.groupby("eta")["limit"].median()
        ax.plot(bound.index, bound, **look("bound"), label="bound")
        numbers = band(
            ax, rows, "eta", "ratio", "measured", who="WeightedMajority", how=how
        )
        ax.set(xlabel="η", ylabel=f"{situation}: M / m", ylim=(0, 6))
        drawn[situation] = numbers.assign(bound=bound)
        middle = numbers["median"]
        found.append(
            f"{situation}: M / m goes from {middle.iloc[0]:.2f} at η = "
            f"{middle.index[0]:g} to {middle.iloc[-1]:.2f} at η = "
            f"{middle.index[-1]:g}, least {middle.min():.2f} at η = "
            f"{middle.idxmin():g}"
        )
    axes[0].legend(loc="upper right")
    return Figure(
        axes,
        alt=sentences(found),
        caption="The learner's mistakes, divided by those of the best expert, against "
        "η: median and middle half of many streams, or the game that an adversary "
        "forces. Dashed: the bound, divided alike.",
        table=pd.concat(drawn, names=["situation"]),
    )


def progress(trace: Trace) -> Figure:
    """Draw a game: the share of every expert in the vote, and mistakes and bound."""
    eta = float(getattr(trace.before, "eta"))  # noqa: B009  # of an expert learner
    share, best = shares(trace.stream, eta)
    sofar = theory.losses_over_time(trace.stream).min(axis=1)
    bounds = [theory.mistake_bound(trace.stream.n, m, eta) for m in sofar]
    least, rounds = int(sofar[-1]), np.arange(len(sofar))
    left, right = panels(2, 3.4, 3.2)
    draw_shares(left, share, best)
    right.plot(rounds, bounds, **look("bound"), label="bound")
    running(right, trace, "learner")
    right.plot(rounds, sofar, **BEST, label="best expert")
    # High enough for the legend to stand above the lines, the same in all frames.
    right.set(ylim=(0, 2.2 * len(trace)))
    right.legend(loc="upper left")
    excess = trace.mistakes - least
    compared = f"{excess} more" if excess >= 0 else f"{-excess} fewer"
    return Figure(
        [left, right],
        alt=f"With η = {eta:g} the best expert ends with {share[-1, best]:.0%} of the "
        f"weight; it errs {least} times, the learner {trace.mistakes} times, "
        f"{compared}, and the bound is {bounds[-1]:.0f}.",
        caption="First: the share of each expert in the vote, round by round; the "
        "thick line is the expert who turns out best. Second: mistakes so far of the "
        "learner and of the best expert, and the bound.",
        table=pd.DataFrame(
            {
                "mistakes": [trace.mistakes],
                "best expert": [least],
                "bound": [bounds[-1]],
                "its share": [share[-1, best]],
            }
        ),
    )


def shares(stream: Stream, eta: float) -> tuple[Vector, int]:
    """Return every expert's share of the weight, from round 0, and the best expert."""
    losses = theory.losses_over_time(stream)
    weights = (1 - eta) ** (losses - losses.min(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True), int(losses[-1].argmin())


def draw_shares(ax: Axes, share: Vector, best: int) -> None:
    """Draw the share of every expert in the total weight, the best one on top."""
    rounds, others = np.arange(len(share)), np.arange(share.shape[1]) != best
    ax.plot(rounds, share[:, others], **OTHERS)
    ax.plot(rounds, share[:, best], **BEST | {"linestyle": "-", "linewidth": 2})
    ax.set(xlabel="round", ylabel="share of the weight", ylim=(0, 1.02))


def pixels(stream: Stream, eta: float) -> Figure:
    """Draw what every pixel is worth after a game of pixels and their contraries."""
    share, best = shares(stream, eta)
    side = int(np.sqrt(stream.n // 2))
    value = share[-1, : side**2] - share[-1, side**2 :]
    ax = panel(3.0, 3.0)
    reach = float(np.abs(value).max())
    across, up = np.meshgrid(np.arange(side), np.arange(side))
    for sign, name in ((1, "positive"), (-1, "negative")):
        for place in np.flatnonzero(sign * value > 0.02 * reach):
            size = 17 * np.sqrt(abs(value[place]) / reach)
            ax.plot(
                across.flat[place],
                up.flat[place],
                **look(name) | {"markersize": size},
            )
    ax.set(xlim=(-0.7, side - 0.3), ylim=(side - 0.3, -0.7), aspect="equal")
    ax.set(xlabel="column", ylabel="row")
    order = np.sort(np.abs(value))[::-1]
    shown = value.round(3) + 0.0  # and no -0
    half = int(np.searchsorted(np.cumsum(order), order.sum() / 2)) + 1
    return Figure(
        ax,
        alt=f"Half of the weight (a pixel's less that of its contrary) lies on "
        f"{plural(half, 'pixel')} of {side**2}; the heaviest is in row "
        f"{best % side**2 // side}, column {best % side}.",
        caption="Pixels by weight after the game. Where the image is dark, a disc "
        "speaks for +1 and a square for −1; the area is the weight.",
        table=pd.DataFrame(shown.reshape(side, side)).rename_axis("row"),
    )
