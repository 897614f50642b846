"""The lab of the bits: the reader sends examples, and two learners say the labels."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc.core.game import plural
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure

N = 16  #: bits of an example; with the Perceptron the last one is constant


def unpacked(masks: Any) -> Any:
    """Return the bits of numbers, the lowest first."""
    return np.asarray(masks, dtype=int)[..., None] >> np.arange(N) & 1


class Bits(Lab):
    """What the reader has sent, and the target of each round."""

    @property
    def examples(self) -> tuple[Any, Any]:
        """The bits that were sent, or -1 and +1 for opinions, and the labels."""
        masks = np.array(self.sent, dtype=int).reshape(-1, 2)
        X, targets = unpacked(masks[:, 0]), unpacked(masks[:, 1])
        hit = (X * targets).any(axis=1)
        if self.mode == "balanced":
            return 2 * X - 1, np.where(hit, -1, 1)
        return X, np.where(hit, 1, -1)

    @property
    def players(self) -> dict[str, Any]:
        """The two learners, new."""
        if self.mode == "winnow":
            return {"Winnow": olc.Winnow(N), "Perceptron": olc.Perceptron(N)}
        if self.mode == "drift":
            return {"Winnow-R": olc.WinnowR(N), "Winnow": olc.Winnow(N)}
        normalised = {"normalised Winnow": olc.NormalizedWinnow(N, eta=1)}
        return {"Balanced Winnow": olc.BalancedWinnow(N, eta=1)} | normalised

    @property
    def bound(self) -> int:
        """The most mistakes of the first learner."""
        if self.mode == "winnow":
            return olc.winnow.mistake_bound(N, 2)
        if self.mode == "balanced":
            return math.floor(olc.balanced_winnow.mistake_bound(N, 1, eta=1))
        targets = [target for _, target in self.sent] + [self.target]
        moves = sum(a != b for a, b in pairwise(targets))
        return olc.winnow_r.mistake_bound(N, 1 + moves)

    @property
    def still(self) -> Figure:
        """The weights of both learners after the last example."""
        from olc_book.plots import Figure, look, panels

        axes, made = panels(2, height=2.2), []
        for ax, (name, one) in zip(axes, self.players.items(), strict=True):
            lost = olc.play(one, self.stream).mistakes
            made.append(f"{name} has made {plural(lost, 'mistake')}")
            ax.bar(np.arange(1, N + 1), one.weights, color=look(one)["color"])
            ax.set(xlabel="bit", ylabel=f"weight of {name}")
        made[0] += f" of at most {self.bound}"
        game = f"After {plural(len(self.sent), 'round')}"
        return Figure(axes, f"{game} {' and '.join(made)}.")
