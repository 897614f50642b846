"""The figures of the chapter `weighted_majority`."""

from olc import weighted_majority as theory
from olc_book.plots.kit import *

__all__ = ["BEST", "OTHERS", "race", "against_eta", "progress", "shares", "pixels"]

# Experts are no algorithms: they are drawn in grey, and the best one in ink.
BEST: dict[str, Any] = {"color": INK, "linestyle": "-.", "linewidth": 1.4}
OTHERS: dict[str, Any] = {"color": GREY, "linestyle": "-", "linewidth": 0.7}


def race(trace: Trace) -> Figure:
    """Draw the mistakes of the learner and of every expert, round by round."""
    ax, losses = panel(height=3.2), theory.losses_over_time(trace.stream)
    best, least = theory.best_expert(trace.stream)
    _experts(ax, losses, best, BEST, "best expert")
    running(ax, trace, "learner")
    ax.legend()
    final = losses[-1].astype(int)
    names = [f"expert {number}" for number in range(1, len(final) + 1)]
    said = (
        f"After {len(trace)} rounds the best of {trace.stream.n} experts has erred "
        f"{least} times, the worst {final.max()} times, and the learner "
        f"{trace.mistakes} times."
    )
    who = pd.Index(["learner", *names], name="who")
    return Figure(ax, said, pd.DataFrame({"mistakes": [trace.mistakes, *final]}, who))


def _experts(ax: Any, lines: Vector, best: int, style: Any, label: str) -> None:
    """Draw a line for every expert, the best one on top."""
    others = np.arange(lines.shape[1]) != best
    ax.plot(lines[:, others], **OTHERS)
    if label:
        ax.plot([], [], **OTHERS, label="other experts")
    ax.plot(lines[:, best], **style, label=label)


def against_eta(table: pd.DataFrame) -> Figure:
    """Draw mistakes per mistake of the best expert against η, a panel per situation.

    `table` has a row for every game: its `situation`, `eta`, `mistakes`, the mistakes
    of the `best` expert, and the `bound`.
    """
    runs = table.assign(
        ratio=table["mistakes"] / table["best"], bound=table["bound"] / table["best"]
    )
    drawn = medians(runs, "eta", "ratio", "situation", also=["bound"])
    axes = curves(drawn, {"bound": look("bound"), "median": situation_look}, "η",
                  "{}: M / m", who="WeightedMajority", split="situation",
                  labels={"median": "measured"}, shaded="median", size=(2.9, 2.7),
                  ylim=(0, 6), legend="upper right")  # fmt: skip
    found = [
        f"{situation}: M / m goes from {middle.iloc[0]:.2f} at η = "
        f"{middle.index[0]:g} to {middle.iloc[-1]:.2f} at η = {middle.index[-1]:g}, "
        f"least {middle.min():.2f} at η = {middle.idxmin():g}"
        for situation, middle in groups(drawn["median"], "situation")
    ]
    return Figure(axes, sentences(found), drawn)


def progress(trace: Trace) -> Figure:
    """Draw a game: the share of every expert in the vote, and mistakes and bound."""
    eta = float(getattr(trace.before, "eta"))  # noqa: B009  # of an expert learner
    share, best = shares(trace.stream, eta)
    sofar = theory.losses_over_time(trace.stream).min(axis=1)
    bounds = [theory.mistake_bound(trace.stream.n, m, eta) for m in sofar]
    least, rounds = int(sofar[-1]), np.arange(len(sofar))
    left, right = panels(2, 3.4, 3.2)
    _experts(left, share, best, BEST | {"linestyle": "-", "linewidth": 2}, "")
    left.set(xlabel="round", ylabel="share of the weight", ylim=(0, 1.02))
    right.plot(rounds, bounds, **look("bound"), label="bound")
    running(right, trace, "learner")
    right.plot(rounds, sofar, **BEST, label="best expert")
    # High enough for the legend to stand above the lines, the same in all frames.
    right.set(ylim=(0, 2.2 * len(trace)))
    right.legend(loc="upper left")
    excess = trace.mistakes - least
    compared = f"{excess} more" if excess >= 0 else f"{-excess} fewer"
    final = {"mistakes": trace.mistakes, "best expert": least, "bound": bounds[-1]}
    final["its share"] = share[-1, best]
    said = (
        f"With η = {eta:g} the best expert ends with {share[-1, best]:.0%} of the "
        f"weight; it errs {least} times, the learner {trace.mistakes} times, "
        f"{compared}, and the bound is {bounds[-1]:.0f}."
    )
    return Figure([left, right], said, pd.DataFrame([final]))


def shares(stream: Stream, eta: float) -> tuple[Vector, int]:
    """Return every expert's share of the weight, from round 0, and the best expert."""
    losses = theory.losses_over_time(stream)
    weights = (1 - eta) ** (losses - losses.min(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True), int(losses[-1].argmin())


def pixels(stream: Stream, eta: float) -> Figure:
    """Draw what every pixel is worth after a game of pixels and their contraries."""
    share, best = shares(stream, eta)
    side = int(np.sqrt(stream.n // 2))
    value = share[-1, : side**2] - share[-1, side**2 :]
    ax = panel(3.0, 3.0)
    reach = float(np.abs(value).max())
    across, up = np.meshgrid(np.arange(side), np.arange(side))
    for sign, name in ((1, "positive"), (-1, "negative")):
        for place in np.flatnonzero(sign * value > 0.02 * reach):
            size = 17 * np.sqrt(abs(value[place]) / reach)
            ax.plot(
                across.flat[place], up.flat[place], **look(name) | {"markersize": size}
            )
    ax.set(xlim=(-0.7, side - 0.3), ylim=(side - 0.3, -0.7), aspect="equal")
    ax.set(xlabel="column", ylabel="row")
    order = np.sort(np.abs(value))[::-1]
    shown = value.round(3) + 0.0  # and no -0
    half = int(np.searchsorted(np.cumsum(order), order.sum() / 2)) + 1
    said = (
        f"Half of the weight (a pixel's minus that of its contrary) lies on "
        f"{plural(half, 'pixel')} of {side**2}; the heaviest is in row "
        f"{best % side**2 // side}, column {best % side}."
    )
    return Figure(ax, said, pd.DataFrame(shown.reshape(side, side)).rename_axis("row"))
