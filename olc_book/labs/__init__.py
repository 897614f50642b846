"""Labs: the reader plays, as the adversary or as the learner.

`olc.lab` is the door. A lab is three files of one name, here and in js/:

- ``plane.toml``: its words, and what its state may be, read by both sides;
- ``plane.py``: a `Lab` whose properties are what `olc` says of a state, among them

  - ``examples``: the examples of the game in their order, and their labels,
  - ``still``: a `Figure` of a telling state, whose ``alt`` is its sentence;

- ``js/plane.js``: the game in the reader's hands, as js/kit.js describes.

The words are those of a mode, a chapter's variant, with what the lab says for all:

- ``title``, ``goal``, ``question``, ``answers`` (each with the reply);
- ``hint``: what the hand and the keys can do, where that cannot be seen;
- ``cell``: what is copied after ``lab = olc.lab(…)``, and prints what the page says;
- ``start``: the state that it begins with, whose keys the reader changes;
- ``keys``: for every key what it may be, as `fits` reads it;
- ``heights``: pixels on a wide page and on a phone: nothing moves when a script comes.
"""

from __future__ import annotations

import copy
import functools
import json
import re
import tomllib
from collections.abc import Iterator
from html import escape
from importlib import import_module, resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from pathlib import Path

    from olc.core.stream import Stream
    from olc_book.plots import Figure

__all__ = ["Lab", "lab"]

FOLDER = resources.files("olc_book.labs")
#: The labs, each with its words, a module of this package and a script.
LABS = sorted(
    path.name[:-5] for path in FOLDER.iterdir() if path.name.endswith(".toml")
)

#: What a page that runs hands over: the name of a lab with its mode -> its state.
PLAYED: dict[tuple[str, str], dict[str, Any]] = {}


def lab(name: str, **state: Any) -> Lab:
    """Return a lab to play, in a notebook or on a page.

    What is not given of its state is as the lab begins; `mode` is the chapter's variant
    of a lab that has several. The reader's state comes back in attributes, and setting
    one moves the picture. On a page, in a cell with the tag ``plays``, it plays by
    itself until it is touched.

    >>> plane = lab("plane", mode="margin", tau=0.5)
    >>> plane.tau, len(plane.points)
    (0.5, 9)
    >>> plane.tau = 9
    Traceback (most recent call last):
    ValueError: tau must be a number from 0 to 3, not 9
    """
    if name not in LABS:
        raise ValueError(f"no lab is called {name!r}: choose from {', '.join(LABS)}")
    return kind(name)(**state)


def kind(name: str) -> type[Lab]:
    """Return the class of a lab."""
    found: type[Lab] = getattr(import_module(f"olc_book.labs.{name}"), name.title())
    return found


@functools.cache
def told(name: str) -> dict[str, dict[str, Any]]:
    """Return the words of every mode of a lab."""
    shared = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    modes, keys = shared.pop("modes"), shared.pop("keys")
    return {
        mode: shared | words | {"keys": keys | words.get("keys", {})}
        for mode, words in modes.items()
    }


