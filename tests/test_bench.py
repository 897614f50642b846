"""The benchmark compares like with like and builds its page; nothing is timed."""

import numpy as np
import pytest

pytest.importorskip("river")

from bench import __main__ as bench
from bench import cases, growth, processes, timing
from bench.cases import COMPILED, FIRST, LOOP, PRODUCT, Case, Sizes, Target
from bench.timing import Timed, Timing

TINY = Sizes(400, 60, 20, 4, 1000, turns=1, moment=0.0)


def test_all_contestants_find_the_same_and_every_target_is_judged(tmp_path):
    verdicts, titles = [], []
    for case in cases.all_cases(TINY, tmp_path):
        row = bench.row(case, timing.take_turns(case.make(), 1, 0.0), verdicts)
        assert "≠" not in "".join(row.values()), row
        titles.append((case.group, case.title))
        judged = {
            target.against for target in case.targets if str(target) in row["targets"]
        }
        assert {target.against for target in case.targets} - judged <= {FIRST}
    assert len(set(titles)) == len(titles)


def test_a_target_is_judged_by_its_ratio():
    case = Case("", "case", dict, (Target(PRODUCT, 1.3), Target(LOOP, 4, faster=True)))
    measured = {PRODUCT: 1.0, COMPILED: 1.6, LOOP: 8.0}
    timings = {name: Timing(value, result=[1.0]) for name, value in measured.items()}
    verdicts = []
    assert bench.row(case, timings, verdicts)["targets"] == (
        "**1.6 × X @ w (≤ 1.3)**; 5 × faster than loop (≥ 4)"
    )
    assert verdicts == [False, True]


def test_a_contestant_with_another_result_is_marked():
    timings = {
        PRODUCT: Timing(0.003),
        COMPILED: Timing(0.001, result=np.ones(3)),
        LOOP: Timing(0.002, result=np.array([1.0, 1, 2])),
    }
    row = bench.row(Case("", "case", dict, ()), timings, [])
    assert list(row.values())[1:4] == ["3.00", "1.00", "2.00 ≠"]


def test_the_best_turn_counts_and_a_slow_contestant_is_not_asked_again():
    seconds = iter([3.0, 2.0, 5.0])
    measured = timing.take_turns({0: lambda: Timed("answer", next(seconds))}, 5, 0.1)
    assert (measured[0].seconds, measured[0].result) == (2.0, "answer")
    assert next(seconds) == 5.0


def test_a_fit_finds_the_factor_of_a_power():
    sizes = [128, 256, 512, 1024]
    assert growth.when_doubled(sizes, [n**1.5 for n in sizes]) == pytest.approx(2**1.5)


def test_the_import_needs_numpy_alone_and_a_large_game_the_compiler():
    pytest.importorskip("numba")
    assert processes.ask("import_time")["packages"] == ["numpy"]
    assert processes.ask("first_play")["loads_numba"]


def test_a_run_prints_the_page_and_writes_it_where_it_is_told_to(tmp_path, capsys):
    page = tmp_path / "page.md"
    assert bench.main(["--quick", "--only", "Experts", "--output", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text in capsys.readouterr().out
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Experts"
    ]
    assert "of 2 targets are met;" in text
