"""The figures of the chapter `multiclass`."""

from olc_book.plots.kit import *

__all__ = ["reliability", "scores"]


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
