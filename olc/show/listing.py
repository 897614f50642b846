"""Show the code of the package in a chapter: from the source, never pasted."""

from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import re
import textwrap
from typing import Any

from olc.core.learner import HOOKS, Learner, Linear, Parametrised

FRAME = ("score", "decide", "wants_update", "update")  #: what every game asks
GAMES = ("draw", "estimate")  #: what a game of bandits asks besides
Place = tuple[int, int]  #: line and column
Edit = tuple[int, int, str]  #: from this byte of the source, to that one, the new text


class Listing:
    """The source of functions and classes as a page shows it.

    A class comes with its own lines; docstrings and types are left out. A comment says
    which hooks a learner inherits, and another one which of its methods are not shown.

    >>> from olc import Perceptron
    >>> print(Listing(Perceptron))
    class Perceptron(Linear):
        # inherits score, update (Linear), decide, wants_update (Learner)
        rate = parameter(above(0), default=1.0)
    <BLANKLINE>
        def step(self, w, x, y):
            return w + self.rate * y * x
    """

    def __init__(self, *things: Any) -> None:
        for thing in things:
            if not hasattr(thing, "__name__") and not isinstance(thing, property):
                raise TypeError(f"a listing shows a class or a function, not {thing!r}")
        self.code = "\n\n\n".join(map(_bare, things))

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


def _bare(thing: Any) -> str:
    """Return the source without docstrings, types and the decorators of classes."""
    code = _source(thing)
    tree = ast.parse(code).body[0]
    lines = code.splitlines()
    starts = [0, *itertools.accumulate(map(len, code.encode().splitlines(True)))]
    edits: list[Edit] = []

    def edit(first: Place, last: Place, text: str = "") -> None:
        (line, column), (last_line, last_column) = first, last
        edits.append(
            (starts[line - 1] + column, starts[last_line - 1] + last_column, text)
        )

    spare = _spare(tree, thing)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in spare:
            edit((_top(node), 0), ((node.end_lineno or 0) + 1, 0))
            node.body, node.args = [], ast.parse("lambda: 0").body[0].value.args  # type: ignore[attr-defined]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            body = node.body[0]
            if ast.get_docstring(node) is not None and node.body[1:]:
                last = (body.end_lineno or 0) + 1
                while not lines[last - 1].strip():
                    last += 1
                edit((body.lineno, 0), (last, 0))
            if isinstance(node, ast.FunctionDef):
                for argument in ast.walk(node.args):
                    if isinstance(argument, ast.arg):
                        argument.annotation = None
                head = f"def {node.name}({ast.unparse(node.args)}):"
                place = node.lineno, node.col_offset
                if lines[body.lineno - 1][: body.col_offset].strip():  # on one line
                    edit(place, (body.lineno, body.col_offset), f"{head} ")
                    continue
                first = _top(body)
                while lines[first - 2].lstrip()[:1] in ("", "#"):  # comments stay
                    first -= 1
                edit(place, (first, 0), f"{head}\n")
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            name, value = node.target, node.value
            end = name.end_lineno or 0, name.end_col_offset or 0
            edit(end, (value.lineno, value.col_offset), " = ")
    source = code.encode()
    for start, stop, text in sorted(edits, reverse=True):
        source = source[:start] + text.encode() + source[stop:]
    lines = [
        line.partition("  # type: ")[0].rstrip() for line in source.decode().split("\n")
    ]
    lines[1:1] = [f"    # {line}" for line in textwrap.wrap(_inherited(thing), 72)]
    if spare:
        named = f"not shown: {', '.join(spare)}"
        lines += [f"    # {line}" for line in textwrap.wrap(named, 72)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _top(node: Any) -> int:
    """Return the line on which a statement begins, with its decorators."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _spare(tree: ast.AST, thing: Any) -> list[str]:
    """Return the methods of a class that none of its hooks uses."""
    if not isinstance(tree, ast.ClassDef) or not issubclass(thing, Parametrised):
        return []
    methods = {
        node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)
    }
    asked = [name for name in methods if name in (*HOOKS, *GAMES, "__init__")]
    for name in asked:  # which grows
        for node in ast.walk(methods[name]):
            match node:
                case ast.Attribute(value=ast.Name(id="self"), attr=used):
                    if used in methods and used not in asked:
                        asked.append(used)
    return [name for name in methods if name not in asked]


def _source(thing: Any) -> str:
    if not isinstance(thing, type):
        return textwrap.dedent(inspect.getsource(getattr(thing, "fget", thing)))
    # a class that stands in a cell of a notebook is found by one of its methods
    for method in filter(inspect.isfunction, vars(thing).values()):
        lines = linecache.getlines(method.__code__.co_filename)
        for node in ast.walk(ast.parse("".join(lines))):
            if isinstance(node, ast.ClassDef) and node.name == thing.__name__:
                body = range(node.lineno, (node.end_lineno or 0) + 1)
                if method.__code__.co_firstlineno in body:
                    return textwrap.dedent("".join(lines[body[0] - 1 : body[-1]]))
    return textwrap.dedent(inspect.getsource(thing))


def _inherited(kind: Any) -> str:
    """Return which hooks a learner has from which of its base classes."""
    if not isinstance(kind, type) or not issubclass(kind, Learner):
        return ""
    hooks: dict[str, list[str]] = {}
    for name in FRAME + ("step", "link") * issubclass(kind, Linear):
        owner = next(base for base in kind.__mro__ if name in vars(base))
        if owner is not kind and not (owner is Linear and name == "link"):
            hooks.setdefault(owner.__name__, []).append(name)
    return "inherits " + ", ".join(
        f"{', '.join(names)} ({owner})" for owner, names in hooks.items()
    )
