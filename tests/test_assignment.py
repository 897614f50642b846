"""Assignments: from the chapters by label, graded by nbgrader itself."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import helpers
import nbformat
import pytest

from olc_book.exercises import EXERCISES, check, given, summary
from olc_book.exercises.core import STUB
from olc_book.exercises.tables import VARIED, WAYS, evaluated, same
from tools import book
from tools.assignment import assignment
from tools.plain import labels

ASKED = [label for label in labels() if label.startswith("ex-")]


def graded(notebook: Any) -> list[Any]:
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [c for c in cells if c.metadata.get("nbgrader", {}).get("grade")]


@pytest.mark.slow
def test_every_exercise_makes_cells_that_run_and_wait_for_an_answer() -> None:
    notebook = assignment(*ASKED)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    room: dict[str, Any] = {}
    tests = graded(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell not in tests:
            exec(cell.source.replace("student = ...", "student = 'Ada'"), room)
        elif cell.cell_type == "code":
            with pytest.raises(AssertionError, match=re.escape(STUB)):
                exec(cell.source, room)
    proofs = [
        c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("solution")
    ]
    assert proofs
    assert all(cell.cell_type == "markdown" for cell in proofs)
    chapters = "".join(path.read_text(encoding="utf-8") for path in book.notebooks())
    assert len(tests) == chapters.count("olc.check(\\")


def test_an_assignment_has_no_solutions_and_takes_along_what_it_needs() -> None:
    notebook = assignment(
        "online-game-code", "winnow-every", "ex-perceptron-plane-proof"
    )
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "class MoveOn" in text
    assert "class EveryRound" not in text
    assert "solution" not in text.lower()


def test_what_is_to_be_proved_is_graded_by_hand_and_its_code_by_its_check() -> None:
    notebook = assignment("weighted-majority-lazy")
    *_, check, proof = notebook.cells
    assert check.source.startswith('olc.check("weighted-majority-lazy"')
    assert check.metadata.nbgrader.points == proof.metadata.nbgrader.points == 1
    assert (proof.cell_type, proof.source) == ("markdown", "")


def test_an_exercise_that_is_named_twice_is_asked_once() -> None:
    once, twice = (assignment(*["winnow-every", "ex-winnow-every"][:k]) for k in (1, 2))
    assert [cell.id for cell in twice.cells] == [cell.id for cell in once.cells]


def test_an_unknown_label_is_answered_by_those_that_are_near() -> None:
    with pytest.raises(
        book.Failure, match="no exercise is labelled winow-every: try ex-winnow-every"
    ):
        assignment("winow-every")


@pytest.mark.parametrize("name", [name for name in EXERCISES if given(name, "Ada")])
def test_with_all_numbers_that_students_have_an_exercise_is_sound(name: str) -> None:
    facts = EXERCISES[name].facts
    names = list(given(name, "Ada"))
    for ways in itertools.product(range(1, WAYS + 1), repeat=len(names)):
        numbers = {
            key: VARIED[key](facts["given"][key], way)
            for key, way in zip(names, ways, strict=True)
        }
        now = SimpleNamespace(**facts["given"] | numbers)
        right = {}
        for part, (aim, slips) in facts["table"].items():
            right[part] = evaluated(aim, now)
            for words, slip in slips.items():
                assert not same(evaluated(slip, now), right[part]), (words, numbers)
        assert check(name, **right, **numbers).right, numbers


def test_students_have_numbers_of_their_own() -> None:
    names = [f"student {i}" for i in range(100)]
    assert len({str(given("winnow-elimination", name)) for name in names}) == 16
    assert given("winnow-elimination", " Ada") == given("winnow-elimination", "ada")
    assert given("winnow-every", "Ada") == {}
    with pytest.raises(ValueError, match="write your name or number into the cell"):
        given("winnow-elimination", ...)


NUMBERS = """import math
n, k = olc.exercises.given('winnow-elimination', student).values()"""
#: What each student returns, and takes for the most mistakes.
ANSWERS = {
    "right": ("True", "2 * k * math.ceil(math.log2(n)) - k"),
    "wrong": ("self.decide(score) != y", "3 * k * math.ceil(math.log2(n)) - 2 * k"),
}


@pytest.mark.slow
@pytest.mark.skipif(
    not importlib.util.find_spec("nbgrader"), reason="nbgrader is not installed"
)
def test_nbgrader_grades_a_right_and_a_wrong_submission(tmp_path: Path) -> None:
    # nbgrader calls alembic by its name.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(book.ROOT)}
    environment |= {"JUPYTER_CONFIG_DIR": str(tmp_path), "IPYTHONDIR": str(tmp_path)}

    def run(*command: str, **more: str) -> None:
        called = [sys.executable, "-m", *command]
        helpers.run(called, cwd=tmp_path, env=environment | more)

    exercises = ["winnow-every", "winnow-elimination"]
    run("tools.assignment", *exercises, "--to", "source/ps1/ps1.ipynb")
    run("nbgrader", "generate_assignment", "ps1")
    released = (tmp_path / "release" / "ps1" / "ps1.ipynb").read_text("utf-8")
    feedback = {}
    (tmp_path / "slips").mkdir()
    for student, (returned, most) in ANSWERS.items():
        notebook = nbformat.reads(released, as_version=4)
        for cell in notebook.cells:
            for stub, answer in (
                ("student = ...", f"student = {student!r}"),
                ("return ...", f"return {returned}"),
                ("most_mistakes = ...", f"{NUMBERS}\nmost_mistakes = {most}"),
            ):
                cell.source = cell.source.replace(stub, answer)
        folder = tmp_path / "submitted" / student / "ps1"
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / "ps1.ipynb")
        log = str(tmp_path / "slips" / f"{student}.jsonl")
        run("nbgrader", "autograde", "ps1", "--student", student, OLC_LOG=log)
        run("nbgrader", "generate_feedback", "ps1", "--student", student)
        page = tmp_path / "feedback" / student / "ps1" / "ps1.html"
        feedback[student] = page.read_text("utf-8")
    # A point for each check, and one for the proof, which waits for a human.
    assert "Score: 2.0 / 3.0" in feedback["right"]
    assert "Score: 0.0 / 3.0" in feedback["wrong"]
    assert "Not yet: it learns at mistakes" in feedback["wrong"]
    assert "this is the bound of Winnow with demotion" in feedback["wrong"]
    table = summary(tmp_path / "slips")
    assert set(table["exercise"]) == set(exercises)
    assert (table["students"] == 1).all()
