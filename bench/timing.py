"""Taking turns, and the best CPU time of each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.contestants import Timed

PATIENCE = 4.0  # CPU seconds after which a slow contestant is not asked again


@dataclass
class Timing:
    """The best time of a contestant so far, and what it returned."""

    seconds: float = math.inf
    spent: float = 0.0
    result: Any = None


def take_turns(
    contestants: Mapping[str, Callable[[], Any]], turns: int
) -> dict[str, Timing]:
    """Let all contestants run in turn; keep the best of each.

    There are at least `turns` turns, and more if they are short. Each turn begins
    with another contestant, so that nobody always finds warm caches.
    """
    timings = {name: Timing() for name in contestants}
    order = list(contestants.items())
    for turn in range(8 * turns):
        if (
            turn >= turns
            and sum(timing.spent for timing in timings.values()) > PATIENCE
        ):
            break
        order.append(order.pop(0))
        for name, run in order:
            timing = timings[name]
            if timing.spent > PATIENCE:
                continue
            start = time.process_time()
            result = run()
            seconds = time.process_time() - start
            if isinstance(result, Timed):
                result, seconds = result
            timing.seconds = min(timing.seconds, seconds)
            timing.spent += seconds
            timing.result = result
    return timings
