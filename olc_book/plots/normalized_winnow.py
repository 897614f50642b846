"""The figures of the chapter `normalized_winnow`."""

from olc import normalized_winnow as theory
from olc_book.plots.kit import *

__all__ = ["opinions", "shares", "trust", "chord", "potentials", "against_eta",
           "tumours"]  # fmt: skip

_WHO = theory.NormalizedWinnow


def opinions(stream: Stream) -> Figure:
    """Draw the situation: opinions of experts, a hidden panel, its verdict."""
    ax, members = panel(), np.flatnonzero(stream.need_target())
    examples(ax, stream.X, stream.y, members.tolist())
    right = np.equal(stream.X, stream.y[:, None]).mean(axis=0)
    last = len(stream) + 1.7  # a row for the records, below those of the rounds
    ax.axhline(last - 0.8, color=GREY, linewidth=0.8)
    for place, share in enumerate(right, start=1):
        many = f"{share * len(stream):.0f}"
        ax.text(place, last, many, ha="center", va="center", size=10)
    ax.text(stream.n + 1.4, last, "right", ha="center", va="center", size=10)
    ax.set(xlabel="expert", ylim=(last + 0.8, 0.3), xlim=(0.3, stream.n + 2.3))
    panel_, others = right[members], np.delete(right, members)
    places = pd.RangeIndex(1, stream.n + 1, name="expert")
    member = np.isin(np.arange(stream.n), members)
    return Figure(
        ax,
        f"In these {len(stream)} rounds the members of the panel are right in "
        f"{panel_.min():.0%} to {panel_.max():.0%} of the rounds and the luckiest "
        f"outsider in {others.max():.0%}; the majority of the panel is always right.",
        pd.DataFrame({"right": right, "member": member}, index=places),
    )


def shares(trace: Trace) -> Figure:
    """Draw everybody's share of the trust after every mistake, the panel's first."""
    member = trace.stream.need_target() > 0
    experts = np.argsort(~member, kind="stable")
    after = ["start", *(f"round {t + 1}" for t in trace.mistake_rounds)]
    parts, ax = path(trace)[:, experts], panel(height=0.6 + 0.4 * len(after))
    table = pd.DataFrame(parts, after, experts + 1)
    filled: dict[str, Any] = {"color": colour(_WHO), "alpha": 0.4}
    empty: dict[str, Any] = {"color": "none"}
    left, rows = np.zeros(len(after)), np.arange(len(after))
    for expert, width in zip(experts + 1, parts.T, strict=True):
        inside = member[expert - 1]
        ax.barh(rows, width, 0.7, left, **(filled if inside else empty))
        ax.barh(rows, width, 0.7, left, color="none", edgecolor=INK, linewidth=0.8)
        for row, (start, size) in enumerate(zip(left, width, strict=True)):
            ax.text(start + size / 2, row, str(expert), ha="center", va="center")
        left = left + width
    ax.set(xlabel="share of the trust", xlim=(0, 1.03), ylim=(len(after) - 0.5, -0.5))
    ax.set_yticks(rows, after)
    ax.grid(False)
    held = parts[:, : int(member.sum())].sum(axis=1)
    return Figure(
        ax,
        f"In {plural(len(after) - 1, 'mistake')} the share of the panel grows from "
        f"{held[0]:.0%} to {held[-1]:.0%}.",
        table.rename_axis("after").rename_axis("expert", axis=1),
    )


def trust(trace: Trace) -> Figure:
    """Draw what a mistake must gain, and the trust in the panel, which grows by it."""
    learner: Any = trace.before
    member = trace.stream.need_target() > 0
    k, held = int(member.sum()), path(trace)[:, member]
    rates = np.linspace(0, 2.5 / k, 51)
    sides = pd.DataFrame({"gain": rates / k, "loss": np.log(np.cosh(rates))}, rates)
    looks = {"gain": look(learner) | {"linestyle": "-"}, "loss": look("upper")}
    (left,) = curves(sides, looks, "η", "per mistake, in the exponent",
                     size=(3.5, 2.8), legend="ends")  # fmt: skip
    shade(left, sides["loss"], sides["gain"], GREY, where=sides["gain"] > sides["loss"])
    best = math.atanh(1 / k)
    ends = (math.log(math.cosh(best)), best / k)
    left.plot([best, best], ends, color=INK, linestyle="-")
    left.text(best * 1.06, sum(ends) / 2, "C", va="center")
    drop = theory.least_drop(learner.eta, 1 / k)
    table = pd.DataFrame({"geometric mean": np.exp(np.log(held).mean(axis=1))})
    table["guaranteed"] = np.exp(drop * table.index) / learner.n
    table.index.name = "mistake"
    looks = {"geometric mean": look(learner), "guaranteed": look("lower")}
    (right,) = curves(table, looks, "mistake", "share of the trust",
                      yticks=[0.001, 0.01, 0.1, 1], size=(3.5, 2.8))  # fmt: skip
    right.axhline(1 / k, **look("bound"))
    right.set(ylim=(0.5 / learner.n, 1))
    right.legend(loc="lower right")
    grown = table["geometric mean"].to_numpy()
    return Figure(
        [left, right],
        f"The gain exceeds the loss by {ends[1] - ends[0]:.3f} at most, at η = "
        f"{best:.3f}. In {len(table) - 1} mistakes at η = {learner.eta:.3f} the "
        f"geometric mean of the {k} members' weights grows from {grown[0]:.2g} to "
        f"{grown[-1]:.2g}; it cannot exceed {1 / k:.2g}.",
        table,
    )


