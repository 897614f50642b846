"""The figures of the chapter `multiclass`."""

from olc_book.plots.kit import *

__all__ = ["codes", "forms", "honest", "many", "reliability", "scores", "tagged"]


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


def codes(
    tables: Mapping[str, ArrayLike], answers: Sequence[int], true: int = 0
) -> Figure:
    """Draw codes as tables of signs, and how the last of them reads some answers.

    A row is a class and a column a question: full squares are +1, open ones -1, dots
    classes that are left out. Below the last stand the answers to an example of the
    class `true`, with a ring around those that are wrong; beside it, in how many places
    a row differs from them.
    """
    ax, start, given = panel(height=2.3), 0.0, np.asarray(answers)
    square: dict[str, Any] = {"linestyle": "none", "marker": "s", "markersize": 8}
    looks = {1: square | {"color": INK}, -1: square | {"color": INK}, 0: square}
    looks[-1] |= {"markerfacecolor": "none"}
    looks[0] |= {"color": GREY, "marker": ".", "markersize": 5}
    text: dict[str, Any] = {"ha": "center", "va": "center", "size": 10}
    for name, table in tables.items():
        signs = np.asarray(table)
        for sign, style in looks.items():
            rows, columns = np.nonzero(signs == sign)
            ax.plot(start + columns, rows, **style)
        ax.text(start + (signs.shape[1] - 1) / 2, -1, name, **text)
        last, start = start, start + signs.shape[1] + 1.5
    apart = (signs != given).sum(axis=1)
    below = len(signs) + 0.4
    for sign in (1, -1):
        (columns,) = np.nonzero(given == sign)
        ax.plot(last + columns, np.full(len(columns), below), **looks[sign])
    (wrong,) = np.nonzero(given != signs[true])
    ring = look("ring") | {"markersize": 16}
    ax.plot(last + wrong, np.full(len(wrong), below), **ring)
    end = last + signs.shape[1]
    for row, many in enumerate(apart):
        weight = "bold" if many == apart.min() else "normal"
        ax.text(end + 0.2, row, str(many), **text, weight=weight)
    ax.text(last - 0.8, below, "answers", **text | {"ha": "right"})
    for row in range(len(signs)):
        ax.text(-1, row, str(row), **text, color=GREY)
    ax.set(xlim=(-1.8, end + 0.8), ylim=(below + 0.7, -1.6))
    ax.axis("off")
    said = (
        f"The answers differ from the row of class {true} in "
        f"{plural(int(apart[true]), 'place')} and from the others in at least "
        f"{np.delete(apart, true).min()}, so class {int(apart.argmin())} wins."
    )
    found = pd.DataFrame({"places that differ": apart}).rename_axis("class")
    return Figure(ax, said, found)


def honest(margins: Mapping[str, ArrayLike], thickness: float) -> Figure:
    """Draw how large a share of examples has a signed score below each value.

    `margins` has y (f - θ) of the same learner on several sets of examples.
    """
    ax = panel(height=3.0)
    looks = ("measured", "worst", "potential")
    grid, shares = np.linspace(-6, 6, 121), {}
    for (name, values), how in zip(margins.items(), looks, strict=True):
        ordered = np.sort(np.asarray(values, float))
        share = 100 * np.searchsorted(ordered, grid, side="right") / len(ordered)
        line = ("-", "-.", "--")[looks.index(how)]
        style = look(how) | {"marker": "", "linestyle": line, "label": name}
        ax.plot(grid, share, **style)
        shares[name] = share[[60, 60 + round(10 * thickness)]]
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.axvline(thickness, **look("bound"))
    mark: dict[str, Any] = {"textcoords": "offset points", "color": GREY, "size": 10}
    ax.annotate("τ", (thickness, 1), (-12, -12), **mark,
                xycoords=("data", "axes fraction"))  # fmt: skip
    ax.annotate("wrong ←", (0, 1), (-5, -12), **mark, ha="right",
                xycoords=("data", "axes fraction"))  # fmt: skip
    ax.set(xlabel="label times score", ylabel="% of sentences below",
           xlim=(-6, 6), ylim=(0, None))  # fmt: skip
    name_ends(ax)
    table = pd.DataFrame(shares, ["below 0", "below τ"])
    found = listed(
        f"{low:.1f} % ({name})" for name, low in table.loc["below 0"].items()
    )
    return Figure(ax, f"Below 0 are {found}.", table.round(1))


