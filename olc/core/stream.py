"""Examples in the order in which they come: `Stream`, and how to read one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check
from olc.core.check import Vector

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Stream:
    """Examples in the order in which they come: rows of `X`, labels `y`.

    `X` is an array, or a SciPy CSR matrix. `target` is the hidden weight vector that
    explains the labels, when there is one. `drifts` lists ``(round, target)`` for a
    target that moves.
    """

    X: Any
    y: Labels
    target: Vector | None = None
    drifts: Sequence[tuple[int, Vector]] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        X = check.table(self.X)

        def aim(u: Any) -> Vector:
            return check.example(u, X.shape[1], name="target")

        checked = {
            "X": X,
            "y": check.labels(X, self.y),
            "target": None if self.target is None else aim(self.target),
            "drifts": tuple(
                (check.count(start, "the round of a drift", 0), aim(u))
                for start, u in self.drifts
            ),
        }
        self.__dict__.update(checked)

    def __len__(self) -> int:
        return len(self.y)

    def __iter__(self) -> Iterator[tuple[Vector, int]]:
        for t in range(len(self)):
            yield self.row(t), int(self.y[t])

    def row(self, t: int) -> Vector:
        """Return the example of one round: floats, dense."""
        if not check.is_sparse(self.X):
            return np.ascontiguousarray(self.X[t], dtype=np.float64)
        row, entries = np.zeros(self.n), slice(*self.X.indptr[t : t + 2])
        row[self.X.indices[entries]] = self.X.data[entries]
        return row

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
        return Stream(X, y, drifts[-1][1] if drifts else None, drifts)

    @property
    def n(self) -> int:
        """The number of features."""
        return int(self.X.shape[1])

    @cached_property
    def radius(self) -> float:
        """R, the largest Euclidean length of an example (one pass, then kept)."""
        return radius(self.X)

    @cached_property
    def margin(self) -> float:
        """γ, the least y⟨u, x⟩ of the target u scaled to Euclidean length 1."""
        return margin(self.need_target(), self.X, self.y)

    def need_target(self) -> Vector:
        """Return the target, or say that this stream has none."""
        if self.target is None:
            raise ValueError(
                "this stream has no target: give Stream(X, y, target=u) the "
                "weight vector that explains its labels"
            )
        return self.target


def as_stream(X: Any, y: ArrayLike | None = None) -> Stream:
    """Return the stream itself, or make one of examples and labels."""
    if isinstance(X, Stream):
        if y is not None:
            raise TypeError("a Stream brings its own labels: leave y out")
        return X
    if y is None:
        raise TypeError("give a Stream, or examples X and their labels y")
    return Stream(X, y)  # type: ignore[arg-type]  # the stream makes an array of y


# ----------------------------------------------------------- norms and margins


def norm(x: Any, p: float = 2) -> Any:
    """Return the p-norm of a vector, or of every row; p may be infinite.

    >>> norm([3, -4]), norm([3, -4], 1), norm([3, -4], np.inf)
    (5.0, 7.0, 4.0)
    """
    if not (p := check.real(p, "p")) >= 1:
        raise ValueError(f"p must be at least 1, not {p}: below 1 it is not a norm")
    numbers = check.numeric(x, "x")
    if numbers.ndim == 0:
        raise ValueError(f"x is the number {numbers}: give a vector, or rows of them")
    sizes = abs(numbers.astype(np.float64))  # in int8, |-128| would be -128
    top = float(sizes.max()) if numbers.size else 0.0
    top = top if 0 < top < np.inf else 1.0  # no power of what is at most 1 overflows
    if check.is_sparse(sizes):
        if p == np.inf:
            return sizes.max(axis=1).toarray().ravel()
        sizes.data = (sizes.data / top) ** p
        return top * np.asarray(sizes.sum(axis=1)).ravel() ** (1 / p)
    lengths = top * np.linalg.norm(sizes / top, ord=p, axis=-1)
    return float(lengths) if lengths.ndim == 0 else lengths


def unit(w: ArrayLike, p: float = 2) -> Vector:
    """Return w scaled to p-norm 1.

    >>> unit([3, 4]), unit([3, 1], p=1)
    (array([0.6, 0.8]), array([0.75, 0.25]))
    """
    weights = check.example(w, 0, name="w")
    if not weights.any():
        raise ValueError("w is 0 and has no direction: give weights that are not all 0")
    return np.asarray(weights / norm(weights, p))


def radius(X: Any, p: float = 2) -> float:
    """Return the largest p-norm of a row.

    >>> radius([[3, -4], [0, 1]], p=1)
    7.0
    """
    rows = check.table(X)
    check.features(rows, "real")
    lengths = [np.max(norm(part, p)) for _, part in check.chunks(rows)]
    return float(max(lengths, default=0.0))


def margin(w: ArrayLike, X: Any, y: ArrayLike, p: float = 2) -> float:
    r"""Return the least :math:`y_i\langle w, x_i\rangle / \|w\|_p`.

    With p = 2 and no mistake it is the distance of the closest example from the
    hyperplane; it is negative if some example is on the wrong side.

    >>> margin([1, 0], [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    1.0
    """
    stream = as_stream(X, y)
    if not len(stream):
        raise ValueError("X has no rows, and so no margin: give at least one example")
    check.features(stream.X, "real")
    weights = unit(check.example(w, stream.n, name="w"), p)
    return float(np.min(stream.y * (stream.X @ weights)))
