"""The figures of the chapter `randomized_weighted_majority`."""

from olc import randomized_weighted_majority as coins
from olc import weighted_majority as votes
from olc_book.plots.kit import *

__all__ = ["DRAWN", "chance", "wrong_share", "no_regret", "minimax", "on_a_panel"]

DRAWN = "RandomizedWeightedMajority"
_NAMES = {"majority": "WeightedMajority", "randomised": DRAWN}
_BOUNDS = {"majority": votes.mistake_bound, "randomised": coins.mistake_bound}


def chance() -> Figure:
    """Draw the chance of a mistake against the share of the weight that is wrong."""
    share = np.array([0, 0.25, 0.5, 0.5, 0.75, 1])
    table = pd.DataFrame(index=pd.Index(share, name="share"))
    table["majority"], table["randomised"] = [0, 0, 0, 1, 1, 1], share
    table["twice the share"] = 2 * share
    looks = {name: look(who) for name, who in _NAMES.items()}
    looks["twice the share"] = look("bound")
    (ax,) = curves(table, looks, "share of the weight that is wrong",
                   "chance of a mistake", size=(4.1, 3.0), xlim=(0, 1),
                   ylim=(0, 1.05))  # fmt: skip
    for name, place in (("majority", (0.9, 0.91)), ("randomised", (0.97, 0.6)),
                        ("twice the share", (0.34, 0.74))):  # fmt: skip
        ax.text(*place, name, ha="right", color=looks[name]["color"], size=10)
    said = (
        "The chance of a mistake jumps from 0 to 1 for the majority when half of the "
        "weight is wrong; for the randomised learner it is the wrong share itself."
    )
    return Figure(ax, said, table)


def wrong_share(table: pd.DataFrame) -> Figure:
    """Draw the share of the weight that is wrong in every round, the column F."""
    ax, F = panel(height=2.6), table["F"]
    errs = F >= 0.5  # the majority, at a tie as well
    ax.bar(F.index, F, width=0.6, color=colour(DRAWN))
    ax.bar(F.index, 1 - F, width=0.6, bottom=F, color=GREY, alpha=0.25)
    ax.axhline(0.5, color=INK, linestyle=":")
    ax.plot(F.index[errs], np.full(errs.sum(), 1.06), **look("mistake"))
    ax.set(xlabel="round", ylabel="share of the weight", ylim=(0, 1.14))
    ax.set_xticks(F.index)
    ax.grid(visible=False, axis="x")
    said = (
        f"The wrong shares add up to {F.sum():.3f}; they reach one half in "
        f"{errs.sum()} of the {len(F)} rounds, and there the majority errs."
    )
    return Figure(ax, said, table)


def no_regret(table: pd.DataFrame, n: int) -> Figure:
    """Draw the regret per round against T for both algorithms: the headline figure.

    `table` has a row for every stream: `situation`, `T`, the mistakes of both learners
    (`majority`, `randomised`) and `m`, those of the best of the n experts.
    """
    runs = table.melt(["situation", "T", "m"], [*_NAMES], "learner", "mistakes")
    runs["regret"] = (runs["mistakes"] - runs["m"]) / runs["T"]
    runs["bound"] = [
        (_BOUNDS[who](n, m, coins.best_eta(n, rounds), simple=True) - m) / rounds
        for who, m, rounds in zip(runs["learner"], runs["m"], runs["T"], strict=True)
    ]
    drawn = means(runs, "T", "regret", "situation", "learner", spread=(0, 1),
                  also=["bound"])  # fmt: skip
    axes = curves(drawn, {"mean": situation_look, "bound": "bound"}, "rounds T",
                  "{}: regret / T", by="learner", split="situation", whose=_NAMES,
                  labels={"bound": "{}, bound"}, shaded="mean", size=(3.4, 3.4),
                  xticks=drawn.index.unique("T"), ylim=(-0.17, 1.35))  # fmt: skip
    for ax in axes:
        ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    first, last = axes[0], axes[-1]
    for ax, who, name, place in (
        (first, "majority", "bound", (75, 1.03)),
        (first, "majority", "majority", (300, 0.42)),
        (first, "randomised", "bound", (150, 0.23)),
        (first, "randomised", "randomised", (75, -0.12)),
        (last, "majority", "bound", (75, 1.03)),
        (last, "randomised", "bound", (150, 0.23)),
        (last, "randomised", "both learners", (75, -0.12)),
    ):
        color = INK if name == "both learners" else colour(_NAMES[who])
        ax.text(*place, name, color=color, size=10)
    found = [
        f"{situation}: after {part.index[-1][-1]} rounds the regret per round is "
        f"{part['mean']['majority'].iloc[-1]:.3f} for the majority and "
        f"{part['mean']['randomised'].iloc[-1]:.3f} for the randomised learner"
        for situation, part in groups(drawn, "situation")
    ]
    return Figure(axes, sentences(found), drawn)


def minimax(table: pd.DataFrame, value: float) -> Figure:
    """Draw what two players secure after T rounds, and the value between them."""
    drawn = table.set_index("T")
    upper, lower = drawn["Odd pays at most"], drawn["Even gets at least"]
    columns = {"Odd pays at most": upper, "Even gets at least": lower}
    looks: dict[str, Any] = {
        "Odd pays at most": look(DRAWN, "random"),
        "Even gets at least": {"color": INK, "marker": "s", "linestyle": "-"},
    }
    (ax,) = curves(pd.DataFrame(columns), looks, "rounds T", "from Odd to Even",
                   xticks=drawn.index)  # fmt: skip
    name_ends(ax)
    shade(ax, lower, upper, GREY)
    ax.axhline(value, **look("target"))
    last = drawn.index[-1]
    said = (
        f"After {last} rounds Odd's mean mix pays at most {number(upper[last])} per "
        f"round, and Even's frequencies get at least {number(lower[last])}; the value "
        f"{number(value)} lies between them."
    )
    return Figure(ax, said, drawn)


def on_a_panel(games: pd.DataFrame) -> Figure:
    """Draw the mistakes in every hundred rounds, with the range of the vote.

    `games` has the levels seed and round, and columns with the mistakes (or chances)
    of the "best expert", "RWMA", "vote" and "Perceptron".
    """
    looks: dict[str, Any] = {
        "best expert": {"color": INK, "linestyle": ":"},
        "RWMA": look(DRAWN),
        "vote": look("WeightedMajority"),
        "Perceptron": look("Perceptron"),
    }
    ax, after = panel(height=3.1), games.index.get_level_values("round")
    blocks = games[[*looks]].astype(float)
    blocks = blocks.groupby(["seed", (after + 99) // 100 * 100]).sum()
    by_round = blocks.groupby(level="round")
    middle, low, high = by_round.mean(), by_round["vote"].min(), by_round["vote"].max()
    shade(ax, low, high, looks["vote"]["color"], alpha=0.15)
    for name, style in looks.items():
        ax.plot(middle.index, middle[name], **style, label=name)
    ax.set(xlabel="round", ylabel="mistakes in the last 100 rounds", ylim=(0, None))
    name_ends(ax)
    half = blocks[blocks.index.get_level_values("round") > middle.index[-1] / 2]
    table = half.groupby(level="seed").mean().agg(["mean", "sem", "min", "max"])
    found = [f"{row['mean']:.1f} for {name}" for name, row in table.T.iterrows()]
    said = (
        f"In the second half the mistakes per hundred rounds are {listed(found)}; the "
        f"vote had {middle['vote'].min():.1f} at its best."
    )
    return Figure(ax, said, table.round(9).round(1))
