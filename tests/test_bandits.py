"""Bandits: estimates that are right on average, and bounds in both senses."""

import copy
import itertools
import math

import numpy as np
import pytest
from helpers import assert_between
from hypothesis import given
from hypothesis import strategies as st

import olc
from olc import Exp3, Exp3IX, Exp3P, bandits, play_bandit
from olc.core import numerics

KINDS = [Exp3, Exp3IX, Exp3P]
each_kind = pytest.mark.parametrize("kind", KINDS)


@st.composite
def games(draw):
    """Any losses, and a learner of any kind for them."""
    arms, rounds = draw(st.sampled_from([2, 3, 5, 40])), draw(st.integers(1, 40))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    losses = random.random((rounds, arms)) ** draw(st.sampled_from([0, 1, 8]))
    kind, eta = draw(st.sampled_from(KINDS)), draw(st.sampled_from([0.01, 0.1, 2]))
    return kind(arms, eta=eta), losses


# ------------------------------------------------------------- the estimates


def expectation(learner, losses, of):
    """The expectation of a function of the learner over all ways to draw arms."""
    total = 0.0
    for arms in itertools.product(range(learner.arms), repeat=len(losses)):
        player, chance = copy.deepcopy(learner), 1.0
        for arm, loss in zip(arms, losses, strict=True):
            chance *= player.chances[arm]
            player.learn(arm, loss[arm])
        total += chance * of(player, arms)
    return total


LOSSES = np.array([[0.2, 1.0, 0.5], [1.0, 0.0, 0.7], [0.0, 0.4, 1.0], [1.0, 0.3, 0.1]])


def test_the_estimates_of_exp3_are_right_on_average():
    learner = Exp3(3, eta=0.7)
    found = expectation(learner, LOSSES, lambda player, _: -player.state / learner.eta)
    np.testing.assert_allclose(found, LOSSES.sum(axis=0), rtol=1e-12)


def test_the_estimates_of_exp3_ix_are_too_small_and_never_above_one_over_gamma():
    learner = Exp3IX(3, eta=0.7, gamma=0.2)
    found = expectation(learner, LOSSES, lambda player, _: -player.state / learner.eta)
    assert (found < LOSSES.sum(axis=0)).all()
    for chance in (1e-9, 0.01, 0.9):
        mean, _ = bandits.moments(learner, 1, chance)
        assert mean == pytest.approx(chance / (chance + 0.2))
        assert learner.estimate(1.0, True, chance) <= 1 / 0.2


def test_the_estimates_of_exp3_p_are_gains_and_too_large_on_average():
    learner = Exp3P(3, eta=0.1, gamma=0.3, beta=0.05)
    found = expectation(learner, LOSSES, lambda player, _: player.state / learner.eta)
    assert (found > (1 - LOSSES).sum(axis=0)).all()
    mean, _ = bandits.moments(learner, 0.25, 0.1)
    assert mean == pytest.approx(0.75 + 0.05 / 0.1)


@given(st.floats(0.001, 0.999), st.floats(0, 1))
def test_the_variance_of_the_estimate_is_that_of_a_rare_event(chance, loss):
    mean, deviation = bandits.moments(Exp3(2, eta=1), loss, chance)
    assert mean == pytest.approx(loss)
    assert deviation**2 == pytest.approx(loss**2 * (1 / chance - 1))


# ----------------------------------------------------- a worked example, exactly


def test_exp3_ix_adds_gamma_to_the_chance_and_to_nothing_else():
    learner = Exp3IX(2, eta=0.5, gamma=0.25)
    learner.learn(0, 1)
    low = math.exp(-0.5 / 0.75)
    assert learner.chances == pytest.approx([low / (1 + low), 1 / (1 + low)])


def test_exp3_p_takes_the_steps_of_its_box():
    learner = Exp3P(2, eta=0.25, gamma=0.5, beta=0.125)
    learner.learn(0, 0)  # gains (1 + ⅛)/½ and ⅛/½
    high = math.exp(0.25 * 2)
    assert learner.chances == pytest.approx(
        [0.25 + 0.5 * high / (1 + high), 0.25 + 0.5 / (1 + high)]
    )


# ------------------------------------------------ an implementation of others


