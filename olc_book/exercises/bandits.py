"""Exercises of the chapter `bandits`."""

from olc_book.exercises.kit import *

# A slip is a row: the formatter would spread each of them over many lines.
# fmt: off

numbers("bandits-hand", "The rare arm has the large variance.",
        "Divide the loss by the chance.", "The variance is ℓ²(1/p − 1).",
        chances=([0.31926, 0.12419, 0.55656], {
            "these are the chances of the second round": [0.4499, 0.1004, 0.4499],
            "the second loss must be divided by 0.45": [0.3887, 0.1114, 0.4999]}),
        estimates=([0.8, 3.2], {"these are the losses, not yet divided": [0.6, 0.8],
                                "divide by the chance; this multiplies": [0.45, 0.2]}),
        variances=([0.12, 1.92], {
            "these are the standard deviations": [0.12**0.5, 1.92**0.5],
            "the squares of the means must be subtracted": [0.48, 2.56]}),
        implicit=([0.6, 1.6], {"γ must be added to the chance": [0.8, 3.2],
                               "these are the means of the estimates": [0.45, 0.4]}))
numbers("bandits-careless", "Arms that lose less are drawn more, but not always.",
        "At rest p μ is the same for all arms.",
        "With one arm of mean 0.4 and four of 0.6, what share has 1/0.4?",
        chance=(3 / 11, {"there are four other arms": 3 / 5,
                         "then it would not prefer the best arm at all": 0.2,
                         "the chances are proportional to 1/μ, not to μ": 1 / 7}),
        regret=(0.2 * 8 / 11, {"this is the loss in the rounds with another arm": 0.2,
                               "this is for the best arm's share of 1/5": 0.16}))
numbers("bandits-gamma", "The theorem must serve both games, and η/2 is between.",
        "Print the mean regret of each game for the factors 0, 1/2, 1 and 2.",
        turning=(2, {"this is the worst of them": 0,
                     "this is the compromise, and a larger γ does better": 0.5}),
        random=(0, {"this is the worst of them": 2,
                    "this is the compromise, and a smaller γ does better": 0.5}))


def _terms(g: Any, delta: Any = None) -> float:
    unit = math.sqrt(math.log(g.K) / (g.K * g.T))
    beta = math.sqrt(math.log(g.K / (delta or g.delta)) / (g.K * g.T))
    learner = olc.Exp3P(g.K, eta=0.95 * unit, gamma=1.05 * g.K * unit, beta=beta)
    return float(olc.bandits.high_probability_bound(learner, g.T, g.delta))


numbers("bandits-p", "The constant of the theorem leaves some room.",
        "Use η = 0.95u, γ = 1.05Ku and β = √(ln(K/δ)/(KT)), where u is √(ln K/(KT)).",
        "bandits.high_probability_bound adds the terms up.",
        given={"K": 5, "T": 10_000, "delta": 0.05},
        terms=(_terms, {
            "this is what the theorem says": lambda g:
                5.15 * math.sqrt(g.K * g.T * math.log(g.K / g.delta)),
            "the last term, ln(K/δ)/β, is missing": lambda g:
                _terms(g) - math.sqrt(g.K * g.T * math.log(g.K / g.delta)),
            "this is for β = √(ln K/(KT)), without δ": lambda g: _terms(g, 1)}))
numbers("bandits-banditron", "The mean square is 0.8 + 10.1 + 0.1 = K/γ + 1.",
        "The best guess has the chance 1 − γ + γ/K.",
        "Only after answer 2 do both rows change, the second by x/0.1.",
        chances=([0.8, 0.1, 0.1], {
            "the best guess is drawn when exploring, too": [0.7, 0.15, 0.15],
            "each of the others has γ/K, not γ": [0.4, 0.3, 0.3]}),
        squares=([1, 101, 1], {
            "after answer 2 the first row changes, too": [1, 100, 1],
            "the first row always changes": [0, 101, 0],
            "the rows are squared one by one, not added first": [1, 81, 1]}))


def _estimates(kind: Any) -> dict[str, Any]:
    rule = fair(kind(2, eta=0.5).estimate)
    drawn, chances = np.array([True, False]), np.array([0.25, 0.75])
    return {f"for the loss {loss:g}": np.asarray(rule(loss, drawn, chances))
            for loss in (0.5, 1.0)}


def _gets(rule: Any) -> Any:  # a rule of loss, drawn and chances
    return variant(olc.Exp3, estimate=lambda self, *facts: rule(*facts))


