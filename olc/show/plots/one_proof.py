"""The figures of the chapter `one_proof`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from olc import p_norm
from olc.show.plots._figure import GREY, Figure, look, panel, panels, readable
from olc.show.plots._vocabulary import (
    band,
    envelope,
    legend_above,
    log_axis,
    stems,
)

if TYPE_CHECKING:
    from olc.core.learner import Vector

_WHO = p_norm.PNormPerceptron
_TICKS = [2, 3, 5, 10, 20, 30]


def links(table: pd.DataFrame) -> Figure:
    """Draw the weight of a feature against its entry in s, both as shares of the top.

    The index of `table` is the entry; a column has the weights of one learner.
    """
    ax, styles = panel(), ["-", "-.", ":", (0, (5, 1, 1, 1, 1, 1))]
    for (name, weights), line in zip(table.items(), styles, strict=False):
        winnow = "Winnow" in str(name)
        who = "normalised Winnow" if winnow else "Perceptron" if line == "-" else _WHO
        ax.plot(table.index, weights, **look(who) | {"linestyle": line}, label=name)
    ax.set(xlabel="entry of s, share of the largest", ylabel="weight, share")
    ax.legend(loc="upper left")
    half = table.index[int(np.abs(table.index - 0.5).argmin())]
    middle = table.loc[half].to_dict()
    said = ", ".join(f"{readable(share)} ({name})" for name, share in middle.items())
    return Figure(
        ax,
        alt=f"An entry that is {half:g} of the largest has a weight of {said}, as a "
        "share of the largest weight.",
        caption="One vector s, read by four links: how the weight of a feature grows "
        "with its entry in s. Both are shares of the largest.",
        table=table,
    )


def slider(
    learner: p_norm.PNormPerceptron,
    target: Vector,
    random: pd.DataFrame,
    forced: pd.DataFrame,
    rivals: pd.DataFrame,
) -> Figure:
    """Draw mistakes against p on panels, and the weights at the learner's own p.

    `learner` has played; `target` is its panel. The tables have the columns n, k and
    mistakes; all but `rivals`, the games of normalised Winnow, have p as well.
    """
    n, k, p = learner.n, int(np.count_nonzero(target)), learner.p
    random, forced, rivals = (
        runs[(runs["n"] == n) & (runs["k"] == k)] for runs in (random, forced, rivals)
    )
    table = forced.set_index("p")[["mistakes"]].set_axis(["adversary"], axis=1)
    table["bound"] = [p_norm.panel_bound(n, k, float(order)) for order in table.index]
    left, right = panels(2, 3.6, 3.2)
    left.plot(table.index, table["bound"], **look(_WHO, "bound"), label="bound")
    worst = look(_WHO, "adversary") | {"markersize": 4}
    left.plot(table.index, table["adversary"], **worst, label="adversary")
    drawn = band(left, random, "p", "mistakes", "random", who=_WHO, spread=(0, 1))
    table["random"] = drawn["median"]
    winnow = float(rivals["mistakes"].median())
    left.axhline(winnow, **look("normalised Winnow"), label="normalised Winnow")
    left.axvline(p, color=GREY, linewidth=0.8, linestyle="-")
    log_axis(left, _TICKS)
    log_axis(left, [10, 100, 1000], "y")
    left.set(xlabel="p", ylabel="mistakes", ylim=(4, 30_000))
    left.legend(loc="upper right")
    sizes = np.abs(learner.weights)
    order = np.argsort(-sizes, kind="stable")[:64]
    members = np.flatnonzero(target[order])
    stems(right, sizes[order] / sizes.sum(), marked=members.tolist(), who=_WHO)
    right.set(xlabel="the largest weights, in order", ylabel="share", ylim=(0, 0.36))
    share = float(sizes[target != 0].sum() / sizes.sum())
    here = table.loc[p]
    return Figure(
        [left, right],
        alt=f"With N = {n} and k = {k}, p = {p:g} has the bound {here['bound']:.0f}; "
        f"the adversary forces {here['adversary']:.0f} mistakes, random streams "
        f"{here['random']:.0f}, and normalised Winnow makes {winnow:.0f} on them. The "
        f"panel ends with {share:.0%} of the weight.",
        caption="First: mistakes of the p-norm Perceptron against p on panels of k "
        "among N experts, on logarithmic axes; p = 2 is the Perceptron, and the level "
        "line is normalised Winnow on the same random streams. Second: the largest "
        "weights at the chosen p after a random game, with circles on the panel.",
        table=table[["bound", "adversary", "random"]].round(1),
    )


def ledgers(found: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the one ledger for several learners, each in its own units."""
    axes = panels(len(found), 3.4, 2.7)
    for ax, (name, ledger) in zip(axes, found.items(), strict=True):
        envelope(ax, ledger, "Φ(s)", who=name, start=0.0)
        ax.set(xlabel=f"mistake ({name})", ylim=(0, 1.05 * ledger["upper"].iloc[-1]))
    legend_above(axes[0], 2)
    said = "; ".join(
        f"{name} at {readable(ledger['potential'].iloc[-1])} after {len(ledger)} "
        f"mistakes, between {readable(ledger['lower'].iloc[-1])} and "
        f"{readable(ledger['upper'].iloc[-1])}"
        for name, ledger in found.items()
    )
    return Figure(
        axes,
        alt=f"The potential ends between its two lines in every game: {said}.",
        caption="The potential of each learner after every mistake, below M·c and "
        "above what the alignment with the target demands of it.",
        table=pd.concat(found, names=["learner"])[["lower", "potential", "upper"]],
    )


