"""The figures of the chapter `kernel_perceptron`."""

from olc.kernel_perceptron import KernelPerceptron
from olc_book.plots.kit import *

__all__ = ["regions", "rotated", "squares", "widths"]


def regions(learners: Mapping[str, KernelPerceptron], stream: Stream) -> Figure:
    """Draw what each learner calls positive, and the examples that it keeps."""
    axes, rows = panels(len(learners), height=3.4), {}
    for ax, (name, learner) in zip(axes, learners.items(), strict=True):
        _region(ax, learner, stream)
        ax.set_title(name)
        kept = learner.support
        wrong = int((learner.predict(stream.X) != stream.y).sum())
        rows[name] = wrong, len(kept), len({tuple(x) for x in kept})
    found = [
        f"with {name}, {wrong or 'none'} of the {len(stream)} examples are wrong; "
        f"{plural(kept, 'example')} are kept, "
        f"{'all' if 0 < kept == different else different} of them different"
        for name, (wrong, kept, different) in rows.items()
    ]
    columns = ["wrong", "kept", "different"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns)
    return Figure(axes, sentences(found), table.rename_axis("learner"))


def _region(ax: Axes, learner: KernelPerceptron, stream: Stream) -> None:
    reach = points(ax, stream.X, stream.y)
    # closer at 0, where two lines may cross
    ticks = np.sort([*np.linspace(-reach, reach, 61), -reach / 1000, reach / 1000])
    grid = np.array([[across, up] for up in ticks for across in ticks])
    scores = np.asarray(learner.scores(grid)).reshape(-1, len(ticks))
    color = look("KernelPerceptron")["color"]
    if scores.max() > 0:
        levels = [0, scores.max() + 1]
        ax.contourf(ticks, ticks, scores, levels=levels, colors=[color], alpha=0.15)
    if scores.min() < 0 < scores.max():
        ax.contour(ticks, ticks, scores, levels=[0], colors=[color], linewidths=1.6)
    if len(learner.support):  # often twice or more
        kept = np.unique(learner.support, axis=0)
        ax.plot(*kept.T, **look("ring") | {"markersize": 8, "markeredgewidth": 0.8})


def squares(stream: Stream) -> Figure:
    """Draw points of the plane, and the same points at (x₁², x₂²) with a line."""
    flat, squared = panels(2, height=3.2)
    points(flat, stream.X, stream.y)
    X = stream.X**2
    points(squared, X, stream.y)
    sizes, positive = X.sum(axis=1), stream.y > 0
    middle = (sizes[positive].max() + sizes[~positive].min()) / 2
    boundary(squared, (1, 1), -middle, **look("KernelPerceptron"))
    top = 1.1 * float(X.max())
    squared.set(xlim=(-0.05 * top, top), ylim=(-0.05 * top, top))
    squared.set(xlabel="x₁²", ylabel="x₂²")
    wrong = int(((middle - sizes) * stream.y <= 0).sum())
    said = (
        f"At (x₁², x₂²) the line x₁² + x₂² = {middle:.2f} is right about "
        f"{every(len(stream) - wrong, len(stream), 'point')}."
    )
    table = pd.DataFrame(X, columns=["x₁²", "x₂²"]).assign(y=stream.y)
    return Figure([flat, squared], said, table)


def rotated(winnow: pd.DataFrame, others: pd.DataFrame) -> Figure:
    """Draw mistakes before and after a rotation: of Winnow by rate, of others as lines.

    Both tables have the columns panel and rotated, one row per run; the runs of Winnow
    have a rate `eta`, those of the others a `learner`.
    """
    ax, found = panel(height=3.3), means(winnow, "eta", ["panel", "rotated"], "stream")
    looks = {"panel": "random", "rotated": "adversary"}
    for name, how in looks.items():
        rows, style = found.loc[name], look("BalancedWinnow", how)
        shade(ax, rows["low"], rows["high"], style["color"])
        ax.plot(rows.index, rows["mean"], **style, label=name)
    log_axis(ax, found.index.unique("eta"))
    log_axis(ax, [3, 10, 30, 100, 300, 1000], "y")
    table = found["mean"].unstack(0)
    last = table.index[-1]
    for name, at in (("panel", (0.55, 0.08)), ("rotated", (0.5, 0.8))):
        point = table.index[-2], table[name].iloc[-2]
        note(ax, f"Balanced Winnow, {name}", point, at)
    level = others.groupby("learner", sort=False)[["panel", "rotated"]].mean()
    for who, row in level.iterrows():
        for value in row:
            ax.axhline(value, **look(who))
        ax.text(last, 1.1 * row.max(), f"{who}, before and after", ha="right",
                va="bottom", size=10, color=colour(who))  # fmt: skip
    ax.set(xlabel="rate η of Balanced Winnow", ylabel="mistakes", ylim=(2, 1500))
    said = (
        f"At η = {last:g} Balanced Winnow makes {table['panel'].iloc[-1]:.1f} mistakes "
        f"on the panel and {table['rotated'].iloc[-1]:.0f} after the rotation; at the "
        f"best of these rates {table['panel'].min():.1f} and "
        f"{table['rotated'].min():.1f}. "
        + "; ".join(f"{name}: {row['panel']:.1f} and {row['rotated']:.1f}"
                    for name, row in level.iterrows()) + "."
    )  # fmt: skip
    return Figure(ax, said, table.round(9).round(2))


def widths(runs: pd.DataFrame, squares: pd.DataFrame) -> Figure:
    """Draw mistakes, their bound and the error on new points against the width.

    `runs` has the columns width, mistakes, bound and error, one row per run; `squares`
    has the mistakes and errors of the kernel of degree 2, which are drawn as lines.
    """
    table = runs.groupby("width")[["mistakes", "bound", "error"]].mean()
    level = squares[["mistakes", "error"]].mean()
    style: Any = {"who": "KernelPerceptron", "size": (3.6, 2.8), "xticks": table.index,
                  "xlabel": "width of the kernel", "legend": "ends"}  # fmt: skip
    made, wrong = (
        table.join(means(runs, "width", what)).assign(**{"degree 2": level[what]})
        for what in ("mistakes", "error")
    )
    dotted = {"color": INK, "linestyle": ":"}
    looks: dict[str, Any] = {
        "mistakes": "random", "bound": "bound", "degree 2": dotted}  # fmt: skip
    axes = curves(made, looks, ylabel="mistakes until all is right", yscale="log",
                  labels={"bound": "R²/γ²"}, **style)  # fmt: skip
    looks = {"error": "random", "degree 2": dotted}
    axes += curves(wrong, looks, ylabel="error on new points (%)", ylim=(0, None),
                   labels={"error": "radial"}, **style)  # fmt: skip
    best = table.iloc[int(table["bound"].argmin())]
    least = table.iloc[int(table["error"].argmin())]
    first, last = table.iloc[0], table.iloc[-1]
    shown = pd.concat([table, level.to_frame("degree 2").T]).rename_axis("width")
    return Figure(
        axes,
        f"The bound is lowest, {best['bound']:.0f}, at width {best.name:g}. The "
        f"learner makes {best['mistakes']:.0f} mistakes there, {first['mistakes']:.0f} "
        f"at the narrowest width and {last['mistakes']:.0f} at the widest. Its error "
        f"on new points is least, {least['error']:.1f} %, at width {least.name:g}. "
        f"Degree 2: {level['mistakes']:.0f} mistakes, {level['error']:.1f} %.",
        # Means often end in 5, and versions of pandas differ in the last bits.
        shown.round(9).round({"mistakes": 1, "bound": 1, "error": 2}),
    )
