"""Learners that predict numbers: gradient descent, exponentiated gradient, EG±.

Chapter `regression`. They play a game of their own, `forecast`, with
one loss bound and one proof.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from olc.balanced_winnow import doubled, doubled_target
from olc.core import check, ledger
from olc.core.check import Vector, above, assuming, at_least, whole
from olc.core.game import unchanged_on_error
from olc.core.learner import Parametrised, parameter
from olc.core.numerics import softmax
from olc.geometry import radius
from olc.normalized_winnow import entropy

__all__ = ["Forecaster", "GradientDescent", "ExponentiatedGradient",
           "SignedExponentiatedGradient", "Forecasts", "forecast", "loss_bound",
           "best_eta", "bound", "proof"]  # fmt: skip

# ----------------------------------------------------------------------- learners


class Forecaster(Parametrised):
    """A learner that predicts a number, ⟨w, x⟩, and learns from what it missed.

    Like every linear learner of the book it adds a multiple of x to a `state` and
    reads its weights off that by its `link`. The multiple is the *residual*, y - ŷ.
    Hooks are plain methods; from outside, `predict` and `learn` check what they get.
    A proof also needs the `distance` of the weights from u, its potential, and the
    `radius` R of the examples.
    """

    n: int = parameter(whole(1), kw_only=False)

    def start(self) -> Vector:
        """Return the state before the first round."""
        return np.zeros(self.n)

    @property
    def weights(self) -> Vector:
        """The current weight vector."""
        return self.link(self.state)

    def score(self, x: Vector) -> float:
        """Return the forecast for one example."""
        return float(x @ self.weights)

    def update(self, x: Vector, y: float, said: float) -> None:
        """Learn what an example led to, after a forecast was made."""
        self.state = self.step(self.state, x, y - said)

    def step(self, state: Vector, x: Vector, residual: float) -> Vector:
        """Return the state after a round."""
        raise NotImplementedError(f"{type(self).__name__} must define step")

    def link(self, state: Vector) -> Vector:
        """Return the weights that belong to a state."""
        return state

    def predict(self, X: ArrayLike) -> Any:
        """Return the forecast for one example, or for every row of a block."""
        rows = check.numeric(X, "X")
        block = rows[None] if rows.ndim == 1 else rows
        check.features(check.as_rows(block, self.n), "real")
        return rows @ self.weights

    def learn(self, x: ArrayLike, y: float) -> float:
        """Play one round by hand, and return the forecast that was made in it."""
        return float(forecast(self, [x], [y]).predictions[0])

    def check(self, X: Vector) -> None:
        """Refuse examples that the learner cannot take."""


class GradientDescent(Forecaster):
    r"""Predict ⟨w, x⟩ and move the weights against the gradient of the square loss.

    .. math:: w \leftarrow w + \eta\,(y - \hat y)\,x

    Algorithm {prf:ref}`alg-gradient-descent`, also known as the rule of Widrow and
    Hoff. It needs η‖x‖² < 2: a longer step makes things worse.

    >>> learner = GradientDescent(2, eta=0.25)
    >>> learner.learn([1, 1], 2), learner.weights
    (0.0, array([0.5, 0.5]))
    """

    eta: float = parameter(above(0))

    def step(self, w: Vector, x: Vector, residual: float) -> Vector:
        """Return the weights after a round."""
        return w + self.eta * residual * x

    def check(self, X: Vector) -> None:
        """Refuse steps after which the residual of an example is no smaller."""
        # From η‖x‖² = 2 on the weights may grow without end.
        steps = self.eta * np.einsum("ij,ij->i", X, X)
        if (longest := steps.max(initial=0.0)) >= 2:
            row = f"squared length of row {np.argmax(steps)} of X is {longest:.3g}"
            remedy = f"choose eta below {2 * self.eta / longest:.3g}, or scale X"
            raise ValueError(f"eta = {self.eta:g} times the {row}: {remedy}")

    def distance(self, u: ArrayLike) -> float:
        """Return ½‖u - w‖²."""
        gap = check.example(u, self.n, name="u") - self.weights
        return float(gap @ gap) / 2

    def radius(self, X: Any) -> float:
        """Return the length of the longest example."""
        return radius(X, 2)


class ExponentiatedGradient(Forecaster):
    r"""Keep a distribution over the features; multiply by a power of e and normalise.

    .. math:: w_i \leftarrow w_i\, e^{\eta (y - \hat y) x_i} / Z

    Algorithm {prf:ref}`alg-exponentiated-gradient`. The state holds the logarithms of
    the weights, so no weight is ever lost.

    >>> learner = ExponentiatedGradient(2, eta=math.log(3))
    >>> learner.learn([1, 0], 1.5), learner.weights
    (0.5, array([0.75, 0.25]))
    """

    eta: float = parameter(above(0))

    def step(self, state: Vector, x: Vector, residual: float) -> Vector:
        """Add what the logarithms of the weights change by."""
        return state + self.eta * residual * x

    def link(self, state: Vector) -> Vector:
        """Return the distribution proportional to exp(state)."""
        return softmax(state)

    def distance(self, u: ArrayLike) -> float:
        """Return the relative entropy RE(u‖w) of a distribution u."""
        target = check.example(u, self.n, name="u")
        if np.any(target < 0) or abs(target.sum() - 1) > 1e-9:
            raise ValueError("u must be a distribution: divide by its sum, or use EG±")
        return entropy(target, self.state)

    def radius(self, X: Any) -> float:
        """Return the largest entry of an example, by absolute value."""
        return radius(X, math.inf)


class SignedExponentiatedGradient(Forecaster):
    r"""Exponentiated gradient on the features x and -x: weights of any sign, EG±.

    The weights are U(w⁺ - w⁻) for a distribution (w⁺, w⁻), so that ‖w‖₁ ≤ U, the
    parameter `norm`. Algorithm {prf:ref}`alg-exponentiated-gradient`.

    >>> learner = SignedExponentiatedGradient(2, eta=math.log(2) / 4, norm=2)
    >>> said = learner.learn([1, 0], 2)  # the state moves by η·U·(y - ŷ) = ln 2
    >>> learner.weights.round(4)  # 2 (2 - 1/2) / (2 + 1/2 + 1 + 1)
    array([0.6667, 0.    ])
    """

    eta: float = parameter(above(0))
    norm: float = parameter(above(0))

    def step(self, state: Vector, x: Vector, residual: float) -> Vector:
        """Return the state after a round."""
        return state + self.eta * self.norm * residual * x

    def link(self, state: Vector) -> Vector:
        """Return the weights of x less those of -x."""
        plus, minus = np.split(softmax(np.concatenate([state, -state])), 2)
        return self.norm * (plus - minus)

    def distance(self, u: ArrayLike) -> float:
        """Return RE(u'‖w') for the doubled features.

        What ‖u‖₁ lacks of U is spread evenly, where it cancels.
        """
        target = check.example(u, self.n, name="u") / self.norm
        rest = 1 - float(np.abs(target).sum())
        if rest < -1e-9:
            least = self.norm * (1 - rest)
            raise ValueError(f"norm must be at least {least:g}, the 1-norm of u")
        halves = doubled_target(target) + max(0.0, rest) / (2 * self.n)
        return entropy(halves, doubled(self.state))

    def radius(self, X: Any) -> float:
        """Return U times the largest entry of an example, by absolute value."""
        return self.norm * radius(X, math.inf)


# ----------------------------------------------------------------------- the game


@dataclass(frozen=True, eq=False)
class Forecasts:
    """The record of a game of forecasts: what was said in every round.

    `before` is the learner as it was when the game began.
    """

    predictions: Vector
    X: Vector
    y: Vector
    before: Forecaster

    @property
    def losses(self) -> Vector:
        """The square loss of every round."""
        return np.square(self.y - self.predictions)

    @property
    def loss(self) -> float:
        """The total square loss."""
        return float(self.losses.sum())

    def loss_of(self, u: ArrayLike) -> float:
        """Return the total square loss of fixed weights u in the same game."""
        target = check.example(u, self.X.shape[1], name="u")
        return float(np.square(self.y - self.X @ target).sum())

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        return f"Forecasts(loss {self.loss:.6g} in {len(self)} rounds)"


def forecast(learner: Forecaster, X: Any, y: ArrayLike) -> Forecasts:
    """Play all rounds: see x, predict a number, see y, learn from it.

    The learner goes on from its present state and is left as it is after the last
    round.

    >>> forecast(GradientDescent(2, eta=0.5), [[1, 0], [0, 1], [1, 1]], [1, 1, 2])
    Forecasts(loss 3 in 3 rounds)
    """
    X, y = _checked(learner, X, y)
    predictions = np.empty(len(y))
    with unchanged_on_error(learner) as before:
        for t, x in enumerate(X):
            predictions[t] = learner.score(x)
            learner.update(x, y[t], predictions[t])
    return Forecasts(predictions, X, y, before)


def _checked(learner: Any, X: Any, y: Any) -> tuple[Vector, Vector]:
    """Return copies of X and y as floats; refuse what the learner cannot take."""
    if not isinstance(learner, Forecaster):
        raise TypeError(f"learner is {learner!r}: give GradientDescent(n, eta=0.1)")
    rows = check.as_rows(X, learner.n)
    check.features(rows, "real")
    targets = check.one_per_row(y, rows, "give real numbers").astype(np.float64)
    check.features(targets[None], "real", "y")
    floats = np.array(check.as_floats(rows))
    learner.check(floats)
    return floats, targets


# ---------------------------------------------------------------- bound and proof


@assuming(loss=at_least(0), start=at_least(0), radius=at_least(0), eta=above(0))
def loss_bound(
    loss: float, start: float, radius: float, eta: float | None = None
) -> float:
    r"""Bound the total square loss by that of any fixed weights u.

    Theorem {prf:ref}`thm-regression`: if u has the total loss L and the potential
    starts at Φ₁ = `start`, then for η R² < 1

    .. math:: \sum_t (y_t - \hat y_t)^2 \le \frac{L}{1 - \eta R^2}
              + \frac{2\Phi_1}{\eta} .

    Without `eta` it is the bound at the best η, :math:`(\sqrt L + R\sqrt{2\Phi_1})^2`.
    The bound is infinite where η is too large.

    >>> loss_bound(loss=0, start=2, radius=3), loss_bound(4, 2, 3, eta=1 / 18)
    (36.0, 80.0)
    """
    if eta is None:
        return (math.sqrt(loss) + radius * math.sqrt(2 * start)) ** 2
    share = eta * radius**2
    if share > 1 + 1e-12 or (loss and share >= 1):
        return math.inf
    return (loss and loss / (1 - share)) + 2 * start / eta


@assuming(loss=at_least(0), start=above(0), radius=above(0))
def best_eta(loss: float, start: float, radius: float) -> float:
    r"""Return the η at which the bound is smallest.

    >>> best_eta(loss=0, start=2, radius=3) * 9, best_eta(36, 2, 3) * 9
    (1.0, 0.5)
    """
    return 1 / (radius**2 + radius * math.sqrt(loss / (2 * start)))


def bound(trace: Forecasts, u: ArrayLike) -> float:
    """Return what `loss_bound` says of a game that was played, against weights u.

    >>> trace = forecast(GradientDescent(1, eta=0.5), [[1], [1]], [1, 1])
    >>> trace.loss, bound(trace, [1])
    (1.25, 2.0)
    """
    learner = first(trace, *KINDS)
    start, radius = learner.distance(u), learner.radius(trace.X)
    return loss_bound(trace.loss_of(u), start, radius, learner.eta)


@ledger.tabulate(
    "residual", "of_target", "progress", "cost", "drop", "guaranteed", index="round"
)
def proof(trace: Forecasts, u: ArrayLike) -> Iterator[ledger.Row]:
    r"""Return the ledger of the loss bound: one row per round.

    The potential is the distance of the weights from u. A round changes it by `cost`
    minus `progress`, η r (r - s), where r and s are the residuals of the learner and
    of u; the `drop` is at least :math:`\frac\eta2\bigl(r^2 - \frac{s^2}{1 - \eta
    R^2}\bigr)` (the column `guaranteed`), because `cost` is at most η²r²R²/2.
    """
    learner = first(trace, *KINDS)
    eta, share = learner.eta, learner.eta * learner.radius(trace.X) ** 2
    if share >= 1:
        remedy = f"the proof needs less than 1, so choose eta below {eta / share:.3g}"
        raise ValueError(f"eta times R² is {share:.3g}: {remedy}")
    target = check.example(u, learner.n, name="u")
    upper = before = learner.distance(target)
    for x, y, predicted in zip(trace.X, trace.y, trace.predictions, strict=True):
        residual, of_target = float(y - predicted), float(y - x @ target)
        learner.state = learner.step(learner.state, x, residual)
        potential = learner.distance(target)
        drop, before = before - potential, potential
        progress = eta * residual * (residual - of_target)
        guaranteed = eta / 2 * (residual**2 - of_target**2 / (1 - share))
        upper -= guaranteed
        moves = progress, progress - drop, drop, guaranteed
        yield residual, of_target, *moves, 0.0, potential, upper


KINDS = GradientDescent, ExponentiatedGradient, SignedExponentiatedGradient


def first(trace: Any, *kinds: type[Forecaster]) -> Any:
    """Return a copy of the learner before the game; refuse one of another kind."""
    if not isinstance(trace, Forecasts):
        raise TypeError(f"trace must be what forecast returns, not {trace!r}")
    ledger.must_play_as(trace.before, *kinds)
    return copy.deepcopy(trace.before)
