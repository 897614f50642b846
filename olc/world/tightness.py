"""Every bound of the book beside the worst that could be done to it.

Chapter `tightness`. A row is a game, played when it is asked for: nothing is typed in.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from olc import (
    averaged_perceptron,
    balanced_winnow,
    geometry,
    halving,
    kernel_perceptron,
    margin_perceptron,
    margin_winnow,
    multiclass,
    normalized_winnow,
    p_norm,
    perceptron,
    randomized_weighted_majority,
    standard_optimal,
    threshold_relative,
    weighted_majority,
    winnow,
    winnow_r,
)
from olc.core.check import need
from olc.core.game import Trace
from olc.core.learner import Learner
from olc.fast.play import play
from olc.perceptron import Perceptron
from olc.world import adversaries, streams
from olc.world.adversaries import (
    Contrary,
    Disjunction,
    Floor,
    MinimalMargin,
    Panel,
    duel,
)

if TYPE_CHECKING:
    import pandas as pd

#: Where the theorem stands, what it assumes, who attacked it, and what came of it.
COLUMNS = ["theorem", "name", "assumes", "adversary", "measured", "bound", "sharper"]


def _table(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Make a table of rows; not every bound has a sharper one."""
    table = need("pandas").DataFrame(rows, columns=COLUMNS)
    return table.astype(dict.fromkeys(COLUMNS[-3:], float))


def reached(measured: Any, bound: Any) -> Any:
    """Return the share of a bound that was reached, rounded down to three digits.

    So 1 means that the bound is attained.

    >>> float(reached(2499, 2500)), float(reached(100, 1 / 0.1**2))
    (0.999, 1.0)
    """
    # a whole number that rounding has missed by a little is meant
    return np.floor(1000 * measured / bound + 1e-6) / 1000


def linked(table: pd.DataFrame) -> str:
    """Return a table in HTML, with a link from each name to its theorem.

    >>> row = ("winnow#thm-winnow", "Winnow", "3 of 1,024 bits", "Disjunction", 84, 101)
    >>> print(linked(_table((*row, 84))))
    <table border="1" class="dataframe olc-verdicts">
    ...
          <th><a href="winnow.html#thm-winnow">Winnow</a><br><small>3 of 1,024 bits; ...
          <td>84</td>
          <td>101</td>
          <td>0.831</td>
          <td>84</td>
          <td>1</td>
    ...
    """
    numbers = table[["measured"]].copy()
    for name in ("bound", "sharper"):
        numbers[name] = table[name]
        numbers[f"measured / {name}"] = reached(table["measured"], table[name])
    numbers.columns.name = "bound, assumptions, adversary"
    numbers.index = [
        f'<a href="{theorem.replace("#", ".html#")}">{name}</a><br>'
        f"<small>{assumes}; {adversary}</small>"
        for theorem, name, assumes, adversary in table[COLUMNS[:4]].to_numpy()
    ]
    return numbers.map(_readable).to_html(classes="olc-verdicts", escape=False)


def _readable(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.0f}" if value >= 999.95 else f"{value:.4g}"


def mistakes(learner: Learner, adversary: Any) -> int:
    """Let an adversary go on until it knows no further mistake; count them.

    >>> mistakes(winnow.Winnow(1024), Disjunction(1024, k=3))
    84
    """
    return duel(learner, adversary, rounds=100_000).mistakes


def updates(learner: Learner, adversary: Any) -> int:
    """Count the updates instead, for learners that update on right answers too.

    >>> learner = margin_perceptron.MarginPerceptron(3, thickness=2)
    >>> updates(learner, MinimalMargin(0.1, thickness=2))
    497
    """
    return len(duel(learner, adversary, rounds=100_000).updates)


# --------------------------------------------------------------------- the tables