def norms(table: pd.DataFrame) -> Figure:
    """Draw mistakes and bounds against p, one panel for each kind of data.

    `table` has the columns data, p, seed, mistakes and bound.
    """
    kinds = list(table["data"].unique())
    axes, said = panels(len(kinds), 3.5, 2.9), []
    numbers = table.groupby(["data", "p"], sort=False)[["mistakes", "bound"]].median()
    for ax, kind in zip(axes, kinds, strict=True):
        line = numbers.loc[kind]
        ax.plot(line.index, line["bound"], **look(_WHO, "bound"), label="bound")
        runs = table[table["data"] == kind]
        band(ax, runs, "p", "mistakes", "random", who=_WHO, spread=(0, 1))
        log_axis(ax, _TICKS)
        log_axis(ax, [10, 100, 1000, 10**4, 10**5, 10**6], "y")
        ax.set(xlabel=f"p ({kind})", ylabel="mistakes", ylim=(20, 2e6))
        best = line["mistakes"].idxmin()
        said.append(
            f"With {kind} the fewest mistakes are {line['mistakes'].min():.0f} at p = "
            f"{best:g}, and the bound is least at p = {line['bound'].idxmin():g}."
        )
    axes[-1].legend(loc="upper left")
    return Figure(
        axes,
        alt=" ".join(said),
        caption="Mistakes of the p-norm Perceptron against p on two kinds of data: the "
        "median and the range of random streams, and the bound (dashed).",
        table=numbers.round(1),
    )


def noise(table: pd.DataFrame) -> Figure:
    """Draw mistakes and their bounds against the share of wrong labels.

    `table` has the columns learner, noise, seed, mistakes and bound.
    """
    names = list(table["learner"].unique())
    axes = panels(len(names), 3.4, 2.8)
    numbers = table.groupby(["learner", "noise"], sort=False)[["mistakes", "bound"]]
    drawn = numbers.mean()
    for ax, name in zip(axes, names, strict=True):
        runs, line = table[table["learner"] == name], drawn.loc[name]
        band(ax, runs, "noise", "mistakes", name, middle="mean", spread=(0, 1))
        ax.plot(line.index, line["bound"], **look("bound"), label="bound")
        ax.set(xlabel=f"wrong labels ({name})", ylabel="mistakes")
        ax.set(ylim=(0, 1.05 * drawn["bound"].max()))
    axes[0].legend(loc="upper left")
    last = drawn.index[-1][1]
    said = ", ".join(
        f"{name} {drawn.loc[name, last]['mistakes']:.0f} of at most "
        f"{drawn.loc[name, last]['bound']:.0f}"
        for name in names
    )
    return Figure(
        axes,
        alt=f"With {last:.0%} wrong labels the mean mistakes are: {said}.",
        caption="Mean mistakes, with their range, and the one bound by hinge losses "
        "(dashed), against the share of labels that were flipped.",
        table=drawn.round(1),
    )
