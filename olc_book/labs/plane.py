"""The lab of the plane: a line that every mistake turns. A mode for each chapter."""

from __future__ import annotations

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
        X, y = self._points
        if self.mode == "hand":
            return X, y
        trace = self._trace
        turns, updates, at = self._turns, trace.update_rounds, self.at
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
        kit.plane(left, X, y, w[-1], who=who, reach=1.3)
        right.plot(np.linalg.norm(w, axis=1), **look(who), label="‖w‖")
        count, bound = np.arange(len(w)), self.bound
        growth = self.once.radius**2 + 2 * self.state.get("tau", 0)
        right.plot(count, np.sqrt(growth * count), **look("upper"), label="R√M")
        right.set(xlabel=f"{noun}s", ylabel="length")
        right.legend()
        at_most = f"{bound:.0f} are possible" if self.margin else "there is no bound"
        made = f"{plural(len(w) - 1, noun)} in {plural(len(self.examples[1]), 'round')}"
        return Figure([left, right], f"{made}, where {at_most}.")

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