def experts() -> pd.DataFrame:
    """Return the bounds of part I: hypotheses, experts and regret."""
    dense = halving.disjunctions(8, 5)
    dimension = standard_optimal.littlestone_dimension
    learner = weighted_majority.WeightedMajority(16, eta=0.5)
    split = duel(learner, adversaries.Split(), rounds=1995)
    best = weighted_majority.best_expert(split.stream)[1]
    weighted = partial(weighted_majority.mistake_bound, 16, best, 0.5)
    coins = randomized_weighted_majority.RandomizedWeightedMajority(16, eta=0.1)
    alone = duel(coins, adversaries.OneByOne(best=50), rounds=100_000)
    randomized = partial(randomized_weighted_majority.mistake_bound, 16, 50, 0.1)
    return _table(
        ("online_game#thm-consistent", "Consistent",
         "one hypothesis is right", "Contrary, 64 singletons",
         mistakes(halving.Consistent(64), Contrary(halving.singletons(64))),
         halving.consistent_bound(64), None),
        ("online_game#thm-halving", "Halving",
         "one hypothesis is right", "Contrary, all functions of 10 points",
         mistakes(halving.Halving(1024), Contrary(halving.all_functions(10))),
         halving.mistake_bound(1024), None),
        ("standard_optimal#thm-standard-optimal", "Standard optimal",
         "a disjunction of 5 of 8 bits", "Contrary, by dimension",
         mistakes(standard_optimal.StandardOptimal(dense), Contrary(dense, dimension)),
         halving.mistake_bound(len(dense)), dimension(dense)),
        ("weighted_majority#thm-weighted-majority", "Weighted majority",
         "16 experts, η = ½", "Split",
         split.mistakes, weighted(simple=True), weighted()),
        ("randomized_weighted_majority#thm-randomized-weighted-majority",
         "Randomized majority", "16 experts, η = 0.1, m = 50", "OneByOne",
         alone.expected_mistakes, randomized(simple=True), randomized()),
        ("randomized_weighted_majority#thm-no-regret", "No regret",
         "10 experts, 1,000 rounds", "experts and labels that flip coins",
         np.mean([_coin_flips(10, 1000, seed) for seed in range(20)]),
         randomized_weighted_majority.regret_bound(10, 1000), None),
    )  # fmt: skip


def _coin_flips(n: int, rounds: int, seed: int) -> float:
    opinions = np.random.default_rng(seed).choice([-1, 1], (rounds, n + 1))
    eta = randomized_weighted_majority.best_eta(n, rounds)
    learner = randomized_weighted_majority.RandomizedWeightedMajority(n, eta=eta)
    return weighted_majority.regret(play(learner, opinions[:, 1:], opinions[:, 0]))


def additive() -> pd.DataFrame:
    """Return the bounds of the Perceptron, alone and on panels."""
    bound, theorem = perceptron.mistake_bound, "perceptron#thm-perceptron"
    plane = adversaries.plane(30)
    pool = streams.separable(10, margin=0.1, rounds=1000, seed=0)
    wrong = duel(Perceptron(3), adversaries.OneWrongLabel(0.05), rounds=1000)
    lie, thin = _doubted(wrong, 0.05), duel(Perceptron(3), MinimalMargin(0.1), 1000)
    behind = Perceptron(3)
    behind.state = np.array([-2.0, 0.0, 0.0])
    xor, squared = streams.xor(), kernel_perceptron.Polynomial(2, constant=0)
    radius = math.sqrt(kernel_perceptron.gram(squared, xor.X).max())
    pair = multiclass.ConstraintClassifier(Perceptron(100), classes=2)
    three = duel(Perceptron(64), Panel(64, k=3), rounds=1000).stream
    return _table(
        (theorem, "Perceptron", "γ = 0.1", "the 100 unit vectors",
         play(Perceptron(100), np.eye(100), np.ones(100)).mistakes,
         bound(1, 0.1), None),
        (theorem, "Perceptron", "γ = 0.02", "MinimalMargin, three dimensions",
         mistakes(Perceptron(3), MinimalMargin(0.02)), bound(1, 0.02), None),
        (theorem, "Perceptron, another start", "γ = 0.1, w₁ = −2u", "MinimalMargin",
         mistakes(behind, MinimalMargin(0.1)), bound(1, 0.1, start=2), None),
        ("nonseparable#thm-perceptron-plane", "Perceptron in the plane",
         "γ = 1/√901", "plane",
         play(Perceptron(2), plane).mistakes, bound(plane.radius, plane.margin),
         perceptron.plane_bound(plane.radius, plane.margin)),
        (theorem, "Perceptron, a fixed set", "1,000 points, γ = 0.1", "WorstOrder",
         mistakes(Perceptron(10), adversaries.WorstOrder(pool)),
         bound(1, 0.1), bound(1, geometry.maximal_margin(pool)[0])),
        ("perceptron#thm-perceptron-hinge", "Hinge losses",
         "one wrong label, γ = 0.05", "OneWrongLabel",
         wrong.mistakes, perceptron.hinge_bound(*lie), None),
        ("nonseparable#thm-perceptron-agnostic", "Squares of the losses",
         "all margins are half of γ = 0.2", "MinimalMargin",
         thin.mistakes, perceptron.agnostic_bound(*_doubted(thin, 0.2)), None),
        ("nonseparable#thm-perceptron-agnostic", "Squares, one wrong label",
         "one wrong label, γ = 0.05", "OneWrongLabel",
         wrong.mistakes, perceptron.agnostic_bound(*lie),
         perceptron.hinge_bound(*lie)),
        ("kernel_perceptron#thm-kernel-perceptron", "Kernel Perceptron",
         "exclusive or, ⟨x, z⟩²", "the four points in turn",
         play(kernel_perceptron.KernelPerceptron(squared), streams.xor(100)).mistakes,
         bound(radius, kernel_perceptron.margin(squared, xor)), None),
        ("spelling#thm-constraint", "Perceptron, two classes",
         "⟨u₀ - u₁, ±x⟩ ≥ γ = √2/10", "the 100 unit vectors",
         multiclass.play(pair, np.eye(100), np.arange(100) % 2).mistakes,
         multiclass.mistake_bound(1, math.sqrt(2) / 10), None),
        ("perceptron_vs_winnow#thm-perceptron-panel", "Perceptron, a panel of 1",
         "one of 256 experts is right", "rows of a Hadamard matrix",
         play(Perceptron(256), adversaries.hadamard(256), np.ones(256)).mistakes,
         perceptron.panel_bound(256, 1), None),
        ("perceptron_vs_winnow#thm-perceptron-panel", "Perceptron, a panel of 3",
         "3 of 1,024 experts", "Panel, in 16 orthogonal copies",
         play(Perceptron(1024), adversaries.copies(three, 16)).mistakes,
         perceptron.panel_bound(1024, 3), None),
        (theorem, "Perceptron, a disjunction", "3 of 256 bits, and a constant",
         "Lengthen", mistakes(Perceptron(257), adversaries.Lengthen(256, k=3)),
         perceptron.disjunction_bound(256, 3), None),
        (theorem, "Perceptron, four examples", "3 of 256 bits, and a constant",
         "Cycle", mistakes(Perceptron(257), adversaries.Cycle(256, k=3)),
         perceptron.disjunction_bound(256, 3), None),
    )  # fmt: skip


