"""Both sides read a state by one rule, and take from a link only what fits it."""

from __future__ import annotations

import json

import pytest
from lab_games import node, states

from olc_book import labs

MODES = [(name, mode) for name in labs.LABS for mode in labs.told(name)]
VALUES = [
    *(None, True, False, "", "x", "x" * 300, 0, 1, -1, 0.5, 1e9, -0.0, 3, 2.0),
    *([], [[]], [1], [[0, 0, 1]], [[0, 1]], ["a"], [None], {}, {"a": 1}, "1", "2"),
]


def near(value):
    """Return values that look like a given one, most of which are none."""
    if isinstance(value, list):
        yield from (value[:1], value * 200, [value], [*value, None])
    elif isinstance(value, str):
        yield from (value + " ", [value])
    else:
        yield from (value + 0.5, -value - 1, str(value), [value])


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_a_link_gives_what_python_takes_and_nothing_else(name, mode):
    lab = labs.lab(name, mode=mode)
    keys, given = lab.words["keys"], lab.state
    tried = [(key, value) for key in keys for value in (*VALUES, *near(given[key]))]
    links = [
        {"keys": keys, "given": given, "link": json.dumps({key: value})}
        for key, value in tried
    ]
    found = node([labs.source("kit")], links=links)["links"]
    for (key, value), state in zip(tried, found, strict=True):
        fits = labs.fits(value, *keys[key])
        assert state == given | ({key: value} if fits else {}), (key, value)


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_every_key_of_a_state_can_change(name, mode):
    lab = labs.lab(name, mode=mode)
    assert lab.words["keys"].keys() == lab.state.keys() - {"mode"}
    for key, value in lab.state.items():
        if key != "mode":
            setattr(lab, key, value)
    (game,) = states(name, lab.state)
    assert game["says"].endswith((".", "?", "!"))
