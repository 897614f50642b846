"""The scikit-learn estimator: its own checks, its oracle, its pipelines."""

from functools import partial

import numpy as np
import pytest
from sklearn import linear_model
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer, FunctionTransformer, StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import olc
from olc.sklearn import OnlineClassifier


class Votes(olc.RandomizedWeightedMajority):
    """A randomized learner with eta filled in."""

    def __init__(self, n):
        super().__init__(n, eta=0.3, seed=1)


class Threshold(olc.Perceptron):
    """A Perceptron with a threshold that it reaches, as Winnow's."""

    threshold = 1.0

    def _decide(self, score):
        return np.where(score >= self.threshold, 1, -1).astype(np.int8)


class Bits(olc.Perceptron):
    """A Perceptron that takes bits only."""

    features = "bits"


def signs(X):
    return np.where(X > 0, 1, -1)


def blobs(classes=2, seed=0):
    return make_blobs(200, 5, centers=classes, cluster_std=2.0, random_state=seed)


# No check is expected to fail. One skips itself unless SCIPY_ARRAY_API is set; it
# concerns arrays that are not numpy's, which the estimator does not claim to take.
@parametrize_with_checks(
    [
        OnlineClassifier(),
        OnlineClassifier(olc.Perceptron, fit_intercept=False, epochs=3),
        OnlineClassifier(partial(olc.Perceptron, rate=0.5), shuffle=True, epochs=2),
    ]
)
def test_scikit_learns_own_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
def test_weights_equal_those_of_scikit_learns_perceptron_bit_for_bit(dtype):
    rng = np.random.default_rng(3)
    X = (3 * rng.normal(size=(500, 20))).astype(dtype)
    y = rng.integers(0, 2, size=500)
    theirs = linear_model.Perceptron(
        fit_intercept=False, shuffle=False, max_iter=1, tol=None
    ).fit(X.astype(np.float64), y)
    ours = OnlineClassifier(fit_intercept=False).fit(X, y)
    assert np.array_equal(ours.learners_[0].weights, theirs.coef_[0])
    assert np.array_equal(ours.predict(X), theirs.predict(X.astype(float)))


def test_three_epochs_equal_three_passes_of_scikit_learns_perceptron():
    X, y = blobs()
    theirs = linear_model.Perceptron(
        fit_intercept=False, shuffle=False, max_iter=3, tol=None
    ).fit(X, y)
    ours = OnlineClassifier(fit_intercept=False, epochs=3).fit(X, y)
    assert np.array_equal(ours.learners_[0].weights, theirs.coef_[0])


def test_one_against_the_rest_equals_scikit_learns_perceptron():
    X, y = blobs(classes=4)
    theirs = linear_model.Perceptron(
        fit_intercept=False, shuffle=False, max_iter=1, tol=None
    ).fit(X, y)
    ours = OnlineClassifier(fit_intercept=False).fit(X, y)
    assert [tuple(learner.weights) for learner in ours.learners_] == [
        tuple(row) for row in theirs.coef_
    ]
    assert np.allclose(ours.decision_function(X), theirs.decision_function(X))
    assert np.array_equal(ours.predict(X), theirs.predict(X))


def test_the_intercept_is_a_feature_that_is_always_one():
    X, y = blobs()
    with_ones = np.column_stack([X, np.ones(len(X))])
    homogeneous = OnlineClassifier(fit_intercept=False).fit(with_ones, y)
    affine = OnlineClassifier().fit(X, y)
    assert np.array_equal(affine.learners_[0].weights, homogeneous.learners_[0].weights)
    assert np.array_equal(
        affine.decision_function(X), homogeneous.decision_function(with_ones)
    )
    assert affine.n_features_in_ == 5
    assert homogeneous.n_features_in_ == 6


def test_fit_plays_the_game_and_counts_its_mistakes():
    X, y = blobs()
    learner = olc.Perceptron(5)
    first = olc.play(learner, X, signs(y)).mistakes
    second = olc.play(learner, X, signs(y)).mistakes
    classifier = OnlineClassifier(fit_intercept=False).fit(X, y)
    assert classifier.mistakes_.tolist() == [first]
    assert classifier.partial_fit(X, y).mistakes_.tolist() == [first + second]
    assert np.array_equal(classifier.learners_[0].weights, learner.weights)


def test_partial_fit_on_pieces_equals_one_fit():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    whole = OnlineClassifier().fit(X, y)
    pieces = OnlineClassifier()
    for start in range(0, len(y), 7):
        piece = slice(start, start + 7)
        pieces.partial_fit(X[piece], y[piece], classes=[0, 1, 2])
    assert np.array_equal(
        whole.decision_function(X), pieces.decision_function(X), equal_nan=False
    )
    assert whole.mistakes_.tolist() == pieces.mistakes_.tolist()


def test_the_larger_class_is_plus_one():
    classifier = OnlineClassifier(fit_intercept=False).fit([[1], [-1]], ["no", "yes"])
    assert classifier.classes_.tolist() == ["no", "yes"]
    assert classifier.learners_[0].weights.tolist() == [-1.0]
    assert classifier.predict([[2], [-2]]).tolist() == ["no", "yes"]