def test_chances_are_those_of_river():
    """River's Exp3 has rewards, mixes with γ and steps by γ/K: Exp3.P without bonus."""
    bandit = pytest.importorskip("river.bandit")
    arms, gamma, random = 4, 0.3, np.random.default_rng(0)
    theirs = bandit.Exp3(gamma=gamma, seed=1)
    ours = Exp3P(arms, eta=gamma / arms, gamma=gamma, beta=0)
    for _ in range(500):
        arm = theirs.pull(range(arms))
        chances = [theirs._probabilities[each] for each in range(arms)]
        np.testing.assert_allclose(exact := ours.link(ours.state), chances, rtol=1e-9)
        reward = float(random.random() < (0.3, 0.5, 0.5, 0.8)[arm])
        theirs.update(arm, reward)
        estimate = ours.estimate(1 - reward, np.arange(arms) == arm, exact)
        ours.state = ours.step(ours.state, estimate)
    assert ours.chances.argmax() == 3


# ------------------------------------------------------------------ the game


def played_alone(learner, losses, seed):
    """Return the arms of one run, which is played round by round."""
    player, coins, arms = copy.deepcopy(learner), np.random.default_rng(seed), []
    for now in losses:
        arms.append(player.draw(coins.random()))
        player.learn(arms[-1], now[arms[-1]])
    return arms


@given(games(), st.integers(0, 50))
def test_many_runs_side_by_side_are_those_played_one_by_one(game, seed):
    learner, losses = game
    many = play_bandit(learner, losses, seeds=[seed, 0, seed + 1])
    for run, each in enumerate([seed, 0, seed + 1]):
        alone = played_alone(learner, losses, each)
        assert many.arms[run].tolist() == alone
        seen = np.asarray(losses)[np.arange(len(alone)), alone]
        assert many.losses[run].tolist() == seen.tolist()


def test_every_run_may_have_losses_of_its_own():
    losses = bandits.coin_losses([0.2, 0.7], rounds=50, seeds=[4, 9])
    both = play_bandit(Exp3(2, eta=0.1), losses, seeds=[4, 9])
    one = play_bandit(Exp3(2, eta=0.1), losses[:, :, 1], seeds=[9])
    assert both.arms[1].tolist() == one.arms[0].tolist()
    assert both.regret[1] == one.regret[0]


def test_the_learner_goes_on_from_where_it_is_and_does_not_change():
    learner = Exp3(2, eta=1.0)
    learner.learn(0, 1)
    before = learner.state.copy()
    trace = play_bandit(learner, np.zeros((2000, 2)), seeds=1)
    share = float(np.mean(trace.arms == 0))
    assert share == pytest.approx(learner.chances[0], abs=0.03)
    assert learner.state.tolist() == before.tolist()
    assert trace.before == learner
    assert trace.before is not learner


def test_arms_are_drawn_with_their_chances():
    learner = Exp3P(3, eta=0.2)
    for arm in (0, 0, 1):
        learner.learn(arm, 0)
    draws = [learner.draw(coin) for coin in (np.arange(4000) + 0.5) / 4000]
    shares = np.bincount(draws, minlength=3) / 4000
    np.testing.assert_allclose(shares, learner.chances, atol=1 / 2000)
    assert learner.draw(0.0) == 0
    assert learner.draw(math.nextafter(1, 0)) == 2


def test_regret_compares_with_the_best_arm_in_hindsight():
    trace = play_bandit(Exp3(2, eta=0.1), [[0, 1], [1, 0], [0, 0.5]], seeds=3)
    for arms, regret in zip(trace.arms, trace.regret, strict=True):
        table = [[0, 1], [1, 0], [0, 0.5]]
        lost = sum(row[arm] for row, arm in zip(table, arms, strict=True))
        assert regret == lost - 1


def test_pseudo_regret_compares_with_the_arm_that_is_best_on_average():
    losses = bandits.coin_losses([0.5, 0.25], rounds=40, seeds=3)
    trace = play_bandit(Exp3(2, eta=0.1), losses, seeds=3)
    often = (trace.arms == 0).sum(axis=1)
    assert trace.pseudo_regret([0.5, 0.25]).tolist() == (0.25 * often).tolist()
    means = np.array([[0.5, 0.0, 0.25], [0.25, 1.0, 0.25]])
    found = trace.pseudo_regret(means)
    assert found[[0, 2]].tolist() == [0.25 * often[0], 0]
    assert found[1] == 40 - often[1]


