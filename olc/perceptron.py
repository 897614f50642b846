"""The Perceptron: add a misclassified example to the weights.

Chapter `perceptron`. Online (`Perceptron`) and in passes over a data set (`batch`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc import geometry
from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, at_least, whole
from olc.core.game import Trace, plural
from olc.core.learner import Learner, Linear, hints, parameter
from olc.core.numerics import solve_root_bound, undo_rounding
from olc.core.stream import Stream, as_stream
from olc.fast.play import play

__all__ = ["Perceptron", "mistake_bound", "plane_bound", "panel_bound",
           "disjunction_bound", "proof", "Batch", "batch",
           "until_converged", "agnostic_bound", "hinge_bound",
           "wrong_labels_bound", "long_run_bound"]  # fmt: skip


@hints(additive=True, coordinatewise=True)
class Perceptron(Linear):
    r"""Predict :math:`\operatorname{sign}\langle w, x\rangle`; add y x at a mistake.

    .. math:: w \leftarrow w + r\, y\, x

    The weights start at 0; then the rate r > 0 changes the length of the weights and
    nothing else. Algorithm {prf:ref}`alg-perceptron`.

    >>> learner = Perceptron(2)
    >>> for x, y in ([1, 2], +1), ([-1, 1], -1):
    ...     prediction = learner.learn(x, y)
    >>> learner.weights
    array([2., 1.])
    """

    rate: float = parameter(above(0), default=1.0)

    def step(self, w: Vector, x: Vector, y: int) -> Vector:
        """Return the weights after a mistake."""
        return w + self.rate * y * x


@assuming(radius=above(0), margin=above(0), start=at_least(0), rate=above(0))
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
    return undo_rounding((radius / margin) ** 2 + 2 * start / (rate * margin))


def plane_bound(radius: float, margin: float) -> float:
    r"""Return the most mistakes in the plane: :math:`\lfloor R^2/2\gamma^2\rfloor + 1`.

    {prf:ref}`thm-perceptron-plane`. `olc.adversaries.plane` attains it.

    >>> plane_bound(radius=1, margin=0.1)
    51.0
    """
    return math.floor(mistake_bound(radius, margin) / 2) + 1.0


@assuming(n=whole(), k=whole())
def panel_bound(n: int, k: int) -> int:
    """Bound the mistakes on n experts of which a hidden panel of k is always right.

    With k odd the margin is 1/√(Nk), hence N·k. {prf:ref}`thm-perceptron-panel`.

    >>> panel_bound(1024, 3)
    3072
    """
    return n * k


@assuming(n=whole(), k=whole())
def disjunction_bound(n: int, k: int) -> int:
    """Bound the mistakes on a disjunction of k of n bits, with a constant feature 1.

    The weights 2 on the relevant bits and -1 on the constant have squared length 4k + 1
    and score at least 1 on the right side, hence (N + 1)(4k + 1).

    >>> disjunction_bound(1024, 3)
    13325
    """
    return (n + 1) * (4 * k + 1)


@ledger.tabulate("cross", "length", "alignment")
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is :math:`\|w\|^2`. It is at most :math:`M R^2`, because it grows by
    `cross` + `length`, and `cross`, 2 y⟨w, x⟩, is never positive; it is at least
    :math:`(M\gamma)^2`, because every mistake adds at least γ to `alignment`, ⟨u, w⟩.
    """
    yield from additive_rows(trace, target, Perceptron)


def additive_rows(
    trace: Trace, target: Vector | None, kind: type[Learner], part: float = 1.0
) -> Iterator[ledger.Row]:
    """Keep the Perceptron's ledger: ‖s‖² between (Mγ)² and M((p - 1)R² + 2τ).

    It is the p-norm, if the learner has a p; `part` of the square is the potential.
    The rate r multiplies γ and R, and s need not start at 0. With a thickness τ an
    update happens at y⟨w, x⟩ ≤ τ.
    """
    moves, stream, learner = ledger.steps(trace, target, kind)
    rate, p = learner.rate, learner.p
    u = geometry.unit(stream.need_target(), p / (p - 1))
    gamma = rate * float(np.min(stream.y * (stream.X @ u), initial=math.inf))
    slack = 2 * rate * learner.thickness

    def square(s: Vector) -> float:
        return float(s @ s if p == 2 else geometry.norm(s, p) ** 2)

    curve = (p - 1) * rate**2
    growth = curve * geometry.radius(stream.X, p) ** 2 + slack
    start, along = square(learner.state), float(u @ learner.state)
    for count, (t, x, y, score, after) in moves:
        cross, length = 2 * rate * y * score, curve * square(x)
        lower = max(0.0, along + count * gamma) ** 2
        potential, upper = square(after.state), start + count * growth
        parts = (part * size for size in (lower, potential, upper))
        yield t, part * cross, part * length, u @ after.state, *parts


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
        work = f"{plural(self.updates, 'update')} in {plural(self.epochs, 'pass')}"
        if self.converged:
            return f"consistent after {work}"
        why = (
            "the data are separable, so more passes will do: raise max_epochs"
            if self.separable
            else "no halfspace through the origin separates the data, so no number of "
            "passes will do (for one with a bias homogenise them)"
        )
        return f"not consistent after {work}: {why}"


