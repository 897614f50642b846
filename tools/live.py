"""Let the chapters run in the reader's own browser: python -m tools.live

Python for browsers (Pyodide) and the editor come from npm, in the versions that
live/package-lock.json pins. The compiled packages come from a wheel on PyPI that
carries them, and each file must have the hash that Pyodide's own lock gives.

Everything is compiled, trimmed and written into _build/html/_static/live-<hash>, and
every chapter runs once in node: that tells which packages its page loads, and how long
it takes. What is fetched or made is kept in _build/.live until an input changes.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.parser import Parser
from pathlib import Path
from typing import Any

from olc_book.exercises import quiz
from tools import book
from tools.book import BUILD, HTML, ROOT, Failure

LIVE = ROOT / "live"
CACHE = BUILD / ".live"
NPM = CACHE / "npm"
CARRIER = "open-webui==0.12.4"  # its wheel carries those of Pyodide 314.0.3
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PACKAGES = [
    *("numpy", "pandas", "matplotlib", "scipy", "scikit-learn", "joblib"),
    *("threadpoolctl", "contourpy", "cycler", "kiwisolver", "packaging", "pillow"),
    *("pyparsing", "python-dateutil", "six"),
]
LEFT_OUT = {"fonttools", "pytz"}  # nothing imports the one, and pandas 3 can do without
DATA = [
    f"sklearn/datasets/data/{name}" for name in ("breast_cancer.csv", "digits.csv.gz")
]
OWN = ("button.js", "worker.mjs", "python.mjs", "page.css")
BUTTON = (
    '<button class="btn btn-sm" style="border-color: currentColor; '
    'color: var(--pst-color-link)">Run this page</button> <span role="status">'
)
#: Of what a page warns: times as long as Python's start, which is as slow on a busy
#: machine as the rest, and bytes of memory.
HEAVY = 18, 400e6


def main() -> None:
    """Build the book, and add what makes it live."""
    book.build()
    folder = publish(assemble())
    add_to_pages(folder, run_all(folder))
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    print(f"\n{folder.relative_to(ROOT)}: {size:.1f} MB")


# --- what others made -----------------------------------------------------------


def run(*command: str | Path, **options: Any) -> str:
    """Return what a command prints, or say why it failed."""
    try:
        return subprocess.run(
            command, check=True, text=True, capture_output=True, **options
        ).stdout
    except FileNotFoundError:
        raise Failure(
            f"there is no {command[0]} here: the live book needs Node.js 20 or newer"
        ) from None
    except subprocess.CalledProcessError as error:
        words = " ".join(map(str, command[:3]))
        raise Failure(f"{words} … failed:\n{error.stderr[-3000:]}") from None


def digest(*parts: bytes) -> str:
    """Return a hash of these parts."""
    return hashlib.sha256(
        b"".join(hashlib.sha256(p).digest() for p in parts)
    ).hexdigest()


def kept(folder: Path, make: Callable[[], None], *inputs: Path) -> Path:
    """Return a folder after it has been filled, which is done once for its inputs."""
    key, stamp = digest(*(path.read_bytes() for path in inputs)), folder / "stamp"
    if not stamp.exists() or stamp.read_text() != key:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make()
        stamp.write_text(key)
    return folder


def from_npm() -> Path:
    """Return the folder of Pyodide's core, after npm has fetched what is locked."""
    inputs = [LIVE / name for name in ("package.json", "package-lock.json")]

    def fetch() -> None:
        for path in inputs:
            shutil.copy(path, NPM)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=NPM)

    return kept(NPM, fetch, *inputs) / "node_modules" / "pyodide"


def wheels(lock: Mapping[str, Any]) -> dict[str, Path]:
    """Return the wheels of the packages, each with the hash that the lock gives."""
    folder = CACHE / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / lock[name]["file_name"] for name in PACKAGES}
    if missing := {path.name for path in paths.values() if not path.exists()}:
        carrier = next((CACHE / "carrier").glob("*.whl"), None)
        carrier = carrier or _pip_download(CACHE / "carrier", CARRIER)
        with zipfile.ZipFile(carrier) as inside:
            for name in inside.namelist():
                if (file := name.rpartition("/")[2]) in missing:
                    (folder / file).write_bytes(inside.read(name))
    for name, path in paths.items():
        if not path.exists():
            raise Failure(f"{CARRIER} has no {path.name}")
        if _sha256(path) != lock[name]["sha256"]:
            path.unlink()
            raise Failure(f"{path.name} is not the file that Pyodide's lock means")
    return paths


def _pip_download(folder: Path, *what: str | Path) -> Path:
    run(sys.executable, "-m", "pip", "download", "--no-deps", "-d", folder, *what)
    return next(folder.glob("*.whl"))


