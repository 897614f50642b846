"""The lab of forecasts: forecasts of the reader, beside those of two learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from olc import gradient, vovk
from olc_book.labs import Lab, words

if TYPE_CHECKING:
    from olc_book.plots import Figure

DAYS, NOISE = 15, 0.3


class Forecast(Lab):
    """The days that have passed, and what was said on each."""

    parts = ("panel",)

    @property
    def days(self) -> tuple[Any, Any]:
        """The readings and the outcomes of all days."""
        random = words(self.seed)
        slope, *drawn = (2 * next(random) / 2**32 - 1 for _ in range(2 * DAYS + 1))
        x, noise = np.array(drawn[::2]), np.array(drawn[1::2])
        return x[:, None], np.clip(slope * x + NOISE * noise, -1, 1)

    @property
    def examples(self) -> tuple[Any, Any]:
        """The readings and the outcomes of the days that have passed."""
        X, y = self.days
        return X[: len(self.said)], y[: len(self.said)]

    @property
    def own(self) -> float:
        """The square loss of the reader."""
        return float(np.square(self.examples[1] - self.said).sum())

    @property
    def bound(self) -> float:
        """The most that Vovk, Azoury and Warmuth may have lost."""
        return _bound(*self.examples)

    @property
    def still(self) -> Figure:
        """The losses of two learners in 15 days, and a bound."""
        from olc_book.plots import Figure, look, panel

        (X, y), ax, days = self.days, panel(3.4, 2.6), np.arange(1, DAYS + 1)
        learner = gradient.GradientDescent(1, eta=self.eta)
        descent = gradient.forecast(learner, X, y).losses.cumsum()
        vaw = gradient.forecast(vovk.VovkAzouryWarmuth(1), X, y).losses.cumsum()
        ax.plot(days, descent, **look("GradientDescent"), label="descent")
        ax.plot(days, vaw, **look("VovkAzouryWarmuth"), label="VAW")
        most = [_bound(X[:t], y[:t]) for t in days]
        ax.plot(days, most, **look("bound"), label="bound of VAW")
        ax.set(xlabel="days", ylabel="total loss")
        ax.legend()
        lost = f"VAW loses {vaw[-1]:.3g} and descent {descent[-1]:.3g}"
        return Figure(ax, f"{lost} in {DAYS} days; VAW may lose {most[-1]:.3g}.")


def _bound(X: Any, y: Any) -> float:
    trace = gradient.forecast(vovk.VovkAzouryWarmuth(1), X, y)
    best = (X[:, 0] @ y) / (1 + X[:, 0] @ X[:, 0])  # of those that are not too large
    return vovk.bound(trace, [best])
