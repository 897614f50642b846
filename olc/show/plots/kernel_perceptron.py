"""The figures of the chapter `kernel_perceptron`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from olc.show.plots._figure import Figure, look, panels
from olc.show.plots._vocabulary import band, log_axis, plural, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from olc.core.game import Stream
    from olc.kernel_perceptron import KernelPerceptron


def regions(learners: Mapping[str, KernelPerceptron], stream: Stream) -> Figure:
    """Draw what each learner calls positive, and the examples that it keeps."""
    axes, rows = panels(len(learners), 3.4, 3.4), []
    for ax, (name, learner) in zip(axes, learners.items(), strict=True):
        _region(ax, learner, stream)
        ax.set_title(name)
        kept = learner.support
        wrong = int((learner.predict(stream.X) != stream.y).sum())
        rows.append((name, wrong, len(kept), len({tuple(x) for x in kept})))
    found = "; ".join(
        f"{name}: {wrong} of {len(stream)} wrong, {plural(kept, 'example')} kept, "
        f"{different} of them different"
        for name, wrong, kept, different in rows
    )
    columns = ["learner", "wrong", "kept", "different"]
    return Figure(
        axes,
        alt=f"{found}.",
        caption="The region that each learner calls positive (shaded). The examples "
        "that it keeps are ringed.",
        table=pd.DataFrame(rows, columns=columns).set_index("learner"),
    )


def _region(ax: Axes, learner: KernelPerceptron, stream: Stream) -> None:
    reach = points(ax, stream.X, stream.y)
    ticks = np.linspace(-reach, reach, 61)
    grid = np.array([[across, up] for up in ticks for across in ticks])
    scores = np.asarray(learner.score(grid)).reshape(-1, len(ticks))
    color = look("KernelPerceptron")["color"]
    if scores.max() > 0:
        levels = [0, scores.max() + 1]
        ax.contourf(ticks, ticks, scores, levels=levels, colors=[color], alpha=0.15)
    if scores.min() < 0 < scores.max():
        ax.contour(ticks, ticks, scores, levels=[0], colors=[color], linewidths=1.6)
    if len(learner.support):
        ax.plot(*learner.support.T, **look("ring") | {"markersize": 9})


def widths(runs: pd.DataFrame) -> Figure:
    """Draw mistakes, their bound and the error on new points against the width.

    `runs` has the columns width, mistakes, bound and error, one row a run.
    """
    left, right = panels(2)
    who: dict[str, Any] = {"who": "KernelPerceptron", "middle": "mean"}
    mistakes = band(left, runs, "width", "mistakes", "mistakes", **who)["mean"]
    bound = runs.groupby("width")["bound"].mean()
    left.plot(bound.index, bound, **look("KernelPerceptron", "bound"), label="R²/γ²")
    left.set(yscale="log", ylabel="mistakes until all is right")
    left.legend(loc="upper center")
    error = band(right, runs, "width", "error", "error", **who)["mean"]
    right.set(ylabel="error on new points")
    right.set_ylim(bottom=0)
    for ax in (left, right):
        log_axis(ax, bound.index)
        ax.set(xlabel="width of the kernel")
    table = pd.DataFrame({"mistakes": mistakes, "bound": bound, "error": error})
    best = table.iloc[int(bound.to_numpy().argmin())]
    first, last = table.iloc[0], table.iloc[-1]
    return Figure(
        [left, right],
        alt=f"The bound is lowest, {best['bound']:.0f}, at width {best.name:g}. The "
        f"learner makes {best['mistakes']:.0f} mistakes there, {first['mistakes']:.0f} "
        f"at the narrowest width and {last['mistakes']:.0f} at the widest; its error "
        f"on new points is {best['error']:.1%}, {first['error']:.1%} and "
        f"{last['error']:.1%}.",
        caption="Radial kernels on two rings. First, the mistakes until nothing is "
        "wrong, and their bound (dashed). Second, the error of the result on new "
        "points. Means over the seeds, and the middle half of them as a band.",
        table=table.round({"mistakes": 1, "bound": 1, "error": 4}),
    )
