"""The figures of the chapter `balanced_winnow`."""

from olc import balanced_winnow as theory
from olc_book.plots.kit import *

__all__ = ["contrarian", "diamond", "two_weights", "link", "rates"]


def contrarian(traces: Mapping[str, Trace]) -> Figure:
    """Draw the situation: without negative weights the mistakes never end."""
    ax, table = running_all(traces, {
        "mistakes": mistakes,
        "late": lambda trace: int((trace.mistake_rounds >= len(trace) // 2).sum()),
    }, height=2.5)  # fmt: skip
    if legend := ax.get_legend():
        legend.remove()
    name_ends(ax)
    said = "; ".join(
        f"{the(name)} makes {plural(made, 'mistake')}, {late or 'none'} of them in the "
        "second half"
        for name, made, late in table.itertuples()
    )
    rounds = len(next(iter(traces.values())))
    table = table.rename(columns={"late": "in the second half"})
    return Figure(ax, f"In {rounds} rounds {said}.", table)


def diamond(trace: Trace) -> Figure:
    """Draw the way of the effective weights of two features, and where it may lead.

    Shaded are the weights that are right on all examples of the trace.
    """
    corners: list[Any] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    right = corners
    for x, y in trace.stream:
        right = _side(right, y * np.asarray(x))
    ax, steps = panel(4.1, 3.5), path(trace)
    ax.fill(*np.transpose(right), color=GREY, alpha=0.3, linewidth=0)
    ax.plot(*np.transpose([*corners, corners[0]]), **look("bound"))
    ax.plot([1, 0], [0, 1], **look("normalised Winnow") | {"linewidth": 3})
    way = look(trace.before) | {"linestyle": "-", "marker": "o", "markersize": 4}
    ax.plot(*steps.T, **way)
    ax.plot(*steps[-1], **look("mistake") | {"markersize": 10, "markeredgewidth": 2})
    ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    ax.set(xlabel="weight of feature 1", ylabel="weight of feature 2")
    ax.locator_params(nbins=4)
    note(ax, "normalised\nWinnow", (0.5, 0.5), (0.88, 0.9))
    note(ax, "all right", (-0.75, 0.15), (0.12, 0.8))
    note(ax, "start", (0, 0), (0.6, 0.35))
    table = pd.DataFrame(steps, columns=["feature 1", "feature 2"])
    last = ", ".join(f"{weight:.3f}" for weight in steps[-1])
    return Figure(
        ax,
        f"In {plural(trace.mistakes, 'mistake')} the effective weights of Balanced "
        f"Winnow go from (0, 0) to ({last}), among the weights that are right on all "
        "examples; none of these is on the edge that holds the weights of normalised "
        "Winnow.",
        table.rename_axis("mistake").round(3),
    )


def _side(corners: list[Any], normal: Vector) -> list[Any]:
    """Return the part of a polygon on the positive side of a line through 0."""
    kept, ends = [], [*corners[1:], corners[0]]
    for here, there in zip(np.asarray(corners), np.asarray(ends), strict=True):
        now, then = normal @ here, normal @ there
        if now >= 0:
            kept.append(here)
        if now * then < 0:
            kept.append(here + (there - here) * now / (now - then))
    return kept


def two_weights(trace: Trace, step: int) -> Figure:
    """Draw w⁺ upwards and w⁻ downwards after `step` mistakes, and the ledger."""
    learner, u = trace.before, trace.stream.need_target()
    for update, _ in zip(trace.replay(), range(step), strict=False):
        learner = update.learner
    assert isinstance(learner, theory.BalancedWinnow)
    plus, minus = learner.halves
    left, right = panels(2, 3.4, 3.0)
    place, ink = np.arange(1, len(u) + 1), colour(learner)
    left.bar(place, plus, color=ink, width=0.8, label="w⁺")
    left.bar(place, -minus, color="none", edgecolor=ink, hatch="///", label="−w⁻")
    left.plot(place, plus - minus, "D", color=INK, markersize=3, label="w⁺ − w⁻")
    left.set(xlabel="feature", ylabel="weights", ylim=(-0.45, 0.6))
    left.set_xticks([i + 1 for i in np.flatnonzero(u)])
    left.legend(ncols=3, loc="upper center", columnspacing=0.8, handlelength=1.2)
    ledger = theory.proof(trace)
    start = float(ledger["potential"].iloc[0] + ledger["drop"].iloc[0])
    envelope(right, ledger, "RE(u′‖w)", start=start, now=step)
    right.legend(loc="upper right")
    now = float(ledger["potential"].iloc[step - 1]) if step else start
    said = ", ".join(
        f"{plus[i]:.2f} and {minus[i]:.2f} for feature {i + 1} "
        f"({'+' if u[i] > 0 else '−'})"
        for i in np.flatnonzero(u)
    )
    table = pd.DataFrame({"u": u, "w⁺": plus, "w⁻": minus}, place)
    return Figure(
        [left, right],
        f"After {plural(step, 'mistake')} the two weights are {said}; the "
        f"potential is {now:.2f}.",
        table.rename_axis("feature").round(4),
    )


def link(eta: float, others: int) -> Figure:
    """Draw the weight of a feature against the sum s of its updates."""
    s = np.linspace(-4, 4, 33)
    table = pd.DataFrame(index=pd.Index(s, name="s"))
    table["Balanced Winnow"] = np.sinh(s) / (np.cosh(s) + others)
    table["Perceptron"] = s / (1 + others)
    looks = {str(name): look(name) for name in table}
    axes = curves(table, looks, "ηs, for the sum s of y x over the mistakes", "w⁺ − w⁻")
    steps = eta * np.arange(-int(4 / eta), int(4 / eta) + 1)
    marks = np.sinh(steps) / (np.cosh(steps) + others)
    axes[0].plot(steps, marks, "o", color=GREY, markersize=4)
    name_ends(axes[0])
    ratio = float(table["Balanced Winnow"].iloc[-1] / table["Perceptron"].iloc[-1])
    said = (
        "Near 0 the weight is proportional to s, as the Perceptron's is; at ηs = 4 "
        f"it is {ratio:.1f} times as large as the straight line."
    )
    return Figure(axes, said, table.round(4))


def rates(forced: pd.DataFrame) -> Figure:
    """Draw two bounds against the rate and what an adversary forces, a panel per size.

    `forced` has the columns n, k, eta and mistakes.
    """
    games = list(zip(forced["n"], forced["k"], forced["eta"], strict=True))
    table = forced.assign(
        size=[f"N = {n}, k = {k}" for n, k, _ in games],
        bound=[theory.rate_bound(int(n), int(k), float(eta)) for n, k, eta in games],
        eta=forced["eta"].round(3),
    ).set_index(["size", "eta"])
    marks = look("Balanced Winnow", "adversary") | {"linestyle": ""}
    axes = curves(table, {"mistakes": marks}, "η ({})", "mistakes", split="size",
                  who="Balanced Winnow",
                  labels={"mistakes": "forced"}, size=(3.5, 3.0),
                  xticks=[0.003, 0.01, 0.03, 0.1, 0.3])  # fmt: skip
    said = []
    for ax, (name, rows) in zip(axes, groups(table, "size"), strict=True):
        n, k = int(rows["n"].iloc[0]), int(rows["k"].iloc[0])
        most, best = n * k, rows["bound"].idxmin()
        top, eta = 1.6 * most, np.geomspace(rows.index[0], rows.index[-1], 120)
        every = np.array([theory.rate_bound(n, k, each) for each in eta])
        first = np.array([_entropy_bound(n, k, each) for each in eta])
        style = look("Balanced Winnow", "bound") | {"linewidth": 2}
        ax.plot(eta, every, **style, label="M*(η)")
        ax.plot(eta, first, **look("lower"))
        ax.axhline(most, **look("Perceptron", "bound") | {"linestyle": "-"})
        ax.set(ylim=(0, top))
        ink: dict[str, Any] = {"size": 10, "va": "center", "ha": "left"}
        ax.text(eta[0], 1.06 * most, "Nk", color=colour("Perceptron"), **ink)
        enters = eta[np.flatnonzero(first < top)[0]] if (first < top).any() else eta[0]
        ax.text(0.85 * enters, 0.93 * top, "bound\nso far", color=GREY,
                **ink | {"ha": "right"})  # fmt: skip
        said.append(
            f"with {name} the bound is least at η = {best:g}, where it is "
            f"{rows['bound'].min():.1f}, Nk is {most} and the adversary forces "
            f"{rows['mistakes'][best]} mistakes"
        )
    axes[0].legend(loc="lower left")
    return Figure(axes, sentences(said), table[["bound", "mistakes"]].round(1))


def _entropy_bound(n: int, k: int, eta: float) -> float:
    """Return the bound of the first theorem, and infinity where it has none."""
    drop = eta / k - math.log(math.cosh(eta))
    return math.log(2 * n / k) / drop if drop > 0 else math.inf
