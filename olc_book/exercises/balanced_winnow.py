"""Exercises of the chapter `balanced_winnow`."""

from functools import partialmethod

from olc_book.exercises.kit import *
from olc_book.exercises.normalized_winnow import ADDS, REAL
from olc_book.exercises.winnow import WHEN

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

def _two(self: Any, s: Any, sign: int = -1) -> Any:
    plus, minus = np.exp(self.eta * s), np.exp(-self.eta * s)
    return plus / plus.sum() + sign * minus / minus.sum()


BALANCED = Family(
    olc.BalancedWinnow, REAL, ends="scores", args={"eta": 2.0},
    link={
        "has one Z for both halves": olc.BalancedWinnow.link,
        "has a Z for each half": _two,
        "forgets the second half": lambda self, s: np.exp(2 * s) / np.exp(2 * s).sum(),
        "takes the state for its weights": lambda self, s: 1.0 * s,
        "adds the two halves, and should subtract": partialmethod(_two, sign=1),
        "does not divide by Z": lambda self, s: np.sinh(self.eta * s),
    },
    step=ADDS, wants_update=WHEN)
wanted("balanced-winnow-update", BALANCED, "One vector s holds both halves.")
numbers("balanced-winnow-warm-up", "s alone decides the sign of every score.",
        "Every mistake adds y x to s; a tie is a mistake.",
        mistakes=(3, {"the first two rounds are ties, which are mistakes": 1,
                      "the third score is negative, which is right": 4}),
        s=([1, -1], {"the last round is a mistake": [2, 0],
                     "the label of the last example is negative": [3, 1]}),
        weights=([0.3, -0.3], {"divide by Σ cosh ηs": [0.75, -0.75],
                               "Z is one sum over both halves": [0.6, -0.6]}))
wanted("balanced-winnow-two-z", BALANCED,
       "Its weights always sum to 0, so it errs on (1, 1) in every round.",
       "Override link, and divide each half by its own sum.",
       points=[{"link": "has a Z for each half"}])
numbers("balanced-winnow-signed-crossing", "The gap is widest at N = 2k.",
        "Divide by k², and write z = N/k.",
        ratio=(lambda g: bisected(lambda z: 2 * math.log(2 * z) > z, 2.0, 9.0)[0], {
            "here the difference is largest": 2.0,
            "the logarithm is natural, not to base 2": 8.0,
            "this is the other solution, where N is less than k": lambda g:
                bisected(lambda z: 2 * math.log(2 * z) < z, 0.5, 2.0)[0]}))


def only_mistakes(learner: Any, X: Any, y: Any, cycle: Any) -> None:
    """Demand that a cycle is not empty and that each round of the game is a mistake."""
    must(len(cycle) > 0, "the cycle is empty")
    right = {*range(len(y))} - {*olc.play(learner, X, y).mistake_rounds.tolist()}
    must(not right, f"round {min(right, default=0) + 1} is no mistake")


@exercise("balanced-winnow-signed-cycle", "Every round is a mistake.",
          "Show (1, 0, 0) once, and three others again and again.")
def _cycle(first: Any, cycle: Any) -> None:
    f: Any = {(1, 0, 0): 1, (1, 1, 1): 1, (1, 0, 1): -1, (0, 1, 0): -1}
    must(all(len(x) == 3 and not np.iterable(x[0]) for x in [*first, *cycle]),
         "give examples of three bits, such as (1, 0, 0), without labels")
    X = [tuple(int(v) for v in x) for x in [*first, *100 * [*cycle]]]
    for x in X:
        must(x in f, f"{x} is none of the four examples")
    only_mistakes(olc.ThresholdBalancedWinnow(3), X, [f[x] for x in X], cycle)


_signed = olc.streams.signed_panel(33, k=3, rounds=1000, seed=7)


def _rounds(kind: Any = olc.BalancedWinnow, **args: float) -> Any:
    return olc.play(kind(33, **args), _signed).mistake_rounds


numbers("balanced-winnow-code", "29 mistakes, round by round those of the class.",
        "Z is one sum over both arrays.",
        rounds=(lambda g: _rounds(eta=1 / 3), {
            "this is their number; give a list of the rounds": 29,
            "this is the game with a Z for each half":
                lambda g: _rounds(variant(olc.BalancedWinnow, link=_two), eta=1 / 3),
            "this is the game with η = 1": lambda g: _rounds(eta=1.0),
            "this is the Perceptron's game": lambda g: _rounds(olc.Perceptron),
            "the rounds count from 0": lambda g: _rounds(eta=1 / 3) + 1}))
