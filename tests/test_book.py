"""The sources of the book: what must hold of every chapter before it is built.

Conventions that these tests rely on:

- A figure or an explorer is the only output of its cell; the markdown cell before it
  ends with a target, ``(fig-winnow-strip)=``, so that the text can link to it.
- A theorem, algorithm or exercise has a ``:label:``; those of theorems begin with
  ``thm-``, those of algorithms with ``alg-``.
- A docstring of the package names a box of the book as the chapters do,
  ``{prf:ref}`thm-winnow```, and the box exists.
- A cell that nbval shall not compare, or that shall fail, has a tag for it and a
  ``reason`` in its metadata.
- A word that is neither in the dictionary nor in ``words.txt`` is a mistake.

Notebooks are stored by ``python -m tools.book execute``.
"""

from __future__ import annotations

import itertools
import re
import statistics
import types
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest

import olc
from olc_book.plots import Figure, panel
from olc_book.widgets import explore
from tools import book, docstrings

NOTEBOOKS = sorted(book.BOOK.glob("*.ipynb"))
PAGES = sorted([*NOTEBOOKS, *book.BOOK.glob("*.md")])
DRAWN = ("Figure: ", "Explorer: ")  # how the text of a figure or an explorer begins
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)


# --- reading ------------------------------------------------------------------------


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(path: Path) -> list[Any]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def outputs(cell: Any) -> Iterator[str]:
    """Yield the texts of a code cell's outputs."""
    for output in cell.outputs:
        data = output.get("data", {})
        yield from (text for text in data.values() if isinstance(text, str))
        yield output.get("text", "")


def drawn(cell: Any) -> list[str]:
    """Return the findings of the figures that a code cell shows."""
    texts = (output.get("data", {}).get("text/plain", "") for output in cell.outputs)
    return [text for text in texts if text.startswith(DRAWN)]


def markdown(path: Path) -> list[str]:
    if path.suffix == ".md":
        return [path.read_text(encoding="utf-8")]
    return [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]


def headings(path: Path) -> list[tuple[int, str]]:
    text = re.sub(r"(?ms)^(`{3,}).*?^\1", "", "\n\n".join(markdown(path)))
    found = re.findall(r"(?m)^(#+)\s+(.*?)\s*$", text)
    return [(len(marks), title) for marks, title in found]


def boxes(path: Path) -> list[tuple[str, str]]:
    """Return the kind and the label ("" if it has none) of every box of a page."""
    opening = (
        r"(?m)^[ >]*(?:`{3,}|:{3,})\{(prf:\w+|exercise)\}.*\n((?:[ >]*:\w+:.*\n)*)"
    )
    found = []
    for text in markdown(path):
        for kind, options in re.findall(opening, f"{text}\n"):
            label = re.search(r":label:\s*(\S+)", options)
            found.append((kind.removeprefix("prf:"), label[1] if label else ""))
    return found


def targets(path: Path) -> list[str]:
    text = "\n".join(markdown(path))
    return re.findall(r"(?m)^\(([^()\s]+)\)=\s*$", text)


# --- notebooks ----------------------------------------------------------------------


@each_notebook
def test_every_cell_has_run_in_order(path: Path) -> None:
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1)), "run python -m tools.book execute"


@pytest.mark.built
@pytest.mark.usefixtures("html")  # for which every chapter ran
@each_notebook
def test_a_fresh_run_gives_the_stored_outputs(path: Path) -> None:
    fresh = book.stored(book.cached(book.open_cache(), path).nb)
    ran = [cell for cell in fresh.cells if cell.cell_type == "code"]
    for cell, again in zip(code_cells(path), ran, strict=True):
        if "nbval-ignore-output" not in cell.metadata.get("tags", []):
            assert again.outputs == cell.outputs, cell.source


