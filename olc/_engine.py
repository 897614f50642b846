"""How `play` is fast and still gives the trace of the plain loop, to the last tie.

A learner that changes only at a mistake lets a block of coming rounds be scored in
one call: jump to the first mistake, update, go on from there (`_gallop`). In double
precision each row is multiplied as the loop multiplies it, so the scores agree to the
last bit. Features that fit single precision are scored in it, and a score within the
rounding band of a boundary is computed again as the loop computes it.
Majority learners change in every round; they are played eight rounds at a time, an
expert's eight hits and misses being one byte (`_eights`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
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
AT_PAR = 20_000  #: elements whose product takes as long as the Python around it
AT_PAR_IN_CACHE = 64_000  #: the same where the elements have just been touched
CROWD = 64  #: rounds to play one by one where mistakes are dense, then twice as many
CROWDED = 1 << 17  #: elements of such rounds that stay in a small cache
DENSE = 6, 8  #: rounds between mistakes below which they are dense: float32, float64
TOGETHER = 4096  #: elements whose lengths are measured as one
CUBE = 1 << 21  #: elements of many games to hold at a time
VAIN = 8  #: looks in vain after which the entries of a block are measured
EXACT = 1 << 24  #: single precision holds whole numbers up to here
CEILING = 1e30  #: beyond it single precision might overflow


def run(learner: Learner, stream: Stream) -> Outcome:
    """Play all rounds; return predictions, rounds of the updates, error chances."""
    if not _own_rules(type(learner)):
        if isinstance(learner, Linear):
            return _gallop(learner, stream)
        if isinstance(learner, Majority):
            return _eights(learner, stream)
    return _loop(learner, stream)


def _own_rules(kind: type[Learner]) -> bool:
    """Say whether a reader's own class scores or decides in a way unknown here."""
    rules = kind._score, kind._decide, kind._wants_update
    return not all(rule.__module__.startswith("olc.") for rule in rules)


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
    given: Any  #: the same rows as they came
    radius: float = math.inf  #: no row is longer
    peak: float = math.inf  #: no entry is larger
    vetted: bool = True  #: whether every entry has been checked

    def vet(self, t: int, stop: int) -> None:
        """Check these rows, if that is still to be done."""
        if not self.vetted:
            numbers = self.rows[t:stop].ravel()
            with np.errstate(over="ignore"):
                small = numbers.dot(numbers) <= _checks.LARGEST**2
            if not small:
                _checks.rows(self.rows[t:stop], "real", self.start + t)

    def measured(self) -> Block:
        """Return a block of whole numbers with the largest of them as its bound."""
        peak = float(max(int(self.given.max()), -int(self.given.min())))
        return self._replace(radius=peak * math.sqrt(self.rows.shape[1]), peak=peak)


def _gallop(learner: Linear, stream: Stream) -> Outcome:
    """Jump from mistake to mistake.

    A round whose y·(score - threshold) is certainly above the margin was predicted
    right and changes nothing, so only the other rounds are looked at.
    """
    game = _Gallop(learner, stream)
    with np.errstate(invalid="ignore"):  # an infinite number is refused in words
        for block in _blocks(stream.X, learner.features):
            game.play(block)
    return game.outcome()


