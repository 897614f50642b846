"""Figures of the chapter `regression`."""

from olc_book.plots.kit import *

__all__ = ["potentials", "sparse_and_dense", "distances"]


def potentials(ledgers: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the potentials of two proofs between their envelopes, round by round.

    The ledgers are named by the learners, "GD" and "EG".
    """
    axes = envelopes(ledgers, _POTENTIALS, size=(3.5, 3.0), whose=_NAMES)
    found = []
    for ax, (name, ledger) in zip(axes, ledgers.items(), strict=True):
        legend_above(ax, 2)
        last, rounds = ledger.iloc[-1], len(ledger)
        inside = ledger["potential"].between(-1e-9, ledger["upper"] + 1e-9).sum()
        found.append(
            f"after {rounds} rounds {_POTENTIALS[name]} is {last['potential']:.3g} and "
            f"at most {last['upper']:.3g} by the proof; it is between the envelopes in "
            f"{every(int(inside), rounds, 'round')}"
        )
    table = pd.concat(ledgers, names=["learner"])[["potential", "upper"]]
    ends = table.groupby("learner", sort=False).tail(1)
    return Figure(axes, sentences(found), ends.round(4))


_POTENTIALS = {"GD": "½‖u − w‖²", "EG": "RE(u‖w)"}


def sparse_and_dense(sparse: pd.DataFrame, dense: pd.DataFrame) -> Figure:
    """Draw the total loss against N for both learners, in two kinds of games.

    Each table is that of a sweep with columns n, learner, loss and bound.
    """
    axes, parts, found = [], {}, []
    for kind, runs in (("sparse", sparse), ("dense", dense)):
        drawn = medians(runs, "n", "loss", "learner", spread=(0, 1))
        drawn["bound"] = runs.groupby(["learner", "n"])["bound"].max()
        axes += curves(drawn, {"median": "random", "bound": "bound"},
                       f"N, {kind} target", "total loss", by="learner", whose=_NAMES,
                       size=(3.5, 3.2), xticks=sorted(runs["n"].unique()),
                       yticks=[10, 100, 1000, 10_000], ylim=(7, None),
                       legend="upper left")  # fmt: skip
        parts[kind] = drawn.rename(columns={"high": "loss"}).swaplevel().sort_index()
        last = parts[kind]["loss"].loc[runs["n"].max()]
        found.append(
            f"with a {kind} target and N = {runs['n'].max()}, gradient descent loses "
            f"{last['GD']:.0f} and EG± {last['EG±']:.0f}"
        )
    table = pd.concat(parts, names=["target"])[["loss", "bound"]].sort_index()
    return Figure(axes, sentences(found), table.round(1))


_NAMES = {
    "GD": "GradientDescent",
    "EG": "ExponentiatedGradient",
    "EG±": "SignedExponentiatedGradient",
}


def distances(runs: pd.DataFrame, bound: pd.Series) -> Figure:
    """Draw how far the forecasts are from the truth, in two kinds of weather.

    `runs` is the table of a sweep with columns copies, T and one for each forecaster;
    `bound` has the number of days as its index.
    """
    names = [name for name in runs if name not in ("copies", "T", "seed")]
    means = runs.groupby(["copies", "T"])[names].mean()
    means["bound"] = means.index.get_level_values("T").map(bound.to_dict())
    looks = {name: style for name, style in _STATION.items() if name in means}
    axes = curves(means, looks, "days, copies {:g}", "total distance",
                  split="copies", who="VovkAzouryWarmuth", size=(3.5, 3.2),
                  xticks=bound.index, yticks=[1, 10, 100], ylim=(1.2, 150),
                  legend="upper left")  # fmt: skip
    longest = bound.index.max()
    found = [
        f"if the places are copies with probability {copies:g}, then after {longest} "
        "days the total distance is "
        + listed(f"{value:.1f} ({name})" for name, value in
                 means.loc[(copies, longest), names].items())
        for copies in runs["copies"].unique()
    ]  # fmt: skip
    return Figure(axes, sentences(found), means.round(1))


_STATION: dict[str, dict[str, Any]] = {
    "VAW": look("VovkAzouryWarmuth") | {"marker": "o"},
    "1/(t + R²)": look("GradientDescent") | {"marker": "s"},
    "constant": look("GradientDescent") | {"linestyle": ":", "marker": "^"},
    "clerk": {"color": GREY, "linestyle": "-.", "marker": "x"},
    "bound": look("VovkAzouryWarmuth", "bound"),
}
