"""Exercises of the chapter `family_tree`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("family-path", "One loop, and five learners.",
        "Where do an arrow from halving and one from the Perceptron meet?",
        "Two arrows are walked backwards, from normalised Winnow to the Perceptron.",
        arrows=([2, 5, 15, 14], {
            "these are the right arrows; 15 comes before 14": [2, 5, 14, 15],
            "this leads through the average, which is no station of the loop":
                [2, 5, 17, 17],
            "these are the way back": [14, 15, 5, 2]}),
        mistakes=([4, 2, 5, 5, 7], {
            "this is the other direction": [7, 5, 5, 2, 4],
            "from normalised Winnow on there is an update at mistakes only":
                [4, 2, 2, 5, 6]}))
numbers("family-limit", "The largest entries decide, whose votes do not cancel.",
        "When does one entry of size j outweigh N smaller ones?",
        "sinh(j + 1)η is at least e^η sinh jη, and (1 − 1/j)^−(p − 1) > e^((p − 1)/j).",
        rate=(5.545, {"the logarithm is natural": 8,
                      "this is ln 2N; there are N entries": 6.238}),
        power=(56.45, {"the exponent is p − 1": 55.45,
                       "for B = 1 it is so": 6.545,
                       "the logarithm is natural": 81}))
