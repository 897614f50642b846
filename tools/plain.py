"""MyST as plain Markdown, which every viewer of notebooks shows.

Theorems and exercises are directives and references are roles in the sources, and only
Sphinx and an extension of JupyterLab can show these. Here they become quotations,
headings, words and links.
"""

from __future__ import annotations

import functools
import itertools
import re
import string
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.anchors.index import slugify
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from tools import book

PARSER = (
    MarkdownIt("commonmark")
    .enable("table")
    .use(amsmath_plugin)
    .use(colon_fence_plugin)
    .use(dollarmath_plugin)
    .use(myst_block_plugin)
    .disable(["inline", "text_join"])  # blocks are enough
)


# --- Markdown -----------------------------------------------------------------


@functools.cache  # the two editions share most of their text
def plain(markdown: str, chapter: str = "") -> str:
    """Return MyST as plain Markdown with formulas.

    `chapter` is the notebook that it comes from, such as "winnow"; references to other
    chapters lead to notebooks beside it.

    >>> plain("{doc}`winnow` comes after {doc}`the Perceptron <perceptron>`.")
    '[Winnow](winnow.ipynb) comes after [the Perceptron](perceptron.ipynb).'
    """
    lines = markdown.split("\n")
    for token in reversed(PARSER.parse(markdown)):  # so that the maps stay right
        if not token.map:
            continue
        start, end = token.map
        old = "\n".join(lines[start:end])
        if token.type == "inline":
            new = _words(old, chapter)
        else:
            new = _block(token, old, chapter)
            if new is None:
                continue
            margin = old[: len(old) - len(old.lstrip())]  # of a list
            new = textwrap.indent(new, margin)
        lines[start:end] = new.split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _block(token: Token, old: str, chapter: str) -> str | None:
    """Return what takes the place of a block, or None if it may stay as it is."""
    if token.type == "heading_open":
        place = slugify(old.strip("# "))
        return _anchor(place) + old if place in _linked() else None
    if token.type == "myst_target":
        return _anchor(token.content)
    if token.type == "myst_line_comment":
        return ""
    if token.type in ("math_block", "math_block_label"):
        # On one line, or the marks of a quotation would get into the formula.
        return f"$${' '.join(token.content.split())}$$"
    if token.type == "amsmath":
        formula = re.sub(r"(\\(?:begin|end))\{\w+\*?\}", r"\1{aligned}", token.content)
        return f"$${' '.join(formula.split())}$$"
    box = directive(token)
    return _box(box, chapter) if box else None


class Directive(NamedTuple):
    """A fence such as ```{prf:theorem} Title, with its options and its content."""

    name: str
    title: str
    options: dict[str, str]
    body: str


def directive(token: Token) -> Directive | None:
    """Return the directive that a token is, if it is one."""
    found = re.match(r"\{([\w:-]+)\}\s*(.*)", token.info)
    if token.type not in ("fence", "colon_fence") or not found:
        return None
    head = re.match(r"(?:[ \t]*:[\w-]+:.*\n)*", token.content)
    assert head is not None
    options = dict(re.findall(r":([\w-]+):\s*(.*)", head[0]))
    return Directive(found[1], found[2].strip(), options, token.content[head.end() :])


_DROPPED = ("exercise-end", "solution-start", "solution-end")


def _box(box: Directive, chapter: str) -> str:
    """Return a directive as plain Markdown."""
    if box.name in _DROPPED:
        return ""
    if box.name == "list-table":
        return _table(plain(box.body, chapter))
    body = plain(box.body, chapter)
    if box.name == "div":
        return body
    if box.name == "dropdown":
        return folded(box.title, body)
    if box.name == "prf:proof":
        return f"*Proof.* {body}" + ("\n\n∎" if body.endswith("$$") else " ∎")
    if box.name == "dropdown":
        return folded(box.title, body)
    if box.name == "solution":
        return folded(f"Solution of {labels()[box.title].words}", body)
    name = box.options.get("label", "")
    label = labels().get(name)
    title = _words(box.title, chapter)
    if box.name in ("exercise", "exercise-start"):
        words = label.words if label else "Exercise"
        return f"{_anchor(name)}### {words} ({title})\n\n{body}"
    if label:
        title = f"{label.words} ({title})" if title else label.words
    title = title or box.name.removeprefix("prf:").capitalize()
    text = f"{_anchor(name).strip()}**{title}.**\n\n{body}"
    return textwrap.indent(text, "> ", lambda line: True)


def _anchor(name: str) -> str:
    """Return what a link leads to, in a notebook."""
    return f'<a id="{name}"></a>\n\n' if name else ""


