"""Every bound of the book beside the worst that could be done to it.

Chapter `tightness`. A row is a game, played when it is asked for: nothing is typed in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from typing import Any, NamedTuple

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
from olc.balanced_winnow import BalancedWinnow
from olc.core.game import Trace, duel
from olc.core.learner import Learner
from olc.fast.play import play
from olc.halving import Consistent, Halving
from olc.kernel_perceptron import KernelPerceptron
from olc.margin_perceptron import MarginPerceptron
from olc.margin_winnow import MarginWinnow, ThresholdMarginWinnow
from olc.normalized_winnow import NormalizedWinnow
from olc.p_norm import PNormPerceptron
from olc.perceptron import Perceptron
from olc.randomized_weighted_majority import RandomizedWeightedMajority
from olc.standard_optimal import StandardOptimal
from olc.threshold_relative import ThresholdRelative
from olc.weighted_majority import WeightedMajority
from olc.winnow import Winnow
from olc.winnow_r import WinnowR
from olc.world import adversaries, streams
from olc.world.adversaries import Contrary, Disjunction, Floor, MinimalMargin, Panel


class Verdict(NamedTuple):
    """A bound, the worst that an adversary did to it, and a sharper bound if any.

    `theorem` is where the theorem stands, such as ``"winnow#thm-winnow"``.
    """

    theorem: str
    name: str
    assumes: str
    adversary: str
    measured: float
    bound: float
    sharper: float | None = None

    def ratio(self, bound: float | None) -> str:
        """Return the share of a bound that was reached, rounded down to three digits.

        So 1 means that the bound is attained.

        >>> row = Verdict("winnow#thm-winnow", "Winnow", "", "", 84, 101.0, 84)
        >>> row.ratio(row.bound), row.ratio(row.sharper), row.ratio(None)
        ('0.831', '1', '')
        """
        if bound is None:
            return ""
        # a whole number that rounding has missed by a little is meant
        return f"{math.floor(1000 * self.measured / bound + 1e-6) / 1000:g}"


class Verdicts(tuple[Verdict, ...]):
    """Rows that show themselves as a table, on a page with links to the theorems.

    >>> Verdicts([Verdict("winnow#thm-winnow", "Winnow", "", "", 84, 101.0, 84)])
    name     measured    bound  measured/bound  sharper  measured/sharper
    Winnow         84      101           0.831       84                 1
    """

    _COLUMNS = ("measured", "bound", "measured/bound", "sharper", "measured/sharper")

    def _numbers(self) -> Iterable[tuple[Verdict, list[str]]]:
        for row in self:
            numbers = [_readable(row.measured)]
            for bound in (row.bound, row.sharper):
                numbers += [_readable(bound), row.ratio(bound)]
            yield row, numbers

    def __repr__(self) -> str:
        lines = [("name", list(self._COLUMNS))]
        lines += [(row.name, numbers) for row, numbers in self._numbers()]
        width = max(len(name) for name, _ in lines)
        return "\n".join(
            f"{name:<{width}}{'{:>11}{:>9}{:>16}{:>9}{:>18}'.format(*numbers)}".rstrip()
            for name, numbers in lines
        )

    def _repr_html_(self) -> str:
        # a slash at which a narrow column may be broken
        names = [name.replace("/", " / ") for name in self._COLUMNS]
        names = ["bound, assumptions, adversary", *names]
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(
            f"<tr><th>{_described(row)}</th>"
            + "".join(f"<td>{number}</td>" for number in numbers)
            + "</tr>\n"
            for row, numbers in self._numbers()
        )
        return (
            '<table class="dataframe olc-verdicts">\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"
        )


def _readable(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 999.95 else f"{value:.4g}"


def _described(row: Verdict) -> str:
    page, label = row.theorem.split("#")
    link = f'<a href="{page}.html#{label}">{escape(row.name)}</a>'
    return f"{link}<br><small>{escape(row.assumes)}; {escape(row.adversary)}</small>"


def mistakes(learner: Learner, adversary: Any) -> int:
    """Let an adversary go on until it knows no further mistake; count them.

    >>> mistakes(Winnow(1024), Disjunction(1024, k=3))
    84
    """
    return duel(learner, adversary, rounds=100_000).mistakes


def updates(learner: Learner, adversary: Any) -> int:
    """Count the updates instead, for learners that update on right answers too.

    >>> updates(MarginPerceptron(3, thickness=2), MinimalMargin(0.1, thickness=2))
    497
    """
    return len(duel(learner, adversary, rounds=100_000).updates)


# ----------------------------------------------------------------- the rows


def _row(
    described: str, measured: float, bound: float, sharper: float | None = None
) -> Verdict:
    """Make a row; its theorem, name, assumptions and adversary are one text."""
    theorem, name, assumes, adversary = described.split(" | ")
    return Verdict(theorem, name, assumes, adversary, measured, bound, sharper)


def experts() -> Verdicts:
    """Return the bounds of part I: hypotheses, experts and regret."""
    dense = halving.disjunctions(8, 5)
    dimension = standard_optimal.littlestone_dimension
    split = duel(WeightedMajority(16, eta=0.5), adversaries.Split(), rounds=1995)
    best = weighted_majority.best_expert(split.stream)[1]
    weighted = partial(weighted_majority.mistake_bound, 16, best, 0.5)
    learner = RandomizedWeightedMajority(16, eta=0.1)
    alone = duel(learner, adversaries.OneByOne(best=50), rounds=100_000)
    randomized = partial(randomized_weighted_majority.mistake_bound, 16, 50, 0.1)
    rows = [
        _row(
            "online_game#thm-consistent | Consistent | one hypothesis is right | "
            "Contrary, 64 singletons",
            mistakes(Consistent(64), Contrary(halving.singletons(64))),
            halving.consistent_bound(64),
        ),
        _row(
            "online_game#thm-halving | Halving | one hypothesis is right | "
            "Contrary, all functions of 10 points",
            mistakes(Halving(1024), Contrary(halving.all_functions(10))),
            halving.mistake_bound(1024),
        ),
        _row(
            "standard_optimal#thm-standard-optimal | Standard optimal | "
            "a disjunction of 5 of 8 bits | Contrary, by dimension",
            mistakes(StandardOptimal(dense), Contrary(dense, worth=dimension)),
            halving.mistake_bound(len(dense)),
            dimension(dense),
        ),
        _row(
            "weighted_majority#thm-weighted-majority | Weighted majority | "
            "16 experts, η = ½ | Split",
            split.mistakes,
            weighted(simple=True),
            weighted(),
        ),
        _row(
            "randomized_weighted_majority#thm-randomized-weighted-majority | "
            "Randomized majority | 16 experts, η = 0.1, m = 50 | OneByOne",
            float(alone.expected_mistakes or 0),
            randomized(simple=True),
            randomized(),
        ),
        _row(
            "randomized_weighted_majority#thm-no-regret | No regret | "
            "10 experts, 1,000 rounds | experts and labels that flip coins",
            float(np.mean([_coin_flips(10, 1000, seed) for seed in range(20)])),
            randomized_weighted_majority.regret_bound(10, 1000),
        ),
    ]
    return Verdicts(rows)


def _coin_flips(n: int, rounds: int, seed: int) -> float:
    opinions = np.random.default_rng(seed).choice([-1, 1], (rounds, n + 1))
    eta = randomized_weighted_majority.best_eta(n, rounds)
    learner = RandomizedWeightedMajority(n, eta=eta)
    return weighted_majority.regret(play(learner, opinions[:, 1:], opinions[:, 0]))


def additive() -> Verdicts:
    """Return the bounds of the Perceptron, alone and on panels."""
    bound, plane = perceptron.mistake_bound, adversaries.plane(30)
    pool = streams.separable(10, margin=0.1, rounds=1000, seed=0)
    wrong = duel(Perceptron(3), adversaries.OneWrongLabel(0.05), rounds=1000)
    lie, thin = _doubted(wrong, 0.05), duel(Perceptron(3), MinimalMargin(0.1), 1000)
    behind = Perceptron(3)
    behind.state = np.array([-2.0, 0.0, 0.0])
    xor, squared = streams.xor(), kernel_perceptron.Polynomial(2, constant=0)
    pair = multiclass.ConstraintClassifier(Perceptron(100), classes=2)
    radius = math.sqrt(kernel_perceptron.gram(squared, xor.X).max())
    three = duel(Perceptron(64), Panel(64, k=3), rounds=1000).stream
    rows = [
        _row(
            "perceptron#thm-perceptron | Perceptron | γ = 0.1 | the 100 unit vectors",
            play(Perceptron(100), np.eye(100), np.ones(100)).mistakes,
            bound(1, 0.1),
        ),
        _row(
            "perceptron#thm-perceptron | Perceptron | γ = 0.02 | "
            "MinimalMargin, three dimensions",
            mistakes(Perceptron(3), MinimalMargin(0.02)),
            bound(1, 0.02),
        ),
        _row(
            "perceptron#thm-perceptron | Perceptron, another start | "
            "γ = 0.1, w₁ = −2u | MinimalMargin",
            mistakes(behind, MinimalMargin(0.1)),
            bound(1, 0.1, start=2),
        ),
        _row(
            "nonseparable#thm-perceptron-plane | Perceptron in the plane | "
            "γ = 1/√901 | plane",
            play(Perceptron(2), plane).mistakes,
            bound(plane.radius, plane.margin),
            perceptron.plane_bound(plane.radius, plane.margin),
        ),
        _row(
            "perceptron#thm-perceptron | Perceptron, a fixed set | "
            "1,000 points, γ = 0.1 | WorstOrder",
            mistakes(Perceptron(10), adversaries.WorstOrder(pool)),
            bound(1, 0.1),
            bound(1, geometry.maximal_margin(pool)[0]),
        ),
        _row(
            "perceptron#thm-perceptron-hinge | Hinge losses | "
            "one wrong label, γ = 0.05 | OneWrongLabel",
            wrong.mistakes,
            perceptron.hinge_bound(*lie),
        ),
        _row(
            "nonseparable#thm-perceptron-agnostic | Squares of the losses | "
            "all margins are half of γ = 0.2 | MinimalMargin",
            thin.mistakes,
            perceptron.agnostic_bound(*_doubted(thin, margin=0.2)),
        ),
        _row(
            "nonseparable#thm-perceptron-agnostic | Squares, one wrong label | "
            "one wrong label, γ = 0.05 | OneWrongLabel",
            wrong.mistakes,
            perceptron.agnostic_bound(*lie),
            perceptron.hinge_bound(*lie),
        ),
        _row(
            "kernel_perceptron#thm-kernel-perceptron | Kernel Perceptron | "
            "exclusive or, ⟨x, z⟩² | the four points in turn",
            play(KernelPerceptron(squared), streams.xor(100)).mistakes,
            bound(radius, kernel_perceptron.margin(squared, xor)),
        ),
        _row(
            "spelling#thm-constraint | Perceptron, two classes | "
            "⟨u₀ - u₁, ±x⟩ ≥ γ = √2/10 | the 100 unit vectors",
            multiclass.play(pair, np.eye(100), np.arange(100) % 2).mistakes,
            multiclass.mistake_bound(1, math.sqrt(2) / 10),
        ),
        _row(
            "perceptron_vs_winnow#thm-perceptron-panel | Perceptron, a panel of 1 | "
            "one of 256 experts is right | rows of a Hadamard matrix",
            play(Perceptron(256), adversaries.hadamard(256), np.ones(256)).mistakes,
            perceptron.panel_bound(256, 1),
        ),
        _row(
            "perceptron_vs_winnow#thm-perceptron-panel | Perceptron, a panel of 3 | "
            "3 of 1,024 experts | Panel, in 16 orthogonal copies",
            play(Perceptron(1024), adversaries.copies(three, 16)).mistakes,
            perceptron.panel_bound(1024, 3),
        ),
        _row(
            "perceptron#thm-perceptron | Perceptron, a disjunction | "
            "3 of 256 bits, and a constant | Lengthen",
            mistakes(Perceptron(257), adversaries.Lengthen(256, k=3)),
            perceptron.disjunction_bound(256, 3),
        ),
        _row(
            "perceptron#thm-perceptron | Perceptron, four examples | "
            "3 of 256 bits, and a constant | Cycle",
            mistakes(Perceptron(257), adversaries.Cycle(256, k=3)),
            perceptron.disjunction_bound(256, 3),
        ),
    ]
    return Verdicts(rows)


def _doubted(game: Trace, margin: float) -> tuple[Any, Any, Any, float]:
    """Return examples, labels and target, to be judged by another margin."""
    stream = game.stream
    return stream.X, stream.y, stream.need_target(), margin


def multiplicative() -> Verdicts:
    """Return the bounds of Winnow in all its forms, and of the p-norm Perceptron."""
    n, k, eta = 1024, 3, normalized_winnow.best_eta(1 / 3)
    rows = [
        _row(
            "winnow#thm-winnow | Winnow | 3 of 1,024 bits | Disjunction",
            mistakes(Winnow(n), Disjunction(n, k)),
            winnow.classical_bound(n, k),
            winnow.mistake_bound(n, k),
        ),
        _row(
            "winnow#thm-winnow | Winnow, eliminating | 3 of 1,024 bits | Disjunction",
            mistakes(Winnow(n, eliminate=True), Disjunction(n, k)),
            winnow.mistake_bound(n, k, eliminate=True),
        ),
        _row(
            "normalized_winnow#thm-normalized-winnow-panel | Normalised Winnow | "
            "3 of 1,024 experts | Panel",
            mistakes(NormalizedWinnow(n, eta=eta), Panel(n, k)),
            normalized_winnow.panel_bound(n, k),
            normalized_winnow.panel_bound(n, k, sharp=True),
        ),
        _row(
            "balanced_winnow#thm-balanced-winnow | Balanced Winnow | "
            "3 of 1,024 experts | Panel",
            mistakes(BalancedWinnow(n, eta=eta), Panel(n, k)),
            balanced_winnow.panel_bound(n, k),
            balanced_winnow.panel_bound(n, k, sharp=True),
        ),
        _row(
            "balanced_winnow#thm-balanced-winnow | Balanced Winnow, η = 3 | "
            "one of 1,024 features or its negative | Literals",
            mistakes(BalancedWinnow(n, eta=3), adversaries.Literals(n)),
            balanced_winnow.mistake_bound(n, margin=1, eta=3),
        ),
        _row(
            "one_proof#thm-p-norm-panel | p-norm Perceptron, p = 10 | "
            "3 of 1,024 experts | Panel",
            mistakes(PNormPerceptron(n, p=10), Panel(n, k, tries=1)),
            p_norm.panel_bound(n, k, p=10),
        ),
        _row(
            "winnow_r#thm-winnow-r | Winnow-R | 5 additions to 1,024 bits | Floor",
            mistakes(WinnowR(n), Floor(n, additions=5)),
            winnow_r.mistake_bound(n, additions=5),
            winnow_r.sharp_bound(n, additions=5),
        ),
    ]
    return Verdicts(rows)


def margins() -> Verdicts:
    """Return the bounds of part IV: thick separators, and the longest survivor."""
    n, k, tau, thresholds = 1024, 3, 0.1, (768, 1280)
    eta = margin_winnow.best_eta(1 / 3, tau)
    basis = play(ThresholdRelative(100, aim=1.0), np.eye(100), -np.ones(100))
    rows = [
        _row(
            "thick_separator#thm-margin-perceptron | Margin Perceptron | "
            "γ = 0.1, τ = 2 | MinimalMargin",
            updates(MarginPerceptron(3, thickness=2), MinimalMargin(0.1, 2)),
            margin_perceptron.mistake_bound(1, 0.1, 2),
        ),
        _row(
            "thick_separator#thm-margin-winnow | Margin Winnow | "
            "3 of 1,024 experts, τ = 0.1 | Panel",
            updates(MarginWinnow(n, thickness=tau, eta=eta), Panel(n, k)),
            margin_winnow.mistake_bound(n, 1 / 3, tau),
            margin_winnow.mistake_bound(n, 1 / 3, tau, spread=k),
        ),
        _row(
            "thick_separator#thm-threshold-margin-winnow | Two thresholds | "
            "3 of 1,024 bits, 768 and 1,280 | Disjunction",
            updates(ThresholdMarginWinnow(n, thickness=256), Disjunction(n, k)),
            margin_winnow.threshold_bound(n, k, *thresholds),
            margin_winnow.threshold_bound(n, k, *thresholds, sharp=True),
        ),
        _row(
            "thick_separator#thm-threshold-relative | Threshold-relative update | "
            "R = 1, aim 1, ‖u‖ = 10 | the 100 unit vectors",
            basis.mistakes,
            threshold_relative.mistake_bound(1, 1.0, distance=10),
        ),
        _row(
            "averaged_perceptron#thm-longest-survivor | Longest survivor | "
            "16 hypotheses, ε = 0.1, δ = 0.05 | stalled",
            _until_one_survives(16, epsilon=0.1, delta=0.05),
            averaged_perceptron.examples_needed(15, 0.1, 0.05),
        ),
    ]
    return Verdicts(rows)


def _until_one_survives(size: int, epsilon: float, delta: float) -> int:
    """Stall Consistent; return how many examples it takes until it may stop."""
    wait = averaged_perceptron.stretch(size - 1, epsilon, delta)
    game = duel(Consistent(size), Contrary(halving.singletons(size)), rounds=size)
    late = play(Consistent(size), adversaries.stalled(game.stream, wait))
    starts = np.append(0, late.rounds + 1)
    lives = np.diff(starts, append=len(late) + 1) - 1
    return int(starts[np.argmax(lives >= wait)]) + wait


# ----------------------------------------------------------- ratios against N

#: For each learner: how to make one, its adversary for k = 3, its sharpest bound.
GAMES: dict[str, tuple[Callable[[int], Learner], Callable[..., Any], Any]] = {
    "Perceptron": (Perceptron, Panel, perceptron.panel_bound),
    "Winnow": (Winnow, Disjunction, winnow.mistake_bound),
    "normalised Winnow": (
        partial(NormalizedWinnow, eta=normalized_winnow.best_eta(1 / 3)),
        Panel,
        partial(normalized_winnow.panel_bound, sharp=True),
    ),
    "p-norm Perceptron": (
        PNormPerceptron,
        partial(Panel, tries=1),
        p_norm.panel_bound,
    ),
    "Winnow-R": (WinnowR, Floor, winnow_r.sharp_bound),
}


def share(learner: str, n: int) -> dict[str, float]:
    """Play the adversary of one of `GAMES`, for three of n features or additions.

    >>> share("Winnow", 64)
    {'mistakes': 48, 'bound': 48}
    """
    if learner not in GAMES:
        raise ValueError(f"learner = {learner!r} must be one of {', '.join(GAMES)}")
    make, adversary, bound = GAMES[learner]
    return {"mistakes": mistakes(make(n), adversary(n, 3)), "bound": bound(n, 3)}
