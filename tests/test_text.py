"""Text: sentences become features, features become columns, and any learner plays."""

import gzip
import pickle
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, vstack
from sklearn.feature_extraction import DictVectorizer

import olc
from olc import text
from tools import spelling

# --- the corpus -------------------------------------------------------------------


def installed() -> dict[str, str]:
    """Return the versions of the corpus's packages that are installed here."""
    found = {}
    for name in text.packages():
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "none"
    return found


@pytest.mark.slow
@pytest.mark.skipif(
    installed() != text.packages(), reason="other versions than the corpus was read of"
)
def test_the_corpus_is_what_the_command_gathers(tmp_path, monkeypatch, capsys):
    kept = spelling.CORPUS.read_bytes()
    monkeypatch.setattr(spelling, "CORPUS", tmp_path / "spelling.txt.gz")
    assert spelling.main() == 0
    again = spelling.CORPUS.read_bytes()
    assert gzip.decompress(again) == gzip.decompress(kept)
    assert "20635 sentences" in capsys.readouterr().out


SOURCE = '''
"""Return more than one value, and then return all of them again.

Parameters
----------
x : int
    A number that is greater than 10. It's given as `first_name`, e.g. as a name.

>>> more than this
It is not prose
"""
class A:
    """Return more than one value, and then return all of them once more."""
    def f(self):
        """A number that is greater than 99. It's given as `name`, e.g. as a name."""
    async def g(self):
        """There are too many of them.

        .. note:: It is no more than a directive
        """
        "A string that is no documentation, rather than one that is."
'''


