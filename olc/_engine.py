"""How `play` is fast and still gives the trace of the plain loop, to the last tie.

A learner that changes only at a mistake lets the coming rounds be scored ahead: go to
the next one that may be an update, let the learner's own hooks have it, go on from
there. Two gears do so and leave the same traces: one in plain numpy, one compiled
(`_compiled`). What either may do is decided by the functions that a class has: one
that brings its own rules is asked in every round.
"""

from __future__ import annotations

import importlib.util
import math
import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from olc import _checks
from olc._powers import LONGEST, decayed, spared
from olc.game import Game, Stream
from olc.learner import Experts, Learner, Linear, Thick, Threshold, Vector

WORTH_AN_IMPORT = 1 << 20  #: elements of a game that is worth loading the compiler
WORTH_A_CALL = 1 << 12  #: elements of one that is worth a call, once it is loaded
LONG = 1 << 22  #: elements to scan in a call: a key press is heard between two calls
AT_PAR = 40_000  #: elements whose product takes as long as the Python around it
DENSE, STRETCH = 6, 64  #: rounds between updates, below which so many are just played


def run(game: Game, stream: Stream) -> None:
    """Play all rounds of the stream, and note them in the game."""
    learner = game.learner
    if votes(learner):
        _vote(game, stream)
    elif not (isinstance(learner, Linear) and scans(learner)):
        for start, rows in _blocks(stream.X, learner.features):
            for t, x in enumerate(rows, start):
                game.round(x, int(stream.y[t]))
    elif _compiled_gear(stream.X):
        _scan(game, learner, stream)
    elif _checks.is_sparse(stream.X):
        _sparse_gallop(game, learner, stream)
    else:
        _gallop(game, learner, stream)


SINGLE = [np.dtype(kind) for kind in "?bBhHf"]  #: types that single precision holds
COMPILED = {"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"}


def _compiled_gear(X: Any) -> bool:
    gear = os.environ.get("OLC_GEAR", "")
    if gear not in ("", "plain", "compiled"):
        raise ValueError(f"OLC_GEAR is {gear!r}: set it to plain or compiled")
    if gear == "plain" or not X.dtype.isnative or X.dtype.str[1:] not in COMPILED:
        return False
    entries = X.nnz if _checks.is_sparse(X) else X.size
    size = entries + 64 * X.shape[0]
    if gear == "compiled" or "numba" in sys.modules:
        return bool(gear) or size >= WORTH_A_CALL
    return size >= WORTH_AN_IMPORT and importlib.util.find_spec("numba") is not None


# --------------------------------------------------------- what a class allows


def _has(learner: Learner, name: str, *functions: Any) -> bool:
    """Say whether the learner's hook of this name is one of these functions."""
    return name not in vars(learner) and getattr(type(learner), name) in functions


def scans(learner: Linear) -> bool:
    """Say whether rounds may be scored ahead, by this engine's idea of the rules."""
    plain = type(learner.threshold) in (float, int) and not isinstance(
        getattr(type(learner), "threshold", None), property
    )
    thick = _has(learner, "wants_update", Thick.wants_update)
    if thick:
        plain &= type(getattr(learner, "thickness", None)) in (float, int)
        plain &= not isinstance(getattr(type(learner), "thickness", None), property)
    return (
        plain
        and not learner.randomized
        and _has(learner, "weights", Linear.weights)
        and _has(learner, "score", Linear.score)
        and (
            _has(learner, "decide", Threshold.decide)
            or (_has(learner, "decide", Learner.decide) and learner.threshold == 0)
        )
        and (thick or _has(learner, "wants_update", Learner.wants_update))
    )


def adds(learner: Linear) -> bool:
    """Say whether an update adds a multiple of the example to the weights."""
    return (
        _has(learner, "update", Linear.update)
        and _has(learner, "step", Linear.step)
        and _has(learner, "link", Linear.link)
        and type(learner.rate) in (float, int)
    )


def _marked(learner: Learner, *names: str) -> bool:
    """Say whether these hooks treat every entry of an array alike."""
    return all(
        name not in vars(learner) and hasattr(getattr(type(learner), name), "entrywise")
        for name in names
    )


def touches(learner: Linear) -> bool:
    """Say whether an update needs to touch the active features only."""
    return _marked(learner, "step", "link") and _has(learner, "update", Linear.update)


def votes(learner: Learner) -> bool:
    """Say whether the learner counts the mistakes of experts in every round."""
    return (
        isinstance(learner, Experts)
        and _has(learner, "weights", Linear.weights)
        and _has(learner, "score", Experts.score)
        and _has(learner, "wants_update", Experts.wants_update)
        and _has(learner, "update", Linear.update)
        and _has(learner, "step", Experts.step)
        and _has(learner, "link", Experts.link)
        and _marked(learner, "decide", *["error_chance"] * learner.randomized)
    )


# ------------------------------------------------------------------ plain numpy


