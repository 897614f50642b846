"""Exercises of the chapter `kernel_perceptron`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("kernel-bias", "The bound allows four, and there were four.",
        "The kernel is 9 for equal points and 1 for all others.",
        mistakes=(4, {"this is the number with the kernel ⟨x, z⟩²": 2,
                      "the fourth point has a wrong score, too": 3}),
        bound=(4.5, {"R² is κ(x, x) = 9, not 4": 2.0,
                     "the margin is √2, so γ² is 2": 9 / math.sqrt(2)}))


def _loop(constant: float = 1, degree: int = 2, *, ties: bool = True,
          sign: int = 1, always: bool = False) -> Any:
    """Return a function that counts the mistakes, perhaps with a slip."""
    def play(X: Any, y: Any) -> int:
        c, mistakes = np.zeros(len(X)), 0
        for t, x in enumerate(X):
            signed = y[t] * (c @ (constant + X @ x) ** degree)
            wrong = signed <= 0 if ties else signed < 0
            mistakes += int(signed <= 0)
            c[t] = sign * y[t] * (wrong or always)
        return mistakes

    return play


def _games(play: Any) -> dict[str, Any]:
    random = np.random.default_rng(0)
    games = {"on exclusive or": np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]),
             "on 40 points": random.integers(-2, 3, (40, 3))}
    return {name: play(X.astype(float), np.where(X[:, 0] * X[:, 1] > 0, -1, 1))
            for name, X in games.items()}


behaves("kernel-loop", _games, _loop(), {
    "leaves out the constant 1 of the kernel": _loop(0),
    "does not square": _loop(degree=1),
    "learns nothing from a tie": _loop(ties=False),
    "subtracts the example instead of adding it": _loop(sign=-1),
    "puts every example on the list": _loop(always=True),
}, "The same lines play any kernel.",
    "(1 + X @ x) ** 2 is the kernel of x with each row.")


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
    return {"on three and two points": np.asarray(kernel(A, A[:2] - 1))}


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
    after = "after six updates with budget 3"
    return {f"{after} the examples": [float(np.ravel(x)[0]) for x in learner.support],
            f"{after} the coefficients": [float(c) for c in learner.coefficients]}


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
numbers("kernel-narrow", "The nearest example outvotes all others.",
        "Compare e^(−r₁²/2σ²) with M − 1 times e^(−r₂²/2σ²), and take logarithms.",
        sigma=(math.sqrt(3 / (2 * math.log(19))), {
            "there are M − 1 others, not M": math.sqrt(3 / (2 * math.log(20))),
            "the distances are squared": math.sqrt(1 / (2 * math.log(19))),
            "this is σ²": 3 / (2 * math.log(19)),
            "the exponent has 2σ², not σ²": math.sqrt(3 / math.log(19))}))
numbers("kernel-digits", "And the list has fewer than a hundred images.",
        "Add the constant 1 to the pixels, and choose 4 of the 65 with repetition.",
        features=(math.comb(68, 4), {
            "these are the products without repetition": math.comb(65, 4),
            "these are the products of exactly four pixels": math.comb(67, 4),
            "the order of the factors does not count": 65**4}))
behaves("kernel-averaged", cases((1, 10), (4, 10), (10, 10)), lambda t, T: T - t + 1, {
    "leaves out the weights after round t itself": lambda t, T: T - t,
    "counts the rounds up to t": lambda t, T: t,
}, "An example that came early counts for more.",
    "In which rounds do the weights contain the example that came in round t?")
