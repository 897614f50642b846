"""Forecasters of rain: proper losses, who leads after how many days, calibration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from olc.forecasters import (
    absolute_loss,
    calibration,
    chance_ahead,
    chernoff_days,
    days_to_lead,
    decompose,
    expected_loss,
    hoeffding_days,
    kl,
    log_loss,
    square_loss,
)

chances = st.integers(1, 99).map(lambda percent: percent / 100)


# ------------------------------------------------------------- which forecaster


def test_one_rainy_day_favours_whoever_said_the_larger_number():
    for loss in (square_loss, log_loss, absolute_loss):
        assert loss(0.8, 1) < loss(0.7, 1)
        assert loss(0.7, 0) < loss(0.8, 0)
    assert chance_ahead(0.8, 0.7, truth=0.7, days=1) == pytest.approx(0.7)


@given(chances, chances)
def test_square_and_log_loss_are_least_for_the_truth(said, truth):
    square = expected_loss(square_loss, said, truth)
    assert square == pytest.approx(truth * (1 - truth) + (said - truth) ** 2)
    entropy = -truth * math.log(truth) - (1 - truth) * math.log(1 - truth)
    farther = entropy + kl(truth, said)
    assert expected_loss(log_loss, said, truth) == pytest.approx(farther)


@given(chances)
def test_absolute_loss_is_least_for_an_extreme_forecast(truth):
    said = np.linspace(0, 1, 101)
    best = said[np.argmin(expected_loss(absolute_loss, said, truth))]
    assert truth == 0.5 or best == round(truth)


def test_the_impossible_costs_nothing_that_is_expected_of_it():
    assert expected_loss(log_loss, 0.0, truth=0) == 0
    assert expected_loss(log_loss, 0.0, truth=0.1) == math.inf


@pytest.mark.parametrize("loss", [square_loss, log_loss])
@pytest.mark.parametrize(("said", "other"), [(0.7, 0.8), (0.8, 0.7), (0.2, 0.6)])
def test_the_chance_of_a_lead_is_that_of_all_weathers_that_give_one(loss, said, other):
    for truth, days in itertools.product((0.3, 0.7), (1, 3, 8)):
        total = 0.0
        for rain in itertools.product((0, 1), repeat=days):
            mine, theirs = loss(said, rain).sum(), loss(other, rain).sum()
            wet = sum(rain)
            chance = truth**wet * (1 - truth) ** (days - wet)
            total += chance * (mine < theirs - 1e-12)
        assert chance_ahead(said, other, truth, days, loss) == pytest.approx(total)


def test_a_tie_is_no_lead_even_where_rounding_hides_it():
    # 13 of 20 rainy days tie 0.6 and 0.7, though 20 times 0.65 is not 13 in binary
    ahead = chance_ahead(0.6, 0.7, 0.65, 20) + chance_ahead(0.7, 0.6, 0.65, 20)
    assert ahead == pytest.approx(1 - math.comb(20, 13) * 0.65**13 * 0.35**7)


def test_days_to_lead_is_the_last_day_below_the_chance_and_one_more():
    days = int(days_to_lead(0.7, 0.8, truth=0.7))
    after = chance_ahead(0.7, 0.8, 0.7, np.arange(days - 1, 3000))
    assert after[0] < 0.95 <= after[1:].min()
    assert days_to_lead(0.1, 0.9, truth=0.0) == 1


@given(chances, chances, chances, st.sampled_from([0.6, 0.95, 0.999]))
def test_exact_days_are_fewer_than_chernoffs_and_those_fewer_than_hoeffdings(
    said, other, truth, chance
):
    assume(abs(said - other) >= 0.03)
    edge = (other - truth) ** 2 - (said - truth) ** 2
    assume(edge <= 0 or edge >= 0.003)
    exact, chernoff, hoeffding = (
        days(said, other, truth, chance)
        for days in (days_to_lead, chernoff_days, hoeffding_days)
    )
    if edge <= 1e-12:
        assert exact == chernoff == hoeffding == math.inf
    else:
        assert exact <= math.ceil(chernoff)
        assert chernoff <= hoeffding * (1 + 1e-9)
        width = 2 * (said - other)
        expected = width**2 / (2 * edge**2) * -math.log1p(-chance)
        assert hoeffding == pytest.approx(expected)


def test_what_the_weather_cannot_do_is_settled_on_the_first_day():
    assert chernoff_days(0.2, 0.9, truth=0) == 0


# ------------------------------------------------------------------ calibration


@given(
    st.lists(
        st.tuples(st.integers(0, 10).map(lambda p: p / 10), st.sampled_from([0, 1])),
        min_size=1,
    )
)
def test_loss_is_calibration_less_resolution_plus_uncertainty(days):
    said, rain = map(np.array, zip(*days, strict=True))
    parts = decompose(said, rain)
    rest = parts["calibration"] - parts["resolution"] + parts["uncertainty"]
    assert parts["loss"] == pytest.approx(rest, abs=1e-12)
    assert parts["loss"] == pytest.approx(square_loss(said, rain).mean())
    table = calibration(said, rain)
    assert table["days"].sum() == len(days)
    for value, row in table.iterrows():
        assert row["rain"] == pytest.approx(rain[said == value].mean())
