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
HEIGHTS = {"hand": (650, 1090), "margin": (700, 1250), "": (680, 1170)}
ROUNDS = {"flip": 600, "average": 180}  #: what a game lasts at most, as in js/plane.js
LAST = 9999  #: as `at`, the last moment of a game, whichever that is

WORDS: dict[str, dict[str, Any]] = {
    "perceptron": {
        "title": "Turn the line with a mistake",
        "goal": "make it err 15 times on points that a line separates.",
        "question": "Half as wide a street: the bound on the mistakes…",
        "answers": {
            "stays": "Try it: drag a point to the dashed line, and watch R²/γ².",
            "doubles": "Try it: drag a point to the dashed line, and watch R²/γ².",
            "grows fourfold": "Yes: R²/γ². Narrow the grey street, and see.",
        },
    },
    "hand": {
        "title": "Turn the line yourself",
        "goal": "separate the points, then find the widest street.",
        "question": "How many of the points decide how wide the street can be?",
        "answers": {
            "all": "Widen the street until nothing helps: which points hold it?",
            "two": "Yes: two hold it, and the others could move.",
            "one": "Widen the street until nothing helps: which points hold it?",
        },
    },
    "flip": {
        "title": "One label is wrong",
        "goal": "wait for the end, or make one with a single click.",
        "question": "No line separates these points. The length of w…",
        "answers": {
            "grows without limit": "Play to the end, and look at the curve of ‖w‖.",
            "stays bounded": "Yes: mistakes turn w, and few make it longer.",
            "shrinks to 0": "Play to the end, and look at the curve of ‖w‖.",
        },
    },
    "margin": {
        "title": "A thicker separator",
        "goal": "make its street at least 90 % as wide as the widest.",
        "question": "However large τ is, the theorem guarantees a street of…",
        "answers": {
            "the widest": "Move τ to the right, and follow the dashed curve.",
            "nearly half the widest": "Yes: γτ/(R² + 2τ) tends to γ/2.",
            "any width": "Move τ to the right, and follow the dashed curve.",
        },
    },
    "average": {
        "title": "The last line and the mean of all",
        "goal": "stop it where the last line misjudges three more than the mean.",
        "question": "One label is wrong. Whom does it hurt more?",
        "answers": {
            "the last line": "Yes: it jumps at every mistake, the mean hardly moves.",
            "the mean line": "Play, and watch which line jumps.",
            "both alike": "Play, and watch which line jumps.",
        },
    },
    "classes": {
        "title": "Three classes, three vectors",
        "goal": "make it err 20 times on points that three vectors tell apart.",
        "question": "A circle is taken for a square. The mistake moves…",
        "answers": {
            "one vector": "Take one step, and count the arrows that move.",
            "two vectors": "Yes: the circle's gains the point, the square's loses it.",
            "all three": "Take one step, and count the arrows that move.",
        },
    },
}
MODES = tuple(WORDS)
PLAYED = """\
learner = olc.{}
print(olc.play(learner, lab.stream))
"""
BOUND = 'print("bound", lab.bound)'
OWN = 'print("margin", olc.geometry.margin(learner.weights, lab.once.X, lab.once.y))\n'
CELLS = {  #: what is copied after `lab = olc.lab(...)`
    "perceptron": PLAYED.format("Perceptron(2)") + BOUND,
    "hand": OWN.replace("learner", "lab") + 'print("largest margin", lab.margin)',
    "flip": PLAYED.format("Perceptron(2)") + BOUND,
    "margin": PLAYED.format("MarginPerceptron(2, thickness=lab.tau)") + OWN + BOUND,
    "average": PLAYED.format("AveragedPerceptron(2)")
    + """\
wrong = lambda w: sum(lab.once.y * (lab.once.X @ w) <= 0)
print("wrong by the last", wrong(learner.weights))
print("wrong by the mean", wrong(learner.average))""",
    "classes": """\
learner = olc.ConstraintClassifier(olc.Perceptron(2), classes=3)
print(olc.multiclass.play(learner, *lab.examples))""",
}

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


