"""The forecaster of Vovk, Azoury and Warmuth: ridge regression that looks ahead.

Chapter `regression`, after gradient descent. It plays the game `olc.gradient.forecast`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, at_least, whole
from olc.core.learner import parameter
from olc.gradient import Forecaster, Forecasts, first

__all__ = ["VovkAzouryWarmuth", "regret_bound", "bound", "proof"]


class VovkAzouryWarmuth(Forecaster):
    r"""Predict as if the present example had come before, with the outcome 0.

    .. math:: A \leftarrow A + x x^\top, \quad
              \hat y = \langle A^{-1} b, x\rangle, \quad b \leftarrow b + y\,x

    from A = aI and b = 0. Algorithm {prf:ref}`alg-vovk`. The state holds A and b side
    by side, and the weights are those of ridge regression, which would predict before
    it adds x to A.

    >>> learner = VovkAzouryWarmuth(1)
    >>> [learner.learn([1], y) for y in (3, 3, 3)]  # 0/2, 3/3, 6/4
    [0.0, 1.0, 1.5]
    """

    a: float = parameter(above(0), default=1.0)

    def start(self) -> Vector:
        """Return A and b before the first round."""
        return np.column_stack([self.a * np.eye(self.n), np.zeros(self.n)])

    def score(self, x: Vector) -> float:
        """Return the forecast for one example, which A takes in first."""
        A, b = self.state[:, :-1] + np.outer(x, x), self.state[:, -1]
        return float(np.linalg.solve(A, b) @ x)

    def update(self, x: Vector, y: float, said: float) -> None:
        """Add x xᵀ to A and y x to b."""
        self.state = self.state + np.outer(x, [*x, y])

    def link(self, state: Vector) -> Any:
        """Return the weights with the least square loss so far, plus a‖w‖²."""
        return np.linalg.solve(state[:, :-1], state[:, -1])

    def predict(self, X: ArrayLike) -> Any:
        """Return the forecast for one example, or for every row of a block."""
        super().predict(X)
        rows = check.as_floats(check.numeric(X, "X"))
        return np.apply_along_axis(self.score, -1, rows)

    def distance(self, u: ArrayLike) -> float:
        """Return what u has lost so far beyond the least, a‖u‖² at the beginning."""
        gap = check.example(u, self.n, name="u") - self.weights
        return float(gap @ self.state[:, :-1] @ gap)


# ---------------------------------------------------------------- bound and proof


@assuming(
    n=whole(), rounds=whole(0), radius=at_least(0), largest=at_least(0), a=above(0)
)
def regret_bound(
    n: int, rounds: int, *, radius: float, largest: float, a: float = 1.0
) -> float:
    r"""Bound the loss beyond that of any u, plus a‖u‖², by a logarithm of T.

    Theorem {prf:ref}`thm-vovk`, for examples of length R at most and outcomes of size
    Y, `largest`, at most: :math:`N Y^2 \ln(1 + T R^2/(aN))`.

    >>> round(regret_bound(1, 1000, radius=1, largest=1), 2)
    6.91
    >>> round(regret_bound(5, 10_000, radius=2, largest=3), 1)
    404.4
    """
    return largest**2 * n * math.log1p(rounds * (radius / a**0.5) ** 2 / n)


def bound(trace: Forecasts, u: ArrayLike) -> float:
    r"""Bound the loss of a game by that of weights u: the sharp form of the theorem.

    It is :math:`L_u + a\|u\|^2 + Y^2\ln\det(A_T/a)`, with Y read off the game.

    >>> from olc.gradient import forecast
    >>> trace = forecast(VovkAzouryWarmuth(1), [[1], [1]], [1, 1])
    >>> round(trace.loss, 4), round(bound(trace, [0.5]), 4)  # 13/9 and ½ + ¼ + ln 3
    (1.4444, 1.8486)
    """
    learner = first(trace, VovkAzouryWarmuth)
    largest = float(np.abs(trace.y).max(initial=0))
    A = learner.state[:, :-1]
    growth = np.linalg.slogdet(A + trace.X.T @ trace.X)[1] - np.linalg.slogdet(A)[1]
    return trace.loss_of(u) + learner.distance(u) + largest**2 * float(growth)


@ledger.tabulate("loss", "rise", "excess", "allowed", index="round")
def proof(trace: Forecasts, u: ArrayLike) -> Iterator[ledger.Row]:
    r"""Return the ledger of the bound: one row per round.

    The potential is the least loss so far, :math:`\min_u[L_u + a\|u\|^2]`. It is at
    most that of the u given, and at least the learner's own loss less Y² ln det(A/a):
    a round's `loss` exceeds the `rise` of the least by the `excess`, which is at most
    the `allowed` growth of the logarithm.
    """
    learner = first(trace, VovkAzouryWarmuth)
    largest = float(np.abs(trace.y).max(initial=0))
    upper, least, lower = learner.distance(u), 0.0, 0.0
    target = check.example(u, learner.n, name="u")
    for x, y, said in zip(trace.X, trace.y, trace.predictions, strict=True):
        of_ridge = float(y - x @ learner.weights)
        learner.update(x, y, said)
        stretch = float(x @ np.linalg.solve(learner.state[:, :-1], x))
        loss, rise = (y - said) ** 2, of_ridge**2 * (1 - stretch)
        allowed = -(largest**2) * math.log1p(-stretch)
        least, lower = least + rise, lower + loss - allowed
        upper += float(y - x @ target) ** 2
        yield loss, rise, loss - rise, allowed, lower, least, upper
