"""What is refused at the door, and in which words; powers that stay within range."""

import math
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import olc
from olc import widgets
from olc.core import check

count = partial(check.count, name="n")
number = partial(check.number, name="eta", low=0, high=1)
at_least = partial(check.at_least, name="aim", least=0)
chance = partial(check.chance, name="error")
flag = partial(check.flag, name="eliminate")
label, seed = check.label, check.seed
HUGE, NAN, INF = 10**400, math.nan, math.inf


@pytest.mark.parametrize(
    ("check", "values"),
    [
        (count, [1, np.int8(3), np.uint64(5), 10**30]),
        (number, [0.5, np.float32(0.5), Fraction(1, 2)]),
        (at_least, [0, 2]),
        (chance, [0, 1, 0.5]),
        (flag, [True, False, np.True_]),
        (label, [1, -1, 1.0, np.int8(-1), np.float32(1), Fraction(1)]),
        (seed, [0, 7, np.int64(3)]),
    ],
)
def test_what_fits_is_returned_as_a_value_of_python(check, values):
    for value in values:
        assert check(value) == value
        assert type(check(value)) in (int, float, bool)


@pytest.mark.parametrize(
    ("check", "values", "error", "words"),
    [
        (
            count,
            [True, 2.0, "2", None, [2], np.array([2])],
            TypeError,
            "n .* whole numb",
        ),
        (count, [0, -1], ValueError, "n must be at least 1, not"),
        (number, [True, "0.5", None, 1j, Decimal("0.5")], TypeError, "eta .* a number"),
        (
            number,
            [0, 1, -0.1, NAN, INF, HUGE],
            ValueError,
            "eta must lie between 0 and",
        ),
        (at_least, ["0"], TypeError, "aim must be a number, not"),
        (at_least, [-1e-9, NAN, INF, HUGE], ValueError, "aim .* finite and at least 0"),
        (chance, [-1e-9, 1 + 1e-9, NAN], ValueError, "error must lie between 0 and 1"),
        (flag, ["no", 1, None], TypeError, "eliminate must be True or False, not"),
        (label, ["1", None, True, [1], np.array([1])], TypeError, "y must be a number"),
        (label, [0, 2, 0.5, NAN, INF], ValueError, r"-1 or \+1, not .*: map 0 to -1"),
        (seed, [None, 0.5, "1"], TypeError, "seed must be a whole number, not"),
        (seed, [-1], ValueError, "seed must be at least 0, not -1"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(check, values, error, words):
    for value in values:
        with pytest.raises(error, match=words):
            check(value)


def test_no_more_features_are_relevant_than_there_are():
    assert check.subset_size(3, 3) == 3
    with pytest.raises(ValueError, match=r"k = 4 .* n = 3: use k ≤ n"):
        check.subset_size(4, 3)
    with pytest.raises(ValueError, match="k must be at least 1"):
        check.subset_size(0, 3)
    with pytest.raises(TypeError, match="k must be a whole number"):
        check.subset_size(True, 3)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "float16", "float64", ">f4"]
)
def test_an_example_becomes_floats_in_memory_order(dtype):
    x = np.array([1, 0, 1, 1, 0], dtype)[::2]
    floats = check.example(x, 3, "bits")
    assert floats.dtype == np.float64
    assert floats.flags.c_contiguous
    assert floats.tolist() == [1, 1, 0]
    assert not np.shares_memory(floats, x)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([1, 2], r"w has shape \(2,\): give one vector of n = 3 numbers"),
        ([[1, 2, 3]], r"w has shape \(1, 3\)"),
        (5, r"w has shape \(\)"),
        ([], r"w has shape \(0,\)"),
        ([1, 2, math.nan], r"w\[2\] = nan: give finite numbers of size at most 1e"),
        ([1, -math.inf, 2], r"w\[1\] = -inf"),
        ([1, 2, 2e100], r"w\[2\] = 2e\+100"),
        ([0, 2e-101, 3e-120], "w is shorter than 1e-100: scale"),
    ],
)
def test_a_bad_vector_is_refused_by_name_and_place(x, words):
    with pytest.raises(ValueError, match=words):
        check.example(x, 3, "real", "w")


