"""Exercises of the chapter `multiclass`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("multiclass-hand", "Their sum is 0, as it always is.",
        "A tie is a mistake. Among equal rivals take the smaller number.",
        weights=([[0, -1], [0, 0], [0, 1]], {
            "the rival loses what the right class gains":
                [[1, -1], [2, 0], [1, 1]],
            "a tie is a mistake, so the first round changes the weights":
                [[0, 0], [0, 0], [0, 0]]}))
numbers("multiclass-shift", "It was 40 before the shift.",
        "Subtract u.mean(axis=0) from u, and ask multiclass.margin again.",
        bound=(104 / 3, {"this is the bound before the shift": 40,
                         "the long examples have the squared radius 2R² = 4": 52 / 3,
                         "this is the margin": math.sqrt(3 / 26)}))
numbers("multiclass-square", "Where both can separate, neither is ahead for certain.",
        "Give the three points the rows (1, x, x²).",
        against=(4, {"this is the other form": 5,
                     "without x² the middle is wrong at every visit": 403}),
        constraints=(5, {"this is the other form": 4,
                         "this is the number without x²": 13}))
