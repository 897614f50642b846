"""Exercises that answer: `check`, the self-tests of the pages, and a class's slips.

`olc.check` is the door. A chapter's exercises are tables in the modules of this folder.
"""

from olc_book.exercises import experts, others, perceptron, winnow
from olc_book.exercises.core import EXERCISES, Verdict, check
from olc_book.exercises.others import box
from olc_book.exercises.quiz import Question, Quiz, ask, number, spot, summary
from olc_book.exercises.tables import given

__all__ = ["EXERCISES", "Question", "Quiz", "Verdict", "ask", "box", "check", "experts",
           "given", "number", "others", "perceptron", "spot", "summary",
           "winnow"]  # fmt: skip
