"""The learners as a scikit-learn estimator, for pipelines that people already have.

scikit-learn is imported here and nowhere else in the package, but for its data sets.
"""

# ruff: noqa: E402 - what is missing is named before it is used

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check

check.optional_import("sklearn", "scipy")

from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.extmath import row_norms
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import (
    _check_partial_fit_first_call,
    check_classification_targets,
)
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    validate_data,
)

from olc import probability
from olc.averaged_perceptron import AveragedMarginPerceptron, AveragedPerceptron
from olc.core.check import Vector
from olc.core.game import Game, unchanged_on_error
from olc.core.learner import Learner, Linear, has
from olc.core.stream import Stream
from olc.fast import play as engine
from olc.multiclass import ConstraintClassifier, OneAgainstAll

__all__ = ["OnlineClassifier"]

REMEDY = {
    "real": "impute NaN, and scale what is infinite",
    "signs": "put FunctionTransformer(lambda X: np.where(X > 0, 1, -1)) before it",
    "bits": "put Binarizer or OneHotEncoder before it; CountVectorizer(binary=True)",
}
FORMS = {"one_against_all": OneAgainstAll, "constraint": ConstraintClassifier}
LAG = 8  #: rounds before an example, to one that its score was taken ahead
LATEST = 2_000  #: rounds whose scores are kept for the probabilities
HAIR = 1e-6  #: how far probabilities are held apart, in the order of their scores

Form = Any  # Learner | OneAgainstAll | ConstraintClassifier


def _has_probabilities(classifier: OnlineClassifier) -> bool:
    if not classifier.probability:
        lack = "predict_proba needs scores that are kept during fit"
        raise AttributeError(f"{lack}: set probability=True")
    return True


