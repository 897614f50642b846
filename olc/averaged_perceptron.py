"""From mistakes to generalisation: the averaged, voted and longest-lived Perceptron.

Chapter `averaged_perceptron`. All of them play the Perceptron's game; they differ in
the classifier that they hand out at the end (``predict(X, final=True)``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from olc.core import ledger
from olc.core.check import Vector, above, assuming, at_least, flag, whole
from olc.core.game import Trace, as_trace
from olc.core.learner import has, hints, parameter
from olc.core.numerics import bisected
from olc.geometry import unit
from olc.perceptron import Perceptron
from olc.perceptron import mistake_bound as mistake_bound

__all__ = ["AveragedPerceptron", "AveragedMarginPerceptron", "VotedPerceptron",
           "expected_error", "voted_error", "likely_error", "averaged_loss",
           "averaged_error", "few_mistakes_error", "sum_of_errors", "stretch",
           "examples_needed", "conversion_sizes", "proof"]  # fmt: skip

#: What an argument of this name may be, in all of the theorems.
_assuming = assuming(
    mistakes=at_least(0), rounds=whole(), radius=above(0), margin=above(0),
    rate=above(0), thickness=above(0), loss=at_least(0), tilt=above(0),
    epsilon=above(0, 1), delta=above(0, 1),
)  # fmt: skip


@hints(additive=True, averaged=True, coordinatewise=True)
class AveragedPerceptron(Perceptron):
    r"""Play as the Perceptron; classify with the average of its weights.

    .. math:: \bar w = \frac1T\sum_{t=1}^T w_t = w_{T+1} - \frac1T\sum_s s\,y_s x_s

    The last sum runs over the mistakes s only, so the average costs nothing in the
    other rounds. Play again for another epoch: the mean is over all rounds so far.
    Algorithm {prf:ref}`alg-averaged-perceptron`.

    >>> from olc import play
    >>> learner = AveragedPerceptron(1)
    >>> trace = play(learner, [[1.0], [1.0], [-4.0]], [1, 1, 1])
    >>> learner.weights, learner.average  # w = 0, 1, 1 in the three rounds
    (array([-3.]), array([0.66666667]))
    """

    def start(self) -> Any:
        """Return the weights before the first round; no update yet."""
        self.weighted_updates = np.zeros(self.n)
        return super().start()

    def update(self, x: Any, y: Any) -> None:
        """Learn as the Perceptron does, and weigh the update by its round."""
        super().update(x, y)
        self.weighted_updates += (self.rounds + 1) * self.rate * y * x

    @property
    def average(self) -> Vector:
        """The mean of the weight vectors that were used for prediction."""
        return self.weights - self.weighted_updates / max(self.rounds, 1)

    def final_score(self, x: Vector) -> Any:
        """Return the score of the average."""
        return x @ self.average

    @property
    def final_weights(self) -> Vector | None:
        """The average, of which `final_score` is the product with x."""
        return self.average if has(self, AveragedPerceptron, "final_score") else None


@hints(margin_rule=True)
class AveragedMarginPerceptron(AveragedPerceptron):
    r"""Play as the margin Perceptron; classify with the average of its weights.

    With the `thickness` τ = R²/2 its expected error after T rounds is at most
    :math:`R^2/(\gamma^2T)`, {prf:ref}`thm-averaged-margin`; the average of the plain
    Perceptron has no such bound. Algorithm {prf:ref}`alg-averaged-margin-perceptron`.

    >>> from olc import play
    >>> learner = AveragedMarginPerceptron(1, thickness=1)
    >>> trace = play(learner, [[1.0]] * 4, [1] * 4)
    >>> learner.weights, learner.average  # w = 0, 1, 2, 2 in the four rounds
    (array([2.]), array([1.25]))
    """

    thickness: float = parameter(at_least(0))

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether the signed score is at most τ, as the margin Perceptron."""
        return y * score <= self.thickness


