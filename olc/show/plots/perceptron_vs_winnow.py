"""The figures of the chapter `perceptron_vs_winnow`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from olc import balanced_winnow, normalized_winnow, perceptron
from olc.core.game import Trace
from olc.show.plots._figure import GREY, Figure, look, panel, panels
from olc.show.plots._vocabulary import (
    band,
    legend_panel,
    log_axis,
    running,
)

_BOUNDS: dict[str, Callable[[int, int], float]] = {
    "Perceptron": perceptron.panel_bound,
    "normalised Winnow": normalized_winnow.panel_bound,
    "Balanced Winnow": balanced_winnow.panel_bound,
}


def race(traces: Mapping[str, Trace]) -> Figure:
    """Draw how the mistakes of several learners add up on one stream."""
    ax = panel(4.1, 3.2)
    for name, trace in traces.items():
        running(ax, trace, name)
    ax.legend(loc="center right")
    found = pd.DataFrame(
        {
            "mistakes": {name: trace.mistakes for name, trace in traces.items()},
            "last in round": {
                name: int(trace.rounds[-1]) + 1 for name, trace in traces.items()
            },
        }
    ).rename_axis("learner")
    said = "; ".join(
        f"{_the(str(name))} makes {row['mistakes']} mistakes, the last of them in "
        f"round {row['last in round']}"
        for name, row in found.iterrows()
    )
    return Figure(
        ax,
        alt=f"In {len(next(iter(traces.values())))} rounds {said}.",
        caption="Mistakes so far of the three learners on one stream of random "
        "opinions with a hidden panel.",
        table=found,
    )


# --- Nk against 2k² ln N --------------------------------------------------------------


def headline(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw bounds, forced mistakes and random games against N, one panel a k.

    Both tables have the columns n, k and one for each learner; `random` has a row for
    every seed.
    """
    table = _verdict(random, forced)
    ks = list(forced["k"].unique())
    axes = panels(len(ks) + 1, 3.4, 3.2)
    for ax, k in zip(axes, ks, strict=False):
        for name in _BOUNDS:
            band(ax, random[random["k"] == k], "n", name, name, spread=(0, 1))
            numbers = table.loc[k][name]
            ax.plot(numbers.index, numbers["bound"], **look(name, "bound"))
            ax.plot(numbers.index, numbers["forced"], **_forced(name))
        log_axis(ax, sorted(forced["n"].unique()))
        log_axis(ax, [1, 10, 100, 1000], "y")
        ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(1, 9000))
    axes[0].plot([], [], **_forced("measured") | {"color": GREY}, label="forced")
    axes[0].plot([], [], **look("bound"), label="bound")
    legend_panel(axes[-1], axes[:-1])
    (k, n), last = table.index[-1], table.iloc[-1]
    said = ", ".join(
        f"{last[name, 'forced']:.0f} on {_the(name)} "
        f"({last[name, 'random']:.0f} in the median random game)"
        for name in _BOUNDS
    )
    return Figure(
        axes,
        alt=f"At N = {n} and k = {k} the adversary forces {said}.",
        caption="Mistakes against the number N of experts for a hidden panel of k, on "
        "logarithmic axes. Dashed: the bounds Nk, 2k² ln N and 2k² ln 2N. Hollow "
        "triangles: what the adversary forces. Circles: the median of random games, "
        "with their range. Both Winnows have the rate 1/k.",
        table=table,
    )


def _verdict(random: pd.DataFrame, forced: pd.DataFrame) -> pd.DataFrame:
    """Return bound, forced mistakes and median random game of every learner."""
    worst = forced.set_index(["k", "n"]).sort_index()
    median = random.groupby(["k", "n"])[list(_BOUNDS)].median()
    columns = {}
    for name, bound in _BOUNDS.items():
        at_most = [bound(n, k) for k, n in worst.index]
        columns[name, "bound"] = pd.Series(at_most, worst.index)
        columns[name, "forced"] = worst[name]
        columns[name, "random"] = median[name]
    return pd.DataFrame(columns).rename_axis(index=["k", "N"]).round(1)


def _forced(name: str) -> dict[str, Any]:
    style = {"linestyle": "none", "fillstyle": "none", "markersize": 7}
    return look(name, "adversary") | style


def _the(name: str) -> str:
    return "the Perceptron" if name == "Perceptron" else name


