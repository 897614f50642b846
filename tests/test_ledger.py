"""Ledgers: what every proof claims, and what all of them refuse.

Each kind of proof has a function here that checks the claims of its own columns and
returns the envelopes of its theorem, both from the game alone.
"""

import copy
import inspect
import math
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers import KINDS, LEARNERS, assert_between, stream
from scipy.sparse import csr_array
from worst_games import realizable

import olc
from olc import Stream, geometry, halving, one_proof, play, streams
from olc.core.learner import HOOKS
from olc.kernel_perceptron import Polynomial
from olc.normalized_winnow import log_sum_exp

# ------------------------------------------------- what each proof says of its columns


def longest(X, p):
    """The largest p-norm of a row, from the definition."""
    sizes = np.abs(X)
    return sizes.max() if p == math.inf else (sizes**p).sum(axis=1).max() ** (1 / p)


def scaled(trace, p):
    """The target of length 1 in the dual norm, its margin, and the radius R."""
    X, y, u = trace.stream.X, trace.stream.y, trace.stream.target
    u = u / longest(u[None], 1 if p == math.inf else p / (p - 1))
    return u, (y * (X @ u)).min(), longest(X, p)


def additive(trace, found):
    learner, M = trace.before, found.index.to_numpy()
    (u, gamma, R), w = scaled(trace, 2), learner.weights
    r, tau = learner.rate, getattr(learner, "thickness", 0.0)
    assert (found.cross <= 2 * r * tau).all()
    assert (found.length <= (r * R) ** 2 + 1e-9).all()
    growth = np.diff(found.potential, prepend=w @ w)
    np.testing.assert_allclose(growth, found.cross + found.length, atol=1e-9)
    assert (np.diff(found.alignment, prepend=u @ w) >= r * gamma - 1e-9).all()
    assert (found.alignment <= np.sqrt(found.potential) + 1e-9).all()
    upper = w @ w + M * ((r * R) ** 2 + 2 * r * tau)
    return np.maximum(0, u @ w + M * r * gamma) ** 2, upper


def in_feature_space(trace, found):
    """The Perceptron's, among the products of (1, x), on which (1 + ⟨x, z⟩)² acts."""

    def built(X):
        Z = geometry.homogenise(X)
        return np.einsum("ti,tj->tij", Z, Z).reshape(len(Z), -1)

    learner, X, y = trace.before, built(trace.stream.X), trace.stream.y
    w = learner.weights @ built(learner.support) if len(learner.support) else X[0] * 0
    before = SimpleNamespace(weights=w, rate=1.0)
    game = Stream(X, y, geometry.maximal_margin(X, y)[1])
    return additive(SimpleNamespace(before=before, stream=game), found)


def averaged(trace, found):
    learner, X, y = trace.before, trace.stream.X, trace.stream.y
    (u, gamma, R), w = scaled(trace, 2), learner.weights
    r, lower, upper, means = learner.rate, [], [], []
    changes = np.zeros_like(X)
    wrong = trace.mistake_rounds
    changes[wrong] = r * y[wrong, None] * X[wrong]
    used = w + np.cumsum(changes, axis=0) - changes  # what predicted in each round
    for t in wrong:
        before = np.searchsorted(wrong, np.arange(t + 1))  # mistakes so far
        lower.append(np.mean(u @ w + r * gamma * before))
        upper.append(np.mean(np.sqrt(w @ w + before * (r * R) ** 2)))
        means.append(used[: t + 1].mean(axis=0))
    lengths = np.linalg.norm(means, axis=1)
    np.testing.assert_allclose(found.potential, lengths, atol=1e-12)
    np.testing.assert_allclose(found.alignment, np.array(means) @ u, atol=1e-12)
    assert (found.lower <= found.alignment + 1e-9).all()
    assert (found.alignment <= found.potential + 1e-9).all()
    return lower, upper


def p_norm(trace, found):
    learner, M, s = trace.before, found.index.to_numpy(), trace.before.state
    p = learner.p
    u, gamma, R = scaled(trace, p)
    start = longest(s[None], p) ** 2 / 2
    rise = np.diff(found.potential, prepend=start)
    assert (found.cross <= 0).all()
    assert (rise <= found.cross + found.length + 1e-9).all()
    assert (found.length <= (p - 1) * R**2 / 2 + 1e-9).all()
    assert (np.diff(found.alignment, prepend=u @ s) >= gamma - 1e-9).all()
    assert (found.alignment**2 / 2 <= found.potential + 1e-9).all()
    lower = np.maximum(0, u @ s + M * gamma) ** 2 / 2
    return lower, start + M * (p - 1) * R**2 / 2


