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

from olc import multiclass
from olc.core import check
from olc.core.check import need
from olc.core.learner import Linear
from olc.core.stream import Stream, as_stream
from olc.fast.play import play

Kind = TypeVar("Kind", bound=Linear)

#: Words that are taken for one another, each in one set.
CONFUSIONS: tuple[tuple[str, ...], ...] = (
    ("accept", "except"),
    ("affect", "effect"),
    ("among", "between"),
    ("amount", "number"),
    ("begin", "being"),
    ("fewer", "less"),
    ("form", "from"),
    ("its", "it's"),
    ("later", "latter"),
    ("right", "write"),
    ("some", "sum"),
    ("than", "then"),
    ("their", "there"),
    ("though", "through"),
    ("to", "too", "two"),
    ("were", "where"),
)

WINDOW = 10  #: words on either side of the gap that are looked at
GAP, EDGE, CODE, NUMBER = "_", "|", "<code>", "<number>"
# Most tokens are words before a space, which no other pattern wants: they come first.
_TOKEN = re.compile(
    r"(?P<plain>[a-z]+)(?= )"
    r"|(?P<number>\d(?:[\w.]*\w)?)"
    r"|(?P<code>``[^`]+``|(?::[\w:]+:)?`[^`]+`_{0,2}"
    r"|\b\w*(?:\w[._]\w|\w\((?!s\))|[a-z][A-Z])[\w.()]*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
    r"|(?P<mark>[.,;:!?()])"
)


def tokens(sentence: str) -> list[str]:
    """Return the words of a sentence in lower case, and its marks of punctuation.

    Numbers and the names of a program become one token each, whatever they are.

    >>> tokens("It's more than 10 times `n_jobs`, then.")
    ["it's", 'more', 'than', '<number>', 'times', '<code>', ',', 'then', '.']
    """
    if not isinstance(sentence, str):
        raise TypeError(f"sentence must be a string, not {sentence!r}")
    return [
        plain or word.lower() or mark or (NUMBER if number else CODE)
        for plain, number, _, word, mark in _TOKEN.findall(sentence.replace("’", "'"))
    ]


class Gap(NamedTuple):
    """A sentence with a word left out: the words on either side, and the word."""

    before: tuple[str, ...]
    word: str
    after: tuple[str, ...]
    sentence: str  #: as it was written
    source: str  #: the package from whose documentation it comes

    @property
    def blank(self) -> str:
        """The sentence as it was written, with ____ for the word."""
        words = list(_TOKEN.finditer(self.sentence.replace("’", "'")))
        start, stop = words[len(self.before)].span()
        return f"{self.sentence[:start]}____{self.sentence[stop:]}"


def gap(sentence: str, words: Iterable[str], source: str = "") -> Gap:
    """Blank the first of these words in a sentence.

    >>> gap("This is more than enough.", ["than", "then"])[:3]
    (('this', 'is', 'more'), 'than', ('enough', '.'))
    >>> gap("It’s `than`, rather than `n_jobs`.", ["than", "then"]).blank
    'It’s `than`, rather ____ `n_jobs`.'
    """
    wanted = {word.lower().replace("’", "'") for word in _strings(words, "words")}
    return _blanked(sentence, wanted, source)


def _blanked(sentence: str, wanted: set[str], source: str) -> Gap:
    """Blank the first of these words, which are in lower case."""
    found = tuple(tokens(sentence))
    for place, token in enumerate(found):
        if token in wanted:
            return Gap(found[:place], token, found[place + 1 :], sentence, source)
    raise ValueError(
        f"sentence has none of the words {sorted(wanted)}: give one that has, not "
        f"{sentence!r}"
    )


def gaps(*words: str) -> list[Gap]:
    """Return the sentences of the book's corpus around these words, one gap in each.

    They come from the documentation of `packages`, and stand in its order. At most
    1,500 of them are kept for any word.

    >>> found = gaps("then", "than")
    >>> len(found), found[0].word, found[0].source
    (2994, 'than', 'ipython')
    """
    _refuse_unknown(words)
    found = sorted(line for word in dict.fromkeys(words) for line in _around(word))
    return [one for _, one in found]


def _refuse_unknown(words: tuple[str, ...]) -> None:
    missing = [word for word in words if str(word) not in _corpus()]
    if missing or not words:
        raise ValueError(
            f"words has {missing}, which the corpus does not ask for: choose from "
            "olc.text.CONFUSIONS"
        )


