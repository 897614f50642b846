"""The figures of the chapter `spelling`."""

from olc_book.plots.kit import *

__all__ = ["LOOKS", "grown", "thresholds", "race", "leads", "noise"]

#: Whose look a learner has that the chapter calls by a shorter name. Those that are
#: no learners of the book are drawn in ink and in grey.
LOOKS = {
    "margin Winnow": "BalancedMarginWinnow",
    "margin Perceptron": "MarginPerceptron",
    "averaged": "AveragedPerceptron",
    "averaged margin": "AveragedMarginPerceptron",
    "naive Bayes": "Learner",
}
BATCH = {"color": GREY, "linestyle": ":"}


def _look(name: str) -> dict[str, Any]:
    """Return the line of a learner, or of the batch learner, which is none of them."""
    return BATCH if name == "batch" else look(LOOKS.get(name, name))


def thresholds(table: pd.DataFrame, active: float, n: int) -> Figure:
    """Draw the mistakes of learners against their threshold θ.

    `table` has the columns theta, learner and mistakes. The lines mark the mean number
    of active features, and the number n of all of them.
    """
    drawn = medians(table, "theta", "mistakes", "learner")
    (ax,) = curves(drawn, {"median": "random"}, "threshold θ", "mistakes", by="learner",
                   size=(4.1, 2.9), xticks=[1, 10, 100, 1000, 10000],
                   ylim=(0, None))  # fmt: skip
    style: Any = {"textcoords": "offset points", "color": GREY}
    style["xycoords"] = "data", "axes fraction"
    marks = (active, "active", "left", 4), (n, "all", "right", -4)
    for place, name, side, away in marks:
        ax.axvline(place, **look("bound"))
        ax.annotate(name, (place, 0.02), (away, 0), ha=side, **style)
    name_ends(ax)
    wide = drawn["median"].unstack("learner")
    found = "; ".join(
        f"{name} errs {made.min():.0f} times at θ = {made.idxmin():g} and "
        f"{made.iloc[-1]:.0f} times at θ = {wide.index[-1]:g}"
        for name, made in wide.items()
    )
    said = f"an example has about {active:.0f} active features"
    return Figure(ax, sentences([said, found]), wide)


def grown(sizes: Mapping[str, Sequence[int]], most: int = 28) -> Figure:
    """Draw how many features are known after so many sentences, pair by pair.

    The dashed line is that of sentences with so many features each, all of them new.
    """
    ax = panel(height=2.7)
    ends = pd.Series({name: known[-1] for name, known in sizes.items()}).sort_values()
    for name in ends.index[::-1]:
        rounds = np.arange(1, len(sizes[name]) + 1)
        ax.plot(rounds, sizes[name], color=BLUE, alpha=0.8, label=str(name))
    high = 1.05 * float(ends.max())
    ax.plot([0, high / most], [0, high], **look("bound"), label="_")
    ax.set(xlabel="sentences read", ylabel="features seen", xlim=(0, None))
    ax.set(ylim=(0, high))
    name_ends(ax)
    news = {name: known[-1] - known[-101] for name, known in sizes.items()}
    said = (
        f"After all sentences between {ends.iloc[0]:,} and {ends.iloc[-1]:,} features "
        f"are known. The last hundred sentences bring between {min(news.values())} "
        f"and {max(news.values())} new ones, so no curve is flat at its end."
    )
    return Figure(ax, said, pd.DataFrame({"features": ends, "new": pd.Series(news)}))


