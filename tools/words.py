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
    """Print the words of each body, its screens, and how far its pictures are apart."""
    seen = measured(chapters)
    print("words  screens  apart  chapter")
    for path in chapters:
        tall, apart = seen.get(path, ("-", "-"))
        print(f"{count(body(path)):5}  {tall:>7}  {apart:>5}  {path.stem}")


# From the top of the page over each picture to the end of the body, in pixels.
MEASURE = """MathJax.startup.promise.then(() => {
  const last = document.querySelector("#exercises, #sources");
  const end = last ? last.getBoundingClientRect().top : document.body.scrollHeight;
  const pictures = [...document.querySelectorAll("figure")].filter(
    (one) => one.offsetHeight && !one.parentElement.closest("figure"),
  );
  let apart = 0;
  let seen = 0;
  for (const { top, bottom } of pictures.map((one) => one.getBoundingClientRect())) {
    if (top > end) continue;
    apart = Math.max(apart, top - seen);
    seen = bottom;
  }
  return [end, Math.max(apart, end - seen)];
})"""


def measured(chapters: Sequence[Path]) -> dict[Path, list[str]]:
    """Return the height of each body and its longest way without a picture.

    Both are in screens of 1280 × 900, as a browser lays them out.
    """
    pages = {
        path: page
        for path in chapters
        if (page := book.HTML / "book" / f"{path.stem}.html").exists()
    }
    if not pages or not book.find_browser():
        return {}
    found = {}
    with book.browsing() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        for path, page in pages.items():
            tab.goto(page.as_uri())
            found[path] = [f"{pixels / 900:.1f}" for pixels in tab.evaluate(MEASURE)]
    return found
