"""Context-sensitive spelling: sentences, the features of a gap, a growing dictionary.

Chapter `spelling`. A word is blanked and has to be guessed from its context. What is
seen around the gap becomes features, features become columns of a sparse matrix when
they are first seen, and every learner of the book can play.
"""

from __future__ import annotations

import copy
import gzip
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, TypeVar

import numpy as np

from olc.core import check
from olc.core.check import above, assuming, chance, flag, optional_import, seed, whole
from olc.core.learner import Linear, has
from olc.core.stream import Stream

__all__ = ["Kind", "Gap", "gap", "gaps", "packages", "features", "conjunctions",
           "Dictionary", "pairs", "examples", "stream", "split", "split_classes",
           "naive_bayes", "scramble", "widened"]  # fmt: skip

Kind = TypeVar("Kind", bound=Linear)

#: Words that are taken for one another, each in one set.
CONFUSIONS: tuple[tuple[str, ...], ...] = (
    ("accept", "except"), ("affect", "effect"), ("among", "between"),
    ("amount", "number"), ("begin", "being"), ("fewer", "less"), ("form", "from"),
    ("its", "it's"), ("later", "latter"), ("right", "write"), ("some", "sum"),
    ("than", "then"), ("their", "there"), ("though", "through"), ("to", "too", "two"),
    ("were", "where"),
)  # fmt: skip

WINDOW = 10  #: words on either side of the gap that are looked at
GAP, EDGE, CODE, NUMBER = "_", "|", "<code>", "<number>"
# Most tokens are words before a space, which no other pattern wants: they come first.
_TOKEN = re.compile(
    r"(?P<plain>[a-z]+)(?= )"
    r"|(?P<number>\d(?:[\w.]*\w)?)"
    r"|(?P<code>``[^`]+``|`[^`]+`_{0,2}"
    r"|\b\w*(?:\w[._]\w|\w\((?!s\))|[a-z][A-Z])[\w.()]*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
    r"|(?P<mark>[.,;:!?()])"
)
# The role of what is quoted, such as :func:`name`, is part of the name. A run of word
# characters and colons is read once, from its beginning.
_ROLE = re.compile(r"(?<![\w:])(\w*)(:[\w:]+:)(?=`[^`]+`)")


def tokens(sentence: str) -> list[str]:
    """Return the words of a sentence in lower case, and its marks of punctuation.

    Numbers and the names of a program become one token each, whatever they are.

    >>> tokens("It's more than 10 times `n_jobs`, then.")
    ["it's", 'more', 'than', '<number>', 'times', '<code>', ',', 'then', '.']
    """
    return [
        plain or word.lower() or mark or (NUMBER if number else CODE)
        for plain, number, _, word, mark in _TOKEN.findall(_plain(sentence))
    ]


def _plain(sentence: str) -> str:
    """Return the sentence with plain apostrophes and blanks for roles, as long."""
    sentence = sentence.replace("’", "'")
    return _ROLE.sub(lambda role: role[1] + " " * len(role[2]), sentence)


class Gap(NamedTuple):
    """A sentence with a word left out: the words on either side, and the word."""

    before: tuple[str, ...]  #: the words before it
    word: str  #: the word that is left out
    after: tuple[str, ...]  #: the words after it
    sentence: str  #: as it was written
    source: str  #: the package from whose documentation it comes

    @property
    def blank(self) -> str:
        """The sentence as it was written, with ____ for the word."""
        words = list(_TOKEN.finditer(_plain(self.sentence)))
        start, stop = words[len(self.before)].span()
        return f"{self.sentence[:start]}____{self.sentence[stop:]}"


