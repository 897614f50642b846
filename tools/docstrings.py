"""A Sphinx extension: the pages of the package, made of its docstrings.

Every public module gets a page in book/api when the book is built, with the names of
its `__all__`; a new learner is described by itself. What is reached as `olc.play` is on
the page of `olc`. A method is described where it was introduced, not in every class
that has it, and a parameter in the signature of its class.

A docstring names an algorithm or a theorem as the chapters do, {prf:ref}`alg-winnow`.
Docstrings are reStructuredText, in which the same role is written with colons. The link
says "Algorithm" or "Theorem" itself, so the docstring's own word goes.
"""

from __future__ import annotations

import re
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "book" / "api"
# Where the names are that people reach as olc.name, as readers meet them.
ENGINE = ("fast.play", "core.game", "core.stream", "core.learner", "core.check")
ALL = ["   :members:", "   :inherited-members:"]  # but for what _skip leaves out
# Methods by which the parts of the package serve each other, and an attribute that the
# docstring of its class describes; those that learners stand for, of all who have them.
INSIDE = {"check", "drift", "forced", "get_params", "html", "labels", "learners_"}
INSIDE |= {"need_target", "recorded", "run", "run_games", "score_ahead", "set_params"}
SHARED = {"replaced", "start"}


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", lambda app: write_pages())
    app.connect("source-read", _list_modules)
    app.connect("autodoc-process-docstring", _link)
    app.connect("autodoc-process-signature", _name_defaults)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def modules() -> dict[str, str]:
    """Return the public modules: the name that people use, and where it is."""
    found = {}
    for form in ("olc/*.py", "olc_book/[a-z]*.py", "olc_book/*/__init__.py"):
        for path in ROOT.glob(form):
            place = path.parent if path.stem == "__init__" else path.with_suffix("")
            found[place.name] = ".".join(place.relative_to(ROOT).parts)
    return dict(sorted(found.items()))


def write_pages() -> None:
    """Write a page for every public module, and remove those of former ones."""
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir()
    for name, place in modules().items():
        lines = [f".. automodule:: {place}", *ALL * (name != "olc")]
        for engine in ENGINE * (name == "olc"):
            module = import_module(f"olc.{engine}")
            for own in module.__all__:
                is_class = isinstance(getattr(module, own), type)
                kind = "class" if is_class else "function"
                lines += [f".. auto{kind}:: {module.__name__}.{own}", *ALL * is_class]
        page = [f"# `{_title(name)}`\n", "```{eval-rst}", *lines, "```\n"]
        (PAGES / f"{name}.md").write_text("\n".join(page), encoding="utf-8")


def _title(name: str) -> str:
    """Return the name by which people reach a module: not all are names of olc."""
    place = modules()[name]
    olc = import_module("olc")
    return place if name == "olc" or not hasattr(olc, name) else f"olc.{name}"


def _kind(name: str, place: str) -> str:
    """Say where a module is listed; one of learners is known by them or by a bound."""
    if place.startswith("olc_book"):
        return "For the book"
    module, learner = import_module(place), import_module("olc").Learner
    for own in getattr(module, "__all__", ()) if name != "olc" else ():
        thing = getattr(module, own)
        if own.endswith("bound") or (
            isinstance(thing, type) and issubclass(thing, learner)
        ):
            return "Learners, their bounds and proofs"
    return "Games and experiments"


def _list_modules(app: Any, docname: str, source: list[str]) -> None:
    """Put the list of all modules where the page of the package asks for it."""
    if "<!-- modules -->" not in source[0]:
        return
    kinds: dict[str, str] = {}
    for name, place in modules().items():
        told = (import_module(place).__doc__ or "").partition("\n")[0]
        line = f"- [`{_title(name)}`](api/{name}.md): {told}\n"
        kinds[_kind(name, place)] = kinds.get(_kind(name, place), "") + line
    listed = "\n".join(f"### {kind}\n\n{kinds[kind]}" for kind in sorted(kinds)[::-1])
    source[0] = source[0].replace("<!-- modules -->", listed)


def _skip(app: Any, what: str, name: str, thing: Any, *_: Any) -> bool | None:
    """Leave out what a class has from another that has a page, and its parameters."""
    if what == "module":
        return None
    module = import_module(app.env.temp_data["autodoc:module"])
    kind = getattr(module, app.env.temp_data["autodoc:class"])
    told = any(hasattr(base, name) for base in kind.__mro__[1:] if _is_known(base))
    module_of = str(getattr(thing, "__module__", ""))
    theirs = callable(thing) and not module_of.startswith("olc")
    is_parameter = name in getattr(kind, "__dataclass_fields__", ())
    inside = name in INSIDE or (name in SHARED and kind.__name__ != "Learner")
    return told or theirs or is_parameter or inside or None


def _is_known(kind: type) -> bool:
    """Whether a class has an entry of its own, here or with others."""
    ours = kind.__module__.startswith("olc")
    return not ours or kind.__name__ in import_module(kind.__module__).__all__


def _link(app: Any, what: str, name: str, obj: Any, _: Any, lines: list[str]) -> None:
    text = "\n".join(lines)
    box = r"(?:(?:Algorithm|Theorem)\s+)?\{prf:ref\}(`[^`]+`)"
    text = re.sub(box, r":prf:ref:\1", text)
    text = re.sub(r"\b([Cc]hapter) `(\w+)`", r"\1 :doc:`/book/\2`", text)
    lines[:] = text.split("\n")


def _name_defaults(*given: Any) -> tuple[str | None, Any]:
    """Show a function that is a default by its name."""
    *_, arguments, returned = given
    return arguments and re.sub(r"<function (\w+)[^>]*>", r"\1", arguments), returned
