"""Proofs as ledgers: a table with one row per mistake, which several chapters share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core.check import need
from olc.core.game import Step, Trace, as_trace
from olc.core.learner import HOOKS, Learner
from olc.core.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, float]


def table(*own: str, index: str = "mistake") -> Callable[..., Callable[..., Any]]:
    """Make a table of the rows that a proof yields, numbered by mistake from 1.

    `own` names the columns of the proof's own steps, for a game without a mistake.
    """
    names = [*["round"] * (index != "round"), *own, "lower", "potential", "upper"]

    def decorate(proof: Callable[..., Iterator[Row]]) -> Callable[..., pd.DataFrame]:
        @functools.wraps(proof)
        def tabulated(*args: Any, **kwargs: Any) -> pd.DataFrame:
            frame = need("pandas").DataFrame(list(proof(*args, **kwargs)))
            if frame.empty:
                frame = frame.reindex(columns=names).astype(float)
            return frame.set_axis(range(1, len(frame) + 1)).rename_axis(index)

        return tabulated

    return decorate


def steps(trace: Trace, *kinds: type[Learner]) -> Iterator[tuple[int, Step]]:
    """Number the updates of a game that one of these learners played.

    Call it before anything else is read off the learner: it refuses, at once, the
    game of another learner, and that of one with rules of its own.
    """
    must_play_as(as_trace(trace).before, *kinds)
    return enumerate(trace.replay(), start=1)


def mistakes(trace: Trace, *kinds: type[Learner]) -> Iterator[tuple[int, Step]]:
    """Number the updates that followed a mistake, for a learner that always updates."""
    moves, wrong = steps(trace, *kinds), set(trace.rounds.tolist())
    return enumerate((step for _, step in moves if step.t in wrong), start=1)


def must_play_as(learner: Any, *kinds: type[Any]) -> None:
    """Refuse a learner whose rules are not those of one of these classes."""
    for kind in kinds:
        same = (getattr(type(learner), h, 0) is getattr(kind, h, 0) for h in HOOKS)
        if isinstance(learner, kind) and all(same) and not vars(learner).keys() & HOOKS:
            return
    names = " or ".join(kind.__name__ for kind in kinds)
    other = f"{type(learner).__name__} plays by rules of its own"
    remedy = "call the function of that learner's module"
    raise TypeError(f"this is about {names}, and {other}: {remedy}")


def stream_of(trace: Trace, target: ArrayLike | None) -> Stream:
    """Return the stream of the game, with another target if one is given."""
    if target is None:
        return trace.stream
    return replace(trace.stream, target=np.asarray(target), drifts=())


log_sum_exp = np.logaddexp.reduce  #: ln Σ exp(v) without overflow
