"""Exercises of the chapter `linear_classifiers`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("linear-warm-up", "The closest of them decides.",
        "A signed score is y times w₁x₁ + w₂x₂, and the margin divides by the length.",
        scores=([10, 5, 4, 10], {"these are the scores without the labels":
                                 [10, 5, -4, -10]}),
        margin=(0.8, {"divide by the length of w, which is 5": 4,
                      "the least signed score decides, not their mean": 1.45}),
        wrong=([-1, 2], {"its score is −4 and its label −1": [0, -1]}))
_POINTS = np.array([[2.0, 1.0], [-1.0, 2.0], [0.5, -1.0], [-2.0, -1.0]])
_SIDES = np.array([1, 1, -1, -1])


def _margins(margin: Any) -> dict[str, Any]:
    return {f"for w = {list(w)}": margin(np.array(w), _POINTS, _SIDES)
            for w in ([3.0, 4.0], [0.0, 2.0], [1.0, -1.0])}


behaves("linear-margin", _margins, lambda w, X, y: (y * (X @ w)).min()
        / np.linalg.norm(w), {
    "does not divide by the length": lambda w, X, y: (y * (X @ w)).min(),
    "leaves out the labels": lambda w, X, y: (X @ w).min() / np.linalg.norm(w),
    "takes the size of the score, so that it is never negative":
        lambda w, X, y: np.abs(X @ w).min() / np.linalg.norm(w),
    "divides by the squared length": lambda w, X, y: (y * (X @ w)).min() / (w @ w),
    "takes the mean in place of the minimum":
        lambda w, X, y: (y * (X @ w)).mean() / np.linalg.norm(w),
}, "It is negative as soon as one example is on the wrong side.",
    "X @ w has all scores; y * (X @ w) the signed ones.")
numbers("linear-count", "The two that are missing are exclusive or and its negation.",
        "geometry.separable decides for one labelling; try them all.",
        two=(14, {"this is the number of all functions": 16,
                  "this is half of all functions, and there are more": 8,
                  "these say −1 at 00; as many say +1 there": 7,
                  "this is the number for signs, without a constant feature": 4,
                  "without a constant feature the corner 00 has the score 0": 0}),
        three=(104, {"this is the number of all functions": 256,
                     "this is half of all functions, and there are fewer": 128,
                     "these say −1 at 000; as many say +1 there": 52,
                     "this is the number for signs, without a constant feature": 14,
                     "without a constant feature the corner 000 has the score 0": 0}))
numbers("linear-distance", "The square touches with a corner, at 0.",
        "Divide the score by ‖w‖₁.",
        distance=(2, {"this is the Euclidean distance": 8 / math.sqrt(10),
                      "this is the score": 8,
                      "the norm of w is ‖w‖₁ = 4 here, not its largest entry": 8 / 3}),
        nearest=([0, 0], {
            "this is the nearest point in the Euclidean sense": [2 - 2.4, 2 - 0.8],
            "this moves one coordinate only; both may move by the distance":
                [2 - 8 / 3, 2],
            "this moves away from the hyperplane": [4, 4]}))
numbers("linear-disjunction", "It grows with the number of all variables.",
        "With j relevant bits the score is ja − 1. Which j makes it least in size?",
        "The margin is min(1, a − 1)/√(ka² + 1).", given={"k": 5, "n": 100},
        a=(2, {"then one relevant bit scores 0": 1,
               "then one relevant bit scores less than 1 in size": 1.5,
               "the least score is 1 already for a smaller a": 3}),
        bound=(lambda g: (4 * g.k + 1) * (g.n + 1), {
            "the constant feature counts in R²": lambda g: (4 * g.k + 1) * g.n,
            "the squared length of the weights is 4k + 1":
                lambda g: 4 * g.k * (g.n + 1)}))


@exercise("linear-product", "One product is enough for two bits.",
          "x₁ + x₂ − 2x₁x₂ is 1 if exactly one bit is 1.")
def _product(weights: Any) -> None:
    w = np.asarray(weights, dtype=float)
    must(w.shape == (4,), "give four weights: of x₁, x₂, x₁x₂ and the bias")
    for a, b in np.ndindex(2, 2):
        score = float(w @ [a, b, a * b, 1])
        side = "positive" if a != b else "negative"
        must(score * (1 if a != b else -1) > 0,
             f"at x = ({a}, {b}) the score is {score:g}, and should be {side}")


numbers("linear-parity", "All four are needed; with signs a single product is enough.",
        "Try the sets of products by their size, with geometry.separable.",
        products=(4, {"with bits the product of all three is not enough": 1,
                      "the three pairs are not enough: x₁x₂x₃ is missing": 3,
                      "the bits alone cannot represent parity": 0}))
