"""The figures of the chapter `standard_optimal`."""

from matplotlib.patches import Rectangle

from olc.halving import Hypotheses
from olc.standard_optimal import mistake_tree as deepest
from olc_book.plots.kit import *

__all__ = ["mistake_tree", "two_halves", "families", "triangle", "questions",
           "quiet_rounds", "worst_case"]  # fmt: skip


def mistake_tree(table: Hypotheses) -> Figure:
    """Draw the deepest mistake tree that a small class shatters."""
    tree = deepest(table)
    depth = _depth(tree)
    ax = panel(4.1, 1.0 + 0.75 * depth)
    leaves = pd.Series(_grow(ax, tree)).rename_axis("labels on the path")
    said = (
        f"A complete tree of depth {depth}: its {2**depth} paths end at "
        f"{leaves.nunique()} different hypotheses of a class of {len(table)}."
    )
    return Figure(ax, said, leaves.to_frame("hypothesis"))


def _grow(ax: Axes, tree: Any, said: str = "", true: str = "") -> dict[str, int]:
    """Draw a tree, and return the hypothesis at the end of every path.

    With `true`, the path of these labels is thick; where it parts from what was `said`,
    that edge is marked as a mistake.
    """
    depth, paths = _depth(tree), {}

    def grow(node: Any, path: str, center: float) -> None:
        level = len(path)
        if level == depth:
            paths[path] = node
            ax.text(center, -level - 0.12, f"h{node}", ha="center", va="top")
            return
        point, *branches = node
        for side, sign, branch in zip((-1, 1), "−+", branches, strict=True):
            below, walked = center + side * 2.0 ** (depth - level - 2), path + sign
            taken = bool(true) and true.startswith(walked)
            style: dict[str, Any] = {"color": INK if taken else GREY, "linestyle": "-"}
            ax.plot([center, below], [-level, -level - 1], **style,
                    linewidth=3 if taken else 1)  # fmt: skip
            beside = 0.25 if true else 0.18  # of the edge, or of a cross on it
            middle = center + 0.62 * (below - center) + side * beside
            ax.text(middle, -level - 0.5, sign, ha="center", va="center")
            if true.startswith(path) and said[level : level + 1] == sign:
                halfway = (center + below) / 2
                ax.plot(halfway, -level - 0.5, **look("mistake") | {"markersize": 7})
            grow(branch, walked, below)
        ax.plot(center, -level, "o", color=colour("StandardOptimal"), markersize=19)
        ax.text(center, -level, f"{point}", ha="center", va="center", color="white")

    grow(tree, "", 0.0)
    ax.set(xlim=(-(2.0 ** (depth - 1)), 2.0 ** (depth - 1)))
    ax.set(ylim=(-depth - 0.5, 0.35))
    ax.axis("off")
    return paths


def _depth(tree: Any) -> int:
    return 1 + _depth(tree[1]) if isinstance(tree, tuple) else 0


