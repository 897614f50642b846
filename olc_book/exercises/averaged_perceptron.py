"""Exercises of the chapter `averaged_perceptron`."""

from collections import Counter

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

@exercise("averaged-factor", "The factor 2 cannot be spared in general.",
          "Let one hypothesis have slightly more than half of the rounds.")
def _factor(lifetimes: Any, errors: Any) -> None:
    lives, chances = np.asarray(lifetimes, float), np.asarray(errors, float)
    must(lives.shape == chances.shape and (lives > 0).all(),
         "give a chance of an error for each positive lifetime")
    must(((chances >= 0) & (chances <= 1)).all(), "chances lie between 0 and 1")
    # in the worst case the hypotheses err together
    order = np.argsort(-chances)
    half = np.cumsum(lives[order]) >= lives.sum() / 2
    vote, mean = chances[order][half.argmax()], lives @ chances / lives.sum()
    must(mean > 0, "somebody has to err")
    must(vote > 1.9 * mean, f"the vote errs with {vote:.4g}, a random hypothesis with "
         f"{mean:.4g}: the ratio is {vote / mean:.3g}, not above 1.9")


@exercise("averaged-vote", "Long weights count in the average, long lives in the vote.",
          "Which of the two does a long weight vector with a short life win?",
          "Begin with x = 10 and x = 11, of different labels.")
def _vote(stream: olc.Stream) -> None:
    must(stream.n == 1, f"it should have one dimension, not {stream.n}")
    said = {}
    for kind in (olc.VotedPerceptron, olc.AveragedPerceptron):
        learner = kind(1)
        olc.play(learner, stream)
        said[kind] = [int(learner.predict([x], final=True)) for x in (2.0, -2.0)]
    vote, mean = said.values()
    must(all(a * b == -1 for a, b in zip(vote, mean, strict=True)),
         f"about x = 2 and −2 the vote says {vote} and the average {mean}")


def _sparse(after: int = 0, late: bool = True, tie: float = 0) -> Any:
    def average(examples: Any) -> Any:
        w: Any = Counter()
        a: Any = Counter()
        for t, (active, label) in enumerate(examples, start=1):
            if label * sum(w[i] for i in active) <= tie:
                for i in active:
                    w[i] += label
                    a[i] += (t - after) * label
        return {i: w[i] - a[i] / t * late for i in w}

    return average


def _averages(function: Any) -> dict[str, Any]:
    bits = streams.disjunction(8, k=2, rounds=60, seed=0)
    pairs = [(np.flatnonzero(x).tolist(), y) for x, y in bits]
    found = function(pairs)
    must(isinstance(found, dict), "it should return a dictionary")
    values = np.array([float(found.get(i, 0)) for i in range(8)])
    return {"on a disjunction of 2 among 8 features": values}


behaves("averaged-sparse", _averages, _sparse(), {
    "returns the last weights": _sparse(late=False),
    "averages the weights after each round": _sparse(after=1),
    "does not learn from a tie": _sparse(tie=-1e-9),
}, "A round costs as much as it has active features.",
    "Keep w and a, where a gets t times the label.")
numbers("averaged-counter", "A positive factor changes no sign.",
        "In how many of w₂, …, w_{T+1} is the update of round s?", given={"T": 9},
        factor=(lambda g: g.T / (g.T + 1), {
            "it is the other way round": lambda g: (g.T + 1) / g.T,
            "this is the factor for a counter that starts at 0": 1}))


@exercise("averaged-tail", "The beginning is not negligible: it is half of the rounds.",
          "The sum over the second half is that over the whole less the first.")
def _tail(difference: float) -> None:
    must(difference > 0, f"{difference:g} is not positive: is it the error of the "
         "second half less that of the whole game?")
    must(difference > 0.2, f"{difference:g} is small: is it in percentage points?")
    must(2 < difference < 6, f"over twenty splits it is between 2 and 6, not "
         f"{difference:g}: are the labels of the test clean?")


def _mean(after: bool = False, tie: float = 0.0, last: bool = False,
          short: bool = False) -> Any:
    def game(X: Any, y: Any) -> Any:
        w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for x, label in zip(X, y, strict=True):
            total += 0 if after else w
            if label * (w @ x) <= tie:
                w = w + label * x
            total += w if after else 0
        return w if last else total / (1 if short else len(y))

    return game


def _on_reals(game: Any) -> dict[str, Any]:
    found = {}
    for seed in (0, 1, 2):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-3, 4, (40, 3)), rng.choice([-1, 1], 40)
        found[f"on stream {seed + 1}"] = np.round(game(X, y), 9).tolist()
    return found


numbers("averaged-warm-up", "The last update comes too late for the average.",
        "A score of 0 is a tie, and a mistake.",
        weights=([0, 1, -1, -1], {
            "these are the weights after the rounds": [1, -1, -1, 0],
            "a negative x with the label +1 is added, too": [0, 1, 3, 3]}),
        average=(-0.25, {"this is the last weight": 0,
                         "divide by four, not by three": -1 / 3}))
behaves("averaged-loop", _on_reals, _mean(), {
    "takes the weights after each round": _mean(after=True),
    "returns the last weights": _mean(last=True),
    "returns the sum, not the mean": _mean(short=True),
    "does not count a tie as a mistake": _mean(tie=-1e-9),
}, "Only the mistakes cost anything.", "w − a/T is the mean of w₁, …, w_T.",
    "At a mistake in round t add t·y·x to a.")
