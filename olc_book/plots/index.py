"""The figure of the first page."""

from olc_book.plots.kit import *

__all__ = ["race"]


def race(games: Mapping[str, Trace], bounds: Mapping[str, float]) -> Figure:
    """Draw the mistakes of two learners on one stream, and the bound of each."""
    ax, rows = panel(height=3.1), {}
    for name, trace in games.items():
        running(ax, trace, name)
        ax.axhline(bounds[name], **look(name, "bound"), label="_")
        ax.text(len(trace) / 2, bounds[name], f"bound of {the(name)}: "
                f"{bounds[name]:,.0f}", va="bottom", size=10,
                ha="center", color=colour(name))  # fmt: skip
        rows[name] = trace.mistakes, bounds[name]
    ax.set(xlim=(0, len(trace)), ylim=(0, 1.13 * max(bounds.values())))
    name_ends(ax)
    table = pd.DataFrame.from_dict(rows, "index", columns=["mistakes", "bound"])
    found = [
        f"{the(name)} makes {made} mistakes, where the theorem allows {most:,.0f}"
        for name, (made, most) in rows.items()
    ]
    return Figure(ax, sentences(found), table.round(1).rename_axis("learner"))
