"""A Sphinx extension for the page of the package, which is made of its docstrings.

The line ``.. learners::`` becomes the modules of all learners that the page does not
name itself, in the order of their chapters: a new learner is described by itself.

A docstring names an algorithm or a theorem as the chapters do, {prf:ref}`alg-winnow`.
Docstrings are reStructuredText, in which the same role is written with colons. The link
says "Algorithm" or "Theorem" itself, so the docstring's own word goes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

TOC = Path(__file__).resolve().parent.parent / "_toc.yml"


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", _link_to_boxes)
    app.connect("source-read", _describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _link_to_boxes(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    text = "\n".join(lines)
    box = r"(?:(?:Algorithm|Theorem)\s+)?\{prf:ref\}(`[^`]+`)"
    lines[:] = re.sub(box, r":prf:ref:\1", text).split("\n")


def _describe(app: Any, docname: str, source: list[str]) -> None:
    if ".. learners::" in source[0]:
        source[0] = described(source[0])


def described(page: str) -> str:
    """Return the text of a page, with the modules of the learners in their place."""
    import olc

    chapters = re.findall(r"book/(\w+)", TOC.read_text("utf-8"))
    named = re.findall(r"(?m)^\.\. auto\w+:: olc\.([\w.]+)", page)
    modules = {
        thing.__module__.removeprefix("olc.")
        for thing in vars(olc).values()
        if isinstance(thing, type) and issubclass(thing, olc.Learner)
    } - set(named)
    # a module without a chapter of its name stands last
    order = sorted(modules, key=lambda name: ([*chapters, name].index(name), name))
    lines = [f".. automodule:: olc.{name}" for name in order]
    return re.sub(r"(?m)^\.\. learners::$", "\n".join(lines), page)