def test_an_adversary_sees_the_chances_and_its_losses_are_kept():
    def hits_the_likeliest(chances):
        assert chances.shape == (3, 4)
        return chances == chances.max(axis=0)

    trace = play_bandit(Exp3(3, eta=0.1), hits_the_likeliest, seeds=4, rounds=200)
    assert trace.table.shape == (200, 3, 4)
    assert trace.table[0].all()  # in the first round all are alike
    again = play_bandit(Exp3(3, eta=0.1), trace.table, seeds=4)
    assert again.arms.tolist() == trace.arms.tolist()


def test_an_adversary_may_say_the_same_to_all_runs():
    trace = play_bandit(Exp3(2, eta=0.1), lambda chances: [0, 1], seeds=3, rounds=5)
    assert trace.totals.tolist() == [[0] * 3, [5] * 3]


def test_a_game_without_rounds_has_no_regret():
    trace = play_bandit(Exp3(2, eta=0.1), np.zeros((0, 2)), seeds=3)
    assert (len(trace), trace.regret.tolist()) == (0, [0, 0, 0])
    assert bandits.proof(trace).columns[0] == "arm"
    assert bandits.proof(trace).empty


def test_an_arm_whose_weight_is_lost_is_neither_drawn_nor_divided_by_0():
    learner = Exp3(2, eta=500)  # a single draw takes the arm e^-1000 of its weight
    trace = play_bandit(learner, bandits.turning_losses(4000, turn=1500), seeds=20)
    drawn = (trace.arms[:, :1500] == 1).sum(axis=1)
    assert set(drawn.tolist()) <= {0, 1}
    assert drawn.any()
    ledger = bandits.proof(trace, int(drawn.argmax()))
    assert np.isfinite(ledger.to_numpy()).all()
    assert_between(ledger, scale=abs(ledger["lower"]).max() + 1)
    learner.learn(1, 1)
    assert numerics.softmax(learner.state)[1] == 0 < learner.chances[1] < 1e-299


def test_an_arm_has_a_number_of_its_own_however_many_there_are():
    trace = play_bandit(Exp3(10**5, eta=0.1), np.zeros((5, 10**5)), seeds=[0, 3])
    for run, seed in enumerate([0, 3]):
        coins = np.random.default_rng(seed).random(5)
        assert trace.arms[run].tolist() == (coins * 10**5).astype(int).tolist()
    assert trace.arms.max() > 2**16


class Trembling(Exp3):
    """Exp3 on a processor whose powers differ in their last bits from everybody's."""

    def link(self, state):
        tremble = np.random.default_rng(0).integers(-2, 3, state.shape)
        return super().link(state) * (1 + 2.0**-52 * tremble)


def test_last_bits_of_the_powers_draw_no_other_arm():
    losses = bandits.coin_losses([0.4, 0.6, 0.6], rounds=3000, seeds=20)
    calm = play_bandit(Exp3(3, eta=0.05), losses, seeds=20)
    wild = play_bandit(Trembling(3, eta=0.05), losses, seeds=20)
    assert (Trembling(3, eta=0.05).link(np.zeros(3)) != 1 / 3).any()
    assert np.array_equal(calm.arms, wild.arms)


@each_kind
def test_chances_are_those_of_the_hook_to_24_binary_digits(kind):
    learner = kind(3, eta=0.3)
    for arm, loss in [(0, 1.0), (2, 0.3), (0, 0.4)]:
        learner.learn(arm, loss)
        exact = learner.link(learner.state)
        np.testing.assert_allclose(learner.chances, exact, rtol=2.0**-23)
        assert learner.chances.sum() == pytest.approx(1, abs=1e-15)


def test_a_trace_keeps_its_losses_whatever_becomes_of_the_table():
    losses = np.array([[0.0, 1.0], [1.0, 0.0]])
    trace = play_bandit(Exp3(2, eta=0.1), losses)
    losses[:] = 1
    assert trace.totals.tolist() == [[1], [1]]


