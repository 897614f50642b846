"""Halfspaces: margins, norms, separability, and the trick that removes the bias.

Chapter `linear_classifiers`. The solvers import scipy when they are called.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc import _checks
from olc.game import Stream, Vector, as_stream


def norm(x: ArrayLike, p: float = 2) -> Any:
    """Return the p-norm of a vector, or of every row; p may be `math.inf`.

    >>> norm([3, -4]), norm([3, -4], 1), norm([3, -4], math.inf)
    (5.0, 7.0, 4.0)
    """
    if p < 1:
        raise ValueError(f"p must be at least 1, not {p}: below 1 it is no norm")
    lengths = np.linalg.norm(np.asarray(x, dtype=float), ord=p, axis=-1)
    return float(lengths) if lengths.ndim == 0 else lengths


def unit(w: ArrayLike, p: float = 2) -> Vector:
    """Return w scaled to p-norm 1."""
    w = np.asarray(w, dtype=float)
    length = norm(w, p)
    if not (length > 0 and math.isfinite(length)):
        raise ValueError("a zero vector has no direction: give weights that are not 0")
    return w / length


def radius(X: ArrayLike, p: float = 2) -> float:
    """Return the largest p-norm of a row."""
    return float(np.max(norm(X, p)))


def margin(w: ArrayLike, X: ArrayLike, y: ArrayLike, p: float = 2) -> float:
    r"""Return the least :math:`y_i\langle w, x_i\rangle / \|w\|_p`.

    With p = 2 and no mistake it is the distance of the closest example from the
    hyperplane; it is negative if some example is on the wrong side.

    >>> margin([1, 0], [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    1.0
    """
    stream = Stream(np.asarray(X), np.asarray(y))
    if len(stream) == 0:
        raise ValueError("an empty stream has no margin: play at least one round")
    weights = unit(_checks.example(w, stream.n, "real", "w"), p)
    least = math.inf
    for start, part in _checks.chunks(stream.X):
        scores = part @ weights
        least = min(least, float(np.min(stream.y[start : start + len(part)] * scores)))
    return least


def homogenise(X: Any, constant: float = 1.0) -> Any:
    """Append a constant coordinate, so that a bias becomes one more weight.

    Takes an array of rows or a `Stream` (its target gets a last weight of 0). A
    classifier with a bias becomes one without, but the radius grows and the margin
    shrinks: a constant near the radius costs the least.

    >>> homogenise(np.array([[1.0, 3.0]]), constant=2)
    array([[1., 3., 2.]])
    """
    if isinstance(X, Stream):
        u = None if X.target is None else np.append(X.target, 0.0)
        return Stream(homogenise(X.X, constant), X.y, u)
    X = np.atleast_2d(np.asarray(X))
    return np.hstack([X, np.full((len(X), 1), constant)])


def consistent_classifier(X: Any, y: ArrayLike | None = None) -> Vector | None:
    r"""Return weights with :math:`y_i\langle w, x_i\rangle \ge 1` for all i, or None.

    A linear program; None means that no homogeneous halfspace separates the data.
    """
    from scipy.optimize import linprog

    stream = as_stream(X, y)
    signed = stream.y[:, None] * np.asarray(stream.X, dtype=float)
    result = linprog(
        np.zeros(stream.n),
        A_ub=-signed,
        b_ub=-np.ones(len(stream)),
        bounds=(None, None),
        method="highs",
    )
    return np.asarray(result.x) if result.status == 0 else None


def separable(X: Any, y: ArrayLike | None = None) -> bool:
    """Say whether some homogeneous halfspace has every example on its right side.

    >>> separable([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1])
    False
    """
    return consistent_classifier(X, y) is not None


def maximal_margin(X: Any, y: ArrayLike | None = None) -> tuple[float, Vector]:
    """Return the largest margin of any homogeneous halfspace, and its unit weights.

    The direction is that of the point of the convex hull of the y x nearest to 0,
    found exactly by non-negative least squares. Inseparable data raise ValueError.

    >>> gamma, u = maximal_margin([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    >>> round(gamma, 9), u.round(9).tolist()
    (1.0, [1.0, 0.0])
    """
    stream = as_stream(X, y)
    signed = stream.y[:, None] * np.asarray(stream.X, dtype=float)
    nearest = _nearest_to_origin(signed.T / stream.radius) * stream.radius
    gamma = float(np.linalg.norm(nearest))
    if gamma <= 1e-9 * stream.radius:
        raise ValueError("the data are not linearly separable: no margin is positive")
    return gamma, nearest / gamma


def _nearest_to_origin(points: Vector) -> Vector:
    """Return the point nearest to 0 in the convex hull of the columns.

    Minimising |P a|² + (Σa - 1)² over a ≥ 0 scales that point's coefficients by
    1/(1 + distance²), so dividing by their sum gives them exactly.
    """
    from scipy.optimize import nnls

    rows = np.vstack([points, np.ones(points.shape[1])])
    coefficients, _ = nnls(rows, np.append(np.zeros(len(points)), 1.0))
    return np.asarray(points @ (coefficients / coefficients.sum()))
