"""The weighted majority algorithm: a vote in which experts lose weight by erring.

Chapter `weighted_majority`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from olc import _checks, _ledger
from olc.game import Learner, Stream, Trace, Vector

if TYPE_CHECKING:
    import pandas as pd


class Majority(Learner):
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
        """The weights (1 - η)^losses."""
        return np.asarray((1 - self.eta) ** self.losses.astype(float))

    def _relative(self, losses: Any = None) -> Vector:
        """Return the weights in units of the best expert's, which cannot vanish."""
        losses = self.losses if losses is None else losses
        return np.asarray((1 - self.eta) ** (losses - losses.min()).astype(float))

    def _vote(self, X: Vector, losses: Any = None) -> Any:
        """Return the mean opinion, weighted: between -1 and +1."""
        weights = self._relative(losses)
        return X @ weights / weights.sum()

    def _score(self, X: Vector) -> Any:
        return self._vote(X)

    def _doubtful(self, scores: Vector, band: float) -> list[int]:
        """Say which of these scores are too close to call with this rounding error."""
        raise NotImplementedError

    def _wants_update(self, score: Any, y: Any) -> Any:
        return True

    def _update(self, x: Vector, y: int) -> None:
        self.losses = self.losses + (x != y)


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
    start = trace.before.weights
    wrong = set(trace.rounds.tolist())

    def rows() -> Iterator[dict[str, float]]:
        count = 0
        for _, step in _ledger.steps(trace, stream, WeightedMajority):
            if step.t in wrong:
                count += 1
                yield {"round": step.t} | _envelope(step.learner, start, count)

    return _ledger.ledger(rows())


def _envelope(learner: Majority, start: Vector, count: int) -> dict[str, float]:
    log_beta, least = math.log1p(-learner.eta), int(learner.losses.min())
    return {
        "best": least,
        "lower": least * log_beta,
        "potential": least * log_beta + math.log(float(learner._relative().sum())),
        "upper": math.log(float(start.sum())) + count * math.log1p(-learner.eta / 2),
    }
