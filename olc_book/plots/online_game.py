"""The figures of the chapter `online_game`."""

from numpy.typing import NDArray

from olc import halving
from olc_book.plots.kit import *

__all__ = ["Bits", "situation", "band", "struck", "measured", "regret"]

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


def band(trace: Trace) -> Figure:
    """Draw which limits are still possible, and the one that MoveOn trusts."""
    possible = _right_so_far(trace.stream)
    wrong = trace.predictions != trace.stream.y
    table = pd.DataFrame({
        "lowest": possible.argmax(axis=1),
        "highest": trace.stream.n - 1 - possible[:, ::-1].argmax(axis=1),
        "trusted": np.cumsum(wrong) % trace.stream.n,
    }, pd.RangeIndex(1, len(trace) + 1, name="round"))  # fmt: skip
    ax = panel(height=3.1)
    low, high = table["lowest"] - 0.5, table["highest"] + 0.5
    shade(ax, low, high, colour("Halving"), 0.3, step="post")
    ax.plot(table["trusted"], **look("Learner"), drawstyle="steps-post")
    log_axis(ax, [1, 10, 100, len(trace)])
    ax.set(xlabel="round", ylabel="limit", ylim=(-2, trace.stream.n))
    ax.annotate("possible", (1.15, 0.75 * trace.stream.n))
    ax.annotate("MoveOn", (70, 0.2 * trace.stream.n))
    few = table[table["highest"] - table["lowest"] < 5]
    narrow, last = few.index[0], table["trusted"].iloc[-1]
    said = (
        f"After {narrow} rounds at most 5 of {trace.stream.n} limits are possible; "
        f"MoveOn then trusts limit {few['trusted'].iloc[0]}, and reaches {last} in "
        f"round {trace.mistake_rounds[-1] + 1}."
    )
    return Figure(ax, said, table)


def struck(trace: Trace, who: str = "Halving") -> Figure:
    """Draw how many hypotheses each round strikes out, and which are mistakes."""
    left = _right_so_far(trace.stream).sum(axis=1)
    before = np.array([trace.stream.n, *left[:-1]])
    rounds, wrong = np.arange(1, len(trace) + 1), trace.predictions != trace.stream.y
    ax = panel(height=2.8)
    ax.bar(rounds, left, width=0.6, color=colour(who))
    ax.bar(rounds, before - left, width=0.6, bottom=left, color=GREY, alpha=0.35)
    ax.hlines(before / 2, rounds - 0.4, rounds + 0.4, color=INK, linestyle=":")
    ax.plot(rounds[wrong], before[wrong] + 0.9, **look("mistake"))
    signs = {1: "+", -1: "−", 0: "tie"}
    said = [signs[label] for label in trace.predictions.tolist()]
    labels = [signs[label] for label in trace.stream.y.tolist()]
    ax.set_xticks(rounds, map(" / ".join, zip(said, labels, strict=True)))
    ax.set(xlabel="what the learner says / the label")
    ax.set(ylabel="possible limits")
    ax.grid(visible=False, axis="x")
    columns = {"says": said, "label": labels, "possible": before, "left": left}
    table = pd.DataFrame(columns, pd.Index(rounds, name="round"))
    halves = int((2 * left <= before)[wrong].sum())
    alt = (
        f"In {every(halves, int(wrong.sum()), 'mistake')} at least half of the "
        f"possible limits are struck out"
    )
    if not wrong.all():
        others = listed(map(str, (before - left)[~wrong]))
        alt += f"; in the other rounds {others} are"
    alt += "."
    return Figure(ax, alt, table)


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
                  labels={"mean": "random"}, size=(3.5, 2.9), legend="ends",
                  xticks=sorted(set(random["size"])), ylim=(0, None))  # fmt: skip
    most = max(random["size"])
    found = [
        f"{name} makes {last['adversary']:g} mistakes against the adversary (bound "
        f"{last['bound']:g}) and {last['mean']:.1f} on average on random streams"
        for name, last in table.xs(most, level="size").iterrows()
    ]
    return Figure(axes, f"With {most} hypotheses " + ", and ".join(found) + ".", table)


def regret(games: pd.DataFrame) -> Figure:
    """Draw the regret so far of each column: the mean, and the range of the learners.

    `games` has the levels seed and round.
    """
    ax, by_round = panel(height=3.1), games.groupby(level="round")
    middle, low, high = by_round.mean(), by_round.min(), by_round.max()
    looks: dict[str, Any] = {
        "last adviser": {"color": GREY, "linestyle": "-."},
        "MoveOn": look("Learner"),
        "weighted majority": look("WeightedMajority"),
    }
    for name in looks:
        if name != "last adviser":
            shade(ax, low[name], high[name], looks[name]["color"], alpha=0.15)
        ax.plot(middle.index, middle[name], **looks[name], label=name)
    ax.set(xlabel="round", ylabel="regret so far", xlim=(0, None))
    name_ends(ax)
    last = games.xs(middle.index[-1], level="round")
    table = pd.DataFrame(last.agg(["mean", "sem", "min", "max"])).round(9).round(1)
    found = [f"{row['mean']:.1f} for {name}" for name, row in table.T.iterrows()]
    said = f"After {middle.index[-1]} rounds the mean regret is {listed(found)}."
    return Figure(ax, said, table)


def _right_so_far(stream: Stream) -> Bits:
    """Say for every round which hypotheses have never been wrong up to its end."""
    return np.logical_and.accumulate(stream.y[:, None] == stream.X, axis=0)
