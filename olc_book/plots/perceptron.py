"""Figures of the chapter `perceptron`."""

from olc import geometry, perceptron
from olc_book.plots.kit import *

__all__ = ["corrections", "orders", "squeeze", "margin_effects", "noise",
           "final_margins"]  # fmt: skip

_OWN = look("Perceptron")
_BEFORE: dict[str, Any] = {"color": GREY, "linestyle": ":"}


def corrections(w: ArrayLike, examples: Sequence[tuple[ArrayLike, int]]) -> Figure:
    """Draw what a mistake on each of these examples does to the weights w."""
    old, axes, rows = np.asarray(w, dtype=float), panels(len(examples), height=3.2), []
    for ax, (example, y) in zip(axes, examples, strict=True):
        x = np.asarray(example, dtype=float)
        new = old + y * x
        points(ax, x[None, :], [y], reach=2.6)
        _step(ax, old, new)
        _name(ax, "w", old, (6, -4))
        sign = "+" if y > 0 else "−"
        _name(ax, f"w {sign} x", new, (6, 4 if y > 0 else -10))
        _name(ax, "x", x, (6, 2))
        rows.append([f"{y:+d}", y * old @ x, y * new @ x])
    table = pd.DataFrame(rows, columns=["y", "y⟨w, x⟩ before", "y⟨w, x⟩ after"])
    found = [
        f"for y = {y} the signed score goes from {before:.4g} to {after:.4g}"
        for y, before, after in rows
    ]
    return Figure(axes, sentences(found), table)


def _step(ax: Axes, old: Vector, new: Vector) -> None:
    """Draw the line and the arrow of w before and after an update."""
    if np.any(old):
        boundary(ax, old, **_BEFORE)
        arrow(ax, old, color=GREY)
    boundary(ax, new, **_OWN)
    arrow(ax, new, old, color=PURPLE)
    arrow(ax, new, color=_OWN["color"])


def _name(ax: Axes, text: str, at: Vector, offset: tuple[float, float]) -> None:
    ax.annotate(text, (at[0], at[1]), offset, textcoords="offset points")


def orders(X: Vector, y: Vector, games: Mapping[str, Vector]) -> Figure:
    """Draw the weights after each mistake, a panel for each order of the points."""
    axes, rows = panels(len(games), height=3.2), []
    for ax, (order, weights) in zip(axes, games.items(), strict=True):
        points(ax, X, y, reach=2.8)
        for number, x in enumerate(X, start=1):
            _name(ax, str(number), x, (6, 2))
        for w in weights[:-1]:
            boundary(ax, w, **_BEFORE)
        boundary(ax, weights[-1], **_OWN)
        arrow(ax, weights[-1], color=_OWN["color"])
        ax.set_title(f"order {order}")
        rows.append([order, " → ".join(f"({a:g}, {b:g})" for a, b in weights)])
    table = pd.DataFrame(rows, columns=["order", "weights"])
    found = [f"in the order {order} the weights are {path}" for order, path in rows]
    return Figure(axes, sentences(found), table)


def squeeze(trace: Trace) -> Figure:
    """Draw Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M, mistake by mistake, to where the ends meet."""
    stream, weights = trace.stream, path(trace)
    bound = perceptron.mistake_bound(stream.radius, stream.margin)
    count = np.arange(len(weights))
    columns = {
        "Mγ": stream.margin * count,
        "⟨u, w⟩": weights @ geometry.unit(stream.need_target()),
        "‖w‖": np.linalg.norm(weights, axis=1),
        "R√M": stream.radius * np.sqrt(count),
    }
    table = pd.DataFrame(columns, index=pd.Index(count, name="mistakes"))
    ax, reach = panel(height=3.1), np.linspace(0, 1.15 * bound, 60)
    dots = {"color": _OWN["color"], "linestyle": ":", "linewidth": 2.6}
    ax.plot(reach, stream.radius * np.sqrt(reach), **look("upper"), label="R√M")
    ax.plot(table.index, table["‖w‖"], **_OWN)
    ax.plot(table.index, table["⟨u, w⟩"], **dots)
    ax.plot(reach, stream.margin * reach, **look("lower"), label="Mγ")
    ends = stream.margin * reach, stream.radius * np.sqrt(reach)
    room: dict[str, Any] = {"where": reach <= bound, "interpolate": True}
    ax.fill_between(reach, *ends, color=GREY, alpha=0.15, linewidth=0, **room)
    ax.axvline(bound, color=GREY, linewidth=1)
    ax.plot(count[-1], table["‖w‖"].iloc[-1], "o", color=_OWN["color"], markersize=5)
    late = 4 * len(table) // 5
    there = table.iloc[late]
    height = float(there["‖w‖"] + there["R√M"]) / 2
    ax.text(late, height, "‖w‖", color=_OWN["color"], ha="center", va="center", size=10)
    note(ax, "⟨u, w⟩", (late, there["⟨u, w⟩"]), (0.42, 0.14))
    ax.set(xlabel="mistakes M", ylabel="length")
    name_ends(ax)
    last = table.iloc[-1]
    in_order = (np.diff(table.to_numpy(), axis=1) >= -1e-9).all(axis=1)
    holds = int(in_order.sum()) - 1  # and before the first
    said = (
        f"After {plural(trace.mistakes, 'mistake')} of at most {bound:.4g} the "
        f"alignment is {last['⟨u, w⟩']:.3g} and the length {last['‖w‖']:.3g}, between "
        f"Mγ = {last['Mγ']:.3g} and R√M = {last['R√M']:.3g}. The four are in this "
        f"order after {every(holds, trace.mistakes, 'mistake')}."
    )
    return Figure(ax, said, table)


