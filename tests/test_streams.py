"""Streams: the same seed gives the same stream, and each keeps what it promises."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits

import olc
from olc import geometry, halving, streams, winnow_r
from olc.kernel_perceptron import RadialBasis

MAKERS = {
    "panel": partial(streams.panel, 9, 3, 60),
    "signed_panel": partial(streams.signed_panel, 9, 5, 60),
    "experts": partial(streams.experts, 6, 60, error=0.3, best=0.1),
    "in_turn": partial(streams.in_turn, 6, 60),
    "hypotheses": partial(streams.hypotheses, halving.thresholds(8)[1:-1], 60),
    "disjunction": partial(streams.disjunction, 12, 3, 60),
    "r_of_k": partial(streams.r_of_k, 12, 2, 5, 60),
    "drifting_disjunction": partial(streams.drifting_disjunction, 12, 3, 60, 4),
    "separable": partial(streams.separable, 4, 0.1, 60),
    "disc": partial(streams.disc, 0.1, 60),
    "clouds": partial(streams.clouds, 60),
    "circles": partial(streams.circles, 60),
    "moons": partial(streams.moons, 60),
    "sparse_examples": partial(streams.sparse_examples, 12, 5, 60),
    "breast_cancer": streams.breast_cancer,
    "digits": partial(streams.digits, 3),
    "flip_labels": partial(streams.flip_labels, streams.panel(9, 3, 60, 0), 0.3),
    "flip_features": partial(streams.flip_features, streams.panel(9, 3, 60, 0), 0.3),
}


def test_the_seed_decides_everything():
    for make in MAKERS.values():
        one, same, other = (make(seed=seed) for seed in (7, 7, 8))
        for attribute in ("X", "y", "target"):
            first, second = getattr(one, attribute), getattr(same, attribute)
            assert np.array_equal(first, second)
        assert [start for start, _ in one.drifts] == [start for start, _ in same.drifts]
        assert not (np.array_equal(one.X, other.X) and np.array_equal(one.y, other.y))
        assert set(one.y.tolist()) == {-1, 1}
        assert one.y.dtype == np.int8
        with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
            make(seed=-1)


def test_the_target_explains_every_label_in_any_order_of_summation():
    games = (make(seed=0) for name, make in MAKERS.items() if "flip" not in name)
    for game in games:
        if game.target is None:
            continue
        starts = [start for start, _ in game.drifts] or [0]
        targets = [u for _, u in game.drifts] or [game.target]
        bits = np.isin(game.X, [0, 1]).all()
        for part, u in zip(np.split(np.arange(60), starts[1:]), targets, strict=True):
            for turn in (1, -1):
                scores = game.X[part, ::turn] @ u[::turn]
                says = np.where(scores >= 1, 1, -1) if bits else np.sign(scores)
                assert np.array_equal(says, game.y[part])


@given(st.integers(1, 20), st.data())
def test_the_panel_votes_right(n, data):
    k = data.draw(st.integers(0, (n - 1) // 2)) * 2 + 1
    game = streams.panel(n, k, 50, seed=data.draw(st.integers(0, 2**32)))
    assert game.target.sum() == k
    assert set(np.unique(game.target)) <= {0.0, 1.0}
    assert np.isin(game.X, [-1, 1]).all()
    assert game.X.dtype == np.int8
    votes = game.X.astype(int) @ game.target
    assert (np.sign(votes) == game.y).all()
    assert game.margin >= 1 / math.sqrt(k) - 1e-12
    assert game.radius == pytest.approx(math.sqrt(n), rel=1e-15)


def test_a_large_panel_does_not_overflow_its_votes():
    game = streams.panel(999, 999, 20, seed=1)
    assert (np.sign(game.X.sum(axis=1, dtype=int)) == game.y).all()


@given(st.integers(1, 15), st.data())
def test_r_of_k_counts_its_variables(n, data):
    k = data.draw(st.integers(1, n))
    r = data.draw(st.integers(1, k))
    game = streams.r_of_k(n, r, k, 50, seed=data.draw(st.integers(0, 2**32)))
    chosen = game.target > 0
    assert chosen.sum() == k
    assert np.allclose(game.target[chosen], 1 / r, rtol=1e-13)
    counts = game.X[:, chosen].sum(axis=1, dtype=int)
    assert ((counts >= r) == (game.y > 0)).all()


@given(st.integers(1, 100_000), st.data())
def test_r_shares_reach_1_exactly_and_one_less_does_not(k, data):
    # 1/r times r is not always 1 in floating point, nor the same in every order
    r = data.draw(st.integers(1, k))
    game = streams.r_of_k(k, r, k, 1, seed=0)
    share = Fraction(game.target[0])
    assert len(set(game.target)) == 1
    assert r * share >= 1 > (r - 1) * share
    assert abs(share * r - 1) < 1e-9
    # all sums are whole multiples of a power of two, below 2^53 of them
    assert k * share.numerator < 2**53


@pytest.mark.parametrize(("r", "k"), [(1, 1), (1, 7), (2, 6), (5, 9)])
def test_half_of_the_labels_are_positive_by_default(r, k):
    game = streams.r_of_k(20, r, k, 40_000, seed=2)
    assert np.mean(game.y > 0) == pytest.approx(0.5, abs=0.1 if r > 1 else 0.01)


@given(st.integers(2, 40), st.integers(1, 8), st.data())
def test_texts_are_positive_where_a_keyword_is(n, length, data):
    k = data.draw(st.integers(1, n - 1))
    seed = data.draw(st.integers(0, 2**32))
    game = streams.words(n, k, 50, seed, length)
    X = game.X.toarray()
    assert game.X.format == "csr"
    assert game.X.has_canonical_format
    assert np.isin(X, [0, 1]).all()
    chosen = game.target > 0
    assert chosen.sum() == k
    assert (X[:, chosen].sum(axis=1) == (game.y > 0)).all()
    others = X[:, ~chosen].sum(axis=1)
    assert others.min() >= 1
    assert others.max() <= length


def test_the_words_of_texts_are_as_frequent_as_in_language():
    game = streams.words(1000, 3, 200_000, seed=0, length=1)
    assert np.mean(game.y > 0) == pytest.approx(0.5, abs=0.01)
    counts = np.asarray(game.X.sum(axis=0))
    ordinary = counts[game.target == 0]
    total = np.sum(1 / np.arange(1, 998))
    expected = 200_000 / np.array([1, 2, 5, 10]) / total
    assert ordinary[[0, 1, 4, 9]] == pytest.approx(expected, rel=0.05)
    again = streams.words(1000, 3, 200_000, seed=0, length=1)
    assert (again.X != game.X).nnz == 0


def test_a_sparse_stream_can_be_flipped_and_binarised():
    sparse = streams.words(50, 2, 20, seed=0)
    noisy = streams.flip_labels(sparse, chance=1, seed=0)
    assert np.array_equal(noisy.y, -sparse.y)
    dense = sparse.X.toarray()
    assert np.array_equal(streams.flip_features(sparse, 1, seed=0).X, 1 - dense)
    assert np.array_equal(streams.binarise(sparse).X, dense > np.median(dense, axis=0))


def test_the_density_is_what_was_asked_for():
    for density in (0.0, 0.05, 0.7, 1.0):
        game = streams.disjunction(50, 2, 4000, seed=3, density=density)
        assert game.X.mean() == pytest.approx(density, abs=0.01)
        drifting = streams.drifting_disjunction(50, 2, 4000, 1, 3, density)
        assert drifting.X.mean() == pytest.approx(density, abs=0.01)


@given(st.integers(2, 15), st.integers(0, 6), st.integers(1, 60), st.data())
def test_a_drifting_target_changes_one_variable_at_a_time(n, drifts, rounds, data):
    k = data.draw(st.integers(1, n - 1 if drifts else n))
    seed = data.draw(st.integers(0, 2**32))
    rounds = max(rounds, drifts + 1)
    game = streams.drifting_disjunction(n, k, rounds, drifts, seed)
    assert len(game.drifts) == drifts + 1
    assert winnow_r.additions(game) == k + drifts
    assert game.drifts[0][0] == 0
    starts = [start for start, _ in game.drifts] + [rounds]
    for (start, u), stop in zip(game.drifts, starts[1:], strict=True):
        assert u.sum() == k
        positive = game.X[start:stop, u > 0].any(axis=1)
        assert (positive == (game.y[start:stop] > 0)).all()
    for (_, old), (_, new) in zip(game.drifts[:-1], game.drifts[1:], strict=True):
        assert np.sum((new > 0) & (old == 0)) == np.sum((old > 0) & (new == 0)) == 1
    assert np.array_equal(game.target, game.drifts[-1][1])


@given(st.integers(2, 12), st.floats(0.001, 0.999), st.integers(0, 2**32))
def test_a_separable_stream_has_its_margin_and_unit_length(n, margin, seed):
    game = streams.separable(n, margin, 80, seed)
    assert np.linalg.norm(game.target) == pytest.approx(1, rel=1e-12)
    assert game.margin >= margin * (1 - 1e-12)
    assert np.linalg.norm(game.X, axis=1) == pytest.approx(np.ones(80), rel=1e-12)
    assert (np.sign(game.X @ game.target) == game.y).all()


def test_experts_err_independently_and_as_often_as_they_should():
    rates = [0.0, 0.1, 0.25, 0.5, 1.0]
    game = streams.experts(5, 50_000, seed=5, error=rates)
    wrong = game.y[:, None] != game.X
    assert wrong.mean(axis=0) == pytest.approx(rates, abs=0.01)
    assert (wrong[:, 2] & wrong[:, 3]).mean() == pytest.approx(0.125, abs=0.01)
    assert game.X.dtype == np.int8
    first = streams.experts(5, 50_000, seed=5, error=np.array(rates), best=0.25)
    assert np.array_equal(first.X[:, 1:], game.X[:, 1:])
    assert (first.y != first.X[:, 0]).mean() == pytest.approx(0.25, abs=0.01)
    even = streams.experts(3, 20_000, seed=6)
    assert (even.y[:, None] != even.X).mean() == pytest.approx(0.5, abs=0.01)


@given(st.integers(1, 9), st.integers(1, 40), st.integers(0, 2**32))
def test_one_expert_errs_in_each_round_and_all_in_turn(n, rounds, seed):
    game = streams.in_turn(n, rounds, seed)
    wrong = game.y[:, None] != game.X
    assert (wrong.sum(axis=1) == 1).all()
    assert (wrong.argmax(axis=1) == np.arange(rounds) % n).all()


@given(st.integers(0, 2), st.data())
def test_every_second_member_of_a_signed_panel_counts_reversed(half, data):
    n, k = 9, 2 * half + 1
    seed = data.draw(st.integers(0, 2**32))
    game = streams.signed_panel(n, k, 50, seed)
    plain = streams.panel(n, k, 50, seed)
    assert np.array_equal(game.X, plain.X)
    assert np.array_equal(np.abs(game.target), plain.target)
    assert game.target.sum() == 1
    assert game.target[game.target != 0][::2].tolist() == [1] * (half + 1)


@given(st.floats(0.01, 0.99), st.floats(0.01, 1e6), st.integers(2, 60), st.data())
def test_a_disc_has_the_margin_and_radius_asked_for(share, radius, rounds, data):
    seed = data.draw(st.integers(0, 2**32))
    game = streams.disc(share * radius, rounds, seed, radius)
    assert game.margin == pytest.approx(share * radius, rel=1e-9)
    assert game.radius == pytest.approx(radius, rel=1e-9)


def test_the_clouds_lie_around_their_centres_in_turn():
    game = streams.clouds(4001, seed=0)
    assert game.y[:3].tolist() == [1, -1, 1]
    for label, centre in ((1, [1.1, 0.7]), (-1, [-0.5, -0.4])):
        cloud = game.X[game.y == label]
        assert cloud.mean(axis=0) == pytest.approx(centre, abs=0.05)
        assert cloud.std(axis=0) == pytest.approx([0.38, 0.38], abs=0.03)


def test_no_line_separates_rings_or_crescents():
    for make in (streams.circles, streams.moons):
        game = make(300, seed=0)
        assert not geometry.separable(geometry.homogenise(game))
        learner = olc.KernelPerceptron(RadialBasis(0.5))
        while olc.play(learner, game).mistakes:
            pass  # it ends, because a kernel does separate them


@given(st.integers(0, 3), st.integers(0, 2**32))
def test_sparse_examples_have_their_active_features(half, seed):
    active = 2 * half + 1
    game = streams.sparse_examples(8, active, 40, seed)
    assert (np.abs(game.X).sum(axis=1) == active).all()
    assert np.isin(game.X, [-1, 0, 1]).all()
    assert (np.abs(game.target) == 1).all()


def test_tumours_are_standardised_and_shuffled():
    data = load_breast_cancer()
    game = streams.breast_cancer(seed=1)
    assert game.X.shape == (569, 30)
    assert np.sum(game.y > 0) == np.sum(data.target_names[data.target] == "malignant")
    assert game.X.mean(axis=0) == pytest.approx(np.zeros(30), abs=1e-12)
    assert game.X.std(axis=0) == pytest.approx(np.ones(30), rel=1e-12)
    order = np.lexsort(data.data.T)
    ours = np.lexsort(game.X.T)
    assert np.array_equal(game.y[ours] < 0, data.target[order] == 1)


def test_digits_are_told_from_one_another_or_from_all():
    data = load_digits()
    whole = streams.digits(3, seed=1)
    assert whole.X.shape == (1797, 64)
    assert (whole.X.min(), whole.X.max()) == (0, 1)
    assert np.sum(whole.y > 0) == np.sum(data.target == 3)
    pair = streams.digits(3, seed=1, against=8)
    assert np.sum(pair.y > 0) == np.sum(data.target == 3)
    assert np.sum(pair.y < 0) == np.sum(data.target == 8)
    for label, digit in ((1, 3), (-1, 8)):
        mean = data.data[data.target == digit].mean(axis=0) / 16
        assert pair.X[pair.y == label].mean(axis=0) == pytest.approx(mean, abs=1e-12)


def test_features_above_their_median_become_bits_or_signs():
    plain = olc.Stream([[1.0, 5], [2, 5], [3, 9], [4, 5]], [1, -1, 1, -1], [1, 0])
    bits, signs = streams.binarise(plain), streams.binarise(plain, signs=True)
    assert bits.X.tolist() == [[0, 0], [0, 0], [1, 1], [1, 0]]
    assert np.array_equal(signs.X, 2 * bits.X - 1)
    assert bits.X.dtype == signs.X.dtype == np.int8
    assert np.array_equal(bits.y, plain.y)
    assert bits.target is None  # it was the target of other features


def test_label_noise_flips_labels_at_its_rate_and_nothing_else():
    clean = streams.drifting_disjunction(10, 2, 40_000, 3, seed=7)
    noisy = streams.flip_labels(clean, 0.2, seed=8)
    assert noisy.X is clean.X
    assert np.mean(noisy.y != clean.y) == pytest.approx(0.2, abs=0.01)
    assert np.array_equal(noisy.target, clean.target)
    assert winnow_r.additions(noisy) == winnow_r.additions(clean) == 5
    assert np.array_equal(streams.flip_labels(clean, 0, seed=8).y, clean.y)
    assert np.array_equal(streams.flip_labels(clean, 1, seed=8).y, -clean.y)


@pytest.mark.parametrize(
    ("make", "dtype"),
    [(streams.panel, "int8"), (streams.panel, "float32"), (streams.disjunction, "bool"),
     (streams.disjunction, "uint8"), (streams.disjunction, "int64")],
)  # fmt: skip
def test_attribute_noise_flips_features_at_its_rate_and_nothing_else(make, dtype):
    clean = make(20, 3, 5000, 9)
    clean = olc.Stream(clean.X.astype(dtype), clean.y, clean.target)
    noisy = streams.flip_features(clean, 0.1, seed=10)
    assert noisy.X.dtype == clean.X.dtype
    assert np.mean(noisy.X != clean.X) == pytest.approx(0.1, abs=0.01)
    assert set(np.unique(noisy.X)) == set(np.unique(clean.X))
    assert np.array_equal(noisy.y, clean.y)
    assert np.array_equal(noisy.target, clean.target)


def test_noise_hits_other_rounds_in_every_stream_and_with_every_seed():
    clean = [streams.panel(9, 3, 200, seed) for seed in range(20)]
    same = [streams.flip_labels(game, 0.1, seed=1) for game in clean]
    hit = {tuple(np.flatnonzero(a.y != b.y)) for a, b in zip(clean, same, strict=True)}
    assert len(hit) == 20
    noisy = [streams.flip_labels(clean[0], 0.1, seed) for seed in range(20)]
    assert len({game.y.tobytes() for game in noisy}) == 20


def test_more_noise_hits_the_same_rounds_and_more():
    clean = streams.panel(9, 3, 500, seed=0)
    few, many = (streams.flip_labels(clean, c, seed=0).y != clean.y for c in (0.1, 0.2))
    assert (many | ~few).all()
    assert many.sum() > few.sum()


def test_label_noise_feature_noise_and_stream_of_one_seed_are_independent():
    clean = streams.experts(1, 20_000, seed=3)
    made_wrong = clean.X[:, 0] != clean.y
    label_wrong = streams.flip_labels(clean, 0.5, seed=3).y != clean.y
    feature_wrong = (streams.flip_features(clean, 0.5, seed=3).X != clean.X)[:, 0]
    together = np.corrcoef([made_wrong, label_wrong, feature_wrong])
    assert np.abs(together - np.eye(3)).max() < 0.03
