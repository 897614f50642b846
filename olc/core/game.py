"""The online game: streams of examples, a referee, and the record of who erred when.

The chapter `online_game` introduces it. A learner changes only through `update`;
`play` runs a whole game and returns a `Trace`.
"""

from __future__ import annotations

import copy
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check
from olc.core.learner import Learner, Vector

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Stream:
    """Examples in the order in which they come: rows of `X`, labels `y`.

    `X` is an array, or a SciPy CSR matrix. `target` is the hidden weight vector that
    explains the labels, when there is one. `drifts` lists ``(round, target)`` for a
    target that moves.
    """

    X: Any
    y: Labels
    target: Vector | None = None
    drifts: Sequence[tuple[int, Vector]] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        X, y = check.stream(self.X, self.y)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)
        if self.target is not None:
            target = check.example(self.target, X.shape[1], "real", "target")
            object.__setattr__(self, "target", target)
        try:
            pairs = [(start, target) for start, target in self.drifts]
        except (TypeError, ValueError):
            raise TypeError(
                f"drifts must be a list of pairs (round, target), not {self.drifts!r}"
            ) from None
        drifts = tuple(
            (
                check.count(start, "the round of a drift", least=0),
                check.example(target, X.shape[1], "real", "the target of a drift"),
            )
            for start, target in pairs
        )
        object.__setattr__(self, "drifts", drifts)

    def __len__(self) -> int:
        return len(self.y)

    def __iter__(self) -> Iterator[tuple[NDArray[Any], int]]:
        for t in range(len(self)):
            yield self.row(t), int(self.y[t])

    def row(self, t: int) -> NDArray[Any]:
        """Return the example of one round, dense."""
        if not check.is_sparse(self.X):
            return self.X[t]
        row, entries = np.zeros(self.n, self.X.dtype), slice(*self.X.indptr[t : t + 2])
        row[self.X.indices[entries]] = self.X.data[entries]
        return row

    def __getitem__(self, rows: Any) -> Stream:
        """Return the stream of these rounds only, in this order.

        A run of rounds keeps the targets of a drifting stream. Any other choice
        mixes them, so that none is left.
        """
        X, y = self.X[rows], self.y[rows]
        if not self.drifts:
            return Stream(X, y, self.target)
        if not (isinstance(rows, slice) and rows.step in (None, 1)):
            return Stream(X, y)
        first, stop, _ = rows.indices(len(self))
        now = [drift for drift in self.drifts if drift[0] <= first][-1:]
        later = [drift for drift in self.drifts if first < drift[0] < stop]
        drifts = [(max(0, start - first), u) for start, u in now + later]
        return Stream(X, y, drifts[-1][1] if drifts else None, drifts)

    @property
    def n(self) -> int:
        """The number of features."""
        return int(self.X.shape[1])

    @cached_property
    def radius(self) -> float:
        """R, the largest Euclidean length of an example (one pass, then kept)."""
        return check.largest_norm(self.X)

    @cached_property
    def margin(self) -> float:
        """γ, the least y⟨u, x⟩ of the target u scaled to Euclidean length 1."""
        from olc import geometry

        return geometry.margin(self.need_target(), self.X, self.y)

    def need_target(self) -> Vector:
        """Return the target, or say that this stream has none."""
        if self.target is None:
            raise ValueError(
                "this stream has no target: give Stream(X, y, target=u) the "
                "weight vector that explains its labels"
            )
        return self.target

    @property
    def additions(self) -> int:
        """How many variables were ever added to the target of a drifting stream.

        The target it starts with counts; removing a variable is free.
        """
        return self.costs[-1][1]

    @property
    def costs(self) -> list[tuple[int, int]]:
        """The rounds in which the target changed, each with the `additions` so far."""
        held, added, costs = np.zeros(self.n, dtype=bool), 0, []
        for start, target in self.drifts or [(0, self.need_target())]:
            added += int(np.sum((target > 0) & ~held))
            costs.append((start, added))
            held = target > 0
        return costs


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of a game.

    `rounds` holds the 0-based rounds of the mistakes and `updates` those in which
    the learner changed (the same for a mistake-driven learner). `before` is the
    learner as it was when the game began, so that a proof can walk through the
    game again, and `after` the state that it must reach then; `weights` holds the
    weights after every update when recorded.
    """

    predictions: Labels
    rounds: NDArray[np.int64]
    updates: NDArray[np.int64]
    before: Learner = field(repr=False)
    stream: Stream = field(repr=False)
    after: NDArray[Any] | None = field(default=None, repr=False)
    weights: Vector | None = field(default=None, repr=False)
    expected: Vector | None = field(default=None, repr=False)

    @property
    def mistakes(self) -> int:
        """How many predictions were wrong."""
        return len(self.rounds)

    @property
    def expected_mistakes(self) -> float:
        """The expected number of mistakes, over a randomized learner's coins."""
        return float(self.mistakes if self.expected is None else self.expected.sum())

    def __len__(self) -> int:
        return len(self.predictions)

    def __repr__(self) -> str:
        mistakes = f"{self.mistakes} mistake{'s' * (self.mistakes != 1)}"
        rounds = f"{len(self)} round{'s' * (len(self) != 1)}"
        return f"Trace({mistakes} in {rounds})"

    def replay(self) -> Iterator[Step]:
        """Walk through the updates of the game again, in order."""
        learner = copy.deepcopy(self.before)
        with Game(learner, keep=False):
            for t in self.updates:
                x, label = check.as_floats(self.stream.row(t)), int(self.stream.y[t])
                learner.rounds = self.before.rounds + int(t)
                score = learner.score(x)
                if not (learner.randomized or learner.wants_update(score, label)):
                    raise _changed(f"row {t}")
                learner.update(x, label)
                learner.rounds += 1
                yield Step(int(t), x, label, score, learner)
        if self.after is not None and not _same(self.after, learner.state):
            raise _changed("some row")


