"""Mistake bounds beside the worst that could be done to the algorithm, or to any.

Chapter `tightness`. A row is a game, played when it is asked for: nothing is typed in.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import olc
from olc import Perceptron, adversaries, duel, halving, perceptron, play, streams
from olc.adversaries import Contrary, Disjunction, Floor, MinimalMargin, Panel
from olc.core.check import above, assuming, optional_import, whole

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["mistakes", "updates", "experts", "additive", "multiplicative", "margins",
           "share", "problem_bound", "volume_bound"]  # fmt: skip

#: Where the theorem stands, what it assumes and who attacked it, what came of it.
COLUMNS = ["theorem", "name", "game", "measured", "bound", "sharper"]


def _table(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Make a table of rows; not every bound has a sharper one."""
    full = [(*row, None)[: len(COLUMNS)] for row in rows]
    table = optional_import("pandas").DataFrame(full, columns=COLUMNS)
    return table.astype(dict.fromkeys(COLUMNS[-3:], float))


def mistakes(learner: olc.Learner, adversary: Any) -> int:
    """Let an adversary go on until it knows no further mistake; count them.

    >>> mistakes(olc.Winnow(1024), Disjunction(1024, k=3))
    84
    """
    return duel(learner, adversary, rounds=100_000).mistakes


def updates(learner: olc.Learner, adversary: Any) -> int:
    """Count the updates instead, for learners that update on right answers too.

    >>> learner = olc.MarginPerceptron(3, thickness=2)
    >>> updates(learner, MinimalMargin(0.1, thickness=2))
    497
    """
    return len(duel(learner, adversary, rounds=100_000).update_rounds)


# --------------------------------------------------------------------- the tables


def experts() -> pd.DataFrame:
    """Return the bounds of part I: hypotheses, experts and regret."""
    majority, coins = olc.weighted_majority, olc.randomized_weighted_majority
    optimal, dense = olc.standard_optimal, halving.disjunctions(8, 5)
    dimension = optimal.littlestone_dimension
    split = duel(olc.WeightedMajority(16, eta=0.5), adversaries.Split(), 1995)
    best = majority.best_expert(split.stream)[1]
    weighted = partial(majority.mistake_bound, 16, best, 0.5)
    tossed = olc.RandomizedWeightedMajority(16, eta=0.1)
    alone = duel(tossed, adversaries.OneByOne(best=50), 100_000)
    randomized = partial(coins.mistake_bound, 16, 50, 0.1)
    return _table(
        ("online_game#thm-consistent", "Consistent",
         "64 singletons; Contrary",
         mistakes(olc.Consistent(64), Contrary(halving.singletons(64))),
         halving.consistent_bound(64)),
        ("online_game#thm-halving", "Halving",
         "all functions of 10 points; Contrary",
         mistakes(olc.Halving(1024), Contrary(halving.all_functions(10))),
         halving.mistake_bound(1024)),
        ("standard_optimal#thm-halving-exact", "Halving, disjunctions",
         "5 of 8 bits; halving_stream",
         play(olc.Halving(len(dense)), optimal.halving_stream(dense)).mistakes,
         halving.mistake_bound(len(dense)), optimal.halving_bound(dense)),
        ("standard_optimal#thm-standard-optimal", "Standard optimal",
         "5 of 8 bits; Contrary, by dimension",
         mistakes(olc.StandardOptimal(dense), Contrary(dense, dimension)),
         halving.mistake_bound(len(dense)), dimension(dense)),
        ("weighted_majority#thm-weighted-majority", "Weighted majority",
         "16 experts, η = ½; Split", split.mistakes, weighted(simple=True), weighted()),
        ("randomized_weighted_majority#thm-randomized-weighted-majority",
         "Randomised majority", "N = 16, η = 0.1, m = 50; OneByOne",
         alone.expected_mistakes, randomized(simple=True), randomized()),
        ("randomized_weighted_majority#thm-no-regret", "No regret",
         "10 experts, 1,000 rounds; fair coins",
         np.mean([_coin_flips(10, 1000, seed) for seed in range(20)]),
         coins.regret_bound(10, 1000)),
    )  # fmt: skip


