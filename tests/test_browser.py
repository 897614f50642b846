"""The built book in a real browser: every page, opened from disk, and one served.

Needs Chromium or Chrome ($OLC_BROWSER, or one on PATH) and is skipped without one,
unless OLC_REQUIRE_BROWSER=1.
"""

import contextlib
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
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from jupyter_server.serverapp import list_running_servers
from playwright.sync_api import expect

import olc
from tools import book

pytestmark = pytest.mark.built

PAGES = [f"{page}.html" for page in book.pages()]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast", "link-in-text-block"]  # rules that take seconds
REPLAY = "book/winnow.html"  # a page with a play button
# One page of each kind, on which colours are looked at.
COLOURED = [
    f"book/{name}.html" for name in ("index", "nonseparable", "notation", "api")
]
# Pages of every kind are looked at every time, the others with the slow tests.
OFTEN = {*COLOURED, "book/winnow.html", "book/spelling.html", "book/api/olc.html"}
EACH = [
    pytest.param(page, marks=[pytest.mark.slow] if page not in OFTEN else [])
    for page in PAGES
]
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}


# --- the book and the browser -----------------------------------------------------


# Closed after this module: nothing else may run inside Playwright's event loop.
@pytest.fixture(scope="module")
def browser():
    if book.find_browser() is None:
        required = os.environ.get("OLC_REQUIRE_BROWSER") == "1"
        missing = "there is no Chromium or Chrome here: install one or set OLC_BROWSER"
        (pytest.fail if required else pytest.skip)(missing)
    scrollbars = ["--hide-scrollbars"]  # readers see them
    with book.browsing(args=["--disable-gpu"], ignore_default_args=scrollbars) as it:
        yield it


