"""Figures of the chapter `forecasters`."""

from olc import forecasters
from olc_book.plots.kit import *

__all__ = ["honesty", "lead", "reliability", "balance", "settling"]

#: How a loss or a forecaster of rain is drawn: none of them is an algorithm.
_LOSSES: dict[str, dict[str, Any]] = {
    "square": {"color": BLUE, "linestyle": "-"},
    "log": {"color": PURPLE, "linestyle": "-."},
    "absolute": {"color": OCHRE, "linestyle": ":", "linewidth": 2.4},
}
_FORECASTERS: list[dict[str, Any]] = [
    {"color": BLUE, "linestyle": "-", "marker": "o"},
    {"color": OCHRE, "linestyle": "-.", "marker": "s"},
    {"color": PURPLE, "linestyle": "none", "marker": "D", "markersize": 8},
]


def honesty(table: pd.DataFrame, truth: float) -> Figure:
    """Draw the expected loss of every forecast, and where each loss is least.

    `table` has the forecasts as its index and a column for each loss.
    """
    looks = {name: _LOSSES[str(name)] for name in table}
    (ax,) = curves(table, looks, "forecast", "loss", size=(4.1, 3.0), ylim=(0, 1.25))
    for name, values in table.items():
        ax.plot(values.nsmallest(1), color=_LOSSES[str(name)]["color"], marker="o")
    ax.axvline(truth, color=GREY, linewidth=1)
    legend_above(ax, 3)
    least = [f"{table[name].idxmin():.2g} for the {name} loss" for name in table]
    return Figure(
        ax,
        f"If it rains with probability {truth:g}, the forecasts with the least "
        f"expected loss are {listed(least)}.",
        table.iloc[:: max(1, len(table) // 10)].rename_axis("forecast"),
    )


def lead(said: Mapping[str, float], truth: float, days: int = 1000) -> Figure:
    """Draw the chance that the better of two forecasters leads, day by day."""
    (one, first), (_, second) = sorted(
        said.items(), key=lambda forecast: abs(forecast[1] - truth)
    )
    many = pd.RangeIndex(1, days + 1, name="days")
    table = pd.DataFrame(
        {
            name: forecasters.chance_ahead(first, second, truth, many.to_numpy(), loss)
            for name, loss in _PROPER.items()
        },
        many,
    )
    edge = (second - truth) ** 2 - (first - truth) ** 2
    table["bound"] = 1 - np.exp(-many * edge**2 / (2 * (first - second) ** 2))
    looks = {name: _LOSSES[name] for name in _PROPER} | {"bound": look("bound")}
    (ax,) = curves(table, looks, "days", "chance", size=(4.1, 3.0),
                   ylim=(0, 1.02), xticks=[1, 10, 100, 1000])  # fmt: skip
    ax.axhline(0.95, color=GREY, linewidth=1)
    legend_above(ax, 3)
    needed = forecasters.days_to_lead(first, second, truth)
    found = (
        f"If it rains with probability {truth:g}, {one} is the better forecaster. By "
        f"the square loss {one} leads with probability 95 % after {needed:.0f} days."
    )
    return Figure(ax, found, table.iloc[[0, *range(days // 6 - 1, days, days // 6)]])


_PROPER = {"square": forecasters.square_loss, "log": forecasters.log_loss}


def reliability(said: Mapping[str, Any], rain: Any, closely: str) -> Figure:
    """Draw how often it rained when each forecaster said p, against p.

    The second panel looks `closely` at one of them: how far its points are from the
    diagonal, and from the share of all rainy days.
    """
    axes, parts, overall = panels(2, 3.5, 3.4), {}, float(np.mean(rain))
    for ax in axes:
        ax.plot([0, 1], [0, 1], **look("target"))
        ax.set(xlabel="forecast", ylabel="share of rainy days", aspect="equal")
        ax.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.04))
    for (name, forecasts), style in zip(said.items(), _FORECASTERS, strict=False):
        curve = forecasters.calibration(forecasts, rain)["rain"]
        axes[0].plot(curve, **style, label=name)
        parts[name] = forecasters.decompose(forecasts, rain)
        if name == closely:
            ends = curve.index.to_numpy(dtype=float)
            for bottom, line in ((ends, "-"), (np.full(len(ends), overall), ":")):
                gaps = np.full(len(ends), np.nan)
                tall = np.column_stack([bottom, curve.to_numpy(), gaps]).ravel()
                shift = 0.012 if line == ":" else -0.012
                bars = {"color": style["color"], "linestyle": line, "linewidth": 2.2}
                axes[1].plot(np.repeat(ends + shift, 3), tall, **bars)
            axes[1].plot(curve, **style | {"linestyle": "none"})
    axes[0].legend(loc="upper left")
    axes[1].axhline(overall, color=GREY, linewidth=1)
    note(axes[1], "to the diagonal:\ncalibration", (0.088, 0.13), (0.32, 0.91))
    note(axes[1], "to the mean:\nresolution", (0.912, 0.66), (0.68, 0.14))
    table = pd.DataFrame(parts).T.rename_axis("forecaster")
    best, worst = table["loss"].idxmin(), table["calibration"].idxmax()
    found = (
        f"{best} has the smallest mean square loss, {table['loss'].min():.3f}; "
        f"{worst} is the worst calibrated: the calibration term is "
        f"{table['calibration'].max():.3f}."
    )
    return Figure(axes, found, table.round(4))


def balance(days: ArrayLike, excess: ArrayLike) -> Figure:
    """Draw the state of the calibrated forecaster, and between what it tosses a coin.

    `days` says how often each forecast was made, and `excess` by how much it was low.
    """
    n, D = np.asarray(days, dtype=float), np.asarray(excess, dtype=float)
    a, said = D / (n + 1), np.linspace(0, 1, len(n))
    low = int(np.argmax(a[1:] <= 0))
    chance = a[low] / (a[low] - a[low + 1] or 1)
    mean, pair = said[low] + chance * (said[1] - said[0]), slice(low, low + 2)
    ax = panel(4.1, 2.9)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.plot(said, a, color=GREY, linestyle="-", linewidth=1, marker="o")
    ax.plot(said[pair], a[pair], color=PURPLE, linestyle="-", linewidth=2.4, marker="o",
            markersize=8)  # fmt: skip
    ax.plot(mean, 0, color=INK, marker="D", markersize=7)
    ax.set(xlabel="forecast", ylabel="a = D / (n + 1)", xlim=(-0.04, 1.04))
    reach = 1.35 * float(np.abs(a).max(initial=0.01))
    ax.set(ylim=(-reach, reach))
    note(ax, "was too low", (said[low], a[low]), (max(0.12, said[low] - 0.16), 0.34))
    note(
        ax,
        "was too high",
        (said[low + 1], a[low + 1]),
        (min(0.9, said[low] + 0.27), 0.2),
    )
    note(ax, "average forecast", (mean, 0), (min(0.85, mean + 0.1), 0.8))
    table = pd.DataFrame({"days": n, "excess": D, "a": a},
                         pd.Index(said.round(4), name="forecast"))  # fmt: skip
    alt = (
        f"The coin falls between {said[low]:g}, which was too low, and "
        f"{said[low + 1]:g}, which was too high: on average it says {mean:.3f}, where "
        "the line between the two points crosses 0."
    )
    return Figure(ax, alt, table.round(3))


def settling(games: Mapping[str, Any], steps: int) -> Figure:
    """Draw the calibration term of each game so far, and the bound on its mean.

    A game is a pair: what was said, in steps of 1/`steps`, and the weather.
    """
    length = len(next(iter(games.values()))[0])
    days = pd.Index(np.geomspace(10, length, 40).astype(int), name="days").unique()
    table = pd.DataFrame(
        {
            name: [forecasters.decompose(*np.array(game)[:, :day])["calibration"]
                   for day in days]
            for name, game in games.items()
        },
        days,
    )  # fmt: skip
    table["bound"] = 1 / steps**2 + (steps + 1) * (1 + np.log(days)) / days
    colours, lines = (BLUE, INK, PURPLE, OCHRE), ("-", "--", "-.", ":")
    looks = {
        name: {"color": color, "linestyle": line, "linewidth": 2}
        for name, color, line in zip(games, colours, lines, strict=False)
    }
    axes = curves(table, looks | {"bound": look("bound")}, "days", "calibration term",
                  size=(4.1, 3.0), xticks=[10, 100, 1000],
                  yticks=[0.01, 0.1, 1], legend="ends")  # fmt: skip
    ends = listed(f"{number(value)} ({name})" for name, value in table.iloc[-1].items())
    return Figure(
        axes,
        f"After {with_commas(str(length))} days the calibration term is {ends}.",
        table.iloc[::6].round(4),
    )
