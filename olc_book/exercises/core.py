"""What a check is: exercises by name, a watchdog, and the verdict.

An exercise has a *judge*, a function of the answer that raises `Wrong` with the words
for what is not yet right. `olc_book.exercises.tables` makes judges from tables of
numbers and functions, `olc_book.exercises.learners` from a lattice of learners.
"""

from __future__ import annotations

import copy
import difflib
import functools
import html
import inspect
import itertools
import json
import os
import re
import sys
import sysconfig
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from olc.core import check as core_check
from olc.core.stream import Stream

__all__ = ["EXERCISES", "Verdict", "check"]

STEPS, SECONDS = 3_000_000, 30.0  #: an answer that takes longer is taken for endless
SUMMARY = '<summary style="display:list-item">'  # JupyterLab takes its triangle away
STUB = "there is still a ... in the answer, where your own should be"
Judge = Callable[..., Any]


class Wrong(Exception):
    """What is not yet right, in words that follow "Not yet:"; perhaps a known slip."""

    def __init__(self, words: str, *slips: str) -> None:
        super().__init__(words)
        self.slips = slips


class Endless(BaseException):
    """Raised in an answer that does not come to an end; no `except` helps.

    Python stops to trace when a tracer raises. If the answer catches this, tracing goes
    on `again` as soon as it is let go, and raises it where nothing catches it.
    """

    def __init__(self, words: str, again: Callable[[], None]) -> None:
        super().__init__(words)
        self.again = again

    def __del__(self) -> None:
        self.again()


def must(good: Any, words: str) -> None:
    """Raise `Wrong` unless the answer has this property."""
    if not good:
        raise Wrong(words)


def returned(value: Any) -> Any:
    """Return what an answer returned, if it is something."""
    must(value is not None, "it returns nothing. Is there a return?")
    must(value is not ... and value is not NotImplemented, STUB)
    return value


def fair(answer: Any) -> Any:
    """Return a function like the answer, which works on copies of its arguments."""
    if isinstance(answer, type) or not callable(answer):
        return answer

    def function(*args: Any) -> Any:
        return returned(answer(*copy.deepcopy(args)))

    return functools.update_wrapper(function, answer)


# ------------------------------------------------------------------------ verdicts


@dataclass(frozen=True)
class Verdict:
    """What `check` found. It prints itself; `must` raises if the answer is not right.

    `slips` are the words of the known slips that the answer behaves like, and `hints`
    what a page shows one after another.
    """

    name: str
    right: bool
    words: str
    slips: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"✓ Right. {self.words}".strip() if self.right else f"✗ {self._not_yet}"

    @property
    def _not_yet(self) -> str:
        return f"Not yet: {self.words}"

    def must(self) -> Verdict:
        """Return the verdict itself, or raise an AssertionError with its words."""
        if not self.right:
            raise AssertionError(self._not_yet)
        return self

    def _repr_html_(self) -> str:
        kind = "right" if self.right else "not-yet"
        tips = [] if self.right else [*enumerate(self.hints, 1)]
        inner = ""
        for number, tip in reversed(tips):
            said = f"{SUMMARY}Hint {number}</summary><p>{html.escape(tip)}</p>"
            inner = f"<details>{said}{inner}</details>"
        said = html.escape(repr(self))
        return f'<div class="olc-verdict olc-{kind}"><p>{said}</p>{inner}</div>'


# ----------------------------------------------------------------------- exercises


@dataclass(frozen=True)
class Exercise:
    """A name, a judge, what to say to a right answer, and hints for a wrong one.

    `facts` is what a self-test of the page is made from.
    """

    name: str
    judge: Judge
    praise: str = ""
    hints: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


EXERCISES: dict[str, Exercise] = {}


def exercise(
    name: str, praise: str = "", *hints: str, **facts: Any
) -> Callable[[Judge], Judge]:
    """Register a judge: it raises `Wrong`, or returns (perhaps what else to praise)."""

    def register(judge: Judge) -> Judge:
        EXERCISES[name] = Exercise(name, judge, praise, hints, facts)
        return judge

    return register


def find(name: str) -> Exercise:
    """Return the exercise of this name, or say which names are near."""
    name = str(name).removeprefix("ex-")
    if name in EXERCISES:
        return EXERCISES[name]
    near = difflib.get_close_matches(name, EXERCISES, 3, 0.5)
    near = near or sorted(EXERCISES)[:3]
    raise ValueError(f"no exercise is called {name!r}: did you mean {_either(near)}?")


def check(name: str, /, *answer: Any, **numbers: Any) -> Verdict:
    """Look at an answer to an exercise of the book, and say what is right or wrong.

    The name is the exercise's label without ``ex-``. A wrong answer, a crash and an
    endless loop get a `Verdict` like any other; only an unknown name raises. A function
    is given copies, and may write into them.

    >>> check("winnow-elimination", mistakes=57)
    ✓ Right. All of the active weight goes, so a demotion pays for a whole promotion.
    >>> check("winnow-elimination", mistakes=84)
    ✗ Not yet: mistakes = 84: this is the bound of Winnow with demotion, 3kL - 2k.
    """
    found = find(name)
    verdict = _judged(found, answer, numbers)
    if path := os.environ.get("OLC_LOG"):  # only if a lecturer asks for it
        kept = {"exercise": found.name, "right": verdict.right, "words": verdict.words}
        line = json.dumps(kept | {"slips": verdict.slips}, ensure_ascii=False)
        try:
            with open(path, "a", encoding="utf-8") as log:
                log.write(line + "\n")
        except OSError as error:
            words = f"OLC_LOG={path}: the verdict is not kept. Is there such a folder?"
            warnings.warn(f"{words} ({error.strerror})", stacklevel=2)
    return verdict


