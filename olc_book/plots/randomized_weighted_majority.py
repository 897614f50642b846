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
                   "chance of a mistake", size=(4.1, 2.7), xlim=(0, 1),
                   ylim=(0, 1.05))  # fmt: skip
    for name, place in (("majority", (0.72, 0.9)), ("randomised", (0.97, 0.6)),
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

    `table` has a row for every game: `T`, the mistakes of both learners (`majority`,
    `randomised`) and `m`, those of the best of the n experts.
    """
    runs = table.melt(["T", "m"], [*_NAMES], "learner", "mistakes")
    runs["regret"] = (runs["mistakes"] - runs["m"]) / runs["T"]
    runs["bound"] = [
        (_BOUNDS[who](n, m, coins.best_eta(n, rounds), simple=True) - m) / rounds
        for who, m, rounds in zip(runs["learner"], runs["m"], runs["T"], strict=True)
    ]
    drawn = means(runs, "T", "regret", "learner", spread=(0, 1), also=["bound"])
    (ax,) = curves(drawn, {"mean": "adversary", "bound": "bound"}, "rounds T",
                   "regret / T", by="learner", whose=_NAMES,
                   labels={"bound": "{}, bound"}, shaded="mean", size=(4.1, 2.6),
                   xticks=drawn.index.unique("T"), ylim=(-0.06, 1.25))  # fmt: skip
    ax.axhline(0, color=GREY, linewidth=0.8, linestyle="-")
    for who, name, place in (
        ("majority", "its bound", (75, 1.03)),
        ("majority", "majority", (330, 0.43)),
        ("randomised", "its bound", (56, 0.36)),
        ("randomised", "randomised", (520, 0.16)),
    ):
        ax.text(*place, name, color=colour(_NAMES[who]), size=10)
    last = drawn.index.unique("T")[-1]
    said = (
        f"After {last:,} rounds the regret per round is "
        f"{drawn['mean']['majority', last]:.3f} for the majority and "
        f"{drawn['mean']['randomised', last]:.3f} for the randomised learner."
    )
    return Figure(ax, said, drawn)


def minimax(table: pd.DataFrame, value: float, scale: float) -> Figure:
    """Draw what two players secure after T rounds, the value, and their distance.

    `scale` is the range of the payments, in which the bound on the regret is counted.
    """
    drawn = table.set_index("T")
    columns = {"Odd pays at most": "Odd", "Even gets at least": "Even"}
    both = drawn[[*columns]].rename(columns=columns)
    looks: dict[str, Any] = {
        "Odd": look(DRAWN, "random"),
        "Even": {"color": INK, "marker": "s", "linestyle": "-"},
    }
    (ax,) = curves(both, looks, "rounds T", "Odd pays to Even", size=(3.5, 2.7),
                   xticks=drawn.index[::2])  # fmt: skip
    shade(ax, both["Even"], both["Odd"], GREY)
    ax.axhline(value, **look("target"))
    ax.text(60, value + 0.035, "Odd, at most", color=colour(DRAWN), size=10)
    ax.text(60, -0.3, "Even, at least", color=INK, size=10)
    ax.set(ylim=(None, 0))
    apart = (both["Odd"] - both["Even"]).to_frame("distance")
    apart["bound"] = [scale / t * coins.regret_bound(2, t) for t in drawn.index]
    (far,) = curves(apart, {"bound": look("bound"), "distance": look("measured")},
                    "rounds T", "distance", size=(3.5, 2.7),
                    xticks=drawn.index[::2], yticks=[0.01, 0.1, 1])  # fmt: skip
    far.text(300, 1.0, "bound", color=look("bound")["color"], size=10)
    far.text(13, 0.055, "measured", color=look("measured")["color"], size=10)
    last = drawn.index[-1]
    said = (
        f"After {last} rounds Odd's mean mix pays at most {number(both['Odd'][last])} "
        f"per round, and Even's frequencies get at least "
        f"{number(both['Even'][last])}; the value {number(value)} lies between them, "
        f"and the bound on their distance is {number(apart['bound'][last])}."
    )
    return Figure([ax, far], said, drawn.assign(**apart))


def on_a_panel(games: pd.DataFrame) -> Figure:
    """Draw the mistakes in every hundred rounds, with the range of the vote.

    `games` has the levels seed and round, and columns with the mistakes (or chances)
    of the "best expert", "RWMA", "vote", "lazy vote" and "Perceptron".
    """
    looks: dict[str, Any] = {
        "best expert": {"color": INK, "linestyle": ":"},
        "RWMA": look(DRAWN),
        "vote": look("WeightedMajority"),
        "lazy vote": look("WeightedMajority") | {"linestyle": "--"},
        "Perceptron": look("Perceptron"),
    }
    ax, after = panel(height=2.8), games.index.get_level_values("round")
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