@contextlib.contextmanager
def serving(folder, under="/", port=0, first=lambda path: None, **headers):
    """Serve a folder below a path; give the address and what is asked for.

    `first` hears what is asked for, and the answer waits until it returns.
    """
    asked = []

    class Below(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            """Say nothing."""

        def handle(self):
            """Let a tab that leaves break off what it asked for."""
            with contextlib.suppress(ConnectionError):
                super().handle()

        def end_headers(self):
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            super().end_headers()

        def translate_path(self, path):
            asked.append(path)
            first(path)
            inside = path.startswith(under)
            return super().translate_path(path[len(under) - 1 :] if inside else "/?")

    handler = functools.partial(Below, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}{under}", asked
        finally:  # or pytest would wait for ever
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def served(html):
    with serving(html) as (address, _):
        yield address


JUMPS = """
  window.jumped = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) jumped += one.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


class Visit:
    """A tab, what its page asked for and what it complained about."""

    def __init__(self, browser, origin, formulas=True, **options):
        self.origin = origin
        self.page = browser.new_page(viewport=DESK, **options)
        self.page.add_init_script(JUMPS)
        if not formulas:  # they take seconds, in which a page does nothing else
            self.page.route("**/mathjax/startup.js*", lambda ask: ask.fulfill(body=""))
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda ask: self.complaints.append(ask.url))
        self.page.on("response", self._answered)
        self.page.on("request", lambda ask: self._asked(ask.url))

    def open(self, name):
        self.name = name
        self.complaints = []
        self.strangers = []
        self.page.goto(self.origin + name)
        still = "* { transition: none !important; animation: none !important }"
        self.page.add_style_tag(content=still)
        return self

    def wait_for_formulas(self):
        self.page.evaluate("window.MathJax?.startup?.promise.then(() => null)")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _answered(self, answer):
        if answer.status >= 400:
            self.complaints.append(f"{answer.status} for {answer.url}")

    def _asked(self, url):
        if not url.startswith((self.origin, "data:", "blob:")):
            self.strangers.append(url)


def unfold(page):
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


def settle(page):
    page.evaluate(
        """() => new Promise(drawn =>
             requestAnimationFrame(() => requestAnimationFrame(drawn)))"""
    )


def scrollbars(page, besides):
    """Return the elements of the text that have a scrollbar, besides some."""
    found = page.evaluate(
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


def must_be_sound(visit):
    visit.wait_for_formulas()
    assert visit.strangers == [], "requests to another host"
    assert visit.complaints == [], "errors in the console"
    bare = visit.page.locator(".math:not(:has(mjx-container))").count()
    assert bare == 0, "formulas not rendered"


def explorers_must_answer(page):
    """Move every control of every explorer with the keyboard."""
    for figure in page.locator("figure.olc-explorer").all():
        for control in figure.locator("input, select").all():
            before = picture(figure)
            slider = control.evaluate("c => c.tagName") == "INPUT"
            at_end = slider and control.evaluate("c => c.value === c.max")
            control.focus()
            page.keyboard.press(
                f"Arrow{'Left' if at_end else 'Right'}" if slider else "ArrowDown"
            )
            for part, old, new in zip(
                ("picture", "description", "label"),
                before,
                picture(figure),
                strict=True,
            ):
                assert old != new, f"the {part} stays the same: {before[1]}"


def picture(figure):
    """Return what is seen, what is read out, and what the picture is called."""
    panels = figure.locator(".olc-panels")
    return (
        panels.inner_html(),
        figure.locator(".olc-says").inner_text(),
        panels.get_attribute("aria-label") or "",
    )


# --- every page, from disk ----------------------------------------------------------


# What is compiled for one page serves the next, if they share a tab.
@pytest.fixture(scope="module")
def tab(browser, html):
    return Visit(browser, f"{html.as_uri()}/")


@pytest.fixture(scope="class", params=EACH)
def visit(request, tab):
    tab.open(request.param).wait_for_formulas()
    return tab


class TestPage:
    def test_page_is_sound(self, visit):
        must_be_sound(visit)

    def test_nothing_jumps_while_it_loads(self, visit):
        settle(visit.page)
        assert visit.page.evaluate("jumped") < 0.05

    def test_code_can_be_copied_and_a_notebook_downloaded(self, visit):
        cells = visit.page.locator("div.cell_input pre").count()
        buttons = visit.page.locator("div.cell_input button.copybtn").count()
        assert buttons == cells
        links = visit.page.locator("a.btn-download-source-button")
        address = links.first.get_attribute("href", timeout=1000) or ""
        assert address.endswith(".ipynb" if cells else (".md", ".ipynb"))
        names = visit.page.locator("button.copybtn").evaluate_all(
            "buttons => buttons.map(button => button.ariaLabel ?? '')"
        )
        assert [name for name in names if not re.match("Copy the code: .", name)] == []

    def test_its_foot_says_how_to_run_and_to_cite_it(self, visit):
        foot = visit.page.locator(".olc-colophon").inner_text()
        assert f"Online Linear Classification, version {olc.__version__}." in foot
        assert "CC BY 4.0" in foot
        source = Path(visit.name).with_suffix(".ipynb")
        runs = (book.ROOT / source).exists()
        assert (f"open {source.name}" in foot) == ("make lab" in foot) == runs

    def test_every_picture_says_what_it_finds(self, visit):
        mute = visit.page.evaluate(
            """() => [...document.querySelectorAll(
                 "article img:not([alt]), article img[alt=''], article svg:not("
                 + ".olc-panels svg, button svg, [aria-hidden=true]), .olc-panels")]
                 .filter(e => !(e.matches("[role=img], [role=group], [role=radiogroup]")
                   && e.getAttribute("aria-label")?.length > 10))
                 .map(e => e.outerHTML.slice(0, 200))"""
        )
        assert mute == []
        figures = visit.page.locator("figure.olc-figure:not(.olc-lab)")
        assert figures.count() == figures.locator("figcaption").count()

    def test_figures_have_no_box_in_the_dark(self, visit):
        grounds = visit.page.evaluate(
            """() => {
              document.documentElement.dataset.theme = "dark";
              return [...document.querySelectorAll(".text_html:has(.olc-figure)")]
                .map(e => getComputedStyle(e).backgroundColor);
            }"""
        )
        assert set(grounds) <= {"rgba(0, 0, 0, 0)"}

    def test_nothing_scrolls_on_a_desk(self, visit):
        unfold(visit.page)
        numbers = ".olc-data .olc-scroll"  # behind a figure, as many as it takes
        assert scrollbars(visit.page, besides=numbers) == []

    def test_it_fits_a_phone(self, visit):
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
                 if (!e.checkVisibility()) return false;  // the twin for a desk
                 const { width } = e.ownerSVGElement.getBoundingClientRect();
                 const scale = width / e.ownerSVGElement.viewBox.baseVal.width;
                 return parseFloat(getComputedStyle(e).fontSize) * scale < 11;
               }).map(e => e.outerHTML)"""
        )
        visit.page.set_viewport_size(DESK)
        assert (width, wide, bars, small) == (room, [], [], [])

    def test_its_explorers_answer(self, visit):
        explorers_must_answer(visit.page)
        assert visit.complaints == []

    def test_it_is_light_enough(self, visit, html):
        page = html / visit.name
        sources = re.findall(r'<img[^>]*src="([^":]+)"', page.read_text("utf-8"))
        parts = [page, *((page.parent / source).resolve() for source in set(sources))]
        content = [part.read_bytes() for part in parts]
        assert sum(len(part) for part in content) <= 1_500_000
        assert sum(len(gzip.compress(part)) for part in content) <= 400_000

    def test_formulas_can_be_heard(self, visit):
        silent = "mjx-container:not(:has(mjx-assistive-mml math))"
        assert visit.page.locator(silent).count() == 0

    def test_formulas_are_no_stops_of_the_tab_key(self, visit):
        stops = visit.page.evaluate(
            """() => [...document.querySelectorAll("mjx-container")].filter(
                 e => e.tabIndex >= 0 && e.scrollWidth <= e.clientWidth).length"""
        )
        assert stops == 0

    # The last one, as it takes out what axe need not look at.
    def test_anyone_can_use_it(self, visit):
        unfold(visit.page)
        visit.page.evaluate("scrollTo(0, 0)")  # nothing lies under the bar at the top
        # Readers hear the label of a picture, and the words of a formula; on the page
        # of the package the third entry is made like the second.
        visit.page.evaluate(
            """() => {
              for (const more of document.querySelectorAll("mjx-container, "
                  + "dl.py ~ dl.py ~ dl.py, .toc-entry ~ .toc-entry ~ .toc-entry"))
                more.remove();
              for (const drawn of document.querySelectorAll(".olc-panels svg"))
                drawn.replaceChildren();
            }"""
        )
        assert violations(visit.page, colours=visit.name in COLOURED) == []


