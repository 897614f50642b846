"""Exercises of the chapter `one_proof`."""

from olc_book.exercises.kit import *
from olc_book.exercises.normalized_winnow import ADDS, REAL
from olc_book.exercises.winnow import WHEN

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

def _largest(self: Any, s: Any) -> Any:
    return np.sign(s) * (abs(s) == abs(s).max())


LARGEST = Family(
    olc.Perceptron, REAL, link={
        "keeps all entries": lambda self, s: 1.0 * s,
        "keeps the largest entries, with their signs": _largest,
        "forgets the signs": lambda self, s: 1.0 * (abs(s) == abs(s).max()),
        "keeps the largest entry, not the largest in size":
            lambda self, s: np.sign(s) * (s == s.max()),
        "keeps the smallest entries": lambda self, s: np.sign(s) * (
            abs(s) == abs(s).min()),
        "takes the signs of all entries": lambda self, s: np.sign(s),
        "keeps all but the largest entries": lambda self, s: np.sign(s) * (
            abs(s) != abs(s).max()),
    }, step=ADDS, wants_update=WHEN)
wanted("one-proof-infinity", LARGEST, "The potential has edges, and no c is enough.",
       "Override link.", "Compare abs(state) with its maximum.",
       points=[{"link": "keeps the largest entries, with their signs"}])
numbers("one-proof-warm-up", "A tie is a mistake, too.",
        "Divide the squares by the 3-norm, which is 6.", "A score of 0 is a mistake.",
        scores=([0, -5 / 6, 23 / 6, 0], {
            "divide by the 3-norm, 6": [0, -5, 23, 0],
            "these are the Perceptron's": [0, 3, 3, 0],
            "the second answer is right, so s does not change": [0, -5 / 6, 0, 0]}),
        mistakes=(3, {"a tie is a mistake": 1, "one of the two ties is missing": 2,
                      "the second answer is right": 4}),
        s=([4, 4, 5], {"the tie at the end is a mistake": [5, 3, 4],
                       "the tie at the start is a mistake": [1, 0, 0]}))


def _loop(learn: Any = lambda s, x, y: s + y * x, link: Any = lambda s, p:
          np.sign(s) * abs(s) ** (p - 1), errs: Any = lambda v: v <= 0) -> Any:
    def play(X: Any, labels: Any, p: float) -> Any:
        s = np.zeros(len(X[0]))
        for x, y in zip(np.array(X), labels, strict=True):
            s = learn(s, x, y) if errs(y * (link(s, p) @ x)) else s
        return s
    return play


TRACED = ([[3, 4, 5], [4, -1, -1], [-2, 1, 1], [-1, 1, 1]], [1, -1, -1, 1])
MADE = (np.random.default_rng(54).integers(-3, 4, (40, 3)), np.tile([1, -1, -1, 1], 10))
behaves("one-proof-loop", cases((*TRACED, 3), (*MADE, 3), (*MADE, 5)), _loop(), {
    "takes s itself for the weights": _loop(link=lambda s, p: s),
    "raises to the power p, not p − 1":
        _loop(link=lambda s, p: np.sign(s) * abs(s) ** p),
    "loses the signs of s": _loop(link=lambda s, p: abs(s) ** (p - 1)),
    "learns nothing from a tie": _loop(errs=lambda v: v < 0),
    "learns in every round": _loop(errs=lambda v: True),
    "adds x, whatever the label is": _loop(learn=lambda s, x, y: s + x),
}, "The norm is a positive factor, so the mistakes do not need it.",
    "w = np.sign(s) * abs(s) ** (p - 1), over a norm.", "A score of 0 is a mistake.")
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
numbers("one-proof-noise", "The rate of Winnow is fixed; λ of a norm adapts.",
        "For large D the root of M is about the root of D/γ.",
        "Winnow's bound has D with the factor η/(ηγ − ln cosh η).", given={"k": 3},
        norm=(lambda g: g.k, {"D is divided by γ, not multiplied": lambda g: 1 / g.k}),
        winnow=(lambda g: 1 / (1 / g.k - g.k * math.log(math.cosh(1 / g.k))), {
            "this is the cost for a norm": lambda g: g.k}))
