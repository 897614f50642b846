"""The figures of the chapter `spelling`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from olc.show.plots._figure import GREY, INK, Figure, look, panel, panels
from olc.show.plots._vocabulary import bands, log_axis, running
from olc.world import text

if TYPE_CHECKING:
    from olc.core.game import Trace

#: Whose look a learner has that the chapter calls by a shorter name. Those that are
#: no learners of the book are drawn in ink and in grey.
LOOKS = {
    "margin Winnow": "BalancedMarginWinnow",
    "p-norm": "PNormPerceptron",
    "averaged": "AveragedPerceptron",
    "naive Bayes": "Learner",
    "linear SVM": "bound",
}


def thresholds(table: pd.DataFrame, active: float, n: int) -> Figure:
    """Draw the mistakes of learners against their threshold θ.

    `table` has the columns theta, learner and mistakes. The lines mark the mean number
    of active features, and the number n of all of them.
    """
    ax = panel(height=3.2)
    drawn = bands(ax, table, "theta", "mistakes")
    for place, name, side in ((active, "active", "left"), (n, "all", "right")):
        ax.axvline(place, **look("bound"))
        ax.annotate(
            name,
            (place, 0.02),
            (4 if side == "left" else -4, 0),
            textcoords="offset points",
            xycoords=("data", "axes fraction"),
            ha=side,
            color=GREY,
        )
    log_axis(ax, [1, 10, 100, 1000, 10000])
    ax.set(xlabel="threshold θ", ylabel="mistakes", ylim=(0, None))
    ax.legend(loc="upper center")
    means = drawn["median"].unstack("learner")
    best = means.idxmin()
    found = "; ".join(
        f"{name} errs {means[name].min():.0f} times at θ = {best[name]:g} and "
        f"{means[name].iloc[-1]:.0f} times at θ = {means.index[-1]:g}"
        for name in map(str, means.columns)
    )
    return Figure(
        ax,
        alt=f"An example has about {active:.0f} active features. {found}.",
        caption="Mistakes in one pass against the threshold, which is the same from "
        "the first round to the last. Dashed: the mean number of active features in an "
        "example, and the number of all features.",
        table=means,
    )


def race(traces: Mapping[str, Trace]) -> Figure:
    """Draw the mistakes so far of several learners on the same stream."""
    ax = panel(height=3.3)
    for name, trace in traces.items():
        running(ax, trace, name, who=LOOKS.get(name))
    ax.legend(loc="lower right")
    marks = [len(trace) // 4 for trace in traces.values()][:1]
    rounds = [*marks, len(next(iter(traces.values())))]
    table = pd.DataFrame(
        {
            name: [int((trace.rounds < stop).sum()) for stop in rounds]
            for name, trace in traces.items()
        },
        pd.Index(rounds, name="rounds"),
    ).T.rename_axis("learner")
    last = table[rounds[-1]].sort_values()
    return Figure(
        ax,
        alt=f"After {rounds[-1]} sentences {last.index[0]} has made {last.iloc[0]} "
        f"mistakes, the fewest, and {last.index[-1]} {last.iloc[-1]}, the most.",
        caption="Mistakes so far, sentence by sentence, of learners that see the same "
        "sentences in the same order.",
        table=table,
    )


def accuracies(table: pd.DataFrame, shown: list[str]) -> Figure:
    """Draw how often learners are right on held-out sentences, set by set.

    `table` has the columns words, seed, learner and accuracy; the learners `shown` are
    drawn, from the hardest set of words for the first of them to the easiest.
    """
    means = table.groupby(["words", "learner"])["accuracy"].mean().unstack()
    means = means.sort_values(shown[0], ascending=False)
    ax = panel(height=5.8)
    places = np.arange(len(means))
    marks = ["o", "s", "^", "x", "d"]
    for name, mark in zip(shown, marks, strict=False):
        style = look(LOOKS.get(name, name)) | {"linestyle": "none", "marker": mark}
        if mark in "s^d":
            style |= {"markerfacecolor": "none"}
        ax.plot(100 * means[name], places, **style, label=name)
    ax.set_yticks(places, list(means.index))
    ax.set(xlabel="right on held-out sentences, in %", ylabel="words")
    ax.set(ylim=(len(means) + 3.5, -0.5))  # room for the legend
    ax.legend(loc="lower left")
    overall = means.mean()
    found = ", ".join(f"{name} {overall[name]:.1%}" for name in shown)
    first, second = shown[:2]
    better = int((means[first] > means[second]).sum())
    worse = int((means[first] < means[second]).sum())
    return Figure(
        ax,
        alt=f"Mean over {len(means)} sets of words: {found}. Against {second}, {first} "
        f"is ahead on {better} sets and behind on {worse}.",
        caption="Share of held-out sentences in which the missing word is found, for "
        "every set of words: mean over the splits.",
        table=(100 * means[shown]).round(1),
    )


def noise(table: pd.DataFrame) -> Figure:
    """Draw the accuracy against the noise in training, one panel for each kind of it.

    `table` has the columns kind, chance, learner and accuracy.
    """
    axes, parts = panels(2, height=3.2), {}
    for ax, (kind, rows) in zip(axes, table.groupby("kind", sort=False), strict=True):
        percent = rows.assign(accuracy=100 * rows["accuracy"], chance=rows["chance"])
        drawn = bands(ax, percent, "chance", "accuracy", looks=LOOKS, middle="mean",
                      spread=(0.5, 0.5))  # fmt: skip
        parts[str(kind)] = drawn["mean"].unstack("learner")
        ax.set(xlabel=f"share of wrong {kind}", ylabel="right, in %")
        ax.set(ylim=(55, 100))
    axes[0].legend(loc="lower left")
    means = pd.concat(parts, names=["kind"])[list(dict.fromkeys(table["learner"]))]
    most = means.xs(means.index.get_level_values("chance").max(), level="chance")
    found = "; ".join(
        f"wrong {kind}: "
        + ", ".join(f"{name} {row[name]:.0f} %" for name in means.columns)
        for kind, row in most.iterrows()
    )
    return Figure(
        axes,
        alt=f"Right on held-out sentences where the noise is strongest, {found}.",
        caption="Accuracy on clean held-out sentences against the noise in the "
        "training sentences: labels that are flipped, and active features that are "
        "exchanged with those of other sentences.",
        table=means.round(1),
    )


def reliability(chances: ArrayLike, happened: ArrayLike, bins: int = 10) -> Figure:
    """Draw how often something happened that was given a probability.

    The predictions are put into bins of equal width; a point is the mean prediction of
    a bin and the share of it that came true.
    """
    predicted, true = np.asarray(chances, float), np.asarray(happened, bool)
    which = np.minimum((predicted * bins).astype(int), bins - 1)
    table = (
        pd.DataFrame({"predicted": predicted, "came true": true, "sentences": 1})
        .groupby(which)
        .agg({"predicted": "mean", "came true": "mean", "sentences": "sum"})
        .reset_index(drop=True)
    )
    share, count = table["came true"], table["sentences"]
    error = 2 * np.sqrt(table["predicted"] * (1 - table["predicted"]) / count)
    ax = panel(4.1, 3.9)
    ax.plot([0, 1], [0, 1], **look("bound"))
    ax.errorbar(table["predicted"], share, yerr=error, ecolor=GREY, elinewidth=1,
                **look("BalancedMarginWinnow") | {"linestyle": "none", "marker": "o"},
                )  # fmt: skip
    ax.set(
        xlabel="predicted probability", ylabel="share that came true", aspect="equal"
    )
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    off = (share - table["predicted"]).abs()
    within = int((off <= error).sum())
    return Figure(
        ax,
        alt=f"The predicted probabilities and the shares that came true differ by at "
        f"most {off.max():.2f}, on average over {len(predicted)} sentences by "
        f"{(off * count).sum() / count.sum():.3f}; {within} of {len(table)} bins are "
        "within two standard errors.",
        caption="Probabilities that were predicted for held-out sentences, in bins, "
        "against the share of each bin that came true. The bars are two standard "
        "errors long on either side; dashed: perfect calibration.",
        table=table.round(3),
    )


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
    return Figure(
        ax,
        alt=f"“{gap.blank}”: the score is {abs(score):.1f} {side} the threshold, so "
        f"the guess is “{guess}”, {outcome}.",
        caption="The loudest features around a gap, and how they vote.",
        table=loud.round(2).rename_axis("feature").to_frame("weight"),
    )
