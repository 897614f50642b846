"""Build and check the book: python -m tools.book build, execute, check, …

Notebooks run two at a time, each in a fresh kernel, and their outputs go to a cache
from which Sphinx takes them. The cache holds as long as neither the notebook's code nor
the package changes. The pages are always written anew: that takes seconds, and gives
the same bytes whatever was there before.
"""

from __future__ import annotations

import argparse
import configparser
import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
BUILD = ROOT / "_build"
HTML = BUILD / "html"
CACHE = BUILD / ".jupyter_cache"
STAMP = BUILD / "built"
SANITIZE = ROOT / "tests" / "nbval_sanitize.cfg"
ZIP = BUILD / "online-linear-classification.zip"
TIMEOUT = 120  # seconds for one cell
AT_ONCE = 2  # notebooks
LIMIT = 10  # seconds that a chapter should not exceed
_BY_THE_WAY = {".ipynb_checkpoints", "__pycache__"}  # what a program leaves behind
METADATA = {  # of a notebook: nothing that depends on who ran it
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


class Failure(Exception):
    """What went wrong, for the person at the terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="python -m tools.book", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="build the HTML into _build/html and check it")
    notes = commands.add_parser("execute", help="run notebooks and store their outputs")
    notes.add_argument("notebooks", nargs="*", help="chapters, such as winnow (all)")
    commands.add_parser("check", help="check the links of the built HTML")
    commands.add_parser("zip", help="pack the built HTML into one file")
    shots = commands.add_parser("screenshots", help="picture every page")
    shots.add_argument("pages", nargs="*", help="chapters, such as winnow (all)")
    commands.add_parser("times", help="list how long each chapter took to run")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "build":
            build()
        elif chosen.command == "execute":
            run(notebooks(chosen.notebooks), store=True)
        elif chosen.command == "check":
            check()
        elif chosen.command == "zip":
            make_zip()
        elif chosen.command == "screenshots":
            screenshots(chosen.pages)
        else:
            print_times()
    except Failure as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    return 0


# --- what there is ------------------------------------------------------------


def pages() -> list[str]:
    """Return the pages of the table of contents, in order: book/index, …"""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def files(node: Any) -> Iterator[str]:
        if isinstance(node, list):
            for each in node:
                yield from files(each)
        elif isinstance(node, dict):
            if "file" in node:
                yield node["file"]
            for key in ("parts", "chapters", "sections"):
                yield from files(node.get(key, []))

    return [toc["root"], *files(toc)]


def notebooks(names: Iterable[str] = ()) -> list[Path]:
    """Return the notebooks of the book, or those named (winnow, book/winnow.ipynb)."""
    every = [path for page in pages() if (path := ROOT / f"{page}.ipynb").exists()]
    wanted = [Path(name).stem for name in names]
    known = {path.stem: path for path in every}
    for name in wanted:
        if (path := BOOK / f"{name}.ipynb").exists():
            known.setdefault(name, path)  # a draft that is not yet in _toc.yml
        if name not in known:
            raise Failure(f"there is no notebook book/{name}.ipynb")
    return [known[name] for name in wanted] if wanted else every


def fingerprint(*patterns: str) -> str:
    """Return a hash of the files that match."""
    digest = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and not _BY_THE_WAY.intersection(path.parts):
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def package() -> str:
    """Return what the outputs of a notebook depend on, besides its own code."""
    return fingerprint("olc/**/*", "requirements.txt")


def sources() -> str:
    """Return what the built HTML depends on."""
    return package() + fingerprint("book/**/*", "_config.yml", "_toc.yml", "tools/*.py")


def html() -> str:
    """Return what the built HTML is."""
    return fingerprint("_build/html/**/*")


# --- running notebooks --------------------------------------------------------


def open_cache() -> Any:
    """Return the cache of executed notebooks, empty if the package has changed."""
    try:
        return _open_cache()
    except Exception:  # whatever is broken was made by a run, and a run can mend it
        print("The cache of executed notebooks is broken: the chapters run again.")
        shutil.rmtree(CACHE)
        return _open_cache()


def _open_cache() -> Any:
    from jupyter_cache import get_cache

    cache, stamp, now = get_cache(str(CACHE)), CACHE / "package", package()
    if not stamp.exists() or stamp.read_text() != now:
        for record in cache.list_cache_records():
            with contextlib.suppress(KeyError):  # removed by a run beside this one
                cache.remove_cache(record.pk)
        CACHE.mkdir(parents=True, exist_ok=True)
        stamp.write_text(now)
    for record in cache.list_cache_records():
        cache.get_cache_bundle(record.pk)  # Sphinx will read it, and must be able to
    return cache


def cached(cache: Any, path: Path) -> Any:
    """Return the cache's record of a notebook, or None."""
    try:
        return cache.match_cache_notebook(nbformat.read(path, as_version=4))
    except KeyError:
        return None


def run(paths: Sequence[Path], store: bool = False) -> None:
    """Run notebooks from fresh kernels; cache, and perhaps store, what comes out."""
    # Kernels share the cores; a second thread in each would slow both down.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    cache, problems, before = open_cache(), [], package()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        longest_first = sorted(paths, key=_code_cells, reverse=True)
        for path, notebook, seconds, problem in pool.map(_run_one, longest_first):
            if problem:
                problems.append(f"{_name(path)}: {problem}")
                continue
            print(f"{_name(path)} ran in {seconds:.1f} s", flush=True)
            if store:  # the cache goes by the metadata of the file
                notebook.metadata = nbformat.from_dict(METADATA)
            keep(cache, path, notebook, seconds, before)
            if store:
                nbformat.write(stored(notebook), path)
    if problems:
        raise Failure("\n\n".join(problems))


def keep(
    cache: Any, path: Path, notebook: nbformat.NotebookNode, seconds: float, before: str
) -> None:
    """Put an executed notebook into the cache, if the package is what it was before."""
    from jupyter_cache.base import CacheBundleIn

    if package() == before:  # or the outputs belong to no package at all
        bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
        cache.cache_notebook_bundle(bundle, overwrite=True)


def _code_cells(path: Path) -> int:
    """Guess how long a notebook takes, before it has run: by its cells, as pytest does.

    A short one at the end leaves no core idle for long.
    """
    return path.read_text(encoding="utf-8").count('"cell_type": "code"')


def _run_one(path: Path) -> tuple[Path, nbformat.NotebookNode, float, str]:
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        # The page shows an explorer's HTML; the state of its live face is not needed.
        store_widget_state=False,
        record_timing=False,
        # On a busy machine a text may come in parts, and the page would part them too.
        coalesce_streams=True,
        shutdown_kernel="immediate",  # it holds nothing that a farewell would save
        extra_arguments=["--log-level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    start = time.perf_counter()
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError) as error:
        return path, notebook, 0.0, str(error)
    complaints = [
        output.text
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.get("name") == "stderr"
    ]
    return path, notebook, time.perf_counter() - start, "".join(complaints)


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
                    if kind != "application/vnd.jupyter.widget-view+json"
                }
    return notebook


