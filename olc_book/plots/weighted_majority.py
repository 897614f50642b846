"""The figures of the chapter `weighted_majority`."""

from matplotlib.patches import Rectangle

from olc import weighted_majority as theory
from olc_book.plots.kit import *

__all__ = ["race", "by_hand", "trust", "penalty", "gap", "shares", "pixels"]

# Experts are no algorithms: they are drawn in grey, and the best one in ink.
BEST: dict[str, Any] = {"color": INK, "linestyle": "-.", "linewidth": 1.4}
OTHERS: dict[str, Any] = {"color": GREY, "linestyle": "-", "linewidth": 0.7}


def race(trace: Trace) -> Figure:
    """Draw the mistakes of the learner and of every expert, round by round."""
    ax, losses = panel(height=3.2), theory.losses_over_time(trace.stream)
    best, least = theory.best_expert(trace.stream)
    _experts(ax, losses, best, BEST)
    running(ax, trace, "learner")
    name_ends(ax)
    ax.text(len(trace) / 2, 0.65 * losses.max(), "other experts", color=GREY,
            ha="right", size=10)  # fmt: skip
    final = losses[-1].astype(int)
    names = [f"expert {number}" for number in range(1, len(final) + 1)]
    said = (
        f"After {len(trace)} rounds the best of {trace.stream.n} experts has erred "
        f"{least} times, the worst {final.max()} times, and the learner "
        f"{trace.mistakes} times."
    )
    who = pd.Index(["learner", *names], name="who")
    return Figure(ax, said, pd.DataFrame({"mistakes": [trace.mistakes, *final]}, who))


def _experts(ax: Any, lines: Vector, best: int, style: Any) -> None:
    """Draw a line for every expert, the best one on top."""
    others = np.arange(lines.shape[1]) != best
    ax.plot(lines[:, others], **OTHERS)
    ax.plot(lines[:, best], **style, label="best expert")


def by_hand(table: pd.DataFrame, advice: Vector) -> Figure:
    """Draw the weights of four experts as bars, up for +1 and down for −1.

    `table` has a row for every round: the weights A to D before it, the prediction
    in `predicts` and the `label`; a cross marks a round in which they differ.
    """
    ax, names = panel(height=3.3), list("ABCD")
    middle: dict[str, Any] = {"ha": "center", "va": "center", "size": 10}
    for t, row in zip(table.index, advice, strict=True):
        for side in (+1, -1):
            foot, thin = 0.0, ""
            for name in np.array(names)[row == side]:
                weight, best = float(table.loc[t, name]), name == names[0]
                color = colour("WeightedMajority") if best else GREY
                ax.bar(t, side * weight, 0.5, side * foot, color=color,
                       alpha=0.75 if best else 0.4, edgecolor=INK)  # fmt: skip
                if weight > 0.4:
                    ax.text(t, side * (foot + weight / 2), name, **middle)
                else:  # beside the bar, where there is room
                    thin += name
                foot += weight
            if thin:
                ax.text(t + 0.28, side * foot, thin, ha="left", va="center", size=10)
    wrong = table["predicts"] != table["label"]
    signs = ["label", *("+1" if label > 0 else "−1" for label in table["label"])]
    for t, sign in enumerate(signs):
        ax.text(t + (t == 0) * 0.1, 2.0, sign, **middle)
    ax.plot(table.index[wrong] + 0.36, [2.0] * wrong.sum(), **look("mistake"))
    ax.axhline(0, color=INK, linestyle="-", linewidth=1)
    ax.set(xlabel="round", ylabel="weight: up for +1, down for −1")
    ax.set(xlim=(-0.4, len(table) + 1.1), ylim=(-3.2, 2.4), yticks=[-3, -2, -1, 0, 1])
    ax.set_yticklabels(["3", "2", "1", "0", "1"])
    ax.set_xticks(table.index)
    ax.grid(visible=False, axis="x")
    said = (
        f"The vote is wrong in rounds {', '.join(map(str, table.index[wrong]))}; in "
        f"the last round A weighs {table['A'].iloc[-1]:g} and the others together "
        f"{table[names[1:]].iloc[-1].sum():.2f}."
    )
    return Figure(ax, said, table)


def trust(trace: Trace) -> Figure:
    """Draw the share of every expert in the vote, round by round."""
    share, best = shares(trace.stream, trace.before.eta)  # type: ignore[attr-defined]
    ax = panel()
    style = {"color": colour("WeightedMajority"), "linestyle": "-", "linewidth": 2}
    _experts(ax, share, best, style)
    ax.set(xlabel="round", ylabel="share of the weight", ylim=(0, 1.02), xlim=(0, 80))
    ax.text(40, 0.82, "best expert", color=style["color"], size=10)
    ax.text(40, 0.08, "other experts", color=GREY, size=10)
    half = int((share[:, best] > 0.5).argmax())
    said = (
        f"The best of {trace.stream.n} experts has more than half of the weight from "
        f"round {half} on, and {share[-1, best]:.1%} in the end."
    )
    shown = [0, half, len(trace)]
    table = pd.DataFrame({"best expert": share[shown, best]}, index=shown)
    return Figure(ax, said, table.rename_axis("round"))


