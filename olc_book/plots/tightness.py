"""The figure of the chapter `tightness`."""

from olc_book.plots.kit import *

__all__ = ["ratios"]


def ratios(table: pd.DataFrame) -> Figure:
    """Draw the share of its bound that an adversary reaches, against N.

    `table` has the columns learner, n, mistakes and bound.
    """
    names = [str(name) for name in table["learner"].unique()]
    shares = table.assign(share=table["mistakes"] / table["bound"]).pivot(
        index="n", columns="learner", values="share"
    )[names]
    looks = {name: look(name, "adversary") for name in names}
    (ax,) = curves(shares, looks, "N", "share of the bound", size=(4.4, 3.6),
                   xticks=shares.index, ylim=(0, 1.05))  # fmt: skip
    ax.axhline(1, **look("bound"))
    ax.legend(loc="lower right")
    first, last = shares.iloc[0], shares.iloc[-1]
    said = ", ".join(
        f"{first[name]:.0%} and {last[name]:.0%} ({name})" for name in names
    )
    return Figure(
        ax,
        f"At N = {shares.index[0]} and {shares.index[-1]} the adversaries reach "
        f"{said} of the bounds.",
        shares.rename_axis("N").round(3),
    )
