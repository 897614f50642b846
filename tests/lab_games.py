"""What the tests of labs share: node plays what Python asks for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

import pytest
from helpers import ROOT

from olc_book import labs

NODE = shutil.which("node")
MISSING = "node is not installed: labs are compared with olc by it"


def node(scripts: list[str], **asked: Any) -> dict[str, Any]:
    """Run scripts in node, ask for games, bounds or states, and return what came."""
    if NODE is None:
        required = os.environ.get("OLC_REQUIRE_NODE") == "1"
        (pytest.fail if required else pytest.skip)(MISSING)
    command = [NODE, str(ROOT / "tests" / "labs.mjs")]
    request = json.dumps({"scripts": scripts} | asked)
    ran = subprocess.run(command, input=request, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def states(name: str, *given: dict[str, Any]) -> list[Any]:
    """Return what a lab says, and all the numbers of its games, in these states."""
    made = [labs.lab(name, **one) for one in given]
    asked = [
        {"lab": name, "state": one.state, "cell": one.words["cell"]} for one in made
    ]
    return node([*map(labs.source, labs.parts(name))], states=asked)["states"]


def printed(code: str, capsys: Any) -> list[str]:
    """Return the lines that a copied cell prints."""
    capsys.readouterr()
    exec(compile(code, "<copied>", "exec"), {})
    return capsys.readouterr().out.splitlines()
