"""The rooms of the package: imports go one way, and the engine names no learner."""

import ast
from pathlib import Path

import olc

PACKAGE = Path(olc.__file__).parent
ORDER = ["core", "fast", "", "world", "show"]  # "" are the algorithms, which are flat
CORE = ["check", "learner", "stream", "game", "ledger"]


def room(name):
    """Return the place in the order of the room that a module of olc is in."""
    parts = name.split(".")
    return ORDER.index(parts[1] if parts[1] in ORDER else "")


def imports(path):
    """Yield the modules of olc that a file imports, inside of functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_go_one_way():
    back = []
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(["olc", *path.relative_to(PACKAGE).with_suffix("").parts])
        if name == "olc.__init__":
            continue
        for used in imports(path):
            if used.startswith("olc.") and room(used) > room(name):
                back.append(f"{name} imports {used}")
            elif name.startswith("olc.core.") and used.startswith("olc.core."):
                mine, other = name.split(".")[2], used.split(".")[2]
                if CORE.index(other) >= CORE.index(mine):
                    back.append(f"{name} imports {used}")
    assert not back


def test_the_engine_names_no_learner():
    names = {thing for thing in olc.__all__ if isinstance(getattr(olc, thing), type)}
    shipped = names - {"Learner", "Linear", "Stream", "Trace"}
    for path in (PACKAGE / "fast").glob("*.py"):
        words = {
            node.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Name)
        }
        assert not words & shipped
