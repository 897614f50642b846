"""How the time of a game grows with N, with T and with the number of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

import olc
from bench import contestants
from bench.cases import COMPILED, PLAIN, learner, stream
from bench.timing import take_turns

HEAD = "learner", "gear", "N doubled", "T doubled", "a mistake more"
LEARNERS = "Perceptron", "NormalizedWinnow"
CHANCES = 0, 0.05, 0.1, 0.2, 0.4


def growth(rounds: int, turns: int, moment: float) -> list[dict[str, str]]:
    """The rows of the table: T starts at so many rounds, and N at 128."""
    widths, lengths = ([size << i for i in range(4)] for size in (128, rounds))
    by_width = [(n, rounds, 0.0) for n in widths]
    by_length = [(128, length, 0.0) for length in lengths]
    by_noise = [(128, rounds, chance) for chance in CHANCES]
    rows = []
    for name, gear in product(LEARNERS, (COMPILED, PLAIN)):
        games = {
            size: game(name, gear, *size) for size in by_width + by_length + by_noise
        }
        found = take_turns(games, turns, moment)
        mistakes, seconds = zip(
            *[(found[size].result, found[size].seconds) for size in by_noise],
            strict=True,
        )
        factors = [
            when_doubled(sizes, [found[size].seconds for size in keys])
            for sizes, keys in ((widths, by_width), (lengths, by_length))
        ]
        cells = [name, gear, *(f"× {factor:.2f}" for factor in factors)]
        cells.append(f"{1e6 * slope(mistakes, seconds):.2f} µs")
        rows.append(dict(zip(HEAD, cells, strict=True)))
    return rows


def game(name: str, gear: str, n: int, rounds: int, chance: float) -> Callable[[], int]:
    """A game in double precision, which returns its mistakes."""
    examples = stream(name, n, rounds, np.float64, chance)

    def play() -> int:
        with contestants.gear(gear):
            return olc.play(learner(name, n), examples).mistakes

    return play


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of the line of least squares."""
    return float(np.polyfit(x, y, 1)[0])


def when_doubled(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The factor by which the time grows when the size is doubled."""
    return float(2 ** slope(np.log2(sizes), np.log2(times)))
