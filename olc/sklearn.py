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

from olc import _checks, _progress
from olc.averaged_perceptron import AveragedPerceptron
from olc.game import play
from olc.learner import Experts, Learner, Linear, Vector
from olc.perceptron import Perceptron

REMEDY = {
    "real": "impute or scale what is not such a number",
    "signs": "put FunctionTransformer(lambda X: np.where(X > 0, 1, -1)) before it",
    "bits": "put Binarizer or OneHotEncoder before it; CountVectorizer(binary=True)",
}
PIECES = 20  #: how often the bar moves in an epoch
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
    each, one against the rest. Features must be those of the learner: numbers, ±1 or
    {0, 1}, in an array or in a sparse matrix, such as CountVectorizer's.

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
    learners_: list[Learner]
    mistakes_: NDArray[np.int64]
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
    ) -> None:
        self.learner = learner
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state
        self.verbose = verbose

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
        epochs = _checks.count(self.epochs, "epochs")
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
                    f"{self.classes_!r}: leave them out, or call fit to begin anew"
                )
            unknown = np.setdiff1d(labels, known)
            if len(unknown):
                raise ValueError(
                    f"y holds the class {unknown[0]!r}, which the first call did not "
                    "name: pass all classes to the first partial_fit"
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
        beyond = self._scores(X) - self._thresholds()
        return beyond[:, 0] if len(self.learners_) == 1 else beyond

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example.

        With two classes a score at the threshold is what the learner makes of it:
        +1 for Winnow, no prediction for the Perceptron, which counts as -1 here. A
        randomized learner votes with its majority instead of flipping a coin. Among
        three or more classes the highest score wins, the first one of equals.
        """
        scores = self._scores(X)
        if len(self.learners_) > 1:
            return self.classes_[(scores - self._thresholds()).argmax(axis=1)]
        learner, scores = self.learners_[0], scores[:, 0]
        if learner.randomized:
            decided = np.sign(scores - self._thresholds())
        elif hasattr(learner.decide, "entrywise"):
            decided = learner.decide(scores)
        else:
            decided = np.array([learner.decide(score) for score in scores])
        return self.classes_[(decided > 0).astype(np.intp)]

    @property
    def coef_(self) -> Vector:
        """The weights of the features, one row for each learner.

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
        return bias / totals - self._thresholds()

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
                f"y holds one class only, {classes[0]!r}: a classifier needs two"
            )
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
        self.mistakes_ = np.zeros(count, dtype=np.int64)

    def _play(
        self, X: Any, labels: NDArray[Any], epochs: int = 1, shuffle: bool = False
    ) -> None:
        """Play these games on copies of the learners, then keep the copies."""
        learners = [copy.deepcopy(learner) for learner in self.learners_]
        larger = self.classes_[1:] if len(learners) == 1 else self.classes_
        examples, mistakes = self._with_bias(X), self.mistakes_.copy()
        random, rounds, done = check_random_state(self.random_state), len(labels), 0
        bar = _progress.bar(epochs * rounds, "rounds") if self.verbose else _NO_BAR
        with bar as show:
            for _ in range(epochs):
                order = random.permutation(rounds) if shuffle else None
                for rows, said in _pieces(examples, labels, order, self.verbose):
                    for i, learner in enumerate(learners):
                        signs = np.where(said == larger[i], 1, -1)
                        mistakes[i] += _mistakes(learner, rows, signs, X)
                    done += len(said)
                    show(done)
        self.learners_, self.mistakes_ = learners, mistakes

    def _with_bias(self, X: Any) -> Any:
        """Return the examples with the feature that is always 1, if there is one."""
        if not self.fit_intercept:
            return X
        rows, n = X.shape
        if _checks.is_sparse(X):
            X = _checks.numeric(X, "X")
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
        planes = self._planes()
        if planes is None or self.learners_[0].features != "real":
            _check(X, self.learners_[0])
        if planes is not None:
            weights, totals = planes
            n = self.n_features_in_
            return (X @ weights[:, :n].T + weights[:, n:].sum(axis=1)) / totals
        examples = self._with_bias(X)
        step = max(1, _checks.CHUNK // examples.shape[1])  # sparse rows become dense
        parts = [examples[i : i + step] for i in range(0, X.shape[0], step)]
        outputs = [
            np.concatenate([learner.output(part) for part in parts])
            for learner in self.learners_
        ]
        return np.stack(outputs, axis=1).astype(np.float64)

    def _thresholds(self) -> Vector:
        return np.array([getattr(made, "threshold", 0.0) for made in self.learners_])

    def _planes(self) -> tuple[Vector, Vector] | None:
        """Return the weights of each learner and what divides them, if it is linear."""
        planes = [_plane(learner) for learner in self.learners_]
        if planes[0] is None:
            return None
        weights = np.array(planes)
        votes = isinstance(self.learners_[0], Experts)
        return weights, weights.sum(axis=1) if votes else np.ones(len(weights))

    def _need_planes(self, name: str) -> tuple[Vector, Vector]:
        check_is_fitted(self, "classes_")
        planes = self._planes()
        if planes is None:
            raise AttributeError(
                f"{type(self.learners_[0]).__name__} has no {name}: its score is not "
                "one weight per feature; use decision_function"
            )
        return planes


def _plane(learner: Learner) -> Vector | None:
    """Return the weights that the output of a learner is an inner product with."""
    kind = type(learner)
    if isinstance(learner, AveragedPerceptron):
        return learner.average if kind.output is AveragedPerceptron.output else None
    linear = isinstance(learner, Linear) and kind.output is Learner.output
    if linear and kind.score in (Linear.score, Experts.score):
        return learner.weights
    return None


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


def _mistakes(learner: Learner, rows: Any, signs: NDArray[Any], X: Any) -> int:
    """Play a game on some rows of X, and return its mistakes."""
    try:
        return play(learner, rows, signs).mistakes
    except ValueError:
        _check(X, learner)  # which names the row as it was given
        raise


def _check(X: Any, learner: Learner) -> None:
    """Refuse examples that are not the learner's, and name the step that helps."""
    try:
        _checks.block(X, 0, learner.features)
    except ValueError as error:
        remedy = REMEDY[learner.features]
        raise ValueError(f"{error} ({type(learner).__name__}: {remedy})") from None


def _hint(X: Any) -> None:
    """Say so where the large features of a dense array drown the small ones."""
    if _checks.is_sparse(X):
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