def to_the_plane(trace, found):
    learner, u, X = trace.before, trace.stream.target, trace.stream.X
    r, a, start = learner.rate, learner.aim, np.sum((learner.weights - u) ** 2)
    drop = -np.diff(found.potential, prepend=start)
    np.testing.assert_allclose(found["drop"], drop, atol=1e-12)
    assert (found["drop"] >= found.guaranteed - 1e-9).all()
    assert (trace.stream.y[trace.mistake_rounds] * found.missing >= a - 1e-9).all()
    fall = r * (2 - r) * (a / longest(X, 2)) ** 2
    squares = (X[trace.mistake_rounds] ** 2).sum(axis=1)
    certain = r * (2 - r) * found.missing**2 / squares
    np.testing.assert_allclose(found.guaranteed, certain)
    return 0, start - found.index.to_numpy() * fall


def entropy(trace, found):
    learner, X = trace.before, trace.stream.X
    eta, (u, gamma, R) = learner.eta, scaled(trace, math.inf)
    balanced = isinstance(learner, olc.BalancedWinnow)

    def both(x):
        return np.concatenate([x, -x]) if balanced else x

    def shares(state):
        return np.exp(eta * both(state)) / np.exp(eta * both(state)).sum()

    w, wanted = shares(learner.state), np.maximum(both(u), 0)
    start = np.sum(wanted[wanted > 0] * np.log(wanted[wanted > 0] / w[wanted > 0]))
    log_Z = []
    for step in trace.replay():
        log_Z.append(math.log(w @ np.exp(eta * step.y * both(step.x))))
        w = shares(step.learner.state)
    lift = math.tanh(eta * R) / R
    fall = eta * gamma - math.log(math.cosh(eta * R))
    fall -= math.log1p(learner.thickness * lift)
    signed = trace.stream.y[trace.update_rounds, None] * X[trace.update_rounds]
    np.testing.assert_allclose(found.log_Z, log_Z, atol=1e-12)
    np.testing.assert_allclose(found.advantage, eta * signed @ u, atol=1e-12)
    np.testing.assert_allclose(found["drop"], found.advantage - log_Z, atol=1e-12)
    drop = -np.diff(found.potential, prepend=start)
    np.testing.assert_allclose(found["drop"], drop, atol=1e-12)
    np.testing.assert_allclose(found.guaranteed, fall)
    assert (found["drop"] >= found.guaranteed - 1e-9).all()
    return 0, start - found.index.to_numpy() * fall


def weighed(trace, found):
    learner, game = trace.before, trace.stream[trace.update_rounds]
    alpha, theta, start = learner.alpha, learner.threshold, learner.weights.sum()
    X, y, after = game.X, game.y, trace.recorded().weights
    before = np.vstack([learner.weights, after[:-1]])
    total, tau = after.sum(axis=1), learner.thickness
    up, down = np.cumsum(y > 0), np.cumsum(y < 0)
    assert found.promotions.tolist() == up.tolist()
    assert found.demotions.tolist() == down.tolist()
    if isinstance(learner, olc.WinnowR):
        np.testing.assert_allclose(found.potential, total)
        assert (found.promotions <= found.most_promotions).all()
        taken, least = (1 - 1 / alpha) * (theta - learner.n / alpha), learner.n / alpha
        change = np.diff(found.potential, prepend=start)
        np.testing.assert_allclose(found.change, change, atol=1e-9)
        assert (np.where(y > 0, (alpha - 1) * theta, -taken) >= found.change).all()
        return least, start + up * (alpha - 1) * theta - down * taken
    relevant, gone = trace.stream.target > 0, 1 if learner.eliminate else 1 - 1 / alpha
    powers, high = alpha ** np.arange(50.0), theta + tau
    thick = isinstance(learner, olc.ThresholdMarginWinnow)
    each = (powers <= high if thick else powers < high).sum()
    np.testing.assert_allclose(found.score, (before * X).sum(axis=1))
    np.testing.assert_allclose(found.weight, total)
    made = (np.log(after[:, relevant]) / np.log(alpha)).round()
    np.testing.assert_allclose(found.ahead, (each - made).sum(axis=1))
    price, k = (alpha - 1) * high, relevant.sum()
    np.testing.assert_allclose(found.potential, total + price * found.ahead)
    taken, left = (theta - tau) * gone, (theta - tau) * (1 - gone)
    least = np.where(down > 0, left, before[0, ~relevant].sum())
    begun = start + price * np.maximum(each - learner.state[relevant], 0).sum()
    return least + k * alpha**each, begun - down * taken


