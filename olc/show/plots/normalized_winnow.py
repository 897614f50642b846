"""The figures of the chapter `normalized_winnow`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from olc import normalized_winnow as theory
from olc.show.plots._figure import GREY, Figure, look, panel, panels, readable
from olc.show.plots._vocabulary import (
    band,
    envelope,
    examples,
    legend_above,
    log_axis,
)

if TYPE_CHECKING:
    from olc.core.game import Stream, Trace

_WHO = theory.NormalizedWinnow


def opinions(stream: Stream) -> Figure:
    """Draw the situation: opinions of experts, a hidden panel, its verdict."""
    ax, members = panel(), np.flatnonzero(stream.need_target())
    examples(ax, stream.X, stream.y, members.tolist())
    ax.set(xlabel="expert")
    right = np.equal(stream.X, stream.y[:, None]).mean(axis=0)
    panel_, others = right[members], np.delete(right, members)
    places = pd.RangeIndex(1, stream.n + 1, name="expert")
    member = np.isin(np.arange(stream.n), members)
    return Figure(
        ax,
        alt=f"In these {len(stream)} rounds the members of the panel are right in "
        f"{panel_.min():.0%} to {panel_.max():.0%} of the rounds and the luckiest "
        f"outsider in {others.max():.0%}; the majority of the panel is always right.",
        caption="Opinions of experts, one round a row: a circle says +1, a square −1. "
        "The shaded columns are the hidden panel; its majority is the label at the end "
        "of the row.",
        table=pd.DataFrame({"right": right, "member": member}, index=places),
    )


def chord(eta: float) -> Figure:
    """Draw the chord over the exponential, the one inequality of the proof."""
    ax, z = panel(), np.linspace(-1, 1, 33)
    curve, line = np.exp(eta * z), math.cosh(eta) + z * math.sinh(eta)
    ax.fill_between(z, curve, line, color=GREY, alpha=0.2, linewidth=0)
    ax.plot(z, line, **look("upper"), label="chord")
    ax.plot(z, curve, **look(_WHO) | {"linestyle": "-"}, label="e^(ηz)")
    ax.plot(0, math.cosh(eta), **look("mistake") | {"marker": "D"}, label="cosh η")
    ax.set(xlabel="z = y xᵢ", ylabel="factor on the weight", xticks=[-1, 0, 1])
    ax.legend()
    return Figure(
        ax,
        alt=f"Between −1 and 1 the chord lies above the exponential, by at most "
        f"{(line - curve).max():.3f} for η = {eta:g}; over 0 it has the height "
        f"cosh η = {math.cosh(eta):.3f}.",
        caption="The factor e^(ηz) by which a weight is multiplied, and the straight "
        "line through its two ends. Replacing the curve by the line bounds Z.",
        table=pd.DataFrame({"z": z, "curve": curve, "chord": line}).set_index("z"),
    )


def rate(trace: Trace) -> Figure:
    """Draw the drop C(η) for a panel, and the panel's share in a recorded game."""
    learner: Any = trace.before
    member = trace.stream.need_target() > 0
    n, k, eta = learner.n, int(member.sum()), learner.eta
    left, right = panels(2)
    etas = np.linspace(0, 2.2, 89)
    drops = [theory.least_drop(value, 1 / k) for value in etas]
    here, lowest = theory.least_drop(eta, 1 / k), -0.25
    left.plot(etas, drops, **look("upper"), label="C(η)")
    left.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    mark = "D" if here > lowest else "v"  # far below the picture
    style = look("mistake") | {"marker": mark}
    left.plot(eta, max(here, lowest + 0.03), **style, label="this η")
    left.set(xlabel="η", ylabel="C", ylim=(lowest, 0.72))
    legend_above(left, 2)
    assert trace.weights is not None
    weights = np.vstack([learner.weights, trace.weights])
    table = pd.DataFrame(
        {
            "panel": weights[:, member].sum(axis=1),
            "best outsider": weights[:, ~member].max(axis=1),
        }
    ).rename_axis("mistake")
    right.plot(table.index, table["panel"], **look(learner), label="panel")
    dots: dict[str, Any] = {"color": GREY, "linestyle": ":"}
    right.plot(table.index, table["best outsider"], **dots, label="best outsider")
    right.set(xlabel="mistake", ylabel="share", ylim=(0, 1.05))
    legend_above(right, 2)
    bound = theory.mistake_bound(n, 1 / k, eta=eta, spread=k)
    says = (
        f"lowers the potential by at least {here:.4f}, so the bound is {bound:.1f}"
        if here > 0
        else f"may raise the potential by {-here:.4f}, so there is no bound"
    )
    return Figure(
        [left, right],
        alt=f"At η = {eta:g} a mistake on a panel of {k} {says}; in this game of {n} "
        f"experts the learner errs {trace.mistakes} times and the panel ends with "
        f"{table['panel'].iloc[-1]:.0%} of the weight.",
        caption="First: the least drop C(η); where it is negative there is no bound. "
        "Second: the panel's share of the weight after every mistake, and that of the "
        "heaviest expert outside of it.",
        table=table,
    )


