"""The figures of the chapter `balanced_winnow`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from olc import adversaries, streams
from olc import balanced_winnow as theory
from olc.balanced_winnow import BalancedWinnow
from olc.game import Stream, Trace, duel, play, play_many
from olc.normalized_winnow import NormalizedWinnow, panel_bound
from olc.plots._figure import BLUE, GREY, VERMILION, Figure, look, panel, panels


def signed_panel(n: int, k: int, rounds: int, seed: int) -> Stream:
    """Return a panel stream in which every second member is always misunderstood.

    The target is +1 and -1 in turn: the vote of a member with -1 counts reversed.
    """
    stream = streams.panel(n, k, rounds, seed)
    u = stream.need_target().copy()
    u[np.flatnonzero(u)[1::2]] = -1
    return Stream(stream.X, np.sign(stream.X @ u), u)


def contrarian(stream: Stream, eta: float) -> Figure:
    """Draw the situation: without negative weights the mistakes never end."""
    ax, found = panel(), {}
    for learner, name, style in (
        (NormalizedWinnow(stream.n, eta=eta), "normalised Winnow", look("worst")),
        (BalancedWinnow(stream.n, eta=eta), "Balanced Winnow", look("measured")),
    ):
        wrong = np.cumsum(play(learner, stream).predictions != stream.y)
        found[name] = int(wrong[-1])
        rounds = np.arange(1, len(stream) + 1)
        ax.plot(rounds, wrong, **style, label=name, markevery=0.12)
    ax.set(xlabel="round", ylabel="mistakes so far")
    ax.legend()
    against = int((stream.need_target() < 0).sum())
    return Figure(
        ax,
        alt=f"Of the relevant features {against} speaks against the label. In "
        f"{len(stream)} rounds normalised Winnow errs {found['normalised Winnow']} "
        f"times and does not stop; Balanced Winnow errs {found['Balanced Winnow']} "
        "times.",
        caption="Mistakes so far on one stream whose target has a negative weight.",
    )


def two_weights(trace: Trace, step: int) -> Figure:
    """Draw w⁺ upwards and w⁻ downwards after `step` mistakes, and the ledger."""
    learner, u = trace.before, trace.stream.need_target()
    for number, update in enumerate(trace.replay(), start=1):
        if number <= step:
            learner = update.learner
        if number == step:
            break
    assert isinstance(learner, BalancedWinnow)
    plus, minus = learner.halves
    left, right = panels(2, 3.4, 3.0)
    place = np.arange(1, len(u) + 1)
    left.bar(place, plus, color=BLUE, width=0.8, label="w⁺")
    left.bar(place, -minus, color=VERMILION, width=0.8, hatch="///", label="−w⁻")
    left.plot(place, plus - minus, "D", color=GREY, markersize=3, label="w⁺ − w⁻")
    left.set(xlabel="feature", ylabel="weights", ylim=(-0.32, 0.4))
    left.set_xticks([i + 1 for i in np.flatnonzero(u)])
    left.legend(ncols=3, loc="upper center", columnspacing=0.8, handlelength=1.2)
    ledger = theory.proof(trace)
    for name in ("upper", "potential", "lower"):
        line = look(name) | {"marker": ""}
        right.plot(ledger.index, ledger[name], **line, label=name)
    start = ledger["upper"].iloc[0] + ledger["guaranteed"].iloc[0]
    now = float(ledger["potential"].iloc[step - 1]) if step else float(start)
    right.plot(step, now, **look("mistake") | {"markersize": 9})
    right.set(xlabel="mistake", ylabel="RE(u′‖w)", xlim=(-0.5, len(ledger) + 0.5))
    right.set(ylim=(-0.1 * start, 1.45 * start))
    right.legend(loc="upper right", ncols=2)
    said = ", ".join(
        f"{plus[i]:.2f} and {minus[i]:.2f} for feature {i + 1} "
        f"({'+' if u[i] > 0 else '−'})"
        for i in np.flatnonzero(u)
    )
    return Figure(
        [left, right],
        alt=f"After {step} mistakes the two weights are {said}; the potential is "
        f"{now:.2f}.",
        caption="First: the two weights of every feature, w⁺ upwards and w⁻ downwards "
        "(hatched), and their difference; the numbers name the relevant ones. Second: "
        "the potential between its envelopes; the cross is now.",
    )


def link(eta: float, others: float) -> Figure:
    """Draw the weight of a feature against the sum s of its updates."""
    ax, s = panel(), np.linspace(-4, 4, 161)
    weight = np.sinh(s) / (np.cosh(s) + others)
    slope = 1 / (1 + others)
    ax.plot(s, weight, **look("weights"), label="Balanced Winnow")
    ax.plot(s, slope * s, **look("target"), label="Perceptron")
    steps = eta * np.arange(-int(4 / eta), int(4 / eta) + 1)
    marks = np.sinh(steps) / (np.cosh(steps) + others)
    ax.plot(steps, marks, "o", color=GREY, markersize=4)
    ax.set(xlabel="s, the sum of η y x over the mistakes", ylabel="w⁺ − w⁻")
    ax.set(ylim=(-0.35, 0.35))
    ax.legend(loc="upper left")
    ratio = float(np.sinh(4) / (np.cosh(4) + others) / (4 * slope))
    return Figure(
        ax,
        alt=f"Near s = 0 the weight is proportional to s, as the Perceptron's is; at "
        f"s = 4 it is {ratio:.1f} times as large as the straight line.",
        caption=f"The weight of one feature of Balanced Winnow against the sum of its "
        f"updates, with {others:g} other features at rest; the dots are updates of "
        f"size {eta:g}.",
    )


def scaling(sizes: Sequence[int], k: int, rounds: int, seeds: int) -> Figure:
    """Draw what the sign costs: Balanced against monotone Winnow as N grows."""
    rows = []
    for n in sizes:
        games = [signed_panel(n, k, rounds, seed) for seed in range(seeds)]
        traces = play_many(partial(BalancedWinnow, n, eta=1 / k), games)
        found = [trace.mistakes for trace in traces]
        rival = adversaries.Panel(n, k, tries=1)
        row = {"N": n, "signed, mean": np.mean(found)}
        row |= {"least": min(found), "most": max(found)}
        for name, learner in (
            ("Balanced", BalancedWinnow(n, eta=1 / k)),
            ("monotone", NormalizedWinnow(n, eta=1 / k)),
        ):
            row[f"{name}, adversary"] = duel(learner, rival, 10**5).mistakes
        row["2k² ln 2N"] = theory.panel_bound(n, k)
        row["2k² ln N"] = panel_bound(n, k)
        rows.append(row)
    table = pd.DataFrame(rows).set_index("N")
    ax = panel(5.0, 3.4)
    ax.plot(table.index, table["2k² ln 2N"], **look("bound"), label="2k² ln 2N")
    forced = "Balanced, adversary", "monotone, adversary"
    ax.plot(table.index, table[forced[0]], **look("worst"), label=forced[0])
    style = look("worst") | {"linestyle": ":", "fillstyle": "none"}
    ax.plot(table.index, table[forced[1]], **style, label=forced[1])
    mean = table["signed, mean"]
    ax.plot(table.index, mean, **look("measured"), label="Balanced, random")
    ax.fill_between(table.index, table["least"], table["most"], color=BLUE, alpha=0.25)
    ax.set_xscale("log", base=2)
    ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(0, None))
    ax.legend(fontsize=9)
    extra = table[forced[0]] - table[forced[1]]
    last = table.iloc[-1]
    return Figure(
        ax,
        alt=f"The adversary forces {last[forced[0]]:.0f} mistakes on Balanced Winnow "
        f"at N = {sizes[-1]}, where the bound is {last['2k² ln 2N']:.0f}; that is "
        f"{extra.iloc[-1]:.0f} more than on monotone Winnow, and at every N between "
        f"{extra.min():.0f} and {extra.max():.0f} more.",
        caption="Mistakes of Balanced Winnow on signed panels (mean and range of "
        f"{seeds} random streams) and against the adversary, with monotone Winnow for "
        "comparison.",
        table=table.round(1),
    )