def test_a_vector_of_any_width_has_some_width():
    assert check.example([1, 2], 0, "real").tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"shape \(0,\): give one vector that is not"):
        check.example([], 0, "real")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble"])
def test_the_largest_numbers_of_a_type_are_taken_up_to_the_limit(dtype):
    largest = np.array([[np.finfo(dtype).max, 1]], dtype)
    if dtype in ("float16", "float32"):
        check.rows(largest, "real")
    else:
        with pytest.raises(ValueError, match=r"X\[0, 0\] = .*at most 1e\+100"):
            check.rows(largest, "real")
    with pytest.raises(ValueError, match=r"X\[7, 1\] = inf"):
        check.rows(np.array([[1, math.inf]], dtype), "real", start=7)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int64", "uint64"])
def test_whole_numbers_are_always_finite(dtype):
    check.rows(np.array([[0, 1]], dtype), "real")
    check.rows(np.array([[0, 1]], dtype), "bits")
    check.rows(np.array([[1, 1]], dtype), "signs")
    with pytest.raises(ValueError, match=r"X\[0, 0\] = .*-1 and \+1 only; map 0 to"):
        check.rows(np.array([[0, 1]], dtype), "signs")


def test_the_first_bad_entry_is_named_in_any_chunk():
    X = np.zeros((1 << 17, 4))
    X[100_003, 2] = X[100_004, 0] = -1
    with pytest.raises(ValueError, match=r"X\[100003, 2\] = -1.0: give 0 and 1 only"):
        check.block(X, 4, "bits")
    check.block(X, 4, "real")
    check.block(X, 0, "real")
    with pytest.raises(ValueError, match=r"X has shape .* n = 5 features"):
        check.block(X, 5, "real")


def test_chunks_cover_every_row_once():
    for shape in ((0, 3), (5, 3), (5, check.CHUNK + 1), (700_001, 2)):
        X = np.broadcast_to(np.int8(0), shape)
        parts = list(check.chunks(X))
        assert [start for start, _ in parts] == [
            sum(len(part) for _, part in parts[:i]) for i in range(len(parts))
        ]
        assert sum(len(part) for _, part in parts) == len(X)
        assert all(part.size <= max(check.CHUNK, shape[1]) for _, part in parts)


def test_an_array_that_is_there_already_is_not_copied():
    X = np.ones((3, 2), np.float32)
    assert check.numeric(X, "X") is X
    floats = np.ones((3, 2))
    assert check.as_floats(floats) is floats


