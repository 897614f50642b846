"""The figures of the chapter `thick_separator`."""

from olc.margin_perceptron import MarginPerceptron
from olc_book.plots.kit import *

__all__ = ["errors", "width", "rivals"]


def errors(table: pd.DataFrame) -> Figure:
    """Draw the errors on new examples against the thickness.

    `table` has a row for every run: `thickness` and `error`, in per cent.
    """
    drawn, looks = means(table, "thickness", "error"), {"mean": "random"}
    axes = curves(drawn, looks, "thickness τ", "errors on new examples, %",
                  who=MarginPerceptron, size=(4.1, 2.8), xticks=drawn.index,
                  ylim=(0, None))  # fmt: skip
    told = [f"{mean:.1f} % with τ = {tau:g}" for tau, mean in drawn["mean"].items()]
    return Figure(axes, f"The error on new examples is {listed(told)}.", drawn)


def width(table: pd.DataFrame) -> Figure:
    """Draw the reached margin and the updates against the thickness.

    `table` has a row for every run: `thickness`, `share` of the largest margin,
    `updates`, and what the theorem guarantees of each, `guaranteed` and `bound`.
    """
    columns = ["share", "guaranteed", "updates", "bound"]
    drawn, axes = table.groupby("thickness")[columns].mean(), []
    for what, limit, title, scale in (
        ("share", "guaranteed", "share of the largest margin", {"ylim": (0, 1.05)}),
        ("updates", "bound", "updates", {"yscale": "log"}),
    ):
        axes += curves(drawn.join(means(table, "thickness", what)),
                       {what: "random", limit: "bound"}, "thickness τ", title,
                       who=MarginPerceptron, labels={what: "measured"},
                       size=(3.5, 2.8), xticks=drawn.index, legend="best",
                       **scale)  # fmt: skip
    first, last = drawn.iloc[0], drawn.iloc[-1]
    said = (
        f"From τ = {first.name:g} to τ = {last.name:g} the margin rises from "
        f"{first['share']:.0%} to {last['share']:.0%} of the largest one, and the "
        f"updates from {first['updates']:.0f} to {last['updates']:.0f}."
    )
    return Figure(axes, said, drawn)


def rivals(table: pd.DataFrame, names: list[str], against: str) -> Figure:
    """Draw how many mistakes more than one learner the others make, by noise.

    `table` has the columns noise, seed and one for each of the learners' names.
    """
    rest = [name for name in names if name != against]
    axes, told = panels(len(table["noise"].unique()), 3.5, 2.6), []
    for ax, (noise, rows) in zip(axes, table.groupby("noise"), strict=True):
        gaps = rows[rest].sub(rows[against], axis=0)
        middle, error = gaps.mean(), 2 * gaps.sem()
        ax.axvline(0, color=INK, linewidth=0.8)
        for at, name in enumerate(rest):
            who = "PassiveAggressive" if name.startswith("PA") else name
            style = look(who) | {"linestyle": "none", "marker": "o", "elinewidth": 1}
            ax.errorbar(middle[name], at, xerr=error[name], **style)
        ax.set_yticks(range(len(rest)), rest)
        ax.set(xlabel="mistakes more", ylabel="", ylim=(len(rest) - 0.5, -0.5))
        found = listed(f"{gap:+.1f} ({name})" for name, gap in middle.items())
        told.append(f"With {noise:.0%} wrong labels the differences are {found}.")
    return Figure(axes, " ".join(told), table.groupby("noise")[names].mean().round(1))
