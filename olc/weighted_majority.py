"""The weighted majority algorithm: a vote in which experts lose weight by erring.

Chapter `weighted_majority`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from olc.core import check, ledger
from olc.core.game import Stream, Trace, as_stream, as_trace
from olc.core.learner import Experts, Vector

if TYPE_CHECKING:
    import pandas as pd


class WeightedMajority(Experts):
    r"""Predict with the weighted majority; multiply wrong experts by 1 - η.

    .. math:: w_i \leftarrow w_i\,(1 - \eta\,\mathbb{1}[x_i \ne y])

    Every round changes the weights, right or wrong.
    Algorithm {prf:ref}`alg-weighted-majority`.

    >>> learner = WeightedMajority(3, eta=0.5)
    >>> learner.update([+1, -1, -1], +1)
    >>> learner.weights
    array([1. , 0.5, 0.5])
    """


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
    n, eta = check.count(n, "n"), check.number(eta, "eta", 1e-300, 1)
    best = check.at_least(best, "best", 0)
    if not check.flag(simple, "simple"):
        return (math.log(n) - best * math.log1p(-eta)) / -math.log1p(-eta / 2)
    if eta > SIMPLE_ETA:
        raise ValueError(
            f"the simple bound is false for eta = {eta}: it needs eta at most "
            f"{SIMPLE_ETA}; leave simple=True out"
        )
    return 2 * (1 + eta) * best + 2 * math.log(n) / eta


def losses_over_time(stream: Stream) -> Vector:
    """Return the mistakes of every expert so far: a row per round, from round 0.

    >>> from olc import Stream
    >>> losses_over_time(Stream(np.array([[1, -1], [1, 1]]), np.array([1, -1])))
    array([[0., 0.],
           [0., 1.],
           [1., 2.]])
    """
    stream = as_stream(stream, None)
    wrong = check.as_floats(stream.X) != stream.y[:, None]
    return np.vstack([np.zeros(stream.n), np.cumsum(wrong, axis=0)])


def best_expert(stream: Stream) -> tuple[int, int]:
    """Return the expert that errs least on the stream, and how often it errs.

    >>> from olc import Stream
    >>> best_expert(Stream(np.array([[1, -1], [1, 1], [-1, 1]]), np.array([1, 1, 1])))
    (0, 1)
    """
    stream = as_stream(stream, None)
    losses = np.zeros(stream.n, dtype=np.int64)
    for start, part in check.chunks(stream.X):
        losses += np.sum(
            check.as_floats(part) != stream.y[start : start + part.shape[0], None],
            axis=0,
        )
    return int(losses.argmin()), int(losses.min())


def regret(trace: Trace) -> float:
    """Return the (expected) mistakes beyond those of the best expert."""
    return as_trace(trace).expected_mistakes - best_expert(trace.stream)[1]


def proof(trace: Trace) -> pd.DataFrame:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is the logarithm of the total weight: at least that of the best
    expert, at most :math:`\ln N + M\ln(1-\eta/2)`, because a mistake means that at
    least half of the weight was wrong.
    """
    moves = ledger.mistakes(trace, WeightedMajority)
    learner: Any = trace.before
    start, eta = learner.log_total, learner.eta

    def rows() -> Iterator[dict[str, float]]:
        for count, step in moves:
            best = int(step.learner.losses.min())
            yield {
                "round": step.t,
                "best": best,
                "lower": best * math.log1p(-eta),
                "potential": step.learner.log_total,
                "upper": start + count * math.log1p(-eta / 2),
            }

    return ledger.ledger(rows(), ("best",))
