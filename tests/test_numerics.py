"""Numerics: shares, roots and bounds that rounding does not spoil."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from olc.core import numerics


@given(st.integers(-(10**6), 10**6), st.floats(-1e-13, 1e-13))
def test_undo_rounding_takes_off_rounding_and_nothing_else(whole, error):
    assert numerics.undo_rounding(whole * (1 + error)) == whole
    assert numerics.undo_rounding(whole + 0.25) == whole + 0.25
    assert numerics.undo_rounding((whole or 1) * (1 + 1e-9)) != whole
    assert type(numerics.undo_rounding(whole)) is float
    assert numerics.undo_rounding(math.inf) == math.inf


@given(st.floats(2.0**-900, 2.0**900), st.integers(2, 40))
def test_rounded_is_the_nearest_number_of_so_many_digits(value, digits):
    mantissa, exponent = math.frexp(value)
    near = Fraction(float(numerics.rounded(np.array(value), digits)))
    exact = Fraction(mantissa) * 2**digits
    scaled = near * Fraction(2) ** (digits - exponent)
    assert scaled.denominator == 1
    assert abs(scaled - exact) <= Fraction(1, 2)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1), st.integers(1, 3))
def test_shares_of_softmax_are_the_same_alone_and_side_by_side(logs, copies):
    alone = numerics.softmax(np.array(logs))
    assert math.isclose(math.fsum(alone), 1)
    columns = numerics.softmax(np.array([logs] * copies).T)
    rows = numerics.softmax(np.array([logs] * copies), axis=-1)
    np.testing.assert_array_equal(columns.T, [alone] * copies)
    np.testing.assert_array_equal(rows, [alone] * copies)


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0, 1e9))
def test_bisected_returns_two_neighbours_between_which_the_answer_changes(one, two, at):
    low, at, high = sorted([one, two, at])
    if low == at or at == high:
        return
    good, bad = numerics.bisected(lambda value: value < at, low, high)
    assert good < at == bad == math.nextafter(good, math.inf)
