"""Winnow with a margin: update while the margin is thin, in both forms of Winnow.

Chapter `thick_separator`. `MarginWinnow` is the normalised form; the form with a
threshold has two, θ + τ to promote and θ - τ to demote. Chapter `spelling` plays the
balanced one, for features that nobody has counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from olc import normalized_winnow
from olc.balanced_winnow import ThresholdBalancedWinnow
from olc.core import check, ledger
from olc.core.check import above, assuming, at_least, flag, whole
from olc.core.game import Trace, as_trace
from olc.core.learner import hints, parameter
from olc.normalized_winnow import NormalizedWinnow
from olc.winnow import Winnow, demotion, promotions, relevant_features

if TYPE_CHECKING:
    import pandas as pd


@hints(thin=True)
class MarginWinnow(NormalizedWinnow):
    r"""Normalised Winnow that updates while :math:`y\langle w, x\rangle \le \tau`.

    `thickness` is τ. Algorithm {prf:ref}`alg-margin-winnow`; `best_eta` gives the η of
    the theorem.

    >>> learner = MarginWinnow(2, thickness=0.5, eta=math.log(3) / 2)
    >>> from olc import play
    >>> trace = play(learner, [[1.0, -1.0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.updates), learner.weights
    (1, 2, array([0.9, 0.1]))
    """

    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example is wrong, or right by no more than τ."""
        return y * score <= self.thickness


@hints(thin=True)
class ThresholdMarginWinnow(Winnow):
    r"""Winnow with two thresholds, :math:`\theta \pm \tau`.

    A positive example is promoted while its sum is at most θ + τ, a negative one
    demoted while it is at least θ - τ. The prediction still compares with θ.
    Algorithm {prf:ref}`alg-threshold-margin-winnow`.

    >>> learner = ThresholdMarginWinnow(4, thickness=2)
    >>> from olc import play
    >>> trace = play(learner, [[1, 0, 0, 0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.updates), learner.weights
    (2, 3, array([8., 1., 1., 1.]))
    """

    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example is wrong, or right by no more than τ."""
        return y * (score - self.threshold) <= self.thickness

    def start(self) -> Any:
        """Return the state before the first round, if τ leaves room for one."""
        if self.thickness >= self.threshold:
            raise ValueError(
                f"thickness = {self.thickness} must be below threshold = "
                f"{self.threshold}: no sum of weights is negative"
            )
        return super().start()


@hints(thin=True)
class BalancedMarginWinnow(ThresholdBalancedWinnow):
    r"""Balanced Winnow with two thresholds, :math:`\theta \pm \tau`.

    Both halves start at 1, so that a feature begins with weight 0 and has no vote
    before its first update, and θ is 1: nothing depends on n. Algorithm
    {prf:ref}`alg-balanced-margin-winnow`.

    >>> learner = BalancedMarginWinnow(4, thickness=1)
    >>> from olc import play
    >>> trace = play(learner, [[1, 0, 1, 0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.updates), learner.weights
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
    """Return margin Winnow's η for data of margin δ: artanh δ - artanh τ.

    >>> round(best_eta(0.5, 0.25), 4)
    0.2939
    """
    if thickness >= margin:
        raise ValueError(
            f"thickness = {thickness} must be below the margin of the data, {margin}"
        )
    return math.atanh(margin) - math.atanh(thickness)


@assuming(n=whole(), spread=whole())
def mistake_bound(n: int, margin: float, thickness: float, spread: int = 1) -> float:
    r"""Bound the updates of margin Winnow, for features in [-1, 1] and the best η.

    Theorem {prf:ref}`thm-margin-winnow`: with a distribution u of margin δ > τ, at most
    ln(N/s) over the divergence of a coin of bias δ from one of bias τ, which is no more
    than :math:`2\ln N/(\delta-\tau)^2`. `spread` s is 1, or the number of features that
    share u equally.

    >>> round(mistake_bound(1024, margin=0.5, thickness=0.25), 1)
    195.9
    """
    entropy = math.log(n / check.subset(spread, n))
    drop = divergence(margin, thickness)
    return entropy / drop if drop > 0 else math.inf


def divergence(margin: float, thickness: float) -> float:
    """Return the relative entropy of a coin of bias δ from one of bias τ.

    It is `thick_drop` at the best η, without the rounding of a small difference.

    >>> round(divergence(0.5, 0.25), 5)
    0.03537
    """
    best_eta(margin, thickness)  # refuses what has none
    gap = margin - thickness
    heads = (1 + margin) * math.log1p(gap / (1 + thickness))
    tails = (1 - margin) * math.log1p(-gap / (1 - thickness))
    return (heads + tails) / 2


@assuming(thickness=at_least(0))
def thick_drop(
    eta: float, margin: float, thickness: float, radius: float = 1.0
) -> float:
    """Return the least drop of RE(u‖w) at an update of margin Winnow.

    >>> thick_drop(0.5, 0.5, 0) == normalized_winnow.least_drop(0.5, 0.5)
    True
    """
    plain = normalized_winnow.least_drop(eta, margin, radius)
    lift = math.tanh(eta * radius) / radius if radius else eta
    return plain - math.log1p(thickness * lift)


def _least_drop(learner: Any, margin: float, radius: float) -> float:
    return thick_drop(learner.eta, margin, learner.thickness, radius)


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
    each = _promotions_up_to(high, 2.0)
    up = k * each
    mass, floor = n + up * Fraction(high), Fraction(low) / 2
    if sharp:
        mass -= k * Fraction(2) ** each + floor
    return up + max(0, math.floor(mass / floor))


def _promotions_up_to(high: float, alpha: float) -> int:
    """Return how often a weight is promoted that stops only above `high`."""
    return promotions(1, alpha, math.nextafter(high, math.inf))


def proof(trace: Trace, target: ArrayLike | None = None) -> pd.DataFrame:
    """Return the ledger of the form that played: one row per update.

    - Margin Winnow: RE(u‖w), which falls by at least `guaranteed`.
    - Winnow with two thresholds: the total weight, as in Winnow's ledger.

    An update need not be a mistake: a right prediction may be too close as well.
    """
    learner = as_trace(trace).before
    ledger.must_play_as(learner, MarginWinnow, ThresholdMarginWinnow)
    form = _entropy if isinstance(learner, MarginWinnow) else _total_weight
    return form(trace, target)


@ledger.table("log_Z", "advantage", "drop", "guaranteed", index="update")
def _entropy(trace: Trace, target: ArrayLike | None) -> Iterator[ledger.Row]:
    yield from normalized_winnow.entropy_rows(trace, target, MarginWinnow, _least_drop)


@ledger.table("score", "promotions", "demotions", "most_promotions", index="update")
def _total_weight(trace: Trace, target: ArrayLike | None) -> Iterator[ledger.Row]:
    moves = ledger.steps(trace, ThresholdMarginWinnow)
    learner: Any = trace.before
    stream = ledger.stream_of(trace, target)
    theta, tau, alpha = learner.threshold, learner.thickness, learner.alpha
    high, start = theta + tau, float(learner.weights.sum())
    taken, left = demotion(theta - tau, alpha, learner.eliminate)
    most = len(relevant_features(stream)) * _promotions_up_to(high, alpha)
    up = down = 0
    for _, step in moves:
        up, down = up + (step.y > 0), down + (step.y < 0)
        yield {
            "round": step.t,
            "score": float(step.score),
            "promotions": up,
            "demotions": down,
            "most_promotions": most,
            "lower": left if down else start,
            "potential": float(step.learner.weights.sum()),
            "upper": start + up * (alpha - 1) * high - down * taken,
        }
