"""Several classes: a weight vector for each of them, and the highest score wins.

Chapter `multiclass`. Two ways to teach them with a learner that knows two classes: one
against all the others, and constraints, which ask only that the right class scores
higher than each wrong one.
"""

from __future__ import annotations

import copy
import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc import perceptron
from olc.core import check
from olc.core.check import Vector
from olc.core.game import Game, Record, Trace, unchanged_on_error
from olc.core.learner import Learner, Linear, has, remember
from olc.core.stream import Stream
from olc.fast.play import FastState, choose_strategy, moves_by_entry
from olc.fast.play import play as play_two
from olc.geometry import side_by_side, unit
from olc.probability import numbered, online_scores

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MultiClass", "OneAgainstAll", "ConstraintClassifier", "MultiClassTrace",
           "play", "margin", "mistake_bound", "proof"]  # fmt: skip

Labels = NDArray[np.intp]


class MultiClass:
    """What both forms share: a score for each class, of which the highest wins.

    Classes are numbered 0, 1, ..., K - 1. A tie for the highest score is no prediction,
    as in the game of two classes: it is a mistake, whatever the label.
    """

    n: int
    classes: int
    features: str
    #: X -> the scores of the classes, for one example or for every row; with
    #: ``final=True`` those of the classifier that comes out of the game
    scores: Any
    run: Any  #: X, y -> plays sound rounds; returns the scores and the updates

    def __init_subclass__(cls) -> None:
        remember(cls)

    def decide(self, scores: Any) -> Any:
        """Return the class with the highest score, or -1 if two of them share it."""
        highest = scores.max(axis=-1, keepdims=True)
        alone = (scores == highest).sum(axis=-1) == 1
        return np.where(alone, scores.argmax(axis=-1), -1)[()]

    def predict(self, X: Any, *, final: bool = False) -> Any:
        """Return the class of one example, or of every row of a block.

        With ``final=True`` it is that of the classifier that comes out of the game.
        """
        return self.decide(self.scores(X, final=final))

    def learn(self, x: Any, y: int) -> int:
        """Play one round by hand, and return the prediction that was made in it."""
        x = check.example(x, self.n, self.features)[None]
        return int(play(self, x, [y]).predictions[0])


class OneAgainstAll(MultiClass):
    """One learner for each class, which tells it from all the others.

    Any learner of the book will do; `learner` is copied for each class. Every learner
    plays its own game: +1 is its class, -1 all the rest. The scores that are compared
    are those beyond the threshold.

    >>> from olc import Perceptron
    >>> learner = OneAgainstAll(Perceptron(2), classes=3)
    >>> prediction = learner.learn([1, 2], 1)
    >>> learner.scores([1, 0])
    array([-1.,  1., -1.])
    >>> play(learner, [[1, 2], [2, 0], [1, 0]], [1, 2, 2])
    MultiClassTrace(1 mistake in 3 rounds)
    """

    def __init__(self, learner: Learner, *, classes: int) -> None:
        self.classes = check.count(classes, "classes", least=2)
        Game(learner)  # it can play
        self.learners = [copy.deepcopy(learner) for _ in range(classes)]
        self.n, self.features = learner.n, learner.features

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.learners[0]}, classes={self.classes})"

    @property
    def rounds(self) -> int:
        """How many rounds each learner has played."""
        return self.learners[0].rounds

    def scores(self, X: Any, *, final: bool = False) -> Any:
        """Return how far each learner's score is beyond its threshold."""
        found = [each.scores(X, final=final) - each.threshold for each in self.learners]
        return np.stack(found, axis=-1)

    def games(self, X: Any, y: ArrayLike) -> list[Trace]:
        """Play one game for each class, and return their traces."""
        X, labels = _admitted(self, X, y)
        with unchanged_on_error(self):
            return self.run_games(X, labels)

    def run_games(self, X: Any, y: Labels) -> list[Trace]:
        """Play rounds that are known to be sound, and return the traces."""
        return [
            run_game(learner, X, np.where(y == label, 1, -1))
            for label, learner in enumerate(self.learners)
        ]

    def run(self, X: Any, y: Labels) -> tuple[Vector, Any]:
        """Play rounds that are known to be sound; return the scores and the updates."""
        games = self.run_games(X, y)
        updates = np.unique(np.concatenate([game.update_rounds for game in games]))
        return np.stack([online_scores(game) for game in games], axis=-1), updates