def _doubted(game: Trace, margin: float) -> tuple[Any, Any, Any, float]:
    """Return examples, labels and target, to be judged by another margin."""
    stream = game.stream
    return stream.X, stream.y, stream.need_target(), margin


def multiplicative() -> pd.DataFrame:
    """Return the bounds of Winnow in all its forms, and of the p-norm Perceptron."""
    n, k, eta = 1024, 3, normalized_winnow.best_eta(1 / 3)
    normalised = normalized_winnow.NormalizedWinnow(n, eta=eta)
    balanced = partial(balanced_winnow.BalancedWinnow, n)
    return _table(
        ("winnow#thm-winnow", "Winnow", "3 of 1,024 bits", "Disjunction",
         mistakes(winnow.Winnow(n), Disjunction(n, k)),
         winnow.classical_bound(n, k), winnow.mistake_bound(n, k)),
        ("winnow#thm-winnow", "Winnow, eliminating", "3 of 1,024 bits", "Disjunction",
         mistakes(winnow.Winnow(n, eliminate=True), Disjunction(n, k)),
         winnow.mistake_bound(n, k, eliminate=True), None),
        ("normalized_winnow#thm-normalized-winnow-panel", "Normalised Winnow",
         "3 of 1,024 experts", "Panel", mistakes(normalised, Panel(n, k)),
         normalized_winnow.panel_bound(n, k),
         normalized_winnow.panel_bound(n, k, sharp=True)),
        ("balanced_winnow#thm-balanced-winnow", "Balanced Winnow",
         "3 of 1,024 experts", "Panel", mistakes(balanced(eta=eta), Panel(n, k)),
         balanced_winnow.panel_bound(n, k),
         balanced_winnow.panel_bound(n, k, sharp=True)),
        ("balanced_winnow#thm-balanced-winnow", "Balanced Winnow, η = 3",
         "one of 1,024 features or its negative", "Literals",
         mistakes(balanced(eta=3), adversaries.Literals(n)),
         balanced_winnow.mistake_bound(n, margin=1, eta=3), None),
        ("one_proof#thm-p-norm-panel", "p-norm Perceptron, p = 10",
         "3 of 1,024 experts", "Panel",
         mistakes(p_norm.PNormPerceptron(n, p=10), Panel(n, k, tries=1)),
         p_norm.panel_bound(n, k, p=10), None),
        ("winnow_r#thm-winnow-r", "Winnow-R", "5 additions to 1,024 bits", "Floor",
         mistakes(winnow_r.WinnowR(n), Floor(n, additions=5)),
         winnow_r.mistake_bound(n, additions=5),
         winnow_r.sharp_bound(n, additions=5)),
    )  # fmt: skip


