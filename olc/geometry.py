"""Halfspaces: margins, norms, separability, and the trick that removes the bias.

Chapter `linear_classifiers`. The solvers import scipy when they are called.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.game import Stream, as_stream
from olc.core.learner import Vector


def norm(x: ArrayLike, p: float = 2) -> Any:
    """Return the p-norm of a vector, or of every row; p may be infinite.

    >>> norm([3, -4]), norm([3, -4], 1), norm([3, -4], np.inf)
    (5.0, 7.0, 4.0)
    """
    p, rows = _order(p), check.numeric(x, "x")
    rows = np.asarray(rows.toarray() if check.is_sparse(rows) else rows, dtype=float)
    if rows.ndim == 0:
        raise ValueError(f"x is the number {rows}: give a vector, or rows of them")
    check.examples(np.where(np.isfinite(rows), 0.0, rows), 0, "real")
    # powers of two keep the powers of large and small numbers within range
    exponents = np.frexp(np.abs(rows).max(axis=-1, keepdims=True))[1]
    scaled = np.linalg.norm(np.ldexp(rows, -exponents), ord=p, axis=-1)
    lengths = np.ldexp(scaled, exponents[..., 0])
    return float(lengths) if lengths.ndim == 0 else lengths


def _order(p: float) -> float:
    order = check.real(p, "p")
    if not order >= 1:
        raise ValueError(f"p must be at least 1, not {p}: below 1 it is no norm")
    return order


def unit(w: ArrayLike, p: float = 2) -> Vector:
    """Return w scaled to p-norm 1.

    >>> unit([3, 4]), unit([3, 1], p=1)
    (array([0.6, 0.8]), array([0.75, 0.25]))
    """
    weights = _weights(w)
    length = norm(weights, p)
    if length == 0:
        raise ValueError("w is 0 and has no direction: give weights that are not all 0")
    return np.asarray(weights / length)


def radius(X: Any, p: float = 2) -> float:
    """Return the largest p-norm of a row.

    >>> radius([[3, -4], [0, 1]], p=1)
    7.0
    """
    rows = _rows(X)
    check.block(rows, 0, "real")
    if check.is_sparse(rows):
        return _sparse_radius(rows, p)
    lengths = [np.max(norm(part, p)) for _, part in check.chunks(rows)]
    return float(max(lengths, default=0.0))


def _sparse_radius(X: Any, p: float) -> float:
    sizes, p = abs(X).astype(np.float64), _order(p)
    largest = norm(sizes.data, math.inf) if X.nnz else 0.0
    if largest == 0 or p == math.inf:
        return float(largest)
    scale = math.ldexp(1.0, math.frexp(largest)[1])  # no power of a size overflows
    sizes.data = (sizes.data / scale) ** p
    return scale * float(sizes.sum(axis=1).max()) ** (1 / p)


def margin(w: ArrayLike, X: Any, y: ArrayLike, p: float = 2) -> float:
    r"""Return the least :math:`y_i\langle w, x_i\rangle / \|w\|_p`.

    With p = 2 and no mistake it is the distance of the closest example from the
    hyperplane; it is negative if some example is on the wrong side.

    >>> margin([1, 0], [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    1.0
    """
    stream = _not_empty(X, y)
    weights = unit(_weights(w, stream.n), p)
    return min(
        float(np.min(stream.y[start : start + part.shape[0]] * (part @ weights)))
        for start, part in check.chunks(stream.X)
    )


def homogenise(X: Any, constant: float = 1.0) -> Any:
    r"""Append a constant coordinate c, so that a bias b becomes one more weight b/c.

    Takes rows, dense or sparse, or a `Stream` (its target gets a last weight of 0). The
    radius grows to :math:`\sqrt{R^2 + c^2}` and the margin shrinks by the factor
    :math:`\sqrt{1 + (b/c)^2/\|w\|^2}`: a constant near the radius costs the least.

    >>> homogenise(np.array([[1.0, 3.0]]), constant=2)
    array([[1., 3., 2.]])
    """
    constant = check.number(constant, "constant", 0)
    if isinstance(X, Stream):
        drifts = [(start, np.append(u, 0.0)) for start, u in X.drifts]
        target = None if X.target is None else np.append(X.target, 0.0)
        return Stream(homogenise(X.X, constant), X.y, target, drifts)
    rows = _rows(X)
    column = np.full((rows.shape[0], 1), constant)
    if not check.is_sparse(rows):
        return np.hstack([rows, column])
    from scipy import sparse

    return sparse.hstack([rows, column], format="csr")


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
    from scipy.optimize import linprog

    rows = signed(X, y)
    sizes = np.abs(rows).max(axis=1, keepdims=True)
    if not sizes.all():
        return None  # an example at 0 is on no side
    result = linprog(
        np.zeros(rows.shape[1]),
        A_ub=-rows / sizes,
        b_ub=-np.ones(len(rows)),
        bounds=(None, None),
        method="highs",
    )
    if result.status == 2:
        return None
    if result.status != 0:
        raise RuntimeError(f"the linear program was not solved: {result.message}")
    return np.asarray(result.x / np.min(rows @ result.x))


def separable(X: Any, y: ArrayLike | None = None) -> bool:
    """Say whether some homogeneous halfspace has every example on its right side.

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
    support = rows[_hull_coefficients(rows.T) > 0]
    weights = np.linalg.lstsq(support, np.ones(len(support)), rcond=None)[0]
    u: Vector = np.asarray(weights / (norm(weights) or 1.0))
    gamma = float(np.min(rows @ u))
    if gamma <= 1e-12:  # not told from 0 by rounding
        raise ValueError(
            "the data are not linearly separable by a halfspace through 0: "
            "homogenise them, or use a kernel"
        )
    return gamma * scale, u


def _hull_coefficients(points: Vector) -> Vector:
    """Return the convex combination of the columns that is nearest to 0.

    Minimising |P a|² + (Σa - 1)² over a ≥ 0 scales the coefficients of that point by
    1/(1 + distance²), so dividing by their sum gives them exactly. No column may lie
    before the plane through the nearest point q, ⟨q, p⟩ ≥ |q|²; the fast solver of
    scipy 1.15 to 1.17 sometimes stops too early, and then a slower one is asked.
    """
    from scipy.optimize import lsq_linear, nnls

    rows = np.vstack([points, np.ones(points.shape[1])])
    aim = np.append(np.zeros(len(points)), 1.0)
    coefficients = nnls(rows, aim)[0]
    nearest = points @ coefficients / coefficients.sum()
    if np.min(nearest @ points) < nearest @ nearest - 1e-9 * np.max(points**2):
        bounds = (0, np.inf)
        coefficients = lsq_linear(rows, aim, bounds, "bvls", tol=1e-15).x
    return np.asarray(coefficients / coefficients.sum())


def nearest_to_origin(points: Vector) -> Vector:
    """Return the point nearest to 0 in the convex hull of the columns."""
    return np.asarray(points @ _hull_coefficients(points))


def _weights(w: Any, n: int = 0) -> Vector:
    """Return finite weights, which may be smaller than a feature is."""
    weights = np.array(check.numeric(w, "w"), dtype=float)
    check.example(np.where(np.isfinite(weights), 0.0, weights), n, "real", "w")
    return weights


def _rows(X: Any) -> Any:
    """Return an array (or a CSR matrix) of rows."""
    X = check.numeric(X, "X")
    return X if check.is_sparse(X) else np.atleast_2d(X)


def _not_empty(X: Any, y: ArrayLike | None) -> Stream:
    """Return a stream of at least one round, with finite features."""
    stream = as_stream(X, y)
    if len(stream) == 0:
        raise ValueError("X has no rows, and so no margin: give at least one example")
    check.block(stream.X, 0, "real")
    return stream
