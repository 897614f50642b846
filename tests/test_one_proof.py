"""One proof for four learners: their potentials, their bounds, their old ledgers."""

import math

import numpy as np
import pytest
from helpers import positive
from hypothesis import given
from hypothesis import strategies as st

import olc
from olc import Perceptron, PNormPerceptron, Stream, geometry, one_proof, play, streams

MAKERS = {
    "Perceptron": Perceptron,
    "Perceptron, rate": lambda n: Perceptron(n, rate=0.3),
    "p = 2.5": lambda n: PNormPerceptron(n, p=2.5),
    "p = 10": lambda n: PNormPerceptron(n, p=10),
    "normalised Winnow": lambda n: olc.NormalizedWinnow(n, eta=0.3),
    "Balanced Winnow": lambda n: olc.BalancedWinnow(n, eta=0.3),
}
every_kind = pytest.mark.parametrize("name", MAKERS)
PANEL = streams.panel(15, 3, 400, seed=0)


@every_kind
@given(st.integers(1, 6), st.integers(0, 999))
def test_weights_are_the_gradient_of_the_potential(name, n, seed):
    random, learner = np.random.default_rng(seed), MAKERS[name](n)
    s, step = random.normal(size=n), 1e-5 * random.normal(size=n)
    learner.state = learner.rate * s
    value = one_proof.potential(learner).value
    slope = value(s + step) - value(s - step)
    expected = 2 * learner.weights @ step
    assert slope == pytest.approx(expected, rel=1e-4, abs=1e-9)


@every_kind
@given(st.integers(1, 6), st.integers(0, 999), st.floats(0.01, 3))
def test_every_potential_is_smooth_in_the_norm_of_the_examples(name, n, seed, length):
    random, learner = np.random.default_rng(seed), MAKERS[name](n)
    s, z = 3 * random.normal(size=n), length * random.normal(size=n)
    learner.state = learner.rate * s
    rules = one_proof.potential(learner)
    dual = math.inf if rules.order == 1 else rules.order / (rules.order - 1)
    size = geometry.norm(z, dual)
    most = rules.value(s) + learner.weights @ z + rules.beta * size**2 / 2
    assert rules.value(s + z) <= most + 1e-9 * (1 + abs(most))
    assert rules.rise(z[None]) <= rules.beta * size**2 / 2 * (1 + 1e-9)


@every_kind
@given(st.integers(1, 6), st.integers(0, 999))
def test_the_potential_is_never_less_than_the_alignment_allows(name, n, seed):
    random, rules = np.random.default_rng(seed), one_proof.potential(MAKERS[name](n))
    s, u = 5 * random.normal(size=n), random.normal(size=n)
    u = geometry.unit(np.abs(u) if name == "normalised Winnow" else u, rules.order)
    assert rules.value(np.zeros(n)) == pytest.approx(0, abs=1e-12)
    assert rules.least(u, float(u @ s)) <= rules.value(s) + 1e-9


@every_kind
@pytest.mark.parametrize("second", [100.0, -100.0])
def test_of_all_targets_the_weights_allow_the_least(name, second):
    """Young's inequality is an equality where u is in the direction of ∇Φ(s)."""
    learner, s = MAKERS[name](2), np.array([101.0, second])
    learner.state = learner.rate * s
    rules = one_proof.potential(learner)
    u = geometry.unit(learner.weights, rules.order)
    assert rules.least(u, float(u @ s)) == pytest.approx(rules.value(s), rel=1e-6)


# ------------------------------------------------- the earlier chapters in disguise


def played(name, stream=PANEL):
    return play(MAKERS[name](stream.n), stream)


@given(positive())
def test_bounds_are_those_of_the_chapters(stream):
    n, X, u = stream.n, stream.X, stream.target
    found = {name: one_proof.mistake_bound(MAKERS[name](n), stream) for name in MAKERS}
    alone = olc.perceptron.mistake_bound(stream.radius, stream.margin)
    assert found["Perceptron"] == pytest.approx(alone)
    assert found["Perceptron, rate"] == pytest.approx(alone)
    for p in (2.5, 10):
        margin = geometry.margin(u, X, stream.y, p=p / (p - 1))
        bound = olc.p_norm.mistake_bound(geometry.radius(X, p), margin, p)
        assert found[f"p = {p}"] == pytest.approx(bound)
    shares = geometry.unit(u, 1)
    entropy = -(shares[shares > 0] * np.log(shares[shares > 0])).sum()
    gamma, radius = geometry.margin(u, X, stream.y, p=1), geometry.radius(X, math.inf)
    drop = olc.normalized_winnow.least_drop(0.3, gamma, radius)
    for name, many in (("normalised Winnow", n), ("Balanced Winnow", 2 * n)):
        bound = (math.log(many) - entropy) / drop if drop > 0 else math.inf
        assert found[name] == pytest.approx(bound, abs=1e-9)