def experts(trace, found):
    learner, eta = trace.before, trace.before.eta
    wrong = trace.stream.y[:, None] != trace.stream.X
    losses, rounds = learner.losses + np.cumsum(wrong, axis=0), trace.mistake_rounds
    best = losses.min(axis=1)[rounds]
    start = np.log(((1 - eta) ** learner.losses).sum())
    assert found.best.tolist() == best.tolist()
    weights = (1 - eta) ** (losses - wrong)  # those that voted
    logs = np.log(((1 - eta) ** losses).sum(axis=1))
    np.testing.assert_allclose(found.potential, logs[rounds])
    if not learner.randomized:
        return best * math.log(1 - eta), start + found.index * math.log(1 - eta / 2)
    chances = (weights * wrong).sum(axis=1) / weights.sum(axis=1)
    expected = np.cumsum(chances)[rounds]
    np.testing.assert_allclose(found.chance, chances[rounds])
    np.testing.assert_allclose(found.expected, expected)
    return best * math.log(1 - eta), start - eta * expected


def version_space(trace, found):
    learner, M = trace.before, found.index.to_numpy()
    agree = np.cumprod(trace.stream.y[:, None] == trace.stream.X, axis=0)
    left = (agree * learner.alive).sum(axis=1)[trace.mistake_rounds]
    assert found.alive.tolist() == left.tolist()
    if isinstance(learner, olc.StandardOptimal):
        return 0, learner.dimension - M
    assert found.potential.tolist() == left.tolist()
    start = learner.alive.sum()
    return 1, start / 2.0**M if isinstance(learner, olc.Halving) else start - M


def one(trace, found):
    learner, M = trace.before, found.index.to_numpy()
    eta = getattr(learner, "eta", 0)
    p = getattr(learner, "p", 2)
    u, gamma, R = scaled(trace, math.inf if eta else p)
    if eta:
        held = np.abs(u[u != 0])
        n = len(u) * (1 + isinstance(learner, olc.BalancedWinnow))
        most = math.log(math.cosh(eta * R)) / eta
        lower = M * gamma - np.sum(held * np.log(held * n)) / eta
    else:
        most = learner.rate * (p - 1) * R**2 / 2
        lower = learner.rate * np.maximum(0, M * gamma) ** 2 / 2
    assert (found.cross <= 0).all()
    assert (found.rise <= most + 1e-9).all()
    assert (found.gain >= gamma - 1e-9).all()
    np.testing.assert_allclose(found.rise.cumsum(), found.potential, atol=1e-9)
    return lower, M * most


# --------------------------------------------------------------------------- the games


def reals(seed, sign=1.0):
    """Real features and a sparse target; with sign 1 it has no negative weight."""
    random = np.random.default_rng(seed)
    u = random.random(6) * (random.random(6) < 0.5) * random.choice([sign, 1.0], 6)
    u[random.integers(6)] += 0.1
    X = random.uniform(-1, 1, (150, 6))
    X = X[np.abs(X @ u) > 0.15 * np.abs(u).sum()]
    return Stream(X, np.sign(X @ u), u)


def cleared(seed):
    """Points that a target keeps away from the threshold 0.5 by 0.2 at least."""
    random = np.random.default_rng(seed)
    u, X = 2 * random.normal(size=3), random.uniform(-1, 1, (120, 3))
    X = X[abs(X @ u - 0.5) >= 0.2]
    return Stream(X, np.sign(X @ u - 0.5), u)


