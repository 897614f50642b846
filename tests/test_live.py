"""The pages that run in the browser: every chapter in wasm, one in Chromium.

`make live` builds them and runs this; without them there is nothing to try.
"""

import json
import os
import re
import shutil
import subprocess
import threading

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from test_browser import WCAG, Visit, browser, serving  # noqa: F401, a fixture

from tools import book, live

BUILT = sorted(book.HTML.glob("_static/live-*"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BUILT, reason="no live pages: make live builds them"),
]
CHAPTER = "online_game"
KINDS = {"text/html": "html", "text/markdown": "markdown", "text/plain": "text"}
LONG = 180_000  # milliseconds, on a busy machine


# --- every chapter in wasm ------------------------------------------------------------


def plain(text):
    """Return a text without the blanks by which pandas fits a table to a screen."""
    return re.sub(r"[\s\\]+", " ", book.sanitize(text)).strip()


@pytest.mark.parametrize("path", book.notebooks(), ids=lambda path: path.stem)
def test_every_cell_gives_in_wasm_what_is_stored(path):
    ran = json.loads((live.CACHE / "runs" / f"{path.stem}.json").read_text("utf-8"))
    cells = [c for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
    differences = []
    for number, (cell, got) in enumerate(zip(cells, ran["shown"], strict=True), 1):
        shown = {kind: text for kind, text in got["outputs"]}
        wanted = {}
        for output in cell.outputs:
            data = output.get("data", {})
            wanted |= {"printed": output.text} if "text" in output else {}
            wanted |= {KINDS[mime]: data[mime] for mime in KINDS if mime in data}
        if got["text"] is not None:
            shown["text"] = got["text"]
        if "html" in wanted and "Figure" not in wanted["text"][:8]:
            # A table is what its HTML shows; pandas cuts the text to a screen's width.
            shown.pop("text", None), wanted.pop("text")
        seen, stored = ({k: plain(one[k]) for k in one} for one in (shown, wanted))
        if seen != stored:
            differences.append((number, wanted, shown))
    assert differences == []


# --- one chapter in Chromium ----------------------------------------------------------


class Live:
    """A page after the press, and how a reader works with it."""

    def __init__(self, page):
        self.page = page
        self.status = page.locator(".olc-live [role=status]")

    def press(self):
        self.page.get_by_role("button", name="Run this page").click()
        return self

    def wait(self, words="Ready.|has failed|is ready"):
        expect(self.status).to_have_text(re.compile(words), timeout=LONG)
        return self

    def cell(self, number):
        return self.page.locator("article div.cell").nth(number - 1)

    def write(self, number, code):
        cell = self.cell(number)
        for folded in cell.locator("details").all():
            folded.evaluate("d => d.open = true")
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)

    def run(self, number, code):
        """Type code into a cell and run it; return where it shows what it gives."""
        self.write(number, code)
        self.status.evaluate("s => s.textContent = ''")
        self.page.keyboard.press("Shift+Enter")
        self.wait()
        return self.cell(number).locator(".cell_output")


@pytest.fixture(scope="module")
def site():
    with serving(book.HTML, "/course/2026/") as served:
        yield served


@pytest.fixture(scope="module")
def visit(browser, site):  # noqa: F811
    visit = Visit(browser, site[0]).open(f"book/{CHAPTER}.html")
    visit.page.wait_for_load_state("networkidle")
    yield visit
    visit.page.close()


@pytest.fixture(scope="module")
def before(visit, site):
    """What is asked for before the press."""
    return list(site[1])


@pytest.fixture(scope="module")
def running(visit, before):
    return Live(visit.page).press().wait("Ready.")


def test_before_the_press_only_the_button_is_asked_for(before):
    asked = [path.rpartition("/")[2] for path in before if "/live-" in path]
    assert asked == ["button.js"]


def test_all_cells_run_without_a_request_to_another_host(running, visit):
    assert running.page.locator(".olc-error").count() == 0
    assert visit.strangers == []
    assert visit.complaints == []


