"""The margin Perceptron: update not only at a mistake but while the margin is thin.

Chapter `thick_separator`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from olc.core import ledger
from olc.core.check import Vector, above, assuming, at_least
from olc.core.game import Trace
from olc.core.learner import hints, parameter
from olc.core.numerics import undo_rounding
from olc.perceptron import Perceptron, additive_rows

__all__ = ["MarginPerceptron", "mistake_bound", "mistakes_alone", "final_margin",
           "proof"]  # fmt: skip


@hints(margin_rule=True)
class MarginPerceptron(Perceptron):
    r"""The Perceptron that updates while :math:`y\langle w, x\rangle \le \tau`.

    .. math:: w \leftarrow w + r\,y\,x

    `thickness` is τ; with τ = 0 it is the Perceptron.
    Algorithm {prf:ref}`alg-margin-perceptron`.

    >>> learner = MarginPerceptron(1, thickness=2)
    >>> from olc import play
    >>> trace = play(learner, [[1.0]] * 5, [1] * 5)
    >>> trace.mistakes, len(trace.update_rounds)  # one mistake, then two thin margins
    (1, 3)
    """

    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the example is wrong, or right by no more than τ."""
        return y * score <= self.thickness


@assuming(radius=above(0), margin=above(0), thickness=at_least(0), rate=above(0))
def mistake_bound(
    radius: float, margin: float, thickness: float, rate: float = 1.0
) -> float:
    r"""Bound the updates of the margin Perceptron.

    Theorem {prf:ref}`thm-margin-perceptron`: with :math:`\|x_t\|_2 \le R` and a unit
    vector of margin γ, at most :math:`(R^2 + 2\tau/r)/\gamma^2` updates happen, τ being
    the `thickness`.

    >>> mistake_bound(radius=1, margin=0.25, thickness=0.5)
    32.0
    """
    return undo_rounding((radius**2 + 2 * thickness / rate) / margin**2)


@assuming(radius=above(0), margin=above(0), thickness=at_least(0), rate=above(0))
def mistakes_alone(
    radius: float, margin: float, thickness: float, rate: float = 1.0
) -> float:
    r"""Bound the mistakes of the margin Perceptron, without its other updates.

    Theorem {prf:ref}`thm-margin-mistakes`: :math:`R^2/\gamma^2` as for the Perceptron
    while τ ≤ rR²/2, and :math:`(R^2 + 2\tau/r)^2/(8\gamma^2\tau/r)` beyond.

    >>> mistakes_alone(radius=1, margin=0.125, thickness=0.5)
    64.0
    >>> mistakes_alone(radius=1, margin=0.125, thickness=2)
    100.0
    """
    ratio, beta = (radius / margin) ** 2, 2 * thickness / (rate * radius**2)
    return undo_rounding(ratio * (1 + beta) * (1 + 1 / beta) / 4 if beta > 1 else ratio)


@assuming(radius=above(0), margin=above(0), thickness=at_least(0), rate=above(0))
def final_margin(
    radius: float, margin: float, thickness: float, rate: float = 1.0
) -> float:
    r"""Return the margin that the margin Perceptron reaches: γτ/(rR² + 2τ).

    Once an epoch passes without an update, every example scores above τ, and the
    weights are no longer than :math:`(rR^2 + 2\tau)/\gamma`. It tends to half of the
    best margin as τ grows. {prf:ref}`thm-margin-perceptron`.

    >>> final_margin(radius=1, margin=0.1, thickness=0.5)
    0.025
    """
    return margin * thickness / (rate * radius**2 + 2 * thickness)


@ledger.tabulate("cross", "length", "alignment", index="update")
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    """Return the ledger of the bound: one row per update.

    It is the Perceptron's, ‖w‖², but `cross` may be as large as 2rτ.
    """
    yield from additive_rows(trace, target, MarginPerceptron)
