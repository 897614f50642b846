"""The figures of the chapter `perceptron_vs_winnow`, and what they measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from olc import adversaries, geometry, normalized_winnow, perceptron, streams, winnow
from olc.balanced_winnow import BalancedWinnow
from olc.game import Stream, duel, play
from olc.normalized_winnow import NormalizedWinnow
from olc.perceptron import Perceptron
from olc.plots._figure import BLUE, GREEN, GREY, VERMILION, Figure, look, panel, panels
from olc.plots.normalized_winnow import forced
from olc.winnow import Winnow

PER_EXPERT = 3  #: rounds of a random game, for each expert


def race(stream: Stream, k: int) -> Figure:
    """Draw how the mistakes of both learners add up on one stream."""
    ax, found = panel(), []
    for learner, name in (
        (Perceptron(stream.n), "perceptron"),
        (NormalizedWinnow(stream.n, eta=1 / k), "winnow"),
    ):
        rounds = play(learner, stream).rounds
        found.append(len(rounds))
        steps = np.append(rounds + 1, len(stream))
        total = np.append(np.arange(1, len(rounds) + 1), len(rounds))
        style = look(name) | {"drawstyle": "steps-post", "markersize": 5}
        ax.plot(steps, total, **style, label=name.title(), markevery=0.12)
    ax.set(xlabel="round", ylabel="mistakes so far")
    ax.legend()
    return Figure(
        ax,
        alt=f"On the same {len(stream)} rounds the Perceptron errs {found[0]} times "
        f"and is still erring; normalised Winnow errs {found[1]} times, nearly all of "
        "them early.",
        caption=f"Mistakes so far of both learners on one random stream: {stream.n} "
        f"experts, a hidden panel of {k}.",
    )


# --- Nk against 2k² ln N --------------------------------------------------------------


def crossover(k: int) -> float | None:
    """Return the N at which Nk falls behind 2k² ln N, or None if it never leads."""
    if 2 * k < math.e:  # N/ln N is never below e
        return None
    n = 1e6
    for _ in range(200):
        n = 2 * k * math.log(n)
    return n


def opinions(n: int, rounds: int, random: np.random.Generator) -> NDArray[np.int8]:
    """Return random opinions ±1, eight to a byte of randomness."""
    octets = np.frombuffer(random.bytes(-(-rounds * n // 8)), np.uint8)
    bits = np.unpackbits(octets)[: rounds * n].view(np.int8)
    return (2 * bits - 1).reshape(rounds, n)


@lru_cache(maxsize=1024)
def random_game(n: int, k: int, seed: int) -> tuple[int, int]:
    """Count the mistakes of Perceptron and Winnow on one random panel stream.

    By symmetry the panel may be the first k experts. The stream is dealt in parts, so
    that it never fills the memory. Rounds in which the experts split evenly are left
    out: only there can Winnow's weights balance, and then rounding would decide.
    """
    random, left = np.random.default_rng(seed), PER_EXPERT * n
    learners = Perceptron(n), NormalizedWinnow(n, eta=1 / k)
    mistakes = [0, 0]
    while left:
        rounds = min(left, max(1, 2**22 // n))
        X = opinions(n, rounds, random)
        X = X[X.sum(axis=1) != 0]
        part = Stream(X, np.sign(X[:, :k].sum(axis=1)))
        for i, learner in enumerate(learners):
            mistakes[i] += play(learner, part).mistakes
        left -= rounds
    return mistakes[0], mistakes[1]


@lru_cache(maxsize=8)
def _small_game(n: int, k: int) -> Stream:
    return duel(Perceptron(n), adversaries.Panel(n, k), 10**6).stream


@lru_cache(maxsize=256)
def worst_perceptron(n: int, k: int, base: int = 64) -> int:
    """Force mistakes on the Perceptron: the adversary at `base`, then copies of it.

    Copies of a game in orthogonal blocks do not disturb each other: multiplied by the
    rows of a Hadamard matrix of order h, M mistakes on n experts become hM on hn.
    """
    copies = 2 ** max(0, int(math.log2(n / base)))
    small = n // copies
    game = _small_game(small, k)
    learner, mistakes = Perceptron(n), 0
    for row in hadamard(copies):
        X = np.zeros((len(game), n), np.int8)
        X[:, : small * copies] = np.kron(game.X, row)
        mistakes += play(learner, Stream(X, game.y)).mistakes
    return mistakes


def hadamard(order: int) -> NDArray[np.int8]:
    """Return Sylvester's matrix: ±1, first column +1, orthogonal rows."""
    matrix = np.ones((1, 1), np.int8)
    while len(matrix) < order:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def seeds_for(n: int) -> int:
    """Return how many random games to play: fewer where one is long."""
    return 6 if n <= 256 else 4 if n <= 512 else 3 if n <= 1024 else 2


