"""Proofs as ledgers: a table with one row per mistake, which several chapters share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from olc.core.check import optional_import
from olc.core.game import Step, Trace, as_trace
from olc.core.learner import HOOKS, has
from olc.core.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["tabulate", "steps", "mistakes", "must_play_as", "stream_of"]

Row = tuple[Any, ...]
Moves = Iterator[tuple[int, Step]]  #: updates, numbered from 1


def tabulate(*own: str, index: str = "mistake") -> Callable[..., Callable[..., Any]]:
    """Return a decorator that turns a generator of rows into a function that returns a
    DataFrame, its rows numbered from 1 by mistake (or by what `index` says).

    A row is a tuple: the round (unless the rows are rounds), the proof's `own` columns,
    and at the end the lower bound, the potential and the upper bound.
    """
    names = [*["round"] * (index != "round"), *own, "lower", "potential", "upper"]

    def decorate(proof: Callable[..., Iterator[Row]]) -> Callable[..., pd.DataFrame]:
        @functools.wraps(proof)
        def tabulated(*args: Any, **kwargs: Any) -> pd.DataFrame:
            pandas, rows = optional_import("pandas"), list(proof(*args, **kwargs))
            numbers = pandas.RangeIndex(1, len(rows) + 1, name=index)
            return pandas.DataFrame(rows, numbers, names, None if rows else float)

        return tabulated

    return decorate


def steps(trace: Trace, target: Any, *kinds: type[Any]) -> tuple[Moves, Stream, Any]:
    """Return what a ledger needs of a game: its updates, numbered from 1, its stream
    (with `target`, if that is given), and the learner as it was before.

    The learner must be of one of these kinds, with its rules, or the game is refused.
    Call it before anything else is read off the learner.
    """
    must_play_as(as_trace(trace).before, *kinds)
    return enumerate(trace.replay(), 1), stream_of(trace, target), trace.before


def mistakes(trace: Trace, *kinds: type[Any]) -> tuple[Moves, Any]:
    """Return the updates at mistakes, numbered from 1, and the learner before the game.

    It is for learners that update in other rounds, too; else see `steps`.
    """
    moves, _, learner = steps(trace, None, *kinds)
    wrong = set(trace.mistake_rounds.tolist())
    return enumerate((step for _, step in moves if step.t in wrong), 1), learner


def must_play_as(learner: Any, *kinds: type[Any]) -> None:
    """Refuse a learner whose rules are not those of one of these classes."""
    rules = *HOOKS, "weigh"
    if any(isinstance(learner, kind) and has(learner, kind, *rules) for kind in kinds):
        return
    names = " or ".join(kind.__name__ for kind in kinds)
    other = f"{type(learner).__name__} plays by rules of its own"
    remedy = "call the function of that learner's module, if it has one"
    raise TypeError(f"this is about {names}, and {other}: {remedy}")


def stream_of(trace: Trace, target: Any) -> Stream:
    """Return the stream of the game, with another target if one is given."""
    stream = trace.stream
    return stream if target is None else replace(stream, target=target, drifts=())
