"""The figures of the chapter `balanced_winnow`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from olc import balanced_winnow as theory
from olc import normalized_winnow
from olc.balanced_winnow import BalancedWinnow
from olc.core.game import Trace
from olc.show.plots._figure import GREY, INK, Figure, colour, look, panel, panels
from olc.show.plots._vocabulary import band, envelope, log_axis, running


def contrarian(traces: Mapping[str, Trace]) -> Figure:
    """Draw the situation: without negative weights the mistakes never end."""
    ax = panel()
    for name, trace in traces.items():
        running(ax, trace, name)
    ax.legend()
    found = pd.DataFrame(
        {
            "mistakes": {name: trace.mistakes for name, trace in traces.items()},
            "in the second half": {
                name: int((trace.rounds >= len(trace) // 2).sum())
                for name, trace in traces.items()
            },
        }
    ).rename_axis("learner")
    said = "; ".join(
        f"{name} makes {row['mistakes']} mistakes, {row['in the second half']} of "
        "them in the second half"
        for name, row in found.iterrows()
    )
    return Figure(
        ax,
        alt=f"In {len(next(iter(traces.values())))} rounds {said}.",
        caption="Mistakes so far on one stream whose target has a negative weight.",
        table=found,
    )


def two_weights(trace: Trace, step: int) -> Figure:
    """Draw w⁺ upwards and w⁻ downwards after `step` mistakes, and the ledger."""
    learner, u = trace.before, trace.stream.need_target()
    for update, _ in zip(trace.replay(), range(step), strict=False):
        learner = update.learner
    assert isinstance(learner, BalancedWinnow)
    plus, minus = learner.halves
    left, right = panels(2, 3.4, 3.0)
    place, ink = np.arange(1, len(u) + 1), colour(learner)
    left.bar(place, plus, color=ink, width=0.8, label="w⁺")
    left.bar(place, -minus, color="none", edgecolor=ink, hatch="///", label="−w⁻")
    left.plot(place, plus - minus, "D", color=INK, markersize=3, label="w⁺ − w⁻")
    left.set(xlabel="feature", ylabel="weights", ylim=(-0.32, 0.4))
    left.set_xticks([i + 1 for i in np.flatnonzero(u)])
    left.legend(ncols=3, loc="upper center", columnspacing=0.8, handlelength=1.2)
    ledger = theory.proof(trace)
    start = float(ledger["potential"].iloc[0] + ledger["drop"].iloc[0])
    envelope(right, ledger, "RE(u′‖w)", start=start, now=step)
    right.legend(loc="upper right")
    now = float(ledger["potential"].iloc[step - 1]) if step else start
    said = ", ".join(
        f"{plus[i]:.2f} and {minus[i]:.2f} for feature {i + 1} "
        f"({'+' if u[i] > 0 else '−'})"
        for i in np.flatnonzero(u)
    )
    table = pd.DataFrame({"u": u, "w⁺": plus, "w⁻": minus}, place)
    return Figure(
        [left, right],
        alt=f"After {step} mistakes the two weights are {said}; the potential is "
        f"{now:.2f}.",
        caption="First: the two weights of every feature, w⁺ upwards and w⁻ downwards "
        "(hatched), and their difference; the numbers name the relevant ones. Second: "
        "the potential between its envelopes; the cross is now.",
        table=table.rename_axis("feature").round(4),
    )


def link(eta: float, others: int) -> Figure:
    """Draw the weight of a feature against the sum s of its updates."""
    ax, s = panel(), np.linspace(-4, 4, 33)
    table = pd.DataFrame(
        {
            "Balanced Winnow": np.sinh(s) / (np.cosh(s) + others),
            "Perceptron": s / (1 + others),
        },
        index=s,
    ).rename_axis("s")
    for name in table:
        ax.plot(table.index, table[name], **look(name), label=name)
    steps = eta * np.arange(-int(4 / eta), int(4 / eta) + 1)
    marks = np.sinh(steps) / (np.cosh(steps) + others)
    ax.plot(steps, marks, "o", color=GREY, markersize=4)
    ax.set(xlabel="s, the sum of η y x over the mistakes", ylabel="w⁺ − w⁻")
    ax.legend(loc="upper left")
    ratio = float(table["Balanced Winnow"].iloc[-1] / table["Perceptron"].iloc[-1])
    return Figure(
        ax,
        alt=f"Near s = 0 the weight is proportional to s, as the Perceptron's is; at "
        f"s = 4 it is {ratio:.1f} times as large as the straight line.",
        caption=f"The weight of one feature of Balanced Winnow against the sum of its "
        f"updates, with {others} other features at rest; the dots are updates of "
        f"size {eta:g}.",
        table=table.round(4),
    )


def scaling(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw what the signs cost: Balanced against normalised Winnow as N grows.

    `forced` has the columns n, k (one value) and one for each of the two learners,
    `random` a row for every seed, with Balanced Winnow's mistakes.
    """
    table = forced.rename(columns={"n": "N"}).set_index("N")
    k = int(table.pop("k").iloc[0])
    names = {
        "Balanced Winnow": theory.panel_bound,
        "normalised Winnow": normalized_winnow.panel_bound,
    }
    ax = panel(4.1, 3.4)
    for name, bound in names.items():
        table[f"{name}, bound"] = [bound(n, k) for n in table.index]
        ax.plot(table.index, table[f"{name}, bound"], **look(name, "bound"))
        style = look(name, "adversary") | {"linestyle": "-", "linewidth": 1}
        ax.plot(table.index, table[name], **style, label=f"{name}, forced")
    label = "Balanced Winnow, random"
    drawn = band(
        ax, random, "n", "Balanced Winnow", label, who=BalancedWinnow, spread=(0, 1)
    )
    table["random, median"] = drawn["median"]
    log_axis(ax, table.index)
    ax.margins(y=0.35)
    ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(0, None))
    ax.legend(loc="upper left")
    extra = table["Balanced Winnow"] - table["normalised Winnow"]
    last = table.iloc[-1]
    return Figure(
        ax,
        alt=f"The adversary forces {last['Balanced Winnow']:.0f} mistakes on Balanced "
        f"Winnow at N = {table.index[-1]}, where the bound is "
        f"{last['Balanced Winnow, bound']:.0f}; that is {extra.iloc[-1]:.0f} more than "
        f"on normalised Winnow, and at every N between {extra.min():.0f} and "
        f"{extra.max():.0f} more.",
        caption="Mistakes of Balanced Winnow on signed panels, median and range of the "
        "random streams (circles) and forced by the adversary (triangles), with "
        "normalised Winnow for comparison; dashed the bounds 2k² ln 2N and 2k² ln N.",
        table=table.round(1),
    )
