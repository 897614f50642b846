"""Winnow in all its forms: chapters 9 to 14."""

from __future__ import annotations

import math
from copy import deepcopy
from functools import partial, partialmethod
from typing import Any

import numpy as np

import olc
from olc import adversaries
from olc_book.exercises.core import STUB, Wrong, exercise, must
from olc_book.exercises.learners import Family, Game, labels, variant, wanted
from olc_book.exercises.tables import behaves, bisected, cases, numbers

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off


def _bits(n: int, rounds: int, seed: int, on: float = 0.5) -> Any:
    return (np.random.default_rng(seed).random((rounds, n)) < on).astype(int)


GAMES = [
    Game([[1, 1, 0, 0], [1, 1, 0, 0]], [1, 1]),
    Game([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]], [-1, -1, 1]),
    Game([[1, 0, 1, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 0, 0]], [1, -1, 1, 1]),
    Game([[1, 1], [1, 0], [0, 1], [1, 1]], [-1, 1, 1, 1],
         (([1, 0], 1), ([1, 1], 1), ([0, 1], -1))),
    Game(_bits(4, 30, 0), labels(30, 0)),
    Game(_bits(6, 40, 1, 0.6), labels(40, 1), (([1, 1, 0, 1, 0, 0], 1),)),
]
WHEN = {
    "learns at mistakes": lambda self, score, y: self.decide(score) != y,
    "learns in every round": lambda self, score, y: True,
    "learns only when it is right": lambda self, score, y: self.decide(score) == y,
    "never learns": lambda self, score, y: False,
}
REACHES = {
    "says +1 when the sum reaches θ": lambda self, s: 1 if s >= self.threshold else -1,
    "says +1 only when the sum exceeds θ":
        lambda self, s: 1 if s > self.threshold else -1,
    "compares the sum with θ/2": lambda self, s: 1 if s >= self.threshold / 2 else -1,
    "says +1 below θ and −1 above": lambda self, s: -1 if s >= self.threshold else 1,
    "compares the sum with 1": lambda self, s: 1 if s >= 1 else -1,
}
STEPS = {
    "doubles and halves the active weights": lambda self, c, x, y: c + y * x,
    "never halves": lambda self, c, x, y: c + (y > 0) * x,
    "never doubles": lambda self, c, x, y: c - (y < 0) * x,
    "halves where it should double": lambda self, c, x, y: c - y * x,
    "doubles or halves all weights, active or not": lambda self, c, x, y: c + y,
    "changes the weights that are not active": lambda _, c, x, y: c + y * (1 - x),
    "doubles, whatever the label is": lambda self, c, x, y: c + x,
    "sets the active weights to 0 at a demotion":
        lambda self, c, x, y: np.where((x > 0) & (y < 0), -np.inf, c + y * x),
    "demotes to a quarter": lambda self, c, x, y: c + np.where(y > 0, x, -2 * x),
    "doubles all weights, whatever the label is": lambda self, c, x, y: c + 1,
    "adds y and x in the exponent, without multiplying":
        lambda self, c, x, y: c + y + x,
    "changes no weight (the state counts, and begins at 0)": lambda self, c, x, y: c,
    "adds the factor to the weight, without multiplying":
        lambda self, c, x, y: np.log2(2.0**c + 2.0 ** (y * x)),
}
WINNOW = Family(
    olc.Winnow, GAMES, signs=False,
    step=STEPS,
    decide=REACHES,
    wants_update=WHEN,
    link={
        "has factors 2 and ½": lambda self, c: 2.0**c,
        "adds and subtracts 1": lambda self, c: 1.0 + c,
        "has factors 4 and ¼": lambda self, c: 4.0**c,
        "keeps the weights at 1 or more": lambda self, c: 2.0 ** np.maximum(c, 0),
        "has factors 3 and ⅓": lambda self, c: 3.0**c,
        "has factors e and 1/e": lambda self, c: np.exp(c),
    },
)

wanted("winnow-update", WINNOW, "How large can a relevant weight become?",
       "What is doubled: all weights, or those of the features that are on?")
