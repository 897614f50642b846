"""The lab of the race: three learners on one stream of experts with a hidden panel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import olc
from olc_book.labs import Lab, panel

if TYPE_CHECKING:
    from olc_book.plots import Figure


class Race(Lab):
    """A panel of k among N experts, and the learners that look for it."""

    parts = ("panel",)

    @property
    def n(self) -> int:
        """How many experts there are."""
        return math.floor(2**self.size + 0.5)

    @property
    def eta(self) -> float:
        """The rate of both Winnows."""
        return float(self.state.get("tune", 1) / self.k)

    @property
    def p(self) -> float:
        """The p of the p-norm Perceptron, with two digits."""
        far = self.state.get("along", 0) * (2 * math.log(self.n) - 2)
        return math.floor(100 * (2 + far) + 0.5) / 100

    @property
    def players(self) -> dict[str, olc.Learner]:
        """The three learners, new."""
        n, eta = self.n, self.eta
        found: dict[str, olc.Learner] = {"Perceptron": olc.Perceptron(n)}
        if self.mode == "norm":
            found["p-norm"] = olc.PNormPerceptron(n, p=self.p)
        found["normalised Winnow"] = olc.NormalizedWinnow(n, eta=eta)
        if self.mode == "panel":
            found["Balanced Winnow"] = olc.BalancedWinnow(n, eta=eta)
        return found

    @property
    def bounds(self) -> dict[str, float]:
        """The most mistakes of each; infinite for a Winnow that steps too far."""
        n, k, theory = self.n, self.k, olc.normalized_winnow

        def winnow(n: int) -> float:
            # 2k² ln N holds as long as a mistake lowers the potential by 1/2k²
            exact = theory.mistake_bound(n, 1 / k, self.eta)
            return max(theory.panel_bound(n, k), exact)

        return {
            "Perceptron": olc.perceptron.panel_bound(n, k),
            "p-norm": olc.p_norm.panel_bound(n, k, self.p),
            "normalised Winnow": winnow(n),
            "Balanced Winnow": winnow(2 * n),
        }

    @property
    def examples(self) -> tuple[Any, Any]:
        """The opinions of the experts, and the verdicts of the panel."""
        stream = panel(self.n, self.k, self.rounds, self.seed)
        return stream.X, stream.y

    @property
    def still(self) -> Figure:
        """The race."""
        from olc_book.plots import Figure, kit

        stream, bounds = self.stream, self.bounds
        traces = {name: olc.play(one, stream) for name, one in self.players.items()}
        ax, table = kit.running_all(traces, {"mistakes": kit.mistakes})
        told = [
            f"{name} {trace.mistakes} of at most {bounds[name]:.0f}"
            for name, trace in traces.items()
        ]
        game = f"{self.n} experts, a hidden panel of {self.k}, {self.rounds} rounds"
        return Figure(ax, f"{game}. Mistakes: {', '.join(told)}.", table)
