"""The lab of the plane: a line that every mistake turns. A mode for each chapter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc.core.game import plural
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure

ROUNDS = {"flip": 600, "average": 180}  #: what a game lasts at most, as in js/plane.js


class Plane(Lab):
    """Points that the reader lays out, and the game that is played on them."""

    parts = ("field",)

    @property
    def once(self) -> olc.Stream:
        """Every point once, as a stream."""
        return olc.Stream(*self._points)

    @property
    def weights(self) -> Any:
        """The w that was turned by hand, of length 1."""
        angle = np.radians(self.angle)
        return np.array([np.cos(angle), np.sin(angle)])

    @property
    def margin(self) -> float:
        """The largest margin of the points, 0 if no line separates them."""
        once = self.once
        separable = olc.geometry.separable(once)
        return olc.geometry.maximal_margin(once)[0] if separable else 0.0

    @property
    def bound(self) -> float:
        """The most updates that the theorem allows; infinite without a margin."""
        radius, gamma, tau = self.once.radius, self.margin, self.state.get("tau", 0)
        return (radius**2 + 2 * tau) / gamma**2 if gamma else float("inf")

    @property
    def examples(self) -> tuple[Any, Any]:
        """The examples of the game up to the moment that is shown, with labels.

        At the first moment and at the last they are those of the whole game, which ends
        with a pass that changes nothing.
        """
        return self._points if self.mode == "hand" else self._until(self.at)

    def _until(self, at: int) -> tuple[Any, Any]:
        """The examples up to a moment."""
        X, y = self._points
        turns, updates = self._turns, self._trace.update_rounds
        rounds = len(turns)
        if 0 < at < len(updates):
            # the mean is taken over all rounds in which the line lived
            late = self.mode == "average"
            rounds = updates[at] if late else updates[at - 1] + 1
        elif self.mode != "average":
            rounds = min(rounds, updates.max(initial=-1) + 1 + len(X))
        return X[turns[:rounds]], y[turns[:rounds]]

    @property
    def still(self) -> Figure:
        """The line at the end, or that of the hand, and how long w became."""
        from olc_book.plots import Figure, kit, look, panel

        X, y = self._points
        left, right = panel(3.4, 3.4), panel(3.4, 3.4)
        left.set(xticks=[], yticks=[])
        if self.mode == "classes":
            kit.points(left, X, np.where(y == 0, 1, -1), reach=1.3)
            left.plot(*X[y == 2].T, "^", color=kit.INK)
            made = plural(self._trace.mistakes, "mistake")
            return Figure(left, f"Three vectors tell the classes apart after {made}.")
        if self.mode == "hand":
            kit.plane(left, X, y, self.weights, who="Learner", reach=1.3)
            wrong = int(np.sum(y * (X @ self.weights) <= 0))
            said = f"This line misjudges {wrong} of {len(X)} points"
            return Figure(left, f"{said}; the widest street reaches {self.margin:.2g}.")
        trace = self._trace
        who, noun = trace.before, "update" if self.mode == "margin" else "mistake"
        w = np.vstack([np.zeros(2), trace.weights])
        shown, said = w[-1], ""
        if self.mode == "average":
            played = [self._lines(at) for at in range(1, len(w))]
            at, last, mean, shown, average = max(played, key=lambda it: it[1] - it[2])
            kit.boundary(left, average, **look("AveragedPerceptron"))
            said = f" After {at} the last line misjudges {last} of {len(X)} points, "
            said += f"the mean line (dotted) {mean}."
        kit.plane(left, X, y, shown, who=who, reach=1.3)
        right.plot(np.linalg.norm(w, axis=1), **look(who), label="‖w‖")
        count, bound = np.arange(len(w)), self.bound
        growth = self.once.radius**2 + 2 * self.state.get("tau", 0)
        right.plot(count, np.sqrt(growth * count), **look("upper"), label="R√M")
        right.set(xlabel=f"{noun}s", ylabel="length")
        right.legend()
        most = math.floor(bound + 1e-9) if self.margin else 0
        at_most = f"{most} are possible" if self.margin else "there is no bound"
        rounds = plural(len(self._until(0)[1]), "round")
        said = f"{plural(len(w) - 1, noun)} in {rounds}, where {at_most}.{said}"
        return Figure([left, right], said)

    def _lines(self, at: int) -> tuple[int, int, int, Any, Any]:
        """A moment, how many points its last line and mean misjudge, and both."""
        learner, (X, y) = olc.AveragedPerceptron(2), self._points
        olc.play(learner, *self._until(at))
        lines = learner.weights, learner.average
        last, mean = (int(np.sum(y * (X @ line) <= 0)) for line in lines)
        return at, last, mean, *lines

    @property
    def _points(self) -> tuple[Any, Any]:
        table = np.array(self.points, dtype=float)
        return table[:, :2], table[:, 2].astype(int)

    @property
    def _turns(self) -> Any:
        return np.arange(ROUNDS.get(self.mode, 2000)) % len(self.points)

    @property
    def _trace(self) -> Any:
        """The points, played again and again."""
        X, y = self._points
        game = X[self._turns], y[self._turns]
        if self.mode == "classes":
            learner = olc.ConstraintClassifier(olc.Perceptron(2), classes=3)
            return olc.multiclass.play(learner, *game)
        margin = olc.MarginPerceptron(2, thickness=self.state.get("tau", 0))
        one = margin if self.mode == "margin" else olc.Perceptron(2)
        return olc.play(one, *game, record=True)
