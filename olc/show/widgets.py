"""Figures that answer: `explore` and `replay`, the interactive elements of the book.

One object has two faces with the same pictures, all drawn ahead. With a live kernel it
shows ipywidgets; everywhere else (the built book, an exported page, a file opened from
disk) plain HTML controls and a few lines of script.
"""

from __future__ import annotations

import itertools
import json
import math
import numbers
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from olc.core import check
from olc.core.check import need
from olc.core.game import as_trace
from olc.show.plots import Figure, replay_frame
from olc.show.plots._figure import PANELS_STYLE, caption_html, unique_ids
from olc.show.sweep import must_take, progress

if TYPE_CHECKING:
    import pandas as pd

    from olc.core.game import Trace

MAX_FRAMES = 60  #: more would make a page too heavy
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eta": "η"}


def explore(draw: Callable[..., Figure], /, **choices: Any) -> Explorer:
    """Let the reader choose the arguments of `draw`.

    Each choice is a list of values, or a dict of labels and values, and is passed to
    `draw` under its name. Numbers in ascending order become a slider, everything else
    a menu. `draw` returns an `olc.plots.Figure`; its `alt` is read out whenever the
    picture changes. `captioned` gives the explorer a caption, as it does a figure; else
    it has that of its first frame. Its `table` holds the numbers behind all frames.

    >>> from olc.show.plots import Figure, panel
    >>> def square(side):
    ...     ax = panel()
    ...     ax.plot([0, side, side, 0, 0], [0, 0, side, side, 0])
    ...     return Figure(ax, f"The area is {side**2}.")
    >>> explore(square, side=[1, 2, 3]).captioned("A square and its area.")
    Explorer: side = 1, 2, 3. The area is 1.
    """
    if not choices:
        raise ValueError("explore has no choices: name one, as in explore(draw, n=[8])")
    must_take(draw, "draw", list(choices), "name the choices as its arguments")
    return Explorer(draw, [_choice(name, given) for name, given in choices.items()])


def replay(
    trace: Trace, draw: Callable[[int], Figure] | None = None, *, frames: int = 30
) -> Explorer:
    """Step through the updates of a game (its mistakes, for most learners).

    `draw(step)` shows the game after `step` updates, from 0 to ``len(trace.updates)``.
    By default it is `olc.plots.replay_frame`. If there are more updates than `frames`,
    steps are left out evenly; the first and the last always stay.
    """
    last = len(as_trace(trace).updates)
    if last == 0:
        raise ValueError("the learner never changed in this game: nothing to replay")
    if not 2 <= check.count(frames, "frames") <= MAX_FRAMES:
        raise ValueError(
            f"frames is {frames}: give at least 2, a first and a last, and at most "
            f"{MAX_FRAMES} (olc.widgets.MAX_FRAMES); other steps are left out evenly"
        )
    count = min(frames, last + 1)
    steps = sorted({round(i * last / (count - 1)) for i in range(count)})

    def frame(step: int) -> Figure:
        return draw(step) if draw is not None else replay_frame(trace, step)

    return Explorer(frame, [Choice("step", {str(step): step for step in steps})])


