"""The p-norm Perceptron: a slider from the Perceptron to Winnow.

Chapter `one_proof`. At p = 2 it is the Perceptron; at p = 2 ln N its bound is, but for
a constant, that of normalised Winnow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc import geometry
from olc.core import check, ledger
from olc.core.game import Trace
from olc.core.learner import Linear, Parameter, Vector
from olc.core.powers import on_a_grid, power

if TYPE_CHECKING:
    import pandas as pd

LARGEST = 1000.0  #: beyond it the powers of one half vanish


def _order(value: Any, name: str) -> float:
    """Check for an order p of this algorithm."""
    p = check.at_least(value, name, 2)
    if p > LARGEST:
        raise ValueError(f"{name} must be at most {LARGEST:g}, not {value}")
    return p


class PNormPerceptron(Linear):
    r"""Add y x to a vector s at a mistake; the weights are the gradient of ½‖s‖ₚ².

    .. math:: w_i = \operatorname{sign}(s_i)\,|s_i|^{p-1} / \|s\|_p^{p-2}

    At p = 2 the weights are s, and it is the Perceptron. The larger p is, the more the
    large entries of s outweigh the small ones. p is the whole number next to 2 ln n, or
    2, unless it is given. Algorithm {prf:ref}`alg-p-norm`.

    The weights have the same bits on every machine, and sums of them with signs are
    exact: equal weights cancel. A tie of unequal ones, as 3² + 4² = 5² at p = 3, is
    left to their rounding.

    >>> learner = PNormPerceptron(2, p=3)
    >>> learner.update([2, -1], +1)
    >>> learner.weights.round(4)
    array([ 1.923 , -0.4807])
    >>> PNormPerceptron(1024)
    PNormPerceptron(n=1024, p=14.0)
    """

    p: float = Parameter(
        _order, derived=lambda self: max(2.0, float(round(2 * math.log(self.n))))
    )

    def link(self, state: Vector) -> Vector:
        """Return the gradient of half the squared p-norm."""
        if self.p == 2 or not state.any():
            return state
        largest = np.abs(state).max()
        shares = np.abs(state) / largest  # no power of them overflows
        powers = np.maximum(power(shares, self.p - 1), 1e-100)
        total = float(on_a_grid(shares * powers).sum())
        scale = largest / power(total, (self.p - 2) / self.p)
        # equal weights cancel exactly, and none is rounded to 0
        return np.sign(state) * on_a_grid(scale * powers, np.ceil)


def mistake_bound(
    radius: float, margin: float, p: float, target_norm: float = 1.0
) -> float:
    r"""Bound the mistakes for a margin in the pair of norms ℓₚ and ℓ_q.

    Theorem {prf:ref}`thm-p-norm`: if :math:`\|x_t\|_p \le R` and some u has
    :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` for all t, then

    .. math:: M \le \frac{(p - 1) R^2 \|u\|_q^2}{\gamma^2},
              \qquad \frac1p + \frac1q = 1.

    `target_norm` is the q-norm of u. At p = 2 it is the Perceptron's bound.

    >>> mistake_bound(radius=3, margin=0.5, p=2)
    36.0
    >>> mistake_bound(radius=3, margin=1, p=4, target_norm=2)
    108.0
    """
    size = check.number(target_norm, "target_norm", 0)
    ratio = check.number(radius, "radius", 0) / check.number(margin, "margin", 0)
    return (_order(p, "p") - 1) * (ratio * size) * (ratio * size)


def panel_bound(n: int, k: int, p: float | None = None) -> float:
    r"""Bound the mistakes on n experts of which a hidden panel of k is always right.

    With k odd the margin of the panel's vote is 1, hence (p - 1)·N^(2/p)·k^(2 - 2/p):
    {prf:ref}`thm-p-norm-panel`. Without p it is the bound at the learner's own.

    >>> round(panel_bound(1024, 3, p=2)), round(panel_bound(1024, 3), 1)
    (3072, 269.2)
    """
    n = check.count(n, "n")
    k = check.subset_size(k, n)
    if p is None:  # the default needs n alone: a learner would have n weights
        p = vars(PNormPerceptron)["p"].derived(SimpleNamespace(n=n))
    p = _order(p, "p")
    return (p - 1) * k * k * (n / k) ** (2 / p)


def best_p(n: int, k: int) -> float:
    r"""Return the p that makes the bound of a panel smallest.

    With L = ln(N/k) it is :math:`L + \sqrt{L^2 - 2L}`; where L is at most 2, so that
    N is less than 7.4 k, it is the Perceptron's 2.

    >>> round(best_p(1024, 3), 2), best_p(1024, 141)
    (10.56, 2.0)
    """
    n = check.count(n, "n")
    log = math.log(n / check.subset_size(k, n))
    return log + math.sqrt(log * (log - 2)) if log > 2 else 2.0


def proof(trace: Trace, target: ArrayLike | None = None) -> pd.DataFrame:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is :math:`\tfrac12\|s\|_p^2`. It is at most
    :math:`M (p - 1) R^2 / 2`, because it grows by no more than `cross` + `length`,
    and `cross`, y⟨w, x⟩, is never positive; it is at least
    :math:`(M\gamma)^2 / 2`, because every mistake adds at least γ to `alignment`,
    ⟨u, s⟩, which is at most :math:`\|s\|_p`.
    """
    moves = ledger.steps(trace, PNormPerceptron)
    learner: Any = trace.before
    stream, p = ledger.stream_of(trace, target), learner.p
    u = geometry.unit(stream.need_target(), p / (p - 1))
    gamma = float(np.min(stream.y * (stream.X @ u), initial=math.inf))
    growth = (p - 1) * geometry.radius(stream.X, p) ** 2 / 2
    start, along = geometry.norm(learner.state, p) ** 2 / 2, float(u @ learner.state)

    def rows() -> Iterator[dict[str, float]]:
        for count, (t, x, y, score, after) in moves:
            yield {
                "round": t,
                "cross": y * float(score),
                "length": (p - 1) * geometry.norm(x, p) ** 2 / 2,
                "alignment": float(u @ after.state),
                "lower": max(0.0, along + count * gamma) ** 2 / 2,
                "potential": geometry.norm(after.state, p) ** 2 / 2,
                "upper": start + count * growth,
            }

    return ledger.ledger(rows(), ("cross", "length", "alignment"))