class VotedPerceptron(Perceptron):
    r"""Play as the Perceptron; let every hypothesis vote for as long as it lived.

    .. math:: \hat y = \operatorname{sign}\sum_k c_k \operatorname{sign}
              \langle v_k, x\rangle

    where :math:`c_k` counts the rounds in which :math:`v_k` predicted. Freund and
    Schapire count after the round, so that a hypothesis born in it has survived it:
    ``after=True``. It keeps all the :math:`v_k`, in `hypotheses`. Algorithm
    {prf:ref}`alg-voted-perceptron`.

    >>> from olc import play
    >>> learner = VotedPerceptron(1)
    >>> trace = play(learner, [[1.0], [1.0], [-4.0]], [1, 1, 1])
    >>> np.ravel(learner.hypotheses), learner.lifetimes, learner.longest_survivor
    (array([ 0.,  1., -3.]), array([1., 2., 0.]), array([1.]))
    """

    after: bool = parameter(flag, default=False)

    def start(self) -> Any:
        """Return the weights before the first round: the first hypothesis."""
        state = super().start()
        self.hypotheses, self.births = np.array([state]), np.zeros(1)
        return state

    def update(self, x: Any, y: Any) -> None:
        """Learn as the Perceptron does, and keep the new hypothesis."""
        super().update(x, y)
        self.hypotheses = np.vstack([self.hypotheses, self.weights])
        self.births = np.append(self.births, self.rounds + 1)

    @property
    def lifetimes(self) -> Vector:
        """How many rounds each hypothesis predicted (or survived, with `after`)."""
        lived = np.diff(self.births, append=self.rounds)
        if self.after:
            # the round of a mistake counts for the next hypothesis
            lived[0] -= 1
            lived[-1] += 1
        return lived

    @property
    def longest_survivor(self) -> Vector:
        """The hypothesis that predicted for the most rounds."""
        return self.hypotheses[int(self.lifetimes.argmax())].copy()

    def final_score(self, x: Vector) -> Any:
        """Return the weighted votes."""
        votes = np.sign(self.hypotheses @ x)
        return votes @ self.lifetimes


@_assuming
def expected_error(mistakes: float, rounds: int) -> float:
    """Return the expected error of a hypothesis drawn at random from the game: M/T.

    Theorem {prf:ref}`thm-random-index`, for examples drawn independently from one
    distribution; `mistakes` is the expected number (or a bound on it).

    >>> expected_error(20, 1000)
    0.02
    """
    return mistakes / rounds


@_assuming
def voted_error(mistakes: float, rounds: int) -> float:
    r"""Bound the expected error of the voted Perceptron after T rounds: 2M/(T + 1).

    Theorem {prf:ref}`thm-voted-perceptron`, for examples drawn independently from one
    distribution; `mistakes` is the expected number (or a bound on it). The vote of the
    T - 1 hypotheses after the first, which is 0 and always errs, is wrong only where
    half of them are, so its error is at most :math:`2(M-1)/(T-1)`. That is no more than
    2M/(T + 1), unless the latter is above 1 and says nothing.

    >>> voted_error(20, 999)
    0.04
    """
    return 2 * mistakes / (rounds + 1)


@_assuming
def likely_error(mistakes: float, rounds: int, delta: float) -> float:
    r"""Bound the mean error of the hypotheses of a game, with probability 1 - δ.

    Theorem {prf:ref}`thm-likely-error`, for examples drawn independently from one
    distribution, and for the mistakes that were made: the errors of the T hypotheses
    less the mistakes are a martingale whose steps have range 1, so by Azuma and
    Hoeffding their mean is at most :math:`M/T + \sqrt{\ln(1/\delta)/2T}`. A vote of all
    of them errs at most twice as often.

    >>> round(likely_error(20, 1000, delta=0.05), 4)
    0.0587
    """
    return mistakes / rounds + math.sqrt(-math.log(delta) / (2 * rounds))


@_assuming
def averaged_loss(
    mistakes: float, rounds: int, radius: float, rate: float = 1.0
) -> float:
    r"""Bound the expected loss max(0, -y⟨w̄, x⟩) of the averaged Perceptron.

    Theorem {prf:ref}`thm-averaged-loss`, for examples drawn independently from one
    distribution and weights that start at 0. A mistake adds
    :math:`r^2\|x\|^2 - 2r\,|\langle w, x\rangle|` to :math:`\|w\|^2 \ge 0`, so the
    losses of a game sum to at most rMR²/2. The expected loss of the hypotheses is their
    mean, and the loss is convex: the average has, by Jensen, at most rMR²/(2T).

    >>> averaged_loss(20, 1000, radius=1)
    0.01
    """
    return rate * mistakes * radius**2 / (2 * rounds)


