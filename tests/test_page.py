"""What is done to every page: the room of formulas, and the signs that are left."""

import pytest

from tools import page


@pytest.mark.parametrize(
    ("tex", "seen"),  # the width in a browser, in the size of letters
    [
        (r"\(x\)", 0.67),
        (r"\(R^2/\gamma^2\)", 2.9),
        (r"\(\hat y = \operatorname{sign}\langle w, x\rangle\)", 7.7),
        (r"\(\tfrac12\)", 0.9),
    ],
)
def test_the_width_of_a_formula_is_about_what_a_browser_gives_it(tex, seen):
    assert page.width(tex) == pytest.approx(seen, abs=0.7)


def test_a_formula_of_two_lines_is_higher_than_one_of_one_line():
    one, two = r"\[a = b\]", r"\[\begin{aligned}a &= b\\c &= d\end{aligned}\]"
    assert page.height(two) > 1.5 * page.height(one)


def test_only_the_signs_that_are_shown_stay():
    styles = (
        '.fa{font-weight:900}.fa-sun:before{content:"1"}'
        '.fa-moon:before,.fa-night:before{content:"2"}.fa-cat:before{content:"3"}'
    )
    kept = page.only({"fa-sun", "fa-night"}, styles)
    assert kept == styles.replace('.fa-cat:before{content:"3"}', "")


@pytest.mark.built
def test_a_page_knows_at_once_whether_it_is_light_or_dark(html):
    text = (html / "book" / "index.html").read_text("utf-8")
    assert page.AT_ONCE in text
    assert page.LATE not in text
