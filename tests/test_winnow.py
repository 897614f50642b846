"""Winnow: the run on 1024 attributes, the theorem, its proof, and when they fail."""

import itertools
import math
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from worst_games import worst_disjunctions

import olc
from olc import Winnow, play, streams, winnow

N = 1024


def bits(n, *variables):
    """The example in which these variables are 1, counted from 1 as in the notes."""
    x = np.zeros(n)
    x[[i - 1 for i in variables]] = 1
    return x


def strictly(theta):
    """The threshold of the rule that says +1 only above θ."""
    return math.nextafter(theta, math.inf)


# ------------------------------------------------- the run on 1024 attributes

GOOD = (1, 2, 1023, 1024)

# the variables of each example after the first, in which all are on
RUN = [(), (3, 4, 5), (1,), (1, 3, 4), (1, 3, 1024)]
# eight more mistakes on positives, which the notes leave out
RUN += [(1, 1024, 3, 4, 5, 6, 7)] * 6 + [(1024, 4, 5, 6, 7), (1023, 5, 6, 7)]
PRINTED = (512, 1, 256, 256, 256, 256, 256, 2, 256)


def good(x):
    """f = x1 ∨ x2 ∨ x1023 ∨ x1024."""
    return 1 if x[[i - 1 for i in GOOD]].any() else -1


def shown(learner):
    return tuple(learner.weights[[0, 1, 2, 3, 4, 5, 6, 1022, 1023]].tolist())


@pytest.mark.parametrize(
    ("options", "said", "after"),
    [
        ({}, 1, (512, 1, 128, 256, 128, 128, 128, 2, 256)),
        ({"eliminate": True}, 1, (512, 1, 0, 256, 0, 0, 0, 2, 256)),
        ({"threshold": strictly(N)}, -1, PRINTED),  # three printed rows flip
    ],
)
def test_rest_of_the_run_sits_at_the_threshold_and_ends_as_printed(
    options, said, after
):
    learner = Winnow(N, **options)
    rows = [bits(N, *variables) for variables in RUN]
    wrong = sum(learner.learn(x, good(x)) != good(x) for x in rows)
    assert (shown(learner), wrong) == (PRINTED, 11)
    positive, negative = bits(N, 1, 3, 1024), bits(N, 3, 5, 6, 7)
    assert learner.score(positive) == learner.score(negative) == N
    assert Winnow(N, **options).predict(np.ones(N)) == said
    assert learner.predict(positive) == said
    assert learner.learn(negative, -1) == said
    assert shown(learner) == after


# -------------------------------------------------------- exact, by other means


@st.composite
def disjunctions(draw, most=9):
    n = draw(st.integers(1, most))
    k = draw(st.integers(1, n))
    seed, density = draw(st.integers(0, 999)), draw(st.sampled_from([None, 0.3, 0.7]))
    return streams.disjunction(n, k, draw(st.integers(1, 120)), seed, density)


thresholds = [None, 0.5, 1.0, 2.0, strictly(2.0), 3.5, 16.0, strictly(16.0)]
options = st.fixed_dictionaries(
    {
        "alpha": st.sampled_from([1.25, 1.5, 2.0, 3.0, 4.0]),
        "threshold": st.sampled_from(thresholds),
        "eliminate": st.booleans(),
    }
)


def slow_winnow(stream, alpha, threshold, eliminate):
    """Winnow in exact arithmetic, as the pseudo-code says it."""
    alpha, theta = Fraction(alpha), Fraction(threshold or stream.n)
    weights, wrong = [Fraction(1)] * stream.n, []
    for t, (x, y) in enumerate(stream):
        score = sum(w for w, bit in zip(weights, x, strict=True) if bit)
        if (score >= theta) != (y == 1):
            wrong.append(t)
            for i in np.flatnonzero(x):
                if y == 1:
                    weights[i] *= alpha
                else:
                    weights[i] = Fraction(0) if eliminate else weights[i] / alpha
    return wrong, weights


