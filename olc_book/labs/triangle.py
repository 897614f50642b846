"""The lab of the triangle: the weights of three experts are a point that moves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc.core.game import plural
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure


class Triangle(Lab):
    """What the experts have said, and who was right."""

    @property
    def examples(self) -> tuple[Any, Any]:
        """The opinions of each round, and that of the expert who was right."""
        sent = np.array(self.sent, dtype=int).reshape(-1, 2)
        X = 2 * (sent[:, :1] >> np.arange(3) & 1) - 1
        return X, X[np.arange(len(X)), sent[:, 1] - 1]

    @property
    def left(self) -> int:
        """How many more mistakes are possible while this expert is right."""
        learner = olc.NormalizedWinnow(3, eta=self.eta)
        olc.play(learner, self.stream)
        entropy = -math.log(learner.weights[int(self.right) - 1])
        drop = olc.normalized_winnow.least_drop(self.eta, margin=1)
        return math.floor(entropy / drop + 1e-9)

    @property
    def still(self) -> Figure:
        """The weights after every mistake."""
        from olc_book.plots import Figure, look, panel

        learner = olc.NormalizedWinnow(3, eta=self.eta)
        trace: Any = olc.play(learner, self.stream, record=True)
        weights = np.array([[1 / 3] * 3, *np.atleast_2d(trace.weights)])
        corners = np.array([[0.5, 0.85], [0, 0], [1, 0]])
        ax = panel(3.4, 3.0)
        ax.plot(*corners[[0, 1, 2, 0]].T, **look("target"))
        ax.plot(*(weights @ corners).T, **look(learner) | {"marker": "o"})
        for i, (x, y) in enumerate(corners):
            off = (0, -14 if i else 6)
            ax.annotate(
                f"expert {i + 1}", (x, y), off, ha="center", textcoords="offset points"
            )
        ax.set_axis_off()
        ax.set_aspect("equal")
        shares = ", ".join(f"{share:.2g}" for share in weights[-1])
        made = plural(trace.mistakes, "mistake")
        return Figure(ax, f"{made}, weights {shares}; at most {self.left} more.")