@cache
def _around(word: str) -> list[tuple[int, Gap]]:
    """Return the gaps of one word with the numbers of their lines."""
    lines = _corpus()[word]
    return [(number, _blanked(line, {word}, source)) for number, source, line in lines]


def packages() -> dict[str, str]:
    """Return the packages of the corpus, and the version that was read of each.

    >>> packages()["numpy"]
    '2.4.6'
    """
    return dict(item.split("==") for item in _lines()[0].split())


@cache
def _lines() -> list[str]:
    packed = resources.files("olc.world") / "_data" / "spelling.txt.gz"
    return gzip.decompress(packed.read_bytes()).decode("utf-8").split("\n")


@cache
def _corpus() -> dict[str, list[tuple[int, str, str]]]:
    """Return (number, package, sentence) of every line, by word."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    for number, line in enumerate(filter(None, _lines()[1:])):
        source, word, sentence = line.split("\t")
        found.setdefault(word, []).append((number, source, sentence))
    return found


# ---------------------------------------------------------------------- features


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
    if not isinstance(gap, Gap):
        raise TypeError(f"gap must be a Gap, as olc.text.gap makes one, not {gap!r}")
    reach = check.count(window, "window")
    before, after = (EDGE, *gap.before), (*gap.after, EDGE)
    near = (token for token in (*before[-reach:], *after[:reach]) if token[0].isalpha())
    left, right = before[-1], after[0]
    found = [GAP, *dict.fromkeys(near)]
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
    names = list(dict.fromkeys(_strings(found, "found")))
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

    def rows(self, examples: Iterable[Iterable[str]], *, grow: bool = True) -> Any:
        """Return lists of features as rows of a SciPy CSR matrix of 0 and 1.

        A feature that was never seen gets the next column, or with ``grow=False`` is
        left out. An example without features is a row of zeros.
        """
        grow = check.flag(grow, "grow")
        if not isinstance(examples, Iterable):
            raise TypeError(f"examples must be lists of features, not {examples!r}")
        matrix = self._rows(
            (
                dict.fromkeys(_strings(found, f"examples[{number}]"))
                for number, found in enumerate(examples)
            ),
            grow,
        )
        matrix.sort_indices()
        return matrix

    def _rows(self, examples: Iterable[Iterable[str]], grow: bool = True) -> Any:
        """The same for different strings, whose order the rows keep."""
        need("scipy")
        from scipy.sparse import csr_array

        # a number for every new name: the next one
        columns = defaultdict(itertools.count(len(self)).__next__, self._columns)
        indices, ends = list[int](), [0]
        for found in examples:
            known = found if grow else [name for name in found if name in columns]
            indices += map(columns.__getitem__, known)
            ends.append(len(indices))
        if not columns:
            raise ValueError(
                "examples have no feature, and none has been seen before: give an "
                "example that has one"
            )
        self._columns = dict(columns)
        at, ends_at = np.array(indices, np.int32), np.array(ends, np.int32)
        return csr_array(
            (np.ones(len(at)), at, ends_at), shape=(len(ends) - 1, len(columns))
        )


def _strings(found: Any, name: str) -> list[str]:
    """Return a list of words or features, which are strings."""
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise TypeError(f"{name} = {found!r}: give a list of strings")
    listed = list(found)
    for one in listed:
        if not isinstance(one, str):
            raise TypeError(f"{name} has {one!r}: give strings only")
    return listed


def labels(found: Iterable[Gap], words: Iterable[str]) -> Any:
    """Return the place of every gap's word among these words, 0, 1, ...

    >>> labels([gap("more than enough", ["than"])], ["then", "than"])
    array([1])
    """
    words, chosen = _strings(words, "words"), []
    if not isinstance(found, Iterable):
        raise TypeError(f"found must be a list of gaps, not {found!r}")
    if len(set(words)) < len(words):
        raise ValueError(f"words = {words} has a word twice: name each class once")
    for number, one in enumerate(found):
        word = getattr(one, "word", one)
        if word not in words:
            raise ValueError(
                f"gap {number} is {word!r}, which is none of the words {words}: add "
                "it, or leave the gap out"
            )
        chosen.append(words.index(word))
    return np.array(chosen, dtype=np.intp)


def pairs() -> dict[str, tuple[str, str]]:
    """Return the sixteen pairs of words that the book plays on, by name.

    >>> pairs()["than/then"], len(pairs())
    (('than', 'then'), 16)
    """
    chosen = [(words[0], words[1]) for words in CONFUSIONS]
    return {"/".join(words): words for words in chosen}


def examples(
    found: Iterable[Gap],
    words: Iterable[str],
    dictionary: Dictionary,
    *,
    grow: bool = True,
) -> Stream:
    """Return gaps of two words as a stream of rows; the first word is +1.

    >>> found = gaps("than", "then")[:3]
    >>> examples(found, ["than", "then"], Dictionary()).y
    array([ 1, -1,  1], dtype=int8)
    """
    if not isinstance(dictionary, Dictionary):
        raise TypeError(f"dictionary must be a Dictionary(), not {dictionary!r}")
    found = list(found)
    y = _signs(labels(found, words))
    return Stream(dictionary.rows(map(features, found), grow=grow), y)


def _signs(places: Any) -> Any:
    return np.where(places == 0, 1, -1).astype(np.int8)


def stream(first: str, second: str, *, seed: int, conjoined: bool = False) -> Stream:
    """Return the book's sentences around two words, in random order; `first` is +1.

    With ``conjoined=True`` the `conjunctions` of two features are features too.

    >>> import olc
    >>> examples = stream("then", "than", seed=0)
    >>> examples.X.shape, olc.play(olc.Perceptron(examples.n), examples).mistakes
    ((2994, 10617), 219)
    """
    conjoined = check.flag(conjoined, "conjoined")
    X, places = _shuffled(_two(first, second), seed, conjoined=conjoined)
    return Stream(_with_columns_of(X, X), _signs(places))


def split(
    first: str, second: str, *, seed: int, share: float = 0.2, window: int = WINDOW
) -> tuple[Stream, Stream]:
    """Return the same in two parts: one to learn from, and a share to be tested on.

    The dictionary is that of the first part: a feature that is met in the test only is
    left out of it.

    >>> train, test = split("then", "than", seed=0)
    >>> len(train), len(test), train.n == test.n
    (2395, 599, True)
    """
    (X, y), (new, right) = _parts(_two(first, second), seed, share, window)
    return Stream(X, _signs(y)), Stream(new, _signs(right))


def split_classes(*words: str, seed: int, share: float = 0.2) -> tuple[Any, ...]:
    """Return rows and classes to learn from, and rows and classes to be tested on.

    The class is the place of the word among these words: 0, 1, ...

    >>> X, y, new, right = split_classes("to", "too", "two", seed=0)
    >>> X.shape[0], np.bincount(y), len(right)
    (2287, array([1202,   72, 1013]), 572)
    """
    if len(words) < 2:
        raise ValueError(f"words = {words!r}: give two words to choose from, or more")
    train, test = _parts(words, seed, share, WINDOW)
    return (*train, *test)


def _two(first: str, second: str) -> tuple[str, str]:
    if first == second:
        raise ValueError(f"second = {second!r} is the first word too: give another one")
    return first, second


def _parts(words: tuple[str, ...], seed: int, share: float, window: int) -> Any:
    X, places = _shuffled(words, seed, check.count(window, "window"))
    share, rounds = check.above(0, 1)(share, "share"), len(places)
    cut = round((1 - share) * rounds)
    if not 0 < cut < rounds:
        raise ValueError(
            f"share = {share} leaves one of the parts of {rounds} sentences empty: "
            "give one that is nearer to 0.5"
        )
    train, test = (_with_columns_of(X[:cut], part) for part in (X[:cut], X[cut:]))
    return (train, places[:cut]), (test, places[cut:])


def _with_columns_of(seen: Any, X: Any) -> Any:
    """Return the rows of X as the dictionary has them that has read `seen` alone."""
    features, first = np.unique(seen.indices, return_index=True)
    rows = X[:, features[first.argsort()]]
    rows.sort_indices()
    return rows


def _shuffled(
    words: tuple[str, ...], seed: int, window: int = WINDOW, conjoined: bool = False
) -> tuple[Any, Any]:
    """Return the features and the places of the gaps' words, in random order."""
    _refuse_unknown(words)
    X, places = _in_order(words, window, conjoined)
    random = np.random.default_rng(check.count(seed, "seed", least=0))
    order = random.permutation(len(places))
    return X[order], places[order]


