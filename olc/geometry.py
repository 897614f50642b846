"""Halfspaces: margins, norms, separability, and the trick that removes the bias.

Chapter `linear_classifiers`. The solvers import scipy when they are called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.check import Vector, above, assuming, optional_import
from olc.core.stream import Stream, as_stream

__all__ = ["norm", "unit", "radius", "margin", "homogenise", "signed",
           "consistent_classifier", "separable", "maximal_margin"]  # fmt: skip


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
    rows = check.as_rows(X)
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
    stream = _not_empty(X, y)
    weights = unit(check.example(w, stream.n, name="w"), p)
    return float(np.min(stream.y * (stream.X @ weights)))


@assuming(constant=above(0))
def homogenise(X: Any, constant: float = 1.0) -> Any:
    r"""Append a constant coordinate c, so that a bias b becomes one more weight b/c.

    Takes rows, dense or sparse, or a `Stream` (its target gets a last weight of 0). The
    radius grows to :math:`\sqrt{R^2 + c^2}` and the margin shrinks by the factor
    :math:`\sqrt{1 + (b/c)^2/\|w\|^2}`: a constant near the radius costs the least, if
    the origin lies among the data ({prf:ref}`thm-homogenise`).

    >>> homogenise(np.array([[1.0, 3.0]]), constant=2)
    array([[1., 3., 2.]])
    """
    if isinstance(X, Stream):
        drifts = [(start, np.append(u, 0.0)) for start, u in X.drifts]
        target = None if X.target is None else np.append(X.target, 0.0)
        return Stream(homogenise(X.X, constant), X.y, target, drifts)
    rows = check.as_rows(X)
    return side_by_side([rows, np.full((rows.shape[0], 1), constant)])


def side_by_side(blocks: list[Any]) -> Any:
    """Return blocks of the same rows as one with all columns, CSR if the first is."""
    if not hasattr(blocks[0], "tocsr"):
        return np.hstack(blocks)
    alike = map(type(blocks[0]), blocks)  # SciPy is quicker with all of a kind
    return optional_import("scipy.sparse").hstack(list(alike), format="csr")


def signed(X: Any, y: ArrayLike | None = None) -> Vector:
    """Return the y x as rows: a consistent halfspace has all of them on one side.

    >>> signed([[2, 1], [-1, 3]], [1, -1])
    array([[ 2.,  1.],
           [ 1., -3.]])
    """
    stream = _not_empty(X, y)
    return np.asarray(stream.y[:, None] * check.as_floats(stream.X))


def consistent_classifier(X: Any, y: ArrayLike | None = None) -> Vector | None:
    r"""Return weights with :math:`y_i\langle w, x_i\rangle \ge 1` for all i, or None.

    A linear program; None means that no homogeneous halfspace separates the data.

    >>> consistent_classifier([[2, 0], [-1, 0]], [1, -1])
    array([1., 0.])
    """
    linprog = optional_import("scipy.optimize").linprog
    rows = signed(X, y)
    sizes = np.abs(rows).max(axis=1, keepdims=True)
    if not sizes.all():
        return None  # an example at 0 is on no side
    aim, least = np.zeros(rows.shape[1]), np.ones(len(rows))
    result = linprog(aim, A_ub=-rows / sizes, b_ub=-least, bounds=(None, None))
    if result.status == 2:
        return None
    if result.status != 0:
        raise RuntimeError(f"the linear program was not solved: {result.message}")
    return np.asarray(result.x / np.min(rows @ result.x))


def separable(X: Any, y: ArrayLike | None = None) -> bool:
    """Return whether some homogeneous halfspace has all examples on the right side.

    >>> separable([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1])
    False
    """
    return consistent_classifier(X, y) is not None


def maximal_margin(X: Any, y: ArrayLike | None = None) -> tuple[float, Vector]:
    """Return the largest margin of any homogeneous halfspace, and its unit weights.

    The direction is that of the point of the convex hull of the y x nearest to 0. The
    examples that span this point all have the largest margin, which fixes the weights.
    Data that are not separable raise ValueError.

    >>> gamma, u = maximal_margin([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    >>> round(gamma, 9), abs(u).round(9).tolist()
    (1.0, [1.0, 0.0])
    """
    stream = _not_empty(X, y)
    scale = stream.radius or 1.0
    rows = signed(stream) / scale
    support = rows[_hull_coefficients(rows.T) > 1e-15]  # less is rounding
    weights = np.linalg.lstsq(support, np.ones(len(support)), rcond=None)[0]
    u: Vector = np.asarray(weights / (norm(weights) or 1.0))
    gamma = float(np.min(rows @ u))
    if gamma <= 1e-12:  # not told from 0 by rounding
        wrong = "the data are not linearly separable by a halfspace through 0"
        raise ValueError(f"{wrong}: homogenise them, or use a kernel")
    return gamma * scale, u


def _hull_coefficients(points: Vector) -> Vector:
    """Return the convex combination of the columns that is nearest to 0.

    Minimising |P a|² + (Σa - 1)² over a ≥ 0 scales the coefficients of that point by
    1/(1 + distance²), so dividing by their sum gives them exactly. No column may lie
    before the plane through the nearest point q, ⟨q, p⟩ ≥ |q|²; the fast solver of
    scipy 1.15 to 1.17 sometimes stops too early, and then a slower one is asked.
    """
    optimize = optional_import("scipy.optimize")
    rows = np.vstack([points, np.ones(points.shape[1])])
    aim = np.append(np.zeros(len(points)), 1.0)
    coefficients = optimize.nnls(rows, aim)[0]
    nearest = points @ coefficients / coefficients.sum()
    if np.min(nearest @ points) < nearest @ nearest - 1e-9 * np.max(points**2):
        coefficients = optimize.lsq_linear(rows, aim, (0, np.inf), "bvls", tol=1e-15).x
    return np.asarray(coefficients / coefficients.sum())


def _not_empty(X: Any, y: ArrayLike | None) -> Stream:
    """Return a stream of at least one round, with finite features."""
    stream = as_stream(X, y)
    if not len(stream):
        raise ValueError("X has no rows, and so no margin: give at least one example")
    check.features(stream.X, "real")
    return stream
