"""Numbers and functions that are recognised by their slips: exercises as tables."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from olc_book.exercises.core import (
    EXERCISES,
    Wrong,
    exercise,
    fair,
    find,
    must,
    usage,
)

__all__ = ["given"]

CLOSE = 5e-3  #: a number that is not whole may be rounded to three digits


def numbers(
    name: str, praise: str = "", *hints: str, given: Any = None, **parts: Any
) -> None:
    """Register an exercise whose answer is a number or several, by name.

    A part is ``(right, {words: slip, ...})``; each of them is a value or a function of
    the `given` numbers, which a student may have been given otherwise.
    """
    standard, table = dict(given or {}), {}
    for part, entry in parts.items():
        table[part] = entry if isinstance(entry, tuple) else (entry, {})

    def judge(*answer: Any, **said: Any) -> None:
        now = SimpleNamespace(
            **standard | {k: said.pop(k) for k in standard if k in said}
        )
        said |= dict(zip(table, answer, strict=False))
        if said.keys() != table.keys() or len(answer) > len(table):
            raise Wrong(f"give {usage(EXERCISES[name])}")
        wrong = [_number(p, said[p], table[p][0], table[p][1], now) for p in table]
        found = [one for one in wrong if one]
        if found:
            slips = [slip for one in found for slip in one.slips]
            raise Wrong(". ".join(map(str, found)), *slips)

    facts: dict[str, Any] = {"parts": list(table), "given": standard, "table": table}
    exercise(name, praise, *hints, **facts)(judge)


WAYS = 4  #: the numbers of students differ from the book's in so many ways each
VARIED: dict[str, Callable[[int, int], int]] = {
    "k": lambda book, way: book + way,
    "n": lambda book, way: book * 2**way,  # a power of two remains one
}


def given(name: str, student: Any) -> dict[str, int]:
    """Return the numbers of an exercise that this student is given, often none.

    >>> given("winnow-elimination", "Ada")
    {'n': 8192, 'k': 7}
    """
    if not isinstance(student, str | int):
        raise ValueError("write your name or number into the cell `student = ...`")
    seed = zlib.crc32(f"{name} {str(student).strip().casefold()}".encode())
    found = {}
    for number, book in find(name).facts.get("given", {}).items():
        if number in VARIED:
            seed, way = divmod(seed, WAYS)
            found[number] = VARIED[number](book, way + 1)
    return found


def _number(part: str, said: Any, right: Any, slips: Any, given: Any) -> Wrong | None:
    try:
        if isinstance(said, str):
            said = float(said.replace("−", "-").replace(",", "."))
        value = np.asarray(said, dtype=float)
    except (TypeError, ValueError):
        return Wrong(f"{part} = {said!r}: give a number, without a unit")
    shown = f"{part} = {_shown(value)}"
    if np.isnan(value).any():
        return Wrong(f"{shown}: this is not a number")
    aim = evaluated(right, given)
    if np.array_equal(value, aim):
        return None
    for words, formula in slips.items():
        slip = evaluated(formula, given)
        # a slip may be so close to the answer that rounding does not excuse it
        if same(value, slip) and (np.array_equal(value, slip) or not same(value, aim)):
            return Wrong(f"{shown}: {words}", words)
    if same(value, aim):
        return None
    if value.ndim == np.ndim(aim) == 1 and len(value) != len(aim):
        return Wrong(f"{part} should have {len(aim)} entries, not {len(value)}")
    if value.shape != np.shape(aim):
        return Wrong(f"{part} should have the shape {np.shape(aim)}, not {value.shape}")
    if value.ndim:
        at = int(np.argmax((abs(value - aim) > tolerance(aim)).ravel()))
        return Wrong(f"{shown}: look at entry {at + 1} again")
    return Wrong(f"{shown} is too {'large' if value > np.asarray(aim) else 'small'}")


def evaluated(formula: Any, given: Any) -> Any:
    """Return a value, or what a formula makes of the numbers that are given."""
    return formula(given) if callable(formula) else formula


def same(one: Any, two: Any) -> bool:
    """Return whether two answers agree: whole numbers exactly, others nearly."""
    try:
        first, second = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
    except (TypeError, ValueError):
        return False
    if first.shape != second.shape:
        return False
    return bool((abs(first - second) <= tolerance(second)).all())


def tolerance(aim: Any) -> Any:
    """Return by how much an answer may differ: by nothing where the number is whole."""
    whole = np.isclose(aim, np.round(aim), rtol=0, atol=1e-9)
    return np.where(whole, 1e-9, CLOSE * np.abs(aim))


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray | np.generic | float) and np.size(value) <= 9:
        value = np.round(np.asarray(value, dtype=float), 4) + 0.0
        said = np.array2string(value, formatter={"float": lambda v: f"{v:g}"})
        return said.replace("\n", "")  # a table, too, in one line
    return repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:57]}..."


def behaves(
    name: str,
    see: Callable[[Any], dict[str, Any]],
    right: Any,
    slips: Mapping[str, Any],
    praise: str = "",
    *hints: str,
) -> None:
    """Register an exercise whose answer is recognised by what it does.

    `see` tries an answer and returns what comes out in each case. A slip is an answer
    too, a wrong one that is known, with the words for what it does.
    """

    aimed, known = cache(lambda: see(right)), cache(lambda words: see(slips[words]))

    def judge(answer: Any) -> None:
        aim, seen = aimed(), see(fair(answer))
        if all(map(same, seen.values(), aim.values())):
            return
        for words in slips:
            if all(map(same, seen.values(), known(words).values())):
                raise Wrong(f"it {words}", words)
        for case in aim:
            if not same(seen[case], aim[case]):
                _differ(case, seen[case], aim[case])

    exercise(name, praise, *hints, see=see, right=right, slips=dict(slips))(judge)


def _differ(case: str, seen: Any, aim: Any) -> NoReturn:
    if isinstance(seen, float) and math.isnan(seen):
        raise Wrong(f"{case} it returns NaN, which is not a number")
    raise Wrong(f"{case} yours gives {_shown(seen)}; asked for is {_shown(aim)}")


def cases(*inputs: Any) -> Callable[[Any], dict[str, Any]]:
    """Return a way to see a function: what it makes of each of these arguments."""
    rows = [args if isinstance(args, tuple) else (args,) for args in inputs]

    def see(function: Any) -> dict[str, Any]:
        must(callable(function), "give the function itself")
        return {f"for {', '.join(map(_shown, a))}": function(*a) for a in rows}

    return see
