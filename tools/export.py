"""Write the chapters as notebooks to hand out: python -m tools.export [folder]

They need nothing but Markdown and $formulas$, so they read well in plain JupyterLab, VS
Code, Colab and on GitHub. There are two editions, in two folders of _build/notebooks:
students, without the solutions, and solutions, where they are folded. Every figure is
there as a picture before a cell is run.

The text of a solution is folded by every viewer. Its code is a cell that runs, and is
folded where source_hidden counts: in JupyterLab and Notebook 7. VS Code keeps no folded
cell in a file, and GitHub and nbconvert ignore the mark, so there the code is open. For
those who should not see it there is the other edition.

With a folder the students' edition is handed out there, for a reader to work in. What
the reader has changed is never overwritten: what is new comes to stand beside it.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import olc
from olc_book.exercises import core
from tools import book
from tools.plain import PARSER, directive, folded, labels, plain, references

EDITIONS = ("students", "solutions")
_HIDDEN = {"jupyter": {"source_hidden": True}}
_FOLDED = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}
_TITLE = re.compile(r'#+ (.+)|> <a id="ex-[^"]*"></a>\*\*(.+?)\.?\*\*')
_SETUP = """\
try:
    from olc import play
except ImportError:
    raise ImportError(
        'This notebook needs the package olc, which lies where you found it: '
        'download WHEEL and type pip install "./WHEEL[all]". '
        'In the folder of the book make lab does everything.') from None"""


def main() -> None:
    """Write both editions of all chapters, or hand one out."""
    parser = argparse.ArgumentParser(prog="python -m tools.export")
    parser.add_argument("folder", nargs="?", type=Path, help="for a reader to work in")
    if folder := parser.parse_args().folder:
        hand_out(folder)
        return
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


def hand_out(folder: Path) -> None:
    """Bring a reader's folder up to date, and say what is new, and where."""
    students, _ = write()
    known = folder / ".handed-out"  # the notebooks as they were given
    again = known.exists()
    known.mkdir(parents=True, exist_ok=True)
    for path in students:
        own, given = folder / path.name, known / path.name
        new: Path | None = own
        if own.exists() and not _same(own, given):  # it has answers
            new = None if _same(path, given) else _beside(own, given)
        if new and new != own:
            print(f"{own} has your answers and stays; the new edition is {new.name}")
        if new and again and not _same(path, given):
            print(f"changed in {new}: {_news(path, given)}")
        if new:
            shutil.copy(path, new)
        shutil.copy(path, given)
    print(f"{len(students)} notebooks in {folder}: they are yours, and make keeps them")


def _news(path: Path, given: Path) -> str:
    """Say in which sections and exercises a notebook differs from the one before."""
    now, before = _sections(path), _sections(given) if given.exists() else {}
    names = [name for name in now if now[name] != before.get(name)]
    more = f", and {len(names) - 5} more" if len(names) > 5 else ""
    return "; ".join(names[:5]) + more if names else "something was left out"


def _sections(path: Path) -> dict[str, str]:
    """Return the text and code below each heading, and of each exercise."""
    name, found = "", {}
    for cell in nbformat.read(path, as_version=4).cells:
        for line in cell.source.split("\n"):
            if cell.cell_type == "markdown" and (title := _TITLE.match(line)):
                name = title[1] or title[2]
            found[name] = f"{found.get(name, '')}{line}\n"
    return found


def _beside(own: Path, given: Path) -> Path:
    """Return a name beside a notebook under which no answers stand."""
    for number in itertools.count(1):
        new = own.with_stem(f"{own.stem}-new{number if number > 1 else ''}")
        if not new.exists() or _same(new, given):
            break
    return new


def _same(one: Path, other: Path) -> bool:
    """Whether two notebooks have the same cells, whatever these gave."""
    try:
        cells = [nbformat.read(path, as_version=4).cells for path in (one, other)]
    except (OSError, ValueError):  # not there, or no notebook any more
        return False
    first, second = ([(cell.cell_type, cell.source) for cell in part] for part in cells)
    return first == second