def gap(sentence: str, words: Iterable[str], source: str = "") -> Gap:
    """Blank the first of these words in a sentence.

    >>> gap("This is more than enough.", ["than", "then"])[:3]
    (('this', 'is', 'more'), 'than', ('enough', '.'))
    >>> gap("It’s `than`, rather than `n_jobs`.", ["than", "then"]).blank
    'It’s `than`, rather ____ `n_jobs`.'
    """
    wanted = [word.lower().replace("’", "'") for word in _listed(words, "words")]
    found = tuple(tokens(sentence))
    for place, token in enumerate(found):
        if token in wanted:
            return Gap(found[:place], token, found[place + 1 :], sentence, source)
    raise ValueError(f"sentence has none of the words {wanted}: {sentence!r}")


def gaps(*words: str) -> list[Gap]:
    """Return the sentences of the book's corpus around these words, one gap in each.

    They come from the documentation of `packages`, in its order. At most
    1,500 of them are kept for any word.

    >>> found = gaps("then", "than")
    >>> len(found), found[0].word, found[0].source
    (2994, 'than', 'ipython')
    """
    if missing := set(words) - set().union(*CONFUSIONS):
        raise ValueError(f"the corpus has no {missing}: choose from text.CONFUSIONS")
    return [_gap(*line) for line in _corpus()[1:-1] if line[1] in words]


@cache
def _gap(source: str, word: str, sentence: str) -> Gap:
    return gap(sentence, [word], source)


def packages() -> dict[str, str]:
    """Return the packages of the corpus, and the version that was read of each.

    >>> packages()["numpy"]
    '2.4.6'
    """
    *read, _ = _corpus()[0][0].split()  # the last says how it was gathered
    return dict(item.split("==") for item in read)


@cache
def _corpus() -> list[list[str]]:
    """Return the versions that were read, then package, word and sentence."""
    packed = resources.files("olc_book") / "_data" / "spelling.txt.gz"
    lines = gzip.decompress(packed.read_bytes()).decode("utf-8").split("\n")
    return [line.split("\t") for line in lines]


# ---------------------------------------------------------------------- features


@assuming(window=whole())
def features(gap: Gap, window: int = WINDOW) -> list[str]:
    """Return what is seen around a gap, each once: the gap, words, collocations.

    The gap itself, _, is seen in every example: its weight serves as a bias. A word
    stands for itself, wherever it is within the window. A collocation keeps its place
    next to the gap: the first and the second word on either side, two words in a row,
    and the words on both sides. The bar is the edge of the sentence.

    >>> features(gap("This is more than enough", ["than"]), window=2)
    ['_', 'is', 'more', 'enough', 'more _', '_ enough', 'more _ enough',
     'is * _', 'is more _', '_ * |', '_ enough |']
    """
    before, after = (EDGE, *gap.before), (*gap.after, EDGE)
    near = [*before[-window:], *after[:window]]
    left, right = before[-1], after[0]
    found = [GAP, *dict.fromkeys(token for token in near if token[0].isalpha())]
    found += [f"{left} _", f"_ {right}", f"{left} _ {right}"]
    if len(before) > 1:
        found += [f"{before[-2]} * _", f"{before[-2]} {left} _"]
    if len(after) > 1:
        found += [f"_ * {after[1]}", f"_ {right} {after[1]}"]
    return found


def conjunctions(found: Iterable[str]) -> list[str]:
    """Return the features and the conjunctions of any two of them.

    >>> conjunctions(["_", "is", "more"])
    ['_', 'is', 'more', '_ & is', '_ & more', 'is & more']
    """
    names = list(dict.fromkeys(_listed(found, "found")))
    pairs = itertools.combinations(sorted(names), 2)
    return [*names, *(f"{one} & {two}" for one, two in pairs)]


