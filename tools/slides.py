"""A deck of slides for each chapter: python -m tools.slides

A cell of a chapter with the tag `slide` is in its deck: a figure, a lab, an explorer,
or code with what it prints; of a text its boxes, and a proof step by step. The first
cell gives the question, the one with *To remember* its list. All is taken from the
built page, so a deck has the formulas, pictures and numbers of the book, and its labs
can be played.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
from bs4 import BeautifulSoup

from tools import book

SLIDES = book.HTML / "slides"
REVEAL = ("dist/reveal.js", "dist/reveal.css", "LICENSE")
BARE = "details, button.copybtn, a.headerlink"
BOX = "div.proof.admonition"
PRINTED = r"(?m)^`{3,}\{prf:\w+\}.*(?:\n:label: (\S+))?"
SCRIPTS = re.compile(r"window\.MathJax|mathjax/startup\.js|/book\.js|_static/labs/")


def main() -> None:
    """Make the deck of every chapter with tagged cells, and a page that lists them."""
    book.update()
    make()


def make() -> None:
    """Write the decks, their list and the files of reveal.js beside the pages."""
    decks = {path.stem: deck for path in book.notebooks() if (deck := make_deck(path))}
    shutil.rmtree(SLIDES, ignore_errors=True)
    SLIDES.mkdir()
    source = files("sphinx_revealjs") / "_static" / "revealjs"
    for name in REVEAL:
        (SLIDES / Path(name).name).write_bytes((source / name).read_bytes())
    for own in ("slides.css", "slides.js"):
        shutil.copy(Path(__file__).with_name(own), SLIDES)
    for name, deck in decks.items():
        (SLIDES / f"{name}.html").write_text(deck, encoding="utf-8")
    titled = {name: deck.split("title>")[1][:-2] for name, deck in decks.items()}
    links = (f'<li><a href="{name}.html">{of}</a>' for name, of in titled.items())
    page = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Slides</title>'
    page += f"<h1>Slides</h1><ul>{''.join(links)}</ul></html>"
    (SLIDES / "index.html").write_text(page, encoding="utf-8")
    print(f"Open {(SLIDES / 'index.html').relative_to(book.ROOT)}: {len(decks)} decks")


def make_deck(path: Path) -> str:
    """Return the deck of a notebook as a page; empty if no cell has the tag."""
    source = (book.HTML / "book" / f"{path.stem}.html").read_text(encoding="utf-8")
    page = BeautifulSoup(source, "html.parser")
    for link in page.article.select("a[href]"):  # they lead to the book
        here = f"{path.stem}.html" if link["href"].startswith("#") else ""
        if not urlsplit(link["href"]).scheme:
            link["href"] = f"../book/{here}{link['href']}"
    slides = list(slides_of(nbformat.read(path, as_version=4), page.article))
    if not slides:
        return ""
    styles = [str(link) for link in page.select("head link[rel=stylesheet]")]
    scripts = [str(tag) for tag in page.head("script") if SCRIPTS.search(str(tag))]
    title = escape(page.title.text.partition(" — ")[0])
    sections = "".join(f"<section><div>{slide}</div></section>" for slide in slides)
    return f"""<!DOCTYPE html><html lang="en" data-theme="light"><head>
      <meta charset="utf-8"><title>{title}</title>{"".join(styles)}
      <link rel="stylesheet" href="reveal.css"><link rel="stylesheet" href="slides.css">
      <script>const DOCUMENTATION_OPTIONS = {{}};</script>{"".join(scripts)}
      <script src="reveal.js"></script></head><body><main class="reveal">
      <div class="slides bd-content tex2jax_ignore mathjax_ignore">{sections}</div>
      </main><script src="slides.js"></script></body></html>"""


def slides_of(notebook: Any, article: Any) -> Iterator[str]:
    """Yield the inside of each slide."""
    outputs = iter(article.select("div.cell"))
    boxes, gate = article.select(BOX), "end"
    for cell in notebook.cells:
        tagged = "slide" in cell.metadata.get("tags", [])
        if cell.cell_type == "code":
            if gate == "start" and not book.SOLUTIONS:
                continue  # it is not on the page
            shown = next(outputs)
            if tagged:  # of a figure not the code that draws it
                figure = shown.select_one(".cell_output:has(figure)")
                yield slide(figure or shown)
            continue
        gate = [gate, *re.findall(r"\{solution-(start|end)\}", cell.source)][-1]
        for label in re.findall(PRINTED, cell.source):
            # Boxes follow each other as in the source; a proof has no label.
            while not (boxes[0]["id"] == label if label else is_proof(boxes[0])):
                del boxes[0]
            if tagged:
                yield slide(boxes[0])
            del boxes[0]
        if tagged and re.search("(?m)^# ", cell.source):
            yield f"{clean(article.h1)}{clean(article.h1.find_next('p'))}"
        if tagged and "## To remember" in cell.source:
            yield slide(article.select_one("#to-remember ul"))


def is_proof(box: Any) -> bool:
    """Whether a box is a proof: these alone have no title."""
    return box.find(class_="admonition-title", recursive=False) is None


def slide(thing: Any) -> str:
    """Return something of a page below the title of its section."""
    heading = thing.find_parent("section").find(re.compile("h[1-6]"))
    for number in heading.select(".section-number, .headerlink"):
        number.extract()
    if "proof" in thing.get("class", []) and is_proof(thing):
        step = 0
        for part in thing.select("li") or thing.find_all(recursive=False):
            strong = part.find("strong")
            step += part.name == "li" or bool(strong and strong.text[0].isdigit())
            part["class"] = [*part.get("class", []), "part"]
            if part.name == "li":  # it keeps its number where the list is divided
                part["value"] = str(step)
            if step > 1:
                part["class"].append("fragment")
                part["data-fragment-index"] = str(step)
    return f"<h2>{heading.decode_contents()}</h2>{clean(thing)}"


def clean(thing: Any) -> str:
    """Return the HTML of something without what is folded."""
    for part in thing.select(BARE):
        part.extract()
    return str(thing)


if __name__ == "__main__":
    main()
