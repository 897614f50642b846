"""What every bound keeps to: a number or a sentence, whatever it is asked."""

import inspect
import math
import random

import numpy as np
import pytest

import olc

COUNTS = [1, 2, 3, 100, 10**6, 10**17]
NUMBERS = [math.nan, -1.0, 0.0, 1e-9, 0.3, 1.0, 1 + 2**-52, 1.5, 7, 1e9]
ABSURD = [5e-324, 1e-300, 1e300, 10**400]
ASKED = {
    "int": COUNTS,
    "bool": [False, True],
    "float": NUMBERS,
    "float | None": [None, *NUMBERS],
}
ANSWERS = {"int", "float", "float | None", "tuple[int, int]"}


def of_numbers(function):
    """Return whether a function makes a number of numbers."""
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
def test_bound_is_a_number_or_names_what_is_wrong(bound):
    kinds, draw = dict(inspect.get_annotations(bound)), random.Random(0).choice
    del kinds["return"]
    least = -math.inf if bound.__name__.endswith("drop") else 0
    for trial in range(300):
        arguments = {name: draw(ASKED[kind]) for name, kind in kinds.items()}
        absurd = trial % 3 == 0 and "float" in kinds.values()
        if absurd:  # these may overflow, but no number may be wrong
            arguments[draw([n for n, k in kinds.items() if k == "float"])] = draw(
                ABSURD
            )
        found, said = 0, str(kinds)
        try:
            found = bound(**arguments) or 0  # or None: there is no such number
        except ArithmeticError:
            assert absurd, arguments
        except ValueError as refusal:
            said = str(refusal)
        assert any(name in said for name in kinds), (arguments, said)
        assert "domain" not in said, arguments
        numbers = np.atleast_1d(np.array(found, dtype=object))
        assert all(number >= least for number in numbers), (arguments, found)


def test_all_kinds_of_bounds_are_asked():
    assert len(BOUNDS) > 30
