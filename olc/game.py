"""The online game: streams of examples, learners, and the record of who erred when.

The chapter `online_game` introduces it. A learner changes only through `update`;
`play` runs a whole game and returns a `Trace`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc import _checks

Vector = NDArray[np.float64]
Labels = NDArray[np.int8]


class Learner:
    """What every algorithm of the book has: it scores, predicts, and learns.

    A subclass says how it scores (`_score`), how a score becomes a prediction
    (`_decide`), when it updates (`_wants_update`) and how (`_update`). The public
    methods check their arguments first.
    """

    features: ClassVar[str] = "real"  #: x may hold "real", "signs" or "bits"
    randomized: ClassVar[bool] = False  #: whether the same score may be answered anew
    n: int
    rounds: int = 0  #: how many rounds this learner has played

    @property
    def weights(self) -> Vector:
        """The current weight vector; writing to this copy changes nothing."""
        raise NotImplementedError

    def score(self, X: ArrayLike) -> Any:
        """Return the score of one example, or of every row of a block."""
        return self._score(_checks.examples(X, self.n, self.features))

    def predict(self, X: ArrayLike) -> Any:
        """Return the predicted label: +1, -1, or 0 for a tie at threshold 0."""
        return self._decide(self.score(X))

    def update(self, x: ArrayLike, y: float) -> None:
        """Learn from one example on which the learner should change."""
        x = _checks.example(x, self.n, self.features)
        self._update(x, _checks.label(y))

    def classify(self, X: ArrayLike) -> Any:
        """Return the labels given by the classifier that comes out of the game.

        Most learners hand out their last hypothesis; an averaged one hands out
        its average.
        """
        return self._decide(self.output(X))

    def output(self, X: ArrayLike) -> Any:
        """Return the scores behind `classify`."""
        return self.score(X)

    def _score(self, X: Vector) -> Any:
        raise NotImplementedError

    def _decide(self, score: Any) -> Any:
        return np.sign(score).astype(np.int8)

    def _wants_update(self, score: Any, y: Any) -> Any:
        """Mistake-driven by default: a tie is a mistake for either label."""
        return self._decide(score) != y

    def _error_chance(self, score: Any, y: Any) -> Any:
        """The probability of a mistake, for a learner that flips coins."""
        raise NotImplementedError

    def _update(self, x: Vector, y: int) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        parameters = {"n": self.n} | getattr(self, "parameters", {})
        inside = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
        return f"{type(self).__name__}({inside})"


class Linear(Learner):
    """A learner with a weight vector, which it moves in coordinates of its own.

    Every linear learner of the book adds a multiple of ``y x`` to a vector
    `state` and reads its weights off that vector: the Perceptron takes them as
    they are, Winnow raises its factor to them, normalised Winnow takes their
    softmax. `_step` and `_link` work on the last axis, so they serve one game
    or many in lockstep.
    """

    threshold: float = 0.0  #: the score at which the prediction changes
    margin: float = 0.0  #: update while y (score - threshold) is at most this

    def __init__(self, n: int, **parameters: Any) -> None:
        self.n = _checks.count(n, "n")
        self.parameters = parameters
        self._set(self._start())

    @property
    def weights(self) -> Vector:
        """The current weight vector; writing to this copy changes nothing."""
        return self._weights.copy()

    def _start(self) -> Vector:
        return np.zeros(self.n)

    def _step(self, state: Vector, x: Vector, y: Any) -> Vector:
        raise NotImplementedError

    def _link(self, state: Vector) -> Vector:
        return state

    def _score(self, X: Vector) -> Any:
        return X @ self._weights

    def _update(self, x: Vector, y: int) -> None:
        self._set(self._step(self.state, x, y))

    def _set(self, state: Vector) -> None:
        self.state = state
        self._weights = self._link(state)


@dataclass(frozen=True, eq=False)
class Stream:
    """Examples in the order in which they come: rows of `X`, labels `y`.

    `target` is the hidden weight vector that explains the labels, when there is
    one. `drifts` lists ``(round, target)`` for a target that moves.
    """

    X: NDArray[Any]
    y: Labels
    target: Vector | None = None
    drifts: Sequence[tuple[int, Vector]] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        X, y = _checks.stream(self.X, self.y)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)
        if self.target is not None:
            target = _checks.example(self.target, X.shape[1], "real", "target")
            object.__setattr__(self, "target", target)

    def __len__(self) -> int:
        return len(self.y)

    def __iter__(self) -> Iterator[tuple[NDArray[Any], int]]:
        for x, label in zip(self.X, self.y, strict=True):
            yield x, int(label)

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
        return _checks.largest_norm(self.X)

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
        drifts = self.drifts or [(0, self.need_target())]
        targets = [np.asarray(target) > 0 for _, target in drifts]
        before = np.zeros(self.n, dtype=bool)
        cost = 0
        for now in targets:
            cost += int(np.sum(now & ~before))
            before = now
        return cost


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of a game.

    `rounds` holds the 0-based rounds of the mistakes and `updates` those in which
    the learner changed (the same for a mistake-driven learner). `before` is the
    learner as it was when the game began, so that a proof can walk through the
    game again; `weights` holds the weights after every update when recorded.
    """

    predictions: Labels
    rounds: NDArray[np.int64]
    updates: NDArray[np.int64]
    before: Learner = field(repr=False)
    stream: Stream = field(repr=False)
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

    def replay(self, stream: Stream | None = None) -> Iterator[Step]:
        """Walk through the updates of the game again, in order.

        Another stream is taken if it has the same rounds (its target may differ).
        """
        stream = self.stream if stream is None else as_stream(stream, None)
        remedy = "pass the stream on which the game was played"
        if stream.X.shape != self.stream.X.shape:
            raise ValueError(
                f"the stream has shape {stream.X.shape} and the game was played on "
                f"{self.stream.X.shape}: {remedy}"
            )
        if not np.array_equal(stream.y, self.stream.y):
            raise ValueError(f"the stream has other labels than the game: {remedy}")
        learner = copy.deepcopy(self.before)
        for t in self.updates:
            x, label = _checks.as_floats(stream.X[t]), int(stream.y[t])
            if not np.array_equal(x, self.stream.X[t]):
                raise ValueError(f"row {t} of the stream is not the game's: {remedy}")
            learner.rounds = self.before.rounds + int(t)
            score = learner._score(x)
            learner._update(x, label)
            yield Step(int(t), x, label, score, learner)


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
        _checks.block(stream.X, learner.n, learner.features)
        for x, label in stream:
            game.round(_checks.as_floats(x), label)
    return game.trace(stream)


