"""What every bound keeps to: a number or a sentence, whatever it is asked."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olc

MODULES = [
    olc.halving,
    olc.weighted_majority,
    olc.randomized_weighted_majority,
    olc.perceptron,
    olc.winnow,
    olc.normalized_winnow,
    olc.balanced_winnow,
    olc.winnow_r,
    olc.margin_perceptron,
    olc.margin_winnow,
    olc.threshold_relative,
    olc.averaged_perceptron,
]
FROM_A_STREAM = {"agnostic_bound", "hinge_bound"}
ENDINGS = ("bound", "promotions", "error", "loss", "stretch", "needed", "sizes", "eta")
BOUNDS = {
    f"{module.__name__}.{name}": function
    for module in MODULES
    for name, function in vars(module).items()
    if inspect.isfunction(function)
    and function.__module__ == module.__name__
    and name.endswith(ENDINGS)
    and name not in FROM_A_STREAM
}
COUNTS = {"n", "k", "rounds", "size", "additions", "spread"}
FLAGS = {"simple", "sharp", "eliminate"}
counts = st.sampled_from([1, 2, 3, 100, 10**17, 10**400])
numbers = st.sampled_from(
    [5e-324, 1e-300, 1e-17, 0.3, 1.0, 1 + 2**-52, 1.5, 7, 1e17, 1e300, 10**400]
)


@pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS.keys())
@settings(max_examples=60)
@given(st.data())
def test_bound_is_a_number_or_says_what_is_wrong(bound, data):
    arguments = {
        name: data.draw(
            st.booleans()
            if name in FLAGS
            else counts
            if name in COUNTS
            else numbers
            if parameter.default is parameter.empty
            else st.one_of(st.just(parameter.default), numbers)
        )
        for name, parameter in inspect.signature(bound).parameters.items()
    }
    found, said = 0, "a number"
    try:
        found = bound(**arguments)
    except ValueError as refusal:
        said = str(refusal)
    assert " " in said
    assert "domain" not in said
    assert all(value >= 0 for value in np.atleast_1d(np.array(found, dtype=object)))


def test_all_kinds_of_bounds_are_asked():
    assert len(BOUNDS) > 30
