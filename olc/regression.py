"""Regression: whose forecasts are better, and learners that predict numbers.

Chapter `regression`. First the losses by which forecasts are judged; then
`GradientDescent`, `ExponentiatedGradient` and `SignedExponentiatedGradient`, which
play in a game of their own, `forecast`, with one loss bound and one proof.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc import geometry
from olc.core import check, ledger
from olc.core.check import Vector, above, need, whole
from olc.core.learner import Parametrised, parameter
from olc.normalized_winnow import softmax

if TYPE_CHECKING:
    import pandas as pd

Loss = Callable[[Any, Any], Any]

# --------------------------------------------------------------- which forecaster


def square_loss(said: ArrayLike, rain: ArrayLike) -> Any:
    """Return (y - p)² for a forecast p of an outcome y: 1 if it rains, else 0.

    >>> square_loss(0.7, [1, 0]).round(2)
    array([0.09, 0.49])
    """
    p, y = _judged(said, rain)
    return np.square(y - p)


def log_loss(said: ArrayLike, rain: ArrayLike) -> Any:
    """Return -ln p if it rains, else -ln(1 - p).

    It is infinite for what was called impossible.

    >>> log_loss([0.7, 0.7, 0], [1, 0, 1]).round(4)
    array([0.3567, 1.204 ,    inf])
    """
    p, y = _judged(said, rain)
    with np.errstate(divide="ignore"):
        return -np.log(np.where(y == 1, p, 1 - p))


def absolute_loss(said: ArrayLike, rain: ArrayLike) -> Any:
    """Return the distance of y from p, which does not reward honesty.

    {prf:ref}`thm-proper` says what it rewards.

    >>> absolute_loss(0.7, [1, 0]).round(2)
    array([0.3, 0.7])
    """
    p, y = _judged(said, rain)
    return np.abs(y - p)


def expected_loss(loss: Loss, said: ArrayLike, truth: float) -> Any:
    """Return the expected loss of a forecast if it rains with probability `truth`.

    >>> said = [0.6, 0.7, 0.8, 1.0]
    >>> expected_loss(square_loss, said, 0.7).round(2)
    array([0.22, 0.21, 0.22, 0.3 ])
    >>> expected_loss(absolute_loss, said, 0.7).round(2)
    array([0.46, 0.42, 0.38, 0.3 ])
    """
    truth = check.chance(truth, "truth")
    coin = ((1, truth), (0, 1 - truth))
    return sum(chance * _loss(loss)(said, rain) for rain, chance in coin if chance > 0)


def chance_ahead(
    said: float, other: float, truth: float, days: ArrayLike, loss: Loss = square_loss
) -> Any:
    """Return the probability that one forecaster has lost less after so many days.

    They say `said` and `other` every day, and it rains independently with probability
    `truth`. A tie is no lead. Needs SciPy.

    >>> chance_ahead(0.7, 0.8, truth=0.7, days=[1, 10, 100]).round(4)
    array([0.3   , 0.6172, 0.8369])
    """
    special = need("scipy.special")
    truth = check.chance(truth, "truth")
    many = check.numeric(days, "days")
    if many.dtype.kind not in "iu" or np.any(many < 1) or np.any(many > 10**9):
        raise ValueError("days must be whole numbers from 1 to 10^9")
    first, second = _two(said, other)
    dry, wet = (float(_loss(loss)(second, y) - loss(first, y)) for y in (0, 1))
    if not dry * wet < 0:
        raise ValueError(
            f"by this loss {first} is no better than {second} in any weather, or in "
            "all: give a loss that grows with the distance from the outcome"
        )
    even = np.round(dry / (dry - wet) * many, 9)  # no last bit decides a tie
    if wet > 0:
        return 1 - special.bdtr(np.floor(even), many, truth)
    return special.bdtr(np.ceil(even) - 1, many, truth)


def days_to_lead(
    said: float, other: float, truth: float, chance: float = 0.95
) -> float:
    """Return after how many days one forecaster leads with this probability, for good.

    The loss is the square loss. The number is infinite if the other's expected loss is
    no larger. Needs SciPy.

    >>> days_to_lead(0.7, 0.8, truth=0.7), days_to_lead(0.7, 0.8, truth=0.76)
    (241.0, inf)
    """
    enough = chernoff_days(said, other, truth, chance)
    if math.isinf(enough):
        return enough
    if enough > 1e7:
        raise ValueError(
            f"it may take {enough:.3g} days: choose forecasts that are further apart"
        )
    days = np.arange(1, math.ceil(enough) + 1)
    short = np.flatnonzero(chance_ahead(said, other, truth, days) < chance)
    return float(short[-1] + 2 if len(short) else 1)


def hoeffding_days(
    said: float, other: float, truth: float, chance: float = 0.95
) -> float:
    r"""Return how many days suffice by Hoeffding's inequality, for the square loss.

    Theorem {prf:ref}`thm-forecasters`. The total losses are equal when it has rained
    on a share c of the days, halfway between the forecasts, and
    :math:`\ln\frac{1}{1 - \text{chance}} / 2(c - \text{truth})^2` days are enough.

    >>> round(hoeffding_days(0.7, 0.8, truth=0.7))  # 2 ln 20 / 0.1²
    599
    """
    return _days(said, other, truth, chance, lambda c, p: 2 * (c - p) ** 2)


def chernoff_days(
    said: float, other: float, truth: float, chance: float = 0.95
) -> float:
    """Return how many days suffice by Chernoff's bound: kl(c‖truth) for 2(c-truth)².

    >>> round(chernoff_days(0.7, 0.8, truth=0.7))
    486
    """
    return _days(said, other, truth, chance, _coins)


def _days(
    said: Any, other: Any, truth: Any, chance: Any, exponent: Callable[..., float]
) -> float:
    first, second = _two(said, other)
    halfway, truth = (first + second) / 2, check.chance(truth, "truth")
    doubt = -math.log1p(-check.above(0, 1)(chance, "chance"))
    closer = math.copysign(1, second - first) * (halfway - truth)
    return doubt / exponent(halfway, truth) if closer > 1e-12 else math.inf


def _two(said: Any, other: Any) -> tuple[float, float]:
    first = check.above(0, 1)(said, "said")
    second = check.above(0, 1)(other, "other")
    if abs(first - second) < 1e-9:
        raise ValueError(f"said and other are both {first}: give different forecasts")
    return first, second


def _coins(p: float, q: float) -> float:
    """Return kl(p‖q), the relative entropy of two coins."""
    if q in (0, 1):
        return math.inf
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def _loss(loss: Any) -> Loss:
    if not callable(loss):
        raise TypeError(f"loss must be a function such as square_loss, not {loss!r}")
    return loss


# -------------------------------------------------------------------- calibration


def calibration(said: ArrayLike, rain: ArrayLike) -> pd.DataFrame:
    """Return for every forecast that was made how often it rained then.

    Forecasts that are all different must be rounded first.

    >>> calibration([0.5, 0.5, 1.0], [0, 1, 1])
              rain  days
    forecast
    0.5        0.5     2
    1.0        1.0     1
    """
    pandas = need("pandas")
    p, y = _pairs(said, rain)
    groups = pandas.DataFrame({"forecast": p, "rain": y}).groupby("forecast")["rain"]
    return groups.agg(rain="mean", days="size")


def decompose(said: ArrayLike, rain: ArrayLike) -> dict[str, float]:
    r"""Split the mean square loss: calibration - sharpness + uncertainty.

    {prf:ref}`thm-calibration`. The first is the mean squared distance of the forecasts
    from how often it rained on their days; the second that of these shares from the
    overall share; the third is the variance of the weather.

    >>> parts = decompose([0.5, 0.5, 1.0], [0, 1, 1])
    >>> {name: round(part, 4) for name, part in parts.items()}
    {'loss': 0.1667, 'calibration': 0.0, 'sharpness': 0.0556, 'uncertainty': 0.2222}
    """
    p, y = _pairs(said, rain)
    values, place = np.unique(p, return_inverse=True)
    days = np.bincount(place)
    shares, overall = np.bincount(place, weights=y) / days, y.mean()
    return {
        "loss": float(np.mean(np.square(y - p))),
        "calibration": float(days @ np.square(values - shares) / len(y)),
        "sharpness": float(days @ np.square(shares - overall) / len(y)),
        "uncertainty": float(overall * (1 - overall)),
    }


def _pairs(said: Any, rain: Any) -> tuple[Vector, Vector]:
    p, y = _judged(said, rain)
    if p.ndim == 1 and p.shape == y.shape and len(p):
        return p, y
    raise _unequal(p, y)


def _judged(said: Any, rain: Any) -> tuple[Any, Any]:
    """Return forecasts and outcomes that can be compared."""
    p = _numbers(said, "said", lambda p: (p >= 0) & (p <= 1), "0 to 1")
    y = _numbers(rain, "rain", lambda y: (y == 0) | (y == 1), "0 (dry) or 1 (rain)")
    try:
        np.broadcast_shapes(p.shape, y.shape)
    except ValueError:
        raise _unequal(p, y) from None
    return p, y


def _unequal(p: Any, y: Any) -> ValueError:
    shapes = f"said has shape {p.shape} and rain {y.shape}"
    return ValueError(f"{shapes}: give one of each a day")


def _numbers(values: Any, name: str, good: Callable[[Any], Any], wanted: str) -> Any:
    """Return numbers, of any shape, that are all of the wanted kind."""
    array = check.as_floats(check.numeric(values, name))
    array = array.reshape(np.shape(values))  # a number stays a number
    wrong = np.argwhere(~good(array))
    if len(wrong):
        at = ", ".join(map(str, wrong[0]))
        where = f"{name}[{at}]" if at else name
        raise ValueError(f"{where} = {array[tuple(wrong[0])]}: give {wanted}")
    return array


# ----------------------------------------------------------------------- learners


class Forecaster(Parametrised):
    """A learner that predicts a number, ⟨w, x⟩, and learns from what it missed.

    Like every linear learner of the book it adds a multiple of x to a `state` and
    reads its weights off that by its `link`. The multiple is the *residual*, y - ŷ.
    """

    n: int = parameter(whole(1), kw_only=False)
    eta: float = parameter(above(1e-50, 1e50))
    state: Vector

    def start(self) -> Vector:
        """Return the state before the first round."""
        return np.zeros(self.n)

    @property
    def weights(self) -> Vector:
        """The current weight vector."""
        return self.link(self.state)

    def link(self, state: Vector) -> Vector:
        """Return the weights that belong to a state."""
        raise NotImplementedError(f"{type(self).__name__} must define link(state)")

    def step(self, state: Vector, x: Vector, residual: float) -> Vector:
        """Return the state after a round."""
        return state + self.eta * residual * x

    def predict(self, X: ArrayLike) -> Any:
        """Return the forecast for one example, or for every row of a block."""
        return check.examples(X, self.n, "real") @ self.weights

    def update(self, x: ArrayLike, y: float) -> None:
        """Learn from one example."""
        x, y = check.example(x, self.n, "real"), check.real(y, "y")
        forecast(self, x[None], [y])

    def check(self, X: Vector) -> None:
        """Refuse examples that the learner cannot take."""

    def distance(self, u: ArrayLike) -> float:
        """Return the potential of the proof: how far the weights are from u."""
        raise NotImplementedError(f"{type(self).__name__} must define distance(u)")

    def radius(self, X: Any) -> float:
        """Return R, the size of the largest example as the loss bound measures it."""
        raise NotImplementedError(f"{type(self).__name__} must define radius(X)")


class GradientDescent(Forecaster):
    r"""Predict ⟨w, x⟩ and move the weights against the gradient of the square loss.

    .. math:: w \leftarrow w + \eta\,(y - \hat y)\,x

    Algorithm {prf:ref}`alg-gradient-descent`, also known as the rule of Widrow and
    Hoff. It needs η‖x‖² < 2: a longer step makes things worse.

    >>> learner = GradientDescent(2, eta=0.25)
    >>> learner.update([1, 1], 2)
    >>> learner.weights, float(learner.predict([1, 1]))
    (array([0.5, 0.5]), 1.0)
    """

    def link(self, state: Vector) -> Vector:
        """Return the weights that belong to a state."""
        return state

    def check(self, X: Vector) -> None:
        """Refuse steps after which the residual of an example is no smaller."""
        # From η‖x‖² = 2 on the weights may grow without end.
        steps = self.eta * np.einsum("ij,ij->i", X, X)
        if (longest := steps.max(initial=0.0)) >= 2:
            raise ValueError(
                f"eta = {self.eta:g} times the squared length of row "
                f"{np.argmax(steps)} of X is {longest:.3g}: choose eta below "
                f"{2 * self.eta / longest:.3g}, where it is less than 2, or scale X"
            )

    def distance(self, u: ArrayLike) -> float:
        """Return ½‖u - w‖²."""
        gap = check.example(u, self.n, "real", "u") - self.weights
        return float(gap @ gap) / 2

    def radius(self, X: Any) -> float:
        """Return the length of the longest example."""
        return geometry.radius(X, 2)


class ExponentiatedGradient(Forecaster):
    r"""Keep a distribution over the features; multiply by a power of e and normalise.

    .. math:: w_i \leftarrow w_i\, e^{\eta (y - \hat y) x_i} / Z

    Algorithm {prf:ref}`alg-exponentiated-gradient`. The state holds the logarithms of
    the weights, so no weight is ever lost.

    >>> learner = ExponentiatedGradient(2, eta=math.log(3))
    >>> learner.update([1, 0], 1.5)
    >>> learner.weights
    array([0.75, 0.25])
    """

    def link(self, state: Vector) -> Vector:
        """Return the distribution proportional to exp(state)."""
        return softmax(state)

    def distance(self, u: ArrayLike) -> float:
        """Return the relative entropy RE(u‖w) of a distribution u."""
        target = check.example(u, self.n, "real", "u")
        if np.any(target < 0) or abs(target.sum() - 1) > 1e-9:
            raise ValueError(
                "u must be a distribution: divide weights that are not negative by "
                "their sum, or use SignedExponentiatedGradient"
            )
        log_weights = self.state - ledger.log_sum_exp(self.state)
        return ledger.relative_entropy(target, log_weights)

    def radius(self, X: Any) -> float:
        """Return the largest entry of an example, by absolute value."""
        return geometry.radius(X, math.inf)


class SignedExponentiatedGradient(Forecaster):
    r"""Exponentiated gradient on the features x and -x: weights of any sign, EG±.

    The weights are U(w⁺ - w⁻) for a distribution (w⁺, w⁻), so that ‖w‖₁ ≤ U, the
    parameter `norm`. Algorithm {prf:ref}`alg-exponentiated-gradient`.

    >>> learner = SignedExponentiatedGradient(2, eta=math.log(2) / 4, norm=2)
    >>> learner.update([1, 0], 2)  # the state moves by η·U·(y - ŷ) = ln 2
    >>> learner.weights.round(4)  # 2 (2 - 1/2) / (2 + 1/2 + 1 + 1)
    array([0.6667, 0.    ])
    """

    norm: float = parameter(above(1e-20, 1e20))

    def step(self, state: Vector, x: Vector, residual: float) -> Vector:
        """Return the state after a round."""
        return state + self.eta * self.norm * residual * x

    def link(self, state: Vector) -> Vector:
        """Return the weights of x less those of -x."""
        largest = np.abs(state).max()  # no power overflows
        plus, minus = np.exp(state - largest), np.exp(-state - largest)
        return self.norm * (plus - minus) / (plus + minus).sum()

    def distance(self, u: ArrayLike) -> float:
        """Return RE(u'‖w') for the doubled features.

        What ‖u‖₁ lacks of U is spread evenly, where it cancels.
        """
        target = check.example(u, self.n, "real", "u") / self.norm
        rest = 1 - float(np.abs(target).sum())
        if rest < -1e-9:
            raise ValueError(
                f"u has the 1-norm {self.norm * (1 - rest):g}, more than norm = "
                f"{self.norm:g}: give the learner a larger norm"
            )
        halves = np.maximum(np.concatenate([target, -target]), 0)
        doubled = np.concatenate([self.state, -self.state])
        log_weights = doubled - ledger.log_sum_exp(doubled)
        halves += max(0.0, rest) / len(halves)
        return ledger.relative_entropy(halves, log_weights)

    def radius(self, X: Any) -> float:
        """Return U times the largest entry of an example, by absolute value."""
        return self.norm * geometry.radius(X, math.inf)


# ----------------------------------------------------------------------- the game


@dataclass(frozen=True, eq=False)
class Forecasts:
    """The record of a game of forecasts: what was said in every round.

    `before` is the learner as it was when the game began.
    """

    predictions: Vector
    X: Vector = field(repr=False)
    y: Vector = field(repr=False)
    before: Forecaster = field(repr=False)

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
        target = check.example(u, self.X.shape[1], "real", "u")
        return float(np.square(self.y - self.X @ target).sum())

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        return f"Forecasts(loss {self.loss:.6g} in {len(self)} rounds)"


def forecast(learner: Forecaster, X: Any, y: ArrayLike) -> Forecasts:
    """Play all rounds: see x, predict ⟨w, x⟩, see y, learn from the residual.

    The learner goes on from its present state and is left as it is after the last
    round.

    >>> forecast(GradientDescent(2, eta=0.5), [[1, 0], [0, 1], [1, 1]], [1, 1, 2])
    Forecasts(loss 3 in 3 rounds)
    """
    X, y = _checked(learner, X, y)
    before = copy.deepcopy(learner)
    predictions = np.empty(len(y))
    for t, x in enumerate(X):
        predictions[t] = x @ learner.weights
        learner.state = learner.step(learner.state, x, y[t] - predictions[t])
    return Forecasts(predictions, X, y, before)


def _checked(learner: Any, X: Any, y: Any) -> tuple[Vector, Vector]:
    """Return the examples and the numbers to be predicted: copies, all of them good."""
    if not isinstance(learner, Forecaster):
        made = " (call the class)" if isinstance(learner, type) else ""
        raise TypeError(
            "learner must be a forecaster, such as GradientDescent(n, eta=0.1), not "
            f"{learner!r}{made}"
        )
    rows = check.numeric(X, "X")
    check.features(check.table(rows, learner.n), "real")
    numbers = check.numeric(y, "y")
    if numbers.shape != (rows.shape[0],):
        raise ValueError(
            f"y has shape {numbers.shape} and X has {rows.shape[0]} rows: give one "
            "number a row"
        )
    floats = np.array(check.as_floats(rows))
    targets = np.array(numbers, dtype=np.float64)
    wild = np.flatnonzero(~(np.abs(targets) <= 1e100))
    if len(wild):
        raise ValueError(
            f"y[{wild[0]}] = {targets[wild[0]]}: give finite numbers of size at most "
            f"{1e100:g}"
        )
    learner.check(floats)
    return floats, targets


# ---------------------------------------------------------------- bound and proof


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
    loss, start = check.at_least(0)(loss, "loss"), check.at_least(0)(start, "start")
    radius = check.at_least(0)(radius, "radius")
    if eta is None:
        far = radius and radius * math.sqrt(2 * start)  # 0 of what overflows is 0
        root = math.sqrt(loss) + far
        return root * root
    share = check.above(0)(eta, "eta") * radius * radius
    if share >= 1 and (loss > 0 or share > 1 + 1e-12):
        return math.inf
    return (loss / (1 - share) if loss else 0.0) + 2 * start / eta


def best_eta(loss: float, start: float, radius: float) -> float:
    r"""Return the η at which the bound is smallest.

    >>> best_eta(loss=0, start=2, radius=3) * 9, best_eta(36, 2, 3) * 9
    (1.0, 0.5)
    """
    loss = check.at_least(0)(loss, "loss")
    radius = check.above(1e-100, 1e100)(radius, "radius")
    far = radius * math.sqrt(2 * check.above(0, 1e300)(start, "start"))
    return far / (far + math.sqrt(loss)) / radius**2


def bound(trace: Forecasts, u: ArrayLike) -> float:
    """Return what `loss_bound` says of a game that was played, against weights u.

    >>> trace = forecast(GradientDescent(1, eta=0.5), [[1], [1]], [1, 1])
    >>> trace.loss, bound(trace, [1])
    (1.25, 2.0)
    """
    learner, radius = _first(trace)
    return loss_bound(trace.loss_of(u), learner.distance(u), radius, learner.eta)


def proof(trace: Forecasts, u: ArrayLike) -> pd.DataFrame:
    r"""Return the ledger of the loss bound: one row per round.

    The potential is the distance of the weights from u. A round changes it by `cost`
    minus `progress`, η r (r - s), where r and s are the residuals of the learner and
    of u; the `drop` is at least :math:`\frac\eta2\bigl(r^2 - \frac{s^2}{1 - \eta
    R^2}\bigr)` (the column `guaranteed`), because `cost` is at most η²r²R²/2.
    """
    pandas = need("pandas")
    learner, radius = _first(trace)
    share = learner.eta * radius**2
    if share >= 1:
        raise ValueError(
            f"eta times R² is {share:.3g}: the proof needs it to be less than 1, so "
            f"choose eta below {learner.eta / share:.3g}"
        )
    target = check.example(u, learner.n, "real", "u")
    upper = before = learner.distance(target)
    rows = []
    for x, y, predicted in zip(trace.X, trace.y, trace.predictions, strict=True):
        residual, of_target = y - predicted, y - x @ target
        learner.state = learner.step(learner.state, x, residual)
        potential = learner.distance(target)
        drop = before - potential
        progress = learner.eta * residual * (residual - of_target)
        guaranteed = learner.eta / 2 * (residual**2 - of_target**2 / (1 - share))
        before, upper = potential, upper - guaranteed
        moves = [residual, of_target, progress, progress - drop, drop, guaranteed]
        rows.append([*moves, 0.0, potential, upper])
    names = ["residual", "of_target", "progress", "cost", "drop", "guaranteed"]
    places = pandas.RangeIndex(1, len(rows) + 1, name="round")
    columns = [*names, "lower", "potential", "upper"]
    return pandas.DataFrame(rows, places, columns, dtype=float)


def _first(trace: Any) -> tuple[Forecaster, float]:
    """Return the learner as the game began, and R; refuse one with other steps."""
    if not isinstance(trace, Forecasts):
        raise TypeError(f"trace must be what forecast returns, not {trace!r}")
    learner = copy.deepcopy(trace.before)
    if type(learner).step not in (Forecaster.step, SignedExponentiatedGradient.step):
        raise TypeError(f"{learner} takes a step of its own: no bound is known for it")
    return learner, learner.radius(trace.X) if len(trace) else 0.0
