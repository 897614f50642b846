"""The threshold-relative update: step towards the plane that gets the example right.

Chapter `thick_separator`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from olc.core import ledger
from olc.core.check import Vector, above, assuming, at_least
from olc.core.game import Trace
from olc.core.learner import Threshold, parameter
from olc.core.numerics import undo_rounding

__all__ = ["ThresholdRelative", "mistake_bound", "proof"]


class ThresholdRelative(Threshold):
    r"""Step towards the plane on which the example has its right score.

    .. math:: w \leftarrow w + r\,\frac{\theta + y a - \langle w, x\rangle}
                                     {\|x\|^2}\,x

    At r = 1 and a = 0 it is the orthogonal projection onto
    :math:`\langle w, x\rangle = \theta`. Aiming beyond the threshold, by a > 0, is what
    gives a mistake bound. Algorithm {prf:ref}`alg-threshold-relative`.

    >>> learner = ThresholdRelative(2, threshold=1)
    >>> prediction = learner.learn([3, 4], +1)
    >>> learner.weights
    array([0.12, 0.16])
    """

    threshold: float = parameter(above(-math.inf), default=0.0)
    rate: float = parameter(above(0, 2), default=1.0)
    aim: float = parameter(at_least(0), default=0.0)

    def step(self, w: Vector, x: Vector, y: int) -> Vector:
        """Return the weights after a step of rate r towards the plane."""
        square = x @ x
        if square == 0:  # there is no plane to step to
            return w
        missing = self.threshold + y * self.aim - x @ w
        return w + self.rate * missing / square * x


@assuming(radius=above(0), aim=above(0), distance=at_least(0), rate=above(0, 2))
def mistake_bound(
    radius: float, aim: float, distance: float, rate: float = 1.0
) -> float:
    r"""Bound the mistakes of the threshold-relative update.

    Theorem {prf:ref}`thm-threshold-relative`: if some u has
    :math:`y(\langle u, x\rangle - \theta) \ge a` for all examples, at most
    :math:`R^2\|u - w_1\|^2/(r(2-r)a^2)` mistakes happen; `distance` is ‖u - w₁‖.

    >>> mistake_bound(radius=1, aim=0.5, distance=2)
    16.0
    """
    return undo_rounding((radius * distance / aim) ** 2 / (rate * (2 - rate)))


@ledger.tabulate("missing", "drop", "guaranteed")
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    """Return the ledger of the bound: one row per mistake.

    The potential is ‖w - u‖², which falls by at least `guaranteed`,
    r(2-r)·missing²/‖x‖², where `missing` is the way from the score to its aim.
    """
    moves, stream, learner = ledger.steps(trace, target, ThresholdRelative)
    u, theta, aim = stream.need_target(), learner.threshold, learner.aim
    slack = float(np.min(stream.y * (stream.X @ u - theta), initial=math.inf))
    if slack < aim * (1 - 1e-9):
        less = f"the target clears the threshold by {slack:.4g}, less than aim = {aim}"
        raise ValueError(f"{less}: the theorem needs y(⟨u, x⟩ - threshold) ≥ aim")
    share = learner.rate * (2 - learner.rate)

    start = before = float(np.sum((learner.weights - u) ** 2))
    for count, (t, x, y, score, after) in moves:
        missing = theta + y * aim - score
        guaranteed = share * missing**2 / (float(x @ x) or 1.0)  # it misses nothing
        potential = float(np.sum((after.weights - u) ** 2))
        upper = start - count * share * (aim / (stream.radius or 1.0)) ** 2
        drop, before = before - potential, potential
        yield t, missing, drop, guaranteed, 0.0, potential, upper
