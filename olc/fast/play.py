"""`play`: how games are fast and still have the trace of the loop, to the last tie.

Between two updates a learner stands still, so the coming rounds can be scored ahead.
What may be done is decided by the functions that a class has and by the hints beside
its hooks; a learner with rules of its own is asked in every round.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.check import Vector
from olc.core.game import Game, Trace, checked_stream, unchanged_on_error
from olc.core.learner import EPS, Learner, Linear, Threshold, has, query
from olc.core.stream import Stream, as_stream

__all__ = ["play"]

WORTH_COMPILING = 1 << 12  #: entries of a game for which numba is loaded
QUIET = 8  #: rounds without an update after which many are scored at once
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
    game, stream = Game(learner), as_stream(X, y)
    with unchanged_on_error(learner, game.before):
        strategy = choose_strategy(learner, stream)
        refuses = strategy is _play_compiled and learner.features == "real"
        strategy(game, checked_stream(learner, stream, validated=refuses))
        trace = game.trace(stream)
        return trace.recorded() if record else trace


def choose_strategy(learner: Any, stream: Stream) -> Callable[[Game, Stream], None]:
    """Return the fastest function that plays this learner's game on this stream.

    That takes a game and a stream, and ends as `Game.follow`, the loop, would. The loop
    itself plays whatever has a rule that the others do not know.
    """
    if learner.batched:
        return _play_batched
    kind: Any = Threshold if isinstance(learner, Threshold) else Linear
    rules = ["score", "decide", "threshold"]
    if not learner.margin_rule:
        rules.append("wants_update")
    at_zero = kind is Threshold or learner.threshold == 0
    if learner.randomized or not (at_zero and has(learner, kind, *rules)):
        return Game.follow
    return _play_compiled if _compiles(stream) else _play_blocks


def validates_itself(learner: Any, stream: Stream) -> bool:
    """Return whether the game itself meets, and refuses, what is no feature."""
    real = learner.features == "real"
    return real and choose_strategy(learner, stream) is _play_compiled


def _compiles(stream: Stream) -> bool:
    gear = os.environ.get("OLC_GEAR", "")
    if gear in ("plain", "compiled"):
        return gear == "compiled" and bool(check.optional_import("numba"))
    if gear:
        raise ValueError(f"OLC_GEAR is {gear!r}: set it to plain or compiled")
    entries = stream.X.nnz * 8 if check.is_sparse(stream.X) else stream.X.size
    return entries >= WORTH_COMPILING and find_spec("numba") is not None


def active(X: Any, n: int) -> Any:
    """Return the features that are not 0 in these rows: some twice, and the last one.

    Where the rows have more entries than n they are all of the features.
    """
    few = check.is_sparse(X) and X.nnz < n
    return np.append(X.indices[: X.nnz], n - 1) if few else slice(None)


@contextmanager
def in_place(learners: list[Any], at: Any) -> Iterator[None]:
    """Let games write into the learners' own weights, which nobody else can.

    After an error they are as they were, if the games move no others than those `at`.
    """
    kept = []
    try:
        for learner in learners:
            own = vars(learner)
            vectors = own.keys() & {"_state", "weights", "weighted_updates"}
            for name in vectors:
                if not own[name].flags.owndata or own[name].dtype != float:
                    own[name] = np.array(own[name], dtype=float)  # it was unpickled
            if has(learner, Linear, "link", "state"):
                own["weights"] = own["_state"]
            entries = {name: own[name][at].copy() for name in vectors}
            kept.append((own, own.copy(), entries))
            for name in vectors:
                own[name].flags.writeable = True
        yield
    except BaseException:
        for own, before, entries in kept:
            own.clear()
            own.update(before)
            for name, values in entries.items():
                own[name][at] = values
        raise
    finally:
        for learner in learners:
            for name in ("_state", "weights"):
                vars(learner)[name].flags.writeable = False


def _play_batched(game: Game, stream: Stream) -> None:
    """Let a learner that updates in every round score many of them at once."""
    learner = game.learner
    for start, part in check.chunks(stream.X, check.CHUNK // 4):
        labels = stream.y[start : start + part.shape[0]]
        scores = learner.score_ahead(check.as_floats(part), labels)
        chances = learner.error_chance(scores, labels) if learner.randomized else ()
        game.note(learner.decide(scores), np.arange(len(scores)), chances)


class FastState:
    """A learner's state and weights as arrays that can be written into.

    `score` and `update` are those of the learner, for the examples of a stream. What
    they change is the learner's own after `store`, which takes as long as all features
    take, or at once if the game is played `in_place`. An update takes as long as the
    active features, if that will do.
    """

    def __init__(self, learner: Any, stream: Stream) -> None:
        self.learner, self.stream, self.before = learner, stream, learner.rounds
        self.sparse, self.start, self.rows = check.is_sparse(stream.X), 0, np.empty(0)
        self.costs = getattr(stream, "costs", None)  # of the rounds, for an estimator
        self.reaches, self.thin = isinstance(learner, Threshold), learner.margin_rule
        self.by_entry, self.averaged = learner.coordinatewise, learner.averaged
        self.linked = not has(learner, Linear, "link", "state")
        self.lookup = self._looked_up()
        adds = learner.additive and not self.linked
        self.rate = float(learner.rate if adds else len(self.lookup) > 0)
        self.moves = self.by_entry or self.rate > 0
        self.unit, self.weighted_updates = EPS * (learner.n + 4), np.empty(0)
        self.load()

    @np.errstate(all="ignore")  # most states are never reached
    def _looked_up(self) -> Any:
        """Return the weights by state of a learner of bits that counts by ones."""
        learner = self.learner
        of_bits = learner.features == "bits" and learner.n == self.stream.n
        if self.linked and self.by_entry and of_bits:
            held = learner.state[active(self.stream.X, learner.n)]
            most = float(np.abs(held).max(initial=0.0)) + len(self.stream)
            if (held % 1 == 0).all():
                states = np.r_[0 : most + 1, -most:0]  # indices wrap around
                ups, downs = (learner.step(states, states * 0 + 1, y) for y in (1, -1))
                if (ups == states + 1).all() and (downs == states - 1).all():
                    return learner.weigh(states)
        return np.empty(0)

    def load(self) -> None:
        """Take what the learner has: its own update may have changed all of it."""
        learner = self.learner
        take = np.asarray if learner.state.flags.writeable else np.array
        self.state = self.weights = take(learner.weights)
        if self.linked and self.moves:
            self.state = take(learner.state, dtype=float)
        if self.averaged:
            self.weighted_updates = take(learner.weighted_updates)
        self.theta = float(learner.threshold)
        self.tau = float(learner.thickness) if self.thin else -1.0
        self.thick = max(self.tau, 0.0)
        self.edge, self._length = abs(self.theta) + self.thick, -1.0  # not known

    def store(self, t: int) -> None:
        """Give the learner what it has become before round t."""
        learner = self.learner
        if self.moves and learner.state is not self.state:
            learner.state = self.state.copy()
            if self.averaged:
                learner.weighted_updates = self.weighted_updates.copy()
        learner.rounds = self.before + t

    def query(self, t: int) -> tuple[int, bool]:
        """Ask the hooks for the prediction in round t, and whether to update."""
        x = self.stream.row(t)
        if not np.isfinite(x).all():
            check.features(self.stream.X, "real")
        self.store(t)
        return query(self.learner, x, int(self.stream.y[t]))[1:]

    def doubts(self, sizes: Any) -> Any:
        """Return how far rounding may move scores whose Σ |x w| are at most these."""
        return self.unit * (sizes + self.edge) + 1e-300  # lest that be 0 by underflow

    def entries(self, t: int) -> tuple[Any, Vector]:
        """Return where the example of round t has entries, and their values."""
        if self.sparse:
            return self.stream.entries(t)
        if not 0 <= t - self.start < len(self.rows):
            X = self.stream.X
            step = check.CHUNK // X.shape[1] + 1
            self.start, self.rows = t, check.as_floats(X[t : t + step])
            largest = max(self.rows.max(), -self.rows.min())
            self._largest = float(largest) * X.shape[1] ** 0.5
        return slice(None), self.rows[t - self.start]

    def rough_score(self, at: Any, x: Vector) -> tuple[float, float]:
        """Return ⟨w, x⟩ of these entries, but for rounding, and a bound of Σ |x w|."""
        if self.sparse:
            terms = x * self.weights[at]
            return float(terms.sum()), float(np.abs(terms).sum())
        if self._length < 0:
            square = float(self.weights.dot(self.weights))
            self._length = square**0.5 if square > 1e-280 else np.inf
        return float(x.dot(self.weights)), self._largest * self._length

    def score(self, at: Any, x: Vector) -> float:
        """Return ⟨w, x⟩ of these entries, as the learner's own `score` does."""
        active: Any = SimpleNamespace(weights=self.weights[at])
        return float(Linear.score(active, x))

    def scores(self, t: int, stop: int) -> Any:
        """Return the scores of rounds t to stop, and bounds of their Σ |x w|."""
        X, weights = self.stream.X, self.weights
        if not self.sparse:
            rows = check.as_floats(X[t:stop])
            largest = max(rows.max(initial=0), -rows.min(initial=0))
            return rows @ weights, largest * np.abs(weights).sum()
        ends = X.indptr[t : stop + 1] - X.indptr[t]
        stored = slice(X.indptr[t], X.indptr[t] + ends[-1])
        terms = np.append(X.data[stored] * weights[X.indices[stored]], 0.0)
        sums = np.add.reduceat([terms, np.abs(terms)], ends[:-1], axis=1)
        return sums * (ends[1:] > ends[:-1])  # a row without entries got the next one's

    def update(self, t: int, at: Any, x: Vector, y: float) -> None:
        """Let the learner update in round t, on these entries only if that will do."""
        learner = self.learner
        if self.costs is not None:
            y *= float(self.costs[t])
        if not self.by_entry:
            self.store(t)
            learner.update(self.stream.row(t) if self.sparse else x, y)
            return self.load()
        if self.rate:
            self.state[at] += self.rate * y * x
            moved = self.state[at]
        else:
            moved = self.state[at] = learner.step(self.state[at], x, y)
        if self.linked:
            table = len(self.lookup) > 0
            now = self.lookup[moved.astype(int)] if table else learner.weigh(moved)
            self.weights[at] = now
        if self.averaged:
            self.weighted_updates[at] += (self.before + t + 1) * learner.rate * y * x
        self._length = -1.0