def _same(one: NDArray[Any], other: Any) -> bool:
    return one.tobytes() == np.asarray(other).tobytes()


def _changed(row: str) -> ValueError:
    return ValueError(
        f"{row} of the stream is no longer what it was when the game was played: give "
        "play a copy of X before you change it"
    )


class Step(NamedTuple):
    """One update of a game: the round, its example, and the learner after it."""

    t: int
    x: Vector
    y: int
    score: Any  #: the score of x just before the update
    learner: Any  #: the learner just after it (it moves on with the loop)


class Adversary(Protocol):
    """Chooses the next example after a look at the learner; None ends the duel."""

    def __call__(self, learner: Any) -> tuple[ArrayLike, int] | None: ...


def play_one_by_one(learner: Learner, X: Any, y: ArrayLike | None = None) -> Trace:
    """Play all rounds, one after the other: the game as the book defines it.

    >>> from olc import Perceptron
    >>> play_one_by_one(Perceptron(2), [[1, 2], [-1, 1]], [1, -1])
    Trace(2 mistakes in 2 rounds)
    """
    stream = as_stream(X, y)
    with Game(learner) as game:
        for x, label in game.examples(stream):
            game.round(x, label)
    return game.trace(stream)


def _is_answer(decided: Any) -> bool:
    """Say whether this is +1, -1 or 0, and not True or False."""
    number = np.ndim(decided) == 0 and not isinstance(decided, bool | np.bool_)
    return number and decided in (-1, 0, 1)