def forms(table: pd.DataFrame, shown: list[str], against: str) -> Figure:
    """Draw by how much forms beat another one on held-out examples, set by set.

    `table` has the columns data, seed and, in per cent, one for each form; a bar is two
    standard errors of the paired differences long on either side. A set is named with
    the per cent of the form that the others are compared with.
    """
    looks = {
        "constraint": "AveragedMarginPerceptron",
        "all pairs": "Winnow",
        "code": "Halving",
        "naive Bayes": "Learner",
    }
    by = table["data"]
    gaps = table[shown].sub(table[against], axis=0).groupby(by, sort=False)
    middle, error = gaps.mean(), 2 * gaps.sem()
    level = table[against].groupby(by, sort=False).mean()
    ax = panel(height=1.0 + 0.48 * len(middle))
    places = np.arange(len(middle))
    ax.axvline(0, color=INK, linewidth=0.8)
    for at, (name, mark) in enumerate(zip(shown, "osd*", strict=False)):
        shift = 0.15 + 0.16 * (at - (len(shown) - 1) / 2)
        style = look(looks[name]) | {"linestyle": "none", "marker": mark}
        bars = error[name]
        ax.errorbar(
            middle[name], places + shift, xerr=bars, **style, elinewidth=1, label=name
        )
    # A name stands above its marks: beside the axes it would leave a phone none.
    above: dict[str, Any] = {"textcoords": "offset points", "va": "center", "size": 10}
    for at, name in enumerate(middle.index):
        words = f"{name} ({level[name]:.0f} %)"
        ax.annotate(words, (0, at - 0.32), (0, 0), **above,
                    xycoords=("axes fraction", "data"))  # fmt: skip
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set(xlabel="points more")
    ax.set(ylim=(len(middle) - 0.4, -0.6))
    legend: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.02, 0.98)}
    ax.legend(**legend, ncols=len(shown), columnspacing=0.8, handlelength=1.2,
              handletextpad=0.4)  # fmt: skip
    clear = (middle.abs() > error).sum()
    found = listed(
        f"{the(name)} is clearly away from it on {plural(int(clear[name]), 'set')}"
        for name in shown
    )
    said = f"Two standard errors from {the(against)}: {found}, of {len(middle)}."
    whole = table.drop(columns="seed").groupby("data", sort=False).mean()
    return Figure(ax, said, whole.round(1))


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
    ax.plot(places, height, **look("positive"), label="_")
    for x, up, label in zip(places, height, labels, strict=True):
        place: dict[str, Any] = {"ha": "center", "textcoords": "offset points"}
        ax.annotate(str(label), (x, up), (0, 7), **place)
    ax.set(xlabel="x", ylabel="score")
    name_ends(ax)
    every_score = rows[:, :1] + rows[:, 1:] * places
    right = int((every_score.argmax(axis=0) == labels).sum())
    return Figure(
        ax,
        f"At x = {listed(map(readable, places))} the right class scores "
        f"{listed(map(readable, height))}; it has the highest score at "
        f"{every(right, len(labels), 'example')}.",
        pd.DataFrame({"x": places, "class": labels, "score": height}),
    )


def tagged(runs: pd.DataFrame, bound: float) -> Figure:
    """Draw in how many sentences several taggers went wrong so far.

    `runs` has a column for each tagger, the structured one last, and an index of stream
    and number of the sentence, from 0; `bound` is that of the structured one.
    """
    looks = dict(zip(runs, ("Winnow", "Halving", "Perceptron"), strict=True))
    last = 1 + int(runs.index.get_level_values(1).max())
    at = np.unique(np.geomspace(1, last, 60).round().astype(int))
    streams = runs.groupby(level=1)
    middle, low, high = (
        found.iloc[at - 1].set_axis(at)
        for found in (streams.mean(), streams.min(), streams.max())
    )
    ax = panel(height=3.0)
    for name, algorithm in looks.items():
        style = look(algorithm)
        shade(ax, low[name], high[name], style["color"])
        ax.plot(at, middle[name], **style | {"linestyle": "-"}, label=name)
    ax.axhline(bound, **look("bound"))
    ax.annotate("bound", (1, bound), (4, -12), color=GREY, size=10,
                textcoords="offset points")  # fmt: skip
    log_axis(ax, [1, 10, 100, last])
    log_axis(ax, [1, 10, 100, 1000], "y")
    ax.set(xlabel="sentences", ylabel="with a wrong tag", ylim=(0.8, 1.5 * bound))
    name_ends(ax)
    table = middle.loc[[last]].round(1).rename_axis("sentences")
    found = listed(f"{mean:.1f} ({name})" for name, mean in table.iloc[0].items())
    said = f"Of {last:,} sentences so many have a wrong tag in the mean: {found}."
    return Figure(ax, said, table)
