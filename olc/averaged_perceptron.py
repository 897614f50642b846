"""From mistakes to generalisation: the averaged, voted and longest-lived Perceptron.

Chapter `averaged_perceptron`. All of them play the Perceptron's game; they differ in
the classifier that they hand out at the end (`classify`, `output`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from olc import _checks, _ledger, geometry
from olc.game import Stream, Trace, Vector
from olc.perceptron import Perceptron, mistake_bound

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "AveragedPerceptron",
    "VotedPerceptron",
    "examples_needed",
    "expected_error",
    "mistake_bound",
    "proof",
    "stretch",
    "voted_error",
]


class AveragedPerceptron(Perceptron):
    r"""Play as the Perceptron; classify with the average of its weights.

    .. math:: \bar w = \frac1T\sum_{t=1}^T w_t = w_{T+1} - \frac1T\sum_s s\,y_s x_s

    The last sum runs over the mistakes s only, so the average costs nothing in the
    other rounds. Play again for another epoch. Algorithm
    {prf:ref}`alg-averaged-perceptron`.

    >>> from olc import play
    >>> learner = AveragedPerceptron(1)
    >>> trace = play(learner, [[1.0], [1.0], [-4.0]], [1, 1, 1])
    >>> learner.weights, learner.average  # w = 0, 1, 1 in the three rounds
    (array([-3.]), array([0.66666667]))
    """

    def __init__(self, n: int, rate: float = 1.0) -> None:
        super().__init__(n, rate)
        self._late = np.zeros(self.n)

    @property
    def average(self) -> Vector:
        """The mean of the weight vectors that were used for prediction."""
        return self._weights - self._late / max(self.rounds, 1)

    def output(self, X: ArrayLike) -> Any:
        """Return the scores of the average."""
        return _checks.examples(X, self.n, self.features) @ self.average

    def _update(self, x: Vector, y: int) -> None:
        super()._update(x, y)
        self._late = self._late + (self.rounds + 1) * self.rate * y * x


class VotedPerceptron(Perceptron):
    r"""Play as the Perceptron; let every hypothesis vote for as long as it lived.

    .. math:: \hat y = \operatorname{sign}\sum_k c_k \operatorname{sign}
              \langle v_k, x\rangle

    where :math:`c_k` counts the rounds in which :math:`v_k` predicted. It keeps all
    the :math:`v_k`. Algorithm {prf:ref}`alg-voted-perceptron`.
    """

    def __init__(self, n: int, rate: float = 1.0) -> None:
        super().__init__(n, rate)
        self._hypotheses, self._births = [self._weights], [0]

    @property
    def hypotheses(self) -> Vector:
        """The weight vectors that predicted, one a row, in order."""
        return np.array(self._hypotheses)

    @property
    def lifetimes(self) -> Vector:
        """How many rounds each of them predicted."""
        return np.diff([*self._births, self.rounds]).astype(float)

    @property
    def longest_survivor(self) -> Vector:
        """The hypothesis that predicted for the most rounds."""
        return np.asarray(self._hypotheses[int(self.lifetimes.argmax())])

    def output(self, X: ArrayLike) -> Any:
        """Return the weighted votes."""
        X = _checks.examples(X, self.n, self.features)
        return np.sign(X @ self.hypotheses.T) @ self.lifetimes

    def _update(self, x: Vector, y: int) -> None:
        super()._update(x, y)
        self._hypotheses.append(self._weights)
        self._births.append(self.rounds + 1)


def expected_error(mistakes: float, rounds: int) -> float:
    """Return the expected error of a hypothesis drawn at random from the game: M/T.

    Theorem {prf:ref}`thm-random-index`, for examples drawn independently from one
    distribution; `mistakes` is the expected number (or a bound on it).

    >>> expected_error(20, 1000)
    0.02
    """
    return mistakes / _checks.count(rounds, "rounds")


def voted_error(mistakes: float, rounds: int) -> float:
    """Bound the expected error of the voted Perceptron: 2M/(T + 1).

    Theorem {prf:ref}`thm-voted-perceptron`; `mistakes` is the expected number in
    T + 1 rounds.
    """
    return 2 * mistakes / (_checks.count(rounds, "rounds") + 1)


def stretch(mistakes: float, epsilon: float, delta: float) -> int:
    r"""Return how many right answers in a row make a hypothesis trustworthy.

    Theorem {prf:ref}`thm-longest-survivor`: a hypothesis of a mistake-driven learner
    with at most M mistakes that survives :math:`\lceil\ln((M+1)/\delta)/\epsilon
    \rceil` examples has error at most ε, with probability at least 1 - δ.

    >>> stretch(10, epsilon=0.1, delta=0.05)
    54
    """
    epsilon = _checks.number(epsilon, "epsilon", 0, 1)
    delta = _checks.number(delta, "delta", 0, 1)
    most = _checks.at_least(mistakes, "mistakes", 0)
    return math.ceil(math.log((most + 1) / delta) / epsilon)


def examples_needed(mistakes: float, epsilon: float, delta: float) -> int:
    """Return after how many examples such a stretch must have happened: (M + 1)s.

    >>> examples_needed(10, epsilon=0.1, delta=0.05)
    594
    """
    return math.floor(mistakes + 1) * stretch(mistakes, epsilon, delta)


def proof(trace: Trace, stream: Stream) -> pd.DataFrame:
    r"""Return the ledger of the average: one row per mistake.

    The potential is :math:`\|\bar w\|`, the mean being over the rounds so far. With
    :math:`M_t` updates before round t the Perceptron's proof gives
    :math:`\langle u, w_t\rangle \ge \gamma M_t` and :math:`\|w_t\| \le R\sqrt{M_t}`;
    their means are the lower and the upper bound.
    """
    u = geometry.unit(stream.need_target())
    gamma, radius = stream.margin, stream.radius

    def rows() -> Iterator[dict[str, float]]:
        linear = roots = 0.0
        last = 0
        for count, step in _ledger.steps(trace, stream, AveragedPerceptron):
            alive = step.t - last + (1 if count == 1 else 0)
            linear += (count - 1) * alive
            roots += math.sqrt(count - 1) * alive
            last = step.t
            learner, rounds = step.learner, step.t + 1
            average = learner.weights - learner._late / rounds
            rate = learner.rate
            yield {
                "round": step.t,
                "alignment": float(u @ average),
                "lower": rate * gamma * linear / rounds,
                "potential": float(np.linalg.norm(average)),
                "upper": rate * radius * roots / rounds,
            }

    return _ledger.ledger(rows())
