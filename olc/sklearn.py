"""The learners as a scikit-learn estimator, for pipelines that people already have.

scikit-learn is imported here and nowhere else in the package, but for its data sets.
"""

# ruff: noqa: E402 - what is missing is named before it is used

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check

check.optional_import("sklearn", "scipy")

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import (
    _check_partial_fit_first_call,
    check_classification_targets,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from olc import probability
from olc.averaged_perceptron import AveragedPerceptron
from olc.core.check import Vector
from olc.core.learner import Learner
from olc.core.stream import as_stream
from olc.fast.play import validates_itself
from olc.geometry import side_by_side
from olc.multiclass import ConstraintClassifier, OneAgainstAll, run_game

__all__ = ["OnlineClassifier"]

REMEDY = {
    "real": "impute NaN, and scale what is infinite",
    "signs": "put FunctionTransformer(lambda X: np.where(X > 0, 1, -1)) before it",
    "bits": "put Binarizer or OneHotEncoder before it; CountVectorizer(binary=True)",
}
FORMS = {"one_against_all": OneAgainstAll, "constraint": ConstraintClassifier}
PIECES = 20  #: how often the bar moves in an epoch
LAG = 8  #: rounds before an example, to one that its score was taken ahead
LATEST = 2_000  #: rounds whose scores are kept for the probabilities
HAIR = 1e-6  #: how far probabilities are held apart, in the order of their scores

Form = Any  # Learner | OneAgainstAll | ConstraintClassifier


def _has_probabilities(classifier: OnlineClassifier) -> bool:
    if not classifier.probability:
        raise AttributeError(
            "predict_proba needs scores that are kept during fit: set probability=True"
        )
    return True


class OnlineClassifier(ClassifierMixin, BaseEstimator):
    """Any learner of this package as a scikit-learn classifier.

    The default needs no tuning: the averaged Perceptron, in five passes, each in a
    random order that is the same in every run.

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
        the averaged Perceptron.
    fit_intercept : bool, default=True
        Append a feature that is always 1, so that the learner has a bias. It is one of
        the n features: Winnow's default threshold counts it.
    epochs : int, default=5
        How often `fit` goes through the data. `partial_fit` goes once.
    shuffle : bool, default=True
        Whether `fit` takes the examples in a new random order in every epoch;
        `partial_fit` takes them as they come. `epochs=1, shuffle=False` is the game
        that the theorems are about.
    random_state : int, RandomState or None, default=0
        Where the order comes from when `shuffle` is true. The same number gives the
        same classifier, None another one each time.
    verbose : bool, default=False
        Show a progress bar, at a terminal or in a notebook.
    multi_class : {"one_against_all", "constraint"}, default="one_against_all"
        What three or more classes become: `olc.OneAgainstAll` takes any learner,
        `olc.ConstraintClassifier` a linear one, whose right class is to score above
        the others. For two classes it makes no difference.
    probability : bool, default=False
        Whether there is `predict_proba`. The scores that it needs are taken during
        `fit` and `partial_fit`, each before its example is learned.

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
        If `probability` is true, the last 2,000 values of `decision_function` that were
        computed before the example was learned, and the places of the right classes in
        `classes_`. Of several epochs only the first counts, as later ones know the
        examples.
    n_features_in_, feature_names_in_ : int, ndarray
        As everywhere in scikit-learn.

    Examples
    --------
    >>> classifier = OnlineClassifier().fit([[0, 1], [1, 0]], ["left", "right"])
    >>> classifier.predict([[0, 2], [3, 1]]).tolist()
    ['left', 'right']
    >>> classifier.coef_, classifier.intercept_
    (array([[ 0.9, -0.8]]), array([0.1]))

    >>> import olc
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = ["a fine day", "rain and wind", "fine wind", "rain all day"]
    >>> spam = make_pipeline(
    ...     CountVectorizer(binary=True), OnlineClassifier(olc.Winnow(1))
    ... )
    >>> spam.fit(texts, ["dry", "wet", "dry", "wet"]).predict(["all the rain"])
    array(['wet'], dtype='<U3')
    """

    classes_: NDArray[Any]
    mistakes_: NDArray[np.int64]
    n_features_in_: int
    online_scores_: Vector
    online_labels_: NDArray[np.intp]
    _form: Form

    def __init__(
        self,
        learner: Learner | Callable[[int], Learner] | None = None,
        *,
        fit_intercept: bool = True,
        epochs: int = 5,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
        verbose: bool = False,
        multi_class: str = "one_against_all",
        probability: bool = False,
    ) -> None:
        self.learner = learner
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state
        self.verbose = verbose
        self.multi_class = multi_class
        self.probability = probability

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Forget what was learned, then play `epochs` games on these examples."""
        return self._learn(X, y, partial=False)

    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None
    ) -> Self:
        """Play on with these examples, in this order.

        The first call must name all `classes`; later ones may leave them out.
        """
        return self._learn(X, y, partial=True, classes=classes)

    def _learn(self, X: Any, y: Any, partial: bool, classes: Any = None) -> Self:
        """Check everything once, and play; if it is refused, nothing has changed."""
        before = self.__dict__.copy()
        try:
            fresh = not partial or _check_partial_fit_first_call(self, classes)
            X, y = self._validated(X, y, reset=fresh)
            known, numbers = _numbered(y)
            if known.dtype.kind not in "biuUS":  # those are names of classes
                check_classification_targets(known)
            if partial:
                if len(unknown := np.setdiff1d(known, self.classes_)):
                    raise ValueError(
                        f"y holds the class {unknown.tolist()[0]!r}, which the first "
                        "call did not name: pass all classes to the first partial_fit"
                    )
                numbers = np.searchsorted(self.classes_, known)[numbers]
            if fresh:
                self._begin(X, self.classes_ if partial else known)
            X = check.numeric(X, "X")  # which adds up what stands twice
            epochs = 1 if partial else check.count(self.epochs, "epochs")
            alone = isinstance(self._form, Learner)
            if not (
                alone and validates_itself(self._form, as_stream(X, 2 * numbers - 1))
            ):
                _check(X, self._form)
            try:
                self._play(X, numbers, epochs, self.shuffle and not partial)
            except ValueError:
                _check(X, self._form)  # in the words of this door
                raise
        except BaseException:
            self.__dict__ = before
            raise
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return how far beyond its threshold the score of each example is.

        One column for each class, or one number for each example if there are two
        classes: positive for the larger one.
        """
        scores = self._scores(X) - _thresholds(self._form)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Vector:
        """Return the probability of each class, if `probability` is true.

        For two classes it is a sigmoid of the decision function (Platt 1999), for more
        a softmax with one slope for all of them. Either is fitted to `online_scores_`,
        which every call of `partial_fit` adds to. They come from all the hypotheses of
        the game, so take a learner that settles, as the averaged Perceptron does, where
        the labels are noisy. A class that is predicted has a probability above ½ of
        two: a sigmoid that says less is held there.

        >>> X = [[-3.0], [2.0], [-1.0], [1.0], [-2.0], [3.0]]
        >>> classifier = OnlineClassifier(probability=True)
        >>> classifier = classifier.fit(X, [0, 1, 0, 1, 0, 1])
        >>> classifier.predict_proba([[-2.0], [2.0]]).round(2)
        array([[0.81, 0.19],
               [0.08, 0.92]])
        """
        check_is_fitted(self, "online_scores_")
        raw = self._scores(X)
        scores, places = raw - _thresholds(self._form), self._places(raw)
        if len(self.classes_) > 2:
            chances = probability.softmax(scores, *self._curve)
            # apart even where the slope is 0
            sizes = np.abs(scores).max(axis=1, keepdims=True)
            shares = 1 + scores / np.where(sizes > 0, sizes, 1)
            shares[np.arange(len(places)), places] += 1
            chances += HAIR * shares
            return chances / chances.sum(axis=1, keepdims=True)
        larger = probability.sigmoid(scores[:, 0], *self._curve)
        held = 0.5 + HAIR * (larger - (places == 0))  # on the right side of ½
        larger = np.where((larger > held) == (places == 1), larger, held)
        return np.column_stack([1 - larger, larger])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example.

        With two classes a score at the threshold is what the learner makes of it:
        +1 for Winnow, no prediction for the Perceptron, which counts as -1 here. A
        randomized learner gives its likelier answer instead of flipping a coin. Among
        three or more classes the highest score wins, the first one of equals.
        """
        places = self._places(self._scores(X))
        return self.classes_[places]

    def _places(self, scores: Vector) -> Any:
        """Return the places of the predicted classes in `classes_`."""
        if len(self.classes_) > 2:
            return (scores - _thresholds(self._form)).argmax(axis=1)
        learner, column = self._form, scores[:, 0]
        if learner.randomized:
            chance = learner.error_chance
            return np.array([chance(s, 1) < chance(s, -1) for s in column]).astype(int)
        return (learner.labels(column) > 0).astype(int)

    @property
    def learners_(self) -> list[Any]:
        """One learner, or one for each class; with constraints, the classifier."""
        return _learners(self._form)

    @property
    def coef_(self) -> Vector:
        """The weights of the features, one row for each class, or one row for two.

        They are those that `predict` uses: the average, for an averaged Perceptron.
        With `intercept_` they give the decision function, ``X @ coef_.T + intercept_``.
        """
        return self._need_plane("coef_")[:, : self.n_features_in_]

    @property
    def intercept_(self) -> Vector:
        """The weight of the feature that is always 1, less the threshold."""
        bias = self._need_plane("intercept_")[:, self.n_features_in_ :].sum(axis=1)
        return bias - _thresholds(self._form)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _begin(self, X: Any, classes: NDArray[Any]) -> None:
        """Make new learners for these classes and examples of this width."""
        if len(classes) < 2:
            raise ValueError(
                f"y holds one class only, {classes.tolist()[0]!r}: a classifier "
                "needs two"
            )
        for name in ("fit_intercept", "shuffle", "verbose", "probability"):
            check.flag(getattr(self, name), name)
        if self.multi_class not in FORMS:
            raise ValueError(
                f"multi_class must be one of {tuple(FORMS)}, not {self.multi_class!r}"
            )
        made: Any = AveragedPerceptron if self.learner is None else self.learner
        width = X.shape[1] + bool(self.fit_intercept)
        if isinstance(made, Learner):
            made = made.replaced(n=width)
        elif callable(made):
            made = made(width)
        if not isinstance(made, Learner) or made.n not in (0, width):
            what = f"learner({width})" if callable(self.learner) else "learner"
            raise TypeError(
                f"{what} is {made!r}: give a learner, a class such as olc.Perceptron, "
                "or a function that makes one of any number of features"
            )
        self.classes_, self._form = classes, made
        if len(classes) > 2:
            self._form = FORMS[self.multi_class](made, classes=len(classes))
        self.mistakes_ = np.zeros(len(self.learners_), dtype=np.int64)
        for name in ("online_scores_", "online_labels_"):  # of an earlier fit
            self.__dict__.pop(name, None)

    @np.errstate(over="ignore", invalid="ignore")  # the game refuses such rows
    def _play(self, X: Any, labels: Any, epochs: int, shuffle: bool) -> None:
        """Play these games on a copy of the learners, then keep the copy."""
        form, rounds, bar = copy.deepcopy(self._form), len(labels), None
        mistakes, random = self.mistakes_.copy(), check_random_state(self.random_state)
        late, scores = max(0, rounds - LATEST), []  # whose scores are kept
        step = rounds
        if self.verbose:
            bar = check.optional_import("tqdm.auto").tqdm(
                total=epochs * rounds, desc="rounds"
            )
            step = -(-rounds // PIECES)
        for epoch in range(epochs):
            rows, told, start = X, labels, 0
            if shuffle:
                order = random.permutation(rounds)
                rows, told = X[order], labels[order]
            honest = self.probability and epoch == 0  # later ones know the examples
            while start < rounds:
                stop = min(start + step, rounds)
                if honest:
                    ahead = start + 1 + form.rounds // LAG
                    stop = min(stop, late if start < late else ahead)
                some = _rows(rows, start, stop)
                if honest and start >= late:
                    found = _outputs(form, some, self.fit_intercept)
                    scores.append(found - _thresholds(form))
                mistakes += _mistakes(form, some, told[start:stop], self.fit_intercept)
                if bar is not None:
                    bar.update(stop - start)
                start = stop
            if honest:
                self._keep(np.concatenate(scores), told[late:])
        if bar is not None:
            bar.close()
        self._form, self.mistakes_ = form, mistakes

    def _keep(self, scores: Vector, labels: NDArray[np.intp]) -> None:
        """Add honest scores to those of earlier calls, and fit a curve to them."""
        if hasattr(self, "online_scores_"):
            scores = np.concatenate([self.online_scores_, scores])[-LATEST:]
            labels = np.concatenate([self.online_labels_, labels])[-LATEST:]
        self.online_scores_, self.online_labels_ = scores, labels
        if len(self.classes_) > 2:
            self._curve: Any = (probability.fit_softmax(scores, labels),)
        else:
            self._curve = probability.fit_sigmoid(scores[:, 0], 2 * labels - 1)

    def _validated(self, *data: Any, reset: bool) -> Any:
        """Let scikit-learn check all but the entries of X, which `_check` does."""
        return validate_data(
            self, *data, accept_sparse="csr", reset=reset, ensure_all_finite=False
        )

    def _scores(self, X: Any) -> Vector:
        """Return the score of each example, one column for each learner."""
        check_is_fitted(self, "classes_")
        X = self._validated(X, reset=False)
        _check(X, self._form)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = _outputs(self._form, X, self.fit_intercept)
        if not np.isfinite(scores).all():
            raise ValueError("X has infinite scores: scale the features down")
        return scores

    def _need_plane(self, name: str) -> Vector:
        check_is_fitted(self, "classes_")
        planes = _planes(self._form)
        if planes is None:
            raise AttributeError(
                f"{type(self.learners_[0]).__name__} has no {name}: its score is not "
                "one weight per feature; use decision_function"
            )
        return planes


def _numbered(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the labels that occur, and their places; two are found without sorting."""
    known = np.unique(y[:100])
    if len(known) == 2 and ((y == known[0]) | (larger := y == known[1])).all():
        return known, larger.astype(np.intp)
    return np.unique(y, return_inverse=True)


def _learners(form: Form) -> list[Any]:
    return form.learners if isinstance(form, OneAgainstAll) else [form]


def _thresholds(form: Form) -> Vector:
    return np.array([getattr(each, "threshold", 0.0) for each in _learners(form)])


def _planes(form: Form) -> Vector | None:
    """Return the weights of each class, if all scores are products with weights."""
    planes = [each.final_weights for each in _learners(form)]
    return None if planes[0] is None else np.vstack(planes)


def _outputs(form: Form, X: Any, bias: bool) -> Vector:
    """Return the outputs for sound rows, one column for each class."""
    planes, n = _planes(form), X.shape[1]
    if planes is not None:
        return np.asarray(X @ planes[:, :n].T + planes[:, n:].sum(axis=1))
    rows = _with_bias(X) if bias else X
    return np.column_stack([each.scores(rows, final=True) for each in _learners(form)])


def _mistakes(form: Form, X: Any, labels: Any, bias: bool) -> Any:
    """Play sound rows, and return the mistakes of each learner."""
    if bias:  # in pieces, so that there is never a second X
        return sum(
            _mistakes(form, _with_bias(part), labels[start:][: part.shape[0]], False)
            for start, part in check.chunks(X, 4 * check.CHUNK)
        )
    if isinstance(form, ConstraintClassifier):
        scores, _ = form.run(X, labels)
        return np.array([np.count_nonzero(form.decide(scores) != labels)])
    if isinstance(form, OneAgainstAll):
        games = form.run_games(X, labels)
    else:
        games = [run_game(form, X, 2 * labels - 1)]
    return np.array([game.mistakes for game in games])


def _rows(X: Any, start: int, stop: int) -> Any:
    """Return these rows; SciPy would copy them entry by entry, even all of them."""
    if stop - start == X.shape[0] or not check.is_sparse(X):
        return X if stop - start == X.shape[0] else X[start:stop]
    ends = X.indptr[start : stop + 1]
    entries = slice(ends[0], ends[-1])
    parts = X.data[entries], X.indices[entries], ends - ends[0]
    made = type(X)(parts, shape=(stop - start, X.shape[1]))
    made.has_canonical_format = True  # as X is
    return made


def _with_bias(X: Any) -> Any:
    """Return a copy of the examples with one more feature, always 1."""
    return side_by_side([X, np.ones((X.shape[0], 1), X.dtype)])


def _check(X: Any, form: Form) -> None:
    """Refuse examples that are not the learner's, and name the step that helps."""
    try:
        check.features(X, form.features)
    except ValueError as error:
        raise ValueError(f"{error} ({REMEDY[form.features]})") from None
