"""Figures of the chapter `regression`."""

import itertools

from olc_book.plots.kit import *

__all__ = ["paths", "drops", "potentials", "ellipses", "excess", "sparse_and_dense",
           "distances"]  # fmt: skip


def paths(games: Mapping[str, Any], X: ArrayLike, y: ArrayLike) -> Figure:
    """Draw the weights of learners in the plane, round by round, in a panel each.

    `games` has the weights of each learner, "GD" or "EG", the first row before the
    first round. A dashed line has the weights that fit the example of a round.
    """
    axes, parts = panels(len(games), 3.5, 3.1), {}
    for ax, (name, weights) in zip(axes, games.items(), strict=True):
        path = np.asarray(weights, dtype=float)
        if name == "EG":
            ax.plot([0, 1], [1, 0], color=GREY, linewidth=5, alpha=0.3)
        for x, number in zip(np.asarray(X, float), np.asarray(y, float), strict=True):
            boundary(ax, x, -number, **look("target") | {"linewidth": 1.2})
        style = look(_NAMES[name]) | {"linestyle": "-", "marker": "o", "markersize": 4}
        for tail, tip in itertools.pairwise(path):
            if np.abs(tip - tail).max() > 0.1:
                arrow(ax, tip, tail, color=style["color"])
        ax.plot(*path.T, **style)
        ax.plot(1, 0, color=INK, marker="*", markersize=11, linestyle="none")
        ax.set(xlim=(-0.15, 1.3), ylim=(-0.45, 0.85), xlabel="w₁", ylabel="w₂")
        ax.set_aspect("equal")
        ax.locator_params(nbins=4)
        note(ax, "u", (1, 0), (0.88, 0.22))
        for words, place in _FITS.items():
            ax.annotate(words, place, color=INK, size=10, ha="center", va="center")
        parts[name] = pd.DataFrame(path, columns=["w₁", "w₂"]).rename_axis("rounds")
    table = pd.concat(parts, names=["learner"])
    ends = [
        f"({end[0]:.2f}, {end[1]:.2f}) ({name})" for name, (*_, end) in games.items()
    ]
    alt = (
        "The lines of all examples meet in u. Gradient descent steps at a right angle "
        "to the line of the round and EG along the segment from (1, 0) to (0, 1); the "
        f"last weights are {listed(ends)}."
    )
    return Figure(axes, alt, table.round(4))


#: Where the round of each of the three lines is written.
_FITS = {"1": (0.7, -0.38), "2": (1.07, 0.68), "3": (0.28, 0.82)}


