"""The figures of the chapter `spelling`."""

from olc_book.plots.kit import *

__all__ = ["LOOKS", "budget", "grown", "learnt", "moved", "noise", "standings",
           "thickness", "thresholds"]  # fmt: skip

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
                   size=(4.1, 2.5), xticks=[1, 10, 100, 1000, 10000],
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
    ax = panel(height=2.4)
    ends = pd.Series({name: known[-1] for name, known in sizes.items()}).sort_values()
    for name in ends.index[::-1]:
        rounds = np.arange(1, len(sizes[name]) + 1)
        told = str(name) if name == ends.index[-1] else "_"
        ax.plot(rounds, sizes[name], color=BLUE, alpha=0.8, linestyle="-", label=told)
    high = 1.05 * float(ends.max())
    ax.plot([0, high / most], [0, high], **look("bound"), label="_")
    ax.set(xlabel="sentences read", ylabel="features seen", xlim=(0, None))
    ax.set(ylim=(0, high))
    name_ends(ax)
    words: dict[str, Any] = {"textcoords": "offset points", "size": 10, "color": GREY}
    ax.annotate(f"{most} in each", (high / most, high), (5, -8), va="center", **words)
    first = ends.index[0]
    note(ax, str(first), (len(sizes[first]), sizes[first][-1]), (0.3, 0.09))
    news = {name: known[-1] - known[-101] for name, known in sizes.items()}
    said = (
        f"After all sentences between {ends.iloc[0]:,} and {ends.iloc[-1]:,} features "
        f"are known. The last hundred sentences bring between {min(news.values())} "
        f"and {max(news.values())} new ones, so no curve is flat at its end."
    )
    return Figure(ax, said, pd.DataFrame({"features": ends, "new": pd.Series(news)}))


def budget(trace: Trace, target: Vector, shown: tuple[int, int]) -> Figure:
    """Draw what a promotion adds to the potential, what a demotion takes, and a game.

    `trace` is a game of Winnow on sparse examples, `target` says which features are
    relevant, and `shown` are the numbers of a promotion and a demotion among the
    mistakes.
    """
    weights, theta = path(trace), float(trace.before.threshold)
    relevant = np.asarray(target) != 0
    above = np.maximum(0, weights[:, ~relevant] - 1).sum(axis=1)
    rows = np.asarray(trace.stream.X)[trace.mistake_rounds] > 0
    left, right = panels(2, 3.5, 2.8)
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("relevant", {"color": GREEN, "hatch": "///", "edgecolor": INK}),
        ("others, up to 1", {"color": GREY, "alpha": 0.35}),
        ("others, above 1: Φ", {"color": VERMILION}),
    ]
    bars = []
    for number in shown:
        x = rows[number - 1]
        for values in weights[number - 1], weights[number]:
            others = values[x & ~relevant]
            high = float(np.maximum(0, others - 1).sum())
            bars.append([float(values[x & relevant].sum()), others.sum() - high, high])
    heights, places = np.array(bars), np.array([0, 1, 2.4, 3.4])
    foot = np.zeros(len(bars))
    for (_, style), column in zip(kinds, heights.T, strict=True):
        left.bar(places, column, bottom=foot, width=0.8, **style)
        foot = foot + column
    left.axhline(theta, **look("bound"))
    high = float(foot.max())
    text: dict[str, Any] = {"va": "center", "size": 10}
    left.text(3.9, theta + 0.05 * high, "θ", **text, color=GREY)
    for place, name in ((0.5, "promotion"), (2.9, "demotion")):
        left.text(place, 1.1 * high, name, **text, ha="center")
    for step, (name, style) in enumerate(reversed(kinds)):
        left.text(1.55, (0.92 - 0.12 * step) * high, name, **text, color=style["color"])
    left.set_xticks(places, ["before", "after"] * 2)
    left.set(ylabel="weight of the active features", xlabel=" ")
    left.set(xlim=(-0.6, 4.2), ylim=(0, 1.2 * high))
    right.plot(above, color=VERMILION)
    right.set(xlabel="mistakes", ylabel="Φ", ylim=(0, None))
    steps = np.diff(above)
    up, down = steps[steps > 0], -steps[steps < 0]
    said = (
        f"{plural(len(up), 'promotion')} raise the potential by at most "
        f"{up.max():.0f}, and {plural(len(down), 'demotion')} lower it by at least "
        f"{down.min():.0f}; it never exceeds {above.max():.0f}."
    )
    table = pd.DataFrame({"Φ": above}).rename_axis("mistakes")
    return Figure([left, right], said, table)


