"""Show the code of the package in a chapter: from the source, never pasted."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any


class Listing:
    """The source of a class or function without its docstrings.

    A page shows it as highlighted Python.

    >>> from olc import perceptron
    >>> print(Listing(perceptron.Perceptron._step))
    def _step(self, state: Vector, x: Vector, y: Any) -> Vector:
        return state + self.rate * y * x
    """

    def __init__(self, *things: Any) -> None:
        self.code = "\n\n\n".join(_code(thing) for thing in things)

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


def _code(thing: Any) -> str:
    """Return the source, dedented, with every docstring cut out."""
    source = textwrap.dedent(inspect.getsource(thing))
    lines = source.splitlines()
    kinds = (ast.ClassDef, ast.FunctionDef)
    holders = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    for node in sorted(holders, key=lambda node: -node.lineno):
        first = node.body[0]
        if ast.get_docstring(node, clean=False) is None or len(node.body) == 1:
            continue
        end = first.end_lineno or first.lineno
        while end < len(lines) and not lines[end].strip():
            end += 1
        del lines[first.lineno - 1 : end]
    return "\n".join(lines)
