"""Adversaries, who look at the learner and choose an example on which it errs.

An adversary is called with the learner and returns ``(x, y)``, or None when it knows no
further mistake; `olc.duel` plays against it. Its `target` explains all of its labels.
Make a new one for every duel: some remember how far they have come.
"""

from __future__ import annotations

import copy
import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from olc import geometry
from olc.core import check
from olc.core.check import Vector, above, assuming, at_least, flag, whole
from olc.core.game import Game, Trace, unchanged_on_error
from olc.core.learner import Learner, Parametrised, parameter
from olc.core.stream import Stream
from olc.halving import Hypotheses, as_class
from olc.streams import odd

__all__ = ["Adversary", "Contrary", "stalled", "Split", "OneByOne", "Literals", "Panel",
           "MinimalMargin", "OneWrongLabel", "WorstOrder", "Planes", "plane", "copies",
           "orbit", "hadamard", "Cycle", "Lengthen", "Blocks", "Disjunction",
           "WrongLabels", "Sparse", "Flip", "Doubling", "Floor", "duel"]  # fmt: skip

Move = tuple[Vector, int]


class Adversary(Parametrised):
    """Whoever chooses the examples: it refuses a learner that it cannot read.

    `start` gets ready for a duel. `move` returns ``(x, y)`` or None; by default it goes
    on with a `script`, which may look at the learner before each of its moves.
    """

    n: int = 0  #: the number of features; 0 stands for any
    extra: int = 0  #: constant features besides
    reads: tuple[str, ...] = ()  #: what is read off the learner, besides predictions
    rival: str = "Perceptron({n})"  #: a learner that fits
    target: Any = None  #: what explains the labels so far
    _script: Iterator[Move] | None = None
    _moves: int = -1  # before the one that is looked for

    def __call__(self, learner: Any) -> Move | None:
        if not self.fits(learner):
            rival = self.rival.format(n=self.n + self.extra or "n")
            kind = f"{type(self).__name__} plays against learners such as {rival}"
            raise TypeError(f"{kind}, not against {learner!r}")
        return self.move(learner)

    def fits(self, learner: Any) -> bool:
        """Return whether the learner has what is read, for so many features."""
        if not all(hasattr(learner, name) for name in self.reads):
            return False
        width = self.n + self.extra
        # the kernel Perceptron takes any n, and has a weight per mistake
        size = len(learner.weights) if self.reads else learner.n or width
        return width in (0, size)

    def move(self, learner: Any) -> Move | None:
        """Return an example and its label, or None."""
        self._learner, self._moves = learner, self._moves + 1
        self._script = self._script or self.script(learner)
        return next(self._script, None)

    def script(self, learner: Any) -> Iterator[Move]:
        """Yield the moves of the game."""
        raise NotImplementedError(f"{type(self).__name__} must define move or script")


class _OfK(Adversary):
    """Hides k relevant features, the first ones, among n and perhaps a constant one."""

    n: int = parameter(whole(), kw_only=False)
    k: int = parameter(whole(), kw_only=False)

    def start(self) -> None:
        u = _bits(self.n, range(check.subset(self.k, self.n)))
        self.target = np.append(2 * u, -1) if self.extra else u


# ------------------------------------------------- hypotheses and experts


class Contrary(Adversary):
    """Contradict the learner for as long as a hypothesis of a class agrees.

    `table` has a row for every hypothesis and a column for every point. Of all points
    it asks about one where the contradiction leaves the hypotheses that are worth
    most: by default the most of them. `worth` judges the table of those that are left.
    Every round is a mistake, so what it forces is not always the worst case: a learner
    may be hurt more after rounds in which it was right ({prf:ref}`thm-halving-exact`).

    >>> from olc import Consistent, Halving, duel, halving
    >>> table = halving.thresholds(15)
    >>> duel(Halving(16), Contrary(table), rounds=100).mistakes  # log₂ 16
    4
    >>> duel(Consistent(16), Contrary(table), rounds=100).mistakes
    15
    """

    def __init__(
        self, table: ArrayLike, worth: Callable[[Hypotheses], float] = len
    ) -> None:
        self._table, self._worth = as_class(table), worth
        self.n, self._left = len(self._table), np.arange(len(self._table))

    @property  # type: ignore[misc]
    def target(self) -> Vector:
        """The first hypothesis that explains the labels so far."""
        return _bits(self.n, self._left[:1])

    def move(self, learner: Any) -> Move | None:
        answers = -_says(learner, self._table.T)
        version = self._table[self._left]
        agree = version == answers
        point = int(np.argmax([self._worth(version[left]) for left in agree.T]))
        if not agree[:, point].any():
            return None
        self._left = self._left[agree[:, point]]
        return check.as_floats(self._table[:, point]), int(answers[point])


