"""What the exercises of all chapters are written with. A chapter imports all of it."""

import math
from typing import Any

import numpy as np

import olc
from olc import adversaries, forecasters, geometry, gradient, halving, streams, vovk
from olc.core.numerics import bisected
from olc_book.exercises.core import STUB, Wrong, exercise, fair, must
from olc_book.exercises.learners import (
    WHEN,  # fmt: skip
    Family,
    Game,
    adopted,
    labels,
    variant,
    wanted,
)
from olc_book.exercises.tables import behaves, cases, numbers

__all__ = ["STUB", "WHEN", "Any", "Family", "Game", "Wrong", "adopted", "adversaries",
           "behaves", "bisected", "cases", "exercise", "fair", "forecasters",
           "geometry", "gradient", "halving", "labels", "math", "must", "np",
           "numbers", "olc", "streams", "variant", "vovk", "wanted"]  # fmt: skip