@each_notebook
def test_stored_outputs_are_small_and_say_nothing_of_the_machine(path: Path) -> None:
    notebook = read(path)
    assert notebook.metadata == book.METADATA
    for cell in code_cells(path):
        assert not {"execution", "scrolled", "collapsed"} & set(cell.metadata)
        for text in outputs(cell):
            assert "<svg" not in text
            assert not re.search(r"\bat 0x[0-9a-f]+", text), "an address"
            assert "/home/" not in text
            assert "site-packages" not in text
        kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
        assert kinds <= {"text/plain", "text/html", "text/latex", "text/markdown"}
    assert path.stat().st_size < 400_000


@each_notebook
def test_no_cell_is_silenced(path: Path) -> None:
    for cell in code_cells(path):
        assert not cell.source.rstrip().endswith(";")
        assert "NBVAL" not in cell.source
        assert "PYTEST_VALIDATE" not in cell.source
        tags = [
            tag
            for tag in cell.metadata.get("tags", [])
            if tag.startswith("nbval") or tag == "raises-exception"
        ]
        assert not tags or cell.metadata.get("reason"), f"say why: {tags}"


@each_notebook
def test_cells_fit_on_a_page(path: Path) -> None:
    for cell in code_cells(path):
        lines = cell.source.splitlines()
        assert 0 < len(lines) <= 25, cell.source
        assert max(map(len, lines)) <= 78, max(lines, key=len)


@pytest.mark.skipif(not NOTEBOOKS, reason="no chapter yet")
def test_most_cells_are_short() -> None:
    cells = [cell for path in NOTEBOOKS for cell in code_cells(path)]
    code = [cell.source.split(".captioned(")[0] for cell in cells]  # a caption is prose
    sizes = sorted(len(source.splitlines()) for source in code)
    assert statistics.median(sizes) <= 4
    assert sizes[int(0.9 * (len(sizes) - 1))] <= 10


@each_notebook
def test_every_figure_says_what_it_finds_and_can_be_linked_to(path: Path) -> None:
    cells = read(path).cells
    for before, cell in itertools.pairwise([None, *cells]):
        if cell.cell_type != "code" or not (found := drawn(cell)):
            continue
        assert len(cell.outputs) == 1, f"more than a figure: {cell.source}"
        assert not re.search(r"\.(png|svg|jpe?g|pdf)\b", found[0])
        html = cell.outputs[0].data["text/html"]
        assert found[0].startswith("Explorer") or "<table" in html, "without its data"
        assert before is not None
        last = before.source.rstrip().splitlines()[-1] if before.source else ""
        named = before.cell_type == "markdown" and re.fullmatch(r"\(fig-\S+\)=", last)
        assert named, f"no target such as (fig-name)= before: {cell.source}"


def test_a_figure_is_stored_without_its_picture_but_with_its_table() -> None:
    ax = panel()
    ax.plot([0, 1])
    table = pd.DataFrame({"n": [8, 16]})
    figure = Figure(ax, alt="It rises to 1.", table=table).captioned("A short line.")
    stored = book.sanitize(figure._repr_html_())
    assert "<svg" not in stored
    assert "<td>16</td>" in stored
    assert book.sanitize(stored) == stored


def test_an_explorer_is_stored_without_its_frames() -> None:
    def draw(n: int) -> Figure:
        ax = panel()
        ax.plot([0, n])
        return Figure(ax, alt=f"It rises to {n}.").captioned("A line of slope n.")

    stored = book.sanitize(explore(draw, n=[1, 2])._repr_html_())
    assert stored == book.sanitize(draw(1)._repr_html_())
    assert len(stored) < 100


# --- pages --------------------------------------------------------------------------


@each_page
def test_every_page_is_in_the_table_of_contents(path: Path) -> None:
    assert f"book/{path.stem}" in book.pages()


@each_page
def test_headings_form_an_outline_without_clashes(path: Path) -> None:
    levels = [level for level, _ in headings(path)]
    assert levels[0] == 1
    assert levels.count(1) == 1  # the build refuses to skip one
    titles = Counter(title.lower() for _, title in headings(path))
    assert [title for title, count in titles.items() if count > 1] == []