class Lab:
    """A lab with its state, of which each key is an attribute."""

    parts: ClassVar[tuple[str, ...]] = ()  #: scripts that it shares with other labs
    state: dict[str, Any]

    def __init__(self, **given: Any) -> None:
        name = type(self).__name__.lower()
        modes = told(name)
        mode = given.pop("mode", next(iter(modes)))
        must_fit("mode", mode, ["among", *modes])
        words = copy.deepcopy(modes[mode])
        state = {"mode": mode} | words.pop("start")
        words["keys"] = {key: words["keys"][key] for key in state if key != "mode"}
        vars(self).update(name=name, words=words, state=state, widget=None)
        for key, value in (PLAYED.get((name, mode), {}) | given).items():
            self._put(key, value)

    def _put(self, key: str, value: Any) -> None:
        """Check one key of the state, and keep it."""
        if key == "mode":
            remedy = f"make another one with olc.lab({self.name!r}, mode={value!r})"
            raise AttributeError(f"the mode of a lab does not change: {remedy}")
        if key not in self.state:
            known = ", ".join(self.state)
            raise AttributeError(f"the lab {self.name} has no {key!r}, but {known}")
        value = json.loads(json.dumps(value, default=_plain))
        must_fit(key, value, self.words["keys"][key])
        self.state[key] = value

    def __getattr__(self, key: str) -> Any:
        if hasattr(type(self), key):  # what it lacks, says the property itself
            return object.__getattribute__(self, key)
        if key not in vars(self).get("state", {}):
            raise AttributeError(f"a lab has no {key}")
        return self.state[key]

    def __setattr__(self, key: str, value: Any) -> None:
        self._put(key, value)
        if self.widget is not None:
            setattr(self.widget, key, self.state[key])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.state]

    @property
    def examples(self) -> tuple[Any, Any]:
        """The examples of the game in their order, and their labels."""
        raise NotImplementedError

    @property
    def stream(self) -> Stream:
        """The examples of the game as a stream, for labels -1 and +1."""
        from olc.core.stream import Stream

        return Stream(*self.examples)

    @property
    def still(self) -> Figure:
        """A picture of a telling state, with its sentence."""
        raise NotImplementedError

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.state.items())
        return f"Lab({self.name!r}, {inside})"

    def _repr_html_(self) -> str:
        """Return the element of a page: the still, and the scripts that replace it."""
        wide, narrow = self.words["heights"]
        picture = re.search("(?s)<figure.*?>(.*)</figure>", self.still._repr_html_())
        assert picture is not None
        title, goal = escape(self.words["title"]), escape(self.words["goal"])
        return (
            f'<figure class="olc-figure olc-lab" data-olc-lab="{self.name}" '
            f'data-state="{_data(self.state)}" data-words="{_data(self.words)}" '
            f'style="--olc-wide:{wide}px;--olc-narrow:{narrow}px">'
            f'<div class="olc-inside"><p class="olc-head"><strong>{title}</strong> '
            f'<span class="olc-goal">Your goal: {goal}</span></p>{picture[1]}</div>'
            "<figcaption>This is a game: it is played in a live notebook and on the "
            f"pages of the book.</figcaption>"
            f"<style data-olc-lab-part>{styles()}</style>"
            f"<script data-olc-lab-part>{script(self.name)}</script></figure>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if find_spec("anywidget") is None:
            return still
        if self.widget is None:
            vars(self)["widget"] = _widget(self)
        live = self.widget._repr_mimebundle_()
        return (live[0] if isinstance(live, tuple) else live or {}) | still


def _widget(lab: Lab) -> Any:
    """Return the face with a kernel: what is moved there is heard by the lab."""
    anywidget, traitlets = map(import_module, ("anywidget", "traitlets"))
    module = f"{script(lab.name)}export default olcLab.labs.{lab.name};"
    given = lab.state | {"words": lab.words}
    traits = {key: traitlets.Any(value).tag(sync=True) for key, value in given.items()}
    # anywidget reads both from the body of the class itself
    body = {"_esm": module, "_css": styles(), **traits}
    widget = type("LabWidget", (anywidget.AnyWidget,), body)()
    heard = [*lab.words["keys"]]
    widget.observe(lambda change: lab._put(change["name"], change["new"]), heard)
    return widget


def _data(value: Any) -> str:
    return escape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _plain(value: Any) -> Any:
    """Return an array as lists, and a number of numpy as one of Python."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is no state of a lab: give numbers, texts and lists")


# --- what a state may be --------------------------------------------------------------


def must_fit(key: str, value: Any, wanted: list[Any]) -> None:
    """Refuse a value of a key that does not fit, in one sentence."""
    if not fits(value, *wanted):
        raise ValueError(f"{key} must be {_described(*wanted)}, not {value!r}")


def fits(value: Any, kind: str, *rest: Any) -> bool:
    """Whether a value is of a kind, by the rule of js/kit.js.

    >>> fits(0.5, "number", 0, 1), fits(0.5, "whole", 0, 1), fits("a", "among", "a")
    (True, False, True)
    >>> fits([[1, 2], [3, 4]], "list", 1, 8, ["row", ["whole", 0, 9], ["whole", 0, 9]])
    True
    """
    if kind == "among":
        return not isinstance(value, bool) and value in rest
    if kind == "text":
        return isinstance(value, str) and len(value) <= rest[0]
    if kind == "row":
        same = isinstance(value, list) and len(value) == len(rest)
        return same and all(map(lambda v, one: fits(v, *one), value, rest))
    least, most, *one = rest
    if kind == "list":
        some = isinstance(value, list) and least <= len(value) <= most
        return some and all(fits(v, *one[0]) for v in value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and least <= value <= most and (kind == "number" or value % 1 == 0)


def _described(kind: str, *rest: Any) -> str:
    if kind == "among":
        return " or ".join(map(repr, rest))
    if kind == "row":
        return f"[{', '.join(_described(*one) for one in rest)}]"
    if kind == "text":
        return f"a text of at most {rest[0]} characters"
    least, most, *one = rest
    if kind == "list":
        return f"a list of {least} to {most}, each {_described(*one[0])}"
    return f"a {'whole ' * (kind == 'whole')}number from {least} to {most}"


# --- scripts --------------------------------------------------------------------------


def parts(name: str) -> list[str]:
    """Return the scripts of a lab in their order."""
    return ["learners", "kit", *kind(name).parts, name]


def source(part: str) -> str:
    """Return a script without its comments and its indentation."""
    text = (FOLDER / "js" / f"{part}.js").read_text("utf-8")
    return re.sub(r"(?m)^\s*(?://.*)?\n|^[ ]+|[ ]+// .*$", "", text)


def script(name: str) -> str:
    """Return all that a lab runs, as one text."""
    return "".join(map(source, parts(name)))


def linked(text: str, folder: str) -> str:
    """Return a page that links the scripts of its labs instead of repeating them.

    `folder` is where `write` has put them, as the page sees it.
    """
    names = re.findall(r'data-olc-lab="(\w+)"', text)
    if not names:
        return text
    text = re.sub(r"(?s)<(style|script) data-olc-lab-part>.*?</\1>", "", text)
    needed = dict.fromkeys(part for name in names for part in parts(name))
    links = "".join(
        f'<script defer src="{folder}/{part}.js"></script>' for part in needed
    )
    style = f'<link rel="stylesheet" href="{folder}/lab.css">'
    return text.replace("</head>", f"{style}{links}</head>", 1)


def write(folder: Path) -> None:
    """Put the scripts and the style of all labs into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lab.css").write_text(styles(), encoding="utf-8")
    for part in {part for name in LABS for part in parts(name)}:
        (folder / f"{part}.js").write_text(source(part), encoding="utf-8")


def styles() -> str:
    """Return the style of all labs, without its comments and its white space."""
    text = (FOLDER / "js" / "lab.css").read_text("utf-8")
    return re.sub(r"/\*.*?\*/|\s*([{};])\s*|(?<=[a-z]:) ", r"\1", text)


# --- random bits that both sides know -------------------------------------------------


def words(seed: int) -> Iterator[int]:
    """Yield random words of 32 bits (xorshift32), the same as js/panel.js does."""
    state = (seed * 2654435761 | 1) & 0xFFFFFFFF
    for count in range(10**9):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        if count >= 8:  # the first ones are much like the seed
            yield state


def panel(n: int, k: int, rounds: int, seed: int) -> Stream:
    """Return experts that toss coins, and a hidden panel of k that is always right."""
    import numpy as np

    from olc.core.stream import Stream

    random, members = words(seed), set[int]()
    while len(members) < k:
        members.add(next(random) % n)
    drawn = np.array([next(random) for _ in range(-(-n * rounds // 32))], np.uint32)
    bits = drawn[:, None] >> np.arange(32, dtype=np.uint32) & 1
    X = (2 * bits.astype(np.int8) - 1).ravel()[: n * rounds].reshape(rounds, n)
    target = np.zeros(n)
    target[sorted(members)] = 1
    return Stream(X, np.sign(X @ target), target)
