"""The figures of the chapter `winnow_r`."""

import itertools

from olc import winnow_r as theory
from olc_book.plots.kit import *

__all__ = ["moving_target", "victim", "demotion", "separation", "random_drift"]


def moving_target(stream: Stream) -> Figure:
    """Draw which variables are in a drifting target, round by round."""
    stays = _stays(stream)
    ax = panel(4.1, 2.6)
    count: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "size": 10}
    order = stays.sort_values(["from round", "variable"])
    for number, (variable, start, end) in enumerate(order.to_numpy(), start=1):
        line: dict[str, Any] = {"linewidth": 5, "solid_capstyle": "butt"}
        ax.plot([start, end], [variable] * 2, "-", color=INK, **line)
        ax.annotate(str(number), (start, variable), (-3, 0), **count, va="center")
    ax.set(xlabel="round", ylabel="variable", ylim=(0.3, stream.n + 0.7))
    ax.set(xlim=(-0.08 * len(stream), 1.02 * len(stream)))
    ax.set_yticks(range(2, stream.n + 1, 2))
    said = (
        f"A disjunction of {int(stream.need_target().sum())} among {stream.n} "
        f"variables changes {len(stream.drifts) - 1} times; {theory.additions(stream)} "
        "variables are added in all, those of the first target included."
    )
    return Figure(ax, said, stays)


def _stays(stream: Stream) -> pd.DataFrame:
    """Return from when to when each variable is in the target."""
    ends = [(len(stream), np.zeros(stream.n))]
    entered: dict[int, int] = {}
    rows = []
    for now, target in [*stream.drifts, *ends]:
        relevant = set(np.flatnonzero(target).tolist())
        for variable in sorted(entered.keys() - relevant):
            rows.append((variable + 1, entered.pop(variable), now))
        for variable in relevant:
            entered.setdefault(variable, now)
    return pd.DataFrame(rows, columns=["variable", "from round", "to round"])


def victim(trace: Trace) -> Figure:
    """Draw the weight that the flipping adversary makes a learner forget."""
    learner: Any = trace.before
    levels = [0.0, *(np.log2(step.learner.weights[2]) for step in trace.replay())]
    flips, late = len(trace.stream.drifts) - 1, theory.late_mistakes(trace)
    turn, theta = trace.mistakes - late, np.log2(learner.threshold)
    ax = panel()
    ax.axhline(theta, **look("bound"), label="threshold")
    ax.axvline(turn, color=GREY, linestyle=":", label="last drift")
    ax.plot(range(len(levels)), levels, **look(learner) | {"linestyle": "-"})
    # The same scale for both learners, so that they can be compared.
    ax.set(ylim=(-4 - 1.25 * flips, theta * 1.3 + 0.1 * flips))
    ax.set(xlabel="mistake", ylabel="log₂ weight of variable 3")
    ax.legend(loc="lower left")
    name = "Winnow-R" if isinstance(learner, theory.WinnowR) else "Winnow"
    said = (
        f"{name}: after {flips} flips the weight of variable 3 is down "
        f"at 2 to the power −{-levels[turn]:.0f}, and {late} mistakes follow until it "
        "has climbed to the threshold."
    )
    return Figure(
        ax,
        said,
        pd.Series(levels, name="log₂ weight").rename_axis("mistake").to_frame(),
    )


def demotion(cases: Mapping[str, Vector]) -> Figure:
    """Draw what one demotion takes from the weights that are active, case by case."""
    axes, rows = panels(len(cases), 3.5, 2.5), []
    most = max(len(weights) for weights in cases.values())
    for ax, (name, before) in zip(axes, cases.items(), strict=True):
        after = np.maximum(before / 2, 0.5)
        place, ink = np.arange(1, len(before) + 1), colour("Winnow-R")
        rows.append((before.sum(), (before - after).sum()))
        ax.bar(place, after, color=ink, width=0.8, label="stays")
        lost: dict[str, Any] = {"color": "none", "edgecolor": ink, "hatch": "////"}
        ax.bar(place, before - after, 0.8, after, **lost, label="is taken")
        ax.set(xlabel=f"active variable ({name})", ylabel="weight")
        ax.set(xlim=(0.3, most + 0.7))
        ax.set_xticks([1, 5, 10, 15])
        said = f"takes {rows[-1][1]:g} of {rows[-1][0]:g}"
        ax.text(most, 0.6 * before.max(), said, ha="right")
    axes[0].legend(loc="upper right")
    index = pd.Index(list(cases), name="weights")
    table = pd.DataFrame(rows, index, ["sum", "taken"])
    told = listed(
        f"{taken:g} of {total:g} from {name}"
        for name, total, taken in table.itertuples()
    )
    return Figure(axes, f"A demotion takes {told}.", table)


