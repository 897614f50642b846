"""The figures of the chapter `averaged_perceptron`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from olc.show.plots._figure import Figure, look, panel, panels
from olc.show.plots._vocabulary import bands, boundary, log_axis, points

if TYPE_CHECKING:
    from olc.averaged_perceptron import VotedPerceptron
    from olc.core.game import Stream
    from olc.core.learner import Vector

#: Whose look a classifier has. The survivor is nobody's in the table of algorithms.
LOOKS = {
    "last": "Perceptron",
    "longest survivor": "Learner",
    "voted": "VotedPerceptron",
    "averaged": "AveragedPerceptron",
}


def wandering(
    learner: VotedPerceptron, noisy: Stream, clean: Stream, most: int = 12
) -> Figure:
    """Draw the last lines that a Perceptron tried in the plane, and their average.

    `learner` has played on `noisy`; `clean` has the true labels of the same points.
    """
    average = learner.lifetimes @ np.array(learner.hypotheses) / learner.rounds
    lines = np.array([*learner.hypotheses[-most:], average])
    ax = panel(4.1, 4.0)
    points(ax, noisy.X, noisy.y, 1.15)
    for weights in lines[:-1]:
        boundary(ax, weights, **look("Perceptron") | {"linewidth": 0.8})
    boundary(ax, average, **look("AveragedPerceptron") | {"linewidth": 2.8})
    mistakes = len(learner.hypotheses) - 1
    names = [*range(mistakes - len(lines) + 2, mistakes + 1), "average"]
    table = pd.DataFrame(
        {
            "angle": np.degrees(np.arctan2(lines[:, 1], lines[:, 0])).round(),
            "error": errors(lines, clean).round(3),
        },
        pd.Index(names, name="after mistake"),
    )
    tried, kept = table["error"].iloc[:-1], table["error"].iloc[-1]
    return Figure(
        ax,
        alt=f"The Perceptron made {mistakes} mistakes in {len(noisy)} rounds. Of its "
        f"last {len(tried)} lines the worst gets {tried.max():.0%} of the points wrong "
        f"by their true labels, and the last one {tried.iloc[-1]:.0%}; the average of "
        f"all its lines gets {kept:.0%} wrong.",
        caption="Examples with noisy labels, the last lines that the Perceptron tried "
        "(thin) and the average of all its hypotheses (thick and dotted).",
        table=table,
    )


def held_out(runs: pd.DataFrame, x: str, log: bool = False) -> Figure:
    """Draw the error on new examples of every classifier against the column x.

    `runs` has a row for every run, with a column of errors for every classifier.
    """
    table = runs.melt([x, "seed"], list(LOOKS), "classifier", "error")
    ax = panel(height=3.4)
    drawn = bands(ax, table, x, "error", "classifier", looks=LOOKS, middle="mean")
    if log:
        log_axis(ax, sorted(table[x].unique()))
    ax.set(xlabel=x, ylabel="error on new examples")
    ax.set(ylim=(0, 1.35 * float(drawn["high"].max())))  # room for the legend
    ax.legend(loc="upper right", ncols=2)
    means = drawn["mean"].unstack("classifier")[list(LOOKS)]
    found = ", ".join(f"{name} {error:.1%}" for name, error in means.iloc[-1].items())
    last = means.index[-1]
    where = f"after {last} rounds" if x == "rounds" else f"with {last:.0%} wrong labels"
    return Figure(
        ax,
        alt=f"Mean error {where}: {found}.",
        caption=f"Error on new examples against {x}, for four classifiers that one "
        "game can hand out: mean over the seeds, and the middle half of them as a "
        "band.",
        table=means.round(4),
    )


def lifetimes(learner: VotedPerceptron, fresh: Stream) -> Figure:
    """Draw how long each hypothesis predicted, and how good it is on fresh examples.

    The first hypothesis is 0 and predicts nothing, so it is left out.
    """
    table = pd.DataFrame(
        {
            "rounds in use": learner.lifetimes[1:],
            "error": errors(np.array(learner.hypotheses[1:]), fresh).round(4),
        },
        pd.Index(range(2, len(learner.hypotheses) + 1), name="hypothesis"),
    )
    lived, wrong = table["rounds in use"], table["error"]
    left, right = panels(2)
    left.vlines(table.index, 0, lived, color=look("VotedPerceptron")["color"])
    left.set(xlabel="hypothesis", ylabel="rounds in use")
    dots = look("VotedPerceptron") | {"marker": "o", "linestyle": "none"}
    right.plot(lived, wrong, **dots | {"markersize": 3.5})
    longest = 2 + int(lived.to_numpy().argmax())
    right.plot(lived[longest], wrong[longest], **look("ring"))
    right.set(xlabel="rounds in use", ylabel="error on fresh examples", xscale="symlog")
    right.set_ylim(bottom=0)
    better = int((wrong < wrong[longest]).sum())
    return Figure(
        [left, right],
        alt=f"Hypothesis {longest} lived longest, {lived[longest]:.0f} rounds, and "
        f"errs on {wrong[longest]:.1%} of fresh examples; the mean of all "
        f"{len(table)} is {wrong.mean():.1%}, and {better} of them are better than "
        "the survivor.",
        caption="First, for how many rounds each hypothesis of one game predicted. "
        "Second, its error on fresh examples against that number; the longest "
        "survivor is ringed.",
        table=table,
    )


def errors(lines: Vector, stream: Stream) -> Vector:
    """Return how often each of these weight vectors is wrong on a stream."""
    wrong = np.sign(stream.X @ lines.T) != stream.y[:, None]
    return np.asarray(wrong.mean(axis=0))