def _play_blocks(game: Game, stream: Stream) -> None:
    """Play round by round, but after a quiet while score ever more rounds at once."""
    fast, learner, t, quiet = FastState(game.learner, stream), game.learner, 0, 0
    predictions, updates, labels = stream.y.copy(), [], stream.y.tolist()
    rounds = len(labels)
    most = check.CHUNK * rounds // (stream.X.size + 1) + 1
    while t < rounds:
        if quiet >= QUIET:
            stop = t + min(2 * quiet, most)
            scores, sizes = fast.scores(t, stop)
            margins = stream.y[t:stop] * (scores - fast.theta) - fast.thick
            some = int(np.append(margins > fast.doubts(sizes), False).argmin())
            t, quiet = t + some, quiet + some  # so many are right
            if some == len(margins):
                continue
        y, (at, x) = labels[t], fast.entries(t)
        score, size = fast.rough_score(at, x)
        above = score - fast.theta
        margin, doubt = y * above - fast.thick, fast.doubts(size)
        if margin > doubt:
            t, quiet = t + 1, quiet + 1
            continue
        if not (abs(above) > doubt and abs(margin) > doubt):
            score = fast.score(at, x)
            above = score - fast.theta
        if above - above == 0:  # it is finite
            prediction = (above > 0) - (above < 0) or int(fast.reaches)
            wants = learner.wants_update(score, y) if fast.thin else prediction != y
        else:
            prediction, wants = fast.query(t)
        predictions[t] = prediction
        if wants:
            fast.update(t, at, x, y)
            updates.append(t)
        t, quiet = t + 1, quiet // 4
    game.note(predictions, updates)
    fast.store(rounds)


