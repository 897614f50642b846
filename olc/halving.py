"""Realisable games: the consistent learner and halving.

Chapter `online_game`. A finite class of hypotheses is a table of signs: one row per
hypothesis, one column per point. An example is a column: what each hypothesis says.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check, ledger
from olc.core.check import Vector, assuming, flag, whole
from olc.core.game import Trace
from olc.core.learner import Learner, parameter

__all__ = ["VersionSpace", "Consistent", "Halving", "mistake_bound",
           "consistent_bound", "singletons", "thresholds", "all_functions",
           "disjunctions", "proof"]  # fmt: skip

Hypotheses = NDArray[np.int8]


class VersionSpace(Learner):
    """Remember which hypotheses have been right in every round so far."""

    features: ClassVar[str] = "signs"

    def start(self) -> Any:
        """Return which hypotheses are possible before the first round: all."""
        return np.ones(self.n, dtype=bool)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which hypotheses are still possible."""
        return self.state

    @property
    def weights(self) -> Vector:
        """1 for a hypothesis that is still possible, 0 for the others."""
        return self.alive.astype(float)

    def wants_update(self, score: Any, y: Any) -> Any:
        """Every round may rule out hypotheses."""
        return True

    def update(self, x: Any, y: Any) -> None:
        """Keep the hypotheses that agree with the label."""
        agree = self.alive & (x == y)
        if not agree.any():
            raise ValueError(
                "no hypothesis agrees with all labels so far: the stream is not "
                "realisable by this class; use WeightedMajority"
            )
        self.state = agree


class Consistent(VersionSpace):
    """Predict with the first hypothesis that has never been wrong.

    Algorithm {prf:ref}`alg-consistent`.

    >>> learner = Consistent(3)
    >>> prediction = learner.learn([-1, +1, -1], +1)
    >>> int(learner.predict([-1, +1, +1]))
    1
    """

    n: int = parameter(whole(1), kw_only=False)

    def score(self, x: Any) -> Any:
        """Return what the first of them says."""
        return x[self.alive.argmax()]


class Halving(VersionSpace):
    """Predict with the majority of the hypotheses that have never been wrong.

    Algorithm {prf:ref}`alg-halving`.

    >>> learner = Halving(3)
    >>> int(learner.predict([-1, +1, +1]))
    1
    """

    n: int = parameter(whole(1), kw_only=False)

    def score(self, x: Any) -> Any:
        """Return the votes for +1 minus those for -1."""
        return x[self.alive].sum()


@assuming(size=whole())
def mistake_bound(size: int) -> int:
    """Bound the mistakes of halving on a class of this size: ⌊log₂ ∣H∣⌋.

    Theorem {prf:ref}`thm-halving`.

    >>> mistake_bound(1000)
    9
    """
    return size.bit_length() - 1


@assuming(size=whole())
def consistent_bound(size: int) -> int:
    """Bound the mistakes of the consistent learner: ∣H∣ - 1.

    Theorem {prf:ref}`thm-consistent`.

    >>> consistent_bound(1000)
    999
    """
    return size - 1


def as_class(table: ArrayLike) -> Hypotheses:
    """Return a class as a table of signs, a row per hypothesis, a column per point."""
    table = np.asarray(table)
    if table.ndim != 2 or not table.size:
        wanted = "a table of signs with one row per hypothesis, one column per point"
        raise ValueError(f"the class has shape {table.shape}: give {wanted}")
    check.features(table, "signs")
    return table.astype(np.int8, copy=False)


@assuming(points=whole())
def singletons(points: int) -> Hypotheses:
    """Return the class of functions that are +1 at exactly one point.

    >>> singletons(2)
    array([[ 1, -1],
           [-1,  1]], dtype=int8)
    """
    return (2 * np.eye(points) - 1).astype(np.int8)


@assuming(points=whole())
def thresholds(points: int) -> Hypotheses:
    """Return the class of step functions on a line: +1 from some point on.

    >>> thresholds(2)
    array([[ 1,  1],
           [-1,  1],
           [-1, -1]], dtype=int8)
    """
    steps = np.arange(points + 1)[:, None]
    return np.where(np.arange(points) >= steps, 1, -1).astype(np.int8)


@assuming(points=whole())
def all_functions(points: int) -> Hypotheses:
    """Return the class of all sign functions on so many points.

    >>> all_functions(3).shape
    (8, 3)
    """
    signs = itertools.product([-1, 1], repeat=points)
    return np.array(list(signs), dtype=np.int8)


@assuming(n=whole(), k=whole(), at_most=flag)
def disjunctions(n: int, k: int, at_most: bool = False) -> Hypotheses:
    """Return the monotone disjunctions of k (or at most k) of n variables.

    The points are all :math:`2^n` bit vectors. The empty disjunction, which is at most
    k, is always -1.

    >>> disjunctions(2, k=1)
    array([[-1,  1, -1,  1],
           [-1, -1,  1,  1]], dtype=int8)
    """
    points = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
    chosen = subsets(n, 0 if at_most else k, k)
    rows = [points[:, list(subset)].any(axis=1) for subset in chosen]
    return np.where(np.array(rows), 1, -1).astype(np.int8)


def subsets(n: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of `least` to `most` of 0, ..., n - 1, the small ones first."""
    for size in range(least, most + 1):
        yield from itertools.combinations(range(n), size)


@ledger.tabulate("alive")
def proof(trace: Trace) -> Iterator[ledger.Row]:
    """Return the ledger of the learner that played: one row per mistake.

    The potential is the number of hypotheses that are left: at least 1, and at most
    ∣H∣ - M for the consistent learner and :math:`|H|/2^M` for halving.
    """
    moves, before = ledger.mistakes(trace, Consistent, Halving)
    start, halves = int(before.alive.sum()), isinstance(before, Halving)
    for count, step in moves:
        alive = int(step.learner.alive.sum())
        upper = start * 0.5**count if halves else start - count
        yield step.t, alive, 1, alive, upper