@given(disjunctions(), options, st.integers(0, 99))
def test_winnow_errs_where_exact_arithmetic_does(stream, options, seed):
    if options["alpha"] in (1.5, 3.0):  # whose inverse powers are rounded
        options["eliminate"] = True
    noisy = streams.flip_labels(stream, 0.1, seed)
    learner = Winnow(stream.n, **options)
    trace = play(learner, noisy)
    wrong, weights = slow_winnow(noisy, **options)
    assert trace.mistake_rounds.tolist() == wrong
    assert learner.weights == pytest.approx([float(w) for w in weights], rel=1e-9)
    clean = play(Winnow(stream.n, **options), stream).mistakes
    assert clean <= winnow.mistake_bound(stream.n, int(stream.target.sum()), **options)


@pytest.mark.parametrize("eliminate", [False, True])
def test_no_adversary_breaks_the_bounds_of_small_games(eliminate):
    sizes = [(2.0, n) for n in range(2, 7)]
    sizes += itertools.product((Fraction(3, 2), Fraction(3)), (2, 3, 4))
    for (alpha, n), k, strict in itertools.product(sizes, (1, 2), (False, True)):
        if k == n:
            continue
        theta = strictly(n) if strict else n
        found = worst_disjunctions(
            n,
            k,
            theta=theta,
            promote=lambda weight, alpha=alpha: weight * alpha,
            demote=lambda weight, alpha=alpha: 0 if eliminate else weight / alpha,
            one=alpha / alpha,
        )
        assert max(found) == k * winnow.promotions(n, float(alpha), theta)  # attained
        worst = max(up + down for up, down in found.items())
        bound = winnow.mistake_bound(n, k, float(alpha), theta, eliminate)
        assert worst <= bound
        if (k, alpha, theta) == (1, 2, n) and n in (2, 4):
            assert worst == bound
        for up, down in found.items():
            if eliminate:
                assert down < 1 + (alpha - 1) * up
            elif up:
                factor = Fraction(alpha)
                most = factor * up + 1 - factor / n * (up + k / (factor - 1))
                assert down <= most


#: Factors whose powers 32 binary digits do not hold, and thresholds that these reach.
FACTORS = [1.05, 1.1, 1.2, 1.25, 1.3, 1.5, 1.6, 1.7, 3.0]


@st.composite
def edges(draw):
    """A factor, and a threshold that a few of its powers add up to, or nearly so."""
    alpha = draw(st.sampled_from(FACTORS))
    powers = draw(st.lists(st.integers(-1, 3), min_size=1, max_size=2))
    theta = sum(alpha**power for power in powers)
    return alpha, draw(st.sampled_from([theta, round(theta, 6), strictly(theta)]))


@given(edges(), st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]),
       st.booleans())  # fmt: skip
@example((1.1, 1.21), (1, 1), False)
@example((1.2, 1.44), (1, 1), False)
@example((1.3, 1.69), (1, 1), False)
@example((1.6, 2.56), (3, 3), False)
@example((1.3, 1.3), (1, 1), True)
@example((1.05, 1.05), (1, 1), False)
@example((1.1, 1.1**3), (3, 3), False)
def test_no_adversary_breaks_the_bounds_if_the_weights_are_rounded(edge, size, lost):
    (alpha, theta), (n, k) = edge, size
    if theta > alpha**4 * 1.1 and n == 3:  # too many positions
        return
    learner = Winnow(n, alpha=alpha, threshold=theta, eliminate=lost)
    found = worst_disjunctions(
        n, k, theta, lambda count: count + 1,
        lambda count: -math.inf if lost else count - 1, 0,
        weight=cache(lambda count: float(learner.weigh(np.array([float(count)]))[0])),
    )  # fmt: skip
    assert max(found) == k * winnow.promotions(n, alpha, theta)  # attained
    worst = max(up + down for up, down in found.items())
    assert worst <= winnow.mistake_bound(n, k, alpha, theta, lost)


