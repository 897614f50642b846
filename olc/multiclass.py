"""Several classes: a weight vector for each of them, and the highest score wins.

Chapter `spelling`. Two ways to teach them with a learner that knows two classes: one
against all the others, and constraints, which ask only that the right class scores
higher than each wrong one.
"""

from __future__ import annotations

import copy
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc import geometry, perceptron
from olc.averaged_perceptron import AveragedPerceptron
from olc.core import check, game
from olc.core.check import Vector
from olc.core.learner import Learner, Linear
from olc.core.stream import Stream
from olc.probability import online_scores

if TYPE_CHECKING:
    import pandas as pd

Labels = NDArray[np.intp]


class MultiClass(ABC):
    """What both forms share: a score for each class, of which the highest wins.

    Classes are numbered 0, 1, ..., K - 1. A tie for the highest score is no prediction,
    as in the game of two classes: it is a mistake, whatever the label.
    """

    n: int
    classes: int
    features: str

    @abstractmethod
    def score(self, X: Any) -> Any:
        """Return the scores of the classes, for one example or for every row."""

    @abstractmethod
    def output(self, X: Any) -> Any:
        """Return the scores of the classifier that comes out of the game."""

    def decide(self, scores: Any) -> Any:
        """Return the class with the highest score, or -1 if two of them share it."""
        scores = check.numeric(scores, "scores")
        highest = scores.max(axis=-1, keepdims=True)
        if np.isnan(highest).any():
            raise ValueError("scores has NaN: give one number for each class")
        tied = (scores == highest).sum(axis=-1) > 1
        return np.where(tied, -1, scores.argmax(axis=-1))[()]

    def predict(self, X: Any) -> Any:
        """Return the class of one example, or of every row of a block."""
        return self.decide(self.score(X))

    def classify(self, X: Any) -> Any:
        """Return the classes given by the classifier that comes out of the game."""
        return self.decide(self.output(X))


class OneAgainstAll(MultiClass):
    """One learner for each class, which tells it from all the others.

    Any learner of the book will do; `learner` is copied for each class. Every learner
    plays its own game: +1 is its class, -1 all the rest. The scores that are compared
    are those beyond the threshold.

    >>> from olc import Perceptron
    >>> learner = OneAgainstAll(Perceptron(2), classes=3)
    >>> learner.update([1, 2], 1)
    >>> learner.score([1, 0])
    array([-1.,  1., -1.])
    >>> play(learner, [[1, 2], [2, 0], [1, 0]], [1, 2, 2])
    Trace(1 mistake in 3 rounds)
    """

    def __init__(self, learner: Learner, *, classes: int) -> None:
        self.classes = check.count(classes, "classes", least=2)
        self.learners = [copy.deepcopy(_playing(learner)) for _ in range(classes)]
        self.n, self.features = learner.n, learner.features

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.learners[0]}, classes={self.classes})"

    def score(self, X: Any) -> Any:
        """Return how far each learner's score is beyond its threshold."""
        scores = [score(each, X) - each.threshold for each in self.learners]
        return np.stack(scores, axis=-1)

    def output(self, X: Any) -> Any:
        """Return how far beyond it the scores of the learners' outputs are."""
        scores = [output(each, X) - each.threshold for each in self.learners]
        return np.stack(scores, axis=-1)

    def update(self, x: Any, y: int) -> None:
        """Let every learner that errs learn whether the example is of its class."""
        y = _check_class(y, self.classes)
        x = check.example(x, self.n, self.features)
        with _as_before_if_refused(self):
            for label, learner in enumerate(self.learners):
                sign = 1 if label == y else -1
                if learner.wants_update(learner.score(x), sign):
                    learner.update(x, sign)
                else:
                    learner.rounds += 1

    def games(self, X: Any, y: ArrayLike) -> list[game.Trace]:
        """Play one game for each class, and return their traces."""
        X, labels = check.classes(X, y, self.classes)
        with _as_before_if_refused(self):
            return [
                game.play(learner, X, np.where(labels == label, 1, -1))
                for label, learner in enumerate(self.learners)
            ]