# ----------------------------------------------------------------- the bounds


@given(st.integers(2, 300), st.integers(1, 10**6))
def test_the_bound_of_exp3_is_root_two_kt_ln_k(arms, rounds):
    bound = bandits.regret_bound(Exp3.tuned(arms, rounds), rounds)
    assert bound == pytest.approx(math.sqrt(2 * rounds * arms * math.log(arms)))
    ours = bandits.regret_bound(Exp3IX.tuned(arms, rounds), rounds)
    assert ours == pytest.approx(1.5 * bound)


@given(st.integers(2, 300), st.integers(1, 10**6), st.floats(0.001, 0.999))
def test_the_bound_of_exp3_ix_implies_that_of_the_book_of_bandits(arms, rounds, delta):
    """Lattimore and Szepesvári (2020), Theorem 12.1, part 1."""
    log = math.log(arms + 1)
    eta = math.sqrt(2 * log / (arms * rounds))
    found = bandits.high_probability_bound(Exp3IX(arms, eta=eta), rounds, delta)
    printed = math.sqrt(8 * arms * rounds * log) + math.log((arms + 1) / delta)
    printed += math.sqrt(arms * rounds / (2 * log)) * math.log(1 / delta)
    assert found <= printed + 1e-9
    assert found >= printed - (log - math.log(arms)) / eta - 1e-9


@given(st.integers(2, 300), st.floats(0.001, 0.999), st.integers(27, 10**4))
def test_the_bound_of_exp3_p_implies_that_of_its_authors(arms, delta, times):
    """Bubeck and Cesa-Bianchi (2012), Theorem 3.2, where it is below T."""
    log, share = math.log(arms), math.log(arms / delta)
    rounds = math.ceil(times * arms * share)
    eta = Exp3P.tuned(arms, rounds).eta
    assert eta == pytest.approx(0.95 * math.sqrt(log / (arms * rounds)))
    beta = math.sqrt(share / (arms * rounds))
    gamma = 1.05 * math.sqrt(arms * log / rounds)
    assert Exp3P(arms, eta=eta).gamma == pytest.approx(gamma)
    learner = Exp3P(arms, eta=eta, gamma=gamma, beta=beta)
    found = bandits.high_probability_bound(learner, rounds, delta)
    assert found <= 5.15 * math.sqrt(rounds * arms * share)
    always = bandits.high_probability_bound(Exp3P.tuned(arms, rounds), rounds, delta)
    second = 5.15 * math.sqrt(rounds * arms * log)
    assert always <= second + math.sqrt(rounds * arms / log) * math.log(1 / delta)


@pytest.mark.parametrize("kind", [Exp3, Exp3IX])
@pytest.mark.parametrize("eta", [0.05, 0.4, 3])
def test_the_expected_regret_is_below_its_bound(kind, eta):
    learner = kind(3, eta=eta)
    losses = np.array([[0, 1, 1], [0, 1, 1], [1, 0, 1], [1, 0, 1], [1, 0, 0.5]])

    def lost(_, arms):
        return sum(row[arm] for row, arm in zip(losses, arms, strict=True))

    regret = expectation(learner, losses, lost) - losses.sum(axis=0).min()
    assert regret <= bandits.regret_bound(learner, 5)


def test_no_learner_escapes_the_lower_bound_on_its_own_losses():
    means = bandits.hidden_arm(5, rounds=500, seeds=200)
    losses = bandits.coin_losses(means, rounds=500, seeds=200)
    low = bandits.lower_bound(5, 500)
    assert low == 2.5
    for kind in KINDS:
        trace = play_bandit(kind.tuned(5, 500), losses, seeds=200)
        assert low < trace.pseudo_regret(means).mean() < trace.regret.mean()


def test_the_hidden_arm_is_better_by_a_quarter_of_root_k_over_t():
    means = bandits.hidden_arm(4, rounds=400, seeds=100)
    assert sorted(set(means.ravel().tolist())) == [0.475, 0.5]
    assert ((means < 0.5).sum(axis=0) == 1).all()
    assert set(means.argmin(axis=0).tolist()) == {0, 1, 2, 3}
    assert bandits.hidden_arm(4, rounds=2).min() == 0.25
    assert bandits.lower_bound(4, rounds=2) == 0.1