def _coin_flips(n: int, rounds: int, seed: int) -> float:
    opinions = np.random.default_rng(seed).choice([-1, 1], (rounds, n + 1))
    eta = olc.randomized_weighted_majority.best_eta(n, rounds)
    learner = olc.RandomizedWeightedMajority(n, eta=eta)
    return olc.weighted_majority.regret(play(learner, opinions[:, 1:], opinions[:, 0]))


def additive() -> pd.DataFrame:
    """Return the bounds of the Perceptron, alone and on panels."""
    bound, theorem = perceptron.mistake_bound, "perceptron#thm-perceptron"
    agnostic, panel = "nonseparable#thm-perceptron-agnostic", perceptron.panel_bound
    on_panels = "perceptron_vs_winnow#thm-perceptron-panel"
    plane, in_plane = adversaries.plane(30), perceptron.plane_bound
    xor, bits = streams.xor(), "3 of 64 bits, and a constant"
    pool = streams.separable(10, margin=0.1, rounds=1000, seed=0)
    wrong = duel(Perceptron(3), adversaries.OneWrongLabel(0.05), rounds=1000)
    thin = duel(Perceptron(3), MinimalMargin(0.1), rounds=1000)
    lie, doubt = _judged(wrong.stream, 0.05), _judged(thin.stream, 0.2)
    behind = Perceptron(3)
    behind.state = np.array([-2.0, 0.0, 0.0])
    kernels = olc.kernel_perceptron
    squared = kernels.Polynomial(2, constant=0)
    radius = math.sqrt(kernels.gram(squared, xor.X).max())
    pair = olc.ConstraintClassifier(Perceptron(100), classes=2)
    three = duel(Perceptron(64), Panel(64, k=3), rounds=1000).stream
    copies = adversaries.copies(three, 4)
    return _table(
        (theorem, "Perceptron", "γ = 0.1; the 100 unit vectors",
         play(Perceptron(100), np.eye(100), np.ones(100)).mistakes, bound(1, 0.1)),
        (theorem, "Perceptron", "γ = 0.02; MinimalMargin, in space",
         mistakes(Perceptron(3), MinimalMargin(0.02)), bound(1, 0.02)),
        (theorem, "Perceptron, another start", "γ = 0.1, w₁ = −2u; MinimalMargin",
         mistakes(behind, MinimalMargin(0.1)), bound(1, 0.1, start=2)),
        ("nonseparable#thm-perceptron-plane", "Perceptron in the plane",
         "γ = 1/√901; plane", play(Perceptron(2), plane).mistakes,
         *(most(plane.radius, plane.margin) for most in (bound, in_plane))),
        (theorem, "Perceptron, a fixed set", "1,000 points, γ = 0.1; WorstOrder",
         mistakes(Perceptron(10), adversaries.WorstOrder(pool)),
         bound(1, 0.1), bound(1, olc.geometry.maximal_margin(pool)[0])),
        ("perceptron#thm-perceptron-hinge", "Hinge losses",
         "one wrong label, γ = 0.05; OneWrongLabel",
         wrong.mistakes, perceptron.hinge_bound(*lie)),
        ("perceptron#thm-perceptron-wrong-labels", "Perceptron, one wrong label",
         "γ = 0.1; OneWrongLabel",
         mistakes(Perceptron(3), adversaries.OneWrongLabel(0.1)),
         perceptron.wrong_labels_bound(1, 0.1, 1)),
        ("nonseparable#thm-perceptron-long-run", "Perceptron, many passes",
         "two examples, 500 passes; in turn",
         play(Perceptron(1), np.ones((1000, 1)), np.tile([1, -1], 500)).mistakes,
         perceptron.long_run_bound(np.ones((2, 1)), [1, -1], [1.0], 1, 500, 0)),
        (agnostic, "Squares of the losses",
         "all margins half of 0.2; MinimalMargin",
         thin.mistakes, perceptron.agnostic_bound(*doubt)),
        (agnostic, "Squares, one wrong label",
         "one wrong label, γ = 0.05; OneWrongLabel", wrong.mistakes,
         perceptron.agnostic_bound(*lie), perceptron.hinge_bound(*lie)),
        ("kernel_perceptron#thm-kernel-perceptron", "Kernel Perceptron",
         "exclusive or, ⟨x, z⟩²; the four points in turn",
         play(olc.KernelPerceptron(squared), streams.xor(100)).mistakes,
         bound(radius, kernels.margin(squared, xor))),
        ("multiclass#thm-constraint", "Perceptron, two classes",
         "γ = √2/10; the 100 unit vectors",
         olc.multiclass.play(pair, np.eye(100), np.arange(100) % 2).mistakes,
         olc.multiclass.mistake_bound(1, math.sqrt(2) / 10)),
        (on_panels, "Perceptron, a panel of 1",
         "one of 256 experts; Hadamard rows",
         play(Perceptron(256), adversaries.hadamard(256), np.ones(256)).mistakes,
         panel(256, 1)),
        (on_panels, "Perceptron, a panel of 3",
         "3 of 256 experts; Panel, four copies",
         play(Perceptron(256), copies).mistakes, panel(256, 3)),
        (theorem, "Perceptron, a disjunction", f"{bits}; Lengthen",
         mistakes(Perceptron(65), adversaries.Lengthen(64, k=3)),
         perceptron.disjunction_bound(64, 3)),
        (theorem, "Perceptron, four examples", f"{bits}; Cycle",
         mistakes(Perceptron(65), adversaries.Cycle(64, k=3)),
         perceptron.disjunction_bound(64, 3)),
    )  # fmt: skip


