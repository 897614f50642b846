"""Exercises of the chapter `errata`."""

from fractions import Fraction

from olc_book.exercises.balanced_winnow import only_mistakes
from olc_book.exercises.kit import *
from olc_book.exercises.perceptron import stream_of
from olc_book.exercises.quiz import Question, choice
from olc_book.exercises.weighted_majority import duelled

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

@exercise("errata-logarithm", "Base 10 is false; base 2 is safe, and e is right.",
          "Let half of the experts err in each of ten rounds.")
def _logarithm(stream: olc.Stream) -> None:
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
        trace, best = duelled(adversary, vote, 400)
        must(trace.mistakes - best >= 100,
             f"with η = {eta} the mistakes in {len(trace)} rounds are "
             f"{trace.mistakes} of the vote and {best} of the better expert")


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
    ratio = Fraction(repr(float(positive))) / Fraction(repr(float(negative)))
    near = ratio.limit_denominator(100_000)
    must(ratio.denominator > 10**12 and abs(near - ratio) > 1e-12,  # √2 has 17 digits
         f"their ratio is {near}, or nearly, so the weight comes back in the end")


numbers("errata-noise", "Elimination never forgives; demotion does.",
        demotion=(8, {"this is the number with elimination": 997}),
        elimination=(997, {"this is the number with demotion": 8}))
ROUNDS: Any = [
    ([1, 0], [1, 0.25], 1), ([1, 0], [1, -0.25], -1), ([0.5, 0], [1, 1], 1),
    ([0, 0], [2, 1], -1), ([-0.25, 0], [1, 0], -1), ([-1, 0], [1, 0], -1)]
MISTAKES: Any = [([1, 0], [1, -0.25], -1), ([0, 0], [2, 1], -1),
                 ([-9, 30], [10, -10], 1)]


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
    after = {f"for w = {w}, x = {x}, y = {y}": rule(
        np.array(w, float), np.array(x, float), y)
             for w, x, y in rows}
    return {case: np.asarray(w, float) / np.sum(w) for case, w in after.items()}


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
    "learns below ½, but not at it":
        lambda w, x, y, guess: w + y * x * (y * (w @ x) < 0.5),
    "forgets the label: it pushes small scores up":
        lambda w, x, y, guess: w + x * (abs(w @ x) <= 0.5),
    "learns at mistakes only, without a margin":
        lambda w, x, y, guess: w + y * x * (guess != y),
    "learns in every round": lambda w, x, y, guess: w + y * x,
}, "The label decides where to push, and the score whether to.",
    "When is y⟨w, x⟩ large enough?", "Add y x as long as y⟨w, x⟩ is at most ½.")


