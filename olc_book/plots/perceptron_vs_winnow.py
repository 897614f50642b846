"""The figures of the chapter `perceptron_vs_winnow`."""

from olc import balanced_winnow, perceptron
from olc_book.plots.kit import *

__all__ = ["readings", "views", "headline", "crossing", "rates", "irrelevant"]


# --- one vector, two readings; one stream, two views ----------------------------------


def readings(s: Vector, weights: Mapping[str, Vector], panel: Vector) -> Figure:
    """Draw the weights that several learners read off the same sums s.

    `weights` has those of each learner, and `panel` is not 0 where they matter.
    """
    matter, places = np.flatnonzero(panel), np.arange(1, len(s) + 1)
    axes, said, shares = panels(len(weights), 3.5, 2.6), [], {}
    for ax, (name, read) in zip(axes, weights.items(), strict=True):
        share = f"{np.abs(read[matter]).sum() / np.abs(read).sum():.0%}"
        stems(ax, np.where(np.isin(places - 1, matter), 0, read), who="bound")
        for place in matter:
            ax.plot([place + 1] * 2, [0, read[place]], "o-", color=colour(name),
                    linewidth=3, markevery=[1])  # fmt: skip
        ax.text(0.03, 0.97, f"{share} of it on the panel".replace("%", " %"),
                color=colour(name), transform=ax.transAxes, va="top")  # fmt: skip
        ax.set(xlabel="expert", ylabel=f"weight, {the(name)}")
        ax.set(ylim=(None, 1.35 * read.max()))
        ax.grid(visible=False)
        said.append(f"{share} for {the(name)}")
        shares[name] = read
    return Figure(
        axes,
        f"Off the same sums the learners read weights of which the {len(matter)} "
        f"experts of the panel hold {listed(said)}.",
        pd.DataFrame({"s": s} | shares, index=places).iloc[matter].round(2),
    )


def views(stream: Stream) -> Figure:
    """Draw examples with a column that is the label, and their Gram matrix."""
    X, size = np.asarray(stream.X), len(stream)
    label = int(np.flatnonzero((np.asarray(stream.y)[:, None] == X).all(axis=0))[0])
    seen, gram = panels(2, 3.5, 3.1)
    examples(seen, X, stream.y, [label])
    products = X @ X.T
    on, off = np.argwhere(products != 0) + 1, np.argwhere(products == 0) + 1
    gram.plot(off[:, 1], off[:, 0], ".", color=GREY, markersize=1.5)
    gram.plot(on[:, 1], on[:, 0], "o", color=INK)
    gram.set(xlabel="round", ylabel="round", xlim=seen.get_xlim())
    gram.set(ylim=seen.get_ylim())
    gram.locator_params(integer=True)
    gram.grid(visible=False)
    return Figure(
        [seen, gram],
        f"Column {label + 1} of the {size} examples is the label. Of their {size**2} "
        f"inner products {len(off)} are 0; the others are the {len(on)} squared "
        "lengths.",
        pd.DataFrame(products, index=range(1, size + 1), columns=range(1, size + 1)),
    )


# --- Nk against 2k² ln(2N/k) ----------------------------------------------------------

_BOUNDS: dict[str, Callable[[int, int], float]] = {
    "Perceptron": perceptron.panel_bound,
    "Balanced Winnow": functools.partial(balanced_winnow.panel_bound, sharp=True),
}
_NAMED = {"Perceptron": "Nk", "Balanced Winnow": "2k² ln(2N/k)"}


