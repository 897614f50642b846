"""Exercises of the chapter `thick_separator`."""

from olc_book.exercises.kit import *
from olc_book.exercises.perceptron import whole

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

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
        Game(whole(2, 12, 3), labels(12, 3)),
        Game(whole(2, 30, 4) / 2, labels(30, 4)),
        Game([[0.25, 1], [0.5, 0], [1, 0], [0.25, 1], [0.5, 1]], [1, 1, -1, -1, 1]),
        # for weights that are kept small, and for those that stop learning
        *(Game([[1, 0.1]], [1], (([1, 2 * y], 1),) + 20 * (([0, 1], 1),))
          for y in (1, -1)),
        Game(whole(2, 60, 5) / 2, labels(60, 5))],
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
        "learns where y times the score is at most τ": lambda _, s, y: y * s <= 0.5,
        "learns within τ": lambda self, score, y: abs(score) <= 0.5,
        "learns beyond τ on the positive side alone": lambda _, s, y: s > 0.5,
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


def _margins(strict: bool = False, only: bool = False, tie: bool = True) -> Any:
    def game(X: Any, y: Any, tau: float) -> list[int]:
        w, mistakes, updates = np.zeros(X.shape[1]), 0, 0
        for x, label in zip(X, y, strict=True):
            score = label * (w @ x)
            wrong = score <= 0 if tie else score < 0
            mistakes += wrong
            if wrong if only else score < tau if strict else score <= tau:
                w, updates = w + label * x, updates + 1
        return [int(mistakes), updates]

    return game


def _on_whole(game: Any) -> dict[str, Any]:
    found = {}
    for seed, tau in ((0, 0), (1, 1), (2, 3)):
        X, y = whole(3, 40, seed), labels(40, seed)
        found[f"on stream {seed + 1}, τ = {tau}"] = [*map(int, game(X, y, tau))]
    return found


numbers("thick-warm-up", "The second round is an update, and no mistake.",
        "A score of 0 is a tie. A score of exactly τ still calls for an update.",
        mistakes=(2, {"the second score is 1, which is right": 3,
                      "a tie is a mistake, too": 1}),
        updates=(3, {"a score of exactly τ calls for an update": 2,
                     "the last score is 4, more than τ": 4}),
        weights=([2, 0], {"the last round changes nothing": [4, 0],
                          "the second round is an update": [1, -1]}))
behaves("thick-loop", _on_whole, _margins(), {
    "updates at mistakes only": _margins(only=True),
    "does nothing at a score of exactly τ": _margins(strict=True),
    "does not count a tie as a mistake": _margins(tie=False),
}, "With τ = 0 it is the Perceptron.", "Count a mistake where y·score ≤ 0.",
    "Update where y·score ≤ τ, whether it was a mistake or not.")
