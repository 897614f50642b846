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
import urllib.request
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

    def handle(self) -> None:
        """Let a tab that leaves break off what it asked for."""
        with contextlib.suppress(ConnectionError):
            super().handle()


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
    """A tab, what its page asked for and what it complained about."""

    def __init__(
        self, browser: Browser, origin: str, formulas: bool = True, **options: Any
    ):
        self.origin = origin
        self.page = browser.new_page(viewport=DESK, **options)
        if not formulas:  # they take seconds, in which a page does nothing else
            self.page.route("**/tex-chtml.js*", lambda ask: ask.fulfill(body=""))
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda ask: self.complaints.append(ask.url))
        self.page.on("response", self._answered)
        self.page.on("request", lambda ask: self._asked(ask.url))

    def open(self, name: str) -> Visit:
        self.name = name
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.asked: list[str] = []
        self.page.goto(self.origin + name)
        still = "* { transition: none !important; animation: none !important }"
        self.page.add_style_tag(content=still)
        return self

    def wait_for_formulas(self) -> None:
        self.page.evaluate("window.MathJax?.startup?.promise.then(() => null)")

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _answered(self, answer: Any) -> None:
        if answer.status >= 400:
            self.complaints.append(f"{answer.status} for {answer.url}")

    def _asked(self, url: str) -> None:
        if url.startswith(self.origin):
            self.asked.append(url.removeprefix(self.origin))
        elif not url.startswith(("data:", "blob:")):
            self.strangers.append(url)


