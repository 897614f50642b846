"""The figures of the chapter `bandits`."""

from olc.bandits import BanditTrace
from olc_book.plots.kit import *

__all__ = ["areas", "rounds", "split", "fates", "caution", "worlds"]


def areas(losses: ArrayLike, chances: Mapping[str, ArrayLike]) -> Figure:
    """Draw the estimates of Exp3 above the line on which the coin falls.

    There is a panel for each division of the line into `chances`. A bar is as wide as
    the chance of its arm and as high as the estimate if it is drawn.
    """
    each, rows, axes = (
        np.asarray(losses, dtype=float),
        {},
        panels(len(chances), height=2.5),
    )
    highest = max(np.max(each / np.asarray(p)) for p in chances.values())
    for ax, (title, given) in zip(axes, chances.items(), strict=True):
        p = np.asarray(given, dtype=float)
        right, high = p.cumsum(), each / p
        for i, x in enumerate(right - p / 2):
            tone: dict[str, Any] = {"color": colour("Exp3"), "alpha": 0.3 + 0.2 * i}
            ax.bar(x, high[i], p[i], linewidth=0, **tone)
            words = f"arm {i + 1}\narea {each[i]:g}"
            ax.annotate(words, (x, high[i]), (0, 3), textcoords="offset points",
                        ha="center", va="bottom")  # fmt: skip
            rows[title, i + 1] = {"chance": p[i], "loss": each[i], "estimate": high[i]}
        ax.set_xticks([0, *right], [f"{end:.2g}" for end in (0, *right)])
        ax.set(xlabel=f"coin, {title}", xlim=(0, 1))
        ax.set(ylabel="estimate", ylim=(0, 1.25 * highest))
        ax.grid(visible=False, axis="x")
    table = pd.DataFrame(rows).T.rename_axis(["chances", "arm"])
    told = (
        f"{listed(map(number, part['estimate']))} with {title}"
        for title, part in groups(table, "chances")
    )
    said = (
        f"The losses {listed(map(number, each))} are estimated as "
        f"{', and as '.join(told)}; chance times estimate is the loss each time."
    )
    return Figure(axes, said, table)


def rounds(
    chances: ArrayLike, coins: ArrayLike, arms: ArrayLike, losses: ArrayLike
) -> Figure:
    """Draw rounds below each other: the line of chances, the coin on it and the loss.

    `chances` has a row for every round; `losses` are those of the `arms` drawn.
    """
    p, coin = np.asarray(chances, dtype=float), np.asarray(coins, dtype=float)
    lost, when = np.asarray(losses) > 0, np.arange(1, len(p) + 1)
    ax, right = panel(4.1, 0.85 + 0.17 * len(p)), p.cumsum(axis=1)
    for i, wide in enumerate(p.T):
        tone: dict[str, Any] = {"color": GREY, "alpha": 0.2 + 0.2 * (i % 2)}
        if i == 0:
            tone = {"color": colour("Exp3"), "alpha": 0.55}
        ax.barh(when, wide, 0.86, right[:, i] - wide, linewidth=0, **tone)
        middle = right[0, i] - wide[0] / 2  # above the first row
        ax.text(middle, -0.1, f"arm {i + 1}", ha="center", va="center")
    for chosen, filled in ((lost, "positive"), (~lost, "negative")):
        ax.plot(coin[chosen], when[chosen], **look(filled) | {"marker": "o"})
    ax.set(xlim=(-0.01, 1.01), ylim=(len(p) + 0.6, -0.7))
    ax.set(xlabel="coin", ylabel="round")
    ax.set(yticks=[1, *range(4, len(p) + 1, 4)])
    ax.grid(visible=False)
    table = pd.DataFrame(p, columns=[f"chance of arm {i + 1}" for i in range(len(p.T))])
    table = table.assign(coin=coin, drawn=np.asarray(arms) + 1, loss=lost.astype(int))
    said = (
        f"In {plural(len(p), 'round')}, {lost.sum()} with a loss, the chance of "
        f"the first arm changes from {p[0, 0]:.2f} to {p[-1, 0]:.2f}."
    )
    return Figure(ax, said, table.set_axis(pd.Index(when, name="round")))


