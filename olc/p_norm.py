"""The p-norm Perceptron: a slider from the Perceptron to Winnow.

Chapter `one_proof`. At p = 2 it is the Perceptron; at p = 2 ln N its bound on a panel
is e times that of normalised Winnow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from olc.core import ledger
from olc.core.check import Vector, above, assuming, at_least, whole
from olc.core.game import Trace
from olc.core.learner import Linear, parameter
from olc.core.numerics import undo_rounding
from olc.geometry import norm
from olc.perceptron import additive_rows

__all__ = ["PNormPerceptron", "mistake_bound", "panel_bound", "best_p", "proof"]


def _default(n: int) -> float:
    return max(2.0, float(round(2 * math.log(n))))


class PNormPerceptron(Linear):
    r"""Add y x to a vector s at a mistake; the weights are the gradient of ½‖s‖ₚ².

    .. math:: w_i = \|s\|_p\operatorname{sign}(s_i)\,(|s_i| / \|s\|_p)^{p-1}

    At p = 2 the weights are s, and it is the Perceptron. The larger p is, the more the
    large entries of s outweigh the small ones. p is the whole number next to 2 ln n, or
    2, unless it is given. Algorithm {prf:ref}`alg-p-norm`.

    >>> learner = PNormPerceptron(2, p=3)
    >>> prediction = learner.learn([2, -1], +1)
    >>> learner.weights.round(4)
    array([ 1.923 , -0.4807])
    >>> PNormPerceptron(1024)
    PNormPerceptron(n=1024, p=14.0)
    """

    p: float = parameter(
        at_least(2), default=None, derived=lambda self: _default(self.n)
    )

    def step(self, s: Vector, x: Vector, y: int) -> Vector:
        """Add the example to s."""
        return s + y * x

    def link(self, s: Vector) -> Vector:
        """Return the gradient of half the squared p-norm, and 0 at 0."""
        size = norm(s, self.p) or 1.0
        return size * np.sign(s) * (np.abs(s) / size) ** (self.p - 1)


@assuming(radius=above(0), margin=above(0), p=at_least(2), target_norm=above(0))
def mistake_bound(
    radius: float, margin: float, p: float, target_norm: float = 1.0
) -> float:
    r"""Bound the mistakes for a margin in the pair of norms ℓₚ and ℓ_q.

    Theorem {prf:ref}`thm-p-norm`: if :math:`\|x_t\|_p \le R` and some u of q-norm 1 has
    :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` for all t, then

    .. math:: M \le \frac{(p - 1) R^2}{\gamma^2},
              \qquad \frac1p + \frac1q = 1.

    At p = 2 it is the Perceptron's bound. If `target_norm`, the q-norm of u, is not 1,
    the margin is divided by it.

    >>> mistake_bound(radius=3, margin=0.5, p=2)
    36.0
    >>> mistake_bound(radius=3, margin=1, p=4, target_norm=2)
    108.0
    """
    return undo_rounding((p - 1) * (radius * target_norm / margin) ** 2)


@assuming(n=whole(), k=whole(), p=at_least(2))
def panel_bound(n: int, k: int, p: float | None = None) -> float:
    r"""Bound the mistakes on n experts of which a hidden panel of k is always right.

    With k odd the margin of the panel's vote is 1, hence
    :math:`(p-1)\,N^{2/p}\,k^{2-2/p}`: {prf:ref}`thm-p-norm-panel`. Without p it is the
    bound at the learner's own.

    >>> round(panel_bound(1024, 3, p=2)), round(panel_bound(1024, 3), 1)
    (3072, 269.2)
    """
    p = _default(n) if p is None else p
    return undo_rounding((p - 1) * k * k * (n / k) ** (2 / p))


@assuming(n=whole(), k=whole())
def best_p(n: int, k: int) -> float:
    r"""Return the p that makes the bound of a panel smallest.

    With a = ln(N/k) it is :math:`a + \sqrt{a^2 - 2a}`; where a is at most 2, so that
    N is less than 7.4 k, it is the Perceptron's 2.

    >>> round(best_p(1024, 3), 2), best_p(1024, 141)
    (10.56, 2.0)
    """
    log = math.log(n / k)
    return log + math.sqrt(log * (log - 2)) if log > 2 else 2.0


@ledger.tabulate("cross", "length", "alignment")
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is :math:`\tfrac12\|s\|_p^2`. It is at most
    :math:`M (p - 1) R^2 / 2`, because it grows by no more than `cross` + `length`,
    and `cross`, y⟨w, x⟩, is never positive; it is at least
    :math:`(M\gamma)^2 / 2`, because every mistake adds at least γ to `alignment`,
    ⟨u, s⟩, which is at most :math:`\|s\|_p`.
    """
    yield from additive_rows(trace, target, PNormPerceptron, part=0.5)
