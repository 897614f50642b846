"""What can only be measured in a process of its own: import time and memory.

`python -m bench.processes import` and `python -m bench.processes memory FILE COLUMNS`
are the children; each prints one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

STATUS = Path("/proc/self/status")
FORBIDDEN = ("scipy", "pandas", "matplotlib", "sklearn", "ipywidgets")


def ask(*arguments: str) -> Any:
    """Run this module in a new process and return what it prints."""
    command = [sys.executable, "-m", "bench.processes", *arguments]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def import_time(turns: int) -> dict[str, Any]:
    """CPU seconds of `import olc`, numpy included: the best of several processes."""
    return min((ask("import") for _ in range(turns)), key=lambda answer: answer["olc"])


def memory(megabytes: int) -> dict[str, Any] | None:
    """Megabytes above the map while `play` reads a memory-mapped int8 stream.

    The stream is a panel of experts, written block by block to a temporary file.
    None where the system does not tell a process its own pages from the mapped ones.
    """
    if not STATUS.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.int8"
        write_stream(path, megabytes, columns=1000)
        return dict(ask("memory", str(path), "1000"))


def write_stream(path: Path, megabytes: int, columns: int) -> None:
    """Write a panel of experts; the labels go to a file beside it."""
    import numpy as np

    from olc import streams

    rounds = max(1, megabytes * 2**20 // columns)
    labels = []
    with path.open("wb") as file:
        for seed, start in enumerate(range(0, rounds, 50_000)):
            block = streams.panel(columns, 5, min(50_000, rounds - start), seed=seed)
            # The same five experts in every block: move its panel to the front.
            order = np.argsort(-block.need_target(), kind="stable")
            file.write(np.ascontiguousarray(block.X[:, order]).tobytes())
            labels.append(block.y)
    np.save(path.with_suffix(".npy"), np.concatenate(labels))


def child_import() -> dict[str, Any]:
    start = time.process_time()
    import numpy  # noqa: F401

    numpy_alone = time.process_time() - start
    import olc  # noqa: F401

    return {
        "olc": time.process_time() - start,
        "numpy": numpy_alone,
        "others": [name for name in FORBIDDEN if name in sys.modules],
    }


def own_pages() -> int:
    """Return the kilobytes in memory that belong to the process alone.

    RssAnon leaves out the pages of mapped files, which the system may drop at will;
    VmHWM, the usual peak, would count them.
    """
    for line in STATUS.read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    raise RuntimeError("this system does not report RssAnon")


def child_memory(path: str, columns: int) -> dict[str, Any]:
    """Play on the map while another thread watches the pages."""
    import numpy as np

    import olc

    X = np.memmap(path, dtype=np.int8, mode="r").reshape(-1, columns)
    y = np.load(Path(path).with_suffix(".npy"))
    olc.play(olc.Perceptron(columns), X[:1000], y[:1000])  # everything is loaded now
    before = peak = own_pages()
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.001):
            peak = max(peak, own_pages())

    watcher = threading.Thread(target=watch)
    watcher.start()
    mistakes = {}
    for learner in (olc.Perceptron(columns), olc.NormalizedWinnow(columns, eta=0.2)):
        mistakes[type(learner).__name__] = olc.play(learner, X, y).mistakes
        peak = max(peak, own_pages())
    done.set()
    watcher.join()
    return {
        "stream": X.nbytes / 2**20,
        "above": (peak - before) / 2**10,
        "mistakes": mistakes,
    }


if __name__ == "__main__":
    answer = (
        child_import()
        if sys.argv[1] == "import"
        else child_memory(sys.argv[2], int(sys.argv[3]))
    )
    print(json.dumps(answer))
