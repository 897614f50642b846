"""The figure of the appendix `family_tree`."""

import textwrap

from matplotlib.patches import FancyArrowPatch

from olc.show.plots.kit import *

#: Where each name stands, in shares of the picture, its algorithm, and what it is
#: called in a sentence.
_PLACES: dict[str, tuple[float, float, str | None, str]] = {
    "Halving": (0.21, 0.965, "Halving", "Halving"),
    "weighted majority": (0.21, 0.81, "WeightedMajority", "weighted majority"),
    "Winnow": (0.21, 0.6, "NormalizedWinnow", "Winnow"),
    "p-norm": (0.53, 0.6, "PNormPerceptron", "the p-norm Perceptron"),
    "Perceptron": (0.85, 0.6, "Perceptron", "the Perceptron"),
    "online to batch": (0.53, 0.37, None, "averaging"),
    "boosting": (0.12, 0.05, None, "boosting"),
    "EG": (0.42, 0.05, "ExponentiatedGradient", "EG"),
    "gradient descent": (0.67, 0.05, "GradientDescent", "gradient descent"),
    "SVM": (0.92, 0.05, None, "the SVM"),
}
#: Where the change of a step is written, and how many letters fit on a line. Steps of
#: the same number that are missing here are read from the other one.
_CHANGES: dict[tuple[str, str], tuple[float, float, int]] = {
    ("Halving", "weighted majority"): (0.51, 0.888, 30),
    ("weighted majority", "Winnow"): (0.48, 0.742, 30),
    ("Winnow", "boosting"): (0.25, 0.2, 11),
    ("Perceptron", "SVM"): (0.815, 0.2, 8),
    ("Perceptron", "p-norm"): (0.7, 0.665, 15),
    ("p-norm", "Winnow"): (0.36, 0.665, 16),
    ("Perceptron", "online to batch"): (0.53, 0.485, 14),
    ("Perceptron", "gradient descent"): (0.54, 0.2, 13),
}


def tree(steps: pd.DataFrame) -> Figure:
    """Draw the family: an arrow for every row, and beside it what changes.

    `steps` has the numbers of the sections as its index, and columns from, to and
    change.
    """
    ax = panel(height=5.4)
    boxes = {}
    for name in pd.unique(steps[["from", "to"]].to_numpy().ravel()):
        if name not in _PLACES:
            raise ValueError(f"{name} has no place: choose from {', '.join(_PLACES)}")
        across, up, who, _ = _PLACES[name]
        edge = GREY if who is None else colour(who)
        frame = {"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": edge}
        text = ax.text(across, up, name, ha="center", va="center", bbox=frame,
                       transform=ax.figure.transFigure)  # fmt: skip
        boxes[name] = text.get_bbox_patch()
    for number, one, two, change in steps.reset_index().to_numpy():
        arrow = FancyArrowPatch(
            _PLACES[one][:2],
            _PLACES[two][:2],
            patchA=boxes[one],
            patchB=boxes[two],
            arrowstyle="-|>",
            mutation_scale=12,
            linewidth=1.4,
            color=INK,
            zorder=4,  # after the boxes, whose sizes it has to know
            transform=ax.figure.transFigure,
            clip_on=False,
        )
        ax.add_patch(arrow)
        if (one, two) in _CHANGES:
            across, up, letters = _CHANGES[one, two]
            lines = textwrap.fill(f"{number}. {change}", letters)
            ax.text(across, up, lines, ha="center", va="center", size=10,
                    linespacing=1.05, transform=ax.figure.transFigure)  # fmt: skip
    ax.set_axis_off()
    leads = {
        _PLACES[str(one)][3]: listed(_PLACES[two][3] for two in group)
        for one, group in steps.groupby("from", sort=False)["to"]
    }
    said = "; ".join(f"{one} to {two}" for one, two in leads.items())
    return Figure(ax, said.replace(" to ", " leads to ", 1) + ".", steps)
