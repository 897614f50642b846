"""The figures of the chapter `perceptron_vs_winnow`."""

from olc import balanced_winnow, normalized_winnow, perceptron
from olc_book.plots.kit import *

__all__ = ["race", "headline", "crossing", "rates", "irrelevant"]

_BOUNDS: dict[str, Callable[[int, int], float]] = {
    "Perceptron": perceptron.panel_bound,
    "normalised Winnow": normalized_winnow.panel_bound,
    "Balanced Winnow": balanced_winnow.panel_bound,
}
_PAIR = ["Perceptron", "Balanced Winnow"]


def race(traces: Mapping[str, Trace]) -> Figure:
    """Draw how the mistakes of several learners add up on one stream."""
    counts: dict[Any, Callable[[Trace], int]] = {
        "mistakes": mistakes,
        "last in round": lambda trace: int(trace.mistake_rounds[-1]) + 1,
    }
    ax, table = running_all(traces, counts, height=3.2, loc="center right")
    said = "; ".join(
        f"{the(name)} makes {plural(made, 'mistake')}, the last of them in round {last}"
        for name, made, last in table.itertuples()
    )
    rounds = len(next(iter(traces.values())))
    return Figure(ax, f"In {rounds} rounds {said}.", table)


# --- Nk against 2k² ln N --------------------------------------------------------------


