"""The figures of the page `errata`: counterexamples, each beside what it refutes."""

from olc import geometry
from olc_book.plots.kit import *

__all__ = ["angles", "hidden", "kinds", "ties"]

_OWN = look("Perceptron")


def angles(one: Trace, many: Trace) -> Figure:
    """Draw the weights after a game of one point, and the angles in two games.

    Both games have the same R/γ; of the first one, in the plane, the weights are drawn.
    """
    flat, sinking = panels(2, height=3.2)
    stream = one.stream
    target, w = geometry.unit(stream.need_target()), path(one)[-1]
    points(flat, stream.X[:1], stream.y[:1], reach=1.3)
    boundary(flat, target, **look("target"))
    boundary(flat, w, **_OWN)
    arrow(flat, target, color=GREY)
    arrow(flat, w, color=_OWN["color"])
    ends = np.arctan2([target[1], w[1]], [target[0], w[0]])
    turned = np.linspace(ends[0], ends[1], 41)
    flat.plot(0.35 * np.cos(turned), 0.35 * np.sin(turned), color=INK, linewidth=1)
    _say(flat, "w*", target, (-2, 6))
    _say(flat, "w = x", w, (6, 4), color=_OWN["color"])
    rows = {name: _angles(trace) for name, trace in (("one", one), ("many", many))}
    last = len(rows["many"])
    _say(flat, f"{rows['one'][0]:.0f}°", (0.3, 0.26), (2, 2))
    most = float((stream.radius / stream.margin) ** 2)
    count = np.linspace(0, most, 200)
    allowed = np.degrees(np.arccos(np.sqrt(count / most)))
    sinking.plot(count, allowed, **look("upper") | {"linewidth": 2.6})
    sinking.plot(range(1, last + 1), rows["many"], **_OWN | {"linewidth": 1})
    sinking.plot(1, rows["one"][0], **_OWN | {"marker": "o", "markersize": 8})
    sinking.plot(last, rows["many"][-1], **_OWN | {"marker": "^", "markersize": 7})
    sinking.set(xlabel="updates made", ylabel="angle between w and w*, in degrees")
    sinking.set(xlim=(-3, 1.06 * most), ylim=(0, 95), yticks=range(0, 91, 15))
    note(sinking, "one point:\nstops here", (1, rows["one"][0]), (0.33, 0.93))
    note(sinking, "adversary:\nstops here", (last, rows["many"][-1]), (0.45, 0.2))
    note(sinking, "all that is proved", (30, np.interp(30, count, allowed)),
         (0.64, 0.68))  # fmt: skip
    table = pd.DataFrame(
        {
            "game": ["one point", "adversary"],
            "updates": [len(rows["one"]), last],
            "allowed": [most, float((many.stream.radius / many.stream.margin) ** 2)],
            "angle": [rows["one"][-1], rows["many"][-1]],
        }
    )
    said = (
        f"After its only update the weights of the one point are {rows['one'][-1]:.0f} "
        f"degrees from the target, although {most:.0f} updates are allowed. The "
        f"adversary forces {last}, and only then is the angle "
        f"{rows['many'][-1]:.0f} degrees; both games lie on the curve that is proved."
    )
    return Figure([flat, sinking], said, table)


def _say(
    ax: Axes, text: str, at: Any, offset: tuple[float, float], **style: Any
) -> None:
    ax.annotate(text, (at[0], at[1]), offset, textcoords="offset points", **style)


def _angles(trace: Trace) -> Vector:
    """Return the angle between target and weights after every update, in degrees."""
    target, weights = geometry.unit(trace.stream.need_target()), path(trace)[1:]
    cosines = weights @ target / np.linalg.norm(weights, axis=1)
    return np.asarray(np.degrees(np.arccos(np.clip(cosines, -1, 1))))


def hidden(games: Mapping[str, Mapping[str, Trace]], bound: float) -> Figure:
    """Draw mistakes so far, and the potential −ln w₂, of two rules on two streams.

    The rules are "every round" and "at mistakes", the target the second feature.
    """
    axes = panels(2 * len(games), height=2.6)
    looks = {
        "at mistakes": look("NormalizedWinnow") | {"linestyle": "-"},
        "every round": look("Learner") | {"linestyle": ":", "linewidth": 2.2},
    }
    rows, above, below = [], axes[: len(games)], axes[len(games) :]
    for over, under, (title, rules) in zip(above, below, games.items(), strict=True):
        for name, style in looks.items():
            trace = rules[name]
            running(over, trace, name, who="Learner")
            over.lines[-1].set(**style)
            heights = -np.log(path(trace)[:, 1])
            at = np.concatenate([[0], trace.update_rounds + 1, [len(trace)]])
            under.plot(at, np.append(heights, heights[-1]), **style, label=name)
            rows.append((title, name, trace.mistakes, float(heights.max())))
        over.axhline(bound, **look("bound"))
        _say(over, "bound", (len(trace), bound), (-2, 3), ha="right", color=GREY)
        over.set(ylabel="mistakes so far", xlabel=f"round, {title}")
        over.set_ylim(0, max(1.35 * bound, 1.05 * over.dataLim.y1))
        under.set(ylabel="potential −ln w₂", xlabel=f"round, {title}")
        under.set_ylim(0, 1.15 * math.ceil(under.dataLim.y1))
    above[-1].legend(loc="center left")
    table = pd.DataFrame(rows, columns=["stream", "rule", "mistakes", "potential"])
    found = [
        f"{title}, {name}, there are {plural(wrong, 'mistake')} and the potential is "
        f"at most {highest:.3g}"
        for title, name, wrong, highest in rows
    ]
    return Figure(axes, sentences([*found, f"the bound is {bound:.1f}"]), table)


