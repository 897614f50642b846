"""Opponents that look at the learner and choose the example that hurts.

An adversary is called with the learner and returns ``(x, y)``, or None when it can do
no more harm; `olc.duel` plays against it. Its `target` explains all of its labels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from olc import _checks, geometry
from olc.game import Stream, Vector

Move = tuple[Vector, int]


class Panel:
    """Hurt a learner of panels: its margin is the least, its score zero or just below.

    The (k-1)/2 heaviest panel members are wrong; outside of the panel every expert is
    as wrong as leaves the score at zero. Against the Perceptron it forces nearly N·k
    mistakes, against normalised Winnow nearly ln(N/k) over the divergence.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(64), Panel(64, k=3), rounds=1000).mistakes  # of 192
    184
    """

    def __init__(self, n: int, k: int) -> None:
        if _checks.count(k, "k") % 2 == 0:
            raise ValueError(f"k = {k} is even: a panel of odd size has no ties")
        self.n, self.k = _checks.count(n, "n"), _checks.subset_size(k, n)
        self.target = (np.arange(n) < k).astype(float)

    def __call__(self, learner: Any) -> Move | None:
        weights = learner.weights
        x = np.where(weights > 0, -1.0, 1.0)  # as wrong as can be
        panel = np.argsort(-weights[: self.k], kind="stable")
        x[: self.k] = 1
        x[panel[: self.k // 2]] = -1
        score = float(weights @ x)
        if score > 0:
            return None
        outside = self.k + np.argsort(-np.abs(weights[self.k :]), kind="stable")
        for i in outside:  # give back what can be given back
            if score + 2 * abs(weights[i]) <= 0 and weights[i]:
                score += 2 * abs(weights[i])
                x[i] = -x[i]
        return (x, 1) if float(weights @ x) <= 0 else None


class MinimalMargin:
    """Hurt the Perceptron with points of length 1 and margin γ in three dimensions.

    Every point has margin exactly γ and score 0, so |w|² grows by a whole 1 a mistake:
    R²/γ² is reached up to one.

    >>> from olc import Perceptron, duel
    >>> duel(Perceptron(3), MinimalMargin(0.1), rounds=1000).mistakes
    100
    """

    def __init__(self, margin: float) -> None:
        self.margin = _checks.number(margin, "margin", 0, 1)
        self.target = np.array([1.0, 0.0, 0.0])

    def __call__(self, learner: Any) -> Move | None:
        gamma, (first, *rest) = self.margin, learner.weights
        length, across = math.hypot(*rest), math.sqrt(1 - self.margin**2)
        if length == 0:
            return (np.array([gamma, across, 0.0]), 1) if first <= 0 else None
        along = -gamma * first / length
        if abs(along) > across:
            return None
        aside = math.sqrt(across**2 - along**2)
        direction = np.array(rest) / length
        normal = np.array([-direction[1], direction[0]])
        x = np.array([gamma, *(along * direction + aside * normal)])
        return _just_wrong(x, learner.weights)


def _just_wrong(x: Vector, weights: Vector) -> Move:
    """Take rounding off a score that should be 0, so that it is not above it."""
    score = float(weights @ x)
    if score > 0:
        x = x - weights * (2 * score / float(weights @ weights))
    return x, 1


class WorstOrder:
    """Hurt the Perceptron with the points of a pool, in the worst order we know.

    It picks the misclassified example whose score is largest after a discount for what
    it teaches, ⟨u, y x⟩√(M+1).
    """

    def __init__(self, stream: Stream) -> None:
        self.target = geometry.unit(stream.need_target())
        self._points = stream.y[:, None] * np.asarray(stream.X, dtype=float)
        self._stream, self._mistakes = stream, 0
        self._lesson = self._points @ self.target

    def __call__(self, learner: Any) -> Move | None:
        scores = self._points @ learner.weights
        cost = scores - self._lesson * math.sqrt(self._mistakes + 1)
        pick = int(np.argmax(np.where(scores <= 0, cost, -np.inf)))
        if scores[pick] > 0:
            return None
        self._mistakes += 1
        return np.asarray(self._stream.X[pick], dtype=float), int(self._stream.y[pick])


class Disjunction:
    """Hurt Winnow with a k-disjunction: promote the lightest relevant weight among
    the heaviest irrelevant ones, and demote these when they reach the threshold.

    >>> from olc import Winnow, duel
    >>> duel(Winnow(1024), Disjunction(1024, k=3), rounds=1000).mistakes
    84
    """

    def __init__(self, n: int, k: int) -> None:
        self.n, self.k = _checks.count(n, "n"), _checks.subset_size(k, n)
        self.target = (np.arange(n) < k).astype(float)

    def __call__(self, learner: Any) -> Move | None:
        weights, theta = learner.weights, learner.threshold
        relevant, others = weights[: self.k], weights[self.k :]
        lightest = int(relevant.argmin())
        order = self.k + np.argsort(-others, kind="stable")
        x = np.zeros(self.n)
        if others.sum() < 2 * theta and relevant[lightest] < theta:
            x[lightest], score = 1, float(relevant[lightest])
            for i in order:
                if score + weights[i] < theta:
                    x[i], score = 1, score + float(weights[i])
            return x, 1
        score = 0.0
        for i in order:
            if score < theta:
                x[i], score = 1, score + float(weights[i])
        return (x, -1) if score >= theta else None


class Split:
    """Hurt a deterministic majority: the heavier half of the experts is always wrong.

    The experts are dealt, best first, to the lighter side. Every round is a mistake.

    >>> from olc import WeightedMajority, duel
    >>> duel(WeightedMajority(16, eta=0.5), Split(), rounds=40).mistakes
    40
    """

    target = None

    def __call__(self, learner: Any) -> Move:
        weights = learner._relative()
        x, balance = np.empty(learner.n), 0.0
        for i in np.argsort(-weights, kind="stable"):
            x[i] = 1 if balance <= 0 else -1
            balance += x[i] * weights[i]
        return x, -1 if float(x @ weights) > 0 else 1


class _Drifting:
    """Run a script of moves; remember when the target changed."""

    def __init__(self, n: int) -> None:
        self.n = _checks.count(n, "n", least=3)
        self.drifts: list[tuple[int, Vector]] = []
        self._script: Iterator[Move] | None = None
        self._learner: Any = None

    def __call__(self, learner: Any) -> Move | None:
        if self._script is None:
            self._learner, self._script = learner, self.script()
        return next(self._script, None)

    @property
    def target(self) -> Vector:
        """The target at the end."""
        return self.drifts[-1][1]

    def script(self) -> Iterator[Move]:
        """Yield the moves of the game."""
        raise NotImplementedError

    def drift(self, *variables: int) -> None:
        """Change the target to the disjunction of these variables."""
        self.drifts.append((self._learner.rounds, self.bits(*variables)))

    def bits(self, *variables: int) -> Vector:
        """Return the example in which these variables are 1."""
        x = np.zeros(self.n)
        x[list(variables)] = 1
        return x

    def weight(self, *variables: int) -> float:
        """Return the sum of the learner's weights of these variables."""
        return float(self._learner.weights[list(variables)].sum())


