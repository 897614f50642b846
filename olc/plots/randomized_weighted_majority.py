"""The figures of the chapter `randomized_weighted_majority`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from olc import randomized_weighted_majority as theory
from olc.adversaries import Split
from olc.game import duel, play
from olc.plots._figure import (
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    VERMILION,
    Figure,
    look,
    panel,
    panels,
)
from olc.plots.weighted_majority import draw_shares
from olc.randomized_weighted_majority import RandomizedWeightedMajority
from olc.streams import experts
from olc.weighted_majority import WeightedMajority, losses_over_time

if TYPE_CHECKING:
    from olc.game import Trace


def chance() -> Figure:
    """Draw the chance of a mistake against the share of the weight that is wrong."""
    ax = panel(4.6, 3.2)
    line, step = look("measured") | {"marker": ""}, look("worst") | {"marker": ""}
    ax.plot([0, 0.5, 0.5, 1], [0, 0, 1, 1], **step, label="weighted majority")
    ax.plot([0, 1], [0, 1], **line, label="randomized")
    ax.plot([0, 1], [0, 2], **look("bound"), label="twice the share")
    ax.set(xlabel="share of the weight that is wrong", ylabel="chance of a mistake")
    ax.set(xlim=(0, 1), ylim=(0, 1.05))
    ax.legend(loc="lower right")
    return Figure(
        ax,
        alt="The majority errs for certain once half of the weight is wrong, which is "
        "twice that share; the randomized learner errs with exactly the share.",
        caption="How likely a mistake is, when a given share of the weight is on the "
        "wrong side, for the majority vote and for a randomly drawn expert.",
    )


def simple_form() -> Figure:
    """Draw the factor of m in the exact bound beside that in the simple one."""
    eta = np.linspace(0.01, 0.95, 95)
    ax, limit = panel(4.6, 3.0), theory.SIMPLE_ETA
    exact = look("measured") | {"marker": ""}
    ax.plot(eta, -np.log1p(-eta) / eta, **exact, label="exact: ln(1/(1 − η))/η")
    ax.plot(eta, 1 + eta, **look("bound"), label="simple: 1 + η")
    ax.axvline(limit, color=VERMILION, linestyle=":")
    ax.set(xlabel="η", ylabel="factor of m", ylim=(1, 3))
    ax.legend()
    wide = -np.log1p(-0.9) / 0.9
    return Figure(
        ax,
        alt=f"The exact factor of m is below 1 + η up to η = {limit} and above it from "
        f"there on: {wide:.2f} against 1.90 at η = 0.9.",
        caption="What multiplies the best expert's mistakes in the two forms of the "
        "bound. The dotted line is where they cross.",
    )


LENGTHS = (16, 64, 256, 1024, 4096)


def regret_table(opponent: bool, n: int = 16, seeds: int = 20) -> pd.DataFrame:
    """Measure the regret per round of both algorithms, η tuned to each length.

    The experts guess at random, or an opponent sets them against weighted majority;
    the randomized form then plays on the very same stream.
    """
    return pd.DataFrame(
        [_regrets(opponent, rounds, n, seeds) for rounds in LENGTHS],
        index=pd.Index(LENGTHS, name="T"),
    )


def _regrets(opponent: bool, rounds: int, n: int, seeds: int) -> dict[str, float]:
    eta = theory.best_eta(n, rounds)
    if opponent:
        majority = [duel(WeightedMajority(n, eta=eta), Split(), rounds)]
        games = [majority[0].stream] * seeds
    else:
        games = [experts(n, rounds, seed) for seed in range(seeds)]
        majority = [play(WeightedMajority(n, eta=eta), game) for game in games]
    coins = [
        play(RandomizedWeightedMajority(n, eta=eta, seed=seed), game)
        for seed, game in enumerate(games)
    ]
    best = [theory.best_expert(game)[1] for game in games]
    bound = float((1 + 2 * eta) * np.mean(best) + 2 * np.log(n) / eta)
    return {
        "η": eta,
        **_summary("WMA", majority, best, bound),
        **_summary("RWMA", coins, best, theory.regret_bound(n, rounds)),
    }


def _summary(
    name: str, traces: Sequence[Trace], best: Sequence[int], bound: float
) -> dict[str, float]:
    rounds = len(traces[0])
    pairs = zip(traces, best, strict=False)
    found = [(trace.mistakes - m) / rounds for trace, m in pairs]
    return {
        f"{name} least": min(found),
        f"{name} mean": float(np.mean(found)),
        f"{name} most": max(found),
        f"{name} bound": bound / rounds,
    }


def no_regret(tables: Mapping[str, pd.DataFrame], n: int = 16) -> Figure:
    """Draw regret per round against T for both algorithms: the headline figure."""
    axes, found = panels(len(tables), 3.4, 3.6), []
    for ax, (name, table) in zip(axes, tables.items(), strict=True):
        for kind, style in (("WMA", look("worst")), ("RWMA", look("measured"))):
            bound = style | {"linestyle": "--", "linewidth": 1.2, "fillstyle": "none"}
            ax.plot(table.index, table[f"{kind} bound"], **bound, label=f"{kind} bound")
            ax.plot(table.index, table[f"{kind} mean"], **style, label=kind)
            spread = table[f"{kind} least"], table[f"{kind} most"]
            ax.fill_between(table.index, *spread, color=style["color"], alpha=0.2)
        ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        ax.set_xscale("log", base=4)
        ax.minorticks_off()
        ax.set(xlabel="rounds T", ylabel=f"{name}: regret / T", ylim=(-0.15, 1.4))
        last = table.iloc[-1]
        found.append(
            f"{name}: after {table.index[-1]} rounds the regret per round is "
            f"{last['WMA mean']:.3f} for weighted majority and "
            f"{last['RWMA mean']:.4f} for the randomized form, whose bound is "
            f"{last['RWMA bound']:.3f}"
        )
    axes[-1].legend(loc="upper right")
    return Figure(
        axes,
        alt=". ".join(found) + ".",
        caption=f"Regret per round against the number of rounds, {n} experts, "
        "η = √(ln N/T). Solid: mean, with the range over streams and coins shaded. "
        "Dashed, with open marks: the bounds.",
        table=pd.concat(dict(tables), names=["situation"]),
    )


def choices_of_eta(table: pd.DataFrame) -> Figure:
    """Draw the regret per round under several rules for η, with their bounds."""
    ax = panel(5.0, 3.5)
    rules = [name for name in table.columns if not name.endswith("bound")]
    styles = zip(rules, (VERMILION, GREEN, BLUE), ("^", "s", "o"), strict=True)
    for name, color, marker in styles:
        ax.plot(table.index, table[name], color=color, marker=marker, linestyle="-")
        ax.lines[-1].set_label(f"η = {name}")
        ax.plot(table.index, table[f"{name} bound"], color=color, linestyle="--")
        ax.lines[-1].set(marker=marker, fillstyle="none")
    ax.set(xscale="log", yscale="log", xlabel="rounds T", ylabel="regret / T")
    ax.legend(loc="lower left")
    last = table.iloc[-1]
    found = ", ".join(f"{last[name]:.4f} with η = {name}" for name in rules)
    return Figure(
        ax,
        alt=f"Against the opponent the regret per round after {table.index[-1]} rounds "
        f"is {found}; a fixed η does not bring it down.",
        caption="Expected regret per round of the randomized form against the opponent "
        "who splits the experts, for three rules for η. Dashed, with open marks: the "
        "bound of each.",
        table=table,
    )


def progress(trace: Trace, eta: float) -> Figure:
    """Draw a game at one η: shares of the weight, and the two terms of the bound."""
    losses, n = losses_over_time(trace.stream), trace.stream.n
    weights = (1 - eta) ** (losses - losses.min(axis=1, keepdims=True))
    share = weights / weights.sum(axis=1, keepdims=True)
    best, least = theory.best_expert(trace.stream)
    left, right = panels(2, 3.4, 3.1)
    draw_shares(left, share, best)
    etas = np.linspace(0.01, theory.SIMPLE_ETA, 80)
    right.plot(etas, etas * least, color=PURPLE, linestyle=":", label="η m")
    right.plot(etas, np.log(n) / etas, color=GREEN, linestyle="-.", label="ln N / η")
    total = etas * least + np.log(n) / etas
    right.plot(etas, total, **look("bound"), label="bound: the sum")
    regret = theory.regret(trace)
    right.plot(eta, regret, **look("positive") | {"markersize": 9}, label="regret")
    right.set(xlabel="η", ylabel="expected regret")
    right.set(ylim=(min(-2.0, 1.2 * regret), 120))
    right.legend(fontsize=9)
    here = eta * least + np.log(n) / eta
    return Figure(
        [left, right],
        alt=f"With η = {eta:g} the expected regret is {regret:.1f}; the bound is "
        f"{here:.1f} = {eta * least:.1f} + {np.log(n) / eta:.1f}, and the best expert, "
        f"who errs {least} times, ends with {share[-1, best]:.0%} of the weight.",
        caption="First: the share of each expert in the weight, round by round; the "
        "thick line is the expert who turns out best. Second: the expected regret at "
        "the chosen η beside the two terms of the bound and their sum.",
    )