def headline(forced: pd.DataFrame, random: pd.DataFrame) -> Figure:
    """Draw two bounds, what is forced and random games against N, for one k.

    Both tables have the columns n, k and one for each learner; `random` has a seed,
    too, and its sizes include those of `forced`.
    """
    k, last = int(forced["k"].iloc[0]), int(forced["n"].max())
    worst = forced.set_index("n")[[*_BOUNDS]]
    usual = random.groupby("n")[[*_BOUNDS]].mean().loc[worst.index]
    n = np.unique(np.geomspace(2 * k, last, 100).astype(int))
    formula = {
        name: pd.Series([bound(int(each), k) for each in n], n)
        for name, bound in _BOUNDS.items()
    }
    ax, said = panel(WIDEST, 3.6), []
    big: dict[str, Any] = {"size": 13, "weight": "bold", "ha": "right", "va": "center"}
    for name, x, y in ("Perceptron", 0.42, 0.62), ("Balanced Winnow", 0.97, 0.016):
        ink: dict[str, Any] = {"color": colour(name)}
        ax.plot(n, formula[name], **look(name, "bound") | {"linewidth": 2})
        ax.plot(worst.index, worst[name], "^", **ink, markersize=9)
        ax.plot(usual.index, usual[name], "o", **ink, markersize=7, fillstyle="none",
                markeredgewidth=1.8)  # fmt: skip
        ax.text(x * last, y * k * last, f"{name}\n{_NAMED[name]}", **ink, **big)
        said.append(
            f"{worst[name][last]:.0f} on {the(name)}, and random games cost it "
            f"{usual[name][last]:.0f}"
        )
    small: dict[str, Any] = {"color": colour("Perceptron"), "ha": "right", "size": 11}
    first, second = worst.index[1], worst.index[-2]
    ax.text(0.92 * first, 1.1 * worst["Perceptron"][first], "forced by an\nadversary",
            **small, va="bottom")  # fmt: skip
    ax.text(0.93 * second, usual["Perceptron"][second], "random games", **small,
            va="center")  # fmt: skip
    low, high = (worst[name][last] for name in reversed(_BOUNDS))
    arrow(ax, (1.13 * last, high), (1.13 * last, low), color=INK, arrowstyle="<|-|>")
    ax.text(1.07 * last, 0.17 * k * last, f"{high / low:.0f} times\nas many", **big)
    ax.set(xlabel=f"N experts, a panel of k = {k}", ylabel="mistakes")
    log_axis(ax, [size for size in random["n"].unique() if size > 2 * k])
    log_axis(ax, [100, 1000, 10_000], "y")
    ax.set(xlim=(2 * k, 1.2 * last), ylim=(60, 12_000))
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    ax.grid(visible=False)
    table = pd.concat(
        {
            name: pd.DataFrame({
                "bound": [bound(n, k) for n in worst.index],
                "forced": worst[name],
                "random": usual[name],
            })
            for name, bound in _BOUNDS.items()
        },
        axis=1,
    )  # fmt: skip
    return Figure(
        ax,
        f"At N = {last} and k = {k} the adversary forces {listed(said)}.",
        table.rename_axis("N").round(1),
    )


def crossing(forced: pd.DataFrame) -> Figure:
    """Draw what is forced on the Perceptron and on Balanced Winnow, divided by Nk.

    `forced` has the columns n, k (one value), Perceptron, and one for each rate of
    Balanced Winnow, first 1/k, then one that is small.
    """
    table = forced.rename(columns={"n": "N"}).set_index("N")
    k, least, last = int(table.pop("k").iloc[0]), table.index[0], table.index[-1]
    large, small = (f"Balanced, {rate}" for rate in table.columns[1:])
    table = table.set_axis(["Perceptron", large, small], axis=1)
    share = table.div(k * table.index.to_numpy(), axis=0)
    ax = panel(WIDEST, 2.9)
    style = look("Balanced Winnow", "adversary")
    sizes = np.arange(least, last + 1)
    bound = [_BOUNDS["Balanced Winnow"](int(n), k) / (n * k) for n in sizes]
    ax.plot(sizes, np.ones(len(sizes)), **look("Perceptron", "bound"), label="Nk")
    ax.plot(sizes, bound, **look("Balanced Winnow", "bound"), label="2k² ln(2N/k)")
    for name, how in [
        ("Perceptron", look("Perceptron", "adversary")),
        (small, style | {"fillstyle": "none", "linestyle": ":"}),
        (large, style | {"linestyle": "-"}),
    ]:
        ax.plot(share.index, share[name], **how, label=name)
    name_ends(ax)
    ax.set(xlabel=f"N (k = {k})", ylabel="mistakes / Nk")
    ax.set_xticks(table.index)
    ax.grid(visible=False)
    above = table[share[large] > 1]
    said = listed(
        f"N = {n} ({row[large]:.0f} against {n * k})"
        for n, row in zip(above.index, above.to_dict("records"), strict=True)
    )
    row = table.iloc[-1]
    return Figure(
        ax,
        f"{large} is forced to more mistakes than the Perceptron can make at {said}; "
        f"at N = {last} the Perceptron is forced to {row['Perceptron']:.0f} and "
        f"Balanced Winnow to {row[large]:.0f} at the large rate and {row[small]:.0f} "
        "at the small one.",
        share.round(3),
    )


