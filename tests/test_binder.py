"""Binder: what repo2docker reads in .binder, and whether a chapter then runs.

The long test asks it which commands it would run, runs them in an empty environment,
and then runs a chapter there.
"""

import json
import os
import shutil
import sys
import tomllib

import pytest
from helpers import ROOT, SHELL, run
from packaging.specifiers import SpecifierSet
from test_install import patient

BINDER = ROOT / ".binder"
REPO2DOCKER = "jupyter-repo2docker==2026.4.0"
ASK = """
import json
from repo2docker.app import Repo2Docker
app = Repo2Docker()
packs = (pack(base_image=app.base_image) for pack in app.buildpacks)
pack = next(pack for pack in packs if pack.detect())
scripts = [*pack.get_preassemble_scripts(), *pack.get_assemble_scripts()]
commands = [command for _, command in scripts + pack.get_post_build_scripts()]
print(json.dumps([type(pack).__name__, pack.python_version, commands]))
"""


def test_binder_takes_a_python_that_the_package_allows():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    written = (BINDER / "runtime.txt").read_text("utf-8").strip()
    name, _, version = written.partition("-")
    assert name == "python"
    assert version in SpecifierSet(project["requires-python"])
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


def test_binder_finds_these_files_alone_and_the_lock_through_them():
    assert {path.name for path in BINDER.iterdir()} == {
        *("postBuild", "requirements.txt", "runtime.txt")
    }
    assert not (ROOT / "binder").exists()  # it would stop there
    option, lock = (BINDER / "requirements.txt").read_text("utf-8").split()
    assert option == "-r"
    assert (BINDER / lock).resolve() == ROOT / "requirements.txt"
    assert os.access(BINDER / "postBuild", os.X_OK)


@pytest.mark.slow
@patient
def test_a_chapter_runs_where_repo2docker_has_made_the_environment(tmp_path):
    folder, asked, made = (tmp_path / name for name in ("clone", "asked", "made"))
    ours = shutil.ignore_patterns(".venv", ".git", "_build", "build", "api", ".*cache")
    shutil.copytree(ROOT, folder, ignore=ours)
    for environment in (asked, made):
        run([sys.executable, "-m", "venv", str(environment)], cwd=tmp_path)
    run([asked / "bin/pip", "install", REPO2DOCKER], cwd=tmp_path)
    told = json.loads(run([asked / "bin/python", "-c", ASK], cwd=folder))
    pack, version, commands = told
    assert pack == "PythonBuildPack"
    if version != f"{sys.version_info.major}.{sys.version_info.minor}":
        pytest.skip(f"this is not Python {version}, which Binder would take")
    run([made / "bin/python", "-m", "pip", "install", "--upgrade", "pip"], cwd=tmp_path)
    shell = SHELL | {"KERNEL_PYTHON_PREFIX": str(made)}
    for command in commands:
        run(["bash", "-c", command], cwd=folder, env=shell)
    chapter = ["--execute", "--to", "notebook", "--stdout", "online_game.ipynb"]
    ran = run([made / "bin/python", "-m", "nbconvert", *chapter], cwd=folder / "book")
    outputs = [cell.get("outputs", []) for cell in json.loads(ran)["cells"]]
    assert sum(map(len, outputs)) > 10
