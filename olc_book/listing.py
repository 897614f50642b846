"""Show the code of the package in a chapter: from the source, never pasted."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import textwrap
from typing import Any

from olc.core.learner import HOOKS, Learner, Linear, Parametrised

__all__ = ["Listing"]

FRAME = ("score", "decide", "wants_update", "update")  #: what every game asks
GAMES = ("draw", "estimate")  #: what a game of bandits asks besides


class Listing:
    """The source of functions and classes as a page shows it.

    A class comes with its own lines; docstrings and types are left out. A comment says
    which hooks a learner inherits, and another one which of its methods are not shown.
    A thing whose source Python does not keep is named in a sentence.

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
    thing = getattr(thing, "fget", thing)  # the function of a property
    try:
        tree = ast.parse(code := textwrap.dedent(_source(thing))).body[0]
    except (OSError, TypeError, SyntaxError):
        return f"# The source of {thing.__name__} is not at hand."
    lines, spare = code.splitlines(), _spare(tree, thing)
    hidden = {inner for node in spare for inner in ast.walk(node)}
    # which lines, from the first to the last, are replaced by which
    edits: list[tuple[int, int, list[str]]]
    edits = [(_top(node), node.end_lineno or 0, []) for node in spare]
    for node in ast.walk(tree):
        if node in hidden:
            continue
        if isinstance(node, ast.AnnAssign):
            kind, at = ast.get_source_segment(code, node.annotation), node.lineno - 1
            lines[at] = lines[at].replace(f": {kind} =", " =", 1)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            body = node.body[0]
            first, last = _top(body), body.end_lineno or 0
            if ast.get_docstring(node) is not None and node.body[1:]:
                while not lines[last].strip():
                    last += 1
                edits.append((first, last, []))
            indented = not lines[first - 1][: body.col_offset].strip()
            if isinstance(node, ast.FunctionDef) and indented:
                for argument in ast.walk(node.args):
                    if isinstance(argument, ast.arg):
                        argument.annotation = None
                head = f"def {node.name}({ast.unparse(node.args)}):"
                while lines[first - 2].lstrip()[:1] in ("", "#"):  # comments stay
                    first -= 1
                edits.append((node.lineno, first - 1, [node.col_offset * " " + head]))
    if isinstance(tree, ast.ClassDef):
        first = _top(tree.body[0])
        edits.append((first, first - 1, _comment(_inherited(thing))))
        edits.append((1, tree.lineno - 1, []))
    for first, last, new in sorted(edits, reverse=True):
        lines[first - 1 : last] = new
    lines = [line.partition("  # type: ")[0].rstrip() for line in lines]
    if spare:
        names = ", ".join(node.name for node in spare)
        lines += ["", *_comment(f"not shown: {names}")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _comment(text: str) -> list[str]:
    return [f"    # {line}" for line in textwrap.wrap(text, 72)]


def _top(node: Any) -> int:
    """Return the line on which a statement begins, with its decorators."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _spare(tree: ast.AST, thing: Any) -> list[ast.FunctionDef]:
    """Return the methods of a class that none of its hooks uses."""
    if not isinstance(tree, ast.ClassDef) or not issubclass(thing, Parametrised):
        return []
    methods: dict[str, Any] = {
        node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)
    }
    asked = [*HOOKS, *GAMES, "__init__"]
    for name in asked:  # which grows
        for node in ast.walk(methods.pop(name, ast.Pass())):
            match node:
                case ast.Attribute(value=ast.Name(id="self"), attr=used):
                    asked.append(used)
    return list(methods.values())


def _source(thing: Any) -> str:
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        # A class of a notebook is in the cell of its methods; one without any, in the
        # last cell that defines its name.
        codes = [m.__code__ for m in vars(thing).values() if inspect.isfunction(m)]
        at = {code.co_filename: code.co_firstlineno for code in codes}
        newest = getattr(sys.modules["__main__"], thing.__name__, None) is thing
        for cell in (*at, *reversed([*linecache.cache] * newest)):
            text = "".join(linecache.getlines(cell))
            if not re.search(rf"(?m)^ *class {thing.__name__}\b", text):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef) and node.name == thing.__name__:
                    first, last = node.lineno, node.end_lineno or 0
                    if first <= at.get(cell, first) <= last:
                        return ast.get_source_segment(text, node, padded=True) or ""
        raise


def _inherited(kind: Any) -> str:
    """Return which hooks a learner has from which of its base classes."""
    hooks: dict[str, list[str]] = {}
    if issubclass(kind, Learner):
        for name in FRAME + ("step", "link") * issubclass(kind, Linear):
            owner = next(base for base in kind.__mro__ if name in vars(base))
            if owner is not kind and not (owner is Linear and name == "link"):
                hooks.setdefault(owner.__name__, []).append(name)
    said = ", ".join(f"{', '.join(names)} ({owner})" for owner, names in hooks.items())
    return said and f"inherits {said}"
