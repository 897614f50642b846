"""Write the chapters as plain notebooks: python -m tools.export

The sources are MyST: theorems, exercises and references are directives and roles, which
only Sphinx and an extension of JupyterLab can show. What is written here needs nothing
but Markdown and $formulas$, so it reads well in plain JupyterLab, VS Code, Colab and on
GitHub. There are two editions, in two folders of _build/notebooks: students, without
the solutions, and solutions, where they are folded. Every figure is there as a picture
before a cell is run.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import re
import shutil
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import book

_PARSER = (
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
    for token in reversed(_PARSER.parse(markdown)):  # so that the maps stay right
        if not token.map:
            continue
        start, end = token.map
        old = "\n".join(lines[start:end])
        if token.type == "inline":
            new = _words(old, chapter)
        else:
            new = _block(token, chapter)
            if new is None:
                continue
            margin = old[: len(old) - len(old.lstrip())]  # of a list
            new = textwrap.indent(new, margin)
        lines[start:end] = new.split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _block(token: Token, chapter: str) -> str | None:
    """Return what takes the place of a block, or None if it may stay."""
    if token.type == "myst_target":
        return _anchor(token.content)
    if token.type in ("math_block", "math_block_label"):
        # On one line, or the marks of a quotation would get into the formula.
        return f"$${' '.join(token.content.split())}$$"
    if token.type == "amsmath":
        formula = re.sub(r"(\\(?:begin|end))\{\w+\*?\}", r"\1{aligned}", token.content)
        return f"$${' '.join(formula.split())}$$"
    if directive := _directive(token):
        return _box(directive, chapter)
    return None


class Directive(NamedTuple):
    """A fence such as ```{prf:theorem} Title, with its options and its content."""

    name: str
    title: str
    options: dict[str, str]
    body: str


def _directive(token: Token) -> Directive | None:
    found = re.match(r"\{([\w:-]+)\}\s*(.*)", token.info)
    if token.type not in ("fence", "colon_fence") or not found:
        return None
    head = re.match(r"(?:[ \t]*:[\w-]+:.*\n)*", token.content)
    assert head is not None
    options = dict(re.findall(r":([\w-]+):\s*(.*)", head[0]))
    return Directive(found[1], found[2].strip(), options, token.content[head.end() :])


_DROPPED = ("exercise-end", "solution-start", "solution-end")


def _box(box: Directive, chapter: str) -> str:
    if box.name in _DROPPED:
        return ""
    if box.name == "list-table":
        return _table(plain(box.body, chapter))
    body = plain(box.body, chapter)
    if box.name == "div":
        return body
    if box.name == "prf:proof":
        return f"*Proof.* {body}" + ("\n\n∎" if body.endswith("$$") else " ∎")
    if box.name == "solution":
        return _folded(f"Solution of {labels()[box.title].words}", body)
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


def _folded(summary: str, body: str) -> str:
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
def labels() -> dict[str, Label]:
    """Return all that can be referred to, with the numbers that the pages give."""
    found: dict[str, Label] = {}
    counts: Counter[tuple[str, str]] = Counter()
    numbers = _numbers()
    for path in book.notebooks():
        name, pending = path.stem, []
        for token, after in itertools.pairwise(_tokens(path)):
            if token.type == "myst_target":
                found[token.content] = Label(name, "")
                pending.append(token.content)
            elif (
                token.type == "heading_open"
            ):  # what has its name above it, or its file
                pending += [name] * (token.tag == "h1")
                found |= dict.fromkeys(pending, Label(name, after.content))
                pending = []
            else:  # the target of a figure
                pending = []
            if (box := _directive(token)) and "label" in box.options:
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
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            yield from _PARSER.parse(cell.source)


def _numbers() -> dict[str, str]:
    """Return the numbers of the chapters, "8." for winnow; appendices have none."""
    toc = (book.ROOT / "_toc.yml").read_text(encoding="utf-8")
    parts = [part for part in toc.split("- caption:") if "numbered: true" in part]
    files = re.findall(r"file: book/(\w+)", "".join(parts))
    return {name: f"{number}." for number, name in enumerate(files, start=1)}


@functools.cache
def _bibliography() -> Any:
    from pybtex.database import parse_file

    return parse_file(str(book.BOOK / "references.bib"))


@functools.cache
def _references() -> dict[str, str]:
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


# --- notebooks ----------------------------------------------------------------

EDITIONS = ("students", "solutions")
_HIDDEN = {"jupyter": {"source_hidden": True}}
_FOLDED = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}
_SETUP = """\
try:
    from olc import play
except ImportError:
    raise ImportError(
        "This notebook needs the package of the book: type %pip install "
        "'{wheel}[all]', or open it with make lab in "
        "the folder of the book.") from None"""


def main() -> None:
    """Write both editions of all chapters."""
    for files in write():
        size = sum(path.stat().st_size for path in files) / 1e6
        folder = files[0].parent.relative_to(book.ROOT)
        print(f"{folder}: {len(files)} notebooks, {size:.1f} MB")


def write() -> list[list[Path]]:
    """Write all chapters as they ran, each edition into a folder of its own."""
    shutil.rmtree(book.BUILD / "notebooks", ignore_errors=True)
    cache, paths = book.open_cache(), book.notebooks()
    book.run([path for path in paths if not book.cached(cache, path)])
    written: list[list[Path]] = [[] for _ in EDITIONS]
    for path in paths:
        _, ran = cache.merge_match_into_notebook(nbformat.read(path, as_version=4))
        for edition, files in zip(EDITIONS, written, strict=True):
            target = book.BUILD / "notebooks" / edition / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            notebook = export(ran, path.stem, solutions=edition == "solutions")
            nbformat.write(notebook, target)
            files.append(target)
    return written


def publish() -> None:
    """Put the notebooks into the site, and the buttons that download them on its pages.

    The second edition is winnow-solutions.ipynb: downloads have no folders.
    """
    for students, solutions in zip(*write(), strict=True):
        page = book.HTML / "book" / f"{students.stem}.html"
        buttons = _offer(students, students.name, ".ipynb", "Download the notebook")
        if solutions.read_bytes() != students.read_bytes():
            name = f"{solutions.stem}-solutions.ipynb"
            buttons += _offer(
                solutions, name, "with solutions", "Download the solutions"
            )
        old = r'(?s)<li><a href="[./]*_sources/book/\w+\.ipynb".*?</li>'
        page.write_text(
            re.sub(old, buttons, page.read_text(encoding="utf-8")), encoding="utf-8"
        )


def _offer(path: Path, name: str, words: str, title: str) -> str:
    """Copy a notebook into the site, and return the button that downloads it."""
    folder = book.HTML / "notebooks"
    folder.mkdir(exist_ok=True)
    shutil.copy(path, folder / name)
    # A page that is opened from disk may run its neighbours, but not read them.
    data = json.dumps([name, path.read_text(encoding="utf-8")], ensure_ascii=False)
    (folder / f"{name}.js").write_text(f"olcDownload(...{data})", encoding="utf-8")
    return f"""\
<li><a href="../notebooks/{name}" download title="{title}"
   class="btn btn-sm btn-download-source-button dropdown-item"
   data-bs-placement="left" data-bs-toggle="tooltip">
<span class="btn__icon-container"><i class="fas fa-file"></i></span>
<span class="btn__text-container">{words}</span></a></li>
"""


def export(ran: Any, chapter: str, *, solutions: bool) -> Any:
    """Return a chapter that ran as a plain notebook, with or without its solutions."""
    cells: list[Any] = []
    solved = ""  # the exercise whose solution this is
    for cell in ran.cells:
        if cell.cell_type == "code":
            if solutions or not solved:
                cells.append(_code(cell, folded=bool(solved)))
            continue
        for number, (part, now) in enumerate(_parts(cell.source, solved)):
            solved = now
            source = plain(part, chapter)
            if solved and not solutions:
                continue
            if solved:
                title = f"Solution of {labels()[solved].words}"
                title += ", continued" if number == 0 else ""
                # Without a text it begins with the next cell.
                source = _folded(title, source) if source else f"**{title}**"
            if source:
                name = f"{cell.id}-{number}" if number else cell.id
                cells.append(new_markdown_cell(source, id=name))
    setup = new_code_cell(_SETUP.format(wheel=_wheel()), metadata=_HIDDEN)
    setup.id = f"{chapter}-setup"
    cells.insert([cell.cell_type for cell in cells].index("code"), setup)
    text = "".join(cell.source for cell in ran.cells)
    cited = [item for key, item in _references().items() if f"](#{key})" in text]
    if cited:
        source = "\n".join(["## References\n", *cited])
        cells.append(new_markdown_cell(source, id=f"{chapter}-references"))
    return new_notebook(cells=cells, metadata=book.METADATA)


def _parts(source: str, solved: str) -> Iterator[tuple[str, str]]:
    """Part a text where a solution begins or ends, and say which exercise it solves."""
    lines, start = source.split("\n"), 0
    for token in _PARSER.parse(source):
        box = _directive(token)
        if token.map and box and box.name in ("solution-start", "solution-end"):
            yield "\n".join(lines[start : token.map[0]]), solved
            start, solved = token.map[1], box.title
    yield "\n".join(lines[start:]), solved


def _code(cell: Any, *, folded: bool) -> Any:
    """Return a code cell with outputs that every viewer shows."""
    cell = copy.deepcopy(cell)
    cell.metadata.pop("execution", None)
    if folded or "hide-input" in cell.metadata.get("tags", []):
        cell.metadata |= _FOLDED if folded else _HIDDEN
    cell.outputs = [new for old in cell.outputs for new in _outputs(old)]
    return cell


def _outputs(output: Any) -> Iterator[Any]:
    """Yield an output, or the picture, the caption and the numbers of a figure."""
    data = output.get("data", {})
    data.pop("application/vnd.jupyter.widget-view+json", None)
    if "image/png" not in data:
        yield output
        return
    # SVG in HTML would be preferred to the picture, and shown by some viewers only.
    _, caption, numbers = re.split(
        r"(?s)^.*<figcaption>(.*)</figcaption>.*</figure>", data.pop("text/html")
    )
    if data["text/plain"].startswith("Explorer"):
        caption += " <em>(Run the cell to move the controls.)</em>"
    yield output
    # Few viewers read out the alternative text of a picture.
    found = escape(output.metadata["image/png"]["alt"])
    words = f"<details><summary>The figure in words</summary>{found}</details>"
    html = f"<p>{caption}</p>{words}{numbers}"
    yield new_output("display_data", {"text/html": html, "text/plain": found})


def _wheel() -> str:
    text = (book.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    name = project["name"].replace("-", "_")
    return f"{name}-{project['version']}-py3-none-any.whl"


if __name__ == "__main__":
    main()