def _blocks(X: NDArray[Any], features: str) -> Iterator[Block]:
    """Yield all rows.

    Small types become float32, which holds them exactly; what is already float32 or
    float64 in memory order is used where it lies. Whole numbers are bounded by their
    type. A float64 that is not finite shows in its score, and a huge one is refused
    before it moves the weights, so none is looked at twice.
    """
    n, kind = X.shape[1], X.dtype.kind
    small = kind == "b" or np.can_cast(X.dtype, np.float32)
    dtype = np.dtype(np.float32 if small else np.float64)
    in_place = X.dtype == dtype and X.flags.c_contiguous
    size = max(1, BLOCK // n)
    buffer = np.empty((0 if in_place else min(size, len(X)), n), dtype)
    real = features == "real" and kind == "f"
    peak = radius = math.inf
    if not real:
        most = 1 if features != "real" or kind == "b" else np.iinfo(X.dtype).max + 1
        peak, radius = float(most), float(most) * math.sqrt(n)
    for start in range(0, len(X), size):
        rows = given = X[start : start + size]
        if features != "real":
            _checks.rows(given, features, start)
        if not in_place:
            rows = buffer[: len(given)]
            np.copyto(rows, given)
        if real and small:
            radius = _longest(rows)
            if not radius < math.inf:  # not a number, infinite, or squares overflow
                _checks.rows(rows, "real", start)
                radius = _checks.largest_norm(rows)
        yield Block(start, rows, given, radius, peak, small or not real)


def _longest(rows: Any) -> float:
    """Bound the length of the rows; a few short ones are measured as one."""
    n = rows.shape[1]
    together = max(1, TOGETHER // n)
    whole = len(rows) // together * together
    squares = [0.0]
    with np.errstate(over="ignore", invalid="ignore"):
        for part in rows[:whole].reshape(-1, together * n), rows[whole:]:
            if len(part):
                squares.append(float(_products(part, part).max()))
    lost = together * n * _ROUNDING[rows.dtype][1]  # squares that underflow
    return math.nan if math.isnan(sum(squares)) else math.sqrt(max(squares) + lost)


def _by_rows(rows: Any, others: Any, out: Any = None) -> Any:
    out = np.empty(len(rows), rows.dtype) if out is None else out
    np.matmul(rows[:, None], others[..., None], out=out[:, None, None])
    return out


#: Inner products of rows with rows, or with one vector. Each is computed as x @ w is,
#: so its bits are those of the loop; X @ w sums in another order.
_products = getattr(np, "vecdot", _by_rows)


class _Gallop:
    """The state of a game that jumps from mistake to mistake.

    The Perceptron and normalised Winnow are moved in place, with the same bits.
    """

    def __init__(self, learner: Any, stream: Stream) -> None:
        self.learner, self.y = learner, stream.y
        self.first = learner.rounds
        offset = abs(learner.threshold) + learner.margin
        self.limit = learner.margin + 2 * _ROUNDING[_DOUBLE][0] * offset
        self.updates: list[int] = []
        self.decided: dict[int, int] = {}  # predictions that only a close look gave
        self.gap = 1.0  # moving average of the rounds between two updates
        self.clean = 0  # rounds since the last one
        self.length: float | None = None  # ‖w‖₂ and ‖w‖₁, until w changes
        self.total: float | None = None
        self.wide = False  # whether the bound of the type is too wide
        kind = type(learner)
        alone = kind._update is Linear._update
        self.adds = alone and _adds(learner)
        self.multiplies = (
            alone
            and kind._step is NormalizedWinnow._step
            and kind._link is NormalizedWinnow._link
        )
        if self.adds or self.multiplies:
            learner._set(learner.state.copy())
        whole = stream.X.dtype.kind in "biu"
        self.exact = whole and _whole(learner, learner.state)

    def outcome(self) -> Outcome:
        """An update means a wrong prediction, unless a close look said otherwise."""
        predictions, updates = self.y.copy(), np.array(self.updates, np.int64)
        predictions[updates] *= -1
        for t, prediction in self.decided.items():
            predictions[t] = prediction
        return predictions, updates, None

    def play(self, block: Block) -> None:
        """Play the rounds of one block of rows."""
        start, rows, end = block.start, block.rows, len(block.rows)
        labels = self.y[start : start + end].astype(rows.dtype)
        threshold, n = self.learner.threshold, self.learner.n
        double, vain = rows.dtype == _DOUBLE, 0
        rows_at_par = 2 * (AT_PAR if double else AT_PAR_IN_CACHE) / n
        dense = DENSE[double] + math.sqrt(n) / (4 if double else 16)
        gap, clean, crowd = self.gap, self.clean, CROWD
        if self.wide:
            block = block.measured()
        weights, limit = self.fit(block)
        t = 0
        while t < end:
            expected = gap if gap > clean else clean
            if expected < dense or limit == math.inf:
                stop = min(end, t + crowd)
                crowd = min(2 * crowd, 4 * CROWD, max(CROWD, CROWDED // n))
                gap, clean = self.crowd(block, t, stop), 0
                weights, limit = self.fit(block)
                t = stop
                continue
            crowd, stop = CROWD, t + 1 + int(math.sqrt(rows_at_par * expected))
            signed = rows[t:stop]
            signed = _products(signed, weights) if double else signed.dot(weights)
            if threshold:
                signed -= threshold
            signed *= labels[t:stop]
            if double and not signed[signed.argmax()] < math.inf:
                block.vet(t, stop)
            if signed[signed.argmin()] > limit:
                clean += len(signed)
                t = stop
                continue
            for i in (signed <= limit).nonzero()[0].tolist():
                x = rows[t + i]
                if signed[i] < -limit or self.judge(start + t + i, x):
                    block.vet(t + i, t + i + 1)
                    self.learn(start + t + i, x)
                    gap += 0.2 * (clean + i + 1 - gap)
                    clean, t = 0, t + i + 1
                    break
                vain += 1
            else:
                clean += len(signed)
                t = stop
                if not vain > VAIN or block.given.dtype.kind not in "iu":
                    continue
                block, vain, self.wide = block.measured(), 0, True
            weights, limit = self.fit(block)
        self.gap, self.clean = gap, clean

    def fit(self, block: Block) -> tuple[Any, float]:
        """Return the weights for scoring, and the highest score that is in doubt.

        In double precision a score is that of the loop; only what is compared with
        it may be rounded. No score is certain where single precision might overflow.
        """
        learner, weights = self.learner, self.learner._weights
        if block.rows.dtype == _DOUBLE:
            return weights, self.limit
        if self.length is None:
            self.length = math.sqrt(weights.dot(weights) + learner.n * _TINY)
            self.total = None
        size = self.length * block.radius
        if self.exact and size < EXACT:
            return weights.astype(np.float32), 0.0
        if block.peak < math.inf and not self.adds:  # weights may be sparse
            if self.total is None:
                self.total = float(np.abs(weights).sum())
            size = self.total * block.peak
        offset = abs(learner.threshold) + learner.margin
        if max(size, self.length, block.radius) + offset > CEILING:
            return weights, math.inf
        epsilon, tiny = _ROUNDING[block.rows.dtype]
        limit = learner.margin + epsilon * (2 * offset + (learner.n + 4) * size)
        limit += tiny * learner.n * (1 + block.radius)  # what underflow may hide
        return weights.astype(np.float32), limit

    def judge(self, t: int, x: Any) -> bool:
        """Decide a round in doubt as the loop does; say whether it is an update."""
        learner, label = self.learner, int(self.y[t])
        score = _checks.as_floats(x) @ learner._weights
        prediction = int(learner._decide(score))
        changes = bool(learner._wants_update(score, label))
        if prediction != (-label if changes else label):
            self.decided[t] = prediction
        return changes

    def learn(self, t: int, x: Any) -> None:
        """Let the learner change."""
        learner, label, self.length = self.learner, int(self.y[t]), None
        self.updates.append(t)
        if self.adds:
            (np.add if label > 0 else np.subtract)(learner.state, x, learner.state)
        else:
            learner.rounds = self.first + t
            learner._update(_checks.as_floats(x), label)

    def crowd(self, block: Block, t: int, stop: int) -> float:
        """Play rounds one by one where mistakes are dense; return their distance."""
        block.vet(t, stop)
        learner, before = self.learner, len(self.updates)
        rows = _checks.as_floats(block.rows[t:stop])
        first, last = block.start + t, block.start + stop
        labels = self.y[first:last].tolist()
        high, low = learner.threshold + self.limit, learner.threshold - self.limit
        rounds, learned = range(first, last), self.updates.append
        state, weights, self.length = learner.state, learner._weights, None
        adds, multiplies, score_of = self.adds, self.multiplies, weights.dot
        add, subtract, exp, total = np.add, np.subtract, np.exp, np.add.reduce
        moves = learner.eta * rows if multiplies else rows
        for i, x, label in zip(rounds, rows, labels, strict=True):
            score = score_of(x)
            if label > 0:
                if score > high:
                    continue
                in_doubt = score >= low
            else:
                if score < low:
                    continue
                in_doubt = score <= high
            if in_doubt and not self.judge(i, x):
                continue
            if adds:
                learned(i)
                if label > 0:
                    weights += x
                else:
                    weights -= x
            elif multiplies:
                learned(i)
                (add if label > 0 else subtract)(state, moves[i - first], state)
                exp(subtract(state, state[state.argmax()], weights), weights)
                weights /= total(weights)
            else:
                self.learn(i, x)
                score_of = learner._weights.dot
        return (stop - t) / (len(self.updates) - before + 0.5)


_DOUBLE = np.dtype(np.float64)
_ROUNDING = {
    np.dtype(kind): (float(np.finfo(kind).eps), float(np.finfo(kind).tiny))
    for kind in (np.float32, np.float64)
}
_TINY = _ROUNDING[_DOUBLE][1]


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
    band = 1e-12 + np.finfo(float).eps * (n + 4 * rows + 64)  # a tie has this width
    predictions = np.empty(len(stream), np.int8)
    chances = np.empty(len(stream))
    memory = np.empty((rows, n), np.bool_), np.empty((rows // 8, n))
    for start in range(0, len(stream), rows):
        part, y = stream.X[start : start + rows], stream.y[start : start + rows]
        _checks.rows(part, learner.features, start)
        count = -(-len(y) // 8)
        missed, weights = memory[0][: 8 * count], memory[1][:count]
        np.not_equal(part, y[:, None], out=missed[: len(y)])
        missed[len(y) :] = False
        octets = _octets(missed)
        weights[0] = learner._relative()
        for row, factors in enumerate(shrink.take(octets[:-1]), 1):
            np.multiply(weights[row - 1], factors, weights[row])
        # one count for all: row r has the bins from 256 r on
        octets += 256 * np.arange(len(octets))[:, None]
        sums = np.bincount(octets.ravel(), weights.ravel(), 256 * len(octets))
        ballots = sums.reshape(-1, 256) @ table
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


def in_step(learners: list[Any]) -> bool:
    """Say whether these learners differ in nothing but their weights."""
    if not learners or not isinstance(learners[0], Linear):
        return False
    kind, first = type(learners[0]), learners[0]
    return (
        kind._update is Linear._update
        and kind._score is Linear._score
        and not _own_rules(kind)
        and all(type(learner) is kind for learner in learners)
        and all(learner.n == first.n for learner in learners)
        and all(learner.parameters == first.parameters for learner in learners)
    )


def lockstep(learners: list[Any], games: list[Stream]) -> list[Trace]:
    """Play round t of every game before round t + 1 of any."""
    together = min(map(len, games))
    pack = _Pack(learners, games, together)
    size = max(1, CUBE // (len(games) * learners[0].n))
    for start in range(0, together, size):
        pack.play(start, min(together, start + size))
    predictions, moved = pack.predictions.T.copy(), pack.moved.T.copy()
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

    def __init__(self, learners: list[Any], games: list[Stream], rounds: int) -> None:
        self.model, self.games = learners[0], games
        self.state = np.stack([learner.state for learner in learners])
        self.weights = np.stack([learner._weights for learner in learners])
        self.predictions = np.empty((rounds, len(games)), np.int8)
        self.moved = np.empty((rounds, len(games)), np.bool_)
        whole = all(game.X.dtype.kind in "biu" for game in games)
        self.whole = whole and _whole(self.model, self.state)

    def play(self, start: int, stop: int) -> None:
        """Play these rounds of all games.

        Whole numbers are summed exactly while the sums stay small, even in single
        precision. There y is multiplied into x, which makes every label +1.
        """
        model, exact = self.model, False
        if not self.whole or model.features != "real":
            for game in self.games:
                _checks.rows(game.X[start:stop], model.features, start)
        cube = np.stack([game.X[start:stop] for game in self.games])
        y = np.stack([game.y[start:stop] for game in self.games], axis=1)
        if self.whole:
            peak = max(int(cube.max()), -int(cube.min()))
            most = float(np.abs(self.weights).max()) + peak * (stop - start)
            exact = model.n * peak * most < EXACT
        dtype = np.dtype(np.float32 if exact else np.float64)
        if exact:
            if cube.dtype != np.int8 or peak > 127:
                cube = cube.astype(dtype)
            cube *= y.T[..., None]
        self.weights = weights = self.weights.astype(dtype, copy=False)
        if _adds(model):
            self.state = weights
        scores, moved = np.empty(y.shape, dtype), self.moved[start:stop]
        for t, rows in enumerate(cube.swapaxes(0, 1)):
            rows = rows.astype(dtype, copy=False)
            score = _products(rows, weights, out=scores[t])
            if exact:
                games = np.less_equal(score, 0, moved[t]).nonzero()[0]
                weights[games] = weights.take(games, 0) + rows.take(games, 0)
                continue
            moved[t] = model._wants_update(score, y[t])
            games = moved[t].nonzero()[0]
            x, label = rows.take(games, 0), y[t].take(games)[:, None]
            self.state[games] = state = model._step(self.state.take(games, 0), x, label)
            if self.state is not weights:
                weights[games] = model._link(state)
        self.predictions[start:stop] = model._decide(scores) * (y if exact else 1)


def _adds(learner: Any) -> bool:
    """Say whether this learner adds y x to its weights and does nothing else."""
    kind = type(learner)
    return (
        kind._step is Perceptron._step
        and kind._link is Linear._link
        and learner.rate == 1
    )


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
        and bool(np.all(state == np.rint(state)))
    )