winnows = pytest.mark.parametrize(
    ("name", "theory"),
    [
        ("normalised Winnow", olc.normalized_winnow),
        ("Balanced Winnow", olc.balanced_winnow),
    ],
)


def test_ledgers_of_the_chapters_are_this_one():
    for name, rate in (("Perceptron", 1.0), ("Perceptron, rate", 0.3)):
        old, new = olc.perceptron.proof(played(name)), one_proof.proof(played(name))
        for column in ("potential", "lower", "upper", "cross"):
            np.testing.assert_allclose(old[column], 2 * rate * new[column])
        np.testing.assert_allclose(old.cross + old.length, 2 * rate * new.rise)
        np.testing.assert_allclose(old.alignment, rate * new.gain.cumsum())
    old, new = olc.p_norm.proof(played("p = 10")), one_proof.proof(played("p = 10"))
    for column in ("cross", "potential", "lower", "upper"):
        np.testing.assert_allclose(old[column], new[column])


@winnows
def test_winnows_ledger_is_eta_times_what_is_left_of_this_one(name, theory):
    trace, eta = played(name), 0.3
    old, new = theory.proof(trace), one_proof.proof(trace)
    np.testing.assert_allclose(old.log_Z, eta * new.rise, atol=1e-12)
    np.testing.assert_allclose(old.advantage, eta * new.gain)
    start = one_proof.potential(trace.before).conjugate(geometry.unit(PANEL.target, 1))
    gap = start + new.potential - new.gain.cumsum()
    np.testing.assert_allclose(old.potential, eta * gap, atol=1e-12)
    np.testing.assert_allclose(old.upper, eta * (new.upper - new.lower), atol=1e-12)


# ------------------------------------------------------------------- noisy labels


@every_kind
@given(positive(), st.floats(0, 0.4), st.integers(0, 99), st.floats(0.05, 1))
def test_the_bound_holds_for_every_margin_and_any_labels(
    name, stream, chance, seed, margin
):
    noisy = streams.flip_labels(stream, chance, seed)
    learner = MAKERS[name](stream.n)
    bound = one_proof.mistake_bound(learner, noisy, margin)
    assert play(learner, noisy).mistakes <= bound * (1 + 1e-9)


@given(positive(), st.floats(0.05, 1))
def test_at_p_2_it_is_the_perceptrons_bound_by_hinge_losses(stream, margin):
    noisy = streams.flip_labels(stream, 0.2, seed=0)
    found = one_proof.mistake_bound(PNormPerceptron(stream.n, p=2), noisy, margin)
    known = olc.perceptron.hinge_bound(noisy.X, noisy.y, noisy.target, margin)
    assert found == pytest.approx(known)


# ----------------------------------------------------------------------- the rest


def learnt():
    """A Perceptron that stands at -100, a hundred mistakes from where it belongs."""
    learner = Perceptron(1)
    play(learner, [[-100.0]], [1])
    return learner


ONES = Stream(np.ones((300, 1)), np.ones(300), [1])
SHORT = Stream([[0.5, 1.0]] * 50 + [[0.5, -1.0]] * 200, [1] * 250, [1, 0])


def test_such_bounds_would_be_wrong():
    assert one_proof.mistake_bound(Perceptron(2), SHORT) == 5
    assert play(olc.MarginPerceptron(2, thickness=100), SHORT).mistakes == 32
    assert one_proof.mistake_bound(Perceptron(1), ONES) == 1
    learner = learnt()
    trace = play(learner, ONES)
    assert trace.mistakes == 101
    with pytest.raises(ValueError, match="play with a new one"):
        one_proof.proof(trace)


@pytest.mark.parametrize("n", range(1, 41))
def test_a_target_of_equal_weights_allows_normalised_winnow_no_mistake(n):
    stream = Stream(np.ones((2, n)), [1, 1], np.ones(n))
    learner = olc.NormalizedWinnow(n, eta=0.5)
    bound = one_proof.mistake_bound(learner, stream)
    assert play(learner, stream).mistakes <= bound < 1e-14
