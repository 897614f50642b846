"""Balanced Winnow: two weights per feature, so that a target may have either sign.

Chapter `balanced_winnow`. The normalised form, which has a theorem, and the threshold
form with factors 2 and ½, which has none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from olc import geometry, normalized_winnow
from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, whole
from olc.core.game import Trace
from olc.core.learner import Linear, Threshold, hints, parameter
from olc.core.numerics import bisected, softmax, undo_rounding
from olc.normalized_winnow import log_sum_exp

__all__ = ["BalancedWinnow", "ThresholdBalancedWinnow", "mistake_bound", "panel_bound",
           "rate_bound", "crossover", "proof", "rate_proof"]  # fmt: skip


class BalancedWinnow(Linear):
    r"""Normalised Winnow on the features and their negatives.

    .. math:: w^{\pm}_i \leftarrow w^{\pm}_i\, e^{\pm\eta y x_i} / Z,

    one Z for both halves; the prediction is
    :math:`\operatorname{sign}\langle w^+ - w^-, x\rangle`. Both halves follow from one
    vector s, the sum of y x over the mistakes:
    :math:`w^+_i - w^-_i = \sinh\eta s_i / \sum_j \cosh\eta s_j`.
    Algorithm {prf:ref}`alg-balanced-winnow`.

    >>> learner = BalancedWinnow(2, eta=math.log(2))
    >>> prediction = learner.learn([1, 0], -1)
    >>> learner.weights.round(4)
    array([-0.3333,  0.    ])
    """

    eta: float = parameter(above(0))

    def step(self, s: Vector, x: Vector, y: int) -> Vector:
        """Add the example, as the Perceptron does to its weights."""
        return s + y * x

    def link(self, s: Vector) -> Vector:
        """Return w⁺ - w⁻: sinh ηs / Σ cosh ηs, without overflow."""
        logs = self.eta * s
        return np.tanh(logs) * softmax(np.logaddexp(logs, -logs))

    @property
    def halves(self) -> tuple[Vector, Vector]:
        """The weights w⁺ of the features and w⁻ of their negatives."""
        both = softmax(self.eta * doubled(self.state))
        return both[: self.n], both[self.n :]


@hints(coordinatewise=True)
class ThresholdBalancedWinnow(Threshold):
    r"""Predict +1 iff :math:`\langle w^+ - w^-, x\rangle \ge \theta`.

    .. math:: w^{\pm}_i \leftarrow w^{\pm}_i\, \alpha^{\pm y x_i}

    at a mistake. The weights start at `plus` and `minus`; their product never changes,
    so one count per feature describes both. Algorithm
    {prf:ref}`alg-threshold-balanced-winnow`.

    >>> learner = ThresholdBalancedWinnow(2)
    >>> learner.update(np.array([1, 0]), +1)
    >>> learner.weights
    array([3.5, 1. ])
    """

    features: ClassVar[str] = "bits"

    alpha: float = parameter(above(1), default=2.0)
    plus: float = parameter(above(0), default=2.0)
    minus: float = parameter(above(0), default=1.0)

    def step(self, count: Vector, x: Vector, y: int) -> Vector:
        """Count promotions up and demotions down, for the active features."""
        return count + y * x

    def link(self, count: Vector) -> Vector:
        """Return w⁺ - w⁻."""
        return self.plus * self.alpha**count - self.minus * self.alpha**-count

    @property
    def halves(self) -> tuple[Vector, Vector]:
        """The weights w⁺ and w⁻."""
        up = self.alpha**self.state
        return self.plus * up, self.minus / up


def doubled(x: ArrayLike) -> Vector:
    """Append the negatives: the features on which normalised Winnow is Balanced.

    >>> doubled([1, -0.7])
    array([ 1. , -0.7, -1. ,  0.7])
    """
    x = np.asarray(x, dtype=float)
    return np.concatenate([x, -x], axis=-1)


def doubled_target(u: ArrayLike) -> Vector:
    """Split a signed target into its positive and its negative part.

    >>> doubled_target([1, -0.2])
    array([1. , 0. , 0. , 0.2])
    """
    u = np.asarray(u, dtype=float)
    return np.concatenate([np.maximum(u, 0), np.maximum(-u, 0)], axis=-1)


def mistake_bound(
    n: int, margin: float, eta: float | None = None, radius: float = 1.0, k: int = 1
) -> float:
    r"""Bound the mistakes for a target of any sign: ln 2N takes the place of ln N.

    Theorem {prf:ref}`thm-balanced-winnow`: it is normalised Winnow's bound for 2N
    features, :math:`\ln(2N/k)/(\eta\gamma - \ln\cosh\eta R)`.

    >>> round(mistake_bound(1024, margin=1 / 3), 2)
    134.63
    """
    n = 2 * check.count(n, "n")
    return normalized_winnow.mistake_bound(n, margin, eta, radius, k)


@assuming(n=whole(), k=whole())
def panel_bound(n: int, k: int, sharp: bool = False) -> float:
    """Bound the mistakes on a panel of k among n experts: 2k² ln 2N.

    >>> round(panel_bound(1024, 3), 1)
    137.2
    """
    return normalized_winnow.panel_bound(2 * n, k, sharp)


@assuming(n=whole(), k=whole(), eta=above(0))
def rate_bound(n: int, k: int, eta: float) -> float:
    r"""Bound the mistakes on a panel of k among n experts, for any rate η.

    Theorem {prf:ref}`thm-balanced-winnow-rates`: after M mistakes
    :math:`N\cosh^M\eta \ge N - k + k\cosh(\eta M/k)`; this is the largest such M. It
    tends to the Perceptron's N·k for η → 0, and is infinite if the rate is too large
    for the panel.

    >>> [round(rate_bound(16, 7, eta), 1) for eta in (1e-4, 0.1, 1 / 7)]
    [112.0, 120.5, 132.6]
    >>> rate_bound(16, 7, eta=0.3)
    inf
    """

    def possible(mistakes: float) -> bool:
        return mistakes * _log_cosh(eta) >= _log_cosh(eta * mistakes / k, k / n)

    if _log_cosh(eta) >= eta / k:
        return math.inf
    high = 1.0
    while possible(high):
        high *= 2
    return undo_rounding(bisected(possible, high / 2, high)[1])


def _log_cosh(z: float, share: float = 1.0) -> float:
    """Return ln(1 - share + share·cosh z), without overflow."""
    if z > 700:
        return z + math.log(share / 2)
    return math.log1p(share * 2 * math.sinh(z / 2) ** 2)


@assuming(k=whole())
def crossover(k: int) -> float:
    """Return the N from which on 2k² ln(2N/k) is below the Perceptron's N·k: 4.3k.

    >>> round(crossover(7), 1)
    30.1
    """
    return normalized_winnow.crossover(k, scale=2 / k) or math.inf


@ledger.tabulate(*normalized_winnow.COLUMNS)
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    """Return the ledger of the mistake bound: normalised Winnow's on 2N weights.

    The potential is RE(u'‖w) for the doubled target u'; see
    `normalized_winnow.proof`. The threshold form has no such ledger.
    """
    yield from normalized_winnow.entropy_rows(
        trace, target, BalancedWinnow, doubled, doubled_target
    )


@ledger.tabulate("cross", "rise")
def rate_proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of `rate_bound`: one row per mistake on a panel.

    The potential is :math:`\ln\sum_i\cosh\eta s_i`. A mistake raises it by at most
    ln cosh η (the column `rise`), because `cross`, y⟨w, x⟩, is not positive; and the
    panel's part of it is least when all its members have the same share of the M votes
    or more that it won.
    """
    moves, stream, learner = ledger.steps(trace, target, BalancedWinnow)
    eta, n, u = learner.eta, learner.n, stream.need_target()
    k, votes = int(np.count_nonzero(u)), stream.y * (stream.X @ u)
    wins = np.isin(u, (-1, 0, 1)).all() and votes.min(initial=1) >= 1
    if not wins or geometry.radius(stream.X, math.inf) > 1 or learner.state.any():
        panel = "weights -1, 0 and 1 that win every vote of features from -1 to 1"
        raise ValueError(f"this proof is about a new learner and a panel: give {panel}")
    before = math.log(n)
    for count, (t, _, y, score, after) in moves:
        potential = log_sum_exp(doubled(eta * after.state)) - math.log(2)
        lower = math.log(n) + _log_cosh(eta * count / k, k / n)
        upper = math.log(n) + count * _log_cosh(eta)
        rise, before = potential - before, potential
        yield t, y * score, rise, lower, potential, upper
