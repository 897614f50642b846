"""The optimal deterministic learner of a finite class, and Littlestone's dimension.

Chapter `standard_optimal`. A class is a table of signs, as in `olc.halving`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import ledger
from olc.core.check import Vector
from olc.core.game import Trace
from olc.core.learner import parameter
from olc.halving import Table, VersionSpace, as_class


class StandardOptimal(VersionSpace):
    """Predict the label whose version space has the larger Littlestone dimension.

    Algorithm {prf:ref}`alg-standard-optimal`. It makes at most Ldim(H) mistakes, and no
    deterministic learner has a smaller bound. It takes the table of the class, and the
    columns of that table as examples.

    >>> from olc.halving import singletons
    >>> learner = StandardOptimal(singletons(4))
    >>> int(learner.predict([+1, -1, -1, -1]))
    -1
    """

    n = 0  # the table says how many hypotheses there are
    table: Table = parameter(lambda table, name: as_class(table), kw_only=False)

    def start(self) -> Any:
        """Return which hypotheses are possible before the first round: all."""
        self.n, self.points = len(self.table), splits(self.table)
        return super().start()

    def score(self, x: Any) -> Any:
        """Return how much larger the dimension is that a label +1 would leave."""
        _check_point(x, self.points)
        yes, alive = as_set(x > 0), as_set(self.alive)
        dimension = dimensions(self.points)
        return dimension(alive & yes) - dimension(alive & ~yes)

    @property
    def dimension(self) -> int:
        """The Littlestone dimension of the hypotheses that are still possible."""
        return dimensions(self.points)(as_set(self.alive))


def _check_point(x: Vector, points: tuple[int, ...]) -> None:
    if as_set(x > 0) not in points:
        raise ValueError(
            "x is not a column of the table: the examples of StandardOptimal are "
            "the points of its class, table[:, i]"
        )


def littlestone_dimension(table: ArrayLike) -> int:
    """Return the depth of the deepest mistake tree that the class shatters.

    Exact, by search; meant for small classes. The empty class has dimension -1.
    Theorem {prf:ref}`thm-standard-optimal`.

    >>> from olc.halving import thresholds
    >>> littlestone_dimension(thresholds(7))
    3
    """
    if np.asarray(table).shape[:1] == (0,):
        return -1
    table = np.unique(as_class(table), axis=0)
    return dimensions(splits(table))((1 << len(table)) - 1)


@lru_cache(maxsize=32)
def dimensions(points: tuple[int, ...]) -> Callable[[int], int]:
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


def splits(table: Table) -> tuple[int, ...]:
    """Return the columns as sets of hypotheses, those that split best first."""
    masks = {as_set(column > 0) for column in table.T}
    return tuple(sorted(masks, key=lambda mask: abs(2 * mask.bit_count() - len(table))))


def as_set(members: NDArray[np.bool_]) -> int:
    """Return a set of hypotheses as a whole number."""
    octets = np.packbits(members, bitorder="little").tobytes()
    return int.from_bytes(octets, "little")


def mistake_bound(table: ArrayLike) -> int:
    """Bound the mistakes of the optimal algorithm: Ldim(H), which it may need.

    Theorem {prf:ref}`thm-standard-optimal`.

    >>> from olc.halving import singletons
    >>> mistake_bound(singletons(8))
    1
    """
    return littlestone_dimension(table)


def mistake_tree(table: ArrayLike) -> Any:
    """Return the deepest mistake tree that the class shatters.

    A leaf is the number of a hypothesis; a node is ``(point, left, right)``, with the
    trees for the labels -1 and +1 of that point. The adversary of
    {prf:ref}`thm-standard-optimal` walks down from the root, away from the predictions.

    >>> from olc.halving import thresholds
    >>> mistake_tree(thresholds(3))
    (1, (2, 3, 2), (0, 1, 0))
    """
    signs = as_class(table)
    points, dimension = [as_set(x > 0) for x in signs.T], dimensions(splits(signs))

    def sides(version: int, i: int) -> tuple[int, int]:
        return version & ~points[i], version & points[i]

    def grow(version: int, depth: int) -> Any:
        if depth == 0:
            return (version & -version).bit_length() - 1  # the first one that is left
        depths = [min(map(dimension, sides(version, i))) for i in range(len(points))]
        best = int(np.argmax(depths))
        return best, *(grow(side, depth - 1) for side in sides(version, best))

    everyone = (1 << len(signs)) - 1
    return grow(everyone, dimension(everyone))


@ledger.table("alive")
def proof(trace: Trace) -> Iterator[ledger.Row]:
    """Return the ledger of the optimal algorithm: one row per mistake.

    The potential is Ldim(V), V being the hypotheses that are left: at most
    Ldim(H) - M, and at least 0.
    """
    moves = ledger.mistakes(trace, StandardOptimal)
    start = trace.before.dimension  # type: ignore[attr-defined]

    for count, step in moves:
        yield {
            "round": step.t,
            "alive": int(step.learner.alive.sum()),
            "lower": 0,
            "potential": step.learner.dimension,
            "upper": start - count,
        }
