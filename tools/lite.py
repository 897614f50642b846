"""Put all chapters into a JupyterLab that runs in the browser: python -m tools.lite

JupyterLite and its kernel are in build/lite, where `make lite` installs what
live/lite.txt locks. Pyodide and the packages are those of the live pages
(tools/live.py), and IPython with what it needs is that of the book's own lock. Pyodide
finds all of them in one lock and loads them before the kernel starts, which then asks
nobody for a package.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

import nbformat

from tools import book, export, live
from tools.book import BUILD, ROOT, Failure

SITE = BUILD / "lite"
LITE = ROOT / "build" / "lite"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSION = LITE / "share" / "jupyter" / "labextensions" / KERNEL
IPYTHON = [
    *("ipython", "ipython-pygments-lexers", "asttokens", "comm", "executing", "jedi"),
    *("matplotlib-inline", "parso", "prompt-toolkit", "pure-eval", "pygments"),
    *("stack-data", "traitlets", "wcwidth"),
]
# As live/python.mjs has it; and the bars of tqdm would like to be widgets.
ENVIRONMENT = {
    "TQDM_DISABLE": "1",
    "PYTHONWARNINGS": "ignore:tqdm,ignore:I/O error,ignore:IProgress",
}
# JupyterLab looks at the pages above it for something to configure.
START = """\
<!doctype html>
<title>Online Linear Classification</title>
<meta http-equiv="refresh" content="0; url=lab/index.html?path=index.ipynb">
<script type="application/json" id="jupyter-config-data">{}</script>
"""


def main() -> int:
    """Build the site, and say how large it is."""
    parser = argparse.ArgumentParser(prog="python -m tools.lite", description=__doc__)
    words = "as for python -m tools.live"
    parser.add_argument("--from", dest="source", type=Path, help=words)
    try:
        build(parser.parse_args().source)
    except Failure as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"\n{SITE.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    return 0


def build(source: Path | None) -> None:
    """Write a site whose notebooks are the chapters, and whose kernel knows olc."""
    folder = live.CACHE / "lite"
    shutil.rmtree(folder, ignore_errors=True)
    kernel = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {
            "packages": add_packages(folder / "static" / "pyodide", source),
            "env": ENVIRONMENT,
        },
    }
    config = {
        "appName": "Online Linear Classification",
        "litePluginSettings": {f"{KERNEL}:kernel": kernel},
    }
    options = {
        "apps": ["lab"],
        "contents": [str(add_chapters(folder / "chapters"))],
        "federated_extensions": [str(EXTENSION)],
        "ignore_sys_prefix": ["federated_extensions"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "output_dir": str(SITE),
    }
    for name, given in (
        ("jupyter-lite", {"jupyter-config-data": config}),
        ("jupyter_lite_config", {"LiteBuildConfig": options}),
    ):
        (folder / f"{name}.json").write_text(json.dumps(given), encoding="utf-8")
    shutil.rmtree(SITE, ignore_errors=True)
    command = sys.executable, "-m", "jupyterlite_core", "build"
    live.run(*command, cwd=folder, env=os.environ | {"PYTHONPATH": str(LITE)})
    (SITE / "index.html").write_text(START, encoding="utf-8")


def add_chapters(folder: Path) -> Path:
    """Put the plain notebooks into a folder, with the lines of each text joined.

    A server would join them, and JupyterLab's table of contents relies on it.
    """
    folder.mkdir(parents=True)
    students, solutions = export.write()
    for path in solutions if book.SOLUTIONS else students:
        chapter = json.dumps(nbformat.read(path, as_version=4), ensure_ascii=False)
        (folder / path.name).write_text(chapter, encoding="utf-8")
    return folder


def add_packages(folder: Path, source: Path | None) -> list[str]:
    """Put Pyodide and all packages into a folder; return the names in its lock."""
    shutil.copytree(live.assemble(source), folder)
    core, listed = live.from_npm(), folder / "pyodide-lock.json"
    official = json.loads((core / listed.name).read_text(encoding="utf-8"))["packages"]
    wheels = {name: live.locked_wheel(name) for name in IPYTHON}
    wheels |= live.wheels(official, source, ["micropip"])
    for name in ("ipykernel", "piplite", "pyodide_kernel"):
        found = EXTENSION.glob(f"static/pypi/{name}-*.whl")
        wheels[name.replace("_", "-")] = next(found)
    lock = json.loads(listed.read_text(encoding="utf-8"))
    compiled = live.compiled(core, [*wheels.values()])
    for name, wheel in wheels.items():
        path = shutil.copy(compiled / wheel.name, folder / wheel.name)
        lock["packages"][name] = live.lock_entry(name, path, [])
    listed.write_text(json.dumps(lock), encoding="utf-8")
    (folder / "licences.html").write_text(live.licences(folder), encoding="utf-8")
    return [*lock["packages"]]


if __name__ == "__main__":
    sys.exit(main())
