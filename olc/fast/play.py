"""`play`: how games are fast and still have the trace of the loop, to the last tie.

Between two updates a learner stands still, so the coming rounds can be scored ahead.
What may be done is decided by the functions that a class has and by the hints beside
its hooks; a learner with rules of its own is asked in every round.
"""

from __future__ import annotations

import math
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
QUIET = 4  #: rounds without an update after which many are scored at once
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
        strategy, real = choose_strategy(learner), learner.features == "real"
        if type(stream) is not Stream:  # which may yield other rows than those of X
            strategy = Game.follow
        refuses = strategy is play_fast and real and compiles(stream)
        strategy(game, checked_stream(learner, stream, validated=refuses))
        trace = game.trace(stream)
        return trace.recorded() if record else trace


def choose_strategy(learner: Any) -> Callable[[Game, Stream], None]:
    """Return the fastest function that plays this learner's games.

    That takes a game and a stream, and ends as `Game.follow`, the loop, would. The loop
    itself plays whatever has a rule that the others do not know.
    """
    if learner.batched:
        return play_batched if is_consistent(learner) else Game.follow
    kind: Any = Threshold if isinstance(learner, Threshold) else Linear
    rules = ["score", "decide", "threshold"]
    rules += [] if has_margin(learner) else ["wants_update"]
    theta = learner.threshold
    usual = math.isfinite(theta) if kind is Threshold else theta == 0
    known = usual and not learner.randomized and has(learner, kind, *rules)
    return play_fast if known else Game.follow


def has_margin(learner: Any) -> bool:
    """Return whether updates come wherever y(score - threshold) ≤ thickness."""
    return bool(learner.margin_rule and learner.thickness >= 0)


def is_consistent(learner: Any) -> bool:
    """Return whether nobody has set weights without their state, or odd parameters.

    In a game that is played in place nobody can have done so.
    """
    state, linked = learner.state, not has(learner, Linear, "link", "state")
    plain = all(np.ndim(value) == 0 for value in learner.get_params().values())
    if state.flags.writeable or not plain:
        return plain
    weights = learner.weigh(state) if linked else state
    return np.array_equal(learner.weights, weights)


def compiles(stream: Stream) -> bool:
    """Return whether the kernel is to play this stream, in the gear that is set."""
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
    for learner in learners:
        own, shared = vars(learner), has(learner, Linear, "link", "state")
        names = own.keys() & {"_state", "weights", "weighted_updates"}
        names -= {"weights"} if shared else set()
        for name in names:
            if own[name].dtype != float or not own[name].flags.writeable:
                own[name] = np.array(own[name], dtype=float)
        if shared:
            own["weights"] = own["_state"]
        kept.append((own, own.copy(), {name: own[name][at].copy() for name in names}))
    try:
        yield
    except BaseException:
        for own, before, entries in kept:
            own.clear()
            own.update(before)
            for name, values in entries.items():
                own[name][at] = values
        raise