def violations(page, colours):
    """Return what axe objects to: theme, rule and the beginning of the element."""
    page.evaluate(Axe().axe_script)
    found = page.evaluate(
        """async ([tags, colours, look]) => {
          const violations = async (theme, options) => {
            document.documentElement.dataset.theme = theme;
            const found = await axe.run(
              { ...options, resultTypes: ["violations"], preload: false });
            return found.violations.flatMap(({ id, nodes }) => nodes.map(
              ({ html }) => `${theme}, ${id}: ${html.slice(0, 200)}`));
          };
          const rules = Object.fromEntries(
            colours.map(rule => [rule, { enabled: false }]));
          const found = await violations("light", { runOnly: tags, rules });
          for (const theme of look ? ["light", "dark"] : [])
            found.push(...await violations(theme, { runOnly: colours }));
          return found;
        }""",
        [WCAG, COLOURS, colours],
    )
    return found


# --- the book as a whole ------------------------------------------------------------


def test_scrollbars_are_found(browser):
    page = browser.new_page()
    page.set_content(
        """<article style="width: 50px"><p>short</p>
        <p style="overflow-x: auto; white-space: nowrap">longer than its line</p>"""
    )
    assert [text[:9] for text in scrollbars(page, besides="pre")] == ["<p style="]
    page.close()


def test_a_pale_colour_is_found_in_each_theme(browser):
    page = browser.new_page()
    page.set_content(
        """<html lang=en><title>Colours</title><style>
        [data-theme=dark] { background: black; color: white }
        [data-theme=light] b { color: #ddd } i { background: #ddd }
        </style><p><b>pale</b> and <i>a ground</i></p>"""
    )
    found = [re.sub("<[^>]*>", "", text) for text in violations(page, colours=True)]
    assert found == ["light, color-contrast: pale", "dark, color-contrast: a ground"]
    page.close()


