"""Realizable games: the consistent learner, halving, and the optimal algorithm.

Chapter `online_game`. A finite class of hypotheses is a table of signs: one row a
hypothesis, one column a point. An example is a column: what each hypothesis says.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc import _checks, _ledger
from olc.game import Learner, Stream, Trace, Vector

if TYPE_CHECKING:
    import pandas as pd

Table = NDArray[np.int8]


class VersionSpace(Learner):
    """Remember which hypotheses have been right in every round so far."""

    features: ClassVar[str] = "signs"

    def __init__(self, n: int) -> None:
        self.n = _checks.count(n, "n")
        self.alive = np.ones(self.n, dtype=bool)

    @property
    def weights(self) -> Vector:
        """1 for a hypothesis that is still possible, 0 for the others."""
        return self.alive.astype(float)

    def _wants_update(self, score: Any, y: Any) -> Any:
        return True

    def _update(self, x: Vector, y: int) -> None:
        alive = self.alive & (x == y)
        if not alive.any():
            raise ValueError(
                "no hypothesis agrees with all labels so far: the stream is not "
                "realizable by this class; use WeightedMajority"
            )
        self.alive = alive


class Consistent(VersionSpace):
    """Predict with the first hypothesis that has never been wrong.

    Algorithm {prf:ref}`alg-consistent`.

    >>> learner = Consistent(3)
    >>> learner.update([-1, +1, -1], +1)
    >>> int(learner.predict([-1, +1, +1]))
    1
    """

    def _score(self, X: Vector) -> Any:
        return X[..., int(self.alive.argmax())]


class Halving(VersionSpace):
    """Predict with the majority of the hypotheses that have never been wrong.

    Algorithm {prf:ref}`alg-halving`.
    """

    def _score(self, X: Vector) -> Any:
        return X[..., self.alive].sum(axis=-1)


class StandardOptimal(VersionSpace):
    """Predict the label whose version space has the larger Littlestone dimension.

    Algorithm {prf:ref}`alg-standard-optimal`. It makes at most Ldim(H) mistakes, and no
    deterministic learner can promise fewer.

    >>> learner = StandardOptimal(singletons(4))
    >>> int(learner.predict([+1, -1, -1, -1]))
    -1
    """

    def __init__(self, table: ArrayLike) -> None:
        self.table = _class(table)
        super().__init__(len(self.table))

    def _score(self, X: Vector) -> Any:
        if X.ndim == 2:
            return np.array([self._score(x) for x in X])
        plus = littlestone_dimension(self.table[self.alive & (X > 0)])
        return plus - littlestone_dimension(self.table[self.alive & (X < 0)])


def mistake_bound(size: int) -> int:
    """Bound the mistakes of halving on a class of this size: ⌊log₂ |H|⌋.

    Theorem {prf:ref}`thm-halving`.

    >>> mistake_bound(1000)
    9
    """
    return _checks.count(size, "size").bit_length() - 1


def consistent_bound(size: int) -> int:
    """Bound the mistakes of the consistent learner: |H| - 1.

    Theorem {prf:ref}`thm-consistent`.
    """
    return _checks.count(size, "size") - 1


def littlestone_dimension(table: ArrayLike) -> int:
    """Return the depth of the deepest mistake tree that the class shatters.

    Exact, by search; meant for small classes. The empty class has dimension -1.
    Theorem {prf:ref}`thm-standard-optimal`.

    >>> littlestone_dimension(thresholds(7))
    3
    """
    table = np.asarray(table)
    if not len(table):
        return -1
    table = np.unique(_class(table), axis=0)
    columns = sorted({_mask(column) for column in table.T}, key=_unevenness(len(table)))
    whole = (1 << len(table)) - 1

    @lru_cache(maxsize=None)
    def shatters(version: int, depth: int) -> bool:
        if depth == 0:
            return True
        if version.bit_count() < 1 << depth:
            return False
        return any(
            shatters(version & column, depth - 1)
            and shatters(version & ~column, depth - 1)
            for column in columns
            if version & column and version & ~column
        )

    depth = 0
    while shatters(whole, depth + 1):
        depth += 1
    return depth


def _mask(column: NDArray[Any]) -> int:
    return int("".join("1" if sign > 0 else "0" for sign in column), 2)


def _unevenness(size: int) -> Any:
    return lambda mask: abs(2 * mask.bit_count() - size)


def _class(table: ArrayLike) -> Table:
    table = np.asarray(table)
    if table.ndim != 2 or not table.size:
        raise ValueError(
            f"the class has shape {table.shape}: give a table of signs with one row "
            "per hypothesis and one column per point"
        )
    _checks.rows(table, "signs")
    return table.astype(np.int8)


def singletons(points: int) -> Table:
    """Return the class of functions that are +1 at exactly one point."""
    return (2 * np.eye(_checks.count(points, "points")) - 1).astype(np.int8)


def thresholds(points: int) -> Table:
    """Return the class of step functions on a line: +1 from some point on."""
    points = _checks.count(points, "points")
    steps = np.arange(points + 1)[:, None]
    return np.where(np.arange(points) >= steps, 1, -1).astype(np.int8)


def all_functions(points: int) -> Table:
    """Return the class of all sign functions on so many points."""
    signs = itertools.product([-1, 1], repeat=_checks.count(points, "points"))
    return np.array(list(signs), dtype=np.int8)


def disjunctions(n: int, k: int, at_most: bool = False) -> Table:
    """Return the monotone disjunctions of k (or at most k) of n variables.

    The points are all 2^n bit vectors.
    """
    n = _checks.count(n, "n")
    sizes = range(0 if at_most else k, _checks.subset_size(k, n) + 1)
    subsets = [s for size in sizes for s in itertools.combinations(range(n), size)]
    points = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
    rows = [points[:, list(subset)].any(axis=1) for subset in subsets]
    return np.where(np.array(rows), 1, -1).astype(np.int8)


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    """Return the ledger of the learner that played: one row per mistake.

    The potential of the consistent learner is |V|, from |H| - M down to 1; that of
    halving is |V| too, at most |H|/2^M; that of the optimal algorithm is Ldim(V), at
    most Ldim(H) - M.
    """
    learner: Any = trace.before
    wrong = set(trace.rounds.tolist())
    size = int(learner.weights.sum())

    def rows() -> Iterator[dict[str, float]]:
        count = 0
        for _, step in _ledger.steps(
            trace, stream, Consistent, Halving, StandardOptimal
        ):
            if step.t in wrong:
                count += 1
                alive = int(step.learner.alive.sum())
                lower, potential, upper = 1.0, float(alive), size - float(count)
                if isinstance(learner, Halving):
                    upper = size * math.ldexp(1.0, -count)
                if isinstance(learner, StandardOptimal):
                    table = learner.table
                    lower = 0.0
                    potential = littlestone_dimension(table[step.learner.alive])
                    upper = littlestone_dimension(table[learner.alive]) - count
                yield {
                    "round": step.t,
                    "alive": alive,
                    "lower": lower,
                    "potential": potential,
                    "upper": upper,
                }

    return _ledger.ledger(rows())