def test_a_figure_is_drawn_again_as_the_book_drew_it(running):
    page = (book.HTML / "book" / f"{CHAPTER}.html").read_text("utf-8")
    first = running.page.locator("figure.olc-figure:not(.olc-lab)").first
    for mark in ("use", "text", "path"):
        there = re.search(r'<figure class="olc-figure".*?</figure>', page, re.S)
        assert there is not None
        drawn = len(re.findall(rf"<{mark}\b", there[0]))
        assert first.locator(mark).count() == drawn > 0
    placed = first.locator("use").first
    assert placed.get_attribute("x") is not None
    assert re.fullmatch("#.+", placed.get_attribute("href") or "")


def test_an_explorer_answers(running):
    code = "draw.situation(morning[:rounds], target=2)"
    code = f"olc.widgets.explore(lambda rounds: {code}, rounds=[2, 4])"
    figure = running.run(2, code).locator("figure.olc-explorer")
    says = figure.locator(".olc-says")
    before = says.text_content()
    figure.locator("input").first.focus()
    running.page.keyboard.press("ArrowRight")
    assert says.text_content() != before
    assert figure.locator(".olc-panels use").count() > 0


def test_an_edited_cell_shows_what_it_gives(running):
    output = running.run(2, "print('hello')\nlimits.shape, Contrary.__name__")
    assert output.locator(".stream").inner_text().strip() == "hello"
    assert output.locator(".text_plain").inner_text() == "((8, 7), 'Contrary')"
    output = running.run(2, "pd.DataFrame({'a': [1]})")
    assert output.locator("table.dataframe td").inner_text() == "1"
    output = running.run(2, "import matplotlib.pyplot as plt\nplt.plot([1, 2]);")
    assert output.locator("svg").evaluate("s => s.getBoundingClientRect().width > 300")
    assert output.locator("svg path").count() > 10
    shows = "plt.plot([1]); plt.show(); print('then'); plt.plot([2]); plt.show()"
    output = running.run(2, shows)
    kinds = output.locator(".output").evaluate_all("all => all.map(e => e.className)")
    assert ["stream" in kind for kind in kinds] == [False, True, False]
    assert output.locator("svg").count() == 2
    output = running.run(2, "olc.Listing(olc.Perceptron)")
    assert output.locator("pre").inner_text().startswith("class Perceptron(Linear):")


def test_a_quiz_answers(running):
    form = running.page.locator("form.olc-quiz").first
    part = form.locator("fieldset").last
    right = part.locator("details p").text_content() or ""
    for label in part.locator("label").all():
        label.click()
        form.get_by_role("button", name="Check").click()
        said = part.locator("output").inner_text()
        assert said.startswith("✓") == right.startswith(label.inner_text().strip())


def test_a_missing_package_is_loaded_when_it_is_needed(running):
    output = running.run(2, "import scipy.special\nfloat(scipy.special.expit(0))")
    assert output.inner_text().strip() == "0.5"


def test_an_error_begins_with_its_message(running):
    output = running.run(2, "def halve(x):\n    return x / 0\n\nhalve(1)")
    lines = output.locator(".olc-error").inner_text().splitlines()
    assert lines == [
        "ZeroDivisionError: division by zero",
        "cell 2, line 4: halve(1)",
        "cell 2, line 2: return x / 0",
    ]
    assert "ZeroDivisionError" in running.status.inner_text()
    output = running.run(2, "1 +")
    assert output.locator(".olc-error").inner_text().startswith("SyntaxError")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("name = input('Who? ')", "input() cannot wait for an answer on this page"),
        (
            "%timeit sum(range(9))",
            "is a command of Jupyter, not Python. To time a line",
        ),
        ("!pip list", "is a command of Jupyter, not Python"),
        ("import ipywidgets", "olc.widgets.explore(draw, n=range(9)) has sliders"),
    ],
)
def test_what_only_a_notebook_has_is_answered_in_a_sentence(running, code, words):
    message = running.run(2, code).locator(".olc-error").inner_text().split("\n")[0]
    assert words in message


def test_many_printed_lines_are_shown_together_in_a_box_that_scrolls(running):
    running.page.evaluate(
        """() => {
          window.shown = 0;
          document.addEventListener("toggle", () => (shown += 1), true);
        }"""
    )
    output = running.run(2, "for i in range(3000):\n    print(i)")
    assert output.inner_text().split() == [str(i) for i in range(3000)]
    assert running.page.evaluate("shown") < 300  # the page measured its boxes so often
    box = output.locator(".stream pre")
    assert box.evaluate("b => b.clientHeight < 600 && b.scrollHeight > 20000")
    expect(box).to_have_attribute("tabindex", "0")


