"""Figures of the chapter `regression`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from olc import forecasters as regression
from olc.show.plots._figure import (
    BLUE,
    GREY,
    OCHRE,
    PURPLE,
    Figure,
    look,
    panel,
    panels,
)
from olc.show.plots._vocabulary import band, envelope, legend_above, log_axis

#: How a loss or a forecaster of rain is drawn: none of them is an algorithm.
_LOSSES: dict[str, dict[str, Any]] = {
    "square": {"color": BLUE, "linestyle": "-"},
    "log": {"color": PURPLE, "linestyle": "-."},
    "absolute": {"color": OCHRE, "linestyle": ":", "linewidth": 2.4},
}
_FORECASTERS: list[dict[str, Any]] = [
    {"color": BLUE, "linestyle": "-", "marker": "o"},
    {"color": OCHRE, "linestyle": "-.", "marker": "s"},
    {"color": PURPLE, "linestyle": "none", "marker": "D", "markersize": 8},
]


def honesty(table: pd.DataFrame, truth: float) -> Figure:
    """Draw the expected loss of every forecast, and where each loss is least.

    `table` has the forecasts as its index and a column for each loss.
    """
    ax = panel(height=3.0)
    for name, values in table.items():
        style = _LOSSES[str(name)]
        ax.plot(values, **style, label=str(name))
        ax.plot(values.nsmallest(1), color=style["color"], marker="o")
    ax.axvline(truth, color=GREY, linewidth=1)
    ax.set(xlabel="forecast", ylabel="loss", ylim=(0, 1.25))
    legend_above(ax, 3)
    least = [f"{table[name].idxmin():.2g} for the {name} loss" for name in table]
    return Figure(
        ax,
        alt=f"If it rains with probability {truth:g}, the forecasts with the least "
        f"expected loss are {', '.join(least[:-1])} and {least[-1]}.",
        caption="The expected loss of every forecast under three losses; the vertical "
        "line is the true probability, the dots are where each curve is lowest.",
        table=table.iloc[:: max(1, len(table) // 10)],
    )


def lead(said: Mapping[str, float], truth: float, days: int = 600) -> Figure:
    """Draw the chance that the better of two forecasters leads, day by day."""
    (one, first), (two, second) = said.items()
    if abs(first - truth) > abs(second - truth):
        (one, first), (two, second) = (two, second), (one, first)
    ax, many = panel(height=3.0), np.arange(1, days + 1)
    drawn = {
        name: regression.chance_ahead(first, second, truth, many, loss)
        for name, loss in _PROPER.items()
    }
    for name, chances in drawn.items():
        ax.plot(many, chances, **_LOSSES[name], label=name)
    edge = (second - truth) ** 2 - (first - truth) ** 2
    bound = 1 - np.exp(-many * edge**2 / (2 * (first - second) ** 2))
    ax.plot(many, bound, **look("bound"), label="Hoeffding")
    ax.axhline(0.95, color=GREY, linewidth=1)
    ax.set(xlabel="days", ylabel=f"chance that {one} leads", ylim=(0, 1.02))
    ax.legend(loc="lower right")
    return Figure(
        ax,
        alt=f"If it rains with probability {truth:g}, {one} is the better forecaster. "
        f"By the square loss {one} leads {_when(first, second, truth)}.",
        caption="The chance that the forecaster who is nearer to the truth has the "
        "smaller total loss, by square loss and by log loss, and what Hoeffding's "
        "inequality guarantees for the square loss (dashed). Horizontal line: 95 %.",
        table=pd.DataFrame(drawn, index=pd.Index(many, name="days"))
        .assign(bound=bound)
        .iloc[[0, *range(days // 6 - 1, days, days // 6)]],
    )


_PROPER = {"square": regression.square_loss, "log": regression.log_loss}


def _when(first: float, second: float, truth: float) -> str:
    days = regression.days_to_lead(first, second, truth)
    return f"with probability 95 % after {days:,.0f} days"


def days_needed(table: pd.DataFrame) -> Figure:
    """Draw the days until the better forecaster leads, against the gap of the two.

    `table` has the gaps as its index, and columns exact, Chernoff and Hoeffding.
    """
    ax = panel(height=3.0)
    ax.plot(table["Hoeffding"], **look("bound"), label="Hoeffding")
    ax.plot(table["Chernoff"], color=GREY, linestyle=":", label="Chernoff")
    ax.plot(table["exact"], **_LOSSES["square"], marker="o", label="exact")
    log_axis(ax, table.index)
    log_axis(ax, [10, 100, 1000, 10_000], axis="y")
    ax.set(xlabel="difference of the two forecasts", ylabel="days")
    ax.legend()
    near, far = table["exact"].iloc[0], table["exact"].iloc[-1]
    return Figure(
        ax,
        alt=f"Forecasts that differ by {table.index[-1]:g} are told apart after "
        f"{far:,.0f} days, those that differ by {table.index[0]:g} after {near:,.0f}; "
        f"Hoeffding's inequality asks for {table['Hoeffding'].iloc[0]:,.0f}.",
        caption="Days until the forecaster who is right leads with probability 95 %, "
        "against the distance of the other's forecast, on logarithmic axes.",
        table=table,
    )


def reliability(said: Mapping[str, Any], rain: Any) -> Figure:
    """Draw how often it rained when each forecaster said p, against p."""
    ax, parts = panel(3.6, 3.5), {}
    ax.plot([0, 1], [0, 1], **look("target"))
    for (name, forecasts), style in zip(said.items(), _FORECASTERS, strict=False):
        curve = regression.calibration(forecasts, rain)["rain"]
        ax.plot(curve, **style, label=name)
        parts[name] = regression.decompose(forecasts, rain)
    ax.set(xlabel="forecast", ylabel="share of rainy days", aspect="equal")
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    ax.legend(loc="upper left")
    table = pd.DataFrame(parts).T
    table.index.name = "forecaster"
    best, worst = table["loss"].idxmin(), table["calibration"].idxmax()
    return Figure(
        ax,
        alt=f"{best} has the smallest mean square loss, {table['loss'].min():.3f}; "
        f"{worst} is the worst calibrated: the calibration term is "
        f"{table['calibration'].max():.3f}.",
        caption="How often it rained on the days with a given forecast. A calibrated "
        "forecaster's points lie on the dashed diagonal.",
        table=table.round(4),
    )


def potentials(ledgers: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the potentials of two proofs between their envelopes, round by round.

    The ledgers are named by the learners, "GD" and "EG".
    """
    axes, found = panels(2, 3.5, 3.0), []
    for ax, (name, ledger) in zip(axes, ledgers.items(), strict=True):
        envelope(ax, ledger, _POTENTIALS[name], who=_NAMES[name])
        legend_above(ax, 2)
        last = ledger.iloc[-1]
        inside = ledger["potential"].between(-1e-9, ledger["upper"] + 1e-9).sum()
        found.append(
            f"After {len(ledger)} rounds {_POTENTIALS[name]} is "
            f"{last['potential']:.3g} and at most {last['upper']:.3g} by the proof; it "
            f"is between the envelopes in {inside} of the rounds."
        )
    return Figure(
        axes,
        alt=" ".join(found),
        caption="The potential of gradient descent (first) and of EG (second) in the "
        "same game, between 0 and what the proof says it is at most.",
        table=pd.concat(ledgers, names=["learner"])[["potential", "upper"]]
        .groupby("learner", sort=False)
        .tail(1)
        .round(4),
    )


