"""The best mistake bound of a finite class, and how far halving is from it.

Chapter `standard_optimal`. A class is a table of signs, as in `olc.halving`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import ledger
from olc.core.check import Vector, assuming, whole
from olc.core.game import Trace
from olc.core.learner import parameter
from olc.core.stream import Stream
from olc.halving import Hypotheses, VersionSpace, as_class, subsets

__all__ = ["StandardOptimal", "littlestone_dimension", "mistake_bound", "mistake_tree",
           "halving_bound", "halving_stream", "agnostic_rate", "agnostic_bound",
           "experts", "proof"]  # fmt: skip


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
    table: Hypotheses = parameter(lambda table, name: as_class(table), kw_only=False)

    def start(self) -> Any:
        """Return which hypotheses are possible before the first round: all."""
        self.n, self.points = len(self.table), splits(self.table)
        return super().start()

    def score(self, x: Any) -> Any:
        """Return how much larger the dimension is that a label +1 would leave."""
        _check_point(x, self.points)
        return self.ldim(self.alive & (x > 0)) - self.ldim(self.alive & (x < 0))

    def ldim(self, members: NDArray[np.bool_]) -> int:
        """Return the Littlestone dimension of some of the hypotheses."""
        return dimensions(self.points)(as_set(members))

    @property
    def dimension(self) -> int:
        """The Littlestone dimension of the hypotheses that are still possible."""
        return self.ldim(self.alive)


def _check_point(x: Vector, points: tuple[int, ...]) -> None:
    if as_set(x > 0) not in points:
        remedy = "the examples are the points of the class, table[:, i]"
        raise ValueError(f"x is not a column of the table: {remedy}")


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


def splits(table: Hypotheses) -> tuple[int, ...]:
    """Return the sets of hypotheses that say +1 at some point, the most even first."""
    masks = {as_set(column > 0) for column in table.T}
    return tuple(sorted(masks, key=lambda mask: abs(2 * mask.bit_count() - len(table))))


def as_set(members: NDArray[np.bool_]) -> int:
    """Return a set, given as booleans, as a whole number with bit i for member i."""
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


def halving_bound(table: ArrayLike) -> int:
    """Bound the mistakes of halving on a class, tie by tie; at most ⌊log₂ ∣H∣⌋.

    It is exact if each hypothesis is alone with its answer at some point. Theorem
    {prf:ref}`thm-halving-exact`.

    >>> from olc.halving import disjunctions
    >>> table = disjunctions(8, k=5)
    >>> halving_bound(table), littlestone_dimension(table)
    (5, 3)
    """
    return len(_ties(as_class(table))[0])


def halving_stream(table: ArrayLike) -> Stream:
    """Return a realisable stream on which halving errs `halving_bound` times.

    First hypotheses leave one by one, each alone with its answer at some point, which
    costs halving nothing. Those that remain tie in every round:
    {prf:ref}`thm-halving-exact`.

    >>> from olc import Halving, halving, play
    >>> stream = halving_stream(halving.disjunctions(8, k=5))
    >>> play(Halving(56), stream)
    Trace(5 mistakes in 29 rounds)
    """
    signs = as_class(table)
    points, kept = _ties(signs)
    leaving = [h for h in range(len(signs)) if not kept >> h & 1]
    alone = [(signs != signs[h]).sum(axis=0) == len(signs) - 1 for h in leaving]
    if not all(map(np.any, alone)):
        wrong = "some hypothesis is nowhere alone with its answer"
        raise ValueError(f"{wrong}: give a class such as halving.disjunctions(8, k=5)")
    asked = [*map(int, map(np.argmax, alone)), *(point for point, _ in points)]
    agree = np.all([signs[:, i] == label for i, label in points], axis=0)
    target = next(h for h in np.flatnonzero(agree) if kept >> int(h) & 1)
    return Stream(signs[:, asked].T, signs[target, asked])


def _ties(table: Hypotheses) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the longest sequence of ties that halving can meet, each as a point and
    its label, and the set of the hypotheses that it takes.
    """
    columns = [as_set(x > 0) for x in table.T]

    @cache
    def plan(version: int, ties: int) -> Any:
        if ties == 0:
            return (), version & -version
        half = 1 << ties - 1
        for i, yes in enumerate(columns):
            for label, right in ((-1, version & ~yes), (1, version & yes)):
                wrong = version & ~right
                if min(right.bit_count(), wrong.bit_count()) < half:
                    continue
                if (rest := plan(right, ties - 1)) is not None:
                    return ((i, label), *rest[0]), rest[1] | _some(wrong, half)
        return None

    everyone, ties = (1 << len(table)) - 1, 0
    while plan(everyone, ties + 1) is not None:
        ties += 1
    return plan(everyone, ties)


