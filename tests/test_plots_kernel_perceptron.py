"""The figures of the chapter on the kernel Perceptron say what the games did."""

from __future__ import annotations

import pandas as pd

import olc
from olc import streams
from olc.kernel_perceptron import Polynomial
from olc.plots import kernel_perceptron as draw


def test_regions_counts_what_is_wrong_and_what_is_kept():
    xor = streams.xor()
    kernel, line = olc.KernelPerceptron(Polynomial(2, constant=0)), olc.Perceptron(2)
    olc.play(kernel, xor)
    olc.play(line, xor[:1])
    figure = draw.regions({"kernel": kernel, "line": line}, xor)
    assert "kernel: gets 0 of 4 wrong and keeps 2 examples" in figure.alt
    assert "line: gets 3 of 4 wrong." in figure.alt


def test_a_learner_that_knows_nothing_has_no_region():
    figure = draw.regions({"fresh": olc.KernelPerceptron()}, streams.xor())
    assert figure.alt == "fresh: gets 4 of 4 wrong."


def test_a_line_cycles_on_exclusive_or():
    line = Polynomial(degree=1)
    assert "After 0 rounds: 0 mistakes, ‖w‖² is 0." in draw.xor_game(line, 0).alt
    assert "After 4 rounds: 4 mistakes, ‖w‖² is 0." in draw.xor_game(line, 4).alt
    assert "In 12 rounds this kernel makes 12 mistakes." in draw.xor_game(line, 4).alt


def test_weights_that_are_zero_but_for_rounding_have_no_region():
    line = Polynomial(degree=1)
    assert "After 1 round: 1 mistake, ‖w‖² is 3." in draw.xor_game(line, 1).alt
    drawn = [draw.xor_game(line, rounds).svgs[0] for rounds in (0, 3, 4)]
    outlines = [svg.count("fill:none;stroke:#009e73") for svg in drawn]
    assert outlines[1] > 0
    assert outlines[0] == outlines[2] == 0


def test_a_kernel_breaks_the_cycle():
    alt = draw.xor_game(Polynomial(2, constant=0), 8).alt
    assert "After 8 rounds: 2 mistakes, ‖w‖² is 8." in alt
    assert "In 12 rounds this kernel makes 2 mistakes." in alt


def test_widths_finds_the_best():
    rows = [
        [0.1, 9, 12.0, 14, 48.0],
        [0.4, 9, 11.0, 13, 23.0],
        [3.2, 60, 83.0, 120, 9e2],
    ]
    columns = ["width", "low", "median", "high", "bound"]
    figure = draw.widths(pd.DataFrame(rows, columns=columns))
    assert "The fewest mistakes, 11, come at width 0.4" in figure.alt
    assert "12 at 0.1 and 83 at 3.2" in figure.alt
    assert figure.table is not None