def measure(n: int, k: int) -> dict[str, float]:
    """Return bounds and measured mistakes of both learners for one N and k."""
    games = np.array([random_game(n, k, seed) for seed in range(seeds_for(n))])
    row: dict[str, float] = {"k": k, "N": n}
    row |= {"Perceptron: Nk": perceptron.panel_bound(n, k)}
    row |= {"Perceptron: adversary": worst_perceptron(n, k)}
    row |= _random("Perceptron", games[:, 0])
    row |= {"Winnow: 2k² ln N": normalized_winnow.panel_bound(n, k)}
    sharp = normalized_winnow.mistake_bound(n, 1 / k, eta=1 / k, spread=k)
    row |= {"Winnow: sharp": sharp, "Winnow: adversary": _worst_winnow(n, k)}
    return row | _random("Winnow", games[:, 1])


def _worst_winnow(n: int, k: int) -> int:
    return forced(n, k, 1 / k, 10**6, tries=16 if n <= 64 else 1)


def _random(name: str, found: NDArray[Any]) -> dict[str, float]:
    return {
        f"{name}: random": float(found.mean()),
        f"{name}: least": int(found.min()),
        f"{name}: most": int(found.max()),
    }


@lru_cache(maxsize=4)
def measure_all(sizes: tuple[int, ...], ks: tuple[int, ...]) -> pd.DataFrame:
    """Return the table of all bounds and measurements."""
    return pd.DataFrame([measure(n, k) for k in ks for n in sizes])


def some_numbers(
    sizes: Sequence[int], ks: Sequence[int], shown: Sequence[int]
) -> pd.DataFrame:
    """Return the rows of the table for the `shown` N, without the spread."""
    table = measure_all(tuple(sizes), tuple(ks)).set_index(["k", "N"])
    table.columns = pd.MultiIndex.from_tuples(
        [tuple(str(name).split(": ")) for name in table]
    )
    table = table.drop(columns=["least", "most"], level=1)
    return table[table.index.get_level_values("N").isin(list(shown))].round(1)


