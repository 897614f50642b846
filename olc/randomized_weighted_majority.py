"""The randomised weighted majority algorithm: follow one expert, drawn by weight.

Chapter `randomized_weighted_majority`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from olc.core import ledger
from olc.core.check import above, assuming, at_least, flag, whole
from olc.core.game import Trace
from olc.core.learner import hints, parameter
from olc.weighted_majority import WeightedMajority
from olc.weighted_majority import best_expert as best_expert
from olc.weighted_majority import regret as regret

__all__ = ["RandomizedWeightedMajority", "mistake_bound", "best_eta", "regret_bound",
           "proof"]  # fmt: skip


@hints(batched=True)
class RandomizedWeightedMajority(WeightedMajority):
    r"""Follow an expert, drawn by weight; multiply wrong experts by 1 - η.

    To follow a drawn expert is to say +1 with a probability that is the share of
    weight on +1, which takes one coin. Algorithm
    {prf:ref}`alg-randomized-weighted-majority`.

    >>> learner = RandomizedWeightedMajority(3, eta=0.5, seed=0)
    >>> float(learner.scores([+1, +1, -1]))  # the share on +1 minus that on -1
    0.3333333333333333
    """

    randomized: ClassVar[bool] = True
    seed: int = parameter(whole(0), default=0)

    def start(self) -> Any:
        """Return the experts' mistakes before the first round; take out the coin."""
        self.random = np.random.default_rng(self.seed)
        return super().start()

    def decide(self, score: Any) -> Any:
        """Return +1 with the probability that is the share of weight on +1."""
        coin = self.random.random(np.shape(score))
        return np.where(coin < (1 + score) / 2, 1, -1)

    def error_chance(self, score: Any, y: Any) -> Any:
        """Return the share of weight on the wrong side."""
        return (1 - y * score) / 2


SIMPLE_ETA = 0.6838  #: the simple bound is valid for η up to here (rounded down)


@assuming(n=whole(), best=at_least(0), eta=above(0, 1), simple=flag)
def mistake_bound(n: int, best: float, eta: float, simple: bool = False) -> float:
    r"""Bound the expected mistakes by those of the best expert, m.

    Theorem {prf:ref}`thm-randomized-weighted-majority`, for every 0 < η < 1:

    .. math:: \mathbb{E}[M] \le \frac{m \ln\frac{1}{1-\eta} + \ln N}{\eta}

    With ``simple=True`` it is (1+η)m + ln N/η, valid for η ≤ 0.6838.

    >>> round(mistake_bound(16, best=10, eta=0.5), 2)
    19.41
    >>> round(mistake_bound(16, best=10, eta=0.5, simple=True), 2)
    20.55
    """
    if not simple:
        return (math.log(n) - best * math.log1p(-eta)) / eta
    if eta > SIMPLE_ETA:
        raise ValueError(f"eta is {eta}: the simple bound needs at most {SIMPLE_ETA}")
    return (1 + eta) * best + math.log(n) / eta


@assuming(n=whole(2), rounds=whole())
def best_eta(n: int, rounds: int) -> float:
    """Return √(ln N / T), the η that balances the two terms of the regret bound.

    It is at most ½, which a short game would exceed.

    >>> round(best_eta(10, 1000), 4)
    0.048
    """
    return min(0.5, math.sqrt(math.log(n) / rounds))


@assuming(n=whole(), rounds=whole())
def regret_bound(n: int, rounds: int) -> float:
    """Bound the expected regret after T rounds with the best η: 2√(T ln N).

    >>> round(regret_bound(10, 1000), 2)
    95.97
    """
    return 2 * math.sqrt(rounds * math.log(n))


@ledger.tabulate("best", "chance", "expected")
def proof(trace: Trace) -> Iterator[ledger.Row]:
    r"""Return the ledger of the bound: one row per mistake of this run.

    The potential is the logarithm of the total weight. Each round multiplies the total
    by exactly :math:`1-\eta F_t`, :math:`F_t` being the chance of a mistake, so it is
    at most :math:`\ln N - \eta\sum_t F_t`; it is at least that of the best expert.
    """
    moves, learner = ledger.mistakes(trace, RandomizedWeightedMajority)
    start, eta = learner.log_total, learner.eta
    chances = np.asarray(trace.expected)
    so_far = np.cumsum(chances)
    for _, step in moves:
        best, expected = int(step.learner.losses.min()), so_far[step.t]
        bounds = best * math.log1p(-eta), step.learner.log_total, start - eta * expected
        yield step.t, best, chances[step.t], expected, *bounds
