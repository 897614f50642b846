"""The figure of the first page."""

from olc_book.plots.kit import *

__all__ = ["race"]

_LINE = 100  # rounds in a line of the page


def race(games: Sequence[Sequence[Trace]], bounds: Mapping[str, float]) -> Figure:
    """Draw the first game of each learner as a page, on which a mark is a mistake.

    `bounds` has the learners and the most that a theorem allows each of them on any of
    the streams; `games` has for every stream a game of each, in the same order.
    """
    axes, rows, found = panels(len(bounds), 3.4, 3.7), {}, []
    for ax, (name, bound), traces in zip(
        axes, bounds.items(), zip(*games, strict=True), strict=True
    ):
        trace = traces[0]
        line, place = np.divmod(trace.mistake_rounds, _LINE)
        # one broken line, because a thousand markers make a large picture
        ends = np.column_stack([place, place + 0.9, np.full(len(place), np.nan)])
        marks = ends.ravel(), np.repeat(line + 0.5, 3)
        ax.plot(*marks, color=colour(name), linewidth=2, solid_capstyle="butt")
        lines = -(-len(trace) // _LINE)
        ticks = np.linspace(0, lines, 6)
        ax.set_yticks(ticks, [f"{_LINE * tick:,.0f}" for tick in ticks])
        ax.set(xlim=(-1, _LINE + 1), ylim=(lines + 0.5, -0.5), xticks=[])
        made, most = [one.mistakes for one in traces], math.floor(bound)
        ax.set(ylabel=f"{name}: {made[0]:,} mistakes")
        words = f"at most {most:,}, says a theorem"
        ax.text(_LINE / 2, 1.03 * lines, words, ha="center", va="top", size=10)
        ax.grid(visible=False)
        rows[name] = made[0], min(made), max(made), most
        found.append(
            f"{the(name)} makes {made[0]:,} mistakes, and between {min(made):,} and "
            f"{max(made):,} on {plural(len(made), 'stream')}; the theorem allows "
            f"{most:,}"
        )
    columns = ["mistakes", "fewest", "most", "bound"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns)
    return Figure(axes, sentences(found), table.rename_axis("learner"))
