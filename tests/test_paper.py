"""The book on paper and on a wall: the printed book, and the slides."""

import re
import sys

import pytest
from helpers import run
from pypdf import PdfReader

from tools import book, paper, slides

pytestmark = pytest.mark.built


def test_every_link_inside_the_printed_book_has_an_end(html):
    page = re.sub(r"(?s)<script.*?</script>", "", paper.one_page())
    ends = set(re.findall(r'\bid="([^"]*)"', page))
    places = {*re.findall(r'(?:href="|url\()#([^")]*)', page)}
    assert len(places) > 1000
    assert places - ends == set()
    assert re.findall(r'href="(?!html/|#|https?:|mailto:)[^"]*"', page) == []


@pytest.mark.slow
def test_the_pdf_has_a_clean_outline_and_may_leave_out_solutions(html):
    printed = PdfReader(paper.print_pdf(solutions=False))
    chapters = [entry for entry in printed.outline if not isinstance(entry, list)]
    assert len(chapters) == 2 + len(paper.printed_pages())
    starts = [printed.get_destination_page_number(entry) + 1 for entry in chapters[2:]]
    told = printed.pages[1].extract_text().split()[-len(starts) :]
    assert [int(page) for page in told] == starts == sorted(starts)
    text = "".join(page.extract_text() for page in printed.pages)
    assert "Exercise 5.1" in text
    assert "\\(" not in text  # every formula is set
    assert "Solution to" not in text


def test_a_deck_asks_shows_proves_and_sums_up(html):
    deck = slides.make_deck(book.BOOK / "winnow.ipynb")
    kinds = ["<h1", "olc-lab", "olc-figure", "alg-winnow", "olc-figure", "thm-winnow"]
    kinds += ["olc-figure", 'id="proof"', "olc-explorer", "olc-figure", "<ul"]
    for slide, kind in zip(deck.split("<section>")[1:], kinds, strict=True):
        assert kind in slide
    steps = re.findall(r'class="part fragment" data-fragment-index="(\d)"', deck)
    assert steps == sorted(steps)
    assert {*steps} == {*"2345"}


@pytest.mark.slow
def test_no_slide_overflows_or_asks_another_host(html):
    run([sys.executable, "-m", "tools.slides"])
    decks = [path for path in slides.SLIDES.glob("*.html") if path.stem != "index"]
    assert len(decks) >= 20
    texts = "".join(deck.read_text(encoding="utf-8") for deck in decks)
    links = {*re.findall(r'<a [^>]*href="([^"#:]*)[^":]*"', texts)}
    assert links
    assert {link for link in links if not (slides.SLIDES / link).exists()} == set()
    with book.browsing() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 720})
        complaints = []
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("console", lambda said: complaints.append(said.text))
        tab.on("requestfailed", lambda ask: complaints.append(ask.url))
        for deck in decks:
            tab.goto(deck.as_uri())
            tab.wait_for_function("Reveal.isReady()")
            for number in range(tab.evaluate("Reveal.getTotalSlides()")):
                tab.evaluate(f"Reveal.slide({number}, 0, 99)")
                if tab.locator("section.present .olc-lab").count():
                    tab.wait_for_timeout(500)  # it begins when it is seen, then fits
                box = tab.locator("section.present > div").bounding_box()
                assert box["y"] + box["height"] <= 720, (deck.stem, number)
                assert box["x"] + box["width"] <= 1280, (deck.stem, number)
        assert complaints == []
