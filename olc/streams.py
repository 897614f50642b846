"""Streams to play on: panels, disjunctions, halfspaces, drifts and noise, by seed."""

from __future__ import annotations

import importlib.util
import math
import zlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc import geometry
from olc.core import check
from olc.core.check import Vector, above, assuming, chance, flag, whole
from olc.core.stream import Stream, as_stream
from olc.halving import as_class

__all__ = ["panel", "signed_panel", "experts", "in_turn", "hypotheses", "disjunction",
           "r_of_k", "drifting_disjunction", "words", "separable", "disc", "clouds",
           "circles", "moons", "sparse_examples", "xor", "breast_cancer", "digits",
           "binarise", "flip_labels", "flip_features"]  # fmt: skip

_LABELS = np.array([-1, 1], dtype=np.int8)
_read: Any = cache(np.loadtxt)
#: What an argument of this name may be, in all of them.
_drawn = assuming(
    n=whole(), k=whole(), rounds=whole(), seed=whole(0), best=chance, density=chance,
    drifts=whole(0), length=whole(), margin=above(0), radius=above(0), spread=above(0),
    r=whole(), signs=flag, digit=whole(0), against=whole(0), chance=chance,
)  # fmt: skip


@_drawn
def panel(n: int, k: int, rounds: int, seed: int) -> Stream:
    """Return n experts of random opinions, a hidden k of whom vote right (k odd).

    >>> stream = panel(9, k=3, rounds=100, seed=0)
    >>> votes = stream.X @ stream.target
    >>> int(stream.target.sum()), bool((stream.y == np.sign(votes)).all())
    (3, True)
    """
    random = np.random.default_rng(seed)
    u = _subset(n, odd(k, "k"), random)
    X = 2 * random.integers(0, 2, (rounds, n), dtype=np.int8) - 1
    return Stream(X, _at_least(1, X, u), u)


def signed_panel(n: int, k: int, rounds: int, seed: int) -> Stream:
    """Return a panel in which every second member is always misunderstood.

    The target is +1 and -1 in turn: the opinion of a member with -1 counts reversed.

    >>> stream = signed_panel(9, k=3, rounds=100, seed=0)
    >>> stream.target.tolist()
    [0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 1.0, 0.0]
    """
    stream = panel(n, k, rounds, seed)
    u = stream.need_target().copy()
    u[np.flatnonzero(u)[1::2]] = -1
    return Stream(stream.X, _at_least(1, stream.X, u), u)


@_drawn
def experts(
    n: int, rounds: int, seed: int, error: ArrayLike = 0.5, best: float | None = None
) -> Stream:
    """Return experts who err independently, with one probability `error` or one each.

    The first of them errs with probability `best` if that is given. By default they
    flip coins. If all are equally good, their vote is better than any of them, and a
    learner with a large η, which soon listens to few, loses:

    >>> import olc
    >>> crowd = experts(16, rounds=300, seed=0, error=0.3)
    >>> [
    ...     olc.play(olc.WeightedMajority(16, eta=eta), crowd).mistakes
    ...     for eta in (0.05, 0.5, 0.9)
    ... ]
    [15, 74, 84]
    """
    random = np.random.default_rng(seed)
    y = random.choice(_LABELS, rounds)
    chances = np.full(n, error, dtype=np.float64)
    for size in (chances.min(), chances.max()):
        chance(float(size), "error")
    if best is not None:
        chances[0] = best
    wrong = random.random((rounds, n)) < chances
    return Stream(np.where(wrong, -y[:, None], y[:, None]), y)


@_drawn
def in_turn(n: int, rounds: int, seed: int) -> Stream:
    """Return experts who err in turn, one in each round.

    The expert with the fewest mistakes so far is the next to err, so whoever follows
    the leaders loses: a randomized learner with a large η, and beyond some η the
    majority too.

    >>> import olc
    >>> stream = in_turn(8, rounds=300, seed=0)
    >>> for eta in (0.1, 0.9):
    ...     majority = olc.play(olc.WeightedMajority(8, eta=eta), stream)
    ...     drawn = olc.play(olc.RandomizedWeightedMajority(8, eta=eta), stream)
    ...     print(majority.mistakes, round(drawn.expected_mistakes, 1))
    0 39.2
    37 78.4
    """
    y = np.random.default_rng(seed).choice(_LABELS, rounds)
    X = np.repeat(y[:, None], n, axis=1)
    turn = np.arange(rounds)
    X[turn, turn % n] *= -1
    return Stream(X, y)


