"""An extension of IPython: figures and explorers have a PNG too.

The pages and a live notebook show SVG, which follows the page; a notebook that is
handed out needs a picture that every viewer shows before a cell is run.
"""

from __future__ import annotations

import io
from typing import Any

DPI = 130  # sharp enough on paper
ACROSS = 2  # panels: more would not fit into the width of a notebook
COLOURS = 64  # so that a picture has about 12 kB


def load_ipython_extension(shell: Any) -> None:
    """Register the pictures without importing what draws them."""
    png = shell.display_formatter.formatters["image/png"]
    png.for_type_by_name("olc_book.plots._figure", "Figure", picture)
    png.for_type_by_name("olc_book.widgets", "Explorer", frame)
    png.for_type_by_name("olc_book.labs", "Lab", lambda lab: picture(lab.still))


def frame(explorer: Any) -> tuple[bytes, dict[str, Any]]:
    """Return the frame at which an explorer opens."""
    return picture(explorer.frames[explorer.shown])


def picture(figure: Any) -> tuple[bytes, dict[str, Any]]:
    """Return the panels two by two, with what they find and their width on a page."""
    from PIL import Image

    panels = []
    for drawing in figure.drawings:
        panels.append(io.BytesIO())
        how: Any = {"bbox_inches": "tight", "pil_kwargs": {"compress_level": 1}}
        drawing.savefig(panels[-1], format="png", dpi=DPI, facecolor="white", **how)
    images = [Image.open(panel) for panel in panels]
    wide, high = max(i.width for i in images), max(i.height for i in images)
    columns = min(len(images), ACROSS)
    rows = -(-len(images) // ACROSS)
    whole = Image.new("RGB", (wide * columns, high * rows), "white")
    for number, image in enumerate(images):
        row, column = divmod(number, ACROSS)
        whole.paste(image, (wide * column, high * row))
    buffer = io.BytesIO()
    whole.quantize(COLOURS, dither=Image.Dither.NONE).save(buffer, "PNG")
    return buffer.getvalue(), {
        "alt": figure.alt,
        "width": round(whole.width * 96 / DPI),
    }
