"""The forecaster of Vovk, Azoury and Warmuth, and its logarithmic bound."""

import numpy as np
import pytest
from helpers import assert_between, forecasts
from hypothesis import given
from hypothesis import strategies as st

from olc import vovk
from olc.gradient import forecast
from olc.vovk import VovkAzouryWarmuth


class Ridge(VovkAzouryWarmuth):
    """Ridge regression, which does not pretend an outcome of 0."""

    def score(self, x):
        return float(x @ self.weights)


@given(forecasts(), st.sampled_from([0.25, 1.0, 4.0]))
def test_its_forecast_is_that_of_least_squares_with_a_pretended_outcome_0(game, a):
    """It is ridge regression after one more round, (x, 0)."""
    X, y, _ = game
    said = forecast(VovkAzouryWarmuth(X.shape[1], a=a), X, y).predictions
    for t in range(len(y)):
        seen = X[: t + 1]
        pretended = np.append(y[:t], 0)
        A = a * np.eye(X.shape[1]) + seen.T @ seen
        assert said[t] == pytest.approx(X[t] @ np.linalg.solve(A, seen.T @ pretended))


@given(forecasts(), st.sampled_from([0.25, 1.0, 4.0]))
def test_theorem_and_proof_hold_in_every_round(game, a):
    X, y, u = game
    trace = forecast(VovkAzouryWarmuth(X.shape[1], a=a), X, y)
    ledger = vovk.proof(trace, u)
    assert_between(ledger)
    assert (ledger["excess"] <= ledger["allowed"] + 1e-9).all()
    assert trace.loss <= vovk.bound(trace, u) + 1e-9
    # the potential is the least loss, found in another way
    n, largest = X.shape[1], np.abs(y).max()
    wide, long = np.vstack([X, np.sqrt(a) * np.eye(n)]), np.append(y, np.zeros(n))
    best = np.linalg.lstsq(wide, long, rcond=None)[0]
    least = np.square(long - wide @ best).sum()
    assert ledger["potential"].iloc[-1] == pytest.approx(least, abs=1e-9)
    radius = np.sqrt(np.square(X).sum(axis=1).max())
    most = vovk.regret_bound(n, len(y), radius=radius, largest=largest, a=a)
    assert trace.loss <= least + most + 1e-9
    sharp = vovk.bound(trace, best) - trace.loss_of(best) - a * best @ best
    assert sharp <= most + 1e-9
    # the identity of the proof
    A = a * np.eye(n)
    for x, number, said, excess in zip(
        X, y, trace.predictions, ledger["excess"], strict=True
    ):
        A = A + np.outer(x, x)
        q = x @ np.linalg.solve(A, x)
        exact = number**2 * q - said**2 * q / (1 - q)
        assert excess == pytest.approx(exact, abs=1e-9)


def test_a_game_goes_on_where_another_ended_and_the_bound_with_it():
    random = np.random.default_rng(0)
    X, y, u = random.normal(size=(40, 3)), random.normal(size=40), np.ones(3)
    whole, parts = VovkAzouryWarmuth(3), VovkAzouryWarmuth(3)
    said = forecast(whole, X, y).predictions
    forecast(parts, X[:15], y[:15])
    later = forecast(parts, X[15:], y[15:])
    np.testing.assert_allclose(later.predictions, said[15:], rtol=1e-12)
    assert later.loss <= vovk.bound(later, u)
    assert_between(vovk.proof(later, u))


def test_ridge_regression_does_not_have_the_bound():
    assert vovk.regret_bound(1, 0, radius=100, largest=1) == 0
    trace = forecast(Ridge(1), [[1.0]], [1.0])
    with pytest.raises(TypeError, match="Ridge plays by rules of its own"):
        vovk.bound(trace, [1])