def _judged(stream: olc.Stream, margin: float) -> tuple[Any, Any, Any, float]:
    """Return examples, labels and target, to be judged by another margin."""
    return stream.X, stream.y, stream.target, margin


def multiplicative() -> pd.DataFrame:
    """Return the bounds of Winnow in all its forms, and of the p-norm Perceptron."""
    n, k, bits, panel = 1024, 3, "3 of 1,024 bits", "3 of 1,024 experts; Panel"
    winnow, balanced = olc.winnow.mistake_bound, olc.balanced_winnow
    normalised, drifting = olc.normalized_winnow, olc.winnow_r
    few = adversaries.Sparse(8192, 4, active=64)
    return _table(
        ("winnow#thm-winnow", "Winnow", f"{bits}; Disjunction",
         mistakes(olc.Winnow(n), Disjunction(n, k)),
         olc.winnow.classical_bound(n, k), winnow(n, k)),
        ("winnow#thm-winnow-threshold", "Winnow, θ = N/2k",
         "16 of 1,024 bits, θ = 32; Disjunction",
         mistakes(olc.Winnow(n, threshold=32), Disjunction(n, 16)),
         winnow(n, 16, threshold=32)),
        ("winnow#thm-winnow-noise", "Winnow, wrong labels",
         f"{bits}, A = 50; WrongLabels",
         mistakes(olc.Winnow(n), adversaries.WrongLabels(n, k, errors=50)),
         olc.winnow.noisy_bound(n, k, 50)),
        ("spelling#thm-winnow-sparse", "Winnow, unknown N",
         "4 bits, 64 shown, θ = 256; Sparse",
         mistakes(olc.Winnow(8192, threshold=256), few),
         44 / 3 * 8, olc.winnow.sparse_bound(4, 64, 256)),
        ("winnow#thm-winnow", "Winnow, eliminating", f"{bits}; Disjunction",
         mistakes(olc.Winnow(n, eliminate=True), Disjunction(n, k)),
         winnow(n, k, eliminate=True)),
        ("normalized_winnow#thm-normalized-winnow-panel", "Normalised Winnow", panel,
         mistakes(olc.NormalizedWinnow(n, eta=_THIRD), Panel(n, k, tries=1)),
         *(normalised.panel_bound(n, k, sharp) for sharp in (False, True))),
        ("balanced_winnow#thm-balanced-winnow", "Balanced Winnow", panel,
         mistakes(olc.BalancedWinnow(n, eta=_THIRD), Panel(n, k, tries=1)),
         *(balanced.panel_bound(n, k, sharp) for sharp in (False, True))),
        ("balanced_winnow#thm-balanced-winnow", "Balanced Winnow, η = 3",
         "one of 1,024 literals; Literals",
         mistakes(olc.BalancedWinnow(n, eta=3), adversaries.Literals(n)),
         balanced.mistake_bound(n, margin=1, eta=3)),
        ("balanced_winnow#thm-balanced-winnow-rates", "Balanced Winnow, η = 0.11",
         "7 of 32 experts; Panel",
         mistakes(olc.BalancedWinnow(32, eta=0.11), Panel(32, 7)),
         balanced.rate_bound(32, 7, 0.11)),
        ("one_proof#thm-p-norm-panel", "p-norm Perceptron, p = 10", panel,
         mistakes(olc.PNormPerceptron(n, p=10), Panel(n, k, tries=1)),
         olc.p_norm.panel_bound(n, k, p=10)),
        ("winnow_r#thm-winnow-r", "Winnow-R", "5 additions to 1,024 bits; Floor",
         mistakes(olc.WinnowR(n), Floor(n, additions=5)),
         drifting.mistake_bound(n, 5), drifting.sharp_bound(n, 5)),
    )  # fmt: skip


