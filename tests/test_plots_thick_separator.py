"""The figures of the chapter `thick_separator` say what the package finds."""

import pandas as pd
import pytest

import olc
from olc import geometry, margin_perceptron, perceptron
from olc.show.plots import thick_separator as draw

RUNS = pd.DataFrame(
    {
        "data": ["a", "a", "a", "a", "b", "b"],
        "thickness": [0, 0, 1, 1, 0, 1],
        "error": [3.0, 5.0, 1.0, 2.0, 7.0, 9.0],
    }
)


def test_errors_are_averaged_over_the_runs_of_each_data_set():
    figure = draw.errors(RUNS)
    assert figure.table["mean"].tolist() == [4.0, 1.5, 7.0, 9.0]
    assert "4.0 % with τ = 0 and 1.5 % with τ = 1 (a)" in figure.alt
    assert "7.0 % with τ = 0 and 7.0 % with τ = 0 (b)" in figure.alt


def test_a_slab_has_a_larger_margin_than_guaranteed():
    stream = olc.streams.separable(2, 0.1, 60, 36)
    learner = olc.MarginPerceptron(2, thickness=1.0)
    perceptron.settle(learner, stream)
    row = draw.slab(learner, stream).table.iloc[0]
    best, _ = geometry.maximal_margin(stream)
    assert row["largest"] == pytest.approx(best)
    assert row["guaranteed"] == pytest.approx(
        margin_perceptron.final_margin(stream.radius, best, 1.0)
    )
    assert row["guaranteed"] < row["margin"] <= best + 1e-9
    assert f"{row['margin']:.4f} from the line" in draw.slab(learner, stream).alt


def test_width_shows_the_means_of_what_was_measured_and_guaranteed():
    runs = pd.DataFrame(
        {
            "thickness": [0, 0, 1, 1],
            "share": [0.1, 0.3, 0.8, 0.9],
            "guaranteed": [0.0, 0.0, 0.3, 0.3],
            "updates": [10, 20, 50, 70],
            "bound": [100, 100, 300, 300],
        }
    )
    figure = draw.width(runs)
    assert figure.table["share"].tolist() == pytest.approx([0.2, 0.85])
    assert figure.table["bound"].tolist() == [100, 300]
    assert "from 20 % to 85 %" in figure.alt
    assert "from 15 to 60" in figure.alt


@pytest.mark.parametrize(("rate", "aim"), [(0.5, 0.0), (1.0, 0.5)])
def test_a_step_leaves_the_share_one_minus_the_rate(rate, aim):
    learner = olc.ThresholdRelative(2, threshold=2, rate=rate, aim=aim)
    figure = draw.step(olc.play(learner, [[1.0, 2.0]], [1]))
    goal, score = 2 + aim, figure.table.loc["after", "score"]
    assert goal - score == pytest.approx((1 - rate) * goal)
    assert f"its goal is {goal:.2f}" in figure.alt
    assert figure.table.loc["after", ["w₁", "w₂"]].tolist() == pytest.approx(
        learner.weights.tolist()
    )
