"""The figures of the book: one style, one vocabulary, one module per chapter.

A drawing function opens axes with `panel` or `panels`, draws with the words of the
`kit` (or with matplotlib's own, in a `look` of the book), and returns a `Figure` that
keeps its numbers. Importing this package sets matplotlib's defaults to the book's
style, as one matplotlibrc would.
"""

# ruff: noqa: E402 - what is missing is named before it is used

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from olc.core.check import optional_import

optional_import("matplotlib", "pandas")

from olc_book.plots import kit
from olc_book.plots._figure import COLOURS, INK, Figure, colour, look, panel, panels
from olc_book.plots._game import ledger_figure, replay_frame

__all__ = [
    "COLOURS",
    "INK",
    "Figure",
    "colour",
    "kit",
    "ledger_figure",
    "look",
    "panel",
    "panels",
    "replay_frame",
]


def __getattr__(name: str) -> ModuleType:
    """Return the figures of a chapter, which are imported when they are asked for."""
    try:
        return import_module(f"olc_book.plots.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"there are no figures of a chapter {name!r}") from None