def crossing(forced: pd.DataFrame) -> Figure:
    """Draw what is forced on the Perceptron and on Balanced Winnow for small N.

    `forced` has the columns n, k (one value) and one for each of the two.
    """
    table = forced.rename(columns={"n": "N"}).set_index("N")
    k = int(table.pop("k").iloc[0])
    table["Nk"] = [perceptron.panel_bound(n, k) for n in table.index]
    table["Balanced Winnow's bound"] = [
        balanced_winnow.mistake_bound(n, 1 / k, eta=1 / k, spread=k)
        for n in table.index
    ]
    ax = panel(4.1, 3.2)
    for name, bound in (
        ("Perceptron", "Nk"),
        ("Balanced Winnow", "Balanced Winnow's bound"),
    ):
        ax.plot(table.index, table[bound], **look(name, "bound"))
        ax.plot(table.index, table[name], **look(name, "adversary"), label=name)
    ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(0, None))
    ax.legend()
    above = table[table["Balanced Winnow"] > table["Nk"]]
    said = " and ".join(
        f"N = {n} ({row['Balanced Winnow']:.0f} against {row['Nk']:.0f})"
        for n, row in above.iterrows()
    )
    last = table.iloc[-1]
    return Figure(
        ax,
        alt=f"Balanced Winnow is forced to more mistakes than the Perceptron can make "
        f"at {said}; at N = {table.index[-1]} the Perceptron is forced to "
        f"{last['Perceptron']:.0f} and Balanced Winnow to "
        f"{last['Balanced Winnow']:.0f}.",
        caption="Small N: mistakes forced by the panel adversary (triangles) on the "
        "Perceptron and on Balanced Winnow with the rate 1/k, and their bounds Nk and "
        "ln(2N/k)/C (dashed).",
        table=table.round(1),
    )


# --- the two norms, and real data -----------------------------------------------------


def rates(table: pd.DataFrame) -> Figure:
    """Draw Balanced Winnow's mistakes against η beside the Perceptron's.

    `table` has the columns data, eta, seed and one for each of the two learners.
    """
    names, kinds = ["Perceptron", "Balanced Winnow"], list(table["data"].unique())
    axes, said = panels(len(kinds), 3.5, 3.0), []
    mean = table.groupby(["data", "eta"], sort=False)[names].mean()
    for ax, kind in zip(axes, kinds, strict=True):
        for name in names:
            runs = table[table["data"] == kind]
            band(ax, runs, "eta", name, name, middle="mean", spread=(0, 1))
        log_axis(ax, [0.001, 0.01, 0.1, 1])
        ax.set(xlabel=f"η ({kind})", ylabel="mistakes", ylim=(0, None))
        line = mean.loc[kind]
        balanced = line["Balanced Winnow"]
        said.append(
            f"With a {kind} the Perceptron makes {line['Perceptron'].iloc[0]:.0f} "
            f"mistakes, Balanced Winnow {balanced.iloc[0]:.0f} at η = "
            f"{balanced.index[0]:g}, {balanced.iloc[-1]:.0f} at η = "
            f"{balanced.index[-1]:g} and {balanced.min():.0f} at best."
        )
    axes[-1].legend()
    return Figure(
        axes,
        alt=" ".join(said),
        caption="Mistakes of Balanced Winnow against its rate η, with the Perceptron, "
        "which has none, as a level line: means and ranges over the streams.",
        table=mean.rename_axis(["data", "η"]).round(1),
    )


def irrelevant(table: pd.DataFrame) -> Figure:
    """Draw held-out errors, in per cent, against the number of irrelevant features.

    `table` has the columns data, extra, seed and one for each learner.
    """
    names, kinds = ["Perceptron", "Balanced Winnow"], list(table["data"].unique())
    axes, said = panels(len(kinds), 3.5, 3.0), []
    mean = table.groupby(["data", "extra"], sort=False)[names].mean()
    for ax, kind in zip(axes, kinds, strict=True):
        for name in names:
            runs = table[table["data"] == kind]
            band(ax, runs, "extra", name, name, middle="mean")
        ax.set(xlabel=f"irrelevant features ({kind})", ylabel="held-out error, %")
        ax.margins(y=0.3)
        ax.set(ylim=(0, None))
        first, last = mean.loc[kind].iloc[0], mean.loc[kind].iloc[-1]
        said.append(
            f"On {kind} the error grows from {first['Perceptron']:.1f} to "
            f"{last['Perceptron']:.1f} % for the Perceptron and from "
            f"{first['Balanced Winnow']:.1f} to {last['Balanced Winnow']:.1f} % for "
            "Balanced Winnow."
        )
    axes[0].legend(loc="upper left")
    return Figure(
        axes,
        alt=" ".join(said),
        caption="Error on held-out examples after one pass over the others, against "
        "the number of irrelevant features that were added: means over random orders, "
        "with their middle half.",
        table=mean.rename_axis(["data", "irrelevant features"]).round(1),
    )