def locked_wheel(name: str) -> Path:
    """Return a pure wheel in the version, with the hash, of the book's own lock."""
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pinned = re.search(rf"(?m)^{name}==(?:.*\\\n)*.*\n", lock)
    if pinned is None:
        raise Failure(f"requirements.txt does not lock {name}")
    folder = CACHE / f"{name}-{digest(pinned[0].encode())[:12]}"
    if not (found := next(folder.glob("*.whl"), None)):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
            wanted.write(pinned[0])
            wanted.flush()
            pure = "--platform=any", "--python-version=3.14", "--only-binary=:all:"
            found = _pip_download(folder, *pure, "-r", wanted.name)
    return found


# --- what we make of it ---------------------------------------------------------


def write_wheel(path: Path, files: Mapping[str, bytes]) -> Path:
    """Write a wheel with these files, in which nothing hangs on when or by whom."""
    name, version = path.name.split("-")[:2]
    about = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n"
    about += "License-Expression: BSD-3-Clause\n"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/METADATA"), about)
        for inner, data in sorted(files.items()):
            wheel.writestr(zipfile.ZipInfo(inner), data)
    return path


def own_wheels(sklearn: Path) -> list[Path]:
    """Return the wheel of olc, and one with the data that olc takes from another."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = f"{project['name'].replace('-', '_')}-{project['version']}"
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in ("olc", "olc_book")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for name in ("cellrun.py", "inline.py"):
        files[name] = (LIVE / name).read_bytes()
    with zipfile.ZipFile(sklearn) as wheel:
        data = {name: wheel.read(name) for name in DATA}
    version = version_of(sklearn)
    ends = "py3-none-any.whl"
    return [
        write_wheel(CACHE / f"{named}-{ends}", files),
        write_wheel(CACHE / f"scikit_learn_data-{version}-{ends}", data),
    ]


def compiled(core: Path, paths: Sequence[Path]) -> Path:
    """Return a folder with these files, compiled by the Python that will run them."""
    folder = CACHE / f"compiled-{paths[0].stem.split('-')[0]}"

    def make() -> None:
        with tempfile.TemporaryDirectory() as given:
            for path in paths:
                shutil.copy(path, given)
            run("node", LIVE / "node.mjs", "compile", core, given, folder)

    return kept(folder, make, LIVE / "compile.py", core / "package.json", *paths)


def assemble() -> Path:
    """Return a folder with everything that a live page may ask for."""
    core = from_npm()
    official = json.loads((core / "pyodide-lock.json").read_text(encoding="utf-8"))
    found = wheels(official["packages"])
    tqdm = locked_wheel("tqdm")
    olc, data = own_wheels(found["scikit-learn"])
    others = compiled(core, [core / "python_stdlib.zip", *found.values(), tqdm, data])
    ours = compiled(core, [olc])
    folder = CACHE / "site"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in (*(core / name for name in CORE), *(LIVE / name for name in OWN)):
        shutil.copy(path, folder)
    shutil.copy(ROOT / "olc_book" / "explorer.js", folder)
    (folder / "quiz.js").write_text(quiz.SCRIPT, encoding="utf-8")
    for path in (*others.iterdir(), *ours.iterdir()):
        if path.name != "stamp":
            shutil.copy(path, folder)
    modules = NPM / "node_modules"
    how = "--bundle", "--minify", "--format=esm", "--legal-comments=none"
    run(modules / ".bin" / "esbuild", LIVE / "page.js", *how,
        f"--outfile={folder / 'page.mjs'}",
        env=os.environ | {"NODE_PATH": str(modules)})  # fmt: skip
    packages = {name: dict(official["packages"][name]) for name in PACKAGES}
    for entry in packages.values():
        entry["depends"] = [d for d in entry["depends"] if d not in LEFT_OUT]
        entry["sha256"] = _sha256(folder / entry["file_name"])
    needs = ["numpy", "tqdm", "scikit-learn-data"]
    for name, wheel, imports, depends in (
        ("tqdm", tqdm, ["tqdm"], []),
        ("scikit-learn-data", data, [], []),
        ("olc", olc, ["olc", "olc_book"], needs),
    ):
        packages[name] = {
            **{"name": name, "file_name": wheel.name, "version": version_of(wheel)},
            **{"imports": imports, "depends": depends, "package_type": "package"},
            **{"install_dir": "site", "unvendored_tests": False},
            "sha256": _sha256(folder / wheel.name),
        }
    lock = official | {"packages": dict(sorted(packages.items()))}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n")
    (folder / "licences.html").write_text(licences(folder), encoding="utf-8")
    return folder


def publish(folder: Path) -> Path:
    """Copy this folder into the HTML, and return where it is."""
    # Browsers may keep a file for ever: another content has another address.
    inner = [f"{p.name} {_sha256(p)}".encode() for p in sorted(folder.iterdir())]
    for old in HTML.glob("_static/live-*"):
        shutil.rmtree(old)
    name = f"live-{digest(*inner)[:12]}"
    keeper = (LIVE / "sw.js").read_text("utf-8").replace("LIVE", name)
    (HTML / "sw.js").write_text(keeper, "utf-8")  # from here it reaches the pages
    return shutil.copytree(folder, HTML / "_static" / name)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version_of(wheel: Path) -> str:
    """Return the version that the name of a wheel tells."""
    return wheel.name.split("-")[1]


def licences(folder: Path) -> str:
    """Return a page with the licences of all that is shipped."""
    parts: dict[str, list[str]] = {}
    for path in sorted((NPM / "node_modules").rglob("package.json")):
        about = json.loads(path.read_text(encoding="utf-8"))
        if "node_modules" in path.parent.parent.parts and "version" in about:
            if re.search("biome|esbuild|types|/ws$", path.parent.as_posix()):
                continue  # these help to build it, and are not shipped
            texts = [p.read_text("utf-8") for p in path.parent.glob("LICEN[CS]E*")]
            title = f"{about.get('name')} {about['version']}: {about.get('license')}"
            parts[title] = texts
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            inner = next(n for n in names if n.endswith(".dist-info/METADATA"))
            about = Parser().parsestr(wheel.read(inner).decode())
            files = [n for n in names if re.search(r"dist-info/.*(LICEN|COPYING)", n)]
            files += [n for n in names if re.search(r"-licences\.txt$", n)]
            texts = [wheel.read(name).decode("utf-8", "replace") for name in files]
            kind = about["License-Expression"] or about["License"] or "see its text"
            first = next(line for line in kind.splitlines() if line.strip(" ="))
            title = f"{about['Name']} {about['Version']}: {first}"
            parts[title] = texts
    listed = ""
    for title in sorted(parts, key=str.lower):
        texts = [f"<pre>{html.escape(text)}</pre>" for text in parts[title]]
        title = f"<summary>{html.escape(title)}</summary>"
        listed += f"<details>{title}{''.join(texts)}</details>\n"
    return (LIVE / "licences.html").read_text("utf-8").replace("<!-- list -->", listed)


# --- what the pages say -----------------------------------------------------------


def run_all(folder: Path) -> dict[str, dict[str, Any]]:
    """Run every chapter in node; return what each loaded, needed and showed."""
    paths = book.notebooks()
    with ThreadPoolExecutor(book.AT_ONCE) as pool:
        runs = pool.map(lambda path: run_one(folder, path), paths)
        return {path.stem: ran for path, ran in zip(paths, runs, strict=True)}


def run_one(folder: Path, path: Path) -> dict[str, Any]:
    """Run one chapter in node, unless it has already run with these files."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    # The script and the style of a page have no say in what a cell gives.
    inputs = LIVE / "node.mjs", LIVE / "python.mjs", folder / "pyodide-lock.json"
    record = CACHE / "runs" / f"{path.stem}.json"
    key = digest(*(one.read_bytes() for one in inputs), *map(str.encode, codes))
    if record.exists():
        ran: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        if ran["key"] == key:
            return ran
    printed = run("node", LIVE / "node.mjs", "run", folder, path)
    ran = json.loads(printed.splitlines()[-1]) | {"key": key}
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps(ran, ensure_ascii=False), encoding="utf-8")
    seconds, heap = ran["seconds"], ran["heap"] / 1e6
    print(f"{path.name} ran in wasm: {seconds:.1f} s, {heap:.0f} MB", flush=True)
    return ran


