"""Whose forecasts of rain are better: proper losses, leads, calibration.

Chapter `forecasters`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc.core import check
from olc.core.check import above, assuming, chance, optional_import

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["square_loss", "log_loss", "absolute_loss", "expected_loss", "chance_ahead",
           "days_to_lead", "hoeffding_days", "chernoff_days", "calibration",
           "decompose"]  # fmt: skip

Loss = Callable[[Any, Any], Any]
#: The ranges of what two forecasters say of the rain, and of how sure to be.
_TWO = assuming(said=above(0, 1), other=above(0, 1), truth=chance, chance=above(0, 1))

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


@assuming(truth=chance)
def expected_loss(loss: Loss, said: ArrayLike, truth: float) -> Any:
    """Return the expected loss of a forecast if it rains with probability `truth`.

    >>> said = [0.6, 0.7, 0.8, 1.0]
    >>> expected_loss(square_loss, said, 0.7).round(2)
    array([0.22, 0.21, 0.22, 0.3 ])
    >>> expected_loss(absolute_loss, said, 0.7).round(2)
    array([0.46, 0.42, 0.38, 0.3 ])
    """
    weather = ((1, truth), (0, 1 - truth))
    return sum(often * loss(said, rain) for rain, often in weather if often)


@_TWO
def chance_ahead(
    said: float, other: float, truth: float, days: ArrayLike, loss: Loss = square_loss
) -> Any:
    """Return the probability that one forecaster has lost less after so many days.

    They say `said` and `other` every day, and it rains independently with probability
    `truth`. A tie is no lead. Needs SciPy.

    >>> chance_ahead(0.7, 0.8, truth=0.7, days=[1, 10, 100]).round(4)
    array([0.3   , 0.6172, 0.8369])
    """
    special, many = optional_import("scipy.special"), check.numeric(days, "days")
    if many.dtype.kind not in "iu" or np.any(many < 1) or np.any(many > 10**9):
        raise ValueError("days must be whole numbers from 1 to 10^9")
    dry, wet = (float(loss(other, y) - loss(said, y)) for y in (0, 1))
    if not dry * wet < -1e-18:
        same = (
            f"by this loss {said} is no better than {other} in any weather, or in all"
        )
        remedy = "give different forecasts, and a loss that grows with the distance"
        raise ValueError(f"{same}: {remedy}")
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
        raise ValueError(f"it may take {enough:.3g} days: give forecasts further apart")
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
    return _days(said, other, truth, chance, kl)


@_TWO
def _days(said: float, other: float, truth: float, chance: float, speed: Any) -> float:
    if abs(said - other) < 1e-9:
        raise ValueError(f"said and other are both {said}: give different forecasts")
    halfway = (said + other) / 2
    ahead = math.copysign(1, other - said) * (halfway - truth) > 1e-12
    return -math.log1p(-chance) / speed(halfway, truth) if ahead else math.inf


@assuming(p=above(0, 1), q=chance)
def kl(p: float, q: float) -> float:
    """Return kl(p‖q), the relative entropy of two coins, for 0 < p < 1.

    >>> round(kl(0.75, 0.7), 5)
    0.00616
    """
    if q in (0, 1):
        return math.inf
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


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
    pandas = optional_import("pandas")
    p, y = _pairs(said, rain)
    groups = pandas.DataFrame({"forecast": p, "rain": y}).groupby("forecast")["rain"]
    return groups.agg(rain="mean", days="size")


def decompose(said: ArrayLike, rain: ArrayLike) -> dict[str, float]:
    r"""Split the mean square loss: calibration - resolution + uncertainty.

    {prf:ref}`thm-calibration`. The first is the mean squared distance of the forecasts
    from how often it rained on their days; the second that of these shares from the
    overall share; the third is the variance of the weather.

    >>> parts = decompose([0.5, 0.5, 1.0], [0, 1, 1])
    >>> {name: round(part, 4) for name, part in parts.items()}
    {'loss': 0.1667, 'calibration': 0.0, 'resolution': 0.0556, 'uncertainty': 0.2222}
    """
    p, y = _pairs(said, rain)
    values, place = np.unique(p, return_inverse=True)
    days = np.bincount(place)
    shares, overall = np.bincount(place, weights=y) / days, y.mean()
    return {
        "loss": float(np.mean(np.square(y - p))),
        "calibration": float(days @ np.square(values - shares) / len(y)),
        "resolution": float(days @ np.square(shares - overall) / len(y)),
        "uncertainty": float(overall * (1 - overall)),
    }


def _pairs(said: Any, rain: Any) -> tuple[Any, Any]:
    p, y = _judged(said, rain)
    if not p.size or p.shape != y.shape or p.ndim != 1:
        shapes = f"said has shape {p.shape} and rain {y.shape}"
        raise ValueError(f"{shapes}: give one of each per day")
    return p, y


def _judged(said: Any, rain: Any) -> tuple[Any, Any]:
    """Return forecasts and outcomes as floats; refuse all but 0 to 1, and 0 or 1."""
    p = np.asarray(check.numeric(said, "said"), dtype=float)
    y = np.asarray(check.numeric(rain, "rain"), dtype=float)
    if len(wrong := p[~((p >= 0) & (p <= 1))]):
        raise ValueError(f"said holds {wrong[0]}: give probabilities, 0 to 1")
    if len(wrong := y[(y != 0) & (y != 1)]):
        raise ValueError(f"rain holds {wrong[0]}: give 0 (dry) or 1 (rain)")
    return p, y
