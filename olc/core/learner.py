"""What a learner is: parameters that check themselves, and a handful of hooks.

Chapter `online_game`, section *Your own learner*. `Learner` is what the referee asks;
`Linear`, `Threshold`, `Thick` and `Experts` are the kinds of it in the book.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import Parameter as Argument
from inspect import Signature, signature
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from olc.core import check
from olc.core.powers import decayed, on_a_grid

Vector = NDArray[np.float64]
Hook = TypeVar("Hook", bound=Callable[..., Any])

# ------------------------------------------------------------------- parameters


def Parameter(
    check: Callable[[Any, str], Any],
    *,
    default: Any = ...,
    derived: Callable[[Any], Any] | None = None,
    kw_only: bool = True,
) -> Any:
    """Declare a parameter of a learner: its range, and its default if it has one.

    `check` is called with the value and the name, and returns the value or says what
    is wrong with it: `above`, `at_least`, `whole` and `either` make such checks. A
    default that depends on n is `derived`, by a function of the learner.

    >>> class Cautious(Linear):
    ...     rate: float = Parameter(above(0), default=0.5)
    >>> Cautious(2)
    Cautious(n=2, rate=0.5)
    >>> Cautious(2, rate=-1)
    Traceback (most recent call last):
    ValueError: rate must lie between 0 and inf, not -1
    """
    return Declared(check, None if derived else default, derived, kw_only)


class Declared:
    """What `Parameter` declares: it checks a value when it is set, and only then."""

    name: str

    def __init__(self, check: Any, default: Any, derived: Any, kw_only: bool) -> None:
        self.check, self.default = check, default
        self.derived, self.kw_only = derived, kw_only

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, learner: Parametrised, value: Any) -> None:
        # Without a __get__, reading finds the instance's own value: no cost.
        derived = self.derived(learner) if value is None and self.derived else value
        learner.__dict__[self.name] = self.check(derived, self.name)
        learner.__dict__.setdefault("_given", {})[self.name] = value
        learner.__dict__.pop("_linked", None)  # the weights may depend on it


def above(low: float, high: float = math.inf) -> Callable[[Any, str], float]:
    """Check for a number strictly between `low` and `high`."""
    return lambda value, name: check.number(value, name, low, high)


def at_least(low: float) -> Callable[[Any, str], float]:
    """Check for a finite number that is at least `low`."""
    return lambda value, name: check.at_least(value, name, low)


def whole(least: int) -> Callable[[Any, str], int]:
    """Check for a whole number that is at least `least`."""
    return lambda value, name: check.count(value, name, least)


def either(value: Any, name: str) -> bool:
    """Check for True or False."""
    return check.flag(value, name)


def _declared(kind: type) -> dict[str, Declared]:
    """Return the parameters of a class by name, n foremost."""
    found: dict[str, Declared] = {}
    for base in reversed(kind.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, Declared):
                found[name] = value
            else:
                found.pop(name, None)  # the class has settled it
    return dict(sorted(found.items(), key=lambda item: item[1].kw_only))


def _signature(kind: type) -> Signature:
    arguments = []
    for name, declared in _declared(kind).items():
        kind_of = Argument.KEYWORD_ONLY if declared.kw_only else _BY_PLACE
        default = Argument.empty if declared.default is ... else declared.default
        arguments.append(Argument(name, kind_of, default=default))
    return Signature(arguments)


_BY_PLACE = Argument.POSITIONAL_OR_KEYWORD


class Parametrised:
    """Whatever declares its parameters: it checks, shows and compares them."""

    _arguments: ClassVar[Signature] = Signature()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._arguments = _signature(cls)
        shown = cls._arguments
        if cls.__init__ is not Parametrised.__init__:
            shown = signature(cls.__init__)
            shown = shown.replace(parameters=[*shown.parameters.values()][1:])
        setattr(cls, "__signature__", shown)  # noqa: B010  # for help()

    def __init__(self, *values: Any, **named: Any) -> None:
        try:
            bound = self._arguments.bind(*values, **named)
        except TypeError as error:
            call = f"{type(self).__name__}{self._arguments}"
            raise TypeError(f"{error}: call {call}") from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            setattr(self, name, value)
        self.state = self.start()

    def start(self) -> Any:
        """Return the state before the first round."""
        return None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were given; None where n gives the default."""
        return {name: self.__dict__["_given"][name] for name in _declared(type(self))}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name, and begin anew."""
        self.__dict__ = type(self)(**(self.get_params() | parameters)).__dict__
        return self

    def __repr__(self) -> str:
        names = _declared(type(self)) if "_given" in self.__dict__ else ["n"]
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other: object) -> bool:
        """Whether the other is of the same class with the same parameters."""
        if type(self) is not type(other) or "_given" not in self.__dict__:
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in _declared(type(self))
        )

    __hash__ = None  # type: ignore[assignment]  # parameters may be set anew


# ----------------------------------------------------------------------- hooks


def entrywise(hook: Hook) -> Hook:
    """Mark a hook that treats every entry of an array alike.

    It depends on nothing but its arguments and the learner's parameters. Where `step`
    and `link` are marked, and `step` leaves alone what is not active, an update with a
    sparse example touches its active features only, and a game on bits looks the whole
    numbers among the states up in a table. Where `decide` is, many scores are decided
    at once. A method that overrides a marked one is not marked.
    """
    hook.entrywise = True  # type: ignore[attr-defined]
    return hook


@contextmanager
def _inside(learner: Learner) -> Iterator[None]:
    learner.relink()
    learner.playing = True
    try:
        yield
    finally:
        del learner.playing


def _score_door(hook: Callable[[Any, Vector], Any]) -> Callable[..., Any]:
    """Let the hook see one checked vector; take one example or a block of rows."""

    @functools.wraps(hook)
    def score(self: Learner, X: Any) -> Any:
        if self.playing:
            return hook(self, X)
        block = check.examples(X, self.n, self.features)
        with _inside(self):
            if block.ndim == 1:
                return hook(self, block)
            return np.array([hook(self, row) for row in block], dtype=float)

    return score


def _update_door(hook: Callable[[Any, Vector, int], None]) -> Callable[..., None]:
    """Let the hook see a checked example; an update by hand is one round."""

    @functools.wraps(hook)
    def update(self: Learner, x: Any, y: Any) -> None:
        if self.playing:
            hook(self, x, y)
            self.relink()
            return
        x, y = check.example(x, self.n, self.features), check.label(y)
        with _inside(self):
            update(self, x, y)
        self.rounds += 1

    return update


def _output_door(hook: Callable[[Any, Vector], Any]) -> Callable[..., Any]:
    """Let the hook see a checked vector, or a whole block of rows."""

    @functools.wraps(hook)
    def output(self: Learner, X: Any) -> Any:
        return hook(self, check.examples(X, self.n, self.features))

    return output


def _chance_door(hook: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Let only probabilities out."""

    @functools.wraps(hook)
    def error_chance(self: Learner, score: Any, y: Any) -> Any:
        chance = hook(self, score, y)
        sizes = np.asarray(chance)
        if sizes.dtype.kind not in "biuf" or not ((sizes >= 0) & (sizes <= 1)).all():
            raise TypeError(
                f"{type(self).__name__}.error_chance returned {chance!r}: return a "
                "probability, between 0 and 1"
            )
        return chance

    return error_chance


