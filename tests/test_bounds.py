"""What every bound keeps to: a number or a sentence, whatever it is asked."""

import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olc

counts = st.sampled_from([1, 2, 3, 100, 10**17, 10**300, 10**400])
small = [math.nan, -1.0, 0.0, 5e-324, 1e-300, 1e-17, 0.3]
numbers = st.sampled_from(
    [*small, 1.0, 1 + 2**-52, 1.5, 7, 1e17, 1e300, 1e308, 10**400]
)
ASKED = {
    "int": counts,
    "bool": st.booleans(),
    "float": numbers,
    "float | None": st.none() | numbers,
}
ANSWERS = {"int", "float", "float | None", "tuple[int, int]"}


def of_numbers(function):
    """Say whether a function makes a number of numbers."""
    kinds = dict(inspect.get_annotations(function))
    answer = kinds.pop("return", "")
    return kinds and answer in ANSWERS and {*kinds.values()} <= ASKED.keys()


BOUNDS = {
    f"{module.__name__}.{name}": function
    for module in vars(olc).values()
    if inspect.ismodule(module)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_")
    if of_numbers(function)
}


@pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS.keys())
@settings(max_examples=100)
@given(st.data())
def test_bound_is_a_number_or_says_what_is_wrong(bound, data):
    kinds = dict(inspect.get_annotations(bound))
    del kinds["return"]
    arguments = {name: data.draw(ASKED[kind], name) for name, kind in kinds.items()}
    found, said = 0, "a number"
    try:
        found = bound(**arguments)
    except ValueError as refusal:
        said = str(refusal)
    assert " " in said
    assert "domain" not in said
    least = -math.inf if bound.__name__.endswith("drop") else 0
    found = np.array(found or 0, dtype=object)  # None: there is no such number
    assert all(value >= least for value in np.atleast_1d(found))


def test_all_kinds_of_bounds_are_asked():
    assert len(BOUNDS) > 30
