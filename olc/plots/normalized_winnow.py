"""The figures of the chapter `normalized_winnow`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from olc import adversaries, streams
from olc import normalized_winnow as theory
from olc.game import Stream, Trace, duel, play, play_many
from olc.normalized_winnow import NormalizedWinnow
from olc.plots._figure import BLUE, GREEN, GREY, PURPLE, Figure, look, panel, panels


def opinions(stream: Stream) -> Figure:
    """Draw the situation: opinions of experts, a hidden panel, its verdict."""
    ax, members = panel(5.0, 3.2), np.flatnonzero(stream.need_target())
    for sign, name in ((1, "positive"), (-1, "negative")):
        rounds, experts = np.nonzero(np.equal(stream.X, sign))
        style = look(name) | {"markersize": 4}
        ax.plot(experts + 1, rounds + 1, **style, label=f"{'+' if sign > 0 else '−'}1")
    for expert in members:
        ax.axvspan(expert + 0.5, expert + 1.5, color=GREEN, alpha=0.2)
    for t, label in enumerate(stream.y, start=1):
        ax.text(stream.n + 1.5, t, "+" if label > 0 else "−", ha="center", va="center")
    ax.set(xlabel="expert", ylabel="round", xlim=(0.3, stream.n + 2))
    ax.set_yticks(range(1, len(stream) + 1, 2))
    ax.invert_yaxis()
    ax.grid(False)
    agree = np.equal(stream.X, stream.y[:, None]).mean(axis=0)
    others = np.delete(agree, members)
    return Figure(
        ax,
        alt=f"In these {len(stream)} rounds no member of the panel is always right "
        f"(they are right in {agree[members].min():.0%} to {agree[members].max():.0%} "
        f"of the rounds; the luckiest outsider in {others.max():.0%}), but the "
        "majority of the panel is.",
        caption="Opinions of experts, one round a row: a circle says +1, a square −1. "
        "The shaded columns are the hidden panel; its majority is the label, the sign "
        "at the end of the row.",
    )


def chord(eta: float) -> Figure:
    """Draw the chord over the exponential, the one inequality of the proof."""
    ax, z = panel(), np.linspace(-1, 1, 101)
    curve, line = np.exp(eta * z), math.cosh(eta) + z * math.sinh(eta)
    ax.fill_between(z, curve, line, color=GREY, alpha=0.2, linewidth=0)
    ax.plot(z, line, **look("upper"), label="chord")
    ax.plot(z, curve, **look("potential") | {"marker": ""}, label="e^(ηz)")
    ax.plot([-1, 1], [math.exp(-eta), math.exp(eta)], "o", color=GREY)
    ax.plot(0, math.cosh(eta), **look("mistake") | {"marker": "D"}, label="cosh η")
    ax.set(xlabel="z = y xᵢ", ylabel="factor on the weight", xticks=[-1, 0, 1])
    ax.legend()
    gap = float((line - curve).max())
    return Figure(
        ax,
        alt=f"Between −1 and 1 the chord lies above the exponential, by at most "
        f"{gap:.3f} for η = {eta:g}; over 0 it has the height "
        f"cosh η = {math.cosh(eta):.3f}.",
        caption="The factor e^(ηz) by which a weight is multiplied, and the straight "
        "line through its two ends. Replacing the curve by the line bounds Z.",
    )


@lru_cache(maxsize=64)
def _game(eta: float, k: int, n: int = 64, rounds: int = 1000) -> Trace:
    stream = streams.panel(n, k, rounds, seed=1)
    return play(NormalizedWinnow(n, eta=eta), stream, record=True)


def tuning(eta: float, k: int) -> Figure:
    """Draw the rate C(η) for a panel of k, and the weights of a game at this η."""
    trace, delta = _game(eta, k), 1 / k
    n, member = trace.stream.n, trace.stream.need_target() > 0
    left, right = panels(2)
    etas = np.linspace(0, 2.2, 89)
    rates = [theory.least_drop(value, delta) for value in etas]
    here = theory.least_drop(eta, delta)
    left.plot(etas, rates, **look("potential") | {"marker": ""}, label="C(η)")
    left.axhline(0, color=GREY, linewidth=0.8)
    if k > 1:
        left.axvline(theory.best_eta(delta), **look("bound"), label="best η")
    lowest = -0.25
    if here > lowest:
        left.plot(eta, here, **look("mistake") | {"marker": "D"}, label="this η")
    else:  # far below the picture
        style = look("mistake") | {"marker": "v"}
        left.plot(eta, lowest + 0.03, **style, label=f"this η, C = −{-here:.2f}")
    left.set(xlabel="η", ylabel="C, the least drop", ylim=(lowest, 0.72))
    left.legend()
    assert trace.weights is not None
    weights = np.vstack([trace.before.weights, trace.weights])
    share = weights[:, member].sum(axis=1)
    count = np.arange(len(weights))
    right.plot(count, share, **look("weights"), label="whole panel")
    right.plot(count, weights[:, member], color=BLUE, linestyle="--", linewidth=1)
    outside = weights[:, ~member].max(axis=1)
    right.plot(count, outside, color=PURPLE, linestyle=":", label="best outsider")
    right.set(xlabel="mistake", ylabel="weight", ylim=(0, 1.42))
    right.set_yticks([0, 0.25, 0.5, 0.75, 1])
    right.legend(loc="upper left")
    bound = theory.mistake_bound(n, delta, eta=eta, spread=k)
    promise = (
        f"lowers the potential by at least {here:.4f}, so the bound is {bound:.1f}"
        if here > 0
        else f"may raise the potential by {-here:.4f}, so there is no bound"
    )
    return Figure(
        [left, right],
        alt=f"At η = {eta:g} a mistake on a panel of {k} {promise}; in this game of "
        f"{n} experts Winnow errs {trace.mistakes} times and the panel ends with "
        f"{share[-1]:.0%} of the weight.",
        caption="First: the rate C(η); where it is negative nothing is promised. "
        "Second: the panel's share of the weight, mistake by mistake, with that of "
        "each member (dashed) and of the best expert outside of it (dotted).",
    )


@lru_cache(maxsize=4)
def _random(n: int, k: int, rounds: int, seeds: int) -> list[Stream]:
    return [streams.panel(n, k, rounds, seed) for seed in range(seeds)]


@lru_cache(maxsize=256)
def forced(n: int, k: int, eta: float, rounds: int, tries: int = 1) -> int:
    """Return the mistakes that the adversary forces in at most so many rounds.

    With many weights its first try is good enough.
    """
    rival = adversaries.Panel(n, k, tries=tries)
    return duel(NormalizedWinnow(n, eta=eta), rival, rounds).mistakes


def mistakes_against_eta(
    n: int, k: int, etas: Sequence[float], rounds: int, seeds: int, cut: int = 1000
) -> Figure:
    """Draw the bound, the worst case and random games against the rate η."""
    rows = []
    for eta in etas:
        games = play_many(
            partial(NormalizedWinnow, n, eta=eta), _random(n, k, rounds, seeds)
        )
        found = [trace.mistakes for trace in games]
        worst = forced(n, k, eta, cut)
        bound = theory.mistake_bound(n, 1 / k, eta=eta, spread=k)
        rows.append((eta, np.mean(found), min(found), max(found), worst, bound))
    names = ["η", "random, mean", "least", "most", "worst case", "bound"]
    table = pd.DataFrame(rows, columns=names).set_index("η")
    ax = panel()
    ax.plot(table.index, table["bound"], **look("bound"), label="bound")
    ax.plot(table.index, table["worst case"], **look("worst"), label="adversary")
    ax.plot(table.index, table["random, mean"], **look("measured"), label="random")
    ax.fill_between(table.index, table["least"], table["most"], color=BLUE, alpha=0.25)
    ax.axvline(theory.best_eta(1 / k), color=GREY, linestyle=":", linewidth=1)
    ax.set_yscale("log")
    ax.set(xlabel="η", ylabel="mistakes", ylim=(10, 1.3 * cut))
    ax.legend(loc="upper left")
    best = table.iloc[int(table["bound"].argmin())]
    endless = table.index[table["worst case"] == cut]
    finite = table.index[np.isfinite(table["bound"])]
    return Figure(
        ax,
        alt=f"The bound is least near η = {best.name:g}, where the adversary forces "
        f"{best['worst case']:.0f} mistakes. It is finite up to "
        f"η = {finite.max():g}; from η = {endless.min():g} on the adversary is not "
        f"done after {cut} rounds.",
        caption=f"Mistakes of normalised Winnow against its rate, N = {n}, k = {k}: "
        f"the bound, the adversary (stopped at {cut}), and the mean and range of "
        f"{seeds} random streams. The dotted line is the best rate of the theorem.",
        table=table.replace(math.inf, "∞"),
    )


@lru_cache(maxsize=4)
def scaling_table(
    pairs: tuple[tuple[int, int], ...], rounds: int, seeds: int
) -> pd.DataFrame:
    """Measure normalised Winnow at η = 1/k for pairs (N, k), beside its bounds."""
    rows = []
    for n, k in pairs:
        games = play_many(
            partial(NormalizedWinnow, n, eta=1 / k), _random(n, k, rounds, seeds)
        )
        found = [trace.mistakes for trace in games]
        sharp = theory.mistake_bound(n, 1 / k, eta=1 / k, spread=k)
        rows.append(
            {
                "N": n,
                "k": k,
                "random, mean": np.mean(found),
                "least": min(found),
                "most": max(found),
                "worst case": forced(n, k, 1 / k, 100_000),
                "sharp": sharp,
                "2k² ln N": theory.panel_bound(n, k),
            }
        )
    return pd.DataFrame(rows)


def scaling(
    sizes: Sequence[int], ks: Sequence[int], rounds: int, seeds: int, n: int, k: int
) -> Figure:
    """Draw mistakes against N at this k, and against k at this n."""
    by_n = scaling_table(tuple((size, k) for size in sizes), rounds, seeds)
    by_k = scaling_table(tuple((n, size) for size in ks), rounds, seeds)
    axes = panels(2, 3.5, 3.0)
    for ax, table, name in ((axes[0], by_n, "N"), (axes[1], by_k, "k")):
        ax.plot(table[name], table["2k² ln N"], **look("bound"), label="2k² ln N")
        ax.plot(table[name], table["sharp"], color=GREY, linestyle=":", label="sharp")
        ax.plot(table[name], table["worst case"], **look("worst"), label="adversary")
        ax.plot(table[name], table["random, mean"], **look("measured"), label="random")
        spread = table["least"], table["most"]
        ax.fill_between(table[name], *spread, color=BLUE, alpha=0.25)
        ax.set(ylabel="mistakes", ylim=(0, None))
    axes[0].set_xscale("log", base=2)
    axes[0].set(xlabel=f"N (k = {k})")
    axes[1].set(xlabel=f"k (N = {n})")
    axes[1].legend()
    last, end = by_n.iloc[-1], by_k.iloc[-1]
    return Figure(
        axes,
        alt=f"At k = {k} a doubling of N adds about the same number of mistakes: the "
        f"adversary forces {last['worst case']:.0f} at N = {last['N']:.0f}, "
        f"{last['worst case'] / last['sharp']:.0%} of the sharp bound. At N = {n} they "
        f"grow more slowly than k²: {by_k['worst case'].iloc[0]:.0f} are forced at "
        f"k = {ks[0]} and {end['worst case']:.0f} at k = {end['k']:.0f}, where random "
        f"streams cost {end['random, mean']:.0f}.",
        caption=f"Mistakes of normalised Winnow at η = 1/k, first against N, then "
        f"against k: the two bounds, the adversary, and the mean and range of {seeds} "
        f"random streams of {rounds} rounds.",
        table=pd.concat([by_n, by_k]).set_index(["N", "k"]),
    )
