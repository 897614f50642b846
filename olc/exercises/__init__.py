"""Exercises that answer: `check`, the self-tests of the pages, and a class's slips.

`olc.check` is the door. A chapter's exercises are tables in the modules of this folder.
"""

from olc.exercises import experts, others, perceptron, winnow
from olc.exercises.core import EXERCISES, Verdict, Wrong, check, exercise, need
from olc.exercises.learners import Family, Game, wanted
from olc.exercises.others import Box
from olc.exercises.quiz import Question, Quiz, ask, number, spot, summary
from olc.exercises.tables import behaves, cases, given, numbers

__all__ = ["EXERCISES", "Box", "Family", "Game", "Question", "Quiz", "Verdict", "Wrong",
           "ask", "behaves", "cases", "check", "exercise", "experts", "given", "need",
           "number", "numbers", "others", "perceptron", "spot", "summary", "wanted",
           "winnow"]  # fmt: skip
