"""The figures of the chapter `online_game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from olc import halving
from olc.plots._figure import GREY, VERMILION, Figure, look, panel, panels
from olc.standard_optimal import littlestone_dimension

if TYPE_CHECKING:
    import pandas as pd

    from olc.game import Stream, Trace
    from olc.learner import Vector

Bits = NDArray[np.bool_]
_MINUS = "−"


def situation(stream: Stream, target: int) -> Figure:
    """Draw what every hypothesis says in every round, until it is wrong."""
    ax = panel(5.0, 3.6)
    right = stream.y[:, None] == stream.X
    so_far = np.cumprod(right, axis=0).astype(bool)
    for rows, name in ((stream.X > 0, "positive"), (stream.X < 0, "negative")):
        for shown, opacity in ((so_far, 1.0), (~so_far, 0.3)):
            t, hypothesis = np.nonzero(rows & shown)
            ax.plot(t + 1, hypothesis, **look(name), markersize=7, alpha=opacity)
    for place, label in enumerate(stream.y, start=1):
        ax.text(place, -0.9, "+" if label > 0 else _MINUS, ha="center", va="center")
    ax.text(len(stream) + 0.45, -0.9, "label", va="center")
    ax.text(len(stream) + 0.45, target, "target", va="center")
    ax.set(xlabel="round", ylabel="hypothesis", xlim=(0.5, len(stream) + 1.3))
    ax.set(ylim=(stream.n - 0.4, -1.5))
    ax.set_xticks(range(1, len(stream) + 1))
    ax.set_yticks(range(stream.n))
    ax.grid(False)
    left = int(so_far[-1].sum())
    return Figure(
        ax,
        alt=f"Of {stream.n} hypotheses {left} agrees with all {len(stream)} labels; "
        "the others fade at their first wrong answer.",
        caption="What each hypothesis says in each round (circle: +1, square: −1), "
        "with the label above. A hypothesis fades once it has been wrong.",
    )


def mistake_tree(table: halving.Table) -> Figure:
    """Draw the deepest mistake tree that a small class shatters."""
    depth = littlestone_dimension(table)
    ax = panel(5.4, 1.0 + 0.75 * depth)
    leaves: list[int] = []

    def grow(alive: NDArray[np.int64], level: int, center: float) -> None:
        if level == depth:
            leaves.append(int(alive[0]))
            ax.text(center, -level - 0.12, f"h{alive[0]}", ha="center", va="top")
            return
        worth = [_least_side(table[alive], i) for i in range(table.shape[1])]
        point = int(np.argmax(worth))
        for label, side in ((-1, -1), (1, 1)):
            below = center + side * 2.0 ** (depth - level - 2)
            ax.plot([center, below], [-level, -level - 1], color=GREY, linestyle="-")
            ax.text(
                center + 0.62 * (below - center) + side * 0.18,
                -level - 0.5,
                "+" if label > 0 else _MINUS,
                ha="center",
                va="center",
            )
            grow(alive[table[alive, point] == label], level + 1, below)
        ax.plot(center, -level, "o", color=look("measured")["color"], markersize=19)
        ax.text(center, -level, f"{point}", ha="center", va="center", color="white")

    grow(np.arange(len(table)), 0, 0.0)
    ax.set(xlim=(-(2.0 ** (depth - 1)), 2.0 ** (depth - 1)))
    ax.set(ylim=(-depth - 0.5, 0.35))
    ax.axis("off")
    return Figure(
        ax,
        alt=f"A complete tree of depth {depth}: its {2**depth} paths end at "
        f"{len(set(leaves))} different hypotheses of a class of {len(table)}.",
        caption="A mistake tree. A circle names the point that the opponent asks "
        "about, an edge the label it gives, a leaf a hypothesis that agrees with all "
        "labels on the way to it.",
    )


def _least_side(table: halving.Table, point: int) -> int:
    """Return the smaller Littlestone dimension of the two halves at a point."""
    column = table[:, point]
    return min(littlestone_dimension(table[column == s]) for s in (-1, 1))


def envelopes(ledgers: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw |V| between its envelopes, one panel for each learner."""
    axes, found = panels(len(ledgers), 3.4, 2.8), []
    for ax, (name, ledger) in zip(axes, ledgers.items(), strict=True):
        for column in ("upper", "potential", "lower"):
            style = look(column) | ({"markersize": 4} if column == "potential" else {})
            ax.plot(ledger.index, ledger[column], **style, label=column)
        ax.set(xlabel="mistake", ylabel=f"{name}: |V|", ylim=(0, None))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        last = ledger.iloc[-1]
        found.append(
            f"{name}: |V| is {last['potential']:g} after {len(ledger)} mistakes, at "
            f"most {last['upper']:.3g} and at least {last['lower']:g}"
        )
    axes[0].legend()
    return Figure(
        axes,
        alt="; ".join(found) + ".",
        caption="The number of possible hypotheses after each mistake, between what "
        "the mistakes leave (upper) and what the target guarantees (lower).",
    )


