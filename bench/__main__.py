"""Run every case and write the tables."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bench import processes
from bench.cases import COLUMNS, FULL, PLAY, QUICK, Case, all_cases
from bench.contestants import agree
from bench.timing import Timing, take_turns

RESULTS = Path(__file__).parent / "RESULTS.md"


@dataclass(frozen=True)
class Verdict:
    """One target and what was measured."""

    title: str
    target: str
    measured: str
    met: bool

    def cells(self) -> list[str]:
        """The row of the table."""
        verdict = "met" if self.met else "**not met**"
        return [self.title, self.target, f"{self.measured} · {verdict}"]


def judge(case: Case, timings: dict[str, Timing]) -> list[Verdict]:
    """Compare what was measured with the targets of the case."""
    verdicts = []
    for target in case.targets:
        ratio = target.ratio(timings[PLAY].seconds, timings[target.against].seconds)
        met = target.met(ratio)
        verdicts.append(Verdict(case.title, str(target), f"{ratio:.2f}", met))
    return verdicts


def times(case: Case, timings: dict[str, Timing]) -> list[str]:
    """The row of CPU times, in milliseconds."""
    cells = [case.title]
    for name in COLUMNS:
        timing = timings.get(name)
        cell = "–" if timing is None else f"{1000 * timing.seconds:.2f}"
        if timing is not None and not same(timings[PLAY], timing):
            cell += " ≠"
        cells.append(cell)
    return cells


def same(play: Timing, other: Timing) -> bool:
    """Whether a contestant found what `play` found (a product finds nothing)."""
    return other.result is None or agree(play.result, other.result)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def import_verdict(turns: int) -> Verdict:
    answer = processes.import_time(turns)
    good = answer["olc"] < 0.3 and not answer["others"]
    measured = f"{answer['olc']:.3f} s, of which numpy {answer['numpy']:.3f} s"
    return Verdict("`import olc`", "under 0.3 s, numpy alone", measured, good)


def memory_verdict(megabytes: int) -> Verdict | None:
    answer = processes.memory(megabytes)
    if answer is None:
        return None
    title = f"`play` on a memory-mapped int8 stream of {answer['stream']:,.0f} MB"
    measured = f"{answer['above']:.1f} MB"
    target = "under 200 MB above the map"
    return Verdict(title, target, measured, answer["above"] < 200)


def machine() -> str:
    """The processor and the versions of what was measured."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "scikit-learn", "river")
    )
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}; "
        f"Python {platform.python_version()}, {packages}, {blas()}, one thread."
        + load()
    )


def load() -> str:
    """Warn if the machine was busy: a shared cache makes every ratio worse."""
    busy = os.getloadavg()[1] if hasattr(os, "getloadavg") else 0.0
    if busy < 1.5:
        return ""
    return f" The machine was busy with other work (load average {busy:.1f})."


def blas() -> str:
    """The BLAS behind numpy."""
    from threadpoolctl import threadpool_info

    found = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    found.sort(key=lambda pool: "numpy" not in pool["filepath"])
    if not found:
        return "no BLAS"
    return f"{found[0]['internal_api']} {found[0]['version']}"


NOTES = """\
CPU time in milliseconds, best of several turns. `X @ w` is the limit: one product of
all the data, and for int8 the cast of chunks to float32 and their product. (Row by row
the memory is read faster than in one product of float64; hence the ratios below 1.)
The loops keep their weights in double precision, as `play` does. A sign ≠ would mark a
contestant that found other weights or other mistakes than `play`.

Where labels are wrong, mistakes are dense, and each of them costs a few calls of
Python: at N = 100 about 0.6 microseconds a round, for `play` as for the loop. The loop
of scikit-learn is compiled and needs 0.2; nothing written in numpy alone gets there.
"""


def report(verdicts: list[Verdict], rows: list[list[str]]) -> str:
    """The whole page."""
    met = sum(verdict.met for verdict in verdicts)
    head = ["what", "target", "measured"]
    return (
        "\n\n".join(
            [
                "# Results",
                "`make bench` writes this page. " + machine(),
                "## Targets",
                f"{met} of {len(verdicts)} targets are met.",
                table(head, (verdict.cells() for verdict in verdicts)),
                "## Times",
                NOTES.strip(),
                table(["case", *COLUMNS], rows),
            ]
        )
        + "\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; it fails only if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke test, < 20 s")
    parser.add_argument("--only", default="", help="cases with this in their title")
    parser.add_argument("--turns", type=int, help="how often each contestant runs")
    parser.add_argument("--megabytes", type=int, help="size of the mapped stream")
    parser.add_argument("--output", type=Path, help="where to write the tables")
    options = parser.parse_args(arguments)
    sizes = QUICK if options.quick else FULL
    turns = options.turns or sizes.turns
    whole = not options.quick and not options.only
    output = options.output or (RESULTS if whole else None)

    from threadpoolctl import threadpool_limits

    verdicts: list[Verdict] = []
    rows: list[list[str]] = []
    with threadpool_limits(1):
        for case in all_cases(sizes):
            if options.only in case.title:
                timings = take_turns(case.make(), turns, sizes.seconds)
                verdicts += judge(case, timings)
                rows.append(times(case, timings))
                print(" | ".join(rows[-1]), file=sys.stderr)
    if not options.only:
        verdicts.append(import_verdict(min(turns, 5)))
        memory = memory_verdict(options.megabytes or (32 if options.quick else 2048))
        verdicts += [memory] if memory else []
    page = report(verdicts, rows)
    print(page)
    if output:
        output.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