class Game:
    """A game in progress: the referee's notebook.

    If the game breaks off with an error, the learner is as it was before.
    """

    def __init__(self, learner: Learner) -> None:
        if not isinstance(learner, Learner):
            raise TypeError(
                f"learner must be one that can play, such as Perceptron(n), not "
                f"{learner!r}"
            )
        self.learner = learner
        self.before = copy.deepcopy(learner)
        self.predictions: list[int] = []
        self.updates: list[int] = []
        self.expected: list[float] = []

    def __enter__(self) -> Game:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            self.learner.__dict__ = self.before.__dict__

    def round(self, x: Vector, label: int) -> None:
        """Let the learner predict, tell it the answer, let it learn."""
        learner = self.learner
        score = learner._score(x)
        self.predictions.append(learner._decide(score))
        if learner.randomized:
            self.expected.append(learner._error_chance(score, label))
        if learner._wants_update(score, label):
            self.updates.append(len(self.predictions) - 1)
            learner._update(x, label)
        learner.rounds += 1

    def trace(self, stream: Stream) -> Trace:
        """Close the notebook."""
        expected = np.array(self.expected) if self.learner.randomized else None
        return make_trace(self.before, stream, self.predictions, self.updates, expected)


def play(
    learner: Learner, X: Any, y: ArrayLike | None = None, *, record: bool = False
) -> Trace:
    """Play all rounds of a stream from the learner's present state.

    Takes a `Stream`, or an array of examples and their labels (a memory-mapped
    array is read in passing and never copied whole). The learner is left as it is
    after the last round, so a game can go on. With ``record=True`` the trace keeps
    the weights after every update. If an example is refused, the learner has not
    changed.

    >>> from olc import Perceptron
    >>> trace = play(Perceptron(2), [[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1])
    >>> trace.mistakes, trace.rounds.tolist()
    (2, [0, 3])
    """
    from olc import _engine

    stream = as_stream(X, y)
    with Game(learner) as game:
        _checks.width(stream.X, learner.n)
        predictions, updates, expected = _engine.run(learner, stream)
        learner.rounds = game.before.rounds + len(stream)
    trace = make_trace(game.before, stream, predictions, updates, expected)
    return recorded(trace) if record else trace


def play_many(
    make_learner: Callable[[], Learner], streams: Iterable[Stream]
) -> list[Trace]:
    """Play one fresh learner on each stream, all games in lockstep.

    >>> from olc import Perceptron, streams
    >>> games = [streams.panel(9, 3, 50, seed=seed) for seed in range(4)]
    >>> [trace.mistakes for trace in play_many(lambda: Perceptron(9), games)]
    [9, 7, 8, 10]
    """
    from olc import _engine

    games = [as_stream(stream, None) for stream in streams]
    if not callable(make_learner):
        raise TypeError(
            f"make_learner must be called for a learner, lambda: {make_learner!r}"
        )
    learners = [make_learner() for _ in games]
    if len({id(learner) for learner in learners}) < len(games):
        raise ValueError("make_learner must return a new learner at every call")
    if not _engine.in_step(learners):
        return [play(learner, g) for learner, g in zip(learners, games, strict=True)]
    for learner, stream in zip(learners, games, strict=True):
        _checks.width(stream.X, learner.n)
    return _engine.lockstep(learners, games)


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
    with Game(learner) as game:
        for _ in range(_checks.count(rounds, "rounds")):
            move = adversary(learner)
            if move is None:
                break
            try:
                x, y = move
            except (TypeError, ValueError):
                raise TypeError(
                    f"the adversary must return a pair (x, y) or None, not {move!r}"
                ) from None
            rows.append(_checks.example(x, learner.n, learner.features))
            labels.append(_checks.label(y))
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


def make_trace(
    before: Learner,
    stream: Stream,
    predictions: Any,
    updates: Any,
    expected: Vector | None = None,
) -> Trace:
    """Assemble a trace from what a game produced."""
    predicted = np.asarray(predictions, dtype=np.int8)
    return Trace(
        predictions=predicted,
        rounds=(predicted != stream.y).nonzero()[0],
        updates=np.asarray(updates, dtype=np.int64),
        before=before,
        stream=stream,
        expected=expected,
    )


def recorded(trace: Trace) -> Trace:
    """Return the trace with the weights after every update filled in.

    The kernel Perceptron has a weight more after each of them; zeros fill its rows.
    """
    rows = [step.learner.weights for step in trace.replay()]
    weights = np.zeros((len(rows), max(map(len, rows), default=trace.before.n)))
    for row, now in zip(weights, rows, strict=True):
        row[: len(now)] = now
    return replace(trace, weights=weights)
