"""The figures of the chapter `winnow`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from olc import winnow as theory
from olc.show.plots._figure import GREY, Figure, look, panel, panels, readable
from olc.show.plots._vocabulary import (
    band,
    bands,
    envelope,
    examples,
    legend_above,
    legend_panel,
    log_axis,
    plural,
)

if TYPE_CHECKING:
    from olc.core.game import Stream, Trace


def situation(stream: Stream) -> Figure:
    """Draw a few examples: which bits are on, which are relevant, the labels."""
    relevant = theory.relevant_features(stream)
    ax = panel()
    examples(ax, stream.X, stream.y, relevant.tolist())
    positive = int((stream.y > 0).sum())
    return Figure(
        ax,
        alt=f"{positive} of the {len(stream)} examples are positive, namely those in "
        f"which at least one of the {len(relevant)} relevant bits is on; the other "
        f"{stream.n - len(relevant)} bits have no part in it.",
        caption="Examples, one a row: a circle is a bit that is 1. The shaded columns "
        "are the relevant features, and the sign at the end of a row is its label.",
        table=pd.DataFrame(stream.X, columns=range(1, stream.n + 1)).assign(y=stream.y),
    )


def growth(table: pd.DataFrame, x: str, what: str, caption: str) -> Figure:
    """Draw the mistakes of learners against a column that grows by factors."""
    ax = panel()
    drawn = bands(ax, table, x, "mistakes", spread=(0, 1))
    log_axis(ax, sorted(set(table[x]) - {0}))
    ax.set(xlabel=what, ylabel="mistakes", ylim=(0, None))
    legend_above(ax, 2)
    low, high = table[x].min(), table[x].max()
    grown = " and ".join(
        f"from {readable(rows['median'].iloc[0])} to "
        f"{readable(rows['median'].iloc[-1])} ({name})"
        for name, rows in drawn.groupby(level=0, sort=False)
    )
    return Figure(
        ax,
        alt=f"Between {low} and {high} {what} the median number of mistakes grows "
        f"{grown}.",
        caption=caption,
        table=drawn,
    )


def moment(trace: Trace, step: int) -> Figure:
    """Draw the weights after `step` mistakes, and how far the ledger has come."""
    learner: Any = trace.before
    relevant, theta = theory.relevant_features(trace.stream), learner.threshold
    weights = learner.weights
    for number, update in enumerate(trace.replay(), start=1):
        if number <= step:
            weights = update.learner.weights
    left, right = panels(2)
    chosen = np.isin(np.arange(learner.n), relevant)
    level = np.log2(np.where(weights > 0, weights, np.nan))
    places, style = np.arange(1, learner.n + 1), look(learner) | {"linestyle": "none"}
    small: dict[str, Any] = {
        "color": GREY,
        "marker": ".",
        "markersize": 3,
        "linestyle": "none",
    }
    left.plot(places[~chosen], level[~chosen], **small)
    left.plot(places[chosen], level[chosen], **style | {"marker": "o"})
    left.axhline(np.log2(theta), **look("bound"))
    left.set(xlabel="feature", ylabel="log₂ weight", xlim=(0, learner.n + 1))
    left.set(ylim=(-6.5, np.log2(theta) + 1.5))
    ledger = theory.proof(trace)
    start = float(learner.weights.sum())
    envelope(right, ledger, "total weight", who=learner, start=start, now=step)
    right.set(xlim=(0, len(ledger) + 1), ylim=(0, 1.05 * float(ledger["upper"].max())))
    legend_above(right, 2)
    up, down = 0, 0
    if step:
        up, down = ledger[["promotions", "demotions"]].iloc[step - 1].astype(int)
    ahead = int((weights[relevant] >= theta).sum())
    return Figure(
        [left, right],
        alt=f"After {plural(up, 'promotion')} and {plural(down, 'demotion')} the total "
        f"weight is {readable(weights.sum())}, the heaviest irrelevant weight "
        f"{readable(weights[~chosen].max())}, and {ahead} of {len(relevant)} relevant "
        "weights have reached the threshold.",
        caption="First: every weight, counted in doublings; circles are relevant and "
        "the dashed line is the threshold. Second: the total weight between the "
        "envelopes of the proof; the cross is now.",
        table=pd.DataFrame({"weight": weights, "relevant": chosen}, index=places),
    )


def scaling(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw mistakes against n, one panel for each k: random games and forced ones."""
    rows = forced[["k", "n", "mistakes"]].rename(columns={"mistakes": "adversary"})
    games = random.groupby(["k", "n"])["mistakes"].agg(random="median")
    table = rows.set_index(["k", "n"]).join(games).sort_index()
    table["bound"] = [theory.mistake_bound(n, k) for k, n in table.index]
    # half of a block is left after each mistake, rounded down
    table["any learner"] = [k * int(np.log2(n // k)) for k, n in table.index]
    ks = list(dict.fromkeys(forced["k"]))
    *axes, key = panels(len(ks) + 1, 3.2, 2.5)
    for ax, k in zip(axes, ks, strict=True):
        part = table.loc[k]
        ax.plot(part.index, part["bound"], **look("bound"), label="bound")
        worst = look("Winnow", "adversary")
        ax.plot(part.index, part["adversary"], **worst, label="adversary")
        games = random[random["k"] == k]
        band(ax, games, "n", "mistakes", "random", who="Winnow", spread=(0, 1))
        ax.plot(part.index, part["any learner"], **look("lower"), label="any learner")
        log_axis(ax, part.index[::2])
        ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(0, None))
    legend_panel(key, axes)
    met = int((table["adversary"] == table["bound"]).sum())
    last = table.iloc[-1]
    return Figure(
        [*axes, key],
        alt=f"The adversary forces exactly as many mistakes as the bound allows in "
        f"{met} of {len(table)} cases, {last['adversary']:.0f} in the last one, where "
        f"random streams cost {readable(last['random'])} and any deterministic learner "
        f"can be made to err {last['any learner']:.0f} times.",
        caption="Winnow's mistakes against N on a logarithmic axis: the bound, the "
        "adversary, random streams (median and range), and k⌊log₂(N/k)⌋, which some "
        "stream forces on any deterministic learner.",
        table=table,
    )