def learnt(weights: Any, names: Sequence[str], words: Sequence[str]) -> Figure:
    """Draw the features with the largest weights for each of two words.

    The first word is that of the positive weights.
    """
    values = pd.Series(np.asarray(weights, float), list(names), name="weight")
    ordered, most = values.sort_values(kind="stable"), 9
    sides = [ordered.iloc[::-1].head(most), ordered.head(most)]
    axes = panels(2, 3.5, 2.8)
    style = look("BalancedMarginWinnow")
    for ax, word, side in zip(axes, words, sides, strict=True):
        ax.barh(np.arange(most), side.abs(), color=style["color"], height=0.7)
        ax.set_yticks(np.arange(most), list(side.index))
        ax.set(ylabel=f"for {word}", xlabel="weight, without its sign")
        ax.set(ylim=(most - 0.4, -0.6), xlim=(0, 1.05 * float(values.abs().max())))
        ax.grid(axis="y", visible=False)
    large = int((values.abs() > 1).sum())
    found = listed(f"{side.index[0]} and {side.index[1]} for {word}"
                   for word, side in zip(words, sides, strict=True))  # fmt: skip
    said = (
        f"The largest weights have {found}; {large} of {len(values)} are above 1 or "
        "below -1."
    )
    return Figure(axes, said, pd.concat(sides).to_frame())


def thickness(table: pd.DataFrame, baseline: float) -> Figure:
    """Draw the mistakes of learners against their thickness, beside a baseline.

    `table` has the columns learner, tau, seed and mistakes.
    """
    ax, middles = panel(height=2.5), {}
    for name, rows in table.groupby("learner", sort=False):
        style, at = _look(str(name)), rows.groupby("tau")["mistakes"]
        middle, error = at.mean(), 2 * at.sem()
        dots = {"marker": "o", "markersize": 4, "label": str(name), "linestyle": "-"}
        ax.plot(middle.index, middle, **style | dots)
        shade(ax, middle - error, middle + error, style["color"])
        middles[name] = middle
    wide = pd.DataFrame(middles)
    ax.plot(wide.index, np.full(len(wide), baseline), **_look("naive Bayes"),
            label="naive Bayes")  # fmt: skip
    ax.set_xscale("symlog", linthresh=1, linscale=0.4)
    ax.xaxis.set_major_locator(ticker.FixedLocator(list(wide.index)))
    ax.xaxis.set_minor_locator(ticker.NullLocator())
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set(xlabel="thickness τ", ylabel="mistakes", ylim=(0, None))
    name_ends(ax)
    found = listed(
        f"{the(name)} makes {made.iloc[0]:.0f} at τ = 0 and {made.min():.0f} at "
        f"τ = {made.idxmin():g}"
        for name, made in wide.items()
    )
    said = f"Of the mistakes {found}, naive Bayes {baseline:.0f}."
    return Figure(ax, said, wide.round(0))


def standings(table: pd.DataFrame, shown: list[str], baseline: str) -> Figure:
    """Draw by how much methods beat a baseline on held-out sentences.

    `table` has the columns words, seed and, in per cent, one for each method. A large
    mark is the mean of all sets of words with two standard errors on either side, a
    small one the mean of one set.
    """
    gaps = table[shown].sub(table[baseline], axis=0)
    by_set: Any = gaps.groupby(table["words"]).mean().T
    middle: Any = gaps.mean()
    error: Any = gaps.sem()
    ax, places = panel(height=0.9 + 0.27 * len(shown)), np.arange(len(shown))
    ax.axvline(0, color=INK, linewidth=0.8)
    small: dict[str, Any] = {"color": GREY, "marker": "o", "markersize": 3}
    ax.plot(by_set.to_numpy(), places, **small | {"alpha": 0.7}, linestyle="none")
    ax.annotate(baseline, (0, 1), (0, 3), xycoords=("data", "axes fraction"),
                textcoords="offset points", ha="center", size=10)  # fmt: skip
    for at, name in enumerate(shown):
        style = _look(name) | {"linestyle": "none", "marker": "D", "markersize": 6}
        ax.errorbar(middle[name], at, xerr=2 * error[name], **style, elinewidth=2)
    ax.set_yticks(places, shown)
    ax.set(xlabel="percentage points more", ylim=(len(shown) - 0.4, -0.6))
    best, worst = middle.idxmax(), middle.idxmin()
    said = (
        f"On average {the(best)} has {middle[best]:.1f} points more than "
        f"{the(baseline)}, the most, and {the(worst)} {-middle[worst]:.1f} points "
        "fewer, which is the least."
    )
    numbers = by_set.assign(all=middle, **{"standard error": error})
    return Figure(ax, said, numbers.iloc[:, ::-1].round(2).rename_axis("method"))


