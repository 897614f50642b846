"""`play`: how games are fast and still have the trace of the loop, to the last tie.

Between two updates a learner stands still, so the coming rounds can be scored ahead.
What may be done is decided by the functions that a class has and by the hints beside
its hooks; a learner with rules of its own is asked in every round.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.game import Game, Trace, admitted
from olc.core.learner import (
    EPS,
    HOOKS,
    Learner,
    Linear,
    Threshold,
    ask,
    chance_of_error,
    has,
)  # fmt: skip
from olc.core.stream import Stream

WORTH_COMPILING = 1 << 12  #: entries of a game for which numba is loaded
AT_ONCE = 1 << 22  #: entries per call of the kernel: a key press is heard in between
REACH = 512  #: states on either side of 0 whose weights are tabulated


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
    >>> trace.mistakes, trace.rounds.tolist()
    (2, [0, 3])
    """
    if check.flag(record, "record") and not hasattr(learner, "weights"):
        raise TypeError(
            f"{type(learner).__name__} has no weights to record: define a property "
            "weights, or leave record out"
        )
    stream = admitted(learner, X, y)
    with Game(learner) as game:
        run(game, stream)
        trace = game.trace(stream)
        return trace.recorded() if record else trace


def run(game: Game, stream: Stream) -> None:
    """Play all rounds of the stream, and note them in the game."""
    learner: Any = game.learner
    if vars(learner).keys() & HOOKS or not (learner.ahead or _scores_ahead(learner)):
        for x, y in stream.rounds():
            game.round(x, y)
    elif learner.ahead:
        _vote(game, stream)
    elif _compiles(stream):
        _scan(game, stream)
    elif check.is_sparse(stream.X):
        _walk(game, stream)
    else:
        _leap(game, stream)


def _scores_ahead(learner: Any) -> bool:
    """Return whether this module knows when the learner predicts what and updates."""
    plain = has(learner, Learner.decide) and learner.threshold == 0
    return (
        has(learner, Linear.score)
        and (plain or has(learner, Threshold.decide))
        and (learner.thin or has(learner, Learner.wants_update))
        and not learner.randomized
    )


def _compiles(stream: Stream) -> bool:
    gear = os.environ.get("OLC_GEAR", "")
    if gear in ("plain", "compiled"):
        return gear == "compiled" and bool(check.need("numba"))
    if gear:
        raise ValueError(f"OLC_GEAR is {gear!r}: set it to plain or compiled")
    entries = stream.X.nnz * 8 if check.is_sparse(stream.X) else stream.X.size
    return entries >= WORTH_COMPILING and find_spec("numba") is not None


