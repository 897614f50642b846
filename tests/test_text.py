"""Text: sentences become features, features become columns, and any learner plays."""

import gzip
from functools import partial
from importlib import metadata

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction import DictVectorizer
from sklearn.naive_bayes import MultinomialNB

import olc
from olc import text
from tools import spelling

# --- the corpus -------------------------------------------------------------------


def installed() -> str:
    """Return what the first line of the corpus would be if it were gathered here."""
    try:
        return spelling.heading()
    except metadata.PackageNotFoundError as missing:
        return str(missing)


def kept() -> str:
    return gzip.decompress(spelling.CORPUS.read_bytes()).decode("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(
    installed().partition(" gatherer")[0] != kept().split(" gatherer")[0],
    reason="other versions than the corpus was read of",
)
def test_the_corpus_is_what_the_command_gathers(tmp_path, monkeypatch):
    if kept().split("\n")[0] == installed():  # the same versions, the same rules
        return
    corpus = kept()
    monkeypatch.setattr(spelling, "CORPUS", tmp_path / "spelling.txt.gz")
    assert spelling.main() == 0
    assert kept() == corpus, "run python -m tools.spelling"


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
    lines = spelling.corpus({"toy": tree}, "toy==1.0").splitlines()
    assert lines == [
        "toy==1.0",
        "toy\tthan\tReturn more than one value, and then return all of them again.",
        "toy\tnumber\tA number that is greater than 10.",
        "toy\tthan\tA number that is greater than 10.",
        "toy\tit's\tIt's given as `first_name`, e.g. as a name.",
        "toy\tthere\tThere are too many of them.",
        "toy\ttoo\tThere are too many of them.",
    ]


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


def test_tokens_of_a_long_sentence_take_no_longer_than_reading_it():
    # each of these took time with the square of its length: minutes, for so many
    for piece, tokens in ((":", [":"]), (":a", [":", "a"]), ("a:", ["a", ":"])):
        assert text.tokens(piece * 50_000) == tokens * 50_000
    assert text.tokens(":a" * 49_999 + ":`x`") == ["<code>"]


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
        dictionary.rows([["c"], "d"])
    assert dictionary.names == ["a", "b"]
    assert len(dictionary) == 2
    assert "a" in dictionary
    assert "c" not in dictionary
    assert repr(dictionary) == "Dictionary(2 features)"
    assert dictionary.rows([["c"]], grow=False).nnz == 0
    assert dictionary.rows([]).shape == (0, 2)
    found = text.gaps("affect", "effect")[:5]
    with pytest.raises(ValueError, match="'effect' is not in list"):
        text.examples(found, ["to", "too"], dictionary)
    assert len(dictionary) == 2


WIDE = [
    olc.Perceptron,
    olc.AveragedPerceptron,
    partial(olc.MarginPerceptron, thickness=2),
    partial(olc.Winnow, threshold=20),
    partial(olc.WinnowR, threshold=20),
    partial(olc.ThresholdMarginWinnow, threshold=20, thickness=5),
    partial(olc.ThresholdBalancedWinnow, threshold=20),
    partial(olc.BalancedMarginWinnow, thickness=3),
]


def test_a_learner_that_grows_plays_as_if_it_had_known_all_features():
    found = text.gaps("accept", "except")
    y = np.where(text.labels(found, ["accept", "except"]) == 0, 1, -1)
    seen = list(map(text.features, found))
    rows = text.Dictionary().rows(seen)
    for make in WIDE:
        dictionary, predictions, learner = text.Dictionary(), [], make(1)
        for start in range(0, len(seen), 50):
            X = dictionary.rows(seen[start : start + 50])
            learner = text.widened(learner, len(dictionary))
            predictions.append(olc.play(learner, X, y[start : start + 50]).predictions)
        trace = olc.play(whole := make(rows.shape[1]), rows, y)
        assert np.array_equal(np.concatenate(predictions), trace.predictions)
        assert np.array_equal(learner.weights, whole.weights)
        assert learner.rounds == whole.rounds == len(y)
        if make is olc.AveragedPerceptron:
            assert np.array_equal(learner.average, whole.average)


def test_words_may_be_written_with_capitals_and_typographic_apostrophes():
    assert text.gap("It's here", ["It’s"]).word == "it's"


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


# --- naive Bayes, read online -----------------------------------------------------


@pytest.mark.parametrize("words", [("later", "latter"), ("affect", "effect")])
def test_naive_bayes_predicts_in_each_round_as_that_of_scikit_learn(words):
    stream = text.stream(*words, seed=1)
    said = text.naive_bayes(stream)
    for t in range(20, len(stream), 3):  # both words have been seen
        X, y = stream.X[:t], stream.y[:t]
        known = X.sum(axis=0) > 0
        odds = np.array([1 + (y < 0).sum(), 1 + (y > 0).sum()])
        peer = MultinomialNB(alpha=0.3, class_prior=odds / odds.sum())
        peer.fit(X[:, known], y)
        assert said[t] == peer.predict(stream.X[t : t + 1][:, known])[0]


def test_naive_bayes_knows_nothing_in_the_first_round():
    said = text.naive_bayes(olc.Stream(csr_array(np.eye(3)), [1, 1, -1]))
    assert said.tolist() == [0, 1, 1]