class ConstraintClassifier(MultiClass):
    r"""One learner of K·n weights, a block for each class, under constraints.

    An example x of class y asks for :math:`\langle w_y, x\rangle > \langle w_j,
    x\rangle` for every other class j. That is a positive example z of the learner, with
    x in block y, -x in block j and 0 elsewhere. At a mistake it learns the one that is
    violated most: the right class is promoted, and its best rival demoted. No
    threshold is left, and `thickness` asks for a gap between the two.

    Any linear learner will do, of any number of features n. This is Kesler's
    construction (Duda and Hart 1973), and the constraint classification of Har-Peled,
    Roth and Zimak (2003). Algorithm {prf:ref}`alg-constraint`.

    >>> from olc import Perceptron, Winnow
    >>> learner = ConstraintClassifier(Perceptron(2), classes=3)
    >>> learner.update([1, 2], 1)
    >>> learner.weights
    array([[-1., -2.],
           [ 1.,  2.],
           [ 0.,  0.]])
    >>> learner.constraint([1, 2], 1, 0)
    array([-1., -2.,  1.,  2.,  0.,  0.])
    >>> learner = ConstraintClassifier(Winnow(2), classes=3)
    >>> learner.update([0, 1], 2)
    >>> learner.weights
    array([[1. , 0.5],
           [1. , 1. ],
           [1. , 2. ]])
    """

    def __init__(self, learner: Learner, *, classes: int) -> None:
        self.classes = check.count(classes, "classes", least=2)
        self.learner = _comparable(learner).with_n(classes * learner.n)
        self.learner.features = "real"  # a constraint holds x and -x
        self.n, self.features = learner.n, learner.features
        self.thickness = getattr(learner, "thickness", 0.0)

    def __repr__(self) -> str:
        one = self.learner.with_n(self.n)
        return f"{type(self).__name__}({one}, classes={self.classes})"

    @property
    def rounds(self) -> int:
        """How many rounds this learner has played."""
        return int(self.learner.rounds)

    @property
    def weights(self) -> Vector:
        """The weights, one row for each class."""
        return self.learner.weights.reshape(self.classes, self.n)

    @property
    def plane(self) -> Vector:
        """The weights of the classifier that comes out of the game."""
        return np.reshape(plane(self.learner), (self.classes, self.n))

    def score(self, X: Any) -> Any:
        """Return ⟨w, x⟩ for every class, for one example or for every row."""
        return scores_of(_check_rows(X, self), self.weights)  # X @ weights.T

    def output(self, X: Any) -> Any:
        """Return the scores of the classifier that comes out of the game."""
        return _check_rows(X, self) @ self.plane.T

    def rival(self, scores: Any, y: int) -> int:
        """Return the wrong class with the highest score, the first one of equals."""
        wrong = np.array(scores, dtype=float)
        wrong[y] = -math.inf
        return int(wrong.argmax())

    def wants_update(self, scores: Any, y: int) -> bool:
        """Say whether the right class fails to score above all others."""
        return bool(scores[y] - scores[self.rival(scores, y)] <= self.thickness)

    def constraint(self, x: ArrayLike, y: int, rival: int) -> Vector:
        """Return the example of K·n features that says: y above its rival."""
        x = check.example(x, self.n, self.features)
        z = np.zeros((self.classes, self.n))
        z[_check_class(rival, self.classes)] = -x
        z[_check_class(y, self.classes)] = x
        if rival == y:
            raise ValueError(f"rival = {rival} is the right class y: give another one")
        return z.ravel()

    def update(self, x: Any, y: int) -> None:
        """Promote the right class and demote its rival."""
        x = check.example(x, self.n, self.features)
        rival = self.rival(self.score(x), _check_class(y, self.classes))
        self.learner.update(self.constraint(x, y, rival), +1)


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of a game of several classes.

    `scores` holds the scores of each round before its update, one column for each
    class, `rounds` the mistakes, and `updates` the rounds in which something was
    learned: for one against all these are more, as every class has mistakes of its own.
    `before` is the learner as it was when the game began.
    """

    predictions: Labels
    rounds: NDArray[np.int64]
    updates: NDArray[np.int64]
    scores: Vector = field(repr=False)
    before: MultiClass = field(repr=False)
    X: Any = field(repr=False)
    y: Labels = field(repr=False)

    @property
    def mistakes(self) -> int:
        """How many predictions were wrong."""
        return len(self.rounds)

    def __len__(self) -> int:
        return len(self.predictions)

    def __repr__(self) -> str:
        mistakes = f"{self.mistakes} mistake{'s' * (self.mistakes != 1)}"
        rounds = f"{len(self)} round{'s' * (len(self) != 1)}"
        return f"Trace({mistakes} in {rounds})"


def play(learner: MultiClass, X: Any, y: ArrayLike) -> Trace:
    """Play all rounds from the learner's present state: `olc.play` for K classes.

    X is an array or a CSR matrix. A round costs the active features of its example
    only, where the learner moves and links each weight on its own, as the Perceptron
    and Winnow do; an update of another one costs all its weights. If an example is
    refused, the learner has not changed.

    >>> from olc import Perceptron
    >>> learner = ConstraintClassifier(Perceptron(1), classes=2)
    >>> trace = play(learner, [[1.0], [-1.0], [2.0]], [0, 1, 0])
    >>> trace, trace.scores.tolist()
    (Trace(1 mistake in 3 rounds), [[0.0, 0.0], [-1.0, 1.0], [2.0, -2.0]])
    """
    if not isinstance(learner, MultiClass):
        raise TypeError(
            f"learner must be one of several classes, such as "
            f"OneAgainstAll(Perceptron(n), classes=3), not {learner!r}"
        )
    X, labels = check.classes(X, y, learner.classes)
    check.features(check.table(X, learner.n), learner.features)
    before = copy.deepcopy(learner)
    with _as_before_if_refused(learner):
        if isinstance(learner, OneAgainstAll):
            scores, updates = _play_games(learner, X, labels)
        else:
            scores, updates = _play_constraints(learner, X, labels)
    predictions = learner.decide(scores)
    rounds = np.flatnonzero(predictions != labels)
    return Trace(predictions, rounds, updates, scores, before, X, labels)


def _play_games(form: OneAgainstAll, X: Any, y: Labels) -> tuple[Vector, Any]:
    """Play a game for each class; return the scores and the rounds of any update."""
    games = form.games(X, y)
    updates = np.unique(np.concatenate([played.updates for played in games]))
    return np.stack([online_scores(played) for played in games], axis=-1), updates


def _play_constraints(form: Any, X: Any, y: Labels) -> tuple[Vector, Any]:
    """Play on the active features of each example; return scores and updates."""
    moving, shape = Moving(form.learner, form.learner.n), (form.classes, form.n)
    scores, updates = np.empty((len(y), form.classes)), []
    for t, (label, (at, values)) in enumerate(zip(y.tolist(), active(X), strict=True)):
        scores[t] = products(moving.weights.reshape(shape)[:, at], values)
        if form.wants_update(scores[t], label):
            rival = form.rival(scores[t], label)
            # where the constraint is not 0: x in the one block, -x in the other
            where = np.concatenate([at + label * form.n, at + rival * form.n])
            moving.update(where, np.concatenate([values, -values]), +1, t)
            updates.append(t)
    moving.hand_over(len(y))
    return scores, np.array(updates, dtype=np.int64)


# ------------------------------------------------------------- bounds and the proof


def margin(u: ArrayLike, X: Any, y: ArrayLike, p: float = 2) -> float:
    r"""Return the least :math:`\langle u_y - u_j, x\rangle / \|u\|_p` over all j ≠ y.

    u has one row for each class, and its norm is that of all its entries.

    >>> margin([[1, 0], [0, 0], [-1, 0]], [[2, 1], [-1, 0]], [0, 2], p=1)
    0.5
    """
    blocks = check.as_floats(check.numeric(u, "u"))
    if blocks.ndim != 2 or len(blocks) < 2:
        raise ValueError(f"u has shape {blocks.shape}: give one row for each class")
    X, labels = check.classes(X, y, len(blocks))
    check.features(check.table(X, blocks.shape[1]), "real")
    if not len(labels):
        raise ValueError("X has no rows: a margin needs at least one example")
    scores = np.asarray(X @ geometry.unit(blocks.ravel(), p).reshape(blocks.shape).T)
    rounds = np.arange(len(labels))
    right = scores[rounds, labels]
    scores[rounds, labels] = -math.inf
    return float((right - scores.max(axis=1)).min())


def mistake_bound(radius: float, margin: float) -> float:
    r"""Bound the mistakes of the Perceptron under constraints: 2R²/γ².

    Theorem {prf:ref}`thm-constraint`: if :math:`\|x_t\| \le R` and some u, of length 1
    with all its blocks, has :math:`\langle u_y - u_j, x\rangle \ge \gamma` for every
    example and every wrong class j, this is the Perceptron's theorem for the
    constraints, whose length is :math:`\sqrt2\,\|x\|`. The number of classes does not
    matter. For two classes it is the Perceptron's own bound, as γ is then √2 times
    that of one plane.

    >>> mistake_bound(radius=3, margin=0.5)
    72.0
    """
    return 2 * perceptron.mistake_bound(radius, margin)


def constraints(trace: Trace, target: ArrayLike | None = None) -> Stream:
    """Return the examples that a `ConstraintClassifier` has learned in a game.

    They are the constraints that were violated, in K·n features, all of them positive.
    A learner of two classes errs on each of them, so that its mistake bound and its
    proof are those of several classes. `target` has one row for each class.

    >>> from olc import Perceptron, play as play_two
    >>> learner = ConstraintClassifier(Perceptron(1), classes=3)
    >>> stream = constraints(play(learner, [[1.0], [-1.0]], [0, 2]))
    >>> stream.X
    array([[ 1., -1.,  0.],
           [-0.,  1., -1.]])
    >>> play_two(Perceptron(3), stream)
    Trace(2 mistakes in 2 rounds)
    """
    form = getattr(trace, "before", None)
    if not isinstance(form, ConstraintClassifier):
        raise TypeError(
            f"{trace!r} has no constraints: give the trace of a ConstraintClassifier, "
            "or of one against all call games for the games of its learners"
        )
    rows, labels = trace.X[trace.updates], trace.y[trace.updates]
    pairs = zip(trace.scores[trace.updates], labels, strict=True)
    signs = np.zeros((len(labels), form.classes))
    rounds = np.arange(len(labels))
    signs[rounds, [form.rival(scores, label) for scores, label in pairs]] = -1
    signs[rounds, labels] = 1
    blocks = [_scaled(rows, sign[:, None]) for sign in signs.T]
    if check.is_sparse(rows):
        from scipy.sparse import hstack

        X = hstack(blocks, format="csr")
    else:
        X = np.hstack(blocks)
    flat = None if target is None else np.ravel(np.asarray(target))
    return Stream(X, np.ones(len(labels), dtype=np.int8), flat)


def _scaled(rows: Any, signs: Vector) -> Any:
    return rows.multiply(signs) if check.is_sparse(rows) else rows * signs


def proof(trace: Trace, target: ArrayLike) -> pd.DataFrame:
    """Return the ledger of the bound: that of the learner, on the constraints.

    It is the ledger of `olc.perceptron.proof` if the learner is a Perceptron, and so
    on. `target` has one row for each class. It may be shifted by the same vector in
    all rows, which changes no constraint: so normalised Winnow can have a target
    without negative weights, ``u - u.min(axis=0)``.
    """
    stream = constraints(trace, target)
    learner = copy.deepcopy(trace.before.learner)  # type: ignore[attr-defined]
    if type(learner).features != "real":
        raise TypeError(
            f"{type(learner).__name__} has no bound under constraints, which hold x "
            "and -x: take a learner of real features, such as NormalizedWinnow"
        )
    return sys.modules[type(learner).__module__].proof(game.play(learner, stream))


# ------------------------------------------------------------------------- the door


def plane(learner: Any) -> Any:
    """Return the weights that the output of a learner is a product with, or None.

    >>> from olc import KernelPerceptron, Winnow
    >>> plane(Winnow(2)), plane(KernelPerceptron())
    (array([1., 1.]), None)
    """
    if isinstance(learner, AveragedPerceptron):
        return learner.average if has(learner, AveragedPerceptron.output) else None
    weighs = has(learner, Linear.score) or has(learner, WeightedMajority.score)
    return learner.weights if weighs and has(learner, Learner.output) else None


def score(learner: Any, X: Any) -> Any:
    """Return the scores of a learner; a sparse matrix need not become dense."""
    if hasattr(X, "tocsr") and has(learner, Linear.score):
        return _check_rows(X, learner) @ learner.weights
    return _playing(learner).score(X)


def output(learner: Any, X: Any) -> Any:
    """Return the scores of its output; a sparse matrix need not become dense."""
    if hasattr(X, "tocsr") and has(learner, Linear.score):
        weights = plane(learner)
        if weights is not None:
            return _check_rows(X, learner) @ weights
    return _playing(learner).output(X)


def decided(learner: Any, scores: Any) -> Any:
    """Return the labels that a learner makes of many scores."""
    decide, scores = _playing(learner).decide, check.numeric(scores, "scores")
    if hasattr(decide, "entrywise"):
        return decide(scores)
    return np.array([decide(score) for score in scores])


def scores_of(X: Any, weights: Vector) -> Vector:
    """Return X @ weights.T, with every row's sums rounded as in a game."""
    block = X[None] if X.ndim == 1 else X
    scores = [products(weights[:, at], values) for at, values in active(block)]
    return scores[0] if X.ndim == 1 else np.reshape(scores, (-1, len(weights)))


