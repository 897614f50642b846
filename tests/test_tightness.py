"""No bound is broken, and how near each is: the mistakes that adversaries force."""

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from olc import (
    BalancedWinnow,
    Perceptron,
    PNormPerceptron,
    Winnow,
    duel,
    geometry,
    plots,
    tightness,
    winnow,
)
from olc.adversaries import Disjunction, Planes

BOOK = Path(__file__).parent.parent / "book"


@pytest.fixture(
    scope="module", params=["experts", "additive", "multiplicative", "margins"]
)
def table(request):
    return getattr(tightness, request.param)()


# How near each comes is in the stored tables of the chapter.
def test_no_adversary_exceeds_a_bound(table):
    for row in table.itertuples():
        assert 0 < row.measured <= row.bound * (1 + 1e-9), row.name
        if not math.isnan(row.sharper):
            assert row.measured <= row.sharper <= row.bound, row.name


def test_every_theorem_stands_where_the_link_leads(table):
    for page, label in (theorem.split("#") for theorem in table.theorem):
        text = (BOOK / f"{page}.ipynb").read_text(encoding="utf-8")
        assert f":label: {label}\\n" in text
    # The fullest bar comes first.
    best = table.sharper.where(table.sharper.notna(), table.bound)
    fullest = (-table.measured / best).sort_values(kind="stable").index
    drawn = plots.tightness.verdicts(table)
    for svg in drawn.svgs:
        links = re.findall(r'<a href="(\w+)\.html#([\w-]+)">', svg)
        assert ["#".join(link) for link in links] == table.theorem[fullest].tolist()
    assert [table.game[0] in svg for svg in drawn.svgs] == [True, False]


# Theorems that bound no mistakes, updates or losses.
NO_BOUNDS = {
    "thm-homogenise",
    "thm-minimax",
    "thm-xor",
    "thm-kernel-gram",
    "thm-kernel-building",
    "thm-kernel-rotation",
    "thm-orthogonal-copies",
    "thm-panel-no-crossover",
    "thm-pa-margin",
    "thm-unseen-features",
}
NEXT_DOOR = {
    "bandits",
    "forecasters",
    "regression",
}  # they have lower bounds of their own


def test_every_bound_is_in_a_picture_or_the_chapter_says_why_it_is_not():
    here = (BOOK / "tightness.ipynb").read_text(encoding="utf-8")
    drawn = {
        theorem.split("#")[1]
        for name in ("experts", "additive", "multiplicative", "margins")
        for theorem in getattr(tightness, name)().theorem
    }
    for chapter in BOOK.glob("*.ipynb"):
        text = chapter.read_text(encoding="utf-8")
        for label in re.findall(r"{prf:theorem}[^:]*:label: ([\w-]+)", text):
            if chapter.stem in NEXT_DOOR:
                assert f"{{doc}}`{chapter.stem}`" in here
            elif label not in NO_BOUNDS | drawn:
                assert re.search(rf"`{label}`", here), label


# θ = N/2k is the best threshold, and N/k and N/4k cost 2k more.
@pytest.mark.parametrize(
    ("n", "k", "theta"),
    [(1024, 1, None), (1024, 16, None), (2048, 5, None), (500, 1, None),
     (1000, 3, None),
     *[(1024, k, 1024 / k / c) for k in (4, 8, 16, 64) for c in (1, 2, 4)],
     (1024, 2, 32), (1024, 32, 32)],
)  # fmt: skip
def test_the_bound_of_winnow_is_attained_at_any_number_of_features_and_threshold(
    n, k, theta
):
    trace = duel(Winnow(n, threshold=theta), Disjunction(n, k), rounds=20_000)
    assert trace.mistakes == winnow.mistake_bound(n, k, threshold=theta)


def test_the_strict_rule_and_elimination_are_attained_or_nearly_so():
    strict = math.nextafter(1024, math.inf)  # +1 only above 1024
    learner = Winnow(1024, threshold=strict)
    forced = duel(learner, Disjunction(1024, 3), rounds=200).mistakes
    assert forced == winnow.mistake_bound(1024, 3, threshold=strict) - 1 == 87
    eager = duel(Winnow(1024, eliminate=True), Disjunction(1024, 1), rounds=200)
    assert eager.mistakes == winnow.mistake_bound(1024, 1, eliminate=True) == 19


def contrary_on_axes(learner):
    if learner.rounds == learner.n:
        return None
    x = np.eye(learner.n)[learner.rounds]
    return x, -1 if learner.predict(x) > 0 else 1


@pytest.mark.parametrize(
    "learner", [Perceptron(25), PNormPerceptron(25, p=4), BalancedWinnow(25, eta=0.3)]
)
def test_contrary_labels_on_the_axes_defeat_every_learner(learner):
    trace = duel(learner, contrary_on_axes, rounds=100)
    assert trace.mistakes == tightness.problem_bound(25, margin=0.2) == 25
    X, y = trace.stream.X, trace.stream.y
    assert geometry.margin(y @ X, X, y) == pytest.approx(0.2)


@given(
    st.integers(2, 12),
    st.floats(0.001, 0.99),
    st.sampled_from(
        [Perceptron, partial(PNormPerceptron, p=4), partial(BalancedWinnow, eta=0.3)]
    ),
)
@example(10, 0.001, Perceptron)
def test_planes_halve_each_of_their_arcs_against_every_learner(n, margin, kind):
    planes = Planes(n, margin)
    trace = duel(kind(n), planes, rounds=1000)
    assert trace.mistakes == len(trace) == planes.forced
    assert planes.forced == max(
        m * math.floor(math.log2(math.pi / math.asin(margin * math.sqrt(m))))
        for m in range(1, n // 2 + 1)
        if margin * math.sqrt(m) < 1
    )
    X, y, u = trace.stream.X, trace.stream.y, trace.stream.target
    assert geometry.norm(u, 2) == pytest.approx(1)
    assert np.linalg.norm(X, axis=1) == pytest.approx(1)
    assert (y * (X @ u)).min() >= margin - 1e-9


@pytest.mark.parametrize("margin", [0.05, 0.3, 0.9])
def test_the_share_of_a_cap_is_what_random_directions_say(margin):
    share = (1 - math.sqrt(1 - margin**2)) / 2  # in three dimensions
    assert tightness.volume_bound(3, margin) == math.floor(-math.log2(share))
    assert tightness.volume_bound(3, margin) <= 2 + 2 * math.log2(1 / margin)
    random = np.random.default_rng(0).normal(size=(100_000, 5))
    near = random[:, 0] > math.sqrt(1 - margin**2) * np.linalg.norm(random, axis=1)
    if margin > 0.1:  # else none of so many is near
        assert tightness.volume_bound(5, margin) == math.floor(-math.log2(near.mean()))


def test_the_problem_never_asks_for_more_than_an_algorithm_can_do():
    for n in (2, 3, 10, 100):
        for margin in (0.1, 0.3, 0.5):
            least = tightness.problem_bound(n, margin)
            assert least <= min(1 / margin**2 + 1e-9, tightness.volume_bound(n, margin))


@pytest.mark.parametrize("learner", tightness.GAMES)
def test_shares_of_the_figure_stay_below_1_and_grow(learner):
    found = [tightness.share(learner, n) for n in (16, 64, 256)]
    shares = [share["mistakes"] / share["bound"] for share in found]
    assert shares[0] < shares[-1] <= 1
