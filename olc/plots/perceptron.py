"""Figures of the chapter `perceptron`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from olc import adversaries, geometry, perceptron
from olc.game import Stream, Trace, duel, play, play_many, recorded
from olc.perceptron import Perceptron
from olc.plots._figure import BLUE, GREEN, GREY, PURPLE, Figure, look, panel, panels
from olc.plots._game import draw_arrow, draw_boundary, draw_points

if TYPE_CHECKING:
    import pandas as pd

    from olc.learner import Vector


def corrections(w: ArrayLike, examples: Sequence[tuple[ArrayLike, int]]) -> Figure:
    """Draw what a mistake on each of these examples does to the weights w."""
    old, axes, found = np.asarray(w, dtype=float), panels(len(examples), 3.2, 3.2), []
    for ax, (example, y) in zip(axes, examples, strict=True):
        x = np.asarray(example, dtype=float)
        new = old + y * x
        draw_points(ax, x[None, :], [y], reach=2.6)
        draw_boundary(ax, old, color=GREY, linestyle=":")
        draw_boundary(ax, new)
        draw_arrow(ax, old, color=GREY)
        draw_arrow(ax, new, old, color=PURPLE)
        draw_arrow(ax, new)
        _name(ax, "w", old, (6, -4))
        sign = "+" if y > 0 else "−"
        _name(ax, f"w {sign} x", new, (6, 4 if y > 0 else -10))
        _name(ax, "x", x, (6, 2))
        kind = "positive" if y > 0 else "negative"
        found.append(
            f"For the {kind} example y⟨w, x⟩ goes from {y * old @ x:.4g} to "
            f"{y * new @ x:.4g}."
        )
    return Figure(
        axes,
        alt=" ".join(found),
        caption="A mistake on a positive example (circle, first panel) turns w towards "
        "it, a mistake on a negative one (square, second panel) away from it. Dotted: "
        "before; green: after; purple: the correction y x.",
    )


def _name(ax: Axes, text: str, at: Vector, offset: tuple[float, float]) -> None:
    ax.annotate(text, (at[0], at[1]), offset, textcoords="offset points")


def disc(margin: float, radius: float = 1.0, rounds: int = 50, seed: int = 0) -> Stream:
    """Return points in a disc of the plane that keep clear of a line through 0.

    Two of them are as close to the line and as far out as they may be, on either side
    of its normal, so that margin and radius are what was asked for.
    """
    random = np.random.default_rng(seed)
    depth, side = random.random(rounds), random.uniform(-1, 1, rounds)
    y, angle = random.choice([-1, 1], rounds), random.uniform(0, 2 * math.pi)
    corners = random.permutation(rounds)[:2]
    depth[corners], side[corners] = 0, (1, -1)
    along = margin + (radius - margin) * depth
    across = side * np.sqrt(radius**2 - along**2)
    u = np.array([math.cos(angle), math.sin(angle)])
    signed = np.outer(along, u) + np.outer(across, [-u[1], u[0]])
    return Stream(y[:, None] * signed, y, u)


def paths(traces: Mapping[str, Trace]) -> Figure:
    """Draw the path of the weights in several games in the plane."""
    axes = panels(len(traces), 2.3, 2.45)
    for ax, (name, trace) in zip(axes, traces.items(), strict=True):
        _path(ax, trace, name)
    ends = "; ".join(
        f"{name}: {_many(trace.mistakes)}, last weights "
        f"({', '.join(f'{value:.4g}' for value in _weights(trace)[-1])})"
        for name, trace in traces.items()
    )
    different = len({tuple(_weights(trace)[-1]) for trace in traces.values()})
    return Figure(
        axes,
        alt=f"Games over the same points end with {different} different weight "
        f"vector{'s' * (different != 1)}. {ends}.",
        caption="The path of the weights from 0, one dot a mistake, and the line that "
        "they end with. Dotted: the band that the target's margin keeps clear.",
    )


def _path(ax: Axes, trace: Trace, name: str) -> None:
    stream, weights = trace.stream, _weights(trace)
    reach = 1.12 * max(stream.radius, float(np.abs(weights).max()))
    draw_points(ax, stream.X, stream.y, reach)
    if stream.target is not None:
        for side in (-1, 1):
            style: dict[str, Any] = {"color": GREY, "linestyle": ":", "linewidth": 1}
            bias = side * stream.margin
            draw_boundary(ax, geometry.unit(stream.target), bias, **style)
    draw_boundary(ax, weights[-1])
    ax.plot(*weights.T, color=PURPLE, marker=".", markersize=4, linewidth=1)
    draw_arrow(ax, weights[-1])
    ax.set_title(name, loc="right", fontsize=10, pad=5)


def _weights(trace: Trace) -> Vector:
    """Return the weights before the game and after every mistake."""
    after = recorded(trace).weights
    return np.vstack(
        [trace.before.weights, np.empty((0, 2)) if after is None else after]
    )


def _many(mistakes: int) -> str:
    return f"{mistakes} mistake{'s' * (mistakes != 1)}"


def squeeze(traces: Mapping[str, Trace]) -> Figure:
    """Draw Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M, mistake by mistake, to where the ends meet."""
    axes, found = panels(len(traces), 3.5, 3.1), []
    for ax, (name, trace) in zip(axes, traces.items(), strict=True):
        stream = trace.stream
        bound = perceptron.mistake_bound(stream.radius, stream.margin)
        _chain(ax, trace, np.linspace(0, 1.15 * bound, 60), len(trace.updates))
        ax.axvline(bound, **look("bound"), linewidth=1)
        ax.set_title(name, loc="right", fontsize=10, pad=5)
        found.append(f"{name}: {trace.mistakes} of at most {bound:.4g} mistakes")
    axes[0].legend()
    return Figure(
        axes,
        alt="Mγ and R√M meet at R²/γ² mistakes, and the length of the weights and "
        f"their alignment are caught between them. {'; '.join(found)}.",
        caption="The whole proof in one picture: Mγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ R√M after every "
        "mistake. The outer curves meet at M = R²/γ² (vertical line).",
    )


def _chain(ax: Axes, trace: Trace, counts: Vector, step: int) -> None:
    stream = trace.stream
    u, weights = geometry.unit(stream.need_target()), recorded(trace).weights
    assert weights is not None
    done = np.arange(step + 1)
    lengths = np.append(0, geometry.norm(weights[:step]))
    along = np.append(0, weights[:step] @ u)
    ax.plot(counts, stream.radius * np.sqrt(counts), **look("upper"), label="R√M")
    ax.plot(done, lengths, **look("weights"), label="‖w‖")
    ax.plot(done, along, color=BLUE, linestyle=":", linewidth=2.6, label="⟨u, w⟩")
    ax.plot(counts, stream.margin * counts, **look("lower") | _LOWER, label="Mγ")
    ax.set(xlabel="mistakes M", ylabel="length")


_LOWER = {"color": PURPLE}


def replay(trace: Trace) -> Callable[[int], Figure]:
    """Return what `olc.widgets.replay` draws: a game in the plane and its proof."""
    stream, weights = trace.stream, _weights(trace)
    u, gamma, radius = geometry.unit(stream.need_target()), stream.margin, stream.radius
    reach = 1.12 * max(radius, float(np.abs(weights).max()))
    last = len(trace.updates)

    def frame(step: int) -> Figure:
        plane, chain = panels(2, 3.5, 3.5)
        draw_points(plane, stream.X, stream.y, reach)
        draw_boundary(plane, u, **look("target"))
        _chain(chain, trace, np.linspace(0, last, 40), step)
        chain.legend()
        found = "Before the first mistake the weights are 0 and predict nothing."
        if step:
            t, old, new = int(trace.updates[step - 1]), weights[step - 1], weights[step]
            x, sign = stream.X[t], "positive" if stream.y[t] > 0 else "negative"
            plane.plot(*x, "o", markersize=12, fillstyle="none", color=PURPLE)
            plane.plot(*weights[:step].T, color=GREEN, marker=".", linewidth=0.6)
            if np.any(old):
                draw_boundary(plane, old, color=GREY, linestyle=":")
            draw_boundary(plane, new)
            draw_arrow(plane, new, old, color=PURPLE)
            draw_arrow(plane, new)
            found = (
                f"Mistake {step} of {last}, on a {sign} example in round {t + 1}. Now "
                f"Mγ = {step * gamma:.3g} ≤ ⟨u, w⟩ = {u @ new:.3g} ≤ ‖w‖ = "
                f"{math.hypot(*new):.3g} ≤ R√M = {radius * math.sqrt(step):.3g}."
            )
        return Figure(
            [plane, chain],
            alt=found,
            caption="First, the example being corrected (ring), the correction "
            "(purple) added to w (green), the line before (dotted) and after; dashed, "
            "the target. Second, the two sides of the proof.",
        )

    return frame


def margin_effects(table: pd.DataFrame, traces: Sequence[Trace]) -> Figure:
    """Draw the headline: mistakes against γ, against R, and the data at three margins.

    `table` has columns γ, R, bound, adversary, worst and the quantiles 5%,
    median and 95% of random orders.
    """
    effect, scale = panels(2, 3.5, 3.3)
    by_margin = table[table["R"] == 1].sort_values("γ")
    effect.loglog(by_margin["γ"], by_margin["bound"], **look("bound"), label="R²/γ²")
    own: dict[str, Any] = {"color": GREEN, "marker": "D", "linestyle": "none"}
    effect.plot(by_margin["γ"], by_margin["adversary"], **own, label="adversary")
    worst = look("worst")
    effect.plot(by_margin["γ"], by_margin["worst"], **worst, label="worst order")
    _spread(effect, by_margin, "γ", "random order")
    effect.set(xlabel="margin γ, at R = 1", ylabel="mistakes")
    _ticks(effect, [0.02, 0.05, 0.1, 0.2, 0.5])
    effect.legend()
    fixed = table[table["γ"] == 0.1].sort_values("R")
    scaled = table[np.isclose(table["γ"], table["R"] / 10)].sort_values("R")
    scale.loglog(fixed["R"], fixed["bound"], **look("bound"), label="R²/γ², γ = 0.1")
    scale.plot(fixed["R"], fixed["worst"], **worst, label="worst, γ = 0.1")
    _spread(scale, fixed, "R", "random, γ = 0.1")
    style: dict[str, Any] = {"color": PURPLE, "linestyle": ":", "marker": "s"}
    scale.plot(scaled["R"], scaled["median"], **style, label="random, γ = R/10")
    scale.set(xlabel="radius R", ylabel="mistakes", ylim=(None, 4e4))
    _ticks(scale, fixed["R"])
    scale.legend(loc="upper left")
    planes = panels(len(traces), 2.3, 2.45)
    for ax, trace in zip(planes, traces, strict=True):
        _path(ax, trace, f"γ = {trace.stream.margin:.2g}: {_many(trace.mistakes)}")
    low, high = by_margin.iloc[0], by_margin.iloc[-1]
    return Figure(
        [effect, scale, *planes],
        alt=f"From γ = {high['γ']:.2g} to {low['γ']:.2g} the bound rises from "
        f"{high['bound']:.3g} to {low['bound']:.4g}; the adversary reaches "
        f"{low['adversary']:.4g} of it, the worst order {low['worst']:.4g}, the "
        f"median random order {low['median']:.4g}. At γ = 0.1 random mistakes rise "
        f"from {fixed['median'].iloc[0]:.4g} to {fixed['median'].iloc[-1]:.4g} as R "
        f"grows; when γ grows with R they stay at {scaled['median'].iloc[-1]:.4g}.",
        caption="Margin effects. First, mistakes against γ and against R; the shade "
        "holds 90 % of the random orders. Then the same points at three margins, the "
        "band that they keep clear of (dotted), and the path of w (purple).",
        table=table,
    )


def _ticks(ax: Axes, values: Iterable[float]) -> None:
    """Mark these values on a logarithmic axis, and no others."""
    ax.set_xticks([], minor=True)
    ax.set_xticks(list(values), [f"{value:g}" for value in values])


def _spread(ax: Axes, table: pd.DataFrame, by: str, label: str) -> None:
    line = look("measured")
    ax.plot(table[by], table["median"], **line, label=label)
    ax.fill_between(
        table[by], table["5%"], table["95%"], color=line["color"], alpha=0.25, lw=0
    )


def margin_and_radius(gamma: float, radius: float) -> Figure:
    """Draw points of the plane with this margin and radius, and what they can cost."""
    found = _measure(gamma / radius)
    plane, costs = panel(3.3, 3.3), panel(3.7, 2.6)
    _path(plane, play(Perceptron(2), disc(gamma, radius, seed=103)), "")
    plane.set(xlim=(-2.8, 2.8), ylim=(-2.8, 2.8))
    names, looks = list(found), ["measured", "measured", "worst", "worst", "bound"]
    for row, (name, kind) in enumerate(zip(names, looks, strict=True)):
        style = look(kind) | {"marker": "o", "linestyle": "-"}
        costs.plot([1, found[name]], [row, row], **style, markevery=[1], linewidth=4)
        costs.annotate(
            f"{found[name]:.4g}",
            (found[name], row),
            (7, 0),
            textcoords="offset points",
            va="center",
        )
    costs.set(xscale="log", xlim=(0.9, 2e4), xlabel="mistakes", ylim=(-0.6, 4.6))
    _ticks(costs, [1, 10, 100, 1000])
    costs.set_yticks(range(len(names)), names)
    costs.grid(False, axis="y")
    return Figure(
        [plane, costs],
        alt=f"γ = {gamma:g} and R = {radius:g}: the bound R²/γ² is "
        f"{found['bound']:.4g}, an adversary forces {found['adversary']}, in the plane "
        f"{found['worst in the plane']} is the most; random points cost "
        f"{found['random, median']:g} (median) and {found['random, 95 %']:g} (95 %).",
        caption="First, points in a disc of radius R that keep clear of a band of "
        "width 2γ, and the path of w. Second, how many mistakes such points can cost.",
    )


@lru_cache
def _measure(ratio: float) -> dict[str, float]:
    """Return what points with margin/radius = ratio cost, from least to most."""
    games = [disc(ratio, seed=seed) for seed in range(40)]
    mistakes = [t.mistakes for t in play_many(lambda: Perceptron(2), games)]
    worst = duel(Perceptron(3), adversaries.MinimalMargin(ratio), rounds=10_000)
    return {
        "random, median": float(np.median(mistakes)),
        "random, 95 %": float(np.quantile(mistakes, 0.95)),
        "worst in the plane": math.floor(0.5 / ratio**2 + 1e-9) + 1,
        "adversary": worst.mistakes,
        "bound": perceptron.mistake_bound(1, ratio),
    }


def experts(table: pd.DataFrame) -> Figure:
    """Draw mistakes on panels against N: bound, adversary, and random streams.

    `table` has columns N, k, bound, adversary, mean and sd.
    """
    axes = panels(table["k"].nunique(), 2.25, 2.8)
    for ax, (k, rows) in zip(axes, table.groupby("k"), strict=True):
        ax.loglog(rows["N"], rows["bound"], **look("bound"), label="N·k")
        ax.plot(rows["N"], rows["adversary"], **look("worst"), label="adversary")
        style = look("measured") | {"capsize": 3}
        ax.errorbar(rows["N"], rows["mean"], rows["sd"], **style, label="random")
        ax.set(xlabel=f"experts N, k = {k}", ylabel="mistakes", ylim=(4, 600))
        _ticks(ax, rows["N"])
    axes[0].legend()
    share = table["adversary"] / table["bound"]
    last = table.iloc[-1]
    return Figure(
        axes,
        alt=f"Mistakes grow in proportion to N. The adversary forces between "
        f"{share.min():.0%} and {share.max():.0%} of N·k; random streams at "
        f"N = {last['N']:.0f}, k = {last['k']:.0f} cost {last['mean']:.0f} of "
        f"{last['bound']:.0f}.",
        caption="A hidden panel of k among N experts: the bound N·k, the panel "
        "adversary, and random opinions (mean and standard deviation over seeds).",
        table=table,
    )


def noise(table: pd.DataFrame) -> Figure:
    """Draw mistakes against label noise: measured, the two bounds, and the target's.

    `table` has columns noise, bound, 5%, median, 95% and target.
    """
    ax = panel()
    ax.plot(table["noise"], table["bound"], **look("bound"), label="agnostic bound")
    _spread(ax, table, "noise", "Perceptron")
    ax.plot(table["noise"], table["target"], **look("target") | _DOTS, label="target u")
    ax.set(xlabel="share of wrong labels", ylabel="mistakes")
    ax.legend()
    last = table.iloc[-1]
    return Figure(
        ax,
        alt=f"With {last['noise']:.0%} wrong labels the Perceptron makes "
        f"{last['median']:.0f} mistakes (median), the target {last['target']:.0f}, "
        f"and the agnostic bound allows {last['bound']:.0f}.",
        caption="One pass over noisy labels: the Perceptron's mistakes (median, and a "
        "band of 90 % of the seeds), the target's own, and the agnostic bound.",
        table=table,
    )


_DOTS = {"linestyle": ":", "marker": "."}


def final_margins(margins: ArrayLike, best: float) -> Figure:
    """Draw the margins of the classifiers that different orders end with."""
    values, ax = np.asarray(margins), panel(5, 2.6)
    ax.hist(values / best, bins=25, range=(0, 1), color=look("measured")["color"])
    ax.axvline(1, **look("bound"))
    ax.set(xlabel="margin of the last weights / largest margin", ylabel="orders")
    ax.locator_params(axis="y", integer=True)
    return Figure(
        ax,
        alt=f"Over {len(values)} orders the last weights have between "
        f"{values.min() / best:.0%} and {values.max() / best:.0%} of the largest "
        f"margin, {np.median(values) / best:.0%} in the median.",
        caption="The Perceptron stops at the first consistent weights: their margin, "
        "as a share of the largest (dashed), over many orders of the same points.",
    )


def cycles(xor: ArrayLike, wandering: ArrayLike) -> Figure:
    """Draw weights that repeat, one row a round, and a weight that never does."""
    weights, values = np.asarray(xor), np.asarray(wandering)
    period, wander = panels(2, 3.5, 2.8)
    for i, offset in enumerate((0.06, 0, -0.06)):
        label = f"w{'₁₂₃'[i]}"
        period.step(np.arange(len(weights)), weights[:, i] + offset, label=label)
    period.set(xlabel="round", ylabel="weights", ylim=(-1.6, 3.2))
    period.legend(ncols=3, loc="upper center")
    wander.plot(values, ".", color=look("measured")["color"], markersize=2)
    wander.set(xlabel="update", ylabel="weight", ylim=(-1.8, 1.8))
    distinct = len(np.unique(weights, axis=0))
    return Figure(
        [period, wander],
        alt=f"Exclusive or: {distinct} different weight vectors in {len(weights)} "
        f"rounds, over and over. With √2: the weight stays between "
        f"{values.min():.3f} and {values.max():.3f} and takes "
        f"{len(np.unique(values))} different values in {len(values)} updates.",
        caption="First, exclusive or with a bias; the weights repeat every four "
        "rounds. Second, the examples 1 (positive) and √2 (negative); the weight stays "
        "bounded and is never the same twice.",
    )