def margins() -> pd.DataFrame:
    """Return the bounds of part IV: thick separators, and the longest survivor."""
    n, k, tau, winnow = 1024, 3, 0.1, olc.margin_winnow
    thick = olc.MarginWinnow(n, thickness=tau, eta=winnow.best_eta(1 / 3, tau))
    thick_bound = partial(winnow.mistake_bound, n, 1 / 3, tau)
    two = olc.ThresholdMarginWinnow(n, thickness=256)
    two_bound = partial(winnow.threshold_bound, n, k, 768, 1280)
    aiming = olc.ThresholdRelative(100, aim=1.0)
    return _table(
        ("thick_separator#thm-margin-perceptron", "Margin Perceptron",
         "γ = 0.1, τ = 2; MinimalMargin",
         updates(olc.MarginPerceptron(3, thickness=2), MinimalMargin(0.1, 2)),
         olc.margin_perceptron.mistake_bound(1, 0.1, 2)),
        ("thick_separator#thm-margin-mistakes", "Margin Perceptron, mistakes",
         "γ = 0.1, τ = ½; MinimalMargin",
         mistakes(olc.MarginPerceptron(3, thickness=0.5), MinimalMargin(0.1)),
         olc.margin_perceptron.mistakes_alone(1, 0.1, 0.5)),
        ("thick_separator#thm-passive-aggressive", "Passive–Aggressive",
         "R = 1, ‖u‖ = 8; the 64 unit vectors",
         play(olc.PassiveAggressive(64), np.eye(64), np.ones(64)).mistakes,
         olc.passive_aggressive.mistake_bound(1, 8)),
        ("thick_separator#thm-margin-winnow", "Margin Winnow",
         "3 of 1,024 experts, τ = 0.1; Panel",
         updates(thick, Panel(n, k, tries=1)), thick_bound(), thick_bound(k=k)),
        ("thick_separator#thm-threshold-margin-winnow", "Two thresholds",
         "3 of 1,024 bits, τ = 256; Disjunction",
         updates(two, Disjunction(n, k)), two_bound(), two_bound(sharp=True)),
        ("thick_separator#thm-threshold-relative", "Threshold-relative update",
         "aim 1, ‖u‖ = 10; the 100 unit vectors",
         play(aiming, np.eye(100), -np.ones(100)).mistakes,
         olc.threshold_relative.mistake_bound(1, 1.0, distance=10)),
        ("averaged_perceptron#thm-longest-survivor", "Longest survivor",
         "16 hypotheses, ε = 0.1, δ = 0.05; stalled",
         _until_one_survives(16, epsilon=0.1, delta=0.05),
         olc.averaged_perceptron.examples_needed(15, 0.1, 0.05)),
    )  # fmt: skip


