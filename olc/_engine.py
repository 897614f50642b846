"""How `play` is fast and still gives the trace of the plain loop, to the last tie.

A learner that changes only at a mistake lets a block of coming rounds be scored in
one product: jump to the first mistake, update, go on from there (`_gallop`). A
block product and a single inner product differ in their last bits, so a score within
the rounding band of a boundary is computed again, alone, as the loop computes it.
Majority learners change in every round; they are played eight rounds at a time, an
expert's eight hits and misses being one byte (`_eights`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from olc import _checks
from olc.game import Learner, Linear, Stream, Trace, Vector, make_trace, play
from olc.weighted_majority import Majority

Outcome = tuple[NDArray[np.int8], Any, Vector | None]

HALF_TIME = 12_000  #: elements whose product takes as long as the Python around it
CROWD = 256  #: rounds to play one by one where mistakes are dense
CEILING = 1e30  #: beyond it single precision might overflow

_vecdot = getattr(np, "vecdot", lambda a, b: np.einsum("ij,ij->i", a, b))


def run(learner: Learner, stream: Stream) -> Outcome:
    """Play all rounds; return predictions, rounds of the updates, error chances."""
    if isinstance(learner, Linear):
        return _gallop(learner, stream)
    if isinstance(learner, Majority):
        return _eights(learner, stream)
    return _loop(learner, stream)


def _loop(learner: Learner, stream: Stream) -> Outcome:
    """Play round by round; each chunk is checked before it is played."""
    predictions, updates = np.empty(len(stream), np.int8), []
    first = learner.rounds
    for start, part in _checks.chunks(stream.X):
        _checks.rows(part, learner.features, start)
        for t, x in enumerate(_checks.as_floats(part), start):
            label, learner.rounds = int(stream.y[t]), first + t
            score = learner._score(x)
            predictions[t] = learner._decide(score)
            if learner._wants_update(score, label):
                learner._update(x, label)
                updates.append(t)
    return predictions, updates, None


# --------------------------------------------------------------- mistake-driven


def _gallop(learner: Linear, stream: Stream) -> Outcome:
    """Jump from mistake to mistake.

    A round whose y·(score - threshold) is certainly above the margin was predicted
    right and changes nothing, so only the other rounds are looked at.
    """
    game = _Gallop(learner, stream)
    for start, block, radius in _blocks(stream, learner.features):
        game.play(start, block, radius)
    return game.predictions, game.updates, None


def _blocks(stream: Stream, features: str) -> Iterator[tuple[int, Any, float]]:
    """Yield (first row, rows as floats, a bound on their lengths), checked.

    Small types become float32, which holds them exactly; what is already float32 or
    float64 in memory order is used where it lies. A radius that the stream knows
    already vouches for its real features, and no pass is needed.
    """
    X, known = stream.X, stream.__dict__.get("radius", math.nan)
    whole = X.dtype.kind in "biu"
    small = X.dtype.kind == "b" or np.can_cast(X.dtype, np.float32)
    dtype = np.dtype(np.float32 if small else np.float64)
    in_place = X.dtype == dtype and X.flags.c_contiguous
    if in_place and features == "real" and math.isfinite(known):
        yield 0, X, known
        return
    rows = max(1, _checks.CHUNK // X.shape[1])
    buffer = np.empty((0 if in_place else min(rows, len(X)), X.shape[1]), dtype)
    for start, part in _checks.chunks(X):
        if features != "real":
            _checks.rows(part, features, start)
        length = known
        if features != "real":
            length = math.sqrt(X.shape[1])
        elif math.isnan(known) and whole:
            peak = max(abs(int(part.min())), abs(int(part.max())))
            length = peak * math.sqrt(X.shape[1])
        if not in_place:
            np.copyto(buffer[: len(part)], part)
            part = buffer[: len(part)]
        if math.isnan(length):
            with np.errstate(over="ignore", invalid="ignore"):
                length = math.sqrt(float(_vecdot(part, part).max()))
        if not math.isfinite(length):  # not a number, infinite, or merely huge
            _checks.rows(part, "real", start)
            length = _checks.largest_norm(part)
        yield start, part, length


class _Gallop:
    """The state of a game that jumps from mistake to mistake."""

    def __init__(self, learner: Linear, stream: Stream) -> None:
        self.learner, self.y = learner, stream.y
        self.first = learner.rounds
        self.predictions = stream.y.copy()
        self.updates: list[int] = []
        self.gap = 64.0  # moving average of the rounds between two updates
        self.clean = 0  # rounds since the last one

    def play(self, start: int, block: Any, radius: float) -> None:
        """Play the rounds of one block of rows."""
        learner, n, end = self.learner, self.learner.n, len(block)
        labels = self.y[start : start + end].astype(block.dtype)
        threshold, dense = learner.threshold, 5 + n / 2000
        rows_at_par = 2 * HALF_TIME / n
        w, limit = self.fit(block.dtype, radius)
        t = 0
        while t < end:
            gap = max(self.gap, self.clean)
            if gap < dense or w is None:
                t, self.clean = self.crowd(start, t, block), 0
                w, limit = self.fit(block.dtype, radius)
                continue
            stop = t + 1 + int(math.sqrt(rows_at_par * gap))
            signed = block[t:stop] @ w
            if threshold:
                signed -= threshold
            signed *= labels[t:stop]
            suspects = (signed <= limit).nonzero()[0]
            for i in suspects:
                if self.round(start + t + int(i), _checks.as_floats(block[t + i])):
                    self.gap += 0.2 * (self.clean + int(i) + 1 - self.gap)
                    self.clean, t = 0, t + int(i) + 1
                    w, limit = self.fit(block.dtype, radius)
                    break
            else:
                self.clean += min(stop, end) - t
                t = stop

    def fit(self, dtype: Any, radius: float) -> tuple[Any, float]:
        """Return the weights for scoring, and the highest score that is in doubt.

        No weights are returned where single precision might overflow.
        """
        learner, weights = self.learner, self.learner._weights
        size = math.sqrt(weights @ weights) * radius
        offset = abs(learner.threshold) + abs(learner.margin)
        if not size + offset + radius < CEILING:
            return None, math.inf
        epsilon, tiny = _ROUNDING[dtype]
        band = epsilon * ((learner.n + 4) * size + 2 * offset)
        band += tiny * learner.n * radius  # what underflow may hide
        return weights.astype(dtype, copy=False), learner.margin + band

    def round(self, t: int, x: Vector) -> bool:
        """Play one round as the loop does; say whether the learner changed.

        Off the boundaries the sign of y·(score - threshold) says it all.
        """
        learner, label = self.learner, int(self.y[t])
        score = x @ learner._weights
        signed = label * (score - learner.threshold)
        if signed > learner.margin:
            return False
        if signed == 0 or signed == learner.margin:
            self.predictions[t] = learner._decide(score)
            if not learner._wants_update(score, label):
                return False
        elif signed < 0:
            self.predictions[t] = -label
        self.updates.append(t)
        learner.rounds = self.first + t
        learner._update(x, label)
        return True

    def crowd(self, start: int, t: int, block: Any) -> int:
        """Play rounds one by one where mistakes are dense; return the next round."""
        stop = min(len(block), t + CROWD)
        before = len(self.updates)
        for i, x in enumerate(_checks.as_floats(block[t:stop]), start + t):
            self.round(i, x)
        self.gap = (stop - t) / (len(self.updates) - before + 0.5)
        return stop


_ROUNDING = {
    np.dtype(kind): (float(np.finfo(kind).eps), float(np.finfo(kind).tiny))
    for kind in (np.float32, np.float64)
}


# ------------------------------------------------------------- majority learners

_BITS = (np.arange(256)[:, None] >> np.arange(8)) & 1
_BEFORE = np.cumsum(_BITS, axis=1) - _BITS  # misses in the earlier rounds of a byte


def _eights(learner: Majority, stream: Stream) -> Outcome:
    """Play eight rounds at a time.

    The experts are sorted by their byte of hits and misses; the 256 sums of weights
    and one table give the vote of each of the eight rounds.
    """
    beta, n, first = 1 - learner.eta, learner.n, learner.rounds
    mass = beta**_BEFORE
    table = np.hstack([mass * (1 - 2 * _BITS), mass])
    shrink = beta ** _BITS.sum(axis=1)
    # refresh the weights from the exact counts before they shrink too far
    bytes_a_time = int(np.clip(460 / (8 * -math.log(beta)), 1, 1 << 10))
    rows = 8 * min(bytes_a_time, max(1, _checks.CHUNK // (8 * n)))
    band = np.finfo(float).eps * (n + 4 * rows + 64)
    predictions = np.empty(len(stream), np.int8)
    chances = np.empty(len(stream))
    for start in range(0, len(stream), rows):
        part, y = stream.X[start : start + rows], stream.y[start : start + rows]
        _checks.rows(part, learner.features, start)
        missed = np.zeros((-(-len(y) // 8) * 8, n), np.bool_)
        np.not_equal(part, y[:, None], out=missed[: len(y)])
        octets = np.packbits(missed.reshape(-1, 8, n), axis=1, bitorder="little")[:, 0]
        weights = learner._relative()
        sums = np.empty((len(octets), 256))
        for row, octet in enumerate(octets):
            sums[row] = np.bincount(octet, weights, 256)
            weights *= shrink[octet]
        votes, totals = np.hsplit(sums @ table, 2)
        score = (votes / totals).ravel()[: len(y)] * y
        learner.rounds = first + start
        doubts = learner._doubtful(score, band)
        for t in doubts:
            now = learner.losses + missed[:t].sum(axis=0)
            score[t] = learner._vote(_checks.as_floats(part[t]), now)
        predictions[start : start + len(y)] = learner._decide(score)
        if learner.randomized:
            chances[start : start + len(y)] = learner._error_chance(score, y)
        learner.losses = learner.losses + missed.sum(axis=0)
    expected = chances if learner.randomized else None
    return predictions, np.arange(len(stream)), expected


# ------------------------------------------------------------- many games at once


def in_step(learners: list[Learner]) -> bool:
    """Say whether these learners differ in nothing but their weights."""
    return bool(learners) and all(
        isinstance(learner, Linear)
        and type(learner)._update is Linear._update
        and type(learner) is type(learners[0])
        and repr(learner) == repr(learners[0])
        for learner in learners
    )


def lockstep(learners: list[Any], games: list[Stream]) -> list[Trace]:
    """Play round t of every game before round t + 1 of any."""
    model, together = learners[0], min(map(len, games))
    state = np.stack([learner.state for learner in learners])
    weights = np.stack([learner._weights for learner in learners])
    labels = np.stack([game.y[:together] for game in games], axis=1).astype(float)
    predictions = labels.astype(np.int8)
    updates: list[list[int]] = [[] for _ in games]
    lengths = np.linalg.norm(weights, axis=1)
    eps = float(np.finfo(float).eps)
    size = max(1, 4 * _checks.CHUNK // (len(games) * model.n))
    for start in range(0, together, size):
        stop = min(together, start + size)
        for game in games:
            _checks.rows(game.X[start:stop], model.features, start)
        cube = np.stack([g.X[start:stop] for g in games], axis=1, dtype=float)
        radius = math.sqrt(float(np.einsum("tgn,tgn->tg", cube, cube).max()))
        for t, (rows, y) in enumerate(zip(cube, labels[start:stop], strict=True)):
            scores = np.einsum("gn,gn->g", weights, rows)
            signed = y * (scores - model.threshold)
            band = eps * ((model.n + 4) * radius * lengths + 2 * abs(model.threshold))
            low = np.flatnonzero(signed <= model.margin + band)
            if not len(low):
                continue
            moved = []
            for game in low.tolist():
                score = rows[game] @ weights[game]
                predictions[start + t, game] = model._decide(score)
                if model._wants_update(score, int(y[game])):
                    moved.append(game)
                    updates[game].append(start + t)
            state[moved] = model._step(state[moved], rows[moved], y[moved, None])
            weights[moved] = model._link(state[moved])
            lengths[moved] = np.linalg.norm(weights[moved], axis=1)
    traces = []
    for g, (learner, game) in enumerate(zip(learners, games, strict=True)):
        before = type(learner).__new__(type(learner))
        before.__dict__ = dict(learner.__dict__)
        learner._set(state[g])
        learner.rounds += together
        tail = play(learner, game[together:])
        predicted = np.concatenate([predictions[:, g], tail.predictions])
        changed = np.concatenate([updates[g], tail.updates + together])
        traces.append(make_trace(before, game, predicted, changed))
    return traces