def headline(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw bounds, forced mistakes and random games against N, a panel for each k.

    Both tables have the columns n, k and one for each learner; `random` has a row for
    every seed.
    """
    drawn = medians(
        random, "n", [*_BOUNDS], "k", "learner", spread=(0, 1), name="random"
    )
    worst = forced.melt(["n", "k"], list(_BOUNDS), "learner", "forced")
    drawn["forced"] = worst.set_index(["k", "learner", "n"])["forced"]
    drawn["bound"] = [_BOUNDS[name](n, k) for k, name, n in drawn.index]
    looks = {"random": "random", "bound": "bound", "forced": _FORCED}
    axes = curves(drawn, looks, "N (k = {})", "mistakes", by="learner", split="k",
                  size=(3.4, 3.2), xticks=sorted(forced["n"].unique()),
                  yticks=[1, 10, 100, 1000], ylim=(1, 9000))  # fmt: skip
    axes[0].plot([], [], **_FORCED, color=GREY, label="forced")
    axes[0].plot([], [], **look("bound"), label="bound")
    axes.append(panel(3.4, 1.8))
    legend_panel(axes[-1], axes[:-1])
    kinds = ["bound", "forced", "random"]
    table = pd.concat(
        {name: drawn.xs(name, level="learner")[kinds] for name in _BOUNDS}, axis=1
    )
    (k, n), last = table.index[-1], table.iloc[-1]
    said = listed(
        f"{last[name, 'forced']:.0f} on {the(name)} "
        f"({last[name, 'random']:.0f} in the median random game)"
        for name in _BOUNDS
    )
    return Figure(
        axes,
        f"At N = {n} and k = {k} the adversary forces {said}.",
        table.rename_axis(index=["k", "N"]).round(1),
    )


_FORCED: dict[str, Any] = {
    "marker": "^",
    "linestyle": "none",
    "fillstyle": "none",
    "markersize": 7,
}


def crossing(forced: pd.DataFrame) -> Figure:
    """Draw what is forced on the Perceptron and on Balanced Winnow for small N.

    `forced` has the columns n, k (one value), Perceptron, and one for each rate of
    Balanced Winnow, first 1/k, then one that is small.
    """
    table = forced.rename(columns={"n": "N"}).set_index("N")
    k = int(table.pop("k").iloc[0])
    rates = {rate: f"Balanced Winnow, {rate}" for rate in table.columns[1:]}
    large, small = rates.values()
    table = table.rename(columns=rates)
    table["Nk"] = [perceptron.panel_bound(n, k) for n in table.index]
    table["bound at 1/k"] = [
        balanced_winnow.mistake_bound(n, 1 / k, eta=1 / k, k=k) for n in table.index
    ]
    looks: dict[str, Any] = {
        "Nk": look("Perceptron", "bound"),
        "Perceptron": look("Perceptron", "adversary"),
        small: look("Balanced Winnow", "adversary") | {"fillstyle": "none"},
        "bound at 1/k": look("Balanced Winnow", "bound"),
        large: look("Balanced Winnow", "adversary"),
    }
    axes = curves(table, looks, f"N (k = {k})", "mistakes", size=(4.4, 3.4),
                  labels={"Nk": "_", "bound at 1/k": "_"}, legend="best",
                  ylim=(0, None))  # fmt: skip
    said = listed(
        f"N = {n} ({row[large]:.0f} against {row['Nk']:.0f})"
        for n, row in table[table[large] > table["Nk"]].iterrows()
    )
    last = table.iloc[-1]
    return Figure(
        axes,
        f"{large}, is forced to more mistakes than the Perceptron can make at {said}; "
        f"at N = {table.index[-1]} the Perceptron is forced to "
        f"{last['Perceptron']:.0f} and Balanced Winnow to {last[large]:.0f} at the "
        f"large rate and {last[small]:.0f} at the small one.",
        table.round(1),
    )


# --- the two norms, and real data -----------------------------------------------------


def rates(table: pd.DataFrame) -> Figure:
    """Draw Balanced Winnow's mistakes against η beside the Perceptron's.

    `table` has the columns data, eta, seed and one for each of the two learners.
    """
    axes, mean = _pair(table, "eta", (0, 1), "η ({})", "mistakes",
                       xticks=[0.001, 0.01, 0.1, 1], ylim=(0, None))  # fmt: skip
    axes[-1].legend()
    said = []
    for kind, line in groups(mean, "data"):
        balanced = line["Balanced Winnow"]
        said.append(
            f"with a {kind} the Perceptron makes {line['Perceptron'].iloc[0]:.0f} "
            f"mistakes, Balanced Winnow {balanced.iloc[0]:.0f} at η = "
            f"{balanced.index[0]:g}, {balanced.iloc[-1]:.0f} at η = "
            f"{balanced.index[-1]:g} and {balanced.min():.0f} at best"
        )
    table = mean.rename_axis(["data", "η"]).round(1)
    return Figure(axes, sentences(said), table)


def irrelevant(table: pd.DataFrame) -> Figure:
    """Draw held-out errors, in per cent, against the number of irrelevant features.

    `table` has the columns data, extra, seed, constant and one for each learner.
    """
    axes, mean = _pair(table, "extra", (0.25, 0.75), "irrelevant features ({})",
                       "held-out error, %", ylim=(0, 60))  # fmt: skip
    constant = table.groupby("data", sort=False)["constant"].mean()
    mean["constant"] = constant.loc[mean.index.get_level_values("data")].to_numpy()
    for ax, (_, line) in zip(axes, groups(mean, "data"), strict=True):
        ax.plot(line.index, line["constant"], color=GREY, ls=":", label="constant")
    axes[0].legend(loc="upper left")
    said = []
    for kind, line in groups(mean, "data"):
        first, last = line.iloc[0], line.iloc[-1]
        said.append(
            f"on {kind} the error grows from {first['Perceptron']:.1f} to "
            f"{last['Perceptron']:.1f} % for the Perceptron and from "
            f"{first['Balanced Winnow']:.1f} to {last['Balanced Winnow']:.1f} % for "
            f"Balanced Winnow, beside {last['constant']:.1f} % of a constant answer"
        )
    table = mean.rename_axis(["data", "irrelevant features"]).round(1)
    return Figure(axes, sentences(said), table)


def _pair(
    table: pd.DataFrame, x: str, spread: tuple[float, float], *named: str, **style: Any
) -> tuple[list[Axes], pd.DataFrame]:
    """Draw the means of the two learners, a panel for each kind of data."""
    drawn = means(table, x, _PAIR, "data", "learner", spread=spread)
    style |= {"by": "learner", "split": "data", "size": (3.5, 3.0)}
    axes = curves(drawn, {"mean": "random"}, *named, **style)
    mean = drawn["mean"].unstack("learner")[_PAIR].loc[list(table["data"].unique())]
    return axes, mean.rename_axis(columns=None)
