"""Winnow: the run on 1024 attributes, the theorem, its proof, and when they fail."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_between, promotions_and_demotions
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from worst_games import worst_disjunctions

import olc
from olc import Stream, Winnow, adversaries, duel, play, streams, winnow

N = 1024


def bits(n, *variables):
    """The example in which these variables are 1, counted from 1 as in the notes."""
    x = np.zeros(n)
    x[[i - 1 for i in variables]] = 1
    return x


def assert_proof_steps(trace):
    """Check every inequality of both proofs at every mistake."""
    ledger, stream = winnow.proof(trace), trace.stream
    learner, k = trace.before, int((stream.target > 0).sum())
    assert ledger["round"].tolist() == trace.rounds.tolist()
    assert_between(ledger)
    slack = 1e-9 * (1 + ledger.most_irrelevant.abs())
    assert (ledger.irrelevant <= ledger.most_irrelevant + slack).all()
    assert (ledger.promotions <= ledger.most_promotions).all()
    assert (ledger.promotions + ledger.demotions == ledger.index).all()
    up = np.diff(ledger.promotions, prepend=0) == 1
    assert ((ledger.score >= learner.threshold) == ~up).all()
    change = np.diff(ledger.potential, prepend=learner.n)
    rate = 1 if learner.eliminate else 1 - 1 / learner.alpha
    expected = np.where(up, learner.alpha - 1, -rate) * ledger.score
    np.testing.assert_allclose(change, expected, rtol=1e-9, atol=1e-6)
    options = learner.get_params() | {"k": k}
    assert trace.mistakes <= winnow.mistake_bound(**options)
    return ledger


# ------------------------------------------------- the run on 1024 attributes


def strictly(theta):
    """The threshold of the rule that says +1 only above θ."""
    return math.nextafter(theta, math.inf)


def good(x):
    """f = x1 ∨ x2 ∨ x1023 ∨ x1024."""
    return 1 if x[[0, 1, 1022, 1023]].any() else -1


def shown(learner):
    """The weights w1, w2, w3, w4, w5, w1023, w1024."""
    return tuple(learner.weights[[0, 1, 2, 3, 4, 1022, 1023]].tolist())


def first_rounds():
    return [np.ones(N), np.zeros(N), bits(N, 3, 4, 5)]


def promotions_of_the_notes():
    return [bits(N, 1), bits(N, 1, 3, 4), bits(N, 1, 3, 1024)]


def promotions_left_out():
    """Eight more mistakes on positives, after which the printed weights stand."""
    six = [bits(N, 1, 1024, 3, 4, 5, 6, 7)] * 6
    return [*six, bits(N, 1024, 4, 5, 6, 7), bits(N, 1023, 5, 6, 7)]


def rows_until(part):
    parts = [first_rounds(), promotions_of_the_notes(), promotions_left_out()]
    return list(itertools.chain(*parts[:part]))


def play_rows(learner, rows):
    return play(learner, np.array(rows), np.array([good(x) for x in rows]), record=True)


def test_first_three_rounds_of_the_run_are_right_and_change_nothing():
    learner = Winnow(N)
    sums = [float(learner.score(x)) for x in first_rounds()]
    assert sums == [1024, 0, 3]
    assert play_rows(learner, rows_until(1)).mistakes == 0
    assert (learner.weights == 1).all()


def test_next_three_rounds_promote_to_the_printed_weights():
    learner = Winnow(N)
    play_rows(learner, rows_until(1))
    found, sums = [], []
    for x in promotions_of_the_notes():
        sums.append(float(learner.score(x)))
        assert learner.predict(x) == -1
        play_rows(learner, [x])
        found.append(shown(learner))
    assert sums == [1, 4, 7]
    assert found == [
        (2, 1, 1, 1, 1, 1, 1),
        (4, 1, 2, 2, 1, 1, 1),
        (8, 1, 4, 2, 1, 1, 2),
    ]


def learner_of_the_notes(**options):
    learner = Winnow(N, **options)
    assert play_rows(learner, rows_until(3)).mistakes == 11
    return learner


def test_eleven_promotions_lead_to_the_printed_weights():
    learner = learner_of_the_notes()
    assert shown(learner) == (512, 1, 256, 256, 256, 2, 256)
    assert learner.weights[4:7].tolist() == [256, 256, 256]
    assert math.log2(learner.weights[0]) == 9 == math.log2(N / 2)


def test_positive_example_of_the_run_then_sits_exactly_at_the_threshold():
    learner, x = learner_of_the_notes(), bits(N, 1, 3, 1024)
    assert learner.score(x) == 512 + 256 + 256 == N
    assert learner.predict(x) == 1
    assert play_rows(learner, [x]).mistakes == 0


def test_elimination_of_the_run_leaves_w4_alone():
    learner, x = learner_of_the_notes(eliminate=True), bits(N, 3, 5, 6, 7)
    assert learner.score(x) == 4 * 256 == N
    assert play_rows(learner, [x]).mistakes == 1
    assert shown(learner) == (512, 1, 0, 256, 0, 2, 256)
    assert learner.weights[4:7].tolist() == [0, 0, 0]


def test_demotion_of_the_run_halves_instead():
    learner, x = learner_of_the_notes(), bits(N, 3, 5, 6, 7)
    assert play_rows(learner, [x]).mistakes == 1
    assert shown(learner) == (512, 1, 128, 256, 128, 2, 256)


def test_under_the_strict_rule_three_printed_rows_flip():
    learner = Winnow(N, threshold=strictly(N))
    assert learner.predict(np.ones(N)) == -1  # printed as right
    play_rows(learner, rows_until(3)[1:])
    assert shown(learner) == (512, 1, 256, 256, 256, 2, 256)
    assert learner.predict(bits(N, 1, 3, 1024)) == -1  # printed as right
    assert learner.predict(bits(N, 3, 5, 6, 7)) == -1  # printed as a mistake


def test_final_weights_of_the_run_need_ten_promotions_each_and_represent_f():
    alone = [bits(N, i) for i in (1, 2, 1023, 1024)]
    learner = Winnow(N)
    trace = play_rows(learner, [x for x in alone for _ in range(12)])
    assert trace.mistakes == 4 * 10 == 4 * winnow.promotions(N)
    assert learner.weights[[0, 1, 1022, 1023]].tolist() == [N] * 4
    printed = np.zeros(N)
    printed[[0, 1, 1022, 1023]], printed[5], printed[6] = N, 1, 32
    random = np.random.default_rng(0)
    for x in (random.random((300, N)) < 0.002).astype(float):
        assert (1 if printed @ x >= N else -1) == good(x)


def test_whole_run_obeys_the_ledger_and_the_bound():
    rows = [*rows_until(3), bits(N, 1, 3, 1024), bits(N, 3, 5, 6, 7)]
    target = bits(N, 1, 2, 1023, 1024)
    for options in ({}, {"eliminate": True}, {"threshold": strictly(N)}):
        stream = Stream(np.array(rows), [good(x) for x in rows], target)
        trace = play(Winnow(N, **options), stream)
        ledger = assert_proof_steps(trace)
        assert trace.mistakes == len(ledger) == (13 if "threshold" in options else 12)


# -------------------------------------------------------- exact, by other means


@st.composite
def disjunctions(draw, most=9):
    n = draw(st.integers(1, most))
    k = draw(st.integers(1, n))
    seed, density = draw(st.integers(0, 999)), draw(st.sampled_from([None, 0.3, 0.7]))
    return streams.disjunction(n, k, draw(st.integers(1, 120)), seed, density)


options = st.fixed_dictionaries(
    {
        "alpha": st.sampled_from([1.25, 1.5, 2.0, 3.0, 4.0]),
        "threshold": st.sampled_from(
            [None, 0.5, 1.0, 2.0, strictly(2.0), 3.5, 16.0, strictly(16.0)]
        ),
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
    assert trace.rounds.tolist() == wrong
    assert learner.weights == pytest.approx([float(w) for w in weights], rel=1e-12)


GAMES = [
    (n, k, alpha, strict)
    for alpha, largest in ((2.0, 6), (Fraction(3, 2), 4), (Fraction(3), 4))
    for n in range(2, largest + 1)
    for k in (1, 2)
    for strict in (False, True)
    if k < n
]


@pytest.mark.parametrize("eliminate", [False, True])
def test_no_adversary_breaks_the_bounds_of_small_games(eliminate):
    for n, k, alpha, strict in GAMES:
        theta = strictly(n) if strict else n
        found = worst_disjunctions(
            n,
            k,
            theta=theta,
            promote=lambda weight, alpha=alpha: weight * alpha,
            demote=lambda weight, alpha=alpha: 0 if eliminate else weight / alpha,
            one=alpha / alpha,
        )
        each = winnow.promotions(n, float(alpha), theta)
        assert max(found) == k * each  # attained exactly
        worst = max(up + down for up, down in found.items())
        assert worst <= winnow.mistake_bound(n, k, float(alpha), theta, eliminate)
        for up, down in found.items():
            if eliminate:
                assert down < 1 + (alpha - 1) * up
            elif up:
                alpha = Fraction(alpha)
                assert down <= alpha * up + 1 - alpha / n * (up + k / (alpha - 1))


@pytest.mark.parametrize(("n", "log"), [(2, 1), (4, 2), (8, 3)])
def test_worst_game_for_one_variable_is_three_log_n_less_two(n, log):
    found = worst_disjunctions(
        n,
        1,
        theta=n,
        promote=lambda weight: 2.0 * weight,
        demote=lambda weight: weight / 2,
    )
    worst = max(up + down for up, down in found.items())
    assert worst == 3 * log - 2 == winnow.mistake_bound(n, 1)


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
    options = {"threshold": strictly(n) if strict else n}
    bound = winnow.mistake_bound(n, k, **options)
    assert bound <= 3 * k * each
    assert bound < winnow.classical_bound(n, k)
    assert winnow.mistake_bound(n, k, **options, eliminate=True) <= 2 * k * each


@given(
    st.integers(2, 500), st.integers(1, 5), st.sampled_from([1.25, 1.5, 2.0, 3.0, 4.0])
)
def test_bound_for_any_factor_is_below_one_plus_one_plus_alpha_times_kp(n, k, alpha):
    k = min(k, n - 1)
    each = winnow.promotions(n, alpha)
    assert winnow.mistake_bound(n, k, alpha) < 1 + (1 + alpha) * k * each


def test_promotions_counts_the_powers_below_the_threshold():
    for alpha, theta in itertools.product([1.1, 1.5, 2.0, 3.0], [0.5, 1, 2, 7.5, 64]):
        below = sum(Fraction(alpha) ** j < theta for j in range(200))
        assert winnow.promotions(9, alpha, theta) == below
        upto = sum(Fraction(alpha) ** j <= theta for j in range(200))
        assert winnow.promotions(9, alpha, strictly(theta)) == upto


@pytest.mark.parametrize("above_1", [1e-7, 1e-12, 2.0**-52])
def test_promotions_of_a_factor_near_1_are_counted_at_once(above_1):
    alpha = 1 + above_1
    times = winnow.promotions(1024, alpha)
    assert times == pytest.approx(math.log(1024) / math.log(alpha), rel=1e-7)
    assert winnow.mistake_bound(1024, 3, alpha) > 3 * times


@given(disjunctions(most=12), options)
def test_theorem_and_every_step_of_its_proof_hold_on_random_streams(stream, options):
    trace = play(Winnow(stream.n, **options), stream)
    assert_proof_steps(trace)


@given(
    st.integers(1, 40), st.integers(1, 6), options.filter(lambda o: o["alpha"] != 1.25)
)
def test_theorem_and_every_step_of_its_proof_hold_in_duels(n, k, options):
    k = min(k, n)
    trace = duel(Winnow(n, **options), adversaries.Disjunction(n, k), rounds=300)
    assert_proof_steps(trace)


@pytest.mark.parametrize("eliminate", [False, True])
@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("n", [256, 1024])
def test_bound_is_attained(n, k, eliminate):
    learner = Winnow(n, eliminate=eliminate)
    trace = duel(learner, adversaries.Disjunction(n, k), rounds=1000)
    assert trace.mistakes == winnow.mistake_bound(n, k, eliminate=eliminate)


def test_ledger_of_the_tight_duel_ends_close_to_its_bounds():
    trace = duel(Winnow(256), adversaries.Disjunction(256, 3), rounds=1000)
    ledger = assert_proof_steps(trace)
    last = ledger.iloc[-1]
    assert last.promotions == last.most_promotions == 3 * 8
    assert last.most_irrelevant - last.irrelevant < 128  # not one more demotion
    assert len(ledger) == winnow.mistake_bound(256, 3) == 3 * 3 * 8 - 2 * 3


def test_any_learner_of_disjunctions_errs_k_log_n_over_k_times():
    for n, k in ((64, 1), (64, 4), (1024, 4)):
        trace = duel(Winnow(n), adversaries.Blocks(n, k), rounds=1000)
        assert trace.mistakes == k * math.log2(n / k)
        assert_proof_steps(trace)


# ----------------------------------------------- what fails without an assumption


def test_strict_rule_attains_what_the_notes_print_as_a_strict_inequality():
    for n, k in ((8, 1), (8, 3), (1024, 4)):
        rows = [bits(n, i) for i in range(1, k + 1) for _ in range(20)]
        y = np.ones(len(rows))
        loose, strict = Winnow(n), Winnow(n, threshold=strictly(n))
        assert play(strict, np.array(rows), y).mistakes == k * (math.log2(n) + 1)
        assert play(loose, np.array(rows), y).mistakes == k * math.log2(n)
        assert k * math.log2(n) > k * math.log(2 * n)  # so the log is to base 2


def test_upper_bound_without_the_promotions_is_false():
    n = 8
    learner = Winnow(n, threshold=strictly(n))
    learner.update(bits(n, 1, 2, 3, 4, 5), 1)
    assert learner.weights.sum() > n  # printed: less than N - ½m⁻N
    learner.update(np.ones(n), -1)
    assert n - n / 2 < learner.weights.sum() <= n + n - n / 2


def test_only_a_relevant_weight_is_two_to_the_number_of_its_mistakes():
    learner, times = Winnow(4), np.zeros(4)
    for x, y in (([1, 1, 1, 0], 1), ([0, 1, 1, 1], -1)):
        learner.update(x, y)
        times += x
    assert learner.weights.tolist() == [2, 1, 1, 0.5]
    assert (2**times).tolist() == [2, 4, 4, 2]


def test_demotion_at_the_threshold_takes_exactly_half_of_it():
    learner = Winnow(8)
    assert learner.score(np.ones(8)) == 8
    learner.update(np.ones(8), -1)
    assert learner.weights.sum() == 8 - 8 / 2


CONJUNCTION = (1, 2, 1023, 1024)


def conjunction_cycle(times, n=N):
    """Eight positives, then five examples over and over, of x1∧x2∧x1023∧x1024."""
    first = [bits(n, *CONJUNCTION, 3)] * 8
    cycle = [
        bits(n, 2, 1023, 1024, 3),
        bits(n, *CONJUNCTION),
        bits(n, 1, 1023, 1024),
        bits(n, *CONJUNCTION, 3),
        bits(n, 1, 2),
    ]
    X = np.array(first + cycle * times)
    relevant = [i - 1 for i in CONJUNCTION]
    return X, np.where(X[:, relevant].all(axis=1), 1, -1)


def test_a_conjunction_of_four_makes_winnow_err_in_every_round():
    X, y = conjunction_cycle(400)
    learner = Winnow(N)
    trace = play(learner, X, y)
    assert trace.mistakes == len(y) == 2008
    assert (learner.weights[[0, 1, 1022, 1023, 2]] == 256).all()  # and so on for ever


def test_the_same_cycle_defeats_the_strict_rule_just_below_a_power_of_two():
    X, y = conjunction_cycle(100)
    learner = Winnow(N, threshold=strictly(1023))
    assert play(learner, X, y).mistakes == len(y)


def test_printed_weights_do_represent_the_conjunction():
    X, y = conjunction_cycle(1)
    weights = np.zeros(N)
    weights[[0, 1, 1022, 1023]] = 256
    assert (np.where(X @ weights >= N, 1, -1) == y).all()


def test_de_morgan_cures_the_conjunction():
    X, y = winnow.as_disjunction(*conjunction_cycle(400))
    target = bits(N, *CONJUNCTION)
    stream = Stream(X, y, target)
    trace = play(Winnow(N), stream)
    assert trace.mistakes == 14 <= winnow.mistake_bound(N, 4) == 112
    assert_proof_steps(trace)


def test_a_smaller_factor_cures_the_conjunction_too():
    X, y = conjunction_cycle(400)
    assert play(Winnow(N, alpha=1 + 1 / 8), X, y).mistakes == 48


def test_a_monotone_function_need_not_be_learned():
    X = np.array(list(itertools.product([0, 1], repeat=4)))
    y = np.where((X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3]), 1, -1)
    assert not olc.geometry.separable(olc.geometry.homogenise(X), y)
    many = [play(Winnow(4), np.tile(X, (t, 1)), np.tile(y, t)).mistakes for t in (1, 2)]
    more = play(Winnow(4), np.tile(X, (200, 1)), np.tile(y, 200)).mistakes
    assert more > 900 > winnow.classical_bound(4, 4) > many[0]


def test_a_negated_literal_needs_its_own_feature():
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (2000, 6))
    y = np.where((X[:, 0] == 1) | (X[:, 1] == 0), 1, -1)
    assert play(Winnow(6), X, y).mistakes > 300
    doubled = winnow.with_negations(X)
    stream = Stream(doubled, y, bits(12, 1, 8))
    trace = play(Winnow(12), stream)
    assert trace.mistakes <= winnow.mistake_bound(12, 2) == 19
    assert_proof_steps(trace)


@pytest.mark.parametrize(
    ("eliminate", "mistakes", "weight"), [(False, 8, 64), (True, 1007, 0)]
)
def test_one_wrong_label_costs_two_mistakes_or_with_elimination_all(
    eliminate, mistakes, weight
):
    y = np.ones(1021)
    y[20] = -1
    learner = Winnow(64, eliminate=eliminate)
    trace = play(learner, np.tile(bits(64, 1), (1021, 1)), y)
    assert trace.mistakes == mistakes
    assert learner.weights[0] == weight


def test_demoting_winnow_forgives_noise_of_both_kinds():
    clean = streams.disjunction(200, 3, 4000, seed=1)
    noisy = streams.flip_labels(clean, 0.02, seed=2)
    blurred = streams.flip_features(clean, 0.01, seed=3)
    for stream in (noisy, blurred):
        assert play(Winnow(200), stream).mistakes < len(stream) / 4
        assert play(Winnow(200, eliminate=True), stream).mistakes > len(stream) / 4


# ------------------------------------------------------------------- the rest


def test_weights_come_back_from_beyond_the_range_of_floats():
    learner = Winnow(3)
    for _ in range(1200):
        learner.update([1, 1, 0], -1)
    assert learner.weights.tolist() == [0, 0, 1]
    for _ in range(1203):
        learner.update([1, 0, 0], 1)
    assert learner.weights.tolist() == [8, 0, 1]
    for _ in range(1100):
        learner.update([1, 1, 1], 1)
    assert np.isfinite(learner.weights).all()


def test_an_eliminated_weight_stays_out():
    learner = Winnow(2, eliminate=True)
    learner.update([1, 0], -1)
    for _ in range(10):
        learner.update([1, 0], 1)
    assert learner.weights.tolist() == [0, 1]


def test_threshold_is_n_unless_it_is_given():
    assert Winnow(7).threshold == winnow.threshold_or_n(7, None) == 7
    assert Winnow(7, threshold=2).threshold == winnow.threshold_or_n(7, 2) == 2
    text = "Winnow(n=7, threshold=7.0, alpha=2.0, eliminate=False)"
    assert repr(Winnow(7)) == text


def test_negations_and_de_morgan_take_a_row_or_a_block_of_bits_only():
    assert winnow.with_negations([1, 0]).tolist() == [1, 0, 0, 1]
    assert winnow.with_negations(csr_matrix([[1, 0]])).tolist() == [[1, 0, 0, 1]]
    X, y = winnow.as_disjunction([[1, 0]], [1])
    assert X.tolist() == [[0, 1]]
    assert y.tolist() == [-1]
    for call in (winnow.with_negations, lambda X: winnow.as_disjunction(X, [1])):
        with pytest.raises(ValueError, match="0 and 1 only"):
            call([[1, -1]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Winnow(0), "n must be at least 1"),
        (lambda: Winnow(3, alpha=1), "alpha must lie"),
        (lambda: Winnow(3, alpha=math.nan), "alpha"),
        (lambda: Winnow(3, threshold=0), "threshold must lie"),
        (lambda: Winnow(3, alpha=1e300), "alpha must lie"),
        (lambda: winnow.promotions(3, alpha=1), "alpha must lie"),
        (lambda: winnow.promotions(10**400), "n must be at most 1e300"),
        (lambda: winnow.promotions(10**200), "threshold must lie"),
        (lambda: winnow.promotions(0), "n must be at least 1"),
        (lambda: winnow.mistake_bound(3, 4), "k = 4"),
        (lambda: winnow.mistake_bound(0, 1), "n must be at least 1"),
        (lambda: winnow.mistake_bound(3, 1, alpha=0.5), "alpha must lie"),
        (lambda: winnow.mistake_bound(3, 1, threshold=-1), "threshold must lie"),
        (lambda: winnow.classical_bound(3, 4), "k = 4"),
        (lambda: Winnow(2).update([1, 0.5], 1), "0 and 1 only"),
        (lambda: Winnow(2).score([-1, 1]), "0 and 1 only"),
        (lambda: Winnow(2).update([1, 0], 0), "map 0 to -1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("eliminate", [False, True])
def test_envelopes_are_those_of_the_proof(eliminate):
    alpha, theta = 3.0, 12.0
    stream = streams.disjunction(16, k=2, rounds=300, seed=3)
    learner = Winnow(16, alpha=alpha, threshold=theta, eliminate=eliminate)
    trace = play(learner, stream)
    ledger = winnow.proof(trace)
    labels, relevant = stream.y[trace.rounds], stream.target > 0
    up, down = promotions_and_demotions(ledger, labels)
    assert (ledger.most_promotions == 2 * 3).all()  # 3³ is the first power above 12
    taken, left = (theta, 0) if eliminate else (theta * 2 / 3, theta / 3)
    np.testing.assert_allclose(ledger.upper, 16 + up * 2 * theta - down * taken)
    np.testing.assert_allclose(ledger.lower, np.where(down, left, 16))
    again, most, expected = (
        Winnow(16, alpha=alpha, threshold=theta, eliminate=eliminate),
        14.0,
        [],
    )
    for t in trace.rounds:
        x, y = stream.X[t], stream.y[t]
        shown = float(again.weights[relevant] @ x[relevant])
        most += 2 * (theta - shown) if y > 0 else -taken
        again.update(x, y)
        expected.append(most)
    np.testing.assert_allclose(ledger.most_irrelevant, expected)


def test_classical_bound_is_its_formula():
    assert winnow.classical_bound(1024, 3) == 2 + 3 * 3 * 11
    with pytest.raises(ValueError, match=r"^n must"):
        winnow.classical_bound(0, 1)


def test_one_variable_that_is_the_target_costs_nothing():
    assert winnow.mistake_bound(1, 1) == 0