def moved(games: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Draw mistakes on new text: as it is read, and in all, learner by learner.

    `games` has for every learner and each way to meet the text (anew, frozen, goes on)
    a row for every set of words: its mistakes so far at equal steps. The first panel
    draws the first learner.
    """
    marks = {"anew": "o", "frozen": "s", "goes on": "D"}
    lines = {"anew": "--", "frozen": ":", "goes on": "-"}
    left, right = panels(2, 3.5, 2.6)
    first, ways = next(iter(games.items()))
    for way, rows in ways.items():
        so_far = np.asarray(rows, float).sum(axis=0)
        style = _look(first) | {"linestyle": lines[way], "label": way}
        left.plot(np.linspace(0, 100, len(so_far)), so_far, **style)
    left.set(xlabel="% of the new text", ylabel="mistakes", ylim=(0, None))
    name_ends(left)
    ends = {who: {way: np.asarray(rows, float)[:, -1] for way, rows in ways.items()}
            for who, ways in games.items()}  # fmt: skip
    table = pd.DataFrame({who: {way: made.sum() for way, made in ways.items()}
                          for who, ways in ends.items()}).T  # fmt: skip
    places = np.arange(len(table))
    for at, (_, totals) in zip(places, table.iterrows(), strict=True):
        right.plot([totals.min(), totals.max()], [at, at], color=GREY, linewidth=0.8,
                   linestyle="-")  # fmt: skip
    for way, mark in marks.items():
        style = {"color": INK, "linestyle": "none", "marker": mark, "markersize": 5}
        style |= {"markerfacecolor": INK if way == "goes on" else "none"}
        right.plot(table[way], places, **style, label=way)
    right.set_yticks(places, list(table.index))
    right.set(xlabel="mistakes in all", ylim=(len(table) - 0.4, -0.6), xlim=(0, None))
    legend_above(right, ncols=3)
    saved = {who: made["anew"] - made["goes on"] for who, made in ends.items()}
    error = {who: np.std(each, ddof=1) * len(each) ** 0.5
             for who, each in saved.items()}  # fmt: skip
    found = listed(f"{the(who)} {each.sum():.0f}" for who, each in saved.items())
    said = f"Going on saves these mistakes against a new start: {found}."
    table["saved by going on"] = {who: each.sum() for who, each in saved.items()}
    table["standard error"] = error
    return Figure([left, right], said, table.round(0).rename_axis("learner"))


def noise(
    table: pd.DataFrame, falling: list[str], clean: pd.DataFrame, noisy: pd.DataFrame
) -> Figure:
    """Draw the accuracy against the share of wrong labels, and what tuning decides.

    `table` has the columns chance, words, seed and, in per cent, one for each learner,
    of which the first panel has those `falling`. The second compares the columns that
    `clean` and `noisy` share: settings chosen on clean labels, and on noisy ones.
    """
    wide = table.groupby("chance")[falling].mean()
    left, right = panels(2, 3.5, 2.6)
    for name in falling:
        left.plot(100 * wide.index, wide[name], **_look(name), label=name)
    name_ends(left)
    left.set(xlabel="% of wrong labels", ylabel="right, in %", ylim=(60, 100))
    names = [str(name) for name in clean if name not in ("words", "seed")]
    before, after = clean[names].mean(), noisy[names].mean()
    error = (noisy[names] - clean[names].to_numpy()).sem()
    for at, name in enumerate(names):
        style = _look(name) | {"linestyle": "-", "marker": ""}
        right.plot([before[name], after[name]], [at, at], **style)
        dot = style | {"marker": "o", "linestyle": "none", "markersize": 6}
        right.plot(before[name], at, **dot | {"markerfacecolor": "none"})
        right.plot(after[name], at, **dot)
    right.set_yticks(range(len(names)), names)
    right.set(xlabel="right, in %", ylim=(len(names) - 0.4, -0.6), xlim=(70, 95))
    gained = after - before
    low, high = after.min(), after.max()
    said = (
        f"With settings chosen on noisy labels {low:.0f} to {high:.0f} % are right; "
        f"chosen on clean ones, {gained.min():.0f} to {gained.max():.0f} points fewer."
    )
    numbers = pd.DataFrame({"chosen on clean": before, "on noisy": after,
                            "gained": gained, "standard error": error})  # fmt: skip
    return Figure([left, right], said, numbers.round(1).rename_axis("method"))
