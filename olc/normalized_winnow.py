"""Normalised Winnow: weights on the simplex, multiplied at a mistake.

Chapter `normalized_winnow`. It is also known as the exponentiated-gradient form of
Winnow.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check, ledger
from olc.core.game import Trace
from olc.core.learner import Linear, Parameter, Vector, above, entrywise

if TYPE_CHECKING:
    import pandas as pd


class NormalizedWinnow(Linear):
    r"""Keep a distribution over the features; at a mistake multiply and normalise.

    .. math:: w_i \leftarrow w_i\, e^{\eta y x_i} / Z

    The logarithms of the weights are kept, so no weight is ever lost: what is added
    to them is the Perceptron's update. Algorithm {prf:ref}`alg-normalized-winnow`.

    >>> learner = NormalizedWinnow(2, eta=math.log(3) / 2)
    >>> learner.update([1, -1], +1)
    >>> learner.weights
    array([0.75, 0.25])
    """

    eta: float = Parameter(above(1e-50, 1e50))

    @entrywise
    def step(self, state: Vector, x: Vector, y: int) -> Vector:
        """Add what the exponents change by."""
        return state + self.eta * y * x

    def link(self, state: Vector) -> Vector:
        """Return the distribution proportional to exp(state)."""
        return softmax(state)


def softmax(state: Vector) -> Vector:
    """Return the distribution proportional to exp(state)."""
    powers = np.exp(state - state.max())
    return powers / powers.sum()


def least_drop(eta: float, margin: float, radius: float = 1.0) -> float:
    r"""Return C = ηδ - ln cosh(ηR), the least drop of the potential at a mistake.

    >>> round(least_drop(eta=0.5, margin=0.5), 4)
    0.1299
    """
    eta, radius = check.at_least(eta, "eta", 0), check.at_least(radius, "radius", 0)
    if not check.real(margin, "margin") <= radius * (1 + 1e-9):
        raise ValueError(f"margin must be at most radius = {radius}, not {margin}")
    size = eta * radius
    if math.isinf(size):  # there the logarithm outgrows any margin below the radius
        return -math.inf
    return eta * margin - _log_cosh(size)


def best_eta(margin: float, radius: float = 1.0) -> float:
    r"""Return the η that makes the bound smallest, artanh(δ/R)/R.

    At δ = R it would be infinite: the margin then says that some expert is perfect.

    >>> round(best_eta(1 / 3), 4)
    0.3466
    """
    radius = check.number(radius, "radius", 0)
    margin = check.number(margin, "margin", 0, radius)
    return math.atanh(margin / radius) / radius


def mistake_bound(
    n: int,
    margin: float,
    eta: float | None = None,
    radius: float = 1.0,
    target_norm: float = 1.0,
    spread: int = 1,
) -> float:
    r"""Bound the mistakes for a margin in the pair of norms ℓ₁ and ℓ∞.

    Theorem {prf:ref}`thm-normalized-winnow`: if :math:`\|x_t\|_\infty \le R` and some
    u ≥ 0 has :math:`y_t\langle u, x_t\rangle \ge \gamma > 0` for all t, then

    .. math:: M \le \frac{\|u\|_1 \ln (N/s)}
                         {\eta\gamma - \|u\|_1 \ln\cosh(\eta R)},

    where `spread` s is 1, or the number of features that share u equally. Without
    `eta` it is the bound at the best η. The bound is infinite where η is too large.

    >>> round(mistake_bound(1024, margin=1 / 3), 2)
    122.39
    """
    delta = check.number(margin, "margin", 0) / check.number(
        target_norm, "target_norm", 0
    )
    radius = check.number(radius, "radius", 0)
    if delta > radius * (1 + 1e-12):
        raise ValueError(
            f"margin = {margin} is more than radius times target_norm = "
            f"{radius * target_norm}, which no target reaches"
        )
    entropy = math.log(n / check.subset_size(spread, check.count(n, "n")))
    if eta is None:
        drop = divergence(min(delta / radius, 1.0))
    else:
        drop = least_drop(check.number(eta, "eta", 0), delta, radius)
    return entropy / drop if drop > 0 else math.inf


def divergence(delta: float) -> float:
    r"""Return the relative entropy of a coin with bias δ from a fair one.

    It is the value of C at the best η, ½[(1+δ)ln(1+δ) + (1-δ)ln(1-δ)] ≥ δ²/2.

    >>> round(1 / divergence(1 / 3), 3)  # not much less than 2/δ² = 18
    17.658
    """
    delta = check.chance(delta, "delta")
    return 0.5 * sum((1 + s) * math.log1p(s) for s in (delta, -delta) if s > -1)


def simple_bound(
    n: int, margin: float, radius: float = 1.0, target_norm: float = 1.0
) -> float:
    r"""Return the weaker bound that is easy to remember, 2 R²‖u‖₁² ln N / γ².

    >>> round(simple_bound(1024, margin=1 / 3), 2)
    124.77
    """
    ratio = (
        check.number(radius, "radius", 0)
        * check.number(target_norm, "target_norm", 0)
        / check.number(margin, "margin", 0)
    )
    entropy = math.log(check.count(n, "n"))
    return 2 * entropy * ratio * ratio if entropy else 0.0


def panel_bound(n: int, k: int, sharp: bool = False) -> float:
    r"""Bound the mistakes on n experts with a hidden panel of k: 2k² ln N.

    {prf:ref}`thm-normalized-winnow-panel`. With ``sharp=True`` it is
    :math:`\ln(N/k)` over the exact divergence, which is never more.

    >>> round(panel_bound(1024, 3), 1), round(panel_bound(1024, 3, sharp=True), 1)
    (124.8, 103.0)
    """
    n = check.count(n, "n")
    k = check.subset_size(k, n)
    if check.flag(sharp, "sharp"):
        return mistake_bound(n, 1 / k, spread=k)
    return simple_bound(n, 1 / k)


def crossover(k: int, scale: float = 1.0) -> float | None:
    """Return the N from which on 2k² ln N is below the Perceptron's bound N·k.

    None if it always is. With a `scale` c the logarithm is ln(cN).

    >>> round(crossover(3), 1), crossover(1)
    (17.0, None)
    """
    k, scale = check.count(k, "k"), check.number(scale, "scale", 0)
    if 2 * k * scale < math.e:  # cN/ln(cN) is never below e
        return None
    n = 1e6 * k / min(scale, 1.0)
    for _ in range(200):
        n = 2 * k * math.log(scale * n)
    return n


def proof(trace: Trace, target: ArrayLike | None = None) -> pd.DataFrame:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is the relative entropy RE(u‖w). An update changes it by `log_Z`
    minus `advantage`, which is at most -C (the column `guaranteed`), because the
    chord over the exponential gives Z ≤ cosh(ηR) at a mistake; it never falls below 0.
    """

    def drop(learner: Any, margin: float, radius: float) -> float:
        return least_drop(learner.eta, margin, radius)

    return ledger.entropy(trace, target, NormalizedWinnow, log_weights, drop)


def log_weights(learner: NormalizedWinnow) -> Vector:
    """Return the logarithms of the weights, exact where a weight underflows."""
    return learner.state - ledger.log_sum_exp(learner.state)


def _log_cosh(x: float) -> float:
    return abs(x) + math.log1p(math.exp(-2 * abs(x))) - math.log(2)
