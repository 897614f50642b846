"""The figures of the chapter `tightness`."""

from olc_book.plots.kit import *

__all__ = ["ratios", "dimensions"]


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
                   xticks=shares.index, ylim=(0, 1.05), legend="ends")  # fmt: skip
    ax.axhline(1, **look("bound"))
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


def dimensions(table: pd.DataFrame) -> Figure:
    """Draw what every learner of halfspaces suffers, and what two of them can.

    `table` has the columns n, every learner, halving (missing where nobody needs it)
    and Perceptron.
    """
    table = table.rename(columns={"n": "N"}).set_index("N")
    low, halving, additive = (
        table[name] for name in ("every learner", "halving", "Perceptron")
    )
    high = np.fmin(halving, additive)
    ax = panel(WIDEST, 3.2)
    shade(ax, low, high, GREY)
    ax.plot(low.index, low, **look("worst"))
    ax.plot(halving.index, halving, **look("Halving", "bound"))
    ax.plot(additive.index, additive, **look("Perceptron", "bound"))
    for said, who, n, y, ha in [
        ("Perceptron", "Perceptron", low.index[0], 520, "left"),
        ("halving", "Halving", 12, 110, "right"),
        ("every learner", "worst", low.index[-1], 70, "right"),
    ]:
        ax.text(n, y, said, color=look(who)["color"], ha=ha, va="center")
    log_axis(ax, [4, 16, 64, 256])
    log_axis(ax, [1, 10, 100, 1000], "y")
    ax.set(xlabel="N", ylabel="mistakes", ylim=(1, 1500))
    factor = (high / low).max()
    return Figure(
        ax,
        f"Every learner can be led to {low.iloc[0]:.0f} mistakes at N = {low.index[0]} "
        f"and to {low.iloc[-1]:.0f} at N = {low.index[-1]}. The better of the two "
        f"bounds is never more than {factor:.1f} times as much.",
        table,
    )