_DOORS: dict[str, Any] = {
    "score": _score_door,
    "update": _update_door,
    "output": _output_door,
    "error_chance": _chance_door,
}


class Learner(Parametrised):
    """What every algorithm of the book has: it scores, predicts, and learns.

    A learner of your own says how it scores and how it updates. It may also say how a
    score becomes a prediction (`decide`) and when to update (`wants_update`); with
    `randomized = True` it gives the `error_chance` of a score. In a game, a hook sees
    one vector of floats and one score; called from outside, `score` and `update` check
    their arguments first, and `score` takes a block of rows as well.

    >>> class Stubborn(Learner):
    ...     def __init__(self, n):
    ...         self.n, self.yes = n, 0
    ...     def score(self, x):
    ...         return self.yes
    ...     def update(self, x, y):
    ...         self.yes += y
    >>> from olc import play
    >>> play(Stubborn(1), [[1.0], [1.0], [1.0]], [1, 1, -1])
    Trace(2 mistakes in 3 rounds)
    """

    features: ClassVar[str] = "real"  #: x may hold "real", "signs" or "bits"
    randomized: ClassVar[bool] = False  #: whether the same score may be answered anew
    threshold: float = 0.0  #: the score at which the prediction changes
    n: int
    rounds: int = 0  #: how many rounds this learner has played
    playing: bool = False  #: whether the referee is asking, who has checked the example

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "predict" in vars(cls):
            raise TypeError(
                f"{cls.__name__} defines predict, which is decide(score(x)): "
                "define decide(score) instead"
            )
        if cls.features not in check.REMEDY:
            raise ValueError(
                f"{cls.__name__}.features is {cls.features!r}: choose one of "
                f"{', '.join(map(repr, check.REMEDY))}"
            )
        for name, door in _DOORS.items():
            if name in vars(cls):
                setattr(cls, name, door(vars(cls)[name]))

    @property
    def weights(self) -> Vector:
        """The current weight vector; it cannot be written to."""
        raise NotImplementedError(
            f"{type(self).__name__} has no weights to show: define a property weights"
        )

    def score(self, x: Any) -> Any:
        """Return the score of one example, or of every row of a block."""
        raise NotImplementedError(f"{type(self).__name__} must define score(x)")

    @entrywise
    def decide(self, score: Any) -> Any:
        """Return the prediction: +1, -1, or 0 for a tie, which is always a mistake."""
        if isinstance(score, bool | np.bool_):  # False has no sign that is -1
            raise TypeError(
                f"{type(self).__name__}.score returned {score}: return a number, whose "
                "sign is the prediction, such as 1 if x[0] > 0 else -1"
            )
        return np.sign(score)

    def wants_update(self, score: Any, y: Any) -> Any:
        """Say whether to learn from the example: at a mistake, by default."""
        return self.decide(score) != y

    def update(self, x: Any, y: Any) -> None:
        """Learn from one example."""
        raise NotImplementedError(f"{type(self).__name__} must define update(x, y)")

    def error_chance(self, score: Any, y: Any) -> Any:
        """Return the probability of a mistake, for a learner that flips coins."""
        raise NotImplementedError(
            f"{type(self).__name__} is randomized: define error_chance(score, y)"
        )

    def predict(self, X: ArrayLike) -> Any:
        """Return the predicted label of one example, or of every row of a block."""
        return self._decided(self.score(X))

    def output(self, X: ArrayLike) -> Any:
        """Return the scores of the classifier that comes out of the game.

        Most learners hand out their last hypothesis; an averaged one its average.
        """
        return self.score(X)

    def classify(self, X: ArrayLike) -> Any:
        """Return the labels given by the classifier that comes out of the game."""
        return self._decided(self.output(X))

    def _decided(self, scores: Any) -> Any:
        if np.ndim(scores) == 0:
            return np.int8(self.decide(scores))
        return np.array([self.decide(score) for score in scores], dtype=np.int8)

    def relink(self) -> None:
        """Read the weights off the state anew, which may have been written into."""
        self.__dict__.pop("_linked", None)

    def with_n(self, n: int) -> Self:
        """Return a new learner with the same parameters for n features."""
        kind, declared = type(self), _declared(type(self))
        settled = {*declared, "features", "rounds", "playing"}
        by_hand = [name for name in vars(self) if hasattr(Linear, name)]
        by_hand = [name for name in by_hand if name not in settled]
        if kind.__init__ is not Learner.__init__ or "n" not in declared:
            remedy = "its parameters, n among them, with olc.Parameter, not an __init__"
        elif by_hand:
            remedy = f"{by_hand[0]}, which was set by hand, in a class of its own"
        else:
            return kind(**(self.get_params() | {"n": n}))
        raise TypeError(
            f"{kind.__name__} cannot be made anew with n = {n}: declare {remedy}, or "
            "pass a function of n"
        )

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for cached in ("_linked", "_shown", "playing"):
            kept.pop(cached, None)
        return kept


