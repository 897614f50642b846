"""Exercises of the chapter `perceptron_vs_winnow`."""

from olc_book.exercises.kit import *
from olc_book.exercises.perceptron import PERCEPTRON

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

wanted("perceptron-vs-winnow-hopeful", PERCEPTRON,
       "Now choose the signs against it.", "Override decide.",
       points=[{"decide": "answers +1 at a tie"}])
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
def _every(stream: olc.Stream) -> str:
    H = adversaries.hadamard(32)
    must(stream.n == 32, f"N should be 32, not {stream.n}")
    must(np.array_equal(abs(stream.X @ H.T / 32).sum(axis=1), np.ones(len(stream))),
         "every example should be a row of the Hadamard matrix, or its negative")
    must((stream.X[:, 5] == stream.y).all(), "column 5 should be the label")
    hopeful = PERCEPTRON.kind(PERCEPTRON.choice(decide="answers +1 at a tie"))
    made = olc.play(hopeful(32), stream).mistakes
    must(made == 32, f"it errs in {made} of 32 rounds")
    made = olc.play(olc.BalancedWinnow(32, eta=2), stream).mistakes
    return f"It errs in every round, and Balanced Winnow {made} times."


numbers("perceptron-vs-winnow-cycle", "A stream of four examples costs so much.",
        "A pair of mistakes raises one relevant weight by 1.",
        "Up to which weight is the positive example a mistake?",
        given={"n": 64, "k": 3},
        mistakes=(lambda g: 2 * g.k * (g.n - g.k + 2) + 1, {
            "one last mistake on the negative example is missing":
                lambda g: 2 * g.k * (g.n - g.k + 2),
            "the constant feature is active, too":
                lambda g: 2 * g.k * (g.n - g.k + 1) + 1,
            "these are the pairs": lambda g: g.k * (g.n - g.k + 2),
            "this is the bound": lambda g: (4 * g.k + 1) * (g.n + 1)}))


@exercise("perceptron-vs-winnow-boosting", "Boosting finds the panel.",
          "The 40 examples are the features; show an expert's votes times the labels.",
          "What the expert got right should lose weight, so the label is −1.")
def _boosting(experts: Any) -> None:
    sample = olc.streams.panel(15, k=3, rounds=40, seed=5)
    panel = set(np.flatnonzero(sample.need_target()).tolist())
    must(np.iterable(experts), "give the experts as a list")
    said = {float(i) for i in experts}
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

numbers("perceptron-vs-winnow-roots", "The Perceptron errs in every round.",
        "The first mistake decides the signs, and each other one halves what is left.",
        "It errs log₂ 2N times.", given={"n": 256},
        mistakes=(lambda g: math.log2(2 * g.n), {
            "this is normalised Winnow, which knows the sign":
                lambda g: math.log2(g.n),
            "this is what sees only inner products, in expectation": lambda g: g.n / 2,
            "this is the Perceptron": lambda g: g.n}))
numbers("perceptron-vs-winnow-sphere", "It does not depend on N.",
        "R²/γ², and the points have length 1.", given={"margin": 0.1},
        bound=(lambda g: 1 / g.margin**2, {
            "square the quotient": lambda g: 1 / g.margin,
            "this is the multiplicative bound's 2/γ², without its ln 2N":
                lambda g: 2 / g.margin**2}))


@exercise("perceptron-vs-winnow-rotation", "",
          "np.linalg.qr of a random matrix has an orthogonal factor.",
          "Let three of many features decide, and leave out what is close.")
def _rotation(rotation: Any, stream: olc.Stream) -> str:
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
def _dial(stream: olc.Stream) -> str:
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
