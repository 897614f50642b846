"""The figures of the chapter `weighted_majority`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from olc import weighted_majority as theory
from olc.plots._figure import GREY, VERMILION, Figure, look, panel, panels

if TYPE_CHECKING:
    import pandas as pd

    from olc.game import Stream, Trace
    from olc.learner import Vector


def losses_over_time(stream: Stream) -> Vector:
    """Return the mistakes of every expert so far: a row per round, from round 0."""
    wrong = np.cumsum(stream.y[:, None] != stream.X, axis=0)
    return np.vstack([np.zeros(stream.n), wrong])


def race(trace: Trace) -> Figure:
    """Draw the mistakes of the learner and of every expert, round by round."""
    ax, losses = panel(), losses_over_time(trace.stream)
    best, least = theory.best_expert(trace.stream)
    others = np.arange(trace.stream.n) != best
    rounds = np.arange(len(losses))
    ax.plot(rounds, losses[:, others], color=GREY, linestyle="-", linewidth=0.8)
    ax.plot(rounds, losses[:, best], **look("lower"), label="best expert")
    ax.plot(rounds, _mistakes(trace), **_LEARNER, label="learner")
    ax.plot([], [], color=GREY, linestyle="-", linewidth=0.8, label="other experts")
    ax.set(xlabel="round", ylabel="mistakes so far")
    ax.legend()
    worst = int(losses[-1].max())
    return Figure(
        ax,
        alt=f"After {len(trace)} rounds the best of {trace.stream.n} experts has erred "
        f"{least} times, the worst {worst} times, and the learner {trace.mistakes} "
        "times.",
        caption="Mistakes so far of each expert and of weighted majority, which does "
        "not know who will turn out best.",
    )


_LEARNER = look("measured") | {"marker": ""}


def _mistakes(trace: Trace) -> Vector:
    """Return the mistakes of the learner so far, from round 0."""
    wrong = np.cumsum(trace.predictions != trace.stream.y)
    return np.concatenate([[0.0], wrong])


def simple_form() -> Figure:
    """Draw the two coefficients of the exact bound beside those of the simple one."""
    eta = np.linspace(0.02, 0.98, 97)
    half = -np.log1p(-eta / 2)
    left, right = panels(2, 3.4, 3.0)
    limit = theory.SIMPLE_ETA
    for ax, exact, simple, name in (
        (left, -np.log1p(-eta) / half, 2 * (1 + eta), "factor of m"),
        (right, 1 / half, 2 / eta, "factor of ln N"),
    ):
        ax.plot(eta, exact, **_LEARNER, label="exact")
        ax.plot(eta, simple, **look("bound"), label="simple")
        ax.axvline(limit, color=VERMILION, linestyle=":")
        ax.set(xlabel="η", ylabel=name, ylim=(0, 6 if ax is left else 30))
    left.legend()
    at = float(-np.log1p(-0.99) / -np.log1p(-0.99 / 2))
    return Figure(
        [left, right],
        alt=f"Up to η = {limit} both factors of the exact bound are below the simple "
        f"ones; at η = 0.99 the exact factor of m is {at:.2f} and the simple one "
        f"{2 * 1.99:.2f}.",
        caption="What multiplies m and ln N in the two forms of the bound. The dotted "
        "line is where the factors of m cross.",
    )


def against_eta(table: pd.DataFrame, n: int) -> Figure:
    """Draw measured mistakes and both bounds against η, with the opponent beside."""
    left, right = panels(2, 3.4, 3.0)
    eta = table.index.to_numpy(dtype=float)
    left.plot(eta, table["bound"], **look("bound"), label="bound")
    left.plot(eta, table["mean"], **look("measured"), label="learner")
    color = look("measured")["color"]
    left.fill_between(eta, table["least"], table["most"], color=color, alpha=0.25)
    left.plot(eta, table["best"], **look("lower"), label="best expert")
    left.set(xlabel="η", ylabel="mistakes", ylim=(0, 1.05 * table["bound"].max()))
    left.legend()
    right.plot(eta, table["forced"] / table["forced bound"], **look("worst"))
    right.axhline(1, **look("bound"))
    right.set(xlabel="η", ylabel="opponent: mistakes / bound", ylim=(0, 1.1))
    kindest, tightest = table["bound"].idxmin(), right.lines[0].get_ydata()
    return Figure(
        [left, right],
        alt=f"On random experts the learner errs {table['mean'].min():.0f} to "
        f"{table['mean'].max():.0f} times on average, the bound is least, "
        f"{table['bound'].min():.0f}, at η = {kindest:g}; the opponent reaches up to "
        f"{np.max(np.asarray(tightest)):.0%} of the bound.",
        caption=f"First: {n} experts who err at random, mean and range over many "
        "streams, and the bound for the best expert's mean. Second: how much of the "
        "bound an opponent reaches who splits the experts in every round.",
        table=table,
    )


def progress(trace: Trace, eta: float) -> Figure:
    """Draw a game: the share of every expert in the vote, and mistakes and bound."""
    losses, rounds = losses_over_time(trace.stream), np.arange(len(trace) + 1)
    weights = (1 - eta) ** (losses - losses.min(axis=1, keepdims=True))
    share = weights / weights.sum(axis=1, keepdims=True)
    best, least = theory.best_expert(trace.stream)
    left, right = panels(2, 3.4, 3.4)
    draw_shares(left, share, best)
    bounds = [theory.mistake_bound(trace.stream.n, m, eta) for m in losses.min(axis=1)]
    right.plot(rounds, bounds, **look("bound"), label="bound")
    right.plot(rounds, _mistakes(trace), **_LEARNER, label="learner")
    right.plot(rounds, losses.min(axis=1), **look("lower"), label="best expert")
    # High enough for the legend to stand above the lines, the same in all frames.
    right.set(xlabel="round", ylabel="mistakes so far", ylim=(0, 2.2 * len(trace)))
    right.legend(loc="upper left")
    return Figure(
        [left, right],
        alt=f"With η = {eta:g} the best expert ends with {share[-1, best]:.0%} of the "
        f"weight; it errs {least} times, the learner {trace.mistakes} times, "
        f"{trace.mistakes - least} more, and the bound is {bounds[-1]:.0f}.",
        caption="First: the share of each expert in the vote, round by round; the "
        "thick line is the expert who turns out best. Second: mistakes so far of the "
        "learner and of the best expert, and the bound.",
    )


def draw_shares(ax: Axes, share: Any, best: int) -> None:
    """Draw the share of every expert in the total weight, the best one on top."""
    rounds, others = np.arange(len(share)), np.arange(share.shape[1]) != best
    ax.plot(rounds, share[:, others], color=GREY, linestyle="-", linewidth=0.8)
    ax.plot(rounds, share[:, best], **look("lower") | {"linestyle": "-"})
    ax.set(xlabel="round", ylabel="share of the weight", ylim=(0, 1.02))
