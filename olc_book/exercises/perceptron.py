"""Exercises of the chapter `perceptron`."""

from olc_book.exercises.kit import *

__all__: list[str] = []

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

def whole(n: int, rounds: int, seed: int, high: int = 2) -> Any:
    return np.random.default_rng(seed).integers(-high, high + 1, (rounds, n))


GAMES = [
    Game([[1, 0]], [-1]),
    Game([[1, 2], [2, 1], [-1, -1], [-1, 1]], [1, 1, -1, -1]),
    Game([[1, 1], [0, 2], [1, -1]], [1, -1, 1]),
    Game([[1, 1], [1, -1], [-1, 1], [2, 1]], [1, -1, 1, 1], (([1, 0], 1), ([0, 1], 1))),
    Game(whole(3, 12, 0), labels(12, 0), (([1, 0, 2], -1), ([0, 1, 1], 1))),
    Game(whole(4, 40, 1), labels(40, 1)),
    Game(whole(3, 20, 2) / 2, labels(20, 2), (([0.5, 0, 1], 1),)),
    Game(whole(2, 20, 5) / 2, labels(20, 5)),
    # for weights that are kept small, and for those that stop learning
    Game([[1000, 1], [1, -1001]], [1, 1]),
    Game([[1, -1001]], [1], (([1000, 1], 1),)), Game([[1, 0]], [1], (([99, 1], -1),)),
    Game(whole(5, 120, 6), labels(120, 6)),
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
    wants_update=WHEN | {
        "learns nothing from a tie": lambda self, score, y: y * score < 0,
        "learns from positive examples only": lambda self, score, y:
            self.decide(score) != y and y > 0,
        "learns whenever y times the score is at most 1": lambda _, s, y: y * s <= 1,
        "learns whenever y times the score is below 1": lambda _, s, y: y * s < 1,
        "adds y and the score, without multiplying them": lambda _, s, y: y + s < 0,
    },
    start={
        "starts at 0": lambda self: np.zeros(self.n),
        "starts at (1, …, 1)": lambda self: np.ones(self.n),
    },
)
numbers("perceptron-warm-up", "Three mistakes: a tie is one of them.",
        "The first score is 0: add the example.",
        says=([0, 0, -1, 1], {
            "a score of 0 is a tie, and no prediction": [1, 1, -1, 1],
            "these are the labels": [1, 1, -1, -1]}),
        weights=([1, -3], {
            "a tie is a mistake, too": [0, 0],
            "after a right prediction nothing changes": [2, -4],
            "the label of the last example is −1: subtract it": [3, 3]}))
wanted("perceptron-loop", PERCEPTRON, "The same lines play any linear learner.",
       "A tie is a mistake: ask whether y times the score is at most 0.",
       "At a mistake w = w + y * x.")
numbers("perceptron-real", "For the tumours it is in the hundreds of millions.",
        "geometry.homogenise appends the constant, and maximal_margin finds γ.",
        ratio=(513.829, {
            "R and γ are both squared": 22.668,
            "append the constant feature first": 492.009}))
numbers("perceptron-bits", "It doubles with every bit.",
        "The best u is (0, 1), and R² is q² + 1.",
        "perceptron.batch(X, y, max_epochs=1000).updates",
        given={"b": 8}, margin=(1, {"u = (0, 1) has a larger one": 0}),
        bound=(lambda g: 4**g.b + 1, {"R² counts both coordinates": lambda g: 4**g.b}),
        updates=(lambda g: 2 * 2**g.b - 3, {
            "there are about twice as many as q": lambda g: 2**g.b}))
wanted("perceptron-ties-plus", PERCEPTRON,
       "The theorem holds for it: which fact of the proof does it use?",
       "Which hook turns a score into a prediction?",
       "decide(score) may return 1 if score >= 0 else -1.",
       points=[{"decide": "answers +1 at a tie"}])
wanted("perceptron-ties-abstains", PERCEPTRON,
       "It never leaves w = 0, so every round counts as a mistake.",
       "Which hook says whether to learn?", "A tie is where y times the score is 0.",
       points=[{"wants_update": "learns nothing from a tie"}])


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
def _agnostic(adversary: Any) -> None:
    lies = 2
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
