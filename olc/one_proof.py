"""One proof for all of them: a potential, its gradient, and what a mistake adds to it.

Chapter `one_proof`. The Perceptron, the p-norm Perceptron, normalised and Balanced
Winnow add y x to a vector s at a mistake and take for weights the gradient of a
potential Φ(s). One ledger serves them all, and so does one bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from olc import geometry, normalized_winnow
from olc.balanced_winnow import BalancedWinnow, doubled, doubled_target
from olc.core import ledger
from olc.core.check import Vector, above
from olc.core.game import Trace
from olc.core.learner import Learner
from olc.core.numerics import solve_root_bound, undo_rounding
from olc.core.stream import Stream, as_stream
from olc.normalized_winnow import NormalizedWinnow, log_sum_exp, positive
from olc.p_norm import PNormPerceptron
from olc.perceptron import Perceptron

__all__ = ["potential", "mistake_bound", "proof"]

KINDS = Perceptron, PNormPerceptron, NormalizedWinnow, BalancedWinnow


# A potential has the `order` of the norm in which a target has length 1, and
#
# - value(s): Φ(s), which is 0 at 0;
# - beta: how smooth it is, Φ(s + z) ≤ Φ(s) + ⟨∇Φ(s), z⟩ + β‖z‖²/2, in the dual norm;
# - rise(X): c, the most that a mistake on one of these examples adds to Φ, βR²/2 or
#   less;
# - least(u, alignment): the least Φ(s) that ⟨u, s⟩ allows, which is the largest
#   λ⟨u, s⟩ - Φ*(λu) for which Φ*(λu) is known;
# - most(u, margin, loss, rise): the largest M for which `least` of M·γ - D is at most
#   M·c.


class HalfSquare:
    """Half the square of the p-norm, times the rate; Φ*(λu) is λ²/2 over the rate.

    >>> HalfSquare(p=2).value(np.array([3.0, 4.0]))
    12.5
    """

    def __init__(self, p: float, rate: float = 1.0) -> None:
        self.p, self.rate, self.order = p, rate, p / (p - 1)
        self.beta = rate * (p - 1)

    def value(self, s: Vector) -> float:
        """Return r‖s‖²/2."""
        return float(self.rate * geometry.norm(s, self.p) ** 2 / 2)

    def rise(self, X: Any) -> float:
        """Return r(p - 1)R²/2."""
        return self.beta * geometry.radius(X, self.p) ** 2 / 2

    def least(self, u: Vector, alignment: float) -> float:
        """Return r⟨u, s⟩²/2, if that is not negative."""
        return self.rate * max(0.0, alignment) ** 2 / 2

    def most(self, u: Vector, margin: float, loss: float, rise: float) -> float:
        """Solve r(Mγ - D)²/2 ≤ Mc for M."""
        return solve_root_bound(math.sqrt(2 * rise / self.rate) / margin, loss / margin)


class LogMean:
    """The logarithm of the mean of exp(ηsᵢ), over η; if balanced, of exp(±ηsᵢ).

    Φ*(u) is RE(u‖w)/η for the first weights w, if the sizes of u sum to 1; this is
    the only multiple of u that the proof uses.

    >>> round(LogMean(eta=1).value(np.array([math.log(3), 0])), 4)  # ln 2
    0.6931
    """

    order = 1.0

    def __init__(self, eta: float, balanced: bool = False) -> None:
        self.eta = self.beta = eta
        self.spread = doubled if balanced else np.asarray
        self.target = doubled_target if balanced else positive

    def value(self, s: Vector) -> float:
        """Return ln(mean of exp(ηs))/η."""
        spread = self.spread(self.eta * s)
        return (float(log_sum_exp(spread)) - math.log(len(spread))) / self.eta

    def rise(self, X: Any) -> float:
        """Return ln cosh(ηR)/η."""
        radius = geometry.radius(X, math.inf)
        return -normalized_winnow.least_drop(self.eta, 0.0, radius) / self.eta

    def conjugate(self, u: Vector) -> float:
        """Return Φ*(u), the relative entropy of u from equal weights, over η."""
        target = self.target(u)
        return normalized_winnow.entropy(target, 0 * target) / self.eta

    def least(self, u: Vector, alignment: float) -> float:
        """Return ⟨u, s⟩ - Φ*(u)."""
        return alignment - self.conjugate(u)

    def most(self, u: Vector, margin: float, loss: float, rise: float) -> float:
        """Return (Φ*(u) + D)/(γ - c)."""
        drop = margin - rise
        return (self.conjugate(u) + loss) / drop if drop > 0 else math.inf


Potential = HalfSquare | LogMean


def potential(learner: Learner) -> Potential:
    """Return the potential of which a learner's weights are the gradient.

    >>> potential(PNormPerceptron(9, p=4)).order  # q = p/(p - 1)
    1.3333333333333333
    """
    ledger.must_play_as(learner, *KINDS)
    if isinstance(learner, PNormPerceptron):
        return HalfSquare(learner.p)
    if isinstance(learner, NormalizedWinnow | BalancedWinnow):
        return LogMean(learner.eta, isinstance(learner, BalancedWinnow))
    return HalfSquare(2.0, learner.rate)  # type: ignore[attr-defined]


def _begun(learner: Any, stream: Stream) -> tuple[Potential, Vector, Vector]:
    """Return the potential of a new learner, the target u of length 1, and all y⟨u, x⟩.

    A learner that has learnt, or a stream that does not fit it, is refused.
    """
    rules = potential(learner)
    if learner.state.any():
        raise ValueError("the learner had learnt before: play with a new one")
    if learner.n != as_stream(stream).n or not len(stream):
        wanted = f"give rows of n = {learner.n} features, at least one"
        raise ValueError(f"the stream has shape {stream.X.shape}: {wanted}")
    u = geometry.unit(stream.need_target(), rules.order)
    return rules, u, stream.y * (stream.X @ u)


def mistake_bound(
    learner: Learner, stream: Stream, margin: float | None = None
) -> float:
    r"""Bound the mistakes of a learner on a stream, whether or not the target errs.

    Theorem {prf:ref}`thm-one-proof`: with the target u scaled to length 1 in its norm,
    a margin γ > 0 and :math:`D = \sum_t\max(0, \gamma - y_t\langle u, x_t\rangle)`,

    .. math:: \lambda(M\gamma - D) - \Phi^*(\lambda u) \le M c

    for every λ. Without `margin` it is the least :math:`y_t\langle u, x_t\rangle`, and
    D is 0: the bounds of the learners' own chapters.

    >>> from olc import streams
    >>> stream = streams.panel(64, k=3, rounds=500, seed=0)
    >>> round(mistake_bound(Perceptron(64), stream), 1)  # Nk
    192.0
    >>> round(mistake_bound(NormalizedWinnow(64, eta=1 / 3), stream), 1)
    54.1
    """
    rules, u, scores = _begun(learner, stream)
    if margin is None:
        margin = float(scores.min())
        if margin <= 0:
            remedy = "give a margin, and what the examples lack of it is added up"
            raise ValueError(f"the target errs on this stream: {remedy}")
    margin = above(0)(margin, "margin")
    loss = float(np.maximum(0.0, margin - scores).sum())
    return undo_rounding(rules.most(u, margin, loss, rules.rise(stream.X)))


@ledger.tabulate("cross", "rise", "gain")
def proof(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the one proof: one row per mistake, whoever played.

    The potential Φ(s) is at most M·c, because `cross`, y⟨w, x⟩, is not positive at a
    mistake and then the potential rises by c at most (the column `rise`); and it is at
    least what M·γ allows, because every mistake adds γ or more (the column `gain`) to
    ⟨u, s⟩. u has length 1 in the norm of the potential.
    """
    moves, stream, learner = ledger.steps(trace, target, *KINDS)
    rules, u, scores = _begun(learner, stream)
    gamma, most = float(scores.min()), rules.rise(stream.X)

    before = 0.0
    for count, (t, x, y, score, after) in moves:
        value, gain = rules.value(after.state / learner.rate), y * (u @ x)
        rise, before = value - before, value
        lower, upper = rules.least(u, count * gamma), count * most
        yield t, y * score, rise, gain, lower, value, upper