behaves("bandits-estimate", _estimates, _gets(lambda loss, drawn, p: drawn * loss), {
    "divides by the chance, as Exp3 does": olc.Exp3,
    "punishes the arms that were not drawn":
        _gets(lambda loss, drawn, p: (1 - drawn) * loss),
    "gives the loss to all arms": _gets(lambda loss, drawn, p: loss + 0 * p),
    "multiplies by the chance": _gets(lambda loss, drawn, p: drawn * loss * p),
}, "It underestimates what it seldom tries.",
    "The argument drawn is true for the arm that was drawn.")


def _hedge(losses: Any, eta: Any = None, late: bool = True) -> Any:
    T, K, _ = losses.shape
    rate = math.sqrt(8 * math.log(K) / T) if eta is None else eta
    total = np.cumsum(losses, axis=0, dtype=float) - late * losses
    power = rate * (total.min(1, keepdims=True) - total)
    chances = np.exp(power) / np.exp(power).sum(axis=1, keepdims=True)
    return (chances * losses).sum(axis=(0, 1)) - losses.sum(axis=0).min(axis=0)


_coinflips = np.random.default_rng(0).integers(0, 2, (60, 3, 2))
behaves("bandits-information", lambda f: {"on 3 arms": f(_coinflips)}, _hedge, {
    "looks at the loss of the round before it chooses":
        lambda losses: _hedge(losses, late=False),
    "has another rate, √(ln K/T)":
        lambda losses: _hedge(losses, math.sqrt(math.log(3) / 60)),
    "does not learn": lambda losses: _hedge(losses, 0.0),
    "returns the mean of the runs, not the regret of each":
        lambda losses: _hedge(losses).mean(),
    "returns the expected loss, not the regret":
        lambda losses: _hedge(losses) + losses.sum(axis=0).min(axis=0),
}, "By the bounds, seeing everything is worth 2√K.", "Cumulate the losses before t.")
behaves("bandits-adaptive", cases(np.array([[0.2, 0.4], [0.5, 0.4], [0.3, 0.2]])),
        lambda p: p == p.max(axis=0), {
    "lets the least likely arm lose": lambda p: p == p.min(axis=0),
    "lets only the first arm lose where several are likeliest":
        lambda p: np.arange(len(p))[:, None] == p.argmax(axis=0),
    "lets all but the likeliest lose": lambda p: p < p.max(axis=0),
    "compares with the largest chance in all runs, not in each": lambda p: p == p.max(),
}, "The regret is no longer the pseudo-regret.",
    "Compare the chances with their maximum.",
    "chances has a row per arm and a column per run: take the maximum over axis 0.")


def _draws(move: Any = lambda loss, p: loss / p) -> Any:
    def play(losses: Any, coins: Any, eta: float) -> Any:
        w, arms = np.ones(losses.shape[1]), []
        for loss, coin in zip(losses, coins, strict=True):
            p = w / w.sum()
            arm = int(np.searchsorted(p.cumsum(), coin))
            w[arm] *= math.exp(-eta * move(loss[arm], p[arm]))
            arms.append(arm)
        return arms

    return play


def _drawn(play: Any) -> dict[str, Any]:
    losses = olc.bandits.coin_losses([0.3, 0.6, 0.6], 60, seeds=1)[:, :, 0]
    coins = np.random.default_rng(0).random(60)
    return {f"with η = {eta}": play(losses, coins, eta) for eta in (0.1, 0.4)}


behaves("bandits-loop", _drawn, _draws(), {
    "punishes what it sees, without dividing": _draws(lambda loss, p: loss),
    "multiplies the loss by the chance": _draws(lambda loss, p: loss * p),
    "rewards losses": _draws(lambda loss, p: -(loss / p)),
    "never learns": _draws(lambda loss, p: 0 * loss),
}, "Only the arm that was drawn has changed.",
    "p.cumsum() lays the chances end to end.")


def _tsallis(power: float = 2, scale: float = 4) -> Any:
    def chances(totals: Any, eta: float) -> Any:
        totals = np.asarray(totals, dtype=float)
        low, high = totals.min() - 1e3 / eta, totals.min() - 1e-9
        for _ in range(200):
            z = (low + high) / 2
            p = scale / (eta * (totals - z)) ** power
            low, high = (low, z) if p.sum() > 1 else (z, high)
        return p / p.sum()

    return chances


def _exponential(totals: Any, eta: float) -> Any:
    power = np.exp(-eta * (np.asarray(totals) - np.min(totals)))
    return power / power.sum()


behaves("bandits-tsallis",
        cases((np.array([0.0, 1, 5]), 0.5), (np.array([3.0, 3, 9, 40]), 0.1)),
        _tsallis(), {
    "has the weights of Exp3": _exponential,
    "takes no square": _tsallis(1),
    "has 1 in place of 4": _tsallis(scale=1),
}, "Rare arms are drawn more often than by Exp3.",
    "Halve an interval that holds z until the sum is 1.")
