"""Proofs as ledgers: the bookkeeping that several chapters share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc import geometry
from olc.core.game import Step, Stream, Trace, as_trace
from olc.core.learner import Learner, Vector

if TYPE_CHECKING:
    import pandas as pd


def ledger(rows: Iterable[dict[str, float]], own: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the rows as a table numbered by mistake, from 1.

    `own` names the columns of the proof's own steps, for a game without a mistake.
    """
    import pandas as pd

    table = pd.DataFrame(list(rows))
    if table.empty:
        columns = ["round", *own, "lower", "potential", "upper"]
        table = pd.DataFrame(columns=columns, dtype=float)
    table.index = pd.RangeIndex(1, len(table) + 1, name="mistake")
    return table


def steps(trace: Trace, *kinds: type[Learner]) -> Iterator[tuple[int, Step]]:
    """Number the updates of a game that one of these learners played.

    Call it before anything else is read off the learner: it refuses, at once, the
    game of another learner.
    """
    if not any(_plays_as(as_trace(trace).before, kind) for kind in kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"this proof is about {names}, and the game was played by "
            f"{type(trace.before).__name__}: call the proof of that learner's module"
        )
    return enumerate(trace.replay(), start=1)


def mistakes(trace: Trace, *kinds: type[Learner]) -> Iterator[tuple[int, Step]]:
    """Number the updates that followed a mistake, for a learner that always updates."""
    moves, wrong = steps(trace, *kinds), set(trace.rounds.tolist())
    return enumerate((step for _, step in moves if step.t in wrong), start=1)


def _plays_as(learner: Learner, kind: type[Learner]) -> bool:
    """Say whether a learner is of this kind and updates when and as that does."""
    return isinstance(learner, kind) and all(
        getattr(type(learner), name, None) is getattr(kind, name, None)
        and name not in vars(learner)
        for name in ("wants_update", "step", "link")
    )


def stream_of(trace: Trace, target: ArrayLike | None) -> Stream:
    """Return the stream of the game, with another target if one is given."""
    if target is None:
        return trace.stream
    return replace(trace.stream, target=np.asarray(target), drifts=())


def additive(
    trace: Trace, target: ArrayLike | None, kind: type[Learner], slack: float = 0.0
) -> pd.DataFrame:
    """Keep the Perceptron's ledger: ‖w‖² between (Mγ)² and M(R² + 2·slack).

    The rate r multiplies γ and R, and w need not start at 0. An update happens at
    y⟨w, x⟩ ≤ slack.
    """
    moves, stream = steps(trace, kind), stream_of(trace, target)
    u, rate = geometry.unit(stream.need_target()), getattr(trace.before, "rate", 1.0)
    start = trace.before.weights
    gamma, growth = stream.margin, (rate * stream.radius) ** 2 + 2 * rate * slack

    def rows() -> Iterator[dict[str, float]]:
        for count, (t, x, y, score, learner) in moves:
            weights = learner.weights
            yield {
                "round": t,
                "cross": 2 * rate * y * float(score),
                "length": rate**2 * float(x @ x),
                "alignment": float(u @ weights),
                "lower": max(0.0, float(u @ start) + count * rate * gamma) ** 2,
                "potential": float(weights @ weights),
                "upper": float(start @ start) + count * growth,
            }

    return ledger(rows(), ("cross", "length", "alignment"))


def entropy(
    trace: Trace,
    target: ArrayLike | None,
    kind: type[Learner],
    log_weights: Callable[[Any], Vector],
    least_drop: Callable[[Any, float, float], float],
    halves: Callable[[Vector], Vector] | None = None,
) -> pd.DataFrame:
    """Keep normalised Winnow's ledger: RE(u‖w) between 0 and its start - M·C.

    `least_drop` gives C, the least drop at an update, for a learner, the margin δ and
    the largest feature. `halves` splits a target whose weights may be negative.
    """
    moves, stream = steps(trace, kind), stream_of(trace, target)
    learner: Any = trace.before
    u = geometry.unit(stream.need_target(), 1)
    if halves is None and np.any(u < 0):
        raise ValueError(
            "the target has a negative weight, and these weights never do: use "
            "balanced_winnow, or append the negated features, np.hstack([X, -X])"
        )
    delta = geometry.margin(u, stream.X, stream.y, p=1)
    guaranteed = least_drop(learner, delta, geometry.radius(stream.X, math.inf))
    wanted = u if halves is None else halves(u)
    start = relative_entropy(wanted, log_weights(learner))

    def rows() -> Iterator[dict[str, float]]:
        before = start
        for count, (t, x, y, _, after) in moves:
            potential = relative_entropy(wanted, log_weights(after))
            advantage = learner.eta * y * float(u @ x)
            yield {
                "round": t,
                "log_Z": potential - before + advantage,
                "advantage": advantage,
                "drop": before - potential,
                "guaranteed": guaranteed,
                "lower": 0.0,
                "potential": potential,
                "upper": start - count * guaranteed,
            }
            before = potential

    return ledger(rows(), ("log_Z", "advantage", "drop", "guaranteed"))


def relative_entropy(u: Vector, log_w: Vector) -> float:
    """Return Σ u ln(u/w) for a distribution w given by its logarithms."""
    held = u > 0
    return float(np.sum(u[held] * (np.log(u[held]) - log_w[held])))


def log_sum_exp(values: Vector) -> float:
    """Return ln Σ exp(v) without overflow."""
    top = float(np.max(values))
    return top + math.log(float(np.sum(np.exp(values - top))))
