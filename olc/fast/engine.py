"""How `play` is fast and still gives the trace of the plain loop, to the last tie.

A learner that changes only at a mistake lets the coming rounds be scored ahead: go to
the next one that may be an update, let the learner's own hooks have it, go on from
there. Two gears do so and leave the same traces: one in plain numpy, one compiled
(`_compiled`). What either may do is decided by the functions that a class has: one
that brings its own rules is asked in every round.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from olc.core import check
from olc.core.game import Game, Labels, Stream
from olc.core.learner import Experts, Learner, Linear, Thick, Threshold, Vector
from olc.core.powers import LONGEST, decayed, spared

WORTH_AN_IMPORT = 1 << 24  #: elements of a game that is worth loading the compiler
WORTH_A_CALL = 1 << 12  #: elements of one that is worth a call, once it is loaded
LONG = 1 << 22  #: elements to scan in a call: a key press is heard between two calls
AT_PAR = 40_000  #: elements whose product takes as long as the Python around it
DENSE, STRETCH = 6, 64  #: rounds between updates, below which so many are just played
REACH = 512  #: states on either side of 0 that are looked up
COMPILED = {"b1", "i1", "u1", "i8", "f4", "f8"}  #: what kernels read as it lies


def run(game: Game, stream: Stream) -> None:
    """Play all rounds of the stream, and note them in the game."""
    learner: Any = game.learner
    compiled = _compiled_gear(stream.X)
    if _votes(learner):
        _vote(game, stream, compiled and not check.is_sparse(stream.X))
    elif not _scans(learner):
        for start, rows in _pieces(stream, learner.features):
            for t, x in enumerate(_each(rows), start):
                game.round(x, int(stream.y[t]))
    elif compiled and learner.features != "signs":
        _scan(game, stream)
    else:
        _gallop(game, stream)


_played = [0]  # elements of all games so far: many short ones are worth it, too


def _compiled_gear(X: Any) -> bool:
    gear = os.environ.get("OLC_GEAR", "")
    if gear not in ("", "plain", "compiled"):
        raise ValueError(f"OLC_GEAR is {gear!r}: set it to plain or compiled")
    if gear == "plain":
        return False
    entries = X.shape[0] * X.shape[1]
    if check.is_sparse(X):
        entries *= 4  # without a kernel, mistakes cost whole rows
    work = entries + 64 * X.shape[0]
    _played[0] += work
    loaded = "olc.fast.compiled" in sys.modules
    enough = work >= WORTH_AN_IMPORT or _played[0] >= 2 * WORTH_AN_IMPORT
    if not (gear or (work >= WORTH_A_CALL if loaded else enough)):
        return False
    try:
        importlib.import_module("olc.fast.compiled")
    except ImportError as error:  # there is no compiler, or it is too old for numpy
        if gear:
            raise ImportError(
                f"OLC_GEAR is compiled, which needs pip install 'olc[fast]': {error}"
            ) from None
        return False
    return True


# --------------------------------------------------------- what a class allows


def has(learner: Learner, *functions: Callable[..., Any]) -> bool:
    """Say whether these functions are the learner's own of their names."""
    return all(
        getattr(type(learner), function.__name__, None) is function
        and function.__name__ not in vars(learner)
        for function in functions
    )


def treats_alike(learner: Learner, *names: str) -> bool:
    """Say whether these hooks treat every entry of an array alike: `entrywise` ones."""
    return all(
        hasattr(getattr(type(learner), name), "entrywise") and name not in vars(learner)
        for name in names
    )


def has_floats(learner: Any) -> bool:
    """Say whether the state is an array of floats, as it is moved here."""
    return getattr(learner.state, "dtype", None) == np.float64


def _number(learner: Learner, name: str) -> bool:
    """Say whether this is a plain number, which only a hook can change."""
    known = getattr(type(learner), name, None)
    return type(getattr(learner, name)) in (float, int) and not hasattr(
        known, "__get__"
    )