@_drawn
def hypotheses(table: ArrayLike, rounds: int, seed: int) -> Stream:
    """Return a class of hypotheses as experts, asked at random points.

    `table` has a row for every hypothesis and a column for every point. One of the
    hypotheses, drawn at random, gives the labels; the target picks it out.

    >>> stream = hypotheses([[1, 1, 1], [-1, 1, 1], [-1, -1, 1]], rounds=4, seed=0)
    >>> stream.X.tolist(), stream.y.tolist()
    ([[1, 1, 1], [1, 1, -1], [1, 1, -1], [1, -1, -1]], [1, 1, 1, 1])
    >>> stream.target.tolist()
    [1.0, 0.0, 0.0]
    """
    rows, random = as_class(table), np.random.default_rng(seed)
    points = random.integers(0, rows.shape[1], rounds)
    right = random.integers(0, len(rows))
    X = rows[:, points].T
    return Stream(X, X[:, right], np.eye(len(rows))[right])


def disjunction(
    n: int, k: int, rounds: int, seed: int, density: float | None = None
) -> Stream:
    """Return bits labelled by a hidden monotone disjunction of k variables.

    Each bit is 1 with probability `density`, by default such that half of the labels
    are positive.

    >>> stream = disjunction(20, k=3, rounds=100, seed=0)
    >>> bool((stream.y == np.where(stream.X @ stream.target >= 1, 1, -1)).all())
    True
    """
    return r_of_k(n, 1, k, rounds, seed, density)


