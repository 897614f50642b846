"""The figures of the chapter `randomized_weighted_majority`."""

from olc.show.plots.kit import *

DRAWN = "RandomizedWeightedMajority"
_NAMES = {"majority": "WeightedMajority", "randomized": DRAWN}


def chance() -> Figure:
    """Draw the chance of a mistake against the share of the weight that is wrong."""
    share = np.array([0, 0.25, 0.5, 0.5, 0.75, 1])
    table = pd.DataFrame(
        {
            "majority": [0, 0, 0, 1, 1, 1],
            "randomized": share,
            "twice the share": 2 * share,
        },
        index=pd.Index(share, name="share"),
    )
    looks = {name: look(who) for name, who in _NAMES.items()}
    looks["twice the share"] = look("bound")
    labels = {"majority": "weighted majority"}
    (ax,) = curves(table, looks, labels=labels, size=(4.1, 3.0))
    frame([ax], "share of the weight that is wrong", "chance of a mistake")
    ax.set(xlim=(0, 1), ylim=(0, 1.05))
    ax.legend(loc="lower right", handlelength=1.3)
    return Figure(
        ax,
        "The majority errs for certain once half of the weight is wrong, which is "
        "twice that share; the randomized learner errs with exactly the share.",
        table,
    )


def no_regret(table: pd.DataFrame) -> Figure:
    """Draw the regret per round against T for both algorithms: the headline figure.

    `table` has a row for every game: `situation`, `learner`, `T`, the `regret` per
    round and its `bound`.
    """
    drawn = means(table, "T", "regret", "situation", "learner", spread=(0, 1))
    drawn["bound"] = table.groupby(["situation", "learner", "T"])["bound"].mean()
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
        frame(axes[-1:], "rounds T", title, xticks=ticks, ylim=(-0.15, 1.4))
        axes[-1].axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        last = {name: part["mean"][name].iloc[-1] for name in _NAMES}
        found.append(
            f"{situation}: after {part.index[-1][-1]} rounds the regret per round is "
            f"{last['majority']:.3f} for the majority and {last['randomized']:.3f} for "
            "the randomized learner"
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
        style: Any = {"labels": {"bound": "bound: the sum"}, "size": (2.9, 2.8)}
        axes += curves(part, looks, who=DRAWN, shaded="regret", **style)
        frame(axes[-1:], "η", f"{situation}: expected regret", ylim=(-10, 130))
        axes[-1].axhline(0, color=GREY, linewidth=0.8, linestyle="-")
        found.append(
            f"{situation}: the regret is least, {part['regret'].min():.1f}, at η = "
            f"{part['regret'].idxmin():g}, and the bound, {part['bound'].min():.1f}, "
            f"at η = {part['bound'].idxmin():g}"
        )
    axes[0].legend(loc="upper right")
    columns = ["m", "regret", "η m", "ln N / η", "bound"]
    return Figure(axes, sentences(found), drawn[columns])


_TERM: dict[str, Any] = {"color": GREY, "linewidth": 1.2}


def choices_of_eta(table: pd.DataFrame) -> Figure:
    """Draw the bound and the regret per round under several rules for η.

    `table` has a row for every game: `rule`, `T`, `regret` and `bound`, per round.
    """
    rules = list(dict.fromkeys(table["rule"]))
    wide = table.pivot(index="T", columns="rule", values=["regret", "bound"])
    axes = []
    labels = {rule: f"η = {rule}" for rule in rules}
    for what, name in (("bound", "bound"), ("regret", "expected regret")):
        part: Any = wide[what]
        style = look(DRAWN, "bound" if what == "bound" else None)
        looks = {
            rule: style | {"marker": marker, "fillstyle": "none"}
            for rule, marker in zip(rules, "sDv", strict=True)
        }
        axes += curves(part, looks, labels=labels, size=(3.4, 3.2))
        frame(axes[-1:], "rounds T", f"{name} / T", xticks=wide.index)
        axes[-1].set(yscale="log", ylim=(0.005, 2))
    axes[0].legend(loc="lower left")
    regret = wide["regret"]
    last = [f"{regret[rule].iloc[-1]:.3f} with η = {rule}" for rule in rules]
    ahead = int((regret[rules[-1]] < regret[rules[-2]]).sum())
    return Figure(
        axes,
        f"After {wide.index[-1]} rounds the regret per round is {listed(last)}; "
        f"η = {rules[-1]} beats η = {rules[-2]} at {ahead} of {len(wide)} lengths.",
        wide,
    )
