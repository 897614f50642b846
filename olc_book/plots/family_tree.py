"""The figures of the appendix `family_tree`."""

import re

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.transforms import ScaledTranslation

from olc_book.plots.kit import *

__all__ = ["tree", "links", "readings", "drift", "margins", "powers", "averages"]

#: Where each name stands, in shares of the picture, the algorithm and where it is told.
_PLACES: dict[str, tuple[float, float, str | None, str]] = {
    "Halving": (0.39, 0.95, "Halving", "online_game#alg-halving"),
    "standard optimal": (0.64, 0.95, "StandardOptimal", "standard_optimal"),
    "weighted majority": (0.39, 0.79, "WeightedMajority", "weighted_majority"),
    "randomised majority": (
        0.13, 0.79, "RandomizedWeightedMajority", "randomized_weighted_majority"),
    "Exp3": (0.13, 0.95, "Exp3", "bandits"),
    "forecaster": (0.13, 0.62, None, "forecasters"),
    "normalised Winnow": (0.39, 0.62, "NormalizedWinnow", "normalized_winnow"),
    "boosting": (0.64, 0.8, None, "family_tree#boosting"),
    "kernel Perceptron": (0.87, 0.8, "KernelPerceptron", "kernel_perceptron"),
    "p-norm": (0.65, 0.62, "PNormPerceptron", "one_proof"),
    "Perceptron": (0.87, 0.62, "Perceptron", "perceptron"),
    "EG": (
        0.07, 0.41, "ExponentiatedGradient", "regression#alg-exponentiated-gradient"),
    "Winnow": (0.232, 0.41, "Winnow", "winnow"),
    "Winnow-R": (0.232, 0.22, "WinnowR", "winnow_r"),
    "Balanced Winnow": (0.412, 0.41, "BalancedWinnow", "balanced_winnow"),
    "average": (0.605, 0.45, "AveragedPerceptron", "averaged_perceptron"),
    "margin Perceptron": (0.87, 0.41, "MarginPerceptron", "thick_separator"),
    "gradient descent": (
        0.62, 0.22, "GradientDescent", "regression#alg-gradient-descent"),
    "Passive–Aggressive": (
        0.72, 0.05, "PassiveAggressive", "thick_separator#alg-passive-aggressive"),
    "SVM": (0.92, 0.05, None, "family_tree#from-the-perceptron"),
}  # fmt: skip


def tree(steps: pd.DataFrame) -> Figure:
    """Draw the family: an arrow for every row, and beside it its number.

    `steps` has the numbers as its index, and the columns from and to. Each box is a
    link to its chapter.
    """
    ax = panel(WIDEST, _HEIGHT)
    names = pd.unique(steps[["from", "to"]].to_numpy().ravel())
    for name in names:
        if name not in _PLACES:
            raise ValueError(f"{name} has no place: choose from {', '.join(_PLACES)}")
    boxes = {name: _box(ax, name) for name in names}
    for number, one, two in steps[["from", "to"]].itertuples():
        start, end = _PLACES[one][:2], _PLACES[two][:2]
        arrow = FancyArrowPatch(
            start, end, patchA=boxes[one], patchB=boxes[two],
            arrowstyle="-|>", mutation_scale=11, linewidth=1.3, color=INK,
            zorder=4,  # after the boxes, whose sizes it has to know
            transform=ax.figure.transFigure, clip_on=False)  # fmt: skip
        ax.add_patch(arrow)
        aside = _beside(start, end)
        if start[1] == end[1]:  # it belongs to what is seen between the boxes
            left, right = (one, two) if start[0] < end[0] else (two, one)
            aside[0] += 18 * (boxes[left].get_width() - boxes[right].get_width())
        _centred(ax, str(number), np.add(start, end) / 2, aside)
    ax.set_axis_off()
    leads = [
        f"{one} leads to {listed(group)}"
        for one, group in steps.groupby("from", sort=False)["to"]
    ]
    drawn = Figure(ax, "; ".join(leads) + ".", steps)
    drawn.svgs = [_linked(svg) for svg in drawn.svgs]
    return drawn


_HEIGHT = 4.9
_LINE = 0.17  # inches from one line of a label to the next