def chord(eta: float) -> Figure:
    """Draw the chord over the exponential, the one inequality of the proof."""
    z = np.linspace(-1, 1, 33)
    table = pd.DataFrame(index=pd.Index(z, name="z"))
    table["curve"], table["chord"] = np.exp(eta * z), np.cosh(eta) + z * np.sinh(eta)
    looks = {"chord": look("upper"), "curve": look(_WHO) | {"linestyle": "-"}}
    (ax,) = curves(table, looks, "z = y xᵢ", "factor on the weight")
    shade(ax, table["curve"], table["chord"], GREY)
    ax.plot(0, math.cosh(eta), **look("mistake") | {"marker": "D"}, label="cosh η")
    ax.set_xticks([-1, 0, 1])
    on = float(np.interp(0.5, z, table["curve"]))
    above, below = float(np.interp(0.55, z, table["chord"])), (10, -10)
    at: dict[str, Any] = {"textcoords": "offset points", "size": 10}
    ax.annotate("chord", (0.55, above), (-6, 6), **at, ha="right")
    ax.annotate("exp(ηz)", (0.5, on), below, **at, va="top")
    ax.annotate("cosh η", (0, math.cosh(eta)), (-8, 8), **at, ha="right")
    said = (
        f"Between −1 and 1 the chord lies above the exponential, by at most "
        f"{(table['chord'] - table['curve']).max():.3f} for η = {eta:g}; over 0 it has "
        f"the height cosh η = {math.cosh(eta):.3f}."
    )
    return Figure(ax, said, table)


def potentials(ledgers: Mapping[str, pd.DataFrame], start: float) -> Figure:
    """Draw the relative entropy in several games, each with its envelopes."""
    whose = dict.fromkeys(ledgers, _WHO)
    axes = envelopes(ledgers, "RE(u‖w)", whose=whose, start=start)
    last = max(map(len, ledgers.values()))
    for ax, name in zip(axes, ledgers, strict=True):
        ax.set(xlabel=f"mistake ({name})", xlim=(0, last + 1))
        ax.set(ylim=(-0.1, 1.05 * start))
        legend_above(ax, 2)
    ends = listed(
        f"at {readable(ledger['potential'].iloc[-1])} after {len(ledger)} mistakes "
        f"({name}; the line is at {readable(ledger['upper'].iloc[-1])})"
        for name, ledger in ledgers.items()
    )
    return Figure(
        axes,
        f"The potential starts at {start:.3f} and ends {ends}.",
        pd.concat(ledgers, names=["game"])[["lower", "potential", "upper"]],
    )


def against_eta(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw the bound, forced mistakes and random games against the rate.

    The tables have the columns n, k, eta and mistakes.
    """
    table = forced.set_index("eta")[["mistakes"]].set_axis(["adversary"], axis=1)
    table["bound"] = [
        theory.mistake_bound(int(n), 1 / int(k), eta=float(eta), k=int(k))
        for n, k, eta in zip(forced["n"], forced["k"], forced["eta"], strict=True)
    ]
    games = medians(random, "eta", "mistakes", spread=(0, 1), name="random")
    table["random"] = games.pop("random")
    looks = {"bound": look("bound"), "adversary": "adversary", "random": "random"}
    (ax,) = curves(table.join(games), looks, "η", "mistakes", who=_WHO,
                   yticks=[10, 30, 100, 300, 1000], legend="upper left")  # fmt: skip
    ax.set(ylim=(10, 1.3 * table["adversary"].max()))
    best = table.iloc[int(table["bound"].argmin())]
    endless = table.index[np.isinf(table["bound"])]
    said = (
        f"At η = {best.name:g} the bound is {best['bound']:.1f}, the adversary "
        f"forces {best['adversary']:.0f} mistakes, "
        f"{best['adversary'] / best['bound']:.0%} of it, and random streams cost "
        f"{readable(best['random'])}. From η = {endless[0]:g} on there is no bound, "
        f"and the learner errs in all {table['adversary'].max()} rounds against the "
        "adversary."
    )
    return Figure(ax, said, table.replace(math.inf, "∞"))


def tumours(table: pd.DataFrame) -> Figure:
    """Draw mistakes on the tumours against the rate, a panel for each set of experts.

    `table` has the columns constants, eta, seed, best expert, ties by chance, and one
    for each learner.
    """
    names = ["weighted majority", "Perceptron", "normalised Winnow"]
    drawn = means(table, "eta", names, "constants", "learner", spread=(0.25, 0.75))
    axes = curves(drawn, {"mean": "random"}, "η ({} constant experts)", "mistakes",
                  by="learner", split="constants", size=(3.5, 3.2),
                  xticks=sorted(set(table["eta"])), ylim=(30, 100))  # fmt: skip
    said = []
    parts = table.groupby("constants", sort=False)
    for ax, (constants, games) in zip(axes, parts, strict=True):
        mean = games[[*names, "ties by chance", "best expert"]].mean()
        ax.axhline(mean["ties by chance"], color=colour("Perceptron"), linestyle=":",
                   label="Perceptron, ties by chance")  # fmt: skip
        ax.axhline(mean["best expert"], **look("target"), label="best expert")
        rates = drawn["mean"].xs(constants).unstack("learner")["normalised Winnow"]
        said.append(
            f"with {constants} constant experts normalised Winnow makes "
            f"{rates.min():.0f} to {rates.max():.0f} mistakes, the Perceptron "
            f"{mean['Perceptron']:.0f} ({mean['ties by chance']:.0f} with ties by "
            f"chance), and the best expert {mean['best expert']:.0f}"
        )
    axes[0].legend(loc="lower left")
    return Figure(axes, sentences(said), drawn.round(1))