def _until_one_survives(size: int, epsilon: float, delta: float) -> int:
    """Stall Consistent; return how many examples it takes until it may stop."""
    wait = olc.averaged_perceptron.stretch(size - 1, epsilon, delta)
    kind, table = halving.Consistent, halving.singletons(size)
    game = duel(kind(size), Contrary(table), rounds=size)
    late = play(kind(size), adversaries.stalled(game.stream, wait))
    starts = np.append(0, late.mistake_rounds + 1)
    lives = np.diff(starts, append=len(late) + 1) - 1
    return int(starts[np.argmax(lives >= wait)]) + wait


# ----------------------------------------------------------- ratios against N

_THIRD = olc.normalized_winnow.best_eta(1 / 3)
#: For each learner: how to make one, its adversary for k = 3, its sharpest bound.
GAMES: dict[str, tuple[Any, Any, Any]] = {
    "Perceptron": (Perceptron, Panel, perceptron.panel_bound),
    "Winnow": (olc.Winnow, Disjunction, olc.winnow.mistake_bound),
    "normalised Winnow": (partial(olc.NormalizedWinnow, eta=_THIRD), Panel,
                          partial(olc.normalized_winnow.panel_bound, sharp=True)),
    "p-norm Perceptron": (olc.PNormPerceptron, partial(Panel, tries=1),
                          olc.p_norm.panel_bound),
    "Winnow-R": (olc.WinnowR, Floor, olc.winnow_r.sharp_bound),
}  # fmt: skip


def share(learner: str, n: int) -> dict[str, float]:
    """Play the adversary of one of `GAMES`, for three of n features or additions.

    >>> share("Winnow", 64)
    {'mistakes': 48, 'bound': 48}
    """
    make, adversary, bound = GAMES[learner]
    return {"mistakes": mistakes(make(n), adversary(n, 3)), "bound": bound(n, 3)}


# --------------------------------------------- the algorithm, or the problem?


@assuming(n=whole(2), margin=above(0, 1))
def problem_bound(n: int, margin: float) -> int:
    r"""Return how many mistakes any deterministic learner of halfspaces can be led to.

    Theorem {prf:ref}`thm-halfspace-lower`: unit vectors of n dimensions that some u of
    length 1 explains with this margin γ. Contrary labels on the axes force the lesser
    of n and ⌊1/γ²⌋, and `adversaries.Planes` its own number.

    >>> problem_bound(100, 0.1), problem_bound(20, 0.1), problem_bound(10, 0.001)
    (100, 30, 50)
    """
    axes = min(n, math.floor(1 / margin**2 + 1e-9))
    return max(axes, adversaries.Planes(n, margin).forced)


@assuming(n=whole(2), margin=above(0, 1))
def volume_bound(n: int, margin: float) -> int:
    r"""Bound the mistakes of the majority of all directions that explain the labels.

    Theorem {prf:ref}`thm-volume-halving`: ⌊log₂ 1/f⌋, with f for the share of the
    sphere within arcsin γ of u, :math:`\tfrac12I_{\gamma^2}(\frac{n-1}2, \frac12)`.
    In three dimensions this is at most 2 + 2 log₂(1/γ).

    >>> [volume_bound(3, margin) for margin in (0.1, 0.05, 0.01)]
    [8, 10, 15]
    >>> volume_bound(31, 0.1)  # more than the Perceptron's 100
    103
    """
    share = optional_import("scipy.special").betainc((n - 1) / 2, 0.5, margin**2) / 2
    if share == 0:
        raise ValueError(f"n = {n} is too large: the share is below all numbers")
    return math.floor(-math.log2(share))
