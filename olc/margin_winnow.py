"""Winnow with a margin: update while the margin is thin, in both forms of Winnow.

Chapter `thick_separator`. `MarginWinnow` is the normalised form; the form with a
threshold has two, θ + τ to promote and θ - τ to demote. Chapter `spelling` plays the
balanced one, for features that nobody has counted.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from olc import normalized_winnow, winnow
from olc.balanced_winnow import ThresholdBalancedWinnow
from olc.core import ledger
from olc.core.check import Vector, above, assuming, at_least, flag, whole
from olc.core.game import Trace, as_trace
from olc.core.learner import hints, parameter
from olc.normalized_winnow import NormalizedWinnow, entropy_rows
from olc.winnow import Winnow, promotions, weight_rows

__all__ = ["MarginWinnow", "ThresholdMarginWinnow", "BalancedMarginWinnow", "best_eta",
           "mistake_bound", "threshold_bound", "proof"]  # fmt: skip


@hints(margin_rule=True)
class MarginWinnow(NormalizedWinnow):
    r"""Normalised Winnow that updates while :math:`y\langle w, x\rangle \le \tau`.

    `thickness` is τ. Algorithm {prf:ref}`alg-margin-winnow`; `best_eta` gives the η of
    the theorem.

    >>> learner = MarginWinnow(2, thickness=0.5, eta=math.log(3) / 2)
    >>> from olc import play
    >>> trace = play(learner, [[1.0, -1.0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.update_rounds), learner.weights
    (1, 2, array([0.9, 0.1]))
    """

    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example is wrong, or right by no more than τ."""
        return y * score <= self.thickness


@hints(margin_rule=True)
class ThresholdMarginWinnow(Winnow):
    r"""Winnow with two thresholds, :math:`\theta \pm \tau`.

    A positive example is promoted while its sum is at most θ + τ, a negative one
    demoted while it is at least θ - τ. The prediction still compares with θ.
    Algorithm {prf:ref}`alg-threshold-margin-winnow`.

    >>> learner = ThresholdMarginWinnow(4, thickness=2)
    >>> from olc import play
    >>> trace = play(learner, [[1, 0, 0, 0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.update_rounds), learner.weights
    (2, 3, array([8., 1., 1., 1.]))
    """

    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example is wrong, or right by no more than τ."""
        return y * (score - self.threshold) <= self.thickness


@hints(margin_rule=True)
class BalancedMarginWinnow(ThresholdBalancedWinnow):
    r"""Balanced Winnow with two thresholds, :math:`\theta \pm \tau`.

    Both halves start at 1, so that a feature begins with weight 0 and has no vote
    before its first update, and θ is 1: nothing depends on n. Algorithm
    {prf:ref}`alg-balanced-margin-winnow`.

    >>> learner = BalancedMarginWinnow(4, thickness=1)
    >>> from olc import play
    >>> trace = play(learner, [[1, 0, 1, 0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.update_rounds), learner.weights
    (1, 1, array([1.5, 0. , 1.5, 0. ]))
    """

    threshold: float = parameter(above(0), default=1.0)
    plus: float = parameter(above(0), default=1.0)
    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example is wrong, or right by no more than τ."""
        return y * (score - self.threshold) <= self.thickness


@assuming(margin=above(0, 1), thickness=at_least(0))
def best_eta(margin: float, thickness: float) -> float:
    """Return margin Winnow's η for data of margin γ: artanh γ - artanh τ.

    >>> round(best_eta(0.5, 0.25), 4)
    0.2939
    """
    if thickness >= margin:
        raise ValueError(
            f"thickness = {thickness} must be below the margin of the data, {margin}"
        )
    return math.atanh(margin) - math.atanh(thickness)


@assuming(n=whole(), k=whole())
def mistake_bound(n: int, margin: float, thickness: float, k: int = 1) -> float:
    r"""Bound the updates of margin Winnow, for features in [-1, 1] and the best η.

    Theorem {prf:ref}`thm-margin-winnow`: with a distribution u of margin γ > τ, at most
    ln(N/k) over the divergence of a coin of bias γ from one of bias τ, which is no more
    than :math:`2\ln N/(\gamma-\tau)^2`. k is 1, or the number of features that share u
    equally.

    >>> round(mistake_bound(1024, margin=0.5, thickness=0.25), 1)
    195.9
    """
    best_eta(margin, thickness)  # refuses data that are not thick enough
    drop = normalized_winnow.divergence(margin, thickness)
    return math.log(n / k) / drop if drop > 0 else math.inf


@assuming(n=whole(), k=whole(), low=above(0), high=above(0), sharp=flag)
def threshold_bound(
    n: int, k: int, low: float, high: float, sharp: bool = False
) -> int:
    """Bound the updates of Winnow with thresholds low ≤ high on k-disjunctions.

    For factor 2 and weights that start at 1. Theorem
    {prf:ref}`thm-threshold-margin-winnow`: a relevant weight is promoted only while it
    is at most `high`, so at most u = k(⌊log₂ high⌋ + 1) promotions happen. Each adds at
    most `high` to the total weight N, which stays positive, and each demotion takes at
    least low/2: at most 2N/low + 2u·high/low demotions.

    The `sharp` bound follows the irrelevant weights alone: a promotion of a relevant
    weight 2ʲ adds at most high - 2ʲ to them, and a demotion leaves at least low/2.

    >>> threshold_bound(64, k=2, low=32, high=96)
    102
    >>> threshold_bound(64, k=2, low=32, high=96, sharp=True)
    85
    """
    if high < low:
        raise ValueError(f"high = {high} must be at least low = {low}")
    # a weight is promoted until it is above `high`
    each = promotions(1, 2.0, math.nextafter(high, math.inf))
    up = k * each
    mass, floor = n + up * Fraction(high), Fraction(low) / 2
    if sharp:
        mass -= k * Fraction(2) ** each + floor
    return up + max(0, math.floor(mass / floor))


def proof(trace: Trace, target: Vector | None = None) -> Any:
    """Return the ledger of the form that played: one row per update.

    - Margin Winnow: RE(u‖w), which falls by at least `guaranteed`.
    - Winnow with two thresholds: the total weight, as in Winnow's ledger.

    An update need not be a mistake: a right prediction may be too close as well.
    """
    if isinstance(as_trace(trace).before, MarginWinnow):
        return _entropy(trace, target, MarginWinnow)
    return _weight(trace, target, ThresholdMarginWinnow)


_entropy = ledger.tabulate(*normalized_winnow.COLUMNS, index="update")(entropy_rows)
_weight = ledger.tabulate(*winnow.COLUMNS, index="update")(weight_rows)