def kinds(table: pd.DataFrame, games: Mapping[str, tuple[str, str]]) -> Figure:
    """Draw mistakes divided by what is printed, against the rounds of a game.

    `table` has a row for a game: entry, rounds and ratio. `games` has the name of its
    line and the learner for every entry.
    """
    ax, found = panel(height=3.4), []
    ax.axhline(1, **look("bound"))
    short = table.groupby("entry")["rounds"].max().idxmin()
    for entry, (name, who) in games.items():
        rows, style = table[table["entry"] == entry], look(who, "adversary")
        named = "_" if entry == short else name  # else the line below crosses it
        ax.plot(rows["rounds"], rows["ratio"], **style, label=named)
        if entry == short:
            start = rows[["rounds", "ratio"]].iloc[0]
            _say(ax, name, tuple(start), (-4, 8), color=style["color"])
        first, last = rows["ratio"].iloc[[0, -1]]
        rounds = plural(int(rows["rounds"].iloc[-1]), "round")
        found.append(f"{entry} from {number(first)} to {number(last)} in {rounds}")
    log_axis(ax, [10, 100, 1000, 10_000])
    log_axis(ax, [0.1, 1, 10, 100, 1000], "y")
    end = table["rounds"].max(), 1
    _say(ax, "what is printed", end, (0, -12), ha="right", color=GREY)
    ax.set(xlabel="rounds of the game", ylabel="mistakes / printed bound")
    name_ends(ax)
    said = f"The share of the printed bound rises for {listed(found)}."
    return Figure(ax, said, table)


def ties(
    X: ArrayLike,
    y: ArrayLike,
    steps: Sequence[ArrayLike],
    rules: pd.DataFrame,
    bound: float,
) -> Figure:
    """Draw a point that lies on the line, and what rules for such points cost.

    `steps` are the weights before and after the disputed step; `rules` has a column of
    mistakes so far for every rule.
    """
    flat, race = panels(2, height=3.2)
    old, new = (np.asarray(w, dtype=float) for w in steps)
    rows = np.asarray(X, dtype=float)
    on_line = rows[np.isclose(rows @ old, 0)]
    points(flat, rows, y, reach=2.6)
    boundary(flat, old, **_OWN)
    boundary(flat, new, color=GREY, linestyle=":")
    arrow(flat, new, color=GREY)
    arrow(flat, old, color=_OWN["color"])
    flat.plot(*on_line.T, **look("ring"))
    _say(flat, "w", old, (4, 4), color=_OWN["color"])
    _say(flat, "w − x", new, (-6, -14), color=GREY)
    _say(flat, "score 0", on_line[0], (-6, -15), ha="right")
    race.axhline(bound, **look("bound"))
    styles = ["-", "-.", ":"]
    for (name, column), line in zip(rules.items(), styles, strict=True):
        style = _OWN | {"linestyle": line}
        race.plot(rules.index, column, **style, label=name)
        steep, flatly = column.iloc[-1] > 3 * bound, column.iloc[-1] < bound / 2
        here = int(len(rules) * (0.5 if steep else 0.4))
        at = rules.index[here], column.iloc[here]
        place: dict[str, Any] = {"ha": "right" if steep else "left"}
        below = (-4, -14 if flatly else 6)
        _say(race, str(name), at, below, color=style["color"], **place)
    race.set(xlabel="round", ylabel="mistakes so far")
    most = float(rules.to_numpy().max())
    race.set_ylim(-0.13 * most, 1.1 * most)
    found = [f"{value:.0f} if {name}" for name, value in rules.iloc[-1].items()]
    said = (
        f"Under w {plural(len(on_line), 'point')} has the score 0, and the loop takes "
        f"a step there. The mistakes in {rules.index[-1]} rounds are {listed(found)}; "
        f"the bound is {bound:g}."
    )
    return Figure([flat, race], said, rules)