INJECTIONS = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 1'>",
    "<svg onload='window.pwned = 1'></svg>",
    "<svg><script>window.pwned = 1</script></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=pwned=1></svg>#x'/></svg>",
    "<a href='javascript:window.pwned = 1' class='bait'>x</a>",
    "<iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    "<iframe src='javascript:parent.pwned = 1'></iframe>",
    "<object data='javascript:window.pwned = 1'></object>",
    "<details open ontoggle='window.pwned = 1'><summary>x</summary></details>",
    "<meta http-equiv='refresh' content='0;url=about:blank'>",
    "<base href='https://stranger.invalid/'>",
    "<style>body { display: none }</style>",
    "<link rel='stylesheet' href='https://stranger.invalid/x.css'>",
    "<img src='https://stranger.invalid/?secret'>",
    "<img src='//stranger.invalid/?secret'>",
    r"<img src='/\stranger.invalid/?secret'>",
    r"<img src='\\stranger.invalid/?secret'>",
    "<form action='https://stranger.invalid/'><button class='bait'>x</button></form>",
    "<math><mtext><img src=x onerror='window.pwned = 1'></mtext></math>",
    "<figure class='olc-explorer'><div class='olc-controls' hidden></div><div class="
    "'olc-panels'></div><p class='olc-says'></p><select><option>a<option>b</select>"
    '<script type="application/json">{"parts": ["<img src=x onerror=pwned=1>"], '
    '"frames": [[0], [0]], "alts": ["", ""], "labels": ["", ""]}</script>'
    "<script>window.pwned = 1</script></figure>",
]


@pytest.mark.parametrize("html", INJECTIONS)
def test_what_a_cell_gives_does_nothing_to_the_page(running, visit, html):
    here = running.page.url
    shown = f"type('Bait', (), {{'_repr_html_': lambda _: {html!r}}})()"
    output = running.run(2, shown)
    if output.locator("select").count():
        output.locator("select").select_option("b")
    for bait in output.locator(".bait").all():
        bait.click()
    running.page.wait_for_timeout(50)
    # As text, in a value, on the standard output and in an error.
    for code in (
        f"type('Bait', (), {{'__repr__': lambda _: {html!r}}})()",
        f"print({html!r})",
        f"raise ValueError({html!r})",
    ):
        output = running.run(2, code)
        assert output.locator("script, img, iframe, svg, meta, form").count() == 0
        assert html[:20] in output.inner_text()
    assert running.page.evaluate("window.pwned") is None
    assert running.page.url == here
    assert running.page.evaluate("document.baseURI") == here
    assert running.page.locator("article h1").is_visible()
    assert [url for url in visit.strangers if "stranger" in url] == []
    visit.complaints.clear()  # the browser says what it has refused


def test_python_reaches_no_other_host(running, visit, tmp_path):
    with serving(tmp_path) as (other, asked):
        code = f"import js\nawait_ = js.fetch({other!r})\nawait_.catch(lambda e: 0)\n1"
        running.run(2, code)
        code = (
            f"from js import XMLHttpRequest as X\nx = X.new()\nx.open('GET', {other!r}"
        )
        output = running.run(2, f"{code}, False)\nx.send()")
        assert output.locator(".olc-error").count() == 1
        assert asked == []
    visit.complaints.clear()


@pytest.fixture
def tab(browser):  # noqa: F811
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_what_is_typed_is_kept_until_reset(tab, site):
    address = f"{site[0]}book/{CHAPTER}.html"
    tab.goto(address)
    Live(tab).press().write(3, "'mine'")
    tab.goto(address)
    again = Live(tab).press()
    expect(again.cell(3).locator(".cm-content")).to_have_text("'mine'")
    reset = again.cell(3).get_by_role("button", name="Reset")
    expect(reset).to_have_accessible_name("Reset: cell 3")
    reset.click()
    expect(again.cell(3).locator(".cm-content")).to_contain_text("parcels = [6, 0")
    expect(reset).to_be_hidden()
    assert "mine" not in tab.evaluate("JSON.stringify(localStorage)")