def test_index_leads_to_the_book(html):
    assert f"url={PAGES[0]}" in (html / "index.html").read_text("utf-8")


def test_a_first_visit_is_light_and_a_second_page_lighter(browser, html, served):
    tab, files = browser.new_page(viewport=DESK), {}
    tab.on("request", lambda ask: files.setdefault(ask.url.split("?")[0], None))
    for most, name in ((750, "book/perceptron.html"), (150, "book/winnow.html")):
        files = dict.fromkeys(files, 0)
        tab.goto(served + name)
        tab.evaluate("MathJax.startup.promise.then(() => null)")
        new = [url.removeprefix(served) for url, seen in files.items() if seen is None]
        data = [(html / path).read_bytes() for path in new]
        assert sum(len(gzip.compress(one)) for one in data) <= most * 1000
        assert sum(map(len, data)) <= 2_200_000
    tab.close()


def test_no_page_waits_for_its_formulas(html):
    for name in PAGES:  # which take seconds where there are many
        page = (html / name).read_text("utf-8")
        tags = re.findall(r"<script[^>]*/mathjax/startup\.js[^>]*>", page)
        assert all(" defer" in tag for tag in tags), name
        assert tags or "\\(" not in page, name


def test_the_buttons_of_a_page_download_its_notebooks(browser, html, served):
    for origin in (f"{html.as_uri()}/", served):
        visit = Visit(browser, origin, formulas=False).open("book/winnow.html")
        for name in ("winnow.ipynb", "winnow-solutions.ipynb"):
            visit.page.locator(".dropdown-download-buttons > button").click()
            with visit.page.expect_download() as download:
                visit.page.locator(f"a[download][href$='/{name}']").click()
            assert download.value.suggested_filename == name
            saved = Path(download.value.path()).read_bytes()
            assert saved == (html / "notebooks" / name).read_bytes()
        assert visit.page.url == f"{origin}book/winnow.html"
        visit.page.close()


def test_search_from_disk_finds_sections_with_excerpts(browser, html):
    visit = Visit(browser, f"{html.as_uri()}/")
    visit.open("search.html?q=Littlestone dimension")
    results = visit.page.locator("#search-results li")
    results.first.wait_for()
    must_be_sound(visit)
    assert visit.page.locator("input[type=search]:visible").count() <= 1
    assert violations(visit.page, colours=True) == []
    for result in results.all()[:5]:
        marked = result.locator("mark").all_inner_texts()
        assert {text[:5].lower() for text in marked} & {"littl", "dimen"}
    link = results.locator("a[href*='#']").first
    anchor = (link.get_attribute("href") or "").partition("#")[2]
    link.click()
    expect(visit.page.locator(f"[id='{anchor}']")).to_be_in_viewport()
    visit.open("search.html?q=olc.winnow.proof")
    expect(results.first.locator("a")).to_have_text("olc.winnow › proof")
    visit.open("search.html?q=nowhereinthisbook")
    expect(visit.page.get_by_role("status")).to_have_text(
        "No section has all of these words."
    )
    visit.page.close()


