"""Normalised Winnow: weights on the simplex, multiplied at a mistake.

Chapter `normalized_winnow`. It is also known as the exponentiated-gradient form of
Winnow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from olc import geometry
from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, at_least, chance, flag, whole
from olc.core.game import Trace
from olc.core.learner import Learner, Linear, parameter
from olc.core.numerics import shares, softmax

__all__ = ["NormalizedWinnow", "softmax", "least_drop", "best_eta", "mistake_bound",
           "simple_bound", "panel_bound", "crossover", "proof"]  # fmt: skip


class NormalizedWinnow(Linear):
    r"""Keep a distribution over the features; at a mistake multiply and normalise.

    .. math:: w_i \leftarrow w_i\, e^{\eta y x_i} / Z

    The state s is the sum of y x over the mistakes, as the Perceptron's is, and the
    weights are proportional to :math:`e^{\eta s_i}`: none of them is ever lost.
    Algorithm {prf:ref}`alg-normalized-winnow`.

    >>> learner = NormalizedWinnow(2, eta=math.log(3) / 2)
    >>> prediction = learner.learn([1, -1], +1)
    >>> learner.weights
    array([0.75, 0.25])
    """

    eta: float = parameter(above(0))

    def step(self, s: Vector, x: Vector, y: int) -> Vector:
        """Add the example, as the Perceptron does to its weights."""
        return s + y * x

    def link(self, s: Vector) -> Vector:
        """Return the distribution proportional to exp(ηs)."""
        return softmax(self.eta * s)

    def weigh(self, s: Vector) -> Vector:
        """Return the rounded weights, whose sum is 1 again if it was before."""
        weights = super().weigh(s)
        return shares(weights) if abs(weights.sum() - 1) < 2.0**-32 else weights


log_sum_exp = np.logaddexp.reduce  #: ln Σ exp(s) without overflow


@assuming(eta=at_least(0), radius=at_least(0), thickness=at_least(0))
def least_drop(
    eta: float, margin: float, radius: float = 1.0, thickness: float = 0.0
) -> float:
    r"""Return C = ηγ - ln cosh(ηR), the least drop of the potential at a mistake.

    With a `thickness` τ it is the least drop at an update of margin Winnow, which is
    less by :math:`\ln(1 + \frac\tau R\tanh\eta R)`.

    >>> round(least_drop(eta=0.5, margin=0.5), 4)
    0.1299
    """
    if not check.real(margin, "margin") <= radius * (1 + 1e-9):
        raise ValueError(f"margin must be at most radius = {radius}, not {margin}")
    lift = math.tanh(eta * radius) / radius if radius else eta
    log_cosh = float(np.logaddexp(eta * radius, -eta * radius)) - math.log(2)
    return eta * margin - log_cosh - math.log1p(thickness * lift)


@assuming(radius=above(0))
def best_eta(margin: float, radius: float = 1.0) -> float:
    r"""Return the η that makes the bound smallest, artanh(γ/R)/R.

    At γ = R it would be infinite: the margin then says that some expert is perfect.

    >>> round(best_eta(1 / 3), 4)
    0.3466
    """
    margin = above(0, radius)(margin, "margin")
    return math.atanh(margin / radius) / radius


@assuming(n=whole(), margin=above(0), eta=above(0), radius=above(0), k=whole())
def mistake_bound(
    n: int, margin: float, eta: float | None = None, radius: float = 1.0, k: int = 1
) -> float:
    r"""Bound the mistakes for a margin in the pair of norms ℓ₁ and ℓ∞.

    Theorem {prf:ref}`thm-normalized-winnow`: if :math:`\|x_t\|_\infty \le R` and some
    u ≥ 0 with :math:`\|u\|_1 = 1` has :math:`y_t\langle u, x_t\rangle \ge \gamma > 0`
    for all t, then

    .. math:: M \le \frac{\ln (N/k)}{\eta\gamma - \ln\cosh(\eta R)},

    where k is 1, or the number of features that share u equally. Without `eta` it is
    the bound at the best η. The bound is infinite where η is too large.

    >>> round(mistake_bound(1024, margin=1 / 3), 2)
    122.39
    """
    drop = least_drop(eta or 0.0, margin, radius)
    if eta is None:
        drop = divergence(min(margin / radius, 1.0))
    return math.log(n / k) / drop if drop > 0 else math.inf


@assuming(margin=chance, thickness=above(-1, 1))
def divergence(margin: float, thickness: float = 0.0) -> float:
    r"""Return the relative entropy of a coin with bias γ from a fair one.

    It is the value of C at the best η, ½[(1+γ)ln(1+γ) + (1-γ)ln(1-γ)] ≥ γ²/2. With a
    `thickness` τ the other coin has bias τ.

    >>> round(1 / divergence(1 / 3), 3)  # not much less than 2/γ² = 18
    17.658
    """
    gap = margin - thickness
    heads = (1 + margin) * math.log1p(gap / (1 + thickness))
    tails = margin < 1 and (1 - margin) * math.log1p(-gap / (1 - thickness))
    return (heads + tails) / 2


@assuming(n=whole(), margin=above(0), radius=above(0))
def simple_bound(n: int, margin: float, radius: float = 1.0) -> float:
    r"""Return the weaker bound that is easy to remember, 2 R² ln N / γ².

    >>> round(simple_bound(1024, margin=1 / 3), 2)
    124.77
    """
    return 2 * (radius * math.sqrt(math.log(n)) / margin) ** 2


@assuming(n=whole(), k=whole(), sharp=flag)
def panel_bound(n: int, k: int, sharp: bool = False) -> float:
    r"""Bound the mistakes on n experts with a hidden panel of k: 2k² ln N.

    {prf:ref}`thm-normalized-winnow-panel`. With ``sharp=True`` it is
    :math:`\ln(N/k)` over the exact divergence, which is never more.

    >>> round(panel_bound(1024, 3), 1), round(panel_bound(1024, 3, sharp=True), 1)
    (124.8, 103.0)
    """
    return mistake_bound(n, 1 / k, k=k) if sharp else simple_bound(n, 1 / k)


@assuming(k=whole(), scale=above(0))
def crossover(k: int, scale: float = 1.0) -> float | None:
    """Return the N from which on 2k² ln N is below the Perceptron's bound N·k.

    None if it always is. With a `scale` c the logarithm is ln(cN).

    >>> round(crossover(3), 1), crossover(1)
    (17.0, None)
    """
    if 2 * k * scale < math.e:  # cN/ln(cN) is never below e
        return None
    n = 1e6 * k / min(scale, 1.0)
    for _ in range(200):
        n = 2 * k * math.log(scale * n)
    return n


COLUMNS = "log_Z", "advantage", "drop", "guaranteed"


@ledger.tabulate(*COLUMNS)
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the mistake bound: one row per mistake.

    The potential is the relative entropy RE(u‖w). An update changes it by `log_Z`
    minus `advantage`, which is at most -C (the column `guaranteed`), because the
    chord over the exponential gives Z ≤ cosh(ηR) at a mistake; it never falls below 0.
    """
    yield from entropy_rows(trace, target, NormalizedWinnow)