def _some(members: int, size: int) -> int:
    """Return `size` of the members, the first ones, as a set."""
    bits = (1 << h for h in range(members.bit_length()) if members >> h & 1)
    return sum(itertools.islice(bits, size))


def _log_count(dimension: int, rounds: int) -> float:
    r"""Return ln of the number of experts: the sets of at most d of T rounds.

    Where they take long to count it is a bound, :math:`d\,(1 + \ln(T/d))`. With as many
    rounds as the dimension, or fewer, every set of rounds is an expert.
    """
    if dimension >= rounds:
        return rounds * math.log(2)
    if dimension > 1000:
        return dimension * (1 + math.log(rounds / dimension))
    return math.log(sum(math.comb(rounds, i) for i in range(dimension + 1)))


@assuming(dimension=whole(0), rounds=whole())
def agnostic_rate(dimension: int, rounds: int) -> float:
    """Return the rate η of randomised weighted majority for `agnostic_bound`.

    >>> round(agnostic_rate(1, rounds=400), 4)
    0.2927
    """
    return -math.expm1(-math.sqrt(8 * _log_count(dimension, rounds) / rounds))


@assuming(dimension=whole(0), rounds=whole())
def agnostic_bound(dimension: int, rounds: int) -> float:
    r"""Bound the expected regret on any labels by the dimension, not by the size.

    :math:`\sqrt{\tfrac12 T\ln\sum_{i\le d}\tbinom Ti}`, for the `experts` of the class
    and the `agnostic_rate`. Theorem {prf:ref}`thm-agnostic`.

    >>> round(agnostic_bound(1, rounds=400), 1)
    34.6
    """
    return math.sqrt(rounds / 2 * _log_count(dimension, rounds))


def experts(table: ArrayLike, asked: Sequence[int]) -> Hypotheses:
    """Return what the optimal algorithm would say if it knew where it errs.

    There is a row for each point asked and a column for each set of at most Ldim(H)
    rounds. In the rounds of its set the algorithm says the opposite, as long as a
    hypothesis agrees, and it takes whatever it says for the truth. Every hypothesis
    speaks through one of the columns: {prf:ref}`thm-agnostic`.

    >>> from olc.halving import singletons
    >>> experts(singletons(5), [3, 0, 3])
    array([[-1,  1, -1, -1],
           [-1, -1,  1, -1],
           [-1,  1, -1, -1]], dtype=int8)
    """
    signs = as_class(table)
    ldim, everyone = dimensions(splits(signs)), (1 << len(signs)) - 1
    columns = [as_set(signs[:, i] > 0) for i in asked]

    def speak(rounds: tuple[int, ...]) -> Iterator[int]:
        version = everyone
        for t, yes in enumerate(columns):
            sides = {1: version & yes, -1: version & ~yes}
            says = 1 if ldim(sides[1]) > ldim(sides[-1]) else -1
            if t in rounds and sides[-says]:
                says = -says
            version = sides[says]
            yield says

    sets = subsets(len(asked), 0, ldim(everyone))
    return np.array([list(speak(rounds)) for rounds in sets], dtype=np.int8).T


@ledger.tabulate("alive")
def proof(trace: Trace) -> Iterator[ledger.Row]:
    """Return the ledger of the optimal algorithm: one row per mistake.

    The potential is Ldim(V), V being the hypotheses that are left: at most
    Ldim(H) - M, and at least 0.
    """
    moves, before = ledger.mistakes(trace, StandardOptimal)
    start = before.dimension
    for count, step in moves:
        alive = int(step.learner.alive.sum())
        yield step.t, alive, 0, step.learner.dimension, start - count