#: What people look for, and the page (and its part) that should come first.
QUERIES = {
    "perceptron convergence theorem": "perceptron Theorem 5.1 (Perceptron convergence)",
    "theorem 5.1": "perceptron Theorem 5.1",
    "exercise 5.3": "perceptron Exercise 5.3",
    "perceptron": "perceptron The Perceptron",
    "percetron": "perceptron The Perceptron",
    "winow": "winnow Winnow",
    "winnow": "winnow Winnow",
    "normalized winnow": "normalized_winnow Normalised Winnow",
    "balanced winnow": "balanced_winnow Balanced Winnow",
    "halving algorithm": "online_game Algorithm 1.3 (Halving)",
    "weighted majority": "weighted_majority Weighted majority",
    "hedge": "randomized_weighted_majority Randomised weighted majority",
    "randomized": "randomized_weighted_majority Randomised weighted majority",
    "kernel trick": "kernel_perceptron The kernel Perceptron",
    "multi-armed bandit": "bandits Bandits",
    "multiclass": "multiclass Several classes",
    "SVM": "linear_classifiers The largest margin",
    "margin": "linear_classifiers The margin",
    "bias": "linear_classifiers ",
    "voted perceptron": "averaged_perceptron ",
    "averaged perceptron": "averaged_perceptron The averaged Perceptron",
    "passive aggressive": "thick_separator Passive–Aggressive",
    "p-norm": "one_proof The p-norm Perceptron",
    "doubling trick": "randomized_weighted_majority ",
    "learning rate": "balanced_winnow ",
    "Littlestone dimension": "standard_optimal Definition 18.1",
    "attribute errors": "winnow Theorem 8.",
    "AdaBoost": "perceptron_vs_winnow ",
    "regret": "online_game Regret",
    "mistake bound": "weighted_majority Why the best expert bounds our mistakes",
    "why winnow needs log n": "balanced_winnow The 2 in the logarithm is needed",
    "what is a kernel": "kernel_perceptron The kernel Perceptron",
    "follow the leader": "weighted_majority Exercise 2.4 (Follow the leader)",
    "minimax": "randomized_weighted_majority ",
    "cycling": "nonseparable Theorem 6.1 (Cycling)",
    "concept drift": "winnow_r The drifting game",
    "online gradient descent": "regression ",
    "pac learning": "averaged_perceptron From mistakes to errors",
    "overfitting": "thick_separator Real data, and regularisation",
    "UCB": "bandits Bandits",
    "what is gamma": "linear_classifiers The margin",
    "proof of the perceptron": "perceptron Theorem 5.1 (Perceptron convergence)",
    "glossary": "notation Notation",
    "momentum of the perceptron": "perceptron The Perceptron",
    "olc.winnow.proof": "api/winnow proof",
}


def test_what_people_look_for_comes_first(browser, html):
    visit = Visit(browser, f"{html.as_uri()}/").open("search.html?q=margin")
    visit.page.locator("#search-results li").first.wait_for()
    found = visit.page.evaluate(
        """queries => queries.map(query => {
          const [{ page, title }] = Search.find(query).found;
          return page.replace("book/", "") + " " + title;
        })""",
        list(QUERIES),
    )
    first = dict(zip(QUERIES, found, strict=True))
    assert {
        query for query in first if not first[query].startswith(QUERIES[query])
    } == set()
    visit.open("search.html?q=percetron")
    note = "no section has “percetron”; “perceptron” was looked for"
    expect(visit.page.get_by_role("status")).to_contain_text(note)
    visit.open("search.html?q=bandit+nowhereinthisbook")
    note = "No section has all of these words; .* have 1 of the 2"
    expect(visit.page.get_by_role("status")).to_contain_text(re.compile(note))
    visit.page.close()


def test_served_pages_are_sound_and_remember_the_dark(browser, served):
    visit = Visit(browser, served, formulas=False, color_scheme="light")
    visit.open(PAGES[0])
    assert (visit.strangers, visit.complaints) == ([], [])
    theme = "document.documentElement.dataset.theme"
    switch = visit.page.locator("button.theme-switch-button:visible").first
    for _ in range(3):  # auto, light and dark take turns
        if visit.page.evaluate(theme) != "dark":
            switch.click()
    assert visit.page.evaluate(theme) == "dark"
    visit.open(PAGES[-1])
    assert visit.page.evaluate(theme) == "dark"
    visit.page.close()


def test_an_explorer_plays_and_pauses_unless_motion_is_unwanted(browser, html):
    visit = Visit(browser, f"{html.as_uri()}/", formulas=False).open(REPLAY)
    figure = visit.page.locator("figure.olc-explorer:has(button)").first
    button, says = figure.locator("button"), figure.locator(".olc-says")
    before = says.inner_text()
    button.focus()
    visit.page.keyboard.press("Enter")
    expect(button).to_have_text("Pause")
    expect(says).to_have_attribute("aria-live", "off")
    expect(says).not_to_have_text(before)
    visit.page.keyboard.press("Enter")
    expect(button).to_have_text("Play")
    expect(says).to_have_attribute("aria-live", "polite")
    visit.page.emulate_media(reduced_motion="reduce")
    visit.open(REPLAY)
    assert visit.page.locator(".olc-explorer button:visible").count() == 0
    visit.page.close()


