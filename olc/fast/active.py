"""Games on active features alone, which are what a row of text consists of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from olc.core import check
from olc.core.learner import Linear, Vector
from olc.fast.engine import has, has_floats, products, treats_alike

Places = NDArray[np.intp]


def active(X: Any) -> Iterator[tuple[Places, Vector]]:
    """Yield the active features of each row of a block, and their values."""
    for _, part in check.chunks(X):
        if check.is_sparse(part):
            at, values, ends = part.indices, part.data, part.indptr
        else:
            rows, at = np.nonzero(part)
            values = part[rows, at]
            ends = np.searchsorted(rows, np.arange(part.shape[0] + 1))
        at, values = at.astype(np.intp), values.astype(np.float64)
        for start, stop in pairwise(ends.tolist()):
            yield at[start:stop], values[start:stop]


class Moving:
    """A learner whose weights are moved here, if each of them moves on its own.

    An update then touches the active features only; any other learner is shown the
    whole example. `hand_over` gives the learner what it has learned.
    """

    def __init__(self, learner: Any, n: int) -> None:
        self.learner, self.n = learner, n
        self.linear = has(learner, Linear.score)
        own = type(learner).weights is Linear.weights and has(learner, Linear.update)
        alone = own and treats_alike(learner, "step", "link")
        self.touches = self.linear and alone and has_floats(learner)
        self.first = learner.rounds
        if self.linear:
            self.weights = learner.weights
        if self.touches:
            self.state, self.weights = learner.state.copy(), self.weights.copy()

    def scores(self, X: Any, start: int, stop: int) -> Any:
        """Return the scores of some rows, without a copy of them."""
        if not self.linear:
            return self.learner.score(X[start:stop])
        if not check.is_sparse(X):
            return products(check.as_floats(X[start:stop]), self.weights)
        ends = X.indptr[start : stop + 1]
        at, values = X.indices[ends[0] : ends[-1]], X.data[ends[0] : ends[-1]]
        rows = np.repeat(np.arange(stop - start), np.diff(ends))
        return np.bincount(rows, values * self.weights[at], minlength=stop - start)

    def update(self, at: Places, values: Vector, y: int, t: int) -> None:
        """Learn, in round t, from the example with these active features."""
        learner = self.learner
        learner.rounds = self.first + t
        if self.touches:
            moved = learner.step(self.state[at], values, y)
            self.state[at], self.weights[at] = moved, learner.link(moved)
            return
        x = np.zeros(self.n)
        x[at] = values
        learner.update(x, y)
        if self.linear:
            self.weights = learner.weights

    def hand_over(self, rounds: int) -> None:
        """Leave the learner as it is after so many rounds."""
        if self.touches:
            self.learner.state = self.state
        self.learner.rounds = self.first + rounds
