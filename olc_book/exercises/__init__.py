"""Exercises that answer: `check`, the self-tests of the pages, and a class's slips.

`olc.check` is the door. The exercises of a chapter are in the module of its name.
"""

import importlib
import pkgutil

from olc_book.exercises.core import EXERCISES, Verdict, check
from olc_book.exercises.errata import box
from olc_book.exercises.quiz import Question, Quiz, choice, number, spot, summary
from olc_book.exercises.tables import given

__all__ = ["EXERCISES", "Question", "Quiz", "Verdict", "box", "check", "choice",
           "given", "number", "spot", "summary"]  # fmt: skip

for _module in pkgutil.iter_modules(__path__):  # each registers what its chapter asks
    importlib.import_module(f"{__name__}.{_module.name}")
