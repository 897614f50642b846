"""The package from its wheel, and the lock, in environments that hold nothing else.

These tests ask an index for packages and take minutes: continuous integration sets
OLC_TEST_INSTALL.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from helpers import ROOT, SHELL, run
from test_workshop import blocks, plain_commands

asked = os.environ.get("OLC_TEST_INSTALL")
patient = pytest.mark.skipif(not asked, reason="minutes: set OLC_TEST_INSTALL=1")
pytestmark = [pytest.mark.slow, patient]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
EXTRAS = ["", "plots", "scipy", "sklearn", "sweep", "fast"]

#: What is asked for, and the packages that it needs: those that are missing are named.
DOORS = {
    "olc.sklearn": "scikit-learn scipy",
    "olc.plots": "matplotlib pandas",
    "from olc import plots": "matplotlib pandas",
    "olc.widgets": "matplotlib pandas",
    "olc.tightness.volume_bound(5, 0.1)": "scipy",
    "olc.perceptron.proof(olc.play(olc.Perceptron(1), [[1.0]], [1]), [1.0])": "pandas",
    "olc.sweep(lambda x: x, x=[1])": "pandas tqdm",
    "olc.streams.words(9, 2, 9, seed=0)": "scipy",
    "olc.streams.digits(3, seed=0)": "scikit-learn",
    "olc.geometry.separable([[1.0]], [1])": "scipy",
    "olc.exercises.summary('.')": "pandas",
    "olc.forecasters.calibration([0.5] * 9, [0, 1, 1] * 3)": "pandas",
}
CALL = """
import sys, olc
try:
    {call}
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy: a build leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for package in ("olc", "olc_book"):
        shutil.copytree(ROOT / package, folder / package)
    wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", "dist", "."]
    run(wheel, cwd=folder)
    return next((folder / "dist").glob("online_linear_classification-*.whl"))


def python_of(folder: Path) -> str:
    """Make an empty environment in this folder, and return its Python."""
    venv.create(folder, with_pip=True)
    return str(folder / SCRIPTS / "python")


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_wheel_serves_what_its_extra_promises_and_names_what_is_missing(
    wheel, tmp_path, extra
):
    python = python_of(tmp_path / "an environment")
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    run([python, "-m", "pip", "install", "--quiet", wanted])
    listed = run([python, "-m", "pip", "list", "--format=freeze"])
    there = set(re.findall(r"(?m)^[^=]+", listed))
    for call, packages in DOORS.items():
        told = run([python, "-c", CALL.format(call=call)], cwd=tmp_path).strip()
        if set(packages.split()) <= there:
            assert told == "", call
        else:
            assert told.endswith(f" is missing: pip install {packages}"), call
    for block in blocks("python"):
        if extra == "sklearn" or "sklearn" not in block:
            assert run([python, "-c", block], cwd=tmp_path)


@pytest.fixture(scope="session")
def copy(tmp_path_factory) -> Path:
    """What a clone holds, in a folder with a space in its name."""
    copy = tmp_path_factory.mktemp("plain") / "a copy"
    ours = ["_build", ".venv", ".git", "*_cache", "__pycache__", "*.egg-info"]
    return Path(shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*ours)))


@pytest.fixture(scope="session")
def locked(tmp_path_factory, copy) -> Path:
    """The scripts of an environment into which plain pip has installed the lock."""
    folder = tmp_path_factory.mktemp("locked")
    python = python_of(folder)
    pip = [python, "-m", "pip", "install"]
    run([*pip, "-r", "requirements.txt"])
    run([*pip, "--upgrade", "pip"])
    run([*pip, "-r", "requirements.txt"])  # the newest pip reads it, too
    run([folder / SCRIPTS / "pip", *shlex.split(plain_commands()[1])[1:]], cwd=copy)
    return folder / SCRIPTS


@pytest.mark.parametrize("command", plain_commands()[2:])
def test_the_commands_for_those_without_make_run(locked, copy, command):
    program, *arguments = shlex.split(command)
    shell = SHELL | {"PATH": f"{locked}{os.pathsep}{SHELL['PATH']}"}
    match program:
        case "jupyter-book":
            run([locked / program, *arguments], cwd=copy, env=shell)
            assert (copy / "_build" / "html" / "index.html").exists()
        case "jupyter":  # which stays: see that it says where it can be reached
            options = ["--no-browser", "--allow-root", "--port-retries=50"]
            with subprocess.Popen(
                [locked / program, *arguments, *options],
                cwd=copy, env=shell, text=True, stderr=subprocess.PIPE,
            ) as lab:  # fmt: skip
                try:
                    assert any("/lab?token=" in line for line in lab.stderr)
                    run([locked / "python", "-c", "import olc"], cwd=copy / "book")
                finally:
                    lab.kill()
        case "python":  # the reader's own notebooks
            run([locked / program, *arguments], cwd=copy, env=shell)
            assert (copy / "notebooks" / "index.ipynb").exists()
        case _ if "--nbval" in arguments:  # one chapter; make nbval runs all of them
            only = [*arguments[:-1], "book/family_tree.ipynb"]
            assert " passed" in run([locked / program, *only], cwd=copy, env=shell)
        case _:  # without what is built and what is slow, as make test is run elsewhere
            chosen = ["-m", "not built and not slow", "tests/test_perceptron.py"]
            assert " passed" in run([locked / program, *chosen], cwd=copy, env=shell)