def measured(results: pd.DataFrame) -> Figure:
    """Draw mistakes against the size of the class, one panel per learner."""
    learners = list(dict.fromkeys(results["learner"]))
    axes, found = panels(len(learners), 3.5, 3.0), []
    for ax, name in zip(axes, learners, strict=True):
        part = results[results["learner"] == name]
        wide = look("bound") | {"linewidth": 5, "linestyle": "-", "alpha": 0.45}
        ax.plot(part["size"], part["bound"], **wide, label="bound")
        ax.plot(part["size"], part["worst"], **look("worst"), label="opponent")
        ax.plot(part["size"], part["mean"], **look("measured"), label="random")
        color = look("measured")["color"]
        ax.fill_between(
            part["size"], part["least"], part["most"], color=color, alpha=0.2
        )
        ax.set_xscale("log", base=2)
        ax.set(xlabel="hypotheses |H|", ylabel=f"{name}: mistakes", ylim=(0, None))
        last = part.iloc[-1]
        found.append(
            f"{name} makes {last['worst']} mistakes against the opponent (bound "
            f"{last['bound']}) and {last['mean']:.1f} on random streams"
        )
    axes[0].legend()
    return Figure(
        axes,
        alt=f"With {results['size'].max()} thresholds " + "; ".join(found) + ".",
        caption="Mistakes on a class of thresholds against its size: the bound, the "
        "opponent, and the mean and range of random streams.",
        table=results.set_index(["learner", "size"]),
    )


def version_space(trace: Trace, names: Sequence[str], rounds: int) -> Figure:
    """Draw the hypotheses that are left after so many rounds of a game."""
    stream, now = trace.stream, min(rounds, len(trace))
    right = stream.y[:, None] == stream.X
    before = right[: max(0, now - 1)].all(axis=0)
    after = right[:now].all(axis=0)
    left, side = panels(2, 3.4, 3.1)
    votes = stream.X[now - 1] if now else np.zeros(stream.n)
    _votes(left, names, votes, before, after)
    _countdown(side, right, trace, now)
    learner = type(trace.before).__name__
    side.set(ylabel=f"left to {learner}")
    wrong = int((trace.rounds < now).sum())
    said = "Before the first round" if now == 0 else f"After round {now}"
    if rounds >= len(trace):
        said = f"The game ended after round {now}"
    return Figure(
        [left, side],
        alt=f"{said}: {after.sum()} of {stream.n} hypotheses left, {wrong} mistakes "
        f"made by {learner}.",
        caption="First: the hypotheses that were possible before the round, with what "
        "they say (circle: +1, square: −1); a cross strikes out those that were wrong. "
        "Second: how many are left, against the mistakes so far. The dashed line is "
        "halved at each mistake; it bounds halving.",
    )


def _votes(
    ax: Axes, names: Sequence[str], votes: Vector, before: Bits, after: Bits
) -> None:
    columns = 5
    across, down = np.divmod(np.arange(len(names)), columns)[::-1]
    struck = before & ~after
    for label, style in (
        (0, {"color": GREY, "marker": "o", "linestyle": "none"}),
        (1, look("positive")),
        (-1, look("negative")),
    ):
        for said, fill in ((after, "full"), (struck, "none")):
            said = said & (votes == label)
            ax.plot(across[said], down[said], **style, markersize=14, fillstyle=fill)
    ax.plot(across[~before], down[~before], ".", color=GREY, markersize=4)
    style = look("mistake") | {"markersize": 15, "markeredgewidth": 2.5}
    ax.plot(across[struck], down[struck], **style)
    for i in np.flatnonzero(before).tolist():
        ax.text(across[i], down[i] + 0.5, names[i], ha="center", va="center")
    rows = -(-len(names) // columns)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.25, -0.5))
    ax.axis("off")


def _countdown(ax: Axes, right: Bits, trace: Trace, now: int) -> None:
    alive = [trace.stream.n, *np.cumprod(right, axis=0).sum(axis=1)]
    wrong = [0, *np.cumsum(trace.predictions != trace.stream.y)]
    most = np.arange(0, np.log2(trace.stream.n) + 0.5, 0.5)
    ax.plot(most, trace.stream.n * 0.5**most, **look("bound"))
    ax.plot(wrong[: now + 1], alive[: now + 1], **look("potential"))
    ax.plot(wrong[now], alive[now], "o", color=VERMILION, markersize=8)
    ax.set_yscale("log", base=2)
    ax.set(xlabel="mistakes", ylabel="hypotheses left", ylim=(0.8, 1.3 * alive[0]))
    ax.set(xlim=(-0.5, trace.stream.n))