def _says(learner: Any, X: Any) -> Any:
    """Return -1 or +1 for every example, -1 for a tie, which is wrong either way."""
    return np.where(learner.predict(X) > 0, 1, -1)[()]


@assuming(wait=whole())
def stalled(stream: Stream, wait: int) -> Stream:
    """Return a stream whose mistakes come as late as the longest survivor lets them.

    Before each example come `wait` - 1 on which all hypotheses say +1, and at the end
    so many more. If each example of the stream is a mistake, a hypothesis has `wait`
    right answers in a row only after (M + 1)·wait rounds:
    {prf:ref}`thm-longest-survivor`.

    >>> stalled(Stream([[-1, 1]], [1]), wait=2).X.astype(int).tolist()
    [[1, 1], [-1, 1], [1, 1], [1, 1]]
    """
    X = np.ones(((len(stream) + 1) * wait, stream.n))
    y = np.ones(len(X), dtype=np.int8)
    late = slice(wait - 1, -wait, wait)
    X[late], y[late] = check.as_floats(stream.X), stream.y
    return Stream(X, y, stream.target)


class Split(Adversary):
    """Make every round a mistake of weighted majority: the heavier side is wrong.

    The experts are dealt, best first, to the lighter of the two sides.

    >>> from olc import WeightedMajority, duel
    >>> duel(WeightedMajority(16, eta=0.5), Split(), rounds=40).mistakes
    40
    """

    reads = ("weights", "losses")
    rival = "WeightedMajority({n}, eta=0.5)"

    def move(self, learner: Any) -> Move:
        weights = learner.weights
        x, balance = np.empty(learner.n), 0.0
        for i in np.argsort(-weights, kind="stable"):
            x[i] = 1 if balance <= 0 else -1
            balance += float(x[i] * weights[i])
        return x, -1 if learner.score(x) >= 0 else 1


class OneByOne(Adversary):
    r"""Bring the randomized majority close to its bound: whoever errs, errs alone.

    First expert 0 errs, `best` times, and stays the best one; then in every round the
    heaviest of the others, until these hold a millionth of the weight. The
    chance F of a mistake is then small in nearly every round, where 1 - ηF, by which
    the total weight shrinks, is nearly the :math:`e^{-\eta F}` of the proof.

    >>> from olc import RandomizedWeightedMajority, duel
    >>> learner = RandomizedWeightedMajority(16, eta=0.1)
    >>> trace = duel(learner, OneByOne(best=50), rounds=10_000)
    >>> round(trace.expected_mistakes, 2)  # of 80.41
    80.16
    """

    reads = ("weights", "losses")
    rival = "RandomizedWeightedMajority({n}, eta=0.1)"

    best: int = parameter(whole(0), kw_only=False)

    def move(self, learner: Any) -> Move | None:
        x, weights = np.ones(learner.n), learner.weights
        if learner.losses[0] < self.best:
            x[0] = -1
        elif weights[1:].sum() < 1e-6 * weights.sum():
            return None
        else:
            x[1 + int(weights[1:].argmax())] = -1
        return x, 1


class Literals(Adversary):
    """Force log₂ 2n mistakes on any deterministic learner of one literal.

    It is a feature or its negative. First all features are 1, and the label says which
    sign is left; then half of the features that it may still be say +1. n is a power of
    two, or else the last rounds may be lost.

    >>> from olc import BalancedWinnow, duel
    >>> duel(BalancedWinnow(64, eta=3), Literals(64), rounds=100).mistakes
    7
    """

    n: int = parameter(whole(), kw_only=False)

    def script(self, learner: Any) -> Iterator[Move]:
        x, left = np.ones(self.n), np.arange(self.n)
        sign = -_says(learner, x)
        self.target = sign * _bits(self.n, 0)
        yield x, sign
        while len(left) > 1:
            shown, hidden = np.array_split(left, 2)
            x = sign * (2 * _bits(self.n, shown) - 1)
            y = -_says(learner, x)
            left = shown if y > 0 else hidden
            self.target = sign * _bits(self.n, left[:1])
            yield x, y


