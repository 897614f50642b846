"""The figures of the chapter `multiclass`."""

from olc_book.plots.kit import *
from olc_book.plots.spelling import leads

__all__ = ["many", "forms", "reliability", "scores"]


def many(table: pd.DataFrame) -> Figure:
    """Draw the mistakes against the number of classes, for two ranges of margins.

    `table` has the columns most, the largest margin, classes, seed and value.
    """
    ax = panel(height=3.0)
    styles = {False: look("measured"), True: look("worst")}
    runs = table.groupby(["most", "classes"])["value"]
    middle: Any = runs.mean().unstack("most")
    error: Any = 2 * runs.sem().unstack("most")
    least = min(middle)
    for most in middle:
        name = "all margins near the least" if most == least else "margins at random"
        style = styles[most == least] | {"elinewidth": 1, "markersize": 5}
        ax.errorbar(middle.index, middle[most], yerr=error[most], **style, label=name)
        place: dict[str, Any] = {"textcoords": "offset points", "size": 10}
        start = (middle.index[0], float(middle[most].iloc[0]))
        ax.annotate(name, start, (10, -20), **place, color=style["color"])
    log_axis(ax, [float(at) for at in middle.index])
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.set(xlabel="classes", ylabel="mistakes", ylim=(0, None))
    first, last = middle.iloc[0], middle.iloc[-1]
    found = listed(
        f"from {first[most]:.0f} to {last[most]:.0f} if the margins are "
        f"{'all near the least' if most == least else 'random'}"
        for most in middle
    )
    low, high = middle.index[0], middle.index[-1]
    return Figure(ax, f"From {low} to {high} classes the mistakes rise {found}.",
                  middle.round(1))  # fmt: skip


def forms(table: pd.DataFrame, shown: list[str], against: str) -> Figure:
    """Draw by how much forms beat another one on held-out examples, set by set.

    `table` has the columns data, seed and, in per cent, one for each form.
    """
    looks = {
        "constraint": "AveragedMarginPerceptron",
        "all pairs": "Winnow",
        "code": "Halving",
    }
    return leads(table.rename(columns={"data": "words"}), shown, against, looks)


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
    style = look("BalancedMarginWinnow") | {"linestyle": "none", "marker": "o"}
    style |= {"ecolor": GREY, "elinewidth": 1}
    ax.errorbar(table["predicted"], share, yerr=error, **style)
    ax.set(xlabel="predicted probability", ylabel="share that came true")
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
    off = (share - table["predicted"]).abs()
    within = int((off <= error).sum())
    said = (
        f"The predicted probabilities and the shares that came true differ by at "
        f"most {off.max():.2f}, on average over {len(predicted)} sentences by "
        f"{(off * count).sum() / count.sum():.3f}; {within} of {len(table)} bins are "
        "within two standard errors."
    )
    return Figure(ax, said, table.round(3))


def scores(weights: ArrayLike, at: ArrayLike, y: ArrayLike) -> Figure:
    """Draw the scores of the classes along a line, and the examples with their class.

    `weights` has a row for each class: a constant and a slope. An example sits on the
    line of its class.
    """
    rows, places = np.asarray(weights, float), np.asarray(at, float)
    labels, reach = np.asarray(y), 1.5 * float(np.abs(at).max())
    line = np.array([-reach, reach])
    styles = [look(name) for name in ("Perceptron", "Winnow", "BalancedWinnow")]
    ax = panel(height=3.0)
    for label, (constant, slope) in enumerate(rows):
        style = styles[label % 3] | {"linestyle": ("-", "--", "-.")[label % 3]}
        ax.plot(line, constant + slope * line, **style, label=f"class {label}")
    height = rows[labels, 0] + rows[labels, 1] * places
    ax.plot(places, height, **look("positive"))
    for x, up, label in zip(places, height, labels, strict=True):
        place: dict[str, Any] = {"ha": "center", "textcoords": "offset points"}
        ax.annotate(str(label), (x, up), (0, 7), **place)
    ax.set(xlabel="x", ylabel="score")
    ax.legend(loc="lower center")
    every_score = rows[:, :1] + rows[:, 1:] * places
    right = int((every_score.argmax(axis=0) == labels).sum())
    return Figure(
        ax,
        f"At x = {listed(map(readable, places))} the right class scores "
        f"{listed(map(readable, height))}; it has the highest score at "
        f"{every(right, len(labels), 'example')}.",
        pd.DataFrame({"x": places, "class": labels, "score": height}),
    )
