"""The Perceptron: add a misclassified example to the weights.

Chapter `perceptron`. Online (`Perceptron`) and in passes over a data set (`batch`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc import _checks, _ledger, geometry
from olc.game import Stream, Trace, as_stream, play
from olc.learner import Linear, Parameter, Vector, above

if TYPE_CHECKING:
    import pandas as pd


class Perceptron(Linear):
    r"""Predict :math:`\operatorname{sign}\langle w, x\rangle`; add y x at a mistake.

    .. math:: w \leftarrow w + r\, y\, x

    The weights start at 0; then the rate r > 0 changes the length of the weights and
    nothing else. Algorithm {prf:ref}`alg-perceptron`.

    >>> learner = Perceptron(2)
    >>> learner.update([1, 2], +1)
    >>> learner.update([-1, 1], -1)
    >>> learner.weights
    array([2., 1.])
    """

    rate: float = Parameter(above(1e-50, 1e50), default=1.0)


def mistake_bound(
    radius: float, margin: float, start: float = 0.0, rate: float = 1.0
) -> float:
    r"""Bound the mistakes on any sequence with this radius and margin.

    Theorem {prf:ref}`thm-perceptron`: if :math:`\|x_t\|_2 \le R` and some u of
    length 1 has :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` for all t, then

    .. math:: M \le \frac{R^2}{\gamma^2} + \frac{2\|w_1\|}{r\gamma},

    where `start` is the length of the first weights. It is 0 as a rule; then the rate
    r does not matter.

    >>> mistake_bound(radius=3, margin=0.5)
    36.0
    >>> mistake_bound(radius=1, margin=1, start=50)
    101.0
    """
    margin = _checks.number(margin, "margin", 0)
    ratio = _checks.number(radius, "radius", 0) / margin
    steps_back = _checks.at_least(start, "start", 0) / _checks.number(rate, "rate", 0)
    return ratio * ratio + 2 * steps_back / margin


def panel_bound(n: int, k: int) -> int:
    """Bound the mistakes on n experts of which a hidden panel of k is always right.

    With k odd the margin is 1/√(Nk), hence N·k. {prf:ref}`thm-perceptron-panel`.

    >>> panel_bound(1024, 3)
    3072
    """
    return _checks.count(n, "n") * _checks.subset_size(k, n)


def proof(trace: Trace, target: ArrayLike | None = None) -> pd.DataFrame:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is :math:`\|w\|^2`. It is at most :math:`M R^2`, because it grows by
    `cross` + `length`, and `cross`, 2 y⟨w, x⟩, is never positive; it is at least
    :math:`(M\gamma)^2`, because every mistake adds at least γ to `alignment`, ⟨u, w⟩.
    """
    return _ledger.additive(trace, target, Perceptron)


@dataclass(frozen=True)
class Batch:
    """What `batch` found: the weights, and whether they classify every example.

    `separable` says whether any weights do.
    """

    weights: Vector
    converged: bool
    updates: int
    epochs: int
    separable: bool

    def __str__(self) -> str:
        work = f"{_plural(self.updates, 'update')} in {_plural(self.epochs, 'pass')}"
        if self.converged:
            return f"consistent after {work}"
        why = (
            "the data are separable, so more passes will do: raise max_epochs"
            if self.separable
            else "no halfspace through the origin separates the data, so no number of "
            "passes will do (for one with a bias homogenise them)"
        )
        return f"not consistent after {work}: {why}"


def _plural(number: int, noun: str) -> str:
    ending = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}{ending * (number != 1)}"


def batch(X: Any, y: ArrayLike | None = None, max_epochs: int = 1000) -> Batch:
    """Cycle through a data set until every example is on its right side.

    Algorithm {prf:ref}`alg-perceptron-batch`. If `max_epochs` passes do not suffice,
    a linear program decides whether the data are separable at all.

    >>> print(batch([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1]))
    consistent after 2 updates in 2 passes
    """
    stream = as_stream(X, y)
    learner, updates = Perceptron(stream.n), 0
    for epoch in range(1, _checks.count(max_epochs, "max_epochs") + 1):
        mistakes = play(learner, stream).mistakes
        updates += mistakes
        if mistakes == 0:
            return Batch(learner.weights, True, updates, epoch, separable=True)
    weights = learner.weights
    converged = play(learner, stream).mistakes == 0  # the last pass may have done it
    separable = converged or geometry.separable(stream.X, stream.y)
    return Batch(weights, converged, updates, max_epochs, separable)


def agnostic_bound(X: Any, y: ArrayLike, u: ArrayLike, margin: float) -> float:
    r"""Bound the mistakes of one pass over data that need not be separable.

    Theorem {prf:ref}`thm-perceptron-agnostic`: with u scaled to length 1, any γ > 0
    and :math:`d_t = \max(0, \gamma - y_t\langle u, x_t\rangle)`,

    .. math:: M \le \left(\frac{R + \sqrt{\sum_t d_t^2}}{\gamma}\right)^2 .

    Where u has margin γ no :math:`d_t` is positive, and it is R²/γ².

    >>> agnostic_bound([[1.0], [1.0], [-1.0]], [1, -1, -1], u=[1.0], margin=1)
    9.0
    """
    margin = _checks.number(margin, "margin", 0)
    stream = Stream(X, np.asarray(y), np.asarray(u))
    unit = geometry.unit(stream.need_target())
    missing = np.maximum(0, margin - stream.y * (stream.X @ unit))
    return ((stream.radius + math.sqrt(float(missing @ missing))) / margin) ** 2
