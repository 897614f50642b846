"""Several classes: one against all, constraints, their bounds, and the reduction."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array, csr_matrix

import olc
from olc import ConstraintClassifier, OneAgainstAll, multiclass, play
from olc.core.learner import hints


class Lowered(olc.ThresholdRelative):
    """One whose scores count from another threshold in every round."""

    def update(self, x, y):
        super().update(x, y)
        self.threshold -= 0.5 * y


#: Every kind of learner that constraints take, and data that are exact for each.
LINEAR = [
    olc.Perceptron(5),
    olc.Perceptron(5, rate=0.5),
    olc.AveragedPerceptron(5),
    olc.MarginPerceptron(5, thickness=2),
    olc.ThresholdRelative(5),
    olc.NormalizedWinnow(5, eta=0.3),
    olc.BalancedWinnow(5, eta=0.3),
    olc.PNormPerceptron(5, p=3),
    olc.Winnow(5),
    olc.WinnowR(5),
    olc.ThresholdBalancedWinnow(5),
    olc.ThresholdMarginWinnow(5, thickness=0.5),
]
ANY = [*LINEAR, olc.VotedPerceptron(5), olc.KernelPerceptron(), Lowered(5)]


@st.composite
def explained(draw):
    """Whole numbers, and the class that scores highest by a target; no ties."""
    classes, n = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    entries = st.integers(-3, 3)
    u = draw(hnp.arrays(np.int64, (classes, n), elements=entries))
    rounds, features = draw(st.integers(1, 50)), st.integers(-4, 4)
    X = draw(hnp.arrays(np.int64, (rounds, n), elements=features))
    scores = np.sort(X @ u.T, axis=1)
    X = X[scores[:, -1] > scores[:, -2]]
    assume(len(X))
    return X, (X @ u.T).argmax(axis=1), u


@st.composite
def labelled(draw, least=-4, most=4):
    """Whole numbers, and classes that need not make sense."""
    classes, n = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    rounds, features = draw(st.integers(1, 40)), st.integers(least, most)
    X = draw(hnp.arrays(np.int64, (rounds, n), elements=features))
    y = draw(hnp.arrays(np.int64, rounds, elements=st.integers(0, classes - 1)))
    return X, y, classes


def text(rounds=200, n=5, classes=3, seed=0):
    """Bits, some rows of them empty, and classes with some noise."""
    random = np.random.default_rng(seed)
    X = (random.random((rounds, n)) < 0.4).astype(float)
    y = (X @ random.normal(size=(n, classes))).argmax(axis=1)
    return X, np.where(random.random(rounds) < 0.1, 0, y)


# ------------------------------------------------------------------- the algorithm


@given(labelled())
def test_the_perceptron_under_constraints_is_the_plain_loop_of_crammer_and_singer(data):
    X, y, classes = data
    weights, mistakes = [[0] * X.shape[1] for _ in range(classes)], []
    for t, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        scores = [sum(a * b for a, b in zip(w, x, strict=True)) for w in weights]
        wrong = [k for k in range(classes) if k != label]
        rival = max(wrong, key=lambda k: scores[k])
        if scores[label] <= scores[rival]:
            mistakes.append(t)
            weights[label] = [a + b for a, b in zip(weights[label], x, strict=True)]
            weights[rival] = [a - b for a, b in zip(weights[rival], x, strict=True)]
    for rows in (X, X.astype(float), csr_matrix(X), csr_array(X)):
        learner = ConstraintClassifier(olc.Perceptron(X.shape[1]), classes=classes)
        trace = multiclass.play(learner, rows, y)
        assert trace.mistake_rounds.tolist() == trace.update_rounds.tolist() == mistakes
        assert learner.weights.tolist() == weights


@given(labelled(least=0, most=1), st.sampled_from([Fraction(2), Fraction(3, 2)]))
def test_winnow_under_constraints_multiplies_and_divides_to_the_last_tie(data, alpha):
    X, y, classes = data
    one = olc.Winnow(X.shape[1], alpha=float(alpha))
    trace = multiclass.play(ConstraintClassifier(one, classes=classes), X, y)
    weights = [[Fraction(1)] * X.shape[1] for _ in range(classes)]
    for t, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        shown = [i for i, bit in enumerate(x) if bit]
        scores = [sum(w[i] for i in shown) for w in weights]
        best = [k for k in range(classes) if scores[k] == max(scores)]
        assert trace.predictions[t] == (best[0] if len(best) == 1 else -1)
        rival = max((k for k in range(classes) if k != label), key=lambda k: scores[k])
        if scores[label] <= scores[rival]:
            for i in shown:
                weights[label][i] *= alpha
                weights[rival][i] /= alpha


@given(labelled())
def test_two_classes_under_constraints_are_the_binary_perceptron(data):
    X, y, _ = data
    y = np.minimum(y, 1)
    form = ConstraintClassifier(olc.Perceptron(X.shape[1]), classes=2)
    trace = multiclass.play(form, X, y)
    two = play(learner := olc.Perceptron(X.shape[1]), X, 2 * y - 1)
    assert trace.mistake_rounds.tolist() == two.mistake_rounds.tolist()
    assert np.array_equal(form.weights, [-learner.weights, learner.weights])
    names = {-1: 0, 1: 1, 0: -1}
    assert trace.predictions.tolist() == [names[said] for said in two.predictions]


def test_normalised_winnow_of_two_classes_under_constraints_is_balanced_winnow():
    X, y = text(classes=2)
    # of various sizes: the two forms round alike only where no score is nearly 0
    X = (2 * X - 1) * np.random.default_rng(0).uniform(0.5, 1, X.shape)
    form = ConstraintClassifier(olc.NormalizedWinnow(5, eta=0.25), classes=2)
    trace = multiclass.play(form, X, y)
    two = play(learner := olc.BalancedWinnow(5, eta=0.25), X, 2 * y - 1)
    assert trace.mistake_rounds.tolist() == two.mistake_rounds.tolist()
    assert np.allclose(form.weights, learner.halves[::-1])


@pytest.mark.parametrize(
    ("kind", "learner"),
    [
        *((OneAgainstAll, learner) for learner in ANY),
        *((ConstraintClassifier, learner) for learner in LINEAR),
    ],
    ids=repr,
)
def test_a_game_is_its_rounds_one_by_one(kind, learner):
    X, y = text(rounds=60)
    X = X if learner.features == "bits" else X - 0.25
    slow, scores, predictions = kind(learner, classes=3), [], []
    for x, label in zip(X, y, strict=True):
        scores.append(slow.scores(x))
        one = csr_matrix(x) if label else x  # a row of a sparse matrix will do
        predictions.append(slow.learn(one, label))
    for rows in (X, csr_matrix(X)):
        fast = kind(learner, classes=3)
        trace = multiclass.play(fast, rows, y)
        assert trace.predictions.tolist() == predictions
        assert {*np.flatnonzero(trace.predictions != y)} <= {*trace.update_rounds}
        assert fast.rounds == slow.rounds == 60
        assert np.allclose(trace.scores, scores, atol=1e-9)
        assert np.allclose(fast.scores(rows, final=True), slow.scores(X, final=True))
        assert np.allclose(fast.scores(rows), slow.scores(X))
        fresh = kind(learner, classes=3)
        assert np.array_equal(trace.before.scores(X), fresh.scores(X))
        assert trace != multiclass.play(fresh, rows, y)  # games, not numbers


class Slow(ConstraintClassifier):
    """Constraints that are asked for every score, and the last of equal rivals."""

    def rival(self, scores, y):
        wrong = np.delete(np.arange(len(scores)), y)
        return int(max(wrong, key=lambda k: (scores[k], k)))


@pytest.mark.parametrize("learner", [olc.Perceptron(6), olc.AveragedPerceptron(6)])
@pytest.mark.parametrize("kind", [ConstraintClassifier, Slow])
def test_decimals_are_rounded_in_a_game_as_they_are_by_the_hooks(kind, learner):
    random = np.random.default_rng(1)
    X, y = random.integers(-9, 10, (300, 6)) / 10, random.integers(0, 3, 300)
    slow, scores = kind(learner, classes=3), []
    for x, label in zip(X, y, strict=True):
        scores.append(slow.score(x))
        if slow.wants_update(scores[-1], label):
            slow.update(x, label)
        slow.learner.rounds += 1
    for rows in (X, csr_matrix(X)):
        fast = kind(learner, classes=3)
        trace = multiclass.play(fast, rows, y)
        assert np.array_equal(trace.scores, scores)
        assert np.array_equal(fast.weights, slow.weights)
        assert np.allclose(fast.final_weights, slow.final_weights, rtol=1e-12)
    if kind is Slow:
        usual = ConstraintClassifier(learner, classes=3)
        assert not np.array_equal(multiclass.play(usual, X, y).scores, scores)


@given(labelled())
def test_one_against_all_is_one_game_for_each_class(data):
    X, y, classes = data
    form = OneAgainstAll(olc.Perceptron(X.shape[1]), classes=classes)
    trace = multiclass.play(form, X, y)
    scores = np.zeros((len(y), classes))
    for k, learner in enumerate(form.learners):
        own = olc.Perceptron(X.shape[1])
        for t, x in enumerate(X):
            scores[t, k] = own.score(x)
            own.learn(x, 1 if y[t] == k else -1)
        assert np.array_equal(learner.weights, own.weights)
    assert np.array_equal(trace.scores, scores)
    highest = scores.max(axis=1, keepdims=True)
    alone = (scores == highest).sum(axis=1) == 1
    right = alone & (scores.argmax(axis=1) == y)
    assert trace.mistake_rounds.tolist() == np.flatnonzero(~right).tolist()
    # a mistake is a mistake of one of them
    games = trace.before.games(X, y)
    erred = np.unique(np.concatenate([game.mistake_rounds for game in games]))
    assert erred.tolist() == trace.update_rounds.tolist()
    assert {*trace.mistake_rounds} <= {*erred}


def test_two_classes_that_nobody_has_seen_tie_in_every_form_of_a_game():
    random, ties = np.random.default_rng(0), 0
    for _ in range(20):
        X, y = random.normal(size=(80, 9)), random.integers(2, size=80)
        slow = OneAgainstAll(olc.Perceptron(9), classes=4)
        predictions = [slow.learn(*each) for each in zip(X, y, strict=True)]
        ties += predictions.count(-1)
        for rows in (X, csr_matrix(X)):
            fast = OneAgainstAll(olc.Perceptron(9), classes=4)
            assert multiclass.play(fast, rows, y).predictions.tolist() == predictions
    assert ties > 40


def test_a_second_game_goes_on_where_the_first_one_stopped():
    X, y = text()
    for kind in (OneAgainstAll, ConstraintClassifier):
        for one in (olc.AveragedPerceptron(5), olc.Winnow(5)):
            whole, parts = kind(one, classes=3), kind(one, classes=3)
            trace = multiclass.play(whole, X, y)
            first = multiclass.play(parts, X[:77], y[:77])
            second = multiclass.play(parts, X[77:], y[77:])
            assert first.mistakes + second.mistakes == trace.mistakes
            assert np.allclose(whole.scores(X, final=True), parts.scores(X, final=True))
            same = pickle.loads(pickle.dumps(parts)).scores(X, final=True)
            assert np.array_equal(same, parts.scores(X, final=True))


def test_the_average_under_constraints_is_the_mean_of_the_weights():
    X, y = text(rounds=80)
    form = ConstraintClassifier(olc.AveragedPerceptron(5), classes=3)
    plain, total = ConstraintClassifier(olc.Perceptron(5), classes=3), np.zeros((3, 5))
    for x, label in zip(X, y, strict=True):
        total += plain.weights
        multiclass.play(plain, [x], [label])
    multiclass.play(form, X, y)
    assert np.allclose(form.final_weights, total / 80)
    assert np.array_equal(form.predict(X, final=True), form.decide(X @ total.T))


@hints(coordinatewise=True)
class Counted(olc.Winnow):
    """Winnow that notes how many weights an update has moved."""

    moved = 0

    def step(self, state, x, y):
        self.moved = max(self.moved, len(state))
        return state + y * x


def test_an_update_on_text_touches_active_features_only():
    texts = olc.streams.words(20_000, k=10, rounds=300, seed=1)
    y = np.where(texts.y > 0, 2, np.arange(300) % 2)
    form = ConstraintClassifier(Counted(20_000), classes=3)
    most = np.diff(texts.X.indptr).max()
    assert multiclass.play(form, texts.X, y).mistakes > 50
    assert 0 < form.learner.moved <= 2 * most < 200


# ------------------------------------------------------------------------ the bounds


@given(explained())
def test_mistakes_under_constraints_stay_within_the_bound(data):
    X, y, u = data
    form = ConstraintClassifier(olc.Perceptron(X.shape[1]), classes=len(u))
    trace = multiclass.play(form, X, y)
    scores = np.sort(X @ u.T, axis=1)
    least = int((scores[:, -1] - scores[:, -2]).min())
    longest = int((X * X).sum(axis=1).max())
    assert trace.mistakes <= Fraction(2 * longest * int((u * u).sum()), least**2)
    margin = multiclass.margin(u, X, y)
    assert margin == pytest.approx(least / math.sqrt((u * u).sum()))
    bound = multiclass.mistake_bound(math.sqrt(longest), margin)
    assert bound == pytest.approx(2 * longest * int((u * u).sum()) / least**2)


@given(explained())
def test_the_proof_is_the_perceptrons_on_the_constraints(data):
    X, y, u = data
    for rows in (X, csr_matrix(X)):
        form = ConstraintClassifier(olc.Perceptron(X.shape[1]), classes=len(u))
        trace = multiclass.play(form, rows, y)
        ledger = multiclass.proof(trace, u)
        assert len(ledger) == trace.mistakes
        assert_between(ledger)
        last = [(form.weights**2).sum()] * (trace.mistakes > 0)
        assert ledger.potential.iloc[-1:].tolist() == last


def test_the_proof_of_normalised_winnow_needs_a_target_without_negative_weights():
    X, _ = text()
    u = np.array([[2, 0, 0, 0, -1], [0, 2, 0, 0, -1], [0, 0, 0, 0, 1.0]])
    scores = np.sort(X @ u.T, axis=1)
    X = X[scores[:, -1] > scores[:, -2]]
    y = (X @ u.T).argmax(axis=1)
    positive = u - u.min(axis=0)
    margin = multiclass.margin(positive, X, y, p=1)
    eta = olc.normalized_winnow.best_eta(margin)
    form = ConstraintClassifier(olc.NormalizedWinnow(5, eta=eta), classes=3)
    trace = multiclass.play(form, X, y)
    assert_between(multiclass.proof(trace, positive))
    assert 0 < trace.mistakes <= olc.normalized_winnow.mistake_bound(15, margin)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_learner_of_two_classes_errs_on_every_constraint_that_was_learned(sparse):
    X, y = text()
    rows = csr_matrix(X) if sparse else X
    form = ConstraintClassifier(olc.Perceptron(5), classes=3)
    trace = multiclass.play(form, rows, y)
    stream = multiclass.constraints(trace)
    assert play(learner := olc.Perceptron(15), stream).mistakes == trace.mistakes > 0
    assert np.array_equal(learner.weights, form.weights.ravel())


# -------------------------------------------------------------------------- the door


@pytest.mark.parametrize("kind", [OneAgainstAll, ConstraintClassifier])
def test_a_refused_example_leaves_the_learner_as_it_was(kind):
    learner, fresh = (kind(olc.Winnow(2), classes=3) for _ in range(2))
    assert repr(learner).startswith(f"{kind.__name__}(Winnow(n=2, threshold=2.0,")
    assert learner.predict([[1, 0]]).tolist() == [-1]
    for X, y in (([[1, 0], [2, 0]], [0, 1]), ([[1, 0], [0, 1]], [0, 3])):
        with pytest.raises(ValueError, match=r"X\[1, 0\] = 2: give 0 and 1|y\[1\] = 3"):
            multiclass.play(learner, X, y)
        assert np.array_equal(learner.scores(np.eye(2)), fresh.scores(np.eye(2)))


@pytest.mark.parametrize("kind", [OneAgainstAll, ConstraintClassifier])
def test_an_error_in_a_hook_leaves_the_learner_as_it_was(kind):
    class Failing(olc.Perceptron):
        def step(self, state, x, y):
            if self.rounds > 3:
                raise RuntimeError("no more")
            return state + y * x

    learner = kind(Failing(5), classes=3)
    with pytest.raises(RuntimeError, match="no more"):
        multiclass.play(learner, *text())
    assert learner.scores(np.ones(5)).tolist() == [0, 0, 0]
    assert learner.rounds == 0


@pytest.mark.parametrize("method", ["learn", "games"])
def test_all_learners_against_all_learn_or_none(method):
    class Stubborn(olc.Perceptron):
        def update(self, x, y):
            raise RuntimeError("no")

    form = OneAgainstAll(olc.Perceptron(2), classes=3)
    form.learners[1] = Stubborn(2)
    with pytest.raises(RuntimeError, match="no"):
        form.learn([1, 2], 0) if method == "learn" else form.games([[1, 2]], [0])
    assert form.scores([1, 1]).tolist() == [0, 0, 0]
    assert [learner.rounds for learner in form.learners] == [0, 0, 0]


def test_the_proof_of_a_learner_with_rules_of_its_own_is_refused():
    class Twice(olc.Perceptron):
        def step(self, w, x, y):
            return w + 2 * y * x

    class Renamed(olc.Perceptron):
        pass

    play_one = (
        multiclass.play(ConstraintClassifier(kind(2), classes=2), np.eye(2), [0, 1])
        for kind in (Twice, Renamed)
    )
    with pytest.raises(TypeError, match="Twice plays by rules of its own"):
        multiclass.proof(next(play_one), np.eye(2))
    assert_between(multiclass.proof(next(play_one), np.eye(2)))
