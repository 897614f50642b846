"""Winnow: multiply the weights of the active features at a mistake.

Chapter `winnow`. Littlestone's algorithm for disjunctions over bits, with demotion or
elimination, and its bounds: with attribute errors, on halfspaces, on sparse examples.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, flag, whole
from olc.core.game import Trace, as_trace
from olc.core.learner import Threshold, hints, parameter
from olc.core.numerics import undo_rounding
from olc.core.stream import Stream

__all__ = ["Winnow", "promotions", "mistake_bound", "noisy_bound", "attribute_errors",
           "halfspace_bound", "proof", "sparse_bound", "sparse_proof"]  # fmt: skip


@hints(coordinatewise=True)
class Winnow(Threshold):
    r"""Predict +1 iff :math:`\langle w, x\rangle \ge \theta`; double or halve.

    .. math:: w_i \leftarrow w_i\,\alpha^{\,y x_i}

    at a mistake: promotion on a positive example, demotion on a negative one. The
    weights start at 1, and θ is n. The state counts the promotions of each feature less
    its demotions, so that no weight is ever lost. Algorithm {prf:ref}`alg-winnow`.

    >>> learner = Winnow(4)
    >>> for x, y in ([1, 0, 1, 0], +1), ([1, 1, 1, 0], -1):
    ...     prediction = learner.learn(x, y)
    >>> learner.weights
    array([1. , 0.5, 1. , 1. ])

    With ``eliminate=True`` a demotion sets the active weights to 0 for good.
    """

    features: ClassVar[str] = "bits"
    alpha: float = parameter(above(1), default=2.0)
    eliminate: bool = parameter(flag, default=False)

    def step(self, count: Vector, x: Vector, y: int) -> Vector:
        """Count promotions up and demotions down, for the active features."""
        if self.eliminate and y < 0:
            return np.where(x > 0, -np.inf, count)
        return count + y * x

    def link(self, count: Vector) -> Vector:
        """Return α to the power of the counts."""
        return self.alpha**count


@assuming(n=whole(), alpha=above(1), threshold=above(0))
def promotions(n: int, alpha: float = 2.0, threshold: float | None = None) -> int:
    """Return how often a relevant weight of 1 is promoted: ⌈log_α θ⌉ times.

    The powers of α are rounded, as the learner's weights are: with α = 1.1 and θ = 1.21
    it takes three promotions, because 1.1² is rounded down.

    >>> promotions(1024), promotions(1024, threshold=math.nextafter(1024, math.inf))
    (10, 11)
    >>> promotions(1, alpha=1.1, threshold=1.21)
    3
    """
    learner, most = Winnow(1, alpha=alpha, threshold=threshold or n), 1

    @np.errstate(all="ignore")
    def reaches(times: int) -> bool:
        return not learner.weigh(np.array([float(times)]))[0] < learner.threshold

    while not reaches(most):
        most *= 2
    return bisect_left(range(most), True, key=reaches)


def blurred(threshold: Any, alpha: float) -> tuple[Any, Any]:
    """Return the scores of exact weights between which θ lies for rounded ones.

    The weights αʲ are rounded to 32 digits, so that a score may reach θ a little early
    or late. The powers of a power of two are exact: there both numbers are θ.

    >>> blurred(8.0, alpha=2.0)
    (8.0, 8.0)
    """
    blur = Fraction(math.frexp(alpha)[0] != 0.5, 2**31)
    return threshold * (1 - blur), threshold * (1 + blur)


@assuming(n=whole(), k=whole(), alpha=above(1), threshold=above(0), eliminate=flag)
def mistake_bound(
    n: int,
    k: int,
    alpha: float = 2.0,
    threshold: float | None = None,
    eliminate: bool = False,
) -> int:
    r"""Bound the mistakes on a monotone disjunction of k of n variables.

    Theorem {prf:ref}`thm-winnow`. A relevant weight is promoted at most p =
    `promotions` times. The potential is the total weight and :math:`(\alpha-1)\theta`
    for each promotion that a relevant weight has still ahead: no promotion raises it,
    and a demotion lowers it by at least :math:`(1-1/\alpha)\theta`. A demotion leaves
    at least :math:`\theta/\alpha`, and every relevant weight is worth at least
    :math:`\alpha^p` at any time. (An elimination takes θ and may leave nothing.)
    Rounded weights may reach θ a little early or late, which the bound allows for. For
    α = 2 and :math:`\theta = n = 2^L` it is 3kL - 2k, or 2kL - k with elimination, and
    it is attained.

    >>> mistake_bound(1024, 3), mistake_bound(1024, 3, eliminate=True)
    (84, 57)

    Theorem {prf:ref}`thm-winnow-threshold`: for powers of two, θ = n/(2k) makes it
    3k log₂(n/k) - k - 2.

    >>> mistake_bound(1024, 64), mistake_bound(1024, 64, threshold=8)
    (1792, 702)
    """
    each = promotions(n, alpha, threshold)
    # fractions, because one demotion more or less hangs on an equality
    low, high = blurred(Fraction(threshold or n), alpha)
    factor = Fraction(alpha)
    taken, left = demotion(low, factor, eliminate)
    start, end = n + k * each * (factor - 1) * high, left + k * Fraction(alpha**each)
    demotions = (start - end) / taken
    # below that number, if any promotion helped, and otherwise not above it
    most = math.ceil(demotions) - 1 if each else math.floor(demotions)
    return k * each + max(0, most)


def demotion(theta: Any, alpha: Any, eliminate: bool) -> tuple[Any, Any]:
    """Return what a demotion at least takes from a shown weight of θ, and leaves."""
    if eliminate:
        return theta, 0
    return theta - theta / alpha, theta / alpha


@assuming(n=whole(2), k=whole(), errors=whole(0))
def noisy_bound(n: int, k: int, errors: int) -> int:
    r"""Bound the mistakes with A attribute errors, for α = 2 and θ = n.

    Theorem {prf:ref}`thm-winnow-noise`: :math:`3(k\lceil\log_2 n\rceil + A) - 2k`,
    where A is what `attribute_errors` counts.

    >>> noisy_bound(1024, 3, errors=50)
    234
    """
    return 3 * (k * promotions(n) + errors) - 2 * k


def attribute_errors(trace: Trace, target: Vector | None = None) -> int:
    """Return how many relevant bits must change until the target explains the mistakes.

    One for a positive example without a relevant bit, and for a negative example the
    number of relevant bits that are on. The target may drift.

    >>> from olc import play
    >>> trace = play(Winnow(3), [[0, 0, 1], [1, 1, 1]], [1, -1])
    >>> attribute_errors(trace, target=np.array([1, 1, 0]))
    3
    """
    stream, wrong = ledger.stream_of(as_trace(trace), target), trace.mistake_rounds
    starts, targets = zip(*(stream.drifts or [(0, stream.need_target())]), strict=True)
    now = np.searchsorted(starts, wrong, "right") - 1
    on = (check.as_floats(stream.X[wrong]) * (np.array(targets)[now] > 0)).sum(axis=1)
    return int(np.where(stream.y[wrong] > 0, on == 0, on).sum())


@assuming(n=whole(), total=above(0), margin=above(0), alpha=above(1))
def halfspace_bound(
    n: int, total: float, margin: float, alpha: float | None = None
) -> int:
    r"""Bound the mistakes on a positive halfspace with margin γ, for θ = n.

    Theorem {prf:ref}`thm-winnow-halfspace`: weights :math:`\mu_i \ge 0` with sum
    `total` give every positive example a score of at least 1 and every negative one at
    most 1 - γ. The factor is 1 + γ/2 unless another below 1/(1 - γ) is given. For r of
    k variables `total` is k/r and γ is 1/r:

    >>> halfspace_bound(256, total=5 / 3, margin=1 / 3)
    592
    """
    factor = 1 + margin / 2 if alpha is None else alpha
    low, high = blurred(n, factor)
    taken, left = demotion(low, factor, False)
    # demotions are at most those before any promotion, and so many for each of them
    first, each = (n - left) / taken, (factor - 1) * high / taken
    gain = 1 - (1 - margin) * each
    if margin > 1 or gain <= 0:
        remedy = "a margin is at most 1, and the factor must be below 1 / (1 - margin)"
        raise ValueError(f"margin = {margin} and alpha = {factor}: {remedy}")
    most = (total * promotions(n, factor) + (1 - margin) * first) / gain
    up = math.floor(undo_rounding(most))
    return math.floor(undo_rounding(first + (1 + each) * up))


@assuming(n=whole(), k=whole())
def classical_bound(n: int, k: int) -> float:
    """Return the bound as it is usually printed, 2 + 3k(log₂ n + 1).

    >>> classical_bound(1024, 3)
    101.0
    """
    return 2 + 3 * k * (math.log2(n) + 1)


COLUMNS = "score", "promotions", "demotions", "errors", "weight", "ahead"


@ledger.tabulate(*COLUMNS)
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is the total `weight`, and (α-1)θ for each promotion that a relevant
    weight has still `ahead`. No promotion raises it, but for an attribute error, and a
    demotion lowers it by at least (1-1/α)θ (all of θ with elimination): the upper
    bound. A demotion leaves at least θ/α (nothing, with elimination), before the first
    one no weight has shrunk, and every relevant weight is worth at least what it is
    after its last promotion: the lower bound.
    """
    yield from weight_rows(trace, target, Winnow)


