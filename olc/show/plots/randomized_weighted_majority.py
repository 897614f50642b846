"""The figures of the chapter `randomized_weighted_majority`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from olc.show.plots._figure import GREY, Figure, look, panel, panels
from olc.show.plots._vocabulary import band, bands, log_axis, sentences

MAJORITY, DRAWN = "WeightedMajority", "RandomizedWeightedMajority"


def chance() -> Figure:
    """Draw the chance of a mistake against the share of the weight that is wrong."""
    share = np.array([0, 0.25, 0.5, 0.5, 0.75, 1])
    table = pd.DataFrame(
        {
            "majority": [0, 0, 0, 1, 1, 1],
            "randomized": share,
            "twice the share": 2 * share,
        },
        index=pd.Index(share, name="share"),
    )
    ax = panel(height=3.0)
    ax.plot(share, table["majority"], **look(MAJORITY), label="weighted majority")
    ax.plot(share, table["randomized"], **look(DRAWN), label="randomized")
    ax.plot(share, table["twice the share"], **look("bound"), label="twice the share")
    ax.set(xlabel="share of the weight that is wrong", ylabel="chance of a mistake")
    ax.set(xlim=(0, 1), ylim=(0, 1.05))
    ax.legend(loc="lower right", handlelength=1.3)
    return Figure(
        ax,
        alt="The majority errs for certain once half of the weight is wrong, which is "
        "twice that share; the randomized learner errs with exactly the share.",
        caption="How likely a mistake is, when a given share of the weight is on the "
        "wrong side, for the majority vote and for a randomly drawn expert.",
        table=table,
    )


def no_regret(table: pd.DataFrame) -> Figure:
    """Draw the regret per round against T for both algorithms: the headline figure.

    `table` has a row for every game: `situation`, `learner`, `T`, the `regret` per
    round and its `bound`.
    """
    situations = list(dict.fromkeys(table["situation"]))
    axes, drawn, found = panels(len(situations), 3.4, 3.4), {}, []
    for ax, situation in zip(axes, situations, strict=True):
        rows = table[table["situation"] == situation]
        how = "adversary" if situation == "adversary" else "random"
        shown = bands(
            ax, rows, "T", "regret", middle="mean", spread=(0, 1), how=how, looks=_NAMES
        )
        bound = rows.groupby(["learner", "T"])["bound"].mean()
        for learner in dict.fromkeys(rows["learner"]):
            line = bound[learner]
            style = look(_NAMES[learner], "bound")
            ax.plot(line.index, line, **style, label=f"{learner}, bound")
        ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        log_axis(ax, sorted(set(rows["T"])))
        ax.set(xlabel="rounds T", ylabel=f"{situation}: regret / T", ylim=(-0.15, 1.4))
        drawn[situation] = shown.assign(bound=bound)
        last = {name: shown["mean"][name].iloc[-1] for name in _NAMES}
        found.append(
            f"{situation}: after {rows['T'].max()} rounds the regret per round is "
            f"{last['majority']:.3f} for the majority and {last['randomized']:.3f} for "
            "the randomized learner"
        )
    axes[-1].legend(loc="upper right")
    return Figure(
        axes,
        alt=sentences(found),
        caption="Regret per round against the number of rounds, with η = √(ln N/T): "
        "mean, with the range over streams and coins shaded. Dashed: the bounds.",
        table=pd.concat(drawn, names=["situation"]),
    )


_NAMES = {"majority": MAJORITY, "randomized": DRAWN}


def terms(table: pd.DataFrame, n: int) -> Figure:
    """Draw the expected regret against η beside the two terms of its bound.

    `table` has a row for every game: `situation`, `eta`, `m` and the `regret`.
    """
    situations = list(dict.fromkeys(table["situation"]))
    axes, drawn, found = panels(len(situations), 2.9, 2.8), {}, []
    for ax, situation in zip(axes, situations, strict=True):
        rows = table[table["situation"] == situation]
        how = "adversary" if situation == "adversary" else "random"
        mean = rows.groupby("eta")[["m", "regret"]].mean()
        slow, hasty = np.log(n) / mean.index, mean.index * mean["m"]
        mean = mean.assign(**{"η m": hasty, "ln N / η": slow, "bound": hasty + slow})
        ax.plot(mean.index, mean["bound"], **look("bound"), label="bound: the sum")
        ax.plot(mean.index, slow, **_TERM, linestyle="-.", label="ln N / η")
        ax.plot(mean.index, hasty, **_TERM, linestyle=":", label="η m")
        band(ax, rows, "eta", "regret", "regret", who=DRAWN, how=how, middle="mean")
        ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        ax.set(xlabel="η", ylabel=f"{situation}: expected regret", ylim=(-10, 130))
        drawn[situation] = mean
        best, least = mean["regret"].idxmin(), mean["bound"].idxmin()
        found.append(
            f"{situation}: the regret is least, {mean['regret'].min():.1f}, at η = "
            f"{best:g}, and the bound, {mean['bound'].min():.1f}, at η = {least:g}"
        )
    axes[0].legend(loc="upper right")
    return Figure(
        axes,
        alt=sentences(found),
        caption="The expected regret of the randomized learner against η (mean, and "
        "middle half of many streams), and the two terms of its bound, which pull in "
        "opposite directions.",
        table=pd.concat(drawn, names=["situation"]),
    )


_TERM: dict[str, Any] = {"color": GREY, "linewidth": 1.2}


def choices_of_eta(table: pd.DataFrame) -> Figure:
    """Draw the bound and the regret per round under several rules for η.

    `table` has a row for every game: `rule`, `T`, `regret` and `bound`, per round.
    """
    axes = panels(2, 3.4, 3.2)
    rules = list(dict.fromkeys(table["rule"]))
    for rule, marker in zip(rules, ("s", "D", "v"), strict=True):
        rows = table[table["rule"] == rule]
        for ax, what in zip(axes, ("bound", "regret"), strict=True):
            style = look(DRAWN, "bound" if what == "bound" else None)
            style |= {"marker": marker, "fillstyle": "none"}
            ax.plot(rows["T"], rows[what], **style, label=f"η = {rule}")
    for ax, what in zip(axes, ("bound", "expected regret"), strict=True):
        log_axis(ax, sorted(set(table["T"])))
        ax.set(yscale="log", xlabel="rounds T", ylabel=f"{what} / T", ylim=(0.005, 2))
    axes[0].legend(loc="lower left")
    wide = table.pivot(index="T", columns="rule", values="regret")[rules]
    last = ", ".join(f"{wide[rule].iloc[-1]:.3f} with η = {rule}" for rule in rules)
    ahead = int((wide[rules[-1]] < wide[rules[-2]]).sum())
    return Figure(
        axes,
        alt=f"After {wide.index[-1]} rounds the regret per round is {last}; η = "
        f"{rules[-1]} beats η = {rules[-2]} at {ahead} of {len(wide)} lengths.",
        caption="Bound and expected regret per round of the randomized learner, on the "
        "streams that an adversary makes for the majority, under three rules for η.",
        table=table.pivot(index="T", columns="rule", values=["regret", "bound"]),
    )