@cache
def _in_order(words: tuple[str, ...], window: int, conjoined: bool) -> tuple[Any, Any]:
    """Return the same in the order of the corpus: it serves every seed."""
    found = gaps(*words)
    seen: Iterable[list[str]] = (features(one, window) for one in found)
    seen = map(conjunctions, seen) if conjoined else seen
    return Dictionary()._rows(seen), labels(found, words)


def scramble(stream: Any, chance: float, seed: int) -> Stream:
    """Return the stream of bits with features mixed up: noise in the attributes.

    Every active feature leaves its example with this chance. Those that left go back
    in random order, so that each is as frequent as before (but for those that come to
    an example that has them).

    >>> examples = stream("affect", "effect", seed=0)
    >>> noisy = scramble(examples, chance=0.5, seed=0)
    >>> examples.X.nnz, noisy.X.nnz, examples.X.multiply(noisy.X).nnz
    (6165, 5858, 3308)
    """
    if not isinstance(stream, Stream) or not check.is_sparse(stream.X):
        raise TypeError(
            f"stream must be a Stream of sparse rows, not {stream!r}: see "
            "olc.streams.flip_features for dense ones"
        )
    check.features(check.table(stream.X, 0), "bits")
    chance = check.chance(chance, "chance")
    random = np.random.default_rng(check.count(seed, "seed", least=0))
    X = stream.X.copy()
    moved = np.flatnonzero(random.random(X.nnz) < chance)
    X.indices[moved] = X.indices[random.permutation(moved)]
    X.has_sorted_indices = X.has_canonical_format = False
    X.sum_duplicates()
    X.data = np.minimum(X.data, 1)
    return Stream(X, stream.y)


