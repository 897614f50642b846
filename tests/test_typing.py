"""The types are true: mypy reports the wrong uses of the public names, only those."""

import re
import subprocess
import sys

from helpers import ROOT


def test_mypy_reports_every_wrong_use_and_no_right_one():
    uses = "tests/typing_uses.py"
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", uses]
    report = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    found = re.findall(r"typing_uses\.py:(\d+): error: (.*)", report.stdout)
    assert len(report.stdout.splitlines()) == len(found), report.stdout
    lines = enumerate((ROOT / uses).read_text(encoding="utf8").splitlines(), 1)
    marked = [(at, line.partition(")  # error: ")[2]) for at, line in lines]
    wrong = {str(at): words for at, words in marked if words}
    assert [at for at, _ in found] == [*wrong], report.stdout
    for at, words in found:
        assert wrong[at] in words
