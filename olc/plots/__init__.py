"""The figures of the book: one style, one module per chapter.

A drawing function opens axes with `panel` or `panels`, draws, and returns a
`Figure`. Importing this package sets matplotlib's defaults to the book's style, as
one matplotlibrc would.
"""

from __future__ import annotations

from olc.plots._figure import (
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    INK,
    OCHRE,
    PURPLE,
    VERMILION,
    Figure,
    colour,
    look,
    panel,
    panels,
)
from olc.plots._game import ledger_figure, replay_frame

__all__ = [
    "BLUE",
    "COLOURS",
    "GREEN",
    "GREY",
    "INK",
    "OCHRE",
    "PURPLE",
    "VERMILION",
    "Figure",
    "colour",
    "ledger_figure",
    "look",
    "panel",
    "panels",
    "replay_frame",
]
