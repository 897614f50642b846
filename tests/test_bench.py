"""The benchmark compares like with like and builds its page; nothing is timed."""

import re

import numpy as np
import pytest

pytest.importorskip("river")

from bench import __main__ as bench
from bench import compare
from bench.__main__ import Case, Match


def test_all_who_learn_the_same_examples_find_the_same_weights(tmp_path):
    assert bench.main(["--quick", "--output", str(tmp_path / "page.md")]) == 0
    page = (tmp_path / "page.md").read_text("utf-8")
    assert page.count("\n| ") == 2 + 4 * 6 + 2 * 6 + 4 + 3 * 4 * 3 + 1 + 3
    assert page.count("≠") == 1  # in the notes


def test_a_target_that_is_missed_and_other_weights_are_marked():
    weights = {"a": 1.0, "b": 1.0, "c": 2.0}
    runs = {name: lambda w=w: np.full(3, w) for name, w in weights.items()}
    case = Case("case", runs, [Match("a", "b", 2), Match("a", "c", 3)])
    _, other = bench.take_turns(case, turns=2)
    assert other == {"c"}
    missed, met = bench.rows(case, {"a": 0.001, "b": 0.0015, "c": 0.004}, other)
    assert missed == "| case | a | 1.00 | b | 1.50 | **1.50 ×** | ≥ 2 × |"
    assert met == "| case | a | 1.00 | c ≠ | 4.00 | 4.00 × | ≥ 3 × |"


@pytest.mark.slow
def test_a_comparison_ranks_everybody_by_accuracy(tmp_path, capsys):
    assert compare.main(["--quick", "--output", str(tmp_path / "page.md")]) == 0
    page = (tmp_path / "page.md").read_text("utf-8")
    shares = re.findall(r"(?m)^\| .* \| (0\.\d+) ± ", page)
    assert len(shares) == len(compare.contestants())
    assert sorted(shares, reverse=True) == shares
    assert float(shares[-1]) > 0.7  # everybody has learned


def test_the_docstrings_of_a_package_do_not_say_its_name():
    found = compare.docstrings(("docutils",))
    assert len(found) > 300
    assert not [text for text in found if "docutils" in text.lower().split()]