wanted("winnow-every", WINNOW,
       "Its mistakes go on for as long as the game. Which sentence of the proof fails?",
       "Which hook says whether to learn?", "wants_update may always return True.",
       points=[{"wants_update": "learns in every round"}])


def _log(g: Any) -> int:
    return math.ceil(math.log2(g.n))


NK = {"n": 1024, "k": 3}
numbers("winnow-elimination",
        "All of the active weight goes, so a demotion pays for a whole promotion.",
        "The promotions are at most kL, as before.", "0 ≤ U < N + k(L − 1)N − m⁻N.",
        given=NK,
        mistakes=(lambda g: 2 * g.k * _log(g) - g.k, {
            "this is the bound of Winnow with demotion, 3kL - 2k":
                lambda g: 3 * g.k * _log(g) - 2 * g.k,
            "these are the promotions alone": lambda g: g.k * _log(g),
            "the inequality is strict, so m⁻ is at most k(L − 1)":
                lambda g: 2 * g.k * _log(g) - g.k + 1,
            "the sum of the irrelevant weights grows less: N + k(L − 1)N":
                lambda g: 2 * g.k * _log(g)}))
numbers("winnow-half", "A smaller threshold is reached sooner.",
        "How many doublings take a weight from 1 to N/2?", given=NK,
        promotions=(lambda g: g.k * math.ceil(math.log2(g.n / 2)), {
            "this is the number for θ = N": lambda g: g.k * _log(g),
            "this is the number for one variable":
                lambda g: math.ceil(math.log2(g.n / 2))}),
        mistakes=(lambda g: olc.winnow.mistake_bound(g.n, g.k, threshold=g.n / 2), {
            "this is the number for θ = N": lambda g:
                olc.winnow.mistake_bound(g.n, g.k),
            "the inequality is strict: the mistakes are below this number":
                lambda g: olc.winnow.mistake_bound(g.n, g.k, threshold=g.n / 2) + 1}))


def _of_k(g: Any) -> int:
    return math.floor(1 + (1 + _alpha(g)) * math.floor(_ups(g) + 1e-9) + 1e-9)


def _alpha(g: Any) -> float:
    return 1 + 1 / (2 * g.r)


def _ups(g: Any, alpha: float = 0) -> float:
    alpha = alpha or _alpha(g)
    p = olc.winnow.promotions(g.n, alpha)
    return (g.k * p + g.r - 1) / (g.r - (g.r - 1) * alpha)


numbers("winnow-r-of-k", "The games stay far below.",
        "Give each relevant variable the weight 1/r.", "α is 1 + γ/2 with γ = 1/r.",
        given={"n": 256, "r": 3, "k": 5},
        mistakes=(_of_k, {
            "this is the number of promotions": lambda g: math.floor(_ups(g) + 1e-9),
            "this is the bound for a disjunction, r = 1":
                lambda g: olc.winnow.mistake_bound(g.n, g.k)}))
numbers("winnow-trace", "The sums of the last two examples are exactly the threshold.",
        "The sum of the third example reaches the threshold: is it a mistake?",
        "Write down the weights of 1, 3, 4, 5 and 1024 after each round.",
        mistakes=(12, {"the third example reaches θ, so it is right": 13,
                       "the last example reaches θ, so it is a mistake": 11}),
        first=(512, {"the last positive example reaches θ": 1024,
                     "only mistakes change the weights": 2048}),
        third=(128, {"the last round halves it": 256,
                     "the sum of 3, 4, 5 is 3 at first: no mistake, no halving": 64}))
numbers("winnow-passes", "Every pass but the last has a mistake.",
        "How many mistakes are there at most in all passes together?", given=NK,
        passes=(lambda g: olc.winnow.mistake_bound(g.n, g.k) + 1, {
            "the last pass, without a mistake, counts too":
                lambda g: olc.winnow.mistake_bound(g.n, g.k),
            "this is from the short bound; 2k can be saved":
                lambda g: 3 * g.k * _log(g) + 1,
            "this counts the promotions alone": lambda g: g.k * _log(g) + 1}))


@exercise("winnow-loses",
          "Here the Perceptron, with a constant feature, makes fewer mistakes.",
          "Which functions of bits can Winnow not represent with θ = N?",
          "A label that depends on the absence of a bit: show nothing, label it +1.")
