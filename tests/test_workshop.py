"""The workshop around the book: the lock, the commands, the links, the build."""

import ast
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from helpers import ROOT, SHELL, run
from jupyter_cache.base import CacheBundleIn
from nbformat.v4 import new_code_cell, new_notebook
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from PIL import Image

import olc
from tools import book, release, screenshot

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
PAGES = "README.md", "CONTRIBUTING.md"


def text_files() -> Iterator[tuple[Path, str]]:
    """Those files that git holds or would hold and that are text, with their text."""
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("this folder has no history to ask which files are ours")
    for name in run(git).split("\0"):
        if (ROOT / name).is_file() and b"\0" not in (ROOT / name).read_bytes():
            yield Path(name), (ROOT / name).read_text("utf-8")


# --- the package and its lock -------------------------------------------------------


def test_no_private_name_crosses_a_module():
    for path in (ROOT / "olc").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        ours = {
            name.asname or name.name: node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module.startswith("olc")
            for name in node.names
        }
        asked = [
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id in ours
        ]
        taken = [name for name, module in ours.items() if module != "olc"]
        assert [name for name in asked + taken if name.startswith("_")] == [], path


def test_the_lock_holds_an_allowed_version_of_every_dependency():
    lock = (ROOT / "requirements.txt").read_text("utf-8")
    pins = dict(re.findall(r"(?m)^([a-z0-9.-]+)(?:\[.*\])?==([^ ;]+)", lock))
    extras = PROJECT["optional-dependencies"].values()
    for line in [*PROJECT["dependencies"], *chain.from_iterable(extras)]:
        wanted = Requirement(line)
        if wanted.name != PROJECT["name"]:
            pin = pins.get(canonicalize_name(wanted.name))
            assert pin is not None, f"{wanted.name} is not locked: run `make lock`"
            assert pin in wanted.specifier, f"locked {pin}, but {line}: run `make lock`"


def test_no_message_sends_anybody_to_a_package_of_another_owner():
    for path in (ROOT / "olc").rglob("*.py"):
        assert "pip install olc" not in path.read_text("utf-8")
    assert PROJECT["name"] == "online-linear-classification"


# --- what README and CONTRIBUTING print ---------------------------------------------


def blocks(language: str) -> list[str]:
    """The fenced blocks of this language."""
    fence = rf"(?ms)^```{language}\n(.*?)^```"
    return [
        block
        for page in PAGES
        for block in re.findall(fence, (ROOT / page).read_text("utf-8"))
    ]


def plain_commands() -> list[str]:
    """The commands for those without make, which tests/test_install.py runs."""
    block = next(block for block in blocks("sh") if "jupyter-book" in block)
    return [line.partition("#")[0].strip() for line in block.splitlines()]


def commands() -> list[str]:
    """The commands of the blocks, and every `make …` of the prose."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    prose = "".join((ROOT / page).read_text("utf-8") for page in PAGES)
    lines += re.findall(r"`(make [^`]+)`", prose)
    found = {line.partition("#")[0].strip() for line in lines}
    return sorted(found - {"", *plain_commands()})


@pytest.mark.parametrize("command", commands())
def test_every_printed_command_runs(command, tmp_path):
    program, *arguments = shlex.split(command)
    if program == "make":
        assert run(["make", "--dry-run", *arguments])
    elif program == "pip":
        for name in ("pyproject.toml", "requirements.txt", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, tmp_path)
        shutil.copytree(ROOT / "olc", tmp_path / "olc")
        without = "--dry-run", "--no-deps", "--no-build-isolation"
        run([sys.executable, "-m", "pip", *arguments, *without], cwd=tmp_path)
    else:
        assert program == ".venv/bin/python"
        assert " passed" in run([sys.executable, *arguments])


def test_plain_pytest_has_the_environment_of_make():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    names = {*re.findall(r"(?m)^export (\w+)", makefile)} - {"PYTHONDONTWRITEBYTECODE"}
    clean = {name: value for name, value in SHELL.items() if name not in names}
    code = "import os, conftest; print(*sorted(os.environ))"
    assert names <= {*run([sys.executable, "-c", code], env=clean).split()}


def test_the_printed_python_runs(capsys):
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert "mistakes, the theorem allows" in capsys.readouterr().out


def test_the_readme_opens_with_a_picture_that_is_not_old():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) < 120
    before, _, place = readme.partition("](")
    assert "\n## " not in before
    assert ROOT / place.partition(")")[0] == screenshot.PICTURE
    assert screenshot.PICTURE.stat().st_size < 300_000
    with Image.open(screenshot.PICTURE) as picture:
        old = "the lab of the README has changed: make picture"
        assert picture.info["comment"] == screenshot.made_of(), old


def test_every_relative_link_of_a_markdown_file_leads_somewhere():
    broken = []
    for path, text in text_files():
        if path.suffix != ".md":
            continue
        prose = re.sub(r"(?ms)^(```+|~~~+).*?^\1|`[^`\n]*`", "", text)
        for target in re.findall(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)", prose):
            file = unquote(target.partition("#")[0])
            if not file or re.match(r"[a-z][a-z0-9+.-]*:", file):
                continue  # a place on the same page, or another site
            if path.parts[0] == "book" and not Path(file).suffix:
                continue  # a label, which the build of the book looks up
            if not (ROOT / path.parent / file).exists():
                broken.append(f"{path}: {target}")
    assert not broken


def test_the_version_is_the_same_wherever_it_is_written():
    version = PROJECT["version"]
    assert olc.__version__ == version
    assert release.cited() == release.newest()
    unreleased = "\n## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert Version(version).is_devrelease == unreleased
    assert (Version(version) > Version(release.newest()[0])) == unreleased


def test_nothing_is_released_before_its_changes_have_a_version(folder):
    entry = "## [9.8.7] - 2026-11-30"
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        text = (ROOT / name).read_text("utf-8")
        text = re.sub(r"(?m)^(version(?: =|:) \"?)[\w.]+", r"\g<1>9.8.7", text)
        text = re.sub(r"(?m)^date-released: .*", "date-released: 2026-11-30", text)
        changes = re.sub(r"(?m)^## \[.*", entry, text, count=1)
        (folder / name).write_text(changes)
    assert release.agreed_version() == "9.8.7"
    changelog = folder / "CHANGELOG.md"
    changes = changelog.read_text()
    for other in (
        "## [Unreleased]",
        "## [9.8.8] - 2026-11-30",
        "## [9.8.7] - 2026-12-01",
    ):
        changelog.write_text(changes.replace(entry, other))
        with pytest.raises(book.Failure, match=r"CHANGELOG\.md"):
            release.agreed_version()


MACHINE_PATH = (
    r"(?<![\w./~:-])(?:/(?:home|root|Users|work|tmp|private)/\w|[A-Z]:\\\\?Users)"
    r"|file:///\w"
)
REGISTRY = (
    r"pypi\.org|pythonhosted\.org|registry\.npmjs|conda\.anaconda|deb\.debian"
    r"|--(?:extra-)?index-url|--find-links"
)


def test_no_file_names_a_path_of_one_machine_or_a_package_registry():
    found = [
        f"{path}:{number}: {hit[0]}"
        for path, text in text_files()
        if path.name != Path(__file__).name
        for number, line in enumerate(text.splitlines(), start=1)
        if (hit := re.search(f"{MACHINE_PATH}|{REGISTRY}", line))
    ]
    assert not found


# --- building the book --------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project with a book of one page, in which tools.book is at work."""
    (tmp_path / "book").mkdir()
    (tmp_path / "olc").mkdir()
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    (tmp_path / "book" / "index.md").write_text("# A page\n")
    for name in ("ROOT", "BOOK", "BUILD", "HTML", "CACHE", "STAMP"):
        moved = tmp_path / getattr(book, name).relative_to(ROOT)
        monkeypatch.setattr(book, name, moved)

    def write_page(text="A page"):
        (book.HTML / "book").mkdir(parents=True, exist_ok=True)
        (book.HTML / "index.html").write_text("")
        (book.HTML / "book" / "index.html").write_text(text)

    monkeypatch.setattr(book, "_sphinx", write_page)
    return tmp_path


