"""The notebooks that people are given: plain Markdown, pictures, and no solutions."""

from __future__ import annotations

import base64
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
import pytest
from docutils import nodes
from docutils.utils import new_document
from helpers import run
from sphinx_exercise.nodes import solution_node

from tools import book, export, solutions

CHAPTERS = [path.stem for path in book.notebooks()]
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
each_edition = pytest.mark.parametrize("edition", export.EDITIONS)
# A directive, a role, a target or an option of MyST.
MARKUP = re.compile(r"(?m)^\W*[`:]{3,}\{.*|\{[\w:-]+\}`.*|^\([\w-]+\)=|^:\w+:.*")


def built(test: Any) -> Any:
    """Mark a test that reads the notebooks, which a build writes."""
    return pytest.mark.built(pytest.mark.usefixtures("html")(test))


def read(edition: str, chapter: str) -> Any:
    path = book.BUILD / "notebooks" / edition / f"{chapter}.ipynb"
    return nbformat.read(path, as_version=4)


def source(chapter: str) -> Any:
    return nbformat.read(book.BOOK / f"{chapter}.ipynb", as_version=4)


def text(notebook: Any, kind: str = "markdown") -> str:
    cells = (cell for cell in notebook.cells if cell.cell_type == kind)
    return "\n\n".join(cell.source for cell in cells)


def test_boxes_are_quotations_that_may_be_nested_and_have_formulas() -> None:
    box = """\
(here)=
````{prf:theorem} A title
:label: thm-winnow

At most

$$
M \\le
3
$$ (eq-label)

```{note}
In a box.
```
````
"""
    assert export.plain(box, "winnow") == (
        '<a id="here"></a>\n\n> <a id="thm-winnow"></a>**Theorem 8.1 (A title).**\n> \n'
        "> At most\n> \n> $$M \\le 3$$\n> \n> > **Note.**\n> > \n> > In a box."
    )


def test_a_proof_ends_with_its_sign() -> None:
    proof = "```{prf:proof}\nIt is clear%s\n```"
    assert export.plain(proof % ".") == "*Proof.* It is clear. ∎"
    assert export.plain(proof % "\n\n$$1 = 1$$").endswith("$$1 = 1$$\n\n∎")


def test_what_stands_in_code_is_left_alone() -> None:
    code = "```python\nprint('{doc}`winnow`')\n```"
    assert export.plain(code) == code


@pytest.mark.parametrize(
    ("myst", "plain"),
    [
        ("{doc}`winnow`", "[Winnow](winnow.ipynb)"),
        ("{doc}`so <winnow>`", "[so](winnow.ipynb)"),
        ("{doc}`notation`", "*Notation*"),
        ("{prf:ref}`thm-winnow`", "[Theorem 8.1](winnow.ipynb#thm-winnow)"),
        ("{ref}`a way <five-steps>`", "[a way](#five-steps)"),
        ("{ref}`a slip <errata-E4-28>`", "[a slip](errata.ipynb#errata-E4-28)"),
        ("[L.](#littlestone1988)", "[L.](https://doi.org/10.1007/BF00116827)"),
        ("[N.](#novikoff1963)", "N."),
    ],
)
def test_references_are_words_with_a_link(myst: str, plain: str) -> None:
    assert export.plain(myst, "online_game") == plain


def test_a_reference_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(book.Failure, match=r"no words are known for .*thm-nowhere"):
        export.plain("{prf:ref}`thm-nowhere`")


@built
@each_edition
@each_chapter
def test_a_notebook_is_valid_and_has_no_markup_left(chapter: str, edition: str) -> None:
    notebook = read(edition, chapter)
    nbformat.validate(notebook)
    assert MARKUP.findall(text(notebook)) == []
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@each_chapter
def test_where_the_markup_is_not_understood_its_first_line_says_so(chapter) -> None:
    source = (book.BOOK / f"{chapter}.ipynb").read_text("utf-8")
    first = nbformat.reads(source, as_version=4).cells[0].source.split("\n")[0]
    assert first.startswith("% The source of a chapter: it looks right in the built")
    assert export.plain(f"{first}\n\nText.") == "Text."


@built
@each_chapter
def test_boxes_and_exercises_have_the_numbers_of_the_page(chapter: str) -> None:
    page = (book.HTML / "book" / f"{chapter}.html").read_text(encoding="utf-8")
    numbers = re.findall(r'"caption-number">(\w+ [A-Z\d.]+) <', page)
    shown = text(read("students", chapter))
    boxes = re.findall(
        r"(?m)^(?:### |> <a id=\S+></a>\*\*)(\w+ [A-Z\d.]*\d) ?\(", shown
    )
    assert boxes == numbers
    theorems = len(re.findall(r"(?m)^`{3,}\{prf:theorem\}", text(source(chapter))))
    assert sum(box.startswith("Theorem") for box in boxes) == theorems