def sanitize(text: Any) -> Any:
    """Replace what nbval is told not to compare."""
    patterns = configparser.RawConfigParser()
    patterns.read(SANITIZE, encoding="utf-8")
    if isinstance(text, str):
        for section in patterns.sections():
            rule = patterns[section]
            text = re.sub(rule["regex"], rule["replace"], text)
    return text


def print_times() -> None:
    """Print how long each chapter took when it last ran."""
    cache = open_cache()
    rows = [
        (path.stem, record.data["execution_seconds"])
        for path in notebooks()
        if (record := cached(cache, path)) is not None
    ]
    if rows:
        width = max(len(name) for name, _ in rows)
        print(f"\n{'chapter':<{width}}  seconds")
        for name, seconds in rows:
            note = f"  more than {LIMIT}" if seconds > LIMIT else ""
            print(f"{name:<{width}}  {seconds:7.1f}{note}")
        print(f"{'in all':<{width}}  {sum(seconds for _, seconds in rows):7.1f}")


# --- the HTML -----------------------------------------------------------------


def build() -> None:
    """Build the HTML; fail on any warning, failing cell or broken link."""
    if is_current():
        print("The book is up to date.")
    else:
        now = sources()
        STAMP.unlink(missing_ok=True)
        cache = open_cache()
        run([path for path in notebooks() if cached(cache, path) is None])
        _sphinx()
        check()
        STAMP.write_text(now + html())
    print_times()
    print(f"\nOpen {(HTML / 'index.html').relative_to(ROOT)}")


