"""Experts, halving and bandits: the first four chapters, and the one on bandits."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import olc
from olc import halving
from olc_book.exercises.core import exercise, must
from olc_book.exercises.learners import Family, Game, variant, wanted
from olc_book.exercises.tables import behaves, bisected, cases, numbers

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off


def _signs(n: int, rounds: int, seed: int) -> Any:
    return np.random.default_rng(seed).choice([-1, 1], (rounds, n))


def _realisable(points: int, rounds: int, seed: int) -> Game:
    table = halving.thresholds(points)
    asked = np.random.default_rng(seed).integers(points, size=rounds)
    return Game(table.T[asked], table[seed % len(table), asked])


def _free(n: int, rounds: int, seed: int) -> Game:
    return Game(_signs(n, rounds, seed), _signs(1, rounds, seed + 9)[:, 0])


# --- halving -----------------------------------------------------------------------


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
RESTART = Family(Halving, [_free(3, 6, 0), _free(4, 12, 1), _free(7, 30, 2)], **RULES)

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


# --- weighted majority --------------------------------------------------------------

GAMES = [
    Game([[1, -1, -1]], [1]), Game([[1, 1, -1], [1, 1, -1], [1, -1, -1]], [-1, -1, 1]),
    _free(4, 8, 3), _free(5, 25, 4), _free(3, 12, 5),
    Game([[1, -1], [1, -1], [-1, 1]], [1, -1, -1]),
]


def _votes(self: Any, x: Any) -> Any:
    return (x * self.weights).sum() / self.weights.sum()


EXPERTS: Any = {
    "wants_update": {
        "learns in every round": lambda self, score, y: True,
        "learns only when it errs itself": lambda self, score, y:
            np.sign(score) != y,
        "learns from its mistakes, but not from a tie": lambda self, score, y:
            y * score < 0,
        "learns only when it is right": lambda self, score, y: np.sign(score) == y,
    },
    "step": {
        "takes weight from the experts that are wrong": lambda self, m, x, y:
            m + (x != y),
        "takes weight from the experts that are right": lambda self, m, x, y:
            m + (x == y),
        "takes weight from those that say +1": lambda self, m, x, y: m + (x > 0),
    },
    "link": {
        "keeps the share 1 − η": lambda self, m: (1 - self.eta) ** m,
        "keeps the share η": lambda self, m: self.eta**m,
        "subtracts η": lambda self, m: np.maximum(1 - self.eta * m, 0) + 1e-9,
        "strikes out at once": lambda self, m: 1e-9**m,
    },
}
ASKS = {
    "asks the weighted majority": _votes,
    "counts heads": lambda self, x: x.sum(),
    "asks the leader, the first at a tie": lambda self, x: x[self.state.argmin()],
    "asks the leader, the last at a tie":
        lambda self, x: x[self.n - 1 - self.state[::-1].argmin()],
    "asks the worst expert": lambda self, x: x[self.state.argmax()],
}
MAJORITY = Family(olc.WeightedMajority, GAMES, args={"eta": 0.3}, score=ASKS, **EXPERTS)
wanted("weighted-majority-update", MAJORITY, "Experts are judged in every round.")
wanted("weighted-majority-leader", MAJORITY, "It may err N times as often as the best.",
       "learner.losses counts the mistakes of each expert.",
       points=[{"score": "asks the leader, the first at a tie"}])
wanted("weighted-majority-lazy", MAJORITY, "Step 3 of the proof becomes stronger.",
       "Which hook says whether to learn?", "self.decide(score) != y is a mistake.",
       points=[{"wants_update": "learns only when it errs itself"}])
RANDOM = Family(
    olc.RandomizedWeightedMajority, GAMES, args={"eta": 0.3}, signs=False,
    error_chance={
        "errs with the share of weight that is wrong": lambda _, s, y: (1 - y * s) / 2,
        "errs with the share of weight that is right": lambda _, s, y: (1 + y * s) / 2,
        "errs whenever the majority does": lambda self, s, y: float(y * s <= 0),
    },
    score={"asks the weighted majority": _votes, "counts heads": lambda _, x: x.mean()},
    **EXPERTS)
wanted("randomized-weighted-majority-chance", RANDOM, "A round costs a share.",
       "What share of the weight says y?")


def _varies(factor: float, late: int = 1, n: Any = None, power: int = -1) -> Any:
    def score(self: Any, x: Any) -> Any:
        t = max(self.rounds + late, 1)
        rate = factor * math.sqrt(math.log(n or self.n) * float(t) ** power)
        weights = np.exp(-rate * (self.losses - self.losses.min()))
        return float(x @ weights / weights.sum())

    return score


VARYING = Family(
    olc.RandomizedWeightedMajority, GAMES, args={"eta": 0.5}, signs=False,
    score={
        "has the rate 2√(ln N/t)": _varies(2),
        "has the rate √(ln N/t)": _varies(1),
        "counts t from 2": _varies(2, 2),
        "counts t from 0": _varies(2, 0),
        "forgets ln N": _varies(2, 1, math.e),
        "has a fixed rate": _votes,
        "multiplies by t under the root": _varies(2, power=1),
    },
    **{k: EXPERTS[k] for k in ("wants_update", "step")})
wanted("randomized-weighted-majority-varying", VARYING,
       "No T is needed, and the bound is √(T ln N).", "Override score.",
       "learner.rounds counts from 0, so t is learner.rounds + 1.")

numbers("weighted-majority-order", "The weights do not depend on the order.",
        "Halve the weight of an expert for each of its mistakes.",
        weights=([1 / 2, 1 / 16, 1 / 16, 1 / 64], {
            "these are the numbers of mistakes; each halves a weight": [1, 4, 4, 6],
            "these are the weights before the last round":
                [1 / 2, 1 / 8, 1 / 8, 1 / 32]}),
        mistakes=(3, {"the first two rounds are mistakes, and so is a later one": 2,
                      "experts lose weight even when the vote was right": 4}))
behaves("weighted-majority-eta", cases((40, 16), (100, 16), (400, 64)),
        lambda m, n: math.sqrt(math.log(n) / m), {
    "is upside down": lambda m, n: math.sqrt(m / math.log(n)),
    "forgets the root": lambda m, n: math.log(n) / m,
    "takes log₂": lambda m, n: math.sqrt(math.log2(n) / m),
    "halves it": lambda m, n: math.sqrt(math.log(n) / m) / 2,
    "has a 2 under the root, but both terms have it": lambda m, n:
        math.sqrt(2 * math.log(n) / m),
    "has a ½ under the root, but both terms have the 2": lambda m, n:
        math.sqrt(math.log(n) / (2 * m)),
    "exchanges m and N": lambda m, n: math.sqrt(math.log(m) / n),
    "is the bound, not the η": lambda m, n: 2 * m + 4 * math.sqrt(m * math.log(n)),
}, "Both terms are then equal.", "Differentiate 2ηm + 2 ln N/η.")


_MAJ = bisected(
    lambda e: math.log1p(-e) / math.log1p(-e / 2) <= 2 * (1 + e), 0.5, 0.99)
_RAND = bisected(lambda e: -math.log1p(-e) <= e + e * e, 0.5, 0.99)
numbers("weighted-majority-simple", "Above it the simple form may be false.",
        "Bisect: is ln(1/(1 − η)) ≤ 2(1 + η) ln(1/(1 − η/2))?",
        eta=(_MAJ, {"this is the limit with coins": _RAND,
                    "this is what the theorem asks for, but more is allowed": 0.5}))
numbers("randomized-weighted-majority-simple", "Above it the simple form may be false.",
        "Compare the factors of m.", "Bisect: is ln(1/(1 − η)) ≤ η + η²?",
        eta=(_RAND, {"this is the limit without coins": _MAJ,
                     "this is what the theorem asks for, but more is allowed": 0.5}))
numbers("randomized-weighted-majority-small-m", "Half of the bound without coins.",
        "At the minimum of ηm + ln N/η the two terms are equal.",
        given={"n": 16, "m": 100},
        eta=(lambda g: math.sqrt(math.log(g.n) / g.m), {
            "the root is missing": lambda g: math.log(g.n) / g.m,
            "the logarithm is natural, not to base 2":
                lambda g: math.sqrt(math.log2(g.n) / g.m)}),
        bound=(lambda g: g.m + 2 * math.sqrt(g.m * math.log(g.n)), {
            "this is the bound without coins":
                lambda g: 2 * g.m + 4 * math.sqrt(g.m * math.log(g.n)),
            "this is the bound on the regret": lambda g:
                2 * math.sqrt(g.m * math.log(g.n))}))
behaves("randomized-weighted-majority-losses",
        cases((np.ones(2), np.array([0.5, 0]), 0.5),
              (np.array([0.5, 1, 0.2]), np.array([1, 0.25, 0]), 0.1)),
        lambda w, loss, eta: w * (1 - eta * loss), {
    "rewards losses": lambda w, loss, eta: w * (1 + eta * loss),
    "takes the same share from everybody who has a loss":
        lambda w, loss, eta: w * np.where(loss > 0, 1 - eta, 1),
    "takes the power (1 − η)^ℓ, which would do but is not what is asked for":
        lambda w, loss, eta: w * (1 - eta) ** loss,
    "subtracts ηℓ from the weight, not a share of it":
        lambda w, loss, eta: w - eta * loss,
    "multiplies by ηℓ, what should go, not by what stays":
        lambda w, loss, eta: w * eta * loss,
}, "(1 − η)^ℓ ≤ 1 − ηℓ: a chord of a convex function.", "Return the new weights.")
numbers("randomized-weighted-majority-lower", "The ties double the regret.",
        "E|S| is about √(2T/π).", "E|S| is also the expected number of ties.",
        given={"T": 400},
        coins=(lambda g: math.sqrt(g.T / (2 * math.pi)), {
            "this is E|S|, and the regret is half of it":
                lambda g: math.sqrt(2 * g.T / math.pi),
            "this is √T/2, but E|S| is less than √T": lambda g: math.sqrt(g.T) / 2}),
        majority=(lambda g: math.sqrt(2 * g.T / math.pi), {
            "each tie adds half a mistake": lambda g: math.sqrt(g.T / (2 * math.pi)),
            "this is √T, but E|S| is less": lambda g: math.sqrt(g.T)}))

numbers("randomized-weighted-majority-many", "Each block is the game of two experts.",
        "How many blocks are there, and how long is each of them?",
        "Each of the d blocks has T/d rounds and costs √(T/(2πd)).",
        given={"n": 16, "T": 400},
        bound=(lambda g: math.sqrt(g.T * math.log2(g.n) / (2 * math.pi)), {
            "this is the number for two experts":
                lambda g: math.sqrt(g.T / (2 * math.pi)),
            "the number of bits is log₂ N, not ln N":
                lambda g: math.sqrt(g.T * math.log(g.n) / (2 * math.pi)),
            "this is the regret in one block":
                lambda g: math.sqrt(g.T / math.log2(g.n) / (2 * math.pi)),
            "a block has T/d rounds, not T":
                lambda g: math.log2(g.n) * math.sqrt(g.T / (2 * math.pi)),
            "this is the upper bound": lambda g: 2 * math.sqrt(g.T * math.log(g.n))}))


def _epochs(grow: int = 2, tuned: Any = None, less: int = 1, first: int = 1,
            count: str = "expected_mistakes") -> Any:
    def regret(stream: Any) -> float:
        n, start, length, expected = stream.n, 0, first, 0.0
        while start < len(stream):
            rate = olc.randomized_weighted_majority.best_eta(n, tuned or length)
            learner = olc.RandomizedWeightedMajority(n, eta=rate)
            epoch = stream[start : start + length]
            expected += getattr(olc.play(learner, epoch), count)
            start, length = start + length, grow * length
        return expected - less * olc.weighted_majority.best_expert(stream)[1]

    return regret


_EXPERTS = [olc.streams.experts(n, 60, seed=n, error=0.5, best=0.3) for n in (4, 16)]
behaves("randomized-weighted-majority-doubling",
        lambda f: {f"with {one.n} experts": f(one) for one in _EXPERTS}, _epochs(), {
    "returns the expected mistakes, not the regret": _epochs(less=0),
    "counts the mistakes of one game, not the expected ones":
        _epochs(count="mistakes"),
    "plays all rounds as one epoch": _epochs(first=60),
    "never lengthens an epoch": _epochs(grow=1),
    "keeps the rate of the first epoch": _epochs(tuned=1),
    "tunes each epoch to all of the rounds": _epochs(tuned=60),
}, "It needs no T, but each start forgets what was learnt.",
    "stream[start : start + length] is an epoch.",
    "trace.expected_mistakes of the epochs are added up.")


def _duelled(adversary: Any, learner: Any, rounds: int) -> Any:
    """Let an adversary, or what makes one, play against a learner."""
    rival = adversary() if isinstance(adversary, type) else adversary
    trace = olc.duel(learner, rival, rounds)
    return trace, olc.weighted_majority.best_expert(trace.stream)[1]


@exercise("weighted-majority-follow", "In every N rounds each expert errs once.",
          "Let the leader alone be wrong.")
def _follow(adversary: Any, n: int = 10, m: int = 10) -> None:
    kind = MAJORITY.kind(MAJORITY.choice(score="asks the leader, the first at a tie"))
    trace, best = _duelled(adversary, kind(n, eta=0.5), n * (m + 1) - 1)
    most = n * (m + 1) - 1
    must(best <= m, f"the mistakes of the best expert come to {best}, not to {m}")
    must(trace.mistakes == most,
         f"it forces {trace.mistakes} of {most} mistakes on the leader")


def _two(adversary: Any, m: int = 5) -> None:
    follows = MAJORITY.kind(MAJORITY.choice(score="asks the leader, the last at a tie"))
    for learner in (olc.WeightedMajority(2, eta=0.3), follows(2, eta=0.3)):
        trace, best = _duelled(adversary, learner, 2 * m + 1)
        must(trace.mistakes == 2 * m + 1, f"it forces {trace.mistakes} of {2 * m + 1} "
             f"mistakes on {type(learner).__name__}")
        must(best <= m, f"the better expert errs {best} times, and {m} are allowed")


for _name in ("tightness-two", "weighted-majority-two"):
    exercise(_name, "Every round is a mistake of the learner and of one expert.",
             "Let the experts disagree, and contradict the learner.")(_two)


@exercise("weighted-majority-bits", "After d − 1 rounds the game of two is left.",
          "Number the experts by d bits. In round j each says its j-th bit.",
          "From round d on all of them say their last bit.")
def _bits(tournament: Any) -> None:
    leader = MAJORITY.kind(MAJORITY.choice(score="asks the leader, the last at a tie"))
    for d, m in ((1, 3), (3, 0), (4, 5)):
        for kind in (olc.WeightedMajority, leader):
            learner = kind(2**d, eta=0.5)
            trace, best = _duelled(tournament(d, m), learner, 2 * m + d)
            case = f"with d = {d} and m = {m}"
            must(trace.mistakes == 2 * m + d, f"{case} it forces {trace.mistakes} of "
                 f"{2 * m + d} mistakes on {kind.__name__}")
            must(best <= m, f"{case} the mistakes of the best expert come to {best}")


def _votes_long(divide: bool, rate: float = 0.5) -> Any:
    def loop(stream: Any) -> int:
        weights, mistakes = np.ones(stream.n), 0
        for x, y in stream:
            mistakes += int(np.sign(weights @ x) != y)
            weights = weights * np.where(x == y, 1, 1 - rate)
            weights = weights / weights.max() if divide else weights
        return mistakes

    return loop


_GUESSES = olc.streams.experts(4, rounds=5000, seed=0)
behaves("weighted-majority-code", lambda f: {"in 5000 rounds": f(_GUESSES)},
        _votes_long(True), {
    "lets all weights vanish, and each later round is a tie": _votes_long(False),
    "keeps all weights as they are": _votes_long(True, 0.0),
}, "The vote does not change when all weights are divided by the same number.",
    "When does a vote not change, although all weights do?",
    "Divide all weights by the largest of them, in every round.")


@exercise("weighted-majority-half", "With η = 0.9 the simple form is false.",
          "Let the heaviest experts be wrong, just enough to hold half.")
def _half(adversary: Any) -> None:
    trace, best = _duelled(adversary, olc.WeightedMajority(512, eta=0.9), 2000)
    simple = 2 * 1.9 * best + 2 * math.log(512) / 0.9
    must(trace.mistakes > simple,
         f"it forces M = {trace.mistakes}, and the simple form allows {simple:.1f}")


@exercise("errata-logarithm", "Base 10 is false; base 2 is safe, and e is right.",
          "Let half of the experts err in each of ten rounds.")
def _logarithm(stream: Any) -> None:
    must(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
    must(stream.n == 1024, f"there are {stream.n} experts, not 1024")
    made = olc.play(olc.WeightedMajority(1024, eta=0.5), stream).mistakes
    best = olc.weighted_majority.best_expert(stream)[1]
    bound = 4 * math.log10(1024) + 3 * best
    must(made > bound, f"{made} mistakes; to base 10 {bound:.2f} are allowed")


@exercise("errata-regret", "Its regret is half of the rounds, for every η.",
          "What should the label be if two experts never agree?")
def _regret(adversary: Any) -> None:
    must(callable(adversary), "give a function of the learner that returns x and y")
    for eta in (0.1, 0.5):
        vote = olc.WeightedMajority(2, eta=eta)
        trace, best = _duelled(adversary, vote, 400)
        must(trace.mistakes - best >= 100,
             f"with η = {eta} the mistakes in {len(trace)} rounds are "
             f"{trace.mistakes} of the vote and {best} of the better expert")


# --- the optimal learner ------------------------------------------------------------


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
def _gap(table: Any, gap: int = 2) -> str:
    table = halving.as_class(table)
    must(len(table) <= 400, "at most 400 hypotheses, so that it can be computed")
    rival = olc.adversaries.Contrary(table)
    made = olc.duel(olc.Halving(len(table)), rival, 100).mistakes
    best = _ldim(table)
    said = f"{made} mistakes are forced on halving, and the dimension is {best}"
    must(made - best >= gap, f"{said}: the difference should be {gap} or more")
    return f"{said}."


# --- bandits ------------------------------------------------------------------------

numbers("bandits-hand", "The rare arm has the large variance.",
        "Divide the loss by the chance.", "The variance is ℓ²(1/p − 1).",
        estimates=([0.8, 3.2], {"these are the losses, not yet divided": [0.6, 0.8],
                                "divide by the chance; this multiplies": [0.45, 0.2]}),
        variances=([0.12, 1.92], {
            "these are the standard deviations": [0.12**0.5, 1.92**0.5],
            "the squares of the means must be subtracted": [0.48, 2.56]}),
        implicit=([0.6, 1.6], {"γ must be added to the chance": [0.8, 3.2],
                               "these are the means of the estimates": [0.45, 0.4]}))
numbers("bandits-careless", "Arms that lose less are drawn more, but not always.",
        "At rest p μ is the same for all arms.",
        "With one arm of mean 0.4 and four of 0.6, what share has 1/0.4?",
        chance=(3 / 11, {"there are four other arms": 3 / 5,
                         "then it would not prefer the best arm at all": 0.2,
                         "the chances are proportional to 1/μ, not to μ": 1 / 7}),
        regret=(0.2 * 8 / 11, {"this is the loss in the rounds with another arm": 0.2,
                               "this is for the best arm's share of 1/5": 0.16}))
numbers("bandits-gamma", "The theorem must serve both games, and η/2 is between.",
        "Print the mean regret of each game for the factors 0, 1/2, 1 and 2.",
        turning=(2, {"this is the worst of them": 0,
                     "this is the compromise, and a larger γ does better": 0.5}),
        random=(0, {"this is the worst of them": 2,
                    "this is the compromise, and a smaller γ does better": 0.5}))


def _terms(g: Any, delta: Any = None) -> float:
    unit = math.sqrt(math.log(g.K) / (g.K * g.T))
    beta = math.sqrt(math.log(g.K / (delta or g.delta)) / (g.K * g.T))
    learner = olc.Exp3P(g.K, eta=0.95 * unit, gamma=1.05 * g.K * unit, beta=beta)
    return float(olc.bandits.high_probability_bound(learner, g.T, g.delta))


numbers("bandits-p", "The constant of the theorem leaves some room.",
        "Use η = 0.95u, γ = 1.05Ku and β = √(ln(K/δ)/(KT)), where u is √(ln K/(KT)).",
        "bandits.high_probability_bound adds the terms up.",
        given={"K": 5, "T": 10_000, "delta": 0.05},
        terms=(_terms, {
            "this is what the theorem says": lambda g:
                5.15 * math.sqrt(g.K * g.T * math.log(g.K / g.delta)),
            "the last term, ln(K/δ)/β, is missing": lambda g:
                _terms(g) - math.sqrt(g.K * g.T * math.log(g.K / g.delta)),
            "this is for β = √(ln K/(KT)), without δ": lambda g: _terms(g, 1)}))
numbers("bandits-banditron", "The mean square is 0.8 + 10.1 + 0.1 = K/γ + 1.",
        "The best guess has the chance 1 − γ + γ/K.",
        "Only after answer 2 do both rows change, the second by x/0.1.",
        chances=([0.8, 0.1, 0.1], {
            "the best guess is drawn when exploring, too": [0.7, 0.15, 0.15],
            "each of the others has γ/K, not γ": [0.4, 0.3, 0.3]}),
        squares=([1, 101, 1], {
            "after answer 2 the first row changes, too": [1, 100, 1],
            "the first row always changes": [0, 101, 0],
            "the rows are squared one by one, not added first": [1, 81, 1]}))


def _estimates(kind: Any) -> dict[str, Any]:
    learner = kind(2, eta=0.5)
    drawn, chances = np.array([True, False]), np.array([0.25, 0.75])
    found = {}
    for loss in (0.5, 1.0):
        value = learner.estimate(loss, drawn, chances)
        found[f"for the loss {loss:g}"] = value if value is None else np.asarray(value)
    return found


def _gets(rule: Any) -> Any:  # a rule of loss, drawn and chances
    return variant(olc.Exp3, estimate=lambda self, *facts: rule(*facts))


behaves("bandits-estimate", _estimates, _gets(lambda loss, drawn, p: drawn * loss), {
    "divides by the chance, as Exp3 does": olc.Exp3,
    "punishes the arms that were not drawn":
        _gets(lambda loss, drawn, p: (1 - drawn) * loss),
    "gives the loss to all arms": _gets(lambda loss, drawn, p: loss + 0 * p),
    "multiplies by the chance": _gets(lambda loss, drawn, p: drawn * loss * p),
}, "It underestimates what it seldom tries.",
    "The argument drawn is true for the arm that was drawn.")


def _hedge(losses: Any, eta: Any = None, late: bool = True) -> Any:
    T, K, _ = losses.shape
    rate = math.sqrt(8 * math.log(K) / T) if eta is None else eta
    total = np.cumsum(losses, axis=0, dtype=float) - late * losses
    power = rate * (total.min(1, keepdims=True) - total)
    chances = np.exp(power) / np.exp(power).sum(axis=1, keepdims=True)
    return (chances * losses).sum(axis=(0, 1)) - losses.sum(axis=0).min(axis=0)


_coinflips = np.random.default_rng(0).integers(0, 2, (60, 3, 2))
behaves("bandits-information", lambda f: {"on 3 arms": f(_coinflips)}, _hedge, {
    "looks at the loss of the round before it chooses":
        lambda losses: _hedge(losses, late=False),
    "has another rate, √(ln K/T)":
        lambda losses: _hedge(losses, math.sqrt(math.log(3) / 60)),
    "does not learn": lambda losses: _hedge(losses, 0.0),
    "returns the mean of the runs, not the regret of each":
        lambda losses: _hedge(losses).mean(),
    "returns the expected loss, not the regret":
        lambda losses: _hedge(losses) + losses.sum(axis=0).min(axis=0),
}, "By the bounds, seeing everything is worth 2√K.", "Cumulate the losses before t.")
behaves("bandits-adaptive", cases(np.array([[0.2, 0.4], [0.5, 0.4], [0.3, 0.2]])),
        lambda p: p == p.max(axis=0), {
    "lets the least likely arm lose": lambda p: p == p.min(axis=0),
    "lets only the first arm lose where several are likeliest":
        lambda p: np.arange(len(p))[:, None] == p.argmax(axis=0),
    "lets all but the likeliest lose": lambda p: p < p.max(axis=0),
    "compares with the largest chance in all runs, not in each": lambda p: p == p.max(),
}, "The regret is no longer the pseudo-regret.",
    "Compare the chances with their maximum.",
    "chances has a row per arm and a column per run: take the maximum over axis 0.")
