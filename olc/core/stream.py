"""Examples in the order in which they come: `Stream`, and how to read one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check
from olc.core.check import Vector

__all__ = ["Stream"]

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Stream:
    """Examples in the order in which they come: rows of `X`, labels `y`.

    `X` is an array, or a SciPy CSR matrix. `target` is the hidden weight vector that
    explains the labels, when there is one. `drifts` lists ``(round, target)`` for a
    target that moves, from round 0 on.
    """

    X: Any
    y: Labels
    target: Vector | None = None
    drifts: Sequence[tuple[int, Vector]] = field(default=(), repr=False)

    if TYPE_CHECKING:  # whatever is given becomes arrays

        def __init__(self, X: Any, y: Any, target: Any = None, drifts: Any = ()): ...

    def __post_init__(self) -> None:
        X = check.as_rows(self.X)
        aim = partial(check.example, n=X.shape[1], name="target")
        y, round_ = check.labels(X, self.y), "the round of a drift"
        target = None if self.target is None else aim(self.target)
        drifts = [(check.count(t, round_, 0), aim(u)) for t, u in self.drifts]
        starts = [t for t, _ in drifts]
        if starts != sorted({0, *starts} if starts else ()) or starts[-1:] >= [
            max(1, len(y))
        ]:
            say = f"each of them once and in order, before the end at {len(y)}"
            raise ValueError(f"drifts begin in rounds {starts}: begin with 0, {say}")
        self.__dict__.update(X=X, y=y, target=target, drifts=tuple(drifts))

    def __len__(self) -> int:
        return len(self.y)

    def __iter__(self) -> Iterator[tuple[NDArray[Any], int]]:
        return ((x.astype(self.X.dtype), y) for x, y in self.rounds())

    def rounds(self, first: int = 0) -> Iterator[tuple[Vector, int]]:
        """Yield each round's example, as floats, and its label, from the first on."""
        rows = map(self.row, range(first, len(self)))
        return zip(rows, self.y[first:].tolist(), strict=True)

    def row(self, t: int) -> Vector:
        """Return the example of one round: floats, dense."""
        at, values = self.entries(t)
        if isinstance(at, slice):
            return values
        row = np.zeros(self.n)
        row[at] = values
        return row

    def entries(self, t: int) -> tuple[Any, Vector]:
        """Return the columns that the example of one round stores, and their values.

        If X is dense these are a slice of all columns, and the row.
        """
        if not check.is_sparse(self.X):
            return slice(None), np.ascontiguousarray(self.X[t], dtype=np.float64)
        stored = slice(*self.X.indptr[t : t + 2])
        return self.X.indices[stored], self.X.data[stored].astype(float)

    def __getitem__(self, rows: Any) -> Stream:
        """Return the stream of these rounds only, in this order.

        A run of rounds keeps the targets of a drifting stream. Any other choice
        mixes them, so that none is left.
        """
        X, y = self.X[rows], self.y[rows]
        if not self.drifts:
            return Stream(X, y, self.target)
        if not (isinstance(rows, slice) and rows.step in (None, 1)):
            return Stream(X, y)
        first, stop, _ = rows.indices(len(self))
        now = [drift for drift in self.drifts if drift[0] <= first][-1:]
        later = [drift for drift in self.drifts if first < drift[0] < stop]
        drifts = [(max(0, start - first), u) for start, u in now + later]
        return Stream(X, y, drifts[-1][1], drifts)

    @property
    def n(self) -> int:
        """The number of features."""
        return int(self.X.shape[1])

    @cached_property
    def radius(self) -> float:
        """R, the largest Euclidean length of an example (one pass, then kept)."""
        check.features(self.X, "real")
        parts = (part.astype(float) for _, part in check.chunks(self.X))
        squares = (p.multiply(p) if check.is_sparse(p) else p * p for p in parts)
        return math.sqrt(max((s.sum(axis=1).max() for s in squares), default=0.0))

    @cached_property
    def margin(self) -> float:
        """γ, the least y⟨u, x⟩ of the target u scaled to Euclidean length 1."""
        check.features(self.X, "real")
        u = self.need_target()
        if not (len(self) and u.any()):
            needs = "at least one example, and a target that is not 0"
            raise ValueError(f"this stream has no margin: give {needs}")
        return float(np.min(self.y * (self.X @ (u / np.linalg.norm(u)))))

    def need_target(self) -> Vector:
        """Return the target, or say that this stream has none."""
        if self.target is None:
            raise ValueError("this stream has no target: give Stream(X, y, target=u)")
        return self.target


def as_stream(X: Any, y: ArrayLike | None = None) -> Stream:
    """Return the stream itself, or make one of examples and labels."""
    if isinstance(X, Stream):
        if y is not None:
            raise TypeError("a Stream brings its own labels: leave y out")
        return X
    if y is None:
        raise TypeError("give a Stream, or examples X and their labels y")
    return Stream(X, y)