def is_current() -> bool:
    """Whether the built HTML is whole and belongs to the present sources."""
    return STAMP.exists() and STAMP.read_bytes() == (sources() + html()).encode()


def _sphinx() -> None:
    # What a former build left would change the links, and hide warnings.
    shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
    shutil.rmtree(HTML, ignore_errors=True)
    # Not the command jupyter-book: its first line names the folder .venv was made in.
    start = "from jupyter_book.cli.main import main; main(prog_name='jupyter-book')"
    options = ["build", ".", "-n", "-W", "--keep-going", "-q"]
    # Who ends this process ends Sphinx too: at an exception, run() kills it.
    former = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        done = subprocess.run(
            [sys.executable, "-c", start, *options],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,  # warnings come on the other stream
        )
    finally:
        signal.signal(signal.SIGTERM, former)
    if done.returncode:
        raise Failure("the build has warnings, see above")
    for page in HTML.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        # The theme fetches its fonts ahead in a way that browsers refuse on file://.
        text = re.sub(r'\s*<link rel="preload" as="font"[^>]*>', "", text)
        # docutils gives a reference a role that has gone out of use.
        text = text.replace('role="doc-biblioentry"', 'role="listitem"')
        page.write_text(text, encoding="utf-8")


def check() -> None:
    """Check that every page is there and every link inside the HTML has an end."""
    missing = [page for page in pages() if not (HTML / f"{page}.html").exists()]
    if missing:
        raise Failure(f"{', '.join(missing)}: not built, run make book")
    texts = {
        path: path.read_text(encoding="utf-8", errors="replace")
        for path in HTML.rglob("*.html")
        if "_static" not in path.parts  # the theme keeps templates there
    }
    anchors = {
        path: set(re.findall(r'\b(?:id|name)="([^"]+)"', text))
        for path, text in texts.items()
    }
    broken = [
        f"{page.relative_to(HTML)} → {link}"
        for page, text in texts.items()
        for link in sorted(set(re.findall(r'\b(?:href|src)="([^"]*)"', text)))
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


# What a reader's browser never asks for: other inputs and outputs of MathJax.
_UNUSED = re.compile(
    r"\..*|.*\.map|_static/mathjax/(adaptors|output/svg|(?!tex-chtml\.js)[^/]*\.js)"
)


def make_zip() -> None:
    """Pack the book into one file that opens by a double click on index.html."""
    build()
    with zipfile.ZipFile(ZIP, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(HTML.rglob("*")):
            name = path.relative_to(HTML).as_posix()
            if path.is_file() and not _UNUSED.match(name):
                # A fixed date: the same book gives the same file.
                entry = zipfile.ZipInfo(f"{ZIP.stem}/{name}")
                entry.external_attr = 0o644 << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    print(f"{ZIP.relative_to(ROOT)}: {ZIP.stat().st_size / 1e6:.1f} MB")


def screenshots(names: Sequence[str] = ()) -> None:
    """Picture every page: light, dark, tablet, phone, into _build/screenshots."""
    from playwright.sync_api import sync_playwright

    build()
    folder = BUILD / "screenshots"
    folder.mkdir(exist_ok=True)
    looks: dict[str, dict[str, Any]] = {
        "light": {"viewport": {"width": 1280, "height": 900}},
        "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
        "tablet": {"viewport": {"width": 1024, "height": 900}},
        "phone": {"viewport": {"width": 360, "height": 740}},
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(),
            ignore_default_args=["--hide-scrollbars"],  # readers see them
        )
        for look, options in looks.items():
            context = browser.new_context(**options)
            tab = context.new_page()
            tab.set_default_timeout(120_000)  # a long chapter is a tall picture
            for page in pages():
                if names and Path(page).name not in names:
                    continue
                tab.goto((HTML / f"{page}.html").as_uri())
                tab.evaluate("window.MathJax?.startup?.promise.then(() => null)")
                tab.screenshot(
                    path=folder / f"{Path(page).name}-{look}.png", full_page=True
                )
            context.close()
        browser.close()
    print(f"{folder.relative_to(ROOT)}: {len(list(folder.glob('*.png')))} pictures")


def find_browser() -> str | None:
    """Return the Chromium or Chrome of this machine: $OLC_BROWSER, or one on PATH."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = (shutil.which(name) for name in names)
    return os.environ.get("OLC_BROWSER") or next(filter(None, found), None)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    sys.exit(main())
