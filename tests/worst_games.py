"""Games against every adversary: what the tests of several learners search through."""

import copy
import itertools
from collections import Counter
from functools import cache

import numpy as np

from olc import Stream


def realizable(table, seed, rounds=12):
    """A stream of random points, labelled by a random hypothesis."""
    random = np.random.default_rng(seed)
    points = random.integers(0, table.shape[1], rounds)
    return Stream(table.T[points], table[random.integers(len(table)), points])


def worst_case(learner, table):
    """Play all realizable games; return the largest number of mistakes."""
    points = np.unique(table, axis=1).T

    @cache
    def value(alive):
        player = copy.copy(learner)
        most = 0
        for x in points:
            player.state = np.array(alive)
            guess = int(player.predict(x))
            for label in (-1, 1):
                left = np.array(alive) & (x == label)
                if left.any() and tuple(left) != alive:
                    most = max(most, (guess != label) + value(tuple(left)))
        return most

    return value((True,) * len(table))


def worst_disjunctions(
    n, k, theta, promote, demote, one=1, thickness=None, weight=lambda state: state
):
    """Play all games against a kind of Winnow: {promotions: most demotions with them}.

    Weights are kept apart as relevant and irrelevant, each a sorted tuple: all that
    matters about a position. `one` is the first weight, in units that are exact. With
    a thickness τ a sum is promoted up to θ + τ, and demoted from θ - τ on. A weight may
    be kept as a state, which has a `weight`.
    """
    low = theta - (thickness or 0)

    def promotable(score):
        return score < theta if thickness is None else score <= theta + thickness

    def total(states):
        return sum(map(weight, states))

    def subsets(weights):
        kinds = sorted(Counter(weights).items())
        for counts in itertools.product(*[range(c + 1) for _, c in kinds]):
            inside, outside = [], []
            for (weight, many), taken in zip(kinds, counts, strict=True):
                inside += [weight] * taken
                outside += [weight] * (many - taken)
            yield inside, outside

    def after(change, inside, outside):
        return tuple(sorted([change(weight) for weight in inside] + outside))

    @cache
    def best(relevant, others):
        found = {0: 0}
        for inside, outside in subsets(others):
            moves = []
            if total(inside) >= low:
                less = best(relevant, after(demote, inside, outside))
                moves.append((0, 1, less))
            for chosen, rest in subsets(relevant):
                if chosen and promotable(total(inside + chosen)):
                    grown = after(promote, chosen, rest)
                    more = best(grown, after(promote, inside, outside))
                    moves.append((1, 0, more))
            for up, down, later in moves:
                for ups, downs in later.items():
                    found[ups + up] = max(found.get(ups + up, 0), downs + down)
        return found

    return best((one,) * k, (one,) * (n - k))
