"""The figures of the chapter `thick_separator`."""

from olc.margin_perceptron import MarginPerceptron
from olc_book.plots.kit import *

__all__ = ["errors", "width"]


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