def split(trace: BanditTrace, turn: int, bound: float) -> Figure:
    """Draw the losses of all runs beyond those of the best arm, as they grow.

    Runs that have drawn the best arm equally often before round `turn` make one line,
    their mean. `bound` is that of the expected regret.
    """
    best, T = int(trace.totals[:, 0].argmin()), len(trace)
    beyond = (trace.losses - trace.table[:, best, :].T).cumsum(axis=1)
    draws = (trace.arms[:, :turn] == best).sum(axis=1)
    when, ax = np.arange(T // 100, T + 1, T // 100), panel(height=2.6)
    found, ends = {}, []
    for count in np.unique(draws)[::-1]:
        some = beyond[draws == count]
        name, runs = f"{count} draws", plural(len(some), "run")
        found[name] = some.mean(axis=0)[when - 1]
        low, high = (
            readable(value) for value in (some[:, -1].min(), some[:, -1].max())
        )
        ends.append(
            f"{runs} with {name} end at {low} to {high}".replace(f" to {low}", "")
        )
        label = f"{name} in {runs}"
        ax.plot([0, *when], [0, *found[name]], **look("Exp3"), label=label)
    ax.plot([0, T], [bound, bound], **look("bound"), label="bound on E[R]")
    ax.axvline(turn, color=GREY, linewidth=1)
    ax.set(xlabel="round", ylabel="loss beyond that of the best arm", xlim=(0, T))
    name_ends(ax)
    said = f"By their draws of that arm in the first {turn} rounds: {listed(ends)}."
    return Figure(ax, said, pd.DataFrame(found, index=pd.Index(when, name="round")))


def fates(
    traces: Mapping[str, BanditTrace], totals: Mapping[str, pd.Series], bound: float
) -> Figure:
    """Draw how the regret of many runs is spread, and why: the chapter's figure.

    `traces` are the games by the name of their learner; `totals` what a learner holds
    against an arm that always loses, after each draw of it. `bound` is that of Exp3's
    expected regret.
    """
    axes, drawn = panels(2, height=2.7), {}
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
    axes[1].set(xlabel="draws of the second arm", ylabel="its loss, as estimated")
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


def caution(table: pd.DataFrame) -> Figure:
    """Draw what caution costs: the regret of rivals against their rates, a panel a gap.

    `table` has a row for every `gap`, `learner` and `rate` with the `mean` and the `sd`
    of the pseudo-regret.
    """
    found = table.assign(
        low=table["mean"] - table["sd"], high=table["mean"] + table["sd"]
    )
    found = found.set_index(["gap", "learner", "rate"])
    top = 1.06 * float(found["high"].max())
    axes = curves(found, {"mean": "random"}, "multiple of the theorem’s rate",
                  "pseudo-regret, gap {}", by="learner", split="gap", size=(3.5, 2.7),
                  xticks=sorted(set(table["rate"])), ylim=(0, top),
                  legend="upper left")  # fmt: skip
    least = found.groupby(level=["gap", "learner"], sort=False)["mean"].min().round()
    told = [
        f"{listed(f'{mean:.0f} for {who}' for who, mean in part.items())} at a gap of "
        f"{gap:g}"
        for gap, part in groups(least, "gap")
    ]
    return Figure(axes, f"The least mean regret is {', and '.join(told)}.", found)


def worlds(draws: Mapping[str, Vector], chances: Sequence[float], T: int) -> Figure:
    """Draw the two worlds of the lower bound: what an arm shows, and what is learnt.

    `draws` says for each world how often every run has drawn the arm, and `chances` are
    those of its losses, first in the world of fair coins; `T` is how often the arm is
    tossed in panel a.
    """
    looks = {"color": GREY, "linestyle": "-."}, look("Exp3")
    axes = tosses, learnt = panels(2, height=2.6)
    seen = np.arange(T + 1)
    numbers = np.array([math.comb(T, i) for i in seen], dtype=float)
    rows, most = {}, max(int(np.max(many)) for many in draws.values())
    edges = np.linspace(0, most + 1, 16)
    for (name, many), p, style in zip(draws.items(), chances, looks, strict=True):
        likely = numbers * p**seen * (1 - p) ** (T - seen)
        tosses.plot(seen, likely, **style, label=name)
        share = np.histogram(many, edges)[0] / len(many)
        learnt.plot(edges, [*share, share[-1]], **style, drawstyle="steps-post")
        rows[name] = {"chance of a loss": p, "draws": np.mean(many), "sd": np.std(many)}
    far = 4 * math.sqrt(T / 4)
    tosses.set(
        xlim=(T / 2 - far, T / 2 + far), xlabel=f"losses in {T} draws of the arm"
    )
    tosses.set(ylabel="probability")
    tosses.legend(loc="upper left")
    tosses.set(ylim=(0, 1.45 * float(likely.max())))
    learnt.set(xlabel="draws of the arm", ylabel="share of the runs", ylim=(0, None))
    told = (
        f"{row['draws']:.0f} ± {row['sd']:.0f} ({name})" for name, row in rows.items()
    )
    return Figure(
        axes,
        f"Mean and standard deviation of the draws of the arm are {listed(told)}.",
        pd.DataFrame(rows).T.rename_axis("world"),
    )