@pytest.mark.parametrize("name", ["olc/game.py", "book/index.md", "_toc.yml"])
def test_a_book_is_built_again_after_any_change(folder, name):
    book.build()
    assert book.is_current()
    before = book.package()
    (folder / name).write_text("format: jb-book\nroot: book/index  # changed\n")
    assert not book.is_current()
    assert (book.package() == before) == (name != "olc/game.py")
    book.build()
    assert book.is_current()
    shutil.rmtree(book.HTML)
    assert not book.is_current()


@pytest.mark.parametrize("link", ["other.html", "#nowhere", "../style.css"])
def test_a_broken_link_fails_the_build(folder, monkeypatch, link):
    write_page = book._sphinx
    monkeypatch.setattr(book, "_sphinx", lambda: write_page(f'<a href="{link}">x</a>'))
    with pytest.raises(book.Failure, match=f"book/index.html → {re.escape(link)}"):
        book.build()
    assert not book.is_current()


def test_the_cache_forgets_what_is_half_written_or_of_another_package(folder):
    notebook = new_notebook(cells=[new_code_cell("1", execution_count=1)])
    path = folder / "book" / "chapter.ipynb"
    nbformat.write(notebook, path)
    for spoil in (
        lambda: next(book.CACHE.glob("executed/*/base.ipynb")).write_text("{"),
        lambda: (folder / "olc" / "game.py").touch(),
    ):
        cache = book.open_cache()
        bundle = CacheBundleIn(notebook, str(path), data={})
        cache.cache_notebook_bundle(bundle, overwrite=True)
        assert book.cached(cache, path)
        spoil()
        assert not book.cached(book.open_cache(), path)


def test_a_copied_or_renamed_folder_uses_its_own_package(tmp_path):
    first, second, third = (tmp_path / name for name in ("one", "a copy", "renamed"))
    anything = "from unittest.mock import MagicMock\n__getattr__ = MagicMock()\n"
    for package in ("matplotlib", "numpy", "olc", "scipy"):  # whose set-up is tried
        (first / package).mkdir(parents=True)
        for module in ("__init__", "font_manager", "sparse"):
            (first / package / f"{module}.py").write_text(anything)
    (first / "requirements.txt").touch()
    (first / "pyproject.toml").touch()
    shutil.copy(ROOT / "Makefile", first)
    path = f"{Path(sys.executable).parent}{os.pathsep}{SHELL['PATH']}"
    run(["make", ".venv/.installed"], cwd=first, env=SHELL | {"PATH": path})
    shutil.copytree(first, second, symlinks=True)
    first.rename(third)
    for folder in (second, third):
        command = [folder / ".venv/bin/python", "-c", "import olc; print(olc.__file__)"]
        assert run(command, cwd="/").strip() == str(folder / "olc" / "__init__.py")
