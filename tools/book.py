"""Build and check the book: python -m tools.book build, execute, zip, …

Notebooks run two at a time, each in a fresh kernel, and their outputs go to a cache
from which Sphinx takes them. The cache holds as long as neither the notebook's code nor
the package changes. The pages are always written anew: that takes seconds, and gives
the same bytes whatever was there before.
"""

from __future__ import annotations

import argparse
import configparser
import contextlib
import gc
import hashlib
import io
import os
import re
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat

from tools import docstrings, page

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
BUILD = ROOT / "_build"
HTML = BUILD / "html"
CACHE = BUILD / ".jupyter_cache"
STAMP = HTML / ".built"
SANITIZE = ROOT / "tests" / "nbval_sanitize.cfg"
ZIP = BUILD / "online-linear-classification.zip"
SOLUTIONS = os.environ.get("SOLUTIONS") != "no"  # whether the book has them
WITHOUT = " without solutions"  # how the stamp of one that has none ends
TIMEOUT = 120  # seconds for one cell
AT_ONCE = 2  # notebooks
METADATA = {  # of a notebook: nothing that depends on who ran it
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


class Failure(SystemExit):
    """What went wrong, for the person at the terminal: a command ends with it."""


def main() -> None:
    """Run one command."""
    from tools import words

    commands = {
        "build": lambda names: build(),
        "execute": lambda names: run(notebooks(names), store=True),
        "zip": lambda names: make_zip(),
        "times": lambda names: print_times(),
        "words": lambda names: words.show(notebooks(names)),
    }
    parser = argparse.ArgumentParser(prog="python -m tools.book", description=__doc__)
    parser.add_argument("command", choices=commands)
    parser.add_argument("chapters", nargs="*", help="such as winnow (all)")
    chosen = parser.parse_args()
    commands[chosen.command](chosen.chapters)


# --- what there is ------------------------------------------------------------


def pages() -> list[str]:
    """Return the pages of the table of contents, in order: book/index, …"""
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    # The pages of the modules are written by the build, a glob in the table.
    modules = "".join(f"file: book/api/{name}\n" for name in docstrings.modules())
    toc = re.sub(r"(?m)^.*glob: book/api/\*\n", modules, toc)
    return re.findall(r"(?m)^[\s-]*(?:root|file): (\S+)", toc)


def notebooks(names: Sequence[str] = ()) -> list[Path]:
    """Return the notebooks of the book, or those named, drafts among them."""
    if not names:
        return [path for page in pages() if (path := ROOT / f"{page}.ipynb").exists()]
    chosen = [BOOK / f"{Path(name).stem}.ipynb" for name in names]
    for path in chosen:
        if not path.exists():
            raise Failure(f"there is no notebook {path.relative_to(ROOT)}")
    return chosen


def fingerprint(*patterns: str) -> str:
    """Return a hash of the files that match."""
    digest = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def package() -> str:
    """Return what the outputs of a notebook depend on, besides its own code."""
    packages = "olc/**/*", "olc_book/**/*"
    return fingerprint(*packages, "requirements.txt", "tools/pictures.py")


def sources() -> str:
    """Return what the built HTML depends on."""
    own = fingerprint("book/*.*", "book/_*/*", "_config.yml", "_toc.yml", "tools/*.*")
    own += fingerprint("proofs/*.*", "bench/COMPARISON.md")  # are on pages
    return package() + own + ("" if SOLUTIONS else WITHOUT)


# --- running notebooks --------------------------------------------------------


def open_cache() -> Any:
    """Return the cache of executed notebooks, empty if the package has changed."""
    from jupyter_cache import get_cache

    stamp, now = CACHE / "package", package()
    if not stamp.exists() or stamp.read_text() != now:
        shutil.rmtree(CACHE, ignore_errors=True)
        CACHE.mkdir(parents=True)
        stamp.write_text(now)
    return get_cache(str(CACHE))


def cached(cache: Any, path: Path) -> Any:
    """Return what a notebook gave when it ran, or None."""
    try:
        record = cache.match_cache_notebook(nbformat.read(path, as_version=4))
        return cache.get_cache_bundle(record.pk)
    except (KeyError, OSError, ValueError):  # not there, or not written to the end
        return None


def run(paths: Sequence[Path], store: bool = False) -> None:
    """Run notebooks from fresh kernels; cache, and perhaps store, what comes out."""
    from jupyter_cache.base import CacheBundleIn

    cache, problems = open_cache(), []
    if paths:
        chapters = "one chapter" if len(paths) == 1 else f"{len(paths)} chapters"
        print(f"Running {chapters}; all of them take about three minutes.", flush=True)
    # A short one at the end leaves no core idle for long.
    longest_first = sorted(paths, key=lambda path: path.stat().st_size, reverse=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for path, ran in zip(longest_first, pool.map(_run, longest_first), strict=True):
            name = path.relative_to(ROOT)
            complaints = [
                output.text
                for cell in ran.nb.cells
                for output in cell.get("outputs", [])
                if output.get("name") == "stderr"
            ]
            if ran.err or complaints:
                problems.append(f"{name}: {ran.err or ''.join(complaints)}")
                continue
            print(f"{name} ran in {ran.time:.1f} s", flush=True)
            if store:  # the cache goes by the metadata of the file
                ran.nb.metadata = nbformat.from_dict(METADATA)
            seconds = {"execution_seconds": ran.time}
            cache.cache_notebook_bundle(
                CacheBundleIn(ran.nb, str(path), data=seconds), overwrite=True
            )
            if store:
                nbformat.write(stored(ran.nb), path)
    if problems:
        raise Failure("\n\n".join(problems))


def _run(path: Path) -> Any:
    from jupyter_cache.executors.utils import single_nb_execution

    return single_nb_execution(
        nbformat.read(path, as_version=4),
        cwd=str(path.parent),
        timeout=TIMEOUT,
        allow_errors=False,
        # The page shows an explorer's HTML; the state of its live face is not needed.
        store_widget_state=False,
        # On a busy machine a text may come in parts.
        coalesce_streams=True,
        shutdown_kernel="immediate",  # it holds nothing that a farewell would save
        # Figures have a PNG as well, for the notebooks that are handed out.
        extra_arguments=["--log-level=40", "--ext=tools.pictures"],
    )


_NOT_STORED = ("application/vnd.jupyter.widget-view+json", "image/png")


def stored(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the executed notebook as it is committed: small, and always the same."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if "data" in output:
                output.metadata = {}
                output.data = {
                    kind: sanitize(value)
                    for kind, value in output.data.items()
                    if kind not in _NOT_STORED
                }
    return notebook


def sanitize(text: str) -> str:
    """Replace what nbval is told not to compare."""
    rules = configparser.RawConfigParser()
    rules.read(SANITIZE, encoding="utf-8")
    for section in rules.sections():
        text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
    return text


def print_times() -> None:
    """Print how long each chapter took when it last ran."""
    cache, total = open_cache(), 0.0
    print("\nHow long each chapter took when it last ran on this machine:")
    print("\nseconds  chapter")
    for path in notebooks():
        if ran := cached(cache, path):
            seconds = ran.record.data["execution_seconds"]
            print(f"{seconds:7.1f}  {path.stem}")
            total += seconds
    print(f"{total:7.1f}  in all; the build runs {AT_ONCE} chapters at a time")


# --- the HTML -----------------------------------------------------------------


def build() -> None:
    """Build the HTML; fail on any warning, failing cell or broken link."""
    from tools import export, slides

    if is_current():
        print("The book is up to date.")
    else:
        now, cache, had_slides = sources(), open_cache(), (HTML / "slides").exists()
        run([path for path in notebooks() if not cached(cache, path)])
        _sphinx()
        export.publish()
        if had_slides:  # they are made of the pages
            slides.make()
        check()
        STAMP.write_text(now)
        print_times()
    edition = "with its solutions" if SOLUTIONS else "without solutions"
    print(f"\nOpen {(HTML / 'index.html').relative_to(ROOT)}, the book {edition}.")


def update() -> None:
    """Bring the book up to date in the edition that stands there, unless told which."""
    global SOLUTIONS
    if "SOLUTIONS" not in os.environ and STAMP.exists():
        SOLUTIONS = not STAMP.read_text().endswith(WITHOUT)
    build()


def is_current() -> bool:
    """Whether the built HTML belongs to the present sources."""
    return STAMP.exists() and STAMP.read_text() == sources()


def _sphinx() -> None:
    from jupyter_book.cli.main import main as jupyter_book

    # What a former build left would change the links, and hide warnings.
    shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
    shutil.rmtree(HTML, ignore_errors=True)
    gc.disable()  # Sphinx keeps what it reads: the search would take a quarter longer
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # warnings go to the other one
            options = ["-n", "-W", "--keep-going", "-q"]
            jupyter_book(["build", str(ROOT), *options], standalone_mode=False)
    except (SystemExit, RuntimeError) as stop:
        raise Failure("the build has warnings, see above") from stop
    finally:
        gc.enable()
    page.finish(HTML)


def check() -> None:
    """Check that every page is there and every link inside the HTML has an end."""
    missing = [page for page in pages() if not (HTML / f"{page}.html").exists()]
    if missing:
        raise Failure(f"{', '.join(missing)}: not built")
    texts = {
        path: path.read_text(encoding="utf-8", errors="replace")
        for path in HTML.rglob("*.html")
        if "_static" not in path.parts  # the theme keeps templates there
    }
    anchor = re.compile(r'\b(?:id|name)="([^"]+)"')
    anchors = {path: set(anchor.findall(text)) for path, text in texts.items()}
    broken = [
        f"{page.relative_to(HTML)} → {link}"
        for page, text in texts.items()
        for link in sorted(set(re.findall(r'<[^<>]*\s(?:href|src)="([^"]*)"', text)))
        if _is_broken(page, link, anchors)
    ]
    if broken:
        raise Failure("broken links:\n" + "\n".join(broken))


def _is_broken(page: Path, link: str, anchors: dict[Path, set[str]]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.exists():
        return True
    anchor = unquote(parts.fragment)
    return bool(anchor) and target in anchors and anchor not in anchors[target]


# What a reader's browser never asks for: other inputs and outputs of MathJax, and what
# makes a page live (tools/live.py), which it cannot be when it is opened from disk.
_UNUSED = re.compile(
    r"\..*|.*\.map|sw\.js|_static/live-.*"
    r"|_static/mathjax/(adaptors|output/svg|(?!startup\.js|core\.js)[^/]*\.js)"
)
LIVE_TAG = re.compile(
    r'\s*<script defer src="[^"]*/live-[^>]*></script>|<div class="olc-live.*?</div>'
)


def make_zip() -> None:
    """Pack the book into one file that opens by a double click on index.html."""
    update()
    with zipfile.ZipFile(ZIP, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(HTML.rglob("*")):
            name = path.relative_to(HTML).as_posix()
            if path.is_file() and not _UNUSED.match(name):
                # A fixed date: the same book gives the same file.
                entry = zipfile.ZipInfo(f"{ZIP.stem}/{name}")
                entry.external_attr = 0o644 << 16
                data = path.read_bytes()
                if path.suffix == ".html":
                    data = LIVE_TAG.sub("", data.decode()).encode()
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(f"{ZIP.relative_to(ROOT)}: {ZIP.stat().st_size / 1e6:.1f} MB")


def find_browser() -> str | None:
    """Return the Chromium or Chrome of this machine: $OLC_BROWSER, or one on PATH."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = (shutil.which(name) for name in names)
    return os.environ.get("OLC_BROWSER") or next(filter(None, found), None)


@contextlib.contextmanager
def browsing(**options: Any) -> Iterator[Any]:
    """Open that browser for a while."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), **options)
        yield browser
        browser.close()


if __name__ == "__main__":
    from tools import book  # not this copy: there is one book to build

    book.main()
