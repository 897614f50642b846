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
    game,
    geometry,
    learner,
    one_proof,
    regression,
    streams,
    text,
)
from olc.averaged_perceptron import AveragedPerceptron, VotedPerceptron
from olc.balanced_winnow import BalancedWinnow, ThresholdBalancedWinnow
from olc.bandits import Exp3, Exp3IX, Exp3P, play_bandit
from olc.game import Stream, Trace, duel, play, play_many
from olc.halving import Consistent, Halving
from olc.kernel_perceptron import KernelPerceptron
from olc.learner import Learner, Linear, Parameter
from olc.listing import Listing
from olc.margin_perceptron import MarginPerceptron
from olc.margin_winnow import (
    BalancedMarginWinnow,
    MarginWinnow,
    ThresholdMarginWinnow,
)
from olc.multiclass import ConstraintClassifier, OneAgainstAll
from olc.normalized_winnow import NormalizedWinnow
from olc.p_norm import PNormPerceptron
from olc.perceptron import Perceptron
from olc.randomized_weighted_majority import RandomizedWeightedMajority
from olc.standard_optimal import StandardOptimal
from olc.sweep import sweep
from olc.threshold_relative import ThresholdRelative
from olc.weighted_majority import WeightedMajority
from olc.winnow import Winnow
from olc.winnow_r import WinnowR

__version__ = "0.2.0"

__all__ = sorted(name for name in dir() if not name.startswith("_"))