# --- the two norms, and real data -----------------------------------------------------


def rates(table: pd.DataFrame) -> Figure:
    """Draw Balanced Winnow's mistakes against η beside the Perceptron's.

    `table` has the columns data, eta, seed, Balanced Winnow, Perceptron, and one for a
    Perceptron that breaks ties by chance.
    """
    columns = [str(name) for name in table.columns.drop(["data", "eta", "seed"])]
    drawn = means(table, "eta", "Balanced Winnow", "data", spread=(0, 1), also=columns)
    axes = curves(drawn, {"mean": "random"}, "η ({})", "mistakes", split="data",
                  who="Balanced Winnow", size=(3.5, 2.7), ylim=(0, None),
                  xticks=[0.001, 0.01, 0.1, 1])  # fmt: skip
    plain, chance = (name for name in columns if name != "Balanced Winnow")
    said = []
    for ax, (kind, line) in zip(axes, groups(drawn, "data"), strict=True):
        first, last = line.iloc[0], line.iloc[-1]
        for name, dashes in (plain, "-"), (chance, ":"):
            ax.axhline(first[name], color=colour(plain), linestyle=dashes)
        said.append(
            f"with a {kind} the Perceptron makes {first[plain]:.0f} mistakes "
            f"({first[chance]:.0f} with {chance}), Balanced Winnow {first['mean']:.0f} "
            f"at η = {first.name:g} and {last['mean']:.0f} at η = {last.name:g}"
        )
    for name, who, y, va in [
        (plain, plain, first[plain] + 15, "bottom"),
        (chance, plain, first[chance] - 15, "top"),
    ]:
        axes[-1].text(0.001, y, name, color=colour(who), va=va)
    near: dict[str, Any] = {"color": colour("Balanced Winnow"), "ha": "right"}
    axes[-1].text(0.6, last["mean"] - 40, "Balanced Winnow", **near)
    return Figure(axes, sentences(said), drawn[columns].round(1))


def irrelevant(table: pd.DataFrame) -> Figure:
    """Draw held-out errors, in per cent, against the number of irrelevant features.

    `table` has the columns data, extra, seed, constant and one for each learner.
    """
    names = [str(name) for name in table.columns.drop(["data", "extra", "seed"])]
    names.remove("constant")
    drawn = means(table, "extra", names, "data", "learner")[["mean"]]
    axes = curves(drawn, {"mean": "random"}, "irrelevant features ({})",
                  "error on new examples, %", by="learner", split="data",
                  size=(3.5, 2.8), ylim=(0, None))  # fmt: skip
    mean = drawn["mean"].unstack("learner")[names].loc[list(table["data"].unique())]
    error = table.groupby(["data", "extra"])[names].sem().fillna(0)
    said = []
    for ax, (kind, line) in zip(axes, groups(mean, "data"), strict=True):
        constant = table.loc[table["data"] == kind, "constant"].mean()
        place: dict[str, Any] = {"va": "top", "transform": ax.transAxes}
        ax.text(0.03, 0.99, f"↑ constant answer: {constant:.0f} %", color=GREY, **place)
        for name in names:
            spread = error.loc[kind][name]
            shade(ax, line[name] - spread, line[name] + spread, colour(name))
        ax.set(ylim=(0, 1.45 * line.to_numpy().max()))
        first, last = line.iloc[0], line.iloc[-1]
        learners = listed(
            f"from {first[name]:.1f} to {last[name]:.1f} % for {the(name)}"
            for name in names
        )
        said.append(
            f"on {kind} the error grows {learners}, beside {constant:.1f} % of a "
            "constant answer"
        )
        for name in names:
            low, spread = last[name] == last.min(), error.loc[kind][name].iloc[-1]
            away = (-1 if low else 1) * (spread + 0.03 * ax.get_ylim()[1])
            ax.text(line.index[-1], last[name] + away, name, color=colour(name),
                    ha="right", va="top" if low else "bottom")  # fmt: skip
    return Figure(axes, sentences(said), mean.rename_axis(columns=None).round(1))
