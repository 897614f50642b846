"""Exercises of the chapter `weighted_majority`."""

from olc_book.exercises.kit import *
from olc_book.exercises.online_game import free

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

def votes(self: Any, x: Any) -> Any:
    return (x * self.weights).sum() / self.weights.sum()


GAMES = [
    Game([[1, -1, -1]], [1]), Game([[1, 1, -1], [1, 1, -1], [1, -1, -1]], [-1, -1, 1]),
    free(4, 8, 3), free(5, 25, 4), free(3, 12, 5), free(6, 50, 6),
    Game([[1, -1], [1, -1], [-1, 1]], [1, -1, -1]),
    Game(60 * [[1, -1, -1]], 30 * [-1] + 30 * [1]),  # for weights that have a floor
]
EXPERTS: Any = {
    "wants_update": {
        "learns in every round": lambda self, score, y: True,
        "learns only when it errs itself": lambda _, s, y: np.sign(s) != y,
        "learns from its mistakes, but not from a tie": lambda _, s, y: y * s < 0,
        "learns only when it is right": lambda self, score, y: np.sign(score) == y,
    },
    "step": {
        "takes weight from the experts that are wrong": lambda _, m, x, y: m + (x != y),
        "takes weight from the experts that are right": lambda _, m, x, y: m + (x == y),
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
    "asks the weighted majority": votes,
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
numbers("weighted-majority-warm-up", "The vote was right in the last round.",
        "Halve the weight of every expert that is wrong, in every round.",
        says=([-1, 1, 1, 1], {"these are the labels": [1, -1, -1, 1],
                              "this counts heads": [-1, 1, 1, -1]}),
        weights=([1 / 2, 1 / 16, 1 / 8], {
            "these are the numbers of mistakes; each halves a weight": [1, 4, 3],
            "experts lose weight even when the vote was right": [1 / 2, 1 / 8, 1 / 4]}))
behaves("weighted-majority-eta", cases((12, 16), (40, 16), (400, 64)),
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
LIMIT = bisected(
    lambda e: math.log1p(-e) / math.log1p(-e / 2) <= 2 * (1 + e), 0.5, 0.99)[0]
COIN_LIMIT = bisected(lambda e: -math.log1p(-e) <= e + e * e, 0.5, 0.99)[0]
numbers("weighted-majority-simple", "Above it the simple form may be false.",
        "Bisect: is ln(1/(1 − η)) ≤ 2(1 + η) ln(1/(1 − η/2))?",
        eta=(LIMIT, {"this is the limit with coins": COIN_LIMIT,
                    "this is what the theorem asks for, but more is allowed": 0.5}))


def duelled(adversary: Any, learner: Any, rounds: int) -> Any:
    """Let an adversary, or what makes one, play against a learner."""
    rival = adversary() if isinstance(adversary, type) else adversary
    trace = olc.duel(learner, rival, rounds)
    return trace, olc.weighted_majority.best_expert(trace.stream)[1]


def _forces(adversary: Any, learner: Any, rounds: int, m: int, case: str = "") -> None:
    """Demand a mistake in every round, and at most m of the best expert."""
    trace, best = duelled(adversary, learner, rounds)
    name = type(learner).__name__
    must(trace.mistakes == rounds,
         f"{case}it forces {trace.mistakes} of {rounds} mistakes on {name}")
    must(best <= m, f"{case}the best expert errs {best} times, and {m} are allowed")


@exercise("weighted-majority-follow", "In every N rounds each expert errs once.",
          "Let the leader alone be wrong.")
def _follow(adversary: Any) -> None:
    n = m = 10
    kind = MAJORITY.kind(MAJORITY.choice(score="asks the leader, the first at a tie"))
    _forces(adversary, kind(n, eta=0.5), n * (m + 1) - 1, m)


def _two(adversary: Any) -> None:
    m = 5
    follows = MAJORITY.kind(MAJORITY.choice(score="asks the leader, the last at a tie"))
    for learner in (olc.WeightedMajority(2, eta=0.3), follows(2, eta=0.3)):
        _forces(adversary, learner, 2 * m + 1, m)


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
            case = f"with d = {d} and m = {m} "
            _forces(tournament(d, m), kind(2**d, eta=0.5), 2 * m + d, m, case)


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
    trace, best = duelled(adversary, olc.WeightedMajority(512, eta=0.9), 2000)
    simple = 2 * 1.9 * best + 2 * math.log(512) / 0.9
    must(trace.mistakes > simple,
         f"it forces M = {trace.mistakes}, and the simple form allows {simple:.1f}")