def start(mode: str | None) -> dict[str, Any]:
    """Return the state with which a mode begins."""
    mode = MODES[0] if mode is None else mode
    one_of("mode", mode, *MODES)
    table = np.array(_POINTS[mode].split(), dtype=float).reshape(-1, 3).tolist()
    points = [[x, y, int(label)] for x, y, label in table]
    rest = {"hand": {"angle": 0.0}, "margin": {"at": LAST, "tau": 0.0}}
    return {"mode": mode, "points": points} | rest.get(mode, {"at": 0})


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


def words(state: dict[str, Any]) -> dict[str, Any]:
    """Return the title, the goal, the question and its answers, and what is copied."""
    return WORDS[state["mode"]] | {"cell": CELLS[state["mode"]]}


# --- the game -------------------------------------------------------------------------


def played(state: dict[str, Any]) -> Any:
    """Play the points again and again, and return the trace with all weights."""
    mode, (X, y) = state["mode"], _points(state)
    turns = np.arange(ROUNDS.get(mode, 2000)) % len(X)
    if mode == "classes":
        learner = olc.ConstraintClassifier(olc.Perceptron(2), classes=3)
        return olc.multiclass.play(learner, X[turns], y[turns])
    thickness = state.get("tau", 0.0)
    rule = olc.MarginPerceptron(2, thickness=thickness)
    one = rule if mode == "margin" else olc.Perceptron(2)
    return olc.play(one, X[turns], y[turns], record=True)


def examples(state: dict[str, Any]) -> tuple[Any, Any]:
    """Return the examples of the game up to the moment that is shown, with labels.

    At the first moment and at the last they are those of the whole game, which ends
    with a pass that changes nothing.
    """
    mode, (X, y) = state["mode"], _points(state)
    if mode == "hand":
        return X, y
    at = state["at"]
    trace = played(state)
    updates = trace.update_rounds
    rounds = len(trace)
    if 0 < at < len(updates):
        # the mean is taken over all rounds in which the line lived
        rounds = updates[at] if mode == "average" else updates[at - 1] + 1
    elif mode not in ROUNDS:
        rounds = min(rounds, updates.max(initial=-1) + 1 + len(X))
    elif mode == "flip" and len(updates):
        rounds = min(rounds, updates[-1] + 1 + len(X))
    return trace_rows(trace, rounds)


def trace_rows(trace: Any, rounds: int) -> tuple[Any, Any]:
    """Return the first examples of a trace and their labels."""
    rows = getattr(trace, "stream", trace)  # that of several classes has them itself
    return rows.X[:rounds], rows.y[:rounds]


def _points(state: dict[str, Any]) -> tuple[Any, Any]:
    table = np.array(state["points"], dtype=float)
    return table[:, :2], table[:, 2].astype(int)


def once(state: dict[str, Any]) -> olc.Stream:
    """Return every point once, as a stream."""
    return olc.Stream(*_points(state))


def direction(state: dict[str, Any]) -> Any:
    """Return the w that was turned by hand, of length 1."""
    angle = np.radians(state["angle"])
    return np.array([np.cos(angle), np.sin(angle)])


def margin(state: dict[str, Any]) -> float:
    """Return the largest margin of the points, 0 if no line separates them."""
    try:
        return olc.geometry.maximal_margin(once(state))[0]
    except ValueError:
        return 0.0


def bound(state: dict[str, Any]) -> float:
    """Return the most updates that the theorem allows; infinite without a margin."""
    if not (gamma := margin(state)):
        return float("inf")
    radius, tau = once(state).radius, state.get("tau", 0.0)
    if not tau:
        return olc.perceptron.mistake_bound(radius, gamma)
    return olc.margin_perceptron.mistake_bound(radius, gamma, tau)


#: What a lab has besides its state: name -> function of the state.
EXTRAS = {"once": once, "weights": direction, "margin": margin, "bound": bound}


# --- the still picture ----------------------------------------------------------------


