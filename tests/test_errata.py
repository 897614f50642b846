"""Slips in the lecture notes: the helpers of the page, and its entries."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import numpy as np
import pytest

import olc
from tools import book

CELLS = nbformat.read(book.BOOK / "errata.ipynb", as_version=4).cells
CODE = [cell for cell in CELLS if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def helpers() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for cell in CODE:
        if "minnow" not in names:
            exec(cell.source, names)
    return names


def test_every_entry_can_be_linked_to() -> None:
    text = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")
    found = re.findall(r"(?m)^\(err(?:ata)?-(E[0-4X]-\d\d)\)=$", text)
    sizes = {"E0": 22, "E1": 9, "E2": 9, "E3": 20, "E4": 30, "EX": 10}
    entries = [f"{s}-{i:02d}" for s, last in sizes.items() for i in range(1, last + 1)]
    assert sorted(found) == entries
    told = re.sub(r"(?m)^\(.*\)=$", "", text).replace("\N{NON-BREAKING HYPHEN}", "-")
    assert [entry for entry in entries if entry not in told] == []


def test_a_slip_is_an_exercise_or_a_row_of_a_table() -> None:
    text = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")
    titles = re.findall(r"```\{exercise(?:-start)?\} .*\((E.*)\)", text)
    rows = re.findall(r"(?m)^\| (E[0-4]).(\d\d) \|", text)
    exercises = [entry for title in titles for entry in title.split(", ")]
    assert len(titles) == 14
    assert len(exercises) + len(rows) == 22 + 9 + 9 + 20 + 30
    assert not set(exercises) & {"-".join(row) for row in rows}


def test_a_rule_is_played_as_the_package_plays_it(helpers: dict[str, Any]) -> None:
    mistakes, perceptron = helpers["mistakes"], helpers["corrected"]
    panel = olc.streams.panel(9, k=3, rounds=300, seed=0)
    wrong = olc.play(olc.Perceptron(9), panel).mistakes
    assert mistakes(perceptron, panel.X, panel.y, decide=np.sign) == wrong
    bits = olc.streams.disjunction(16, k=2, rounds=300, seed=0)
    wrong = olc.play(olc.Winnow(16), bits).mistakes

    def double(w: Any, x: Any, y: int, guess: int) -> Any:
        return w * 2.0 ** (y * x)

    assert (
        mistakes(double, bits.X, bits.y, 1, decide=lambda s: 1 - 2 * (s < 16)) == wrong
    )


def test_a_rule_may_be_applied_in_every_round(helpers: dict[str, Any]) -> None:
    seen = []

    def watch(w: Any, x: Any, y: int, guess: int) -> Any:
        seen.append((y, guess))
        return w

    mistakes = helpers["mistakes"]
    assert mistakes(watch, [[1], [1]], [1, -1], every=True) == 1
    assert seen == [(1, 1), (-1, 1)]
    assert mistakes(watch, [[1], [1]], [1, -1]) == 1
    assert seen[2:] == [(-1, 1)]


def test_the_rule_of_minnow_is_normalised_winnow(helpers: dict[str, Any]) -> None:
    learner = olc.NormalizedWinnow(2, eta=0.2)
    assert learner.learn([1, -0.5], -1) == 1
    w = helpers["minnow"](np.full(2, 0.5), np.array([1, -0.5]), -1, 1)
    np.testing.assert_allclose(w, learner.weights)
