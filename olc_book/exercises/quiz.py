"""Self-tests for the pages, made of the same slips as the checks.

A `Quiz` is a plain HTML form with a few lines of script. It needs nothing from
elsewhere, and without JavaScript the answers are behind `details`.
"""

from __future__ import annotations

import html
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from olc.core.check import optional_import
from olc_book.exercises.core import STUB, SUMMARY, find
from olc_book.exercises.learners import Family, shown, sign
from olc_book.exercises.tables import evaluated, tolerance

__all__ = ["Question", "Quiz", "choice", "number", "spot", "summary"]

SCRIPT = "\n" + resources.files("olc_book").joinpath("quiz.js").read_text("utf-8")


@dataclass(frozen=True)
class Question:
    """A text and its answers: (value, whether it is right, words, tolerance)."""

    text: str
    answers: tuple[tuple[Any, bool, str, float], ...]
    choices: tuple[str, ...] = ()


def choice(text: str, right: str, wrong: Mapping[str, str], why: str = "") -> Question:
    """Return a question with choices: the right one, and others with their reasons."""
    said = [(right, True, why, 0.0), *((w, False, r, 0.0) for w, r in wrong.items())]
    answers = tuple(sorted(said, key=lambda one: one[0]))
    return Question(text, answers, tuple(one[0] for one in answers))


def number(text: str, name: str, part: str = "", **given: Any) -> Question:
    """Return a question about a number, with the slips of an exercise."""
    found = find(name)
    right, slips = found.facts["table"][part or found.facts["parts"][0]]
    now = SimpleNamespace(**found.facts["given"] | given)

    def row(formula: Any, good: bool, words: str) -> tuple[Any, bool, str, float]:
        value = evaluated(formula, now)
        return float(value), good, words, float(tolerance(value))

    rows = [row(right, True, found.praise)]
    rows += [row(slip, False, f"{words}.") for words, slip in slips.items()]
    return Question(text, tuple(rows))


def spot(family: Family, most: int = 4, **slip: str) -> Question:
    """Return a question that shows a game and asks which rule the learner has.

    The game is the first that tells the rules apart, and a wrong choice is answered by
    the round in which its learner would have played otherwise.
    """
    (hook, words), *_ = slip.items()
    rules = [words, *(rule for rule in family.hooks[hook] if rule != words)][:most]
    choices = {rule: family.choice(**{hook: rule}) for rule in rules}
    for i, game in enumerate(family.games):
        says = {r: family.recorded(c)["says"][i] for r, c in choices.items()}
        mine = says.pop(words)
        if not game.lessons and mine not in says.values():
            break
    else:
        raise ValueError(f"no single game tells {words!r} from the others")
    wrong = {}
    for rule, other in says.items():
        t = next(t for t in range(len(mine)) if mine[t] != other[t])
        wrong[f"It {rule}."] = f"then it would say {sign(other[t])} in round {t + 1}."
    said, name = ", ".join(map(sign, mine)), family.base.__name__
    text = f"Somebody's {name} plays {shown(game)}, and says {said}. What does it do?"
    return choice(text, f"It {words}.", wrong)


class Quiz:
    """A few questions, shown as a form."""

    def __init__(self, *questions: Question) -> None:
        self.questions = questions

    def __repr__(self) -> str:
        rows = [f"{i}. {q.text}" for i, q in enumerate(self.questions, 1)]
        return "\n".join(["Test yourself:", *rows])

    def _repr_html_(self) -> str:
        label, fields = f"olc-quiz-{zlib.crc32(repr(self).encode())}", []
        for i, question in enumerate(self.questions):
            name = f"{label}-{i}"
            data = html.escape(json.dumps(question.answers, ensure_ascii=False))
            inputs = "".join(
                f'<p><label><input type="radio" name="{name}" value="{c}"> {c}'
                "</label></p>"
                for c in map(html.escape, question.choices)
            )
            inputs = inputs or (
                f'<p><label>Your number: <input type="text" size="8" '
                f'name="{name}" inputmode="decimal"></label></p>'
            )
            value, _, words, _ = next(one for one in question.answers if one[1])
            right = value if question.choices else f"{float(value):.6g}"
            stop = "" if right.endswith(".") or not words else "."
            told = html.escape(f"{right}{stop} {words}".strip())
            legend = re.sub(  # an example does not break, nor from its label
                r"\([^()]*\) [+−]\d",
                lambda example: example[0].replace(" ", "\N{NO-BREAK SPACE}"),
                html.escape(question.text),
            )
            fields.append(
                f'<fieldset data-answers="{data}"><legend>{legend}</legend>'
                f'{inputs}<output aria-live="polite"></output>'
                f"<details>{SUMMARY}Answer</summary><p>{told}</p></details></fieldset>"
            )
        button = '<p><button type="submit">Check</button></p>'
        form = f'<form class="olc-quiz" id="{label}">{"".join(fields)}{button}</form>'
        return f"{form}<script>{SCRIPT}</script>"


def summary(folder: Any) -> Any:
    """Return which slips a class made: a row for each, with how often and by how many.

    The folder holds the files that `check` wrote where OLC_LOG said, one per student.
    """
    pd = optional_import("pandas")
    rows = [
        {"exercise": line["exercise"], "slip": slip, "student": path.stem}
        for path in sorted(Path(folder).glob("*.jsonl"))
        for line in map(json.loads, path.read_text("utf-8").splitlines())
        if not line["right"] and STUB not in line["words"]  # a stub is no answer
        for slip in line["slips"] or ["(not a known slip)"]
    ]
    table = pd.DataFrame(rows, columns=["exercise", "slip", "student"])
    groups = table.groupby(["exercise", "slip"])["student"]
    found = groups.agg(times="size", students="nunique").reset_index()
    order = ["students", "times"]
    return found.sort_values(order, ascending=False, ignore_index=True)
