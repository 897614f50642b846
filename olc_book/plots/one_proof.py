"""The figures of the chapter `one_proof`."""

from olc import geometry, p_norm
from olc_book.plots.kit import *

__all__ = ["links", "mistake", "crossings", "orders", "ledgers", "norms", "noise"]

_WHO = p_norm.PNormPerceptron
_TICKS, _DOTS = [2, 3, 5, 10, 20, 30], (0, (5, 1, 1, 1, 1, 1))
#: The mistakes of all runs, with their range and their bound.
_ALL: dict[str, Any] = {"spread": (0, 1), "name": "mistakes", "also": ["bound"]}


def links(
    table: pd.DataFrame, s: ArrayLike, potentials: Mapping[str, Callable[..., float]]
) -> Figure:
    """Draw level curves of potentials with their gradients, and what the links do.

    The index of `table` is an entry of s, as a share of the largest; a column has the
    weights of one learner, as shares of the largest. `potentials` has the value of the
    potential of each of these learners, and `s` is a point of the plane.
    """
    styles = [("Perceptron", "-"), (_WHO, "-."), (_WHO, ":"), (_WHO, _DOTS)]
    looks = {
        name: look("normalised Winnow" if "Winnow" in str(name) else who)
        | {"linestyle": line}
        for name, (who, line) in zip(table, styles, strict=False)
    }
    ax, here, told = panel(3.5, 2.9), np.asarray(s, dtype=float), []
    for place, (name, value) in enumerate(potentials.items()):
        style = looks[name]
        _level(ax, value, value(here), 4.4, **style)
        slope = geometry.unit(_slope(value, here))
        arrow(ax, here + 1.7 * slope, here, color=style["color"])
        _called(ax, str(name), here + 1.7 * slope, (4, 5 - 9 * place))
        turned = np.degrees(np.arctan2(slope[1], slope[0]))
        told.append(f"{turned:.1f}° ({name})")
    ax.plot(*here, color=INK, marker="o", markersize=6)
    _called(ax, "s", here, (-12, -10))
    ax.set(xlim=(-4, 6.4), ylim=(-4.6, 4.6), aspect="equal", xlabel="s₁", ylabel="s₂")
    ax.locator_params(nbins=5)
    label = "entry of s, share of the largest"
    axes = curves(table, looks, label, "weight, share", legend="upper left",
                  size=(3.5, 2.9))  # fmt: skip
    half = table.index[int(np.abs(table.index - 0.5).argmin())]
    middle = table.loc[half].items()
    said = listed(f"{number(share)} ({name})" for name, share in middle)
    return Figure(
        [ax, *axes],
        f"At s the gradient has an angle with the first axis of {listed(told)}. "
        f"An entry that is {half:g} of the largest has a weight of {said}, as a share "
        "of the largest weight.",
        table.rename_axis("entry"),
    )


def _slope(value: Callable[..., float], at: Vector) -> Vector:
    step = 1e-6 * np.eye(len(at))
    return np.array([value(at + h) - value(at - h) for h in step]) / 2e-6


def _level(
    ax: Axes, value: Callable[..., float], height: float, reach: float, **style: Any
) -> None:
    """Draw where a function of the plane has this height."""
    side = np.linspace(-reach, reach, 161)
    grid = [[value(np.array([across, up])) for across in side] for up in side]
    ax.contour(side, side, grid, [height], colors=[style["color"]],
               linestyles=[style["linestyle"]],
               linewidths=[style.get("linewidth", 1.8)])  # fmt: skip


def _called(
    ax: Axes, name: str, at: Any, offset: tuple[float, float], ha: str = "left"
) -> None:
    ax.annotate(name, (at[0], at[1]), offset, textcoords="offset points", ha=ha)


