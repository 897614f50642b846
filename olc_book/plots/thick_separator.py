"""The figures of the chapter `thick_separator`."""

from olc import geometry
from olc.margin_perceptron import MarginPerceptron, mistakes_alone
from olc_book.plots.kit import *

__all__ = ["errors", "slabs", "width", "parabola", "projections", "rivals"]

_OWN = look("MarginPerceptron") | {"linestyle": "-"}


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


def slabs(X: Vector, y: Vector, settled: Mapping[float, Vector]) -> Figure:
    """Draw the slab that each thickness keeps free of examples, a panel each.

    `settled` has the weights at which the margin Perceptron settles, by thickness.
    """
    axes, rows = panels(len(settled), height=2.9), []
    for ax, (tau, w) in zip(axes, settled.items(), strict=True):
        reach = points(ax, X, y, 1.3, size=5)
        length = float(np.linalg.norm(w))
        along, across = w / length, np.array([-w[1], w[0]]) / length
        half, far = tau / length, 4 * reach
        corners = [
            side * half * along + end * far * across
            for side, end in ((-1, -1), (-1, 1), (1, 1), (1, -1))
        ]
        ax.fill(*np.array(corners).T, color=_OWN["color"], alpha=0.2, linewidth=0)
        boundary(ax, w, **_OWN)
        arrow(ax, 0.8 * along, color=_OWN["color"])
        scores = y * (X @ w)
        nearest = X[scores.argmin()]
        ax.plot(*nearest, **look("ring"))
        ax.set(xlabel=f"x₁ (τ = {tau:g})")
        rows.append([tau, length, half, scores.min() / length])
    columns = ["τ", "‖w‖", "half the slab", "margin"]
    table = pd.DataFrame(rows, columns=columns)
    told = [
        f"with τ = {tau:g} the weights have the length {length:.2f}, the slab reaches "
        f"{half:.2f} to either side, and the nearest example is {room:.2f} away"
        for tau, length, half, room in rows
    ]
    return Figure(axes, sentences(told), table.round(3))


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


def parabola(
    forced: Mapping[float, pd.DataFrame], games: pd.DataFrame, margin: float
) -> Figure:
    """Draw what the proof allows of updates and mistakes, and games within it.

    `forced` has the columns updates and mistakes of an adversary's game, by
    thickness; `games` has a row for every random game, with its thickness. R is 1.
    """
    axes, rows = panels(len(forced), height=2.7), []
    for ax, (tau, game) in zip(axes, forced.items(), strict=True):
        most = (1 + 2 * tau) / margin**2
        updates = np.linspace(0, most, 200)
        allowed = (updates * (1 + 2 * tau) - (updates * margin) ** 2) / (2 * tau)
        ax.fill_between(updates, np.minimum(updates, allowed), color=GREY, alpha=0.15,
                        linewidth=0)  # fmt: skip
        ax.plot(updates, allowed, **look("upper"))
        ax.plot(updates, updates, **look("lower"))
        ax.plot(game["updates"], game["mistakes"], **_OWN | {"linewidth": 2.4})
        ax.plot(*game.iloc[-1][["updates", "mistakes"]], **look("worst"))
        own = games[games["thickness"] == tau]
        dots = _OWN | {"linestyle": "none", "marker": "o", "markersize": 3}
        ax.plot(own["updates"], own["mistakes"], **dots)
        high = mistakes_alone(1, margin, tau)
        ax.axhline(high, color=GREY, linewidth=0.8)
        ax.set(xlabel=f"updates U (τ = {tau:g})", ylabel="mistakes M",
               xlim=(0, 1.03 * most), ylim=(0, 1.25 * high))  # fmt: skip
        last = game.iloc[-1]
        rows.append([tau, last["updates"], last["mistakes"], high,
                     own["updates"].mean(), own["mistakes"].mean()])  # fmt: skip
    columns = ["τ", "updates", "mistakes", "at most", "random updates",
               "random mistakes"]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    told = [
        f"with τ = {tau:g} the adversary forces {made:.0f} mistakes in {done:.0f} "
        f"updates, of at most {high:.1f}, and random streams cost {some:.1f}"
        for tau, done, made, high, _, some in rows
    ]
    return Figure(axes, sentences(told), table.round(1))


