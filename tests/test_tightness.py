"""The tables of the chapter `tightness`: no bound is broken, and how near each is."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from olc import tightness
from olc.world.tightness import Verdict, Verdicts

BOOK = Path(__file__).parent.parent / "book"

# The shares of the bound, and of the sharper one, that were reached at least.
LEAST = {
    "Consistent": (1, None),
    "Halving": (1, None),
    "Standard optimal": (0.6, 1),
    "Weighted majority": (0.798, 0.9939),
    "Randomized majority": (0.96, 0.9969),
    "No regret": (0.24, None),
    "Perceptron": (0.9996, None),
    "Perceptron, another start": (0.99, None),
    "Perceptron in the plane": (0.5, 1),
    "Perceptron, a fixed set": (0.58, 0.62),
    "Hinge losses": (0.997, None),
    "Squares of the losses": (1, None),
    "Squares, one wrong label": (0.26, 0.997),
    "Kernel Perceptron": (1, None),
    "Perceptron, two classes": (1, None),
    "Perceptron, a panel of 1": (1, None),
    "Perceptron, a panel of 3": (1, None),
    "Perceptron, a disjunction": (0.77, None),
    "Perceptron, four examples": (0.45, None),
    "Winnow": (0.83, 1),
    "Winnow, eliminating": (1, None),
    "Normalised Winnow": (0.793, 0.961),
    "Balanced Winnow": (0.8, 0.963),
    "Balanced Winnow, η = 3": (0.99, None),
    "p-norm Perceptron, p = 10": (0.86, None),
    "Winnow-R": (0.92, 0.94),
    "Margin Perceptron": (0.99, None),
    "Margin Winnow": (0.81, 0.97),
    "Two thresholds": (0.87, 0.99),
    "Threshold-relative update": (1, None),
    "Longest survivor": (1, None),
}


@pytest.fixture(
    scope="module", params=["experts", "additive", "multiplicative", "margins"]
)
def rows(request):
    return getattr(tightness, request.param)()


def test_no_adversary_exceeds_a_bound_and_each_comes_as_near_as_known(rows):
    for row in rows:
        least, sharp = LEAST[row.name]
        assert least * row.bound <= row.measured * (1 + 1e-9), row.name
        assert row.measured <= row.bound * (1 + 1e-9), row.name
        assert (row.sharper is None) == (sharp is None)
        if row.sharper is not None:
            assert sharp * row.sharper <= row.measured <= row.sharper, row.name
            assert row.sharper <= row.bound, row.name


def test_every_theorem_stands_where_the_link_leads(rows):
    for page, label in (row.theorem.split("#") for row in rows):
        text = (BOOK / f"{page}.ipynb").read_text(encoding="utf-8")
        assert f":label: {label}\\n" in text
    links = re.findall(r'<a href="(\w+)\.html#([\w-]+)">', rows._repr_html_())
    assert [f"{page}#{label}" for page, label in links] == [row.theorem for row in rows]


# Theorems that bound no mistakes, updates or losses.
NO_BOUNDS = {
    "thm-homogenise",
    "thm-xor",
    "thm-kernel-gram",
    "thm-kernel-building",
    "thm-kernel-rotation",
    "thm-orthogonal-copies",
    "thm-panel-no-crossover",
    "thm-unseen-features",
}
NEXT_DOOR = {"bandits", "regression"}  # they have lower bounds of their own


def test_every_bound_is_in_a_table_or_the_chapter_says_why_it_is_not():
    here = (BOOK / "tightness.ipynb").read_text(encoding="utf-8")
    for chapter in BOOK.glob("*.ipynb"):
        text = chapter.read_text(encoding="utf-8")
        for label in re.findall(r"{prf:theorem}[^:]*:label: ([\w-]+)", text):
            if chapter.stem in NEXT_DOOR:
                assert f"{{doc}}`{chapter.stem}`" in here
            elif label not in NO_BOUNDS:
                assert re.search(rf"[#`<]{label}\b(?!-)", here), label


def test_unit_vectors_of_two_classes_have_the_margin_that_the_table_says():
    feature, right = np.arange(100), np.arange(100) % 2
    u = np.zeros((2, 100))
    u[right, feature], u[1 - right, feature] = 1 / math.sqrt(200), -1 / math.sqrt(200)
    assert (u**2).sum() == pytest.approx(1)
    gaps = u[right, feature] - u[1 - right, feature]  # the score of eᵢ is entry i
    np.testing.assert_allclose(gaps, math.sqrt(2) / 10)


def test_a_ratio_is_1_only_where_the_bound_is_attained():
    def ratio(measured, bound):
        return Verdict("a#b", "", "", "", measured, bound).ratio(bound)

    assert ratio(2499, 2500) == "0.999"
    assert ratio(100, 1 / 0.1**2) == "1"
    assert ratio(1, 3) == "0.333"
    assert ratio(1999, 2000) == "0.999"


def test_a_table_escapes_its_texts():
    row = Verdict("a#b", "<p>", "x & y", "<script>", 1, 2.0)
    html = Verdicts([row])._repr_html_()
    assert "&lt;p&gt;" in html
    assert "x &amp; y; &lt;script&gt;" in html
    assert html.count("<td>") == 5


@pytest.mark.parametrize("learner", tightness.GAMES)
def test_shares_of_the_figure_stay_below_1_and_grow(learner):
    found = [tightness.share(learner, n) for n in (16, 64, 256)]
    shares = [share["mistakes"] / share["bound"] for share in found]
    assert shares[0] < shares[-1] <= 1


def test_an_unknown_learner_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"learner = 'Minnow' must be one of Perc"):
        tightness.share("Minnow", 8)
