"""The Perceptron and its neighbours: chapters 6 to 8, 15 and 16."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

import olc
from olc import adversaries, geometry, streams
from olc_book.exercises.core import STUB, exercise, must
from olc_book.exercises.learners import Family, Game, labels, variant, wanted
from olc_book.exercises.tables import behaves, cases, numbers

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off


def _whole(n: int, rounds: int, seed: int, high: int = 2) -> Any:
    return np.random.default_rng(seed).integers(-high, high + 1, (rounds, n))


GAMES = [
    Game([[1, 0]], [-1]),
    Game([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1]),
    Game([[1, 1], [0, 2], [1, -1]], [1, -1, 1]),
    Game([[1, 1], [1, -1], [-1, 1], [2, 1]], [1, -1, 1, 1], (([1, 0], 1), ([0, 1], 1))),
    Game(_whole(3, 12, 0), labels(12, 0), (([1, 0, 2], -1), ([0, 1, 1], 1))),
    Game(_whole(4, 40, 1), labels(40, 1)),
    Game(_whole(3, 20, 2) / 2, labels(20, 2), (([0.5, 0, 1], 1),)),
]

PERCEPTRON = Family(
    olc.Perceptron, GAMES,
    step={
        "adds y x": lambda self, w, x, y: w + y * x,
        "adds x, whatever the label is": lambda self, w, x, y: w + x,
        "subtracts y x": lambda self, w, x, y: w - y * x,
        "adds the prediction times x": lambda self, w, x, y: w + np.sign(w @ x) * x,
        "adds y, without x": lambda self, w, x, y: w + y,
        "keeps only the last example": lambda self, w, x, y: 1.0 * y * x,
        "adds y times the signs of x": lambda self, w, x, y: w + y * np.sign(x),
        "adds y and x, without multiplying them": lambda self, w, x, y: w + y + x,
        "adds 1 to every weight": lambda self, w, x, y: w + 1,
        "adds the squares of x": lambda self, w, x, y: w + x * x,
    },
    decide={
        "predicts 0 at a tie": lambda self, score: np.sign(score),
        "answers +1 at a tie": lambda self, score: 1 if score >= 0 else -1,
        "answers −1 at a tie": lambda self, score: 1 if score > 0 else -1,
        "answers with the opposite sign": lambda self, score: -np.sign(score),
        "answers +1 from the score 1 on": lambda self, score: 1 if score >= 1 else -1,
    },
    wants_update={
        "learns at mistakes": lambda self, score, y: self.decide(score) != y,
        "learns in every round": lambda self, score, y: True,
        "learns only when it is right": lambda self, score, y: self.decide(score) == y,
        "learns nothing from a tie": lambda self, score, y: y * score < 0,
        "learns from positive examples only": lambda self, score, y:
            self.decide(score) != y and y > 0,
        "learns whenever y times the score is at most 1":
            lambda self, score, y: y * score <= 1,
        "learns whenever y times the score is below 1":
            lambda self, score, y: y * score < 1,
        "adds y and the score, without multiplying them":
            lambda self, score, y: y + score < 0,
        "never learns": lambda self, score, y: False,
    },
    start={
        "starts at 0": lambda self: np.zeros(self.n),
        "starts at (1, …, 1)": lambda self: np.ones(self.n),
    },
)

wanted("perceptron-update", PERCEPTRON,
       "Each mistake turns the weights towards y x. How much does y times the score of "
       "the same example grow?",
       "What must happen to the score of a positive example that got a negative score?")
wanted("perceptron-ties-plus", PERCEPTRON,
       "The theorem holds for it: which fact of the proof does it use?",
       "Which hook turns a score into a prediction?",
       "decide(score) may return 1 if score >= 0 else -1.",
       points=[{"decide": "answers +1 at a tie"}])
wanted("perceptron-ties-abstains", PERCEPTRON,
       "It never leaves w = 0, so every round counts as a mistake.",
       "Which hook says whether to learn?", "A tie is where y times the score is 0.",
       points=[{"wants_update": "learns nothing from a tie"}])
wanted("perceptron-vs-winnow-hopeful", PERCEPTRON,
       "Now choose the signs against it.", "Override decide.",
       points=[{"decide": "answers +1 at a tie"}])


def stream_of(answer: Any, name: str = "the answer") -> Any:
    """Return the answer if it is a stream with its target."""
    must(isinstance(answer, olc.Stream), f"{name} should be olc.Stream(X, y, target=u)")
    must(answer.target is not None, "the stream has no target: give target=u")
    return answer


def ratio(stream: Any) -> float:
    """Return R²/γ² of a stream with a positive margin."""
    margin = stream_of(stream).margin
    must(margin > 0, f"the target must be right everywhere; here γ is {margin:.4g}")
    return float((stream.radius / margin) ** 2)


@exercise("perceptron-half",
          "Every inequality of the proof is an equality on it: look at the ledger.",
          "Equality in the upper bound asks for a score of 0 at each mistake.",
          "Two perpendicular examples of one length do it.")
def _half(stream: Any) -> None:
    value = ratio(stream)
    must(stream.n == 2, f"it should be in the plane, not in {stream.n} dimensions")
    must(math.isclose(value, 2), f"R²/γ² must be 2; here it is {value:.4g}")
    made = olc.play(olc.Perceptron(2), stream).mistakes
    must(made == 2, f"there must be 2 mistakes; here there are {made}")


@exercise("errata-length", "Scaling w* changes the formula and not the game.",
          "Take rows that are perpendicular, with entries ±1.")
@exercise("perceptron-norm",
          "With the largest entry for R the theorem would be false.",
          "Which vectors are long although their entries are small?",
          "Show the rows of adversaries.hadamard(n), all with the label +1.")
def _norm(stream: Any) -> None:
    ratio(stream)
    false = (np.abs(stream.X).max() / stream.margin) ** 2
    made = olc.play(olc.Perceptron(stream.n), stream).mistakes
    must(made > false + 1e-9, f"the Perceptron errs {made} times, and the false bound "
         f"max‖x‖∞²/γ² is {false:.4g}: it is not exceeded")


@exercise("perceptron-start",
          "The weights have to be carried back from where they start.",
          "Let all examples be the same, and start on the wrong side.")
def _start(start: Any, stream: Any) -> None:
    value, learner = ratio(stream), olc.Perceptron(stream.n)
    learner.state = np.array(start, dtype=float)
    must(learner.state.any(), "the start must not be 0")
    made = olc.play(learner, stream).mistakes
    must(made > value + 1e-9,
         f"there are {made} mistakes, and R²/γ² is {value:.4g}: it still holds")


@exercise("perceptron-agnostic",
          "Each lie takes away the most alignment that an example can.",
          "Which example, with a wrong label, takes most from ⟨u, w⟩?",
          "Lie with x = u and y = −1 whenever that is a mistake.")
def _agnostic(adversary: Any, lies: int = 2) -> None:
    rival = adversary(0.1) if isinstance(adversary, type) else adversary
    if hasattr(rival, "left"):
        rival.left = lies
    trace = olc.duel(olc.Perceptron(3), rival, rounds=1000)
    u = np.array([1.0, 0, 0])
    told = int(np.sum(trace.stream.y * (trace.stream.X @ u) < 0.1 - 1e-9))
    must(told <= lies, f"{told} labels have no margin for u, and {lies} are allowed")
    must(trace.stream.radius <= 1 + 1e-9, "an example is longer than R = 1")
    bound = olc.perceptron.wrong_labels_bound(1, 0.1, lies)
    must(trace.mistakes > bound - 1,
         f"with {lies} lies it forces {trace.mistakes} mistakes; the bound is "
         f"{bound:.1f}, and less than one mistake should be missing")


def _hinge(g: Any) -> float:
    return float(g.rho / 2 + math.sqrt(g.rho**2 / 4 + g.rounds * g.part))


numbers("perceptron-both", "R²/γ² is a bound only for γ > 0.",
        "Write down the weight after each of the first four rounds.",
        given={"rounds": 1000},
        mistakes=(lambda g: g.rounds, {
            "a tie, too, is a mistake": lambda g: g.rounds // 2,
            "this is R²/γ², which is no bound for γ < 0": 1}),
        margin=(-1, {"the label −1 makes the least signed score negative": 1,
                     "u = 1 has the score −1 on half of the examples": 0}))
numbers("perceptron-xor", "With bits the walk is longer than with signs.",
        "adversaries.orbit lists the weights that can be reached.",
        vectors=(162, {"this is the number without the constant feature": 13,
                       "this is the number with signs": lambda g: len(
                           adversaries.orbit(geometry.homogenise(streams.xor())))}),
        longest=(29, {"this is the length, not its square": math.sqrt(29),
                      "this is the number without the constant feature": 5}),
        without=(13, {"this is the number with the constant feature": 162,
                      "this is the number with signs": 9}))
numbers("perceptron-bounds", "The best γ leaves no loss at all.",
        "Put ρ, λ and T into the two bounds.",
        given={"rho": 10.0, "part": 0.5, "rounds": 10_000},
        hinge=(lambda g: _hinge(g) ** 2, {
            "this is the root of the bound": _hinge,
            "this is the bound without the losses": lambda g: g.rho**2,
            "this is a rougher form; solve M = ρ√M + λT":
                lambda g: (g.rho + math.sqrt(g.part * g.rounds)) ** 2}),
        squares=(lambda g: (g.rho + g.part * math.sqrt(g.rounds)) ** 2, {
            "the losses are squared, and so is λ": lambda g:
                (g.rho + math.sqrt(g.part * g.rounds)) ** 2,
            "this is the root of the bound": lambda g:
                g.rho + g.part * math.sqrt(g.rounds)}),
        best=(lambda g: (g.rho / (1 - g.part)) ** 2, {
            "this is R²/γ² without the losses; γ must shrink to (1 − λ)γ":
                lambda g: g.rho**2,
            "the ratio is squared": lambda g: g.rho / (1 - g.part)}))
numbers("perceptron-pocket", "Which of the two would you hand out?",
        "Count after each pass, with learner.predict(images.X) != images.y.",
        best=(57, {"this is the count after the last pass": 69,
                   "this is the worst of them": 132,
                   "this is the number without the constant feature": 66}),
        last=(69, {"this is the best of them": 57,
                   "this is the number without the constant feature": 74}))
numbers("perceptron-plane-proof", "In three dimensions there may be twice as many.",
        given={"ratio": 101},
        mistakes=(lambda g: g.ratio // 2 + 1, {
            "this is the bound for all dimensions": lambda g: g.ratio,
            "one more is possible": lambda g: g.ratio // 2}))


@exercise("perceptron-infinite", "By Pythagoras each mistake adds 1 to ‖w‖².",
          "Which score is a mistake and takes nothing from the length?",
          "Turn w by a right angle and divide by its length; at w = 0 take any axis.")
def _infinite(example: Any) -> None:
    w = np.zeros(2)
    for t in range(1, 101):
        x = example(w.copy())
        must(x is not ..., STUB)
        must(np.shape(x) == (2,), "it should return the two coordinates of an example")
        x = np.asarray(x, dtype=float)
        must(np.isfinite(x).all(), f"in round {t} the example is {x}: is it divided by "
             "the length of w, which is 0 at first?")
        length, score = float(np.linalg.norm(x)), float(w @ x)
        must(math.isclose(length, 1), f"in round {t} the example has length {length:g}")
        must(score <= 1e-9, f"in round {t} the score is {score:.4g}: no mistake")
        w = w + x
        must(math.isclose(w @ w, t), f"after {t} mistakes ‖w‖² is {w @ w:.4g}, not {t}")


@exercise("perceptron-plane", "By this rule there are far fewer than 51.",
          "olc.duel(olc.Perceptron(2), adversaries.WorstOrder(disc), rounds=1000) "
          "plays one game.")
def _plane(mean: Any) -> None:
    said = float(np.mean(mean))
    must(said != 51, "51 is what an adversary forces who may make up its points")
    must(np.size(mean) in (1, 10), f"there are ten seeds, not {np.size(mean)}")
    must(said > 9, f"it is more than {said:g}: did the adversary choose the order?")
    must(said < 12, f"it is less than {said:g}: is this the mean over the ten seeds?")


@exercise("errata-margin", "γ must be positive; its square hides the sign.",
          "Let the same example come with both labels.")
def _margin(stream: Any) -> None:
    stream_of(stream)
    must(stream.n == 1, f"it should have one dimension, not {stream.n}")
    value = (stream.radius / stream.margin) ** 2
    must(math.isclose(value, 1), f"R²/γ² should be 1; it is {value:.4g}")
    trace, rounds = olc.play(olc.Perceptron(1), stream), len(stream)
    must(rounds >= 2, "one round is not enough: a first tie is always a mistake")
    must(trace.mistakes == rounds,
         f"it errs in {trace.mistakes} of {rounds} rounds, not in all")


@exercise("errata-cycling", "Whole numbers repeat, and irrational ones need not.",
          "Which two numbers have no common measure?")
def _cycling(positive: float, negative: float) -> None:
    must(positive > 0 and negative > 0, "give two positive numbers: x with y = +1, −1")
    w, seen = 0.0, {0.0}
    for t in range(400):
        x, y = (positive, 1) if t % 2 == 0 else (negative, -1)
        if y * w * x <= 0:
            w = round(w + y * x, 9)
            must(w not in seen, f"after {t + 1} rounds the weight is {w:g} again")
            seen.add(w)
    ratio = Fraction(positive / negative).limit_denominator(100_000)
    must(abs(ratio - positive / negative) > 1e-12,
         f"their ratio is {ratio}, so the weight comes back in the end")


# --- kernels, averages, thick separators ------------------------------------------

numbers("kernel-bias", "The bound allows four, and there were four.",
        "The kernel is 9 for equal points and 1 for all others.",
        mistakes=(4, {"this is the number with the kernel ⟨x, z⟩²": 2,
                      "the fourth point has a wrong score, too": 3}),
        bound=(4.5, {"R² is κ(x, x) = 9, not 4": 2.0,
                     "the margin is √2, so γ² is 2": 9 / math.sqrt(2)}))


def _kernel(kernel: Any) -> dict[str, Any]:
    rows = np.array(list(np.ndindex(2, 2, 2)), dtype=float)
    pairs = [(a, b) for a in rows for b in rows]

    def one(a: Any, b: Any) -> Any:
        try:  # of two vectors, or of two tables as the package has it
            return float(kernel(a, b))
        except (TypeError, ValueError, np.exceptions.AxisError):
            return float(np.squeeze(kernel(a[None], b[None])))

    return {f"for x = {a.astype(int).tolist()}, z = {b.astype(int).tolist()}": one(a, b)
            for a, b in pairs}


behaves("kernel-conjunctions", _kernel, lambda x, z: 2.0 ** (x @ z), {
    "leaves out the empty conjunction": lambda x, z: 2.0 ** (x @ z) - 1,
    "counts conjunctions of at most two variables, some of them twice":
        lambda x, z: (1 + x @ z) ** 2,
    "counts single variables only": lambda x, z: x @ z,
    "raises 2 to the distance": lambda x, z: 2.0 ** abs(x - z).sum(),
    "takes e for the base": lambda x, z: np.exp(x @ z),
}, "It learns the function that no line separates.",
    "Which sets of variables are true on both x and z?")
def _table(kernel: Any) -> dict[str, Any]:
    A = np.array([[1.0, 0.0], [1.0, 2.0], [-1.0, 3.0]])
    values = kernel(A, A[:2] - 1)
    must(values is not ..., STUB)
    return {"on three and two points": values if values is None else np.asarray(values)}


behaves("kernel-normalise", _table, lambda A, B: (1 + A @ B.T) ** 2 / np.outer(
    1 + (A * A).sum(axis=1), 1 + (B * B).sum(axis=1)), {
    "divides by the squared lengths": lambda A, B: (1 + A @ B.T) ** 2 / np.outer(
        1 + (A * A).sum(axis=1), 1 + (B * B).sum(axis=1)) ** 2,
    "divides by the lengths of x and z, not of their images": lambda A, B:
        (1 + A @ B.T) ** 2 / np.outer(
            np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1)),
    "does not normalise": lambda A, B: (1 + A @ B.T) ** 2,
}, "The bound falls; do the mistakes?", "κ(x, x) is (1 + ‖x‖²)² for degree 2.")


def _budget(kind: Any) -> dict[str, Any]:
    learner = kind(lambda A, B: A @ B.T)
    learner.budget = 3
    for t in range(1, 7):
        said = learner.update(np.array([float(t), 1.0]), 1 if t % 3 else -1)
        must(said is not ..., STUB)
    kept = [float(np.ravel(x)[0]) for x in learner.support]
    coefficients = [float(c) for c in learner.coefficients]
    return {"after six updates with budget 3": [kept, coefficients]}


def _last(more: int = 0, *, first: bool = False, half: bool = False) -> Any:
    def update(self: Any, x: Any, y: int) -> None:
        olc.KernelPerceptron.update(self, x, y)
        most = self.budget + more
        keep = slice(most) if first else slice(-most, None)
        self.support = self.support[keep]
        self.coefficients = self.coefficients[slice(None) if half else keep]

    return variant(olc.KernelPerceptron, update=update)


behaves("kernel-budget", _budget, _last(), {
    "never removes anything": olc.KernelPerceptron,
    "cuts the list of examples, but not that of the coefficients": _last(half=True),
    "removes the newest example": _last(first=True),
    "keeps one example too many": _last(1),
    "keeps one example too few": _last(-1),
}, "What was forgotten must be learnt again.",
    "super().update(x, y) appends; then cut support and coefficients.")
behaves("kernel-averaged", cases((1, 10), (4, 10), (10, 10)), lambda t, T: T - t + 1, {
    "leaves out the weights after round t itself": lambda t, T: T - t,
    "counts the rounds up to t": lambda t, T: t,
}, "An example that came early counts for more.",
    "In which rounds do the weights contain the example that came in round t?")


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
def _vote(stream: Any) -> None:
    must(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
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
    must(found is not ..., STUB)
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


behaves("thick-half", cases(0.5, 1.5, 3.0), lambda h: 1 / math.sqrt(
    1 + (h / (2 + h * h)) ** 2), {
    "takes the weights (2, h), as if both examples were added to the end":
        lambda h: 2 / math.sqrt(4 + h * h),
    "is 1, as if the margin were the largest": lambda h: 1.0,
}, "The early additions are never taken back.",
    "At first the weights move along (2, h). Which example reaches τ first?")
numbers("thick-constant", "Steps of 1 never end.", "Use 2γ − rR² > 0.",
        limit=(2 / 9, {"R² is 3 here": 2 / 3, "the factor 2 is missing": 1 / 9}),
        bound=(4 / 3 / (1 / 8 * (2 / 3 - 3 / 8)), {
            "‖u‖² is 4/3": 1 / (1 / 8 * (2 / 3 - 3 / 8)),
            "this is the bound for r = 1/16": 4 / 3 / (1 / 16 * (2 / 3 - 3 / 16))}))
numbers("thick-zigzag", "Infinitely many updates, two mistakes.",
        "Each step takes 0.28 of itself away from the other score.",
        losses=([1, 1.28, 0.28 * 1.28, 0.28**2 * 1.28], {
            "the third loss is 0.28 times the second":
                [1, 1.28, 0.28, 0.28**2],
            "the score of the second example is negative at first":
                [1, 0.72, 0.28 * 0.72, 0.28**2 * 0.72]}),
        mistakes=(2, {"from the third round on the score is positive": 4,
                      "the first is a tie, and the second has the score −0.28": 1}))
numbers("thick-winnow", "No weights have the margin 0.4, so the updates never end.",
        "Count trace.update_rounds, not trace.mistakes.",
        updates=([26, 65, 1688], {
            "these are the mistakes": [10, 12, 15],
            "these are the updates in 1000 rounds": [26, 65, 455],
            "these are the updates in 2000 rounds": [26, 65, 848]}))


@exercise("thick-aim", "With an aim the steps go beyond the threshold.",
          "Both scores should be at least 1.5.")
def _aim(u: Any) -> None:
    u = np.asarray(u, dtype=float)
    must(u.shape == (2,), "give two weights")
    for x in ([1.0, 0.0], [-0.9, 0.5]):
        must(u @ x >= 1.5, f"the score of {x} is {u @ x:.4g}, which is below 1.5")


REVERSED = Family(
    olc.MarginPerceptron, [
        Game([[1, 0.25], [1, -0.25]] * 3, [1, -1] * 3),
        Game(_whole(2, 12, 3), labels(12, 3)),
        Game(_whole(2, 30, 4) / 2, labels(30, 4)),
        Game([[0.25, 1], [0.5, 0], [1, 0], [0.25, 1], [0.5, 1]], [1, 1, -1, -1, 1])],
    args={"thickness": 0.5},
    step={
        "adds x or subtracts it by the sign of the score": lambda self, w, x, y:
            w + np.sign(x @ w) * x,
        "adds y x": lambda self, w, x, y: w + y * x,
        "adds x or subtracts it against the sign of the score": lambda self, w, x, y:
            w - np.sign(x @ w) * x,
    },
    wants_update={
        "learns beyond τ on either side": lambda self, score, y: abs(score) > 0.5,
        "learns where y times the score is at most τ":
            lambda self, score, y: y * score <= 0.5,
        "learns within τ": lambda self, score, y: abs(score) <= 0.5,
        "learns beyond τ on the positive side alone":
            lambda self, score, y: score > 0.5,
        "learns in every round": lambda self, score, y: True,
        "learns within τ, but not at it": lambda self, score, y: abs(score) < 0.5,
        "learns at τ, too": lambda self, score, y: abs(score) >= 0.5,
        "never learns": lambda self, score, y: False,
    },
    start={"starts at (1, 0)": lambda self: np.eye(self.n)[0],
           "starts at 0": lambda self: np.zeros(self.n),
           "starts at (1, 1)": lambda self: np.ones(self.n)},
)
wanted("thick-reversed", REVERSED, "Each example is pushed to the side where it is.",
       "Override start, wants_update and step.")


numbers("errata-noise", "Elimination never forgives; demotion does.",
        demotion=(8, {"this is the number with elimination": 997}),
        elimination=(997, {"this is the number with demotion": 8}))


ROUNDS: Any = [
    ([1, 0], [1, 0.25], 1), ([1, 0], [1, -0.25], -1), ([0.25, 0], [1, 1], 1),
    ([0, 0], [2, 1], -1), ([-0.25, 0], [1, 0], -1), ([-1, 0], [1, 0], -1)]
MISTAKES: Any = [([1, 0], [1, -0.25], -1), ([0, 0], [2, 1], -1), ([-1, 3], [1, -1], 1)]


def _ruled(rows: Any) -> Any:
    """Return a way to see a rule of the weights, the example, y and the prediction."""
    def see(rule: Any) -> dict[str, Any]:
        must(callable(rule), "give the function itself")
        return {f"for w = {w}, x = {x}, y = {y}": rule(
            np.array(w, float), np.array(x, float), y, 1 if np.dot(w, x) >= 0 else -1)
            for w, x, y in rows}

    return see


def _minnows(rule: Any) -> dict[str, Any]:
    must(callable(rule), "give the function itself")
    rows: Any = [([0.5, 0.5], [1, -0.5], -1), ([0.7, 0.3], [-1, 1], 1),
                 ([0.2, 0.8], [0.5, 1], 1), ([0.6, 0.4], [-1, 0.5], -1)]
    after = {f"for w = {w}, x = {x}, y = {y}": rule(np.array(w), np.array(x), y)
             for w, x, y in rows}
    return {case: w if w is None or w is ... else np.asarray(w, float) / np.sum(w)
            for case, w in after.items()}


def _minnow(amount: Any, always: bool = False, rate: float = 0.2) -> Any:
    def rule(w: Any, x: Any, y: int) -> Any:
        guess = 1 if w @ x >= 0 else -1
        if guess == y and not always:
            return w
        return w * np.exp(rate * amount(y, guess) * x)

    return rule


behaves("errata-label", _ruled(MISTAKES), lambda w, x, y, guess: w + y * x, {
    "adds the prediction times x, as printed": lambda w, x, y, guess: w + guess * x,
    "adds x, whatever the label is": lambda w, x, y, guess: w + x,
}, "At a mistake ŷ is the wrong label; with y the four points cost two mistakes.",
    "What is ŷ at a mistake, compared with y?")
behaves("errata-minnow", _minnows, _minnow(lambda y, guess: y), {
    "puts the prediction into the exponent, and learns in every round, as printed":
        _minnow(lambda y, guess: guess, always=True),
    "puts the prediction into the exponent": _minnow(lambda y, guess: guess),
    "learns in every round": _minnow(lambda y, guess: y, always=True),
    "takes η = 1; here η is 0.2": _minnow(lambda y, guess: y, rate=1.0),
}, "Label, mistakes, start and target all matter.",
    "Whose label belongs into the exponent?", "What should happen in a right round?")
numbers("errata-minnow-start", "The ln d is the distance of this start.",
        "A weight of 0 stays 0.",
        weights=([0.25, 0.25, 0.25, 0.25], {
            "a weight that starts at 0 stays there": [1, 0, 0, 0],
            "it should be a distribution: divide by the sum": [1, 1, 1, 1]}))
behaves("errata-thick", _ruled(ROUNDS),
        lambda w, x, y, guess: w + y * x * (y * (w @ x) <= 0.5), {
    "is the rule as it is printed":
        lambda w, x, y, guess: w + x * (w @ x > 0.5) - x * (w @ x < -0.5),
    "asks for the label, but pushes scores that are large enough":
        lambda w, x, y, guess: w + y * x * (y * (w @ x) > 0.5),
    "forgets the label: it pushes small scores up":
        lambda w, x, y, guess: w + x * (abs(w @ x) <= 0.5),
    "learns at mistakes only, without a margin":
        lambda w, x, y, guess: w + y * x * (guess != y),
    "learns in every round": lambda w, x, y, guess: w + y * x,
}, "The label decides where to push, and the score whether to.",
    "When is y⟨w, x⟩ large enough?", "Add y x as long as y⟨w, x⟩ is at most ½.")


def _steps(step: Any) -> dict[str, Any]:
    return {f"for w = {w}, x = {x}, θ = {to}": step(np.array(w), np.array(x), to)
            for w, x, to in (([0, 0], [1, 2], 2), ([1.0, -1], [3, 1], -1),
                             ([2, 2], [0.5, 0], 0.25))}


behaves("errata-thick-step", _steps, lambda w, x, to: w + (to - w @ x) / (x @ x) * x, {
    "is the step as it is printed, without x at the end":
        lambda w, x, to: w + (to - w @ x) / (x @ x),
    "divides by the length of x, not by its square":
        lambda w, x, to: w + (to - w @ x) / np.sqrt(x @ x) * x,
    "does not divide": lambda w, x, to: w + (to - w @ x) * x,
    "goes the other way": lambda w, x, to: w - (to - w @ x) / (x @ x) * x,
}, "With r = 1 the score is exactly θ.",
    "Something has to make a vector of the fraction.")
def _entered(g: Any) -> int:
    return int(g.c * (math.ceil(math.log2(g.n)) + 1))


numbers("errata-floor", "5u + 1 mistakes at most, so O(c log n) is right.",
        "A variable enters with a weight of at least ½.",
        "A demotion takes more than n/4, and n/2 are always left: v < 4u + 2.",
        given={"n": 1024, "c": 20},
        promotions=(_entered, {
            "a variable may enter with the weight ½, one step lower":
                lambda g: _entered(g) - g.c,
            "this is the number for one addition": lambda g: _entered(g) // g.c}),
        demotions=(lambda g: 4 * _entered(g) + 1, {
            "this is what is printed; a demotion takes n/4 only":
                lambda g: 2 * _entered(g) + 1,
            "this is what is printed": lambda g: 2 * _entered(g) + 2,
            "the inequality is strict": lambda g: 4 * _entered(g) + 2}))
numbers("errata-dimension", "For features of size 1 it is the other way round.",
        "A row that is perpendicular to all that were added has the score 0.",
        given={"d": 256},
        perceptron=(lambda g: g.d // 2, {
            "a score of 0 counts as +1 in `mistakes`": lambda g: g.d,
            "this is the number for doubling and halving":
                lambda g: int(math.log2(g.d))}),
        doubling=(lambda g: int(math.log2(g.d)), {
            "this is the Perceptron's number": lambda g: g.d // 2,
            "this is the bound": lambda g: math.log(g.d) / math.log(1.6)}))