def two_halves(table: Hypotheses, said: Sequence[int]) -> Figure:
    """Draw the two halves of the theorem: two trees under a point, and a walk.

    In the mistake tree of the class the adversary walks away from what a learner has
    `said`, a prediction for each point on the way.
    """
    tree, green = deepest(table), colour("StandardOptimal")
    depth = _depth(tree)
    axes = joined, walk = panels(2, height=1.0 + 0.75 * depth)
    for x, sign, room, words in (
        (-1, "−", "d", "right: it\nsurvives"),
        (1, "+", "d or more", "what the\nlearner said"),
    ):
        corners = [x, x - 0.92, x + 0.92, x], [-1, 0.2 - depth, 0.2 - depth, -1]
        joined.plot([0, x], [0, -1], color=GREY, linestyle="-", linewidth=1)
        joined.fill(*corners, color=green, alpha=0.25, linewidth=0, linestyle="-")
        joined.text(0.62 * x + 0.2 * np.sign(x), -0.5, sign, ha="center", va="center")
        joined.text(x, 0.75 - depth, f"depth\n{room}", ha="center", va="center")
        joined.text(x, 0.1 - depth, words, ha="center", va="top")
    joined.plot(0, 0, "o", color=green, markersize=19)
    joined.text(0, 0, "x", ha="center", va="center", color="white")
    both: dict[str, Any] = {
        "arrowstyle": "<->",
        "color": GREY,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    joined.annotate("", (2.1, 0), (2.1, 0.2 - depth), arrowprops=both)
    joined.text(2.2, 0.1 - depth / 2, "d + 1", va="center")
    joined.set(xlim=(-2, 2.8), ylim=(-depth - 0.5, 0.35))
    joined.axis("off")
    signs = "".join("+" if one > 0 else "−" for one in said)
    true = signs.translate(str.maketrans("+−", "−+"))
    leaves = _grow(walk, tree, signs, true)
    told = (
        "Two trees of depth d below a point make one of depth d + 1. A learner that "
        f"says {listed(signs)} errs {depth} times on the way to h{leaves[true]}."
    )
    steps = pd.DataFrame({"said": list(signs), "declared": list(true)})
    return Figure(axes, told, steps.set_axis(pd.RangeIndex(1, depth + 1, name="round")))


def families(parts: Mapping[str, Hypotheses]) -> Figure:
    """Draw two classes below each other as one table: who says +1 at which point.

    Each part is named; a row is a hypothesis and a column a point.
    """
    table = np.vstack(list(parts.values()))
    rows, points = table.shape
    ax = panel(4.1, 0.8 + 0.25 * rows)
    ax.set(xlim=(-0.5, points + 2.6), ylim=(rows - 0.5, -0.5), xlabel="point")
    ax.set(xticks=range(points), yticks=[])
    ax.grid(visible=False)
    plus = np.argwhere(table > 0)
    ax.scatter(plus[:, 1], plus[:, 0], marker="s", s=110, color=colour("Halving"))
    minus = np.argwhere(table < 0)
    ax.scatter(minus[:, 1], minus[:, 0], marker="s", s=6, color=GREY)
    above = 0
    for name, part in parts.items():
        middle, words = above + (len(part) - 1) / 2, name.replace(" ", "\n", 1)
        ax.text(points - 0.2, middle, words, va="center")
        above += len(part)
        if above < rows:
            ax.axhline(above - 0.5, color=GREY, linewidth=1)
    counts = (f"{len(part)} of the family {name!r}" for name, part in parts.items())
    said = f"The table has {rows} rows and {points} columns: {listed(counts)}."
    return Figure(ax, said, pd.DataFrame(table))


def triangle(table: pd.DataFrame) -> Figure:
    """Draw a number for each N and k as a square: the larger, the darker.

    `table` has a row for each N and a column for each k, and "" where k > N.
    """
    ax, values = panel(4.1, 3.0), _numbers(table)
    _squares(ax, table, colour("StandardOptimal"))
    said = (
        f"The largest dimension is {np.nanmax(values):.0f}; in the last row it is "
        f"{listed(f'{value:.0f}' for value in values[-1] if value == value)}."
    )
    return Figure(ax, said, table)


def _numbers(table: pd.DataFrame) -> Vector:
    return np.asarray(table.apply(pd.to_numeric, errors="coerce"), dtype=float)


def _squares(ax: Axes, table: pd.DataFrame, tone: str) -> None:
    values = _numbers(table)
    sizes, ks = np.array(table.index, dtype=int), np.array(table.columns, dtype=int)
    for row, column in np.argwhere(~np.isnan(values)):
        share = values[row, column] / np.nanmax(values)
        ax.add_patch(Rectangle(
            (ks[column] - 0.5, sizes[row] - 0.5), 1, 1, linewidth=0,
            facecolor=tone, alpha=0.6 * share))  # fmt: skip
        ax.text(ks[column], sizes[row], f"{values[row, column]:.0f}",
                ha="center", va="center")  # fmt: skip
    ax.set(xlim=(0.5, ks.max() + 0.5), xticks=ks, xlabel="k")
    ax.set(ylim=(sizes.max() + 0.5, 0.5), yticks=sizes, ylabel="N")
    ax.grid(visible=False)


def questions(
    games: Mapping[str, tuple[Sequence[str], Sequence[str], Sequence[int]]],
) -> Figure:
    """Draw the questions of an adversary about disjunctions, a panel for each game.

    A game has for each round the variables that are 1, those that may still be in the
    disjunction when it is asked, both as strings of bits, and the label.
    """
    axes, rows = panels(len(games), height=2.6), []
    for ax, (name, (asked, possible, labels)) in zip(axes, games.items(), strict=True):
        for t, (ones, open_, y) in enumerate(
            zip(asked, possible, labels, strict=True), 1
        ):
            for i, (bit, may) in enumerate(zip(ones, open_, strict=True), 1):
                if may == "1":
                    ax.add_patch(Rectangle(
                        (i - 0.5, t - 0.42), 1, 0.84, linewidth=0, alpha=0.3,
                        facecolor=colour("StandardOptimal")))  # fmt: skip
                size = 8 if bit == "1" else 2
                ax.plot(i, t, "s", color=INK if bit == "1" else GREY, markersize=size)
            ax.text(len(ones) + 0.9, t, "+" if y > 0 else "−", ha="center", va="center")
            rows.append((name, t, ones, open_, y))
        ax.set(xlim=(0.3, len(asked[0]) + 1.4), xticks=range(1, len(asked[0]) + 1))
        ax.set(ylim=(len(asked) + 0.6, 0.4), yticks=range(1, len(asked) + 1))
        ax.set(xlabel=f"variable, {name}", ylabel="question")
        ax.grid(visible=False)
    columns = ["game", "question", "variables that are 1", "possible", "label"]
    table = pd.DataFrame(rows, columns=columns).set_index(columns[:2])
    told = (
        f"{plural(len(game[2]), 'question')} ({name})" for name, game in games.items()
    )
    return Figure(axes, f"Both answers can be defended in {listed(told)}.", table)


def quiet_rounds(votes: pd.DataFrame) -> Figure:
    """Draw how quiet rounds prepare the ties: who is left, and who votes wrong.

    `votes` has a row for every round: how many hypotheses are `left` before it, how
    many of them vote `against` the label, and whether this is a `mistake`.
    """
    rounds, wrong = votes.index + 1, votes["mistake"].to_numpy(dtype=bool)
    axes, share = panels(2, 3.5, 2.8), votes["against"] / votes["left"]
    axes[0].bar(rounds, votes["left"], color=colour("Halving"), alpha=0.35)
    axes[0].bar(rounds, votes["against"], color=colour("Halving"))
    for x, many in zip(rounds, votes["left"], strict=True):
        axes[0].text(x, many + 1, f"{many}", ha="center", va="bottom")
    axes[0].set(ylabel="hypotheses left", ylim=(0, 1.15 * votes["left"].max()))
    axes[1].axhline(0.5, color=GREY, linewidth=1)
    axes[1].plot(rounds, share, **look("Halving") | {"marker": "o"})
    axes[1].plot(rounds[wrong], share[wrong], **look("mistake") | {"markersize": 9})
    axes[1].set(ylabel="share of the votes against the label", ylim=(0, 0.6))
    for ax in axes:
        ax.set(xlabel="round", xticks=list(rounds))
    quiet = int((~wrong).sum())
    said = (
        f"In {quiet} rounds without a mistake the version space shrinks from "
        f"{votes['left'].iloc[0]} to {votes['left'].iloc[quiet]}; in each of the "
        f"{int(wrong.sum())} rounds after them at least half of the votes are wrong."
    )
    return Figure(axes, said, votes.set_axis(rounds.rename("round")))


def worst_case(
    halving: pd.DataFrame, dimension: pd.DataFrame, row: pd.DataFrame
) -> Figure:
    """Draw halving's worst case beside the dimension: for all N and k, and for one N.

    The triangles have a row for each N and a column for each k. `row` is indexed by k:
    optimal, the dimension; halving, its worst case; Contrary, what this adversary
    forces on halving; and size, the bound by the logarithm of the size.
    """
    axes = squares, lines = panels(2, height=3.1)
    _squares(squares, halving, colour("Halving"))
    more = _numbers(halving) - _numbers(dimension)
    for y, x in np.argwhere(more > 0):
        corner = halving.columns[x] - 0.44, halving.index[y] - 0.44
        squares.add_patch(Rectangle(corner, 0.88, 0.88, fill=False, edgecolor=INK,
                                    linewidth=1.4))  # fmt: skip
    looks = {
        "size": look("Halving", "bound"),
        "halving": look("Halving", "adversary"),
        "Contrary": {"color": GREY, "linestyle": ":", "marker": "x"},
        "optimal": look("StandardOptimal", "adversary"),
    }
    labels = {"size": "⌊log₂ |H|⌋", "halving": "halving, worst case",
              "Contrary": "halving against Contrary", "optimal": "optimal"}  # fmt: skip
    for name, style in looks.items():
        lines.plot(row.index, row[name], **style, label=labels[name])
    lines.set(xlabel=f"k, with N = {row.index.max()}", ylabel="mistakes")
    lines.set(xticks=row.index, ylim=(0, 1.75 * row["size"].max()))
    lines.legend(loc="upper right")
    worse = row.index[row["halving"] > row["optimal"]].tolist()
    attained = row.index[row["halving"] == row["size"]].tolist()
    told = (
        f"In {np.sum(more > 0)} of {np.sum(more >= 0)} classes halving's worst case is "
        f"above the dimension. At N = {row.index.max()} these have k = "
        f"{listed(map(str, worse))}, and halving attains the bound by the size at k = "
        f"{listed(map(str, attained))}."
    )
    return Figure(axes, told, row)
