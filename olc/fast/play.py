"""`play`: how games are fast and still have the trace of the loop, to the last tie.

Between two updates a learner stands still, so the coming rounds can be scored ahead.
What may be done is decided by the functions that a class has and by the hints beside
its hooks; a learner with rules of its own is asked in every round.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.game import Game, Trace, checked_stream
from olc.core.learner import EPS, HOOKS, Learner, Linear, Threshold, has, query
from olc.core.stream import Stream, as_stream

__all__ = ["play"]

WORTH_COMPILING = 1 << 12  #: entries of a game for which numba is loaded
AT_ONCE = 1 << 22  #: entries per call of the kernel: a key press is heard in between


def play(
    learner: Learner, X: Any, y: ArrayLike | None = None, *, record: bool = False
) -> Trace:
    """Play all rounds of a stream from the learner's present state.

    Takes a `Stream`, or an array or CSR matrix of examples and their labels. The
    learner is left as it is after the last round, so a game can go on. With
    ``record=True`` the trace keeps the weights after every update. If an example is
    refused, or the game interrupted, the learner has not changed.

    >>> from olc import Perceptron
    >>> trace = play(Perceptron(2), [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    >>> trace.mistakes, trace.mistake_rounds.tolist()
    (2, [0, 3])
    """
    if check.flag(record, "record") and not hasattr(learner, "weights"):
        raise TypeError(f"{type(learner).__name__} has no weights: leave record out")
    with Game(learner) as game:
        stream = as_stream(X, y)
        sound = checked_stream(
            learner, stream, validated=validates_itself(learner, stream)
        )
        choose_strategy(learner, stream)(game, sound)
        trace = game.trace(stream)
        return trace.recorded() if record else trace


def choose_strategy(learner: Any, stream: Stream) -> Callable[[Game, Stream], None]:
    """Return the fastest way of which all is known that the learner does."""
    if vars(learner).keys() & HOOKS:
        return Game.follow
    if learner.batched:
        return _play_batched
    plain = has(learner, Learner.decide) and learner.threshold == 0
    decides = plain or has(learner, Threshold.decide)
    waits = learner.margin_rule or has(learner, Learner.wants_update)
    if learner.randomized or not (has(learner, Linear.score) and decides and waits):
        return Game.follow  # a learner with rules of its own is asked in every round
    return _play_compiled if _compiles(stream) else _play_blocks


def validates_itself(learner: Any, stream: Stream) -> bool:
    """Return whether the game itself meets, and refuses, what is no feature."""
    return (
        learner.features == "real"
        and choose_strategy(learner, stream) is _play_compiled
    )


def _compiles(stream: Stream) -> bool:
    gear = os.environ.get("OLC_GEAR", "")
    if gear in ("plain", "compiled"):
        return gear == "compiled" and bool(check.optional_import("numba"))
    if gear:
        raise ValueError(f"OLC_GEAR is {gear!r}: set it to plain or compiled")
    entries = stream.X.nnz * 8 if check.is_sparse(stream.X) else stream.X.size
    return entries >= WORTH_COMPILING and find_spec("numba") is not None


def _play_batched(game: Game, stream: Stream) -> None:
    """Let a learner that updates in every round score many of them at once."""
    learner = game.learner
    for start, part in check.chunks(stream.X, check.CHUNK // 4):
        labels = stream.y[start : start + part.shape[0]]
        scores = learner.score_ahead(check.as_floats(part), labels)
        chances = learner.error_chance(scores, labels) if learner.randomized else ()
        game.note(learner.decide(scores), np.arange(len(scores)), chances)


class FastState:
    """A learner whose state and weights are moved here, entry by entry if they can be.

    They belong to the game until `store` gives them to the learner, whose hooks
    then see it as the loop would have left it.
    """

    def __init__(self, game: Game, stream: Stream) -> None:
        learner = self.learner = game.learner
        self.stream, self.before = stream, game.before.rounds + len(game)
        self.linked = not has(learner, Linear.link)
        self.lookup = self._looked_up()
        adds = learner.additive and not self.linked
        self.rate = float(learner.rate if adds else len(self.lookup) > 0)
        self.load()

    @np.errstate(all="ignore")  # most states are never reached
    def _looked_up(self) -> Any:
        """Return the weights by state of a learner of bits that counts by ones."""
        learner = self.learner
        if self.linked and learner.coordinatewise and learner.features == "bits":
            most = float(np.abs(learner.state).max()) + len(self.stream)
            if (learner.state % 1 == 0).all():
                states = np.r_[0 : most + 1, -most:0]  # indices wrap around
                ups, downs = (learner.step(states, states * 0 + 1, y) for y in (1, -1))
                if (ups == states + 1).all() and (downs == states - 1).all():
                    return learner.weigh(states)
        return np.empty(0)

    def load(self) -> None:
        """Copy what the learner has: its own update may have changed all of it."""
        learner = self.learner
        self.state = np.array(learner.state, dtype=float)
        self.weights = np.array(learner.weights) if self.linked else self.state
        self.weighted_updates = (
            np.array(learner.weighted_updates) if learner.averaged else np.empty(0)
        )
        theta, reaches = float(learner.threshold), has(learner, Threshold.decide)
        rule = (
            theta,
            learner.thickness if learner.margin_rule else -1.0,
            reaches,
            self.rate,
        )
        self.rule = self.state, self.weights, self.lookup, self.weighted_updates, *rule
        self.theta, self.thick = theta, max(rule[1], 0.0)

    def store(self, t: int) -> None:
        """Give the learner a copy of what it has become before round t."""
        if self.learner.coordinatewise or self.rate:
            self.learner.state = self.state.copy()
        if self.learner.averaged:
            self.learner.weighted_updates = self.weighted_updates.copy()
        self.learner.rounds = self.before + t

    def query(self, t: int) -> tuple[int, bool]:
        """Ask the hooks for the prediction in round t, and whether to update."""
        x = self.stream.row(t)
        if not np.isfinite(x).all():
            check.features(self.stream.X, "real")
        self.store(t)
        return query(self.learner, x, int(self.stream.y[t]))[1:]

    def margins(self, scores: Any, sizes: Any, y: Any) -> tuple[Any, Any]:
        """Return by how much no update is wanted, and what rounding may change."""
        doubts = EPS * (self.learner.n + 4) * (sizes + abs(self.theta) + self.thick)
        return y * (scores - self.theta) - self.thick, doubts

    def ahead(self, t: int, stop: int) -> Any:
        """Return the scores of rounds t to stop, and bounds of their Σ |x w|."""
        X, weights = self.stream.X, self.weights
        if not check.is_sparse(X):
            rows = check.as_floats(X[t:stop])
            largest = max(rows.max(initial=0), -rows.min(initial=0))
            return rows @ weights, largest * np.abs(weights).sum()
        ends = X.indptr[t : stop + 1] - X.indptr[t]
        stored = slice(X.indptr[t], X.indptr[t] + ends[-1])
        terms = np.append(X.data[stored] * weights[X.indices[stored]], 0.0)
        sums = np.add.reduceat([terms, np.abs(terms)], ends[:-1], axis=1)
        return sums * (ends[1:] > ends[:-1])  # a row without entries got the next one's

    def update(self, t: int) -> None:
        """Let the learner update in round t, on its active features if that will do."""
        learner, y = self.learner, int(self.stream.y[t])
        if learner.coordinatewise:
            at, values = self.stream.entries(t)
            self.state[at] = moved = learner.step(self.state[at], values, y)
            if self.linked:
                self.weights[at] = learner.weigh(moved)
            if learner.averaged:
                self.weighted_updates[at] += (
                    (self.before + t + 1) * self.rate * y * values
                )
        else:
            self.store(t)
            learner.update(self.stream.row(t), y)
            self.load()


def _play_blocks(game: Game, stream: Stream) -> None:
    """Play round by round, but after a quiet while score ever more rounds at once."""
    fast, learner, t, quiet = FastState(game, stream), game.learner, 0, 0
    predictions, updates, X = stream.y.copy(), [], stream.X
    while t < len(stream):
        if quiet >= 4:
            stop = t + min(2 * quiet, check.CHUNK * len(stream) // (X.size + 1) + 1)
            scores, sizes = fast.ahead(t, stop)
            margins, doubts = fast.margins(scores, sizes, stream.y[t:stop])
            some = int(np.append(margins > doubts, False).argmin())  # are right
            t, quiet = t + some, quiet + some
            if some == len(margins):
                continue
        (at, values), y = stream.entries(t), int(stream.y[t])
        terms = values * fast.weights[at]
        score, size = float(terms.sum()), float(np.abs(terms).sum())
        margin, doubt = fast.margins(score, size, y)
        if wants := not margin > doubt:
            far = min(abs(score - fast.theta), abs(margin)) > doubt
            if far or (size < 2.0**53 and (terms % 1 == 0).all()):
                predictions[t] = learner.decide(score)
                wants = learner.wants_update(score, y)
            else:
                predictions[t], wants = fast.query(t)
        if wants:
            fast.update(t)
            updates.append(t)
        t, quiet = t + 1, quiet // 4 if wants else quiet + 1
    game.note(predictions, updates)
    fast.store(len(stream))


def _play_compiled(game: Game, stream: Stream) -> None:
    """Let the kernel run to each round that it cannot finish itself."""
    from olc.fast.kernels import scan

    fast, X, none = FastState(game, stream), stream.X, np.empty(0, np.intp)
    kind = X.dtype if X.dtype in (np.int8, np.float64) else np.dtype(float)
    for start, part in check.chunks(X, AT_ONCE if kind == X.dtype else check.CHUNK):
        rows, at, ends = part, none, none
        if check.is_sparse(part):
            rows, at, ends = part.data, part.indices, part.indptr
        y = np.ascontiguousarray(stream.y[start : start + part.shape[0]])
        t, predictions, updates = -1, y.copy(), np.zeros(len(y), bool)
        data = _fixed(rows, kind), _fixed(at), _fixed(ends), y, predictions, updates
        while True:
            t, wants = scan(*data, t + 1, fast.before + start, *fast.rule)
            if t == len(y):
                break
            if not wants:
                predictions[t], wants = fast.query(start + t)
            if wants:
                fast.update(start + t)
            updates[t] = wants
        game.note(predictions, updates.nonzero()[0])
    fast.store(len(stream))


def _fixed(numbers: Any, dtype: Any = None) -> Any:
    """Return contiguous numbers, read-only: the kernel is compiled once, for these."""
    view = np.ascontiguousarray(numbers, dtype).view()
    view.flags.writeable = False
    return view
