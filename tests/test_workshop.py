"""The workshop around the book: the lock, the commands, the links, the licences."""

import ast
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import nbformat
import pytest
import yaml
from jupyter_cache.base import CacheBundleIn
from nbformat.v4 import new_code_cell, new_notebook, new_output
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import olc

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]


def project_files() -> list[Path]:
    """What git holds or would hold; without git, everything that is not built."""
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(git, cwd=ROOT, capture_output=True, check=True)
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        built = {"_build", "build", "mutants", "__pycache__", ".git", ".venv"}
        paths = [
            path
            for path in ROOT.rglob("*")
            if not built.intersection(path.relative_to(ROOT).parts)
            and not re.search(r"_cache|\.egg-info|\.hypothesis", str(path))
        ]
    return sorted(path for path in paths if path.is_file())


def text_files() -> list[tuple[Path, str]]:
    """Those of the project's files that hold text, with their text."""
    found = []
    for path in project_files():
        data = path.read_bytes()
        if b"\0" not in data:
            found.append((path.relative_to(ROOT), data.decode("utf-8")))
    return found


def markdown_files() -> list[tuple[Path, str]]:
    return [(path, text) for path, text in text_files() if path.suffix == ".md"]


def lock_lines() -> list[str]:
    text = (ROOT / "requirements.txt").read_text("utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if not line.startswith("#")]


def applies(wanted: Requirement) -> bool:
    """Whether this platform and Python need it."""
    return wanted.marker is None or wanted.marker.evaluate({"extra": ""})


def locked() -> dict[str, Version]:
    """The packages that requirements.txt pins here."""
    pins = {}
    for line in lock_lines():
        wanted = Requirement(line.partition(" --hash")[0])
        if applies(wanted):
            pin = re.fullmatch(r"==([\w.+!]+)", str(wanted.specifier))
            assert pin, f"requirements.txt: {wanted} is not a pin (name==version)"
            pins[canonicalize_name(wanted.name)] = Version(pin[1])
    return pins


def test_import_olc_brings_in_numpy_and_nothing_else():
    code = (
        "import sys; before = set(sys.modules); import olc;"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(new - set(sys.stdlib_module_names)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["numpy", "olc"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "olc").rglob("*.py")), ids=lambda path: path.stem
)
def test_no_private_name_crosses_a_module(path):
    tree = ast.parse(path.read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = {
        name.asname or name.name: node.module
        for node in imports
        for name in node.names
        if node.module.startswith("olc")
    }
    asked = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in ours
    ]
    # a room itself, such as _checks, may be shared
    taken = [name for name, module in ours.items() if module != "olc"]
    assert [name for name in asked + taken if name.startswith("_")] == []


def test_the_package_depends_on_numpy_alone():
    assert [Requirement(line).name for line in PROJECT["dependencies"]] == ["numpy"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_lock_holds_an_allowed_version_of_every_dependency(extra):
    pins = locked()
    for line in PROJECT["dependencies"] + EXTRAS[extra]:
        wanted = Requirement(line)
        if wanted.name == PROJECT["name"]:
            assert wanted.extras <= EXTRAS.keys(), f"{line}: no such extra"
            continue
        if not applies(wanted):
            continue
        pin = pins.get(canonicalize_name(wanted.name))
        assert pin is not None, f"{wanted.name} is not locked: run `make lock`"
        assert pin in wanted.specifier, f"locked {pin}, but {line}: run `make lock`"


def test_the_lock_has_hashes_of_the_files_of_every_package():
    for line in lock_lines():
        assert re.search(r"( +--hash=sha256:[0-9a-f]{64})+$", line), line


def test_the_lock_holds_what_its_packages_need():
    pins = locked()
    for name, version in pins.items():
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if Version(package.version) != version:
            continue  # another environment than the locked one
        for line in package.requires or []:
            needed = Requirement(line)
            if applies(needed):
                pin = pins.get(canonicalize_name(needed.name))
                assert pin is not None, f"{name} needs {line}, which is not locked"
                assert needed.specifier.contains(pin, prereleases=True), (
                    f"{name} needs {line}, but {pin} is locked"
                )


# --- building the book ------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a book of one page."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    shutil.copytree(ROOT / "book" / "_assets", tmp_path / "book" / "_assets")
    for name in ("_config.yml", "book/references.bib"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    (tmp_path / "book" / "index.md").write_text("# A page\n")
    return tmp_path


def workshop(folder: Path) -> ModuleType:
    """The commands of tools.book, at work in this folder."""
    spec = importlib.util.spec_from_file_location("book", folder / "tools" / "book.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("lost", ["html", "html/book/index.html", "html/style.css"])
def test_a_book_that_lost_a_part_is_built_again(folder, monkeypatch, lost):
    book = workshop(folder)

    def write_pages():
        (book.HTML / "book").mkdir(parents=True, exist_ok=True)
        (book.HTML / "book" / "index.html").write_text("A page")
        (book.HTML / "style.css").write_text("")

    monkeypatch.setattr(book, "_sphinx", write_pages)
    book.build()
    assert book.is_current()
    part = book.BUILD / lost
    shutil.rmtree(part) if part.is_dir() else part.unlink()
    assert not book.is_current()
    book.build()
    assert part.exists()


@pytest.mark.parametrize("name", ["olc/game.py", "olc/explorer.js", "book/index.md"])
def test_a_book_is_built_again_after_any_change(folder, name):
    book = workshop(folder)
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    before = book.sources()
    path.write_text("something else")
    after = book.sources()
    assert after != before
    assert (book.package() in before) == name.startswith("book")
    (path.parent / "__pycache__").mkdir()
    (path.parent / "__pycache__" / "game.pyc").touch()
    assert book.sources() == after


def test_a_book_without_pages_is_not_packed(folder, monkeypatch):
    book = workshop(folder)
    monkeypatch.setattr(book, "_sphinx", lambda: book.HTML.mkdir(parents=True))
    with pytest.raises(book.Failure, match=r"book/index: not built, run make book"):
        book.make_zip()
    assert not book.ZIP.exists()


@pytest.mark.slow
def test_a_build_gives_the_same_bytes_whatever_was_built_before(folder):
    book = workshop(folder)
    book.build()
    (folder / "book" / "index.md").write_text("# Another page\n")
    book.make_zip()
    after_another = book.ZIP.read_bytes()
    shutil.rmtree(book.BUILD)
    book.make_zip()
    assert book.ZIP.read_bytes() == after_another


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("global.db", b"no database"),
        ("global.db", b""),
        ("executed/*/base.ipynb", b"{"),
        ("executed/*/base.ipynb", None),
        ("package", b"\xff"),
    ],
)
def test_a_broken_cache_is_made_anew(folder, file, content):
    book = workshop(folder)
    notebook = new_notebook(cells=[new_code_cell("1", execution_count=1)])
    path = folder / "book" / "chapter.ipynb"
    nbformat.write(notebook, path)
    bundle = CacheBundleIn(notebook, str(path), data={})
    cache = book.open_cache()
    cache.cache_notebook_bundle(bundle)
    assert book.cached(cache, path)
    [broken] = book.CACHE.glob(file)
    broken.unlink() if content is None else broken.write_bytes(content)
    cache = book.open_cache()
    assert not book.cached(cache, path)
    cache.cache_notebook_bundle(bundle)
    assert book.cached(book.open_cache(), path)


@pytest.mark.slow
def test_what_nbval_finds_right_need_not_run_again(folder):
    book = workshop(folder)
    for name, stored in (("right", "2"), ("wrong", "3")):
        shown = new_output("execute_result", {"text/plain": stored}, execution_count=1)
        code = f"1 + 1  # {name}"
        cells = [new_code_cell(code, execution_count=1, outputs=[shown])]
        # what is drawn is not stored, and the pages need it
        cells.append(new_code_cell("print('drawn')", execution_count=2))
        cells[1].metadata["tags"] = ["nbval-ignore-output"]
        notebook = new_notebook(cells=cells)
        notebook.metadata["kernelspec"] = book.METADATA["kernelspec"]
        nbformat.write(notebook, folder / "book" / f"{name}.ipynb")
    options = ["-p", "tools.keep", "--nbval", "--nbval-current-env"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, "book"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 3 passed" in done.stdout, done.stdout
    cache = book.open_cache()
    assert not book.cached(cache, folder / "book" / "wrong.ipynb")
    kept = book.cached(cache, folder / "book" / "right.ipynb")
    ran = cache.get_cache_bundle(kept.pk).nb
    assert [cell.outputs[0].output_type for cell in ran.cells] == [
        "execute_result",
        "stream",
    ]
    assert 0 < kept.data["execution_seconds"] < 60


def test_who_ends_a_build_ends_sphinx(folder):
    stand_in = folder / "jupyter_book" / "cli"
    stand_in.mkdir(parents=True)
    (stand_in.parent / "__init__.py").touch()
    (stand_in / "main.py").write_text(
        "import os, pathlib, time\n"
        "def main(**_):\n"
        "    pathlib.Path('pid.new').write_text(str(os.getpid()))\n"
        "    pathlib.Path('pid.new').rename('pid')\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-m", "tools.book", "build"]
    with subprocess.Popen(command, cwd=folder) as build:
        while not (folder / "pid").exists():
            assert build.poll() is None, "the build ended by itself"
            time.sleep(0.05)
        build.terminate()
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text()), 0)


def test_a_copied_or_renamed_folder_uses_its_own_package(tmp_path):
    first, second, third = (tmp_path / name for name in ("one", "a copy", "renamed"))
    for package, module in (("matplotlib", "font_manager"), ("tools", "kernels")):
        (first / package).mkdir(parents=True)
        (first / package / "__init__.py").touch()
        (first / package / f"{module}.py").touch()
    (first / "olc").mkdir()
    (first / "olc" / "__init__.py").touch()
    (first / "requirements.txt").touch()
    (first / "pyproject.toml").touch()
    shutil.copy(ROOT / "Makefile", first)
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MAKE", "PYTHON", "MPLCONFIG", "NUMBA", "COV_"))
    }
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    subprocess.run(["make", ".venv/.installed"], cwd=first, env=env, check=True)
    shutil.copytree(first, second, symlinks=True)
    first.rename(third)
    for folder in (second, third):
        command = [folder / ".venv/bin/python", "-c", "import olc; print(olc.__file__)"]
        run = subprocess.run(command, cwd="/", env=env, capture_output=True, text=True)
        assert run.stdout.strip() == str(folder / "olc" / "__init__.py"), run.stderr


