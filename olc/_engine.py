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
from itertools import count, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from olc import _checks
from olc.game import Learner, Linear, Stream, Trace, Vector, make_trace, play
from olc.normalized_winnow import NormalizedWinnow
from olc.perceptron import Perceptron
from olc.weighted_majority import Majority

Outcome = tuple[NDArray[np.int8], Any, Vector | None]

BLOCK = 1 << 19  #: elements to check or to cast at a time: they stay in a cache
HALF_TIME = 20_000  #: elements whose product takes as long as the Python around it
CROWD = 64  #: rounds to play one by one where mistakes are dense, then twice as many
DENSE = 5  #: rounds between two mistakes below which they are dense
TOGETHER = 4096  #: elements whose lengths are measured as one
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


class Block(NamedTuple):
    """Rows in memory order, with what bounds them."""

    start: int  #: the round of the first row
    rows: Any  #: float32 or float64
    radius: float  #: no row is longer
    peak: float = math.inf  #: no entry is larger


def _gallop(learner: Linear, stream: Stream) -> Outcome:
    """Jump from mistake to mistake.

    A round whose y·(score - threshold) is certainly above the margin was predicted
    right and changes nothing, so only the other rounds are looked at.
    """
    game = _Gallop(learner, stream)
    for block in _blocks(stream, learner.features):
        game.play(block)
    return game.outcome()


