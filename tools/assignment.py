"""Make an nbgrader assignment: python -m tools.assignment winnow-every perceptron-half

Exercises are named by their labels. Text, set-up, stub and check come from the
chapters; the check becomes a locked cell that gives a point or says what is not yet
right. What is to be proved gets a cell for its text, graded by hand. Where an exercise
takes numbers, each student has others, by the name that stands at the top.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from olc_book.exercises import EXERCISES, given
from tools import book
from tools.plain import PARSER, directive, labels, plain

DEFAULT = book.BUILD / "course" / "source" / "assignment" / "assignment.ipynb"
_STUDENT = "student = ...  # your name or number, in quotes"
_NUMBERS = "*Your numbers* stand below the next cell. Use them instead of those above."


def main() -> None:
    """Write the assignment where nbgrader looks for it."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("exercise", nargs="+", help="such as winnow-every")
    parser.add_argument("--to", type=Path, default=DEFAULT, help=str(DEFAULT))
    chosen = parser.parse_args()
    notebook = assignment(*chosen.exercise, title=chosen.to.stem)
    chosen.to.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, chosen.to)
    print(f"{chosen.to}: next is nbgrader generate_assignment {chosen.to.stem}")


def assignment(*names: str, title: str = "assignment") -> Any:
    """Return the notebook from which nbgrader makes the students' one."""
    cells = [_locked(new_markdown_cell(f"# {title}", id="title"))]
    for name in dict.fromkeys(name.removeprefix("ex-") for name in names):
        if (label := f"ex-{name}") not in labels():
            near = difflib.get_close_matches(label, labels(), 3, 0)
            raise book.Failure(f"no exercise is labelled {name}: try {', '.join(near)}")
        cells += _exercise(label, labels()[label].chapter)
    if any("student)" in cell.source for cell in cells):
        cells.insert(1, new_code_cell(_STUDENT, id="student"))
    return new_notebook(cells=cells, metadata=book.METADATA)


def _exercise(label: str, chapter: str) -> Iterator[Any]:
    """Yield the cells of an exercise, which stands on its own."""
    pieces = _pieces(chapter)
    before = [place for place, _, _ in pieces].index(label)
    past = [
        code for place, kind, code in pieces[:before] if kind == "code" and not place
    ]
    text = "\n\n".join(s for at, kind, s in pieces if at == label and kind == "text")
    code = [s for at, kind, s in pieces if at == label and kind == "code"]
    tests = {source: _test(source) for source in code if source.startswith("olc.check")}
    varied = [name for name, test in tests.values() if "student)" in test]
    text = re.sub(r"\[([^]]+)\]\((?!http)[^)]*\)", r"\1", plain(text, chapter))
    wanted = _names("\n".join(code), ast.Load) | set(re.findall(r"`(\w+)", text))
    setup = _setup(past, wanted)
    if varied:
        text += f"\n\n{_NUMBERS}"
        setup += [f'olc.exercises.given("{name}", student)' for name in varied]
        code = [re.sub(r"  # for .*\d", "", source) for source in code]
    yield _locked(new_markdown_cell(text, id=f"{label}-text"))
    yield _locked(new_code_cell("\n".join(setup), id=f"{label}-setup"))
    for number, source in enumerate(code):
        if source in tests:
            name, test = tests[source]
            yield _locked(new_code_cell(test, id=name), grade=True, points=1)
        else:
            yield new_code_cell(source, id=f"{label}-answer-{number}")
    if not tests or "*Prove.*" in text:  # a check sees what was found, not the proof
        proof = new_markdown_cell("", id=label)
        yield _locked(proof, grade=True, points=1, solution=True, locked=False)


def _locked(cell: Any, **more: Any) -> Any:
    """Return a cell that nbgrader knows, and students cannot change."""
    facts = {"grade": False, "solution": False, "locked": True, "task": False}
    cell.metadata["nbgrader"] = facts | {"grade_id": cell.id, "schema_version": 3}
    cell.metadata["nbgrader"] |= more
    return cell


@functools.cache
def _pieces(chapter: str) -> list[tuple[str, str, str]]:
    """Return the texts and code of a chapter, each with the label of its exercise."""
    place, gated, found = "", False, []
    for cell in nbformat.read(book.BOOK / f"{chapter}.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            found.append((place, "code", cell.source))
            continue
        for token in PARSER.parse(cell.source):
            if token.level or not token.map:
                continue
            box = directive(token)
            if box and box.name in ("exercise", "exercise-start", "solution-start"):
                place, gated = box.options.get("label", "solution"), "-" in box.name
            elif box and box.name in ("exercise-end", "solution-end"):
                gated = False  # and the answer follows
            elif not gated:
                place = ""
            lines = cell.source.split("\n")[slice(*token.map)]
            found.append((place, "text", "\n".join(lines)))
    return found


def _setup(cells: list[str], wanted: set[str]) -> list[str]:
    """Return the imports of a chapter, and what else of it an exercise needs."""
    taken: list[str] = []
    for cell in reversed(cells):
        for statement in reversed(ast.parse(cell).body):
            source = ast.get_source_segment(cell, statement) or ""
            name = getattr(statement, "name", "")  # of a function or a class
            made = {name} if name else _names(source, ast.Store)
            if made & wanted or isinstance(statement, ast.Import | ast.ImportFrom):
                wanted = wanted - made | _names(source, ast.Load)
                taken.insert(0, source)
    return taken


def _names(source: str, kind: type[ast.expr_context]) -> set[str]:
    """Return the names that a piece of code uses or makes, without its parameters."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, kind)}
    return names - {n.arg for n in nodes if isinstance(n, ast.arg)}


def _test(check: str) -> tuple[str, str]:
    """Return the name of a check, and the test; with the student's numbers, if any."""
    call: Any = ast.parse(check, mode="eval").body
    name = ast.literal_eval(call.args[0])
    if given(name, name):
        standard = EXERCISES[name].facts["given"]
        call.keywords = [word for word in call.keywords if word.arg not in standard]
        more = f",\n    **olc.exercises.given({name!r}, student))"
        check = ast.unparse(call)[:-1] + more
    return name, f"{check}.must()"


if __name__ == "__main__":
    main()
