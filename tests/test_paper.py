"""The book on paper: one page for the printer, and the PDF made from it."""

import re
import subprocess
import sys

import pytest

from tools import book, paper

pytestmark = pytest.mark.built


def test_every_link_inside_the_printed_book_has_an_end(html):
    page = re.sub(r"(?s)<script.*?</script>", "", paper.one_page())
    ends = set(re.findall(r'\bid="([^"]*)"', page))
    places = {
        *re.findall(r'href="#([^"]*)"', page),
        *re.findall(r"url\(#([^)]*)", page),
    }
    assert len(places) > 1000
    assert places - ends == set()
    assert re.findall(r'href="(?!html/|#|https?:|mailto:)[^"]*"', page) == []


@pytest.mark.slow
def test_the_pdf_has_a_clean_outline_and_may_leave_out_solutions(html):
    pypdf = pytest.importorskip("pypdf")
    command = [sys.executable, "-m", "tools.paper", "pdf", "--without-solutions"]
    subprocess.run(command, cwd=book.ROOT, check=True)
    printed = pypdf.PdfReader(book.BUILD / f"{paper.NAME}-without-solutions.pdf")
    chapters = [entry for entry in printed.outline if not isinstance(entry, list)]
    assert len(chapters) == 2 + len(paper.printed_pages())
    contents = printed.pages[1].extract_text()
    for entry in chapters[2:]:
        start = printed.get_destination_page_number(entry) + 1
        assert f"{entry.title}{start}" in re.sub(r"\s*(\d+)\n", r"\1\n", contents)
    text = "".join(page.extract_text() for page in printed.pages)
    assert "Exercise 5.1" in text
    assert "Solution to" not in text
