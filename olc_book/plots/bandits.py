"""The figures of the chapter `bandits`."""

from olc.bandits import BanditTrace
from olc_book.plots.kit import *

__all__ = ["estimates", "fates", "over_time"]


def estimates(table: pd.DataFrame) -> Figure:
    """Draw mean and spread of an estimate against the chance of the arm.

    `table` has a row for every `learner` and `chance`, with the `mean` and the
    `deviation` of the estimate of a loss of 1.
    """
    least, long = table["chance"].min(), table.set_index(["learner", "chance"])
    axes = [
        curves(long, {what: None}, "chance of the arm", title, by="learner",
               size=(3.4, 3.0), xticks=[0.001, 0.01, 0.1, 1], xlim=(least, 1),
               ylim=(0, top))[0]
        for what, title, top in (
            ("mean", "mean of the estimate", 1.15),
            ("deviation", "its standard deviation", None),
        )
    ]  # fmt: skip
    axes[0].axhline(1, **look("bound"), label="the loss itself")
    axes[0].legend(loc="lower right")
    found = ", and ".join(
        f"mean {number(rows['mean'][least])} and standard deviation "
        f"{number(rows['deviation'][least])} ({name})"
        for name, rows in groups(long, "learner")
    )
    return Figure(
        axes,
        f"The estimate of an arm of chance {least:g} has {found}.",
        table.pivot(index="chance", columns="learner", values=["mean", "deviation"]),
    )


def fates(
    traces: Mapping[str, BanditTrace], totals: Mapping[str, pd.Series], bound: float
) -> Figure:
    """Draw how the regret of many runs is spread, and why: the chapter's figure.

    `traces` are the games by the name of their learner; `totals` what a learner holds
    against an arm that always loses, after each draw of it. `bound` is that of Exp3's
    expected regret.
    """
    axes, drawn = panels(2, 3.5, 3.2), {}
    for name, trace in traces.items():
        regret = np.sort(trace.regret)
        share = np.arange(1, len(regret) + 1) / len(regret)
        style = look(name) | {"drawstyle": "steps-post"}
        axes[0].plot([regret[0], *regret], [0, *share], **style, label=name)
        drawn[name] = {
            "mean": regret.mean(),
            "standard deviation": regret.std(ddof=1),
            "least": regret[0],
            "largest": regret[-1],
            "above the bound": (regret > bound).mean(),
        }
    axes[0].axvline(bound, **look("bound"), label="bound on E[R]")
    axes[0].set(xlabel="regret", ylabel="share of the runs below", ylim=(0, 1.02))
    for name, total in totals.items():
        axes[1].plot(total, **look(name) | {"marker": "o", "markersize": 3})
    axes[1].set(xlabel="draws of the second arm", ylabel="its estimated total loss")
    axes[1].legend(*axes[0].get_legend_handles_labels(), loc="upper left")
    table = pd.DataFrame(drawn).T.rename_axis("learner")
    spread = [f"{row['standard deviation']:.0f} for {n}" for n, row in table.iterrows()]
    above = [f"{row['above the bound']:.0%} of {n}" for n, row in table.iterrows()]
    said = (
        f"The standard deviation of the regret is {listed(spread)}. Of the runs, "
        f"{listed(above)} end above {bound:.0f}, the bound on the expected regret "
        "of Exp3."
    )
    return Figure(axes, said, table)


def over_time(table: pd.DataFrame, bound: float) -> Figure:
    """Draw the pseudo-regret round by round: a frame of the explorer.

    `table` has a row for every `learner`, `run` and `round` with the `regret` so far;
    `bound` is that of Exp3 at the end.
    """
    drawn = means(table, "round", "regret", "learner", spread=(0.05, 0.95))
    (ax,) = curves(drawn, {"mean": None}, "round", "pseudo-regret so far", by="learner",
                   shaded="mean", ylim=(0, 1.7 * bound))  # fmt: skip
    ax.axhline(bound, **look("bound"), label="bound of Exp3")
    ax.legend(loc="upper left")  # above the bound, where nothing is drawn
    last = table["round"].max()
    ends = drawn["mean"].xs(last, level="round").items()
    final = [f"{number(mean)} for {name}" for name, mean in ends]
    said = (
        f"After {last} rounds the mean pseudo-regret is {listed(final)}; the bound "
        f"of Exp3 is {number(bound)}."
    )
    return Figure(ax, said, drawn)
