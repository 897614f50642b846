"""The figures of the chapter `spelling`."""

from olc_book import text
from olc_book.plots.kit import *

__all__ = ["LOOKS", "thresholds", "race", "accuracies", "noise", "votes"]

#: Whose look a learner has that the chapter calls by a shorter name. Those that are
#: no learners of the book are drawn in ink and in grey.
LOOKS = {
    "margin Winnow": "BalancedMarginWinnow",
    "margin Perceptron": "MarginPerceptron",
    "averaged": "AveragedPerceptron",
    "naive Bayes": "Learner",
}


def thresholds(table: pd.DataFrame, active: float, n: int) -> Figure:
    """Draw the mistakes of learners against their threshold θ.

    `table` has the columns theta, learner and mistakes. The lines mark the mean number
    of active features, and the number n of all of them.
    """
    drawn = medians(table, "theta", "mistakes", "learner")
    (ax,) = curves(drawn, {"median": "random"}, "threshold θ", "mistakes", by="learner",
                   size=(4.1, 3.2), xticks=[1, 10, 100, 1000, 10000],
                   ylim=(0, None))  # fmt: skip
    style: Any = {"textcoords": "offset points", "color": GREY}
    style["xycoords"] = "data", "axes fraction"
    marks = (active, "active", "left", 4), (n, "all", "right", -4)
    for place, name, side, away in marks:
        ax.axvline(place, **look("bound"))
        ax.annotate(name, (place, 0.02), (away, 0), ha=side, **style)
    ax.legend(loc="upper right", bbox_to_anchor=(0.94, 1))  # between the two lines
    wide = drawn["median"].unstack("learner")
    found = "; ".join(
        f"{name} errs {made.min():.0f} times at θ = {made.idxmin():g} and "
        f"{made.iloc[-1]:.0f} times at θ = {wide.index[-1]:g}"
        for name, made in wide.items()
    )
    said = f"an example has about {active:.0f} active features"
    return Figure(ax, sentences([said, found]), wide)


def race(wrong: pd.DataFrame) -> Figure:
    """Draw the mistakes so far of several learners on the same stream.

    `wrong` has a column for each learner, and says of each round whether it erred.
    """
    ax, so_far = panel(height=4.0), wrong.cumsum()
    for name in so_far:
        style = look(LOOKS.get(str(name), name))
        ax.plot(so_far.index + 1, so_far[name], **style, label=str(name))
    ax.set(xlabel="round", ylabel="mistakes so far")
    ax.set(ylim=(0, 1.75 * so_far.iloc[-1].max()))  # room for the legend
    ax.legend(loc="upper left")
    rounds, last = len(wrong), so_far.iloc[-1].sort_values()
    return Figure(
        ax,
        f"After {rounds} sentences {the(last.index[0])} has made {last.iloc[0]} "
        f"mistakes, the fewest, and {the(last.index[-1])} {last.iloc[-1]}, the most.",
        so_far.iloc[[rounds // 4 - 1, -1]]
        .T.set_axis([f"after {rounds // 4}", f"after {rounds}"], axis=1)
        .rename_axis("learner"),
    )


def accuracies(table: pd.DataFrame, shown: list[str]) -> Figure:
    """Draw how often learners are right on held-out sentences, set by set.

    `table` has the columns words, seed and, in per cent, one for each learner; those
    `shown` are drawn, from the easiest set of words for the first of them on.
    """
    means = table.groupby("words")[shown].mean()
    means = means.sort_values(shown[0], ascending=False)
    ax = panel(height=5.8)
    places = np.arange(len(means))
    marks = ["o", "s", "^", "x", "d"]
    for name, mark in zip(shown, marks, strict=False):
        style = look(LOOKS.get(name, name)) | {"linestyle": "none", "marker": mark}
        if mark in "s^d":
            style |= {"markerfacecolor": "none"}
        ax.plot(means[name], places, **style, label=name)
    ax.set_yticks(places, list(means.index))
    ax.set(xlabel="right on held-out sentences, in %", ylabel="words")
    ax.set(ylim=(len(means) + 3.5, -0.5))  # room for the legend
    ax.legend(loc="lower left")
    overall = means.mean()
    found = listed(f"{overall[name]:.1f} % ({name})" for name in shown)
    first, second = shown[:2]
    lead = (means[first] - means[second]).round(9)  # a tie is one on every processor
    better, worse = int((lead > 0).sum()), int((lead < 0).sum())
    said = (
        f"On average over {plural(len(means), 'set')} of words {found} of the "
        f"sentences are right. Against {the(second)}, {the(first)} "
        f"is ahead on {plural(better, 'set')} and behind on {worse}."
    )
    return Figure(ax, said, means.round(1))


def noise(table: pd.DataFrame) -> Figure:
    """Draw the accuracy against the noise in training, one panel for each kind of it.

    `table` has the columns kind, chance, words, seed and, in per cent, one for each
    learner.
    """
    settings = ["kind", "chance", "words", "seed"]
    percent = table.melt(settings, var_name="learner", value_name="accuracy")
    drawn = means(percent, "chance", "accuracy", "kind", "learner", spread=(0.5, 0.5))
    axes = curves(drawn, {"mean": "random"}, "share of wrong {}", "right, in %",
                  by="learner", split="kind", whose=LOOKS, size=(3.5, 3.2),
                  ylim=(45, 100), legend="lower left")  # fmt: skip
    learners, kinds = (drawn.index.unique(name) for name in ("learner", "kind"))
    wide = drawn["mean"].unstack("learner")[learners].loc[kinds]
    most = wide.xs(wide.index.get_level_values("chance").max(), level="chance")
    found = "; ".join(
        f"{listed(f'{share:.0f} % ({name})' for name, share in row.items())} with "
        f"wrong {kind}"
        for kind, row in most.iterrows()
    )
    said = f"Where the noise is strongest, the right answers are {found}."
    return Figure(axes, said, wide.round(1))


def votes(
    gap: text.Gap, words: tuple[str, str], learner: Any, dictionary: text.Dictionary
) -> Figure:
    """Draw which features of a gap speak for which of two words, and how loudly.

    `learner` has played on rows of the dictionary, with +1 for the first word.
    """
    places = {name: place for place, name in enumerate(dictionary.names)}
    seen = [name for name in text.features(gap) if name in places]
    weights = pd.Series({name: float(learner.weights[places[name]]) for name in seen})
    loud = weights[weights.abs().sort_values(ascending=False).index][:12]
    score = float(weights.sum()) - learner.threshold
    guess = words[0] if learner.decide(weights.sum()) > 0 else words[1]
    ax = panel(height=4.0)
    for place, value in enumerate(loud):
        ax.barh(place, value, color=look(learner)["color"], height=0.6)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set_yticks(range(len(loud)), list(loud.index))
    ax.set(ylim=(len(loud) - 0.5, -0.5), ylabel="feature")
    ax.set(xlabel=f"← {words[1]} · weight · {words[0]} →")
    reach = 1.1 * max(1.0, float(loud.abs().max()))
    ax.set(xlim=(-reach, reach))
    ax.grid(False, axis="y")
    side = "above" if score >= 0 else "below"
    outcome = "which is right" if guess == gap.word else f"but it was “{gap.word}”"
    said = (
        f"“{gap.blank}”: the score is {abs(score):.1f} {side} the threshold, so "
        f"the guess is “{guess}”, {outcome}."
    )
    return Figure(ax, said, loud.round(2).rename_axis("feature").to_frame("weight"))
