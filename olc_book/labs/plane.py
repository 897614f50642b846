"""The lab of the plane: a line that every mistake turns. A mode for each chapter."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

import olc
from olc.core.game import plural
from olc_book.labs import items, one_of, whole, within

PARTS = ("field",)  #: scripts that it shares with other labs
#: Pixels of a mode, on a wide page and on a phone: nothing moves when the script comes.
HEIGHTS = {"hand": (640, 1000), "margin": (690, 1240), "": (650, 1100)}

# Drawn at random, thousands of times, until the game teaches at once; tests say what.
_FIRST = """
.9 .15 -1  -.4 -.85 1  -.3 .4 -1  .75 .75 -1  -.5 .8 -1
-.6 -.45 1  -.95 .5 -1  -1.05 -.15 1  -.15 .7 -1"""
_POINTS = {
    "perceptron": _FIRST,
    "hand": """.9 .25 1  .95 -1 -1  .8 -.3 -1  -1 -.95 -1  1.05 1.05 1
    .1 .25 1  .6 .6 1  -.05 -.9 -1  -.3 -.7 -1""",
    "flip": _FIRST.replace(".9 .15 -1", ".9 .15 1"),
    "margin": """-.4 0 1  .65 .45 -1  -.8 -.55 1  .5 1.05 -1  -.3 -.5 1
    .9 .1 -1  .65 .85 -1  .9 -.65 -1  -.25 .95 -1""",
    "average": """-.5 -.25 1  -.75 -.35 1  .35 .5 1  -.15 -.75 1  1.05 -.3 -1
    -.55 .95 -1  0 -1.1 1  .05 .6 -1  -1.1 -.1 1""",
    "classes": """-.8 -.5 1  .95 -.7 2  .45 1 0  1.05 .95 2  -.25 .55 0
    -.85 -.25 1  -.05 -.95 1  -1.1 .85 0  .25 1.05 0""",
}
MODES = tuple(_POINTS)
ROUNDS = {"flip": 600, "average": 180}  #: what a game lasts at most, as in js/plane.js
LAST = 9999  #: as `at`, the last moment of a game, whichever that is


def start(mode: str | None) -> dict[str, Any]:
    """Return the state with which a mode begins."""
    mode = MODES[0] if mode is None else mode
    one_of("mode", mode, *MODES)
    table = np.array(_POINTS[mode].split(), dtype=float).reshape(-1, 3).tolist()
    points = [[x, y, int(label)] for x, y, label in table]
    at = LAST if mode == "margin" else 0
    return {"mode": mode, "points": points, "at": at, "tau": 0.0, "angle": 0.0}


def check(key: str, value: Any, state: dict[str, Any]) -> None:
    """Refuse a value that a key cannot have."""
    if key == "mode":
        one_of(key, value, *MODES)
    elif key == "at":
        whole(key, value, 0, LAST)
    elif key == "tau":
        within(key, value, 0, 3)
    elif key == "angle":
        within(key, value, 0, 360)
    else:
        labels = (0, 1, 2) if state["mode"] == "classes" else (-1, 1)

        def point(one: Any) -> bool:
            return (
                isinstance(one, list)
                and len(one) == 3
                and all(isinstance(v, int | float) and abs(v) <= 1.25 for v in one[:2])
                and one[2] in labels
            )

        what = f"points [x, y, label], x and y at most 1.25 and a label of {labels}"
        items(key, value, 1, 24, point, what)


def stream(state: dict[str, Any]) -> olc.Stream:
    """Return the points as examples, one pass of them."""
    table = np.array(state["points"], dtype=float)
    if state["mode"] == "classes":
        raise TypeError("three classes are no stream of two labels: take lab.points")
    return olc.Stream(table[:, :2], table[:, 2].astype(int))


# --- the still picture ----------------------------------------------------------------


def played(state: dict[str, Any]) -> Any:
    """Play the points again and again, and return the trace with all weights."""
    table = np.array(state["points"], dtype=float)
    X, y = table[:, :2], table[:, 2].astype(int)
    mode = state["mode"]
    turns = np.arange(ROUNDS.get(mode, 2000)) % len(X)
    if mode == "classes":
        learner = olc.ConstraintClassifier(olc.Perceptron(2), classes=3)
        return olc.multiclass.play(learner, X[turns], y[turns])
    one = {"margin": lambda: olc.MarginPerceptron(2, thickness=state["tau"]),
           "average": lambda: olc.VotedPerceptron(2)}  # fmt: skip
    return olc.play(one.get(mode, lambda: olc.Perceptron(2))(), X[turns], y[turns],
                    record=True)  # fmt: skip


def still(state: dict[str, Any]) -> Any:
    """Draw the end of the game, with the sentence that the script would say."""
    from olc_book.plots import Figure, kit, look, panel

    mode, table = state["mode"], np.array(state["points"], dtype=float)
    X, y = table[:, :2], table[:, 2].astype(int)
    left, right = panel(3.4, 3.4), panel(3.4, 3.4)
    left.set(xticks=[], yticks=[])
    if mode == "classes":
        trace = played(state)
        learner = copy.deepcopy(trace.before)
        olc.multiclass.play(learner, trace.X, trace.y)
        reach = kit.points(left, X, np.where(y == 0, 1, np.where(y == 1, -1, 0)), 1.3)
        left.plot(*X[y == 2].T, color=kit.INK, marker="^", linestyle="none")
        for w in learner.weights / np.linalg.norm(learner.weights, axis=1).max():
            kit.arrow(left, reach * 0.8 * w, color=look("Perceptron")["color"])
        made = f"It made {plural(trace.mistakes, 'mistake')} and then none"
        return Figure([left], f"{made}: three vectors tell the classes apart.")
    who = "MarginPerceptron" if mode == "margin" else "Perceptron"
    gamma, u = _separator(X, y)
    if mode == "hand":
        angles = np.radians(np.append(state["angle"], np.arange(0, 361, 2)))
        lines = np.column_stack([np.cos(angles), np.sin(angles)])
        margins = [olc.geometry.margin(line, X, y) for line in lines]
        kit.plane(left, X, y, lines[0], who="Learner", reach=1.3)
        right.plot(np.arange(0, 361, 2), margins[1:], **look("Learner"))
        right.axhline(gamma, **look("bound"))
        right.set(xlabel="direction of w, in degrees", ylabel="least y⟨w, x⟩")
        wrong = int(np.sum(y * (X @ lines[0]) <= 0))
        now = f"Your line misjudges {wrong} of {len(X)} points."
        return Figure([left, right], f"{now} The widest street reaches {gamma:.2g}.")
    trace = played(state)
    weights = np.vstack([np.zeros(2), trace.weights])
    kit.plane(left, X, y, weights[-1], who=who, reach=1.3)
    kit.boundary(left, u, **look("target"))
    lengths, updates = np.linalg.norm(weights, axis=1), len(trace.update_rounds)
    radius = olc.geometry.radius(X)
    growth = radius**2 + 2 * state["tau"] * (mode == "margin")
    bound = growth / gamma**2 if gamma else np.inf
    count = np.linspace(0, max(8, 1.15 * bound if gamma else updates), 81)
    right.plot(lengths, **look(who), label="‖w‖")
    right.plot(count, np.sqrt(growth * count), **look("upper"), label="upper")
    if gamma:
        right.plot(count, gamma * count, **look("lower"), label="Mγ")
    noun = "update" if mode == "margin" else "mistake"
    right.set(xlabel=f"{noun}s", ylabel="length")
    right.legend()
    facts = f"Radius {radius:.3g}, margin {gamma:.2g}: at most {int(bound + 1e-9) if gamma else 0} {noun}s, whatever the order."
    made = f"It made {plural(trace.mistakes, 'mistake')}"
    if mode == "flip":
        most = 1.005 * lengths.max()
        found = (
            f"{plural(trace.mistakes, 'mistake')} in {len(trace)} rounds and no end; "
            f"yet ‖w‖ stays below {most:.3g}."
        )
    elif mode == "average":
        found = f"One label is wrong, and {made[0].lower()}{made[1:]} in {len(trace)} rounds."
    elif mode == "margin":
        own = olc.geometry.margin(weights[-1], X, y)
        found = f"{made} and {plural(updates, 'update')}, and reached a margin of {own:.2g}. {facts}"
    else:
        found = f"{made} and then none: every point is on its side. {facts}"
    return Figure([left, right], found)


def _separator(X: Any, y: Any) -> tuple[float, Any]:
    """Return the largest margin and its line, or 0 where there is none."""
    try:
        return olc.geometry.maximal_margin(X, y)
    except ValueError:
        return 0.0, np.zeros(2)
