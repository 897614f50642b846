"""The benchmark compares like with like and builds its tables; nothing is timed."""

import numpy as np
import pytest

pytest.importorskip("river")

from bench import __main__ as bench
from bench import cases, contestants, processes, timing
from bench.cases import LOOP, PLAY, PRODUCT, Case, Sizes, Target

TINY = Sizes(rounds=400, river_rounds=60, many_rounds=20, games=4, turns=1)


@pytest.fixture(scope="module")
def results():
    return [
        (case, timing.take_turns(case.make(), TINY.turns))
        for case in cases.all_cases(TINY)
    ]


def test_all_contestants_find_the_same(results):
    for case, timings in results:
        for name, contestant in timings.items():
            assert bench.same(timings[PLAY], contestant), (case.title, name)


def test_every_target_of_the_package_has_a_case(results):
    targets = {str(target) for case, _ in results for target in case.targets}
    assert targets == {
        "≤ 1.3 × the time of X @ w",
        "≤ 2 × the time of X @ w",
        "≤ 2.2 × the time of X @ w",
        "≤ 1.1 × the time of loop",
        "≥ 1.2 × faster than scikit-learn",
        "≥ 3 × faster than scikit-learn",
        "≥ 150 × faster than river",
        "≥ 5 × faster than loop",
        "≥ 8 × faster than loop",
        "≥ 4 × faster than loop",
    }


def test_the_page_has_a_row_for_every_case_and_every_target(results):
    verdicts = [v for case, timings in results for v in bench.judge(case, timings)]
    rows = [bench.times(case, timings) for case, timings in results]
    page = bench.report(verdicts, rows)
    assert len(verdicts) == sum(len(case.targets) for case, _ in results)
    assert f"of {len(verdicts)} targets are met." in page
    assert len({case.title for case, _ in results}) == len(results)
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(lines) == 4 + len(verdicts) + len(results)
    assert {line.count("|") for line in lines} == {4, 7}
    assert "numpy" in page
    assert "cores" in page


def timings(**seconds):
    return {name: timing.Timing(value) for name, value in seconds.items()}


def test_a_target_is_judged_by_its_ratio():
    case = Case("case", dict, [Target(PRODUCT, 1.3), Target(LOOP, 4, faster=True)])
    measured = {PRODUCT: 1.0, PLAY: 1.6, LOOP: 8.0}
    slow, fast = bench.judge(case, timings(**measured))
    assert (slow.measured, slow.met) == ("1.60", False)
    assert (fast.measured, fast.met) == ("5.00", True)
    assert slow.cells()[2] == "1.60 · **not met**"


def test_a_contestant_with_another_result_is_marked():
    case = Case("case", dict)
    measured = timings(**{PLAY: 0.001, LOOP: 0.002})
    measured[PLAY].result, measured[LOOP].result = np.ones(3), np.array([1.0, 1, 2])
    assert bench.times(case, measured)[1:4] == ["–", "1.00", "2.00 ≠"]


def test_the_best_turn_counts_and_a_slow_contestant_is_not_asked_again():
    seconds = iter([3.0, 2.0, 5.0])
    calls = []

    def slow():
        calls.append("slow")
        return contestants.Timed("answer", next(seconds))

    measured = timing.take_turns({"slow": slow}, turns=5)["slow"]
    assert len(calls) == 2
    assert (measured.seconds, measured.result) == (2.0, "answer")


def test_the_import_needs_numpy_alone():
    answer = processes.import_time(1)
    assert answer["others"] == []
    assert 0 < answer["numpy"] <= answer["olc"]


@pytest.mark.skipif(not processes.STATUS.exists(), reason="needs /proc")
def test_a_mapped_stream_is_played_without_a_copy():
    answer = processes.memory(megabytes=48)
    assert answer["stream"] == pytest.approx(48, abs=0.01)
    assert answer["above"] < 24
    assert 0 < answer["mistakes"]["NormalizedWinnow"] < answer["mistakes"]["Perceptron"]


def test_a_run_prints_the_tables_and_writes_what_it_is_told_to(tmp_path, capsys):
    page = tmp_path / "page.md"
    only = "weighted majority, experts, N = 100,"
    assert bench.main(["--quick", "--only", only, "--output", str(page)]) == 0
    assert page.read_text(encoding="utf-8") in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").count(only) == 2
