"""The weighted majority algorithm: a vote in which experts lose weight by erring.

Chapter `weighted_majority`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from olc import _checks, _ledger
from olc.game import Learner, Stream, Trace, Vector

if TYPE_CHECKING:
    import pandas as pd


class Majority(Learner, ABC):
    """Experts with weights (1 - η)^(mistakes so far), updated in every round.

    The mistakes are counted and the weights derived from the counts, so a million
    rounds neither exhaust the weights nor add up rounding errors.
    """

    features: ClassVar[str] = "signs"

    def __init__(self, n: int, eta: float, **parameters: Any) -> None:
        self.n = _checks.count(n, "n")
        self.eta = _checks.number(eta, "eta", 0, 1)
        self.parameters = {"eta": self.eta} | parameters
        self.losses = np.zeros(self.n, dtype=np.int64)

    @property
    def weights(self) -> Vector:
        """The weights (1 - η)^losses, in larger units once the best would vanish."""
        most = int(460 / -math.log1p(-self.eta))  # a weight of about 1e-200
        spared = max(0, int(self.losses.min()) - most)
        return _decayed(1 - self.eta, self.losses - spared)

    def _relative(self, losses: Any = None) -> Vector:
        """Return the weights in units of the best expert's, which cannot vanish."""
        losses = self.losses if losses is None else losses
        return _decayed(1 - self.eta, losses - losses.min())

    def _vote(self, X: Vector, losses: Any = None) -> Any:
        """Return the mean opinion, weighted: between -1 and +1.

        What rounding leaves of a balance is taken off: a tie is one on every machine.
        """
        weights = self._relative(losses)
        vote = X @ weights / weights.sum()
        return vote * (np.abs(vote) > 1e-12)

    def _score(self, X: Vector) -> Any:
        return self._vote(X)

    @property
    def log_total(self) -> float:
        """The logarithm of the total weight, which is the potential of the proofs."""
        best = int(self.losses.min())
        return best * math.log1p(-self.eta) + math.log(float(self._relative().sum()))

    @abstractmethod
    def _doubtful(self, scores: Vector, band: float) -> list[int]:
        """Say which of these scores are too close to call with this rounding error."""

    def _wants_update(self, score: Any, y: Any) -> Any:
        return True

    def _update(self, x: Vector, y: int) -> None:
        self.losses = self.losses + (x != y)


def _decayed(beta: float, losses: NDArray[np.int64]) -> Vector:
    """Return beta ** losses, by repeated products: the same bits on every machine."""
    longest = int(losses.max())
    if longest > 1 << 16:  # too long a table, and too rare a game
        return np.asarray(beta ** losses.astype(float))
    table = np.multiply.accumulate(np.append(1.0, np.full(longest, beta)))
    return np.asarray(table[losses])


class WeightedMajority(Majority):
    r"""Predict with the weighted majority; multiply wrong experts by 1 - η.

    .. math:: w_i \leftarrow w_i\,(1 - \eta\,\mathbb{1}[x_i \ne y])

    Every round changes the weights, right or wrong.
    Algorithm {prf:ref}`alg-weighted-majority`.

    >>> learner = WeightedMajority(3, eta=0.5)
    >>> learner.update([+1, -1, -1], +1)
    >>> learner.weights
    array([1. , 0.5, 0.5])
    """

    def __init__(self, n: int, eta: float) -> None:
        super().__init__(n, eta)

    def _doubtful(self, scores: Vector, band: float) -> list[int]:
        return list(np.flatnonzero(np.abs(scores) <= band))


SIMPLE_ETA = 0.8939  #: the simple bound is valid for η up to here (rounded down)


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
    n, eta = _checks.count(n, "n"), _checks.number(eta, "eta", 0, 1)
    best = _checks.at_least(best, "best", 0)
    if not simple:
        return (math.log(n) - best * math.log1p(-eta)) / -math.log1p(-eta / 2)
    if eta > SIMPLE_ETA:
        raise ValueError(
            f"the simple bound is false for eta = {eta}: it needs eta at most "
            f"{SIMPLE_ETA}; leave simple=True out"
        )
    return 2 * (1 + eta) * best + 2 * math.log(n) / eta


def best_expert(stream: Stream) -> tuple[int, int]:
    """Return the expert that errs least on the stream, and how often it errs.

    >>> from olc import Stream
    >>> best_expert(Stream(np.array([[1, -1], [1, 1], [-1, 1]]), np.array([1, 1, 1])))
    (0, 1)
    """
    losses = np.zeros(stream.n, dtype=np.int64)
    for start, part in _checks.chunks(stream.X):
        losses += np.sum(part != stream.y[start : start + len(part), None], axis=0)
    return int(losses.argmin()), int(losses.min())


def regret(trace: Trace, stream: Stream) -> float:
    """Return the (expected) mistakes beyond those of the best expert."""
    return trace.expected_mistakes - best_expert(stream)[1]


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is the logarithm of the total weight: at least that of the best
    expert, at most :math:`\ln N + M\ln(1-\eta/2)`, because a mistake means that at
    least half of the weight was wrong.
    """
    moves = _ledger.steps(trace, stream, WeightedMajority)
    learner: Any = trace.before
    start, log_beta = learner.log_total, math.log1p(-learner.eta)
    wrong = set(trace.rounds.tolist())

    def rows() -> Iterator[dict[str, float]]:
        count = 0
        for _, step in moves:
            if step.t in wrong:
                count += 1
                best = int(step.learner.losses.min())
                yield {
                    "round": step.t,
                    "best": best,
                    "lower": best * log_beta,
                    "potential": step.learner.log_total,
                    "upper": start + count * math.log1p(-learner.eta / 2),
                }

    return _ledger.ledger(rows(), ("best",))
