"""The kernel Perceptron: the Perceptron in a feature space that is never built.

Chapter `kernel_perceptron`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from olc import _checks, _ledger, geometry
from olc.game import Learner, Stream, Trace, Vector
from olc.perceptron import mistake_bound

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "KernelPerceptron",
    "Polynomial",
    "RadialBasis",
    "gram",
    "linear",
    "margin",
    "mistake_bound",
    "proof",
]

Kernel = Callable[[Vector, Vector], Vector]


def linear(A: Vector, B: Vector) -> Vector:
    """Return all inner products of rows of A with rows of B."""
    return np.asarray(A @ B.T)


@dataclass(frozen=True)
class Polynomial:
    """The kernel (⟨x, z⟩ + constant)^degree.

    >>> Polynomial(2, constant=0)(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0]]))
    array([[25.]])
    """

    degree: int = 2
    constant: float = 1.0

    def __post_init__(self) -> None:
        _checks.count(self.degree, "degree")
        _checks.at_least(self.constant, "constant", 0)

    def __call__(self, A: Vector, B: Vector) -> Vector:
        return np.asarray((A @ B.T + self.constant) ** self.degree)


@dataclass(frozen=True)
class RadialBasis:
    """The kernel exp(-|x - z|² / (2 width²)).

    >>> RadialBasis(width=1)(np.array([[0.0]]), np.array([[0.0], [2.0]])).round(4)
    array([[1.    , 0.1353]])
    """

    width: float = 1.0

    def __post_init__(self) -> None:
        _checks.number(self.width, "width", 0)

    def __call__(self, A: Vector, B: Vector) -> Vector:
        apart = A[:, None, :] - B[None, :, :]
        return np.asarray(np.exp(-np.sum(apart**2, axis=-1) / (2 * self.width**2)))


class KernelPerceptron(Learner):
    r"""Predict :math:`\operatorname{sign}\sum_i c_i K(x_i, x)`; keep the mistakes.

    A mistake on (x, y) adds x to the support with coefficient y. `kernel` takes two
    blocks of rows and returns the matrix of K. `weights` are the coefficients.
    Algorithm {prf:ref}`alg-kernel-perceptron`.

    >>> from olc import play, streams
    >>> xor = streams.xor()
    >>> play(KernelPerceptron(Polynomial(2, constant=0)), xor).mistakes
    2
    """

    n = 0  # any width, until the first example fixes it

    def __init__(self, kernel: Kernel = linear) -> None:
        if not callable(kernel):
            raise TypeError(f"kernel must be callable with two blocks, not {kernel!r}")
        self.kernel = kernel
        self.support = np.empty((0, 0))
        self._coefficients = np.empty(0)

    @property
    def weights(self) -> Vector:
        """The coefficients of the support, one a mistake."""
        return self._coefficients.copy()

    def __repr__(self) -> str:
        name = getattr(self.kernel, "__name__", repr(self.kernel))
        return f"KernelPerceptron({name})"

    def _score(self, X: Vector) -> Any:
        if not len(self.support):
            return np.zeros(X.shape[:-1])[()]
        scores = self.kernel(np.atleast_2d(X), self.support) @ self._coefficients
        return scores[0] if X.ndim == 1 else scores

    def _update(self, x: Vector, y: int) -> None:
        self.n = len(x)
        self.support = np.vstack([self.support.reshape(-1, self.n), x])
        self._coefficients = np.append(self._coefficients, float(y))


def gram(kernel: Kernel, X: Any) -> Vector:
    """Return the matrix of K over all pairs of rows."""
    floats = _checks.as_floats(np.asarray(X))
    return kernel(floats, floats)


def margin(kernel: Kernel, stream: Stream) -> float:
    """Return the largest margin of the data in the kernel's feature space.

    >>> from olc import streams
    >>> round(margin(Polynomial(2, constant=0), streams.xor()), 6)
    1.414214
    """
    signed = gram(kernel, stream.X) * np.outer(stream.y, stream.y)
    values, vectors = np.linalg.eigh(signed)
    points = (vectors * np.sqrt(np.maximum(values, 0))).T
    scale = math.sqrt(float(np.max(np.diag(signed))))
    gamma = scale * float(np.linalg.norm(geometry._nearest_to_origin(points / scale)))
    if gamma <= 1e-7 * scale:
        raise ValueError("the data are not separable in this kernel's feature space")
    return gamma


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    """Return the Perceptron's ledger in the feature space: one row per mistake.

    The potential is |w|² = Σ c_i c_j K(x_i, x_j), between (Mγ)² and M R², where R² is
    the largest K(x, x) and γ the largest margin in the feature space.
    """
    kernel = getattr(trace.before, "kernel", linear)
    gamma = margin(kernel, stream)
    squares = np.diag(gram(kernel, stream.X))

    def rows() -> Iterator[dict[str, float]]:
        potential = 0.0
        for count, step in _ledger.steps(trace, stream, KernelPerceptron):
            cross = 2 * step.y * float(step.score)
            potential += cross + float(squares[step.t])
            yield {
                "round": step.t,
                "cross": cross,
                "length": float(squares[step.t]),
                "lower": (count * gamma) ** 2,
                "potential": potential,
                "upper": count * float(squares.max()),
            }

    return _ledger.ledger(rows())
