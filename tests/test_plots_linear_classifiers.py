"""The figures of the chapter on linear classifiers say what the geometry is."""

from __future__ import annotations

import math

import numpy as np
import pytest

import olc
from olc import geometry, streams
from olc.show.plots import linear_classifiers as draw

POINTS = olc.Stream([[1, 2], [2, 1], [-1, -1], [-1, 1]], np.array([1, 1, -1, -1]))


def test_halfspaces_counts_the_positive_points_and_the_distance_from_0():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.5, 0.5]])
    figure = draw.halfspaces(X, [((1, 0), 0), ((3, 4), 5)])
    assert figure.table["positive points"].tolist() == [2, 3]
    assert figure.table["distance from 0"].tolist() == [0, 1]
    assert "b = 0: 2 of 3 points are positive and the line goes through 0" in figure.alt
    assert "b = 5: 3 of 3 points are positive and the line passes 0 at" in figure.alt


@pytest.mark.parametrize(
    ("theta", "answer", "soft"),
    [(1, "+1", "0.73"), (2, "+1", "0.50"), (3, "−1", "0.27")],
)
def test_a_threshold_unit_answers_by_its_score(theta, answer, soft):
    figure = draw.threshold_unit([1, 1, 0, 1], [0, 1, 1, 1], theta)
    assert f"give the score 2, the threshold is {theta} and the output {answer}." in (
        figure.alt
    )
    side = "at least" if answer == "+1" else "below"
    assert f"is {soft}, {side} ½." in figure.alt


def test_a_lifted_threshold_is_a_slope():
    figure = draw.lift([1, 3, 1.5], [-1, 1, 1], threshold=2)
    assert figure.table["score"].tolist() == [-1, 1, -0.5]
    assert "The threshold 2 is right about 2 of 3 points" in figure.alt
    assert "the slope 1/2 is right about the same." in figure.alt


@pytest.mark.parametrize("angle", [-20, 0, 40, 90])
def test_turning_a_line_shows_the_margin_that_the_geometry_computes(angle):
    w = [math.cos(math.radians(angle)), math.sin(math.radians(angle))]
    figure = draw.turn(POINTS)(angle)
    margin = geometry.margin(w, POINTS.X, POINTS.y)
    assert figure.table["signed distance"].min() == pytest.approx(margin)
    assert f"the margin is {margin:.2f}.".replace("-", "−") in figure.alt


def test_a_line_says_how_many_points_it_gets_wrong():
    assert "all 4 points are right" in draw.turn(POINTS)(0).alt
    assert "1 of 4 points is wrong" in draw.turn(POINTS)(60).alt


def test_the_product_separates_exclusive_or():
    figure = draw.higher_dimension(streams.xor())
    assert "above the plane are negative" in figure.alt
    assert (figure.table["product"] * figure.table["y"] == -1).all()
    mixed = olc.Stream(streams.xor().X, np.array([1, 1, 1, -1]))
    assert "above the plane are mixed" in draw.higher_dimension(mixed).alt


def test_a_line_separates_or_on_the_square_and_none_exclusive_or():
    figure = draw.on_the_square({"or": [0, 1, 1, 1], "xor": [0, 1, 1, 0]})
    assert figure.table["separated by"].tolist() == ["a line", "no line"]
    assert figure.alt == (
        "or is true at 3 of 4 corners, and a line separates them; "
        "xor is true at 2 of 4 corners, and no line separates them."
    )
