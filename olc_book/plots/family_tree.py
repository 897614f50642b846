"""The figure of the appendix `family_tree`."""

from matplotlib.patches import FancyArrowPatch

from olc_book.plots.kit import *

__all__ = ["tree"]

#: Where each name stands, in shares of the picture, and the algorithm it names.
_PLACES: dict[str, tuple[float, float, str | None]] = {
    "Halving": (0.39, 0.96, "Halving"),
    "standard optimal": (0.12, 0.96, "StandardOptimal"),
    "weighted majority": (0.39, 0.79, "WeightedMajority"),
    "randomised majority": (0.12, 0.79, "RandomizedWeightedMajority"),
    "Exp3": (0.12, 0.62, "Exp3"),
    "normalised Winnow": (0.39, 0.62, "NormalizedWinnow"),
    "boosting": (0.64, 0.8, None),
    "kernel Perceptron": (0.88, 0.8, "KernelPerceptron"),
    "p-norm": (0.65, 0.62, "PNormPerceptron"),
    "Perceptron": (0.88, 0.62, "Perceptron"),
    "Winnow": (0.1, 0.41, "Winnow"),
    "Winnow-R": (0.1, 0.22, "WinnowR"),
    "Balanced Winnow": (0.31, 0.41, "BalancedWinnow"),
    "average": (0.61, 0.41, "AveragedPerceptron"),
    "margin Perceptron": (0.89, 0.41, "MarginPerceptron"),
    "EG": (0.45, 0.22, "ExponentiatedGradient"),
    "gradient descent": (0.62, 0.22, "GradientDescent"),
    "Passive–Aggressive": (0.72, 0.05, "PassiveAggressive"),
    "SVM": (0.92, 0.05, None),
}


def tree(steps: pd.DataFrame) -> Figure:
    """Draw the family: an arrow for every row, and beside it its number.

    `steps` has the numbers as its index, and the columns from and to.
    """
    ax = panel(WIDEST, _HEIGHT)
    boxes = {}
    for name in pd.unique(steps[["from", "to"]].to_numpy().ravel()):
        if name not in _PLACES:
            raise ValueError(f"{name} has no place: choose from {', '.join(_PLACES)}")
        across, up, who = _PLACES[name]
        edge = GREY if who is None else colour(who)
        frame = {"boxstyle": "round,pad=0.3", "facecolor": "none", "edgecolor": edge}
        lines = name.replace(" ", "\n").replace("–", "–\n")
        text = ax.text(across, up, lines, ha="center", va="center",
                       bbox=frame, linespacing=1.05, size=10,
                       transform=ax.figure.transFigure)  # fmt: skip
        boxes[name] = text.get_bbox_patch()
    for number, one, two in steps[["from", "to"]].itertuples():
        (x1, y1), (x2, y2) = _PLACES[one][:2], _PLACES[two][:2]
        arrow = FancyArrowPatch(
            (x1, y1), (x2, y2), patchA=boxes[one], patchB=boxes[two],
            arrowstyle="-|>", mutation_scale=11, linewidth=1.3, color=INK,
            zorder=4,  # after the boxes, whose sizes it has to know
            transform=ax.figure.transFigure, clip_on=False)  # fmt: skip
        ax.add_patch(arrow)
        x, y = _beside(x1, y1, x2, y2)
        ax.text(x, y, str(number), ha="center", va="center", size=10,
                transform=ax.figure.transFigure)  # fmt: skip
    ax.set_axis_off()
    leads = [
        f"{one} leads to {listed(group)}"
        for one, group in steps.groupby("from", sort=False)["to"]
    ]
    return Figure(ax, "; ".join(leads) + ".", steps)


_HEIGHT = 5.3


def _beside(x1: float, y1: float, x2: float, y2: float) -> tuple[float, float]:
    """Return a place above the middle of an arrow, or right of it if it is upright.

    A level arrow is short: its number stays above the boxes at its ends.
    """
    right, up = (x2 - x1) * WIDEST, (y2 - y1) * _HEIGHT
    away = (0.14 if up else 0.2) / math.hypot(right, up)
    away *= 1 if right > 0 or right == 0 > up else -1
    return (x1 + x2) / 2 - up * away / WIDEST, (y1 + y2) / 2 + right * away / _HEIGHT