def headline(sizes: Sequence[int], ks: Sequence[int]) -> Figure:
    """Draw both bounds and both learners' mistakes against N, one panel a k."""
    table = measure_all(tuple(sizes), tuple(ks))
    axes, notes = panels(len(ks) + 1, 3.4, 3.3), []
    for ax, k in zip(axes, ks, strict=False):
        part = table[table["k"] == k]
        _draw_learner(ax, part, "Perceptron", "Nk", BLUE, "o")
        _draw_learner(ax, part, "Winnow", "2k² ln N", VERMILION, "s")
        ax.plot(part["N"], part["Winnow: sharp"], color=VERMILION, linestyle=":")
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        ax.set(xlabel=f"N (k = {k})", ylabel="mistakes", ylim=(1, 4e4))
        ax.minorticks_off()
        notes.append(_mark_crossover(ax, k))
    _explain(axes[-1])
    last = table.iloc[-1]
    return Figure(
        axes,
        alt=f"{' '.join(notes)} Measured, Winnow makes fewer mistakes than the "
        f"Perceptron for {_wins(table)} of {len(table)} pairs N, k on random streams "
        f"and for {_wins(table, 'adversary')} against the adversary. At "
        f"N = {last['N']:.0f} and k = {last['k']:.0f} the Perceptron is forced to "
        f"{last['Perceptron: adversary']:.0f} mistakes and Winnow to "
        f"{last['Winnow: adversary']:.0f}.",
        caption="Mistakes against the number N of experts for a hidden panel of k, "
        "both axes logarithmic. Blue circles: Perceptron; orange squares: normalised "
        "Winnow with η = 1/k. Dashed: the bounds Nk and 2k² ln N, which cross at the "
        "ring; dotted: Winnow's sharper bound with ln(N/k). Triangles, upright for the "
        "Perceptron and upside down for Winnow: forced by the adversary. Filled marks: "
        f"mean of random streams of {PER_EXPERT}N rounds, with their range (without "
        "the rounds in which the experts split evenly).",
        table=table.set_index(["k", "N"]).round(1),
    )


def _draw_learner(
    ax: Axes, part: pd.DataFrame, name: str, bound: str, color: str, marker: str
) -> None:
    ax.plot(part["N"], part[f"{name}: {bound}"], color=color, linestyle="--")
    worst = part[f"{name}: adversary"]
    triangle = "^" if name == "Perceptron" else "v"
    ax.plot(part["N"], worst, triangle, color=color, fillstyle="none", markersize=6)
    mean = part[f"{name}: random"]
    spread = [mean - part[f"{name}: least"], part[f"{name}: most"] - mean]
    style: dict[str, Any] = {"color": color, "marker": marker, "linewidth": 1}
    ax.errorbar(
        part["N"], mean, spread, **style, linestyle="-", markersize=4, capsize=2
    )


def _mark_crossover(ax: Axes, k: int) -> str:
    n = crossover(k)
    if n is None:
        ax.text(0.04, 0.9, "the bounds\nnever cross", transform=ax.transAxes, va="top")
        return f"For k = {k} Winnow's bound is the smaller one for every N."
    ax.plot(n, n * k, "o", color=GREEN, markersize=11, fillstyle="none")
    ax.annotate(
        f"N ≈ {n:.0f}",
        (n, n * k),
        (0.04, 0.9),
        textcoords=ax.transAxes,
        arrowprops={"arrowstyle": "-", "color": GREEN, "shrinkB": 6},
    )
    return f"For k = {k} the bounds cross at N = {n:.1f}."


def _explain(ax: Axes) -> None:
    """Use the last panel for the legend, so that it covers no data."""
    key: list[tuple[str, dict[str, Any]]] = [
        ("Perceptron, random streams", look("perceptron") | {"linewidth": 1}),
        ("Winnow, random streams", look("winnow") | {"linewidth": 1}),
        ("bound Nk, 2k² ln N", {"color": GREY, "linestyle": "--"}),
        ("sharp bound, ln(N/k)", {"color": GREY, "linestyle": ":"}),
        ("forced by the adversary", {**_HOLLOW, "marker": "^", "color": GREY}),
        ("the bounds cross", {**_HOLLOW, "marker": "o", "color": GREEN}),
    ]
    for name, style in key:
        ax.plot([], [], label=name, **style)
    ax.legend(loc="center", fontsize=11, labelspacing=0.9)
    ax.set_axis_off()


_HOLLOW = {"linestyle": "none", "fillstyle": "none", "markersize": 8}


def _wins(table: pd.DataFrame, how: str = "random") -> int:
    return int((table[f"Winnow: {how}"] < table[f"Perceptron: {how}"]).sum())