def _check_rows(X: Any, learner: Any) -> Any:
    """Return one example or a block of rows; a sparse matrix stays one."""
    if not hasattr(X, "tocsr"):
        return check.examples(X, learner.n, learner.features)
    rows = check.numeric(X, "X")
    check.features(check.table(rows, learner.n), learner.features)
    return rows


@contextmanager
def _as_before_if_refused(form: Any) -> Iterator[None]:
    """Let all learners of a form learn, or none of them."""
    before = copy.deepcopy(form.__dict__)
    try:
        yield
    except BaseException:
        form.__dict__ = before
        raise


def _playing(learner: Any) -> Any:
    if not isinstance(learner, Learner):
        raise TypeError(
            f"learner must be one that can play, such as Perceptron(n), not {learner!r}"
        )
    return learner


def _comparable(learner: Any) -> Any:
    """Return a learner whose scores under different weights can be compared."""
    if plane(_playing(learner)) is None or isinstance(learner, WeightedMajority):
        raise TypeError(
            f"{type(learner).__name__} has no score that is one weight per feature, "
            "which constraints compare: use OneAgainstAll"
        )
    return learner


def _check_class(y: Any, classes: int) -> int:
    if check.count(y, "y", least=0) >= classes:
        raise ValueError(
            f"y must be a class from 0 to {classes - 1}, not {y}: classes = {classes}"
        )
    return int(y)