# -------------------------------------------------------------------- the proof


@given(games())
def test_every_step_of_the_proof_holds_on_any_losses(game):
    learner, losses = game
    trace = play_bandit(learner, losses, seeds=2)
    gains = isinstance(learner, Exp3P)
    for run in (0, 1):
        ledger = bandits.proof(trace, run)
        assert ledger.index.tolist() == list(range(1, len(losses) + 1))
        assert ledger["arm"].tolist() == trace.arms[run].tolist()
        moves = ledger["estimate"] * learner.eta
        if not gains or moves.max() <= 1:
            assert_between(ledger, scale=abs(ledger["lower"]).max() + 1)
        start = [math.log(learner.arms), *ledger["potential"]]
        assert (np.diff(start) * (1 if gains else -1) >= -1e-9).all()


def test_the_ledger_of_exp3_adds_up_to_the_terms_of_its_bound():
    losses = bandits.coin_losses([0.3, 0.6, 0.6], rounds=300, seeds=1)
    trace = play_bandit(Exp3(3, eta=0.1), losses, seeds=1)
    ledger = bandits.proof(trace)
    # Σ p ℓ̂ is the loss that was suffered, and Σ p ℓ̂² at most Σ ℓ̂
    assert (-ledger["drift"] / 0.1).tolist() == pytest.approx(ledger["loss"].tolist())
    spread = ledger["spread"] / 0.1**2 * 2
    assert (spread <= ledger["estimate"] + 1e-9).all()
    assert ledger["loss"].sum() == trace.losses.sum()


def test_the_ledger_of_exp3_ix_loses_gamma_times_the_estimates():
    losses = bandits.coin_losses([0.3, 0.6], rounds=100, seeds=1)
    ledger = bandits.proof(play_bandit(Exp3IX(2, eta=0.2, gamma=0.05), losses))
    seen = ledger["loss"] - 0.05 * ledger["estimate"]
    assert (-ledger["drift"] / 0.2).tolist() == pytest.approx(seen.tolist())


def test_the_ledger_follows_the_best_arm_of_its_own_run():
    losses = np.zeros((30, 2, 2))
    losses[:, 0, 0] = losses[:, 1, 1] = 1
    trace = play_bandit(Exp3(2, eta=0.5), losses, seeds=2)
    for run in (0, 1, -1):
        assert (bandits.proof(trace, run)["lower"] == 0).all()


# ------------------------------------------------------------------ at the door


def test_parameters_are_shown_compared_and_derived():
    assert repr(Exp3(3, eta=0.5)) == "Exp3(arms=3, eta=0.5)"
    assert Exp3IX(3, eta=0.5) == Exp3IX(3, eta=0.5, gamma=0.25) != Exp3(3, eta=0.5)
    assert Exp3P(3, eta=0.1) != Exp3P(3, eta=0.1, beta=0.2)
    assert Exp3P(3, eta=1.0).gamma == 0.5
    assert copy.deepcopy(Exp3P(3, eta=0.1)) == Exp3P(3, eta=0.1)
    assert not isinstance(Exp3(2, eta=1), olc.Learner)


@pytest.mark.parametrize(
    ("kind", "hook"), [(Exp3, "estimate"), (Exp3P, "link"), (Exp3IX, "step")]
)
def test_no_bound_and_no_proof_is_about_a_hook_of_ones_own(kind, hook):
    rule = getattr(kind, hook)
    own = type("Own", (kind,), {hook: lambda *given: rule(*given)})(2, eta=0.1)
    trace = play_bandit(own, [[0, 1]])
    for theorem, *about in (
        (bandits.regret_bound, own, 9),
        (bandits.high_probability_bound, own, 9, 0.1),
        (bandits.proof, trace),
    ):
        with pytest.raises(TypeError, match="Own plays by rules of its own"):
            theorem(*about)


def test_an_adversary_that_breaks_off_is_told_in_which_round():
    rows = iter([[0, 1], [0, 1], [0, 1], [0, math.nan]])
    with pytest.raises(ValueError, match=r"losses\[3\]\[1\] = nan: a loss lies"):
        play_bandit(Exp3(2, eta=0.1), lambda chances: next(rows), rounds=9)