def still(state: dict[str, Any]) -> Any:
    """Draw the end of the game, with the sentence that the script would say."""
    from olc_book.plots import Figure, kit, look, panel

    mode, (X, y) = state["mode"], _points(state)
    left, right = panel(3.4, 3.4), panel(3.4, 3.4)
    left.set(xticks=[], yticks=[])
    if mode == "classes":
        return Figure([left], _classes(left, state))
    who = "MarginPerceptron" if mode == "margin" else "Perceptron"
    try:
        gamma, u = olc.geometry.maximal_margin(X, y)
    except ValueError:
        gamma, u = 0.0, np.zeros(2)
    if mode == "hand":
        angles = np.radians(np.arange(0, 361, 2))
        lines = np.column_stack([np.cos(angles), np.sin(angles)])
        margins = [olc.geometry.margin(line, X, y) for line in lines]
        kit.plane(left, X, y, w := direction(state), who="Learner", reach=1.3)
        right.plot(np.arange(0, 361, 2), margins, **look("Learner"))
        right.axhline(gamma, **look("bound"))
        right.set(xlabel="direction of w, in degrees", ylabel="least y⟨w, x⟩")
        wrong = int(np.sum(y * (X @ w) <= 0))
        now = f"Your line misjudges {wrong} of {len(X)} points."
        return Figure([left, right], f"{now} The widest street reaches {gamma:.2g}.")
    trace = played(state)
    weights = np.vstack([np.zeros(2), trace.weights])
    kit.plane(left, X, y, weights[-1], who=who, reach=1.3)
    kit.boundary(left, u, **look("target"))
    lengths, updates = np.linalg.norm(weights, axis=1), len(trace.update_rounds)
    radius, tau = olc.geometry.radius(X), state.get("tau", 0.0)
    growth, noun = radius**2 + 2 * tau, "update" if mode == "margin" else "mistake"
    bound = growth / gamma**2 if gamma else 0.0
    count = np.linspace(0, max(8.0, 1.15 * bound or updates), 81)
    right.plot(lengths, **look(who), label="‖w‖")
    right.plot(count, np.sqrt(growth * count), **look("upper"), label="R√M")
    if gamma:
        right.plot(count, gamma * count, **look("lower"), label="Mγ")
    right.set(xlabel=f"{noun}s", ylabel="length")
    right.legend()
    facts = f"Radius {radius:.3g}, margin {gamma:.2g}: at most {int(bound + 1e-9)} "
    facts += f"{noun}s, whatever the order"
    made = plural(trace.mistakes, "mistake")
    if mode == "flip":
        longest = f"yet ‖w‖ stays below {1.005 * lengths.max():.3g}."
        found = f"{made} in {len(trace)} rounds and no end; {longest}"
    elif mode == "average":
        found = f"One of the labels is wrong: {made} in {len(trace)} rounds."
    elif mode == "margin":
        own = olc.geometry.margin(weights[-1], X, y)
        least = gamma * tau / growth
        done = f"{made} and {plural(updates, 'update')}"
        found = f"It made {done}, and reached a margin of {own:.2g}. {facts}; "
        found += f"the final margin is at least {least:.2g}."
    else:
        found = f"It made {made} and then none: every point is on its side. {facts}."
    return Figure([left, right], found)


def _classes(ax: Any, state: dict[str, Any]) -> str:
    """Draw three classes and their vectors at the end; return what they did."""
    from olc_book.plots import kit, look

    trace, (X, y) = played(state), _points(state)
    learner = copy.deepcopy(trace.before)
    olc.multiclass.play(learner, trace.X, trace.y)
    reach = kit.points(ax, X, np.select([y == 0, y == 1], [1, -1], 0), 1.3)
    ax.plot(*X[y == 2].T, color=kit.INK, marker="^", linestyle="none")
    longest = np.linalg.norm(learner.weights, axis=1).max()
    for w in learner.weights:
        kit.arrow(ax, 0.8 * reach * w / longest, color=look("Perceptron")["color"])
    made = plural(trace.mistakes, "mistake")
    return f"It made {made} and then none: every point is on its side."
