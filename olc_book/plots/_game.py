"""Figures of any game: its replay, update by update, and its ledger."""

import re
from collections.abc import Mapping
from typing import Any

from olc_book.plots.kit import *


def replay_frame(trace: Trace, step: int) -> Figure:
    """Draw the game after `step` updates: the plane in 2-D, else the weights.

    Any learner with weights will do, even one that has a weight more every time.
    """
    moments = _moments(trace)
    if not 0 <= step < len(moments):
        last = f"{len(moments) - 1}, the last update"
        raise ValueError(f"step is {step}: give one from 0 to {last}")
    weights, threshold, x = moments[step]
    sizes = {len(moment[0]) for moment in moments}
    linear = sizes == {trace.stream.n}
    if linear and trace.stream.n == 2:
        ax = panel(3.6, 3.5)
        plane(ax, trace.stream.X, trace.stream.y, weights, -threshold, who=trace.before)
        if x is not None:
            ax.plot(*x, **look("ring"))
        legend_above(ax, 2)
        shown = ", ".join(f"{value:.4g}" for value in weights)
        finding = f"the weights are ({shown})"
        caption = (
            "Examples, the weight vector (arrow) and the line on which the prediction "
            "changes; the ring marks the example just learnt from."
        )
    else:
        ax = panel()
        stems(ax, weights, who=trace.before)
        low = min(moment[0].min(initial=0) for moment in moments)
        high = max(moment[0].max(initial=0) for moment in moments)
        room = 0.05 * (high - low)  # the same scale in all frames
        ax.set(xlabel="feature" if linear else "number of the weight")
        ax.set(xlim=(0, max(sizes) + 1))
        ax.set(ylim=(low - room * (low < 0), high + room * (high > 0)))
        finding = "there are no weights"
        if len(weights):
            finding = f"the largest weight is {weights.max():.4g}"
        caption = "The weight of every feature, update by update."
        if not linear:
            caption = "The weights, update by update."
    when = "Before the game"
    if step:
        made, t = f"{step} of {len(moments) - 1}", trace.update_rounds[step - 1]
        when = f"After update {made}, in round {t + 1},"
    places = pd.RangeIndex(1, len(weights) + 1, name="feature" if linear else "number")
    table = pd.DataFrame({"weight": weights}, index=places)
    return Figure(ax, f"{when} {finding}.", table).captioned(caption)


def _moments(trace: Trace) -> list[tuple[Vector, float, Any]]:
    """Return weights, threshold and the example just learnt from, at every moment."""
    if not hasattr(trace.before, "weights"):
        raise TypeError(
            f"{type(trace.before).__name__} has no weights to draw: give replay a "
            "function that draws the game after so many updates"
        )
    now: Any = trace.before
    found: list[Any] = [(np.asarray(now.weights), float(now.threshold), None)]
    for _, x, _, _, now in trace.replay():
        found.append((np.asarray(now.weights), float(now.threshold), x))
    return found


def ledger_figure(
    ledger: pd.DataFrame | Mapping[str, pd.DataFrame],
    potential: str,
    *,
    who: Any = "potential",
    start: float | None = None,
) -> Figure:
    """Draw a proof's potential between its two envelopes, update by update.

    `potential` names the quantity on the axis, such as ‖w‖²; `who` and `start` are
    those of `olc.plots.kit.envelope`. Several ledgers have a panel each, named by
    their games; without `who` these are learners.
    """
    games = dict(ledger) if isinstance(ledger, Mapping) else {"": ledger}
    if any(one.empty for one in games.values()):
        raise ValueError("the ledger is empty: play a game with at least one mistake")
    several, axes, found = len(games) > 1, [], []
    for game, one in games.items():
        ax = panel(3.5, 2.8) if several else panel()
        title = f"{game}: {potential}" if several else potential
        envelope(ax, one, title, who=game if who is None else who, start=start)
        name_ends(ax)
        axes.append(ax)
        found.append(f"{game}: {_ending(one, potential)}".removeprefix(": "))
    table = pd.concat(games, names=["game"]) if several else games[""]
    return Figure(axes, sentences(found), table)


def _ending(ledger: pd.DataFrame, potential: str) -> str:
    """Say where the potential and its envelopes are at the end of a game."""
    now = {name: readable(ledger[name].iloc[-1]) for name in ledger}
    # a mistake, or an update of a right prediction too
    count, what = len(ledger), str(ledger.index.name)
    # words need an article in a sentence, and symbols none
    named = f"the {potential}" if re.fullmatch("[a-z ]+", potential) else potential
    slack = 1e-9 * ledger["upper"].abs().max()
    inside = ledger["potential"].between(
        ledger["lower"] - slack, ledger["upper"] + slack
    )
    return (
        f"after {plural(count, what)} {named} is {now['potential']}, with the "
        f"lower envelope at {now['lower']} and the upper one at {now['upper']}; it "
        f"lies between them after {every(int(inside.sum()), count, what)}"
    )
