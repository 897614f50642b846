"""What the figures draw, in words: as it was when somebody last looked at them.

`DRAWINGS` has small data for every drawing that draws more than the `curves` of a
table, and for the words of the kit. What they draw is compared with a snapshot;
`pytest tests/test_figures.py --snapshot-update` writes it anew, and `git diff` shows
which pictures to look at.
"""

from __future__ import annotations

import importlib
import inspect
import io
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.lines import AxLine
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator
from scipy import sparse

import olc
from olc import adversaries, bandits, halving, streams
from olc_book import plots
from olc_book.plots import _figure as page
from olc_book.plots import kit


def T(columns: str, rows: str) -> pd.DataFrame:
    """Return a table of columns (* before an index) and rows between semicolons."""
    lines = "\n".join([columns.removeprefix("*"), *re.split("; *", rows)])
    return pd.read_csv(io.StringIO(lines), index_col=0 if columns[0] == "*" else None)


# --- small games ----------------------------------------------------------------------

PLANE = olc.Stream(
    [[1, 2], [2, 1], [-1, -1], [-1, 1]], np.array([1, 1, -1, -1]), np.array([1, 0])
)
PANEL = streams.panel(16, 3, 300, seed=0)
CUTS = halving.thresholds(7)
BITS = streams.disjunction(32, 2, 300, seed=0)
LEDGER = T("*mistake,lower,potential,upper", "1,1,2,3; 2,4,5,6; 3,9,10,12")
SWEEP = T(
    "learner,k,N,M,bound",
    "Winnow,1,8,3,9; Winnow,1,8,5,9; Winnow,1,16,6,11; Winnow,2,8,4,18;"
    "Perceptron,1,8,5,8; Perceptron,1,16,9,16; Perceptron,2,8,6,17",
)
MEDIANS = kit.medians(SWEEP, "N", "M", "k", "learner").assign(bound=range(20, 26))


def after(learner: Any, stream: Any) -> Any:
    """Let a learner play, and return it."""
    olc.play(learner, stream)
    return learner


def clouds() -> tuple[Any, Any, Any]:
    clean = streams.separable(2, margin=0.15, rounds=120, seed=2)
    noisy = streams.flip_labels(clean, chance=0.15, seed=2)
    return after(olc.VotedPerceptron(2), noisy), noisy, clean


def voted() -> tuple[Any, Any]:
    data = streams.separable(5, 0.05, 1300, seed=0)
    return after(olc.VotedPerceptron(5), data[:300]), data[300:]


def bandit_games() -> tuple[Any, ...]:
    losses = bandits.turning_losses(400, turn=100)
    kinds = {"Exp3": olc.Exp3, "Exp3-IX": olc.Exp3IX}
    traces = {name: bandits.play_bandit(kind.tuned(2, 400), losses, seeds=8)
              for name, kind in kinds.items()}  # fmt: skip
    return traces, {"Exp3": pd.Series([2.0, 5.0])}, 61.0


def kernels(*degrees: int) -> dict[str, Any]:
    powers = map(olc.kernel_perceptron.Polynomial, degrees)
    return {f"{it}": after(olc.KernelPerceptron(it), streams.xor(8)) for it in powers}


def expert_game() -> Any:
    stream = streams.experts(4, rounds=30, seed=0, error=0.5, best=0.1)
    return olc.play(olc.WeightedMajority(4, eta=0.3), stream)


def pixel_votes() -> Any:
    votes = streams.experts(4, rounds=20, seed=0, error=[0.1, 0.9, 0.5, 0.5])
    return olc.Stream(np.hstack([votes.X, -votes.X]), votes.y)


def on_axes(word: Callable[..., Any], *given: Any, **options: Any) -> Axes:
    """Return axes on which a word of the kit has drawn."""
    ax = kit.panel()
    word(ax, *given, **options)
    return ax


