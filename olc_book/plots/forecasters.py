"""Figures of the chapter `forecasters`."""

from olc import forecasters
from olc_book.plots.kit import *

__all__ = ["honesty", "lead", "reliability", "settling"]

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


def lead(said: Mapping[str, float], truth: float, days: int = 600) -> Figure:
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
    (ax,) = curves(table, looks, "days", f"chance that {one} leads", size=(4.1, 3.0),
                   labels={"bound": "Hoeffding"}, ylim=(0, 1.02))  # fmt: skip
    ax.axhline(0.95, color=GREY, linewidth=1)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 0.13))  # above a flat guarantee
    needed = forecasters.days_to_lead(first, second, truth)
    found = (
        f"If it rains with probability {truth:g}, {one} is the better forecaster. By "
        f"the square loss {one} leads with probability 95 % after {needed:.0f} days."
    )
    return Figure(ax, found, table.iloc[[0, *range(days // 6 - 1, days, days // 6)]])


_PROPER = {"square": forecasters.square_loss, "log": forecasters.log_loss}


def reliability(said: Mapping[str, Any], rain: Any) -> Figure:
    """Draw how often it rained when each forecaster said p, against p."""
    ax, parts = panel(3.6, 3.5), {}
    ax.plot([0, 1], [0, 1], **look("target"))
    for (name, forecasts), style in zip(said.items(), _FORECASTERS, strict=False):
        curve = forecasters.calibration(forecasts, rain)["rain"]
        ax.plot(curve, **style, label=name)
        parts[name] = forecasters.decompose(forecasts, rain)
    ax.set(xlabel="forecast", ylabel="share of rainy days", aspect="equal")
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    ax.legend(loc="upper left")
    table = pd.DataFrame(parts).T.rename_axis("forecaster")
    best, worst = table["loss"].idxmin(), table["calibration"].idxmax()
    found = (
        f"{best} has the smallest mean square loss, {table['loss'].min():.3f}; "
        f"{worst} is the worst calibrated: the calibration term is "
        f"{table['calibration'].max():.3f}."
    )
    return Figure(ax, found, table.round(4))


def settling(games: Mapping[str, Any], steps: int) -> Figure:
    """Draw the calibration term of each game so far, and the bound for coins.

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
    lines = zip(games, _FORECASTERS, ("-", ":", "-."), strict=False)
    looks = {
        name: style | {"marker": "", "linestyle": line} for name, style, line in lines
    }
    axes = curves(table, looks | {"bound": look("bound")}, "days", "calibration term",
                  size=(4.1, 3.0), xticks=[10, 100, 1000],
                  yticks=[0.001, 0.01, 0.1, 1], legend="ends")  # fmt: skip
    ends = listed(f"{number(value)} ({name})" for name, value in table.iloc[-1].items())
    return Figure(
        axes,
        f"After {with_commas(str(length))} days the calibration term is {ends}.",
        table.iloc[::6].round(4),
    )
