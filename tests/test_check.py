"""Checks: what fits comes back as a plain value, what does not is named."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from olc.core import check

NAN, INF = math.nan, math.inf
BETWEEN, AT_LEAST = check.above(0, 1), check.at_least(0)


@pytest.mark.parametrize(
    ("fits", "values"),
    [
        (check.whole(), [1, np.int8(3), np.uint64(5), 10**30]),
        (check.whole(0), [0, 7]),
        (BETWEEN, [0.5, np.float32(0.5), Fraction(1, 2), 1e-300]),
        (check.above(-INF), [-1e300, 0, 1e300]),
        (AT_LEAST, [0, 2, 1e300]),
        (check.chance, [0, 1, 0.5]),
        (check.flag, [True, False, np.True_]),
        (lambda y, _: check.label(y), [1, -1, 1.0, np.int8(-1), Fraction(1)]),
    ],
)
def test_what_fits_is_returned_as_a_value_of_python(fits, values):
    for value in values:
        assert fits(value, "size") == value
        assert type(fits(value, "size")) in (int, float, bool)


def test_seeds_are_a_number_of_them_or_their_list():
    assert check.seeds(3) == [0, 1, 2]
    assert check.seeds(np.array([7, 5])) == [7, 5]


# ------------------------------------------------------------------ theorems


@check.assuming(n=check.whole(), k=check.whole(), rate=check.above(0))
def bound(n, k=2, rate=None, *, sharp=False):
    """Return what it was given."""
    return n, k, rate, sharp


def test_the_assumptions_of_a_theorem_are_checked_and_its_body_sees_values():
    assert bound(np.int8(3), rate=1) == (3, 2, 1.0, False)
    assert type(bound(np.int8(3))[0]) is int
    assert bound(3, rate=None, sharp=True) == (3, 2, None, True)
    for call, error, words in [
        (lambda: bound(0), ValueError, "n must be at least 1"),
        (lambda: bound(n=None), TypeError, "n must be a whole number, not None"),
        (lambda: bound(1), ValueError, "k = 2 relevant .* n = 1"),
        (lambda: bound(3, 4), ValueError, "k = 4 relevant .* n = 3: use k ≤ n"),
        (lambda: bound(3, rate=0), ValueError, "rate must lie between 0"),
        (lambda: bound(), TypeError, "'n'"),
        (lambda: bound(3, rat=1), TypeError, "'rat'"),
    ]:
        with pytest.raises(error, match=words):
            call()


def test_need_names_the_packages_of_all_modules(monkeypatch):
    assert check.optional_import("math", "json") is math
    monkeypatch.setitem(sys.modules, "sklearn", None)
    words = "sklearn is missing: pip install scikit-learn json"
    with pytest.raises(ModuleNotFoundError, match=words):
        check.optional_import("sklearn", "json")


# ------------------------------------------------------------------ arrays


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "float16", "f8", ">f4"])
def test_an_example_becomes_floats_in_memory_order_and_a_copy(dtype):
    x = np.array([1, 0, 1, 1, 0], dtype)[::2]
    floats = check.example(x, 3, "bits")
    assert floats.dtype == np.float64
    assert floats.flags.c_contiguous
    assert floats.flags.writeable
    assert floats.tolist() == [1, 1, 0]
    assert not np.shares_memory(floats, x)
    assert check.example(sparse.csr_array([[1, 0]]), 2).tolist() == [1, 0]


def test_an_example_may_be_a_sparse_vector():
    pytest.importorskip("scipy", "1.15", "which has them")
    assert check.example(sparse.csr_array([[1, 0]])[0], 2).tolist() == [1, 0]


def test_a_vector_of_any_width_has_some_width():
    assert check.example([1, 2], 0).tolist() == [1, 2]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_every_finite_number_is_one(dtype):
    largest = np.array([[np.finfo(dtype).max, 1]], dtype)
    for rows in (largest, sparse.csr_array(largest.astype("f8"))):
        check.features(rows, "real")
    assert check.example(largest[0], 2)[1] == 1
    for bad in (INF, -INF, NAN):
        with pytest.raises(ValueError, match=r"X\[0, 1\] = .*: give finite numbers"):
            check.features(np.array([[1, bad]], dtype), "real")


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int64", "uint64", "f4"])
def test_features_are_of_their_kind_in_any_type(dtype):
    both, ones = np.array([[0, 1]], dtype), np.array([[1, 1]], dtype)
    for form in (np.asarray, sparse.csr_array):
        check.features(form(both), "real")
        check.features(form(both), "bits")
        check.features(form(ones), "signs")
        with pytest.raises(ValueError, match=r"X\[0, 0\] = .*-1 and \+1 only; map 0"):
            check.features(form(both), "signs")


def test_the_first_bad_entry_is_named_in_any_chunk():
    X = np.zeros((1 << 17, 4))
    X[100_003, 2] = X[100_004, 0] = -1
    for rows in (X, np.asfortranarray(X), sparse.csr_array(X)):
        check.features(rows, "real")
        with pytest.raises(ValueError, match=r"X\[100003, 2\] = -1.0: give 0 and 1"):
            check.features(rows, "bits")


def test_chunks_cover_every_row_once():
    for shape in ((0, 3), (5, 3), (5, check.CHUNK + 1), (700_001, 2)):
        X = np.broadcast_to(np.int8(0), shape)
        parts = list(check.chunks(X))
        firsts = np.cumsum([0] + [len(part) for _, part in parts])
        assert [start for start, _ in parts] == firsts[:-1].tolist()
        assert firsts[-1] == len(X)
        assert all(part.size <= max(check.CHUNK, shape[1]) for _, part in parts)


def test_an_array_that_is_there_already_is_not_copied():
    X, floats = np.ones((3, 2), np.float32), np.ones((3, 2))
    matrix = sparse.csr_array(floats)
    assert check.numeric(X, "X") is check.as_rows(X, 2) is X
    assert check.numeric(matrix, "X") is matrix
    assert check.as_floats(floats) is floats
    y = np.array([1, -1, 1], np.int8)
    assert check.labels(X, y) is y
    assert check.labels(X, [1.0, -1, True]).tolist() == [1, -1, 1]


def test_a_sparse_matrix_is_made_sound_or_refused():
    twice = sparse.csr_array(([1.0, 2.0], [1, 1], [0, 2]), (1, 3))
    assert check.numeric(twice, "X").toarray().tolist() == [[0, 3, 0]]
    assert twice.data.tolist() == [1.0, 2.0]
    for column in (-1, 9):
        X = sparse.csr_array(np.eye(9))
        X.indices[4] = column
        with pytest.raises(ValueError, match=r"X is not an array .* ind"):
            check.numeric(X, "X")
