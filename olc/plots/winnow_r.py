"""The figures of the chapter `winnow_r`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from olc import adversaries, streams
from olc import winnow_r as theory
from olc.game import Trace, duel, play_many
from olc.plots._figure import BLUE, VERMILION, Figure, look, panel, panels
from olc.winnow import Winnow
from olc.winnow_r import WinnowR

KINDS = {"Winnow": Winnow, "Winnow-R": WinnowR}
LOOKS = {"Winnow": look("worst"), "Winnow-R": look("measured")}


def moving_target(n: int = 12, k: int = 3, drifts: int = 6, seed: int = 4) -> Figure:
    """Draw which variables are in the target, round by round."""
    stream = streams.drifting_disjunction(n, k, 70, drifts, seed)
    starts = [start for start, _ in stream.drifts]
    ax = panel(5.0, 3.0)
    ends = [*starts[1:], len(stream)]
    for (start, target), end in zip(stream.drifts, ends, strict=True):
        for variable in np.flatnonzero(target):
            ax.plot(
                [start, end],
                [variable + 1] * 2,
                color=look("positive")["color"],
                linestyle="-",
                linewidth=5,
                solid_capstyle="butt",
            )
    ax.set(xlabel="round", ylabel="variable", ylim=(0.3, n + 0.7))
    ax.set_yticks(range(2, n + 1, 2))
    return Figure(
        ax,
        alt=f"A disjunction of {k} among {n} variables changes {drifts} times; "
        f"{stream.additions} variables are added in all, the first {k} included.",
        caption="A target that drifts: the bars show when a variable belongs to the "
        "disjunction. Each change replaces one variable.",
    )


@lru_cache(maxsize=16)
def flip_game(kind: str, n: int, flips: int) -> tuple[Trace, int]:
    """Play the flipping adversary; return the game and its mistakes after the last."""
    adversary = adversaries.Flip(n, flips)
    trace = duel(KINDS[kind](n), adversary, rounds=100_000)
    return trace, int((trace.rounds >= adversary.drifts[-1][0]).sum())


def victim(kind: str, flips: int, n: int = 1024) -> Figure:
    """Draw the weight that the adversary makes the learner forget."""
    trace, after = flip_game(kind, n, flips)
    levels = [0.0, *(np.log2(step.learner.weights[2]) for step in trace.replay())]
    turn = trace.mistakes - after
    ax = panel()
    ax.axhline(np.log2(n), **look("bound"))
    ax.plot(range(turn + 1), levels[: turn + 1], "-", color=BLUE, label="before")
    ax.plot(
        range(turn, len(levels)),
        levels[turn:],
        "-.",
        color=VERMILION,
        label="after the last drift",
    )
    # The same scale for both learners, so that they can be compared.
    scale = -4 - 1.25 * flips, np.log2(n) * 1.3 + 0.1 * flips
    ax.set(xlabel="mistake", ylabel="log₂ weight of variable 3", ylim=scale)
    ax.legend(loc="lower left")
    return Figure(
        ax,
        alt=f"{kind}: after {flips} flips the weight of variable 3 is down at "
        f"2 to the power −{-levels[turn]:.0f}, and {after} mistakes follow until it "
        f"has climbed to the threshold.",
        caption="The weight of a variable that sits in every false positive while the "
        "target flips between two others, and that then becomes the target. The dashed "
        "line is the threshold.",
    )


def separation(
    flips: Sequence[int], additions: Sequence[int], n: int = 1024, small: int = 64
) -> Figure:
    """Draw the two constructions on which Winnow fails and Winnow-R does not."""
    left, right = panels(2)
    rows = []
    for name, kind in KINDS.items():
        after = [flip_game(name, n, count)[1] for count in flips]
        total = [
            duel(kind(small), adversaries.Doubling(small, c), 100_000).mistakes
            for c in additions
        ]
        left.plot(flips, after, **LOOKS[name], label=name)
        right.plot(additions, total, **LOOKS[name], label=name)
        rows += [("flips", x, name, m) for x, m in zip(flips, after, strict=True)]
        rows += [
            ("doubling", c, name, m) for c, m in zip(additions, total, strict=True)
        ]
    bounds = [theory.mistake_bound(small, c) for c in additions]
    right.plot(additions, bounds, **look("bound"), label="bound for Winnow-R")
    left.set(xlabel="flips before the last drift", ylabel="mistakes after it")
    right.set(xlabel="variables added", ylabel="mistakes in all", yscale="log")
    right.set(ylim=(0.8, None))
    left.legend()
    right.legend(loc="lower right")
    table = pd.DataFrame(rows, columns=["game", "size", "learner", "mistakes"])
    wide = table.pivot(index=["game", "size"], columns="learner", values="mistakes")
    plain, floor = wide.loc[("doubling", additions[-1]), ["Winnow", "Winnow-R"]]
    forgot, kept = wide.loc[("flips", flips[-1]), ["Winnow", "Winnow-R"]]
    return Figure(
        [left, right],
        alt=f"After {flips[-1]} flips Winnow makes {forgot} mistakes until it has "
        f"found the new target and Winnow-R {kept}; with {additions[-1]} added "
        f"variables the doubling adversary costs {plain} and {floor}.",
        caption="First: mistakes after the last drift, against the number of flips "
        "before it. Second: all mistakes against the number of added variables, on a "
        "logarithmic axis.",
        table=wide,
    )


@lru_cache(maxsize=4)
def random_drift_table(
    n: int, k: int, rounds: int, drifts: tuple[int, ...], seeds: int
) -> pd.DataFrame:
    """Measure both learners on targets that drift at random."""
    rows = []
    for count in drifts:
        games = [
            streams.drifting_disjunction(n, k, rounds, count, seed)
            for seed in range(seeds)
        ]
        cost = games[0].additions
        row: dict[str, float] = {"added": cost, "bound": theory.mistake_bound(n, cost)}
        for name, kind in KINDS.items():
            found = [t.mistakes for t in play_many(partial(kind, n), games)]
            row[f"{name}, mean"] = float(np.mean(found))
            row[f"{name}, least"] = min(found)
            row[f"{name}, most"] = max(found)
        rows.append(row)
    return pd.DataFrame(rows).set_index("added")


def random_drift(
    n: int, k: int, rounds: int, drifts: Sequence[int], seeds: int
) -> Figure:
    """Draw mistakes against the number of random drifts."""
    table = random_drift_table(n, k, rounds, tuple(drifts), seeds)
    ax = panel()
    for name in KINDS:
        ax.plot(table.index, table[f"{name}, mean"], **LOOKS[name], label=name)
        spread = table[f"{name}, least"], table[f"{name}, most"]
        ax.fill_between(table.index, *spread, color=LOOKS[name]["color"], alpha=0.25)
    ax.plot(table.index, table["bound"], **look("bound"), label="bound for Winnow-R")
    ax.set(xlabel="variables added", ylabel="mistakes")
    ax.legend()
    plain, floor = table.iloc[-1][["Winnow, mean", "Winnow-R, mean"]]
    return Figure(
        ax,
        alt=f"On {seeds} random drifts with {table.index[-1]} added variables Winnow "
        f"errs {plain:.0f} times and Winnow-R {floor:.0f} times on average: chance "
        "is no adversary.",
        caption="Mistakes against the number of variables that were added, when the "
        f"target drifts at random: mean and range of {seeds} streams.",
        table=table,
    )
