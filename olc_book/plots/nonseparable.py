"""Figures of the chapter `nonseparable`."""

import itertools

from olc_book.plots.kit import *

__all__ = ["bisection", "bounded", "cycles", "long_run", "phase", "zigzag"]

_OWN = look("Perceptron")
_DOTS: dict[str, Any] = {"color": _OWN["color"], "linestyle": "none", "marker": "."}
_POINTS: dict[str, Any] = {"textcoords": "offset points"}


def bounded(games: Sequence[Trace]) -> Figure:
    """Draw the longest weights so far in some games, in units of R, below √M."""
    count = np.arange(1, 1 + min(len(game.update_rounds) for game in games))
    longest = [
        np.maximum.accumulate(np.linalg.norm(path(game)[count], axis=1))
        / game.stream.radius
        for game in games
    ]
    table = pd.DataFrame(
        {
            "low": np.min(longest, axis=0),
            "longest ‖w‖ / R": np.median(longest, axis=0),
            "high": np.max(longest, axis=0),
            "√M": np.sqrt(count),
        },
        index=pd.Index(count, name="mistakes"),
    )
    shown = np.unique(np.geomspace(1, len(count), 16).round().astype(int))
    looks = {"√M": look("upper"), "longest ‖w‖ / R": "random"}
    axes = curves(table.loc[shown], looks, "mistakes M", "length / R",
                  who="Perceptron", xticks=[1, 10, 100], yticks=[1, 2, 5, 10, 20],
                  legend="ends")  # fmt: skip
    said = (
        f"In the first {len(count)} mistakes of each of {plural(len(games), 'game')} "
        f"the weights are never longer than {table['high'].max():.1f} R, while √M has "
        f"grown to {table['√M'].iloc[-1]:.0f}."
    )
    return Figure(axes, said, table.loc[shown])


def phase(vectors: ArrayLike, walk: ArrayLike) -> Figure:
    """Draw a phase of the cycling theorem: the vectors y x, and the weights.

    The first weights are long, and all vectors but the last lie near their hyperplane.
    """
    Z, weights = np.asarray(vectors), np.asarray(walk)
    v, length = weights[0], np.linalg.norm(weights, axis=1)
    axes = near, moves = panels(2, height=3.3)
    reach = 1.3 * float(np.abs(Z).max())
    far = np.array([-2 * reach, 2 * reach])
    slope, half = -v[0] / v[1], 0.2 * reach
    near.fill_between(far, slope * far - half, slope * far + half, color=GREY,
                      alpha=0.2, linewidth=0)  # fmt: skip
    boundary(near, v, **look("Perceptron"))
    for z in Z:
        arrow(near, z, color=PURPLE)
    arrow(near, v * (0.8 * reach / length[0]), color=_OWN["color"])
    near.annotate("to v", v * (0.8 * reach / length[0]), (5, -4), **_POINTS)
    near.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel="z₁", ylabel="z₂")
    angle = np.linspace(0, math.pi, 91)
    moves.plot(length[0] * np.cos(angle), length[0] * np.sin(angle), **look("bound"))
    moves.plot(*weights.T, **_OWN | {"marker": ".", "linewidth": 0.8})
    arrow(moves, weights[-1], weights[-2], color=PURPLE)
    moves.annotate("v", weights[0], (-3, 8), **_POINTS)
    moves.annotate("w", weights[-1], (6, -4), **_POINTS)
    low, high = weights.min(axis=0), weights.max(axis=0)
    moves.set(xlim=(low[0] - 0.7, high[0] + 0.9), ylim=(low[1] - 0.5, high[1] + 0.6))
    moves.set(xlabel="w₁", ylabel="w₂")
    for ax in axes:
        ax.set(aspect="equal")
        ax.locator_params(nbins=4)
    table = pd.DataFrame(weights, columns=["w₁", "w₂"]).assign(length=length)
    said = (
        f"The weights have the length {length[0]:.3g} at first and at most "
        f"{length[:-1].max():.3g} while the steps go sideways; the last step leaves "
        f"{length[-1]:.3g}."
    )
    return Figure(axes, said, table.rename_axis("step"))


