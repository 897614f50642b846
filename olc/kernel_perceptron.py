"""The kernel Perceptron: the Perceptron in a feature space that is never built.

Chapter `kernel_perceptron`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from olc import geometry
from olc.core import check, ledger
from olc.core.check import Vector, above, at_least, whole
from olc.core.game import Trace
from olc.core.learner import Learner, Parametrised, parameter
from olc.core.stream import Stream
from olc.perceptron import mistake_bound as mistake_bound

__all__ = ["linear", "Polynomial", "RadialBasis", "KernelPerceptron", "gram", "margin",
           "proof"]  # fmt: skip

Kernel = Callable[[Vector, Vector], Vector]


def linear(A: Vector, B: Vector) -> Vector:
    """Return all inner products of rows of A with rows of B."""
    return A @ B.T


class Polynomial(Parametrised):
    r"""The kernel :math:`(\langle x, z\rangle + c)^d`, of this constant and degree.

    >>> Polynomial(2, constant=0)(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0]]))
    array([[25.]])
    """

    degree: int = parameter(whole(), default=2, kw_only=False)
    constant: float = parameter(at_least(0), default=1.0, kw_only=False)

    def __call__(self, A: Vector, B: Vector) -> Vector:
        return (A @ B.T + self.constant) ** self.degree


class RadialBasis(Parametrised):
    r"""The kernel :math:`\exp(-\|x - z\|^2/2\sigma^2)`, where σ is the width.

    >>> RadialBasis(width=1)(np.array([[0.0]]), np.array([[0.0], [2.0]])).round(4)
    array([[1.    , 0.1353]])
    """

    width: float = parameter(above(0), default=1.0, kw_only=False)

    def __call__(self, A: Vector, B: Vector) -> Vector:
        if len(A) > len(B):
            return self(B, A).T
        # row by row: all the differences at once would be a cube
        squares = [np.sum(((B - a) / self.width) ** 2, axis=1) for a in A]
        return np.exp(-0.5 * np.array(squares).reshape(len(A), len(B)))


def _callable(kernel: Any, name: str) -> Any:
    if not callable(kernel):
        raise TypeError(f"{name} must be callable with two blocks, not {kernel!r}")
    return kernel


class KernelPerceptron(Learner):
    r"""Predict :math:`\operatorname{sign}\sum_i c_i \kappa(x_i, x)`; keep the mistakes.

    A mistake on (x, y) adds x to the support with coefficient y. `kernel` takes two
    blocks of rows and returns the matrix of κ. `weights` are the coefficients.
    Algorithm {prf:ref}`alg-kernel-perceptron`.

    >>> from olc import play, streams
    >>> xor = streams.xor()
    >>> play(KernelPerceptron(Polynomial(2, constant=0)), xor).mistakes
    2
    """

    n = 0  # any width, until the first mistake fixes it
    kernel: Kernel = parameter(_callable, default=linear, kw_only=False)

    def start(self) -> Any:
        """Begin with no support: every score is 0."""
        self.support, self.coefficients = np.empty((0, 0)), np.empty(0)

    @property
    def weights(self) -> Vector:
        """The coefficients of the support, one per mistake."""
        return self.coefficients.copy()

    def score(self, x: Any) -> Any:
        """Return the sum of c κ(x_i, x) over the support."""
        if not len(self.support):  # no mistake yet
            return 0.0
        values = matrix(self.kernel, x[None], self.support)[0]
        return values @ self.coefficients

    def update(self, x: Any, y: Any) -> None:
        """Add the example to the support, with its label as coefficient."""
        self.n = len(x)
        self.support = np.vstack([self.support.reshape(-1, self.n), x])
        self.coefficients = np.append(self.coefficients, float(y))

    def __repr__(self) -> str:
        kernel = getattr(self.kernel, "__name__", self.kernel)
        return f"{type(self).__name__}(kernel={kernel})"

    def replaced(self, **parameters: Any) -> Self:
        """Return a new learner; it takes any number of features."""
        parameters.pop("n", None)
        return super().replaced(**parameters)


def matrix(kernel: Kernel, A: Vector, B: Vector) -> Vector:
    """Return κ of every row of A with every row of B; refuse what is no such matrix."""
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.asarray(kernel(A, B), dtype=float)
    if values.shape != (len(A), len(B)):
        found = f"shape {values.shape} for blocks of {len(A)} and {len(B)} rows"
        remedy = "it must return the value of every pair, as a matrix"
        raise ValueError(f"the kernel returned {found}: {remedy}")
    if not np.isfinite(values).all():
        raise ValueError("the kernel returned NaN or infinity: scale the examples down")
    return values


def gram(kernel: Kernel, X: ArrayLike) -> Vector:
    """Return the matrix of κ over all pairs of rows.

    >>> gram(Polynomial(2), [[1, 0], [1, 1]])
    array([[4., 4.],
           [4., 9.]])
    """
    check.features(table := check.as_rows(X), "real")
    rows = check.as_floats(table)
    return matrix(kernel, rows, rows)


def margin(kernel: Kernel, stream: Stream) -> float:
    """Return the largest margin of the data in the kernel's feature space.

    >>> from olc import streams
    >>> round(margin(Polynomial(2, constant=0), streams.xor()), 6)
    1.414214
    """
    return _separator(kernel, stream)[0]


def _separator(kernel: Kernel, stream: Stream) -> tuple[float, Vector]:
    """Return the largest margin, and the a of its unit vector u = Σ a_i φ(x_i)."""
    if not len(stream):
        raise ValueError("an empty stream has no margin: play at least one round")
    values, vectors = np.linalg.eigh(gram(kernel, stream.X))
    if values[0] < -1e-9 * abs(values[-1]):
        wrong = "the kernel is not positive semidefinite on these examples"
        raise ValueError(f"{wrong}: it has no feature space")
    real = values > 1e-12 * values[-1]  # the rest is rounding
    vectors, roots = vectors[:, real], np.sqrt(values[real])
    try:
        gamma, u = geometry.maximal_margin(vectors * roots, stream.y)
    except ValueError:
        wrong = "the data are not separable in this kernel's feature space"
        raise ValueError(wrong) from None
    return gamma, vectors @ (u / roots)


@ledger.tabulate("cross", "length", "alignment")
def proof(trace: Trace) -> Iterator[ledger.Row]:
    r"""Return the Perceptron's ledger in the feature space: one row per mistake.

    The potential is :math:`\|w\|^2 = \sum_{i,j} c_i c_j \kappa(x_i, x_j)`, between
    (Mγ)² and M R², where R² is the largest κ(x, x) and γ the largest margin in the
    feature space; `alignment` is ⟨u, w⟩ for the unit vector u that has it. A w that
    starts elsewhere than at 0 counts as in the Perceptron's ledger.
    """
    moves, stream, before = ledger.steps(trace, None, KernelPerceptron)
    gamma, u = _separator(before.kernel, stream)
    products = gram(before.kernel, stream.X)
    squares, lessons = np.diag(products), stream.y * (products @ u)
    start = aligned = 0.0
    if len(before.support):
        start = float(before.weights @ before.scores(before.support))
        aligned = float(u @ before.scores(stream.X))

    potential, alignment = start, aligned
    for count, (t, _, y, score, _) in moves:
        cross, length = 2 * y * score, squares[t]
        potential += cross + length
        alignment += lessons[t]
        lower = max(0.0, aligned + count * gamma) ** 2
        upper = start + count * squares.max()
        yield t, cross, length, alignment, lower, potential, upper