def test_the_page_becomes_a_notebook(running):
    running.write(3, "'typed'")
    with running.page.expect_download() as download:
        running.page.get_by_role("button", name="Download as notebook").click()
    notebook = nbformat.read(download.value.path(), as_version=4)
    nbformat.validate(notebook)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert download.value.suggested_filename == f"{CHAPTER}.ipynb"
    assert [cell.source for cell in codes].count("'typed'") == 1
    assert not any(cell.source.startswith("limits = ") for cell in codes)
    assert not any(cell.outputs for cell in codes)
    assert len(codes) >= running.page.locator("article div.cell").count()
    running.cell(3).get_by_role("button", name="Reset").click()


def test_a_link_is_shown_and_never_runs_by_itself(running, tab, site):
    running.write(4, "x = 'from afar'\nx")
    running.cell(4).get_by_role("link", name="Link: cell 4").click()
    address = running.page.url
    running.cell(4).get_by_role("button", name="Reset").click()
    running.page.evaluate("history.replaceState(null, '', location.pathname)")
    tab.bring_to_front()
    tab.goto(address)
    expect(tab.locator(".olc-live")).to_contain_text("does not run by itself")
    linked = Live(tab).press()
    expect(linked.cell(4).locator(".cm-content")).to_contain_text("from afar")
    # Whether the window has the focus is the machine's affair.
    editor = linked.cell(4).locator(".cm-content")
    assert editor.evaluate("e => document.activeElement === e")
    linked.wait("is ready")
    assert "from afar" not in linked.cell(4).locator(".cell_output").inner_text()
    assert "afar" not in tab.evaluate("JSON.stringify(localStorage)")
    linked.cell(4).get_by_role("button", name="Run: cell 4").click()
    expect(linked.cell(4).locator(".cell_output")).to_have_text("'from afar'")


def test_an_exercise_answers(running):
    for sign, said in ((">", "Not yet: it answers −1 at a tie"), (">=", "✓ Right.")):
        output = running.run(
            2,
            "class MyPlus(olc.Perceptron):\n    def decide(self, score):\n"
            f"        return 1 if score {sign} 0 else -1\n\n"
            "olc.check('perceptron-ties-plus', MyPlus)",
        )
        assert said in output.locator(".olc-verdict").inner_text()
    # The watchdog counts the steps of the answer, and of no library.
    output = running.run(
        2,
        "import difflib\nfrom olc_book.exercises.core import own\n"
        "things = difflib.ndiff, pd.concat, olc.play, MyPlus.decide\n"
        "[own(thing.__code__.co_filename) for thing in things]",
    )
    assert output.inner_text().strip() == "[False, False, False, True]"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_editors_and_errors_are_accessible(running, theme):
    running.page.evaluate("t => document.documentElement.dataset.theme = t", theme)
    running.run(2, "print('x' * 300)\n1 / 0")
    options = {"runOnly": {"type": "tag", "values": WCAG}}
    found = Axe().run(running.page, options=options).response["violations"]
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []


def test_an_endless_loop_is_stopped_and_python_starts_again(running):
    running.write(2, "while True:\n    pass")
    running.page.keyboard.press("Shift+Enter")
    running.wait("Cell 2 of")
    running.page.get_by_role("button", name="Stop").click()
    stopped = running.cell(2).locator(".olc-error")
    expect(stopped).to_contain_text("Python has forgotten", timeout=1000)
    running.wait("is ready")
    assert "NameError" in running.run(2, "limits").inner_text()
    running.cell(2).get_by_role("button", name="Reset").click()
    running.cell(4).get_by_role("button", name="Run all above").click()
    running.wait("Ready.")
    assert running.run(4, "limits.shape").inner_text().strip() == "(8, 7)"


