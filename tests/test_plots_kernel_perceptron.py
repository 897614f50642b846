"""The figures of the chapter on the kernel Perceptron say what the games did."""

from __future__ import annotations

import pandas as pd

import olc
from olc import streams
from olc.kernel_perceptron import Polynomial
from olc.show.plots import colour
from olc.show.plots import kernel_perceptron as draw


def test_regions_count_what_is_wrong_and_what_is_kept():
    xor, rounds = streams.xor(), streams.xor(8)
    curve, line = (olc.KernelPerceptron(Polynomial(degree)) for degree in (2, 1))
    olc.play(curve, rounds)
    olc.play(line, rounds)
    figure = draw.regions({"curve": curve, "line": line}, xor)
    assert figure.table.loc["curve"].tolist() == [0, 4, 4]
    assert figure.table.loc["line"].tolist() == [4, 8, 4]  # every point twice
    assert "line: 4 of 4 wrong, 8 examples kept, 4 of them different" in figure.alt


def test_a_learner_that_knows_nothing_has_no_region():
    figure = draw.regions({"fresh": olc.KernelPerceptron()}, streams.xor())
    assert figure.table.loc["fresh"].tolist() == [4, 0, 0]
    assert colour("KernelPerceptron") not in figure.svgs[0]


def test_widths_compare_mistakes_bound_and_error():
    table = pd.DataFrame(
        {
            "width": [0.1, 0.1, 0.4, 0.4, 1.6, 1.6],
            "mistakes": [10, 12, 9, 9, 20, 30],
            "bound": [48, 50, 22, 24, 90, 94],
            "error": [0.1, 0.2, 0.1, 0.1, 0.0, 0.02],
        }
    )
    figure = draw.widths(table)
    assert figure.table.loc[0.1].tolist() == [11, 49, 0.15]
    assert "The bound is lowest, 23, at width 0.4." in figure.alt
    assert "makes 9 mistakes there, 11 at the narrowest width and 25" in figure.alt
    assert "10.0 %, 15.0 % and 1.0 %" in figure.alt
