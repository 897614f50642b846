"""Exercises of the chapter `spelling`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

@exercise("spelling-twins", "Sentences have been recognised, and nothing was learnt.",
          "Append the rows to themselves, and permute before the split.")
def _twins(accuracy: float) -> None:
    must(accuracy > 1, f"{accuracy:g} should be in per cent")
    must(accuracy > 98.2, f"{accuracy:g} is what there is without twins, or less")
    must(accuracy > 99.2, f"{accuracy:g} is what a quarter of the twins brings")
    must(accuracy <= 100, f"{accuracy:g} is more than 100 per cent")


@exercise("spelling-rare", "Rare features carry some information.",
          "train.X.sum(axis=0) counts how often each feature occurs.")
def _rare(share: Any) -> None:
    must(np.shape(share) == (2,), "give two shares, for 2 and for 5")
    two, five = np.asarray(share, dtype=float)
    must(two <= 1 and five <= 1, "give shares between 0 and 1, not numbers of weights")
    must(two < 0.6 or five < 0.8, "these are the shares that are dropped")
    must(five < two, f"5 cannot leave more than 2: {five:g} and {two:g}")
    must(abs(two - 0.33) < 0.05, f"for 2 the share is not {two:g}")
    must(abs(five - 0.1) < 0.04, f"for 5 the share is not {five:g}")


numbers("spelling-floor", "The floor never helps here.",
        "Add up the eight pairs, and take the mean of the five orders.",
        small=(45, {"this is without any drift: starting anew": 34,
                      "this is the mean of a pair: add up the pairs": 5.6,
                      "take Winnow-R less Winnow": -45}),
        large=(7.8, {"this is without any drift: starting anew": 0.6,
                   "this is the mean of a pair: add up the pairs": 0.975,
                   "take Winnow-R less Winnow": -7.8}))
numbers("spelling-pairs", "The same game, and less than a quarter of the operations.",
        "stream(..., conjoined=True).X.nnz counts the active conjunctions.",
        rounds=(0, {}),
        explicit=(88723, {"these are the features, without conjunctions": 8425}),
        kernel=(391760, {"this counts each earlier mistake as one operation":
                         20045}))
numbers("spelling-warm-up", "The last round is right, but not by more than 5.",
        "A count c stands for the weight 2^c − 2^−c; a score below 1 says −1.",
        mistakes=(3, {"the last score is 5.25, which is right": 4,
                      "the first score is 0, which is below θ = 1": 2}),
        updates=(4, {"the last score is right by only 4.25": 3}),
        counts=([2, 3, 0], {"the last round is an update, too": [1, 2, 0],
                            "what is not active keeps its count": [2, 3, 1],
                            "a negative example is subtracted": [4, 3, 2]}))
numbers("spelling-hand", "78 = 12 · 13/2.", "Words, collocations, and the gap itself.",
        features=(12, {"the gap itself is a feature": 11,
                       "the collocations are features, too": 5}),
        conjunctions=(78, {"single features count, too": 66,
                           "order does not count": 144}))
behaves("spelling-kernel", cases(0, 1, 5), lambda c: 2**c - 1, {
    "counts the empty conjunction": lambda c: 2**c,
    "counts pairs": lambda c: c * (c - 1) // 2,
    "counts single features": lambda c: c,
}, "It grows so fast that each sentence is close to itself alone.",
    "Which subsets of the common features are there?")


def _theta(g: Any) -> int:
    return min(range(g.b + 1, 10 * g.b), key=lambda theta:
               olc.winnow.sparse_bound(g.k, g.b, theta))


numbers("spelling-threshold", "The bound is as small for 4b, which is easier to keep.",
        "winnow.sparse_bound(k, b, theta) is the bound; try all θ from b + 1 on.",
        given={"b": 16, "k": 4},
        theta=(_theta, {
            "this is 4b, which is as good but not the first": lambda g: 4 * g.b,
            "this is the smallest θ that is allowed": lambda g: g.b + 1}),
        lost=(0, {"this is the bound itself": lambda g:
                  olc.winnow.sparse_bound(g.k, g.b, 4 * g.b),
                  "this is by how much θ is larger, not the bound": lambda g:
                  4 * g.b - _theta(g)}))


def _p_norm(p: int, tie: float = 0.0, power: int = 1) -> Any:
    def game(stream: Any) -> int:
        s, wrong = np.zeros(stream.n), 0
        for x, y in stream:
            if y * (np.sign(s) * np.abs(s) ** (p - power)) @ x <= tie:
                s, wrong = s + y * x, wrong + 1
        return wrong

    return game


def _on_bits(game: Any) -> dict[str, Any]:
    from scipy.sparse import csr_matrix

    bits = [streams.disjunction(20, k=2, rounds=80, seed=seed) for seed in (0, 1, 2)]
    rows = [olc.Stream(csr_matrix(one.X), one.y) for one in bits]
    return {f"on stream {i + 1}": game(one) for i, one in enumerate(rows)}


behaves("spelling-p-norm", _on_bits, _p_norm(3), {
    "plays p = 2, the Perceptron": _p_norm(2),
    "plays p = 4": _p_norm(4),
    "does not count a tie as a mistake": _p_norm(3, -1e-9),
}, "The norm changes no sign.", "Score with sign(s)·s² at the active features.",
    "With X = stream.X they are X.indices[X.indptr[t]:X.indptr[t + 1]] in round t.")


def _loop(alpha: float = 1.1, theta: float = 1, tau: float = 4, tie: int = 1,
          minus: bool = True, only: bool = False) -> Any:
    def game(X: Any, y: Any) -> int:
        count, mistakes = np.zeros(X.shape[1]), 0
        for x, label in zip(X, y, strict=True):
            f = x @ (alpha**count - minus * alpha**-count)
            wrong = label != (1 if f >= theta else -1)
            mistakes += wrong
            if wrong if only else label * (f - theta * tie) <= tau:
                count = count + label * x
        return mistakes

    return game


def _on_rows(game: Any) -> dict[str, Any]:
    bits = [streams.disjunction(20, k=2, rounds=120, seed=seed) for seed in (0, 1, 2)]
    return {f"on stream {i + 1}": game(one.X.copy(), one.y.copy())
            for i, one in enumerate(bits)}


behaves("spelling-loop", _on_rows, _loop(), {
    "learns at mistakes only": _loop(only=True),
    "has no negative weights": _loop(minus=False),
    "measures the margin from 0, not from θ": _loop(tie=0),
    "has the factor 2": _loop(alpha=2),
    "has the threshold 0": _loop(theta=0),
}, "Nobody needs N: a count of 0 stands for a weight of 0.",
    "The weights are 1.1^count − 1.1^−count.",
    "Update where y(f − 1) ≤ 4, also if the prediction was right.")