def positive(u: Vector) -> Vector:
    """Return a target itself, and refuse one that has a negative weight."""
    if np.any(u < 0):
        raise ValueError("the target has a negative weight: use BalancedWinnow")
    return u


def entropy_rows(
    trace: Trace,
    target: Vector | None,
    kind: type[Learner],
    double: Callable[[Vector], Vector] = np.asarray,
    split: Callable[[Vector], Vector] = positive,
) -> Iterator[ledger.Row]:
    """Keep normalised Winnow's ledger: RE(u‖w) between 0 and its start - M·C.

    C is the `least_drop` at an update. Where weights may be negative, `double` makes
    two of each, and `split` two halves of a target.
    """
    moves, stream, learner = ledger.steps(trace, target, kind)
    u = geometry.unit(stream.need_target(), 1)
    wanted, largest = split(u), geometry.radius(stream.X, math.inf)
    gamma = float(np.min(stream.y * (stream.X @ u), initial=largest))
    guaranteed = least_drop(learner.eta, gamma, largest, learner.thickness)

    logs = double(learner.eta * learner.state)
    start = before = entropy(wanted, logs)
    for count, (t, x, y, _, after) in moves:
        lift = learner.eta * y * x
        log_Z = log_sum_exp(logs + double(lift)) - log_sum_exp(logs)
        logs = double(learner.eta * after.state)
        potential, upper = entropy(wanted, logs), start - count * guaranteed
        drop, before = before - potential, potential
        yield t, log_Z, u @ lift, drop, guaranteed, 0.0, potential, upper


def entropy(u: Vector, logs: Vector) -> float:
    """Return RE(u‖w) = Σ u ln(u/w) for weights with these logarithms, normalised."""
    held, log_w = u > 0, logs - log_sum_exp(logs)
    return max(0.0, float(np.sum(u[held] * (np.log(u[held]) - log_w[held]))))