def _blocks(X: Any, features: str) -> Any:
    """Yield (first round, checked rows as floats), a chunk at a time."""
    step = max(1, _checks.CHUNK // X.shape[1])
    for start in range(0, X.shape[0], step):
        part = X[start : start + step]
        _checks.rows(part, features, start)
        yield start, _checks.as_floats(part)


def _by_rows(rows: Vector, weights: Vector) -> Vector:
    return np.matmul(rows[:, None], weights[:, None])[:, 0, 0]


#: Inner products of rows with one vector. Each is computed as x @ w is, so its bits
#: are those of the loop; X @ w sums in another order.
products = getattr(np, "vecdot", _by_rows)


def _gallop(game: Game, learner: Linear, stream: Stream) -> None:
    """Score blocks of coming rounds at once; stop at each update."""
    gap, look = 16.0, max(1.0, AT_PAR / stream.n)
    for start, rows in _blocks(stream.X, learner.features):
        labels = stream.y[start : start + len(rows)]
        t = 0
        while t < len(rows):
            if gap < DENSE:
                stop, updates = min(len(rows), t + STRETCH), len(game.updates)
                for at in range(t, stop):
                    game.round(rows[at], int(labels[at]))
                gap, t = (stop - t) / (len(game.updates) - updates + 0.5), stop
                continue
            stop = t + 1 + int(math.sqrt(gap * look))
            scores = products(rows[t:stop], learner.weights)
            wanted = learner.wants_update(scores, labels[t:stop])
            ahead = int(wanted.argmax()) if wanted.any() else len(wanted)
            game.extend(labels[t : t + ahead])
            t += ahead
            gap = max(gap, ahead) if ahead == len(wanted) else 0.8 * gap + 0.2 * ahead
            if ahead < len(wanted):
                game.round(rows[t], int(labels[t]))
                t += 1


def _sparse_gallop(game: Game, learner: Linear, stream: Stream) -> None:
    """The same for sparse rows, whose sums are certain up to rounding.

    Where they are not, the learner is asked with the dense row.
    """
    gap, look, game_of = 16.0, 2000.0, _Touching(game, learner, stream)
    for start, part in _checks.chunks(stream.X):
        _checks.rows(part, learner.features, start)
        labels = stream.y[start : start + part.shape[0]]
        t = 0
        while t < part.shape[0]:
            block = part[t : t + 1 + int(math.sqrt(gap * look))]
            scores = block @ game_of.weights
            sizes = abs(block) @ np.abs(game_of.weights)
            wanted = learner.wants_update(scores, labels[t : t + len(scores)])
            doubt = ~_certain(learner, scores, sizes, labels[t : t + len(scores)])
            stops = wanted | doubt
            ahead = int(stops.argmax()) if stops.any() else len(stops)
            game.extend(labels[t : t + ahead])
            t += ahead
            gap = max(gap, ahead) if ahead == len(stops) else 0.8 * gap + 0.2 * ahead
            if ahead == len(stops):
                continue
            predicted, wants = int(learner.decide(scores[ahead])), bool(wanted[ahead])
            if doubt[ahead] and not game_of.exact(start + t, sizes[ahead]):
                predicted, wants = game_of.ask(start + t)
            if wants:
                game_of.update(start + t)
            game.extend(np.int8([predicted]), [0] * wants)
            t += 1
    game_of.close()


def _certain(learner: Any, scores: Vector, sizes: Vector, labels: Any) -> Any:
    """Say where rounding cannot change the prediction or the rule."""
    tau = getattr(learner, "thickness", 0.0)
    distance = labels * (scores - learner.threshold)
    room = sizes + abs(learner.threshold) + tau
    band = np.finfo(float).eps * (learner.n + 4) * room
    return (np.abs(distance) > band) & (np.abs(distance - tau) > band)


class _Touching:
    """A linear learner in a game of sparse rows, or one whose weights are moved here.

    `weights` (and `state`) belong to the game until it is closed; the learner is
    brought up to date only where its hooks are to see it.
    """

    def __init__(self, game: Game, learner: Linear, stream: Stream) -> None:
        self.game, self.learner, self.stream = game, learner, stream
        self.sparse = _checks.is_sparse(stream.X) and touches(learner)
        self.adds = adds(learner)
        self.mine = self.sparse or self.adds
        self.load()

    def load(self) -> None:
        """Take the state and the weights from the learner."""
        self.weights = np.array(self.learner.weights)
        self.state = self.weights if self.adds else self.learner.state.copy()

    def close(self) -> None:
        """Give the state back to the learner."""
        if self.mine:
            self.learner.state = self.state.copy()

    def exact(self, t: int, size: float) -> bool:
        """Say whether no sum of this row is rounded: there are only whole numbers."""
        at, values = self.entries(t)
        both = np.append(values, self.weights[at])
        return bool(size == 0 or (size < 2.0**53 and (both == np.floor(both)).all()))

    def entries(self, t: int) -> tuple[Any, Vector]:
        """Return where row t is active, and the values there."""
        X = self.stream.X
        entries = slice(X.indptr[t], X.indptr[t + 1])
        return X.indices[entries], X.data[entries].astype(float)

    def ask(self, t: int) -> tuple[int, bool]:
        """Ask the learner itself: its prediction in round t, and whether to update."""
        self.close()
        row = self.stream.row(t)
        _checks.rows(row[None], self.learner.features, t)
        label = int(self.stream.y[t])
        return self.game.ask(_checks.as_floats(row), label, t)[1:]

    def update(self, t: int) -> None:
        """Let the learner update in round t, on the active features if that will do."""
        learner, label = self.learner, int(self.stream.y[t])
        learner.rounds = self.game.before.rounds + t
        if self.sparse:
            at, values = self.entries(t)
            self.state[at] = learner.step(self.state[at], values, label)
            if not self.adds:
                self.weights[at] = learner.link(self.state[at])
        else:
            self.close()
            learner.update(_checks.as_floats(self.stream.row(t)), label)
            self.load()


def _vote(game: Game, stream: Stream) -> None:
    """Play experts: the weights of every round follow from a running count."""
    learner: Any = game.learner
    compiled = _compiled_gear(stream.X) and not _checks.is_sparse(stream.X)
    size = LONG if compiled else _checks.CHUNK // 4
    step = max(1, size // stream.n)
    for start in range(0, len(stream), step):
        part, labels = stream.X[start : start + step], stream.y[start : start + step]
        _checks.rows(part, learner.features, start)
        scores = (_compiled_votes if compiled else _votes)(learner, part, labels)
        chances = learner.error_chance(scores, labels) if learner.randomized else ()
        game.extend(learner.decide(scores), np.arange(len(scores)), chances)


def _votes(learner: Any, part: Any, labels: NDArray[np.int8]) -> Vector:
    """Return the scores of these rounds; the learner counts their mistakes."""
    rows = _checks.as_floats(part)
    losses = learner.state + np.cumsum(rows != labels[:, None], axis=0)
    weights = learner.link(np.vstack([learner.state, losses[:-1]]))
    learner.state = losses[-1].copy()
    return np.asarray((rows * weights).sum(axis=1) / weights.sum(axis=1))


# --------------------------------------------------------------------- compiled


def _compiled_votes(learner: Any, part: Any, labels: NDArray[np.int8]) -> Vector:
    """The same, in one pass over the rows."""
    from olc import _compiled

    rows, scores = _readable(part), np.empty(len(labels))
    losses, beta, t = learner.state.copy(), 1 - learner.eta, 0
    while t < len(labels):
        forgiven, most = spared(beta, losses)
        limit = int(forgiven[0]) + most
        if losses.max() - forgiven[0] + len(labels) > LONGEST:
            learner.state = losses
            for _, rest in _checks.chunks(part[t:], _checks.CHUNK // 4):
                scores[t : t + len(rest)] = _votes(
                    learner, rest, labels[t : t + len(rest)]
                )
                t += len(rest)
            return scores
        weights = decayed(beta, losses)
        t = _compiled.vote(rows, labels, t, weights, losses, limit, beta, scores)
    learner.state = losses
    return scores


def _scan(game: Game, learner: Linear, stream: Stream) -> None:
    """Let a kernel run to each update, or to the end where it can update itself."""
    from olc import _compiled

    moving, sparse = _Touching(game, learner, stream), _checks.is_sparse(stream.X)
    single = stream.X.dtype in SINGLE and stream.n <= _compiled.WIDEST
    check = _compiled.CHECKS[learner.features]
    for start, part in _checks.chunks(stream.X, LONG):
        labels = stream.y[start : start + part.shape[0]]
        predictions, updates = labels.copy(), np.empty(len(labels), np.int64)
        t = count = 0
        while True:
            rule = (*_rule(learner), check, float(learner.rate), moving.adds)
            notes = predictions, updates, count
            if sparse:
                rows = _readable(part.data), part.indices, part.indptr
                go = rows, labels, t, moving.weights
                t, certain, count = _compiled.scan_sparse(*rows, *go[1:], *rule, *notes)
            else:
                narrow = moving.weights[: stream.n * single].astype(np.float32)
                go = _readable(part), labels, t, moving.weights, narrow
                t, certain, count = _compiled.scan(*go, *rule, *notes)
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
    moving.close()


def _rule(learner: Any) -> tuple[float, float, bool, bool]:
    """Return θ, τ, whether τ counts, and whether a score of θ is a prediction."""
    thick = _has(learner, "wants_update", Thick.wants_update)
    at_threshold = _has(learner, "decide", Threshold.decide)
    tau = float(learner.thickness) if thick else 0.0
    return float(learner.threshold), tau, thick, at_threshold


def _readable(part: Any) -> Any:
    """Return rows in memory order, as a kernel reads them."""
    rows = np.ascontiguousarray(part)
    return rows.view(np.uint8) if rows.dtype == np.bool_ else rows