class Flip(_Drifting):
    """Make Winnow forget a variable that it will need, then ask for it.

    The target flips between variables 0 and 1; variable 2 sits in every false positive
    and loses half of its weight each time. Then the target becomes variable 2.

    >>> from olc import Winnow, WinnowR, duel
    >>> for kind in (Winnow, WinnowR):
    ...     flip = Flip(1024, flips=100)
    ...     trace = duel(kind(1024), flip, rounds=10_000)
    ...     print(kind.__name__, int((trace.rounds >= flip.drifts[-1][0]).sum()))
    Winnow 109
    WinnowR 11
    """

    def __init__(self, n: int, flips: int) -> None:
        super().__init__(n)
        self.flips = _checks.count(flips, "flips")

    def script(self) -> Iterator[Move]:
        theta, old = self._learner.threshold, 1
        for flip in range(self.flips + 1):
            now = flip % 2
            self.drift(now)
            while flip and self.weight(old, 2) >= theta:
                yield self.bits(old, 2), -1
            while flip < self.flips and self.weight(now) < theta:
                yield self.bits(now), 1
            old = now
        self.drift(2)
        while self.weight(2) < theta:
            yield self.bits(2), 1


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

    def __init__(self, n: int, additions: int) -> None:
        super().__init__(n)
        self.additions = _checks.count(additions, "additions")
        if self.additions >= n:
            raise ValueError(f"additions = {additions} must be below n = {n}")

    def script(self) -> Iterator[Move]:
        theta = self._learner.threshold
        for now in range(1, self.additions + 1):
            self.drift(now)
            coming = range(now + 1, self.additions + 1)
            while True:
                if self.weight(0, *coming) >= theta:
                    yield self.bits(0, *coming), -1
                elif self.weight(now, 0) < theta:
                    yield self.bits(now, 0), 1
                elif self.weight(now) < theta:
                    yield self.bits(now), 1
                else:
                    break