@built
@each_chapter
def test_only_the_students_notebook_has_no_solutions(chapter: str) -> None:
    given, solved = read("students", chapter), read("solutions", chapter)
    solutions = re.findall(r"\{solution-start\} (\S+)", text(source(chapter)))
    named = re.findall(r"(?:summary>|\*\*)Solution of ([^<*,]*)[<*]", text(solved))
    assert named == [export.labels()[label].words for label in solutions]
    assert "Solution of" not in text(given)
    # The rest is there: both have the same cells, but for the solutions.
    ours = {cell.id: cell.source for cell in solved.cells}
    assert all(ours[cell.id] == cell.source for cell in given.cells)
    left = [cell for cell in solved.cells if cell.id not in {c.id for c in given.cells}]
    for cell in left:
        if cell.cell_type == "code":
            assert cell.metadata["jupyter"]["source_hidden"]
        else:
            assert cell.source.startswith(("<details>", "**Solution of"))


PICTURES = ("Figure: ", "Explorer: ", "Lab(")


@built
@each_chapter
def test_every_figure_is_a_picture(chapter: str) -> None:
    count = Counter(
        (kind, output.data.get("text/plain", "").startswith(PICTURES))
        for cell in read("solutions", chapter).cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    )
    assert ("text/html", True) not in count
    assert count["image/png", True] == count["text/plain", True]
    assert count["image/png", False] == 0
    drawn = re.findall(
        r'text/plain": \[\s+"(?:Figure: |Explorer: |Lab\()', stored(chapter)
    )
    assert count["image/png", True] == len(drawn)


def stored(chapter: str) -> str:
    return (book.BOOK / f"{chapter}.ipynb").read_text(encoding="utf-8")


@built
def test_a_picture_says_what_it_finds() -> None:
    outputs = [
        o for c in read("students", "winnow").cells for o in c.get("outputs", [])
    ]
    texts = [o.get("data", {}).get("text/plain", "") for o in outputs]
    at = next(i for i, text in enumerate(texts) if text.startswith("Figure: "))
    picture, caption = outputs[at : at + 2]
    assert base64.b64decode(picture.data["image/png"]).startswith(b"\x89PNG")
    found = picture.metadata["image/png"]["alt"]
    assert found in picture.data["text/plain"]
    assert found in caption.data["text/html"]
    assert "a circle is a bit that is 1" in caption.data["text/html"]


@built
def test_the_notebooks_are_small_enough_to_send() -> None:
    files = list((book.BUILD / "notebooks").rglob("*.ipynb"))
    assert len(files) == 2 * len(CHAPTERS)
    assert sum(path.stat().st_size for path in files) < 15e6


@built
def test_links_lead_to_notebooks_beside_and_to_what_is_there() -> None:
    texts = {chapter: text(read("solutions", chapter)) for chapter in CHAPTERS}
    for chapter, words in texts.items():
        for file, place in re.findall(r"\]\((?:(\w+)\.ipynb)?(?:#([\w-]+))?\)", words):
            target = texts[file or chapter]
            assert not place or f'<a id="{place}"></a>' in target, (chapter, place)


def test_a_book_without_solutions_is_another_book(monkeypatch: Any) -> None:
    tree = new_document("page")
    tree += nodes.paragraph("", "kept")
    tree += solution_node("", nodes.paragraph("", "gone", ids=["place"]))
    solutions._drop(None, tree)
    assert tree.astext().strip() == "kept"
    assert tree[-1]["ids"] == ["place"]
    before = book.sources()
    monkeypatch.setattr(book, "SOLUTIONS", False)
    assert book.sources() != before


