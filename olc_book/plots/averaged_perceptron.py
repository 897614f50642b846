"""The figures of the chapter `averaged_perceptron`."""

from olc.averaged_perceptron import VotedPerceptron
from olc_book.plots.kit import *

__all__ = ["LOOKS", "wandering", "losses", "rare", "allowed", "held_out", "lifetimes"]

#: Whose look a classifier has. The survivor is nobody's in the table of algorithms, and
#: the last may not be drawn beside it.
LOOKS = {
    "last": "Perceptron",
    "longest survivor": "Learner",
    "voted": "VotedPerceptron",
    "averaged": "AveragedPerceptron",
    "thick, last": "MarginPerceptron",
    "thick, averaged": "AveragedMarginPerceptron",
    "τ = 10, last": "Learner",
}


def wandering(
    learner: VotedPerceptron, noisy: Stream, clean: Stream, most: int = 12
) -> Figure:
    """Draw the last lines that a Perceptron tried in the plane, and their average.

    `learner` has played on `noisy`; `clean` has the true labels of the same points.
    """
    average = learner.lifetimes @ np.array(learner.hypotheses) / learner.rounds
    lines = np.array([*learner.hypotheses[-most:], average])
    ax = panel(3.8, 3.7)
    points(ax, noisy.X, noisy.y, 1.15)
    for sign, name in ((1, "positive"), (-1, "negative")):
        X = noisy.X[(noisy.y == sign) & (clean.y != sign)]
        ax.plot(X[:, 0], X[:, 1], **look(name) | {"markersize": 5, "color": PURPLE})
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


def losses(scores: Sequence[float], shares: Sequence[float], tau: float) -> Figure:
    """Draw the error and two losses against the signed score, and means of two.

    Two hypotheses have these scores, in these shares of the rounds.
    """
    axes, far = panels(2, height=2.6), 1.25 * max(map(abs, scores))
    reach = np.linspace(-far, far, 401)
    two = np.array(scores)
    middle = float(two @ np.array(shares))

    def error(score: Any) -> Any:
        return np.where(np.asarray(score) > 0, 0.0, 1.0)

    def loss(score: Any) -> Any:
        return np.maximum(0, tau - np.asarray(score)) / tau

    rows = []
    own, thick = look("AveragedPerceptron"), look("MarginPerceptron")
    for ax, how, name, style in (
        (axes[0], error, "error", own | {"linestyle": "-"}),
        (axes[1], loss, "loss over τ", thick | {"linestyle": "-", "label": "ℓ/τ"}),
    ):
        mean = float(how(two) @ np.array(shares))
        ax.plot(reach, how(reach), **style)
        ax.plot(two, how(two), color=GREY, linestyle=":", marker="o", markersize=5)
        ax.plot(middle, mean, color=INK, marker="D", markersize=7)
        ax.plot(middle, float(how(middle)), **look("worst") | {"markersize": 8})
        ax.set(xlabel="signed score y⟨w, x⟩", ylabel=name, xlim=(-far, 0.6 * far))
        rows.append([name, mean, float(how(middle))])
    axes[0].set(ylim=(-0.1, 1.5))
    axes[1].plot(reach, error(reach), **look("target"), label="error")
    plain = look("Perceptron") | {"linestyle": "-.", "linewidth": 1.4}
    axes[1].plot(reach, np.maximum(0, -reach), **plain, label="ℓ for τ = 0")
    axes[1].set(ylim=(-0.4, 1.02 * float(loss(-far))))
    axes[1].legend(loc="upper right")
    columns = ["", "mean of the hypotheses", "of the mean score"]
    table = pd.DataFrame(rows, columns=columns).set_index("")
    told = [
        f"the mean {name} of two hypotheses is {mean:g}, and that of their mean "
        f"score {at:g}"
        for name, mean, at in rows
    ]
    return Figure(axes, sentences(told), table)


def allowed(ledger: pd.DataFrame, games: pd.DataFrame, margin: float) -> Figure:
    """Draw what the proof allows of the losses, and games within it; R² is 2τ = 1.

    `ledger` is that of an adversary's game; `games` has the updates and losses, over
    τ, of random games.
    """
    ax, most = panel(height=2.3), 2 / margin**2
    updates = np.linspace(0, most, 200)
    top = 2 * updates - (updates * margin) ** 2
    ax.fill_between(updates, top, color=GREY, alpha=0.15, linewidth=0)
    ax.plot(updates, top, **look("upper"))
    own = look("AveragedMarginPerceptron") | {"linestyle": "-"}
    made = 2 * ledger["losses"]
    ax.plot([0, *ledger.index], [0, *made], **own)
    ax.plot(ledger.index[-1], made.iloc[-1], **look("worst"))
    ax.plot(games["updates"], games["losses"], **own | {"linestyle": "none",
            "marker": "o", "markersize": 3})  # fmt: skip
    ax.axhline(1 / margin**2, color=GREY, linewidth=0.8)
    ax.annotate("ρ²", (most, 1 / margin**2), (-18, 5), textcoords="offset points")
    ax.set(xlabel="updates U", ylabel="losses / τ", xlim=(0, most),
           ylim=(0, 1.15 / margin**2))  # fmt: skip
    table = games.describe().loc[["mean", "min", "max"]].round(1)
    said = (
        f"The adversary's losses over τ come to {made.iloc[-1]:.4g} in {len(ledger)} "
        f"updates, of at most {1 / margin**2:.4g}; those of random games come to "
        f"{games['losses'].mean():.1f} in the mean."
    )
    return Figure(ax, said, table)


def held_out(
    runs: pd.DataFrame, x: str, log: bool = False, floor: Sequence[float] = (0, 0.01)
) -> Figure:
    """Draw the error on new examples of every classifier against the column x.

    `runs` has a row for every run, with a column of errors for some classifiers. The
    axis of the errors is logarithmic beyond the second number of `floor`, which are
    the numbers that it marks, and straight below, so that it can show 0. Two of the
    lines have a band, the middle half of the runs.
    """
    names = [name for name in LOOKS if name in runs]
    table = means(runs, x, names, "classifier")
    bare = ~table.index.isin(["last", "thick, averaged"], level="classifier")
    table.loc[bare, ["low", "high"]] = 0  # equal, so no band: six hide each other
    ticks = sorted(runs[x].unique()) if log else None
    axes = curves(table, {"mean": "random"}, x, "error on new examples",
                  by="classifier", whose=LOOKS, size=(4.8, 3.6), xticks=ticks,
                  yticks=floor, ylim=(floor[0], 0.5), legend="ends")  # fmt: skip
    axes[0].yaxis.set_major_formatter("{x:g}")
    wide = table["mean"].unstack("classifier")[names]
    last = wide.index[-1]
    where = {
        "rounds": f"after {last} rounds",
        "margin": f"with margin {last:g}",
        "noise": f"with {last:.0%} wrong labels",
    }[x]
    # A mean of shares often ends in 5, and platforms differ in its last bits: go up.
    wide = wide.round(9) + 1e-9
    found = [f"{error:.1%} ({name})" for name, error in wide.iloc[-1].items()]
    wide = wide.round(4)
    return Figure(axes, f"The mean error {where} is {listed(found)}.", wide)


def rare(scores: pd.DataFrame) -> Figure:
    """Draw the score of a rare example after so many rounds, by some classifiers."""
    ax = panel(height=2.6)
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