# --------------------------------------------------------------- kinds of learners


class Linear(Learner):
    """A learner with a weight vector, which it moves in coordinates of its own.

    Every linear learner of the book adds a multiple of ``y x`` to a vector `state`
    and reads its weights off that vector by its `link`: the Perceptron takes them as
    they are, Winnow raises its factor to them, normalised Winnow takes their softmax.
    """

    n: int = Parameter(whole(1), kw_only=False)
    rate: float = 1.0  #: r, the size of a step
    state: Vector

    def start(self) -> Any:
        """Return the state before the first round."""
        return np.zeros(self.n)

    @property
    def weights(self) -> Vector:
        """The current weight vector, `link(state)`; it cannot be written to."""
        # outside a game anybody may have written into the state
        if not self.playing or self.__dict__.get("_linked", self) is not self.state:
            linked = np.asarray(self.link(self.state))
            if linked.shape != (self.n,) or linked.dtype.kind not in "biuf":
                fits = linked.shape == (self.n,)
                found = f"dtype {linked.dtype}" if fits else f"shape {linked.shape}"
                raise ValueError(
                    f"the weights of {self!r} have {found}: step must return a state, "
                    "and link one weight for each feature"
                )
            shown = linked.astype(float, copy=False).view()
            shown.flags.writeable = False
            self._linked, self._shown = self.state, shown
        return self._shown

    def score(self, x: Any) -> Any:
        """Return ⟨w, x⟩, for one example or for every row of a block."""
        return x @ self.weights

    def update(self, x: Any, y: Any) -> None:
        """Learn from one example."""
        self.state = self.step(self.state, x, y)

    @entrywise
    def step(self, state: Vector, x: Vector, y: int) -> Vector:
        """Return the state after an update."""
        return state + self.rate * y * x

    @entrywise
    def link(self, state: Vector) -> Vector:
        """Return the weights that belong to a state."""
        return state