def test_no_two_pages_have_the_same_title() -> None:
    titles = Counter(headings(path)[0][1] for path in PAGES)
    assert [title for title, count in titles.items() if count > 1] == []


@each_page
def test_every_box_is_labelled(path: Path) -> None:
    prefix = {"theorem": "thm-", "algorithm": "alg-"}
    for kind, label in boxes(path):
        if kind != "proof":
            assert label, f"a {kind} without a :label:"
            assert label.startswith(prefix.get(kind, "")), f"a {kind}: {label}"


def test_no_label_is_given_twice() -> None:
    labels = [label for path in PAGES for _, label in boxes(path) if label]
    names = Counter(labels + [name for path in PAGES for name in targets(path)])
    assert [name for name, count in names.items() if count > 1] == []


def test_every_box_that_a_docstring_names_is_in_the_book() -> None:
    labels = {label for path in PAGES for _, label in boxes(path)}
    named = {
        (label, path.relative_to(book.ROOT).as_posix())
        for path in (book.ROOT / "olc").rglob("*.py")
        for label in re.findall(r"\{prf:ref\}`([^`]+)`", path.read_text("utf-8"))
    }
    assert sorted((name, where) for name, where in named if name not in labels) == []


def public(place: str) -> dict[str, Any]:
    """Return the classes and functions of a module's `__all__`."""
    module = import_module(place)
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: thing for name, thing in found.items() if callable(thing)}


def test_whatever_olc_offers_is_public_where_it_comes_from() -> None:
    engine = [f"olc.{name}" for name in docstrings.ENGINE]
    places = [*docstrings.modules().values(), *engine]
    for name in olc.__all__:
        thing = getattr(olc, name)
        if isinstance(thing, types.ModuleType):
            assert thing.__name__ in places
        else:
            assert thing.__module__ in places
            assert name in public(thing.__module__)


@pytest.mark.built
def test_what_is_public_has_an_entry_and_what_is_inside_has_none(html: Path) -> None:
    pages = [path.read_text("utf-8") for path in html.glob("book/api/*.html")]
    entries = set(re.findall(r'<dt class="sig[^>]* id="([^"]+)"', "".join(pages)))
    engine = [f"olc.{name}" for name in docstrings.ENGINE]
    for place in {*docstrings.modules().values(), *engine} - {"olc"}:
        assert {f"{place}.{name}" for name in public(place)} <= entries
    methods = "core.game.Trace.mistakes", "core.learner.Learner.replaced"
    assert {f"olc.{name}" for name in methods} <= entries
    inside = {"additive_rows", "run_game", "run", "odd", "linked", "get_params"}
    assert not inside & {name.rpartition(".")[2] for name in entries}


@pytest.mark.parametrize(
    "path", [path for path in PAGES if path.suffix == ".md"], ids=lambda path: path.stem
)
def test_the_code_of_a_page_runs(path: Path) -> None:
    names: dict[str, Any] = {}
    for code in re.findall(r"(?ms)^```python\n(.*?)^```", path.read_text("utf-8")):
        exec(code, names)


# --- notation -----------------------------------------------------------------------

GREEK = """alpha beta gamma Gamma delta Delta epsilon zeta eta theta Theta kappa lambda
Lambda mu nu xi pi rho sigma Sigma tau phi Phi chi psi Psi omega Omega"""
LATIN = [*"aAbBcCdDeEfFgGhHiIjJkKlL", "ell", *"mMnNoOpPqQrRsStTuUvVwWxXyYzZ"]
LETTERS = LATIN + GREEK.split()


