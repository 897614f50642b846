"""Plant mistakes in the package, and list those that no test notices: make mutants

A mistake is a small change: another sign, comparison or number, the other branch, two
arguments that change places, a call that is left out. Some in each module are drawn by
lot, and each is planted in a copy of the project, where a test must fail. Messages,
hints and the looks of a line are let alone.

    python -m tools.mutants [--each 8] [--seed 0] [olc/winnow.py …]
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 2
#: What is tried: the algorithms, the game, the ledgers and the figures.
PARTS = ["olc/*.py", "olc/core/*.py", "olc_book/plots/*.py"]
SPARED = {"__init__.py", "check.py", "sklearn.py"}
#: These say nothing of the package's numbers, or would show the planted mistake.
BLIND = ["bench", "book", "browser", "errata", "listing", "rooms", "sklearn", "sweep"]
BLIND += ["widgets", "workshop"]
TESTS = ["tests", "olc", *(f"--ignore=tests/test_{name}.py" for name in BLIND)]
PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
PYTEST += ["-m", "not slow and not built"]

PAIRS: Any = [(ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.Lt, ast.LtE)]
PAIRS += [(ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn)]
PAIRS += [(ast.Is, ast.IsNot), (ast.And, ast.Or), (ast.BitAnd, ast.BitOr)]
PAIRS += [("min", "max"), ("low", "high"), ("lower", "upper"), ("mean", "median")]
PAIRS += [("any", "all"), ("positive", "negative"), ("argmin", "argmax"), ("x", "y")]
OTHER = {a: b for one, two in PAIRS for a, b in ((one, two), (two, one))}
OTHER |= {ast.Pow: ast.Mult, ast.FloorDiv: ast.Div, ast.Mod: ast.Mult}
#: Arguments that are a matter of taste.
LOOKS = ["alpha", "color", "fontsize", "ha", "handlelength", "height", "labelspacing"]
LOOKS += ["linestyle", "linewidth", "loc", "marker", "markersize", "ncols", "size"]
LOOKS += ["va", "width", "zorder"]


def names() -> list[str]:
    """Return the files in which mistakes are planted."""
    found = sorted(path for part in PARTS for path in ROOT.glob(part))
    return [
        path.relative_to(ROOT).as_posix() for path in found if path.name not in SPARED
    ]


def changed(node: Any, **fields: Any) -> Any:
    """Return a copy of a node with other fields."""
    new = copy.copy(node)
    vars(new).update(fields)
    return new


def wrong(node: Any) -> Iterator[Any]:
    """Yield what could stand there by mistake."""
    match node:
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp() if type(node.op) in OTHER:
            yield changed(node, op=OTHER[type(node.op)]())
        case ast.Compare(ops=[op]):
            yield changed(node, ops=[OTHER[type(op)]()])
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool()):
            yield changed(node, value=not node.value)
        case ast.Constant(value=int() | float()):
            yield changed(node, value=node.value + 1)
        case ast.Constant(value=str()) if node.value in OTHER:
            yield changed(node, value=OTHER[node.value])
        case ast.Attribute() if node.attr in OTHER:
            yield changed(node, attr=OTHER[node.attr])
        case ast.If() | ast.IfExp():
            yield changed(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Call(args=[*first, ast.Name() as one, ast.Name() as two]) if (
            one.id != two.id
        ):
            yield changed(node, args=[*first, two, one])


def mistakes(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every node that can be changed, and how."""
    match node:
        case ast.Raise() | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return
        case ast.arg() | ast.keyword() if node.arg in LOOKS or not node.arg:
            return
        case ast.Dict():
            named = zip(node.keys, node.values, strict=True)
            parts = [v for k, v in named if getattr(k, "value", "") not in LOOKS]
        case ast.AnnAssign():
            parts = [node.value] if node.value else []
        case ast.FunctionDef():
            given = [*node.args.defaults, *node.args.kw_defaults]
            parts = [*node.decorator_list, *given, *node.body]
        case _:
            parts = [*ast.iter_child_nodes(node)]
    yield from ((node, new) for new in wrong(node))
    for part in filter(None, parts):
        yield from mistakes(part)


class Planted(ast.NodeTransformer):
    """Exchange one node."""

    def __init__(self, old: Any, new: Any) -> None:
        self.old, self.new = old, new

    def visit(self, node: Any) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def project(folder: Path) -> Path:
    """Copy what git tracks."""
    names = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True)
    for name in names.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def own(name: str) -> list[str]:
    """Return a module's tests: its examples and its file, or those of all figures."""
    tests = "plots figures" if "plots" in name else Path(name).stem
    return [name, *(f"tests/test_{test}.py" for test in tests.split())]


def is_noticed(folder: Path, name: str, source: str) -> bool:
    """Say whether a test fails, or takes for ever: the module's own, or any other."""
    (folder / name).write_text(source, encoding="utf-8")
    try:
        for tests in (own(name), TESTS):
            command = [*PYTEST, *tests]
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=900)
            if done.returncode:
                return True
    except subprocess.TimeoutExpired:
        return True
    finally:
        shutil.copy2(ROOT / name, folder / name)
    return False


def main() -> None:
    """Draw mistakes by lot, plant them, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=8, help="mistakes per module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("files", nargs="*", help="modules; all, if there are none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            folders.put(project(Path(scratch, str(number))))
        name = names()[0]
        if is_noticed(Path(scratch, "0"), name, (ROOT / name).read_text("utf-8")):
            sys.exit("the tests fail without any mistake: run `make test` first")

        def try_one(name: str, number: int) -> bool:
            tree = ast.parse((ROOT / name).read_text("utf-8"))
            found = [*mistakes(tree)]
            random.Random(f"{given.seed} {name}").shuffle(found)
            old, new = found[number % len(found)]
            said = f"{name}:{old.lineno}: {ast.unparse(old)}  →  {ast.unparse(new)}"
            planted = ast.fix_missing_locations(Planted(old, new).visit(tree))
            folder = folders.get()
            noticed = is_noticed(folder, name, ast.unparse(planted))
            folders.put(folder)
            if not noticed:
                print(said, flush=True)
            return noticed

        drawn = [
            (name, number)
            for name in given.files or names()
            for number in range(given.each)
        ]
        with ThreadPoolExecutor(WORKERS) as pool:
            results = list(pool.map(try_one, *zip(*drawn, strict=True)))
    print(f"{sum(results)} of {len(results)} are noticed")


if __name__ == "__main__":
    main()