def test_where_the_host_isolates_its_pages_stop_keeps_the_state(tab):
    with serving(
        book.HTML,
        Cross_Origin_Opener_Policy="same-origin",
        Cross_Origin_Embedder_Policy="require-corp",
    ) as (address, _):
        tab.goto(f"{address}book/{CHAPTER}.html#code=2:kept = 1")
        isolated = Live(tab).press().wait("is ready")
        isolated.run(2, "kept = 1")
        isolated.write(3, "while True:\n    pass")
        tab.keyboard.press("Shift+Enter")
        isolated.wait("Cell 3 of")
        tab.get_by_role("button", name="Stop").click()
        isolated.wait("has failed: KeyboardInterrupt")
        assert isolated.run(2, "kept").inner_text().strip() == "1"
        tab.close()


# --- without a network ----------------------------------------------------------------


@pytest.fixture
def copied(tmp_path):
    """A copy of the site that a test may change."""
    return shutil.copytree(book.HTML, tmp_path / "site", copy_function=os.link)


def test_a_second_visit_needs_no_network_until_there_is_a_new_edition(tab, copied):
    page = f"book/{CHAPTER}.html"
    stores = "caches.keys().then((names) => names.length)"
    with serving(copied, "/course/") as (address, _):
        tab.goto(address + page)
        Live(tab).press().wait("Ready.")
    # The server has gone; the page, its formulas and Python are still there.
    tab.goto(address + page)
    assert tab.locator("mjx-container").count() > 10
    Live(tab).press().wait("Ready.")
    assert tab.evaluate(stores) == 1
    (old,) = copied.glob("_static/live-*")
    old.rename(old.with_name("live-new"))
    port = int(address.split(":")[2].split("/")[0])
    with serving(copied, "/course/", port=port):
        tab.goto(address + page)
        tab.wait_for_function(f"{stores}.then((number) => number === 0)")
        registered = "navigator.serviceWorker.getRegistration()"
        tab.goto(address + page)
        assert tab.evaluate(f"{registered}.then((one) => !one)")


def test_a_broken_download_says_so_and_can_be_tried_again(tab, copied):
    (folder,) = copied.glob("_static/live-*")
    wheel = next(folder.glob("matplotlib-*.whl"))
    wheel.rename(folder / "away")
    with serving(copied) as (address, _):
        tab.goto(f"{address}book/{CHAPTER}.html")
        broken = Live(tab).press().wait("Python has failed")
        (folder / "away").rename(wheel)
        tab.get_by_role("button", name="Try again").click()
        broken.wait("Ready.")
        expect(tab.get_by_role("button", name="Try again")).to_be_hidden()


def test_a_download_that_stands_still_says_so_and_can_be_tried_again(tab):
    goes_on = threading.Event()

    def stand_still(path):
        if path.endswith(".whl"):
            goes_on.wait(60)

    with serving(book.HTML, first=stand_still) as (address, _):
        tab.goto(f"{address}book/{CHAPTER}.html")
        still = Live(tab).press()
        still.wait("Nothing has come for 8 seconds. Is the network gone?")
        tab.get_by_role("button", name="Try again").click()
        goes_on.set()
        still.wait("Ready.")
        expect(tab.get_by_role("button", name="Try again")).to_be_hidden()


def test_a_heavy_chapter_says_so_and_waits(browser, site):  # noqa: F811
    for record in (live.CACHE / "runs").glob("*.json"):
        heavy = live.is_heavy(json.loads(record.read_text("utf-8")))
        page = (book.HTML / "book" / f"{record.stem}.html").read_text("utf-8")
        assert ('data-heavy="yes"' in page) == heavy
        if heavy:
            visit = Visit(browser, site[0], formulas=False)
            visit.open(f"book/{record.stem}.html")
            bar = visit.page.locator(".olc-live")
            expect(bar).to_contain_text("This chapter is heavy")
            visit.page.close()


def test_a_file_on_disk_has_no_button(browser):  # noqa: F811
    origin = f"{book.HTML.as_uri()}/"
    visit = Visit(browser, origin, formulas=False).open(f"book/{CHAPTER}.html")
    assert visit.page.locator(".olc-live").count() == 0
    assert visit.complaints == []
    visit.page.close()


def test_the_scripts_are_formatted_and_linted():
    biome = live.NPM / "node_modules" / ".bin" / "biome"
    subprocess.run([biome, "ci", "--error-on-warnings", "."], cwd=live.LIVE, check=True)