def letters(text: str) -> list[str]:
    """Return the letters of the formulas of a text, without those of names."""
    formulas = re.findall(r"(?s)\$\$.+?\$\$|\$[^$]+\$", re.sub(r"`[^`\n]*`", "", text))
    name = r"\\(?:text|operatorname|math\w+|begin|end)\*?\s*(?:\{[^}]*\}|\w)"
    found = re.findall(r"\\[A-Za-z]+|[A-Za-z]", re.sub(name, "", " ".join(formulas)))
    plain = (letter.strip("\\").removeprefix("var") for letter in found)
    return [letter for letter in plain if letter in LETTERS]


def test_the_lists_of_letters_are_sorted_and_complete() -> None:
    [page] = markdown(book.BOOK / "notation.md")
    lists = re.split(r"(?m)^## Letters.*$|^### \{doc\}|^## Other signs", page)[1:-1]
    found = []
    for part in lists:
        rows = re.findall(r"(?m)^\| (\$.*?\$)", part)
        told = re.findall(r"(?m)^Only in one passage,.* there: (.*)$", part)
        once = [cell for line in told for cell in line.split(", ")]
        both = [[letters(cell)[0] for cell in some if letters(cell)]
                for some in (rows, once)]  # fmt: skip
        for each in both:
            assert each == sorted(each, key=LETTERS.index)
        assert not {*both[0]} & {*both[1]}
        found.append({*both[0], *both[1]})
    titled = re.findall(r"(?m)^### \{doc\}`(.*) <(\w+)>`$", page)
    names = [name for _, name in titled]
    for title, name in titled:  # the contents of the page show it
        assert title == headings(book.BOOK / f"{name}.ipynb")[0][1]
    everywhere, _, *own = found
    for path in NOTEBOOKS:
        if path.stem not in {"index", "errata"}:
            used = {letter for text in markdown(path) for letter in letters(text)}
            here = dict(zip(names, own, strict=True)).get(path.stem, set())
            assert here <= used <= here | everywhere, path.stem


# --- spelling -----------------------------------------------------------------------


FENCE = re.compile(r"[ >]*(`{3,}|:{3,})(\{[\w:-]+\})?(.*)")
CODE = {None, "{code-block}", "{eval-rst}", "{math}", "{bibliography}"}


def prose(path: Path) -> str:
    """Return the words that a reader sees, and none of the code and formulas."""
    seen = [text for cell in markdown(path) for text in outside_code(cell)]
    text = "\n".join(seen)
    text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$]*\$|<!--.*?-->", " ", text)
    text = re.sub(r"\[[^\]]*\]\(#[\w-]+\)", " ", text)  # citations: names and years
    text = re.sub(r"\{[\w:-]+\}`[^`]*`|`[^`]*`", " ", text)  # roles and code
    text = re.sub(r"\]\([^)]*\)|\(\S+\)=|<[^>]*>|https?://\S+", " ", text)
    if path.suffix == ".ipynb":
        findings = (text for cell in code_cells(path) for text in drawn(cell))
        text = "\n".join([text, *findings])
    return text


def outside_code(text: str) -> Iterator[str]:
    """Yield the lines that are neither code nor the options of a directive."""
    fences: list[tuple[str, bool]] = []  # the open ones, and whether each holds code
    for line in text.splitlines():
        hidden = any(code for _, code in fences)
        fence = FENCE.match(line)
        if fence and fences and fence[1] == fences[-1][0] and not fence[2]:
            fences.pop()
        elif fence and not hidden:
            fences.append((fence[1], fence[2] in CODE))
            yield fence[3]
        elif not hidden and not re.match(r"[ >]*:\w+:", line):
            yield line


def american(word: str) -> str:
    """Return a British word as the dictionary spells it."""
    for british, other in (
        ("isation", "ization"),
        ("is", "iz"),
        ("yse", "yze"),
        ("our", "or"),
        ("tre", "ter"),
        ("ll", "l"),
    ):
        word = word.replace(british, other)
    return word


