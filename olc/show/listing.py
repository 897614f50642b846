"""Show the code of the package in a chapter: from the source, never pasted."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from olc.core.learner import Learner, Linear, Parametrised

#: The hooks of a learner, in the order in which a game asks them.
HOOKS = (
    "start", "score", "decide", "error_chance", "wants_update", "draw", "update",
    "estimate", "step", "link", "output",
)  # fmt: skip
NOTE = "    # "
NO_BREAK = "\N{NO-BREAK SPACE}"


class Listing:
    """The source of a function, or of all that a learner does, as a page shows it.

    A learner comes with its parameters and with the hooks that it inherits, so that it
    can be read next to its algorithm box; so do a bandit and a forecaster. Docstrings,
    types, decorators and the refusal of bad arguments are left out.

    >>> from olc import perceptron
    >>> print(Listing(perceptron.Perceptron.step))
    def step(self, state, x, y):
        return state + self.rate * y * x
    """

    def __init__(self, *things: Any) -> None:
        for thing in things:
            if not hasattr(thing, "__name__") and not isinstance(thing, property):
                raise TypeError(f"a listing shows a class or a function, not {thing!r}")
        self.code = "\n\n\n".join(
            _learner(thing)
            if isinstance(thing, type) and issubclass(thing, Parametrised)
            else _bare(thing)
            for thing in things
        )

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


# ------------------------------------------------------------------ a learner


def _learner(kind: type[Parametrised]) -> str:
    """Return the parameters of a learner and its hooks, inherited ones included."""
    names = [name for name in HOOKS if getattr(kind, name, None) not in _SILENT]
    if not getattr(kind, "randomized", True):
        names.remove("error_chance")
    if "__init__" in vars(kind) and not _parameters(kind):
        names.insert(0, "__init__")
    features = getattr(kind, "features", "real")
    constants = {} if features == "real" else {"features": f'"{features}"'}
    shown: dict[str, str] = {}
    while names:
        name = names.pop(0)
        shown[name] = _hook(kind, name)
        for asked in _asked_of_self(shown[name]):
            value = inspect.getattr_static(kind, asked, None)
            if isinstance(value, int | float):
                constants[asked] = repr(value)
            elif asked in (*shown, *names) or value is Linear.weights:
                continue
            elif callable(value) or isinstance(value, property):
                names.append(asked)
    bases = ", ".join(base.__name__ for base in kind.__bases__)
    head = [f"class {kind.__name__}({bases}):"]
    if parameters := _parameters(kind):
        tied = ", ".join(each.replace(" ", NO_BREAK) for each in parameters)
        lines = textwrap.wrap(f"parameters: {tied}", 72 - len(NOTE))
        head += [NOTE + line.replace(NO_BREAK, " ") for line in lines]
    if getattr(kind, "weights", None) is Linear.weights:
        head.append(f"{NOTE}self.weights is always self.link(self.state)")
    head += [f"    {name} = {value}" for name, value in constants.items()]
    gap = "\n" if len(head) == 1 else "\n\n"
    hooks = "\n\n".join(textwrap.indent(hook, "    ") for hook in shown.values())
    return "\n".join(head) + gap + hooks


#: What a learner that overrides nothing of it does not say.
_SILENT = (None, Learner.start, Learner.output)


def _parameters(kind: type) -> list[str]:
    """Return the declared parameters as they stand in the source: name = default."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__[:-1]):
        for node in ast.parse(_source(base)).body[0].body:  # type: ignore[attr-defined]
            match node:
                case ast.AnnAssign(
                    target=ast.Name(id=name),
                    value=ast.Call(func=ast.Name(id="Parameter"), keywords=keywords),
                ):
                    found[name] = name
                    for word in keywords:
                        if word.arg == "default":
                            found[name] += f" = {ast.unparse(word.value)}"
                        elif isinstance(word.value, ast.Lambda):  # it depends on n
                            value = ast.unparse(word.value.body)
                            found[name] += f" = {value.replace('self.', '')}"
    return [found[name] for name in inspect.signature(kind).parameters if name in found]


