"""The lab of the standard optimal algorithm: the reader asks, and contradicts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc import halving, standard_optimal
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure


class Tree(Lab):
    """The points that were asked about, and the labels that were given."""

    @property
    def table(self) -> Any:
        """The class: a row for every hypothesis, a column for every point."""
        if self.kind == "thresholds":
            return halving.thresholds(7)
        if self.kind == "singletons":
            return halving.singletons(8)
        chosen = list(halving.subsets(5, 2, 2))
        return np.array([2 * np.isin(np.arange(5), pair) - 1 for pair in chosen])

    @property
    def examples(self) -> tuple[Any, Any]:
        """What all hypotheses say about each point, and what was true."""
        rounds = np.array(self.rounds, dtype=int).reshape(-1, 2)
        return self.table.T[rounds[:, 0]], rounds[:, 1]

    @property
    def bound(self) -> int:
        """Littlestone's dimension of the class."""
        return standard_optimal.mistake_bound(self.table)

    @property
    def still(self) -> Figure:
        """The class as a table of signs, with what can be forced."""
        from olc_book.plots import Figure, kit, panel

        table, ax = self.table, panel(3.4, 3.0)
        for sign, fill in ((1, kit.INK), (-1, "none")):
            rows, columns = np.nonzero(table == sign)
            ax.scatter(columns + 1, rows + 1, s=60, facecolors=fill, edgecolors=kit.INK)
        ax.set(xlabel="point", ylabel="hypothesis", ylim=(len(table) + 0.7, 0.3))
        trace = olc.duel(
            olc.StandardOptimal(table),
            olc.adversaries.Contrary(table, standard_optimal.littlestone_dimension),
            rounds=50,
        )
        forced = olc.core.game.plural(trace.mistakes, "mistake")
        size = f"{len(table)} {self.kind} on {table.shape[1]} points"
        return Figure(ax, f"On {size} the best learner can be forced to {forced}.")