class Dictionary:
    """A column for every feature, allotted when the feature is first seen.

    Nobody has to know beforehand which features there are, or how many.

    >>> dictionary = Dictionary()
    >>> dictionary.rows([["more _", "is"], ["is", "_ enough"]]).toarray()
    array([[1., 1., 0.],
           [0., 1., 1.]])
    >>> dictionary.rows([["is", "_ zero"]]).shape  # one more is seen
    (1, 4)
    >>> dictionary.rows([["is", "_ two"]], grow=False).toarray()  # or left out
    array([[0., 1., 0., 0.]])
    >>> dictionary.names
    ['more _', 'is', '_ enough', '_ zero']
    """

    def __init__(self) -> None:
        self._columns: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, feature: object) -> bool:
        return feature in self._columns

    def __repr__(self) -> str:
        return f"Dictionary({len(self)} features)"

    @property
    def names(self) -> list[str]:
        """The features, in the order of their columns."""
        return list(self._columns)

    @assuming(grow=flag)
    def rows(self, examples: Iterable[Iterable[str]], *, grow: bool = True) -> Any:
        """Return lists of features as rows of a SciPy CSR matrix of 0 and 1.

        A feature that was never seen gets the next column, or with ``grow=False`` is
        left out. An example without features is a row of zeros.
        """
        # a number for every new name: the next one
        columns = defaultdict(itertools.count(len(self)).__next__, self._columns)
        indices, ends = list[int](), [0]
        for found in examples:
            names = dict.fromkeys(_listed(found, "an example"))
            known = names if grow else filter(columns.__contains__, names)
            indices += sorted(map(columns.__getitem__, known))
            ends.append(len(indices))
        self._columns = dict(columns)
        at = np.array(indices, np.int32), np.array(ends, np.int32)
        shape = len(ends) - 1, len(columns)
        return optional_import("scipy.sparse").csr_array(
            (np.ones(len(at[0])), *at), shape=shape
        )


def _listed(found: Iterable[str], name: str) -> list[str]:
    """Return a list of strings, which one string is not, although it has letters."""
    if isinstance(found, str):
        raise TypeError(f"{name} = {found!r}: give a list of strings")
    return list(found)


def labels(found: Iterable[Gap], words: Iterable[str]) -> Any:
    """Return the place of every gap's word among these words, 0, 1, ...

    >>> labels([gap("more than enough", ["than"])], ["then", "than"])
    array([1])
    """
    names = _listed(words, "words")
    if len(set(names)) < len(names):
        raise ValueError(f"words = {names} has a word twice: name each class once")
    return np.array([names.index(one.word) for one in found], dtype=np.intp)


def pairs() -> dict[str, tuple[str, ...]]:
    """Return the sixteen pairs of words that the book plays on, by name.

    >>> pairs()["than/then"], len(pairs())
    (('than', 'then'), 16)
    """
    return {"/".join(words[:2]): words[:2] for words in CONFUSIONS}


def examples(
    found: Iterable[Gap], words: Iterable[str], dictionary: Dictionary
) -> Stream:
    """Return gaps of two words as a stream of rows; the first word is +1.

    >>> found = gaps("than", "then")[:3]
    >>> examples(found, ["than", "then"], Dictionary()).y
    array([ 1, -1,  1], dtype=int8)
    """
    found, two = list(found), _listed(words, "words")
    if len(two) != 2:
        raise ValueError(f"words = {two}: a stream has two; number more with labels")
    y = _signs(labels(found, two))
    return Stream(dictionary.rows(map(features, found)), y)


def _signs(places: Any) -> Any:
    return np.where(places == 0, 1, -1).astype(np.int8)


@assuming(seed=seed, conjoined=flag)
def stream(first: str, second: str, *, seed: int, conjoined: bool = False) -> Stream:
    """Return the book's sentences around two words, in random order; `first` is +1.

    With ``conjoined=True`` the `conjunctions` of two features are features too.

    >>> import olc
    >>> examples = stream("then", "than", seed=0)
    >>> examples.X.shape, olc.play(olc.Perceptron(examples.n), examples).mistakes
    ((2994, 10617), 219)
    """
    (X, y), _ = _shuffled((first, second), seed, conjoined=conjoined)
    return Stream(X, _signs(y))