def margin_effects(table: pd.DataFrame) -> Figure:
    """Draw mistakes against the margin, for four ways to choose the examples.

    `table` is that of a sweep with columns margin, way ("random points", "at the
    margin", "greedy order" or "adversary") and mistakes; the radius is 1.
    """
    drawn = table.groupby(["margin", "way"])["mistakes"].median().unstack()[::-1]
    drawn["bound"] = [perceptron.mistake_bound(1, margin) for margin in drawn.index]
    random = table[table["way"] == "random points"]
    games = medians(random, "margin", "mistakes", spread=(0.05, 0.95))
    hollow = {"linestyle": ":", "markerfacecolor": "none"}
    looks = {
        "bound": look("bound"),
        "adversary": "adversary",
        "at the margin": {"marker": "D"},
        "greedy order": {"marker": "^"} | hollow,
        "random points": "random",
    }
    axes = curves(drawn.join(games), looks, "margin γ, at R = 1", "mistakes",
                  who="Perceptron", labels={"bound": "bound 1/γ²"}, size=(4.1, 3.4),
                  xticks=drawn.index, yticks=[1, 10, 100, 1000],
                  xlim=(0.55, 0.018), legend="ends")  # fmt: skip
    low = drawn.iloc[-1]
    said = (
        f"At γ = {low.name:g} the bound is {low['bound']:.4g}; the adversary forces "
        f"{low['adversary']:.4g}. In the median points at the margin take "
        f"{low['at the margin']:.4g}, random points {low['random points']:.4g} and a "
        f"greedy order of these {low['greedy order']:.4g}."
    )
    return Figure(axes, said, drawn)


def noise(table: pd.DataFrame) -> Figure:
    """Draw mistakes against label noise: measured, the target's, and the bound.

    `table` is that of a sweep, with columns noise, mistakes, flipped and hinge.
    """
    middle = table.groupby("noise")[["flipped", "mistakes", "hinge"]].median()
    games = medians(table, "noise", "mistakes", spread=(0.05, 0.95))
    looks = {
        "hinge": look("bound"),
        "mistakes": "random",
        "flipped": look("target") | {"linestyle": ":"},
    }
    labels = dict(zip(looks, ["hinge bound", "Perceptron", "target u"], strict=True))
    axes = curves(middle.join(games), looks, "share of wrong labels", "mistakes",
                  who="Perceptron", labels=labels, legend="ends")  # fmt: skip
    last = middle.iloc[-1]
    said = (
        f"With {middle.index[-1]:.0%} wrong labels the Perceptron makes "
        f"{last['mistakes']:.0f} mistakes in the median and the target "
        f"{last['flipped']:.0f}; the hinge losses allow {last['hinge']:.0f}."
    )
    return Figure(axes, said, middle)


def final_margins(margins: ArrayLike, best: float) -> Figure:
    """Draw the margins of the classifiers that different orders end with."""
    shares, ax = np.asarray(margins) / best, panel(height=2.6)
    ax.hist(shares, bins=25, range=(0, 1), color=_OWN["color"])
    ax.axvline(1, **look("bound"), label="largest margin")
    ax.set(xlabel="margin of the last weights / largest margin", ylabel="orders")
    ax.locator_params(axis="y", integer=True)
    legend_above(ax, 1)
    said = (
        f"Over {len(shares)} orders the last weights have between "
        f"{shares.min():.0%} and {shares.max():.0%} of the largest margin, "
        f"{np.median(shares):.0%} in the median."
    )
    return Figure(ax, said, pd.Series(shares, name="share").describe().to_frame())
