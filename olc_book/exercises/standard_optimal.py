"""Exercises of the chapter `standard_optimal`."""

import itertools

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("standard-optimal-warm-up", "Two mistakes, and the dimension is 2.",
        "Compare the dimensions of the two sides, not their sizes.",
        says=([0, -1, 0, 1], {
            "this is halving, which counts heads": [1, -1, 0, 1],
            "these are the labels": [1, -1, 1, 1]}))


def _ldim(table: Any) -> int:
    return int(olc.standard_optimal.littlestone_dimension(table))


behaves("standard-optimal-all", cases(1, 3, 7), lambda d: d, {
    "counts the functions": lambda d: 2**d,
    "is one too large": lambda d: d + 1,
}, "Without an assumption nothing is learnt.", "Every tree of depth d is shattered.")
behaves("standard-optimal-thresholds", cases(1, 3, 6, 7, 40),
        lambda p: int(math.log2(p + 1)), {
    "counts p thresholds, and there are p + 1": lambda p: int(math.log2(p)),
    "rounds up": lambda p: math.ceil(math.log2(p + 1)),
    "is not rounded down": lambda p: math.log2(p + 1),
    "counts the thresholds": lambda p: p + 1,
    "counts the points": lambda p: p,
    "is the VC dimension": lambda p: 1,
    "is one too large": lambda p: int(math.log2(p + 1)) + 1,
}, "Ask about the middle point.", "How many thresholds are there on p points?")


def _coins(table: Any, cost: Any = 0.5, join: Any = lambda a, b: (a + b) / 2) -> Any:
    table = np.asarray(table)
    if len(table) <= 1:
        return 0.0
    parts = ([table[x == s] for s in (-1, 1)] for x in table.T)
    return max(cost + join(*(_coins(p, cost, join) for p in pair))
               for pair in parts if all(map(len, pair)))


def _vc(table: Any) -> int:
    found = 0
    for size in range(1, table.shape[1] + 1):
        for points in itertools.combinations(range(table.shape[1]), size):
            if len(np.unique(table[:, points], axis=0)) == 2**size:
                found = size
    return found


_CLASSES = [halving.singletons(4), halving.thresholds(5), halving.thresholds(7),
            halving.all_functions(2)]


def _valued(function: Any) -> dict[str, Any]:
    names = ("four singletons", "six thresholds", "eight thresholds",
             "all functions on two points")
    pairs = zip(names, _CLASSES, strict=True)
    return {f"for {name}": function(table) for name, table in pairs}


behaves("standard-optimal-coins", _valued, _coins, {
    "is the dimension, without coins": lambda t: _coins(t, 1.0, min),
    "takes the larger part, not the mean": lambda t: _coins(t, 0.5, max),
    "takes the smaller part, not the mean, and is half of the dimension":
        lambda t: _coins(t, 0.5, min),
    "counts a whole mistake for a coin, which costs half of one":
        lambda t: _coins(t, 1.0),
}, "It lies between half of the dimension and the dimension.",
    "Change two lines of the function dimension.")
behaves("standard-optimal-vc", _valued, _vc, {
    "is the Littlestone dimension": _ldim,
    "is the logarithm of the number of hypotheses": lambda t: int(math.log2(len(t))),
    "counts the points": lambda t: t.shape[1],
    "counts the hypotheses": len,
}, "For thresholds it is 1, however many points there are.",
    "On how many points do all combinations of labels occur?",
    "np.unique(table[:, points], axis=0) has 2^d rows if all occur on d points.")
numbers("standard-optimal-most", "More hypotheses never shatter less.",
        "A larger k adds hypotheses. Can the dimension fall?",
        row=([3, 4, 5, 6, 6, 7, 7, 8], {
            "this is the row for exactly k variables": [3, 4, 5, 4, 3, 2, 1, 0],
            "this is the logarithm of the size, which only bounds it":
                [3, 5, 6, 7, 7, 7, 7, 8]}))


@exercise("standard-optimal-gap", "And one more layer makes it one larger.",
          "Put a large family of singletons beside a small class.")
def _gap(table: Any) -> str:
    table = halving.as_class(table)
    must(len(table) <= 400, "at most 400 hypotheses, so that it can be computed")
    rival = olc.adversaries.Contrary(table)
    made = olc.duel(olc.Halving(len(table)), rival, 100).mistakes
    best = _ldim(table)
    said = f"{made} mistakes are forced on halving, and the dimension is {best}"
    must(made - best >= 2, f"{said}: the difference should be 2 or more")
    return f"{said}."


def _optimal(measure: Any, worse: bool = False) -> Any:
    def mistakes(table: Any, asked: Any, labels: Any) -> int:
        made, left = 0, np.asarray(table)
        for x, y in zip(asked, labels, strict=True):
            sides = [left[left[:, x] == s] for s in (-1, 1)]
            less, more = (measure(side) if len(side) else -1 for side in sides)
            made += int(np.sign(more - less) * (-1) ** worse != y)
            left = sides[int(y > 0)]
        return made

    return mistakes


def _asked(play: Any) -> dict[str, Any]:
    easy = np.hstack([np.ones((5, 1)), -np.ones((5, 2)), halving.singletons(5)])
    hard = np.hstack([-np.ones((4, 1)), halving.all_functions(2), -np.ones((4, 5))])
    nine = np.vstack([easy, hard]).astype(int)
    return {
        "on the nine of the chapter": play(nine, [0, 1, 2], [-1, 1, 1]),
        "on five thresholds": play(halving.thresholds(4), [2, 0, 1, 3], [1, -1, 1, 1]),
        "on six singletons": play(halving.singletons(6), [0, 1, 2, 3], [-1, -1, -1, 1])}


behaves("standard-optimal-loop", _asked, _optimal(_ldim), {
    "weighs the sides by their number, as halving does": _optimal(len),
    "bets on the side with the smaller dimension": _optimal(_ldim, worse=True),
}, "Only the dimension decides.", "An empty side has the dimension −1.")