@each_page
def test_every_word_is_spelt_right(path: Path) -> None:
    dictionary = spelling()
    words = {
        re.sub(r"['’]s?$", "", word.lower())
        for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", prose(path))
        if len(word) > 2
        and word.isascii()
        and word in (word.lower(), word.capitalize())
    }
    unknown = dictionary.unknown(words)
    wrong = sorted(word for word in unknown if dictionary.unknown([american(word)]))
    assert not wrong, f"mend, or add to tests/words.txt: {', '.join(wrong)}"


@cache
def spelling() -> Any:
    from spellchecker import SpellChecker

    checker = SpellChecker(distance=1)
    own = (book.ROOT / "tests" / "words.txt").read_text(encoding="utf-8").split()
    checker.word_frequency.load_words(own)
    return checker


def test_our_own_words_are_sorted_and_each_is_needed() -> None:
    from spellchecker import SpellChecker

    own = (book.ROOT / "tests" / "words.txt").read_text(encoding="utf-8").split()
    assert own == sorted(set(own))
    assert sorted(SpellChecker().known(own)) == []


# --- the course plan ----------------------------------------------------------------


def test_the_course_plan_tells_the_length_of_every_chapter() -> None:
    plan = (book.BOOK / "course_plan.md").read_text("utf-8")
    row = r"(?m)^\| \d+ \| \{doc\}`(\w+)` \|.*\| (\d+) \| (\d+) \|$"
    told = {
        name: (int(time), int(count)) for name, time, count in re.findall(row, plan)
    }
    chapters = [Path(page).name for page in book.pages()]
    assert [*told] == chapters[1 : chapters.index("family_tree")]
    for name, (minutes, count) in told.items():
        source = read(book.BOOK / f"{name}.ipynb").cells
        text, _, rest = "\n\n".join(cell.source for cell in source).partition(
            "\n## Exercises"
        )
        exercises, _, summary = rest.partition("\n## To remember")
        words = len(text.split()) + len(summary.split())
        assert minutes == pytest.approx(words / 200, rel=0.1), name
        assert count == len(
            re.findall(r"(?m)^[`:]{3,}\{exercise(?:-start)?\}", exercises)
        )


def test_the_plan_leans_on_every_chapter_whose_boxes_are_named() -> None:
    plan = (book.BOOK / "course_plan.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| (\d+) \| \{doc\}`(\w+)` \| ([^|]*) \| ([^|]*) \|", plan)
    told = {place: set(leans.split(", ")) - {"—"} for place, _, leans, _ in rows}
    home = {
        label: place
        for place, name, *_ in rows
        for _, label in boxes(book.BOOK / f"{name}.ipynb")
    }
    for place, name, _, leads in rows:
        text = "\n".join(markdown(book.BOOK / f"{name}.ipynb"))
        body = text.split("\n## Exercises")[0]
        named = re.findall(r"\{prf:ref\}`(?:[^`<]*<)?([^`<>]+)>?`", body)
        used = {home[label] for label in named if label in home}
        assert {one for one in used if int(one) < int(place)} <= told[place], name
        after = {one for one, leans in told.items() if place in leans}
        assert set(leads.split(", ")) - {"—"} == after, name


def test_no_lecture_of_the_plan_uses_a_chapter_before_those_it_leans_on() -> None:
    plan = (book.BOOK / "course_plan.md").read_text("utf-8")
    row = r"(?m)^\| (\d+) \| \{doc\}`(\w+)` \| ([^|]*) \|"
    table = {name: (place, leans) for place, name, leans in re.findall(row, plan)}
    lectures = plan.partition("**Four lectures")[2].partition("**A term")[0]
    assert [sum(map(int, re.findall(r"\((\d+)", one))) for one in
            re.split(r"(?m)^\d\. ", lectures)[1:]] == [90] * 4  # fmt: skip
    known = {"—"}
    for name in re.findall(r"\{doc\}`(\w+)`", lectures):
        place, leans = table[name]
        assert set(leans.split(", ")) <= known, name
        known.add(place)
