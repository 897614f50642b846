"""The figures of the chapter `standard_optimal`."""

from matplotlib.patches import Rectangle

from olc.halving import Hypotheses
from olc.standard_optimal import mistake_tree as deepest
from olc_book.plots.kit import *

__all__ = ["mistake_tree", "families", "triangle", "quiet_rounds", "disjunctions"]


def mistake_tree(table: Hypotheses) -> Figure:
    """Draw the deepest mistake tree that a small class shatters."""
    tree, paths = deepest(table), {}
    depth = _depth(tree)
    ax = panel(4.1, 1.0 + 0.75 * depth)

    def grow(node: Any, path: str, center: float) -> None:
        level = len(path)
        if level == depth:
            paths[path] = node
            ax.text(center, -level - 0.12, f"h{node}", ha="center", va="top")
            return
        point, *branches = node
        for side, sign, branch in zip((-1, 1), "−+", branches, strict=True):
            below = center + side * 2.0 ** (depth - level - 2)
            ax.plot([center, below], [-level, -level - 1], color=GREY, linestyle="-")
            middle = center + 0.62 * (below - center) + side * 0.18
            ax.text(middle, -level - 0.5, sign, ha="center", va="center")
            grow(branch, path + sign, below)
        ax.plot(center, -level, "o", color=colour("StandardOptimal"), markersize=19)
        ax.text(center, -level, f"{point}", ha="center", va="center", color="white")

    grow(tree, "", 0.0)
    ax.set(xlim=(-(2.0 ** (depth - 1)), 2.0 ** (depth - 1)))
    ax.set(ylim=(-depth - 0.5, 0.35))
    ax.axis("off")
    leaves = pd.Series(paths).rename_axis("labels on the path").to_frame("hypothesis")
    said = (
        f"A complete tree of depth {depth}: its {2**depth} paths end at "
        f"{leaves['hypothesis'].nunique()} different hypotheses of a class of "
        f"{len(table)}."
    )
    return Figure(ax, said, leaves)


def _depth(tree: Any) -> int:
    return 1 + _depth(tree[1]) if isinstance(tree, tuple) else 0


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
    values = table.apply(pd.to_numeric, errors="coerce").to_numpy()
    ax, most = panel(4.1, 3.0), np.nanmax(values)
    sizes, ks = np.array(table.index, dtype=int), np.array(table.columns, dtype=int)
    for row, column in np.argwhere(~np.isnan(values)):
        share = values[row, column] / most
        ax.add_patch(Rectangle(
            (ks[column] - 0.5, sizes[row] - 0.5), 1, 1, linewidth=0,
            facecolor=colour("StandardOptimal"), alpha=0.6 * share))  # fmt: skip
        ax.text(ks[column], sizes[row], f"{values[row, column]:.0f}",
                ha="center", va="center")  # fmt: skip
    ax.set(xlim=(0.5, ks.max() + 0.5), xticks=ks, xlabel="k")
    ax.set(ylim=(sizes.max() + 0.5, 0.5), yticks=sizes, ylabel="N")
    ax.grid(visible=False)
    said = (
        f"The largest dimension is {most:.0f}; in the last row it is "
        f"{listed(f'{value:.0f}' for value in values[-1] if value == value)}."
    )
    return Figure(ax, said, table)


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


def disjunctions(table: pd.DataFrame) -> Figure:
    """Draw what disjunctions of k variables cost, against k.

    `table` is indexed by k. Its columns are optimal, the Littlestone dimension;
    halving, its worst case; Contrary, what this adversary forces on halving; and size,
    the bound by the logarithm of the size.
    """
    looks = {
        "size": look("Halving", "bound"),
        "halving": look("Halving", "adversary"),
        "Contrary": {"color": GREY, "linestyle": ":", "marker": "x"},
        "optimal": look("StandardOptimal", "adversary"),
    }
    labels = {"size": "⌊log₂ |H|⌋", "halving": "halving, worst case"}
    axes = curves(table, looks, "k", "mistakes", legend="upper right",
                  labels=labels | {"Contrary": "halving, Contrary"},
                  ylim=(0, 1.75 * table["size"].max()))  # fmt: skip
    worse = table.index[table["halving"] > table["optimal"]].tolist()
    attained = table.index[table["halving"] == table["size"]].tolist()
    said = (
        f"Halving can make more mistakes than the optimal algorithm at k = "
        f"{listed(map(str, worse))}, and it attains its bound at k = "
        f"{listed(map(str, attained))}."
    )
    return Figure(axes, said, table)
