"""Exercises of the chapter `tightness`."""

import itertools

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("tightness-search", "Against Winnow the worst games have exactly 3L − 2.",
        "Search all positions: the relevant weight and the sorted others.",
        winnow=([4, 7], {"this is the bound for Winnow-R": [11, 17],
                         "these are the worst games against Winnow-R": [8, 12],
                         "this is 3L, before the last 2 are saved": [6, 9]}),
        floor=([8, 12], {"this is what Floor forces": [8, 11],
                         "this is the bound": [11, 17]}))
numbers("tightness-lengthen", "Lengthen comes within a third of it.",
        "There are N + 1 features with the constant.", given={"n": 128, "k": 3},
        bound=(lambda g: olc.perceptron.disjunction_bound(g.n, g.k), {
            "this is what Cycle forces": lambda g: 2 * g.k * (g.n - g.k + 2) + 1,
            "count the constant feature, too": lambda g: (4 * g.k + 1) * g.n}))
numbers("tightness-sphere", "The Perceptron's bound is 1/γ² instead.",
        "It is at most 2 + 2 log₂(1/γ), rounded down.", given={"margin": 0.1},
        mistakes=(lambda g: olc.tightness.volume_bound(3, g.margin), {
            "this is what every learner can be led to":
                lambda g: olc.tightness.problem_bound(3, g.margin),
            "mistakes are whole, so round down":
                lambda g: 2 + 2 * math.log2(1 / g.margin),
            "this is the Perceptron's bound": lambda g: 1 / g.margin**2}))


def _uneven(n: int, margin: float) -> int:
    cost = [0, *(1 / math.sin(math.pi / 2**i) ** 2 for i in range(1, 40))]
    spent = np.cumsum(np.repeat(np.diff(cost), n // 2))
    return int(np.sum(spent <= 1 / margin**2 + 1e-9))


numbers("tightness-uneven", "Planes that are all alike force three fewer.",
        "The target may have a part of its own length in each plane.",
        "Take the cheapest next mistake as long as the sum allows it.",
        given={"n": 50, "margin": 0.02},
        mistakes=(lambda g: _uneven(g.n, g.margin), {
            "this is the number for planes that are alike":
                lambda g: adversaries.Planes(g.n, g.margin).forced,
            "this is the number of axes":
                lambda g: min(g.n, math.floor(1 / g.margin**2 + 1e-9))}))
numbers("tightness-sharp", "The simple bound is 106.",
        "The bound is c·r + 1 + ⌊4cG/(N + 1)⌋.",
        given={"n": 64, "c": 3},
        mistakes=(lambda g: olc.winnow_r.sharp_bound(g.n, g.c), {
            "this is the bound of the chapter":
                lambda g: olc.winnow_r.mistake_bound(g.n, g.c)}))
POOL: dict[str, Any] = {"n": 10, "margin": 0.1, "rounds": 1000, "seed": 0}
BEST_ORDER = 76  #: the most mistakes that we know on this pool; a beam search found it


@exercise("tightness-order", "", "Look at the margins, not only at the scores.",
          "Keep many weights at once, and look one step ahead: a beam search.")
def _order(order: Any) -> str:
    pool = streams.separable(**POOL)
    rows = np.asarray(order)
    must(rows.ndim == 1 and rows.dtype.kind in "iu", "give a list of numbers of points")
    must(((rows >= 0) & (rows < 1000)).all(), "the points have the numbers 0 to 999")
    must(len(rows) <= 5000, "at most 5000 rounds")
    made = olc.play(olc.Perceptron(10), pool[rows]).mistakes
    must(made > 58, f"this order costs {made} mistakes, and the greedy one "
                    f"{'as many' if made == 58 else 58}")
    if made > BEST_ORDER:
        return f"{made} mistakes: more than the {BEST_ORDER} that we knew. Write to us!"
    if made == BEST_ORDER:
        return f"{made} mistakes, as many as in the best order that we know."
    return f"{made} mistakes; the best order that we know has {BEST_ORDER}."


@exercise("tightness-thresholds", "",
          "How much can a promotion add to the weights that are not relevant?",
          "One of a relevant weight 2ʲ adds at most θ⁺ − 2ʲ to them.",
          "A demotion leaves at least θ⁻/2.")
def _thresholds(bound: Any) -> str:
    must(callable(bound), "give a function of n, k, low and high")
    for n, k, tau in ((1024, 3, 64), (1024, 3, 512), (256, 2, 64)):
        low, high = n - tau, n + tau
        said, most = bound(n, k, low, high), k * (int(math.log2(high)) + 1)
        said = float(said)
        learner = olc.ThresholdMarginWinnow(n, thickness=tau)
        game = olc.duel(learner, olc.adversaries.Disjunction(n, k), rounds=2000)
        forced = int((game.stream.y < 0).sum())
        case = f"for N = {n}, k = {k}, θ⁻ = {low}, θ⁺ = {high} yours is {said:.5g}"
        must(said >= forced, f"{case}, and an adversary forces {forced}")
        theorem = 2 * (n + most * high) / low
        must(said <= theorem - 1,
             f"{case}, and the theorem's {theorem:.5g}: save a mistake or more")
    ours = olc.margin_winnow.threshold_bound(n, k, low, high, sharp=True) - most
    return f"F{case[1:]}; ours is {ours}, and an adversary forces {forced}."


@exercise("beat-the-adversary", "",
          "Which learner never makes more than 2m + 1 mistakes with two experts?")
def _beat(learner: Any) -> str:
    m = 10
    make: Any = learner if isinstance(learner, type) else type(learner)
    make = make if issubclass(make, olc.Learner) else adopted(make)

    def contradict(rival: Any) -> Any:
        return [1, -1], -1 if rival.predict([1, -1]) >= 0 else 1

    try:
        rival = make(2)
    except TypeError:
        rival = make(2, eta=0.5)
    trace = olc.duel(rival, contradict, rounds=2 * m + 1)
    random = np.random.default_rng(0)
    worst = trace.mistakes - 2 * olc.weighted_majority.best_expert(trace.stream)[1]
    games = [(random.choice([-1, 1], (40, 2)), random.choice([-1, 1], 40))
             for _ in range(30)]
    rounds = np.array([*itertools.product([-1, 1], repeat=9)])  # all games of three
    games += [(game[:6].reshape(3, 2), game[6:]) for game in rounds]
    for X, y in games:
        rival = rival.replaced() if "_derived" in vars(rival) else make(2)
        made = olc.play_one_by_one(rival, X, y).mistakes
        best = int((y[:, None] != X).sum(axis=0).min())
        worst = max(worst, made - 2 * best)
    must(worst <= 1, f"it once errs {worst} more than 2m times; 1 is allowed")
    return "It never errs more than 2m + 1 times, and no learner does better."
