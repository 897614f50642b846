"""The figures of the chapter `tightness`."""

import re

from olc_book.plots.kit import *

__all__ = ["verdicts", "ratios", "halves", "dimensions", "changes"]


def verdicts(table: pd.DataFrame) -> Figure:
    """Draw a bar for every theorem: which share of its bound has been reached.

    `table` is one of those of `olc_book.tightness`, and the fullest bars come first.
    Each name is a link to its theorem, and its bar lies below it. The bar ends at the
    share of the sharpest bound, and a mark, where there is one, is at that of the
    simple bound.
    """
    best = table["sharper"].fillna(table["bound"])
    table = table.assign(best=best, share=table["measured"] / best)
    table = table.sort_values("share", ascending=False, kind="stable")
    best, shares = table.pop("best"), table.pop("share")
    ax, ink = panel(WIDEST, 0.285 * len(table) + 0.7), look("worst")["color"]
    simple = table["measured"] / table["bound"]
    pages = table["theorem"].str.replace("#", ".html#")
    inside: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
    told = zip(table["name"], pages, table["game"], table["measured"], best,
               shares, simple, strict=True)  # fmt: skip
    for row, (name, page, game, made, most, share, short) in enumerate(told):
        ax.barh(row + 0.27, 1, 0.16, color=GREY, alpha=0.25, linewidth=0)
        ax.barh(row + 0.27, share, 0.16, color=ink, linewidth=0)
        if short < share:
            ax.plot([short, short], [row + 0.22, row + 0.48], color=INK, linestyle="-")
        for text, x, aside, style in [
            (name, 0, 0, {"url": page}),
            (game, 0, 171, {"url": _GAME, "color": INK}),
            (f"{_short(made)} of {_short(most)}", 1, 0, {"ha": "right"}),
        ]:
            place: dict[str, Any] = inside | style
            ax.annotate(text, (x, row - 0.12), (aside, 0), **place)
    ax.set(xlim=(-0.005, 1.005), ylim=(len(table) - 0.4, -0.6), yticks=[])
    ax.set(xlabel="share of the bound", xticks=[0, 0.25, 0.5, 0.75, 1])
    ax.set_xticklabels(["0", "0.25", "0.5", "0.75", "1"])
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
    told_game = rf'<a href="{_GAME}"[^>]*>(.*?)</a>'
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
    (ax,) = curves(shares, looks, "N", "share of the bound", size=(4.4, 2.9),
                   xticks=shares.index, ylim=(0, 1.05), legend="ends")  # fmt: skip
    ax.plot(shares.index[[0, -1]], [1, 1], **look("bound"), label="_", zorder=1)
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


def halves(game: Trace, margin: float) -> Figure:
    """Draw the arc that a game in the plane leaves, and what is never cut off.

    `game` is one against `adversaries.Planes` of two features; the second panel shows
    the directions at an angle below arcsin γ from the target, for this margin γ.
    """
    axes, turn = panels(2, 3.5, 2.7), np.radians(np.arange(0.125, 360, 0.25))
    around = np.column_stack([np.cos(turn), np.sin(turn)])
    left, worst = np.ones(len(turn), dtype=bool), look("worst")["color"]
    for ax in axes:
        ax.plot(*around.T, color=GREY, linewidth=0.8, linestyle="-")
        ax.set(xlim=(-1.3, 1.3), ylim=(-1.15, 1.25), aspect="equal")
        ax.axis("off")
    lengths = [360.0]
    for number, (x, y) in enumerate(game.stream, start=1):
        line = np.outer([-1, 1], [-x[1], x[0]]) / np.hypot(*x)
        axes[0].plot(*line.T, color=GREY, linewidth=0.8, linestyle=":")
        left &= y * (around @ x) > 0
        arc = np.roll(around, -int(np.flatnonzero(~left & np.roll(left, -1))[0]) - 1, 0)
        arc = (1 - 0.14 * number) * arc[: left.sum()]
        axes[0].plot(*arc.T, color=worst, linewidth=3, linestyle="-")
        end = arc if number % 2 else arc[::-1]  # so that no numbers are neighbours
        back = end[0] - end[8]
        across, up = end[0] + 0.09 * back / np.hypot(*back)
        axes[0].text(across, up, f"{number}", color=worst, ha="center", va="center")
        lengths.append(left.sum() / 4)
    middle = arc[len(arc) // 2] / np.hypot(*arc[len(arc) // 2])
    arrow(axes[0], middle, color=INK)
    axes[0].text(1.13 * middle[0], 1.13 * middle[1], "u", ha="center", va="center")
    cap = np.arcsin(margin)
    near = np.linspace(np.pi / 2 - cap, np.pi / 2 + cap, 50)
    axes[1].plot(np.cos(near), np.sin(near), color=colour("Halving"), linewidth=6,
                 linestyle="-", solid_capstyle="butt")  # fmt: skip
    arrow(axes[1], (0, 1), color=INK)
    axes[1].text(0, 1.15, "u", ha="center", va="center")
    for side in (-1, 1):
        x = np.array([side * np.cos(cap), np.sin(cap)])
        arrow(axes[1], x, color=GREY)
        axes[1].text(
            1.17 * x[0], 1.17 * x[1], "yx", ha="center", va="center", color=GREY
        )
        edge = np.outer([-1, 1], [-side * x[1], side * x[0]])
        axes[1].plot(*edge.T, color=GREY, linewidth=0.8, linestyle=":")
    said = listed(f"{length:.4g}°" for length in lengths)
    return Figure(
        axes,
        f"The arc that is left shrinks from mistake to mistake: {said}. Examples of "
        f"margin {margin:g} cut off nothing within {np.degrees(cap):.1f}° of u.",
        pd.DataFrame({"degrees left": lengths}).rename_axis("mistake"),
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
    ax = panel(WIDEST, 2.9)
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


def changes(game: Trace) -> Figure:
    """Draw what every mistake of a game adds to the total weight, or takes from it.

    `game` is one of Winnow-R against an adversary; all is in units of the threshold N.
    The dashed lines are the most that a promotion adds and the least that a demotion
    takes.
    """
    n = game.stream.n
    totals = [n, *(float(step.learner.weights.sum()) for step in game.replay())]
    table = pd.DataFrame({"change": np.diff(totals) / n})
    table.index = pd.RangeIndex(1, len(table) + 1, name="mistake")
    ax, change = panel(WIDEST, 2.2), table["change"]
    ax.bar(change.index, change, 0.8, color=look("worst")["color"], linewidth=0)
    for height, beyond, told in [
        (1, 5, "a promotion adds less than N"),
        (-0.55, -11, "a demotion takes more than N/4"),
    ]:
        ax.annotate(told, (len(table) / 2, height), (0, beyond), ha="center",
                    textcoords="offset points")  # fmt: skip
    for height in (1, -0.25):
        ax.axhline(height, **look("bound"))
    ax.axhline(0, color=INK, linewidth=0.8, linestyle="-")
    ax.set(xlim=(0, len(table) + 2), ylim=(-0.85, 1.35), xlabel="mistake")
    ax.set(ylabel="change of the total weight", yticks=[-0.5, 0, 0.5, 1])
    ax.set_yticklabels(["−N/2", "0", "N/2", "N"])
    up, down = change[change > 0], change[change < 0]
    heavy = listed(str(number) for number in down.index[down < -0.45])
    return Figure(
        ax,
        f"The median promotion adds {up.median():.3f} N, and the median demotion takes "
        f"{-down.median():.3f} N. The demotions at the mistakes {heavy} take N/2.",
        table.round(3),
    )
