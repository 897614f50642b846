"""Experts, halving and bandits: the first four chapters, and the one on bandits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import olc
from olc import halving
from olc.exercises.core import exercise, need
from olc.exercises.learners import Family, Game, wanted
from olc.exercises.tables import behaves, cases, numbers

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


class _Possible(olc.Halving):
    """Halving that goes on when nobody is left."""

    def update(self, x: Any, y: Any) -> None:
        self.state = self.kept(x, y)

    def kept(self, x: Any, y: Any) -> Any:
        raise NotImplementedError


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
    },
    "kept": {
        "keeps those that agree with the label": lambda self, x, y:
            self.alive & (x == y),
        "begins again with all of them when none is left": _again,
        "keeps those that disagree": lambda self, x, y: self.alive & (x != y),
        "forgets who was struck out before": lambda self, x, y: x == y,
        "begins again with those that agree when none is left": lambda self, x, y:
            agree if (agree := self.alive & (x == y)).any() else x == y,
    },
    "wants_update": {
        "learns in every round": lambda self, score, y: True,
        "learns only when it errs": lambda self, score, y: self.decide(score) != y,
    },
}
REAL = [_realisable(3, 4, 1), _realisable(6, 8, 3), _realisable(15, 20, 6),
        _realisable(15, 20, 11), _realisable(30, 40, 23)]
_STRIKES = {w: rule for w, rule in RULES["kept"].items() if "again" not in w}
HALVING = Family(_Possible, REAL, **RULES | {"kept": _STRIKES})
RESTART = Family(_Possible, [_free(3, 6, 0), _free(4, 12, 1), _free(7, 30, 2)], **RULES)

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
            "this is the bound of the consistent learner": lambda g: g.n - 1}))
numbers("online-game-pseudo", "The minimum of the averages is not the average minimum.",
        pseudo=(0, {"this is about the expectation of the regret": 15.3}))


@exercise("online-game-whole", "It never changes, so it errs for ever.",
          "Find a parcel on which most limits are wrong.")
def _whole(parcel: int, limit: int) -> None:
    table = np.array([[1 if kg > top else -1 for kg in range(17)] for top in range(17)])
    need(parcel in range(17) and limit in range(17), "both lie between 0 and 16")
    votes, label = table[:, parcel].sum(), table[limit, parcel]
    need(np.sign(votes) != label, f"the majority is right about {parcel} kg at {limit}")


# --- weighted majority --------------------------------------------------------------

GAMES = [
    Game([[1, -1, -1]], [1]), Game([[1, 1, -1], [1, 1, -1], [1, -1, -1]], [-1, -1, 1]),
    _free(4, 8, 3), _free(5, 25, 4), _free(3, 12, 5),
]


def _votes(self: Any, x: Any) -> Any:
    return (x * self.weights).sum() / self.weights.sum()


EXPERTS: Any = {
    "wants_update": {
        "learns in every round": lambda self, score, y: True,
        "learns only when it errs itself": lambda self, score, y:
            np.sign(score) != y,
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
wanted("weighted-majority-leader", MAJORITY, "It errs N times as often as the best.",
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


def _varies(factor: float, late: int = 1, n: Any = None) -> Any:
    def score(self: Any, x: Any) -> Any:
        t = self.rounds + late
        rate = factor * math.sqrt(math.log(n or self.n) / t)
        weights = np.exp(-rate * (self.losses - self.losses.min()))
        return float(x @ weights / weights.sum())

    return score


VARYING = Family(
    olc.RandomizedWeightedMajority, GAMES, args={"eta": 0.5}, signs=False,
    score={
        "has the rate 2√(ln N/t)": _varies(2),
        "has the rate √(ln N/t)": _varies(1),
        "counts t from 2": _varies(2, 2),
        "forgets ln N": _varies(2, 1, math.e),
        "has a fixed rate": _votes,
    },
    **{k: EXPERTS[k] for k in ("wants_update", "step")})
wanted("randomized-weighted-majority-varying", VARYING,
       "No T is needed, and the bound is √(T ln N).", "Override score.",
       "learner.rounds counts from 0, so t is learner.rounds + 1.")

numbers("weighted-majority-order", "The weights do not depend on the order.",
        "Halve the weight of an expert for each of its mistakes.",
        weights=([1 / 2, 1 / 16, 1 / 16, 1 / 64], {
            "these are the numbers of mistakes": [1, 4, 4, 6]}),
        mistakes=(3, {"the first two rounds are mistakes, and one more": 2}))
behaves("weighted-majority-eta", cases((40, 16), (100, 16), (400, 64)),
        lambda m, n: math.sqrt(math.log(n) / m), {
    "is upside down": lambda m, n: math.sqrt(m / math.log(n)),
    "forgets the root": lambda m, n: math.log(n) / m,
    "takes log₂": lambda m, n: math.sqrt(math.log2(n) / m),
    "halves it": lambda m, n: math.sqrt(math.log(n) / m) / 2,
}, "Both terms are then equal.", "Differentiate 2ηm + 2 ln N/η.")


def _limit(excess: Any) -> float:
    low, high = 0.5, 0.99
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return low


_MAJ = _limit(lambda e: math.log1p(-e) / math.log1p(-e / 2) - 2 * (1 + e))
_RAND = _limit(lambda e: -math.log1p(-e) - e - e * e)
numbers("weighted-majority-simple", "Above it the simple form is false.",
        "Bisect: is ln(1/(1 − η)) ≤ 2(1 + η) ln(1/(1 − η/2))?",
        eta=(_MAJ, {"this is the limit with coins": _RAND,
                    "the theorem asks for it, but more is allowed": 0.5}))
numbers("randomized-weighted-majority-simple", "Above it the simple form may be false.",
        eta=(_RAND, {"this is the limit without coins": _MAJ,
                     "the theorem asks for it, but more is allowed": 0.5}))
numbers("randomized-weighted-majority-small-m", "Half of the bound without coins.",
        given={"n": 16, "m": 100},
        eta=(lambda g: math.sqrt(math.log(g.n) / g.m), {
            "forgets the root": lambda g: math.log(g.n) / g.m,
            "this is for T in place of m, with log₂":
                lambda g: math.sqrt(math.log2(g.n) / g.m)}),
        bound=(lambda g: g.m + 2 * math.sqrt(g.m * math.log(g.n)), {
            "this is the bound without coins":
                lambda g: 2 * g.m + 4 * math.sqrt(g.m * math.log(g.n)),
            "this is the bound on the regret": lambda g:
                2 * math.sqrt(g.m * math.log(g.n))}))
behaves("randomized-weighted-majority-losses",
        cases(([1.0, 1.0], [0.5, 0.0], 0.5), ([0.5, 1.0, 0.2], [1.0, 0.25, 0.0], 0.1)),
        lambda w, loss, eta: (np.array(w) * (1 - eta * np.array(loss))).tolist(), {
    "rewards losses": lambda w, loss, eta: (
        np.array(w) * (1 + eta * np.array(loss))).tolist(),
    "takes the same from everybody who has a loss": lambda w, loss, eta: (
        np.array(w) * np.where(np.array(loss) > 0, 1 - eta, 1)).tolist(),
    "subtracts": lambda w, loss, eta: (np.array(w) - eta * np.array(loss)).tolist(),
}, "(1 − η)^ℓ ≤ 1 − ηℓ: a chord of a convex function.", "Return the new weights.")
numbers("randomized-weighted-majority-lower", "A tie costs as much as a coin.",
        given={"T": 400},
        coins=(lambda g: math.sqrt(g.T / (2 * math.pi)), {
            "this is E|S|, and the regret is half of it":
                lambda g: math.sqrt(2 * g.T / math.pi)}),
        majority=(lambda g: math.sqrt(2 * g.T / math.pi), {
            "each tie adds half a mistake": lambda g: math.sqrt(g.T / (2 * math.pi))}))


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
    need(best <= m, f"the best expert errs {best} times, and {m} are allowed")
    need(trace.mistakes == n * (m + 1) - 1,
         f"the leader errs {trace.mistakes} times, not {n * (m + 1) - 1}")


def _two(adversary: Any, m: int = 5) -> None:
    follows = MAJORITY.kind(MAJORITY.choice(score="asks the leader, the last at a tie"))
    for learner in (olc.WeightedMajority(2, eta=0.3), follows(2, eta=0.3)):
        trace, best = _duelled(adversary, learner, 2 * m + 1)
        need(trace.mistakes == 2 * m + 1,
             f"{type(learner).__name__} errs {trace.mistakes} times, not {2 * m + 1}")
        need(best <= m, f"the better expert errs {best} times, and {m} are allowed")


for _name in ("tightness-two", "weighted-majority-two"):
    exercise(_name, "Every round is a mistake of the learner and of one expert.",
             "Let the experts disagree, and contradict the learner.")(_two)


@exercise("weighted-majority-half", "With η = 0.9 the simple form is false.",
          "Let the heaviest experts be wrong, just enough to hold half.")
def _half(adversary: Any) -> None:
    trace, best = _duelled(adversary, olc.WeightedMajority(512, eta=0.9), 2000)
    simple = 2 * 1.9 * best + 2 * math.log(512) / 0.9
    need(trace.mistakes > simple,
         f"{trace.mistakes} mistakes, and the simple form allows {simple:.1f}")


@exercise("errata-logarithm", "Base 10 is false; base 2 is safe, and e is right.",
          "Let half of the experts err in each of ten rounds.")
def _logarithm(stream: Any) -> None:
    need(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
    need(stream.n == 1024, f"there are {stream.n} experts, not 1024")
    made = olc.play(olc.WeightedMajority(1024, eta=0.5), stream).mistakes
    best = olc.weighted_majority.best_expert(stream)[1]
    bound = 4 * math.log10(1024) + 3 * best
    need(made > bound, f"{made} mistakes; to base 10 {bound:.2f} are allowed")


# --- the optimal learner ------------------------------------------------------------


def _ldim(table: Any) -> int:
    return int(olc.standard_optimal.littlestone_dimension(table))


behaves("standard-optimal-all", cases(1, 3, 7), lambda d: d, {
    "counts the functions": lambda d: 2**d,
    "is one too many": lambda d: d + 1,
}, "Without an assumption nothing is learnt.", "Every tree of depth d is shattered.")
behaves("standard-optimal-thresholds", cases(1, 3, 6, 7, 40),
        lambda p: int(math.log2(p + 1)), {
    "counts p thresholds, and there are p + 1": lambda p: int(math.log2(p)),
    "rounds up": lambda p: math.ceil(math.log2(p + 1)),
}, "Ask about the middle point.", "How many thresholds are there on p points?")


def _coins(table: Any, cost: Any = 0.5, join: Any = lambda a, b: (a + b) / 2) -> Any:
    table = np.asarray(table)
    if len(table) <= 1:
        return 0.0
    parts = ([table[x == s] for s in (-1, 1)] for x in table.T)
    return max(cost + join(*(_coins(p, cost, join) for p in pair))
               for pair in parts if all(map(len, pair)))


_CLASSES = [halving.singletons(4), halving.thresholds(5), halving.thresholds(7)]


def _valued(function: Any) -> dict[str, Any]:
    names = ("four singletons", "six thresholds", "eight thresholds")
    pairs = zip(names, _CLASSES, strict=True)
    return {f"for {name}": function(table) for name, table in pairs}


behaves("standard-optimal-coins", _valued, _coins, {
    "is the dimension, without coins": lambda t: _coins(t, 1.0, min),
    "takes the larger part, not the mean": lambda t: _coins(t, 0.5, max),
    "takes the smaller part, not the mean": lambda t: _coins(t, 0.5, min),
}, "It lies between half of the dimension and the dimension.",
    "Change two numbers in `dimension`.")
behaves("standard-optimal-vc", _valued, lambda table: 1, {
    "is the Littlestone dimension": _ldim,
    "is the logarithm of the number of hypotheses": lambda t: int(math.log2(len(t))),
    "counts the points": lambda t: t.shape[1],
}, "For thresholds it is 1, however many points there are.",
    "On how many points do all combinations of labels occur?")


@exercise("standard-optimal-gap", "And one more layer makes it one larger.",
          "Put a large family of singletons beside a small class.")
def _gap(table: Any, gap: int = 2) -> str:
    table = halving.as_class(table)
    need(len(table) <= 400, "at most 400 hypotheses, so that it can be computed")
    rival = olc.adversaries.Contrary(table)
    made = olc.duel(olc.Halving(len(table)), rival, 100).mistakes
    best = _ldim(table)
    said = f"{made} mistakes are forced on halving, and the dimension is {best}"
    need(made - best >= gap, f"{said}: the difference should be {gap} or more")
    return f"{said}."


# --- bandits ------------------------------------------------------------------------

numbers("bandits-hand", "The rare arm has the large variance.",
        "Divide the loss by the chance.", "The variance is ℓ²(1/p − 1).",
        estimates=([0.8, 3.2], {"divide by the chance": [0.6, 0.8],
                                "multiply by nothing else": [0.45, 0.2]}),
        variances=([0.12, 1.92], {"these are the deviations": [0.12**0.5, 1.92**0.5]}),
        implicit=([0.6, 1.6], {"γ is added to the chance": [0.8, 3.2]}))
numbers("bandits-careless", "Arms that lose less are drawn more, but not always.",
        "At rest p μ is the same for all arms.",
        chance=(3 / 11, {"there are four other arms": 3 / 5, "this is 1/5": 0.2}),
        regret=(0.2 * 8 / 11, {"the best arm loses nothing more": 0.2}))
numbers("bandits-banditron", "Right on average, at the price of the variance.",
        given={"classes": 3, "gamma": 0.3},
        square=(lambda g: g.classes / g.gamma + 1, {
            "this is the square of the mean step": 2,
            "the step in the first row counts, too": lambda g: g.classes / g.gamma}))


def _estimates(kind: Any) -> dict[str, Any]:
    learner = kind(2, eta=0.5)
    drawn, chances = np.array([True, False]), np.array([0.25, 0.75])
    found = {}
    for loss in (0.5, 1.0):
        value = learner.estimate(loss, drawn, chances)
        found[f"for the loss {loss:g}"] = value if value is None else np.asarray(value)
    return found


def _estimating(rule: Any) -> Any:
    return type("Careless", (olc.Exp3,), {"estimate": rule})


behaves("bandits-estimate", _estimates, _estimating(
    lambda self, loss, drawn, chances: drawn * loss), {
    "divides by the chance, as Exp3 does": olc.Exp3,
    "punishes the arms that were not drawn": _estimating(
        lambda self, loss, drawn, chances: (1 - drawn) * loss),
    "gives the loss to all arms": _estimating(
        lambda self, loss, drawn, chances: loss + 0 * chances),
    "multiplies by the chance": _estimating(
        lambda self, loss, drawn, chances: drawn * loss * chances),
}, "It underestimates what it seldom tries.",
    "`drawn` is true for the arm that was drawn.")


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
}, "Seeing everything is worth a factor of about √K.", "Cumulate the losses before t.")
behaves("bandits-adaptive", cases(np.array([0.2, 0.5, 0.3]), np.array([0.4, 0.4, 0.2])),
        lambda p: p == p.max(axis=0), {
    "lets the least likely arm lose": lambda p: p == p.min(axis=0),
    "lets one arm lose at a tie": lambda p: np.arange(len(p)) == p.argmax(),
    "lets all but the likeliest lose": lambda p: p < p.max(axis=0),
}, "The regret is no longer the pseudo-regret.",
    "Compare the chances with their maximum.")
