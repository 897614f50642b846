"""Winnow-R: Winnow with a floor under its weights, for a target that moves.

Chapter `winnow_r`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from olc import _checks, _ledger
from olc.game import Stream, Trace, Vector
from olc.winnow import Winnow

if TYPE_CHECKING:
    import pandas as pd


class WinnowR(Winnow):
    r"""Winnow whose demotions stop at the floor :math:`1/\alpha`, ½ for α = 2.

    .. math:: w_i \leftarrow \max(w_i\,\alpha^{\,y x_i},\ 1/\alpha)

    A feature that the target takes up late is then never far from the threshold.
    Algorithm {prf:ref}`alg-winnow-r`.

    >>> learner = WinnowR(2)
    >>> for _ in range(3):
    ...     learner.update([1, 1], -1)
    >>> learner.weights
    array([0.5, 0.5])
    """

    def __init__(
        self, n: int, alpha: float = 2.0, threshold: float | None = None
    ) -> None:
        super().__init__(n, alpha, threshold)
        self.parameters = {"alpha": self.alpha, "threshold": self.threshold}

    def _step(self, state: Vector, x: Vector, y: Any) -> Vector:
        return np.maximum(super()._step(state, x, y), -1.0)


def promotions(n: int, alpha: float = 2.0) -> int:
    """Return how often a variable is promoted in one stay in the target.

    It enters with weight at least 1/α and is promoted only below n:
    ⌈log_α n⌉ + 1 times.

    >>> promotions(1024)
    11
    """
    from olc import winnow

    return winnow.promotions(n, alpha) + 1


def mistake_bound(n: int, additions: int, alpha: float = 2.0) -> int:
    r"""Bound the mistakes on a disjunction to which variables are added.

    Theorem {prf:ref}`thm-winnow-r`, with θ = n: c additions (removals are free, the
    first target counts) allow :math:`u \le c(\lceil\log_\alpha n\rceil + 1)`
    promotions; a demotion takes more than :math:`n(1-1/\alpha)^2` from a total that
    never falls below n/α, so :math:`v < (\alpha^2 u + \alpha)/(\alpha - 1)`. For
    α = 2 it is :math:`5c(\lceil\log_2 n\rceil + 1) + 1`.

    >>> mistake_bound(1024, additions=1)
    56
    """
    n, c = _checks.count(n, "n"), _checks.count(additions, "additions")
    alpha = _checks.number(alpha, "alpha", 1)
    up = c * promotions(n, alpha)
    down = math.ceil((alpha**2 * up + alpha) / (alpha - 1) - 1e-9) - 1
    return up + down


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    r"""Return the ledger of the drifting bound: one row per mistake.

    The potential is the total weight. A promotion adds at most (α-1)n and a demotion
    takes more than n(1-1/α)² (the column `change` shows it): the upper bound. The
    floor gives the lower one, n/α. `most_promotions` is c(⌈log_α n⌉ + 1) for the c
    variables added so far.
    """
    learner: Any = trace.before
    starts = np.array([start for start, _ in stream.drifts] or [0])
    costs = [
        Stream(stream.X, stream.y, stream.target, stream.drifts[: i + 1]).additions
        for i in range(len(starts))
    ]

    def rows() -> Iterator[dict[str, float]]:
        n, alpha = learner.n, learner.alpha
        total, up, down = float(learner.weights.sum()), 0, 0
        start = total
        for _, step in _ledger.steps(trace, stream, WinnowR):
            up, down = up + (step.y > 0), down + (step.y < 0)
            before, total = total, float(step.learner.weights.sum())
            cost = costs[int(np.searchsorted(starts, step.t, "right")) - 1]
            yield {
                "round": step.t,
                "additions": cost,
                "promotions": up,
                "demotions": down,
                "most_promotions": cost * promotions(n, alpha),
                "change": total - before,
                "lower": n / alpha,
                "potential": total,
                "upper": start + n * (up * (alpha - 1) - down * (1 - 1 / alpha) ** 2),
            }

    return _ledger.ledger(rows())
