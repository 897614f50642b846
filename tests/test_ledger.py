"""Ledgers: what all proofs share."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import olc
from olc import Perceptron, Stream, _ledger, perceptron, play, streams

RANDOM = streams.separable(4, 0.1, 100, seed=0)
BITS = streams.disjunction(6, 2, 50, seed=0)
TABLE = olc.halving.all_functions(3)
POINTS = Stream(TABLE.T, TABLE[5])

EXPERTS = streams.experts(4, 30, seed=0, best=0.0)
PANEL = streams.panel(6, 3, 50, seed=0)

# A learner of each kind, the module of its proof, and a stream that it learns.
GAMES = {
    "Perceptron": (perceptron, lambda: Perceptron(4), RANDOM),
    "AveragedPerceptron": (
        olc.averaged_perceptron,
        lambda: olc.AveragedPerceptron(4),
        RANDOM,
    ),
    "VotedPerceptron": (
        olc.averaged_perceptron,
        lambda: olc.VotedPerceptron(4),
        RANDOM,
    ),
    "KernelPerceptron": (olc.kernel_perceptron, lambda: olc.KernelPerceptron(), RANDOM),
    "MarginPerceptron": (
        olc.margin_perceptron,
        lambda: olc.MarginPerceptron(4, thickness=0.1),
        RANDOM,
    ),
    "MarginWinnow": (
        olc.margin_winnow,
        lambda: olc.MarginWinnow(6, thickness=0.01, eta=0.1),
        PANEL,
    ),
    "ThresholdMarginWinnow": (
        olc.margin_winnow,
        lambda: olc.ThresholdMarginWinnow(6, thickness=2),
        BITS,
    ),
    "ThresholdRelative": (
        olc.threshold_relative,
        lambda: olc.ThresholdRelative(4, aim=0.01),
        RANDOM,
    ),
    "Winnow": (olc.winnow, lambda: olc.Winnow(6), BITS),
    "WinnowR": (olc.winnow_r, lambda: olc.WinnowR(6), BITS),
    "NormalizedWinnow": (
        olc.normalized_winnow,
        lambda: olc.NormalizedWinnow(6, eta=0.3),
        PANEL,
    ),
    "BalancedWinnow": (
        olc.balanced_winnow,
        lambda: olc.BalancedWinnow(6, eta=0.3),
        PANEL,
    ),
    "WeightedMajority": (
        olc.weighted_majority,
        lambda: olc.WeightedMajority(4, eta=0.5),
        EXPERTS,
    ),
    "RandomizedWeightedMajority": (
        olc.randomized_weighted_majority,
        lambda: olc.RandomizedWeightedMajority(4, eta=0.5),
        EXPERTS,
    ),
    "Consistent": (olc.halving, lambda: olc.Consistent(8), POINTS),
    "Halving": (olc.halving, lambda: olc.Halving(8), POINTS),
    "StandardOptimal": (
        olc.standard_optimal,
        lambda: olc.StandardOptimal(TABLE),
        POINTS,
    ),
}
each_game = pytest.mark.parametrize(
    ("module", "make", "stream"), GAMES.values(), ids=GAMES.keys()
)


@each_game
def test_ledger_has_a_row_per_update_or_mistake_numbered_from_1(module, make, stream):
    trace = play(make(), stream)
    ledger = module.proof(trace)
    rounds = trace.rounds if stream in (POINTS, EXPERTS) else trace.updates
    assert len(ledger) > 0
    assert ledger["round"].tolist() == rounds.tolist()
    assert ledger.index.tolist() == list(range(1, len(ledger) + 1))
    thick = hasattr(trace.before, "thickness")  # it also corrects right predictions
    assert ledger.index.name == ("update" if thick else "mistake")
    assert {"lower", "potential", "upper"} <= set(ledger.columns)


@each_game
def test_ledger_of_a_game_without_a_mistake_is_empty_with_all_columns(
    module, make, stream
):
    learner = make()
    for _ in range(500):
        full = play(learner, stream)
        rounds = full.rounds if stream in (POINTS, EXPERTS) else full.updates
        if not len(rounds):
            break
    full = module.proof(play(make(), stream))
    ledger = module.proof(play(learner, stream))
    assert len(ledger) == 0
    assert ledger.columns.tolist() == full.columns.tolist()
    assert set(ledger.dtypes.astype(str)) == {"float64"}
    assert (ledger.lower <= ledger.potential).all()


MODULES = list(dict.fromkeys(module for module, _, _ in GAMES.values()))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_proof_refuses_the_game_of_another_learner(module):
    for owner, make, stream in GAMES.values():
        other = make()
        same = module is perceptron and isinstance(other, Perceptron)
        if owner is module or (same and not hasattr(other, "thickness")):
            continue
        trace = play(other, stream)
        with pytest.raises(TypeError, match=f"played by {type(other).__name__}"):
            module.proof(trace)


def test_perceptrons_proof_covers_the_learners_that_play_as_it_does():
    for learner in (olc.AveragedPerceptron(4), olc.VotedPerceptron(4)):
        ledger = perceptron.proof(play(learner, RANDOM))
        plain = perceptron.proof(play(Perceptron(4), RANDOM))
        assert ledger.equals(plain)


def test_proof_refuses_a_stream_that_was_changed_after_the_game():
    X = RANDOM.X.copy()
    trace = play(Perceptron(4), Stream(X, RANDOM.y, RANDOM.target))
    X[trace.rounds[-1]] *= -1
    with pytest.raises(ValueError, match="no longer what it was"):
        perceptron.proof(trace)


@each_game
def test_proof_of_a_sparse_stream_is_that_of_the_dense_one(module, make, stream):
    sparse = Stream(csr_matrix(stream.X), stream.y, stream.target)
    dense = module.proof(play(make(), stream))
    np.testing.assert_allclose(module.proof(play(make(), sparse)), dense)


@pytest.mark.parametrize("name", ["Perceptron", "MarginWinnow", "ThresholdRelative"])
def test_proof_takes_another_target(name):
    module, make, stream = GAMES[name]
    bare = Stream(stream.X, stream.y)
    given = module.proof(play(make(), bare), stream.target)
    assert given.equals(module.proof(play(make(), stream)))


@pytest.mark.parametrize(
    "name",
    ["Perceptron", "AveragedPerceptron", "MarginWinnow", "ThresholdMarginWinnow"],
)
def test_proof_asks_for_a_target_where_it_needs_one(name):
    module, make, stream = GAMES[name]
    bare = Stream(stream.X, stream.y)
    with pytest.raises(ValueError, match="target=u"):
        module.proof(play(make(), bare))


def test_relative_entropy_leaves_out_what_the_target_does_not_hold():
    u = np.array([0.5, 0.5, 0.0])
    log_w = np.array([math.log(0.25), math.log(0.75), -math.inf])
    expected = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    assert _ledger.relative_entropy(u, log_w) == pytest.approx(expected)


def test_log_sum_exp_neither_overflows_nor_vanishes():
    for shift in (0.0, 5000.0, -5000.0):
        found = _ledger.log_sum_exp(np.array([shift, shift + math.log(2)]))
        assert found == pytest.approx(shift + math.log(3))