# fmt: off
#: What is drawn by the words of the kit.
KIT: dict[str, Callable[[], Any]] = {
    "curves": lambda: kit.curves(
        MEDIANS, {"median": "random", "bound": "bound"}, "N (k = {})", "M",
        by="learner", split="k", xticks=[8, 16], ylim=(0, None), legend="best"),
    "curves, of one": lambda: kit.curves(
        MEDIANS.loc[1, "Winnow"], {"bound": kit.look("bound"), "median": "adversary"},
        "N", "M", who="Winnow", labels={"median": "forced"}, shaded="median"),
    "running_all": lambda: kit.running_all(
        {"it": olc.play(olc.Perceptron(2), PLANE)}, {"M": kit.mistakes})[0],
    "envelopes": lambda: kit.envelopes(
        {"Winnow": LEDGER, "GD": LEDGER}, "Φ", whose={"GD": "Halving"}, start=0),
    "envelope": lambda: on_axes(kit.envelope, LEDGER, "‖w‖²", who="Winnow", now=2),
    "stems": lambda: on_axes(kit.stems, [0.5, -1, 2], who="Winnow"),
    "examples": lambda: on_axes(kit.examples, [[1, -1, 0], [0, 1, 1]], [1, -1], [2]),
    "no weights": lambda: on_axes(kit.plane, PLANE.X, PLANE.y, [0, 0]),
    "points": lambda: on_axes(kit.points, sparse.csr_array(PLANE.X), PLANE.y),
    "no points": lambda: on_axes(kit.points, np.empty((0, 2)), []),
    "plane": lambda: on_axes(
        kit.plane, PLANE.X, PLANE.y, [3, 4], bias=5, margin=0.5, who="Perceptron"),
}
#: What the drawings of the chapters are given. After a comma stands what is tried, or
#: the step of a drawing that returns frames.
DRAWINGS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "_game.ledger_figure": lambda: (LEDGER, "total weight"),
    "_game.ledger_figure, of two": lambda: ({"Halving": LEDGER, "Winnow": LEDGER},
                                            "Φ"),
    "_game.replay_frame": lambda: (olc.play(olc.Winnow(32), BITS), 3),
    "_game.replay_frame, plane": lambda: (olc.play(olc.Perceptron(2), PLANE), 2),
    "_game.replay_frame, threshold": lambda: (
        olc.play(olc.Winnow(2), olc.Stream(np.eye(2), np.array([1, -1]))), 1),
    "averaged_perceptron.wandering": clouds,
    "averaged_perceptron.lifetimes": voted,
    "averaged_perceptron.losses": lambda: ((-3, 0.8), (0.25, 0.75), 0.5),
    "averaged_perceptron.allowed": lambda: (
        T("*update,losses", "1,.5; 2,1; 3,1.5; 4,2"),
        T("updates,losses", "2,1.5; 3,1"), 0.5),
    "averaged_perceptron.held_out": lambda: (T(
        'noise,last,longest survivor,voted,averaged,"thick, last","thick, averaged"',
        "0,.02,.01,.006,.004,.03,0; 0,.04,.02,.008,.005,.01,0;"
        ".2,.3,.2,.11,.09,.25,.08; .2,.34,.22,.12,.1,.21,.07"), "noise"),
    "averaged_perceptron.held_out, rounds": lambda: (T(
        'rounds,last,longest survivor,voted,averaged,"thick, last","thick, averaged"',
        "10,.3,.3,.28,.26,.3,.25; 100,.1,.09,.07,.06,.05,.04; 100,.2,.1,.07,.06,.07,.03"
        ), "rounds", True),
    "averaged_perceptron.rare": lambda: (pd.DataFrame(
        {"last": [0, -0.5, 0.1], "averaged": [0, -0.4, -0.2]}, [1, 10, 100]),),
    "balanced_winnow.contrarian": lambda: ({
        "Winnow": olc.play(olc.Winnow(2), [[1, 0], [1, 1]] * 6, [1, -1] * 6),
        "Balanced Winnow": olc.play(
            olc.BalancedWinnow(2, eta=1), [[1, 0], [1, 1]] * 6, [1, -1] * 6)},),
    "balanced_winnow.diamond": lambda: (
        olc.play(olc.BalancedWinnow(2, eta=0.7), [[1, 0], [0, 1], [0.5, 1]] * 3,
                 [-1, 1, -1] * 3),),
    "balanced_winnow.two_weights": lambda: (
        olc.play(olc.BalancedWinnow(6, eta=0.3), streams.signed_panel(6, 3, 99, 0)), 4),
    "balanced_winnow.link": lambda: (0.5, 9),
    "balanced_winnow.rates": lambda: (T(
        "n,k,eta,mistakes", "16,7,.05,105; 16,7,.1,108; 64,5,.05,231; 64,5,.2,153"),),
    "bandits.areas": lambda: (
        [0.2, 0.8], {"equal chances": [0.5, 0.5], "unequal chances": [0.9, 0.1]}),
    "bandits.caution": lambda: (T(
        "gap,learner,rate,mean,sd",
        ".2,Exp3,1,120,26; .2,Exp3,2,99,28; .2,Exp3-IX,1,145,26; .2,Exp3-IX,2,146,24;"
        ".5,Exp3,1,120,15; .5,Exp3,2,86,15; .5,Exp3-IX,1,155,16; .5,Exp3-IX,2,156,9"),),
    "bandits.fates": bandit_games,
    "bandits.rounds": lambda: (
        [[0.5, 0.5], [0.6, 0.4], [0.6, 0.4]], [0.7, 0.1, 0.8], [1, 0, 1], [1, 0, 1]),
    "bandits.split": lambda: (bandit_games()[0]["Exp3"], 100, 33.0),
    "bandits.worlds": lambda: (
        {"fair": np.array([9, 10, 12, 9]), "better": np.array([9, 11, 14, 12])},
        [0.5, 0.4], 16),
    "errata.angles": lambda: (
        olc.play(olc.Perceptron(2), olc.Stream([[0.1, 1]], np.array([1]), [1, 0])),
        olc.duel(olc.Perceptron(3), adversaries.MinimalMargin(0.3), rounds=20)),
    "errata.hidden": lambda: (
        {"built": {"every round": olc.play(olc.MarginWinnow(2, thickness=2, eta=0.5),
                                           [[1, 0.5], [-1, 0.5]], [1, 1]),
                   "at mistakes": olc.play(olc.NormalizedWinnow(2, eta=0.5),
                                           [[1, 0.5], [-1, 0.5]], [1, 1])}}, 3.4),
    "errata.kinds": lambda: (
        T("entry,rounds,ratio", "E1,10,1; E1,100,10; E2,10,0.5; E2,30,1.5"),
        {"E1": ("any target", "Perceptron"), "E2": ("floor", "WinnowR")}),
    "errata.ties": lambda: (
        PLANE.X, PLANE.y, [[1, 1], [2, 0]],
        T("*round,0 is +1,0 is −1,0 is ignored", "1,1,0,1; 2,2,0,2; 3,2,0,8"), 2),
    "family_tree.links": lambda: (
        T("*s,Perceptron,p-norm Perceptron,normalised Winnow,Balanced Winnow",
          "-2,-2,-8,.1,-4; -1,-1,-1,.4,-1; 0,0,0,1,0; 1,1,1,3,1; 2,2,8,7,4"),),
    "family_tree.drift": lambda: (
        {"Winnow": olc.play(olc.Winnow(32), BITS),
         "Winnow-R": olc.play(olc.WinnowR(32), BITS)},),
    "family_tree.margins": lambda: (
        T("*τ,reached,at least", "0,.42,0; 1,.81,.25; 4,.95,.4; 16,.98,.47"),),
    "family_tree.readings": lambda: (
        [2, 0, 0, -2], {"Halving": [1, 0, 0, 0], "weighted majority": [4, 2, 2, 1]}),
    "family_tree.powers": lambda: (T(
        "place,seed,p-norm Perceptron,normalised Winnow,Balanced Winnow",
        *["; ".join(f"{place},{seed},{90 - 9 * place + seed},{70 - 7 * place + seed},"
                    f"{80 - 8 * place + seed}" for place in range(5) for seed in (0, 1))
          ]), [2, 3, 5, 8, 16], [0.1, 0.2, 0.4, 0.8, 1.6]),
    "family_tree.averages": lambda: (T(
        "side,seed,last,average", "Perceptron,0,9,1; Perceptron,1,5,0; "
        "Perceptron,2,7,1; normalised Winnow,0,3,4; normalised Winnow,1,8,2"),),
    "family_tree.tree": lambda: (T(
        "*step,from,to", "1,Halving,weighted majority; 4,Perceptron,average"),),
    "family_tree.tree, side by side": lambda: (T(
        "*step,from,to", "2,weighted majority,randomised majority"),),
    "index.race": lambda: (
        [(olc.play(olc.Perceptron(16), PANEL),
          olc.play(olc.BalancedWinnow(16, eta=eta), PANEL)) for eta in (0.3, 3)],
        {"Perceptron": 48, "Balanced Winnow": 62.4}),
    "kernel_perceptron.rotated": lambda: (
        T("eta,seed,panel,rotated", ".1,0,9,11; .1,1,7,12; 1,0,4,30; 1,1,5,50"),
        T("learner,seed,panel,rotated", "Perceptron,0,10,10; Perceptron,1,12,12")),
    "kernel_perceptron.squares": lambda: (streams.circles(8, seed=0),),
    "kernel_perceptron.widths": lambda: (
        T("width,mistakes,bound,error",
          ".1,60,900,9; .1,64,950,8; 1,20,80,2; 1,24,90,3; 8,50,700,2.5; 8,54,720,1"),
        T("mistakes,error", "30,4; 34,5")),
    "kernel_perceptron.regions": lambda: (kernels(2, 1), streams.xor()),
    "kernel_perceptron.regions, fresh": lambda: (
        {"nothing": olc.KernelPerceptron()}, streams.xor()),
    "linear_classifiers.balls": lambda: ((1, 2), (1.5, 2)),
    "linear_classifiers.bias": lambda: (
        T("*c,(R′/γ′)²,corrections", "1,90000,400; 8,300,60; 64,5000,900"),),
    "linear_classifiers.cube": lambda: ({"2 of 3": 2, "3 of 3": 3},),
    "linear_classifiers.halfspaces": lambda: (
        PLANE.X.astype(float), [[[1, 0], 0], [[3, 4], 5]]),
    "linear_classifiers.lift": lambda: ([1, 3, 1.5], [-1, 1, 1], 2),
    "linear_classifiers.origins": lambda: (
        {"far": olc.Stream([[4, 3], [3, 4]], np.array([-1, 1])), "near": PLANE},),
    "linear_classifiers.turn, 60": lambda: (PLANE,),
    "linear_classifiers.turn, 0": lambda: (PLANE,),
    "linear_classifiers.higher_dimension": lambda: (streams.xor(),),
    "multiclass.many": lambda: (T(
        "most,classes,seed,value", "2,2,0,5; 2,2,1,7; 2,4,0,9; 2,4,1,10; "
        "1,2,0,15; 1,2,1,17; 1,4,0,19; 1,4,1,18"),),
    "multiclass.codes": lambda: (
        {"one against all": 2 * np.eye(3, dtype=int) - 1,
         "code": [[1, 1, 1], [1, -1, 0], [-1, 1, -1]]}, [1, 1, -1]),
    "multiclass.honest": lambda: (
        {"held out": [-3, 2, 5], "before": [-2, 1, 9], "after": [4, 5, 6]}, 4),
    "multiclass.forms": lambda: (T(
        "data,seed,constraint,code,one against all",
        "a,0,90,91,90; a,1,99,94,90; c,0,80,90,93; c,1,81,97,90"),
        ["constraint", "code"], "one against all"),
    "multiclass.scores": lambda: (
        [[-1, -2], [0, 0], [-1, 2]], [-1, 0, 1], [0, 1, 2]),
    "multiclass.tagged": lambda: (
        pd.DataFrame({"left to right": [1, 1, 2, 1, 2, 2], "all words": [1, 1, 1] * 2,
                      "structured": [0, 1, 1, 1, 1, 1]},
                     pd.MultiIndex.from_product([[0, 1], range(3)])), 20.0),
    "multiclass.reliability": lambda: (
        [0.05] * 4 + [0.85] * 2 + [0.95] * 3 + [1.0], [0, 0, 0, 1, 1, 1, 0, 1, 1, 1]),
    "nonseparable.cycles": lambda: (
        [[1, 1, -1], [0, 2, 0], [1, 1, 1], [0, 0, 0]] * 2, np.array([0.0, 1.0, -0.5])),
    "nonseparable.bisection": lambda: ([[0, 0.5, 1, 1], [0, 0.25, 0.5, -1]],),
    "nonseparable.bounded": lambda: (
        [olc.play(olc.Perceptron(2), streams.xor(rounds)) for rounds in (12, 20)],),
    "nonseparable.long_run": lambda: (T(
        "P,mistakes,long-run bound,with R√M",
        "1,0.6,1.2,3; 1,0.8,1.4,4; 10,0.5,1.1,2; 10,0.7,1.1,2"),),
    "nonseparable.phase": lambda: (
        [[1, 0], [-0.7, 0], [0.5, -0.9]], [[0.4, 4], [-0.3, 4], [0.7, 4], [1.2, 3.1]]),
    "nonseparable.zigzag": lambda: (
        olc.play(olc.Perceptron(2), adversaries.plane(10)),),
    "normalized_winnow.against_eta": lambda: (
        T("n,k,eta,mistakes", "64,4,.05,80; 64,4,.05,90; 64,4,.2,30; 64,4,.2,36;"
          "64,4,1,40; 64,4,1,44"),
        T("n,k,eta,mistakes", "64,4,.05,120; 64,4,.2,50; 64,4,1,300")),
    "normalized_winnow.potentials": lambda: (
        {"random": LEDGER, "forced": LEDGER[:2]}, 11.0),
    "normalized_winnow.opinions": lambda: (streams.panel(9, k=3, rounds=10, seed=0),),
    "normalized_winnow.chord": lambda: (0.5,),
    "normalized_winnow.shares": lambda: (
        olc.play(olc.NormalizedWinnow(9, eta=0.3), streams.panel(9, 3, 10, seed=0)),),
    "normalized_winnow.trust": lambda: (
        olc.play(olc.NormalizedWinnow(16, eta=0.3), PANEL),),
    "normalized_winnow.tumours": lambda: (T(
        "constants,eta,seed,best expert,ties by chance,weighted majority,Perceptron,"
        "normalised Winnow",
        "0,.1,0,80,85,76,90,74; 0,.5,0,80,85,88,90,81; 2,.1,0,80,64,76,69,57;"
        "2,.5,0,80,64,87,69,61"),),
    "one_proof.ledgers": lambda: ({"Perceptron": LEDGER, "Winnow": LEDGER[:2]},),
    "one_proof.links": lambda: (
        T("*entry,p = 2,p = 4", "0,0,0; .5,.5,.125; 1,1,1"), (3, 2),
        {"p = 2": lambda s: s @ s / 2}),
    "one_proof.mistake": lambda: ([2, 4], [(1, 1), (1, 0)]),
    "one_proof.crossings": lambda: (
        {"Perceptron": (2.0, 0.5, lambda scale: scale**2 / 2),
         "normalised Winnow": (0.1, 0.3, lambda scale: 4 if scale == 1 else np.inf)},
        {"Perceptron": [6, 8, 12], "normalised Winnow": [1]}),
    "one_proof.noise": lambda: (T(
        "learner,noise,seed,mistakes,bound",
        "Perceptron,0,0,20,60; Perceptron,0,1,24,60; Perceptron,.1,0,70,190;"
        "Perceptron,.1,1,80,210; Balanced Winnow,0,0,12,50; Balanced Winnow,0,1,16,50;"
        "Balanced Winnow,.1,0,60,150; Balanced Winnow,.1,1,64,170"),),
    "one_proof.orders": lambda: (
        T("k,p,random,normalised Winnow",
          "3,2,90,30; 3,2,110,34; 3,4,60,30; 3,4,70,34; 3,8,40,30; 3,8,44,34;"
          "3,12,40,30; 3,12,42,34; 63,2,80,200; 63,2,90,210; 63,8,300,200;"
          "63,8,340,210"),
        T("k,p,adversary,bound", "3,2,700,760; 3,4,200,260; 3,8,100,200;"
          "3,12,120,240; 63,2,500,900; 63,8,700,2000")),
    "one_proof.norms": lambda: (T(
        "k,p,seed,mistakes,bound",
        "3,2,0,10,40; 3,2,1,12,40; 3,8,0,3,12; 63,2,0,8,20; 63,8,0,9,90"),),
    "online_game.situation": lambda: (olc.Stream(CUTS[:, 4::-2].T, CUTS[2, 4::-2]), 2),
    "online_game.measured": lambda: (
        T("learner,size,seed,mistakes",
          "Consistent,4,0,1; Consistent,4,1,2; Consistent,16,0,2; Consistent,16,1,4;"
          "Halving,4,0,1; Halving,4,1,1; Halving,16,0,1; Halving,16,1,3"),
        T("learner,size,mistakes",
          "Consistent,4,3; Consistent,16,15; Halving,4,2; Halving,16,4")),
    "online_game.band": lambda: (
        olc.play(olc.Consistent(8), olc.Stream(CUTS.T[[5, 0, 3, 2, 1, 4]],
                                               CUTS[4, [5, 0, 3, 2, 1, 4]])),),
    "online_game.struck": lambda: (
        olc.play(olc.Halving(8), olc.Stream(CUTS.T[[0, 3, 5, 4]],
                                            CUTS[5, [0, 3, 5, 4]])),),
    "online_game.struck, consistent": lambda: (
        olc.play(olc.Consistent(8), olc.Stream(CUTS.T, CUTS[7])), "Consistent"),
    "online_game.regret": lambda: (T(
        "seed,round,last adviser,MoveOn,weighted majority",
        "0,1,1,0,0; 0,2,2,1,0; 1,1,0,1,1; 1,2,1,3,1").set_index(["seed", "round"]),),
    "perceptron.corrections": lambda: (
        [1.5, -0.5], [([-0.5, 2.0], 1), ([1.2, 1.4], -1)]),
    "perceptron.orders": lambda: (
        PLANE.X, PLANE.y, {"1, 2": np.array([[1, 2], [2, 1]]), "2": PLANE.X[1:2]}),
    "perceptron.squeeze": lambda: (
        olc.duel(olc.Perceptron(3), adversaries.MinimalMargin(0.3), rounds=50),),
    "perceptron.margin_effects": lambda: (T(
        "margin,way,mistakes",
        ".5,random points,2; .5,random points,3; .5,at the margin,2;"
        ".5,greedy order,3; .5,adversary,4; .1,random points,10; .1,random points,16;"
        ".1,at the margin,30; .1,greedy order,20; .1,adversary,100;"
        ".02,random points,20; .02,random points,60; .02,at the margin,300;"
        ".02,greedy order,90; .02,adversary,2500"),),
    "perceptron.noise": lambda: (T(
        "noise,mistakes,flipped,hinge", "0,20,0,60; 0,30,0,60; .1,300,100,700; "
        ".1,340,104,740; .3,600,290,1500; .3,640,310,1540"),),
    "perceptron.final_margins": lambda: ([0.02, 0.05, 0.1], 0.1),
    "perceptron_vs_winnow.readings": lambda: (
        np.array([4.0, -1.0, 3.0, 1.0]), {
            "Perceptron": np.array([4.0, -1.0, 3.0, 1.0]),
            "Balanced Winnow": np.array([27.3, -1.2, 10.0, 1.2])},
        np.array([1, 0, 1, 0])),
    "perceptron_vs_winnow.views": lambda: (
        olc.Stream(adversaries.hadamard(4), [1, -1, 1, -1]),),
    "perceptron_vs_winnow.headline": lambda: (
        T("n,k,Perceptron,Balanced Winnow", "9,3,26,24; 40,3,110,45; 80,3,235,60"),
        T("n,k,seed,Perceptron,Balanced Winnow",
          "9,3,0,9,8; 40,3,0,41,20; 40,3,1,43,22; 80,3,0,90,27")),
    "perceptron_vs_winnow.crossing": lambda: (T(
        "n,k,Perceptron,η = 1/k,η = 1/Nk", "12,3,35,40,33; 16,3,44,46,43"),),
    "perceptron_vs_winnow.rates": lambda: (T(
        "data,eta,seed,Perceptron,ties by chance,Balanced Winnow",
        "sparse,.1,0,9,8,7; sparse,1,0,9,8,3; dense,.1,0,9,6,7; dense,1,0,9,6,12"),),
    "perceptron_vs_winnow.irrelevant": lambda: (T(
        "data,extra,seed,Perceptron,Balanced Winnow,constant",
        "tumours,0,0,5,4,38; tumours,0,1,5,5,38; tumours,9,0,15,6,38"),),
    "randomized_weighted_majority.chance": lambda: (),
    "randomized_weighted_majority.no_regret": lambda: (T(
        "T,m,majority,randomised", "16,8,16,11; 16,8,16,13; 64,26,64,34"), 16),
    "randomized_weighted_majority.wrong_share": lambda: (T("*round,F", "1,.75; 2,.4"),),
    "randomized_weighted_majority.minimax": lambda: (T(
        "T,p₁,Odd pays at most,q₁,Even gets at least",
        "10,.59,.4,.5,-.5; 100,.58,-.05,.57,-.2"), -1 / 12, 7),
    "randomized_weighted_majority.on_a_panel": lambda: (T(
        "seed,round,best expert,RWMA,vote,lazy vote,Perceptron",
        "0,1,1,.5,0,1,0; 0,100,0,.25,1,0,0; 0,101,1,.5,1,0,1; 0,200,1,.5,0,0,0;"
        "1,1,0,.5,1,1,1; 1,100,1,.5,1,1,0; 1,101,0,.25,0,0,0; 1,200,1,.5,0,0,0"
        ).set_index(["seed", "round"]),),
    "forecasters.honesty": lambda: (
        T("*said,square,absolute", ".1,.9,.8; .4,.3,.5; .7,.2,.35; .9,.25,.3"), 0.7),
    "forecasters.lead": lambda: ({"Alice": 0.7, "Bob": 0.8}, 0.9),
    "forecasters.reliability": lambda: (
        {"Alice": [0.0, 0.5, 0.5, 1.0], "Bob": [1, 1, 0, 0]}, np.array([0, 0, 1, 1]),
        "Alice"),
    "forecasters.balance": lambda: ([2, 3, 0, 4], [1.2, 0.8, 0, -2]),
    "forecasters.settling": lambda: (
        {"with coins": (np.tile([0.5, 0.4], 10), np.tile([1, 0, 0, 1], 5)),
         "without": (np.tile([0.5, 0.4], 10), np.tile([0, 1], 10))}, 10),
    "regression.paths": lambda: (
        {"GD": [[0, 0], [0.25, -0.25]], "EG": [[0.5, 0.5], [0.75, 0.25]]},
        [[1, -1], [1, 0]], [1, 1]),
    "regression.drops": lambda: (
        T("learner,s,progress,drop,parabola",
          "GD,0,0,0,0; GD,1,2,1,1; GD,2,4,0,0; EG,0,0,0,0; EG,1,2,1.2,1; EG,2,4,1.5,0"
          ).set_index(["learner", "s"]), {"GD": 1, "EG": 1}),
    "regression.potentials": lambda: ({"GD": LEDGER, "EG": LEDGER[:2]},),
    "regression.sparse_and_dense": lambda: (
        T("n,learner,loss,bound", "10,GD,40,90; 10,GD,50,110; 10,EG±,30,60; "
          "100,GD,400,900; 100,GD,420,950; 100,EG±,50,100"),
        T("n,learner,loss,bound", "10,GD,20,50; 10,EG±,60,200; 10,EG±,70,200; "
          "100,GD,30,60; 100,EG±,600,2000; 100,EG±,680,2000")),
    "regression.ellipses": lambda: (
        [np.eye(2), [[2, 1], [1, 2]], [[3, 1], [1, 2]]], [0.3, 0.3], [1, 0], 1.0),
    "regression.excess": lambda: (
        T("loss,rise,excess,allowed,lower,potential,upper",
          "1,.4,.6,2,-1,.4,1; .5,.3,.2,.5,-1,.7,1.2; .4,.3,.1,.2,-.8,1,1.3"
          ).set_index(pd.RangeIndex(1, 4, name="round")),),
    "regression.distances": lambda: (
        T("copies,T,seed,VAW,clerk", "0,90,0,3,6; 0,90,1,5,8; 0,360,0,5,20; "
          "0,360,1,7,22; .9,90,0,2,3; .9,360,0,4,11"),
        pd.Series({90: 7.0, 360: 9.0})),
    "spelling.thresholds": lambda: (T(
        "theta,learner,mistakes",
        "1,Winnow,90; 9,Winnow,20; 1,Perceptron,10; 9,Perceptron,12"), 14, 110),
    "spelling.grown": lambda: (
        {"a/b": list(range(5, 215)), "c": list(range(3, 363, 3))}, 4),
    "spelling.budget": lambda: (
        olc.duel(olc.Winnow(64, threshold=16), adversaries.Sparse(64, k=2, active=4),
                 9), np.arange(64) < 2, (1, 5)),
    "spelling.learnt": lambda: (
        [3, -2, 0.5, 0, -0.1] * 4, [f"word {i}" for i in range(20)], ["a", "b"]),
    "spelling.thickness": lambda: (T(
        "learner,tau,seed,mistakes",
        "margin Winnow,0,0,9; margin Winnow,0,1,8; margin Winnow,1,0,7;"
        "margin Winnow,1,1,5; margin Perceptron,0,0,9; margin Perceptron,0,1,6;"
        "margin Perceptron,1,0,3; margin Perceptron,1,1,5"), 4),
    "spelling.standings": lambda: (T(
        "words,seed,margin Winnow,batch,naive Bayes",
        "a/b,0,90,91,90; a/b,1,99,94,90; c,0,80,90,93; c,1,81,97,90"),
        ["margin Winnow", "batch"], "naive Bayes"),
    "spelling.moved": lambda: ({
        "margin Winnow": {"anew": [[0, 5, 9], [0, 2, 3]], "frozen": [[0, 2, 4]] * 2,
                          "goes on": [[0, 1, 2], [0, 1, 1]]},
        "naive Bayes": {"anew": [[0, 4, 8], [0, 2, 2]],
                        "frozen": [[np.nan] * 3] * 2, "goes on": [[0, 1, 1]] * 2}},),
    "spelling.noise": lambda: (T(
        "chance,words,seed,Perceptron,batch,naive Bayes,majority",
        "0,a/b,0,90,91,90,60; 0,a/b,1,99,94,90,60; "
        ".3,a/b,0,70,90,93,60; .3,a/b,1,71,97,90,60"), ["Perceptron"],
        T("words,seed,batch", "a/b,0,80; a/b,1,77"), T("batch", "90; 95")),
    "standard_optimal.mistake_tree": lambda: (CUTS,),
    "standard_optimal.families": lambda: (
        {"one": np.array([[1, -1]]), "other": np.array([[-1, 1], [-1, -1]])},),
    "standard_optimal.two_halves": lambda: (CUTS, [1, -1, 1]),
    "standard_optimal.questions": lambda: (
        {"a block": (["1100", "1000"], ["1111", "1100"], [1, -1]),
         "a pair": (["10"], ["11"], [1])},),
    "standard_optimal.worst_case": lambda: (
        pd.DataFrame({1: {1: 0, 2: 2}, 2: {1: "", 2: 0}}),
        pd.DataFrame({1: {1: 0, 2: 1}, 2: {1: "", 2: 0}}),
        T("*k,optimal,halving,Contrary,size", "1,1,2,1,2; 2,0,0,0,1")),
    "standard_optimal.triangle": lambda: (
        pd.DataFrame({1: {1: 0, 2: 1}, 2: {1: "", 2: 0}}),),
    "standard_optimal.quiet_rounds": lambda: (T(
        "*round,left,against,mistake", "0,9,1,0; 1,8,4,1; 2,4,2,1"),),
    "thick_separator.errors": lambda: (T(
        "thickness,error", "0,8; 0,9; 1,4; 1,5; 8,4.5; 8,6"),),
    "thick_separator.parabola": lambda: (
        {0.25: T("updates,mistakes", "1,1; 2,2; 3,3"),
         2: T("updates,mistakes", "1,0; 2,1; 3,2")},
        T("thickness,seed,updates,mistakes", ".25,0,3,2; 2,0,5,1; 2,1,4,1"), 0.5),
    "thick_separator.projections": lambda: (
        (0.9, 0.5), (-0.6, -0.1), 0.5, olc.play(olc.PassiveAggressive(2), PLANE)),
    "thick_separator.rivals, of data": lambda: (T(
        "data,seed,τ = 0,τ = 1", "digits,0,2,1; digits,1,3,1; tumours,0,4,3.5; "
        "tumours,1,5,3"), ["τ = 0", "τ = 1"], "τ = 0", "data"),
    "thick_separator.slabs": lambda: (
        PLANE.X.astype(float), PLANE.y, {0: np.array([1, 0.5]), 1: np.array([3, 0])}),
    "thick_separator.width": lambda: (T(
        "thickness,share,guaranteed,updates,bound",
        "0,.3,0,30,900; 0,.4,0,34,900; 1,.8,.3,300,2700; 1,.9,.3,320,2700;"
        "4,.95,.45,900,8100; 4,.97,.45,960,8100"),),
    "thick_separator.rivals": lambda: (T(
        "noise,seed,Perceptron,PA-I,margin Perceptron",
        "0,0,9,4,5; 0,1,8,6,5; .1,0,40,22,20; .1,1,45,21,24"),
        ["Perceptron", "PA-I", "margin Perceptron"], "margin Perceptron"),
    "tightness.changes": lambda: (
        olc.duel(olc.WinnowR(16), adversaries.Floor(16, additions=1), rounds=99),),
    "tightness.dimensions": lambda: (T(
        "n,every learner,halving,Perceptron", "2,5,5,40; 16,20,36,40; 64,40,,40"),),
    "tightness.halves": lambda: (
        olc.duel(olc.Perceptron(2), adversaries.Planes(2, 0.4), 9), 0.4),
    "tightness.ratios": lambda: (T(
        "learner,n,mistakes,bound",
        "Winnow,8,3,4; Winnow,16,9,9; Perceptron,8,5,8; Perceptron,16,11,12.5"),),
    "tightness.verdicts": lambda: (T(
        "theorem,name,game,measured,bound,sharper",
        "winnow#thm-winnow,Winnow,64 bits,48,54,48; a#thm-b,Other,10 points,5,10,"),),
    "weighted_majority.race": lambda: (expert_game(),),
    "weighted_majority.by_hand": lambda: (T(
        "*round,A,B,C,D,predicts,label", "1,1,1,1,1,-1,1; 2,1,.5,.5,.5,1,1"),
        np.array([[1, -1, -1, -1], [1, 1, -1, -1]])),
    "weighted_majority.penalty": lambda: (
        T("eta,seed,one good,equal", ".1,0,9,-5; .1,1,7,-3; .9,0,2,6; .9,1,4,8"),
        {0.1: 2.25, 0.9: 3.5}),
    "weighted_majority.trust": lambda: (expert_game(),),
    "weighted_majority.gap": lambda: (T(
        "m,any learner,Split,binomial weights,bound", "0,4,4,4,4; 9,22,30,27,33"),),
    "weighted_majority.pixels": lambda: (pixel_votes(), 0.5),
    "winnow.situation": lambda: (streams.disjunction(16, 2, 12, seed=3),),
    "winnow.account": lambda: (
        olc.winnow.proof(olc.play(olc.Winnow(32), BITS)),),
    "winnow.rounds": lambda: (
        olc.play(olc.Winnow(4), olc.Stream(
            [[1, 1, 0, 0], [0, 1, 1, 1], [1, 0, 1, 0], [1, 0, 0, 1]], [1, -1, 1, 1],
            target=[1, 0, 0, 0])), 1, 3),
    "winnow.noise": lambda: (
        T("noise,n,A,mistakes,extra,bound", "labels,8,2,9,4,20; bits,8,3,12,6,23"),
        8, 2),
    "winnow.growth": lambda: (T(
        "n,Perceptron,Winnow", "16,9,7; 16,11,8; 64,40,12; 64,52,14"),),
    "winnow.moment": lambda: (olc.play(olc.Winnow(32), BITS), 10),
    "winnow.scaling": lambda: (
        T("n,k,mistakes", "16,1,3; 16,1,4; 64,1,5; 16,2,7; 16,2,9; 64,2,11"),
        T("n,k,mistakes", "16,1,6; 64,1,9; 16,2,10; 64,2,17")),
    "winnow_r.moving_target": lambda: (streams.drifting_disjunction(12, 3, 70, 6, 4),),
    "winnow_r.demotion": lambda: (
        {"four": np.array([4.0, 2, 1, 1]), "three": np.array([4.0, 0.5, 0.5])},),
    "winnow_r.random_drift": lambda: (
        T("additions,Winnow,Winnow-R",
          "3,20,21; 3,22,22; 13,190,170; 13,180,160; 43,660,550; 43,680,560"),
        T("depth,mistakes", "0,540; 0,530; 1,550; 1,560; 2,580; 2,570; inf,660"),
        T("depth,bound,adversary", "1,1721,1348; 2,1420,1328"), 128),
    "winnow_r.separation": lambda: (
        olc.duel(olc.Winnow(16), adversaries.Doubling(16, 3), rounds=1000),
        T("learner,additions,mistakes", "Winnow,1,4; Winnow,3,24; "
          "Winnow-R,1,4; Winnow-R,3,17"), 16),
    "winnow_r.victim": lambda: (
        olc.duel(olc.Winnow(64), adversaries.Flip(64, flips=6), rounds=1000),),
}
# fmt: on