def _box(ax: Axes, name: str) -> FancyBboxPatch:
    """Draw a name in a box; each of its lines is a text of its own, so that it stays
    in the middle whatever the font is."""
    across, up, who, _ = _PLACES[name]
    lines = name.replace(" ", "\n").replace("–", "–\n").split("\n")
    width, height = 0.078 * max(map(len, lines)) + 0.14, _LINE * len(lines) + 0.12
    owner: Any = ax.figure
    box = FancyBboxPatch(
        (-width / 2, -height / 2), width, height, clip_on=False, zorder=3, url=name,
        boxstyle="round,pad=0,rounding_size=0.06", facecolor="#ffffff00",
        edgecolor=GREY if who is None else colour(who),
        transform=owner.dpi_scale_trans
        + ScaledTranslation(across, up, owner.transFigure))  # fmt: skip
    ax.add_patch(box)
    for place, line in enumerate(lines):
        below = 72 * _LINE * ((len(lines) - 1) / 2 - place)
        _centred(ax, line, (across, up), (0, below), url=name)
    return box


def _centred(ax: Axes, text: str, place: Any, aside: Any, **style: Any) -> None:
    # not "figure fraction", which loses its place when a picture is cut to its ink
    ax.annotate(text, place, aside, xycoords=ax.figure.transFigure, ha="center",
                textcoords="offset points", va="center", size=10, zorder=3,
                **style)  # fmt: skip


def _linked(svg: str) -> str:
    """Make one link of the box and of the lines of each name."""
    for name, (*_, place) in _PLACES.items():
        before, *parts = svg.split(f'<g><a href="{name}" target="_blank">')
        if parts:
            page = re.sub("#|$", ".html#", place, count=1).removesuffix("#")
            link = f'<g><a href="{page}" aria-label="{name}">'
            inside = [part.removesuffix("</a></g>") for part in parts[:-1]]
            svg = "".join([before, link, *inside, parts[-1]])
    return svg


def _beside(start: Any, end: Any) -> Any:
    """Return which way a number is from the middle of its arrow, in points.

    It is above it, or right of it if it is upright. A level arrow is short: its number
    stays above the boxes at its ends.
    """
    right, up = np.subtract(end, start) * (COLUMN, _HEIGHT)
    away = (10 if up else 14) / math.hypot(right, up)
    away *= 1 if right > 0 or right == 0 > up else -1
    return np.array([-up * away, right * away])


def links(table: pd.DataFrame) -> Figure:
    """Draw what learners make of an entry of the state: a column for each, and a panel
    for the first half of them and one for the second."""
    shares, places = table / table.iloc[-1], [(0.3, 0.88), (0.76, 0.2)]
    axes = panels(2, 3.5, 2.2)
    both = np.array_split(list(shares), 2)
    for ax, names, at in zip(axes, both, (0.7, 0.25), strict=True):  # where they differ
        entry = shares.index[int((len(shares) - 1) * at)]
        for name, place in zip(map(str, names), places, strict=True):
            ax.plot(shares.index, shares[name], **look(name))
            note(ax, name, (entry, shares[name][entry]), place)
        ax.set(xlabel="entry of the state", ylabel="weight", ylim=(-1.1, 1.1))
    half = int(np.abs(shares.index - shares.index[-1] / 2).argmin())
    said = listed(f"{number(value)} ({name})" for name, value in
                  shares.iloc[half].items())  # fmt: skip
    return Figure(
        axes,
        f"An entry that is half of the largest has the share {said} of its weight.",
        shares.rename_axis("entry").iloc[::10],
    )


def readings(state: ArrayLike, weights: Mapping[str, ArrayLike]) -> Figure:
    """Draw how many entries of a state have a value, and how much weight they get.

    `weights` has those of each learner, and each has a panel.
    """
    axes, s = panels(len(weights), 3.5, 2.2), pd.Series(np.asarray(state, dtype=float))
    table = (s.value_counts(normalize=True).sort_index()).to_frame("experts")
    for name, found in weights.items():
        share = pd.Series(np.asarray(found, dtype=float)).groupby(s).sum()
        table[name] = share / share.sum()
    for ax, name in zip(axes, weights, strict=True):
        ax.bar(table.index, table["experts"], 1.6, color=GREY, alpha=0.3)
        ax.bar(table.index, table[name], 0.8, color=colour(name))
        best = table.index[-1]
        note(ax, "weight", (best, table[name].iloc[-1]), (0.6, 0.85))
        middle = table["experts"].idxmax()
        note(ax, "experts", (middle, table["experts"].max()), (0.25, 0.6))
        ax.set(xlabel="right answers less wrong ones", ylabel="share", ylim=(0, 1.05))
        ax.set_xticks(table.index)
    ends = listed(f"{table[name].iloc[-1]:.3f} ({name})" for name in weights)
    return Figure(
        axes,
        f"The experts with the best record are {table['experts'].iloc[-1]:.3f} of all "
        f"experts, and their share of the weight is {ends}.",
        table.rename_axis("s").round(4),
    )


