"""Learners that are recognised by how they play.

A family is a learner and, for each of its hooks, the right rule and the usual slips:
a table of words and functions. Every choice of one rule per hook is a known learner.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from olc.core import check
from olc.core.learner import Learner, query
from olc_book.exercises.core import STUB, Wrong, exercise, fair, returned

__all__: list[str] = []

Choice = tuple[str, ...]  # the words of one rule per hook
Record = dict[str, list[Any]]


class Game(NamedTuple):
    """A few lessons, which are taught without asking, and then the rounds."""

    X: Any
    y: Any
    lessons: tuple[tuple[Any, int], ...] = ()


#: When a learner learns: in most families.
WHEN: dict[str, Any] = {
    "learns at mistakes": lambda self, score, y: self.decide(score) != y,
    "learns in every round": lambda self, score, y: True,
    "learns only when it is right": lambda self, score, y: self.decide(score) == y,
    "never learns": lambda self, score, y: False,
}


def variant(base: Any, **hooks: Any) -> Any:
    """Return a learner with some of its methods replaced."""
    return type(base.__name__, (base,), hooks)


def labels(rounds: int, seed: int) -> Any:
    """Return labels that no target explains."""
    return np.random.default_rng(seed + 50).choice([-1, 1], rounds)


class Family:
    """A learner in many forms: for each hook a table of rules, the right one first."""

    def __init__(self, base: Any, games: list[Game], ends: str = "scaled scores",
                 args: Any = None, **hooks: Any) -> None:  # fmt: skip
        self.base, self.games, self.ends, self.hooks = base, games, ends, hooks
        self.args = args or {}
        self.right: Choice = tuple(next(iter(rules)) for rules in hooks.values())
        self.recorded = functools.cache(self._recorded)

    def choice(self, **rules: str) -> Choice:
        """Return the right rule for every hook but these."""
        for hook, words in rules.items():
            if words not in self.hooks[hook]:
                raise ValueError(f"{hook} has no rule {words!r}: {[*self.hooks[hook]]}")
        pairs = zip(self.hooks, self.right, strict=True)
        return tuple(rules.get(hook, words) for hook, words in pairs)

    def kind(self, choice: Choice) -> Any:
        """Return the class of a choice."""
        pairs = zip(self.hooks.items(), choice, strict=True)
        rules = {hook: table[words] for (hook, table), words in pairs}
        return variant(self.base, **rules)

    def near(self, wanted: Choice, most: int = 2) -> Iterator[tuple[int, Choice]]:
        """Yield the choices with up to two other rules, the nearest first."""
        hooks = list(self.hooks.values())
        for far in range(1, most + 1):
            for places in itertools.combinations(range(len(hooks)), far):
                options = [[w for w in hooks[i] if w != wanted[i]] for i in places]
                for words in itertools.product(*options):
                    other = list(wanted)
                    for i, word in zip(places, words, strict=True):
                        other[i] = word
                    yield far, tuple(other)

    def make(self, answer: Any, wanted: Choice) -> Callable[[int], Any]:
        """Return what makes a learner for n features of a class or a function."""
        if isinstance(answer, Learner):
            return lambda n: answer.replaced(n=n)
        if not isinstance(answer, type):
            return lambda n: _Loop(n, fair(answer), self.kind(wanted)(n, **self.args))
        if not issubclass(answer, Learner):
            answer = adopted(answer)
        known = inspect.signature(answer).parameters
        return lambda n: answer(n, **{k: v for k, v in self.args.items() if k in known})

    def _recorded(self, choice: Choice) -> Record:
        kind = self.kind(choice)
        try:
            with np.errstate(all="ignore"):
                return record(lambda n: kind(n, **self.args), self.games, self.ends)
        except (TypeError, ValueError):  # two slips together may lose all numbers
            return {}

    def seen(self, answer: Any, wanted: Choice) -> Record:
        """Return what an answer does, as far as its form shows it."""
        if (
            inspect.isfunction(answer)
            and len(inspect.signature(answer).parameters) == 2
        ):
            return {"mistakes": [_rounds(answer, game) for game in self.games]}
        if not callable(answer) and not isinstance(answer, Learner):
            raise Wrong("give a class, such as `class Mine(olc.Perceptron)`")
        return record(self.make(answer, wanted), self.games, self.ends)


def adopted(kind: Any) -> Any:
    """Return a class from scratch as a learner that the referee can ask."""

    @functools.wraps(kind.__init__)
    def begin(self: Any, n: int, *args: Any, **more: Any) -> None:
        self.n = n
        kind.__init__(self, n, *args, **more)

    if hasattr(kind, "score"):
        return type(kind.__name__, (kind, Learner), {"__init__": begin})
    learn = getattr(kind, "learn", getattr(kind, "update", None))
    if not hasattr(kind, "predict") or learn is None:
        raise Wrong(f"{kind.__name__} needs score and update, or predict and learn")
    hooks = {"__init__": begin, "update": lambda self, x, y: learn(self, x, y),
             "score": lambda self, x: self.predict(x), "whole": True, "coarse": True,
             "wants_update": lambda self, score, y: True}  # fmt: skip
    return type(kind.__name__, (kind, Learner), hooks)


class _Loop(Learner):
    """A learner made of a function: f(w, x, y) is a round, f(w, x, y, ŷ) an update."""

    def __init__(self, n: int, rule: Any, model: Any) -> None:
        self.n, self.rule, self.model = n, rule, model
        self.weights, self.threshold = np.array(model.weights), model.threshold
        self.whole = len(inspect.signature(rule).parameters) == 3

    def score(self, x: Any) -> Any:
        return float(self.weights @ x)

    def decide(self, score: Any) -> Any:
        return self.model.decide(score)

    def wants_update(self, score: Any, y: Any) -> Any:
        return self.whole or self.decide(score) != y

    def update(self, x: Any, y: int) -> None:
        guess = () if self.whole else (self.decide(self.score(x)),)
        self.weights = np.asarray(self.rule(self.weights, x, y, *guess), dtype=float)


def _rounds(answer: Any, game: Game) -> Any:
    """Return the mistakes that a loop f(X, y) reports: their rounds, or how many."""
    if game.lessons:
        return None
    found = returned(answer(np.array(game.X, dtype=float), np.array(game.y)))
    return int(found) if np.ndim(found) == 0 else [int(t) for t in found]


def _scores(learner: Any, probes: list[Any], ends: str) -> Any:
    scores = np.array([learner.score(x) for x in probes], dtype=float)
    # as a rule all of them may be twice as large
    return scores / (np.abs(scores).max() or 1) if ends == "scaled scores" else scores


def record(make: Callable[[int], Any], games: list[Game], ends: str) -> Record:
    """Play the games, and return what can be seen of the learner.

    What it says in each round and whether it then learns, that is, whether any score
    changes; and in the `ends` the "scores" of some probes, their "scaled scores" or the
    "decisions". What cannot be seen, as whether a class without scores learns, is None.
    """
    keys = "says", "learns", "ends", "decides", "mistakes"
    seen: Record = {key: [] for key in keys}
    for game in games:
        X = np.array(game.X, dtype=float)
        learner, probes = make(X.shape[1]), [*np.eye(X.shape[1]), *X[:3]]
        if game.lessons and getattr(learner, "whole", False):
            for parts in seen.values():  # it cannot be taught but by playing
                parts.append(None)
            continue
        if learner.wants_update(1.0, 1) is ...:
            raise Wrong(STUB)
        for x, y in game.lessons:
            learner.update(np.array(x, dtype=float), y)
        says, learns, last = [], [], _scores(learner, probes, ends)
        for t, (x, y) in enumerate(zip(X, game.y, strict=True)):
            learner.rounds, before = t, last
            said: Any
            score, said, wants = query(learner, x, y)
            if learner.randomized:
                chance = learner.error_chance(score, y)
                said = round(check.chance(chance, "error_chance"), 9)
            if wants:
                learner.update(x, y)
            if getattr(learner, "state", None) is ...:
                raise Wrong(STUB)
            last = _scores(learner, probes, ends)
            says.append(said)
            learns.append(not np.allclose(before, last, rtol=1e-9, atol=1e-12))
        seen["says"].append(says)
        seen["learns"].append(None if getattr(learner, "coarse", False) else learns)
        decides = [float(learner.decide(s)) for s in last * (not learner.randomized)]
        seen["decides"].append(decides)
        shown_last = decides if ends == "decisions" else [*map(float, last)]
        seen["ends"].append([] if learner.randomized else shown_last)
        seen["mistakes"].append([t for t, y in enumerate(game.y) if says[t] != y])
    return seen


def alike(one: Record, two: Record) -> bool:
    """Return whether two records agree in what the first of them shows."""
    if not two:
        return False
    same = all(
        a is None or a == (len(b) if isinstance(a, int) else b)
        for key in (["says", "learns"] if "says" in one else ["mistakes"])
        for a, b in zip(one[key], two[key], strict=True)
    )
    ends = one.get("ends", []), two["ends"], two["decides"]
    return same and all(itertools.starmap(_near, zip(*ends, strict=False)))


def _near(one: Any, scores: Any, decisions: Any) -> bool:
    """Return whether the last scores agree; those of some classes are predictions."""
    same = [scores]
    if one is not None and {*one} <= {-1, 0, 1}:
        same += [np.sign(np.round(scores, 9)), decisions]
    return one is None or any(np.allclose(one, s, rtol=1e-7, atol=1e-9) for s in same)


def wanted(
    name: str, family: Family, praise: str = "", *hints: str, points: Any = ({},)
) -> None:
    """Register an exercise that asks for a learner: a point of its family, or more."""
    aims = [family.choice(**point) for point in points]

    def judge(learner: Any) -> None:
        seen = family.seen(learner, aims[0])
        if any(alike(seen, family.recorded(aim)) for aim in aims):
            return
        lesson = _lesson(family, seen, family.recorded(aims[0]))
        found = recognised(family, seen, aims[0])
        if not found:
            raise Wrong(f"what it does is none of the slips that we know. {lesson}")
        asked = [w for i, w in enumerate(aims[0]) if any(c[i] != w for c in found[:1])]
        slips = [_new(choice, aims[0]) for choice in found]
        said = "; or ".join("it " + _and(words) for words in slips[:3])
        aim = f"Asked for is that it {_and(asked)}."
        raise Wrong(f"{said}. {aim} {lesson}", *slips[0])

    exercise(name, praise, *hints, family=family, aim=aims[0])(judge)


def recognised(family: Family, seen: Record, aim: Choice) -> list[Choice]:
    """Return the choices that are nearest to what is asked for and play like this."""
    found: list[Choice] = []
    nearest = 0
    for far, choice in family.near(aim):
        if found and far > nearest:
            break
        if alike(seen, family.recorded(choice)):
            found.append(choice)
            nearest = far
    return found


def _new(choice: Choice, aim: Choice) -> list[str]:
    return [words for words, other in zip(choice, aim, strict=True) if words != other]


def _and(words: list[str]) -> str:
    return " and ".join(words)


def _parting(game: Game, i: int, seen: Record, aim: Record) -> str:
    """Return where the two part in a game: the first round, and the stream up to it."""
    if "says" not in seen:
        mine, best = seen["mistakes"][i], aim["mistakes"][i]
        right = len(best) if isinstance(mine, int) else best
        return f"On {shown(game)} yours has the mistakes {mine}, not {right}."
    for t in range(len(game.y)):
        where = f"After {shown(game, t + 1)}: in round {t + 1}"
        for key in ("says", "learns"):
            if (mine := seen[key][i]) is None or mine[t] == aim[key][i][t]:
                continue
            if key == "learns":
                words = "a score, and should not" if mine[t] else "no score, and should"
                return f"{where} yours changes {words}."
            if isinstance(best := aim[key][i][t], float):
                return f"{where} yours errs with chance {mine[t]:g}, not {best:g}."
            return f"{where} yours predicts {sign(mine[t])}, not {sign(best)}."
    return f"After {shown(game)} the last scores are others."


def _lesson(family: Family, seen: Record, aim: Record) -> str:
    for i, game in enumerate(family.games):
        one = {key: [parts[i]] for key, parts in seen.items()}
        if not alike(one, {key: [parts[i]] for key, parts in aim.items()}):
            return _parting(game, i, seen, aim)
    return ""


def shown(game: Game, rounds: int | None = None) -> str:
    """Return a game in words: its lessons, and its examples with their labels."""
    pairs = [*zip(game.X, game.y, strict=True)][:rounds]
    said = [f"{_example(x)} {sign(y)}" for x, y in pairs]
    same = itertools.groupby(f"{_example(x)} {sign(y)}" for x, y in game.lessons)
    counted = [(one, len([*more])) for one, more in same]
    taught = [f"{many} × {one}" if many > 1 else one for one, many in counted]
    middle = ["…"] if len(said) > 8 else []
    stream = ", ".join(said[:4] + middle + said[-3:] if middle else said)
    return f"the lessons {', '.join(taught)} and {stream}" if taught else stream


def _example(x: Any) -> str:
    values = [f"{v:g}".replace("-", "−") for v in np.atleast_1d(x)]
    return f"({', '.join(values if len(values) < 10 else [*values[:4], '…'])})"


def sign(y: Any) -> str:
    """Return a label or a prediction as it is printed."""
    return "0" if y == 0 else f"{int(y):+d}".replace("-", "−")