def weight_rows(
    trace: Trace, target: Vector | None, kind: type[Winnow]
) -> Iterator[ledger.Row]:
    """Keep Winnow's ledger; with a `thickness` τ, θ + τ promotes and θ - τ demotes."""
    moves, stream, learner = ledger.steps(trace, target, kind)
    alpha, high = learner.alpha, learner.threshold + learner.thickness
    if kind is not Winnow:  # a weight that is just high is promoted, too
        high = math.nextafter(high, math.inf)
    relevant, each = relevant_features(stream), promotions(learner.n, alpha, high)
    low, _ = blurred(learner.threshold - learner.thickness, alpha)
    _, high = blurred(high, alpha)
    price = (alpha - 1) * high  # of a promotion
    taken, left = demotion(low, alpha, learner.eliminate)

    def held(count: Vector) -> tuple[float, float]:
        weights = learner.link(count)  # exact, or nearly so
        return float(weights.sum()), float(np.maximum(each - count[relevant], 0).sum())

    weight, ahead = held(learner.state)
    others = weight - float(learner.link(learner.state)[relevant].sum())
    start, up, down, errors = weight + price * ahead, 0, 0, 0
    for _, (t, x, y, score, after) in moves:
        up, down = up + (y > 0), down + (y < 0)
        on = int(x[relevant].sum())
        errors += on if y < 0 else int(on == 0)
        weight, ahead = held(after.state)
        # a weight that an error has demoted has a promotion ahead
        worth = min(alpha**each, price) if errors else alpha**each
        lower = (left if down else others) + len(relevant) * worth
        upper = start + price * errors - down * taken
        if math.isinf(ahead):  # what is eliminated never returns
            upper = math.inf
        potential = weight + price * ahead
        yield t, score, up, down, errors, weight, ahead, lower, potential, upper


