"""The lab of bandits: the reader pulls arms, and so does Exp3, on the same losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from olc import bandits
from olc_book.labs import Lab, words

if TYPE_CHECKING:
    from olc_book.plots import Figure

ARMS, ROUNDS, RUNS = 4, 60, 20
GOOD, BAD = 0.3, 0.6  #: how often the best arm loses, and the others


class Arms(Lab):
    """The arms that were pulled, and what every arm would have lost."""

    parts = ("panel",)

    @property
    def losses(self) -> Any:
        """The loss of every arm in every round."""
        random = words(self.seed)
        means = np.full(ARMS, BAD)
        means[next(random) % ARMS] = GOOD
        drawn = [next(random) / 2**32 for _ in range(ROUNDS * ARMS)]
        return (np.reshape(drawn, (ROUNDS, ARMS)) < means).astype(int)

    @property
    def own(self) -> int:
        """What the reader has lost."""
        return int(self.losses[range(len(self.pulls)), self.pulls].sum())

    @property
    def best(self) -> int:
        """What the best arm has lost in as many rounds."""
        return int(self.losses[: len(self.pulls)].sum(axis=0).min())

    @property
    def exp3(self) -> float:
        """What Exp3 has lost in as many rounds, the mean of 20 runs."""
        return float(self._played(len(self.pulls)).sum() / RUNS)

    @property
    def bound(self) -> float:
        """The most that Exp3 regrets on average after as many rounds."""
        rounds = len(self.pulls)
        learner = bandits.Exp3.tuned(ARMS, ROUNDS)
        return bandits.regret_bound(learner, rounds) if rounds else 0.0

    @property
    def still(self) -> Figure:
        """The regret of Exp3 in 60 rounds, below its bound."""
        from olc_book.plots import Figure, look, panel

        ax, lost = panel(3.4, 2.6), self._played(ROUNDS).sum(axis=0).cumsum() / RUNS
        regret = lost - self.losses.cumsum(axis=0).min(axis=1)
        learner, rounds = bandits.Exp3.tuned(ARMS, ROUNDS), np.arange(1, ROUNDS + 1)
        ax.plot(rounds, regret, **look("Exp3"), label="Exp3")
        most = [bandits.regret_bound(learner, int(t)) for t in rounds]
        ax.plot(rounds, most, **look("bound"), label="bound")
        ax.set(xlabel="rounds", ylabel="regret")
        said = f"Exp3 loses {regret[-1]:.1f} more than the best of {ARMS} arms"
        return Figure(ax, f"{said} in {ROUNDS} rounds; {most[-1]:.1f} are possible.")

    def _played(self, rounds: int) -> Any:
        """Return the losses of Exp3, runs × rounds, with coins that both sides know."""
        table, lost = self.losses, np.zeros((RUNS, rounds))
        for run in range(RUNS):
            learner, coins = bandits.Exp3.tuned(ARMS, ROUNDS), words(10000 + 97 * run)
            for t in range(rounds):
                arm = learner.draw(next(coins) / 2**32)
                lost[run, t] = table[t, arm]
                learner.learn(arm, loss=lost[run, t])
        return lost