def penalty(runs: pd.DataFrame, forced: Mapping[float, float]) -> Figure:
    """Draw the regret in two situations, and M/m against Split, for every η.

    `runs` has the columns eta, seed and a regret for each situation; `forced` has the
    ratio M/m for every η.
    """
    who: dict[str, Any] = {"color": INK, "marker": "s", "linestyle": ":"}
    looks = {"one good": look("WeightedMajority", "random"), "equal": who}
    found = means(runs, "eta", [*looks], "situation")
    regret, ratio = panel(3.5, 3.2), panel(3.5, 3.2)
    for name, style in looks.items():
        rows = found.loc[name]
        shade(regret, rows["low"], rows["high"], style["color"])
        regret.plot(rows.index, rows["mean"], **style, label=name)
    style = look("WeightedMajority", "adversary")
    ratio.plot([*forced], [*forced.values()], **style, label="Split")
    for ax in (regret, ratio):
        log_axis(ax, [0.02, 0.05, 0.1, 0.2, 0.5, 0.9])
        ax.set(xlabel="penalty η")
    regret.axhline(0, color=INK, linestyle="-", linewidth=0.8)
    regret.set(ylabel="regret M − m")
    for name, place in (("one good", (0.055, 26.0)), ("equal", (0.13, -52.0))):
        regret.text(*place, name, color=looks[name]["color"], size=10)
    ratio.set(ylabel="Split: M/m", ylim=(0, None))
    middle = found["mean"].unstack(0)
    table = middle.assign(**{"Split, M/m": pd.Series(forced)}).round(9).round(1)
    small, large, ratios = middle.iloc[0], middle.iloc[-1], [*forced.values()]
    said = (
        f"From η = {middle.index[0]:g} to {middle.index[-1]:g} the mean regret falls "
        f"from {small['one good']:.0f} to {large['one good']:.0f} with one good "
        f"expert, and rises from {number(small['equal'])} to {large['equal']:.0f} "
        f"with equal ones; against Split M/m rises from {ratios[0]:.1f} to "
        f"{ratios[-1]:.1f}."
    )
    return Figure([regret, ratio], said, table)


def gap(table: pd.DataFrame) -> Figure:
    """Draw by how much bounds and a game exceed 2m, each line with its name."""
    over = table.set_index("m")
    over = over.sub(2 * over.index, axis=0)
    looks: dict[str, Any] = {
        "bound": look("WeightedMajority", "bound"),
        "Split": look("WeightedMajority", "adversary"),
        "binomial weights": look("StandardOptimal", "bound"),
        "any learner": {"color": INK, "linestyle": "-"},
    }
    (ax,) = curves(over, looks, "mistakes m of the best expert", "M − 2m",
                   size=(4.1, 3.4), ylim=(0, None), xlim=(0, 102))  # fmt: skip
    note(ax, "bound of weighted majority", (65, 49.5), (0.35, 0.9))
    note(ax, "forced by Split", (35, 33), (0.17, 0.72))
    note(ax, "bound of binomial weights", (55, 38.3), (0.72, 0.45))
    note(ax, "forced on any learner", (60, 22.3), (0.72, 0.22))
    last = over.iloc[-1]
    said = (
        f"With m = {over.index[-1]} the mistakes beyond 2m are {last['bound']:.0f} in "
        f"the bound of weighted majority, {last['Split']:.0f} against Split, "
        f"{last['binomial weights']:.0f} in the bound of binomial weights, and "
        f"{last['any learner']:.0f} against any deterministic learner."
    )
    return Figure(ax, said, over)


def shares(stream: Stream, eta: float) -> tuple[Vector, int]:
    """Return every expert's share of the weight, from round 0, and the best expert."""
    losses = theory.losses_over_time(stream)
    weights = (1 - eta) ** (losses - losses.min(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True), int(losses[-1].argmin())


def pixels(stream: Stream, eta: float) -> Figure:
    """Draw what every pixel is worth after a game of pixels and their contraries.

    Behind the marks is how often a pixel is dark among the positive examples, and
    among the negative ones.
    """
    share, best = shares(stream, eta)
    side = int(np.sqrt(stream.n // 2))
    value = share[-1, : side**2] - share[-1, side**2 :]
    dark = np.asarray(stream.X)[:, : side**2] > 0
    reach = float(np.abs(value).max())
    axes = panel(2.7, 2.7), panel(2.7, 2.7)
    for ax, sign, name, who in zip(
        axes, (1, -1), ("positive", "negative"), ("threes", "eights"), strict=True
    ):
        often = dark[np.asarray(stream.y) == sign].mean(axis=0)
        for place, much in enumerate(often):
            up, across = divmod(place, side)
            ax.add_patch(Rectangle((across - 0.5, up - 0.5), 1, 1, facecolor=GREY,
                                   alpha=round(0.7 * float(much), 2),
                                   linewidth=0))  # fmt: skip
            if sign * value[place] > 0.02 * reach:
                size = 16 * np.sqrt(abs(value[place]) / reach)
                ax.plot(across, up, **look(name) | {"markersize": size})
        ax.set(xlim=(-0.5, side - 0.5), ylim=(side - 0.5, -0.5), aspect="equal")
        ax.set(ylabel=who, xticks=[], yticks=[])
    order = np.sort(np.abs(value))[::-1]
    shown = value.round(3) + 0.0  # and no -0
    half = int(np.searchsorted(np.cumsum(order), order.sum() / 2)) + 1
    said = (
        f"Half of the weight (a pixel's minus that of its contrary) lies on "
        f"{plural(half, 'pixel')} of {side**2}; the heaviest is in row "
        f"{best % side**2 // side}, column {best % side}."
    )
    table = pd.DataFrame(shown.reshape(side, side)).rename_axis("row")
    return Figure([*axes], said, table)