def batch(X: Any, y: ArrayLike | None = None, max_epochs: int = 1000) -> Batch:
    """Cycle through a data set until every example is on its right side.

    Algorithm {prf:ref}`alg-perceptron-batch`. If `max_epochs` passes do not suffice,
    a linear program decides whether the data are separable at all.

    >>> print(batch([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1]))
    consistent after 2 updates in 2 passes
    """
    stream = as_stream(X, y)
    learner = Perceptron(stream.n)
    updates, epochs, at_rest = until_converged(learner, stream, max_epochs)
    weights = learner.weights
    # the last pass may have done it
    converged = at_rest or play(learner, stream).mistakes == 0
    separable = converged or geometry.separable(stream)
    return Batch(weights, converged, updates, epochs, separable)


def until_converged(
    learner: Learner, stream: Stream, max_epochs: int = 1000
) -> tuple[int, int, bool]:
    """Play the stream again and again until a pass changes nothing.

    Returns the updates, the passes, and whether the last of them changed nothing.

    >>> until_converged(Perceptron(1), Stream([[1.0], [-2.0]], [1, -1]))
    (1, 2, True)
    """
    updates = 0
    for epoch in range(1, check.count(max_epochs, "max_epochs") + 1):
        changed = len(play(learner, stream).update_rounds)
        updates += changed
        if not changed:
            return updates, epoch, True
    return updates, max_epochs, False


def agnostic_bound(X: Any, y: ArrayLike, u: ArrayLike, margin: float) -> float:
    r"""Bound the mistakes of one pass by the squares of the hinge losses of u.

    Theorem {prf:ref}`thm-perceptron-agnostic`: with u scaled to length 1, any γ > 0
    and :math:`\ell_t = \max(0, \gamma - y_t\langle u, x_t\rangle)`,

    .. math:: M \le \left(\frac{R + \sqrt{\sum_t \ell_t^2}}{\gamma}\right)^2 .

    Where u has margin γ no :math:`\ell_t` is positive, and it is R²/γ².

    >>> agnostic_bound([[1.0], [1.0], [-1.0]], [1, -1, -1], u=[1.0], margin=1)
    9.0
    """
    ratio, lacks = _lacks(X, y, u, margin)
    return undo_rounding((ratio + float(np.linalg.norm(lacks))) ** 2)


def hinge_bound(X: Any, y: ArrayLike, u: ArrayLike, margin: float) -> float:
    r"""Bound the mistakes of one pass by the sum of the hinge losses of u.

    Theorem {prf:ref}`thm-perceptron-hinge`: with u scaled to length 1, any γ > 0,
    ρ = R/γ and :math:`D = \sum_t \max(0, \gamma - y_t\langle u, x_t\rangle)`, every
    mistake but for its loss adds γ to ⟨u, w⟩, so :math:`M\gamma - D \le R\sqrt M`, or

    .. math:: \sqrt M \le \frac{\rho}{2} + \sqrt{\frac{\rho^2}{4} + \frac{D}{\gamma}} .

    >>> hinge_bound([[1.0], [1.0], [-1.0]], [1, -1, -1], u=[1.0], margin=1)
    4.0
    """
    ratio, lacks = _lacks(X, y, u, margin)
    return solve_root_bound(ratio, float(lacks.sum()))


@assuming(radius=above(0), margin=above(0), wrong=whole(0))
def wrong_labels_bound(radius: float, margin: float, wrong: int) -> float:
    r"""Bound the mistakes if u has margin γ on all examples but so many.

    Theorem {prf:ref}`thm-perceptron-wrong-labels`: a wrong label has a hinge loss of at
    most γ + R, so with m of them, and ρ = R/γ,

    .. math:: \sqrt M \le \frac{\rho}{2} + \sqrt{\frac{\rho^2}{4} + m(1 + \rho)} .

    For one it is (ρ + 1)².

    >>> [wrong_labels_bound(radius=1, margin=0.1, wrong=m) for m in (0, 1)]
    [100.0, 121.0]
    """
    ratio = radius / margin
    return solve_root_bound(ratio, wrong * (1 + ratio))


@assuming(passes=whole(), length=at_least(0))
def long_run_bound(
    X: Any, y: ArrayLike, u: ArrayLike, margin: float, passes: int, length: float
) -> float:
    r"""Bound the mistakes of several passes by the length of the weights they end with.

    Theorem {prf:ref}`thm-perceptron-long-run`: if D is the sum of the hinge losses of u
    in one pass, P passes from w = 0 that end with weights of this length have

    .. math:: M \le \frac{P D + \|w\|}{\gamma} .

    >>> long_run_bound([[1.0], [1.0]], [1, -1], [1.0], margin=1, passes=500, length=0)
    1000.0
    """
    _, lacks = _lacks(X, y, u, margin)
    return undo_rounding(passes * float(lacks.sum()) + length / margin)


@assuming(margin=above(0))
def _lacks(X: Any, y: ArrayLike, u: ArrayLike, margin: float) -> tuple[float, Vector]:
    """Return R/γ, and max(0, 1 - y⟨u, x⟩/γ) of every example."""
    stream = as_stream(X, y)
    scores = stream.y * (stream.X @ geometry.unit(check.example(u, stream.n, name="u")))
    return stream.radius / margin, np.maximum(0, 1 - scores / margin)