@_assuming
def averaged_error(
    radius: float,
    margin: float,
    rounds: int,
    thickness: float | None = None,
    loss: float = 0.0,
) -> float:
    r"""Bound the expected error of the averaged margin Perceptron after T rounds.

    Theorem {prf:ref}`thm-averaged-margin`, for examples drawn independently from one
    distribution and any unit vector u: `loss` is its expected hinge loss in parts of
    the margin, :math:`h = \mathbb{E}\max(0, 1 - y\langle u, x\rangle/\gamma)`. With
    τ = βR²/2,

    .. math:: \mathbb{E}[\operatorname{err}(\bar w)] \le \Bigl(1 + \frac1\beta\Bigr)h
              + \frac{(1+\beta)^2}{4\beta}\cdot\frac{R^2}{\gamma^2T} .

    The thickness is R²/2 unless another one is given; then β = 1.

    >>> averaged_error(radius=1, margin=0.1, rounds=1000)
    0.1
    >>> averaged_error(radius=1, margin=0.1, rounds=1000, thickness=2, loss=0.01)
    0.16875
    """
    beta = 1.0 if thickness is None else 2 * thickness / radius**2
    separable = (1 + beta) * (radius / margin) ** 2 / (4 * rounds)
    return (1 + 1 / beta) * (loss + separable)


@_assuming
def few_mistakes_error(
    mistakes: float, rounds: int, delta: float, tilt: float = 0.5
) -> float:
    r"""Bound the mean error of the hypotheses, with probability 1 - δ, M being small.

    Theorem {prf:ref}`thm-few-mistakes`, for examples drawn independently from one
    distribution and the mistakes that were made: :math:`(\lambda M + \ln(1/\delta))/
    (T(1 - e^{-\lambda}))`. The `tilt` λ must be chosen before the game.

    >>> round(few_mistakes_error(20, 1000, delta=0.05), 4)
    0.033
    """
    return (tilt * mistakes - math.log(delta)) / (-math.expm1(-tilt) * rounds)


@_assuming
def sum_of_errors(mistakes: float, delta: float) -> float:
    r"""Bound the sum of the errors of all hypotheses, with probability 1 - δ.

    Theorem {prf:ref}`thm-few-mistakes` with the best λ, for a learner that makes at
    most M mistakes on any sequence: the S ≥ M at which :math:`S - M - M\ln(S/M)` is
    ln(1/δ). T = S/ε rounds make the mean error at most ε, and twice as many the vote's.

    >>> round(sum_of_errors(10, delta=0.05), 2)
    19.85
    """
    excess = -math.log(delta)
    high = mistakes + excess + math.sqrt(excess**2 + 2 * excess * mistakes)

    def short(total: float) -> bool:
        lack = mistakes * math.log(total / mistakes) if mistakes > 0 else 0.0
        return total - mistakes - lack < excess

    return bisected(short, mistakes, high)[1]


@_assuming
def stretch(mistakes: float, epsilon: float, delta: float) -> int:
    r"""Return how many right answers in a row make a hypothesis trustworthy.

    Theorem {prf:ref}`thm-longest-survivor`: a hypothesis of a mistake-driven learner
    with at most M mistakes that survives :math:`\lceil\ln((M+1)/\delta)/\epsilon
    \rceil` examples has error at most ε, with probability at least 1 - δ.

    >>> stretch(10, epsilon=0.1, delta=0.05)
    54
    """
    return math.ceil(math.log((mistakes + 1) / delta) / epsilon)


def examples_needed(mistakes: float, epsilon: float, delta: float) -> int:
    """Return after how many examples such a stretch must have happened: (M + 1)s.

    >>> examples_needed(10, epsilon=0.1, delta=0.05)
    594
    """
    return stretch(mistakes, epsilon, delta) * math.floor(mistakes + 1)


