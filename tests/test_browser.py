"""The built book in a real browser: every page, served and opened from disk.

Needs Chromium or Chrome ($OLC_BROWSER, or one on PATH) and is skipped without one,
unless OLC_REQUIRE_BROWSER=1.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import gzip
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools import book

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = [f"{page}.html" for page in book.pages()]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
REPLAY = "book/winnow.html"  # a page with a play button
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}


# --- the book and the browser -----------------------------------------------------


@pytest.fixture(scope="session")
def html() -> Path:
    """The built book: built once, whatever the number of workers."""
    book.BUILD.mkdir(exist_ok=True)
    with (book.BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not book.is_current():
            command = [sys.executable, "-m", "tools.book", "build"]
            if subprocess.run(command, cwd=book.ROOT).returncode:
                pytest.fail("the book does not build: try make book", pytrace=False)
    return book.HTML


# Closed after this module: nothing else may run inside Playwright's event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = book.find_browser()
    if path is None:
        missing = "there is no Chromium or Chrome here: install one or set OLC_BROWSER"
        if os.environ.get("OLC_REQUIRE_BROWSER") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path,
            args=["--disable-gpu"],
            ignore_default_args=["--hide-scrollbars"],  # readers see them
        )
        yield chromium
        chromium.close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def served(html: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(html))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


class Visit:
    """A page, what it asked for and what it complained about."""

    def __init__(
        self,
        browser: Browser,
        origin: str,
        name: str,
        formulas: bool = True,
        **options: Any,
    ):
        self.name = name
        self.page = browser.new_page(viewport=DESK, **options)
        if not formulas:  # they take seconds, in which a page does nothing else
            self.page.route("**/tex-chtml.js*", lambda ask: ask.fulfill(body=""))
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda ask: self.complaints.append(ask.url))
        self.page.on("response", self._answered)
        self.page.on("request", lambda ask: self._asked(origin, ask.url))
        self.page.goto(origin + name)
        self.page.add_style_tag(content="* { transition: none !important }")

    def wait_for_formulas(self) -> None:
        self.page.evaluate("window.MathJax?.startup?.promise.then(() => null)")

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _answered(self, answer: Any) -> None:
        if answer.status >= 400:
            self.complaints.append(f"{answer.status} for {answer.url}")

    def _asked(self, origin: str, url: str) -> None:
        if not url.startswith((origin, "data:", "blob:")):
            self.strangers.append(url)


def unfold(page: Page) -> None:
    """Open every folded cell, table and solution, and let the page settle."""
    page.evaluate(
        """() => {
          for (const folded of document.querySelectorAll("details"))
            folded.open = true;
          for (const folded of document.querySelectorAll(".toggle-hidden"))
            folded.classList.remove("toggle-hidden");
        }"""
    )
    settle(page)


def settle(page: Page) -> None:
    page.evaluate(
        """() => new Promise(drawn =>
             requestAnimationFrame(() => requestAnimationFrame(drawn)))"""
    )


def scrollbars(page: Page, besides: str) -> list[str]:
    """Return the elements of the text that have a scrollbar, besides some."""
    found: list[str] = page.evaluate(
        """besides => [...document.querySelectorAll("article, article *")]
             .filter(e => !e.matches(besides)).filter(e => {
               const { borderTopWidth, borderBottomWidth, borderLeftWidth,
                 borderRightWidth, display } = getComputedStyle(e);
               if (display === "inline" || !(e instanceof HTMLElement)) return false;
               const across = e.offsetHeight - e.clientHeight
                 - parseFloat(borderTopWidth) - parseFloat(borderBottomWidth);
               const down = e.offsetWidth - e.clientWidth
                 - parseFloat(borderLeftWidth) - parseFloat(borderRightWidth);
               return across > 2 || down > 2;
             }).map(e => e.outerHTML.slice(0, 100))""",
        besides,
    )
    return found


def must_be_sound(visit: Visit) -> None:
    visit.wait_for_formulas()
    assert visit.strangers == [], "requests to another host"
    assert visit.complaints == [], "errors in the console"
    bare = visit.page.locator(".math:not(:has(mjx-container))").count()
    assert bare == 0, "formulas not rendered"


def explorers_must_answer(page: Page) -> None:
    """Move every control of every explorer with the keyboard."""
    for figure in page.locator("figure.olc-explorer").all():
        for control in figure.locator("input, select").all():
            before = picture(figure)
            slider = control.evaluate("c => c.tagName") == "INPUT"
            control.focus()
            page.keyboard.press("ArrowRight" if slider else "ArrowDown")
            for part, old, new in zip(
                ("picture", "description", "label"),
                before,
                picture(figure),
                strict=True,
            ):
                assert old != new, f"the {part} stays the same: {before[1]}"


def picture(figure: Any) -> tuple[str, str, str]:
    """Return what is seen, what is read out, and what the picture is called."""
    panels = figure.locator(".olc-panels")
    return (
        panels.inner_html(),
        figure.locator(".olc-says").inner_text(),
        panels.get_attribute("aria-label") or "",
    )


# --- every page, from disk ----------------------------------------------------------


# The tests of a page stay on one worker, and the pages are shared out.
@pytest.fixture(
    scope="class",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in PAGES],
)
def visit(
    request: pytest.FixtureRequest, browser: Browser, html: Path
) -> Iterator[Visit]:
    visit = Visit(browser, f"{html.as_uri()}/", request.param)
    visit.wait_for_formulas()
    yield visit
    visit.page.close()


class TestPage:
    def test_page_is_sound(self, visit: Visit) -> None:
        must_be_sound(visit)

    def test_every_picture_says_what_it_finds(self, visit: Visit) -> None:
        bare = visit.page.locator(
            "article img:not([alt]), article img[alt=''],"
            "article svg:not(.olc-panels svg, button svg, [aria-hidden=true])"
        )
        assert [each.evaluate("e => e.outerHTML") for each in bare.all()] == []
        for panels in visit.page.locator(".olc-panels").all():
            assert panels.get_attribute("role") == "img"
            assert len(panels.get_attribute("aria-label") or "") > 10
        figures = visit.page.locator("figure.olc-figure")
        assert figures.count() == figures.locator("figcaption").count()

    def test_figures_have_no_box_in_the_dark(self, visit: Visit) -> None:
        visit.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        for output in visit.page.locator(".text_html:has(.olc-figure)").all():
            background = output.evaluate("e => getComputedStyle(e).backgroundColor")
            assert background == "rgba(0, 0, 0, 0)"

    def test_nothing_scrolls_on_a_desk(self, visit: Visit) -> None:
        unfold(visit.page)
        numbers = ".olc-data .olc-scroll"  # behind a figure, as many as it takes
        assert scrollbars(visit.page, besides=numbers) == []

    def test_it_fits_a_phone(self, visit: Visit) -> None:
        unfold(visit.page)
        visit.page.set_viewport_size(PHONE)
        settle(visit.page)
        # Code, tables and formulas may scroll, these if they have a line to themselves.
        bars = scrollbars(
            visit.page,
            besides="pre, .olc-scroll, .pst-scrollable-table-container,"
            ".output:has(> div > table), div.math > mjx-container, span.olc-long",
        )
        width = visit.page.evaluate("document.documentElement.scrollWidth")
        room = visit.page.evaluate("document.documentElement.clientWidth")
        wide = visit.page.evaluate(
            """() => [...document.querySelectorAll("article *")]
                 .filter(e => e.getBoundingClientRect().right > innerWidth + 1
                   && !e.parentElement.closest("pre, .output, .math, .olc-scroll, "
                     + ".pst-scrollable-table-container"))
                 .map(e => e.outerHTML.slice(0, 100))"""
        )
        small = visit.page.evaluate(
            """() => [...document.querySelectorAll(".olc-panels text")].filter(e => {
                 const { width } = e.ownerSVGElement.getBoundingClientRect();
                 const scale = width / e.ownerSVGElement.viewBox.baseVal.width;
                 return parseFloat(getComputedStyle(e).fontSize) * scale < 11;
               }).map(e => e.outerHTML)"""
        )
        visit.page.set_viewport_size(DESK)
        assert (width, wide, bars, small) == (room, [], [], [])

    def test_its_explorers_answer(self, visit: Visit) -> None:
        explorers_must_answer(visit.page)
        assert visit.complaints == []

    def test_it_is_light_enough(self, visit: Visit, html: Path) -> None:
        page = html / visit.name
        sources = re.findall(r'<img[^>]*src="([^":]+)"', page.read_text("utf-8"))
        parts = [page, *((page.parent / source).resolve() for source in set(sources))]
        content = [part.read_bytes() for part in parts]
        assert sum(len(part) for part in content) <= 1_500_000
        assert sum(len(gzip.compress(part)) for part in content) <= 400_000

    def test_formulas_can_be_heard(self, visit: Visit) -> None:
        silent = "mjx-container:not(:has(mjx-assistive-mml math))"
        assert visit.page.locator(silent).count() == 0

    # The last two take out what axe need not look at: it would take half an hour.

    def test_anyone_can_use_it(self, visit: Visit) -> None:
        # Readers hear the label of a picture, and code without its colours.
        visit.page.evaluate(
            """() => {
              for (const drawn of document.querySelectorAll("mjx-container"))
                drawn.remove();
              for (const drawn of document.querySelectorAll(".olc-panels svg"))
                drawn.replaceChildren();
              for (const code of document.querySelectorAll("pre"))
                code.dataset.bright = code.innerHTML, code.textContent += "";
            }"""
        )
        unfold(visit.page)
        rules = {"color-contrast": {"enabled": False}}
        assert violations(visit.page, runOnly=WCAG, rules=rules) == []
        visit.page.evaluate(
            """() => {
              for (const code of document.querySelectorAll("pre"))
                code.innerHTML = code.dataset.bright;
            }"""
        )

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_text_stands_out_from_its_ground(self, visit: Visit, theme: str) -> None:
        visit.page.evaluate("t => document.documentElement.dataset.theme = t", theme)
        # Equal elements in equal places have equal colours: one of each will do.
        visit.page.evaluate(
            """() => {
              const seen = new Set(), place = e => e ? place(e.parentElement)
                + ["", e.tagName, e.className, e.rowIndex % 2].join(" ") : "";
              for (const e of [...document.querySelectorAll("article *")].reverse())
                if (!e.childElementCount && !seen.has(place(e))) seen.add(place(e));
                else if (!e.childElementCount) e.remove();
            }"""
        )
        assert violations(visit.page, runOnly=["color-contrast"]) == []


def violations(page: Page, **options: Any) -> list[tuple[str, str]]:
    """Return what axe objects to: the rule and the beginning of the element."""
    quick = {"resultTypes": ["violations"], "preload": False}
    found = Axe().run(page, options=options | quick).response["violations"]
    return [
        (each["id"], node["html"][:200]) for each in found for node in each["nodes"]
    ]


# --- every page, from a server; and the book as a whole -----------------------------


class TestScrollbars:
    def test_they_are_seen(self, browser: Browser) -> None:
        page = browser.new_page()
        page.set_content(
            """<article style="width: 50px"><p>short</p>
            <p style="overflow-x: auto; white-space: nowrap">longer than its line</p>
            """
        )
        assert [text[:9] for text in scrollbars(page, besides="pre")] == ["<p style="]
        page.close()


class TestBook:
    @pytest.mark.parametrize("name", PAGES)
    def test_page_is_served(self, browser: Browser, served: str, name: str) -> None:
        visit = Visit(browser, served, name, formulas=False)
        assert (visit.strangers, visit.complaints) == ([], [])
        visit.page.close()

    def test_index_leads_to_the_book(self, browser: Browser, html: Path) -> None:
        page = browser.new_page()
        page.goto(f"{html.as_uri()}/index.html")
        page.wait_for_url(f"**/{PAGES[0]}")
        page.close()

    @pytest.mark.parametrize("name", PAGES)
    def test_no_citation_asks_for_a_date(self, html: Path, name: str) -> None:
        assert "n.d." not in re.sub(r"<[^>]*>", "", (html / name).read_text("utf-8"))

    @pytest.mark.parametrize("place", ["served", "from disk"])
    def test_search_finds_winnow(
        self, browser: Browser, html: Path, served: str, place: str
    ) -> None:
        origin = served if place == "served" else f"{html.as_uri()}/"
        visit = Visit(browser, origin, "search.html?q=Winnow")
        visit.page.locator("#search-results li a").first.wait_for()
        must_be_sound(visit)
        assert visit.page.locator("#search-results li a").count() > 0
        assert visit.page.locator("input[type=search]:visible").count() <= 1
        visit.page.close()

    def test_dark_mode_is_remembered(self, browser: Browser, served: str) -> None:
        visit = Visit(browser, served, PAGES[0], False, color_scheme="light")
        theme = "document.documentElement.dataset.theme"
        switch = visit.page.locator("button.theme-switch-button:visible").first
        for _ in range(3):  # auto, light and dark take turns
            if visit.page.evaluate(theme) != "dark":
                switch.click()
        assert visit.page.evaluate(theme) == "dark"
        visit.page.goto(served + PAGES[-1])
        assert visit.page.evaluate(theme) == "dark"
        visit.page.close()

    def test_code_has_copy_buttons(self, browser: Browser, served: str) -> None:
        visit = Visit(browser, served, "book/winnow.html")
        must_be_sound(visit)
        assert visit.page.locator("button.copybtn").count() > 0
        links = visit.page.locator("a.btn-download-source-button")
        assert links.first.get_attribute("href", timeout=1000).endswith(".ipynb")
        visit.page.close()

    def test_longest_chapter_appears_in_two_seconds(
        self, browser: Browser, html: Path
    ) -> None:
        name = max(PAGES, key=lambda name: (html / name).stat().st_size)
        times = []
        for _ in range(3):  # the machine may be busy with other tests
            visit = Visit(browser, f"{html.as_uri()}/", name)
            times.append(
                visit.page.evaluate(
                    "performance.getEntriesByName('first-contentful-paint')[0].startTime"
                )
            )
            visit.page.close()
            if times[-1] < 2000:
                break
        assert min(times) < 2000


class TestExplorer:
    def test_play_moves_on_and_pauses(self, browser: Browser, html: Path) -> None:
        visit = Visit(browser, f"{html.as_uri()}/", REPLAY, formulas=False)
        figure = visit.page.locator("figure:has(.olc-controls button)").first
        before = figure.locator(".olc-says").inner_text()
        figure.locator("button").focus()
        visit.page.keyboard.press("Enter")
        expect(figure.locator("button")).to_have_text("Pause")
        expect(figure.locator(".olc-says")).to_have_attribute("aria-live", "off")
        expect(figure.locator(".olc-says")).not_to_have_text(before)
        visit.page.keyboard.press("Enter")
        expect(figure.locator("button")).to_have_text("Play")
        expect(figure.locator(".olc-says")).to_have_attribute("aria-live", "polite")
        visit.page.close()

    def test_who_wants_no_motion_gets_no_play_button(
        self, browser: Browser, html: Path
    ) -> None:
        visit = Visit(
            browser, f"{html.as_uri()}/", REPLAY, False, reduced_motion="reduce"
        )
        assert visit.page.locator(".olc-controls button:visible").count() == 0
        explorers_must_answer(visit.page)
        visit.page.close()

    def test_without_script_the_first_frame_stands_alone(
        self, browser: Browser, html: Path
    ) -> None:
        page = browser.new_page(java_script_enabled=False)
        page.goto(f"{html.as_uri()}/{REPLAY}")
        expect(page.locator(".olc-explorer svg").first).to_be_visible()
        expect(page.locator(".olc-controls").first).to_be_hidden()
        page.close()


# --- the same chapter in JupyterLab -------------------------------------------------


@pytest.fixture(scope="class")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A JupyterLab of its own, with a copy of a chapter that has a slider."""
    home = tmp_path_factory.mktemp("lab")
    (home / "work").mkdir()
    shutil.copy(book.BOOK / "index.ipynb", home / "work" / "chapter.ipynb")
    with jupyterlab(home) as address:
        yield address


