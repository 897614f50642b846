"""Exercises of the chapter `randomized_weighted_majority`."""

from olc_book.exercises.kit import *
from olc_book.exercises.weighted_majority import (
    COIN_LIMIT,
    EXPERTS,
    GAMES,
    LIMIT,
    votes,
)

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off



def _expects(share: Any, every_round: bool = True) -> Any:
    def expected(X: Any, y: Any) -> float:
        weights, total = np.ones(np.shape(X)[1]), 0.0
        for x, label in zip(X, y, strict=True):
            wrong = weights[x != label].sum()
            total += share(wrong, weights.sum())
            if every_round or 2 * wrong >= weights.sum():
                weights = weights * np.where(x == label, 1, 0.7)
        return total

    return expected


_STREAMS = [olc.streams.experts(n, 30, seed=n, error=0.4, best=0.2) for n in (3, 8)]
numbers("randomized-weighted-majority-warm-up", "In the last round the vote is right.",
        "The weights are those of the vote.", "Divide the wrong weight by the total.",
        chances=([2 / 3, 3 / 4, 3 / 5, 3 / 7], {
            "these are the shares that are right": [1 / 3, 1 / 4, 2 / 5, 4 / 7],
            "the shares count weights, not heads": [2 / 3, 2 / 3, 2 / 3, 2 / 3],
            "this is what happens to the vote": [1, 1, 1, 0]}))
behaves("randomized-weighted-majority-loop",
        lambda f: {f"with {one.n} experts": f(one.X, one.y) for one in _STREAMS},
        _expects(lambda wrong, total: wrong / total), {
    "adds the shares that are right": _expects(lambda wrong, total: 1 - wrong / total),
    "adds weights, not shares of the total": _expects(lambda wrong, total: wrong),
    "counts the mistakes of the vote":
        _expects(lambda wrong, total: 2 * wrong >= total),
    "learns only when the vote errs":
        _expects(lambda wrong, total: wrong / total, every_round=False),
}, "No coin is tossed: the chances are added up.",
    "The chance of a mistake is the share of the weight that is wrong.")


def _varies(factor: float, late: int = 1, n: Any = None, power: int = -1) -> Any:
    def score(self: Any, x: Any) -> Any:
        t = max(self.rounds + late, 1)
        rate = factor * math.sqrt(math.log(n or self.n) * float(t) ** power)
        weights = np.exp(-rate * (self.losses - self.losses.min()))
        return float(x @ weights / weights.sum())

    return score


VARYING = Family(
    olc.RandomizedWeightedMajority, GAMES, args={"eta": 0.5},
    score={
        "has the rate 2√(ln N/t)": _varies(2),
        "has the rate √(ln N/t)": _varies(1),
        "counts t from 2": _varies(2, 2),
        "counts t from 0": _varies(2, 0),
        "forgets ln N": _varies(2, 1, math.e),
        "has a fixed rate": votes,
        "multiplies by t under the root": _varies(2, power=1),
    },
    **{k: EXPERTS[k] for k in ("wants_update", "step")})
wanted("randomized-weighted-majority-varying", VARYING,
       "No T is needed, and the bound is √(T ln N).", "Override score.",
       "learner.rounds counts from 0, so t is learner.rounds + 1.")
numbers("randomized-weighted-majority-simple", "Above it the simple form may be false.",
        "Compare the factors of m.", "Bisect: is ln(1/(1 − η)) ≤ η + η²?",
        eta=(COIN_LIMIT, {"this is the limit without coins": LIMIT,
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
