"""The weighted majority algorithm: a vote in which experts lose weight by erring.

Chapter `weighted_majority`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, at_least, flag, whole
from olc.core.game import Trace, as_trace
from olc.core.learner import Linear, hints, parameter
from olc.core.stream import Stream, as_stream

__all__ = ["WeightedMajority", "mistake_bound", "losses_over_time", "best_expert",
           "regret", "proof"]  # fmt: skip


@hints(batched=True)
class WeightedMajority(Linear):
    r"""Predict with the weighted majority; multiply wrong experts by 1 - η.

    .. math:: w_i \leftarrow w_i\,(1 - \eta\,\mathbb{1}[x_i \ne y])

    Every round changes the weights, right or wrong. The state counts the mistakes of
    each expert. Algorithm {prf:ref}`alg-weighted-majority`.

    >>> learner = WeightedMajority(3, eta=0.5)
    >>> prediction = learner.learn([+1, -1, -1], +1)
    >>> learner.weights
    array([1. , 0.5, 0.5])
    """

    features: ClassVar[str] = "signs"
    eta: float = parameter(above(0, 1))

    def start(self) -> Any:
        """Return the experts' mistakes before the first round."""
        return np.zeros(self.n, dtype=int)

    def score(self, x: Vector) -> Any:
        """Return the mean opinion, weighted: between -1 and +1."""
        return (x * self.weights).sum() / self.weights.sum()

    def wants_update(self, score: Any, y: Any) -> Any:
        """Every round is a lesson."""
        return True

    def step(self, mistakes: Any, x: Vector, y: int) -> Any:
        """Count the mistakes of each expert."""
        return mistakes + (x != y)

    def link(self, mistakes: Any) -> Vector:
        """Return the weights."""
        return (1 - self.eta) ** mistakes

    def weigh(self, mistakes: Any) -> Vector:
        """Return the weights, all multiplied by one factor before they underflow."""
        return super().weigh(mistakes - self._forgiven(mistakes))

    def _forgiven(self, mistakes: Any) -> Any:
        most = max(1, int(460 / max(-math.log1p(-self.eta), 1e-300)))
        best = mistakes.min(axis=-1, keepdims=True)
        return best - best % most

    def score_ahead(self, rows: Vector, labels: Any) -> Vector:
        """Return each round's score before its update, and make all the updates."""
        wrong = self.step(0, rows, labels[:, None])
        counts = np.vstack([self.state, self.state + np.cumsum(wrong, axis=0)])
        counted = counts[:-1] - self._forgiven(counts[:-1])
        if counted.dtype.kind == "i" and counted.max() < counted.size:  # many are equal
            weights = self.weigh(np.arange(counted.max() + 1))[counted]
        else:
            weights = self.weigh(counted)
        self.state = counts[-1]
        return np.asarray((rows * weights).sum(axis=1) / weights.sum(axis=1))

    @property
    def losses(self) -> Any:
        """How often each expert has erred."""
        return self.state

    @property
    def log_total(self) -> float:
        """The logarithm of the total weight, which is the potential of the proofs."""
        best = int(self.state.min())
        shares = self.link(self.state - best)
        return best * math.log1p(-self.eta) + math.log(float(shares.sum()))


SIMPLE_ETA = 0.8939  #: the simple bound is valid for η up to here (rounded down)


@assuming(n=whole(), best=at_least(0), eta=above(0, 1), simple=flag)
def mistake_bound(n: int, best: float, eta: float, simple: bool = False) -> float:
    r"""Bound the mistakes by those of the best expert, m.

    Theorem {prf:ref}`thm-weighted-majority`, for every 0 < η < 1:

    .. math:: M \le \frac{m \ln\frac{1}{1-\eta} + \ln N}{\ln\frac{1}{1-\eta/2}}

    With ``simple=True`` it is 2(1+η)m + 2 ln N/η, valid for η ≤ 0.8939.

    >>> round(mistake_bound(16, best=10, eta=0.5), 2)
    33.73
    >>> round(mistake_bound(16, best=10, eta=0.5, simple=True), 2)
    41.09
    """
    if not simple:
        return (math.log(n) - best * math.log1p(-eta)) / -math.log1p(-eta / 2)
    if eta > SIMPLE_ETA:
        raise ValueError(f"eta is {eta}: the simple bound needs at most {SIMPLE_ETA}")
    return 2 * (1 + eta) * best + 2 * math.log(n) / eta


def losses_over_time(stream: Stream) -> Vector:
    """Return the mistakes of every expert so far: a row per round, from round 0.

    >>> from olc import Stream
    >>> losses_over_time(Stream(np.array([[1, -1], [1, 1]]), np.array([1, -1])))
    array([[0., 0.],
           [0., 1.],
           [1., 2.]])
    """
    wrong = _wrong(stream)
    return np.vstack([np.zeros(wrong.shape[1]), np.cumsum(wrong, axis=0)])


def best_expert(stream: Stream) -> tuple[int, int]:
    """Return the expert that errs least on the stream, and how often it errs.

    >>> from olc import Stream
    >>> best_expert(Stream(np.array([[1, -1], [1, 1], [-1, 1]]), np.array([1, 1, 1])))
    (0, 1)
    """
    losses = _wrong(stream).sum(axis=0)
    return int(losses.argmin()), int(losses.min())


def _wrong(stream: Stream) -> NDArray[np.bool_]:
    return check.as_floats(as_stream(stream).X) != stream.y[:, None]


def regret(trace: Trace) -> float:
    """Return the (expected) mistakes beyond those of the best expert."""
    return as_trace(trace).expected_mistakes - best_expert(trace.stream)[1]


@ledger.tabulate("best")
def proof(trace: Trace) -> Iterator[ledger.Row]:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is the logarithm of the total weight: at least that of the best
    expert, at most :math:`\ln N + M\ln(1-\eta/2)`, because a mistake means that at
    least half of the weight was wrong.
    """
    moves, learner = ledger.mistakes(trace, WeightedMajority)
    start, eta = learner.log_total, learner.eta
    for count, step in moves:
        best = int(step.learner.losses.min())
        lower, upper = best * math.log1p(-eta), start + count * math.log1p(-eta / 2)
        yield step.t, best, lower, step.learner.log_total, upper