def unfold(page: Page) -> None:
    """Open every folded cell, table and solution, and let the page settle."""
    folded = page.evaluate(
        """() => {
          const closed = document.querySelectorAll("details:not([open])");
          const hidden = document.querySelectorAll(".toggle-hidden");
          for (const folded of closed) folded.open = true;
          for (const folded of hidden) folded.classList.remove("toggle-hidden");
          return closed.length + hidden.length;
        }"""
    )
    if folded:
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
             .filter(e => e instanceof HTMLElement).filter(e => {
               const across = e.offsetHeight - e.clientHeight;
               const down = e.offsetWidth - e.clientWidth;
               if (across <= 2 && down <= 2) return false;
               const { borderTopWidth, borderBottomWidth, borderLeftWidth,
                 borderRightWidth, display } = getComputedStyle(e);
               const borders = (one, other) => parseFloat(one) + parseFloat(other);
               return display !== "inline" && !e.matches(besides)
                 && (across - borders(borderTopWidth, borderBottomWidth) > 2
                   || down - borders(borderLeftWidth, borderRightWidth) > 2);
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


@pytest.fixture(scope="session")
def seen() -> set[str]:
    """What was looked at on one page, and need not be on the next."""
    return set()


# What is compiled for one page serves the next, if they share a tab.
@pytest.fixture(scope="module")
def tab(browser: Browser, html: Path) -> Visit:
    return Visit(browser, f"{html.as_uri()}/")


# The tests of a page stay on one worker, and the pages are shared out.
@pytest.fixture(
    scope="class",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in PAGES],
)
def visit(request: pytest.FixtureRequest, tab: Visit) -> Visit:
    tab.open(request.param).wait_for_formulas()
    return tab


class TestPage:
    def test_page_is_sound(self, visit: Visit) -> None:
        must_be_sound(visit)

    def test_all_it_asks_for_is_served(
        self, visit: Visit, served: str, seen: set[str]
    ) -> None:
        assert visit.name in visit.asked
        for name in set(visit.asked) - seen:
            with urllib.request.urlopen(served + name) as answer:
                assert answer.status == 200
        seen.update(visit.asked)

    def test_every_picture_says_what_it_finds(self, visit: Visit) -> None:
        mute = visit.page.evaluate(
            """() => [...document.querySelectorAll(
                 "article img:not([alt]), article img[alt=''], article svg:not("
                 + ".olc-panels svg, button svg, [aria-hidden=true]), .olc-panels")]
                 .filter(e => !(e.matches(".olc-panels[role=img]")
                   && e.getAttribute("aria-label")?.length > 10))
                 .map(e => e.outerHTML.slice(0, 200))"""
        )
        assert mute == []
        figures = visit.page.locator("figure.olc-figure")
        assert figures.count() == figures.locator("figcaption").count()

    def test_figures_have_no_box_in_the_dark(self, visit: Visit) -> None:
        grounds = visit.page.evaluate(
            """() => {
              document.documentElement.dataset.theme = "dark";
              return [...document.querySelectorAll(".text_html:has(.olc-figure)")]
                .map(e => getComputedStyle(e).backgroundColor);
            }"""
        )
        assert set(grounds) <= {"rgba(0, 0, 0, 0)"}

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

    # The last one, as it takes out what axe need not look at.
    def test_anyone_can_use_it(self, visit: Visit, seen: set[str]) -> None:
        unfold(visit.page)
        # Readers hear the label of a picture, and the words of a formula.
        visit.page.evaluate(
            """() => {
              for (const drawn of document.querySelectorAll("mjx-container"))
                drawn.remove();
              for (const drawn of document.querySelectorAll(".olc-panels svg"))
                drawn.replaceChildren();
            }"""
        )
        looks = visit.page.evaluate(MARK_NEW_LOOKS, list(seen))
        assert violations(visit.page) == []
        seen.update(looks)


# Equal letters on equal grounds stand out equally, on whatever page: in each theme a
# few of each look are marked, of which one may be half hidden, or too short to judge. A
# span that has but a class tells axe nothing else.
MARK_NEW_LOOKS = r"""seen => {
  const old = new Set(seen), looks = {};
  const once = make => {
    const made = new Map([[null, ""], [undefined, ""]]);
    return e => (made.has(e) || made.set(e, make(e)), made.get(e));
  };
  const length = e => e.textContent.replace(/\s/g, "").length;
  const has_words = e => e.matches("input, select, textarea")
    || [...e.childNodes].some(child => child.nodeType === 3 && child.data.trim());
  const has_more_than_links = once(block => length(block)
    > [...block.querySelectorAll("a")].reduce((sum, each) => sum + length(each), 0));
  const is_seen = e => e.checkVisibility({ opacityProperty: true,
    visibilityProperty: true }) && [...e.getClientRects()].some(box =>
    box.width > 1 && box.height > 1 && box.right > 0 && box.bottom + scrollY > 0);
  const words = [...document.body.querySelectorAll("*")].filter(has_words);
  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset.theme = theme;
    const letters = once(e => {
      const style = getComputedStyle(e);
      return [style.color, style.fontSize, style.fontWeight, style.textShadow,
        style.textDecorationLine, style.borderBottomStyle].join();
    });
    const drawn = e => {
      const style = getComputedStyle(e);
      return [style.backgroundColor, style.backgroundImage, style.opacity,
        style.filter, style.mixBlendMode, style.position, style.clip,
        style.overflow].join();
    };
    const plain = drawn(document.head);
    const ground = once(e => ground(e.parentElement) + (
      drawn(e) === plain ? "" : ` ${drawn(e)}`));
    for (const e of words) {
      const link = e.closest("a");
      const block = link?.parentElement.closest("p, li, dt, dd, td, div, body");
      const look = [theme, ground(e), letters(e), letters(link), letters(block),
        has_more_than_links(block)].join("; ");
      if (!old.has(look) && !(looks[look] >= 3) && is_seen(e)) {
        looks[look] = (looks[look] ?? 0) + 1;
        for (const part of [e, link ?? e]) part.dataset.look = theme;
      }
    }
  }
  for (const e of document.querySelectorAll("span[class]:not([data-look])"))
    if (e.attributes.length === 1 && !e.querySelector("[data-look]"))
      e.replaceWith(...e.childNodes);
  return Object.keys(looks);
}"""


def violations(page: Page) -> list[str]:
    """Return what axe objects to: theme, rule and the beginning of the element."""
    page.evaluate(Axe().axe_script)
    found: list[str] = page.evaluate(
        """async tags => {
          const look = "[data-look]", colours = [
            { id: "color-contrast", selector: look },
            { id: "link-in-text-block", selector: `a${look}` }];
          axe.configure({ rules: colours });
          const violations = async (theme, runOnly) => {
            document.documentElement.dataset.theme = theme;
            const found = await axe.run(
              { runOnly, resultTypes: ["violations"], preload: false });
            return found.violations.flatMap(({ id, nodes }) => nodes.map(
              ({ html }) => `${theme}, ${id}: ${html.slice(0, 200)}`));
          };
          const light = await violations("light", tags);
          // Only colours change with the theme: what has no new ones can go.
          for (const block of document.querySelectorAll("section > *, dd > dl"))
            if (!block.matches(look) && !block.querySelector(look)) block.remove();
          return light.concat(await violations("dark", colours.map(({ id }) => id)));
        }""",
        WCAG,
    )
    return found


# --- every page, from a server; and the book as a whole -----------------------------


class TestLooks:
    def test_the_bad_ones_are_found(self, browser: Browser) -> None:
        page = browser.new_page()
        page.set_content(
            """<html lang=en><title>Looks</title><style>
              [data-theme=dark] { background: black; color: white }
              [data-theme=light] b, s { color: #ddd } s { visibility: hidden }
              i { background: #ddd } u { background: white; color: black }
              a { color: #444; text-decoration: none }
              [data-theme=dark] a { color: #bbb }
            </style><s>unseen</s><p><b>pale</b> and <b>soft</b></p>
            <p>Ink on a <i>ground</i>, <u>readable</u>, and <i>a ground</i></p>
            <ul><li><a href=#>alone</a></ul><p>words about <a href=#>a link</a></p>"""
        )
        looks = page.evaluate(MARK_NEW_LOOKS, [])
        found = [re.sub("<[^>]*>", "", text) for text in violations(page)]
        assert found == [
            "light, color-contrast: pale",
            "light, color-contrast: soft",
            "light, link-in-text-block: a link",
            "dark, color-contrast: ground",
            "dark, color-contrast: a ground",
            "dark, link-in-text-block: a link",
        ]
        assert page.evaluate(MARK_NEW_LOOKS, looks) == []
        page.close()


class TestScrollbars:
    def test_they_are_found(self, browser: Browser) -> None:
        page = browser.new_page()
        page.set_content(
            """<article style="width: 50px"><p>short</p>
            <p style="overflow-x: auto; white-space: nowrap">longer than its line</p>
            """
        )
        assert [text[:9] for text in scrollbars(page, besides="pre")] == ["<p style="]
        page.close()


class TestBook:
    def test_pages_are_served(self, browser: Browser, served: str) -> None:
        for name in ("index", "spelling", "api"):
            # a tab that goes on to another page breaks off what it still asked for
            visit = Visit(browser, served, formulas=False)
            visit.open(f"book/{name}.html")
            assert (visit.strangers, visit.complaints) == ([], [])
            visit.page.close()

    def test_index_leads_to_the_book(self, browser: Browser, html: Path) -> None:
        page = browser.new_page()
        page.goto(f"{html.as_uri()}/index.html")
        page.wait_for_url(f"**/{PAGES[0]}")
        page.close()

    def test_no_citation_asks_for_a_date(self, html: Path) -> None:
        for name in PAGES:
            words = re.sub(r"<[^>]*>", "", (html / name).read_text("utf-8"))
            assert "n.d." not in words, name

    def test_no_page_waits_for_its_formulas(self, html: Path) -> None:
        # which take seconds where there are many
        for name in PAGES:
            page = (html / name).read_text("utf-8")
            tags = re.findall(r"<script[^>]*/tex-chtml\.js[^>]*>", page)
            assert all(" defer" in tag for tag in tags), name
            assert tags or "\\(" not in page, name

    @pytest.mark.parametrize("place", ["served", "from disk"])
    def test_search_finds_winnow(
        self, browser: Browser, html: Path, served: str, place: str
    ) -> None:
        origin = served if place == "served" else f"{html.as_uri()}/"
        visit = Visit(browser, origin).open("search.html?q=Winnow")
        visit.page.locator("#search-results li a").first.wait_for()
        must_be_sound(visit)
        assert visit.page.locator("#search-results li a").count() > 0
        assert visit.page.locator("input[type=search]:visible").count() <= 1
        visit.page.close()

    def test_dark_mode_is_remembered(self, browser: Browser, served: str) -> None:
        visit = Visit(browser, served, False, color_scheme="light")
        visit.open(PAGES[0])
        theme = "document.documentElement.dataset.theme"
        switch = visit.page.locator("button.theme-switch-button:visible").first
        for _ in range(3):  # auto, light and dark take turns
            if visit.page.evaluate(theme) != "dark":
                switch.click()
        assert visit.page.evaluate(theme) == "dark"
        visit.open(PAGES[-1])
        assert visit.page.evaluate(theme) == "dark"
        visit.page.close()

    def test_code_has_copy_buttons(self, browser: Browser, served: str) -> None:
        visit = Visit(browser, served).open("book/winnow.html")
        must_be_sound(visit)
        assert visit.page.locator("button.copybtn").count() > 0
        links = visit.page.locator("a.btn-download-source-button")
        assert links.first.get_attribute("href", timeout=1000).endswith(".ipynb")
        visit.page.close()


class TestExplorer:
    def test_play_moves_on_and_pauses(self, browser: Browser, html: Path) -> None:
        visit = Visit(browser, f"{html.as_uri()}/", formulas=False).open(REPLAY)
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
        visit = Visit(browser, f"{html.as_uri()}/", False, reduced_motion="reduce")
        visit.open(REPLAY)
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
