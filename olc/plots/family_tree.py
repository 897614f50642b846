"""The figure of the appendix `family_tree`."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.patches import FancyArrowPatch

from olc.plots._figure import GREY, INK, Figure, colour, panel

#: Where each name stands, and the algorithm whose colour it has.
_PLACES: dict[str, tuple[float, float, str | None]] = {
    "Halving": (0.2, 0.95, "Halving"),
    "weighted majority": (0.2, 0.75, "WeightedMajority"),
    "Winnow": (0.2, 0.5, "NormalizedWinnow"),
    "p-norm": (0.5, 0.5, "PNormPerceptron"),
    "Perceptron": (0.83, 0.5, "Perceptron"),
    "online to batch": (0.76, 0.85, None),
    "boosting": (0.12, 0.1, None),
    "EG": (0.36, 0.2, "ExponentiatedGradient"),
    "gradient descent": (0.61, 0.1, "GradientDescent"),
    "SVM": (0.93, 0.22, None),
}


def tree(steps: pd.DataFrame) -> Figure:
    """Draw the family: an arrow for every row, with the number of its step.

    `steps` has the numbers as its index, and columns from, to and change.
    """
    ax = panel(height=4.3)
    boxes = {}
    for name in pd.unique(steps[["from", "to"]].to_numpy().ravel()):
        if name not in _PLACES:
            raise ValueError(f"{name} has no place: choose from {', '.join(_PLACES)}")
        across, up, who = _PLACES[name]
        edge = GREY if who is None else colour(who)
        frame = {"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": edge}
        text = ax.text(across, up, name, ha="center", va="center", bbox=frame)
        boxes[name] = text.get_bbox_patch()
    for number, one, two in zip(steps.index, steps["from"], steps["to"], strict=True):
        tail, tip = _PLACES[one][:2], _PLACES[two][:2]
        arrow = FancyArrowPatch(
            tail,
            tip,
            patchA=boxes[one],
            patchB=boxes[two],
            arrowstyle="-|>",
            mutation_scale=12,
            linewidth=1.4,
            color=INK,
            zorder=4,  # after the boxes, whose sizes it has to know
        )
        ax.add_patch(arrow)
        run, rise = tip[0] - tail[0], tip[1] - tail[1]
        aside = 0.045 / math.hypot(run, rise)  # to one side of the arrow
        across = (tail[0] + tip[0]) / 2 + aside * rise
        up = (tail[1] + tip[1]) / 2 - aside * run
        ax.text(across, up, str(number), ha="center", va="center", weight="bold")
    ax.set(xlim=(0, 1.05), ylim=(0, 1))
    ax.set_axis_off()
    said = [
        f"{number}, from {one} to {two}: {change}"
        for number, one, two, change in steps.reset_index().to_numpy()
    ]
    return Figure(
        ax,
        alt=f"{len(boxes)} names are joined by {len(steps)} arrows. {'; '.join(said)}.",
        caption="The family. Left, weights are multiplied; right, examples are added. "
        "The numbers are those of the sections below.",
        table=steps,
    )