class OnlineClassifier(ClassifierMixin, BaseEstimator):
    r"""Any learner of this package as a scikit-learn classifier.

    The default is an averaged margin Perceptron whose thickness is half the mean
    squared length of the examples: the R²/2 of {prf:ref}`thm-averaged-margin`. `fit`
    makes five passes, each in a random order that is the same in every run. Scale
    features of different units first, with StandardScaler for instance.

    Two classes share one learner, which says +1 for the second label in sorted order.
    With more there is one learner for each class, against all the others, or one
    learner under constraints. Examples are an array or a sparse matrix of what the
    learner takes: numbers, ±1 or {0, 1}.

    A `sample_weight` or `class_weight` of c makes a step c times as long, if a learner
    steps by a multiple of y·x. An example of weight 0 is left out of the games, though
    the thickness of the default counts it. The Perceptron's theorem then bounds the sum
    of the mistakes' weights by R²/γ² times the largest weight, as
    :math:`(\gamma\sum c)^2 \le R^2\sum c^2 \le R^2 c_{\max}\sum c`. A weight of 2 is
    not an example that comes twice: the second time it may be no mistake.

    Parameters
    ----------
    learner : Learner or callable, default=None
        A learner such as `olc.NormalizedWinnow(1, eta=0.1)`: `fit` makes a new one with
        the same parameters for the width of X, whatever its n, and a grid search
        reaches them as `learner__eta`. Or a class, or a function of n. None stands for
        `olc.AveragedMarginPerceptron`, with a thickness that the first thousand
        examples of the first call set.
    fit_intercept : bool, default=True
        Append a feature that is always 1, so that the learner has a bias. It is one of
        the n features: Winnow's default threshold counts it. With the default learner
        it is of the size of an entry: the power of 2 next to their root mean square.
    epochs : int, default=5
        How often `fit` goes through the data. `partial_fit` goes once.
    shuffle : bool, default=True
        Whether `fit` takes the examples in a new random order in every epoch;
        `partial_fit` takes them as they come. `epochs=1, shuffle=False` is the game
        that the theorems are about.
    random_state : int, RandomState or None, default=0
        Where the order comes from when `shuffle` is true. The same number gives the
        same classifier, None another one each time.
    multi_class : {"one_against_all", "constraint"}, default="one_against_all"
        What three or more classes become: `olc.OneAgainstAll` takes any learner,
        `olc.ConstraintClassifier` a linear one, whose right class is to score above
        the others. For two classes it makes no difference.
    probability : bool, default=False
        Whether there is `predict_proba`. The scores that it needs are taken during
        `fit` and `partial_fit`, each before its example is learned. A curve is fitted
        to them when probabilities are first asked for after a call.
    class_weight : dict or "balanced", default=None
        What multiplies the steps of each class; "balanced", for `fit` alone, makes the
        classes weigh the same.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    learners_ : list
        One learner, or one for each of three or more classes; with constraints, one
        `olc.ConstraintClassifier`. They are copies.
    mistakes_ : ndarray
        The mistakes that each of `learners_` has made since `fit` began.
    n_iter_ : int
        The passes of the last call.
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
    (array([[ 1.5, -1.5]]), array([0.]))

    >>> import olc
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = ["a fine day", "rain and wind", "fine wind", "rain all day"]
    >>> model = make_pipeline(
    ...     CountVectorizer(binary=True), OnlineClassifier(olc.Winnow(1))
    ... )
    >>> model.fit(texts, ["dry", "wet", "dry", "wet"]).predict(["all the rain"])
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
        multi_class: str = "one_against_all",
        probability: bool = False,
        class_weight: Any = None,
    ) -> None:
        self.learner = learner
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state
        self.multi_class = multi_class
        self.probability = probability
        self.class_weight = class_weight

    def fit(self, X: Any, y: ArrayLike, sample_weight: Any = None) -> Self:
        """Forget what was learned, then play `epochs` games on these examples."""
        return self._learn(X, y, sample_weight)

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: Any = None,
    ) -> Self:
        """Play on with these examples, in this order.

        The first call must name all `classes`; later ones may leave them out. Another
        learner, intercept or `multi_class` than at the first call is refused; another
        `class_weight` holds from this call on.
        """
        return self._learn(X, y, sample_weight, partial=True, classes=classes)

    def _learn(
        self, X: Any, y: Any, costs: Any, partial: bool = False, classes: Any = None
    ) -> Self:
        """Check everything once, and play; if it is refused, nothing has changed."""
        with unchanged_on_error(self, copy.copy(self)):  # whose parts are replaced
            fresh = not partial or _check_partial_fit_first_call(self, classes)
            X, y = self._validated(X, y, reset=fresh)
            known, numbers = _numbered(y)
            if known.dtype.kind not in "biuUS":  # those are names of classes
                check_classification_targets(known)
            if partial:
                if len(unknown := np.setdiff1d(known, self.classes_)):
                    new = f"y holds the class {unknown.tolist()[0]!r}, which the first"
                    remedy = "pass all classes to the first partial_fit"
                    raise ValueError(f"{new} call did not name: {remedy}")
                numbers = np.searchsorted(self.classes_, known)[numbers]
            if fresh:
                self._begin(X, self.classes_ if partial else known)
            else:
                self._need_the_same()
            X = check.numeric(X, "X")  # which adds up what stands twice
            costs = self._costs(X, y, numbers, costs, partial)
            self.n_iter_ = 1 if partial else check.count(self.epochs, "epochs")
            first = _engines(self._form)[0]
            fast = engine.choose_strategy(first) is engine.play_fast
            if not (fast and first is self._form and first.features == "real"):
                _check(X, self._form)  # which the game of one learner does itself
            own = fast and engine.moves_by_entry(first)
            if costs is not None and not (own and first.additive):
                raise ValueError(
                    f"{type(first).__name__} takes no weights, which multiply steps "
                    "rate·y·x: leave sample_weight and class_weight out, or take a "
                    "learner that makes such steps, as Perceptron does"
                )
            if not (own or fresh):
                self._form = copy.deepcopy(self._form)
            at = slice(0) if fresh else _active(X, self._form)
            place = engine.in_place(_engines(self._form), at) if own else nullcontext()
            try:
                with place:
                    self._play(X, numbers, costs, self.shuffle and not partial)
            except ValueError:
                _check(X, self._form)  # in the words of this door
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
    def predict_log_proba(self, X: Any) -> Vector:
        """Return the logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

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
        array([[0.91, 0.09],
               [0.04, 0.96]])
        """
        check_is_fitted(self, "online_scores_")
        raw = self._scores(X)
        scores, places = raw - _thresholds(self._form), self._places(raw)
        if len(self.classes_) > 2:
            chances = probability.softmax(scores, *self._fitted_curve())
            # apart even where the slope is 0
            sizes = np.abs(scores).max(axis=1, keepdims=True)
            shares = 1 + scores / np.where(sizes > 0, sizes, 1)
            shares[np.arange(len(places)), places] += 1
            chances += HAIR * shares
            return chances / chances.sum(axis=1, keepdims=True)
        larger = probability.sigmoid(scores[:, 0], *self._fitted_curve())
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
        """Copies of the learners: of one, or of one for each class, or of a form."""
        return _learners(copy.deepcopy(self._form))

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
        return self._bias * bias - _thresholds(self._form)

    def set_params(self, **params: Any) -> Self:
        """Set parameters; those of the learner are named as in ``learner__eta``."""
        inside = [name for name in params if name.startswith("learner__")]
        if inside and params.get("learner", self.learner) is None:
            lack = f"{inside[0]} needs a learner, and learner=None has no parameters"
            raise ValueError(f"{lack}: give one, such as olc.Perceptron(1)")
        super().set_params(**params)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _begin(self, X: Any, classes: NDArray[Any]) -> None:
        """Make new learners for these classes and examples of this width."""
        if len(classes) < 2:
            only = f"y holds one class only, {classes.tolist()[0]!r}"
            raise ValueError(f"{only}: a classifier needs two")
        for name in ("fit_intercept", "shuffle", "probability"):
            check.flag(getattr(self, name), name)
        if self.multi_class not in FORMS:
            wanted = f"multi_class must be one of {tuple(FORMS)}"
            raise ValueError(f"{wanted}, not {self.multi_class!r}")
        made: Any = self.learner
        width, self._bias = X.shape[1] + bool(self.fit_intercept), 1.0
        if made is None:
            square, self._bias = _sizes(X)
            square += self._bias**2 * bool(self.fit_intercept)
            made = AveragedMarginPerceptron(width, thickness=square / 2)
        elif isinstance(made, Learner):
            made = made.replaced(n=width)
        elif callable(made):
            made = copy.deepcopy(made(width))  # which may be somebody else's
        if not isinstance(made, Learner) or made.n not in (0, width):
            what = f"learner({width})" if callable(self.learner) else "learner"
            remedy = "give a learner, a class such as olc.Perceptron, or a function"
            raise TypeError(
                f"{what} is {made!r}: {remedy} that makes one of any number of features"
            )
        self._bias *= bool(self.fit_intercept)
        same = {name: getattr(self, name) for name in ("fit_intercept", "multi_class")}
        mine = isinstance(self.learner, Learner)
        self._begun = same | {"learner": clone(self.learner) if mine else self.learner}
        self.classes_, self._form = classes, made
        if len(classes) > 2:
            self._form = FORMS[self.multi_class](made, classes=len(classes))
        self.mistakes_ = np.zeros(len(_learners(self._form)), dtype=np.int64)
        for name in ("online_scores_", "online_labels_"):  # of an earlier fit
            self.__dict__.pop(name, None)

    def _need_the_same(self) -> None:
        """Refuse to go on with another learner than the one that was begun."""
        for name, begun in self._begun.items():
            if (now := getattr(self, name)) is not begun and now != begun:
                changed = (
                    f"{name} was {begun!r} when this classifier began, now {now!r}"
                )
                raise ValueError(f"{changed}: set it back, or begin anew with fit")

    def _costs(self, X: Any, y: Any, numbers: Any, costs: Any, partial: bool) -> Any:
        """Return by how much the steps of these examples are multiplied, if at all."""
        if costs is None and self.class_weight is None:
            return None
        if partial and self.class_weight == "balanced":
            lack = "class_weight is 'balanced', which needs all labels at once"
            raise ValueError(f"{lack}: give partial_fit a dict of the classes' weights")
        found = np.asarray(_check_sample_weight(costs, X))
        weights = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        found = found * weights[numbers]
        if not (np.isfinite(found) & (found >= 0)).all() or not found.any():
            wanted = "weights must be finite and not negative, nor all of them 0"
            raise ValueError(f"{wanted}: give 0 or more, and one example more than 0")
        return found

    @np.errstate(over="ignore", invalid="ignore")  # the game refuses such rows
    def _play(self, X: Any, labels: Any, costs: Any, shuffle: bool) -> None:
        """Play `n_iter_` games on the learners themselves."""
        form, random = self._form, check_random_state(self.random_state)
        # an example of weight 0 is left out
        order = np.arange(len(labels)) if costs is None else costs.nonzero()[0]
        rounds, scores = len(order), []
        late = max(0, rounds - LATEST)  # whose scores are kept
        for epoch in range(self.n_iter_):
            now = random.permutation(order) if shuffle else order
            paid = None if costs is None else costs[now]
            game, start = _Rows(X, labels[now], now, self._bias, paid), 0
            honest = self.probability and epoch == 0  # later ones know the examples
            while start < rounds:
                stop = rounds
                if honest:
                    ahead = start + 1 + form.rounds // LAG
                    stop = late if start < late else min(stop, ahead)
                some = game.part(start, stop)
                if honest and start >= late:
                    found = _outputs(form, some.rows(), self._bias)
                    scores.append(found - _thresholds(form))
                self.mistakes_ = self.mistakes_ + _mistakes(form, some)
                start = stop
            if honest:
                self._keep(np.concatenate(scores), game.y[late:])

    def _keep(self, scores: Vector, labels: NDArray[np.intp]) -> None:
        """Add honest scores to those of earlier calls; their curve is not known yet."""
        if hasattr(self, "online_scores_"):
            scores = np.concatenate([self.online_scores_, scores])[-LATEST:]
            labels = np.concatenate([self.online_labels_, labels])[-LATEST:]
        self.online_scores_, self.online_labels_ = scores, labels
        self._curve: list[float] = []

    def _fitted_curve(self) -> list[float]:
        """Return the parameters of the curve through the scores, fitted only once."""
        if not self._curve:
            scores, labels = self.online_scores_, self.online_labels_
            if len(self.classes_) > 2:
                self._curve[:] = [probability.fit_softmax(scores, labels)]
            else:
                self._curve[:] = probability.fit_sigmoid(scores[:, 0], 2 * labels - 1)
        return self._curve

    def _validated(self, *data: Any, reset: bool) -> Any:
        """Let scikit-learn check all but the entries of X, which `_check` does."""
        row = isinstance(data[0], (list, tuple)) or getattr(data[0], "ndim", 0) == 1
        if row and isinstance(next(iter(data[0]), None), str):
            remedy = "put CountVectorizer or TfidfVectorizer before the classifier"
            raise ValueError(f"X holds texts: {remedy}, in make_pipeline for instance")
        return validate_data(
            self, *data, accept_sparse="csr", reset=reset, ensure_all_finite=False
        )

    def _scores(self, X: Any) -> Vector:
        """Return the score of each example, one column for each learner."""
        check_is_fitted(self, "classes_")
        X = self._validated(X, reset=False)
        _check(X, self._form)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = _outputs(self._form, X, self._bias)
        if not np.isfinite(scores).all():
            raise ValueError("X has infinite scores: scale the features down")
        return scores

    def _need_plane(self, name: str) -> Vector:
        check_is_fitted(self, "classes_")
        planes = _planes(self._form)
        if planes is None:
            lack = f"{type(self.learners_[0]).__name__} has no {name}"
            why = "it names no final_weights, one for each feature"
            raise AttributeError(f"{lack}: {why}; use decision_function")
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


def _engines(form: Form) -> list[Any]:
    """Return the learners of two classes of which this form consists."""
    constraints = isinstance(form, ConstraintClassifier)
    return [form.learner] if constraints else _learners(form)


def _active(X: Any, form: Form) -> Any:
    """Return where an engine of this form can meet what is not 0 in these rows."""
    n, blocks = _engines(form)[0].n, 1
    if isinstance(form, ConstraintClassifier):
        n, blocks = form.n, form.classes
    at = engine.active(X, n)
    few = not isinstance(at, slice)
    return (at + n * np.arange(blocks)[:, None]).ravel() if few else at


def _planes(form: Form, at: Any = slice(None)) -> Vector | None:
    """Return the weights of each class, if all scores are products with weights.

    Only those at the places that `_active` names, if it does so.
    """
    planes = [_plane(each, at) for each in _engines(form)]
    rows = form.classes if isinstance(form, ConstraintClassifier) else len(planes)
    return None if planes[0] is None else np.reshape(planes, (rows, -1))


def _plane(learner: Any, at: Any) -> Any:
    """Return the final weights at some places, or None; no others are looked at."""
    kinds, few = (Linear, AveragedPerceptron), object.__new__(type(learner))
    if not any(has(learner, kind, "final_weights") for kind in kinds):
        weights = learner.final_weights
        return weights if weights is None else weights[at]
    for name, value in vars(learner).items():
        long = isinstance(value, np.ndarray) and value.shape == (learner.n,)
        vars(few)[name] = value[at] if long else value
    return few.final_weights


def _outputs(form: Form, X: Any, bias: float) -> Vector:
    """Return the outputs for sound rows, one column for each class."""
    planes, n = _planes(form, at := _active(X, form)), X.shape[1]
    if planes is None:
        rows = _with_bias(X, bias) if bias else X
        learners = _learners(form)
        return np.column_stack([each.scores(rows, final=True) for each in learners])
    if not isinstance(at, slice):  # each entry has a weight of its own
        n, places = X.nnz, np.arange(X.nnz, dtype=X.indices.dtype)
        X = type(X)((X.data[:n], places, X.indptr), shape=(X.shape[0], n))
    scores = np.asarray(X @ planes[:, :n].T)
    return scores + bias * planes[:, n:].sum(axis=1) if bias else scores


def _mistakes(form: Form, rows: _Rows) -> Any:
    """Play sound rows, and return the mistakes of each learner."""
    if isinstance(form, ConstraintClassifier):
        wrong = 0
        for part in rows.parts():
            scores, _ = form.run(part.X, part.y, part.costs)
            wrong += int(np.count_nonzero(form.decide(scores) != part.y))
        return np.array([wrong])
    places = range(len(form.learners)) if isinstance(form, OneAgainstAll) else [1]
    games = zip(_learners(form), map(rows.against, places), strict=True)
    return np.array([_mistakes_of_one(*game) for game in games])


def _mistakes_of_one(learner: Any, rows: _Rows) -> int:
    """Play sound rows with labels -1 and +1, and return the mistakes."""
    game = Game(learner, SimpleNamespace(rounds=learner.rounds))
    strategy = engine.choose_strategy(learner)
    whole = strategy is engine.play_fast and engine.compiles(rows)
    for part in [rows] if whole else rows.parts():
        strategy(game, part)
    learner.rounds = game.before.rounds + len(game)
    return int(np.count_nonzero(np.array(game.predictions) != rows.y))


class _Rows(Stream):
    """Sound rows in some order, each with a last feature if there is a bias.

    `y` and `costs`, the weights of the examples, are in the order of the rounds.
    """

    y: Any
    order: Any
    bias: float
    costs: Any

    def __init__(
        self, X: Any, y: Any, order: Any = None, bias: float = 0.0, costs: Any = None
    ) -> None:
        vars(self).update(X=X, y=y, order=order, bias=bias, costs=costs)

    @property
    def n(self) -> int:
        return int(self.X.shape[1]) + (self.bias != 0)

    def entries(self, t: int) -> tuple[Any, Vector]:
        at, values = super().entries(t if self.order is None else self.order[t])
        if self.bias:
            at = at if isinstance(at, slice) else np.append(at, self.n - 1)
            values = np.append(values, self.bias)
        return at, values

    def rows(self) -> Any:
        """Return the rows in their order, without the last feature."""
        return self.X[self.order]

    def part(self, start: int, stop: int) -> _Rows:
        """Return some of the rounds."""
        some = slice(start, stop)
        costs = None if self.costs is None else self.costs[some]
        return _Rows(self.X, self.y[some], self.order[some], self.bias, costs)

    def parts(self) -> Iterator[_Rows]:
        """Yield all rounds in parts that are in memory as they are played."""
        step = check.rows_of(self.X, 4 * check.CHUNK)
        for start in range(0, len(self), step):
            part = self.part(start, min(start + step, len(self)))
            rows = _with_bias(part.rows(), self.bias) if self.bias else part.rows()
            yield _Rows(rows, part.y, costs=part.costs)

    def against(self, label: int) -> _Rows:
        """Return the same rounds with the labels of one class against all others."""
        y = np.where(self.y == label, 1, -1).astype(np.int8)
        return _Rows(self.X, y, self.order, self.bias, self.costs)


def _with_bias(X: Any, bias: float) -> Any:
    """Return a copy of the rows with one more feature, always the same."""
    count, n = X.shape
    if not check.is_sparse(X):
        return np.hstack([X, np.full((count, 1), bias, X.dtype if bias == 1 else None)])
    entries = zip((X.data, X.indices), (bias, n), strict=True)
    data, at = (np.insert(old, X.indptr[1:], new) for old, new in entries)
    ends = X.indptr + np.arange(count + 1, dtype=X.indptr.dtype)
    return type(X)((data, at, ends), shape=(count, n + 1))


def _sizes(X: Any) -> tuple[float, float]:
    """Return the mean squared length of a row, and the size of a typical entry.

    That is the power of 2 next to the root mean square of what is not 0, so that it
    rounds no score. A thousand rows tell enough; without any size they tell 0 and 1.
    """
    rows = X[:1000].astype(float)
    square = float(row_norms(rows, squared=True).mean())
    entries = np.count_nonzero(rows.data if check.is_sparse(rows) else rows)
    if not (entries and 0 < square < np.inf):
        return 0.0, 1.0
    return square, 2.0 ** round(np.log2(square * rows.shape[0] / entries) / 2)


def _check(X: Any, form: Form) -> None:
    """Refuse examples that are not the learner's, and name the step that helps."""
    try:
        check.features(X, form.features)
    except ValueError as error:
        raise ValueError(f"{error} ({REMEDY[form.features]})") from None
