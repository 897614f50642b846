"""The lab of the worst order: the Perceptron is shown the points of a fixed pool."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc import adversaries, geometry, streams
from olc.core.game import plural
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure

#: The points of the best order that is known, found by the beam search of `tightness`.
BEST = [
    *(39, 51, 72, 77, 82, 112, 167, 183, 205, 209, 228, 250, 290, 340, 362, 404, 418),
    *(428, 434, 441, 476, 482, 571, 642, 767, 775, 799, 828, 836, 869, 970, 981),
]


@cache
def pool() -> olc.Stream:
    """Return the thousand points of the chapter."""
    return streams.separable(10, margin=0.1, rounds=1000, seed=0)


@cache
def greedy() -> list[int]:
    """Return the order of `adversaries.WorstOrder`, which makes 58 mistakes."""
    points, shown = pool(), olc.Perceptron(10)
    stream = olc.duel(shown, adversaries.WorstOrder(points), 1000).stream
    same = (stream.X[:, None] == points.X).all(axis=2)
    return [int(place) for place in same.argmax(axis=1)]


def table() -> str:
    """Return js/pool.js: the points of both orders, each times its label, and u."""
    points, places = pool(), sorted({*BEST, *greedy()})
    rows = (points.y[:, None] * points.X)[places].tolist()
    u = geometry.unit(points.need_target()).tolist()
    text = json.dumps([places, u, *rows], separators=(",", ":"))
    said = (
        "// Made by olc_book.labs.order.table: numbers, the target, and the points y·x."
    )
    return f'{said}\nglobalThis.olcPool = JSON.parse(\n  "{text}",\n);\n'


class Order(Lab):
    """The numbers of the points, from 0, in the order in which they are shown."""

    parts = ("pool",)

    @property
    def examples(self) -> tuple[Any, Any]:
        """The points in this order, and their labels."""
        return pool().X[self.order], pool().y[self.order]

    @property
    def bound(self) -> int:
        """The most mistakes that any order of the pool can cost."""
        gamma = geometry.maximal_margin(pool())[0]
        return int(olc.perceptron.mistake_bound(pool().radius, gamma))

    @property
    def still(self) -> Figure:
        """The length of w in the greedy order, between its bounds."""
        from olc_book.plots import Figure, look, panel

        learner = olc.Perceptron(10)
        X, y = pool().X[greedy()], pool().y[greedy()]
        trace: Any = olc.play(learner, X, y, record=True)
        lengths = np.linalg.norm(trace.weights, axis=1)
        ax, count = panel(), np.arange(1, self.bound + 1)
        ax.plot(count[: len(lengths)], lengths, **look(learner), label="‖w‖")
        ax.plot(count, np.sqrt(count), **look("upper"), label="R√M")
        gamma = geometry.maximal_margin(pool())[0]
        ax.plot(count, gamma * count, **look("lower"), label="Mγ")
        ax.set(xlabel="mistakes M", ylabel="length of w")
        ax.legend()
        made = plural(trace.mistakes, "mistake")
        return Figure(ax, f"A greedy order makes {made}; {self.bound} is the bound.")