def mistake(orders: Sequence[float], places: Sequence[Any], R: float = 1) -> Figure:
    """Draw where a mistake can lead from some places s, a panel for each p.

    The examples have a p-norm of at most R. A place is scaled to the p-norm 3.
    """
    axes, rows, round_ = panels(len(orders), height=2.9), [], np.linspace(0, 1, 721)
    for ax, p in zip(axes, orders, strict=True):
        whose = look("Perceptron" if p == 2 else _WHO) | {"linestyle": "-"}

        def value(s: Vector, p: float = p) -> float:
            return float(geometry.norm(s, p) ** 2 / 2)

        level, c = 4.5, (p - 1) * R**2 / 2
        _level(ax, value, level, 4.3, **whose)
        _level(ax, value, level + c, 4.3, **look("bound"))
        for place in places:
            s = 3 * np.asarray(place, dtype=float) / geometry.norm(np.array(place), p)
            w = geometry.unit(_slope(value, s))
            angle = np.arctan2(-w[0], w[1]) - np.pi * round_  # from w on, clockwise
            ball = np.column_stack([np.cos(angle), np.sin(angle)])
            ball *= R / np.array([geometry.norm(z, p) for z in ball])[:, None]
            if (ball @ w).mean() > 0:
                ball = -ball
            ax.fill(*(s + ball).T, color=PURPLE, alpha=0.25, linewidth=0, linestyle="-")
            across = np.array([-w[1], w[0]])
            ax.plot(*np.array([s - 1.5 * across, s + 1.5 * across]).T, color=GREY,
                    linestyle=":", linewidth=1.4)  # fmt: skip
            arrow(ax, s + 1.2 * w, s, color=whose["color"])
            ax.plot(*s, color=INK, marker="o", markersize=5)
            rises = [value(s + z) - level for z in ball]
            rows.append([p, f"({s[0]:.2f}, {s[1]:.2f})", max(rises), c])
        first = 3 * np.asarray(places[0], dtype=float)
        first /= geometry.norm(first / 3, p)
        _called(ax, "s", first, (-12, -12))
        _called(ax, "w", first + 1.2 * geometry.unit(_slope(value, first)), (4, 2))
        ax.set(xlim=(-1.2, 4.7), ylim=(-1.2, 4.7), aspect="equal")
        ax.set(xlabel=f"s₁ (p = {p:g})", ylabel="s₂")
        ax.locator_params(nbins=5)
    table = pd.DataFrame(rows, columns=["p", "s", "largest rise", "c"])
    told = listed(
        f"{rise:.2f} of at most {c:g} (p = {p:g}, s = {s})" for p, s, rise, c in rows
    )
    return Figure(axes, f"The largest rises are {told}.", table.round(3))


def crossings(
    found: Mapping[str, tuple[float, float, Callable[[float], float]]],
    factors: Mapping[str, Sequence[float]],
) -> Figure:
    """Draw the two sides of the inequality of the one proof against the mistakes.

    `found` has c, γ and the function λ ↦ Φ*(λu) of each learner, `factors` the λ.
    """
    axes, rows = panels(len(found), height=2.6), []
    for ax, (name, (c, gamma, conjugate)) in zip(axes, found.items(), strict=True):
        style = look(name) | {"linestyle": "-"}
        ends = [
            (scale, conjugate(scale) / (scale * gamma - c)) for scale in factors[name]
        ]
        best = min(end for _, end in ends)
        count = np.linspace(0, 1.55 * best, 90)
        ax.plot(count, c * count, **look("upper"), label="Mc")
        for scale, end in ends:
            height = scale * gamma * count - conjugate(scale)
            width = {"linewidth": 2.2 if end == best else 1.0}
            ax.plot(count, height, **style | width)
            ax.plot(end, c * end, **look("mistake"))
            rows.append([name, scale, end])
        lower = np.max(
            [scale * gamma * count - conjugate(scale)
             for scale in [*factors[name], *np.linspace(0, 2.5 * ends[-1][0], 400)]
             if math.isfinite(conjugate(scale))], axis=0)  # fmt: skip
        past = count <= best
        ax.fill_between(count[past], np.maximum(lower, 0)[past], c * count[past],
                        color=GREY, alpha=0.15, linewidth=0)  # fmt: skip
        ax.axvline(best, color=GREY, linewidth=0.8)
        which = "λ = 1" if len(ends) == 1 else "the best λ"
        _called(ax, which, (best, c * count[-1]), (-6, 0), ha="right")
        _called(ax, "Mc", (0.4 * best, 0.4 * best * c), (-22, 6))
        _called(ax, f"M = {best:.0f}", (best, 0), (4, 4))
        ax.set(xlabel=f"mistakes M ({name})", ylabel="Φ(s)",
               xlim=(0, count[-1]), ylim=(0, 1.1 * c * count[-1]))  # fmt: skip
    table = pd.DataFrame(rows, columns=["learner", "λ", "crosses at M"])
    told = listed(f"{end:.1f} (λ = {scale:.3g}, {name})" for name, scale, end in rows)
    return Figure(axes, f"The lines cross at M = {told}.", table.round(3))


