"""What a learner is: declared parameters, a handful of plain hooks, and checked doors.

Chapter `online_game`, section *Your own learner*. `Learner` is the frame that the
referee asks; `Linear` and `Threshold` are the two kinds of it that have weights.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import math
import numbers
import operator
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np

from olc.core import check
from olc.core.check import Range, Vector, above, whole
from olc.core.numerics import rounded

__all__ = ["parameter", "Learner", "Linear"]

EPS = float(np.finfo(float).eps)

#: The hooks in the order in which a game asks them.
HOOKS = ("start", "score", "decide", "error_chance", "wants_update", "update",
         "estimate", "step", "link", "final_score")  # fmt: skip

# ------------------------------------------------------------------- parameters


def parameter(
    check: Range, *, default: Any = MISSING, derived: Any = None, kw_only: bool = True
) -> Any:
    """Declare a parameter of a learner: its range, and its default if it has one.

    `check` takes the value and the name, and returns the value or refuses it: `above`,
    `at_least` and `whole` make such checks. A default that depends on the others is
    `derived`, by a function of the learner; say ``default=None`` to a type checker.

    >>> class Cautious(Linear):
    ...     rate: float = parameter(above(0), default=0.5)
    ...     def step(self, w, x, y):
    ...         return w + self.rate * y * x
    >>> Cautious(2)
    Cautious(n=2, rate=0.5)
    >>> Cautious(2, rate=-1)
    Traceback (most recent call last):
    ValueError: rate must lie between 0 and inf, not -1
    """
    default, facts = None if derived else default, {"check": check, "derived": derived}
    return dataclasses.field(default=default, kw_only=kw_only, metadata=facts)


@dataclass_transform(
    eq_default=False, kw_only_default=True,
    field_specifiers=(parameter, dataclasses.field),
)  # fmt: skip
class Parametrised:
    """Whatever declares its parameters: they are checked, shown and compared.

    Its subclasses are dataclasses, but for those that write, or inherit from somebody
    who wrote, an `__init__` of their own.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, field in _fields(cls).items():
            if not isinstance(value := vars(cls).get(name, field), Field):  # a default
                facts: Any = {"kw_only": field.kw_only, "metadata": field.metadata}
                setattr(cls, name, dataclasses.field(default=value, **facts))
        own = [name for name, value in vars(cls).items() if isinstance(value, Field)]
        kinds = inspect.get_annotations(cls)
        cls.__annotations__ = {name: kinds.get(name, Any) for name in own}
        found: Any = cls.__init__
        generated = found is object.__init__ or hasattr(found, "generated")
        dataclasses.dataclass(eq=False, repr=False, init=generated)(cls)
        if generated:
            vars(cls)["__init__"].generated = True
        remember(cls)

    def __post_init__(self) -> None:
        self._derived = set()
        for name, field in _fields(self).items():
            value = getattr(self, name)
            if value is None and field.metadata["derived"]:
                value = field.metadata["derived"](self)
                self._derived.add(name)
            setattr(self, name, field.metadata["check"](value, name))
        self.state = self.start()

    def start(self) -> Any:
        """Return the state before the first round."""
        return None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were given, None for a derived default."""
        if "_derived" not in vars(self):  # it has an __init__ of its own
            return {}
        given = {name: getattr(self, name) for name in _fields(self)}
        return given | dict.fromkeys(self._derived)

    def __sklearn_clone__(self) -> Self:
        return self.replaced()

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name, and begin anew."""
        self.__dict__ = self.replaced(**parameters).__dict__
        return self

    def replaced(self, **parameters: Any) -> Self:
        """Return a new learner, with these parameters and otherwise the same."""
        kind, known = type(self), _fields(self).keys()
        declared = inspect.signature(kind).parameters.keys() == known
        if "_derived" not in vars(self) or not declared or parameters.keys() - known:
            what = f"{kind.__name__} cannot be made anew with {parameters}"
            remedy = "parameters with olc.parameter, or pass a function of n"
            raise TypeError(f"{what}: declare its {remedy}")
        return kind(**(self.get_params() | parameters))

    def __repr__(self) -> str:
        names = [*_fields(self)] if "_derived" in vars(self) else ["n"]
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other: object) -> bool:
        """Whether the other is of the same class with the same parameters.

        There is no hash, which would change with `set_params`.
        """
        if type(self) is not type(other) or "_derived" not in vars(self):
            return NotImplemented
        pairs = ((getattr(self, name), getattr(other, name)) for name in _fields(self))
        return all(np.array_equal(one, two) for one, two in pairs)


def _fields(kind: Any) -> dict[str, dataclasses.Field[Any]]:
    return getattr(kind, "__dataclass_fields__", {})


