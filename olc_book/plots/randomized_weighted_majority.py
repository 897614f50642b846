"""The figures of the chapter `randomized_weighted_majority`."""

from olc import randomized_weighted_majority as coins
from olc import weighted_majority as votes
from olc_book.plots.kit import *

DRAWN = "RandomizedWeightedMajority"
_NAMES = {"majority": "WeightedMajority", "randomised": DRAWN}
_BOUNDS = {"majority": votes.mistake_bound, "randomised": coins.mistake_bound}
_TERM: dict[str, Any] = {"color": GREY, "linewidth": 1.2}


def chance() -> Figure:
    """Draw the chance of a mistake against the share of the weight that is wrong."""
    share = np.array([0, 0.25, 0.5, 0.5, 0.75, 1])
    table = pd.DataFrame(
        {
            "majority": [0, 0, 0, 1, 1, 1],
            "randomised": share,
            "twice the share": 2 * share,
        },
        index=pd.Index(share, name="share"),
    )
    looks = {name: look(who) for name, who in _NAMES.items()}
    looks["twice the share"] = look("bound")
    (ax,) = curves(table, looks, size=(4.1, 3.0))
    frame([ax], "share of the weight that is wrong", "chance of a mistake")
    ax.set(xlim=(0, 1), ylim=(0, 1.05))
    ax.legend(loc="lower right", handlelength=1.3)
    return Figure(
        ax,
        "The chance of a mistake jumps from 0 to 1 for the majority when half of the "
        "weight is wrong; for the randomised learner it is the wrong share itself.",
        table,
    )


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
    drawn = means(runs, "T", "regret", "situation", "learner", spread=(0, 1))
    drawn["bound"] = runs.groupby(["situation", "learner", "T"])["bound"].mean()
    axes, found = [], []
    for situation, part in groups(drawn, "situation"):
        looks = {"mean": situation_look(situation), "bound": "bound"}
        style: Any = {
            "whose": _NAMES,
            "labels": {"bound": "{}, bound"},
            "size": (3.4, 3.4),
        }
        axes += curves(part, looks, by="learner", shaded="mean", **style)
        ticks, title = part.index.unique("T"), f"{situation}: regret / T"
        frame(axes[-1:], "rounds T", title, xticks=ticks, ylim=(-0.15, 1.9))
        axes[-1].axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        last = {name: part["mean"][name].iloc[-1] for name in _NAMES}
        found.append(
            f"{situation}: after {part.index[-1][-1]} rounds the regret per round is "
            f"{last['majority']:.3f} for the majority and {last['randomised']:.3f} for "
            "the randomised learner"
        )
    axes[-1].legend(loc="upper right")
    return Figure(axes, sentences(found), drawn)


def terms(table: pd.DataFrame, n: int) -> Figure:
    """Draw the expected regret against η beside the two terms of its bound.

    `table` has a row for every game: `situation`, `eta`, `m` and the `regret`.
    """
    drawn = means(table, "eta", "regret", "situation", name="regret")
    eta = drawn.index.get_level_values("eta")
    drawn["m"] = table.groupby(["situation", "eta"])["m"].mean()
    drawn["η m"], drawn["ln N / η"] = eta * drawn["m"], np.log(n) / eta
    drawn["bound"] = drawn["η m"] + drawn["ln N / η"]
    axes, found = [], []
    for situation, part in groups(drawn, "situation"):
        looks = {
            "bound": look("bound"),
            "ln N / η": _TERM | {"linestyle": "-."},
            "η m": _TERM | {"linestyle": ":"},
            "regret": situation_look(situation),
        }
        style: Any = {"labels": {"bound": "bound: the sum"}, "size": (3.4, 2.9)}
        axes += curves(part, looks, who=DRAWN, shaded="regret", **style)
        frame(axes[-1:], "η", f"{situation}: expected regret", ylim=(-10, 130))
        axes[-1].axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        last = part.iloc[-1]
        found.append(
            f"{situation}: at η = {part.index[-1]:g} the regret is "
            f"{last['regret']:.1f}, ln N/η is {last['ln N / η']:.1f} and ηm is "
            f"{last['η m']:.1f}"
        )
    axes[0].legend(loc="upper right")
    columns = ["m", "regret", "η m", "ln N / η", "bound"]
    return Figure(axes, sentences(found), drawn[columns])
