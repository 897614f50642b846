"""The figures of the chapter `averaged_perceptron`."""

from olc.averaged_perceptron import VotedPerceptron
from olc_book.plots.kit import *

__all__ = ["LOOKS", "wandering", "rare", "held_out", "lifetimes"]

#: Whose look a classifier has. The survivor is nobody's in the table of algorithms.
LOOKS = {
    "last": "Perceptron",
    "longest survivor": "Learner",
    "voted": "VotedPerceptron",
    "averaged": "AveragedPerceptron",
    "thick, last": "MarginPerceptron",
    "thick, averaged": "AveragedMarginPerceptron",
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
    angles = np.degrees(np.arctan2(lines[:, 1], lines[:, 0])).round()
    table = pd.DataFrame(
        {"angle": angles, "error": _errors(lines, clean).round(3)},
        pd.Index(names, name="after mistake"),
    )
    tried, kept = table["error"].iloc[:-1], table["error"].iloc[-1]
    said = (
        f"The Perceptron made {mistakes} mistakes in {len(noisy)} rounds. Of its last "
        f"{len(tried)} lines the worst gets {tried.max():.0%} of the points wrong by "
        f"their true labels, and the last one {tried.iloc[-1]:.0%}; the average of all "
        f"its lines gets {kept:.0%} wrong."
    )
    return Figure(ax, said, table)


def held_out(
    runs: pd.DataFrame, x: str, log: bool = False, floor: Sequence[float] = (0, 0.01)
) -> Figure:
    """Draw the error on new examples of every classifier against the column x.

    `runs` has a row for every run, with a column of errors for every classifier. The
    axis of the errors is logarithmic beyond the second number of `floor`, which are
    the numbers that it marks, and straight below, so that it can show 0.
    """
    table = means(runs, x, list(LOOKS), "classifier")
    ticks = sorted(runs[x].unique()) if log else None
    axes = curves(table, {"mean": "random"}, x, "error on new examples",
                  by="classifier", whose=LOOKS, size=(4.8, 3.6), xticks=ticks,
                  yticks=floor, ylim=(floor[0], 0.5), legend="ends")  # fmt: skip
    axes[0].yaxis.set_major_formatter("{x:g}")
    wide = table["mean"].unstack("classifier")[list(LOOKS)]
    last = wide.index[-1]
    where = {
        "rounds": f"after {last} rounds",
        "margin": f"with margin {last:g}",
        "noise": f"with {last:.0%} wrong labels",
    }[x]
    found = [f"{error:.1%} ({name})" for name, error in wide.iloc[-1].items()]
    # A mean of shares often ends in 5, and versions of pandas differ in its last bits.
    wide = wide.round(9).round(4)
    return Figure(axes, f"The mean error {where} is {listed(found)}.", wide)


def rare(scores: pd.DataFrame) -> Figure:
    """Draw the score of a rare example after so many rounds, by some classifiers."""
    ax = panel(height=2.9)
    for name in map(str, scores):
        ax.plot(scores.index, scores[name], **look(LOOKS[name]), label=name)
    ax.axhline(0, color=INK, linewidth=0.8)
    log_axis(ax, [1, 10, 100, 1000, 10_000])
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_yscale("symlog", linthresh=0.01)
    ax.set(xlabel="rounds", ylabel="score of B")
    ax.set_yticks([-1, -0.1, -0.01, 0, 0.01, 0.1, 1])
    ax.yaxis.set_major_formatter("{x:g}")
    name_ends(ax)
    last = {name: scores.index[(scores[name] <= 0).to_numpy()].max() for name in scores}
    found = listed(f"{rounds:,} rounds ({name})" for name, rounds in last.items())
    return Figure(ax, f"The score of B is still not positive after {found}.", scores)


def lifetimes(learner: VotedPerceptron, fresh: Stream) -> Figure:
    """Draw how long each hypothesis predicted, and how good it is on fresh examples.

    The first hypothesis is 0 and predicts nothing, so it is left out.
    """
    count = pd.RangeIndex(2, len(learner.hypotheses) + 1, name="hypothesis")
    table = pd.DataFrame({"rounds in use": learner.lifetimes[1:]}, count)
    table["error"] = _errors(np.array(learner.hypotheses[1:]), fresh).round(4)
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
    said = (
        f"Hypothesis {longest} lived longest, {lived[longest]:.0f} rounds, and errs on "
        f"{wrong[longest]:.1%} of fresh examples; the mean of all {len(table)} is "
        f"{wrong.mean():.1%}, and {better} of them are better than the survivor."
    )
    return Figure([left, right], said, table)


def _errors(lines: Vector, stream: Stream) -> Vector:
    """Return how often each of these weight vectors is wrong on a stream."""
    wrong = np.sign(stream.X @ lines.T) != stream.y[:, None]
    return np.asarray(wrong.mean(axis=0))