def drift(traces: Mapping[str, Trace]) -> Figure:
    """Draw the mistakes so far of several games on one stream."""
    ax = panel(height=2.2)
    for name, trace in traces.items():
        running(ax, trace, name, who=name)
    name_ends(ax)
    ax.set(xlabel="round", ylabel="mistakes", ylim=(0, None))
    said = listed(f"{trace.mistakes} ({name})" for name, trace in traces.items())
    return Figure(ax, f"In all there are {said} mistakes.")


def margins(table: pd.DataFrame) -> Figure:
    """Draw the margin that is reached and guaranteed, against the thickness."""
    looks = {"reached": look("margin Perceptron", "random"), "at least": look("lower")}
    axes = curves(table, looks, "thickness τ", "share of the largest margin",
                   xticks=table.index, ylim=(0, 1.05), legend="ends",
                   size=(WIDEST, 2.3))  # fmt: skip
    first, last = table["reached"].iloc[0], table["reached"].iloc[-1]
    return Figure(
        axes,
        f"From τ = {table.index[0]:g} to {table.index[-1]:g} the margin grows from "
        f"{first:.2f} to {last:.2f} of the largest; guaranteed is never more than one "
        "half.",
        table.rename_axis("τ").round(3),
    )


def powers(
    runs: pd.DataFrame, powers: Sequence[float], rates: Sequence[float]
) -> Figure:
    """Draw the mistakes of the p-norm Perceptron against p, and Winnow's against η.

    `runs` has a column for each of the three learners, and in `place` where its power
    and its rate stand among `powers` and `rates`.
    """
    axes, found = panels(2, 3.5, 2.5), {}
    sides: list[tuple[dict[str, tuple[float, float]], Sequence[float], str]] = [
        ({"p-norm Perceptron": (0.62, 0.72)}, powers, "p"),
        ({"normalised Winnow": (0.3, 0.07), "Balanced Winnow": (0.7, 0.52)}, rates,
         "rate η"),
    ]  # fmt: skip
    for ax, (places, settings, xlabel) in zip(axes, sides, strict=True):
        for name, place in places.items():
            at = runs.groupby("place")[name]
            middle, error = at.mean(), 2 * at.sem()
            middle.index = error.index = pd.Index(settings)
            shade(ax, middle - error, middle + error, colour(name))
            ax.plot(middle.index, middle, **look(name, "random"))
            note(ax, name, (settings[3], middle.iloc[3]), place)
            found[name] = middle.set_axis(range(len(middle)))
        log_axis(ax, list(settings)[::2])
        log_axis(ax, [30, 100, 300], "y")
        ax.set(xlabel=xlabel, ylabel="mistakes", ylim=(18, 450))
    said = listed(
        f"from {made.iloc[0]:.0f} to {made.iloc[-1]:.0f} for {the(name)}"
        for name, made in found.items()
    )
    table = pd.DataFrame({"p": powers, "η": rates} | found).set_index(["p", "η"])
    return Figure(axes, f"The mean number of mistakes falls {said}.", table.round(1))


def averages(runs: pd.DataFrame) -> Figure:
    """Draw the errors of the last weights and of the mean, one stream at a time.

    `runs` is the table of a sweep with columns side, last and average.
    """
    found, axes = {}, []
    for side, rows in runs.groupby("side", sort=False):
        ax, many = panel(3.5, 2.5), np.arange(1, len(rows) + 1)
        pairs = rows[["last", "average"]].sort_values("last").set_index(many)
        gaps = np.full(len(pairs), np.nan)
        high = np.column_stack([pairs["average"], pairs["last"], gaps]).ravel()
        ax.plot(np.repeat(many, 3), high, color=GREY, linestyle="-", linewidth=1)
        ax.plot(pairs["last"], **look(side, "random") | {"linestyle": "none"})
        mean = look("averaged Perceptron") | {"linestyle": "none", "marker": "D"}
        ax.plot(pairs["average"], **mean | {"markersize": 4})
        ax.set(xlabel=f"stream, {side}", ylabel="errors in %", ylim=(-8, 37))
        ax.spines["left"].set_bounds(0, 37)
        middle = len(pairs) // 2
        note(ax, "last weights", (middle, pairs["last"][middle]), (0.3, 0.75))
        note(ax, "average", (middle, pairs["average"][middle]), (0.7, 0.06))
        axes.append(ax)
        found[side] = pairs
    said = [
        f"on {every(int(better.sum()), len(better), 'stream')} the average of "
        f"{the(side)} errs less than its last weights"
        for side, pairs in found.items()
        for better in [pairs["average"] < pairs["last"]]
    ]
    table = pd.concat(found, names=["side"]).groupby("side", sort=False)
    return Figure(axes, sentences(said), table.agg(["mean", "sem"]).round(2))
