"""Passive–Aggressive: the smallest step that gives the example a score of one.

Chapter `thick_separator`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from olc.core import ledger
from olc.core.check import Vector, above, assuming, at_least, flag
from olc.core.game import Trace
from olc.core.learner import Linear, hints, parameter
from olc.core.numerics import undo_rounding

__all__ = ["PassiveAggressive", "mistake_bound", "proof"]


def _cap(value: Any, name: str) -> float | None:
    return None if value is None else above(0)(value, name)


@hints(coordinatewise=True, margin_rule=True)
class PassiveAggressive(Linear):
    r"""Step just as far as it takes for :math:`y\langle w, x\rangle = 1`.

    .. math:: w \leftarrow w + s\,y\,x

    with a step s of :math:`\ell/\|x\|^2`, :math:`\min(C, \ell/\|x\|^2)` or
    :math:`\ell/(\|x\|^2 + 1/(2C))`, where
    :math:`\ell = \max(0, 1 - y\langle w, x\rangle)`. The first is PA; with a `C` no
    step is so large that one wrong label ruins the weights: PA-I caps it, and PA-II
    (`squared`) shortens it. Algorithm {prf:ref}`alg-passive-aggressive`.

    >>> learner = PassiveAggressive(2)
    >>> prediction = learner.learn([3, 4], +1)
    >>> learner.weights, learner.score([3, 4])
    (array([0.12, 0.16]), 1.0)
    """

    thickness = math.nextafter(1, 0)  #: up to here there is a loss
    C: float | None = parameter(_cap, default=None)
    squared: bool = parameter(flag, default=False)

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example has a loss."""
        return y * score <= self.thickness

    def step(self, w: Vector, x: Vector, y: int) -> Vector:
        """Return the weights after the step; for x = 0 there is none."""
        loss, square = 1 - y * math.fsum(x * w), math.fsum(x * x)
        return w + self.size(loss, square) * y * x if square > 0 else w

    def size(self, loss: Any, square: Any) -> Any:
        """Return s, the size of the step."""
        if self.C is None:
            return loss / square
        if self.squared:
            return loss / (square + 1 / (2 * self.C))
        return min(self.C, loss / square)


@assuming(radius=above(0), length=at_least(0), loss=at_least(0), C=_cap, squared=flag)
def mistake_bound(
    radius: float,
    length: float,
    loss: float = 0.0,
    C: float | None = None,
    squared: bool = False,
) -> float:
    r"""Bound the mistakes of the Passive–Aggressive algorithms.

    Theorem {prf:ref}`thm-passive-aggressive`, for any u of this `length`: `loss` is the
    sum of its hinge losses max(0, 1 - y⟨u, x⟩), of their squares for PA-II. PA has a
    bound only if there is none. A unit vector of margin γ gives a u of length 1/γ
    without loss, and PA the Perceptron's R²/γ².

    >>> mistake_bound(radius=1, length=10)
    100.0
    >>> mistake_bound(radius=1, length=10, loss=50, C=0.1)
    1100.0
    >>> mistake_bound(radius=1, length=10, loss=50, C=0.1, squared=True)
    660.0
    """
    if C is None:
        return undo_rounding((radius * length) ** 2) if loss == 0 else math.inf
    spread = radius**2 + 1 / (2 * C) if squared else max(radius**2, 1 / C)
    return undo_rounding(spread * (length**2 + 2 * C * loss))


@ledger.tabulate("loss", "size", "drop", "guaranteed", index="update")
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the bound: one row per update.

    The potential is :math:`\|w - u\|^2`. An update of size s at the loss ℓ lowers it by
    `guaranteed` at least, :math:`s(2\ell - s\|x\|^2 - 2\ell_t(u))`, which is negative
    where u itself has a large loss :math:`\ell_t(u)`. The target may have any length.
    """
    moves, stream, learner = ledger.steps(trace, target, PassiveAggressive)
    u = stream.need_target()
    upper = before = float(np.sum((learner.weights - u) ** 2))
    for _, (t, x, y, score, after) in moves:
        loss, square = 1 - y * score, float(x @ x)
        size = learner.size(loss, square) if square > 0 else 0.0
        of_target = max(0.0, 1 - y * float(u @ x))
        potential = float(np.sum((after.weights - u) ** 2))
        guaranteed = size * (2 * loss - size * square - 2 * of_target)
        upper -= guaranteed
        drop, before = before - potential, potential
        yield t, loss, size, drop, guaranteed, 0.0, potential, upper
