"""The figures of the book: one style, one vocabulary, one module per chapter.

A drawing function opens axes with `panel` or `panels`, draws with the words below (or
with matplotlib's own, in a `look` of the book), and returns a `Figure` that keeps its
numbers. Importing this package sets matplotlib's defaults to the book's style, as one
matplotlibrc would.
"""

# ruff: noqa: E402 - what is missing is named before it is used

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from olc.core.extras import need

need("matplotlib", extra="plots")
need("pandas", extra="plots")

from olc.show.plots._figure import (
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
    readable,
)
from olc.show.plots._game import ledger_figure, replay_frame
from olc.show.plots._vocabulary import (
    arrow,
    band,
    bands,
    bars,
    boundary,
    envelope,
    examples,
    legend_above,
    legend_panel,
    log_axis,
    plane,
    plural,
    points,
    running,
    stems,
)

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
    "arrow",
    "band",
    "bands",
    "bars",
    "boundary",
    "colour",
    "envelope",
    "examples",
    "ledger_figure",
    "legend_above",
    "legend_panel",
    "log_axis",
    "look",
    "panel",
    "panels",
    "plane",
    "plural",
    "points",
    "readable",
    "replay_frame",
    "running",
    "stems",
]


def __getattr__(name: str) -> ModuleType:
    """Return the figures of a chapter, which are imported when they are asked for."""
    try:
        return import_module(f"olc.show.plots.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"there are no figures of a chapter {name!r}") from None