def projections(x: ArrayLike, w: ArrayLike, C: float, trace: Trace) -> Figure:
    """Draw one step of three learners in the plane of the weights, and a game of PA.

    The step is on the positive example x, of PA, of PA-I with the cap C and of the
    margin Perceptron.
    """
    (one, game), own = panels(2, height=3.0), look("PassiveAggressive")
    x, w = np.asarray(x, dtype=float), np.asarray(w, dtype=float)
    gap = float(1 - w @ x)
    needed = gap / float(x @ x)
    _without_loss(one, [x])
    steps = {"PA": needed, "PA-I": min(C, needed), "margin Perceptron": 1.0}
    foot = w + needed * x
    good = foot + 1.1 * np.array([x[1], -x[0]]) / np.linalg.norm(x) + 0.3 * x
    for end in (w, foot):
        one.plot(*np.array([end, good]).T, color=GREY, linestyle=":", linewidth=1.3)
    one.plot(*(w + x), **look("MarginPerceptron") | {"marker": "^", "markersize": 8})
    arrow(one, foot, w, color=own["color"], linewidth=2.4)
    one.plot(*(w + steps["PA-I"] * x), color=own["color"], marker="D", markersize=6)
    one.plot(*good, color=INK, marker="*", markersize=10)
    one.plot(*w, color=INK, marker="o", markersize=5)
    _called(one, "w", w, (-14, -6))
    _called(one, "u", good, (8, -4))
    _called(one, "PA", foot, (-14, 8))
    _called(one, "PA-I", w + steps["PA-I"] * x, (-30, 6))
    _called(one, "w + x", w + x, (4, -14))
    stream = trace.stream
    walk, examples = path(trace), stream.y[:, None] * stream.X
    _without_loss(game, np.unique(examples, axis=0))
    game.plot(*walk.T, **own | {"linestyle": "-", "marker": "o", "markersize": 3.5})
    margin, unit = geometry.maximal_margin(stream)
    target = unit / margin
    game.plot(*target, color=INK, marker="*", markersize=10)
    _called(game, "u", target, (8, -4))
    _called(game, "0", walk[0], (5, 5))
    one.set(xlim=(-1, 2.4), ylim=(-1.1, 2.3))
    game.set(xlim=(-4, 1), ylim=(-3.6, 1.4))
    for ax, who in ((one, "one step"), (game, "a game")):
        ax.set(aspect="equal", xlabel=f"w₁ ({who})", ylabel="w₂")
        ax.locator_params(nbins=5)
    far = np.linalg.norm(walk - target, axis=1)
    table = pd.DataFrame({"distance from u": far}).rename_axis("update")
    said = (
        f"In the step the distance from u goes from {np.linalg.norm(good - w):.2f} to "
        f"{np.linalg.norm(good - foot):.2f}. In the game it falls with every update, "
        f"from {far[0]:.2f} to {far[-1]:.2f} after {len(far) - 1}."
    )
    return Figure([one, game], said, table.round(3))


def _without_loss(ax: Axes, examples: Any) -> None:
    """Shade the weights that have a score of 1 or more on all of these examples."""
    side = np.linspace(-4, 4, 400)
    across, up = np.meshgrid(side, side)
    free = np.min([across * x[0] + up * x[1] - 1 for x in examples], axis=0)
    ax.contourf(side, side, free, [0, 99], colors=[GREY], alpha=0.18)
    for x in examples:
        boundary(ax, x, -1, color=GREY, linestyle="--", linewidth=1.2)


def _called(ax: Axes, name: str, at: Any, offset: tuple[float, float]) -> None:
    ax.annotate(name, (at[0], at[1]), offset, textcoords="offset points")


def rivals(
    table: pd.DataFrame, names: list[str], against: str, by: str = "noise"
) -> Figure:
    """Draw how much more than one learner the others err, a panel for each situation.

    `table` has the columns `by`, seed and one for each of the learners' names: counts
    of mistakes for shares of noise, or errors in per cent on data sets.
    """
    rest = [name for name in names if name != against]
    parts = list(table.groupby(by, sort=False))
    axes, told = panels(len(parts), 3.5, 2.3), []
    for ax, (part, rows) in zip(axes, parts, strict=True):
        gaps = rows[rest].sub(rows[against], axis=0)
        middle, error = gaps.mean(), 2 * gaps.sem()
        ax.axvline(0, color=INK, linewidth=0.8)
        for at, name in enumerate(rest):
            starts = {"PA": "PassiveAggressive", "τ ": "MarginPerceptron"}
            who = starts.get(name[:2], name)
            style = look(who) | {"linestyle": "none", "marker": "o", "elinewidth": 1}
            ax.errorbar(middle[name], at, xerr=error[name], **style)
        ax.set_yticks(range(len(rest)), rest)
        found = listed(f"{gap:+.1f} ({name})" for name, gap in middle.items())
        kind = f"{part:.0%} wrong".replace("%", " %") if by == "noise" else str(part)
        what = "more mistakes" if by == "noise" else "percentage points more"
        what = f"{what} ({kind})".replace("(0 % wrong)", "(clean labels)")
        ax.set(xlabel=what, ylabel="", ylim=(len(rest) - 0.5, -0.5))
        case = f"With {part:.0%} wrong labels" if by == "noise" else f"On the {part}"
        told.append(f"{case} the differences are {found}.")
    wide = table.groupby(by, sort=False)[names].mean().round(1)
    return Figure(axes, " ".join(told), wide)
