"""How long the chapters are: python -m tools.book words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import nbformat

from tools import book

RULES = (  # what is replaced, and by what
    (r"(?ms)^```\w+\n.*?^```$", ""),  # a block of code
    # The frame of a box, a target, a comment.
    (r"(?m)^`{3,}(\{.*?\})?|^:[\w-]+:.*|^\(.*\)=$|^%.*", ""),
    (r"(?s)\$\$.*?\$\$|\$[^$]*\$", "F"),  # a formula is one word
    (r"\{[\w:]+\}`(.*?)(?:\s<[^>]*>)?`", r"\1"),  # a role, with its words
    (r"`[^`\n]*`", "C"),
    (r"\]\([^)]*\)", "]"),  # where a link leads
)


def count(markdown: str) -> int:
    """Return how many words a text has; a formula is one, and code is none.

    >>> count("An *online* learner, {doc}`this one <winnow>`, errs $2 k$ times.")
    8
    """
    for pattern, new in RULES:
        markdown = re.sub(pattern, new, markdown)
    return sum(any(map(str.isalnum, word)) for word in markdown.split())


def body(path: Path) -> str:
    """Return the text of a chapter before its exercises, without its sources."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return re.split(r"(?m)^## (?:Exercises|Sources)$", text)[0]


def show(chapters: Sequence[Path]) -> None:
    """Print the words of each body, and the screens that it fills on the built page."""
    tall = screens(chapters)
    print("words  screens  chapter")
    for path in chapters:
        print(f"{count(body(path)):5}  {tall.get(path, '-'):>7}  {path.stem}")


def screens(chapters: Sequence[Path]) -> dict[Path, str]:
    """Return how many screens of 1280 × 900 each body fills, in a browser."""
    pages = {
        path: page
        for path in chapters
        if (page := book.HTML / "book" / f"{path.stem}.html").exists()
    }
    if not pages or not book.find_browser():
        return {}
    bottom = """MathJax.startup.promise.then(() => {
      const end = document.querySelector("#exercises, #sources");
      return end ? end.getBoundingClientRect().top : document.body.scrollHeight;
    })"""
    found = {}
    with book.browsing() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        for path, page in pages.items():
            tab.goto(page.as_uri())
            found[path] = f"{tab.evaluate(bottom) / 900:.1f}"
    return found