def test_a_printed_page_is_the_chapter_alone(browser, html):
    visit = Visit(browser, f"{html.as_uri()}/", formulas=False, color_scheme="dark")
    page = visit.open(REPLAY).page
    page.emulate_media(media="print")
    page.locator("div.solution button").first.dispatch_event("click")  # unfold one
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen = page.evaluate(
        """() => {
          const shown = what => [...document.querySelectorAll(what)]
            .filter(e => e.checkVisibility());
          const text = elements => elements.map(e => e.outerHTML.slice(0, 100));
          return {
            around: text(shown("nav, header, aside, footer, button, select, details, "
              + "summary, input:not(.olc-quiz input)")),  // which a pencil can mark
            empty: text(shown(".cell_input, .cell_output")
              .filter(e => !e.innerText.trim())),
            solutions: shown("div.solution").length,
            pale: text(shown("article, article *").filter(e => e.innerText
              && /rgb\\((2[0-9]{2}|1[6-9][0-9]), /.test(getComputedStyle(e).color)
              && !e.closest(".highlight"))),
          };
        }"""
    )
    assert seen == {"around": [], "empty": [], "solutions": 1, "pale": []}
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.close()


def test_without_script_the_first_frame_stands_alone(browser, html):
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{html.as_uri()}/{REPLAY}")
    expect(page.locator(".olc-explorer svg").first).to_be_visible()
    expect(page.locator(".olc-controls").first).to_be_hidden()
    page.close()


# --- the same chapter in JupyterLab -------------------------------------------------


@pytest.mark.slow
def test_in_jupyterlab_all_cells_run_and_a_slider_moves(browser, tmp_path):
    (tmp_path / "work").mkdir()
    shutil.copy(book.BOOK / "winnow_r.ipynb", tmp_path / "work" / "chapter.ipynb")
    with jupyterlab(tmp_path) as address:
        page = browser.new_page(viewport=DESK)
        page.set_default_timeout(60_000)
        page.goto(address)
        page.get_by_text(re.compile(r"\| Idle")).wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        handle = page.locator(".jp-OutputArea .widget-slider .noUi-handle").first
        handle.wait_for()
        # Idle again: no cell waits or runs (one whose code is folded shows no number).
        page.wait_for_function(
            """() => ![...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")]
                 .some(prompt => /\\[[ *]\\]/.test(prompt.textContent))"""
        )
        assert page.locator("[data-mime-type*='vnd.jupyter.error']").count() == 0
        assert page.locator("[data-mime-type*='vnd.jupyter.stderr']").count() == 0
        assert page.locator(".jp-OutputArea progress").count() == 0
        picture = ".jp-OutputArea .widget-box:has(.widget-slider) figure.olc-figure"
        before = page.locator(picture).first.inner_html()
        handle.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "([now, old]) => document.querySelector(now).innerHTML !== old",
            arg=[picture, before],
        )
        page.close()


@contextlib.contextmanager
def jupyterlab(home):
    """Start a JupyterLab with settings of its own, and stop it afterwards."""
    settings = {
        "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"},
    }
    (home / "overrides.json").write_text(json.dumps(settings))
    kinds = ("JUPYTER_CONFIG", "JUPYTER_RUNTIME", "JUPYTERLAB_SETTINGS")
    own = {f"{kind}_DIR": str(home) for kind in (*kinds, "JUPYTERLAB_WORKSPACES")}
    environment = os.environ | own | {"PYTHONPATH": str(book.ROOT)}
    options = [f"--LabApp.app_settings_dir={home}", f"--notebook-dir={home / 'work'}"]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    with subprocess.Popen([*command, *options], env=environment) as process:
        try:
            while not (servers := [*list_running_servers(str(home))]):
                assert process.poll() is None, "JupyterLab did not start"
                time.sleep(0.2)
            yield "{url}lab/tree/chapter.ipynb?token={token}".format(**servers[0])
        finally:
            process.terminate()
