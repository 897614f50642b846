"""The figures of the chapter `online_game`."""

from numpy.typing import NDArray

from olc import halving
from olc_book.plots.kit import *

__all__ = ["Bits", "situation", "measured", "version_space"]

Bits = NDArray[np.bool_]
_BOUNDS = {"Consistent": halving.consistent_bound, "Halving": halving.mistake_bound}


def situation(stream: Stream, target: int) -> Figure:
    """Draw what every hypothesis says in every round, until it is wrong."""
    ax = panel(4.1, 3.1)
    so_far = _right_so_far(stream)
    for rows, name in ((stream.X > 0, "positive"), (stream.X < 0, "negative")):
        for shown, opacity in ((so_far, 1.0), (~so_far, 0.25)):
            t, hypothesis = np.nonzero(rows & shown)
            ax.plot(t + 1, hypothesis, **look(name), markersize=7, alpha=opacity)
    for place, label in enumerate(stream.y, start=1):
        ax.text(place, -0.9, "+" if label > 0 else "−", ha="center", va="center")
    ax.text(len(stream) + 0.45, -0.9, "label", va="center")
    ax.text(len(stream) + 0.45, target, "target", va="center")
    ax.set(xlabel="round", ylabel="hypothesis", xlim=(0.5, len(stream) + 1.4))
    ax.set(ylim=(stream.n - 0.4, -1.5))
    ax.set_xticks(range(1, len(stream) + 1))
    ax.set_yticks(range(stream.n))
    ax.grid(False)
    table = pd.DataFrame(
        {"label": stream.y, "never wrong so far": so_far.sum(axis=1)},
        index=pd.RangeIndex(1, len(stream) + 1, name="round"),
    )
    left = ", ".join(str(h) for h in np.flatnonzero(so_far[-1]))
    said = (
        f"Of {stream.n} hypotheses only number {left} agrees with all "
        f"{len(stream)} labels; each of the others fades at its first wrong answer."
    )
    return Figure(ax, said, table)


def measured(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw mistakes against the size of the class, a panel for each learner.

    Both are tables of `olc.sweep` with the columns learner, size and mistakes: one of
    games on random streams, one of duels.
    """
    table = means(random, "size", "mistakes", "learner", spread=(0, 1))
    table["adversary"] = forced.groupby(["learner", "size"])["mistakes"].median()
    table["bound"] = [_BOUNDS[name](size) for name, size in table.index]
    # the bound on top, if attained
    looks = {"mean": "random", "adversary": "adversary", "bound": look("bound")}
    axes = curves(table, looks, "hypotheses |H|", "{}: mistakes", split="learner",
                  labels={"mean": "random"}, size=(3.5, 2.9), legend="best",
                  xticks=sorted(set(random["size"])), ylim=(0, None))  # fmt: skip
    most = max(random["size"])
    found = [
        f"{name} makes {last['adversary']:g} mistakes against the adversary (bound "
        f"{last['bound']:g}) and {last['mean']:.1f} on average on random streams"
        for name, last in table.xs(most, level="size").iterrows()
    ]
    return Figure(axes, f"With {most} hypotheses " + ", and ".join(found) + ".", table)


def version_space(trace: Trace, rounds: int) -> Figure:
    """Draw what a game of Consistent or Halving has left after so many rounds."""
    stream, now = trace.stream, min(rounds, len(trace))
    after = np.vstack([np.ones(stream.n, dtype=bool), _right_so_far(stream)])
    ledger, wrong = _from_the_start(trace), int((trace.mistake_rounds < now).sum())
    left, side = panels(2, 3.4, 3.0)
    votes = stream.X[now - 1] if now else np.zeros(stream.n)
    _votes(left, votes, after[max(0, now - 1)], after[now])
    envelope(side, ledger, "|V|", who=trace.before, now=wrong + 1)
    side.set(ylim=(0, 1.05 * stream.n))
    legend_above(side, 2)
    who = type(trace.before).__name__
    said = "Before the first round" if now == 0 else f"After round {now}"
    if rounds >= len(trace):
        said = f"At the end of the game, after round {now}"
    most = ledger["upper"].iloc[wrong]
    return Figure(
        [left, side],
        f"{said}, {who} has made {plural(wrong, 'mistake')} and has "
        f"{after[now].sum()} of {stream.n} hypotheses left, where its proof allows at "
        f"most {most:g}.",
        ledger,
    )


def _right_so_far(stream: Stream) -> Bits:
    """Say for every round which hypotheses have never been wrong up to its end."""
    return np.logical_and.accumulate(stream.y[:, None] == stream.X, axis=0)


def _from_the_start(trace: Trace) -> pd.DataFrame:
    """Return the ledger with a row for the moment before the first mistake."""
    ledger = halving.proof(trace)[["lower", "potential", "upper"]]
    start = pd.DataFrame({"lower": 1, "potential": trace.stream.n}, index=[0])
    start["upper"] = float(trace.stream.n)
    return pd.concat([start, ledger]).rename_axis("mistake")


def _votes(ax: Axes, votes: Vector, before: Bits, after: Bits) -> None:
    columns = 5
    down, across = np.divmod(np.arange(len(votes)), columns)
    struck = before & ~after
    for label, style in (
        (0, {"color": GREY, "marker": "o", "linestyle": "none"}),
        (1, look("positive")),
        (-1, look("negative")),
    ):
        said = before & (votes == label)
        ax.plot(across[said], down[said], **style, markersize=14)
    ax.plot(across[~before], down[~before], ".", color=GREY, markersize=4)
    style = look("mistake") | {"markersize": 15, "markeredgewidth": 2.5}
    ax.plot(across[struck], down[struck], **style)
    for i in np.flatnonzero(before).tolist():
        ax.text(across[i], down[i] + 0.5, f"{i}", ha="center", va="center")
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(down[-1] + 0.75, -0.5))
    ax.axis("off")
