"""The scikit-learn estimator: its own checks, its oracle, its pipelines."""

import pickle
import tracemalloc
from functools import partial

import numpy as np
import pytest
from helpers import GEARS, bits, in_gear
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import linear_model
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer
from sklearn.utils.estimator_checks import parametrize_with_checks

import olc
import olc.sklearn
from olc import probability
from olc.sklearn import OnlineClassifier


class Votes(olc.RandomizedWeightedMajority):
    """A randomized learner with eta filled in."""

    def __init__(self, n):
        super().__init__(n, eta=0.3, seed=1)


class Reaching(olc.Perceptron):
    """A Perceptron with a threshold that it reaches, as Winnow's, one by one."""

    threshold = 1.0

    def decide(self, score):
        return 1 if score >= self.threshold else -1


class Bits(olc.Perceptron):
    """A Perceptron that takes bits only."""

    features = "bits"


def signs(X):
    return np.where(X > 0, 1, -1)


def blobs(classes=2, seed=0):
    return make_blobs(200, 5, centers=classes, cluster_std=2.0, random_state=seed)


def once(learner=olc.Perceptron, **options):
    """Return an estimator that plays the game of the theorems, with the Perceptron."""
    return OnlineClassifier(learner, **{"epochs": 1, "shuffle": False} | options)