class Panel(_OfK):
    """Show panels with the least margin and a score of 0 or just below.

    The (k-1)/2 heaviest members of the panel are wrong. Outside of it every expert is
    as wrong as can be; then some are set right again, so many that the score comes as
    close to 0 as it can: the lightest first, or in the best of `tries` random orders
    (with many weights the first is good enough). The Perceptron is forced to N·k
    mistakes or nearly so many, normalised Winnow to nearly ln(N/k) over the divergence.
    Against a learner with a thickness τ the score comes close to τ.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(64), Panel(64, k=3), rounds=1000).mistakes  # of 192
    192
    """

    reads = ("weights",)

    k: int = parameter(odd, kw_only=False)
    seed: int = parameter(whole(0), default=0)
    tries: int = parameter(whole(), default=16)

    def start(self) -> None:
        super().start()
        self._random = np.random.default_rng(self.seed)

    def move(self, learner: Any) -> Move | None:
        k, (weights, most) = self.k, _whole(learner.weights, learner.thickness)
        x = np.where(weights > 0, -1.0, 1.0)
        x[:k] = 1
        x[np.argsort(-weights[:k], kind="stable")[: k // 2]] = -1
        best = float(x @ weights)
        if best > most:
            return (x, 1) if learner.wants_update(learner.score(x), 1) else None
        wrong, order = x, np.argsort(np.abs(weights[k:]), kind="stable")
        for _ in range(self.tries):
            trial = _set_right(wrong, weights, most, k + order)
            score = float(trial @ weights)
            if best < score <= most:
                x, best = trial, score
            if best == most:
                break
            order = self._random.permutation(self.n - k)
        return x, 1


def _whole(weights: Vector, thickness: float) -> tuple[Vector, float]:
    """Return whole numbers in proportion to the weights, and the highest score of them
    that is certainly an update.

    It is the thickness if the weights are whole themselves, else a little less, for
    what rounding hides. Sums of whole numbers are exact.
    """
    if np.array_equal(weights, np.rint(weights)):
        return weights, thickness
    total = np.abs(weights).sum()
    most = math.ldexp(thickness / float(total), 40) - 2.0**12
    return np.rint(np.ldexp(weights / total, 40)), most


def _set_right(x: Vector, weights: Vector, most: float, order: Any) -> Vector:
    """Return x with as many entries turned to the sign of their weight as the score, at
    most `most`, allows: in this order, then the heaviest that still fit.
    """
    x, sizes = x.copy(), np.abs(weights)
    room = (most - float(x @ weights)) / 2  # to turn an expert adds twice its weight
    first = int(sizes[order].cumsum().searchsorted(room, side="right"))
    turned, rest = order[:first], order[first:]
    room = math.nextafter(room - float(sizes[turned].sum()), math.inf)
    heaviest = rest[sizes[rest].argsort(kind="stable")][::-1]
    x[turned] *= -1
    x[_fitting(sizes, heaviest[sizes[heaviest] > 0], room)] *= -1
    return x


# ---------------------------------------------------------------- halfspaces


class MinimalMargin(Adversary):
    """Show the Perceptron points of length 1 and margin γ in three dimensions.

    Every point has margin exactly γ and score 0, so ‖w‖² grows by a whole 1 a mistake:
    R²/γ² is reached up to one. Against a margin Perceptron the score is its
    `thickness` τ, and (R² + 2τ)/γ² updates are nearly reached.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(3), MinimalMargin(0.1), rounds=1000).mistakes
    100
    >>> duel(Perceptron(3), MinimalMargin(0.02), rounds=5000).mistakes  # of 2500
    2499
    >>> from olc import MarginPerceptron
    >>> learner, thin = MarginPerceptron(3, thickness=2), MinimalMargin(0.1, 2)
    >>> len(duel(learner, thin, rounds=1000).update_rounds)  # of 500
    497
    """

    n, reads = 3, ("weights",)

    target = np.array([1.0, 0.0, 0.0])
    margin: float = parameter(above(0, 1), kw_only=False)
    thickness: float = parameter(at_least(0), default=0.0, kw_only=False)

    def move(self, learner: Any) -> Move | None:
        gamma, (first, *rest) = self.margin, learner.weights
        length, across = math.hypot(*rest), math.sqrt(1 - self.margin**2)
        if length == 0:
            x = np.array([gamma, across, 0.0])
            return (x, 1) if gamma * first <= self.thickness else None
        along = min((self.thickness - gamma * first) / length, across)
        if along < -across:
            return None
        aside = math.sqrt(across**2 - along**2)
        direction = np.array(rest) / length
        normal = np.array([-direction[1], direction[0]])
        x = np.array([gamma, *(along * direction + aside * normal)])
        nudge = 1e-16
        while learner.score(x) > self.thickness:  # by rounding: take it off
            x -= nudge * geometry.unit(learner.weights)
            nudge *= 2
        return x, 1


class OneWrongLabel(MinimalMargin):
    """Begin with one wrong label, the target's own: (R/γ + 1)² is nearly reached.

    It takes the weights a whole R back, as far as one mistake can.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(3), OneWrongLabel(0.1), rounds=1000).mistakes  # of 121
    120
    """

    def move(self, learner: Any) -> Move | None:
        if not learner.weights.any():
            return self.target, -1
        return super().move(learner)


class WorstOrder(Adversary):
    """Show the Perceptron the points of a pool in a bad order.

    It picks the misclassified example whose score is largest after a discount for what
    it teaches, R⟨u, y x⟩√(M+1). Scaling the pool changes no choice.

    >>> from olc import Perceptron, duel, streams
    >>> pool = streams.separable(10, margin=0.1, rounds=1000, seed=0)
    >>> duel(Perceptron(10), WorstOrder(pool), rounds=1000).mistakes  # of 100
    58
    """

    reads = ("weights",)

    def __init__(self, stream: Stream) -> None:
        self.n, self.target = stream.n, geometry.unit(stream.need_target())
        self._stream, self._mistakes = stream, 0
        self._points = stream.y[:, None] * check.as_floats(stream.X)
        self._lesson = stream.radius * (self._points @ self.target)

    def move(self, learner: Any) -> Move | None:
        scores = self._points @ learner.weights
        cost = scores - self._lesson * math.sqrt(self._mistakes + 1)
        pick = int(np.argmax(np.where(scores <= 0, cost, -np.inf)))
        if scores[pick] > 0:
            return None
        self._mistakes += 1
        return self._stream.row(pick), int(self._stream.y[pick])


class Planes(Adversary):
    r"""Force m⌊log₂(π/arcsin(γ√m))⌋ mistakes on any deterministic learner.

    In each of m orthogonal planes it halves the arc of directions that are left for the
    part of the target there; the target has margin γ, and `forced` is the number for
    the best m ≤ n/2. {prf:ref}`thm-halfspace-lower`.

    >>> from olc import Perceptron, duel
    >>> planes = Planes(20, margin=0.1)
    >>> duel(Perceptron(20), planes, rounds=100).mistakes, planes.forced
    (30, 30)
    """

    n: int = parameter(whole(2), kw_only=False)
    margin: float = parameter(above(0, 1), kw_only=False)

    def start(self) -> None:
        self.forced, self._planes = max(
            (m * math.floor(math.log2(math.pi / math.asin(self.margin * m**0.5))), m)
            for m in range(1, self.n // 2 + 1)
            if self.margin * m**0.5 < 1
        )

    def script(self, learner: Any) -> Iterator[Move]:
        u = np.zeros(self.n)
        for i in range(0, 2 * self._planes, 2):
            middle = half = math.pi  # of the arc
            for _ in range(self.forced // self._planes):
                x = np.zeros(self.n)
                x[i : i + 2] = -math.sin(middle), math.cos(middle)
                y = -_says(learner, x)
                half /= 2
                middle += y * half
                u[i : i + 2] = math.cos(middle), math.sin(middle)
                self.target = u / self._planes**0.5
                yield x, y


@assuming(q=whole())
def plane(q: int) -> Stream:
    """Return the worst stream for the Perceptron in the plane with R²/γ² = q² + 1.

    There ⌊R²/(2γ²)⌋ + 1 mistakes are the most, and every round of this stream is one.
    After j of them the weights are (j q, a) or (j q, a - q²), so the next example errs
    while j ≤ a, for an odd j, or j ≤ q² - a, for an even one.

    >>> from olc import Perceptron, play
    >>> play(Perceptron(2), plane(10))  # R²/γ² = 101
    Trace(51 mistakes in 51 rounds)
    """
    most = (q**2 + 1) // 2
    turns = np.arange(1, most + 1)
    second = np.append(most - (most + 1) % 2, np.where(turns % 2, -(q**2), q**2))
    X = np.stack([np.full(most + 1, q), second], axis=1).astype(float)
    return Stream(X, np.ones(most + 1, dtype=np.int8), np.array([1.0, 0.0]))


def copies(stream: Stream, order: int) -> Stream:
    """Return `order` copies of a stream that do not disturb each other.

    The features are multiplied by the rows of a Hadamard matrix, so that examples of
    different copies are orthogonal and the Perceptron errs on each copy as on the
    first: M mistakes on n features become order·M on order·n features.
    {prf:ref}`thm-orthogonal-copies`.

    >>> from olc import Perceptron, duel, play
    >>> game = duel(Perceptron(8), Panel(8, k=3), rounds=100)
    >>> game.mistakes, play(Perceptron(32), copies(game.stream, 4)).mistakes
    (21, 84)
    """
    X, u = check.as_floats(stream.X), stream.target
    if np.array_equal(X, X.astype(np.int8)):
        X = X.astype(np.int8)  # an eighth of the room
    rows = np.vstack([np.kron(X, row) for row in hadamard(order)])
    target = None if u is None else np.kron(u, np.eye(order)[0])
    return Stream(rows, np.tile(stream.y, order), target)


def orbit(stream: Stream) -> set[tuple[int, ...]]:
    """Return all weights to which the Perceptron can be led from 0, in any order.

    From given weights an adversary can only choose which misclassified example comes
    next. The examples are whole numbers, and no halfspace separates them, or else the
    search has no need to end soon.

    >>> from olc import streams
    >>> len(orbit(geometry.homogenise(streams.xor())))
    15
    """
    found = todo = {(0,) * stream.n}
    while todo:
        reached = {
            tuple(int(value) for value in np.array(w) + y * x)
            for w in todo
            for x, y in stream
            if y * np.dot(w, x) <= 0
        }
        todo, found = reached - found, found | reached
    return found


@assuming(order=whole())
def hadamard(order: int) -> NDArray[np.int8]:
    """Return Sylvester's matrix: entries ±1, orthogonal rows, a first column of +1.

    >>> hadamard(2)
    array([[ 1,  1],
           [ 1, -1]], dtype=int8)
    """
    if order.bit_count() != 1:
        raise ValueError(f"order = {order} is no power of two: Sylvester has no matrix")
    matrix = np.ones((1, 1), np.int8)
    while len(matrix) < order:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


class Cycle(_OfK):
    """Show the Perceptron k + 1 examples of a k-disjunction, over and over.

    For every relevant variable in turn: all irrelevant variables, a negative example;
    the same with the relevant one, a positive example. With a constant last feature,
    for the bias, the Perceptron errs exactly 2k(n - k + 2) + 1 times. Without it
    (``bias=False``) Winnow can play too.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(64 + 1), Cycle(64, k=3), rounds=10_000).mistakes
    379
    """

    bias: bool = parameter(flag, default=True)

    def start(self) -> None:
        self.extra = int(self.bias)
        super().start()

    def script(self, learner: Any) -> Iterator[Move]:
        negative = (self.target <= 0).astype(np.float64)
        positive = negative + np.eye(self.k, len(negative))
        moves = deque(move for x in positive for move in ((negative, -1), (x, 1)))
        # The next move is likely to be a mistake: then no other is asked about.
        while any(learner.predict(x) != y for x, y in moves):
            yield moves[0]
            moves.rotate(-1)


class Lengthen(_OfK):
    """Show the Perceptron the bits of a k-disjunction that lengthen its weights most.

    All examples have the least margin: a positive one shows the lightest relevant
    variable, a negative one none, and both the constant last feature. An irrelevant
    variable adds 1 + 2ywᵢ to ‖w‖². So it shows those with ywᵢ ≥ 0, then as many
    others, the smallest first, as the mistake needs.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(64 + 1), Lengthen(64, k=3), rounds=10_000).mistakes  # of 845
    586
    """

    extra, reads = 1, ("weights",)

    def move(self, learner: Any) -> Move | None:
        weights = learner.weights
        lightest = int(weights[: self.k].argmin())
        negative = self._longest(-weights, self.n), -1
        positive = self._longest(weights, lightest, self.n), 1
        moves = [(x, y) for x, y in (negative, positive) if x is not None]
        growth = [float(x @ (x + 2 * y * weights)) for x, y in moves]
        return moves[int(np.argmax(growth))] if moves else None

    def _longest(self, gains: Vector, *shown: int) -> Vector | None:
        """Show these features and irrelevant ones, with gains of at most 0 in all."""
        others = self.k + np.argsort(-gains[self.k : self.n], kind="stable")
        room = -float(gains[list(shown)].sum())
        sums = np.append(0.0, np.cumsum(gains[others]))
        first, last = 0, int((gains[others] >= 0).sum())
        if len(enough := np.flatnonzero(sums[last:] <= room)):
            last += int(enough[0])
        elif len(enough := np.flatnonzero(sums[-1] - sums <= room)):
            first, last = int(enough[0]), len(others)  # leave out the largest
        else:
            return None
        return _bits(self.n + 1, [*shown, *others[first:last]])


# -------------------------------------------------------------- disjunctions


class Blocks(_OfK):
    """Force k log₂(n/k) mistakes on any deterministic learner of k-disjunctions.

    Each of k blocks hides one relevant variable. Half of the variables that it may
    still be are shown; the label is what the learner does not say.

    >>> from olc import Winnow, duel
    >>> duel(Winnow(64), Blocks(64, k=4), rounds=100).mistakes
    16
    """

    def script(self, learner: Any) -> Iterator[Move]:
        left = np.array_split(np.arange(self.n), self.k)
        for i in range(self.k):
            while len(left[i]) > 1:
                shown, hidden = np.array_split(left[i], 2)
                x = _bits(self.n, shown)
                y = -_says(learner, x)
                left[i] = shown if y > 0 else hidden
                self.target = _bits(self.n, [block[0] for block in left])
                yield x, y


class Disjunction(_OfK):
    """Force on Winnow as many mistakes as its bound allows, with a k-disjunction.

    Promote the lightest relevant weight among the heaviest irrelevant ones, and demote
    these when they weigh twice the threshold. Where n is small, some are missing.
    A thickness τ lets it promote up to θ + τ and demote from θ - τ on.

    >>> from olc import Winnow, duel
    >>> duel(Winnow(1024), Disjunction(1024, k=3), rounds=1000).mistakes  # of 84
    84
    """

    reads, rival = ("weights",), "Winnow({n})"

    def move(self, learner: Any) -> Move | None:
        weights, low, high = learner.weights, learner.threshold, learner.threshold
        if thickness := learner.thickness:
            low, high = low - thickness, math.nextafter(high + thickness, math.inf)
        lightest = int(weights[: self.k].argmin())
        others = self.k + np.argsort(-weights[self.k :], kind="stable")
        mass = float(weights[others].sum())
        if weights[lightest] < high and mass < 2 * high:
            below = _fitting(weights, others, high - weights[lightest])
            return _bits(self.n, np.append(lightest, below)), 1
        if mass < low:
            return None
        enough = np.searchsorted(np.cumsum(weights[others]), low)
        return _bits(self.n, others[: enough + 1]), -1


class WrongLabels(Disjunction):
    """Force on Winnow three mistakes for each of some wrong labels.

    A wrong label is + on irrelevant features alone: a promotion that is soon paid for
    by two demotions. {prf:ref}`thm-winnow-noise`.

    >>> from olc import Winnow, duel
    >>> duel(Winnow(1024), WrongLabels(1024, k=3, errors=50), 1000).mistakes  # of 240
    234
    """

    errors: int = parameter(whole(0), kw_only=False)

    def start(self) -> None:
        super().start()
        self.left = self.errors

    def move(self, learner: Any) -> Move | None:
        weights, theta = learner.weights, learner.threshold
        others = self.k + np.argsort(-weights[self.k :], kind="stable")
        if self.left == 0 or weights[others].sum() >= 2 * theta:
            return super().move(learner)
        self.left -= 1
        return _bits(self.n, _fitting(weights, others, theta)), 1


class Sparse(_OfK):
    """Force mistakes on Winnow with examples that show no more than `active` bits.

    n is so large that new variables never run out. It promotes the lightest relevant
    weight among the heaviest that fit below θ, until the irrelevant weights above 1 are
    twice θ. Then it demotes: a few heavy weights, and new ones, which lose nothing that
    counts, up to the number that may be shown. {prf:ref}`thm-winnow-sparse`.

    >>> from olc import Winnow, duel
    >>> sparse = Sparse(8192, k=4, active=64)
    >>> duel(Winnow(8192, threshold=256), sparse, rounds=1000).mistakes  # of 106
    98
    """

    reads, rival = ("weights",), "Winnow({n}, threshold=…)"

    active: int = parameter(whole())

    def move(self, learner: Any) -> Move | None:
        weights, theta, k = learner.weights, learner.threshold, self.k
        lightest = int(weights[:k].argmin())
        others = k + np.argsort(-weights[k:], kind="stable")
        heavy, new = others[weights[others] > 1], others[weights[others] == 1]
        if weights[lightest] < theta and weights[heavy].sum() < 2 * theta:
            usable = np.append(heavy, new[: self.active])
            below = _fitting(weights, usable, theta - weights[lightest])
            return _bits(self.n, np.append(lightest, below[: self.active - 1])), 1
        # a heavy weight takes the place of a new one
        missing = theta - self.active
        first = _fitting(weights - 1, heavy, math.nextafter(missing, math.inf))
        missing -= float((weights[first] - 1).sum())
        if missing > 0:
            rest = np.setdiff1d(heavy, first)
            if not len(rest):
                return None
            first = np.append(first, rest[weights[rest].argmin()])
        return _bits(self.n, np.append(first, new)[: self.active]), -1


def _fitting(weights: Vector, order: Any, room: float) -> Any:
    """Return the variables, each in its turn, that weigh less than the room left."""
    taken, left = order[:0], order
    while len(left := left[weights[left] < room]):
        fitting = left[: int(np.searchsorted(np.cumsum(weights[left]), room))]
        taken, left = np.append(taken, fitting), left[len(fitting) :]
        room -= float(weights[fitting].sum())
    return taken


def _bits(n: int, variables: ArrayLike) -> Vector:
    """Return the example in which these variables are 1."""
    x = np.zeros(n)
    x[np.asarray(variables, dtype=np.intp)] = 1
    return x


# ---------------------------------------------------------- drifting targets


class _Drifting(Adversary):
    """Run a script of moves; remember when the target changed."""

    reads: tuple[str, ...] = ("weights",)
    rival = "WinnowR({n})"

    n: int = parameter(whole(3), kw_only=False)

    def start(self) -> None:
        self.drifts: list[tuple[int, Vector]] = []

    def drift(self, *variables: int) -> None:
        """Change the target to these variables alone."""
        self.target = _bits(self.n, variables)
        if self.drifts and self.drifts[-1][0] == self._moves:  # it had no round
            self.drifts.pop()
        self.drifts.append((self._moves, self.target))

    def forced(self, *moves: tuple[list[int], int]) -> Iterator[Move]:
        """Yield the first of these moves that is a mistake, for as long as one is."""
        while wrong := [move for move in moves if self._errs(*move)]:
            shown, y = wrong[0]
            yield _bits(self.n, shown), y

    def _errs(self, shown: list[int], y: int) -> bool:
        score = self._learner.weights[shown].sum()
        return bool((self._learner.decide(score) > 0) != (y > 0))


class Flip(_Drifting):
    """Make Winnow forget variables that it will need, then ask for them.

    The target is variable 0, then 1, then 0, and so on, `flips` targets in all; the
    victims, the next variables, sit in every false positive and lose half of their
    weight each time. Then they become the target, one after the other.

    >>> from olc import Winnow, WinnowR, duel
    >>> for kind in (Winnow, WinnowR):
    ...     flip = Flip(1024, flips=100)
    ...     trace = duel(kind(1024), flip, rounds=10_000)
    ...     last, _ = flip.drifts[-1]
    ...     print(kind.__name__, int((trace.mistake_rounds >= last).sum()))
    Winnow 109
    WinnowR 11
    """

    flips: int = parameter(whole(), kw_only=False)
    victims: int = parameter(whole(), default=1)

    def script(self, learner: Any) -> Iterator[Move]:
        victims = list(range(2, 2 + self.victims))
        for turn in range(self.flips):
            self.drift(turn % 2)
            yield from self.forced(([1 - turn % 2, *victims], -1))
            yield from self.forced(([turn % 2], 1))
        for victim in victims:
            self.drift(victim)
            yield from self.forced(([victim], 1))


class Doubling(_Drifting):
    """Force on Winnow a number of mistakes that doubles with every added variable.

    Variables 1, 2, ..., c become the target one after the other; variable 0 helps to
    promote them, and all that are still to come are demoted with it.

    >>> from olc import Winnow, WinnowR, duel
    >>> for kind in (Winnow, WinnowR):
    ...     print(duel(kind(64), Doubling(64, additions=10), rounds=10_000).mistakes)
    5125
    121
    """

    additions: int = parameter(whole(), kw_only=False)

    def script(self, learner: Any) -> Iterator[Move]:
        for now in range(1, self.additions + 1):
            self.drift(now)
            coming = range(now + 1, self.additions + 1)
            yield from self.forced(([0, *coming], -1), ([now, 0], 1), ([now], 1))


class Floor(_Drifting):
    """Use the floor of Winnow-R: a demotion takes nothing from weights at ½.

    At first the target is empty, and all weights sink to the floor. Then it is one
    variable from the floor after the other. A promotion shows the heaviest weights,
    those above a quarter of the threshold last, because a weight of n helps no more. A
    demotion shows the whole floor, half of the threshold for nothing, of the others
    those that are too heavy, and for the rest the lightest, which join the floor.
    It comes while it leaves enough for the next promotion, and takes little more than
    n/4. {prf:ref}`thm-winnow-r-sharp`.

    >>> from olc import WinnowR, duel
    >>> duel(WinnowR(1024), Floor(1024, additions=5), rounds=1000).mistakes  # of 270
    255

    With ``empty=False`` the target is never empty, and a single addition makes it one
    variable for the whole game.
    """

    reads = ("weights", "alpha")

    additions: int = parameter(whole(), kw_only=False)
    empty: bool = parameter(flag, default=True)

    def script(self, learner: Any) -> Iterator[Move]:
        theta, now = learner.threshold, -1
        if self.empty:
            self.drift()
            yield from self._demote(now)
        for _ in range(self.additions):
            now = int(learner.weights.argmin())
            self.drift(now)
            while (weight := learner.weights[now]) < theta:
                shown, left = self._demotion(now)
                if left >= theta - weight:
                    yield _bits(self.n, shown), -1
                else:
                    yield _bits(self.n, self._promotion(now)), 1
        if self.empty:
            self.drift()
            now = -1
        yield from self._demote(now)

    def _demote(self, now: int) -> Iterator[Move]:
        """Demote all that can be demoted, but for the relevant variable."""
        while len(shown := self._demotion(now)[0]):
            yield _bits(self.n, shown), -1

    def _promotion(self, now: int) -> Any:
        weights, theta, floor, raised = self._sides(now)
        order = np.lexsort((-weights[raised], weights[raised] > theta / 4))
        order = np.append(raised[order], floor)
        return np.append(now, _fitting(weights, order, theta - weights[now]))

    def _demotion(self, now: int) -> tuple[Any, float]:
        """Return what to show, and how much it leaves for the next promotion."""
        weights, theta, floor, raised = self._sides(now)
        light = weights[raised] < theta / 4
        order = np.lexsort((np.where(light, 1, -1) * weights[raised], light))
        room = theta - float(weights[floor].sum())
        first = _fitting(weights, raised[order], math.nextafter(room, math.inf))
        shown = _bits(self.n, first) > 0
        if (missing := room - float(weights[first].sum())) > 0:
            rest = raised[~shown[raised]]
            if not len(rest):
                return [], 0.0
            last = rest[weights[rest].argmin()]  # more than is missing: it did not fit
            lightest = first[np.argsort(weights[first], kind="stable")]
            excess = math.nextafter(float(weights[last]) - missing, math.inf)
            shown[_fitting(weights, lightest, excess)] = False
            shown[last] = True
        after = weights[raised] / np.where(shown[raised], self._learner.alpha, 1)
        usable = (after > 1 / self._learner.alpha) & (after < theta)
        return np.append(floor, np.flatnonzero(shown)), float(after[usable].sum())

    def _sides(self, now: int) -> tuple[Vector, float, Any, Any]:
        """Return weights, threshold, and the others at the floor and above it."""
        weights = self._learner.weights
        low, others = weights <= 1 / self._learner.alpha, np.arange(self.n) != now
        floor, raised = np.flatnonzero(low & others), np.flatnonzero(~low & others)
        return weights, self._learner.threshold, floor, raised


# ----------------------------------------------------------------- the game


@assuming(rounds=whole())
def duel(learner: Learner, adversary: Callable[[Any], Any], rounds: int) -> Trace:
    """Let an adversary, who sees a copy of the learner, choose every example.

    What it does to the copy, such as trying an example with `learn`, changes nothing in
    the game. (Only coins are the learner's own: a prediction of the copy uses one up,
    and does not tell the next.) The duel ends after `rounds` rounds or when the
    adversary returns None. The trace carries the stream that was played, with the
    adversary's `target`.

    >>> from olc import Perceptron
    >>> duel(Perceptron(1), lambda learner: ([1.0], -1), rounds=10).mistakes
    1
    """
    chooser: Any = adversary
    if not callable(chooser) or isinstance(chooser, type):
        wanted = "one of olc.adversaries, or a function of the learner"
        raise TypeError(f"adversary must be {wanted}, not {adversary!r}")
    rows, labels = list[Vector](), list[int]()
    game = Game(learner)
    with unchanged_on_error(learner, game.before):
        shown = copy.copy(learner)  # the same one all the time, brought up to date
        while len(game) < rounds:
            learner.rounds = game.before.rounds + len(game)
            coins = (c for c in vars(learner).values() if isinstance(c, Generator))
            same = {id(learner): shown} | {id(coin): coin for coin in coins}
            shown.__dict__ = copy.deepcopy(vars(learner), same)
            if (move := adversary(shown)) is None:
                break
            x, y = move
            rows.append(check.example(x, learner.n, learner.features))
            labels.append(check.label(y))
            game.round(rows[-1], labels[-1])
        X = np.reshape(rows, (len(rows), -1 if rows else learner.n or 1))
        u, drifts = getattr(adversary, "target", None), getattr(adversary, "drifts", ())
        began = [drift for drift in drifts if drift[0] < max(1, len(rows))]
        stream = Stream(X, np.array(labels, dtype=np.int8), u, began)
    return game.trace(stream)