def _play_compiled(game: Game, stream: Stream) -> None:
    """Let the kernel run to each round that it cannot finish itself."""
    from olc.fast.kernels import scan

    fast, none = FastState(game.learner, stream), np.empty(0, np.intp)
    kind = stream.X.dtype if stream.X.dtype == np.int8 else np.dtype(float)
    bias = float(getattr(stream, "bias", 0.0))
    for start, part, order in _pieces(stream, kind):
        rows, at, ends = part, none, none
        if check.is_sparse(part):
            rows, at, ends = part.data, part.indices, part.indptr
        count = part.shape[0] if order is None else len(order)
        stop = start + count
        y = np.ascontiguousarray(stream.y[start:stop])
        t, predictions, updates = -1, y.copy(), np.zeros(count, bool)
        costs = none if fast.costs is None else fast.costs[start:stop]
        given = _fixed(none if order is None else order), bias, _fixed(costs, float)
        data = _fixed(rows, kind), _fixed(at), _fixed(ends), *given
        while True:
            rest = y, predictions, updates, t + 1, fast.before + start
            arrays = fast.state, fast.weights, fast.lookup, fast.weighted_updates
            rule = fast.theta, fast.tau, fast.reaches, fast.rate
            t, wants = scan(*data, *rest, *arrays, *rule)
            if t == count:
                break
            if not wants:
                predictions[t], wants = fast.query(start + t)
            if wants:
                entries = stream.entries(start + t)
                fast.update(start + t, *entries, int(y[t]))
            updates[t] = wants
        game.note(predictions, updates.nonzero()[0])
    fast.store(len(stream))


def _pieces(stream: Stream, kind: Any) -> Iterator[tuple[int, Any, Any]]:
    """Yield (first round, rows, their order if any) for one call of the kernel each."""
    X, order = stream.X, getattr(stream, "order", None)
    size = AT_ONCE if X.dtype == kind else check.CHUNK
    if order is None:
        yield from ((start, part, None) for start, part in check.chunks(X, size))
        return
    fits = X.dtype == kind and (check.is_sparse(X) or X.flags.c_contiguous)
    for start in range(0, len(order), step := check.rows_of(X, size)):
        some = order[start : start + step]
        yield (start, X, some) if fits else (start, X[some], None)


def _fixed(numbers: Any, dtype: Any = None) -> Any:
    """Return contiguous numbers, read-only: the kernel is compiled once, for these."""
    view = np.ascontiguousarray(numbers, dtype).view()
    view.flags.writeable = False
    return view
