"""The figures of the chapter `tightness`."""

import re

from olc_book.plots.kit import *

__all__ = ["verdicts", "ratios", "dimensions"]


def verdicts(table: pd.DataFrame) -> Figure:
    """Draw a bar for every theorem: which share of its bound has been reached.

    `table` is one of those of `olc_book.tightness`. Each name is a link to its theorem;
    the bar ends at the share of the sharpest bound, and a second mark, where there is
    one, at that of the simple bound.
    """
    ax = panel(WIDEST, 0.36 * len(table) + 0.75)
    best, ink = table["sharper"].fillna(table["bound"]), look("worst")["color"]
    shares, simple = table["measured"] / best, table["measured"] / table["bound"]
    pages = table["theorem"].str.replace("#", ".html#")
    inside: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
    told = zip(table["name"], pages, table["game"], table["measured"], best,
               shares, simple, strict=True)  # fmt: skip
    for row, (name, page, game, made, most, share, short) in enumerate(told):
        ax.plot([0, 1], [row, row], color=GREY, linewidth=0.8, linestyle=":")
        ax.plot([0, share], [row, row], color=ink, linewidth=3, linestyle="-")
        if short < share:
            ax.plot(short, row, "|", color=INK, markersize=9)
        for text, x, aside, style in [
            (name, 0, 0, {"url": page}),
            (game, 0, 165, {"url": _GAME, "color": GREY}),
            (f"{_short(made)} of {_short(most)}", 1, 0, {"ha": "right"}),
        ]:
            place: dict[str, Any] = inside | style
            ax.annotate(text, (x, row), (aside, 11), **place)
    ax.set(xlim=(-0.005, 1.005), ylim=(len(table) - 0.4, -0.75), yticks=[])
    ax.set(xlabel="share of the bound", xticks=[0, 0.25, 0.5, 0.75, 1])
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.grid(visible=False)
    met = int((shares > 1 - 1e-6).sum())
    least = list(table["name"])[int(shares.argmin())]
    drawn = Figure(
        ax,
        f"Of {len(table)} bounds {met} are attained; the smallest share of the "
        f"sharpest bound that is known is {shares.min():.2f}, at {least}.",
        table.drop(columns="theorem").set_index("name").round(2),
    )
    wide, narrow = drawn.svgs
    told_game = rf'<a href="{_GAME}" target="_blank">(.*?)</a>'
    wide, narrow = re.sub(told_game, r"\1", wide), re.sub(told_game, "", narrow)
    drawn.svgs = [svg.replace('" target="_blank">', '">') for svg in (wide, narrow)]
    return drawn


_GAME = "game"  # what marks a text for which a phone has no room


def _short(value: float) -> str:
    return with_commas(f"{value:.0f}" if value >= 999.95 else f"{value:.4g}")


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
