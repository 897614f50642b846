"""Run every case and write the tables."""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench import growth, processes
from bench.cases import FULL, QUICK, Case, all_cases
from bench.contestants import agree
from bench.timing import Timing, take_turns

Row = dict[str, str]

RESULTS = Path(__file__).parent / "RESULTS.md"
PACKAGES = "numpy", "numba", "scipy", "sklearn", "river", "vowpalwabbit"

NOTES = """\
`make bench` writes this page. CPU time in milliseconds, one BLAS thread; the
contestants of a row take turns, and the best of several turns counts. `X @ w` is the
limit: one product of all the data in its own type, and for int8 the cast of chunks to
float32 and their product. *compiled* and *plain* are the gears of `play`, *one by one*
is the loop of the book, `play_one_by_one`, and *loop* a bare loop in numpy that checks
and records nothing. A sign ≠ would mark a contestant that found other weights
than the rest of its row."""

GROWTH = """\
How the time of a game grows in double precision: by which factor, where mistakes are
rare, when N or T is doubled (from fits to four sizes each), and by how much with every
further mistake (from a fit to streams with up to 40 % of the labels wrong, N = 128)."""


def judge(met: bool, words: str, verdicts: list[bool]) -> str:
    """Note whether a target is met; return the words, in bold if it is not."""
    verdicts.append(met)
    return words if met else f"**{words}**"


def row(case: Case, timings: dict[str, Timing], verdicts: list[bool]) -> Row:
    """The times of a case by contestant, and what has become of its targets."""
    cells = {"case": case.title}
    first = next(timing for timing in timings.values() if timing.result is not None)
    for name, timing in timings.items():
        same = timing.result is None or agree(first.result, timing.result)
        cells[name] = f"{1000 * timing.seconds:.2f}{'' if same else ' ≠'}"
    seconds = {name: timing.seconds for name, timing in timings.items()}
    judged = [
        (target, target.ratio(seconds))
        for target in case.targets
        if target.against in seconds
    ]
    cells["targets"] = "; ".join(
        judge(target.met(ratio), f"{ratio:.3g} × {target}", verdicts)
        for target, ratio in judged
    )
    return cells


def table(rows: list[Row]) -> str:
    """A table in Markdown; its columns are those of its rows, targets last."""
    head = list(dict.fromkeys(name for row in rows for name in row))
    if "targets" in head:
        head.append(head.pop(head.index("targets")))
    lines = [head, ["---"] * len(head)]
    lines += [[row.get(name, "–") for name in head] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def fresh_processes(turns: int, verdicts: list[bool]) -> list[Row]:
    """What a new process waits for."""
    rows = []
    for title, name, limit, note in (
        ("`import olc`", "import_time", 0.3, "packages"),
        ("the first `play`, its kernels cached", "first_play", 0.5, "loads_numba"),
    ):
        answers = [processes.ask(name) for _ in range(turns + 1)]
        best = min(answers, key=lambda answer: answer["seconds"])
        met = best["seconds"] < limit and best[note] in (["numpy"], True)
        words = f"{best['seconds']:.3f} s (under {limit} s)"
        rows.append({"case": title, "targets": judge(met, words, verdicts)})
    return rows


def machine() -> str:
    """The processor and the versions of what was measured."""
    cpuinfo = Path("/proc/cpuinfo")
    told = cpuinfo.read_text() if cpuinfo.exists() else ""
    names = re.findall(r"model name\s*: (.*)", told) or [platform.machine()]
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    found = [f"Python {platform.python_version()}", f"{blas['name']} {blas['version']}"]
    found += [
        f"{name} {import_module(name).__version__}"
        for name in PACKAGES
        if find_spec(name)
    ]
    busy = os.getloadavg()[1] if hasattr(os, "getloadavg") else 0.0
    load = f" It was busy (load {busy:.1f}): take it again." if busy > 1.5 else ""
    return f"Measured on {names[0]}, {os.cpu_count()} cores: {', '.join(found)}.{load}"


def report(verdicts: list[bool], sections: Iterable[tuple[str, str]]) -> str:
    """The whole page."""
    met = f"{sum(verdicts)} of {len(verdicts)} targets are met; bold ones are not."
    parts = ["# Results", NOTES, machine(), met]
    for title, text in sections:
        parts += [f"## {title}", text]
    return "\n\n".join(parts) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; it fails only if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke test")
    parser.add_argument("--only", default="", help="groups with this in their title")
    parser.add_argument("--output", type=Path, help="where to write the page")
    options = parser.parse_args(arguments)
    sizes = QUICK if options.quick else FULL
    turns = sizes.turns, sizes.moment
    verdicts: list[bool] = []
    sections = []
    with TemporaryDirectory() as folder:
        cases = all_cases(sizes, Path(folder))
        for group, members in groupby(cases, lambda case: case.group):
            if options.only in group:
                rows = []
                for case in members:
                    rows.append(row(case, take_turns(case.make(), *turns), verdicts))
                    print(*rows[-1].values(), sep=" | ", file=sys.stderr)
                sections.append((group, table(rows)))
    if not options.only:
        rows = fresh_processes(sizes.turns, verdicts)
        sections.append(("A fresh process", table(rows)))
        grown = growth.growth(max(256, sizes.rounds // 6), *turns)
        sections.append(("Growth", GROWTH + "\n\n" + table(grown)))
    page = report(verdicts, sections)
    print(page)
    if options.output or (sizes is FULL and not options.only):
        (options.output or RESULTS).write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