def python(folder: Path, code: str) -> str:
    """Run a program that finds of this project first what is in a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return run([sys.executable, "-c", code], cwd=folder, env=environment)


#: Whatever else an installation makes visible, nothing of it may have been used.
ALONE = """import os, sys
assert os.path.dirname(os.path.dirname(sys.modules["olc"].__file__)) == os.getcwd()
assert not {"tools", "tests", "bench"} & sys.modules.keys()"""


@built
@pytest.mark.slow
@pytest.mark.parametrize("chapter", ["winnow", "errata"])
def test_a_students_notebook_runs_with_nothing_but_the_package(
    chapter: str, tmp_path: Path
) -> None:
    for package in ("olc", "olc_book"):
        (tmp_path / package).symlink_to(book.ROOT / package)
    path = tmp_path / f"{chapter}.ipynb"
    notebook = read("students", chapter)
    notebook.cells.append(nbformat.v4.new_code_cell(ALONE))
    nbformat.write(notebook, path)
    execute = "import nbclient, nbformat; nbclient.execute(nbformat.read({!r}, 4))"
    python(tmp_path, execute.format(path.name))


@built
def test_without_its_solutions_a_chapter_misses_no_name() -> None:
    students = book.BUILD / "notebooks" / "students"
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821"]
    run([*ruff, students])


@built
def test_without_the_package_the_first_cell_says_what_to_do(tmp_path: Path) -> None:
    notebook = read("students", "winnow")
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    (tmp_path / "olc.py").write_text("")  # somebody else's
    words = r"ImportError: This notebook needs the package olc, which lies where you "
    words += rf"found it: download {re.escape(export.wheel_name())} and type pip"
    with pytest.raises(AssertionError, match=words):
        python(tmp_path, first.source)
    python(book.ROOT, first.source)


# --- a folder of the reader's own -----------------------------------------------------


@pytest.fixture
def editions(tmp_path, monkeypatch):
    """Hand out editions of one notebook, of which these are the cells."""
    made, own = tmp_path / "made.ipynb", tmp_path / "own"
    monkeypatch.setattr(export, "write", lambda: [[made], [made]])

    def hand_out(*cells: str) -> dict[str, list[str]]:
        write_cells(made, cells)
        export.hand_out(own)
        return {path.name: read_cells(path) for path in sorted(own.glob("*.ipynb"))}

    return own / "made.ipynb", hand_out


def write_cells(path: Path, cells: Any) -> None:
    made = [
        nbformat.v4.new_markdown_cell(cell)
        if cell.startswith(("#", ">"))
        else nbformat.v4.new_code_cell(cell)
        for cell in cells
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)


def read_cells(path: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def test_a_notebook_without_an_answer_is_brought_up_to_date(editions) -> None:
    _, hand_out = editions
    assert hand_out("x = ...") == {"made.ipynb": ["x = ..."]}
    assert hand_out("x = ...", "y") == {"made.ipynb": ["x = ...", "y"]}


def test_an_answer_is_never_overwritten_and_what_is_new_stands_beside_it(
    editions, capsys
) -> None:
    own, hand_out = editions
    hand_out("x = ...")
    write_cells(own, ["x = 4"])
    assert hand_out("x = ...") == {"made.ipynb": ["x = 4"]}
    found = hand_out("x = ...", "y")
    assert found == {"made-new.ipynb": ["x = ...", "y"], "made.ipynb": ["x = 4"]}
    assert "has your answers and stays; the new edition is" in capsys.readouterr().out
    assert hand_out("x = ...", "y") == found
    # Who answers the new edition keeps that, too; who spoils a file keeps the file.
    write_cells(own.with_stem("made-new"), ["x = 5", "y"])
    assert hand_out("x = ...", "z") == {
        "made-new.ipynb": ["x = 5", "y"],
        "made-new2.ipynb": ["x = ...", "z"],
        "made.ipynb": ["x = 4"],
    }
    own.write_text("{")
    export.hand_out(own.parent)
    assert own.read_text() == "{"


def test_what_has_changed_is_said_by_section_and_exercise(editions, capsys) -> None:
    def said(*cells: str) -> str:
        hand_out(*cells)
        return "".join(re.findall("changed in (.*)\n", capsys.readouterr().out))

    own, hand_out = editions
    exercise = '> <a id="ex-four"></a>**Exercise 8.1 (Four examples).**'
    assert said("# Winnow", "x = ...", exercise, "a = ...") == ""  # all of it is new
    assert said("# Winnow", "x = ...", exercise, "b = ...") == (
        f"{own}: Exercise 8.1 (Four examples)"
    )
    write_cells(own, ["x = 4"])
    assert said("# Winnow", "x", *(f"# Part {n}" for n in range(9))) == (
        f"{own.with_stem('made-new')}: "
        "Winnow; Part 0; Part 1; Part 2; Part 3, and 5 more"
    )
    assert said("# Winnow", "x").endswith(": something was left out")


def test_what_readers_and_lecturers_write_is_no_page_of_the_book() -> None:
    makefile, plan, config, ignored = (
        (book.ROOT / name).read_text("utf-8")
        for name in ("Makefile", "book/course_plan.md", "_config.yml", ".gitignore")
    )
    (own,) = re.findall(r"tools\.export (\w+)", makefile)
    (course,) = set(re.findall(r"--to (\w+)/source", plan))
    for folder in (own, course):
        assert f"\n  - {folder}  #" in config
        assert f"\n/{folder}/" in ignored


@built
def test_the_package_lies_beside_the_notebooks() -> None:
    assert (book.HTML / "notebooks" / export.wheel_name()).exists()
    setup = read("students", "winnow").cells[1:4]
    assert any(export.wheel_name() in cell.source for cell in setup)


@built
@each_chapter
def test_nobody_is_told_that_an_answer_is_missing_before_it_was_asked(chapter) -> None:
    page = (book.HTML / "book" / f"{chapter}.html").read_text("utf-8")
    assert "there is still a ... in the answer" not in page