# --------------------------------------------------------------- the Banditron


def by_class(learner, x, y):
    """What each class would lead to: its chance, and the step that follows."""
    state, x = learner.state, np.asarray(x, dtype=float)
    chances = learner.link(state, x)
    for said, chance in enumerate(chances):
        yield chance, said, learner.step(state, x, said, said == y) - state


@given(st.sampled_from([2, 3, 5]), st.floats(0.05, 0.5), st.integers(0, 99))
def test_on_average_the_banditron_takes_the_step_of_the_perceptron(K, g, seed):
    random = np.random.default_rng(seed)
    learner = bandits.Banditron(3, classes=K, gamma=g)
    learner.state, x = random.normal(size=(K, 3)), random.normal(size=3)
    y, best = int(random.integers(K)), int((learner.state @ x).argmax())
    mean = sum(chance * step for chance, _, step in by_class(learner, x, y))
    square = sum(
        chance * np.square(s).sum() for chance, _, s in by_class(learner, x, y)
    )
    one = np.eye(K)
    np.testing.assert_allclose(mean, np.outer(one[y] - one[best], x), atol=1e-12)
    right = 1 - g + g / K
    size = K / g + 1 if best != y else (1 - right) / right
    assert square == pytest.approx(size * (x @ x))
    assert (1 - right) / right <= 2 * g


def expected_mistakes(learner, X, y):
    """Enumerate everything that may be said."""
    if not len(X):
        return 0.0
    total = 0.0
    for chance, said, step in by_class(learner, X[0], y[0]):
        after = copy.deepcopy(learner)
        after.state = learner.state + step
        total += chance * ((said != y[0]) + expected_mistakes(after, X[1:], y[1:]))
    return total


@given(st.sampled_from([2, 3]), st.sampled_from([0.1, 0.3, 0.5]), st.integers(0, 99))
def test_the_bound_of_the_banditron_holds_exactly(K, g, seed):
    random = np.random.default_rng(seed)
    X = random.choice([-1.0, 0.5, 1.0], size=(5, 2))
    U = random.normal(size=(K, 2))
    y = (X @ U.T).argmax(axis=1)
    scores = np.sort(X @ U.T, axis=1)
    U /= (scores[:, -1] - scores[:, -2]).min()
    D = np.square(X).sum(axis=1).max() * np.square(U).sum()
    found = expected_mistakes(bandits.Banditron(2, classes=K, gamma=g), X, y)
    most = bandits.banditron_bound(D, classes=K, rounds=5, gamma=g)
    assert found <= most * (1 + 1e-12)


def test_runs_of_the_banditron_are_those_of_single_rounds():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 4)), random.integers(3, size=200)
    said = bandits.play_banditron(
        bandits.Banditron(4, classes=3, gamma=0.3), X, y, seeds=[5, 7]
    )
    for seed, run in zip([5, 7], said, strict=True):
        learner = bandits.Banditron(4, classes=3, gamma=0.3)
        coins = np.random.default_rng(seed).random(200)
        for x, label, coin, answer in zip(X, y, coins, run, strict=True):
            chances = learner.link(learner.state, x)
            assert bandits.arm_under(chances, coin) == answer
            learner.learn(x, said=answer, right=answer == label)


def test_the_banditron_explores_to_the_end():
    """Nothing is left to learn, and still a share (1 - 1/K)g of the rounds is wrong."""
    learner = bandits.Banditron(1, classes=4, gamma=0.2)
    learner.state = np.array([[0.0], [9.0], [0.0], [0.0]])
    said = bandits.play_banditron(learner, np.ones((4000, 1)), np.ones(4000, int))
    assert np.mean(said != 1) == pytest.approx(0.75 * 0.2, abs=0.02)


def test_the_bound_of_the_banditron_is_the_sum_of_its_three_parts():
    at = {"classes": 3, "rounds": 10_000}
    found = [bandits.banditron_bound(200 / 9, **at, gamma=g) for g in (0.02, 0.05)]
    assert [round(each) for each in found] == [3583, 1838]
    assert bandits.banditron_bound(2, classes=2, rounds=4, gamma=0.5) == 1 + 10 + 8**0.5