def play_batched(game: Game, stream: Stream) -> None:
    """Let a learner that updates in every round score many of them at once."""
    learner = game.learner
    for start, part in check.chunks(stream.X, check.CHUNK // 4):
        labels = stream.y[start : start + part.shape[0]]
        scores = learner.score_ahead(check.as_floats(part), labels)
        chances = learner.error_chance(scores, labels) if learner.randomized else ()
        game.note(learner.decide(scores), np.arange(len(scores)), chances)


def moves_by_entry(learner: Any) -> bool:
    """Return whether an update moves the active entries of the state and no others."""
    floats = learner.coordinatewise and learner.state.dtype == float
    return bool(floats and is_consistent(learner))


class FastState:
    """A learner's state and weights as arrays that can be written into.

    `score` and `update` are those of the learner, for the examples of a stream. What
    they change is the learner's own after `store`, which takes as long as all features
    take, or at once if the game is played `in_place`. An update takes as long as the
    active features, if that will do.
    """

    def __init__(self, learner: Any, stream: Stream) -> None:
        self.learner, self.stream, self.before = learner, stream, learner.rounds
        self.costs = getattr(stream, "costs", None)  # of the rounds, for an estimator
        self.reaches, self.thin = isinstance(learner, Threshold), has_margin(learner)
        self.linked = not has(learner, Linear, "link", "state")
        self.by_entry = moves_by_entry(learner)
        self.averaged = self.by_entry and learner.averaged
        self.lookup = self._looked_up()
        adds = self.by_entry and learner.additive and not self.linked
        self.rate = float(learner.rate if adds else len(self.lookup) > 0)
        # copies, as they are frozen, unless the game is played in place
        in_place = self.by_entry and learner.state.flags.writeable
        self.take: Any = np.asarray if in_place else np.array
        self.unit, self.weighted_updates = EPS * (learner.n + 4), np.empty(0)
        self.rules: Any = None
        self.lost = False  # whether another strategy has to play the rest
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
        learner, take = self.learner, self.take
        self.state = self.weights = take(learner.weights)
        if self.linked and self.by_entry:
            self.state = take(learner.state)
        if self.averaged:
            self.weighted_updates = take(learner.weighted_updates)
        self.theta = float(learner.threshold)
        self.tau = float(learner.thickness) if self.thin else -1.0
        self.thick = max(self.tau, 0.0)
        rules = type(learner), len(vars(learner)), learner.threshold, learner.thickness
        if self.rules not in (None, rules):  # by an update of one's own
            self.lost = choose_strategy(learner) is not play_fast
        self.rules = rules

    def store(self, t: int) -> None:
        """Give the learner what it has become before round t."""
        learner = self.learner
        if self.by_entry and learner.state is not self.state:
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

    def score(self, at: Any, x: Vector) -> float:
        """Return ⟨w, x⟩ of these entries, as the learner's own `score` does."""
        whole = isinstance(at, slice)
        holder: Any = self if whole else SimpleNamespace(weights=self.weights[at])
        return float(Linear.score(holder, x))

    def certain(self, X: Any, y: Any, t: int, stop: int) -> int:
        """Return how many of these rows, from t on, need no update for sure."""
        if check.is_sparse(X):
            ends = X.indptr[t : stop + 1]
            stored = slice(ends[0], ends[-1])
            terms = np.append(X.data[stored] * self.weights[X.indices[stored]], 0.0)
            pairs = [terms, np.abs(terms)]
            sums = np.add.reduceat(pairs, ends[:-1] - ends[0], axis=1)
            # a row without entries got the next one's
            scores, sizes = sums * (ends[1:] > ends[:-1])
        else:
            rows = X[t:stop]
            largest = max(rows.max(), -rows.min())
            scores, sizes = rows @ self.weights, largest * np.abs(self.weights).sum()
        margins = y[t:stop] * (scores - self.theta) - self.thick
        doubts = self.unit * (sizes + abs(self.theta) + self.thick)
        # lest a doubt be 0 by underflow
        return int(np.append(margins > doubts + 1e-300, False).argmin())

    def update(self, t: int, at: Any, x: Vector, y: float) -> None:
        """Let the learner update in round t, on these entries only if that will do."""
        learner = self.learner
        if self.costs is not None:
            y *= float(self.costs[t])
        if not self.by_entry:
            self.store(t)
            learner.update(x if isinstance(at, slice) else self.stream.row(t), y)
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


def play_fast(game: Game, stream: Stream) -> None:
    """Play on arrays, compiled if they are many; ask the hooks in doubt."""
    fast, start = FastState(game.learner, stream), 0
    scan = _scan_compiled if compiles(stream) else _scan_blocks
    for X, order in _pieces(stream):
        predictions, updates = scan(fast, start, X, order)
        game.note(predictions, updates)
        start += len(predictions)
        if fast.lost:
            break
    fast.store(start)
    game.follow(stream, start)


def _kind(X: Any) -> Any:
    """Return the type of entries in which these rows are played: int8, or floats."""
    return X.dtype if X.dtype == np.int8 else np.dtype(float)


def _pieces(stream: Stream) -> Iterator[tuple[Any, Any]]:
    """Yield rows of a stream, and an order if they are to be taken in one."""
    X, order = stream.X, getattr(stream, "order", None)
    same = X.dtype == _kind(X)  # else they are converted, some at a time
    ready = same and (check.is_sparse(X) or X.flags.c_contiguous)
    size = AT_ONCE if same else check.CHUNK
    if order is None:
        yield from ((part, None) for _, part in check.chunks(X, size))
        return
    for start in range(0, len(order), step := check.rows_of(X, size)):
        some = order[start : start + step]
        yield (X, some) if ready else (X[some], None)


def _scan_blocks(fast: FastState, start: int, X: Any, _: Any) -> tuple[Any, list[int]]:
    """Play round by round, but after a quiet while score ever more rounds at once.

    Returns the predictions, and the rounds of updates, counted from `start`.
    """
    learner, stream, sparse = fast.learner, fast.stream, check.is_sparse(X)
    rows, rounds, most = X, X.shape[0], check.rows_of(X, check.CHUNK)
    y = stream.y[start : start + rounds]
    predictions, labels, at = y.copy(), y.tolist(), slice(None)
    updates: list[int] = []
    if not sparse:
        rows = check.as_floats(X)
    if not fast.by_entry:
        fast.take = np.asarray  # nothing is written here
    t, quiet = 0, 0
    while t < rounds:
        if tried := quiet >= QUIET:
            stop = min(t + 2 * quiet, t + most, rounds)
            some = fast.certain(rows, y, t, stop)
            t, quiet = t + some, quiet + some
            if t == stop:
                continue
        at, x = stream.entries(start + t) if sparse else (at, rows[t])
        score = fast.score(at, x)
        above = score - fast.theta
        if above - above == 0:  # it is finite
            prediction = (above > 0) - (above < 0) or int(fast.reaches)
            wrong = prediction != labels[t]
            wants = learner.wants_update(score, labels[t]) if fast.thin else wrong
        else:
            prediction, wants = fast.query(start + t)
        predictions[t] = prediction
        if wants:
            fast.update(start + t, at, x, labels[t])
            updates.append(t)
        t, quiet = t + 1, quiet // 4 if wants or tried else quiet + 1
        if fast.lost:
            break
    return predictions[:t], updates


def _scan_compiled(fast: FastState, start: int, X: Any, order: Any) -> tuple[Any, Any]:
    """Let the kernel run to each round that it cannot finish itself."""
    from olc.fast.kernels import scan

    stream, none = fast.stream, np.empty(0, np.intp)
    entries, at, ends = X, none, none
    if check.is_sparse(X):
        entries, at, ends = X.data, X.indices, X.indptr
    count = X.shape[0] if order is None else len(order)
    y = np.ascontiguousarray(stream.y[start : start + count])
    costs = none if fast.costs is None else fast.costs[start : start + count]
    places = map(_fixed, (at, ends, none if order is None else order))
    bias = float(getattr(stream, "bias", 0.0))
    data = _fixed(entries, _kind(X)), *places, bias, _fixed(costs, float)
    t, predictions, updates = -1, y.copy(), np.zeros(count, bool)
    while True:
        rest = y, predictions, updates, t + 1, fast.before + start
        own = fast.state, fast.weights, fast.lookup, fast.weighted_updates
        rule = fast.theta, fast.tau, fast.reaches, fast.rate
        t, wants = scan(*data, *rest, *own, *rule)
        if t == count:
            return predictions, updates.nonzero()[0]
        if not wants:
            predictions[t], wants = fast.query(start + t)
        if wants:
            fast.update(start + t, *stream.entries(start + t), int(y[t]))
        updates[t] = wants
        if fast.lost:
            return predictions[: t + 1], updates.nonzero()[0]


def _fixed(numbers: Any, dtype: Any = None) -> Any:
    """Return contiguous numbers, read-only: the kernel is compiled once, for these."""
    view = np.ascontiguousarray(numbers, dtype).view()
    view.flags.writeable = False
    return view
