"""Exercises of the chapter `online_game`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

def _signs(n: int, rounds: int, seed: int) -> Any:
    return np.random.default_rng(seed).choice([-1, 1], (rounds, n))


def _realisable(points: int, rounds: int, seed: int) -> Game:
    table = halving.thresholds(points)
    asked = np.random.default_rng(seed).integers(points, size=rounds)
    return Game(table.T[asked], table[seed % len(table), asked])


def free(n: int, rounds: int, seed: int) -> Game:
    return Game(_signs(n, rounds, seed), _signs(1, rounds, seed + 9)[:, 0])


def _strike(self: Any, x: Any, y: Any) -> None:  # and go on when nobody is left
    self.state = self.kept(x, y)


Halving = variant(olc.Halving, update=_strike)


def _prior(self: Any, x: Any) -> Any:
    return (0.5 ** np.arange(1, self.n + 1) * x)[self.alive].sum()


def _again(self: Any, x: Any, y: Any) -> Any:
    agree = self.alive & (x == y)
    return agree if agree.any() else self.start()


RULES: Any = {
    "score": {
        "asks the majority of those that are left": olc.Halving.score,
        "asks the majority of the whole class": lambda self, x: x.sum(),
        "asks the first that is left": lambda self, x: x[self.alive.argmax()],
        "weighs those that are left by the prior": _prior,
        "weighs the whole class by the prior":
            lambda self, x: (0.5 ** np.arange(1, self.n + 1) * x).sum(),
        "gives the last of those that are left the most weight":
            lambda self, x: (2.0 ** np.arange(self.n) * x)[self.alive].sum(),
    },
    "kept": {
        "keeps those that agree with the label": lambda self, x, y:
            self.alive & (x == y),
        "begins again with all of them when none is left": _again,
        "keeps those that disagree": lambda self, x, y: self.alive & (x != y),
        "forgets who was struck out before": lambda self, x, y: x == y,
        "begins again with those that agree when none is left": lambda self, x, y:
            agree if (agree := self.alive & (x == y)).any() else x == y,
        "keeps those that disagree, and begins again when none is left":
            lambda self, x, y: _again(self, x, -y),
    },
    "wants_update": {
        "learns in every round": lambda self, score, y: True,
        "learns only when it errs": lambda self, score, y: self.decide(score) != y,
    },
}
REAL = [_realisable(3, 4, 1), _realisable(6, 8, 3), _realisable(15, 20, 6),
        _realisable(15, 20, 11), _realisable(30, 40, 23)]
_STRIKES = {w: rule for w, rule in RULES["kept"].items() if "again" not in w}
HALVING = Family(Halving, REAL, **RULES | {"kept": _STRIKES})
RESTART = Family(Halving, [free(3, 6, 0), free(4, 12, 1), free(7, 30, 2)], **RULES)
numbers("online-game-warm-up", "Only mistakes must halve the number.",
        "A limit says +1 if it is at most the weight.",
        says=([1, 1, -1, 0], {
            "of the last two limits one says +1 and one −1, which is a tie":
                [1, 1, -1, 1],
            "these are the labels": [-1, 1, -1, 1]}),
        left=([4, 3, 2, 1], {
            "so many are possible before each round": [9, 4, 3, 2],
            "so many are struck out": [5, 1, 1, 1]}))
wanted("online-game-loop", HALVING, "The same six lines play any class.",
       "Keep an array of bool: which hypotheses are left.",
       "x[alive].sum() is the vote.")
wanted("online-game-code", HALVING, "The version space is a set, whatever keeps it.",
       "score is a vote: x[h] summed over the hypotheses h that are left.",
       "update keeps the h with x[h] == y.")
wanted("online-game-prior", HALVING, "M ≤ log₂(1/p) for a target of prior p.",
       "Only score changes.",
       points=[{"score": "weighs those that are left by the prior"}])
wanted("online-game-restart", RESTART, "Each restart is a mistake of the best, too.",
       "If nobody agrees, go back to start().",
       points=[{"kept": "begins again with all of them when none is left"}])
numbers("online-game-guess", "Here somebody else chooses the questions.",
        "How many hypotheses are there?", given={"n": 100},
        mistakes=(lambda g: int(math.log2(g.n)), {
            "this is what a binary search asks": lambda g: math.ceil(math.log2(g.n)),
            "a number of mistakes is whole": lambda g: math.log2(g.n),
            "this is the bound of the consistent learner": lambda g: g.n - 1}))


@exercise("online-game-pseudo", "The best in hindsight was lucky.",
          "How often does each expert err on average, before any coin has fallen?",
          "On each stream the regret compares with the best expert of that stream.")
def _pseudo(pseudo: float, regret: float) -> None:
    must(abs(pseudo) < 5, f"pseudo = {pseudo:g}: this compares with the luckiest "
         "expert of each stream, which is what the regret does")
    must(pseudo == 0, f"pseudo = {pseudo:g}: the noise of the streams is still in it. "
         "Put the expectations themselves into the definition")
    must(regret > 5, f"regret = {regret:g}: take the best expert on each stream before "
         "the mean over the streams, not after it")
    size = "large" if regret > 15 else "small"
    must(13 < regret < 18, f"regret = {regret:g} is too {size} for a mean of 300 "
         "streams with 10 experts and 400 rounds")


@exercise("online-game-whole", "It never changes, so it errs in every round.",
          "Find a parcel on which most limits are wrong.")
def _whole(parcel: int, limit: int) -> None:
    table = halving.thresholds(16)
    must(parcel in range(16) and limit in range(17),
         "the parcel lies between 0 and 15 kg, and the limit between 0 and 16")
    votes, label = table[:, parcel].sum(), table[limit, parcel]
    must(np.sign(votes) != label,
         f"with the limit {limit} the majority is right about a parcel of {parcel} kg")