class Game:
    """A game in progress: the referee's notebook.

    If the game breaks off with an error, the learner is as it was before. With
    ``keep=False`` there is nothing to go back to.
    """

    def __init__(self, learner: Any, *, keep: bool = True) -> None:
        if not isinstance(learner, Learner):
            made = " (call the class)" if isinstance(learner, type) else ""
            raise TypeError(
                f"learner must be one that can play, such as Perceptron(n), not "
                f"{learner!r}{made}"
            )
        if not hasattr(learner, "n"):
            raise TypeError(
                f"{type(learner).__name__} has no n: set self.n, the number of its "
                "features, in __init__"
            )
        self.learner: Learner = learner
        self.before = copy.deepcopy(learner) if keep else learner
        self.predictions, self.updates = array("b"), array("q")
        self.expected = array("d")
        kind, by_hand = type(learner), vars(learner)
        self._at_mistakes = (
            kind.wants_update is Learner.wants_update and "wants_update" not in by_hand
        )
        known = hasattr(kind.decide, "entrywise") and "decide" not in by_hand
        self._own_answers = not known or not hasattr(kind, "link")

    def __enter__(self) -> Game:
        self.learner.relink()
        self.learner.playing = True
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None and self.before is not self.learner:
            self.learner.__dict__ = copy.deepcopy(self.before).__dict__
        else:
            self.learner.__dict__.pop("playing", None)

    def __len__(self) -> int:
        return len(self.predictions)

    def examples(self, stream: Stream) -> Iterator[tuple[Vector, int]]:
        """Check the examples of a stream, then hand them out as floats, one a round."""
        check.block(stream.X, self.learner.n, self.learner.features)
        for x, label in stream:
            yield check.as_floats(x), label

    def round(self, x: Vector, label: int) -> None:
        """Let the learner predict, tell it the answer, let it learn."""
        score, prediction, wants = self.ask(x, label, len(self.predictions))
        if self.learner.randomized:
            self.expected.append(self.learner.error_chance(score, label))
        if wants:
            self.updates.append(len(self.predictions))
            self.learner.update(x, label)
        self.predictions.append(prediction)

    def ask(self, x: Vector, label: int, t: int) -> tuple[Any, int, bool]:
        """Return the score and the prediction in round t, and whether to update."""
        learner = self.learner
        learner.rounds = self.before.rounds + t
        score = learner.score(x)
        if score is None:
            raise self._no_answer("score", score, "a number")
        decided = learner.decide(score)
        if self._own_answers and not _is_answer(decided):
            raise self._no_answer("decide", decided, "+1, -1, or 0 for a tie")
        prediction = int(decided)
        if self._at_mistakes:  # and a coin is not flipped twice
            return score, prediction, prediction != label
        wants = learner.wants_update(score, label)
        if wants is None:
            raise self._no_answer("wants_update", wants, "True or False")
        return score, prediction, bool(wants)

    def _no_answer(self, hook: str, answer: Any, wanted: str) -> TypeError:
        name = type(self.learner).__name__
        return TypeError(f"{name}.{hook} returned {answer!r}: return {wanted}")

    def extend(
        self, predictions: Labels, updates: Any = (), expected: Any = ()
    ) -> None:
        """Note many rounds at once; `updates` counts from the first of them."""
        if len(updates):
            later = np.asarray(updates, dtype=np.int64) + len(self)
            self.updates.frombytes(later.tobytes())
        self.predictions.frombytes(np.ascontiguousarray(predictions, np.int8).tobytes())
        self.expected.frombytes(np.asarray(expected, dtype=float).tobytes())

    def trace(self, stream: Stream) -> Trace:
        """Close the notebook."""
        self.learner.rounds = self.before.rounds + len(self)
        predictions = np.array(self.predictions, dtype=np.int8)
        randomized, state = self.learner.randomized, vars(self.learner).get("state")
        return Trace(
            predictions=predictions,
            rounds=(predictions != stream.y).nonzero()[0],
            updates=np.array(self.updates, dtype=np.int64),
            before=self.before,
            stream=stream,
            after=state.copy() if isinstance(state, np.ndarray) else None,
            expected=np.array(self.expected) if randomized else None,
        )


def play(
    learner: Learner, X: Any, y: ArrayLike | None = None, *, record: bool = False
) -> Trace:
    """Play all rounds of a stream from the learner's present state.

    Takes a `Stream`, or an array or CSR matrix of examples and their labels (a
    memory-mapped array is read in passing and never copied whole). The learner is left
    as it is after the last round, so a game can go on. With ``record=True`` the trace
    keeps the weights after every update. If an example is refused, the learner has not
    changed.

    >>> from olc import Perceptron
    >>> trace = play(Perceptron(2), [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    >>> trace.mistakes, trace.rounds.tolist()
    (2, [0, 3])
    """
    from olc.fast import engine

    stream, recording = as_stream(X, y), check.flag(record, "record")
    with Game(learner) as game:
        check.width(stream.X, learner.n)
        engine.run(game, stream)
    trace = game.trace(stream)
    return recorded(trace) if recording else trace