def separation(game: Trace, doubling: pd.DataFrame, n: int) -> Figure:
    """Draw how the doubling adversary digs for Winnow, and how its mistakes grow.

    `doubling` has the columns learner, additions and mistakes, among n variables.
    """
    learner: Any = game.before
    levels, left = np.log2(path(game)), panel(3.5, 2.8)
    rounds = [start for start, _ in game.stream.drifts] + [len(game)]
    turns = np.searchsorted(game.mistake_rounds, rounds)
    left.axhline(np.log2(learner.threshold), **look("bound"))
    for target, (start, end) in enumerate(itertools.pairwise(turns), start=1):
        line = look(learner) | {"linestyle": "-"}
        left.plot(levels[: start + 1, target], **line | {"linewidth": 0.8})
        climb = range(start, end + 1)
        left.plot(climb, levels[start : end + 1, target], **line | {"linewidth": 3})
        low: dict[str, Any] = {"textcoords": "offset points", "va": "top", "size": 10}
        at = (float(start), float(levels[start, target]))
        left.annotate(str(target), at, (4 if start else -4, -3), **low, ha="center")
    left.set(xlabel="mistake", ylabel="log₂ weight", xlim=(-5, None))
    left.set(ylim=(levels.min() - 7, None))
    growth = medians(doubling, "additions", "mistakes", "learner")
    (right,) = curves(growth, {"median": "adversary"}, "variables added",
                      "mistakes in all", by="learner", shaded="median",
                      size=(3.5, 2.8), yscale="log")  # fmt: skip
    sizes = _bound(right, doubling["additions"], n).index
    right.set(ylim=(0.8, None))
    right.legend(loc="lower right")
    table = growth["median"].unstack("learner")
    depths = [f"{0 - levels[start, 1 + j]:.0f}" for j, start in enumerate(turns[:-1])]
    plain, floor = table.loc[sizes[-1]]
    said = (
        f"When their turns come, the targets of Winnow have sunk by {listed(depths)} "
        f"powers of two; with {sizes[-1]} added variables the adversary forces "
        f"{plain:.0f} mistakes on Winnow and {floor:.0f} on Winnow-R."
    )
    return Figure([left, right], said, table)


def _bound(ax: Any, additions: pd.Series, n: int) -> pd.Series:
    """Draw the bound of Winnow-R, and return it."""
    sizes = sorted(additions.unique())
    bound = pd.Series([theory.mistake_bound(n, size) for size in sizes], sizes)
    ax.plot(bound, **look("Winnow-R", "bound"), label="bound of Winnow-R")
    return bound


def random_drift(
    table: pd.DataFrame, floors: pd.DataFrame, forced: pd.DataFrame, n: int
) -> Figure:
    """Draw mistakes under random drift: as variables are added, and floor by floor.

    `table` has the columns Winnow, Winnow-R and additions, a row for every stream,
    `floors` depth and mistakes, and `forced` depth, bound and adversary. A depth d
    stands for the floor 2 to the power -d, and an infinite one for no floor.
    """
    names, size = ["Winnow", "Winnow-R"], (3.5, 2.8)
    drawn = means(table, "additions", names, "learner", spread=(0, 1))
    looks = {"mean": "random"}
    (left,) = curves(drawn, looks, "variables added", "mistakes", by="learner",
                     size=size)  # fmt: skip
    bound = _bound(left, table["additions"], n)
    left.legend(loc="upper left")
    most = bound.index[-1]
    depths = means(floors, "depth", "mistakes", spread=(0, 1), name="random drift")
    depths = depths.join(forced.set_index("depth")[["bound", "adversary"]])
    none = int(np.isfinite(depths.index.to_numpy()).sum())  # where no floor is drawn
    depths.index = pd.Index([*range(none), none], name="depth")
    looks = {"bound": "bound", "adversary": "adversary", "random drift": "random"}
    (right,) = curves(depths, looks, f"floor ({most} variables added)", "mistakes",
                      who="Winnow-R", size=size)  # fmt: skip
    for name, where, ha, rise in (("bound", none - 1, "right", 8),
                                  ("adversary", 1, "left", -20),
                                  ("random drift", none - 1, "right", 14)):  # fmt: skip
        at = (where, float(depths[name].iloc[where]))
        place: dict[str, Any] = {"textcoords": "offset points", "size": 10}
        right.annotate(name, at, (0, rise), **place, ha=ha)
    tops = [0, 1.15 * max(bound.max(), depths["bound"].max())]
    left.set(ylim=tops)
    right.set(ylim=tops, xticks=depths.index)
    marks = ["1", "½", "¼", "⅛", *(f"2⁻{'⁴⁵⁶⁷⁸⁹'[d]}" for d in range(none - 4))]
    marks = [*marks[:none], "none"]
    right.set_xticklabels(marks)
    plain, floor = (drawn["mean"][name, most] for name in names)
    best = int(depths["bound"].argmin())
    said = (
        f"When {most} variables are added at random, Winnow makes {plain:.0f} mistakes "
        f"and Winnow-R {floor:.0f} on average; its bound is {bound[most]}. The bound "
        f"is least for the floor {marks[best]}, {depths['bound'].min():.0f}. Random "
        f"drift costs {depths['random drift'].iloc[0]:.0f} mistakes with the floor "
        f"{marks[0]} and {depths['random drift'].iloc[none - 1]:.0f} with "
        f"{marks[none - 1]}."
    )
    return Figure([left, right], said, depths.drop(columns=["low", "high"]))