@_drawn
def r_of_k(
    n: int, r: int, k: int, rounds: int, seed: int, density: float | None = None
) -> Stream:
    """Return bits labelled +1 where at least r of k hidden variables are 1.

    The target is 1/r there, rounded up a little, so that a positive example scores at
    least 1 and a negative one less, whatever the order of summation.

    >>> stream = r_of_k(20, r=7, k=9, rounds=100, seed=0)
    >>> scores = stream.X @ stream.target
    >>> bool(scores[stream.y > 0].min() >= 1 > scores[stream.y < 0].max())
    True
    """
    random = np.random.default_rng(seed)
    u = _subset(n, k, random)
    if r > k:
        raise ValueError(f"r = {r} of k = {k} variables can never be 1: use r ≤ k")
    X = _bits(random, (rounds, n), density, r, k)
    # 1/r, rounded up to few enough digits for exact sums of k such numbers
    places = 51 - (k // r).bit_length()
    share = math.ldexp(-(-(1 << places) // r), -places)
    return Stream(X, _at_least(r, X, u), u * share)


@_drawn
def drifting_disjunction(
    n: int, k: int, rounds: int, drifts: int, seed: int, density: float | None = None
) -> Stream:
    """Return a k-disjunction one of whose variables is replaced, `drifts` times.

    The changes are spread evenly over the rounds; `winnow_r.additions` counts their
    cost.

    >>> stream = drifting_disjunction(50, k=3, rounds=100, drifts=4, seed=0)
    >>> [start for start, _ in stream.drifts]
    [0, 20, 40, 60, 80]
    """
    if drifts >= rounds:
        raise ValueError(f"drifts = {drifts} must be less than rounds = {rounds}")
    random = np.random.default_rng(seed)
    X = _bits(random, (rounds, n), density, 1, k)
    targets = [_subset(n, k, random)]
    for _ in range(drifts):
        u = targets[-1].copy()
        new = random.choice(np.flatnonzero(u == 0))
        u[random.choice(np.flatnonzero(u > 0))] = 0
        u[new] = 1
        targets.append(u)
    starts = [i * rounds // len(targets) for i in range(len(targets))]
    parts = zip(np.split(X, starts[1:]), targets, strict=True)
    y = np.concatenate([_at_least(1, part, u) for part, u in parts])
    return Stream(X, y, targets[-1], list(zip(starts, targets, strict=True)))


@_drawn
def words(n: int, k: int, rounds: int, seed: int, length: int = 50) -> Stream:
    """Return texts as bags of words, in a sparse matrix: k keywords tell the topic.

    A text has up to `length` of n words, the i-th most frequent in proportion to 1/i.
    About half of the texts are positive: these have one of the keywords too, and the
    others have none. Needs SciPy.

    >>> stream = words(10_000, k=3, rounds=1000, seed=0)
    >>> stream.X.shape, stream.X.nnz
    ((1000, 10000), 41038)
    >>> import olc
    >>> olc.play(olc.Winnow(10_000), stream).mistakes
    65
    """
    random = np.random.default_rng(seed)
    u = _subset(n, k, random)
    y = random.choice(_LABELS, rounds)
    ordinary, keywords = np.flatnonzero(u == 0), np.flatnonzero(u)
    chances = np.cumsum(1 / np.arange(1, len(ordinary) + 1))
    drawn = random.random((rounds, length)) * chances[-1]
    # without the last sum, which a product that was rounded up may reach
    text = ordinary[np.searchsorted(chances[:-1], drawn, side="right")]
    key = np.where(y > 0, random.choice(keywords, rounds), text[:, 0])
    bags = np.sort(np.column_stack([text, key]), axis=1)
    new = np.diff(bags, axis=1, prepend=-1) > 0
    ends = np.append(0, np.cumsum(new.sum(axis=1))).astype(np.int32)
    parts = np.ones(ends[-1], np.int8), bags[new].astype(np.int32), ends
    return Stream(
        check.optional_import("scipy.sparse").csr_array(parts, shape=(rounds, n)), y, u
    )


@_drawn
def separable(n: int, margin: float, rounds: int, seed: int) -> Stream:
    """Return points of length 1 that a hidden halfspace separates with this margin.

    A point's component a along the normal is pushed out to margin + (1 - margin)∣a∣.

    >>> stream = separable(5, margin=0.2, rounds=1000, seed=0)
    >>> stream.margin >= 0.2 - 1e-12, round(stream.radius, 9)
    (True, 1.0)
    """
    margin, random = above(0, 1)(margin, "margin"), np.random.default_rng(seed)
    u = geometry.unit(random.normal(size=whole(2)(n, "n")))
    X = random.normal(size=(rounds, n))
    along = X @ u
    across = X - np.outer(along, u)
    y = _labels(along > 0)
    depth = margin + (1 - margin) * (np.abs(along) / np.linalg.norm(X, axis=1))
    across *= (np.sqrt(1 - depth**2) / np.linalg.norm(across, axis=1))[:, None]
    return Stream(across + np.outer(y * depth, u), y, u)


@_drawn
def disc(margin: float, rounds: int, seed: int, radius: float = 1.0) -> Stream:
    """Return points in a disc of the plane that keep clear of a line through 0.

    Two of them are as close to the line and as far out as they may be, on either side
    of its normal, so that margin and radius are what was asked for.

    >>> stream = disc(margin=0.1, rounds=50, seed=0)
    >>> round(stream.margin, 12), round(stream.radius, 12)
    (0.1, 1.0)
    """
    margin, random = above(0, radius)(margin, "margin"), np.random.default_rng(seed)
    depth = random.random(rounds)
    side, y = random.uniform(-1, 1, rounds), random.choice(_LABELS, rounds)
    angle = random.uniform(0, 2 * math.pi)
    corners = random.permutation(rounds)[:2]
    depth[corners], side[corners] = 0, (1, -1)
    along = margin + (radius - margin) * depth
    across = side * np.sqrt(np.maximum(0, radius**2 - along**2))
    u = np.array([math.cos(angle), math.sin(angle)])
    signed = np.outer(along, u) + np.outer(across, [-u[1], u[0]])
    return Stream(y[:, None] * signed, y, u)


@_drawn
def clouds(rounds: int, seed: int, spread: float = 0.38) -> Stream:
    """Return two clouds of points in the plane, positive and negative in turn.

    Their centres are (1.1, 0.7) and (-0.5, -0.4), so that the best line between them
    does not pass through 0; with a wide `spread` they overlap.

    >>> from olc import geometry
    >>> [geometry.separable(clouds(24, seed=23, spread=s)) for s in (0.38, 1)]
    [True, False]
    """
    random = np.random.default_rng(seed)
    around = random.normal(scale=spread, size=(rounds, 2))
    y = _LABELS[np.arange(1, rounds + 1) % 2]
    return Stream(around + np.where(y[:, None] > 0, [1.1, 0.7], [-0.5, -0.4]), y)


@_drawn
def circles(rounds: int, seed: int) -> Stream:
    """Return a ring of positive points inside a ring of negative ones.

    >>> stream = circles(100, seed=0)
    >>> bool(((np.linalg.norm(stream.X, axis=1) < 1.5) == (stream.y > 0)).all())
    True
    """
    random = np.random.default_rng(seed)
    y = random.choice(_LABELS, rounds)
    angle = random.uniform(0, 7, rounds)
    radius = np.where(y > 0, 1, 2) + random.uniform(-0.3, 0.3, rounds)
    return Stream(np.round(radius[:, None] * _directions(angle), 9), y)


@_drawn
def moons(rounds: int, seed: int) -> Stream:
    """Return points on two crescents that reach into each other.

    >>> from olc import geometry
    >>> geometry.separable(geometry.homogenise(moons(100, seed=0)))
    False
    """
    random = np.random.default_rng(seed)
    y = random.choice(_LABELS, rounds)
    angle = random.uniform(0, 3.14, rounds)
    crescents = y[:, None] * (_directions(angle) - [0.5, 0.25])
    return Stream(np.round(crescents + random.uniform(-0.2, 0.2, (rounds, 2)), 9), y)


@_drawn
def sparse_examples(n: int, active: int, rounds: int, seed: int) -> Stream:
    """Return examples with `active` features ±1, the others 0, and a target of ±1.

    The target is dense and the examples are sparse: the case for adding, as a panel
    is the case for multiplying. `active` is odd, so that there are no ties.

    >>> stream = sparse_examples(9, active=3, rounds=100, seed=0)
    >>> bool((stream.y == np.sign(stream.X @ stream.target)).all())
    True
    """
    above(0, n + 1)(odd(active, "active"), "active")
    random = np.random.default_rng(seed)
    u = random.choice([-1.0, 1.0], n)
    X = np.zeros((rounds, n), np.int8)
    where = np.argsort(random.random(X.shape), axis=1)[:, :active]
    signs = random.choice(_LABELS, where.shape)
    np.put_along_axis(X, where, signs, axis=1)
    return Stream(X, _at_least(1, X, u), u)


@_drawn
def xor(rounds: int = 4, signs: bool = True) -> Stream:
    """Return the four points of exclusive or, in turn: no halfspace separates them.

    >>> xor().X.tolist(), xor().y.tolist()
    ([[-1, -1], [-1, 1], [1, -1], [1, 1]], [-1, 1, 1, -1])
    """
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int8)
    X = corners[np.arange(rounds) % 4]
    return Stream(2 * X - 1 if signs else X, _labels(X[:, 0] != X[:, 1]))


@_drawn
def breast_cancer(seed: int) -> Stream:
    """Return 569 tumours, 30 measurements of each: +1 is malignant.

    The data come with scikit-learn. The order is random, and every measurement has
    mean 0 and standard deviation 1.

    >>> import olc
    >>> stream = breast_cancer(seed=0)
    >>> train, test = stream[:400], stream[400:]
    >>> learner = olc.AveragedPerceptron(30)
    >>> olc.play(learner, train).mistakes
    26
    >>> int(sum(learner.predict(test.X, final=True) != test.y))
    5
    """
    measured, kinds = _dataset("breast_cancer")
    X = (measured - measured.mean(axis=0)) / measured.std(axis=0)
    return _shuffled(X, kinds == 0, seed)


@_drawn
def digits(digit: int, seed: int, against: int | None = None) -> Stream:
    """Return images of handwritten digits, 8 by 8 pixels from 0 to 1, in random order.

    Those of `digit` are positive, all the others, or those of `against`, negative.
    The 1,797 images come with scikit-learn.

    >>> import olc
    >>> stream = digits(3, seed=0, against=8)
    >>> len(stream), stream.n, olc.play(olc.Perceptron(64), stream).mistakes
    (357, 64, 39)
    """
    if digit == against or max(digit, against or 0) > 9:
        raise ValueError(f"digit = {digit}, against = {against}: give two of 0 to 9")
    pixels, drawn = _dataset("digits")
    shown = (drawn == digit) | (drawn == against) | (against is None)
    return _shuffled(pixels[shown] / 16, drawn[shown] == digit, seed)


@_drawn
def binarise(stream: Stream, signs: bool = False) -> Stream:
    """Return the stream with every feature 1 above its median, else 0 (or -1).

    Bits suit Winnow. With ``signs=True`` every feature becomes an expert; the best of
    those who look at tumours errs in 83 of 569 cases:

    >>> votes = binarise(breast_cancer(seed=0), signs=True)
    >>> int((votes.y[:, None] != votes.X).sum(axis=0).min()), len(votes)
    (83, 569)
    """
    X = _dense(stream)
    high = (np.median(X, axis=0) < X).astype(np.int8)
    return Stream(2 * high - 1 if signs else high, stream.y)


@_drawn
def flip_labels(stream: Stream, chance: float, seed: int) -> Stream:
    """Return the stream with every label wrong with this probability.

    Which rounds are hit depends on the seed and on the labels, so that streams that
    are given the same seed are hit in different rounds. The target stays the one
    behind the true labels.

    >>> clean = [panel(9, k=3, rounds=20, seed=seed) for seed in range(3)]
    >>> noisy = [flip_labels(stream, chance=0.2, seed=0) for stream in clean]
    >>> [np.flatnonzero(one.y != two.y).tolist() for one, two in zip(clean, noisy)]
    [[0, 6, 9, 15, 16, 18], [9, 13, 17, 18], [0, 2, 3, 7, 14, 15]]
    """
    wrong = _hits(as_stream(stream).y, stream.y.shape, chance, seed)
    return replace(stream, y=np.where(wrong, -stream.y, stream.y))


@_drawn
def flip_features(stream: Stream, chance: float, seed: int) -> Stream:
    """Return a stream of bits or signs with every feature wrong with this chance.

    >>> flip_features(Stream([[0, 1, 1]], [1]), chance=1, seed=0).X
    array([[1, 0, 0]])
    """
    X = _dense(stream)
    signs = bool(np.any(X == -1))  # all ones may be either, and are taken for bits
    check.features(X, "signs" if signs else "bits")
    wrong = _hits(stream.y, X.shape, chance, seed)
    flipped = -X if signs else (1 - X).astype(X.dtype)
    return replace(stream, X=np.where(wrong, flipped, X))


def _dense(stream: Stream) -> NDArray[Any]:
    """Return X as a dense array."""
    X = as_stream(stream).X
    return X.toarray() if hasattr(X, "toarray") else X


def odd(value: Any, name: str) -> int:
    """Return an odd number; refuse an even one, of whose votes some would tie."""
    if whole()(value, name) % 2 == 0:
        raise ValueError(f"{name} = {value} is even: a panel of odd size has no ties")
    return int(value)


def _directions(angle: Vector) -> Vector:
    """Return the points of the unit circle at these angles.

    Round them: the cosines of two processors differ in the last digits.
    """
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _dataset(name: str) -> tuple[Vector, NDArray[np.intp]]:
    """Return the examples of a data set of scikit-learn, and their classes.

    Its files are read without it: the import would take longer than most games.
    """
    found: Any = importlib.util.find_spec("sklearn") or check.optional_import("sklearn")
    files = Path(found.submodule_search_locations[0], "datasets", "data")
    path, headings = next(files.glob(f"{name}.csv*")), int(name == "breast_cancer")
    rows = _read(path, delimiter=",", skiprows=headings)
    return rows[:, :-1], rows[:, -1].astype(np.intp)


def _shuffled(X: Vector, positive: NDArray[np.bool_], seed: int) -> Stream:
    order = np.random.default_rng(seed).permutation(len(X))
    return Stream(X[order], _labels(positive[order]))


def _hits(y: Any, shape: tuple[int, ...], chance: float, seed: int) -> Any:
    """Return an array of this shape, True with this chance in each place by itself."""
    # The labels keep the noise apart from what made the stream, which has perhaps the
    # same seed, and the shape keeps noise in features apart from noise in labels.
    random = np.random.default_rng([seed, *shape, zlib.crc32(y.tobytes())])
    return random.random(shape) < chance


def _bits(random: Any, shape: Any, density: Any, r: int, k: int) -> NDArray[np.int8]:
    if density is None:  # about half of the examples have r of k variables
        density = 1 - 0.5 ** (1 / k) if r == 1 else (r - 0.5) / k
    return (random.random(shape) < density).astype(np.int8)


def _subset(n: int, k: int, random: np.random.Generator) -> Vector:
    """Return the indicator of k of n variables."""
    chosen = random.choice(n, k, replace=False)
    return np.isin(np.arange(n), chosen).astype(np.float64)


def _labels(positive: NDArray[np.bool_]) -> NDArray[np.int8]:
    return np.where(positive, 1, -1).astype(np.int8)


def _at_least(r: int, X: NDArray[Any], u: Vector) -> NDArray[np.int8]:
    """Label +1 where ⟨u, x⟩ is at least r; the sum is exact for whole numbers."""
    return _labels(X[:, u != 0] @ u[u != 0] >= r)