# --- one fact, one place ------------------------------------------------------------


def test_the_version_is_the_same_wherever_it_is_written():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == PROJECT["version"]
    assert olc.__version__ == PROJECT["version"]


def test_the_licence_of_the_code_is_the_same_wherever_it_is_written():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["license"] == PROJECT["license"] == "BSD-3-Clause"
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("BSD 3-Clause License")
    assert "CC-BY-4.0" in (ROOT / "LICENSE-text").read_text("utf-8")


def test_the_module_of_every_learner_is_mutated():
    spared = PYPROJECT["tool"]["mutmut"]["do_not_mutate"]
    for pattern in spared:
        assert list(ROOT.glob(pattern)), f"there is no {pattern}"
    for thing in vars(olc).values():
        if isinstance(thing, type) and issubclass(thing, olc.Learner):
            path = thing.__module__.replace(".", "/") + ".py"
            base = thing.__module__ == olc.Learner.__module__
            assert base or not any(fnmatch(path, pattern) for pattern in spared)


def test_every_relative_link_of_a_markdown_file_leads_somewhere():
    broken = []
    for path, text in markdown_files():
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


def test_every_make_command_in_prose_or_workflow_is_a_target():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"(?m)^([a-z]+):", makefile))
    assert {"book", "test", "lab", "bench", "clean"} <= targets
    for path, text in text_files():
        if path.suffix in {".md", ".yml"} or path.parts[0] == ".ci":
            code = re.findall(r"`make ([a-z]+)", text)
            code += re.findall(r"(?m)^(?:.*run: |exec )?make ([a-z]+)", text)
            assert set(code) <= targets, f"{path}: {set(code) - targets}"


