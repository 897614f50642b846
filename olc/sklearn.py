"""The learners as a scikit-learn estimator, for pipelines that people already have.

scikit-learn is imported here and nowhere else in the package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from olc import _checks
from olc.game import Learner, play
from olc.perceptron import Perceptron

REMEDY = {
    "real": "impute or drop what is not a finite number",
    "signs": "put FunctionTransformer(lambda X: np.where(X > 0, 1, -1)) before it",
    "bits": "put Binarizer, or OneHotEncoder(sparse_output=False), before it",
}


class OnlineClassifier(ClassifierMixin, BaseEstimator):
    """Any learner of this package as a scikit-learn classifier.

    `learner` is called with the number of features and returns a learner: a class
    such as `olc.Perceptron` (the default), or `functools.partial(olc.NormalizedWinnow,
    eta=0.1)`. Two classes take one learner, whose +1 is the larger class; more take
    one learner each, one against the rest. Features must be those of the learner:
    numbers, ±1 or {0, 1}. Sparse matrices are refused.

    Parameters
    ----------
    learner : callable, default=None
        Makes a learner of a number of features; None stands for the Perceptron.
    fit_intercept : bool, default=True
        Append a feature that is always 1, so that the learner has a bias.
    epochs : int, default=1
        How often `fit` goes through the data. `partial_fit` goes once.
    shuffle : bool, default=False
        Whether `fit` takes the examples in a new random order in every epoch.
    random_state : int, RandomState or None, default=None
        Where the order comes from when `shuffle` is true.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    learners_ : list
        One learner, or one for each of three or more classes.
    mistakes_ : ndarray
        The mistakes that each learner has made since `fit` began.
    n_features_in_, feature_names_in_ : int, ndarray
        As everywhere in scikit-learn.

    >>> classifier = OnlineClassifier().fit([[0, 1], [1, 0]], ["left", "right"])
    >>> classifier.predict([[0, 2], [3, 1]]).tolist()
    ['left', 'right']
    """

    classes_: NDArray[Any]
    learners_: list[Learner]
    mistakes_: NDArray[np.int64]
    n_features_in_: int

    def __init__(
        self,
        learner: Callable[[int], Learner] | None = None,
        *,
        fit_intercept: bool = True,
        epochs: int = 1,
        shuffle: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.learner = learner
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Forget what was learned, then play `epochs` games on these examples."""
        epochs = _checks.count(self.epochs, "epochs")
        X, labels = validate_data(self, X, y, dtype="numeric")
        check_classification_targets(labels)
        examples = self._begin(X, unique_labels(labels))
        random = check_random_state(self.random_state)
        for _ in range(epochs):
            if self.shuffle:
                order = random.permutation(len(examples))
                self._play(examples[order], labels[order])
            else:
                self._play(examples, labels)
        return self

    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None
    ) -> Self:
        """Play on with these examples, in this order.

        The first call must name all `classes`; later ones may leave them out.
        """
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError(
                "classes must be passed on the first call to partial_fit: "
                "classes=np.unique(y) of all that is to come"
            )
        X, labels = validate_data(self, X, y, dtype="numeric", reset=first)
        check_classification_targets(labels)
        known = unique_labels(self.classes_ if classes is None else classes)
        if not first and not np.array_equal(known, self.classes_):
            raise ValueError(
                f"classes = {classes!r} differ from those of the first call, "
                f"{self.classes_!r}: leave them out, or call fit to begin anew"
            )
        unknown = np.setdiff1d(labels, known)
        if len(unknown):
            raise ValueError(
                f"y holds the class {unknown[0]!r}, which the first call did not "
                "name: pass all classes to the first partial_fit"
            )
        if first:
            examples = self._begin(X, known)
        else:
            examples = self._examples(X, self.learners_[0])
        self._play(examples, labels)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return how far beyond its threshold the score of each example is.

        One column for each class, or one number for each example if there are two
        classes: positive for the larger one.
        """
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, dtype="numeric", reset=False)
        examples = self._examples(X, self.learners_[0])
        scores = [
            learner.output(examples) - getattr(learner, "threshold", 0.0)
            for learner in self.learners_
        ]
        return np.asarray(scores[0] if len(scores) == 1 else np.stack(scores, axis=1))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example.

        With two classes a score at the threshold is what the learner makes of it:
        +1 for Winnow, no prediction for the Perceptron, which counts as -1 here. A
        randomized learner votes with its majority instead of flipping a coin. Among
        three or more classes the highest score wins, the first one of equals.
        """
        scores = self.decision_function(X)
        if scores.ndim == 2:
            return np.asarray(self.classes_[scores.argmax(axis=1)])
        above = scores > 0
        learner = self.learners_[0]
        if not learner.randomized:
            tie = learner._decide(np.float64(getattr(learner, "threshold", 0.0)))
            above |= (scores == 0) & (tie == 1)
        return np.asarray(self.classes_[above.astype(np.intp)])

    def _begin(self, X: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
        """Make new learners for these classes, and return what they will see."""
        if len(classes) < 2:
            raise ValueError(
                f"y holds one class only, {classes[0]!r}: a classifier needs two"
            )
        make: Any = Perceptron if self.learner is None else self.learner
        width = X.shape[1] + bool(self.fit_intercept)
        count = 1 if len(classes) == 2 else len(classes)
        learners = [make(width) for _ in range(count)]
        if not isinstance(learners[0], Learner):
            raise TypeError(
                f"learner({width}) is {learners[0]!r}: give a class such as "
                "olc.Perceptron, or functools.partial of one"
            )
        examples = self._examples(X, learners[0])
        self.classes_, self.learners_ = classes, learners
        self.mistakes_ = np.zeros(count, dtype=np.int64)
        return examples

    def _examples(self, X: NDArray[Any], learner: Learner) -> NDArray[Any]:
        """Return the examples, checked, with the feature that is always 1."""
        try:
            for start, part in _checks.chunks(X):
                _checks.rows(part, learner.features, start)
        except ValueError as error:
            remedy = REMEDY[learner.features]
            raise ValueError(f"{error} ({type(learner).__name__}: {remedy})") from None
        if not self.fit_intercept:
            return X
        with_bias = np.ones((X.shape[0], X.shape[1] + 1), dtype=X.dtype)
        with_bias[:, :-1] = X
        return with_bias

    def _play(self, examples: NDArray[Any], labels: NDArray[Any]) -> None:
        """Play one game for each learner."""
        larger = self.classes_[1:] if len(self.learners_) == 1 else self.classes_
        for i, (label, learner) in enumerate(zip(larger, self.learners_, strict=True)):
            signs = np.where(labels == label, 1, -1)
            self.mistakes_[i] += play(learner, examples, signs).mistakes
