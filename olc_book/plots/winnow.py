"""The figures of the chapter `winnow`."""

import copy

from matplotlib.patches import Rectangle

from olc import winnow as theory
from olc_book.plots.kit import *

__all__ = ["situation", "growth", "rounds", "account", "moment", "scaling", "noise"]


def situation(stream: Stream) -> Figure:
    """Draw a few examples: which bits are on, which are relevant, the labels."""
    relevant = theory.relevant_features(stream)
    ax = panel()
    examples(ax, stream.X, stream.y, relevant.tolist())
    positive = int((stream.y > 0).sum())
    return Figure(
        ax,
        f"{positive} of the {len(stream)} examples are positive, namely those in "
        f"which at least one of the {len(relevant)} relevant bits is on; the other "
        f"{stream.n - len(relevant)} bits have no part in it.",
        pd.DataFrame(stream.X, columns=range(1, stream.n + 1)).assign(y=stream.y),
    )


def growth(table: pd.DataFrame, **whose: str) -> Figure:
    """Draw the mistakes of several learners, a column each, against n.

    `whose` names the algorithm of each column, by default Perceptron and Winnow.
    """
    names = whose or {"Perceptron": "Perceptron", "Winnow": "Winnow"}
    drawn = medians(table, "n", list(names), "learner", spread=(0, 1))
    ticks = sorted(set(table["n"]))
    axes = curves(drawn, {"median": "random"}, "features", "mistakes", by="learner",
                  whose=names, xticks=ticks, ylim=(0, None), legend="ends")  # fmt: skip
    axes[0].set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    grown = listed(
        f"from {readable(middle.iloc[0])} to {readable(middle.iloc[-1])} ({name})"
        for name, middle in groups(drawn["median"], "learner")
    )
    said = (
        f"Between {ticks[0]} and {ticks[-1]} features the median number of mistakes "
        f"goes {grown}."
    )
    return Figure(axes, said, drawn)


def rounds(trace: Trace, first: int = 0, shown: int | None = None) -> Figure:
    """Draw the weights before every round, those in use tinted, and what is done.

    The picture begins after `first` rounds and has the first `shown` features only.
    """
    learner: Any = copy.deepcopy(trace.before)
    theta, size, ink = learner.threshold, shown or learner.n, colour("Winnow")
    looks: dict[str, dict[str, Any]] = {
        "×2": {"color": ink, "alpha": 0.45, "linewidth": 0},
        "÷2": {"facecolor": "none", "edgecolor": ink, "linewidth": 1.5},
        "right": {"color": GREY, "alpha": 0.25, "linewidth": 0},
    }
    count = len(trace) - first
    ax = panel(WIDEST, 0.235 * (count + 2) + 0.5)
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    kept = []
    for t, (x, y) in enumerate(trace.stream):
        before, total = learner.weights.copy(), float(learner.scores(x))
        said = learner.learn(x, y)
        done = "right" if said == y else "×2" if y > 0 else "÷2"
        kept.append([*before, total, y, done])
        if (row := t - first) < 0:
            continue
        for feature in np.flatnonzero(x[:size]).tolist():
            ax.add_patch(
                Rectangle((feature + 0.56, row - 0.43), 0.88, 0.86, **looks[done])
            )
        sign = "<" if total < theta else "≥"
        for text, place in [
            ("+" if y > 0 else "−", size + 1.3),
            (f"{total:g} {sign} {theta:g}", size + 2.9),
            (done, size + 4.6),
        ]:
            ax.text(place, row, text, **middle)
        for feature in range(size):
            ax.text(feature + 1, row, f"{before[feature]:g}", **middle)
    for feature in range(size):
        ax.text(feature + 1, count, f"{learner.weights[feature]:g}", **middle)
    for said, place in ("label", 1.3), ("sum", 2.9), ("then", 4.6):
        ax.text(size + place, -1, said, **middle, color=GREY)
    relevant = theory.relevant_features(trace.stream).tolist()
    for feature in range(size):
        style = {"weight": "bold"} if feature in relevant else {"color": GREY}
        name = f"x{'₀₁₂₃₄₅₆₇₈₉'[feature + 1]}"
        ax.text(feature + 1, -1, name, **middle | style)
    ax.axvspan(min(relevant) + 0.5, max(relevant) + 1.5, color=INK, alpha=0.06,
               linewidth=0)  # fmt: skip
    ax.set(xlim=(0.4, size + 5.2), ylim=(count + 0.6, -1.6), ylabel="round", xticks=[])
    ax.set_yticks(
        range(count + 1), [*map(str, range(first + 1, len(trace) + 1)), "end"]
    )
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.grid(visible=False)
    drawn = kept[first:]
    wrong = [row[-1] for row in drawn if row[-1] != "right"]
    names = [*range(1, learner.n + 1), "sum", "label", "then"]
    table = pd.DataFrame(drawn, columns=names, index=range(first + 1, len(trace) + 1))
    same = np.array_equal(learner.weights[:size], drawn[0][:size])
    back = " and then they are what they were in the beginning" if same else ""
    return Figure(
        ax,
        f"In {count} rounds the weights in use are doubled {wrong.count('×2')} "
        f"times and halved {wrong.count('÷2')} times{back}; no weight of a feature "
        "that is off changes.",
        table.drop(columns=range(size + 1, learner.n + 1)).rename_axis("round"),
    )