def run_game(learner: Any, X: Any, y: Any) -> Trace:
    """Play rounds that are known to be sound, with labels -1 and +1."""
    game, stream = Game(learner), Stream(X, y)
    choose_strategy(learner)(game, stream)
    return game.trace(stream)


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
    >>> prediction = learner.learn([1, 2], 1)
    >>> learner.weights
    array([[-1., -2.],
           [ 1.,  2.],
           [ 0.,  0.]])
    >>> learner.constraint(np.array([1, 2]), 1, 0)
    array([-1., -2.,  1.,  2.,  0.,  0.])
    >>> learner = ConstraintClassifier(Winnow(2), classes=3)
    >>> prediction = learner.learn([0, 1], 2)
    >>> learner.weights
    array([[1. , 0.5],
           [1. , 1. ],
           [1. , 2. ]])
    """

    def __init__(self, learner: Learner, *, classes: int) -> None:
        self.classes = check.count(classes, "classes", least=2)
        Game(learner)  # it can play
        if learner.final_weights is None or getattr(learner, "eliminate", False):
            rule = f"{learner} has a rule beyond one weight per feature"
            raise TypeError(f"{rule}, all that constraints compare: use OneAgainstAll")
        self.learner: Any = learner.replaced(n=classes * learner.n)
        self.n, self.features = learner.n, learner.features
        self.thickness = learner.thickness

    def __repr__(self) -> str:
        one = self.learner.replaced(n=self.n)
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
    def final_weights(self) -> Vector:
        """The weights of the classifier that comes out of the game."""
        return self.learner.final_weights.reshape(self.classes, self.n)

    def score(self, x: Vector) -> Vector:
        """Return ⟨w, x⟩ for every class, summed over the active features."""
        at = x.nonzero()[0]
        return self.weights.take(at, axis=1) @ x[at]

    def rival(self, scores: Any, y: int) -> int:
        """Return the wrong class with the highest score, the first one of equals."""
        wrong = np.array(scores, dtype=float)
        wrong[y] = -math.inf
        return int(wrong.argmax())

    def wants_update(self, scores: Any, y: int) -> bool:
        """Return whether the right class fails to score above all others."""
        return bool(scores[y] - scores[self.rival(scores, y)] <= self.thickness)

    def constraint(self, x: Vector, y: int, rival: int) -> Vector:
        """Return the example of K·n features that says: y above its rival."""
        z = np.zeros((self.classes, self.n))
        z[y], z[rival] = x, -x
        return z.ravel()

    def update(self, x: Vector, y: int) -> None:
        """Promote the right class and demote its rival."""
        rival = self.rival(self.score(x), y)
        self.learner.update(self.constraint(x, y, rival), +1)

    def scores(self, X: Any, *, final: bool = False) -> Any:
        """Return ⟨w, x⟩ for every class, for one example or for every row."""
        weights = self.final_weights if final else self.weights
        rows = check.numeric(X, "X")
        if rows.ndim == 1:
            rows = check.example(rows, self.n, self.features)
        else:
            check.features(check.as_rows(rows, self.n), self.features)
        return np.asarray(rows @ weights.T)

    def run(self, X: Any, y: Labels, costs: Any = None) -> tuple[Vector, Any]:
        """Play rounds that are known to be sound; return the scores and the updates.

        A cost multiplies the step of its round, for learners that are `additive`.
        """
        learner = self.learner
        rules = has(self, ConstraintClassifier, "score", "constraint", "update")
        plain = has(learner, Linear, "score")
        stream = Stream(X, np.ones(len(y)))
        if rules and plain and moves_by_entry(learner):
            return self._run_active(stream, y, costs)
        scores, updates = np.empty((len(y), self.classes)), []
        for t, label in enumerate(y.tolist()):
            scores[t] = self.score(x := stream.row(t))
            if self.wants_update(scores[t], label):
                self.update(x, label)
                updates.append(t)
            learner.rounds += 1
        return scores, np.array(updates, dtype=np.int64)

    def _run_active(self, stream: Stream, y: Labels, costs: Any) -> tuple[Vector, Any]:
        """Play as `run` does, but update the active features only."""
        fast, columns = FastState(self.learner, stream), np.arange(self.n)
        fast.costs, blocks = costs, fast.weights.reshape(self.classes, self.n)
        scores, updates = np.empty((len(y), self.classes)), []
        for t, label in enumerate(y.tolist()):
            stored, x = stream.entries(t)
            at, x = columns[stored][x != 0], x[x != 0]
            scores[t] = blocks.take(at, axis=1) @ x
            if self.wants_update(scores[t], label):
                rival = self.rival(scores[t], label)
                # where the constraint is not 0: x in the one block, -x in the other
                where = np.concatenate([at + label * self.n, at + rival * self.n])
                fast.update(t, where, np.concatenate([x, -x]), +1)
                updates.append(t)
        fast.store(len(y))
        return scores, np.array(updates, dtype=np.int64)


def _admitted(form: MultiClass, X: Any, y: Any) -> tuple[Any, Labels]:
    """Return examples and labels, after a check that this form can play them."""
    if isinstance(X, Stream):
        raise TypeError("a Stream has labels -1 and +1: give X and the classes as y")
    X = check.as_rows(X, form.n)
    labels = numbered(X, y, form.classes)
    check.features(X, form.features)
    return X, labels


@dataclass(frozen=True, eq=False, repr=False)
class MultiClassTrace(Record):
    """The record of a game of several classes.

    `scores` holds the scores of each round before its update, one column for each
    class, `mistake_rounds` the mistakes, and `update_rounds` where something was
    learned: for one against all these are more, as every class has mistakes of its own.
    `before` is the learner as it was when the game began.
    """

    scores: Vector
    before: MultiClass
    X: Any
    y: Labels


def play(learner: MultiClass, X: Any, y: ArrayLike) -> MultiClassTrace:
    """Play all rounds from the learner's present state: `olc.play` for K classes.

    X is an array or a CSR matrix. If an example is refused, the learner has not
    changed.

    >>> from olc import Perceptron
    >>> learner = ConstraintClassifier(Perceptron(1), classes=2)
    >>> trace = play(learner, [[1.0], [-1.0], [2.0]], [0, 1, 0])
    >>> trace, trace.scores.tolist()
    (MultiClassTrace(1 mistake in 3 rounds), [[0.0, 0.0], [-1.0, 1.0], [2.0, -2.0]])
    """
    if not isinstance(learner, MultiClass):
        raise TypeError(
            f"{learner!r} is no learner of several classes: give one, such as "
            "OneAgainstAll(Perceptron(n), classes=3)"
        )
    X, labels = _admitted(learner, X, y)
    with unchanged_on_error(learner) as before:
        scores, updates = learner.run(X, labels)
    predictions = learner.decide(scores)
    rounds = np.flatnonzero(predictions != labels)
    return MultiClassTrace(predictions, rounds, updates, scores, before, X, labels)


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
    X = check.as_rows(X, blocks.shape[1])
    labels = numbered(X, y, len(blocks))
    check.features(X, "real")
    scores = np.asarray(X @ unit(blocks.ravel(), p).reshape(blocks.shape).T)
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


def constraints(trace: MultiClassTrace, target: ArrayLike | None = None) -> Stream:
    """Return the examples that a `ConstraintClassifier` has learned in a game.

    They are the constraints that were violated, in K·n features, all of them positive.
    A learner of two classes errs on each of them, so that its mistake bound and its
    proof are those of several classes. `target` has one row for each class.

    >>> from olc import Perceptron
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
        remedy = "give the trace of a ConstraintClassifier, not of one against all"
        raise TypeError(f"{trace!r} has no constraints: {remedy}")
    rows, labels = trace.X[trace.update_rounds], trace.y[trace.update_rounds]
    pairs = zip(trace.scores[trace.update_rounds], labels, strict=True)
    rivals = np.array([form.rival(*pair) for pair in pairs], dtype=int)
    one = np.eye(form.classes)
    signs = one[labels] - one[rivals]
    sparse, columns = check.is_sparse(rows), signs.T[..., None]
    X = side_by_side([rows.multiply(s) if sparse else rows * s for s in columns])
    flat = None if target is None else np.ravel(np.asarray(target))
    return Stream(X, np.ones(len(labels), dtype=np.int8), flat)


def proof(trace: MultiClassTrace, target: ArrayLike) -> pd.DataFrame:
    """Return the ledger of the bound: that of the learner, on the constraints.

    It is the ledger of `olc.perceptron.proof` if the learner is a Perceptron, and so
    on. `target` has one row for each class. It may be shifted by the same vector in
    all rows, which changes no constraint: so normalised Winnow can have a target
    without negative weights, ``u - u.min(axis=0)``.
    """
    stream = constraints(trace, target)
    learner = copy.deepcopy(trace.before.learner)  # type: ignore[attr-defined]
    modules = (sys.modules[kind.__module__] for kind in type(learner).__mro__)
    known = [module.proof for module in modules if hasattr(module, "proof")]
    if learner.features != "real" or not known:
        lack = "has no bound under constraints, which hold x and -x"
        remedy = "take a learner of real features that has one, such as Perceptron"
        raise TypeError(f"{type(learner).__name__} {lack}: {remedy}")
    return known[0](play_two(learner, stream))
