"""The online game: a referee, and the record of who erred when.

The chapter `online_game` introduces it. `play_one_by_one` is the game as the book
defines it, `duel` the game against an adversary; `olc.play` is the first one, faster.
"""

from __future__ import annotations

import copy
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check
from olc.core.check import Vector
from olc.core.learner import Learner, Linear, query
from olc.core.stream import Stream, as_stream

__all__ = ["Trace", "Step", "play_one_by_one"]


@dataclass(frozen=True, eq=False)
class Record:
    """What was predicted in a game, when that was wrong, and when it was learned."""

    predictions: NDArray[Any]
    mistake_rounds: NDArray[np.int64]
    update_rounds: NDArray[np.int64]

    @property
    def mistakes(self) -> int:
        """How many predictions were wrong."""
        return len(self.mistake_rounds)

    def __len__(self) -> int:
        return len(self.predictions)

    def __repr__(self) -> str:
        mistakes, rounds = plural(self.mistakes, "mistake"), plural(len(self), "round")
        return f"{type(self).__name__}({mistakes} in {rounds})"


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Record):
    """The record of a game.

    `predictions` holds what was said in every round of the `stream`, `mistake_rounds`
    the rounds of the mistakes, counted from 0, and `update_rounds` those in which the
    learner changed (the same for a mistake-driven learner). `before` is the learner as
    it was when the game began, so that a proof can walk through the game again;
    `weights` holds the weights after every update when recorded.
    """

    before: Learner
    stream: Stream
    weights: Vector | None = None
    expected: Vector | None = None

    @property
    def expected_mistakes(self) -> float:
        """The expected number of mistakes, over a randomized learner's coins."""
        return float(self.mistakes if self.expected is None else self.expected.sum())

    def replay(self) -> Iterator[Step]:
        """Walk through the updates of the game again, in order."""
        learner = copy.deepcopy(self.before)
        for t in self.update_rounds.tolist():
            x, y = self.stream.row(t), int(self.stream.y[t])
            learner.rounds = self.before.rounds + t
            score = learner.score(x)
            if not (learner.randomized or learner.wants_update(score, y)):
                now = f"row {t} of the stream is no longer what it was"
                raise ValueError(f"{now}: give play a copy of X before you change it")
            learner.update(x, y)
            learner.rounds += 1
            yield Step(t, x, y, score, learner)

    def recorded(self) -> Trace:
        """Return the trace with the weights after every update filled in.

        The kernel Perceptron has a weight more after each of them; zeros fill its rows.
        """
        rows = [step.learner.weights for step in self.replay()]
        weights = np.zeros((len(rows), max(map(len, rows), default=self.before.n)))
        for row, now in zip(weights, rows, strict=True):
            row[: len(now)] = now
        return replace(self, weights=weights)


class Step(NamedTuple):
    """One update of a game: the round, its example, and the learner after it."""

    t: int  #: the round, counted from 0
    x: Vector  #: its example
    y: int  #: its label
    score: Any  #: the score of x just before the update
    learner: Any  #: the learner just after it (it moves on with the loop)


def plural(number: int, noun: str) -> str:
    """Return how many there are: 1 mistake, 2 mistakes."""
    return f"{number} {noun}{('es' if noun.endswith('s') else 's') * (number != 1)}"


@contextmanager
def unchanged_on_error(thing: Any, before: Any = None) -> Iterator[Any]:
    """Leave a thing as it was if what is done with it ends in an error.

    `before` is a copy of it, a deep one unless it is given.
    """
    before = copy.deepcopy(thing) if before is None else before
    try:
        yield before
    except BaseException as error:
        thing.__dict__ = before.__dict__
        if isinstance(error, ValueError) and "read-only" in str(error):
            error.add_note("Leave the state as it is: return w + y * x, not w += y * x")
        raise


class Game:
    """A game in progress: the referee's notebook.

    `before` is a copy of the learner, unless there is one already.
    """

    learner: Any

    def __init__(self, learner: Any, before: Any = None) -> None:
        if not isinstance(learner, Learner):
            wanted = "learner must be one that can play, such as Perceptron(n)"
            made = " (call the class)" if isinstance(learner, type) else ""
            if isinstance(learner, Stream):
                raise TypeError("learner comes first, then the stream: swap them")
            raise TypeError(f"{wanted}, not {learner!r}{made}")
        for name in ("n", "state") if isinstance(learner, Linear) else ("n",):
            getattr(learner, name)  # which says what is missing
        self.learner, self.before = learner, before or copy.deepcopy(learner)
        self.predictions, self.updates = array("b"), array("q")
        self.expected = array("d")

    def __len__(self) -> int:
        return len(self.predictions)

    def round(self, x: Vector, y: int) -> None:
        """Let the learner predict, tell it the answer, let it learn."""
        learner = self.learner
        learner.rounds = self.before.rounds + len(self)
        score, prediction, wants = query(learner, x, y)
        if learner.randomized:
            chance = learner.error_chance(score, y)
            self.expected.append(check.chance(chance, "error_chance"))
        if wants:
            self.updates.append(len(self))
            learner.update(x, y)
        self.predictions.append(prediction)

    def follow(self, stream: Stream, first: int = 0) -> None:
        """Play the rounds from the first one on, one after the other."""
        for x, y in stream.rounds(first):
            self.round(x, y)

    def note(self, predictions: Any, updates: Any = (), expected: Any = ()) -> None:
        """Write down many rounds at once; `updates` counts from the first of them."""
        later = np.asarray(updates, dtype=np.int64) + len(self)
        self.updates.frombytes(later.tobytes())
        self.predictions.frombytes(np.ascontiguousarray(predictions, np.int8).tobytes())
        self.expected.frombytes(np.asarray(expected, dtype=float).tobytes())

    def trace(self, stream: Stream) -> Trace:
        """Close the notebook."""
        self.learner.rounds = self.before.rounds + len(self)
        predictions, updates = np.array(self.predictions), np.array(self.updates)
        rounds = (predictions != stream.y).nonzero()[0]
        expected = np.array(self.expected) if self.learner.randomized else None
        return Trace(predictions, rounds, updates, self.before, stream, None, expected)


def play_one_by_one(learner: Learner, X: Any, y: ArrayLike | None = None) -> Trace:
    """Play all rounds, one after the other: the game as the book defines it.

    >>> from olc import Perceptron
    >>> play_one_by_one(Perceptron(2), [[1, 2], [-1, 1]], [1, -1])
    Trace(2 mistakes in 2 rounds)
    """
    stream = checked_stream(learner, X, y)
    game = Game(learner)
    with unchanged_on_error(learner, game.before):
        game.follow(stream)
    return game.trace(stream)


def checked_stream(
    learner: Any, X: Any, y: Any = None, validated: bool = False
) -> Stream:
    """Return the stream of a game, after a check that this learner can play it.

    Takes a stream, or examples and labels. With `validated` the entries of X are not
    looked at: the game that follows refuses what is no feature.
    """
    stream, n = as_stream(X, y), getattr(learner, "n", 0)
    if n not in (0, stream.n):
        raise ValueError(f"X has shape {stream.X.shape}: give rows of n = {n} features")
    if not validated:
        check.features(stream.X, getattr(learner, "features", "real"))
    return stream


def as_trace(trace: Any) -> Trace:
    """Return the trace itself, or say that it is none."""
    if not isinstance(trace, Trace):
        kind = type(trace).__name__
        raise TypeError(f"trace must be what olc.play returns, not a {kind}")
    return trace
