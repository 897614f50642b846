"""The cases: a stream, the contestants who play on it, and the targets."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import olc
from bench import contestants, processes
from bench.timing import Contestants, Timed
from olc import Stream, streams, text

PRODUCT, COMPILED, PLAIN, LOOP = "X @ w", "compiled", "plain", "loop"
BOOK, FIRST = "one by one", "first edition"
SKLEARN, RIVER, WABBIT = "scikit-learn", "river", "Vowpal Wabbit"
WIDE = "10 × N"
TYPES = np.float64, np.float32, np.int8


@dataclass(frozen=True)
class Target:
    """A gear takes at most so many times `against`, or is so many times faster."""

    against: str
    factor: float
    faster: bool = False
    gear: str = COMPILED

    def __str__(self) -> str:
        least = f"faster than {self.against} (≥ {self.factor:g})"
        return least if self.faster else f"{self.against} (≤ {self.factor:g})"

    def ratio(self, seconds: dict[str, float]) -> float:
        """Return what is compared with the factor."""
        ratio = seconds[self.gear] / seconds[self.against]
        return 1 / ratio if self.faster else ratio

    def met(self, ratio: float) -> bool:
        """Say whether this ratio meets the target."""
        return ratio >= self.factor if self.faster else ratio <= self.factor


@dataclass(frozen=True)
class Case:
    """Contestants by name; they are made late, because streams are large."""

    group: str
    title: str
    make: Callable[[], Contestants]
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Sizes:
    """How large the cases are, and how often they are run."""

    rounds: int = 100_000
    river_rounds: int = 20_000
    many_rounds: int = 2_000
    games: int = 200
    features: int = 100_000
    turns: int = 5
    moment: float = 0.04


FULL = Sizes()
QUICK = Sizes(4_000, 500, 100, 20, 10_000, 2, 0.0)


def all_cases(sizes: Sizes, folder: Path) -> Iterator[Case]:
    """Every case for which there is a target; files go to the folder."""
    new, rounds = functools.partial(case, folder), sizes.rounds
    for n, dtype, chance in product((100, 1000), TYPES, (0, 0.05, 0.2, 0.5)):
        limit = Target(PRODUCT, 1.3 if chance <= 0.05 else 2.2)
        peer = Target(SKLEARN, 3, faster=True)
        yield new("Perceptron", "Perceptron", n, rounds, dtype, chance, limit, peer)
    for n, name in product((100, 1000), ("Winnow", "NormalizedWinnow")):
        group = "Multiplicative learners"
        for dtype in TYPES:
            yield new(group, name, n, rounds, dtype, 0, Target(PRODUCT, 1.1))
        yield new(group, name, n, rounds // 4, np.int8, 0.2, Target(FIRST, 1.5))
    for n in (100, 1000):
        loop = Target(LOOP, 20, faster=True)
        yield new("Experts", "WeightedMajority", n, rounds // 5, np.int8, 0, loop)
    yield many(64, sizes)
    for n in (100, 1000):
        peer = Target(RIVER, 300, faster=True)
        yield new("river", "Perceptron", n, sizes.river_rounds, np.float64, 0, peer)
    for kind in ("signs", "words"):
        yield sparse(kind, sizes, folder)
    for kind in ("gaps", "conjunctions"):
        yield spelling(kind, sizes, folder)
    # no sum of powers of two is 20.3: at a tie the learner is asked, with all weights
    for name, options in (("Perceptron", {}), ("Winnow", {"threshold": 20.3})):
        yield wide(name, options, sizes)
    for n, name in product((10, 100, 1000), ("Perceptron", "NormalizedWinnow")):
        rarely = Target(BOOK, 2, faster=True, gear=PLAIN)
        never, group = Target(BOOK, 1.1, gear=PLAIN), "The plain gear"
        yield new(group, name, n, rounds // 5, np.float64, 0, never, rarely)
        for chance in (0.2, 0.5):
            yield new(group, name, n, rounds // 5, np.float64, chance, never)


def case(
    folder: Path, group: str, name: str, n: int, rounds: int, dtype: Any,
    chance: float, *targets: Target,
) -> Case:  # fmt: skip
    """A learner on a dense stream, beside those whom its targets name."""
    columns = [targets[0].gear, *(target.against for target in targets)]
    columns += [PRODUCT] * (COMPILED in columns) + [LOOP] * (PLAIN in columns)

    def make() -> Contestants:
        return entrants(name, stream(name, n, rounds, dtype, chance), columns, folder)

    wrong = f"{chance:.0%} of the labels wrong" if chance else "rare mistakes"
    title = f"{name}, N = {n}, {np.dtype(dtype).name}, {wrong}"
    return Case(group, title, make, targets)


def sparse(kind: str, sizes: Sizes, folder: Path) -> Case:
    """The Perceptron on CSR, beside all peers."""

    def make() -> Contestants:
        examples = STREAMS[kind](sizes.features, sizes.rounds)
        columns = [PRODUCT, COMPILED, SKLEARN, RIVER, WABBIT]
        return entrants("Perceptron", examples, columns, folder)

    limit, peer = Target(PRODUCT, 3.5), Target(SKLEARN, 1, faster=True)
    targets = limit, peer, Target(RIVER, 100, faster=True)
    title = f"Perceptron, {kind}, N = {sizes.features:,}"
    return Case("Sparse examples", title, make, targets)


def spelling(kind: str, sizes: Sizes, folder: Path) -> Case:
    """The Perceptron on the sentences of the chapter `spelling`, beside all peers."""

    def make() -> Contestants:
        examples = STREAMS[kind](0, sizes.rounds)
        columns = [PRODUCT, COMPILED, SKLEARN, RIVER, WABBIT]
        return entrants("Perceptron", examples, columns, folder)

    targets = Target(SKLEARN, 1, faster=True), Target(RIVER, 100, faster=True)
    return Case("Spelling", f"Perceptron, {kind}", make, targets)


def wide(name: str, options: dict[str, Any], sizes: Sizes) -> Case:
    """Ten passes, and the same with features that are never active.

    A game makes room for all its weights; ten passes are long enough not to show it.
    """

    def make() -> Contestants:
        once = gaps(0, sizes.rounds)
        examples = once[np.tile(np.arange(len(once)), 10)]
        more = examples.X.copy()
        more.resize(len(examples), 10 * examples.n)

        def weights(X: Any) -> Any:
            new = functools.partial(getattr(olc, name), X.shape[1], **options)
            found = contestants.play(COMPILED, new, Stream(X, examples.y))
            return found[: examples.n]

        return {COMPILED: lambda: weights(examples.X), WIDE: lambda: weights(more)}

    title = f"{name}, gaps, ten passes"
    return Case("Spelling", title, make, (Target(COMPILED, 1.5, gear=WIDE),))


def many(n: int, sizes: Sizes) -> Case:
    """Many small games."""

    def make() -> Contestants:
        rounds = sizes.many_rounds
        games = [streams.panel(n, 5, rounds, seed=seed) for seed in range(sizes.games)]

        def play() -> list[Any]:
            learners = [olc.Perceptron(n) for _ in games]
            with contestants.gear(COMPILED):
                olc.play_many(iter(learners).__next__, games)
            return [learner.weights for learner in learners]

        return {COMPILED: play, LOOP: lambda: list(map(LOOPS["Perceptron"], games))}

    title = f"{sizes.games} games of {sizes.many_rounds:,} rounds, Perceptron, N = {n}"
    return Case("Many games", title, make, (Target(LOOP, 10, faster=True),))


def entrants(name: str, examples: Stream, columns: list[str], folder: Path) -> Any:
    """The contestants of these names, as far as they are there."""
    make, parameters = lambda: learner(name, examples.n), PARAMETERS.get(name, {})
    kind = examples.X.dtype if examples.X.dtype.kind == "f" else np.float32
    w = make().weights.astype(kind)
    found: Contestants = {
        PRODUCT: lambda: contestants.product(examples.X, w),
        LOOP: lambda: LOOPS[name](examples, **parameters),
        SKLEARN: lambda: contestants.scikit_learn(examples),
        RIVER: lambda: contestants.river(examples),
    }
    for how in (COMPILED, PLAIN, BOOK):
        found[how] = functools.partial(contestants.play, how, make, examples)
    if FIRST in columns and processes.first_edition(folder):
        file = folder / "stream.npz"
        np.savez(file, X=examples.X, y=examples.y)
        game = "play", str(file), name, json.dumps(parameters)
        found[FIRST] = lambda: Timed(*processes.ask(*game, package=folder))
    if WABBIT in columns and find_spec("vowpalwabbit"):
        found[WABBIT] = contestants.vowpal_wabbit(examples, folder)
    return {column: found[column] for column in columns if column in found}


# --------------------------------------------------------- learners and streams


@functools.lru_cache(maxsize=1)
def separable(n: int, rounds: int) -> Stream:
    """Unit vectors with margin 0.05."""
    return streams.separable(n, margin=0.05, rounds=rounds, seed=1)


def signs(n: int, rounds: int) -> Stream:
    """About fifty active features ±1, and a target of ±1."""
    from scipy.sparse import csr_array

    random = np.random.default_rng(1)
    values = random.choice([-1.0, 1.0], 50 * rounds)
    where = random.integers(0, n, values.size, dtype=np.int32)
    ends = np.arange(0, values.size + 1, 50, dtype=np.int32)
    X = csr_array((values, where, ends), shape=(rounds, n))
    X.sum_duplicates()
    return Stream(X, np.where(X @ random.choice([-1.0, 1.0], n) >= 0, 1, -1))


def words(n: int, rounds: int) -> Stream:
    """Texts as bags of up to fifty words, ten of which tell the topic."""
    texts = streams.words(n, k=10, rounds=rounds, seed=1)
    return Stream(texts.X.astype(float), texts.y)


@functools.lru_cache(maxsize=2)
def gaps(n: int, rounds: int, conjunctions: bool = False) -> Stream:
    """The gaps of all pairs of words, in random order, each with its own features."""
    seen, labels = [], []
    for pair in (words for words in text.CONFUSIONS if len(words) == 2):
        found = text.gaps(*pair)
        labels += (1 - 2 * text.labels(found, pair)).tolist()
        seen += [[f"{pair[0]}: {name}" for name in text.features(gap)] for gap in found]
    order = np.random.default_rng(1).permutation(len(seen))[:rounds]
    wanted = (seen[place] for place in order)
    rows = map(text.conjunctions, wanted) if conjunctions else wanted
    return Stream(text.Dictionary().rows(rows), np.array(labels)[order])


STREAMS: dict[str, Callable[[int, int], Stream]] = {
    "Perceptron": separable,
    "NormalizedWinnow": lambda n, rounds: streams.panel(n, 5, rounds, seed=1),
    "Winnow": lambda n, rounds: streams.disjunction(n, 5, rounds, seed=1),
    "WeightedMajority": lambda n, rounds: streams.experts(n, rounds, 1, 0.4, best=0.2),
    "signs": signs,
    "words": words,
    "gaps": gaps,
    "conjunctions": lambda n, rounds: gaps(n, rounds // 25, conjunctions=True),
}
PARAMETERS = {
    "NormalizedWinnow": {"eta": olc.normalized_winnow.best_eta(1 / 5)},
    "WeightedMajority": {"eta": 0.1},
}
LOOPS: dict[str, Callable[..., Any]] = {
    "Perceptron": contestants.perceptron_loop,
    "NormalizedWinnow": contestants.normalized_winnow_loop,
    "WeightedMajority": contestants.weighted_majority_loop,
}


def learner(name: str, n: int) -> Any:
    """A new learner of this name."""
    return getattr(olc, name)(n, **PARAMETERS.get(name, {}))


def stream(name: str, n: int, rounds: int, dtype: Any, chance: float) -> Stream:
    """A stream for a learner, with labels that are wrong with this chance."""
    right = typed(STREAMS[name](n, rounds), dtype)
    return streams.flip_labels(right, chance, seed=2) if chance else right


@functools.lru_cache(maxsize=1)
def typed(examples: Stream, dtype: Any) -> Stream:
    """The same stream in this type; real numbers are rounded to a grid for int8."""
    X = examples.X
    if X.dtype.kind == "f" and np.dtype(dtype).kind == "i":
        X = np.rint(X * (30 * math.sqrt(examples.n))).clip(-127, 127)
    return Stream(np.ascontiguousarray(X, dtype=dtype), examples.y)