def relevant_features(stream: Stream) -> NDArray[np.intp]:
    """Return the indices of the target's variables."""
    return np.flatnonzero(stream.need_target() > 0)


@assuming(k=whole(), active=whole(), threshold=above(0))
def sparse_bound(k: int, active: int, threshold: float) -> int:
    r"""Bound the mistakes if no example shows more than b = `active` variables.

    Theorem {prf:ref}`thm-winnow-sparse`: α = 2, a disjunction of k variables among any
    number of them, :math:`\theta > b`. There are at most kp promotions, p = ⌈log₂ θ⌉,
    which raise the irrelevant weight above 1 by less than :math:`k(p\theta - 2^p + 1)`,
    and a demotion takes at least (θ - b + 1)/2 of that. With θ = 4b these are at most
    (11/3)k(⌈log₂ b⌉ + 2) mistakes, whatever N is.

    >>> sparse_bound(4, active=64, threshold=256), mistake_bound(10**6, 4)
    (106, 232)
    """
    if threshold <= active:
        low = f"threshold = {threshold} is not above active = {active}"
        raise ValueError(f"{low}: the new features of an example could reach it")
    each, theta = promotions(1, threshold=threshold), Fraction(threshold)
    raised = k * (each * theta - 2**each + 1)
    return k * each + math.ceil(2 * raised / (theta - active + 1)) - 1


@ledger.tabulate("score", "promotions", "demotions", "most_promotions")
def sparse_proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    """Return the ledger of `sparse_bound`: one row per mistake.

    The potential is what the irrelevant weights have above 1, in all. It starts at 0,
    is never negative, and no feature counts before its first promotion.
    """
    moves, stream, learner = ledger.steps(trace, target, Winnow)
    theta, relevant = learner.threshold, relevant_features(stream)
    most_active = int(np.ravel((stream.X != 0).sum(axis=1)).max(initial=0))
    shows = np.ravel(stream.X[:, relevant].sum(axis=1)) > 0
    plain = learner.alpha == 2 and not (learner.eliminate or learner.state.any())
    if not plain or theta <= most_active or (shows != (stream.y > 0)).any():
        needs = f"a threshold above the {most_active} features that an example may show"
        new = "a new learner of factor 2 and a target without errors"
        raise ValueError(f"this proof is about {new}: it needs {needs}")
    taken = (theta - most_active + 1) / 2
    most = len(relevant) * promotions(1, threshold=theta)
    weights, up, down, upper = learner.weights, 0, 0, 0.0
    for _, (t, x, y, score, after) in moves:
        up, down = up + (y > 0), down + (y < 0)
        shown = float(weights[relevant] @ x[relevant])
        upper += theta - shown if y > 0 else -taken
        weights = after.weights
        potential = np.maximum(0, np.delete(weights, relevant) - 1).sum()
        yield t, score, up, down, most, 0.0, potential, upper