# ------------------------------------------------------------------- who plays how


def remember(kind: Any) -> None:
    """Note what every name of a class stands for, before anybody can patch it."""
    kind.__made__ = _defined(kind, frozenset(dir(kind)))


def _defined(kind: Any, names: frozenset[str]) -> dict[str, list[Any]]:
    """Return the functions (properties, ...) of these names, in the order of super().

    A name of plain data has none: its value may differ from learner to learner.
    """
    found: dict[str, list[Any]] = {}
    for space in map(vars, kind.__mro__):
        for name in space.keys() & names:
            found.setdefault(name, []).append(space[name])
    for name in _fields(kind).keys() & found.keys():
        if isinstance(found[name][0], FunctionType):  # the default, as of a kernel
            del found[name]
    return {name: all_ for name, all_ in found.items() if hasattr(all_[0], "__get__")}


def has(learner: Any, kind: Any, *hooks: str) -> bool:
    """Return whether these hooks, *and all that they call*, are those of this class.

    What a subclass, a mix-in, a patch or the learner itself puts in their place, no
    matter when, is another rule: who relies on these hooks must not rely on that.
    """
    names, made = _reached(kind, hooks)
    mine = vars(learner).keys() & made.keys()
    return not mine and _defined(type(learner), names) == made


@functools.cache
def _reached(
    kind: Any, hooks: tuple[str, ...]
) -> tuple[frozenset[str], dict[str, list[Any]]]:
    """Return all names that hooks of a class use, and what they stood for in it."""
    names = [*hooks, "__getattribute__", "__setattr__"]
    for name in names:  # which grows
        called = kind.__made__.get(name, ())
        names += {each for thing in called for each in _names(thing)} - {*names}
    made = {name: kind.__made__[name] for name in names if name in kind.__made__}
    return frozenset(names), made


def _names(thing: Any) -> Iterator[str]:
    """Yield the names that a function or a property uses."""
    if isinstance(thing, str):
        yield thing  # as in getattr(self, "rate")
    elif isinstance(thing, CodeType):
        yield from thing.co_names
        for inner in thing.co_consts:
            yield from _names(inner)
    elif isinstance(thing, FunctionType | property | classmethod | staticmethod):
        for part in ("__code__", "__wrapped__", "__func__", "fget", "fset"):
            yield from _names(getattr(thing, part, None))


#: What `play` may rely on, and the names that it is about.
_HINTS = {
    # an update adds rate·y·x to the state
    "additive": ("step", "update", "rate"),
    # and (rounds + 1)·rate·y·x to `weighted_updates`
    "averaged": ("step", "update", "rate", "weighted_updates"),
    # the active entries move, whatever the inactive ones are, and those stay
    "coordinatewise": ("step", "link", "weigh", "update"),
    # an update wherever y(score - threshold) ≤ thickness
    "margin_rule": ("wants_update", "threshold", "thickness"),
    # score_ahead scores many rounds, which decide and error_chance take at once
    "batched": (*HOOKS[1:-1], "weigh", "score_ahead"),
}


class _Hint:
    """A fact about the hooks of a class: True while a learner `has` the same."""

    def __init__(self, kind: Any, names: tuple[str, ...]) -> None:
        self.kind, self.names = kind, names

    def __get__(self, learner: Any, _: Any) -> bool:
        return learner is not None and has(learner, self.kind, *self.names)


T = TypeVar("T")


def hints(**facts: bool) -> Callable[[type[T]], type[T]]:
    """Tell the engine what the hooks of a class do, as long as they are these."""

    def mark(kind: type[T]) -> type[T]:
        for name, fact in facts.items():
            setattr(kind, name, fact and _Hint(kind, _HINTS[name]))
        return kind

    return mark


# ------------------------------------------------------------------- the learner