def _steps(step: Any) -> dict[str, Any]:
    return {f"for w = {w}, x = {x}, θ = {to}":
            step(np.array(w, float), np.array(x, float), to)
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


@exercise("errata-potential", "Relevant features only double; others need not.",
          "Promote a feature once and demote it once.")
def _potential(stream: olc.Stream) -> None:
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
    only_mistakes(olc.Winnow(1024), X, y, cycle)

#: What a box is about, its wrong line, why it is wrong, and the lines as once printed.
BOXES: dict[str, tuple[str, int, str, str]] = {
    "perceptron": ("The Perceptron", 5,
        "At a mistake ŷ is the wrong label; it must be y x.", """
w ← 0
in every round: receive x
predict ŷ = sign⟨w, x⟩
receive y
if ŷ ≠ y: w ← w + ŷ x"""),
    "novikoff": ("The proof of its bound", 2,
        "The proof adds ‖x‖₂², so R is the largest ‖x‖₂.", """
let ‖u‖₂ = 1 and y⟨u, x⟩ ≥ γ > 0 in all rounds
let R be the largest ‖x‖∞
a mistake adds at least γ to ⟨u, w⟩
a mistake adds at most R² to ‖w‖²
so Mγ ≤ √M R, and M ≤ R²/γ²"""),
    "consistent": ("Its bound as a theorem", 1,
        "The target w* must be consistent with all labels, so that γ > 0.", """
let w* be some vector with ‖w*‖₂ = 1
let γ be the least y⟨w*, x⟩ of all rounds
let R be the largest ‖x‖₂
then the Perceptron errs at most R²/γ² times"""),
    "sign": ("A step of the proof, where ‖x‖ ≤ R", 3,
        "The middle term is not positive, so it is ≤.", """
‖v + y x‖² = ‖v‖² + 2y⟨v, x⟩ + ‖x‖²
at a mistake 2y⟨v, x⟩ is at most 0
so ‖v + y x‖² ≥ ‖v‖² + R²
after k mistakes ‖v‖² ≤ kR²"""),
    "thick": ("The Perceptron with thickness τ", 4,
        "What is large enough is left alone: update as long as y⟨w, x⟩ ≤ τ.", """
w ← 0, τ > 0
receive x and predict ŷ = sign⟨w, x⟩
receive y
if y⟨w, x⟩ > τ: w ← w + y x"""),
    "winnow": ("Winnow", 3,
        "Only the active weights are doubled.", """
w ← (1, …, 1), θ = N
predict +1 if ⟨w, x⟩ ≥ θ, else −1
if ŷ = −1 and y = +1: double all weights
if ŷ = +1 and y = −1: halve the active weights"""),
    "potential": ("Its total weight, after m⁺ promotions and m⁻ demotions", 4,
        "The promotions are missing: Φ ≤ N + m⁺N − m⁻N/2.", """
let Φ be the sum of all weights; at first it is N
a promotion adds less than N
a demotion takes at least N/2
so Φ < N − m⁻N/2"""),
    "doubling": ("How often it promotes", 5,
        "There are k relevant weights: m⁺ ≤ k⌈log₂ N⌉.", """
a relevant weight is never halved
it starts at 1 and is doubled only below N
so it is doubled at most ⌈log₂ N⌉ times
every promotion doubles a relevant weight
so m⁺ ≤ ⌈log₂ N⌉"""),
    "minnow": ("Normalised Winnow", 4,
        "The weights must change at mistakes only.", """
w ← (1/N, …, 1/N)
in every round: receive x and predict ŷ = sign⟨w, x⟩
receive y
in every round: w ← w e^(η y x), entry by entry
divide w by its sum"""),
    "floor": ("Winnow-R, after m⁺ promotions and m⁻ demotions", 3,
        "Weights at the floor stay, so it takes only more than N/4.", """
no weight falls below ½; let Φ be their sum
a promotion adds less than N to Φ
a demotion takes at least N/2 from Φ
Φ is at least N/2
so m⁻ < 4m⁺ + 2"""),
    "majority": ("Weighted majority", 4,
        "Those that were wrong lose weight, in every round.", """
w ← (1, …, 1)
predict with the weighted majority
receive y
if the vote was wrong: multiply the weights of all experts by 1 − η"""),
    "halving": ("Halving, for a finite class H", 2,
        "The majority of V votes, of those that are left.", """
V ← H
predict with the majority of H
receive y
strike out of V all hypotheses that were wrong"""),
    "exp3": ("Exp3, for losses from 0 to 1", 4,
        "The loss must be divided by the chance, ℓ/p.", """
w ← (1, …, 1)
draw arm i with chance p = w_i/Σw
see the loss ℓ of arm i
w_i ← w_i e^(−η ℓ)"""),
}


def box(name: str) -> Question:
    """Return a question that shows a box and asks which of its lines is wrong."""
    about, slip, why, text = BOXES[name]
    lines = [f"{i}. {line}" for i, line in enumerate(text.strip().splitlines(), 1)]
    wrong = dict.fromkeys(lines[: slip - 1], "it is right; read on.")
    wrong |= dict.fromkeys(lines[slip:], "it is right once an earlier line is mended.")
    return choice(f"{about}: which line is wrong?", lines[slip - 1], wrong, why)
