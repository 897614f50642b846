"""Exercises of the chapter `winnow`."""

from olc_book.exercises.kit import *

__all__: list[str] = []

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
    # right by a quarter
    Game([[1, 1, 0, 0]], [1], 2 * (([1, 0, 0, 0], -1),) + 2 * (([0, 1, 0, 0], 1),)),
    # for weights that have a floor or a ceiling
    Game(np.eye(64)[7 * [0]], 7 * [1]),
    Game(12 * [[0, 1], [1, 1]] + 14 * [[1, 0]], 12 * [1, -1] + 14 * [1]),
    Game(4 * [[1, 0, 0, 0, 0]], 4 * [1],
         20 * (([1, 0, 0, 0, 0], 1),) + 20 * (([1, 0, 0, 0, 0], -1),)),
    Game(4 * [[1, 0, 0, 0]], 4 * [1],
         20 * (([1, 0, 0, 0], -1),) + 20 * (([1, 0, 0, 0], 1),)),
]
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
    "adds y and x in the exponent, without multiplying": lambda _, c, x, y: c + y + x,
    "changes no weight (the state counts, and begins at 0)": lambda self, c, x, y: c,
    "adds the factor to the weight, without multiplying":
        lambda self, c, x, y: np.log2(2.0**c + 2.0 ** (y * x)),
}
WINNOW = Family(
    olc.Winnow, GAMES, ends="decisions",
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


numbers("winnow-warm-up", "The second sum is exactly the threshold.",
        "Add up the weights of the features that are on, and compare with 4.",
        mistakes=(3, {"the fourth sum is 4.5, so it is right": 4,
                      "the second sum is 4 and reaches θ, so it is a mistake": 2}),
        weights=([4, 1, 1, 0.5], {
            "the last round is right and changes nothing": [8, 1, 1, 1],
            "the second round halves weights 2, 3 and 4": [4, 2, 2, 1],
            "only the features that are on are halved": [2, 1, 1, 0.5]}))


def _log(g: Any) -> int:
    return math.ceil(math.log2(g.n))


NK = {"n": 1024, "k": 3}
numbers("winnow-elimination",
        "All of the active weight goes, so a demotion pays for a whole promotion.",
        "The promotions are at most kL, as before.", "kN < N + kLN − m⁻N.",
        given=NK,
        mistakes=(lambda g: 2 * g.k * _log(g) - g.k, {
            "this is the bound of Winnow with demotion, 3kL - 2k":
                lambda g: 3 * g.k * _log(g) - 2 * g.k,
            "these are the promotions alone": lambda g: g.k * _log(g),
            "the inequality is strict, so m⁻ is at most k(L − 1)":
                lambda g: 2 * g.k * _log(g) - g.k + 1,
            "each relevant weight is worth N to the end: kN < N + kLN − m⁻N":
                lambda g: 2 * g.k * _log(g)}))
numbers("winnow-literals", "A copy of each feature costs one doubling per literal.",
        "How many features are there with the copies?",
        mistakes=(olc.winnow.mistake_bound(64, 2), {
            "with the copies there are 64 features": olc.winnow.mistake_bound(32, 2),
            "two literals are relevant": olc.winnow.mistake_bound(64, 1)}))
numbers("winnow-conjunction", "The factor 2 is too coarse.",
        "Which of the five examples reaches 16 after two promotions?",
        "Flip the labels together with the bits: what was + becomes −.",
        cycle=(102, {"the first two rounds are mistakes, too": 100,
                     "this is the game of 1002 rounds": 1002}),
        flipped=(14, {"flip the labels as well": 82, "flip the bits as well": 98}),
        gentle=(12, {"this is the factor 5/4": 8}))
numbers("winnow-noise", "By chance an error costs about two.",
        "M ≤ 3(kL + A) − 2k, with L = 9.", given={"n": 512, "k": 3, "errors": 20},
        mistakes=(lambda g: olc.winnow.noisy_bound(g.n, g.k, g.errors), {
            "this is the bound without errors":
                lambda g: olc.winnow.mistake_bound(g.n, g.k),
            "2k can be saved": lambda g: 3 * (g.k * _log(g) + g.errors),
            "each error may cost three mistakes":
                lambda g: olc.winnow.mistake_bound(g.n, g.k) + g.errors}))
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
def _loses(stream: olc.Stream) -> str:
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