def drops(table: pd.DataFrame, taken: Mapping[str, float]) -> Figure:
    """Draw how far a step of any length lowers the potential, and the parabola below.

    `table` has the levels learner and s, and columns progress, drop and parabola;
    `taken` has the s of each learner.
    """
    axes = panels(len(taken), 3.5, 2.6)
    for ax, (name, rows) in zip(axes, groups(table, "learner"), strict=True):
        style, top = look(_NAMES[name]) | {"linestyle": "-"}, rows["parabola"].max()
        ax.plot(rows["progress"], **look("target"), label="progress")
        ax.plot(rows["drop"], **style, linewidth=3, alpha=0.6, label="drop")
        ax.plot(rows["parabola"], color=INK, linestyle=":", label="progress less ½s²R²")
        here = rows.loc[[taken[name]], "drop"]
        ax.plot(here, color=style["color"], marker="o", markersize=8)
        ax.axhline(0, color=GREY, linewidth=0.8)
        ax.set(xlabel="s", ylabel=f"drop of {_POTENTIALS[name]}")
        ax.set(xlim=(0, rows.index[-1]), ylim=(-0.5 * top, 1.9 * top))
        ax.locator_params(nbins=5)
        slope, last = rows["progress"].iloc[-1] / rows.index[-1], rows.iloc[-1]
        note(ax, "progress", (1.6 * top / slope, 1.6 * top), (0.68, 0.93))
        low = (rows["parabola"] - 0.3 * top).iloc[len(rows) // 2 :].abs().idxmin()
        below = (low, rows["parabola"][low])
        if last["drop"] > top:
            note(ax, "drop", (last.name, last["drop"]), (0.85, 0.6))
            note(ax, "less ½s²R²", below, (0.5, 0.33))
        else:
            note(ax, "drop, which is progress\nless ½s²R²", below, (0.42, 0.1))
    gaps = (table["drop"] - table["parabola"]).groupby("learner", sort=False)
    found = [
        f"the drop of {_POTENTIALS[str(name)]} exceeds the parabola by at most "
        f"{gap.max():.3g} and is nowhere less"
        if gap.max() > 1e-6 and gap.min() > -1e-9
        else f"the drop of {_POTENTIALS[str(name)]} is the parabola"
        for name, gap in gaps
    ]
    few: Any = table.groupby("learner", sort=False).nth(list(range(0, 60, 6)))
    return Figure(axes, sentences(found), few.round(4) + 0)


def ellipses(
    matrices: Sequence[ArrayLike], w: ArrayLike, x: ArrayLike, y: float
) -> Figure:
    """Draw how the matrix of two features grows, and two steps at its last example.

    The ellipses are {v : v·Av = 1}, one for each matrix; the last has taken in x, and
    w are the weights before that.
    """
    first, second = panels(2, 3.5, 3.2)
    circle = np.linspace(0, 2 * np.pi, 121)
    round_ = np.vstack([np.cos(circle), np.sin(circle)])
    color = colour("VovkAzouryWarmuth")
    inverses = [np.linalg.inv(np.asarray(one, dtype=float)) for one in matrices]
    for t, inverse in enumerate(inverses):
        style: Any = {"color": color, "linewidth": 1 + 0.2 * t, "linestyle": "-"}
        if t == len(inverses) - 1:
            style |= {"linestyle": "--", "color": INK}
        first.plot(*(_root(inverse) @ round_), **style)
    first.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
    first.set(xlabel="v₁", ylabel="v₂")
    first.locator_params(nbins=4)
    note(first, "before", (0.5, 0.866), (0.86, 0.95))
    note(first, "1 day", tuple(_root(inverses[1]) @ [-0.8, -0.6]), (0.12, 0.07))
    last = len(inverses) - 1
    note(first, f"{last - 1} days", tuple(_root(inverses[-2]) @ [-0.6, 0.8]),
         (0.12, 0.93))  # fmt: skip
    note(first, f"{last} days", tuple(_root(inverses[-1]) @ [0.8, -0.6]),
         (0.86, 0.08))  # fmt: skip
    here, new = np.asarray(w, dtype=float), np.asarray(x, dtype=float)
    residual = y - here @ new
    toward = inverses[-2] @ new
    reach = residual / (new @ toward)  # as far as the line
    size = reach * math.sqrt(float(new @ toward))
    for share in (0.5, 1.0):
        ring = here[:, None] + share * size * (_root(inverses[-2]) @ round_)
        second.plot(*ring, color=color, linewidth=1.2, linestyle="-")
    boundary(second, new, -y, **look("target"))
    descent = here + residual * new / (new @ new)
    matrix = here + residual * inverses[-1] @ new
    arrow(second, descent, here, color=colour("GradientDescent"))
    arrow(second, matrix, here, color=color, linewidth=2.4)
    second.plot(*here, color=INK, marker="o")
    second.plot(*(here + reach * toward), color=color, marker="D", markersize=6)
    second.set(xlim=(-0.45, 1.35), ylim=(-0.45, 1.35), aspect="equal")
    second.set(xlabel="w₁", ylabel="w₂")
    second.locator_params(nbins=4)
    note(second, "gradient descent", tuple((here + descent) / 2), (0.5, 0.92))
    note(second, "matrix", tuple((here + matrix) / 2), (0.36, 0.14))
    table = pd.DataFrame(
        {"determinant": [1 / np.linalg.det(one) for one in inverses]},
        pd.RangeIndex(len(inverses), name="days"),
    )
    grown = table["determinant"] / table["determinant"].shift()
    rates = listed(f"{value:.2f}" for value in grown.dropna())
    alt = (
        f"The determinant of A grows by the factors {rates}. The step of gradient "
        f"descent ends at ({descent[0]:.2f}, {descent[1]:.2f}), that of the matrix at "
        f"({matrix[0]:.2f}, {matrix[1]:.2f})."
    )
    return Figure([first, second], alt, table.round(4))


def excess(ledger: pd.DataFrame) -> Figure:
    """Draw what has been lost by each round, and the excess beside what is allowed.

    The ledger is that of `olc.vovk.proof`.
    """
    table = pd.DataFrame(
        {
            "learner": ledger["loss"].cumsum(),
            "target": ledger["upper"],
            "least": ledger["potential"],
            "excess": ledger["excess"].cumsum(),
            "allowed": ledger["allowed"].cumsum(),
        }
    )
    own = look("VovkAzouryWarmuth") | {"linestyle": "-"}
    lost = {"learner": own, "target": look("bound"),
            "least": {"color": INK, "linestyle": ":", "linewidth": 2}}  # fmt: skip
    (first,) = curves(table, lost, "round", "lost so far", size=(3.5, 2.7),
                      legend="ends")  # fmt: skip
    gap = {"allowed": look("bound"), "excess": own}
    (second,) = curves(table, gap, "round", "learner, less the least", size=(3.5, 2.7),
                       xticks=[1, 10, 100], legend="ends")  # fmt: skip
    last = {name: number(value) for name, value in table.iloc[-1].items()}
    found = (
        f"After {len(table)} rounds the learner has lost {last['learner']}, the target "
        f"{last['target']} and the best weights {last['least']}. The excess is "
        f"{last['excess']}, and {last['allowed']} is allowed."
    )
    return Figure([first, second], found, table.iloc[:: max(1, len(table) // 10)])


def _root(matrix: Any) -> Any:
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(values) @ vectors.T


def potentials(ledgers: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the potentials of two proofs between their envelopes, round by round.

    The ledgers are named by the learners, "GD" and "EG".
    """
    axes = envelopes(ledgers, _POTENTIALS, size=(3.5, 2.6), whose=_NAMES)
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
                       size=(3.5, 2.8), xticks=sorted(runs["n"].unique()),
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
                  split="copies", who="VovkAzouryWarmuth", size=(3.5, 2.9),
                  xticks=bound.index, yticks=[1, 10, 100],
                  ylim=(1.2, 150), legend="ends")  # fmt: skip
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
