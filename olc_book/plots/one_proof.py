"""The figures of the chapter `one_proof`."""

from olc import p_norm
from olc_book.plots.kit import *

__all__ = ["links", "orders", "ledgers", "norms", "noise"]

_WHO = p_norm.PNormPerceptron
_TICKS, _DOTS = [2, 3, 5, 10, 20, 30], (0, (5, 1, 1, 1, 1, 1))
#: The mistakes of all runs, with their range and their bound.
_ALL: dict[str, Any] = {"spread": (0, 1), "name": "mistakes", "also": ["bound"]}


def links(table: pd.DataFrame) -> Figure:
    """Draw the weight of a feature against its entry in s, both as shares of the top.

    The index of `table` is the entry; a column has the weights of one learner.
    """
    styles = [("Perceptron", "-"), (_WHO, "-."), (_WHO, ":"), (_WHO, _DOTS)]
    looks = {
        name: look("normalised Winnow" if "Winnow" in str(name) else who)
        | {"linestyle": line}
        for name, (who, line) in zip(table, styles, strict=False)
    }
    label = "entry of s, share of the largest"
    axes = curves(table, looks, label, "weight, share", legend="upper left")
    half = table.index[int(np.abs(table.index - 0.5).argmin())]
    middle = table.loc[half].items()
    said = listed(f"{number(share)} ({name})" for name, share in middle)
    return Figure(
        axes,
        f"An entry that is {half:g} of the largest has a weight of {said}, as a share "
        "of the largest weight.",
        table.rename_axis("entry"),
    )


def orders(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw mistakes, bounds and what is forced against p, a panel for each k.

    `random` has the columns k, p, seed, random and normalised Winnow; `forced` has k,
    p, adversary and bound.
    """
    also = ["normalised Winnow"]
    table = medians(random, "p", "random", "k", spread=(0, 1), name="random", also=also)
    table = table.join(forced.set_index(["k", "p"]))
    looks: dict[str, Any] = {
        "bound": "bound",
        "adversary": "adversary",
        "random": "random",
        "normalised Winnow": look("normalised Winnow"),
    }
    axes = curves(table, looks, "p (k = {})", "mistakes", who=_WHO, split="k",
                  size=(3.5, 3.2), xticks=_TICKS, yticks=[10, 100, 1000],
                  ylim=(4, 3000))  # fmt: skip
    axes[-1].legend(loc="upper right")
    said = []
    for k, line in groups(table, "k"):
        least = line["bound"].idxmin()
        said.append(
            f"with k = {k} random streams cost {line['random'].iloc[0]:.0f} mistakes "
            f"at p = {line.index[0]}, and {line['random'].loc[least]:.0f} at p = "
            f"{least}, where the bound is least ({line['bound'].loc[least]:.0f}) "
            f"and the adversary forces {line['adversary'].loc[least]:.0f}"
        )
    return Figure(axes, sentences(said), table[[*looks]].round(1))


def ledgers(found: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the one ledger for several learners, each in its own units."""
    axes = envelopes(found, "Φ(s)", size=(3.4, 2.7), start=0.0)
    for ax, (name, ledger) in zip(axes, found.items(), strict=True):
        ax.set(xlabel=f"mistake ({name})", ylim=(0, 1.05 * ledger["upper"].iloc[-1]))
    legend_above(axes[0], 2)
    said = "; ".join(
        f"{the(name)} at {readable(ledger['potential'].iloc[-1])} after "
        f"{len(ledger)} mistakes, between {readable(ledger['lower'].iloc[-1])} and "
        f"{readable(ledger['upper'].iloc[-1])}"
        for name, ledger in found.items()
    )
    return Figure(
        axes,
        f"The potential ends between its two lines in every game: {said}.",
        pd.concat(found, names=["learner"])[["lower", "potential", "upper"]],
    )


def norms(table: pd.DataFrame) -> Figure:
    """Draw mistakes and bounds against p, as multiples of those at the first p.

    `table` has the columns data, p, seed, mistakes and bound.
    """
    drawn = medians(table, "p", "mistakes", "data", **_ALL)
    first = drawn.groupby("data", sort=False).transform("first")
    middle = first["mistakes"]
    share = drawn.div(first.assign(low=middle, high=middle))
    axes = curves(share, {"bound": "bound", "mistakes": "random"}, "p ({})",
                  "mistakes, those at p = 2 being 1", who=_WHO, split="data",
                  labels={"mistakes": "random"}, size=(3.5, 2.9), xticks=_TICKS,
                  yticks=[0.1, 0.3, 1, 3], ylim=(0.07, 4))  # fmt: skip
    axes[0].legend(loc="upper right")
    said = [
        f"with a {kind} the mistakes go from {line['mistakes'].iloc[0]:.0f} at p = "
        f"{line.index[0]} to {line['mistakes'].iloc[-1]:.0f} at p = {line.index[-1]}, "
        f"and the bound is least at p = {line['bound'].idxmin():g}"
        for kind, line in groups(drawn, "data")
    ]
    return Figure(axes, sentences(said), drawn[["mistakes", "bound"]].round(1))


def noise(table: pd.DataFrame) -> Figure:
    """Draw mistakes and their bounds against the share of wrong labels.

    `table` has the columns learner, noise, seed, mistakes and bound.
    """
    drawn = means(table, "noise", "mistakes", "learner", **_ALL)
    looks = {"mistakes": "random", "bound": look("bound")}
    axes = curves(drawn, looks, "wrong labels ({})", "mistakes", split="learner",
                  labels={"mistakes": "{}"}, size=(3.4, 2.8), legend="upper left",
                  ylim=(0, 1.05 * drawn["bound"].max()))  # fmt: skip
    last = drawn.index[-1][1]
    said = listed(
        f"{row['mistakes']:.0f} of at most {row['bound']:.0f} ({name})"
        for name, row in drawn.xs(last, level="noise").iterrows()
    )
    return Figure(
        axes,
        f"With {last:.0%} wrong labels the mean mistakes are {said}.",
        drawn[["mistakes", "bound"]].round(1),
    )
