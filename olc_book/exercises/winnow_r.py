"""Exercises of the chapter `winnow_r`."""

from copy import deepcopy
from functools import partial

from olc_book.exercises.kit import *
from olc_book.exercises.winnow import GAMES, REACHES, STEPS, WHEN

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

FLOOR = Family(  # a step is a change, and then the floor
    variant(olc.WinnowR, step=lambda self, c, x, y: self.floor(self.change(c, x, y))),
    GAMES, ends="decisions",
    floor={
        "stops demotions at ½": lambda self, c: np.maximum(c, -1),
        "stops demotions at ¼": lambda self, c: np.maximum(c, -2),
        "has no floor": lambda self, c: c,
        "stops demotions at 1": lambda self, c: np.maximum(c, 0),
        "puts a ceiling where the floor should be": lambda self, c: np.minimum(c, 1),
        "stops demotions at ⅛": lambda self, c: np.maximum(c, -3),
        "puts the floor ¼ under the count, not under the weight":
            lambda self, c: np.maximum(c, 0.25),
        "stops demotions at 1/16": lambda self, c: np.maximum(c, -4),
    },
    change=STEPS, decide=REACHES, wants_update=WHEN)
wanted("winnow-r-update", FLOOR, "No variable is ever far from the threshold.")
numbers("winnow-r-warm-up", "The floor holds the second weight.",
        "The second weight is demoted twice.",
        weights=([1, 0.5], {"no weight falls below ½": [1, 0.25],
                            "the last sum, 2½, reaches θ": [2, 0.5]}),
        plain=([1, 0.25], {"Winnow has no floor": [1, 0.5],
                           "the last sum, 2½, reaches θ": [2, 0.5]}))
wanted("winnow-r-floor-quarter", FLOOR, "Its bound is better than that of ½.",
       "Which count belongs to the weight ¼?",
       points=[{"floor": "stops demotions at ¼"}])


def _each(n: int, d: int) -> float:
    return (math.log2(n) + d) * (1 + 2 / (1 - 2.0**-d))


behaves("winnow-r-floor", cases(4, 64, 1024),
        lambda n: min(range(1, 20), key=partial(_each, n)), {
    "takes the floor itself, 2^(−d), for d":
        lambda n: 2.0 ** -min(range(1, 20), key=partial(_each, n)),
    "is always ½": lambda n: 1,
    "makes the bound largest": lambda n: max(range(1, 20), key=partial(_each, n)),
}, "From N = 4 on ½ is never best.",
    "Try d = 1, 2, 3, … in the bound for one addition.")
numbers("winnow-r-removal", "m⁻ < 4m⁺ + 2 allowed for more.",
        "The first false positive must show variable 1.",
        mistakes=(2, {"after the first, it can be done once more": 1,
                      "the others weigh too little for a third": 3,
                      "this halves variable 1 down to 1, but a sum must reach θ": 10,
                      "this halves variable 1 down to ½, but a sum must reach θ": 11,
                      "this is what m⁻ < 4m⁺ + 2 allows after 10 promotions": 41}))
numbers("winnow-r-printed", "A single addition is enough to refute it.",
        "How much can a promotion add, and how little can a demotion take?",
        limit=(4, {"this is the factor for Winnow": 2,
                   "this is what the largest game of the table has": 3.74,
                   "this counts the promotions, too": 5}))


@exercise("winnow-r-lower", "Half of the candidates are left each time.",
          "Which variables may still be the target?",
          "Show half of the candidates, and contradict.")
def _lower(adversary: Any) -> None:
    must(callable(adversary), "give a class whose __call__ returns x and y")
    for kind in (olc.WinnowR, olc.Winnow, olc.Perceptron):
        new = adversary if isinstance(adversary, type) else partial(deepcopy, adversary)
        trace = olc.duel(kind(64), new(), rounds=6)
        X, y = trace.stream.X > 0, trace.stream.y
        left = [i for i in range(64) if ((X[:, i] == (y > 0)).all())]
        must(trace.mistakes == 6,
             f"on {kind.__name__} it forces {trace.mistakes} of 6 mistakes")
        must(left, "no single variable explains the labels")


def _told(kind: Any, restart: bool = True) -> Any:
    def count(stream: Any) -> int:
        starts = [start for start, _ in stream.drifts] if restart else [0]
        ends = [*starts[1:], len(stream)]
        return sum(olc.play(kind(stream.n), stream[start:end]).mistakes
                   for start, end in zip(starts, ends, strict=True))

    return count


def _on_drifts(function: Any) -> dict[str, Any]:
    drifting = olc.streams.drifting_disjunction
    return {f"on a stream with {d} drifts": function(drifting(64, 3, 800, d, seed=1))
            for d in (0, 6, 12)}


behaves("winnow-r-restart", _on_drifts, _told(olc.Winnow), {
    "is never told of a change: these are plain Winnow's mistakes":
        _told(olc.Winnow, restart=False),
    "counts the mistakes of Winnow-R": _told(olc.WinnowR, restart=False),
    "starts Winnow-R afresh, not Winnow": _told(olc.WinnowR),
}, "It must find again what it had already found.",
    "stream.drifts lists the rounds in which a new target begins.",
    "Sum olc.play(olc.Winnow(stream.n), stream[start:end]).mistakes.")
