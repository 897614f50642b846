"""Online linear classification: learners, mistake bounds, and proofs that run.

    >>> import olc
    >>> stream = olc.streams.panel(100, k=3, rounds=10_000, seed=0)
    >>> trace = olc.play(olc.Perceptron(100), stream)
    >>> trace.mistakes, olc.perceptron.panel_bound(100, 3)
    (158, 300)

Every learner has a module of its name, with its mistake bound and its proof. What is
used less, or needs more than numpy, is imported when it is first asked for.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from olc import adversaries, forecasters, geometry, gradient, one_proof, streams, vovk
from olc.adversaries import duel
from olc.averaged_perceptron import (
    AveragedMarginPerceptron,
    AveragedPerceptron,
    VotedPerceptron,
)
from olc.balanced_winnow import BalancedWinnow, ThresholdBalancedWinnow
from olc.bandits import Banditron, Exp3, Exp3IX, Exp3P, play_bandit
from olc.core.check import above, at_least, whole
from olc.core.game import Trace, play_one_by_one
from olc.core.learner import Learner, Linear, parameter
from olc.core.stream import Stream
from olc.fast.play import play
from olc.halving import Consistent, Halving
from olc.kernel_perceptron import KernelPerceptron
from olc.margin_perceptron import MarginPerceptron
from olc.margin_winnow import BalancedMarginWinnow, MarginWinnow, ThresholdMarginWinnow
from olc.multiclass import ConstraintClassifier, OneAgainstAll
from olc.normalized_winnow import NormalizedWinnow
from olc.p_norm import PNormPerceptron
from olc.passive_aggressive import PassiveAggressive
from olc.perceptron import Perceptron
from olc.randomized_weighted_majority import RandomizedWeightedMajority
from olc.standard_optimal import StandardOptimal
from olc.sweep import paired, sweep
from olc.threshold_relative import ThresholdRelative
from olc.weighted_majority import WeightedMajority
from olc.winnow import Winnow
from olc.winnow_r import WinnowR

__version__ = "1.0.0"

__all__ = [
    # a game, and what plays it
    "above", "at_least", "duel", "paired", "parameter", "play", "play_bandit",
    "play_one_by_one", "sweep", "whole",
    # learners and what they play
    "AveragedMarginPerceptron", "AveragedPerceptron", "BalancedMarginWinnow",
    "BalancedWinnow", "Banditron", "Consistent", "ConstraintClassifier", "Exp3",
    "Exp3IX", "Exp3P", "Halving", "KernelPerceptron", "Learner", "Linear",
    "MarginPerceptron", "MarginWinnow", "NormalizedWinnow", "OneAgainstAll",
    "PNormPerceptron", "PassiveAggressive", "Perceptron",
    "RandomizedWeightedMajority", "StandardOptimal", "Stream",
    "ThresholdBalancedWinnow", "ThresholdMarginWinnow", "ThresholdRelative",
    "Trace", "VotedPerceptron", "WeightedMajority", "Winnow", "WinnowR",
    # modules
    "adversaries", "averaged_perceptron", "balanced_winnow", "bandits",
    "forecasters", "geometry", "gradient", "halving", "kernel_perceptron",
    "margin_perceptron", "margin_winnow", "multiclass", "normalized_winnow",
    "one_proof", "p_norm", "passive_aggressive", "perceptron", "probability",
    "randomized_weighted_majority", "standard_optimal", "streams",
    "threshold_relative", "vovk", "weighted_majority", "winnow", "winnow_r",
]  # fmt: skip

# What only the book needs is another package, imported when it is first asked for.
_LATER = {
    "Listing": "olc_book.listing",
    "check": "olc_book.exercises",
    "exercises": "olc_book.exercises",
    "lab": "olc_book.labs",
    "plots": "olc_book.plots",
    "sklearn": "olc.sklearn",
    "text": "olc_book.text",
    "tightness": "olc_book.tightness",
    "widgets": "olc_book.widgets",
}

if _TYPE_CHECKING:
    from olc import sklearn as sklearn

    Listing: _Any
    check: _Any
    exercises: _Any
    lab: _Any
    plots: _Any
    text: _Any
    tightness: _Any
    widgets: _Any
else:

    def __getattr__(name: str) -> _Any:
        if name not in _LATER:
            raise AttributeError(f"module 'olc' has no attribute {name!r}")
        module = _import_module(_LATER[name])
        return module if _LATER[name].endswith(f".{name}") else getattr(module, name)

    def __dir__() -> list[str]:
        return [*__all__, *_LATER]
