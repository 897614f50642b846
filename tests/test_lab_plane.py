"""The plane: its goals can be reached, and what is copied says what the page says."""

from __future__ import annotations

import re

import numpy as np
import pytest
from lab_games import node, printed, states

import olc
from olc_book import labs

MODES = tuple(labs.told("plane"))
END = {"at": 9999}  # whichever moment is the last


def moved(mode, i, x, y, **more):
    """Return the first state of a mode with one point elsewhere, at the end."""
    points = labs.lab("plane", mode=mode).points
    points[i] = [x, y, points[i][2]]
    return {"mode": mode, "points": points, **END, **more}


REACHED = {
    "perceptron": moved("perceptron", 1, 1.11, -0.23),
    "hand": {"mode": "hand", "angle": 87},
    "flip": {"mode": "flip", "points": labs.lab("plane").points, **END},
    "margin": {"mode": "margin", "tau": 1.0, **END},
    "average": {"mode": "average", "at": 4},
    "classes": moved("classes", 5, -1.12, 0.29),
}


@pytest.mark.parametrize("mode", MODES)
def test_the_goal_can_be_reached_and_is_not_at_first(mode):
    first, goal = states("plane", {"mode": mode}, REACHED[mode])
    assert not first["reached"]
    assert goal["reached"]


def test_no_end_comes_while_one_label_is_wrong():
    X = olc.lab("plane", mode="flip").stream
    assert not olc.geometry.separable(X)
    (game,) = states("plane", {"mode": "flip", **END})
    assert game["mistakes"] == 127
    assert "127 mistakes in 600 rounds and no end" in game["says"]
    assert "‖w‖ stays below 2.18" in game["says"]


def test_the_promise_is_never_more_than_half_of_the_widest():
    for tau in (0.1, 1, 3):
        (game,) = states("plane", {"mode": "margin", "tau": tau, **END})
        least = float(re.search(r"at least ([\d.]+)\.$", game["says"])[1])
        assert least <= game["gamma"] / 2
        assert game["own"] >= least - 5e-3


@pytest.mark.parametrize("mode", MODES[:1] + MODES[2:])
def test_the_first_step_is_a_mistake(mode):
    (game,) = states("plane", {"mode": mode, "at": 1})
    assert game["mistakes"] >= 1
    assert game["last"] >= 2


@pytest.mark.parametrize("mode", MODES)
def test_the_still_has_the_numbers_of_the_script(mode):
    end = {"mode": mode} if mode == "hand" else {"mode": mode} | END
    (game,) = states("plane", end)
    counted = game["wrong"] if mode == "hand" else game["last"]
    assert re.search(rf"\b{counted}\b", olc.lab("plane", mode=mode).still.alt)


MOMENTS = [
    {"mode": mode} | more
    for mode in MODES
    for more in ({}, {"at": 2}, END)
    if mode != "hand" or not more
]


@pytest.fixture(scope="module")
def moments():
    given = [*MOMENTS, *REACHED.values()]
    return [*zip(given, states("plane", *given), strict=True)]


def test_what_is_copied_prints_what_the_page_says(moments, capsys):
    for given, game in moments:
        trace, *lines = printed(game["python"], capsys)
        numbers = {}
        for line in lines if given["mode"] != "hand" else [trace, *lines]:
            name, value = line.rsplit(" ", 1)
            numbers[name] = float(value)
        if given["mode"] != "hand":
            over = game["at"] in (0, game["last"])
            made = game["mistakes"] if over else game["at"]
            assert f"Trace({olc.core.game.plural(made, 'mistake')} in " in trace
            assert not over or f"in {game['rounds']} rounds)" in trace
        if given["mode"] == "average" and game["at"]:
            last, mean = numbers["wrong by the last"], numbers["wrong by the mean"]
            said = f"misjudges {last:.0f} of 9 points, the mean line {mean:.0f}."
            assert said in game["says"]
        for name, key in (("largest margin", "gamma"), ("bound", "bound")):
            if name in numbers:
                infinite = game[key] is None
                assert numbers[name] == pytest.approx(np.inf if infinite else game[key])
        if "margin" in numbers and (game["at"] or given["mode"] == "hand"):
            assert numbers["margin"] == pytest.approx(game["own"])


HOSTILE = [None, "", "{", "null", "[]", "3", '"x"', '{"points":null}', '{"points":[]}',
           '{"points":[[0,0]]}', '{"points":[[9,0,1]]}', '{"points":[[0,0,2]]}',
           '{"points":[["<b>",0,1]]}', '{"at":-1}', '{"at":1.5}', '{"at":"1"}',
           '{"tau":99}', '{"angle":null}', '{"mode":"classes"}', '{"tau":NaN}',
           '{"__proto__":{"at":1}}', '{"constructor":1}']  # fmt: skip


def linked(link):
    """Return the state that a link leaves."""
    lab = olc.lab("plane")
    asked = [{"keys": lab.words["keys"], "given": lab.state, "link": link}]
    return node([labs.source("kit")], links=asked)["links"]


@pytest.mark.parametrize("link", HOSTILE)
def test_a_link_that_was_cut_or_made_up_changes_nothing(link):
    assert linked(link) == [olc.lab("plane").state]


def test_a_link_is_taken_key_by_key():
    link = '{"points":[[0.5,0.5,1]],"at":3,"tau":-1,"mode":"classes"}'
    wanted = olc.lab("plane").state | {"points": [[0.5, 0.5, 1]], "at": 3}
    assert linked(link) == [wanted]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("mode", "cube", "mode must be 'perceptron' or 'hand'"),
        ("at", -1, "at must be a whole number from 0 to 9999, not -1"),
        ("tau", "1", "tau must be a number from 0 to 3, not '1'"),
        ("angle", 361, "angle must be a number from 0 to 360, not 361"),
        ("points", [], r"points must be a list of 1 to 24, each \[a num"),
        ("points", [[0, 0, 2]], r", -1 or 1\], not \[\[0, 0, 2\]\]"),
    ],
)
def test_a_state_that_is_none_is_refused_in_one_sentence(key, value, message):
    mode = {"tau": "margin", "angle": "hand"}.get(key, "perceptron")
    with pytest.raises(ValueError, match=message):
        olc.lab("plane", **{"mode": mode, key: value})


def test_arrays_are_points_and_the_points_are_a_stream():
    lab = olc.lab("plane")
    lab.points = np.array([[0.5, 0.25, 1], [-0.5, 0.0, -1]])
    assert lab.points == [[0.5, 0.25, 1], [-0.5, 0.0, -1]]
    # a mistake, and a pass that changes nothing
    assert lab.stream.X.tolist() == [[0.5, 0.25], [-0.5, 0.0], [0.5, 0.25]]
    assert lab.stream.y.tolist() == [1, -1, 1]
