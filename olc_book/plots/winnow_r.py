"""The figures of the chapter `winnow_r`."""

from olc import winnow_r as theory
from olc_book.plots.kit import *

__all__ = ["moving_target", "victim", "separation", "random_drift"]


def moving_target(stream: Stream) -> Figure:
    """Draw which variables are in a drifting target, round by round."""
    stays = _stays(stream)
    ax = panel(4.1, 2.6)
    for variable, start, end in stays.itertuples(index=False):
        line: dict[str, Any] = {"linewidth": 5, "solid_capstyle": "butt"}
        ax.plot([start, end], [variable] * 2, "-", color=INK, **line)
    ax.set(xlabel="round", ylabel="variable", ylim=(0.3, stream.n + 0.7))
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


def separation(flips: pd.DataFrame, doubling: pd.DataFrame, n: int) -> Figure:
    """Draw the two constructions on which Winnow fails and Winnow-R does not.

    `flips` has the columns learner, flips and value, the mistakes after the last drift;
    `doubling` the columns learner, additions and mistakes, among n variables.
    """
    first = medians(flips, "flips", "value", "learner")
    second = medians(doubling, "additions", "mistakes", "learner")
    looks = {"median": "adversary"}
    style: Any = {"by": "learner", "shaded": "median", "size": (3.5, 2.8)}
    axes = [
        *curves(first, looks, "flips before the last drift",
                "mistakes after the last drift", **style),
        *curves(second, looks, "variables added", "mistakes in all", yscale="log",
                **style),
    ]  # fmt: skip
    sizes = _bound(axes[1], doubling["additions"], n).index
    axes[1].set(ylim=(0.8, None))
    axes[0].legend()
    axes[1].legend(loc="lower right")
    games = pd.concat({"flips": first, "doubling": second}, names=["game"])
    table = games["median"].unstack("learner").rename_axis(["game", "size"])
    forgot, kept = table.loc[("flips", flips["flips"].max())]
    plain, floor = table.loc[("doubling", sizes[-1])]
    said = (
        f"After {flips['flips'].max()} flips Winnow makes {forgot:.0f} mistakes until "
        f"it has found the new target and Winnow-R {kept:.0f}; with {sizes[-1]} added "
        f"variables the doubling adversary forces {plain:.0f} and {floor:.0f}."
    )
    return Figure(axes, said, table)


def _bound(ax: Any, additions: pd.Series, n: int) -> pd.Series:
    """Draw the bound of Winnow-R, and return it."""
    sizes = sorted(additions.unique())
    bound = pd.Series([theory.mistake_bound(n, size) for size in sizes], sizes)
    ax.plot(bound, **look("Winnow-R", "bound"), label="bound of Winnow-R")
    return bound


def random_drift(table: pd.DataFrame, n: int) -> Figure:
    """Draw mistakes against the number of variables added by random drifts.

    `table` has the columns Winnow, Winnow-R and additions, a row for every stream.
    """
    names = ["Winnow", "Winnow-R"]
    drawn = means(table, "additions", names, "learner", spread=(0, 1))
    looks = {"mean": "random"}
    (ax,) = curves(drawn, looks, "variables added", "mistakes", by="learner")
    bound = _bound(ax, table["additions"], n)
    ax.legend()
    most = bound.index[-1]
    plain, floor = (drawn["mean"][name, most] for name in ("Winnow", "Winnow-R"))
    said = (
        f"When {most} variables are added at random, Winnow makes {plain:.0f} mistakes "
        f"and Winnow-R {floor:.0f} on average; its bound is {bound[most]}."
    )
    return Figure(ax, said, drawn)
