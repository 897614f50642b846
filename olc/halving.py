"""Realizable games: the consistent learner, halving, and the optimal algorithm.

Chapter `online_game`. A finite class of hypotheses is a table of signs: one row a
hypothesis, one column a point. An example is a column: what each hypothesis says.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
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
    least: ClassVar[int] = 1  #: what is left of the potential, whatever happens

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

    def _potential(self) -> int:
        """What a mistake must lessen: the number of hypotheses left."""
        return int(self.alive.sum())

    def _at_most(self, start: int, mistakes: int) -> float:
        """What is left of a potential after so many mistakes, at most."""
        return start - mistakes


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

    >>> learner = Halving(3)
    >>> int(learner.predict([-1, +1, +1]))
    1
    """

    def _score(self, X: Vector) -> Any:
        return X[..., self.alive].sum(axis=-1)

    def _at_most(self, start: int, mistakes: int) -> float:
        return start * 0.5**mistakes


class StandardOptimal(VersionSpace):
    """Predict the label whose version space has the larger Littlestone dimension.

    Algorithm {prf:ref}`alg-standard-optimal`. It makes at most Ldim(H) mistakes, and no
    deterministic learner can promise fewer. It takes the table of the class, and the
    columns of that table as examples.

    >>> learner = StandardOptimal(singletons(4))
    >>> int(learner.predict([+1, -1, -1, -1]))
    -1
    """

    least: ClassVar[int] = 0

    def __init__(self, table: ArrayLike) -> None:
        self.table = _class(table)
        self._points = _points(self.table)
        super().__init__(len(self.table))

    def _score(self, X: Vector) -> Any:
        if X.ndim == 2:
            return np.array([self._score(x) for x in X], dtype=float)
        point, alive = self._point(X), _mask(self.alive)
        dimension = _dimensions(self._points)
        return dimension(alive & point) - dimension(alive & ~point)

    def _update(self, x: Vector, y: int) -> None:
        self._point(x)
        super()._update(x, y)

    def _point(self, x: Vector) -> int:
        point = _mask(x > 0)
        if point not in self._points:
            raise ValueError(
                "x is not a column of the table: the examples of StandardOptimal are "
                "the points of its class, table[:, i]"
            )
        return point

    def _potential(self) -> int:
        return _dimensions(self._points)(_mask(self.alive))


def mistake_bound(size: int) -> int:
    """Bound the mistakes of halving on a class of this size: ⌊log₂ ∣H∣⌋.

    Theorem {prf:ref}`thm-halving`.

    >>> mistake_bound(1000)
    9
    """
    return _checks.count(size, "size").bit_length() - 1


def consistent_bound(size: int) -> int:
    """Bound the mistakes of the consistent learner: ∣H∣ - 1.

    Theorem {prf:ref}`thm-consistent`.

    >>> consistent_bound(1000)
    999
    """
    return _checks.count(size, "size") - 1


def littlestone_dimension(table: ArrayLike) -> int:
    """Return the depth of the deepest mistake tree that the class shatters.

    Exact, by search; meant for small classes. The empty class has dimension -1.
    Theorem {prf:ref}`thm-standard-optimal`.

    >>> littlestone_dimension(thresholds(7))
    3
    """
    if np.asarray(table).shape[:1] == (0,):
        return -1
    table = np.unique(_class(table), axis=0)
    return _dimensions(_points(table))((1 << len(table)) - 1)


@lru_cache(maxsize=32)
def _dimensions(points: tuple[int, ...]) -> Callable[[int], int]:
    """Return the Littlestone dimension as a function of the version space.

    A set of hypotheses is a whole number, a bit for each; a point is the set of those
    that say +1 there.
    """

    @cache
    def shatters(version: int, depth: int) -> bool:
        size, half = version.bit_count(), 1 << depth >> 1
        if depth == 0:
            return size > 0
        return any(
            shatters(version & point, depth - 1)
            and shatters(version & ~point, depth - 1)
            for point in points
            # a tree of depth d has 2^d leaves, each with a hypothesis of its own
            if half <= (version & point).bit_count() <= size - half
        )

    def dimension(version: int) -> int:
        depth = 0
        while shatters(version, depth):
            depth += 1
        return depth - 1

    return dimension


def _points(table: Table) -> tuple[int, ...]:
    """Return the columns as sets of hypotheses, those that split best first."""
    masks = {_mask(column > 0) for column in table.T}
    return tuple(sorted(masks, key=lambda mask: abs(2 * mask.bit_count() - len(table))))


def _mask(members: NDArray[np.bool_]) -> int:
    """Return a set of hypotheses as a whole number."""
    octets = np.packbits(members, bitorder="little").tobytes()
    return int.from_bytes(octets, "little")


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
    """Return the class of functions that are +1 at exactly one point.

    >>> singletons(2)
    array([[ 1, -1],
           [-1,  1]], dtype=int8)
    """
    return (2 * np.eye(_checks.count(points, "points")) - 1).astype(np.int8)


def thresholds(points: int) -> Table:
    """Return the class of step functions on a line: +1 from some point on.

    >>> thresholds(2)
    array([[ 1,  1],
           [-1,  1],
           [-1, -1]], dtype=int8)
    """
    points = _checks.count(points, "points")
    steps = np.arange(points + 1)[:, None]
    return np.where(np.arange(points) >= steps, 1, -1).astype(np.int8)


def all_functions(points: int) -> Table:
    """Return the class of all sign functions on so many points.

    >>> all_functions(3).shape
    (8, 3)
    """
    signs = itertools.product([-1, 1], repeat=_checks.count(points, "points"))
    return np.array(list(signs), dtype=np.int8)


def disjunctions(n: int, k: int, at_most: bool = False) -> Table:
    """Return the monotone disjunctions of k (or at most k) of n variables.

    The points are all 2^n bit vectors. The empty disjunction, which is at most k, is
    always -1.

    >>> disjunctions(2, k=1)
    array([[-1,  1, -1,  1],
           [-1, -1,  1,  1]], dtype=int8)
    """
    n = _checks.count(n, "n")
    sizes = range(0 if at_most else k, _checks.subset_size(k, n) + 1)
    subsets = [s for size in sizes for s in itertools.combinations(range(n), size)]
    points = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
    rows = [points[:, list(subset)].any(axis=1) for subset in subsets]
    return np.where(np.array(rows), 1, -1).astype(np.int8)


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    """Return the ledger of the learner that played: one row per mistake.

    The potential of the consistent learner is the number `alive` of hypotheses that
    are left, at most ∣H∣ - M and at least 1; that of halving is the same number, at
    most ∣H∣/2^M; that of the optimal algorithm is Ldim(V), at most Ldim(H) - M and at
    least 0.
    """
    moves = _ledger.steps(trace, stream, Consistent, Halving, StandardOptimal)
    learner: Any = trace.before
    start, wrong = learner._potential(), set(trace.rounds.tolist())

    def rows() -> Iterator[dict[str, float]]:
        mistakes = (step for _, step in moves if step.t in wrong)
        for count, step in enumerate(mistakes, start=1):
            yield {
                "round": step.t,
                "alive": int(step.learner.alive.sum()),
                "lower": learner.least,
                "potential": step.learner._potential(),
                "upper": learner._at_most(start, count),
            }

    return _ledger.ledger(rows(), ("alive",))