@dataclass(frozen=True)
class Choice:
    """One control: its name, and its values by label."""

    name: str
    values: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The name as the reader sees it, a Greek letter where there is one."""
        return _GREEK.get(self.name, self.name.replace("_", " "))

    @property
    def labels(self) -> list[str]:
        """The labels in order."""
        return list(self.values)

    @property
    def is_range(self) -> bool:
        """Whether the values are numbers in ascending order."""
        values = list(self.values.values())
        return all(
            isinstance(value, numbers.Real) and not isinstance(value, bool)
            for value in values
        ) and all(a < b for a, b in itertools.pairwise(values))


def _choice(name: str, given: Any) -> Choice:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(
            f"choice {name!r} is {given!r}: give a list of values, "
            "or a dict of labels and values"
        )
    if isinstance(given, Mapping):
        values = {str(label): value for label, value in given.items()}
    else:
        items = given.tolist() if hasattr(given, "tolist") else list(given)
        values = dict(zip(_labels(items), items, strict=True))
        if len(values) < len(items):
            raise ValueError(
                f"choice {name!r} offers the same value twice: leave one out, or give "
                "a dict of labels and values"
            )
    if len(values) < 2:
        raise ValueError(
            f"choice {name!r} has fewer than two values: add some, or pass it to draw "
            "yourself"
        )
    return Choice(name, values)


def _labels(items: Sequence[Any]) -> list[str]:
    floats = float | np.floating
    short = [f"{item:g}" if isinstance(item, floats) else str(item) for item in items]
    # Numbers that six digits cannot tell apart get all that they have.
    labels = short if len(set(short)) == len(items) else [str(item) for item in items]
    return [re.sub(r"^-(?=\d)", "−", label) for label in labels]


class Explorer:
    """A figure with controls: what `explore` and `replay` return."""

    def __init__(self, draw: Callable[..., object], choices: Sequence[Choice]) -> None:
        self.draw = draw
        self.choices = list(choices)
        count = math.prod(len(choice.values) for choice in self.choices)
        if count > MAX_FRAMES:
            names = " or ".join(repr(choice.name) for choice in self.choices)
            raise ValueError(
                f"these choices make {count} frames, and a page should carry at most "
                f"{MAX_FRAMES}: offer fewer values of {names}"
            )
        grid = itertools.product(*(choice.values.values() for choice in self.choices))
        bar = progress(grid, "frames", count)
        self.frames = [self._frame(values) for values in bar]

    def _frame(self, values: tuple[Any, ...]) -> Figure:
        names = (choice.name for choice in self.choices)
        arguments = dict(zip(names, values, strict=True))
        figure = self.draw(**arguments)
        if not isinstance(figure, Figure):
            given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
            raise TypeError(
                f"draw({given}) returned {type(figure).__name__}: "
                "end it with 'return Figure(...)' from olc.plots"
            )
        return figure

    def captioned(self, caption: str) -> Explorer:
        """Set what stands below the picture, and return the explorer."""
        for frame in self.frames:
            frame.captioned(caption)
        return self

    @property
    def table(self) -> pd.DataFrame | None:
        """The numbers behind all frames, by the choices; None if a frame has none."""
        tables = [frame.table for frame in self.frames if frame.table is not None]
        if len(tables) < len(self.frames):
            return None
        offered = [
            [
                value if isinstance(value, str | numbers.Real) else label
                for label, value in choice.values.items()
            ]
            for choice in self.choices
        ]
        keys = list(itertools.product(*offered)) if len(offered) > 1 else offered[0]
        names = [choice.name for choice in self.choices]
        return need("pandas").concat(tables, keys=keys, names=names)

    def __repr__(self) -> str:
        controls = "; ".join(
            f"{choice.title} = {_enumerate(choice.labels)}" for choice in self.choices
        )
        stop = "" if controls.endswith((".", "!", "?")) else "."
        return f"Explorer: {controls}{stop} {self.frames[0].alt}"

    def _repr_html_(self) -> str:
        return _page(self.frames, self.choices)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if find_spec("ipywidgets") is None:
            return still
        return _live(self.frames, self.choices)._repr_mimebundle_() | still


def _enumerate(labels: list[str]) -> str:
    if len(labels) > 6:
        labels = [*labels[:3], "…", labels[-1]]
    return ", ".join(labels)


# --- the face without Python --------------------------------------------------------


def _page(frames: Sequence[Figure], choices: Sequence[Choice]) -> str:
    pictures = ["".join(frame.svgs) for frame in frames]
    pool: dict[str, int] = {}  # frames have most of their parts in common
    numbered = [
        [pool.setdefault(part, len(pool)) for part in re.split(r"(?=<[^/])", picture)]
        for picture in pictures
    ]
    labels = list(_picture_labels(frames, choices))
    data = {
        "parts": list(pool),
        "frames": numbered,
        "alts": [frame.alt for frame in frames],
        "labels": labels,
    }
    encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # No word of the data may end the script, or begin a comment or a script in it.
    encoded = encoded.replace("<", r"\u003c")
    ordered = len(choices) == 1 and choices[0].is_range
    play = '<button type="button">Play</button>' if ordered else ""
    controls = "".join(_control(choice) for choice in choices)
    html = (
        '<figure class="olc-figure olc-explorer">'
        f'<div class="olc-controls" hidden>{controls}{play}</div>'
        f'<div class="olc-panels" role="img" aria-label="{escape(labels[0])}" '
        f'style="{PANELS_STYLE}">{pictures[0]}</div>'
        f'<p class="olc-says" aria-live="polite">{escape(frames[0].alt)}</p>'
        f"{caption_html(frames[0].caption)}"
        f'<script type="application/json">{encoded}</script>'
        f"<script>{_SCRIPT}</script></figure>"
    )
    return unique_ids(html, *pictures)


def _picture_labels(
    frames: Sequence[Figure], choices: Sequence[Choice]
) -> Iterator[str]:
    """Name every picture and what was chosen for it."""
    grid = itertools.product(*(choice.labels for choice in choices))
    for frame, labels in zip(frames, grid, strict=True):
        pairs = zip(choices, labels, strict=True)
        chosen = ", ".join(f"{choice.title} = {label}" for choice, label in pairs)
        yield f"{frame.label} ({chosen})"


def _control(choice: Choice) -> str:
    title, labels = escape(choice.title), choice.labels
    if not choice.is_range:
        options = "".join(f"<option>{escape(label)}</option>" for label in labels)
        menu = f'<select autocomplete="off">{options}</select>'
        return f'<div class="olc-control"><label>{title} {menu}</label></div>'
    return (
        f'<div class="olc-control"><label>{title} <input type="range" min="0" '
        f'max="{len(labels) - 1}" value="0" autocomplete="off" '
        f'aria-valuetext="{escape(labels[0])}" '
        f'data-labels="{escape(json.dumps(labels, ensure_ascii=False))}"></label> '
        f'<output aria-live="off">{escape(labels[0])}</output></div>'
    )


_SCRIPT = resources.files("olc.show").joinpath("explorer.js").read_text("utf-8")


# --- the face with Python -----------------------------------------------------------


def _live(frames: Sequence[Figure], choices: Sequence[Choice]) -> Any:
    ipywidgets = need("ipywidgets")
    controls = [_live_control(ipywidgets, choice) for choice in choices]
    picture = ipywidgets.HTML(frames[0]._repr_html_())

    def show(_: Any) -> None:
        at = 0
        for choice, control in zip(choices, controls, strict=True):
            at = at * len(choice.values) + control.index
        picture.value = frames[at]._repr_html_()

    for control in controls:
        control.observe(show, "index")
    play = []
    if len(choices) == 1 and choices[0].is_range:
        play = [ipywidgets.Play(max=len(frames) - 1, interval=900)]
        ipywidgets.jslink((play[0], "value"), (controls[0], "index"))
    return ipywidgets.VBox([*controls, *play, picture])


def _live_control(ipywidgets: Any, choice: Choice) -> Any:
    kind = ipywidgets.SelectionSlider if choice.is_range else ipywidgets.Dropdown
    return kind(options=choice.labels, description=choice.title)