def _vote(game: Game, stream: Stream) -> None:
    """Let a learner that updates in every round score many of them at once."""
    learner: Any = game.learner
    for start, part in check.chunks(stream.X, check.CHUNK // 4):
        labels = stream.y[start : start + part.shape[0]]
        scores, chances = learner.score_ahead(check.as_floats(part), labels), ()
        if learner.randomized:
            chances = chance_of_error(learner, scores, labels)
        game.note(learner.decide(scores), np.arange(len(scores)), chances)


def _leap(game: Game, stream: Stream) -> None:
    """Score blocks of dense rows, twice as many as before, up to the next update."""
    learner: Any = game.learner
    block, first = 8, len(game)
    while (t := len(game) - first) < len(stream):
        stop = t + min(block, 1 + check.CHUNK // stream.n)
        rows, labels = check.as_floats(stream.X[t:stop]), stream.y[t:stop]
        theta, thick = learner.threshold, learner.thickness if learner.thin else 0.0
        sizes = np.abs(rows) @ np.abs(learner.weights) + abs(theta) + thick
        margins = labels * (rows @ learner.weights - theta) - thick
        clear = margins > EPS * (stream.n + 4) * sizes
        ahead = len(clear) if clear.all() else int(clear.argmin())
        game.note(labels[:ahead])  # without an update the prediction was right
        some = slice(ahead, ahead + (1 if ahead >= 4 else 16))  # updates come in swarms
        for x, y in zip(rows[some], labels[some].tolist(), strict=True):
            game.round(x, y)
        block = 2 * block if ahead == len(clear) else max(16, ahead)


class _Moving:
    """A learner whose state and weights are moved here, entry by entry if they can be.

    They belong to the game until `hand_over` gives them to the learner, whose hooks
    then see it as the loop would have left it.
    """

    def __init__(self, game: Game, stream: Stream) -> None:
        learner: Any = game.learner
        self.learner, self.stream, self.before = (
            learner,
            stream,
            game.before.rounds + len(game),
        )
        self.linked = not has(learner, Linear.link)
        self.table = self._tabulated() if self.linked else np.empty(0)
        adds = learner.rate if learner.adds else 0
        self.rate = float(len(self.table) > 0 if self.linked else adds)
        self.tie = has(learner, Threshold.decide)
        self.take()

    def _tabulated(self) -> Any:
        """Return the weights by state of a learner of bits that counts by ones."""
        learner, states = self.learner, np.arange(-REACH, REACH + 1.0)
        if learner.alike and learner.features == "bits":
            one = np.ones_like(states)
            steps = np.array([learner.step(states, one, y) - y for y in (-1, 1)])
            if (steps == states).all() and (learner.state % 1 == 0).all():
                with np.errstate(all="ignore"):  # most of them are never reached
                    return learner.weigh(states)
        return np.empty(0)

    def take(self) -> None:
        """Copy what the learner has: its own update may have changed all of it."""
        learner = self.learner
        self.state = np.array(learner.state, dtype=float)
        self.weights = np.array(learner.weights) if self.linked else self.state
        self.late = np.array(learner.late) if learner.averages else np.empty(0)
        self.theta = float(learner.threshold)
        self.tau = float(learner.thickness) if learner.thin else -1.0

    def hand_over(self) -> None:
        """Give the learner a copy of what it has become."""
        if self.learner.alike or self.rate:
            self.learner.state = self.state.copy()
        if self.learner.averages:
            self.learner.late = self.late.copy()

    def ask(self, t: int) -> tuple[int, bool]:
        """Ask the hooks for the prediction in round t, and whether to update."""
        self.hand_over()
        self.learner.rounds = self.before + t
        return ask(self.learner, self.stream.row(t), int(self.stream.y[t]))[1:]

    def update(self, t: int) -> None:
        """Let the learner update in round t, on its active features if that will do."""
        learner, y = self.learner, int(self.stream.y[t])
        if learner.alike and not learner.averages:
            at, values = _active(self.stream.X, t)
            moved = learner.step(self.state[at], values, y)
            self.state[at] = moved
            self.weights[at] = learner.weigh(moved) if self.linked else moved
        else:
            self.hand_over()
            learner.rounds = self.before + t
            learner.update(self.stream.row(t), y)
            self.take()


def _active(X: Any, t: int) -> tuple[Any, Any]:
    """Return the active features of row t and their values."""
    if check.is_sparse(X):
        entries = slice(*X.indptr[t : t + 2])
        return X.indices[entries], X.data[entries].astype(float)
    at = np.flatnonzero(X[t])
    return at, X[t, at].astype(float)


def _walk(game: Game, stream: Stream) -> None:
    """Play sparse rows one by one, on their active features where rounding allows."""
    moving, learner = _Moving(game, stream), game.learner
    for t, y in enumerate(stream.y.tolist()):
        theta, thick = moving.theta, max(moving.tau, 0.0)
        at, values = _active(stream.X, t)
        terms = values * moving.weights[at]
        score, size = float(terms.sum()), float(np.abs(terms).sum())
        margin = y * (score - theta) - thick
        doubt = EPS * (stream.n + 4) * (size + abs(theta) + thick)
        if margin > doubt:
            prediction, wants = y, False
        elif min(abs(score - theta), abs(margin)) > doubt or (
            size < 2.0**53 and (terms % 1 == 0).all()
        ):
            prediction, wants = (
                int(learner.decide(score)),
                learner.wants_update(score, y),
            )
        else:
            prediction, wants = moving.ask(t)
        if wants:
            moving.update(t)
        game.note([prediction], [0] if wants else ())
    moving.hand_over()


def _scan(game: Game, stream: Stream) -> None:
    """Let the kernel run to each round that it cannot finish itself."""
    from olc.fast.kernels import scan

    moving, X, sparse = _Moving(game, stream), stream.X, check.is_sparse(stream.X)
    read = X.dtype in (np.int8, np.float64)
    for start, part in check.chunks(X, AT_ONCE if read else check.CHUNK):
        labels = np.ascontiguousarray(stream.y[start : start + part.shape[0]])
        rows = _readable(part.data if sparse else part, X.dtype if read else np.float64)
        at = _readable(part.indices if sparse else [])
        ends = _readable(part.indptr if sparse else [])
        predictions, updates = labels.copy(), np.empty(len(labels), np.int64)
        t = count = 0
        while True:
            t, wants, count = scan(
                rows, at, ends, labels, t, moving.state, moving.weights, moving.table,
                moving.late, moving.before + start, moving.theta, moving.tau,
                moving.tie, moving.rate, predictions, updates, count,
            )  # fmt: skip
            if t == len(labels):
                break
            if not wants:
                predictions[t], wants = moving.ask(start + t)
            if wants:
                moving.update(start + t)
                updates[count], count = t, count + 1
            t += 1
        game.note(predictions, updates[:count])
    moving.hand_over()


def _readable(numbers: Any, dtype: Any = None) -> Any:
    """Return contiguous numbers, read-only: the kernel is compiled once, for these."""
    view = np.ascontiguousarray(numbers, dtype).view()
    view.flags.writeable = False
    return view
