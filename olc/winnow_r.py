"""Winnow-R: Winnow with a floor under its weights, for a target that moves.

Chapter `winnow_r`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import numpy as np

from olc import winnow
from olc.core import ledger
from olc.core.check import Vector, above, assuming, whole
from olc.core.game import Trace, as_trace
from olc.core.learner import Threshold, hints, parameter
from olc.core.stream import Stream

__all__ = ["WinnowR", "promotions", "least_drop", "mistake_bound", "sharp_bound",
           "additions", "proof", "late_mistakes"]  # fmt: skip


@hints(coordinatewise=True)
class WinnowR(Threshold):
    r"""Winnow whose demotions stop at the floor :math:`1/\alpha`, ½ for α = 2.

    .. math:: w_i \leftarrow \max(w_i\,\alpha^{\,y x_i},\ 1/\alpha)

    A feature that the target takes up late is then never far from the threshold.
    Algorithm {prf:ref}`alg-winnow-r`.

    >>> learner = WinnowR(2)
    >>> for _ in range(3):
    ...     learner.update(np.array([1, 1]), -1)
    >>> learner.weights
    array([0.5, 0.5])
    """

    features: ClassVar[str] = "bits"
    alpha: float = parameter(above(1), default=2.0)

    def step(self, count: Vector, x: Vector, y: int) -> Vector:
        """Count promotions up and demotions down, but never below -1."""
        return np.maximum(count + y * x, -1)

    def link(self, count: Vector) -> Vector:
        """Return α to the power of the counts: 1/α or more."""
        return self.alpha**count


def promotions(n: int, alpha: float = 2.0, threshold: float | None = None) -> int:
    """Return how often a variable is promoted in one stay in the target.

    It enters with weight at least 1/α and is promoted only below θ:
    ⌈log_α θ⌉ + 1 times.

    >>> promotions(1024)
    11
    """
    return winnow.promotions(n, alpha, threshold) + 1


@assuming(n=whole(), alpha=above(1), threshold=above(0))
def least_drop(n: int, alpha: float = 2.0, threshold: float | None = None) -> Fraction:
    r"""Return what a demotion takes at least from the total weight.

    Shown weights at the floor 1/α, n of them at most, lose nothing; of the rest, at
    least θ - n/α, a demotion takes the share 1 - 1/α. With θ = n it is
    :math:`n(1-1/\alpha)^2`, n/4 for α = 2.

    >>> print(least_drop(1024))
    256
    """
    theta, floor = Fraction(n if threshold is None else threshold), 1 / Fraction(alpha)
    if theta <= n * floor:
        low = f"threshold = {float(theta)} must be above n / alpha = {float(n * floor)}"
        raise ValueError(f"{low}: weights at the floor reach it, and no demotion helps")
    return (1 - floor) * (theta - n * floor)


@assuming(additions=whole(), errors=whole(0))
def mistake_bound(
    n: int,
    additions: int,
    alpha: float = 2.0,
    threshold: float | None = None,
    errors: int = 0,
) -> int:
    r"""Bound the mistakes on a disjunction to which variables are added.

    Theorem {prf:ref}`thm-winnow-r`: c additions (removals are free, the first target
    counts) allow at most c · `promotions` promotions, :math:`m^+`. Each adds less than
    (α-1)θ to a total weight that starts at n and never falls below n/α, and a demotion
    takes more than `least_drop`. With θ = n that makes fewer than
    :math:`(\alpha^2 m^+ + \alpha)/(\alpha - 1)` demotions; for α = 2 the bound is
    :math:`5c(\lceil\log_2 n\rceil + 1) + 1`.

    >>> mistake_bound(1024, additions=1)
    56

    Theorem {prf:ref}`thm-winnow-r-noise`: each of the `winnow.attribute_errors` allows
    one promotion more, and makes the bound larger by 5.

    >>> mistake_bound(1024, additions=1, errors=10)
    106
    """
    drop, factor = least_drop(n, alpha, threshold), Fraction(alpha)
    theta = Fraction(n if threshold is None else threshold)
    up = additions * promotions(n, alpha, threshold) + errors
    down = (n - n / factor + up * (factor - 1) * theta) / drop
    return up + math.ceil(down) - 1


@assuming(additions=whole())
def sharp_bound(n: int, additions: int) -> int:
    r"""Bound the mistakes more sharply, for α = 2 and θ = n.

    Theorem {prf:ref}`thm-winnow-r-sharp`. A weight that has reached its highest value
    :math:`P = 2^{\lceil\log_2 n\rceil}` is half lost for the adversary, because one
    demotion takes P/2 at once. So each of the c stays, with its ℓ = `promotions`
    promotions of at most n - ½, adds at most A = ℓ(n - ½) - P/2 + (n + 1)/4 to a
    potential that every demotion lowers by (n + 1)/4 and that is n before the last. For
    a power of two the bound is :math:`c(5\log_2 n + 4)` or a little less.

    >>> sharp_bound(1024, additions=1), sharp_bound(1024, additions=20)
    (54, 1079)
    """
    each = promotions(n)
    highest = 2 ** (each - 1)
    four_stays = additions * (4 * each * n - 2 * each - 2 * highest + n + 1)
    return additions * each + 1 + four_stays // (n + 1)


def costs(stream: Stream) -> list[tuple[int, int]]:
    """Return the rounds in which the target changed, each with the additions so far.

    The variables of the first target count as added; removing one is free.
    """
    held, added, found = np.zeros(stream.n, dtype=bool), 0, []
    for start, target in stream.drifts or [(0, stream.need_target())]:
        added += int(np.sum((target > 0) & ~held))
        found.append((start, added))
        held = target > 0
    return found


def additions(stream: Stream) -> int:
    """Return how many variables were ever added to the target of a drifting stream.

    >>> from olc import streams
    >>> additions(streams.drifting_disjunction(50, k=3, rounds=100, drifts=4, seed=0))
    7
    """
    return costs(stream)[-1][1]


COLUMNS = ("additions", "errors", "promotions", "demotions", "most_promotions",
           "change")  # fmt: skip


@ledger.tabulate(*COLUMNS)
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the drifting bound: one row per mistake.

    The potential is the total weight. A promotion adds at most (α-1)θ and a demotion
    takes more than `least_drop` (the column `change` shows it): the upper bound. The
    floor gives the lower one, n/α. `promotions` is at most `most_promotions`, which
    counts the variables added so far and the attribute errors.
    """
    moves, stream, learner = ledger.steps(trace, target, WinnowR)
    n, alpha, theta = learner.n, learner.alpha, learner.threshold
    drop, each = float(least_drop(n, alpha, theta)), promotions(n, alpha, theta)
    starts, added = zip(*costs(stream), strict=True)
    targets = [u for _, u in stream.drifts] or [stream.need_target()]

    start = total = float(learner.weights.sum())
    up = down = errors = 0
    for _, (t, x, y, _, after) in moves:
        up, down = up + (y > 0), down + (y < 0)
        before, total = total, float(after.weights.sum())
        now = int(np.searchsorted(starts, t, "right")) - 1
        cost, on = added[now], int(x[targets[now] > 0].sum())
        errors += on if y < 0 else int(on == 0)
        counts = cost, errors, up, down, cost * each + errors
        upper = start + up * (alpha - 1) * theta - down * drop
        yield t, *counts, total - before, n / alpha, total, upper


def late_mistakes(trace: Trace) -> int:
    """Return how many mistakes were made since the last change of the target."""
    last, _ = costs(as_trace(trace).stream)[-1]
    return int((trace.mistake_rounds >= last).sum())
