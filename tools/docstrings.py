"""A Sphinx extension: links from the package's docstrings to the boxes of the book.

A docstring names an algorithm or a theorem as the chapters do, {prf:ref}`alg-winnow`.
Docstrings are reStructuredText, in which the same role is written with colons. The link
says "Algorithm" or "Theorem" itself, so the docstring's own word goes.
"""

from __future__ import annotations

import re
from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", _link_to_boxes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _link_to_boxes(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    text = "\n".join(lines)
    box = r"(?:(?:Algorithm|Theorem)\s+)?\{prf:ref\}(`[^`]+`)"
    lines[:] = re.sub(box, r":prf:ref:\1", text).split("\n")