def orders(random: pd.DataFrame, forced: pd.DataFrame) -> Figure:
    """Draw mistakes, bounds and what is forced against p, a panel for each k.

    `random` has the columns k, p, seed, random and normalised Winnow; `forced` has k,
    p, adversary and bound.
    """
    also = ["normalised Winnow"]
    table = medians(random, "p", "random", "k", spread=(0, 1), name="random", also=also)
    table = table.join(forced.set_index(["k", "p"]))
    looks: dict[str, Any] = {
        "bound": "bound",
        "adversary": "adversary",
        "random": "random",
        "normalised Winnow": look("normalised Winnow"),
    }
    axes = curves(table, looks, "p (k = {})", "mistakes", who=_WHO, split="k",
                  size=(3.5, 2.9), xticks=_TICKS, yticks=[10, 100, 1000],
                  ylim=(4, 3000))  # fmt: skip
    lines = dict(groups(table, "k"))
    first = next(iter(lines.values()))
    for name, p, factor, va in [
        ("bound", 4, 1.25, "bottom"),
        ("adversary", 8, 0.72, "top"),
        ("random", 12, 0.5, "top"),
        ("normalised Winnow", 2, 0.8, "top"),
    ]:
        who = name if name == "normalised Winnow" else _WHO
        ink: dict[str, Any] = {"color": colour(who), "va": va}
        axes[0].text(p, factor * first[name].loc[p], name, **ink)
    said = []
    for k, line in lines.items():
        least = line["bound"].idxmin()
        said.append(
            f"with k = {k} random streams cost {line['random'].iloc[0]:.0f} mistakes "
            f"at p = {line.index[0]}, and {line['random'].loc[least]:.0f} at p = "
            f"{least}, where the bound is least ({line['bound'].loc[least]:.0f}) "
            f"and the adversary forces {line['adversary'].loc[least]:.0f}"
        )
    return Figure(axes, sentences(said), table[[*looks]].round(1))


def ledgers(found: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the one ledger for several learners, each in its own units."""
    axes = envelopes(found, "Φ(s)", size=(3.4, 2.2), start=0.0)
    for ax, (name, ledger) in zip(axes, found.items(), strict=True):
        ax.set(xlabel=f"mistake ({name})", ylim=(0, 1.05 * ledger["upper"].iloc[-1]))
    legend_above(axes[0], 2)
    said = "; ".join(
        f"{the(name)} at {readable(ledger['potential'].iloc[-1])} after "
        f"{len(ledger)} mistakes, between {readable(ledger['lower'].iloc[-1])} and "
        f"{readable(ledger['upper'].iloc[-1])}"
        for name, ledger in found.items()
    )
    return Figure(
        axes,
        f"The potential ends between its two lines in every game: {said}.",
        pd.concat(found, names=["learner"])[["lower", "potential", "upper"]],
    )


def norms(table: pd.DataFrame) -> Figure:
    """Draw mistakes against p for several k, as multiples of those at the first p.

    `table` has the columns k, p, seed, mistakes and bound.
    """
    drawn = means(table, "p", "mistakes", "k", **_ALL)
    ax, said = panel(WIDEST, 2.9), []
    ax.axhline(1, color=GREY, linewidth=0.8)
    for (k, line), dashes in zip(
        groups(drawn, "k"), [":", "-.", "--", "-"], strict=False
    ):
        share = line.div(line["mistakes"].iloc[0])
        shade(ax, share["low"], share["high"], colour(_WHO))
        style = look(_WHO) | {"linestyle": dashes}
        ax.plot(share.index, share["mistakes"], **style, label=f"k = {k}")
        best, least = line["mistakes"].idxmin(), line["bound"].idxmin()
        ax.plot(least, share["mistakes"][least], "D", color=INK, markersize=7)
        said.append(
            f"with k = {k} the mistakes are fewest at p = {best}, "
            f"{share['mistakes'][best]:.2f} times those at p = {line.index[0]}, and "
            f"the bound is least at p = {least}"
        )
    name_ends(ax)
    log_axis(ax, _TICKS)
    ax.set(xlabel="p", ylabel="mistakes / those at p = 2", ylim=(0, None))
    return Figure(ax, sentences(said), drawn[["mistakes", "bound"]].round(1))


def noise(table: pd.DataFrame) -> Figure:
    """Draw mistakes and their bounds against the share of wrong labels.

    `table` has the columns learner, noise, seed, mistakes and bound.
    """
    drawn = means(table, "noise", "mistakes", "learner", **_ALL)
    looks = {"mistakes": "random", "bound": look("bound")}
    axes = curves(drawn, looks, "wrong labels ({})", "mistakes", split="learner",
                  labels={"mistakes": "{}"}, size=(3.4, 2.8), legend="upper left",
                  ylim=(0, 1.05 * drawn["bound"].max()))  # fmt: skip
    last = drawn.index[-1][1]
    said = listed(
        f"{row['mistakes']:.0f} of at most {row['bound']:.0f} ({name})"
        for name, row in drawn.xs(last, level="noise").iterrows()
    )
    return Figure(
        axes,
        f"With {last:.0%} wrong labels the mean mistakes are {said}.",
        drawn[["mistakes", "bound"]].round(1),
    )