# --- what was drawn -------------------------------------------------------------------


def some(values: Any) -> str:
    """Write numbers, of many a few and the mean, the same on every processor."""
    found = np.ravel(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan))
    known, many = found[np.isfinite(found)], ""
    if len(known) > 8:
        many = f"{len(found)} numbers of mean"
        chosen = known[np.linspace(0, len(known) - 1, 7).round().astype(int)]
        known = np.array([known.mean(), *chosen])
    # What would be rounded up here and down elsewhere, is rounded up.
    return " ".join([many, *(f"{v:.4g}" for v in known.round(9) * (1 + 1e-8) + 0.0)])


def seen(ax: Axes) -> Iterator[str]:
    """Describe all that can be seen in a panel, but for sizes and widths."""
    for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        limits = some(axis.get_view_interval()) if ax.axison else "off"
        yield f"axis {name} {axis.get_label_text()!r} {axis.get_scale()}: {limits}"
        if isinstance(axis.get_major_locator(), FixedLocator):
            yield f"  ticks {some(axis.get_ticklocs())}"
    if legend := ax.get_legend():
        yield f"legend {[words.get_text() for words in legend.get_texts()]}"
    for line in ax.lines:
        x, y = map(some, zip(line.get_xy1(), line.get_xy2(), strict=True)
                   if isinstance(line, AxLine) else line.get_data())  # fmt: skip
        name = re.sub("^_.*", "", str(line.get_label()))
        dashes = some(line._unscaled_dash_pattern[1] or [])  # type: ignore[attr-defined]
        style = f"{line.get_linestyle()} {dashes} {line.get_marker()}"
        yield f"line {name!r} {to_hex(line.get_color())} {style}"
        yield f"  x {x}, y {y}"
    for patch in ax.patches:
        corners = patch.get_path().transformed(patch.get_patch_transform()).vertices
        yield f"patch {to_hex(patch.get_facecolor())} {some(corners)}"
    for shape in ax.collections:
        paths = [path.vertices for path in shape.get_paths()]
        corners = some(np.vstack([shape.get_offsets(), *paths]))
        yield f"shape {[to_hex(tone) for tone in shape.get_facecolor()[:1]]} {corners}"
    for words in ax.texts:
        tail = some(words.xyann) if isinstance(words, Annotation) else ""
        tip = words.xy if isinstance(words, Annotation) else words.get_position()
        yield f"text {words.get_text()!r} {some(tip)} {tail}"