def potentials(ledgers: Mapping[str, pd.DataFrame], start: float) -> Figure:
    """Draw the relative entropy in several games, each with its envelopes."""
    axes = panels(len(ledgers))
    last = max(map(len, ledgers.values()))
    for ax, (name, ledger) in zip(axes, ledgers.items(), strict=True):
        envelope(ax, ledger, "RE(u‖w)", who=_WHO, start=start)
        ax.set(
            xlabel=f"mistake ({name})", xlim=(0, last + 1), ylim=(-0.1, 1.05 * start)
        )
        legend_above(ax, 2)
    ends = " and ".join(
        f"at {readable(ledger['potential'].iloc[-1])} after {len(ledger)} mistakes "
        f"({name}; the line is at {readable(ledger['upper'].iloc[-1])})"
        for name, ledger in ledgers.items()
    )
    return Figure(
        axes,
        alt=f"The potential starts at {start:.3f} and ends {ends}.",
        caption="The relative entropy of target and weights after every mistake, below "
        "the line that falls by C a mistake and above 0.",
        table=pd.concat(ledgers, names=["game"])[["lower", "potential", "upper"]],
    )


def against(x: str, random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw the bound, forced mistakes and random games against n, k or eta.

    The tables have the columns n and k; without a column eta the rate was 1/k.
    """
    rates = forced["eta"] if "eta" in forced else 1 / forced["k"]
    table = forced.set_index(x)[["mistakes"]].set_axis(["adversary"], axis=1)
    table["bound"] = [
        theory.mistake_bound(int(n), 1 / int(k), eta=float(eta), spread=int(k))
        for n, k, eta in zip(forced["n"], forced["k"], rates, strict=True)
    ]
    ax = panel()
    ax.plot(table.index, table["bound"], **look("bound"), label="bound")
    worst = look(_WHO, "adversary")
    ax.plot(table.index, table["adversary"], **worst, label="adversary")
    drawn = band(ax, random, x, "mistakes", "random", who=_WHO, spread=(0, 1))
    table["random"] = drawn["median"]
    name = {"n": "N", "eta": "η"}.get(x, x)
    ax.set(xlabel=name, ylabel="mistakes", ylim=(0, None))
    ax.legend(loc="upper left")
    if x == "n":
        log_axis(ax, table.index[::2])
    endless = table.index[np.isinf(table["bound"])]
    best = table.iloc[-1]
    lost = ""
    if len(endless):  # the bound is a curve with a lowest point, and then ends
        best = table.iloc[int(table["bound"].argmin())]
        log_axis(ax, [10, 30, 100, 300, 1000], "y")
        ax.set(ylim=(10, 1.3 * table["adversary"].max()))
        lost = (
            f" From {name} = {endless[0]:g} on there is no bound, and the learner errs "
            f"in all {table['adversary'].max()} rounds against the adversary."
        )
    return Figure(
        ax,
        alt=f"At {name} = {best.name:g} the bound is {best['bound']:.1f}, the "
        f"adversary forces {best['adversary']:.0f} mistakes, "
        f"{best['adversary'] / best['bound']:.0%} of it, and random streams cost "
        f"{readable(best['random'])}.{lost}",
        caption=f"Mistakes of normalised Winnow against {name}: the bound ln(N/k)/C, "
        "the adversary, and the median and range of random streams.",
        table=table.replace(math.inf, "∞"),
    )
