"""The lab of the kernel Perceptron: points, and the curve that tells them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc.core.game import plural
from olc.kernel_perceptron import Polynomial, RadialBasis, gram, margin
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure

PASSES = 20  #: the most of a game, as in js/kernel.js


class Kernel(Lab):
    """Points that the reader lays out, and the kernel that he has chosen."""

    parts = ("field",)

    @property
    def function(self) -> Polynomial | RadialBasis:
        """The kernel."""
        if self.kernel == "radial":
            return RadialBasis(self.width)
        return Polynomial(int(self.kernel), 1.0)

    @property
    def once(self) -> olc.Stream:
        """Every point once, as a stream."""
        table = np.array(self.points, dtype=float)
        return olc.Stream(table[:, :2], table[:, 2])

    @property
    def bound(self) -> float:
        """The most mistakes in the feature space; infinite if nothing separates."""
        once, function = self.once, self.function
        try:
            gamma = margin(function, once)
        except ValueError:
            return float("inf")
        return float(np.diag(gram(function, once.X)).max() / gamma**2)

    @property
    def examples(self) -> tuple[Any, Any]:
        """The points again and again, until a pass changes nothing."""
        once = self.once
        turns = np.arange(PASSES * len(once)) % len(once)
        X, y = once.X[turns], once.y[turns]
        trace = olc.play(olc.KernelPerceptron(self.function), X, y)
        rounds = trace.update_rounds.max(initial=-1) + 1 + len(once)
        return X[:rounds], y[:rounds]

    @property
    def still(self) -> Figure:
        """What this kernel and the one of degree 2 call positive."""
        from olc_book.plots import kernel_perceptron

        this, other = map(olc.KernelPerceptron, (self.function, Polynomial(2, 1.0)))
        made = olc.play(this, self.stream)
        olc.play(other, self.stream)
        name = "a line" if self.kernel == "1" else repr(this.kernel)
        game = f"{plural(made.mistakes, 'mistake')} in {plural(len(made), 'round')}"
        drawn = kernel_perceptron.regions({name: this, "degree 2": other}, self.once)
        drawn.alt = f"{game} with {name}. {drawn.alt}"
        return drawn
