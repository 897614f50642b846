"""The figures of the chapter `bandits`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from olc.show.plots._figure import Figure, look, panel, panels, readable
from olc.show.plots._vocabulary import bands, log_axis

if TYPE_CHECKING:
    from olc.bandits import BanditTrace


def estimates(table: pd.DataFrame) -> Figure:
    """Draw mean and spread of an estimate against the chance of the arm.

    `table` has a row for every `learner` and `chance`, with the `mean` and the
    `deviation` of the estimate of a loss of 1.
    """
    axes, chances = panels(2, 3.4, 3.0), sorted(set(table["chance"]))
    for ax, what in zip(axes, ("mean", "deviation"), strict=True):
        bands(ax, table, "chance", what, middle="mean", how=None)
        log_axis(ax, [0.001, 0.01, 0.1, 1])
        ax.set(xlabel="chance of the arm", xlim=(chances[0], 1))
    axes[0].axhline(1, **look("bound"), label="the loss itself")
    axes[0].set(ylabel="mean of the estimate", ylim=(0, 1.15))
    axes[1].set(ylabel="its standard deviation", ylim=(0, None))
    axes[0].legend(loc="lower right")
    wide = table.pivot(index="chance", columns="learner", values=["mean", "deviation"])
    rare = wide.loc[chances[0]]
    found = [
        f"{name}: mean {readable(rare['mean', name])}, standard deviation "
        f"{readable(rare['deviation', name])}"
        for name in dict.fromkeys(table["learner"])
    ]
    return Figure(
        axes,
        alt=f"An arm with a chance of {chances[0]:g}: {'; '.join(found)}.",
        caption="The estimate of a loss of 1 against the chance with which the arm is "
        "drawn: its mean and its standard deviation.",
        table=wide,
    )


def fates(
    traces: Mapping[str, BanditTrace], totals: Mapping[str, pd.Series], bound: float
) -> Figure:
    """Draw how the regret of many runs is spread, and why: the chapter's figure.

    `traces` are the games by the name of their learner; `totals` what a learner holds
    against an arm that always loses, after each draw of it. `bound` is that of Exp3's
    expected regret.
    """
    axes, drawn = panels(2, 3.5, 3.2), {}
    for name, trace in traces.items():
        regret = np.sort(trace.regret)
        share = np.arange(1, len(regret) + 1) / len(regret)
        style = look(name) | {"drawstyle": "steps-post"}
        axes[0].plot([regret[0], *regret], [0, *share], **style, label=name)
        drawn[name] = {
            "mean": regret.mean(),
            "standard deviation": regret.std(),
            "least": regret[0],
            "largest": regret[-1],
            "above the bound": (regret > bound).mean(),
        }
    axes[0].axvline(bound, **look("bound"), label="bound on E[R]")
    axes[0].set(xlabel="regret", ylabel="share of the runs below", ylim=(0, 1.02))
    for name, total in totals.items():
        axes[1].plot(total, **look(name) | {"marker": "o", "markersize": 3})
    axes[1].set(xlabel="draws of the second arm", ylabel="its estimated total loss")
    axes[1].legend(*axes[0].get_legend_handles_labels(), loc="upper left")
    table = pd.DataFrame(drawn).T.rename_axis("learner")
    spread = ", ".join(
        f"{row['standard deviation']:.0f} for {name}" for name, row in table.iterrows()
    )
    above = ", ".join(
        f"{row['above the bound']:.0%} of {name}" for name, row in table.iterrows()
    )
    return Figure(
        axes,
        alt=f"The standard deviation of the regret is {spread}. Of the runs, {above} "
        f"end above {bound:.0f}, the bound on the expected regret of Exp3.",
        caption="Two arms with losses 0 and 1, which are exchanged after a quarter of "
        "the rounds. First panel: the share of runs whose regret is at most so large. "
        "Second panel: the estimated total loss of the second arm after so many draws "
        "of it in the first quarter.",
        table=table,
    )


def over_time(table: pd.DataFrame, bound: float) -> Figure:
    """Draw the pseudo-regret round by round: a frame of the explorer.

    `table` has a row for every `learner`, `run` and `round` with the `regret` so far;
    `bound` is that of Exp3 at the end.
    """
    ax = panel()
    drawn = bands(
        ax, table, "round", "regret", middle="mean", spread=(0.05, 0.95), how=None
    )
    ax.axhline(bound, **look("bound"), label="bound of Exp3")
    ax.set(xlabel="round", ylabel="pseudo-regret so far", ylim=(0, 1.15 * bound))
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0.86))
    last = table["round"].max()
    final = ", ".join(
        f"{readable(drawn['mean'][name].loc[last])} for {name}"
        for name in dict.fromkeys(table["learner"])
    )
    return Figure(
        ax,
        alt=f"After {last} rounds the mean pseudo-regret is {final}; the bound of Exp3 "
        f"is {readable(bound)}.",
        caption="Pseudo-regret so far: mean of the runs, with nine tenths of them "
        "shaded. Dashed: the bound of Exp3 at the end of the game.",
        table=drawn,
    )