class Threshold(Linear):
    """A linear learner that predicts +1 iff its score reaches the threshold θ."""

    threshold: float = Parameter(above(0), derived=lambda self: self.n)

    @entrywise
    def decide(self, score: Any) -> Any:
        """Return +1 where the score reaches the threshold, else -1."""
        return np.where(score >= self.threshold, 1, -1)


class Thick(Linear):
    """A linear learner that also updates where the margin is at most τ.

    Put it before another kind: ``class MarginPerceptron(Thick, Perceptron)``.
    """

    thickness: float = Parameter(at_least(0))  #: τ

    def wants_update(self, score: Any, y: Any) -> Any:
        """Say whether the example is wrong, or right by no more than τ."""
        if self.thickness == 0:
            return super().wants_update(score, y)
        return y * (score - self.threshold) <= self.thickness


class Experts(Linear):
    """Experts with weights (1 - η)^losses, updated in every round.

    The state counts the mistakes of each expert and the weights are derived from it,
    so a million rounds neither exhaust them nor add up rounding errors.
    """

    features: ClassVar[str] = "signs"
    eta: float = Parameter(above(0, 1))

    def start(self) -> Any:
        """Return the experts' mistakes before the first round."""
        return np.zeros(self.n, dtype=np.int64)

    def score(self, x: Any) -> Any:
        """Return the mean opinion, weighted: between -1 and +1."""
        return x @ self.weights / self.weights.sum()

    def wants_update(self, score: Any, y: Any) -> Any:
        """Every round is a lesson."""
        return True

    @entrywise
    def step(self, state: Any, x: Vector, y: int) -> Any:
        """Count the mistakes of each expert."""
        return state + (x != y)

    def link(self, state: Any) -> Vector:
        """Return (1 - η)^losses, in larger units once the best would vanish.

        The weights are rounded to a grid on which every sum of them is exact: a tie
        on one machine is a tie on all.
        """
        weights = decayed(1 - self.eta, state)  # (1 - eta) ** state
        return on_a_grid(weights)  # where sums and ties are exact

    @property
    def losses(self) -> Any:
        """How often each expert has erred."""
        return self.state

    @property
    def log_total(self) -> float:
        """The logarithm of the total weight, which is the potential of the proofs."""
        best = int(self.state.min())
        total = float(decayed(1 - self.eta, self.state - best).sum())
        return best * math.log1p(-self.eta) + math.log(total)