def who_wins(N: int, k: int) -> Figure:
    """Draw the numbers of one N and k as bars, for the explorer."""
    row, ax = measure(N, k), panel(5.0, 3.6)
    bars = [name for name in row if name.split(": ")[-1] not in _NOT_BARS]
    for place, name in enumerate(bars):
        learner, what = name.split(": ")
        color = BLUE if learner == "Perceptron" else VERMILION
        measured = what in ("adversary", "random")
        ax.barh(place, row[name], color=color, alpha=0.9 if measured else 0.35)
        digits = 1 if row[name] < 100 and row[name] % 1 else 0
        value = f"{row[name]:.{digits}f}"
        ax.text(row[name] * 1.12, place, value, va="center", fontsize=10)
    ax.set_yticks(range(len(bars)), [_short(name) for name in bars])
    ax.invert_yaxis()
    ax.set_xscale("log")
    ax.set(xlabel="mistakes", xlim=(1, 2e5))
    ax.set_xticks([1, 10, 100, 1000, 10_000])
    ax.minorticks_off()
    ax.grid(False, axis="y")
    verdicts = []
    for what, left, right in (
        ("the bounds", "Nk", "2k² ln N"),
        ("the sharp bound", "Nk", "sharp"),
        ("the adversary", "adversary", "adversary"),
        ("random streams", "random", "random"),
    ):
        ratio = row[f"Perceptron: {left}"] / max(row[f"Winnow: {right}"], 1e-9)
        verdicts.append(f"by {what} {'Winnow' if ratio > 1 else 'the Perceptron'}")
    random = row["Perceptron: random"] / row["Winnow: random"]
    return Figure(
        ax,
        alt=f"N = {N}, k = {k}. Who errs less: {'; '.join(verdicts)}. On "
        f"random streams the Perceptron makes {random:.1f} times as many mistakes.",
        caption="Bounds (pale) and measured mistakes (strong) of the Perceptron (P) "
        "and normalised Winnow (W) for a panel of k among N experts.",
    )


_NOT_BARS = {"k", "N", "least", "most"}


def _short(name: str) -> str:
    learner, what = name.split(": ")
    return f"{learner[0]}  {what}"


# --- the two norms --------------------------------------------------------------------


def sparse_examples(n: int, active: int, rounds: int, seed: int) -> Stream:
    """Return a dense signed target ±1 with `active` features ±1 in each example."""
    random = np.random.default_rng(seed)
    u = random.choice([-1.0, 1.0], n)
    X = np.zeros((rounds, n), np.int8)
    where = np.argsort(random.random((rounds, n)), axis=1)[:, :active]
    signs = random.choice(np.array([-1, 1], np.int8), (rounds, active))
    np.put_along_axis(X, where, signs, axis=1)
    return Stream(X, np.sign(X @ u), u)


def both_bounds(stream: Stream) -> dict[str, float]:
    """Return what enters the two mistake bounds of a stream, and the bounds."""
    u = stream.need_target()
    gap = float(np.min(stream.y * (stream.X @ u)))
    ones, two = geometry.norm(u, 1), geometry.norm(u)
    largest = geometry.radius(stream.X, math.inf)
    return {
        "‖u‖₂ ‖x‖₂": two * stream.radius / gap,
        "‖u‖₁ ‖x‖∞": ones * largest / gap,
        "additive bound": (two * stream.radius / gap) ** 2,
        "multiplicative bound": 2
        * math.log(2 * stream.n)
        * (ones * largest / gap) ** 2,
    }