def trace():
    return olc.play(olc.Perceptron(3), olc.streams.panel(3, 3, 20, seed=0))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: olc.perceptron.proof(None), "trace must be what olc.play returns"),
        (lambda: olc.margin_perceptron.proof([]), "trace must be what .*, not a list"),
        (lambda: olc.weighted_majority.regret(None), "trace must be what olc.play"),
        (lambda: olc.winnow_r.late_mistakes(trace), "trace must be .*, not a function"),
        (lambda: widgets.replay(trace().stream), "trace must be .*, not a Stream"),
        (lambda: widgets.replay(trace(), frames=2.5), "frames must be a whole number"),
        (lambda: widgets.explore(None, n=[1, 2]), "draw must be a function of n, not"),
        (lambda: widgets.explore(lambda k: 1, n=[1, 2]), r"draw\(k\) cannot be called"),
        (lambda: olc.sweep(3), "run must be a function of the settings, not 3"),
        (lambda: olc.duel(olc.Perceptron(1), None, 5), "adversary must be a function"),
        (lambda: olc.play_many(olc.Perceptron, None), "streams must be a list of Str"),
        (lambda: olc.play(olc.Perceptron(1), [[1]], [1], record="no"), "record must"),
        (lambda: olc.Stream([[1]], [1], drifts=3), "drifts must be a list of pairs"),
        (lambda: olc.Stream([[1]], [1], drifts=[([1], 0)]), "the round of a drift"),
        (lambda: olc.Stream([[1]], [1], drifts=[(0, "u")]), "the target of a drift"),
        (lambda: olc.Listing(olc.Perceptron(2)), "shows a class or a function, not P"),
        (lambda: olc.weighted_majority.best_expert([[1]]), "give a Stream"),
        (lambda: olc.weighted_majority.losses_over_time([[1]]), "give a Stream"),
        (lambda: olc.geometry.norm(None), "x is None"),
        (lambda: olc.perceptron.agnostic_bound([[1]], [1], None, 1), "u is None"),
        (lambda: olc.winnow.mistake_bound(8, 1, eliminate="no"), "eliminate must be"),
        (lambda: olc.normalized_winnow.panel_bound(8, 1, sharp=1), "sharp must be"),
        (
            lambda: olc.weighted_majority.mistake_bound(8, 1, 0.5, "no"),
            "simple must be",
        ),
        (
            lambda: olc.randomized_weighted_majority.mistake_bound(8, 1, 0.5, 1),
            "simple must be True or False",
        ),
        (lambda: olc.halving.disjunctions(3, 2, at_most="no"), "at_most must be True"),
        (lambda: olc.streams.xor(4, signs="no"), "signs must be True or False"),
        (lambda: olc.streams.binarise(trace().stream, signs=1), "signs must be True"),
    ],
)
def test_an_argument_of_another_kind_is_refused_by_name(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_a_norm_is_that_of_a_vector_and_its_order_may_be_huge():
    with pytest.raises(ValueError, match=r"x is the number 3.0: give a vector"):
        olc.geometry.norm(3)
    assert olc.geometry.norm([3, -4], HUGE) == olc.geometry.norm([3, -4], INF) == 4


# ------------------------------------------------------------------ powers


@given(st.sampled_from([1.5, 2.0, 3.0, 10.0]), st.integers(-150, 150))
def test_powers_are_powers(factor, exponent):
    power = float(powers(factor, np.array([exponent]))[0])
    assert power == pytest.approx(factor**exponent, rel=1e-13)


@given(st.integers(-1022, 497))
def test_powers_of_two_are_exact(exponent):
    assert powers(2.0, np.array([float(exponent)]))[0] == math.ldexp(1.0, exponent)


@pytest.mark.parametrize("factor", [1.001, 1.0101, 1.02, 1.1])
def test_a_factor_near_one_has_powers_too(factor):
    exponents = np.arange(-40_000, 40_001, 499)
    expected = np.exp(np.clip(exponents * math.log(factor), -800, 345))
    got = powers(factor, exponents)
    inside = np.abs(exponents * math.log(factor)) < 340
    assert np.allclose(got[inside], expected[inside], rtol=1e-9, atol=0)
    assert (np.diff(got) >= 0).all()


@given(
    st.floats(1, 1.7e308, exclude_min=True),
    st.lists(st.integers(-(2**60), 2**60), min_size=1, max_size=9),
)
def test_powers_of_every_factor_stay_within_range(factor, exponents):
    exponents = np.array([*exponents, LOWEST, 0.0, 1.0])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        got = powers(factor, exponents)
    assert (got >= 0).all()
    assert (got <= 1e150).all()
    assert np.all(np.diff(got[np.argsort(exponents)]) >= 0)
    assert got[-3] == 0.0
    assert got[-2] == 1.0
    assert got[-1] == min(factor, 1e150)


def test_powers_keep_the_shape_of_their_exponents():
    exponents = np.array([[0.0, 1.0], [2.0, -1.0]])
    assert powers(2.0, exponents).tolist() == [[1, 2], [4, 0.5]]
