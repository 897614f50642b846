"""The figures of the chapter on regression say what the package computes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from olc import forecasters, gradient
from olc.show.plots import regression as draw


def test_honesty_finds_the_least_expected_loss() -> None:
    said = np.linspace(0.01, 0.99, 99).round(2)
    losses = {"square": forecasters.square_loss, "absolute": forecasters.absolute_loss}
    table = pd.DataFrame(
        {
            name: forecasters.expected_loss(loss, said, 0.7)
            for name, loss in losses.items()
        },
        index=said,
    )
    alt = draw.honesty(table, 0.7).alt
    assert "0.7 for the square loss and 0.99 for the absolute loss" in alt


@pytest.mark.parametrize(("truth", "better"), [(0.7, "Alice"), (0.9, "Bob")])
def test_the_lead_belongs_to_whoever_is_nearer_to_the_truth(
    truth: float, better: str
) -> None:
    figure = draw.lead({"Alice": 0.7, "Bob": 0.8}, truth)
    assert f"{better} is the better forecaster" in figure.alt
    one, two = (0.7, 0.8) if better == "Alice" else (0.8, 0.7)
    days = forecasters.days_to_lead(one, two, truth)
    assert f"{better} leads with probability 95 % after {days:.0f} days" in figure.alt
    assert figure.table is not None
    assert (figure.table["square"] >= figure.table["bound"]).all()
    expected = forecasters.chance_ahead(one, two, truth, 600)
    assert figure.table["square"].iloc[-1] == pytest.approx(expected)


def test_days_needed_names_both_ends_of_its_table() -> None:
    table = pd.DataFrame(
        {"exact": [281, 21], "Chernoff": [599, 37], "Hoeffding": [600, 38]},
        index=[0.1, 0.4],
    )
    alt = draw.days_needed(table).alt
    assert "differ by 0.4 are told apart after 21 days" in alt
    assert "differ by 0.1 after 281; Hoeffding's inequality asks for 600" in alt


def test_reliability_tells_the_best_from_the_worst_calibrated() -> None:
    rain = np.array([0, 0, 1, 1])
    said = {"Alice": [0.0, 0.5, 0.5, 1.0], "climate": [0.5] * 4, "Bob": [1, 1, 0, 0]}
    figure = draw.reliability(said, rain)
    assert "Alice has the smallest mean square loss, 0.125" in figure.alt
    assert "Bob is the worst calibrated: the calibration term is 1.000" in figure.alt


def test_potentials_stay_in_their_envelopes() -> None:
    X, u = np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]), np.array([0.75, 0.25])
    ledgers = {
        name: gradient.proof(gradient.forecast(learner, X, X @ u + 0.1), u)
        for name, learner in (
            ("GD", gradient.GradientDescent(2, eta=0.25)),
            ("EG", gradient.ExponentiatedGradient(2, eta=0.5)),
        )
    }
    figure = draw.potentials(ledgers)
    assert figure.alt.count("in 3 of the rounds") == 2
    assert f"½‖u − w‖² is {ledgers['GD']['potential'].iloc[-1]:.3g}" in figure.alt


def test_sparse_and_dense_reports_both_ends() -> None:
    rows = [[16, "GD", 48, 48], [16, "EG±", 35, 42], [64, "GD", 192, 192]]
    rows += [[64, "EG±", 58, 68]]
    sparse = pd.DataFrame(rows, columns=["n", "learner", "loss", "bound"])
    figure = draw.sparse_and_dense(sparse, sparse.assign(loss=sparse["loss"] * 10))
    assert "sparse target and N = 64, gradient descent loses 192 and EG± 58." in (
        figure.alt
    )
    assert "dense target and N = 64, gradient descent loses 1,920" in figure.alt


def test_extra_features_compares_the_medians() -> None:
    rows = [[0, "GD", 0.5], [0, "EG±", 0.52], [300, "GD", 0.8], [300, "EG±", 0.54]]
    table = pd.DataFrame(rows, columns=["extra", "learner", "loss"])
    alt = draw.extra_features(table, least=0.48).alt
    assert "0.50 for gradient descent and 0.52 for EG±, with 300 of them 0.80" in alt
