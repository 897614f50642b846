"""Taking turns, and the best CPU time of each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

PATIENCE = 4.0  # CPU seconds after which a slow contestant is not asked again

Contestants = dict[Any, Callable[[], Any]]


class Timed(NamedTuple):
    """A result that brings its own CPU time."""

    result: Any
    seconds: float


@dataclass
class Timing:
    """The best time of a contestant so far, and what it returned."""

    seconds: float = math.inf
    spent: float = 0.0
    result: Any = None


def take_turns(runs: Contestants, turns: int, moment: float) -> dict[Any, Timing]:
    """Let all contestants run in turn; keep the best of each.

    Each turn begins with another contestant: nobody always finds warm caches. A fast
    one runs again and again for a moment, of so many CPU seconds.
    """
    timings = {name: Timing() for name in runs}
    order = list(runs.items())
    for _ in range(turns):
        order.append(order.pop(0))
        for name, run in order:
            timing = timings[name]
            before = timing.spent
            while timing.spent <= min(PATIENCE, before + moment):
                start = time.process_time()
                result = run()
                took = time.process_time() - start
                if isinstance(result, Timed):
                    result, took = result
                timing.seconds = min(timing.seconds, took)
                timing.spent += took
                timing.result = result
    return timings
