"""A Sphinx extension: the pages of the package, made of its docstrings.

Every public module gets a page in book/api when the book is built, so a new learner is
described by itself. What no reader would ask for is left out: a name is described if
`olc` has it, if a chapter uses it, if it says which box of the book it is, or if it is
what such a function returns or such a class derives from; and a method where it is
introduced, not in every class that has it.

A docstring names an algorithm or a theorem as the chapters do, {prf:ref}`alg-winnow`.
Docstrings are reStructuredText, in which the same role is written with colons. The link
says "Algorithm" or "Theorem" itself, so the docstring's own word goes.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
PAGES = BOOK / "api"
# What is reached as olc.play, in the order in which a reader meets it.
OWN = (
    *("play", "Trace", "Step", "Stream", "play_one_by_one"),
    *("Learner", "Linear", "parameter", "above", "at_least", "whole"),
    *("sweep", "paired", "Listing"),
)
ALL = ["   :members:", "   :inherited-members:"]  # but for what _skip leaves out
# Words of the pages that are also names of the machinery: a game that is known to be
# sound, a check of its examples, the HTML of figures and tables.
INSIDE = {"run", "check", "html", "linked"}


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", lambda app: write_pages())
    app.connect("source-read", _list_modules)
    app.connect("autodoc-process-docstring", _link)
    app.connect("autodoc-process-signature", _name_defaults)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# --- the pages ----------------------------------------------------------------------


def modules() -> dict[str, str]:
    """Return the public modules: the name that people use, and where it is."""
    found = {"olc": "olc"}
    for pattern in ("olc/*.py", "olc_book/*.py", "olc_book/*/__init__.py"):
        for path in sorted(ROOT.glob(pattern)):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            if len(parts) > 1:
                found[parts[-1]] = ".".join(parts)
    return dict(sorted(found.items()))


def write_pages() -> None:
    """Write a page for every public module, and remove those of former ones."""
    PAGES.mkdir(exist_ok=True)
    for path in PAGES.glob("*.md"):
        path.unlink()
    for name, place in modules().items():
        (PAGES / f"{name}.md").write_text(page(name, place), encoding="utf-8")


def page(name: str, place: str) -> str:
    """Return the page of a module."""
    lines = [f".. automodule:: {place}"]
    if name == "olc":
        lines += [line for own in OWN for line in _own(own)]
    else:
        lines += ALL
    return "\n".join([f"# `{_title(name)}`\n", "```{eval-rst}", *lines, "```\n"])


def _title(name: str) -> str:
    return "olc" if name == "olc" else f"olc.{name}"


def _own(name: str) -> list[str]:
    import olc
    from olc.core.game import Step

    thing = Step if name == "Step" else getattr(olc, name)
    kind = "class" if isinstance(thing, type) else "function"
    return [f".. auto{kind}:: {thing.__module__}.{name}", *ALL * (kind == "class")]


def _list_modules(app: Any, docname: str, source: list[str]) -> None:
    """Put the list of all modules where the page of the package asks for it."""
    if docname == "book/api":
        entries = [
            f"- [`{_title(name)}`](api/{name}.md): {_first_line(place)}"
            for name, place in modules().items()
        ]
        source[0] = source[0].replace("<!-- modules -->", "\n".join(entries))


def _first_line(place: str) -> str:
    return (import_module(place).__doc__ or "").partition("\n")[0]


# --- what is described --------------------------------------------------------------


@cache
def used() -> frozenset[str]:
    """Return the names that the chapters take from something: x.name, import name."""
    names = set()
    for path in BOOK.glob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                for node in ast.walk(ast.parse("".join(cell["source"]))):
                    if isinstance(node, ast.Attribute):
                        names.add(node.attr)
                    elif isinstance(node, ast.ImportFrom):
                        names.update(alias.name for alias in node.names)
    return frozenset(names)


@cache
def described(place: str) -> frozenset[str]:
    """Return the names of a module that its page describes."""
    import olc

    module = import_module(place)
    own = {
        name: thing
        for name, thing in vars(module).items()
        if str(getattr(thing, "__module__", "")).startswith(place) and thing.__doc__
    }
    asked = {
        name
        for name, thing in own.items()
        if vars(olc).get(name) is thing
        or name in getattr(module, "__all__", used())
        or "{prf:ref}" in (thing.__doc__ or "")
    }
    for name in sorted(asked):
        methods = [own[name], *vars(own[name]).values()]
        returned = [
            getattr(one, "__annotations__", {}).get("return") for one in methods
        ]
        bases = [base.__name__ for base in getattr(own[name], "__bases__", ())]
        asked.update(own.keys() & re.findall(r"\w+", f"{returned} {bases}"))
        asked.update(own.keys() & re.findall(r"`(\w+)`", own[name].__doc__))
    asked -= INSIDE - {*dir(olc)}
    return frozenset(name for name in asked if not name.startswith("_"))


def _skip(
    app: Any, what: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    place = app.env.temp_data.get("autodoc:module")
    if skip or not place:
        return None
    if what == "module":
        return None if name in described(place) else True
    kind = getattr(import_module(place), app.env.temp_data["autodoc:class"])
    return True if _is_inner(kind, name) else None


def _is_inner(kind: type, name: str) -> bool:
    """Whether a member was introduced by a class above, or is the engine's affair."""
    from olc.core.learner import Learner, Parametrised

    above = [base for base in kind.__mro__[1:] if base.__module__.startswith("olc")]
    frame = [base for base in above if _has_page(base)]
    if kind is not Learner:  # of all that have parameters, it shows what they can do
        frame.append(Parametrised)
    ours = any(name in vars(base) for base in [kind, *above])
    told = any(hasattr(base, name) for base in frame if base is not kind)
    a_default = name in getattr(kind, "__dataclass_fields__", ())
    return told or a_default or not ours or name not in mentioned() - INSIDE


def _has_page(kind: type) -> bool:
    if kind.__module__ in modules().values():
        return kind.__name__ in described(kind.__module__)
    return kind.__name__ in OWN


@cache
def mentioned() -> frozenset[str]:
    """Return the names that the chapters use, or that a page prints as code."""
    pages = [*BOOK.glob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    texts = [path.read_text("utf-8") for path in pages]
    code = re.findall(r"(?s)```.*?```|`[^`]*`", "\n".join(texts))
    return used() | frozenset(re.findall(r"\w+", " ".join(code)))


# --- what a docstring says ----------------------------------------------------------


def _link(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    text = "\n".join(lines)
    box = r"(?:(?:Algorithm|Theorem)\s+)?\{prf:ref\}(`[^`]+`)"
    text = re.sub(box, r":prf:ref:\1", text)
    text = re.sub(r"\b([Cc]hapter) `(\w+)`", r"\1 :doc:`/book/\2`", text)
    lines[:] = text.split("\n")


def _name_defaults(
    app: Any, what: str, name: str, obj: Any, options: Any, arguments: Any, out: Any
) -> tuple[str, Any]:
    """Show a function that is a default by its name."""
    return re.sub(r"<function (\w+)[^>]*>", r"\1", arguments or "") or arguments, out