def test_the_readme_names_every_extra_for_those_who_use_the_package():
    readme = (ROOT / "README.md").read_text("utf-8")
    for extra in EXTRAS.keys() - {"all", "book", "test", "bench", "mutants"}:
        assert f"`{extra}`" in readme


def test_what_ci_runs_can_be_executed():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
        steps = [step for job in jobs.values() for step in job["steps"]]
        assert all("uses" in step or "run" in step for step in steps), workflow


def test_the_code_in_the_readme_runs(capsys):
    readme = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", readme)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert "mistakes" in capsys.readouterr().out


MACHINE_PATH = (
    r"(?<![\w./~:-])(?:/(?:home|root|Users|work|tmp|private)/\w|[A-Z]:\\\\?Users)"
    r"|file:///\w"
)
REGISTRY = (
    r"pypi\.org|pythonhosted\.org|registry\.npmjs|conda\.anaconda|deb\.debian"
    r"|--(?:extra-)?index-url|--find-links"
)


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(MACHINE_PATH, id="a path of one machine"),
        pytest.param(REGISTRY, id="the address of a package registry"),
    ],
)
def test_no_file_names(pattern):
    found = [
        f"{path}:{number}: {hit[0]}"
        for path, text in text_files()
        if path.name != Path(__file__).name
        for number, line in enumerate(text.splitlines(), start=1)
        if (hit := re.search(pattern, line))
    ]
    assert not found