def widened(learner: Kind, n: int) -> Kind:
    """Return the learner with room for n features: the new ones begin as all began.

    It is the learner that had n features from the start, for nothing changes a weight
    before its feature is seen. A parameter that n decides would change in the middle
    of the game, so it has to be given when the learner is made.

    >>> from olc import Perceptron, Winnow
    >>> learner = Perceptron(1)
    >>> learner.update([1], -1)
    >>> widened(learner, 3).weights
    array([-1.,  0.,  0.])
    >>> widened(Winnow(1), 3)
    Traceback (most recent call last):
    ValueError: threshold = 1.0 follows from n and would become 3.0: give
    Winnow(n, threshold=...) a value
    """
    if not isinstance(learner, Linear):
        raise TypeError(f"learner must be a linear one, not {learner!r}")
    if check.count(n, "n") < learner.n:
        raise ValueError(f"n = {n} is less than the learner's {learner.n}: give more")
    kind, parameters = type(learner).__name__, learner.get_params().keys() - {"n"}
    bare, wide = copy.copy(learner), copy.deepcopy(learner)
    for name in vars(learner).keys() - {"n", *parameters}:
        if hasattr(Linear, name):  # it was set by hand, and stays
            delattr(bare, name)
    fresh, wide.n = bare.with_n(n), n
    for name in parameters:
        now, then = getattr(learner, name), getattr(fresh, name)
        if now != then:
            raise ValueError(
                f"{name} = {now} follows from n and would become {then}: give "
                f"{kind}(n, {name}=...) a value"
            )
    for name, began in vars(fresh).items():
        if isinstance(began, list):
            raise TypeError(
                f"{kind} keeps all its hypotheses, which have the width of their time: "
                "use a learner that keeps one"
            )
        if isinstance(began, np.ndarray) and began.shape == (n,):
            held = getattr(learner, name)
            setattr(wide, name, np.concatenate([held, began[learner.n :]]))
    return wide


def taught(learner: Kind, stream: Stream, passes: int = 1) -> Kind:
    """Let the learner play on the stream so many times, and return it.

    >>> from olc import Perceptron
    >>> train, test = split("affect", "effect", seed=0)
    >>> learner = taught(Perceptron(train.n), train, passes=5)
    >>> round(accuracy(learner, test), 3)
    0.985
    """
    for _ in range(check.count(passes, "passes")):
        play(learner, stream)
    return learner


def accuracy(learner: Linear, stream: Stream) -> float:
    """Return how often the classifier that came out of the games is right.

    It is the share of rows that `learner.classify` labels as the stream does; sparse
    rows stay sparse.
    """
    if not isinstance(learner, Linear):
        raise TypeError(f"learner must be a linear one, not {learner!r}")
    stream = as_stream(stream, None)
    check.table(stream.X, learner.n)
    if not len(stream):
        raise ValueError("stream has no rounds: give at least one example")
    scores = multiclass.output(learner, stream.X)
    return float(np.mean(multiclass.decided(learner, scores) == stream.y))