@given(edges(), st.integers(1, 4), st.integers(0, 999))
def test_the_ledger_counts_with_the_rounded_weights(edge, k, seed):
    (alpha, theta), n = edge, 4
    stream, thick = streams.disjunction(n, k, 200, seed), olc.ThresholdMarginWinnow
    for make, proof in [
        (Winnow, winnow.proof),
        (partial(thick, thickness=theta / 9), olc.margin_winnow.proof),
    ]:
        rows = proof(play(make(n, alpha=alpha, threshold=theta), stream))
        assert (rows.ahead >= 0).all()
        assert (rows.potential <= rows.upper + 1e-12).all()
        assert (rows.lower <= rows.potential + 1e-12).all()


@given(st.integers(2, 300), st.integers(1, 9), st.sampled_from([2.0, 4.0, 8.0]),
       st.sampled_from([None, 1.0, 3.5, 16.0]))  # fmt: skip
def test_bound_of_a_power_of_two_is_the_theorem_to_the_last_unit(n, k, alpha, theta):
    k, theta, factor = min(k, n), Fraction(theta or n), Fraction(alpha)
    each = sum(factor**j < theta for j in range(20))
    mass = n - k + k * ((factor - 1) * each * theta - (factor**each - 1))
    demotions = (mass - theta / factor) / (theta - theta / factor)
    most = math.ceil(demotions) - 1 if each else math.floor(demotions)
    bound = winnow.mistake_bound(n, k, alpha, float(theta))
    assert bound == k * each + max(0, most)


# --------------------------------------------------------------- the bounds


@given(st.integers(1, 14), st.integers(1, 8))
def test_bound_at_a_power_of_two_is_3kl_less_2k_or_with_elimination_2kl_less_k(log, k):
    n = 2**log
    k = min(k, n)
    assert winnow.mistake_bound(n, k) == 3 * k * log - 2 * k
    assert winnow.mistake_bound(n, k, eliminate=True) == 2 * k * log - k
    assert winnow.promotions(n) == log
    assert winnow.promotions(n, threshold=strictly(n)) == log + 1


@given(st.integers(2, 3000), st.integers(1, 9), st.booleans())
def test_bound_is_below_the_ones_in_the_notes(n, k, strict):
    k = min(k, n)
    each = math.floor(math.log2(n)) + 1 if strict else math.ceil(math.log2(n))
    theta = strictly(n) if strict else n
    bound = winnow.mistake_bound(n, k, threshold=theta)
    assert bound <= 3 * k * each
    assert bound < winnow.classical_bound(n, k)
    assert winnow.mistake_bound(n, k, 2, theta, eliminate=True) <= 2 * k * each
    for alpha in (1.25, 1.5, 3.0, 4.0):
        promotions = min(k, n - 1) * winnow.promotions(n, alpha)
        bound = winnow.mistake_bound(n, min(k, n - 1), alpha)
        assert bound < 1 + (1 + alpha) * promotions


@pytest.mark.parametrize("above_1", [1e-7, 1e-12, 2.0**-52])
def test_promotions_of_a_factor_near_1_are_counted_at_once(above_1):
    times = winnow.promotions(1024, 1 + above_1)
    assert times == pytest.approx(math.log(1024) / math.log(1 + above_1), rel=1e-7)
    assert winnow.mistake_bound(1024, 3, 1 + above_1) > 3 * times