# One skips itself unless SCIPY_ARRAY_API is set; it concerns arrays that are not
# numpy's, which the estimator does not claim to take.
@parametrize_with_checks(
    [
        OnlineClassifier(probability=True),
        once(olc.Perceptron, multi_class="constraint"),
    ],
    expected_failed_checks=lambda estimator: dict.fromkeys(
        (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
            "check_class_weight_classifiers",
        ),
        "a weight lengthens the step at a mistake: a repeated example may be none",
    ),
)
def test_scikit_learns_own_check(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [make_pipeline(Binarizer(), once(olc.Winnow(1)))],
    expected_failed_checks=lambda pipeline: {
        "check_estimators_overwrite_params": "a Pipeline fits its own steps",
        "check_dont_overwrite_parameters": "a Pipeline fits its own steps",
        "check_classifiers_train": "two bits an example do not tell three blobs apart",
    },
)
def test_scikit_learns_own_check_of_a_learner_of_bits(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("classes", "epochs"), [(2, 1), (2, 3), (4, 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
def test_weights_equal_those_of_scikit_learns_perceptron_bit_for_bit(
    dtype, classes, epochs
):
    rng = np.random.default_rng(3)
    X = (3 * rng.normal(size=(500, 20))).astype(dtype)
    y = rng.integers(0, classes, size=500)
    theirs = linear_model.Perceptron(
        fit_intercept=False, shuffle=False, max_iter=epochs, tol=None
    ).fit(X.astype(np.float64), y)
    ours = once(fit_intercept=False, epochs=epochs).fit(X, y)
    assert np.array_equal([one.weights for one in ours.learners_], theirs.coef_)
    assert np.array_equal(ours.predict(X), theirs.predict(X.astype(float)))


@pytest.mark.parametrize(
    "learner",
    [
        olc.Perceptron(1),
        olc.AveragedPerceptron(1),
        olc.MarginPerceptron(1, thickness=2, rate=0.3),
        olc.NormalizedWinnow(1, eta=0.3),
        olc.Winnow(1),
        olc.Winnow(1, alpha=1.3),
        olc.ThresholdBalancedWinnow(1),
        olc.VotedPerceptron(1),
        olc.KernelPerceptron(olc.kernel_perceptron.Polynomial(2)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_intercept_is_a_feature_that_is_always_one(learner, classes):
    X, y = sparse_bits(classes)
    assert (X.sum(axis=1) == 0).any()
    X = X if learner.features == "bits" else X * np.linspace(-1, 1, 300)[:, None] + 0.0
    with_ones = np.column_stack([X, np.ones(len(X))])
    plain = once(learner, fit_intercept=False, probability=True)
    homogeneous = plain.fit(with_ones, y)
    for rows in (X, sparse.csr_matrix(X)):
        affine = once(learner, probability=True).fit(rows, y)
        assert bits(affine.learners_) == bits(homogeneous.learners_)
        assert affine.mistakes_.tolist() == homogeneous.mistakes_.tolist()
        assert affine.n_features_in_ == 40
        assert np.allclose(affine.online_scores_, homogeneous.online_scores_)
        scores = affine.decision_function(rows)
        assert np.allclose(scores, homogeneous.decision_function(with_ones))


@pytest.mark.parametrize("scale", [1, 3 * 2.0**-9, 80])
def test_the_default_is_an_averaged_margin_perceptron_whatever_the_scale(scale):
    X, y = noisy(3, rows=600)
    length = (X * X).sum(axis=1).mean() + 1  # the entries are normal: their size is 1
    margin = olc.AveragedMarginPerceptron(1, thickness=length / 2)
    told = once(margin, epochs=5, shuffle=True, random_state=0).fit(X, y)
    default = OnlineClassifier().fit(X, y)
    assert np.allclose(default.coef_, told.coef_)
    assert default.n_iter_ == 5
    scaled = OnlineClassifier().fit(sparse.csr_array(X * scale), y)
    assert np.mean(scaled.predict(X * scale) == default.predict(X)) > 0.97
    scores = X * scale @ scaled.coef_.T + scaled.intercept_
    assert np.allclose(scores, scaled.decision_function(X * scale))
    parts = OnlineClassifier().partial_fit(X, y, classes=[0, 1, 2])
    assert np.allclose(parts.coef_, once(margin).fit(X, y).coef_)


def by_hand(X, y, orders, costs, learner):
    """The loop on the rows in these orders, with a last feature 1 and with weights."""
    rows, told, mistakes = np.column_stack([X, np.ones(len(X))]), signs(y), 0
    for t in np.concatenate(orders):
        if costs[t]:
            score = learner.score(rows[t])
            mistakes += int(learner.decide(score) != told[t])
            if learner.wants_update(score, told[t]):
                learner.update(rows[t], costs[t] * told[t])
            learner.rounds += 1
    return learner, mistakes


@pytest.mark.parametrize("gear", GEARS)
@pytest.mark.parametrize(
    "learner",
    [
        olc.AveragedPerceptron(1, rate=0.3),
        olc.MarginPerceptron(1, thickness=2),
        olc.AveragedMarginPerceptron(1, thickness=0.5),
        olc.Winnow(1),
        olc.NormalizedWinnow(1, eta=0.3),
    ],
    ids=repr,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_fit_is_the_loop_on_the_shuffled_rows_to_the_last_bit(
    learner, gear, weighted
):
    if weighted and not learner.additive:
        pytest.skip("it takes no weights")
    X, y = sparse_bits(2)
    random = np.random.RandomState(7)
    costs = random.choice([0, 0.3, 1, 2], 300) if weighted else np.ones(300)
    kept, random = costs.nonzero()[0], np.random.RandomState(7)
    orders = [kept[random.permutation(len(kept))] for _ in range(3)]
    fresh = learner.replaced(n=41)
    loop, mistakes = by_hand(X.astype(float), y, orders, costs, fresh)
    weights = costs if weighted else None
    for rows in (X, X.astype(np.float32), X.astype(float), sparse.csr_matrix(X)):
        model = once(learner, epochs=3, shuffle=True, random_state=7)
        with in_gear(gear):
            model.fit(rows, y, sample_weight=weights)
        assert bits(model.learners_[0]) == bits(loop)
        assert model.mistakes_.tolist() == [mistakes]


@pytest.mark.parametrize("multi_class", ["one_against_all", "constraint"])
def test_a_weight_of_a_class_is_that_of_its_examples(multi_class):
    X, y = noisy(3, rows=300)
    each = dict(enumerate([1.0, 0.5, 3.0]))
    given = once(olc.AveragedPerceptron, multi_class=multi_class, class_weight=each)
    costs = np.array([each[label] for label in y])
    plain = once(olc.AveragedPerceptron, multi_class=multi_class)
    expected = plain.fit(X, y, sample_weight=costs).coef_
    assert np.array_equal(given.fit(X, y).coef_, expected)
    assert np.array_equal(given.partial_fit(X[:9], y[:9]).classes_, [0, 1, 2])
    ones = clone(plain).fit(X, y, sample_weight=np.ones(300))
    assert np.array_equal(ones.coef_, clone(plain).fit(X, y).coef_)
    rare = np.flatnonzero((y == 1) | (np.arange(300) % 9 == 0))
    told = y[rare] == 1
    model = OnlineClassifier(class_weight="balanced").fit(X[rare], ~told)
    assert model.predict(X[rare]).mean() > 0.5 * (~told).mean()


@given(st.integers(0, 10**6))
def test_the_weights_of_the_mistakes_stay_within_the_weighted_bound(seed):
    random = np.random.default_rng(seed)
    u = random.normal(size=4)
    X = random.normal(size=(80, 4))
    X = X[np.abs(X @ u) > 0.1]
    y, costs = X @ u > 0, random.exponential(size=len(X))
    rounds = np.ones(len(X), bool)
    model, total = once(fit_intercept=False), 0.0
    for _ in range(3):
        for t in np.flatnonzero(rounds):
            before = model.mistakes_[0] if hasattr(model, "mistakes_") else 0
            one = slice(t, t + 1)
            model.partial_fit(X[one], y[one], [False, True], costs[one])
            total += costs[t] * (model.mistakes_[0] - before)
    margin = np.abs(X @ u).min() / np.linalg.norm(u)
    assert total <= costs.max() * (X * X).sum(axis=1).max() / margin**2


@pytest.mark.parametrize(
    ("learner", "costs", "words"),
    [
        (olc.Winnow, [1, 2], "Winnow takes no weights.*as Perceptron does"),
        (olc.Perceptron, [1, -1], "weights must be finite.*give 0 or more"),
        (olc.Perceptron, [0, 0], "weight"),
    ],
)
def test_weights_that_make_no_sense_are_refused(learner, costs, words):
    with pytest.raises(ValueError, match=words):
        once(learner).fit([[0, 1], [1, 0]], [0, 1], sample_weight=costs)


@pytest.mark.parametrize(
    "changed",
    [
        {"fit_intercept": False},
        {"learner": olc.Perceptron(1)},
        {"learner__thickness": 2},
        {"multi_class": "constraint"},
    ],
    ids=str,
)
def test_what_was_begun_is_not_gone_on_with_as_something_else(changed):
    X, y = noisy(3, rows=60)
    model = once(olc.MarginPerceptron(1, thickness=1)).fit(X, y)
    before = model.predict(X)
    model.set_params(**changed)
    assert np.array_equal(model.predict(X), before)
    with pytest.raises(ValueError, match=r"was .* when this classifier began"):
        model.partial_fit(X, y)
    assert model.fit(X, y).partial_fit(X, y).n_iter_ == 1


@pytest.mark.parametrize("multi_class", ["one_against_all", "constraint"])
@pytest.mark.parametrize("gear", GEARS)
def test_an_interrupted_batch_puts_back_what_it_has_moved(
    multi_class, gear, monkeypatch
):
    X = sparse.random(40, 3000, density=0.01, format="csr", random_state=1)
    y = np.arange(40) % 3
    model = once(olc.AveragedPerceptron, multi_class=multi_class)
    model.partial_fit(X[:20], y[:20], classes=[0, 1, 2])
    model = pickle.loads(pickle.dumps(model))  # whose arrays are not their own
    expected = clone(model).fit(X, y).coef_
    before = [bits(vars(each)) for each in model.learners_]
    mistakes, told = model.mistakes_.tolist(), model.predict(X)
    module = "olc.sklearn._mistakes"
    original = olc.sklearn._mistakes

    def interrupted(form, rows):
        original(form, rows)
        raise KeyboardInterrupt

    with in_gear(gear):
        monkeypatch.setattr(module, interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.partial_fit(X[20:], y[20:])
        monkeypatch.setattr(module, original)
        assert [bits(vars(each)) for each in model.learners_] == before
        assert model.mistakes_.tolist() == mistakes
        assert np.array_equal(model.predict(X), told)
        assert np.array_equal(model.partial_fit(X[20:], y[20:]).coef_, expected)


def test_a_batch_costs_memory_for_what_is_active_only():
    X = sparse.random(60, 2**20, density=2e-5, format="csr", random_state=1)
    y, model = np.arange(60) % 4, OnlineClassifier()
    model.partial_fit(X[:50], y[:50], classes=range(4))
    tracemalloc.start()
    model.predict(X[50:])
    model.partial_fit(X[50:], y[50:])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**20  # bytes: an eighth of one weight vector


@pytest.mark.parametrize("multi_class", ["one_against_all", "constraint"])
def test_partial_fit_on_pieces_equals_one_fit(multi_class):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    whole = once(multi_class=multi_class).fit(X, y)
    pieces = once(multi_class=multi_class)
    for start in range(0, len(y), 7):
        piece = slice(start, start + 7)
        pieces.partial_fit(X[piece], y[piece], classes=[0, 1, 2])
    assert np.array_equal(whole.coef_, pieces.coef_)
    assert whole.mistakes_.tolist() == pieces.mistakes_.tolist()
    two = once(multi_class=multi_class).fit(X, y > 0)
    assert np.array_equal(two.coef_, once().fit(X, y > 0).coef_)


def test_a_tie_is_what_the_learner_makes_of_it():
    X, y = [[1.0], [0.5]], [1, -1]
    threshold = once(Reaching, fit_intercept=False).fit(X, y)
    assert threshold.learners_[0].weights.tolist() == [1.0]
    assert threshold.decision_function([[1.0]]).tolist() == [0.0]
    assert threshold.predict([[1.0]]).tolist() == [1]
    perceptron = once(fit_intercept=False).fit(X, y)
    assert perceptron.predict([[0.0]]).tolist() == [-1]


def test_a_randomized_learner_of_ones_own_gives_its_likelier_answer():
    class Coin(olc.Learner):
        randomized = True

        def __init__(self, n):
            self.n, self.share = n, 0.5

        def score(self, x):
            return self.share  # the chance of +1: never negative

        def decide(self, score):
            return 1

        def error_chance(self, score, y):
            return 1 - score if y > 0 else score

        def update(self, x, y):
            self.share = 0.2

    model = once(Coin, fit_intercept=False).fit([[1.0], [2.0]], [0, 1])
    assert model.predict([[1.0], [5.0]]).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("learner", "words"),
    [(Votes, r"X\[0, 1\].*-1 and \+1.*np\.where"), (Bits, r"X\[0, 0\].*Binarizer")],
)
def test_the_wrong_features_are_refused_with_the_remedy(learner, words):
    with pytest.raises(ValueError, match=words):
        once(learner).fit([[-1, 0], [1, 1]], [0, 1])
    good = once(learner).fit([[1, 1], [1, 1]], [0, 1])
    with pytest.raises(ValueError, match=words):
        good.predict([[-1, 0]])


TEXTS = ["rain and wind", "a fine day", "storm, fine wind", "rain", "", "fine wind"]
WET = ["wet", "dry", "wet", "wet", "dry", "dry"]


def test_texts_go_from_a_vectorizer_to_a_learner():
    winnow = make_pipeline(
        CountVectorizer(binary=True), once(olc.Winnow(1), epochs=10)
    ).fit(TEXTS, WET)
    assert winnow.predict(TEXTS).tolist() == WET
    perceptron = make_pipeline(TfidfVectorizer(), once(epochs=10))
    assert perceptron.fit(TEXTS, WET).predict(TEXTS).tolist() == WET
    with pytest.raises(
        ValueError, match=r"X\[1, 0\] = 2.*CountVectorizer\(binary=True"
    ):
        make_pipeline(CountVectorizer(), once(olc.Winnow(1))).fit(
            ["wind", "rain, rain"], ["dry", "wet"]
        )


def sparse_bits(classes, rows=300, n=40, seed=0):
    """Return bits that are mostly 0, some rows of them empty, and their classes."""
    random = np.random.default_rng(seed)
    X = (random.random((rows, n)) < 0.05).astype(np.int8)
    return X, (X @ random.normal(size=(n, classes))).argmax(axis=1)


def test_a_sparse_matrix_never_becomes_dense():
    rng = np.random.default_rng(0)  # an old RandomState would shuffle 10⁸ places
    rows = sparse.random(500, 200_000, density=1e-5, format="csr", random_state=rng)
    y = np.arange(500) % 2
    tracemalloc.start()
    classifier = once().fit(rows, y)
    classifier.predict(rows)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 500 * 200_000  # bytes: less than one for each entry


def test_entries_that_stand_twice_in_a_sparse_matrix_are_added_up():
    twice = sparse.csr_matrix(([1, 1, 1], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    classifier = once().fit(twice, [1, 0])
    dense = once().fit(twice.toarray(), [1, 0])
    assert classifier.coef_.tolist() == dense.coef_.tolist() == [[2.0, -1.0]]


LINEAR = [
    olc.Perceptron(1),
    olc.AveragedPerceptron(1),
    olc.MarginPerceptron(1, thickness=1),
    olc.ThresholdRelative(1, threshold=0.5),
    olc.BalancedWinnow(1, eta=0.2),
    olc.Winnow(1),
]


@pytest.mark.parametrize("learner", LINEAR, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_coefficients_are_those_of_the_learners_own_output(learner, fit_intercept):
    random = np.random.default_rng(1)
    X = random.integers(0, 2, (200, 7))
    y = (X @ random.normal(size=(7, 3))).argmax(axis=1)
    for labels in (y, y > 0):
        classifier = once(learner, fit_intercept=fit_intercept)
        classifier.fit(X, labels)
        coef, intercept = classifier.coef_, classifier.intercept_
        assert coef.shape == (len(classifier.learners_), 7)
        assert intercept.shape == (len(classifier.learners_),)
        seen = np.column_stack([X, np.ones(200)]) if fit_intercept else X
        for w, b, one in zip(coef, intercept, classifier.learners_, strict=True):
            assert np.allclose(X @ w + b, one.scores(seen, final=True) - one.threshold)
        if len(coef) == 1:
            told = classifier.learners_[0].predict(seen, final=True) > 0
            assert np.array_equal(classifier.predict(X), told)


class Doubled(olc.Perceptron):
    """A Perceptron with a score of its own."""

    def score(self, x):
        return 2 * (x @ self.weights)


@pytest.mark.parametrize(
    "learner", [olc.KernelPerceptron(), olc.VotedPerceptron(1), Doubled(1)]
)
def test_a_learner_without_one_weight_per_feature_has_no_coefficients(learner):
    classifier = once(learner)
    assert not hasattr(classifier, "coef_")
    X, y = blobs()
    classifier.fit(X, y)
    for name in ("coef_", "intercept_"):
        with pytest.raises(AttributeError, match=f"has no {name}.*decision_function"):
            getattr(classifier, name)
    seen = np.column_stack([X, np.ones(len(X))])
    assert np.array_equal(
        classifier.decision_function(X),
        classifier.learners_[0].scores(seen, final=True),
    )


def test_a_grid_search_reaches_the_parameters_of_the_learner():
    X, y = sparse_bits(2)
    mine = olc.Winnow(1, threshold=3)
    pipeline = make_pipeline(Binarizer(), once(mine))
    grid = {
        "onlineclassifier__learner__alpha": [1.1, 1.5],
        "onlineclassifier__learner__threshold": [None, 2.0],
    }
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X, y)
    assert len(set(search.cv_results_["mean_test_score"])) > 1
    best = search.best_estimator_[-1]
    for name, value in search.best_params_.items():
        assert best.get_params()[name.removeprefix("onlineclassifier__")] == value
    assert best.learners_[0].alpha == best.learner.alpha
    assert mine == olc.Winnow(1, threshold=3)


def test_a_clone_of_a_clone_has_an_equal_learner_of_its_own():
    classifier = once(olc.MarginPerceptron(1, thickness=0.25, rate=2))
    copy = clone(clone(classifier))
    assert copy.learner == classifier.learner
    assert copy.learner is not classifier.learner
    made = clone(once(partial(olc.NormalizedWinnow, eta=0.25), epochs=2))
    assert made.fit([[1, 2], [2, 1]], [0, 1]).learners_[0].eta == 0.25
    assert made.epochs == 2


def test_an_instance_that_cannot_be_made_anew_is_refused_with_the_remedy():
    for use in (clone, lambda model: model.fit([[1, 1], [1, 1]], [0, 1])):
        with pytest.raises(TypeError, match=r"cannot be made anew .* a function of n"):
            use(once(Votes(3)))
    assert "learner=Votes(n=3" in repr(once(Votes(3)))


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_a_refused_refit_leaves_the_estimator_as_it_was(method):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"one": [0, 1, 0], "two": [1, 0, 0]})
    classifier = once(Bits).fit(frame, [0, 1, 2])
    before = {name: bits(value) for name, value in vars(classifier).items()}
    wide = frame.assign(three=7)
    with pytest.raises(ValueError, match=r"X\[0, 2\] = 7|feature names"):
        getattr(classifier, method)(wide, [0, 1, 2])
    with pytest.raises(ValueError, match=r"X\[1, 0\] = 3"):
        getattr(classifier, method)(frame.replace({"one": {1: 3}}), [0, 1, 0])
    assert {name: bits(value) for name, value in vars(classifier).items()} == before


def test_the_refused_row_is_named_as_it_was_given():
    X = np.zeros((50, 2))
    X[31, 1] = 7
    for examples in (X, sparse.csr_matrix(X)):
        classifier = once(Bits, shuffle=True, random_state=0)
        with pytest.raises(ValueError, match=r"X\[31, 1\] = 7"):
            classifier.fit(examples, np.arange(50) % 2)


# ------------------------------------------------------------------- several classes


@pytest.mark.parametrize(
    "learner", [olc.Perceptron(1), olc.AveragedPerceptron(1), olc.Winnow(1, alpha=1.5)]
)
def test_constraints_are_the_game_of_several_classes(learner):
    X, numbers = sparse_bits(3)
    y = np.array(["to", "too", "two"])[numbers]
    seen = np.column_stack([X, np.ones(300)])
    game = olc.ConstraintClassifier(learner.replaced(n=seen.shape[1]), classes=3)
    mistakes = [olc.multiclass.play(game, seen, numbers).mistakes for _ in range(2)]
    for rows in (X, sparse.csr_matrix(X)):
        classifier = once(learner, epochs=2, multi_class="constraint")
        classifier.fit(rows, y)
        assert classifier.mistakes_.tolist() == [sum(mistakes)]
        assert classifier.coef_.shape == (3, 40)
        assert classifier.intercept_.shape == (3,)
        assert np.allclose(
            classifier.decision_function(rows), game.scores(seen, final=True)
        )
        expected = classifier.classes_[game.scores(seen, final=True).argmax(axis=1)]
        assert np.array_equal(classifier.predict(rows), expected)


# ---------------------------------------------------------------------- probabilities


Probable = partial(once, probability=True)


def noisy(classes=2, rows=4000, seed=0):
    """Return examples whose classes cannot be told with certainty, and few of them."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 6))
    scores = X @ random.normal(size=(6, classes)) + random.gumbel(size=(rows, classes))
    scores[:, 0] += 1.5
    return X, scores.argmax(axis=1)


@pytest.mark.parametrize(
    ("classes", "multi_class"),
    [(2, "one_against_all"), (3, "one_against_all"), (3, "constraint")],
)
@pytest.mark.parametrize(
    "learner", [olc.AveragedPerceptron(1), olc.BalancedWinnow(1, eta=0.05)]
)
def test_probabilities_of_fresh_examples_are_about_the_best_that_the_scores_allow(
    learner, multi_class, classes
):
    X, y = noisy(classes)
    classifier = Probable(learner, multi_class=multi_class).fit(X[:2500], y[:2500])
    fresh, told = X[2500:], y[2500:]
    chances = classifier.predict_proba(fresh)
    assert chances.shape == (1500, classes)
    assert np.allclose(chances.sum(axis=1), 1)
    scores = classifier.decision_function(fresh)
    if classes == 2:
        slope, offset = probability.fit_sigmoid(scores, 2 * told - 1)
        larger = probability.sigmoid(scores, slope, offset)
        best = np.column_stack([1 - larger, larger])
    else:
        best = probability.softmax(scores, probability.fit_softmax(scores, told))
    assert np.array_equal(chances.argmax(axis=1), classifier.predict(fresh))
    base = np.tile(np.bincount(y[:2500]) / 2500, (1500, 1))
    assert log_loss(told, chances) < log_loss(told, best) + 0.03
    assert log_loss(told, chances) < log_loss(told, base) - 0.03


@pytest.mark.parametrize(
    "learner",
    [olc.VotedPerceptron(1), olc.KernelPerceptron(), Votes, Reaching, olc.Winnow(1)],
)
def test_every_learner_has_probabilities(learner):
    least = 0 if learner == olc.Winnow(1) else -1
    X = np.random.default_rng(0).choice([least, 1], (300, 5))
    y = X[:, 1] > 0
    classifier = Probable(learner).fit(X, y)
    chances = classifier.predict_proba(X)
    assert (chances[y, 1].mean() > 0.75) & (chances[~y, 1].mean() < 0.25)


def test_the_likelier_class_is_the_predicted_one_in_the_order_of_the_scores():
    X, y = noisy(rows=400)
    classifier = Probable(fit_intercept=False).fit(X, y)  # it misses the bias
    scores, chances = classifier.decision_function(X), classifier.predict_proba(X)
    curve = probability.fit_sigmoid(classifier.online_scores_[:, 0], 2 * y - 1)
    plain = probability.sigmoid(scores, *curve)
    assert 0.05 < np.mean((plain > 0.5) != (scores > 0)) < 0.5
    assert np.array_equal(chances.argmax(axis=1), classifier.predict(X))
    assert np.array_equal(chances[:, 1].argsort(), scores.argsort())
    agreed = (plain > 0.51) & (scores > 0)
    assert np.allclose(chances[agreed, 1], plain[agreed])


def test_a_curve_is_fitted_once_and_only_when_it_is_asked_for(monkeypatch):
    fits, fit = [], probability.fit_sigmoid

    def counted(scores, y):
        fits.append(len(y))
        return fit(scores, y)

    monkeypatch.setattr(probability, "fit_sigmoid", counted)
    X, y = noisy(rows=300)
    classifier = Probable()
    for first in range(0, 200, 50):
        batch = slice(first, first + 50)
        classifier.partial_fit(X[batch], y[batch], classes=[0, 1])
    assert fits == []
    early = classifier.predict_proba(X)
    assert np.array_equal(classifier.predict_proba(X), early)
    assert fits == [200]
    classifier.partial_fit(X[200:], y[200:])
    assert not np.array_equal(classifier.predict_proba(X), early)
    assert fits == [200, 300]


@pytest.mark.parametrize("multi_class", ["one_against_all", "constraint"])
def test_the_likeliest_class_is_the_predicted_one_even_if_the_slope_is_0(multi_class):
    flat = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(12, 2)), np.arange(12) % 3
        classifier = Probable(multi_class=multi_class).fit(X, y)
        chances = classifier.predict_proba(X)
        assert np.array_equal(chances.argmax(axis=1), classifier.predict(X))
        assert np.allclose(chances.sum(axis=1), 1)
        online = classifier.online_scores_, classifier.online_labels_
        flat += probability.fit_softmax(*online) == 0
    assert flat > 5


def test_a_score_is_taken_before_its_example_is_learned():
    X, y = noisy(rows=60)
    told, step = [], Probable()
    for t in range(60):
        if t:
            told.append(step.decision_function(X[t : t + 1])[0])
        step.partial_fit(X[t : t + 1], y[t : t + 1], classes=[0, 1])
    assert np.allclose(step.online_scores_[1:, 0], told)
    whole = Probable().fit(X, y)
    assert np.array_equal(whole.online_labels_, y)
    assert np.allclose(whole.online_scores_[:9, 0], step.online_scores_[:9, 0])
    twice = Probable(epochs=2).fit(X, y)
    assert np.array_equal(twice.online_scores_, whole.online_scores_)
    shuffled = Probable(shuffle=True, random_state=0).fit(X, y)
    assert sorted(shuffled.online_labels_) == sorted(y)
    assert not np.array_equal(shuffled.online_labels_, y)


def test_the_latest_scores_of_all_calls_are_kept(monkeypatch):
    monkeypatch.setattr("olc.sklearn.LATEST", 50)
    X, y = noisy(3, rows=120)
    classifier = Probable().fit(X[:40], y[:40])
    assert classifier.online_scores_.shape == (40, 3)
    classifier.partial_fit(X[40:], y[40:])
    assert classifier.online_scores_.shape == (50, 3)
    assert np.array_equal(classifier.online_labels_, y[-50:])
    assert classifier.fit(X[:9], np.arange(9) % 3).online_labels_.shape == (9,)


def test_probabilities_are_there_if_they_are_asked_for_and_no_rows_are_kept():
    X, y = noisy(3, rows=500)
    classifier = once().fit(X, y)
    assert not hasattr(classifier, "predict_proba")
    with pytest.raises(AttributeError) as told:
        classifier.predict_proba(X)
    assert "set probability=True" in str(told.value.__cause__)
    assert not hasattr(classifier, "online_scores_")
    classifier.set_params(probability=True)
    with pytest.raises(NotFittedError):
        classifier.predict_proba(X)
    classifier.fit(X, y)
    pickled = pickle.dumps(classifier)
    assert len(pickled) < X.nbytes
    same = pickle.loads(pickled)
    assert np.array_equal(same.predict_proba(X), classifier.predict_proba(X))
    classifier.set_params(probability=False).fit(X, y)
    assert not hasattr(classifier, "online_scores_")