def _judged(found: Exercise, answer: Any, numbers: Any) -> Verdict:
    slips: tuple[str, ...] = ()
    try:
        if not answer and not numbers:
            raise Wrong("there is no answer to check")
        if any(map(_empty, [*answer, *numbers.values()])):
            raise Wrong(STUB)
        wants = inspect.signature(found.judge)
        try:
            bound = wants.bind(*answer, **numbers).arguments
        except TypeError:
            raise Wrong(f"give {usage(found)}") from None
        for part, value in bound.items():
            is_one = isinstance(value, Stream)
            must(
                is_one or wants.parameters[part].annotation is not Stream,
                f"the {part} should be olc.Stream(X, y)",
            )
        tried = [fair(a) if inspect.isfunction(a) else a for a in answer]
        named = {k: fair(a) if inspect.isfunction(a) else a for k, a in numbers.items()}
        with _watched():
            more = found.judge(*tried, **named)
        return Verdict(found.name, True, more or found.praise)
    except Wrong as wrong:
        words, slips = str(wrong), wrong.slips
    except Endless as endless:
        words = str(endless)
    except RecursionError:
        words = "it calls itself without end"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # such as SystemExit
        words = _crashed(error)
    words += "" if words.endswith((".", "?")) else "."
    return Verdict(found.name, False, words, slips, found.hints)


def usage(found: Exercise) -> str:
    """Return how an exercise wants to be asked."""
    parts = [f"{part}=..." for part in found.facts.get("parts", ())]
    names = parts or inspect.signature(found.judge).parameters
    return f"check({found.name!r}, {', '.join(names)})"


def _empty(answer: Any) -> bool:
    if isinstance(answer, type):  # a class in which nothing has been written yet
        mro = inspect.getmro(answer)
        mine = [*itertools.takewhile(lambda kind: own(inspect.getmodule(kind)), mro)]
        parts = [part for kind in mine for part in vars(kind).items()]
        return bool(mine) and not any(_written(*part) for part in parts)
    return any(answer is nothing for nothing in (..., None, NotImplemented))


def _written(name: str, part: Any) -> bool:
    place = part.__code__.co_filename if inspect.isfunction(part) else ""
    return name[:2] != "__" or (bool(place) and place != "<string>" and own(place))


def _either(names: Any) -> str:
    *first, last = map(repr, names)
    return f"{', '.join(first)} or {last}" if first else last


# ------------------------------------------------------- answers that do not return

_PLACES = map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))
_HERE = (Path(core_check.__file__).parents[1], Path(__file__).parents[1])
_OTHERS = (*(f"{path.resolve()}{os.sep}" for path in _HERE), *_PLACES)


def own(place: Any) -> bool:
    """Return whether a file or module is the student's: no library, not this book."""
    name = place if isinstance(place, str) else getattr(place, "__file__", None) or ""
    return not name.startswith(("<frozen", "<__array", *_OTHERS))


@contextmanager
def _watched() -> Iterator[None]:
    """Count the steps of the answer as they run: needs neither threads nor signals."""
    if sys.gettrace():  # a debugger watches already
        yield
        return
    steps, end, over = 0, time.process_time() + SECONDS, False

    def step(frame: Any, event: str, arg: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps > STEPS or (steps % 1000 == 0 and time.process_time() > end):
            where = f"`{frame.f_code.co_name}`, near line {frame.f_lineno}"
            raise Endless(f"it does not come to an end in {where}", again)
        return step

    def call(frame: Any, event: str, arg: Any) -> Any:
        if not own(frame.f_code.co_filename):
            return None
        # a loop that is written in one line has no other lines to count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    def again() -> None:
        frame: FrameType | None = sys._getframe(2)  # where it was let go
        while not over and frame and frame.f_code is not _judged.__code__:
            frame.f_trace, frame = call(frame, "call", None), frame.f_back
        if not over:
            sys.settrace(call)

    sys.settrace(call)
    try:
        yield
    finally:
        over = True
        sys.settrace(None)


def _crashed(error: BaseException) -> str:
    said = re.sub(r" at 0x[0-9a-fA-F]+", "", str(error))
    stub = "Ellipsis" in said or (isinstance(error, TypeError) and "ellipsis" in said)
    if stub or (type(error) is NotImplementedError and not said):
        return STUB
    frames = traceback.extract_tb(error.__traceback__)
    if not (mine := [frame for frame in frames if own(frame.filename)]):
        return said or type(error).__name__
    at = mine[-1]
    code = f", {at.line!r}," if at.line else ""
    where = f"it breaks off in line {at.lineno} of {at.name}"
    return f"{where}{code} with {type(error).__name__}: {said}"
