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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from olc.core.check import assuming, optional_import, whole
from olc.core.game import as_trace
from olc.sweep import labelled, must_take, progress
from olc_book.plots import Figure, replay_frame
from olc_book.plots._figure import unique_ids

if TYPE_CHECKING:
    import pandas as pd

    from olc.core.game import Trace

__all__ = ["explore", "replay", "Explorer"]

MAX_FRAMES = 60  #: more would make a page too heavy
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eta": "η"}


def explore(draw: Callable[..., Figure], /, **choices: Any) -> Explorer:
    """Let the reader choose the arguments of `draw`.

    Each choice is a list of values, or a dict of labels and values, and is passed to
    `draw` under its name. Numbers in ascending order become a slider, everything else
    a menu. `draw` returns an `olc.plots.Figure`; its `alt` is read out whenever the
    picture changes. `captioned` gives the explorer a caption, as it does a figure; else
    it has that of its first frame. `opened` says where it opens, if not at its first
    frame: ``explore(draw, n=[8, 16, 32]).opened(n=32)``. Its `table` holds the numbers
    behind all frames.

    >>> from olc_book.plots import Figure, panel
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


@assuming(frames=whole(2))
def replay(
    trace: Trace, draw: Callable[[int], Figure] | None = None, *, frames: int = 30
) -> Explorer:
    """Step through the updates of a game (its mistakes, for most learners).

    `draw(step)` shows the game after `step` updates, from 0 to
    ``len(trace.update_rounds)``. By default it is `olc.plots.replay_frame`. If there
    are more updates than `frames`, steps are left out evenly; the first and the last
    always stay. The replay opens at the last.
    """
    last = len(as_trace(trace).update_rounds)
    if last == 0:
        raise ValueError("the learner never changed in this game: nothing to replay")
    count = min(frames, last + 1)
    steps = sorted({round(i * last / (count - 1)) for i in range(count)})

    def frame(step: int) -> Figure:
        return draw(step) if draw is not None else replay_frame(trace, step)

    made = Explorer(frame, [Choice("step", {str(step): step for step in steps})])
    return made.opened(step=last)


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
        if any(isinstance(v, bool) or not isinstance(v, numbers.Real) for v in values):
            return False
        return all(a < b for a, b in itertools.pairwise(values))


def _choice(name: str, given: Any) -> Choice:
    values = labelled(name, given)
    if len(values) < 2:
        raise ValueError(
            f"{name} has fewer than two values: give a list of them, or pass it to "
            "draw yourself"
        )
    floats = float | np.floating
    labels = [f"{key:g}" if isinstance(key, floats) else str(key) for key in values]
    if len(set(labels)) < len(labels):  # six digits do not tell them apart
        labels = [str(key) for key in values]
    labels = [re.sub(r"^-(?=\d)", "−", label) for label in labels]
    return Choice(name, dict(zip(labels, values.values(), strict=True)))


class Explorer:
    """A figure with controls: what `explore` and `replay` return."""

    def __init__(self, draw: Callable[..., object], choices: Sequence[Choice]) -> None:
        self.choices = list(choices)
        self._plays = len(self.choices) == 1 and self.choices[0].is_range
        count = math.prod(len(choice.values) for choice in self.choices)
        names = [choice.name for choice in self.choices]
        if count > MAX_FRAMES:
            raise ValueError(
                f"these choices make {count} frames, and a page should carry at most "
                f"{MAX_FRAMES}: offer fewer values of {' or '.join(map(repr, names))}"
            )
        self.frames: list[Figure] = []
        grid = itertools.product(*(choice.values.values() for choice in self.choices))
        for values in progress(grid, "frames", count):
            figure = draw(**dict(zip(names, values, strict=True)))
            if not isinstance(figure, Figure):
                raise TypeError(
                    f"draw returned {type(figure).__name__}: "
                    "end it with 'return Figure(...)' from olc.plots"
                )
            self.frames.append(figure)
        self.first = [0] * len(self.choices)  # where each control stands at first

    def opened(self, **values: Any) -> Explorer:
        """Open at these values instead of the first ones, and return the explorer."""
        offered = {choice.name: [*choice.values.values()] for choice in self.choices}
        for name, value in values.items():
            if value not in offered.get(name, []):
                raise ValueError(f"{name} = {value} is not among the choices")
            at = [choice.name for choice in self.choices].index(name)
            self.first[at] = offered[name].index(value)
        return self

    @property
    def shown(self) -> int:
        """The number of the frame at which it opens."""
        at = 0
        for choice, index in zip(self.choices, self.first, strict=True):
            at = at * len(choice.values) + index
        return at

    def captioned(self, caption: str) -> Explorer:
        """Set the text below the picture, and return the explorer."""
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
        return optional_import("pandas").concat(tables, keys=keys, names=names)

    def __repr__(self) -> str:
        controls = "; ".join(
            f"{choice.title} = {_enumerate(choice.labels)}" for choice in self.choices
        )
        stop = "" if controls.endswith((".", "!", "?")) else "."
        return f"Explorer: {controls}{stop} {self.frames[0].alt}"

    def _repr_html_(self) -> str:
        """Return the face without Python."""
        pictures = ["".join(frame.svgs) for frame in self.frames]
        pool: dict[str, int] = {}  # frames have most of their parts in common
        numbered = [
            [pool.setdefault(part, len(pool)) for part in re.split(r"(?=<[^/])", svg)]
            for svg in pictures
        ]
        grid = itertools.product(
            *([f"{c.title} = {label}" for label in c.labels] for c in self.choices)
        )
        labels = [
            f"{frame.label} ({', '.join(chosen)})"
            for frame, chosen in zip(self.frames, grid, strict=True)
        ]
        alts = [frame.alt for frame in self.frames]
        data = {"parts": [*pool], "frames": numbered, "alts": alts, "labels": labels}
        encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        # No word of the data may end the script, or begin a comment or a script in it.
        encoded = encoded.replace("<", r"\u003c")
        controls = "".join(map(_control, self.choices, self.first))
        controls += '<button type="button">Play</button>' * self._plays
        html = self.frames[self.shown].html(
            labels[self.shown],
            f'<div class="olc-controls" hidden>{controls}</div>',
            f'<script type="application/json">{encoded}</script>'
            f"<script>{_SCRIPT}</script>",
        )
        return unique_ids(html, *pictures)

    def _live(self) -> Any:
        """Return the face with Python."""
        ipywidgets = optional_import("ipywidgets")
        controls = [
            (ipywidgets.SelectionSlider if choice.is_range else ipywidgets.Dropdown)(
                options=choice.labels, description=choice.title, index=index
            )
            for choice, index in zip(self.choices, self.first, strict=True)
        ]
        picture = ipywidgets.HTML(self.frames[self.shown]._repr_html_())

        def show(_: Any) -> None:
            at = 0
            for choice, control in zip(self.choices, controls, strict=True):
                at = at * len(choice.values) + control.index
            picture.value = self.frames[at]._repr_html_()

        for control in controls:
            control.observe(show, "index")
        play = [
            ipywidgets.Play(value=self.shown, max=len(self.frames) - 1, interval=900)
        ] * self._plays
        for button in play:
            ipywidgets.jslink((button, "value"), (controls[0], "index"))
        return ipywidgets.VBox([*controls, *play, picture])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if find_spec("ipywidgets") is None:
            return still
        return self._live()._repr_mimebundle_() | still


def _enumerate(labels: list[str]) -> str:
    if len(labels) > 6:
        labels = [*labels[:3], "…", labels[-1]]
    return ", ".join(labels)


def _control(choice: Choice, index: int) -> str:
    title, labels = escape(choice.title), choice.labels
    if choice.is_range:
        given = escape(json.dumps(labels, ensure_ascii=False))
        first = escape(labels[index])
        control = (
            f'<label>{title} <input type="range" min="0" max="{len(labels) - 1}" '
            f'value="{index}" autocomplete="off" aria-valuetext="{first}" '
            f'data-labels="{given}"></label> <output aria-live="off">{first}</output>'
        )
    else:
        options = "".join(
            f"<option{' selected' * (at == index)}>{escape(label)}</option>"
            for at, label in enumerate(labels)
        )
        control = (
            f'<label>{title} <select autocomplete="off">{options}</select></label>'
        )
    return f'<div class="olc-control">{control}</div>'


_SCRIPT = resources.files("olc_book").joinpath("explorer.js").read_text("utf-8")
