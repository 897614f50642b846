"""Figures of any game: its replay, update by update, and its ledger."""

import itertools
import re
from typing import Any, NamedTuple

from olc_book.plots.kit import *


def replay_frame(trace: Trace, step: int) -> Figure:
    """Draw the game after `step` updates: the plane in 2-D, else the weights.

    Any learner with weights will do, even one that has a weight more every time.
    """
    now = _moment(trace, step)
    linear = now.sizes == {trace.stream.n}
    if linear and trace.stream.n == 2:
        ax = panel(3.6, 3.5)
        bias, who = -now.threshold, trace.before
        plane(ax, trace.stream.X, trace.stream.y, now.weights, bias, who=who)
        if now.x is not None:
            ax.plot(*now.x, **look("ring"))
        legend_above(ax, 2)
        shown = ", ".join(f"{value:.4g}" for value in now.weights)
        finding = f"the weights are ({shown})"
        caption = (
            "Examples, the weight vector (arrow) and the line on which the prediction "
            "changes; the ring marks the example just learnt from."
        )
    else:
        ax = panel()
        stems(ax, now.weights, who=trace.before)
        ax.set(xlabel="feature" if linear else "number of the weight")
        ax.set(xlim=(0, max(now.sizes) + 1), ylim=now.limits)
        finding = "there are no weights"
        if len(now.weights):
            finding = f"the largest weight is {now.weights.max():.4g}"
        whose = "weight of every feature" if linear else "weights"
        caption = f"The {whose}, update by update."
    when = "Before the game"
    if step:
        made, t = f"{step} of {len(trace.update_rounds)}", trace.update_rounds[step - 1]
        when = f"After update {made}, in round {t + 1},"
    places = pd.RangeIndex(1, len(now.weights) + 1)
    table = pd.DataFrame({"weight": now.weights}, index=places)
    table.index.name = "feature" if linear else "number"
    return Figure(ax, f"{when} {finding}.", table, caption=caption)


class _Moment(NamedTuple):
    """A learner in the middle of a game, and what its weights are in all of it."""

    weights: Vector
    threshold: float
    x: Vector | None  #: the example just learnt from
    sizes: set[int]
    limits: tuple[float, float]


def _moment(trace: Trace, step: int) -> _Moment:
    if not hasattr(trace.before, "weights"):
        raise TypeError(
            f"{type(trace.before).__name__} has no weights to draw: give replay a "
            "function that draws the game after so many updates"
        )
    if not 0 <= step <= len(trace.update_rounds):
        raise ValueError(
            f"step is {step}: give one from 0 to {len(trace.update_rounds)}, the last "
            "update"
        )
    low, high, sizes = 0.0, 0.0, set()
    moments = itertools.chain(
        [(trace.before, None)],
        ((update.learner, update.x) for update in trace.replay()),
    )
    for number, (learner, example) in enumerate(moments):
        now = np.asarray(learner.weights)
        low, high = now.min(initial=low), now.max(initial=high)
        sizes.add(len(now))
        if number == step:
            weights, x = now, example
            threshold = float(learner.threshold)
    room = 0.05 * (high - low)
    limits = (low - room * (low < 0), high + room * (high > 0))
    return _Moment(weights, threshold, x, sizes, limits)


def ledger_figure(
    ledger: pd.DataFrame,
    potential: str,
    *,
    who: Any = "potential",
    start: float | None = None,
) -> Figure:
    """Draw a proof's potential between its two envelopes, update by update.

    `potential` names the quantity on the axis, such as ‖w‖²; `who` and `start` are
    those of `olc.plots.kit.envelope`.
    """
    if ledger.empty:
        raise ValueError("the ledger is empty: play a game with at least one mistake")
    ax = panel()
    envelope(ax, ledger, potential, who=who, start=start)
    legend_above(ax, 2)
    now = {name: readable(ledger[name].iloc[-1]) for name in ledger}
    # a mistake, or an update of a right prediction too
    count, what = len(ledger), str(ledger.index.name)
    # words need an article in a sentence, and symbols none
    named = f"the {potential}" if re.fullmatch("[a-z ]+", potential) else potential
    slack = 1e-9 * ledger["upper"].abs().max()
    inside = ledger["potential"].between(
        ledger["lower"] - slack, ledger["upper"] + slack
    )
    alt = (
        f"After {plural(count, what)} {named} is {now['potential']}, with the "
        f"lower envelope at {now['lower']} and the upper one at {now['upper']}; it "
        f"lies between them after {every(int(inside.sum()), count, what)}."
    )
    return Figure(ax, alt, ledger)