def split(
    first: str, second: str, *, seed: int, share: float = 0.2, window: int = WINDOW
) -> tuple[Stream, Stream]:
    """Return the book's sentences around two words, to learn from and to be tested on.

    They come in random order, and `share` is that of the test. The dictionary is that
    of the first part: a feature that is met in the test only is left out of it.

    >>> train, test = split("then", "than", seed=0)
    >>> len(train), len(test), train.n == test.n
    (2395, 599, True)
    """
    X, y, new, right = split_classes(
        first, second, seed=seed, share=share, window=window
    )
    return Stream(X, _signs(y)), Stream(new, _signs(right))


@assuming(seed=seed, share=above(0, 1), window=whole())
def split_classes(
    *words: str, seed: int, share: float = 0.2, window: int = WINDOW
) -> tuple[Any, ...]:
    """Return rows and classes to learn from, and rows and classes to be tested on.

    The class is the place of the word among these words: 0, 1, ...

    >>> X, y, new, right = split_classes("to", "too", "two", seed=0)
    >>> X.shape[0], np.bincount(y), len(right)
    (2287, array([1202,   72, 1013]), 572)
    """
    (X, y), (new, right) = _shuffled(words, seed, window, share=share)
    return X, y, new, right


def _shuffled(
    words: tuple[str, ...],
    seed: int,
    window: int = WINDOW,
    conjoined: bool = False,
    share: float = 0.0,
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return rows and classes to learn from and to be tested on, in random order.

    The columns are those of a `Dictionary` that reads the first part. The names have
    been looked up once for every order: here numbers are exchanged for numbers.
    """
    names, ends, places = _in_order(words, window, conjoined)
    order = np.random.default_rng(seed).permutation(len(places))
    sizes = np.diff(ends)[order]
    stops = np.append(0, np.cumsum(sizes))
    at = np.arange(stops[-1]) + np.repeat(ends[order] - stops[:-1], sizes)
    names, cut = names[at], round((1 - share) * len(places))
    first = np.full(names.max() + 1, len(names))  # where a name is seen first
    np.minimum.at(first, names[: stops[cut]], np.arange(stops[cut]))
    known = np.flatnonzero(first < len(names))
    column = np.full(len(first), -1, np.int32)
    column[known[np.argsort(first[known])]] = np.arange(len(known))

    def rows(start: int, stop: int) -> tuple[Any, Any]:
        found = column[names[stops[start] : stops[stop]]]
        row = np.repeat(np.arange(stop - start, dtype=np.int32), sizes[start:stop])
        row, found = row[found >= 0], found[found >= 0]
        shape = stop - start, len(known)
        X = optional_import("scipy.sparse").csr_array(
            (np.ones(len(found)), (row, found)), shape=shape
        )
        return X, places[order[start:stop]]

    return rows(0, cut), rows(cut, len(places))


@cache
def _in_order(
    words: tuple[str, ...], window: int, conjoined: bool
) -> tuple[Any, Any, Any]:
    """Return the features as numbers, where each gap's end, and the places.

    They are in the order of the corpus, and serve every seed.
    """
    found = gaps(*words)
    seen = [features(one, window) for one in found]
    if conjoined:
        seen = list(map(conjunctions, seen))
    numbers = defaultdict[str, int](itertools.count().__next__)
    names = [numbers[name] for each in seen for name in each]
    ends = np.cumsum([0, *map(len, seen)])
    return np.array(names), ends, labels(found, words)


@assuming(smoothing=above(0))
def naive_bayes(stream: Stream, smoothing: float = 0.3) -> Any:
    r"""Return the predictions of naive Bayes that reads a stream of bits once.

    In every round it predicts from what it has counted so far, and then counts. It is
    multinomial: with c(i) for how often a label came with feature i, V features and C
    counts in all, the label's odds are its number of rounds, and one, times
    :math:`\prod_i (c(i) + a)/(C + aV)` over the active features that are known. After
    the last round it is scikit-learn's ``MultinomialNB(alpha=a)``, but for that one.

    >>> examples = stream("then", "than", seed=0)
    >>> int((naive_bayes(examples) != examples.y).sum())
    104
    """
    check.features(stream.X, "bits")
    X, labels = stream.X.tocsc(), np.asarray(stream.y)
    rows, ends = X.indices, X.indptr
    column = np.repeat(np.arange(stream.n), np.diff(ends))
    evidence = np.log(1 + _before(labels > 0)) - np.log(1 + _before(labels < 0))
    new = np.bincount(rows[ends[:-1][np.diff(ends) > 0]], minlength=len(stream))
    known = np.arange(len(rows)) > ends[column]
    sizes, votes = np.bincount(rows, minlength=len(stream)), np.zeros(len(rows))
    for label in (1, -1):
        came = (labels == label).astype(float)
        count = _before(came[rows])
        count -= count[ends[column]]
        total = _before(came * sizes) + smoothing * np.maximum(1, _before(new))
        votes += label * (np.log(count + smoothing) - np.log(total)[rows])
    evidence += np.bincount(rows[known], votes[known], minlength=len(stream))
    return np.sign(evidence).astype(np.int8)


def _before(values: Any) -> Any:
    """Return the sums of what came before each value."""
    return np.cumsum(values) - values


@assuming(chance=chance, seed=seed)
def scramble(stream: Stream, chance: float, seed: int) -> Stream:
    """Return a stream of sparse bits with features mixed up: noise in the attributes.

    Every active feature leaves its example with this chance. Those that left go back
    in random order, so that each is as frequent as before (but for those that come to
    an example that has them).

    >>> examples = stream("affect", "effect", seed=0)
    >>> noisy = scramble(examples, chance=0.5, seed=0)
    >>> examples.X.nnz, noisy.X.nnz, examples.X.multiply(noisy.X).nnz
    (6165, 5858, 3308)
    """
    check.features(stream.X, "bits")
    random, X = np.random.default_rng(seed), stream.X.copy()
    moved = np.flatnonzero(random.random(X.nnz) < chance)
    X.indices[moved] = X.indices[random.permutation(moved)]
    X.has_sorted_indices = X.has_canonical_format = False
    X.sum_duplicates()
    X.data = np.minimum(X.data, 1)
    return Stream(X, stream.y)


@assuming(n=whole())
def widened(learner: Kind, n: int) -> Kind:
    """Return the learner with room for n features: the new ones begin as all began.

    It is the learner that had n features from the start, if that moves every weight on
    its own, for then nothing changes a weight before its feature is seen. A parameter
    that n decides would change in the middle of the game, so it has to be given when
    the learner is made.

    >>> from olc import Perceptron, Winnow
    >>> learner = Perceptron(1)
    >>> prediction = learner.learn([1], -1)
    >>> widened(learner, 3).weights
    array([-1.,  0.,  0.])
    >>> widened(Winnow(1), 3)
    Traceback (most recent call last):
    ValueError: threshold = 1.0 follows from n and would become 3.0: give
    Winnow(n, threshold=...) a value
    """
    kind = type(learner).__name__
    moves = getattr(learner, "coordinatewise", False)
    if not (moves and has(learner, Linear, "score")):
        raise TypeError(
            f"{kind} does not move every weight on its own, and would not be as if it "
            "had known all features: begin anew, with n as large as it may become"
        )
    if n < learner.n:
        raise ValueError(f"n = {n} is less than the learner's {learner.n}: give more")
    wide, fresh = copy.deepcopy(learner), learner.replaced(n=n)
    wide.n = n
    for name in learner.get_params().keys() - {"n"}:
        now, then = getattr(learner, name), getattr(fresh, name)
        if now != then:
            raise ValueError(
                f"{name} = {now} follows from n and would become {then}: give "
                f"{kind}(n, {name}=...) a value"
            )
    for name, began in vars(fresh).items():
        if np.shape(began) == (n,):
            held = np.append(getattr(learner, name), began[learner.n :])
            setattr(wide, name.removeprefix("_"), held)  # the state sets the weights
    return wide