def mistakes_against_rate(
    games: dict[str, Sequence[Stream]], etas: Sequence[float]
) -> Figure:
    """Draw Balanced Winnow's mistakes against η beside the Perceptron's."""
    axes, rows, said = panels(len(games), 3.5, 3.0), [], []
    for ax, (name, sample) in zip(axes, games.items(), strict=True):
        n = sample[0].n
        line = [play(Perceptron(n), stream).mistakes for stream in sample]
        found = np.array(
            [
                [play(BalancedWinnow(n, eta=eta), s).mistakes for s in sample]
                for eta in etas
            ]
        )
        mean = found.mean(axis=1)
        ax.axhline(float(np.mean(line)), color=BLUE, label="Perceptron")
        style = look("winnow") | {"markersize": 4}
        ax.plot(etas, mean, **style, label="Balanced Winnow")
        spread = found.min(axis=1), found.max(axis=1)
        ax.fill_between(etas, *spread, color=VERMILION, alpha=0.25)
        ax.set_xscale("log")
        ax.set(xlabel="η", ylabel=f"mistakes, {name}", ylim=(0, None))
        ax.minorticks_off()
        best = int(mean.argmin())
        said.append(
            f"With a {name} the Perceptron errs {np.mean(line):.0f} times, Balanced "
            f"Winnow {mean[0]:.0f} times at η = {etas[0]:.2g}, {mean[-1]:.0f} times at "
            f"η = {etas[-1]:.2g} and {mean[best]:.0f} times at best."
        )
        rows += [
            (name, eta, value, np.mean(line))
            for eta, value in zip(etas, mean, strict=True)
        ]
    axes[0].legend()
    table = pd.DataFrame(rows, columns=["data", "η", "Balanced Winnow", "Perceptron"])
    return Figure(
        axes,
        alt=" ".join(said),
        caption="Mistakes of Balanced Winnow against its rate, with the Perceptron as "
        "a line; shaded, the range of the streams. At small rates the two are nearly "
        "one algorithm; bolder rates pay where the target is sparse and cost where it "
        "is dense.",
        table=table.set_index(["data", "η"]).round(1),
    )


# --- Figure 5 of CS 446 ---------------------------------------------------------------


def disjunctions(sizes: Sequence[int], k: int, seeds: int) -> Figure:
    """Draw mistakes on k-disjunctions, additive against multiplicative."""
    rows = [_disjunction_row(n, k, seeds) for n in sizes]
    table = pd.DataFrame(rows).set_index("N")
    ax = panel(5.0, 3.4)
    for name, color, marker in (("Perceptron", BLUE, "o"), ("Winnow", VERMILION, "s")):
        ax.plot(table.index, table[f"{name} bound"], color=color, linestyle="--")
        ax.plot(
            table.index,
            table[name],
            color=color,
            marker=marker,
            linestyle="-",
            label=name,
        )
    ax.plot([], [], color=GREY, linestyle="--", label="bound")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set(xlabel="number of features N", ylabel="mistakes")
    ax.minorticks_off()
    ax.legend()
    last = table.iloc[-1]
    return Figure(
        ax,
        alt=f"From N = {sizes[0]} to {sizes[-1]} the Perceptron's mistakes on random "
        f"{k}-disjunctions grow from {table['Perceptron'].iloc[0]:.0f} to "
        f"{last['Perceptron']:.0f}, Winnow's from {table['Winnow'].iloc[0]:.0f} to "
        f"{last['Winnow']:.0f}.",
        caption=f"Mistakes on random disjunctions of {k} among N variables, 8N rounds, "
        f"mean of {seeds}: the Perceptron with a bias, and Winnow; dashed the bounds.",
        table=table.round(1),
    )


def _disjunction_row(n: int, k: int, seeds: int) -> dict[str, float]:
    additive, multiplicative = [], []
    for stream in (streams.disjunction(n, k, 8 * n, seed) for seed in range(seeds)):
        biased = Stream(geometry.homogenise(stream.X), stream.y)
        additive.append(play(Perceptron(n + 1), biased).mistakes)
        multiplicative.append(play(Winnow(n), stream).mistakes)
    return {
        "N": n,
        "Perceptron": float(np.mean(additive)),
        # u has 2 on the relevant variables and bias -1, so its margin is 1/√(4k+1)
        "Perceptron bound": (n + 1) * (4 * k + 1),
        "Winnow": float(np.mean(multiplicative)),
        "Winnow bound": winnow.mistake_bound(n, k),
    }
