"""Exercises of the chapter `normalized_winnow`."""

from olc_book.exercises.kit import *
from olc_book.exercises.winnow import NK, WHEN

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

_grid = np.random.default_rng(7).integers(-9, 10, (60, 3)) / 8
REAL = [
    Game(_grid[:1], [-1]), Game(_grid[1:5], [1, -1, 1, 1]),
    Game([[1, 1], [-1, -1], [1, 1]], [1, -1, 1]),
    Game(_grid[5:15], labels(10, 7), ((_grid[3], 1), (_grid[9], -1))),
    Game([[1, -1, -1]], [1], (([2, 0, 0], 1), ([0, 1.5, 1.5], 1))),
    Game(_grid[15:], labels(45, 8)), Game([[1, 3], [1, -1]], [1, -1], (([2, 0], 1),)),
    Game([[1, -1, 0]], [1]),
    # for weights that are kept in a range, and for those that stop learning
    Game([[20, 0, 0], [20, -1, 0]], [-1, 1]),
    Game(np.random.default_rng(9).integers(-9, 10, (80, 5)) / 8, labels(80, 9)),
    Game([[1, -2, 0]], [1], 8 * (([2, 0, 0], 1),) + 8 * (([2, 0, 0], -1),)),
]
ADDS = {
    "adds y x to the state": lambda self, s, x, y: s + y * x,
    "adds x, whatever the label is": lambda self, s, x, y: s + x,
    "subtracts y x from the state": lambda self, s, x, y: s - y * x,
    "adds the prediction times x":
        lambda self, s, x, y: s + np.sign(np.round(self.weights @ x, 12)) * x,
}
NORMALISED = Family(
    olc.NormalizedWinnow, REAL, ends="scores", args={"eta": 1.0},
    link={
        "takes exponentials": olc.NormalizedWinnow.link,
        "takes the state for its weights": lambda self, s: 1.0 * s,
        "halves the rate": lambda self, s: np.exp(s / 2) / np.exp(s / 2).sum(),
        "has one factor for all": lambda self, s: np.ones(self.n) / self.n,
        "does not normalise": lambda self, s: np.exp(s) / self.n,
        "divides by the largest weight": lambda self, s: np.exp(s - s.max()),
        "divides by the Euclidean length":
            lambda self, s: np.exp(s) / np.linalg.norm(np.exp(s)),
    },
    step=ADDS, wants_update=WHEN)
wanted("normalized-winnow-update", NORMALISED, "Its logarithms are the Perceptron.")
numbers("normalized-winnow-warm-up", "A tie is a mistake, too.",
        "An expert who was right gains a factor of 2 on the others.",
        mistakes=(2, {"the third vote is a tie, which is a mistake": 1,
                      "the fourth vote is right": 3}),
        weights=([1 / 6, 1 / 6, 2 / 3], {
            "the third vote is a tie, which is a mistake": [1 / 4, 1 / 4, 1 / 2],
            "divide by their sum": [1, 1, 4]}))
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
    return bisected(lambda e: e * margin > math.log(math.cosh(e)), margin, 10.0)[0]