def described(axes: list[Axes]) -> str:
    lines = []
    for number, ax in enumerate(axes, start=1):
        lines += [f"panel {number}", *seen(ax)]
    return "\n".join(" ".join(line.split()) for line in lines)


def drawing(name: str) -> Callable[..., Any]:
    chapter, function = name.split(",")[0].split(".")
    module = importlib.import_module(f"olc_book.plots.{chapter}")
    return getattr(module, function)  # type: ignore[no-any-return]


def drawn(name: str) -> str:
    """Draw what has this name, and say what is seen and what is said of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "_to_svg", lambda ax: "")  # which takes the most time
        figure = drawing(name)(*DRAWINGS[name]())
        if not isinstance(figure, plots.Figure):  # but its frames
            figure = figure(int(name.split(", ")[1]))
    lines = [figure.alt]
    for column, values in figure.table.reset_index().select_dtypes("number").items():
        lines.append(f"column {column}: {some(values)}")
    return "\n".join([*lines, described([it.axes[0] for it in figure.drawings])])


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_as_it_was_when_somebody_looked(name: str, snapshot: Any) -> None:
    assert drawn(name) == snapshot


@pytest.mark.parametrize("name", KIT)
def test_the_kit_draws_as_it_did_when_somebody_looked(name: str, snapshot: Any) -> None:
    assert described(np.ravel(KIT[name]()).tolist()) == snapshot


def test_every_drawing_that_draws_more_than_curves_is_looked_at() -> None:
    known = {name.split(",")[0] for name in DRAWINGS}
    own = r"\b(panels?|boundary|envelope)\(|\.(plot|axhline|axvline)\("
    for module in pkgutil.iter_modules(plots.__path__):
        chapter = importlib.import_module(f"olc_book.plots.{module.name}")
        for name, thing in inspect.getmembers(chapter, inspect.isfunction):
            draws = "Figure" in str(thing.__annotations__.get("return"))
            if thing.__module__ == chapter.__name__ and draws:
                plain = not re.search(own, inspect.getsource(thing))
                assert plain or f"{module.name}.{name}" in known


# --- a wrong picture is noticed -------------------------------------------------------


def afterwards(method: str, spoil: Callable[..., Any]) -> Callable[..., Any]:
    """Return a patch that spoils what a method of axes has drawn."""
    real = getattr(Axes, method)

    def wrong(ax: Axes, *args: Any, **options: Any) -> Any:
        made = real(ax, *args, **options)
        spoil(ax, made[0] if method == "plot" else made)
        return made

    return lambda patch, draw: patch.setattr(Axes, method, wrong)


def curves_of(wrong: Callable[..., Any]) -> Callable[..., Any]:
    """Return a patch after which `curves` draws other columns of its table."""

    def spoilt(table: pd.DataFrame, looks: Any, *labels: str, **options: Any) -> Any:
        return kit.curves(*wrong(table, looks), *labels, **options)

    return lambda patch, draw: patch.setitem(draw.__globals__, "curves", spoilt)


# fmt: off
WRONG = {
    "shifted by one": afterwards(
        "plot", lambda ax, line: line.set_ydata(np.roll(line.get_ydata(), 1))),
    "x for y": afterwards("plot", lambda ax, line: line.set_data(*line._xy.T[::-1])),
    "a colour": afterwards("plot", lambda ax, line: line.set_color("#123456")),
    "a dash": afterwards("plot", lambda ax, line: line.set_linestyle((0, (9, 9)))),
    "a scale": afterwards("set", lambda ax, _: ax.set_yscale("symlog")),
    "a label": afterwards("set", lambda ax, _: ax.set_xlabel(ax.get_ylabel())),
    "a legend": afterwards(
        "legend", lambda ax, made: made.texts[0].set_text(made.texts[-1]._text)),
    "no line across": afterwards("axhline", lambda ax, line: line.remove()),
    "columns swapped": curves_of(
        lambda table, looks: (table.set_axis(table.columns[::-1], axis=1), looks)),
    "a column missing": curves_of(
        lambda table, looks: (table, dict([*looks.items()][:-1]))),
}
# fmt: on
PLANTED_IN = "balanced_winnow.rates normalized_winnow.trust forecasters.lead"


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_picture_is_noticed(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in PLANTED_IN.split():
        right = drawn(name)
        with monkeypatch.context() as patch:
            WRONG[wrong](patch, drawing(name))
            assert drawn(name) != right, name