def _blocks(stream: Stream, features: str) -> Iterator[Block]:
    """Yield all rows, checked.

    Small types become float32, which holds them exactly; what is already float32 or
    float64 in memory order is used where it lies. Integers are bounded by their type,
    and a radius that the stream knows already vouches for its real features: no
    second look is needed.
    """
    X, known = stream.X, stream.__dict__.get("radius", math.nan)
    n, kind = X.shape[1], X.dtype.kind
    small = kind == "b" or np.can_cast(X.dtype, np.float32)
    dtype = np.dtype(np.float32 if small else np.float64)
    in_place = X.dtype == dtype and X.flags.c_contiguous
    peak = math.inf
    if features != "real" or kind == "b":
        peak = 1.0
    elif kind in "iu":
        peak = float(max(-np.iinfo(X.dtype).min, np.iinfo(X.dtype).max))
    radius = known if math.isfinite(known) else peak * math.sqrt(n)
    if in_place and features == "real" and math.isfinite(known):
        yield Block(0, X, known)
        return
    rows = max(1, BLOCK // n)
    buffer = np.empty((0 if in_place else min(rows, len(X)), n), dtype)
    for start in range(0, len(X), rows):
        part = X[start : start + rows]
        if features != "real":
            _checks.rows(part, features, start)
        if not in_place:
            np.copyto(buffer[: len(part)], part)
            part = buffer[: len(part)]
        length = radius if math.isfinite(radius) else _longest(part)
        if not length <= _checks.LARGEST:  # not a number, infinite, or merely huge
            _checks.rows(part, "real", start)
            length = _checks.largest_norm(part)
        yield Block(start, part, length, peak)


def _longest(rows: Any) -> float:
    """Bound the length of the rows; a few short ones are measured as one."""
    n = rows.shape[1]
    together = max(1, TOGETHER // n)
    whole = len(rows) // together * together
    lengths = [0.0]
    with np.errstate(over="ignore", invalid="ignore"):
        for part in rows[:whole].reshape(-1, together * n), rows[whole:]:
            if len(part):
                lengths.append(float(_vecdot(part, part).max()))
    lost = together * n * _ROUNDING[rows.dtype][1]  # squares that underflow
    return math.nan if math.isnan(sum(lengths)) else math.sqrt(max(lengths) + lost)


class _Gallop:
    """The state of a game that jumps from mistake to mistake.

    Two learners are moved in place, with the same bits: the Perceptron, whose length
    is bounded by ‖w + yx‖² = ‖w‖² + 2y⟨w, x⟩ + ‖x‖², and normalised Winnow, whose
    length is at most 1.
    """

    def __init__(self, learner: Linear, stream: Stream) -> None:
        self.learner, self.y = learner, stream.y
        self.first = learner.rounds
        self.updates: list[int] = []
        self.decided: dict[int, int] = {}  # predictions that only a close look gave
        self.gap = 1.0  # moving average of the rounds between two updates
        self.clean = 0  # rounds since the last one
        kind, adds = type(learner), _adds(learner)
        alone = kind._update is Linear._update
        self.adds = alone and adds and getattr(learner, "rate", 0) == 1
        self.multiplies = (
            alone
            and kind._step is NormalizedWinnow._step
            and kind._link is NormalizedWinnow._link
        )
        self.eta = getattr(learner, "eta", math.nan)
        if self.adds or self.multiplies:
            learner._set(learner.state.copy())
        whole = stream.X.dtype.kind in "biu"
        self.exact = whole and _whole(learner, learner.state)

    def outcome(self) -> Outcome:
        """An update means a wrong prediction, unless a close look said otherwise."""
        predictions = self.y.copy()
        predictions[self.updates] *= -1
        for t, prediction in self.decided.items():
            predictions[t] = prediction
        return predictions, self.updates, None

    def play(self, block: Block) -> None:
        """Play the rounds of one block of rows."""
        start, rows, end = block.start, block.rows, len(block.rows)
        labels = self.y[start : start + end].astype(rows.dtype)
        threshold, dense = self.learner.threshold, DENSE + math.sqrt(self.learner.n) / 4
        rows_at_par = 2 * HALF_TIME / self.learner.n
        band = _Band(self.learner, block, self.exact)
        gap, clean, crowd = self.gap, self.clean, CROWD
        length = self.length()
        weights, limit = self.fit(band, length)
        t = 0
        while t < end:
            expected = gap if gap > clean else clean
            if expected < dense or weights is None:
                stop = min(end, t + crowd)
                crowd = min(2 * crowd, 8 * CROWD)
                gap, clean = self.crowd(block, t, stop, expected), 0
                length = self.length()
                weights, limit = self.fit(band, length)
                t = stop
                continue
            crowd, stop = CROWD, t + 1 + int(math.sqrt(rows_at_par * expected))
            signed = rows[t:stop].dot(weights)
            if threshold:
                signed -= threshold
            signed *= labels[t:stop]
            if signed[signed.argmin()] > limit:
                clean += len(signed)
                t = stop
                continue
            vain = False
            for i in (signed <= limit).nonzero()[0].tolist():
                if signed[i] < -limit:
                    self.learn(start + t + i, rows[t + i])
                elif not self.look(start + t + i, rows[t + i]):
                    vain = True
                    continue
                gap += 0.2 * (clean + i + 1 - gap)
                clean, t = 0, t + i + 1
                if self.adds and band.peak == math.inf:
                    length = math.sqrt(length**2 + 4 * limit + band.radius**2)
                else:
                    length = self.length()
                break
            else:
                clean += len(signed)
                t = stop
            if vain and band.peak < math.inf:  # the bound of the type is too wide
                measured = Block(start, rows, _longest(rows))
                band = _Band(self.learner, measured, self.exact)
            weights, limit = self.fit(band, length)
        self.gap, self.clean = gap, clean

    def length(self) -> float:
        """Bound the length of the weights, squares that underflow included."""
        weights = self.learner._weights
        return math.sqrt(weights.dot(weights) + len(weights) * _TINY)

    def fit(self, band: _Band, length: float) -> tuple[Any, Any]:
        """Return the weights for scoring, and the highest score that is in doubt.

        No weights are returned where single precision might overflow.
        """
        limit, weights = band.limit(length), self.learner._weights
        if limit == math.inf:
            return None, limit
        return weights.astype(band.dtype, copy=False), limit

    def learn(self, t: int, x: Any) -> None:
        """Let the learner change."""
        learner, label = self.learner, self.y[t]
        self.updates.append(t)
        if self.adds:
            (np.add if label > 0 else np.subtract)(learner.state, x, learner.state)
        elif self.multiplies:
            learner.state += self.eta * int(label) * _checks.as_floats(x)
            self.settle()
        else:
            learner.rounds = self.first + t
            learner._update(_checks.as_floats(x), int(label))

    def settle(self) -> None:
        """Let the weights of normalised Winnow follow its state."""
        state, weights = self.learner.state, self.learner._weights
        np.exp(np.subtract(state, state[state.argmax()], weights), weights)
        weights /= np.add.reduce(weights)

    def look(self, t: int, x: Any) -> bool:
        """Play a round in doubt as the loop does; say whether the learner changed."""
        learner, label = self.learner, int(self.y[t])
        score = learner._score(_checks.as_floats(x))
        prediction = learner._decide(score)
        changes = learner._wants_update(score, label)
        if prediction != (-label if changes else label):
            self.decided[t] = int(prediction)
        if changes:
            self.learn(t, x)
        return bool(changes)

    def crowd(self, block: Block, t: int, stop: int, gap: float) -> float:
        """Play rounds one by one where mistakes are dense; return their distance.

        `gap` is the distance that is expected.
        """
        learner, learned, first = self.learner, self.updates.append, block.start + t
        rows = _checks.as_floats(block.rows[t:stop])
        labels = self.y[first : block.start + stop].tolist()
        before, weights = len(self.updates), learner._weights
        margin, threshold = learner.margin, learner.threshold
        limit = margin + 4 * _EPSILON * (margin + abs(threshold))
        score_of: Any = learner._score
        if self.adds or self.multiplies:  # the last bits of dot and @ may differ
            reach = self.length() + len(rows) * block.radius if self.adds else 1.0
            limit = _Band(learner, block._replace(rows=rows), self.exact).limit(reach)
            score_of = weights.dot
        high, low = threshold + limit, threshold - limit
        if self.adds:
            for i, x, label in zip(count(first), rows, labels):
                score = score_of(x)
                if label > 0:
                    if score > high:
                        continue
                    if score < low:
                        weights += x
                        learned(i)
                        continue
                else:
                    if score < low:
                        continue
                    if score > high:
                        weights -= x
                        learned(i)
                        continue
                self.look(i, x)
        else:
            state: Any = learner.state
            moves: Any = repeat(None)
            if self.multiplies and gap < 3:  # most moves will be needed
                moves = self.eta * rows
            for i, x, move, label in zip(count(first), rows, moves, labels):
                score = score_of(x)
                if score > high if label > 0 else score < low:
                    continue
                if low <= score <= high:
                    self.look(i, x)
                elif self.multiplies:
                    learned(i)
                    move = self.eta * x if move is None else move
                    (np.add if label > 0 else np.subtract)(state, move, state)
                    self.settle()
                else:
                    self.learn(i, x)
        return (stop - t) / (len(self.updates) - before + 0.5)


class _Band:
    """How far a score of a block may be from that of the loop."""

    def __init__(self, learner: Linear, block: Block, exact: bool) -> None:
        self.learner, self.dtype = learner, block.rows.dtype
        self.radius, self.peak = block.radius, block.peak
        epsilon, tiny = _ROUNDING[self.dtype]
        offset = abs(learner.threshold) + learner.margin
        self.slope = epsilon * (learner.n + 4)
        # the last term is what underflow may hide
        self.least = learner.margin + 2 * epsilon * offset
        self.least += tiny * learner.n * (1 + self.radius)
        self.ceiling = CEILING - offset - self.radius
        self.whole = 0.5 / epsilon if exact else -1.0

    def limit(self, length: float) -> float:
        """Return the highest score in doubt for weights of at most this length."""
        size = length * self.radius
        if size < self.whole:
            return self.learner.margin
        if self.peak < math.inf:
            size = min(size, float(np.abs(self.learner._weights).sum()) * self.peak)
        if max(size, length) < self.ceiling:
            return self.least + self.slope * size
        return math.inf


_DOUBLE = np.dtype(np.float64)
_ROUNDING = {
    np.dtype(kind): (float(np.finfo(kind).eps), float(np.finfo(kind).tiny))
    for kind in (np.float32, np.float64)
}
_EPSILON, _TINY = _ROUNDING[_DOUBLE]


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
    rate = max(-math.log(beta), 1e-3)
    bytes_a_time = int(np.clip(460 / (8 * rate), 1, 1 << 10))
    rows = 8 * min(bytes_a_time, max(1, BLOCK // (8 * n)))
    band = np.finfo(float).eps * (n + 4 * rows + 64)
    predictions = np.empty(len(stream), np.int8)
    chances = np.empty(len(stream))
    for start in range(0, len(stream), rows):
        part, y = stream.X[start : start + rows], stream.y[start : start + rows]
        _checks.rows(part, learner.features, start)
        missed = np.zeros((-(-len(y) // 8) * 8, n), np.bool_)
        np.not_equal(part, y[:, None], out=missed[: len(y)])
        octets = _octets(missed)
        weights = learner._relative()
        sums = np.empty((len(octets), 256))
        for row, octet in enumerate(octets):
            sums[row] = np.bincount(octet, weights, 256)
            weights *= shrink.take(octet)
        ballots = sums @ table
        score = (ballots[:, :8] / ballots[:, 8:]).ravel()[: len(y)] * y
        learner.rounds = first + start
        doubts = learner._doubtful(score, band)
        for t in doubts:
            now = learner.losses + _tally(missed[:t])
            score[t] = learner._vote(_checks.as_floats(part[t]), now)
        predictions[start : start + len(y)] = learner._decide(score)
        if learner.randomized:
            chances[start : start + len(y)] = learner._error_chance(score, y)
        learner.losses = learner.losses + _tally(missed)
    expected = chances if learner.randomized else None
    return predictions, np.arange(len(stream)), expected


def _octets(missed: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return each expert's misses in eight rounds as one number, the first lowest."""
    bits = missed.view(np.uint8).reshape(-1, 8, missed.shape[1])
    octets = bits[:, 7].copy()
    for earlier in range(6, -1, -1):
        octets += octets
        octets |= bits[:, earlier]
    return octets.astype(np.intp)


def _tally(missed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the misses of each expert, in bytes as far as they reach."""
    total = np.zeros(missed.shape[1], np.int64)
    for start in range(0, len(missed), 255):
        part = missed[start : start + 255].view(np.uint8)
        total += np.add.reduce(part, axis=0, dtype=np.uint8)
    return total


# ------------------------------------------------------------- many games at once


def in_step(learners: list[Learner]) -> bool:
    """Say whether these learners differ in nothing but their weights."""
    if not learners:
        return False
    kind, name = type(learners[0]), repr(learners[0])
    return (
        issubclass(kind, Linear)
        and kind._update is Linear._update
        and kind._score is Linear._score
        and all(type(learner) is kind for learner in learners)
        and all(repr(learner) == name for learner in learners)
    )


def lockstep(learners: list[Any], games: list[Stream]) -> list[Trace]:
    """Play round t of every game before round t + 1 of any."""
    together = min(map(len, games))
    pack = _Pack(learners, games)
    size = max(1, 2 * BLOCK // (len(games) * pack.model.n))
    for start in range(0, together, size):
        pack.play(start, min(together, start + size))
    predictions = np.concatenate(pack.predictions).T.copy()
    moved = np.concatenate(pack.moved).T.copy()
    traces = []
    for g, (learner, game) in enumerate(zip(learners, games, strict=True)):
        before = object.__new__(type(learner))
        before.__dict__ = dict(learner.__dict__)
        learner._set(pack.state[g].astype(float))
        learner.rounds += together
        predicted, changed = predictions[g], moved[g].nonzero()[0]
        if len(game) > together:
            tail = play(learner, game[together:])
            predicted = np.concatenate([predicted, tail.predictions])
            changed = np.concatenate([changed, tail.updates + together])
        traces.append(make_trace(before, game, predicted, changed))
    return traces


class _Pack:
    """Games in lockstep: one row of weights for each of them."""

    def __init__(self, learners: list[Any], games: list[Stream]) -> None:
        self.model, self.games = learners[0], games
        self.state = np.stack([learner.state for learner in learners])
        self.weights = np.stack([learner._weights for learner in learners])
        self.predictions: list[Any] = [np.empty((0, len(games)), np.int8)]
        self.moved: list[Any] = [np.empty((0, len(games)), np.bool_)]
        self.adds = _adds(self.model)
        kind = type(self.model)
        self.whole = (
            all(game.X.dtype.kind in "biu" for game in games)
            and _whole(self.model, self.state)
            # exact scores say all only where the sign of the score decides
            and kind._decide is Learner._decide
            and kind._wants_update is Learner._wants_update
        )

    def play(self, start: int, stop: int) -> None:
        """Play these rounds of all games."""
        model, n, threshold = self.model, self.model.n, self.model.threshold
        for game in self.games:
            _checks.rows(game.X[start:stop], model.features, start)
        cube = np.stack([game.X[start:stop] for game in self.games], axis=1)
        labels = np.stack([game.y[start:stop] for game in self.games], axis=1)
        exact, radius, limit = False, 0.0, model.margin
        dtype: Any = np.float64
        if self.whole:  # sums that stay small are exact, even in single precision
            peak = max(abs(int(cube.min())), abs(int(cube.max())))
            most = float(np.abs(self.weights).max()) + model.rate * peak * len(cube)
            exact = n * peak * most < 0.5 / _EPSILON
            dtype = np.float32 if n * peak * most < 1 << 24 else np.float64
        self.weights = weights = self.weights.astype(dtype, copy=False)
        if self.adds:
            self.state = weights
        if not exact:
            radius = _longest(cube.reshape(-1, n).astype(dtype, copy=False))
            limit = self.limits(radius, slice(None))
        y = labels.astype(dtype)
        scores, moved = np.empty_like(y), np.zeros(y.shape, np.bool_)
        for t, block in enumerate(cube):
            rows = block.astype(dtype, copy=False)
            score = _vecdot(rows, weights)
            signed = (score - threshold if threshold else score) * y[t]
            low = signed <= limit
            if not exact and low[low.argmax()]:
                for g in (low & (signed >= -limit)).nonzero()[0].tolist():
                    score[g] = rows[g] @ weights[g]
                    low[g] = model._wants_update(score[g], int(labels[t, g]))
            games = low.nonzero()[0]
            if len(games):
                moved[t] = low
                self.step(games, rows, y[t])
                if not exact:
                    limit[games] = self.limits(radius, games)
            scores[t] = score
        self.predictions.append(model._decide(scores))
        self.moved.append(moved)

    def step(self, games: Any, rows: Any, y: Any) -> None:
        """Move these games, each of them by its own row."""
        x, y = rows.take(games, axis=0), y.take(games)[:, None]
        state = self.model._step(self.state.take(games, axis=0), x, y)
        self.state[games] = state
        if self.weights is not self.state:
            self.weights[games] = self.model._link(state)

    def limits(self, radius: float, games: Any) -> Any:
        """Return the highest score in doubt in each of these games."""
        model, weights = self.model, self.weights[games]
        lengths = np.sqrt(_vecdot(weights, weights) + model.n * _TINY)
        band = (model.n + 4) * radius * lengths
        band += 2 * (abs(model.threshold) + model.margin)
        return model.margin + _EPSILON * band + _TINY * model.n * (1 + radius)


def _adds(learner: Linear) -> bool:
    """Say whether this learner adds examples to its weights and does nothing else."""
    kind = type(learner)
    return kind._step is Perceptron._step and kind._link is Linear._link


def _whole(learner: Any, state: Vector) -> bool:
    """Say whether whole features keep the weights whole: small sums are then exact.

    A tie must be a mistake, as it is unless a subclass decides otherwise.
    """
    kind = type(learner)
    return (
        _adds(learner)
        and learner.threshold == learner.margin == 0
        and kind._decide is Learner._decide
        and kind._wants_update is Learner._wants_update
        and float(learner.rate).is_integer()
        and bool(np.all(state == np.rint(state)))
    )