def cycles(xor: ArrayLike, wandering: ArrayLike) -> Figure:
    """Draw weights that go round, and a weight that never returns."""
    weights, values = np.asarray(xor), np.asarray(wandering)
    loop, wander = panels(2, height=2.8)
    around = weights[:5, 1:]
    for one, two in itertools.pairwise(around):
        arrow(loop, two, one, color=_OWN["color"], shrinkB=5)
    loop.plot(*around.T, **_DOTS, markersize=9)
    places = {-1: ("right", "top"), 0: ("center", "center"), 1: ("left", "bottom")}
    for whole in weights[:4]:
        words = ", ".join(f"{value:.0f}" for value in whole).replace("-", "−")
        across, up = map(int, np.sign(whole[1:] - weights[:4, 1:].mean(axis=0)))
        loop.annotate(f"({words})", whole[1:], (8 * across, 8 * up), **_POINTS,
                      ha=places[across][0], va=places[up][1])  # fmt: skip
    loop.set(xlabel="w₂", ylabel="w₃", xlim=(-1.3, 3.3), ylim=(-1.6, 1.6))
    wander.plot(values, **_DOTS, markersize=2)
    wander.set(xlabel="update", ylabel="weight", ylim=(-1.8, 1.8))
    distinct = len(np.unique(weights, axis=0))
    first = ["exclusive or", len(weights), distinct]
    second = ["with √2", len(values), len(np.unique(values))]
    columns = ["examples", "updates", "different weights"]
    table = pd.DataFrame([first, second], columns=columns)
    said = (
        f"Exclusive or takes {distinct} different weight vectors in {len(weights)} "
        f"updates. With √2 the weight stays between {values.min():.2f} and "
        f"{values.max():.2f} and takes {len(np.unique(values))} different values in "
        f"{len(values)} updates."
    )
    return Figure([loop, wander], said, table)


def long_run(runs: pd.DataFrame) -> Figure:
    """Draw mistakes per pass, and two bounds, against the number of passes.

    `runs` has the columns P, mistakes, long-run bound and with R√M, in units of D/γ.
    """
    bounds = ["long-run bound", "with R√M"]
    table = means(runs, "P", "mistakes", spread=(0, 1), name="mistakes", also=bounds)
    looks = {
        "with R√M": look("bound"),
        "long-run bound": look("bound") | {"color": _OWN["color"], "linestyle": "-."},
        "mistakes": "random",
    }
    axes = curves(table, looks, "passes P", "mistakes per pass, in units of D/γ",
                  who="Perceptron", xticks=table.index, yticks=[0.5, 1, 2, 5],
                  legend="ends")  # fmt: skip
    ends = table.index[[0, -1]]
    axes[0].plot(ends, [1, 1], color=GREY, linestyle="-", linewidth=0.8)
    last = table.iloc[-1]
    said = (
        f"After {plural(int(table.index[-1]), 'pass')} the Perceptron makes "
        f"{last['mistakes']:.2f} D/γ mistakes per pass in the mean, between "
        f"{last['low']:.2f} and {last['high']:.2f}; the bounds are "
        f"{last['long-run bound']:.2f} and {last['with R√M']:.2f}, and their "
        "limit is 1."
    )
    return Figure(axes, said, table)


def bisection(rounds: Sequence[Sequence[float]]) -> Figure:
    """Draw the rounds (low, middle, high, label) of an adversary that bisects."""
    columns = ["low", "middle", "high", "label"]
    table = pd.DataFrame(rounds, range(1, len(rounds) + 1), columns)
    ax = panel(height=3)
    for place, (low, middle, high, label) in enumerate(rounds, start=1):
        ax.plot([low, high], [place, place], color=GREY, linestyle="-")
        ax.plot(middle, place, **look("positive" if label > 0 else "negative"))
    ax.set(xlabel="threshold θ", ylabel="round", ylim=(len(table) + 0.7, 0.3))
    ax.locator_params(axis="y", integer=True)
    width = table["high"].iloc[-1] - table["low"].iloc[-1]
    said = (
        f"The interval of possible thresholds is halved {len(table) - 1} times, to a "
        f"width of {number(width)}, and each example is a mistake."
    )
    return Figure(ax, said, table.rename_axis("round"))


def zigzag(trace: Trace) -> Figure:
    """Draw the path of the weights in the plane, in units of the margin and across."""
    stream = trace.stream
    walk = path(trace)
    ax = panel(height=2.6)
    # from here even the example farthest to the side is on the right side
    aside = math.sqrt(stream.radius**2 - stream.margin**2)
    ahead = np.array([0, 1.08 * walk[-1, 0]])
    edge = ahead * stream.margin / aside
    ax.fill_between(ahead, -edge, edge, color=GREY, alpha=0.2, linewidth=0)
    ax.plot(*walk.T, **_OWN | {"marker": ".", "linewidth": 1})
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.set(xlabel="along the target, w₁", ylabel="across, w₂")
    count = pd.Index(np.arange(len(walk)), name="mistakes")
    table = pd.DataFrame(walk, index=count, columns=["w₁", "w₂"])
    ratio = (stream.radius / stream.margin) ** 2
    said = (
        f"In {trace.mistakes} mistakes the weights climb to w₁ = {walk[-1, 0]:.4g}, "
        f"from side to side between w₂ = {walk[1:, 1].min():.4g} and "
        f"{walk[1:, 1].max():.4g}; R²/γ² is {ratio:.4g}."
    )
    return Figure(ax, said, table)