def _weighs(learner: Learner) -> bool:
    return isinstance(learner, Linear) and type(learner).weights is Linear.weights


def _scans(learner: Any) -> bool:
    """Say whether rounds may be scored ahead, by this engine's idea of the rules."""
    thick = has(learner, Thick.wants_update) and _number(learner, "thickness")
    return (
        _weighs(learner)
        and not learner.randomized
        and has(learner, Linear.score)
        and _number(learner, "threshold")
        and (thick or has(learner, Learner.wants_update))
        and (
            has(learner, Threshold.decide)
            or (has(learner, Learner.decide) and learner.threshold == 0)
        )
    )


def _votes(learner: Any) -> bool:
    """Say whether the learner counts the mistakes of experts in every round."""
    own = Experts.score, Experts.wants_update, Linear.update, Experts.step, Experts.link
    answers = ("decide", "error_chance") if learner.randomized else ("decide",)
    return _weighs(learner) and has(learner, *own) and treats_alike(learner, *answers)


# ------------------------------------------------------------------ plain numpy


def _pieces(stream: Stream, features: str) -> Iterator[tuple[int, Any]]:
    """Yield (first round, checked rows): floats, or sparse ones as they are."""
    for start, part in check.chunks(stream.X):
        check.rows(part, features, start)
        yield start, part if check.is_sparse(part) else check.as_floats(part)