_POTENTIALS = {"GD": "½‖u − w‖²", "EG": "RE(u‖w)"}


def sparse_and_dense(sparse: pd.DataFrame, dense: pd.DataFrame) -> Figure:
    """Draw the total loss against N for both learners, in two kinds of games.

    Each table is that of a sweep with columns n, learner, loss and bound.
    """
    axes = panels(2, 3.5, 3.2)
    for ax, table, title in zip(axes, (sparse, dense), _KINDS, strict=True):
        for name, rows in table.groupby("learner", sort=False):
            who = _NAMES[str(name)]
            band(ax, rows, "n", "loss", str(name), who=who, spread=(0, 1))
            bound = rows.groupby("n")["bound"].max()
            ax.plot(bound, **look(who, "bound"))
        log_axis(ax, sorted(table["n"].unique()))
        log_axis(ax, [10, 100, 1000, 10_000], axis="y")
        ax.set(xlabel=f"N, {title}", ylabel="total loss", ylim=(7, None))
        ax.legend(loc="upper left")
    found = []
    for table, title in zip((sparse, dense), _KINDS, strict=True):
        last = table[table["n"] == table["n"].max()].groupby("learner")["loss"].max()
        found.append(
            f"With a {title} and N = {table['n'].max()}, "
            f"gradient descent loses {last['GD']:,.0f} and EG± {last['EG±']:,.0f}."
        )
    return Figure(
        axes,
        alt=" ".join(found),
        caption="Total square loss against the number of features, on logarithmic "
        "axes, with the bounds (dashed). First: three relevant features, examples of "
        "±1. Second: all features relevant, one active at a time.",
        table=pd.concat({"sparse": sparse, "dense": dense}, names=["target"])
        .groupby(["target", "n", "learner"])[["loss", "bound"]]
        .max()
        .round(1),
    )


_KINDS = ("sparse target", "dense target")
_NAMES = {
    "GD": "GradientDescent",
    "EG": "ExponentiatedGradient",
    "EG±": "SignedExponentiatedGradient",
}


def extra_features(table: pd.DataFrame, least: float) -> Figure:
    """Draw the mean loss on later patients against the number of useless features.

    `table` is that of a sweep, with columns extra, learner and loss; `least` is the
    mean loss of the best weights in hindsight.
    """
    ax, drawn = panel(height=3.0), {}
    for name, rows in table.groupby("learner", sort=False):
        who = _NAMES[str(name)]
        drawn[name] = band(ax, rows, "extra", "loss", str(name), who=who)["median"]
    ax.axhline(least, **look("target"), label="least squares")
    ax.set(xlabel="useless features", ylabel="loss", ylim=(0, 1.05))
    legend_above(ax, 3)
    medians = pd.DataFrame(drawn)
    few, many = medians.iloc[0], medians.iloc[-1]
    return Figure(
        ax,
        alt=f"Without useless features the median losses are {few['GD']:.2f} for "
        f"gradient descent and {few['EG±']:.2f} for EG±, with {medians.index[-1]} of "
        f"them {many['GD']:.2f} and {many['EG±']:.2f}. The best fixed weights have "
        f"{least:.2f}.",
        caption="Mean square loss on the second half of the patients (median and "
        "quartiles over random orders), with more and more columns of coin flips; "
        "dashed: the best weights in hindsight on the ten real features.",
        table=medians.round(3),
    )
