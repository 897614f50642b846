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
