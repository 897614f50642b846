"""Bandits: only the arm that is drawn shows its loss. Exp3, Exp3.P and Exp3-IX.

Chapter `bandits`. They play a game of their own, `play_bandit`: there are no examples
and no labels, only K arms, one of which is drawn in every round. The Banditron, at the
end, classifies examples and only learns whether it was right.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check, ledger, numerics
from olc.core.check import Vector, above, assuming, at_least, chance, whole
from olc.core.game import plural
from olc.core.learner import Parametrised, parameter
from olc.core.numerics import shares, softmax
from olc.normalized_winnow import log_sum_exp
from olc.probability import numbered

__all__ = ["Exp3", "shares", "Exp3IX", "Exp3P", "moments", "BanditTrace", "play_bandit",
           "coin_losses", "turning_losses", "hidden_arm", "best_eta", "regret_bound",
           "high_probability_bound", "lower_bound", "proof", "Banditron",
           "play_banditron", "banditron_bound"]  # fmt: skip

Seeds = int | Iterable[int]
Losses = ArrayLike | Callable[[Vector], ArrayLike]  #: a table, or an adversary

# --------------------------------------------------------------------- learners


class Exp3(Parametrised):
    r"""Draw an arm by weight; divide its loss by the chance with which it was drawn.

    The estimate is right on average, whatever the chances are, and the weights are
    those of Hedge with it: :math:`w_i \leftarrow w_i e^{-\eta\hat\ell_i}`. Algorithm
    {prf:ref}`alg-exp3`.

    The state holds the logarithms of the weights, one for each arm. The arms are the
    first axis of every array; with a second one, many runs are played side by side.
    From outside, `draw` and `learn` check what they are given.

    >>> learner = Exp3(4, eta=0.5)
    >>> learner.learn(2, loss=1)  # it was drawn with chance ¼: the estimate is 4
    >>> learner.chances.round(3).tolist()
    [0.319, 0.319, 0.043, 0.319]
    """

    arms: int = parameter(whole(2), kw_only=False)
    eta: float = parameter(above(0))

    def start(self) -> Any:
        """Return the logarithms of the weights before the first round."""
        return np.zeros(self.arms)

    def link(self, state: Vector) -> Any:
        """Return the chance of every arm, its share of the weight."""
        return softmax(state)

    def draw(self, coin: float) -> int:
        """Return the arm on which a coin, uniform between 0 and 1, falls."""
        return int(arm_under(self.chances, check.chance(coin, "coin")))

    def estimate(self, loss: Any, drawn: Any, chances: Any) -> Any:
        """Return estimates of all losses: unbiased, 0 for the arms not drawn."""
        return drawn * loss / chances

    def step(self, state: Vector, estimate: Vector) -> Vector:
        """Return the logarithms of the weights after a round."""
        return state - self.eta * estimate

    def learn(self, arm: int, loss: float) -> None:
        """Learn from the loss of the arm that was drawn; the others stay unknown."""
        if check.count(arm, "arm", least=0) >= self.arms:
            raise ValueError(f"arm is {arm}: give one from 0 to {self.arms - 1}")
        drawn, loss = np.arange(self.arms) == arm, check.chance(loss, "loss")
        self.state = self.step(self.state, self.estimate(loss, drawn, self.chances))

    @property
    def chances(self) -> Vector:
        """The chance of every arm to be drawn next."""
        return rounded(self.link(self.state))

    @classmethod
    def tuned(cls, arms: int, rounds: int) -> Self:
        """Return the learner with the rate of its theorem for so many rounds.

        That is η = √(2 ln K/(KT)), where the bound of Exp3 is smallest; Exp3-IX takes
        it over, with γ = η/2, as Neu (2015) does.

        >>> Exp3IX.tuned(5, rounds=10_000)
        Exp3IX(arms=5, eta=0.008023560088723958, gamma=0.004011780044361979)
        """
        return cls(arms, eta=best_eta(arms, rounds))


def rounded(chances: Vector) -> Any:
    """Return chances to 24 binary digits, never 0, with the sum 1.

    The powers of numpy differ in the last digits from one processor to the next, and a
    long game magnifies the difference until another arm is drawn. A weight too small
    for a float must not lead to a division by 0.
    """
    return shares(numerics.rounded(np.maximum(chances, 1e-300), 24))


def arm_under(chances: Vector, coin: Any) -> Any:
    """Return the arm on which a coin falls if the chances are laid end to end.

    Running sums go from the first arm to the last, alone as among many runs; how numpy
    takes a single sum depends on the shape.

    >>> [int(arm_under(np.array([0.2, 0.5, 0.3]), coin)) for coin in (0.1, 0.6, 0.7)]
    [0, 1, 2]
    """
    up_to = chances.cumsum(axis=0)
    return (coin * up_to[-1] >= up_to[:-1]).sum(axis=0)


class Exp3IX(Exp3):
    r"""Exp3 whose estimate is a little too small: γ is added to the chance.

    No estimate exceeds 1/γ, so that none can upset the weights for long, and there is
    no *explicit* exploration: the chances are shares of the weight. By default γ is
    η/2. Algorithm {prf:ref}`alg-exp3-ix`.

    >>> learner = Exp3IX(4, eta=0.5)
    >>> learner.learn(2, loss=1)  # the estimate is 1/(¼ + ¼)
    >>> learner.chances.round(3).tolist()
    [0.297, 0.297, 0.109, 0.297]
    """

    gamma: float = parameter(
        at_least(0), default=None, derived=lambda self: self.eta / 2
    )

    def estimate(self, loss: Any, drawn: Any, chances: Any) -> Any:
        """Return estimates of all losses: too small on average, at most 1/γ."""
        return drawn * loss / (chances + self.gamma)


class Exp3P(Exp3):
    r"""Exp3 on gains, 1 - loss, with a share γ of draws at random and a bonus β.

    The bonus lifts the estimate of an arm that is seldom drawn above its gain. By
    default γ is 21/19 Kη, but at most ½, and β is 20/19 η, but at most 1: the tuning of
    Bubeck and Cesa-Bianchi (2012) if η = 0.95 √(ln K/(KT)). With ``beta=0`` and
    ``eta=gamma / arms`` it is the first Exp3, that of Auer et al. (2002). Algorithm
    {prf:ref}`alg-exp3-p`.

    >>> learner = Exp3P(4, eta=0.05, gamma=0.4, beta=0.1)
    >>> learner.learn(2, loss=1)  # the bonus is the same for all: nothing changes
    >>> learner.learn(1, loss=0)
    >>> learner.chances.round(3).tolist()
    [0.242, 0.274, 0.242, 0.242]
    """

    gamma: float = parameter(
        above(0, 1),
        default=None,
        derived=lambda self: min(0.5, 21 / 19 * self.arms * self.eta),
    )
    beta: float = parameter(
        chance, default=None, derived=lambda self: min(1, 20 / 19 * self.eta)
    )

    def link(self, state: Vector) -> Any:
        """Return the chance of every arm: by weight, or at random with chance γ."""
        return (1 - self.gamma) * softmax(state) + self.gamma / self.arms

    def estimate(self, loss: Any, drawn: Any, chances: Any) -> Any:
        """Return estimates of all gains: too large on average."""
        return (drawn * (1 - loss) + self.beta) / chances

    def step(self, state: Vector, estimate: Vector) -> Vector:
        """Return the logarithms of the weights after a round."""
        return state + self.eta * estimate

    @classmethod
    def tuned(cls, arms: int, rounds: int) -> Self:
        """Return the learner with the constants of Bubeck and Cesa-Bianchi.

        >>> learner = Exp3P.tuned(5, rounds=10_000)
        >>> round(learner.eta, 5), round(learner.gamma, 4), round(learner.beta, 5)
        (0.00539, 0.0298, 0.00567)
        """
        return cls(arms, eta=0.95 / math.sqrt(2) * best_eta(arms, rounds))


@assuming(loss=chance, chance=above(0, 1))
def moments(learner: Exp3, loss: float, chance: float) -> tuple[float, float]:
    """Return the mean and the standard deviation of the estimate for one arm.

    The arm has this loss and is drawn with this chance. Exp3.P estimates the gain.

    >>> [round(value, 2) for value in moments(Exp3(2, eta=0.1), 1, chance=0.01)]
    [1.0, 9.95]
    >>> [round(value, 2) for value in moments(Exp3IX(2, eta=0.1), 1, chance=0.01)]
    [0.17, 1.66]
    """
    estimate = learner.estimate
    seen, unseen = (float(estimate(loss, drawn, chance)) for drawn in (True, False))
    mean = chance * seen + (1 - chance) * unseen
    return mean, math.sqrt(chance * (1 - chance)) * abs(seen - unseen)


# --------------------------------------------------------------------- the game


@dataclass(frozen=True, eq=False)
class BanditTrace:
    """The record of a game: which arms were drawn in every run, and their losses.

    `arms` and `losses` have a row for every run and a column for every round. `table`
    has the losses of all arms, which nobody saw: rounds × arms × runs. `before`
    is the learner, as every run began with it.
    """

    arms: NDArray[np.int32]
    losses: Vector
    table: NDArray[Any]
    before: Exp3

    def __len__(self) -> int:
        return self.arms.shape[1]

    def __repr__(self) -> str:
        return f"BanditTrace({plural(len(self.arms), 'run')} of {len(self)} rounds)"

    @property
    def totals(self) -> Vector:
        """The total loss of every arm, arms × runs."""
        return np.asarray(self.table.sum(axis=0, dtype=float))

    @property
    def regret(self) -> Vector:
        """Of every run, its loss less that of the arm that was best in hindsight."""
        return np.asarray(self.losses.sum(axis=1) - self.totals.min(axis=0))

    def pseudo_regret(self, means: ArrayLike) -> Vector:
        """Return, of every run, how much its arms lose on average beyond the best.

        `means` are the expected losses of the arms, or arms × runs.
        """
        runs = len(self.arms)
        mean = _losses(means, "means", self.before.arms, runs)
        chosen = mean[self.arms, np.arange(runs)[:, None]]
        return np.sum(chosen - mean.min(axis=0)[:, None], axis=1, dtype=float)


def play_bandit(
    learner: Exp3, losses: Losses, *, seeds: Seeds = 1, rounds: int | None = None
) -> BanditTrace:
    """Play many runs side by side, one for every seed, which owns a run's coins.

    `losses` has a row for every round and a column for every arm; with a third axis
    every run has its own. They lie between 0 and 1. An adversary that adapts is a
    function: it sees the chances of all arms (arms × runs) before each of the
    `rounds`, and returns their losses. With ``seeds=400`` the seeds are 0 to 399.
    Every run begins with the learner as it is, which does not change, and goes as if
    it were played alone, by `draw` and `learn`.

    >>> losses = coin_losses([0.4, 0.5, 0.5], rounds=1000, seeds=20)
    >>> trace = play_bandit(Exp3.tuned(3, 1000), losses, seeds=20)
    >>> trace, float(trace.regret.mean())
    (BanditTrace(20 runs of 1000 rounds), 43.55)
    """
    if not isinstance(learner, Exp3):
        raise TypeError(f"learner is {learner!r}: give a bandit, Exp3(arms, eta=0.1)")
    width, named = learner.arms, check.seeds(seeds)
    runs = len(named)
    if callable(losses) != (rounds is not None):
        raise TypeError("give rounds=… for an adversary, and leave it out for a table")
    if callable(losses):
        table = np.empty((check.count(rounds, "rounds"), width, runs))
    else:
        table = _losses(losses, "losses", width, runs, rounds=1)
    arms = np.empty((len(table), runs), np.int32)
    suffered = np.empty((len(table), runs))
    state = np.repeat(learner.state[:, None], runs, axis=1)
    each, every = np.arange(width)[:, None], np.arange(runs)
    # each run has a generator of its own
    coins = [np.random.default_rng(seed).random(len(table)) for seed in named]
    for t, coin in enumerate(np.transpose(coins)):
        chances = rounded(learner.link(state))
        if callable(losses):
            table[t] = _losses(losses(chances.copy()), f"losses[{t}]", width, runs)
        arms[t] = arm = arm_under(chances, coin)
        suffered[t] = table[t, arm, every]
        estimate = learner.estimate(suffered[t], each == arm, chances)
        state = learner.step(state, estimate)
    return BanditTrace(arms.T, suffered.T, table, copy.deepcopy(learner))


def _losses(values: Any, name: str, arms: int, runs: int, rounds: int = 0) -> Any:
    """Return a copy of losses, (rounds ×) arms (× runs), for every run."""
    table = np.array(check.numeric(values, name))
    if table.shape[rounds:] not in ((arms,), (arms, runs)):
        each = f"{'rounds × ' * rounds}{arms} × {runs} with those of every run"
        wanted = f"give {arms} losses{' per round' * rounds}, or {each}"
        raise ValueError(f"{name} has shape {table.shape}: {wanted}")
    for at in np.argwhere(~((table >= 0) & (table <= 1))):
        remedy = "a loss lies between 0 and 1; subtract the least, divide by the range"
        raise ValueError(f"{name}{at.tolist()} = {table[tuple(at)]}: {remedy}")
    table = table if table.ndim > rounds + 1 else table[..., None]
    return np.broadcast_to(table, (*table.shape[:-1], runs))


# ----------------------------------------------------------------- environments


@assuming(rounds=whole())
def coin_losses(means: ArrayLike, rounds: int, seeds: Seeds = 1) -> NDArray[np.uint8]:
    """Return independent losses 0 and 1 with these means: rounds × arms × runs.

    `means` has a number for every arm, or arms × runs.

    >>> coin_losses([0.1, 0.9], rounds=4, seeds=1)[:, :, 0].tolist()
    [[0, 1], [0, 0], [1, 1], [0, 1]]
    """
    named = check.seeds(seeds)
    mean = _losses(means, "means", len(np.atleast_1d(means)), len(named))
    losses = np.empty((rounds, len(mean), len(named)), np.uint8)
    for run, seed in enumerate(named):
        # a generator of its own: the learner of this seed must not know these coins
        random = np.random.default_rng([seed, 1])
        losses[:, :, run] = random.random((rounds, len(mean))) < mean[:, run]
    return losses


@assuming(rounds=whole(), turn=whole(0))
def turning_losses(rounds: int, turn: int) -> NDArray[np.uint8]:
    """Return the losses (0, 1) of two arms, and (1, 0) from round `turn` on.

    >>> turning_losses(4, turn=1).tolist()
    [[0, 1], [1, 0], [1, 0], [1, 0]]
    """
    later = (np.arange(rounds) >= turn).astype(np.uint8)
    return np.column_stack([later, 1 - later])


@assuming(arms=whole(2), rounds=whole())
def hidden_arm(arms: int, rounds: int, seeds: Seeds = 1) -> Vector:
    """Return the means of the lower bound: ½, and a little less for one random arm.

    It is less by ε = ¼ min(√(K/T), 1), too little to be found in T rounds. The array
    is arms × runs; `coin_losses` makes losses of it.

    >>> hidden_arm(4, rounds=100).tolist()
    [[0.5], [0.5], [0.5], [0.45]]
    """
    named = check.seeds(seeds)
    means = np.full((arms, len(named)), 0.5)
    for run, seed in enumerate(named):
        arm = np.random.default_rng([seed, 2]).integers(arms)
        means[arm, run] -= 0.25 * min(math.sqrt(arms / rounds), 1)
    return means


# ------------------------------------------------------------------- the bounds


@assuming(arms=whole(2), rounds=whole())
def best_eta(arms: int, rounds: int) -> float:
    """Return √(2 ln K/(KT)), which makes the two terms of Exp3's bound equal.

    >>> round(best_eta(5, 10_000), 5)
    0.00802
    """
    return math.sqrt(2 * math.log(arms) / (arms * rounds))


@assuming(rounds=whole())
def regret_bound(learner: Any, rounds: int) -> float:
    r"""Bound the expected regret after T rounds.

    Theorem {prf:ref}`thm-exp3`, with γ = 0 for Exp3:

    .. math:: \bar R_T \le \frac{\ln K}{\eta} + \Big(\frac\eta2 + \gamma\Big) K T

    That of Exp3.P follows from its bound with high probability. If the losses are
    fixed beforehand the expected regret is meant, and the pseudo-regret if an
    adversary adapts to the arms drawn.

    >>> round(regret_bound(Exp3.tuned(5, 10_000), 10_000), 1)
    401.2
    >>> round(regret_bound(Exp3IX.tuned(5, 10_000), 10_000), 1)
    601.8
    >>> round(regret_bound(Exp3P.tuned(5, 10_000), 10_000), 1)
    1611.1
    """
    kind, eta, size = _kind(learner), learner.eta, learner.arms
    if kind is Exp3P:
        # Beyond the bound for δ = 1 are ln(1/δ)/β with probability δ at most, which is
        # 1/β on average.
        return high_probability_bound(learner, rounds, 1) + 1 / learner.beta
    gamma = learner.gamma if kind is Exp3IX else 0.0
    return math.log(size) / eta + (eta / 2 + gamma) * size * rounds


@assuming(rounds=whole(), delta=chance)
def high_probability_bound(learner: Any, rounds: int, delta: float) -> float:
    r"""Bound the regret after T rounds, for all runs but a share δ.

    Theorem {prf:ref}`thm-exp3-ix` for Exp3-IX, and {prf:ref}`thm-exp3-p` for Exp3.P.
    They hold against an adversary that adapts, too. Exp3 has no such bound.

    >>> round(high_probability_bound(Exp3IX.tuned(5, 10_000), 10_000, 0.05), 1)
    1203.2
    >>> round(high_probability_bound(Exp3P.tuned(5, 10_000), 10_000, 0.05), 1)
    1962.9
    """
    if delta == 0:
        raise ValueError("delta must be above 0: no bound holds in all runs")
    kind, size, eta = _kind(learner), learner.arms, learner.eta
    if kind is Exp3 or not learner.gamma:
        raise TypeError(f"{learner} has no such bound: use Exp3P, or Exp3IX with γ > 0")
    gamma, start = learner.gamma, math.log(size) / eta
    if kind is Exp3IX:
        luck = math.log((size + 1) / delta) / (2 * gamma)
        return start + luck + (eta / 2 + gamma) * (size * rounds + luck)
    beta = learner.beta
    if not (1 + beta) * size * eta <= gamma <= 0.5 or not beta:
        needs = "(1 + beta) * arms * eta ≤ gamma ≤ 1/2 and 0 < beta ≤ 1"
        raise ValueError(f"no bound is known for {learner}: it needs {needs}")
    certain = (beta * size + gamma + (1 + beta) * eta * size) * rounds
    return certain + start + math.log(size / delta) / beta


def _kind(learner: Any) -> type[Exp3]:
    """Return Exp3, Exp3IX or Exp3P; refuse a learner that has not the hooks of one."""
    kinds = (Exp3, Exp3IX, Exp3P)
    ledger.must_play_as(learner, *kinds)
    return next(kind for kind in kinds if kind.estimate is type(learner).estimate)


@assuming(arms=whole(2), rounds=whole())
def lower_bound(arms: int, rounds: int) -> float:
    """Return what any learner may have to regret on average: min(√(KT), T)/20.

    Auer et al. (2002), Theorem 5.1; `hidden_arm` makes the losses.

    >>> round(lower_bound(5, 10_000), 2)
    11.18
    """
    return min(math.sqrt(arms * rounds), rounds) / 20


# -------------------------------------------------------------------- the proof


@ledger.tabulate("arm", "loss", "chance", "estimate", "drift", "spread", index="round")
def proof(trace: BanditTrace, run: int = 0) -> Iterator[ledger.Row]:
    r"""Return the ledger of one run: one row per round.

    The potential is the logarithm of the total weight, which starts at ln K. It is at
    least the logarithm of one weight, that of the arm that is best in hindsight. A
    round that adds :math:`z_i` to the logarithms, with shares :math:`q_i` of the
    weight, raises it by at most :math:`\sum_i q_iz_i` (the column `drift`) plus
    :math:`c\sum_i q_iz_i^2` (the column `spread`), with c = ½ if no z is above 0, as
    for Exp3 and Exp3-IX, and c = 1 if they are at most 1, as for Exp3.P.
    """
    if not isinstance(trace, BanditTrace):
        raise TypeError(f"trace must be what play_bandit returns, not {trace!r}")
    runs = len(trace.arms)
    if check.count(run, "run", least=-runs) >= runs:
        raise ValueError(f"run is {run}: give one from 0 to {runs - 1}")
    _kind(trace.before)
    learner = copy.deepcopy(trace.before)
    best = trace.totals[:, run].argmin()
    upper = log_sum_exp(learner.state)
    for arm, loss in zip(trace.arms[run], trace.losses[run], strict=True):
        chances, weight = learner.chances, rounded(softmax(learner.state))
        estimate = learner.estimate(loss, np.arange(learner.arms) == arm, chances)
        moves = learner.step(np.zeros(learner.arms), estimate)
        drift, square = float(weight @ moves), float(weight * moves @ moves)
        spread = square if np.any(moves > 0) else square / 2
        learner.state = learner.step(learner.state, estimate)
        upper += drift + spread
        potential = log_sum_exp(learner.state)
        bounds = learner.state[best], potential, upper
        yield int(arm), loss, chances[arm], estimate[arm], drift, spread, *bounds


# ---------------------------------------------------------------- the Banditron


class Banditron(Parametrised):
    r"""Classify into K classes, and learn from hearing no more than right or wrong.

    The class with the highest score is said with chance 1 - γ, and otherwise one at
    random, as in Exp3.P. The right label is estimated as Exp3 estimates
    a loss, and the Perceptron's step is made with the estimate. Algorithm
    {prf:ref}`alg-banditron`.

    The state holds a row of weights for each class; with a further axis in front, many
    runs are played side by side.

    >>> learner = Banditron(2, classes=4, gamma=0.4)
    >>> learner.learn([1, 2], said=3, right=True)  # it had the chance 0.1
    >>> learner.state.tolist()
    [[-1.0, -2.0], [0.0, 0.0], [0.0, 0.0], [10.0, 20.0]]
    """

    n: int = parameter(whole(1), kw_only=False)
    classes: int = parameter(whole(2))
    gamma: float = parameter(above(0, 1))

    def start(self) -> Any:
        """Return the weights before the first round."""
        return np.zeros((self.classes, self.n))

    def best(self, state: Vector, x: Vector) -> Any:
        """Return the unit vector of the class with the highest score, the first one."""
        return np.eye(self.classes)[(state @ x).argmax(axis=-1)]

    def link(self, state: Vector, x: Vector) -> Any:
        """Return the chance of every class to be said."""
        best = self.best(state, x)
        return (1 - self.gamma) * best + self.gamma / self.classes

    def step(self, state: Vector, x: Vector, said: Any, right: Any) -> Any:
        """Return the weights after a round."""
        drawn = np.eye(self.classes)[said]
        estimate = drawn * right / self.link(state, x)
        return state + (estimate - self.best(state, x))[..., None] * x

    def learn(self, x: ArrayLike, said: int, right: bool) -> None:
        """Learn from one round: what was said of x, and whether it was right."""
        row = check.example(x, self.n)
        if check.count(said, "said", least=0) >= self.classes:
            raise ValueError(f"said is {said}: give one from 0 to {self.classes - 1}")
        self.state = self.step(self.state, row, said, bool(right))


def play_banditron(
    learner: Banditron, X: Any, y: ArrayLike, *, seeds: Seeds = 1
) -> NDArray[np.intp]:
    """Return what the Banditron says of every example, a row for every seed.

    Classes are numbered from 0. Every run begins with the learner as it is, which does
    not change; a seed owns the coins of its run.

    >>> learner = Banditron(1, classes=2, gamma=0.5)
    >>> play_banditron(learner, [[1.0], [1.0], [1.0]], [1, 1, 1], seeds=2).tolist()
    [[0, 1, 0], [0, 1, 0]]
    """
    if not isinstance(learner, Banditron):
        raise TypeError(f"learner is {learner!r}: give a Banditron")
    rows = check.as_floats(check.as_rows(X, learner.n))
    check.features(rows, "real")
    labels, named = numbered(rows, y, learner.classes), check.seeds(seeds)
    coins = [np.random.default_rng(seed).random(len(rows)) for seed in named]
    state = np.repeat(learner.state[None], len(named), axis=0)
    said = np.empty((len(rows), len(named)), np.intp)
    rounds = zip(rows, labels, np.transpose(coins), strict=True)
    for t, (x, label, coin) in enumerate(rounds):
        said[t] = arm_under(learner.link(state, x).T, coin)
        state = learner.step(state, x, said[t], (said[t] == label)[:, None])
    return said.T


@assuming(size=at_least(0), classes=whole(2), rounds=whole(0), gamma=above(0, 1))
def banditron_bound(size: float, *, classes: int, rounds: int, gamma: float) -> float:
    r"""Bound the expected mistakes of the Banditron on separable examples.

    Theorem {prf:ref}`thm-banditron`: if :math:`\|x_t\| \le R` and the rows of U have
    :math:`\langle U_y - U_r, x\rangle \ge 1` for every wrong class r, then with S =
    R²‖U‖², the argument `size`, and γ ≤ ½

    .. math:: \mathbb{E}[M] \le \Bigl(1 - \frac1K\Bigr)\gamma T
              + S\Bigl(\frac K\gamma + 1\Bigr) + \sqrt{2S\gamma T} .

    >>> round(banditron_bound(200 / 9, classes=3, rounds=10_000, gamma=0.1))
    1566
    """
    if gamma > 0.5:
        raise ValueError(f"gamma is {gamma}: the theorem needs at most 1/2")
    random = (1 - 1 / classes) * gamma * rounds
    wrong = size * (classes / gamma + 1)
    return random + wrong + math.sqrt(2 * size * gamma * rounds)
