"""The figures of the chapter `averaged_perceptron`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from olc import streams
from olc.averaged_perceptron import AveragedPerceptron, VotedPerceptron
from olc.game import Stream, play
from olc.plots._figure import Figure, look, panel, panels
from olc.plots._game import draw_boundary, draw_points

if TYPE_CHECKING:
    from olc.learner import Vector

CLASSIFIERS = ("last", "averaged", "voted", "longest survivor")
LOOKS = dict(
    zip(CLASSIFIERS, map(look, ("worst", "measured", "lower", "bound")), strict=True)
)


def wandering(seed: int = 2, chance: float = 0.15) -> Figure:
    """Draw the lines that a Perceptron tries on noisy data, and their average."""
    clean = streams.separable(2, 0.15, 120, seed)
    noisy = streams.flip_labels(clean, chance, seed)
    learner = AveragedPerceptron(2)
    trace = play(learner, noisy, record=True)
    ax = panel(4.4, 4.2)
    draw_points(ax, np.asarray(noisy.X), noisy.y, 1.15)
    assert trace.weights is not None
    for weights in trace.weights[-12:]:
        draw_boundary(ax, weights, color="C5", linewidth=0.8)
    draw_boundary(ax, learner.average, linewidth=2.5)
    error = np.mean(learner.classify(clean.X) != clean.y)
    return Figure(
        ax,
        alt=f"With {chance:.0%} of the labels wrong the Perceptron made "
        f"{trace.mistakes} mistakes; its last twelve lines point in many directions, "
        f"while the average misclassifies {error:.0%} of the points, by their true "
        "labels.",
        caption="Noisy labels (circles +1, squares −1), the last twelve hypotheses of "
        "the Perceptron (thin) and the average of all of them (thick).",
    )


@lru_cache(maxsize=32)
def errors(
    chance: float, n: int, margin: float, rounds: tuple[int, ...], seeds: int
) -> pd.DataFrame:
    """Measure the error on clean data of the four classifiers, as a game goes on."""
    rows = []
    for seed in range(seeds):
        both = streams.separable(n, margin, rounds[-1] + 4000, seed)
        train, test = both[: rounds[-1]], both[rounds[-1] :]
        noisy = streams.flip_labels(train, chance, seed)
        voted, averaged = VotedPerceptron(n), AveragedPerceptron(n)
        start = 0
        for stop in rounds:
            for learner in (voted, averaged):
                play(learner, noisy[start:stop])
            start = stop
            for name in CLASSIFIERS:
                wrong = _answers(name, voted, averaged, test) != test.y
                rows.append((stop, name, float(np.mean(wrong))))
    table = pd.DataFrame(rows, columns=["rounds", "classifier", "error"])
    return table.groupby(["rounds", "classifier"])["error"].agg(["mean", "min", "max"])


def _answers(
    name: str, voted: VotedPerceptron, averaged: AveragedPerceptron, test: Stream
) -> Vector:
    if name == "averaged":
        return np.asarray(averaged.classify(test.X))
    if name == "voted":
        return np.asarray(voted.classify(test.X))
    weights = voted.weights if name == "last" else voted.longest_survivor
    return np.sign(test.X @ weights)


def noise(
    chance: float,
    n: int = 20,
    margin: float = 0.1,
    rounds: Sequence[int] = (50, 100, 200, 500, 1000, 2000),
    seeds: int = 5,
) -> Figure:
    """Draw test error against rounds for the four classifiers."""
    table = errors(chance, n, margin, tuple(rounds), seeds)
    ax = panel()
    for name in CLASSIFIERS:
        part = table.xs(name, level="classifier")
        ax.plot(part.index, part["mean"], **LOOKS[name], label=name)
        if name in ("last", "averaged"):
            color = LOOKS[name]["color"]
            ax.fill_between(
                part.index, part["min"], part["max"], color=color, alpha=0.15
            )
    ax.set_xscale("log")
    ax.set(xlabel="rounds", ylabel="error on clean data", ylim=(-0.01, 0.66))
    ax.legend(loc="upper right", ncols=2)
    wide = table["mean"].unstack()[list(CLASSIFIERS)]
    last = wide.iloc[-1]
    return Figure(
        ax,
        alt=f"With {chance:.0%} of the labels wrong, after {wide.index[-1]} rounds the "
        f"last hypothesis errs on {last['last']:.1%} of clean data, the averaged one "
        f"on {last['averaged']:.1%} and the voted one on {last['voted']:.1%}.",
        caption=f"Error on clean data against the length of the game, mean of {seeds} "
        "seeds; the bands span the seeds for the last and the averaged hypothesis.",
        table=wide.round(4),
    )


def lifetimes(stream: Stream) -> Figure:
    """Draw how long each hypothesis lived, and how good it was."""
    learner = VotedPerceptron(stream.n)
    play(learner, stream)
    scores = np.asarray(stream.X) @ np.array(learner.hypotheses).T
    wrong = np.mean(np.sign(scores) != stream.y[:, None], axis=0)
    left, right = panels(2)
    left.vlines(
        np.arange(1, len(wrong) + 1),
        0,
        learner.lifetimes,
        color=look("measured")["color"],
    )
    left.set(xlabel="hypothesis", ylabel="rounds in use")
    right.plot(learner.lifetimes, wrong, **look("positive"), markersize=4)
    right.set(
        xlabel="rounds in use", ylabel="error on the whole stream", xscale="symlog"
    )
    best = int(learner.lifetimes.argmax())
    others = np.delete(wrong, best).mean()
    return Figure(
        [left, right],
        alt=f"Of {len(wrong)} hypotheses the longest-lived, number {best + 1}, was in "
        f"use for {learner.lifetimes[best]:.0f} rounds and errs on {wrong[best]:.1%} "
        f"of the stream; the others err on {others:.1%} on average.",
        caption="First, how long each hypothesis of a Perceptron predicted. Second, "
        "its error against that length.",
    )