def circle(seed):
    X = np.random.default_rng(seed).uniform(-1, 1, (60, 2))
    X = X[abs((X**2).sum(axis=1) - 0.7) > 0.1]
    return Stream(X, np.where((X**2).sum(axis=1) < 0.7, 1, -1))


def advice(seed):
    random = np.random.default_rng(seed)
    return Stream(random.choice([-1, 1], (60, 5)), random.choice([-1, 1], 60))


TABLE = halving.disjunctions(4, 2, at_most=True)


def lines(seed):
    return streams.separable(4, 0.1, 150, seed=seed)


def bits(seed):
    return streams.disjunction(12, 2, 200, seed=seed)


def drifts(seed):
    return streams.drifting_disjunction(12, 2, 300, drifts=3, seed=seed)


def lessons(trace):
    """Return the rounds of a ledger: the updates, or mistakes where all are updates."""
    every = trace.before.features == "signs"
    return trace.mistake_rounds if every else trace.update_rounds


def anything(seed):
    return reals(seed, sign=-1.0)


def possible(seed):
    return realizable(TABLE, seed, rounds=30)


GAMES = [
    (olc.Perceptron(4), lines, additive),
    (olc.Perceptron(4, rate=0.3), lines, additive),
    (olc.MarginPerceptron(4, thickness=0.7, rate=0.5), lines, additive),
    (olc.KernelPerceptron(Polynomial(2)), circle, in_feature_space),
    (olc.AveragedPerceptron(4, rate=0.5), lines, averaged),
    (olc.VotedPerceptron(4), lines, averaged),
    (olc.PNormPerceptron(6, p=2.5), anything, p_norm),
    (olc.PNormPerceptron(6, p=10), anything, p_norm),
    (olc.ThresholdRelative(3, threshold=0.5, aim=0.2, rate=0.7), cleared, to_the_plane),
    (olc.ThresholdRelative(3, threshold=0.5), cleared, to_the_plane),
    (olc.NormalizedWinnow(6, eta=0.3), reals, entropy),
    (olc.BalancedWinnow(6, eta=0.3), anything, entropy),
    (olc.MarginWinnow(6, eta=0.3, thickness=0.05), reals, entropy),
    (olc.Winnow(12), bits, weighed),
    (olc.Winnow(12, alpha=1.5, threshold=7), bits, weighed),
    (olc.Winnow(12, eliminate=True), bits, weighed),
    (olc.WinnowR(12), drifts, weighed),
    (olc.WinnowR(12, alpha=3, threshold=9), drifts, weighed),
    (olc.ThresholdMarginWinnow(12, thickness=3), bits, weighed),
    (olc.ThresholdMarginWinnow(12, thickness=2, alpha=3), bits, weighed),
    (olc.ThresholdMarginWinnow(12, thickness=3, eliminate=True), bits, weighed),
    (olc.WeightedMajority(5, eta=0.3), advice, experts),
    (olc.RandomizedWeightedMajority(5, eta=0.3), advice, experts),
    (olc.Consistent(len(TABLE)), possible, version_space),
    (olc.Halving(len(TABLE)), possible, version_space),
    (olc.StandardOptimal(TABLE), possible, version_space),
    (olc.Perceptron(4, rate=0.3), lines, one),
    (olc.PNormPerceptron(6, p=3), anything, one),
    (olc.NormalizedWinnow(6, eta=0.3), reals, one),
    (olc.BalancedWinnow(6, eta=0.3), anything, one),
]


@pytest.mark.parametrize(
    ("fresh", "draw", "claims"),
    GAMES,
    ids=[f"{g[2].__name__}-{g[0]!r:.30}" for g in GAMES],
)
def test_the_claims_of_a_proof_hold_and_its_envelopes_are_the_theorems(
    fresh, draw, claims
):
    rows = 0
    for seed in range(6):
        learner, game = copy.deepcopy(fresh), draw(seed)
        own = one_proof if claims is one else sys.modules[type(learner).__module__]
        # in the second part it starts from elsewhere than 0
        parts = [game] if claims is one else [game[:9], game[9:]]
        for part in parts:
            trace = play(learner, part)
            if not len(rounds := lessons(trace)):
                continue
            found = own.proof(trace)
            assert found["round"].tolist() == rounds.tolist()
            assert_between(found)
            lower, upper = claims(trace, found)
            np.testing.assert_allclose(found.lower, lower, rtol=1e-7, atol=1e-9)
            np.testing.assert_allclose(found.upper, upper, rtol=1e-7, atol=1e-9)
            rows += len(found)
    assert rows > 5


