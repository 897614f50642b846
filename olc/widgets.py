"""Figures that answer: `explore` and `replay`, the interactive elements of the book.

One object has two faces. With a live kernel it shows ipywidgets that draw again for
any value; everywhere else (the built book, an exported page, a file opened from disk)
it shows pictures drawn ahead, behind plain HTML controls and a few lines of script.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from olc.plots import Figure, replay_frame
from olc.plots._figure import PANELS_STYLE, unique_ids

if TYPE_CHECKING:
    from olc.game import Trace

MAX_FRAMES = 60  #: more would make a page too heavy
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eta": "η"}


def explore(draw: Callable[..., Figure], /, **choices: Any) -> Explorer:
    """Let the reader choose the arguments of `draw`.

    Each choice is a list of values, or a dict of labels and values, and is passed to
    `draw` under its name. Numbers in ascending order become a slider, everything else
    a menu. `draw` returns an `olc.plots.Figure`; its `alt` is read out whenever the
    picture changes, and the caption of the first frame is that of the whole.

    >>> from olc.plots import Figure, panel
    >>> def square(side):
    ...     ax = panel()
    ...     ax.plot([0, side, side, 0, 0], [0, 0, side, side, 0])
    ...     return Figure(ax, alt=f"The area is {side**2}.", caption="A square.")
    >>> explore(square, side=[1, 2, 3])
    Explorer: side = 1, 2, 3. The area is 1.
    """
    if not choices:
        raise ValueError("explore has no choices: name one, as in explore(draw, n=[8])")
    return Explorer(draw, [_choice(name, given) for name, given in choices.items()])


def replay(
    trace: Trace, draw: Callable[[int], Figure] | None = None, *, frames: int = 30
) -> Explorer:
    """Step through the updates of a game (its mistakes, for most learners).

    `draw(step)` shows the game after `step` updates, from 0 to ``len(trace.updates)``.
    By default it is `olc.plots.replay_frame`. If there are more updates than `frames`,
    steps are left out evenly; the first and the last always stay.
    """
    last = len(trace.updates)
    if last == 0:
        raise ValueError("the learner never changed in this game: nothing to replay")
    if frames < 2:
        raise ValueError(f"frames is {frames}: give at least 2, a first and a last")
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
        numbers = all(type(value) in (int, float) for value in values)
        return numbers and all(a < b for a, b in itertools.pairwise(values))

    @property
    def is_whole(self) -> bool:
        """Whether the values are whole numbers in ascending order."""
        return self.is_range and all(type(v) is int for v in self.values.values())


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
        values = {f"{v:g}" if isinstance(v, float) else str(v): v for v in items}
    if len(values) < 2:
        raise ValueError(
            f"choice {name!r} has fewer than two different values: add some, "
            "or pass it to draw yourself"
        )
    return Choice(name, values)


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
        self.frames = [self._frame(values) for values in _with_progress(grid, count)]

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

    def __repr__(self) -> str:
        controls = "; ".join(
            f"{choice.title} = {_enumerate(choice.labels)}" for choice in self.choices
        )
        return f"Explorer: {controls}. {self.frames[0].alt}"

    def _repr_html_(self) -> str:
        return _page(self.frames, self.choices)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        view = _live(self._frame, self.choices, self.frames[0])
        return {
            **view._repr_mimebundle_(),
            "text/plain": repr(self),
            "text/html": self._repr_html_(),
        }


def _enumerate(labels: list[str]) -> str:
    if len(labels) > 6:
        labels = [*labels[:3], "…", labels[-1]]
    return ", ".join(labels)


# --- while the frames are drawn ---------------------------------------------------


def _with_progress(
    grid: Iterable[tuple[Any, ...]], count: int
) -> Iterator[tuple[Any, ...]]:
    """Show a progress bar to a person at a live kernel, and to nobody else."""
    if not _someone_is_watching():
        yield from grid
        return
    from IPython.display import display

    def bar(done: int) -> dict[str, str]:
        meter = f'<progress max="{count}" value="{done}"></progress>'
        return {"text/html": f"<label>Drawing {count} frames {meter}</label>"}

    handle = display(bar(0), raw=True, display_id=True)
    for done, values in enumerate(grid, start=1):
        yield values
        handle.update(bar(done), raw=True)
    handle.update({"text/html": ""}, raw=True)


def _someone_is_watching() -> bool:
    """Whether the front end of this kernel could answer a question.

    JupyterLab, VS Code and Colab can; a program that runs a notebook to store or to
    compare its outputs says that it cannot.
    """
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython.get_ipython(), "kernel", None) if ipython else None
    request = kernel.get_parent().get("content", {}) if kernel else {}
    return bool(request.get("allow_stdin"))


# --- the face without Python --------------------------------------------------------


def _page(frames: Sequence[Figure], choices: Sequence[Choice]) -> str:
    pictures = ["".join(frame.svgs) for frame in frames]
    pool: dict[str, int] = {}  # frames have most of their parts in common
    numbered = [
        [pool.setdefault(part, len(pool)) for part in re.split(r"(?=<[^/])", picture)]
        for picture in pictures
    ]
    data = {
        "parts": list(pool),
        "frames": numbered,
        "alts": [frame.alt for frame in frames],
    }
    encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # No word of the data may end the script, or begin a comment or a script in it.
    encoded = encoded.replace("<", r"\u003c")
    ordered = len(choices) == 1 and choices[0].is_range
    play = '<button type="button">Play</button>' if ordered else ""
    controls = "".join(_control(choice) for choice in choices)
    first = escape(frames[0].alt)
    html = (
        '<figure class="olc-figure olc-explorer">'
        f'<div class="olc-controls" hidden>{controls}{play}</div>'
        f'<div class="olc-panels" role="img" aria-label="{first}" '
        f'style="{PANELS_STYLE}">{pictures[0]}</div>'
        f'<p class="olc-says" aria-live="polite">{first}</p>'
        f"<figcaption>{escape(frames[0].caption)}</figcaption>"
        f'<script type="application/json">{encoded}</script>'
        f"<script>{_SCRIPT}</script></figure>"
    )
    return unique_ids(html, *pictures)


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


_SCRIPT = resources.files("olc").joinpath("explorer.js").read_text("utf-8")


# --- the face with Python -----------------------------------------------------------


def _live(
    frame: Callable[[tuple[Any, ...]], Figure],
    choices: Sequence[Choice],
    first: Figure,
) -> Any:
    import ipywidgets

    controls = [_live_control(choice) for choice in choices]
    picture = ipywidgets.HTML(_live_picture(first))

    def redraw(_: Any) -> None:
        values = tuple(
            round(control.value) if choice.is_whole else control.value
            for choice, control in zip(choices, controls, strict=True)
        )
        try:
            picture.value = _live_picture(frame(values))
        except Exception as error:  # an error in a callback would reach no one
            picture.value = f'<p role="alert">{escape(str(error))}</p>'

    for control in controls:
        control.observe(redraw, "value")
    return ipywidgets.VBox([*controls, *_live_play(controls), picture])


def _live_picture(figure: Figure) -> str:
    return f"{figure._repr_html_()}<p>{escape(figure.alt)}</p>"


def _live_control(choice: Choice) -> Any:
    import ipywidgets

    if not choice.is_range:
        return ipywidgets.Dropdown(
            options=list(choice.values.items()), description=choice.title
        )
    values = list(choice.values.values())
    low, high = values[0], values[-1]
    common = {"description": choice.title, "continuous_update": False}
    if _is_geometric(values):
        bottom, top = math.log10(low), math.log10(high)
        return ipywidgets.FloatLogSlider(
            low,
            min=bottom,
            max=top,
            step=(top - bottom) / 10 / (len(values) - 1),
            readout_format=".0f" if choice.is_whole else ".3g",
            **common,
        )
    if choice.is_whole:
        return ipywidgets.IntSlider(low, low, high, **common)
    gap = min(b - a for a, b in itertools.pairwise(values))
    return ipywidgets.FloatSlider(
        low, min=low, max=high, step=gap / 10, readout_format=".3g", **common
    )


def _is_geometric(values: Sequence[float]) -> bool:
    """Whether each value is the one before times the same number, as in 8, 16, 32."""
    if len(values) < 3 or values[0] <= 0:
        return False
    ratios = [b / a for a, b in itertools.pairwise(values)]
    return max(ratios) < 1.01 * min(ratios)


def _live_play(controls: Sequence[Any]) -> list[Any]:
    """Return a play button for a single slider of whole numbers."""
    import ipywidgets

    if len(controls) > 1 or not isinstance(controls[0], ipywidgets.IntSlider):
        return []
    slider = controls[0]
    step = max(1, (slider.max - slider.min) // 30)
    play = ipywidgets.Play(
        value=slider.min, min=slider.min, max=slider.max, step=step, interval=900
    )
    ipywidgets.jslink((play, "value"), (slider, "value"))
    return [play]