def make_wheel(folder: Path) -> None:
    """Build the package into a folder, with nothing that a former build left."""
    shutil.rmtree(book.ROOT / "build" / "lib", ignore_errors=True)
    words = "wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check"
    command = [sys.executable, "-m", "pip", *words.split(), "-w", folder, book.ROOT]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def wheel_name() -> str:
    """Return the name of the file that `make_wheel` builds."""
    return f"online_linear_classification-{olc.__version__}-py3-none-any.whl"


def publish() -> None:
    """Put the notebooks into the site, and the buttons that download them on its pages.

    The second edition is winnow-solutions.ipynb: downloads have no folders.
    """
    written = [*zip(*write(), strict=True)]
    if written:
        make_wheel(book.HTML / "notebooks")
    for students, solutions in written:
        page = book.HTML / "book" / f"{students.stem}.html"
        buttons = _offer(students, students.name, ".ipynb", "Download the notebook")
        if book.SOLUTIONS and solutions.read_bytes() != students.read_bytes():
            name = f"{solutions.stem}-solutions.ipynb"
            title = "Download the solutions"
            buttons += _offer(solutions, name, "with solutions", title)
        buttons += _button(wheel_name(), "package olc", "Download the package")
        old = r'(?s)<li><a href="[./]*_sources/book/\w+\.ipynb".*?</li>'
        text = re.sub(old, buttons, page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8")
        if not book.SOLUTIONS:  # Sphinx copies the whole chapter, which nobody asks for
            (book.HTML / "_sources" / "book" / students.name).unlink(missing_ok=True)


def _offer(path: Path, name: str, words: str, title: str) -> str:
    """Copy a notebook into the site, and return the button that downloads it."""
    folder = book.HTML / "notebooks"
    shutil.copy(path, folder / name)
    # A page that is opened from disk may run its neighbours, but not read them.
    data = json.dumps([name, path.read_text(encoding="utf-8")], ensure_ascii=False)
    (folder / f"{name}.js").write_text(f"olcDownload(...{data})", encoding="utf-8")
    return _button(name, words, title)


def _button(name: str, words: str, title: str) -> str:
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
                source = folded(title, source) if source else f"**{title}**"
            if source:
                name = f"{cell.id}-{number}" if number else cell.id
                cells.append(new_markdown_cell(source, id=name))
    setup = new_code_cell(_SETUP.replace("WHEEL", wheel_name()), metadata=_HIDDEN)
    setup.id = f"{chapter}-setup"
    cells.insert([cell.cell_type for cell in cells].index("code"), setup)
    text = "".join(cell.source for cell in ran.cells)
    cited = [item for key, item in references().items() if f"](#{key})" in text]
    if cited:
        source = "\n".join(["## References\n", *cited])
        cells.append(new_markdown_cell(source, id=f"{chapter}-references"))
    return new_notebook(cells=cells, metadata=book.METADATA)


def _parts(source: str, solved: str) -> Iterator[tuple[str, str]]:
    """Part a text where a solution begins or ends, and say which exercise it solves."""
    lines, start = source.split("\n"), 0
    for token in PARSER.parse(source):
        box = directive(token)
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
        if core.STUB not in "".join(data.get("text/plain", "")):  # nobody answered yet
            yield output
        return
    # SVG in HTML would be preferred to the picture, and shown by some viewers only.
    _, caption, numbers = re.split(
        r"(?s)^.*<figcaption>(.*)</figcaption>.*</figure>", data.pop("text/html")
    )
    if data["text/plain"].startswith("Explorer"):
        caption += " <em>(Run the cell to move the controls.)</em>"
    if data["text/plain"].startswith("Lab"):
        caption += " <em>(Run the cell to play.)</em>"
    yield output
    # Few viewers read out the alternative text of a picture.
    found = escape(output.metadata["image/png"]["alt"])
    words = f"<details><summary>The figure in words</summary>{found}</details>"
    html = f"<p>{caption}</p>{words}{numbers}"
    yield new_output("display_data", {"text/html": html, "text/plain": found})


if __name__ == "__main__":
    main()
