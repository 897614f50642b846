"""Thick separators: update not only at a mistake but whenever the margin is thin.

Chapter `thick_separator`: the margin Perceptron, margin Winnow in its two forms, and
the update that steps relative to the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from olc import _checks, _ledger, geometry, normalized_winnow
from olc.game import Linear, Step, Stream, Trace, Vector
from olc.normalized_winnow import NormalizedWinnow
from olc.winnow import Winnow, decide, promotions, relevant_features

if TYPE_CHECKING:
    import pandas as pd


class MarginPerceptron(Linear):
    r"""The Perceptron that updates while :math:`y\langle w, x\rangle \le \tau`.

    .. math:: w \leftarrow w + r\,y\,x

    `margin` is τ; with τ = 0 it is the Perceptron.
    Algorithm {prf:ref}`alg-margin-perceptron`.

    >>> learner = MarginPerceptron(1, margin=2)
    >>> from olc import play
    >>> trace = play(learner, [[1.0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.updates)  # one mistake, then two thin margins
    (1, 3)
    """

    def __init__(self, n: int, margin: float, rate: float = 1.0) -> None:
        self.margin = _checks.at_least(margin, "margin", 0)
        self.rate = _checks.number(rate, "rate", 0)
        super().__init__(n, margin=self.margin, rate=self.rate)

    def _wants_update(self, score: Any, y: Any) -> Any:
        return y * score <= self.margin

    def _step(self, state: Vector, x: Vector, y: Any) -> Vector:
        return state + self.rate * y * x


class MarginWinnow(NormalizedWinnow):
    r"""Normalised Winnow that updates while :math:`y\langle w, x\rangle \le \tau`.

    `margin` is τ. Algorithm {prf:ref}`alg-margin-winnow`; `best_eta` gives the η of
    the theorem.

    >>> learner = MarginWinnow(2, margin=0.5, eta=math.log(3) / 2)
    >>> from olc import play
    >>> trace = play(learner, [[1.0, -1.0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.updates), learner.weights
    (1, 2, array([0.9, 0.1]))
    """

    def __init__(self, n: int, margin: float, eta: float) -> None:
        self.margin = _checks.at_least(margin, "margin", 0)
        super().__init__(n, eta)
        self.parameters = {"margin": self.margin, "eta": self.eta}

    def _wants_update(self, score: Any, y: Any) -> Any:
        return y * score <= self.margin


class ThresholdMarginWinnow(Winnow):
    r"""Winnow with two thresholds, :math:`\theta \pm` `margin`.

    A positive example is promoted while its sum is below θ + margin, a negative one
    demoted while it is at least θ - margin. The prediction still compares with θ.
    Algorithm {prf:ref}`alg-threshold-margin-winnow`.

    >>> learner = ThresholdMarginWinnow(4, margin=2)
    >>> from olc import play
    >>> trace = play(learner, [[1, 0, 0, 0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.updates), learner.weights
    (2, 3, array([8., 1., 1., 1.]))
    """

    def __init__(
        self,
        n: int,
        margin: float,
        alpha: float = 2.0,
        threshold: float | None = None,
    ) -> None:
        super().__init__(n, alpha, threshold)
        margin = _checks.at_least(margin, "margin", 0)
        # rounded so that θ ± margin are exact, and a sum at either of them is seen
        self.margin = (self.threshold + margin) - self.threshold
        if self.margin >= self.threshold:
            raise ValueError(
                f"margin = {margin} must be below threshold = {self.threshold}: "
                "no sum of weights is negative"
            )
        self.parameters = {"margin": margin, "alpha": self.alpha}
        self.parameters["threshold"] = self.threshold

    def _wants_update(self, score: Any, y: Any) -> Any:
        above = score - self.threshold
        return np.where(np.asarray(y) > 0, above < self.margin, -above <= self.margin)


class ThresholdRelative(Linear):
    r"""Step towards the plane on which the example has its right score.

    .. math:: w \leftarrow w + r\,\frac{\theta + y a - \langle w, x\rangle}
                                     {\|x\|^2}\,x

    At r = 1 and a = 0 it is the orthogonal projection onto
    :math:`\langle w, x\rangle = \theta`. Aiming beyond the threshold, by a > 0, is what
    gives a mistake bound. Algorithm {prf:ref}`alg-threshold-relative`.

    >>> learner = ThresholdRelative(2, threshold=1)
    >>> learner.update([3, 4], +1)
    >>> learner.weights
    array([0.12, 0.16])
    """

    def __init__(
        self, n: int, threshold: float = 0.0, rate: float = 1.0, aim: float = 0.0
    ) -> None:
        self.threshold = _checks.number(threshold, "threshold", -math.inf)
        self.rate = _checks.number(rate, "rate", 0, 2)
        self.aim = _checks.at_least(aim, "aim", 0)
        super().__init__(n, threshold=self.threshold, rate=self.rate, aim=self.aim)

    def _decide(self, score: Any) -> Any:
        return decide(score, self.threshold)

    def _step(self, state: Vector, x: Vector, y: Any) -> Vector:
        length = (x * x).sum(axis=-1, keepdims=True)
        missing = (
            self.threshold + y * self.aim - (state * x).sum(axis=-1, keepdims=True)
        )
        # an example of length 0 (or below 1e-100) has no plane to step to
        apart = length > 1e-200
        step = np.divide(missing, length, out=np.zeros_like(length), where=apart)
        return state + self.rate * step * x


def mistake_bound(
    radius: float, margin: float, thickness: float, rate: float = 1.0
) -> float:
    r"""Bound the updates of the margin Perceptron.

    Theorem {prf:ref}`thm-margin-perceptron`: with :math:`\|x_t\|_2 \le R` and a unit
    vector of margin γ, at most :math:`(R^2 + 2\tau/r)/\gamma^2` updates happen, τ being
    the `thickness`.

    >>> mistake_bound(radius=1, margin=0.25, thickness=0.5)
    32.0
    """
    margin = _checks.number(margin, "margin", 0)
    return _growth(radius, thickness, rate) / margin / margin


def final_margin(
    radius: float, margin: float, thickness: float, rate: float = 1.0
) -> float:
    r"""Return the margin that the margin Perceptron reaches: γτ/(rR² + 2τ).

    Once an epoch passes without an update, every example scores above τ, and the
    weights are no longer than :math:`(rR^2 + 2\tau)/\gamma`. It tends to half of the
    best margin as τ grows. {prf:ref}`thm-margin-perceptron`.

    >>> final_margin(radius=1, margin=0.1, thickness=0.5)
    0.025
    """
    margin = _checks.number(margin, "margin", 0)
    return margin * thickness / (rate * _growth(radius, thickness, rate))


def _growth(radius: float, thickness: float, rate: float) -> float:
    """Return R² + 2τ/r: what an update adds to ‖w/r‖², at most."""
    radius = _checks.number(radius, "radius", 0)
    thickness = _checks.at_least(thickness, "thickness", 0)
    return radius * radius + 2 * thickness / _checks.number(rate, "rate", 0)


def best_eta(margin: float, thickness: float) -> float:
    """Return margin Winnow's η for data of margin δ: artanh δ - artanh τ.

    >>> round(best_eta(0.5, 0.25), 4)
    0.2939
    """
    margin = _checks.number(margin, "margin", 0, 1)
    thickness = _checks.at_least(thickness, "thickness", 0)
    if thickness >= margin:
        raise ValueError(
            f"thickness = {thickness} must be below the margin of the data, {margin}"
        )
    return math.atanh(margin) - math.atanh(thickness)


def winnow_bound(n: int, margin: float, thickness: float, spread: int = 1) -> float:
    r"""Bound the updates of margin Winnow, for features in [-1, 1] and the best η.

    Theorem {prf:ref}`thm-margin-winnow`: with a distribution u of margin δ > τ, at most
    ln(N/s) over the divergence of a coin of bias δ from one of bias τ, which is no more
    than :math:`2\ln N/(\delta-\tau)^2`. `spread` s is 1, or the number of features that
    share u equally.

    >>> round(winnow_bound(1024, margin=0.5, thickness=0.25), 1)
    195.9
    """
    best_eta(margin, thickness)  # refuses what has no bound
    entropy = math.log(n / _checks.subset_size(spread, _checks.count(n, "n")))
    return entropy / divergence(margin, thickness)


def divergence(margin: float, thickness: float) -> float:
    """Return the relative entropy of a coin of bias δ from one of bias τ.

    It is `thick_rate` at the best η, without the rounding of a small difference.

    >>> round(divergence(0.5, 0.25), 5)
    0.03537
    """
    gap = margin - thickness
    heads = (1 + margin) * math.log1p(gap / (1 + thickness))
    tails = (1 - margin) * math.log1p(-gap / (1 - thickness))
    return (heads + tails) / 2


def thick_rate(
    eta: float, margin: float, thickness: float, radius: float = 1.0
) -> float:
    """Return the least drop of RE(u‖w) at an update of margin Winnow.

    >>> thick_rate(0.5, 0.5, 0) == normalized_winnow.rate(0.5, 0.5)
    True
    """
    plain = normalized_winnow.rate(eta, margin, radius)
    return plain - math.log1p(thickness / radius * math.tanh(eta * radius))


def threshold_winnow_bound(n: int, k: int, low: float, high: float) -> int:
    """Bound the updates of Winnow with thresholds low ≤ high on k-disjunctions.

    For factor 2 and weights that start at 1. Theorem
    {prf:ref}`thm-threshold-margin-winnow`: at most u = k⌈log₂ high⌉ promotions and
    2N/low + 2u·high/low demotions.

    >>> threshold_winnow_bound(64, k=2, low=32, high=96)
    102
    """
    low, n = _checks.number(low, "low", 0), _checks.count(n, "n")
    if high < low:
        raise ValueError(f"high = {high} must be at least low = {low}")
    up = _checks.subset_size(k, n) * promotions(n, 2.0, high)
    return up + math.floor(2 * n / low + 2 * up * high / low)


def relative_bound(
    radius: float, aim: float, distance: float, rate: float = 1.0
) -> float:
    r"""Bound the mistakes of the threshold-relative update.

    Theorem {prf:ref}`thm-threshold-relative`: if some u has
    :math:`y(\langle u, x\rangle - \theta) \ge a` for all examples, at most
    :math:`R^2\|u - w_1\|^2/(r(2-r)a^2)` mistakes happen; `distance` is ‖u - w₁‖.

    >>> relative_bound(radius=1, aim=0.5, distance=2)
    16.0
    """
    aim, rate = _checks.number(aim, "aim", 0), _checks.number(rate, "rate", 0, 2)
    radius = _checks.number(radius, "radius", 0)
    ratio = radius * _checks.at_least(distance, "distance", 0) / aim
    return ratio * ratio / (rate * (2 - rate))


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    """Return the ledger of the learner that played: one row per update.

    - The margin Perceptron: ‖w‖², as in the Perceptron's ledger, but `cross` may be as
      large as 2rτ.
    - Margin Winnow: RE(u‖w), which falls by at least `guaranteed`.
    - Winnow with two thresholds: the total weight, as in Winnow's ledger.
    - The threshold-relative update: ‖w - u‖², which falls by at least `guaranteed`,
      r(2-r)·missing²/‖x‖², where `missing` is the way from the score to its aim.
    """
    kinds = (MarginPerceptron, MarginWinnow, ThresholdMarginWinnow, ThresholdRelative)
    moves = _ledger.steps(trace, stream, *kinds)
    learner: Any = trace.before
    if isinstance(learner, MarginWinnow):
        table = _entropy_ledger(trace, stream, learner)
    elif isinstance(learner, ThresholdMarginWinnow):
        own = ("score", "promotions", "demotions", "most_promotions")
        table = _ledger.ledger(_weight_rows(moves, stream, learner), own)
    elif isinstance(learner, ThresholdRelative):
        rows = _distance_rows(moves, stream, learner)
        table = _ledger.ledger(rows, ("missing", "drop", "guaranteed"))
    else:
        table = _ledger.additive(trace, stream, MarginPerceptron, learner.margin)
    return table.rename_axis("update")  # right predictions may be too close as well


def _entropy_ledger(
    trace: Trace, stream: Stream, learner: MarginWinnow
) -> pd.DataFrame:
    if np.any(stream.need_target() < 0):
        raise ValueError(
            "the target has a negative weight, and Winnow's weights never do: append "
            "the negated features, np.hstack([X, -X])"
        )
    u = geometry.unit(stream.need_target(), 1)
    delta = geometry.margin(u, stream.X, stream.y, p=1)
    largest = geometry.radius(stream.X, math.inf)
    drop = thick_rate(learner.eta, delta, learner.margin, largest)
    log_weights = normalized_winnow.log_weights
    return _ledger.entropy(trace, stream, MarginWinnow, u, log_weights, drop)


def _weight_rows(
    moves: Iterator[tuple[int, Step]], stream: Stream, learner: ThresholdMarginWinnow
) -> Iterator[dict[str, float]]:
    high, low = learner.threshold + learner.margin, learner.threshold - learner.margin
    start, alpha = float(learner.weights.sum()), learner.alpha
    relevant = len(relevant_features(stream))
    up = down = 0
    for _, step in moves:
        up, down = up + (step.y > 0), down + (step.y < 0)
        yield {
            "round": step.t,
            "score": float(step.score),
            "promotions": up,
            "demotions": down,
            "most_promotions": relevant * promotions(learner.n, alpha, high),
            "lower": low / alpha if down else start,
            "potential": float(step.learner.weights.sum()),
            "upper": start + up * (alpha - 1) * high - down * (1 - 1 / alpha) * low,
        }


def _distance_rows(
    moves: Iterator[tuple[int, Step]], stream: Stream, learner: ThresholdRelative
) -> Iterator[dict[str, float]]:
    u, theta, aim = stream.need_target(), learner.threshold, learner.aim
    slack = float(np.min(stream.y * (stream.X @ u - theta), initial=math.inf))
    if slack < aim * (1 - 1e-9):
        raise ValueError(
            f"the target clears the threshold by {slack:.4g} only, less than "
            f"aim = {aim}: the theorem needs y(⟨u, x⟩ - threshold) ≥ aim"
        )
    start = before = float(np.sum((learner.weights - u) ** 2))
    share = learner.rate * (2 - learner.rate)
    for count, step in moves:
        after = float(np.sum((step.learner.weights - u) ** 2))
        missing = theta + step.y * aim - float(step.score)
        yield {
            "round": step.t,
            "missing": missing,
            "drop": before - after,
            "guaranteed": share * missing**2 / float(step.x @ step.x),
            "lower": 0.0,
            "potential": after,
            "upper": start - count * share * (aim / stream.radius) ** 2,
        }
        before = after