def account(ledger: pd.DataFrame) -> Figure:
    """Draw the potential after every mistake as what it is the sum of."""
    kept, last = ledger["potential"] - ledger["weight"], ledger.iloc[-1]
    ax, ink = panel(height=2.6), colour("Winnow")
    ax.bar(ledger.index, ledger["weight"], color=ink, label="weight")
    ax.bar(ledger.index, kept, bottom=ledger["weight"], color="none", edgecolor=ink,
           hatch="///", label="set aside")  # fmt: skip
    ax.plot(ledger["lower"], **look("lower"), label="at least")
    ax.set(xlabel="mistake", ylabel="sum", xticks=ledger.index)
    legend_above(ax, 3)
    return Figure(
        ax,
        f"After each of the {len(ledger)} mistakes the potential is lower than before; "
        f"it ends at {last['potential']:g}, of which {last['weight']:g} are weight and "
        f"{kept.iloc[-1]:g} are set aside. Its lower bound is then {last['lower']:g}.",
        ledger[["weight", "ahead", "lower", "potential"]],
    )


def moment(trace: Trace, step: int) -> Figure:
    """Draw the weights after `step` mistakes, and how far the ledger has come."""
    learner: Any = trace.before
    relevant, theta = theory.relevant_features(trace.stream), learner.threshold
    weights = learner.weights
    for number, update in enumerate(trace.replay(), start=1):
        if number <= step:
            weights = update.learner.weights
    left, right = panels(2)
    chosen = np.isin(np.arange(learner.n), relevant)
    level = np.log2(np.where(weights > 0, weights, np.nan))
    places, style = np.arange(1, learner.n + 1), look(learner) | {"linestyle": "none"}
    left.plot(places[~chosen], level[~chosen], ".", color=GREY, markersize=3)
    left.plot(places[chosen], level[chosen], **style | {"marker": "o"})
    left.axhline(np.log2(theta), **look("bound"))
    left.set(xlabel="feature", ylabel="log₂ weight", xlim=(0, learner.n + 1))
    top = float(np.log2(theta))
    left.set(ylim=(-6.5, top + 1.5), yticks=range(-6, int(top) + 2, 2))
    ledger = theory.proof(trace)
    start = float((ledger["upper"] + ledger["demotions"] * theta / 2).iloc[0])
    envelope(right, ledger, "potential", who=learner, start=start, now=step)
    right.set(xlim=(0, len(ledger) + 1), ylim=(0, 1.05 * float(ledger["upper"].max())))
    legend_above(right, 2)
    up, down = 0, 0
    if step:
        up, down = ledger[["promotions", "demotions"]].iloc[step - 1].astype(int)
    ahead = int((weights[relevant] >= theta).sum())
    return Figure(
        [left, right],
        f"After {plural(up, 'promotion')} and {plural(down, 'demotion')} the "
        f"total weight is {readable(weights.sum())} and the potential "
        f"{readable(ledger['potential'].iloc[step - 1] if step else start)}, the "
        "heaviest irrelevant weight "
        f"{readable(weights[~chosen].max())}, and {ahead} of {len(relevant)} relevant "
        "weights have reached the threshold.",
        pd.DataFrame({"weight": weights, "relevant": chosen}, index=places),
    )


def scaling(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw mistakes against n, one panel for each k: random games and forced ones."""
    games = medians(random, "n", "mistakes", "k", spread=(0, 1), name="random")
    rows = forced[["k", "n", "mistakes"]].rename(columns={"mistakes": "adversary"})
    table = rows.set_index(["k", "n"]).sort_index()
    table["random"] = games.pop("random")
    table["bound"] = [theory.mistake_bound(n, k) for k, n in table.index]
    # half of a block is left after each mistake, rounded down
    table["any learner"] = [k * int(np.log2(n // k)) for k, n in table.index]
    looks = {"bound": look("bound"), "adversary": "adversary", "random": "random"}
    looks["any learner"] = look("lower")
    axes = curves(table.join(games), looks, "N (k = {})", "mistakes", who="Winnow",
                  split="k", size=(3.5, 2.8), xticks=table.index.unique("n")[::2],
                  ylim=(0, None), legend="ends")  # fmt: skip
    met = int((table["adversary"] == table["bound"]).sum())
    last = table.iloc[-1]
    said = (
        f"The adversary forces exactly as many mistakes as the bound allows in {met} "
        f"of {len(table)} cases, {last['adversary']:.0f} in the last one, where random "
        f"streams cost {readable(last['random'])} and any deterministic learner can be "
        f"made to err {last['any learner']:.0f} times."
    )
    return Figure(axes, said, table)


def noise(table: pd.DataFrame, n: int, k: int) -> Figure:
    """Draw a dot for every noisy game, the mistakes against its attribute errors."""
    games = table[table["n"] == n]
    errors = np.arange(games["A"].max() + 1)
    bound = [theory.noisy_bound(n, k, int(count)) for count in errors]
    ax = panel()
    ax.plot(errors, bound, **look("bound"), label="bound")
    marks = {"labels": "positive", "bits": "negative"}
    for kind, part in games.groupby("noise", sort=False):
        style = look(marks[str(kind)]) | {"markersize": 3, "color": colour("Winnow")}
        ax.plot(part["A"], part["mistakes"], **style, label=f"wrong {kind}")
    ax.set(xlabel="attribute errors A", ylabel="mistakes", ylim=(0, None))
    ax.legend()
    slope = games["extra"].sum() / games["A"].sum()
    return Figure(
        ax,
        f"All {len(games)} games stay below the bound, a line that rises by 3 for each "
        f"attribute error; in the games an error adds {slope:.1f} mistakes on average.",
        games.groupby(["noise", "n"], sort=False)[["A", "mistakes", "bound"]].mean(),
    )
