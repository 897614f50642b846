"""Exercises of the chapter `regression`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("regression-warm-up", "Both have learnt, and were surprised by the third.",
        "The residual is y − ŷ.", "VAW adds x² to A before it predicts.",
        descent=([0, 0.5, 1, 0.75], {
            "the prediction is wx, not w": [0, 0.25, 1, 0.75],
            "η multiplies each step": [0, 2, 0, 0],
            "the step is η times the residual times x": [0, 0.5, 0.625, 0.46875]}),
        vovk=([0, 1 / 3, 5 / 7, 5 / 8], {
            "add x² to A before you predict": [0, 1, 5 / 6, 5 / 7],
            "the prediction is xb/A, not b/A": [0, 1 / 6, 5 / 7, 5 / 8]}))


def _loses(change: Any = lambda r, x: r * x, power: int = 2) -> Any:
    def loss(X: Any, y: Any, eta: float) -> float:
        w, total = np.zeros(X.shape[1]), 0.0
        for x, number in zip(X, y, strict=True):
            residual = number - w @ x
            total += abs(residual) ** power
            w = w + eta * change(residual, x)
        return total

    return loss


def _tried(f: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    return {f"with η = {eta}": f(X, y, eta) for eta in (0.05, 0.2)}


behaves("regression-loop", _tried, _loses(), {
    "steps by the sign of the residual": _loses(lambda r, x: np.sign(r) * x),
    "steps away from the target": _loses(lambda r, x: -r * x),
    "takes twice the residual": _loses(lambda r, x: 2 * r * x),
    "adds the residuals, not their squares": _loses(power=1),
    "never learns": _loses(lambda r, x: 0 * x),
}, "A small miss leads to a small step.", "Take the residual before you learn from it.")


def _says(kind: Any) -> dict[str, Any]:
    y = np.array([1.0, 0, 0, 1, 3, -2])
    found = gradient.forecast(kind(1, eta=1), np.ones((6, 1)), y)
    return {"with x = 1": found.predictions}


def _stepping(rule: Any) -> Any:
    def step(self: Any, state: Any, x: Any, residual: Any) -> Any:
        self.rounds = getattr(self, "rounds", 0) + 1
        return state + rule(self.rounds) * residual * x

    return variant(gradient.GradientDescent, step=step)


behaves("regression-mean", _says, _stepping(lambda t: 1 / t), {
    "follows the last number": gradient.GradientDescent,
    "counts one round too many": _stepping(lambda t: 1 / (t + 1)),
    "takes the rate 1/√t": _stepping(lambda t: 1 / math.sqrt(t)),
}, "Gradient descent with η = 1/t is the mean.", "Count the rounds in step.")


def _ridges(kind: Any) -> dict[str, Any]:
    X, y = [[1.0, 0], [100.0, 1], [2, 1], [1, -1]], [1.0, -1.0, 2.0, 0.5]
    return {"in four rounds": gradient.forecast(kind(2), X, y).predictions}


behaves("regression-ridge", _ridges, variant(
    vovk.VovkAzouryWarmuth, score=lambda self, x: float(self.weights @ x)), {
    "takes the present example into A, as Vovk–Azoury–Warmuth does":
        vovk.VovkAzouryWarmuth,
    "does not multiply by the inverse of A": variant(
        vovk.VovkAzouryWarmuth, score=lambda self, x: float(self.state[:, -1] @ x)),
    "always predicts 0": variant(vovk.VovkAzouryWarmuth, score=lambda self, x: 0.0),
}, "It bets on what it has not seen.", "learner.weights are those of ridge regression.")
numbers("regression-rate", "The bound must hold for every noise with the same L.",
        "Print the loss for each of the six rates.",
        "By the theorem the bound is least at R‖u‖/(√L + R‖u‖).",
        best=(0.6, {"this is where the bound is least, of the six": 0.3,
                    "this is what the theorem says, not the run": 0.4412}),
        # it is 0.4425, and 0.44 is near enough
        bound=(0.4412, {"this has the least loss of the six": 0.6,
                        "it is the best of the six, not of all rates": 0.3}))


@exercise("regression-axes", "Each round costs as much as it adds to R²‖u‖².",
          "Show the axes one after the other.", "Answer 1 or −1, against the forecast.")
def _axes(forced: Any) -> None:
    for kind in (gradient.GradientDescent, gradient.ExponentiatedGradient):
        rows: Any = []

        def learn(self: Any, x: Any, y: Any, rows: Any = rows, kind: Any = kind) -> Any:
            rows.append([*x, y, said := kind.learn(self, x, y)])
            return said

        name = kind.__name__
        total = forced(type(name, (kind,), {"learn": learn})(16, eta=1))
        must(rows, "it never calls learner.learn(x, y)")
        X, y, said = np.hsplit(np.array(rows, dtype=float), [16, 17])
        u = np.linalg.lstsq(X, y)[0]
        must(np.allclose(X @ u, y), "no weights u explain all of the answers, so L > 0")
        least = np.square(X).sum(axis=1).max() * np.square(u).sum()
        loss = np.square(y - said).sum()
        must(least > 0, "all answers are 0, and so is u")
        must(loss > least - 1e-9,
             f"{name} loses only {loss:.4g}, and R²‖u‖² is {least:.4g}")
        must(np.isclose(total, loss),
             f"it returns {total:.4g}, and {name} loses {loss:.4g}")