# --------------------------------------------------------------------- what they share

# The balanced form with a threshold has no bound, with a margin or without one.
PROVED = [kind for kind in KINDS if not issubclass(kind, olc.ThresholdBalancedWinnow)]
each_kind = pytest.mark.parametrize("kind", PROVED)


def game_of(kind):
    """Return a learner, a stream that it can learn, and the proof of its bound."""
    learner, proof = LEARNERS[kind.__name__](5), sys.modules[kind.__module__].proof
    if kind is olc.StandardOptimal:
        return learner, stream(learner, 60, seed=0), proof
    if learner.features == "bits":
        return learner, streams.disjunction(5, 2, 60, seed=0), proof
    return learner, streams.panel(5, 1 if kind.features == "signs" else 3, 60, 0), proof


@each_kind
def test_a_ledger_numbers_its_rows_and_takes_another_target_or_sparse_rows(kind):
    learner, game, proof = game_of(kind)
    trace = play(learner, game)
    found = proof(trace)
    thick = learner.thickness > 0
    assert found.index.tolist() == list(range(1, len(found) + 1))
    assert found.index.name == ("update" if thick else "mistake")
    if "target" in inspect.signature(proof).parameters:
        bare = play(LEARNERS[kind.__name__](5), Stream(game.X, game.y))
        assert proof(bare, game.target).equals(found)
        with pytest.raises(ValueError, match="target=u"):
            proof(bare)
        sparse = Stream(csr_array(game.X), game.y, game.target)
        again = proof(play(LEARNERS[kind.__name__](5), sparse))
        pd.testing.assert_frame_equal(again, found)


@each_kind
def test_a_ledger_of_a_game_without_a_mistake_is_empty_with_all_columns(kind):
    learner, game, proof = game_of(kind)
    full = proof(play(learner, game))
    for _ in range(500):
        trace = play(learner, game)
        if not len(lessons(trace)):
            break
    found = proof(trace)
    assert len(found) == 0
    assert found.columns.tolist() == full.columns.tolist()
    assert set(found.dtypes.astype(str)) == {"float64"}


def test_a_proof_refuses_the_game_of_another_learner():
    games = {kind: game_of(kind) for kind in PROVED}
    traces = {kind: play(learner, game) for kind, (learner, game, _) in games.items()}
    for kind, (*_, proof) in games.items():
        for other, (*_, own) in games.items():
            if own is not proof:
                with pytest.raises(TypeError, match=f"{other.__name__} plays by rules"):
                    proof(traces[other])
        with pytest.raises(TypeError, match=r"must be what olc\.play returns"):
            proof(games[kind][1])


@each_kind
def test_a_proof_refuses_a_learner_with_any_hook_of_its_own(kind):
    learner, game, proof = game_of(kind)
    for hook in (name for name in (*HOOKS, "weigh") if hasattr(kind, name)):
        rule = getattr(kind, hook)
        own = type("Own", (kind,), {hook: lambda *args, rule=rule: rule(*args)})
        patched = learner.replaced()
        setattr(patched, hook, partial(rule, patched))
        for changed in (own(**learner.get_params()), patched):
            trace = olc.play_one_by_one(changed, game[:9])
            with pytest.raises(TypeError, match=f"about .*{kind.__name__}.*its own"):
                proof(trace)
            for theorem in (one_proof.proof, one_proof.mistake_bound):
                given = [trace] if theorem is one_proof.proof else [changed, game]
                with pytest.raises(TypeError, match="plays by rules of its own"):
                    theorem(*given)


def test_entropy_leaves_out_what_the_target_does_not_hold():
    u = np.array([0.5, 0.5, 0.0])
    log_w = np.array([math.log(0.25), math.log(0.75), -math.inf])
    expected = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    assert olc.normalized_winnow.entropy(u, log_w) == pytest.approx(expected)


def test_log_sum_exp_neither_overflows_nor_vanishes():
    for shift in (0.0, 5000.0, -5000.0):
        found = log_sum_exp(np.array([shift, shift + math.log(2)]))
        assert found == pytest.approx(shift + math.log(3))
