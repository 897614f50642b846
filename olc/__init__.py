"""Online linear classification: learners, mistake bounds, and proofs that run.

    >>> import olc
    >>> stream = olc.streams.panel(100, k=3, rounds=10_000, seed=0)
    >>> trace = olc.play(olc.Perceptron(100), stream)
    >>> trace.mistakes, olc.perceptron.panel_bound(100, 3)
    (158, 300)

Every learner has a module of its name, with its mistake bound and its proof.
"""

from olc import (
    adversaries,
    averaged_perceptron,
    balanced_winnow,
    game,
    geometry,
    halving,
    kernel_perceptron,
    normalized_winnow,
    perceptron,
    randomized_weighted_majority,
    streams,
    thick_separator,
    weighted_majority,
    winnow,
    winnow_r,
)
from olc.averaged_perceptron import AveragedPerceptron, VotedPerceptron
from olc.balanced_winnow import BalancedWinnow, ThresholdBalancedWinnow
from olc.game import Learner, Stream, Trace, duel, play, play_many
from olc.halving import Consistent, Halving, StandardOptimal
from olc.kernel_perceptron import KernelPerceptron
from olc.listing import Listing
from olc.normalized_winnow import NormalizedWinnow
from olc.perceptron import Perceptron
from olc.randomized_weighted_majority import RandomizedWeightedMajority
from olc.thick_separator import (
    MarginPerceptron,
    MarginWinnow,
    ThresholdMarginWinnow,
    ThresholdRelative,
)
from olc.weighted_majority import WeightedMajority
from olc.winnow import Winnow
from olc.winnow_r import WinnowR

__version__ = "0.1.0"

__all__ = [
    "AveragedPerceptron",
    "BalancedWinnow",
    "Consistent",
    "Halving",
    "KernelPerceptron",
    "Learner",
    "Listing",
    "MarginPerceptron",
    "MarginWinnow",
    "NormalizedWinnow",
    "Perceptron",
    "RandomizedWeightedMajority",
    "StandardOptimal",
    "Stream",
    "ThresholdBalancedWinnow",
    "ThresholdMarginWinnow",
    "ThresholdRelative",
    "Trace",
    "VotedPerceptron",
    "WeightedMajority",
    "Winnow",
    "WinnowR",
    "adversaries",
    "averaged_perceptron",
    "balanced_winnow",
    "duel",
    "game",
    "geometry",
    "halving",
    "kernel_perceptron",
    "normalized_winnow",
    "perceptron",
    "play",
    "play_many",
    "randomized_weighted_majority",
    "streams",
    "thick_separator",
    "weighted_majority",
    "winnow",
    "winnow_r",
]
