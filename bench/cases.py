"""The cases: a stream, the contestants who play on it, and the targets."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import olc
from bench import contestants
from olc import Stream, streams

PRODUCT, PLAY, LOOP = "X @ w", "play", "loop"
SKLEARN, RIVER = "scikit-learn", "river"
COLUMNS = (PRODUCT, PLAY, LOOP, SKLEARN, RIVER)


@dataclass(frozen=True)
class Target:
    """`play` takes at most so many times `against`, or is so many times faster."""

    against: str
    factor: float
    faster: bool = False

    def __str__(self) -> str:
        sign, unit = ("≥", "faster than") if self.faster else ("≤", "the time of")
        return f"{sign} {self.factor:g} × {unit} {self.against}"

    def ratio(self, play: float, other: float) -> float:
        """Return what is compared with the factor."""
        return other / play if self.faster else play / other

    def met(self, ratio: float) -> bool:
        """Say whether this ratio meets the target."""
        return ratio >= self.factor if self.faster else ratio <= self.factor


@dataclass(frozen=True)
class Case:
    """Contestants by name; they are made late, because streams are large."""

    title: str
    make: Callable[[], dict[str, Callable[[], Any]]]
    targets: list[Target] = field(default_factory=list)


@dataclass(frozen=True)
class Sizes:
    """How large the cases are."""

    rounds: int = 100_000
    river_rounds: int = 20_000
    many_rounds: int = 1000
    games: int = 200
    turns: int = 9
    seconds: float = 4.0  # of CPU time a case, at least


FULL = Sizes()
QUICK = Sizes(5_000, 1_000, 50, 50, 3, 0.0)

TYPES = (np.float32, np.float64, np.int8)
EVERYWHERE = Target(SKLEARN, 1.2, faster=True)
RARELY = Target(SKLEARN, 3, faster=True)
NEVER_SLOWER = Target(LOOP, 1.1)


def all_cases(sizes: Sizes) -> Iterator[Case]:
    """Every case for which there is a target."""
    rare, few, some = (Target(PRODUCT, factor) for factor in (1.3, 2.0, 2.2))
    rounds = sizes.rounds
    margin = functools.partial(separable, rounds=rounds)
    panel = functools.partial(streams.panel, rounds=rounds, seed=1)
    for dtype in TYPES:
        yield perceptron(
            "margin 0.05", margin, 1000, dtype, [rare, RARELY, NEVER_SLOWER]
        )
        yield winnow("panel of 5", panel, 1000, dtype, [rare, NEVER_SLOWER])
    for dtype in TYPES:
        yield perceptron(
            "panel of 5",
            functools.partial(panel, k=5),
            100,
            dtype,
            [few, EVERYWHERE, NEVER_SLOWER],
        )
        yield winnow("panel of 5", panel, 100, dtype, [few, NEVER_SLOWER])
    for dtype in TYPES:
        yield perceptron(
            "panel of 5",
            functools.partial(panel, k=5),
            1000,
            dtype,
            [some, EVERYWHERE, NEVER_SLOWER],
        )
    for n in (100, 1000):
        for chance in (0.05, 0.1, 0.2, 0.5):
            yield perceptron(
                f"{chance:.0%} of the labels wrong",
                functools.partial(noisy, chance=chance, rounds=rounds // 4),
                n,
                np.float64,
                [NEVER_SLOWER, EVERYWHERE],
            )
        yield winnow(
            "random labels",
            functools.partial(guesses, rounds=rounds // 4),
            n,
            np.float64,
            [NEVER_SLOWER],
        )
    for n in (100, 1000):
        yield against_river(n, sizes.river_rounds)
    for n in (100, 1000):
        yield majority(n, rounds // 5)
    for n, factor in ((64, 8), (256, 4)):
        yield many(n, factor, sizes)


def separable(n: int, rounds: int) -> Stream:
    """Unit vectors with margin 0.05."""
    return streams.separable(n, margin=0.05, rounds=rounds, seed=1)


def noisy(n: int, chance: float, rounds: int) -> Stream:
    """Unit vectors with margin 0.05, and labels that are wrong with this chance."""
    return streams.flip_labels(separable(n, rounds), chance, seed=2)


def guesses(n: int, k: int, rounds: int) -> Stream:
    """A panel of experts whose every other label is wrong."""
    return streams.flip_labels(streams.panel(n, k, rounds, seed=1), 0.5, seed=2)


def typed(stream: Stream, dtype: Any) -> Stream:
    """The same stream in this type; real numbers are rounded to a grid for int8."""
    X = stream.X
    if X.dtype.kind == "f" and np.dtype(dtype).kind == "i":
        X = np.rint(X * (30 * math.sqrt(stream.n))).clip(-127, 127)
    return Stream(np.ascontiguousarray(X, dtype=dtype), stream.y, stream.target)


def weights_after(make: Callable[[], Any], X: Any, y: Any) -> Any:
    """Play with a new learner and return its weights."""
    learner = make()
    olc.play(learner, X, y)
    return learner.weights


def linear(
    stream: Stream, make: Callable[[], Any], loop: Callable[..., Any]
) -> dict[str, Callable[[], Any]]:
    """The contestants for a linear learner."""
    X, y = stream.X, stream.y
    w = make().weights.astype(X.dtype if X.dtype.kind == "f" else np.float32)
    return {
        PRODUCT: lambda: contestants.product(X, w),
        PLAY: lambda: weights_after(make, X, y),
        LOOP: lambda: loop(X, y),
    }


def title(learner: str, data: str, n: int, dtype: Any) -> str:
    return f"{learner}, {data}, N = {n}, {np.dtype(dtype).name}"


def perceptron(
    data: str, make: Callable[..., Stream], n: int, dtype: Any, targets: list[Target]
) -> Case:
    def entrants() -> dict[str, Callable[[], Any]]:
        stream = typed(make(n), dtype)
        loop = contestants.perceptron_loop
        entrants = linear(stream, lambda: olc.Perceptron(n), loop)
        entrants[SKLEARN] = lambda: contestants.scikit_learn(stream.X, stream.y)
        return entrants

    return Case(title("Perceptron", data, n, dtype), entrants, targets)


def winnow(
    data: str, make: Callable[..., Stream], n: int, dtype: Any, targets: list[Target]
) -> Case:
    def entrants() -> dict[str, Callable[[], Any]]:
        eta = olc.normalized_winnow.best_eta(1 / 5)
        return linear(
            typed(make(n, k=5), dtype),
            lambda: olc.NormalizedWinnow(n, eta=eta),
            functools.partial(contestants.normalized_winnow_loop, eta=eta),
        )

    return Case(title("normalised Winnow", data, n, dtype), entrants, targets)


def against_river(n: int, rounds: int) -> Case:
    """river's Perceptron has an intercept: ours gets a feature that is always 1."""

    def entrants() -> dict[str, Callable[[], Any]]:
        stream = separable(n, rounds)
        X, y = stream.X.astype(np.float32), stream.y
        with_bias = Stream(np.column_stack([X, np.ones_like(X[:, :1])]), y)
        loop = contestants.perceptron_loop
        entrants = linear(with_bias, lambda: olc.Perceptron(n + 1), loop)
        entrants[RIVER] = lambda: contestants.river(X, y)
        return entrants

    name = title(f"Perceptron, {rounds:,} rounds", "margin 0.05", n, np.float32)
    return Case(name, entrants, [Target(RIVER, 150, faster=True)])


def majority(n: int, rounds: int) -> Case:
    def entrants() -> dict[str, Callable[[], Any]]:
        stream = streams.experts(n, rounds, seed=1, error=0.4, best=0.2)
        X, y = stream.X.astype(np.int8), stream.y
        eta = 0.1
        return {
            PLAY: lambda: olc.play(olc.WeightedMajority(n, eta=eta), X, y).mistakes,
            LOOP: lambda: contestants.weighted_majority_loop(X, y, eta),
        }

    name = title("weighted majority", "experts", n, np.int8)
    return Case(name, entrants, [Target(LOOP, 5, faster=True)])


def many(n: int, factor: float, sizes: Sizes) -> Case:
    def entrants() -> dict[str, Callable[[], Any]]:
        games = [
            streams.panel(n, k=5, rounds=sizes.many_rounds, seed=seed)
            for seed in range(sizes.games)
        ]
        return {
            PLAY: lambda: [
                trace.mistakes
                for trace in olc.play_many(lambda: olc.Perceptron(n), games)
            ],
            LOOP: lambda: contestants.many_loop(games),
        }

    name = title(f"{sizes.games} Perceptrons at once", "panel of 5", n, np.int8)
    return Case(name, entrants, [Target(LOOP, factor, faster=True)])
