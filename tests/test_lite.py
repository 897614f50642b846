"""The chapters in a JupyterLab without a server: one of them in Chromium.

`make lite` builds it and runs this; without it there is nothing to try.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect
from test_browser import browser  # noqa: F401, a fixture
from test_live import LONG, serving

from tools import lite

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not lite.SITE.exists(), reason="no JupyterLab: make lite"),
]
CHAPTER, TITLE = "linear_classifiers", "Linear classifiers"  # it needs SciPy


def choose(page: Page, menu: str, item: str) -> None:
    """Choose from a menu."""
    for name in (menu, item):
        page.get_by_role("menuitem", name=name, exact=True).click()


def test_a_chapter_runs_and_no_other_host_is_asked(browser: Browser) -> None:  # noqa: F811
    cells = nbformat.read(lite.SITE / "files" / f"{CHAPTER}.ipynb", 4).cells
    printed = [
        output.text
        for cell in cells
        if cell.cell_type == "code" and not cell.metadata.get("jupyter")
        for output in cell.outputs
        if output.output_type == "stream"
    ]
    assert len(printed) > 3
    asked: list[str] = []
    with (
        serving(lite.SITE, "/course/2026/") as (address, _),
        browser.new_context() as context,
    ):
        context.on("request", lambda ask: asked.append(ask.url))
        context.set_default_timeout(LONG)
        page = context.new_page()
        page.goto(address)
        page.locator(f".jp-Notebook a[href$='{CHAPTER}.ipynb']").first.click()
        title = page.get_by_role("heading", name=TITLE, level=1)
        chapter = page.locator(".jp-NotebookPanel", has=title)
        expect(title).to_be_visible(timeout=LONG)
        choose(page, "Edit", "Clear Outputs of All Cells")
        expect(chapter.locator(".jp-OutputArea-output")).to_have_count(0)
        choose(page, "Run", "Run All Cells")
        for text in printed:
            expect(chapter).to_contain_text(text, timeout=LONG)
        expect(chapter.locator("[data-status=idle]").first).to_be_visible(timeout=LONG)
        assert chapter.locator("figure.olc-figure svg").count() > 0
        complaints = "[data-mime-type$=error], [data-mime-type$=stderr]"
        assert chapter.locator(complaints).count() == 0
    assert any("/pyodide.asm.wasm" in url for url in asked)
    hosts = {urlsplit(url).netloc for url in asked}  # data: has none
    assert hosts - {""} == {urlsplit(address).netloc}
