"""The lab of the adversary: the reader splits the experts, and says what was true."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure

PANEL = 3  #: experts whose majority is true, where the reader does not say it


class Adversary(Lab):
    """Rounds that the reader has made, and the learner that played them."""

    @property
    def rival(self) -> Any:
        """The learner, before the first round."""
        n = self.state.get("n", 8)
        if self.mode == "halving":
            return olc.Halving(n)
        if self.mode == "weighted":
            return olc.WeightedMajority(n, eta=self.eta)
        if self.mode == "randomized":
            return olc.RandomizedWeightedMajority(n, eta=self.eta)
        if self.learner == "Perceptron":
            return olc.Perceptron(n)
        return getattr(olc, self.learner)(n, eta=math.atanh(1 / PANEL))

    @property
    def examples(self) -> tuple[Any, Any]:
        """What the experts said in every round, and what was true."""
        table = np.array(self.rounds, dtype=int).reshape(-1, 2)
        X = 2 * (table[:, :1] >> np.arange(self.rival.n) & 1) - 1
        force = self.mode == "force"
        return X, np.sign(X[:, :PANEL].sum(1)) if force else table[:, 1]

    @property
    def best(self) -> int:
        """The mistakes of the best expert."""
        X, y = self.examples
        return int((y[:, None] != X).sum(0).min())

    @property
    def bound(self) -> float:
        """The most mistakes that the theorem allows in this game."""
        n = self.rival.n
        if self.mode == "halving":
            return olc.halving.mistake_bound(n)
        if self.mode == "force":
            if self.learner == "Perceptron":
                return olc.perceptron.panel_bound(n, PANEL)
            twice = 1 + (self.learner == "BalancedWinnow")
            return olc.normalized_winnow.panel_bound(twice * n, PANEL, sharp=True)
        coin = olc.randomized_weighted_majority.mistake_bound
        sure = olc.weighted_majority.mistake_bound
        bound = coin if self.mode == "randomized" else sure
        return bound(n, self.best, self.eta)

    @property
    def known(self) -> int:
        """The mistakes that the adversary of the book forces."""
        return forced(self.learner, self.n)

    @property
    def still(self) -> Figure:
        """What the adversary of the book forces, beside the bound."""
        from olc_book.plots import Figure, look, panel

        cruel: Any = olc.adversaries.Split()
        if self.mode == "halving":
            cruel = olc.adversaries.Contrary(
                2 * (np.arange(8)[:, None] >> np.arange(3) & 1) - 1
            )
        if self.mode == "force":
            cruel = olc.adversaries.Panel(self.n, PANEL)
        trace, ax = olc.duel(self.rival, cruel, rounds=24), panel(3.4, 2.6)
        masks = (trace.stream.X > 0) @ (1 << np.arange(self.rival.n))
        bound = Adversary(
            **self.state | {"rounds": np.stack([masks, trace.stream.y], 1)}
        ).bound
        coin = self.mode == "randomized"
        each: Any = trace.expected if coin else trace.predictions != trace.stream.y
        made = np.cumsum([0, *each])
        ax.plot(made, drawstyle="steps-post", **look(self.rival), label="mistakes")
        ax.axhline(bound, **look("bound"))
        ax.set(xlabel="rounds", ylabel="mistakes", ylim=(0, 1.1 * bound))
        who = f"{made[-1]:.3g} {'expected ' * coin}mistakes in {len(trace)} rounds"
        return Figure(
            ax, f"A good adversary makes {who}, where {bound:.3g} are possible."
        )


@functools.cache
def forced(name: str, n: int) -> int:
    """Return what the adversary of panels forces on a learner."""
    rival = Adversary(mode="force", learner=name, n=n).rival
    return olc.duel(rival, olc.adversaries.Panel(n, PANEL), rounds=500).mistakes
