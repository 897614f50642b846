"""The figures of the chapter `perceptron_vs_winnow`."""

from olc import balanced_winnow, perceptron
from olc_book.plots.kit import *

__all__ = ["headline", "crossing", "rates", "irrelevant"]


# --- Nk against 2k² ln(2N/k) ----------------------------------------------------------

_BOUNDS: dict[str, Callable[[int, int], float]] = {
    "Perceptron": perceptron.panel_bound,
    "Balanced Winnow": functools.partial(balanced_winnow.panel_bound, sharp=True),
}
_NAMED = {"Perceptron": "Nk", "Balanced Winnow": "2k² ln(2N/k)"}


def headline(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw bounds, forced mistakes and random games against N, for a panel of one k.

    Both tables have the columns n, k and one for each learner; `random` has a row for
    every seed.
    """
    k, last = int(forced["k"].iloc[0]), int(forced["n"].max())
    worst = forced.set_index("n")[[*_BOUNDS]]
    games = random.groupby("n")[[*_BOUNDS]].median()
    ax = panel(WIDEST, 3.6)
    n = np.unique(np.geomspace(worst.index.min(), last, 200).astype(int))
    for name, bound in _BOUNDS.items():
        formula, plain = [bound(int(each), k) for each in n], look(name)["color"]
        marks: dict[str, Any] = {"color": plain, "linestyle": "none"}
        ax.plot(n, formula, **look(name, "bound"), label=_NAMED[name])
        ax.plot(worst.index, worst[name], "^", **marks, markersize=6.5, label="forced")
        ax.plot(games.index, games[name], "o:", color=plain, mfc="none", markersize=5,
                label="at random")  # fmt: skip
    for name, at, y in ("Perceptron", 60, 1300), ("Balanced Winnow", 300, 80):
        ax.text(at, y, name, color=colour(name), weight="bold", ha="center")
    high, low = (worst[name].loc[last] for name in _BOUNDS)
    many = f"{high / low:.0f} times as many\nas on Balanced Winnow"
    note(ax, many, (last, high), (0.55, 0.9))
    meet = balanced_winnow.crossover(k)
    ax.axvline(meet, color=GREY, linestyle=":", linewidth=1, label="_")
    ax.text(1.08 * meet, 12, f"N = {meet / k:.1f} k", color=GREY)
    name_ends(ax)
    log_axis(ax, [8, 32, 128, 512])
    log_axis(ax, [10, 100, 1000, 10_000], "y")
    ax.grid(visible=False)
    ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(10, 15_000))
    table = pd.concat(
        {
            name: pd.DataFrame(
                {
                    "bound": [bound(n, k) for n in worst.index],
                    "forced": worst[name],
                    "at random": games[name],
                }
            )
            for name, bound in _BOUNDS.items()
        },
        axis=1,
    )
    said = listed(
        f"{worst[name].loc[last]:.0f} on {the(name)} "
        f"({games[name].loc[last]:.0f} in the median random game)"
        for name in _BOUNDS
    )
    return Figure(
        ax,
        f"At N = {last} and k = {k} the adversary forces {said}.",
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
    ax = panel(WIDEST, 3.2)
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
                  who="Balanced Winnow", size=(3.5, 3.0), ylim=(0, None),
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
        ("Balanced Winnow", "Balanced Winnow", last["mean"], "top"),
    ]:
        axes[-1].text(0.001, y, name, color=colour(who), va=va)
    return Figure(axes, sentences(said), drawn[columns].round(1))


def irrelevant(table: pd.DataFrame) -> Figure:
    """Draw held-out errors, in per cent, against the number of irrelevant features.

    `table` has the columns data, extra, seed, constant and one for each learner.
    """
    pair = ["Perceptron", "Balanced Winnow"]
    drawn = means(table, "extra", pair, "data", "learner", spread=(0.25, 0.75))
    axes = curves(drawn, {"mean": "random"}, "irrelevant features ({})",
                  "held-out error, %", by="learner", split="data", size=(3.5, 3.0),
                  ylim=(0, None), legend="upper left")  # fmt: skip
    mean = drawn["mean"].unstack("learner")[pair].loc[list(table["data"].unique())]
    said = []
    for ax, (kind, line) in zip(axes, groups(mean, "data"), strict=True):
        constant = table.loc[table["data"] == kind, "constant"].mean()
        place: dict[str, Any] = {"ha": "right", "transform": ax.transAxes}
        ax.text(1, 0.03, f"a constant answer: {constant:.0f} %", color=GREY, **place)
        first, last = line.iloc[0], line.iloc[-1]
        learners = listed(
            f"from {first[name]:.1f} to {last[name]:.1f} % for {the(name)}"
            for name in pair
        )
        said.append(
            f"on {kind} the error grows {learners}, beside {constant:.1f} % of a "
            "constant answer"
        )
    return Figure(axes, sentences(said), mean.rename_axis(columns=None).round(1))