@pytest.fixture
def tree(tmp_path):
    """A package with documentation, some of it twice, and tests."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "a.py").write_text(SOURCE, "utf-8")
    (tmp_path / "b.py").write_text('"""There are too many of them."""', "utf-8")
    doc = '"""These are more than enough tests of it."""'
    (tmp_path / "tests" / "test_a.py").write_text(doc, "utf-8")
    return tmp_path


def test_sentences_that_were_seen_before_are_gathered_once(tree):
    lines = spelling.corpus({"toy": tree}, {"toy": "1.0"}).splitlines()
    assert lines == [
        "toy==1.0",
        "toy\tthan\tReturn more than one value, and then return all of them again.",
        "toy\tnumber\tA number that is greater than 10.",
        "toy\tthan\tA number that is greater than 10.",
        "toy\tit's\tIt's given as `first_name`, e.g. as a name.",
        "toy\tthere\tThere are too many of them.",
        "toy\ttoo\tThere are too many of them.",
    ]


def test_what_is_gathered_does_not_depend_on_who_looks(tree):
    code = (
        "from pathlib import Path; from tools import spelling;"
        f"print(spelling.corpus({{'toy': Path({str(tree)!r})}}, {{}}))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(spelling.ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_of_a_frequent_word_a_hash_chooses_the_sentences(monkeypatch):
    lines = [("toy", "than", f"More than {word}") for word in "abcdef"]
    monkeypatch.setattr(spelling, "MOST", 3)
    kept = spelling.few(lines)
    assert len(kept) == 3
    assert set(kept) == set(spelling.few(reversed(lines)))
    assert kept == [line for line in map("\t".join, lines) if line in kept]


def test_no_sentence_of_the_corpus_is_asked_twice():
    for words in text.CONFUSIONS:
        found = text.gaps(*words)
        assert len({gap.sentence for gap in found}) == len(found)


def test_the_corpus_names_its_packages_and_their_licences():
    notice = (spelling.CORPUS.parent / "spelling-licences.txt").read_text("utf-8")
    assert set(text.packages()) == set(spelling.PACKAGES)
    for name in text.packages():
        assert f"\n{name}\n    Copyright" in notice


# --- sentences and gaps -----------------------------------------------------------


def test_a_blank_stands_where_the_word_was_written():
    for gap in text.gaps("its", "it's"):
        before, after = gap.blank.split("____")
        written = gap.sentence[len(before) : len(gap.sentence) - len(after)]
        assert before + written + after == gap.sentence
        assert written.lower().replace("’", "'") == gap.word
        assert text.tokens(before) == list(gap.before)


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("", []),
        ("It’s 3.5 or `x y`.", ["it's", "<number>", "or", "<code>", "."]),
        (
            "See :func:`numpy.sum`, or 10.",
            ["see", "<code>", ",", "or", "<number>", "."],
        ),
        ("call np.sum() or someName", ["call", "<code>", "or", "<code>"]),
        ("naïve word(s)", ["naïve", "word", "(", "s", ")"]),
    ],
)
def test_names_and_numbers_are_one_token_each(sentence, tokens):
    assert text.tokens(sentence) == tokens


def test_a_gap_takes_the_first_word_and_hides_it():
    one = text.gap("Then more than that, then less.", ["than", "then"], "toy")
    assert (one.before, one.word, one.source) == ((), "then", "toy")
    assert one.after[:2] == ("more", "than")
    assert not any("then" in name for name in text.features(one, window=4))


def test_features_of_a_gap_stop_at_the_window_and_at_the_edge():
    words = " ".join(f"{letter * 2}" for letter in "abcdefghijklmnopqrstuvwxyz")
    one = text.gap(words, ["nn"])
    seen = text.features(one)
    assert seen[1:21] == [letter * 2 for letter in "defghijklmopqrstuvwx"]
    assert seen[21:] == [
        "mm _", "_ oo", "mm _ oo", "ll * _", "ll mm _", "_ * pp", "_ oo pp"
    ]  # fmt: skip
    alone = text.features(text.gap("than", ["than"]))
    assert alone == ["_", "| _", "_ |", "| _ |"]


@given(
    st.lists(st.sampled_from(["ab", "than", ",", "1", "`c`"]), max_size=30),
    st.integers(1, 12),
)
def test_no_feature_is_listed_twice(words, window):
    seen = text.features(text.gap(" ".join([*words, "then"]), ["then"]), window)
    assert len(set(seen)) == len(seen)
    both = text.conjunctions(seen)
    assert len(set(both)) == len(both) == len(seen) * (len(seen) + 1) // 2


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: text.tokens(3), TypeError, "sentence must be a string, not 3"),
        (lambda: text.gap("no", ["than"]), ValueError, r"none of the words \['than'\]"),
        (lambda: text.gap("than", "than"), TypeError, "words = 'than': give a list"),
        (lambda: text.gap("than", [1]), TypeError, "words has 1: give strings only"),
        (lambda: text.gaps("weather"), ValueError, r"words has \['weather'\]"),
        (lambda: text.gaps(["to", "too"]), ValueError, r"words has \[\['to', 'too'\]"),
        (lambda: text.conjunctions("abc"), TypeError, "found = 'abc': give a list"),
        (lambda: text.Dictionary().rows(None), TypeError, "examples must be lists"),
        (
            lambda: text.split("to", "too", seed=0, window=[1]),
            TypeError,
            "window must be a whole number",
        ),
        (lambda: text.split_classes("to", seed=0), ValueError, "give two words to"),
        (
            lambda: text.split_classes("to", "too", "to", seed=0),
            ValueError,
            "has a word twice",
        ),
        (lambda: text.labels(None, ["to"]), TypeError, "found must be a list of gaps"),
        (
            lambda: text.examples(text.gaps("to"), ["to", "too"], {}),
            TypeError,
            "dictionary must be a Dictionary",
        ),
        (
            lambda: text.scramble(olc.Stream(csr_array([[2.0]]), [1]), 0.1, seed=0),
            ValueError,
            r"X\[0, 0\] = 2.0: give 0 and 1 only",
        ),
        (
            lambda: text.accuracy(olc.Perceptron(1), None),
            TypeError,
            "give a Stream",
        ),
        (
            lambda: text.accuracy(olc.Perceptron(1), olc.Stream([[1]], [1])[:0]),
            ValueError,
            "stream has no rounds",
        ),
        (lambda: text.gaps(), ValueError, "choose from olc.text.CONFUSIONS"),
        (lambda: text.features("than"), TypeError, "gap must be a Gap"),
        (
            lambda: text.features(text.gap("than", ["than"]), window=0),
            ValueError,
            "window must be at least 1",
        ),
        (lambda: text.stream("to", "to", seed=0), ValueError, "second = 'to'"),
        (lambda: text.stream("to", "too", seed=-1), ValueError, "seed must be"),
        (
            lambda: text.split("to", "too", seed=0, share=0.0001),
            ValueError,
            "leaves one of the parts of 1597 sentences empty",
        ),
        (
            lambda: text.scramble(olc.Stream([[1]], [1]), 0.1, seed=0),
            TypeError,
            "a Stream of sparse rows",
        ),
        (
            lambda: text.labels(text.gaps("too"), ["to", "two"]),
            ValueError,
            "gap 0 is 'too', which is none of the words",
        ),
        (lambda: text.Dictionary().rows([[], []]), ValueError, "have no feature"),
        (lambda: text.Dictionary().rows(["abc"]), TypeError, r"examples\[0\] = 'abc'"),
        (lambda: text.Dictionary().rows([3]), TypeError, r"examples\[0\] = 3"),
        (
            lambda: text.Dictionary().rows([["a"], [1]]),
            TypeError,
            r"examples\[1\] has 1",
        ),
        (
            lambda: text.accuracy(olc.Halving(3), olc.Stream([[1]], [1])),
            TypeError,
            "must be a linear one",
        ),
        (
            lambda: text.taught(olc.Perceptron(1), olc.Stream([[1]], [1]), passes=0),
            ValueError,
            "passes must be at least 1",
        ),
        (lambda: text.widened(olc.Halving(3), 4), TypeError, "must be a linear one"),
        (lambda: text.widened(olc.Perceptron(3), 2), ValueError, "n = 2 is less"),
        (
            lambda: text.widened(olc.Winnow(3), 4),
            ValueError,
            "threshold = 3.0 follows from n and would become 4.0",
        ),
        (
            lambda: text.widened(olc.VotedPerceptron(3), 4),
            TypeError,
            "VotedPerceptron keeps all its hypotheses",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_widened_learner_keeps_what_began_as_whole_numbers():
    class Counting(olc.Linear):
        def start(self):
            return np.zeros(self.n, int)

    learner = Counting(2)
    learner.update([0.5, 1], 1)
    assert text.widened(learner, 3).weights.tolist() == [0.5, 1, 0]


# --- a growing dictionary ---------------------------------------------------------


def test_rows_are_those_of_scikit_learn():
    found = [text.features(gap) for gap in text.gaps("affect", "effect")[:50]]
    dictionary = text.Dictionary()
    ours = dictionary.rows(found).toarray()
    peer = DictVectorizer(sparse=False)
    theirs = peer.fit_transform([dict.fromkeys(seen, 1.0) for seen in found])
    places = [peer.vocabulary_[name] for name in dictionary.names]
    assert np.array_equal(ours, theirs[:, places])


def test_a_row_may_be_empty_and_a_refused_one_leaves_the_dictionary_alone():
    dictionary = text.Dictionary()
    X = dictionary.rows([[], ["a", "b", "a"], []])
    assert X.toarray().tolist() == [[0, 0], [1, 1], [0, 0]]
    with pytest.raises(TypeError):
        dictionary.rows([["c"], [1]])
    assert dictionary.names == ["a", "b"]
    assert len(dictionary) == 2
    assert "a" in dictionary
    assert "c" not in dictionary
    assert repr(dictionary) == "Dictionary(2 features)"
    assert dictionary.rows([["c"]], grow=False).nnz == 0
    assert dictionary.rows([]).shape == (0, 2)


WIDE = {
    "Perceptron": olc.Perceptron,
    "AveragedPerceptron": olc.AveragedPerceptron,
    "MarginPerceptron": lambda n: olc.MarginPerceptron(n, thickness=2),
    "Winnow": lambda n: olc.Winnow(n, threshold=20),
    "WinnowR": lambda n: olc.WinnowR(n, threshold=20),
    "ThresholdMarginWinnow": lambda n: olc.ThresholdMarginWinnow(
        n, threshold=20, thickness=5
    ),
    "ThresholdBalancedWinnow": lambda n: olc.ThresholdBalancedWinnow(n, threshold=20),
    "BalancedMarginWinnow": lambda n: olc.BalancedMarginWinnow(n, thickness=3),
    "BalancedWinnow": lambda n: olc.BalancedWinnow(n, eta=0.3),
}


@pytest.mark.parametrize("name", WIDE)
def test_a_learner_that_grows_plays_as_if_it_had_known_all_features(name):
    found = text.gaps("accept", "except")
    y = np.where(text.labels(found, ["accept", "except"]) == 0, 1, -1)
    seen = list(map(text.features, found))
    dictionary, predictions, learner = text.Dictionary(), [], None
    for start in range(0, len(seen), 50):
        X = dictionary.rows(seen[start : start + 50])
        n = len(dictionary)
        learner = WIDE[name](n) if learner is None else text.widened(learner, n)
        predictions.append(olc.play(learner, X, y[start : start + 50]).predictions)
    whole = WIDE[name](len(dictionary))
    trace = olc.play(whole, text.Dictionary().rows(seen), y)
    assert np.array_equal(np.concatenate(predictions), trace.predictions)
    assert np.array_equal(learner.weights, whole.weights)
    assert learner.rounds == whole.rounds == len(y)
    if name == "AveragedPerceptron":
        assert np.array_equal(learner.average, whole.average)


def test_a_learner_that_grows_keeps_all_that_it_has_besides_its_weights():
    coins = olc.RandomizedWeightedMajority(2, eta=0.5, seed=0)
    olc.play(coins, [[1, -1]] * 20, [1, -1] * 10)
    wide = text.widened(coins, 2)
    again = [[1, -1]] * 20, [-1, 1] * 10
    assert np.array_equal(
        olc.play(wide, *again).predictions, olc.play(coins, *again).predictions
    )
    learner = olc.Perceptron(1)
    learner.threshold = 0.5
    assert text.widened(learner, 2).threshold == 0.5


def test_gaps_may_come_one_by_one_and_a_refused_one_leaves_the_dictionary_alone():
    found, dictionary = text.gaps("affect", "effect")[:5], text.Dictionary()
    with pytest.raises(ValueError, match="none of the words"):
        text.examples(found, ["to", "too"], dictionary)
    assert len(dictionary) == 0
    words = ["affect", "effect"]
    one, other = (
        text.examples(each, words, text.Dictionary()) for each in (found, iter(found))
    )
    assert np.array_equal(one.y, other.y)
    assert text.labels(iter(found), words).tolist() == (one.y < 0).astype(int).tolist()
    names = ["a", "b", "a"]
    assert text.conjunctions(iter(names)) == text.conjunctions(["a", "b"])


def test_words_may_be_written_with_capitals_and_typographic_apostrophes():
    assert text.gap("It's here", ["It’s"]).word == "it's"


def test_rows_of_two_calls_agree_on_their_columns():
    found = list(map(text.features, text.gaps("later", "latter")))
    dictionary = text.Dictionary()
    first, second = dictionary.rows(found[:100]), dictionary.rows(found[100:])
    first.resize(first.shape[0], second.shape[1])
    both = vstack([first, second])
    assert (both != text.Dictionary().rows(found)).nnz == 0


# --- streams ----------------------------------------------------------------------


def test_a_stream_is_shuffled_by_its_seed_and_labelled_by_its_first_word():
    one, same, other = (text.stream("some", "sum", seed=s) for s in (3, 3, 4))
    assert np.array_equal(one.y, same.y)
    assert (one.X != same.X).nnz == 0
    assert not np.array_equal(one.y, other.y)
    assert int((one.y > 0).sum()) == len(text.gaps("some"))
    swapped = text.stream("sum", "some", seed=3)
    assert np.array_equal(swapped.y, -one.y)


def test_a_split_is_the_stream_in_two_parts_with_the_dictionary_of_the_first():
    whole = text.stream("accept", "except", seed=1)
    train, test = text.split("accept", "except", seed=1, share=0.25)
    assert np.array_equal(np.concatenate([train.y, test.y]), whole.y)
    assert len(test) == round(0.25 * len(whole))
    # columns are allotted in the order of the rows, so the first are the same
    assert (whole.X[: len(train), : train.n] != train.X).nnz == 0
    assert (whole.X[len(train) :, : train.n] != test.X).nnz == 0
    assert whole.X[: len(train), train.n :].nnz == 0


def test_conjunctions_are_those_of_the_same_examples():
    plain = text.stream("later", "latter", seed=2)
    large = text.stream("later", "latter", seed=2, conjoined=True)
    assert np.array_equal(large.y, plain.y)
    active = np.diff(plain.X.indptr)
    assert np.array_equal(np.diff(large.X.indptr), active * (active + 1) // 2)
    both = (large.X @ large.X.T).toarray()
    common = (plain.X @ plain.X.T).toarray()
    assert np.array_equal(both, common * (common + 1) / 2)


def test_classes_are_the_places_of_the_words():
    X, y, new, right = text.split_classes("to", "too", "two", seed=0, share=0.3)
    counts = [len(text.gaps(word)) for word in ("to", "too", "two")]
    assert np.bincount(np.append(y, right)).tolist() == counts
    assert X.shape[1] == new.shape[1]
    two, _ = text.split("to", "too", seed=5)
    Z, z, _, _ = text.split_classes("to", "too", seed=5)
    assert (two.X != Z).nnz == 0
    assert np.array_equal(two.y > 0, z == 0)


def test_a_narrow_window_sees_less():
    wide, _ = text.split("some", "sum", seed=0)
    narrow, _ = text.split("some", "sum", seed=0, window=1)
    assert np.array_equal(wide.y, narrow.y)
    assert narrow.X.nnz < 0.6 * wide.X.nnz


class AgainstTheGrain(olc.Perceptron):
    """A learner with rules of its own."""

    def score(self, x):
        return -(x @ self.weights)

    def decide(self, score):
        return -1 if score >= 0 else 1


@pytest.mark.parametrize(
    "kind",
    [olc.Perceptron, olc.AveragedPerceptron, olc.VotedPerceptron, AgainstTheGrain],
)
def test_accuracy_is_that_of_the_classifier_that_comes_out_of_the_game(kind):
    train, test = text.split("accept", "except", seed=0)
    learner = text.taught(kind(train.n), train, passes=2)
    assert learner.rounds == 2 * len(train)
    dense = np.mean(learner.classify(test.X.toarray()) == test.y)
    assert text.accuracy(learner, test) == dense


def test_scrambled_features_are_as_many_and_as_frequent_as_before():
    clean = text.stream("their", "there", seed=0)
    same, noisy, lost = (text.scramble(clean, p, seed=1) for p in (0, 0.2, 1))
    assert (same.X != clean.X).nnz == 0
    assert clean.X.multiply(noisy.X).nnz / clean.X.nnz == pytest.approx(0.8, abs=0.02)
    assert noisy.X.nnz == pytest.approx(clean.X.nnz, rel=0.03)
    assert set(noisy.X.data) == {1.0}
    assert np.array_equal(noisy.y, clean.y)
    assert clean.X.multiply(lost.X).nnz < 0.2 * clean.X.nnz
    rare = np.flatnonzero(clean.X.sum(axis=0) == 1)
    assert np.array_equal(noisy.X.sum(axis=0)[rare], np.ones(len(rare)))


def test_a_stream_of_one_class_teaches_the_learners_that_class():
    found = text.gaps("too")
    X = text.Dictionary().rows(map(text.features, found))
    y = np.ones(len(found))
    for learner in (olc.Perceptron(X.shape[1]), olc.Winnow(X.shape[1], threshold=20)):
        trace = olc.play(learner, X, y)
        assert trace.mistakes <= 30
        assert (learner.predict(X) == 1).mean() > 0.9


def test_a_dictionary_can_be_kept_with_the_learner_it_belongs_to():
    dictionary = text.Dictionary()
    dictionary.rows([["a", "b"]])
    again = pickle.loads(pickle.dumps(dictionary))
    assert again.names == dictionary.names


def test_the_balanced_winnow_with_a_margin_beats_naive_bayes_on_then_and_than():
    from sklearn.naive_bayes import MultinomialNB

    data = text.stream("then", "than", seed=0)
    train, test = data[:2400], data[2400:]
    learner = olc.BalancedMarginWinnow(data.n, alpha=1.1, thickness=3)
    for _ in range(5):
        olc.play(learner, train)
    ours = np.mean(learner.predict(test.X) == test.y)
    theirs = MultinomialNB().fit(train.X, train.y).score(test.X, test.y)
    assert ours > 0.97
    assert ours > theirs
