"""Exercises that answer: `check`, the self-tests of the pages, and a class's slips.

`olc.check` is the door. A chapter's exercises are tables in the modules of this folder.
"""

from olc.exercises import experts, others, perceptron, winnow
from olc.exercises.core import EXERCISES, Verdict, check
from olc.exercises.others import box
from olc.exercises.quiz import Question, Quiz, ask, number, spot, summary
from olc.exercises.tables import given

__all__ = ["EXERCISES", "Question", "Quiz", "Verdict", "ask", "box", "check", "experts",
           "given", "number", "others", "perceptron", "spot", "summary",
           "winnow"]  # fmt: skip