class Learner(Parametrised):
    """What every algorithm of the book has: it scores, predicts, and learns.

    A learner of your own says how it scores and how it updates. It may also say how a
    score becomes a prediction (`decide`) and when to update (`wants_update`); with
    `randomized = True` it gives the `error_chance` of a score. Hooks are plain methods:
    they see one vector of floats. From outside, `scores`, `predict` and `learn` check
    what they are given.

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
    randomized: ClassVar[bool] = False  #: whether predictions are drawn at random
    if TYPE_CHECKING:  # what a learner has is no parameter, unless it says so
        n: int = dataclasses.field(init=False)
        rounds: int = dataclasses.field(init=False)
        threshold: float = dataclasses.field(init=False)
        thickness: float = dataclasses.field(init=False)
    threshold = 0.0  #: the score at which the prediction changes
    thickness = 0.0  #: how far beyond it a right score is still too close
    rounds = 0  #: how many rounds this learner has played
    additive = averaged = coordinatewise = margin_rule = batched = False  # see hints

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "predict" in vars(cls):
            wrong = f"{cls.__name__} defines predict, which is decide(score(x))"
            raise TypeError(f"{wrong}: define decide(score) instead")
        new = [name for name in vars(cls) if not hasattr(super(cls, cls), name)]
        own = [n for n in new if n[0] != "_" and inspect.isfunction(vars(cls)[n])]
        needed = ["score", "update", *{"step"} & {*_names(cls.update)}]
        for hook in needed + ["error_chance"] * cls.randomized:
            missing = "NotImplementedError" in _names(getattr(cls, hook, None))
            near = missing and difflib.get_close_matches(hook, {*own} - {hook}, 1, 0.8)
            if near:
                slip = f"{cls.__name__} defines {near[0]}: did you mean {hook}?"
                raise TypeError(f"{slip} (a method of your own may begin with _)")

    if not TYPE_CHECKING:  # mypy would take every name for a learner's

        def __getattr__(self, name):
            made = "n _state state weights" if "n" in _fields(self) else "n"
            remedy = ": call super().__init__(n) in its __init__, or set self.n"
            lack = f"{type(self).__name__} has no {name}"
            raise AttributeError(lack + remedy * (name in made.split()))

    def score(self, x: Vector) -> Any:
        """Return the score of one example."""
        raise NotImplementedError(f"{type(self).__name__} must define score(x)")

    def decide(self, score: Any) -> Any:
        """Return the prediction: +1, -1, or 0 for a tie, which is always a mistake."""
        return np.sign(score)

    def wants_update(self, score: Any, y: Any) -> Any:
        """Return whether to learn from the example: at a mistake."""
        return self.decide(score) != y

    def update(self, x: Vector, y: int) -> None:
        """Learn from one example."""
        raise NotImplementedError(f"{type(self).__name__} must define update(x, y)")

    def error_chance(self, score: Any, y: Any) -> Any:
        """Return the probability of a mistake, for a learner that flips coins."""
        name = type(self).__name__
        raise NotImplementedError(f"{name} must define error_chance(score, y)")

    def final_score(self, x: Vector) -> Any:
        """Return the score given by the classifier that comes out of the game.

        Most learners hand out their last hypothesis; an averaged one its average.
        """
        return self.score(x)

    #: The weights w for which `final_score` is ⟨w, x⟩, if there are any.
    final_weights: ClassVar[Any] = None

    def scores(self, X: Any, *, final: bool = False) -> Any:
        """Return the score of one example, or of every row of a block.

        With ``final=True`` it is the `final_score`.
        """
        if final:
            return self._each("final_score", self.final_weights, X)
        weights = self.weights if has(self, Linear, "score") else None  # type: ignore[attr-defined]
        return self._each("score", weights, X)

    def predict(self, X: Any, *, final: bool = False) -> Any:
        """Return the predicted label of one example, or of every row of a block.

        The hypothesis of the coming round predicts; with ``final=True``, the classifier
        that comes out of the game, such as an average.
        """
        return self.labels(self.scores(X, final=final))

    def learn(self, x: Any, y: int) -> int:
        """Play one round by hand, and return the prediction that was made in it."""
        x = check.example(x, self.n, self.features)
        y = y if y in (-1, 1) else check.label(y)
        _, prediction, wants = query(self, x, y)
        if wants:
            self.update(x, y)
        self.rounds += 1
        return prediction

    def labels(self, scores: Any) -> Any:
        """Return the labels that become of one score or many."""
        plain = has(self, Learner, "decide") or has(self, Threshold, "decide")
        if plain or np.ndim(scores) == 0:
            return np.asarray(self.decide(scores), dtype=np.int8)[()]
        return np.array([self.decide(score) for score in scores], dtype=np.int8)

    def _each(self, hook: str, weights: Vector | None, X: Any) -> Any:
        rows = check.numeric(X, "X")
        query = getattr(self, hook)
        if rows.ndim == 1:
            x = check.example(rows, self.n, self.features)
            return _number(self, hook, query(x))
        check.features(check.as_rows(rows, self.n), self.features)
        if weights is None:
            parts = (check.as_floats(part) for _, part in check.chunks(rows))
            found = [_number(self, hook, query(x)) for part in parts for x in part]
            return np.array(found, dtype=float)
        return products(rows, weights)


def products(rows: Any, weights: Vector) -> Any:
    """Return every row's inner product with the weights; near 0, summed exactly."""
    rows = rows if check.is_sparse(rows) else check.as_floats(rows)
    scores, sizes = rows @ weights, abs(rows) @ np.abs(weights)
    near = np.abs(scores) <= EPS * (len(weights) + 4) * sizes
    for t in np.flatnonzero(near & (sizes > 0) & np.isfinite(sizes)):
        scores[t] = math.fsum(check.as_floats(rows[[t]])[0] * weights)
    return scores


