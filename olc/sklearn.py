"""The learners as a scikit-learn estimator, for pipelines that people already have.

scikit-learn is imported here and nowhere else in the package, but for its data sets.
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from olc import probability
from olc.core import check
from olc.core.check import Vector
from olc.core.learner import Learner, Linear, has
from olc.multiclass import ConstraintClassifier, OneAgainstAll, run_game, with_bias
from olc.perceptron import Perceptron
from olc.weighted_majority import WeightedMajority

REMEDY = {
    "real": "impute or scale what is not such a number",
    "signs": "put FunctionTransformer(lambda X: np.where(X > 0, 1, -1)) before it",
    "bits": "put Binarizer or OneHotEncoder before it; CountVectorizer(binary=True)",
}
FORMS = {"one_against_all": OneAgainstAll, "constraint": ConstraintClassifier}
PIECES = 20  #: how often the bar moves in an epoch
LAG = 8  #: rounds before an example, to one that its score was taken ahead
HAIR = 1e-6  #: how far probabilities are held apart, in the order of their scores
LATEST = 10_000  #: rounds whose scores are kept for the probabilities
GAMES = 8  #: games that are kept to be scored later
APART = 1000.0  #: features whose sizes differ by more are reported
GLANCE = 1000  #: rows that are looked at for it

Method = TypeVar("Method", bound=Callable[..., Any])
Form = Any  # Learner | OneAgainstAll | ConstraintClassifier


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


class _Online:
    """The honest scores of the latest rounds, computed when they are asked for.

    Until then it holds the rows, and the learner as it was before the first of them.
    """

    def __init__(self, form: Form, bias: bool) -> None:
        self.kept: Any = np.empty((0, len(_thresholds(form)))), np.empty(0, np.intp), ()
        self.bias = bias
        self.fitted: Any = None, ()

    def add(self, before: Form, rows: Any, labels: Any, mistakes: Any) -> None:
        """Keep a game that began with this learner."""
        *known, games = self.kept
        self.kept = (*known, (*games, (before, rows, labels, mistakes)))
        if len(games) >= GAMES or sum(len(game[2]) for game in games) > LATEST:
            self.read()

    def read(self) -> tuple[Vector, NDArray[np.intp]]:
        """Return the scores and the labels of the latest rounds.

        The examples are scored in parts that are short beside the rounds before them,
        and then learned: no score is of an example that is known, nor of a learner that
        has missed many rounds.
        """
        scores, known, games = self.kept
        for before, rows, labels, mistakes in games:
            form, found, start = copy.deepcopy(before), [scores], 0
            while start < len(labels):
                part = slice(start, start := start + 1 + form.rounds // LAG)
                some = _rows(rows, part)
                found.append(_outputs(form, some, self.bias) - _thresholds(form))
                mistakes = mistakes - _mistakes(form, some, labels[part], self.bias)
            if mistakes.any():
                raise ValueError(
                    "X is no longer what it was when it was learned: give fit a copy "
                    "before you change it"
                )
            scores = np.concatenate(found)[-LATEST:]
            known = np.concatenate([known, labels])[-LATEST:]
        if games:
            self.kept = scores, known, ()
        return scores, known

    def curve(self) -> tuple[float, ...]:
        """Return the likeliest curve through the scores."""
        scores, labels = self.read()
        if self.fitted[0] is not scores:
            if scores.shape[1] > 1:
                found: Any = (probability.fit_softmax(scores, labels),)
            else:
                found = probability.fit_sigmoid(scores[:, 0], 2 * labels - 1)
            self.fitted = scores, found
        return self.fitted[1]

    def __getstate__(self) -> dict[str, Any]:
        self.read()  # so that no rows are pickled
        return self.__dict__


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
        several epochs only the first counts, as later ones know the examples. They are
        computed when they, or probabilities, are first asked for, or the classifier is
        pickled; until then it holds on to the last rows of X.
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
        return self._learn(X, y, None, True, epochs, self.shuffle)

    @_unweighted
    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None
    ) -> Self:
        """Play on with these examples, in this order.

        The first call must name all `classes`; later ones may leave them out.
        """
        fresh = not hasattr(self, "classes_")
        if fresh and classes is None:
            raise ValueError(
                "classes must be passed on the first call to partial_fit: "
                "classes=np.unique(y) of all that is to come"
            )
        return self._learn(X, y, classes, fresh, 1, False)

    def _learn(
        self, X: Any, y: Any, classes: Any, fresh: bool, epochs: int, shuffle: bool
    ) -> Self:
        """Check everything once, and play; if it is refused, nothing has changed."""
        before = self.__dict__.copy()
        try:
            X, y = validate_data(
                self, X, y, accept_sparse="csr", dtype="numeric", reset=fresh
            )
            known, numbers = np.unique(y, return_inverse=True)
            if known.dtype.kind not in "biuUS":  # those are names of classes
                check_classification_targets(known)
            if classes is not None or not fresh:
                given = self.classes_ if classes is None else unique_labels(classes)
                if not fresh and not np.array_equal(given, self.classes_):
                    raise ValueError(
                        f"classes = {classes!r} differ from those of the first call, "
                        f"{self.classes_.tolist()}: leave them out, or call fit to "
                        "begin anew"
                    )
                if len(unknown := np.setdiff1d(known, given)):
                    raise ValueError(
                        f"y holds the class {unknown.tolist()[0]!r}, which the first "
                        "call did not name: pass all classes to the first partial_fit"
                    )
                known, numbers = given, np.searchsorted(given, known)[numbers]
            if fresh:
                self._begin(X, known)
            X = check.numeric(X, "X")
            _check(X, self._form)
            self._play(X, numbers, epochs, shuffle)
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
        raw = self._scores(X)
        scores, places = raw - _thresholds(self._form), self._places(raw)
        curve = self._online.curve()
        if len(self.classes_) > 2:
            chances = probability.softmax(scores, *curve)
            # apart even where the slope is 0
            low, high = (
                edge(axis=1, keepdims=True) for edge in (scores.min, scores.max)
            )
            shares = (scores - low) / np.where(high > low, high - low, 1)
            shares[np.arange(len(places)), places] += 1
            chances += HAIR * shares
            return chances / chances.sum(axis=1, keepdims=True)
        larger = probability.sigmoid(scores[:, 0], *curve)
        at_least, at_most = 0.5 + HAIR * larger, 0.5 - HAIR * (1 - larger)
        larger = np.where(
            places == 1, np.maximum(larger, at_least), np.minimum(larger, at_most)
        )
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
        return (learner.decided(column) > 0).astype(int)

    @property
    def learners_(self) -> list[Any]:
        """One learner, or one for each class; with constraints, the classifier."""
        return _learners(self._form)

    @property
    def online_scores_(self) -> Vector:
        """The decision function of the latest examples before they were learned."""
        return self._online.read()[0]

    @property
    def online_labels_(self) -> NDArray[np.intp]:
        """The places of their classes in `classes_`."""
        return self._online.read()[1]

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
                f"y holds one class only, {classes.tolist()[0]!r}: a classifier needs "
                "two"
            )
        for name in ("fit_intercept", "shuffle", "verbose"):
            check.flag(getattr(self, name), name)
        if self.multi_class not in FORMS:
            raise ValueError(
                f"multi_class must be one of {tuple(FORMS)}, not {self.multi_class!r}"
            )
        made: Any = Perceptron if self.learner is None else self.learner
        width = X.shape[1] + bool(self.fit_intercept)
        if isinstance(made, Learner):
            made = made.replaced(n=width)
        elif callable(made):
            made = made(width)
        if not isinstance(made, Learner) or made.n not in (0, width):
            raise TypeError(
                f"learner({width}) is {made!r}: give a learner, a class such as "
                "olc.Perceptron, or a function that makes one of any number of features"
            )
        if isinstance(made, Linear) and made.features == "real":
            _hint(X)
        self.classes_, self._form = classes, made
        if len(classes) > 2:
            self._form = FORMS[self.multi_class](made, classes=len(classes))
        self.mistakes_ = np.zeros(len(self.learners_), dtype=np.int64)
        self._online = _Online(self._form, self.fit_intercept)

    def _play(self, X: Any, labels: Any, epochs: int, shuffle: bool) -> None:
        """Play these games on a copy of the learners, then keep the copy."""
        form, rounds = copy.deepcopy(self._form), len(labels)
        mistakes, random = self.mistakes_.copy(), check_random_state(self.random_state)
        cut, bar = max(0, rounds - LATEST), None
        if self.verbose:
            bar = check.need("tqdm.auto").tqdm(total=epochs * rounds, desc="rounds")
        step = rounds if bar is None else -(-rounds // PIECES)
        for epoch in range(epochs):
            rows, told, start = X, labels, 0
            if shuffle:
                order = random.permutation(rounds)
                rows, told = X[order], labels[order]
            pieces = {*range(step, rounds, step), rounds}
            for stop in sorted(pieces | ({cut} - {0} if epoch == 0 else set())):
                if epoch == 0 and start == cut:
                    before, so_far = copy.deepcopy(form), mistakes.copy()
                part = slice(start, stop)
                some = _rows(rows, part)
                mistakes += _mistakes(form, some, told[part], self.fit_intercept)
                if bar is not None:
                    bar.update(stop - start)
                start = stop
            if epoch == 0:
                rows = _rows(rows, slice(cut, None))  # a view, unless X is much longer
                rows = rows.copy() if cut > LATEST else rows
                game = before, rows, told[cut:], mistakes - so_far
        if bar is not None:
            bar.close()
        self._form, self.mistakes_ = form, mistakes
        self._online.add(*game)

    def _scores(self, X: Any) -> Vector:
        """Return the score of each example, one column for each learner."""
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, accept_sparse="csr", dtype="numeric", reset=False)
        _check(X, self._form)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = _outputs(self._form, X, self.fit_intercept)
        if not np.isfinite(scores).all():
            raise ValueError(
                "X has scores that are not finite: scale the features down"
            )
        return scores

    def _need_plane(self, name: str) -> Vector:
        check_is_fitted(self, "classes_")
        planes = _planes(self._form)
        if planes is None:
            raise AttributeError(
                f"{type(self.learners_[0]).__name__} has no {name}: its score is not "
                "one weight per feature; use decision_function"
            )
        return planes[0] / planes[1][:, None]


def _learners(form: Form) -> list[Any]:
    return form.learners if isinstance(form, OneAgainstAll) else [form]


def _thresholds(form: Form) -> Vector:
    if isinstance(form, ConstraintClassifier):
        return np.zeros(form.classes)
    return np.array([learner.threshold for learner in _learners(form)])


def _planes(form: Form) -> tuple[Vector, Vector] | None:
    """Return the weights of each class and what divides them, if they are linear."""
    if isinstance(form, ConstraintClassifier):
        return form.plane, np.ones(form.classes)
    learners = _learners(form)
    if has(learners[0], WeightedMajority.score, Learner.output):
        weights = np.array([learner.weights for learner in learners])
        return weights, weights.sum(axis=1)
    planes = [learner.plane for learner in learners]
    return None if planes[0] is None else (np.array(planes), np.ones(len(planes)))


def _outputs(form: Form, rows: Any, bias: bool) -> Vector:
    """Return the outputs for sound rows, one column for each learner."""
    planes, n = _planes(form), rows.shape[1]
    if planes is not None:
        weights, totals = planes
        return np.asarray(rows @ weights[:, :n].T + weights[:, n:].sum(axis=1)) / totals
    parts = [check.as_floats(part) for _, part in check.chunks(rows)]
    columns = [
        [
            learner.output(x)
            for part in parts
            for x in (with_bias(part) if bias else part)
        ]
        for learner in _learners(form)
    ]
    return np.array(columns, dtype=float).T


def _mistakes(form: Form, rows: Any, labels: Any, bias: bool) -> Any:
    """Play sound rows, and return the mistakes of each learner."""
    if isinstance(form, ConstraintClassifier):
        scores, _ = form.run(with_bias(rows) if bias else rows, labels)
        return np.array([np.count_nonzero(form.decide(scores) != labels)])
    if isinstance(form, OneAgainstAll):
        games = form.run_games(rows, labels, bias)
    else:
        games = [run_game(form, rows, 2 * labels - 1, bias)]
    return np.array([game.mistakes for game in games])


def _rows(X: Any, part: slice) -> Any:
    """Return some of the rows without a copy."""
    start, stop, _ = part.indices(X.shape[0])
    if stop - start == X.shape[0]:
        return X
    if not check.is_sparse(X):
        return X[part]
    ends = X.indptr[start : stop + 1]
    entries = slice(ends[0], ends[-1])
    parts = X.data[entries], X.indices[entries], ends - ends[0]
    made = type(X)(parts, shape=(len(ends) - 1, X.shape[1]))
    made.has_canonical_format = True
    return made


def _check(X: Any, form: Form) -> None:
    """Refuse examples that are not the learner's, and name the step that helps."""
    if form.features == "real":  # scikit-learn has looked
        return
    try:
        check.features(X, form.features)
    except ValueError as error:
        kind = type(getattr(form, "learner", _learners(form)[0])).__name__
        remedy = REMEDY[form.features]
        raise ValueError(f"{error} ({kind}: {remedy})") from None


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
            stacklevel=6,  # the caller of fit
        )