@given(st.integers(2, 14), st.integers(0, 6), st.integers(0, 13))
def test_bound_at_powers_of_two_is_3kp_less_2k_and_two_starts_of_a_threshold(
    log, log_k, each
):
    n, k, theta = 2**log, 2 ** min(log_k, log - 1), 2 ** min(each, log)
    bound = 3 * k * min(each, log) - 2 * k + 2 * n // theta - 2
    if theta > 1:
        assert winnow.mistake_bound(n, k, threshold=theta) == bound
    if k < n // 2:
        best = winnow.mistake_bound(n, k, threshold=n / (2 * k))
        assert best == 3 * k * math.log2(n / k) - k - 2
        powers = [2.0**power for power in range(1, log + 1)]
        assert best == min(winnow.mistake_bound(n, k, threshold=t) for t in powers)


# ------------------------------------------- attribute errors and halfspaces


@given(disjunctions(30), st.sampled_from([0.02, 0.2, 0.5]), st.integers(0, 99))
def test_noise_of_any_kind_costs_three_mistakes_per_attribute_error(
    stream, chance, seed
):
    assume(stream.n > 1)
    for noise in (streams.flip_labels, streams.flip_features):
        noisy = noise(stream, chance, seed)
        trace = play(Winnow(stream.n), noisy)
        errors = winnow.attribute_errors(trace)
        k = int(stream.target.sum())
        assert trace.mistakes <= winnow.noisy_bound(stream.n, k, errors)
        for alpha, eliminate in ((2, False), (1.25, False), (3, False), (2, True)):
            learner = Winnow(stream.n, alpha=alpha, eliminate=eliminate)
            rows = winnow.proof(play(learner, noisy))
            assert (rows.ahead >= 0).all()
            assert_between(rows, scale=stream.n)
        assert winnow.proof(trace).errors.max() == errors or trace.mistakes == 0


def test_attribute_errors_are_counted_in_sparse_rows_and_for_any_target():
    clean = streams.disjunction(N, 3, 3000, seed=0)
    trace = play(Winnow(N), streams.flip_labels(clean, 0.01, seed=0))
    errors = winnow.attribute_errors(trace)
    wrong = trace.stream.y[trace.mistake_rounds] != clean.y[trace.mistake_rounds]
    assert wrong.sum() <= errors <= 3 * wrong.sum()
    again = play(Winnow(N), csr_matrix(trace.stream.X), trace.stream.y)
    assert winnow.attribute_errors(again, clean.target) == errors


@given(
    st.integers(2, 12), st.integers(0, 999), st.sampled_from([None, 1.01, 1.1]),
    st.sampled_from([0.1, 0.25, 0.5, 1.0]),
)  # fmt: skip
def test_a_positive_halfspace_with_a_margin_is_learned(n, seed, alpha, margin):
    random = np.random.default_rng(seed)
    mu = random.integers(0, 5, n) / 4
    X = random.integers(0, 2, (2000, n))
    scores = X @ mu
    clear = (scores >= 1) | (scores <= 1 - margin)
    X, y = X[clear], np.where(scores[clear] >= 1, 1, -1)
    factor = alpha or 1 + margin / 2
    bound = winnow.halfspace_bound(n, mu.sum() or 1, margin, alpha)
    assert play(Winnow(n, alpha=factor), X, y).mistakes <= bound


@given(st.integers(2, 300), st.integers(1, 6), st.integers(0, 4))
def test_halfspace_bound_of_r_of_k_is_that_of_the_product_argument(n, r, more):
    k, alpha = r + more, 1 + Fraction(1, 2 * r)
    each = winnow.promotions(n, float(alpha))
    up = math.floor((k * each + r - 1) / (r - (r - 1) * alpha))
    bound = winnow.halfspace_bound(n, k / r, 1 / r)
    assert bound == math.floor(1 + (1 + alpha) * up)


# ------------------------------------------------------------------- the rest


def test_weights_come_back_from_beyond_the_range_of_floats():
    learner = Winnow(3)
    for _ in range(1200):
        learner.update(np.array([1, 1, 0]), -1)
    assert learner.weights.tolist() == [0, 0, 1]
    for _ in range(1203):
        learner.update(np.array([1, 0, 0]), 1)
    assert learner.weights.tolist() == [8, 0, 1]