class TestLab:
    def test_run_all_and_move_a_slider(self, browser: Browser, lab: str) -> None:
        page = browser.new_page(viewport=DESK)
        page.set_default_timeout(60_000)
        page.goto(lab)
        page.get_by_text(re.compile(r"\| Idle")).wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        handle = page.locator(".jp-OutputArea .widget-slider .noUi-handle").first
        handle.wait_for()
        # Idle again: every cell has its number.
        page.wait_for_function(
            """() => [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")]
                 .every(prompt => /\\[\\d+\\]/.test(prompt.textContent))"""
        )
        assert page.locator("[data-mime-type*='vnd.jupyter.error']").count() == 0
        assert page.locator("[data-mime-type*='vnd.jupyter.stderr']").count() == 0
        assert page.locator(".jp-OutputArea progress").count() == 0
        views = page.locator(".jp-OutputArea .widget-box:has(.widget-slider)")
        before = views.first.locator("figure.olc-figure").inner_html()
        handle.focus()
        page.keyboard.press("ArrowRight")
        must_change(views.first, before)
        page.close()


def must_change(view: Any, before: str) -> None:
    deadline = time.monotonic() + 30
    while view.locator("figure.olc-figure").inner_html() == before:
        assert time.monotonic() < deadline, "the figure stays the same"
        time.sleep(0.1)


@contextlib.contextmanager
def jupyterlab(home: Path) -> Iterator[str]:
    """Start a JupyterLab with settings of its own, and stop it afterwards."""
    settings = home / "settings" / "@jupyterlab"
    wanted = {
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/notification": {"fetchNews": "false"},
    }
    for name, values in wanted.items():
        path = settings / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "PYTHONPATH": str(book.ROOT),
    }
    token = "for-this-test-only"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    options = [f"--IdentityProvider.token={token}", "--ServerApp.port=0"]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, *options, f"--ServerApp.root_dir={home / 'work'}"],
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            address = wait_for_address(home / "log", process)
            yield f"{address}/lab/tree/chapter.ipynb?token={token}"
        finally:
            process.terminate()
            process.wait(30)


def wait_for_address(log: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"http://(?:localhost|127\.0\.0\.1):\d+", log.read_text())
        if found:
            return found.group()
        time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")
