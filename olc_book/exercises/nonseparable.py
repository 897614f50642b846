"""Exercises of the chapter `nonseparable`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

def _hinge(g: Any) -> float:
    return float(g.rho / 2 + math.sqrt(g.rho**2 / 4 + g.rounds * g.part))


numbers("perceptron-both", "R²/γ² is a bound only for γ > 0.",
        "Write down the weight after each of the first four rounds.",
        given={"rounds": 1000},
        mistakes=(lambda g: g.rounds, {
            "a tie, too, is a mistake": lambda g: g.rounds // 2,
            "this is R²/γ², which is no bound for γ < 0": 1}),
        margin=(-1, {"the label −1 makes the least signed score negative": 1,
                     "u = 1 has the score −1 on half of the examples": 0}))
numbers("perceptron-xor", "With bits the walk is longer than with signs.",
        "adversaries.orbit lists the weights that can be reached.",
        vectors=(162, {"this is the number without the constant feature": 13,
                       "this is the number with signs": lambda g: len(
                           adversaries.orbit(geometry.homogenise(streams.xor())))}),
        longest=(29, {"this is the length, not its square": math.sqrt(29),
                      "this is the number without the constant feature": 5}),
        without=(13, {"this is the number with the constant feature": 162,
                      "this is the number with signs": 9}))
numbers("perceptron-bounds", "The best γ leaves no loss at all.",
        "Put ρ, λ and T into the two bounds.",
        given={"rho": 10.0, "part": 0.5, "rounds": 10_000},
        hinge=(lambda g: _hinge(g) ** 2, {
            "this is the root of the bound": _hinge,
            "this is the bound without the losses": lambda g: g.rho**2,
            "this is a rougher form; solve M = ρ√M + λT":
                lambda g: (g.rho + math.sqrt(g.part * g.rounds)) ** 2}),
        squares=(lambda g: (g.rho + g.part * math.sqrt(g.rounds)) ** 2, {
            "the losses are squared, and so is λ": lambda g:
                (g.rho + math.sqrt(g.part * g.rounds)) ** 2,
            "this is the root of the bound": lambda g:
                g.rho + g.part * math.sqrt(g.rounds)}),
        best=(lambda g: (g.rho / (1 - g.part)) ** 2, {
            "this is R²/γ² without the losses; γ must shrink to (1 − λ)γ":
                lambda g: g.rho**2,
            "the ratio is squared": lambda g: g.rho / (1 - g.part)}))
numbers("perceptron-pocket", "Which of the two would you hand out?",
        "Count after each pass, with learner.predict(images.X) != images.y.",
        best=(57, {"this is the count after the last pass": 69,
                   "this is the worst of them": 132,
                   "this is the number without the constant feature": 66}),
        last=(69, {"this is the best of them": 57,
                   "this is the number without the constant feature": 74}))
numbers("perceptron-plane-proof", "In three dimensions there may be twice as many.",
        given={"ratio": 101},
        mistakes=(lambda g: g.ratio // 2 + 1, {
            "this is the bound for all dimensions": lambda g: g.ratio,
            "one more is possible": lambda g: g.ratio // 2}))


@exercise("perceptron-infinite", "By Pythagoras each mistake adds 1 to ‖w‖².",
          "Which score is a mistake and takes nothing from the length?",
          "Turn w by a right angle and divide by its length; at w = 0 take any axis.")
def _infinite(example: Any) -> None:
    w = np.zeros(2)
    for t in range(1, 101):
        x = example(w)
        must(np.shape(x) == (2,), "it should return the two coordinates of an example")
        x = np.asarray(x, dtype=float)
        must(np.isfinite(x).all(), f"in round {t} the example is {x}: is it divided by "
             "the length of w, which is 0 at first?")
        length, score = float(np.linalg.norm(x)), float(w @ x)
        must(math.isclose(length, 1), f"in round {t} the example has length {length:g}")
        must(score <= 1e-9, f"in round {t} the score is {score:.4g}: no mistake")
        w = w + x
        must(math.isclose(w @ w, t), f"after {t} mistakes ‖w‖² is {w @ w:.4g}, not {t}")


@exercise("perceptron-plane", "By this rule there are far fewer than 51.",
          "olc.duel(olc.Perceptron(2), adversaries.WorstOrder(disc), rounds=1000) "
          "plays one game.")
def _plane(mean: Any) -> None:
    said = float(np.mean(mean))
    must(said != 51, "51 is what an adversary forces who may make up its points")
    must(np.size(mean) in (1, 10), f"there are ten seeds, not {np.size(mean)}")
    must(said > 9, f"it is more than {said:g}: did the adversary choose the order?")
    must(said < 12, f"it is less than {said:g}: is this the mean over the ten seeds?")
