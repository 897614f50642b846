"""The learners as a scikit-learn estimator, for pipelines that people already have.

scikit-learn is imported here and nowhere else in the package, but for its data sets.
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from olc import multiclass, probability
from olc.core import check
from olc.core.check import Vector
from olc.core.learner import Learner, Linear
from olc.fast.play import play
from olc.multiclass import ConstraintClassifier
from olc.perceptron import Perceptron

REMEDY = {
    "real": "impute or scale what is not such a number",
    "signs": "put FunctionTransformer(lambda X: np.where(X > 0, 1, -1)) before it",
    "bits": "put Binarizer or OneHotEncoder before it; CountVectorizer(binary=True)",
}
PIECES = 20  #: how often the bar moves in an epoch
LAG = 8  #: rounds before an example, to one that its score was taken ahead
MULTI_CLASS = ("one_against_all", "constraint")
HAIR = 1e-6  #: how far from ½ probabilities are held, in the order of their scores
LATEST = 10_000  #: scores that are kept for the probabilities
APART = 1000.0  #: features whose sizes differ by more are reported
GLANCE = 1000  #: rows that are looked at for it

_NO_BAR = nullcontext(lambda done: None)
Method = TypeVar("Method", bound=Callable[..., Any])


def _unweighted(method: Method) -> Method:
    """Say what to do instead to those who pass weights.

    The signature stays without them, which is where scikit-learn looks.
    """

    @functools.wraps(method)
    def checked(self: Any, *values: Any, **named: Any) -> Any:
        for name in {"class_weight", "sample_weight"} & named.keys():
            raise TypeError(
                f"{name} is not supported, as every mistake of the game counts once: "
                "repeat the examples that matter more, np.repeat(X, times, axis=0)"
            )
        return method(self, *values, **named)

    return checked  # type: ignore[return-value]


class OnlineClassifier(ClassifierMixin, BaseEstimator):
    """Any learner of this package as a scikit-learn classifier.

    Two classes take one learner, whose +1 is the larger class; more take one learner
    each, one against all the others, or constraints. Features must be those of the
    learner: numbers, ±1 or {0, 1}, in an array or in a sparse matrix, such as
    CountVectorizer's.

    There is no `class_weight` and no `sample_weight`: in the online game every mistake
    counts once. Repeat the examples that matter more.

    Parameters
    ----------
    learner : Learner or callable, default=None
        A learner such as `olc.NormalizedWinnow(1, eta=0.1)`: `fit` makes a new one with
        the same parameters for the width of X, whatever its n, and a grid search
        reaches them as `learner__eta`. Or a class, or a function of n. None stands for
        the Perceptron.
    fit_intercept : bool, default=True
        Append a feature that is always 1, so that the learner has a bias. It is one of
        the n features: Winnow's default threshold counts it.
    epochs : int, default=1
        How often `fit` goes through the data. `partial_fit` goes once.
    shuffle : bool, default=False
        Whether `fit` takes the examples in a new random order in every epoch.
    random_state : int, RandomState or None, default=None
        Where the order comes from when `shuffle` is true.
    verbose : bool, default=False
        Show a progress bar, at a terminal or in a notebook.
    multi_class : {"one_against_all", "constraint"}, default="one_against_all"
        What three or more classes become: `olc.OneAgainstAll` takes any learner,
        `olc.ConstraintClassifier` a linear one, whose right class is to score above
        the others. For two classes it makes no difference.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    learners_ : list
        One learner, or one for each of three or more classes; with constraints, one
        `olc.ConstraintClassifier`.
    mistakes_ : ndarray
        The mistakes that each of `learners_` has made since `fit` began.
    online_scores_, online_labels_ : ndarray
        The last 10,000 values of `decision_function` that were computed before the
        example was learned, and the places of the right classes in `classes_`. Of
        several epochs only the first counts, as later ones know the examples.
    n_features_in_, feature_names_in_ : int, ndarray
        As everywhere in scikit-learn.

    >>> classifier = OnlineClassifier().fit([[0, 1], [1, 0]], ["left", "right"])
    >>> classifier.predict([[0, 2], [3, 1]]).tolist()
    ['left', 'right']
    >>> classifier.coef_, classifier.intercept_
    (array([[ 1., -1.]]), array([0.]))

    >>> import olc
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = ["a fine day", "rain and wind", "fine wind", "rain all day"]
    >>> spam = make_pipeline(
    ...     CountVectorizer(binary=True), OnlineClassifier(olc.Winnow(1), epochs=5)
    ... )
    >>> spam.fit(texts, ["dry", "wet", "dry", "wet"]).predict(["all the rain"])
    array(['wet'], dtype='<U3')
    """

    classes_: NDArray[Any]
    learners_: list[Any]
    mistakes_: NDArray[np.int64]
    online_scores_: Vector
    online_labels_: NDArray[np.intp]
    n_features_in_: int

    @_unweighted
    def __init__(
        self,
        learner: Learner | Callable[[int], Learner] | None = None,
        *,
        fit_intercept: bool = True,
        epochs: int = 1,
        shuffle: bool = False,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
        multi_class: str = "one_against_all",
    ) -> None:
        self.learner = learner
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state
        self.verbose = verbose
        self.multi_class = multi_class

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; those of the learner as `learner__eta`.

        >>> import olc
        >>> OnlineClassifier(olc.Winnow(1)).set_params(learner__alpha=1.5).learner
        Winnow(n=1, threshold=1.0, alpha=1.5, eliminate=False)
        """
        learner = parameters.get("learner", self.learner)
        for name in parameters:
            if name.startswith("learner__") and not isinstance(learner, Learner):
                raise ValueError(
                    f"{name} is a parameter of a learner, and learner = {learner!r} is "
                    "none yet: give one, such as learner=olc.Perceptron(1)"
                )
        super().set_params(**parameters)
        return self

    @_unweighted
    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Forget what was learned, then play `epochs` games on these examples."""
        epochs = check.count(self.epochs, "epochs")
        with self._unchanged_if_refused():
            X, labels = validate_data(self, X, y, accept_sparse="csr", dtype="numeric")
            check_classification_targets(labels)
            self._begin(X, unique_labels(labels))
            self._play(X, labels, epochs, self.shuffle)
        return self

    @_unweighted
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
        with self._unchanged_if_refused():
            X, labels = validate_data(
                self, X, y, accept_sparse="csr", dtype="numeric", reset=first
            )
            check_classification_targets(labels)
            known = unique_labels(self.classes_ if classes is None else classes)
            if not first and not np.array_equal(known, self.classes_):
                raise ValueError(
                    f"classes = {classes!r} differ from those of the first call, "
                    f"{self.classes_.tolist()}: leave them out, or call fit to begin "
                    "anew"
                )
            unknown = np.setdiff1d(labels, known)
            if len(unknown):
                raise ValueError(
                    f"y holds the class {unknown.tolist()[0]!r}, which the first call "
                    "did not name: pass all classes to the first partial_fit"
                )
            if first:
                self._begin(X, known)
            self._play(X, labels)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return how far beyond its threshold the score of each example is.

        One column for each class, or one number for each example if there are two
        classes: positive for the larger one.
        """
        scores = self._scores(X) - _thresholds(self.learners_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_proba(self, X: Any) -> Vector:
        """Return the probability of each class, one column for each.

        For two classes it is a sigmoid of the decision function (Platt 1999), for more
        a softmax with one slope for all of them. Either is fitted to `online_scores_`,
        which every call of `partial_fit` adds to. They come from all the hypotheses of
        the game, so take a learner that settles, such as the averaged Perceptron, where
        the labels are noisy. A class that is predicted has a probability above ½ of
        two: a sigmoid that says less is held there.

        >>> X = [[-3.0], [2.0], [-1.0], [1.0], [-2.0], [3.0]]
        >>> classifier = OnlineClassifier().fit(X, [0, 1, 0, 1, 0, 1])
        >>> classifier.predict_proba([[-2.0], [2.0]]).round(2)
        array([[0.87, 0.13],
               [0.26, 0.74]])
        """
        scores = self.decision_function(X)
        if len(self.classes_) > 2:
            slope = probability.fit_softmax(self.online_scores_, self.online_labels_)
            return probability.softmax(scores, slope)
        signs = 2 * self.online_labels_ - 1
        curve = probability.fit_sigmoid(self.online_scores_[:, 0], signs)
        larger = probability.sigmoid(scores, *curve)
        at_least, at_most = 0.5 + HAIR * larger, 0.5 - HAIR * (1 - larger)
        larger = np.where(
            self.predict(X) == self.classes_[1],
            np.maximum(larger, at_least),
            np.minimum(larger, at_most),
        )
        return np.column_stack([1 - larger, larger])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example.

        With two classes a score at the threshold is what the learner makes of it:
        +1 for Winnow, no prediction for the Perceptron, which counts as -1 here. A
        randomized learner gives its likelier answer instead of flipping a coin. Among
        three or more classes the highest score wins, the first one of equals.
        """
        scores, thresholds = self._scores(X), _thresholds(self.learners_)
        if len(self.classes_) > 2:
            return self.classes_[(scores - thresholds).argmax(axis=1)]
        learner, scores = self.learners_[0], scores[:, 0]
        if learner.randomized:
            chance = learner.error_chance
            decided = np.array([chance(s, 1) < chance(s, -1) for s in scores])
        else:
            decided = multiclass.decided(learner, scores)
        return self.classes_[(decided > 0).astype(np.intp)]

    @property
    def coef_(self) -> Vector:
        """The weights of the features, one row for each class, or one row for two.

        They are those that `predict` uses: the average, for an averaged Perceptron.
        With `intercept_` they give the decision function, ``X @ coef_.T + intercept_``.
        """
        weights, totals = self._need_planes("coef_")
        return weights[:, : self.n_features_in_] / totals[:, None]

    @property
    def intercept_(self) -> Vector:
        """The weight of the feature that is always 1, less the threshold."""
        weights, totals = self._need_planes("intercept_")
        bias = weights[:, self.n_features_in_ :].sum(axis=1)
        return bias / totals - _thresholds(self.learners_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @contextmanager
    def _unchanged_if_refused(self) -> Iterator[None]:
        before = self.__dict__.copy()
        try:
            yield
        except BaseException:
            self.__dict__ = before
            raise

    def _begin(self, X: Any, classes: NDArray[Any]) -> None:
        """Make new learners for these classes and examples of this width."""
        if len(classes) < 2:
            raise ValueError(
                f"y holds one class only, {classes.tolist()[0]!r}: a classifier needs "
                "two"
            )
        for name in ("fit_intercept", "shuffle", "verbose"):
            check.flag(getattr(self, name), name)
        make: Any = Perceptron if self.learner is None else self.learner
        width = X.shape[1] + bool(self.fit_intercept)
        made: Any = make
        if isinstance(make, Learner):
            made = make.with_n(width)
        elif callable(make):
            made = make(width)
        if not isinstance(made, Learner) or made.n not in (0, width):
            raise TypeError(
                f"learner({width}) is {made!r}: give a learner, a class such as "
                "olc.Perceptron, or a function that makes one of any number of features"
            )
        if isinstance(made, Linear) and made.features == "real":
            _hint(X)
        count = 1 if len(classes) == 2 else len(classes)
        self.classes_, self.learners_ = classes, [made] * count
        if self.multi_class not in MULTI_CLASS:
            raise ValueError(
                f"multi_class must be one of {MULTI_CLASS}, not {self.multi_class!r}"
            )
        if count > 1 and self.multi_class == "constraint":
            self.learners_ = [ConstraintClassifier(made, classes=count)]
        self.mistakes_ = np.zeros(len(self.learners_), dtype=np.int64)
        self.online_scores_ = np.empty((0, count))
        self.online_labels_ = np.empty(0, dtype=np.intp)

    def _play(
        self, X: Any, labels: NDArray[Any], epochs: int = 1, shuffle: bool = False
    ) -> None:
        """Play these games on copies of the learners, then keep the copies."""
        learners = [copy.deepcopy(learner) for learner in self.learners_]
        numbers = np.searchsorted(self.classes_, labels)
        examples, mistakes = self._with_bias(X), self.mistakes_.copy()
        scores, right = [self.online_scores_], [self.online_labels_]
        random, rounds, done = check_random_state(self.random_state), len(labels), 0
        bar = progress.bar(epochs * rounds, "rounds") if self.verbose else _NO_BAR
        with bar as show, _named_as_in(X, learners[0]):
            for epoch in range(epochs):
                fresh = epoch == 0
                order = random.permutation(rounds) if shuffle else None
                for rows, said in _pieces(examples, numbers, order, self.verbose):
                    before = learners[0].rounds
                    for part, told in _parts(rows, said, before, fresh):
                        if fresh:
                            beyond = _outputs(learners, part) - _thresholds(learners)
                            scores.append(beyond)
                            right.append(told)
                        mistakes += _mistakes(learners, part, told)
                    done += len(said)
                    show(done)
        self.learners_, self.mistakes_ = learners, mistakes
        self.online_scores_ = np.concatenate(scores)[-LATEST:]
        self.online_labels_ = np.concatenate(right)[-LATEST:]

    def _with_bias(self, X: Any) -> Any:
        """Return the examples with the feature that is always 1, if there is one."""
        if not self.fit_intercept:
            return X
        rows, n = X.shape
        if check.is_sparse(X):
            X = check.numeric(X, "X")
            ends = X.indptr[1:]
            entries = np.insert(X.data, ends, 1), np.insert(X.indices, ends, n)
            starts = X.indptr + np.arange(rows + 1)
            return type(X)((*entries, starts), shape=(rows, n + 1))
        with_bias = np.ones((rows, n + 1), dtype=X.dtype)
        with_bias[:, :-1] = X
        return with_bias

    def _scores(self, X: Any) -> Vector:
        """Return the score of each example, one column for each learner."""
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, accept_sparse="csr", dtype="numeric", reset=False)
        planes, n = _planes(self.learners_), self.n_features_in_
        if planes is None or self.learners_[0].features != "real":
            _check(X, self.learners_[0])
        if planes is None:
            return _outputs(self.learners_, self._with_bias(X))
        weights, totals = planes
        with np.errstate(over="ignore", invalid="ignore"):
            scores = (X @ weights[:, :n].T + weights[:, n:].sum(axis=1)) / totals
        if not np.isfinite(scores).all():
            _check(X, self.learners_[0])
        return np.asarray(scores)

    def _need_planes(self, name: str) -> tuple[Vector, Vector]:
        check_is_fitted(self, "classes_")
        planes = _planes(self.learners_)
        if planes is None:
            raise AttributeError(
                f"{type(self.learners_[0]).__name__} has no {name}: its score is not "
                "one weight per feature; use decision_function"
            )
        return planes


def _thresholds(learners: list[Any]) -> Vector:
    return np.array([getattr(learner, "threshold", 0.0) for learner in learners])


def _planes(learners: list[Any]) -> tuple[Vector, Vector] | None:
    """Return the weights of each class and what divides them, if they are linear."""
    first = learners[0]
    if isinstance(first, ConstraintClassifier):
        return first.plane, np.ones(first.classes)
    planes = [multiclass.plane(learner) for learner in learners]
    if planes[0] is None:
        return None
    weights = np.array(planes)
    votes = isinstance(first, WeightedMajority)
    return weights, weights.sum(axis=1) if votes else np.ones(len(weights))


def _outputs(learners: list[Any], examples: Any) -> Vector:
    """Return the score of each example, one column for each class."""
    planes = _planes(learners)
    if planes is not None:
        return np.asarray((examples @ planes[0].T) / planes[1])
    step = max(1, check.CHUNK // examples.shape[1])  # sparse rows become dense
    parts = [examples[i : i + step] for i in range(0, examples.shape[0], step)]
    outputs = [
        np.concatenate([learner.output(part) for part in parts]) for learner in learners
    ]
    return np.stack(outputs, axis=1).astype(np.float64)


def _parts(
    rows: Any, labels: Any, before: int, fresh: bool
) -> Iterator[tuple[Any, Any]]:
    """Yield fresh examples in parts that are short beside the rounds before them.

    A part is scored before it is learned: no score is of an example that is known,
    nor of a learner that has missed many rounds.
    """
    start = 0
    while start < len(labels):
        stop = start + 1 + (before + start) // LAG if fresh else len(labels)
        yield rows[start:stop], labels[start:stop]
        start = stop


def _pieces(rows: Any, labels: Any, order: Any, bar: bool) -> Iterator[tuple[Any, Any]]:
    """Yield the examples in this order: at once, or in pieces for a bar to move."""
    if order is not None:
        rows, labels = rows[order], labels[order]
    if not bar:
        yield rows, labels
        return
    step = -(-len(labels) // PIECES)
    for start in range(0, len(labels), step):
        yield rows[start : start + step], labels[start : start + step]


def _mistakes(learners: list[Any], rows: Any, numbers: Any) -> list[int]:
    """Play on with these rows, and return the mistakes of each learner."""
    if isinstance(learners[0], ConstraintClassifier):
        return [multiclass.play(learners[0], rows, numbers).mistakes]
    places = range(len(learners)) if len(learners) > 1 else [1]
    return [
        play(learner, rows, np.where(numbers == place, 1, -1)).mistakes
        for learner, place in zip(learners, places, strict=True)
    ]


@contextmanager
def _named_as_in(X: Any, learner: Any) -> Iterator[None]:
    """Let a refusal name the row of X as it was given."""
    try:
        yield
    except ValueError:
        _check(X, learner)
        raise


def _check(X: Any, learner: Learner) -> None:
    """Refuse examples that are not the learner's, and name the step that helps."""
    try:
        check.features(check.table(X, 0), learner.features)
    except ValueError as error:
        remedy = REMEDY[learner.features]
        raise ValueError(f"{error} ({type(learner).__name__}: {remedy})") from None


def _hint(X: Any) -> None:
    """Say so where the large features of a dense array drown the small ones."""
    if check.is_sparse(X):
        return
    sizes = np.abs(X[:: max(1, len(X) // GLANCE)].astype(float)).max(axis=0)
    small, large = np.where(sizes > 0, sizes, np.inf).argmin(), sizes.argmax()
    if sizes[large] > APART * sizes[small] > 0:
        warnings.warn(
            f"the features of X differ by orders of magnitude (column {large} goes to "
            f"{sizes[large]:.3g}, column {small} to {sizes[small]:.3g}), and the small "
            "ones will hardly count: put StandardScaler or MaxAbsScaler before it",
            UserWarning,
            stacklevel=5,  # the caller of fit,
        )