@_assuming
def conversion_sizes(mistakes: float, epsilon: float, delta: float) -> tuple[int, int]:
    r"""Return how many examples to play on, and on how many to choose a hypothesis.

    Theorem {prf:ref}`thm-littlestone-conversion`, Littlestone's conversion: play on
    :math:`\lceil\max(4M, 16\ln(2/\delta))/\epsilon\rceil` examples and take, of the at
    most M + 1 hypotheses, the one that errs least on
    :math:`\lceil 32\ln(2(M+1)/\delta)/\epsilon\rceil` fresh ones. Its error is at most
    ε with probability at least 1 - δ. Were all hypotheses worse than ε/2, more than M
    mistakes would be near certain; and fresh examples tell ε/2 from ε, by Chernoff.

    >>> conversion_sizes(10, epsilon=0.1, delta=0.05)
    (591, 1948)
    """
    play = max(4 * mistakes, 16 * math.log(2 / delta)) / epsilon
    choose = 32 * math.log(2 * (mistakes + 1) / delta) / epsilon
    return math.ceil(play), math.ceil(choose)


def proof(trace: Trace, target: Vector | None = None) -> Any:
    """Return the ledger of the learner that played.

    - Averaged and voted Perceptron: ‖w̄‖ between its envelopes, one row per mistake.
    - Averaged margin Perceptron: ‖w‖², less by the losses, one row per update.
    """
    if isinstance(as_trace(trace).before, AveragedMarginPerceptron):
        return _losses(trace, target)
    return _average(trace, target)


@ledger.tabulate("loss", "losses", index="update")
def _losses(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of {prf:ref}`thm-averaged-margin`: one row per update.

    The potential is :math:`\|w\|^2`. Each update adds at most 2rτ + r²R² - 2rℓ, ℓ being
    the `loss` τ - y⟨w, x⟩, and takes ⟨u, w⟩ on by rγ less the hinge loss of u.
    """
    moves, stream, learner = ledger.steps(trace, target, AveragedMarginPerceptron)
    rate, tau, u = learner.rate, learner.thickness, unit(stream.need_target())
    along, start = float(u @ learner.weights), float(learner.weights @ learner.weights)
    growth, total = (rate * stream.radius) ** 2 + 2 * rate * tau, 0.0
    for count, (t, x, y, score, after) in moves:
        along += rate * y * float(u @ x)
        total += (loss := tau - y * score)
        potential = after.weights @ after.weights
        upper = start + count * growth - 2 * rate * total
        yield t, loss, total, max(0.0, along) ** 2, potential, upper


@ledger.tabulate("alignment")
def _average(trace: Trace, target: Vector | None = None) -> Iterator[ledger.Row]:
    r"""Return the ledger of the average: one row per mistake.

    The potential is :math:`\|\bar w\|`, the mean being over the rounds of this game up
    to the mistake. With :math:`M_t` mistakes before round t, and weights that start at
    0, the Perceptron's proof gives :math:`\langle u, w_t\rangle \ge \gamma M_t` and
    :math:`\|w_t\| \le R\sqrt{M_t}`; the means of the two are the lower and the upper
    bound. The column `alignment` is :math:`\langle u, \bar w\rangle`.
    """
    kinds = AveragedPerceptron, VotedPerceptron
    moves, stream, before = ledger.steps(trace, target, *kinds)
    u, weights = unit(stream.need_target()), before.weights
    lesson = before.rate * stream.margin
    growth = (before.rate * stream.radius) ** 2

    hypothesis, total, played = weights, np.zeros(before.n), 0
    aligned = lengths = 0.0
    for count, step in moves:
        alive, played = step.t + 1 - played, step.t + 1
        total += alive * hypothesis
        aligned += alive * (float(u @ weights) + (count - 1) * lesson)
        lengths += alive * math.sqrt(weights @ weights + (count - 1) * growth)
        hypothesis = step.learner.weights
        sums = u @ total, aligned, np.linalg.norm(total), lengths
        yield step.t, *(size / played for size in sums)