def play_many(
    make_learner: Callable[[], Learner], streams: Iterable[Stream]
) -> list[Trace]:
    """Play one fresh learner on each stream.

    >>> from olc import Perceptron, streams
    >>> games = [streams.panel(9, 3, 50, seed=seed) for seed in range(4)]
    >>> [trace.mistakes for trace in play_many(lambda: Perceptron(9), games)]
    [9, 7, 8, 10]
    """
    if not callable(make_learner):
        raise TypeError(
            f"make_learner must be called for a learner, lambda: {make_learner!r}"
        )
    given: Any = streams
    if isinstance(given, Stream) or not isinstance(given, Iterable):
        raise TypeError(
            f"streams must be a list of Streams, not a {type(given).__name__}"
        )
    games = [as_stream(stream, None) for stream in given]
    learners = [make_learner() for _ in games]
    if len({id(learner) for learner in learners}) < len(games):
        raise ValueError("make_learner must return a new learner at every call")
    return [play(*pair) for pair in zip(learners, games, strict=True)]


def duel(learner: Learner, adversary: Adversary, rounds: int) -> Trace:
    """Let an adversary, who sees the learner, choose every example.

    The duel ends after `rounds` rounds or when the adversary returns None. The
    trace carries the stream that was played, with the adversary's `target`.

    >>> from olc import Perceptron
    >>> duel(Perceptron(1), lambda learner: ([1.0], -1), rounds=10).mistakes
    1
    """
    rows: list[Vector] = []
    labels: list[int] = []
    rounds = check.count(rounds, "rounds")
    if not callable(adversary):
        raise TypeError(
            "adversary must be a function of the learner that returns (x, y), not "
            f"{adversary!r}"
        )
    with Game(learner) as game:
        while len(game) < rounds:
            learner.playing = False  # the adversary asks from outside
            learner.rounds = game.before.rounds + len(game)
            move = adversary(learner)
            if move is None:
                break
            try:
                x, y = move
            except (TypeError, ValueError):
                raise TypeError(
                    f"the adversary must return a pair (x, y) or None, not {move!r}"
                ) from None
            rows.append(check.example(x, learner.n, learner.features))
            labels.append(check.label(y))
            learner.playing = True
            game.round(rows[-1], labels[-1])
        stream = Stream(
            np.array(rows) if rows else np.empty((0, learner.n or 1)),
            np.array(labels, dtype=np.int8),
            getattr(adversary, "target", None),
            tuple(getattr(adversary, "drifts", ())),
        )
    return game.trace(stream)


def as_stream(X: Any, y: ArrayLike | None) -> Stream:
    """Return the stream itself, or make one of examples and labels."""
    if isinstance(X, Stream):
        if y is not None:
            raise TypeError("a Stream brings its own labels: leave y out")
        return X
    if y is None:
        raise TypeError("give a Stream, or examples X and their labels y")
    return Stream(X, y)  # type: ignore[arg-type]  # the stream makes an array of y


def as_trace(trace: Any) -> Trace:
    """Return the trace itself, or say that it is none."""
    if not isinstance(trace, Trace):
        kind = type(trace).__name__
        raise TypeError(f"trace must be what olc.play returns, not a {kind}")
    return trace


def recorded(trace: Trace) -> Trace:
    """Return the trace with the weights after every update filled in.

    The kernel Perceptron has a weight more after each of them; zeros fill its rows.
    """
    rows = [step.learner.weights for step in trace.replay()]
    weights = np.zeros((len(rows), max(map(len, rows), default=trace.before.n)))
    for row, now in zip(weights, rows, strict=True):
        row[: len(now)] = now
    return replace(trace, weights=weights)