def is_heavy(ran: Mapping[str, Any]) -> bool:
    """Whether a chapter takes longer, or more memory, than a reader expects."""
    return ran["seconds"] / ran["toStart"] > HEAVY[0] or ran["heap"] > HEAVY[1]


def add_to_pages(folder: Path, runs: Mapping[str, Mapping[str, Any]]) -> None:
    """Give every page with cells its button."""
    packed = {  # as a server sends them; wheels are packed already
        path.name: len(gzip.compress(path.read_bytes(), 6))
        for path in folder.iterdir()
        if path.suffix in (".wasm", ".mjs")
    }
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    for name, ran in runs.items():
        page = HTML / "book" / f"{name}.html"
        files = [lock["packages"][package]["file_name"] for package in ran["packages"]]
        sizes = {file: (folder / file).stat().st_size for file in (*CORE, *files)}
        sent = sizes | {file: size for file, size in packed.items() if file in sizes}
        size = f"{sum(sent.values()) / 1e6:.0f} MB"
        words = f"Python runs in your browser, after a download of {size}."
        if heavy := is_heavy(ran):
            words += " This chapter is heavy: all of it may take a minute"
            words += f" and {ran['heap'] / 1e6:.0f} MB of memory."
        given = {
            "packages": " ".join(ran["packages"]),
            "megabytes": f"{sum(sizes.values()) / 1e6:.0f}",
            "heavy": "yes" if heavy else "",
        }
        data = "".join(f' data-{key}="{value}"' for key, value in given.items())
        bar = f'<div class="olc-live d-print-none"{data}>{BUTTON}{words}</span></div>'
        source = f"../_static/{folder.name}/button.js"
        tag = f'\n<script defer src="{source}"></script>'
        text = book.LIVE_TAG.sub("", page.read_text(encoding="utf-8"))
        text = text.replace("</head>", f"{tag}\n</head>", 1)
        # It stands there from the beginning: nothing has to make room for it.
        text = re.sub(r'("headerlink".*?</h1>)', rf"\1{bar}", text, count=1)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