def _loses(stream: Any) -> str:
    must(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
    must(len(stream) <= 2000, f"at most 2000 rounds; here there are {len(stream)}")
    wide = olc.geometry.homogenise(stream)
    must(olc.geometry.separable(wide), "no halfspace explains the labels")
    made = {kind.__name__: olc.play(kind(game.n), game).mistakes for kind, game in (
        (olc.Winnow, stream), (olc.Perceptron, wide))}
    winnow, perceptron = made.values()
    said = f"Winnow errs {winnow} times and the Perceptron {perceptron}"
    must(winnow >= 2 * perceptron and winnow > 10,
         f"{said}: Winnow should make more than 10, and twice as many")
    return f"{said}."


@exercise("errata-potential", "Relevant features only double; others need not.",
          "Promote a feature once and demote it once.")
def _potential(stream: Any) -> None:
    must(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
    must(stream.X.shape == (2, 4), f"give two rounds with N = 4, not {stream.X.shape}")
    learner = olc.Winnow(4)
    made = olc.play(learner, stream).mistake_rounds
    down = int((stream.y[made] < 0).sum())
    total, often = learner.weights.sum(), stream.X[made].sum(axis=0)
    must(total >= 4 - 2 * down, f"the first claim holds: Φ = {total:g}")
    must((learner.weights != 2.0**often).any(), "the second claim holds")
    must(len(made) == 2, f"both rounds should be mistakes; {len(made)} are")


@exercise("errata-monotone", "The disjunction of the four costs it 8 mistakes in all.",
          "Join two pairs of variables by `or`.")
def _monotone(function: Any) -> None:
    if function(0, 0, 0, 0) is ...:
        raise Wrong(STUB)
    cube = np.array(list(np.ndindex(2, 2, 2, 2)))
    y = np.array([1 if function(*map(int, x)) > 0 else -1 for x in cube])
    must(y[0] < 0, "it says yes where nothing is on, and there every Winnow errs")
    for x, label in zip(cube, y, strict=True):
        above = (cube >= x).all(axis=1)
        must(label < 0 or (y[above] > 0).all(), f"it is not monotone at {x.tolist()}")
    made = [olc.play(olc.Winnow(4), np.tile(cube, (p, 1)), np.tile(y, p)).mistakes
            for p in (20, 40)]
    must(made[1] > made[0], f"Winnow stops after {made[0]} mistakes")


@exercise("errata-conjunction", "The cycle undoes itself, and each round is a mistake.",
          "After some promotions two demotions can undo one.")
def _conjunction(first: Any, cycle: Any) -> None:
    core = [*first, *100 * [*cycle]]
    X = np.zeros((len(core), 1024))
    for row, shown in zip(X, core, strict=True):
        row[np.array(shown, dtype=int) - 1] = 1
    y = np.where(X[:, [0, 1, 1022, 1023]].all(axis=1), 1, -1)
    made = set(olc.play(olc.Winnow(1024), X, y).mistake_rounds.tolist())
    right = [t for t in range(len(core)) if t not in made]
    must(len(cycle) > 0, "the cycle is empty")
    must(not right, f"round {(right or [0])[0] + 1} is no mistake")


# --- Winnow-R ----------------------------------------------------------------------

FLOOR = Family(  # a step is a change, and then the floor
    variant(olc.WinnowR, step=lambda self, c, x, y: self.floor(self.change(c, x, y))),
    [*GAMES, Game([[1, 0, 0, 0]] * 9, [1] * 9, (([1, 0, 0, 0], -1),) * 5)],
    signs=False,
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


# --- normalised and balanced Winnow -------------------------------------------------

_grid = np.random.default_rng(7).integers(-9, 10, (60, 3)) / 8
REAL = [
    Game(_grid[:1], [-1]), Game(_grid[1:5], [1, -1, 1, 1]),
    Game([[1, 1], [-1, -1], [1, 1]], [1, -1, 1]),
    Game(_grid[5:15], labels(10, 7), ((_grid[3], 1), (_grid[9], -1))),
    Game([[1, -1, -1]], [1], (([2, 0, 0], 1), ([0, 1.5, 1.5], 1))),
    Game(_grid[15:], labels(45, 8)), Game([[1, 3], [1, -1]], [1, -1], (([2, 0], 1),)),
]
ADDS = {
    "adds y x to the state": lambda self, s, x, y: s + y * x,
    "adds x, whatever the label is": lambda self, s, x, y: s + x,
    "subtracts y x from the state": lambda self, s, x, y: s - y * x,
    "adds the prediction times x":
        lambda self, s, x, y: s + np.sign(np.round(self.weights @ x, 12)) * x,
}


def _two(self: Any, s: Any, sign: int = -1) -> Any:
    plus, minus = np.exp(self.eta * s), np.exp(-self.eta * s)
    return plus / plus.sum() + sign * minus / minus.sum()


BALANCED = Family(
    olc.BalancedWinnow, REAL, args={"eta": 2.0},
    link={
        "has one Z for both halves": olc.BalancedWinnow.link,
        "has a Z for each half": _two,
        "forgets the second half": lambda self, s: np.exp(2 * s) / np.exp(2 * s).sum(),
        "takes the state for its weights": lambda self, s: 1.0 * s,
        "adds the two halves, and should subtract": partialmethod(_two, sign=1),
    },
    step=ADDS, wants_update=WHEN)
wanted("balanced-winnow-update", BALANCED, "One vector s holds both halves.")
wanted("balanced-winnow-two-z", BALANCED,
       "Its weights always sum to 0, so it errs on (1, 1) in every round.",
       "Override link, and divide each half by its own sum.",
       points=[{"link": "has a Z for each half"}])
NORMALISED = Family(
    olc.NormalizedWinnow, REAL, args={"eta": 1.0},
    link={
        "takes exponentials": olc.NormalizedWinnow.link,
        "takes the state for its weights": lambda self, s: 1.0 * s,
        "halves the rate": lambda self, s: np.exp(s / 2) / np.exp(s / 2).sum(),
        "has one factor for all": lambda self, s: np.ones(self.n) / self.n,
    },
    step=ADDS, wants_update=WHEN)
wanted("normalized-winnow-update", NORMALISED, "Its logarithms are the Perceptron.")


def _largest(self: Any, s: Any) -> Any:
    return np.sign(s) * (abs(s) == abs(s).max())


LARGEST = Family(
    olc.Perceptron, REAL, link={
        "keeps all entries": lambda self, s: 1.0 * s,
        "keeps the largest entries, with their signs": _largest,
        "forgets the signs": lambda self, s: 1.0 * (abs(s) == abs(s).max()),
        "keeps the largest entry, not the largest in size":
            lambda self, s: np.sign(s) * (s == s.max()),
        "keeps the largest entries as they are":
            lambda self, s: s * (abs(s) == abs(s).max()),
        "keeps the smallest entries": lambda self, s: np.sign(s) * (
            abs(s) == abs(s).min()),
        "takes the signs of all entries": lambda self, s: np.sign(s),
        "keeps all but the largest entries": lambda self, s: np.sign(s) * (
            abs(s) != abs(s).max()),
    }, step=ADDS, wants_update=WHEN)
wanted("one-proof-infinity", LARGEST, "The potential has edges, and no c is enough.",
       "Override link.", "Compare abs(state) with its maximum.",
       points=[{"link": "keeps the largest entries, with their signs"},
               {"link": "keeps the largest entries as they are"}])
numbers("one-proof-cube", "⟨w, s⟩ is twice the potential.", "Divide s² by ‖s‖₃ = 9.",
        weights=(np.array([1, -36, 64]) / 9, {
            "w keeps the signs of s": np.array([1, 36, 64]) / 9,
            "divide by ‖s‖₃ = 9": np.array([1.0, -36, 64]),
            "the exponent is p − 1 = 2": np.array([1, -6, 8]) / 9}),
        product=(81, {"this is the potential": 40.5,
                      "this is Σ|s|³; the weights are divided by ‖s‖₃ = 9": 729}),
        potential=(40.5, {"this is ‖s‖₃², and the potential is half of it": 81,
                          "the norm is squared: half of 9²": 4.5,
                          "this is half of Σ|s|³; take ‖s‖₃ = 9": 364.5}))
numbers("one-proof-start", "The start adds 2‖w₁‖/γ to R²/γ².",
        "At the start Φ is ½‖s₁‖², and ⟨u, s₁⟩ is at least −‖s₁‖.",
        given={"radius": 1.0, "margin": 0.1, "start": 2.0},
        bound=(lambda g: (g.radius / g.margin) ** 2 + 2 * g.start / g.margin, {
            "this is the bound for the start 0": lambda g: (g.radius / g.margin) ** 2,
            "the factor 2 is missing":
                lambda g: (g.radius / g.margin) ** 2 + g.start / g.margin}))
numbers("one-proof-dual", "1/p + 1/q = 1, and w is as long as s.",
        "1/p + 1/q = 1.", "(p − 1)q = p.", given={"p": 14, "length": 3.0},
        q=(lambda g: g.p / (g.p - 1), {
            "this is p": lambda g: g.p,
            "it is upside down: q is larger than 1": lambda g: (g.p - 1) / g.p}),
        product=(lambda g: g.length**2, {
            "this is Φ(s)": lambda g: g.length**2 / 2,
            "this is ‖s‖, not its square": lambda g: g.length}),
        weights=(lambda g: g.length, {
            "this is its square": lambda g: g.length**2,
            "this is Φ*(w)": lambda g: g.length**2 / 2}))
behaves("one-proof-scale", cases((0.5, 10), (0.25, 0.1), (1.0, 7)),
        lambda e, b: e / b, {
    "keeps η, but s is b times as large, and so is ηs": lambda e, b: e,
    "multiplies by b, but larger examples need a smaller rate": lambda e, b: e * b,
    "divides by b², but s grows by the factor b only": lambda e, b: e / b**2,
    "is 1/b, whatever η was": lambda e, b: 1 / b,
}, "Only the product of η and s matters, so η has a unit.",
    "Winnow's weights depend on ηs. What is s after the change?")

behaves("normalized-winnow-ratio", cases(3, 5, 101), lambda k: (k - 1) / (k + 1), {
    "is the square root: the factor is e^(−2η)":
        lambda k: math.sqrt((k - 1) / (k + 1)),
    "is the factor of one who was right": lambda k: (k + 1) / (k - 1),
    "takes η = 1/k": lambda k: math.exp(-2 / k),
}, "A large panel may be right by a single vote.", "η = artanh(1/k).")
numbers("normalized-winnow-negative", "Below about 2γ the theorem says something.",
        "Where is η γ = ln cosh η?", given={"margin": 0.1},
        largest=(lambda g: _rate(g.margin), {
            "this is the best rate, not the largest": lambda g: math.atanh(g.margin),
            "this is 2γ, which is close; solve ηγ = ln cosh η":
                lambda g: 2 * g.margin}))
numbers("normalized-winnow-halving", "This is halving.",
        "For a large η, cosh η is about half of e to the power η.", given={"n": 1024},
        limit=(lambda g: math.log2(g.n), {
            "C tends to ln 2, not to 1": lambda g: math.log(g.n),
            "η grows, but ln cosh η grows with it: η − ln cosh η has a limit": 0}))
numbers("normalized-winnow-prior", "A bad prior costs only a logarithm.",
        "Φ₁ = RE(u ‖ p) with u = 1/k on the members.", given=NK,
        good=(math.log(2), {
            "the logarithm is natural, not to base 2": 1.0,
            "the target has 1/k on each member, not 1": lambda g: math.log(2 * g.k),
            "this is the uniform start": lambda g: math.log(g.n / g.k)}),
        bad=(lambda g: 2 * math.log(g.n) - math.log(g.k), {
            "the ln k is missing": lambda g: 2 * math.log(g.n),
            "this is the uniform start": lambda g: math.log(g.n / g.k)}))


def _members() -> Any:
    learner = olc.NormalizedWinnow(32, eta=1 / 3)
    olc.duel(learner, adversaries.Panel(32, k=3), rounds=1000)
    return learner.weights[:3]


numbers("normalized-winnow-ledger", "RE(u‖w) is the logarithm of their ratio.",
        "The geometric mean is the exponential of the mean logarithm.",
        "No mean is larger than the arithmetic one. How large can that be?",
        mean=(lambda g: float(np.exp(np.log(_members()).mean())), {
            "this is the share of the whole panel": lambda g: float(_members().sum()),
            "this is the product, without the cube root":
                lambda g: float(_members().prod()),
            "this is the start": 1 / 32}),
        largest=(1 / 3, {"the three weights share a sum of 1": 1,
                         "this is the product, without the cube root": 1 / 27}))
numbers("normalized-winnow-records", "A record says nothing about a vote.",
        "The majority errs if two of the three err, or all of them.",
        outsiders=(0.104, {"this is how often a single outsider errs": 0.2,
                           "all three may err, too": 0.096,
                           "two wrong votes are enough": 0.008,
                           "this is how often it is right": 0.896}),
        panel=(0, {"one member errs in each round, never two of them": 1 / 3,
                   "one member errs in each round, and two outvote it": 1}))


def _rate(margin: float) -> float:
    return bisected(lambda e: e * margin > math.log(math.cosh(e)), margin, 10.0)


numbers("balanced-winnow-signed-crossing", "The gap is widest at N = 2k.",
        "Divide by k², and write z = N/k.",
        ratio=(lambda g: bisected(lambda z: 2 * math.log(2 * z) > z, 2.0, 9.0), {
            "here the difference is largest": 2.0,
            "the logarithm is natural, not to base 2": 8.0,
            "this is the other solution, where N is less than k": lambda g:
                bisected(lambda z: 2 * math.log(2 * z) < z, 0.5, 2.0)}))


@exercise("balanced-winnow-signed-cycle", "Every round is a mistake.",
          "Show (1, 0, 0) once, and three others again and again.")
def _cycle(first: Any, cycle: Any) -> None:
    f: Any = {(1, 0, 0): 1, (1, 1, 1): 1, (1, 0, 1): -1, (0, 1, 0): -1}
    must(all(len(x) == 3 and not np.iterable(x[0]) for x in [*first, *cycle]),
         "give examples of three bits, such as (1, 0, 0), without labels")
    X = [tuple(int(v) for v in x) for x in [*first, *100 * [*cycle]]]
    for x in X:
        must(x in f, f"{x} is none of the four examples")
    must(len(cycle) > 0, "the cycle is empty")
    made = olc.play(olc.ThresholdBalancedWinnow(3), X, [f[x] for x in X]).mistake_rounds
    first_right = next((t for t in range(len(X)) if t not in {*made.tolist()}), None)
    must(first_right is None, f"round {(first_right or 0) + 1} is no mistake")


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


numbers("perceptron-vs-winnow-crossing", "There is a crossing if 2k > e.",
        "The bounds are equal where N/ln N = 2k.", given={"n": 1000},
        beyond=(lambda g: math.floor(g.n / (2 * math.log(g.n))) + 1, {
            "there the crossing is still before it":
                lambda g: math.floor(g.n / (2 * math.log(g.n))),
            "k is whole": lambda g: g.n / (2 * math.log(g.n)),
            "the factor 2 is missing": lambda g: math.floor(g.n / math.log(g.n)) + 1,
            "the logarithm is natural, not to base 2":
                lambda g: math.floor(g.n / (2 * math.log2(g.n))) + 1}),
        smallest=(2, {"N/ln N is never below e": 1, "k need not be odd": 3}))


@exercise("perceptron-vs-winnow-every-round", "It errs in every round.",
          "Ask first, and choose the sign of the row afterwards.")
def _every(stream: Any) -> str:
    must(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
    H = adversaries.hadamard(32)
    must(stream.n == 32, f"N should be 32, not {stream.n}")
    must(np.array_equal(abs(stream.X @ H.T / 32).sum(axis=1), np.ones(len(stream))),
         "every example should be a row of the Hadamard matrix, or its negative")
    must((stream.X[:, 5] == stream.y).all(), "column 5 should be the label")
    from olc_book.exercises.perceptron import PERCEPTRON

    hopeful = PERCEPTRON.kind(PERCEPTRON.choice(decide="answers +1 at a tie"))
    made = olc.play(hopeful(32), stream).mistakes
    must(made == 32, f"it errs in {made} of 32 rounds")
    made = olc.play(olc.BalancedWinnow(32, eta=2), stream).mistakes
    return f"It errs in every round, and Balanced Winnow {made} times."


@exercise("perceptron-vs-winnow-boosting", "Boosting finds the panel.",
          "The 40 examples are the features; show an expert's votes times the labels.",
          "What the expert got right should lose weight, so the label is −1.")
def _boosting(experts: Any) -> None:
    sample = olc.streams.panel(15, k=3, rounds=40, seed=5)
    panel = set(np.flatnonzero(sample.need_target()).tolist())
    must(np.iterable(experts), "give the experts as a list")
    said = {int(i) for i in experts}
    must(said == panel, f"{len(said & panel)} of the {len(said)} are on the panel")


numbers("perceptron-vs-winnow-unknown-k", "When in doubt, believe in the larger panel.",
        "There is a bound if ηγ > ln cosh η, with γ = 1/k.", given={"k": 5},
        believed=(lambda g: next(
            b for b in range(1, 99) if 1 / (b * g.k) > math.log(math.cosh(1 / b))), {
            "a rate somewhat above the best is allowed": lambda g: g.k,
            "ηγ − ln cosh η is still negative": 2,
            "then η = 1, which is far too large": 1}))
numbers("perceptron-vs-winnow-irrelevant", "The second has hardly changed.",
        "There are now 65 + c features.", given={"c": 256},
        perceptron=(lambda g: 3 * (65 + g.c), {
            "this is the bound without the new features": 195,
            "this is the number of features": lambda g: 65 + g.c}),
        winnow=(lambda g: 18 * math.log(65 + g.c), {
            "this is the bound without the new features": 18 * math.log(65),
            "this is the sharper form; here we compare with 2k² ln N":
                lambda g: 18 * math.log((65 + g.c) / 3),
            "the logarithm is the natural one": lambda g: 18 * math.log2(65 + g.c)}))


@exercise("perceptron-vs-winnow-rotation", "",
          "np.linalg.qr of a random matrix has an orthogonal factor.",
          "Let three of many features decide, and leave out what is close.")
def _rotation(rotation: Any, stream: Any) -> str:
    must(isinstance(stream, olc.Stream), "the second should be olc.Stream(X, y)")
    Q, n = np.asarray(rotation, dtype=float), stream.n
    must(Q.shape == (n, n), f"Q should have the shape {(n, n)}, not {Q.shape}")
    must(np.allclose(Q @ Q.T, np.eye(n)), "Q is not orthogonal: Q Qᵀ should be I")
    both = (stream.X, stream.X @ Q.T)
    add, plus = (olc.play(olc.Perceptron(n), X, stream.y).mistake_rounds for X in both)
    must(np.array_equal(add, plus),
         "the Perceptron has a tie that rounding decides; take real features")
    one, two = (olc.play(olc.BalancedWinnow(n, eta=1 / 3), X, stream.y).mistakes
                for X in both)
    said = f"Balanced Winnow errs {one} times before and {two} times after"
    must(two > one, f"{said}: the target should become less sparse")
    return f"The Perceptron errs {len(add)} times on both; {said}."


@exercise("perceptron-vs-winnow-dial", "", "Real features have no ties as a rule.",
          "streams.separable makes real features.")
def _dial(stream: Any) -> str:
    must(isinstance(stream, olc.Stream), "the answer should be olc.Stream(X, y)")
    must(len(stream) >= 100, f"at least 100 rounds; here there are {len(stream)}")
    w = np.zeros(stream.n)
    for t, (x, y) in enumerate(stream):
        score = float(w @ x)
        must(t == 0 or abs(score) > 1e-9, f"the Perceptron has a tie in round {t + 1}")
        w = w + y * x * (y * score <= 0)
    add, dial = (olc.play(learner, stream).mistake_rounds for learner in (
        olc.Perceptron(stream.n), olc.BalancedWinnow(stream.n, eta=1e-6)))
    must(len(add) >= 10, f"{len(add)} mistakes show little; find a harder stream")
    must(np.array_equal(add, dial), "a score is so near to 0 that the two still part")
    return f"Both make the same {len(add)} mistakes."