def race(wrong: pd.DataFrame) -> Figure:
    """Draw the mistakes so far of several learners on the same stream.

    `wrong` has a column for each learner, and says of each round whether it erred.
    """
    ax, so_far = panel(height=2.9), wrong.cumsum()
    for name in map(str, so_far):
        ax.plot(so_far.index + 1, so_far[name], **_look(name), label=name)
    ax.set(xlabel="round", ylabel="mistakes so far", ylim=(0, None))
    name_ends(ax)
    rounds, last = len(wrong), so_far.iloc[-1].sort_values()
    return Figure(
        ax,
        f"After {rounds} sentences {the(last.index[0])} has made {last.iloc[0]} "
        f"mistakes, the fewest, and {the(last.index[-1])} {last.iloc[-1]}, the most.",
        so_far.iloc[[rounds // 4 - 1, -1]]
        .T.set_axis([f"after {rounds // 4}", f"after {rounds}"], axis=1)
        .rename_axis("learner"),
    )


def leads(
    table: pd.DataFrame,
    shown: list[str],
    baseline: str,
    whose: Mapping[str, str] = LOOKS,
) -> Figure:
    """Draw by how much learners beat a baseline on held-out sentences, set by set.

    `table` has the columns words, seed and, in per cent, one for each learner; a bar
    is two standard errors of the paired differences long on either side.
    """
    gaps = table[shown].sub(table[baseline], axis=0).groupby(table["words"])
    middle, error = gaps.mean(), 2 * gaps.sem()
    middle = middle.sort_values(shown[0], ascending=False)
    ax = panel(height=1.3 + 0.3 * len(middle))
    places = np.arange(len(middle))
    ax.axvline(0, color=INK, linewidth=0.8)
    for at, (name, mark) in enumerate(zip(shown, "osd", strict=False)):
        shift = 0.24 * (at - (len(shown) - 1) / 2)
        style = BATCH if name == "batch" else look(whose.get(name, name))
        style = style | {"linestyle": "none", "marker": mark, "elinewidth": 1}
        bars = error.loc[middle.index, name]
        ax.errorbar(middle[name], places + shift, xerr=bars, **style, label=name)
    ax.set_yticks(places, list(middle.index))
    ax.set(xlabel="points more")
    ax.set(ylim=(len(middle) - 0.4, -0.6))
    legend_above(ax, ncols=len(shown))
    clear = (middle.abs() > error.loc[middle.index]).sum()
    found = listed(
        f"{the(name)} is clearly away from it on {plural(int(clear[name]), 'set')}"
        for name in shown
    )
    said = f"Two standard errors from {the(baseline)}: {found}, of {len(middle)}."
    return Figure(ax, said, middle.round(1))


def noise(table: pd.DataFrame, shown: list[str], baseline: str) -> Figure:
    """Draw the accuracy against the share of wrong labels in training.

    `table` has the columns chance, words, seed and, in per cent, one for each learner.
    The second panel has those `shown` less the baseline.
    """
    names = [str(name) for name in table.columns if name not in ("words", "seed")]
    names = [name for name in names if name not in ("chance", "majority")]
    wide = table.groupby("chance")[names].mean()
    gaps = table[shown].sub(table[baseline], axis=0).groupby(table["chance"])
    middle, error = gaps.mean(), 2 * gaps.sem()
    left, right = panels(2, 3.5, 3.3)
    for name in names:
        left.plot(wide.index, wide[name], **_look(name), label=name)
    name_ends(left)
    right.axhline(0, color=INK, linewidth=0.8)
    for at, name in enumerate(shown):
        shift = 0.006 * (at - (len(shown) - 1) / 2)
        style = _look(name) | {"marker": "o", "markersize": 4, "elinewidth": 1}
        right.errorbar(
            middle.index + shift, middle[name], yerr=error[name], **style, label=name
        )
    right.legend(loc="lower left")
    left.set(xlabel="share of wrong labels", ylabel="right, in %", ylim=(60, 100))
    right.set(xlabel="share of wrong labels", ylabel=f"points more than {baseline}")
    last = wide.iloc[-1].sort_values(ascending=False)
    most = readable(100 * wide.index[-1])
    found = listed(f"{share:.0f} % ({name})" for name, share in last.items())
    said = f"With {most} % wrong labels the right answers are {found}."
    return Figure([left, right], said, wide.round(1))