def _each(rows: Any) -> Iterator[Vector]:
    """Yield the rows, dense, one at a time."""
    step = max(1, check.CHUNK // rows.shape[1])
    for start in range(0, rows.shape[0], step):
        yield from check.as_floats(rows[start : start + step])


def _by_rows(rows: Vector, weights: Vector) -> Vector:
    return np.matmul(rows[:, None], weights[:, None])[:, 0, 0]


#: Inner products of rows with one vector. Each is computed as x @ w is, so its bits
#: are those of the loop; X @ w sums in another order.
products = getattr(np, "vecdot", _by_rows)


def _gallop(game: Game, stream: Stream) -> None:
    """Score blocks of coming rounds at once; stop at each update."""
    learner: Any = game.learner
    gap, look = 16.0, max(1.0, AT_PAR / stream.n)
    for start, rows in _pieces(stream, learner.features):
        labels = stream.y[start : start + rows.shape[0]]
        t = 0
        while t < len(labels):
            dense = gap < DENSE
            if dense:
                stop, before = min(len(labels), t + STRETCH), len(game.updates)
            else:
                stop = t + 1 + int(math.sqrt(gap * look))
                wanted = _wanted(learner, rows[t:stop], labels[t:stop])
                ahead = int(wanted.argmax()) if wanted.any() else len(wanted)
                game.extend(labels[t : t + ahead])
                t += ahead
                found = ahead < len(wanted)
                gap = 0.8 * gap + 0.2 * ahead if found else max(gap, ahead)
                stop = t + found
            for x, label in zip(_each(rows[t:stop]), labels[t:stop], strict=True):
                game.round(x, int(label))
            if dense:
                gap = STRETCH / (len(game.updates) - before + 0.5)
            t = stop


def _wanted(learner: Any, rows: Any, labels: Labels) -> Any:
    """Say which of these rounds may be updates, if none before them is."""
    if not check.is_sparse(rows):
        return learner.wants_update(products(rows, learner.weights), labels)
    # the sums of a sparse row are rounded in another order than the loop's
    scores, sizes = rows @ learner.weights, abs(rows) @ np.abs(learner.weights)
    sizes += abs(learner.threshold) + getattr(learner, "thickness", 0.0)
    band = np.finfo(float).eps * (learner.n + 4) * sizes
    low = learner.wants_update(scores - band, labels)
    return low | learner.wants_update(scores + band, labels)


def _vote(game: Game, stream: Stream, compiled: bool) -> None:
    """Play experts: the weights of every round follow from a running count."""
    learner: Any = game.learner
    scored, size = (_compiled_scores, 2) if compiled else (_scores, 0.25)
    for start, part in check.chunks(stream.X, int(size * check.CHUNK)):
        check.rows(part, learner.features, start)
        labels = stream.y[start : start + part.shape[0]]
        scores = scored(learner, part, labels)
        chances = learner.error_chance(scores, labels) if learner.randomized else ()
        game.extend(learner.decide(scores), np.arange(len(scores)), chances)


def _scores(learner: Any, part: Any, labels: Labels) -> Vector:
    """Return the scores of these rounds; the learner counts their mistakes."""
    rows = check.as_floats(part)
    losses = learner.state + np.cumsum(rows != labels[:, None], axis=0)
    weights = learner.link(np.vstack([learner.state, losses[:-1]]))
    learner.state = losses[-1].copy()
    return np.asarray((rows * weights).sum(axis=1) / weights.sum(axis=1))


# --------------------------------------------------------------------- compiled


def _compiled_scores(learner: Any, part: Any, labels: Labels) -> Vector:
    """The same, in one pass over the rows."""
    from olc.fast import compiled

    rows, scores = _readable(part.astype(np.int8, copy=False)), np.empty(len(labels))
    losses, beta, t = learner.state.copy(), 1 - learner.eta, 0
    while t < len(labels):
        forgiven, most = spared(beta, losses)
        if losses.max() - forgiven[0] + len(labels) > LONGEST:  # beyond any table
            learner.state = losses
            scores[t:] = _scores(learner, part[t:], labels[t:])
            return scores
        limit, weights = int(forgiven[0]) + most, decayed(beta, losses)
        t = compiled.vote(rows, labels, t, weights, losses, limit, beta, scores)
    learner.state = losses
    return scores


def _scan(game: Game, stream: Stream) -> None:
    """Let a kernel run to each update, or to the end where it can update itself."""
    from olc.fast.compiled import scan

    moving = _Moving(game, stream)
    for start, rows, labels in _kernel_rows(stream):
        predictions, updates = labels.copy(), np.empty(len(labels), np.int64)
        t = count = 0
        while True:
            t, certain, count = scan(
                *rows, labels, t, *moving.rule(), predictions, updates, count
            )
            if t == len(labels):
                break
            wants = True
            if not certain:
                predictions[t], wants = moving.ask(start + t)
            if wants:
                moving.update(start + t)
                updates[count], count = t, count + 1
            t += 1
        game.extend(predictions, updates[:count])
    moving.hand_over()


def _kernel_rows(stream: Stream) -> Iterator[tuple[int, tuple[Any, ...], Labels]]:
    """Yield (first round, rows, labels) of pieces that a kernel reads."""
    X, sparse = stream.X, check.is_sparse(stream.X)
    entries, size = X.nnz if sparse else X.size, LONG
    if _kernel_type(X.dtype) != X.dtype:
        size = min(LONG, check.CHUNK)  # what is copied should stay in the cache
    step = max(1, size * len(stream) // max(1, entries))
    for start in range(0, len(stream), step):
        labels = np.ascontiguousarray(stream.y[start : start + step])
        if sparse:
            ends = X.indptr[start : start + step + 1]
            some = slice(ends[0], ends[-1])
            columns = np.ascontiguousarray(X.indices[some])
            yield start, (_readable(X.data[some]), columns, ends - ends[0]), labels
        else:
            yield start, (_readable(X[start : start + step]), None, None), labels


def _kernel_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type as which a kernel reads numbers of this one."""
    if dtype.isnative and dtype.str[1:] in COMPILED:
        return dtype
    return np.dtype(np.float32 if np.can_cast(dtype, np.float32) else np.float64)


def _readable(part: Any) -> Any:
    """Return numbers in memory order, of a type for which there is a kernel.

    A kernel is compiled once for what can be written to and once for what cannot, so
    nothing here can.
    """
    rows = np.ascontiguousarray(part, _kernel_type(part.dtype))
    rows = rows.view(np.uint8 if rows.dtype == np.bool_ else rows.dtype)
    rows.flags.writeable = False
    return rows


class _Moving:
    """A linear learner whose weights are moved here, if that can be done.

    `weights` and `state` then belong to the game; the learner gets them back where its
    own hooks are to see it, and at the end.
    """

    def __init__(self, game: Game, stream: Stream) -> None:
        self.game, self.stream = game, stream
        self.learner: Any = game.learner
        plain = has(self.learner, Linear.update) and has_floats(self.learner)
        adds = plain and has(self.learner, Linear.step, Linear.link)
        self.adds = adds and _number(self.learner, "rate")
        sparse = check.is_sparse(stream.X)
        alike = plain and treats_alike(self.learner, "step", "link")
        self.bits = self.learner.features == "bits"
        self.weights = self.state = np.array(self.learner.weights)
        if alike and not self.adds:
            self.state = self.learner.state.copy()
        self.places, self.table = np.empty(0, np.int64), np.empty((3, 0))
        self.walks = alike and self.bits and not self.adds and self._tabulate()
        self.touches = alike and sparse and not self.walks
        single = not sparse and np.can_cast(stream.X.dtype, np.float32)
        self.single = np.empty(stream.n, np.float32) if single else None
        self.quick = self.single if single else self.weights
        self.tie = int(has(self.learner, Threshold.decide))
        self.thick = has(self.learner, Thick.wants_update)

    def _tabulate(self) -> bool:
        """Ask the hooks of a learner of bits for all states that are near 0.

        What its `step` does to one whole number it does to all, so that a feature that
        starts from one walks along this table.
        """
        states = np.arange(-REACH, REACH + 1.0)
        one = np.ones_like(states)
        nexts = [_places(self.learner.step(states, one, label)) for label in (-1, 1)]
        if any((places[1:-1] < 0).any() for places in nexts):
            return False
        self.places = _places(self.state)
        self.table = np.array([*nexts, self.learner.link(states)])
        return True

    def rule(self) -> tuple[Any, ...]:
        """Return what the kernel has to know, which a hook may have changed."""
        learner = self.learner
        theta, tau = learner.threshold, learner.thickness if self.thick else 0
        rate = learner.rate if self.adds else 0
        arrays = self.weights, self.quick, self.single, self.places, self.table
        return *arrays, self.bits, float(theta), float(tau), self.tie, float(rate)

    def hand_over(self) -> None:
        if self.walks:
            walked = self.places - float(REACH)
            self.learner.state = np.where(self.places < 0, self.state, walked)
        elif self.adds or self.touches:
            self.learner.state = self.state.copy()

    def ask(self, t: int) -> tuple[int, bool]:
        """Return the learner's own prediction in round t, and whether to update."""
        self.hand_over()
        row = self.stream.row(t)
        check.rows(row[None], self.learner.features, t)
        return self.game.ask(check.as_floats(row), int(self.stream.y[t]), t)[1:]

    def update(self, t: int) -> None:
        """Let the learner update in round t, on the active features if that will do."""
        learner, X, label = self.learner, self.stream.X, int(self.stream.y[t])
        learner.rounds = self.game.before.rounds + t
        if self.touches:
            entries = slice(X.indptr[t], X.indptr[t + 1])
            at, values = X.indices[entries], X.data[entries].astype(float)
            moved = learner.step(self.state[at], values, label)
            self.state[at], self.weights[at] = moved, learner.link(moved)
            return
        self.hand_over()
        learner.update(self.stream.row(t).astype(float), label)
        self.weights[:] = learner.link(learner.state)
        if self.walks:
            self.state = learner.state.copy()
            self.places = _places(self.state)


def _places(states: Any) -> Any:
    """Return where these states stand in a table, -1 for one that is not there."""
    known = (np.abs(states) <= REACH) & (states == np.rint(states))
    return np.where(known, states, -REACH - 1).astype(np.int64) + REACH