def margins() -> pd.DataFrame:
    """Return the bounds of part IV: thick separators, and the longest survivor."""
    n, k, tau = 1024, 3, 0.1
    thick = margin_perceptron.MarginPerceptron(3, thickness=2)
    eta = margin_winnow.best_eta(1 / 3, tau)
    thick_winnow = margin_winnow.MarginWinnow(n, thickness=tau, eta=eta)
    two = margin_winnow.ThresholdMarginWinnow(n, thickness=256)
    two_bound = partial(margin_winnow.threshold_bound, n, k, 768, 1280)
    aiming = threshold_relative.ThresholdRelative(100, aim=1.0)
    return _table(
        ("thick_separator#thm-margin-perceptron", "Margin Perceptron",
         "γ = 0.1, τ = 2", "MinimalMargin", updates(thick, MinimalMargin(0.1, 2)),
         margin_perceptron.mistake_bound(1, 0.1, 2), None),
        ("thick_separator#thm-margin-winnow", "Margin Winnow",
         "3 of 1,024 experts, τ = 0.1", "Panel", updates(thick_winnow, Panel(n, k)),
         margin_winnow.mistake_bound(n, 1 / 3, tau),
         margin_winnow.mistake_bound(n, 1 / 3, tau, k=k)),
        ("thick_separator#thm-threshold-margin-winnow", "Two thresholds",
         "3 of 1,024 bits, 768 and 1,280", "Disjunction",
         updates(two, Disjunction(n, k)), two_bound(), two_bound(sharp=True)),
        ("thick_separator#thm-threshold-relative", "Threshold-relative update",
         "R = 1, aim 1, ‖u‖ = 10", "the 100 unit vectors",
         play(aiming, np.eye(100), -np.ones(100)).mistakes,
         threshold_relative.mistake_bound(1, 1.0, distance=10), None),
        ("averaged_perceptron#thm-longest-survivor", "Longest survivor",
         "16 hypotheses, ε = 0.1, δ = 0.05", "stalled",
         _until_one_survives(16, epsilon=0.1, delta=0.05),
         averaged_perceptron.examples_needed(15, 0.1, 0.05), None),
    )  # fmt: skip


def _until_one_survives(size: int, epsilon: float, delta: float) -> int:
    """Stall Consistent; return how many examples it takes until it may stop."""
    wait = averaged_perceptron.stretch(size - 1, epsilon, delta)
    kind = halving.Consistent
    game = duel(kind(size), Contrary(halving.singletons(size)), rounds=size)
    late = play(kind(size), adversaries.stalled(game.stream, wait))
    starts = np.append(0, late.rounds + 1)
    lives = np.diff(starts, append=len(late) + 1) - 1
    return int(starts[np.argmax(lives >= wait)]) + wait


# ----------------------------------------------------------- ratios against N

#: For each learner: how to make one, its adversary for k = 3, its sharpest bound.
GAMES: dict[str, tuple[Callable[[int], Learner], Callable[..., Any], Any]] = {
    "Perceptron": (Perceptron, Panel, perceptron.panel_bound),
    "Winnow": (winnow.Winnow, Disjunction, winnow.mistake_bound),
    "normalised Winnow": (
        partial(
            normalized_winnow.NormalizedWinnow, eta=normalized_winnow.best_eta(1 / 3)
        ),
        Panel,
        partial(normalized_winnow.panel_bound, sharp=True),
    ),
    "p-norm Perceptron": (
        p_norm.PNormPerceptron, partial(Panel, tries=1), p_norm.panel_bound,
    ),
    "Winnow-R": (winnow_r.WinnowR, Floor, winnow_r.sharp_bound),
}  # fmt: skip


def share(learner: str, n: int) -> dict[str, float]:
    """Play the adversary of one of `GAMES`, for three of n features or additions.

    >>> share("Winnow", 64)
    {'mistakes': 48, 'bound': 48}
    """
    if learner not in GAMES:
        raise ValueError(f"learner = {learner!r} must be one of {', '.join(GAMES)}")
    make, adversary, bound = GAMES[learner]
    return {"mistakes": mistakes(make(n), adversary(n, 3)), "bound": bound(n, 3)}
