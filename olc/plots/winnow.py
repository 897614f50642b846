"""The figures of the chapter `winnow`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from olc import adversaries, streams
from olc import winnow as theory
from olc.game import duel, play, play_many
from olc.plots._figure import GREY, PURPLE, Figure, look, panel, panels
from olc.winnow import Winnow

if TYPE_CHECKING:
    from olc.game import Stream, Trace
    from olc.learner import Vector


def scale_of_weights(n: int = 16, k: int = 2) -> Figure:
    """Draw the situation: few relevant bits among many, and the labels."""
    stream = streams.disjunction(n, k, rounds=12, seed=3)
    ax = panel(5.0, 3.0)
    rows, columns = np.nonzero(stream.X)
    good = stream.need_target()[columns] > 0
    ax.plot(
        columns[~good] + 1,
        rows[~good] + 1,
        "s",
        color=GREY,
        markersize=6,
    )
    ax.plot(columns[good] + 1, rows[good] + 1, **look("positive") | {"markersize": 7})
    for t, label in enumerate(stream.y):
        ax.text(n + 1.2, t + 1, "+" if label > 0 else "−", va="center", ha="center")
    ax.set(xlabel="feature", ylabel="round", xlim=(0.3, n + 1.8))
    ax.set_yticks(range(1, 13, 2))
    ax.invert_yaxis()
    positives = int((stream.y > 0).sum())
    return Figure(
        ax,
        alt=f"Of {len(stream)} examples {positives} are positive, exactly those in "
        f"which at least one of the {k} relevant bits is on; the other {n - k} say "
        "nothing.",
        caption="Twelve examples, one a row. A mark is a bit that is 1: a circle if it "
        "is relevant, a square if not. The sign at the end of a row is the label: + if "
        "a relevant bit is on.",
    )


def _strip(ax: Axes, weights: Vector, relevant: Sequence[int], theta: float) -> None:
    """Draw every weight that has moved, on a scale of doublings."""
    level = np.log2(np.where(weights > 0, weights, np.nan))
    chosen = np.zeros(len(weights), dtype=bool)
    chosen[list(relevant)] = True
    for keep, name in ((~chosen, "negative"), (chosen, "positive")):
        moved = np.flatnonzero(keep & (weights != 1) & (weights > 0))
        # All stems in one line with gaps: a page carries hundreds of them a frame.
        gap = np.full(len(moved), np.nan)
        stems = np.column_stack([np.zeros(len(moved)), level[moved], gap]).ravel()
        color = look(name)["color"]
        ax.plot(np.repeat(moved + 1, 3), stems, "-", color=color, linewidth=1.2)
    ax.plot(moved + 1, level[moved], **look("positive") | {"markersize": 4})
    gone = np.flatnonzero(weights == 0)
    ax.plot(gone + 1, np.full(len(gone), -1.0), "x", color=PURPLE)
    ax.axhline(np.log2(theta), **look("bound"))
    ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    ax.set(xlabel="feature", ylabel="log₂ weight", xlim=(0, len(weights) + 1))
    ax.set(ylim=(-6.5, np.log2(theta) + 1.5))


def weights_after(trace: Trace, step: int) -> Figure:
    """Draw the weights and their ledger after `step` mistakes."""
    ledger = theory.proof(trace)
    relevant = theory.relevant_features(trace.stream)
    learner = trace.before
    weights = learner.weights
    for number, update in enumerate(trace.replay(), start=1):
        if number <= step:
            weights = update.learner.weights
    left, right = panels(2)
    _strip(left, weights, list(relevant), getattr(learner, "threshold", 1.0))
    for name in ("upper", "potential", "lower"):
        style = look(name) | {"marker": ""}
        right.plot(ledger.index, ledger[name], **style, label=name)
    total = float(weights.sum())
    right.plot(step, total, **look("mistake") | {"markersize": 9})
    right.set(xlabel="mistake", ylabel="total weight")
    right.set(ylim=(0, 1.35 * float(ledger["upper"].max())))
    right.legend(ncols=2)
    so_far = ledger.iloc[step - 1] if step else None
    up, down = (0, 0) if so_far is None else so_far[["promotions", "demotions"]]
    ahead = int((weights[relevant] >= getattr(learner, "threshold", 1.0)).sum())
    return Figure(
        [left, right],
        alt=f"After {step} mistakes, {up:.0f} promotions and {down:.0f} demotions, the "
        f"total weight is {total:.5g} and {ahead} of {len(relevant)} relevant weights "
        "have reached the threshold.",
        caption="First: every weight that has moved, as a number of doublings; those "
        "with a circle are relevant, the dashed line is the threshold. Second: the "
        "total weight between its envelopes; the cross is now.",
    )


@lru_cache(maxsize=2)
def _games(n: int, k: int, rounds: int, seeds: int) -> list[Stream]:
    return [streams.disjunction(n, k, rounds, seed) for seed in range(seeds)]


@lru_cache(maxsize=8)
def scaling_table(
    sizes: tuple[int, ...], ks: tuple[int, ...], rounds: int, seeds: int
) -> pd.DataFrame:
    """Measure Winnow on random and worst-case disjunctions, beside its bounds."""
    rows = []
    for k in ks:
        for n in sizes:
            games = _games(n, k, rounds, seeds)
            found = [t.mistakes for t in play_many(partial(Winnow, n), games)]
            worst = duel(Winnow(n), adversaries.Disjunction(n, k), 10_000).mistakes
            rows.append(
                {
                    "k": k,
                    "N": n,
                    "random, mean": np.mean(found),
                    "random, least": min(found),
                    "random, most": max(found),
                    "worst case": worst,
                    "bound": theory.mistake_bound(n, k),
                    "classical bound": theory.classical_bound(n, k),
                }
            )
    return pd.DataFrame(rows)


def scaling(
    sizes: Sequence[int], ks: Sequence[int], rounds: int = 1000, seeds: int = 6
) -> Figure:
    """Draw mistakes against N, one panel for each k."""
    table = scaling_table(tuple(sizes), tuple(ks), rounds, seeds)
    axes = panels(len(ks))
    for ax, k in zip(axes, ks, strict=True):
        part = table[table["k"] == k]
        ax.plot(part["N"], part["bound"], **look("bound"), label="bound")
        ax.plot(part["N"], part["worst case"], **look("worst"), label="worst case")
        ax.plot(part["N"], part["random, mean"], **look("measured"), label="random")
        spread = part["random, least"], part["random, most"]
        ax.fill_between(part["N"], *spread, color=look("measured")["color"], alpha=0.25)
        ax.set_xscale("log", base=2)
        ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(0, None))
    axes[0].legend()
    last = table.iloc[-1]
    return Figure(
        axes,
        alt="Winnow's mistakes grow by the same amount with every doubling of N: "
        f"{last['worst case']:.0f} in the worst case at N = {last['N']:.0f}, "
        f"k = {last['k']:.0f}, where the bound is {last['bound']:.0f} and random "
        f"streams cost {last['random, mean']:.1f}.",
        caption="Mistakes on k-disjunctions against N, on a logarithmic axis: the "
        "bound, the adversary, and the mean and range of random streams.",
        table=table.set_index(["k", "N"]),
    )


def noise(n: int, k: int, rounds: int, chance: float, seed: int) -> Figure:
    """Draw the mistakes of demotion and of elimination under label noise."""
    clean = streams.disjunction(n, k, rounds, seed)
    noisy = streams.flip_labels(clean, chance, seed)
    ax, found = panel(), {}
    for name, learner, style in (
        ("demotion", Winnow(n), look("measured")),
        ("elimination", Winnow(n, eliminate=True), look("worst")),
    ):
        trace = play(learner, noisy)
        wrong = np.cumsum(trace.predictions != clean.y)
        found[name] = int(wrong[-1])
        ax.plot(np.arange(1, rounds + 1), wrong, **style, label=name, markevery=0.12)
    ax.set(xlabel="round", ylabel="mistakes against the true disjunction")
    ax.legend()
    return Figure(
        ax,
        alt=f"With {chance:.0%} of the labels wrong, demotion errs "
        f"{found['demotion']} times against the true disjunction and elimination "
        f"{found['elimination']} times: it never recovers.",
        caption="Mistakes against the noiseless labels, for the two ways to treat a "
        f"false positive, when {chance:.0%} of the labels are wrong.",
    )


def factor(alpha: float, n: int = 1024, k: int = 3, seeds: int = 6) -> Figure:
    """Draw the bound against Winnow's factor, and what random streams cost."""
    alphas = np.round(np.arange(1.1, 4.01, 0.1), 2)
    ax = panel()
    bounds = [theory.mistake_bound(n, k, alpha=float(a)) for a in alphas]
    ax.plot(alphas, bounds, **look("bound"), label="bound")
    games = _games(n, k, 1000, seeds)
    found = [t.mistakes for t in play_many(partial(Winnow, n, alpha=alpha), games)]
    here = theory.mistake_bound(n, k, alpha=alpha)
    ax.plot(alpha, here, **look("worst"), label="bound at this α")
    ax.plot([alpha] * seeds, found, **look("positive"), alpha=0.6, label="random")
    ax.set(xlabel="α", ylabel="mistakes", ylim=(0, 400))
    ax.legend()
    return Figure(
        ax,
        alt=f"At α = {alpha:g} the bound is {here} mistakes and {seeds} random streams "
        f"cost {np.mean(found):.1f} on average; the bound is least near "
        f"α = {alphas[int(np.argmin(bounds))]:g}.",
        caption=f"The bound against Winnow's factor α, N = {n} and k = {k}, and the "
        "mistakes of random streams at the chosen α.",
    )
