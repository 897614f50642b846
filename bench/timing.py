"""Taking turns, and the best CPU time of each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from bench.contestants import Timed

PATIENCE = 4.0  # CPU seconds after which a slow contestant is not asked again
MOMENT = 0.05  # CPU seconds of a turn, in which a fast one runs again and again


@dataclass
class Timing:
    """The best time of a contestant so far, and what it returned."""

    seconds: float = math.inf
    spent: float = 0.0
    result: Any = None


def take_turns(
    contestants: Mapping[str, Callable[[], Any]], turns: int, seconds: float = 0.0
) -> dict[str, Timing]:
    """Let all contestants run in turn; keep the best of each.

    There are `turns` turns, and more of them until all have spent these `seconds`.
    Each turn begins with another contestant: nobody always finds warm caches.
    """
    timings = {name: Timing() for name in contestants}
    order = list(contestants.items())
    for turn in count():
        spent = sum(timing.spent for timing in timings.values())
        if turn >= turns and spent >= seconds:
            break
        order.append(order.pop(0))
        for name, run in order:
            timing = timings[name]
            before = timing.spent
            while timing.spent <= min(PATIENCE, before + MOMENT):
                start = time.process_time()
                result = run()
                took = time.process_time() - start
                if isinstance(result, Timed):
                    result, took = result
                timing.seconds = min(timing.seconds, took)
                timing.spent += took
                timing.result = result
    return timings
