"""What can only be measured in a process of its own.

`python -m bench.processes NAME …` is the child; it prints one line of JSON.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FIRST = "b3ade65"  # the last commit of the first edition


def ask(name: str, *arguments: str, package: Path = ROOT) -> Any:
    """Call a function below in a new process, with the `olc` of this folder."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    environment.pop("OLC_GEAR", None)
    command = [sys.executable, "-m", "bench.processes", name, *arguments]
    done = subprocess.run(
        command, cwd=package, env=environment, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


def import_time() -> dict[str, Any]:
    """CPU seconds of `import olc`, numpy included, and the packages it loads."""
    before, start = set(sys.modules), time.process_time()
    import olc  # noqa: F401

    seconds = time.process_time() - start
    loaded = {name.split(".")[0] for name in set(sys.modules) - before}
    return {
        "seconds": seconds,
        "packages": sorted(loaded - sys.stdlib_module_names - {"olc"}),
    }


def first_play() -> dict[str, Any]:
    """CPU seconds of the first game, which is just worth loading the compiler."""
    import numpy as np

    import olc
    from olc.fast import engine

    X = np.random.default_rng(0).normal(size=(engine.WORTH_AN_IMPORT // 100 + 1, 100))
    y = np.where(X[:, 0] > 0, 1, -1)
    start = time.process_time()
    olc.play(olc.Perceptron(100), X, y)
    seconds = time.process_time() - start
    return {"seconds": seconds, "loads_numba": "numba" in sys.modules}


def play(data: str, learner: str, parameters: str) -> tuple[list[float], float]:
    """Weights after a game on a stored stream, and its CPU seconds."""
    import numpy as np

    import olc

    stored = np.load(data)
    X, y = stored["X"], stored["y"]
    seconds = []
    for _ in range(3):
        player = getattr(olc, learner)(X.shape[1], **json.loads(parameters))
        start = time.process_time()
        olc.play(player, X, y)
        seconds.append(time.process_time() - start)
    return player.weights.tolist(), min(seconds)


def first_edition(folder: Path) -> bool:
    """Unpack the first edition there; say whether the history has it."""
    command = ["git", "archive", "--format=zip", FIRST, "olc"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    zipfile.ZipFile(io.BytesIO(done.stdout)).extractall(folder)
    return True


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
