"""Exercises of the chapter `multiclass`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("multiclass-hand", "Their sum is 0, as it always is.",
        "A tie is a mistake. Among equal rivals take the smaller number.",
        weights=([[0, -1], [0, 0], [0, 1]], {
            "the rival loses what the right class gains":
                [[1, -1], [2, 0], [1, 1]],
            "a tie is a mistake, so the first round changes the weights":
                [[0, 0], [0, 0], [0, 0]]}))
numbers("multiclass-shift", "It was 40 before the shift.",
        "Subtract u.mean(axis=0) from u, and ask multiclass.margin again.",
        bound=(104 / 3, {"this is the bound before the shift": 40,
                         "the long examples have the squared radius 2R² = 4": 52 / 3,
                         "this is the margin": math.sqrt(3 / 26)}))
numbers("multiclass-square", "Where both can separate, neither is ahead for certain.",
        "Give the three points the rows (1, x, x²).",
        against=(4, {"this is the other form": 5,
                     "without x² the middle is wrong at every visit": 403}),
        constraints=(5, {"this is the other form": 4,
                         "this is the number without x²": 13}))
numbers("multiclass-code", "More questions, fewer of which need a right answer.",
        "A mistake of the code costs at least d/2 = 3.5 mistakes.",
        harmless=(3, {"with four wrong answers another word may be nearer": 4,
                      "the words differ in 7, of which half may be lost": 6}),
        code=(171, {"do not round up": 172, "this is what all of them make": 600}),
        pairs=(180, {"a mistake costs one mistake, not d/2": 51}))


def _constraints(tie: bool = True, only: bool = False, every: bool = False) -> Any:
    def game(X: Any, y: Any, classes: int) -> int:
        W, mistakes = np.zeros((classes, X.shape[1])), 0
        for x, label in zip(X, y, strict=True):
            scores = W @ x
            others = np.where(np.arange(classes) == label, -np.inf, scores)
            rival = int(others.argmax())
            if scores[label] < scores[rival] + tie * 1e-12:
                blamed = others >= scores[label] if every else [rival]
                W[label] += x
                W[blamed] -= 0 if only else x
                mistakes += 1
        return mistakes

    return game


def _against() -> Any:
    def game(X: Any, y: Any, classes: int) -> int:
        form = olc.OneAgainstAll(olc.Perceptron(X.shape[1]), classes=classes)
        return int(olc.multiclass.play(form, X, y).mistakes)

    return game


def _on_classes(game: Any) -> dict[str, Any]:
    found = {}
    for seed in (0, 1, 2):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-2, 3, (60, 4)), rng.integers(0, 3, 60)
        found[f"on stream {seed + 1}"] = game(X, y, 3)
    return found


behaves("multiclass-loop", _on_classes, _constraints(), {
    "does not count a tie as a mistake": _constraints(tie=False),
    "adds x to the right class, but subtracts it from no other":
        _constraints(only=True),
    "subtracts x from every class that scores as high": _constraints(every=True),
    "plays one against all": _against(),
}, "The same six lines play any number of classes.",
    "The rival is the best of the wrong classes.",
    "At a mistake add x to W[y], and subtract it from W[rival].")
