"""Build what is handed out into dist/: python -m tools.release

The wheel, the book as a zip with its slides, the printed book with and without the
solutions, the students' notebooks, and their checksums. Nothing is built unless the
version and the date agree wherever they are written.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tomllib

import yaml

from tools import book, export, paper, slides

DIST = book.ROOT / "dist"


def main() -> None:
    """Build the release."""
    version = agreed_version()
    if not book.SOLUTIONS:
        raise book.Failure("a release has both editions: leave SOLUTIONS=no out")
    book.build()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    export.make_wheel(DIST)
    slides.make()
    export.write()
    book.make_zip()
    shutil.move(book.ZIP, DIST / f"{paper.NAME}-{version}.zip")
    for solutions in (True, False):
        pdf = paper.print_pdf(solutions)
        shutil.move(pdf, DIST / f"{pdf.stem}-{version}.pdf")
    notebooks = DIST / f"{paper.NAME}-notebooks-{version}"
    shutil.make_archive(str(notebooks), "zip", book.BUILD / "notebooks")
    sums = ""
    for file in sorted(DIST.iterdir()):
        sums += f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        print(f"{file.stat().st_size / 1e6:6.1f} MB  {file.name}")
    (DIST / "sha256sums").write_text(sums, encoding="utf-8")


def agreed_version() -> str:
    """Return the version to release; refuse while something is not released."""
    if "\n## [Unreleased]" in _read("CHANGELOG.md"):
        files = "pyproject.toml, olc/__init__.py and CITATION.cff"
        words = f"give it a version and today's date, and {files} the same"
        raise book.Failure(f"CHANGELOG.md has a section [Unreleased]: {words}")
    found = {"CHANGELOG.md": newest(), "CITATION.cff": cited()}
    project = tomllib.loads(_read("pyproject.toml"))["project"]
    found["pyproject.toml"] = project["version"], newest()[1]
    if len({*found.values()}) > 1:
        told = (f"{file}: {' of '.join(one)}" for file, one in found.items())
        raise book.Failure(f"make the versions agree: {', '.join(told)}")
    return newest()[0]


def newest() -> tuple[str, str]:
    """Return version and date of the newest release in the changelog."""
    form = r"(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)"
    found = re.search(form, _read("CHANGELOG.md"))
    if found is None:
        raise book.Failure("CHANGELOG.md has no line as ## [0.3.0] - 2026-11-30")
    return found[1], found[2]


def cited() -> tuple[str, str]:
    """Return version and date of CITATION.cff."""
    citation = yaml.safe_load(_read("CITATION.cff"))
    return str(citation["version"]), str(citation["date-released"])


def _read(name: str) -> str:
    return (book.ROOT / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