def _table(rows: str) -> str:
    """Return the items of a list-table as a table of Markdown."""
    # A bar would end the cell, in a formula too.
    rows = rows.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
    table = [re.split(r"\n\s+- ", row) for row in re.split(r"(?m)^\* - ", rows)[1:]]
    table.insert(1, ["---"] * len(table[0]))
    return "\n".join(
        f"| {' | '.join(' '.join(cell.split()) for cell in row)} |" for row in table
    )


def folded(summary: str, body: str) -> str:
    """Return a text that is unfolded by a click, in every viewer."""
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


# --- references ---------------------------------------------------------------

_ROLE = re.compile(r"\{([\w:]+)\}`([^`<]*?)\s*(?:<([^`>]+)>)?`")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


class Label(NamedTuple):
    """What a reference leads to: a chapter, and the words if none are given."""

    chapter: str
    words: str


def _words(text: str, chapter: str) -> str:
    """Return a text with its roles and links made plain."""

    def role(found: re.Match[str]) -> str:
        _, words, target = found.groups()
        words, target = (words, target) if target else ("", words)
        label = labels().get(target)
        if label is None or not (words := words or label.words):
            raise book.Failure(f"{chapter}: no words are known for {found[0]}")
        if not label.chapter:  # a page that is no notebook
            return words
        file = f"{label.chapter}.ipynb" if label.chapter != chapter else ""
        place = f"#{target}" if target != label.chapter else ""
        return f"[{words}]({file}{place})" if file or place else words

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        if target[1:] in _bibliography().entries:
            target = _address(target[1:])
        elif target.endswith(".md"):  # pages of the book, no notebooks
            target = ""
        return f"[{words}]({target})" if target else words

    return _ROLE.sub(role, _LINK.sub(link, text))


@functools.cache
def _linked() -> set[str]:
    """Return the places that links between the chapters lead to."""
    texts = (path.read_text(encoding="utf-8") for path in book.notebooks())
    return {
        place for text in texts for place in re.findall(r"\]\([\w.]*#([^)]+)\)", text)
    }


@functools.cache
def labels() -> dict[str, Label]:
    """Return all that can be referred to, with the numbers that the pages give."""
    found: dict[str, Label] = {}
    counts: Counter[tuple[str, str]] = Counter()
    numbers = _numbers()
    for path in book.notebooks():
        name, pending = path.stem, []
        for before, token in itertools.pairwise(_tokens(path)):
            if token.type == "myst_target":
                found[token.content] = Label(name, "")
                pending.append(token.content)
            elif token.tag == "h1" and token.nesting == 1:
                pending.append(name)
            elif before.type == "heading_open":  # the words that follow a target
                found |= dict.fromkeys(pending, Label(name, token.content))
            elif token.type != "heading_open":
                pending = []
            if (box := directive(token)) and "label" in box.options:
                kind = re.sub(r"prf:|-start", "", box.name).capitalize()
                number = numbers.get(name, "")
                counts[number, kind] += 1
                words = f"{kind} {number}{counts[number, kind]}"
                found[box.options["label"]] = Label(name, words)
    for path in book.BOOK.glob("*.md"):
        title = path.read_text(encoding="utf-8").split("\n", 1)[0]
        found[path.stem] = Label("", f"*{title.lstrip('# ')}*")
    return found


def _tokens(path: Path) -> Iterator[Token]:
    yield Token("start", "", 0)
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for token in PARSER.parse(cell.source):
                yield token
                if (box := directive(token)) and box.name == "dropdown":
                    yield from PARSER.parse(box.body)


def _numbers() -> dict[str, str]:
    """Return the numbers of the pages: "8." for winnow, and letters for appendices."""
    toc = (book.ROOT / "_toc.yml").read_text(encoding="utf-8")
    chapters, letters = itertools.count(1), iter(string.ascii_uppercase)
    found = {}
    for part in toc.split("- caption:"):
        if "numbered: " in part:
            signs = letters if "style: alphaupper" in part else map(str, chapters)
            names = re.findall(r"file: book/(\w+)", part)
            found |= {name: f"{next(signs)}." for name in names}
    return found


@functools.cache
def _bibliography() -> Any:
    from pybtex.database import parse_file

    return parse_file(str(book.BOOK / "references.bib"))


@functools.cache
def references() -> dict[str, str]:
    """Return every publication as an item of a list."""
    from pybtex.backends.markdown import Backend
    from pybtex.style.formatting.unsrt import Style

    items = {}
    for entry in Style().format_entries(_bibliography().entries.values()):
        text = " ".join(entry.text.render(Backend()).split())
        # Some backslashes are not needed.
        items[entry.key] = "- " + re.sub(r"\\([.()-])", r"\1", text)
    return items


def _address(key: str) -> str:
    """Return where a publication is on the web, if that is known."""
    fields = _bibliography().entries[key].fields
    if "doi" in fields:
        return f"https://doi.org/{fields['doi']}"
    return fields.get("url", "")
