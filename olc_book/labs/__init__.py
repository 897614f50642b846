"""Labs: the reader plays, as the adversary or as the learner.

`olc.lab` is the door. A lab is a script in js/, which js/kit.js describes, and a module
here, with its name in `LABS`, that has

- ``PARTS``: the scripts that it shares with others, such as ("field",);
- ``HEIGHTS``: mode -> pixels on a wide page and on a phone, "" for the other modes;
- ``start(mode)``: the state that it begins with, a dict whose keys the reader changes;
- ``check(key, value, state)``: raises a ValueError of one sentence for what is none;
- ``words(state)``: title, goal, question, answers (with what is replied), and ``cell``,
  the lines that are copied after ``lab = olc.lab(…)`` and print what the page says;
- ``examples(state)``: the examples of the game in their order, and their labels;
- ``still(state)``: a `Figure` of a telling state; its ``alt`` is the sentence;
- ``EXTRAS``, if it likes: other attributes of a lab, name -> function of the state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import escape
from importlib import import_module, resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from olc.core.stream import Stream
    from olc_book.plots import Figure

#: The labs: a module of this package and a script of this name for each.
LABS = ("plane",)
SCRIPTS = resources.files("olc_book.labs") / "js"


def lab(name: str, **state: Any) -> Lab:
    """Return a lab to play, in a notebook or on a page.

    What is not given of its state is as the lab begins; `mode` is the chapter's variant
    of a lab that has several. The reader's state comes back in attributes, and setting
    one moves the picture.

    >>> plane = lab("plane", mode="margin", tau=0.5)
    >>> plane.tau, len(plane.points)
    (0.5, 9)
    >>> plane.tau = 9
    Traceback (most recent call last):
    ValueError: tau must be a number from 0 to 3, not 9
    """
    if name not in LABS:
        raise ValueError(f"no lab is called {name!r}: choose from {', '.join(LABS)}")
    return Lab(name, state)


class Lab:
    """A lab with its state, of which each key is an attribute."""

    name: str
    state: dict[str, Any]

    def __init__(self, name: str, given: dict[str, Any]) -> None:
        module = import_module(f"olc_book.labs.{name}")
        state = module.start(given.get("mode"))
        vars(self).update(name=name, module=module, state=state, widget=None)
        for key, value in given.items():
            if key != "mode":
                self._put(key, value)

    def _put(self, key: str, value: Any) -> None:
        """Check one key of the state, in the presence of the others, and keep it."""
        if key not in self.state:
            known = ", ".join(self.state)
            raise AttributeError(f"the lab {self.name} has no {key!r}, but {known}")
        value = json.loads(json.dumps(value, default=_plain))
        self.module.check(key, value, self.state)
        self.state[key] = value

    def __getattr__(self, key: str) -> Any:
        own = vars(self)
        if key in getattr(own.get("module"), "EXTRAS", {}):
            return own["module"].EXTRAS[key](own["state"])
        if key not in own.get("state", {}):
            raise AttributeError(f"a lab has no {key}")
        return own["state"][key]

    def __setattr__(self, key: str, value: Any) -> None:
        if key == "mode":
            remedy = f"make another one with olc.lab({self.name!r}, mode={value!r})"
            raise AttributeError(f"the mode of a lab does not change: {remedy}")
        self._put(key, value)
        if self.widget is not None:
            setattr(self.widget, key, self.state[key])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.state]

    @property
    def words(self) -> dict[str, Any]:
        """The title, the goal, and the question with its answers."""
        return self.module.words(self.state)

    @property
    def examples(self) -> tuple[Any, Any]:
        """The examples of the game in their order, and their labels."""
        return self.module.examples(self.state)

    @property
    def stream(self) -> Stream:
        """The examples of the game as a stream, for labels -1 and +1."""
        from olc.core.stream import Stream

        return Stream(*self.examples)

    @property
    def still(self) -> Figure:
        """A picture of a telling state, with its sentence."""
        return self.module.still(self.state)

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.state.items())
        return f"Lab({self.name!r}, {inside})"

    def html(self) -> str:
        """Return the element of a page: the still, and the scripts that replace it."""
        heights = self.module.HEIGHTS
        wide, narrow = heights.get(self.state.get("mode"), heights[""])
        picture = re.search("(?s)<figure.*?>(.*)</figure>", self.still._repr_html_())
        assert picture is not None
        title, goal = escape(self.words["title"]), escape(self.words["goal"])
        return (
            f'<figure class="olc-figure olc-lab" data-olc-lab="{self.name}" '
            f'data-state="{_data(self.state)}" data-words="{_data(self.words)}" '
            f'style="--olc-wide:{wide}px;--olc-narrow:{narrow}px">'
            f'<div class="olc-inside"><p class="olc-head"><strong>{title}</strong> '
            f'<span class="olc-goal">Your goal: {goal}</span></p>{picture[1]}</div>'
            f"<figcaption>{title}. It is played in a live notebook and on the pages of "
            f"the book.</figcaption><style data-olc-lab-part>{styles()}</style>"
            f"<script data-olc-lab-part>{script(self.name)}</script></figure>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = {"text/plain": repr(self), "text/html": self.html()}
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
    widget.observe(lambda change: lab._put(change["name"], change["new"]), [*lab.state])
    return widget


def _data(value: Any) -> str:
    return escape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _plain(value: Any) -> Any:
    """Return an array as lists, and a number of numpy as one of Python."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is no state of a lab: give numbers, texts and lists")


# --- scripts --------------------------------------------------------------------------


def parts(name: str) -> list[str]:
    """Return the scripts of a lab in their order."""
    shared = import_module(f"olc_book.labs.{name}").PARTS
    return ["learners", "kit", *shared, name]


def source(part: str) -> str:
    """Return a script without its comments and its indentation."""
    text = (SCRIPTS / f"{part}.js").read_text("utf-8")
    return re.sub(r"(?m)^\s*(?://.*)?\n|^[ ]+", "", text)


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
    """Return the style of all labs, without its comments and its indentation."""
    text = (SCRIPTS / "lab.css").read_text("utf-8")
    return re.sub(r"(?m)/\*.*?\*/|^\s+", "", text)


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


# --- what a state may be --------------------------------------------------------------


def within(key: str, value: Any, low: float, high: float) -> None:
    """Refuse what is no number of this range."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (number and low <= value <= high):
        wanted = f"must be a number from {low:g} to {high:g}"
        raise ValueError(f"{key} {wanted}, not {value!r}")


def whole(key: str, value: Any, low: int, high: int) -> None:
    """Refuse what is no whole number of this range."""
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or not low <= value <= high
    ):
        wanted = f"must be a whole number from {low} to {high}"
        raise ValueError(f"{key} {wanted}, not {value!r}")


def one_of(key: str, value: Any, *known: Any) -> None:
    """Refuse what is none of these."""
    if value not in known:
        names = ", ".join(map(repr, known))
        raise ValueError(f"{key} must be one of {names}, not {value!r}")


def items(key: str, value: Any, least: int, most: int, one: Callable[[Any], bool],
          what: str) -> None:  # fmt: skip
    """Refuse what is no list of so many of these."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise ValueError(f"{key} must be a list of {least} to {most} {what}")
    for wrong in (item for item in value if not one(item)):
        raise ValueError(f"{key} has {wrong!r}: give {what}")