_AT_MISTAKES = Learner.wants_update  # itself, whatever may be patched


def query(learner: Learner, x: Vector, y: int) -> tuple[Any, int, bool]:
    """Return the score and the prediction for x, and whether to learn from y."""
    score = learner.score(x)
    if type(score) is not float or score != score:
        _number(learner, "score", score)
    prediction = learner.decide(score)
    whole = getattr(prediction, "ndim", 0) == 0 and prediction in (-1, 0, 1)
    if not whole or isinstance(prediction, bool | np.bool_):
        raise _no_answer(learner, "decide", prediction, "+1, -1, or 0 for a tie")
    if learner.wants_update == MethodType(_AT_MISTAKES, learner):
        return score, int(prediction), bool(prediction != y)  # no second coin
    wants = learner.wants_update(score, y)
    if wants is None:
        raise _no_answer(learner, "wants_update", wants, "True or False")
    return score, int(prediction), bool(wants)


def _number(learner: Learner, hook: str, found: Any) -> Any:
    """Return what a hook found, if it is a number."""
    if isinstance(found, bool) or not isinstance(found, numbers.Real) or found != found:
        raise _no_answer(learner, hook, found, "one finite number, such as w @ x")
    return found


def _no_answer(learner: Learner, hook: str, answer: Any, wanted: str) -> TypeError:
    name = type(learner).__name__
    return TypeError(f"{name}.{hook} returned {answer!r}: return {wanted}")


# --------------------------------------------------------------- kinds of learners


class Linear(Learner):
    """A learner with a weight vector, which it moves in coordinates of its own.

    At a mistake `step` moves the `state`, and `link` reads the `weights` off it: the
    Perceptron takes the state as it is, Winnow raises its factor to it. The score is
    ⟨w, x⟩, and its sign is the prediction.
    """

    n: int = parameter(whole(1), kw_only=False)
    rate = 1.0  #: the size of a step, r in the chapters
    p = 2.0  #: the p of the norm in which the weights are measured

    def start(self) -> Any:
        """Return the state before the first round."""
        return np.zeros(self.n)

    def score(self, x: Vector) -> Any:
        """Return ⟨w, x⟩, rounded once: the order of the sum cannot break a tie."""
        terms = (x * self.weights).tolist()
        try:
            return math.fsum(terms)
        except (OverflowError, ValueError):  # infinite terms, or a sum that is
            return sum(terms)

    def update(self, x: Vector, y: int) -> None:
        """Move the state."""
        self.state = self.step(self.state, x, y)

    def step(self, state: Any, x: Vector, y: int) -> Any:
        """Return the state after an update."""
        raise NotImplementedError(f"{type(self).__name__} must define step(w, x, y)")

    def link(self, state: Any) -> Vector:
        """Return the weights that belong to a state."""
        return state

    @property
    def final_weights(self) -> Vector | None:
        """The weights w for which `final_score` is ⟨w, x⟩, if there are any."""
        return self.weights if has(self, Linear, "score", "final_score") else None

    def _move(self, state: Any) -> None:
        self._state = state = np.array(state)  # one's own, which can be frozen
        state.flags.writeable = False
        plain = self.link == MethodType(_IDENTITY, self)
        weights = np.asarray(state, dtype=float) if plain else self.weigh(state)
        if weights.shape != (self.n,):
            now = f"the weights of {self!r} have shape {weights.shape}"
            raise ValueError(f"{now}: step must return a state, and link n weights")
        weights.flags.writeable = False
        self.weights = weights

    #: Where the learner is. Its `weights` follow; neither can be written into.
    state = property(operator.attrgetter("_state"), _move)

    def weigh(self, state: Any) -> Vector:
        """Return the weights of a state, by `link`, to 32 binary digits.

        The powers of numpy differ in the last digits from one processor to the next.
        Without those a sum of a few weights is exact, and a tie is one everywhere.
        """
        weights = np.asarray(self.link(state), dtype=float)
        return rounded(weights, 32)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        for name in kept.keys() & {"_state", "weights"}:
            kept[name].flags.writeable = False  # what was copied can be written into


_IDENTITY = Linear.link  # itself, whatever may be patched


class Threshold(Linear):
    """A linear learner that predicts +1 iff its score reaches the threshold θ."""

    threshold: float = parameter(above(0), default=None, derived=lambda self: self.n)

    def decide(self, score: Any) -> Any:
        """Return +1 where the score reaches the threshold, else -1."""
        return np.where(score >= self.threshold, 1, -1)