def test_shuffling_depends_on_the_random_state_alone():
    X, y = blobs(seed=5)
    makers = [OnlineClassifier(shuffle=True, random_state=seed) for seed in (1, 1, 2)]
    one, same, other = (maker.fit(X, y).decision_function(X) for maker in makers)
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_a_tie_is_what_the_learner_makes_of_it():
    X, y = [[1.0], [0.5]], [1, -1]
    threshold = OnlineClassifier(Threshold, fit_intercept=False).fit(X, y)
    assert threshold.learners_[0].weights.tolist() == [1.0]
    assert threshold.decision_function([[1.0]]).tolist() == [0.0]
    assert threshold.predict([[1.0]]).tolist() == [1]
    perceptron = OnlineClassifier(fit_intercept=False).fit(X, y)
    assert perceptron.predict([[0.0]]).tolist() == [-1]


def test_a_randomized_learner_votes_with_its_majority():
    rng = np.random.default_rng(0)
    X = rng.choice([-1, 1], size=(100, 9))
    classifier = OnlineClassifier(Votes).fit(X, X[:, 4])
    assert np.array_equal(classifier.predict(X), classifier.predict(X))
    assert classifier.score(X, X[:, 4]) == 1.0


def test_in_a_pipeline_a_grid_search_and_a_cross_validation():
    X, y = load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(
        StandardScaler(), OnlineClassifier(epochs=5, shuffle=True, random_state=0)
    )
    assert cross_val_score(pipeline, X, y, cv=5).mean() > 0.95
    learners = [olc.Perceptron, partial(olc.NormalizedWinnow, eta=0.1)]
    search = GridSearchCV(
        pipeline, {"onlineclassifier__learner": learners}, cv=3, error_score="raise"
    ).fit(X, y)
    assert search.best_params_["onlineclassifier__learner"] is olc.Perceptron


def test_learners_of_signs_and_bits_work_behind_the_right_step():
    X = np.random.default_rng(0).normal(size=(200, 5))
    y = X[:, 2] > 0
    votes = make_pipeline(FunctionTransformer(signs), OnlineClassifier(Votes))
    assert votes.fit(X, y).score(X, y) == 1.0
    bits = make_pipeline(Binarizer(), OnlineClassifier(Bits, epochs=3))
    assert bits.fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize(
    ("learner", "words"),
    [(Votes, r"X\[0, 1\].*-1 and \+1.*np\.where"), (Bits, r"X\[0, 0\].*Binarizer")],
)
def test_the_wrong_features_are_refused_with_the_remedy(learner, words):
    with pytest.raises(ValueError, match=words):
        OnlineClassifier(learner).fit([[-1, 0], [1, 1]], [0, 1])
    good = OnlineClassifier(learner).fit([[1, 1], [1, 1]], [0, 1])
    with pytest.raises(ValueError, match=words):
        good.predict([[-1, 0]])


def test_a_refused_example_leaves_the_estimator_as_it_was():
    classifier = OnlineClassifier(Bits)
    with pytest.raises(ValueError, match="Binarizer"):
        classifier.fit([[2], [1]], [0, 1])
    with pytest.raises(NotFittedError):
        classifier.predict([[1]])
    classifier.fit([[0], [1]], [0, 1])
    before = classifier.learners_[0].weights
    with pytest.raises(ValueError, match="Binarizer"):
        classifier.partial_fit([[1], [2]], [0, 1])
    assert np.array_equal(classifier.learners_[0].weights, before)


def test_sparse_matrices_are_refused_and_the_tags_say_so():
    sparse = pytest.importorskip("scipy.sparse")
    assert not get_tags(OnlineClassifier()).input_tags.sparse
    X = sparse.csr_matrix([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        OnlineClassifier().fit(X, [0, 1])


def test_feature_names_are_kept_and_compared():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"height": [1.0, -1.0], "weight": [0.0, 1.0]})
    classifier = OnlineClassifier().fit(frame, [0, 1])
    assert classifier.feature_names_in_.tolist() == ["height", "weight"]
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame[["weight", "height"]])


def test_a_clone_makes_the_same_learner():
    classifier = OnlineClassifier(partial(olc.NormalizedWinnow, eta=0.25), epochs=2)
    copy = clone(classifier).fit([[1, 2], [2, 1]], [0, 1])
    assert copy.learners_[0].eta == 0.25
    assert copy.epochs == 2


@pytest.mark.parametrize("epochs", [0, -1])
def test_at_least_one_epoch(epochs):
    with pytest.raises(ValueError, match="epochs must be at least 1"):
        OnlineClassifier(epochs=epochs).fit([[1], [2]], [0, 1])


def test_something_that_makes_no_learner_is_refused():
    with pytest.raises(TypeError, match=r"learner\(2\) is .*olc\.Perceptron"):
        OnlineClassifier(lambda n: "Perceptron").fit([[1], [2]], [0, 1])


def test_one_class_is_not_enough():
    with pytest.raises(ValueError, match="one class only"):
        OnlineClassifier().fit([[1], [2]], [1, 1])


def test_partial_fit_needs_all_classes_at_once():
    classifier = OnlineClassifier()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        classifier.partial_fit([[1.0]], [0])
    classifier.partial_fit([[1.0]], [0], classes=[0, 1])
    with pytest.raises(ValueError, match="y holds the class"):
        classifier.partial_fit([[1.0]], [2])
    with pytest.raises(ValueError, match="differ from those of the first call"):
        classifier.partial_fit([[1.0]], [0], classes=[0, 2])
    assert len(classifier.partial_fit([[1.0]], [1]).learners_) == 1
