"""A Sphinx extension: under a figure is one quiet line, *code · numbers · save*.

The code that draws a figure is folded above it and its numbers below it, as a notebook
has them. On a page both come after the picture, in the order in which they are read
and reached with the keyboard; book.css puts them on one line, and book.js adds what
needs a script, to save the picture.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-resolved", _line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


_NUMBERS = re.compile(r"<summary[^>]*>The numbers behind this figure(.*?)</summary>")


def _line(app: Any, doctree: Any, page: str) -> None:
    for output in list(doctree.findall(nodes.raw)):
        cell: Any = output.parent
        while cell and "cell" not in cell["classes"]:
            cell = cell.parent
        if not cell or '<figure class="olc-figure' not in output.astext():
            continue
        cell["classes"].append("olc-drawn")
        text = _NUMBERS.sub(r"<summary>numbers\1</summary>", output.astext())
        output.replace_self(nodes.raw("", text, format="html"))
        for code in list(cell.findall(HideCodeCellNode)):
            code["prompt_show"] = code["prompt_hide"] = "code"
            cell.remove(code)
            cell.append(code)