def _asked_of_self(code: str) -> Iterator[str]:
    """Yield the names that this code reads as self.name."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name


def _hook(kind: type, name: str) -> str:
    """Return a method; what it asks of its base class stands in its place."""
    owner = next(base for base in kind.__mro__ if name in vars(base))
    code = _bare(vars(owner)[name])
    edits: list[Edit] = []
    nodes = list(ast.walk(ast.parse(code)))
    factors = {c for n in nodes if isinstance(n, ast.BinOp) for c in (n.left, n.right)}
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name("super")), attr=asked)
            ) if asked == name != "__init__":
                after = kind.__mro__[kind.__mro__.index(owner) + 1 :]
                base = next(base for base in after if name in vars(base))
                body = textwrap.dedent(_hook(base, name).split("\n", 1)[1])
                lines = body.removeprefix("return ").split("\n")
                own = f"\n{' ' * node.col_offset}".join(lines)
                own = f"({own})" if node in factors else own
                edits.append((_start(node), _end(node), own))
    code = _edited(code, edits)
    if owner is kind:
        return code
    return re.sub(r"(def .*:)", rf"\1  # from {owner.__name__}", code, count=1)


# ------------------------------------------------------------------ a function

Place = tuple[int, int]
Edit = tuple[Place, Place, str]  #: from here, to there, what stands there instead


def _source(thing: Any) -> str:
    return textwrap.dedent(inspect.getsource(getattr(thing, "fget", thing)))


def _bare(thing: Any) -> str:
    """Return the source without docstrings, refusals, types and marks."""
    code = _source(thing)
    edits: list[Edit] = []
    gone: set[ast.AST] = set()
    for node in ast.walk(ast.parse(code)):
        if node in gone:
            continue
        if isinstance(node, ast.FunctionDef):
            edits += _untyped(node)
        match node:
            case ast.If(body=[ast.Raise()], orelse=[]):  # a bad argument is refused
                edits.append(_lines(node))
                gone.update(ast.walk(node))
            case ast.Expr() | ast.Assign() if _checks(node.value):
                edits.append(_lines(node))
                gone.update(ast.walk(node))
            case ast.Call(args=[value, *_]) if _checks(node):
                shown = ast.get_source_segment(code, value) or ""
                edits.append((_start(node), _end(node), shown))
            case ast.FunctionDef() | ast.ClassDef() if node.body[1:]:
                if ast.get_docstring(node) is not None:
                    edits.append(_lines(node.body[0]))
    return re.sub(r"  # (type|fmt|noqa): .*", "", _edited(code, edits))


def _checks(value: ast.expr) -> bool:
    """Say whether this is a call, or a row of calls, that only checks arguments.

    Such functions return their first argument, or refuse it.
    """
    calls = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(
        isinstance(call, ast.Call) and ast.unparse(call.func).startswith("_check")
        for call in calls
    )


def _untyped(function: ast.FunctionDef) -> Iterator[Edit]:
    for decorator in function.decorator_list:
        if ast.unparse(decorator) == "entrywise":
            yield _lines(decorator)
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg):
            node.annotation = None
    head = f"def {function.name}({ast.unparse(function.args)}):\n"
    indent = " " * function.body[0].col_offset
    yield _start(function), _start(function.body[0]), head + indent
    for node in function.body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield _end(node.target), _start(node.value), " = "


def _start(node: Any) -> Place:
    return node.lineno, node.col_offset


def _end(node: Any) -> Place:
    return node.end_lineno, node.end_col_offset


def _lines(node: Any) -> Edit:
    return (node.lineno, 0), (node.end_lineno + 1, 0), ""


def _edited(code: str, edits: list[Edit]) -> str:
    lines = [line.encode() for line in [*code.splitlines(keepends=True), ""]]
    outer = [
        edit
        for edit in edits
        if not any(one[0] <= edit[0] and edit[1] < one[1] for one in edits)
    ]
    for (line, column), (last, end), text in sorted(outer, reverse=True):
        whole = lines[line - 1][:column] + text.encode() + lines[last - 1][end:]
        lines[line - 1 : last] = [whole]
    return b"".join(lines).decode().rstrip()
